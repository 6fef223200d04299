"""Models with the methods of river: ``predict_one``, ``learn_one`` and their batches. River itself is not needed.

``predict_one`` is a pure read, so delayed labels work: ``progressive_val_score(..., delay=...)``.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._problem import problem
from ._values import failure

__all__ = ["Aggregator", "AggregatorClassifier"]

Features = Union[Mapping[Any, float], Sequence[float]]


class Aggregator:
    """Forecasts of several models put together online: a thin front of the combiner (docs/forecasts.md).

    ``x`` is what the models say, by name or in order, NaN or absent where one is missing; ``y`` the truth. ``models`` is
    their number or their names; left out, those of the first call. ``loss`` is a name or a convex function
    ``(forecast, actual) -> (value, slope)``. ``patience`` and ``members`` are those of :func:`hannan.combine`.

    >>> from hannan.river import Aggregator
    >>> model = Aggregator(loss="absolute")
    >>> for y in (0.0, 1.0, 1.0, 0.0):
    ...     p = model.predict_one({"good": y, "bad": 0.5})
    ...     model = model.learn_one({"good": y, "bad": 0.5}, y)
    >>> model.predict_one({"good": 1.0, "bad": 0.5}) > 0.75
    True
    """

    def __init__(self, models: Union[None, int, Sequence[Any]] = None, loss: Any = "squared", patience: int = 100,
                 members: Optional[Sequence[str]] = None) -> None:
        self.models, self.loss, self.patience, self.members = models, loss, patience, members
        self._names: Optional[list[Any]] = None
        self._combiner: Optional[_core.Combiner] = None
        if models is not None:
            self._start(list(range(models)) if isinstance(models, int) else list(models))

    def _start(self, names: list[Any]) -> None:
        self._combiner = _core.Combiner([str(name) for name in names], self.loss, list(self.members or ()), self.patience)
        self._names = names

    def _said(self, x: Features) -> np.ndarray:
        if isinstance(x, Mapping):
            if self._names is None:
                self._start(list(x))
            assert self._names is not None
            if isinstance(self.models, int) and self._names == list(range(self.models)) and set(x) != set(self._names):
                if len(x) > self.models:
                    raise failure(_core.DataError, "H203", f"found {list(x)}, expected {self.models} models", "x")
                if self._combiner is not None and self._combiner.rounds == 0:
                    self._start(list(x) if len(x) == self.models else self._names)
            for name in x:
                if name not in self._names:
                    raise failure(_core.UsageError, "H106", f"found the model {name!r}, expected one of {self._names}", "x")
            return np.array([[x.get(name, np.nan) for name in self._names]], dtype=np.float64)
        said = np.asarray(x, dtype=np.float64)
        if self._names is None and said.ndim == 1:
            self._start(list(range(said.shape[0])))
        assert self._names is not None
        if said.shape != (len(self._names),):
            raise failure(_core.DataError, "H203", f"found {said.shape}, expected {len(self._names)} numbers", "x")
        return said.reshape(1, -1)

    def predict_one(self, x: Features) -> float:
        """The combined forecast; changes nothing."""
        said = self._said(x)
        assert self._combiner is not None
        return float(self._combiner.peek(said)[1][0])

    def learn_one(self, x: Features, y: float) -> "Aggregator":
        """Forecasts ``x`` with what is known and settles it at once; with late labels: :meth:`issue`."""
        self.learn_ticket(self.issue(x), y)
        return self

    def issue(self, x: Features) -> int:
        """Forecasts ``x`` and waits for its truth: the ticket of :meth:`learn_ticket`."""
        said = self._said(x)
        assert self._combiner is not None
        return int(self._combiner.forecast(said)[0])

    def learn_ticket(self, ticket: int, y: float) -> "Aggregator":
        """Tells the truth of a forecast that :meth:`issue` made."""
        assert self._combiner is not None
        self._combiner.tell(ticket, 0, float(y))
        return self

    def predict_many(self, X: Any) -> np.ndarray:
        """What :meth:`predict_one` says of every row."""
        return np.array([self.predict_one(x) for x in _rows(X)])

    def learn_many(self, X: Any, y: Any) -> "Aggregator":
        """The same as :meth:`learn_one` row by row."""
        for x, truth in zip(_rows(X), np.asarray(y)):
            self.learn_one(x, truth)
        return self

    def weights(self, x: Features) -> dict[Any, float]:
        """How much of the forecast of ``x`` each model makes up; the median's part as "median"."""
        said = self._said(x)
        assert self._combiner is not None and self._names is not None
        return dict(zip([*self._names, "median"], self._combiner.peek(said)[2][0].tolist()))

    @property
    def total(self) -> float:
        """The summed loss of what was published."""
        return 0.0 if self._combiner is None else self._combiner.total

    @property
    def certificate(self) -> dict[str, Any]:
        """What is proven of this run (docs/forecasts.md)."""
        return {} if self._combiner is None else self._combiner.certificate()

    def save(self) -> bytes:
        """The state as bytes; empty before the first forecast. Pickles hold the same."""
        return b"" if self._combiner is None else self._combiner.save()

    def clone(self) -> "Aggregator":
        """A new model with the same parameters, as river's clone makes it."""
        return type(self)(self.models, self.loss, self.patience, self.members)

    def __getstate__(self) -> dict[str, Any]:
        return {**{name: value for name, value in self.__dict__.items() if name != "_combiner"}, "_state": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_state")
        self.__dict__.update(state, _combiner=None)
        if self._names is not None:
            self._start(self._names)
            assert self._combiner is not None
            self._combiner.load(saved)


class AggregatorClassifier:
    """Labels of several experts: says what the chosen expert says, or the label of the larger weight.

    ``experts`` is their number; ``kind``, ``seed`` and ``params`` are those of the ``learner`` that chooses.
    """

    def __init__(self, experts: int, kind: str = "flipflop", seed: int = 0, **params: Any) -> None:
        self.experts, self.kind, self.seed, self.params = experts, kind, seed, params
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

    def learn_one(self, x: Features, y: float) -> "AggregatorClassifier":
        """A round: every expert whose label is not ``y`` made a mistake."""
        losses = (self._said(x) != float(y)).astype(np.float64)
        self.learner.observe(losses)
        if self._names is None and isinstance(x, Mapping):
            self._names = list(x)
        return self

    def predict_proba_one(self, x: Features) -> dict[float, float]:
        """The weight of each label that an expert gives; changes nothing."""
        said = self._said(x)
        weights = self.learner.decision.weights
        if weights is None:
            return {float(said[self.learner.act()]): 1.0}
        shares: dict[float, float] = {}
        for label, weight in zip(said.tolist(), weights.tolist()):
            shares[label] = shares.get(label, 0.0) + weight
        return shares

    def predict_one(self, x: Features) -> float:
        """The label of the largest weight, of equals the smallest; changes nothing."""
        shares = self.predict_proba_one(x)
        return max(shares, key=lambda label: (shares[label], -label))

    def predict_many(self, X: Any) -> np.ndarray:
        """What :meth:`predict_one` says of every row."""
        return np.array([self.predict_one(x) for x in _rows(X)])

    def learn_many(self, X: Any, y: Any) -> "AggregatorClassifier":
        """The same as :meth:`learn_one` row by row."""
        for x, truth in zip(_rows(X), np.asarray(y)):
            self.learn_one(x, truth)
        return self

    @property
    def regret(self) -> float:
        """Mistakes so far less those of the best expert."""
        return self.learner.regret

    @property
    def bound(self) -> Optional[float]:
        """What the learner's ``bound`` says; None where there is none."""
        return self.learner.bound

    def clone(self) -> "AggregatorClassifier":
        """A new model with the same parameters, as river's clone makes it."""
        return type(self)(self.experts, self.kind, self.seed, **self.params)


def _rows(X: Any) -> Any:
    if hasattr(X, "to_dict"):  # a frame of pandas
        return X.to_dict(orient="records")
    return X
