"""Fixtures of all tests, and fixed hypothesis settings: no flakes, no deadline."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import HealthCheck, settings

from helpers.programs import left_over
from helpers.sizes import VARIANTS
from qpolis.tourney import schema

settings.register_profile(
    "fixed", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


@pytest.fixture(params=VARIANTS, ids=lambda variant: f"{variant[0]}-{variant[1]}")
def variant(request: pytest.FixtureRequest) -> tuple[str, int]:
    """A mode and a number of players of Quadropolis."""
    return request.param


@pytest.fixture
def mark(monkeypatch):
    """Marks the processes of a test, also those in a sandbox, where only variables of numba are passed on; none of
    them may be left after it."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("NUMBA_TEST_MARK", mark)
    yield mark
    assert not left_over(mark)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def browser():
    """Chromium; a test that needs it is skipped, or fails if it is required, when there is none."""
    from helpers.browser import started

    with started() as browser:
        yield browser


@pytest.fixture(scope="session")
def small_game(tmp_path_factory):
    """The path of the small game that `qpolis new-game` writes, in a form that no other test has."""
    from helpers.plugin_games import village

    return village(tmp_path_factory.mktemp("games") / "village.py")


@pytest.fixture(scope="session")
def cup(tmp_path_factory):
    """The folder of a run of three bots that nobody disturbed. Copy it to change something."""
    from helpers.tourneys import play_cup

    return play_cup(tmp_path_factory.mktemp("runs") / "cup")


@pytest.fixture(scope="session", autouse=True)
def drawn_seed():
    """Runs that are given no seed have the same one in all tests, so that no result depends on chance; commands in
    processes of their own draw theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "draw_seed", lambda: 0)
        yield
