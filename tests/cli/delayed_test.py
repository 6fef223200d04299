"""Outcomes that come late, through `hannan pipe`: the fields `round` and `settled`, and every refusal."""
import itertools
import random
import subprocess
import unittest

import program
from pipe_test import PipeTest
from program import main

FIELDS = {"ok", "loss", "settled", "gaps", "stability", "total", "best", "regret", "oracle_calls"}


class DelayedTest(PipeTest):
    def learner(self, **params):
        self.experts()
        return self.ok(op="learner", name_it="l", of="p", kind="ada", params={"seed": 3, "delayed": True, **params})

    def act(self, t):
        return self.ok(op="act", of="l", round=t)

    def observe(self, t):
        return self.ok(op="observe", of="l", round=t, outcome=losses(t))


def losses(t):
    """Of the four experts in round t: eighths, by a generator of our own."""
    state = t * 2654435761 % 2**32
    return [(state >> 3 * k) % 9 / 8 for k in range(4)]


class Rounds(DelayedTest):
    def test_outcomes_settle_rounds_in_order(self):
        self.assertIs(self.learner()["params"]["delayed"], True)
        acts = [self.act(t) for t in (1, 2, 3)]
        self.assertEqual([a["round"] for a in acts], [1, 2, 3])
        self.assertEqual(set(acts[0]), {"ok", "round", "action", "multiplier"})
        self.assertEqual(self.act(2), acts[1], "an open round has one answer")
        third, first, second = self.observe(3), self.observe(1), self.observe(2)
        for answer in (third, first, second):
            self.assertEqual(set(answer), FIELDS)
        self.assertEqual([(o["settled"], len(o["gaps"])) for o in (third, first, second)], [(0, 0), (1, 1), (3, 2)])
        self.assertEqual((third["total"], third["best"], third["regret"], third["stability"]), (0, 0, 0, 0))
        paid = [losses(t)[acts[t - 1]["action"]] for t in (1, 2, 3)]
        self.assertEqual([first["loss"], second["loss"], third["loss"]], paid)
        self.assertEqual(first["total"], paid[0])
        self.assertEqual(first["best"], min(losses(1)))
        self.assertAlmostEqual(second["total"], sum(paid))
        self.assertAlmostEqual(second["best"], min(map(sum, zip(*map(losses, (1, 2, 3))))))
        self.assertAlmostEqual(second["regret"], second["total"] - second["best"])
        self.assertAlmostEqual(second["stability"], sum(first["gaps"] + second["gaps"]))
        self.assertEqual(second["oracle_calls"], 6)

    def test_without_delays_it_is_ada(self):
        self.learner()
        self.ok(op="learner", name_it="a", of="p", kind="ada", params={"seed": 3})
        for t in range(1, 41):
            late, ada = self.act(t), self.ok(op="act", of="a")
            self.assertEqual(late, ada)
            late, ada = self.observe(t), self.ok(op="observe", of="a", outcome=losses(t))
            self.assertEqual(late["gaps"], [ada["gap"]])
            for name in ("loss", "stability", "total", "best", "regret", "oracle_calls"):
                self.assertEqual(late[name], ada[name], name)

    def test_report_is_of_the_settled_rounds(self):
        self.learner()
        acts = {t: self.act(t) for t in (1, 2, 3, 4)}
        for t in (4, 2, 1):
            seen = self.observe(t)
        report = self.ok(op="report", of="l")
        self.assertEqual((report["rounds"], report["played"], report["total"]), (2, 4, seen["total"]))
        self.assertEqual((report["run"], report["limit"], report["exact"]), (None, None, None))
        # M = N/2 = 1; the multiplier is that of round 2.
        self.assertAlmostEqual(report["measured"], seen["stability"] + acts[2]["multiplier"])
        self.assertEqual([b["name"] for b in report["certificate"]["bounds"]], ["measured"], "rounds are open")
        self.assertEqual(report["certificate"]["assumptions"]["delays"], "independent of the learner's noise")
        seen = self.observe(3)
        report = self.ok(op="report", of="l")
        assumed = report["certificate"]["assumptions"]
        self.assertEqual((assumed["missing"], assumed["missing_total"], assumed["open"]), (3, 0 + 1 + 2 + 3, 3))
        bounds = {b["name"]: b["value"] for b in report["certificate"]["bounds"]}
        self.assertEqual(set(bounds), {"measured", "delayed", "delayed_total"})
        # bits of four experts single out with gamma = N = 2.
        self.assertAlmostEqual(bounds["delayed"], 2 * (2 * 2 * 4 * seen["best"]) ** 0.5 + 8 * 2 * 4 + 4 * 3 + 2)
        self.assertAlmostEqual(bounds["delayed_total"], 2 * (2 * 2 * (4 + 6)) ** 0.5 + 4 * 3 + 2)

    def test_no_closed_form_is_stated_where_none_is_proven(self):
        for params in ({"M": 2}, {"noise": "exponential-centred", "perturbation": "one-hot"}, {"noise": "lp:2"}):
            self.learner(**params)
            self.act(1)
            self.observe(1)
            names = [b["name"] for b in self.ok(op="report", of="l")["certificate"]["bounds"]]
            self.assertEqual(names, ["measured"], params)
        self.learner(draw="once")
        self.act(1)
        self.observe(1)
        self.assertEqual(self.ok(op="report", of="l")["certificate"]["bounds"], [])
        self.game()
        for perturbation, closed in (("outcomes", False), ("one-hot", True)):
            self.ok(op="learner", name_it="f", of="g", kind="ada", params={"delayed": True, "perturbation": perturbation})
            self.ok(op="act", of="f", round=1)
            self.ok(op="observe", of="f", round=1, outcome=2)
            names = [b["name"] for b in self.ok(op="report", of="f")["certificate"]["bounds"]]
            self.assertEqual("delayed" in names, closed, perturbation)

    def test_saved_at_any_step_it_goes_on_alike(self):
        self.learner()
        dice, played, waiting = random.Random(5), itertools.count(1), []
        for _ in range(60):
            state = self.ok(op="save", of="l")["state"]
            self.ok(op="load", name_it="again", state=state)
            self.assertEqual(self.ok(op="save", of="again")["state"], state)
            if len(waiting) < 2 or (len(waiting) < 8 and dice.random() < 0.5):
                waiting.append(next(played))
                request = {"op": "act", "round": waiting[-1]}
            else:
                t = waiting.pop(dice.randrange(len(waiting)))
                request = {"op": "observe", "round": t, "outcome": losses(t)}
            self.assertEqual(self.ok(of="l", **request), self.ok(of="again", **request))
        self.assertEqual(self.ok(op="save", of="l")["state"], self.ok(op="save", of="again")["state"])
        state["state"]["open"][0]["multiplier"] = 0.125
        self.refused("H401", op="load", name_it="again", state=state)


