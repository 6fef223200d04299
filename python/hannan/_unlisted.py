"""Problems of the user's own whose actions cannot be listed: the rules and an oracle, both Python objects.

The core keeps actions and outcomes as the text of JSON values, so that states and records hold them. Where outcomes
are listed, one is its place in the list.
"""

from __future__ import annotations

import functools
import json
import math
import numbers
import os
import weakref
from typing import Any, Iterable, Optional, Union

import numpy as np

from . import _core
from ._custom import CustomLearner
from ._oracle import OwnOracle, answer_of, forget, free_name, weakly
from ._problem import Problem
from ._rules import bytes_of_state, checked_loss, key_of, listed_outcomes, problems_by_name, random_weights
from ._values import Result, failure

_CACHED = 1 << 16  # losses, actions and outcomes that are kept


def _frozen(value: Any) -> Any:
    """A JSON value with tuples for lists."""
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return {name: _frozen(item) for name, item in value.items()}
    return value


def _row_or_value(value: Any) -> Any:
    """A JSON value; a list of numbers as an array."""
    is_row = isinstance(value, list) and all(isinstance(item, (int, float)) for item in value)
    return np.array(value, dtype=np.float64) if is_row else value


def _size_of(rules: Any) -> float:
    size = getattr(rules, "ln_size", None)
    size = size() if callable(size) else size
    if not isinstance(size, numbers.Real) or not 0 <= float(size) < math.inf:
        what = f"found {size!r}, expected the natural logarithm of the number of actions, since actions() does not list them"
        raise failure(_core.UsageError, "H102", what, "ln_size")
    return float(size)


