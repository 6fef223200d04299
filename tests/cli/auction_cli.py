"""The auction problems from the command line: simulate, run, verify, oracle, resume, formats, refusals."""
import itertools
import json
import re

from program import FolderTest, csv_text, hannan, main

LINE = re.compile(rb"hannan: (H\d{3}): [^\n]*\n")
ROUNDS = 40
VALUATION = [{"items": [0], "value": 3}, {"items": [1], "value": 2}, {"items": [0, 1], "value": 4}]

# Every problem, small enough to check against a list of all actions.
PROBLEMS = {
    "eager": ("vcg-reserves", {"bidders": 3, "levels": 4, "units": 1}),
    "lazy": ("vcg-reserves", {"bidders": 3, "levels": 4, "units": 2, "rule": "lazy"}),
    "single": ("item-pricing", {"items": 3, "levels": 4, "buyers": 2}),
    "unit": ("item-pricing", {"items": 2, "levels": 5, "buyers": 2, "demand": "unit"}),
    "bundles": ("multi-unit", {"bidders": 2, "units": 5}),
    "all": ("multi-unit", {"bidders": 3, "units": 4, "range": "all"}),
    "bidding": ("second-price-bidding", {"items": 2, "levels": 4, "valuation": VALUATION}),
    "level": ("level-auction", {"bidders": 2, "levels": 4, "thresholds": 2}),
}
ROWS = ("eager", "lazy", "bidding", "level", "unit")  # outcomes of one number per column
LEARNERS = ("flipflop", "ada", "gftpl")


class AuctionTest(FolderTest):
    def game(self, name, **changes):
        """The problem and its parameters as flags."""
        kind, params = PROBLEMS[name]
        path = self.folder / f"{name}-{len(list(self.folder.iterdir()))}.params"
        path.write_text(json.dumps({**params, **changes}))
        return [kind, "--params", path]

    def stream(self, name, rounds=ROUNDS, **flags):
        path = self.folder / f"{name}.jsonl"
        extra = [text for flag, value in flags.items() for text in (f"--{flag}", value)]
        self.ok("simulate", *self.game(name), "--rounds", rounds, "--seed", 3, *extra, "-o", path, "-q")
        return path

    def json(self, *args):
        return json.loads(self.ok(*args, "--json").out)


class Playing(AuctionTest):
    def test_simulated_stream_played_recorded_and_verified(self):
        for name, learner in itertools.product(PROBLEMS, LEARNERS):
            with self.subTest(name=name, learner=learner):
                data, decisions, record = self.stream(name), self.folder / "decisions.csv", self.folder / "record.jsonl"
                self.assertEqual(len(data.read_bytes().splitlines()), ROUNDS)
                report = self.json("run", *self.game(name), "-d", data, "-l", learner, "-p", decisions, "--record", record)
                self.assertEqual(report["rounds"], ROUNDS)
                self.assertTrue(all(bound["holds"] is not False and ("says" in bound or bound["side"] != "upper" or report["regret"] <= bound["value"])
                                    for bound in report["certificate"]["bounds"]))
                self.assertEqual(report["oracle_gap"], 0)
                verified = self.ok("verify", record).out.decode()
                self.assertIn(f"verifies: {ROUNDS} rounds", verified)
                rows = [line.split(",") for line in decisions.read_text().splitlines()[1:]]
                self.assertAlmostEqual(sum(float(row[2]) for row in rows), report["total"])
                played = [json.loads(line) for line in record.read_text().splitlines()[1 : ROUNDS + 1]]
                self.assertEqual([row[1] for row in rows], [" ".join(map(str, one["action"])) for one in played])

    def test_simulating_gives_the_regret_of_the_written_stream(self):
        for name in PROBLEMS:
            with self.subTest(name=name):
                data = self.stream(name, stream="lognormal")
                common = ["--rounds", ROUNDS, "--seed", 3, "--stream", "lognormal", "-l", "ada"]
                simulated = self.json("simulate", *self.game(name), *common)["learners"][0]["regret"]
                played = self.json("run", *self.game(name), "-d", data, "-l", "ada", "--seed", 3)
                # The means of one run each.
                self.assertAlmostEqual(played["regret"], simulated, delta=1e-9)

    def test_altered_record_is_rejected(self):
        for name in PROBLEMS:
            with self.subTest(name=name):
                record = self.folder / "record.jsonl"
                self.ok("run", *self.game(name), "-d", self.stream(name), "--record", record, "-q")
                lines = record.read_text().splitlines()
                one = json.loads(lines[7])
                one["loss"] = one["loss"] / 2 + 0.25 if one["loss"] != 0.5 else 0.75
                record.write_text("\n".join([*lines[:7], json.dumps(one, separators=(",", ":")), *lines[8:]]) + "\n")
                done = hannan("verify", record)
                self.assertNotEqual(done.status, 0)
                self.assertRegex(done.err, rb"^hannan: H\d{3}: [^\n]*record\.jsonl:8[^\n]*\n$")

    def test_resumed_run_writes_the_same_bytes(self):
        for name, learner in itertools.product(PROBLEMS, LEARNERS):
            with self.subTest(name=name, learner=learner):
                data, game = self.stream(name), self.game(name)

                def run(to, *flags):
                    files = {kind: self.folder / f"{to}.{kind}" for kind in ("decisions", "record", "state")}
                    out = self.ok("run", *game, "-d", data, "-l", learner, "--seed", 5, "--json", "-p", files["decisions"],
                                  "--record", files["record"], "--save", files["state"], *flags).out
                    return out, [path.read_bytes() for path in files.values()]

                whole = run("whole")
                run("parts", "--rounds", 17)
                self.assertEqual(run("parts", "--resume", self.folder / "parts.state"), whole)


