"""Outcomes as a linear summary, which parts of a log make anywhere and which add up exactly."""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Union

import numpy as np

from . import _core
from ._columns import Names, in_order, names_of
from ._problem_facts import ProblemFacts, wrapped
from ._values import Result, failure, rows_of

Path = Union[str, "os.PathLike[str]"]
_AT_ONCE = 16  # summaries that a worker of a cluster adds up in one task


class Summary:
    """Sums of outcomes: the unit of map and reduce; :meth:`Problem.summary` makes one.

    What the oracle keeps of the outcomes, summed exactly: ``s1 + s2`` is the same bytes however the parts are cut and in
    whatever order they are added, and the same as those of ``hannan fold``. ``size`` does not grow with the outcomes where
    the oracle keeps a table or curves; where it keeps distinct outcomes (``branch_bound``) it is their number, and bids
    are rounded to the grid first. Pickles travel between processes and machines: ``sum(parts)``,
    ``ddf.map_partitions(...)``, ``comm.reduce(s)``.

    >>> import hannan
    >>> problem = hannan.problem("experts", experts=2)
    >>> left, right = problem.summary([[0.0, 1.0]] * 3), problem.summary([[1.0, 0.25]] * 2)
    >>> (left + right).best().action, (left + right) == (right + left), len(left + right), left.size
    (0, True, 5, 2)
    """

    def __init__(self, problem: ProblemFacts, outcomes: Any = None, weights: Any = None, oracle: Optional[str] = None) -> None:
        self.problem = problem  # whose outcomes these are
        self._names = problem._names  # the names of the first outcomes that had some
        self._core = _core.Summary(problem._core, oracle or "")
        if outcomes is not None:
            self.add(outcomes, weights)

    def add(self, outcomes: Any, weights: Any = None) -> "Summary":
        """Takes more outcomes, each of weight 1 or of its own. A call that fails changes nothing."""
        encode = getattr(self.problem, "_all_encoded", None)  # a problem of the user's own
        if encode is not None:
            self._core.add(encode(outcomes), weights)
        else:
            if self.rounds == 0:
                self.problem._doubt(outcomes, False)
            names = names_of(outcomes) if self._names is None else None
            rows = rows_of(in_order(outcomes, self._names), self.problem._core.row_width)
            self._core.add(rows if hasattr(rows, "__len__") else list(rows), weights)
            self._names = self._names if names is None else names
        return self

    def add_file(self, path: Path) -> "Summary":
        """Takes the outcomes of a file: CSV, ``.npy`` or JSON lines, plain or gzipped."""
        self._core.add_file(os.fspath(path))
        return self

    def __add__(self, other: Any) -> "Summary":
        if isinstance(other, int) and other == 0:  # where sum() begins
            return self
        if not isinstance(other, Summary):
            return NotImplemented
        if self._names is not None and other._names is not None and self._names != other._names:
            what = (f"found sums of the columns {', '.join(other._names)}, expected {', '.join(self._names)} in the same "
                    "order; make the problem with like=frame, so that every part is in one order")
            raise failure(_core.DataError, "H203", what, "+")
        made = self._copy()
        made._core.merge(other._core)
        made._names = self._names if self._names is not None else other._names
        return made

    __radd__ = __add__

    def _copy(self) -> "Summary":
        return _of(self.problem, self._core.copy(), self._names)

    def best(self, keep: int = 1, oracle: Optional[str] = None) -> Result:
        """The best fixed action: one call of the oracle. Sums are rounded here and nowhere else."""
        answer = self.problem._named(self._core.best(keep, oracle or ""), self._names)
        if hasattr(self.problem, "_encoded"):
            actions = self.problem.actions()
            for ranked in (answer, *answer["pool"]):
                ranked["action"] = actions[ranked["action"]]
        return Result(answer)

    def outcomes(self) -> list[Any]:
        """The distinct outcomes, where they are kept: ``problem.summary(..., oracle="outcomes")``."""
        found = self._core.outcomes()
        decode = getattr(self.problem, "_decoded", None)  # a problem of the user's own
        return found if decode is None else [decode(outcome) for outcome in found]

    def check(self, perturbation: str = "", **options: Any) -> Result:
        """What :meth:`Problem.check` says on the distinct outcomes, which ``oracle="outcomes"`` keeps."""
        found = self.problem._core.check(perturbation, self._core.outcomes(), options)
        own = getattr(self.problem, "_in_own_words", None)  # a problem of the user's own
        return Result(found if own is None else own(found))

    @property
    def rounds(self) -> int:
        """Outcomes that were added."""
        return self._core.rounds

    @property
    def size(self) -> int:
        """How many sums it keeps."""
        return self._core.size

    @property
    def oracle(self) -> str:
        """The oracle that will search them."""
        return self._core.oracle

    def to_bytes(self) -> bytes:
        """The same bytes for the same outcomes: what ``hannan oracle --merged`` writes."""
        return self._core.text()

    def save(self, path: Path) -> None:
        """Writes a file for :meth:`load` and for ``hannan oracle --sums``; the place holds all of it or what it held."""
        beside = os.fspath(path) + ".new"
        with open(beside, "wb") as file:
            file.write(self.to_bytes())
        os.replace(beside, path)

    @staticmethod
    def load(path: Path) -> "Summary":
        """From a file of :meth:`save`, or from a folder of ``hannan fold``, whose parts must all be there."""
        core = _core.Summary.read(os.fspath(path))
        return _of(wrapped(core.problem), core)

    def __len__(self) -> int:
        return self.rounds

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Summary) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return (_again, (self.problem, self.to_bytes(), self._names))

    def __repr__(self) -> str:
        return f"<Summary of {self.rounds} outcomes in {self.size} sums, of {self.problem!r}>"


