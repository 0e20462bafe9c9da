"""Attacks on qpolis from outside, and the table of what came of them."""
