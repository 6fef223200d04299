"""Tables that look like forecasts are asked about and never played as losses; the best of tiny totals; budgets."""
import json
import math
import pathlib
import random

from program import FolderTest, hannan, main

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


class Forecasts(FolderTest):
    def setUp(self):
        super().setUp()
        coins = random.Random(3)
        rows = []
        for t in range(40):
            load = 1000 + 100 * math.sin(t / 5)
            rows.append([load + coins.gauss(0, 10), load + coins.gauss(0, 10), load])
        text = "\n".join(",".join(f"{cell:.3f}" for cell in row) for row in rows) + "\n"
        self.named = self.file("load.csv", ("gam,ar,actual\n" + text).encode())
        self.unnamed = self.file("plain.csv", ("gam,ar,gbm\n" + text).encode())
        self.far = self.file("far.csv", b"a,b\n12,340\n20,15\n")
        self.plan = "name = 'x'\nseeds = 1\n[[streams]]\nname = 's'\ndata = '{}'\n{}[[learners]]\nname = 'l'\n" \
                    "kind = 'leader'\n[[tables]]\ntitle = 't'\nstreams = ['s']\nlearners = ['l']\n"

    def commands(self, data, *flags):
        out = self.folder / "out"
        yield ["run", "experts", "-d", data, "-l", "leader", "-q", *flags]
        yield ["compare", "experts", "-d", data, "-l", "leader", "--rivals", "none", *flags]
        yield ["oracle", "experts", "-d", data, *flags]
        yield ["fold", "experts", "-d", data, "-o", out, *flags]

    def asked(self, args, *words):
        done = hannan(*args)
        self.assertEqual(done.status, 3, done.err.decode())
        said = done.err.decode()
        for word in ("H213", "--losses", "hannan compare forecasts -d", *words):
            self.assertIn(word, said)
        return done

    def test_forecasts_with_an_actual_are_asked_about(self):
        for range_flags in ([], ["--param", "range=unknown"]):
            for args in self.commands(self.named, *range_flags):
                with self.subTest(args=args[:2]):
                    self.asked(args, 'one is called "actual"', "look like forecasts", "--actual actual")

    def test_forecasts_without_one_are_known_by_their_values(self):
        for args in self.commands(self.unnamed, "--param", "range=unknown"):
            with self.subTest(args=args[:2]):
                self.asked(args, "rise and fall together")
        for args in self.commands(self.named, "--drop", "actual"):
            with self.subTest(args=args[:2]):
                self.asked(args, "rise and fall together")

    def test_nothing_is_played_or_written(self):
        table = self.folder / "d.csv"
        self.asked(["run", "experts", "-d", self.named, "-p", table, "--save", self.folder / "state"])
        self.assertFalse((self.folder / "state").exists())
        self.assertFalse(table.exists() and table.read_bytes())

    def test_numbers_far_outside_are_asked_about_at_once(self):
        for args in self.commands(self.far):
            with self.subTest(args=args[:2]):
                self.asked(args, "from 12 to 340", "range=unknown", "gains")

    def test_the_flag_answers(self):
        for data in (self.named, self.unnamed, self.far):
            for args in self.commands(data, "--param", "range=unknown", "--losses"):
                with self.subTest(args=args[:2]):
                    done = hannan(*args)
                    self.assertIn(done.status, (0, 1), done.err.decode())
                    for file in (self.folder / "out").glob("**/*"):
                        if file.is_file():
                            file.unlink()

    def test_a_name_is_enough_on_standard_input(self):
        done = hannan("run", "experts", "-d", "-", stdin=self.named.read_bytes())
        self.assertIn("H213", done.err.decode())

    def test_a_plan_asks_too(self):
        plan = self.file("plan.toml", self.plan.format(self.named, "").encode())
        self.asked(["experiment", plan, "-o", self.folder / "results"], "actual")
        answered = "losses = true\n[[problems]]\nname = 'p'\nkind = 'experts'\nparams = {range = 'unknown'}\n"
        text = self.plan.format(self.named, answered).replace("title = 't'\n", "title = 't'\nproblems = ['p']\n")
        done = hannan("experiment", self.file("said.toml", text.encode()), "-o", self.folder / "said")
        self.assertEqual(done.status, 0, done.err.decode())

    def test_losses_are_not_asked_about(self):
        data = self.file("losses.csv", b"a,b\n0.5,0.25\n1,0\n")
        done = hannan("run", "experts", "-d", data, "-q")
        self.assertEqual(done.status, 0, done.err.decode())
        slip = self.file("slip.csv", ("a,b\n" + "0.5,0.25\n" * 20 + "7,0\n").encode())
        self.assertIn("H205: " + str(slip) + ":22:1", hannan("run", "experts", "-d", slip, "-q").err.decode())


