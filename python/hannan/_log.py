"""Bid logs: from frames and files to outcomes, and from reserves to price floors."""

from __future__ import annotations

import os
from typing import Any, Optional

from . import _core
from ._report import table
from ._values import Tabled, names_arguments, params_of


class Log(Tabled):
    """A bid log as outcomes: ``table``, an array whose rows are auctions, with what its columns stand for.

    ``summary`` is what was read and left out, as ``--summary`` writes it. ``contexts`` has the values of the columns ``by`` of every auction, for ``play``; None without them. ``tested`` is
    what is said of prices that were drawn at random, for ``compare``; None of other logs.
    """

    def __init__(self, table: Any, summary: dict[str, Any], contexts: Optional[list[list[str]]] = None,
                 tested: Optional[dict[str, Any]] = None) -> None:
        self.table = table
        self.summary = summary
        self.contexts = contexts
        self.tested = tested

    @property
    def slots(self) -> list[str]:
        """The name of every column."""
        return [slot["name"] for slot in self.summary["slots"]]

    @property
    def cap(self) -> float:
        """The money that a bid of 1 stands for."""
        return self.summary["cap"]

    @property
    def currency(self) -> str:
        """The code of the money of the log; empty where none was stated."""
        return self.summary.get("currency") or ""

    @property
    def params(self) -> dict[str, Any]:
        """What the log says of the parameters of its problem."""
        return self.summary["params"]

    @property
    def dropped(self) -> dict[str, int]:
        """Rows that could not be used, counted by reason."""
        return {reason.replace("_", " "): rows["rows"] for reason, rows in self.summary["rows"]["dropped"].items()}

    def __len__(self) -> int:
        return len(self.table)

    def to_frame(self) -> Any:
        """The table as a frame of pandas, its columns named."""
        import pandas

        return pandas.DataFrame(self.table, columns=self.slots)

    def __repr__(self) -> str:
        rows = self.summary["rows"]
        return f"<Log of {len(self)} auctions, {rows['used']} of {rows['read']} rows used>"

    def _repr_html_(self) -> str:
        slots = [(slot["name"], slot["auctions"]) for slot in self.summary["slots"]]
        return table(("slot", "auctions"), slots, repr(self)[1:-1])


def convert(log: Any, problem: Optional[str] = None, **options: Any) -> Log:
    """A bid log as outcomes: what ``hannan convert`` makes of it, number for number.

    ``problem`` is the kind that the outcomes are for; left out: reserve prices, as with ``hannan convert``.
    ``log`` is a frame of pandas or the name of a file; ``options`` are the flags of ``hannan convert`` with ``_`` for
    ``-``: ``round``, ``bidder``, ``bid``, ``cap`` or ``cap_quantile``, ``count``, ... ``by`` is a list of columns; flags
    that may be given again (``columns``, ``where``, ``names``) are lists too. With ``payment="posted"`` two flags of
    ``hannan compare`` belong here: ``randomised=True`` says that every price was drawn at random, ``today`` is the price
    in use; :func:`compare` then judges the prices.
    """
    options = params_of(options)
    if problem is not None:
        options = {"problem": problem.replace("_", "-"), **options}
    if hasattr(log, "to_csv"):
        text = log.to_csv(index=False).encode()
        found = _core.convert(text, "frame", {"format": "long", **options})
    else:
        found = _core.convert(None, os.fspath(log), options)
    return Log(found["table"], found["summary"], found["contexts"], found["tested"])


def _handed_on(player: Any, log: Optional[Log], field: str, anyway: bool) -> dict[str, Any]:
    """What is asked of the library to hand on the decision of a row of a comparison."""
    result = player.comparison._found  # actions as the core has them
    return {
        "result": result,
        "player": [row["name"] for row in result["players"]].index(player["name"]),
        "summary": log.summary if log is not None else None,
        "field": field,
        "otherwise": None if anyway else "anyway=True writes it",
        "names": list(player.comparison._names) if player.comparison._names is not None else None,
    }


@names_arguments
def decisions(source: Any, log: Optional[Log] = None, anyway: bool = False) -> dict[str, Any]:
    """What a row of a comparison would play next, with names, money and its verdict: the file of ``--decisions``.

    A decision that loses against its baseline raises :class:`DataError` (H212), unless ``anyway``. Of a price test: for
    each good the price with the highest mean.
    """
    return _core.decisions_of_player(source.problem._core, _handed_on(source, log, "bidder", anyway))


@names_arguments
def floors(
    source: Any, log: Log, field: str = "bidder", problem: Optional[Any] = None, anyway: bool = False
) -> dict[str, Any]:
    """Reserves as price floors of Prebid, the file of ``--floors``.

    Of a row of a comparison: what it would play next, with its verdict; one that loses against its baseline raises
    :class:`DataError` (H212), unless ``anyway``. Of a learner, a run or a :class:`Summary`: the best fixed reserves of
    its rounds, which are not judged.
    """
    if getattr(source, "comparison", None) is not None:
        return _core.floors_of_player(source.problem._core, _handed_on(source, log, field, anyway))
    if hasattr(source, "to_bytes"):  # a summary
        source = {"rounds": source.rounds, "best_action": source.best()["action"], "_problem": source.problem}
    report = source if isinstance(source, dict) else source.report()
    report = report.get("report", report)
    if problem is None:
        learner = getattr(source, "_learner", source)
        problem = getattr(learner, "problem", None) or report["_problem"]
    model = f"hannan, best fixed reserves of {report['rounds']} rounds, not judged"
    return _core.floors(problem._core, report["best_action"], log.summary, field, model)
