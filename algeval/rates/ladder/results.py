"""The ladder itself: rungs from nothing assumed up, and the panel's thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from algeval.logic.proof.certificate import Certificate
from algeval.rates.ladder.rung import Rung
from algeval.result import Result
from algeval.result.base import Record

__all__ = ["Ladder", "Robustness"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness(Record):
    """How much dependence between errors moves the algebra's estimate to the rate compared with.

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
        `undetermined` where the votes decide nothing, and they never decide a rate by themselves;
        `inconsistent` where a rung lies outside a lower one, or an assumption asked for is impossible.
    label : str
    target : "items" or "population"
    against : Fraction
        The rate compared with.
    rungs : tuple of Rung
        The fewer assumptions, the earlier.
    low, high : Fraction or float
        The widest honest set: nothing assumed, or what `at_least` was given for.
    winner : "above", "below" or None
        The side that beliefs from `conclusion_threshold` to `possible_up_to` certify.
    conclusion_threshold : Fraction or None
        The largest x for which some key on the other side (or at `against`) leaves every judge right
        on at least x of the items it answered. Beliefs above it, up to `possible_up_to`, decide.
    possible_up_to : Fraction or None
        The largest x for which any key at all leaves every judge right on at least x.
    robustness : Robustness or None
    alarms : tuple of str
        Rungs that contradict one another, a sentence each.
    notes : tuple of str
    certificates : dict of Certificate
        Proofs of the exact statements, by what they prove.
    """

    schema: ClassVar[str] = "algeval.ladder/1"

    label: str
    target: str
    against: Fraction
    n_items: int
    judges: tuple[str, ...]
    rungs: tuple[Rung, ...]
    low: Fraction | float
    high: Fraction | float
    winner: str | None
    conclusion_threshold: Fraction | None
    possible_up_to: Fraction | None
    robustness: Robustness | None
    alarms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    certificates: dict[str, Certificate] = field(default_factory=dict)
