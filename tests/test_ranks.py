"""Several ranks on loopback give the report of one process; one that is lost is named and what was done is kept."""

import json
import os
import signal
import subprocess
import time
from threading import Thread

import pytest
from running import invoke, ncm
from test_eval_command import counted
from test_evaluation import timeless
from test_gather import root, worker  # noqa: F401
from test_training_command import file as training_data  # noqa: F401

from checker.board import to_line
from sudoku_ncm import checkpoint, launch
from sudoku_ncm.errors import LostRank, UsageError
from sudoku_ncm.launch import Group


@pytest.fixture
def arguments(tiny, clues, tmp_path):
    """An evaluation of 80 puzzles and two refusals, one puzzle a batch, by a tiny network."""
    rows = [to_line(clues[n % len(clues)]) for n in range(80)]
    rows[7:7] = ["123", "12345"]
    (tmp_path / "set.csv").write_text("\n".join(["puzzle", *rows, ""]))
    checkpoint.save(tmp_path / "model", tiny, {})
    return ["eval", tmp_path / "set.csv", "--model", tmp_path / "model", "--levels", 6, "--batch-size", 1]


@pytest.fixture
def long(arguments):
    """The same evaluation, ten seconds of it: what is done to a rank on its first rows comes long before its last."""
    return [*map(str, arguments), "--attempts", "20"]


