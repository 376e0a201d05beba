"""The range of a quantity over all consistent evaluations, at any order.

With nothing asked of the judges order 1 has closed forms. Otherwise an end is a value that whole
numbers attain, found by an integer program, beyond which exact multipliers (or a small tree) leave
nothing. Where that does not close, the end is the best limit that was refuted exactly, and is said
to be an outer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.layout import Layout
from algeval.logic.policy import (
    ALL_AT_ONCE_BELOW,
    END_DENOMINATOR,
    END_HALVINGS,
    END_NODES,
    END_SECONDS,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import farey_floor, next_fraction
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import branch, find_shares, root_refutation

__all__ = ["ExactRange", "Quantity", "free_range", "quantities", "ranges"]


Range = tuple[Fraction, Fraction]
Columns = tuple[int, ...]
Parts = Sequence[Columns]


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is bounded: judge None means a prevalence, label None a grade."""

    judge: int | None
    label: int | None


def quantities(exam: Exam) -> Iterator[Quantity]:
    """Yield every prevalence, grade and accuracy."""
    for t in range(exam.n_labels):
        yield Quantity(None, t)
    for i in range(exam.n_judges):
        yield Quantity(i, None)
        for t in range(exam.n_labels):
            yield Quantity(i, t)


def free_range(exam: Exam, what: Quantity) -> Range | None:
    """Return the range with nothing asked: every answer key is consistent at order 1."""
    zero, one = Fraction(0), Fraction(1)
    if what.judge is None:
        return (zero, one) if exam.n_labels > 1 else (one, one)
    held = exam.held(what.judge)
    given = exam.counts[what.judge][: exam.n_labels]
    if held == 0:
        return None
    highest = Fraction(sum(given), held)
    if exam.n_labels == 1:
        return highest, highest
    if what.label is None:
        return zero, highest
    count = given[what.label]
    return (one if count == held else zero), (one if count else zero)


@dataclass(frozen=True, slots=True)
class ExactRange:
    """The ends of a range; None where the quantity is never defined. `exact`: both are attained."""

    ends: Range | None
    exact: bool


def ranges(
    order: Order, spec: Specification, clock: Clock, wanted: Sequence[Quantity]
) -> Iterator[tuple[Quantity, ExactRange]]:
    """Yield prevalences, grades and accuracies with their ranges."""
    labels = range(order.exam.n_labels)
    known: dict[int | None, tuple[Layout, Shares]] = {}
    for what in wanted:
        if what.judge not in known:
            known = {what.judge: order.around(spec, what.judge)}
        layout, shares = known[what.judge]
        correct: Parts = [()] * len(labels)
        held: Parts = correct
        if what.judge is not None:
            correct = [layout.columns(layout.correct, what.judge, t) for t in labels]
            held = [layout.columns(layout.held, what.judge, t) for t in labels]
        yield what, _Ends(order, shares, clock).range(what, correct, held)


