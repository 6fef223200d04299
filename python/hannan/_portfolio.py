"""Portfolios: today's decision, rules, learners and objects of one's own, one of them played each round."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Protocol, Sequence, Union, runtime_checkable

import numpy as np

from . import _core
from ._learner import Learner
from ._problem_facts import ProblemFacts
from ._values import Result, failure


@runtime_checkable
class Strategy(Protocol):
    """An object of one's own: ``act`` proposes an action before a round, None proposes nothing; ``observe`` learns."""

    def act(self, context: Any = None) -> Any:
        """The action that it proposes for the coming round, or None."""

    def observe(self, outcome: Any) -> Any:
        """Learns from the outcome of the round; what it returns is not used."""


def learner(kind: str, name: Optional[str] = None, **params: Any) -> dict[str, Any]:
    """A learner as a strategy of :func:`portfolio`, with its parameters.

    >>> import hannan
    >>> hannan.learner("leader", tied="all")
    {'name': 'leader', 'kind': 'leader', 'params': {'tied': 'all'}}
    """
    kind = kind.replace("_", "-")
    return {"name": name or kind, "kind": kind, "params": params}


def _plain(value: Any) -> Any:
    """Arrays and numbers of NumPy as JSON has them."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _is_own(item: Any) -> bool:
    return hasattr(item, "act") and hasattr(item, "observe") and not isinstance(item, type)


class Portfolio(Learner):
    """A learner that plays one of several strategies in each round; :func:`portfolio` makes one.

    The mean loss above today's stays below ``risk`` on every path. ``act`` asks the objects among the strategies what
    they propose, ``observe`` tells them the outcome.
    """

    def __init__(self, problem: Union[ProblemFacts, bytes], kind: str = "portfolio", **params: Any) -> None:
        self._objects: dict[str, Any] = {}
        self._proposed: Optional[dict[str, Any]] = None  # by the objects, for the coming round
        super().__init__(problem, kind, **params)

    def _asked(self, context: Any) -> dict[str, Any]:
        """What the round is decided by; the objects are asked once a round."""
        request: dict[str, Any] = {}
        if context is not None:
            request["context"] = [str(value) for value in context]
        if self._objects:
            if self._proposed is None:
                self._proposed = {name: _plain(own.act(context)) for name, own in self._objects.items()}
            request["proposals"] = self._proposed
        return request

    def act(self, context: Any = None, round: Any = None, awake: Any = None) -> Any:  # noqa: ARG002
        """The action of the coming round; None where today is logged and picked."""
        return self.explain(context).action

    def explain(self, context: Any = None) -> Result:
        """The coming round: its action, the strategy that is played, the weights, the share and all proposals."""
        return Result(self._act_portfolio(self._asked(context)))

    def observe(self, outcome: Any, context: Any = None, round: Any = None, warm: bool = False,  # noqa: ARG002
                today: Optional[float] = None) -> Any:
        """Takes the outcome of the round. ``today``: what was lost by what is done today, where that is logged.
        ``warm``: the round is rehearsed, learned from and not charged."""
        request = self._asked(context)
        if not warm:
            self._act_portfolio(request)  # what it was asked before, if it was
            request.pop("proposals", None)
        if today is not None:
            request["losses"] = {"today": float(today)}
        if warm:
            request["warm"] = True
        seen = Result(self._observe_portfolio({**request, "outcome": _plain(outcome)}))
        self._proposed = None
        for own in self._objects.values():
            own.observe(outcome)
        return seen

    def play(self, outcomes: Any, contexts: Any = None, actions: bool = False, progress: Any = None, record: Any = None,
             losses: bool = False, warm: int = 0, today: Optional[Sequence[float]] = None) -> Any:
        """Plays every outcome. With objects of one's own, or a logged today, round by round and without a record. How many
        rounds are rehearsed is a parameter of the portfolio, ``warm``."""
        if warm:
            raise failure(_core.UsageError, "H108", "found warm, expected it as a parameter of the portfolio", "warm")
        if not self._objects and today is None and contexts is None:
            return super().play(outcomes, None, actions, progress, record, losses)
        if record is not None:
            raise failure(_core.UsageError, "H108", "found record beside strategies of your own or a logged today, expected "
                          "none: keep a record by `hannan run` or `hannan pipe`", "record")
        rows = outcomes.to_numpy() if hasattr(outcomes, "to_numpy") else list(outcomes)
        steps, played = [], []
        for t, outcome in enumerate(rows):
            context = None if contexts is None else list(contexts)[t]
            warm = self._rehearses()
            if not warm and actions:
                played.append(self.act(context))
            steps.append(self.observe(outcome, context, today=None if today is None else today[t], warm=warm))
        return PortfolioRun(self, steps, played if actions else None)

    def _rehearses(self) -> bool:
        return int(self.rounds) < int(self.params["warm"])

    @property
    def strategies(self) -> Any:
        """A frame of pandas, a row a strategy: what it lost, its weight, how far it is ahead and what is certified."""
        import pandas

        return pandas.DataFrame(self._strategies())


class PortfolioRun:
    """Rounds that a portfolio has played with objects of one's own."""

    def __init__(self, learner: Portfolio, steps: list[Any], actions: Optional[list[Any]]) -> None:
        self._learner = learner
        self.losses = np.array([step.get("loss", 0.0) for step in steps])
        self.totals = np.array([step["total"] for step in steps])
        self.gains = np.array([step.get("gain", 0.0) for step in steps])
        self.actions = actions

    def __len__(self) -> int:
        return len(self.losses)

    @property
    def strategies(self) -> Any:
        """See :attr:`Portfolio.strategies`."""
        return self._learner.strategies

    def report(self) -> Any:
        """The learner's report."""
        return self._learner.report()


