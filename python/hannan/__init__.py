"""Online decisions over sets too large to list, with a proof beside every run.

>>> import hannan, numpy
>>> losses = numpy.tile([[0.0, 1.0, 0.5]], (100, 1))
>>> run = hannan.problem("experts", experts=3).learner("flipflop", seed=1).play(losses)
>>> len(run.losses), run.report().holds
(100, True)
"""

from . import _core
from ._core import DataError, Error, LimitError, OracleError, UsageError
from ._compare import Comparison, compare
from ._custom import CustomLearner, CustomProblem
from ._experiment import Experiment, experiment
from ._forecasts import ForecastRun, combine
from ._functions import bound, kinds, learners, search_threads, verify
from ._learner import Learner
from ._log import Log, convert, decisions, floors
from ._oracle import register_oracle
from ._own import check_problem, custom
from ._part import PartLearner
from ._portfolio import Portfolio, Strategy, learner, portfolio
from ._problem import Problem, problem
from ._report import Report
from ._rounds import Decision, Step
from ._run import Run
from ._service import RemoteDecision, RemoteLearner, Service, connect
from ._solve import Solution, solve
from ._summary import Summary
from ._unlisted import UnlistedProblem
from ._values import Result, options
from ._words import in_python

_core.use_tuples(Step, Decision)
_core.use_words(in_python)

__version__ = _core.version
load = Learner.load

__all__ = [
    "Comparison",
    "CustomLearner",
    "CustomProblem",
    "DataError",
    "Decision",
    "Error",
    "Experiment",
    "ForecastRun",
    "Learner",
    "LimitError",
    "Log",
    "OracleError",
    "PartLearner",
    "Portfolio",
    "Problem",
    "RemoteDecision",
    "RemoteLearner",
    "Report",
    "Result",
    "Run",
    "Service",
    "Solution",
    "Step",
    "Strategy",
    "Summary",
    "UnlistedProblem",
    "UsageError",
    "bound",
    "check_problem",
    "combine",
    "compare",
    "connect",
    "convert",
    "custom",
    "experiment",
    "decisions",
    "floors",
    "kinds",
    "learner",
    "learners",
    "load",
    "options",
    "portfolio",
    "problem",
    "register_oracle",
    "search_threads",
    "solve",
    "verify",
]
