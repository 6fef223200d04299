"""Logs in frames, frames out, pages: the first user's task, and that each equals the program."""

import json
import os
import tempfile
import unittest

import hannan
import numpy as np
from instances import program, rows

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import matplotlib  # noqa: F401
except ImportError:
    matplotlib = None


def write_log(path, share=0.005):
    """A log of bids; `share` of its cells cannot be read."""
    draw = np.random.default_rng(5)
    with open(path, "w") as file:
        file.write("auction,buyer,amount\n")
        for auction in range(300):
            for buyer in ("ann", "bob", "cy", "dee", "eve"):
                if draw.random() < 0.6:
                    amount = "n/a" if draw.random() < share else f"{draw.random() * 3:.2f}"
                    file.write(f"{auction},{buyer},{amount}\n")


@unittest.skipIf(pd is None, "pandas is not there")
class BidLog(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "log.csv")
        write_log(self.path)
        self.columns = {"round": "auction", "bidder": "buyer", "bid": "amount", "cap": 3, "count": 2, "rest_slots": 2}

    def test_a_frame_a_file_and_the_program_give_the_same_outcomes(self):
        of_frame = hannan.convert(pd.read_csv(self.path, keep_default_na=False), **self.columns)
        of_file = hannan.convert(self.path, **self.columns)
        table = os.path.join(self.folder, "bids.npy")
        summary = json.loads(program("convert", self.path, "--round", "auction", "--bidder", "buyer", "--bid", "amount",
                                     "--cap", "3", "-n", "2", "--rest-slots", "2", "-o", table, "--json"))
        theirs = np.load(table)
        self.assertTrue(np.array_equal(of_frame.table, theirs))
        self.assertTrue(np.array_equal(of_file.table, theirs))
        self.assertEqual({**of_file.summary, "table": table}, summary)
        self.assertEqual(list(of_frame.dropped), ["not a number"])
        self.assertEqual(of_frame.dropped, of_file.dropped)
        self.assertGreater(of_frame.dropped["not a number"], 0)

    def test_more_than_one_cell_in_a_hundred_that_cannot_be_read_is_refused_alike(self):
        write_log(self.path, share=0.03)
        says = r'found 19 of 926 cells of the column "amount" that cannot be read'
        for log in (pd.read_csv(self.path, keep_default_na=False), self.path):
            with self.assertRaisesRegex(hannan.DataError, "H214: .*" + says):
                hannan.convert(log, **self.columns)
        with self.assertRaisesRegex(AssertionError, says):
            program("convert", self.path, "--round", "auction", "--bidder", "buyer", "--bid", "amount", "--cap", "3", "-n", "2",
                    "--rest-slots", "2", "-o", os.path.join(self.folder, "bids.npy"))

    def test_logs_of_own_bids_and_of_posted_prices_are_those_of_the_program(self):
        own = pd.DataFrame({"price": [4, 5, 9], "value": [8, 9, 10]})
        shelf = pd.DataFrame({"price.red": [1.19, 1.29], "price.blue": [1.29, 1.29], "choice": ["red", "blue"]})
        for frame, options in ((own, {"problem": "first-price-bidding", "format": "long", "bid": "price",
                                      "value": "value", "value_factor": 0.5, "paid": "price"}),
                               (shelf, {"problem": "item-pricing", "format": "wide", "payment": "posted",
                                        "choice": "choice"})):
            with self.subTest(problem=options["problem"]):
                frame.to_csv(self.path, index=False)
                flags = {"for" if name == "problem" else name: str(value) for name, value in options.items()}
                words = [word for name, value in flags.items() for word in ("--" + name.replace("_", "-"), value)]
                out = os.path.join(self.folder, "outcomes.jsonl")
                program("convert", self.path, *words, "-o", out, "-q")
                with open(out) as file:
                    theirs = [json.loads(line) for line in file]
                self.assertEqual(hannan.convert(frame, **options).table, theirs)

    def test_columns_of_a_context_come_with_the_log(self):
        frame = pd.read_csv(self.path)
        frame["site"] = np.where(frame["auction"] % 2, "north", "south")
        log = hannan.convert(frame, by=["site"], **self.columns)
        self.assertEqual(len(log.contexts), len(log))
        self.assertEqual({tuple(context) for context in log.contexts}, {("north",), ("south",)})
        learner = hannan.problem("vcg-reserves", levels=8, like=log).learner("leader", by=["site"])
        learner.play(log, contexts=log.contexts)
        self.assertEqual([segment.segment for segment in learner.segments()], [[], ["north"], ["south"]])
        self.assertIsNone(hannan.convert(frame, **self.columns).contexts)

    def test_the_analyst_compares_learners_and_writes_floors(self):
        log = hannan.convert(pd.read_csv(self.path), **self.columns)
        problem = hannan.problem("vcg-reserves", levels=8, like=log)
        result = hannan.compare(problem, log, learners=["leader", "flipflop"])
        theirs = json.loads(program("compare", "vcg-reserves", "--param", "levels=8", "-d", self.path, "--format",
                                    "long", "--round", "auction", "--bidder", "buyer", "--bid", "amount", "--cap", "3", "-n", "2",
                                    "--rest-slots", "2", "-l", "leader", "-l", "flipflop", "--json"))
        self.assertEqual(result.result["players"], theirs["players"])
        path, other = (os.path.join(self.folder, name) for name in ("floors.json", "decisions.json"))
        for name, learners in (("leader", ("leader", "flipflop")), ("flipflop", ("flipflop", "leader"))):
            program("compare", "vcg-reserves", "--param", "levels=8", "-d", self.path, "--format", "long", "--round", "auction",
                    "--bidder", "buyer", "--bid", "amount", "--cap", "3", "-n", "2", "--rest-slots", "2", "-l", learners[0], "-l",
                    learners[1], "-q", "--floors", path, "--decisions", other, "--anyway")
            floors = hannan.floors(result[name], log, anyway=True)
            with open(path) as file:
                self.assertEqual(floors, json.load(file))
            with open(other) as file:
                self.assertEqual(hannan.decisions(result[name], log, anyway=True), json.load(file))
            self.assertTrue(floors["modelVersion"].endswith(", " + result[name].verdict))
        self.assertEqual(floors["values"].keys(), {"ann", "bob", "cy", "dee", "eve", "*"} & floors["values"].keys())
        self.assertGreater(len(floors["values"]), 1)
        floors = hannan.floors(result["best fixed"], log)
        program("run", "vcg-reserves", "--param", "levels=8", "-d", self.path, "--format", "long", "--round",
                "auction", "--bidder", "buyer", "--bid", "amount", "--cap", "3", "-n", "2", "--rest-slots", "2",
                "-q", "--floors", path)
        with open(path) as file:
            self.assertEqual(floors, json.load(file))
        run = problem.learner("flipflop").play(log)
        self.assertEqual(hannan.floors(run, log), floors)
        page = result._repr_html_()
        self.assertIn("<table>", page)
        self.assertNotIn("<script", page)
        self.assertIn("flipflop", result.to_frame().index)
        with self.assertRaises(KeyError):
            result["no such player"]

    def test_the_floors_of_a_player_are_its_own(self):
        path = os.path.join(self.folder, "apart.csv")
        with open(path, "w") as file:
            file.write("auction,bidder,bid\n" + "".join(f"{t},a,9\n{t},b,1\n" for t in range(200)))
        log = hannan.convert(path, format="long", round="auction", bidder="bidder", bid="bid", cap=10, currency="EUR")
        result = hannan.compare(hannan.problem("vcg-reserves", levels=10, like=log), log,
                                learners=["leader", "hedge"], fixed={"seven": [7, 1], "eight": [8, 1]})
        leader, hedge = (hannan.floors(result[name], log) for name in ("leader", "hedge"))
        for floors in (leader, hedge):
            self.assertTrue(floors["modelVersion"].endswith("hannan, next decision after 200 rounds, deploy"))
        self.assertNotEqual(leader["values"], hedge["values"])
        for name, floor in (("seven", 7), ("eight", 8)):
            self.assertEqual(hannan.floors(result[name], log)["values"]["a"], floor)

    def test_a_decision_that_loses_is_refused_as_by_the_program(self):
        rows = "".join(f"{t},a,{9 if t % 2 else 1}\n{t},b,{9 if t % 2 else 1}\n" for t in range(60))
        path = os.path.join(self.folder, "even.csv")
        with open(path, "w") as file:
            file.write("auction,bidder,bid\n" + rows)
        log = hannan.convert(path, format="long", round="auction", bidder="bidder", bid="bid", cap=10, currency="EUR")
        result = hannan.compare(hannan.problem("vcg-reserves", levels=10, like=log), log, learners=["leader"],
                                fixed={"high": [10, 10]})
        self.assertEqual(result["high"].verdict, "not judged")
        for hand_on in (hannan.floors, hannan.decisions):
            with self.assertRaises(hannan.DataError) as refused:
                hand_on(result["high"], log)
            self.assertIn("H212", str(refused.exception))
            self.assertIn('against "as logged" (not judged)', str(refused.exception))
            self.assertIn("anyway=True writes it", str(refused.exception))
        self.assertEqual(hannan.floors(result["high"], log, anyway=True)["values"], {"a": 10, "b": 10})

    def test_the_decision_for_experts_has_a_name(self):
        losses = pd.DataFrame({"alice": [0.1] * 60, "bob": [0.9] * 60})
        result = hannan.compare(hannan.problem("experts", experts=2), losses, learners=["flipflop"], fixed={"today": 1})
        found = hannan.decisions(result["flipflop"])
        self.assertEqual((found["decisions"], found["verdict"]), ([{"action": "alice", "json": 0}], "deploy"))

    def test_the_page_is_that_of_the_program(self):
        log = hannan.convert(self.path, **self.columns)
        problem = hannan.problem("vcg-reserves", levels=5, like=log)
        record, ours, theirs = (os.path.join(self.folder, name) for name in ("run.jsonl", "a.html", "b.html"))
        problem.learner("ada", seed=2).play(log, record=record).to_html(ours)
        program("report", record, "-o", theirs, "-q")
        with open(ours, "rb") as a, open(theirs, "rb") as b:
            self.assertEqual(a.read(), b.read())
        hannan.compare(problem, log).to_html(os.path.join(self.folder, "c.html"))
        problem.learner("ada").play(log).to_html(os.path.join(self.folder, "d.html"), title="A page")
        with open(os.path.join(self.folder, "d.html")) as page:
            self.assertIn("A page", page.read())

    def test_a_comparison_of_few_rounds_has_a_page_too(self):
        found = hannan.compare(hannan.problem("experts", experts=2), [[0.0, 1.0]] * 6, fixed={"second": 1})
        with tempfile.TemporaryDirectory() as folder:
            found.to_html(os.path.join(folder, "page.html"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "page.html")), 0)

    def test_faults_of_a_log_are_errors_with_codes(self):
        frame = pd.read_csv(self.path)
        with self.assertRaises(hannan.UsageError) as caught:
            hannan.convert(frame, round="auction", bidder="buyer", bid="amount")
        self.assertEqual(caught.exception.code, "H102")
        with self.assertRaises(hannan.Error):
            hannan.convert(frame, round="nothing", bidder="buyer", bid="amount", cap=3)
        with self.assertRaises(hannan.UsageError):
            hannan.convert(frame, no_such_option=1, cap=3)


