"""Oracles that are programs of their own: right ones give the decisions of ours, wrong ones one clear error and no loss."""
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

from program import BINARY, FolderTest, csv_text, hannan, losses, main

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "external"
LINE = re.compile(rb"hannan: (H\d{3}): [^\n]*\n")


def command(script, *words, python=sys.executable):
    return " ".join(shlex.quote(str(word)) for word in (python, "-B", script, *words))


def table_oracle(*words):
    return "external:" + command(EXAMPLES / "table_oracle.py", *words)


def faulty(way, at=3, seconds=None, mark="-"):
    """The mark is for finding the process again."""
    return ("external:" if seconds is None else f"external@{seconds}:") + command(HERE / "oracles" / "faulty.py", way, at, mark)


def leftovers(word):
    """Processes whose command line holds the word."""
    word = str(word)
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if word.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                found.append(entry.name)
        except OSError:
            pass
    return found


class Exact(FolderTest):
    def decisions(self, name, *args):
        path = self.folder / name
        self.ok("run", *args, "-q", "-p", path)
        rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
        return [(row[1], float(row[2])) for row in rows]

    def test_experts_are_played_as_with_the_oracle_in_the_house(self):
        data = self.file("losses.csv", csv_text(losses(40, 5, seed=3)))
        for learner in (["gftpl"], ["gftpl", "--set", "perturbation=one-hot"], ["flipflop"], ["ada"], ["off"], ["leader"]):
            for words in ([], ["nonnegative"]):
                with self.subTest(learner=learner, words=words):
                    run = ["experts", "-d", data, "--seed", 5, "-l", *learner]
                    self.assertEqual(self.decisions("theirs.csv", *run, "--set", "oracle=" + table_oracle(*words)),
                                     self.decisions("ours.csv", *run))

    def test_games_in_rewards_with_fake_data_too(self):
        game = self.file("game.json", b'{"rewards":[[1,0,0.25],[0.5,0.75,0],[0,0.5,1],[0.25,0.25,0.25]]}')
        coins = random.Random(4)
        data = self.file("outcomes.csv", "".join(f"{coins.randrange(3)}\n" for _ in range(40)).encode())
        # Fake data draws weight 0 for most outcomes at epsilon = 0.7.
        for learner in (["gftpl"], ["fake-data", "--set", "epsilon=0.7"]):
            for words in ([], ["nonnegative"]):
                run = ["finite-game", "--params", game, "-d", data, "--seed", 2, "-l", *learner]
                if words and learner == ["gftpl"]:  # no data set of non-negative weights makes minus an outcome's column
                    done = hannan("run", *run, "-q", "--set", "oracle=" + table_oracle(*words))
                    self.assertEqual(done.status, 2)
                    self.assertIn(b"H108", done.err)
                    continue
                with self.subTest(learner=learner, words=words):
                    self.assertEqual(self.decisions("theirs.csv", *run, "--set", "oracle=" + table_oracle(*words)),
                                     self.decisions("ours.csv", *run))

    def test_the_record_verifies_without_the_program(self):
        data, record = self.file("losses.csv", csv_text(losses(30, 4))), self.folder / "run.jsonl"
        oracle = self.file("oracle.py", (EXAMPLES / "table_oracle.py").read_bytes())
        for learner in ("gftpl", "off", "flipflop"):
            oracle.write_bytes((EXAMPLES / "table_oracle.py").read_bytes())
            self.ok("run", "experts", "-q", "-d", data, "-l", learner, "--record", record,
                    "--set", "oracle=external:" + command(oracle))
            report = json.loads(record.read_text().splitlines()[-1])["end"]
            self.assertEqual(report["certificate"]["assumptions"]["oracle"], "claimed exact")
            self.assertEqual(report["oracle_gap"], 0)
            # Were it started, it would leave a trace and fail.
            oracle.write_text(f"open({str(self.folder / 'started')!r}, 'w')\nraise SystemExit(1)\n")
            # Every choice was held against all actions, and leaders that tied are told apart as by the oracle in the house.
            done = self.ok("verify", record)
            self.assertIn(b" verifies: ", done.out)
            self.assertIn(b", against all actions", done.out)
            self.assertNotIn(b"on trust", done.out)
            self.assertFalse((self.folder / "started").exists())

    def test_other_leaders_of_those_that_tie_leave_the_regret_of_the_leader_alone_on_trust(self):
        # In round 2 all tie. What the leader alone would have lost depends on which of them is meant; the choices do not.
        data, record = self.file("losses.csv", csv_text(losses(30, 4))), self.folder / "run.jsonl"
        for learner in ("gftpl", "flipflop", "leader"):
            self.ok("run", "experts", "-q", "-d", data, "-l", learner, "--record", record,
                    "--set", "oracle=external:" + command(HERE / "oracles" / "tied.py", "last", "exact"))
            done = hannan("verify", record)
            trusted = [line for line in done.out.decode().splitlines() if "on trust: " in line[1:]]
            self.assertIn(b", against all actions", done.out)
            if learner == "leader":  # it is the leader alone
                self.assertEqual((done.status, trusted), (0, []))
                continue
            self.assertEqual(done.status, 1, done.err)
            self.assertRegex("".join(trusted[:1]), r"run\.jsonl is consistent, in part on trust: 30 rounds")
            self.assertEqual([line.split(":")[1] for line in trusted[1:]], [" which of the leaders that tied the oracle of the run found"])

    def test_a_false_claim_that_was_not_noticed_does_not_verify(self):
        # It always plays expert 0, says that this is exact, and nothing it answered before says otherwise.
        script = self.file("liar.py", b"import sys, json\nsys.stdin.readline()\nprint('{\"ready\":true,\"exact\":true}', flush=True)\n"
                           b"for line in sys.stdin:\n    print(json.dumps({'id': json.loads(line)['id'], 'action': 0}), flush=True)\n")
        data, record = self.file("losses.csv", b"1,0\n" * 8), self.folder / "run.jsonl"
        hannan("run", "experts", "-q", "-d", data, "-l", "leader", "--record", record, "--set", "oracle=external:" + command(script))
        done = hannan("verify", record)
        self.assertEqual(done.status, 3)
        self.assertIn(b"H601", done.err)

    def test_two_calls_a_round_and_a_run_resumes_to_the_same_bytes(self):
        rows = losses(30, 4)
        data, state = self.file("losses.csv", csv_text(rows)), self.folder / "state.json"
        log = self.folder / "calls"
        counting = f"tee {shlex.quote(str(log))} | " + command(EXAMPLES / "table_oracle.py")
        run = ["run", "experts", "-d", data, "--json", "-l", "gftpl", "--seed", 3, "--set", "oracle=external:" + counting]
        whole = self.ok(*run).out
        calls = len(log.read_text().splitlines()) - 1  # the first line is the hello
        # A choice and a leader for each round, and for the one that no outcome came for.
        self.assertLessEqual(calls, 2 * (len(rows) + 1))
        self.assertGreaterEqual(calls, len(rows))
        self.ok(*run[:3], data, "-q", "-l", "gftpl", "--seed", 3, "--set", "oracle=external:" + counting, "--rounds", 11, "--save", state)
        self.assertEqual(self.ok("run", "experts", "-d", data, "--json", "--resume", state).out, whole)

    def test_oracle_command_and_pipe(self):
        data = self.file("losses.csv", csv_text(losses(30, 4)))
        ours = json.loads(self.ok("oracle", "experts", "-d", data, "--json").out)
        theirs = json.loads(self.ok("oracle", "experts", "-d", data, "--json", "--oracle", table_oracle()).out)
        self.assertEqual((ours["action"], theirs["claims"]), (theirs["action"], "claimed exact"))
        self.assertAlmostEqual(ours["value"], theirs["value"], places=9)
        self.assertIn(b"optimal as it claims", self.ok("oracle", "experts", "-d", data, "--oracle", table_oracle()).out)
        pipe = [{"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 2}},
                {"op": "best", "in": "p", "oracle": table_oracle(), "data": [{"weight": -2, "outcome": [0, 1]}]},
                {"op": "best", "in": "p", "oracle": table_oracle("nonnegative"), "data": [{"weight": -2, "outcome": [0, 1]}]}]
        done = self.ok("pipe", stdin="".join(json.dumps(line) + "\n" for line in pipe).encode())
        answers = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual((answers[1]["action"], answers[1]["value"]), (1, -2))
        self.assertEqual(answers[2]["error"]["code"], "H108")


class Wrong(FolderTest):
    """Twelve rounds of three experts; the program goes wrong at its third call."""

    def setUp(self):
        super().setUp()
        self.data = self.file("losses.csv", csv_text(losses(12, 3)))

    def fails(self, oracle, code, says=b"", args=()):
        done = hannan("run", "experts", "-q", "-d", self.data, "-l", "gftpl", "--set", "oracle=" + oracle, *args, timeout=60)
        match = LINE.fullmatch(done.err)
        self.assertIsNotNone(match, (oracle, done.status, done.err[:500]))
        self.assertEqual((match[1].decode(), done.status), (code, 3), done.err)
        self.assertIn(says, done.err)
        self.assertLess(len(done.err), 1500)
        return done

    def test_each_wrong_way_is_one_error(self):
        for way, code, says in (("crash", "H702", b"the cat sat"), ("exit", "H702", b"status 7"), ("killed", "H702", b"signal 9"),
                                ("partial", "H702", b"before it answered"), ("close-output", "H702", b"closed its output"),
                                ("garbage", "H704", b"hello there"), ("empty", "H704", b"an empty line"), ("array", "H704", b"[1,2]"),
                                ("nan", "H704", b""), ("wrong-id", "H704", b"expected id 3"), ("no-action", "H704", b"action"),
                                ("extra", "H704", b"value"), ("unknown-action", "H704", b"99"), ("text-action", "H704", b"first"),
                                ("huge", "H704", b"longer than"), ("endless", "H704", b"longer than"),
                                ("high-floor", "H705", b"no action is below 1000"), ("not-exact", "H705", b"claims to be exact")):
            with self.subTest(way=way):
                self.fails(faulty(way, mark=self.folder), code, says)
        self.assertEqual(leftovers(self.folder), [])

    def test_time_limits(self):
        for way, at in (("hang", 3), ("hang", 0), ("grandchild", 3), ("close-input", 3), ("deaf", 0)):
            with self.subTest(way=way):
                self.fails(faulty(way, at, seconds=1.5, mark=self.folder), "H703", b"1.5 s")
        self.assertEqual(leftovers(self.folder), [])

    def test_programs_that_do_not_start(self):
        self.fails("external:no-such-program-at-all --flag", "H701", b"no-such-program-at-all")
        self.fails(faulty("exit", 0), "H701", b"status 7")
        self.fails(faulty("garbage", 0), "H701", b"hello there")
        self.fails(faulty("not-ready", 0), "H701", b"not ready")
        self.fails("external:true", "H701", b"status 0")
        self.fails("external:cat", "H701", b"hannan oracle")  # our own hello is no answer

    def test_names_that_say_nothing(self):
        for oracle, code in (("external:", "H100"), ("external:  ", "H100"), ("external@0:cat", "H105"), ("external@x:cat", "H105"),
                             ("external@5", "H105"), ("external@-1:cat", "H105"), ("external@inf:cat", "H105")):
            done = hannan("run", "experts", "-q", "-d", self.data, "--set", "oracle=" + oracle)
            self.assertRegex(done.err, rb"^hannan: " + code.encode() + rb": [^\n]*\n$")
            self.assertEqual(done.status, 2)

    def test_slow_and_talkative_programs_are_fine(self):
        for way in ("slow", "noisy"):
            done = hannan("run", "experts", "-q", "-d", self.data, "-l", "gftpl", "--set", "oracle=" + faulty(way), "--rounds", 4)
            self.assertEqual((done.status, done.err), (1, b""))  # no floor, so there is a gap

    def test_rounds_before_a_failure_are_kept_and_go_on(self):
        good = faulty("none")
        for learner, tracks in (("gftpl", ["every"]), ("flipflop", ["every", "end"]), ("off", ["every"])):
            for track in tracks:
                run = ["run", "experts", "-d", self.data, "-l", learner, "--set", "track=" + track]
                whole = hannan(*run, "--json", "--set", "oracle=" + good).out
                for at in (3, 9):
                    with self.subTest(learner=learner, track=track, at=at):
                        switch = self.folder / "switch"
                        switch.write_text(faulty("exit", at).removeprefix("external:"))
                        state, written, record = (self.folder / name for name in ("state.json", "kept.csv", "kept.jsonl"))
                        outputs = ["--save", state, "-p", written, "--record", record]
                        args = [*run, "-q", "--set", f"oracle=external:sh {shlex.quote(str(switch))}", *outputs]
                        done = hannan(*args)
                        self.assertIn(b"H702", done.err)
                        kept = int(re.search(rb"the (\d+) rounds before it are kept in", done.err)[1])
                        self.assertEqual(len(written.read_text().splitlines()), kept + 1)
                        # Mended, the run goes on, and ends like one that never failed.
                        switch.write_text(good.removeprefix("external:"))
                        done = hannan("run", "experts", "-d", self.data, "--json", "--resume", state, *outputs)
                        self.assertEqual(done.err, b"")
                        expected = json.loads(whole)
                        found = json.loads(done.out)
                        found["params"]["oracle"] = expected["params"]["oracle"]
                        self.assertEqual(found, expected)
                        self.assertEqual(hannan("verify", record).err, b"")

    def test_with_L_star_tracked_the_report_is_there_after_a_failure(self):
        done = self.fails(faulty("exit", 8), "H702", args=["--record", self.folder / "run.jsonl", "--set", "track=every"])
        kept = int(re.search(rb"the (\d+) rounds", done.err)[1])
        self.assertGreater(kept, 0)
        self.assertNotIn(b"no report", done.err)
        self.assertEqual(hannan("verify", self.folder / "run.jsonl").err, b"")

    def test_in_the_pipe_a_failed_request_changes_nothing_and_may_be_tried_again(self):
        # Call 4 fails once: the second start finds the mark of the first.
        mark = self.folder / "mark"
        oracle = f"if test -e {shlex.quote(str(mark))}; then {faulty('none')[9:]}; else touch {shlex.quote(str(mark))}; {faulty('exit', 4)[9:]}; fi"
        rows = losses(6, 3)

        def talk(name):
            with subprocess.Popen([BINARY, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pipe:
                def ask(request):
                    pipe.stdin.write(json.dumps(request).encode() + b"\n")
                    pipe.stdin.flush()
                    return json.loads(pipe.stdout.readline())
                ask({"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 3}})
                made = ask({"op": "learner", "as": "l", "in": "p", "kind": "gftpl", "params": {"oracle": name, "seed": 1}})
                self.assertTrue(made["ok"], made)
                failures, seen = [], []
                for row in rows:
                    for request in ({"op": "act", "in": "l"}, {"op": "observe", "in": "l", "outcome": row}):
                        answer = ask(request)
                        if not answer["ok"]:
                            failures.append(answer["error"]["code"])
                            answer = ask(request)
                        seen.append(answer)
                report = ask({"op": "report", "in": "l"})
                del report["params"]["oracle"]
                pipe.stdin.close()
            return failures, seen, report

        self.assertEqual(talk(faulty("none"))[0], [])
        failures, seen, report = talk("external:" + oracle)
        self.assertEqual(failures, ["H702"])
        self.assertEqual((seen, report), talk(faulty("none"))[1:])

    def test_a_failure_while_late_outcomes_are_settled_changes_nothing(self):
        rows = losses(4, 3)
        # The outcome of round 1 settles three rounds: three calls and one for L*.
        order = [("act", 1), ("act", 2), ("observe", 2), ("act", 3), ("observe", 3), ("observe", 1), ("act", 4), ("observe", 4)]

        def talk(name):
            """What failed, and the answers; a request that fails is made again."""
            with subprocess.Popen([BINARY, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pipe:
                def ask(**request):
                    pipe.stdin.write(json.dumps({**request, "in": "l" if request["op"] != "learner" else "p"}).encode() + b"\n")
                    pipe.stdin.flush()
                    return json.loads(pipe.stdout.readline())
                pipe.stdin.write(b'{"op":"problem","as":"p","kind":"experts","params":{"experts":3}}\n')
                pipe.stdin.flush()
                pipe.stdout.readline()
                made = ask(**{"op": "learner", "as": "l", "kind": "ada", "params": {"oracle": name, "seed": 1, "delayed": True}})
                self.assertTrue(made["ok"], made)
                failures, seen = [], []
                for op, t in order:
                    request = {"op": op, "round": t, **({"outcome": rows[t - 1]} if op == "observe" else {})}
                    before = ask(op="save")
                    answer = ask(**request)
                    if not answer["ok"]:
                        failures.append((answer["error"]["code"], op, t))
                        self.assertEqual(ask(op="save"), before)
                        answer = ask(**request)
                    seen.append(answer)
                pipe.stdin.close()
            return failures, seen

        wanted = talk(faulty("none"))
        self.assertEqual(wanted[0], [])
        self.assertEqual(wanted[1][5]["settled"], 3)
        failed = set()
        for call in range(1, 7):
            mark = self.folder / f"mark{call}"
            oracle = f"if test -e {shlex.quote(str(mark))}; then {faulty('none')[9:]}; else touch {shlex.quote(str(mark))}; {faulty('exit', call)[9:]}; fi"
            with self.subTest(call=call):
                failures, seen = talk("external:" + oracle)
                self.assertEqual(([code for code, _, _ in failures], seen), (["H702"], wanted[1]))
                failed.update(failures)
        self.assertIn(("H702", "observe", 1), failed)
        self.assertIn(("H702", "act", 3), failed)


class Trees(FolderTest):
    """The worked example; skipped where no Python here has scikit-learn."""

    def python(self):
        for python in (sys.executable, "/usr/bin/python3"):
            if pathlib.Path(python).exists() and subprocess.run([python, "-c", "import sklearn"], capture_output=True).returncode == 0:
                return python
        self.skipTest("no scikit-learn here")

    def test_a_greedy_tree_learns_and_its_record_verifies(self):
        python = self.python()
        coins = random.Random(7)
        points = [[coins.randrange(8), coins.randrange(8), coins.randrange(8)] for _ in range(24)]
        truth = [int((x >= 4) == (y >= 4)) for x, y, _ in points]  # no stump comes near it, a tree of depth 2 is right
        rounds = [coins.randrange(24) for _ in range(120)]
        labels = [truth[i] ^ (coins.random() < 0.1) for i in rounds]
        params = self.file("points.json", json.dumps({"points": points, "hypotheses": "trees2"}).encode())
        data = self.file("labels.csv", ("point,label\n" + "".join(f"{i},{y}\n" for i, y in zip(rounds, labels))).encode())
        record = self.folder / "run.jsonl"
        oracle = "external:" + command(EXAMPLES / "tree_oracle.py", python=python)
        run = ["run", "classification", "--params", params, "-d", data, "-l", "gftpl", "--seed", 1]
        done = hannan(*run, "--json", "--record", record, "--set", "oracle=" + oracle)
        self.assertEqual(done.err, b"")
        report, ours = json.loads(done.out), json.loads(self.ok(*run, "--json").out)
        self.assertEqual(report["certificate"]["assumptions"]["oracle"], "claimed floors")
        self.assertLessEqual(report["floor"], ours["best"])
        self.assertGreaterEqual(report["best"], ours["best"])
        self.assertTrue(all(bound["holds"] is not False and report["regret"] <= bound["value"] for bound in report["certificate"]["bounds"]
                            if bound["side"] == "upper" and "says" not in bound))
        # Guessing loses 60; the best tree about 12.
        self.assertLess(report["total"], 50)
        self.assertEqual(hannan("verify", record).err, b"")

    def test_it_says_that_it_is_for_trees_only(self):
        python = self.python()
        params = self.file("points.json", b'{"points":[[1],[2]],"hypotheses":"thresholds"}')
        data = self.file("labels.csv", b"point,label\n0,1\n")
        done = hannan("run", "classification", "--params", params, "-d", data, "-q",
                      "--set", "oracle=external:" + command(EXAMPLES / "tree_oracle.py", python=python))
        self.assertRegex(done.err, rb"^hannan: H701: [^\n]*not ready[^\n]*\n$")


if __name__ == "__main__":
    main()
