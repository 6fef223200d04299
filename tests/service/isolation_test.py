"""A learner with searches of seconds beside others: these are answered, and the operator's words are obeyed."""
import http.client
import itertools
import json
import random
import signal
import socket
import threading
import time

from server import ServerTest, main

# As large as the service accepts: every outcome is a search of all the nodes that --work-limit allows.
HEAVY = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 16, "levels": 16, "units": 4}},
         "learner": {"kind": "flipflop", "params": {"oracle": "branch_bound:200000"}}}
LIGHT = {"problem": {"kind": "experts", "params": {"experts": 3}}}


class HeavyTest(ServerTest):
    FLAGS = ("--workers", "1", "--grace", "3")

    def setUp(self):
        super().setUp()
        self.make("heavy", HEAVY)
        self.make("light", LIGHT)
        draws = random.Random(1)
        rows = [{"id": f"h{i}", "outcome": [draws.random() for _ in range(16)]} for i in range(2000)]
        self.answers = []
        self.thread = threading.Thread(target=self.send, args=({"outcomes": rows},))
        self.thread.start()
        self.addCleanup(self.thread.join, 60)
        # First, or the batch is waited for.
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        self.wait_for_work()

    def send(self, body):
        try:
            connection = self.server.connection(timeout=120)
            connection.request("POST", "/v1/learners/heavy/outcomes", json.dumps(body))
            self.answers.append(connection.getresponse().status)
            connection.close()
        except (OSError, http.client.HTTPException) as failure:
            self.answers.append(failure)

    def wait_for_work(self):
        for _ in range(600):
            if self.server.json("GET", "/readyz")["longest_work"] > 0.2:
                return
            time.sleep(0.05)
        self.fail("the heavy learner never worked")


class Beside(HeavyTest):
    def test_others_are_told_asked_made_and_ended(self):
        for i in range(20):
            self.assertEqual(self.server.ask("POST", "/v1/learners/light/outcomes", {"id": f"l{i}", "outcome": [0, 1, 1]})[0], 200)
        self.assertEqual(self.server.json("GET", "/v1/learners/light/report")["rounds"], 20)
        self.make("late", LIGHT)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/late")[0], 204)
        ready = self.server.json("GET", "/readyz")
        self.assertTrue(ready["ready"])
        self.assertGreater(ready["longest_work"], 0.2)
        self.assertIn(b"hannan_longest_work_seconds", self.server.ask("GET", "/metrics")[2])
        self.assertEqual(self.answers, [])  # it is still at it

    def test_the_culprit_is_ended_in_the_middle_of_a_search(self):
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/heavy")[0], 204)
        self.thread.join(30)
        self.assertEqual(self.answers, [503])
        self.assertEqual(self.server.ask("GET", "/v1/learners/heavy")[0], 404)

    def test_the_culprit_is_quarantined_and_released(self):
        status, _, body = self.server.ask("POST", "/v1/learners/heavy/quarantine", {"why": "too slow"})
        self.assertEqual((status, json.loads(body)["status"]), (200, "quarantined"))
        self.thread.join(30)
        self.assertEqual(self.answers, [503])
        self.assertEqual(self.server.ask("POST", "/v1/learners/heavy/outcomes", {"id": "x", "outcome": [0] * 16})[0], 500)
        self.server.stop()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/heavy")["status"], "quarantined")
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/heavy/quarantine")[0], 200)
        for _ in range(200):
            if self.server.json("GET", "/v1/learners/heavy")["status"] == "ready":
                break
            time.sleep(0.05)
        self.assertEqual(self.server.json("GET", "/v1/learners/heavy")["rounds"], 0)  # nothing of the batch was kept
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/heavy/quarantine")[0], 404)

    def test_the_service_ends_within_its_grace(self):
        self.server.process.send_signal(signal.SIGTERM)
        self.server.process.wait(timeout=60)
        self.assertEqual(self.server.process.returncode, 0)
        self.thread.join(30)
        self.assertEqual(len(self.answers), 1)
        self.assertNotEqual(self.answers, [200])


class Hostile(HeavyTest):
    """All at once: a search without end, new segments without end, bodies of 8 MiB that are no JSON, and 200 slow readers."""

    def setUp(self):
        super().setUp()
        self.make("segments", {**LIGHT, "learner": {"params": {"track": "end", "by": ["site"]}}})
        self.make("record", LIGHT)
        rows = [{"id": str(i), "outcome": [0, 1, 0.5]} for i in range(5000)]
        self.assertEqual(self.server.ask("POST", "/v1/learners/record/outcomes", {"outcomes": rows})[0], 200)
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.again, args=(one,)) for one in (self.segments, self.malformed, self.malformed)]
        for thread in self.threads:
            thread.start()
            self.addCleanup(thread.join, 60)
        self.addCleanup(self.over.set)
        self.readers = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(200)]
        for reader in self.readers:
            self.addCleanup(reader.close)
            reader.sendall(b"GET /v1/learners/record/record HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            self.assertTrue(reader.recv(1))

    def again(self, step):
        for i in itertools.count():
            try:
                if self.over.is_set() or not step(i):
                    return
            except (OSError, http.client.HTTPException):
                return  # the service has ended

    def segments(self, i):
        rows = [{"id": f"{i}-{j}", "context": [f"{i}-{j}"], "outcome": [0, 1, 0.5]} for j in range(200)]
        return self.server.ask("POST", "/v1/learners/segments/outcomes", {"outcomes": rows})[0] == 200

    def malformed(self, _):
        body = b'{"outcomes":[' + b'{"id":"x","outcome":[0,0,0]},' * ((8 << 20) // 29 - 1) + b"{]}"
        return self.server.ask("POST", "/v1/learners/light/outcomes", body)[0] == 400

    def test_a_light_learner_is_told_and_the_service_ends_within_its_grace(self):
        for i in range(50):
            status, _, answer = self.server.ask("POST", "/v1/learners/light/outcomes", {"id": f"l{i}", "outcome": [0, 1, 1]})
            self.assertEqual(status, 200, answer)
        self.assertEqual(self.server.json("GET", "/v1/learners/light/report")["rounds"], 50)
        self.assertEqual(self.answers, [])  # the search goes on
        self.server.process.send_signal(signal.SIGTERM)
        self.server.process.wait(timeout=60)
        self.assertEqual(self.server.process.returncode, 0)


class Limits(ServerTest):
    FLAGS = ("--work-limit", "1000")

    def test_a_search_beyond_the_limit_is_refused_beforehand(self):
        status, _, answer = self.server.ask("PUT", "/v1/learners/a", HEAVY)
        self.assertEqual(status, 400)
        error = json.loads(answer)["error"]
        self.assertEqual((error["code"], error["at"]), ("H105", "learner.params.oracle"))
        self.assertIn("at most 1000", error["message"])


if __name__ == "__main__":
    main()
