"""The command line: one file a group of commands; nothing heavy is imported before it is needed."""
