"""The page of an answer: one file with the words, plots and tables of a question, or of a search."""

from __future__ import annotations

from qpolis.game import with_settings
from qpolis.games import game_class
from qpolis.report.content.balance_words import listed
from qpolis.report.pages.balance_material import Material, whole_sentence
from qpolis.report.pages.balance_mixes import compared, differences
from qpolis.report.pages.balance_reproduce import games_played, reproduced
from qpolis.report.pages.balance_search import confirmed, tried
from qpolis.report.pages.balance_summary import plain_words
from qpolis.report.pages.balance_topics import topics
from qpolis.report.pages.markup import join, tag
from qpolis.report.pages.page import page, section

__all__ = ["REPORT", "Material", "balance_page"]

REPORT = "report.html"
STYLES = ("balance.css",)


def balance_page(material: Material) -> bytes:
    """The whole page. Parts that there is nothing to say about are left out."""
    parts = [("found", "What was found", confirmed(material)),
             ("tried", "What was tried", tried(material)),
             ("summary", "Summary of the test" if material.searched else "Summary", plain_words(material)),
             ("compared", "Mixes side by side", compared(material)),
             ("mixes", "The mixes", differences(material)),
             *topics(material),
             ("games", "Games", games_played(material)),
             ("reproduce", "Reproduce", reproduced(material))]
    shown = [part for part in parts if part[2]]
    contents = tag("nav", [tag("a", heading, href=f"#{anchor}") for anchor, heading, _ in shown],
                   class_="contents", aria_label="Contents")
    question = material.answer.question
    body = join([tag("h1", question.name), tag("p", asked(material), class_="lead"),
                 tag("p", whole_sentence(material.words.intervals), class_="note"), contents,
                 *(section(anchor, heading, content) for anchor, heading, content in shown)])
    title = f"{question.name}: balance of {game_class(question.game).title}"
    return page(title, tag("main", body, class_="balance"), styles=STYLES)


def asked(material: Material) -> str:
    """What was asked, in a sentence."""
    question = material.answer.question
    game = with_settings(game_class(question.game).title, question.options)
    mixes = [mix for mix in question.mixes if mix]
    played = f"played by {listed(question.bots)}"
    if material.searched:
        search = material.searched.search
        return (f"A search for a mix of {game} with {listed(search.targets)}, from {search.start}, by "
                f"{search.changes} {'change' if search.changes == 1 else 'changes'} at most, within "
                f"{search.budget:,} games, {played}, seed {search.seed}.")
    words = [f"{material.answer.games:,} games of {game}"]
    words += [f"with the {'mix' if len(mixes) == 1 else 'mixes'} {listed(mixes)}"] * bool(mixes) + [played]
    if habits := len(question.forbid) + len(question.favor):
        words.append(f"{habits} {'habit' if habits == 1 else 'habits'} of {question.player}")
    if question.ladder:
        words.append(f"mcts with {listed([f'{sims:,}' for sims in sorted(question.ladder)])} simulations")
    return ", ".join([*words, f"seed {question.seed}."])
