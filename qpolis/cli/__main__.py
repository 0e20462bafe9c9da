"""`python -m qpolis.cli` is `qpolis`."""

from qpolis.cli.main import main

main()
