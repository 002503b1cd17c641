"""`bench` as a command: its three measurements, their formats, and what is refused."""

import csv
import json
import re

import pytest
from running import invoke, ncm

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm.errors import PuzzleError, UsageError

QUICK = ("--levels", 3, "--repeat", 1, "--batch-size", 1)


@pytest.fixture
def file(tmp_path):
    """Two puzzles and a line that is none."""
    path = tmp_path / "set.txt"
    path.write_text("\n".join([*(to_line(puzzle) for puzzle, _ in puzzles(2, 3, 40, 50)), "123", ""]))
    return path


def test_bench_times_cached_and_uncached_runs_of_exact_positions():
    code, out, err = invoke("bench", *QUICK, "-o", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0
    assert [(row["cached"], float(row["positions_per_puzzle"])) for row in rows] == [("True", 216), ("False", 378)]
    assert all(float(row["ms_per_puzzle"]) > 0 for row in rows)
    assert {row["threads"] for row in rows} == {"1"}
    memory = re.search(r"first solve of a new process, .* at most (\d+) MB in memory", err)
    assert 30 < int(memory[1]) < 1000


def test_batches_are_timed_in_one_thread_and_in_all(monkeypatch):
    monkeypatch.setenv("SUDOKU_NCM_THREADS", "3")
    out = invoke("bench", "--levels", 1, "--repeat", 1, "--batch-size", 12, "-o", "csv")[1]
    assert [(row["threads"], row["cached"]) for row in csv.DictReader(out.splitlines())] == [
        ("1", "True"),
        ("1", "False"),
        ("3", "True"),
        ("3", "False"),
    ]


def test_a_profile_says_the_same_in_every_format():
    rows = list(csv.DictReader(invoke("bench", "--profile", *QUICK, "-o", "csv")[1].splitlines()))
    code, text, _ = invoke("bench", "--profile", *QUICK)
    assert code == 0
    assert text.startswith(f"| {' | '.join(rows[0]).replace('_', ' ')} |\n")
    assert [row["part"] for row in rows if row["floor_us"]] == ["whole level, cell", "whole run"]
    assert rows[0]["mflop"] == ""
    assert "| – |" in text
    rates = re.search(r"floor: all products at ([\d.]+) GFLOP/s .* input and output at ([\d.]+) GB/s", text)
    assert all(float(rate) > 0 for rate in rates.groups())


def test_peers_solve_the_puzzles_of_a_file_and_name_what_was_refused(file):
    code, out, err = invoke("bench", "--peers", file, *QUICK, "-o", "json")
    rows = {row["solver"]: row for row in json.loads(out)}
    assert code == 3
    assert f"{file}:3" in err
    assert rows["exact search"]["solved"] == rows["exact search"]["puzzles"] == 2
    assert "sudoku-ncm, 3 levels, exit every" in rows
    assert all(row["solved"] + row["cut_off"] + row["unsolved"] == 2 for row in rows.values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--profile", "--peers"], "found --profile and --peers"),
        (["x.txt"], "found FILE without --peers"),
        (["--time-limit", 2], "found --time-limit without --peers"),
        (["--profile", "--exit", "every"], "found --exit with --profile"),
        (["--peers", "x.txt", "--seed", 1], "found --seed with --peers"),
        (["--peers"], "found no FILE, expected at least one"),
        (["--peers", "none.txt"], "found no such file, expected a puzzle file"),
        (["--exit", "sometimes"], 'exit policy: found "sometimes"'),
    ],
)
def test_an_option_that_has_no_part_in_a_measurement_is_refused(given, message):
    with pytest.raises(UsageError, match=message):
        invoke("bench", *given)


def test_a_file_without_a_good_puzzle_ends_in_one_line_a_reason(tmp_path):
    (tmp_path / "bad.txt").write_text("123\n")
    with pytest.raises(PuzzleError, match="found no good puzzle, expected at least one"):
        invoke("bench", "--peers", tmp_path / "bad.txt")
    done = ncm("bench", "--peers", tmp_path / "bad.txt")
    assert (done.returncode, done.stdout) == (3, "")
    assert "Traceback" not in done.stderr
