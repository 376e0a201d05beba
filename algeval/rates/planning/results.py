"""What plans hold: the number, the ways beside it, and what it rests on."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from algeval.result import Result, Table
from algeval.result.base import Record
from algeval.result.wording import level_text

__all__ = ["JudgePlan", "LabelPlan", "PanelSize", "RepeatPlan", "Repeats", "Way", "or_never"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way(Record):
    """One way to reach the goal.

    Attributes
    ----------
    name : str
    labels : int or None
        Items to label; None where labels on all of them do not reach it.
    fewest, most : int or None
        The same at the ends of the pilot's interval for `rho2`; None without a pilot.
    rests_on : str
    """

    name: str
    labels: int | None
    fewest: int | None = None
    most: int | None = None
    rests_on: str = ""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelPlan(Result):
    """How many items people must label, without judges and with them.

    Attributes
    ----------
    status : Status
        Always ok; `feasible` says whether the goal can be reached.
    goal : str
        "rate": an interval of a half-width; "margin": a difference shown with a power.
    labels : int or None
        Items to label, with the judges where `rho2` is known; None where labels on all do not do.
    table : tuple of Way
        The ways side by side.
    items : int or None
        Items the judges saw; None if as many as one likes.
    items_needed : int
        Items without which no number of labels does; 1 for `target="items"`.
    target : str
        "items": the rate on these items; "population": on what they are a sample of.
    rho2 : float or None
        Squared correlation of the judges' verdict, or its difference, with the truth.
    rho2_low, rho2_high : float or None
        Its interval, where it comes from a pilot.
    rate, half_width, margin, discordance, power : float or None
        What was asked; None where it does not belong to the goal.
    level : float
    assumption : str
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.plan-labels/1"
    meaning: ClassVar[str] = (
        "A plan holds on average: the interval that comes out may be wider or narrower. Labels must be "
        "of items drawn at random, and right."
    )

    goal: str
    labels: int | None
    table: tuple[Way, ...]
    items: int | None
    items_needed: int
    target: str
    rho2: float | None
    rho2_low: float | None
    rho2_high: float | None
    rate: float | None
    half_width: float | None
    margin: float | None
    discordance: float | None
    power: float | None
    level: float
    assumption: str
    warnings: tuple[str, ...]

    @property
    def feasible(self) -> bool:
        """Whether labels on these items can reach the goal."""
        return self.labels is not None

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per way."""
        return (Table.of_records("Ways", Way, self.table),)

    def summary(self) -> str:
        """Return the number, the ways, and what they rest on."""
        width = max(len(way.name) for way in self.table)
        rows = [
            f"  {way.name:<{width}}  {_count(way)}  {way.rests_on}".rstrip() for way in self.table
        ]
        told = [f"Assumes: {self.assumption}.", *(f"Warning: {text}" for text in self.warnings)]
        return "\n".join([self.message, *rows, *told, self.meaning])


def _count(way: Way) -> str:
    if way.labels is None:
        return f"{'-':>7}"
    between = "" if way.fewest is None else f" ({way.fewest:,} to {or_never(way.most)})"
    return f"{way.labels:>7,}{between}"


def or_never(most: int | None) -> str:
    """Return a number of labels as a person reads it."""
    return "never" if most is None else f"{most:,}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PanelSize(Record):
    """So many judges: what their vote share knows of the truth, and the share of labels it saves."""

    judges: int
    rho2: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgePlan(Result):
    """What so many judges are worth, and what no number of them passes.

    Attributes
    ----------
    n_judges : int
    rho2 : float
        Squared correlation of the share of their votes with the truth: the share of labels they save.
    ceiling : float
        What it goes to with ever more of such judges.
    rho1 : float
        Mean correlation of one judge's vote with the truth.
    vote_correlation : float
        Mean correlation of two judges' votes.
    n_labels : int or None
        Labels of the pilot; None without one.
    table : tuple of PanelSize
    assumption : str
    """

    schema: ClassVar[str] = "algeval.plan-judges/1"

    n_judges: int
    rho2: float
    ceiling: float
    rho1: float
    vote_correlation: float
    n_labels: int | None
    table: tuple[PanelSize, ...]
    assumption: str

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number of judges."""
        return (Table.of_records("Judges", PanelSize, self.table),)

    def summary(self) -> str:
        """Return the worth of the panel, of other sizes, and the ceiling."""
        rows = [f"  {size.judges:>6,}  {size.rho2:.3f}" for size in self.table]
        head = "  judges  labels saved"
        end = f"     any  {self.ceiling:.3f}"
        return "\n".join([self.message, head, *rows, end, f"Assumes: {self.assumption}."])


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repeats(Record):
    """So many labels for each of so many items, and the half-width of the rate's interval then."""

    m: int
    items: int
    half_width: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatPlan(Result):
    """How many labels an item should get, for a rate and a budget.

    Attributes
    ----------
    labels_per_item, items : int
    half_width : float
        Of the interval of the rate, put right for wrong labels.
    best_real : float
        The best number of labels if it need not be whole.
    label_accuracy : float
        Chance that a label is right, on either side alike.
    table : tuple of Repeats
        A row per number of labels that the budget pays.
    rate, level : float
    assumption : str
    """

    schema: ClassVar[str] = "algeval.plan-repeats/1"

    labels_per_item: int
    items: int
    half_width: float
    best_real: float
    label_accuracy: float
    table: tuple[Repeats, ...]
    rate: float
    level: float
    assumption: str

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number of labels."""
        return (Table.of_records("Labels per item", Repeats, self.table),)

    def summary(self) -> str:
        """Return the best number, the rows around it, and what it rests on."""
        near = range(1, self.labels_per_item + 4)
        rows = [
            f"  {row.m:>15}  {row.items:>7,}  {row.half_width:.4f}"
            for row in self.table
            if row.m in near
        ]
        head = f"  labels per item    items  half-width at {level_text(self.level)}"
        return "\n".join([self.message, head, *rows, f"Assumes: {self.assumption}."])
