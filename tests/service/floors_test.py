"""Price floors: of a learner, of its segments, of sets of learners; caches, schemas, and what is left when others fail."""
import gzip
import hashlib
import json
import pathlib
import shlex
import sqlite3

import server
from delay_test import PipeTest
from server import main

SHOP = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 2, "levels": 10}}, "slots": ["dsp1", "*"], "cap": 4.0,
        "currency": "EUR"}
ONE = {"problem": {"kind": "vcg-reserves", "params": {"bidders": 1, "levels": 8}}, "cap": 2.0, "currency": "EUR"}
SITES = {**ONE, "learner": {"params": {"by": ["country", "site"], "open": 2}},
         "floors": {"fields": ["site=domain"]}}
SET = {"fields": ["adUnitCode", "mediaType"], "skip_rate": 5, "max_age": 60, "public": True,
       "rules": [{"key": ["Top", "banner"], "learner": "one"}, {"key": ["side", "*"], "learner": "shop", "slot": "dsp1"}]}


class FloorsTest(PipeTest):
    def floors(self, path, status=200, headers=None):
        found, got, body = self.server.ask("GET", path, headers=headers)
        self.assertEqual(found, status, body)
        return got, json.loads(body) if body else None

    def put(self, path, body, status=201):
        found, _, answer = self.server.ask("PUT", path, body)
        self.assertEqual(found, status, answer)
        return json.loads(answer)


class OfALearner(FloorsTest):
    def test_both_schemas_with_tags_and_times_for_caches(self):
        made = self.put("/v1/learners/shop", {**SHOP, "floors_age": 30})
        self.assertEqual(made["floors"], {"fields": ["bidder"], "prebid_js": True, "prebid_server": False})
        headers, one = self.floors("/v1/learners/shop/floors.json")
        self.assertEqual((headers["Cache-Control"], headers["Access-Control-Allow-Origin"]), ("public, max-age=30", "*"))
        self.assertEqual((one["floorsSchemaVersion"], one["modelVersion"], set(one["values"])), (1, "g1.1", {"dsp1", "*"}))
        again, _ = self.floors("/v1/learners/shop/floors.json", 304, {"If-None-Match": f'"x", {headers["ETag"]}'})
        self.assertEqual(again["ETag"], headers["ETag"])
        other, two = self.floors("/v1/learners/shop/floors.json?schema=2")
        self.assertNotEqual(other["ETag"], headers["ETag"])
        self.assertEqual(two["modelGroups"][0]["values"], one["values"])
        self.tell("shop", {"id": "1", "unit": "money", "outcome": [3.5, 1.0]})
        self.assertEqual(self.floors("/v1/learners/shop/floors.json")[1]["modelVersion"], "g1.2")

    def test_other_learners_have_none(self):
        reverse = {"kind": "vcg-reserves", "params": {"ceilings": [[3, 2, 1], [4, 1]], "units": 1}}
        for name, problem in (("e", {"kind": "experts", "params": {"experts": 2}}), ("r", reverse)):
            made = self.put(f"/v1/learners/{name}", {"problem": problem})
            self.assertIsNone(made["floors"])
            self.assertIsNone(self.server.json("GET", f"/v1/learners/{name}")["floors"])
            self.assertEqual(self.floors(f"/v1/learners/{name}/floors.json", 400)[1]["error"]["code"], "H108")
            rules = [{"key": ["*"], "learner": name, "slot": "1"}]
            refused = self.put("/v1/floors/none", {"fields": ["gptSlot"], "rules": rules}, 400)
            self.assertEqual(refused["error"]["code"], "H108")
        self.put("/v1/learners/s", {**SITES, "floors": {"fields": ["hour=domain"]}}, 400)

    def test_segments_are_those_of_the_pipe(self):
        made = self.put("/v1/learners/sites", SITES)
        self.assertEqual(made["floors"], {"fields": ["country", "domain"], "prebid_js": True, "prebid_server": True})
        # Each site has a bid of its own, so that one reserve for all is bad.
        lines = [{"id": str(i), "context": [("de", "fr")[i % 2], "abc"[i % 3]], "outcome": [(1 + i % 6) / 8]}
                 for i in range(600)]
        for part in (lines[:300], lines[300:]):
            self.tell("sites", {"outcomes": part})
            headers, one = self.floors("/v1/learners/sites/floors.json")
            self.assertEqual(self.floors("/v1/learners/sites/floors.json")[0]["ETag"], headers["ETag"])
            pipe = self.pipe(state=self.server.json("GET", "/v1/learners/sites/state"))
            same = pipe.ask(op="floors", **{"in": "me"}, cap=2.0, currency="EUR", fields=["country", "domain"])["floors"]
            self.assertEqual({**same, "modelVersion": one["modelVersion"]}, one)
        self.assertEqual(one["modelVersion"], "g1.601")
        self.assertGreater(len(one["values"]), 1)
        packed = self.server.ask("GET", "/v1/learners/sites/floors.json", headers={"Accept-Encoding": "br, gzip"})
        self.assertGreaterEqual(len(json.dumps(one, separators=(",", ":"))), 256)
        self.assertEqual(packed[1]["Content-Encoding"], "gzip")
        self.assertEqual(json.loads(gzip.decompress(packed[2])), one)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.floors("/v1/learners/sites/floors.json")[1], one)


