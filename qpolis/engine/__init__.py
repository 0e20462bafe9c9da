"""What plays games: the compiled match loop and what comes out of it."""
