"""`portfolio` from the command line: what it prints, its record, its states, and records that were altered.

    portfolio_test.py PROGRAM           500 altered records
    portfolio_test.py PROGRAM --all     20,000 runs of friendly, hostile and reacting losses as well (plans/portfolio.md)
"""
import copy
import json
import random
import sys

from forger_test import sealed
from program import FolderTest, hannan, main

WHOLE = "--all" in sys.argv
if WHOLE:
    sys.argv.remove("--all")
ALTERED = 500
EXPERTS = 4
# Fields that state nothing about the run: where the data came from, and the version that wrote the record.
SILENT = {"data", "program"}


def losses(rounds, seed=7):
    draw = random.Random(seed)
    return [[round(min(1.0, max(0.0, draw.random() * (0.6 + 0.2 * k))), 3) for k in range(EXPERTS)] for _ in range(rounds)]


def paths_of(value, path=()):
    """Every place of a JSON value with a number, a word, a truth value or null in it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in SILENT:
                yield from paths_of(inner, (*path, name))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from paths_of(inner, (*path, i))
    else:
        yield path


def altered(lines, draw):
    """The lines with one leaf changed, and where."""
    lines = copy.deepcopy(lines)
    at = draw.randrange(len(lines))
    paths = list(paths_of(lines[at] if at + 1 < len(lines) else lines[at]["end"], () if at + 1 < len(lines) else ("end",)))
    path = draw.choice(paths)
    holder = lines[at]
    for step in path[:-1]:
        holder = holder[step]
    old = holder[path[-1]]
    if isinstance(old, bool):
        new = not old
    elif isinstance(old, (int, float)):
        new = old + draw.choice([1, -1, 0.001 * (1 + abs(old)), -0.001 * (1 + abs(old))])
    elif isinstance(old, str):
        new = old + "x"
    else:
        new = 1
    holder[path[-1]] = new
    return lines, f"line {at + 1} {path}: {old} -> {new}"


class Portfolio(FolderTest):
    def data(self, rows, name="losses.csv"):
        return self.file(name, "".join(",".join(map(repr, row)) + "\n" for row in rows).encode())

    def run_portfolio(self, *words, rows=None, problem="experts"):
        done = hannan("run", problem, "-d", self.data(rows or losses(40)), "-l", "portfolio", *words)
        self.assertIn(done.status, (0, 1), done.err)
        return done.out.decode()

    def record(self, *words, rows=None):
        self.run_portfolio("-q", "--record", self.folder / "run.jsonl", *words, rows=rows)
        return [json.loads(line) for line in (self.folder / "run.jsonl").read_text().splitlines()]

    def verified(self, lines):
        file = self.folder / "altered.jsonl"
        file.write_text(sealed(lines))
        return hannan("verify", file)

    def test_a_run_says_what_is_at_risk_and_what_was_gained(self):
        out = self.run_portfolio("--set", "today=3", "--set", "risk=3")
        self.assertIn("at risk: 3.00, the mean loss against today stays below it", out)
        self.assertIn("behind the best strategy", out)
        self.assertIn("on average never more than", out)

    def test_parameters_may_stand_behind_the_kind(self):
        a = self.run_portfolio("--set", "today=3", "--set", "risk=3", "--json")
        done = hannan("run", "experts", "-d", self.folder / "losses.csv", "-l", "portfolio:risk=3", "--set", "today=3", "--json")
        self.assertEqual(a, done.out.decode())

    def test_without_today_the_learner_says_what_is_missing(self):
        done = hannan("run", "experts", "-d", self.data(losses(4)), "-l", "portfolio")
        self.assertIn(b"H102", done.err)

    def test_rehearsed_rounds_are_learned_from_and_not_charged(self):
        report = json.loads(self.run_portfolio("--set", "today=3", "--set", "risk=3", "--set", "warm=15", "--json"))
        self.assertEqual((report["rounds"], report["rehearsed_rounds"]), (40, 15))
        rows = losses(40)
        today = next(row for row in report["strategies"] if row["name"] == "today")
        self.assertAlmostEqual(today["total"], sum(row[3] for row in rows[15:]), places=9)
        self.assertAlmostEqual(today["rehearsed"], sum(row[3] for row in rows[:15]), places=9)

    def test_a_run_goes_on_from_a_saved_state_and_its_record_is_the_same(self):
        whole = self.record("--set", "today=3", "--set", "risk=3", "--set", "warm=5")
        text = (self.folder / "run.jsonl").read_bytes()
        common = ["run", "experts", "-d", self.folder / "losses.csv", "-q", "--record", self.folder / "part.jsonl"]
        for rounds in (3, 5, 11, 20):
            first = hannan(*common, "-l", "portfolio", "--set", "today=3", "--set", "risk=3", "--set", "warm=5",
                           "--rounds", str(rounds), "--save", self.folder / "state.json")
            self.assertEqual(first.status, 0, first.err)
            rest = hannan(*common, "--resume", self.folder / "state.json")
            self.assertEqual(rest.status, 0, rest.err)
            self.assertEqual((self.folder / "part.jsonl").read_bytes(), text, rounds)
        self.assertEqual(len(whole), 42)

    def test_records_of_all_kinds_of_strategies_verify(self):
        settings = {
            "default": ["--set", "today=3"],
            "unknown": ["--set", "today=3", "--set", "risk=2", "--set", "largest=null"],
            "hard": ["--set", "today=3", "--set", "risk=1", "--set", "hard=2"],
            "warm": ["--set", "today=3", "--set", "warm=10"],
            "learners": ["--set", 'strategies=[{"name":"today","kind":"fixed","action":2},"ada","gftpl","hedge",'
                                  '{"name":"seen","kind":"leader","shadow":true}]'],
            "one": ["--set", 'strategies=[{"name":"today","kind":"fixed","action":2}]'],
        }
        for name, words in settings.items():
            with self.subTest(name):
                self.record(*words)
                done = hannan("verify", self.folder / "run.jsonl")
                self.assertEqual(done.status, 0, done.err + done.out)

    def test_altered_records_are_refused(self):
        records = [self.record("--set", "today=3", "--set", "risk=2", "--set", "warm=4", rows=losses(12)),
                   self.record("--set", "today=3", "--set", "risk=1", "--set", "hard=2", "--set", "largest=1.5",
                               "--set", "delta=0.1", rows=losses(12, 8)),
                   self.record("--set", "today=1", "--set", "risk=0.2", "--set", "largest=null", rows=losses(12, 9))]
        for lines in records:
            self.assertEqual(self.verified(lines).status, 0)
        draw, accepted = random.Random(35), []
        for i in range(ALTERED):
            lines, what = altered(records[i % len(records)], draw)
            done = self.verified(lines)
            if done.status in (0, 1) and not done.err:
                accepted.append(what)
        self.assertEqual(accepted, [])


if __name__ == "__main__":
    main()
