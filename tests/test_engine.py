"""The engine behind the door: rows leave when verified, and nothing else about them changes."""

from dataclasses import replace

import numpy as np
import pytest

from checker.generate import puzzles
from sudoku_ncm.accounting import run_work
from sudoku_ncm.engine import Engine, gumbel_noise
from sudoku_ncm.evaluation.compare import never_passes
from sudoku_ncm.evaluation.run import is_solution
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import drain

OPTIONS = Options(levels=6)


def policy(text):
    return replace(OPTIONS, policy=ExitPolicy.parse(text))


def ending(outcome):
    return outcome.board.tolist(), outcome.solved, outcome.level, outcome.attempt, outcome.levels_executed


@pytest.fixture(scope="module")
def mixed():
    """Puzzles that leave at different levels: full boards but one cell, easy ones and minimal ones, `[9, 81]`."""
    return np.stack([p for lo, hi in ((80, 80), (34, 40), (17, 30)) for p, _ in puzzles(3, 11, lo, hi, lo == 17)])


def test_rows_leave_at_different_levels_and_every_solved_board_is_one(bundled, mixed):
    outcomes = drain(bundled.open(mixed, OPTIONS))
    assert len({(o.solved, o.level) for o in outcomes}) > 1
    solved = [(o.board, clues) for o, clues in zip(outcomes, mixed, strict=True) if o.solved]
    assert len(solved) >= 3
    assert all(is_solution(board, clues) for board, clues in solved)


@pytest.mark.parametrize(("retry", "later"), [(None, 5), (3, 3), (9, 5)])
def test_later_attempts_run_as_many_levels_as_asked_for_and_check_the_last(tiny, clues, retry, later):
    options = Options(levels=5, policy=ExitPolicy.parse("never"), attempts=3, retry_levels=retry)
    session = Engine(tiny, never_passes).open(clues[:2], options)
    steps = list(session)
    planned = [(attempt, level) for attempt, count in enumerate((5, later, later)) for level in range(count)]
    assert [(step.attempt, step.level) for step in steps] == planned
    checked = [(step.attempt, step.level) for step in steps if step.decoded]
    assert checked == [(0, 4), (1, later - 1), (2, later - 1)]
    assert [outcome.levels_executed for outcome in session.outcomes()] == [5 + 2 * later] * 2


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_compaction_and_batch_size_change_no_outcome(bundled, mixed, batch):
    options = replace(OPTIONS, attempts=2)
    together = [ending(o) for o in drain(bundled.open(mixed, options))]
    parts = [drain(bundled.open(mixed[at : at + batch], options)) for at in range(0, len(mixed), batch)]
    assert [ending(o) for part in parts for o in part] == together


def test_caching_changes_no_outcome_but_the_positions(bundled, mixed):
    cached, uncached = (drain(bundled.open(mixed, replace(OPTIONS, cached=on))) for on in (True, False))
    assert [ending(o) for o in cached] == [ending(o) for o in uncached]
    assert all(
        c.cost.positions <= u.cost.positions == c.cost.positions_uncached for c, u in zip(cached, uncached, strict=True)
    )


def test_the_order_of_a_batch_changes_no_outcome(bundled, mixed):
    options = replace(OPTIONS, attempts=2)
    forward, backward = drain(bundled.open(mixed, options)), drain(bundled.open(mixed[::-1], options))
    assert [ending(o) for o in forward] == [ending(o) for o in backward[::-1]]


def test_a_rewound_session_equals_a_fresh_one(bundled, mixed):
    fresh = bundled.open(mixed, OPTIONS)
    expected = [step.decoded.fields for step in fresh]
    session = bundled.open(mixed, OPTIONS)
    steps = [next(session) for _ in range(4)]
    assert len(steps[0].rows) > len(steps[3].rows)
    session.rewind(0, 1)
    again = [step.decoded.fields for step in session]
    assert len(again) == len(expected) - 1
    assert all((a == b).all() for a, b in zip(again, expected[1:], strict=True))
    assert [ending(o) for o in session.outcomes()] == [ending(o) for o in fresh.outcomes()]


@pytest.mark.parametrize("level", [0, 1])
def test_a_level_computed_again_costs_what_it_did(bundled, mixed, level):
    session = bundled.open(mixed[-1:], OPTIONS)
    first = [next(session) for _ in range(3)][level]
    session.rewind(0, level)
    assert next(session).work == first.work


def test_rewinding_to_a_level_that_was_not_reached_is_refused(bundled, mixed):
    session = bundled.open(mixed, OPTIONS)
    next(session)
    with pytest.raises(ValueError, match="was not reached"):
        session.rewind(0, 1)


