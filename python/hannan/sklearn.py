"""Estimators of scikit-learn: over the problem ``classification``, and for combined forecasts."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y

from . import _core
from ._problem import problem as make_problem

try:  # since scikit-learn 1.6 a function
    from sklearn.utils.validation import _check_feature_names
except ImportError:

    def _check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)


__all__ = ["ForecastCombiner", "OnlineChoice"]


class OnlineChoice(ClassifierMixin, BaseEstimator):
    """Chooses online among the classifiers of a class, hardly worse than the best of them in hindsight.

    The points that may come up are known beforehand: ``points``, or those of the first call of ``fit`` or
    ``partial_fit``. Every row of ``partial_fit`` is a round; ``predict`` uses the current decision. ``problem``,
    ``hypotheses`` and ``params`` say which class it is, as in :func:`hannan.problem`; ``learner`` and ``seed`` who chooses.
    """

    def __init__(self, problem: str = "classification", hypotheses: str = "stumps", learner: str = "flipflop",
                 seed: int = 0, points: Any = None, params: Optional[Mapping[str, Any]] = None) -> None:
        self.problem = problem
        self.hypotheses = hypotheses
        self.learner = learner
        self.seed = seed
        self.points = points
        self.params = params

    def fit(self, X: Any, y: Any) -> "OnlineChoice":
        """Forgets everything, then plays every row as a round."""
        for name in ("learner_", "classes_", "n_features_in_", "feature_names_in_", "points_"):
            if hasattr(self, name):
                delattr(self, name)
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> "OnlineChoice":
        """Plays every row as a round."""
        if self.problem != "classification":
            raise ValueError(f"found problem={self.problem!r}, expected 'classification'")
        _check_feature_names(self, X, reset=not hasattr(self, "learner_"))
        X, y = check_X_y(X, y)
        check_classification_targets(y)
        if not hasattr(self, "learner_"):
            self._start(X, np.unique(y if classes is None else classes))
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but OnlineChoice is expecting "
                             f"{self.n_features_in_} features as input")
        labels = np.searchsorted(self.classes_, y)
        if (labels >= len(self.classes_)).any() or (self.classes_[labels] != y).any():
            raise ValueError(f"found labels beyond {self.classes_.tolist()}, which the first call fixed")
        rounds = np.column_stack([self._places(X), labels]).astype(np.float64)
        self.learner_.play(rounds)
        return self

    def _start(self, X: np.ndarray, classes: np.ndarray) -> None:
        if len(classes) > 2:
            raise ValueError(f"Only binary classification is supported. The type of the target is multiclass: "
                             f"{len(classes)} classes")
        if len(classes) < 2:
            raise ValueError("Classifier can't train when only one class is present.")
        if hasattr(self.points, "columns") and hasattr(self, "feature_names_in_"):
            _check_feature_names(self, self.points, reset=False)
        points = X if self.points is None else check_array(self.points)
        self.classes_ = classes
        self.n_features_in_ = X.shape[1]
        self.points_ = np.unique(points, axis=0)
        self._place = {row.tobytes(): i for i, row in enumerate(self.points_)}
        made = make_problem("classification", points=self.points_.tolist(), hypotheses=self.hypotheses)
        self.learner_ = made.learner(self.learner, seed=self.seed, **dict(self.params or {}))

    def _places(self, X: np.ndarray) -> list[int]:
        rows = np.ascontiguousarray(X, dtype=self.points_.dtype)
        places = [self._place.get(row.tobytes()) for row in rows]
        if None in places:
            raise ValueError(f"row {places.index(None)} is none of the points known beforehand; give all that may come "
                             "up as points=, or call fit with them")
        return places  # type: ignore[return-value]

    def predict(self, X: Any) -> np.ndarray:
        """What the current decision says of every row."""
        check_is_fitted(self, "learner_")
        _check_feature_names(self, X, reset=False)
        X = check_array(X)
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but OnlineChoice is expecting "
                             f"{self.n_features_in_} features as input")
        return self.classes_[says(self.learner_.act(), X).astype(int)]

    @property
    def regret_(self) -> float:
        """Mistakes so far less those of the best classifier."""
        check_is_fitted(self, "learner_")
        return self.learner_.regret

    @property
    def bound_(self) -> Optional[float]:
        """What the learner's ``bound`` says; None where there is none."""
        check_is_fitted(self, "learner_")
        return self.learner_.bound

    @property
    def best_hypothesis_(self) -> Any:
        """The classifier that made fewest mistakes in hindsight."""
        check_is_fitted(self, "learner_")
        return self.learner_.best_action

    def _more_tags(self) -> dict[str, Any]:
        return {"binary_only": True, "non_deterministic": False}


