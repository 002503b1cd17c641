"""`eval`, `calibrate` and the `scheduled` policy as commands: formats, directories, resuming, comparing."""

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from running import ROOT, invoke

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm import checkpoint
from sudoku_ncm.commands.common import BUNDLED
from sudoku_ncm.errors import UsageError

QUICK = ("--levels", 4)


@pytest.fixture
def file(tmp_path):
    """Eight puzzles in two strata and one bad row in the middle."""
    rows = [f"{'easy' if n < 4 else 'hard'},{to_line(p)}" for n, (p, _) in enumerate(puzzles(8, 3, 24, 45))]
    path = tmp_path / "set.csv"
    path.write_text("\n".join(["stratum,puzzle", *rows[:5], "hard,123", *rows[5:], ""]))
    return path


def counted(text):
    """A JSON report without what was measured."""
    report = json.loads(text)
    for part in ("latency_ms", "level_seconds", "batch_size", "settings"):
        del report[part]
    for group in [*report["strata"].values(), *report["clue_counts"].values()]:
        group["mean"] = {name: value for name, value in group["mean"].items() if not name.endswith("_ms")}
    return report


def test_totals_add_up_and_a_bad_row_does_not_stop_it(file):
    code, out, err = invoke("eval", file, *QUICK, "-o", "json")
    totals = json.loads(out)["totals"]
    assert code == 3
    assert totals["read"] == 9 == totals["solved"] + totals["unsolved"] + totals["rejected"]
    assert totals["rejected"] == 1
    assert totals["false_exits"] == 0
    assert re.search(rf"{file}:7:.*found 3 characters, expected 81", err)


@pytest.mark.parametrize("size", [1, 7, 64])
def test_batch_size_changes_no_count(file, size):
    every = invoke("eval", file, *QUICK, "-o", "json", "--batch-size", 3)[1]
    assert counted(invoke("eval", file, *QUICK, "-o", "json", "--batch-size", size)[1]) == counted(every)


def test_every_format_says_the_same(file):
    report = json.loads(invoke("eval", file, *QUICK, "-o", "json")[1])
    rows = {row["stratum"]: row for row in csv.DictReader(io.StringIO(invoke("eval", file, *QUICK, "-o", "csv")[1]))}
    records = [json.loads(line) for line in invoke("eval", file, *QUICK, "-o", "jsonl")[1].splitlines()]
    text = invoke("eval", file, *QUICK)[1]
    solved = report["totals"]["solved"]
    assert int(rows["all"]["solved"]) == solved == sum(record.get("solved", False) for record in records)
    assert f"| all | {solved} | 8 |" in text
    assert f"read 9 = solved {solved} + " in text


def test_a_directory_holds_rows_report_and_plots(file, tmp_path):
    out = tmp_path / "out"
    invoke("eval", file, *QUICK, "--output-dir", out)
    report = json.loads((out / "report.json").read_text())
    rows = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    assert (len(rows), report["schema"], report["complete"]) == (9, 2, True)
    assert report["settings"]["model"] == checkpoint.model_hash(BUNDLED)
    assert {"file", "line", "stratum", "puzzle", "board", "solved", "source", "level", "cost"} <= rows[0].keys()
    text = (out / "report.md").read_text()
    assert f"model {checkpoint.model_hash(BUNDLED)[:12]}, {report['settings']['levels']} levels, attempts 1" in text
    assert "exit every, temperature 1, seed 0, cache on" in text
    plots = {path.name for path in out.glob("*.svg")}
    assert plots == {"exit_histogram.svg", "survival.svg", "time_per_level.svg", "cost_curve.svg"}
    assert sum(level["rows"] for level in report["level_seconds"]) == sum(r.get("levels_executed", 0) for r in rows)


def test_a_torn_run_resumes_to_the_report_of_a_whole_one(file, tmp_path):
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    for directory in (whole, torn):
        invoke("eval", file, *QUICK, "--output-dir", directory)
    rows = (torn / "samples.jsonl").read_text().splitlines(keepends=True)
    (torn / "samples.jsonl").write_text("".join(rows[:4]) + rows[4][:30])
    invoke("eval", file, *QUICK, "--output-dir", torn, "--resume")
    assert len((torn / "samples.jsonl").read_text().splitlines()) == 9
    assert counted((torn / "report.json").read_text()) == counted((whole / "report.json").read_text())


def test_a_directory_in_use_or_of_other_settings_is_refused(file, tmp_path):
    out = tmp_path / "out"
    invoke("eval", file, *QUICK, "--output-dir", out)
    with pytest.raises(UsageError, match="add --resume"):
        invoke("eval", file, *QUICK, "--output-dir", out)
    with pytest.raises(UsageError, match="found no --output-dir"):
        invoke("eval", file, *QUICK, "--resume")
    with pytest.raises(UsageError, match=r"found other .*levels, expected those of this command"):
        invoke("eval", file, "--levels", 5, "--output-dir", out, "--resume")
    with pytest.raises(UsageError, match="found other temperature, expected those of this command"):
        invoke("eval", file, *QUICK, "--temperature", 0.5, "--output-dir", out, "--resume")