class UnlistedProblem(Problem):
    """A problem of the user's own whose actions cannot be listed; :func:`custom` makes one.

    ``rules`` has ``loss(x, y)`` in [0,1] and ``ln_size``, and may have ``outcomes()``, ``allows(x)``,
    ``action_to_json(x)`` and ``action_from_json(value)``. Actions are JSON values; lists come back as tuples.

    The oracle is given all different outcomes so far in every call: memory and time of a round grow with their number,
    which is that of the rounds where outcomes never repeat. From 20,000 on it is warned about, once.
    """

    #: What neither a check nor a verified record of such a problem says.
    unchecked = (
        "that ln_size is the logarithm of the number of actions: they cannot be listed",
        "that no action loses less than the oracle found, where none of its answers shows it: there is no other search",
    )

    def __init__(self, rules: Any, oracle: Any = None, perturbation: Optional[str] = None,
                 outcomes: Optional[Iterable[Any]] = None, columns: Optional[Iterable[Any]] = None,
                 name: Optional[str] = None) -> None:
        if not hasattr(oracle, "best"):
            what = "found none, expected an object with best(outcomes, weights): actions() does not list the actions"
            raise failure(_core.UsageError, "H102", what, "oracle")
        self.rules = rules
        self._oracle = oracle
        self._perturbation = perturbation
        self._own = OwnOracle(oracle, decode=self._decoded, encode=self._to_json, rows=None)
        listed = listed_outcomes(rules, outcomes)
        self._outcomes = None if listed is None else list(listed)
        self._index = {key_of(outcome): d for d, outcome in enumerate(self._outcomes or [])}
        self._columns = None if columns is None else [list(column) for column in columns]
        self._action = functools.lru_cache(_CACHED)(self._action_of_text)
        self._outcome = functools.lru_cache(_CACHED)(self._outcome_of_text)
        self._loss = functools.lru_cache(_CACHED)(self._loss_of_texts)
        self._name = name
        self.name = free_name(rules) if name is None else name  # in results, records and states
        rows = [[(weight, self._encoded(y)) for weight, y in column] for column in self._columns or []]
        count = None if self._outcomes is None else len(self._outcomes)
        given = (weakly(self._checked_loss), weakly(self._check_action))
        self._core = _core.own_problem(self.name, "own:" + self._own.name, given, _size_of(rules), count, rows)
        self._given = {}
        problems_by_name[self.name] = self
        weakref.finalize(self, forget, self.name, _core.forget_problem)

    # Between the user's values and those of the core.

    def _to_json(self, action: Any) -> Any:
        write = getattr(self.rules, "action_to_json", None)
        return action if write is None else write(action)

    def _shown(self, action: Any) -> Any:
        """The user's own action for that of the core."""
        plain = action.tolist() if hasattr(action, "tolist") else action
        read = getattr(self.rules, "action_from_json", None)
        return _frozen(plain) if read is None else read(plain)

    def _action_of_text(self, text: str) -> Any:
        return self._shown(json.loads(text))

    def _encoded(self, outcome: Any, at: str = "outcome") -> Any:
        if self._outcomes is None:
            return outcome
        place = self._index.get(key_of(outcome))
        if place is None:
            raise failure(_core.DataError, "H301", f"found {outcome!r}, which outcomes() does not list", at)
        return place

    def _decoded(self, outcome: Any) -> Any:
        return _row_or_value(outcome) if self._outcomes is None else self._outcomes[int(outcome)]

    def _outcome_of_text(self, text: str) -> Any:
        return self._decoded(json.loads(text))

    def _loss_of_texts(self, action: str, outcome: str) -> float:
        return self.loss(self._action(action), self._outcome(outcome))

    def _checked_loss(self, action: str, outcome: str) -> float:
        return self._loss(action, outcome)

    def _check_action(self, text: str, path: str) -> None:
        allows = getattr(self.rules, "allows", None)
        action = self._action(text)
        if allows is not None and not allows(action):
            raise failure(_core.DataError, "H302", f"found {action!r}, which the problem does not allow", path)

    def _own_oracle(self) -> OwnOracle:
        return self._own

    def _marked(self, state: bytes) -> bytes:
        return state  # its kind says whose it is

    def _renamed(self, state: bytes) -> bytes:
        """A state with the names that the problem and its oracle have in this process."""
        return _core.renamed_state(state, self.name, "own:" + self._own.name)

    # What every problem has.

    def actions(self, limit: int = 1000) -> list[Any]:
        raise failure(_core.UsageError, "H108", "the actions of this problem cannot be listed", "actions")

    def losses(self, outcome: Any) -> Any:
        return self.actions()

    def summary(self, outcomes: Any = None, weights: Any = None, oracle: Optional[str] = None, client: Any = None) -> Any:
        what = "an oracle of your own keeps outcomes and no sums; add the outcomes up as lists"
        raise failure(_core.UsageError, "H108", what, "summary")

    def outcomes(self, limit: int = 1000) -> list[Any]:
        """The listed outcomes, at most ``limit``; none where they are not listed."""
        return (self._outcomes or [])[:limit]

    def loss(self, action: Any, outcome: Any) -> float:
        return checked_loss(self.rules.loss(action, outcome), action, outcome)

    def best(self, outcomes: Iterable[Any], weights: Any = None, keep: int = 1, oracle: Optional[str] = None,
             losses: bool = True) -> Result:
        answer = self._core.best([self._encoded(y) for y in outcomes], weights, keep, oracle or "")
        answer["action"] = self._shown(answer["action"])
        for member in answer["pool"]:
            member["action"] = self._shown(member["action"])
        return Result(answer)

    def check(self, perturbation: str = "", outcomes: Any = None, **options: Any) -> Result:
        what = "conditions are checked over actions, which cannot be listed; hannan.check_problem checks rules and oracle"
        raise failure(_core.UsageError, "H108", what, "check")

    def learner(self, kind: str = "flipflop", **params: Any) -> CustomLearner:
        taken = _core.learner_kinds().get(kind.replace("_", "-"), ("", []))[1]
        if "perturbation" in taken:
            if self._columns is None and self._outcomes is None:
                what = f"{kind} draws noise, which is made of outcomes: list them, or give columns=[[(weight, outcome), ...], ...]"
                raise failure(_core.UsageError, "H102", what, "outcomes")
            if self._perturbation is not None:
                params.setdefault("perturbation", self._perturbation)
        if "oracle" in params:
            raise failure(_core.UsageError, "H108", "the oracle is that of the problem: hannan.custom(rules, oracle=...)", "oracle")
        return CustomLearner(self, kind, **params)

    def load(self, state: Union[bytes, str, "os.PathLike[str]"]) -> CustomLearner:
        """A learner of this problem from what ``save`` gave, in this process or another: the bytes, or the file."""
        return CustomLearner(self, bytes_of_state(state))

    def __repr__(self) -> str:
        return f"hannan.custom({self.rules!r}, oracle={self._oracle!r})"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> Any:
        name = self._name
        return (UnlistedProblem, (self.rules, self._oracle, self._perturbation, self._outcomes, self._columns, name))


