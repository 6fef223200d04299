"""Reports of learners, for people: tables without scripts."""

from __future__ import annotations

import html
from typing import Any, Optional, Sequence

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


_IN_THE_MEAN = ("run", "measured", "exact")
_ON_THE_TOTAL = ("mixing", "segments")  # of a learner with ``by``: they bound the loss, not the regret


class Report(Result):
    """What a learner reports; its fields are attributes."""

    _found: Optional[dict[str, Any]] = None  # as the core gave it, where actions are the user's own

    @property
    def bounds(self) -> list[Result]:
        """The bounds of the certificate: name, value, side, holds."""
        return [Result(bound) for bound in self["certificate"]["bounds"]]

    @property
    def regret_bounds(self) -> list[Result]:
        """The upper bounds on the regret."""
        return [b for b in self.bounds if b["side"] == "upper" and b["name"] not in _ON_THE_TOTAL]

    @property
    def holds(self) -> bool:
        """No bound of the certificate is broken. Certificates of the run bound the mean over the learner's own
        randomness: a single run may be above them, and they are left out here."""
        return all(bound["holds"] is not False for bound in self.bounds if bound["name"] not in _IN_THE_MEAN)

    @property
    def bound(self) -> Optional[float]:
        """The upper bound on the regret that ``hannan run`` prints first: the certificate of the run, or the least upper
        bound. None where there is none: those of a learner with ``by`` are on its total loss."""
        uppers = [b for b in self.regret_bounds if b["holds"] is not None]
        first = [b for b in uppers if b["name"] in ("run", "measured")]
        closed = [b for b in uppers if b["name"] not in (*_IN_THE_MEAN, "limit", "leaderless")]
        if not first and not closed:
            return None
        found = first[0] if first else min(closed, key=lambda b: float(b["value"]))
        return None if found.get("discounted") else float(found["value"])

    def to_frame(self) -> Any:
        """The bounds as a frame of pandas."""
        import pandas

        return pandas.DataFrame(self["certificate"]["bounds"])

    def _repr_html_(self, curve: Sequence[float] = ()) -> str:
        bound = self.bound
        ratio = self["regret"] / bound if bound else None
        rows = [
            ("learner", f"{self['learner']} on {self['problem']}"),
            ("rounds", self["rounds"]),
            ("loss", self["total"]),
            ("best in hindsight", self["best"]),
            ("regret", self["regret"]),
            ("bound", bound),
            ("regret / bound", ratio),
        ]
        return table(("", ""), rows) + line(curve)