def test_another_machine_may_go_on(file, tmp_path):
    out = tmp_path / "out"
    invoke("eval", file, *QUICK, "--output-dir", out)
    report = json.loads((out / "report.json").read_text())
    elsewhere = report["settings"] | {"machine": "another", "threads": 64, "packages": {}, "blas": "another"}
    (out / "report.json").write_text(json.dumps(report | {"settings": elsewhere}))
    assert invoke("eval", file, *QUICK, "--output-dir", out, "--resume")[0] == 3
    (out / "report.json").write_text(json.dumps({"settings": []}))
    with pytest.raises(UsageError, match="cannot use it as output directory"):
        invoke("eval", file, *QUICK, "--output-dir", out, "--resume")


def evaluating(tmp_path, stderr):
    """A long evaluation that has its first row, and its directory."""
    many, out = tmp_path / "many.csv", tmp_path / "out"
    many.write_text("puzzle\n" + "\n".join([to_line(next(puzzles(1, 1, 24, 26))[0])] * 3000))
    command = [sys.executable, "-m", "sudoku_ncm", "eval", many, "--output-dir", out, "--batch-size", "1"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=stderr,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    while not (out / "samples.jsonl").exists() or not (out / "samples.jsonl").stat().st_size:
        time.sleep(0.05)
    return process, out


def require_partial_report(out):
    report = json.loads((out / "report.json").read_text())
    assert not report["complete"]
    assert 0 < report["totals"]["read"] == len((out / "samples.jsonl").read_text().splitlines()) < 3000


def test_ctrl_c_leaves_a_valid_partial_report(tmp_path):
    process, out = evaluating(tmp_path, subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    assert b"Traceback" not in process.communicate(timeout=30)[1]
    assert process.returncode == 130
    require_partial_report(out)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_terminal_that_goes_away_leaves_a_valid_partial_report(tmp_path, number):
    terminal, side = pty.openpty()
    process, out = evaluating(tmp_path, side)
    os.close(side)
    os.close(terminal)
    process.send_signal(number)
    process.communicate(timeout=30)
    require_partial_report(out)


def test_a_comparison_runs_every_variant_and_control(file):
    report = json.loads(invoke("eval", file, *QUICK, "--compare", "-o", "json", "--batch-size", 2)[1])
    everything = report["groups"]["all"]
    assert set(report["groups"]) == {"all", "easy", "hard"}
    assert everything["puzzles"] == 8
    assert len(everything["ms_per_puzzle"]) == 7
    assert everything["positions_per_puzzle"]["cached, full"] == report["positions_full"] == 81 + 27 + 27 + 81 + 81
    assert everything["positions_per_puzzle"]["uncached, full"] == report["positions_full_uncached"]
    assert everything["positions_per_puzzle"]["cached, exit"] < report["positions_full"]
    assert everything["positions_per_puzzle"]["cached, checker never passes"] == report["positions_full"]


def test_a_calibration_makes_the_scheduled_policy_usable(file, tmp_path):
    model = tmp_path / "model"
    checkpoint.save(model, checkpoint.load(BUNDLED), {})
    with pytest.raises(UsageError, match="expected one by sudoku-ncm calibrate"):
        invoke("eval", file, *QUICK, "--model", model, "--exit", "scheduled")
    _, out, _ = invoke("calibrate", file, *QUICK, "--model", model, "--batch-size", 2)
    assert [line.split(" | ")[1] for line in out.splitlines()[2:]] == ["scheduled", "every", "never"]
    report = json.loads(invoke("eval", file, *QUICK, "--model", model, "--exit", "scheduled", "-o", "json")[1])
    assert report["settings"]["checks"][-1] == 3
    with pytest.raises(UsageError, match="found a calibration of 4 levels, expected at least 5"):
        invoke("eval", file, "--levels", 5, "--model", model, "--exit", "scheduled")
    assert report["totals"]["false_exits"] == 0


def test_a_calibration_needs_a_batch_in_each_half(file):
    with pytest.raises(UsageError, match="expected at least the batch size 64"):
        invoke("calibrate", file, *QUICK)


@pytest.mark.parametrize("option", [("--output-dir", "out"), ("-o", "csv"), ("-o", "jsonl")])
def test_a_comparison_refuses_what_has_no_part_in_it(file, tmp_path, option):
    with pytest.raises(UsageError, match="where they have no part"):
        invoke("eval", file, *QUICK, "--compare", *option)
