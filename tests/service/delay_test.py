"""Learners whose outcomes come late, and learners made from a state: held against the pipe and against hannan run."""
import json
import random
import sqlite3
import subprocess
import time

import server
from server import ServerTest, main

PROBLEM = {"kind": "experts", "params": {"experts": 3}}
LATE = {"problem": PROBLEM, "learner": {"kind": "ada", "params": {"seed": 1, "delayed": True}}, "delay": "settled"}


class Pipe:
    """A learner of `hannan pipe`: what the service is held against."""

    def __init__(self, learner=None, state=None):
        self.process = subprocess.Popen([server.BINARY, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        if state is not None:
            self.ask(op="load", **{"as": "me", "state": state})
            return
        self.ask(op="problem", **{"as": "p", **PROBLEM})
        self.ask(op="learner", **{"as": "me", "in": "p", **learner})

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["ok"], answer
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=60)


class PipeTest(ServerTest):
    def pipe(self, **how):
        pipe = Pipe(**how)
        self.addCleanup(pipe.close)
        return pipe

    def tell(self, name, body, status=200):
        found, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", body)
        self.assertEqual(found, status, answer)
        return json.loads(answer)

    def checked(self, name):
        """What the service itself finds in its log."""
        self.server.ask("POST", f"/v1/learners/{name}/verify")
        until = time.monotonic() + 60
        while (state := self.server.json("GET", f"/v1/learners/{name}/verify"))["state"] in ("waiting", "running"):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        return state

    def decide(self, name="a", key=None):
        status, headers, body = self.server.ask("POST", f"/v1/learners/{name}/decisions", "",
                                                {"Idempotency-Key": key} if key else {})
        return status, json.loads(body), headers


class Delayed(PipeTest):
    def play(self, pipe, steps, rounds=0, open_rounds=()):
        """Decisions and outcomes in an order that is drawn; every answer is that of the pipe."""
        draw, waiting = random.Random(7 + rounds), list(open_rounds)
        for _ in range(steps):
            if waiting and draw.random() < 0.5:
                of = waiting.pop(draw.randrange(len(waiting)))
                outcome = [draw.randrange(9) / 8 for _ in range(3)]
                told = self.tell("a", {"id": f"o{of}", "decision": f"g1.{of}", "outcome": outcome})
                seen = pipe.ask(op="observe", **{"in": "me"}, round=of, outcome=outcome)
                self.assertEqual({k: told[k] for k in ("total", "best", "regret", "settled")},
                                 {k: seen[k] for k in ("total", "best", "regret", "settled")})
            else:
                rounds += 1
                waiting.append(rounds)
                status, made, headers = self.decide(key=f"key{rounds}")
                asked = pipe.ask(op="act", **{"in": "me"}, round=rounds)
                self.assertEqual((status, headers["ETag"]), (201, f'"g1.{rounds}"'))
                self.assertEqual((made["round"], made["action"], made["multiplier"]),
                                 (asked["round"], asked["action"], asked["multiplier"]))
        return rounds, waiting

    def test_any_order_is_that_of_the_pipe_through_kills_and_stops(self):
        self.make("a", LATE)
        pipe = self.pipe(learner=LATE["learner"])
        rounds, waiting = self.play(pipe, 40)
        self.server.kill()
        self.server.start()
        rounds, waiting = self.play(pipe, 40, rounds, waiting)
        self.assertEqual(self.server.stop()[0], 0)  # which writes a snapshot in the middle
        self.server.start()
        rounds, waiting = self.play(pipe, 40, rounds, waiting)
        self.assertGreater(len(waiting), 0)
        report, whole = self.server.json("GET", "/v1/learners/a/report"), pipe.ask(op="report", **{"in": "me"})
        played = report.pop("played")
        self.assertEqual(report, {k: v for k, v in whole.items() if k not in ("ok", "played")})
        self.assertEqual((played["rounds"], played["settled"]), (rounds, report["rounds"]))
        self.assertEqual(played["arrived"], rounds - len(waiting))
        self.assertEqual((played["total"], played["learned"], played["drift"]), (report["total"], report["total"], 0))
        self.assertGreaterEqual(played["arrived_total"], played["total"])
        self.assertEqual(self.server.json("GET", "/v1/learners/a/state"),
                         pipe.ask(op="save", **{"in": "me"})["state"])
        lines = self.verify()
        page = self.folder / "report.html"
        done = subprocess.run([server.BINARY, "report", str(self.folder / "record.jsonl"), "-o", str(page)],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"Verified: {report['rounds']} rounds", page.read_text())
        self.assertEqual(self.checked("a")["state"], "holds")
        self.assertEqual([line["t"] for line in lines[1:-1]], list(range(1, 121)))
        self.assertEqual(len([line for line in lines if "decide" in line]), rounds)

    def test_a_decision_is_made_once_for_a_key_and_stays_readable(self):
        self.make("a", LATE)
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decision")[0], 400)
        status, first, _ = self.decide(key="k")
        self.assertEqual(status, 201)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/decision"), first)
        self.assertEqual(self.decide(key="k")[:2], (200, first))
        self.server.kill()
        self.server.start()
        self.assertEqual(self.decide(key="k")[:2], (200, first))
        self.assertEqual(self.decide()[1]["decision"], "g1.2")
        self.tell("a", {"id": "1", "decision": "g1.1", "outcome": [0, 1, 0.5]})
        again = self.server.json("GET", "/v1/learners/a/decisions/g1.1")
        self.assertEqual(again["action"], first["action"])
        self.assertEqual(self.server.ask("GET", "/v1/learners/a/decisions/g1.3")[0], 400)

    def test_an_outcome_belongs_to_one_decision_that_was_made(self):
        self.make("a", LATE)
        self.decide()
        self.decide()
        good = {"id": "d:1", "decision": "g1.2", "outcome": [0, 1, 0.5]}  # an id like one of the service's own
        self.assertEqual(self.tell("a", good)["accepted"], 1)
        self.assertEqual(self.tell("a", good)["duplicates"], 1)
        for body, status, code in [({**good, "id": "other"}, 400, "H105"),
                                   ({**good, "outcome": [0, 0, 0]}, 422, "H802"),
                                   ({"id": "x", "decision": "g1.3", "outcome": [0, 0, 0]}, 400, "H805"),
                                   ({"id": "x", "outcome": [0, 0, 0]}, 400, "H102")]:
            self.assertEqual(self.tell("a", body, status)["error"]["code"], code, body)
        two = {"outcomes": [{"id": "y", "decision": "g1.1", "outcome": [1, 0, 0]}, {**good, "id": "z"}]}
        self.assertEqual(self.tell("a", two, 400)["error"]["at"], "outcomes[1].decision")
        look = self.server.json("GET", "/v1/learners/a")
        self.assertEqual((look["rounds"], look["open"]), (0, 2))

    def test_only_outcomes_that_came_after_a_later_decision_are_late(self):
        self.make("a", LATE)
        for t in range(1, 31):
            self.decide()
            self.tell("a", {"id": f"o{t}", "decision": f"g1.{t}", "outcome": [0, 1, 0.5]})
        course = self.server.json("GET", "/v1/learners/a/course")
        self.assertEqual(course["delays"]["late"], 0)
        for _ in range(4):
            self.decide()
        for t in (34, 31):
            self.tell("a", {"id": f"o{t}", "decision": f"g1.{t}", "outcome": [0, 1, 0.5]})
        delays = self.server.json("GET", "/v1/learners/a/course")["delays"]
        self.assertEqual((delays["late"], delays["rounds_p50"], delays["rounds_p99"]), (1, 3, 3))
        self.assertGreaterEqual(delays["ms_p50"], 0)

    def test_delay_and_learner_go_together(self):
        for body in ({**LATE, "delay": "shared"}, {"problem": PROBLEM, "delay": "settled"}):
            status, _, answer = self.server.ask("PUT", "/v1/learners/b", body)
            self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H108"))
        self.make("turn", {"problem": PROBLEM})
        self.assertEqual(self.decide("turn")[0], 400)


class States(PipeTest):
    ROWS = [[(5 * t * t + 3 * i * t + i) % 9 / 8 for i in range(3)] for t in range(60)]

    def test_a_learner_moves_from_a_run_to_the_service_and_back(self):
        data, state = self.folder / "losses.csv", self.folder / "state.json"
        rows = "".join(",".join(map(str, row)) + "\n" for row in self.ROWS)
        data.write_text(rows)
        run = [server.BINARY, "run", "experts", "-d", str(data)]
        whole = self.folder / "whole.jsonl"
        subprocess.run([*run, "--record", str(whole)], check=True, capture_output=True, timeout=120)
        lines = [json.loads(line) for line in whole.read_text().splitlines()]
        subprocess.run([*run, "--rounds", "20", "--save", str(state)], check=True, capture_output=True, timeout=120)

        put = self.server.ask("PUT", "/v1/learners/moved/state", state.read_text())
        self.assertEqual(put[0], 201, put[2])
        self.assertEqual(self.server.ask("PUT", "/v1/learners/moved/state", state.read_text())[0], 200)
        look = self.server.json("GET", "/v1/learners/moved")
        self.assertEqual((look["rounds"], look["decision"], look["config"]["from"]["rounds"]), (20, "g1.21", 20))
        for t in range(20, 40):
            now = self.server.json("GET", "/v1/learners/moved/decision")
            self.assertEqual((now["round"], now["action"]), (t + 1, lines[t + 1]["action"]))
            self.tell("moved", {"id": f"o{t}", "outcome": self.ROWS[t]})
            if t == 30:
                self.server.kill()
                self.server.start()
        first = self.folder / "first.jsonl"
        subprocess.run([*run, "--rounds", "20", "--record", str(first)], check=True, capture_output=True, timeout=120)
        record = self.verify("moved", first)
        self.assertEqual((record[0]["from"], record[1:-1]), (20, lines[21:41]))
        self.verify("moved", whole)  # whose later rounds are another life
        checked = self.checked("moved")
        self.assertEqual((checked["state"], checked["rounds"], checked["error"]), ("continues", 40, None))
        self.assertIn("20 of them", checked["checked"][0])
        self.assertIn("20 rounds, digest " + look["config"]["from"]["digest"], checked["trusted"][0])
        alone = subprocess.run([server.BINARY, "verify", str(self.folder / "record.jsonl")], capture_output=True,
                               text=True, timeout=120)
        self.assertEqual(alone.returncode, 3)
        self.assertIn("expected the earlier part before it", alone.stderr)

        taken = self.server.ask("GET", "/v1/learners/moved/state")[2]
        pipe = self.pipe(state=json.loads(taken))
        for t in range(40, 60):
            self.assertEqual(pipe.ask(op="act", **{"in": "me"})["action"], lines[t + 1]["action"])
            pipe.ask(op="observe", **{"in": "me"}, outcome=self.ROWS[t])
        end = lines[-1]["end"]
        proven = {"best_proven": True, "best_range": [end["best"]] * 2, "regret_range": [end["regret"]] * 2,
                  "raw": {**end["raw"], "best_range": [end["raw"]["best"]] * 2}}
        self.assertEqual({k: v for k, v in pipe.ask(op="report", **{"in": "me"}).items() if k != "ok"}, {**end, **proven})
        rest, went = self.folder / "rest.json", self.folder / "went.json"
        rest.write_bytes(taken)
        done = subprocess.run([*run, "--resume", str(rest), "--save", str(went)], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(went.read_text())["state"], pipe.ask(op="save", **{"in": "me"})["state"]["state"])

    def test_a_log_that_was_changed_does_not_continue_its_state(self):
        self.make("a", {"problem": PROBLEM})
        self.tell("a", {"id": "1", "outcome": [0, 1, 0.5]})
        self.assertEqual(self.server.ask("PUT", "/v1/learners/b/state", self.server.json("GET", "/v1/learners/a/state"))[0], 201)
        self.assertEqual(self.checked("b")["state"], "continues")  # nothing yet
        self.tell("b", {"outcomes": [{"id": str(t), "outcome": [t % 2, 1 - t % 2, 0.5]} for t in range(2, 600)]})
        found = self.checked("b")
        self.assertEqual((found["state"], found["rounds"]), ("continues", 599))
        self.assertIn("598 of them", found["checked"][0])
        self.assertEqual((self.checked("a")["state"], self.checked("a")["trusted"]), ("holds", []))
        self.server.stop()  # with snapshots, from which the service starts without a look at the row
        with sqlite3.connect(self.folder / "log.db") as log:
            line = json.loads(log.execute("select line from round where id = '300' and learner = 2").fetchone()[0])
            line["loss"] = 0.125
            log.execute("update round set line = ? where id = '300' and learner = 2", (json.dumps(line, separators=(",", ":")),))
        log.close()
        self.server.start()
        found = self.checked("b")
        self.assertEqual((found["state"], found["error"]["code"], found["error"]["at"]), ("differs", "H601", "b"))
        self.assertRegex(found["error"]["message"], "round 300: found another loss in the log .* from the state")
        self.assertEqual(self.checked("a")["state"], "holds")

    def test_a_state_takes_money_and_begins_anew_after_a_reset(self):
        self.make("a", {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 4}}})
        self.tell("a", {"id": "1", "outcome": [0.5, 0.25]})
        state = self.server.json("GET", "/v1/learners/a/state")
        body = {"state": state, "slots": ["x", "*"], "cap": 2.0}
        self.assertEqual(self.server.ask("PUT", "/v1/learners/b/state", body)[0], 201)
        self.assertIn("prices", self.server.json("GET", "/v1/learners/b/decision"))
        self.assertEqual(self.server.ask("PUT", "/v1/learners/b/state", state)[0], 409)
        self.assertEqual(self.server.json("POST", "/v1/learners/b/reset")["rounds"], 0)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/b/decision")["decision"], "g2.1")

    def test_a_damaged_state_is_refused(self):
        self.make("a", {"problem": PROBLEM})
        self.tell("a", {"id": "1", "outcome": [0, 1, 0.5]})
        state = self.server.json("GET", "/v1/learners/a/state")
        state["state"]["oracle_calls"] = 77
        status, _, answer = self.server.ask("PUT", "/v1/learners/b/state", state)
        self.assertEqual((status, json.loads(answer)["error"]["code"]), (400, "H401"))
        status, _, answer = self.server.ask("PUT", "/v1/learners/b/state", {"version": 1})
        self.assertEqual(status, 400)

    def test_open_rounds_move_too(self):
        self.make("a", LATE)
        for _ in range(3):
            self.decide()
        self.tell("a", {"id": "2", "decision": "g1.2", "outcome": [0, 1, 0.5]})
        state = self.server.json("GET", "/v1/learners/a/state")
        self.assertEqual(self.server.ask("PUT", "/v1/learners/b/state", state)[0], 201)
        rest = {"outcomes": [{"id": "1", "decision": "g1.1", "outcome": [1, 0, 0]},
                             {"id": "3", "decision": "g1.3", "outcome": [0, 0, 1]}]}
        self.assertEqual(self.tell("b", rest)["settled"], 3)
        self.tell("a", rest)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.server.json("GET", "/v1/learners/a/state"), self.server.json("GET", "/v1/learners/b/state"))
        self.verify("a")
        earlier = self.folder / "earlier.jsonl"
        (self.folder / "record.jsonl").rename(earlier)
        self.assertEqual(self.verify("b", earlier)[0]["from"], 4)  # three decisions, one outcome
        found = self.checked("b")
        self.assertEqual((found["state"], found["rounds"]), ("continues", 2))  # rows of its own log
        reports = [self.server.json("GET", f"/v1/learners/{name}/report")["played"] for name in "ab"]
        self.assertEqual(reports[0]["arrived_total"], reports[1]["arrived_total"])


