"""The parts of a diagnosis: small frozen records, each with one sentence for people."""

from __future__ import annotations

from dataclasses import dataclass

from algeval.aggregate.checks.held_out import HeldOut
from algeval.aggregate.checks.pair_test import PairTest
from algeval.aggregate.checks.score_test import ScoreTest
from algeval.aggregate.checks.suspects import Suspect
from algeval.result.base import Record
from algeval.result.wording import how_many

__all__ = ["Coupling", "Findings", "Identifiability", "Quartets", "Stability"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quartets:
    """Where the dependence sits: the algebraic test on small sets of judges.

    It is run only after the test of all pairs has rejected independence, and decides nothing.

    Attributes
    ----------
    size : int
        Judges per set: four for two labels, three for more.
    n_possible, n_tested, n_undetermined : int
        Sets there are, sets tried, and those of them with under 100 common items or no statistic.
    n_rejected : int
        Sets further from independence than the furthest set of all but a share `level` of the
        exams drawn from the fitted independent judges.
    smallest_p : float or None
        Share of drawn exams whose furthest set is as far off as the furthest one here.
    worst : tuple of str
        The judges of that set.
    level : float
    n_replicates : int
        Drawn exams.
    """

    size: int
    n_possible: int
    n_tested: int
    n_undetermined: int
    n_rejected: int
    smallest_p: float | None
    worst: tuple[str, ...]
    level: float
    n_replicates: int

    def describe(self) -> str:
        """Return one sentence."""
        told = f"{self.n_tested} of {how_many(self.n_possible, 'set')} of {self.size} judges"
        if self.smallest_p is None:
            return f"Algebraic test: {told}, none with enough items to say anything."
        return (
            f"Algebraic test, to say where: of {told}, {self.n_rejected} reject independence on "
            f"their own at {self.level:g}; the smallest corrected p is {self.smallest_p:.2g} "
            f"({', '.join(self.worst)}), by {self.n_replicates} exams drawn from independent judges."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """Whether the start of the iteration decides the answer.

    Attributes
    ----------
    method : str
    n_starts : int
    gain : float
        Log-likelihood the best start gains over the majority start, nats (penalised).
    changed : float
        Share of items whose label differs between the two.
    """

    method: str
    n_starts: int
    gain: float
    changed: float

    def describe(self) -> str:
        """Return one sentence."""
        if self.changed == 0:
            starts = how_many(self.n_starts, "start gives", "starts give")
            return f"Stability: of {self.method}, {starts} the same labels."
        return (
            f"Stability: the best of {how_many(self.n_starts, 'start')} of {self.method} gains "
            f"{self.gain:.2f} nats over the majority start and changes {100 * self.changed:.1f}% "
            "of the labels."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupling:
    """How strongly judges share errors.

    Attributes
    ----------
    within, bound : float
        Inflation of the summed evidence within the classes found, and at most (see
        `algeval.aggregate.checks.overcounting`); 1 under independence.
    mean_correlation, largest_correlation : float or None
        Of two judges' errors left over after the label, over all pairs tested (signed mean, and
        the one furthest from 0).
    effective_judges : float
        Judges who answered an item, on average, divided by `within`: as many independent judges
        would carry as much evidence. An upper estimate, for the classes take up part of what
        judges share.
    """

    within: float
    bound: float
    mean_correlation: float | None
    largest_correlation: float | None
    effective_judges: float

    def describe(self) -> str:
        """Return one sentence."""
        told = (
            f"Coupling: evidence is inflated {self.within:.2f} times within the classes (at most "
            f"{self.bound:.2f}), as if an item had at most {self.effective_judges:.1f} independent judges"
        )
        if self.mean_correlation is None:
            return told + "."
        return (
            f"{told}; leftover correlation of errors {self.mean_correlation:+.2f} on average, "
            f"{self.largest_correlation:+.2f} at most."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifiability(Record):
    """What these judges can teach about one model, however many items there are.

    Attributes
    ----------
    model : str
    identifiable : bool
    caveat : str
        Why not, or that the model is saturated; empty if there is nothing to say.
    standard_error : float or None
        Of the worst-known direction of its parameters at the independent fit, from the Fisher
        information of these items (infinite where singular); None where it was not computed.
    """

    model: str
    identifiable: bool
    caveat: str
    standard_error: float | None

    def describe(self) -> str:
        """Return one sentence."""
        if not self.identifiable:
            return f"Identifiability: {self.caveat}."
        told = f"Identifiability: {self.model} can be learned from so many judges"
        if self.caveat:
            told += f", but: {self.caveat.rstrip('.')}"
        if self.standard_error is None:
            return told + "."
        weak = " (above 1: prior and start decide there)" if self.standard_error > 1 else ""
        return (
            f"{told}; the worst-known direction has a standard error of "
            f"{self.standard_error:.3g}{weak}."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """What the checks found without any key; None where a check does not apply."""

    pairs: PairTest | None
    score_test: ScoreTest | None
    quartets: Quartets | None
    held_out: HeldOut | None
    stability: Stability | None
    coupling: Coupling | None
    identifiability: tuple[Identifiability, ...]
    suspects: tuple[Suspect, ...]
