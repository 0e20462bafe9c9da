"""What holds for all adapters to other libraries: they cost nothing where they are not used."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARIES = ("pettingzoo", "gymnasium", "pyspiel", "open_spiel")
PAGE = Path(__file__).parent.parent / "docs" / "adapters.md"


def said_by(code):
    """What a process of its own prints, without a warning."""
    done = subprocess.run([sys.executable, "-Werror", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_nothing_is_imported_that_is_not_used():
    code = "import sys, qpolis; qpolis.load_game('quadropolis'); print(*sys.modules)"
    assert not set(LIBRARIES) & set(said_by(code).split())


@pytest.mark.parametrize(
    ("missing", "use", "extra"),
    [
        ("pettingzoo", "import qpolis; qpolis.env('quadropolis')", "pettingzoo"),
        ("gymnasium", "import qpolis.environments.gymnasium_env", "gymnasium"),
        ("pyspiel", "import qpolis.environments.openspiel_games", "openspiel"),
    ],
)
def test_a_library_that_is_missing_is_one_line(missing, use, extra):
    code = f"""
import sys
from qpolis import QpolisError
sys.modules[{missing!r}] = None  # as if it were not installed
try:
    {use}
except QpolisError as error:
    print(error)
"""
    assert said_by(code) == f"{missing} is not installed: pip install 'qpolis[{extra}]'\n"


def test_what_the_page_shows_runs(tmp_path):
    """All blocks of Python on the page, one after the other, and what they say they print."""
    for library in LIBRARIES:
        pytest.importorskip(library)
    shown = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(shown) >= 4
    code = "\n".join(shown)
    printed = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == printed
