"""All methods side by side on one data set, and what their assumptions are worth there."""

from algeval._callable import make_callable
from algeval.compare.comparison import Comparison, compare
from algeval.compare.consistency import Consistency, consistency
from algeval.compare.diagnose.run import Diagnosis, diagnose
from algeval.compare.differing import Disagreement, Side, SplitGroup, disagreement
from algeval.compare.estimates import Estimate
from algeval.compare.learning_curves import LearningCurve, learning_curve
from algeval.compare.nearest import Nearest, nearest_consistent

__all__ = [
    "Comparison",
    "Consistency",
    "Diagnosis",
    "Disagreement",
    "Estimate",
    "LearningCurve",
    "Nearest",
    "Side",
    "SplitGroup",
    "compare",
    "consistency",
    "diagnose",
    "disagreement",
    "learning_curve",
    "nearest_consistent",
]

make_callable(__name__, "compare")
