"""The second and third user: models of river and an estimator of scikit-learn."""

import pickle
import unittest

import hannan
import numpy as np
from hannan.river import Aggregator, AggregatorClassifier
from instances import rows

try:
    import sklearn
except ImportError:
    sklearn = None


def stream(rounds, experts=8, seed=3):
    draw = np.random.default_rng(seed)
    for _ in range(rounds):
        truth = draw.random()
        said = np.clip(truth + draw.normal(scale=np.linspace(0.02, 0.5, experts)), 0, 1)
        yield {f"e{i}": float(value) for i, value in enumerate(said)}, truth


class River(unittest.TestCase):
    def test_a_model_learns_in_the_loop_of_river_and_proves_what_it_lost(self):
        model = Aggregator(8, loss="absolute")
        lost = 0.0
        for x, y in stream(300):
            p = model.predict_one(x)
            self.assertEqual(p, model.predict_one(x))
            lost += abs(p - y)
            model.learn_one(x, y)
        self.assertAlmostEqual(lost, model.total, places=9)
        single = model.certificate["single"]
        self.assertLessEqual(single["measured"], single["proven"])
        self.assertEqual(max(model.weights(x), key=model.weights(x).get), "e0")

    def test_a_batch_equals_the_loop(self):
        data = list(stream(100))
        one, many = Aggregator(), Aggregator()
        for x, y in data:
            one.learn_one(x, y)
        many.learn_many([x for x, _ in data], [y for _, y in data])
        self.assertEqual(one.save(), many.save())
        xs = [x for x, _ in data]
        self.assertEqual(many.predict_many(xs).tolist(), [one.predict_one(x) for x in xs])

    def test_labels_may_come_late_and_models_may_be_missing(self):
        model, waiting = Aggregator([f"e{i}" for i in range(8)]), []
        for t, (x, y) in enumerate(stream(50)):
            if t % 3 == 0:
                del x["e5"]
            waiting.append((model.issue(x), y))
            if len(waiting) > 10:
                model.learn_ticket(*waiting.pop(0))
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual(again.save(), model.save())
        for ticket, y in reversed(waiting):
            again.learn_ticket(ticket, y)
        with self.assertRaises(hannan.UsageError) as caught:
            again.learn_ticket(1, 0.5)
        self.assertEqual(caught.exception.code, "H105")

    def test_equal_models_beat_each_of_them(self):
        draw, model, ours, best = np.random.default_rng(5), Aggregator(20), 0.0, np.zeros(20)
        for _ in range(400):
            y = draw.random()
            x = y + draw.normal(scale=0.18, size=20)
            ours += (model.predict_one(x) - y) ** 2
            best += (x - y) ** 2
            model.learn_one(x, y)
        # The mean of 20 equal models has a twentieth of their squared error; losses alone would give a third of it.
        self.assertLess(ours, best.min() / 8)

    def test_faults_are_refused(self):
        unit = Aggregator(2).learn_one([0.1, 0.2], 0.3)
        for call in (lambda: unit.predict_one([1.0]), lambda: Aggregator(2, loss="no such"),
                     lambda: unit.predict_one({"a": 1.0, "b": 2.0, "c": 1.0}), lambda: unit.learn_one([1e300, 0.0], 0.0)):
            with self.assertRaises(hannan.Error):
                call()
        concave = Aggregator(2, loss=lambda p, y: (-(p - y) ** 2, -2 * (p - y)))
        with self.assertRaises(hannan.UsageError) as caught:
            concave.learn_one([0.0, 1.0], 0.25)
        self.assertEqual(caught.exception.code, "H108")
        self.assertEqual(concave.total, 0)

    def test_a_classifier_says_labels(self):
        model = AggregatorClassifier(experts=3, seed=1)
        for t in range(60):
            y = t % 2
            model.learn_one([y, 1 - y, 0], y)
        self.assertEqual(model.predict_one([1, 0, 0]), 1)
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual(again.learner.save(), model.learner.save())
        self.assertEqual(model.clone().learner.rounds, 0)


