"""qpolis and other packages as wheels, installed into folders of their own, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
LEFT = shutil.ignore_patterns("__pycache__", "*.egg-info")


def install(source: Path, site: Path) -> Path:
    """Build the package in a folder, from a copy because building leaves traces, and install its wheel into
    `site`; the wheel."""
    copy = site.parent / f"{site.name}-source"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        if (source / name).exists():
            shutil.copy(source / name, copy)
    for package in source.glob("*/__init__.py"):
        shutil.copytree(package.parent, copy / package.parent.name, ignore=LEFT)
    wheels = site.parent / f"{site.name}-wheels"
    _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", wheels, copy)
    (wheel,) = wheels.iterdir()
    _pip("install", "--no-deps", "--no-index", "--target", site, wheel)
    return wheel


def _pip(*arguments: object) -> None:
    done = subprocess.run([*PIP, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"pip {arguments[0]}: {done.stderr}")


def command(folder: Path, sites: list[Path], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of qpolis in a folder, with these folders of packages before all others."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sites))}
    return subprocess.run(
        [sys.executable, "-P", "-m", "qpolis.cli", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
