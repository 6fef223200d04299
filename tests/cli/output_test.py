"""Where outputs go: files keep their mode, links stay links, pipes are written in place, a full output is an error."""
import json
import os
import pathlib
import resource
import stat
import subprocess
import threading

from program import BINARY, FolderTest, csv_text, hannan, losses, main

BIDS = b"round,bidder,bid\n1,a,0.5\n1,b,0.25\n2,a,1\n2,b,0.75\n3,a,0.5\n3,b,1\n"

class Targets(FolderTest):
    """Every flag that writes one whole file."""

    def setUp(self):
        super().setUp()
        self.data = self.file("losses.csv", csv_text(losses(20, 3)))
        self.bids = self.file("bids.csv", csv_text([[0.5, 0.25], [1, 0.75], [0.5, 1]], header=["a", "b"]))
        self.log = self.file("log.csv", BIDS)
        self.record = self.folder / "record.jsonl"
        self.ok("run", "experts", "-d", self.data, "--record", self.record, "-q")

    def writers(self, path):
        game = self.file("game.json", b'{"losses":[[0,1],[1,0]]}')
        vcg = ["vcg-reserves", "--param", "levels=4", "-d", self.bids, "--cap", "2"]
        path = str(path)
        return {
            "--save": ["run", "experts", "-d", self.data, "-q", "--save", path],
            "--summary": ["run", "experts", "-d", self.data, "-q", "--summary", path],
            "--floors": ["run", *vcg, "-q", "--floors", path],
            "-p": ["run", "experts", "-d", self.data, "-q", "-p", path],
            "--record": ["run", "experts", "-d", self.data, "-q", "--record", path],
            "compare -o": ["compare", *vcg, "-q", "-o", path],
            "compare --floors": ["compare", *vcg, "-q", "--floors", path],
            "show -o": ["show", "experts", "--param", "experts=3", "-q", "-o", path],
            "simulate --svg": ["simulate", "experts", "--rounds", "20", "-q", "--svg", path],
            "convert --summary": ["convert", self.log, "--cap", "1", "-q", "-o", self.folder / "table.csv", "--summary", path],
            "report -o": ["report", self.record, "-q", "-o", path],
        }

    def named(self, ending):
        """Those whose format is told by the name."""
        return {"convert -o": ["convert", self.log, "--cap", "1", "-q", "-o", ending],
                "simulate -o": ["simulate", "experts", "--rounds", "20", "-q", "-o", ending]}

    def all(self, path):
        return self.writers(path) | self.named(path)

    def run_or_skip(self, name, args):
        done = hannan(*args)
        if name == "report -o" and done.status != 0 and b"H108" in done.err:
            return None  # built without pages
        self.assertEqual(done.status, 0, (name, done.err))
        return done

    def test_a_file_keeps_its_mode(self):
        for name, args in self.all(self.folder / "kept.csv").items():
            path = self.file("kept.csv", b"old")
            path.chmod(0o640)
            if self.run_or_skip(name, args) is None:
                continue
            self.assertNotEqual(path.read_bytes(), b"old", name)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640, name)
            self.assertFalse((self.folder / "kept.csv.new").exists(), name)

    def test_a_link_stays_a_link_and_the_file_behind_it_is_written(self):
        (self.folder / "far").mkdir()
        link, real = self.folder / "link.csv", self.folder / "far" / "real.csv"
        link.symlink_to("far/real.csv")
        for name, args in self.all(link).items():
            for before in (b"old", None):
                real.unlink(missing_ok=True)
                if before is not None:
                    real.write_bytes(before)
                if self.run_or_skip(name, args) is None:
                    continue
                self.assertTrue(link.is_symlink(), name)
                self.assertTrue(real.is_file() and not real.is_symlink(), name)
                self.assertNotEqual(real.read_bytes(), b"old", name)
                self.assertEqual(sorted(path.name for path in (self.folder / "far").iterdir()), ["real.csv"], name)

    def test_a_named_pipe_is_written_in_place(self):
        pipe = self.folder / "pipe.csv"
        os.mkfifo(pipe)
        for name, args in self.all(pipe).items():
            plain = self.folder / "plain.csv"
            plain.unlink(missing_ok=True)
            if self.run_or_skip(name, self.all(plain)[name]) is None:
                continue
            got = []
            reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
            reader.start()
            done = hannan(*args)
            self.assertEqual(done.status, 0, (name, done.err))
            reader.join(30)
            self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode), name)
            expected = plain.read_bytes().replace(b"plain.csv", b"pipe.csv")
            self.assertEqual(got, [expected], name)
            self.assertFalse((self.folder / "pipe.csv.new").exists(), name)

    def test_standard_output_by_its_name_in_dev_is_written_in_place(self):
        for name, args in self.writers("/dev/stdout").items():
            plain = self.folder / "plain"
            plain.unlink(missing_ok=True)
            if self.run_or_skip(name, self.writers(plain)[name]) is None:
                continue
            with open(self.folder / "redirected", "wb") as to:
                subprocess.run([BINARY, *map(str, args)], stdout=to, stderr=subprocess.PIPE, timeout=60, check=True)
            self.assertEqual((self.folder / "redirected").read_bytes(), plain.read_bytes(), name)

    def test_a_dash_is_standard_output_or_refused(self):
        for name, args in self.writers("-").items():
            plain = self.folder / "plain"
            plain.unlink(missing_ok=True)
            loud = [arg for arg in args if arg != "-q"]  # only what was asked for is printed
            if name == "--save":
                done = hannan(*loud)
                self.assertEqual(done.status, 2)
                self.assertTrue(done.err.startswith(b"hannan: H100: --save: "), done.err)
            elif self.run_or_skip(name, self.writers(plain)[name]) is not None:
                self.assertEqual(self.run_or_skip(name, loud).out, plain.read_bytes(), name)
                if "--json" not in loud and not name.startswith("convert"):
                    self.assertEqual(hannan(*loud, "--json").status, 2, name)
        for path in self.folder.iterdir():
            self.assertNotIn(path.name, ("-", "-.new"))
        self.assertEqual(hannan("run", "experts", "-d", self.data, "-p", "-", "--record", "-").status, 2)
        self.assertEqual(hannan("convert", self.log, "--cap", "1", "-o", "-", "--summary", "-").status, 2)

    def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(self):
        for name, args in self.all(self.folder / "kept.csv").items():
            if name in ("-p", "--record"):
                continue  # these grow in place
            path = self.file("kept.csv", b"old")
            done = subprocess.run([BINARY, *map(str, args)], capture_output=True, timeout=60,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5)))
            if b"H108" in done.stderr:
                continue
            self.assertEqual(done.returncode, 3, (name, done.stderr))
            self.assertTrue(done.stderr.startswith(b"hannan: H209: "), done.stderr)
            self.assertEqual(path.read_bytes(), b"old", name)
            self.assertFalse((self.folder / "kept.csv.new").exists(), name)

    def test_what_a_killed_program_left_beside_is_taken_over(self):
        self.file("state.new", b"left by another")
        self.ok("run", "experts", "-d", self.data, "-q", "--save", self.folder / "state")
        self.assertFalse((self.folder / "state.new").exists())
        json.loads((self.folder / "state").read_bytes())

    def test_folders_and_missing_folders_are_errors(self):
        for target in (self.folder, self.folder / "missing" / "file"):
            for name, args in self.writers(target).items():
                done = hannan(*args)
                if b"H108" in done.err:
                    continue
                self.assertEqual(done.status, 3, (name, done.err))
                self.assertIn(b"hannan: H209: ", done.err)

    def test_a_matrix_with_its_length_at_its_start_needs_a_regular_file(self):
        pipe = self.folder / "pipe.npy"
        os.mkfifo(pipe)
        self.assertEqual(hannan("convert", self.log, "--cap", "1", "-o", pipe).status, 2)


