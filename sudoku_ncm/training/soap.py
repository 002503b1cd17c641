"""SOAP: Adam's second moments kept in the eigenbases of a matrix's gradient covariances (Vyas and others, 2024).

Knows arrays, not training. Invariants: a parameter that is no matrix is updated as by AdamW; everything that an update
needs besides the gradient is in the optimizer's state, so a resumed run is bit for bit the run that was never stopped.
"""

import mlx.core as mx
import mlx.optimizers as optim

BASIS_EVERY = 10
"""Steps between two updates of the eigenbases."""
EPSILON = 1e-8
State = dict[str, mx.array]


class Soap(optim.Optimizer):
    """The optimizer; its `learning_rate` is set before every update, weight decay is decoupled, moments are unbiased.

    For a gradient `G [m, n]` the covariances `G Gᵀ` and `Gᵀ G` are averaged with decay `betas[1]`. The first step is
    AdamW's; its covariances are decomposed for the first bases, which orthogonal iteration turns as covariances change.
    """

    def __init__(self, betas: tuple[float, float], weight_decay: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.betas, self.weight_decay = betas, weight_decay
        self.learning_rate = 0.0

    def init_single(self, parameter: mx.array, state: State) -> None:
        """Zero moments; for a matrix `[m, n]` zero covariances, and the bases as identities."""
        state["mean"], state["square"] = mx.zeros_like(parameter), mx.zeros_like(parameter)
        if parameter.ndim == 2:
            for side, size in zip(("left", "right"), parameter.shape, strict=True):
                state[side], state[f"{side}_basis"] = mx.zeros((size, size)), mx.eye(size)

    def apply_single(self, gradient: mx.array, parameter: mx.array, state: State) -> mx.array:
        """The parameter after one step along `gradient`, which has its shape."""
        first, second = self.betas
        turned = _turned(gradient, state)
        state["mean"] = first * state["mean"] + (1 - first) * gradient
        state["square"] = second * state["square"] + (1 - second) * turned * turned
        steps = int(self.step.item())
        scale = mx.sqrt(state["square"] / (1 - second**steps)) + EPSILON
        update = _turned_back(_turned(state["mean"], state) / (1 - first**steps) / scale, state)
        if gradient.ndim == 2:
            self._follow("left", gradient @ gradient.T, state, steps)
            self._follow("right", gradient.T @ gradient, state, steps)
        moved: mx.array = parameter - self.learning_rate * (update + self.weight_decay * parameter)
        return moved

    def _follow(self, side: str, covariance: mx.array, state: State, step: int) -> None:
        """Average one side's covariance and, every so often, turn its basis towards the eigenvectors."""
        second = self.betas[1]
        state[side] = second * state[side] + (1 - second) * covariance
        if step == 1:
            state[f"{side}_basis"] = mx.linalg.eigh(state[side], stream=mx.cpu)[1][:, ::-1]
        elif step % BASIS_EVERY == 0:
            state[f"{side}_basis"] = mx.linalg.qr(state[side] @ state[f"{side}_basis"], stream=mx.cpu)[0]


def _turned(matrix: mx.array, state: State) -> mx.array:
    """A matrix `[m, n]` in the coordinates of its bases; a parameter without bases as it is."""
    return state["left_basis"].T @ matrix @ state["right_basis"] if "left_basis" in state else matrix


def _turned_back(matrix: mx.array, state: State) -> mx.array:
    return state["left_basis"] @ matrix @ state["right_basis"].T if "left_basis" in state else matrix
