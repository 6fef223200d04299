"""Robust decisions: a mixture of few actions, and two numbers that anyone can check."""

from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np

from . import _core
from ._columns import Names, in_order, labels_of, names_of
from ._problem_facts import ProblemFacts
from ._values import Result, failure, rows_of


def _text(value: Any) -> str:
    """A label as the command line reads it from a file."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _parted(outcomes: Any, group: Any) -> tuple[Any, list[str], list[list[str]]]:
    """The outcomes without the columns of the group, the names of those columns, and the labels of every row."""
    if group is None:
        return outcomes, [], []
    columns = [group] if isinstance(group, str) else group
    labels = labels_of(outcomes) or []
    if all(isinstance(column, str) and column in labels for column in columns) and len(columns) > 0:
        cells = zip(*(outcomes[column] for column in columns))
        return outcomes.drop(columns=list(columns)), list(columns), [[_text(cell) for cell in row] for row in cells]
    if isinstance(group, str):
        what = f"found the name {group!r}, expected a column of the outcomes or a label for every row"
        raise failure(_core.UsageError, "H106", what, "group")
    if hasattr(group, "columns"):  # a frame of labels
        rows = group.itertuples(index=False)
        return outcomes, [str(name) for name in group.columns], [[_text(cell) for cell in row] for row in rows]
    rows = [row if isinstance(row, (list, tuple)) else [row] for row in group]
    width = len(rows[0]) if rows else 1
    names = [str(getattr(group, "name", None) or "group")] if width == 1 else [f"group{place}" for place in range(width)]
    return outcomes, names, [[_text(cell) for cell in row] for row in rows]


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


class Solution(Result):
    """What :meth:`Problem.solve` found: the fields of the file of ``hannan solve``, with names for the usual ones."""

    _text: str
    _names: Names

    @property
    def actions(self) -> list[Any]:
        """The actions of the mixture, the likeliest first; by name where they are columns of a frame."""
        return [entry.get("name", entry["action"]) for entry in self["strategy"]]

    @property
    def probabilities(self) -> Any:
        """How likely each of ``actions`` is to be played, as an array."""
        return np.array([entry["probability"] for entry in self["strategy"]])

    @property
    def losses(self) -> dict[str, float]:
        """What the mixture loses in each scenario; empty beyond 1,000 of them."""
        return {entry["scenario"]: entry["loss"] for entry in self["losses"]}

    @property
    def closed(self) -> bool:
        """Whether the two bounds met."""
        return not self["open"]

    def to_json(self) -> str:
        """The file that ``hannan verify`` checks and ``hannan report`` draws."""
        return self._text

    def to_frame(self) -> Any:
        """The mixture as a frame of pandas: action, probability, its own worst case."""
        import pandas

        return pandas.DataFrame({"action": self.actions, "probability": self.probabilities,
                                 "worst": [entry["worst"] for entry in self["strategy"]]})

    def verify(self, outcomes: Any = None, group: Any = None) -> Result:
        """Checks both bounds and every other figure by code that shares nothing with the search; the rows are needed
        again where they were the scenarios. Raises :class:`DataError` where something does not hold."""
        rows, columns, labels = _parted(outcomes, group)
        if rows is not None:
            rows = rows_of(in_order(rows, self._names), self._width)
        return Result(_core.verify_solution(self._text, rows, columns, labels))

    _width = 0

    def __repr__(self) -> str:
        bounds = f"{self['lower']:.9g} <= value, this mixture of {len(self['strategy'])} actions has {self['upper']:.9g}"
        return f"<Solution: {bounds}{'' if self.closed else '; open'}>"


def solution_of(problem: ProblemFacts, outcomes: Any, group: Any, options: dict[str, Any]) -> Solution:
    if outcomes is None and group is not None:
        raise failure(_core.UsageError, "H100", "found group, expected outcomes with it", "group")
    rows, columns, labels = _parted(outcomes, group)
    names: Names = None
    if rows is not None:
        problem._doubt(rows, False)
        names = problem._names if problem._names is not None else names_of(rows)
        rows = rows_of(in_order(rows, names), problem._core.row_width)
    given = {name: _plain(value) for name, value in options.items() if value is not None}
    text = _core.solve(problem._core, rows, columns, labels, given)
    solution = json.loads(text)
    for entry in (*solution["strategy"], solution["best_single"], solution["best_average"]):
        named = problem._named({"action": entry["action"]}, names)["action"]
        if named != entry["action"]:
            entry["name"] = named
    made = Solution(solution)
    vars(made).update(_text=text, _names=names, _width=problem._core.row_width)
    return made


def solve(problem: Any, scenarios: Any = None, **options: Any) -> Solution:
    """A mixture of actions of the problem with a certified worst case.

    ``scenarios`` is a frame or an array of rows (with ``group``: its columns or labels), or a list of
    ``{"name", "data": [{"weight", "outcome"}]}``; left out: all outcomes of the problem. Options as :meth:`Problem.solve`.

    >>> import hannan, numpy
    >>> losses = numpy.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    >>> solved = hannan.solve(hannan.problem("experts", experts=2), losses, group=["north", "south", "north"])
    >>> round(solved.lower, 6), round(solved.upper, 6)
    (0.5, 0.5)
    """
    listed: Optional[bool] = isinstance(scenarios, (list, tuple)) and all(isinstance(entry, dict) for entry in scenarios)
    if scenarios is None or (listed and "group" not in options):
        return problem.solve(scenarios=scenarios, **options)
    return problem.solve(scenarios, **options)
