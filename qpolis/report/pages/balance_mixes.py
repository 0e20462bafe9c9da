"""Mixes side by side: what is different in them, and what that changes."""

from __future__ import annotations

from collections import Counter

from qpolis.balance.compare import TILES, Comparison
from qpolis.games import load_game
from qpolis.report.content.balance_summary import change_name
from qpolis.report.content.balance_tables import COMPARISONS
from qpolis.report.pages.balance_material import (
    MOST_ROWS,
    Material,
    cut,
    folded,
    label,
    mixes_left_out,
    number_cell,
    said,
    who,
)
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, left, table
from qpolis.report.plots.balance_changes import WORDS, important
from qpolis.report.plots.balance_content import mixes_shown

Key = tuple[str, str, str, str]  # of a measure, whatever the mix


def compared(material: Material) -> Html:
    """What the other mixes change, in words, plots and a table."""
    if not material.several:
        return Html()
    answer, words = material.answer, material.words
    mixes = mixes_shown(answer)[1:]
    by_mix = [{one.new.key: one for one in answer.comparisons[mix] if one.new.measure.group not in TILES}
              for mix in mixes_shown(answer)]
    first = dict.fromkeys(one.new.key for mix in mixes for one in important(answer, mix))
    every = dict.fromkeys(key for found in by_mix for key in found)
    note = ("All mixes are played on the same deals, so a change is known better than the two numbers it is "
            "between. In brackets: 95% intervals; pp: percentage points. Verdicts are corrected for many tests.")
    said_ = [join([tag("h3", f"{words.mixes[mix]} against {words.mixes[0]}"), said(words.changes[mix])])
             for mix in mixes]
    whole = comparison_table(material, list(every)[:MOST_ROWS], by_mix)
    return join([tag("p", note, class_="note"), mixes_left_out(material, COMPARISONS),
                 comparison_table(material, list(first), by_mix),
                 folded(f"All measures ({len(every):,})", whole, cut(len(every), COMPARISONS)),
                 said_, material.plots("changes")])


def comparison_table(material: Material, keys: list[Key], by_mix: list[dict[Key, Comparison]]) -> Html:
    """A row for each measure: how it is in every mix, and its change from the first with the verdict."""
    first, *others = material.names[:len(by_mix)]
    heading: list[object] = [left("measure"), left("who plays"), first]
    for name in others:
        heading += [name, "change", left("verdict")]
    return table(heading, [comparison_row(key, by_mix) for key in keys],
                 class_="comparison" + " tight" * (len(others) > 1))


def comparison_row(key: Key, by_mix: list[dict[Key, Comparison]]) -> list[object]:
    changes = [found.get(key) for found in by_mix[1:]]
    any_change = next(one for one in changes if one)
    row: list[object] = [left(change_name(any_change), "td"), left(who(*key[:2]), "td"),
                         number_cell(any_change.old.measure)]
    for one in changes:
        row += [cell("", ""), cell("", ""), left("", "td")] if one is None else [
            number_cell(one.new.measure), number_cell(one.change, change=True),
            left(label(WORDS[one.verdict.word]), "td")]
    return row


def differences(material: Material) -> Html:
    """The mixes as they were asked for, and what can be taken in them that is different from the first."""
    if not material.several:
        return Html()
    question = material.answer.question
    listed = tag("ol", [tag("li", tag("code", mix)) for mix in question.mixes])
    return join([listed, [difference(material, mix) for mix in mixes_shown(material.answer)[1:]]])


def difference(material: Material, mix: int) -> Html:
    before, after = content(material, 0), content(material, mix)
    changed = [key for key in sorted({**before, **after}) if before[key] != after[key]]
    heading = tag("h3", f"{material.words.mixes[mix]} against {material.words.mixes[0]}")
    if not changed:
        same = "What can be taken is the same, and as often." if before else ""
        return join([heading, tag("p", same)]) if same else Html()
    rows = [[left(f"round {stage + 1}", "td"), left(name, "td"), before[stage, name], after[stage, name]]
            for stage, name in changed]
    return join([heading, table([left("when"), left("what"), material.names[0], material.names[mix]],
                                rows[:MOST_ROWS], class_="content")])


def content(material: Material, mix: int) -> Counter[tuple[int, str]]:
    """What can be taken in a mix: how many copies, by stage of the game and name."""
    question = material.answer.question
    found: Counter[tuple[int, str]] = Counter()
    for item in load_game(question.game, **question.settings(mix)).items().values():
        found[item.stage, item.name] += item.copies
    return found
