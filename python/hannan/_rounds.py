"""What the core gives back of a round, as named tuples. The core fills them in, so they stand below everything."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Step(NamedTuple):
    """What a round gave: :meth:`Learner.observe` returns it."""

    loss: float
    total: float
    best: Optional[float]
    regret: Optional[float]
    switched: bool
    oracle_calls: int
    stability: Any
    gap: Optional[float]
    discounted: Any
    realised: Optional[float] = None  # with contexts: of the action that was played; ``loss`` is of the mixture


class Decision(NamedTuple):
    """The action of the coming round, and how it was chosen."""

    round: int
    action: Any
    eta: Optional[float]
    multiplier: Optional[float]
    regime: Optional[str]
    weights: Any
