"""A checkpoint comes back bit for bit, or is refused in one line that says what was found and what was expected."""

import json
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

from sudoku_ncm import checkpoint
from sudoku_ncm.commands.common import BUNDLED
from sudoku_ncm.errors import ExitCode, ModelError
from sudoku_ncm.levels import Kind


@pytest.fixture
def saved(tiny, tmp_path):
    """A directory that holds the tiny network."""
    checkpoint.save(tmp_path / "model", tiny, {"seed": 7})
    return tmp_path / "model"


def refusal(directory) -> str:
    """The message a directory is refused with: one line, for exit code 4, and always what was expected."""
    with pytest.raises(ModelError) as caught:
        checkpoint.load(directory)
    message = str(caught.value)
    assert caught.value.exit_code == ExitCode.MODEL == 4
    assert "\n" not in message
    return message


def change_config(directory, **values):
    path = directory / "config.json"
    config = json.loads(path.read_text()) | values
    path.write_text(json.dumps({name: value for name, value in config.items() if value is not None}))


def change_weights(directory, change):
    path = directory / "model.safetensors"
    arrays = dict(mx.load(str(path)))
    mx.eval(arrays)
    change(arrays)
    mx.save_safetensors(str(path), arrays)


def test_a_saved_network_comes_back_bit_for_bit(tiny, saved):
    loaded = checkpoint.load(saved)
    before, after = checkpoint.named(tiny.parameters()), checkpoint.named(loaded.parameters())
    assert loaded.config == tiny.config
    assert before.keys() == after.keys()
    assert all(np.array(before[name]).tobytes() == np.array(after[name]).tobytes() for name in before)
    assert all(np.any(np.array(value)) for value in after.values())


def test_saving_leaves_the_three_files_and_no_partial_one(tiny, saved):
    checkpoint.save(saved, tiny, {"seed": 8})
    assert sorted(path.name for path in saved.iterdir()) == ["card.json", "config.json", "model.safetensors"]
    assert checkpoint.read_json(saved / "card.json") == {"seed": 8}


def test_a_failed_save_keeps_the_file_that_was_there(saved, monkeypatch):
    def fail(file, *_):
        Path(file).write_bytes(b"half")
        raise OSError("disk full")

    before = (saved / "model.safetensors").read_bytes()
    monkeypatch.setattr(mx, "save_safetensors", fail)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save_arrays(saved / "model.safetensors", {})
    assert (saved / "model.safetensors").read_bytes() == before


def test_the_hash_of_a_model_is_that_of_its_weights(tiny, saved, tmp_path):
    checkpoint.save(tmp_path / "copy", tiny, {"seed": 9})
    assert checkpoint.model_hash(saved) == checkpoint.model_hash(tmp_path / "copy")
    change_weights(saved, lambda arrays: arrays.update(head=arrays["head"] + 1))
    assert checkpoint.model_hash(saved) != checkpoint.model_hash(tmp_path / "copy")


CONFIGS = [
    ({"rotary": 1}, "found unknown or missing keys ['rotary'], expected ['attention', 'blocks', "),
    ({"heads": None}, "found unknown or missing keys ['heads'], expected ['attention', 'blocks', "),
    ({"attention": "block_causal"}, '"block_causal" is not supported: the prefix cache needs "block_diagonal"'),
    ({"channels": 13}, "channels must be a multiple of 3·heads, found 13 and 2 heads"),
    ({"q": 0}, "channels, blocks, heads, ffn and q must be positive integers, found (12, 2, 2, 2, 0)"),
    ({"plan": ["cell", "row"]}, "'row' is not a valid Kind"),
    ({"plan": 3}, "'int' object is not iterable"),
]


@pytest.mark.parametrize(("values", "message"), CONFIGS)
def test_a_config_is_refused_for_any_key_or_value_it_should_not_have(saved, values, message):
    change_config(saved, **values)
    found = refusal(saved)
    assert found.startswith(f"{saved / 'config.json'}: ")
    assert message in found


@pytest.mark.parametrize("text", ["", "{", "[1]", "\N{REPLACEMENT CHARACTER}"])
def test_a_config_that_is_no_json_object_is_refused(saved, text):
    (saved / "config.json").write_text(text, encoding="utf-8")
    found = refusal(saved)
    assert found.startswith(f"{saved / 'config.json'}: found ")
    assert "expected a" in found


def test_a_missing_directory_or_file_is_named(saved):
    absent, weights, config = saved.parent / "absent", saved / "model.safetensors", saved / "config.json"
    assert refusal(absent).startswith(f"{absent}: found no model directory, expected ")
    weights.unlink()
    assert refusal(saved).startswith(f"{weights}: found no such file, expected ")
    config.unlink()
    assert refusal(saved).startswith(f"{config}: found no readable file ")


@pytest.mark.parametrize("kept", [0, 5, 8, 300, -1])
def test_truncated_weights_are_refused(saved, kept):
    path = saved / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    found = refusal(saved)
    assert found.startswith(f"{path}: found a damaged safetensors file (")
    assert found.endswith("), expected float32 arrays")


WEIGHTS = [
    (lambda arrays: arrays.pop("level_in"), "level_in: found nothing, expected (17, 12) by config.json"),
    (lambda arrays: arrays.update(extra=mx.zeros(2)), "extra: found (2,), expected nothing by config.json"),
    (lambda arrays: arrays.update(head=mx.zeros((1, 12))), "head: found (1, 12), expected (12, 1) by config.json"),
    (lambda arrays: arrays.update(head=mx.zeros((12, 1), mx.int32)), f"head: found {mx.int32}, expected {mx.float32}"),
]


@pytest.mark.parametrize(("change", "message"), WEIGHTS)
def test_arrays_that_are_missing_extra_misshapen_or_of_another_type_are_refused(saved, change, message):
    change_weights(saved, change)
    assert refusal(saved) == f"{saved / 'model.safetensors'}: {message}"


def test_weights_of_another_shape_than_the_config_says_are_refused(saved):
    change_config(saved, channels=24)
    assert refusal(saved).endswith("attention.out: found (12, 12), expected (24, 24) by config.json")


def test_the_bundled_checkpoint_loads_and_starts_with_box_rows():
    assert checkpoint.load(BUNDLED).config.level_plan(1).kinds == (Kind.BOX_ROW,)
    assert checkpoint.read_json(BUNDLED / "card.json")["data"]["sha256"]
