"""Losses of unknown range: nothing depends on unit and origin, and what needs a cap is refused."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "vectors"))
from pipe_client import Pipe, PipeError  # noqa: E402
from program import BINARY, csv_text, hannan  # noqa: E402

LEARNERS = [("leader", {}), ("ada", {}), ("ada", {"pivot": "last"}), ("ada", {"discount": 0.9}), ("flipflop", {}),
            ("flipflop", {"perturbation": "one-hot"})]


def money(rounds, experts, seed=1):
    """Heavy tails, so that the largest range grows many times; some rounds are all equal, the first ones too."""
    coins = random.Random(seed)
    return [[-4.25] * experts if t % 9 == 0 or t < 2 else
            [round(coins.paretovariate(1.1) - 3, 3) for _ in range(experts)] for t in range(rounds)]


def coins(rounds, experts, seed=2):
    """Few values, so that there are many exact ties."""
    draw = random.Random(seed)
    return [[draw.randrange(2) for _ in range(experts)] for _ in range(rounds)]


class Range(unittest.TestCase):
    def setUp(self):
        self.pipe = Pipe(BINARY)
        self.addCleanup(self.pipe.close)

    def game(self, **params):
        self.pipe.ask("problem", **{"as": "p", "kind": "experts", "params": {"range": "unknown", **params}})

    def play(self, kind, params, data, name="l"):
        self.pipe.ask("learner", **{"as": name, "of": "p", "kind": kind, "params": params})
        return self.go_on(data, name)

    def go_on(self, data, name="l"):
        return [(self.pipe.ask("act", of=name), self.pipe.ask("observe", of=name, outcome=y)) for y in data]

    def refused(self, code, at, op="learner", **fields):
        with self.assertRaises(PipeError) as caught:
            self.pipe.ask(op, **{"as": "l", **fields})
        self.assertEqual((caught.exception.error["code"], caught.exception.error["at"]), (code, at))

    def test_a_power_of_two_changes_no_decision_and_no_bit(self):
        self.game(experts=5)
        for data in (money(150, 5), coins(100, 5)):
            for kind, params in LEARNERS:
                base = self.play(kind, params, data)
                for k in (-40, -7, 3, 40):
                    with self.subTest(kind=kind, k=k, **params):
                        factor = 2.0**k
                        scaled = self.play(kind, params, [[factor * loss for loss in y] for y in data])
                        for (act, seen), (other, found) in zip(base, scaled):
                            self.assertEqual((act["action"], act.get("regime")), (other["action"], other.get("regime")))
                            for field in ("loss", "total", "best", "regret", "gap", "run"):
                                self.assertEqual(factor * seen[field], found[field], field)
                            if act.get("multiplier") is not None:
                                self.assertEqual(factor * act["multiplier"], other["multiplier"])

    def test_another_factor_and_origin_change_no_decision(self):
        self.game(experts=5)
        data = money(150, 5)
        for kind, params in LEARNERS:
            base = self.play(kind, params, data)
            for factor, origin in ((3.7, 0), (1e-5, 0), (1, 1000), (0.37, -12.5)):
                with self.subTest(kind=kind, factor=factor, origin=origin, **params):
                    scaled = self.play(kind, params, [[factor * loss + origin * (t % 3) for loss in y]
                                                      for t, y in enumerate(data)])
                    self.assertEqual([a["action"] for a, _ in scaled], [a["action"] for a, _ in base])

    def test_noise_is_at_work_and_totals_are_the_sums(self):
        self.game(experts=5)
        data = money(150, 5)
        rounds = self.play("ada", {}, data)
        self.assertGreater(rounds[-1][0]["multiplier"], 1)
        total = sum(y[act["action"]] for y, (act, _) in zip(data, rounds))
        best = min(sum(column) for column in zip(*data))
        self.assertAlmostEqual(rounds[-1][1]["total"], total, places=8)
        self.assertAlmostEqual(rounds[-1][1]["best"], best, places=8)
        self.assertTrue(all(seen["limit"] is None for _, seen in rounds))

    def test_unknown_range_on_losses_in_the_unit_interval_plays_as_unit_range(self):
        data = [[0.25, 1, 0.5], [0, 0.5, 1], [1, 0, 0.75], [0.5, 0.125, 0], [0, 1, 0]] * 12
        self.game(experts=3)
        unknown = self.play("flipflop", {}, data)
        self.game(experts=3, range="unit")
        unit = self.play("flipflop", {}, data)
        self.assertEqual([a for a, _ in unknown], [a for a, _ in unit])

    def test_the_report_says_the_range_and_the_bounds_for_it(self):
        self.game(experts=4)  # all codes of two bits: M is exact
        data = money(200, 4)
        ranges = [max(y) - min(y) for y in data]
        self.play("ada", {}, data)
        report = self.pipe.ask("report", of="l")
        self.assertEqual(report["range"], max(ranges))
        self.assertEqual(report["params"]["range"], "unknown")
        found = {b["name"]: b["value"] for b in report["certificate"]["bounds"]}
        self.assertEqual(set(found), {"run", "exact", "measured", "ada2_range"})
        given = {name: report["certificate"]["assumptions"][name] for name in ("M", "gamma")}
        closed = self.pipe.ask("bound", name="ada2_range", params={**given, "ranges": ranges})["value"]
        self.assertAlmostEqual(found["ada2_range"] / closed, 1, places=12)
        self.assertEqual(report["raw"], {"unit": "loss", "total": report["total"], "best": report["best"], "best_range": [report["best"]] * 2})
        self.play("flipflop", {}, data)
        report = self.pipe.ask("report", of="l")
        found = {b["name"]: b["value"] for b in report["certificate"]["bounds"]}
        above = report["best"] - sum(min(y) for y in data)
        closed = self.pipe.ask("bound", name="flipflop2_range",
                               params={**given, "best": above, "range": max(ranges),
                                       "leader_regret": report["leader_regret"]})["value"]
        self.assertAlmostEqual(found["flipflop2_range"] / closed, 1, places=9)

    def test_a_saved_run_goes_on_with_the_same_bits(self):
        self.game(experts=5)
        for unit in (1, 2.0**-40, 1e9):
            data = [[unit * loss for loss in y] for y in money(80, 5, seed=7)]
            for kind, params in LEARNERS:
                for cut in (1, 40):
                    with self.subTest(kind=kind, unit=unit, cut=cut, **params):
                        self.play(kind, params, data[:cut])
                        state = json.loads(json.dumps(self.pipe.ask("save", of="l")["state"]))
                        rest = self.go_on(data[cut:])
                        self.pipe.ask("load", **{"as": "m", "state": state})
                        self.assertEqual(self.go_on(data[cut:], "m"), rest)

    def test_rewards_are_minus_losses(self):
        table = [[-3, 40, 0.5], [0, 12, 0.5], [5, -7, 0.5]]
        self.pipe.ask("problem", **{"as": "p", "kind": "finite-game", "params": {"rewards": table, "range": "unknown"}})
        answer = self.pipe.ask("loss", of="p", action=0, outcome=1)
        self.assertEqual((answer["loss"], answer["reward"], answer["raw"]), (-40, 40, 40))
        data = [0, 1, 2, 1, 0, 0, 1] * 8
        rounds = self.play("ada", {}, data)
        earned = sum(table[act["action"]][y] for y, (act, _) in zip(data, rounds))
        report = self.pipe.ask("report", of="l")
        self.assertAlmostEqual(report["raw"]["total"], earned, places=9)
        self.assertAlmostEqual(report["total"], -earned, places=9)
        self.assertEqual(report["raw"]["unit"], "reward")

    def test_a_finite_game_in_another_unit_is_played_alike(self):
        table = [[-3, 40, 0.5, 2], [0, 12, 0.5, 9], [5, -7, 0.5, -1]]
        data = [0, 1, 2, 1, 3, 0, 1, 3, 3] * 12
        runs = []
        for k in (0, -40, -7, 3, 40):
            scaled = [[2.0**k * entry for entry in row] for row in table]
            self.pipe.ask("problem", **{"as": "p", "kind": "finite-game", "params": {"losses": scaled, "range": "unknown"}})
            runs.append([(a["action"], a["multiplier"] / 2.0**k, o["run"] / 2.0**k)
                         for a, o in self.play("ada", {}, data)])
        for run in runs[1:]:
            self.assertEqual(run, runs[0])
        self.assertTrue(any(z > 0 for _, z, _ in runs[0]))

    def test_the_best_action_of_small_numbers_is_found(self):
        self.game(experts=3)
        answer = self.pipe.ask("best", of="p", data=[{"weight": 1, "outcome": [3e-12, 1e-12, 2e-12]}])
        self.assertEqual((answer["action"], answer["value"], answer["proven"]), (1, 1e-12, True))

    def test_what_needs_a_cap_is_refused(self):
        self.game(experts=3)
        for kind in ("gftpl", "off", "hedge", "adahedge", "flipflop-hedge", "adanormalhedge", "fpl", "uniform-gftpl", "fake-data"):
            with self.subTest(kind=kind):
                params = {"beta": 3} if kind == "uniform-gftpl" else {"epsilon": 0.1} if kind == "fake-data" else {}
                self.refused("H108", "kind", of="p", kind=kind, params=params)
        self.refused("H108", "params.gap", of="p", kind="ada", params={"gap": "loss"})
        self.refused("H108", "params.range", of="p", kind="ada", params={"range": "unit"})
        self.refused("H108", "params.delayed", of="p", kind="ada", params={"delayed": True})
        self.refused("H108", "params.pool", of="p", kind="ada", params={"pool": 4})
        self.pipe.ask("learner", **{"as": "l", "of": "p", "kind": "ada", "params": {"range": "unknown"}})
        self.refused("H105", "outcome[1]", op="observe", of="l", outcome=[0, 1.1e30, 0], **{"as": None})
        self.refused("H108", "params.range", op="conditions", of="p", perturbation="bits", outcomes=[[0, 1, 0]], **{"as": None})
        self.game(experts=3, range="unit")
        self.refused("H108", "params.range", of="p", kind="gftpl", params={"range": "unknown"})
        self.refused("H106", "params.range", op="problem", kind="experts", params={"experts": 2, "range": "wide"})

    def test_a_damaged_unit_is_refused(self):
        self.game(experts=3)
        self.play("ada", {}, money(20, 3))
        state = self.pipe.ask("save", of="l")["state"]
        state.pop("digest", None)
        for unit in (3, -1, 1e300):
            with self.subTest(unit=unit):
                state["state"]["history"]["unit"] = unit
                self.refused("H401", "state.state.history.unit", op="load", state=state)

    def test_a_table_of_money_is_played_from_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder) / "money.csv"
            data.write_bytes(csv_text(money(60, 4)))
            self.assertNotEqual(hannan("run", "experts", "-d", data, "-q").status, 0)
            done = hannan("run", "experts", "-d", data, "--param", "range=unknown", "--json")
            self.assertEqual(done.status, 0, done.err)
            self.assertEqual(json.loads(done.out)["rounds"], 60)
            record = pathlib.Path(folder) / "run.jsonl"
            for more in (["--param", "range=unknown"], ["--param", "range=unknown", "-l", "ada", "--set", "discount=0.9"]):
                done = hannan("run", "experts", "-d", data, *more, "--record", record, "-q")
                self.assertEqual(done.status, 0, done.err)
                done = hannan("verify", record)
                self.assertEqual(done.status, 0, done.err)
                self.assertIn(b"the largest range of losses", done.out)
                lines = record.read_text().splitlines(keepends=True)
                played = json.loads(lines[30])
                played["action"] = (played["action"] + 1) % 4
                record.write_text("".join([*lines[:30], json.dumps(played, separators=(",", ":")) + "\n", *lines[31:]]))
                self.assertIn(b"H601", hannan("verify", record).err)
            single = pathlib.Path(folder) / "single.csv"
            single.write_bytes(csv_text([[1.5], [-2.25]]))
            done = hannan("run", "experts", "-d", single, "--param", "range=unknown", "--json")
            self.assertEqual(done.status, 0, done.err)
            self.assertEqual(json.loads(done.out)["total"], -0.75)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
