"""Models with the methods of river: ``predict_one``, ``learn_one`` and their batches. River itself is not needed.

``predict_one`` is a pure read, so delayed labels work: ``progressive_val_score(..., delay=...)``.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._problem import problem
from ._values import failure

__all__ = ["Aggregator", "AggregatorClassifier"]

Features = Union[Mapping[Any, float], Sequence[float]]

_LOSSES: dict[str, Callable[[Any, float], Any]] = {
    "absolute": lambda said, truth: np.abs(said - truth),
    "squared": lambda said, truth: (said - truth) ** 2,
    "zero-one": lambda said, truth: (said != truth).astype(np.float64),
}


class Aggregator:
    """What several experts say, put together online, with a bound on the regret against the best of them.

    ``x`` is what the experts say, by name or in order; ``y`` the truth. Losses must lie in [0, scale].

    >>> from hannan.river import Aggregator
    >>> model = Aggregator(experts=2, loss="absolute", kind="adahedge")
    >>> for y in (0.0, 1.0, 1.0, 0.0):
    ...     p = model.predict_one({"good": y, "bad": 0.5})
    ...     model = model.learn_one({"good": y, "bad": 0.5}, y)
    >>> model.predict_one({"good": 1.0, "bad": 0.5}) > 0.75, model.regret <= model.bound
    (True, True)
    """

    def __init__(self, experts: int, loss: str = "absolute", kind: str = "adahedge", seed: int = 0,
                 scale: float = 1.0, **params: Any) -> None:
        if loss not in _LOSSES:
            raise failure(_core.UsageError, "H106", f"found {loss!r}, expected one of {', '.join(_LOSSES)}", "loss")
        self.experts, self.loss, self.kind, self.seed, self.scale = experts, loss, kind, seed, scale
        self.params = params
        self._names: Optional[list[Any]] = None
        self.learner = problem("experts", experts=experts, losses=True).learner(kind, seed=seed, **params)

    def _said(self, x: Features) -> np.ndarray:
        if isinstance(x, Mapping):
            names = self._names if self._names is not None else list(x)
            if len(x) != self.experts or any(name not in x for name in names):
                raise failure(_core.DataError, "H203", f"found {list(x)}, expected the experts {names}", "x")
            return np.array([x[name] for name in names], dtype=np.float64)
        said = np.asarray(x, dtype=np.float64)
        if said.shape != (self.experts,):
            raise failure(_core.DataError, "H203", f"found {said.shape}, expected {self.experts} numbers", "x")
        return said

    def _losses(self, x: Features, y: float) -> np.ndarray:
        return _LOSSES[self.loss](self._said(x), float(y)) / self.scale

    def _remember(self, x: Features) -> None:
        if self._names is None and isinstance(x, Mapping):
            self._names = list(x)

    def predict_one(self, x: Features) -> float:
        """The mean of what the experts say by their weights, or what the chosen expert says."""
        said = self._said(x)
        weights = self.learner.decision.weights
        return float(said @ weights) if weights is not None else float(said[self.learner.act()])

    def learn_one(self, x: Features, y: float) -> "Aggregator":
        losses = self._losses(x, y)
        self.learner.observe(losses)
        self._remember(x)
        return self

    def predict_many(self, X: Any) -> np.ndarray:
        """What :meth:`predict_one` says of every row."""
        return np.array([self.predict_one(x) for x in _rows(X)])

    def learn_many(self, X: Any, y: Any) -> "Aggregator":
        """The same as :meth:`learn_one` row by row."""
        rows = list(_rows(X))
        if rows:
            self._remember(rows[0])
            self.learner.play(np.array([self._losses(x, truth) for x, truth in zip(rows, np.asarray(y))]))
        return self

    @property
    def regret(self) -> float:
        """The loss so far less that of the best expert, in units of the loss."""
        return self.learner.regret * self.scale

    @property
    def bound(self) -> Optional[float]:
        bound = self.learner.bound
        return None if bound is None else bound * self.scale

    def clone(self) -> "Aggregator":
        """A new model with the same parameters, as river's clone makes it."""
        return type(self)(self.experts, self.loss, self.kind, self.seed, self.scale, **self.params)


class AggregatorClassifier(Aggregator):
    """The same for labels: says what the chosen expert says, or the label of the larger weight."""

    def __init__(self, experts: int, loss: str = "zero-one", kind: str = "flipflop", seed: int = 0,
                 scale: float = 1.0, **params: Any) -> None:
        super().__init__(experts, loss, kind, seed, scale, **params)

    def predict_proba_one(self, x: Features) -> dict[float, float]:
        said = self._said(x)
        weights = self.learner.decision.weights
        if weights is None:
            return {float(said[self.learner.act()]): 1.0}
        shares: dict[float, float] = {}
        for label, weight in zip(said.tolist(), weights.tolist()):
            shares[label] = shares.get(label, 0.0) + weight
        return shares

    def predict_one(self, x: Features) -> float:
        shares = self.predict_proba_one(x)
        return max(shares, key=lambda label: (shares[label], -label))


def _rows(X: Any) -> Any:
    if hasattr(X, "to_dict"):  # a frame of pandas
        return X.to_dict(orient="records")
    return X
