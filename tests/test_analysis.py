"""The analytic artifact says what the review says, to the last digit."""

from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sudoku_ncm.commands import analyze
from sudoku_ncm.evaluation import analysis
from sudoku_ncm.evaluation.speculation import (
    accepted_mass,
    expected_commits,
    fractions,
    greedy,
    output,
    total_variation,
)

weights = st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any)


def test_the_published_counts_of_the_larger_configuration_come_out():
    counts = analysis.artifact()["e20"]
    assert (counts["levels"], counts["level_positions"]) == (12, 314)
    assert (counts["positions_repeated"], counts["positions_once"], counts["positions_removed"]) == (1286, 395, 891)
    assert (counts["pairs_repeated"], counts["pairs_once"]) == (120392, 48221)


def test_the_published_payload_comes_out():
    artifact = analysis.artifact()
    assert artifact["e20_payload_bytes"] == 1327104
    assert artifact["e20_payload_bytes_batch_64"] == 81 * 2**20


def test_a_one_token_prefix_saves_little():
    counts = analysis.artifact()["tinyworld"]
    assert (counts["positions_repeated"], counts["positions_once"]) == (69, 64)


def test_our_plan_of_twelve_levels_saves_eleven_prefixes():
    twelve = analysis.artifact()["own_plan"][0]
    assert (twelve["positions_repeated"], twelve["positions_once"]) == (1836, 945)


@given(weights, weights)
def test_speculative_sampling_gives_the_target_for_any_proposal(p, q):
    target, proposal = fractions(*p), fractions(*q)
    assert output(target, proposal) == target
    assert sum(accepted_mass(target, proposal)) == 1 - total_variation(target, proposal)


def test_expected_commits_is_a_geometric_sum():
    assert expected_commits(Fraction(1, 2), 4) == Fraction(31, 16)


@pytest.mark.parametrize(("drafts", "rounds"), [([1, 2, 3], 1), ([1, 9, 3], 2), ([], 4)])
def test_greedy_verification_keeps_the_matching_prefix_only(drafts, rounds):
    def target(text):
        return len(text) + 1

    text, used = greedy(target, lambda text: drafts if not text else [3, 4][len(text) - 2 :] if drafts else [], 4)
    assert (text, used) == ([1, 2, 3, 4], rounds)


def test_every_identity_of_the_artifact_holds():
    speculation = analysis.artifact()["speculation"]
    assert all(fixture["output_is_target"] for fixture in speculation["fixtures"].values())
    assert all(f["acceptance"] == f["one_minus_tv"] for f in speculation["fixtures"].values())
    assert speculation["two_latent_mixture_is_target"]
    assert all(run["same_text"] for run in speculation["greedy"].values())
    assert speculation["greedy"]["oracle"]["rounds"] < speculation["greedy"]["lookup"]["rounds"]
    assert speculation["greedy"]["wrong"]["rounds"] == speculation["greedy"]["no draft"]["rounds"]


def test_the_stored_artifact_agrees():
    assert CliRunner().invoke(analyze.command, ["--check"], standalone_mode=False).return_value == 0


def test_a_stored_artifact_with_one_other_digit_is_found(tmp_path, monkeypatch):
    changed = tmp_path / "analysis.json"
    changed.write_text(analyze.STORED.read_text().replace("1286", "1287"))
    monkeypatch.setattr(analyze, "STORED", changed)
    result = CliRunner().invoke(analyze.command, ["--check"], standalone_mode=False)
    assert result.return_value == 1
    assert 'found "positions_repeated": 1287,, expected "positions_repeated": 1286,' in result.stderr
