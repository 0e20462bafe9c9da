"""`qpolis doctor` says what there is on a machine, and what is not."""

from __future__ import annotations

import platform

import pytest

from helpers.command_line import run
from qpolis.sandbox import levels, survey
from qpolis.sandbox.jail import LANDLOCK, NAMESPACES


def test_every_line_is_about_one_thing():
    lines = run("doctor").splitlines()
    starts = ("Python", "cores", "sandbox", "user namespaces", "Landlock", "seccomp", "processor time", "compiled")
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=True)] == [True] * len(starts)
    assert lines[0].startswith(f"Python {platform.python_version()}, numba ")


@pytest.mark.parametrize(
    ("there", "line"),
    [
        ((NAMESPACES, LANDLOCK), "sandbox: namespaces"),
        ((LANDLOCK,), "sandbox: landlock; namespaces is missing: not here"),
        ((), "sandbox: none; namespaces is missing: not here; landlock is missing: not here"),
    ],
)
def test_what_is_missing_for_a_better_level_is_said(monkeypatch, there, line):
    monkeypatch.setattr(levels, "missing", lambda level: "" if level in there else "not here")
    assert survey.sandbox_line() == line


def test_times_that_cannot_be_read_are_said(monkeypatch, tmp_path):
    path = tmp_path / "schedstat"
    monkeypatch.setattr(survey, "TIMES", str(path))
    assert survey.times_line() == f"cannot be read: {path}: No such file or directory"
    path.write_text("1 2 3\n")
    assert survey.times_line() == "can be read"


def test_a_cache_that_cannot_be_written_is_said(monkeypatch):
    monkeypatch.setattr(survey, "kernels_are_kept", lambda: False)
    assert survey.cache_line().endswith("cannot be written, so they are compiled at every start")
