"""Compiled kernels on disk: never stale, safe for processes side by side, and no trouble when damaged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from numba import types
from numba.np.numpy_support import from_dtype

import qpolis
from helpers.toys import Counting
from qpolis.kernel import JIT, KEPT_VERSIONS, PEOPLE, game_sources, kernel, sources
from qpolis.kernel_sources import PACKAGE, Readings, closure, read
from qpolis.policy import policy_type

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")

# Says how many turns a round has (a constant of one file, used by a kernel of another), and whether it compiled.
PROBE = """
import qpolis, qpolis.kernel
compiled = []
qpolis.kernel.on_compile = compiled.append
state = qpolis.load_game("quadropolis").new(1)
turns = 0
while state.to_dict()["round"] == 1:
    turns += state.to_dict()["held"] is None
    state.apply(state.legal()[0])
print(turns, len(compiled))
"""


def start(package: Path, cache: Path) -> subprocess.Popen[str]:
    # Without bytecode: Python itself would take that of a file that was edited in the second in which it was read.
    environment = {**os.environ, "PYTHONPATH": str(package), "QPOLIS_CACHE_DIR": str(cache)}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.Popen(
        [sys.executable, "-c", PROBE],
        env=environment,
        text=True,
        cwd=package,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, bool]:
    """Turns of the round, and whether anything was compiled."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert err == ""
    turns, compiled = out.split()
    return int(turns), compiled != "0"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a copy of the package that a test may edit."""
    source = Path(qpolis.__file__).parent
    shutil.copytree(source, tmp_path / "copy" / "qpolis", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "copy"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of the package, after a first start."""
    cache = tmp_path_factory.mktemp("compiled") / "cache"
    assert finish(start(PACKAGE.parent, cache)) == (8, True)
    return cache


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(compiled, tmp_path / "cache")


def edit(package: Path, name: str, old: str, new: str) -> None:
    """Replace the first `old` in a file of the copy; its time stays, as with some editors."""
    file = package / "qpolis" / name
    before = file.stat()
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_an_edited_kernel_is_in_force_at_once(package, cache):
    assert finish(start(package, cache)) == (8, False)
    turns = ("games/quadropolis/layout.py", "\nTURNS = 4\n", "\nTURNS = 3\n")
    edit(package, *turns)
    assert finish(start(package, cache)) == (6, True)
    edit(package, turns[0], turns[2], turns[1])
    assert finish(start(package, cache)) == (8, False)


def test_what_cannot_matter_compiles_nothing(package, cache):
    """Comments, docstrings and blank lines; other games; what no kernel imports."""
    edit(package, "games/quadropolis/moves.py", '"""The turns', '"""All turns')
    edit(package, "games/quadropolis/moves.py", "@kernel\ndef player(", "# a comment\n\n\n@kernel\ndef player(")
    edit(package, "games/quadropolis/moves.py", '"""The start:', '"""The very start:')
    edit(package, "games/quadropolis/layout.py", "\nTURNS = 4\n", "\nTURNS = 4  # of each\n")
    edit(package, "tourney/run.py", "\nclass ", "\nNEW = 1\n\n\nclass ")
    edit(package, "report/content/replay.py", "\ndef ", "\nNEW = 1\n\n\ndef ")
    edit(package, "games/arkadia/turns.py", "\n@kernel\n", "\nNEW = 1\n\n\n@kernel\n")
    assert finish(start(package, cache)) == (8, False)


def test_old_versions_of_a_kernel_are_dropped(tmp_path):
    """Whatever their number, the last few stay."""
    folder = tmp_path / "mine"
    folder.mkdir()
    environment = {**os.environ, "QPOLIS_CACHE_DIR": str(tmp_path / "cache")}
    for version in range(KEPT_VERSIONS + 2):
        (folder / "bot.py").write_text(
            f"from qpolis.kernel import kernel\n\n\n@kernel\ndef one():\n    return {version}\n\n\nprint(one())\n"
        )
        done = subprocess.run(
            [sys.executable, "bot.py"], cwd=folder, env=environment, text=True, capture_output=True, check=True
        )
        assert done.stdout == f"{version}\n"
    assert len(list((tmp_path / "cache").rglob("*.nbi"))) == KEPT_VERSIONS


