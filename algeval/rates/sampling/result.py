"""What is to be labelled next, and with what chance it was drawn."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.result import Result, Table
from algeval.result.files import whole_file
from algeval.result.wording import how_many

__all__ = ["NextItems"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NextItems(Result):
    """Items to label next.

    Attributes
    ----------
    status : Status
        Always ok: a plan that would not pay is replaced by an even one, and the message says so.
    items : tuple of str
        In the order of the votes; by goal "labels" the most doubtful first.
    inclusion : tuple of float or None
        The chance with which each was drawn; None by goal "labels", whose items are picked, not drawn.
    before : dict of str to tuple of str
        Items labelled before and their labels; they count with a chance of 1.
    goal : "rate", "difference" or "labels"
    strategy : str
        What was done: "spread", "uncertain", "differing", or "doubt" by goal "labels".
    drawn : str or None
        What `rate` or `compare_systems` is to be told of how labels were drawn; None by goal "labels".
    n_items : int
    n_eligible : int
        Items that could be drawn.
    share_differing : float or None
        By goal "difference": share of items whose outputs, or else verdicts, differ.
    predicted_gain : float or None
        Share of the variance that chances by the judges' doubt would save; None where not asked for.
    random : int
        Seed of the draw.
    """

    schema: ClassVar[str] = "algeval.next-items/1"
    meaning: ClassVar[str] = (
        "Keep the chances beside the labels: without them no unbiased estimate can be made of these items."
    )

    items: tuple[str, ...]
    inclusion: tuple[float, ...] | None
    before: dict[str, tuple[str, ...]]
    goal: str
    strategy: str
    drawn: str | None
    n_items: int
    n_eligible: int
    share_differing: float | None
    predicted_gain: float | None
    random: int

    @property
    def chances(self) -> dict[str, float]:
        """The chance of each item drawn, and 1 for those labelled before: the `inclusion` of estimates."""
        drawn = zip(self.items, self.inclusion or (), strict=False)
        return dict.fromkeys(self.before, 1.0) | dict(drawn)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per item: the columns of the file that `write` makes."""
        names, rows = self._sheet()
        return (Table.of_rows("Label next", names, rows),)

    def _sheet(self) -> tuple[list[str], list[list[Any]]]:
        truths = ["truth_a", "truth_b"] if self.goal == "difference" else ["truth"]
        if self.inclusion is None:
            return ["item", *truths], [[item, ""] for item in self.items]
        rows: list[list[Any]] = [[item, 1.0, *told] for item, told in self.before.items()]
        empty = [""] * len(truths)
        pairs = zip(self.items, self.inclusion, strict=True)
        return ["item", "inclusion", *truths], rows + [[i, chance, *empty] for i, chance in pairs]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a CSV file to fill in: item, inclusion, and an empty column for the labels.

        Items labelled before come first, with their labels. Filled in, it is what `rate` and
        `compare_systems` take as `gold`.
        """
        names, rows = self._sheet()
        with whole_file(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([names, *rows])

    def summary(self) -> str:
        """Return the message, the items with their chances, and what to keep."""
        shown = list(self.items[:_SHOWN])
        if self.inclusion is not None:
            shown = [f"{i}  {p:.4g}" for i, p in zip(shown, self.inclusion, strict=False)]
        more = len(self.items) - _SHOWN
        rest = [f"  ... and {how_many(more, 'item')} more"] if more > 0 else []
        meaning = [] if self.inclusion is None else [self.meaning]
        return "\n".join([self.message, *(f"  {line}" for line in shown), *rest, *meaning])


_SHOWN = 20
"""Items listed in a summary."""
