"""Learners: act, observe, and what is proven about them."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import warnings
import zlib
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from . import _core
from ._columns import Names, actions_are_columns, columns_of_state, in_order, named, names_of
from ._oracle import OwnOracle
from ._problem_facts import ProblemFacts, wrapped
from ._report import Report
from ._rounds import Decision
from ._rules import bytes_of_state, problem_of_state, refuse_own_rules
from ._run import Run
from ._values import Result, failure, names_arguments, options, params_of, rows_of

_BLOCK = 1024  # outcomes of a generator that are taken at a time


class Learner(_core.Learner):
    """A learner of a problem. ``act`` is a pure read, ``observe`` alone changes its state.

    >>> import hannan
    >>> learner = hannan.problem("experts", experts=2).learner("leader")
    >>> learner.act()
    0
    >>> learner.observe([1.0, 0.0]).loss
    1.0
    >>> learner.act(), learner.regret
    (1, 1.0)
    """

    problem: ProblemFacts  # that it plays
    _own: Optional[OwnOracle] = None
    _names: Names = None  # of the first outcomes that had names
    _of_parts: type["Learner"]  # the class of learners that see a part of their rounds

    def __init__(self, problem: Union[ProblemFacts, bytes], kind: str = "flipflop", **params: Any) -> None:
        if isinstance(problem, bytes):
            super().__init__(problem)
            self._given = self.params
            self.problem = wrapped(self._problem)
            self._take_names(columns_of_state(problem))
            return
        kind = kind.replace("_", "-")
        self._given = params
        self.problem = problem
        if hasattr(params.get("oracle"), "best"):  # an object of the user's own
            self._own = OwnOracle(params["oracle"], rows=problem._core.row_width > 1)
            params = {**params, "oracle": "own:" + self._own.name}
        super().__init__(problem._core, kind, params_of(params))
        self._take_names(problem._names)

    def _take_names(self, names: Names) -> None:
        self._names = names
        shown = list(names) if names is not None and actions_are_columns(self.problem, names) else []
        self._name_actions(shown)

    @property
    def columns(self) -> Names:
        """The names of the columns, of ``like`` or of the first frame that was played; None where they have none."""
        return self._names

    @contextlib.contextmanager
    def _ordered(self, outcomes: Any, at: str = "outcomes") -> Iterator[Any]:
        """The outcomes with their columns in the order of the first; the first that are named name the columns."""
        names = names_of(outcomes) if self._names is None else None
        if names is None or len(names) != self.problem._core.row_width:
            yield in_order(outcomes, self._names, at)
            return
        before = self.rounds
        self._take_names(names)
        try:
            yield outcomes
        except BaseException:
            if self.rounds == before:  # nothing of them was played
                self._take_names(None)
            raise

    @property
    def decision(self) -> Decision:
        """The action of the coming round, and how it was chosen."""
        return self._decision()

    @names_arguments
    def play(
        self,
        outcomes: Any,
        contexts: Any = None,
        actions: bool = False,
        progress: Any = None,
        record: Union[str, os.PathLike[str], None] = None,
        losses: bool = False,
        warm: int = 0,
    ) -> Run:
        """Plays every outcome: the same rounds, to the byte, as ``act`` and ``observe`` in a loop.

        ``outcomes``: an array whose rows are outcomes (read where it lies), a frame, a list, or a generator.
        ``actions``: keep what was chosen in every round. ``progress``: True, or a function that is called after rounds
        1, 2, 4, 8, ... and at the end. ``record``: a file that ``hannan verify`` checks. ``contexts``: for a learner
        with ``by``, a list of values for every outcome, or a frame with its columns.

        Columns of a frame go by their names: those of the first frame are kept, later ones are put in the same order,
        and other names are refused. Where each column is an action, actions are given by name. ``losses=True`` says that
        columns which look like forecasts are losses (H213). ``warm``: the first outcomes, so many, are rehearsed: learned
        from, and not among the rounds of the run; totals, L* and certificates are of all rounds.
        """
        if self.rounds == 0:
            self.problem._doubt(outcomes, losses)
        with self._ordered(outcomes) as ordered:
            return self._played(ordered, contexts, actions, progress, record, warm)

    def _played(self, outcomes: Any, contexts: Any, actions: bool, progress: Any, record: Any, warm: int) -> Run:
        given = rows_of(outcomes, self.problem._core.row_width)
        path = "" if record is None else os.fspath(record)
        until = self.rounds + warm if warm else 0
        first = self.rounds + warm
        progress = None if progress is False else progress
        contexts = self._contexts(contexts)
        if hasattr(given, "__len__"):
            return Run(self, first, [self._play(given, actions, progress, path, contexts, 0, until)], actions, path)
        at_once = None if path or contexts is not None else _BLOCK
        parts: list[dict[str, Any]] = []
        iterator, taken = iter(given), 0
        while True:
            block, raised = _taken(iterator, at_once)
            if raised is not None and contexts is not None:
                contexts = list(contexts)[: len(block)]
            parts.append(self._play(block, actions, progress, path, contexts, taken, until))
            if raised is not None:
                raise raised
            if at_once is None or len(block) < at_once:
                return Run(self, first, parts, actions, path)
            taken += len(block)

    def _observe_row(self, row: Any, context: Any, round: Any, warm: bool = False) -> Any:
        """What :meth:`observe` does with a row of a frame, which is a series of pandas with the names of its columns."""
        with self._ordered(row.to_frame().T, "outcome") as ordered:
            return self.observe(ordered.to_numpy(dtype=np.float64)[0], context, round, warm)

    def _contexts(self, given: Any) -> Any:
        """A list of values for every outcome; of a frame its columns in the order of ``by``."""
        if given is None or not hasattr(given, "columns"):
            return given
        by = self.params["by"]
        names = [name for one in by for name in (one if isinstance(one, list) else [one])]
        missing = [name for name in names if name not in given.columns]
        if missing:
            there = ", ".join(map(str, given.columns))
            raise failure(_core.DataError, "H102", f"found the columns {there}, expected also {', '.join(missing)}", "contexts")
        return given[names].to_numpy(dtype=object).tolist()

    def nodes(self, context: Any) -> list[Result]:
        """For a learner with ``by``: what each open segment of the context would play, and with which weight.

        >>> import hannan
        >>> learner = hannan.problem("experts", experts=2).learner("leader", by=["site"])
        >>> learner.observe([1.0, 0.0], context=["a"]).realised
        1.0
        >>> [node.segment for node in learner.nodes(["a"])]
        [[], ['a']]
        """
        return [Result(self._in_own_words(node)) for node in self._nodes(context)]

    def segments(self, under: Sequence[str] = (), limit: int = 1000) -> list[Result]:
        """For a learner with ``by``: its segments at or below one, with rounds, losses, weight and decision."""
        listing = self._segments([str(value) for value in under], limit)
        if not listing["complete"]:
            warnings.warn(f"there are more than {limit} segments; raise limit, or name one with under", stacklevel=2)
        return [Result(self._in_own_words(segment)) for segment in listing["segments"]]

    def _in_own_words(self, result: dict[str, Any]) -> dict[str, Any]:
        """A result of the core with the actions of the problem."""
        return named(result, self._names) if self._names and actions_are_columns(self.problem, self._names) else result

    def report(self) -> Report:
        """What ``hannan run`` reports: totals, regret, and every bound with whether it holds."""
        found = self._report()
        report = Report(self._in_own_words(found))
        report._found = found
        return report

    def save(self, path: Union[str, os.PathLike[str], None] = None) -> bytes:
        """The state, as JSON; a learner loaded from it goes on exactly as this one would."""
        state = self._state()
        if path is not None:
            with open(path, "wb") as file:
                file.write(state + b"\n")
        return state

    def _state(self) -> bytes:
        """What :meth:`save` gives."""
        return self._with_columns(self._save())

    def _with_columns(self, state: bytes) -> bytes:
        return state if self._names is None else _core.state_with_columns(state, list(self._names))

    @classmethod
    def load(cls, state: Union[bytes, str, os.PathLike[str]]) -> "Learner":
        """From what :meth:`save` gave: the bytes, or the file. A learner of a problem of your own is loaded by the
        problem: ``problem.load(state)``."""
        state = bytes_of_state(state)
        refuse_own_rules(state)
        if b'"custom"' in state:  # maybe of a problem whose rules are Python objects of this process
            known = problem_of_state(state)
            if known is not None:
                return known.load(state)
        sees_a_part = b'"feedback":"looks"' in state or b'"feedback":"elements"' in state
        return (cls._of_parts if sees_a_part and cls is Learner else cls)(state)

    @property
    def total(self) -> float:
        """The loss of all rounds."""
        return self._facts()["total"]

    @property
    def best(self) -> Optional[float]:
        """L*, the loss of the best fixed action in hindsight; None where experts sleep, since each was awake in other
        rounds."""
        return self._facts()["best"]

    @property
    def regret(self) -> float:
        """The loss beyond that of the best fixed action; where experts sleep, the largest of their regrets."""
        return self._facts()["regret"]

    @property
    def bound(self) -> Optional[float]:
        """What may be called the bound on the regret now: the limit that holds with 95 % certainty at every round at once,
        with each round in the mean over its own draw, or for certain; or else the least closed form of the *expected*
        regret. ``report().bound_of`` says which. None where there is none."""
        return self._facts()["bound"]

    @property
    def best_action(self) -> Any:
        """The best fixed action in hindsight."""
        return self._in_own_words({"action": self._report()["best_action"]})["action"]

    def to_frame(self) -> Any:
        """The report as a frame of pandas, a row a bound."""
        return self.report().to_frame()

    def plot(self, ax: Any = None) -> Any:
        """The regret beside its limits and the closed forms of the mean, a bar each, with matplotlib; returns the axes.
        A learner keeps no path of its rounds: that is :meth:`Run.plot`."""
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots()
        report = self.report()
        bars = {"regret": report["regret"]}
        bars.update((bound.name, bound.value) for bound in report.regret_bounds)
        shown = {name: float(value) for name, value in bars.items() if isinstance(value, (int, float)) and math.isfinite(value)}
        ax.barh(list(shown), list(shown.values()))
        ax.invert_yaxis()
        ax.set_xlabel(f"loss beyond that of the best fixed action, {self.rounds} rounds")
        return ax

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._given.items())
        return f"{self.problem!r}.learner({self.kind!r}{given})"

    def __reduce__(self) -> Any:
        return (_unpickled, (type(self), zlib.compress(self._state())))

    def __copy__(self) -> "Learner":
        made = type(self)(self._state())
        made._own = self._own  # an oracle lives as long as a learner that asks it
        return made

    def __deepcopy__(self, memo: Any) -> "Learner":
        return self.__copy__()


def _taken(iterator: Iterator[Any], most: Optional[int]) -> tuple[list[Any], Optional[BaseException]]:
    """The next outcomes, at most so many; and what the iterator raised after them."""
    block: list[Any] = []
    try:
        for outcome in itertools.islice(iterator, most):
            block.append(outcome)
    except BaseException as raised:  # the outcomes before it are played first
        return block, raised
    return block, None


def _unpickled(cls: type, packed: bytes) -> Learner:
    state = zlib.decompress(packed)
    if not options.allow_external and b'"oracle":"external' in state:
        raise failure(
            _core.UsageError,
            "H108",
            "found a pickled learner with an external oracle, which starts a program; "
            "set hannan.options.allow_external = True where you trust it",
        )
    return cls(state)
