"""`hannan pipe`: every request of the protocol, and every error leaves the state as it was."""
import json
import math
import subprocess
import unittest

import program
from program import main

EXPERTS = {"experts": 4}
GAME = {"losses": [[0, 1, 0.5], [1, 0, 0.5], [0.25, 0.75, 0]]}


class Pipe:
    def __init__(self):
        self.process = subprocess.Popen([program.BINARY, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def line(self, data):
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, **request):
        if "of" in request:
            request["in"] = request.pop("of")
        if "name_it" in request:
            request["as"] = request.pop("name_it")
        return self.line(json.dumps(request).encode())

    def close(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


class PipeTest(unittest.TestCase):
    def setUp(self):
        self.pipe = Pipe()
        self.addCleanup(self.finish)

    def finish(self):
        status, out, err = self.pipe.close()
        self.assertEqual((status, out, err), (0, b"", b""), "end of input: exit 0, nothing more is said")

    def ok(self, **request):
        answer = self.pipe.ask(**request)
        self.assertTrue(answer["ok"], answer)
        return answer

    def refused(self, code, at=None, **request):
        answer = self.pipe.ask(**request)
        self.assertFalse(answer["ok"], request)
        self.assertEqual(set(answer), {"ok", "error"})
        self.assertEqual(set(answer["error"]), {"code", "message", "at"})
        self.assertEqual(answer["error"]["code"], code, (request, answer))
        self.assertTrue(answer["error"]["message"])
        if at is not None:
            self.assertEqual(answer["error"]["at"], at)
        return answer

    def experts(self):
        return self.ok(op="problem", name_it="p", kind="experts", params=EXPERTS)

    def game(self):
        return self.ok(op="problem", name_it="g", kind="finite-game", params=GAME)


class EveryRequest(PipeTest):
    def test_hello_lists_what_there_is(self):
        answer = self.ok(op="hello")
        for field in ("problems", "learners", "perturbations", "noises", "oracles"):
            self.assertTrue(answer[field], field)
        self.assertEqual(answer["name"], "hannan")
        self.assertIn("experts", answer["problems"])
        self.assertIn("flipflop", answer["learners"])

    def test_problem_actions_and_loss(self):
        facts = self.experts()
        self.assertEqual(facts["actions"], 4)
        self.assertAlmostEqual(facts["ln_actions"], math.log(4))
        self.assertEqual(facts["normaliser"], 1)
        self.assertEqual(facts["perturbations"][0], {"name": "bits", "columns": 2, "gamma": 2})
        self.assertEqual(self.ok(op="actions", of="p")["actions"], [0, 1, 2, 3])
        some = self.ok(op="actions", of="p", limit=2)
        self.assertEqual((some["actions"], some["complete"]), ([0, 1], False))
        loss = self.ok(op="loss", of="p", action=2, outcome=[0, 1, "3/4", 0])
        self.assertEqual((loss["loss"], loss["reward"], loss["raw"]), (0.75, 0.25, 0.75))

    def test_row_column_and_best(self):
        self.experts()
        self.assertEqual(self.ok(op="row", of="p", perturbation="bits", action=2)["row"], [1, 0])
        for sign in (1, -1):
            data = self.ok(op="column", of="p", perturbation="bits", column=1, sign=sign, nonnegative=True)["data"]
            sums = [sum(point["weight"] * point["outcome"][k] for point in data) for k in range(4)]
            self.assertEqual([total - sums[0] for total in sums], [0, sign, 0, sign])  # bit 1 of 0..3 is 0 1 0 1
        best = self.ok(op="best", of="p", data=[{"weight": 2, "outcome": [1, 0.5, 0, 1]}, {"weight": -1, "outcome": [0, 1, 0, 0]}], keep=2)
        # 2 (1, 1/2, 0, 1) - (0, 1, 0, 0) = (2, 0, 0, 2): a tie, and the smaller index wins it.
        self.assertEqual((best["action"], best["value"], best["floor"], best["proven"]), (1, 0, 0, True))
        self.assertEqual([entry["action"] for entry in best["pool"]], [1, 2])
        self.assertEqual(best["rest"], 2)
        self.assertEqual(self.ok(op="best", of="p", data=[], keep=9)["rest"], "inf")

    def test_conditions_and_noise_size(self):
        self.game()
        found = self.ok(op="conditions", of="g", perturbation="outcomes", outcomes=[0, 1, 2])
        self.assertLessEqual(found["gamma"], 1 + 1e-9)
        self.assertEqual(set(found["witness"]), {"action", "outcome", "s"})
        self.assertTrue(found["implementable"])
        self.experts()
        size = self.ok(op="noise_size", of="p", perturbation="bits", noise="laplace")
        self.assertEqual((size["M"], size["low"], size["high"]), (1, 1, 1))  # N/2

    def test_learner_act_observe_report(self):
        self.experts()
        params = self.ok(op="learner", name_it="l", of="p", kind="gftpl", params={"seed": 3})["params"]
        self.assertEqual((params["perturbation"], params["gamma"], params["c"], params["draw"]), ("bits", 2, 1, "fresh"))
        total = 0
        for t in range(1, 6):
            act = self.ok(op="act", of="l")
            self.assertEqual(self.ok(op="act", of="l"), act)
            self.assertEqual(act["round"], t)
            outcome = [0.5, 0.25, 1, 0]
            seen = self.ok(op="observe", of="l", outcome=outcome)
            self.assertEqual(seen["loss"], outcome[act["action"]])
            total += seen["loss"]
            self.assertEqual((seen["total"], seen["best"], seen["regret"]), (total, 0, total))
        report = self.ok(op="report", of="l")
        self.assertEqual((report["rounds"], report["total"], report["best_action"]), (5, total, 3))
        self.assertEqual({bound["holds"] for bound in report["certificate"]["bounds"]}, {None}, "all of them are about the mean")
        self.assertTrue(all(total <= bound["value"] for bound in report["certificate"]["bounds"] if bound["side"] == "upper" and "says" not in bound))

    def test_default_learner_is_flipflop(self):
        self.experts()
        self.ok(op="learner", name_it="l", of="p")
        self.assertEqual(self.ok(op="act", of="l")["regime"], "flip")
        seen = self.ok(op="observe", of="l", outcome=[1, 0, 0, 0])
        self.assertEqual(len(seen["stability"]), 2)
        self.assertIn("after", seen)
        self.assertIn("switched", seen)

    def test_mixtures_answer_with_weights(self):
        self.experts()
        for kind in ("hedge", "adahedge", "flipflop-hedge"):
            self.ok(op="learner", name_it="l", of="p", kind=kind, params={})
            act = self.ok(op="act", of="l")
            self.assertAlmostEqual(sum(act["weights"]), 1)
            self.assertEqual(self.ok(op="observe", of="l", outcome=[1, 0, 0, 0])["loss"], 0.25)

    def test_save_and_load_go_on_alike(self):
        self.experts()
        for kind, params in (("off", {"estimator": "realised"}), ("ada", {"seed": 5}), ("fpl", {})):
            self.ok(op="learner", name_it="l", of="p", kind=kind, params=params)
            for t in range(6):
                self.ok(op="observe", of="l", outcome=[t % 2, (t + 1) % 2, 0.5, 1])
            self.ok(op="act", of="l")
            self.ok(op="load", name_it="m", state=self.ok(op="save", of="l")["state"])
            for t in range(6):
                self.assertEqual(self.ok(op="act", of="l"), self.ok(op="act", of="m"))
                outcome = [0.5, t % 2, 0, 1]
                self.assertEqual(self.ok(op="observe", of="l", outcome=outcome), self.ok(op="observe", of="m", outcome=outcome))
            self.assertEqual(self.ok(op="save", of="l"), self.ok(op="save", of="m"))

    def test_bounds(self):
        self.assertEqual(self.ok(op="bound", name="emax_bits", params={"N": 6})["value"], 3)
        # 2 sqrt(2 gamma M L*) + 8 gamma M + 2 at gamma = 6, M = 3, L* = 100.
        self.assertAlmostEqual(self.ok(op="bound", name="ada", params={"M": 3, "gamma": 6, "best": 100})["value"], 266)
        for name, more in (("trajectory", {}), ("trajectory2", {}), ("inexact_gftpl", {"sigma": 1, "tol": 0.1})):
            params = dict({"M": 1, "gamma": 1, "c": 1, "best": [0, 1, 1]}, **more)
            self.assertEqual(len(self.ok(op="bound", name=name, params=params)["value"]), 3)
            self.refused("H105", "params.best[1]", op="bound", name=name, params=dict(params, best=[1, 0.5]))
            self.refused("H104", "params.best", op="bound", name=name, params=dict(params, best=1))
            del params["best"]
            self.refused("H102", "params.best", op="bound", name=name, params=params)
        # 2 sqrt(gamma M (9 + 16)) + 2 * 4 at gamma = 4, M = 1: one number for the whole list.
        self.assertAlmostEqual(self.ok(op="bound", name="ada2_range", params={"M": 1, "gamma": 4, "ranges": [4, 3]})["value"], 28)
        unknown = self.refused("H106", "name", op="bound", name="thm2", params={})["error"]["message"]
        for name in ("trajectory", "thm1_paper", "moves_upper"):
            self.assertIn(name, unknown)

    def test_bounds_of_the_second_part_within_the_limits_are_numbers(self):
        big, count = (0, 1e12), (0, 1e15)
        rows = {
            "flipflop2_range": {"M": big, "gamma": big, "best": count, "leader_regret": count, "range": count},
            "discounted": {"M": big, "gamma": big, "discount": (5e-324, 1), "rounds": count},
            "tracking": {"M": big, "gamma": big, "discount": (5e-324, 1 - 2**-53), "rounds": count, "switches": count},
            "delayed": {"M": big, "gamma": big, "best": count, "missing": count, "open": count},
            "delayed_total": {"M": big, "gamma": big, "rounds": count, "missing": count, "open": count},
            "inexact_ada": {"M": big, "gamma": big, "best": count, "sigma": big, "tol": big, "rounds": count},
            "sum_upper": {"S": (0, 1e6), "delta": (1e-300, 1 - 2**-53)},
            "sum_upper_range": {"S": count, "b": big, "delta": (1e-300, 1 - 2**-53)},
            "moves_upper": {"W": count, "Q": (0, 1e30), "delta": (1e-300, 1 - 2**-53), "rho2": (0, 1e30), "M": (1e-12, 1e12)},
        }
        for name, ends in rows.items():
            for bits in range(2 ** len(ends)):
                params = {key: range_[bits >> i & 1] for i, (key, range_) in enumerate(ends.items())}
                value = self.ok(op="bound", name=name, params=params)["value"]
                self.assertTrue(isinstance(value, (int, float)) and math.isfinite(value), (name, params, value))

    def test_what_was_made_from_a_replaced_name_keeps_the_old_one(self):
        self.experts()
        self.ok(op="learner", name_it="l", of="p", kind="leader", params={})
        self.ok(op="problem", name_it="p", kind="experts", params={"experts": 2})
        self.ok(op="observe", of="l", outcome=[0, 0, 0, 1])
        self.refused("H301", op="loss", of="p", action=0, outcome=[0, 0, 0, 1])

    def test_given_noise_ends_with_an_error_and_changes_nothing(self):
        self.experts()
        self.ok(op="learner", name_it="l", of="p", kind="gftpl", params={"alpha": [[0, 1], [1, 0]]})
        for _ in range(2):
            self.ok(op="observe", of="l", outcome=[0, 1, 0, 1])
        before = self.ok(op="save", of="l")
        self.refused("H402", op="act", of="l")
        self.refused("H402", op="observe", of="l", outcome=[0, 1, 0, 1])
        self.assertEqual(self.ok(op="save", of="l"), before)


class EveryError(PipeTest):
    def test_errors_leave_the_state_unchanged(self):
        self.experts()
        self.game()
        self.ok(op="learner", name_it="l", of="p", kind="off", params={"seed": 2, "estimator": "realised"})
        for t in range(5):
            self.ok(op="observe", of="l", outcome=[t % 2, 0.5, 0, 1])
        before = self.ok(op="save", of="l")
        act = self.ok(op="act", of="l")
        bad = [
            ("H102", {}), ("H106", {"op": "nothing"}), ("H104", {"op": 3}),
            ("H102", {"op": "problem", "as": "p"}), ("H106", {"op": "problem", "as": "p", "kind": "nothing", "params": {}}),
            ("H105", {"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 0}}),
            ("H104", {"op": "problem", "as": "p", "kind": "experts", "params": []}),
            ("H107", {"op": "act", "in": "nobody"}), ("H107", {"op": "actions", "in": "nobody"}),
            ("H106", {"op": "learner", "as": "l", "in": "p", "kind": "nobody"}),
            ("H103", {"op": "learner", "as": "l", "in": "p", "kind": "leader", "params": {"c": 1}}),
            ("H105", {"op": "learner", "as": "l", "in": "p", "kind": "gftpl", "params": {"c": -1}}),
            ("H108", {"op": "learner", "as": "l", "in": "p", "kind": "gftpl", "params": {"noise": "exponential"}}),
            ("H108", {"op": "learner", "as": "l", "in": "p", "kind": "gftpl", "params": {"noise": "uniform:2"}}),
            ("H102", {"op": "observe", "in": "l"}), ("H104", {"op": "observe", "in": "l", "outcome": "word"}),
            ("H301", {"op": "observe", "in": "l", "outcome": [0, 0]}), ("H105", {"op": "observe", "in": "l", "outcome": [0, 0, 0, 2]}),
            ("H104", {"op": "observe", "in": "l", "outcome": [0, 0, 0, None]}),
            ("H105", {"op": "loss", "in": "p", "action": 9, "outcome": [0, 0, 0, 0]}),
            ("H106", {"op": "row", "in": "p", "perturbation": "nothing", "action": 0}),
            ("H105", {"op": "column", "in": "p", "perturbation": "bits", "column": 2}),
            ("H105", {"op": "column", "in": "p", "perturbation": "bits", "column": 0, "sign": 2}),
            ("H108", {"op": "column", "in": "g", "perturbation": "outcomes", "column": 0, "sign": -1, "nonnegative": True, "outcomes": [0]}),
            ("H106", {"op": "best", "in": "p", "data": [], "oracle": "nobody"}), ("H105", {"op": "best", "in": "p", "data": [], "keep": 0}),
            ("H102", {"op": "best", "in": "p", "data": [{"weight": 1}]}), ("H104", {"op": "best", "in": "p", "data": {}}),
            ("H105", {"op": "conditions", "in": "g", "perturbation": "outcomes", "outcomes": []}),
            ("H104", {"op": "load", "as": "l", "state": 3}), ("H102", {"op": "load", "as": "l", "state": {}}),
            ("H106", {"op": "bound", "name": "nothing", "params": {}}), ("H102", {"op": "bound", "name": "ada", "params": {"M": 1}}),
            ("H103", {"op": "bound", "name": "emax_bits", "params": {"N": 1, "K": 2}}),
        ]
        for code, request in bad:
            with self.subTest(request=request):
                self.refused(code, **request)
                self.assertEqual(self.ok(op="save", of="l"), before)
                self.assertEqual(self.ok(op="act", of="l"), act)

    def test_unknown_fields_are_refused_everywhere(self):
        self.experts()
        self.game()
        self.ok(op="learner", name_it="l", of="p", kind="leader", params={})
        state = self.ok(op="save", of="l")["state"]
        undigested = {name: value for name, value in state.items() if name != "digest"}
        outcome = [0, 0, 0, 0]
        requests = [
            {"op": "hello"}, {"op": "problem", "as": "q", "kind": "experts", "params": EXPERTS}, {"op": "actions", "in": "p"},
            {"op": "loss", "in": "p", "action": 0, "outcome": outcome}, {"op": "row", "in": "p", "perturbation": "bits", "action": 0},
            {"op": "column", "in": "p", "perturbation": "bits", "column": 0}, {"op": "best", "in": "p", "data": []},
            {"op": "conditions", "in": "g", "perturbation": "outcomes", "outcomes": [0]},
            {"op": "noise_size", "in": "p", "perturbation": "bits", "noise": "laplace"},
            {"op": "learner", "as": "m", "in": "p", "kind": "leader", "params": {}}, {"op": "act", "in": "l"},
            {"op": "observe", "in": "l", "outcome": outcome}, {"op": "report", "in": "l"}, {"op": "save", "in": "l"},
            {"op": "load", "as": "m", "state": state}, {"op": "bound", "name": "emax_bits", "params": {"N": 1}},
        ]
        for request in requests:
            with self.subTest(op=request["op"]):
                self.refused("H103", at="extra", **request, extra=1)
                self.assertTrue(self.ok(**request))
        for request, at in (({"op": "problem", "as": "q", "kind": "experts", "params": {**EXPERTS, "extra": 1}}, "params.extra"),
                            ({"op": "best", "in": "p", "data": [{"weight": 1, "outcome": outcome, "extra": 1}]}, "data[0].extra"),
                            ({"op": "load", "as": "m", "state": {**undigested, "extra": 1}}, "state.extra")):
            self.refused("H103", at=at, **request)

    def test_lines_that_are_no_requests(self):
        for data in (b"", b"   ", b"{", b"[]", b"3", b"null", b'{"op":"hello"} {}', b"\x00", b"\xff\xfe", b"[" * 5000,
                     b'{"op":"hello","op":"hello"}', b'{"op":"hello","x":1e999}', b'{"op":"he\x01llo"}'):
            with self.subTest(data=data[:30]):
                answer = self.pipe.line(data)
                self.assertFalse(answer["ok"])
                self.assertIn(answer["error"]["code"], ("H101", "H104"))
        self.ok(op="hello")

    def test_line_beyond_the_limit_is_refused_and_the_next_one_answered(self):
        answer = self.pipe.line(b'{"op":"' + b"x" * 70_000_000 + b'"}')
        self.assertEqual(answer["error"]["code"], "H208")
        self.ok(op="hello")


class LastLine(unittest.TestCase):
    def test_last_line_without_a_newline_is_answered(self):
        done = program.hannan("pipe", stdin=b'{"op":"hello"}')
        self.assertEqual((done.status, done.err), (0, b""))
        self.assertTrue(json.loads(done.out)["ok"])

    def test_no_input_is_no_output(self):
        done = program.hannan("pipe", stdin=b"")
        self.assertEqual((done.status, done.out, done.err), (0, b"", b""))


class Limits(PipeTest):
    def test_numbers_that_would_overflow_are_refused_where_they_enter(self):
        self.ok(op="problem", name_it="p", kind="finite-game", params=GAME)
        huge = [{"weight": -1e308, "outcome": 0}, {"weight": -1e308, "outcome": 0}]
        self.refused("H105", "data[0].weight", op="best", of="p", data=huge)
        self.refused("H105", "data[1].weight", op="best", of="p",
                     data=[{"weight": 6e14, "outcome": 0}, {"weight": -6e14, "outcome": 1}])
        self.ok(op="best", of="p", data=[{"weight": 5e14, "outcome": 0}, {"weight": -5e14, "outcome": 1}])
        for params, at in (({"c": 1e-320}, "params.c"), ({"c": 1e13}, "params.c"), ({"gamma": 1e308}, "params.gamma"),
                           ({"M": 1e300}, "params.M"), ({"alpha": [1e300, 0, 0]}, "params.alpha[0]"),
                           ({"alpha": [[0, 1e13, 0]]}, "params.alpha[0][1]")):
            self.refused("H105", at, op="learner", name_it="l", of="p", kind="gftpl", params=params)
        self.refused("H105", "params.eta", op="learner", name_it="l", of="p", kind="hedge",
                     params={"rate": "fixed", "eta": 1e-300})
        self.refused("H105", "params.phi", op="learner", name_it="l", of="p", kind="flipflop", params={"phi": 1e200})
        self.refused("H105", "params.matrix[0][0]", op="problem", name_it="q", kind="finite-game",
                     params=dict(GAME, matrix=[[1e308], [0], [0]]))

    def test_bounds_of_numbers_within_the_limits_are_numbers(self):
        ends = {"M": (0, 1e12), "gamma": (0, 1e12), "c": (1e-12, 1e12), "best": (0, 1e15)}
        for name in ("thm1_simple", "thm1_tight", "lower_tight", "tight2", "simple2"):
            for bits in range(16):
                params = {key: range_[bits >> i & 1] for i, (key, range_) in enumerate(ends.items())}
                value = self.ok(op="bound", name=name, params=params)["value"]
                self.assertTrue(isinstance(value, (int, float)) and math.isfinite(value), (name, params, value))
            for key, (low, high) in ends.items():
                inside = {k: (1 if k == "c" else 2) for k in ends}
                self.refused("H105", f"params.{key}", op="bound", name=name, params=dict(inside, **{key: high * 10}))
                self.refused("H105", f"params.{key}", op="bound", name=name, params=dict(inside, **{key: low / 10 - 1e-300}))

    def test_too_many_experts_are_refused_before_anything_is_allocated(self):
        answer = self.refused("H105", "params.experts", op="problem", name_it="p", kind="experts",
                              params={"experts": 100_000_000})
        self.assertIn("MB", answer["error"]["message"])
        self.ok(op="problem", name_it="p", kind="experts", params={"experts": 10_000_000})

    def test_column_and_conditions_agree_on_what_is_implementable(self):
        losses = [[0, 1], [1, 0], [0.5, 0.5], [0.25, 0.25]]
        inside, outside = [0, 2, 1, 0.5], [1, 0, 0, 0]  # twice the first outcome; no sum of outcomes and a constant
        for columns, implementable in (((inside, inside), True), ((inside, outside), False)):
            matrix = [list(row) for row in zip(*columns)]
            self.ok(op="problem", name_it="p", kind="finite-game", params={"losses": losses, "matrix": matrix})
            answer = self.ok(op="conditions", of="p", perturbation="dense", outcomes=[0, 1])
            self.assertEqual(answer["implementable"], implementable)
            self.assertEqual(self.implements(losses, matrix), [True, implementable])
        # Among the second outcome alone there is no set for the first column.
        answer = self.ok(op="conditions", of="p", perturbation="dense", outcomes=[1])
        self.assertFalse(answer["implementable"])
        self.assertEqual(self.implements(losses, matrix, outcomes=[1]), [False, False])

    def implements(self, losses, matrix, **more):
        """Which columns of `dense` have a data set; each is held against its column."""
        has = []
        for j in range(len(matrix[0])):
            answer = self.pipe.ask(op="column", of="p", perturbation="dense", column=j, **more)
            has.append(answer["ok"])
            if not answer["ok"]:
                self.assertEqual(answer["error"]["code"], "H108", answer)
                continue
            made = [sum(point["weight"] * row[point["outcome"]] for point in answer["data"]) - entries[j]
                    for row, entries in zip(losses, matrix)]
            self.assertAlmostEqual(max(made), min(made), places=6)
        return has


if __name__ == "__main__":
    main()
