"""The arena (bench/arena): its tasks, its scorer and its players; a quick form of the table.

    arena_test.py HANNAN
"""
import json
import math
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

ARENA = pathlib.Path(__file__).resolve().parents[2] / "bench/arena"
sys.path[:0] = [str(ARENA), str(ARENA / "players")]
HANNAN = str(pathlib.Path(sys.argv.pop()).resolve()) if len(sys.argv) > 1 else "hannan"

import players  # noqa: E402
import scorer  # noqa: E402
import tasks  # noqa: E402

NAMED = {task.name: task for task in tasks.TASKS}
# A player that reads requests as the protocol has them; what it answers to act is put in.
SCRIPT = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(dict(ok=True, loss=0, **(%s if request["op"] == "act" else {}))), flush=True)
"""


def scripted(answer):
    return players.Player("scripted", [sys.executable, "-c", SCRIPT % answer])


def arena(*words):
    return subprocess.run([sys.executable, "-B", ARENA / "arena", "--program", HANNAN, *words], capture_output=True, text=True)


class Tasks(unittest.TestCase):
    def test_there_are_ten_and_the_streams_are_the_same_on_every_machine(self):
        self.assertEqual(len(tasks.TASKS), 10)
        for task in tasks.TASKS:
            if not task.from_log:
                self.assertEqual(tasks.digest_of(task), task.digest, task.name)

    def test_losses_are_those_of_the_rules(self):
        # Reserves 4/8, 2/8, 8/8: the third leaves, the first wins and pays its reserve, 1/2; then the second bid, 0.6.
        self.assertAlmostEqual(tasks.reserve_loss((4, 2, 8), [0.7, 0.3, 0.9]), 0.5)
        self.assertAlmostEqual(tasks.reserve_loss((4, 2, 8), [0.7, 0.6, 0.9]), 0.4)
        self.assertEqual(tasks.reserve_loss((8, 8, 8), [0.7, 0.6, 0.9]), 1.0)
        self.assertEqual(len(NAMED["routes"].actions), math.comb(8, 4))

    def test_losses_are_what_the_program_says_too(self):
        for name in ("reserves", "routes"):
            task = NAMED[name]
            lines = [{"op": "problem", "as": "p", "kind": task.kind, "params": task.params}]
            pairs = [(action, outcome) for action in task.actions[::37] for outcome in task.outcomes(0, 12, None)]
            lines += [{"op": "loss", "in": "p", "action": action, "outcome": outcome} for action, outcome in pairs]
            done = subprocess.run([HANNAN, "pipe"], input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True)
            said = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(said[0]["actions"], len(task.actions))
            for (action, outcome), reply in zip(pairs, said[1:], strict=True):
                self.assertAlmostEqual(task.loss(action, outcome), reply["loss"], 12, (name, action, outcome))


class Scorer(unittest.TestCase):
    def game(self, name="hostile", rounds=5):
        return scorer.Game(NAMED[name], 0, rounds, None)

    def test_a_fixed_action_has_the_regret_of_that_action(self):
        # hostile, 5 rounds: totals 0.5 + 0 + 1 + 0 + 1 and 0 + 1 + 0 + 1 + 0.
        self.assertEqual(scorer.play(self.game(), scripted("{'action': 0}")), (0.5, False))
        self.assertEqual(scorer.play(self.game(), scripted("{'action': 1}")), (0.0, False))

    def test_a_mixture_is_charged_its_mean(self):
        self.assertEqual(scorer.play(self.game(), scripted("{'action': 0, 'weights': [0.25, 0.75]}")), (0.125, True))

    def test_what_is_no_choice_is_refused(self):
        for answer, said in (("{'action': 2}", "expected one of the problem"), ("{'action': True}", "expected one of the problem"),
                             ("{}", "expected one of the problem"), ("{'action': 0, 'weights': [0.5, 0.6]}", "no law"),
                             ("{'action': 0, 'weights': [2, -1]}", "no law"), ("sys.exit()", "expected a line of JSON")):
            with self.assertRaisesRegex(scorer.Fault, said):
                scorer.play(self.game(), scripted(answer))

    def test_a_program_that_says_nothing_is_ended(self):
        with unittest.mock.patch.object(scorer, "MOST_SECONDS", 0.5):
            with self.assertRaisesRegex(scorer.Fault, "longer than 0.5 s"):
                scorer.play(self.game(), players.Player("mute", [sys.executable, "-c", "import time; time.sleep(600)"]))

    def test_where_the_own_loss_is_all_that_is_seen_nothing_else_is_shown(self):
        game = self.game("own", 20)
        for t in range(20):
            self.assertEqual(json.loads(game.shown(t, 3, scripted("{}"))), {"seen": [game.losses[t][3]]})

    def test_who_learns_from_own_losses_is_shown_no_others_in_any_task(self):
        player = next(one for one in players.all_players(HANNAN) if one.name == "ada:feedback=elements")
        self.assertEqual(json.loads(self.game().shown(0, 1, player)), {"seen": [0]})


class Players(unittest.TestCase):
    """By hand, two experts: after the losses (0,1), and of MLpol after (1,0) too."""

    @classmethod
    def setUpClass(cls):
        try:
            import numpy  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("NumPy is not here") from None

    def test_hedge(self):
        import hedge
        player = hedge.Hedge(2, 8)  # eta = sqrt(ln 2)
        player.learn([0, 1], 0)
        self.assertAlmostEqual(player.weights()[0], 1 / (1 + math.exp(-math.sqrt(math.log(2)))))

    def test_mlpol(self):
        import mlpol
        player = mlpol.Polynomial(2)
        self.assertEqual(list(player.weights()), [0.5, 0.5])
        player.learn([0, 1], 0)  # regrets 1/2 and -1/2: the first alone has a weight
        self.assertEqual(list(player.weights()), [1, 0])
        player.learn([1, 0], 1)  # regrets 1/2 and 1/2, squares 1/4 and 5/4: weights as 2 to 2/5
        self.assertAlmostEqual(player.weights()[0], 5 / 6)

    def test_boa(self):
        import boa
        player = boa.Boa(2)
        self.assertEqual(list(player.weights()), [0.5, 0.5])
        player.learn([0, 1], 0)  # V = 0.55 for both, and the sums differ by 1
        self.assertAlmostEqual(player.weights()[0], 1 / (1 + math.exp(-1 / math.sqrt(0.55))))

    def test_exp3(self):
        import exp3
        player = exp3.Exp3(2, 100, types.SimpleNamespace(random=lambda: 0.7))
        self.assertEqual(list(player.weights()), [0, 1])
        player.learn(None, 1)  # seen with chance 1/2: estimated as 2; eta = sqrt(2 ln 2 / 200)
        self.assertEqual(list(player.estimates), [0, 2])
        self.assertEqual(list(player.weights()), [0, 1])  # 0.7 is above its weight of the first, 0.54
        self.assertAlmostEqual(player.chance, 1 / (1 + math.exp(2 * math.sqrt(math.log(2) / 100))))


class Table(unittest.TestCase):
    def test_a_quick_table_has_every_player_and_a_dot_where_one_cannot_enter(self):
        done = arena("--quick", "--only", "hostile", "--only", "reserves", "--only", "own")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {line.split("|")[1].strip(" `"): [cell.strip() for cell in line.split("|")[2:-1]]
                for line in done.stdout.splitlines() if line.startswith("|")}
        self.assertEqual(list(rows)[2:], [player.name for player in players.all_players(HANNAN)])
        self.assertEqual([rows["flipflop"][2], rows["Hedge, knows T"][2]], ["·", "·"])
        for name, cells in list(rows.items())[2:]:
            self.assertRegex(cells[0], r"^-?\d+\.\d", name)
        # The leader errs in every round of hostile but the first: 199.0 + 0.5 less 99.5.
        self.assertEqual(rows["leader"][0], "100.0 ± 0.0")

    def test_a_difference_within_two_standard_errors_is_said_to_be_one(self):
        made = runpy.run_path(str(ARENA / "arena"), run_name="arena")
        ours, theirs = players.Player("mine", [], ours=True), players.Player("theirs", [])
        # Means 1 and 2, standard errors 1 and 0: less than 2 apart. Then 1 and 4.
        for regrets, said in (([2.0, 2.0], " (too close to tell)."), ([4.0, 4.0], ".")):
            line = made["verdicts"]({"iid": {"mine": [0.0, 2.0], "theirs": regrets}}, [ours, theirs])[0]
            self.assertEqual(line, f"- iid: `mine` 1.0; the best of the others is theirs, {regrets[0]:.1f}{said}")

    def test_another_row_is_played_beside_the_others_and_a_part_is_not_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "fixed.py")
            file.write_text(SCRIPT % "{'action': 1}")
            done = arena("--quick", "--alone", "--only", "hostile", "--player", f"mine={sys.executable} {file} {{rounds}}")
            # Totals after 200 rounds: 0.5 + 99, and 100 for the second action, which is played.
            self.assertIn("| mine | 0.5 ± 0.0 |", done.stdout)
            done = arena("--quick", "--alone", "--only", "hostile", "--player", f"mine={sys.executable} {file}", "--write")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("README.md is left as it is", done.stderr)

    def test_the_committed_table_has_these_players_and_tasks(self):
        page = (ARENA / "README.md").read_text()
        made = page[page.index("begin -->"):page.index("<!-- end -->")]
        rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in made.splitlines() if line.startswith("|")]
        self.assertEqual(rows[0], ["player", *NAMED])
        self.assertEqual([row[0] for row in rows[2:]], [player.name for player in players.all_players(HANNAN)])
        self.assertEqual(len(re.findall(r"^- (?:\*\*)?([\w-]+)", made, re.MULTILINE)), len(tasks.TASKS))


if __name__ == "__main__":
    unittest.main()
