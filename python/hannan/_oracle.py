"""Oracles of the user's own: objects with ``best(outcomes, weights)``, audited like programs of the user's own."""

from __future__ import annotations

import itertools
import json
import warnings
import weakref
from typing import Any, Callable, Optional

import numpy as np

from . import _core

_MANY = 20_000  # different outcomes of a call from which on it is warned about their number
_taken: set[str] = set()  # names of registered oracles and problems


def free_name(made: Any) -> str:
    """The name of the object's class, with a number where another object has it."""
    base = type(made).__name__
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    name = next(name for name in names if name not in _taken)
    _taken.add(name)
    return name


def weakly(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method as a function that does not keep its object alive: the registry of the core holds such functions."""
    held = weakref.WeakMethod(method)

    def call(*given: Any) -> Any:
        found = held()
        if found is None:
            raise ReferenceError("the object is gone with its learners")
        return found(*given)

    return call


def forget(name: str, by: Callable[[str], None]) -> None:
    by(name)
    _taken.discard(name)


class OwnOracle:
    """An oracle under a name. Its answers are scored again, and its claims held against earlier answers.

    ``rows``: whether outcomes are rows of numbers, which the oracle gets as one array; None: where they are arrays of
    one length.
    """

    def __init__(self, oracle: Any, name: Optional[str] = None, decode: Callable[[Any], Any] = lambda y: y,
                 encode: Callable[[Any], Any] = lambda x: x, rows: Optional[bool] = False) -> None:
        self.oracle = oracle
        self._warned = False
        self._decode, self._encode, self._rows = decode, encode, rows
        signed = bool(getattr(oracle, "signed", False))
        exact = bool(getattr(oracle, "exact", False))
        if name is not None:
            self.name = name
            _taken.add(name)
            _core.register_oracle(name, self.answer, signed, exact)
            return
        # The function refers to this object weakly: who drops the last learner drops the oracle.
        self.name = free_name(oracle)
        _core.register_oracle(self.name, weakly(self.answer), signed, exact)
        weakref.finalize(self, forget, self.name, _core.forget_oracle)

    def answer(self, text: str) -> tuple[Any, Optional[float]]:
        data = json.loads(text)
        if len(data) > _MANY and not self._warned:
            self._warned = True
            warnings.warn(f"the oracle {self.name} is given {len(data):,} different outcomes in every call: an oracle of "
                          "your own keeps them all, so that memory and time grow with every new one; round outcomes to "
                          "fewer values, or list them", RuntimeWarning, stacklevel=2)
        weights = np.array([point["weight"] for point in data], dtype=np.float64)
        outcomes: Any = [self._decode(point["outcome"]) for point in data]
        if self._rows or (self._rows is None and _are_rows(outcomes)):
            outcomes = np.array(outcomes, dtype=np.float64)
        action, floor = answer_of(self.oracle.best(outcomes, weights))
        return self._encode(action), floor


def _are_rows(outcomes: list[Any]) -> bool:
    arrays = all(isinstance(y, np.ndarray) for y in outcomes)
    return bool(outcomes) and arrays and len({y.shape for y in outcomes}) == 1


def answer_of(found: Any) -> tuple[Any, Optional[float]]:
    """What ``best`` gave as an action and a floor. Every tuple of two is such a pair: an action that is itself a tuple of
    two comes with its floor, or None."""
    if isinstance(found, tuple) and len(found) == 2:
        return found[0], found[1]
    return found, None


def register_oracle(name: str, oracle: Any) -> str:
    """Keeps an oracle for this process under ``own:NAME``, as states that name it need; gives that name."""
    return "own:" + OwnOracle(oracle, name).name
