"""threads_test.py BINARY: every command that uses threads, on several of them; the output is that of one thread.

Short, so that it also runs under the thread sanitizer (label threads), which ends the program with a status of its own."""
import json
import random

from experiment_folder import ExperimentFolder
from program import hannan, main


class ThreadsTest(ExperimentFolder):
    def same_on_all(self, *args):
        one = self.ok(*args, "--threads", "1").out
        for threads in ("2", "5"):
            self.assertEqual(self.ok(*args, "--threads", threads).out, one, threads)

    def test_simulated_losses(self):
        self.same_on_all("simulate", "experts", "--stream", "adaptive", "--rounds", "200", "--experts", "6", "--runs", "6", "--seed", "2",
                         "-l", "flipflop", "-l", "gftpl", "-l", "off:estimator=regret", "-l", "hedge", "--json")

    def test_simulated_auctions(self):
        self.same_on_all("simulate", "vcg-reserves", "--param", "bidders=2", "--param", "levels=6", "--stream", "lognormal", "--rounds",
                         "100", "--runs", "6", "-l", "leader", "-l", "flipflop", "--json")

    def test_a_search_by_boxes(self):
        for game in (("vcg-reserves", "--param", "bidders=5", "--param", "levels=32"),
                     ("item-pricing", "--param", "items=7", "--param", "levels=32", "--param", "buyers=3")):
            data = self.folder / f"{game[0]}.jsonl"
            self.ok("simulate", *game, "--stream", "lognormal", "--rounds", "150", "-o", data)
            self.same_on_all("oracle", *game, "--oracle", "branch_bound", "-d", data, "--keep", "3", "--json")

    def test_a_run_whose_searches_use_threads(self):
        # What is written has no trace of the number of threads; a state goes on with any.
        game = ("vcg-reserves", "--param", "bidders=5", "--param", "levels=32")
        data = self.folder / "bids.jsonl"
        self.ok("simulate", *game, "--stream", "lognormal", "--rounds", "60", "-o", data)
        written = []
        for first, second in ((1, 1), (3, 3), (1, 3)):
            files = [self.folder / f"{name}{first}{second}" for name in ("decisions", "record", "state", "summary")]
            run = ("run", *game, "-d", data, "-l", "flipflop", "-q", "-p", files[0], "--record", files[1], "--save", files[2])
            self.ok(*run, "--set", "oracle=branch_bound:20000", "--rounds", "40", "--threads", str(first))
            self.ok(*run, "--resume", files[2], "--summary", files[3], "--threads", str(second))
            written.append([file.read_bytes() for file in files])
        self.assertEqual(written[1], written[0])
        self.assertEqual(written[2], written[0])

    def test_a_plan(self):
        one = self.play(self.quick, "one", "--threads", "1")
        self.assertEqual(one, self.play(self.quick, "many", "--threads", "5"))

    def test_answers_of_the_pipe(self):
        game = {"op": "problem", "as": "p", "kind": "vcg-reserves", "params": {"bidders": 5, "levels": 32}}
        draw = random.Random(5)
        data = [{"weight": 1, "outcome": [round(draw.random(), 3) for _ in range(5)]} for _ in range(150)]
        asked = "\n".join(json.dumps(one) for one in (game, {"op": "best", "in": "p", "data": data, "keep": 3, "oracle": "branch_bound"}))
        one = hannan("pipe", stdin=asked.encode() + b"\n").out
        self.assertTrue(json.loads(one.splitlines()[1])["proven"])
        self.assertEqual(hannan("pipe", "--threads", "3", stdin=asked.encode() + b"\n").out, one)

    def test_a_comparison(self):
        # Its learners share one history.
        game = ("vcg-reserves", "--param", "bidders=5", "--param", "levels=32")
        self.ok("simulate", *game, "--stream", "lognormal", "--rounds", "60", "-o", self.folder / "bids.jsonl")
        compare = ("compare", *game, "-d", self.folder / "bids.jsonl", "-q", "-o")
        self.ok(*compare, self.folder / "one.json")
        self.ok(*compare, self.folder / "two.json", "--threads", "3")
        self.assertEqual((self.folder / "one.json").read_bytes(), (self.folder / "two.json").read_bytes())


if __name__ == "__main__":
    main()
