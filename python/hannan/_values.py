"""What every other file of the package needs: options, tuples, results with attributes, arrays of outcomes."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple, Optional

import numpy as np


class _Options:
    """Settings of the package: ``hannan.options.strict``, ``hannan.options.allow_external``."""

    __slots__ = ("strict", "allow_external")

    def __init__(self) -> None:
        self.strict = False  # warn where an array is converted from float32
        self.allow_external = False  # unpickling may start the programs of external oracles

    def __repr__(self) -> str:
        return f"hannan.options(strict={self.strict}, allow_external={self.allow_external})"


options = _Options()


class Step(NamedTuple):
    """What a round gave: :meth:`Learner.observe` returns it."""

    loss: float
    total: float
    best: Optional[float]
    regret: Optional[float]
    switched: bool
    oracle_calls: int
    stability: Any
    gap: Optional[float]
    discounted: Any
    realised: Optional[float] = None  # with contexts: of the action that was played; ``loss`` is of the mixture


class Decision(NamedTuple):
    """The action of the coming round, and how it was chosen."""

    round: int
    action: Any
    eta: Optional[float]
    multiplier: Optional[float]
    regime: Optional[str]
    weights: Any


class Result(dict[str, Any]):
    """A dict whose fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no field {name!r}; there are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})


class Tabled:
    """Outcomes that stand in ``table``, with more about them beside: a bid log."""

    table: Any


def failure(kind: Any, code: str, message: str, at: str = "") -> Exception:
    """An error of the package with its code and place, as the core raises them."""
    made: Exception = kind(f"{code}: {at}: {message}" if at else f"{code}: {message}")
    vars(made).update(code=code, at=at, message=message)
    return made


def rows_of(outcomes: Any, width: int) -> Any:
    """Outcomes as the core takes them: a float64 array whose rows are outcomes, or a list of values.

    An array of float64 in C order is passed on as it is; others are converted once.
    """
    if isinstance(outcomes, Tabled):
        outcomes = outcomes.table
    if hasattr(outcomes, "to_numpy") and not isinstance(outcomes, np.ndarray):  # frames and series of pandas
        outcomes = outcomes.to_numpy()
    if not isinstance(outcomes, np.ndarray):
        return outcomes
    if outcomes.dtype == object or width == 0:
        return outcomes.tolist()
    if outcomes.dtype == np.float32 and options.strict:
        warnings.warn("float32 outcomes are converted to float64", UserWarning, stacklevel=3)
    if isinstance(outcomes, np.ma.MaskedArray):
        masked: Any = outcomes.astype(np.float64)
        outcomes = masked.filled(np.nan)  # what is masked is missing
    rows = np.ascontiguousarray(outcomes, dtype=np.float64)
    if rows.ndim == 1 and width == 1:
        rows = rows.reshape(-1, 1)
    return rows


def params_of(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters by their own names: ``-`` and ``_`` are the same."""
    return {name.replace("-", "_"): value for name, value in params.items()}
