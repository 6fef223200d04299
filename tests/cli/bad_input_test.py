"""Every kind of bad input gives one line on standard error, the documented exit status, and loses nothing."""
import json
import re

from program import FolderTest, csv_text, gzipped, hannan, jsonl_text, losses, main, npy_bytes

GOOD = losses(8, 3)
LINE = re.compile(rb"hannan: (H\d{3}): [^\n]*\n")


def spoiled(row, column, text):
    """The good CSV with one cell replaced."""
    lines = [line.split(b",") for line in csv_text(GOOD).splitlines()]
    lines[row][column] = text
    return b"\n".join(b",".join(line) for line in lines) + b"\n"


class OneLine(FolderTest):
    def refused(self, args, code, status, at=None, **how):
        done = hannan(*args, **how)
        match = LINE.fullmatch(done.err)
        self.assertIsNotNone(match, (args, done.status, done.err[:500]))
        self.assertEqual(match[1].decode(), code, done.err)
        self.assertEqual(done.status, status, done.err)
        if at is not None:
            self.assertIn(at.encode(), done.err)
        return done

    def refused_data(self, name, data, code, at="", status=3, extra=()):
        path = self.file(name, data)
        return self.refused(["run", "experts", "-q", "-d", path, *extra], code, status, f"{path}{at}: " if at is not None else None)


