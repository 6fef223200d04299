"""Nothing that was saved is lost: after any kill, cut or full disk a resumed run ends with the bytes of a whole one."""
import json
import random
import resource
import subprocess
import time

from program import BINARY, LEARNERS, FolderTest, csv_text, hannan, losses, main, npy_bytes

ROUNDS = 60
KINDS = {"decisions": "-p", "record": "--record", "state": "--save"}


class RunTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.data = self.file("losses.csv", csv_text(losses(ROUNDS, 4, seed=3)))

    def outputs(self, name, decisions="csv"):
        return {kind: self.folder / f"{name}.{kind}" if kind != "decisions" else self.folder / f"{name}.{decisions}"
                for kind in KINDS}

    def args(self, to, *flags, data=None):
        files = [part for kind, path in to.items() for part in (KINDS[kind], path)]
        return ["run", "experts", "-d", data or self.data, "-q", *files, *flags]

    def bytes_of(self, files):
        return {kind: path.read_bytes() for kind, path in files.items()}

    def whole(self, *flags, data=None, decisions="csv"):
        files = self.outputs("whole", decisions)
        self.ok(*self.args(files, *flags, data=data))
        return self.bytes_of(files)

    def put(self, files, contents):
        for kind, path in files.items():
            path.write_bytes(contents[kind])


