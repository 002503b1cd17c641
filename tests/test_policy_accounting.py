"""Exit policies parse or are refused; the counts of work equal a count over masks made from the grid itself."""

import numpy as np
import pytest

from checker.board import BOXES, COLUMNS, ROWS
from sudoku_ncm.accounting import Cost, Seconds, Work, level_work, run_work
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.generator import GeneratorConfig
from sudoku_ncm.levels import Kind, LevelPlan
from sudoku_ncm.policy import ExitPolicy, Options

CHECKED = [("never", [7]), ("every", list(range(8))), ("from:5", [5, 6, 7]), ("at:2,4", [2, 4, 7]), ("at:7", [7])]
REFUSED = ["", "sometimes", "never:1", "every:", "from", "from:", "from:-1", "from:1,2", "at:", "at:1,", "at:x", "at:²"]


@pytest.mark.parametrize(("text", "levels"), CHECKED)
def test_a_policy_checks_the_levels_it_names_and_always_the_last(text, levels):
    policy = ExitPolicy.parse(text)
    assert policy.text == text
    assert [level for level in range(8) if policy.checks(level, last=7)] == levels


def test_the_last_level_is_checked_even_before_the_policy_starts():
    assert ExitPolicy.parse("from:20").checks(7, last=7)
    assert ExitPolicy.parse("at:20").checks(0, last=0)


@pytest.mark.parametrize("text", REFUSED)
def test_any_other_policy_is_refused_as_a_usage_error(text):
    expected = r"found \".*\", expected never, every, from:K, at:K,K,… .* or scheduled"
    with pytest.raises(UsageError, match=expected) as caught:
        ExitPolicy.parse(text)
    assert caught.value.exit_code == ExitCode.USAGE == 2


def test_the_default_is_to_check_every_level():
    assert Options().policy == ExitPolicy.parse("every")


def test_two_levels_in_eight_are_perturbed_but_the_first_eight_of_all():
    options = Options(temperature=0.5)
    assert [level for level in range(32) if options.noise_scale(0, level)] == [8, 9, 16, 17, 24, 25]
    assert [level for level in range(32) if options.noise_scale(1, level)] == [0, 1, 8, 9, 16, 17, 24, 25]
    assert [options.noise_scale(attempt, 8) for attempt in (0, 1, 2)] == [0.5, 0.75, 0.75]
    assert not any(Options(temperature=0).noise_scale(0, level) for level in range(32))


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), 101])
def test_a_temperature_that_is_none_is_refused(wrong):
    with pytest.raises(UsageError, match=f"temperature: found {wrong}, expected a number from 0 to 100"):
        Options(temperature=wrong)


def test_attempts_that_would_all_be_the_same_are_refused():
    with pytest.raises(UsageError, match="temperature 0: found 2 attempts, expected 1"):
        Options(attempts=2, temperature=0)


@pytest.fixture
def plan() -> LevelPlan:
    """Twelve levels of the default plan: one of box-rows, one of box-columns, ten of cells."""
    return GeneratorConfig().level_plan(12)


def cells(kind):
    """The positions of a kind as sets of cells, found on the 9 × 9 grid and not from coordinates."""
    lines = {Kind.BOX_ROW: ROWS, Kind.BOX_COLUMN: COLUMNS}
    if kind is Kind.CELL:
        return [{cell} for cell in range(81)]
    return [set(box.tolist()) & set(line.tolist()) for box in BOXES for line in lines[kind] if np.isin(box, line).any()]


def pairs(queries, keys):
    """Allowed pairs: both lie whole in one unit; a head of each axis counts its own."""
    return sum(int((lies_in(queries, units).T @ lies_in(keys, units)).sum()) for units in (ROWS, COLUMNS, BOXES))


def lies_in(positions, units):
    return np.array([[position <= set(unit) for position in positions] for unit in units.tolist()], dtype=int)


@pytest.mark.parametrize("kind", list(Kind))
def test_the_work_of_a_level_is_that_of_the_masks(kind):
    prefix, level = cells(Kind.CELL), cells(kind)
    alone = Work(len(level), pairs(level, level) + pairs(level, prefix))
    assert level_work(kind, with_prefix=False) == alone
    assert level_work(kind, with_prefix=True) == alone + Work(81, pairs(prefix, prefix))


def test_twelve_levels_take_945_positions_cached_and_1836_uncached(plan):
    assert run_work(plan.kinds, cached=True).positions == 945
    assert run_work(plan.kinds, cached=False).positions == 1836


def test_the_prefix_is_counted_once_when_cached_and_with_every_level_otherwise(plan):
    prefix = pairs(cells(Kind.CELL), cells(Kind.CELL))
    cached, uncached = (run_work(plan.kinds, cached) for cached in (True, False))
    assert uncached.pairs - cached.pairs == 11 * prefix
    assert uncached.positions - cached.positions == 11 * 81
    assert run_work([], cached=True) == Work()


def test_a_share_of_seconds_times_the_rows_is_the_whole():
    whole = Seconds(generator=3.0, decode=1.5, check=0.75, compaction=0.3)
    share = whole.share(3)
    assert (share.generator, share.decode, share.check) == (1.0, 0.5, 0.25)
    assert (share + share + share).total == pytest.approx(whole.total)


@pytest.mark.parametrize(("cached", "full"), [(True, 945), (False, 1836)])
def test_a_cost_puts_what_ran_beside_the_full_and_the_uncached_run(plan, cached, full):
    ran = list(plan.kinds[:3])
    work = run_work(ran, cached)
    cost = Cost.of(plan, ran, work, Seconds(0.2, 0.03, 0.004, 0.001), cached, cache_bytes=9)
    assert (cost.positions, cost.positions_full, cost.positions_uncached) == (work.positions, full, 378)
    assert (cost.pairs, cost.pairs_uncached) == (work.pairs, run_work(ran, cached=False).pairs)
    assert cost.pairs_full == run_work(plan.kinds, cached).pairs
    assert cost.cache_bytes == 9
    assert [cost.generator_ms, cost.decode_ms, cost.check_ms, cost.compaction_ms] == pytest.approx([200, 30, 4, 1])
