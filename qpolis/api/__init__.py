"""The Python face of what the commands do: tournaments, matches, balance, runs that were played."""
