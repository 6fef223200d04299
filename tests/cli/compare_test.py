"""`hannan compare` against a second reckoning in Python, and what a run writes for others: decisions, summary, price floors."""
import json
import random

from bad_input_test import OneLine
from floors_rules import faults, floor_for
from program import FolderTest, csv_text, main

LEVELS = 8


def auctions(rounds, bidders, seed=3):
    """Bids in sixteenths, so that levels of eighths are exact; some stay away."""
    coins = random.Random(seed)
    return [[coins.randrange(0, 17) / 16 if coins.random() < 0.8 else 0 for _ in range(bidders)] for _ in range(rounds)]


def revenue(reserves, bids, rule):
    """One unit: in money, a reserve in levels per bidder."""
    ranked = sorted((i for i, b in enumerate(bids) if b * LEVELS >= 1), key=lambda i: (-bids[i], i))
    if rule == "eager":
        ranked = [i for i in ranked if bids[i] * LEVELS >= reserves[i]]
    if not ranked or bids[ranked[0]] * LEVELS < reserves[ranked[0]]:
        return 0
    return max(reserves[ranked[0]] / LEVELS, bids[ranked[1]] if len(ranked) > 1 else 0)


def rivals(rows, rule):
    """Money of each rival, reckoned from its definition."""
    n, money = len(rows[0]), {"no reserve": 0, "lowest reserve": 0, "uniform, learned": 0, "monopoly price": 0}
    earned = [0] * LEVELS
    for t, bids in enumerate(rows):
        money["no reserve"] += sorted(bids)[-2]  # every bid may win, and the best losing one is the price
        money["lowest reserve"] += revenue([1] * n, bids, rule)
        money["uniform, learned"] += revenue([1 + earned.index(max(earned))] * n, bids, rule)
        prices = []
        for i in range(n):
            curve = [z * sum(past[i] * LEVELS >= z for past in rows[:t]) for z in range(1, LEVELS + 1)]
            prices.append(1 + curve.index(max(curve)))
        money["monopoly price"] += revenue(prices, bids, rule)
        earned = [e + revenue([z] * n, bids, rule) for z, e in enumerate(earned, 1)]
    money["uniform, best"] = max(earned)
    return money


class Compared(FolderTest):
    def compared(self, rows, *args, bidders_rule="lazy"):
        data = self.file("bids.csv", csv_text(rows))
        done = self.ok("compare", "vcg-reserves", "--param", f"levels={LEVELS}", "--param", f"rule={bidders_rule}", "-d", data, "--json", *args)
        result = json.loads(done.out)
        return result, {player["name"]: player for player in result["players"]}


