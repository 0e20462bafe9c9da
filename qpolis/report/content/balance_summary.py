"""The answer to a question in plain words: a few lines about each topic, level by level."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from qpolis.balance.answer import Answer
from qpolis.balance.compare import TILES, UNEVEN, Comparison, Fairness
from qpolis.balance.inference import DIFFERENT, EQUIVALENT, OPEN, SMALL, SURE, judge
from qpolis.balance.measure import EFFECT, SHARE, Measure
from qpolis.balance.question import FIELD, HABITS, LADDER, LEVEL, MATRIX
from qpolis.balance.targets import advantage
from qpolis.game import with_settings
from qpolis.games import game_class
from qpolis.report.content.balance_lines import Line, Summary, Topic, as_lines
from qpolis.report.content.balance_text import (
    between,
    habit_of,
    level_name,
    listed,
    percent,
    plural,
    with_interval,
)
from qpolis.report.content.terminal_tables import repeat_lines

MOST = 3  # things that are listed of many
MOST_CHANGES = 12
SIGNED = "+"
ALWAYS = 0.9
FAIR = {
    DIFFERENT: "not fair",
    UNEVEN: "not equal, more games would tell whether it matters",
    SMALL: "fair (there is an advantage, but a small one)",
    EQUIVALENT: "fair (tested)",
    OPEN: "not decided, more games would tell",
}

About = Callable[[Answer, int], Iterator[Line | str]]


def summary(answer: Answer) -> list[str]:
    """The answer as lines for people."""
    return summarize(answer).lines()


def summarize(answer: Answer) -> Summary:
    """The answer in plain words: mix by mix, and how the others differ from the first."""
    question = answer.question
    mixes = range(len(question.mixes))
    abnormal = sum(run.abnormal for run in answer.runs)
    return Summary(
        f"{question.name}: {answer.games:,} games of {with_settings(question.game, question.options)}, "
        f"seed {question.seed}",
        f"95% intervals with deals as units; less than {question.within:g} percentage points does not matter",
        question.mixes,
        [topics(answer, mix) for mix in mixes],
        [as_lines(about_changes(answer, mix)) if mix else [] for mix in mixes],
        question.notes(),
        repeat_lines([repeat for run in answer.runs for repeat in run.repeats]),
        f"{abnormal:,} games ended abnormally and do not count" if abnormal else "",
    )


def topics(answer: Answer, mix: int) -> list[Topic]:
    """What is said about a mix, topic by topic."""
    found = [Topic(key, heading, as_lines(about(answer, mix))) for key, (heading, about) in TOPICS.items()]
    return [topic for topic in found if topic.lines]


def levels(answer: Answer, mix: int) -> list[tuple[str, str]]:
    """The runs of a mix in which everything is measured."""
    return [
        (run.cell.part, run.cell.level)
        for run in answer.runs
        if run.cell.mix == mix and run.cell.part in (LEVEL, FIELD)
    ]


def measures_of(answer: Answer, mix: int, part: str, level: str | None = None, group: str = "") -> list[Measure]:
    """The measures of a run, or of all runs of a part; of one group, or all."""
    return [
        entry.measure
        for entry in answer.entries
        if (entry.mix, entry.part) == (mix, part)
        and level in (None, entry.level)
        and group in ("", entry.measure.group)
    ]


def get(answer: Answer, mix: int, where: tuple[str, str], group: str, name: str) -> Measure:
    entry = answer.find(mix, *where, group, name)
    assert entry is not None
    return entry.measure


# -- one mix -----------------------------------------------------------------------------------------------


def about_seats(answer: Answer, mix: int) -> Iterator[Line | str]:
    """First-player advantage at every level."""
    equal = percent(1 / answer.seats, int(answer.seats == 3))
    for part, level in levels(answer, mix):
        found = [item for item in answer.fairness[mix] if (item.entry.part, item.entry.level) == (part, level)]
        wins = [with_interval(item.entry.measure) for item in found]
        words = f"the first player wins {wins[0]}" if answer.seats == 2 else f"wins by seat {', '.join(wins)}"
        yield Line(f"{level_name(part, level)}: {words}, equal is {equal}", FAIR[worst(found)])
        if worst(found) in (DIFFERENT, UNEVEN):
            yield from culprits(answer, mix, part, level)


def culprits(answer: Answer, mix: int, part: str, level: str) -> Iterator[Line]:
    """The tiles that the advantage of the first seat, or its disadvantage, goes with."""
    ahead = get(answer, mix, (part, level), "seats", "seat 0 wins").value - 1 / answer.seats
    tiles = measures_of(answer, mix, part, level, "seat tiles")
    known = [tile for tile in tiles if not math.isnan(tile.value)]
    bound = answer.question.within / 100
    sure = [verdict.measure for verdict in judge(known, [bound] * len(known)) if verdict.different <= SURE]
    same = sorted(
        (tile for tile in sure if tile.value * ahead > 0 and abs(tile.value) > bound),
        key=lambda tile: -abs(tile.value),
    )
    if same:
        named = "; ".join(f"{tile.name} {with_interval(tile, SIGNED)} pp" for tile in same[:MOST])
        yield Line(f"goes with {named}", below=True)
    for tile in tiles:
        if math.isnan(tile.value) and tile.samples:
            share = get(answer, mix, (part, level), "tiles", f"{tile.name}: taken by the first player")
            if share.value > ALWAYS:
                yield Line(
                    f"the first player has {tile.name} in {with_interval(share)}: nothing can tell the two apart",
                    below=True,
                )


def worst(found: Sequence[Fairness]) -> str:
    """One word for all seats of a level."""
    words = {item.word for item in found}
    return next(word for word in (DIFFERENT, UNEVEN, OPEN, SMALL, EQUIVALENT) if word in words)


def about_points(answer: Answer, mix: int) -> Iterator[str]:
    for where in levels(answer, mix):
        points, margin, close = (
            get(answer, mix, where, "scores", name)
            for name in ("points", "winning margin", "won by 5 points or less")
        )
        yield (
            f"{level_name(*where)}: {with_interval(points)} points a player; the winner is "
            f"{with_interval(margin)} ahead, by 5 or less in {with_interval(close)}"
        )


def about_kinds(answer: Answer, mix: int) -> Iterator[str]:
    """What brings the winners their points."""
    for where in levels(answer, mix):
        parts = [
            (get(answer, mix, where, "kinds", f"{kind}: part of winners' points"), kind)
            for kind in answer.categories
        ]
        parts.sort(key=lambda pair: -pair[0].value)
        if parts:
            most, best = parts[0]
            others = [f"{plural(kind)} {percent(measure.value, 0)}" for measure, kind in parts[1:]]
            yield (
                f"{level_name(*where)}: {plural(best)} bring {with_interval(most)} of the winners' points, "
                f"{listed(others)}"
            )


def about_effects(answer: Answer, mix: int) -> Iterator[str]:
    """Kinds of buildings of which one more helps or hurts, and at which levels of play."""
    found = [
        entry
        for entry in answer.entries
        if (entry.mix, entry.part, entry.measure.group) == (mix, LEVEL, "effects")
    ]
    bound = answer.question.within / 100
    strong: dict[tuple[str, bool], list[str]] = {}
    verdicts = judge([entry.measure for entry in found], [bound] * len(found))
    for entry, verdict in zip(found, verdicts):
        if verdict.word == DIFFERENT and abs(entry.measure.value) > bound:
            key = (entry.measure.name, entry.measure.value > 0)
            strong.setdefault(key, []).append(f"{entry.level} {with_interval(entry.measure, '+')}")
    count = len({entry.level for entry in found})
    for (kind, helps), words in sorted(strong.items(), key=lambda item: (not item[0][1], -len(item[1]))):
        shown = "at every level" if len(words) == count else f"shown at {len(words)} of {count} levels"
        where = f", {shown}" if count > 1 else ""
        yield f"one {kind} more {'helps' if helps else 'hurts'}{where}: {', '.join(words)}"
    if found and not strong:
        tested = all(verdict.word in (EQUIVALENT, SMALL) for verdict in verdicts)
        noun = game_class(answer.question.game).category_noun[0]
        yield (
            f"no {noun} stands out (tested)"
            if tested
            else f"no {noun} is seen to stand out, more games would tell"
        )


def about_tiles(answer: Answer, mix: int) -> Iterator[str]:
    """The tiles that help and hurt most, and those that nobody wants, at the first level."""
    for where in levels(answer, mix)[:1]:
        tiles = measures_of(answer, mix, *where, "tiles")
        effects = [tile for tile in tiles if tile.name.endswith(": effect") and not math.isnan(tile.value)]
        verdicts = judge(effects, [answer.question.within / 100] * len(effects))
        sure = sorted(
            (verdict.measure for verdict in verdicts if verdict.different <= SURE), key=lambda tile: -tile.value
        )
        for word, chosen in (
            ("helps", [tile for tile in sure if tile.value > 0][:MOST]),
            ("hurts", [tile for tile in reversed(sure) if tile.value < 0][:MOST]),
        ):
            for tile in chosen:
                name = tile.name.removesuffix(": effect")
                yield f"{level_name(*where)}: {name} {word}: {with_interval(tile, '+')}"
        taken = sorted((tile for tile in tiles if tile.name.endswith(": taken")), key=lambda tile: tile.value)
        words = [f"{tile.name.removesuffix(': taken')} {percent(tile.value, 0)}" for tile in taken[:MOST]]
        if words:
            yield f"{level_name(*where)}: taken least often are {listed(words)}"


def about_drama(answer: Answer, mix: int) -> Iterator[str]:
    for where in levels(answer, mix):
        changes, trailed, decided = (
            get(answer, mix, where, "drama", name)
            for name in ("lead changes", "winner trailed at half-time", "decided after part of the game")
        )
        yield (
            f"{level_name(*where)}: {with_interval(changes)} lead changes; the winner trailed at half-time in "
            f"{with_interval(trailed)}, leads for good after {with_interval(decided)} of the game"
        )


def about_choices(answer: Answer, mix: int) -> Iterator[str]:
    for where in levels(answer, mix):
        choices, equal, clear = (
            get(answer, mix, where, "choices", name)
            for name in ("choices a decision", "nearly equal to the best", "decisions with one best choice")
        )
        yield (
            f"{level_name(*where)}: {choices.value:.1f} choices a decision, {with_interval(equal)} as good as "
            f"the best; only one in {with_interval(clear)}"
        )


def about_skill(answer: Answer, mix: int) -> Iterator[str]:
    """Luck against skill: how often the better bot wins, and what a larger search brings."""
    found = measures_of(answer, mix, FIELD, group="skill")
    for measure in found:
        if measure.unit == SHARE:
            yield f"the stronger bot of the field is ahead in {with_interval(measure)} of the games"
    parts = [
        f"{measure.name.removeprefix('margin explained by ')} {percent(measure.value, 0)}"
        for measure in found
        if measure.unit == EFFECT
    ]
    if parts:
        yield f"the variation of its margin comes from {listed(parts)}"
    for measure in measures_of(answer, mix, LADDER):
        strong, weak = measure.name.split(" ahead of ")
        yield f"{strong} is ahead of {weak} in {with_interval(measure)} of the games"


def about_habits(answer: Answer, mix: int) -> Iterator[str]:
    """What it costs never to build a kind of building, and to like one too much."""
    for measure in sorted(measures_of(answer, mix, HABITS), key=lambda measure: -measure.value):
        habit = habit_of(measure.name.split(" ahead of ")[1])
        if answer.seats == 2:
            yield f"a player who {habit} loses {between(measure)} of the games"
        else:  # copies of both play: who is behind need not be last, nor who is ahead first
            yield f"a player who {habit} is behind the free one in {between(measure)} of all cases"


def about_matrix(answer: Answer, mix: int) -> Iterator[str]:
    """Which strategies beat which, in a line: who beats most, and whom nobody is seen to beat."""
    found = measures_of(answer, mix, MATRIX)
    verdicts = judge([advantage(measure, 2) for measure in found], [answer.question.within / 100] * len(found))
    beats: dict[str, set[str]] = {}
    for measure, verdict in zip(found, verdicts):
        pair = measure.name.split(" ahead of ")
        for name in pair:
            beats.setdefault(name, set())
        if verdict.different <= SURE:
            winner, loser = pair if measure.value > 0.5 else reversed(pair)
            beats[winner].add(loser)
    if beats and not any(beats.values()):
        yield f"none of {len(beats)} strategies is seen to beat another, more games would tell"
    elif beats:
        best = max(beats, key=lambda name: len(beats[name]))
        unbeaten = [habit_of(name) for name in beats if not any(name in losers for losers in beats.values())]
        yield f"of {len(beats)} strategies the one that {habit_of(best)} beats {len(beats[best])}"
        yield (
            f"not seen to be beaten: who {listed(unbeaten)}" if unbeaten else "every strategy is beaten by another"
        )


TOPICS: dict[str, tuple[str, About]] = {
    "seats": ("seats", about_seats),
    "points": ("points", about_points),
    "buildings": ("buildings", about_kinds),
    "effects": ("one building more, in place of an average one (percentage points of winning)", about_effects),
    "tiles": ("tiles (percentage points of winning, in place of an average one of the round)", about_tiles),
    "drama": ("drama", about_drama),
    "choices": ("choices", about_choices),
    "skill": ("luck and skill", about_skill),
    "habits": ("habits, against a player who is free", about_habits),
    "strategies": ("strategies against each other", about_matrix),
}


# -- changes -----------------------------------------------------------------------------------------------


def about_changes(answer: Answer, mix: int) -> Iterator[Line | str]:
    """How a mix differs from the first one."""
    family = [item for item in answer.comparisons[mix] if item.new.measure.group not in TILES]
    words = [item.verdict.word for item in family]
    yield (
        f"{len(family)} measures: {words.count(DIFFERENT)} differ, {words.count(SMALL)} differ by less than "
        f"matters, {words.count(EQUIVALENT)} are equivalent (tested), {words.count(OPEN)} are open"
    )
    if not {DIFFERENT, OPEN} & set(words):
        yield "the mixes are equivalent in every measure, at every level of play"
        return
    by_name: dict[tuple[str, str], list[Comparison]] = {}
    for item in family:
        if item.verdict.word == DIFFERENT:
            by_name.setdefault((item.new.measure.group, item.new.measure.name), []).append(item)
    order = sorted(by_name.values(), key=lambda items: -max(abs(item.change.value) / item.bound for item in items))
    for items in order[:MOST_CHANGES]:
        yield Line(f"{change_name(items[0])}: {', '.join(map(change_text, items))}", below=True)
    if len(order) > MOST_CHANGES:
        yield Line(f"and {len(order) - MOST_CHANGES} more, see comparisons.csv", below=True)
    seats = [item for item in family if item.new.measure.group == "seats" and item.new.measure.unit == SHARE]
    if seats and all(item.verdict.word in (EQUIVALENT, SMALL) for item in seats):
        yield (
            f"the seats' shares of the wins stay within {answer.question.within:g} percentage points, at every "
            "level of play (tested)"
        )


def change_name(item: Comparison) -> str:
    measure = item.new.measure
    return f"effect of one {measure.name} more" if measure.group == "effects" else measure.name


def change_text(item: Comparison) -> str:
    unit = " pp" if item.change.unit == EFFECT else ""
    where = level_name(item.new.part, item.new.level) if item.new.part in (LEVEL, FIELD) else item.new.part
    return f"{where} {with_interval(item.change, '+')}{unit}"
