"""Learners that live in ``hannan serve``: the same verbs, over HTTP, with retries that count once."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import time
import urllib.parse
import uuid
from typing import Any, Iterable, Iterator, NamedTuple, Optional

from . import _core
from ._columns import Names, in_order, names_of
from ._problem import Problem
from ._report import Report
from ._values import Result, failure, params_of, rows_of

_BLOCK = 5000  # outcomes of a request
_WAIT_AGAIN = (429, 502, 503, 504)
_ELSEWHERE = (307, 421)  # another node has the learner, at Location
_MOST_HOPS = 4  # before a pause: nodes may disagree while a learner moves


class RemoteDecision(NamedTuple):
    """A decision of the service. Hand it to ``observe`` with the outcome that it met."""

    name: str  # "g1.1042": generation and round
    round: int  # from 1
    action: Any  # as the problem's page writes it; None where it depends on a context that was not given
    prices: Optional[dict[str, float]]  # the action in money, where the problem has a list of prices


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Service:
    """A connection to ``hannan serve``; :func:`connect` makes one.

    A request without an answer is sent again, whole and unchanged, for ``patience`` seconds. That is safe because every
    outcome has an id, by which the service knows it again.
    """

    def __init__(self, url: str, token: Optional[str] = None, patience: float = 60.0, timeout: float = 30.0) -> None:
        self._url, self._patience, self._timeout = url, patience, timeout
        self._headers = {"Authorization": "Bearer " + token} if token else {}
        self._connection: Optional[http.client.HTTPConnection] = None
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https", "unix"):
            raise failure(_core.UsageError, "H100", f"found {url!r}, expected http://HOST:PORT, https:// or unix:PATH", "url")
        self._parts = self._home = parts

    def create(self, name: str, problem: Problem, learner: str = "flipflop", *, settings: Optional[dict[str, Any]] = None,
               **params: Any) -> "RemoteLearner":
        """Makes a learner, or finds the one that was made with the same parameters.

        ``settings``: what else the service keeps of it, such as ``slots``, ``cap``, ``currency``, ``tags``.
        """
        body = {"problem": {"kind": problem.kind, "params": problem.params},
                "learner": {"kind": learner.replace("_", "-"), "params": params_of(params)}, **(settings or {})}
        self._json("PUT", _path(name), body)
        return RemoteLearner(self, name)

    def learner(self, name: str) -> "RemoteLearner":
        """One that exists."""
        self._json("GET", _path(name))
        return RemoteLearner(self, name)

    def learners(self) -> Iterator[Result]:
        """All of them, with rounds, loss and status, in order of their names."""
        after = ""
        while True:
            page = self._json("GET", "/v1/learners?limit=1000&after=" + urllib.parse.quote(after, safe=""))
            yield from (Result(one) for one in page["learners"])
            after = page.get("next", "")
            if not after:
                return

    def end(self, name: str, purge: bool = False) -> None:
        """Ends a learner; its log stays unless ``purge``."""
        self._send("DELETE", _path(name) + ("?purge=true" if purge else ""))

    def close(self) -> None:
        """Ends the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"hannan.connect({self._url!r})"

    def _open(self) -> http.client.HTTPConnection:
        if self._connection is None:
            if self._parts.scheme == "unix":
                self._connection = _UnixConnection(self._parts.path, self._timeout)
            else:
                kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
                self._connection = kind(self._parts.netloc, timeout=self._timeout)
        return self._connection

    def _send(self, method: str, path: str, body: Optional[bytes] = None, kind: str = "application/json") -> bytes:
        until = time.monotonic() + self._patience
        hops = 0
        for tries in itertools.count():
            problem: Exception
            try:
                connection = self._open()
                prefix = "" if self._parts.scheme == "unix" else self._parts.path.rstrip("/")
                connection.request(method, prefix + path, body, {**self._headers, "Content-Type": kind})
                answer = connection.getresponse()
                text = answer.read()
                if answer.status < 300:
                    return text
                problem = _failure(answer.status, text)
                elsewhere = answer.getheader("Location") if answer.status in _ELSEWHERE else None
                if elsewhere:
                    self.close()
                    self._parts = urllib.parse.urlsplit(elsewhere)._replace(path="")
                    hops += 1
                    if hops % _MOST_HOPS != 0:
                        continue
                elif answer.status not in _WAIT_AGAIN:
                    raise problem
            except (OSError, http.client.HTTPException) as error:
                self.close()
                self._parts = self._home
                problem = failure(_core.Error, "H821", f"no answer from {self._url}: {error}")
            pause = min(2.0, 0.05 * 2 ** min(tries, 6))
            if time.monotonic() + pause > until:
                raise problem
            time.sleep(pause)
        raise AssertionError

    def _json(self, method: str, path: str, body: Any = None) -> Any:
        return json.loads(self._send(method, path, None if body is None else json.dumps(body).encode()))


