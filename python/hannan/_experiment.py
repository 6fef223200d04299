"""Whole plans of runs, on threads, on processes, or on a cluster of Dask."""

from __future__ import annotations

import io
import json
import os
import tempfile
from typing import Any, Mapping, Optional, Union

from . import _core
from ._run import write_page_of
from ._values import failure


class Experiment:
    """What ``hannan experiment`` writes: ``files`` by name, to the byte, whoever played which runs."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.results: dict[str, Any] = json.loads(files["results.json"])

    def to_frame(self) -> Any:
        """A frame of pandas, a row a run."""
        import pandas

        return pandas.read_csv(io.BytesIO(self.files["results.csv"]))

    def save(self, folder: Union[str, os.PathLike[str]]) -> None:
        """Writes the files as the command does."""
        os.makedirs(folder, exist_ok=True)
        for name, content in self.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)

    def to_html(self, path: Union[str, os.PathLike[str]], title: str = "") -> None:
        """Writes the page of ``hannan report``."""
        write_page_of(self.results, path, title)

    def __repr__(self) -> str:
        return f"<Experiment {self.results.get('name', '')!r}: {', '.join(self.files)}>"


def _toml(table: Mapping[str, Any]) -> str:
    """A plan as TOML: plain values, tables and lists of tables."""
    lines, later = [], []
    for name, value in table.items():
        if isinstance(value, Mapping):
            later.append(f"[{name}]\n{_toml(value)}")
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Mapping) for item in value):
            for item in value:
                rows = "".join(f"{key} = {_value(part)}\n" for key, part in item.items())
                later.append(f"[[{name}]]\n{rows}")
        else:
            lines.append(f"{name} = {_value(value)}\n")
    return "".join(lines) + "\n".join(later)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_value(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return json.dumps(value)


def _rank(plan: str, folder: str, small: bool, threads: int, rank: int, ranks: int) -> dict[str, bytes]:
    """One rank, in the process of a worker."""
    return _core.experiment(plan, folder, small, threads, rank, ranks)


def experiment(plan: Union[str, os.PathLike[str], Mapping[str, Any]], folder: Union[str, os.PathLike[str], None] = None,
               threads: int = 1, small: bool = False, client: Any = None, ranks: Optional[int] = None) -> Experiment:
    """Plays a plan (docs/experiments.md): the name of a TOML file, or the plan as a dict.

    ``folder`` keeps finished runs, so that the same call goes on after an interruption. With a ``client`` of
    ``dask.distributed`` every worker is a rank: the workers share ``folder`` and nothing else, a worker that dies is
    made good by the others, and the files are the same bytes as those of one process.
    """
    with tempfile.TemporaryDirectory() as scratch:
        if isinstance(plan, Mapping):
            place = os.path.abspath(folder) if folder is not None else scratch  # where workers see it
            os.makedirs(place, exist_ok=True)
            name = os.path.join(place, "plan.toml")
            with open(name, "w", encoding="utf-8") as file:
                file.write(_toml(plan))
        else:
            name = os.path.abspath(plan)
        kept = os.path.join(os.path.abspath(folder), "finished") if folder is not None else os.path.join(scratch, "kept")
        if client is None:
            return Experiment(_core.experiment(name, kept, small, threads, 0, 1))
        if folder is None:
            raise failure(_core.UsageError, "H102", "give a folder that every worker sees", "folder")
        count = ranks or max(1, len(client.scheduler_info()["workers"]))
        futures = [client.submit(_rank, name, kept, small, threads, rank, count, pure=False, retries=3)
                   for rank in range(count)]
        return Experiment(client.gather(futures)[0])
