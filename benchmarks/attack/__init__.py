"""Attacks on qpolis from outside, and the table of what came of them. Cheats and bad bots are those
of the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