class RemoteLearner:
    """A learner of a service: ``act`` reads its decision, ``observe`` tells it an outcome."""

    def __init__(self, service: Service, name: str) -> None:
        self._names: Names = None  # of the columns of the first frame that had names
        self.service, self.name = service, name  # where it is, and what it is called there

    def act(self, context: Optional[Iterable[Any]] = None) -> RemoteDecision:
        """The current decision; it stays the same until the next outcome."""
        query = "" if context is None else "?context=" + urllib.parse.quote(json.dumps(list(context)), safe="")
        found = self._get("/decision" + query)
        return RemoteDecision(found["decision"], found["round"], found["action"], found.get("prices"))

    def observe(self, outcome: Any, decision: Optional[RemoteDecision] = None, id: Optional[str] = None,
                context: Optional[Iterable[Any]] = None, warm: bool = False) -> Result:
        """Tells an outcome. Without an ``id`` one is drawn here, so that a retry still counts once. ``warm``: rehearsed,
        learned from though nothing was played; before the first outcome that was."""
        row = self._outcome(outcome, decision, id, context)
        return self._tell([{**row, "warm": True} if warm else row])

    def observe_many(self, outcomes: Any, ids: Any = None, context: Any = None, block: int = _BLOCK) -> Result:
        """Tells many, in blocks; after an error the same call goes on where it stopped, because ids are known again.

        ``outcomes``: a frame, an array or a list. ``ids``: a list, or the name of a column of the frame, which is then
        no part of the outcome. ``context``: names of columns of the frame, likewise. Later frames of this object are put
        in the order of the columns of its first one.
        """
        columns = [context] if isinstance(context, str) else list(context or [])
        taken = columns + ([ids] if isinstance(ids, str) else [])
        contexts = outcomes[columns].astype(str).to_numpy().tolist() if columns else None
        if isinstance(ids, str):
            ids = outcomes[ids].astype(str).tolist()
        if taken:
            outcomes = outcomes.drop(columns=taken)
        self._names = names_of(outcomes) if self._names is None else self._names
        rows = rows_of(in_order(outcomes, self._names), -1)
        rows = rows.tolist() if hasattr(rows, "tolist") else list(rows)
        if ids is not None and len(ids) != len(rows):
            raise failure(_core.UsageError, "H105", f"found {len(ids)} ids, expected {len(rows)}, one per outcome", "ids")
        last = Result(accepted=0, duplicates=0)
        for start in range(0, len(rows), block):
            lines = [self._outcome(rows[i], None, None if ids is None else str(ids[i]), contexts[i] if contexts else None)
                     for i in range(start, min(start + block, len(rows)))]
            answer = self._tell(lines)
            answer["accepted"] += last["accepted"]
            answer["duplicates"] += last["duplicates"]
            last = answer
        return last

    def report(self) -> Report:
        """Ledgers and every bound with whether it holds."""
        return Report(self._get("/report"))

    def state(self) -> bytes:
        """The state, which :meth:`hannan.Learner.load` goes on from."""
        return self.service._send("GET", _path(self.name) + "/state")

    def record(self, path: Any) -> None:
        """Writes the log into a file that :func:`hannan.verify` checks."""
        with open(path, "wb") as file:
            file.write(self.service._send("GET", _path(self.name) + "/record"))

    def reset(self) -> None:
        """Begins a new generation with an empty log."""
        self.service._send("POST", _path(self.name) + "/reset")

    @property
    def facts(self) -> Result:
        """Configuration, status, rounds and both ledgers."""
        return Result(self._get(""))

    def _get(self, rest: str) -> Any:
        return self.service._json("GET", _path(self.name) + rest)

    @staticmethod
    def _outcome(outcome: Any, decision: Optional[RemoteDecision], id: Optional[str],
                 context: Optional[Iterable[Any]]) -> dict[str, Any]:
        row: dict[str, Any] = {"id": id or str(uuid.uuid4()), "outcome": outcome.tolist() if hasattr(outcome, "tolist") else outcome}
        if decision is not None:
            row["decision"] = decision.name
        if context is not None:
            row["context"] = list(context)
        return row

    def _tell(self, rows: list[dict[str, Any]]) -> Result:
        body = "\n".join(json.dumps(row) for row in rows).encode()
        return Result(json.loads(self.service._send("POST", _path(self.name) + "/outcomes", body, "application/x-ndjson")))

    def __repr__(self) -> str:
        return f"{self.service!r}.learner({self.name!r})"


def _path(name: str) -> str:
    return "/v1/learners/" + urllib.parse.quote(name, safe="")


def _failure(status: int, text: bytes) -> Exception:
    try:
        found = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return failure(_core.Error, "H900", f"HTTP {status}: {text[:200]!r}")
    kind = _core.UsageError if status in (400, 401, 403, 404, 409, 412, 422) else _core.Error
    return failure(kind, found["code"], found["message"], found.get("at", ""))


def connect(url: str, token: Optional[str] = None, patience: float = 60.0) -> Service:
    """The service at an address: ``http://127.0.0.1:8080``, or ``unix:/run/hannan.sock``."""
    return Service(url, token, patience)