class FullOutput(FolderTest):
    def commands(self):
        data = self.file("losses.csv", csv_text(losses(20, 3)))
        bids = self.file("bids.csv", csv_text([[0.5, 0.25], [1, 0.75], [0.5, 1]]))
        record = self.folder / "record.jsonl"
        self.ok("run", "experts", "-d", data, "--record", record, "-q")
        plan = pathlib.Path(__file__).resolve().parents[2] / "plans" / "first.toml"
        game = self.file("game.json", b'{"losses":[[0,1],[1,0]]}')
        vcg = ["vcg-reserves", "--param", "levels=4", "-d", bids, "--cap", "2"]
        return {
            "run": [["experts", "-d", data], ["experts", "-d", data, "--json"], ["experts", "-d", data, "-p", "-"]],
            "simulate": [["experts", "--rounds", "20"], ["experts", "--rounds", "20", "--json"],
                         ["experts", "--rounds", "20", "-o", "-"]],
            "experiment": [[plan, "--check"]],
            "oracle": [["experts", "-d", data], ["experts", "-d", data, "--json"]],
            "solve": [["finite-game", "--params", game], ["finite-game", "--params", game, "--json"]],
            "fold": [["experts", "-d", data, "-o", self.folder / "sums"]],
            "show": [["experts", "--param", "experts=3"], ["experts", "--param", "experts=3", "--json"]],
            "check": [["experts", "--param", "experts=3"], ["experts", "--param", "experts=3", "--json"]],
            "pipe": [[]],
            "verify": [[record]],
            "bound": [["ada", "M=3", "gamma=6", "best=100"]],
            "bench": [["--only", "signature", "--help"]],
            "convert": [[self.file("log.csv", BIDS), "--cap", "1", "-q"]],
            "compare": [vcg, [*vcg, "--json"]],
            "report": [[record, "--json"]],
            "serve": [["--db", self.folder / "log.db", "--listen", "127.0.0.1:0"]],
            "demo": [["--help"]],
            "help": [[], ["logs"], ["vcg-reserves"]],
            "--help": [[]],
            "--version": [[]],
        }

    def test_no_command_succeeds_when_standard_output_is_full(self):
        commands = self.commands()
        names = hannan("no-such-command").err.decode().split("expected one of ")[1].strip().split(", ")
        self.assertEqual([name for name in names if name not in commands], [], "commands without a test here")
        for name, uses in commands.items():
            for args in uses:
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([BINARY, name, *map(str, args)], stdout=full, stderr=subprocess.PIPE,
                                          input=b'{"op":"hello"}\n' * 3, timeout=120)
                self.assertEqual(done.returncode, 3, (name, args, done.stderr))
                self.assertEqual(done.stderr.count(b"H209: stdout: "), 1, (name, args, done.stderr))

    def test_a_reader_that_has_gone_ends_every_command_quietly(self):
        for name, uses in self.commands().items():
            for args in uses:
                read, write = os.pipe()
                os.close(read)
                try:
                    done = subprocess.run([BINARY, name, *map(str, args)], stdout=write, stderr=subprocess.PIPE,
                                          input=b'{"op":"hello"}\n' * 3, timeout=120)
                finally:
                    os.close(write)
                self.assertEqual((done.returncode, done.stderr), (141, b""), (name, args))


