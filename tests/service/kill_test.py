"""kill -9 under load, again and again, with a learner of every kind and on both stores: nothing that was acknowledged is
lost, doubled or changed, nothing is invented, and every record still verifies.

The clients keep a ledger of their own: what they sent, and which round, loss and next decision they were told. At the
end the log is held against it. HANNAN_KILLS sets the number of kills of each store; few here, so that the suite stays
short. What was sent is printed at the end. With HANNAN_KILLS=1000: some 20 minutes for each store."""
import http.client
import json
import os
import random
import sqlite3
import threading
import time

from kinds import KINDS
from postgres import PostgresTest
from server import ServerTest, main

KILLS = int(os.environ.get("HANNAN_KILLS", "6"))
# More workers than cores, and snapshots often enough that kills meet them.
FLAGS = ("--workers", "4", "--snapshot-every", "150")
PAUSE = 0.04  # of a client between two requests, so that the long form does not verify millions of rounds
MANY = 200  # outcomes of a request at most
TOGETHER = ("together-1", "together-2")  # told by batches


class Ledger:
    """Of one learner, kept by its clients alone."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sent = {}       # id: what was sent
        self.told = {}       # id: round and loss that the answer said
        self.decisions = {}  # round: action that an answer said
        self.again = 0       # answers that knew the outcome already: it was committed, and the answer lost by a kill

    def send(self, outcomes):
        with self.lock:
            for one in outcomes:
                self.sent[one["id"]] = one

    def acknowledge(self, outcomes, answer):
        with self.lock:
            for one, each in zip(outcomes, answer["each"], strict=True):
                self.told[one["id"]] = (each["round"], each["loss"])
            self.again += answer["duplicates"]
            if "action" in answer.get("next", {}):
                self.decide(answer["next"]["round"], answer["next"]["action"])

    def decide(self, number, action):
        if self.decisions.setdefault(number, action) != action:
            raise AssertionError(f"round {number} was decided twice, otherwise")


class Client(threading.Thread):
    """Sends one request after the other, each whole and unchanged until it is answered."""

    def __init__(self, test, number, done):
        super().__init__()
        self.test, self.number, self.done = test, number, done
        self.draw, self.connection, self.count, self.failure = random.Random(number), None, 0, None

    def run(self):
        try:
            while not self.done.is_set():
                self.step()
                self.count += 1
                time.sleep(PAUSE)
        except Exception as failure:  # told to the test, which raises it
            self.failure = failure
        finally:
            if self.connection is not None:
                self.connection.close()

    def ask(self, path, body, key=None):
        """The answer; None where the test ended before there was one."""
        while not self.done.is_set():
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.test.server.port, timeout=30)
                self.connection.request("POST", path, body, {"Idempotency-Key": key} if key else {})
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status in (200, 201):
                    return json.loads(text)
                if answer.status not in (421, 503):  # 421: the node that was killed is still named as its owner
                    raise AssertionError(f"{path}: {answer.status} {text!r}")
            except (OSError, http.client.HTTPException):
                if self.connection is not None:
                    self.connection.close()
                self.connection = None
            time.sleep(0.01)
        return None

    def new(self, kind, most=3):
        return [{"id": f"{self.number}-{self.count}-{k}", **kind.told(self.draw)} for k in range(self.draw.randint(1, most))]

    def tell(self, name, outcomes):
        ledger = self.test.ledgers[name]
        ledger.send(outcomes)
        if answer := self.ask(f"/v1/learners/{name}/outcomes?return=each", json.dumps({"outcomes": outcomes})):
            ledger.acknowledge(outcomes, answer)


class InTurn(Client):
    def __init__(self, test, number, done, name):
        super().__init__(test, number, done)
        self.name = name

    def step(self):
        # Of one kind some requests have so many outcomes that they are written in parts.
        self.tell(self.name, self.new(KINDS[self.name], MANY if self.name == "flipflop" and self.count % 8 == 0 else 3))


class Late(InTurn):
    """Makes decisions, and tells their outcomes in an order that is drawn."""

    def __init__(self, *of):
        super().__init__(*of)
        self.waiting = []

    def step(self):
        if self.waiting and self.draw.random() < 0.5:
            of = self.waiting.pop(self.draw.randrange(len(self.waiting)))
            return self.tell(self.name, [{"id": f"of-{of}", "decision": of, **KINDS[self.name].told(self.draw)}])
        if made := self.ask(f"/v1/learners/{self.name}/decisions", "", f"{self.number}-{self.count}"):
            self.test.ledgers[self.name].decide(made["round"], made["action"])
            self.waiting.append(made["decision"])


class Together(Client):
    """Outcomes of two learners in one request: both or none."""

    def step(self):
        parts = {name: self.new(KINDS["flipflop"]) for name in TOGETHER}
        for name, outcomes in parts.items():
            self.test.ledgers[name].send(outcomes)
        lines = [json.dumps({"in": name, **one}) for name, outcomes in parts.items() for one in outcomes]
        if answer := self.ask("/v1/batch?return=each", "\n".join(lines)):
            for name, outcomes in parts.items():
                self.test.ledgers[name].acknowledge(outcomes, answer["learners"][name])


class KillTest:
    """Of one store: `rows(name)` are [t, id, line] of its log."""
    VERIFY_SECONDS = 120 + 2 * KILLS

    def kind(self, name):
        return KINDS["flipflop" if name in TOGETHER else name]

    def clients(self, done):
        number = 0
        for name, kind in KINDS.items():
            for _ in range(2 if name == "flipflop" else 1):
                number += 1
                yield (Late if kind.late else InTurn)(self, number, done, name)
        yield Together(self, number + 1, done)

    def test_nothing_acknowledged_is_lost_by_any_kind_of_learner(self):
        names = [*KINDS, *TOGETHER]
        self.ledgers = {name: Ledger() for name in names}
        for name in names:
            self.make(name, self.kind(name).body)
        done = threading.Event()
        clients = list(self.clients(done))
        for one in clients:
            one.start()
        coins = random.Random(5)
        try:
            for _ in range(KILLS):
                time.sleep(coins.uniform(0.05, 0.7))
                self.server.kill()
                self.server.start()
            time.sleep(1)
        finally:
            done.set()
            for one in clients:
                one.join()
        self.assertEqual([one.failure for one in clients if one.failure], [])
        self.server.kill()
        self.server.start()
        told, sent = (sum(len(getattr(one, what)) for one in self.ledgers.values()) for what in ("told", "sent"))
        for name in names:
            with self.subTest(name):
                self.check(name, self.rows(name))
        self.check_batches()
        print(f"{type(self).__name__}: {KILLS} kills, {len(names)} learners of {len(KINDS)} kinds, {sent} outcomes sent, {told} acknowledged, "
              f"{sum(one.again for one in self.ledgers.values())} of them sent again and known, "
              f"{sum(len(one.decisions) for one in self.ledgers.values())} decisions held against the log", flush=True)

    def check(self, name, rows):
        ledger, kind = self.ledgers[name], self.kind(name)
        self.assertGreater(len(ledger.told), 0, "nothing was acknowledged: the test shows nothing")
        self.assertEqual([t for t, _, _ in rows], list(range(1, len(rows) + 1)))
        lines = {}
        for t, id, text in rows:
            line = json.loads(text)
            if not kind.late or "decide" in line:
                lines[line.get("decide", t)] = line
            if kind.late and not id.startswith("o:"):
                continue
            id = id.removeprefix("o:") if kind.late else id
            sent = ledger.sent.pop(id, None)
            self.assertIsNotNone(sent, f"{id} was never sent, or is there twice")
            self.assertEqual(line["outcome"], sent["outcome"])
            self.assertEqual(line.get("context"), sent.get("context"))
            if told := ledger.told.pop(id, None):
                self.assertEqual((line.get("observe", t), line["loss"]), told)
        self.assertEqual(ledger.told, {}, "acknowledged and gone")
        cut = {id.rsplit("-", 1)[0] for id in ledger.sent} & {id.removeprefix("o:").rsplit("-", 1)[0] for _, id, _ in rows}
        self.assertTrue(kind.late or not cut, f"a part of what was sent together: {cut}")
        for number, action in ledger.decisions.items() if kind.known else ():
            if number in lines:  # not the last one, which has no outcome yet
                self.assertEqual(lines[number]["action"], action, number)
        status, said, record = self.verified(name)
        self.assertEqual(len(record), len(rows) + 2)
        self.assertIn(status, (0, 1) if kind.limited else (0,), said)

    def check_batches(self):
        """A batch is in both logs or in neither."""
        ids = [{id.rsplit("-", 1)[0] for _, id, _ in self.rows(name)} for name in TOGETHER]
        self.assertEqual(*ids)


class OnSqlite(KillTest, ServerTest):
    FLAGS = FLAGS

    def rows(self, name):
        log = sqlite3.connect(f"file:{self.folder}/log.db?mode=ro", uri=True)
        try:
            return log.execute("select t, round.id, line from round join learner on learner.id = learner where name = ? order by t",
                               (name,)).fetchall()
        finally:
            log.close()


class OnPostgres(KillTest, PostgresTest):
    def setUp(self):
        super().setUp()
        self.server = self.node(*FLAGS)

    def rows(self, name):
        return [(int(t), id, line) for t, id, line in self.cluster.ask(
            f"select t, round.id, line from round join learner on learner.id = learner where name = '{name}' order by t")]


if __name__ == "__main__":
    main()
