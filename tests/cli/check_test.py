"""hannan check: the verdicts, the witnesses, the noises, both methods, tables of one's own, refusals."""
import itertools
import json
import re

from program import FolderTest, csv_text, hannan, main

LINE = re.compile(rb"hannan: (H\d{3}): [^\n]*\n")


class CheckTest(FolderTest):
    def table(self, name, rows, header=None):
        path = self.folder / name
        path.write_bytes(csv_text(rows, header))
        return path

    def check(self, *args, status=0):
        """The answer as JSON, after the same request for people has kept to its width."""
        shown = hannan("check", *args)
        self.assertEqual(shown.status, status, shown.err)
        for line in shown.out.decode().splitlines():
            self.assertLessEqual(len(line), 100, line)
        quiet = hannan("check", *args, "-q")
        self.assertEqual((quiet.status, quiet.out, quiet.err), (status, b"", b""))
        done = hannan("check", *args, "--json")
        self.assertEqual(done.status, status, done.err)
        return json.loads(done.out)

    def tables(self, gamma, losses):
        return ["--gamma", self.table("G.csv", gamma), "--losses", self.table("F.csv", losses)]

    def refused(self, code, *args, status=2):
        done = hannan("check", *args)
        self.assertEqual((done.status, done.out), (status, b""), done.err)
        match = LINE.fullmatch(done.err)
        self.assertTrue(match, done.err)
        self.assertEqual(match.group(1).decode(), code, done.err)
        return done.err.decode()

    def noise(self, found, name):
        return next(noise for noise in found["noises"] if noise["name"] == name)

    def test_the_three_rows_of_the_appendix_have_no_gamma(self):
        # Rows 0, 1/2, 1 and losses 0, 1, 0: half of each outer action has the middle row and loses nothing.
        for method in ("full", "cuts"):
            found = self.check(*self.tables([[0], [0.5], [1]], [[0], [1], [0]]), "--method", method, status=1)
            self.assertEqual((found["gamma"]["free"]["value"], found["delta"]["value"]), ("inf", 0.5))
            witness = found["gamma"]["free"]["witness"]
            self.assertEqual((witness["action"], witness["outcome"], witness["loss"], witness["s"]), (1, 0, 1, None))
            self.assertEqual(sorted(rival["action"] for rival in witness["rivals"]), [0, 2])
            for rival in witness["rivals"]:
                self.assertAlmostEqual(rival["weight"], 0.5)
            self.assertFalse(found["holds"])
            self.assertFalse(self.noise(found, "laplace")["allowed"])
        text = hannan("check", *self.tables([[0], [0.5], [1]], [[0], [1], [0]])).out.decode()
        self.assertIn("rival 0, loss 0: 0.5 s0 >= 1", text)
        self.assertIn("rival 2, loss 0: -0.5 s0 >= 1", text)
        self.assertIn("they read 0 >= 1", text)

    def test_two_equal_rows_are_shown_as_two_actions(self):
        for method in ("full", "cuts"):
            found = self.check(*self.tables([[0], [1], [1]], [[0.5], [0.25], [0.75]]), "--method", method, status=1)
            witness = found["gamma"]["free"]["witness"]
            self.assertEqual((witness["action"], witness["rivals"][0]["action"], found["delta"]["value"]), (2, 1, 0))
        self.assertIn("same row", hannan("check", *self.tables([[0], [1], [1]], [[0.5], [0.25], [0.75]])).out.decode())

    def test_the_binary_code_has_gamma_n(self):
        for experts, bits in ((2, 1), (4, 2), (5, 3), (8, 3)):
            found = self.check("experts", "--param", f"experts={experts}")
            self.assertAlmostEqual(found["gamma"]["free"]["value"], bits)
            self.assertEqual(found["gamma"]["claimed"], bits)
            self.assertEqual(found["noise_size"]["method"], "exact" if experts != 5 else found["noise_size"]["method"])
        # Single out 8 reserves: losses of one action only are no auction's, so there gamma is below its claim N.
        found = self.check("vcg-reserves", "--param", "bidders=2", "--param", "levels=4")
        self.assertEqual((found["gamma"]["claimed"], found["columns"]), (4, 4))
        self.assertAlmostEqual(found["gamma"]["free"]["value"], 2.5)

    def test_multi_unit_has_gamma_one(self):
        found = self.check("multi-unit", "--param", "bidders=2", "--param", "units=7")
        self.assertAlmostEqual(found["gamma"]["free"]["value"], 1)
        self.assertEqual((found["gamma"]["claimed"], found["gamma"]["claimed_sign"]), (1, "<= 0"))

    def test_one_sided_noise_is_refused_where_the_sign_condition_fails(self):
        found = self.check("vcg-reserves", "--param", "bidders=2", "--param", "levels=4")
        for name in ("exponential", "exponential-centred"):
            noise = self.noise(found, name)
            self.assertFalse(noise["allowed"])
            self.assertIn("sign condition fails: no s >= 0 hedges action", noise["reason"])
        self.assertEqual(found["gamma"]["nonnegative"]["value"], "inf")
        found = self.check("vcg-reserves", "--param", "bidders=2", "--param", "levels=4", "--perturbation", "one-hot")
        self.assertTrue(self.noise(found, "exponential")["allowed"])
        self.assertFalse(self.noise(found, "uniform:1")["allowed"])
        self.assertTrue(self.noise(found, "lp:2")["allowed"])

    def test_a_claim_below_gamma_fails_with_the_pair(self):
        rows = list(itertools.product((0, 1), repeat=2))
        unit = [[float(i == j) for j in range(4)] for i in range(4)]
        self.check(*self.tables(rows, unit), "--claimed", "2")
        found = self.check(*self.tables(rows, unit), "--claimed", "1.5", status=1)
        self.assertIn("gamma is 2 at action", found["fails"][0])
        witness = found["gamma"]["free"]["witness"]
        self.assertAlmostEqual(sum(map(abs, witness["s"])), 2)
        won = sum(rival["weight"] * (witness["loss"] - rival["loss"]) for rival in witness["rivals"])
        self.assertAlmostEqual(won, 2)

    def test_implementability_of_a_table(self):
        # K = 2, one outcome, f = (0, 1): plus the column is the outcome itself, minus it cannot be made.
        found = self.check(*self.tables([[0], [1]], [[0], [1]]))
        self.assertTrue(found["implementable"]["holds"])
        self.assertEqual(found["implementable"]["data"], [[{"weight": 1, "outcome": 0}]])
        self.assertEqual((found["negatively_implementable"]["holds"], found["negatively_implementable"]["missing"]), (False, 0))
        # With the complement among the outcomes it can, by weight 1 on that.
        found = self.check(*self.tables([[0], [1]], [[0, 1], [1, 0]]))
        self.assertEqual(found["negatively_implementable"]["data"], [[{"weight": 1, "outcome": 1}]])
        # A column outside the span of the losses.
        found = self.check(*self.tables([[0], [1], [0]], [[0], [1], [1]]), status=1)
        self.assertIn("not implementable", " ".join(found["fails"]))

    def test_both_methods_agree(self):
        problems = [
            ("vcg-reserves", "bidders=2", "levels=4"), ("item-pricing", "items=2", "levels=3", "buyers=1"),
            ("level-auction", "bidders=2", "levels=3", "thresholds=2"), ("multi-unit", "bidders=2", "units=4"),
            ("experts", "experts=6"),
        ]
        for kind, *params in problems:
            args = [kind, *(text for param in params for text in ("--param", param)), "--outcomes", "60"]
            full = self.check(*args, "--method", "full")
            cuts = self.check(*args, "--method", "cuts", "--pairs", "0")
            for sign in ("free", "nonnegative", "nonpositive"):
                a, b = full["gamma"][sign], cuts["gamma"][sign]
                self.assertTrue(b["all_actions"])
                self.assertAlmostEqual(float(a["value"]), float(b["value"]), 5, f"{kind} {sign}")

    def test_large_sets_by_sampled_pairs(self):
        args = ["multi-unit", "--param", "bidders=5", "--param", "units=24", "--pairs", "10", "--outcomes", "40"]
        found = self.check(*args)
        free = found["gamma"]["free"]
        self.assertEqual((free["method"], free["all_actions"]), ("cutting planes", False))
        self.assertLessEqual(free["value"], 1 + 1e-6)
        self.assertGreater(free["oracle_calls"], 0)
        self.assertIn("sampled pairs", hannan("check", *args).out.decode())
        self.assertEqual(found, json.loads(hannan("check", *args, "--json").out))
        self.refused("H108", *args[:5], "--method", "full")
        self.refused("H108", *args[:5], "--pairs", "0")

    def test_bounds_for_rounds_and_best(self):
        args = ["experts", "--param", "experts=8"]
        self.assertEqual(self.check(*args)["bounds"], [])
        found = self.check(*args, "--rounds", "1000", "--best", "100")
        bounds = {bound["name"]: bound for bound in found["bounds"]}
        value = float(hannan("bound", "ada2", "M=1.5", "gamma=3", "best=100").out)
        self.assertAlmostEqual(bounds["ada2"]["claimed"], value)
        self.assertIsNone(bounds["ada2"]["exact"])  # not over all outcomes, so no constant
        worst = {bound["name"]: bound for bound in self.check(*args, "--rounds", "1000")["bounds"]}
        self.assertGreater(worst["ada2"]["claimed"], value)
        # All outcomes of a table are known: there the exact gamma counts.
        exact = self.check(*self.tables([[0], [1]], [[0, 1], [1, 0]]), "--rounds", "10")["bounds"]
        self.assertTrue(any(bound["exact"] is not None for bound in exact))

    def test_the_pipe_prices_given_actions_of_a_large_set(self):
        # One bidder of six wants 30 of 60 units: whoever gives it none loses 1/6, and s = -1/6 on that step hedges.
        outcome = [[[30, 1]], [], [], [], [], []]
        asked = {"op": "conditions", "in": "m", "perturbation": "thermometer", "outcomes": [outcome]}
        requests = [{"op": "problem", "as": "m", "kind": "multi-unit", "params": {"bidders": 6, "units": 60}},
                    asked, {**asked, "actions": [[0, 0, 0, 0, 0, 60]]}, {**asked, "actions": []}]
        done = self.ok("pipe", stdin="".join(json.dumps(request) + "\n" for request in requests).encode())
        _, all_of_them, some, none = map(json.loads, done.out.splitlines())
        self.assertEqual((all_of_them["error"]["code"], none["error"]["code"]), ("H108", "H105"))
        self.assertAlmostEqual(some["gamma"], 1 / 6, 6)
        self.assertEqual((some["low"], some["delta"], some["implementable"]), (some["high"], None, None))
        self.assertEqual(some["witness"]["action"], [0, 0, 0, 0, 0, 60])

    def test_outcomes_from_a_file(self):
        data = self.table("bids.csv", [[0.5, 0.25], [1, 1], [0.5, 0.25]], ["a", "b"])
        found = self.check("vcg-reserves", "--param", "bidders=2", "--param", "levels=4", "-d", data)
        self.assertEqual(found["outcomes"]["count"], 2)
        self.assertIn("bids.csv", found["outcomes"]["from"])

    def test_bad_requests_are_one_clear_line(self):
        good = self.tables([[0], [1]], [[0], [1]])
        self.refused("H100")
        self.refused("H100", *good[:2])
        self.refused("H100", "experts", *good)
        self.refused("H106", "nothing")
        self.refused("H106", "experts", "--param", "experts=4", "--perturbation", "nothing")
        self.refused("H100", *good, "--method", "nothing")
        self.refused("H100", "experts", "--param", "experts=4", "--rounds", "10", "--best", "11")
        short = self.table("short.csv", [[0]])
        self.assertIn("found 1 rows, expected 2", self.refused("H203", "--gamma", short, *good[2:], status=3))
        loud = self.table("loud.csv", [[0], [1.5]])
        self.assertIn("loud.csv:2:1", self.refused("H205", *good[:2], "--losses", loud, status=3))
        words = self.folder / "words.csv"
        words.write_bytes(b"1\nx\n")
        self.refused("H204", "--gamma", words, *good[2:], status=3)
        self.refused("H201", "--gamma", self.folder / "none.csv", *good[2:], status=3)


if __name__ == "__main__":
    main()
