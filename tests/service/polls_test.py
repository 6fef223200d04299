"""Waiting for decisions, with contexts and when the service stops, and where the errors of a batch are."""
import json
import signal
import threading
import time

from server import RESERVES, ServerTest, main

BY_SITE = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"params": {"by": ["site"]}}}
LATE = {"problem": {"kind": "experts", "params": {"experts": 3}}, "learner": {"kind": "ada", "params": {"delayed": True}}}
WAIT = "/v1/learners/a/decision?context=s1&after=g1.1&wait=60"


class PollsTest(ServerTest):
    def later(self, path, **headers):
        """The answer to a request that is asked on a thread of its own."""
        found = []
        thread = threading.Thread(target=lambda: found.append(self.server.ask("GET", path, headers=headers)))
        thread.start()
        self.addCleanup(thread.join)
        time.sleep(0.3)
        self.assertEqual(found, [], "it is not waited for")

        def answer():
            thread.join(20)
            self.assertFalse(thread.is_alive(), "it is not answered")
            status, got, body = found[0]
            return status, got, json.loads(body) if body else None
        return answer

    def tell(self, name="a", **more):
        status, _, body = self.server.ask("POST", f"/v1/learners/{name}/outcomes", {"outcome": [0, 1, 0.5], **more})
        self.assertEqual(status, 200, body)


class WithContexts(PollsTest):
    def setUp(self):
        super().setUp()
        self.make("a", BY_SITE)

    def test_a_newer_decision_is_waited_for(self):
        answer = self.later(WAIT)
        self.tell(context=["s2"])
        status, headers, found = answer()
        self.assertEqual((status, found["decision"], headers["ETag"]), (200, "g1.2", '"g1.2"'))
        self.assertEqual(found, self.server.json("GET", "/v1/learners/a/decision?context=s1"))
        self.assertEqual(self.server.json("GET", WAIT), found)  # there is one already
        begin = time.monotonic()
        found = self.server.json("GET", "/v1/learners/a/decision?context=s1&after=g1.2&wait=1")
        self.assertEqual((found["decision"], time.monotonic() - begin >= 1), ("g1.2", True))
        self.assertIn("action", found)

    def test_what_a_client_has_is_not_sent_again(self):
        status, headers, _ = self.server.ask("GET", "/v1/learners/a/decision?context=s1")
        self.assertEqual(status, 200)
        tag = {"If-None-Match": headers["ETag"]}
        status, got, body = self.server.ask("GET", "/v1/learners/a/decision?context=s1", headers=tag)
        self.assertEqual((status, got["ETag"], body), (304, headers["ETag"], b""))
        self.tell(context=["s1"])
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision?context=s1", headers=tag)[0], 200)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision?context=s1", headers={"If-None-Match": '"g1.2"'})[0] in (200, 304), True)

    def test_one_that_was_made_again_without_columns_is_said(self):
        answer = self.later(WAIT)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        self.assertEqual(answer()[0], 404)

    def test_errors_of_what_was_waited_for_have_their_request(self):
        answer = self.later(WAIT, **{"X-Request-Id": "mine"})
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/a")[0], 204)
        status, headers, found = answer()
        self.assertEqual((status, headers["X-Request-Id"], found["request"]), (404, "mine", "mine"))
        self.assertIn('route="/v1/learners/{name}/decision",code="404"', self.server.ask("GET", "/metrics")[2].decode())


class AtTheEnd(PollsTest):
    def test_those_who_wait_are_answered(self):
        self.make("a", BY_SITE)
        self.make("b", RESERVES)
        answers = [self.later(WAIT), self.later("/v1/learners/b/decision?after=g1.1&wait=60")]
        begin = time.monotonic()
        self.server.process.send_signal(signal.SIGTERM)
        for answer in answers:
            status, headers, found = answer()
            self.assertEqual((status, found["decision"], headers["Connection"]), (200, "g1.1", "close"))
        self.assertEqual(self.server.stop()[0], 0)
        self.assertLess(time.monotonic() - begin, 8)  # it did not wait for its grace


class OfABatch(PollsTest):
    def refused(self, lines, status, code, at, path="/v1/batch"):
        body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        found, _, answer = self.server.ask("POST", path, body, {"Content-Type": "application/x-ndjson"})
        error = json.loads(answer)["error"]
        self.assertEqual((found, error["code"], error["at"]), (status, code, at), answer)

    def test_every_error_has_its_line(self):
        for name, body in (("a", RESERVES), ("b", RESERVES), ("late", LATE)):
            self.make(name, body)
        good = {"outcome": [0.1, 0.2, 0.3]}
        a, b = {"in": "a", **good}, {"in": "b", **good}
        self.refused([a, "", b, {"in": "none", **good}], 404, "H107", "outcomes[3].in")
        self.refused([a, good], 400, "H102", "outcomes[1].in")
        self.refused([a, b, "{"], 400, "H101", "outcomes[2]")
        self.refused([a, "", {"in": "b", "outcome": [0.1, 2, 0.3]}], 400, "H105", "outcomes[2].outcome[1]")
        # What is found when they are told.
        self.refused([a, b, "", {**b, "decision": "g1.9"}], 400, "H805", "outcomes[3].decision")
        self.refused([a, {**b, "id": "x"}, a, {"in": "b", "id": "x", "outcome": [0.3, 0.2, 0.1]}], 422, "H802", "outcomes[3].id")
        self.refused([a, b, {"in": "late", "outcome": [0, 1, 0]}], 400, "H102", "outcomes[2].decision")
        self.refused([a, b, {"in": "late", "outcome": [0, 1, 0], "decision": "g1.4"}], 400, "H805", "outcomes[2].decision")
        self.assertEqual(self.server.ask("POST", "/v1/learners/b/quarantine")[0], 200)
        self.refused([a, "", b, b], 500, "H900", "outcomes[2].in")
        self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 0)

    def test_lines_and_single_outcomes_of_one_learner_have_theirs(self):
        self.make("a", RESERVES)
        good = {"outcome": [0.1, 0.2, 0.3]}
        path = "/v1/learners/a/outcomes"
        self.refused([good, "", {**good, "decision": "g1.7"}], 400, "H805", "outcomes[2].decision", path)
        for body, at in (({**good, "decision": "g1.7"}, "decision"), ({"outcomes": [good, {**good, "decision": "g1.7"}]}, "outcomes[1].decision")):
            status, _, answer = self.server.ask("POST", path, body)
            self.assertEqual((status, json.loads(answer)["error"]["at"]), (400, at))


if __name__ == "__main__":
    main()
