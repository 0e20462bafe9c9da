"""Tournaments: plan, schedule, match, records, ratings."""
