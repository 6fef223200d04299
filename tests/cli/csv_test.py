"""Every CSV file that the program writes: read back with the same fields by its own reader and by Python's csv module."""
import csv
import json
import random

from program import FolderTest, csv_text, hannan, losses, main

NAMES = ["plain", 'with "quotes"', "a, b", "c; d", " blank ", "=1+1", "tab\there"]


class CsvFiles(FolderTest):
    def run_ok(self, *args):
        done = hannan(*args)
        self.assertEqual(done.status, 0, done.err.decode())
        return done.out.decode()

    def read(self, path):
        """The rows as Python reads them: a header, and as many fields in every row."""
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, strict=True))
        self.assertGreater(len(rows), 1)
        for row in rows:
            self.assertEqual(len(row), len(rows[0]), row)
        return rows

    def read_by_program(self, path, rows):
        """The program reads the columns of numbers, whatever stands in the others."""
        def number(cell):
            try:
                return float(cell) == float(cell)
            except ValueError:
                return False

        texts = [name for k, name in enumerate(rows[0]) if not all(number(row[k]) for row in rows[1:])]
        numbers = [name for name in rows[0] if name not in texts]
        self.assertTrue(numbers)
        drop = [word for name in texts for word in ("--drop", name)]
        done = hannan("oracle", "experts", "-d", path, "--losses", "--param", "range=unknown", "--json", *drop)
        self.assertIn(done.status, (0, 1), done.err.decode())
        column = min(range(len(numbers)), key=lambda k: sum(float(row[rows[0].index(numbers[k])]) for row in rows[1:]))
        total = sum(float(row[rows[0].index(numbers[column])]) for row in rows[1:])
        self.assertAlmostEqual(json.loads(done.out)["value"], total, delta=1e-6 * max(1, abs(total)))

    def decisions(self, *args):
        """Decisions of a run as CSV and as JSON lines; the cells of the column action, and the actions."""
        table, lines = self.folder / "d.csv", self.folder / "d.jsonl"
        for path in (table, lines):
            self.run_ok("run", *args, "-q", "-p", path)
        rows = self.read(table)
        self.read_by_program(table, rows)
        with open(lines) as file:
            actions = [json.loads(line)["action"] for line in file]
        self.assertEqual(len(actions), len(rows) - 1)
        return [row[rows[0].index("action")] for row in rows[1:]], actions

    def test_actions_of_trees_are_json_in_quotes(self):
        coins = random.Random(1)
        text = "a,b,class\n" + "".join(f"{x},{y},{int(x > 3) ^ int(y > 2)}\n" for x, y in
                                       ((coins.randrange(8), coins.randrange(6)) for _ in range(40)))
        small = self.file("small.csv", text.encode())
        cells, actions = self.decisions("classification", "--from", small, "--param", "label=class", "--param",
                                        "hypotheses=trees2", "--param", "bins=4")
        self.assertEqual([json.loads(cell) for cell in cells], actions)

    def test_actions_that_are_lists_or_numbers_are_as_before(self):
        data = self.file("losses.csv", csv_text(losses(20, 3)))
        cells, actions = self.decisions("experts", "-d", data)
        self.assertEqual([int(cell) for cell in cells], actions)
        cells, actions = self.decisions("vcg-reserves", "-d", data, "--param", "levels=4")
        self.assertEqual([[int(part) for part in cell.split(" ")] for cell in cells], actions)

    def test_walks_are_read_back(self):
        edges = self.file("graph.json", json.dumps(
            {"edges": [["home", "x,y"], ["x,y", "work"], ["home", "z"], ["z", "work"]], "source": "home",
             "target": "work"}).encode())
        costs = self.file("costs.csv", csv_text(losses(12, 4)))
        cells, actions = self.decisions("routing", "--params", edges, "-d", costs)
        self.assertEqual(cells, [" ".join(json.dumps(part) for part in action) for action in actions])

    def test_segments_with_any_names_are_read_back(self):
        data = self.folder / "sites.csv"
        with open(data, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["site", "a", "b"])
            writer.writerows([NAMES[t % len(NAMES)].strip(), *row] for t, row in enumerate(losses(28, 2)))
        table = self.folder / "d.csv"
        self.run_ok("run", "experts", "-d", data, "--by", "site", "-l", "leader", "-q", "-p", table)
        self.read_by_program(table, self.read(table))

    def log(self):
        path = self.folder / "log.csv"
        coins = random.Random(2)
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["auction", "buyer", "amount", "site"])
            for t in range(60):
                writer.writerows([t, name, coins.randrange(1, 30), NAMES[t % 3]] for name in NAMES)
        return ["--format", "long", "--round", "auction", "--bidder", "buyer", "--bid", "amount"], path

    def test_converted_logs_are_read_back(self):
        flags, path = self.log()
        table = self.folder / "bids.csv"
        self.run_ok("convert", path, *flags, "--cap", "30", "-n", "7", "-o", table)
        rows = self.read(table)
        self.read_by_program(table, rows)
        self.run_ok("convert", path, *flags, "--cap", "30", "-n", "7", "--by", "site", "-o", table)
        rows = self.read(table)
        self.assertLessEqual({row[0] for row in rows[1:]}, set(NAMES) | {name.strip() for name in NAMES})

    def test_decisions_of_a_comparison_are_read_back(self):
        flags, path = self.log()
        table = self.folder / "next.csv"
        done = hannan("compare", "vcg-reserves", "-d", path, *flags, "--param", "levels=4", "--cap", "30", "-n", "7",
                      "--payment", "second-price", "--decisions", table, "--anyway", "-q")
        self.assertIn(done.status, (0, 1), done.err.decode())
        rows = self.read(table)
        self.assertGreaterEqual(len(rows), 8)
        self.assertLessEqual({"currency", "decision", "verdict"}, set(rows[0]))

    def test_simulated_outcomes_are_read_back(self):
        table = self.folder / "stream.csv"
        self.run_ok("simulate", "experts", "--stream", "iid", "--experts", "3", "--rounds", "20", "--by", "site", "-o", table)
        self.read_by_program(table, self.read(table))

    def test_results_of_an_experiment_are_read_back(self):
        plan = self.file("plan.toml", b"""name = "names"
seeds = 2
[[streams]]
name = 'iid, plain; x'
kind = "iid"
experts = 3
rounds = 20
[[learners]]
name = "=leader; one"
kind = "leader"
[[tables]]
title = "all"
streams = ['iid, plain; x']
learners = ["=leader; one"]
""")
        out = self.folder / "out"
        self.run_ok("experiment", plan, "-o", out)
        rows = self.read(out / "results.csv")
        self.assertEqual({row[rows[0].index("stream")] for row in rows[1:]}, {'iid, plain; x'})
        self.read_by_program(out / "results.csv", rows)


if __name__ == "__main__":
    main()
