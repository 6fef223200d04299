"""What the core knows of a problem: its kind, its actions, what they lose, and which is best.

This is the part of :class:`hannan.Problem` that learners and summaries stand on. ``_problem.py`` adds the methods that
make those, so that no module imports one above it.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Optional

from . import _core
from ._columns import Names, actions_are_columns, in_order, named, names_of, place_of
from ._values import Result, failure, first_rows, names_arguments, params_of, rows_of


def _word_or_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def split(kind: str) -> tuple[str, dict[str, Any]]:
    """``"vcg-reserves(bidders=3,levels=10)"`` as a kind and parameters."""
    if not isinstance(kind, str):
        what = f"found a value of type {type(kind).__name__}, expected the kind of a problem, such as \"{_core.usual_kinds()[0]}\""
        raise failure(_core.UsageError, "H104", what, "kind")
    name, bracket, rest = kind.partition("(")
    params: dict[str, Any] = {}
    if bracket:
        for pair in rest.rstrip(") ").split(","):
            if pair.strip():
                key, _, value = pair.partition("=")
                params[key.strip()] = _word_or_json(value.strip())
    return name.strip().replace("_", "-"), params


class ProblemFacts:
    """A problem without the methods that make learners and summaries of it."""

    #: The class that :func:`wrapped` makes: the one that users hold, which stands above learners and summaries.
    _whole: ClassVar[type[ProblemFacts]]

    _core: Any = None
    _names: Names = None  # of the data that it was made like
    _losses = False  # outcomes are losses, whatever they look like

    def __init__(self, kind: Optional[str] = None, **params: Any) -> None:
        if kind is None:
            return
        name, written = split(kind)
        self._core = _core.Problem(name, params_of({**written, **params}))
        self._given = {**written, **params}

    @property
    def kind(self) -> str:
        """The name of the problem, as `hannan.problem` takes it; "custom" of one's own."""
        return self._core.kind

    @property
    def params(self) -> dict[str, Any]:
        """Every parameter, defaults filled in."""
        return self._core.params

    @property
    def ln_actions(self) -> float:
        """The natural logarithm of the number of actions."""
        return float(self._core.describe()["ln_actions"])

    @property
    def perturbations(self) -> list[Result]:
        """The matrices of the problem: name, columns, gamma."""
        return [Result(row) for row in self._core.describe()["perturbations"]]

    @property
    def oracles(self) -> list[str]:
        """The names of its oracles, the default first."""
        return self._core.describe()["oracles"]

    def actions(self, limit: int = 1000) -> list[Any]:
        """The first actions, at most ``limit``; by name where each is a column of ``like``."""
        found = self._core.actions(limit)["actions"]
        return self._named({"action": found}, self._names)["action"]

    def outcomes(self, limit: int = 1000) -> list[Any]:
        """Outcomes to check the problem with, at most ``limit``: all there are, where they are few."""
        return self._core.outcomes(limit)

    def loss(self, action: Any, outcome: Any) -> float:
        """What the action loses against the outcome, in [0,1]."""
        return self._core.loss(place_of(action, self, self._names), outcome)

    def losses(self, outcome: Any) -> Any:
        """The loss of every action, in the order of :meth:`actions`."""
        return self._core.losses(outcome)

    def _doubt(self, data: Any, losses: bool) -> None:
        """Raises H213 where the data is to be losses and looks like forecasts; ``losses`` says that they are losses."""
        if losses or self._losses or not self._core.actions_are_columns:
            return
        rows = first_rows(data)
        if rows is not None:
            self._core.doubt_losses(list(names_of(data) or ()), rows)

    @names_arguments
    def best(self, outcomes: Any, weights: Any = None, keep: int = 1, oracle: Optional[str] = None,
             losses: bool = False) -> Result:
        """The action that loses least in all of the outcomes: one call of the oracle. ``losses=True`` says that columns
        which look like forecasts are losses."""
        self._doubt(outcomes, losses)
        names = self._names if self._names is not None else names_of(outcomes)
        rows = rows_of(in_order(outcomes, names), self._core.row_width)
        return Result(self._named(self._core.best(_sized(rows), weights, keep, "" if oracle is None else oracle), names))

    def _named(self, result: Any, names: Names) -> Any:
        """A result of the core with the names of columns, where they are the actions."""
        return named(result, names) if names is not None and actions_are_columns(self, names) else result

    @property
    def columns(self) -> Names:
        """The names of the columns of ``like``; None where it had none."""
        return self._names

    @names_arguments
    def noise_size(self, perturbation: str = "", noise: str = "laplace") -> Result:
        """M, the expected maximum of the noise over actions, with its interval."""
        return Result(self._core.noise_size(perturbation, noise))

    def check(self, perturbation: str = "", outcomes: Any = None, **options: Any) -> Result:
        """What ``hannan check`` says of a matrix: gamma, data sets, which bounds follow."""
        return Result(self._core.check(perturbation, outcomes, options))

    def __repr__(self) -> str:
        if self._core is None:
            return f"{type(self).__name__}()"
        given = "".join(f", {name}={value!r}" for name, value in self._given.items())
        return f"hannan.problem({self.kind!r}{given})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProblemFacts) or self._core is None or other._core is None:
            return self is other
        return (self.kind, self.params) == (other.kind, other.params)

    def __hash__(self) -> int:
        return hash(self.kind) if self._core is not None else id(self)


def _sized(rows: Any) -> Any:
    return rows if hasattr(rows, "__len__") else list(rows)


def wrapped(core: Any) -> ProblemFacts:
    """The problem of a learner or summary that was loaded, as a :class:`hannan.Problem`."""
    made = ProblemFacts._whole.__new__(ProblemFacts._whole)
    made._core = core
    made._given = core.params
    return made
