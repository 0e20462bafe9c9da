"""What players have learned: networks in files, and which of them fits a game."""
