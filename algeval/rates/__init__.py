"""From judges to the systems they judge: rates, comparisons, leaderboards, what to label next.

Names load on first use: a plan needs no solver, a leaderboard no items.
"""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use

if TYPE_CHECKING:
    from algeval.rates.ladder import accuracy_of_calls as accuracy_of_calls
    from algeval.rates.ladder import climb as climb
    from algeval.rates.leaderboards import Leaderboard as Leaderboard
    from algeval.rates.leaderboards import leaderboard as leaderboard
    from algeval.rates.planning import JudgePlan as JudgePlan
    from algeval.rates.planning import LabelPlan as LabelPlan
    from algeval.rates.planning import RepeatPlan as RepeatPlan
    from algeval.rates.planning import plan as plan
    from algeval.rates.rating import RateResult as RateResult
    from algeval.rates.rating import Row as Row
    from algeval.rates.rating import SystemRates as SystemRates
    from algeval.rates.rating import rate as rate
    from algeval.rates.rungs import Ladder as Ladder
    from algeval.rates.rungs import Rung as Rung
    from algeval.rates.sampling import NextItems as NextItems
    from algeval.rates.sampling import NextTuples as NextTuples
    from algeval.rates.sampling import next as next
    from algeval.rates.sampling import next_items as next_items
    from algeval.rates.streams import LabelStream as LabelStream
    from algeval.rates.systems import Line as Line
    from algeval.rates.systems import Pair as Pair
    from algeval.rates.systems import SystemComparison as SystemComparison
    from algeval.rates.systems import SystemsComparison as SystemsComparison
    from algeval.rates.systems import compare_systems as compare_systems
    from algeval.rates.systems import versus as versus

_HOME = homes(
    {
        "ladder": "accuracy_of_calls climb",
        "leaderboards": "Leaderboard leaderboard",
        "planning": "JudgePlan LabelPlan RepeatPlan plan",
        "rating": "RateResult Row SystemRates rate",
        "rungs": "Ladder Rung",
        "sampling": "NextItems NextTuples next next_items",
        "streams": "LabelStream",
        "systems": "Line Pair SystemComparison SystemsComparison compare_systems versus",
    }
)

# a star import must not take Python's own `next` away
__all__ = [name for name in _HOME if name != "next"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)
