"""What a rate holds: its interval, what that rests on, and what weaker and stronger beliefs would say."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from algeval.logic.proof.certificate import Certificate
from algeval.rates.ladder import Robustness
from algeval.rates.rating.page import page
from algeval.result import Result, Table
from algeval.result.base import Record
from algeval.result.tables import scalars

__all__ = ["RateResult", "Row"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row(Record):
    """What one assumption says of the rate.

    Attributes
    ----------
    name, assumption : str
        What has to hold, in short and in words.
    low, estimate, high : Fraction, float or None
    against : str
        Where the interval lies beside the rate compared with: "above", "below", "open" where it holds
        that rate, "impossible" where nothing is left, "" where there is no interval.
    breaks_at : str
        What it takes for the row to be wrong.
    refuted : bool
        Whether the labels speak against it.
    standard_errors : float or None
        By how many its point differs from the labels', where both have a point.
    answer : bool
        Whether it is the row that `rate`, `low` and `high` are taken from.
    """

    name: str
    assumption: str
    low: Fraction | float | None
    estimate: Fraction | float | None
    high: Fraction | float | None
    against: str
    breaks_at: str
    refuted: bool = False
    standard_errors: float | None = None
    answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateResult(Result):
    """How often the label is the true one.

    Attributes
    ----------
    status : Status
        ok: the interval rests on labels, or on nothing but what was asked to be believed and decides;
        undetermined: there are no labels, or too few clusters of them, and the votes decide nothing;
        not_identifiable: the interval is all of [0, 1]; inconsistent: what was assumed cannot be.
    label : str
        Whose rate it is.
    rate : float or None
        None without labels: votes alone have no honest point.
    low, high : float
        Without labels the widest honest set: all of [0, 1], or what `at_least` leaves.
    level : float
    method : str
        "strata", "ppi", "clustered", "weighted", "transfer", "profile", "wilson" (the labels alone), or
        "votes" (no label).
    target : "items" or "population"
    assumption : str
        What the interval rests on.
    against : Fraction
        The rate compared with.
    verdict : "above", "below" or "open"
    n_items, n_gold : int
    judges : tuple of str
    rho2 : float or None
        Share of the labels' variance that the judges explain, on the labelled items.
    label_saving : (float, float) or None
        Its interval over resampled labels: the share of labels that the judges save.
    lambda_ : float or None
        The slope on the judges' numbers, where the method has one.
    balance : float or None
        By how many standard errors the labelled items differ from all in the judges' votes.
    table : tuple of Row
        From the least assumed to the most, the labels last.
    conclusion_threshold, possible_up_to : Fraction or None
        Whoever believes that every judge is right on more than the first, and at most the second, of
        the items has the verdict `winner` without labels.
    winner : "above", "below" or None
    robustness : Robustness or None
        What it takes to move the estimate of independent errors; never part of the verdict.
    judged : dict
        Of each judge: share of its votes for the label, and how often it was right on labelled items.
    warnings : tuple of str
    settings : dict
    certificates : dict of Certificate
        Proofs of the exact rows.
    """

    schema: ClassVar[str] = "algeval.rate/1"

    label: str
    rate: float | None
    low: float
    high: float
    level: float
    method: str
    target: str
    assumption: str
    against: Fraction
    verdict: str
    n_items: int
    n_gold: int
    judges: tuple[str, ...]
    rho2: float | None
    label_saving: tuple[float, float] | None
    lambda_: float | None
    balance: float | None
    table: tuple[Row, ...]
    conclusion_threshold: Fraction | None
    possible_up_to: Fraction | None
    winner: str | None
    robustness: Robustness | None
    judged: dict[str, dict[str, float | None]]
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]
    settings: dict[str, Any]
    certificates: dict[str, Certificate] = field(default_factory=dict, repr=False)

    @property
    def meaning(self) -> str:
        """What the interval does not mean."""
        if self.method == "votes":
            return "Votes alone have no error bar: more judges, or more items, do not make one."
        others = {
            "items": "It is about these items, and says nothing of others.",
            "population": "It is about items like these, drawn as these were.",
        }
        return f"{others[self.target]} If labels were picked, not drawn, it means nothing."

    def row(self, name: str) -> Row:
        """Return the row of this name.

        Raises
        ------
        KeyError
            If there is none.
        """
        found = {row.name: row for row in self.table}
        if name not in found:
            raise KeyError(f"no row {name!r}; there are {list(found)}")
        return found[name]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per assumption, the judges, and the answer in one row."""
        judges = [(name, *said.values()) for name, said in self.judged.items()]
        return (
            Table.of_records("What each assumption says", Row, self.table),
            Table.of_rows("Judges", ("judge", "votes_for_it", "right_on_labelled"), judges),
            scalars(self),
        )

    def summary(self) -> str:
        """Return the page a person reads: the answer, the rows, what the votes decide, warnings."""
        return page(self)