def test_the_sources_of_a_kernel_are_what_it_imports():
    def names(*files: str) -> set[str]:
        found = closure([PACKAGE / file for file in files], Readings(None))
        return {path.relative_to(PACKAGE).as_posix() for path in found}

    assert names("games/quadropolis/moves.py") == {
        "games/quadropolis/moves.py",
        "games/quadropolis/layout.py",
        "bits.py",
        "rng.py",
        *names("kernel.py"),
    }
    assert names("kernel.py") == {"announcement.py", "kernel.py", "kernel_linking.py", "kernel_sources.py"}
    for file in names("search/mcts.py", "bots/mcts.py", "engine/policy_loop.py"):
        assert not file.startswith(("report/", "serve/", "cli", "games/", "tourney/run"))


def test_reading_finds_imports_and_leaves_out_texts():
    source = """
    'A docstring.'
    import qpolis.bits, numpy
    from . import one
    if TYPE_CHECKING:
        from qpolis.game import Game
    else:
        from ..two import three
    def f():
        'Another.'
        from qpolis.rng import below
        return below  # a comment
    """
    text = textwrap.dedent(source)
    digest, names = read(text.encode())
    assert names == ["..two.three", ".one", "numpy", "qpolis.bits", "qpolis.rng.below"]
    for old, new, same in (
        ("A docstring", "More", True),
        ("# a comment", "", True),
        ("Another", "More", True),
        ("return below", "return None", False),
    ):
        assert (read(text.replace(old, new).encode())[0] == digest) == same


def test_what_faces_people_has_no_kernels():
    """So that the tests of what may import what hold for all that is compiled."""
    code = compile("def quick(x):\n    return x\n", str(PACKAGE / "report" / "made_up.py"), "exec")
    made: dict[str, Any] = {}
    exec(code, made)
    with pytest.raises(TypeError, match="quick: no kernels in report, which faces people"):
        kernel(made["quick"])


def test_nothing_that_can_have_kernels_imports_what_faces_people():
    words = re.compile(rf"qpolis\.({'|'.join(PEOPLE)})\b")
    imports = {path: " ".join(read(path.read_bytes())[1]) for path in sources(without=PEOPLE)}
    assert "qpolis.engine" in " ".join(imports.values())
    assert [path for path, names in imports.items() if words.search(names)] == []


def test_a_game_counts_for_its_own_types_only():
    ours, theirs = policy_type(qpolis.load_game("quadropolis")), policy_type(Counting())
    digests = [game_sources(kind.signature) for kind in (ours, theirs)]
    assert [len(found) for found in digests] == [1, 1]
    assert digests[0] != digests[1]
    assert game_sources([types.int64]) == []
    record = from_dtype(Counting.state_dtype)
    for sig in (theirs.signature.args, [types.UniTuple(theirs, 4)], [record]):
        assert game_sources(sig) == digests[1]


def test_two_processes_compile_side_by_side(package, tmp_path):
    cache = tmp_path / "cache"
    both = [start(package, cache) for _ in range(2)]
    assert [finish(process) for process in both] == [(8, True), (8, True)]
    assert finish(start(package, cache)) == (8, False)


def test_a_damaged_cache_is_made_anew(package, cache):
    for i, file in enumerate(sorted(cache.rglob("*.nb?"))):
        file.write_bytes((b"", b"garbage", file.read_bytes()[:40])[i % 3])
    assert finish(start(package, cache)) == (8, True)
    assert finish(start(package, cache)) == (8, False)


USER_KERNEL = """
from qpolis.kernel import kernel
from weights import weight

@kernel
def double(x):
    return weight() * x

if __name__ == "__main__":
    print(double(2))
"""
USER_HELPER = """
from qpolis.kernel import kernel

@kernel
def weight():
    return 2
"""


def test_an_edit_beside_a_users_kernel_is_in_force_at_once(package, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(USER_KERNEL)
    environment = {**os.environ, "PYTHONPATH": str(package), "QPOLIS_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> str:
        done = subprocess.run(
            [sys.executable, "bot.py"], cwd=folder, env=environment, text=True, capture_output=True, check=True
        )
        assert done.stderr == ""
        return done.stdout

    (folder / "weights.py").write_text(USER_HELPER)
    assert [run(), run()] == ["4\n", "4\n"]
    (folder / "weights.py").write_text(USER_HELPER.replace("return 2", "return 5"))
    assert run() == "10\n"


def test_without_a_place_to_write_it_still_plays(package, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert finish(start(package, blocked))[0] == 8
