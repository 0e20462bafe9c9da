"""Mixes side by side: what is different in them, and what that changes."""

from __future__ import annotations

from collections import Counter

from qpolis.balance.compare import TILES, Comparison
from qpolis.games import load_game
from qpolis.report.content.balance_csv import COMPARISONS
from qpolis.report.content.balance_summary import change_name
from qpolis.report.pages.balance_parts import (
    MOST_ROWS,
    BalanceReport,
    collapsed,
    cut_note,
    mixes_left_out,
    number_cell,
    players_text,
    sentence_list,
    verdict_label,
)
from qpolis.report.pages.markup import Html, join, tag
from qpolis.report.pages.page import cell, table, text_cell
from qpolis.report.plots.balance_changes import WORDS, important
from qpolis.report.plots.balance_data import mixes_shown

Key = tuple[str, str, str, str]  # of a measure, whatever the mix


def comparisons_part(report: BalanceReport) -> Html:
    """What the other mixes change, in words, plots and a table."""
    if not report.several:
        return Html()
    answer, words = report.answer, report.summary
    mixes = mixes_shown(answer)[1:]
    by_mix = [
        {one.new.key: one for one in answer.comparisons[mix] if one.new.measure.group not in TILES}
        for mix in mixes_shown(answer)
    ]
    first = dict.fromkeys(one.new.key for mix in mixes for one in important(answer, mix))
    every = dict.fromkeys(key for found in by_mix for key in found)
    note = (
        "All mixes are played on the same deals, so a change is known better than the two numbers it is "
        "between. In brackets: 95% intervals; pp: percentage points. Verdicts are corrected for many tests."
    )
    said_ = [
        join([tag("h3", f"{words.mixes[mix]} against {words.mixes[0]}"), sentence_list(words.changes[mix])])
        for mix in mixes
    ]
    whole = comparison_table(report, list(every)[:MOST_ROWS], by_mix)
    return join(
        [
            tag("p", note, class_="note"),
            mixes_left_out(report, COMPARISONS),
            comparison_table(report, list(first), by_mix),
            collapsed(f"All measures ({len(every):,})", whole, cut_note(len(every), COMPARISONS)),
            said_,
            report.plots("changes"),
        ]
    )


def comparison_table(report: BalanceReport, keys: list[Key], by_mix: list[dict[Key, Comparison]]) -> Html:
    """A row for each measure: how it is in every mix, and its change from the first with the verdict."""
    first, *others = report.names[: len(by_mix)]
    heading: list[object] = [text_cell("measure"), text_cell("who plays"), first]
    for name in others:
        heading += [name, "change", text_cell("verdict")]
    return table(
        heading, [comparison_row(key, by_mix) for key in keys], class_="comparison" + " tight" * (len(others) > 1)
    )


def comparison_row(key: Key, by_mix: list[dict[Key, Comparison]]) -> list[object]:
    changes = [found.get(key) for found in by_mix[1:]]
    any_change = next(one for one in changes if one)
    row: list[object] = [
        text_cell(change_name(any_change), "td"),
        text_cell(players_text(*key[:2]), "td"),
        number_cell(any_change.old.measure),
    ]
    for one in changes:
        row += (
            [cell("", ""), cell("", ""), text_cell("", "td")]
            if one is None
            else [
                number_cell(one.new.measure),
                number_cell(one.change, change=True),
                text_cell(verdict_label(WORDS[one.verdict.word]), "td"),
            ]
        )
    return row


def mixes_part(report: BalanceReport) -> Html:
    """The mixes as they were asked for, and what can be taken in them that is different from the first."""
    if not report.several:
        return Html()
    question = report.answer.question
    listed = tag("ol", [tag("li", tag("code", mix)) for mix in question.mixes])
    return join([listed, [difference(report, mix) for mix in mixes_shown(report.answer)[1:]]])


def difference(report: BalanceReport, mix: int) -> Html:
    before, after = content(report, 0), content(report, mix)
    changed = [key for key in sorted({**before, **after}) if before[key] != after[key]]
    heading = tag("h3", f"{report.summary.mixes[mix]} against {report.summary.mixes[0]}")
    if not changed:
        same = "What can be taken is the same, and as often." if before else ""
        return join([heading, tag("p", same)]) if same else Html()
    rows = [
        [text_cell(f"round {stage + 1}", "td"), text_cell(name, "td"), before[stage, name], after[stage, name]]
        for stage, name in changed
    ]
    return join(
        [
            heading,
            table(
                [text_cell("when"), text_cell("what"), report.names[0], report.names[mix]],
                rows[:MOST_ROWS],
                class_="content",
            ),
        ]
    )


def content(report: BalanceReport, mix: int) -> Counter[tuple[int, str]]:
    """What can be taken in a mix: how many copies, by stage of the game and name."""
    question = report.answer.question
    found: Counter[tuple[int, str]] = Counter()
    for item in load_game(question.game, **question.settings(mix)).items().values():
        found[item.stage, item.name] += item.copies
    return found
