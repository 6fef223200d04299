"""Reserves and ceilings in money from the command line and through the pipe."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "vectors"))
from pipe_client import Pipe, PipeError  # noqa: E402
from program import BINARY, csv_text, hannan  # noqa: E402

PRICES = [0, 1, 2, 4, 8]


def bids(rounds, bidders, seed=3):
    draw = random.Random(seed)
    return [[round(draw.lognormvariate(1, 0.8), 2) if draw.random() < 0.8 else 0 for _ in range(bidders)]
            for _ in range(rounds)]


def rounds_of(count, seed=4):
    """Every kind of outcome: absent bidders, several bids, others, an opening bid."""
    draw = random.Random(seed)
    amount = lambda: draw.choice([1, 2, 4, round(draw.uniform(0, 10), 2)])  # noqa: E731
    for _ in range(count):
        entries = [draw.choice([None, amount(), [amount(), amount()]]) for _ in range(2)]
        outcome = {"bids": entries}
        if draw.random() < 0.4:
            outcome["others"] = [amount() for _ in range(draw.randrange(1, 3))]
        if draw.random() < 0.3:
            outcome["opening"] = amount()
        yield outcome


class Money(unittest.TestCase):
    def setUp(self):
        self.pipe = Pipe(BINARY)
        self.addCleanup(self.pipe.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_ok(self, *words):
        done = hannan(*words)
        self.assertEqual(done.status, 0, done.err)
        return done.out

    def make(self, **params):
        return self.pipe.ask("problem", **{"as": "p", "kind": "vcg-reserves", "params": params})

    def refused(self, code, at, op, **fields):
        with self.assertRaises(PipeError) as caught:
            self.pipe.ask(op, **fields)
        error = caught.exception.error
        self.assertEqual((error["code"], error["at"]), (code, at), error["message"])
        return error["message"]

    def test_a_table_of_bids_is_played_verified_and_shown(self):
        data, record = self.folder / "bids.csv", self.folder / "run.jsonl"
        data.write_bytes(csv_text(bids(80, 3)))
        for more in ([], ["--param", "rule=lazy"], ["--param", "units=2", "-l", "ada"], ["-l", "leader"]):
            out = self.run_ok("run", "vcg-reserves", "--prices", "0,1,2,4,8", "-d", data, *more, "--record", record, "--json")
            report = json.loads(out)
            self.assertEqual(report["rounds"], 80)
            self.assertEqual(report["raw"]["unit"], "reward")
            self.assertAlmostEqual(report["raw"]["total"], -report["total"])
            self.assertLessEqual(report["best"], 0)
            self.assertIn(b"the largest range of losses", self.run_ok("verify", record))
            self.run_ok("report", record, "-o", self.folder / "page.html")
            lines = record.read_text().splitlines(keepends=True)
            played = json.loads(lines[40])
            played["action"][0] = (played["action"][0] + 1) % 5
            record.write_text("".join([*lines[:40], json.dumps(played, separators=(",", ":")) + "\n", *lines[41:]]))
            self.assertIn(b"H601", hannan("verify", record).err)

    def test_named_lists_and_lists_in_params_are_the_same(self):
        data = self.folder / "bids.csv"
        data.write_bytes(csv_text(bids(30, 2)))
        outs = [json.loads(self.run_ok("run", "vcg-reserves", *words, "-d", data, "--json"))
                for words in (["--prices", "linear:4:8"], ["--prices", "0,2,4,6,8"], ["--param", "prices=[0,2,4,6,8]"])]
        self.assertEqual(outs[0]["total"], outs[1]["total"])
        self.assertEqual(outs[1]["total"], outs[2]["total"])
        for prices, why in (("1,2", b"add 0 in front"), ("0,2,2", b"rise"), ("square:4", b"linear:K:TOP")):
            done = hannan("run", "vcg-reserves", "--prices", prices, "-d", data, "-q")
            self.assertNotEqual(done.status, 0)
            self.assertIn(why, done.err)

    def test_quantiles_come_from_rows_that_are_not_played(self):
        data, rest = self.folder / "bids.csv", self.folder / "rest.csv"
        rows = [[5, 0], [1, 2], [4, 3], *bids(40, 2)]
        data.write_bytes(csv_text(rows))
        rest.write_bytes(csv_text(rows[3:]))
        cold = self.run_ok("run", "vcg-reserves", "--prices", "quantiles:4", "--warm", "3", "--cold", "-d", data, "--json")
        given = self.run_ok("run", "vcg-reserves", "--prices", "0,1,2,3,4", "-d", rest, "--json")
        self.assertEqual(cold, given)
        warm = self.run_ok("run", "vcg-reserves", "--prices", "quantiles:4", "--warm", "3", "-d", data, "--json")
        given = self.run_ok("run", "vcg-reserves", "--prices", "0,1,2,3,4", "--warm", "3", "-d", data, "--json")
        self.assertEqual(warm, given)
        self.assertEqual(json.loads(warm)["rehearsed"]["rounds"], 3)
        for words, why in ((["--prices", "quantiles:4"], b"--warm N"), (["--prices", "quantiles:4", "--warm", "99"], b"H206"),
                           (["--prices", "quantiles:0", "--warm", "3"], b"H105")):
            done = hannan("run", "vcg-reserves", *words, "-d", data, "-q")
            self.assertNotEqual(done.status, 0)
            self.assertIn(why, done.err)

    def test_what_needs_a_cap_is_refused_without_one(self):
        self.make(bidders=2, prices=PRICES)
        for kind in ("gftpl", "off", "hedge", "adahedge", "fpl"):
            self.assertIn("cap", self.refused("H108", "kind", "learner", **{"as": "l", "of": "p", "kind": kind}))
        self.refused("H108", "params.range", "problem", **{"as": "q", "kind": "vcg-reserves",
                                                         "params": {"bidders": 2, "prices": PRICES, "range": "unit"}})
        self.assertEqual(self.make(bidders=2, prices=PRICES)["normaliser"], 1)
        self.assertEqual(self.make(bidders=2, prices=PRICES, cap=10, units=2)["normaliser"], 20)
        for kind in ("gftpl", "off", "hedge", "ada"):
            self.pipe.ask("learner", **{"as": "l", "of": "p", "kind": kind})
            self.pipe.ask("act", of="l")
            seen = self.pipe.ask("observe", of="l", outcome=[8, 4])
            self.assertTrue(0 <= seen["loss"] <= 1)
        self.refused("H301", "outcome", "observe", of="l", outcome=[11, 4])

    def test_outcomes_are_refused_with_their_place(self):
        self.make(bidders=2, prices=PRICES)
        loss = {"op": "loss", "of": "p", "action": [0, 0]}
        self.refused("H301", "outcome", **loss, outcome=[1])
        self.refused("H105", "outcome[1]", **loss, outcome=[1, -1])
        self.refused("H105", "outcome.bids[0][1]", **loss, outcome={"bids": [[1, -2], 3]})
        self.refused("H104", "outcome[0]", **loss, outcome=[[1], 2])
        self.refused("H103", "outcome.outside", **loss, outcome={"bids": [1, 2], "outside": 3})
        self.refused("H302", "action", "loss", of="p", action=[0, 0, 0], outcome=[1, 2])
        self.refused("H105", "action[1]", "loss", of="p", action=[0, 5], outcome=[1, 2])
        self.make(shares=[[1, 0.5], [1]], direction="reverse")
        self.refused("H102", "outcome.outside", **loss, outcome={"bids": [1, 2]})
        self.refused("H302", "action", "loss", of="p", action=[0, 1], outcome={"bids": [1, 2], "outside": 3})
        for params, at in (({"shares": [[1]], "direction": "forward"}, "params.shares"),
                           ({"bidders": 2, "prices": PRICES, "levels": 4}, "params.levels"),
                           ({"ceilings": [[2, 1]], "scale": "share"}, "params.scale"),
                           ({"prices": PRICES}, "params.bidders"), ({"direction": "reverse", "bidders": 2}, "params.shares")):
            with self.assertRaises(PipeError) as caught:
                self.make(**params)
            self.assertEqual(caught.exception.error["at"], at)

    def test_a_saved_run_goes_on_as_if_it_had_not_been(self):
        settings = [{"bidders": 2, "prices": PRICES}, {"prices": [[0, 1, 4], [0, 2, 3, 8]], "units": 2},
                    {"bidders": 2, "prices": PRICES, "rule": "lazy"}]
        for params in settings:
            for oracle in ("tabulate", "branch_bound", None):
                if oracle == "branch_bound" and params.get("rule") == "lazy":
                    continue
                with self.subTest(oracle=oracle, **params):
                    self.make(**params)
                    chosen = {"oracle": oracle} if oracle else {}
                    for name in ("one", "other"):
                        self.pipe.ask("learner", **{"as": name, "of": "p", "kind": "ada", "params": chosen})
                    for outcome in rounds_of(25):
                        self.assertEqual(self.pipe.ask("act", of="one"), self.pipe.ask("act", of="other"))
                        self.assertEqual(self.pipe.ask("observe", of="one", outcome=outcome),
                                         self.pipe.ask("observe", of="other", outcome=outcome))
                        self.pipe.ask("load", **{"as": "other", "state": self.pipe.ask("save", of="other")["state"]})

    def test_oracles_agree_on_whole_rounds(self):
        self.make(prices=[[0, 1, 4], [0, 2, 3, 8]], units=2)
        data = [{"weight": 1, "outcome": outcome} for outcome in rounds_of(40)]
        answers = [self.pipe.ask("best", of="p", data=data, oracle=oracle) for oracle in ("tabulate", "branch_bound")]
        self.assertEqual(answers[0]["action"], answers[1]["action"])
        self.assertAlmostEqual(answers[0]["value"], answers[1]["value"], delta=1e-8)

    def test_check_confirms_the_claims(self):
        for code in ("one-hot", "bits", "thermometer"):
            for more in (["--prices", "0,1,3", "--param", "bidders=2"],
                         ["--param", "shares=[[1,0.8,0.5],[1,0.5]]", "--param", "rule=lazy"]):
                found = json.loads(self.run_ok("check", "vcg-reserves", *more, "--perturbation", code, "--json"))
                self.assertGreater(found["gamma"]["free"]["high"], 0)
                self.assertLessEqual(found["gamma"]["free"]["high"], found["gamma"]["claimed"] + 1e-7)

    def test_reverse_rounds_are_played_and_verified(self):
        data, record = self.folder / "asks.jsonl", self.folder / "run.jsonl"
        draw = random.Random(9)
        with data.open("w") as file:
            for _ in range(60):
                outside = draw.choice([50, 100, 120])
                asks = [draw.choice([None, round(draw.uniform(0.3, 1.1) * outside, 2)]) for _ in range(2)]
                file.write(json.dumps({"bids": asks, "outside": outside}) + "\n")
        for given in ("shares=[1,0.9,0.7]", "ceilings=[100,80,40]"):
            out = self.run_ok("run", "vcg-reserves", "--param", "bidders=2", "--param", "direction=reverse", "--param",
                              given, "-d", data, "--record", record, "--json")
            report = json.loads(out)
            self.assertEqual(report["raw"]["unit"], "loss")
            self.assertAlmostEqual(report["raw"]["total"], report["total"])
            self.run_ok("verify", record)

    def test_rivals_play_on_price_lists(self):
        data = self.folder / "bids.csv"
        data.write_bytes(csv_text(bids(60, 3)))
        out = self.run_ok("compare", "vcg-reserves", "--prices", "0,1,2,4,8", "-d", data, "-l", "ada", "--json")
        labels = [player["name"] for player in json.loads(out)["players"]]
        self.assertIn("no reserve", labels)
        self.assertIn("monopoly price", labels)
        self.assertIn("uniform, learned", labels)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
