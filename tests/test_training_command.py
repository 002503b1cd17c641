"""`sudoku-ncm train`: two processes do what one does, and the run's directory tells its story."""

import hashlib
import json
from dataclasses import asdict, replace

import pytest
from running import ncm

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm import checkpoint
from sudoku_ncm.commands.train import _commit
from sudoku_ncm.generator import GeneratorConfig

SHAPE = GeneratorConfig(channels=6, blocks=1, heads=1, ffn=1)


@pytest.fixture
def file(tmp_path):
    """Four puzzles as a file, beside a directory with the shape to train."""
    boards = puzzles(4, seed=2, lo=17, hi=81, minimal=True)
    lines = [f"{to_line(puzzle)},{to_line(solution)}" for puzzle, solution in boards]
    (tmp_path / "puzzles.csv").write_text("\n".join(["puzzle,solution", *lines]))
    (tmp_path / "shape").mkdir()
    checkpoint.write_json(tmp_path / "shape" / "config.json", asdict(SHAPE))
    return tmp_path / "puzzles.csv"


def train(file, name, *options):
    """Events and card of `sudoku-ncm train` into the directory `name`."""
    folder = file.parent
    command = ["train", file, "--out", folder / name, "--batch-size", 4, "--model-config", folder / "shape", *options]
    done = ncm(*command)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in (folder / name / "events.jsonl").read_text().splitlines()]
    return events, checkpoint.read_json(folder / name / "card.json")


def test_two_processes_train_as_one_does(file):
    (one, _), (two, card) = train(file, "one", "--steps", 3), train(file, "two", "--steps", 3, "--processes", 2)
    assert [event["step"] for event in two] == [event["step"] for event in one] == [1, 2, 3]
    for key in ("loss", "gradient_norm", "rate"):
        assert [event[key] for event in two] == pytest.approx([event[key] for event in one], abs=1e-4)
    assert card["data"] == {
        "file": "puzzles.csv",
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "puzzles": 4,
    }
    assert (card["steps"], card["seed"], card["processes"], card["training"]["batch_size"]) == (3, 0, 2, 4)
    assert card["command"].startswith("sudoku-ncm train ")
    assert (card["training"]["optimizer"], card["training"]["damping"]) == ("Soap", 0.2)
    assert card["commit"]
    assert {event["levels"] for event in one} == {2 + 8}
    assert {event["levels"] for event in train(file, "few", "--steps", 1, "--cell-levels", 3)[0]} == {2 + 3}


def test_a_run_of_two_processes_goes_on_with_one(file):
    train(file, "run", "--steps", 1, "--processes", 2)
    events, card = train(file, "run", "--steps", 2, "--resume")
    assert ([event["step"] for event in events], card["processes"]) == ([1, 2], 1)


def test_a_resumed_run_logs_every_step_once_and_a_second_run_needs_resume(file):
    train(file, "run", "--steps", 2)
    with (file.parent / "run" / "events.jsonl").open("a") as log:
        log.write('{"step": 3}\n')  # done after the last save, lost with the process
    refused = ncm("train", file, "--out", file.parent / "run", "--steps", 4)
    assert refused.returncode == 2
    assert "add --resume or choose another directory" in refused.stderr
    done = ncm(
        "train",
        file,
        "--out",
        file.parent / "run",
        "--steps",
        2,
        "--batch-size",
        4,
        "--resume",
        "--model-config",
        file.parent / "shape",
    )
    assert (done.returncode, "has done 2 steps already" in done.stderr) == (2, True)
    events, card = train(file, "run", "--steps", 4, "--resume")
    assert [event["step"] for event in events] == [1, 2, 3, 4]
    assert all("loss" in event for event in events)
    assert card["steps"] == 4


def test_a_run_begins_with_the_weights_of_init_and_its_card_names_them(file):
    train(file, "first", "--steps", 2)
    first = file.parent / "first"
    options = ["--out", file.parent / "second", "--batch-size", 4, "--steps", 1, "--learning-rate", 1e-9]
    done = ncm("train", file, *options, "--init", first)
    assert done.returncode == 0, done.stderr
    weights = [checkpoint.load(file.parent / name).head.tolist() for name in ("first", "second")]
    assert weights[1] == [pytest.approx(row, abs=1e-6) for row in weights[0]]
    assert checkpoint.read_json(file.parent / "second" / "card.json")["init"] == checkpoint.model_hash(first)


