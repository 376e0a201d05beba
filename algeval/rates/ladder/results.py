"""The ladder itself: rungs from nothing assumed up, and the panel's thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from algeval.logic.proof.certificate import Certificate
from algeval.rates.ladder.rung import End, Rung, shown
from algeval.result import Result
from algeval.result.base import Record
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Ladder", "Robustness"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness(Record):
    """How much dependence between errors moves the algebra's estimate to the rate compared with.

    It translates an estimate into a claim about correlations. It is no licence, and no part of a verdict:
    on real judges large values went with wrong estimates too.

    Attributes
    ----------
    judges : tuple of str
        The trio.
    worst : float or None
        Errors arranged in the worst way, to first order; None where a correlation of 1 does not do it.
    shared : float or None
        The smallest bound on pair correlations that are all positive, third order absent; None as above.
    """

    judges: tuple[str, ...]
    worst: float | None
    shared: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ladder(Result):
    """What can be said about a pass rate without labels of the items, and at what price.

    Attributes
    ----------
    status : Status
        `ok` where what was believed of the judges (`at_least`) decides; `inconsistent` where that is
        impossible, or a rung lies outside a lower one; else `undetermined`.
    label : str
    target : "items" or "population"
    against : Fraction
        The rate compared with.
    rungs : tuple of Rung
        The fewer assumptions, the earlier.
    low, high : Fraction or float
        The widest honest set: what `at_least` leaves, and all rates where nothing is believed.
    winner : "above", "below" or None
        The side that beliefs above `conclusion_threshold`, up to `possible_up_to`, certify.
    conclusion_threshold : Fraction or None
        The largest x for which some key on the other side, or at `against`, leaves every judge right on
        at least x of the items it answered. Equal to `possible_up_to` where no belief decides.
    possible_up_to : Fraction or None
        The largest x for which any key at all leaves every judge right on at least x.
    robustness : Robustness or None
    alarms : tuple of str
        What contradicts one another, a sentence each.
    notes : tuple of str
    certificates : dict of Certificate
        Proofs of the exact statements, by what they prove; those of full order need the sketch.
    settings : dict
        What it was asked with.
    """

    schema: ClassVar[str] = "algeval.rate_ladder/1"

    label: str
    target: str
    against: Fraction
    n_items: int
    judges: tuple[str, ...]
    rungs: tuple[Rung, ...]
    low: End
    high: End
    winner: str | None
    conclusion_threshold: Fraction | None
    possible_up_to: Fraction | None
    robustness: Robustness | None
    alarms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    certificates: dict[str, Certificate] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """What it does not mean."""
        return (
            "Every row is as good as its assumption, and votes cannot test it: judges who share a "
            "mistake agree on it. Votes alone give no significance."
        )

    def rung(self, name: str) -> Rung:
        """Return the rung of a name."""
        return next(rung for rung in self.rungs if rung.name == name)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per rung, and one for the ladder."""
        return Table.of_records("Rungs", Rung, self.rungs), scalars(self)

    def summary(self) -> str:
        """Return the verdict, a table of the rungs, the thresholds, alarms and notes."""
        what = "these items" if self.target == "items" else "the population of the items"
        lines = [
            self.message,
            f"Rate of {self.label!r} on {what} ({how_many(self.n_items, 'item')}, "
            f"{how_many(len(self.judges), 'judge')}):",
            *_rows(self.rungs),
        ]
        lines += [f"Alarm: {alarm}" for alarm in self.alarms]
        lines += [f"Note: {note}" for note in self.notes]
        return "\n".join([*lines, self.meaning])


def _rows(rungs: tuple[Rung, ...]) -> list[str]:
    head = ("assumed", "from", "estimate", "to", "to be wrong it takes")
    rows = [head] + [
        (r.name, shown(r.low), shown(r.estimate), shown(r.high), r.breaks_at) for r in rungs
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return [
        "  "
        + "  ".join([*(cell.ljust(w) for cell, w in zip(row[:4], widths, strict=True)), row[4]])
        for row in rows
    ]
