"""A verdict needs its evidence: every doubt, alone, forbids deploy and keep on every surface, with the same words; and an unproven best is a range.

One log on which the answer is "deploy" as soon as nothing is in doubt: one buyer at 9, one at 1, in 200 auctions. The doubts of a log come from its
summary (unreadable cells, hidden money, an open question, a log that shows a part of the answers), the others from the run.
"""

import csv
import json
import re

from program import FolderTest, hannan, main

DOUBTS = {
    "unreadable": ("unreadable", {"cells": 40, "share": 0.05}, "40 cells of money could not be read, 5.0 % of a column"),
    "hidden": ("hidden", {"share": 0.3}, "more than a tenth of the money is hidden by the way the log is read"),
    "question": ("as_logged", {"asks": ["column price says what winners paid: give --payment"]}, "column price says what winners paid: give --payment"),
    "censored": ("as_logged", {"censored": "only buyers are logged"}, "only buyers are logged"),
    "no replay": ("as_logged", {"no_replay": "winners pay what they say"}, "winners pay what they say"),
}


def page_of(path):
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', path.read_text(), re.S)
    return json.loads(found.group(1))


def text_of(page):
    return json.dumps(page, ensure_ascii=False)


class Log(FolderTest):
    def setUp(self):
        super().setUp()
        rows = "".join(f"{t},a,9\n{t},b,1\n" for t in range(200))
        log = self.file("log.csv", b"auction,bidder,bid\n" + rows.encode())
        self.ok("convert", log, "--format", "long", "--round", "auction", "--bidder", "bidder", "--bid", "bid", "--cap", "10", "--currency", "EUR",
                "-o", self.folder / "bids.csv", "--summary", self.folder / "bids.json", "-q")

    def compare(self, *args, changed=None):
        summary = json.loads((self.folder / "bids.json").read_text())
        for group, fields in (changed or {}).items():
            summary.setdefault(group, {}).update(fields)
        self.file("changed.json", json.dumps(summary).encode())
        return hannan("compare", "vcg-reserves", "--param", "levels=10", "-d", self.folder / "bids.csv", "--log", self.folder / "changed.json",
                      "--rivals", "none", *args)


