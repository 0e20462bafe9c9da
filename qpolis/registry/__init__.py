"""What names stand for: bots by their specs, wherever they live."""
