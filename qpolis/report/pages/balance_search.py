"""A search: what was wanted, what was tried, and what the confirmation says about what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qpolis.balance.search import Search, Trial
from qpolis.balance.targets import Target
from qpolis.report.content.balance_search import TRIALS, claim_lines, claims_of, tested_line, trial_lines
from qpolis.report.pages.balance_parts import (
    MOST_ROWS,
    BalanceReport,
    collapsed,
    cut_note,
    sentence_list,
    whole_sentence,
)
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, sort_key, table, text_cell


def confirmation_part(report: BalanceReport) -> Html:
    """The targets, what looked best, and which targets it meets on fresh deals."""
    if not report.search_outcome:
        return Html()
    search, result = report.search_outcome
    answer = report.answer
    targets = tag(
        "dl",
        [[tag("dt", tag("code", target.text())), tag("dd", target.kind.help)] for target in search.aims],
        class_="topics",
    )
    claims = [
        join([tag("h3", mix), sentence_list(list(claim_lines(search, claims_of(search, answer, number))))])
        for number, mix in enumerate(answer.question.mixes)
    ]
    words = [whole_sentence(line) for line in (*trial_lines(search, result), tested_line(answer))]
    return join([tag("h3", "Targets"), targets, tag("p", " ".join(words)), claims])


def trials_part(report: BalanceReport) -> Html:
    """Every mix that was tried, rung by rung, the best first; those of last rungs for all to see."""
    if not report.search_outcome:
        return Html()
    search, every = report.search_outcome.search, report.search_outcome.result.trials
    last = {one.generation: one.rung for one in every}
    note = (
        "On every rung the worse half is dropped, and the others play more games on fresh deals. Distance: "
        "how far a mix is from all targets, in steps; 0 if it meets them even if it is two standard errors "
        "worse than it looks. By target: the measure that is furthest from it. These numbers are too good: "
        "the best was chosen by them."
    )
    return join(
        [
            tag("p", note, class_="note"),
            tag("h3", "On the last rung"),
            trials_table(search, [one for one in every if one.rung == last[one.generation]]),
            collapsed(
                f"On all rungs ({len(every):,})",
                trials_table(search, every[:MOST_ROWS]),
                cut_note(len(every), TRIALS),
            ),
        ]
    )


def trials_table(search: Search, chosen: Sequence[Trial]) -> Html:
    heading = ["generation", "rung", text_cell("mix"), "games", "distance", *(aim.text() for aim in search.aims)]
    return table(
        heading,
        (
            [
                one.generation,
                one.rung,
                text_cell(tag("code", one.mix), "td"),
                cell(f"{one.games:,}", one.games),
                cell(f"{one.loss:.2f}", sort_key(one.loss)),
                *(worst_cell(aim, one, place) for place, aim in enumerate(search.aims)),
            ]
            for one in chosen
        ),
        class_="named",
    )


def worst_cell(aim: Target, one: Trial, place: int) -> Html:
    value = one.worst[place]
    if math.isnan(value):
        return cell("unknown", "")
    return cell(f"{100 * value:+.1f}%" if aim.kind.percent else f"{value:.2f}", sort_key(value))
