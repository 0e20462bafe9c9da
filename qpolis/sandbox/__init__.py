"""Processes of their own for bots that are not ours, behind one door."""
