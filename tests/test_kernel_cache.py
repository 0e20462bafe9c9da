"""Compiled kernels on disk: never stale, safe for processes side by side, and no trouble when damaged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba import types
from numba.np.numpy_support import from_dtype

import qpolis
from helpers import toys
from helpers.toys import Counting
from qpolis.kernel import JIT, PACKAGE, PEOPLE, kernel, outside_sources, sources
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
    environment = {**os.environ, "PYTHONPATH": str(package), "QPOLIS_CACHE_DIR": str(cache)}
    return subprocess.Popen([sys.executable, "-c", PROBE], env=environment, text=True, cwd=package,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


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


def test_an_edited_kernel_is_in_force_at_once(package, tmp_path):
    cache = tmp_path / "cache"
    assert finish(start(package, cache)) == (8, True)
    for name in ("cli.py", "report/content/replay.py"):  # what faces people has no kernels
        file = package / "qpolis" / name
        file.write_text(file.read_text() + "# another line\n")
    assert finish(start(package, cache)) == (8, False)
    layout = package / "qpolis/games/quadropolis/layout.py"
    before = layout.stat()
    layout.write_text(layout.read_text().replace("\nTURNS = 4\n", "\nTURNS = 3\n"))
    os.utime(layout, ns=(before.st_atime_ns, before.st_mtime_ns))  # an editor that keeps the time fools nobody
    assert finish(start(package, cache)) == (6, True)
    layout.write_text(layout.read_text().replace("\nTURNS = 3\n", "\nTURNS = 4\n"))
    assert finish(start(package, cache)) == (8, False)


def test_what_faces_people_has_no_kernels():
    """The digest of the cache leaves it out, so nothing there can be compiled into one."""
    code = compile("def quick(x):\n    return x\n", str(PACKAGE / "report" / "made_up.py"), "exec")
    made: dict[str, Any] = {}
    exec(code, made)
    with pytest.raises(TypeError, match="quick: no kernels in report, whose sources are not in the digest"):
        kernel(made["quick"])


def test_nothing_that_can_have_kernels_imports_what_faces_people():
    words = re.compile(rf"^\s*(from|import) qpolis\.({'|'.join(PEOPLE)})\b", re.MULTILINE)
    assert [path for path in sources(without=PEOPLE) if words.search(path.read_text(encoding="utf-8"))] == []


def test_a_game_outside_the_package_counts_for_its_own_types_only():
    ours, theirs = policy_type(qpolis.load_game("quadropolis")), policy_type(Counting())
    assert outside_sources(ours.signature) == outside_sources(ours.signature.args) == []
    record = from_dtype(Counting.state_dtype)
    for sig in (theirs.signature, theirs.signature.args, [types.UniTuple(theirs, 4)], [record]):
        assert [path for (_, path), _ in outside_sources(sig)] == [toys.__file__]


def test_two_processes_compile_side_by_side(package, tmp_path):
    cache = tmp_path / "cache"
    both = [start(package, cache) for _ in range(2)]
    assert [finish(process) for process in both] == [(8, True), (8, True)]
    assert finish(start(package, cache)) == (8, False)


def test_a_damaged_cache_is_made_anew(package, tmp_path):
    cache = tmp_path / "cache"
    finish(start(package, cache))
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
        done = subprocess.run([sys.executable, "bot.py"], cwd=folder, env=environment, text=True,
                              capture_output=True, check=True)
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
