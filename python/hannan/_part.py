"""Learners that see a part of their rounds: looks, and the elements of their own actions."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._learner import Learner
from ._values import Result


def _plain(value: Any) -> Any:
    """Arrays and numbers of NumPy as JSON has them."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


class PartLearner(Learner):
    """A learner with ``feedback="looks"`` or ``"elements"``; :meth:`Problem.learner` makes one (docs/partial.md).

    Regret, best and, with looks, the own total are not seen: they are None. ``report()`` has what may be said.

    >>> import hannan
    >>> learner = hannan.problem("experts", experts=3).learner("ada", feedback="looks", look=None, coins=[0.9, 0.1], share=0.5)
    >>> decision = learner.act()
    >>> decision.look, decision.share, decision.action == decision.choice
    (False, 0.5, True)
    >>> learner.observe(None, raw=0.31).looks
    0
    >>> learner.act().look
    True
    >>> learner.observe([0.2, 0.4, 0.9]).weight
    2.0
    """

    def act(self, context: Any = None, round: Any = None, awake: Any = None) -> Any:  # noqa: ARG002
        """The coming round: ``action`` is what to play. With looks also ``look``, ``share`` and ``choice``, with elements
        ``multiplier`` and ``cap``. Asked again it answers the same."""
        return Result(self._in_own_words(self._act_part({})))

    def observe(  # type: ignore[override]
        self,
        outcome: Any = None,
        raw: Optional[float] = None,
        lost: bool = False,
        seen: Optional[Sequence[float]] = None,
        share: Optional[float] = None,
        look: Optional[bool] = None,
        rounds: Optional[int] = None,
    ) -> Any:
        """What was seen of the round: the outcome of a look, None where there was none, ``lost=True`` where the outcome of
        a look is gone; with elements ``seen``, a loss for each part of the action, in its order.

        ``raw``: what was earned or lost, booked and never learned from. ``share``, ``look`` and ``rounds`` are for
        ``share="logged"``: the coin of the log, and how many rounds without a look this is.
        """
        request: dict[str, Any] = {"outcome": _plain(outcome) if seen is None else {"seen": [float(x) for x in seen]}}
        if raw is not None:
            request["raw"] = float(raw)
        if lost:
            request["lost"] = True
        for name, value in (("share", share), ("look", look), ("rounds", rounds)):
            if value is not None:
                request[name] = _plain(value)
        return Result(self._observe_part(request))

    @property
    def total(self) -> Any:
        """None: it is not seen with looks; ``report()`` has that of elements."""
        return None

    @property
    def regret(self) -> Any:
        """None: it is not seen."""
        return None


Learner._of_parts = PartLearner
