"""Rules of the user's own: what they list, what their losses must be, and the problems of this process that have them."""

from __future__ import annotations

import json
import numbers
import os
import weakref
from typing import Any, Hashable, Iterable, Optional, Union

import numpy as np

from . import _core
from ._problem_facts import ProblemFacts
from ._values import failure

#: Problems without listed actions, whose states name them.
problems_by_name: "weakref.WeakValueDictionary[str, ProblemFacts]" = weakref.WeakValueDictionary()


def key_of(value: Any) -> Hashable:
    """Something to look a value up by."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.tobytes())
    if isinstance(value, (list, tuple)):
        return tuple(key_of(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted((name, key_of(item)) for name, item in value.items()))
    return value


def values_of(outcomes: Any) -> Iterable[Any]:
    """Outcomes one by one: of an array or a frame its rows, of an array of one dimension plain numbers."""
    if hasattr(outcomes, "to_numpy") and not isinstance(outcomes, np.ndarray):
        outcomes = outcomes.to_numpy()
    if isinstance(outcomes, np.ndarray):
        return outcomes.tolist() if outcomes.ndim == 1 else list(outcomes)
    return outcomes


def checked_loss(loss: Any, action: Any, outcome: Any) -> float:
    if not isinstance(loss, numbers.Real) or not 0 <= float(loss) <= 1:
        what = f"found {loss!r}, expected a number in [0,1]; divide by the largest loss"
        raise failure(_core.DataError, "H205", what, f"loss({action!r}, {outcome!r})")
    return float(loss)


def lists_actions(rules: Any) -> bool:
    """Whether the rules have ``actions()`` of their own."""
    return callable(getattr(rules, "actions", None)) and getattr(type(rules), "actions", None) is not ProblemFacts.actions


def listed_outcomes(rules: Any, given: Optional[Iterable[Any]]) -> Optional[Iterable[Any]]:
    """The outcomes given, or those that the rules list; None where there is no list."""
    rule = getattr(rules, "outcomes", None)
    if given is None and callable(rule) and getattr(type(rules), "outcomes", None) is not ProblemFacts.outcomes:
        return rule()
    return given


def random_weights(oracle: Any, size: int, trials: int, seed: int) -> Iterable[Any]:
    """Weights to ask an oracle with, of both signs where it takes them."""
    draw = np.random.default_rng(seed)
    for _ in range(trials):
        weights = draw.random(size)
        yield 2 * weights - 1 if getattr(oracle, "signed", False) else weights


def problem_of_state(state: bytes) -> Any:
    """The problem of this process that the state names; None where it names another kind, or none that there is."""
    try:
        named = json.loads(state)["problem"]
        return problems_by_name.get(named["params"]["name"]) if named["kind"] == "custom" else None
    except (ValueError, KeyError, TypeError):
        return None  # the core says what is wrong with it


def bytes_of_state(state: Union[bytes, str, "os.PathLike[str]"]) -> bytes:
    """The bytes themselves, or those of the file."""
    if isinstance(state, (bytes, bytearray)):
        return bytes(state)
    if not isinstance(state, (str, os.PathLike)):  # a number would be taken for an open file
        what = f"found a value of type {type(state).__name__}, expected the bytes of save(), or the name of a file"
        raise failure(_core.UsageError, "H104", what, "state")
    with open(state, "rb") as file:
        return file.read()


def refuse_own_rules(state: bytes) -> None:
    """Refuses a state whose actions are places in a list that only the rules of a problem have."""
    if b'"own_rules"' not in state:
        return
    try:
        rules = json.loads(state).get("own_rules")
    except (ValueError, AttributeError):
        return  # the core says what is wrong with it
    if rules is not None:
        what = (f"found a state of a problem of your own, with rules of the class {rules}, which no state holds; load it "
                "with the problem: hannan.custom(rules).load(state)")
        raise failure(_core.UsageError, "H108", what, "state")
