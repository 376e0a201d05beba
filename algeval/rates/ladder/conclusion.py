"""Which side wins, for whom: the beliefs about the judges that decide, and those that are possible.

"The rate is above t" holds for whoever believes that every judge is right on more than x*, the highest
level that all judges reach at some key with a rate of at most t. No key lets all of them exceed x_max.
Where the two are equal, no belief decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.clock import Clock
from algeval.rates.ladder.levels import (
    Accuracies,
    Grades,
    Level,
    best_grade,
    highest_level,
    level_at,
)
from algeval.result import format_exact

__all__ = ["Conclusion", "conclude"]


@dataclass(frozen=True, slots=True, eq=False)
class Conclusion:
    """What beliefs about accuracy decide.

    Attributes
    ----------
    winner : "above", "below" or None
        None: no belief decides.
    threshold, possible_up_to : Fraction
        Beliefs above the first, up to the second, decide. Equal where none does.
    at_most, at_least : Level
        The highest levels at keys whose rate is at most, or at least, the one compared with.
    order : int or "full"
    exact : bool
        Whether both are the best possible; else they are proved limits.
    """

    winner: str | None
    threshold: Fraction
    possible_up_to: Fraction
    at_most: Level
    at_least: Level
    order: int | str
    exact: bool

    def certificates(self) -> dict[str, Certificate]:
        """Return the proofs by what they prove."""
        sides = {"at most": self.at_most, "at least": self.at_least}
        found = {
            f"threshold {side}: {what}": getattr(level, what)
            for side, level in sides.items()
            for what in ("witness", "refutation")
        }
        return {name: one for name, one in found.items() if one is not None}

    def sentence(self, label: str, against: Fraction) -> str:
        """Return what beliefs decide, in words."""
        most = format_exact(self.possible_up_to)
        if self.winner is None:
            return (
                f"No belief about accuracy decides on which side of {format_exact(against)} the rate of "
                f"{label!r} lies on these items; that all judges are right on more than {most} of what they "
                "answered is impossible."
            )
        return (
            f"On these items the rate of {label!r} is {self.winner} {format_exact(against)} for whoever "
            f"believes that every judge is right on more than {format_exact(self.threshold)} of what it "
            f"answered; more than {most} is impossible for all of them."
        )


def conclude(
    order: Order,
    place: int,
    against: Fraction,
    clock: Clock,
    *,
    before: Conclusion | None = None,
    by_label: bool = False,
) -> Conclusion:
    """Return which beliefs decide on which side of a rate the rate of a label lies.

    Parameters
    ----------
    order : Order
    place : int
        Of the label.
    against : Fraction
    clock : Clock
    before : Conclusion, optional
        What order 1 found: higher orders only lower its levels.
    by_label : bool
        Beliefs about every label's accuracy, in place of those about all items answered.
    """
    exam = order.exam
    label = exam.labels[place]
    keys = [Specification.prevalence(label, sense, against) for sense in ("<=", ">=")]
    known = [_UNKNOWN] * 2 if before is None else [before.at_most, before.at_least]
    at_most, at_least = (
        _level(order, place, key, level, clock, by_label=by_label)
        for key, level in zip(keys, known, strict=True)
    )
    return _read(at_most, at_least, order.name)


_UNKNOWN = Level(Fraction(0), Fraction(1))


def _level(
    order: Order,
    place: int,
    key: Specification,
    before: Level,
    clock: Clock,
    *,
    by_label: bool,
) -> Level:
    exam = order.exam
    held = tuple(sorted({n for n in map(exam.held, range(exam.n_judges)) if n}))
    grid = Accuracies(exam.n_items) if by_label else Grades(held or (1,))
    if isinstance(order, Order1) and exam.n_labels == 2 and not by_label:
        x = _closed(exam, place, key)
        return level_at(order, grid, key, x, clock)
    return highest_level(order, grid, key, before, clock)


def _closed(exam: Exam, place: int, key: Specification) -> Fraction:
    (condition,) = key.conditions
    edge = condition.value * exam.n_items
    low, high = (0, floor(edge)) if condition.sense == "<=" else (ceil(edge), exam.n_items)
    return best_grade(exam, place, low, high)


def _read(at_most: Level, at_least: Level, order: int | str) -> Conclusion:
    highest = max(at_most.limit, at_least.limit)
    winner, threshold = None, highest
    if at_most.limit < at_least.reached:
        winner, threshold = "above", at_most.limit
    elif at_least.limit < at_most.reached:
        winner, threshold = "below", at_least.limit
    exact = at_most.exact and at_least.exact
    return Conclusion(winner, threshold, highest, at_most, at_least, order, exact)
