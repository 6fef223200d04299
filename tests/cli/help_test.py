"""`hannan help`: every topic, and that what it says of a problem's parameters is what the problem takes."""
import json
import re
import shlex
import unittest

from commands_test import COMMANDS, WIDTH
from program import FolderTest, hannan, main

LISTED = hannan("help").out.decode()
SCREEN = 50  # lines


def section(title):
    """The names in one part of the list of topics."""
    part = LISTED.split(f"\n{title}", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^  (\S+) ", part, re.M)


PROBLEMS, LEARNERS = section("Problems"), section("Learners (-l") + section("Learners for")


def said_of(problem):
    """Name -> (text, value to begin with) of the parameters, those of a file apart."""
    text = hannan("help", problem).out.decode().split("\nData (-d)", 1)[0]
    own, _, file = text.partition("With --from")
    both = []
    for part in (own, file):
        found = {}
        for entry in re.findall(r"^  (?=[a-z])(.*(?:\n {4,}.*)*)", part, re.M):
            name, _, value = entry.split()[0].partition("=")
            example = re.search(r"\n    e\.g\. (.*)", entry)
            found[name] = (" ".join(entry.split()), example[1] if example else value)
        both.append(found)
    return both


def needed(problem):
    return {name: value for name, (text, value) in said_of(problem)[0].items() if "(needed" in text}


class Topics(unittest.TestCase):
    def test_the_list_has_commands_problems_learners_and_logs(self):
        self.assertEqual(section("Commands"), [name for name, _ in COMMANDS])
        self.assertIn("vcg-reserves", PROBLEMS)
        self.assertIn("flipflop", LEARNERS)
        self.assertEqual(section("Further"), ["logs", "forecasts"])

    def test_every_topic_is_explained_within_the_width_of_a_terminal(self):
        for topic in ["", *(name for name, _ in COMMANDS), *PROBLEMS, *LEARNERS, "logs"]:
            done = hannan("help", *([topic] if topic else []))
            self.assertEqual((done.status, done.err), (0, b""), topic)
            for line in done.out.decode().splitlines():
                self.assertLessEqual(len(line), WIDTH, f"{topic}: {line}")

    def test_a_command_is_explained_as_by_its_flag(self):
        for name, _ in COMMANDS:
            self.assertEqual(hannan("help", name).out, hannan(name, "--help").out)

    def test_log_flags_are_explained_by_a_topic_and_by_the_full_help_and_named_elsewhere(self):
        for args in (["help", "logs"], ["convert", "--help-all"]):
            text = hannan(*args).out.decode()
            self.assertRegex(text, r"\n  --sort-by TEXT +read the whole log", args)
            self.assertRegex(text, r"\n  --strict +the first row", args)
        for command in ("run", "compare", "convert"):
            text = hannan(command, "--help").out.decode()
            self.assertRegex(text, r"\nReading a bid log \(hannan help logs\):\n  --format --header ")
            self.assertNotIn("the first row that cannot be used", text)

    def test_the_help_of_every_command_is_on_one_screen(self):
        self.assertLess(len(hannan("--help").out.splitlines()), 45)
        for name in [*(name for name, _ in COMMANDS), "run forecasts", "compare forecasts", "oracle forecasts"]:
            self.assertLessEqual(len(hannan(*name.split(), "--help").out.splitlines()), SCREEN, name)

    def test_help_begins_with_what_people_have_and_every_answer_is_a_topic(self):
        asked = LISTED[LISTED.index("What do you have?"):].split("\n\n")[0]
        answers = re.findall(r"  hannan (help )?([\w-]+)$", asked, re.M)
        self.assertGreater(len(answers), 8)
        self.assertLess(LISTED.index("What do you have?"), LISTED.index("Commands"))
        for _, topic in answers:
            self.assertEqual(hannan("help", topic).status, 0, topic)

    def test_learners_to_start_with_stand_before_those_for_research_which_stand_last(self):
        last = LISTED.split("\n\n")[-2]
        self.assertTrue(last.startswith("Learners for comparisons and research:"), last)
        self.assertNotIn("  flipflop ", last)


class ParametersOfProblems(FolderTest):
    def test_every_problem_has_parameters_data_and_an_example(self):
        for problem in PROBLEMS:
            text = hannan("help", problem).out.decode()
            self.assertRegex(text, rf"(?s)\nParameters.*\nData \(-d\): .*\n  as a JSON line: .*\nExample:\n  hannan run {problem} ", problem)
            self.assertTrue(needed(problem), problem)

    def values(self, problem):
        """The needed parameters with the values that the help begins with."""
        return [word for name, value in needed(problem).items() for word in ("--param", f"{name}={value}")]

    def test_the_values_to_begin_with_make_the_problem(self):
        for problem in PROBLEMS:
            with self.subTest(problem=problem):
                self.ok("show", problem, *self.values(problem), "-q")

    def test_the_help_names_what_the_problem_asks_for(self):
        """An unknown parameter is refused with the list of those that were asked for."""
        for problem in PROBLEMS:
            err = hannan("show", problem, *self.values(problem), "--param", "qqqq=1").err.decode()
            asked = re.search(r'found the field "qqqq", expected (.*)\n', err)
            self.assertIsNotNone(asked, err)
            own, _ = said_of(problem)
            self.assertLessEqual(set(asked[1].split(", ")), set(own), problem)

    # Other ways to say a problem, in which further parameters are asked for.
    OTHERWISE = {"vcg-reserves": [["bidders=2", "prices=0,1,2"], ["bidders=2", "shares=[1,0.5]"], ["bidders=2", "ceilings=[2,1]"]],
                 "item-pricing": [["items=2", "prices=0,1"]], "finite-game": [["rewards=[[0,1],[1,0]]"]],
                 "classification": [["predictions=[[0,1],[1,1]]"], ["points=[[1],[2]]", "hypotheses=votes"]]}

    def test_no_parameter_of_the_help_is_unknown_to_the_problem(self):
        """A value of no type that any of them has is refused for its type or for what is beside it, not as unknown."""
        for problem in PROBLEMS:
            ways = [self.values(problem)]
            ways += [[word for pair in way for word in ("--param", pair)] for way in self.OTHERWISE.get(problem, [])]
            for name in said_of(problem)[0]:
                errors = [hannan("show", problem, *way, "--param", f"{name}=null").err for way in ways]
                unknown = [b"H103" in err and f'"{name}"'.encode() in err for err in errors]
                self.assertFalse(all(unknown), (problem, name, errors))

    def test_the_outcome_of_the_help_is_one_of_the_problem(self):
        for problem in PROBLEMS:
            line = re.search(r"\n  as a JSON line: (.*)\n", hannan("help", problem).out.decode())[1]
            data = self.file("data.jsonl", 5 * (line.encode() + b"\n"))
            with self.subTest(problem=problem):
                self.ok("run", problem, *self.values(problem), "-d", data, "-q")

    def test_the_examples_of_the_help_can_be_read_by_the_program(self):
        """Their flags exist: what is refused is the file, which is not there."""
        for problem in PROBLEMS:
            example = hannan("help", problem).out.decode().split("Example:\n  ", 1)[1].split("\n", 1)[0]
            done = hannan(*shlex.split(example)[1:])
            self.assertEqual(done.status, 3, (example, done.err))
            self.assertIn(b"H201", done.err, example)

    def test_the_parameters_of_a_file_are_those_that_are_read(self):
        cases = self.file("cases.csv", b"a,b\n1,yes\n2,no\n")
        err = hannan("run", "classification", "--from", cases, "--param", "label=b", "--param", "hypotheses=stumps", "--param", "qqqq=1").err.decode()
        own, file = said_of("classification")
        self.assertIn("qqqq", err)
        self.assertLessEqual({"label", "labels", "positive", "drop", "bins", "skip", "header", "format"}, set(file))
        self.assertIn("hypotheses", own)


class Json(unittest.TestCase):
    def test_the_pipe_lists_what_is_missing_by_field(self):
        answer = json.loads(hannan("pipe", stdin=b'{"op":"problem","as":"p","kind":"vcg-reserves","params":{}}\n').out)
        self.assertIn("vcg-reserves needs bidders=4 (", answer["error"]["message"])


if __name__ == "__main__":
    main()
