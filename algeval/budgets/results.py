"""What a plan holds: a row for each number of labels, what else the budget could buy, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

from algeval.budgets.rows import Row, row_of
from algeval.result import Result, Status, Table
from algeval.result.base import Record
from algeval.result.wording import how_many

__all__ = ["Alternative", "Plan"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alternative(Record):
    """Another way to spend the budget.

    Attributes
    ----------
    name : str
        "disagreements": labels only where the classifiers differ; "adaptive": two labels, and a third where
        these differ; "gold": one label that is always right, at its own price.
    labels_per_item : int or None
        None where it is random.
    items : int or None
        Items that are labelled; None where it is random.
    items_seen : float or None
        Items the classifiers answer, on average, until so many are labelled.
    win, tie, loss : float
    """

    name: str
    labels_per_item: int | None
    items: int | None
    items_seen: float | None
    win: float
    tie: float
    loss: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan(Result):
    """How many labels per item tell the better of two classifiers apart most often.

    Attributes
    ----------
    status : Status
        Always ok: the chances are exact to rounding.
    labels_per_item : int
        The best number of labels per item, odd.
    items : int
        Items to label with it.
    win : float
        Chance that the better classifier wins then; a tied test is no win.
    verdict : str
        "proved" if the theorem covers every other row, and "computed" else.
    why : str
        What the verdict rests on.
    table : tuple of Row
        One row for each odd number of labels the budget pays; even numbers are never better than the odd
        number below.
    alternatives : tuple of Alternative
        What the same budget would do, spent in other ways.
    disagree : Fraction
        How often the classifiers differ.
    settings : dict
        What `plan` was given.
    """

    schema: ClassVar[str] = "algeval.plan/1"

    labels_per_item: int
    items: int
    win: float
    verdict: str
    why: str
    table: tuple[Row, ...]
    alternatives: tuple[Alternative, ...]
    disagree: Fraction
    settings: dict[str, Any]

    def win_probability(self, m: int) -> float:
        """Return the chance that the better classifier wins with m labels per item, m even or odd.

        Raises
        ------
        DataError
            If m is no whole number from 1 on, or the budget pays not one such item.
        """
        return row_of(m, **self.settings).win

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number of labels, and one per alternative."""
        return Table.of_records("Labels per item", Row, self.table), Table.of_records(
            "Other ways to spend it", Alternative, self.alternatives
        )

    def summary(self) -> str:
        """Return the verdict, the rows around the best, the reason, and the alternatives."""
        lines = [self.message, "  labels per item  items     win      tie      loss"]
        lines += [_line(row) for row in self._shown()]
        lines += [f"{self.verdict.capitalize()}: {self.why}."]
        return "\n".join([*lines, *(_told(other) for other in self.alternatives)])

    def _shown(self) -> list[Row]:
        near = {1, 3, 5, *range(self.labels_per_item - 2, self.labels_per_item + 3)}
        return [row for row in self.table if row.m in near]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        known = {field.name: document[field.name] for field in dataclasses.fields(cls)}
        known["status"] = Status(known["status"])
        known["disagree"] = Fraction(known["disagree"])
        known["table"] = tuple(Row(**row) for row in known["table"])
        known["alternatives"] = tuple(Alternative(**other) for other in known["alternatives"])
        return cls(**known)


def _line(row: Row) -> str:
    chances = "  ".join(f"{chance:.5f}" for chance in (row.win, row.tie, row.loss))
    return f"  {row.m:>15}  {row.items:>5}  {chances}"


def _told(other: Alternative) -> str:
    if other.name == "disagreements":
        per = how_many(other.labels_per_item or 1, "label")
        return (
            f"Labels only where the two differ ({per} on {other.items:,} of about "
            f"{other.items_seen:,.0f} items): {other.win:.5f}."
        )
    if other.name == "gold":
        return f"One gold label on {other.items:,} items: {other.win:.5f}."
    return f"Two labels an item, a third where they differ: {other.win:.5f}."