class Hindsight(AuctionTest):
    def test_oracle_keeps_the_three_best_and_says_what_no_other_is_below(self):
        for name in PROBLEMS:
            with self.subTest(name=name):
                data, game = self.stream(name), self.game(name)
                best = self.json("oracle", *game, "-d", data, "--keep", 3)
                everything = self.json("oracle", *game, "-d", data, "--keep", 1000)
                self.assertTrue(best["proven"])
                self.assertEqual(everything["rest"], "inf")
                values = {tuple(one["action"]): one["value"] for one in everything["pool"]}
                self.assertEqual(len(values), len(everything["pool"]))
                self.assertEqual(len(best["pool"]), 3)
                self.assertEqual(best["pool"][0]["action"], best["action"])
                kept = [one["value"] for one in best["pool"]]
                for found, wanted in zip(sorted(kept), sorted(values.values())):
                    self.assertAlmostEqual(found, wanted, delta=1e-9)
                for one in best["pool"]:
                    self.assertAlmostEqual(one["value"], values[tuple(one["action"])], delta=1e-9)
                left = min(v for x, v in values.items() if list(x) not in [one["action"] for one in best["pool"]])
                self.assertLessEqual(best["rest"], left + 1e-9)
                self.assertGreaterEqual(best["rest"], max(kept) - 1e-8)

    def test_best_in_hindsight_of_the_run_is_the_oracles(self):
        for name in PROBLEMS:
            with self.subTest(name=name):
                data, game = self.stream(name), self.game(name)
                report, best = self.json("run", *game, "-d", data), self.json("oracle", *game, "-d", data)
                self.assertEqual(report["best_action"], best["action"])
                self.assertAlmostEqual(report["best"], best["value"], delta=1e-9)

    def test_every_oracle_of_a_problem_gives_the_same_answer(self):
        for name in PROBLEMS:
            with self.subTest(name=name):
                data, game = self.stream(name, rounds=60), self.game(name)
                refused = hannan("oracle", *game, "-d", data, "--oracle", "nobody").err.decode()
                oracles = refused.rsplit("expected ", 1)[1].removeprefix("one of ").strip().replace('"', "").split(", ")
                answers = [self.json("oracle", *game, "-d", data, "--oracle", oracle) for oracle in oracles]
                for answer in answers:
                    self.assertEqual(answer["action"], answers[0]["action"], answer["oracle"])
                    self.assertAlmostEqual(answer["value"], answers[0]["value"], delta=1e-9)


class Formats(AuctionTest):
    def test_wide_rows_equal_json_lines(self):
        for name in ROWS:
            with self.subTest(name=name):
                data, game = self.stream(name), self.game(name)
                rows = []
                for line in data.read_text().splitlines():
                    cells = json.loads(line)
                    rows.append([float(v) for cell in cells for v in (cell if isinstance(cell, list) else [cell])])
                header = [f"column{i}" for i in range(len(rows[0]))]
                wide, headed = self.file("wide.csv", csv_text(rows)), self.file("headed.csv", csv_text(rows, header=header))
                for command in (["run", *game, "-l", "ada"], ["oracle", *game, "--keep", "3"]):
                    wanted = self.ok(*command, "-d", data, "--json").out
                    self.assertEqual(self.ok(*command, "-d", wide, "--json").out, wanted)
                    self.assertEqual(self.ok(*command, "-d", headed, "--json").out, wanted)


