"""`hannan compare` with a portfolio: first by default, what it says, what it hands on, and what others propose."""
import json
import random

from compared_logs import ComparedLogs, players_of
from program import csv_text, hannan, losses, main

ROUNDS = 400
LONG = ["--format", "long", "--currency", "USD"]


def bids(rounds, bidders, seed=1):
    coins = random.Random(seed)
    return [[round(coins.expovariate(1) * (2 + i), 2) for i in range(bidders)] for _ in range(rounds)]


class Portfolio(ComparedLogs):
    learner = ()

    def exchange(self, extra=lambda t: ""):
        rows = bids(ROUNDS, 3, seed=4)
        return self.log("round,bidder,bid,floor",
                        [(t, f"b{i}", v, extra(t)) for t, row in enumerate(rows) for i, v in enumerate(row)])


class ByDefault(Portfolio):
    def test_it_is_the_first_learner_and_flipflop_the_second(self):
        result, said = self.compared("vcg-reserves", "-d", self.exchange(), *LONG)
        self.assertEqual([player["name"] for player in result["players"]][:2], ["portfolio", "flipflop"])
        of = result["portfolio"]
        self.assertEqual([way["kind"] for way in of["strategies"]], ["logged", "monopoly", "leader", "flipflop"])
        today = players_of(result)["as logged"]["money"]
        self.assertAlmostEqual(of["risk"], 0.01 * today, delta=1e-6 * today)
        self.assertAlmostEqual(of["gain"], players_of(result)["portfolio"]["over_baseline"], delta=1e-6)
        self.assertGreaterEqual(of["low"], -of["risk"])
        self.assertIsNotNone(of["largest"])
        for line in (r"(?m)^portfolio: [\d,.]+ USD on average, [\d,.]+ (more|less) than as logged \([+-][\d.]+ %\); as drawn "
                     r"[\d,.]+; on average never more than [\d,.]+ behind; at most [\d,.]+ was at risk$",
                     r"(?m)^it ended on: .* \d+ %.*as logged \d+ %"):
            self.assertRegex(said, line)

    def test_without_anything_done_today_and_where_the_log_cannot_tell_there_is_none(self):
        data = self.file("losses.csv", csv_text(losses(60, 4)))
        result, _ = self.compared("experts", "-d", data)
        self.assertNotIn("portfolio", result)
        log = self.exchange()
        result, _ = self.compared("vcg-reserves", "-d", log, *LONG, "--top-hidden", "--slots", "all")
        self.assertNotIn("portfolio", result)
        done = hannan("compare", "vcg-reserves", "-d", log, *LONG, "--top-hidden", "--slots", "all", "-l", "portfolio")
        self.assertIn(b"H108", done.err)

    def test_learners_that_are_named_are_alone(self):
        result, said = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "-l", "flipflop")
        self.assertNotIn("portfolio", result)
        self.assertNotIn("at risk", said)


class Figures(Portfolio):
    def test_totals_weights_and_certificates_fit_together(self):
        result, _ = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--risk", "0.5%")
        of, rounds = result["portfolio"], result["series"]["round"]
        own = players_of(result)["portfolio"]
        self.assertAlmostEqual(sum(way["weight"] for way in of["strategies"]), 1, delta=1e-9)
        for way in of["strategies"]:
            self.assertAlmostEqual(way["behind"], way["money"] - own["money"], delta=1e-6)
            self.assertLessEqual(way["behind"], way["certified"] + 1e-9)
            self.assertEqual(len(way["share"]), len(rounds))
        for i in range(len(rounds)):
            self.assertAlmostEqual(sum(way["share"][i] for way in of["strategies"]), 1, delta=1e-6)
            gain = own["series"]["money"][i] - players_of(result)["as logged"]["series"]["money"][i]
            self.assertGreaterEqual(gain + 1e-6, of["certain_path"][i])
        best = max(of["strategies"], key=lambda way: way["money"])
        self.assertEqual(of["best"], best["name"])
        self.assertAlmostEqual(of["behind"], best["money"] - own["money"], delta=1e-6)
        self.assertAlmostEqual(of["drawn_gain"], of["drawn_path"][-1], delta=1e-6)
        # The rehearsed rounds are in neither: a portfolio is not charged for them.
        self.assertGreater(result["rehearsed"], 0)
        self.assertAlmostEqual(own["regret"], own["loss"] - players_of(result)["best fixed"]["loss"], delta=1e-6)

    def test_the_risk_is_an_amount_or_a_share(self):
        log = self.exchange()
        for given, of_today in (("7", None), ("0.25%", 0.0025)):
            result, _ = self.compared("vcg-reserves", "-d", log, *LONG, "--risk", given)
            today = players_of(result)["as logged"]["money"]
            self.assertAlmostEqual(result["portfolio"]["risk"], of_today * today if of_today else 7, delta=1e-6 * today)
        for given in ("0", "-1", "five", "%"):
            self.assertIn(b"H105", hannan("compare", "vcg-reserves", "-d", log, *LONG, "--risk", given).err)

    def test_a_hard_limit_is_never_exceeded_by_what_is_drawn(self):
        result, said = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--risk", "10", "--hard", "20")
        self.assertGreaterEqual(result["portfolio"]["drawn_low"], -20)
        self.assertIn("what is drawn loses at most 20", said)

    def test_the_page_says_what_was_at_risk_and_what_was_gained(self):
        self.compared("vcg-reserves", "-d", self.exchange(), *LONG)
        for words in ("At risk, stated beforehand", "Furthest behind, ever", "It ended on", "Who played, over time",
                      "Certain: at least", "How sure is this?"):
            self.assertIn(words, self.page)


