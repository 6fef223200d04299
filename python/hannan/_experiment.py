"""Whole plans of runs, on threads, on processes, or on a cluster of Dask."""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
from typing import Any, Mapping, Optional, Union

from . import _core
from ._run import write_page_of
from ._values import failure, names_arguments


class Experiment:
    """What ``hannan experiment`` writes: ``files`` by name, to the byte, whoever played which runs."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.results: dict[str, Any] = json.loads(files["results.json"])  # every run and table, as JSON has them

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
        return f"<Experiment {self.results.get('plan', '')!r}: {', '.join(self.files)}>"


_FILES = {"problems": "from", "streams": "data"}  # fields that name files


def _with_places(plan: Mapping[str, Any]) -> dict[str, Any]:
    """The plan with files by their whole names: those of a dict are relative to the current folder."""
    made = dict(plan)
    for part, field in _FILES.items():
        if isinstance(made.get(part), (list, tuple)):
            made[part] = [_placed(one, field) if isinstance(one, Mapping) else one for one in made[part]]
    return made


def _placed(part: Mapping[str, Any], field: str) -> dict[str, Any]:
    made = dict(part)
    if made.get(field):
        made[field] = os.path.abspath(made[field])
    if isinstance(made.get("small"), Mapping):
        made["small"] = _placed(made["small"], field)
    return made


def _toml(table: Mapping[str, Any]) -> str:
    """A plan as TOML: plain values, tables and lists of tables. What is None is left out."""
    lines, later = [], []
    for name, value in table.items():
        if isinstance(value, Mapping):
            later.append(f"[{_key(name)}]\n{_toml(value)}")
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Mapping) for item in value):
            later.extend(f"[[{_key(name)}]]\n{''.join(_lines(item))}" for item in value)
        else:
            lines.extend(_lines({name: value}))
    return "".join(lines) + "\n".join(later)


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(name)} = {_value(value)}\n" for name, value in table.items() if value is not None]


def _key(name: Any) -> str:
    return str(name) if re.fullmatch(r"[A-Za-z0-9_-]+", str(name)) else _text(str(name))


def _text(text: str) -> str:
    """A string of TOML: that of JSON, whose escapes know no characters beyond 16 bits, so that they are written out."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items() if item is not None) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, float):
        return repr(float(value))  # inf and nan are words of TOML too
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _rank(plan: str, folder: str, small: bool, threads: int, rank: int, ranks: int) -> dict[str, bytes]:
    """One rank, in the process of a worker."""
    return _core.experiment(plan, folder, small, threads, rank, ranks)


@names_arguments
def experiment(plan: Union[str, os.PathLike[str], Mapping[str, Any]], folder: Union[str, os.PathLike[str], None] = None,
               threads: int = 1, small: bool = False, client: Any = None, ranks: Optional[int] = None) -> Experiment:
    """Plays a plan (docs/experiments.md): the name of a TOML file, or the plan as a dict, whose files are relative to the
    current folder.

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
                file.write(_toml(_with_places(plan)))
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
