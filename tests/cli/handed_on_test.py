"""What a comparison says and hands on: floors for bidders with and without a slot, the action that was judged, and logs whose
replay leaves something open. Expected figures are computed here, by no code of the program."""
import json
import re

from compared_logs import ComparedLogs
from floors_rules import faults, floor_for
from program import FolderTest, hannan, main


class HandedOn(ComparedLogs):
    def compared(self, problem, log, *flags):
        return super().compared(problem, "-d", log, "--format", "long", "-q", *flags)[0]

    def many_bidders(self):
        rows = []
        for i in range(200):
            rows += [(i, "big", 10), (i, f"s{i % 50}", 3), (f"x{i}", f"s{i % 50}", 4), (f"x{i}", f"t{i % 50}", 3)]
        return self.log(("round", "bidder", "bid"), rows)


class Floors(HandedOn):
    def floors(self, *flags):
        self.compared("vcg-reserves", self.many_bidders(), "--prices", "0,4,8", "--floors", self.folder / "f.json", *flags)
        floors = json.loads((self.folder / "f.json").read_text())
        self.assertEqual(faults(floors, ["bidder"]), [])
        return floors

    def test_bidders_without_a_slot_have_none(self):
        floors = self.floors("-n", "1")
        self.assertEqual(floor_for(floors, "big"), 8)
        self.assertEqual(floor_for(floors, "s7"), 0)

    def test_one_price_for_all_is_that_of_everybody(self):
        floors = self.floors("--slots", "all")
        self.assertEqual(floor_for(floors, "big"), floor_for(floors, "never seen"))
        self.assertGreater(floor_for(floors, "big"), 0)

    def test_a_currency_that_was_not_stated_is_not_written(self):
        note = "no currency stated: Prebid takes these floors as USD"
        for schema in ((), ("--floors-schema", "2")):
            done = hannan("compare", "vcg-reserves", "-d", self.many_bidders(), "--format", "long", "--slots", "all", "--prices", "0,4,8",
                          "--floors", self.folder / "f.json", *schema)
            self.assertEqual(done.status, 0, done.err)
            floors = json.loads((self.folder / "f.json").read_text())
            group = floors["modelGroups"][0] if schema else floors
            self.assertNotIn("currency", json.dumps(floors).replace(note, ""))
            self.assertTrue(group["modelVersion"].startswith(note + "; hannan, "), group["modelVersion"])
        stated = self.floors("--slots", "all", "--currency", "EUR")
        self.assertEqual(stated["currency"], "EUR")
        self.assertNotIn("Prebid", stated["modelVersion"])

    def test_reserves_of_a_run_state_no_currency_either(self):
        bids = self.file("bids.csv", b"a,b\n" + b"0.8,0.3\n" * 50)
        for currency, found in (([], None), (["--currency", "JPY"], "JPY")):
            self.ok("run", "vcg-reserves", "--param", "bidders=2", "--param", "levels=4", "-d", bids, "--cap", "5", *currency, "-q", "--floors", self.folder / "f.json")
            floors = json.loads((self.folder / "f.json").read_text())
            self.assertEqual(faults(floors, ["bidder"]), [])
            self.assertEqual(floors.get("currency"), found)

    def test_segments_keep_others_apart_from_the_only_slot(self):
        rows = [(i, who, bid, "de" if i % 2 else "us") for i in range(160) for who, bid in (("big", 10), (f"s{i % 40}", 3))]
        log = self.log(("round", "bidder", "bid", "country"), rows)
        self.compared("vcg-reserves", log, "-n", "1", "--prices", "0,4,8", "--param", "cap=10", "--by", "country", "--anyway", "--floors",
                      self.folder / "f.json")
        floors = json.loads((self.folder / "f.json").read_text())
        self.assertEqual(floors["schema"]["fields"], ["country", "bidder"])
        self.assertEqual(floor_for(floors, "de", "s3"), 0)
        self.assertGreater(floor_for(floors, "de", "big"), 0)

    def test_prices_by_rank_are_not_judged_and_not_written(self):
        rank = ["--slots", "rank", "-n", "2", "--prices", "0,4,8"]
        result = self.compared("vcg-reserves", self.many_bidders(), *rank)
        self.assertEqual(result["players"][0]["judgement"]["recommendation"], "cannot tell")
        self.assertIn("ranks are not known", result["as_logged"]["asks"][0])
        done = hannan("compare", "vcg-reserves", "-d", self.folder / "log.csv", "--format", "long", *rank, "--floors", self.folder / "f.json")
        self.assertIn(b"H108", done.err)
        self.assertFalse((self.folder / "f.json").exists())


