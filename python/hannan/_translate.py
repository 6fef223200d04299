"""Results of the core in the user's own actions and outcomes."""

from __future__ import annotations

from typing import Any, Callable, Mapping

ACTIONS = ("action", "best_action", "final_action")  # fields of results that hold an action


def translated(value: Any, fields: Mapping[str, Callable[[Any], Any]]) -> Any:
    """The value with every field of these names, at any depth, as its function gives it; parameters stay as they are."""
    if isinstance(value, list):
        return [translated(item, fields) for item in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for name, item in value.items():
        if name in fields and item is not None:
            made[name] = fields[name](item)
        else:
            made[name] = item if name == "params" else translated(item, fields)
    return made
