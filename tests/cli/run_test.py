"""`hannan run`, `simulate` and `oracle` as a user meets them: what they print, write and resume."""
import json
import re

from program import LEARNERS, FolderTest, csv_text, gzipped, hannan, jsonl_text, losses, main, npy_bytes

ROUNDS = 100


class Printing(FolderTest):
    def setUp(self):
        super().setUp()
        self.data = self.file("losses.csv", csv_text(losses(ROUNDS, 5)))

    def test_progress_table_has_its_columns_at_powers_of_two_and_the_end(self):
        lines = self.ok("run", "experts", "-d", self.data).out.decode().split("\n")
        self.assertEqual(lines[0].split(maxsplit=4), ["rounds", "loss", "best", "regret", "limit (95 %)"])
        end = lines.index("")
        self.assertEqual([int(line.split()[0]) for line in lines[1:end]], [1, 2, 4, 8, 16, 32, 64, 100])
        for line in lines[1:end]:
            self.assertEqual(len(line.split()), 5, line)
        self.assertIn("flipflop on experts: 100 rounds", lines[end + 1])

    def test_only_the_limit_is_stated_of_a_run_and_the_last_sentence_has_one_number_to_quote(self):
        out = self.ok("run", "experts", "-d", self.data).out.decode()
        report = json.loads(self.ok("run", "experts", "-d", self.data, "--json").out)
        self.assertRegex(out, r"\n  limit \(95 %\): [\d.]+ at every round so far at once, with each round in the mean over its own draw\n")
        self.assertRegex(out, r"\n  expected regret, estimated bound [\d.]+: an estimate, it bounds no single run\n")
        self.assertIn("\n  also in --json: estimated bound less what the noise in use is worth, "
                      "estimated bound from the learner's own sums, flipflop2\n", out)
        last = out.rstrip().split("\n")[-1]
        found = re.fullmatch(r"To quote: with 95 % certainty it lost at most ([\d.]+) more than the best fixed choice in 100 rounds, "
                             r"each round in the mean over its own draw\.", last)
        self.assertIsNotNone(found, last)
        self.assertAlmostEqual(float(found[1]), report["limit"], delta=0.01)
        for misread in ("bound run", "does not hold", "regret <=", "DOES NOT HOLD", "reg/bnd"):
            self.assertNotIn(misread, out)

    def test_actions_within_the_tie_window_are_not_told_apart_and_nothing_is_stated(self):
        data = self.file("small.csv", b"3e-12,1e-12,2e-12\n" * 4)
        out = self.ok("run", "experts", "-d", data).out.decode()
        self.assertIn("best action in hindsight: cannot tell, its losses together are below 1e-09", out)
        for misread in ("To quote", "limit (95 %):", "regret of this run"):
            self.assertNotIn(misread, out)
        self.assertIn("best action in hindsight: 1 with", self.ok("run", "experts", "-d", data, "--param", "range=unknown").out.decode())

    def test_a_learner_without_a_limit_states_the_closed_form_of_the_mean_under_that_name(self):
        out = self.ok("run", "experts", "-d", self.data, "-l", "gftpl").out.decode()
        self.assertRegex(out, r"\n  expected regret: at most [\d.]+ \(closed form \w+, of the mean\); no limit is proven for a single run\n")
        self.assertRegex(out, r"\nTo quote: it is expected to lose at most [\d.]+ more than the best fixed choice in 100 rounds\.\n")
        sure = self.ok("run", "experts", "-d", self.data, "-l", "adahedge").out.decode()
        self.assertRegex(sure, r"\nTo quote: it lost at most [\d.]+ more than the best fixed choice in 100 rounds\.\n$")
        self.assertIn("no bound is proven", self.ok("run", "experts", "-d", self.data, "-l", "leader").out.decode())

    def test_a_statement_about_the_mean_neither_holds_nor_fails_in_a_single_run(self):
        mean = {"run", "measured", "exact", "ada2", "flipflop2", "tight2", "simple2", "trajectory2", "thm1_paper", "lower_paper", "lower_tight"}
        for learner in ("ada", "flipflop", "gftpl", "leader"):
            for seed in range(8):
                bounds = json.loads(self.ok("run", "experts", "-d", self.data, "-l", learner, "--seed", seed, "--json").out)["certificate"]["bounds"]
                self.assertEqual({bound["holds"] for bound in bounds if bound["name"] in mean}, {None}, (learner, seed))
                self.assertLessEqual({bound["holds"] for bound in bounds if bound["name"] == "limit"}, {True, None})

    def test_verify_says_what_each_number_covers(self):
        record = self.folder / "r.jsonl"
        for learner in ("ada", "flipflop", "gftpl", "adahedge"):
            self.ok("run", "experts", "-d", self.data, "-l", learner, "--record", record, "-q")
            out = self.ok("verify", record).out.decode()
            self.assertNotIn("does not hold", out)
            self.assertNotIn("bound run", out)
        self.ok("run", "experts", "-d", self.data, "--record", record, "-q")
        out = self.ok("verify", record).out.decode()
        self.assertRegex(out, r"- expected regret, estimated bound \(run\) [\d.]+\n")
        self.assertRegex(out, r"- limit: with 95 % certainty at most [\d.]+ at every round at once, each round in the mean over its own draw\n")
        self.assertRegex(out, r"- flipflop2: the expected regret is at most [\d.]+\n")

    def test_phi_is_above_one_and_at_most_a_hundred(self):
        for learner in ("flipflop", "flipflop-hedge"):
            for phi in ("1", "0.5", "0", "-2", "100.001", "1e9"):
                done = hannan("run", "experts", "-d", self.data, "-l", learner, "--set", f"phi={phi}")
                self.assertIn(b"H105", done.err, (learner, phi))
            for phi in ("1.001", "100"):
                record = self.folder / "phi.jsonl"
                self.ok("run", "experts", "-d", self.data, "-l", learner, "--set", f"phi={phi}", "--record", record, "-q")
                self.ok("verify", record)

    def test_quiet_prints_not_one_byte(self):
        for args in (["run", "experts", "-d", self.data], ["oracle", "experts", "-d", self.data],
                     ["simulate", "experts", "--rounds", "50"],
                     ["simulate", "experts", "--rounds", "50", "-o", self.folder / "out.csv"]):
            done = self.ok(*args, "-q")
            self.assertEqual(done.out, b"", args)

    def test_json_is_one_object_and_nothing_else(self):
        for args in (["run", "experts", "-d", self.data], ["oracle", "experts", "-d", self.data, "--keep", "3"],
                     ["simulate", "experts", "--rounds", "50", "-l", "leader", "-l", "flipflop"]):
            out = self.ok(*args, "--json").out
            self.assertEqual(out.count(b"\n"), 1)
            self.assertIsInstance(json.loads(out), dict)

    def test_report_agrees_with_its_own_rows(self):
        rows = losses(ROUNDS, 5)
        decisions = self.folder / "decisions.csv"
        report = json.loads(self.ok("run", "experts", "-d", self.data, "-p", decisions, "--json").out)
        totals = [sum(row[k] for row in rows) for k in range(5)]
        self.assertEqual(report["rounds"], ROUNDS)
        self.assertAlmostEqual(report["best"], min(totals))
        self.assertEqual(report["best_action"], totals.index(min(totals)))
        written = [line.split(",") for line in decisions.read_text().splitlines()]
        self.assertEqual(written[0], ["round", "action", "loss", "rate", "regime"])
        self.assertEqual([int(line[0]) for line in written[1:]], list(range(1, ROUNDS + 1)))
        for line, row in zip(written[1:], rows):
            self.assertEqual(float(line[2]), row[int(line[1])])
        self.assertAlmostEqual(sum(float(line[2]) for line in written[1:]), report["total"])

    def test_oracle_finds_the_best_expert_and_the_next_ones(self):
        rows = losses(ROUNDS, 5)
        totals = [sum(row[k] for row in rows) for k in range(5)]
        best = json.loads(self.ok("oracle", "experts", "-d", self.data, "--keep", "5", "--json").out)
        self.assertEqual([entry["action"] for entry in best["pool"]], sorted(range(5), key=lambda k: totals[k]))
        self.assertEqual(best["rest"], "inf")
        self.assertTrue(best["proven"])

    def test_help_and_version_exit_zero(self):
        for args in (["--help"], ["--version"], ["run", "--help"], ["simulate", "--help"], ["pipe", "--help"]):
            self.assertEqual(hannan(*args).status, 0)


