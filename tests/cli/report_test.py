"""`hannan report`: one page per call out of what the other commands write, and one line for what it cannot read."""
import json
import os
import re

from bad_input_test import OneLine
from program import FolderTest, csv_text, gzipped, hannan, losses, main


def data_of(page):
    """The data inside a page, as its script reads them."""
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


class Made(FolderTest):
    def record(self, rounds=200, name="run.jsonl", learner="flipflop"):
        data = self.file("losses.csv", csv_text(losses(rounds, 3)))
        path = self.folder / name
        self.ok("run", "experts", "-d", data, "-l", learner, "--seed", "7", "--record", path, "-q")
        return path

    def comparison(self, name="result.json"):
        path = self.folder / name
        self.ok("compare", "vcg-reserves", "--param", "levels=8", "-d", self.file("bids.csv", csv_text(losses(150, 2))), "-o", path, "-q")
        return path

    def experiment(self):
        plan = self.file("plan.toml", b'name = "tiny"\nseeds = 2\n[[streams]]\nname = "iid"\nkind = "iid"\nexperts = 4\nrounds = 50\n'
                         b'[[learners]]\nname = "leader"\nkind = "leader"\n[[tables]]\ntitle = "One"\n')
        self.ok("experiment", plan, "-o", self.folder / "out", "-q")
        return self.folder / "out"

    def section(self, *args):
        return json.loads(self.ok("report", *args, "--json").out)["sections"][0]


def blocks_of(section):
    """All blocks of a section in the order of the page, those of closed parts and beside each other included."""
    for one in section["blocks"]:
        yield one
        yield from blocks_of({"blocks": [*one.get("main", []), *one.get("aside", []), *one.get("blocks", [])]})


def block(section, kind, title=None):
    return next(b for b in blocks_of(section) if b["block"] == kind and (title is None or b.get("title") == title))


