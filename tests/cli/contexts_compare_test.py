"""A decision for every segment: `hannan compare --by` against figures that are computed here."""
import collections
import json
import math
import random

from contexts_test import rounds
from program import FolderTest, hannan, main


def played(result, name):
    return next(p for p in result["players"] if p["name"] == name)


class Compare(FolderTest):
    def table(self, data, name="data.csv"):
        width = len(data[0][1])
        lines = [",".join(["country", "site"] + [f"e{k}" for k in range(width)])]
        lines += [",".join(map(str, c + y)) for c, y in data]
        return self.file(name, ("\n".join(lines) + "\n").encode())

    def compare(self, *args):
        return json.loads(self.ok("compare", *args, "--json").out)

    def pipe(self, data, kind, params, problem):
        """The answers to every observe."""
        requests = [{"op": "problem", "as": "p", **problem},
                    {"op": "learner", "as": "l", "in": "p", "kind": kind, "params": params}]
        for context, outcome in data:
            requests += [{"op": "act", "in": "l", "context": context},
                         {"op": "observe", "in": "l", "context": context, "outcome": outcome}]
        done = self.ok("pipe", stdin="".join(json.dumps(r) + "\n" for r in requests).encode())
        answers = [json.loads(line) for line in done.out.splitlines()[2:]]
        return list(zip(answers[::2], answers[1::2]))

    def test_every_figure_of_experts(self):
        data = rounds(400, seed=7)
        result = self.compare("experts", "-d", self.table(data), "--by", "country,site", "--open", "2", "--seed", "4")
        experts = {"kind": "experts", "params": {"experts": 4}}
        segments = {"by": ["country", "site"], "open": 2, "seed": 4}
        tree = self.pipe(data, "flipflop", segments, experts)
        leader = self.pipe(data, "leader", segments, experts)
        plain = json.loads(self.ok("run", "experts", "-d", self.plain(data), "--seed", "4", "--json").out)
        self.assertEqual(result["baseline"], "one for all")
        expected = {"flipflop": tree[-1][1]["total"], "one for all": plain["total"],
                    "finest alone": sum(seen["own"][-1] for _, seen in tree),
                    "leader per segment": sum(seen["own"][-1] for _, seen in leader)}
        for name, loss in expected.items():
            self.assertAlmostEqual(played(result, name)["loss"], loss, delta=1e-9, msg=name)
            self.assertAlmostEqual(played(result, name)["over_baseline"], loss - plain["total"], delta=1e-9)
        # In hindsight.
        totals = collections.defaultdict(lambda: [0.0] * 4)
        for context, row in data:
            for k in range(4):
                totals[tuple(context)][k] += row[k]
        finest = sum(min(t) for t in totals.values())
        self.assertAlmostEqual(played(result, "best per segment")["loss"], finest, delta=1e-9)
        best = played(result, "best pruning")
        self.assertAlmostEqual(best["loss"], self.best_pruning(data, 1), delta=1e-9)
        for name in ("best per segment", "best pruning"):
            self.assertTrue(played(result, name)["about"].endswith("in hindsight: overfits small segments"))
            self.assertEqual(played(result, name)["role"], "hindsight")
        # Where the weight lies in the last tenth of the rounds.
        last = tree[360:]
        depths = [sum(act["nodes"][d]["weight"] for act, _ in last if d < len(act["nodes"])) / 40 for d in range(3)]
        verdict = played(result, "flipflop")["segments"]
        for d in range(3):
            self.assertAlmostEqual(verdict["depths"][d], depths[d], delta=1e-9)
        gain = plain["total"] - tree[-1][1]["total"]
        self.assertGreater(gain, 20)
        self.assertAlmostEqual(verdict["gain"], gain, delta=1e-9)
        self.assertLess(verdict["interval"][0], gain)
        self.assertGreater(verdict["interval"][0], 0)
        self.assertRegex(verdict["says"], r"^segments saved \+[0-9.]+ \[\+[0-9.]+, \+[0-9.]+\] over one for all$")
        judged = played(result, "flipflop")["judgement"]
        self.assertEqual(judged["recommendation"], "deploy")
        self.assertIn("one for all", judged["says"])
        self.assertAlmostEqual(judged["gain"], gain, delta=1e-9)

    def plain(self, data):
        return self.file("plain.csv", ("a,b,c,d\n" + "\n".join(",".join(map(str, y)) for _, y in data) + "\n").encode())

    def best_pruning(self, data, penalty):
        """Loss of the pruning of least loss + penalty * leaves, by trying both at each level."""
        def go(part, depth):
            stop = min(sum(y[k] for _, y in part) for k in range(4))
            if depth == 2:
                return stop + penalty, stop
            below = collections.defaultdict(list)
            for c, y in part:
                below[c[depth]].append((c, y))
            parts = [go(p, depth + 1) for p in below.values()]
            cost, loss = sum(c for c, _ in parts), sum(x for _, x in parts)
            return (stop + penalty, stop) if stop + penalty <= cost else (cost, loss)
        return go(data, 0)[1]

    def test_monopoly_price_per_segment_in_money(self):
        coins, data = random.Random(5), []
        for _ in range(300):
            country, site = coins.choice(["de", "fr"]), coins.choice("xy")
            data.append(([country, site], [min(1, round(coins.random() * (1 if country == "de" else 0.4), 2))]))
        result = self.compare("vcg-reserves", "--param", "bidders=1", "--param", "levels=10", "--cap", "20", "--currency",
                              "EUR", "-d", self.table(data), "--by", "country,site")
        self.assertEqual(result["baseline"], "one for all")
        levels = lambda bid: int(math.floor(bid * 10 + 1e-12))
        past, earned = collections.defaultdict(list), 0.0
        for context, (bid,) in data:
            seen = past[tuple(context)]
            price = max(range(1, 11), key=lambda z: (z * sum(levels(b) >= z for b in seen), -z))
            earned += price / 10 if levels(bid) >= price else 0
            seen.append(bid)
        self.assertAlmostEqual(played(result, "monopoly per segment")["money"], 20 * earned, delta=1e-6)
        self.assertAlmostEqual(played(result, "leader per segment")["money"], 20 * earned, delta=20 * 4)
        names = [p["name"] for p in result["players"]]
        for name in ("flipflop", "one for all", "finest alone", "no reserve", "monopoly price", "best fixed"):
            self.assertIn(name, names)
        self.assertRegex(played(result, "flipflop")["segments"]["says"],
                         r"^segments earned \+[0-9,.]+ EUR \[[+-][0-9,.]+, \+[0-9,.]+\] over one for all$")

    def test_several_learners_are_each_held_against_their_own_decision_for_all(self):
        data, by = self.table(rounds(100)), ["--by", "country,site", "--rivals", "none"]
        result = self.compare("experts", "-d", data, *by, "-l", "ada", "-l", "flipflop")
        for kind in ("ada", "flipflop"):
            alone = self.compare("experts", "-d", data, *by, "-l", kind)
            one, several = played(alone, kind), played(result, kind)
            self.assertEqual(several["against"], f"one for all, {kind}")
            self.assertEqual(one["segments"]["gain"], several["segments"]["gain"])
            self.assertEqual(one["over_baseline"], several["over_baseline"])
            self.assertEqual(played(alone, "one for all")["loss"], played(result, f"one for all, {kind}")["loss"])
        self.assertNotIn("leader per segment", [p["name"] for p in result["players"]])

    def test_segments_that_the_limit_refuses(self):
        """Rounds that cannot have a segment of their own are priced where they are played: higher up."""
        data = rounds(120)
        result = self.compare("experts", "-d", self.table(data), "--by", "country,site", "--most", "3")
        self.assertEqual(played(result, "flipflop")["report"]["segments"]["open"], 3)
        best = played(result, "best per segment")["loss"]
        self.assertLessEqual(best, played(result, "best fixed")["loss"] + 1e-9)
        self.assertAlmostEqual(best, played(result, "flipflop")["report"]["prunings"][0]["loss"], delta=1e-9)

    def test_the_text_says_the_verdict(self):
        done = self.ok("compare", "experts", "-d", self.table(rounds(200)), "--by", "country,site")
        text = done.out.decode()
        self.assertRegex(text, r"\nsegments saved \+[0-9.]+ \[\+[0-9.]+, \+[0-9.]+\] over one for all\n")
        self.assertRegex(text, r"lies at all [0-9.]+ %, country [0-9.]+ %, site [0-9.]+ %\n")
        self.assertIn("best per segment: the best action of each of the finest segments; in hindsight: overfits small "
                      "segments\n", text)

    def test_refusals(self):
        data, out = self.table(rounds(5)), self.folder / "out.json"
        for code, *flags in (("H106", "--by", "nothing"), ("H108", "--by", "site,site"), ("H105", "--by", "e1[2;1]"),
                             ("H100", "--by", "@hour"), ("H105", "--by", ",".join(map(str, range(17)))),
                             ("H108", "--by", "country,site", "-l", "hedge"), ("H100", "-l", "flipflop:by=site"),
                             ("H105", "--by", "site", "--open", "0"), ("H105", "--by", "site", "--most", "0"),
                             ("H108", "--by", "site", "--floors", self.folder / "f.json")):
            done = hannan("compare", "experts", "-d", data, "-o", out, *flags)
            self.assertIn(code.encode(), done.err, (flags, done.err))
            self.assertEqual(done.out, b"")
            self.assertFalse(out.exists(), flags)


if __name__ == "__main__":
    main()