class OfASet(FloorsTest):
    def setUp(self):
        super().setUp()
        self.make("one", ONE)
        self.make("shop", SHOP)

    def test_rules_of_several_learners_in_one_file_that_survives(self):
        self.put("/v1/floors/site", SET)
        self.put("/v1/floors/site", SET, 200)
        headers, file = self.floors("/v1/floors/site.json")
        self.assertEqual(headers["Cache-Control"], "public, max-age=60")
        self.assertEqual((file["modelVersion"], file["skipRate"], file["currency"]), ("one=g1.1,shop=g1.1", 5, "EUR"))
        self.assertEqual(file["schema"], {"delimiter": "|", "fields": ["adUnitCode", "mediaType"]})
        own = self.floors("/v1/learners/shop/floors.json")[1]
        self.assertEqual(file["values"]["side|*"], own["values"]["dsp1"])
        self.assertEqual(set(file["values"]), {"top|banner", "side|*"})
        self.assertEqual(self.floors("/v1/floors/site.json", 304, {"If-None-Match": headers["ETag"]})[1], None)
        self.server.kill()
        self.server.start()
        self.assertEqual(self.floors("/v1/floors/site.json")[1], file)
        self.assertEqual(self.server.json("GET", "/v1/floors/site")["models"][0]["weight"], 100)
        self.server.ask("DELETE", "/v1/learners/shop")
        headers, file = self.floors("/v1/floors/site.json")
        self.assertIn("199", headers["Warning"])
        self.assertEqual(set(file["values"]), {"top|banner"})
        self.assertEqual(self.server.ask("DELETE", "/v1/floors/site")[0], 204)
        self.floors("/v1/floors/site.json", 404)
        self.server.stop()
        self.server.start()
        self.floors("/v1/floors/site.json", 404)
        self.assertEqual([one["name"] for one in self.server.json("GET", "/v1/learners")["learners"]], ["one"])

    def test_two_learners_side_by_side_need_schema_two(self):
        self.make("other", ONE)
        rule = {"key": ["*"]}
        self.put("/v1/floors/trial", {"fields": ["gptSlot"], "models": [
            {"weight": 90, "rules": [{**rule, "learner": "one"}]}, {"weight": 10, "rules": [{**rule, "learner": "other"}]}]})
        groups = self.floors("/v1/floors/trial.json?schema=2")[1]["modelGroups"]
        self.assertEqual([(g["modelWeight"], g["modelVersion"]) for g in groups], [(90, "one=g1.1"), (10, "other=g1.1")])
        self.assertEqual(self.floors("/v1/floors/trial.json", 400)[1]["error"]["code"], "H108")

    def test_a_model_without_learners_is_left_out(self):
        self.make("other", ONE)
        self.put("/v1/floors/trial", {"fields": ["gptSlot"], "models": [
            {"weight": weight, "rules": [{"key": ["*"], "learner": name}]} for name, weight in (("one", 90), ("other", 10))]})
        self.server.ask("DELETE", "/v1/learners/one")
        headers, file = self.floors("/v1/floors/trial.json?schema=2")
        self.assertTrue(headers["Warning"].startswith("199"), headers["Warning"])
        self.assertEqual([(g["modelWeight"], g["modelVersion"]) for g in file["modelGroups"]], [(10, "other=g1.1")])
        self.assertEqual((file["currency"], file["floorMin"]), ("EUR", file["modelGroups"][0]["default"]))
        self.server.ask("DELETE", "/v1/learners/other")
        self.assertEqual(self.floors("/v1/floors/trial.json?schema=2", 404)[1]["error"]["code"], "H107")

    def test_a_learner_that_was_made_again_and_does_not_fit_is_left_out(self):
        self.put("/v1/floors/site", SET)
        whole = self.floors("/v1/floors/site.json")[1]
        experts = {"problem": {"kind": "experts", "params": {"experts": 3}}}
        three = {**SHOP, "problem": {"kind": "vcg-reserves", "params": {"bidders": 3, "levels": 10}}, "slots": ["a", "b", "c"]}
        by_site = {**SHOP, "learner": {"params": {"by": ["site"]}}}
        for other in ({**SHOP, "currency": "JPY"}, experts, three, by_site):
            self.server.ask("DELETE", "/v1/learners/shop?purge=true")
            self.make("shop", other)
            for schema in (1, 2):
                headers, file = self.floors(f"/v1/floors/site.json?schema={schema}")
                self.assertTrue(headers["Warning"].startswith("199"), headers["Warning"])
                values = file["values"] if schema == 1 else file["modelGroups"][0]["values"]
                self.assertEqual((file["currency"], set(values)), ("EUR", {"top|banner"}), other)
        # Its currency is that of the first rule that is left.
        self.server.ask("DELETE", "/v1/learners/one")
        self.floors("/v1/floors/site.json", 404)
        self.server.ask("DELETE", "/v1/learners/shop?purge=true")
        self.make("shop", {**SHOP, "currency": "JPY"})
        self.assertEqual(self.floors("/v1/floors/site.json")[1]["currency"], "JPY")
        self.server.ask("DELETE", "/v1/learners/one?purge=true")
        self.server.ask("DELETE", "/v1/learners/shop?purge=true")
        self.make("one", ONE)
        self.make("shop", SHOP)
        headers, file = self.floors("/v1/floors/site.json")
        self.assertEqual((file, "Warning" in headers), (whole, False))

    def test_models_of_two_currencies_are_not_one_file(self):
        self.make("other", ONE)
        self.put("/v1/floors/trial", {"fields": ["gptSlot"], "models": [
            {"rules": [{"key": ["*"], "learner": name}]} for name in ("one", "other")]})
        self.server.ask("DELETE", "/v1/learners/other?purge=true")
        self.make("other", {**ONE, "currency": "JPY"})
        headers, file = self.floors("/v1/floors/trial.json?schema=2")
        self.assertIn("199", headers["Warning"])
        self.assertEqual([(g["modelVersion"], g["currency"]) for g in file["modelGroups"]], [("one=g1.1", "EUR")])

    def test_what_no_file_can_say_is_refused(self):
        self.make("sites", SITES)
        self.make("dollars", {**ONE, "currency": "USD"})
        rule = SET["rules"][0]
        for change, code in [({"rules": []}, "H105"), ({"rules": [{**rule, "key": ["top"]}]}, "H105"),
                             ({"rules": [rule, rule]}, "H105"), ({"rules": [{**rule, "learner": "none"}]}, "H107"),
                             ({"rules": [{**rule, "learner": "shop"}]}, "H106"),
                             ({"rules": [{**rule, "learner": "sites"}]}, "H108"),
                             ({"rules": [rule, {"key": ["x", "y"], "learner": "dollars"}]}, "H105"),
                             ({"unknown": 1}, "H103"), ({"fields": []}, "H206")]:
            answer = self.server.ask("PUT", "/v1/floors/bad", {**SET, **change})
            self.assertIn(answer[0], (400, 404), change)
            self.assertIn(json.loads(answer[2])["error"]["code"], (code,), change)
        self.assertEqual(self.server.ask("PUT", "/v1/floors/a.json", SET)[0], 400)
        self.floors("/v1/floors/bad.json", 404)


