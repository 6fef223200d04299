"""Problems: what can be chosen, what can happen, and what it costs."""

from __future__ import annotations

from typing import Any, Optional

from . import _core
from ._columns import Names, names_of
from ._learner import Learner
from ._part import PartLearner
from ._problem_facts import ProblemFacts, split
from ._solve import Solution, solution_of
from ._summary import Summary, summary_of
from ._values import names_arguments, rows_of


class Problem(ProblemFacts):
    """A problem of a built-in kind; :func:`problem` makes one.

    Subclasses with ``loss`` and ``actions`` of their own are rules for :func:`custom`.
    """

    @names_arguments
    def summary(self, outcomes: Any = None, weights: Any = None, oracle: Optional[str] = None,
                client: Any = None) -> Summary:
        """The outcomes as a linear summary: parts made anywhere add up exactly, to the byte.

        ``outcomes`` are rows, a frame, a list of outcomes, the name of a file or a list of names. With a ``client`` of
        ``dask.distributed`` the parts of a frame or array of Dask, or of a list of files, arrays or frames, are summed by
        the workers; one that dies is made good by the others.
        """
        return summary_of(self, outcomes, weights, oracle, client)

    def learner(self, kind: str = "flipflop", **params: Any) -> Learner:
        """A learner of this problem; parameters keep the names of the command line. With ``feedback="looks"`` or
        ``"elements"`` it is told what was seen of each round (:class:`PartLearner`)."""
        sees_all = params.get("feedback", "full") == "full"
        return Learner(self, kind, **params) if sees_all else PartLearner(self, kind, **params)

    @names_arguments
    def solve(self, outcomes: Any = None, group: Any = None, scenarios: Any = None, worst: Optional[float] = None,
              cap: Optional[float] = None, budget: Optional[int] = None, base: Any = None, rise: Any = None,
              regret: bool = False, slack: float = 0, tolerance: float = 1e-6, rounds: int = 10_000,
              oracle: Optional[str] = None, hold: float = 0) -> Solution:
        """A mixture of actions whose worst case over scenarios is certified (docs/solve.md).

        Scenarios are the rows of ``outcomes``, or with ``group`` (labels, or names of columns of the frame) the means of
        rows with equal labels; a list ``scenarios`` of ``{"name", "data": [{"weight", "outcome"}]}``; a ``budget`` of
        disruptions of a row of costs; or, with none of them, every outcome of the problem.

        >>> import hannan
        >>> game = hannan.problem("finite-game", losses=[[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
        >>> solved = game.solve()
        >>> round(solved.lower, 6), round(solved.upper, 6), sorted(solved.actions)
        (0.5, 0.5, [0, 1, 2])
        """
        return solution_of(self, outcomes, group, dict(
            scenarios=scenarios, worst=worst, cap=cap, budget=budget, base=base, rise=rise, regret=regret, slack=slack,
            tolerance=tolerance, rounds=rounds, oracle=oracle, hold=hold))

    def __reduce__(self) -> Any:
        if self._core is None:
            return super().__reduce__()
        return (_problem_again, (self.kind, self._given, self._names, self._losses))


ProblemFacts._whole = Problem


def _problem_again(kind: str, params: dict[str, Any], names: Names = None, losses: bool = False) -> Problem:
    made = Problem(kind, **params)
    made._names, made._losses = names, losses
    return made


def problem(kind: str, like: Any = None, **params: Any) -> Problem:
    """A problem by its kind, as on the command line.

    ``like`` is data whose width says how many experts or bidders there are: a :class:`Log`, a frame or an array. Names of
    its columns are kept: frames that come later are put in this order, and actions that are columns go by name.
    ``losses=True`` says that columns which look like forecasts, or lie far outside [0,1], are losses; otherwise such data
    is refused with a question (H213).

    >>> import hannan
    >>> hannan.problem("experts", experts=3).actions()
    [0, 1, 2]
    >>> hannan.problem("vcg-reserves(bidders=2,levels=4)").ln_actions == 2 * __import__("math").log(4)
    True
    """
    name, written = split(kind)
    params = {**written, **params}
    losses = params.get("losses") is True  # of other kinds a table is called so
    if losses:
        del params["losses"]
    if like is not None:
        known = getattr(like, "params", None)
        column = _core.problem_kinds().get(name, ("", "", []))[1]
        if isinstance(known, dict):
            params = {**known, **params}
        elif column and column not in params:
            params[column] = int(rows_of(like, 2).shape[1])
    made = Problem(name, **params)
    names = names_of(like) if like is not None else None
    if names is not None and len(names) == made._core.row_width:
        made._names = names
    made._losses = losses
    return made
