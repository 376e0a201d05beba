"""From judges to the systems they judge: rates, comparisons, leaderboards, what to label next."""

from algeval.rates.ladder import Ladder, Rung, accuracy_of_calls, climb
from algeval.rates.leaderboards import Leaderboard, leaderboard
from algeval.rates.planning import JudgePlan, LabelPlan, RepeatPlan, plan
from algeval.rates.rating import RateResult, Row, rate
from algeval.rates.sampling import LabelStream, NextItems, next_items
from algeval.rates.systems import Line, Pair, SystemComparison, SystemsComparison, compare_systems

__all__ = [
    "JudgePlan",
    "LabelPlan",
    "LabelStream",
    "Ladder",
    "Leaderboard",
    "Line",
    "NextItems",
    "Pair",
    "RateResult",
    "RepeatPlan",
    "Row",
    "Rung",
    "SystemComparison",
    "SystemsComparison",
    "accuracy_of_calls",
    "climb",
    "compare_systems",
    "leaderboard",
    "next_items",
    "plan",
    "rate",
]
