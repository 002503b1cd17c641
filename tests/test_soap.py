"""The optimizer is AdamW where there is no matrix, and knows the directions of a matrix's gradients."""

import mlx.core as mx
import mlx.optimizers as optim
import numpy as np
import pytest

from sudoku_ncm.training.soap import BASIS_EVERY, Soap

BETAS = (0.9, 0.98)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def run(optimizer, start, gradients, rate=1e-2):
    """Where `start` is after the steps along `gradients`."""
    parameters = {"w": mx.array(start)}
    optimizer.init(parameters)
    for gradient in gradients:
        optimizer.learning_rate = rate
        parameters = optimizer.apply_gradients({"w": mx.array(gradient)}, parameters)
    return np.array(parameters["w"])


@pytest.mark.parametrize(("shape", "steps"), [((7,), 25), ((3, 2, 5), 25), ((4, 6), 1)])
def test_what_is_no_matrix_and_the_first_step_of_one_are_updated_as_by_adamw(rng, shape, steps):
    start, gradients = rng.normal(size=shape).astype(np.float32), rng.normal(size=(steps, *shape)).astype(np.float32)
    adamw = optim.AdamW(1e-2, betas=list(BETAS), weight_decay=0.1, bias_correction=True)
    assert np.allclose(run(Soap(BETAS, 0.1), start, gradients), run(adamw, start, gradients), atol=1e-5)


def test_the_bases_follow_the_covariances(rng):
    scales = np.diag([8.0, 4, 2, 1])
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    gradients = (turn @ scales @ rng.normal(size=(100 * BASIS_EVERY, 4, 64)) / 8).astype(np.float32)
    optimizer = Soap(BETAS, 0.0)
    run(optimizer, np.zeros((4, 64), np.float32), gradients)
    basis = np.array(optimizer.state["w"]["left_basis"])
    assert np.allclose(basis.T @ basis, np.eye(4), atol=1e-4)
    assert np.abs(np.sum(basis * turn, axis=0)) == pytest.approx(1, abs=0.05)


def test_a_valley_across_the_coordinates_is_descended_further_than_by_adamw(rng):
    sides = [np.linalg.qr(rng.normal(size=(8, 8)))[0] @ np.diag(np.logspace(0, -2, 8)) for _ in range(2)]
    left, right = (mx.array(side.astype(np.float32)) for side in sides)
    target = mx.array(rng.normal(size=(8, 8)).astype(np.float32))

    def loss(parameters):
        return ((left.T @ (parameters["w"] - target) @ right) ** 2).sum()

    def descended(optimizer):
        parameters = {"w": mx.zeros((8, 8))}
        optimizer.init(parameters)
        for step in range(300):
            optimizer.learning_rate = 0.1 * (1 - step / 300)
            parameters = optimizer.apply_gradients(mx.grad(loss)(parameters), parameters)
        return loss(parameters).item()

    adamw = optim.AdamW(0.1, betas=list(BETAS), weight_decay=0.0, bias_correction=True)
    assert descended(Soap(BETAS, 0.0)) < descended(adamw) / 3
