"""What a light learner of `hannan serve` feels of a hostile neighbour: hostile_bench.py HANNAN LOAD [--seconds S] [--windows N] [--segments N] [--rate R] [--parts ...]

One outcome a request on 16 connections, alone and beside all of these at once, in the same process:

  searches    a learner of 2^48 actions whose every outcome is a search of all the nodes that the service allows
  segments    a learner that has been told --segments segments (100,000) and is told new ones without end
  bodies      4 clients that send bodies of 8 MiB, well-formed up to their last bytes
  readers     200 clients that ask for a long record and read a byte of it now and then

The 16 send as many as they can, and then (paced) each --rate a second (100), which leaves the machine nearly idle when they are
alone. "Another process" is a second service without neighbours of its own, told the same beside the first one: what it feels is
that the neighbours' clients and work share the cores of this machine.

Figures are medians over the windows; ratios are medians of the ratios within a window, because a busy machine changes from
window to window. At the end SIGTERM is sent beside all of it, and the seconds until the process is gone are stated with the
grace that it was given."""
import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import signal
import socket
import statistics
import tempfile
import threading
import time

from service_bench import BODY, LINE, Service, load, searching

SEGMENTS = {"problem": {"kind": "experts", "params": {"experts": 8}}, "learner": {"params": {"track": "end", "by": ["site"]}}}
SEGMENTS_A_REQUEST = 500
GRACE = 3
READERS = 200
PARTS = ("searches", "segments", "bodies", "readers")
MALFORMED = b'{"outcomes":[' + b'{"id":"x","outcome":[0,0,0]},' * ((8 << 20) // 29 - 1) + b"{]}"


class Neighbour:
    """Its clients, as threads of one process. That gets a core only where none else wants it: what is measured is what the
    service does for a neighbour, not that both clients share the cores of one machine."""

    def __init__(self, port):
        self.port, self.stopped, self.counts, self.told_before = port, False, {}, 0

    def run(self, name, step):
        def loop():
            self.counts[name] = 0
            while not self.stopped:
                try:
                    if not step(self.counts[name]):
                        return
                    self.counts[name] += 1
                except (OSError, http.client.HTTPException):
                    time.sleep(0.05)  # the service ends, or has too many connections
        threading.Thread(target=loop, daemon=True).start()

    def post(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("POST", path, body)
        status = connection.getresponse().status
        connection.close()
        return status

    def new_segments(self, done):
        done += self.told_before
        body = {"outcomes": [{"id": f"s{done}-{i}", "context": [f"{done}-{i}"], "outcome": [0, 1, 0, 1, 0, 0.5, 1, 1]}
                             for i in range(SEGMENTS_A_REQUEST)]}
        return self.post("/v1/learners/segments/outcomes", json.dumps(body)) == 200

    def malformed(self, _):
        return self.post("/v1/learners/bench/outcomes", MALFORMED) in (400, 503)

    def slow_reader(self, _):
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(b"GET /v1/learners/record/record HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while not self.stopped and client.recv(1):
                time.sleep(0.5)
        return True

    def tell_before(self, segments):
        for done in range(segments // SEGMENTS_A_REQUEST):
            if not self.new_segments(done):
                raise SystemExit("segments were refused")
        self.told_before = segments // SEGMENTS_A_REQUEST

    def live(self, parts, pipe):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if "segments" in parts:
            self.run("segments", self.new_segments)
        for i in range(4 if "bodies" in parts else 0):
            self.run(f"bodies {i}", self.malformed)
        for i in range(READERS if "readers" in parts else 0):
            self.run(f"readers {i}", self.slow_reader)
        pipe.recv()  # until it is to end
        self.stopped = True
        pipe.send({part: sum(count for name, count in self.counts.items() if name.startswith(part)) for part in PARTS})


@contextlib.contextmanager
def hostile(service, args):
    """Gives a function that ends the clients and says how many requests each kind of them has made."""
    assert service.ask("PUT", "/v1/learners/segments", SEGMENTS)[0] == 201
    neighbour = Neighbour(service.port)
    if "segments" in args.parts:
        neighbour.tell_before(args.segments)
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=neighbour.live, args=(args.parts, there), daemon=True)

    def counts():
        here.send("end")
        return here.recv()
    with searching(service) if "searches" in args.parts else contextlib.nullcontext():
        process.start()
        time.sleep(1)  # until all of them are there
        try:
            yield counts
        finally:
            process.kill()
            process.join()


def window(service, other, args):
    def told(to, rate):
        one = load(args, to, 16, "POST", "/v1/learners/bench/outcomes", LINE, 1, rate)
        if one["failed"]:
            raise SystemExit("requests of the light learner failed")
        return one

    rates = {"": 0, "paced: ": args.rate}
    alone = {name: told(service, rate) for name, rate in rates.items()}
    with hostile(service, args) as counts:
        beside = {name: told(service, rate) for name, rate in rates.items()}
        away = {name: told(other, rate) for name, rate in rates.items()}
        done = counts()
    found = {}
    for name in rates:
        figures = {"alone": alone[name], "beside": beside[name], "in another process": away[name]}
        found.update({f"{name}{kind} p99 ms": 1e3 * one["p99"] for kind, one in figures.items()})
        found[f"{name}p99 beside : alone"] = beside[name]["p99"] / alone[name]["p99"]
        found[f"{name}p99 beside : in another process"] = beside[name]["p99"] / away[name]["p99"]
        found[f"{name}a second beside : alone"] = (beside[name]["requests"] / beside[name]["seconds"]
                                                   / (alone[name]["requests"] / alone[name]["seconds"]))
    return {**found, "new segments told": SEGMENTS_A_REQUEST * done["segments"], "bodies refused": done["bodies"]}


def end(service, args):
    """Seconds from SIGTERM to the end of the process, beside all of it."""
    seconds = None
    with contextlib.suppress(AssertionError, OSError, http.client.HTTPException):  # the process is gone in the end
        with hostile(service, args):
            begin = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(timeout=120)
            seconds = time.monotonic() - begin
    return seconds


@contextlib.contextmanager
def started(args):
    """A service of its own for every window: what an earlier neighbour left to do would count as the next one's."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        service = Service(args, folder, flags=("--grace", str(GRACE)))
        try:
            for name in ("bench", "record"):
                assert service.ask("PUT", f"/v1/learners/{name}", BODY)[0] == 201
            for part in range(10):
                rows = {"outcomes": [{"id": f"{part}-{i}", "outcome": [0.31, 0.52, i % 9 / 9]} for i in range(1000)]}
                assert service.ask("POST", "/v1/learners/record/outcomes", rows)[0] == 200
            yield service
        finally:
            if service.process.poll() is None:
                service.process.kill()
            service.process.communicate(timeout=120)


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("hannan")
    parse.add_argument("load")
    parse.add_argument("--seconds", type=float, default=3)
    parse.add_argument("--windows", type=int, default=5)
    parse.add_argument("--segments", type=int, default=100_000)
    parse.add_argument("--rate", type=float, default=100, help="outcomes a second of each light client that is paced")
    parse.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="only these neighbours")
    args = parse.parse_args()
    args.db, args.sync_ms = "", 0
    before = os.getloadavg()[0]
    windows = []
    for _ in range(args.windows):
        os.sync()  # what the last window left to write
        with started(args) as service, started(args) as other:
            windows.append(window(service, other, args))
    with started(args) as service:
        seconds = end(service, args)
    print(f"load of the machine {before:.1f} on {os.cpu_count()} cores; {args.windows} windows of {args.seconds} s; median (least to most)")
    for name in windows[0]:
        values = [one[name] for one in windows]
        print(f"{name:38} {statistics.median(values):10.4g}  ({min(values):.4g} to {max(values):.4g})")
    print(f"{'seconds to end by SIGTERM':38} {seconds:10.4g}  (grace {GRACE} s)")


if __name__ == "__main__":
    main()
