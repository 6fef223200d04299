"""What every other file of the package needs: options, results with attributes, errors, arrays of outcomes."""

from __future__ import annotations

import difflib
import functools
import inspect
import numbers
import warnings
from typing import Any, Callable, TypeVar, cast

import numpy as np

from . import _core
from ._rounds import Decision, Step  # noqa: F401; pickles of 0.3 look for them here

Call = TypeVar("Call", bound=Callable[..., Any])


class _Options:
    """Settings of the package: ``hannan.options.strict``, ``hannan.options.allow_external``."""

    __slots__ = ("strict", "allow_external")

    def __init__(self) -> None:
        self.strict = False  # warn where an array is converted from float32
        self.allow_external = False  # unpickling may start the programs of external oracles

    def __repr__(self) -> str:
        return f"hannan.options(strict={self.strict}, allow_external={self.allow_external})"


options = _Options()


class Result(dict[str, Any]):
    """A dict whose fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no field {name!r}; there are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})


class Tabled:
    """Outcomes that stand in ``table``, with more about them beside: a bid log."""

    table: Any  # an array whose rows are outcomes

    @property
    def slots(self) -> list[str]:
        """The name of every column."""
        return []


def failure(kind: Any, code: str, message: str, at: str = "") -> Exception:
    """An error of the package with its code and place, as the core raises them."""
    made: Exception = kind(f"{code}: {at}: {message}" if at else f"{code}: {message}")
    vars(made).update(code=code, at=at, message=message)
    return made


def rows_of(outcomes: Any, width: int) -> Any:
    """Outcomes as the core takes them: a float64 array whose rows are outcomes, or a list of values.

    An array of float64 in C order is passed on as it is; others are converted once.
    """
    if isinstance(outcomes, Tabled):
        outcomes = outcomes.table
    if hasattr(outcomes, "to_numpy") and not isinstance(outcomes, np.ndarray):  # frames and series of pandas
        if width > 1:
            _refuse_texts(outcomes)
        outcomes = outcomes.to_numpy()
    if isinstance(outcomes, (str, bytes, dict)) or not hasattr(outcomes, "__iter__"):
        hint = "; read the file first, such as with pandas.read_csv" if isinstance(outcomes, str) else ""
        what = (f"found a value of type {type(outcomes).__name__}, expected outcomes: an array whose rows are outcomes, a "
                f"frame, a list or a generator{hint}")
        raise failure(_core.UsageError, "H104", what, "outcomes")
    if not isinstance(outcomes, np.ndarray):
        return outcomes
    if outcomes.dtype == object or width == 0:
        return outcomes.tolist()
    if outcomes.dtype == np.float32 and options.strict:
        warnings.warn("float32 outcomes are converted to float64", UserWarning, stacklevel=3)
    if isinstance(outcomes, np.ma.MaskedArray):
        masked: Any = outcomes.astype(np.float64)
        outcomes = masked.filled(np.nan)  # what is masked is missing
    rows = np.ascontiguousarray(outcomes, dtype=np.float64)
    if rows.ndim == 1 and width == 1:
        rows = rows.reshape(-1, 1)
    return rows


def _refuse_texts(frame: Any) -> None:
    """Refuses columns that hold no numbers, by their names."""
    dtypes: Any = getattr(frame, "dtypes", None)
    if not hasattr(frame, "columns") or not hasattr(dtypes, "items"):  # a series, or no frame of pandas
        return
    texts = [name for name, dtype in dtypes.items() if getattr(dtype, "kind", "O") not in "biuf" and not _numbers(frame[name])]
    if texts:
        listed = ", ".join(map(str, texts))
        remedy = "frame.astype(float)" if len(texts) == len(frame.columns) else f"leave it out: frame.drop(columns={texts!r})"
        what = f"found no numbers in {listed}, expected them in every column; {remedy}"
        raise failure(_core.DataError, "H204", what, "outcomes")


def _numbers(column: Any) -> bool:
    """Whether a column of any values can be read as numbers, with or without gaps."""
    if getattr(getattr(column, "dtype", None), "kind", "O") in "Mm" or not hasattr(column, "dropna"):  # times
        return False
    return all(isinstance(value, numbers.Real) for value in column.dropna())


def first_rows(data: Any, most: int = 1000) -> Any:
    """The first rows of data at hand as an array; None where they are no rows of numbers."""
    if isinstance(data, Tabled):
        data = data.table
    if hasattr(data, "to_numpy") and not isinstance(data, np.ndarray):
        data = data.head(most).to_numpy() if hasattr(data, "head") else data.to_numpy()[:most]
    if not isinstance(data, (np.ndarray, list, tuple)):
        return None
    try:
        rows = np.array(data[:most], dtype=np.float64)
    except (TypeError, ValueError):
        return None  # the core says what is wrong with them
    return rows if rows.ndim == 2 else None


def names_arguments(call: Call) -> Call:
    """The function, which refuses an unknown keyword by its name and the one that it was probably meant to be."""
    known = [name for name in inspect.signature(call).parameters if name != "self"]

    @functools.wraps(call)
    def checked(*args: Any, **given: Any) -> Any:
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f' (did you mean "{near[0]}"?)' if near else ""
                what = f"found the argument {name}, expected {', '.join(known)}{hint}"
                raise failure(_core.UsageError, "H103", what, call.__name__)
        return call(*args, **given)

    return cast(Call, checked)


def params_of(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters by their own names: ``-`` and ``_`` are the same."""
    return {name.replace("-", "_"): value for name, value in params.items()}
