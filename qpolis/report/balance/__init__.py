"""Reports about mixes: tables, words and plots."""
