"""Several learners and rivals on the same outcomes."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from ._columns import Names, actions_are_columns, in_order, names_of, place_of
from ._custom import CustomProblem
from ._log import Log
from ._problem import Problem
from ._report import line, table, text_of
from ._run import write_page_of
from ._values import Result, failure, params_of, rows_of

LearnerSpec = Union[str, tuple[str, Mapping[str, Any]]]


class Player(Result):
    """A row of a comparison: a learner, a rival, or the best in hindsight."""

    problem: Problem
    comparison: "Comparison"

    @property
    def verdict(self) -> str:
        """"deploy", "keep", "cannot tell" or "try", as ``hannan compare`` says it; "not judged" of what is no learner."""
        judged = self.get("judgement")
        return judged["recommendation"] if judged else "not judged"

    def report(self) -> Result:
        return Result(self["report"])


class Comparison:
    """What ``hannan compare`` found; a mapping from names to players.

    ``problem`` is what was played, ``result`` all figures as ``hannan compare -o`` writes them, ``players`` the rows of its
    table.
    """

    def __init__(self, problem: Problem, result: dict[str, Any], names: Names = None) -> None:
        self.problem = problem
        self._names = names if actions_are_columns(problem, names) else None
        self._found = result  # as the page takes it
        if isinstance(problem, CustomProblem):
            result = problem._in_own_words(result)
        else:
            result = problem._named(result, names)
        self.result = result
        self.players = [Player(player) for player in result["players"]]
        for player in self.players:
            object.__setattr__(player, "problem", problem)
            object.__setattr__(player, "comparison", self)

    def __getitem__(self, name: str) -> Player:
        for player in self.players:
            if player["name"] == name:
                return player
        raise KeyError(f"no player {name!r}; there are {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (player["name"] for player in self.players)

    def __len__(self) -> int:
        return len(self.players)

    @property
    def portfolio(self) -> Optional[Result]:
        """What the portfolio did, in money: gain, low, risk, certain, best, behind, certified; None without one."""
        found = self.result.get("portfolio")
        return Result(found) if found else None

    @property
    def strategies(self) -> Any:
        """A frame of pandas, a row a strategy of the portfolio."""
        import pandas

        if self.portfolio is None:
            raise failure(_core.UsageError, "H108", "found no portfolio, expected one among the learners", "strategies")
        plain = [
            {name: value for name, value in one.items() if not isinstance(value, (list, dict))}
            for one in self.portfolio["strategies"]
        ]
        return pandas.DataFrame(plain).set_index("name")

    def to_frame(self) -> Any:
        """A frame of pandas, a row a player."""
        import pandas

        plain = [
            {name: value for name, value in player.items() if not isinstance(value, (list, dict))}
            for player in self.players
        ]
        return pandas.DataFrame(plain).set_index("name")

    def to_html(self, path: Union[str, os.PathLike[str]], title: str = "") -> None:
        """Writes the page of ``hannan report``."""
        write_page_of(self._found, path, title)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)} over {self.result['rounds']} rounds>"

    def _repr_html_(self) -> str:
        unit = self.result["currency"] or self.result["unit"]
        rows = []
        for player in self.players:
            interval = player.get("over_baseline_interval")
            between = f"{text_of(interval[0])} to {text_of(interval[1])}" if interval else None
            rows.append([player["name"], *(player.get(n) for n in ("money", "over_baseline")), between,
                         player.get("regret"), player.get("bound") if player.get("bound_of") != "mean" else None])
        header = ("player", unit, f"over {self.result['baseline']}", "95% interval", "regret", "limit (95 %)")
        return table(header, rows, repr(self)[1:-1]) + line(self.players[0]["series"]["loss"])


_LEARNERS: Sequence[LearnerSpec] = ("leader", "flipflop")


def _spec(learner: LearnerSpec) -> tuple[str, str, dict[str, Any]]:
    if isinstance(learner, str):
        return (learner, learner.replace("_", "-"), {})
    kind, params = learner
    label = kind + ":" + ",".join(f"{name}={value}" for name, value in params.items())
    return (label, kind.replace("_", "-"), params_of(dict(params)))


def _tested(problem: Optional[Problem], log: Log, played: bool) -> Comparison:
    """The prices of a log in which they were drawn at random: nothing is played."""
    if played:
        what = "found learners, fixed actions or options, expected none: prices drawn at random are judged, not played"
        raise failure(_core.UsageError, "H100", what, "compare")
    if problem is None:
        kind, params = _core.goods_problem(len(log.slots))
        problem = Problem(kind, **params)
    assert log.tested is not None
    return Comparison(problem, log.tested)


def _proposals(problem: Problem, names: Names, actions: Sequence[Any], name: str) -> list[Any]:
    """What one of those that propose says, as the core takes it."""
    own = problem._action_place if isinstance(problem, CustomProblem) else None
    at = f"propose.{name}"
    return [None if one is None else own(one) if own else place_of(one, problem, names, at) for one in actions]


def compare(
    problem: Optional[Problem],
    outcomes: Any,
    learners: Optional[Sequence[LearnerSpec]] = None,
    rivals: bool = True,
    fixed: Mapping[str, Any] = {},
    losses: bool = False,
    propose: Optional[Mapping[str, Sequence[Any]]] = None,
    **options: Any,
) -> Comparison:
    """Plays learners and rivals on the same outcomes, and holds them against the best in hindsight.

    A learner is a kind, or a pair ``("gftpl", {"c": 0.5})``; left out they are the leader and flipflop, and before them
    a portfolio where something is done today and the log can tell. ``fixed`` names actions that are played in every
    round. ``propose`` names what others propose, an action or None for each outcome: a strategy of the portfolio.
    Of the portfolio: ``risk``, an amount or a share of today's money such as ``"0.5%"``, ``hard``, ``strategies``,
    ``shadows``.
    Options: ``seed``, ``track``, ``rounds``, ``block``, ``hedge_most``, ``cap``, ``currency``, ``warm``: the first
    outcomes, so many, are rehearsed: everyone learns from them, nothing of them is charged or judged. ``losses=True``
    says that columns which look like forecasts are losses (H213). A log of prices drawn at random (``convert`` with
    ``randomised=True``) is not played: its prices are judged, and ``problem`` may be None.
    """
    if isinstance(outcomes, Log) and outcomes.tested is not None:
        return _tested(problem, outcomes, played=learners is not None or propose is not None or bool(fixed) or bool(options))
    if not isinstance(problem, Problem):
        kind = _core.usual_kinds()[0]
        what = f'found a value of type {type(problem).__name__}, expected a problem: hannan.problem("{kind}", like=frame)'
        raise failure(_core.UsageError, "H104", what, "problem")
    options["portfolio_first"] = learners is None
    if learners is None:
        learners = _LEARNERS
    if isinstance(learners, str):
        learners = [learners]
    if problem._core.kind == "custom":
        what = "the actions of this problem cannot be listed, and rivals need a list; play learners one by one"
        raise failure(_core.UsageError, "H108", what, "problem")
    if isinstance(outcomes, Log):
        options = {"cap": outcomes.cap, "currency": outcomes.currency, "log": outcomes.summary, **options}
    specs = [_spec(learner) for learner in learners]
    names: Names = None
    if isinstance(problem, CustomProblem):
        rows: Any = problem._all_encoded(outcomes)
        specs = [(label, kind, problem._compared(kind, params)) for label, kind, params in specs]
        fixed = {name: problem._action_place(action) for name, action in fixed.items()}
    else:
        problem._doubt(outcomes, losses)
        names = problem._names if problem._names is not None else names_of(outcomes)
        rows = rows_of(in_order(outcomes, names), problem._core.row_width)
        rows = rows if hasattr(rows, "__len__") else list(rows)
        fixed = {name: place_of(action, problem, names, f"fixed.{name}") for name, action in fixed.items()}
    if propose is not None:
        options["propose"] = {name: _proposals(problem, names, actions, name) for name, actions in propose.items()}
    slots = outcomes.slots if isinstance(outcomes, Log) else list(names or ())
    result = _core.compare(problem._core, rows, specs, dict(fixed), {"rivals": rivals, **options}, slots)
    return Comparison(problem, result, names)
