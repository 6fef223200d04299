"""What a batch of rounds gave."""

from __future__ import annotations

import json
import math
import os
import tempfile
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._columns import actions_are_columns
from ._report import Report, table
from ._values import Result, failure


class Run:
    """Rounds that a learner has played: a number a round in every array.

    ``losses``: what each round lost; ``totals``: all that was lost up to it. ``actions``: what was played, None unless
    ``play`` was asked for them. ``progress``: the figures after rounds 1, 2, 4, 8, ... and at the end.
    """

    def __init__(self, learner: Any, first: int, parts: list[dict[str, Any]], actions: bool, record: str) -> None:
        self._learner = learner
        self._first = first
        self._record = record
        self._report: Optional[Report] = None
        self.losses = _whole([part["losses"] for part in parts])
        self.totals = _whole([part["totals"] for part in parts])
        self._best: Any = [(part["best"], len(part["losses"])) for part in parts]
        self.progress = [Result(row) for part in parts for row in part["progress"]]
        self.actions = _by_name(_actions(parts, learner), learner) if actions else None
        self._end = first + len(self.losses)
        found = [part["hindsight"] for part in parts if "hindsight" in part]
        # Of a learner that sees a part: what the outcomes say that it did not see, over this run.
        self.hindsight: Optional[Result] = Result(found[0]) if len(found) == 1 else None

    def __len__(self) -> int:
        return len(self.losses)

    @property
    def best(self) -> Any:
        """L* after each round; NaN where it is not tracked."""
        if isinstance(self._best, list):  # made when it is asked for: None stands for a part without one that is known
            self._best = _whole([np.full(size, np.nan) if known is None else known for known, size in self._best])
        return self._best

    @property
    def regret(self) -> Any:
        """After each round: the loss so far less that of the best fixed action; NaN where L* is not tracked."""
        return self.totals - self.best

    @property
    def bound(self) -> Optional[float]:
        """What may be called the bound on the regret at the end of the run; see :attr:`Report.bound`."""
        return self.report().bound

    def report(self) -> Report:
        """The learner's report at the end of this run."""
        if self._report is None:
            if self._learner.rounds != self._end:
                raise failure(
                    _core.UsageError, "H108", "the learner has played on since; ask a run for its report before"
                )
            self._report = self._learner.report()
        return self._report

    def verify(self) -> Result:
        """Checks the record of the run by computing all of it again.

        ``verified`` is True where everything was, and ``trusted`` says what was not; ``unchecked`` is what the problem
        says of itself that cannot be."""
        found = Result(_core.verify(self._recorded("verify")))
        found["unchecked"] = list(getattr(self._learner.problem, "unchecked", ()))
        return found

    def _recorded(self, what: str) -> str:
        if not self._record:
            raise failure(_core.UsageError, "H108", f'there is no record to {what}: play with record="run.jsonl"')
        return self._record

    def to_frame(self) -> Any:
        """A frame of pandas, a row a round."""
        import pandas

        columns = {"loss": self.losses, "total": self.totals, "best": self.best, "regret": self.regret}
        frame = pandas.DataFrame(columns, index=pandas.RangeIndex(self._first + 1, self._end + 1, name="round"))
        if self.actions is not None:
            frame["action"] = list(self.actions)
        return frame

    def to_html(self, path: Union[str, os.PathLike[str]], title: str = "") -> None:
        """Writes the page of ``hannan report``: of the record where there is one, else of the report."""
        if self._record:
            write_page([self._record], path, title)
            return
        report = self.report()
        summary = dict(report._found or report, problem_params=self._learner.problem.params)
        write_page_of(summary, path, title)

    def plot(self, ax: Any = None) -> Any:
        """Regret by round, with matplotlib; returns the axes."""
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots()
        rounds = np.arange(self._first + 1, self._end + 1)
        ax.plot(rounds, self.regret, label=self._learner.kind)
        bounds = [(row["round"], row["bound"]) for row in self.progress if row["bound"] is not None]
        if bounds:
            named = {"limit": "limit (95 %)", "path": "limit (certain)", "mean": "expected regret at most"}
            last = [row["bound_of"] for row in self.progress if row["bound"] is not None][-1]
            ax.plot(*zip(*bounds), linestyle="--", label=named[last])
        ax.set_xlabel("round")
        ax.set_ylabel("regret")
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        if self._report is not None or self._learner.rounds == self._end:
            return self.report()._repr_html_(self.regret)
        return table(("", ""), [("rounds", len(self)), ("loss", float(self.losses.sum()))])

    def __repr__(self) -> str:
        return f"<Run of {len(self)} rounds by {self._learner!r}>"


def _whole(arrays: list[Any]) -> Any:
    """The arrays as one; a single one as it is."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _by_name(actions: Any, learner: Any) -> Any:
    """The actions with the names of columns, where they are columns that have names."""
    if learner._names is None or not actions_are_columns(learner.problem, learner._names):
        return actions
    return np.array(learner._names, dtype=object)[np.asarray(actions, dtype=np.intp)]


def _actions(parts: list[dict[str, Any]], learner: Any) -> Any:
    others = [action for part in parts for action in part["others"]]
    if others:
        return others
    widths: set[int] = set()
    for part in parts:
        widths.update(np.unique(np.diff(part["ends"], prepend=0)).tolist())
    if len(widths) > 1:  # such as walks of different length
        return [row for part in parts for row in np.split(part["numbers"], part["ends"][:-1])]
    numbers = np.concatenate([part["numbers"] for part in parts])
    width = widths.pop() if widths else 1
    return numbers if learner._index else numbers.reshape(-1, width)


def write_page(files: list[str], path: Union[str, os.PathLike[str]], title: str = "") -> None:
    text, verified = _core.page(files, title)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if not verified:
        raise failure(_core.DataError, "H601", "a record does not verify; the page was written and says so", str(path))


def write_page_of(result: dict[str, Any], path: Union[str, os.PathLike[str]], title: str = "") -> None:
    """The page of a result that a command would have written to a file."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "result.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(_finite(result), file, default=_plain)
        write_page([name], path, title)


def _finite(value: Any) -> Any:
    """The value with infinities as the program writes them."""
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
