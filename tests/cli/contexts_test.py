"""A decision for every segment: `by` in the pipe and `hannan run --by`."""
import json
import random
import shlex
import tempfile

from external_test import faulty
from pipe_test import PipeTest
from program import FolderTest, hannan, main

K = 4


def losses(coins, good):
    """Eighths; one expert is better than the others."""
    return [coins.randrange(0, 4 if k == good else 9) / 8 for k in range(K)]


def rounds(n, seed=1):
    """Contexts (country, site) with an outcome each; which expert is good depends on the country."""
    coins = random.Random(seed)
    made = []
    for _ in range(n):
        country, site = coins.choice(["de", "fr", "it"]), coins.choice("abc")
        made.append(([country, site], losses(coins, {"de": 0, "fr": 2, "it": 3}[country])))
    return made


class ContextTest(PipeTest):
    def learner(self, name="l", kind="flipflop", **params):
        self.experts()
        return self.ok(op="learner", name_it=name, of="p", kind=kind, params={"seed": 5, **params})

    def tree(self, name="l", kind="flipflop", by=("country", "site"), **params):
        return self.learner(name, kind, by=list(by), **params)

    def round(self, context, outcome, name="l"):
        act = self.ok(op="act", of=name, context=context)
        return act, self.ok(op="observe", of=name, context=context, outcome=outcome)

    def digest(self, name="l"):
        return self.ok(op="save", of=name)["state"]["digest"]


class Rounds(ContextTest):
    def test_fields(self):
        params = self.tree()["params"]
        self.assertEqual((params["by"], params["open"], params["most"]), (["country", "site"], 1, 100000))
        act, seen = self.round(["de", "a"], [0, 0.5, 1, 1])
        self.assertEqual(set(act), {"ok", "round", "action", "segment", "nodes"})
        self.assertEqual([set(node) for node in act["nodes"]], [{"segment", "action", "weight", "multiplier", "regime"}])
        self.assertEqual(set(seen), {"ok", "loss", "realised", "own", "gaps", "stability", "total", "best", "regret",
                                     "oracle_calls", "opened"})
        self.assertEqual(seen["opened"], [["de"], ["de", "a"]])
        act, seen = self.round(["de", "b"], [0, 0.5, 1, 1])
        self.assertEqual([node["segment"] for node in act["nodes"]], [[], ["de"]])
        self.assertEqual([node["weight"] for node in act["nodes"]], [0.5, 0.5])
        self.assertEqual(seen["opened"], [["de", "b"]])

    def test_the_root_decides_as_the_plain_learner(self):
        for kind in ("flipflop", "ada", "gftpl", "off", "leader"):
            self.tree("tree", kind)
            self.learner("plain", kind)
            for context, outcome in rounds(60):
                act, seen = self.round(context, outcome, "tree")
                plain = self.ok(op="act", of="plain")
                self.assertEqual(act["nodes"][0]["action"], plain["action"], kind)
                self.assertEqual(seen["own"][0], self.ok(op="observe", of="plain", outcome=outcome)["loss"], kind)

    def test_without_columns_it_is_the_plain_learner_byte_for_byte(self):
        self.learner("none", by=[], open=3, most=7)
        self.learner("plain")
        for _, outcome in rounds(40):
            for ask in ({"op": "act"}, {"op": "observe", "outcome": outcome}, {"op": "save"}, {"op": "report"}):
                self.assertEqual(*(json.dumps(self.ok(of=name, **ask)) for name in ("none", "plain")))

    def test_asking_changes_nothing(self):
        self.tree()
        for context, outcome in rounds(30):
            before = self.digest()
            asked = self.ok(op="act", of="l", context=context)
            self.ok(op="act", of="l", context=["xx", "yy"])
            self.assertEqual(self.ok(op="act", of="l", context=context), asked)
            self.assertEqual(self.digest(), before)
            self.ok(op="observe", of="l", context=context, outcome=outcome)

    def test_observing_without_asking_is_the_same(self):
        self.tree("asked")
        self.tree("unasked")
        for context, outcome in rounds(40):
            _, seen = self.round(context, outcome, "asked")
            self.assertEqual(self.ok(op="observe", of="unasked", context=context, outcome=outcome), seen)

    def test_values_are_taken_by_their_text(self):
        self.tree(by=["a", "b", "c", "d"])
        self.round([1, True, None, 0.5], [0] * K)
        act, _ = self.round(["1", "true", "", "0.5"], [0] * K)
        self.assertEqual(act["nodes"][-1]["segment"], ["1", "true", "", "0.5"])

    def test_oracle_calls_are_at_most_two_a_node(self):
        self.tree()
        calls = 0
        for context, outcome in rounds(50):
            act, seen = self.round(context, outcome)
            self.assertLessEqual(seen["oracle_calls"] - calls, 2 * len(act["nodes"]))
            calls = seen["oracle_calls"]
        self.assertEqual(self.ok(op="report", of="l")["oracle_calls"], calls)


