# Everything from a fresh checkout: `make run` plays, `make test` tests. Both build .venv when it is missing or old.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-deep lint javascript kernels tests long slowly interpreted checked test-lowest golden rules reference notebook bench attack clean

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
	@$(BIN)/qpolis tourney quick

test: $(READY) ## set up and run what a change must not break: linters and tests
	@$(MAKE) --no-print-directory -j 2 lint tests

test-all: test ## `make test`, and then lengthy tests, and core ones interpreted and with checked indexes
	@$(MAKE) --no-print-directory test-deep

test-deep: $(READY)
	@$(MAKE) --no-print-directory -j 2 long slowly

lint: $(READY) javascript
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo 'not formatted: run ruff format'; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/lint-imports --no-cache --no-logo) || { echo "$$said"; exit 1; }

# The linter comes from npm, in the version that package.json names. Without npm the JavaScript is not checked, unless
# QPOLIS_JAVASCRIPT_LINT=required.
javascript:
	@if command -v npm > /dev/null; then \
	  if [ ! node_modules/.ready -nt package.json ]; then \
	    npm install --silent --no-package-lock --no-audit --no-fund && touch node_modules/.ready || exit 1; \
	  fi; \
	  said=$$(node_modules/.bin/biome lint --error-on-warnings 2>&1) || { echo "$$said"; exit 1; }; \
	elif [ "$$QPOLIS_JAVASCRIPT_LINT" = required ]; then \
	  echo "the linter for JavaScript needs npm" >&2; exit 1; \
	else \
	  echo "npm is missing: the JavaScript is not checked"; \
	fi

# Tests start hundreds of processes, so bytecode is kept, even in a shell that says otherwise.
kernels tests interpreted long checked: export PYTHONDONTWRITEBYTECODE =

# Tests run in several processes that would compile the same: most kernels are compiled before, once for all.
kernels: $(READY)
	@folder=$$(mktemp -d); printf '%s\n' quadropolis arkadia quadrilatere | xargs -P 2 -I GAME \
	  $(BIN)/qpolis tourney --game GAME --bots mcts:sims=10,heuristic,greedy,random --games 12 --workers 1 --quiet \
	  --out $$folder/GAME; code=$$?; rm -rf $$folder; exit $$code

tests: kernels
	@$(BIN)/python -m pytest --numprocesses 3 --dist worksteal -rs  # some tests wait more than they compute

interpreted: $(READY)
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m core

slowly: $(READY)
	@$(MAKE) --no-print-directory interpreted
	@$(MAKE) --no-print-directory checked

long: $(READY)
	@QPOLIS_TEST_LENGTH=3 $(BIN)/python -m pytest -m long --numprocesses 2 --dist worksteal

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

golden: $(READY) ## write the golden games and signatures anew (after a change of behaviour on purpose)
	@$(BIN)/python tests/write_golden.py

rules: $(READY) ## write the tables and pictures of docs/rules anew
	@cd docs/rules && $(CURDIR)/$(BIN)/python -m making.write

reference: $(READY) ## write docs/api.md anew, from docstrings
	@$(BIN)/python docs/write_api.py

notebook: $(READY) ## run the notebook that ships, and keep what it shows
	@$(BIN)/python docs/run_notebook.py

bench: $(READY) ## measure the speed of the engine
	@$(BIN)/qpolis bench

attack: $(READY) ## attack qpolis by kills and damage, and write the table of docs/security.md
	@$(BIN)/python -m benchmarks.attack --write docs/security.md

clean: ## remove what can be made again
	@rm -rf .venv .venv-lowest node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
