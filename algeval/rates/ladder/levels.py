"""The highest level that all judges can reach at some key of a kind: exact, at any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order, certified, decide
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import next_fraction, previous_fraction
from algeval.rates.policy import END_SECONDS

__all__ = ["Accuracies", "Grades", "Level", "best_grade", "highest_level", "level_at"]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The highest level that all judges reach at some key of a kind.

    Attributes
    ----------
    reached : Fraction
        Some key lets all judges reach it; `witness` shows one.
    limit : Fraction
        No key lets all judges exceed it; `refutation` proves it (None where it is 1).
    """

    reached: Fraction
    limit: Fraction
    witness: Certificate | None = None
    refutation: Certificate | None = None

    @property
    def exact(self) -> bool:
        """Whether the two meet."""
        return self.reached == self.limit


@dataclass(frozen=True, slots=True)
class Grades:
    """The shares of answered items on which a judge can be right: the levels that make a difference.

    Examples
    --------
    >>> Grades((4, 5)).up(Fraction(3, 5)), Grades((4, 5)).above(Fraction(3, 5))
    (Fraction(3, 5), Fraction(3, 4))
    """

    held: tuple[int, ...]

    def up(self, x: Fraction) -> Fraction:
        """Return the lowest level not below x."""
        return min(Fraction(ceil(x * n), n) for n in self.held)

    def above(self, x: Fraction) -> Fraction:
        """Return the lowest level above x."""
        return min(Fraction(floor(x * n) + 1, n) for n in self.held)

    def below(self, x: Fraction) -> Fraction:
        """Return the highest level below x."""
        return max(Fraction(ceil(x * n) - 1, n) for n in self.held)

    def asked(self, sense: str, x: Fraction) -> Specification:
        """Return: every judge reaches (or exceeds) x."""
        return Specification.grade(sense, x)


@dataclass(frozen=True, slots=True)
class Accuracies:
    """The accuracies that a judge can have on a label of at most so many items."""

    n_items: int

    def up(self, x: Fraction) -> Fraction:
        """Return the lowest level not below x."""
        return x if x.denominator <= self.n_items else next_fraction(x, self.n_items)

    def above(self, x: Fraction) -> Fraction:
        """Return the lowest level above x."""
        return next_fraction(x, self.n_items)

    def below(self, x: Fraction) -> Fraction:
        """Return the highest level below x."""
        return previous_fraction(x, self.n_items)

    def asked(self, sense: str, x: Fraction) -> Specification:
        """Return: every judge reaches (or exceeds) x on every label."""
        return Specification.accuracy(sense, x)


def best_grade(exam: Exam, place: int, low: int, high: int) -> Fraction:
    """Return the highest grade that all judges reach at a key of two labels, in closed form.

    Each judge's best grade is concave in the number q of items of the label, and so is the least of
    them: the best q from low to high is found by halving.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> from algeval.logic.exam import read_exam
    >>> exam = read_exam(Summary.from_counts({"x": {"a": 9, "b": 1}, "y": {"a": 5, "b": 5}}))
    >>> best_grade(exam, 0, 0, 10)
    Fraction(4, 5)
    """

    def least(q: int) -> Fraction:
        rows = zip(exam.counts, range(exam.n_judges), strict=True)
        return min(
            (_best(row, place, q, exam.n_items, exam.held(i)) for row, i in rows if exam.held(i)),
            default=Fraction(1),
        )

    while low < high:
        middle = (low + high) // 2
        if least(middle + 1) > least(middle):
            low = middle + 1
        else:
            high = middle
    return least(low)


def _best(counts: Sequence[int], place: int, q: int, n_items: int, held: int) -> Fraction:
    return Fraction(min(counts[place], q) + min(counts[1 - place], n_items - q), held)


def highest_level(
    order: Order, grid: Grades | Accuracies, key: Specification, before: Level, clock: Clock
) -> Level:
    """Return the highest level that all judges reach at some key, by halving between decisions.

    Parameters
    ----------
    order : Order
    grid : Grades or Accuracies
        The levels that make a difference.
    key : Specification
        What is asked of the answer key.
    before : Level
        What is known not to be exceeded; its limit is tried first.
    clock : Clock
        Where it runs out, or a level is left open, the two ends stay apart.
    """
    reached, limit, refutation = Fraction(0), before.limit, before.refutation
    witness, tried = None, limit
    while reached < limit and not clock.over:
        spec = grid.asked(">=", tried) & key
        outcome = decide(order, spec, clock.part(share=0.5))
        if outcome.possible is None:
            break
        if outcome.possible:
            reached, witness = tried, certified(order, spec, outcome)
        else:
            limit, refutation = grid.below(tried), certified(order, spec, outcome)
        tried = max(grid.up((reached + limit) / 2), grid.above(reached))
    return Level(reached, limit, witness, refutation)


def level_at(
    order: Order, grid: Grades | Accuracies, key: Specification, level: Fraction, clock: Clock
) -> Level:
    """Return a level known in closed form, with its witness and its refutation."""

    def proof(sense: str) -> Certificate | None:
        spec = grid.asked(sense, level) & key
        return certified(order, spec, decide(order, spec, clock.part(END_SECONDS)))

    return Level(level, level, proof(">="), proof(">") if level < 1 else None)