class Refusals(DelayedTest):
    def same_after(self, *refused):
        before = self.ok(op="save", of="l")
        for code, at, request in refused:
            self.refused(code, at, of="l", **request)
        self.assertEqual(self.ok(op="save", of="l"), before, "a refusal changes nothing")

    def test_rounds_that_cannot_be(self):
        self.learner()
        y = losses(1)
        self.same_after(("H105", "round", {"op": "observe", "round": 1, "outcome": y}),
                        ("H105", "round", {"op": "act", "round": 2}))
        for t in (1, 2, 3):
            self.act(t)
        self.observe(1)
        self.observe(3)
        self.same_after(("H105", "round", {"op": "observe", "round": 4, "outcome": y}),  # not played
                        ("H105", "round", {"op": "observe", "round": 1, "outcome": y}),  # settled
                        ("H105", "round", {"op": "observe", "round": 3, "outcome": y}),  # its second
                        ("H105", "round", {"op": "act", "round": 1}),
                        ("H105", "round", {"op": "act", "round": 5}),
                        ("H105", "round", {"op": "act", "round": 0}),
                        ("H105", "round", {"op": "act", "round": 2**60}),
                        ("H104", "round", {"op": "act", "round": "two"}),
                        ("H102", "round", {"op": "act"}),
                        ("H102", "round", {"op": "observe", "outcome": y}),
                        ("H102", "outcome", {"op": "observe", "round": 2}),
                        ("H301", None, {"op": "observe", "round": 2, "outcome": [1, 0, 1]}),
                        ("H103", "more", {"op": "act", "round": 4, "more": 1}))

    def test_others_take_no_round(self):
        self.experts()
        for kind in ("ada", "flipflop", "hedge"):
            self.ok(op="learner", name_it="l", of="p", kind=kind, params={})
            for request in ({"op": "act"}, {"op": "observe", "outcome": losses(1)}):
                error = self.refused("H103", "round", of="l", round=1, **request)["error"]
                self.assertIn("delayed", error["message"])

    def test_parameters_that_do_not_go_together(self):
        self.experts()
        for kind, params, code, at in (("ada", {"delayed": True, "gap": "loss"}, "H108", "params.gap"),
                                       ("ada", {"delayed": 1}, "H104", "params.delayed"),
                                       ("flipflop", {"delayed": True}, "H103", "params.delayed")):
            self.refused(code, at, op="learner", name_it="l", of="p", kind=kind, params=params)

    def test_noise_that_ends_leaves_the_round_unplayed(self):
        self.learner(alpha=[[1, -1], [0.5, 2]])
        self.act(1)
        self.act(2)
        self.same_after(("H402", "params.alpha", {"op": "act", "round": 3}))
        self.observe(2)
        self.assertEqual(self.observe(1)["settled"], 2)

    def test_commands_that_play_in_turn_say_where_delays_are_played(self):
        made = subprocess.run([program.BINARY, "run", "experts", "-d", "-", "--set", "delayed=true", "-l", "ada"],
                              input=b"0,1\n1,0\n", capture_output=True, timeout=60)
        self.assertEqual(made.returncode, 2, made)
        self.assertIn(b"H108: params.delayed", made.stderr)
        self.assertIn(b"hannan pipe", made.stderr)


if __name__ == "__main__":
    main()
