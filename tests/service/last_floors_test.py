"""Floors that are the last good ones, none where there is no decision, and prices in money beside every decision."""
import json
import sqlite3

from floors_test import ONE, SET, SHOP, SITES, FloorsTest
from server import main

PRICES = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "prices": [0, 1.25, 2.5]}}, "slots": ["dsp1", "*"]}
LATE = {**SHOP, "learner": {"kind": "ada", "params": {"delayed": True}}}


class LastFloorsTest(FloorsTest):
    def change(self, sql):
        with sqlite3.connect(self.folder / "log.db") as log:
            log.execute(sql)
        log.close()

    def damage(self, sql):
        """As after a kill, with no snapshot, and a log that was changed."""
        self.server.kill()
        self.change("delete from snapshot")
        self.change(sql)
        self.server.start()

    def played(self, name, round_):
        return self.server.json("GET", f"/v1/learners/{name}/decisions/g1.{round_}")["action"]


class InQuarantine(LastFloorsTest):
    def test_without_a_snapshot_they_are_those_of_the_last_row(self):
        self.make("shop", SHOP)
        self.make("one", ONE)
        self.put("/v1/floors/site", SET)
        for i in range(40):
            self.tell("shop", {"id": str(i), "outcome": [0.5, i % 9 / 9]})
        actions = {t: self.played("shop", t) for t in (20, 39, 40)}
        for t, last in ((20, 40), (40, 39)):  # a row in the middle, and the last one itself
            self.damage(f"""update round set line = replace(line, '"loss":', '"loss":9') where t = {t}""")
            self.assertEqual(self.server.ask("GET", "/v1/learners/shop/decision")[0], 500)
            for _ in range(2):
                headers, file = self.floors("/v1/learners/shop/floors.json")
                self.assertIn("110", headers["Warning"])
                self.assertEqual(file["modelVersion"], f"g1.{last}")
                self.assertEqual(list(file["values"].values()), [round(level * 0.4, 4) for level in actions[last]])
            headers, file = self.floors("/v1/floors/site.json")
            self.assertIn("110", headers["Warning"])
            self.assertIn(f"shop=g1.{last}", file["modelVersion"])
            self.server.kill()
            self.change(f"""update round set line = replace(line, '"loss":9', '"loss":') where t = {t}""")
            self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/shop/decision")[0], 200)  # nothing else was changed

    def test_by_hand_they_stay_and_are_found_after_a_kill(self):
        self.make("shop", SHOP)
        for i in range(9):
            self.tell("shop", {"id": str(i), "outcome": [0.5, i / 9]})
        before = self.floors("/v1/learners/shop/floors.json")[1]
        self.assertEqual(self.server.ask("POST", "/v1/learners/shop/quarantine")[0], 200)
        headers, file = self.floors("/v1/learners/shop/floors.json")
        self.assertEqual((file, "110" in headers["Warning"]), (before, True))
        self.server.kill()
        self.server.start()
        headers, file = self.floors("/v1/learners/shop/floors.json")
        self.assertEqual((file["modelVersion"], set(file["values"]), "110" in headers["Warning"]), ("g1.9", {"dsp1", "*"}, True))
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/shop/quarantine")[0], 200)
        self.assertEqual(self.server.json("GET", "/v1/learners/shop/decision")["decision"], "g1.10")
        self.assertEqual(self.floors("/v1/learners/shop/floors.json")[1], before)

    def test_those_of_segments_are_built_as_far_as_the_log_goes(self):
        self.make("sites", SITES)
        for i in range(8):
            self.tell("sites", {"id": str(i), "outcome": [0.5], "context": ["de", "a"]})
        self.make("same", SITES)
        for i in range(6):
            self.tell("same", {"id": str(i), "outcome": [0.5], "context": ["de", "a"]})
        sixth = self.floors("/v1/learners/same/floors.json")[1]
        self.damage("""update round set line = replace(line, '"loss":', '"loss":9') where t = 7""")  # of the first alone: the second has six
        for _ in range(2):
            headers, file = self.floors("/v1/learners/sites/floors.json")
            self.assertEqual((file["modelVersion"], "110" in headers["Warning"]), ("g1.7", True))
            self.assertEqual(file, sixth)

    def test_where_nothing_was_decided_the_answer_is_an_error(self):
        self.make("shop", SHOP)
        self.tell("shop", {"id": "0", "outcome": [0.5, 0.5]})
        self.damage("update round set line = 'no line' where t = 1")
        headers, answer = self.floors("/v1/learners/shop/floors.json", 500)
        self.assertEqual((answer["error"]["code"], headers["Cache-Control"]), ("H900", "no-store"))