class Independence(ContextTest):
    def played(self, name, data, of):
        """What the segment `of` decided and lost in its rounds."""
        found = []
        for context, outcome in data:
            act, seen = self.round(context, outcome, name)
            if context[0] == of:
                found += [(n["action"], n["weight"] > 0, own, gap) for n, own, gap in
                          list(zip(act["nodes"], seen["own"], seen["gaps"]))[1:]]
        return found

    def test_rounds_of_other_segments_do_not_matter(self):
        data = rounds(120)
        own = [each for each in data if each[0][0] == "de"]
        others = [each for each in data if each[0][0] != "de"]
        random.Random(3).shuffle(others)
        mixed, places = [], set(random.Random(4).sample(range(len(data)), len(own)))
        mine, theirs = iter(own), iter(others)
        for t in range(len(data)):
            mixed.append(next(mine if t in places else theirs))
        for kind in ("ada", "flipflop", "off"):
            whole = []
            for name, some in (("given", data), ("permuted", mixed), ("alone", own)):
                self.tree(name, kind)
                whole.append(self.played(name, some, "de"))
            self.assertGreater(len(whole[0]), 60)
            self.assertEqual(whole[0], whole[1], kind)
            self.assertEqual(whole[0], whole[2], kind)


class States(ContextTest):
    def test_a_state_of_any_round_goes_on_the_same(self):
        for params in ({}, {"open": 2}, {"open": 3, "most": 5}, {"kind": "off"}, {"kind": "gftpl"}, {"track": "powers"}):
            self.tree("whole", **params)
            self.tree("saved", **params)
            for context, outcome in rounds(40, seed=8):
                self.ok(op="load", name_it="saved", state=self.ok(op="save", of="saved")["state"])
                self.assertEqual(self.round(context, outcome, "saved"), self.round(context, outcome, "whole"), params)
            self.assertEqual(self.ok(op="report", of="saved"), self.ok(op="report", of="whole"))

    def test_a_changed_state_is_refused(self):
        self.tree()
        for context, outcome in rounds(10):
            self.round(context, outcome)
        state = self.ok(op="save", of="l")["state"]
        del state["digest"]
        for change in (lambda s: s["learner"]["params"].update(by=["country"]),
                       lambda s: s["state"]["tree"]["segments"].pop(),
                       lambda s: s["state"]["learners"].pop(),
                       lambda s: s["state"]["tree"]["segments"][1].update(seen=1000)):
            other = json.loads(json.dumps(state))
            change(other)
            self.refused("H401", op="load", name_it="x", state=other)


