"""Tables of forecasts to one combined forecast: run, compare and oracle forecasts."""
import csv
import io
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import unittest

from program import BINARY, DATA, FolderTest, hannan, main

ROOT = pathlib.Path(__file__).resolve().parents[2]


def table(rows, header):
    return ("\n".join(",".join(cells) for cells in [header, *rows]) + "\n").encode()


class CombinedForecasts(FolderTest):
    def load(self, rounds=60, future=0, models=3, gaps=0.0, seed=1):
        """(header, rows): days, actuals and models of different quality."""
        coins = random.Random(seed)
        header = ["day", "actual", *(f"m{k}" for k in range(models))]
        rows = []
        for t in range(rounds + future):
            level = 1000 + 100 * math.sin(t / 5)
            cells = [str(t + 1), "" if t >= rounds else repr(round(level + coins.gauss(0, 5), 3))]
            for k in range(models):
                cells.append("" if coins.random() < gaps and k > 0 else repr(round(level + coins.gauss(k, 10 + 10 * k), 3)))
            rows.append(cells)
        return header, rows

    def compare(self, path, *flags):
        done = hannan("compare", "forecasts", "-d", path, "--timestamp", "day", "--json", *flags)
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
        return json.loads(done.out)

    def predictions(self, path, *flags, command="compare"):
        out = self.folder / "out.csv"
        done = hannan(command, "forecasts", "-d", path, "--timestamp", "day", "-q", "-p", out, *flags)
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
        return list(csv.DictReader(io.StringIO(out.read_text())))

    def test_every_row_is_forecast_and_certificates_are_in_order(self):
        header, rows = self.load(gaps=0.3, future=3)
        path = self.file("load.csv", table(rows, header))
        for loss in ("squared", "absolute", "percentage", "pinball:0.8"):
            result = self.compare(path, "--loss", loss)
            self.assertEqual(result["rows"]["future"], 3)
            convex = result["streams"][0]["certificate"]["convex"]
            self.assertLessEqual(convex["measured"], convex["proven"])
            self.assertLessEqual(convex["proven"], convex["closed"])
            hindsight = result["hindsight"]
            self.assertLessEqual(hindsight["floor"], hindsight["value"])
            self.assertLess(hindsight["value"] - hindsight["floor"], 1e-6 * hindsight["value"])
            self.assertLessEqual(result["streams"][0]["total"] - hindsight["floor"], convex["proven"] * (1 + 1e-9))
        made = self.predictions(path)
        self.assertEqual(len(made), 63)
        for row, cells in zip(made, rows):
            said = [float(cell) for cell in cells[2:] if cell]
            self.assertTrue(min(said) - 1e-6 <= float(row["forecast"]) <= max(said) + 1e-6)
            self.assertEqual(row["actual"] == "", cells[1] == "")

    def test_numbers_as_people_write_them_give_the_same_bytes(self):
        header, rows = self.load(rounds=50, future=2)
        plain = self.file("plain.csv", table(rows, header))
        written = [[cells[0], *(f'"{float(cell):,.3f}"' if cell else "NA" for cell in cells[1:])] for cells in rows]
        comma = [[cells[0], *(f"{float(cell):.3f}".replace(".", ",") for cell in cells[1:])] for cells in rows[:50]]
        semicolons = b"\n".join(b";".join(cell.encode() for cell in cells) for cells in [header, *comma]) + b"\n"
        expected = self.predictions(plain)
        self.assertEqual(self.predictions(self.file("written.csv", table(written, header))), expected)
        found = self.predictions(self.file("comma.csv", semicolons))
        self.assertEqual([row["forecast"] for row in found], [row["forecast"] for row in expected[:50]])

    def test_a_run_that_goes_on_ends_as_one_that_never_stopped(self):
        for lag in (1, 3):
            flags = ["--lag", str(lag)]
            header, rows = self.load(rounds=40, gaps=0.2)
            whole = self.predictions(self.file("whole.csv", table(rows, header)), *flags, command="run")
            # Of the first 20 + lag rounds 20 have their actuals: what is known before round 20 + lag.
            first = [cells if t < 20 else [cells[0], "", *cells[2:]] for t, cells in enumerate(rows[:20 + lag])]
            state = self.folder / f"state{lag}.json"
            begun = self.predictions(self.file("first.csv", table(first, header)), *flags, "--save", state, command="run")
            second = self.predictions(self.file("second.csv", table(rows[20:], header)), *flags, "--resume", state, command="run")
            self.assertEqual([row["forecast"] for row in begun], [row["forecast"] for row in whole[:20 + lag]])
            self.assertEqual([row["forecast"] for row in second[lag:]], [row["forecast"] for row in whole[20 + lag:]])

    def test_another_model_or_loss_does_not_go_on(self):
        header, rows = self.load()
        state, path = self.folder / "state.json", self.file("load.csv", table(rows, header))
        self.predictions(path, "--save", state, command="run")
        for data, flags, word in ((path, ["--loss", "absolute"], "loss"),
                                  (self.file("more.csv", table([[*cells, "1000"] for cells in rows], [*header, "new"])), [], '"new"')):
            done = hannan("run", "forecasts", "-d", data, "--timestamp", "day", "--resume", state, *flags)
            self.assertEqual(done.status, 3)
            self.assertIn("H401", done.err.decode())
            self.assertIn(word, done.err.decode())

    @unittest.skipUnless((DATA / "opera_load_experts").exists(), "the data set is not at hand")
    def test_the_figures_of_opera(self):
        folder = DATA / "opera_load_experts"
        actuals = folder.joinpath("targets.csv").read_text().split()[1:]
        said = folder.joinpath("experts.csv").read_text().split()[1:]
        path = self.file("opera.csv", ("day,actual,gam,ar,gbm\n" + "".join(
            f"{t + 1},{y},{x}\n" for t, (y, x) in enumerate(zip(actuals, said)))).encode())
        for loss, combined, mean, best in (("squared", 1450.9, 1560.2, 1442.4), ("absolute", 1075.7, 1150.4, 1053.1),
                                           ("percentage", 0.01887, 0.01975, 0.01816), ("pinball:0.9", 572.7, 786.0, 545.7)):
            result = self.compare(path, "--loss", loss)
            near = 1e-4 if loss != "percentage" else 3e-4  # given to four digits
            errors = {player["name"]: player["error"] for player in result["players"]}
            for found, expected in ((errors["combined"], combined), (errors["plain mean"], mean), (result["hindsight"]["error"], best)):
                self.assertLess(abs(found / expected - 1), near)
            self.assertEqual(result["judgement"]["verdict"], "cannot tell")
        weights = self.compare(path)["hindsight"]["streams"][0]["weights"]
        self.assertEqual([round(weights[name], 3) for name in ("gam", "ar", "gbm")], [0.719, 0.201, 0.080])

    @unittest.skipUnless((DATA / "opera_load_experts").exists(), "the data set is not at hand")
    def test_the_story_says_what_its_commands_say(self):
        subprocess.run([sys.executable, "-B", ROOT / "examples/stories/forecast_tables.py", DATA, self.folder], check=True)
        story = (ROOT / "docs/stories/forecasts.md").read_text()
        commands = re.findall(r"^ +hannan (compare forecasts .*)$", story, re.MULTILINE)
        told = re.findall(r"^ +(combined forecast: .*)$", story, re.MULTILINE)
        self.assertEqual((len(commands), len(told)), (4, 4))
        for command, line in zip(commands, told):
            done = subprocess.run([pathlib.Path(BINARY).resolve(), *command.split()], cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, line), command)

    def test_two_commands_of_the_page_make_a_page_and_a_file_of_an_analysts_table(self):
        page = (ROOT / "docs/decide.md").read_text()
        section = page[page.index("## Forecasts of several models"):]
        block = re.search(r"^```sh\n(.*?)^```", section, re.MULTILINE | re.DOTALL).group(1)
        make, commands = block.split("> demand.csv\n")
        commands = [line for line in commands.splitlines() if line.startswith("hannan ")]
        self.assertEqual(len(commands), 2)
        subprocess.run(["sh", "-euc", make + "> demand.csv"], cwd=self.folder, check=True)
        rows = list(csv.DictReader(io.StringIO((self.folder / "demand.csv").read_text())))
        models = [name for name in rows[0] if name.startswith("model_")]
        self.assertEqual(len(models), 20)
        self.assertTrue(all("," in row["model_01"] for row in rows))  # 1,234.5
        self.assertEqual(sum(any(not row[name] for row in rows) for name in models), 2)
        self.assertEqual([bool(row["actual"]) for row in rows], [True] * 87 + [False] * 3)
        for command in commands:
            done = subprocess.run([pathlib.Path(BINARY).resolve(), *command.split()[1:]], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        combined = list(csv.DictReader(io.StringIO((self.folder / "combined.csv").read_text())))
        self.assertEqual([row["date"] for row in combined], [row["date"] for row in rows])
        for made, row in zip(combined, rows):
            said = [float(row[name].replace(",", "")) for name in models if row[name]]
            self.assertTrue(min(said) - 1e-6 <= float(made["forecast"]) <= max(said) + 1e-6)
            self.assertEqual(made["actual"] == "", row["actual"] == "")
        shown = (self.folder / "demand.html").read_text()
        for words in ("The combined forecast was off by", "MWh", "Combined against actual", "Weights over time"):
            self.assertIn(words, shown)

    def test_json_lines_and_npy_are_the_same_table(self):
        header, rows = self.load(rounds=40, gaps=0.2)
        expected = [row["forecast"] for row in self.predictions(self.file("load.csv", table(rows, header)))]
        lines = [json.dumps({name: (float(cell) if cell else None) for name, cell in zip(header, cells)}) for cells in rows]
        lines[3] = json.dumps({name: cell for name, cell in json.loads(lines[3]).items() if cell is not None})
        found = self.predictions(self.file("load.jsonl", ("\n".join(lines) + "\n").encode()))
        self.assertEqual([row["forecast"] for row in found], expected)
        numbers = [float(cell) if cell else math.nan for cells in rows for cell in cells]
        head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(header)}), }}".encode()
        head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
        array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(numbers)}d", *numbers)
        out = self.folder / "npy.csv"
        done = hannan("run", "forecasts", "-d", self.file("load.npy", array), "--actual", "1", "--timestamp", "0", "-q", "-p", out)
        self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
        self.assertEqual([row["forecast"] for row in csv.DictReader(io.StringIO(out.read_text()))], expected)
        for data, code, where in ((b'{"day":1,"actual":2,"a":3}\n{"day":2,"actual":2,"b":3}\n', "H103", ":2"),
                                  (b'{"day":1,"actual":2,"a":[3]}\n', "H104", ":1"),
                                  (b'{"day":1,"actual":2,"a":3}\n[1]\n', "H104", ":2"),
                                  (b'{"day":1,"actual":2,"a":3}\n{"day":2,\n', "H101", ":2"),
                                  (b"day,actual,a,a\n1,2,3,4\n", "H202", ":1")):
            done = hannan("run", "forecasts", "-d", self.file("bad", data), "--actual", "actual", "--timestamp", "day")
            self.assertEqual(done.status, 2 if code in ("H103", "H104") else 3, done.err)
            self.assertIn(code, done.err.decode())
            self.assertIn("bad" + where, done.err.decode())

    def test_a_reader_is_warned_of_few_rounds_and_of_patience(self):
        header, rows = self.load(rounds=30)
        by = self.file("by.csv", table([[*cells, str(t % 10)] for t, cells in enumerate(rows)], [*header, "hour"]))
        warnings = self.compare(by, "--by", "hour", "--models", "m*")["warnings"]
        self.assertEqual(len(warnings), 1)
        self.assertIn("--by hour has 10 values with 3 rounds in the median", warnings[0])
        self.assertEqual(self.compare(by, "--models", "m*")["warnings"], [])
        header, rows = self.load(rounds=30, future=6)
        path = self.file("future.csv", table(rows, header))
        self.assertEqual(self.compare(path)["warnings"], [])
        self.assertIn("--patience", self.compare(path, "--patience", "5")["warnings"][0])

    def test_a_reader_is_warned_of_columns_that_are_no_forecasts_of_one_model_and_of_one_row(self):
        header, rows = self.load(rounds=40)
        stranger = self.file("id.csv", table([[*cells, str(900 + t), "3.5"] for t, cells in enumerate(rows)], [*header, "id", "price"]))
        warnings = self.compare(stranger)["warnings"]
        self.assertEqual(len(warnings), 2, warnings)
        self.assertIn("id counts the rows: is it a forecast? --drop id leaves it out", warnings[0])
        self.assertIn("price lies from 3.5 to 3.5, the actual from ", warnings[1])
        lines = hannan("compare", "forecasts", "-d", stranger, "--timestamp", "day").out.decode().splitlines()
        self.assertEqual(lines[:2], [f"WARNING: {one}" for one in warnings], "warnings come before figures")
        self.assertEqual(self.compare(stranger, "--drop", "id", "--drop", "price")["warnings"], [])
        one = self.compare(self.file("one.csv", table([cells[:3] for cells in rows], header[:3])))
        self.assertEqual(one["warnings"], [f"there is one model, {header[2]}: nothing is combined"])
        rows[20][1] = str(1000 * float(rows[20][1]))
        warnings = self.compare(self.file("typo.csv", table(rows, header)))["warnings"]
        self.assertEqual(len(warnings), 1, warnings)
        self.assertRegex(warnings[0], rf"^one row of 40 makes 100 % of the summed error: {rows[20][0]}, actual [0-9.e+]+, combined [0-9.]+; is it right[?]$")

    def test_rows_of_separators_are_no_rows_and_words_for_nothing_are_gaps(self):
        header, rows = self.load(rounds=40)
        rows[7][3] = ""
        plain = self.file("plain.csv", table(rows, header))
        rows[7][3] = "n/a"
        written = self.file("written.csv", table(rows, header) + b"," * (len(header) - 1) + b"\n" + b" ," * (len(header) - 1) + b"\n")
        found = [{**self.compare(path), "source": ""} for path in (plain, written)]
        self.assertEqual(found[0], found[1])

    def test_quantiles_never_cross_and_long_tables_are_the_same(self):
        coins = random.Random(5)
        header = ["day", "actual", *(f"{name}@{level}" for name in "ab" for level in (0.1, 0.5, 0.9))]
        rows, long = [], []
        for t in range(50):
            y = coins.gauss(0, 1)
            cells = [coins.gauss(0.5 * z, 0.6) for z in (-1, 0, 1, -2, 0, 2)]
            rows.append([str(t + 1), repr(y), *map(repr, cells)])
            for i, value in enumerate(cells):
                long.append([str(t + 1), repr(y), "ab"[i // 3], repr((0.1, 0.5, 0.9)[i % 3]), repr(value)])
        path = self.file("wide.csv", table(rows, header))
        result = self.compare(path)
        self.assertEqual([one["level"] for one in result["coverage"]], [0.1, 0.5, 0.9])
        made = self.predictions(path)
        for row in made:
            said = [float(row[f"forecast@{level}"]) for level in ("0.1", "0.5", "0.9")]
            self.assertEqual(said, sorted(said))
        coins.shuffle(long)
        other = self.file("long.csv", table(long, ["day", "actual", "who", "level", "said"]))
        flags = ["--format", "long", "--model", "who", "--forecast", "said", "--level", "level", "--actual", "actual",
                 "--models", "a,b"]
        found = {row["day"]: row for row in self.predictions(other, *flags)}
        for row in made:
            for level in ("0.1", "0.5", "0.9"):
                self.assertAlmostEqual(float(found[row["day"]][f"forecast@{level}"]), float(row[f"forecast@{level}"]), 9)

    def test_horizons_know_only_what_was_known_when_a_forecast_was_made(self):
        coins, long, truth = random.Random(4), [], []
        for t in range(1, 41):
            y = 100 + 10 * coins.random()
            truth.append([f"2026-01-{t:02d}" if t <= 31 else f"2026-02-{t - 31:02d}", repr(y)])
            for h in (1, 2, 3):
                issued = t - h  # counted from the last of December
                day = f"2025-12-{31 + issued:02d}" if issued < 1 else f"2026-01-{issued:02d}" if issued <= 31 else f"2026-02-{issued - 31:02d}"
                long += [[truth[-1][0], str(h), day, f"m{k}", repr(y + coins.gauss(0, h + k))] for k in range(3)]
        data = self.file("long.csv", table(long, ["target", "h", "made", "who", "said"]))
        actuals = self.file("truth.csv", table(truth, ["target", "observed"]))
        flags = ["--format", "long", "--timestamp", "target", "--model", "who", "--forecast", "said", "--truth", actuals, "--json"]
        found = []
        for more in (["--horizon", "h"], ["--issued", "made"]):
            done = hannan("compare", "forecasts", "-d", data, *flags, *more)
            self.assertEqual((done.status, done.err), (0, b""), done.err.decode())
            found.append(json.loads(done.out))
            self.assertEqual([stream["delay"] for stream in found[-1]["streams"]], [0, 1, 2])
        self.assertEqual(found[0]["players"], found[1]["players"])

    def test_bad_tables_are_refused_with_their_place(self):
        cases = [("a,b\n1,2\n", [], 2, "H102"),
                 ("day,actual\n1,2\n", [], 2, "H102"),
                 ("day,actual,m\n1,2,3\n2,3,x\n", [], 3, "H204"),
                 ("day,actual,m\n1,2,1e300\n", [], 3, "H205"),
                 ("day,actual,m\n2,2,3\n1,2,3\n", [], 3, "H202"),
                 ("day,actual,m\n1,2,3\n1,2,3\n", [], 3, "H202"),
                 ("day,actual,m\n1,2\n", [], 3, "H203"),
                 ("day,actual,m\n", [], 3, "H206"),
                 ("day,actual,m\n1,2,0.5\n", ["--loss", "brier"], 3, "H205"),
                 ("day,actual,m\n1,2,3\n", ["--loss", "pinball:1"], 2, "H105"),
                 ("day,actual,m\n1,2,3\n", ["--lag", "9", "--patience", "3"], 2, "H105"),
                 ("day,actual,mean\n1,2,3\n", [], 2, "H108"),
                 ("day,actual,m\n1,\"1,234\",\"2,345\"\n", [], 3, "H215")]
        for text, flags, status, code in cases:
            with self.subTest(text=text, flags=flags):
                done = hannan("compare", "forecasts", "-d", self.file("bad.csv", text.encode()), "--timestamp", "day"
                              if "day" in text else "a", "-o", self.folder / "no.json", *flags)
                self.assertIn(code, done.err.decode())
                self.assertEqual(done.status, status)
                self.assertFalse((self.folder / "no.json").exists())

    def test_the_page_speaks_of_errors_in_the_unit(self):
        header, rows = self.load(rounds=80, future=2)
        result = self.folder / "load.json"
        self.predictions(self.file("load.csv", table(rows, header)), "--unit", "MW", "-o", result)
        page = self.folder / "load.html"
        done = hannan("report", result, "-o", page, "-q")
        self.assertEqual((done.status, done.err), (0, b""))
        text = page.read_text()
        shown = text[text.index('<script type="application/json"'):] if '<script type="application/json"' in text else text
        for word in ("The combined forecast was off by", "MW", "Weights over time", "Combined against actual"):
            self.assertIn(word, shown)
        for word in ("regret", "AdaHedge"):
            self.assertNotIn(word, text[:text.index("Technical details")].split("<body")[-1].split("<script")[0])


if __name__ == "__main__":
    main()
