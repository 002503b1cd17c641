"""The profile of a level: its walk is the level, its lines add up."""

import numpy as np
import pytest

from sudoku_ncm.flops import Part, Rates
from sudoku_ncm.levels import Kind
from sudoku_ncm.profiling import EMPTY, LEVEL, REST, RUN, Stopwatch, generate, profile, walk
from sudoku_ncm.streams import LARGEST

KINDS = (Kind.BOX_ROW, Kind.BOX_COLUMN, Kind.CELL)


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_walk_computes_what_the_level_does_bit_for_bit(tiny, clues, levels):
    before, after, cache = generate(tiny, clues, KINDS[:levels])
    watch = Stopwatch()
    walked = walk(tiny, before, KINDS[levels - 1], cache, watch)
    assert np.array(walked).tobytes() == np.array(after).tobytes()
    assert set(watch.seconds) == set(Part)
    assert watch.evaluations[Part.QKV] == len(tiny.blocks)


def test_parts_and_the_rest_add_up_to_the_whole_level(tiny, clues):
    first, *lines = profile(tiny, clues[:2], 4, Rates(1e9, 1e9), repeat=1)
    parts, (total, rest, level, run) = lines[: len(Part)], lines[len(Part) :]
    assert [line.part for line in parts] == list(Part)
    assert (first.part, rest.part, level.part, run.part) == (EMPTY, REST, f"{LEVEL}, cell", RUN)
    assert total.us_per_puzzle == pytest.approx(sum(line.us_per_puzzle for line in parts))
    assert (rest.evaluations, total.evaluations) == (None, sum(line.evaluations for line in parts))
    assert (level.percent_of_level, run.evaluations) == (100, 4)


def test_a_batch_is_walked_through_in_the_groups_it_is_computed_in(tiny, clues):
    many = np.resize(clues, (LARGEST + 1, 81))
    one, two = (
        {line.part: line.evaluations for line in profile(tiny, many[:size], 3, Rates(1e9, 1e9), repeat=1)}
        for size in (LARGEST, LARGEST + 1)
    )
    assert two[Part.QKV] == 2 * one[Part.QKV] == 2 * len(tiny.blocks)


def test_products_have_counts_and_only_whole_levels_and_runs_a_floor(tiny, clues):
    lines = {line.part: line for line in profile(tiny, clues[:2], 3, Rates(1e9, 1e12), repeat=1)}
    assert lines[Part.QKV].mflop == 2 * 2 * 729 * 12 * 36 / 1e6
    assert lines[Part.SOFTMAX].mflop is lines[Part.QKV].floor_us is None
    level = lines[f"{LEVEL}, cell"]
    assert level.floor_us == pytest.approx(1e3 * level.mflop)
    assert level.times_floor == pytest.approx(level.us_per_puzzle / level.floor_us)
    assert lines[RUN].mflop > level.mflop