class ForecastCombiner(RegressorMixin, BaseEstimator):
    """One forecast out of those of several models (docs/forecasts.md).

    ``X`` has a column of forecasts for each model, NaN where one did not deliver; ``y`` is what came; rows are in order of
    time. ``fit`` and ``partial_fit`` forecast each row with what is known before it and learn its actual; ``predict``
    combines rows with what is known now, and changes nothing. ``loss``, ``members`` and ``patience`` are those of
    :func:`hannan.combine`.

    ``weights_``: of the models in a row in which all deliver, the median's part last; ``certificate_``: what is proven of
    the run; ``published_``: what was forecast for the rows of the last call; ``best_mixture_``: weights, value and floor
    of the best fixed mixture of the rows of ``fit``, known only afterwards; ``partial_fit`` drops it.
    """

    def __init__(self, loss: Any = "squared", members: Optional[Sequence[str]] = None, patience: int = 100) -> None:
        self.loss = loss
        self.members = members
        self.patience = patience

    def fit(self, X: Any, y: Any) -> "ForecastCombiner":
        """Forgets everything, then learns from every row in turn."""
        for name in ("combiner_", "n_features_in_", "feature_names_in_", "published_", "best_mixture_"):
            if hasattr(self, name):
                delattr(self, name)
        filled, actuals = self._learn(X, y)
        if len(actuals):
            weights, value, floor = _core.best_mixture(filled, actuals, self.loss)
            self.best_mixture_ = {"weights": weights, "value": value, "floor": floor}
        return self

    def partial_fit(self, X: Any, y: Any) -> "ForecastCombiner":
        """Learns from further rows."""
        self._learn(X, y)
        if hasattr(self, "best_mixture_"):
            del self.best_mixture_
        return self

    def _learn(self, X: Any, y: Any) -> "tuple[np.ndarray, np.ndarray]":
        fresh = not hasattr(self, "combiner_")
        _check_feature_names(self, X, reset=fresh)
        X, y = check_X_y(X, y, force_all_finite="allow-nan", dtype=np.float64, y_numeric=True)
        if fresh:
            self.n_features_in_ = X.shape[1]
            self._start()
        self._check_width(X)
        self.published_, filled, actuals = self.combiner_.learn(X, y.astype(np.float64))
        return filled, actuals

    def _start(self) -> None:
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{k}" for k in range(self.n_features_in_)])]
        self.combiner_ = _core.Combiner(names, self.loss, list(self.members or ()), self.patience)

    def _check_width(self, X: np.ndarray) -> None:
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but ForecastCombiner is expecting "
                             f"{self.n_features_in_} features as input")

    def predict(self, X: Any) -> np.ndarray:
        """The combined forecast of every row; NaN where no model delivered."""
        check_is_fitted(self, "combiner_")
        _check_feature_names(self, X, reset=False)
        X = check_array(X, force_all_finite="allow-nan", dtype=np.float64)
        self._check_width(X)
        return self.combiner_.peek(X)[1]

    @property
    def weights_(self) -> np.ndarray:
        """The weights of the models in a row in which all deliver, the median's part last."""
        check_is_fitted(self, "combiner_")
        return self.combiner_.peek(np.zeros((1, self.n_features_in_)))[2][0]

    @property
    def certificate_(self) -> "dict[str, Any]":
        """What is proven of this run (docs/forecasts.md)."""
        check_is_fitted(self, "combiner_")
        return self.combiner_.certificate()

    def __getstate__(self) -> "dict[str, Any]":
        state = dict(super().__getstate__())
        if "combiner_" in state:
            state["combiner_"] = self.combiner_.save()
        return state

    def __setstate__(self, state: "dict[str, Any]") -> None:
        super().__setstate__(state)
        if "combiner_" in state:
            saved = state["combiner_"]
            self._start()
            self.combiner_.load(saved)

    def _more_tags(self) -> "dict[str, Any]":
        # What is published lies between the forecasts: columns that are no forecasts of y give no good score.
        return {"allow_nan": True, "poor_score": True, "non_deterministic": False}

    def __sklearn_tags__(self) -> Any:  # since scikit-learn 1.6
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.regressor_tags.poor_score = True
        return tags


def says(rule: Mapping[str, Any], X: np.ndarray) -> np.ndarray:
    """Where a classifier, as JSON has it, says 1."""
    if "normal" in rule:
        return X @ np.array([float(a) for a in rule["normal"]]) >= float(rule["offset"])
    if "low" in rule:
        low, high = (np.array([float(a) for a in rule[side]]) for side in ("low", "high"))
        return ((X >= low) & (X <= high)).all(axis=1)
    column = X[:, int(rule.get("feature", 0))]
    holds = column >= float(rule["cut"])
    if "left" in rule:
        return np.where(holds, says(rule["right"], X), says(rule["left"], X))
    return holds if rule.get("above", 1) == 1 else ~holds