class Limits(ContextTest):
    def test_refused_rounds_are_counted(self):
        self.tree(most=2)
        for context, outcome in rounds(30):
            self.round(context, outcome)
        report = self.ok(op="report", of="l")
        self.assertEqual(report["segments"]["open"], 2)
        self.assertEqual(report["segments"]["refused"], 30, "no finest segment ever opens")

    def test_hindsight_knows_segments_that_are_watched(self):
        self.tree(by=["site"], open=2)
        for _ in range(4):
            self.round(["a"], [0, 1, 1, 1])
        self.round(["b"], [1, 1, 1, 0])
        report = self.ok(op="report", of="l")
        self.assertEqual(report["segments"], {"open": 2, "watched": 1, "refused": 0})
        best = report["prunings"][0]
        self.assertEqual((best["loss"], best["leaves"]), (0, 2))
        self.assertEqual(best["segments"], [{"segment": ["a"], "action": 0}, {"segment": ["b"], "action": 3}])
        rows = [row for row in report["certificate"]["bounds"] if row["name"] == "segments"]
        self.assertEqual({row["n"] for row in rows}, {1}, "a bound needs leaves that are open")

    def test_segments_in_order_with_a_limit(self):
        self.tree()
        for context, outcome in rounds(60):
            self.round(context, outcome)
        everything = self.ok(op="segments", of="l")
        self.assertEqual(len(everything["segments"]), 1 + 3 + 9)
        self.assertIs(everything["complete"], True)
        some = self.ok(op="segments", of="l", limit=3)
        self.assertEqual((some["segments"], some["complete"]), (everything["segments"][:3], False))
        under = self.ok(op="segments", of="l", under=["de"])
        self.assertEqual([s["segment"] for s in under["segments"]], [["de"], ["de", "a"], ["de", "b"], ["de", "c"]])
        self.assertEqual(self.ok(op="segments", of="l", under=["xx"])["segments"], [])


class Refusals(ContextTest):
    def test_bad_contexts_change_nothing(self):
        self.tree()
        for context, outcome in rounds(5):
            self.round(context, outcome)
        before = self.digest()
        fine = [0] * K
        for op, more in (("act", {}), ("observe", {"outcome": fine})):
            for code, at, context in (("H301", "context", ["de"]), ("H301", "context", ["de", "a", "b"]),
                                      ("H104", "context[1]", ["de", ["a"]]), ("H104", "context[0]", [{}, "a"]),
                                      ("H104", "context", "de"), ("H105", "context[0]", ["x" * 1025, "a"]),
                                      ("H204", "context[1]", ["de", "a\0b"])):
                self.refused(code, at, op=op, of="l", context=context, **more)
            self.refused("H102", "context", op=op, of="l", **more)
        for outcome in ([0, 1], [0, 0, 0, 2], "x"):
            answer = self.pipe.ask(op="observe", of="l", context=["new", "one"], outcome=outcome)
            self.assertFalse(answer["ok"])
        self.assertEqual(self.digest(), before, "no segment was made")
        self.learner("plain")
        self.refused("H103", "context", op="act", of="plain", context=["de", "a"])
        self.refused("H108", op="segments", of="plain")

    def test_bad_parameters(self):
        self.experts()
        for code, at, kind, params in (
                ("H108", "params.by[1]", "ada", {"by": ["a", "a"]}),
                ("H105", "params.by", "ada", {"by": [str(i) for i in range(17)]}),
                ("H105", "params.open", "ada", {"by": ["a"], "open": 0}),
                ("H105", "params.most", "ada", {"by": ["a"], "most": 0}),
                ("H104", "params.by", "ada", {"by": "a"}),
                ("H108", "params.by", "hedge", {"by": ["a"]}), ("H108", "params.by", "adahedge", {"by": ["a"]}),
                ("H108", "params.by", "flipflop-hedge", {"by": ["a"]}), ("H108", "params.by", "fpl", {"by": ["a"]}),
                ("H108", "params.delayed", "ada", {"by": ["a"], "delayed": True}),
                ("H108", "params.discount", "ada", {"by": ["a"], "discount": 0.9}),
                ("H104", "params.alpha", "ada", {"by": ["a"], "alpha": [[0, 0]]}),
                ("H105", None, "ada", {"by": ["a"], "perturbation": "one-hot", "alpha": {"x": [[1, 2]]}})):
            self.refused(code, at, op="learner", name_it="x", of="p", kind=kind, params=params)
        self.ok(op="problem", name_it="u", kind="experts", params={"experts": 3, "range": "unknown"})
        self.refused("H108", "params.by", op="learner", name_it="x", of="u", kind="ada", params={"by": ["a"]})

    def test_noise_that_was_not_given(self):
        self.tree(kind="ada", by=["a"], perturbation="one-hot", M=1, alpha={"": [[0] * K] * 3})
        self.ok(op="observe", of="l", context=["x"], outcome=[0] * K)
        before = self.digest()
        self.refused("H402", "params.alpha", op="observe", of="l", context=["x"], outcome=[0] * K)
        self.assertEqual(self.digest(), before)


