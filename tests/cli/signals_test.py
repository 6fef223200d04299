"""A signal ends a run in order: one is enough, even while it waits for input, and what was played is kept."""
import os
import random
import signal
import subprocess
import time

from program import BINARY, LEARNERS, FolderTest, csv_text, hannan, losses, main

ROUNDS, BEFORE = 40, 17


class Waiting(FolderTest):
    """Runs whose input goes silent after some rounds."""

    def setUp(self):
        super().setUp()
        rows = losses(ROUNDS, 4, seed=3)
        self.first, self.all = csv_text(rows[:BEFORE]), csv_text(rows)
        self.data = self.file("losses.csv", self.all)

    def args(self, name, data, *flags):
        return [BINARY, "run", "experts", "-d", str(data), "-q", "-p", str(self.folder / f"{name}.csv"),
                "--record", str(self.folder / f"{name}.record"), "--save", str(self.folder / f"{name}.state"), *flags]

    def stop(self, number, args, feed=None, ignore=None):
        """Starts a run, feeds it, waits until it waits for more, sends one signal; its status and what it said."""
        def settle():
            for caught in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(caught, signal.SIG_IGN if caught == ignore else signal.SIG_DFL)
        process = subprocess.Popen(args, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=settle)
        try:
            if feed:
                feed()
            else:
                process.stdin.write(self.first)
                process.stdin.flush()
            self.until_waiting(process)
            if ignore:
                os.kill(process.pid, ignore)
                time.sleep(0.3)
                self.assertIsNone(process.poll())
            os.kill(process.pid, number)
            status = process.wait(30)  # its input is still open
            return status, process.stderr.read()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait(30)
            process.stdin.close()
            process.stderr.close()

    def until_waiting(self, process):
        """Asleep twice in a row without having used the processor in between."""
        deadline, last = time.monotonic() + 60, None
        while time.monotonic() < deadline:
            with open(f"/proc/{process.pid}/stat") as facts:
                fields = facts.read().rsplit(")", 1)[1].split()
            now = (fields[11], fields[12])
            if fields[0] == "S" and now == last:
                return
            last = now if fields[0] == "S" else None
            time.sleep(0.1)
        self.fail("the run never waited")

    def test_one_signal_ends_a_run_that_waits_and_the_resumed_run_ends_the_same(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                flags = ["--param", "experts=4"]
                status, err = self.stop(number, self.args("part", "-", *flags))
                self.assertEqual(status, 1, err)
                self.assertTrue(err.startswith(b"hannan: H501: interrupted after 17 rounds; go on with --resume "), err)
                self.check_resumed(*flags)

    def check_resumed(self, *flags):
        # From standard input as the part was: a record names the file that its first outcome came from.
        whole = hannan(*self.args("whole", "-", *flags)[1:], stdin=self.data.read_bytes())
        self.assertEqual(whole.status, 0, whole.err)
        part = hannan(*self.args("part", self.data, *flags, "--resume", str(self.folder / "part.state"))[1:])
        self.assertEqual(part.status, 0, part.err)
        for kind in ("csv", "record", "state"):
            self.assertEqual((self.folder / f"part.{kind}").read_bytes(), (self.folder / f"whole.{kind}").read_bytes(), kind)

    def test_the_state_of_a_run_that_was_waiting_fits_every_learner(self):
        for learner in LEARNERS:
            with self.subTest(learner=learner):
                status, err = self.stop(signal.SIGINT, self.args("part", "-", "--param", "experts=4", *learner))
                self.assertEqual(status, 1, err)
                self.check_resumed("--param", "experts=4", *learner)

    def test_half_a_row_is_not_played_when_the_run_is_interrupted(self):
        self.first = self.all[:self.all.index(b"\n") + 5]
        status, err = self.stop(signal.SIGINT, self.args("part", "-", "--param", "experts=4"))
        self.assertIn(b"interrupted after 1 rounds", err)
        self.assertEqual((self.folder / "part.csv").read_bytes().count(b"\n"), 2)

    def test_a_hangup_is_ignored_where_the_program_was_started_to_ignore_it(self):
        args = self.args("part", "-", "--param", "experts=4")
        status, err = self.stop(signal.SIGTERM, args, ignore=signal.SIGHUP)
        self.assertEqual(status, 1, err)
        self.assertIn(b"interrupted after 17 rounds", err)

    def test_a_run_that_waits_for_a_named_pipe_ends_too(self):
        pipe = self.folder / "pipe.csv"
        os.mkfifo(pipe)
        opened = []

        def feed():
            opened.append(os.open(pipe, os.O_WRONLY))
            os.write(opened[0], self.first)
        try:
            status, err = self.stop(signal.SIGINT, self.args("part", pipe, "--param", "experts=4"), feed=feed)
        finally:
            for descriptor in opened:
                os.close(descriptor)
        self.assertEqual(status, 1, err)
        self.check_resumed("--param", "experts=4")


class Preparing(FolderTest):
    """Trees of depth 3 over 24 columns: what comes before the first round takes far more than 5 seconds."""

    def test_a_long_preparation_is_explained_and_ends_at_an_interrupt(self):
        coins = random.Random(1)
        rows = [",".join([f"{coins.random():.4f}" for _ in range(24)] + [str(coins.randrange(2))]) for _ in range(500)]
        table = self.file("table.csv", (",".join([f"x{i}" for i in range(24)] + ["label"]) + "\n" + "\n".join(rows) + "\n").encode())
        started = subprocess.Popen([BINARY, "compare", "classification", "--from", str(table), "--param", "label=label", "--param", "hypotheses=trees3"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            said = started.stderr.readline()
            self.assertIn(b"before the first round the learners measure the size of their noise", said)
            self.assertIn(b"-l leader needs none", said)
            started.send_signal(signal.SIGINT)
            self.assertEqual(started.wait(timeout=10), -signal.SIGINT)
        finally:
            started.kill()
            started.wait()
            started.stderr.close()

    def test_a_short_one_is_not_mentioned(self):
        data = self.file("losses.csv", csv_text(losses(300, 4)))
        self.assertEqual(hannan("compare", "experts", "-d", data).err, b"")


class Head(FolderTest):
    def test_a_run_whose_reader_leaves_ends_quietly_and_keeps_its_state(self):
        data = self.file("losses.csv", csv_text(losses(3000, 4)))
        state = self.folder / "state.json"
        script = '"$0" run experts -d "$1" --save "$2" | head -1; exit "${PIPESTATUS[0]}"'
        done = subprocess.run(["bash", "-c", script, BINARY, str(data), str(state)], capture_output=True, timeout=60)
        self.assertIn(done.returncode, (0, 141), done.stderr)  # 0 where all was written before head left
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.stdout.count(b"\n"), 1)
        resumed = hannan("run", "experts", "-d", data, "--resume", state, "--json")
        self.assertEqual(resumed.status, 0, resumed.err)
        self.assertEqual(resumed.out, hannan("run", "experts", "-d", data, "--json").out)

    def test_decisions_to_a_reader_that_leaves_end_the_run_with_status_141(self):
        data = self.file("losses.csv", csv_text(losses(30000, 4)))
        state = self.folder / "state.json"
        script = '"$0" run experts -d "$1" -p - --save "$2" --save-every 100 | head -1; exit "${PIPESTATUS[0]}"'
        done = subprocess.run(["bash", "-c", script, BINARY, str(data), str(state)], capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (141, b"", b"round,action,loss,rate,regime\n"))
        self.assertEqual(hannan("run", "experts", "-d", data, "--resume", state, "-q").status, 0)


if __name__ == "__main__":
    main()
