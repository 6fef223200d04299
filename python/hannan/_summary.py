"""Outcomes as a linear summary, which parts of a log make anywhere and which add up exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._problem import Problem
from ._values import Result, failure, rows_of

Weight = Union[int, Fraction]


class Summary:
    """Distinct outcomes with their weights: the unit of map and reduce; :meth:`Problem.summary` makes one.

    ``s1 + s2`` is exact, so that however the parts are cut and in whatever order they are added, the sum is the same and
    so is :meth:`best`. Its size is the number of distinct outcomes: round bids to the grid first. Pickles travel between
    processes and machines: ``sum(parts)``, ``ddf.map_partitions(...).sum()``, ``comm.reduce(s)``.

    >>> import hannan
    >>> problem = hannan.problem("experts", experts=2)
    >>> left, right = problem.summary([[0.0, 1.0]] * 3), problem.summary([[1.0, 0.25]] * 2)
    >>> (left + right).best().action, (left + right) == (right + left), len(left + right)
    (0, True, 5)
    """

    def __init__(self, problem: Problem, outcomes: Any = None, weights: Any = None) -> None:
        self.problem = problem
        self.rounds = 0  # outcomes that were added
        self._weights: dict[Any, Weight] = {}
        if outcomes is not None:
            self.add(outcomes, weights)

    def add(self, outcomes: Any, weights: Any = None) -> "Summary":
        """Takes more outcomes, each of weight 1 or of its own."""
        width = self.problem._core.row_width
        rows = rows_of(outcomes, width)
        rows = rows if hasattr(rows, "__len__") else list(rows)
        if weights is not None and len(weights) != len(rows):
            what = f"found {len(weights)} weights, expected one per outcome, {len(rows)}"
            raise failure(_core.UsageError, "H105", what, "weights")
        added: dict[Any, Weight] = {}
        if isinstance(rows, np.ndarray) and weights is None and rows.ndim == 2:
            distinct, counts = np.unique(rows + 0.0, axis=0, return_counts=True)  # -0 is 0
            added = {tuple(row): int(n) for row, n in zip(distinct.tolist(), counts)}
        else:
            for i, outcome in enumerate(rows):
                key = _key(outcome)
                weight: Weight = 1 if weights is None else Fraction(float(weights[i]))
                added[key] = added.get(key, 0) + weight
        self.problem._core.best([_value(key) for key in added], None, 1, "")  # what is wrong with them is said here
        self._take(added)
        self.rounds += len(rows)
        return self

    def _take(self, added: dict[Any, Weight]) -> None:
        for key, weight in added.items():
            self._weights[key] = self._weights.get(key, 0) + weight

    def __add__(self, other: Any) -> "Summary":
        if other == 0:  # where sum() begins
            return self
        if not isinstance(other, Summary):
            return NotImplemented
        if other.problem != self.problem:
            raise failure(_core.UsageError, "H108", "found summaries of different problems, expected the same", "+")
        made = Summary(self.problem)
        made._take(self._weights)
        made._take(other._weights)
        made.rounds = self.rounds + other.rounds
        return made

    __radd__ = __add__

    def best(self, keep: int = 1, oracle: Optional[str] = None) -> Result:
        """The best fixed action: one call of the oracle. Weights are rounded here and nowhere else."""
        keys = sorted((key for key, weight in self._weights.items() if weight != 0), key=repr)
        weights = [float(self._weights[key]) for key in keys]
        return Result(self.problem._core.best([_value(key) for key in keys], weights, keep, oracle or ""))

    def __len__(self) -> int:
        return self.rounds

    @property
    def distinct(self) -> int:
        """How many different outcomes there are: its size."""
        return len(self._weights)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summary):
            return False
        return (self.problem, self.rounds, self._weights) == (other.problem, other.rounds, other._weights)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Summary of {self.rounds} outcomes, {self.distinct} of them distinct, of {self.problem!r}>"


def _key(outcome: Any) -> Any:
    """A row as a tuple, anything else as text."""
    if hasattr(outcome, "tolist"):
        outcome = outcome.tolist()
    if isinstance(outcome, (list, tuple)) and all(isinstance(value, (int, float)) for value in outcome):
        return tuple(float(value) + 0.0 for value in outcome)
    return json.dumps(outcome, sort_keys=True)


def _value(key: Any) -> Any:
    return list(key) if isinstance(key, tuple) else json.loads(key)
