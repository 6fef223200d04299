"""A learner that combines forecasts: forecasts and actuals over HTTP, held against the pipe; kills, repetitions, its record."""
import json
import random
import subprocess

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
        for method, path in (("GET", "decision"), ("GET", "curve"), ("POST", "reset")):
            self.assertEqual(self.server.json(method, f"/v1/learners/load/{path}")["error"]["code"], "H108")
        self.assertEqual(self.server.json("GET", "/v1/learners/load/state"), before)
        report = self.server.json("GET", "/v1/learners/load/report")
        self.assertLessEqual(report["certificate"]["convex"]["measured"], report["certificate"]["convex"]["proven"])

    def test_it_is_ended_with_its_log(self):
        self.make("load", LOAD)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/load")[0], 400)
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/load?purge=true")[0], 204)
        self.assertEqual(self.server.ask("GET", "/v1/learners/load")[0], 404)
        self.make("load", LOAD)


if __name__ == "__main__":
    main()
