"""The README names only what exists: commands, options, files; and it names every module of the two libraries."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from sudoku_ncm.cli import COMMANDS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
CALLS = [call for call in re.findall(r"sudoku-ncm +(\w[^\n`#|]*)", TEXT) if call.split()[0] in COMMANDS]
TREE = TEXT[TEXT.index("## Where things are") :]


def options(name):
    return {option for p in import_module(f"sudoku_ncm.commands.{name}").command.params for option in p.opts}


@pytest.mark.parametrize("call", sorted(set(CALLS)))
def test_every_option_of_a_command_in_the_readme_exists(call):
    name, *words = call.split()
    used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert used <= options(name)


def test_the_readme_uses_most_commands():
    assert len({call.split()[0] for call in CALLS}) >= len(COMMANDS) - 1


@pytest.mark.parametrize("room", ["checker", "sudoku_ncm"])
def test_the_file_tree_names_every_module(room):
    modules = {path.name for path in (ROOT / room).glob("*.py")} - {"__init__.py", "__main__.py", "errors.py"}
    assert modules - set(re.findall(r"\w+\.py", TREE)) == set()


def test_every_file_the_readme_names_is_there():
    listed = set(re.findall(r"\w+\.py", TREE))
    here = {path.name for room in ("checker", "sudoku_ncm") for path in (ROOT / room).glob("*.py")}
    assert listed - here == set()
    for path in re.findall(r"\((docs/[^)]+)\)|(puzzles/\w+\.txt)", TEXT):
        assert (ROOT / "".join(path)).is_file()
