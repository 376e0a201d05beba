"""Which answer keys leave judges right so often, in whole numbers: the closed forms of order 1.

Whatever a judge is asked, the counts q of an answer key satisfy it if and only if the label answers
cover enough items: sum over labels of min(caps[l], q[l]) >= need. Right on at least x of the Q items
answered: caps are the label counts R[l], need = ceil(x Q). Right on at least x[l] of those of each
label: caps are floor(R[l] / x[l]), the most items of the label it can have been asked, need = Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from algeval.data import Condition, Specification
from algeval.logic.demand import level_of
from algeval.logic.exam import Exam

__all__ = ["Cover", "Floors", "Interval", "closed", "covers_of", "floors_of", "key_range"]

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cover:
    """One judge's demand on the answer key: sum over labels of min(caps[l], q[l]) >= need.

    Examples
    --------
    >>> Cover((6, 4), 8).admits((5, 5)), Cover((6, 4), 8).admits((3, 7))
    (True, False)
    """

    caps: tuple[int, ...]
    need: int

    def admits(self, key: Sequence[int]) -> bool:
        """Whether the judge can be right so often with these counts of an answer key."""
        return sum(map(min, self.caps, key)) >= self.need

    def window(self, n_items: int, place: int) -> Interval | None:
        """Return the counts of one of two labels that meet the demand, before they are clipped."""
        if sum(self.caps) < self.need:
            return None
        return self.need - self.caps[1 - place], self.caps[place] + n_items - self.need


@dataclass(frozen=True, slots=True)
class Floors:
    """How often each judge is at least right: of what it answered, or of each label.

    Attributes
    ----------
    by_label : bool
    levels : N tuples of R Fraction
        Per judge and label; where `by_label` is false all of a judge's are the same.
    """

    by_label: bool
    levels: tuple[tuple[Fraction, ...], ...]

    def cover(self, exam: Exam, judge: int) -> Cover:
        """Return what one judge demands of the answer key."""
        right, held = exam.counts[judge][: exam.n_labels], exam.held(judge)
        levels = self.levels[judge]
        if not self.by_label:
            return Cover(right, ceil(levels[0] * held))
        return Cover(tuple(map(_most_held, right, levels, [held] * len(right))), held)


def floors_of(exam: Exam, spec: Specification) -> Floors | None:
    """Return the floors that a specification is; None where it asks for anything else.

    It has to ask grades from below, or accuracies from below, but not both.
    """
    kinds = {(c.quantity, c.sense == "<=") for c in spec.conditions}
    if spec.min_judges is not None or kinds not in ({("grade", False)}, {("accuracy", False)}):
        return None
    rows = [
        tuple(_highest(exam, judge, label, spec.conditions) for label in exam.labels)
        for judge in exam.judges
    ]
    return Floors(("accuracy", False) in kinds, tuple(rows))


def covers_of(exam: Exam, spec: Specification) -> tuple[Cover, ...] | None:
    """Return the demands of a specification; None where it is no floors."""
    floors = floors_of(exam, spec)
    if floors is None:
        return None
    return tuple(floors.cover(exam, judge) for judge in range(exam.n_judges))


def _most_held(right: int, x: Fraction, held: int) -> int:
    """Return the most items of a label that a judge can be held to and still reach x on it."""
    if x > 1:
        return 0
    return min(held, floor(right / x)) if x else held


def _highest(exam: Exam, judge: str, label: str, conditions: Sequence[Condition]) -> Fraction:
    levels = [
        level_of(c, exam.n_items)
        for c in conditions
        if c.judge in (None, judge) and c.label in (None, label)
    ]
    return max(levels, default=Fraction(0))


def closed(covers: Sequence[Cover], n_items: int) -> bool:
    """Whether `key_range` is exact: two labels, or every judge held to every item label by label."""
    return all(len(cover.caps) == 2 or cover.need == n_items for cover in covers)


def key_range(covers: Sequence[Cover], n_items: int, place: int) -> Interval | None:
    """Return the fewest and the most items that a label can have; None where no key meets all demands.

    Parameters
    ----------
    covers : one per judge
        Such that they are `closed`.
    n_items : int
    place : int
        Of the label.

    Examples
    --------
    >>> key_range([Cover((6, 4), 8), Cover((7, 3), 8)], 10, 0)
    (5, 8)
    """
    of_two = all(len(cover.caps) == 2 for cover in covers)
    return (_of_two if of_two else _of_boxes)(covers, n_items, place)


def _of_two(covers: Sequence[Cover], n_items: int, place: int) -> Interval | None:
    low, high = 0, n_items
    for cover in covers:
        window = cover.window(n_items, place)
        if window is None:
            return None
        low, high = max(low, window[0]), min(high, window[1])
    return (low, high) if low <= high else None


def _of_boxes(covers: Sequence[Cover], n_items: int, place: int) -> Interval | None:
    """Return the range where every label has at most so many items, whatever the others have."""
    most = [min(n_items, *caps) for caps in zip(*(c.caps for c in covers), strict=True)]
    low = max(0, n_items - sum(most) + most[place])
    return (low, most[place]) if low <= most[place] else None
