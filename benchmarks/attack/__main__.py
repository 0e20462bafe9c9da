"""Attack qpolis, and say in a table what came of it.

python -m benchmarks.attack [--only kills,journal] [--scale 0.01] [--seed 1] [--minutes 30] [--write PAGE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.attack.bad_bots import attack_by_bad_bots
from benchmarks.attack.cheats import attack_by_cheats
from benchmarks.attack.games import attack_by_games
from benchmarks.attack.journal_mutations import attack_journal
from benchmarks.attack.kills import attack_by_kills, attack_workers_by_kills
from benchmarks.attack.outcome import Outcome, Setting

ATTACKS: dict[str, Callable[[Setting], Iterator[Outcome]]] = {
    "kills": attack_by_kills,
    "kills-of-2": attack_workers_by_kills,
    "journal": attack_journal,
    "cheats": attack_by_cheats,
    "bad-bots": attack_by_bad_bots,
    "games": attack_by_games,
}
HEADING = ("| Attack | Tries | Result | | `python -m benchmarks.attack` |", "|---|---:|---|---|---|")
START, END = "<!-- attack table -->", "<!-- end -->"


def line(row: Outcome, made: str) -> str:
    """A row of the table; `made` says how it can be made again."""
    verdict = "held" if row.passed else "**broken**"
    return f"| {row.attack} | {row.tries:,} | {row.result.replace('|', '/')} | {verdict} | `{made}` |"


def write_table(path: Path, lines: list[str], names: list[str]) -> None:
    """Put the lines of these attacks into the table between its marks, in the place of what they said before; a
    page without marks gets them at its end."""
    page = path.read_text() if path.exists() else "# Security\n"
    if START not in page:
        page += f"\n{START}\n{END}\n"
    before, rest = page.split(START, 1)
    old, after = rest.split(END, 1)
    kept = [text for text in old.splitlines() if text.startswith("|") and attack_of(text) not in (None, *names)]
    rows = sorted([*kept, *lines], key=lambda text: list(ATTACKS).index(attack_of(text) or ""))
    text = "\n".join([*HEADING, *rows])
    path.write_text(f"{before}{START}\n{text}\n{END}{after}")


def attack_of(text: str) -> str | None:
    """The attack that a line of the table is of; None if it is none of ours."""
    made = text.rstrip("| ").rpartition("`--only ")[2].split("`")[0].split(" ")[0]
    return made if made in ATTACKS else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(ATTACKS), help=f"some of {', '.join(ATTACKS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full numbers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="that the tries of a row may take")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := set(names) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(sorted(unknown))} (there are {', '.join(ATTACKS)})")
    passed = True
    for name in names:
        begun, lines = time.monotonic(), []
        made = f"--only {name} --seed {given.seed}" + (f" --scale {given.scale:g}" if given.scale != 1 else "")
        made += f" --minutes {given.minutes:g}" if given.minutes < float("inf") else ""
        with tempfile.TemporaryDirectory(prefix="qpolis-attack-") as folder:
            for row in ATTACKS[name](Setting(Path(folder), given.scale, given.seed, given.minutes)):
                passed &= row.passed
                lines.append(line(row, made))
                print(lines[-1], flush=True)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        if given.write:
            write_table(given.write, lines, [name])
    sys.exit(not passed)


if __name__ == "__main__":
    main()
