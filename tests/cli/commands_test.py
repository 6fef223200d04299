"""The table of commands: what each line of it must give, and what the flags refuse."""
import pathlib
import re
import unittest

from program import hannan, main

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "cli"
TABLE = (SOURCES / "all.hpp").read_text()
COMMANDS = re.findall(r'^HANNAN_COMMAND\((\w+), "([^"]+)"\)$', TABLE, re.M)
KINDS = re.findall(r'^HANNAN_KIND_COMMAND\((\w+), (\w+), "([^"]+)"\)$', TABLE, re.M)
HIDDEN = re.findall(r'^HANNAN_HIDDEN_COMMAND\((\w+), "([^"]+)"\)$', TABLE, re.M)
WIDTH = 100


class TheTableOfCommands(unittest.TestCase):
    def test_a_command_is_one_line_and_one_file(self):
        self.assertGreater(len(COMMANDS), 10)
        names = {name for name, _ in COMMANDS + HIDDEN}
        defined = {}
        for file in SOURCES.glob("*.cpp"):
            for name in re.findall(r"^void define_(\w+)\(Command& command\) \{", file.read_text(), re.M):
                defined[name] = file.name
        names |= {f"{name}_{kind}" for name, kind, _ in KINDS}
        self.assertEqual(defined, {name: f"{name}.cpp" for name in names})

    def test_one_file_sees_the_library_that_parses_command_lines(self):
        root = SOURCES.parent
        files = [file for folder in ("cli", "hannan", "bench", "tests") for file in (root / folder).rglob("*.[ch]pp")]
        seeing = [file.name for file in files if "#include <CLI/" in file.read_text()]
        self.assertEqual(seeing, ["parse.cpp"])

    def test_the_help_lists_every_command(self):
        lines = hannan("--help").out.decode().splitlines()
        for name, about in COMMANDS:
            self.assertTrue(any(line.split() == [name, *about.split()] for line in lines), name)
        for name, _ in HIDDEN:
            self.assertFalse(any(line.split()[:1] == [name] for line in lines), name)

    def test_every_command_has_help_with_an_example(self):
        for name, about in COMMANDS + HIDDEN:
            for flag in ("--help", "-h", "--help-all"):
                done = hannan(name, flag)
                self.assertEqual((done.status, done.err), (0, b""), name)
                text = done.out.decode()
                self.assertTrue(text.startswith(about), text)
                self.assertRegex(text, rf"\n\nUsage: hannan {name} ")
                self.assertRegex(text, rf"\nExamples?:\n(  .*\n)*  .*\bhannan {name}\b")

    def test_a_command_for_one_kind_of_data_has_help_of_its_own(self):
        self.assertGreater(len(KINDS), 0)
        for name, kind, about in KINDS:
            for args in ([name, kind, "--help"], ["help", kind]):
                text = hannan(*args).out.decode()
                self.assertIn(about, " ".join(text.split()))
                self.assertRegex(text, rf"\n\nUsage: hannan {name} {kind} ")
                self.assertRegex(text, rf"\nExamples?:\n(  .*\n)*  .*\bhannan {name} {kind}\b")
                for line in text.splitlines():
                    self.assertLessEqual(len(line), WIDTH, line)
            done = hannan(name, kind, "--no-such")
            self.assertEqual((done.status, b"H100" in done.err), (2, True))

    def test_no_line_of_the_help_is_wider_than_a_terminal(self):
        for args in (["--help"], ["--help-all"], *([name, "--help"] for name, _ in COMMANDS)):
            for line in hannan(*args).out.decode().splitlines():
                self.assertLessEqual(len(line), WIDTH, f"{args}: {line}")

    def test_the_full_help_explains_what_the_short_one_names(self):
        short, full = (hannan("run", flag).out.decode() for flag in ("--help", "--help-all"))
        self.assertNotIn("K explicit experts", short)
        self.assertIn("K explicit experts", full)
        self.assertRegex(short, r"Reading a bid log .*\n  --format --header ")
        self.assertRegex(full, r"Reading a bid log .*\n  --format \{long,wide,openrtb\}\n")
        self.assertGreater(len(hannan("--help-all").out), sum(len(hannan(name, "--help").out) for name, _ in COMMANDS))

    def test_the_version_names_what_was_built(self):
        self.assertRegex(hannan("--version").out.decode(), r"^hannan [\d.]+\nsignature [0-9a-f]{16}; compiled by (?:g|clang)\+\+ \d.* for [\w-]+, with(?:out)? assertions\n$")


class Demo(unittest.TestCase):
    def test_the_demo_says_what_the_learner_costs_where_hedge_is_better(self):
        out = hannan("demo").out.decode()
        rows = {line[:30].strip(): line.split()[-1] for line in out.splitlines() if line[:30].strip()}
        ours, hedge = rows["Hannan (flipflop)"], rows["Hedge, worst-case rate"]
        self.assertGreater(float(ours), float(hedge))
        words = " ".join(out.split())
        self.assertIn(f"On hostile data it costs {ours} where Hedge costs {hedge}: {float(ours) / float(hedge):.1f} times as much", words)
        self.assertIn("its limit (95 %)", out)


class FlagsThatAreRefused(unittest.TestCase):
    def refused(self, args, message):
        done = hannan(*args)
        self.assertEqual(done.status, 2, args)
        self.assertEqual(done.err.decode(), f"hannan: H100: {message}; hannan COMMAND --help shows usage and examples\n")

    def test_a_value_outside_its_limits_is_named_with_them(self):
        whole = "expected a whole number from 0 on"
        for args, message in (
                (["run", "experts", "--seed", "-1"], f'--seed: found "-1", {whole}'),
                (["simulate", "experts", "--hits", "-3"], f'--hits: found "-3", {whole}'),
                (["simulate", "experts", "--rounds", "9" * 20], f'--rounds: found "{"9" * 20}", {whole}'),
                (["experiment", "p", "--threads", "0"], '--threads: found "0", expected a whole number from 1 to 1024'),
                (["check", "experts", "--best", "-1"], '--best: found "-1", expected a number from 0 on'),
                (["check", "experts", "-c", "0"], '-c: found "0", expected a number above 0'),
                (["check", "experts", "-c", "inf"], '-c: found "inf", expected a number above 0'),
                (["run", "experts", "--cap", "x"], '--cap: found "x", expected a number'),
                (["run", "experts", "--track", "x"], '--track: found "x", expected one of every, powers, end')):
            self.refused(args, message)

    def test_what_is_missing_or_too_much_is_named(self):
        self.refused(["run"], "problem is required")
        self.refused(["run", "experts", "more"], "The following argument was not expected: more")
        self.refused(["run", "experts", "-d", "a", "-d", "b"], "--data: At Most 1 required but received 2")


if __name__ == "__main__":
    main()
