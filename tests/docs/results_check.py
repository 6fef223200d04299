"""Holds docs/results.md against its own tables and against regrets that another program measured: results_check.py [MEASURED.md]

The page is made by scripts/results; here it must be what that makes of its tables, a change of a table must change or refuse
it, and the comparison with the other program (the rule is in scripts/page/against.py) must come out as the page says."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/results.md"
sys.path.insert(0, str(ROOT / "scripts"))
MEASURED = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].endswith(".md") else None

from page import against, draws, tables  # noqa: E402


def all_tables(page):
    return {name: tables.Tables(page, name) for name in tables.PLANS}


class PageTest(unittest.TestCase):
    def run_on(self, text, *args):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "results.md")
            file.write_text(text)
            done = subprocess.run([sys.executable, "-B", ROOT / "scripts/results", "--page", file, *args], capture_output=True, text=True)
            return done, file.read_text()

    def changed(self, old, new):
        page = PAGE.read_text()
        self.assertEqual(len(re.findall(old, page, flags=re.MULTILINE)), 1, old)
        return re.sub(old, new, page, flags=re.MULTILINE)

    def test_the_page_is_what_its_tables_make(self):
        done, _ = self.run_on(PAGE.read_text(), "--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_another_number_in_a_sentence_is_found(self):
        done, _ = self.run_on(self.changed(r"^(\| Small-loss adaptation.*GFTPL has )", r"\g<1>1"), "--check")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is not what the tables make", done.stderr)

    def test_another_table_changes_the_verdict(self):
        # GFTPL at L* = 10 that grows by more than three errors from T = 1000 to 16,000.
        grown = self.changed(r"(^\| mean L\* \| 10.0 \| 10.0 \| 10.0 \|\n\| Hedge, worst.*\n.*\n\| GFTPL fresh \|.*\|.*\|) .* \|$", r"\1 99.0 ± 0.6 |")
        self.assertRegex(PAGE.read_text(), r"\| Small-loss adaptation.*\*\*holds\*\*")
        done, page = self.run_on(grown)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(page, r"\| Small-loss adaptation.*\*\*fails\*\*.*99")

    def test_a_mean_beyond_its_bound_by_more_than_chance_fails(self):
        # 5.9 +- 0.2, so that three errors are a tenth of it: 1.1 times the bound may be chance, 1.5 times is not.
        row = r"^(\| GFTPL c=1 fresh \[identity\] \|) 0\.914 \|"
        for ratio, verdict in (("1.100", "holds with a changed constant"), ("1.500", "fails")):
            done, page = self.run_on(self.changed(row, rf"\g<1> {ratio} |"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(page, rf"\| Theorem 1 bounds that regret \| \*\*{verdict}\*\*.*{ratio} times")

    def test_a_table_without_a_learner_makes_no_page(self):
        done, _ = self.run_on(PAGE.read_text().replace("| OFF tight |", "| OFF loose |"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no OFF tight", done.stderr)

    def test_numbers_that_decide_nothing_make_no_page(self):
        # Classical GFTPL neither better nor worse everywhere: at L* = 0 nothing is apart.
        title = r"(^GFTPL against classical GFTPL at T = 4000.\n(?:.*\n)*?\| classical GFTPL \|) [\d.]+ ± [\d.]+ \|"
        done, _ = self.run_on(self.changed(title, r"\1 21.4 ± 8.1 |"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no case applies", done.stderr)


class SpreadTest(unittest.TestCase):
    def test_what_a_set_decides_is_told_from_what_the_noise_does(self):
        # Sets 0, 2, 4 and noise 0, 10, without any rest: means 5, 7, 9; variance between sets 4, of the noise 50.
        regret = {s: {n: 2 * s + 10 * n for n in range(2)} for s in range(3)}
        mean, between, within = draws.spreads(regret)
        self.assertEqual((mean, between), (7, 2))
        self.assertAlmostEqual(within, 50 ** 0.5)
        # A rest of +1 and -1 by turns averages out in a set but not over three sets: what is left of it after the means of
        # sets and of noise has the mean square 48/9 / 2, and half of that is taken off the variance 4.
        regret = {s: {n: 2 * s + 10 * n + (1 if (s + n) % 2 else -1) for n in range(2)} for s in range(3)}
        self.assertAlmostEqual(draws.spreads(regret)[1], (4 - 8 / 6) ** 0.5)


class ChanceTest(unittest.TestCase):
    def test_so_many_cells_may_seem_false(self):
        self.assertEqual(against.most_by_chance(1), 1)  # one fails with chance 0.0027 > 0.001
        self.assertEqual(against.most_by_chance(400), 5)  # mean 1.08: P(<= 4) = 0.9951, P(<= 5) = 0.9991


@unittest.skipUnless(MEASURED and MEASURED.exists(), "no tables measured elsewhere")
class AgainstTest(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text()
        self.text = MEASURED.read_text()

    def test_every_cell_is_compared_and_as_many_agree_as_should(self):
        found = against.Comparison(all_tables(self.page), self.text)
        print(f"{found.compared} cells compared, beyond three errors: {found.apart or 'none'}; without the spread of sets: {found.without_sets or 'none'}; bounds apart by {max(found.bounds):.4f}")
        self.assertTrue(found.passes(), found.apart)
        self.assertEqual(found.text(all_tables(self.page)), tables.between(self.page, "against"))

    def test_a_row_that_is_wrong_is_seen(self):
        # Hedge with another rate: a fifth more regret in its rows.
        def more(match):
            return "| Hedge fixed |" + re.sub(r"(\d+\.\d+)( ±|  *\|)", lambda m: f"{1.2 * float(m[1]):.1f}{m[2]}", match[1])
        wrong = re.sub(r"^\| Hedge fixed \|(.*)$", more, self.page, flags=re.MULTILINE)
        self.assertFalse(against.Comparison(all_tables(wrong), self.text).passes())

    def test_a_cell_that_is_not_here_is_an_error(self):
        short = re.sub(r"^\| OFF literal \|.*\n", "", self.page, flags=re.MULTILINE)
        with self.assertRaises(tables.Missing):
            against.Comparison(all_tables(short), self.text)


if __name__ == "__main__":
    unittest.main()