class Failures(ContextTest):
    def test_an_oracle_that_fails_in_any_call_changes_nothing(self):
        """The oracle of the user's own fails once, in call `at`; the request is made again and goes on as if it had not."""
        data = rounds(6, seed=2)

        def play(name, oracle):
            self.tree(name, "ada", by=["country", "site"], oracle=oracle)
            seen, failures = [], 0
            for context, outcome in data:
                for request in ({"op": "act"}, {"op": "observe", "outcome": outcome}):
                    before = self.digest(name)
                    answer = self.pipe.ask(of=name, context=context, **request)
                    if not answer["ok"]:
                        failures += 1
                        self.assertEqual(answer["error"]["code"], "H702")
                        self.assertEqual(self.digest(name), before)
                        answer = self.ok(of=name, context=context, **request)
                    seen.append(answer)
            return seen, failures

        whole, none = play("none", faulty("none"))
        self.assertEqual(none, 0)
        failed = 0
        with tempfile.TemporaryDirectory() as folder:
            for at in range(1, 25):
                mark = shlex.quote(f"{folder}/{at}")
                once = f"if test -e {mark}; then {faulty('none')[9:]}; else touch {mark}; {faulty('exit', at)[9:]}; fi"
                seen, failures = play("once", "external:" + once)
                self.assertEqual(seen, whole, at)
                failed += failures
        self.assertGreater(failed, 10)


class Floors(ContextTest):
    def test_the_map_as_floors(self):
        self.ok(op="problem", name_it="v", kind="vcg-reserves", params={"bidders": 1, "levels": 10})
        self.ok(op="learner", name_it="l", of="v", params={"by": ["country"]})
        for t in range(60):
            self.ok(op="observe", of="l", context=["DE" if t % 2 else "fr"], outcome=[0.9 if t % 2 else 0.3])
        floors = self.ok(op="floors", of="l", cap=2)["floors"]
        self.assertEqual(floors["values"], {"*": 1.8, "fr": 0.6}, "DE has the root's floor")
        self.assertEqual(floors["schema"], {"delimiter": "|", "fields": ["country"]})
        self.assertEqual((floors["default"], floors["floorMin"]), (1.8, 0.6))
        self.ok(op="observe", of="l", context=[""], outcome=[0.5])
        self.refused("H108", "floors", op="floors", of="l")
        self.assertEqual(self.ok(op="floors", of="l", cap=2, drop_empty=True)["floors"]["values"], floors["values"])
        self.refused("H105", "fields", op="floors", of="l", fields=["a", "b"])

    def test_two_segments_with_one_key(self):
        answer = self.refused("H108", "floors", op="floors", visited={"": 1, "A": 2, "a": 3}, fields=["x"])
        for name in ('["A"]', '["a"]'):
            self.assertIn(name, answer["error"]["message"])


