"""A bot and a game for qpolis, found by the entry points in pyproject.toml."""
