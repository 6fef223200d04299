"""hannan solve and hannan verify of its solutions: certified bounds, every way to state scenarios, every altered field."""
import json
import random
import signal
import subprocess
import sys
import unittest

import program
from program import BINARY, FolderTest, main

SCISSORS = {"losses": [[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]]}


def hannan(*args):
    """The program with its output as text."""
    done = program.hannan(*args)
    return program.Done(done.status, done.out.decode(), done.err.decode())


def digest(solution):
    """The fingerprint as docs/solve.md states it: FNV-1a of the compact JSON without the field."""
    text = json.dumps({name: field for name, field in solution.items() if name != "digest"}, separators=(",", ":"),
                      ensure_ascii=False)
    state = 14695981039346656037
    for byte in text.encode():
        state = ((state ^ byte) * 1099511628211) % 2**64
    return f"{state:016x}"


def unnamed(value):
    """Without the names that people gave to actions."""
    if isinstance(value, dict):
        return {name: unnamed(item) for name, item in value.items() if name != "name"}
    return [unnamed(item) for item in value] if isinstance(value, list) else value


def altered(value):
    """The same value with one thing changed, for every single thing in it."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 0.01
        yield value * 1.5 + 0.001
        yield value - 0.01
    elif isinstance(value, str):
        yield value + "x"
    elif value is None:
        yield 1
    elif isinstance(value, list):
        if value:
            yield value[:-1]
        for i, item in enumerate(value[:3]):
            for other in altered(item):
                yield value[:i] + [other] + value[i + 1:]
    elif isinstance(value, dict):
        for name, item in value.items():
            for other in altered(item):
                yield {**value, name: other}


class SolveTest(FolderTest):
    def file(self, name, data=""):
        return super().file(name, data.encode() if isinstance(data, str) else data)

    def solve(self, *args, status=0):
        done = hannan("solve", *args, "--json")
        self.assertEqual(done.status, status, done.err)
        return json.loads(done.out)

    def params(self, value):
        """The name of a new file with these parameters."""
        self.made = getattr(self, "made", 0) + 1
        return self.file(f"params-{self.made}.json", json.dumps(value))

    def verify(self, solution, *args):
        path = self.file("solution.json", json.dumps(solution))
        return hannan("verify", path, *args)

    def refused(self, code, *args):
        done = hannan("solve", *args)
        self.assertIn(code, done.err)
        self.assertNotEqual(done.status, 0)
        self.assertEqual(done.out, "")

    def table(self, rows=400, seed=3):
        """Two experts, each good in one of two regions; months in order."""
        coins = random.Random(seed)
        lines = ["when,region,a,b,c"]
        for i in range(rows):
            north = coins.random() < 0.7
            good, bad = 0.2 + 0.1 * coins.random(), 0.6 + 0.2 * coins.random()
            losses = [good, bad] if north else [bad, good]
            lines.append(f"2024-{1 + i * 6 // rows:02}-10,{'north' if north else 'south'},"
                         + ",".join(f"{loss:.6f}" for loss in [*losses, 0.5]))
        return self.file("rows.csv", "\n".join(lines) + "\n")

    def test_the_game_of_scissors_is_solved_printed_and_verified(self):
        out = self.folder / "solution.json"
        done = hannan("solve", "finite-game", "--params", self.params(SCISSORS), "-o", out)
        self.assertEqual(done.status, 0, done.err)
        self.assertIn("No mixture of the 3 actions keeps the worst of the 3 scenarios below 0.5000. "
                      "This one keeps it at 0.5000.",
                      done.out)
        self.assertIn("round", done.out)
        checked = hannan("verify", out)
        self.assertEqual(checked.status, 0, checked.err)
        self.assertIn("verifies", checked.out)
        self.assertIn("all 3 actions", checked.out)
        solution = json.loads(out.read_text())
        self.assertEqual(solution["digest"], digest(solution))
        for one in solution["strategy"]:
            self.assertAlmostEqual(one["probability"], 1 / 3, 7)
        self.assertEqual(solution["best_single"]["worst"], 1)
        self.assertEqual(solution["stopped"], "closed")

    # What a file may say instead and still be true: less than it did. A larger tolerance or slack allows more than was used.
    WEAKER = {"upper": lambda old, new: new > old, "lower": lambda old, new: new < old,
              "average_lower": lambda old, new: new < old, "tolerance": lambda old, new: new > old,
              "slack": lambda old, new: new > old}
    # What claims nothing and is named "recorded" by verify: who made it, and bounds of rounds before the last. And another game
    # may have the same solution, if it differs in what neither side of it uses.
    RECORDED = {"program", "trace", "problem"}

    def refuses_every_alteration(self, solution, *data):
        """Of every field at any depth, under a digest that fits unless it claims less; under the old one, which is of all bytes, always."""
        self.assertEqual(self.verify(solution, *data).status, 0)
        refused = 0
        for name, value in solution.items():
            for i, other in enumerate(altered(value)):
                changed = {**solution, name: other}
                if i == 0 or name == "digest":
                    done = self.verify(changed, *data)  # another problem, or other columns of the data, are refused as such
                    self.assertRegex(done.err, "H601" if name not in ("problem", "scenarios") else "H[0-9]{3}", f"{name}: {value} became {other}")
                if name == "digest" or unnamed(changed) == unnamed(solution):
                    continue
                changed["digest"] = digest(changed)
                done = self.verify(changed, *data)
                refused += done.status != 0
                if done.status == 0:
                    weaker = name in self.WEAKER and self.WEAKER[name](value, other)
                    self.assertTrue(weaker or name in self.RECORDED, f"{name}: {value} became {other}: {done.out}")
        return refused

    def test_every_altered_field_is_refused_with_its_digest_and_without_unless_it_claims_less(self):
        rows = ("experts", "-d", self.table(), "--group", "region", "--timestamp", "when", "--hold", "0.3")
        data = ("-d", self.folder / "rows.csv", "--timestamp", "when")
        self.assertGreater(self.refuses_every_alteration(self.solve(*rows, "--slack", "0"), *data), 200)
        self.assertGreater(self.refuses_every_alteration(self.solve(*rows, "--regret"), *data), 200)
        coins = random.Random(2)
        game = self.params({"losses": [[coins.random() for _ in range(6)] for _ in range(12)]})
        given_up = self.solve("finite-game", "--params", game, "--slack", "0.02")
        self.assertGreater(given_up["upper"], given_up["frontier"][0]["worst"] + 0.019)
        self.assertGreater(self.refuses_every_alteration(given_up), 200)

    def test_settings_that_would_claim_more_are_refused_under_a_digest_that_fits(self):
        coins = random.Random(2)
        game = self.params({"losses": [[coins.random() for _ in range(20)] for _ in range(80)]})
        rough = self.solve("finite-game", "--params", game, "--tolerance", "0.05")
        used = self.solve("finite-game", "--params", game, "--slack", "0.02")
        ended = self.solve("finite-game", "--params", game, "--rounds", "3", status=1)
        self.assertGreater(rough["upper"] - rough["lower"], 1e-3)
        for solution, field, other in ((rough, "tolerance", 1e-6), (rough, "tolerance", 0.5), (used, "slack", 0),
                                       (used, "slack", 0.01), (ended, "open", False), (rough, "open", True),
                                       (ended, "stopped", "closed"), (used, "work", {**used["work"], "rounds": 1})):
            changed = {**solution, field: other}
            changed["digest"] = digest(changed)
            self.assertIn("H601", self.verify(changed).err, f"{field}: {solution[field]} became {other}")

    def test_a_solution_without_a_digest_is_checked_by_its_numbers(self):
        solution = self.solve("finite-game", "--params", self.params(SCISSORS))
        del solution["digest"]
        self.assertEqual(self.verify(solution).status, 0)
        for name, other in (("upper", 0.49), ("lower", 0.51), ("average", 0.4), ("unit", 2), ("cap", 0.2),
                            ("strategy", solution["strategy"][:2]), ("open", 3)):
            done = self.verify({**solution, name: other})
            self.assertNotEqual(done.status, 0, name)
            self.assertIn("H601", done.err, name)
        self.assertEqual(self.verify({**solution, "upper": 0.5 + 1e-7, "lower": 0.5 - 1e-7}).status, 0)

    def test_groups_of_rows_need_the_same_data_again(self):
        table = self.table()
        solution = self.solve("experts", "-d", table, "--group", "region", "--timestamp", "when")
        self.assertEqual({one["scenario"] for one in solution["losses"]}, {"north", "south"})
        self.assertLess(solution["upper"], solution["best_average"]["worst"] - 0.05)
        self.assertGreater(solution["gain"]["errors"], 2)
        self.assertIsNone(solution["gain"]["held"])
        self.assertEqual({one["name"] for one in solution["strategy"]}, {"a", "b"})
        self.assertEqual(self.verify(solution, "-d", table, "--timestamp", "when", "--group", "region").status, 0)
        without = self.verify(solution)
        self.assertIn("H100", without.err)
        other = self.file("other.csv", table.read_text().replace("north", "South"))
        done = self.verify(solution, "-d", other, "--timestamp", "when")
        self.assertIn("H601", done.err)
        kept = self.solve("experts", "-d", table, "--group", "region", "--timestamp", "when", "--keep-data")
        self.assertEqual(kept["scenarios"]["from"], "list")
        self.assertEqual(self.verify(kept).status, 0)
        self.assertAlmostEqual(kept["upper"], solution["upper"])

    def test_months_are_groups_and_the_mean_of_the_worst_three_lies_between_worst_and_mean(self):
        table = self.table()
        columns = ("experts", "-d", table, "--group", "@month", "--timestamp", "when", "--drop", "region")
        worst = self.solve(*columns)
        self.assertEqual([one["scenario"] for one in worst["losses"]], [f"2024-{month:02}" for month in range(1, 7)])
        three = self.solve(*columns, "--worst", "3")
        half = self.solve(*columns, "--worst", "0.5")
        mean = self.solve(*columns, "--worst", "6")
        self.assertEqual(three["upper"], half["upper"])
        self.assertLess(three["upper"], worst["upper"])
        self.assertLess(mean["upper"], three["upper"])
        best = json.loads(hannan("oracle", "experts", "-d", table, "--drop", "region", "--timestamp", "when", "--json").out)
        self.assertAlmostEqual(mean["best_average"]["average"], best["value"] / 400, 9)
        day = self.solve("experts", "-d", table, "--group", "@day,region", "--timestamp", "when")
        self.assertIn("2024-01-10/north", [one["scenario"] for one in day["losses"]])

    def test_held_rows_lead_and_regret_has_no_fresh_bound(self):
        table = self.table()
        args = ("experts", "-d", table, "--group", "region", "--timestamp", "when", "--hold", "0.3")
        done = hannan("solve", *args)
        self.assertEqual(done.status, 0, done.err)
        self.assertLess(done.out.index("on rows that did not decide"), done.out.index("on the rows that decided"))
        self.assertIn("standard errors", done.out)
        solution = self.solve(*args, "--regret")
        self.assertIsNone(solution["gain"]["fresh"])
        self.assertGreaterEqual(solution["lower"], 0)
        checked = self.verify(solution, "-d", table, "--timestamp", "when")
        self.assertEqual(checked.status, 0, checked.err)
        self.assertIn("the figures on rows that were held", checked.out)

    def test_a_budget_of_disruptions_without_base_costs_is_budget_over_cut(self):
        # Three disjoint ways of two edges: a disrupted edge costs 1, R = 2, the least cut has 3 edges.
        town = {"edges": [[0, 1], [1, 4], [0, 2], [2, 4], [0, 3], [3, 4]], "source": 0, "target": 4}
        for budget in (1, 2, 3):
            solution = self.solve("routing", "--params", self.params(town), "--budget", str(budget))
            self.assertAlmostEqual(solution["upper"], budget / 3 / 2, 6)
            self.assertAlmostEqual(solution["cap"], 1 / budget)
            self.assertEqual(self.verify(solution).status, 0)
        base = self.file("usual.csv", "0.9,0,0,0,0,0\n")
        rise = self.file("rise.csv", "1,1,1,1,1,1\n")
        dearer = self.solve("routing", "--params", self.params(town), "--budget", "1", "--base", base, "--rise", rise)
        self.assertGreater(dearer["upper"], 1 / 6)
        self.assertEqual(self.verify(dearer).status, 0)

    def test_scenarios_of_a_file_and_their_errors_name_the_line(self):
        text = '{"name":"calm","data":[{"weight":1,"outcome":0}]}\n{"name":"storm","data":[{"weight":0.5,"outcome":1},{"weight":0.5,"outcome":2}]}\n'
        path = self.file("stress.jsonl", text)
        game = ("finite-game", "--params", self.params(SCISSORS))
        solution = self.solve(*game, "--scenarios", path)
        self.assertEqual(solution["scenarios"]["from"], "list")
        self.assertEqual(self.verify(solution).status, 0)
        for bad, code in (('{"name":"calm","data":[{"weight":1,"outcome":0}]}', "H105"), ('{"name":"x","data":[]}', "H206"),
                          ('{"name":"x","data":[{"weight":-1,"outcome":0}]}', "H105"), ("nonsense", "H101"),
                          ('{"name":"x","data":[{"weight":1,"outcome":9}]}', ""), ('{"name":"x"}', "H102")):
            done = hannan("solve", *game, "--scenarios", self.file("bad.jsonl", text + bad + "\n"))
            self.assertIn(code, done.err)
            self.assertIn("bad.jsonl:3", done.err)
            self.assertNotEqual(done.status, 0)
        self.refused("H206", *game, "--scenarios", self.file("none.jsonl", "\n"))

    def test_requests_that_contradict_themselves_or_the_problem_are_refused(self):
        game = ("finite-game", "--params", self.params(SCISSORS))
        self.refused("H100", *game, "--worst", "2", "--budget", "1")
        self.refused("H100", *game, "--worst", "2", "--cap", "0.5")
        self.refused("H108", *game, "--budget", "1")
        self.refused("H105", *game, "--worst", "4")
        self.refused("H105", *game, "--cap", "0.2")
        self.refused("H105", *game, "--tolerance", "1e-9")
        self.refused("H105", *game, "--slack", "-1")
        self.refused("H105", *game, "--rounds", "0")
        self.refused("H100", *game, "--base", "x.csv")
        self.refused("H100", *game, "--hold", "0.3")
        self.refused("H100", *game, "--group", "region")
        self.refused("H102", "vcg-reserves", "--param", "bidders=2", "--param", "levels=4")
        self.refused("H105", "routing", "--params", self.params({"edges": [[0, 1], [0, 1]], "source": 0, "target": 1}), "--budget", "3")
        once = self.file("once.csv", "region,a,b\nnorth,0,1\nsouth,1,0\nsouth,1,0\n")
        self.refused("H108", "experts", "-d", once, "--group", "region", "--hold", "0.5")
        self.refused("H205", "experts", "--param", "experts=2", "--budget", "1", "--base", self.file("b.csv", "0.5,2\n"))

    def test_an_oracle_with_one_node_leaves_a_bracket_that_is_true(self):
        coins = random.Random(8)
        lines = ["region,a,b,c,d,e,f"] + [f"{'xyz'[i % 3]}," + ",".join(f"{coins.random():.3f}" for _ in range(6)) for i in range(60)]
        table = self.file("bids.csv", "\n".join(lines) + "\n")
        args = ("vcg-reserves", "--param", "levels=6", "-d", table, "--group", "region")
        for more in ((), ("--regret",)):
            exact = self.solve(*args, "--oracle", "tabulate", *more)
            rough = self.solve(*args, "--oracle", "branch_bound:1", *more, status=1)
            self.assertEqual((rough["open"], rough["stopped"]), (True, "oracle"))
            self.assertLess(rough["lower"], exact["lower"] - 1e-6)
            self.assertGreaterEqual(rough["upper"], exact["lower"] - 1e-9)
            self.assertEqual(self.verify(rough, "-d", table).status, 0)

    # Value 1/2, of rows 1 and 2 alike; whoever only ever meets row 0 has 0.6.
    GAME = {"losses": [[0.6, 0.6], [0, 1], [1, 0]]}

    def oracle(self, ready, answer):
        """A program that is asked for the best row against a mixture: its first line, and its answers."""
        self.made = getattr(self, "made", 0) + 1
        path = self.file(f"oracle-{self.made}.py", f"""import json, sys
