"""An estimator of scikit-learn over the problem ``classification``."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y

from ._problem import problem as make_problem

try:  # since scikit-learn 1.6 a function
    from sklearn.utils.validation import _check_feature_names
except ImportError:

    def _check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)


__all__ = ["OnlineChoice"]


class OnlineChoice(ClassifierMixin, BaseEstimator):
    """Chooses online among the classifiers of a class, hardly worse than the best of them in hindsight.

    The points that may come up are known beforehand: ``points``, or those of the first call of ``fit`` or
    ``partial_fit``. Every row of ``partial_fit`` is a round; ``predict`` uses the current decision.
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
