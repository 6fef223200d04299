"""Speed of `hannan serve` against what it is made of: service_bench.py HANNAN LOAD [--seconds S] [--windows N] [--db URL | --postgres | --sync-ms D]

LOAD is bench/service/load.cpp (`hannan_load`). In every window the same bytes are sent, in turn, to

  echo      a path that the same server does not have: the request is read and answered, nothing is done
  outcomes  one outcome a request, answered after its commit
  batches   a thousand outcomes a request
  decision  the current decision, which is read from memory
  beside    one outcome a request again, on 16 connections, alone and while another learner is in a search that does not end: the
            heaviest that the service takes

and a bare log appends rows of the same size and calls fdatasync after as many as the service had in a commit. Figures are
medians over the windows; ratios are medians of the ratios within a window, because a busy machine changes from window to
window. With --postgres the log is in a PostgreSQL server that is started for this run, on the same machine, as its package
configures it: what it costs is in the figures. With --sync-ms every sync of the service and of the bare log takes at least
so long (bench/service/slow_sync.cpp), as on a disk that is slower than this machine's. At the end the service is killed and
started again, and the rows that it replays are counted: by the clock, which has the start of the program in it and with
PostgreSQL the taking of its shards, and by what the service itself says that replay took.

With --against OTHER_HANNAN, the program before a change, nothing of this is measured: both programs serve, and in every window get
one outcome a request for the same time, in turn and in an order that changes from window to window, on 1, 16 and 128
connections. Ratios are of this program to the other: above 1 is more outcomes, a longer p99, more CPU time."""
import argparse
import contextlib
import http.client
import json
import math
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BODY = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 3, "levels": 20, "rule": "lazy"}},
        "learner": {"params": {"track": "powers"}}}
LINE = '{"id":"@","outcome":[0.31,0.52,0.07]}'
CLIENTS = (1, 16, 128)  # of --against
HEAVY = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 16, "levels": 16, "units": 4}},
         "learner": {"kind": "flipflop", "params": {"oracle": "branch_bound:200000"}}}