class Verdicts(Portfolio):
    def test_a_log_that_cannot_tell_may_be_tried(self):
        result, said = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--risk", "5")
        judged = players_of(result)["portfolio"]["judgement"]
        other = players_of(result)["flipflop"]["judgement"]
        self.assertNotEqual(other["recommendation"], "try")
        if judged["gain"] > 0 and judged["recommendation"] not in ("deploy", "keep"):
            self.assertEqual(judged["recommendation"], "try")
            self.assertIn("try portfolio: at most 5.00 USD at risk on average; this log cannot tell yet", said)

    def test_what_is_handed_on_is_a_way_with_its_own_verdict(self):
        decisions = self.folder / "next.json"
        result, _ = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--decisions", decisions, "--anyway")
        written = json.loads(decisions.read_text())
        ways = [way for way in result["portfolio"]["strategies"] if way["final_action"] is not None]
        likeliest = max(ways, key=lambda way: way["weight"])
        self.assertEqual((written["strategy"], written["verdict"]),
                         (likeliest["name"], likeliest["judgement"]["recommendation"]))
        self.assertNotEqual(written["verdict"], "try")
        prices = result["params"]["prices"]  # one list for all
        self.assertEqual([row["reserve"] for row in written["decisions"]],
                         [prices[place] for place in likeliest["final_action"]])

    def test_where_it_ended_on_what_was_logged_nothing_is_written(self):
        # One bidder wins at the bid of another, every time: no reserve can do better.
        log = self.log("round,bidder,bid", [(t, name, bid) for t in range(300) for name, bid in (("a", 5), ("b", 5))])
        decisions = self.folder / "next.json"
        flags = ["vcg-reserves", "-d", log, *LONG, "--prices", "0,4,6", "--decisions", decisions]
        done = hannan("compare", *flags)
        self.assertIn(b"H212", done.err)
        self.assertIn(b'ended on "as logged"', done.err)
        self.assertFalse(decisions.exists())
        hannan("compare", *flags, "--anyway")
        self.assertNotEqual(json.loads(decisions.read_text())["strategy"], "as logged")

    def test_the_state_goes_on(self):
        state = self.folder / "try.state"
        self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--save", state)
        saved = json.loads(state.read_text())
        self.assertEqual(saved["learner"]["kind"], "portfolio")
        asked = [{"op": "load", "as": "l", "state": saved}, {"op": "act", "in": "l"}]
        answers = hannan("pipe", stdin="".join(json.dumps(one) + "\n" for one in asked).encode()).out.splitlines()
        self.assertEqual([json.loads(line)["ok"] for line in answers], [True, True], answers)
        self.assertEqual(json.loads(answers[1])["round"], ROUNDS + 1)

    def test_flags_of_a_portfolio_need_one(self):
        for flags in (["--risk", "3"], ["--hard", "3"], ["--save", self.folder / "s"], ["--shadow", "monopoly"]):
            done = hannan("compare", "vcg-reserves", "-d", self.exchange(), *LONG, "-l", "leader", *flags)
            self.assertIn(b"H100", done.err)
        done = hannan("compare", "experts", "-d", self.file("losses.csv", csv_text(losses(60, 4))), "--risk", "3")
        self.assertIn(b"H102", done.err)

    def test_strategies_of_a_file_begin_with_what_the_others_are_held_against(self):
        ways = self.file("ways.json", json.dumps([{"name": "today", "kind": "logged"}, "monopoly"]).encode())
        result, _ = self.compared("vcg-reserves", "-d", self.exchange(), *LONG, "--strategies", ways)
        self.assertEqual([way["kind"] for way in result["portfolio"]["strategies"]], ["logged", "monopoly"])
        ways = self.file("ways.json", json.dumps([{"name": "today", "kind": "fixed", "action": [1, 1, 1]}, "monopoly"]).encode())
        done = hannan("compare", "vcg-reserves", "-d", self.exchange(), *LONG, "--strategies", ways)
        self.assertIn(b"H108", done.err)

    def test_what_was_logged_beyond_the_cap_leaves_the_largest_difference_open(self):
        rows = [[min(bid, 2.0) for bid in row] for row in bids(300, 3, seed=4)]
        for highest, known in ((3, True), (9, False)):
            rows[7] = [highest] * 3
            log = self.log("round,bidder,bid", [(t, f"b{i}", v) for t, row in enumerate(rows) for i, v in enumerate(row)])
            result, said = self.compared("vcg-reserves", "-d", log, *LONG, "--param", "levels=10", "--cap", "4")
            self.assertEqual(result["portfolio"]["largest"] is not None, known)
            self.assertEqual("twice the largest difference" not in said, known)
            if not known:
                self.assertNotEqual(players_of(result)["portfolio"]["judgement"]["recommendation"], "try")