def test_never_decodes_once_at_the_end(bundled, mixed):
    steps = list(bundled.open(mixed, policy("never")))
    assert [step.decoded is not None for step in steps] == [False] * 5 + [True]


def test_at_checks_the_named_levels_and_the_last(bundled, mixed):
    session = Engine(bundled.model, never_passes).open(mixed[-1:], policy("at:1,3"))
    checked = [step.level for step in session if step.decoded]
    assert checked == [1, 3, 5]


def test_a_policy_that_checks_less_solves_no_other_board(bundled, mixed):
    every, late = (drain(bundled.open(mixed, policy(text))) for text in ("every", "from:3"))
    for a, b in zip(every, late, strict=True):
        assert not (a.solved and b.solved) or (b.board == a.board).all()


def test_a_later_attempt_is_noisy_and_keeps_the_prefix(bundled, mixed):
    hard = Options(levels=2, attempts=3)
    steps = list(bundled.open(mixed[-1:], hard))
    first = [step for step in steps if step.level == 1]
    assert [step.work.positions for step in steps][:4] == [81 + 27, 27, 27, 27]
    assert len(first) == 3
    assert not (first[0].decoded.fields == first[1].decoded.fields).all()
    assert not (first[1].decoded.fields == first[2].decoded.fields).all()


def test_a_warmer_generation_is_the_same_until_its_first_perturbed_level(bundled, mixed):
    options = replace(OPTIONS, levels=10)
    cold, warm = (
        list(Engine(bundled.model, never_passes).open(mixed[-2:], replace(options, temperature=scale)))
        for scale in (0, 3)
    )
    same = [bool((c.decoded.fields == w.decoded.fields).all()) for c, w in zip(cold, warm, strict=True)]
    assert same == [True] * 8 + [False] * 2
    assert [step.noise for step in warm] == [0] * 8 + [3] * 2


def test_batch_size_and_caching_change_no_perturbed_field(bundled, mixed):
    engine, options = Engine(bundled.model, never_passes), replace(OPTIONS, levels=10, attempts=2)

    def fields(clues, options):
        return np.stack([step.decoded.fields for step in engine.open(clues, options)], axis=1)

    together = fields(mixed[:4], options)
    assert (together == fields(mixed[:4], replace(options, cached=False))).all()
    assert all((together[row] == fields(mixed[row : row + 1], options)[0]).all() for row in range(4))


def test_a_session_rewound_over_a_perturbed_level_equals_a_fresh_one(bundled, mixed):
    session = Engine(bundled.model, never_passes).open(mixed[-2:], replace(OPTIONS, levels=10))
    first = list(session)
    session.rewind(0, 8)
    assert all((a.decoded.fields == b.decoded.fields).all() for a, b in zip(session, first[8:], strict=True))


def test_noise_belongs_to_the_puzzle_seed_attempt_and_level(clues):
    def noise(rows, seed=0, attempt=1, level=0):
        return np.array(gumbel_noise(clues[rows], seed, attempt, level, 27))

    assert (noise([0, 1])[1] == noise([1])[0]).all()
    others = [noise([0]), noise([0], seed=1), noise([0], attempt=2), noise([0], level=1), noise([2])]
    assert len({other.tobytes() for other in others}) == 5


def test_the_best_unverified_board_is_kept(tiny, clues):
    outcome = drain(Engine(tiny).open(clues[:1], replace(OPTIONS, attempts=2)))[0]
    assert not outcome.solved
    assert outcome.levels_executed == 12
    assert outcome.board.shape == (81,)


def test_costs_are_the_sums_of_the_levels_run(bundled, mixed):
    session = bundled.open(mixed[-1:], OPTIONS)
    steps = list(session)
    cost = session.outcomes()[0].cost
    assert cost.positions == sum(step.work.positions for step in steps)
    assert cost.pairs == run_work([step.kind for step in steps], True).pairs
    assert cost.generator_ms == pytest.approx(1e3 * sum(step.seconds.generator for step in steps))
    assert cost.cache_bytes == steps[0].cache_bytes


@pytest.mark.parametrize("shape", [(81,), (0, 81), (2, 80)])
def test_puzzles_of_another_shape_are_refused(bundled, shape):
    with pytest.raises(ValueError, match=r"expected \[B, 81\]"):
        bundled.open(np.zeros(shape, np.int8), OPTIONS)


def test_peeking_shows_the_field_of_an_unchecked_level_and_charges_nothing(bundled, mixed):
    peeked, plain = bundled.open(mixed[-1:], policy("never")), bundled.open(mixed[-1:], policy("every"))
    assert peeked.peek() is None
    assert next(peeked).decoded is None
    assert (peeked.peek().fields == next(plain).decoded.fields).all()
    assert peeked.outcomes()[0].cost.decode_ms == 0
