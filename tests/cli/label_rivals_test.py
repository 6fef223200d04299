"""What classification is held against in a comparison, computed again here from the raw table: majority, last label,
online logistic regression, boosted stumps, what was decided, and the sentence that a class is too weak.

Where the environment's HANNAN_DATA names a folder of public data sets, one is compared at full length too."""
import json
import math
import random

from bad_input_test import OneLine
from program import DATA, FolderTest, hannan, main

KINDS = ["ash", "elm", "oak"]


def sloped(rows, seed=1, noise=0.1):
    """Cases (a, b, kind), label and decision: the label follows the sum of two columns, which no stump can."""
    coins = random.Random(seed)
    cases = []
    for _ in range(rows):
        a, b, kind = round(coins.random(), 4), round(100 * coins.random(), 2), coins.choice(KINDS)
        label = int(a + b / 100 + 0.2 * (kind == "elm") > 1.05) if coins.random() > noise else coins.randrange(2)
        cases.append(((a, b, kind), label, label if coins.random() < 0.7 else 1 - label))
    return cases


def table(cases, words=("no", "yes")):
    lines = [f"{a},{b},{kind},{words[decided]},{words[label]}" for (a, b, kind), label, decided in cases]
    return ("a,b,kind,ours,class\n" + "\n".join(lines) + "\n").encode()


def majority(cases):
    ones = zeros = 0
    for _, label, _ in cases:
        yield int(ones > zeros)
        ones, zeros = ones + label, zeros + 1 - label


def repeat_last(cases):
    last = 0
    for _, label, _ in cases:
        yield last
        last = label


def logistic(cases):
    """AdaGrad on standardised numbers and indicators, as docs/problems/classification.md says it."""
    weight, squares, seen = {}, {}, {"a": [], "b": []}
    for (a, b, kind), label, _ in cases:
        inputs = {"constant": 1.0, "kind " + kind: 1.0}
        for name, x in (("a", a), ("b", b)):
            seen[name].append(x)
            mean = math.fsum(seen[name]) / len(seen[name])
            deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in seen[name]) / len(seen[name]))
            inputs[name] = max(-4.0, min(4.0, (x - mean) / deviation)) if deviation > 1e-12 else 0.0
        score = sum(weight.get(name, 0.0) * x for name, x in inputs.items())
        yield int(score > 0)
        slope = 1 / (1 + math.exp(-score)) - label
        for name, x in inputs.items():
            squares[name] = squares.get(name, 0.0) + (slope * x) ** 2
            weight[name] = weight.get(name, 0.0) - slope * x / math.sqrt(4 * (1 + squares[name]))


def stumps_of(cases):
    """Every stump as what it says of every case: constants, then column by column cuts in order, 1 where it holds first."""
    rows = [x for x, _, _ in cases]
    all_of_them = [[1] * len(rows), [0] * len(rows)]
    for column in range(3):
        values = sorted({x[column] for x in rows})
        for value in values if column == 2 else values[1:]:
            holds = [int(x[column] == value if column == 2 else x[column] >= value) for x in rows]
            all_of_them += [holds, [1 - h for h in holds]]
    return all_of_them


