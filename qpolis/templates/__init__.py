"""Files that commands write to start from: real code, which the tests run."""