class Pages(Made):
    def test_every_kind_is_told_by_what_it_holds(self):
        folder, log = self.experiment(), self.file("log.csv", b"round,bidder,bid\n1,a,2\n1,b,3\n2,a,1\n2,b,2\n")
        self.ok("convert", log, "--cap", "4", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / "t.json")
        self.ok("run", "experts", "-d", self.folder / "losses.csv" if self.record() else "", "-q", "--summary", self.folder / "s.json")
        files = [self.record(name="a.json"), self.comparison("b.jsonl"), folder, folder / "results.json", self.folder / "t.json", self.folder / "s.json"]
        page = self.folder / "page.html"
        done = self.ok("report", *files, "-o", page)
        self.assertIn(b"page.html", done.out)
        titles = [section["title"] for section in data_of(page)["sections"]]
        self.assertEqual(titles, ["Decisions of flipflop, record of a run", "Reserve prices", "Experiment tiny", "Experiment tiny", "Bid log", "Decisions of flipflop, summary of a run"])
        self.assertEqual(data_of(page), json.loads(self.ok("report", *files, "--json").out))

    def test_gzip_is_no_different(self):
        record = self.record()
        plain = self.section(record)
        zipped = self.section(self.file("z", gzipped(record.read_bytes())))
        for section in (plain, zipped):
            section.pop("source")
        self.assertEqual(json.dumps(plain).replace(str(record), ""), json.dumps(zipped).replace(str(self.folder / "z"), ""))

    def test_the_same_record_gives_the_same_bytes(self):
        record = self.record()
        for name in ("1.html", "2.html"):
            self.ok("report", record, "-o", self.folder / name, "-q")
        self.assertEqual((self.folder / "1.html").read_bytes(), (self.folder / "2.html").read_bytes())

    def test_the_page_needs_nothing_else(self):
        page = self.folder / "page.html"
        self.ok("report", self.record(), "-o", page)
        text = page.read_text()
        self.assertIn("default-src 'none'", text)
        markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        self.assertNotRegex(markup, r"(?i)(src|href)\s*=|url\(|@import")
        self.assertNotIn("sourceMappingURL", text)

    def test_hostile_text_stays_inside_the_data(self):
        result = json.loads(self.comparison().read_text())
        evil = "</script><script>alert(1)</script><!-- \u2028 &"
        result["players"][0]["name"] = result["currency"] = evil
        page = self.folder / "page.html"
        self.ok("report", self.file("evil.json", json.dumps(result).encode()), "--title", evil, "-o", page)
        self.assertEqual(page.read_text().count("<script"), 2)
        self.assertNotIn("alert(1)</script", page.read_text())
        self.assertEqual(data_of(page)["title"], evil)

    def by_segment(self):
        rows = [f"{'de' if t % 3 else 'fr'},{'ab'[t % 2]},{t % 2},{1 - t % 2}" for t in range(120)]
        data = self.file("segments.csv", ("\n".join(["country,site,left,right", *rows]) + "\n").encode())
        path = self.folder / "segments.rec"
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--record", path, "-q")
        return path

    def test_names_of_actions_stand_where_decisions_are_shown(self):
        path = self.folder / "experts.json"
        self.ok("compare", "experts", "-d", self.file("losses.csv", csv_text(losses(150, 3))), "-o", path, "-q")
        result = json.loads(path.read_text())
        for player, name in zip(result["players"], ("<alice>", "bob", "carol")):
            player["final_action_name"] = name
        named = next(p for p in result["players"] if p["name"] == "best fixed")
        named["final_action_name"] = "dora"
        section = self.section(self.file("named.json", json.dumps(result).encode()))
        self.assertEqual(block(section, "charts")["charts"][0]["now"], "<alice>")
        best = next(row for row in block(section, "ranking")["rows"] if row["after"])
        self.assertTrue(best["about"].startswith("dora; known only afterwards"), best)

    def test_segments_are_those_of_the_run(self):
        record = self.by_segment()
        section = self.section(record)
        end = json.loads(record.read_text().splitlines()[-1])["end"]
        rows = block(section, "tree")["rows"]
        self.assertEqual([(r[0], r[1], r[2]) for r in rows],
                         [(len(n["segment"]), (["all"] + n["segment"])[-1], n["rounds"]) for n in end["nodes"]])
        for row, node in zip(rows, end["nodes"]):
            self.assertEqual(row[3], str(node["action"]))
            played = node["rounds"] - (1 if node["segment"] else 0)
            self.assertAlmostEqual(float(row[5]), node["own"] / played, delta=1e-3)
        # Along every path the shares add up to 1.
        shares = {tuple(n["segment"]): r[6] for n, r in zip(end["nodes"], rows)}
        for segment in shares:
            if len(segment) == 2:
                self.assertAlmostEqual(sum(shares[segment[:d]] for d in range(3)), 1, delta=1e-6)
        self.assertEqual({tuple(n["segment"]) for n, r in zip(end["nodes"], rows) if r[7]}, {tuple(v["segment"]) for v in end["map"]})
        self.assertTrue(all(b["series"] and all(s["values"] for s in b["series"]) for b in blocks_of(section) if b["block"] == "chart"))

    def test_segments_of_a_damaged_record_are_shown_as_far_as_they_can_be_read(self):
        head, *rounds, end = self.by_segment().read_text().splitlines()
        for change in ({"nodes": 3}, {"nodes": [1, {"segment": 4}, {"segment": [None], "weight": "x", "action": {}}]}, {"map": [[]]}, {"params": []},
                       {"raw": 1}, {"nodes": []}):
            last = json.loads(end)
            last["end"].update(change)
            lines = [head, *(line.replace('"weights":[', '"weights":["x",') for line in rounds[:5]), *rounds[5:], json.dumps(last)]
            path = self.file("damaged.rec", ("\n".join(lines) + "\n").encode())
            done = hannan("report", path, "--json")
            self.assertEqual(done.status, 3, (change, done.err))
            self.assertIn('"chart"', done.out.decode())

    def test_hidden_money_is_said_before_all_results(self):
        # Of the second prices 3 and 1 the cap leaves 2 and 1, of the highest bids 4 and 2 it leaves 2 and 2.
        log = self.file("log.csv", b"round,bidder,bid\n1,a,4\n1,b,3\n2,a,2\n2,b,1\n")
        result = self.folder / "result.json"
        for cap, warned in (("2", True), ("4", False)):
            self.ok("compare", "vcg-reserves", "--param", "levels=4", "-d", log, "--format", "long", "--cap", cap, "--accept-hidden", "-q", "-o", result)
            first = self.section(result)["blocks"][0]
            self.assertEqual(first["block"], "warnings" if warned else "headline")
            if warned:
                self.assertEqual(first["title"], "33.3\u00a0% of the money in your log is not in these figures")
                self.assertIn("The auctions of the log brought 4.00", first["items"][0]["text"])

    def test_figures_are_those_of_the_run(self):
        limit, certain, mean = ", and the 95 % limit", ", and the certain limit", ", and what is expected at most"
        for learner, beside in {"flipflop": limit, "off": mean, "leader": "", "hedge": certain, "adahedge": certain, "gftpl": mean, "ada": limit,
                                "fpl": ""}.items():
            record = self.record(learner=learner)
            lines = [json.loads(line) for line in record.read_text().splitlines()]
            section = self.section(record)
            self.assertEqual(block(section, "verdict")["verdict"], "good")
            regret, total = [], 0
            for line in lines[1:-1]:
                total += line["loss"]
                regret.append(total - line["best"])
            drawn = block(section, "chart", "Behind the best fixed choice" + beside)["series"]
            self.assertEqual(drawn[0]["at"], list(range(1, 201)))
            for found, expected in zip(drawn[0]["values"], regret):
                self.assertAlmostEqual(found, expected, places=4)
            end = lines[-1]["end"]
            upper = [bound["value"] for bound in end["certificate"]["bounds"] if bound["side"] == "upper" and "says" not in bound]
            upper = [end["limit"]] if end.get("limit") is not None else upper
            self.assertNotIn("bound", [series["name"] for series in drawn])
            self.assertEqual(len(drawn), 2 if upper else 1, learner)
            if upper:
                self.assertAlmostEqual(drawn[1]["values"][-1], min(upper), places=4)
            action = block(section, "charts")["charts"][0]["series"][0]
            self.assertEqual(action["values"], [line["action"] for line in lines[1:-1]])
            self.assertIn(["seed", "7"], block(section, "facts", f"Learner {learner}: parameters and seed")["facts"])

    def test_a_long_record_keeps_its_extremes_in_few_points(self):
        rows = losses(20_000, 2)
        record = self.folder / "long.jsonl"
        self.ok("run", "experts", "-d", self.file("long.csv", csv_text(rows)), "--record", record, "-q")
        section = self.section(record)
        chart = block(section, "chart", "Behind the best fixed choice, and the 95 % limit")
        self.assertLessEqual(max(len(series["values"]) for series in chart["series"]), 2002)
        self.assertIn("Of every 32 rounds in a row the least and the greatest value are drawn", chart["about"])
        total, regret = 0, []
        for line in record.read_text().splitlines()[1:-1]:
            line = json.loads(line)
            total += line["loss"]
            regret.append(total - line["best"])
        self.assertAlmostEqual(max(chart["series"][0]["values"]), max(regret), places=4)
        self.assertAlmostEqual(min(chart["series"][0]["values"]), min(regret), places=4)

    def test_money_and_names_come_from_the_log(self):
        log = self.file("log.csv", ("round,bidder,bid\n" + "".join(f"{t},{b},{1 + (t * k) % 3}\n" for t in range(60) for k, b in enumerate(("Ann", "Bob")))).encode())
        self.ok("convert", log, "--cap", "4", "--currency", "EUR", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / "t.json")
        self.ok("run", "vcg-reserves", "--param", "levels=8", "-d", self.folder / "t.csv", "--record", self.folder / "r.jsonl", "-q")
        section = self.section(self.folder / "r.jsonl", "--log", self.folder / "t.json")
        panels = block(section, "charts")["charts"]
        self.assertEqual([panel["title"] for panel in panels[:2]], ["Ann", "Bob"])
        self.assertEqual(panels[0]["y_name"], "EUR")
        first = json.loads((self.folder / "r.jsonl").read_text().splitlines()[1])["action"][0]
        self.assertEqual(panels[0]["series"][0]["values"][0], first / 8 * 4)
        self.assertIn(["rows.read", "120"], block(section, "facts", "Data: what was read, used and dropped")["facts"])

    def test_records_of_different_logs_get_one_each_in_their_order(self):
        for name, cap in (("a", 4), ("b", 8)):
            log = self.file("log.csv", b"round,bidder,bid\n1,Ann,2\n1,Bob,3\n2,Ann,1\n2,Bob,2\n")
            self.ok("convert", log, "--cap", str(cap), "--currency", "EUR" if name == "a" else "USD", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / f"{name}.json")
            self.ok("run", "vcg-reserves", "--param", "levels=8", "-d", self.folder / "t.csv", "--record", self.folder / f"{name}.jsonl", "-q")
        records = [self.folder / "a.jsonl", self.folder / "b.json", self.folder / "b.jsonl"]  # a log between them is no record
        logs = ["--log", self.folder / "a.json", "--log", self.folder / "b.json"]
        shown = json.loads(self.ok("report", *records, *logs, "--json").out)["sections"]
        self.assertEqual([block(shown[i], "charts")["charts"][0]["y_name"] for i in (0, 2)], ["EUR", "USD"])

    def test_comparisons_and_experiments_show_what_they_hold(self):
        path = self.comparison()
        result, section = json.loads(path.read_text()), self.section(path)
        table = block(section, "table", "What each earned")
        self.assertEqual([row[0] for row in table["rows"]], [player["name"] for player in result["players"]])
        chart = block(section, "chart", "Money earned over time")
        self.assertEqual(chart["at"], result["series"]["round"])
        for series, player in zip(chart["series"], result["players"], strict=True):
            for found, expected in zip(series["values"], player["series"]["money"], strict=True):
                self.assertAlmostEqual(found, expected, places=3)
        self.assertEqual(len(block(section, "ranking")["rows"]), len(result["players"]))
        section = self.section(self.experiment())
        chart = block(section, "charts", "One: regret over the rounds")["charts"][0]
        self.assertEqual(chart["series"][0]["at"], [1, 2, 4, 8, 16, 32, 50])