class Figures(Compared):
    def test_rivals_earn_what_their_definitions_say(self):
        for rule in ("lazy", "eager"):
            rows = auctions(60, 3)
            result, players = self.compared(rows, "--cap", "10", bidders_rule=rule)
            for name, money in rivals(rows, rule).items():
                self.assertAlmostEqual(players[name]["money"], 10 * money, places=6, msg=(rule, name))
            best = max(sum(revenue((a, b, c), bids, rule) for bids in rows) for a in range(1, 9) for b in range(1, 9) for c in range(1, 9))
            self.assertAlmostEqual(players["best fixed"]["money"], 10 * best, places=6)
            self.assertEqual(result["baseline"], "no reserve")
            self.assertEqual(result["blocks"]["length"], 1)

    def test_learners_play_as_they_do_alone(self):
        rows = auctions(300, 2)
        _, players = self.compared(rows, "-l", "flipflop", "-l", "ada:perturbation=one-hot", "--seed", "5")
        self.assertIn("hedge", players)  # 64 actions
        for name, flags in (("flipflop", ["-l", "flipflop"]), ("ada:perturbation=one-hot", ["-l", "ada", "--set", "perturbation=one-hot"])):
            alone = json.loads(self.ok("run", "vcg-reserves", "--param", f"levels={LEVELS}", "--param", "rule=lazy", "-d", self.folder / "bids.csv",
                                       "--seed", "5", "--json", *flags).out)
            self.assertEqual(players[name]["report"], alone)
            self.assertEqual(players[name]["loss"], alone["total"])

    def test_paths_are_cumulative_thin_and_end_at_the_end(self):
        rows = auctions(4999, 2)
        result, players = self.compared(rows)
        at = result["series"]["round"]
        self.assertEqual((at[0], at[-1], len(at)), (4, 4999, 1250))
        for player in players.values():
            series = player["series"]
            self.assertEqual({len(path) for path in series.values()}, {len(at)})
            self.assertAlmostEqual(series["loss"][-1], player["loss"])
            self.assertAlmostEqual(series["money"][-1], player["money"])
        for name, money in (("no reserve", lambda bids: min(bids)), ("lowest reserve", lambda bids: revenue([1, 1], bids, "lazy"))):
            self.assertAlmostEqual(players[name]["series"]["loss"][99], sum(1 - money(bids) for bids in rows[:at[99]]), places=6)
        ours = players["flipflop"]["series"]
        self.assertTrue(all(regret <= bound for regret, bound in zip(ours["regret"], ours["bound"])))
        self.assertEqual(set(ours), {"loss", "money", "regret", "bound", "rate", "regime", "calls", "action"})

    def test_first_and_last_rounds_stand_apart(self):
        rows = [[1.0, 0.5]] * 50 + [[0.5, 0.25]] * 50  # no reserve earns 0.5 a round, then 0.25
        result, players = self.compared(rows)
        self.assertEqual((result["first_tenth"], result["last_tenth"]), ([1, 10], [91, 100]))
        self.assertEqual((players["no reserve"]["first_tenth_a_round"], players["no reserve"]["last_tenth_a_round"]), (0.5, 0.25))

    def test_what_to_do_stands_before_the_table_and_the_bootstrap_does_not_decide(self):
        # One buyer at 0.9 beside one at 0.1: a reserve earns 0.9 instead of 0.1 in every round.
        rows = [[0.9, 0.1]] * 400
        data = self.file("steady.csv", csv_text(rows))
        flags = ["compare", "vcg-reserves", "--param", "bidders=2", "--param", "levels=10", "--currency", "USD", "-d"]
        lines = self.ok(*flags, data).out.decode().splitlines()
        self.assertRegex(lines[1], r"^deploy flipflop: it would have earned \d+ USD more than no reserve, \+\d+\.\d %")
        learned = json.loads(self.ok(*flags, data, "--json").out)["players"][0]["judgement"]
        self.assertEqual(learned["recommendation"], "deploy")
        self.assertGreater(min(learned["anytime"][0], learned["blocks"][0]), 0)
        self.assertLess(learned["range"][0], learned["gain"])
        few = self.file("few.csv", csv_text(rows[:39]))
        judged = json.loads(self.ok(*flags, few, "--json").out)["players"][0]["judgement"]
        self.assertEqual((judged["recommendation"], judged["blocks"]), ("cannot tell", ["-inf", "inf"]))

    def test_intervals_hold_the_figure_and_the_seed_fixes_them(self):
        rows = auctions(500, 3)
        result, players = self.compared(rows, "--block", "20")
        self.assertEqual((result["blocks"]["length"], result["blocks"]["count"]), (20, 25))
        for player in players.values():
            low, high = player["money_interval"]
            self.assertTrue(low <= player["money"] <= high)
        self.assertEqual(players["no reserve"]["over_baseline_interval"], [0, 0])
        self.assertEqual(result, self.compared(rows, "--block", "20")[0])
        self.assertNotEqual(players["no reserve"]["money_interval"], self.compared(rows, "--block", "20", "--seed", "1")[1]["no reserve"]["money_interval"])

    def test_other_problems_and_formats(self):
        losses = self.file("losses.csv", csv_text(auctions(200, 3)))
        result = json.loads(self.ok("compare", "experts", "-d", losses, "-l", "flipflop", "-l", "adahedge", "--json").out)
        names = [player["name"] for player in result["players"]]
        self.assertEqual((names, result["baseline"], result["unit"]), (["flipflop", "adahedge", "hedge", "best fixed"], "best fixed", "loss"))
        rows = auctions(100, 2)
        lines = self.file("bids.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
        by_lines = json.loads(self.ok("compare", "vcg-reserves", "--param", f"levels={LEVELS}", "--param", "rule=lazy", "--param", "bidders=2",
                                      "-d", lines, "--json").out)
        self.assertEqual(by_lines, self.compared(rows)[0])

    def test_named_actions_play_beside_the_learners(self):
        rows = auctions(80, 2)
        result, players = self.compared(rows, "--fixed", "today=[3,5]", "--fixed", "low=[2,2]")
        self.assertEqual(result["baseline"], "no reserve")
        for name, reserves in (("today", [3, 5]), ("low", [2, 2])):
            self.assertAlmostEqual(players[name]["money"], sum(revenue(reserves, bids, "lazy") for bids in rows), places=6)
        # Without rivals for reserves the first of them is what the others are held against.
        result, players = self.compared(rows, "--fixed", "today=[3,5]", "--rivals", "none")
        self.assertEqual((result["baseline"], players["today"]["over_baseline"]), ("today", 0))
        losses = self.file("losses.csv", csv_text(rows))
        result = json.loads(self.ok("compare", "experts", "-d", losses, "--fixed", "second=1", "--json").out)
        second = next(player for player in result["players"] if player["name"] == "second")
        self.assertAlmostEqual(second["loss"], sum(row[1] for row in rows), places=6)

    def test_the_table_is_for_people(self):
        text = self.ok("compare", "vcg-reserves", "--param", "levels=8", "-d", self.file("bids.csv", csv_text(auctions(50, 2))), "--cap", "4", "--currency", "EUR").out
        for word in (b"EUR", b"monopoly price", b"uniform, best", b"bootstrap"):
            self.assertIn(word, text)


class Outputs(Compared):
    def log(self):
        """A log with a pooled slot, converted."""
        coins = random.Random(4)
        log = self.file("log.csv", ("round,bidder,bid\n" + "".join(f"{t},{b},{coins.random() * 5:.2f}\n" for t in range(300)
                                                                  for b in coins.sample(["Acme", "b|x", "Zed", "rare1", "rare2"], 3))).encode())
        self.ok("convert", log, "--names", "Acme,b|x,Zed", "--cap", "4", "--currency", "EUR", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / "t.json")
        return ["vcg-reserves", "--param", "levels=20", "--param", "rule=lazy", "-d", self.folder / "t.csv", "--log", self.folder / "t.json"]

    def test_floors_keep_the_rules_and_are_the_best_reserves(self):
        args = self.log()
        compared = self.folder / "compared.json"
        for command, *chosen in (["run"], ["compare", "--export", "best", "--anyway", "-o", compared]):
            file = self.folder / f"{command}.json"
            self.ok(command, *args, "--floors", file, "-q", *chosen)
            floors = json.loads(file.read_text())
            self.assertEqual(faults(floors, ["bidder"]), [])
            self.assertEqual(floors["currency"], "EUR")
            best = json.loads(self.ok("run", *args, "--json").out)["best_action"] if command == "run" else \
                json.loads(compared.read_text())["holdout"]["action"]  # what was judged
            for name, level in zip(("ACME", "b_x", "zed", "somebody else"), best):
                self.assertAlmostEqual(floor_for(floors, name), level / 20 * 4, places=4)
        self.ok("run", *args, "--floors", file, "--floors-field", "adUnitCode", "-q")
        self.assertEqual(faults(json.loads(file.read_text())), [])

    def test_the_validator_can_fail(self):
        self.ok("run", *self.log(), "--floors", self.folder / "f.json", "-q")
        good = json.loads((self.folder / "f.json").read_text())
        self.assertEqual(len(faults(good)), 1)  # "bidder" needs its function
        for change in ({"currency": "EURO"}, {"values": {}}, {"values": {"a|b": 1}}, {"values": {"a": "1"}}, {"schema": {"fields": []}}, {"skipRate": 101},
                       {"default": "x"}, {"values": {"A": 1, "a": 2}}, {"floorsSchemaVersion": 3}, {"schema": {"fields": ["bidder", "bidder"]}}):
            self.assertNotEqual(faults({**good, **change}, ["bidder"]), [], change)

    def test_summary_says_what_a_report_needs(self):
        args = self.log()
        self.ok("run", *args, "-q", "--summary", self.folder / "s.json")
        summary = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(summary["slots"], ["Acme", "b|x", "Zed", "rest 1", "rest 2"])
        self.assertEqual((summary["cap"], summary["currency"], len(summary["next_action"])), (4, "EUR", 5))
        self.assertEqual(summary["data"]["auctions"]["used"], 300)
        self.assertEqual(summary["problem_params"]["levels"], 20)

    def test_decisions_as_json_lines_are_those_of_the_csv_and_go_on(self):
        args = self.log()
        csv, lines, halves = (self.folder / name for name in ("d.csv", "d.jsonl", "h.jsonl"))
        self.ok("run", *args, "-q", "-p", csv)
        self.ok("run", *args, "-q", "-p", lines)
        rows = [line.split(",") for line in csv.read_text().splitlines()[1:]]
        for row, text in zip(rows, lines.read_text().splitlines(), strict=True):
            line = json.loads(text)
            self.assertEqual([str(line["round"]), " ".join(map(str, line["action"])), line["regime"]], [row[0], row[1], row[4]])
            self.assertEqual((line["loss"], line["rate"]), (float(row[2]), float(row[3]) if row[3] else None))
        self.ok("run", *args, "-q", "-p", halves, "--rounds", "100", "--save", self.folder / "state.json")
        self.ok("run", *args, "-q", "-p", halves, "--resume", self.folder / "state.json")
        self.assertEqual(halves.read_bytes(), lines.read_bytes())


class Refusals(OneLine):
    def test_what_cannot_be_compared(self):
        bids = self.file("bids.csv", csv_text(auctions(20, 2)))
        here = ["compare", "vcg-reserves", "--param", "levels=8"]
        for args, code, at in (([*here, "-d", "-"], "H100", "standard input"), ([*here, "-d", bids, "--cap", "-1"], "H105", "--cap"),
                               ([*here, "-d", bids, "--currency", "EURO"], "H105", "--currency"), ([*here, "-d", bids, "-o", bids], "H100", "overwritten"),
                               ([*here, "-d", bids, "--log", self.file("x.json", b"{}")], "H100", "hannan convert"),
                               ([*here, "-d", bids, "-l", "nobody"], "H106", "nobody"), (["compare", "experts", "-d", bids, "--floors", "f.json"], "H108", "--floors"),
                               ([*here, "-d", bids, "--fixed", "today=[9,9]"], "H105", "9"), ([*here, "-d", bids, "--fixed", "today"], "H100", "--fixed"),
                               (["run", "experts", "-d", bids, "--floors", "f.json"], "H108", "--floors")):
            self.refused(args, code, 2, at)
        self.refused([*here, "-d", self.file("bad.csv", b"0.5,0.5\n0.5,2\n")], "H205", 3, "bad.csv:2:5")
        names = self.file("z.json", b'{"cap":1,"slots":[{"name":"a","pooled":false}]}')
        self.refused([*here, "-d", bids, "--log", names, "--floors", self.folder / "f.json"], "H100", 2, "1 slots, expected 2")


if __name__ == "__main__":
    main()