class EveryDoubtOnEverySurface(Log):
    def surfaces(self, *args, changed=None):
        return self.surfaces_of("-l", "flipflop", *args, changed=changed)

    def surfaces_of(self, *args, changed=None):
        """(exit status, text, result, page, decision as JSON, decisions as CSV, floors)."""
        files = {name: self.folder / name for name in ("r.json", "d.json", "d.csv", "f.json", "p.html")}
        done = self.compare("-o", files["r.json"], "--decisions", files["d.json"], "--floors", files["f.json"], *args, changed=changed)
        self.assertIn(done.status, (0, 1), done.err)
        self.compare("-q", "--decisions", files["d.csv"], *args, changed=changed)
        self.ok("report", files["r.json"], "-o", files["p.html"], "-q")
        read = {name: json.loads(files[name].read_text()) for name in ("r.json", "d.json", "f.json")}
        return done.status, done.out.decode(), read["r.json"], page_of(files["p.html"]), read["d.json"], list(csv.DictReader(files["d.csv"].read_text().splitlines())), read["f.json"]

    def test_without_a_doubt_all_of_them_say_deploy(self):
        status, text, result, page, decision, rows, floors = self.surfaces()
        judged = result["players"][0]["judgement"]
        self.assertEqual((status, judged["recommendation"], judged["doubts"], result["doubts"]), (0, "deploy", [], []))
        self.assertIn("\ndeploy flipflop: ", text)
        self.assertNotIn("in doubt", text)
        self.assertIn("Recommended: use the learned prices", text_of(page))
        self.assertEqual((decision["verdict"], decision["doubts"], {row["verdict"] for row in rows}), ("deploy", [], {"deploy"}))
        self.assertTrue(floors["modelVersion"].endswith(", deploy"))

    def expect_doubt(self, kind, says, found):
        status, text, result, page, decision, rows, floors = found
        judged = result["players"][0]["judgement"]
        self.assertEqual(judged["recommendation"], "cannot tell", kind)
        self.assertEqual(judged["doubts"], [{"doubt": kind, "says": judged["reason"]}])
        self.assertEqual(result["doubts"], judged["doubts"])
        self.assertIn(says, judged["reason"])
        self.assertTrue(judged["says"].startswith("this log cannot tell: " + judged["reason"]))
        self.assertEqual(status, 1 if kind == "unproven best" else 0)
        self.assertLess(text.index("in doubt: " + judged["reason"]), text.index("this log cannot tell: "))  # before the result
        self.assertNotIn("\ndeploy ", text)
        headline = next(block for block in page["sections"][0]["blocks"] if block["block"] == "headline")
        self.assertEqual(headline["state"], "unsure")
        self.assertIn("cannot tell" if kind != "few rounds" else "Too early to tell", headline["advice"])
        for words in ("may be chance", "Recommended: use", "the best of the choices", "Download these"):
            self.assertNotIn(words, text_of(page), kind)
        why = next(point["text"] for block in page["sections"][0]["blocks"] if block.get("title") == "How sure is this?"
                   for inner in block["blocks"] for point in inner["points"] if point["what"] == "Why it cannot tell.")
        self.assertIn(judged["reason"].lower()[1:40], why.lower())
        self.assertEqual((decision["verdict"], decision["says"], decision["doubts"]), ("cannot tell", judged["says"], judged["doubts"]))
        self.assertEqual({row["verdict"] for row in rows}, {"cannot tell"})
        self.assertTrue(floors["modelVersion"].endswith(", cannot tell"))

    def test_each_doubt_of_a_log_forbids_a_verdict_everywhere(self):
        for kind, (group, fields, says) in DOUBTS.items():
            with self.subTest(kind):
                self.expect_doubt(kind, says, self.surfaces(changed={group: fields}))

    def test_no_doubt_lets_a_portfolio_be_deployed_or_tried(self):
        for kind, (group, fields, says) in DOUBTS.items():
            with self.subTest(kind):
                _, text, result, page, decision, _, floors = self.surfaces_of(changed={group: fields})
                judged = result["players"][0]["judgement"]
                self.assertEqual(judged["recommendation"], "cannot tell", kind)
                self.assertIn(says, judged["reason"])
                for words in ("\ndeploy ", "\ntry "):
                    self.assertNotIn(words, text)
                for words in ("may be chance", "Recommended: use", "Recommended: try"):
                    self.assertNotIn(words, text_of(page))
                self.assertEqual("Why it cannot tell." in text_of(page), True)
                self.assertEqual(decision["verdict"], "cannot tell")
                self.assertTrue(floors["modelVersion"].endswith(", cannot tell"))

    def test_a_clear_gain_of_a_portfolio_is_deployed_by_the_way_it_ended_on(self):
        _, text, result, page, decision, rows, floors = self.surfaces_of()
        self.assertEqual(result["players"][0]["name"], "portfolio")
        self.assertIn("\ndeploy portfolio: ", text)
        self.assertIn("Recommended: use the portfolio", text_of(page))
        self.assertNotEqual(decision["strategy"], "as logged")
        self.assertEqual((decision["verdict"], {row["verdict"] for row in rows}), ("deploy", {"deploy"}))
        self.assertTrue(floors["modelVersion"].endswith(", deploy"))

    def test_few_rounds_forbid_a_verdict_everywhere(self):
        self.expect_doubt("few rounds", "fewer than 40 rounds", self.surfaces("--rounds", "39"))

    def test_all_doubts_are_listed_and_the_first_is_the_reason(self):
        changed = {}
        for group, fields, _ in DOUBTS.values():
            changed.setdefault(group, {}).update(fields)
        done = self.compare("--json", "--rounds", "39", changed=changed)
        judged = json.loads(done.out)["players"][0]["judgement"]
        self.assertEqual([doubt["doubt"] for doubt in judged["doubts"]], ["no replay", "question", "censored", "unreadable", "hidden", "few rounds"])
        self.assertEqual(judged["reason"], "winners pay what they say")


