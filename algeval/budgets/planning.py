"""Before labels are paid: how many per item, for how many items."""

from __future__ import annotations

from decimal import ROUND_DOWN, Context
from typing import Any

from algeval.budgets.adaptive import adaptive_outcomes
from algeval.budgets.gap import LabelAccuracy
from algeval.budgets.results import Alternative, Plan
from algeval.budgets.rows import MOST_LABELS, Row, Task, plain_settings, read, rows_of
from algeval.budgets.theorem import gap_at_least, why_not_proved
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["plan"]

MOST_ADAPTIVE = 5000
"""Budgets beyond it, whose adaptive plan takes more than a second, are left without one."""


def plan(
    *,
    budget: Any,
    accuracy: Any,
    label_accuracy: Any,
    margin: Any = None,
    item_cost: Any = 0,
    label_cost: Any = 1,
    gold_cost: Any = None,
    better_if_wrong: Any = None,
    better_if_right: Any = None,
    disagreements: bool = False,
    most_labels: int = 99,
) -> Plan:
    """Say how many labels per item to buy so that the better of two classifiers wins most often.

    Items are drawn at random; each gets m labels, and the classifiers are scored on the majority. The chance
    that the better one scores higher is computed for every odd m, exactly to rounding. Numbers are read as
    written: 0.8 and "80%" are 4/5.

    Parameters
    ----------
    budget : number
        What may be spent, in the unit of the costs; in labels by default.
    accuracy : number
        Accuracy of the worse classifier.
    label_accuracy : number, pair or mapping
        Chance that a label is right; or two of them, (q_b, q_w), where only the better and where only the
        worse classifier is right; or, where it varies with the item,
        {"better": {q: weight}, "worse": {q: weight}}.
    margin : number, optional
        By how much the other classifier is better, if the two err independently.
    item_cost, label_cost : number
        Of an item, and of a label.
    gold_cost : number, optional
        Of a label that is always right, to set beside the others.
    better_if_wrong, better_if_right : number, optional
        In place of the margin: accuracy of the better classifier where the worse is wrong, and where it is
        right.
    disagreements : bool
        Whether labels are bought only where the classifiers differ, as their answers are free. An item's
        cost is paid until one is found on which they do.
    most_labels : int
        The largest number of labels per item to try.

    Returns
    -------
    Plan
        `labels_per_item`, `table`, `win_probability(m)`; "proved" where a theorem says that one label each is
        best, with a bound on what more labels lose, and "computed" elsewhere.

    Raises
    ------
    DataError
        If a number is out of range, the classifiers are not told apart, or the budget pays no item.

    Examples
    --------
    >>> found = plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    >>> found.labels_per_item, round(found.win, 5), found.verdict
    (1, 0.65237, 'proved')
    """
    given = dict(locals())
    task, most = read(given), check_whole("most_labels", most_labels, 1, MOST_LABELS)
    table = _table(task, most)
    best = max(table, key=lambda row: row.win)
    verdict, why = _verdict(task, table, best)
    return Plan(
        status=Status.OK,
        message=f"{how_many(best.m, 'label')} for each of {best.items:,} items is best: the better "
        f"classifier wins with probability {best.win:.5f}",
        labels_per_item=best.m,
        items=best.items,
        win=best.win,
        verdict=verdict,
        why=why,
        table=table,
        alternatives=_alternatives(task, most),
        disagree=task.rivals.disagree,
        settings=plain_settings(given),
    )


def _table(task: Task, most: int) -> tuple[Row, ...]:
    rows = rows_of(task, list(range(1, most + 1, 2)))
    if not rows:
        raise DataError(
            f"budget must pay at least one item with one label; got {float(task.budget):g}; raise it"
        )
    return tuple(_with_verdict(task, row) for row in rows)


def _with_verdict(task: Task, row: Row) -> Row:
    if task.disagreements or why_not_proved(task.rivals, task.labels, row.m):
        return row
    named = {name: getattr(row, name) for name in ("m", "items", "win", "tie", "loss")}
    bound = gap_at_least(task.rivals, task.labels, row.m, row.items)
    return Row(**named, verdict="proved", gap_at_least=bound)


def _verdict(task: Task, table: tuple[Row, ...], best: Row) -> tuple[str, str]:
    others = [row for row in table if row.m > 1]
    failed = [row.m for row in others if row.verdict != "proved"]
    if task.disagreements:
        return (
            "computed",
            "the theorem is about labels on all items, not on those the two differ on",
        )
    if task.item_cost:
        return "computed", "the theorem is about labels alone, and here items cost as well"
    if failed:
        return "computed", why_not_proved(task.rivals, task.labels, failed[0])
    if best.m > 1:
        fewer = (
            f"{best.items * best.m} items with one label each win more often still, by the theorem"
        )
        return "computed", f"ties make it best at these numbers; {fewer}"
    least = min((row.gap_at_least or 0 for row in others), default=0.0)
    bound = f", here by at least {_rounded_down(least):g}" if least else ""
    return "proved", (
        "for the same number of labels a majority of 3, 5, ... wins less often whatever the budget"
        + bound
    )


def _rounded_down(bound: float) -> float:
    """Return two digits of a lower bound, none of them rounded up."""
    return float(Context(prec=2, rounding=ROUND_DOWN).create_decimal_from_float(bound))


def _alternatives(task: Task, most: int) -> tuple[Alternative, ...]:
    found = [] if task.disagreements else _where_they_differ(task, most)
    return (*found, *_adaptive(task), *_gold(task))


def _where_they_differ(task: Task, most: int) -> list[Alternative]:
    narrowed = task._replace(disagreements=True)
    rows = rows_of(narrowed, list(range(1, most + 1, 2)))
    if not rows:
        return []
    best = max(rows, key=lambda row: row.win)
    seen = best.items / float(task.rivals.disagree)
    return [
        _alternative("disagreements", best.m, best.items, seen, (best.win, best.tie, best.loss))
    ]


def _adaptive(task: Task) -> list[Alternative]:
    q_b, q_w = task.labels.mean
    labels = int(task.budget / task.label_cost)
    alike = q_b == q_w and not task.labels.varies
    if task.item_cost or task.disagreements or not alike or not 3 <= labels <= MOST_ADAPTIVE:
        return []
    chances = adaptive_outcomes(task.rivals, float(q_b), labels)
    return [_alternative("adaptive", None, None, None, chances)]


def _gold(task: Task) -> list[Alternative]:
    if task.gold_cost is None:
        return []
    sure = task._replace(labels=LabelAccuracy.of(1), label_cost=task.gold_cost, gold_cost=None)
    rows = rows_of(sure, [1])
    return [_alternative("gold", 1, row.items, None, (row.win, row.tie, row.loss)) for row in rows]


def _alternative(
    name: str,
    m: int | None,
    items: int | None,
    seen: float | None,
    chances: tuple[float, float, float],
) -> Alternative:
    win, tie, loss = chances
    return Alternative(
        name=name, labels_per_item=m, items=items, items_seen=seen, win=win, tie=tie, loss=loss
    )
