"""Names from elsewhere never reach the terminal with control characters in them."""
from program import FolderTest, csv_text, hannan, losses, main

HOSTILE = "a\n\x1b[2J\x9b.csv"  # a new line, the sequence that clears the screen, and its start as one character
SHOWN = b"a\\n\\x1b[2J\\u009b.csv"


class Terminal(FolderTest):
    def clean(self, done, status):
        self.assertEqual(done.status, status, done.err)
        said = done.out + done.err
        for control in (b"\x1b", b"\x9b", b"a\n"):
            self.assertNotIn(control, said)
        self.assertIn(SHOWN, said)
        return done

    def refused(self, *args, status):
        done = self.clean(hannan(*args), status)
        self.assertEqual(done.err.count(b"\n"), 1, done.err)

    def test_in_errors_about_files(self):
        self.refused("run", "experts", "-d", self.folder / HOSTILE, status=3)
        bad = self.file(HOSTILE, b"0.5,2\n")
        self.refused("run", "experts", "-d", bad, status=3)
        self.refused("oracle", "experts", "-d", bad, status=3)
        self.refused("verify", bad, status=3)
        self.refused("experiment", bad, status=3)

    def test_in_errors_about_the_command_line(self):
        self.refused(HOSTILE, status=2)
        self.refused("run", HOSTILE, "-d", "x", status=2)
        self.refused("run", "experts", HOSTILE, status=2)
        self.refused("run", "experts", "--seed", HOSTILE, status=2)
        self.refused("run", "experts", "--" + HOSTILE, status=2)

    def test_in_what_is_said_when_all_is_well(self):
        data = self.file("losses.csv", csv_text(losses(5, 3)))
        record = self.folder / HOSTILE
        self.ok("run", "experts", "-d", data, "--record", record, "-q")
        self.clean(hannan("verify", record), 0)
        self.clean(hannan("simulate", "experts", "--rounds", 5, "-o", self.folder / HOSTILE), 0)
        self.clean(hannan("check", "experts", "-d", self.folder / HOSTILE), 0)

    def test_in_what_is_said_of_a_log(self):
        log = self.file(HOSTILE, b"round,bidder,bid\n1,x\x1b[2J,0.5\n1,y\x7f,0.25\n")
        done = self.clean(hannan("convert", log, "--cap", 1, "-o", self.folder / ("out" + HOSTILE)), 0)
        self.assertIn(b"x\\x1b[2J (1)", done.err)
        self.assertIn(b"y\\x7f (1)", done.err)
        self.assertIn(b"out" + SHOWN, done.err)


if __name__ == "__main__":
    main()