@unittest.skipIf(pd is None, "pandas is not there")
class Frames(unittest.TestCase):
    @unittest.skipIf(pd is None, "pandas is not there")
    def test_a_column_may_have_any_name(self):
        frame = pd.DataFrame({"chair": [0.1, 0.2], "table": [0.9, 0.8], "params": [0.5, 0.5]})
        problem = hannan.problem("experts", like=frame)
        self.assertEqual(problem.params["experts"], 3)
        self.assertEqual(problem.learner("leader").play(frame).losses.tolist(), [0.1, 0.2])
        self.assertEqual(problem.best(frame), problem.best(frame.to_numpy()))
        self.assertEqual(problem.summary(frame), problem.summary(frame.to_numpy()))
        self.assertEqual(hannan.compare(problem, frame, rivals=False)["leader"]["loss"], 0.1 + 0.2)

    def test_a_run_is_a_frame_of_its_rounds(self):
        learner = hannan.problem("experts", experts=3).learner("flipflop", seed=1)
        data = rows(3, 40)
        learner.play(data[:10])
        frame = learner.play(pd.DataFrame(data[10:]), actions=True).to_frame()
        self.assertEqual((frame.index[0], frame.index[-1]), (11, 40))
        self.assertEqual(frame["total"].iloc[-1], learner.total)
        self.assertTrue(((frame["total"] - frame["best"]) == frame["regret"]).all())
        self.assertEqual(set(learner.to_frame()["side"]) - {"upper", "lower"}, set())

    def test_what_a_notebook_shows_has_no_scripts_and_is_escaped(self):
        learner = hannan.problem("experts", experts=3).learner("flipflop", seed=1)
        run = learner.play(rows(3, 500))
        for shown in (run._repr_html_(), learner._repr_html_(), learner.report()._repr_html_()):
            self.assertIn("<table>", shown)
            self.assertNotIn("<script", shown)
        self.assertIn('width="300" height="60"', run._repr_html_())
        self.assertIn("&lt;b&gt;", hannan._report.table(("<b>",), [("<i>",)]))

    @unittest.skipIf(matplotlib is None, "matplotlib is not there")
    def test_a_learner_plots_its_regret_beside_its_bounds(self):
        learner = hannan.problem("experts", experts=3).learner("gftpl", seed=1)
        learner.play(rows(3, 50))
        axes = learner.plot()
        names = [label.get_text() for label in axes.get_yticklabels()]
        uppers = [bound.name for bound in learner.report().bounds if bound.side == "upper"]
        self.assertEqual((names[0], set(names[1:]) - set(uppers)), ("regret", set()))
        self.assertGreater(len(names), 1)
        self.assertAlmostEqual(axes.patches[0].get_width(), learner.regret)

    @unittest.skipIf(matplotlib is None, "matplotlib is not there")
    def test_a_run_plots_its_regret_and_bound(self):
        run = hannan.problem("experts", experts=3).learner("flipflop").play(rows(3, 50), progress=True)
        axes = run.plot()
        self.assertEqual(len(axes.get_lines()), 2)
        self.assertEqual(list(axes.get_lines()[0].get_ydata()), run.regret.tolist())


class Start(unittest.TestCase):
    def test_importing_the_package_loads_none_of_the_optional_ones(self):
        import subprocess
        import sys

        code = "import sys, hannan; print([m for m in ('pandas', 'sklearn', 'matplotlib', 'dask') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout.strip(), "[]", done.stderr)


if __name__ == "__main__":
    unittest.main()
