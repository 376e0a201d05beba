"""All methods side by side on one data set, and what their assumptions are worth there."""

from algeval._callable import make_callable
from algeval.compare.comparison import (
    Comparison,
    Consistency,
    Disagreement,
    Estimate,
    Moved,
    Robustness,
    Side,
    SplitGroup,
    compare,
    consistency,
    disagreement,
    with_copies,
)
from algeval.compare.diagnosis import Diagnosis, diagnose
from algeval.compare.nearest import Nearest, nearest_consistent
from algeval.compare.robustness import (
    FalsePositives,
    GreedyJudges,
    GreedyStep,
    LearningCurve,
    PassRate,
    false_positives,
    greedy_judges,
    learning_curve,
    robustness,
)

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