class Inputs(FolderTest):
    def test_a_folder_as_the_input_of_the_pipe_is_one_error(self):
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            done = subprocess.run([BINARY, "pipe"], stdin=folder, capture_output=True, timeout=30)
        finally:
            os.close(folder)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout, b"")
        self.assertTrue(done.stderr.startswith(b"hannan: H201: stdin: "), done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    def through_pipe(self, data, *args, name="pipe.csv"):
        pipe = self.folder / name
        if not pipe.exists():
            os.mkfifo(pipe)

        def feed():
            try:
                pipe.write_bytes(data)
            except BrokenPipeError:
                pass
        writer = threading.Thread(target=feed, daemon=True)
        writer.start()
        done = hannan(*[pipe if arg == "PIPE" else arg for arg in args], timeout=60)
        if writer.is_alive():  # refused before it was opened
            os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(30)
        return done

    def test_one_pass_over_a_pipe_gives_what_the_file_gives(self):
        rows = csv_text(losses(3000, 4), header=["a", "b", "c", "d"])  # more than a pipe holds at once
        data = self.file("losses.csv", rows)
        for command in (["run", "experts", "--json"], ["run", "experts", "--json", "--param", "experts=4"],
                        ["oracle", "experts", "--json"], ["check", "experts", "--json"]):
            piped = self.through_pipe(rows, *command, "-d", "PIPE")
            self.assertEqual(piped.status, 0, (command, piped.err))
            expected = self.ok(*command, "-d", data).out.replace(b"losses.csv", b"pipe.csv")
            self.assertEqual(piped.out, expected, command)

    def test_names_of_a_table_in_a_pipe_reach_the_floors(self):
        bids = csv_text([[0.5, 0.25], [1, 0.75]], header=["left", "right"])
        floors = self.folder / "floors.json"
        done = self.through_pipe(bids, "run", "vcg-reserves", "--param", "levels=4", "--cap", "2", "-q", "-d", "PIPE",
                                 "--floors", floors)
        self.assertEqual(done.status, 0, done.err)
        self.assertEqual(list(json.loads(floors.read_bytes())["values"]), ["left", "right"])

    def test_two_passes_over_a_pipe_are_refused_with_what_to_do(self):
        bids = csv_text([[0.5, 0.25], [1, 0.75]])
        for args in (["compare", "vcg-reserves", "--param", "levels=4", "-d", "PIPE"], ["convert", "PIPE", "--cap", "1"]):
            done = self.through_pipe(bids, *args)
            self.assertEqual(done.status, 2, done.err)
            self.assertIn(b"file first", done.err)

    def test_a_log_in_a_pipe_is_read_where_one_pass_is_enough(self):
        done = self.through_pipe(BIDS, "convert", "PIPE", "--cap", "1", "--names", "a,b", "-q")
        self.assertEqual(done.status, 0, done.err)
        self.assertEqual(done.out, self.ok("convert", self.file("log.csv", BIDS), "--cap", "1", "--names", "a,b", "-q").out)


class Formulas(FolderTest):
    NAMES = ["=1+1", "+x", "-x", "@x", "'=x", "plain", "it's", "=a,b"]

    def test_names_that_a_spreadsheet_would_run_are_escaped_and_read_back(self):
        quoted = ['"%s"' % name for name in self.NAMES]
        log = self.file("log.csv", ("round,bidder,bid\n" + "".join(
            f"{t},{name},{(t + i) % 4 / 4}\n" for t in range(1, 9) for i, name in enumerate(quoted))).encode())
        table, summary = self.folder / "table.csv", self.folder / "summary.json"
        self.ok("convert", log, "--cap", "1", "-n", str(len(self.NAMES)), "-q", "-o", table, "--summary", summary)
        header = table.read_text().split("\n")[0]
        for cell in header.replace('"', "").split(","):
            self.assertNotIn(cell[0], "=+-@\t\r", header)
        for name, cell in (("=1+1", "'=1+1"), ("'=x", "''=x"), ("it's", "it's"), ("=a,b", '"\'=a,b"')):
            self.assertIn(cell, header.split(",") if "," not in name else header)
        floors = self.folder / "floors.json"
        done = self.ok("run", "vcg-reserves", "--param", "levels=2", "-d", table, "--log", summary, "--floors", floors, "-q",
                       "-l", "leader")
        self.assertEqual(sorted(json.loads(floors.read_bytes())["values"]), sorted(self.NAMES), done.err)


if __name__ == "__main__":
    main()
