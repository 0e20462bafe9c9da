"""The page of an answer: one file with the words, plots and tables of a question, or of a search."""

from __future__ import annotations

from qpolis.game import with_settings
from qpolis.games import game_class
from qpolis.report.content.balance_text import listed
from qpolis.report.pages.balance_mixes import comparisons_part, mixes_part
from qpolis.report.pages.balance_parts import BalanceReport, whole_sentence
from qpolis.report.pages.balance_reproduce import games_part, reproduce_part
from qpolis.report.pages.balance_search import confirmation_part, trials_part
from qpolis.report.pages.balance_summary import summary_part
from qpolis.report.pages.balance_topics import topics
from qpolis.report.pages.markup import join, tag
from qpolis.report.pages.page import notice, page, section

__all__ = ["REPORT", "BalanceReport", "balance_page"]

REPORT = "report.html"
STYLES = ("balance.css",)


def balance_page(report: BalanceReport) -> bytes:
    """The whole page. Parts that there is nothing to say about are left out."""
    parts = [
        ("found", "What was found", confirmation_part(report)),
        ("tried", "What was tried", trials_part(report)),
        ("summary", "Summary of the test" if report.search_outcome else "Summary", summary_part(report)),
        ("compared", "Mixes side by side", comparisons_part(report)),
        ("mixes", "The mixes", mixes_part(report)),
        *topics(report),
        ("games", "Games", games_part(report)),
        ("reproduce", "Reproduce", reproduce_part(report)),
    ]
    shown = [part for part in parts if part[2]]
    contents = tag(
        "nav",
        [tag("a", heading, href=f"#{anchor}") for anchor, heading, _ in shown],
        class_="contents",
        aria_label="Contents",
    )
    question = report.answer.question
    body = join(
        [
            tag("h1", question.name),
            tag("p", asked(report), class_="lead"),
            tag("p", whole_sentence(report.summary.intervals), class_="note"),
            *map(notice, report.summary.notes),
            contents,
            *(section(anchor, heading, content) for anchor, heading, content in shown),
        ]
    )
    title = f"{question.name}: balance of {game_class(question.game).title}"
    return page(title, tag("main", body, class_="balance"), styles=STYLES)


def asked(report: BalanceReport) -> str:
    """What was asked, in a sentence."""
    question = report.answer.question
    game = with_settings(game_class(question.game).title, question.options)
    mixes = [mix for mix in question.mixes if mix]
    played = f"played by {listed(question.bots)}"
    if report.search_outcome:
        search = report.search_outcome.search
        return (
            f"A search for a mix of {game} with {listed(search.targets)}, from {search.start}, by "
            f"{search.changes} {'change' if search.changes == 1 else 'changes'} at most, within "
            f"{search.budget:,} games, {played}, seed {search.seed}."
        )
    words = [f"{report.answer.games:,} games of {game}"]
    words += [f"with the {'mix' if len(mixes) == 1 else 'mixes'} {listed(mixes)}"] * bool(mixes) + [played]
    if habits := len(question.forbid) + len(question.favor):
        words.append(f"{habits} {'habit' if habits == 1 else 'habits'} of {question.player}")
    if question.ladder:
        words.append(f"mcts with {listed([f'{sims:,}' for sims in sorted(question.ladder)])} simulations")
    return ", ".join([*words, f"seed {question.seed}."])
