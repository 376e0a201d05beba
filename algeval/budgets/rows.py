"""What a plan is made for, and one row of it: m labels for each of n items."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from algeval.budgets.gap import LabelAccuracy, Rivals, gap_chances
from algeval.budgets.probability import MOST_ITEMS, Outcomes, outcomes
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.result import exact
from algeval.result.base import Record

__all__ = ["MOST_LABELS", "Row", "Task", "plain_settings", "read", "row_of", "rows_of"]


MOST_LABELS = 999
"""Per item; majorities are taken in exact arithmetic, whose time grows as the square of their size."""


class Task(NamedTuple):
    """The settings of a plan, read once."""

    budget: Fraction
    rivals: Rivals
    labels: LabelAccuracy
    item_cost: Fraction
    label_cost: Fraction
    gold_cost: Fraction | None
    disagreements: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row(Record):
    """So many labels for each of so many items.

    Attributes
    ----------
    m : int
        Labels per item, whose majority is the label of the item.
    items : int
        Items that the budget pays with that many labels each.
    win, tie, loss : float
        Chances that the better classifier scores higher, as high, lower.
    verdict : str
        "proved" if one label each for `m * items` items wins more often, by the theorem; "computed" else.
    gap_at_least : float or None
        If proved: by how much at least.
    """

    m: int
    items: int
    win: float
    tie: float
    loss: float
    verdict: str = "computed"
    gap_at_least: float | None = None


def row_of(m: int, **settings: Any) -> Row:
    """Return the row of a plan for any number of labels."""
    task, votes = read(settings), check_whole("m", m, 1, MOST_LABELS)
    row = next(iter(rows_of(task, [votes])), None)
    if row is None:
        raise DataError(
            f"m must leave the budget at least one item; got {m!r}; raise the budget or lower m"
        )
    return row


def plain_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings as JSON types from which the same plan is made."""
    labels = LabelAccuracy.of(given["label_accuracy"])
    plain = ("label_accuracy", "disagreements", "most_labels")
    read = {k: None if v is None else str(exact(v, k)) for k, v in given.items() if k not in plain}
    kept = {name: given[name] for name in plain} | {"label_accuracy": labels.plain()}
    return read | kept


def read(settings: dict[str, Any]) -> Task:
    """Return the settings as numbers and classifiers, checked."""
    numbers = {
        name: _cost(settings, name) for name in ("budget", "item_cost", "label_cost", "gold_cost")
    }
    for name in ("budget", "label_cost", "gold_cost"):
        if numbers[name] == 0:
            raise DataError(f"{name} must be above 0; got {settings[name]!r}; change it")
    if not isinstance(settings["disagreements"], bool):
        raise DataError(
            f"disagreements must be True or False; got {settings['disagreements']!r}; choose one"
        )
    rivals, labels = _rivals(settings), LabelAccuracy.of(settings["label_accuracy"])
    return Task(rivals=rivals, labels=labels, disagreements=settings["disagreements"], **numbers)  # type: ignore[arg-type]


def _cost(settings: dict[str, Any], name: str) -> Fraction | None:
    if settings[name] is None:
        return None
    value = exact(settings[name], name)
    if not 0 <= value <= MOST_ITEMS:
        raise DataError(f"{name} must be from 0 to 2^53; got {settings[name]!r}; change it")
    return value


def _rivals(settings: dict[str, Any]) -> Rivals:
    wrong, right = settings["better_if_wrong"], settings["better_if_right"]
    margin = settings["margin"]
    if (margin is None) == (wrong is None and right is None) or (wrong is None) != (right is None):
        raise DataError(
            "the better classifier must be given by margin, or by better_if_wrong and better_if_right; "
            f"got {margin!r}, {wrong!r} and {right!r}; give the one or the other two"
        )
    if margin is not None:
        return Rivals.independent(settings["accuracy"], margin)
    return Rivals.correlated(settings["accuracy"], wrong, right)


def _items(task: Task, m: int) -> int:
    """Return how many items are labelled for the budget."""
    per_item = task.item_cost / task.rivals.disagree if task.disagreements else task.item_cost
    return int(task.budget / (per_item + m * task.label_cost))


def rows_of(task: Task, votes: list[int]) -> list[Row]:
    """Return the rows the budget pays, without verdicts."""
    paid = [(m, n) for m in votes if (n := _items(task, m)) >= 1]
    if not paid:
        return []
    found = _chances(task, [m for m, _ in paid], [n for _, n in paid])
    triples = zip(*found, strict=True)
    return [
        Row(m=m, items=n, win=float(w), tie=float(t), loss=float(x))
        for (m, n), (w, t, x) in zip(paid, triples, strict=True)
    ]


def _chances(task: Task, votes: list[int], items: list[int]) -> Outcomes:
    share = task.rivals.disagree if task.disagreements else Fraction(1)
    pairs = [[float(p / share) for p in gap_chances(task.rivals, task.labels, m)] for m in votes]
    a, b = np.array(pairs).T
    return outcomes(a, b, np.array(items))
