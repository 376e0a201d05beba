"""Labels that may be wrong: one for each of many items, or several for each of fewer."""

from __future__ import annotations

from typing import Any

from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.rates import policy
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.planning.numbers import number
from algeval.rates.planning.results import RepeatPlan, Repeats
from algeval.result import Status, percent
from algeval.result.wording import how_many, level_text

__all__ = ["accuracy_of_agreement", "noise", "plan_repeats"]


def accuracy_of_agreement(agreement: float) -> float:
    """Return how often a label is right if two of one item agree so often.

    Both people err equally often and unrelated, on either label alike, and are right more often than not.

    Raises
    ------
    DataError
        If they agree on half of the items or fewer, as coins do.

    Examples
    --------
    >>> accuracy_of_agreement(0.82)
    0.9
    """
    if agreement <= 0.5:
        raise DataError(
            f"agreement must be above 1/2, or the labels say nothing; got {agreement:g}; check them"
        )
    return float(round((1 + (2 * agreement - 1) ** 0.5) / 2, 12))


def noise(accuracy: float) -> float:
    """Return what a wrong label adds to the variance of one item, the rate being put right for it."""
    return accuracy * (1 - accuracy) / (2 * accuracy - 1) ** 2


def plan_repeats(given: dict[str, Any]) -> RepeatPlan:
    """Return how many labels an item should get for a budget."""
    rate, budget = number(given, "rate", most=1), number(given, "budget")
    item_cost = number(given, "item_cost", strict=False) if "item_cost" in given else 0.0
    label_cost = number(given, "label_cost") if "label_cost" in given else 1.0
    level = check_number("level", given.get("level", policy.LEVEL), least=0, most=1, strict=True)
    most = check_whole("most_labels", given.get("most_labels", policy.MOST_REPEATS), 1)
    right = _accuracy(given)
    spread, more, z = rate * (1 - rate), noise(right), normal_quantile(level)
    table = [
        Repeats(m=m, items=n, half_width=z * ((spread + more / m) / n) ** 0.5)
        for m in range(1, most + 1)
        if (n := int((budget + 1e-9) / (item_cost + m * label_cost))) >= 1
    ]
    if not table:
        raise DataError(
            f"budget must pay at least one item with one label; got {budget:g}; raise it"
        )
    best = min(table, key=lambda row: row.half_width)
    real = (item_cost / label_cost * more / spread) ** 0.5
    return RepeatPlan(
        status=Status.OK,
        message=_message(best, right, level),
        labels_per_item=best.m,
        items=best.items,
        half_width=best.half_width,
        best_real=real,
        label_accuracy=right,
        table=tuple(table),
        rate=rate,
        level=level,
        assumption=f"labels right {percent(right)} of the time on either side, errors unrelated, and the "
        "rate put right for them; uncorrected it leans towards one half",
    )


def _accuracy(given: dict[str, Any]) -> float:
    if ("label_accuracy" in given) == ("agreement" in given):
        raise DataError(
            "a plan of labels per item must know label_accuracy or the agreement of two labels; got "
            f"{'both' if 'agreement' in given else 'neither'}; give one"
        )
    if "agreement" in given:
        return accuracy_of_agreement(number(given, "agreement", most=1, strict=False))
    found = number(given, "label_accuracy", least=0.5)
    if found > 1:
        raise DataError(
            f"label_accuracy must be above 0.5 and at most 1; got {given['label_accuracy']!r}; change it"
        )
    return found


def _message(best: Repeats, right: float, level: float) -> str:
    told = (
        f"{how_many(best.m, 'label')} for each of {best.items:,} items is best: the rate to within "
        f"{best.half_width:.3f} at {level_text(level)}."
    )
    if best.m > 1 or right == 1:
        return told
    return (
        f"{told} Label 30 to 50 of them twice, drawn at random, to know how often labels are right."
    )
