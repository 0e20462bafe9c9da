# Everything from a fresh checkout: `make run` plays, `make test` tests. Both build .venv when it is missing or old.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help run test lint tourney others tests slowly interpreted checked test-lowest golden bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

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

# The oldest versions of what qpolis imports that pyproject.toml allows. uv, unlike pip, can choose them. What they
# import in turn is new, which the oldest matplotlib cannot bear of pyparsing without warnings.
LOWEST := .venv-lowest
$(LOWEST)/.ready: pyproject.toml
	@echo "setting up $(LOWEST) with the oldest versions that are allowed ..."
	@rm -rf $(LOWEST) && $(PYTHON) -m venv $(LOWEST)
	@$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	@$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --compile-bytecode \
	  --requirements pyproject.toml --extra dev 'pyparsing==3.2.*'
	@$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --no-deps --editable .
	@touch $@

test-lowest: $(LOWEST)/.ready ## run the core tests with the oldest dependencies that are allowed
	@$(LOWEST)/bin/python -m pytest -m core
	@$(LOWEST)/bin/python -m pytest tests/test_cli.py tests/test_kernel_cache.py \
	  tests/test_plots.py tests/test_process.py tests/test_ray.py tests/test_serve.py tests/test_tourney.py tests/test_verify.py

golden: $(READY) ## write the golden playthroughs anew (after a change of behaviour on purpose)
	@$(BIN)/python tests/write_golden.py

bench: $(READY) ## measure the speed of the engine
	@$(BIN)/qpolis bench

clean: ## remove what can be made again
	@rm -rf .venv .venv-lowest .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
