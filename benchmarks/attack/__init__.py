"""Attacks on qpolis from outside, and the table of what came of them. They share the cheats and bad bots of the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