class UnknownRange(FolderTest):
    def test_it_cannot_tell_says_why_and_speaks_of_no_chance(self):
        rows = [(1.0 + t % 3, 2.0 + t % 2, 7.5) for t in range(120)]
        data = self.file("costs.csv", ("a,b,today\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)).encode())
        result, page = self.folder / "r.json", self.folder / "p.html"
        done = self.ok("compare", "experts", "--param", "range=unknown", "-d", data, "--as-logged", "today", "-o", result)
        judged = json.loads(result.read_text())["players"][0]["judgement"]
        self.assertEqual((judged["recommendation"], [doubt["doubt"] for doubt in judged["doubts"]]), ("cannot tell", ["unknown range"]))
        self.assertIn("no limit of a single gain is known in advance", judged["reason"])
        self.assertIn("this log cannot tell: no limit of a single gain", done.out.decode())
        self.ok("report", result, "-o", page, "-q")
        said = text_of(page_of(page))
        self.assertIn("no limit of a single gain is known in advance", said)
        self.assertNotIn("may be chance", said)
        self.assertNotIn("No clear difference", said)


class UnprovenBest(FolderTest):
    """Searches of one node leave the best of 160,000 reserves open; the whole search says where it is."""

    PROBLEM = ("vcg-reserves", "--param", "bidders=4", "--param", "levels=20")
    SHORT = "oracle=branch_bound:1"

    def setUp(self):
        super().setUp()
        self.data = self.folder / "bids.jsonl"
        self.ok("simulate", *self.PROBLEM, "--rounds", "60", "-o", self.data, "-q")
        self.best = json.loads(self.ok("oracle", *self.PROBLEM, "-d", self.data, "--json").out)["value"]

    def expect_range(self, found):
        low, high = found
        self.assertLess(low, high - 1e-3)
        self.assertLessEqual(low, self.best + 1e-9)
        self.assertGreaterEqual(high, self.best - 1e-9)

    def page(self, *files):
        page = self.folder / "page.html"
        hannan("report", *files, "-o", page, "-q")
        return text_of(page_of(page))

    def test_a_run_states_a_range_and_ends_with_1(self):
        summary, record = self.folder / "s.json", self.folder / "r.jsonl"
        done = hannan("run", *self.PROBLEM, "-d", self.data, "-l", "gftpl", "--set", self.SHORT, "--summary", summary, "--record", record)
        self.assertEqual((done.status, done.err), (1, b""))
        report = json.loads(summary.read_text())
        self.assertEqual((report["best_proven"], report["best_range"]), (False, [report["floor"], report["best"]]))
        self.expect_range(report["best_range"])
        self.assertGreaterEqual(report["oracle_gap"], report["best"] - report["floor"])
        self.assertAlmostEqual(report["regret_range"][1] - report["regret_range"][0], report["best"] - report["floor"])
        self.assertIn("best action in hindsight: not proven, from ", done.out.decode())
        for page in (self.page(summary), self.page(record)):
            self.assertIn("is not proven: ", page)
            self.assertNotRegex(page, r"(more|less)\W[^.]{0,40}than the best fixed")

    def test_a_comparison_states_a_range_gives_no_verdict_and_ends_with_1(self):
        result = self.folder / "result.json"
        done = hannan("compare", *self.PROBLEM, "-d", self.data, "-l", "leader:" + self.SHORT, "-o", result)
        found = json.loads(result.read_text())
        self.assertEqual((done.status, found["best"]["proven"]), (1, False))
        self.expect_range(found["best"]["loss"])
        judged = found["players"][0]["judgement"]
        self.assertEqual((judged["recommendation"], [doubt["doubt"] for doubt in judged["doubts"]]), ("cannot tell", ["unproven best"]))
        self.assertEqual(found["doubts"], judged["doubts"])
        for player in found["players"]:
            self.assertAlmostEqual(player["regret_range"][1] - player["regret_range"][0], found["best"]["loss"][1] - found["best"]["loss"][0])
        self.assertIn("best fixed (not proven)", done.out.decode())
        page = self.page(result)
        self.assertIn("the best fixed decision is not proven", page)
        self.assertIn("is not proven to be the best", page)
        self.assertNotIn("may be chance", page)

    def test_one_learner_that_proves_it_proves_it_for_all(self):
        done = hannan("compare", *self.PROBLEM, "-d", self.data, "-l", "leader:" + self.SHORT, "-l", "leader", "--json")
        found = json.loads(done.out)["best"]
        self.assertEqual((done.status, found["proven"]), (0, True))
        self.assertAlmostEqual(found["loss"][1], self.best)

    def test_an_oracle_says_from_where_to_where(self):
        levels, data = ("level-auction", "--param", "bidders=3", "--param", "levels=6", "--param", "thresholds=3"), self.folder / "levels.jsonl"
        self.ok("simulate", *levels, "--rounds", "60", "-o", data, "-q")
        done = hannan("oracle", *levels, "-d", data, "--oracle", "branch_bound:1")
        self.assertEqual(done.status, 1)
        self.assertRegex(done.out.decode(), r"^best loss over 60 rounds: from [0-9.]+ to [0-9.]+, not proven, by branch_bound")


class OtherDecisions(FolderTest):
    """What is no money is written by its name, in words and as JSON."""

    def written(self, *args):
        decision, rows = self.folder / "d.json", self.folder / "d.csv"
        self.ok(*args, "-q", "--decisions", decision)
        self.ok(*args, "-q", "--decisions", rows)
        return json.loads(decision.read_text()), list(csv.DictReader(rows.read_text().splitlines()))

    def test_an_expert_by_its_name(self):
        data = self.file("losses.csv", b"alice,bob,today\n" + b"0.1,0.9,0.8\n" * 90)
        decision, rows = self.written("compare", "experts", "-d", data, "--as-logged", "today", "-l", "flipflop")
        self.assertEqual((decision["decisions"], decision["verdict"]), ([{"action": "alice", "json": 0}], "deploy"))
        self.assertTrue(decision["says"].startswith("deploy flipflop: "))
        self.assertEqual(rows, [{"action": "alice", "json": "0", "decision": "next", "verdict": "deploy"}])

    def test_a_classifier_in_words_and_as_json(self):
        table = "".join(f"{t % 10},{t % 7},{'yes' if t % 10 >= 4 else 'no'},no\n" for t in range(140))
        data = self.file("cases.csv", ("age,size,good,ours\n" + table).encode())
        flags = ("--from", data, "--param", "label=good", "--as-logged", "ours")
        decision, rows = self.written("compare", "classification", *flags, "--param", "hypotheses=stumps")
        rule = {"feature": "age", "cut": 4, "above": 1}
        self.assertEqual((decision["decisions"], decision["verdict"]), ([{"action": "1 where age >= 4, else 0", "json": rule}], "deploy"))
        self.assertEqual((rows[0]["action"], json.loads(rows[0]["json"]), rows[0]["verdict"]), ("1 where age >= 4, else 0", rule, "deploy"))
        decision, rows = self.written("compare", "classification", *flags, "--param", "hypotheses=trees2")
        self.assertRegex(decision["decisions"][0]["action"], r"^if \w+ >= \d+: \([01] where \w+ >= \S+, else [01]\), else: \([01] where ")
        self.assertEqual(json.loads(rows[0]["json"]), decision["decisions"][0]["json"])

    def test_levels_without_a_cap_are_refused_in_a_sentence(self):
        data = self.file("bids.csv", b"0.5,0.2\n" * 50)
        done = hannan("compare", "vcg-reserves", "--param", "levels=4", "-d", data, "--decisions", self.folder / "d.csv")
        self.assertEqual(done.status, 2)
        self.assertIn(b"H108: --decisions: found levels and no cap, expected --log or --cap", done.err)


class Lowest(FolderTest):
    """With levels the lowest reserve asks for 1/m, and no reserve for nothing."""

    def test_no_reserve_is_what_no_reserve_earns(self):
        data = self.file("x.csv", b"0.3,0\n" * 200)
        result = json.loads(self.ok("compare", "vcg-reserves", "--param", "levels=4", "-d", data, "--json").out)
        money = {player["name"]: player["money"] for player in result["players"]}
        self.assertEqual((result["baseline"], money["no reserve"], money["lowest reserve"], money["best fixed"]), ("no reserve", 0, 50, 50))
        judged = result["players"][0]["judgement"]
        self.assertEqual((judged["recommendation"], judged["gain"]), ("deploy", result["players"][0]["money"]))

    def test_no_ceiling_is_what_no_ceiling_costs(self):
        # Asks of 6 and 8, of which the second sets the price; it costs 10 not to buy, and a ceiling of 5 buys nothing.
        data = self.file("x.jsonl", b'{"bids":[6,8],"outside":10}\n' * 60)
        result = json.loads(self.ok("compare", "vcg-reserves", "--param", "ceilings=[5,4]", "--param", "bidders=2", "-d", data, "--json").out)
        money = {player["name"]: player["money"] for player in result["players"]}
        self.assertEqual((result["baseline"], money["no ceiling"], money["highest ceiling"]), ("no ceiling", 480, 600))


if __name__ == "__main__":
    main()
