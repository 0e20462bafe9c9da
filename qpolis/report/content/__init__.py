"""What reports say, before it is drawn or put on a page: outcomes, tables, words, replays."""