class Figures(Made):
    """Of a comparison whose sums were changed: what was lost, 70.63 against 70.40."""

    def page(self, ours, base, currency=""):
        path = self.folder / "costs.json"
        self.ok("compare", "experts", "-d", self.file("losses.csv", csv_text(losses(150, 3))), "--fixed", "today=1", "-l", "flipflop", "-o", path, "-q")
        result = json.loads(path.read_text())
        result["currency"] = currency
        for player in result["players"]:
            player["money"] = {"flipflop": ours, "today": base}.get(player["name"], player["money"])
            player["over_baseline"] = player["money"] - base
        result["players"][0]["judgement"].update(gain=base - ours, range=[-3.5, 12.25], blocks=[-3.5, 12.25])
        return self.section(self.file("changed.json", json.dumps(result).encode()))

    def first_screen(self, section):
        headline = block(section, "headline")
        return "".join(piece["text"] for piece in headline["says"]) + " " + headline["lede"], headline

    def test_sums_have_the_digits_that_their_difference_needs(self):
        for currency in ("", "EUR"):
            section = self.page(70.63, 70.4, currency)
            text, headline = self.first_screen(section)
            text = text.replace("\u00a0EUR", "")
            self.assertIn("70.63 instead of 70.40", text)
            self.assertIn("0.23 more", text)
            rows = {row["name"]: row for row in block(section, "ranking")["rows"]}
            self.assertEqual((rows["Learned choice"]["money"], rows["today"]["money"]), ("70.63", "70.40"))
            self.assertEqual(rows["Learned choice"]["more"], "0.23 more")
        self.assertIn("90 instead of 140", self.first_screen(self.page(90, 140))[0])

    def test_a_saving_is_no_plus_and_a_cost_no_minus(self):
        for ours, base, side in ((90, 140, "less"), (140, 90, "more")):
            section = self.page(ours, base, "EUR")
            text, headline = self.first_screen(section)
            rows = [row for row in block(section, "ranking")["rows"] if not row["base"]]
            chart = block(section, "gains")
            said = [text, headline["short"], *headline["strip"].values(), *(row[key] for row in rows for key in ("more", "share", "range")),
                    chart["series"][0]["end"], *(point["text"] for point in block(section, "points")["points"])]
            for one in said:
                self.assertNotRegex(str(one), "[+\u2212]\\d", one)
            self.assertIn(f"50\u00a0EUR {side}", headline["short"])
            self.assertEqual(chart["sides"], ["less", "more"])

    def test_losses_and_money_say_what_they_are(self):
        text, _ = self.first_screen(self.page(90, 140))
        self.assertIn("A loss of 90 instead of 140", text)
        self.assertIn("Losses are added up as they stand in the data.", text)
        self.assertIn("90\u00a0EUR instead of 140\u00a0EUR", self.first_screen(self.page(90, 140, "EUR"))[0])
        text, _ = self.first_screen(self.section(self.comparison()))  # bids without a currency
        self.assertIn("Amounts are in the unit of the data: no currency was given.", text)

    def test_a_record_says_what_its_figures_are_and_how_many_digits_they_need(self):
        record = self.record()
        end = json.loads(record.read_text().splitlines()[-1])["end"]
        headline = block(self.section(record), "headline")
        text = "".join(piece["text"] for piece in headline["says"])
        self.assertIn(f"The learned choice lost {end['total']:.2f} in 200 rounds, {abs(end['total'] - end['best']):.2f} ", text)
        self.assertTrue(headline["lede"].endswith("Losses are added up as they stand in the data."), headline["lede"])
        rows = ["size,good"] + [f"{t * 37 % 101},{'yes' if t * 37 % 101 > 50 else 'no'}" for t in range(80)]
        self.ok("run", "classification", "--from", self.file("rows.csv", ("\n".join(rows) + "\n").encode()), "--param", "label=good", "--param", "hypotheses=stumps",
                "--record", self.folder / "rule.jsonl", "-q")
        text = "".join(piece["text"] for piece in block(self.section(self.folder / "rule.jsonl"), "headline")["says"])
        self.assertRegex(text, r"^The learned rule made \d+ mistakes in 80 rounds, \d+ more than the best fixed rule, known only afterwards$")

    def test_dates_that_were_not_asked_for_are_not_said_to_be_missing(self):
        rows = ["day,round,bidder,bid"] + [f"2026-03-{1 + t % 28:02d},{t},{b},{1 + (t * k) % 3}" for t in range(60) for k, b in enumerate(("Ann", "Bob"))]
        path = self.folder / "dated.json"
        self.ok("compare", "vcg-reserves", "--param", "levels=8", "-d", self.file("dated.csv", ("\n".join(rows) + "\n").encode()), "--format", "long",
                "--round", "round", "--bidder", "bidder", "--bid", "bid", "--cap", "4", "-o", path, "-q")
        items = [item for one in blocks_of(self.section(path)) if one["block"] == "warnings" for item in one["items"]]
        self.assertNotIn("There are no dates in the data.", [item["what"] for item in items])
        self.assertIn("No column was named as the time", " ".join(item["text"] for item in items))


