"""Problems of the user's own, with or without a list of their actions."""

from __future__ import annotations

from typing import Any, Iterable, Optional

from . import _core
from ._custom import CustomProblem, check_listed
from ._rules import lists_actions
from ._unlisted import UnlistedProblem, check_unlisted
from ._values import Result, failure, names_arguments


@names_arguments
def custom(rules: Any, oracle: Any = None, perturbation: Optional[str] = None,
           outcomes: Optional[Iterable[Any]] = None, columns: Optional[Iterable[Any]] = None,
           name: Optional[str] = None) -> Any:
    """A problem of your own: an object with ``loss(x, y)`` in [0,1] and ``actions()``.

    With ``outcomes()`` too, or ``outcomes`` given here, it is a finite game, whose perturbation ``outcomes`` has
    gamma = 1. ``oracle`` is an object
    with ``best(outcomes, weights) -> action`` or ``(action, floor)``; its answers are audited.

    Outcomes that are not listed are kept, so that results can show them: of listed actions the last 16,384 different
    ones, of an oracle of your own all of them, since it is given them all in every call.

    Without ``actions()`` it is an :class:`UnlistedProblem`, for sets too large to list: the object needs ``ln_size``,
    and an oracle is needed. ``columns`` and ``name`` are for such problems alone.

    >>> import hannan
    >>> class Kiosk:
    ...     def loss(self, x, y): return (0.3 * (x - y) if x > y else y - x) / 20
    ...     def actions(self): return range(21)
    >>> learner = hannan.custom(Kiosk()).learner("leader")
    >>> run = learner.play([7] * 10)
    >>> learner.act()
    7
    """
    if not lists_actions(rules):
        return UnlistedProblem(rules, oracle, perturbation, outcomes, columns, name)
    for given, what in ((columns, "columns"), (name, "name")):
        if given is not None:
            raise failure(_core.UsageError, "H108", "found it beside actions(): it is for problems without", what)
    return CustomProblem(rules, oracle, perturbation, outcomes)


@names_arguments
def check_problem(rules: Any, outcomes: Optional[Iterable[Any]] = None, oracle: Any = None, trials: int = 20,
                  seed: int = 0) -> Result:
    """Tests a problem of your own, and maybe its oracle; raises AssertionError at the first fault.

    Losses lie in [0,1] and are the same when asked twice; ``ln_size`` is that of ``actions()``; the oracle answers with
    actions, no worse than it claims, the same for the same evidence, and an exact one as well as a full table does.
    Without ``actions()`` the actions are those that the oracle answers with, and claims are held against all of them.
    Gives back how much was checked, and in ``unchecked`` what could not be.
    """
    if not lists_actions(rules):
        return check_unlisted(rules, outcomes, oracle, trials, seed)
    return check_listed(rules, outcomes, oracle, trials, seed)
