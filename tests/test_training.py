"""The trainer learns on a schedule, and resumes bit for bit or not at all."""

from dataclasses import replace
from functools import partial
from itertools import islice
from statistics import mean
from types import SimpleNamespace

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.utils import value_and_grad
from mlx.utils import tree_flatten

from checker.generate import puzzles
from sudoku_ncm import checkpoint
from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.errors import LostRank, ModelError, NcmError
from sudoku_ncm.field import decode, empty_field, planes, quantize, refine
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import Kind
from sudoku_ncm.threads import limited
from sudoku_ncm.training import trainer
from sudoku_ncm.training.config import TrainConfig
from sudoku_ncm.training.data import PuzzleSet, batch
from sudoku_ncm.training.step import DAMPING, generation_loss, level_loss, passed_on
from sudoku_ncm.training.trainer import Trainer

SHAPE = GeneratorConfig(channels=6, blocks=1, heads=1, ffn=1)
SHORT = TrainConfig(steps=6, batch_size=2, save_every=2)


@pytest.fixture(scope="module")
def data():
    pairs = list(puzzles(4, seed=2, lo=17, hi=81, minimal=True))
    return PuzzleSet(np.stack([p for p, _ in pairs]), np.stack([s for _, s in pairs]), "sha")


@pytest.fixture
def whole(data, tmp_path):
    """Losses of a run that was never stopped, and its directory."""
    directory = tmp_path / "whole"
    return [event.loss for event in Trainer(SHORT, SHAPE, data, directory).run({})], directory


def state(directory):
    """Every array of a run's model and optimizer, as bytes."""
    files = [directory / name for name in ("model.safetensors", "training.safetensors")]
    arrays = [(file.name, name, value) for file in files for name, value in checkpoint.load_arrays(file)[0].items()]
    return {(file, name): np.array(value).tobytes() for file, name, value in arrays}


def test_the_rate_warms_up_and_falls_to_almost_nothing():
    config = TrainConfig(steps=1000, learning_rate=4e-3, warmup=50)
    rates = [config.rate(step) for step in range(1000)]
    assert rates[0] < 1e-4
    assert rates.index(max(rates)) == 49
    assert max(rates) > 3.7e-3
    assert rates[49:] == sorted(rates[49:], reverse=True)
    assert 0 < rates[-1] < 1e-5


def test_a_peer_that_the_ring_lost_is_a_lost_rank():
    with pytest.raises(LostRank, match="a rank does not answer"), trainer._ring():
        raise RuntimeError("[ring] connection to a peer was lost")


def test_a_loss_that_is_no_number_ends_the_run_and_is_not_saved(data, tmp_path):
    run = Trainer(replace(SHORT, learning_rate=1e30, warmup=1, save_every=9), SHAPE, data, tmp_path)
    with pytest.raises(NcmError, match=r"step \d: found loss \S+ and gradient norm \S+, expected numbers"):
        list(run.run({}))
    assert not list(tmp_path.iterdir())


def test_a_run_may_start_from_the_weights_of_a_checkpoint(data, whole, tmp_path):
    trained = checkpoint.load(whole[1])
    run = Trainer(replace(SHORT, seed=5), SHAPE, data, tmp_path)
    run.start_from(trained)
    assert np.array_equal(np.array(run.model.head), np.array(trained.head))
    next(run.run({}))
    assert not np.array_equal(np.array(run.model.head), np.array(trained.head))


def test_a_handful_of_puzzles_is_learned_from(data, tmp_path):
    config = TrainConfig(steps=80, batch_size=4, learning_rate=3e-2, warmup=5, save_every=1000)
    losses = [event.loss for event in Trainer(config, SHAPE, data, tmp_path).run({})]
    assert losses[0] > 2.0  # ln 9 = 2.2 is knowing nothing
    assert mean(losses[-10:]) < 1.8


def test_solved_rows_leave_and_would_have_added_nothing_to_the_loss(bundled):
    pairs = list(puzzles(8, seed=3, lo=26, hi=50))
    clues, solutions = (np.stack(boards) for boards in zip(*pairs, strict=True))
    kinds = bundled.model.config.level_plan(8).kinds
    seen = []

    class Watched:
        config = bundled.model.config

        def __call__(self, field, kind, cache):
            seen.append(field.shape[0])
            return bundled.model(field, kind, cache)

    loss, solved = generation_loss(Watched(), clues, solutions, kinds)
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == 8 > seen[-1]
    field, cache, total = empty_field(8), PrefixCache(mx.array(clues.astype(np.int32))), 0.0
    for kind in kinds:
        logits, field = bundled.model.step(field, kind, cache)
        total += float(level_loss(logits, mx.array(planes(solutions)), kind))
    assert float(loss) == pytest.approx(total / len(kinds), rel=1e-3)
    assert int(solved) == int((decode(np.array(field)) == solutions).all(axis=1).sum())


def test_the_gradient_is_that_of_the_rows_still_running(data):
    mx.random.seed(1)
    model = Generator(SHAPE)
    kinds = SHAPE.level_plan(6).kinds
    one = value_and_grad(model, partial(generation_loss, model))(data.puzzles[:1], data.solutions[:1], kinds)[1]
    two = value_and_grad(model, partial(generation_loss, model))(data.puzzles[1:2], data.solutions[1:2], kinds)[1]
    both = value_and_grad(model, partial(generation_loss, model))(data.puzzles[:2], data.solutions[:2], kinds)[1]
    parts = zip(*(tree_flatten(gradients) for gradients in (one, two, both)), strict=True)
    for (_, a), (_, b), (name, mean_of_both) in parts:
        assert np.allclose(np.array(a + b) / 2, np.array(mean_of_both), atol=1e-5), name