class TinyTotals(FolderTest):
    """Ties are measured by the data: losses near 1e-12 are not one large tie."""

    def test_the_least_of_tiny_losses_is_found(self):
        for scale in (1e-3, 1e-9, 1e-12, 1e-15):
            data = self.file("tiny.csv", f"{3 * scale!r},{scale!r},{2 * scale!r}\n".encode())
            with self.subTest(scale=scale):
                best = json.loads(hannan("oracle", "experts", "-d", data, "--json").out)
                self.assertEqual((best["action"], best["value"], best["proven"]), (1, scale, True))
                out = self.folder / f"sums{scale}"
                self.assertEqual(hannan("fold", "experts", "-d", data, "-o", out, "-q").status, 0)
                best = json.loads(hannan("oracle", "experts", "--sums", out, "--json").out)
                self.assertEqual((best["action"], best["value"]), (1, scale))

    def test_tiny_weights_are_not_a_tie(self):
        request = '{"op":"problem","as":"p","kind":"experts","params":{"experts":3}}\n' \
                  '{"op":"best","in":"p","data":[{"weight":1e-12,"outcome":[1,0.25,0.5]}]}\n'
        answer = json.loads(hannan("pipe", stdin=request.encode()).out.splitlines()[1])
        self.assertEqual(answer["action"], 1)

    def test_rounding_is_still_a_tie(self):
        data = self.file("tie.csv", b"0.3,0.1\n0.3,0.2\n0.3,0.6\n")  # both add up to 0.9, up to rounding
        best = json.loads(hannan("oracle", "experts", "-d", data, "--json").out)
        self.assertEqual(best["action"], 0)

    def test_sums_of_ordinary_losses_keep_their_bytes(self):
        data = self.file("plain.csv", b"0,1\n1,0.5\n")
        out = self.folder / "sums"
        hannan("fold", "experts", "-d", data, "-o", out, "-q")
        self.assertFalse(any(b'"range"' in file.read_bytes() for file in out.glob("**/*") if file.is_file()))


class BudgetOverTheRun(FolderTest):
    """docs/problems/first-price-bidding.md: for value - (1 + l) bid divide the values, not the other bids."""

    FACTORS = [0, 0.5, 0.6, 0.7, 0.8, 0.9]

    def best(self, rows):
        text = "value,other\n" + "".join(f"{value!r},{other!r}\n" for value, other in rows)
        grids = f"grids=[{json.dumps(self.FACTORS)}]"
        done = hannan("oracle", "first-price-bidding", "--param", grids, "-d", self.file("b.csv", text.encode()), "--json")
        return json.loads(done.out)["action"][0]

    def test_dividing_the_values_alone_maximises_what_the_page_says(self):
        coins = random.Random(5)
        rows = [(coins.uniform(9, 11), coins.uniform(3, 6)) for _ in range(200)]
        factor = 1.25  # 1 + l

        def earned(share):
            bids = [(value, share * value / factor, other) for value, other in rows]
            return sum(value - factor * bid for value, bid, other in bids if bid > other)

        expected = max(range(len(self.FACTORS)), key=lambda k: earned(self.FACTORS[k]))
        self.assertEqual(self.best([(value / factor, other) for value, other in rows]), expected)
        # Both divided is the same problem in another unit.
        both = self.best([(value / factor, other / factor) for value, other in rows])
        self.assertEqual(both, self.best(rows))
        self.assertNotEqual(both, expected)

    def test_the_page_says_so(self):
        page = (DOCS / "problems" / "first-price-bidding.md").read_text()
        self.assertNotIn("values and other bids by 1 + λ", page)
        self.assertIn("divide the values by 1 + λ", page)


if __name__ == "__main__":
    main()
