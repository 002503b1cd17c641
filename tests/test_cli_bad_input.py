"""Bad input ends in one line on stderr (where, what was found, what was expected) and the right exit code."""

import json
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from running import ROOT, ncm

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm.commands.common import BUNDLED

PUZZLE = to_line(next(puzzles(1, seed=8, lo=45, hi=50))[0])
OPEN = "." * 81

TEXTS = {
    "an 80-character line": (PUZZLE[:80], 1, "found 80 c", "81 c"),
    "a letter": ("# ours\n" + PUZZLE[:40] + "q" + PUZZLE[41:], 2, "'q'", "a digit 1-9 or a blank"),
    "two 9s in a row": ("9.......9" + OPEN[9:], 1, "row 1: two 9s at r1c1, r1c9", "a puzzle with a solution"),
    "no solution": ("12345678." + "........9" + OPEN[18:], 1, "found no solution", "a puzzle with a solution"),
    "a 16x16 grid": (("1" + "." * 15 + "\n") * 16, 1, "16x16", "9x9"),
    "an empty file": ("", 1, "an empty file", "at least one puzzle"),
    "binary junk": ("\x7fELF\x02\x01\0\0\0\x03junk\n\x01\n", 1, "binary", "text"),
}


def only_line(done, code):
    """The one line on stderr of a process that printed nothing and ended with `code`."""
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), done
    return done.stderr


@pytest.mark.parametrize("name", TEXTS)
def test_a_bad_file_is_refused_with_its_line(tmp_path, name):
    text, line, found, expected = TEXTS[name]
    (tmp_path / "bad.txt").write_text(text)
    message = only_line(ncm("solve", tmp_path / "bad.txt"), 3)
    assert re.match(rf"{tmp_path / 'bad.txt'}:{line}(:\d+)?: found ", message)
    assert found in message
    assert expected in message[message.index("expected") :]


def test_a_bad_argument_and_bad_standard_input_are_named():
    argument, stdin = ncm("solve", PUZZLE[:80]), ncm("solve", "-", stdin=PUZZLE[:80])
    assert re.match(r"argument:1(:\d+)?: found 80 c\w+, expected 81 ", only_line(argument, 3))
    assert re.match(r"stdin:1(:\d+)?: found 80 c\w+, expected 81 ", only_line(stdin, 3))


@pytest.mark.parametrize("command", ["sudoku_ncm solve -", "sudoku_ncm check -", "checker -"])
def test_a_closed_standard_input_is_empty_a_closed_output_an_error_and_nothing_takes_the_place_of_errors(command):
    def run(closing, text=""):
        shell = f"{shlex.quote(sys.executable)} -m {command} {closing}"
        return subprocess.run(
            shell, cwd=ROOT, shell=True, input=text, capture_output=True, encoding="utf-8", check=False
        )

    assert "found an empty file, expected at least one puzzle" in only_line(run("<&-"), 3)
    assert "standard output" in only_line(run(">&-", PUZZLE), 1)
    mute = run("2>&-", PUZZLE[:80])
    assert (mute.returncode, mute.stdout, mute.stderr) == (3, "", "")


def test_a_bad_puzzle_does_not_keep_the_good_ones_from_being_solved(tmp_path):
    (tmp_path / "mixed.txt").write_text(f"{PUZZLE}\n{PUZZLE[:-1]}\n{PUZZLE}\n")
    done = ncm("solve", tmp_path / "mixed.txt", "--format", "line")
    assert (done.returncode, len(done.stdout.split())) == (3, 2)
    assert re.search(rf"{tmp_path / 'mixed.txt'}:2(:\d+)?: found 80 c", done.stderr)


@pytest.mark.parametrize("command", ["solve", "check", "eval"])
def test_a_missing_file_and_a_directory_are_usage_errors(command, tmp_path):
    missing, folder = (only_line(ncm(command, path), 2) for path in (tmp_path / "none.txt", tmp_path))
    assert missing.startswith(f"sudoku-ncm: {tmp_path / 'none.txt'}: found no ")
    assert folder.startswith(f"sudoku-ncm: {tmp_path}: found ")
    assert "directory" in folder
    assert all(", expected a puzzle file" in message for message in (missing, folder))


MODELS = {
    "missing": (lambda path: shutil.rmtree(path), "", "found no model directory, expected one with config.json"),
    "without weights": (lambda path: (path / "model.safetensors").unlink(), "/model.safetensors", "found no such file"),
    "of another shape": (lambda path: change_config(path, channels=72), "/model.safetensors", "by config.json"),
    "of another policy": (
        lambda path: change_config(path, attention="full"),
        "/config.json",
        '"full" is not supported',
    ),
}


def change_config(path, **values):
    config = json.loads((path / "config.json").read_text()) | values
    (path / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_cannot_serve_is_exit_code_four(tmp_path, name):
    damage, file, found = MODELS[name]
    model = tmp_path / "model"
    shutil.copytree(BUNDLED, model)
    damage(model)
    message = only_line(ncm("solve", PUZZLE, "--model", model), 4)
    assert message.startswith(f"sudoku-ncm: {model}{file}: ")
    assert found in message


@pytest.mark.parametrize("text", ["sometimes", "at:", "from:x", ""])
def test_an_exit_policy_of_another_form_is_a_usage_error(text):
    message = only_line(ncm("solve", PUZZLE, "--exit", text), 2)
    assert f'found "{text}", expected never, every, from:K, at:K,K,… (levels from 0) or scheduled' in message


USAGE = [
    ["solve"],
    ["solve", PUZZLE, "--levels", 0],
    ["solve", PUZZLE, "--seed", -1],
    ["solve", PUZZLE, "--format", "xml"],
    ["solve", PUZZLE, "--index", 2],
    ["solve", PUZZLE, "--trace", "absent/trace.jsonl"],
    ["nonsense"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=lambda arguments: " ".join(map(str, arguments[::2])))
def test_a_wrong_command_line_is_a_usage_error(arguments):
    done = ncm(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
