"""A search: what was wanted, what was tried, and what the confirmation says about what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qpolis.balance.search import Search, Tried
from qpolis.balance.targets import Target
from qpolis.report.content.balance_search import TRIED, claim_lines, claims_of, tested_line, tried_lines
from qpolis.report.pages.balance_material import MOST_ROWS, Material, cut, folded, said, whole_sentence
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, left, sort_key, table


def confirmed(material: Material) -> Html:
    """The targets, what looked best, and which targets it meets on fresh deals."""
    if not material.searched:
        return Html()
    search, found = material.searched
    answer = material.answer
    targets = tag("dl", [[tag("dt", tag("code", target.text())), tag("dd", target.aim.help)]
                         for target in search.aims], class_="topics")
    claims = [join([tag("h3", mix), said(list(claim_lines(search, claims_of(search, answer, number))))])
              for number, mix in enumerate(answer.question.mixes)]
    words = [whole_sentence(line) for line in (*tried_lines(search, found), tested_line(answer))]
    return join([tag("h3", "Targets"), targets, tag("p", " ".join(words)), claims])


def tried(material: Material) -> Html:
    """Every mix that was tried, rung by rung, the best first; those of last rungs for all to see."""
    if not material.searched:
        return Html()
    every = material.searched.found.tried
    last = {one.generation: one.rung for one in every}
    note = ("On every rung the worse half is dropped, and the others play more games on fresh deals. Distance: "
            "how far a mix is from all targets, in steps; 0 if it meets them even if it is two standard errors "
            "worse than it looks. By target: the measure that is furthest from it. These numbers are too good: "
            "the best was chosen by them.")
    return join([tag("p", note, class_="note"), tag("h3", "On the last rung"),
                 tried_table(material.searched.search, [one for one in every if one.rung == last[one.generation]]),
                 folded(f"On all rungs ({len(every):,})",
                        tried_table(material.searched.search, every[:MOST_ROWS]), cut(len(every), TRIED))])


def tried_table(search: Search, chosen: Sequence[Tried]) -> Html:
    heading = ["generation", "rung", left("mix"), "games", "distance", *(aim.text() for aim in search.aims)]
    return table(heading, ([one.generation, one.rung, left(tag("code", one.mix), "td"),
                            cell(f"{one.games:,}", one.games), cell(f"{one.loss:.2f}", sort_key(one.loss)),
                            *(worst_cell(aim, one, place) for place, aim in enumerate(search.aims))]
                           for one in chosen), class_="named")


def worst_cell(aim: Target, one: Tried, place: int) -> Html:
    value = one.worst[place]
    if math.isnan(value):
        return cell("unknown", "")
    return cell(f"{100 * value:+.1f}%" if aim.aim.percent else f"{value:.2f}", sort_key(value))
