# Everything from a fresh checkout: `make run` plays, `make test` tests. Both build .venv when it is missing or old.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help run test lint tourney others tests slowly interpreted checked golden bench clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "qpolis needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "setting up .venv (about a minute) ..."
	@rm -rf .venv && $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

run: $(READY) ## set up and run the main job: a tournament of a few minutes between the bots that ship
	@$(BIN)/qpolis tourney tournaments/quick.toml

test: $(READY) ## set up and run all tests
	@$(MAKE) --no-print-directory -j 3 lint tests slowly

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary

tourney: $(READY)
	@folder=$$(mktemp -d) && $(BIN)/qpolis tourney --bots mcts:sims=10,heuristic --games 2 --quiet --out $$folder/run \
	  && $(BIN)/qpolis play --bots mcts:sims=10,bots/tidy.py > /dev/null \
	  && $(BIN)/qpolis balance --bots greedy --games 8 --quiet --out $$folder/balance; \
	  code=$$?; rm -rf $$folder; exit $$code

others: $(READY)
	@folder=$$(mktemp -d); code=0; for game in arkadia quadrilatere; do \
	  $(BIN)/qpolis tourney --game $$game --bots mcts:sims=10,greedy --games 2 --quiet --out $$folder/$$game \
	  || code=2; done; rm -rf $$folder; exit $$code

tests: $(READY) tourney others  # which compile the kernels, once for all
	@$(BIN)/python -m pytest --numprocesses 2 -rs

slowly: $(READY)
	@$(MAKE) --no-print-directory interpreted
	@$(MAKE) --no-print-directory checked

interpreted: $(READY)
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m core

checked: $(READY)
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m core

golden: $(READY) ## write the golden games and signatures anew (after a change of behaviour on purpose)
	@$(BIN)/python tests/write_golden.py

bench: $(READY) ## measure the speed of the engine
	@$(BIN)/qpolis bench

clean: ## remove what can be made again
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
