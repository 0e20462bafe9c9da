"""What the games of a run say about its bots: ratings, comparisons, sequential tests."""