class Refusing(AuctionTest):
    def refused(self, args, statuses, *words):
        done = hannan(*args)
        self.assertIsNotNone(LINE.fullmatch(done.err), (args, done.status, done.err[:500]))
        self.assertIn(done.status, statuses, done.err)
        self.assertEqual(done.out, b"")
        for word in words:
            self.assertIn(word.encode(), done.err)

    def test_bad_outcomes_are_named_by_their_line(self):
        good = {"eager": [0.2, 0.4, 0.9], "lazy": [0.2, 0.4, 0.9], "bidding": [0.2, 0.4], "level": [0.2, 0.4],
                "single": [{"bundle": [0, 2], "value": 0.5}], "unit": [[0.5, 0.25]],
                "bundles": [[[1, 0.5]], [[2, 0.25], [4, 0.5]]], "all": [[[1, 0.5]], [], [[2, 0.25]]]}
        buyer = {"bundle": [0], "value": 0.5}
        bad = [
            ("eager", [1.2, 0.5, 0.5], "1.2"), ("lazy", [-0.1, 0.5, 0.5], "-0.1"), ("eager", [0.5, 0.5], "2"),
            ("eager", [0.5, 0.5, None], "null"), ("eager", {"bids": []}, "object"),
            ("level", [1.2, 0.5], "1.2"), ("level", [0.5], "1"), ("bidding", [0.5, 1.2], "1.2"), ("bidding", [0.5], "1"),
            ("single", [{"bundle": [3], "value": 0.5}], "3"), ("single", [{"bundle": [0, 0], "value": 0.5}], "twice"),
            ("single", [{"bundle": [0], "value": 1.2}], "1.2"), ("single", [buyer] * 3, "3 buyers"),
            ("single", [{"bundle": [0]}], "value"), ("single", [{**buyer, "name": 1}], "name"),
            ("unit", [[0.5, 0.5, 0.5]], "3 values"), ("unit", [[0.5, 1.2]], "1.2"),
            ("bundles", [[[1, 0.5], [3, 0.25]], []], "0.25"), ("bundles", [[[2, 0.5], [1, 0.75]], []], "1"),
            ("bundles", [[0, 0.5, 0.25, 0.5, 0.5, 0.5], []], "0.25"), ("bundles", [[[6, 0.5]], []], "6"),
            ("bundles", [[[1, 0.5]]], "1"), ("all", [[[1, 1.2]], [], []], "1.2"),
        ]
        for name, outcome, word in bad:
            with self.subTest(name=name, outcome=outcome):
                path = self.file("bad.jsonl", f"{json.dumps(good[name])}\n{json.dumps(outcome)}\n".encode())
                for command in ("run", "oracle"):
                    self.refused([command, *self.game(name), "-q", "-d", path], (3,), f"{path}:2: ", word)

    def test_bad_cells_of_wide_rows_are_named(self):
        for name, width in (("eager", 3), ("bidding", 2), ("level", 2), ("unit", 4)):
            for cell in (b"1.2", b"-0.1", b"nan", b"word"):
                with self.subTest(name=name, cell=cell):
                    row = [b"0.5"] * width
                    path = self.file("bad.csv", b",".join(row) + b"\n" + b",".join([*row[:-1], cell]) + b"\n")
                    self.refused(["run", *self.game(name), "-q", "-d", path], (3,), f"{path}:2")
        path = self.file("wide.csv", b"0.5,0.5,0.5,0.5\n")
        self.refused(["run", *self.game("eager"), "-q", "-d", path], (3,), str(path))

    def test_bad_parameters(self):
        pair = VALUATION[:2]
        bad = [
            ("eager", {"levels": 0}, "levels"), ("eager", {"bidders": 10**9}, "1000000000"), ("eager", {"units": 0}, "units"),
            ("eager", {"rule": "keen"}, "keen"), ("eager", {"reserve": 1}, "reserve"), ("eager", {"levels": 2.5}, "2.5"),
            ("single", {"levels": 0}, "levels"), ("single", {"items": 10**9}, "1000000000"), ("single", {"buyers": 0}, "buyers"),
            ("single", {"demand": "double"}, "double"), ("bundles", {"bidders": 10**9}, "1000000000"),
            ("bundles", {"units": 0}, "units"), ("bundles", {"range": "some"}, "some"),
            ("level", {"levels": 0}, "levels"), ("level", {"bidders": 10**9}, "1000000000"), ("level", {"thresholds": 0}, "thresholds"),
            ("bidding", {"levels": 0}, "levels"), ("bidding", {"items": 10**9}, "1000000000"),
            ("bidding", {"valuation": pair}, "[0,1]"), ("bidding", {"valuation": [*pair, pair[0]]}, "twice"),
            # Two items worth less than one of them: not monotone.
            ("bidding", {"valuation": [*pair, {"items": [0, 1], "value": 2}]}, "2"),
            ("bidding", {"valuation": [*pair, {"items": [0, 1], "value": 5}]}, "5"),
            ("bidding", {"valuation": [*pair, {"items": [0, 2], "value": 4}]}, "2"),
        ]
        for name, changes, word in bad:
            with self.subTest(name=name, changes=changes):
                game = self.game(name, **changes)
                self.refused(["run", *game, "-q", "-d", self.file("data.jsonl", b"[]\n")], (2,), word)
                self.refused(["simulate", *game, "-q"], (2,), word)

    def test_bad_oracles(self):
        for name in PROBLEMS:
            data, game = self.stream(name), self.game(name)
            for oracle in ("nobody", "branch_bound:0", "branch_bound:-1", "branch_bound:many", "tabulate:5", "dynamic_program:5"):
                with self.subTest(name=name, oracle=oracle):
                    self.refused(["oracle", *game, "-q", "-d", data, "--oracle", oracle], (2,), "oracle", oracle.split(":")[0])
                    self.refused(["run", *game, "-q", "-d", data, "--set", f"oracle={oracle}"], (2,), "oracle", oracle.split(":")[0])


if __name__ == "__main__":
    main()
