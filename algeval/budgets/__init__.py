"""Before labels are paid: how many per item, how many items, and what is proved about it."""

from algeval.budgets.adaptive import adaptive_outcomes
from algeval.budgets.gap import LabelAccuracy, Rivals, assumption_1, assumption_2, gap_chances
from algeval.budgets.gold import two_kinds_outcomes
from algeval.budgets.majority import majority_accuracy, majority_gain
from algeval.budgets.planning import plan
from algeval.budgets.probability import (
    Outcomes,
    error_rate,
    log_outcomes,
    outcomes,
    smallest_n,
    win_probability,
)
from algeval.budgets.results import Alternative, Plan
from algeval.budgets.rows import Row
from algeval.budgets.several import best_of_three, not_best_between
from algeval.budgets.theorem import gap_at_least, why_not_proved

__all__ = [
    "Alternative",
    "LabelAccuracy",
    "Outcomes",
    "Plan",
    "Rivals",
    "Row",
    "adaptive_outcomes",
    "assumption_1",
    "assumption_2",
    "best_of_three",
    "error_rate",
    "gap_at_least",
    "gap_chances",
    "log_outcomes",
    "majority_accuracy",
    "majority_gain",
    "not_best_between",
    "outcomes",
    "plan",
    "smallest_n",
    "two_kinds_outcomes",
    "why_not_proved",
    "win_probability",
]
