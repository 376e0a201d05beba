"""What all rungs stand on: the counts, the label, the rate compared with, the time there is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from algeval.data import Summary
from algeval.data.reading import Data, as_sketch, as_summary
from algeval.data.settings import check_choice, check_number
from algeval.logic.exam import Exam, read_exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.full import Full
from algeval.logic.proof.clock import Clock
from algeval.rates.inputs import exact_share, label_place
from algeval.rates.ladder.rung import End, side_of
from algeval.rates.policy import FULL_ITEMS, FULL_TUPLES

__all__ = ["Ground", "ground_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What all rungs stand on.

    Attributes
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    exam : Exam
        Its counts per judge.
    place : int
        Of the label.
    against : Fraction
    target : "items" or "population"
    level : float
    clock : Clock
    full : Order or None
        Full order, where it is small enough to be tried.
    """

    data: Data
    exam: Exam
    place: int
    against: Fraction
    target: str
    level: float
    clock: Clock
    full: Order | None

    @property
    def label(self) -> str:
        """The label whose rate is asked for."""
        return self.exam.labels[self.place]

    def side(self, low: End | None, high: End | None) -> str:
        """Return on which side of the rate compared with an interval lies."""
        return side_of(low, high, self.against)


def ground_of(
    data: Data, label: object, *, against: object, target: str, level: float, clock: Clock
) -> Ground:
    """Return the ground of a ladder, its settings checked.

    Raises
    ------
    DataError
        If the label is none of the data's, or a setting is not what it has to be.
    """
    exam = read_exam(as_summary(data))
    return Ground(
        data,
        exam,
        label_place(exam.labels, label),
        exact_share(against, "against"),
        check_choice("target", target, ("items", "population")),
        check_number("level", level, least=0, most=1, strict=True),
        clock,
        _full_order(data, exam),
    )


def _full_order(data: Data, exam: Exam) -> Order | None:
    """Return full order, where the data have it and few enough different tuples of answers."""
    if isinstance(data, Summary) or exam.n_judges < 2:
        return None
    if exam.n_items > FULL_ITEMS and len(exam.answers) ** exam.n_judges > FULL_TUPLES:
        return None
    sketch = as_sketch(data)
    return Full(replace(exam, digest=sketch.digest), sketch) if len(sketch) <= FULL_TUPLES else None
