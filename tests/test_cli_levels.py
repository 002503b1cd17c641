"""`sudoku-ncm solve`, level by level: the trace, the exit policy and the cache."""

import json

import pytest
from running import invoke

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm.policy import ExitPolicy

ONE = to_line(next(puzzles(1, seed=8, lo=45, hi=50))[0])


def record(*arguments):
    """The JSON object of one puzzle."""
    return json.loads(invoke("solve", *arguments, "--format", "json")[1])


@pytest.mark.parametrize("options", [["--levels", 12], ["--levels", 3, "--attempts", 2], ["--levels", 4, "--no-cache"]])
def test_a_trace_has_a_line_a_level_and_its_positions_add_up(tmp_path, options):
    found = record(ONE, "--trace", tmp_path / "trace.jsonl", *options)
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert len(lines) == found["levels_executed"]
    assert sum(line["positions"] for line in lines) == found["cost"]["positions"]
    assert sum(line["pairs"] for line in lines) == found["cost"]["pairs"]
    assert [line["level"] for line in lines] == [n % options[1] for n in range(len(lines))]
    assert (lines[-1]["decision"] == "exit") == (found["source"] == "ncm")
    assert all(line["decision"] == "not solved" for line in lines[:-1])


@pytest.mark.parametrize("text", ["never", "from:4", "at:3", "every"])
def test_the_exit_policy_says_which_levels_are_checked(tmp_path, text):
    invoke("solve", ONE, "--exit", text, "--levels", 7, "--trace", tmp_path / "trace.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    checked = [line["level"] for line in lines if line["decision"] != "not checked"]
    assert checked == [level for level in range(len(lines)) if ExitPolicy.parse(text).checks(level, 6)]
    assert text != "never" or checked == [6]


def test_a_trace_and_the_watched_board_say_which_levels_had_noise(tmp_path):
    wanted = ("--exit", "at:8,9", "--levels", 10, "--temperature", 0.5, "--watch", "--trace", tmp_path / "t")
    said = invoke("solve", ONE, *wanted)[2]
    lines = [json.loads(line) for line in (tmp_path / "t").read_text().splitlines()]
    assert [line["noise"] for line in lines[:9]] == [0] * 8 + [0.5]
    assert "attempt 1, level 8, with noise: " in said


def test_without_cache_the_board_is_the_same_and_the_positions_are_not():
    cached, uncached = record(ONE, "--levels", 6), record(ONE, "--levels", 6, "--no-cache")
    one, other = cached.pop("cost"), uncached.pop("cost")
    assert cached == uncached
    assert one["positions"] < other["positions"] == one["positions_uncached"]
