"""Recorded games as data for others, and games of others as runs."""