class Formats(FolderTest):
    def test_csv_gzip_npy_and_json_lines_give_the_same_report(self):
        rows = losses(ROUNDS, 6)
        csv = csv_text(rows)
        inputs = {"a.csv": csv, "a.csv.gz": gzipped(csv), "a.npy": npy_bytes(rows), "a.npy.gz": gzipped(npy_bytes(rows)),
                  "a.jsonl": jsonl_text(rows), "a.jsonl.gz": gzipped(jsonl_text(rows)),
                  "headed.csv": csv_text(rows, header=[f"expert{k}" for k in range(6)])}
        flags = ["--param", "experts=6", "-l", "ada", "--json", "--seed", "9"]
        reports = {name: self.ok("run", "experts", "-d", self.file(name, data), *flags).out for name, data in inputs.items()}
        reports["stdin"] = self.ok("run", "experts", "-d", "-", *flags, stdin=csv).out
        reports["stdin.gz"] = self.ok("run", "experts", "-d", "-", *flags, stdin=gzipped(csv)).out
        named = json.loads(reports.pop("headed.csv"))
        self.assertEqual(named.pop("best_action_name"), f"expert{named['best_action']}")
        self.assertEqual(named, json.loads(reports["a.csv"]))
        for name, report in reports.items():
            self.assertEqual(report, reports["a.csv"], name)

    def test_number_of_experts_comes_from_the_table(self):
        rows = losses(20, 7)
        for name, data in (("a.csv", csv_text(rows)), ("a.npy", npy_bytes(rows))):
            given = self.ok("run", "experts", "-d", self.file(name, data), "--json", "--param", "experts=7").out
            self.assertEqual(self.ok("run", "experts", "-d", self.folder / name, "--json").out, given)

    def test_finite_game_reads_its_outcomes_as_a_column(self):
        params = self.file("game.json", b'{"losses":[[0,1,0.5],[1,0,0.5],[0.25,0.5,0.75]]}')
        column = b"0\n2\n1\n1\n0\n2\n"
        one = self.ok("run", "finite-game", "--params", params, "-d", self.file("y.csv", column), "--json").out
        other = self.ok("run", "finite-game", "--params", params, "-d", self.file("y.jsonl", column), "--json").out
        self.assertEqual(one, other)
        self.assertEqual(json.loads(one)["rounds"], 6)


