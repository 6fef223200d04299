"""Problems of the user's own whose actions are listed: losses as a Python function, tabulated once per outcome."""

from __future__ import annotations

import math
import os
import zlib
from typing import Any, Hashable, Iterable, Optional, Union

import numpy as np

from . import _core
from ._learner import Learner
from ._oracle import OwnOracle, answer_of
from ._problem import Problem
from ._rounds import Decision
from ._rules import bytes_of_state, checked_loss, key_of, listed_outcomes, random_weights, values_of
from ._run import Run
from ._translate import ACTIONS, translated
from ._values import Result, failure

_KEPT = 1 << 14  # outcomes whose losses are kept, where they are not listed


class CustomProblem(Problem):
    """A problem of the user's own; :func:`custom` makes one.

    Where its outcomes can be listed it is a finite game; otherwise each new outcome is tabulated when it comes, and the
    last 16,384 different ones are kept (about half a kilobyte each with a few actions, and 8 bytes an action): what is
    older costs a call of ``loss`` per action when it comes again, and results show its losses in its place.
    """

    def __init__(self, rules: Any, oracle: Any = None, perturbation: Optional[str] = None,
                 outcomes: Optional[Iterable[Any]] = None) -> None:
        listed = getattr(rules, "actions", None)
        actions = list(listed()) if callable(listed) else []
        if not actions:
            raise failure(_core.UsageError, "H102", "found none, expected at least one action", "actions()")
        self.rules = rules  # the object with actions() and loss(x, y) that it was made of
        self._oracle = oracle
        self._own: Optional[OwnOracle] = None
        self._perturbation = perturbation or ("outcomes" if oracle is not None else None)
        self._listed = actions
        self._place = {key_of(action): k for k, action in enumerate(actions)}
        self._rows: dict[Hashable, np.ndarray] = {}
        self._outcome_of: dict[bytes, Any] = {}
        self._outcomes: Optional[list[Any]] = None
        outcomes = listed_outcomes(rules, outcomes)
        rows_kind, width, table_kind = _core.usual_kinds()
        if oracle is not None and outcomes is None:
            what = "an oracle of your own needs outcomes that can be listed: the noise it is given is made of them"
            raise failure(_core.UsageError, "H102", what, "outcomes")
        if outcomes is not None:
            self._outcomes = list(outcomes)
            self._index = {key_of(outcome): d for d, outcome in enumerate(self._outcomes)}
            table = np.array([self._row(outcome) for outcome in self._outcomes]).T
            super().__init__(table_kind, losses=table.tolist())
        else:
            super().__init__(rows_kind, **{width: len(actions)})

    def _row(self, outcome: Any) -> np.ndarray:
        key = key_of(outcome)
        row = self._rows.get(key)
        if row is None:
            row = np.array([checked_loss(self.rules.loss(x, outcome), x, outcome) for x in self._listed])
            if len(self._rows) >= _KEPT:  # the oldest goes
                self._outcome_of.pop(self._rows.pop(next(iter(self._rows))).tobytes(), None)
            self._rows[key] = row
            self._outcome_of[row.tobytes()] = outcome
        return row

    def _encoded(self, outcome: Any, at: str = "outcome") -> Any:
        """The outcome as the core takes it: an index, or the losses of all actions."""
        if self._outcomes is None:
            return self._row(outcome)
        place = self._index.get(key_of(outcome))
        if place is None:
            raise failure(_core.DataError, "H301", f"found {outcome!r}, which outcomes() does not list", at)
        return place

    def _decoded(self, outcome: Any) -> Any:
        """The user's own outcome; a row of losses that belongs to none of those kept stays a row."""
        if self._outcomes is not None:
            return self._outcomes[int(outcome)]
        return self._outcome_of.get(np.array(outcome, dtype=np.float64).tobytes(), outcome)

    def _all_encoded(self, outcomes: Iterable[Any]) -> list[Any]:
        return [self._encoded(outcome, f"outcomes[{i}]") for i, outcome in enumerate(values_of(outcomes))]

    def _in_own_words(self, result: Any) -> Any:
        """A result of the core with the user's own actions and outcomes."""
        return translated(result, {**dict.fromkeys(ACTIONS, self._shown_each), "outcome": self._decoded})

    def _shown_each(self, action: Any) -> Any:
        """An action, or one a round."""
        if not isinstance(action, list):
            return self._listed[action]
        return [None if one is None else self._listed[one] for one in action]

    def _perturbed(self, kind: str, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters, with the perturbation that was given with the problem where the learner takes one."""
        taken = _core.learner_kinds().get(kind.replace("_", "-"), ("", []))[1]
        given = self._perturbation is not None and "perturbation" in taken
        return {"perturbation": self._perturbation, **params} if given else params

    def _compared(self, kind: str, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters of the learner that :meth:`learner` would make, for the core."""
        own = self._own_oracle()
        return {**self._perturbed(kind, params), **({} if own is None else {"oracle": "own:" + own.name})}

    def _action_place(self, action: Any) -> Any:
        return self._place.get(key_of(action), repr(action))  # text is no action, and refused as such

    def _own_oracle(self) -> Optional[OwnOracle]:
        if self._own is None and self._oracle is not None and not isinstance(self._oracle, str):
            self._own = OwnOracle(self._oracle, decode=self._decoded, encode=self._action_place)
        return self._own

    def _shown(self, action: Any) -> Any:
        """The user's own action for that of the core."""
        return self._listed[action]

    def _marked(self, state: bytes) -> bytes:
        """A state that says that it needs these rules."""
        return _core.marked_state(state, type(self.rules).__name__)

    def _renamed(self, state: bytes) -> bytes:
        """A state as the core takes it, with the name that the oracle has in this process."""
        if b'"own_rules"' in state:
            state = _core.unmarked_state(state)
        own = self._own_oracle()
        return state if own is None else _core.renamed_state(state, "", "own:" + own.name)

    @property
    def kind(self) -> str:
        return "custom"

    def actions(self, limit: int = 1000) -> list[Any]:
        return self._listed[:limit]

    def outcomes(self, limit: int = 1000) -> list[Any]:
        return list(self._outcomes or self._outcome_of.values())[:limit]

    def loss(self, action: Any, outcome: Any) -> float:
        return checked_loss(self.rules.loss(action, outcome), action, outcome)

    def losses(self, outcome: Any) -> Any:
        return self._row(outcome).copy()

    def best(self, outcomes: Iterable[Any], weights: Any = None, keep: int = 1, oracle: Optional[str] = None,
             losses: bool = True) -> Result:
        answer = self._core.best(self._all_encoded(outcomes), weights, keep, oracle or "")
        answer["action"] = self._listed[answer["action"]]
        for member in answer["pool"]:
            member["action"] = self._listed[member["action"]]
        return Result(answer)

    def check(self, perturbation: str = "", outcomes: Any = None, **options: Any) -> Result:
        given = None if outcomes is None else self._all_encoded(outcomes)
        return Result(self._in_own_words(self._core.check(perturbation, given, options)))

    def learner(self, kind: str = "flipflop", **params: Any) -> "CustomLearner":
        return CustomLearner(self, kind, **self._perturbed(kind, params))

    def load(self, state: Union[bytes, str, "os.PathLike[str]"]) -> "CustomLearner":
        """A learner of this problem from what ``save`` gave, in this process or another: the bytes, or the file."""
        made = CustomLearner(self, bytes_of_state(state))
        if (made._problem.kind, made._problem.params) != (self._core.kind, self._core.params):
            what = "found a state of another problem: other losses, or another number of actions"
            raise failure(_core.DataError, "H401", what, "state.problem")
        return made

    def __repr__(self) -> str:
        return f"hannan.custom({self.rules!r})"

    def __reduce__(self) -> Any:
        return (CustomProblem, (self.rules, self._oracle, self._perturbation, self._outcomes))


class CustomLearner(Learner):
    """A learner of a problem of the user's own: actions and outcomes are the user's objects."""

    problem: Any  # that it plays
    _own: Optional[OwnOracle]

    def __init__(self, problem: Any, kind: Any = "flipflop", **params: Any) -> None:
        self._own = problem._own_oracle()
        if isinstance(kind, bytes):
            super().__init__(problem._renamed(kind))
            self.problem = problem
            return
        if self._own is not None:
            params = {**params, "oracle": "own:" + self._own.name}
        super().__init__(problem, kind, **params)

    def act(self, context: Any = None, round: Any = None, awake: Any = None) -> Any:
        return self.problem._shown(super().act(context, round, awake))

    def observe(self, outcome: Any, context: Any = None, round: Any = None, warm: bool = False) -> Any:
        return super().observe(self.problem._encoded(outcome), context, round, warm)

    def play(self, outcomes: Iterable[Any], contexts: Any = None, actions: bool = False, progress: Any = None,
             record: Any = None, losses: bool = True, warm: int = 0) -> Run:
        encode = self.problem._encoded
        encoded = (encode(y, f"outcomes[{i}]") for i, y in enumerate(values_of(outcomes)))
        run = super().play(encoded, contexts, actions, progress, record, warm=warm)
        if actions:
            run.actions = [self.problem._shown(x) for x in run.actions]
        return run

    def _state(self) -> bytes:
        return self.problem._marked(self._save())

    def _in_own_words(self, result: dict[str, Any]) -> dict[str, Any]:
        own: dict[str, Any] = translated(result, dict.fromkeys(ACTIONS, self.problem._shown))
        return own

    @property
    def decision(self) -> Decision:
        decision = self._decision()
        return decision._replace(action=self.problem._shown(decision.action))

    def __reduce__(self) -> Any:
        return (_custom_again, (self.problem, zlib.compress(self._save())))

    def __copy__(self) -> "CustomLearner":
        return CustomLearner(self.problem, self._save())

    def __deepcopy__(self, memo: Any) -> "CustomLearner":
        return CustomLearner(self.problem, self._save())


def _custom_again(problem: Any, packed: bytes) -> CustomLearner:
    return CustomLearner(problem, zlib.decompress(packed))


def check_listed(rules: Any, outcomes: Optional[Iterable[Any]], oracle: Any, trials: int, seed: int) -> Result:
    """What ``check_problem`` does where actions are listed."""
    problem = CustomProblem(rules)
    listed = problem._listed
    seen = list(outcomes) if outcomes is not None else problem.outcomes()
    if not seen:
        raise failure(_core.UsageError, "H102", "give outcomes, or let the problem list them by outcomes()", "outcomes")
    size = getattr(rules, "ln_size", None)
    if size is not None and not callable(size) and not math.isclose(size, math.log(len(listed)), abs_tol=1e-9):
        raise AssertionError(f"ln_size is {size}, but actions() lists {len(listed)}, whose logarithm is "
                             f"{math.log(len(listed))}")
    if len(problem._place) != len(listed):
        raise AssertionError("actions() lists an action twice")
    table = np.array([problem._row(outcome) for outcome in seen])
    for outcome, row in zip(seen, table):
        for action, loss in zip(listed, row):
            if float(rules.loss(action, outcome)) != loss:
                raise AssertionError(f"loss({action!r}, {outcome!r}) gives another value when asked again")
    calls = 0
    if oracle is not None:
        for weights in random_weights(oracle, len(seen), trials, seed):
            calls += _check_answer(problem, oracle, seen, weights, weights @ table)
    return Result(actions=len(listed), outcomes=len(seen), oracle_calls=calls, unchecked=[])


def _check_answer(problem: CustomProblem, oracle: Any, seen: list[Any], weights: Any, values: Any) -> int:
    action, floor = answer_of(oracle.best(list(seen), weights.copy()))
    place = problem._place.get(key_of(action))
    if place is None:
        raise AssertionError(f"the oracle answers {action!r}, which actions() does not list")
    if key_of(answer_of(oracle.best(list(seen), weights.copy()))[0]) != key_of(action):
        raise AssertionError("the oracle gives another answer when asked the same again")
    window = 1e-9 * max(1.0, float(np.abs(weights).sum()))
    if getattr(oracle, "exact", False) and values[place] > values.min() + window:
        raise AssertionError(f"the oracle claims to be exact and answers {action!r} of value {values[place]}, but "
                             f"{problem._listed[int(values.argmin())]!r} has the value {values.min()}")
    if floor is not None and values.min() < floor - window:
        raise AssertionError(f"the oracle claims that no action is below {floor}, but "
                             f"{problem._listed[int(values.argmin())]!r} has the value {values.min()}")
    return 2