class Judged(HandedOn):
    def test_the_best_that_is_written_is_the_one_that_was_judged(self):
        rows = [(i, who, bid) for i in range(200) for who, bid in (("a", 5 if i < 120 else 20), ("b", 1))]
        result = self.compared("vcg-reserves", self.log(("round", "bidder", "bid"), rows), "--prices", "0,5,20", "--export", "best", "--holdout",
                               "0.4", "--decisions", self.folder / "d.json", "--floors", self.folder / "f.json")
        self.assertEqual(result["holdout"]["action"], [1, 0])
        decided = json.loads((self.folder / "d.json").read_text())
        self.assertEqual([one["reserve"] for one in decided["decisions"]], [5, 0])
        self.assertEqual((decided["rounds"], decided["gain"]), (120, 80 * 5 - 80 * 1))
        self.assertEqual(json.loads((self.folder / "f.json").read_text())["values"]["a"], 5)


class Open(HandedOn):
    """Of the winner's bid the log shows only what was paid: a reserve of 6 earned between nothing and 480, as logged it was 240."""

    def test_nothing_is_ruled_out_that_the_log_hides(self):
        log = self.log(("round", "bidder", "bid", "open"), [(i, f"w{i}", 3, 3) for i in range(80)])
        how = ["--slots", "all", "--opening", "open", "--top-hidden", "--prices", "0,6", "--currency", "USD"]
        result = self.compared("vcg-reserves", log, *how)
        self.assertEqual(result["players"][0]["judgement"]["recommendation"], "cannot tell")
        self.assertAlmostEqual(result["most_fixed_gain"], 80 * 6 - 80 * 3)
        page = self.page
        self.assertFalse("Nothing to win" in page)
        self.assertTrue("may be as high as +240\u00a0USD; nothing is sure" in page)
        # A list whose highest price is hardly more can gain no more than a hundredth.
        how[how.index("0,6")] = "0,3.02"
        result = self.compared("vcg-reserves", log, *how)
        self.assertEqual(result["players"][0]["judgement"]["recommendation"], "keep")


class OwnLog(HandedOn):
    def test_what_was_paid_must_be_said(self):
        log = self.log(("price", "worth", "paid"), [(4 + i % 5, 10, 9.5) for i in range(80)])
        how = ["--bid", "price", "--value", "worth"]
        unsaid = self.compared("first-price-bidding", log, *how)
        self.assertEqual(unsaid["players"][0]["judgement"]["recommendation"], "cannot tell")
        self.assertIn("--paid", unsaid["as_logged"]["asks"][0])
        self.assertIn(b"at least 480 paid", hannan("compare", "first-price-bidding", "-d", log, "--format", "long", *how).out)
        said = self.compared("first-price-bidding", log, *how, "--paid", "paid")
        self.assertNotIn("asks", said["as_logged"])
        self.assertEqual((said["as_logged"]["rule"], said["players"][0]["judgement"]["recommendation"]), (760, "deploy"))
        second = self.compared("first-price-bidding", log, *how, "--paid", "price")
        self.assertEqual((second["as_logged"]["rule"], second["players"][0]["judgement"]["recommendation"]), (480, "keep"))


class Costs(FolderTest):
    def test_more_cost_has_no_sign_that_says_less(self):
        table = self.file("c.csv", b"a,b\n" + b"".join(b"0.2,0.%d\n" % (3 + i % 3) for i in range(80)))
        out = self.ok("compare", "experts", "-d", table, "--fixed", "a", "-l", "hedge", "-o", self.folder / "c.json").out.decode()
        self.assertRegex(out, r"would have cost [0-9.]+ more than a, [0-9.]+ % \(95 % range [0-9.]+ more cost to [0-9.]+ more cost\)")
        self.ok("report", self.folder / "c.json", "-o", self.folder / "c.html", "-q")
        page = (self.folder / "c.html").read_text()
        self.assertTrue(re.search("such decisions lose between [0-9.]+ more and [0-9.]+ more over as many rounds", page))


if __name__ == "__main__":
    main()
