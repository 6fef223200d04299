"""The decisions of segments as price floors: `hannan run --by --floors`, against Prebid's documented choice of a rule (floors_rules.py)."""
import itertools
import json
import math
import random
import shutil
import subprocess

from floors_rules import faults, floor_for, one_model
from program import FolderTest, hannan, main

COUNTRIES, SITES = ["DE", "fr", "us"], ["a.com", "b|c.com", "d*.com"]
LEVELS, CAP = 10, 4


def key(value):
    return value.lower().replace("|", "_").replace("*", "_")


def visited(report):
    """The map from the weights of the nodes: from the root, below while below has more weight."""
    nodes = {tuple(n["segment"]): n for n in report["nodes"]}
    reached = {}
    for segment in sorted(nodes, key=len):
        above = segment[:-1]
        if not segment or (above in reached and nodes[above]["weight"] < 0.5):
            reached[segment] = nodes[segment]["action"]
    return reached


class Floors(FolderTest):
    def table(self, rounds=400, bidders=1, empty=False, name="bids.csv"):
        """A country has a price of its own, and in DE so has a site."""
        coins = random.Random(5)
        lines = [",".join(["country", "site"] + [f"Bidder{i}" for i in range(bidders)])]
        for t in range(rounds):
            country, site = coins.choice(COUNTRIES + [""] * empty), coins.choice(SITES)
            price = 0.25 + 0.2 * (COUNTRIES + [""]).index(country) + (0.15 * SITES.index(site) if country == "DE" else 0)
            bids = [round(min(1, price + 0.1 * i + coins.choice([0, 0, 0.01])), 3) for i in range(bidders)]
            lines.append(",".join([country, site, *map(str, bids)]))
        return self.file(name, ("\n".join(lines) + "\n").encode())

    def command(self, table, *flags, bidders=1, verb="run"):
        return [verb, "vcg-reserves", "--param", f"bidders={bidders}", "--param", f"levels={LEVELS}", "-d", table, "--cap", CAP,
                *(["--by", "country,site"] if "--by" not in flags else []), *flags]

    def floors(self, table, *flags, bidders=1, verb="run"):
        """The file, and the report of the learner."""
        path = self.folder / "floors.json"
        done = self.ok(*self.command(table, "--floors", path, "--json", *flags, bidders=bidders, verb=verb))
        report = json.loads(done.out)
        return json.loads(path.read_text()), report["players"][0]["report"] if verb == "compare" else report

    def money(self, level):
        return math.ceil(level / LEVELS * CAP * 1e4 - 1e-6) / 1e4

    def test_prebid_picks_the_deepest_visited_segment(self):
        table = self.table()
        for verb, schema in itertools.product(("run", "compare"), ("1", "2")):
            file, report = self.floors(table, "--floors-schema", schema, "--currency", "EUR", verb=verb)
            self.assertEqual(file["floorsSchemaVersion"], int(schema))
            self.assertEqual("modelGroups" in file, schema == "2")
            floors = one_model(file)
            self.assertEqual(faults(floors, ["country", "site"]), [])
            self.assertEqual((floors["currency"], floors["schema"]["fields"]), ("EUR", ["country", "site"]))
            here = visited(report)
            self.assertEqual(here, {tuple(v["segment"]): v["action"] for v in report["map"]})
            self.assertGreater(max(map(len, here)), 1, "otherwise nothing is tested")
            self.assertIn(("fr",), here)
            for country, site in itertools.product(COUNTRIES + ["unseen"], SITES + ["unseen.com"]):
                deepest = max((s for s in here if s == (country, site)[:len(s)]), key=len)
                self.assertEqual(floor_for(floors, key(country), key(site)), self.money(here[deepest][0]), (country, site))
            self.assertEqual(floors["default"], self.money(here[()][0]))
            # What it would fall back to is not written again.
            for rule, floor in floors["values"].items():
                without = {k: v for k, v in floors["values"].items() if k != rule}
                if rule != "*|*":
                    self.assertNotEqual(floor_for({**floors, "values": without}, *rule.replace("*", "?").split("|")), floor, rule)

    def test_the_bidder_is_the_last_field_and_every_segment_names_every_slot(self):
        file, report = self.floors(self.table(bidders=3), bidders=3)
        self.assertEqual(file["schema"]["fields"], ["country", "site", "bidder"])
        self.assertEqual(faults(file, ["country", "site", "bidder"]), [])
        here = visited(report)
        self.assertEqual(len(file["values"]), 3 * len(here))
        for country, site, bidder in itertools.product(COUNTRIES + ["unseen"], SITES + ["unseen.com"], range(3)):
            deepest = max((s for s in here if s == (country, site)[:len(s)]), key=len)
            self.assertEqual(floor_for(file, key(country), key(site), f"bidder{bidder}"), self.money(here[deepest][bidder]))

    def test_the_pooled_slot_of_a_log_is_the_rule_for_all_others(self):
        coins = random.Random(3)
        lines = ["auction,country,bidder,bid"]
        for t in range(300):
            country = coins.choice(["de", "fr"])
            for bidder in coins.sample(["ann", "bob", "cyd", "dan"], 3):
                lines.append(f"{t},{country},{bidder},{(3 if country == 'de' else 1) + coins.randrange(3) / 10}")
        log, path = self.file("log.csv", ("\n".join(lines) + "\n").encode()), self.folder / "floors.json"
        done = self.ok("run", "vcg-reserves", "--param", "levels=8", "-d", log, "--format", "long", "--round", "auction", "--cap", 4,
                       "-n", 3, "--by", "country", "--floors", path, "--json")
        floors, here = json.loads(path.read_text()), visited(json.loads(done.out))
        names = [k.split("|")[1] for k in floors["values"] if k.startswith("*|")]
        self.assertEqual((len(names), names[-1]), (4, "*"))
        for segment, levels in here.items():
            for name, level in zip(names, levels):
                found = floor_for(floors, segment[0] if segment else "unseen", "zoe" if name == "*" else name)
                self.assertEqual(found, math.ceil(level / 8 * 4 * 1e4 - 1e-6) / 1e4, (segment, name))

    def test_fields_have_the_names_that_are_given(self):
        flags = ["--floors-field", "site=domain", "--floors-field", "country=geo"]
        file, _ = self.floors(self.table(), *flags)
        self.assertEqual(file["schema"]["fields"], ["geo", "domain"])
        self.assertEqual(faults(file, ["geo"]), [])
        file, _ = self.floors(self.table(bidders=2), *flags, "--floors-field", "adUnitCode", bidders=2)
        self.assertEqual(file["schema"]["fields"], ["geo", "domain", "adUnitCode"])

    def test_of_several_orders_the_one_with_most_weight(self):
        file, report = self.floors(self.table(), "--by", "site", "--by", "country")
        number = next(v["segment"][0] for v in report["map"] if v["segment"])
        self.assertEqual(number, "2", "the price depends on the country")
        self.assertEqual(file["schema"]["fields"], ["country"])
        for v in report["map"]:
            self.assertEqual(floor_for(file, key(v["segment"][1]) if v["segment"] else "unseen"), self.money(v["action"][0]))

    def test_a_resumed_run_writes_the_same_floors(self):
        table, state = self.table(), self.folder / "state.json"
        whole, _ = self.floors(table)
        self.ok(*self.command(table, "--rounds", 150, "--save", state, "-q"))
        path = self.folder / "resumed.json"
        self.ok("run", "vcg-reserves", "-d", table, "--cap", CAP, "--resume", state, "--floors", path, "-q")
        self.assertEqual(json.loads(path.read_text()), whole)

    def test_what_no_rule_can_say_is_refused(self):
        path = self.folder / "floors.json"
        here = self.command(self.table(empty=True), "--floors", path)
        done = hannan(*here, "-q")
        self.assertEqual(done.status, 2, done.err)
        for word in (b"H108", b"--floors-drop-empty"):
            self.assertIn(word, done.err)
        self.assertFalse(path.exists())
        self.ok(*here, "-q", "--floors-drop-empty")
        floors = json.loads(path.read_text())
        self.assertEqual(faults(floors, ["country", "site"]), [])
        self.assertEqual(floor_for(floors, "?", "a.com"), floors["default"], "an absent value has the root's floor")
        twice = self.file("twice.csv", b"country,bid\n" + b"de,0.2\nDE,0.9\nfr,0.5\n" * 60)
        done = hannan(*self.command(twice, "--by", "country", "--floors", self.folder / "no.json", "-q"))
        self.assertEqual(done.status, 2)
        for word in (b"H108", b'["DE"]', b'["de"]'):
            self.assertIn(word, done.err)
        self.assertFalse((self.folder / "no.json").exists())

    def test_wrong_flags_are_said_before_the_run(self):
        path, save = self.folder / "floors.json", self.folder / "state.json"
        here = self.command(self.table(bidders=2), "--floors", path, "-q", bidders=2)
        for code, *flags in (("H106", "--floors-field", "city=domain"), ("H100", "--floors-field", "site=country"),
                             ("H100", "--floors-field", "site=bidder"), ("H100", "--floors-field", "site="),
                             ("H100", "--floors-field", "a", "--floors-field", "b"), ("H100", "--floors-schema", "3"),
                             ("H100", "--floors-field", "site=a", "--floors-field", "site=b")):
            done = hannan(*here, "--save", save, *flags)
            self.assertEqual(done.status, 2, (flags, done.err))
            self.assertIn(code.encode(), done.err, flags)
            self.assertFalse(save.exists() or path.exists(), flags)
        experts = self.file("e.csv", b"c,a,b\nde,0,1\nfr,1,0\n")
        done = hannan("run", "experts", "-d", experts, "--by", "c", "--floors", path, "--cap", "1")
        self.assertIn(b"H108", done.err)

    def test_many_rules_are_said(self):
        lines = "".join(f"s{i},{0.9 if i % 2 else 0.2}\n" * 3 for i in range(21_000))
        table, path = self.file("many.csv", ("site,bid\n" + lines).encode()), self.folder / "floors.json"
        done = hannan(*self.command(table, "--by", "site", "--floors", path, "-q"))
        self.assertEqual(done.status, 0, done.err)
        rules = len(json.loads(path.read_text())["values"])
        self.assertGreater(rules, 10_000)
        self.assertIn(f"{rules} rules, {path.stat().st_size / 1e6:.1f} MB".encode(), done.err)

    def test_the_functions_for_fields_that_prebid_does_not_know(self):
        path = self.folder / "floors.json"
        table = self.file("t.csv", b"".join([b"device.geo.country,site,imp.tagid,x,when,a,b\n"] +
                                            [b"de,s,t,%d,2026-11-15T09:30:00Z,0.5,0.4\n" % (t % 9) for t in range(30)]))
        columns = "device.geo.country,site,imp.tagid,x[2;5],@hour,@weekday"
        here = self.command(table, "--by", columns, "--timestamp", "when", "--floors", path, "--floors-field", "site=domain",
                            bidders=2)
        text = self.ok(*here).out.decode()
        code = text[text.index("additionalSchemaFields: "):]
        self.assertNotIn('"domain"', code, "which Prebid.js knows")
        self.assertNotIn(b"additionalSchemaFields", self.ok(*here, "-q").out)
        node = shutil.which("node")
        if not node:
            self.skipTest("no node")
        script = "const s = {" + code + """};
const f = s.additionalSchemaFields;
const r = {bidder: "ann", ortb2: {device: {geo: {country: "D|E"}}, site: {ext: {data: {x: 2}}}}, ortb2Imp: {tagid: 7}};
const time = new Date();
console.log(JSON.stringify([Object.keys(f), f["device.geo.country"](r), f["imp.tagid"](r), f["x[2;5]"](r), f["x[2;5]"]({}), f["imp.tagid"]({}),
    f.bidder(r), f.bidder(r, {bidderCode: "bob"}), /^[0-2][0-9]$/.test(f["@hour"]()), /^[1-7]$/.test(f["@weekday"]())]));"""
        out = subprocess.run([node, "-e", script], capture_output=True, timeout=60, check=True).stdout
        self.assertEqual(json.loads(out), [["device.geo.country", "imp.tagid", "x[2;5]", "@hour", "@weekday", "bidder"],
                                           "D_E", "7", "1", "", "", "ann", "bob", True, True])

    def test_floors_reach_standard_output_and_are_no_other_file_of_the_run(self):
        table = self.table()
        done = self.ok(*self.command(table, "--floors", "-"))
        self.assertEqual(json.loads(done.out)["schema"]["fields"], ["country", "site"])
        before = table.read_bytes()
        link = self.folder / "link.csv"
        link.symlink_to(table)
        done = hannan(*self.command(table, "--floors", link, "-q"))
        self.assertIn(b"H100", done.err)
        self.assertEqual(table.read_bytes(), before)
        target, pointer = self.file("target.json", b"{}"), self.folder / "pointer.json"
        pointer.symlink_to(target)
        self.ok(*self.command(table, "--floors", pointer, "-q"))
        self.assertTrue(pointer.is_symlink(), "the file it names is written")
        self.assertIn("values", json.loads(target.read_text()))


if __name__ == "__main__":
    main()