class Run(FolderTest):
    def table(self, data, name="data.csv", extra=None):
        """The outcome's columns on both sides of those of the context."""
        lines = ["e1,country,e2,e3,site,e4" + (",more" if extra else "")]
        for t, ((country, site), row) in enumerate(data):
            cells = [row[0], country, row[1], row[2], site, row[3]] + ([extra(t)] if extra else [])
            lines.append(",".join(map(str, cells)))
        return self.file(name, ("\n".join(lines) + "\n").encode())

    def report(self, *args):
        return json.loads(self.ok("run", "experts", "--json", *args).out)

    def test_csv_and_json_lines_are_one(self):
        data = rounds(200)
        lines = "".join(json.dumps({"context": c, "outcome": y}) + "\n" for c, y in data).encode()
        table = self.report("-d", self.table(data), "--by", "country,site", "--seed", "3")
        self.assertEqual(table, self.report("-d", self.file("data.jsonl", lines), "--by", "country,site", "--seed", "3",
                                            "--param", "experts=4"))
        self.assertEqual(table["segments"], {"open": 13, "watched": 0, "refused": 0})
        self.assertLessEqual(table["total"], table["mixing"] + 1e-9)
        self.assertEqual([p["penalty"] for p in table["prunings"]][:2], [0, 1])
        self.assertEqual(table["prunings"][1]["leaves"], 3, "a leaf a country")

    def test_the_pipe_says_the_same(self):
        data = rounds(100)
        found = self.report("-d", self.table(data), "--by", "country,site", "--open", "2", "--most", "8")
        requests = [{"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 4}},
                    {"op": "learner", "as": "l", "in": "p", "params": {"by": ["country", "site"], "open": 2, "most": 8}}]
        requests += [{"op": "observe", "in": "l", "context": c, "outcome": y} for c, y in data] + [{"op": "report", "in": "l"}]
        done = self.ok("pipe", stdin="".join(json.dumps(r) + "\n" for r in requests).encode())
        last = json.loads(done.out.splitlines()[-1])
        self.assertEqual({k: v for k, v in last.items() if k != "ok"}, found)

    def test_a_resumed_run_ends_with_the_same_bytes(self):
        data = self.table(rounds(60))
        whole = [self.folder / name for name in ("whole.json", "whole.rec", "whole.jsonl")]
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--open", "2", "--save", whole[0], "--record",
                whole[1], "-p", whole[2], "-q")
        for cut in (1, 2, 17, 59):
            parts = [self.folder / f"{cut}{name}" for name in (".json", ".rec", ".jsonl")]
            flags = ["--save", parts[0], "--record", parts[1], "-p", parts[2], "-q"]
            self.ok("run", "experts", "-d", data, "--by", "country,site", "--open", "2", "--rounds", cut, *flags)
            self.ok("run", "experts", "-d", data, "--resume", parts[0], *flags)
            for one, other in zip(parts, whole):
                self.assertEqual(one.read_bytes(), other.read_bytes(), (cut, other.name))

    def test_a_line_of_the_record(self):
        record = self.folder / "run.rec"
        self.ok("run", "experts", "-d", self.table(rounds(30)), "--by", "country,site", "--record", record, "-q")
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        self.assertEqual(lines[0]["learner"]["params"]["by"], ["country", "site"])
        for t, line in enumerate(lines[1:-1], 1):
            self.assertEqual(list(line), ["t", "context", "nodes", "weights", "pick", "outcome", "loss", "realised"])
            self.assertEqual((line["t"], len(line["nodes"])), (t, len(line["weights"])))
            self.assertEqual(line["realised"], line["outcome"][line["nodes"][line["pick"]]["action"]])
        self.assertIn("nodes", lines[-1]["end"])

    def test_other_columns_than_those_of_the_state(self):
        data, state = self.table(rounds(20)), self.folder / "s.json"
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--rounds", "10", "--save", state, "-q")
        done = hannan("run", "experts", "-d", data, "--by", "site,country", "--resume", state, "-q")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H401", done.err)
        self.ok("run", "experts", "-d", data, "--by", "country,site", "--resume", state, "-q")

    def test_cuts_hours_and_weekdays(self):
        # 2026-11-15 is a Sunday; 1763200800 is 2025-11-15 10:00 UTC, a Saturday.
        times = ["2026-11-15T09:30:00Z", "2026-11-16 23:59", "1763200800", "1763200800000", "soon"]
        lines = ["price,when,a,b"] + [f"{p},{t},0,1" for p, t in zip((9.9, 10, 50, 1000, "x"), times)]
        data = self.file("t.csv", ("\n".join(lines) + "\n").encode())
        summary = self.folder / "summary.json"
        flags = ["--timestamp", "when", "--summary", summary]
        found = {}
        for by in ("price[10;20;50]", "@hour", "@weekday"):
            drop = [] if by.startswith("price") else ["--by", f"{by},price"]
            report = self.report("-d", data, *(drop or ["--by", by]), *flags)
            found[by] = {n["segment"][0] for n in report["nodes"] if n["segment"]}
        self.assertEqual(found["price[10;20;50]"], {"0", "1", "3", ""})
        self.assertEqual(found["@hour"], {"09", "23", "10", ""})
        self.assertEqual(found["@weekday"], {"7", "1", "6", ""})
        self.assertEqual(json.loads(summary.read_text())["rows"], {"context_not_a_number": 1})

    def test_refusals(self):
        data = self.table(rounds(5))
        for code, *flags in (("H106", "--by", "nothing"), ("H108", "--by", "site,site"), ("H105", "--by", "e1[2;1]"),
                             ("H204", "--by", "e1[x]"), ("H106", "--by", "@year"), ("H100", "--by", "@hour"),
                             ("H105", "--by", ",".join(map(str, range(17)))), ("H100", "--set", "by=[\"site\"]"),
                             ("H108", "--by", "site", "--by", "country"), ("H108", "--by", "country,site", "-l", "hedge")):
            done = hannan("run", "experts", "-d", data, *flags)
            self.assertIn(code.encode(), done.err, (flags, done.err))
            self.assertEqual(done.out, b"")
        bad = self.file("bad.csv", b"site,a,b\nx,0,1\n\xff,0,1\n")
        done = hannan("run", "experts", "-d", bad, "--by", "site")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H204", done.err)
        self.assertIn(b"bad.csv:3:1", done.err)
        short = self.file("short.jsonl", b'{"context":["a"],"outcome":[0,1]}\n{"context":[],"outcome":[0,1]}\n')
        done = hannan("run", "experts", "-d", short, "--by", "site", "--param", "experts=2")
        self.assertIn(b"H301", done.err)
        self.assertIn(b"short.jsonl:2", done.err)

    def test_a_void_column_costs_under_a_thousandth(self):
        """10^5 posted prices from one law, and a column of 30 values that says nothing: under 0.1 % of the money."""
        coins = random.Random(11)
        lines = ["site,bid"]
        for _ in range(100000):
            lines.append(f"s{coins.randrange(30)},{min(1, int(10 * coins.betavariate(3, 3) + 1) / 10)}")
        data = self.file("void.csv", ("\n".join(lines) + "\n").encode())
        plain = self.file("plain.csv", ("bid\n" + "\n".join(line.split(",")[1] for line in lines[1:]) + "\n").encode())
        flags = ["--param", "bidders=1", "--param", "levels=10", "--json", "--track", "end"]
        one = json.loads(self.ok("run", "vcg-reserves", "-d", plain, *flags).out)["raw"]["total"]
        tree = json.loads(self.ok("run", "vcg-reserves", "-d", data, "--by", "site", *flags).out)["raw"]["total"]
        self.assertGreater(tree, one * 0.999)


if __name__ == "__main__":
    main()
