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

__all__ = ["Cover", "Interval", "covers_of", "key_range"]

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


def covers_of(exam: Exam, spec: Specification) -> tuple[Cover, ...] | None:
    """Return the demands of a specification; None where it has no closed form.

    It has one if it asks grades from below of the judges, or accuracies from below, but not both.
    """
    kinds = {(c.quantity, c.sense == "<=") for c in spec.conditions}
    if spec.min_judges is not None or kinds not in ({("grade", False)}, {("accuracy", False)}):
        return None
    by_label = ("accuracy", False) in kinds
    make = _by_label if by_label else _by_grade
    return tuple(make(exam, i, spec.conditions) for i in range(exam.n_judges))


def _by_grade(exam: Exam, judge: int, conditions: Sequence[Condition]) -> Cover:
    x = _highest(exam, judge, None, conditions)
    return Cover(exam.counts[judge][: exam.n_labels], ceil(x * exam.held(judge)))


def _by_label(exam: Exam, judge: int, conditions: Sequence[Condition]) -> Cover:
    held = exam.held(judge)
    caps = []
    for label, right in zip(exam.labels, exam.counts[judge], strict=False):  # labels come first
        x = _highest(exam, judge, label, conditions)
        caps.append(0 if x > 1 else min(held, floor(right / x)) if x else held)
    return Cover(tuple(caps), held)


def _highest(
    exam: Exam, judge: int, label: str | None, conditions: Sequence[Condition]
) -> Fraction:
    levels = [
        level_of(c, exam.n_items)
        for c in conditions
        if c.judge in (None, exam.judges[judge]) and (label is None or c.label in (None, label))
    ]
    return max(levels, default=Fraction(0))


class NoClosedForm(Exception):  # noqa: N818
    """The demands have no closed form; a program settles them."""


def key_range(covers: Sequence[Cover], n_items: int, place: int) -> Interval | None:
    """Return the fewest and the most items that a label can have; None where no key meets all demands.

    Parameters
    ----------
    covers : one per judge
    n_items : int
    place : int
        Of the label.

    Raises
    ------
    NoClosedForm
        With more than two labels, unless every judge is held to every item, label by label.

    Examples
    --------
    >>> key_range([Cover((6, 4), 8), Cover((7, 3), 8)], 10, 0)
    (5, 8)
    """
    if all(len(cover.caps) == 2 for cover in covers):
        return _of_two(covers, n_items, place)
    if all(cover.need == n_items for cover in covers):
        return _of_boxes(covers, n_items, place)
    raise NoClosedForm


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