@unittest.skipIf(sklearn is None, "scikit-learn is not there")
class ScikitLearn(unittest.TestCase):
    def data(self):
        X = rows(3, 80, seed=4).round(2)
        return X, (X[:, 1] > 0.4).astype(int)

    def test_it_learns_a_stump_and_says_what_it_is(self):
        from hannan.sklearn import OnlineChoice

        X, y = self.data()
        model = OnlineChoice("classification", hypotheses="stumps", learner="flipflop", seed=0).fit(X, y)
        self.assertGreater((model.predict(X) == y).mean(), 0.95)
        self.assertEqual(model.best_hypothesis_["feature"], 1)
        self.assertTrue(model.learner_.report().holds)
        self.assertEqual((model.regret_, model.bound_), (model.learner_.regret, model.learner_.bound))
        for hypotheses in ("stumps", "trees2", "rectangles", "halfplanes"):
            width = 2 if hypotheses in ("rectangles", "halfplanes") else 3
            other = OnlineChoice(hypotheses=hypotheses, learner="leader").fit(X[:30, :width], y[:30])
            problem = other.learner_.problem
            said = other.predict(other.points_)
            for i, label in enumerate(said):
                loss = problem.loss(other.learner_.act(), {"point": i, "label": int(label)})
                self.assertEqual(loss, 0, (hypotheses, other.learner_.act(), other.points_[i]))

    def test_parts_equal_the_whole_and_clones_start_anew(self):
        from sklearn.base import clone

        from hannan.sklearn import OnlineChoice

        X, y = self.data()
        whole = OnlineChoice(seed=3).fit(X, y)
        parts = OnlineChoice(seed=3, points=X)
        for i in range(0, 80, 20):
            parts.partial_fit(X[i : i + 20], y[i : i + 20], classes=[0, 1])
        self.assertEqual(whole.learner_.save(), parts.learner_.save())
        self.assertFalse(hasattr(clone(whole), "learner_"))
        self.assertEqual(pickle.loads(pickle.dumps(whole)).predict(X).tolist(), whole.predict(X).tolist())
        with self.assertRaises(ValueError):
            whole.partial_fit(X + 10, y)

    def test_columns_are_known_by_their_names(self):
        try:
            import pandas as pd
        except ImportError:
            self.skipTest("pandas is not there")
        from hannan.sklearn import OnlineChoice

        X, y = self.data()
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        turned = frame[["c", "b", "a"]]
        model = OnlineChoice(learner="leader").fit(frame, y)
        self.assertEqual(model.feature_names_in_.tolist(), ["a", "b", "c"])
        state = model.learner_.save()
        for call in (lambda: model.predict(turned), lambda: model.partial_fit(turned, y),
                     lambda: OnlineChoice(points=turned).fit(frame, y)):
            with self.assertRaisesRegex(ValueError, "feature names"):
                call()
        self.assertEqual(model.learner_.save(), state)
        self.assertFalse(hasattr(model.fit(X, y), "feature_names_in_"))

    def test_it_passes_the_checks_of_scikit_learn_that_apply(self):
        from sklearn.utils.estimator_checks import check_estimator

        from hannan.sklearn import OnlineChoice

        ran = 0
        for estimator, check in check_estimator(OnlineChoice(learner="leader"), generate_only=True):
            name = check.func.__name__
            with self.subTest(check=name):
                ran += 1
                check(estimator)
        self.assertGreater(ran, 30)

    def test_the_combiner_passes_the_checks_of_scikit_learn(self):
        from sklearn.utils.estimator_checks import check_estimator

        from hannan.sklearn import ForecastCombiner

        ran = 0
        for estimator, check in check_estimator(ForecastCombiner(), generate_only=True):
            with self.subTest(check=check.func.__name__):
                ran += 1
                check(estimator)
        self.assertGreater(ran, 30)

    def test_the_combiner_says_what_the_loop_says(self):
        from hannan.sklearn import ForecastCombiner

        draw = np.random.default_rng(5)
        y = 100 + draw.normal(0, 1, 80)
        X = y[:, None] + draw.normal(0, 1, (80, 3)) * np.array([1.0, 2.0, 4.0])
        X[draw.random(X.shape) < 0.2] = np.nan
        X[7] = np.nan
        loop = Aggregator(["x0", "x1", "x2"], loss="absolute")
        said = []
        for x, truth in zip(X[:60], y[:60]):
            said.append(loop.predict_one(x))
            if not np.isnan(x).all():
                loop.learn_one(x, truth)
            else:
                loop.issue(x)
        model = ForecastCombiner(loss="absolute").fit(X[:60], y[:60])
        np.testing.assert_array_equal(model.published_, said)
        self.assertTrue(np.isnan(model.published_[7]))
        self.assertLessEqual(model.best_mixture_["floor"], model.best_mixture_["value"])
        self.assertGreater(model.certificate_["convex"]["measured"] * (1 + 1e-9), loop.total - model.best_mixture_["value"])
        self.assertAlmostEqual(model.weights_.sum(), 1, 12)
        np.testing.assert_array_equal(model.predict(X[60:]), [loop.predict_one(x) for x in X[60:]])
        parts = ForecastCombiner(loss="absolute").fit(X[:30], y[:30]).partial_fit(X[30:60], y[30:60])
        self.assertEqual(parts.combiner_.save(), model.combiner_.save())
        self.assertFalse(hasattr(parts, "best_mixture_"))
        again = pickle.loads(pickle.dumps(parts))
        np.testing.assert_array_equal(again.predict(X[60:]), model.predict(X[60:]))


if __name__ == "__main__":
    unittest.main()