class Rehearsed(PipeTest):
    """Outcomes that are learned from before anything is played."""

    def test_a_rehearsal_is_that_of_the_pipe_through_kills_and_stops(self):
        config = {"problem": PROBLEM, "learner": {"kind": "flipflop", "params": {"seed": 1}}}
        self.make("a", config)
        pipe = self.pipe(learner=config["learner"])
        draw = random.Random(3)
        for t in range(30):
            outcome, warm = [draw.randrange(9) / 8 for _ in range(3)], {"warm": True} if t < 12 else {}
            self.tell("a", {"id": f"o{t}", "outcome": outcome, **warm})
            pipe.ask(op="observe", **{"in": "me"}, outcome=outcome, **warm)
            if t == 5:
                self.server.kill()
                self.server.start()
            if t == 20:
                self.assertEqual(self.server.stop()[0], 0)
                self.server.start()
        report, whole = self.server.json("GET", "/v1/learners/a/report"), pipe.ask(op="report", **{"in": "me"})
        played = report.pop("played")
        self.assertEqual(report, {k: v for k, v in whole.items() if k != "ok"})
        self.assertEqual((report["rehearsed"]["rounds"], report["rehearsed"]["played"]), (12, 18))
        self.assertAlmostEqual(played["total"], report["rehearsed"]["played_total"], delta=1e-9)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/state"), pipe.ask(op="save", **{"in": "me"})["state"])
        self.verify()
        self.assertEqual(self.checked("a")["state"], "holds")

    def test_what_is_refused_changes_nothing(self):
        self.make("a", {"problem": PROBLEM, "learner": {"kind": "leader", "params": {}}})
        self.tell("a", {"id": "1", "outcome": [0, 1, 1], "warm": True})
        self.tell("a", {"id": "2", "decision": "g1.2", "outcome": [0, 1, 1], "warm": True}, status=400)
        self.tell("a", {"id": "1", "outcome": [0, 1, 1]}, status=422)  # the same id was a rehearsal
        self.tell("a", {"id": "3", "outcome": [1, 0, 1]})
        before = self.server.json("GET", "/v1/learners/a/state")
        self.assertEqual(self.tell("a", {"id": "4", "outcome": [1, 0, 1], "warm": True}, status=400)["error"]["code"], "H105")
        self.tell("a", {"outcomes": [{"id": "5", "outcome": [1, 0, 1]}, {"id": "6", "outcome": [1, 1, 1], "warm": True}]}, status=400)
        self.assertEqual(self.server.json("GET", "/v1/learners/a/state"), before)
        self.make("late", LATE)
        self.decide("late")
        self.tell("late", {"id": "1", "outcome": [1, 0, 1], "warm": True}, status=400)


if __name__ == "__main__":
    main()