def check_unlisted(rules: Any, outcomes: Optional[Iterable[Any]], oracle: Any, trials: int, seed: int) -> Result:
    """What :func:`check_problem` does where actions cannot be listed."""
    problem = UnlistedProblem(rules, oracle, outcomes=outcomes)
    seen = problem.outcomes(limit=1 << 62)
    if not seen:
        raise failure(_core.UsageError, "H102", "give outcomes, or let the problem list them by outcomes()", "outcomes")
    asked = list(random_weights(oracle, len(seen), trials, seed))
    answers = [_answer(problem, seen, weights) for weights in asked]
    actions = {key_of(action): action for action, _ in answers}
    table = np.array([[_loss_twice(problem, action, outcome) for outcome in seen] for action in actions.values()])
    places = {key: place for place, key in enumerate(actions)}
    for weights, (action, floor) in zip(asked, answers):
        _hold_against(list(actions.values()), table @ weights, places[key_of(action)], floor,
                      bool(getattr(oracle, "exact", False)), 1e-9 * max(1.0, float(np.abs(weights).sum())))
    return Result(actions=len(actions), outcomes=len(seen), oracle_calls=2 * trials, unchecked=list(problem.unchecked))


def _answer(problem: UnlistedProblem, seen: list[Any], weights: Any) -> tuple[Any, Optional[float]]:
    oracle = problem._oracle
    action, floor = answer_of(oracle.best(list(seen), weights.copy()))
    text = _text(problem, action)
    again = problem._action_of_text(text)
    if _text(problem, again) != text:
        raise AssertionError(f"the oracle answers {action!r}, which comes back from its JSON value as {again!r}")
    try:
        problem._check_action(text, "action")
    except _core.DataError as refused:
        raise AssertionError(f"the oracle answers {action!r}, which allows() refuses") from refused
    if key_of(problem._shown(problem._to_json(answer_of(oracle.best(list(seen), weights.copy()))[0]))) != key_of(again):
        raise AssertionError("the oracle gives another answer when asked the same again")
    return again, floor


def _text(problem: UnlistedProblem, action: Any) -> str:
    try:
        return json.dumps(problem._to_json(action), default=lambda value: value.tolist(), allow_nan=False)
    except (AttributeError, TypeError, ValueError) as refused:
        raise AssertionError(f"the action {action!r} is no JSON value; give the rules action_to_json and "
                             "action_from_json") from refused


def _loss_twice(problem: UnlistedProblem, action: Any, outcome: Any) -> float:
    loss = problem.loss(action, outcome)
    if problem.loss(action, outcome) != loss:
        raise AssertionError(f"loss({action!r}, {outcome!r}) gives another value when asked again")
    return loss


def _hold_against(actions: list[Any], values: Any, place: int, floor: Optional[float], exact: bool, window: float) -> None:
    best = int(values.argmin())
    found = f"but {actions[best]!r}, which it answers elsewhere, has the value {values[best]}"
    if exact and values[place] > values[best] + window:
        raise AssertionError(f"the oracle claims to be exact and answers {actions[place]!r} of value {values[place]}, {found}")
    if floor is not None and values[best] < floor - window:
        raise AssertionError(f"the oracle claims that no action is below {floor}, {found}")