class Cutting(RunTest):
    """What a kill leaves: files that hold at least what the state says, cut anywhere behind it."""

    def check_cuts(self, decisions, *flags):
        whole = self.whole(*flags, decisions=decisions)
        part = self.outputs("part", decisions)
        self.ok(*self.args(part, *flags, "--rounds", "20"))
        saved = self.bytes_of(part)
        least = {"decisions": len(saved["decisions"]), "record": saved["record"].index(b'{"end"')}
        coins = random.Random(7)
        for i in range(25):
            # The first cuts are at the state's round itself and within the line behind it.
            cut = {kind: least[kind] + (i if i < 5 else coins.randrange(len(whole[kind]) - least[kind] + 1)) for kind in least}
            self.put(part, {kind: whole[kind][:cut[kind]] for kind in cut} | {"state": saved["state"]})
            done = hannan(*self.args(part, *flags, "--resume", part["state"]))
            self.assertEqual(done.status, 0, (cut, done.err))
            self.assertEqual(self.bytes_of(part), whole, cut)

    def test_files_ahead_of_the_state_are_cut_back_and_end_the_same(self):
        self.check_cuts("csv")

    def test_decisions_as_json_lines_are_cut_back_too(self):
        self.check_cuts("jsonl", "-l", "off", "--set", "estimator=tight")

    def test_a_run_killed_before_its_first_round_is_resumed_from_its_start(self):
        whole = self.whole()
        part = self.outputs("part")
        hannan(*self.args(part, "--rounds", "0"))  # H206: nothing was played, and the state says so
        state = part["state"].read_bytes()
        header = whole["record"].index(b"\n") + 1
        for decisions, record in ((0, 0), (5, 7), (30, header - 1), (31, header), (45, header + 40)):
            self.put(part, {"decisions": whole["decisions"][:decisions], "record": whole["record"][:record], "state": state})
            self.ok(*self.args(part, "--resume", part["state"]))
            self.assertEqual(self.bytes_of(part), whole, (decisions, record))

    def test_a_record_without_its_closing_line_gets_it(self):
        for learner in LEARNERS:
            with self.subTest(learner=learner):
                whole = self.whole(*learner)
                files = self.outputs("whole")
                end = whole["record"].index(b'{"end"')
                for cut in (end, end + 1, len(whole["record"]) - 1):
                    files["record"].write_bytes(whole["record"][:cut])
                    self.ok(*self.args(files, *learner, "--resume", files["state"]))
                    self.assertEqual(files["record"].read_bytes(), whole["record"])
                    self.assertEqual(files["decisions"].read_bytes(), whole["decisions"])

    def test_files_behind_the_state_are_refused_and_left_alone(self):
        part = self.outputs("part")
        self.ok(*self.args(part, "--rounds", "20"))
        saved = self.bytes_of(part)
        rounds = saved["record"].index(b'{"end"')
        for kind, cuts in (("decisions", (len(saved["decisions"]) - 1, len(saved["decisions"]) // 2, 31, 3)),
                           ("record", (rounds - 1, rounds // 2, 1, 0))):
            for cut in cuts:
                self.put(part, saved)
                part[kind].write_bytes(saved[kind][:cut])
                before = self.bytes_of(part)
                done = hannan(*self.args(part, "--resume", part["state"]))
                self.assertEqual(done.status, 3, (kind, cut, done.err))
                self.assertIn(done.err[8:12], (b"H207", b"H401"))
                self.assertEqual(self.bytes_of(part), before, (kind, cut))

    def test_other_line_ends_are_not_those_of_the_run(self):
        part = self.outputs("part")
        self.ok(*self.args(part, "--rounds", "20"))
        for kind in ("decisions", "record"):
            saved = self.bytes_of(part)
            part[kind].write_bytes(saved[kind].replace(b"\n", b"\r\n"))
            before = self.bytes_of(part)
            self.assertEqual(hannan(*self.args(part, "--resume", part["state"])).status, 3)
            self.assertEqual(self.bytes_of(part), before)
            self.put(part, saved)


class Foreign(RunTest):
    """A file of another run is never cut or written to."""

    def test_a_foreign_record_is_refused_and_not_one_byte_of_it_changes(self):
        state = self.outputs("mine")["state"]
        mine = self.folder / "mine.jsonl"
        self.ok("run", "experts", "-d", self.data, "--seed", "5", "--rounds", "5", "--save", state, "--record", mine, "-q")
        other_data = self.file("other.csv", csv_text(losses(ROUNDS, 4, seed=4)))
        wide = self.file("wide.csv", csv_text(losses(ROUNDS, 5, seed=3)))
        foreign = {}
        for name, args in {"seed": ["-d", self.data, "--seed", "6"], "learner": ["-d", self.data, "--seed", "5", "-l", "gftpl"],
                           "params": ["-d", self.data, "--seed", "5", "--set", "phi=3"], "problem": ["-d", wide, "--seed", "5"],
                           "data": ["-d", other_data, "--seed", "5"]}.items():
            foreign[name] = self.folder / f"{name}.jsonl"
            self.ok("run", "experts", *args, "--record", foreign[name], "-q")
        foreign["text"] = self.file("text.jsonl", b"".join(b"line %d\n" % i for i in range(30)))
        foreign["json"] = self.file("json.jsonl", b'{"a":1}\n' * 30)
        foreign["bytes"] = self.file("bytes.jsonl", bytes(range(256)) * 10)
        foreign["empty"] = self.file("empty.jsonl", b"")
        for name, path in foreign.items():
            before = path.read_bytes()
            done = hannan("run", "experts", "-d", self.data, "--resume", state, "--record", path, "-q")
            self.assertEqual(done.status, 3, (name, done.err))
            self.assertIn(done.err[8:12], (b"H401", b"H207"), name)
            self.assertEqual(done.err.count(b"\n"), 1)
            self.assertEqual(path.read_bytes(), before, name)
        missing = self.folder / "missing.jsonl"
        self.assertEqual(hannan("run", "experts", "-d", self.data, "--resume", state, "--record", missing, "-q").status, 3)
        self.assertFalse(missing.exists())
        self.ok("run", "experts", "-d", self.data, "--resume", state, "--record", mine, "-q")

    def test_foreign_decisions_are_refused_and_not_one_byte_of_them_changes(self):
        state, plain = self.folder / "state.json", self.folder / "plain.json"
        self.ok("run", "experts", "-d", self.data, "--rounds", "5", "--save", state, "-p", self.folder / "mine.csv", "-q")
        self.ok("run", "experts", "-d", self.data, "--rounds", "5", "--save", plain, "-q")
        other_data = self.file("other.csv", csv_text(losses(ROUNDS, 4, seed=4)))
        foreign = [self.folder / "data.csv", self.file("table.csv", b"a,b\n1,2\n" * 20), self.file("short.csv", b"round,"),
                   self.file("data.jsonl", b'{"round":1}\n' * 9)]
        self.ok("run", "experts", "-d", other_data, "-p", foreign[0], "-q")
        for path in foreign:
            for saved in (state, plain):
                before = path.read_bytes()
                done = hannan("run", "experts", "-d", self.data, "--resume", saved, "-p", path, "-q")
                self.assertEqual(done.status, 3, (path, done.err))
                self.assertEqual(path.read_bytes(), before)

    def test_when_one_file_is_foreign_the_other_stays_as_it_is_too(self):
        files = self.outputs("part")
        self.ok(*self.args(files, "--rounds", "5"))
        state = files["state"].read_bytes()
        self.ok(*self.args(files, "--resume", files["state"]))
        files["state"].write_bytes(state)
        files["record"].write_bytes(b"a file of another kind\n")
        before = self.bytes_of(files)
        self.assertEqual(hannan(*self.args(files, "--resume", files["state"])).status, 3)
        self.assertEqual(self.bytes_of(files), before)


class Killing(RunTest):
    def test_after_kill_9_at_any_moment_the_resumed_run_ends_with_the_same_bytes(self):
        data = self.file("long.csv", csv_text(losses(3000, 4, seed=5)))
        flags = ["--save-every", "200", "--seed", "2"]
        start = time.monotonic()
        whole = self.whole(*flags, data=data)
        length = time.monotonic() - start
        part = self.outputs("part")
        coins = random.Random(11)
        killed = 0
        for attempt in range(20):
            for path in part.values():
                path.unlink(missing_ok=True)
            moment = coins.random() * 1.1 * length
            process = subprocess.Popen([BINARY, *map(str, self.args(part, *flags, data=data))])
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)
                killed += 1
            resume = ["--resume", part["state"]] if part["state"].exists() else []
            done = hannan(*self.args(part, *flags, *resume, data=data))
            self.assertEqual(done.status, 0, (moment, done.err))
            self.assertEqual(self.bytes_of(part), whole, moment)
        self.assertGreater(killed, 4, "the kills came too late to test anything")

    def test_a_kill_loses_at_most_the_rounds_since_the_last_save(self):
        part = self.outputs("part")
        rows = losses(25, 4, seed=3)
        with subprocess.Popen([BINARY, *map(str, self.args(part, "--param", "experts=4", "--save-every", "10", data="-"))],
                              stdin=subprocess.PIPE) as process:
            process.stdin.write(csv_text(rows))
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                if part["state"].exists() and json.loads(part["state"].read_bytes())["state"]["ledger"]["total"] > 0:
                    if part["record"].read_bytes().count(b"\n") >= 21 and self.saved_rounds(part) == 20:
                        break
                time.sleep(0.02)
            process.kill()
        self.assertEqual(self.saved_rounds(part), 20)

    def saved_rounds(self, part):
        return next(value for name, value in walk(json.loads(part["state"].read_bytes())) if name == "rounds")


def walk(json_value):
    if isinstance(json_value, dict):
        for name, value in json_value.items():
            yield name, value
            yield from walk(value)
    elif isinstance(json_value, list):
        for value in json_value:
            yield from walk(value)


class FullDisk(RunTest):
    def limited(self, most, *args):
        """Runs the program where no file may grow beyond so many bytes: what a full disk does to a write."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        done = subprocess.run([BINARY, *map(str, args)], capture_output=True, timeout=120, preexec_fn=limit)
        return done

    def test_a_disk_that_fills_up_costs_no_more_than_the_rounds_since_the_last_save(self):
        whole = self.whole("--save-every", "7")
        part = self.outputs("part")
        for most in (len(whole["state"]) * 2, len(whole["record"]) // 2, len(whole["record"]) - 10):
            for path in part.values():
                path.unlink(missing_ok=True)
            done = self.limited(most, *self.args(part, "--save-every", "7"))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertTrue(done.stderr.startswith(b"hannan: H209: "), done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1)
            self.assertEqual([path.name for path in self.folder.iterdir() if ".new" in path.name], [])
            self.ok(*self.args(part, "--save-every", "7", "--resume", part["state"]))
            self.assertEqual(self.bytes_of(part), whole, most)

    def test_a_state_that_cannot_be_written_leaves_the_old_one(self):
        part = self.outputs("part")
        self.ok(*self.args(part, "--rounds", "20"))
        before = part["state"].read_bytes()
        done = self.limited(len(before) // 2, "run", "experts", "-d", self.data, "--save", part["state"], "-q")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(part["state"].read_bytes(), before)
        self.assertFalse((self.folder / (part["state"].name + ".new")).exists())


class Sums(FolderTest):
    def test_the_leader_on_constant_losses_has_a_regret_of_zero_and_verifies(self):
        rows = [[0.1, 0.7]] * 300000
        data, record = self.file("constant.npy", npy_bytes(rows)), self.folder / "record.jsonl"
        report = json.loads(self.ok("run", "experts", "-d", data, "-l", "leader", "--record", record, "--json").out)
        self.assertEqual(report["regret"], 0)
        self.assertEqual(report["leader_regret"], 0)
        plain = 0.0
        for row in rows:
            plain += row[0]
        self.assertNotEqual(report["total"], plain)  # what a plain sum would have given
        self.ok("verify", record)

    def test_a_resumed_run_carries_on_with_what_rounding_had_cut_off(self):
        data, state = self.file("constant.npy", npy_bytes([[0.1, 0.7]] * 3000)), self.folder / "state.json"
        self.ok("run", "experts", "-d", data, "-l", "leader", "--rounds", "777", "--save", state, "-q")
        report = json.loads(self.ok("run", "experts", "-d", data, "--resume", state, "--json").out)
        self.assertEqual(report["regret"], 0)

    def test_states_of_versions_that_kept_no_carries_are_still_read(self):
        data, state = self.file("losses.csv", csv_text(losses(40, 4))), self.folder / "state.json"
        self.ok("run", "experts", "-d", data, "--rounds", "20", "--save", state, "-q")
        old = json.loads(state.read_bytes())
        for name in ("total_carry", "leader_carry"):
            del old["state"]["ledger"][name]
        old.pop("digest", None)
        state.write_text(json.dumps(old))
        resumed = json.loads(self.ok("run", "experts", "-d", data, "--resume", state, "--json").out)
        self.assertEqual(resumed["rounds"], 40)
        whole = json.loads(self.ok("run", "experts", "-d", data, "--json").out)
        self.assertAlmostEqual(resumed["total"], whole["total"], 12)


if __name__ == "__main__":
    main()