class Proposals(Portfolio):
    def test_a_column_joins_as_a_way_and_sleeps_where_it_is_empty(self):
        log = self.exchange(lambda t: "" if t % 3 == 0 else "1.5")
        result, _ = self.compared("vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4", "--propose", "team=floor")
        team = result["portfolio"]["strategies"][-1]
        self.assertEqual((team["name"], team["kind"]), ("team", "given"))
        plain, _ = self.compared("vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4")
        self.assertEqual(players_of(result)["flipflop"]["money"], players_of(plain)["flipflop"]["money"])

    def test_two_of_one_name_are_refused(self):
        log = self.exchange(lambda t: "1.5")
        done = hannan("compare", "vcg-reserves", "-d", log, *LONG, "--propose", "monopoly=floor")
        self.assertIn(b"H105", done.err)

    def test_an_amount_stands_for_the_highest_price_not_above_it(self):
        log = self.exchange(lambda t: "1.99")
        result, _ = self.compared("vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4", "--propose", "team=floor",
                                  "--fixed", "ones=[1,1,1]")
        team = result["portfolio"]["strategies"][-1]
        self.assertAlmostEqual(team["money"], players_of(result)["ones"]["money"], delta=1e-6)

    def test_a_shadow_is_scored_and_never_played(self):
        log = self.exchange(lambda t: "1")
        flags = ["vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4", "--propose", "team=floor"]
        result, _ = self.compared(*flags, "--shadow", "team")
        plain, _ = self.compared(*flags[:-2])
        team = result["portfolio"]["strategies"][-1]
        self.assertTrue(team["shadow"])
        self.assertNotIn("weight", team)
        self.assertEqual(players_of(result)["portfolio"]["money"], players_of(plain)["portfolio"]["money"])
        self.assertIn(b"H106", hannan("compare", *flags, "--shadow", "other").err)

    def test_what_is_no_action_names_the_way(self):
        log = self.exchange(lambda t: "a lot" if t == 7 else "1")
        done = hannan("compare", "vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4", "--propose", "team=floor")
        self.assertIn(b"H302", done.err)
        self.assertIn(b'"team"', done.err)
        self.assertIn(b"H100", hannan("compare", "vcg-reserves", "-d", log, *LONG, "--propose", "team").err)


    def test_a_column_of_proposals_is_no_segment_and_is_named_by_its_own_flag(self):
        log = self.exchange(lambda t: 1 + t % 2)
        done = hannan("compare", "vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4", "--propose", "team=floor")
        self.assertEqual(done.status, 0, done.err)
        self.assertNotIn(b"segments by", done.err)
        done = hannan("compare", "vcg-reserves", "-d", log, *LONG, "--propose", "team=nothing")
        self.assertIn(b"(--propose)", done.err)
        self.assertNotIn(b"--by", done.err)
        data = self.file("losses.csv", csv_text(losses(60, 4), ["a", "b", "c", "d"]))
        done = hannan("compare", "experts", "-d", data, "--as-logged", "a", "--propose", "team=nothing")
        self.assertIn(b"(--propose)", done.err)


    def test_what_is_done_today_may_be_a_column_of_proposals_and_what_is_at_risk_a_share_of_it(self):
        rows = losses(60, 3)
        data = self.file("losses.csv", csv_text([[*row, t % 3] for t, row in enumerate(rows)], ["a", "b", "c", "ours"]))
        ways = self.file("ways.json", b'[{"name":"ours","kind":"given"},"flipflop"]')
        result, _ = self.compared("experts", "-d", data, "-l", "portfolio", "--strategies", ways, "--propose", "ours=ours")
        today = sum(row[t % 3] for t, row in enumerate(rows))
        self.assertAlmostEqual(result["portfolio"]["risk"], 0.01 * today, delta=1e-9)


