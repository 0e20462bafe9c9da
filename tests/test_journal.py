"""The journal: what was appended survives whatever happens to the end of the file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.full_disk import FullDisk
from qpolis.clock import BINS
from qpolis.engine.results import COLUMNS, Results, join
from qpolis.errors import QpolisError
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode, encode, hash_games
from qpolis.tourney.journal import Journal, records, torn_bytes

DIGEST = "0123456789abcdef" * 4


def contents(path):
    return [content for _, content in records(path)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.bin"


def written(path, *parts):
    book = Journal(path, DIGEST)
    for part in parts:
        book.append(part)
    book.close()
    return path


def test_records_come_back_in_order(path):
    parts = [b"", b"a", b"b" * 100_000]
    written(path, *parts[:2])
    written(path, parts[2])
    assert contents(path) == parts
    assert torn_bytes(path) == 0


def test_a_file_cut_anywhere_keeps_all_whole_records_and_goes_on(path):
    parts = [b"first", b"second, longer", b"third"]
    whole = written(path, *parts).read_bytes()
    ends = [len(journal.heading(DIGEST)), *(end for end, _ in records(path))]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = sum(end <= cut for end in ends[1:])
        book = Journal(path, DIGEST)
        assert book.torn == max(0, cut - max([end for end in ends if end <= cut], default=cut))
        book.append(b"new")
        book.close()
        assert contents(path) == [*parts[:kept], b"new"]


def test_a_damaged_record_ends_the_journal(path):
    parts = [b"first", b"second", b"third"]
    whole = bytearray(written(path, *parts).read_bytes())
    ends = [len(journal.heading(DIGEST)), *(end for end, _ in records(path))]
    for place in range(ends[0], len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        path.write_bytes(damaged)
        assert contents(path) == parts[: sum(end <= place for end in ends[1:])]


def test_garbage_at_the_end_is_cut_off(path):
    written(path, b"first")
    with open(path, "ab") as file:
        file.write(b"\xff" * 1000)
    assert contents(written(path, b"second")) == [b"first", b"second"]


def test_the_journal_of_another_plan_is_refused(path):
    written(path, b"first")
    with pytest.raises(QpolisError, match="belongs to another plan"):
        Journal(path, DIGEST[::-1])
    path.write_bytes(b"something else entirely, and long enough to be a journal" * 10)
    with pytest.raises(QpolisError, match="not a journal"):
        Journal(path, DIGEST)


@pytest.mark.parametrize("room", range(0, 30))
def test_a_full_disk_leaves_the_journal_as_it_was(path, room):
    book = Journal(path, DIGEST)
    book.append(b"first")
    book._file = FullDisk(book._file, room)
    if room < 8 + 10:
        with pytest.raises(QpolisError, match="cannot be written: No space left"):
            book.append(b"0123456789")
        book._file = book._file.file
        assert contents(path) == [b"first"]
        assert torn_bytes(path) == 0
        book.append(b"second")  # there is room again
        assert contents(path) == [b"first", b"second"]
    else:
        book.append(b"0123456789")
        assert contents(path) == [b"first", b"0123456789"]
    book.close()


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