class Service:
    def __init__(self, args, folder, hannan=None, flags=()):
        self.words = [hannan or args.hannan, "serve", "--db", args.db or str(pathlib.Path(folder) / "log.db"), "--listen", "127.0.0.1:0",
                      "--max-queue", "1000000", *flags]
        self.environment = dict(os.environ)
        if args.sync_ms:
            slow = pathlib.Path(args.load).resolve().parent / "libhannan_slow_sync.so"
            if not slow.exists():  # the loader would only say so and go on
                raise SystemExit(f"{slow} is not there; build hannan_slow_sync")
            self.environment.update(LD_PRELOAD=str(slow), HANNAN_SYNC_MS=str(args.sync_ms))
        self.start()

    def start(self):
        begin = time.monotonic()
        self.process = subprocess.Popen(self.words, stdout=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line)[1])
        return begin

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def seconds(self):
        """CPU time of the server so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def commits(self):
        text = self.ask("GET", "/metrics")[1].decode()
        return [float(re.search(rf"^hannan_commit_rows_{name} (\S+)$", text, re.MULTILINE)[1]) for name in ("sum", "count")]


def load(args, service, connections, *request):
    before = service.seconds()
    out = subprocess.run([args.load, str(service.port), str(connections), str(args.seconds), *map(str, request)], check=True,
                         capture_output=True, text=True).stdout
    return {**json.loads(out), "cpu": max(0.01, service.seconds() - before)}


def bare_log(folder, seconds, rows, sync):
    """Rows a second of an append-only file with fdatasync, of at least `sync` seconds, after every `rows` rows."""
    block = (LINE + "x" * 160 + "\n").encode() * max(1, round(rows))
    path = pathlib.Path(folder) / "bare.log"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    begin, count = time.monotonic(), 0
    while time.monotonic() - begin < seconds:
        os.write(descriptor, block)
        synced = time.monotonic() + sync
        os.fdatasync(descriptor)
        time.sleep(max(0, synced - time.monotonic()))
        count += max(1, round(rows))
    rate = count / (time.monotonic() - begin)
    os.close(descriptor)
    path.unlink()
    return rate


@contextlib.contextmanager
def searching(service):
    """A learner that is told outcomes for as long as this lasts, each a search of all the nodes that it may have."""
    assert service.ask("PUT", "/v1/learners/heavy", HEAVY)[0] == 201
    draws = random.Random(1)
    body = {"outcomes": [{"id": str(i), "outcome": [draws.random() for _ in range(16)]} for i in range(5000)]}

    def tell():
        with contextlib.suppress(OSError, http.client.HTTPException):  # a service that ends answers nothing
            service.ask("POST", "/v1/learners/heavy/outcomes", body)
    told = threading.Thread(target=tell)
    told.start()
    while json.loads(service.ask("GET", "/readyz")[1])["longest_work"] < 0.1:
        time.sleep(0.01)
    try:
        yield
    finally:
        assert service.ask("DELETE", "/v1/learners/heavy?purge=true")[0] == 204
        told.join()


def beside(service, args):
    request = ("POST", "/v1/learners/bench/outcomes", LINE)
    alone = load(args, service, 16, *request)
    with searching(service):
        crowded = load(args, service, 16, *request)
    if alone["failed"] + crowded["failed"]:
        raise SystemExit("requests failed beside a search")
    return {"16: outcomes p99 ms": 1e3 * alone["p99"], "beside a search p99 ms": 1e3 * crowded["p99"],
            "p99 beside : alone": crowded["p99"] / alone["p99"]}


def window(service, args, folder):
    base = "/v1/learners/bench"
    echo = load(args, service, args.connections, "POST", "/v1/none", LINE)
    before = service.commits()
    single = load(args, service, args.connections, "POST", base + "/outcomes", LINE)
    after = service.commits()
    rows = (after[0] - before[0]) / max(1, after[1] - before[1])
    bare = bare_log(folder, args.seconds / 2, rows, args.sync_ms / 1e3)
    batch = load(args, service, 4, "POST", base + "/outcomes", LINE, 1000)
    empty = load(args, service, args.connections, "GET", "/v1/none")
    read = load(args, service, args.connections, "GET", base + "/decision")
    failed = single["failed"] + batch["failed"] + read["failed"]
    if failed:
        raise SystemExit(f"{failed} requests failed")
    rate = {name: one["requests"] / one["seconds"] for name, one in
            (("echo", echo), ("single", single), ("batch", batch), ("empty", empty), ("read", read))}
    return {"echo a second": rate["echo"], "echo p99 ms": 1e3 * echo["p99"],
            "outcomes a second": rate["single"], "outcomes p99 ms": 1e3 * single["p99"], "rows a commit": rows,
            "outcomes : echo": rate["single"] / rate["echo"], "p99 : echo's": single["p99"] / echo["p99"],
            "bare log rows a second": bare, "outcomes : bare log": rate["single"] / bare, "echo : bare log": rate["echo"] / bare,
            "CPU us an outcome": 1e6 * single["cpu"] / single["requests"], "CPU us an echo": 1e6 * echo["cpu"] / echo["requests"],
            "batched outcomes a second": 1000 * rate["batch"], "batch p99 ms": 1e3 * batch["p99"],
            "batched a CPU-second": 1000 * batch["requests"] / batch["cpu"],
            "decisions a second": rate["read"], "decisions : echo": rate["read"] / rate["empty"], **beside(service, args)}


def replay(service):
    service.process.kill()
    service.process.communicate(timeout=60)
    begin = service.start()
    while service.ask("GET", "/readyz")[0] != 200:
        time.sleep(0.01)
    seconds = time.monotonic() - begin
    found = re.search(r"^hannan_replay_seconds_sum (\S+)$", service.ask("GET", "/metrics")[1].decode(), re.MULTILINE)
    return seconds, float(found[1])


@contextlib.contextmanager
def own_postgres():
    """The address of a new database in a server of its own."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "service"))
    from postgres import FOLDERS, Cluster  # pylint: disable=import-outside-toplevel,import-error
    if not FOLDERS:
        raise SystemExit("PostgreSQL is not there")
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(folder)
        try:
            cluster.make_database()
            yield cluster.url
        finally:
            cluster.stop()


