"""Threads: how many there are, and that their number changes no number."""

import json
import threading

import mlx.core as mx
import numpy as np
import pytest
from running import ncm
from scripted import ScriptedSolver, never

from sudoku_ncm import threads as module
from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.engine import Engine
from sudoku_ncm.errors import UsageError
from sudoku_ncm.evaluation.bench import bench
from sudoku_ncm.field import empty_field
from sudoku_ncm.launch import ranks_here
from sudoku_ncm.levels import Kind
from sudoku_ncm.policy import Options
from sudoku_ncm.streams import LARGEST, groups_of, waves
from sudoku_ncm.threads import SMALLEST, VARIABLE, lanes, limited, threads


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """No wish, and no share remembered from another test."""
    monkeypatch.delenv(VARIABLE, raising=False)
    module._share.cache_clear()
    yield
    module._share.cache_clear()


def test_a_process_has_its_share_of_the_cores(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    for ranks, share in ((1, 8), (2, 4), (3, 2), (16, 1)):
        module._share.cache_clear()
        monkeypatch.setattr("sudoku_ncm.launch.ranks_here", lambda ranks=ranks: ranks)
        assert threads() == share


def test_only_ranks_of_the_same_machine_share_its_cores(monkeypatch, tmp_path):
    assert ranks_here() == 1
    hosts = tmp_path / "hosts.json"
    hosts.write_text(json.dumps([["10.0.0.1:5000"], ["10.0.0.2:5000"], ["10.0.0.1:5001"]]))
    monkeypatch.setenv("MLX_HOSTFILE", str(hosts))
    for rank, here in (("0", 2), ("1", 1), ("2", 2)):
        monkeypatch.setenv("MLX_RANK", rank)
        assert ranks_here() == here
    monkeypatch.delenv("MLX_RANK")
    monkeypatch.setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4")
    assert ranks_here() == 4


@pytest.mark.parametrize("damaged", ["two", "0", "-1"])
def test_a_number_of_mpi_ranks_that_is_none_is_refused(monkeypatch, damaged):
    monkeypatch.setenv("PMI_SIZE", damaged)
    with pytest.raises(UsageError, match=f'PMI_SIZE: found "{damaged}", expected a positive number of ranks'):
        ranks_here()


def test_a_wish_for_threads_is_granted_and_a_limit_goes_before_it(monkeypatch):
    monkeypatch.setenv(VARIABLE, "3")
    assert threads() == 3
    with limited(1):
        assert threads() == 1
    assert threads() == 3


@pytest.mark.parametrize("wish", ["0", "two", "-1", "1.5", "²"])
def test_a_wish_that_is_no_positive_number_is_refused(monkeypatch, wish):
    monkeypatch.setenv(VARIABLE, wish)
    with pytest.raises(UsageError, match=f'{VARIABLE}: found "{wish}", expected a positive number'):
        threads()


def test_a_bad_wish_ends_a_command_in_one_line(monkeypatch):
    monkeypatch.setenv(VARIABLE, "many")
    done = ncm("solve", "puzzles/one.txt")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"sudoku-ncm: {VARIABLE}: found")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("batch", [1, 7, 8, 9, 17, 21, 33, 64, 100])
def test_every_row_is_in_one_group_and_every_thread_has_as_many_groups(batch, count):
    with limited(count):
        groups, used = groups_of(batch), lanes(batch)
    assert [row for group in groups for row in range(batch)[group]] == list(range(batch))
    sizes = [len(range(batch)[group]) for group in groups]
    assert max(sizes) <= LARGEST
    assert min(sizes) >= min(SMALLEST, batch)
    assert max(sizes) - min(sizes) <= 1
    assert (len(groups) % used, used) == (0, max(1, min(count, batch // SMALLEST)))


def test_another_device_gets_a_batch_whole(monkeypatch):
    monkeypatch.setattr("sudoku_ncm.streams._on_processor", lambda: False)
    with limited(2):
        assert groups_of(100) == [slice(0, 100)]
        assert waves(100) == [[(slice(0, 100), mx.default_stream(mx.default_device()))]]


def test_a_wave_has_one_group_a_thread_and_every_thread_its_stream():
    with limited(2):
        assert [group for wave in waves(70) for group, _ in wave] == groups_of(70)
        used = [[str(stream) for _, stream in wave] for wave in waves(70)]
        assert used == [[str(stream) for _, stream in waves(8)[0]]] * 3
        assert len(set(used[0])) == 2
    with limited(1):
        assert [[str(stream) for _, stream in wave] for wave in waves(48)] == [[str(mx.default_stream(mx.cpu))]] * 3


def test_a_wave_is_computed_before_the_next_begins(tiny, clues, monkeypatch):
    many = mx.array(np.concatenate([clues] * 8)[:40].astype(np.int32))
    with limited(1):
        once = tiny(empty_field(40), Kind.CELL, PrefixCache(many))
        seen, evaluate = [], mx.eval
        monkeypatch.setattr(mx, "eval", lambda parts: seen.append([len(part) for part in parts]) or evaluate(parts))
        again = tiny(empty_field(40), Kind.CELL, PrefixCache(many))
    assert seen == [[], [13], [13, 13]]
    assert mx.array_equal(once, again)


def test_one_thread_and_several_make_the_same_fields_bit_for_bit(tiny, clues):
    many = np.concatenate([clues] * 8)[:19]
    seen = []
    for count in (1, 2, 3):
        with limited(count):
            steps = list(Engine(tiny).open(many, Options(levels=4)))
        seen.append([step.decoded.fields.tobytes() for step in steps])
    assert seen[0] == seen[1] == seen[2]


def test_another_thread_of_the_program_may_run_an_engine_too(tiny, clues):
    many, found = np.concatenate([clues] * 8)[:16], []

    def run():
        model = type(tiny)(tiny.config)
        mx.eval(model.parameters())
        with limited(2):
            found.append(len(list(Engine(model).open(many, Options(levels=3)))))

    for _ in range(2):
        other = threading.Thread(target=run)
        other.start()
        other.join()
    assert found == [3, 3]


def test_a_benchmark_runs_each_variant_in_the_threads_its_row_says(clues):
    seen = []

    class Watched(ScriptedSolver):
        def open(self, puzzles, options):
            seen.append(threads())
            return super().open(puzzles, options)

    with limited(3):
        rows = list(bench(Watched(never), np.concatenate([clues] * 8)[:16], 1, ("never",), repeat=1))
    assert [row.threads for row in rows] == [1, 1, 3, 3]
    assert seen[: len(rows)] == [1, 1, 3, 3]
