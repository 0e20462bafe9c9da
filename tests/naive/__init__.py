"""Slow, obviously right twins of the fast algorithms, written from the rules and from nothing else."""