def portfolio(problem: ProblemFacts, today: Any = None, strategies: Optional[Iterable[Any]] = None,
              risk: Union[float, str, None] = None, hard: Optional[float] = None, **params: Any) -> Portfolio:
    """A portfolio of strategies for a problem, with what is done today first.

    ``today`` is an action, the word "logged" (its loss is then given with each outcome), a rule or learner by its kind, or
    an object with ``act`` and ``observe``. ``strategies`` are kinds ("monopoly", "flipflop"), learners made by
    :func:`learner`, objects of your own, or dicts with name and kind; none: those that suit the problem. ``risk`` is the
    most that may be lost against today in the mean, ``hard`` the most for certain, ``largest`` the largest difference of
    two losses in a round (None: not known).

    >>> import hannan
    >>> problem = hannan.problem("experts", experts=3)
    >>> play = hannan.portfolio(problem, today=0, strategies=["leader", "flipflop"], risk=4)
    >>> play.act()
    0
    >>> play.observe([1.0, 0.0, 0.5]).losses[0]
    1.0
    """
    objects: dict[str, Any] = {}

    def described(item: Any, name: Optional[str], is_today: bool) -> dict[str, Any]:
        if isinstance(item, dict) and "kind" in item:
            return item
        if _is_own(item):
            own = name or str(getattr(item, "name", type(item).__name__))
            objects[own] = item
            return {"name": own, "kind": "given"}
        if isinstance(item, str):
            return {"name": name or item, "kind": item}
        if is_today:
            return {"name": "today", "kind": "fixed", "action": _plain(item)}
        raise failure(_core.UsageError, "H104", f"found a value of type {type(item).__name__}, expected a kind, a learner or "
                      "an object with act and observe", "strategies")

    given: dict[str, Any] = dict(params)
    if strategies is not None:
        if today is None:
            raise failure(_core.UsageError, "H102", "expected what is done today", "today")
        given["strategies"] = [described(today, "today" if _is_own(today) else None, True),
                               *(described(item, None, False) for item in strategies)]
    elif today is not None:
        given["today"] = _plain(today)
    for name, value in (("risk", risk), ("hard", hard)):
        if value is not None:
            given[name] = value
    made = Portfolio(problem, "portfolio", **given)
    made._objects = objects
    return made