def main():
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("hannan")
    parse.add_argument("load")
    parse.add_argument("--seconds", type=float, default=3)
    parse.add_argument("--windows", type=int, default=10)
    parse.add_argument("--connections", type=int, default=32)
    parse.add_argument("--against", metavar="OTHER_HANNAN", help="the program before a change: ratios to it, and nothing else")
    where = parse.add_mutually_exclusive_group()
    where.add_argument("--db", help="postgresql://... instead of SQLite in a folder of its own")
    where.add_argument("--postgres", action="store_true", help="a PostgreSQL server that is started for this")
    where.add_argument("--sync-ms", type=float, default=0, help="SQLite on a disk whose syncs take at least so many milliseconds")
    args = parse.parse_args()
    with contextlib.ExitStack() as stack:
        if args.postgres:
            args.db = stack.enter_context(own_postgres())
        run_against(args) if args.against else run(args)


@contextlib.contextmanager
def serving(args, hannan):
    """A service of this program with a learner for every number of connections."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        service = Service(args, folder, hannan)
        try:
            for connections in CLIENTS:
                assert service.ask("PUT", f"/v1/learners/bench{connections}", BODY)[0] == 201
            yield service
        finally:
            service.process.send_signal(signal.SIGTERM)
            service.process.communicate(timeout=120)


def interval(values):
    """Where the median lies with at least 95 %, by the ranks that the sign test leaves; None: too few values."""
    n, tail = len(values), 0.0
    for rank in range(n // 2):
        tail += math.comb(n, rank) / 2**n
        if tail > 0.025:
            return (sorted(values)[rank - 1], sorted(values)[n - rank]) if rank else None
    return None


def run_against(args):
    if args.db:
        raise SystemExit("--against compares on SQLite: two programs on one database would be two nodes")
    ratios = {}
    with serving(args, args.hannan) as this, serving(args, args.against) as other:
        for number in range(args.windows):
            for connections in CLIENTS:
                found = {}
                for service in (this, other) if number % 2 else (other, this):
                    found[service] = load(args, service, connections, "POST", f"/v1/learners/bench{connections}/outcomes", LINE)
                a, b = found[this], found[other]
                if a["failed"] + b["failed"]:
                    raise SystemExit("requests failed")
                for name, ratio in (("outcomes", a["requests"] / a["seconds"] / (b["requests"] / b["seconds"])), ("p99", a["p99"] / b["p99"]),
                                    ("CPU an outcome", a["cpu"] / a["requests"] / (b["cpu"] / b["requests"]))):
                    ratios.setdefault(f"{connections}: {name}", []).append(ratio)
    print(f"SQLite; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {args.windows} windows of {args.seconds} s; "
          f"this program : {args.against}, median (95 % of it) [least to most]")
    for name, values in ratios.items():
        known = interval(values)
        print(f"{name:28} {statistics.median(values):10.4g}  ({f'{known[0]:.4g} to {known[1]:.4g}' if known else 'too few windows'})  "
              f"[{min(values):.4g} to {max(values):.4g}]")


def run(args):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        service = Service(args, folder)
        try:
            assert service.ask("PUT", "/v1/learners/bench", BODY)[0] == 201
            windows = [window(service, args, folder) for _ in range(args.windows)]
            # A new learner without a snapshot, so that all of its rows are replayed.
            rounds = 8000
            service.ask("DELETE", "/v1/learners/bench")
            assert service.ask("PUT", "/v1/learners/replay", BODY)[0] == 201
            for part in range(8):
                body = {"outcomes": [{"id": f"{part}-{i}", "outcome": [0.31, 0.52, i % 9 / 9]} for i in range(rounds // 8)]}
                assert service.ask("POST", "/v1/learners/replay/outcomes", body)[0] == 200
            seconds, alone = replay(service)
        finally:
            service.process.send_signal(signal.SIGTERM)
            service.process.communicate(timeout=120)
    print(f"{'PostgreSQL' if args.db else 'SQLite'}; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; "
          f"{f'syncs of at least {args.sync_ms:g} ms; ' if args.sync_ms else ''}{args.windows} windows of {args.seconds} s, "
          f"{args.connections} connections; median (least to most)")
    for name in windows[0]:
        values = [one[name] for one in windows]
        print(f"{name:28} {statistics.median(values):10.4g}  ({min(values):.4g} to {max(values):.4g})")
    print(f"{'replayed rounds a second':28} {rounds / seconds:10.4g}  (with the start of the program)")
    print(f"{'of replay alone':28} {rounds / max(alone, 1e-6):10.4g}")


if __name__ == "__main__":
    main()
