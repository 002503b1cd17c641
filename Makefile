PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check clean

demo: .venv/ready  ## set up and solve a shipped puzzle
	$(BIN)/sudoku-ncm solve puzzles/one.txt

test: .venv/dev  ## set up and run the tests
	$(BIN)/python -m pytest

check: .venv/dev  ## linter, formatter, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/dev: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf .venv build *.egg-info