class Resuming(FolderTest):
    def test_resumed_run_writes_the_same_bytes_as_an_uninterrupted_one(self):
        data = self.file("losses.csv", csv_text(losses(60, 4, seed=3)))
        for learner in LEARNERS:
            with self.subTest(learner=learner):
                self.check_resumed(data, learner)

    def check_resumed(self, data, learner):
        def outputs(name):
            return {kind: self.folder / f"{name}.{kind}" for kind in ("decisions", "record", "state")}

        def run(to, *flags):
            return self.ok("run", "experts", "-d", data, *learner, "--seed", "5", "--json", "-p", to["decisions"],
                           "--record", to["record"], "--save", to["state"], *flags).out

        whole, parts = outputs("whole"), outputs("parts")
        report = run(whole)
        run(parts, "--rounds", "17")
        run(parts, "--rounds", "20", "--resume", parts["state"])
        self.assertEqual(run(parts, "--resume", parts["state"]), report)
        for kind in whole:
            self.assertEqual(parts[kind].read_bytes(), whole[kind].read_bytes(), kind)

    def test_resuming_refuses_other_data_other_learners_and_decisions_that_end_before_the_state(self):
        data, other = (self.file(f"{seed}.csv", csv_text(losses(40, 4, seed=seed))) for seed in (1, 2))
        state, decisions = self.folder / "state.json", self.folder / "decisions.csv"
        self.ok("run", "experts", "-d", data, "--rounds", "20", "--save", state, "-p", decisions, "-q")
        for args, status in ((["-d", other], 3), (["-d", data, "-l", "ada"], 2), (["-d", data, "--seed", "9"], 2)):
            done = hannan("run", "experts", *args, "--resume", state)
            self.assertEqual(done.status, status, done.err)
        self.ok("run", "experts", "-d", data, "--resume", state, "-p", decisions, "-q")
        whole = decisions.read_bytes()
        self.ok("run", "experts", "-d", data, "--resume", state, "-p", decisions, "-q")  # cut back to the state's round
        self.assertEqual(decisions.read_bytes(), whole)
        short = b"".join(whole.splitlines(keepends=True)[:20])  # 19 rounds
        decisions.write_bytes(short)
        self.assertEqual(hannan("run", "experts", "-d", data, "--resume", state, "-p", decisions).status, 3)
        self.assertEqual(decisions.read_bytes(), short)

    def test_no_output_may_overwrite_an_input_or_another_output(self):
        data = self.file("losses.csv", csv_text(losses(10, 3)))
        before = data.read_bytes()
        both = self.folder / "both"
        for flags in (["-p", data], ["--record", data], ["--save", data], ["-p", both, "--record", both]):
            self.assertEqual(hannan("run", "experts", "-d", data, *flags).status, 2)
        self.assertEqual(data.read_bytes(), before)

    def test_negative_counts_are_refused(self):
        for args in (["simulate", "experts", "--runs", "-1"], ["simulate", "experts", "--rounds", "-1"],
                     ["run", "experts", "-d", "x.csv", "--seed", "-1"], ["run", "experts", "-d", "x.csv", "--rounds", "99999999999999999999"]):
            self.assertEqual(hannan(*args).status, 2)

    def test_resuming_with_another_problem_or_shorter_data_is_refused(self):
        data = self.file("losses.csv", csv_text(losses(30, 4)))
        state = self.folder / "state.json"
        self.ok("run", "experts", "-d", data, "--save", state, "-q")
        short = self.file("short.csv", csv_text(losses(10, 4)))
        wide = self.file("wide.csv", csv_text(losses(30, 5)))
        for args, code in ((["experts", "-d", short], b"H207"), (["experts", "-d", wide], b"H203"),
                           (["finite-game", "-d", data], b"H401")):
            done = hannan("run", *args, "--resume", state)
            self.assertEqual(done.status, 3)
            self.assertTrue(done.err.startswith(b"hannan: " + code), done.err)
            self.assertEqual(done.err.count(b"\n"), 1)


