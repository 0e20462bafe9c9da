"""The plain words of an answer, as a page shows them: what `summary.txt` says."""

from __future__ import annotations

from qpolis.report.content.balance_lines import Topic
from qpolis.report.pages.balance_parts import BalanceReport, sentence_list
from qpolis.report.pages.markup import Html, join, tag


def summary_part(report: BalanceReport) -> Html:
    """Mix by mix, then how the others differ from the first, then what is to be known about the games."""
    words = report.summary
    parts: list[object] = []
    for name, topics in zip(words.mixes, words.topics):
        parts += [tag("h3", name) if name else None, topic_list(topics)]
    for name, changes in list(zip(words.mixes, words.changes))[1:]:
        parts += [tag("h3", f"{name} against {words.mixes[0]}"), sentence_list(changes)]
    parts += [tag("p", line, class_="warning") for line in filter(None, [*words.warnings, words.abnormal])]
    return join(parts)


def topic_list(topics: list[Topic]) -> Html:
    """Topics at the left, which lead to their plots, and what is said about them."""
    return tag(
        "dl",
        [
            [
                tag("dt", tag("a", short(topic.heading), href=f"#{topic.key}"), qualified(topic.heading)),
                tag("dd", sentence_list(topic.lines)),
            ]
            for topic in topics
        ],
        class_="topics",
    )


def short(heading: str) -> str:
    """The first words of a heading."""
    name = heading.split(" (")[0].split(",")[0]
    return name[:1].upper() + name[1:]


def qualified(heading: str) -> Html:
    """The other words of a heading, which say what exactly is meant."""
    rest = heading[len(short(heading)) :].lstrip(", ").strip()
    return tag("span", f" {rest}", class_="note") if rest else Html()