def _of(problem: ProblemFacts, core: Any, columns: Names = None) -> Summary:
    made = Summary.__new__(Summary)
    made.problem = problem
    made._core = core
    made._names = columns
    return made


def _again(problem: ProblemFacts, text: bytes, columns: Names = None) -> Summary:
    return _of(problem, _core.Summary.of_bytes(text), columns)


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _part(problem: ProblemFacts, outcomes: Any, oracle: Optional[str]) -> Summary:
    """One part: a file by its name, or outcomes; in the process of a worker."""
    made = Summary(problem, oracle=oracle)
    return made.add_file(outcomes) if _is_path(outcomes) else made.add(outcomes)


def _total(*parts: Summary) -> Summary:
    return sum(parts[1:], parts[0])


def summary_of(problem: ProblemFacts, outcomes: Any, weights: Any, oracle: Optional[str], client: Any) -> Summary:
    """What :meth:`Problem.summary` gives."""
    if client is None:
        if _is_path(outcomes):
            return _part(problem, outcomes, oracle)
        if isinstance(outcomes, (list, tuple)) and outcomes and all(_is_path(part) for part in outcomes):
            return _total(*(_part(problem, part, oracle) for part in outcomes))
        return Summary(problem, outcomes, weights, oracle)
    if weights is not None:
        what = "found weights and a client, expected outcomes of weight 1; weigh them in parts of your own and add those up"
        raise failure(_core.UsageError, "H108", what, "weights")
    parts: Iterable[Any] = [outcomes] if _is_path(outcomes) or isinstance(outcomes, np.ndarray) else outcomes
    if hasattr(outcomes, "to_delayed"):  # a frame or array of Dask
        if hasattr(outcomes, "rechunk"):
            outcomes = outcomes.rechunk({1: -1})  # a row is in one piece
        delayed = outcomes.to_delayed()
        parts = client.compute(delayed.ravel().tolist() if isinstance(delayed, np.ndarray) else list(delayed))
    # Parts are functions of their outcomes: one that is lost with its worker is made again.
    todo = [client.submit(_part, problem, part, oracle, pure=False, retries=3) for part in parts]
    if not todo:
        return Summary(problem, oracle=oracle)
    while len(todo) > 1:
        groups = [todo[i : i + _AT_ONCE] for i in range(0, len(todo), _AT_ONCE)]
        todo = [client.submit(_total, *group, pure=False, retries=3) for group in groups]
    made: Summary = todo[0].result()
    return made
