"""The range of a rate under a belief about the judges, exact and with its proofs.

Closed forms give the ends where there are any, and two refutations and two witnesses prove them;
elsewhere the integer programs of `algeval.logic` do both. A higher order only narrows what order 1 says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order, certified, decide
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.clock import Clock
from algeval.logic.questions.ends import Proved, Quantity, ranges
from algeval.logic.results import RangeProof
from algeval.rates.ladder.boxes import box_range
from algeval.rates.ladder.covers import Interval, closed, covers_of, key_range
from algeval.rates.policy import END_SECONDS

__all__ = ["Settled", "narrowed", "settle"]


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Which rates a belief leaves possible.

    Attributes
    ----------
    ends : pair of Fraction or None
        None where the belief is impossible.
    proof : RangeProof
        What proves the ends.
    impossible : Certificate or None
        What proves that there are none.
    order : int or "full"
        How many judges' joint answers it took.
    exact : bool
        Whether both ends are attained; else nothing lies beyond them.
    """

    ends: tuple[Fraction, Fraction] | None
    proof: RangeProof = RangeProof()  # noqa: RUF009 (frozen)
    impossible: Certificate | None = None
    order: int | str = 1
    exact: bool = True

    def certificates(self) -> dict[str, Certificate]:
        """Return the proofs by what they prove."""
        found = {
            "impossible": self.impossible,
            "not below": self.proof.below,
            "lowest": self.proof.lowest,
            "highest": self.proof.highest,
            "not above": self.proof.above,
        }
        return {name: one for name, one in found.items() if one is not None}


def settle(exam: Exam, spec: Specification, place: int, clock: Clock) -> Settled:
    """Return the rates of a label that a specification leaves possible at order 1.

    Parameters
    ----------
    exam : Exam
        Under the rule that a judge is held to what it answered.
    spec : Specification
    place : int
        Of the label.
    clock : Clock
        For the proofs, and for what has no closed form.
    """
    covers = covers_of(exam, spec)
    if covers is None or not closed(covers, exam.n_items):
        return _boxed(_by_program(Order1(exam), spec, place, clock), exam, spec, place)
    found = key_range(covers, exam.n_items, place)
    if found is None:
        return Settled(None, impossible=_certificate(exam, spec, clock))
    ends = Fraction(found[0], exam.n_items), Fraction(found[1], exam.n_items)
    return Settled(ends, _proofs(exam, spec, place, found, clock))


def _boxed(found: Settled, exam: Exam, spec: Specification, place: int) -> Settled:
    """Return ends that a program left open, cut to the closed form of floors and ceilings."""
    if found.exact or found.ends is None:
        return found
    box = box_range(exam, spec, place)
    if box is None:
        return Settled(None, exact=False)
    ends = max(found.ends[0], box[0]), min(found.ends[1], box[1])
    return replace(found, ends=ends if ends[0] <= ends[1] else None)


def narrowed(
    order: Order, spec: Specification, place: int, first: Settled, clock: Clock
) -> Settled:
    """Return what a higher order leaves of what order 1 found; the same where it settles nothing."""
    if first.ends is None or not order.in_time(clock):
        return first
    found = _by_program(order, spec, place, clock)
    if found.ends is None:
        return found
    if found.ends == first.ends or not _inside(found.ends, first.ends):
        return first
    return found


def _inside(inner: tuple[Fraction, Fraction], outer: tuple[Fraction, Fraction]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _by_program(order: Order, spec: Specification, place: int, clock: Clock) -> Settled:
    possible = decide(order, spec, clock)
    if possible.possible is False:
        return Settled(None, impossible=certified(order, spec, possible), order=order.name)
    ((_, found),) = ranges(order, spec, clock, [Quantity(None, place)])
    return _settled(found, order.name)


def _settled(found: Proved, order: int | str) -> Settled:
    if found.ends is None:
        return Settled((Fraction(0), Fraction(1)), order=order, exact=False)
    return Settled(found.ends, found.proof, order=order, exact=found.exact)


def _proofs(
    exam: Exam, spec: Specification, place: int, ends: Interval, clock: Clock
) -> RangeProof:
    """Return witnesses of both ends, and refutations of what lies one item beyond."""
    label, n = exam.labels[place], exam.n_items
    low, high = ends

    def proof(sense: str, items: int) -> Certificate | None:
        if not 0 <= items <= n:
            return None
        value = Fraction(items, n)
        return _certificate(exam, spec & Specification.prevalence(label, sense, value), clock)

    return RangeProof(
        lowest=proof("<=", low),
        below=proof("<=", low - 1),
        highest=proof(">=", high),
        above=proof(">=", high + 1),
    )


def _certificate(exam: Exam, spec: Specification, clock: Clock) -> Certificate | None:
    order = Order1(exam)
    return certified(order, spec, decide(order, spec, clock.part(END_SECONDS)))