class Tables(OneLine):
    def test_bad_cells_are_named_by_line_and_column(self):
        for text, code in ((b"nan", "H204"), (b"inf", "H204"), (b"abc", "H204"), (b"", "H204"), (b"0.5x", "H204"),
                           (b"1e999", "H204"), (b"1.2", "H205"), (b"-0.1", "H205"), (b"0\x00", "H202"), (b"\xff\xfe", "H204")):
            with self.subTest(text=text):
                path = self.file("bad.csv", spoiled(4, 1, text))
                done = self.refused(["run", "experts", "-q", "-d", path], code, 3)
                self.assertRegex(done.err, re.escape(f"{path}:5:").encode() + rb"\d+: ")

    def test_wrong_number_of_columns(self):
        self.refused_data("more.csv", csv_text(GOOD) + b"0.5,0.5,0.5,0.5\n", "H203", ":9:13")
        self.refused_data("fewer.csv", csv_text(GOOD) + b"0.5,0.5\n", "H203", None)
        path = self.file("three.csv", csv_text(GOOD))
        self.refused(["run", "experts", "-q", "-d", path, "--param", "experts=4"], "H203", 3, str(path))

    def test_files_without_data(self):
        self.refused_data("empty.csv", b"", "H206")
        self.refused_data("blank.csv", b"\n\n", "H206", None)
        self.refused_data("header.csv", b"a,b,c\n", "H206", None)
        self.refused_data("empty.jsonl", b"", "H206", None, extra=["--param", "experts=3"])
        self.refused_data("empty.npy", b"", "H206")
        self.refused(["run", "experts", "-q", "-d", "-"], "H206", 3, "stdin", stdin=b"")

    def test_files_that_cannot_be_read(self):
        self.refused(["run", "experts", "-q", "-d", self.folder / "missing.csv"], "H201", 3, "missing.csv")
        self.refused(["run", "experts", "-q", "-d", self.folder], "H201", 3, str(self.folder))
        self.refused(["oracle", "experts", "-q", "-d", self.folder / "missing.csv"], "H201", 3, "missing.csv")
        self.refused(["run", "finite-game", "-q", "--params", self.folder / "no.json", "-d", self.folder], "H201", 3, "no.json")

    def test_truncated_files(self):
        packed = gzipped(csv_text(losses(4000, 3)))
        self.refused_data("cut.csv.gz", packed[: len(packed) // 2], "H207", None)
        self.refused_data("tail.csv.gz", packed[:-4], "H207", None)
        self.refused_data("cut.npy", npy_bytes(GOOD)[:-5], "H207", None)
        self.refused_data("head.npy", npy_bytes(GOOD)[:20], "H207", None)

    def test_corrupted_gzip_is_refused(self):
        packed = bytearray(gzipped(csv_text(losses(4000, 3))))
        packed[len(packed) // 2] ^= 0x55
        done = hannan("run", "experts", "-q", "-d", self.file("bad.csv.gz", bytes(packed)))
        self.assertRegex(done.err, rb"^hannan: H20\d: [^\n]*\n$")
        self.assertEqual(done.status, 3)

    def test_nul_bytes_are_not_numbers(self):
        self.refused_data("nul.csv", csv_text(GOOD) + b"\x00\x00\x00\n", "H202", ":9:1")
        done = hannan("run", "experts", "-q", "-d", self.file("zeros.csv", b"\x00" * 4096))
        self.assertRegex(done.err, rb"^hannan: H20\d: [^\n]*\n$")
        self.assertEqual(done.status, 3)

    def test_line_beyond_the_limit(self):
        # 70 MB without a newline; the limit is 64 MiB.
        path = self.folder / "long.csv"
        with path.open("wb") as file:
            for _ in range(70):
                file.write(b"0" * 1_000_000)
        self.refused(["run", "experts", "-q", "-d", path], "H208", 3, f"{path}:1")
        self.refused(["run", "experts", "-q", "-d", "-"], "H208", 3, "stdin:1", stdin=path.read_bytes())

    def test_npy_of_another_shape_or_type(self):
        for old, new in ((b"'<f8'", b"'<c8'"), (b"(8, 3)", b"(8, 9)"), (b"{'descr'", b"['descr'"), (b"\x93NUMPY\x01", b"\x93NUMPY\x09")):
            done = hannan("run", "experts", "-q", "-d", self.file("bad.npy", npy_bytes(GOOD).replace(old, new)))
            self.assertRegex(done.err, rb"^hannan: H20\d: [^\n]*\n$")
            self.assertEqual(done.status, 3)
        nan = [row[:] for row in GOOD]
        nan[3][2] = float("nan")
        self.refused_data("nan.npy", npy_bytes(nan), "H204", None)
        nan[3][2] = 1.5
        self.refused_data("high.npy", npy_bytes(nan), "H205", None)


class JsonLines(OneLine):
    def test_bad_lines_are_named(self):
        good = jsonl_text(GOOD)
        for text, code, status in ((b"[0.5,0.5", "H101", 3), (b"[0.5,0.5]", None, None), (b"[0.5,0.5,2]", None, None),
                                   (b'"word"', None, None), (b"{}", None, None), (b"[0.5,0.5,null]", None, None),
                                   (b"[0.5,0.5,0.5] 7", "H101", 3), (b"[0,0,1e999]", "H101", 3), (b"\x00", "H101", 3)):
            with self.subTest(text=text):
                path = self.file("bad.jsonl", good + text + b"\n")
                done = hannan("run", "experts", "-q", "--param", "experts=3", "-d", path)
                self.assertIsNotNone(LINE.fullmatch(done.err), done.err)
                self.assertIn(f"{path}:9".encode(), done.err)
                self.assertEqual(done.status, 3 if status is None else status, done.err)
                if code:
                    self.assertIn(code.encode(), done.err)


class Flags(OneLine):
    def test_wrong_words_and_parameters(self):
        data = self.file("good.csv", csv_text(GOOD))
        run = ["run", "experts", "-q", "-d", data]
        for args, code in (([*run, "-l", "nobody"], "H106"), ([*run, "--set", "nothing=1"], "H103"),
                           ([*run, "--set", "seed=x"], "H104"), ([*run, "--set", "seed=-1"], "H105"),
                           ([*run, "-l", "gftpl", "--set", "c=0"], "H105"), ([*run, "--set", "noequals"], "H100"),
                           ([*run, "-l", "gftpl", "--set", "perturbation=none"], "H106"),
                           ([*run, "-l", "gftpl", "--set", "noise=exponential"], "H108"),
                           ([*run, "-l", "uniform-gftpl"], "H102"), ([*run, "--set", "oracle=none"], "H106"),
                           ([*run, "-l", "fake-data", "--set", "rounds=8"], "H108"),
                           ([*run, "--param", "other=1"], "H103"), ([*run, "--param", "experts=0"], "H105"),
                           ([*run, "--param", "experts=1e30"], "H105"), ([*run, "--param", 'experts="x"'], "H104"),
                           (["run", "nothing", "-q", "-d", data], "H106"),
                           (["simulate", "experts", "--stream", "none"], "H106"),
                           (["simulate", "experts", "--runs", "0"], "H105"),
                           (["simulate", "experts", "-l", "gftpl:c"], "H100"),
                           (["bound", "none", "M=1"], "H106")):
            with self.subTest(args=args[2:]):
                # `bound` passes the pipe's complaint on as a usage error.
                done = hannan(*args)
                self.assertIsNotNone(LINE.fullmatch(done.err), done.err)
                self.assertEqual(done.status, 2, done.err)
                if args[0] != "bound":
                    self.assertIn(code.encode(), done.err)

    def test_unknown_flags_and_commands_give_a_code_and_point_to_the_help(self):
        for args in (["run", "experts", "--bogus"], ["nonsense"], [], ["run", "experts"], ["simulate", "--runs", "many"]):
            done = hannan(*args)
            self.assertEqual(done.status, 2)
            first = done.err.split(b"\n")[0]
            self.assertTrue(first.startswith(b"hannan: H100: "), done.err)
            self.assertEqual(done.out, b"")

    def test_outputs_that_cannot_be_written(self):
        data = self.file("good.csv", csv_text(GOOD))
        for flag in ("-p", "--record", "--save"):
            self.refused(["run", "experts", "-q", "-d", data, flag, self.folder / "no" / "file"], "H209", 3, "no/file")

    def test_bad_states_are_refused(self):
        data = self.file("good.csv", csv_text(GOOD))
        state = self.folder / "state.json"
        self.ok("run", "experts", "-q", "-d", data, "--rounds", "4", "--save", state)
        good = json.loads(state.read_text())
        broken = [b"", b"{", b"[]", b"{}", json.dumps({**good, "version": 999}).encode(),
                  json.dumps({**good, "extra": 1}).encode(), json.dumps({**good, "state": {}}).encode(),
                  json.dumps({**good, "problem": {"kind": "experts", "params": {"experts": 5}}}).encode(),
                  json.dumps({**good, "learner": {**good["learner"], "kind": "gftpl"}}).encode()]
        for text in broken:
            with self.subTest(text=text[:60]):
                done = hannan("run", "experts", "-q", "-d", data, "--resume", self.file("broken.json", text))
                self.assertIsNotNone(LINE.fullmatch(done.err), done.err)
                self.assertIn(done.status, (2, 3))


class NothingLost(OneLine):
    def test_rounds_before_a_bad_row_are_kept(self):
        rows = losses(30, 3)
        good = self.file("good.csv", csv_text(rows))
        bad = self.file("bad.csv", csv_text(rows[:20]) + b"0.5,oops,0.5\n" + csv_text(rows[21:]))
        kept, wanted = self.folder / "kept.json", self.folder / "wanted.json"
        written, expected = self.folder / "kept.csv", self.folder / "wanted.csv"
        done = self.refused(["run", "experts", "-d", bad, "-q", "--save", kept, "-p", written], "H204", 3, f"{bad}:21:")
        self.assertIn(b"20 rounds", done.err)
        self.ok("run", "experts", "-d", good, "-q", "--rounds", "20", "--save", wanted, "-p", expected)
        self.assertEqual(kept.read_bytes(), wanted.read_bytes())
        self.assertEqual(written.read_bytes(), expected.read_bytes())
        # Mended, the run goes on to the same end.
        whole = self.ok("run", "experts", "-d", good, "--json").out
        self.assertEqual(self.ok("run", "experts", "-d", good, "--json", "--resume", kept).out, whole)

    def test_report_of_the_rounds_before_is_still_printed(self):
        bad = self.file("bad.csv", csv_text(losses(10, 3)) + b"1,2,3\n")
        done = self.refused(["run", "experts", "-d", bad, "--json"], "H205", 3)
        self.assertEqual(json.loads(done.out)["rounds"], 10)


if __name__ == "__main__":
    main()
