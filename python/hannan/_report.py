"""Reports of learners, for people: tables without scripts."""

from __future__ import annotations

import html
from typing import Any, Mapping, Optional, Sequence

from ._values import Result


def text_of(value: Any) -> str:
    """A cell of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return str(value)


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """A table in HTML, every cell escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text_of(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def line(values: Sequence[float], width: int = 300, height: int = 60) -> str:
    """A line of numbers as SVG, at most a point a pixel."""
    points = [float(v) for v in values if v is not None and v == v]
    if len(points) < 2:
        return ""
    step = max(1, len(points) // width)
    thinned = points[::step] + ([] if (len(points) - 1) % step == 0 else [points[-1]])
    low, high = min(thinned), max(thinned)
    span = (high - low) or 1.0
    places = " ".join(
        f"{i * width / (len(thinned) - 1):.1f},{height - 2 - (v - low) / span * (height - 4):.1f}"
        for i, v in enumerate(thinned)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">'
        f'<polyline fill="none" stroke="#2a6fb0" stroke-width="1.5" points="{places}"/></svg>'
    )


_ESTIMATES = ("run", "measured", "exact")  # of a bound on the expected regret: one value bounds nothing
_LIMITS = ("limit", "leaderless")
_ON_THE_TOTAL = ("mixing", "segments")  # of a learner with ``by``: they bound the loss, not the regret


def _covers(bound: Result) -> str:
    if bound["name"] in _LIMITS:
        return "limit"
    return "mean" if bound["holds"] is None else "path"


def _from_to(report: Mapping[str, Any], name: str) -> Any:
    """The best, or the regret: a range where the search for the best was not finished."""
    if report.get("best_proven", True):
        return report[name]
    low, high = report[name + "_range"]
    return f"from {text_of(low)} to {text_of(high)}, not proven"


class Report(Result):
    """What a learner reports; its fields are attributes."""

    _found: Optional[dict[str, Any]] = None  # as the core gave it, where actions are the user's own

    @property
    def bounds(self) -> list[Result]:
        """The numbers of the certificate: name, value, side, holds. ``holds`` is None for a statement about the mean,
        which no single run keeps or breaks."""
        return [Result(bound) for bound in self["certificate"]["bounds"]]

    @property
    def regret_bounds(self) -> list[Result]:
        """The upper bounds on the regret, of this run or of the mean; without estimates."""
        return [
            b
            for b in self.bounds
            if b["side"] == "upper" and b["name"] not in _ON_THE_TOTAL and b["name"] not in _ESTIMATES
        ]

    @property
    def holds(self) -> bool:
        """Nothing that is said of this run is contradicted by it. What is said of the mean, and a limit that the regret
        of one run is above by its own draws, cannot be, and are left out here."""
        return all(bound["holds"] is not False for bound in self.bounds)

    @property
    def bound(self) -> Optional[float]:
        """What may be called the bound on the regret: the limit that holds with 95 % certainty (1 - ``delta``) at every
        round at once, or for certain; or else the least closed form of the *expected* regret. :attr:`bound_of` says
        which. None where there is none: those of a learner with ``by`` are on its total loss."""
        found = self._stated()
        return None if found is None else float(found["value"])

    @property
    def bound_of(self) -> Optional[str]:
        """What :attr:`bound` covers: ``"limit"``, the regret at every round at once with 95 % certainty, with each round
        in the mean over its own draw; ``"path"``, the regret for certain; ``"mean"``, the expected regret alone."""
        found = self._stated()
        return None if found is None else _covers(found)

    @property
    def expected(self) -> Optional[float]:
        """The expected regret's estimated bound (``run``): right in the mean over many runs; it bounds no single one, and
        is not to be compared with the regret of this one."""
        found = self.get("run")
        if found is None or self.get("discounted") or self["learner"] == "leader":  # a leader draws nothing
            return None
        return float(found)

    def _stated(self) -> Optional[Result]:
        given = "alpha" in self.get("params", {})
        found = [
            b for b in self.regret_bounds if not b.get("discounted") and not (given and b["name"] in _LIMITS)
        ]
        order = {"path": 0, "limit": 1, "mean": 2}
        # Of several limits the first; of several others the least.
        ranked = sorted(
            (order[_covers(b)], i if _covers(b) == "limit" else 0, float(b["value"]), i) for i, b in enumerate(found)
        )
        return found[ranked[0][3]] if ranked else None

    def to_frame(self) -> Any:
        """The bounds as a frame of pandas."""
        import pandas

        return pandas.DataFrame(self["certificate"]["bounds"])

    def _repr_html_(self, curve: Sequence[float] = ()) -> str:
        sure = f"{100 * (1 - float(self.get('delta') or 0.05)):g} %"
        named = {
            "limit": f"limit ({sure}, at every round; each round in the mean over its own draw)",
            "path": "limit (for certain)",
            "mean": "expected regret at most (closed form, of the mean)",
        }
        rows = [
            ("learner", f"{self['learner']} on {self['problem']}"),
            ("rounds", self["rounds"]),
            ("loss", self["total"]),
            ("best in hindsight", _from_to(self, "best")),
            ("regret", _from_to(self, "regret")),
        ]
        if self.bound is not None:
            rows.append((named[str(self.bound_of)], self.bound))
        if self.expected is not None:
            rows.append(("expected regret, estimated bound", self.expected))
        return table(("", ""), rows) + line(curve)