class LastToFail(FloorsTest):
    FLAGS = ("--snapshot-every", "5")

    def test_a_learner_in_quarantine_has_the_floors_of_its_snapshot(self):
        self.make("shop", SHOP)
        self.make("one", ONE)
        self.put("/v1/floors/site", SET)
        for i in range(8):
            self.tell("shop", {"id": str(i), "outcome": [0.5, i / 8]})
        self.server.kill()
        log = sqlite3.connect(self.folder / "log.db")
        log.execute("update round set line = replace(line, '\"loss\":', '\"loss\":9') where t = 7")
        log.commit()
        log.close()
        self.server.start()
        self.assertEqual(self.server.ask("GET", "/v1/learners/shop/decision")[0], 500)
        headers, file = self.floors("/v1/learners/shop/floors.json")
        self.assertIn("110", headers["Warning"])
        self.assertEqual(file["modelVersion"], "g1.6")
        # Both warnings of a set stand in one header.
        self.assertEqual(self.server.ask("DELETE", "/v1/learners/one")[0], 204)
        warning = self.floors("/v1/floors/site.json")[0]["Warning"]
        self.assertEqual([part.split()[0] for part in warning.split(", ")], ["110", "199"], warning)


class FullDisk(FloorsTest):
    def start_limited(self, blocks):
        """The service, whose files may have so many blocks of 512 bytes."""
        script, whole = self.folder / "limited", server.BINARY
        script.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f {blocks}\nexec {shlex.quote(str(pathlib.Path(whole).resolve()))} \"$@\"\n")
        script.chmod(0o755)
        server.BINARY = str(script)
        try:
            self.server.start()
        finally:
            server.BINARY = whole

    def test_floors_go_on_when_nothing_can_be_written(self):
        self.make("one", ONE)
        self.make("shop", SHOP)
        self.make("sites", SITES)
        self.put("/v1/floors/site", SET)
        self.assertEqual(self.server.stop()[0], 0)
        self.start_limited(700)
        told = dict.fromkeys(("shop", "sites"), 0)
        bodies = {"shop": {"outcome": [0.5, 0.25]}, "sites": {"outcome": [0.5], "context": ["de", "a"]}}
        refused = []
        # A log that is full is closed, which makes it short again, until the file itself is full.
        while len(refused) < 8:
            self.assertLess(sum(told.values()), 4000, "the limit was never reached")
            for name, body in bodies.items():
                lines = "".join(json.dumps({"id": f"{told[name] + i}", **body}) + "\n" for i in range(20))
                status, _, answer = self.server.ask("POST", f"/v1/learners/{name}/outcomes", lines,
                                                    {"Content-Type": "application/x-ndjson"})
                if status == 200:
                    told[name] += 20
                    refused.clear()
                else:
                    self.assertEqual((status, json.loads(answer)["error"]["code"]), (503, "H821"))
                    refused.append(name)
                self.floors(f"/v1/learners/{name}/floors.json")
        self.assertGreater(told["shop"], 0)
        headers, shop = self.floors("/v1/learners/shop/floors.json")
        self.assertEqual(shop["modelVersion"], f"g1.{told['shop'] + 1}")
        self.assertIn("110", headers["Warning"])
        self.assertIn("110", self.floors("/v1/floors/site.json")[0]["Warning"])
        self.assertEqual(self.floors("/v1/learners/sites/floors.json")[1]["modelVersion"], f"g1.{told['sites'] + 1}")
        status, headers, _ = self.server.ask("GET", "/v1/learners/shop/decision")
        self.assertEqual((status, "Warning" in headers), (200, True))
        self.server.kill()
        self.server.start()  # there is space again, and nothing acknowledged is lost
        for name, count in told.items():
            self.assertEqual(self.server.json("GET", f"/v1/learners/{name}/decision" +
                                              ("?context=de,a" if name == "sites" else ""))["round"], count + 1)


