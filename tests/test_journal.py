"""The journal: what was appended survives whatever happens to the end of the file."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.full_disk import FailingDisk, FullDisk
from helpers.sizes import lengthened
from qpolis.clock import BINS
from qpolis.engine.results import COLUMNS, Results, join
from qpolis.errors import QpolisError
from qpolis.tourney import journal
from qpolis.tourney.chunk import MARK, MARK_AT, decode, encode, hash_games
from qpolis.tourney.journal import DAMAGED, TORN, ZEROED, Journal, Record, find_damages, pieces, records

DIGEST = "0123456789abcdef" * 4


def part(text: str, size: int = 0) -> bytes:
    """Content like that of a chunk: its mark where all have it."""
    return b"\0" * MARK_AT + MARK + text.encode().ljust(size, b".")


PARTS = [part("first"), part("second, longer"), part("third")]


def contents(path):
    return list(records(path))


def ends_of(path):
    return [len(journal.heading(DIGEST)), *(piece.end for piece in pieces(path) if isinstance(piece, Record))]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.bin"


def written(path, *parts):
    book = Journal(path, DIGEST)
    for content in parts:
        book.append(content)
    book.close()
    return path


def reopened(path):
    """What is taken out when the run goes on, as (kind, size, bytes that are kept); one more record is added."""
    book = Journal(path, DIGEST)
    mended = [(damage.kind, damage.size, copy.read_bytes()) for damage, copy in book.mended]
    for _, copy in book.mended:
        copy.unlink()
    book.append(part("new"))
    book.close()
    assert find_damages(path) == []
    return mended


def test_records_come_back_in_order(path):
    parts = [part(""), part("a"), part("b", 100_000)]
    written(path, *parts[:2])
    written(path, parts[2])
    assert contents(path) == parts
    assert find_damages(path) == []


def test_every_chunk_has_its_mark():
    for seed in range(20):
        assert encode(random_chunk(seed, 3, 2))[MARK_AT:].startswith(MARK)


def test_a_file_cut_anywhere_keeps_all_whole_records_and_goes_on(path):
    whole = written(path, *PARTS).read_bytes()
    ends = ends_of(path)
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = sum(end <= cut for end in ends[1:])
        torn = cut - max([end for end in ends if end <= cut], default=cut)
        rest = [(TORN if whole[cut - torn : cut].strip(b"\0") else ZEROED, torn, whole[cut - torn : cut])]
        assert reopened(path) == (rest if torn else [])
        assert contents(path) == [*PARTS[:kept], part("new")]


def test_whole_records_behind_a_damaged_one_are_kept(path):
    whole = bytearray(written(path, *PARTS).read_bytes())
    ends = ends_of(path)
    for place in range(ends[0], len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        hit = sum(end <= place for end in ends[1:])
        left = [content for number, content in enumerate(PARTS) if number != hit]
        assert contents(path) == left
        kind = DAMAGED if hit < 2 else TORN
        size = ends[hit + 1] - ends[hit]
        assert reopened(path) == [(kind, size, bytes(damaged[ends[hit] : ends[hit + 1]]))]
        assert contents(path) == [*left, part("new")]


@pytest.mark.parametrize("zeros", [1, 7, 8, 9, 512, 5000])
def test_a_zeroed_tail_is_no_record(path, zeros):
    written(path, *PARTS)
    with open(path, "ab") as file:
        file.write(bytes(zeros))
    assert contents(path) == PARTS
    assert reopened(path) == [(ZEROED, zeros, bytes(zeros))]
    assert contents(path) == [*PARTS, part("new")]


def test_garbage_at_the_end_is_cut_off_and_kept(path):
    written(path, PARTS[0])
    with open(path, "ab") as file:
        file.write(b"\xff" * 1000)
    assert reopened(path) == [(TORN, 1000, b"\xff" * 1000)]
    assert contents(path) == [PARTS[0], part("new")]


def test_copies_of_what_was_cut_do_not_replace_each_other(path):
    written(path, PARTS[0])
    for text in (b"one", b"two"):
        with open(path, "ab") as file:
            file.write(text)
        Journal(path, DIGEST).close()
    assert sorted(copy.read_bytes() for copy in path.parent.glob("journal-cut-*")) == [b"one", b"two"]


def test_a_journal_whose_heading_never_reached_the_disk_is_begun_again(path):
    start = journal.heading(DIGEST)
    for kept in range(len(start)):
        for zeros in (0, len(start) - kept, 600):
            path.write_bytes(start[:kept] + bytes(zeros))
            assert contents(written(path, PARTS[0])) == PARTS[:1]
            path.unlink()


def test_the_journal_of_another_plan_is_refused(path):
    written(path, PARTS[0])
    with pytest.raises(QpolisError, match="belongs to another plan"):
        Journal(path, DIGEST[::-1])
    path.write_bytes(b"something else entirely, and long enough to be a journal" * 10)
    with pytest.raises(QpolisError, match="not a journal"):
        Journal(path, DIGEST)


# -- disks that fail -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", range(0, 40))
def test_a_full_disk_leaves_the_journal_as_it_was(path, room):
    book = Journal(path, DIGEST)
    book.append(PARTS[0])
    book._file = FullDisk(book._file, room)
    if room < 8 + len(PARTS[1]):
        with pytest.raises(QpolisError, match="cannot be written: No space left"):
            book.append(PARTS[1])
        book._file = book._file.file
        assert contents(path) == PARTS[:1]
        assert find_damages(path) == []
        book.append(PARTS[2])  # there is room again
        assert contents(path) == [PARTS[0], PARTS[2]]
    else:
        book.append(PARTS[1])
        assert contents(path) == PARTS[:2]
    book.close()


@pytest.mark.parametrize("call", ["write", "fsync", "truncate"])
@pytest.mark.parametrize("at", range(4))
def test_a_disk_that_fails_at_any_step_costs_no_finished_record(path, monkeypatch, call, at):
    """The first failing step ends the run; what was finished before is there when it goes on."""
    finished = []
    failing = FailingDisk(monkeypatch, call, at)
    with failing, contextlib.suppress(QpolisError), contextlib.closing(Journal(path, DIGEST)) as book:
        for content in PARTS:
            book.append(content)
            finished.append(content)
    reopened(path)
    assert contents(path)[: len(finished)] == finished
    assert contents(path)[-1] == part("new")


SECTOR = 512


@pytest.mark.long
@pytest.mark.parametrize("seed", range(lengthened(100)))
def test_a_power_cut_costs_at_most_the_record_that_was_not_synced(path, seed):
    """Of the sectors of the last record any may have reached the disk, in any order; the others are zeros."""
    rng = np.random.default_rng(seed)
    synced = [part(f"record {number}", int(rng.integers(0, 2000))) for number in range(rng.integers(0, 4))]
    last = part("last", int(rng.integers(0, 4000)))
    before = written(path, *synced).stat().st_size
    whole = bytearray(written(path, last).read_bytes())
    whole = whole[: rng.integers(before, len(whole) + 1)] if rng.random() < 0.5 else whole
    complete = len(whole) == path.stat().st_size
    for start in range(before - before % SECTOR, len(whole), SECTOR):
        if rng.random() < 0.5:
            lost = slice(max(start, before), min(start + SECTOR, len(whole)))
            complete &= not any(whole[lost])
            whole[lost] = bytes(lost.stop - lost.start)
    path.write_bytes(whole)
    reopened(path)
    assert contents(path) == [*synced, *([last] if complete else []), part("new")]


# -- chunks --------------------------------------------------------------------------------------------------


def random_chunk(seed, games, seats, bots=3):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 6, games)
    tables = {name: rng.integers(-5, 100, (games, seats)) for name in ("points", "ranks", "decisions", "ends")}
    return Results(
        numbers=rng.permutation(games),
        **tables,
        lengths=lengths,
        hashes=rng.integers(0, 2**64, games, np.uint64),
        actions=rng.integers(0, 2**31, lengths.sum()),
        times=rng.integers(0, 2**40, (bots, BINS)),
        seconds=rng.random(),
        reasons={(3, 1): 'it said "no" — ☃'} if games else {},
    )


def equal(one, two):
    arrays = all(np.array_equal(getattr(one, name), getattr(two, name)) for name in (*COLUMNS, "actions", "times"))
    return arrays and (one.reasons, one.seconds) == (two.reasons, two.seconds)


@given(st.integers(0, 2**32), st.integers(0, 20), st.integers(2, 4))
def test_a_chunk_comes_back_from_its_bytes(seed, games, seats):
    chunk = random_chunk(seed, games, seats)
    assert equal(decode(encode(chunk)), chunk)
    assert equal(decode(encode(chunk), moves=False), chunk.without_actions())


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_games_can_be_picked_and_sorted(seed, games):
    chunk = random_chunk(seed, games, 2)
    chosen = np.random.default_rng(seed).random(games) < 0.5
    part = chunk.only(chosen)
    for row, old in enumerate(np.flatnonzero(chosen)):
        assert part.numbers[row] == chunk.numbers[old]
        assert part.actions_of(row).tolist() == chunk.actions_of(old).tolist()
    assert chunk.in_plan_order().numbers.tolist() == sorted(chunk.numbers.tolist())
    both = join([part, chunk.only(~chosen)])
    assert sorted(both.numbers.tolist()) == list(range(games))
    assert len(both.actions) == len(chunk.actions)


@pytest.mark.core
def test_hashes_notice_every_change():
    deals, lengths = np.array([0, 1, 2]), np.array([2, 0, 3])
    actions = np.array([5, 6, 0, 1, 2], np.int32)
    points, ranks = np.array([[1, 2], [3, 4], [-5, 6]]), np.array([[1, 0], [1, 0], [1, 0]])

    def hashes():
        found = np.zeros(3, np.uint64)
        hash_games(deals, lengths, actions, points, ranks, found)
        return found.tolist()

    before = hashes()
    assert len(set(before)) == 3
    for table, place, row in (
        (actions, 1, 0),
        (actions, 2, 2),
        (points, (1, 1), 1),
        (ranks, (2, 0), 2),
        (deals, 1, 1),
    ):
        table[place] += 1
        assert [now != then for now, then in zip(hashes(), before)] == [number == row for number in range(3)]
        table[place] -= 1