def test_a_resumed_run_has_shape_and_init_from_its_directory(file):
    train(file, "first", "--steps", 1)
    run = ["train", file, "--out", file.parent / "second", "--batch-size", 4]
    assert ncm(*run, "--steps", 1, "--init", file.parent / "first").returncode == 0
    for number, options in enumerate([[], ["--init", "absent", "--model-config", "absent"]], start=2):
        done = ncm(*run, "--steps", number, "--resume", *options)
        assert done.returncode == 0, done.stderr
        card = checkpoint.read_json(file.parent / "second" / "card.json")
        assert (card["steps"], card["init"]) == (number, checkpoint.model_hash(file.parent / "first"))


def test_without_git_the_commit_is_unknown(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert _commit() == "unknown"


def test_a_run_may_begin_with_a_smaller_network_if_its_heads_are_not_split(file):
    train(file, "first", "--steps", 1)
    large, other = replace(SHAPE, channels=12, blocks=3), replace(SHAPE, channels=12, heads=2)
    for name, shape in {"large": large, "other": other}.items():
        (file.parent / name).mkdir()
        checkpoint.write_json(file.parent / name / "config.json", asdict(shape))
    command = ["train", file, "--batch-size", 4, "--steps", 1, "--init", file.parent / "first"]
    grown = ncm(*command, "--out", file.parent / "grown", "--model-config", file.parent / "large")
    assert grown.returncode == 0, grown.stderr
    assert checkpoint.load(file.parent / "grown").config == large
    split = ncm(*command, "--out", file.parent / "split", "--model-config", file.parent / "other")
    assert (split.returncode, "expected the shape to begin with" in split.stderr) == (4, True)


BAD = [
    (["--seed", -1], 2, "'--seed': -1 is not in the range"),
    (["--processes", 3], 2, "--batch-size 4 does not divide into 3 processes"),
    (["--model-config", "absent"], 4, "config.json: found no readable file"),
]


@pytest.mark.parametrize(("options", "code", "message"), BAD)
def test_a_run_that_cannot_be_is_refused_without_a_traceback(file, options, code, message):
    done = ncm("train", file, "--out", file.parent / "run", "--batch-size", 4, "--steps", 1, *options)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (file.parent / "run").exists()


def test_training_into_a_file_or_from_a_missing_one_is_a_usage_error(file):
    into, missing = ncm("train", file, "--out", file, "--steps", 1), ncm("train", "none", "--out", "run", "--steps", 1)
    assert (into.returncode, missing.returncode) == (2, 2)
    assert "is a file" in into.stderr
    assert missing.stderr.startswith("sudoku-ncm: none: found no such file")


def test_hard_puzzles_are_named_in_the_card_and_must_be_the_same_to_go_on(file):
    hard = file.parent / "hard.csv"
    hard.write_text("\n".join(file.read_text().splitlines()[:2]))
    events, card = train(file, "run", "--steps", 1, "--hard", hard)
    assert card["data"]["puzzles"] == 4
    assert card["hard"] == {
        "file": "hard.csv",
        "sha256": hashlib.sha256(hard.read_bytes()).hexdigest(),
        "puzzles": 1,
    }
    plain, without = train(file, "plain", "--steps", 1)
    assert without["hard"] is None
    assert plain[0]["loss"] != events[0]["loss"]
    command = ["train", file, "--out", file.parent / "run", "--steps", 2, "--batch-size", 4, "--resume"]
    refused = ncm(*command)
    assert refused.returncode == 4
    assert "other settings or data" in refused.stderr
    assert ncm(*command, "--hard", hard).returncode == 0
    single = ncm("train", file, "--out", file.parent / "single", "--steps", 1, "--batch-size", 1, "--hard", hard)
    assert single.returncode == 2
    assert "--hard: found --batch-size 1, expected at least 2" in single.stderr
