"""The bots that ship, one file each."""
