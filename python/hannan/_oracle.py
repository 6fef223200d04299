"""Oracles of the user's own: objects with ``best(outcomes, weights)``, audited like programs of the user's own."""

from __future__ import annotations

import itertools
import json
import weakref
from typing import Any, Callable, Optional

import numpy as np

from . import _core

_numbers = itertools.count(1)


class OwnOracle:
    """An oracle under a name. Its answers are scored again, and its claims held against earlier answers."""

    def __init__(self, oracle: Any, name: Optional[str] = None, decode: Callable[[Any], Any] = lambda y: y,
                 encode: Callable[[Any], Any] = lambda x: x, rows: bool = False) -> None:
        self.oracle = oracle
        self._decode, self._encode, self._rows = decode, encode, rows
        self.name = name or f"{type(oracle).__name__}-{next(_numbers)}"
        signed = bool(getattr(oracle, "signed", False))
        exact = bool(getattr(oracle, "exact", False))
        if name is not None:
            _core.register_oracle(self.name, self.answer, signed, exact)
            return
        # The function refers to this object weakly: who drops the last learner drops the oracle.
        method = weakref.WeakMethod(self.answer)

        def answer(text: str) -> tuple[Any, Optional[float]]:
            held = method()
            if held is None:
                raise ReferenceError("the oracle is gone with its learner")
            return held(text)

        _core.register_oracle(self.name, answer, signed, exact)
        weakref.finalize(self, _core.forget_oracle, self.name)

    def answer(self, text: str) -> tuple[Any, Optional[float]]:
        data = json.loads(text)
        weights = np.array([point["weight"] for point in data], dtype=np.float64)
        outcomes: Any = [self._decode(point["outcome"]) for point in data]
        if self._rows:
            outcomes = np.array(outcomes, dtype=np.float64)
        found = self.oracle.best(outcomes, weights)
        action, floor = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
        return self._encode(action), floor


def register_oracle(name: str, oracle: Any) -> str:
    """Keeps an oracle for this process under ``own:NAME``, as states that name it need; gives that name."""
    return "own:" + OwnOracle(oracle, name).name
