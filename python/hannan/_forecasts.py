"""A table of forecasts and actuals to one combined forecast, with a certificate of the run.

>>> import hannan
>>> table = {"day": [1, 2, 3, 4], "actual": [10.0, 12.0, 11.0, float("nan")], "a": [9.0, 12.0, 12.0, 11.0], "b": [12.0, 13.0, 10.0, 14.0]}
>>> run = hannan.combine(table, actual="actual", time="day")
>>> len(run.published), len(run.next["forecast"])
(4, 1)
"""

from __future__ import annotations

import csv
import os
import tempfile
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _core
from ._run import write_page_of
from ._values import failure

__all__ = ["ForecastRun", "combine"]

Loss = Union[str, Callable[[float, float], "tuple[float, float]"]]


def _names(given: Union[None, str, Sequence[str]]) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else [str(name) for name in given]


def _write(frame: Any, path: str) -> None:
    """A frame as CSV, numbers with all their digits."""
    if hasattr(frame, "to_csv"):  # pandas
        frame.to_csv(path, index=False, date_format="%Y-%m-%d %H:%M:%S")
        return
    if hasattr(frame, "write_csv"):  # polars
        frame.write_csv(path)
        return
    try:
        columns = {str(name): list(frame[name]) for name in frame}
    except (TypeError, KeyError, IndexError):
        raise failure(_core.UsageError, "H104", f"found {type(frame).__name__}, expected a frame, a dict of columns or a path",
                      "frame") from None
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow(["" if cell is None or cell != cell else repr(float(cell)) if isinstance(cell, (float, np.floating)) else cell
                             for cell in row])


def _frame(columns: dict[str, Any]) -> Any:
    """A frame of pandas where it is installed, else the columns."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


class ForecastRun:
    """What :func:`combine` made: ``predictions`` and ``weights`` as frames, ``result`` as ``hannan compare forecasts`` writes it.

    ``published`` is the combined forecast of each row, an array; with quantiles it has a column a level.
    """

    def __init__(self, made: dict[str, Any]) -> None:
        self._made = made
        self.result: Optional[dict[str, Any]] = made["result"]
        self.published: np.ndarray = made["published"][:, 0] if made["published"].shape[1] == 1 else made["published"]
        self._state: bytes = made["state"]

    def _columns(self, rows: Any) -> dict[str, Any]:
        made, names = self._made, self._made["key_names"]
        columns: dict[str, Any] = {}
        for i, name in enumerate(names):
            columns[name] = [made["keys"][row * len(names) + i] for row in rows]
        if made["levels"]:
            for q, level in enumerate(made["levels"]):
                columns[f"forecast@{level:g}"] = made["published"][rows, q]
            columns["actual"] = made["actual"][rows]
            return columns
        columns["forecast"] = made["published"][rows, 0]
        columns["actual"] = made["actual"][rows]
        columns["error"] = made["actual"][rows] - made["published"][rows, 0]
        for j, name in enumerate(made["member_names"]):
            columns[name] = made["members"][rows, 0, j]
        return columns

    @property
    def predictions(self) -> Any:
        """A row for each row of the table, in its order."""
        return _frame(self._columns(np.arange(len(self._made["actual"]))))

    @property
    def next(self) -> Any:
        """The forecasts of rows without an actual."""
        return _frame(self._columns(np.flatnonzero(np.isnan(self._made["actual"]))))

    @property
    def weights(self) -> Any:
        """A row for each round: the total weight of each model, of further columns and of the median."""
        names = [*self._made["models"], *self._made["columns"], "median"]
        time = self._made["key_names"][0] if self._made["key_names"] else "round"
        return _frame({time: list(self._made["rounds"]), **{name: self._made["weights"][:, k] for k, name in enumerate(names)}})

    @property
    def verdict(self) -> str:
        """"deploy", "keep" or "cannot tell", against the forecast in use or the plain mean."""
        return "cannot tell" if self.result is None else str(self.result["judgement"]["verdict"])

    def report(self) -> dict[str, Any]:
        """What ``hannan compare forecasts -o`` writes."""
        if self.result is None:
            raise failure(_core.DataError, "H206", "found no row with a forecast and an actual, expected some", "actual")
        return self.result

    def to_html(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page of ``hannan report``."""
        write_page_of(self.report(), path)

    def save(self) -> bytes:
        """The state, to go on with: ``combine(more, ..., state=run.save())``."""
        return self._state


def combine(frame: Any, actual: str = "", time: Optional[str] = None, models: Union[None, str, Sequence[str]] = None,
            loss: Loss = "squared", today: Optional[str] = None, series: Union[None, str, Sequence[str]] = None, *,
            model: Optional[str] = None, forecast: Optional[str] = None, level: Optional[str] = None,
            horizon: Optional[str] = None, by: Union[None, str, Sequence[str]] = None, weight: Optional[str] = None,
            drop: Union[None, str, Sequence[str]] = None, members: Union[None, str, Sequence[str]] = None, lag: int = 1,
            patience: Optional[int] = None, truth: Any = None, unit: str = "", sort: bool = False,
            state: Optional[bytes] = None) -> ForecastRun:
    """One forecast out of those of several models, row by row in order of time.

    ``frame`` is a frame of pandas or polars, a dict of columns, or the path of a CSV file: wide with a column for each
    model, or long with ``model``, ``forecast`` and ``time``. ``loss`` is a name (docs/forecasts.md) or a function
    ``(forecast, actual) -> (value, slope)`` that is convex in the forecast. Rows without an actual are forecast.

    All other arguments are the flags of the same names of ``hannan compare forecasts``: ``members``, which of the ways to
    put the models together are weighed; ``patience``, for how many rounds an actual is waited for; ``state``, of an
    earlier call, goes on from there.
    """
    options = {"actual": actual, "time": time, "models": _names(models), "loss": loss, "today": today,
               "series": _names(series), "model": model, "forecast": forecast, "level": level, "horizon": horizon,
               "by": _names(by), "weight": weight, "drop": _names(drop), "members": _names(members), "lag": int(lag),
               "patience": patience, "unit": unit, "sort": bool(sort)}
    with tempfile.TemporaryDirectory() as folder:
        def path_of(given: Any, name: str) -> str:
            if isinstance(given, (str, os.PathLike)):
                return os.fspath(given)
            path = os.path.join(folder, name)
            _write(given, path)
            return path

        if truth is not None:
            options["truth"] = path_of(truth, "truth.csv")
        path = path_of(frame, "frame.csv")
        options["source"] = path if isinstance(frame, (str, os.PathLike)) else ""
        return ForecastRun(_core.combine_file(path, options, state))
