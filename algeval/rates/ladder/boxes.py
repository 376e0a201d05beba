"""Floors and ceilings of two labels: which rates a judge's share of votes leaves possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.data import Condition, Specification
from algeval.logic.exam import Exam

__all__ = ["Box", "box_range"]

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Box:
    """The accuracies that a judge may have on a label and on the other one.

    Attributes
    ----------
    on, off : pair of Fraction
        Lowest and highest accuracy on the items of the label, and on the others.
    """

    on: Ends
    off: Ends

    def rates(self, share: Fraction) -> Ends | None:
        """Return the rates at which a judge may give the label on a share of the items.

        None where there is none. Clipped to [0, 1] only after that is decided: clipping first would
        show a point where there is nothing.

        Examples
        --------
        >>> box = Box((Fraction(4, 5), Fraction(9, 10)), (Fraction(7, 10), Fraction(1)))
        >>> box.rates(Fraction(1, 2))
        (Fraction(1, 3), Fraction(5, 8))
        >>> box.rates(Fraction(19, 20)) is None
        True
        """
        (a, most_on), (b, most_off) = self.on, self.off
        if a + b <= 1:
            return Fraction(0), Fraction(1)
        if share < 1 - most_off or share > most_on:
            return None
        low = (share - 1 + b) / (most_on + b - 1)
        high = (share - 1 + most_off) / (a + most_off - 1)
        return max(low, Fraction(0)), min(high, Fraction(1))


def box_range(exam: Exam, spec: Specification, place: int) -> Ends | None:
    """Return the rates of one of two labels that floors and ceilings leave, for any number of items.

    Every key's rate lies inside; not every rate inside need be that of a key in whole numbers. Conditions
    on anything but accuracies, and judges who left items out, are passed over.
    """
    low, high = Fraction(0), Fraction(1)
    for i, judge in enumerate(exam.judges):
        if (
            exam.n_labels != 2
            or exam.missing[i]
            or exam.counts[i][2:].count(0) < len(exam.answers) - 2
        ):
            continue
        box = Box(*(_limits(judge, exam.labels[t], spec.conditions) for t in (place, 1 - place)))
        found = box.rates(Fraction(exam.counts[i][place], exam.n_items))
        if found is None:
            return None
        low, high = max(low, found[0]), min(high, found[1])
    return (low, high) if low <= high else None


def _limits(judge: str, label: str, conditions: Sequence[Condition]) -> Ends:
    about = [
        c
        for c in conditions
        if c.quantity == "accuracy" and c.judge in (None, judge) and c.label in (None, label)
    ]
    low = max((c.value for c in about if c.sense != "<="), default=Fraction(0))
    high = min((c.value for c in about if c.sense == "<="), default=Fraction(1))
    return low, high
