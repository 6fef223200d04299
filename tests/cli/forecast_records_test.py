"""Records of forecasts: what the verifier accepts, and that it refuses every altered field."""
import copy
import json
import math
import random

from program import FolderTest, hannan, main

LOSSES = ("squared", "absolute", "percentage", "pinball:0.7", "log", "brier")


def leaves(value, path=()):
    """Every place of a number or a name."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    elif value is not None:
        yield path, value


class Records(FolderTest):
    def table(self, loss, seed, rounds=24, gaps=0.25):
        coins = random.Random(seed)
        probability = loss in ("log", "brier")
        lines = ["day,actual,site,weight,a,b,c"]
        for t in range(rounds):
            for site in ("n", "s"):
                y = coins.choice((0, 1)) if probability else 50 + 10 * math.sin(t / 3) + coins.gauss(0, 1)
                said = [coins.uniform(0.05, 0.95) if probability else y + coins.gauss(k, 2 + k) for k in range(3)]
                never = coins.random() < 0.05 and t < rounds - 2
                cells = ["" if coins.random() < gaps and k else repr(value) for k, value in enumerate(said)]
                lines.append(",".join([str(t + 1), "" if never else repr(y), site, repr(round(coins.uniform(0.5, 2), 3)), *cells]))
        return self.file(f"{seed}.csv", ("\n".join(lines) + "\n").encode())

    def record(self, loss, seed, *flags):
        out = self.folder / f"run{seed}.jsonl"
        done = hannan("run", "forecasts", "-d", self.table(loss, seed), "--timestamp", "day", "--series", "site", "--weight", "weight",
                      "--models", "a,b,c", "--loss", loss, "--record", out, "-q", *flags)
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
        return out

    def test_records_of_every_loss_verify(self):
        for seed, loss in enumerate(LOSSES):
            for flags in ([], ["--lag", "3"], ["--by", "site"], ["--as-logged", "b"], ["--members", "mean,mixture"],
                          ["--lag", "2", "--patience", "2"]):
                with self.subTest(loss=loss, flags=flags):
                    done = hannan("verify", self.record(loss, seed, *flags))
                    self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
                    self.assertIn(b"verifies", done.out)

    def test_quantiles_have_a_record_for_each_level(self):
        coins = random.Random(2)
        rows = "".join(f"{t},{coins.gauss(0, 1)!r},{coins.gauss(-1, 1)!r},{coins.gauss(-2, 1)!r},{coins.gauss(1, 1)!r},{coins.gauss(2, 1)!r}\n"
                       for t in range(1, 31))
        data, out = self.file("q.csv", b"day,actual,a@0.1,b@0.1,a@0.9,b@0.9\n" + rows.encode()), self.folder / "q.jsonl"
        done = hannan("run", "forecasts", "-d", data, "--timestamp", "day", "--record", out, "-q")
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
        self.assertIn(b"60 rounds", hannan("verify", out).out)

    def test_three_hundred_altered_records_are_refused(self):
        coins, refused = random.Random(9), 0
        kinds = [(loss, flags) for loss in LOSSES[:5] for flags in ([], ["--lag", "3", "--by", "site"])]
        for seed, (loss, flags) in enumerate(kinds):
            lines = [json.loads(line) for line in self.record(loss, seed, *flags).read_text().splitlines()]
            places = [(i, path, value) for i, line in enumerate(lines) for path, value in leaves(line)
                      # What changes nothing that was said, learned or proven in this run: not claims of it.
                      if path[:1] != ("record",) and path[-1] not in ("of", "clip", "today", "patience", "level", "lag")]
            for n in range(30):
                i, path, value = coins.choice(places)
                altered = copy.deepcopy(lines)
                at = altered[i]
                for step in path[:-1]:
                    at = at[step]
                if isinstance(value, bool):
                    at[path[-1]] = not value
                elif isinstance(value, str):
                    at[path[-1]] = value + "x"
                elif path[-1] == "time":
                    at[path[-1]] = value + 100 if i + 2 < len(lines) else value - 100
                else:
                    at[path[-1]] = value + coins.choice((-1, 1)) * max(1e-3, 1e-3 * abs(value))
                file = self.file("altered.jsonl", "".join(json.dumps(line) + "\n" for line in altered).encode())
                done = hannan("verify", file, "-q")
                with self.subTest(loss=loss, line=i, path=path, value=value):
                    self.assertEqual(done.status, 3, done.out + done.err)
                    self.assertIn(b"altered.jsonl:", done.err)
                    refused += 1
        self.assertEqual(refused, 300)

    def test_a_record_that_is_cut_is_refused(self):
        lines = self.record("squared", 3).read_text().splitlines(keepends=True)
        for kept in (lines[:-1], lines[:5], lines[:4] + lines[5:], [lines[0]]):
            done = hannan("verify", self.file("cut.jsonl", "".join(kept).encode()), "-q")
            self.assertEqual(done.status, 3, done.err)

    def test_a_page_is_made_of_a_record_that_verifies(self):
        path = self.file("load.csv", b"day,actual,a,b\n" + b"".join(b"%d,%d,%d,%d\n" % (t, 50 + t % 7, 51 + t % 5, 48 + t % 9) for t in range(60)))
        record, page, result = self.folder / "r.jsonl", self.folder / "r.html", self.folder / "r.json"
        flags = ["-d", path, "--timestamp", "day", "--loss", "absolute", "-q"]
        self.ok("run", "forecasts", *flags, "--record", record)
        self.ok("compare", "forecasts", *flags, "-o", result)
        from_record = json.loads(self.ok("report", record, "-o", page, "--json").out)["sections"][0]
        from_result = json.loads(self.ok("report", result, "-o", page, "--json").out)["sections"][0]
        ranking = [next(block for block in section["blocks"] if block["block"] == "ranking") for section in (from_record, from_result)]
        self.assertEqual(*ranking)
        lines = record.read_text().splitlines()
        lines[5] = lines[5].replace('"p":[', '"p":[1')
        record.write_text("\n".join(lines) + "\n")
        done = hannan("report", record, "-o", page)
        self.assertEqual(done.status, 3)
        self.assertIn("H601", done.err.decode())

    def test_a_page_is_made_of_a_record_of_several_horizons_and_of_one_by_lines(self):
        coins = random.Random(4)
        lines = ["day,ahead,actual,a,b"]
        for t in range(1, 61):
            y = 50 + 5 * math.sin(t / 5) + coins.gauss(0, 1)
            for ahead in (1, 2):
                lines.append(f"{t},{ahead},{y!r},{y + coins.gauss(1, ahead)!r},{y + coins.gauss(-1, 2)!r}")
        path = self.file("ahead.csv", ("\n".join(lines) + "\n").encode())
        flags = ["-d", path, "--timestamp", "day", "--horizon", "ahead", "--loss", "absolute", "-q"]
        self.same_pages(flags)

    def same_pages(self, flags):
        record, page, result = self.folder / "r.jsonl", self.folder / "r.html", self.folder / "r.json"
        self.ok("run", "forecasts", *flags, "--record", record)
        self.ok("compare", "forecasts", *flags, "-o", result)
        pages = [json.loads(self.ok("report", path, "-o", page, "--json").out)["sections"][0] for path in (record, result)]
        rankings = [next(block for block in section["blocks"] if block["block"] == "ranking") for section in pages]
        self.assertEqual(*rankings)

    def test_a_record_goes_on_with_the_run_and_verifies(self):
        for seed, (loss, lag) in enumerate([("squared", 1), ("absolute", 1), ("squared", 3), ("pinball:0.8", 2)]):
            with self.subTest(loss=loss, lag=lag):
                coins = random.Random(seed)
                rows, header = [], "day,actual,a,b,c"
                for t in range(1, 41):
                    y = 50 + 5 * math.sin(t / 5) + coins.gauss(0, 1)
                    said = [repr(y + coins.gauss(k - 1, 1 + k)) for k in range(3)]
                    rows.append((t, repr(y), [said[0], "" if coins.random() < 0.2 else said[1], said[2]]))
                state, record = self.folder / f"{seed}.state", self.folder / f"{seed}.jsonl"
                flags = ["--timestamp", "day", "--models", "a,b,c", "--loss", loss, "--lag", str(lag), "-q", "--save", state, "--record", record]
                published = []
                # Tables of ten days; the actuals of the last two come with the next table, one of them never does.
                for begin in range(0, 40, 10):
                    text = [header]
                    for t, y, _ in rows[max(0, begin - 2):begin]:
                        text.append(f"{t},{'' if t == 19 else y},,,")
                    for t, y, said in rows[begin:begin + 10]:
                        text.append(f"{t},{y if t <= begin + 8 else ''},{','.join(said)}")
                    data, out = self.file("part.csv", ("\n".join(text) + "\n").encode()), self.folder / "p.csv"
                    self.ok("run", "forecasts", "-d", data, "-p", out, *flags, *(["--resume", state] if begin else []))
                    done = hannan("verify", record)
                    self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
                    published += [line.split(",")[1] for line in out.read_text().splitlines()[1:] if line.split(",")[1]]
                lines = [json.loads(line) for line in record.read_text().splitlines()]
                self.assertEqual([f"{line['p'][0]:.6g}" for line in lines if "p" in line], [f"{float(p):.6g}" for p in published])
                self.assertEqual(sum("come" in line for line in lines), 37)  # without day 19 and the last two
                page = self.folder / "page.html"
                section = json.loads(self.ok("report", record, "-o", page, "--json").out)["sections"][0]
                self.assertTrue(section["blocks"])
                # The record of another run is refused, and nothing is written.
                other = self.folder / "other.jsonl"
                altered = record.read_text().splitlines()
                at = next(i for i, line in enumerate(altered) if '"come":5,' in line)
                altered[at] = altered[at].replace('"y":', '"y":1')
                other.write_text("\n".join(altered) + "\n")
                before = state.read_bytes(), other.read_bytes()
                done = hannan("run", "forecasts", "-d", data, "--resume", state, *flags[:-1], other)
                self.assertEqual(done.status, 3)
                self.assertIn(b"H401", done.err)
                self.assertEqual((state.read_bytes(), other.read_bytes()), before)
                missing = hannan("run", "forecasts", "-d", data, "--resume", state, *flags[:-1], self.folder / "none.jsonl")
                self.assertIn(b"H201", missing.err)

    def test_records_of_tables_in_another_order_verify(self):
        rows = [f"{t},{50 + t % 7},{51 + t % 5},{48 + t % 9}\n" for t in range(1, 31)]
        random.Random(1).shuffle(rows)
        data, out = self.file("mixed.csv", ("day,actual,a,b\n" + "".join(rows)).encode()), self.folder / "mixed.jsonl"
        self.ok("run", "forecasts", "-d", data, "--timestamp", "day", "--sort", "--loss", "absolute", "--record", out, "-q")
        done = hannan("verify", out)
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())


if __name__ == "__main__":
    main()