class Simulating(FolderTest):
    ARGS = ["simulate", "experts", "--rounds", "300", "--experts", "8", "--runs", "6", "--seed", "4",
            "-l", "flipflop", "-l", "gftpl:c=0.5,perturbation=one-hot", "-l", "hedge", "-l", "uniform-gftpl"]

    def test_threads_change_no_byte(self):
        for flag in ([], ["--json"]):
            one = self.ok(*self.ARGS, *flag, "--threads", "1").out
            self.assertEqual(self.ok(*self.ARGS, *flag, "--threads", "2").out, one)
            self.assertEqual(self.ok(*self.ARGS, *flag, "--threads", "2").out, one)

    def test_seeds_change_the_runs(self):
        one = self.ok(*self.ARGS, "--json").out
        other = [arg if arg != "4" else "5" for arg in self.ARGS]
        self.assertNotEqual(self.ok(*other, "--json").out, one)

    def test_written_stream_played_from_the_file_gives_the_simulated_regret(self):
        data = self.folder / "stream.csv"
        common = ["simulate", "experts", "--stream", "small-loss", "--hits", "5", "--rounds", "400", "--experts", "8", "--seed", "6"]
        self.ok(*common, "-o", data, "-q")
        simulated = json.loads(self.ok(*common, "-l", "ada", "--json").out)["learners"][0]["regret"]
        played = json.loads(self.ok("run", "experts", "-d", data, "-l", "ada", "--seed", "6", "--json").out)["regret"]
        self.assertEqual(played, simulated)

    def test_every_stream_can_be_simulated(self):
        for stream in ("iid", "small-loss", "drift", "elimination", "killer", "feed-killer", "branch-killer", "aimed", "aimed-trajectory", "aimed-regret",
                       "adaptive", "infer"):
            out = self.ok("simulate", "experts", "--stream", stream, "--rounds", "128", "--experts", "4", "--hits", "1", "--json").out
            self.assertEqual(json.loads(out)["stream"], stream)


if __name__ == "__main__":
    main()