class BySegment(Portfolio):
    def log_of_sites(self):
        """One bidder would pay three times as much on site b; the other never more than 1."""
        coins = random.Random(8)
        rows = [(t, f"b{i}", round((2 + 4 * (t % 2) if i == 0 else 0.5) + 0.5 * coins.random(), 2), "ab"[t % 2])
                for t in range(ROUNDS) for i in range(2)]
        return self.log("round,bidder,bid,site", rows)

    def test_segments_are_one_of_its_ways_where_a_portfolio_is_asked_for(self):
        flags = ["vcg-reserves", "-d", self.log_of_sites(), *LONG, "--param", "levels=10", "--cap", "8", "--by", "site"]
        result, _ = self.compared(*flags, "--risk", "20")
        of = result["portfolio"]
        self.assertEqual([way["name"] for way in of["strategies"]][-1], "segments")
        self.assertEqual(result["baseline"], "as logged")
        self.assertEqual([player["name"] for player in result["players"]][:2], ["portfolio", "flipflop"])
        # Where the sites differ by design, a price for each is the best way and most of the play.
        self.assertEqual(of["best"], "segments")
        self.assertGreater(of["strategies"][-1]["weight"], 0.5)
        self.assertIsNone(of["strategies"][-1]["final_action"])
        self.assertIsNotNone(of["strategies"][-2]["final_action"])
        named, _ = self.compared(*flags, "-l", "portfolio")
        self.assertEqual(named["portfolio"]["best"], "segments")
        # Alone it compares decisions by segment, as ever.
        self.assertNotIn("portfolio", self.compared(*flags)[0])
        ways = self.file("ways.json", b'[{"name":"as logged","kind":"logged"},"flipflop"]')
        self.assertIn(b"H108", hannan("compare", *flags, "--strategies", ways).err)


class GoingOn(Portfolio):
    def test_a_run_goes_on_from_what_a_comparison_saved_with_today_logged(self):
        log, state, record = self.exchange(), self.folder / "try.state", self.folder / "run.jsonl"
        flags = ["vcg-reserves", "-d", log, *LONG, "--prices", "0,1,2,4,8"]
        self.compared(*flags, "--rounds", "300", "--save", state)
        whole, _ = self.compared(*flags, "--risk", repr(json.loads(state.read_text())["learner"]["params"]["risk"]))
        report = json.loads(self.ok("run", *flags, "--resume", state, "--json").out)
        self.assertEqual(report["rounds"], ROUNDS)
        self.assertAlmostEqual(report["gain"], whole["portfolio"]["gain"], delta=1e-6)
        # From the beginning too, with a record.
        learner = json.loads(state.read_text())["learner"]["params"]
        params = {name: learner[name] for name in ("strategies", "risk", "largest", "seed")}
        sets = [f"--set={name}={json.dumps(value)}" for name, value in params.items() if name != "seed"]
        report = json.loads(self.ok("run", *flags, "-l", "portfolio", *sets, "--record", record, "--json").out)
        self.assertAlmostEqual(report["gain"], whole["portfolio"]["gain"], delta=1e-6)
        verified = hannan("verify", record)
        self.assertEqual((verified.status, verified.err), (1, b""), verified.out)
        self.assertIn(b"is consistent, in part on trust", verified.out)

    def test_a_table_says_what_was_done_by_a_column(self):
        data = self.file("losses.csv", csv_text(losses(80, 3), ["a", "b", "c"]))
        ways = '[{"name":"today","kind":"logged"},"flipflop"]'
        flags = ["run", "experts", "-d", data, "-l", "portfolio", "--set", "risk=2", "--set", f"strategies={ways}", "--json"]
        self.assertIn(b"H102", hannan(*flags).err)
        self.assertIn(b"H106", hannan(*flags, "--as-logged", "nothing").err)
        report = json.loads(self.ok(*flags, "--as-logged", "b").out)
        self.assertAlmostEqual(report["strategies"][0]["total"], sum(row[1] for row in losses(80, 3)), delta=1e-9)
        self.assertIn(b"H100", hannan("run", "experts", "-d", data, "--as-logged", "b").err)


if __name__ == "__main__":
    main()
