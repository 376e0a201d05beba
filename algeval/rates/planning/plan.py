"""Before labels are paid: one question at a time, told apart by the goal that is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack, overload

from algeval.budgets import Plan
from algeval.budgets import plan as of_classifiers
from algeval.rates.planning.judges import plan_judges
from algeval.rates.planning.margin import plan_margin
from algeval.rates.planning.questions import (
    ClassifierQuestion,
    JudgeQuestion,
    MarginQuestion,
    RateQuestion,
    RepeatQuestion,
    question_of,
)
from algeval.rates.planning.rate import plan_rate
from algeval.rates.planning.repeats import plan_repeats
from algeval.rates.planning.results import JudgePlan, LabelPlan, RepeatPlan

__all__ = ["plan"]


@overload
def plan(**given: Unpack[ClassifierQuestion]) -> Plan: ...
@overload
def plan(**given: Unpack[RateQuestion]) -> LabelPlan: ...
@overload
def plan(**given: Unpack[MarginQuestion]) -> LabelPlan: ...
@overload
def plan(**given: Unpack[JudgeQuestion]) -> JudgePlan: ...
@overload
def plan(**given: Unpack[RepeatQuestion]) -> RepeatPlan: ...
def plan(
    *,
    half_width: Any = None,
    rate: Any = None,
    rho2: Any = None,
    pilot: Any = None,
    gold: Any = None,
    label: Any = None,
    items: int | None = None,
    target: str | None = None,
    level: float | None = None,
    random: int | None = None,
    margin: Any = None,
    discordance: Any = None,
    power: Any = None,
    judges: int | None = None,
    rho1: Any = None,
    vote_correlation: Any = None,
    budget: Any = None,
    accuracy: Any = None,
    label_accuracy: Any = None,
    agreement: Any = None,
    item_cost: Any = None,
    label_cost: Any = None,
    gold_cost: Any = None,
    better_if_wrong: Any = None,
    better_if_right: Any = None,
    disagreements: bool | None = None,
    most_labels: int | None = None,
) -> Plan | LabelPlan | JudgePlan | RepeatPlan:
    """Say how many labels to pay for, before any are paid.

    Exactly one goal is given, and the settings that belong to it. Numbers are read as written: 0.8 and
    "80%" are 4/5.

    ========================================  ============================================================
    goal                                      with
    ========================================  ============================================================
    `half_width`: a rate to within so much    `rate`, `items`, `target`, `level`; `rho2`, or `pilot`, `gold`
                                              and `label`
    `margin` and `discordance`: two systems   `power`, `level`, `rate`; `rho2`, `items`, `target`; or, in
    on the same items                         place of `discordance` and `rho2`, a `pilot` of both
    `judges`: what so many are worth          `rho1` and `vote_correlation`, or `pilot`, `gold`, `label`
    `budget` and `accuracy`: two classifiers  `label_accuracy`, and all that `algeval.budgets.plan` takes
    `budget` and `rate`: labels per item      `label_accuracy` or `agreement`, `item_cost`, `label_cost`
    ========================================  ============================================================

    Parameters
    ----------
    half_width : number
        Half the interval of the rate.
    rate : number
        What it may be; 1/2, the hardest, by default.
    rho2 : number
        Squared correlation of the judges' verdict with the truth; of their differences with the true
        ones for a margin.
    pilot : votes or a table
        Votes on items of which some have a label in `gold` (default: the votes' key), seen from `label`.
        For a margin two of each: (votes_a, votes_b), (gold_a, gold_b).
    items : int
        Items that the judges see; endless by default, or those of the pilot.
    target : "items" or "population"
        The rate on these items, or on what they are a sample of.
    level, power : number
        Of the interval and of the comparison; .95 and .8 by default.
    random : int
        Seed of the pilot's resamples.
    margin, discordance : number
        By how much one system is better, and the share of items on which one is right and one wrong.
    judges : int
        How many.
    rho1, vote_correlation : number
        Correlation of one vote with the truth, and of two votes.
    budget, accuracy, label_accuracy, margin, gold_cost, better_if_wrong, better_if_right
        See `algeval.budgets.plan`, which answers in words of two classifiers.
    disagreements, most_labels
        The same.
    agreement : number
        How often two labels of one item agree, in place of `label_accuracy`.
    item_cost, label_cost : number
        Of an item and of a label; 0 and 1 by default.

    Returns
    -------
    LabelPlan, JudgePlan, RepeatPlan or Plan
        By the goal; each has `table`, the alternatives, and `summary()`.

    Raises
    ------
    DataError
        If there is no goal or several, a setting belongs to another, or a number is out of range.

    Examples
    --------
    >>> plan(rate=0.7, half_width=0.05, rho2=0.24, items=2000).labels
    219
    >>> plan(margin=0.03, discordance=0.1).labels
    870
    >>> found = plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    >>> found.labels_per_item, round(found.win, 5), found.verdict
    (1, 0.65237, 'proved')
    """
    given = {name: value for name, value in locals().items() if value is not None}
    return _ANSWERS[question_of(given)](given)


def _of_classifiers(given: dict[str, Any]) -> Plan:
    return of_classifiers(**given)


_ANSWERS: dict[str, Callable[[dict[str, Any]], Plan | LabelPlan | JudgePlan | RepeatPlan]] = {
    "classifiers": _of_classifiers,
    "rate": plan_rate,
    "margin": plan_margin,
    "judges": plan_judges,
    "repeats": plan_repeats,
}
