"""What the core gives back of a round, as named tuples. The core fills them in, so they stand below everything."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Step(NamedTuple):
    """What a round gave: :meth:`Learner.observe` returns it."""

    loss: float  # of the round; the mean one of a mixture
    total: float  # of all rounds so far
    best: Optional[float]  # the least total of a fixed action, L*; None where it is not tracked
    regret: Optional[float]  # total - best
    switched: bool  # the next round is played in another regime
    oracle_calls: int  # so far
    stability: Any  # what the learner's rate grows with: a number, or flip and flop
    gap: Optional[float]  # the mix gap of the round (docs/theory-run.md); None where it is not known
    discounted: Any  # with a discount: total, best and regret in which a round of age i counts discount^i
    realised: Optional[float] = None  # with contexts: of the action that was played; ``loss`` is of the mixture


class Decision(NamedTuple):
    """The action of the coming round, and how it was chosen."""

    round: int  # from 1
    action: Any  # as the problem's page writes it
    eta: Optional[float]  # the learning rate, where there is one
    multiplier: Optional[float]  # of the noise, where that is what adapts
    regime: Optional[str]  # "flip" or "flop", "leader" or "gftpl"; None where there is one part only
    weights: Any  # of a mixture, in the order of the actions, or of the segments; None otherwise