class Public(FloorsTest):
    def test_what_is_public_needs_no_token(self):
        self.make("one", {**ONE, "public": ["floors"]})
        self.make("shop", SHOP)
        self.put("/v1/floors/site", SET)
        self.put("/v1/floors/own", {**SET, "public": False})
        self.server.stop()
        tokens = self.folder / "tokens.txt"
        tokens.write_text("\n".join(f"{hashlib.sha256(t.encode()).hexdigest()} {scope} {pattern} {t}" for t, scope, pattern in
                                    [("root", "admin", "*"), ("half", "read,admin", "o*")]) + "\n")
        self.server.flags = ("--tokens", str(tokens))
        self.server.start()
        half = {"Authorization": "Bearer half"}
        for path, status in (("/v1/learners/one/floors.json", 200), ("/v1/learners/shop/floors.json", 401),
                             ("/v1/floors/site.json", 200), ("/v1/floors/own.json", 401), ("/v1/floors/site", 401)):
            self.assertEqual(self.server.ask("GET", path)[0], status, path)
        # A cache in front must not give to all what needs a token.
        for path, who in (("/v1/floors/own.json", "private"), ("/v1/floors/site.json", "public"),
                          ("/v1/learners/one/floors.json", "public")):
            status, headers, _ = self.server.ask("GET", path, headers=half)
            self.assertEqual((status, headers["Cache-Control"].split(",")[0]), (200, who), path)
        # One who may not read a learner may not publish its floors.
        self.assertEqual(self.server.ask("PUT", "/v1/floors/open", SET, half)[0], 403)
        self.assertEqual(self.server.ask("PUT", "/v1/floors/open", SET, {"Authorization": "Bearer root"})[0], 201)


if __name__ == "__main__":
    main()