class WithoutADecision(LastFloorsTest):
    def test_there_is_no_file_that_caches_could_keep(self):
        self.make("late", LATE)
        self.make("one", ONE)
        rules = [{"key": ["Top", "banner"], "learner": "late", "slot": "dsp1"}, {"key": ["side", "*"], "learner": "one"}]
        self.put("/v1/floors/site", {**SET, "rules": rules})
        self.put("/v1/floors/alone", {**SET, "rules": rules[:1]})
        for path in ("/v1/learners/late/floors.json", "/v1/learners/late/floors.json?schema=2", "/v1/floors/alone.json"):
            headers, answer = self.floors(path, 404)
            self.assertEqual((answer["error"]["code"], headers["Cache-Control"]), ("H107", "no-store"), path)
        headers, file = self.floors("/v1/floors/site.json")
        self.assertEqual((list(file["values"]), "199" in headers["Warning"]), (["side|*"], True))
        self.assertEqual(self.server.ask("POST", "/v1/learners/late/decisions")[0], 201)
        for path in ("/v1/learners/late/floors.json", "/v1/floors/alone.json", "/v1/floors/site.json"):
            self.assertIsNone(self.floors(path)[0].get("Warning"), path)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.floors("/v1/learners/late/floors.json")[1]["modelVersion"], "g1.1")


class Currency(LastFloorsTest):
    def test_none_is_said_that_is_not_stated(self):
        body = {name: value for name, value in SHOP.items() if name != "currency"}
        made = self.put("/v1/learners/shop", body)
        self.assertIn("no currency stated", made["floors"]["note"])
        self.assertEqual(made["money"]["currency"], "")
        self.put("/v1/learners/prices", PRICES)
        rules = [{"key": ["Top", "banner"], "learner": "shop", "slot": "dsp1"}]
        self.put("/v1/floors/site", {**SET, "rules": rules})
        for path in ("/v1/learners/shop/floors.json", "/v1/learners/prices/floors.json", "/v1/floors/site.json"):
            for schema in (1, 2):
                self.assertNotIn("currency", json.dumps(self.floors(f"{path}?schema={schema}")[1]), path)
        self.assertNotIn("note", self.put("/v1/learners/euro", SHOP)["floors"])


class Prices(LastFloorsTest):
    LIST = [0, 1.25, 2.5]

    def test_of_lists_stand_beside_every_decision(self):
        self.make("shop", PRICES)
        self.make("unnamed", {"problem": PRICES["problem"]})
        capped = {"kind": "vcg-reserves", "params": {**PRICES["problem"]["params"], "cap": 5}}
        self.make("sites", {**PRICES, "problem": capped, "learner": {"params": {"by": ["site"]}}})
        for i in range(12):
            for name in ("shop", "unnamed", "sites"):
                more = {"context": ["a"]} if name == "sites" else {}
                answer = self.tell(name, {"id": str(i), "outcome": [2.5, 1.25 + i % 2], **more})
                if name == "shop":
                    self.check(answer["next"], ("dsp1", "*"))
        self.check(self.server.json("GET", "/v1/learners/shop/decision"), ("dsp1", "*"))
        self.check(self.server.json("GET", "/v1/learners/shop/decisions/g1.7"), ("dsp1", "*"))
        self.check(self.server.json("GET", "/v1/learners/unnamed/decision"), ("1", "2"))
        self.check(self.server.json("GET", "/v1/learners/sites/decision?context=a"), ("dsp1", "*"))
        past = self.server.json("GET", "/v1/learners/sites/decisions/g1.7")
        self.check({**past["nodes"][past["pick"]], "prices": past["prices"]}, ("dsp1", "*"))
        decision = self.server.json("GET", "/v1/learners/shop/decision")
        self.assertEqual(self.floors("/v1/learners/shop/floors.json")[1]["values"], decision["prices"])

    def check(self, decision, names):
        self.assertEqual(decision["prices"], {name: self.LIST[at] for name, at in zip(names, decision["action"])})

    def test_of_levels_are_named_by_slots_or_numbers(self):
        self.make("shop", SHOP)
        self.make("one", ONE)
        decision = self.server.json("GET", "/v1/learners/shop/decision")
        self.assertEqual(decision["prices"], dict(zip(("dsp1", "*"), (level / 10 * 4.0 for level in decision["action"]))))
        decision = self.server.json("GET", "/v1/learners/one/decision")
        self.assertEqual(decision["prices"], {"1": decision["action"][0] / 8 * 2.0})

    def test_shares_and_levels_without_a_cap_are_no_prices(self):
        shares = {"kind": "vcg-reserves", "params": {"shares": [[1, 0.9, 0.8], [1, 0.9]], "units": 1, "direction": "reverse"}}
        for name, problem in (("shares", shares), ("levels", SHOP["problem"]), ("e", {"kind": "experts", "params": {"experts": 2}})):
            self.make(name, {"problem": problem})
            self.assertNotIn("prices", self.server.json("GET", f"/v1/learners/{name}/decision"))


if __name__ == "__main__":
    main()