class Refused(OneLine, Made):
    def test_a_changed_record_is_shown_and_refused(self):
        record = self.record()
        lines = record.read_text().splitlines(keepends=True)
        lines[50] = re.sub(r'"loss":[0-9.]+', '"loss":0.001', lines[50])
        bad, page = self.file("bad.jsonl", "".join(lines).encode()), self.folder / "page.html"
        done = self.refused(["report", bad, "-o", page], "H601", 3, f"{bad}:51")
        self.assertIn(b"page.html was written and says so", done.err)
        verdict = block(data_of(page)["sections"][0], "verdict")
        self.assertEqual(verdict["verdict"], "bad")
        self.assertIn("Not verified", verdict["text"])
        self.ok("report", bad, "--no-verify", "-o", page)
        self.assertEqual(block(data_of(page)["sections"][0], "verdict")["verdict"], "open")

    def test_a_record_cut_short_is_shown_as_far_as_it_goes(self):
        whole = self.record().read_bytes()
        page = self.folder / "page.html"
        for cut, rounds in ((whole.index(b'{"t":101'), 100), (whole.index(b'{"t":101') + 20, 100), (whole.index(b'{"end"'), 200)):
            bad = self.file("cut.jsonl", whole[:cut])
            self.refused(["report", bad, "-o", page], "H207", 3, str(bad))
            section = data_of(page)["sections"][0]
            self.assertEqual(block(section, "verdict")["verdict"], "bad")
            self.assertEqual(len(block(section, "chart", "Loss a round, so far")["series"][0]["values"]), rounds)
        self.refused(["report", self.file("cut.gz", gzipped(whole)[:2000]), "-o", page], "H207", 3, "cut.gz")

    def test_files_that_are_none_of_ours(self):
        out = ["-o", self.folder / "page.html"]
        for name, data, code in (("empty", b"", "H206"), ("text", b"hello\n", "H101"), ("csv", csv_text(losses(3, 2)), "H101"), ("number", b"17", "H202"),
                                 ("object", b'{"a":1}', "H202"), ("list", b"[1,2]", "H202"), ("nul", b"\0\0\0", "H101"), ("cut.json", b'{"players":[', "H101"),
                                 ("half.json", b'{"players":[],"series":{}}', "H202"), ("plan.json", b'{"plan":"x","tables":3}', "H202"),
                                 ("wrong.json", b'{"plan":"x","about":"","seed":0,"tasks":1,"tables":[{"title":1}]}', "H202")):
            with self.subTest(name=name):
                self.refused(["report", self.file(name, data), *out], code, 3, name)
                self.assertFalse((self.folder / "page.html").exists())
        self.refused(["report", self.folder / "missing", *out], "H201", 3, "missing")
        self.refused(["report", self.folder, *out], "H201", 3, "results.json")

    def test_every_field_of_a_comparison_may_be_missing(self):
        result = json.loads(self.comparison().read_text())
        for name in result:
            broken = {key: value for key, value in result.items() if key != name}
            if name in ("version", "slots", "normaliser", "first_tenth", "last_tenth"):
                continue  # not shown
            done = hannan("report", self.file("broken.json", json.dumps(broken).encode()), "-o", self.folder / "page.html")
            self.assertEqual(done.status, 3, (name, done.err))
        for name in result["players"][0]:
            broken = json.loads(json.dumps(result))
            del broken["players"][0][name]
            done = hannan("report", self.file("broken.json", json.dumps(broken).encode()), "-o", self.folder / "page.html")
            self.assertIn(done.status, (0, 3), (name, done.err))

    def test_usage(self):
        record = self.record()
        before = record.read_bytes()
        self.refused(["report", record], "H100", 2, "-o")
        self.refused(["report", "-o", self.folder / "page.html"], "H100", 2)
        self.refused(["report", record, "-o", record], "H100", 2, "overwritten")
        os.symlink(record, self.folder / "other")
        self.refused(["report", record, "-o", self.folder / "other"], "H100", 2, "overwritten")
        self.assertEqual(record.read_bytes(), before)
        self.refused(["report", record, "-o", self.folder / "no" / "page.html"], "H209", 3, "page.html")
        (self.folder / "full").mkdir()
        self.refused(["report", record, "-o", self.folder / "full"], "H209", 3)
        self.assertFalse((self.folder / "full.new").exists())
        folder = self.experiment()
        self.refused(["report", folder, "-o", folder / "results.json"], "H100", 2, "overwritten")
        self.refused(["report", record, "--log", self.file("x.json", b"{}"), "-o", self.folder / "page.html"], "H100", 2, "x.json")
        self.ok("convert", self.file("log.csv", b"round,bidder,bid\n1,a,2\n"), "--cap", "4", "-q", "-o", self.folder / "t.csv", "--summary", self.folder / "t.json")
        self.refused(["report", record, "--log", self.folder / "t.json", "--log", self.folder / "t.json", "-o", self.folder / "page.html"], "H100", 2, "found 2 logs and 1 records")
        self.assertIn(b"Examples:", self.ok("report", "--help").out)


if __name__ == "__main__":
    main()
