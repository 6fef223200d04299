"""A learner that combines forecasts: forecasts and actuals over HTTP, held against the pipe; kills, repetitions, its record."""
import contextlib
import json
import random
import sqlite3
import subprocess
import time

import server
from server import ServerTest, main

MODELS = ["gam", "ar", "gbm"]
LOAD = {"problem": {"kind": "forecasts", "params": {"models": MODELS, "loss": "absolute"}}, "learner": {"kind": "combine", "params": {"patience": 20}}}


class Forecasts(ServerTest):
    FLAGS = ("--snapshot-every", "25")

    def post(self, path, body, key=None, status=None):
        found, _, answer = self.server.ask("POST", f"/v1/learners/load/{path}", body, {"Idempotency-Key": key} if key else {})
        if status is not None:
            self.assertEqual(found, status, answer)
        return json.loads(answer)

    def refused(self, path, body, status, code, key=None):
        self.assertEqual(self.post(path, body, key, status)["error"]["code"], code)

    def steps(self, count, seed=3):
        """[("decide", forecasts) or ("tell", round, actual)]: actuals come late, in any order, and some never."""
        draw, waiting, made, rounds = random.Random(seed), [], [], 0
        for _ in range(count):
            if waiting and draw.random() < 0.45:
                made.append(("tell", *waiting.pop(draw.randrange(len(waiting)))))
                continue
            rounds += 1
            y = round(60000 + draw.gauss(0, 3000), 1)
            said = {name: round(y + draw.gauss(0, 500 * (k + 1)), 1) for k, name in enumerate(MODELS) if k == 0 or draw.random() < 0.8}
            made.append(("decide", said))
            if draw.random() < 0.9:
                waiting.append((rounds, y))
            waiting = [one for one in waiting if one[0] > rounds - 15]
        return made

    def piped(self, steps):
        """What the pipe answers to the same steps."""
        lines = [{"op": "problem", "as": "p", **LOAD["problem"]}, {"op": "learner", "as": "L", "in": "p", **LOAD["learner"]}]
        for step in steps:
            lines.append({"op": "act", "in": "L", "forecasts": [step[1]]} if step[0] == "decide" else
                         {"op": "observe", "in": "L", "round": step[1], "outcome": [step[2]]})
        lines.append({"op": "save", "in": "L"})
        done = subprocess.run([server.BINARY, "pipe"], input="".join(json.dumps(one) + "\n" for one in lines), capture_output=True,
                              text=True, timeout=60)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertTrue(all(answer["ok"] for answer in answers), answers[-1])
        return answers[2:-1], answers[-1]["state"]

    def test_it_says_what_the_pipe_says_over_kills_and_its_record_verifies(self):
        steps = self.steps(160)
        answers, state = self.piped(steps)
        self.make("load", LOAD)
        for n, (step, expected) in enumerate(zip(steps, answers)):
            if n % 53 == 52:
                self.server.kill()
                self.server.start()
            if step[0] == "decide":
                body = {"forecasts": step[1]}
                found = self.post("decisions", body, f"k{n}", 201)
                self.assertEqual(found["decision"], f"g1.{expected['round']}")
                self.assertEqual(found["forecast"], expected["forecast"][0])
                self.assertEqual([*found["weights"].values(), found["median_weight"]], expected["weights"][0])
                self.assertEqual(self.post("decisions", body, f"k{n}", 200), found)
            else:
                body = {"id": f"a{step[1]}", "decision": f"g1.{step[1]}", "outcome": step[2]}
                found = self.post("outcomes", body, status=200)
                self.assertEqual((found["accepted"], found["total"], found["settled"]), (1, expected["total"], expected["settled"]))
                self.assertEqual(self.post("outcomes", body, status=200)["duplicates"], 1)
        self.assertEqual(self.server.json("GET", "/v1/learners/load/state"), state)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/load/state"), state)
        lines = self.verify("load")
        self.assertEqual(lines[0]["told"], "lines")
        self.assertEqual(sum("p" in line for line in lines), sum(step[0] == "decide" for step in steps))
        self.assertEqual(sum("come" in line for line in lines), sum(step[0] == "tell" for step in steps))
        # A record that was changed is refused.
        for change in ({"y": 1.0}, {"come": 1}):
            altered = [dict(line) for line in lines]
            at = next(i for i, line in enumerate(altered) if "come" in line and line["come"] > 5)
            altered[at].update(change)
            path = self.folder / "altered.jsonl"
            path.write_text("".join(json.dumps(line) + "\n" for line in altered))
            done = subprocess.run([server.BINARY, "verify", str(path)], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 3, change)
            self.assertIn("H601", done.stdout + done.stderr)

    def test_requests_that_are_refused_change_nothing(self):
        self.make("load", LOAD)
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load", LOAD)[0], 200)
        other = {**LOAD, "learner": {"params": {"patience": 21}}}
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load", other)[0], 409)
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load", server.RESERVES)[0], 409)
        for n in range(3):
            self.post("decisions", {"forecasts": {"gam": 10 + n, "ar": 12}}, status=201)
        self.post("outcomes", {"outcomes": [{"decision": "g1.2", "outcome": 11}]}, status=200)
        before = self.server.json("GET", "/v1/learners/load/state")
        self.refused("decisions", {"forecasts": {"gum": 1}}, 400, "H106")
        self.refused("decisions", {"forecasts": {"gam": "x"}}, 400, "H104")
        self.refused("decisions", {"forecasts": {"gam": 1e300}}, 400, "H205")
        self.refused("decisions", {}, 400, "H102")
        self.post("decisions", {"forecasts": {"gam": 20}}, "key", 201)
        self.refused("decisions", {"forecasts": {"gam": 21}}, 422, "H802", "key")
        before = self.server.json("GET", "/v1/learners/load/state")
        self.refused("outcomes", {"decision": "g1.9", "outcome": 1}, 400, "H805")
        self.refused("outcomes", {"decision": "g1.2", "outcome": 12}, 422, "H802")
        self.refused("outcomes", {"id": "new", "decision": "g1.2", "outcome": 11}, 400, "H105")
        self.refused("outcomes", {"outcomes": [{"decision": "g1.1", "outcome": 1}, {"decision": "g1.1", "id": "b", "outcome": 1}]}, 400, "H105")
        self.refused("outcomes", {"outcomes": [{"decision": "g1.1", "outcome": 1}, {"decision": "g1.3", "outcome": 1e300}]}, 400, "H205")
        for path in ("curve", "floors.json"):
            self.assertEqual(self.server.json("GET", f"/v1/learners/load/{path}")["error"]["code"], "H108")
        self.assertEqual(self.server.json("PUT", "/v1/learners/load/state", {})["error"]["code"], "H801")
        self.assertEqual(self.server.json("PUT", "/v1/learners/load/state", before)["error"]["code"], "H801")
        for query in ("context=a", "after=g1.1", "wait=5"):
            self.assertEqual(self.server.json("GET", f"/v1/learners/load/decision?{query}")["error"]["code"], "H108")
        status, _, answer = self.server.ask("POST", "/v1/learners/load/outcomes", {"decision": "g1.1", "outcome": 1}, {"If-Match": '"g1.4"'})
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H108"))
        self.assertEqual(self.server.json("GET", "/v1/learners/load/state"), before)
        report = self.server.json("GET", "/v1/learners/load/report")
        self.assertLessEqual(report["certificate"]["convex"]["measured"], report["certificate"]["convex"]["proven"])

    def test_it_is_ended_with_or_without_its_log(self):
        self.make("load", LOAD)
        self.post("decisions", {"forecasts": {"gam": 1}}, status=201)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/load")[0], 204)
        for _ in range(2):
            self.assertEqual(self.server.ask("GET", "/v1/learners/load")[0], 404)
            self.assertEqual(self.server.json("GET", "/v1/learners")["count"], 0)
            self.assertEqual(len(self.verify("load")), 3)  # its log stays
            self.server.kill()
            self.server.start()
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load", server.RESERVES)[0], 409)
        self.make("load", LOAD)
        self.assertEqual(self.post("decisions", {"forecasts": {"gam": 1}}, status=201)["decision"], "g2.1")
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/load?purge=true")[0], 204)
        self.assertEqual(self.server.ask("GET", "/v1/learners/load/record")[0], 404)
        self.make("load", LOAD)

    def test_lists_metrics_and_tags_have_it_beside_others(self):
        self.make("a")
        self.make("load", {**LOAD, "tags": {"site": "north"}})
        self.make("zone", LOAD)
        self.post("decisions", {"forecasts": {"gam": 10, "ar": 12}}, status=201)
        self.post("outcomes", {"decision": "g1.1", "outcome": 11}, status=200)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/load/decision")["decision"], "g1.1")
        for name in ("a/decision", "zone"):  # which are loaded then
            self.assertEqual(self.server.ask("GET", f"/v1/learners/{name}")[0], 200)
        listed = self.server.json("GET", "/v1/learners")
        self.assertEqual([one["name"] for one in listed["learners"]], ["a", "load", "zone"])
        self.assertEqual((listed["count"], sum(listed["summary"]["statuses"].values())), (3, 3))
        one = listed["learners"][1]
        self.assertEqual((one["problem"], one["learner"], one["rounds"], one["settled"], one["tags"]), ("forecasts", "combine", 1, 1, {"site": "north"}))
        for query, names in (("tag=site%3Dnorth", ["load"]), ("match=NORTH", ["load"]), ("after=a&limit=1", ["load"]), ("sort=rounds&limit=1", ["load"])):
            self.assertEqual([one["name"] for one in self.server.json("GET", f"/v1/learners?{query}")["learners"]], names, query)
        text = self.server.ask("GET", "/metrics")[2].decode()
        self.assertIn('hannan_learners{status="ready"} 3', text)
        self.assertIn('<a href="v1/learners/load">', self.server.ask("GET", "/")[2].decode())

    def test_a_reset_begins_anew_and_earlier_records_stay(self):
        self.make("load", LOAD)
        for n in range(4):
            self.post("decisions", {"forecasts": {"gam": 10 + n, "ar": 12}}, status=201)
            self.post("outcomes", {"decision": f"g1.{n + 1}", "outcome": 11}, status=200)
        first = self.server.ask("GET", "/v1/learners/load/record")[2]
        status, _, answer = self.server.ask("POST", "/v1/learners/load/reset", headers={"If-Match": '"g1.3"'})
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (412, "H807"))
        for _ in range(2):  # sent again it does nothing
            status, _, answer = self.server.ask("POST", "/v1/learners/load/reset", headers={"If-Match": '"g1.4"', "Idempotency-Key": "new year"})
            self.assertEqual((status, json.loads(answer)["generation"], json.loads(answer)["rounds"]), (200, 2, 0))
        self.refused("outcomes", {"decision": "g1.4", "outcome": 1}, 409, "H803")
        self.assertEqual(self.server.json("GET", "/v1/learners/load/decision")["error"]["code"], "H805")
        self.assertEqual(self.post("decisions", {"forecasts": {"gam": 5}}, status=201)["decision"], "g2.1")
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/load/record?generation=1")[2], first)
        self.assertEqual(len(self.verify("load")), 3)
        self.assertEqual(self.server.json("GET", "/v1/learners/load/record?generation=3")["error"]["code"], "H105")
        self.assertEqual(len(self.server.ask("GET", "/v1/learners/load/log?generation=1")[2].splitlines()), 8)

    def test_a_quarantined_one_does_nothing_until_it_is_released(self):
        self.make("load", LOAD)
        self.post("decisions", {"forecasts": {"gam": 10}}, status=201)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/load/quarantine")[0], 404)
        status, _, answer = self.server.ask("POST", "/v1/learners/load/quarantine", {"why": "models are broken"})
        self.assertEqual((status, json.loads(answer)["status"]), (200, "quarantined"))
        for _ in range(2):
            one = self.server.json("GET", "/v1/learners/load")
            self.assertEqual((one["status"], one["why"]), ("quarantined", "models are broken"))
            self.assertEqual(self.server.json("GET", "/v1/learners?status=attention")["matching"], 1)
            self.refused("decisions", {"forecasts": {"gam": 11}}, 500, "H900")
            self.assertEqual(self.server.json("GET", "/readyz")["stopped"], 1)
            self.assertEqual(len(self.verify("load")), 3)
            self.server.kill()
            self.server.start()
        self.assertEqual(self.server.json("DELETE", "/v1/learners/load/quarantine")["status"], "ready")
        self.assertEqual(self.post("decisions", {"forecasts": {"gam": 11}}, status=201)["decision"], "g1.2")

    def test_a_log_that_was_changed_quarantines_it(self):
        self.make("load", LOAD)
        for n in range(3):
            self.post("decisions", {"forecasts": {"gam": 10 + n, "ar": 12}}, status=201)
        self.server.stop()
        with contextlib.closing(sqlite3.connect(self.folder / "log.db")) as log:
            line = log.execute("select line from round where t=2").fetchone()[0]
            text = line.decode() if isinstance(line, bytes) else line
            log.execute("update round set line=? where t=2", (text.replace('"gam":11', '"gam":13'),))
            log.commit()
        self.server.start()
        self.refused("decisions", {"forecasts": {"gam": 11}}, 500, "H900")
        self.assertEqual(self.server.json("GET", "/v1/learners/load")["status"], "quarantined")
        self.assertEqual(self.server.json("POST", "/v1/learners/load/reset")["status"], "ready")

    def test_one_made_from_a_state_goes_on_as_the_first_would(self):
        steps = self.steps(120, seed=8)
        answers, state = self.piped(steps)
        _, middle = self.piped(steps[:70])
        rounds = sum(step[0] == "decide" for step in steps[:70])
        for _ in range(2):  # the same again changes nothing
            self.assertIn(self.server.ask("PUT", "/v1/learners/load/state", middle)[0], (201, 200))
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load", {"state": middle, "tags": {}})[0], 200)
        self.assertEqual(self.server.ask("PUT", "/v1/learners/load/state", state)[0], 409)
        one = self.server.json("GET", "/v1/learners/load")
        self.assertEqual((one["rounds"], one["config"]["from"]["rounds"], one["config"]["problem"]["params"]["models"]), (rounds, rounds, MODELS))
        self.assertEqual(self.server.json("GET", "/v1/learners/load/decision")["error"]["code"], "H805")
        first = None
        for n, (step, expected) in enumerate(zip(steps[70:], answers[70:])):
            if n in (5, 40):  # before the first snapshot of its own, and after it
                self.server.kill()
                self.server.start()
            if step[0] == "decide":
                found = self.post("decisions", {"forecasts": step[1]}, status=201)
                first = first or found
                self.assertEqual((found["round"], found["forecast"]), (expected["round"], expected["forecast"][0]))
            else:
                found = self.post("outcomes", {"decision": f"g1.{step[1]}", "outcome": step[2]}, status=200)
                self.assertEqual(found["total"], expected["total"])
        self.assertEqual(self.server.json("GET", "/v1/learners/load/state"), state)
        self.assertEqual(self.server.json("GET", f"/v1/learners/load/decisions/g1.{rounds + 1}"), first)
        self.assertEqual(self.server.json("GET", f"/v1/learners/load/decisions/g1.{rounds}")["error"]["code"], "H806")
        # Rounds before are in no log: there is no record to check, and a reset begins with round 1.
        self.assertEqual(self.server.json("GET", "/v1/learners/load/record")["error"]["code"], "H108")
        self.assertEqual(self.server.json("POST", "/v1/learners/load/reset")["rounds"], 0)
        self.assertEqual(self.post("decisions", {"forecasts": {"gam": 5}}, status=201)["decision"], "g2.1")
        self.server.kill()
        self.server.start()
        self.assertNotIn("from", self.server.json("GET", "/v1/learners/load")["config"])
        self.assertEqual(len(self.verify("load")), 3)
        # Of another kind, damaged, or with an open round of two rows.
        self.assertEqual(self.server.json("PUT", "/v1/learners/wind/state", {**middle, "learner": {"kind": "ftpl", "params": {}}})["error"]["code"], "H401")
        lines = [{"op": "problem", "as": "p", **LOAD["problem"]}, {"op": "learner", "as": "L", "in": "p", **LOAD["learner"]},
                 {"op": "act", "in": "L", "forecasts": [[1, 2, 3], [2, 3, 4]]}, {"op": "save", "in": "L"}]
        done = subprocess.run([server.BINARY, "pipe"], input="".join(json.dumps(one) + "\n" for one in lines), capture_output=True, text=True, timeout=60)
        panel = json.loads(done.stdout.splitlines()[-1])["state"]
        self.assertEqual(self.server.json("PUT", "/v1/learners/wind/state", panel)["error"]["code"], "H108")
        self.assertEqual(self.server.ask("GET", "/v1/learners/wind")[0], 404)

    def test_batches_are_all_or_none_and_both_kinds_may_be_in_one(self):
        self.make("a")
        for name in ("load", "wind"):
            self.make(name, LOAD)
            for n in range(3):
                self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/decisions", {"forecasts": {"gam": n, "ar": 2}})[0], 201)
        before = [self.server.json("GET", f"/v1/learners/{name}/state") for name in ("load", "wind")]

        def batch(*lines, query=""):
            status, _, answer = self.server.ask("POST", "/v1/batch" + query, "".join(json.dumps(line) + "\n" for line in lines))
            return status, json.loads(answer)
        good = {"in": "load", "decision": "g1.2", "outcome": 1.5}
        for lines, code, at in (([good, {"in": "a", "outcome": [2, 0.2, 0.3]}], "H105", "outcomes[1].outcome[0]"),
                                ([{"in": "a", "outcome": [0.1, 0.2, 0.3]}, {**good, "decision": "g1.9"}], "H805", "outcomes[1].decision"),
                                ([good, {"in": "wind", "decision": "g1.9", "outcome": 1}], "H805", "outcomes[1].decision"),
                                ([good, {"in": "wind", "decision": "g1.1", "outcome": 1e300}], "H205", "outcomes[1].outcome"),
                                ([good, {"in": "none", "decision": "g1.1", "outcome": 1}], "H107", "outcomes[1].in")):
            status, answer = batch(*lines)
            self.assertEqual((answer["error"]["code"], answer["error"]["at"]), (code, at), answer)
            self.assertEqual([self.server.json("GET", f"/v1/learners/{name}/state") for name in ("load", "wind")], before)
            self.assertEqual(self.server.json("GET", "/v1/learners/a")["rounds"], 0)
        lines = [good, {"in": "wind", "decision": "g1.3", "outcome": 2}, {"in": "load", "decision": "g1.1", "outcome": None}]
        status, answer = batch(*lines, query="?return=each")
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, 3, 0), answer)
        self.assertEqual([one["round"] for one in answer["learners"]["load"]["each"]], [2, 1])
        status, answer = batch(*lines)
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, 0, 3))
        self.assertNotIn("repeatable", answer)
        mixed = [{"in": "a", "id": "x", "outcome": [0.1, 0.2, 0.3]}, {"in": "load", "decision": "g1.3", "outcome": 2}]
        for accepted in (2, 0):
            status, answer = batch(*mixed)
            self.assertEqual((status, answer["accepted"], answer["duplicates"], set(answer["learners"])), (200, accepted, 2 - accepted, {"a", "load"}), answer)
            self.assertNotIn("repeatable", answer)
        # Those that combine come first; what is refused after them is said with what they took.
        for name in ("load", "wind"):
            self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/decisions", {"forecasts": {"gam": 4}})[0], 201)
        mixed = [{"in": "a", "id": "y", "decision": "g1.9", "outcome": [0.1, 0.2, 0.3]}, {"in": "load", "decision": "g1.4", "outcome": 2}]
        status, answer = batch(*mixed)
        self.assertEqual((status, answer["error"]["at"], answer["taken"]["accepted"], set(answer["taken"]["learners"])), (400, "outcomes[0].decision", 1, {"load"}), answer)
        status, answer = batch({**mixed[0], "decision": "g1.2"}, mixed[1])
        self.assertEqual((status, answer["accepted"], answer["duplicates"]), (200, 1, 1), answer)
        status, answer = batch({"in": "a", "outcome": [0.1, 0.2, 0.3]}, mixed[1])
        self.assertEqual((status, answer["accepted"], answer["duplicates"], answer["repeatable"]), (200, 1, 1, False), answer)
        status, _, answer = self.server.ask("POST", "/v1/learners/wind/outcomes", '{"decision":"g1.1","outcome":3}\n\n{"decision":"g1.2","outcome":4}\n',
                                            {"Content-Type": "application/x-ndjson"})
        self.assertEqual((status, json.loads(answer)["settled"]), (200, 3))
        for name in ("load", "wind"):
            self.verify(name)

    def test_past_decisions_courses_checks_and_events(self):
        self.make("load", {**LOAD, "problem": {"kind": "forecasts", "params": {"models": MODELS, "loss": "squared"}}})
        said = []
        for n in range(60):
            said.append(self.post("decisions", {"forecasts": {"gam": 10 + n % 7, "ar": 12 - n % 3, "gbm": 11}}, status=201))
            if n >= 5:
                self.post("outcomes", {"decision": f"g1.{n - 4}", "outcome": 11 + n % 2}, status=200)
        self.assertEqual([self.server.json("GET", f"/v1/learners/load/decisions/g1.{n + 1}") for n in range(60)], said)
        self.assertEqual(self.server.json("GET", "/v1/learners/load/decision"), said[-1])
        self.assertEqual(self.server.json("GET", "/v1/learners/load/decisions/g1.61")["error"]["code"], "H805")
        for _ in range(2):
            course = self.server.json("GET", "/v1/learners/load/course")
            self.assertEqual((course["loss"], course["today"], sum(course["days"]["rows"]), len(course["recent"])), ("squared", "mean", 55, 20))
            mine = sum((said[n]["forecast"] - (11 + (n + 5) % 2)) ** 2 for n in range(55))
            mean = sum((said[n]["members"]["mean"] - (11 + (n + 5) % 2)) ** 2 for n in range(55))
            self.assertAlmostEqual(sum(course["days"]["combined"]), mine)
            self.assertAlmostEqual(sum(course["days"]["today"]), mean)
            self.assertEqual(course["recent"][0]["decision"], "g1.55")
            self.server.kill()
            self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/load/verify")["state"], "none")
        self.assertEqual(self.server.ask("POST", "/v1/learners/load/verify")[0], 202)
        until = time.monotonic() + 30
        while (state := self.server.json("GET", "/v1/learners/load/verify"))["state"] == "running":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        self.assertEqual((state["state"], state["rounds"]), ("holds", 60))
        with contextlib.closing(self.server.connection()) as connection:
            connection.request("GET", "/v1/learners/load/events")
            events = connection.getresponse()
            self.assertIn(b"event: status", self.read_event(events))
            self.assertIn(b'"round":60', self.read_event(events))
            self.post("decisions", {"forecasts": {"gam": 10}}, status=201)
            self.assertIn(b'"round":61', self.read_event(events))
            self.assertEqual(self.server.ask("DELETE", "/v1/learners/load?purge=true")[0], 204)
            self.assertIn(b'"ended"', self.read_event(events))

    def read_event(self, events):
        text = b""
        while not text.endswith(b"\n\n"):
            text += events.readline()
        return text


if __name__ == "__main__":
    main()
