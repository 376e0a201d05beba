"""All methods side by side on one data set, and what their assumptions are worth there."""

from algeval._callable import make_callable
from algeval.compare.comparison import Comparison, compare
from algeval.compare.consistency import Consistency, consistency
from algeval.compare.diagnose.run import Diagnosis, diagnose
from algeval.compare.differing import Disagreement, Side, SplitGroup, disagreement
from algeval.compare.estimates import Estimate
from algeval.compare.false_positives import FalsePositives, PassRate, false_positives
from algeval.compare.greedy import GreedyJudges, GreedyStep, greedy_judges
from algeval.compare.learning_curves import LearningCurve, learning_curve
from algeval.compare.moved import Moved, Robustness
from algeval.compare.nearest import Nearest, nearest_consistent
from algeval.compare.panels import with_copies
from algeval.compare.robustness import robustness

__all__ = [
    "Comparison",
    "Consistency",
    "Diagnosis",
    "Disagreement",
    "Estimate",
    "FalsePositives",
    "GreedyJudges",
    "GreedyStep",
    "LearningCurve",
    "Moved",
    "Nearest",
    "PassRate",
    "Robustness",
    "Side",
    "SplitGroup",
    "compare",
    "consistency",
    "diagnose",
    "disagreement",
    "false_positives",
    "greedy_judges",
    "learning_curve",
    "nearest_consistent",
    "robustness",
    "with_copies",
]

make_callable(__name__, "compare")