losses = json.loads(sys.stdin.readline())["problem"]["params"]["losses"]
print(json.dumps({ready!r}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    totals = [sum(p["weight"] * row[p["outcome"]] for p in asked["data"]) for row in losses]
    print(json.dumps({{"id": asked["id"], **{answer}}}), flush=True)
""")
        return ("finite-game", "--params", self.params(self.GAME), "--oracle", f"external:{sys.executable} {path}")

    def test_a_lying_oracle_never_gets_a_wrong_bound_verified(self):
        liars = (({"ready": True, "exact": True}, '{"action": 0}'),                            # nothing is better, it says
                 ({"ready": True}, '{"action": 0, "floor": totals[0]}'),                       # the same as a floor
                 ({"ready": True}, '{"action": 0, "floor": totals[0] - 0.05}'))                # 0.55 is above 1/2 too
        for ready, answer in liars:
            done = hannan("solve", *self.oracle(ready, answer), "--json")
            self.assertIn(done.status, (0, 1), done.err)
            solution = json.loads(done.out)
            self.assertGreater(solution["lower"], 0.5 + 0.04)
            self.assertIsNotNone(solution["claims"])
            refused = self.verify(solution)
            self.assertIn("H601", refused.err, answer)
            self.assertIn("lower", refused.err, answer)

    def test_a_lie_that_its_own_answers_refute_ends_the_search(self):
        lie = '{"action": asked["id"] % 3, "floor": 0.7}'
        done = hannan("solve", *self.oracle({"ready": True}, lie), "--json")
        self.assertEqual((done.status, done.out), (3, ""))
        self.assertIn("H705", done.err)

    def test_an_external_oracle_that_is_inexact_and_says_so_leaves_a_bracket_that_is_true(self):
        for answer, low in (('{"action": 0}', 0.0), ('{"action": 0, "floor": 0.9 * min(totals)}', 0.45),
                            ('{"action": totals.index(max(totals)), "floor": min(totals)}', 0.5)):
            solution = self.solve(*self.oracle({"ready": True}, answer), status=1)
            self.assertEqual((solution["open"], solution["stopped"]), (True, "oracle"))
            self.assertLessEqual(solution["lower"], 0.5 + 1e-9)
            self.assertGreaterEqual(solution["lower"], low - 0.05)
            self.assertGreaterEqual(solution["upper"], 0.5 - 1e-9)
            self.assertEqual(self.verify(solution).status, 0)
        honest = self.solve(*self.oracle({"ready": True, "exact": True}, '{"action": totals.index(min(totals))}'))
        self.assertAlmostEqual(honest["upper"], 0.5, 6)
        self.assertEqual(self.verify(honest).status, 0)

    def test_limits_count_work_and_ctrl_c_keeps_what_is_certified(self):
        coins = random.Random(5)
        game = {"losses": [[coins.random() for _ in range(40)] for _ in range(400)]}
        path = self.file("game.json", json.dumps(game))
        few = self.solve("finite-game", "--params", path, "--rounds", "3", status=1)
        self.assertEqual((few["stopped"], few["work"]["rounds"], few["open"]), ("limit", 3, True))
        self.assertEqual(self.verify(few).status, 0)
        full = self.solve("finite-game", "--params", path)
        self.assertLessEqual(few["lower"], full["upper"] + 1e-9)
        self.assertGreaterEqual(few["upper"], full["lower"] - 1e-9)
        big = self.file("big.json", json.dumps({"losses": [[coins.random() for _ in range(150)] for _ in range(3000)]}))
        out = self.folder / "stopped.json"
        process = subprocess.Popen([BINARY, "solve", "finite-game", "--params", big, "-o", out, "--tolerance", "1e-8"],
                                   stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            if line.split()[:1] == ["4"]:
                process.send_signal(signal.SIGINT)
                break
        process.stdout.read()
        process.stdout.close()
        status = process.wait(timeout=300)
        solution = json.loads(out.read_text())
        self.assertEqual(status, 1 if solution["open"] else 0)
        self.assertEqual(self.verify(solution).status, 0)

    def test_scenarios_may_come_in_any_order_and_twice_and_dominated_actions_change_nothing(self):
        coins = random.Random(11)
        rows = [[coins.randrange(11) / 10 for _ in range(5)] for _ in range(7)]
        value = self.solve("finite-game", "--params", self.params({"losses": rows}))["upper"]
        order = [3, 1, 4, 0, 2]
        for other in ([[row[g] for g in order] for row in rows], [row + row[:1] for row in rows],
                      rows + [[min(1, loss + 0.1) for loss in rows[0]]]):
            self.assertAlmostEqual(self.solve("finite-game", "--params", self.params({"losses": other}))["upper"], value, 6)
        one = self.solve("finite-game", "--params", self.params({"losses": [[0.3, 0.7]]}))
        self.assertEqual((one["lower"], one["upper"], len(one["strategy"])), (0.7, 0.7, 1))
        alone = self.solve("finite-game", "--params", self.params({"losses": [[0.3], [0.1]]}))
        self.assertEqual((alone["upper"], alone["strategy"][0]["action"]), (0.1, 1))

    def test_the_page_says_what_each_price_sells_and_brings_alone(self):
        coins = random.Random(6)
        rows = [("poor", coins.choice([2, 2, 5])) if i % 3 else ("rich", coins.choice([5, 9, 9])) for i in range(240)]
        lines = [json.dumps({"context": [group], "outcome": [{"bundle": [0], "value": value}]}) for group, value in rows]
        data = self.file("sales.jsonl", "\n".join(lines) + "\n")
        out, page = self.folder / "prices.json", self.folder / "page.html"
        done = hannan("solve", "item-pricing", "--param", "items=1", "--param", "prices=[0,2,5,9]", "-d", data, "--group", "group", "--regret", "-o", out)
        self.assertEqual(done.status, 0, done.err)
        hannan("report", out, "-o", page)
        self.assertIn("Average alone", page.read_text())
        self.assertNotIn("Sales a round", page.read_text())  # losses less a base are no money
        hannan("solve", "item-pricing", "--param", "items=1", "--param", "prices=[0,2,5,9]", "-d", data, "--group", "group", "-o", out)
        hannan("report", out, "-o", page)
        text = page.read_text()
        self.assertIn("Sales a round", text)
        solution = json.loads(out.read_text())
        for one in solution["strategy"]:
            price = [0, 2, 5, 9][one["action"][0]]
            sold = sum(value >= price for _, value in rows) / len(rows)
            self.assertAlmostEqual(-one["average"], price * sold, 9)
            self.assertIn(f"{sold:.3f}", text)
        self.assertEqual(self.verify(solution, "-d", data).status, 0)
        solution["strategy"][0]["average"] += 0.01
        solution["digest"] = digest(solution)
        self.assertIn("strategy.average", self.verify(solution, "-d", data).err)

    def test_threads_and_a_second_run_give_the_same_bytes(self):
        table = self.table()
        args = ("solve", "experts", "-d", table, "--group", "region", "--timestamp", "when", "--json")
        self.assertEqual(hannan(*args).out, hannan(*args, "--threads", "4").out)


if __name__ == "__main__":
    main()
