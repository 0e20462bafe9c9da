"""Fixtures of all tests, and fixed hypothesis settings: no flakes, no deadline."""

from __future__ import annotations

import gc
import uuid

import filelock
import pytest
from hypothesis import HealthCheck, settings

from helpers.programs import left_over
from helpers.sizes import LENGTH, VARIANTS, variant_name
from qpolis.report import finish
from qpolis.tourney import estimate, schema


def pytest_collection_modifyitems(config, items):
    """Tests that are `long(only=True)` are left to `make test-all`."""
    if LENGTH > 1:
        return
    later = [item for item in items if any(mark.kwargs.get("only") for mark in item.iter_markers("long"))]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in later]


def pytest_collection_finish():
    """What is there before the first test stays: it is not searched again for what nobody needs any more."""
    gc.collect()
    gc.freeze()


settings.register_profile(
    "fixed", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fixed")


@pytest.fixture(params=VARIANTS, ids=variant_name)
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
def small_game(tmp_path_factory, worker_id):
    """The path of the small game that `qpolis new-game` writes, in a form that no other test has. Processes that
    run tests share the path, because a game at another one is compiled anew."""
    from helpers.plugin_games import SHARED, village

    ours = tmp_path_factory.getbasetemp()
    path = (ours if worker_id == "master" else ours.parent) / "village.py"
    with filelock.FileLock(f"{path}.lock"):
        return str(path) if path.exists() else village(path, name=SHARED)


@pytest.fixture
def unreported(monkeypatch):
    """Runs end with their tables, but without plots and a page, which take much longer than a few games."""
    monkeypatch.setattr(finish, "write_plots", lambda folder, run: {})
    monkeypatch.setattr(finish, "report_page", lambda *given: b"")


@pytest.fixture
def unplayed(monkeypatch):
    """Dry runs play no games to estimate their time."""
    monkeypatch.setattr(estimate, "seconds_per_game", lambda plan: (0.01, 1))


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
