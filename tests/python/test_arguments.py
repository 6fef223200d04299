"""Wrong calls: errors name Python arguments, say what was found and expected, and name the nearest keyword."""

import os
import tempfile
import unittest
import warnings

import hannan
import numpy as np
from hannan._words import in_python

try:
    import pandas as pd
except ImportError:
    pd = None


class Arguments(unittest.TestCase):
    def refused(self, code, words, call):
        with self.assertRaises(hannan.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        for word in words:
            self.assertIn(word, str(caught.exception))
        for raw in ("incompatible function arguments", "pybind", "Unable to cast", "--"):
            self.assertNotIn(raw, str(caught.exception))
        return caught.exception

    def setUp(self):
        self.problem = hannan.problem("experts", experts=3)
        self.learner = self.problem.learner("flipflop", seed=1)

    def test_values_of_a_wrong_type_say_what_was_found_and_expected(self):
        for name, call in (("limit", lambda: self.problem.actions("ten")),
                           ("limit", lambda: self.problem.outcomes(limit=-1.5)),
                           ("keep", lambda: self.problem.best([[0, 0, 1]], keep="two")),
                           ("oracle", lambda: self.problem.best([[0, 0, 1]], oracle=5)),
                           ("weights", lambda: self.problem.best([[0, 0, 1]], weights="heavy")),
                           ("weights", lambda: self.problem.summary([[0, 0, 1]], weights=["heavy"])),
                           ("perturbation", lambda: self.problem.noise_size(3)),
                           ("noise", lambda: self.problem.noise_size(noise=3)),
                           ("perturbation", lambda: self.problem.check(perturbation=3)),
                           ("limit", lambda: self.problem.learner("leader", by=["site"]).segments(limit="all")),
                           ("search_threads", lambda: hannan.search_threads("two").__enter__()),
                           ("threads", lambda: hannan.experiment({"name": "x"}, threads="two")),
                           ("outcomes", lambda: self.learner.play(5)),
                           ("outcomes", lambda: self.learner.play({"a": 1})),
                           ("outcomes", lambda: self.learner.play("losses.csv")),
                           ("kind", lambda: hannan.problem(5)),
                           ("state", lambda: hannan.load(5)),
                           ("problem", lambda: hannan.compare("experts", [[0, 0, 1]]))):
            with self.subTest(name=name):
                raised = self.refused(raised_code(call), ["found", "expected"], call)
                self.assertTrue(raised.at.startswith(name), raised.at)

    def test_calls_that_fit_no_function_are_explained(self):
        self.refused("H103", ["contxt", '"context"'], lambda: self.learner.act(contxt=["a"]))
        self.refused("H103", ["outcom", '"outcome"'], lambda: self.learner.observe(outcom=[0, 0, 1]))
        self.refused("H104", ["observe", "outcome, context, round"], lambda: self.learner.observe())
        self.refused("H104", ["act", "context, round, awake"], lambda: self.learner.act(1, 2, 3, 4))

    def test_unknown_keywords_are_named_with_the_nearest_one(self):
        for call, found, near in ((lambda: self.learner.play([[0, 0, 1]], action=True), "action", "actions"),
                                  (lambda: self.problem.learner("flipflop", sed=1), "sed", "seed"),
                                  (lambda: self.problem.best([[0, 0, 1]], weigths=[1]), "weigths", "weights"),
                                  (lambda: hannan.compare(self.problem, [[0, 0, 1]], sead=1), "sead", "seed"),
                                  (lambda: hannan.problem("vcg-reserves", bidders=2, levels=3, unit=1), "unit", "units"),
                                  (lambda: self.problem.check(pair=3), "pair", "pairs"),
                                  (lambda: hannan.experiment({}, thread=2), "thread", "threads"),
                                  (lambda: hannan.custom(object(), outcome=[1]), "outcome", "outcomes"),
                                  (lambda: hannan.convert("no.csv", bider="b"), "bider", "bidder")):
            with self.subTest(found=found):
                self.refused("H103", [found, f'did you mean "{near}"'], call)

    def test_errors_of_a_log_name_arguments_and_no_flags(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            with open(path, "w") as file:
                file.write("auction,buyer,amount\n1,ann,3\n1,bob,2\n2,ann,1\n")
            named = {"round": "auction", "bidder": "buyer", "bid": "amount"}
            self.refused("H102", ["cap"], lambda: hannan.convert(path, **named))
            self.refused("H100", ["rates", "currency_column="], lambda: hannan.convert(path, cap=3, rates="r.csv", **named))
            raised = self.refused("H106", ["amont", "bid="], lambda: hannan.convert(path, round="auction", bidder="buyer", bid="amont", cap=3))
            self.assertNotIn("--", raised.at)

    def test_flags_of_messages_become_arguments(self):
        for text, said in (("--cap", "cap"), ("--param", "params"), ("-d", "outcomes"),
                           ("expected --cap-quantile 1 or --cap", "expected cap_quantile=1 or cap="),
                           ("--rest-slots 2 keeps it, --rest pool drops nothing", 'rest_slots=2 keeps it, rest="pool" drops nothing'),
                           ("say --reverse if it is a purchase", "say reverse=True if it is a purchase"),
                           ("add --param levels=20", "add levels=20"),
                           ("choose one with --where cur=EUR", 'choose one with where=["cur=EUR"]'),
                           ("a file that `hannan convert --summary` wrote", "a file that `hannan convert --summary` wrote"),
                           ("found -0.5, expected a number in [0,1]", "found -0.5, expected a number in [0,1]")):
            self.assertEqual(in_python(text), said)

    @unittest.skipIf(pd is None, "pandas is not there")
    def test_columns_that_hold_no_numbers_are_named(self):
        frame = pd.DataFrame({"day": pd.to_datetime(["2026-01-01", "2026-01-02"]), "site": ["n", "s"], "a": [0.1, 0.2]})
        raised = self.refused("H204", ["day, site", "drop(columns="], lambda: self.learner.play(frame))
        self.assertEqual(raised.at, "outcomes")


def raised_code(call):
    try:
        call()
    except hannan.Error as raised:
        return raised.code
    except Exception as raised:  # noqa: BLE001
        return type(raised).__name__
    return "nothing"


@unittest.skipIf(pd is None, "pandas is not there")
class Forecasts(unittest.TestCase):
    """Tables that look like forecasts are asked about (H213); ``losses=True`` answers."""

    def setUp(self):
        draw = np.random.default_rng(4)
        load = 1000 + 100 * np.sin(np.arange(40) / 5)
        self.frame = pd.DataFrame({name: load + draw.normal(0, 10, 40) for name in ("gam", "ar", "gbm")})
        self.frame["actual"] = load

    def calls(self, frame, **more):
        problem = hannan.problem("experts", like=frame, **more)
        return [lambda: problem.learner("leader").play(frame), lambda: problem.best(frame),
                lambda: hannan.compare(problem, frame, rivals=False, learners=["leader"]),
                lambda: problem.summary(frame), lambda: problem.best(frame.to_numpy())]

    def test_forecasts_are_asked_about_and_never_played(self):
        for frame in (self.frame, self.frame.drop(columns="actual")):
            for more in ({}, {"range": "unknown"}):
                for call in self.calls(frame, **more):
                    with self.assertRaises(hannan.DataError) as caught:
                        call()
                    self.assertEqual(caught.exception.code, "H213")
                    for word in ("forecasts", "losses=True", "hannan.combine(frame"):
                        self.assertIn(word, str(caught.exception))
                    self.assertNotIn("--", str(caught.exception))

    def test_losses_of_any_look_are_played_when_it_is_said(self):
        for call in self.calls(self.frame, range="unknown", losses=True):
            call()
        problem = hannan.problem("experts", like=self.frame, range="unknown")
        self.assertEqual(len(problem.learner("leader").play(self.frame, losses=True)), 40)
        self.assertGreater(problem.best(self.frame, losses=True).value, 0)
        hannan.compare(problem, self.frame, learners=["leader"], rivals=False, losses=True)

    def test_the_arithmetic_of_the_message_gives_losses(self):
        errors = self.frame[["gam", "ar", "gbm"]].sub(self.frame["actual"], axis=0)
        losses = (errors / errors.abs().to_numpy().max()) ** 2
        run = hannan.problem("experts", like=losses).learner("adahedge").play(losses)
        self.assertEqual(len(run), 40)

    def test_a_table_of_a_game_is_still_called_losses(self):
        game = hannan.problem("finite-game", losses=[[0, 1], [1, 0]])
        self.assertEqual(game.loss(0, 1), 1.0)


class Kept(unittest.TestCase):
    """What problems of the user's own keep of outcomes that never repeat."""

    def test_outcomes_of_listed_actions_are_kept_up_to_a_number(self):
        class Kiosk:
            def loss(self, x, y):
                return min(1.0, abs(x - y))

            def actions(self):
                return [0.0, 0.5, 1.0]

        problem = hannan.custom(Kiosk())
        learner = problem.learner("adahedge")
        draw = np.random.default_rng(1)
        learner.play(draw.random(20_000).tolist())
        self.assertEqual(len(problem._rows), 1 << 14)
        self.assertLessEqual(len(problem._outcome_of), 1 << 14)
        self.assertEqual(learner.rounds, 20_000)
        self.assertEqual(problem.best(draw.random(200).tolist()).action, 0.5)

    def test_an_oracle_of_ones_own_is_warned_about_many_outcomes_once(self):
        from hannan import _oracle

        class Rules:
            ln_size = 10.0

            def loss(self, x, y):
                return min(1.0, abs(x - y))

        class Middle:
            def best(self, outcomes, weights):
                return 0.5

        before, _oracle._MANY = _oracle._MANY, 20
        try:
            learner = hannan.custom(Rules(), oracle=Middle()).learner("leader")
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                learner.play([i / 64 for i in range(40)])
            said = [str(one.message) for one in caught if "different outcomes" in str(one.message)]
            self.assertEqual(len(said), 1, said)
        finally:
            _oracle._MANY = before


if __name__ == "__main__":
    unittest.main()
