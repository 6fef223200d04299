"""A decision for every segment: `by` in the pipe."""
import json
import random
import shlex
import tempfile

from external_test import faulty
from pipe_test import PipeTest
from program import main

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


if __name__ == "__main__":
    main()