class _Ends:
    """Find both ends of quantities in one program; `layout` says who is right where."""

    def __init__(self, order: Order, shares: Shares, clock: Clock) -> None:
        self.shares, self.exam, self.clock = shares, order.exam, clock

    def range(self, what: Quantity, correct: Parts, held: Parts) -> ExactRange:
        """Return both ends of a quantity, given the unknowns that add up to C and D by label."""
        top, bottom = self.parts(what, correct, held)
        if bottom == 0:
            return ExactRange(None, True)
        shares = self.shares
        if not isinstance(bottom, int):
            shares = shares.with_row((bottom, 1), ((), 0), 1)
            if self.impossible(shares):
                return ExactRange(None, True)
        low, low_exact = self.end(shares, top, bottom, -1)
        high, high_exact = self.end(shares, top, bottom, 1)
        return ExactRange((low, high), low_exact and high_exact)

    def parts(self, what: Quantity, correct: Parts, held: Parts) -> tuple[Columns, Columns | int]:
        """Return numerator and denominator, as columns or as a number."""
        if what.judge is None:
            return (what.label or 0,), self.exam.n_items
        if what.label is None:
            return tuple(c for part in correct for c in part), self.exam.held(what.judge)
        return correct[what.label], held[what.label]

    def patience(self) -> Clock:
        """Return the time for one step."""
        return self.clock.part(END_SECONDS)

    def impossible(self, shares: Shares) -> bool:
        """Whether no shares meet the rows, proved exactly."""
        if self.clock.over:
            return False
        evidence, relaxed = root_refutation(shares, self.patience())
        if evidence is not None or relaxed is None:
            return evidence is not None
        if self.best(shares, (), 0) is not None:
            return False
        most = END_NODES[shares.n_columns > ALL_AT_ONCE_BELOW]
        return branch(shares, self.patience(), most=most)[1] is not None

    def beyond(
        self, shares: Shares, top: Columns, bottom: Columns | int, x: Fraction, sign: int
    ) -> Shares:
        """Return the program of the shares at which the quantity is at least (at most) x."""
        p, q = x.numerator, x.denominator
        if isinstance(bottom, int):
            return shares.with_row((top, sign), ((), 0), -(-sign * p * bottom // q))
        return shares.with_row((top, sign * q), (bottom, -sign * p), 0, scale=q)

    def best(
        self, shares: Shares, top: Columns, a: int, bottom: Columns = (), b: int = 0
    ) -> Ints | None:
        """Return whole-number shares, checked, that maximise a * top + b * bottom, says the solver."""
        weights = np.zeros(shares.n_columns)
        weights[list(top)] += a / max(1, abs(a), abs(b))
        weights[list(bottom)] += b / max(1, abs(a), abs(b))
        first = np.arange(len(shares.totals)) < shares.n_first
        staged = shares.n_columns > ALL_AT_ONCE_BELOW and shares.n_first > 1
        whole = first if staged else None
        clock = self.patience()
        found, _ = find_shares(shares, clock, whole=whole, objective=weights)
        if found is not None and staged and not shares.satisfied(found):
            fixed = np.where(first[:, None], found, -1)
            found, _ = find_shares(shares, clock, fixed=fixed)
        return found if found is not None and shares.satisfied(found) else None

    def end(
        self, shares: Shares, top: Columns, bottom: Columns | int, sign: int
    ) -> tuple[Fraction, bool]:
        """Return the greatest value (sign 1) or the least (sign -1), and whether it is attained."""
        limit = Fraction(sign > 0)
        attained = self.attained(shares, top, bottom, sign)
        if attained is None:
            return self.outer(shares, top, bottom, 1 - limit, sign), False
        if attained == limit:
            return attained, True
        further = self.step(bottom, attained, sign)
        if sign * (further - limit) > 0:
            return attained, True
        if self.impossible(self.beyond(shares, top, bottom, further, sign)):
            return attained, True
        return self.outer(shares, top, bottom, attained, sign), False

    def step(self, bottom: Columns | int, x: Fraction, sign: int) -> Fraction:
        """Return the next value the quantity could take."""
        if isinstance(bottom, int):
            return x + Fraction(sign, bottom)
        if sign > 0:
            return next_fraction(x, self.exam.n_items)
        return 1 - next_fraction(1 - x, self.exam.n_items)

    def attained(
        self, shares: Shares, top: Columns, bottom: Columns | int, sign: int
    ) -> Fraction | None:
        """Return the best value of whole-number shares; ratios by Dinkelbach's rule."""
        if self.clock.over:
            return None
        point = self.best(shares, top, sign)
        value: Fraction | None = None
        while point is not None:
            total = bottom if isinstance(bottom, int) else _sum(bottom, point)
            reached = Fraction(_sum(top, point), total)
            if value is not None and sign * (reached - value) <= 0:
                break
            value = reached
            if isinstance(bottom, int) or self.clock.over:
                break
            p, q = value.numerator, value.denominator
            point = self.best(shares, top, sign * q, bottom, -sign * p)
        return value

    def outer(
        self, shares: Shares, top: Columns, bottom: Columns | int, start: Fraction, sign: int
    ) -> Fraction:
        """Return a limit beyond which one relaxation refutes everything, by halving."""
        near, far = start, Fraction(sign > 0)
        for _ in range(END_HALVINGS):
            middle = farey_floor((near + far) / 2, END_DENOMINATOR)
            if self.clock.over or middle in (near, far):
                break
            beyond = self.beyond(shares, top, bottom, middle, sign)
            evidence, relaxed = root_refutation(beyond, self.patience())
            if evidence is not None:
                far = middle
            elif relaxed is None:
                break
            else:
                near = middle
        return far


def _sum(columns: Columns, shares: Ints) -> int:
    return int(shares.ravel()[list(columns)].sum())
