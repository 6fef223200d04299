"""Names of the columns of frames: later data is put in the order of the first, and actions that are columns are named.

A frame without names of its own (columns 0, 1, 2, ...) and an array are taken in the order in which they lie.
"""

from __future__ import annotations

import difflib
import json
from typing import Any, Optional, Sequence

import numpy as np

from . import _core
from ._translate import ACTIONS, translated
from ._values import Tabled, failure

Names = Optional[tuple[str, ...]]


def labels_of(data: Any) -> Optional[list[Any]]:
    """The labels of the columns of a frame or a log; None where there are none."""
    if isinstance(data, Tabled):
        return list(data.slots) if isinstance(data.table, np.ndarray) else None
    if isinstance(data, np.ndarray):
        return None
    return list(data.columns) if hasattr(data, "columns") and hasattr(data, "to_numpy") else None


def _are_places(labels: Sequence[Any]) -> bool:
    """Whether the labels are 0, 1, 2, ... in any order."""
    whole = all(isinstance(label, (int, np.integer)) and not isinstance(label, bool) for label in labels)
    return whole and sorted(labels) == list(range(len(labels)))


def names_of(data: Any) -> Names:
    """The names of the columns; None where they have none."""
    labels = labels_of(data)
    if not labels or _are_places(labels):
        return None
    names = tuple(str(label) for label in labels)
    return names if len(set(names)) == len(names) else None


def in_order(data: Any, names: Names, at: str = "outcomes") -> Any:
    """The data with its columns in the order of ``names``; as it is where it has no names. Other names are refused."""
    labels = labels_of(data)
    if not labels:
        return data
    if _are_places(labels):
        places = [labels.index(place) for place in range(len(labels))]
        return data if places == list(range(len(labels))) else _picked(data, places)
    if names is None:
        return data
    found = [str(label) for label in labels]
    if found == list(names):
        return data
    twice = sorted({name for name in found if found.count(name) > 1})
    missing = [name for name in names if name not in found]
    other = [name for name in found if name not in names]
    if twice or missing or other:
        parts = [f"{_listed(group)} {what}" for group, what in
                 ((missing, "missing"), (other, "not known"), (twice, "there twice")) if group]
        what = f"found the columns {_listed(found)}, expected {_listed(names)} in any order: {'; '.join(parts)}"
        raise failure(_core.DataError, "H203", what, at)
    return _picked(data, [found.index(name) for name in names])


def _listed(names: Sequence[str], most: int = 12) -> str:
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def _picked(data: Any, places: list[int]) -> Any:
    if isinstance(data, Tabled):
        return data.table[:, places]
    if hasattr(data, "iloc"):
        return data.iloc[:, places]
    return data.to_numpy()[:, places]  # a frame of another library


def actions_are_columns(problem: Any, names: Names) -> bool:
    """Whether every action of the problem is one of the columns."""
    core = problem._core
    return names is not None and core.row_width == len(names) and core.actions_are_columns


def named(result: Any, names: Sequence[str]) -> Any:
    """A result of the core with the names of columns in the place of actions."""
    return translated(result, dict.fromkeys(ACTIONS, lambda action: _named(action, names)))


def _named(action: Any, names: Sequence[str]) -> Any:
    """An action, or one a round."""
    if isinstance(action, list):
        return [_named(one, names) for one in action]
    return names[action] if isinstance(action, int) and not isinstance(action, bool) else action


def place_of(action: Any, problem: Any, names: Names, at: str = "action") -> Any:
    """The place of the column of this name, where columns are actions and have names; any other value as it is."""
    if names is None or not isinstance(action, str) or not actions_are_columns(problem, names):
        return action
    if action in names:
        return names.index(action)
    near = difflib.get_close_matches(action, names, 1)
    hint = f' (did you mean "{near[0]}"?)' if near else ""
    raise failure(_core.UsageError, "H106", f'found "{action}", expected one of {_listed(names)}{hint}', at)


def columns_of_state(state: bytes) -> Names:
    """The names that a saved state holds."""
    if b'"columns"' not in state:
        return None
    try:
        names = json.loads(state).get("columns")
    except (ValueError, AttributeError):
        return None  # the core says what is wrong with it
    known = isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)
    return tuple(names) if known else None
