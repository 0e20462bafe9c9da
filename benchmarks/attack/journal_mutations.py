"""The journal of a real run, damaged as disks do it: nothing whole is lost, nothing is cut without a copy."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.commands import qpolis
from benchmarks.attack.outcome import Outcome, Setting
from qpolis.errors import QpolisError
from qpolis.report.audit import audit
from qpolis.tourney.journal import Damage, Journal, Record, check_heading, heading, pieces
from qpolis.tourney.run import JOURNAL, Run, saved_plan

MUTATIONS = 10_000
SECTOR = 512
AUDITED = 10  # one of so many is also verified and resumed, which takes longer
WORDS = ["tourney", "--bots", "greedy,random", "--games", "4000", "--seed", "7", "--workers", "1", "--quiet"]


def attack_journal(setting: Setting) -> Iterator[Outcome]:
    run, chance = setting.folder / "run", setting.random("journal")
    qpolis([*WORDS, "--out", str(run)], setting.folder).check_returncode()
    whole, digest = (run / JOURNAL).read_bytes(), saved_plan(run).digest
    parts = [whole[start:end] for start, end in spans(run / JOURNAL, digest)]
    total, refused, faults = setting.number(MUTATIONS), 0, Counter[str]()
    for number in setting.tries("journal", total):
        mutated = mutate(chance, whole, parts)
        folder = setting.folder / "mutated"
        folder.mkdir()
        shutil.copy(run / "plan.toml", folder)
        (folder / JOURNAL).write_bytes(mutated)
        try:
            faults.update(problems(folder, digest, mutated, parts, number % AUDITED == 0))
        except QpolisError:
            refused += 1
            if (folder / JOURNAL).read_bytes() != mutated:
                faults["refused, yet written"] += 1
        except Exception as error:
            faults[type(error).__name__] += 1
        shutil.rmtree(folder)
    found = (
        ", ".join(f"{what}: {count}" for what, count in faults.items()) or "no whole record lost, all cuts kept"
    )
    result = f"{found}; {refused:,} refused for their heading, untouched"
    yield Outcome(f"Damaged journals ({len(parts)} records)", number + 1, result, not faults)


def spans(path: Path, digest: str) -> list[tuple[int, int]]:
    """Where the records are."""
    ends = [piece.end for piece in pieces(path) if isinstance(piece, Record)]
    return list(zip([len(heading(digest)), *ends], ends))


def mutate(chance: random.Random, whole: bytes, records: list[bytes]) -> bytes:
    """Some damage, once or several times."""
    content = bytearray(whole)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        place = chance.randrange(len(content) + 1)
        sectors = max(1, len(content) // SECTOR)
        one, two = (slice(at * SECTOR, (at + 1) * SECTOR) for at in (chance.randrange(sectors) for _ in "12"))
        kind = chance.randrange(7)
        if kind == 0 and place < len(content):
            content[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            content[one] = bytes(len(content[one]))
        elif kind == 2 and len(content[one]) == len(content[two]):
            content[one], content[two] = content[two], content[one]
        elif kind == 3:
            del content[place:]
        elif kind == 4:
            content[place:place] = chance.randbytes(chance.randrange(1, 2000))
        elif kind == 5:
            content += chance.choice(records)
        elif kind == 6:
            content[place:] = bytes(len(content) - place)
    return bytes(content)


def problems(folder: Path, digest: str, mutated: bytes, records: list[bytes], deep: bool) -> Iterator[str]:
    """What is wrong with how a damaged journal is treated."""
    path = folder / JOURNAL
    check_heading(path, digest)  # of a journal that is refused nobody reads the records
    damages = [piece for piece in pieces(path) if isinstance(piece, Damage)]
    kept = [piece.content for piece in pieces(path) if isinstance(piece, Record)]
    intact = Counter({record[8:]: mutated.count(record) for record in set(records)})
    if intact - Counter(kept):
        yield "lost a whole record"
    if deep:
        list(audit(folder, 10))
    Journal(path, digest).close()
    copies = sorted(copy.read_bytes() for copy in folder.glob("journal-cut-*"))
    begun_again = len(mutated.rstrip(b"\0")) < len(heading(digest))
    if copies != sorted(mutated[one.start : one.start + one.size] for one in damages) and not begun_again:
        yield "cut without a copy"
    if [piece.content for piece in pieces(path) if isinstance(piece, Record)] != kept:
        yield "lost a record when it was mended"
    if deep:
        with Run.resume(folder, {}) as run:
            list(run.losses())
