"""Order 1: the highest level that some answer key lets every judge reach on every label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.logic.demand import Asked, System, system_of
from algeval.logic.exam import Exam
from algeval.logic.orders.closed_form import highest_level
from algeval.logic.orders.find_key import find_key
from algeval.logic.policy import BISECTIONS
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import next_fraction

__all__ = ["Highest", "at_level", "highest"]


@dataclass(frozen=True, slots=True)
class Highest:
    """A level attained at `key`, and one above which there is none."""

    lower: Fraction
    upper: Fraction
    key: tuple[int, ...]


def at_level(
    exam: Exam, x: Fraction, low: Sequence[int], high: Sequence[int], *, strict: bool = False
) -> System:
    """Return the system of answer keys for accuracy >= x (or > x) of every judge everywhere."""
    level = next_fraction(x, exam.n_items) if strict else x
    row = (level,) * exam.n_labels
    return system_of(exam, Asked((row,) * exam.n_judges, tuple(low), tuple(high), True))


def highest(exam: Exam, low: Sequence[int], high: Sequence[int], clock: Clock) -> Highest | None:
    """Return the threshold within bounds on the answer key; None if no key is within them."""
    if not any(exam.excused):
        return _complete(exam, low, high)
    start = find_key(at_level(exam, Fraction(0), low, high), clock)[0]
    if start is None:
        return None
    return _Ascent(exam, low, high, clock).run(start)


def _complete(exam: Exam, low: Sequence[int], high: Sequence[int]) -> Highest | None:
    n_items, labels = exam.n_items, range(exam.n_labels)
    if any(a > b for a, b in zip(low, high, strict=True)):
        return None
    if not sum(low) <= n_items <= sum(high):
        return None
    most = [min(counts[t] for counts in exam.counts) for t in labels]
    x = highest_level(most, n_items, high)
    for m, least in zip(most, low, strict=True):
        if least:
            x = min(x, Fraction(m, least))
    key = find_key(at_level(exam, x, low, high), Clock(None))[0]
    return None if key is None else Highest(x, x, key)


class _Ascent:
    """Raise the level from key to key, and halve the gap to a level known to be too high."""

    def __init__(self, exam: Exam, low: Sequence[int], high: Sequence[int], clock: Clock) -> None:
        self.exam, self.low, self.high, self.clock = exam, low, high, clock

    def find(self, x: Fraction, *, strict: bool = False) -> tuple[tuple[int, ...] | None, bool]:
        return find_key(at_level(self.exam, x, self.low, self.high, strict=strict), self.clock)

    def reach(self, key: Sequence[int], known: Fraction | None = None) -> Fraction:
        """Return the highest level that every judge reaches at this key.

        Where time runs out it is a level known to be reached; if none is given, that of the judges
        looked at, which the others can only lower.
        """
        labels, least = self.exam.n_labels, Fraction(1)
        for i in range(self.exam.n_judges):
            if self.clock.over:
                return least if known is None else known
            own = highest_level(self.exam.counts[i][:labels], self.exam.held(i), key)
            least = min(least, own)
        return least

    def run(self, key: tuple[int, ...]) -> Highest:
        best, upper = key, self.reach(self.high)
        lower = self.reach(best, Fraction(0))
        while lower < 1:
            above, ended = self.find(lower, strict=True)
            if above is None:
                return Highest(lower, lower if ended else upper, best)
            best, lower = above, self.reach(above, lower)
            for x in (upper, *[None] * BISECTIONS):
                if lower >= upper:
                    break
                middle = _between(lower, upper) if x is None else x
                found, ended = self.find(middle)
                if found is not None:
                    best, lower = found, self.reach(found, middle)
                elif ended:
                    upper = middle
                else:
                    return Highest(lower, upper, best)
        return Highest(lower, lower, best)


def _between(lower: Fraction, upper: Fraction) -> Fraction:
    """Return a level near the middle; its own denominator need not be small."""
    middle = (lower + upper) / 2
    near = middle.limit_denominator(10**9)
    return near if lower < near < upper else middle