def boosted(cases, stumps=50):
    every, labels = stumps_of(cases), [label for _, label, _ in cases]
    votes, fit = [], 8
    for t in range(len(cases)):
        yield int(sum(w * (1 if h[t] else -1) for h, w in votes) > 0)
        if t + 1 < fit:
            continue
        count, fit = t + 1, t + 1 + max((t + 1) // 4, 1)
        weight, votes = [1 / count] * count, []
        while len(votes) < stumps:
            best, least = None, math.inf
            for h in every:
                error = math.fsum(w for w, says, label in zip(weight, h, labels) if says != label)
                if error < least - 1e-12:
                    best, least = h, error
            wrong = [best[i] != labels[i] for i in range(count)]
            if least >= 0.5 - 1e-9:
                break
            held = max(least, 1 / (2 * count))
            votes.append((best, 0.5 * math.log((1 - held) / held)))
            if not any(wrong):
                break
            weight = [w / (2 * held if bad else 2 * (1 - held)) for w, bad in zip(weight, wrong)]
            total = math.fsum(weight)
            weight = [w / total for w in weight]


class Rivals(FolderTest):
    def compared(self, data, *more, hypotheses="stumps"):
        file = self.file("cases.csv", data)
        done = self.ok("compare", "classification", "--from", file, "--param", "label=class", "--param", f"hypotheses={hypotheses}",
                       *more, "--json")
        result = json.loads(done.out)
        return result, {player["name"]: player for player in result["players"]}

    def test_every_round_of_every_rival_is_as_computed_here(self):
        cases = sloped(150)
        _, players = self.compared(table(cases), "--drop", "ours")
        for name, decide in (("majority label", majority), ("repeat last label", repeat_last), ("logistic regression", logistic),
                             ("boosted stumps", boosted)):
            loss, path = 0, []
            for says, (_, label, _) in zip(decide(cases), cases):
                loss += says != label
                path.append(loss)
            self.assertEqual(players[name]["series"]["loss"], path, name)
            self.assertEqual((players[name]["role"], players[name]["loss"]), ("rival", path[-1]))

    def test_what_was_decided_is_the_baseline_and_no_feature(self):
        cases = sloped(200, seed=3)
        wrong = sum(label != decided for _, label, decided in cases)
        alone, _ = self.compared(table(cases), "--drop", "ours")
        for words in (("no", "yes"), ("0", "1")):
            result, players = self.compared(table(cases, words), "--as-logged", "ours")
            self.assertEqual((result["baseline"], players["as logged"]["loss"]), ("as logged", wrong))
            self.assertEqual(result["params"]["names"], ["a", "b", "kind"])
            self.assertEqual(result["params"], alone["params"])
            path = players["as logged"]["series"]["loss"]
            self.assertEqual(path[:50], [sum(label != decided for _, label, decided in cases[:t + 1]) for t in range(50)])
            self.assertEqual(players["flipflop"]["judgement"]["gain"], wrong - players["flipflop"]["loss"])
        self.assertNotIn("judgement", alone["players"][0])  # nothing is said of what is done today

    def test_decisions_may_be_written_as_other_numbers(self):
        text = b"x,ours,class\n1,1.0,1\n2,0,0\n3,0.0,1\n"
        result, players = self.compared(text, "--as-logged", "ours")
        self.assertEqual(players["as logged"]["series"]["loss"], [0, 0, 1])
        result, players = self.compared(text, "--as-logged", "ours", "--holdout", "0.5")
        self.assertEqual(result["holdout"]["baseline"], 1)

    def test_a_class_that_is_too_weak_is_named_on_terminal_page_and_json(self):
        file, out, page = self.file("cases.csv", table(sloped(400))), self.folder / "r.json", self.folder / "r.html"
        done = hannan("compare", "classification", "--from", file, "--param", "label=class", "--param", "hypotheses=stumps", "--drop",
                      "ours", "-o", out)  # slow machines print progress
        self.assertEqual(done.status, 0)
        said = done.out.decode()
        result = json.loads(out.read_text())
        players = {player["name"]: player for player in result["players"]}
        weak = result["weak_class"]
        best, other = players["best fixed"]["loss"] / 4, players["logistic regression"]["loss"] / 4
        self.assertEqual(weak["says"], f"the best stump in hindsight errs {best:.1f} %, logistic regression {other:.1f} %: "
                                       "this class is too weak for these data")
        self.assertGreater(weak["range"][0], 0)
        self.assertIn(weak["says"] + "\n", said)
        self.ok("report", out, "-o", page)
        # The page tells the same in a sentence of its own.
        self.assertIn(f"Logistic regression makes mistakes in {other:.1f} % of rounds; of rules of the kind that is learned here even the best, "
                      f"known only afterwards, in {best:.1f} %. They are too simple for these data.", page.read_text())

    def test_nothing_is_said_where_it_may_be_chance_or_the_class_is_right(self):
        # 60 cases: logistic regression may be ahead, and that decides nothing.
        self.assertNotIn("weak_class", self.compared(table(sloped(60)), "--drop", "ours")[0])
        coins = random.Random(2)
        for seed in range(3):  # one cut and noise: the stump is the truth
            lines = [(x, int(x > 0.4) if coins.random() < 0.85 else coins.randrange(2)) for x in (coins.random() for _ in range(500))]
            text = "x,class\n" + "".join(f"{x:.6f},{label}\n" for x, label in lines)
            result, players = self.compared(text.encode())
            self.assertNotIn("weak_class", result)
        # Labels without any relation: no rival is ahead of the best in hindsight.
        text = "x,class\n" + "".join(f"{coins.random():.6f},{coins.randrange(2)}\n" for _ in range(500))
        self.assertNotIn("weak_class", self.compared(text.encode())[0])

    def test_rivals_can_be_left_out_and_need_no_columns(self):
        result, players = self.compared(table(sloped(50)), "--rivals", "none")
        self.assertEqual(set(players), {"flipflop", "best fixed"})
        data = self.file("labels.csv", b"point,label\n0,1\n1,1\n0,0\n")
        done = self.ok("compare", "classification", "--param", "predictions=[[0,1],[1,1]]", "-d", data, "--json")
        names = [player["name"] for player in json.loads(done.out)["players"]]
        self.assertEqual(names, ["flipflop", "hedge", "majority label", "repeat last label", "best fixed"])

    def test_values_whose_squares_overflow_are_played(self):
        text = "x,y,class\n" + "".join(f"{(-1) ** t * 1.7e308},{t},{t % 2}\n" for t in range(40))
        _, players = self.compared(text.encode())
        self.assertLess(players["boosted stumps"]["loss"], 20)


class Refused(OneLine):
    def refused_decisions(self, text, code, status, at, *more):
        file = self.file("cases.csv", text.encode())
        return self.refused(["compare", "classification", "--from", file, "--param", "label=class", "--param", "hypotheses=stumps",
                             "--as-logged", "ours", *more], code, status, at)

    def test_decisions_that_do_not_fit(self):
        self.refused_decisions("x,class\n1,0\n2,1\n", "H106", 2, "ours")
        self.refused_decisions("x,ours,class\n1,0,0\n2,maybe,1\n", "H202", 3, "cases.csv:3:3")
        self.refused_decisions("x,ours,class\n1,0,0\n2,?,1\n", "H202", 3, "cases.csv:3:3")
        data = self.file("labels.csv", b"point,label\n0,1\n1,1\n")
        self.refused(["compare", "classification", "--param", "predictions=[[0,1],[1,1]]", "-d", data, "--as-logged", "label"], "H108", 2,
                     "classification with --from")
        lines = self.file("t.svm", b"1 1:1\n0 1:2\n")
        self.refused(["compare", "classification", "--from", lines, "--param", "hypotheses=stumps", "--as-logged", "ours"], "H100", 2,
                     "LIBSVM")


class RealData(FolderTest):
    def test_on_elec2_repeating_the_last_label_beats_every_stump(self):
        file = DATA / "elec2" / "elec.csv"
        if not file.exists():
            self.skipTest("no elec2")
        lines = file.read_text().split("\n")
        lines = [lines[0]] + lines[20001:26001]
        file = self.file("elec.csv", "\n".join(lines).encode())
        labels = [line.split(",")[-1].strip() for line in lines[1:]]
        wrong = sum(a != b for a, b in zip(["0"] + labels, labels))
        done = self.ok("compare", "classification", "--from", file, "--param", "label=class", "--param", "hypotheses=stumps", "--param",
                       "bins=64", "--drop", "period,vicdemand,vicprice,transfer", "--json")
        result = json.loads(done.out)
        players = {player["name"]: player for player in result["players"]}
        self.assertEqual(players["repeat last label"]["loss"], wrong)
        self.assertEqual(result["weak_class"]["rival"], "repeat last label")


if __name__ == "__main__":
    main()
