"""Attack qpolis, and say in a table what came of it.

python -m benchmarks.attack [--only kills,journal] [--scale 0.01] [--seed 1] [--write docs/security.md]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.attack.journal_mutations import attack_journal
from benchmarks.attack.kills import attack_by_kills
from benchmarks.attack.outcome import Outcome, Setting

ATTACKS: dict[str, Callable[[Setting], Iterator[Outcome]]] = {
    "kills": attack_by_kills,
    "journal": attack_journal,
}
START, END = "<!-- attack table -->", "<!-- end -->"


def table(rows: list[Outcome]) -> str:
    lines = ["| Attack | Tries | Result | |", "|---|---:|---|---|"]
    for row in rows:
        verdict = "held" if row.passed else "**broken**"
        lines.append(f"| {row.attack} | {row.tries:,} | {row.result.replace('|', '/')} | {verdict} |")
    return "\n".join(lines)


def write_table(path: Path, text: str) -> None:
    """Put the table between its marks; a page without them gets them at its end."""
    page = path.read_text() if path.exists() else "# Security\n"
    if START not in page:
        page += f"\n{START}\n{END}\n"
    before, rest = page.split(START, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{START}\n{text}\n{END}{after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(ATTACKS), help=f"some of {', '.join(ATTACKS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the full numbers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := set(names) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(sorted(unknown))} (there are {', '.join(ATTACKS)})")
    rows: list[Outcome] = []
    for name in names:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="qpolis-attack-") as folder:
            for row in ATTACKS[name](Setting(Path(folder), given.scale, given.seed)):
                rows.append(row)
                print(f"{name}: {row.attack}: {row.result}", file=sys.stderr, flush=True)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    text = table(rows)
    print(text)
    if given.write:
        write_table(given.write, text)
    sys.exit(not all(row.passed for row in rows))


if __name__ == "__main__":
    main()
