"""Functions that belong to no problem and no learner."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, Optional, Union

from . import _core
from ._values import Result


def bound(name: str, **params: Any) -> Any:
    """A bound of docs/theory.md by its name.

    >>> import hannan
    >>> round(hannan.bound("ada", M=3, gamma=6, best=100), 3) > 0
    True
    """
    return _core.ask({"op": "bound", "name": name, "params": params})["value"]


def verify(
    path: Union[str, os.PathLike[str]], data: Optional[Union[str, os.PathLike[str]]] = None
) -> Result:
    """Checks a record by computing all of it again; raises :class:`DataError` at the first line that does not hold.

    ``verified`` is True where everything was derived again; ``trusted`` lists what rests on what the record says, and
    ``verdict`` says it in words. ``data``: the file of its outcomes (CSV, .npy, JSON lines), which the digest that the
    record names and every outcome are then held against.
    """
    return Result(_core.verify(os.fspath(path), os.fspath(data) if data is not None else ""))


def kinds() -> dict[str, str]:
    """The kinds of problems, each with a line about it."""
    return {name: row[0] for name, row in _core.problem_kinds().items()}


def learners() -> dict[str, str]:
    """The kinds of learners, each with a line about it."""
    return {name: row[0] for name, row in _core.learner_kinds().items()}


@contextlib.contextmanager
def search_threads(most: int) -> Iterator[None]:
    """Lets the searches that this thread starts within the block use up to ``most`` threads, 1 to 1024; one is the rule
    outside. What they answer does not depend on it.

    >>> import hannan
    >>> reserves = hannan.problem("vcg-reserves", bidders=4, levels=64)
    >>> with hannan.search_threads(2):
    ...     best = reserves.best([[0.9, 0.2, 0.5, 0.4], [0.1, 0.7, 0.6, 0.3]])
    >>> best.proven
    True
    """
    scope = _core.SearchThreads(most)
    scope.enter()
    try:
        yield
    finally:
        scope.leave()
