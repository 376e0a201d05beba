"""The same beliefs where the items are a sample: each judge's counts become intervals, then meet.

A maximum over judges of noisy ends is not covered by widening the maximum, so each judge's share of
votes gets its own Wilson interval, at a level that all of them hold together.
"""

from __future__ import annotations

from algeval.logic.exam import Exam
from algeval.rates.intervals.wilson import wilson
from algeval.rates.ladder.covers import Floors

__all__ = ["population_range"]

Ends = tuple[float, float]


def population_range(exam: Exam, floors: Floors, place: int, level: float) -> Ends | None:
    """Return the rates of a label in the population that floors leave, at a level of confidence.

    Parameters
    ----------
    exam : Exam
        Counts of items drawn at random from the population.
    floors : Floors
        Of the judges' accuracies in the population, on what they answer there.
    place : int
        Of the label.
    level : float

    Returns
    -------
    pair of float, or None
        None where no rate is left: at this confidence the floors are wrong.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from algeval.data import Summary
    >>> from algeval.logic.exam import read_exam
    >>> exam = read_exam(Summary.from_counts({"x": {"a": 900, "b": 100}}))
    >>> floors = Floors(False, ((Fraction(9, 10),) * 2,))
    >>> low, high = population_range(exam, floors, 0, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.78, 1.0)
    """
    low, high = (_by_label if floors.by_label else _by_grade)(exam, floors, place, level)
    return (low, high) if low <= high else None


def _by_grade(exam: Exam, floors: Floors, place: int, level: float) -> Ends:
    """Return: rate >= share - (1 - x) answered, and rate <= share + (1 - x) answered + left out."""
    each = _each(level, sum(1 + bool(m) for m in exam.missing))
    low, high = 0.0, 1.0
    for i in range(exam.n_judges):
        if not exam.held(i):
            continue
        slack = 1 - float(floors.levels[i][0])
        least, most = wilson(exam.counts[i][place], exam.n_items, each)
        none, left_out = _left_out(exam, i, each)
        low = max(low, least - slack * (1 - none))
        high = min(high, most + slack + (1 - slack) * left_out)
    return low, high


def _by_label(exam: Exam, floors: Floors, place: int, level: float) -> Ends:
    """Return: each label's rate <= share / x + left out, and the others leave the rest."""
    two = exam.n_labels == 2  # of two labels one share is the other's complement
    shares = sum((1 if two else exam.n_labels) + bool(m) for m in exam.missing)
    each = _each(level, shares)
    most = [1.0] * exam.n_labels
    for i in range(exam.n_judges):
        _, left_out = _left_out(exam, i, each)
        for t, x in enumerate(floors.levels[i]):
            if x and exam.held(i):
                share = wilson(exam.counts[i][t], exam.n_items, each)[1]
                most[t] = min(most[t], share / float(x) + left_out)
    return max(0.0, 1 - sum(most) + most[place]), most[place]


def _each(level: float, n: int) -> float:
    return 1 - (1 - level) / max(1, n)


def _left_out(exam: Exam, judge: int, level: float) -> Ends:
    missing = exam.missing[judge]
    return wilson(missing, exam.n_items, level) if missing else (0.0, 0.0)
