"""Checks that any game must pass; used by the tests and by users who write games."""