def test_what_passes_between_levels_is_the_codes_and_a_damped_share_of_the_gradient():
    field, logits = mx.random.uniform(shape=(2, 81, 9)), mx.random.normal((2, 81, 9))
    passed = passed_on(field, logits, Kind.CELL, 4)
    assert np.array_equal(np.array(passed), np.array(refine(field, quantize(logits, Kind.CELL, 4), Kind.CELL, 4)))
    weights = mx.random.normal((2, 81, 9))
    damped = mx.grad(lambda x: (passed_on(field, x, Kind.CELL, 4) * weights).sum())(logits)
    whole = mx.grad(lambda x: (mx.softmax(x, axis=-1) * weights).sum())(logits)
    assert np.allclose(np.array(damped), DAMPING * np.array(whole), atol=1e-6)


def test_a_level_learns_what_its_beliefs_do_to_the_next_one(data, monkeypatch):
    model, kinds = Generator(SHAPE), SHAPE.level_plan(4).kinds

    def gradient():
        return value_and_grad(model, partial(generation_loss, model))(data.puzzles[:2], data.solutions[:2], kinds)[1]

    coupled = gradient()
    monkeypatch.setattr("sudoku_ncm.training.step.DAMPING", 0.0)
    assert not np.allclose(np.array(coupled["head"]), np.array(gradient()["head"]), rtol=1e-3)


class Seen(Exception):
    """Carries the clues that a process was about to learn from."""


def test_the_number_of_threads_does_not_change_a_run(data, tmp_path):
    config, seen = replace(SHORT, steps=2, batch_size=12), []
    for count in (1, 3):
        with limited(count):
            list(Trainer(config, SHAPE, data, tmp_path / str(count)).run({}))
        seen.append(state(tmp_path / str(count)))
    assert seen[0] == seen[1]


def test_processes_share_out_the_rows_of_one_batch(data, tmp_path, monkeypatch):
    def see(model, clues, *_):
        raise Seen(clues)

    monkeypatch.setattr(trainer, "generation_loss", see)
    parts = []
    for rank in range(2):
        run = Trainer(replace(SHORT, batch_size=6), SHAPE, data, tmp_path)
        run.group = SimpleNamespace(rank=lambda rank=rank: rank, size=lambda: 2)
        with pytest.raises(Seen) as caught:
            next(run.run({}))
        parts.append(caught.value.args[0])
    clues, _ = batch(data, 6, SHORT.seed, step=0)
    assert [part.shape for part in parts] == [(3, 81), (3, 81)]
    assert sorted(np.concatenate(parts).tolist()) == sorted(clues.tolist())


@pytest.mark.parametrize("stopped_after", [4, 5])
def test_a_resumed_run_is_bit_for_bit_the_run_that_was_never_stopped(data, whole, tmp_path, stopped_after):
    losses, directory = whole
    first = [event.loss for event in islice(Trainer(SHORT, SHAPE, data, tmp_path / "stopped").run({}), stopped_after)]
    mx.random.seed(99)
    resumed = Trainer(SHORT, SHAPE, data, tmp_path / "stopped")
    resumed.resume()
    assert resumed.step == 4
    assert first[:4] + [event.loss for event in resumed.run({})] == losses
    assert state(tmp_path / "stopped") == state(directory)


def test_a_run_that_ended_can_be_made_longer(data, whole):
    longer = Trainer(replace(SHORT, steps=8), SHAPE, data, whole[1])
    longer.resume()
    assert [event.step for event in longer.run({})] == [7, 8]


OTHER = [{"batch_size": 4}, {"seed": 1}, {"learning_rate": 1e-3}, {"cell_levels": 2}, {"warmup": 9}, {"save_every": 3}]


@pytest.mark.parametrize("change", OTHER)
def test_a_run_of_other_settings_is_not_resumed(data, whole, change):
    with pytest.raises(ModelError, match=r"found a run of other settings or data, expected the same"):
        Trainer(replace(SHORT, **change), SHAPE, data, whole[1]).resume()


def test_a_run_on_other_data_or_of_another_shape_is_not_resumed(data, whole):
    with pytest.raises(ModelError, match=r"found a run of other settings or data"):
        Trainer(SHORT, SHAPE, replace(data, sha256="other"), whole[1]).resume()
    with pytest.raises(ModelError, match=r"training.safetensors: .*: found \(6.*\), expected \(12"):
        Trainer(SHORT, replace(SHAPE, channels=12), data, whole[1]).resume()


@pytest.mark.parametrize("damage", ["gone", "torn", "only weights"])
def test_damaged_training_state_is_refused(data, whole, damage):
    path = whole[1] / "training.safetensors"
    if damage == "gone":
        path.unlink()
    elif damage == "torn":
        path.write_bytes(path.read_bytes()[:-100])
    else:
        path.write_bytes((whole[1] / "model.safetensors").read_bytes())
    with pytest.raises(ModelError, match=r"(training.safetensors|whole): found .*, expected"):
        Trainer(SHORT, SHAPE, data, whole[1]).resume()