@pytest.fixture
def started(monkeypatch):
    """The processes that `run_processes` starts, by rank."""
    ranks = []

    class Recorded(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            ranks.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    return ranks


def soon(path, action):
    """Do something as soon as a file has content."""

    def wait():
        while not path.exists() or not path.stat().st_size:
            time.sleep(0.01)
        action()

    Thread(target=wait, daemon=True).start()


def rows(text):
    """Records without what was measured."""
    return [row if "rejected" in row else timeless(row) for row in map(json.loads, text.splitlines())]


def levels(text):
    """How many rows ran each level, by a JSON report."""
    return [level["rows"] for level in json.loads(text)["level_seconds"]]


def test_two_and_three_ranks_give_the_report_and_the_rows_of_one(arguments, tmp_path):
    short = [*arguments[:-1], 4, "--limit", 34]  # nine batches, the last one short
    code, one, _ = invoke(*short, "-o", "json", "--output-dir", tmp_path / "1")
    for count in (2, 3):
        done = ncm(*short, "-o", "json", "--output-dir", tmp_path / str(count), "--processes", count)
        assert done.returncode == code == 3
        assert counted(done.stdout) == counted(one)
        assert levels(done.stdout) == levels(one)
        assert done.stderr.count("expected 81") == 2
        one_rows, these = ((tmp_path / str(n) / "samples.jsonl").read_text() for n in (1, count))
        assert rows(these) == rows(one_rows)
        assert ["rejected" in row for row in rows(these)] == [n in (7, 8) for n in range(34)]


def test_a_killed_rank_is_named_and_any_number_of_ranks_goes_on_from_the_rows_kept(arguments, started, tmp_path, capfd):
    out, arguments = tmp_path / "out", [*arguments, "--attempts", 2]
    soon(out / "samples.jsonl", lambda: started[1].kill())
    with pytest.raises(LostRank, match=r"^rank 1 was lost \(SIGKILL\)$"):
        launch.run_processes(3, [*map(str, arguments), "--output-dir", str(out)])
    kept, report = (out / "samples.jsonl").read_text(), json.loads((out / "report.json").read_text())
    read = report["totals"]["read"]
    assert (report["complete"], read) == (False, len(kept.splitlines()))
    assert 0 < read < 82
    line = f"sudoku-ncm: rank 1 was lost: {read} rows are done, the rows after them are missing; --resume goes on\n"
    assert capfd.readouterr().err.endswith(line)
    assert ncm(*arguments, "--output-dir", out, "--resume", "--processes", 2).returncode == 3
    whole = (out / "samples.jsonl").read_text()
    assert whole.startswith(kept)
    assert rows(whole) == rows(invoke(*arguments, "-o", "jsonl")[1])
    assert json.loads((out / "report.json").read_text())["complete"]


def test_a_killed_rank_0_is_named_by_the_launcher(long, started, tmp_path):
    soon(tmp_path / "out" / "samples.jsonl", lambda: started[0].kill())
    with pytest.raises(LostRank, match=r"^rank 0 was lost \(SIGKILL\)$"):
        launch.run_processes(2, [*long, "--output-dir", str(tmp_path / "out")])
    assert [rank.poll() is None for rank in started] == [False, False]


LOST = [
    ([None, 1], "rank 1 was lost (exit code 1)"),
    ([5, 5, 1], "rank 2 was lost (exit code 1)"),
    ([5, -signal.SIGKILL], "rank 1 was lost (SIGKILL)"),
    ([None, -35], "rank 1 was lost (signal 35)"),
]


@pytest.mark.parametrize(("codes", "message"), LOST)
def test_a_rank_that_was_killed_or_crashed_is_named_with_the_cause(codes, message):
    with pytest.raises(LostRank) as found:
        launch._verdict(codes)
    assert str(found.value) == message


@pytest.mark.parametrize(("codes", "code"), [([0, 0], 0), ([1, None], 1), ([None, 3], 3), ([5, None], 5)])
def test_a_rank_that_ended_by_itself_gives_the_exit_code(codes, code):
    assert launch._verdict(codes) == code


def test_a_start_that_fails_leaves_the_output_directory_to_the_next(arguments, root, tmp_path, monkeypatch):  # noqa: F811
    (tmp_path / "hosts.json").write_text(json.dumps([[f"{root[0]}:{root[1]}"], ["127.0.0.1:1"]]))
    monkeypatch.setenv("MLX_RANK", "0")
    monkeypatch.setenv("MLX_HOSTFILE", str(tmp_path / "hosts.json"))
    worker(Group(1, 2, root), {"model": "another"})
    with pytest.raises(UsageError, match=r"rank 1: found other .*model"):
        invoke(*arguments, "--output-dir", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_leaves_a_partial_report_and_no_process(long, started, tmp_path, number):
    out = tmp_path / "out"
    soon(out / "samples.jsonl", lambda: os.kill(os.getpid(), number))
    with pytest.raises(KeyboardInterrupt):
        launch.run_processes(2, [*long, "--output-dir", str(out)])
    assert started[0].poll() == 130
    assert started[1].poll() is not None
    report, kept = json.loads((out / "report.json").read_text()), (out / "samples.jsonl").read_text().splitlines()
    assert (report["complete"], report["totals"]["read"]) == (False, len(kept))


def test_a_comparison_is_timed_by_one_process(arguments):
    with pytest.raises(UsageError, match="--compare: found several processes, expected one"):
        invoke(*arguments, "--compare", "--processes", 2)


def test_training_names_the_rank_it_lost_and_leaves_no_process(training_data, started, capfd):  # noqa: F811
    folder = training_data.parent
    soon(folder / "run" / "events.jsonl", lambda: started[1].kill())
    shape = ("--model-config", folder / "shape", "--batch-size", 4, "--steps", 10_000)
    with pytest.raises(LostRank, match=r"^rank 1 was lost \(SIGKILL\)$"):
        launch.run_processes(2, [*map(str, ["train", training_data, "--out", folder / "run", *shape])])
    assert [rank.poll() is None for rank in started] == [False, False]
    assert "Traceback" not in capfd.readouterr().err


def test_a_batch_that_does_not_divide_into_ranks_is_refused_however_they_were_started(training_data, capfd):  # noqa: F811
    arguments = ["train", training_data, "--out", training_data.parent / "run", "--batch-size", 5, "--steps", 1]
    assert launch.run_processes(2, [*map(str, arguments)]) == 2
    assert "--batch-size 5 does not divide into 2 processes" in capfd.readouterr().err


def test_ranks_that_were_told_to_outlive_their_terminal_do(started, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        monkeypatch.setattr(launch, "_wait", lambda workers: os.kill(os.getpid(), signal.SIGHUP) or [0] * len(workers))
        assert launch.run_processes(1, ["--version"]) == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
