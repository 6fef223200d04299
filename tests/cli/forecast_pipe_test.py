"""Forecasts in `hannan pipe`: the requests of docs/pipe.md, the numbers of the batch, and errors that change nothing."""
import json
import math
import random

from pipe_test import PipeTest
from program import FolderTest, hannan, main

MODELS = ["m0", "m1", "m2"]


def rows_of(rounds=60, seed=3, models=3, gaps=0.3):
    """[(forecasts, actual)]: models of different quality that are missing now and then."""
    coins, made = random.Random(seed), []
    for t in range(rounds):
        level = 1000 + 100 * math.sin(t / 5)
        said = [None if coins.random() < gaps and k > 0 else round(level + coins.gauss(k, 10 + 10 * k), 3) for k in range(models)]
        made.append((said, round(level + coins.gauss(0, 5), 3)))
    return made


class ForecastPipe(PipeTest, FolderTest):
    def setUp(self):
        FolderTest.setUp(self)
        PipeTest.setUp(self)

    def learner(self, loss="squared", **params):
        self.ok(op="problem", name_it="p", kind="forecasts", params={"models": MODELS, "loss": loss})
        return self.ok(op="learner", name_it="L", of="p", kind="combine", params=params)

    def batch(self, rows, *flags):
        """The lines of the record, and the state of the combiner, of the same rows in a table."""
        lines = ["t,actual," + ",".join(MODELS)]
        lines += [",".join([str(t), repr(y), *("" if x is None else repr(x) for x in said)]) for t, (said, y) in enumerate(rows)]
        table, record, state = self.file("t.csv", ("\n".join(lines) + "\n").encode()), self.folder / "r.jsonl", self.folder / "s.json"
        for output in (["--record", record], ["--save", state]):
            done = hannan("run", "forecasts", "-d", table, "--actual", "actual", "--timestamp", "t", "-q", *output, *flags)
            self.assertEqual((done.status, done.err), (0, b""))
        rounds = [json.loads(line) for line in record.read_text().splitlines()]
        return [line for line in rounds if "t" in line], json.loads(state.read_text())["streams"][0]["combiner"]

    def test_the_pipe_says_what_the_batch_says(self):
        rows = rows_of()
        for loss in ("squared", "absolute", "percentage", "pinball:0.8"):
            for lag in (1, 4):
                recorded, state = self.batch(rows, "--loss", loss, "--lag", str(lag))
                self.learner(loss)
                for t, (said, _) in enumerate(rows):
                    if t >= lag:
                        self.ok(op="observe", of="L", round=t - lag + 1, outcome=[rows[t - lag][1]])
                    found = self.ok(op="act", of="L", round=t + 1, forecasts=[said])
                    self.assertEqual(found["forecast"], recorded[t]["p"])
                    self.assertEqual(found["members"], recorded[t]["c"])
                    self.assertAlmostEqual(sum(found["weights"][0]), 1, 12)
                last = len(rows) - lag
                self.ok(op="observe", of="L", round=last + 1, outcome=[rows[last][1]])
                self.assertEqual(self.ok(op="save", of="L")["state"]["state"], state)

    def test_rounds_of_several_rows_with_weights_and_contexts(self):
        self.ok(op="problem", name_it="p", kind="forecasts", params={"models": MODELS})
        made = self.ok(op="learner", name_it="L", of="p", params={"by": ["side"], "members": ["mean", "mixture"]})
        self.assertEqual(made["params"], {"members": ["mean", "mixture"], "patience": 100, "by": ["side"]})
        asked = {"forecasts": [[1, 2, 3], {"m0": 4, "m2": 6}], "context": [["a"], ["b"]], "weight": [1, 2]}
        said = self.ok(op="act", of="L", **asked)
        self.assertEqual((said["round"], said["forecast"]), (1, [2, 5]))
        self.assertEqual(said["weights"][1][1], 0)
        for change in ({"weight": [1, 3]}, {"context": [["a"], ["a"]]}, {"forecasts": [[1, 2, 3], [4, 5, 6]]}):
            self.refused("H105", "forecasts", op="act", of="L", round=1, **{**asked, **change})
        first = self.ok(op="observe", of="L", round=1, rows=[1], outcome=[5.5])
        self.assertEqual((first["loss"], first["settled"]), (None, 0))
        self.assertEqual(self.ok(op="act", of="L", round=1), said)
        second = self.ok(op="observe", of="L", round=1, rows=[0], outcome=[None])
        self.assertEqual((second["loss"], second["settled"], second["total"]), (0.5, 1, 0.5))
        self.assertEqual(set(second["members"]), {"mean", "mixture", "mixture by side"})
        self.assertEqual(self.ok(op="report", of="L")["never"], 1)

    def test_forecasts_beside_the_outcome_are_played_at_once(self):
        self.learner()
        for said, y in rows_of(20):
            self.ok(op="observe", of="L", forecasts=[said], outcome=[y])
        at_once = self.ok(op="save", of="L")["state"]
        self.learner()
        for t, (said, y) in enumerate(rows_of(20)):
            self.ok(op="act", of="L", round=t + 1, forecasts=[said])
            answer = self.ok(op="observe", of="L", round=t + 1, outcome=[y])
            self.assertLessEqual(answer["convex"]["measured"], answer["convex"]["proven"] * (1 + 1e-9))
        self.assertEqual(self.ok(op="save", of="L")["state"], at_once)

    def test_a_state_goes_on_with_open_rounds(self):
        rows = rows_of(40)
        self.learner("absolute", patience=9)
        for t, (said, _) in enumerate(rows[:25]):
            self.ok(op="act", of="L", forecasts=[said])
            if t % 3 == 0 and t > 3:
                self.ok(op="observe", of="L", round=t - 2, outcome=[rows[t - 3][1]])
        state = self.ok(op="save", of="L")["state"]
        self.ok(op="load", name_it="M", state=state)
        self.assertEqual(self.ok(op="save", of="M")["state"], state)
        for t, (said, y) in enumerate(rows[25:], 26):
            answers = [self.ok(op="act", of=name, round=t, forecasts=[said]) for name in "LM"]
            self.assertEqual(*answers)
            answers = [self.ok(op="observe", of=name, round=t, outcome=[y]) for name in "LM"]
            self.assertEqual(*answers)
        changed = json.loads(json.dumps(state).replace('"patience": 9', '"patience": 8'))
        self.refused("H401", op="load", name_it="M", state=changed)

    def test_the_best_mixture_has_a_floor(self):
        self.ok(op="problem", name_it="p", kind="forecasts", params={"models": ["a", "b"]})
        # (u + 2 (1 - u) - 1.25)^2 twice and once with weight 2: u = 0.75 meets the actual in every row.
        data = [{"forecasts": [1, 2], "outcome": 1.25}, {"forecasts": [2, 4], "outcome": 2.5, "weight": 2}]
        best = self.ok(op="best", of="p", data=data)
        self.assertEqual((best["model"], best["value"]), ("a", 0.0625 + 2 * 0.25))
        self.assertAlmostEqual(best["mixture"]["weights"]["a"], 0.75, 6)
        self.assertLess(best["mixture"]["value"], 1e-9)
        self.assertLessEqual(best["mixture"]["floor"], best["mixture"]["value"])

    def test_what_is_refused_changes_nothing(self):
        self.learner(patience=2)
        rows = rows_of(8, gaps=0)
        for said, _ in rows[:3]:
            self.ok(op="act", of="L", forecasts=[said])
        before = self.ok(op="save", of="L")["state"]
        for code, at, request in (
                ("H105", "forecasts", {"op": "act", "round": 2, "forecasts": [[1, 2, 3]]}),
                ("H105", "round", {"op": "act", "round": 5, "forecasts": [[1, 2, 3]]}),
                ("H102", "forecasts", {"op": "act"}),
                ("H206", "forecasts", {"op": "act", "forecasts": []}),
                ("H301", "forecasts[0]", {"op": "act", "forecasts": [[1, 2]]}),
                ("H106", "forecasts[0]", {"op": "act", "forecasts": [{"m7": 1}]}),
                ("H104", "forecasts[0][1]", {"op": "act", "forecasts": [[1, "x", 3]]}),
                ("H205", None, {"op": "act", "forecasts": [[1, 1e300, 3]]}),
                ("H105", None, {"op": "act", "forecasts": [[1, 2, 3]], "weight": [0]}),
                ("H301", "weight", {"op": "act", "forecasts": [[1, 2, 3]], "weight": [1, 1]}),
                ("H103", "context", {"op": "act", "forecasts": [[1, 2, 3]], "context": [["a"]]}),
                ("H102", "round", {"op": "observe", "outcome": [1]}),
                ("H105", "round", {"op": "observe", "round": 9, "outcome": [1]}),
                ("H301", "outcome", {"op": "observe", "round": 3, "outcome": [1, 2]}),
                ("H205", "outcome[0]", {"op": "observe", "round": 3, "outcome": [1e300]}),
                ("H205", "outcome[0]", {"op": "observe", "forecasts": [[1, 2, 3]], "outcome": [1e300]}),
                ("H105", "rows[0]", {"op": "observe", "round": 3, "rows": [1], "outcome": [1]}),
                ("H108", "in", {"op": "strategies"})):
            self.refused(code, at, of="L", **request)
        self.assertEqual(self.ok(op="save", of="L")["state"], before)
        self.ok(op="observe", of="L", round=3, outcome=[rows[2][1]])
        self.refused("H105", "round", op="observe", of="L", round=3, outcome=[1])
        self.ok(op="act", of="L", forecasts=[rows[3][0]])
        answer = self.refused("H105", "round", op="observe", of="L", round=1, outcome=[rows[0][1]])
        self.assertIn("round 1 was settled without its actual", answer["error"]["message"])
        self.assertEqual(self.ok(op="report", of="L")["too_late"], 1)

    def test_other_learners_and_problems_are_told_apart(self):
        self.refused("H102", "params.models", op="problem", name_it="p", kind="forecasts")
        self.refused("H106", "params.loss", op="problem", name_it="p", kind="forecasts", params={"models": MODELS, "loss": "cubed"})
        self.refused("H108", "params.models", op="problem", name_it="p", kind="forecasts", params={"models": ["a", "a"]})
        self.learner()
        self.refused("H108", "kind", op="learner", name_it="M", of="p", kind="flipflop")
        self.refused("H108", "in", op="actions", of="p")
        self.refused("H106", "params.members", op="learner", name_it="M", of="p", params={"members": ["mode"]})
        self.refused("H103", "in", op="hello", of="p")
        self.ok(op="problem", name_it="p", kind="experts", params={"experts": 3})
        self.refused("H108", "kind", op="learner", name_it="M", of="p", kind="combine")
        self.ok(op="learner", name_it="L", of="p")
        self.assertEqual(self.ok(op="act", of="L")["round"], 1)
        self.assertIn("forecasts", self.ok(op="hello")["problems"])


if __name__ == "__main__":
    main()
