"""Reading changes nothing: reports, records, states and decisions that are asked for in between leave every later decision as it would
have been, also where searches end at their limit and begin with what the search before found."""
import json
import random
import subprocess

import server
from server import ServerTest, main

PROBLEM = {"kind": "vcg-reserves", "params": {"bidders": 6, "levels": 8, "units": 2}}
ROUNDS = 80


def learner(**params):
    return {"kind": "flipflop", "params": {"oracle": "branch_bound:2", **params}}


def outcomes():
    """Of few kinds, with which the search is hard; without reports in between the same twice."""
    draw = random.Random(3)
    for _ in range(ROUNDS):
        of = random.Random(draw.randrange(60))
        yield [of.randrange(65) / 64 for _ in range(6)]


class Reads(ServerTest):
    def play(self, params, context=None):
        """One learner is left alone, the other is looked at after every round."""
        for name in ("alone", "seen"):
            self.make(name, {"problem": PROBLEM, "learner": learner(**params)})
        for i, outcome in enumerate(outcomes()):
            body = {"id": str(i), "outcome": outcome, **({"context": [context[i % 3]]} if context else {})}
            for name in ("alone", "seen"):
                self.assertEqual(self.server.ask("POST", f"/v1/learners/{name}/outcomes", body)[0], 200)
            for path in ("report", "record", "state", "curve", "decision" + (f"?context={context[(i + 1) % 3]}" if context else "")):
                self.assertEqual(self.server.ask("GET", f"/v1/learners/seen/{path}")[0], 200, path)

    def check(self):
        lines = [self.server.ask("GET", f"/v1/learners/{name}/record")[2] for name in ("alone", "seen")]
        self.assertEqual(*lines)
        gap = json.loads(lines[0].splitlines()[-1])["end"]["oracle_gap"]
        self.assertGreater(gap, 0, "no search ended at its limit: the test shows nothing")
        self.server.kill()
        self.server.start()
        for name in ("alone", "seen"):
            self.assertEqual(self.server.ask("GET", f"/v1/learners/{name}/record")[2], lines[0], name)

    def test_in_turn(self):
        self.play({})
        self.check()

    def test_in_turn_with_the_best_looked_for_now_and_then(self):
        self.play({"track": "powers"})
        self.check()

    def test_by_context(self):
        self.play({"by": ["country"]}, context=["de", "fr", "pl"])
        self.check()

    def test_in_the_pipe(self):
        asked = [json.dumps({"op": "problem", "as": "p", **PROBLEM})]
        asked += [json.dumps({"op": "learner", "as": name, "in": "p", **learner()}) for name in ("alone", "seen")]
        for outcome in outcomes():
            for name in ("alone", "seen"):
                asked.append(json.dumps({"op": "act", "in": name}))
                if name == "seen":
                    asked.append(json.dumps({"op": "report", "in": name}))
                asked.append(json.dumps({"op": "observe", "in": name, "outcome": outcome}))
        done = subprocess.run([server.BINARY, "pipe"], input="\n".join(asked) + "\n", capture_output=True, text=True, timeout=200)
        told = {"alone": [], "seen": []}
        for question, answer in zip(map(json.loads, asked), map(json.loads, done.stdout.splitlines()), strict=True):
            self.assertTrue(answer["ok"], answer)
            if question["op"] in ("act", "observe"):
                told[question["in"]].append(answer)
        self.assertEqual(told["alone"], told["seen"])


if __name__ == "__main__":
    main()
