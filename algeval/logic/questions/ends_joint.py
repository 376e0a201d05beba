"""Orders 2 and full: the range of a quantity over all consistent evaluations.

An end is a value that whole numbers attain, found by an integer program, beyond which exact
multipliers (or a small tree) leave nothing. Where that does not close, the end is the best limit
that was refuted exactly, and is said to be an outer one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.rows import full_shares, pair_shares
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.farey import farey_floor, next_fraction
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import branch_shares, find_shares, root_refutation
from algeval.logic.questions.ends_order1 import Quantity, quantities

__all__ = ["JointRange", "joint_ranges"]

_NODES = 60
_NODES_IF_SMALL = 400
_SMALL = 400
_HALVINGS = 10
_PATIENCE = 10.0

Terms = dict[int, int]


@dataclass(frozen=True, slots=True)
class JointRange:
    """The ends of a range; None where the quantity is never defined. `exact`: both are attained."""

    ends: tuple[Fraction, Fraction] | None
    exact: bool


def joint_ranges(
    sketch: Sketch,
    exam: Exam,
    spec: Specification,
    order: int | str,
    clock: Clock,
    *,
    wanted: Sequence[Quantity] | None = None,
) -> Iterator[tuple[Quantity, JointRange]]:
    """Yield prevalences, grades and accuracies (default: every one) with their ranges."""
    held: Callable[[int, int], tuple[int, ...]]
    if order == "full":
        shares = full_shares(sketch, exam, spec)

        def held(i: int, t: int) -> tuple[int, ...]:
            rows = np.flatnonzero(sketch.codes[:, i] >= 0) + 1
            return tuple((rows * exam.n_labels + t).tolist())
    else:
        layout = pair_shares(sketch, exam, spec)
        shares = layout.shares

        def held(i: int, t: int) -> tuple[int, ...]:
            answers = range(len(exam.answers))
            return tuple(layout.single[i, a] * exam.n_labels + t for a in answers)

    work = _Ends(shares, exam, held, clock)
    for what in quantities(exam) if wanted is None else wanted:
        yield what, work.range(what)


class _Ends:
    def __init__(
        self,
        shares: Shares,
        exam: Exam,
        held: Callable[[int, int], tuple[int, ...]],
        clock: Clock,
    ) -> None:
        self.shares, self.exam, self.held, self.clock = shares, exam, held, clock

    def range(self, what: Quantity) -> JointRange:
        """Return both ends of a quantity."""
        top, bottom = self.parts(what)
        if bottom == 0:
            return JointRange(None, True)
        shares = self.shares
        if isinstance(bottom, dict):
            shares = shares.with_row(bottom, 1)
            if self.impossible(shares):
                return JointRange(None, True)
        low, low_exact = self.end(shares, top, bottom, -1)
        high, high_exact = self.end(shares, top, bottom, 1)
        return JointRange((low, high), low_exact and high_exact)

    def parts(self, what: Quantity) -> tuple[Terms, Terms | int]:
        """Return numerator and denominator, as columns or as a number."""
        labels = range(self.exam.n_labels)
        if what.judge is None:
            return {what.label or 0: 1}, self.exam.n_items
        correct = self.shares.correct[what.judge]
        if what.label is None:
            return {c: 1 for t in labels for c in correct[t]}, self.exam.held(what.judge)
        top = dict.fromkeys(correct[what.label], 1)
        if not self.exam.excused[what.judge]:
            return top, {what.label: 1}
        return top, dict.fromkeys(self.held(what.judge, what.label), 1)

    def patience(self) -> Clock:
        """Return the time for one step."""
        left = self.clock.left
        return Clock(_PATIENCE if left is None else min(_PATIENCE, left))

    def impossible(self, shares: Shares) -> bool:
        """Whether no shares meet the rows, proved exactly."""
        if self.clock.over:
            return False
        evidence, relaxed = root_refutation(shares, self.patience())
        if evidence is not None or relaxed is None:
            return evidence is not None
        if self.best(shares, {}) is not None:
            return False
        most = _NODES if shares.n_columns > _SMALL else _NODES_IF_SMALL
        return branch_shares(shares, self.patience(), most=most).evidence is not None

    def beyond(
        self, shares: Shares, top: Terms, bottom: Terms | int, x: Fraction, sign: int
    ) -> Shares:
        """Return the program of the shares at which the quantity is at least (at most) x."""
        p, q = x.numerator, x.denominator
        if isinstance(bottom, int):
            return shares.with_row(_scaled(top, sign), -(-sign * p * bottom // q))
        terms = _scaled(top, sign * q)
        for column, k in bottom.items():
            terms[column] = terms.get(column, 0) - sign * p * k
        return shares.with_row(terms, 0, scale=q)

    def best(self, shares: Shares, objective: Mapping[int, int]) -> Ints | None:
        """Return whole-number shares, checked, that maximise as far as the solver says."""
        weights = np.zeros(shares.n_columns)
        weights[list(objective)] = list(objective.values())
        weights /= max(1.0, float(np.abs(weights).max()))
        first = np.arange(len(shares.totals)) < shares.n_first
        staged = shares.n_columns > _SMALL and shares.n_first > 1
        whole = first if staged else None
        clock = self.patience()
        found, _ = find_shares(shares, clock, whole=whole, objective=weights)
        if found is not None and staged and not shares.satisfied(found):
            fixed = np.where(first[:, None], found, -1)
            found, _ = find_shares(shares, clock, fixed=fixed)
        return found if found is not None and shares.satisfied(found) else None

    def end(
        self, shares: Shares, top: Terms, bottom: Terms | int, sign: int
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

    def step(self, bottom: Terms | int, x: Fraction, sign: int) -> Fraction:
        """Return the next value the quantity could take."""
        if isinstance(bottom, int):
            return x + Fraction(sign, bottom)
        if sign > 0:
            return next_fraction(x, self.exam.n_items)
        return 1 - next_fraction(1 - x, self.exam.n_items)

    def attained(
        self, shares: Shares, top: Terms, bottom: Terms | int, sign: int
    ) -> Fraction | None:
        """Return the best value of whole-number shares; ratios by Dinkelbach's rule."""
        if self.clock.over:
            return None
        point = self.best(shares, _scaled(top, sign))
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
            surplus = _scaled(top, sign * q)
            for column, k in bottom.items():
                surplus[column] = surplus.get(column, 0) - sign * p * k
            point = self.best(shares, surplus)
        return value

    def outer(
        self, shares: Shares, top: Terms, bottom: Terms | int, start: Fraction, sign: int
    ) -> Fraction:
        """Return a limit beyond which one relaxation refutes everything, by halving."""
        near, far = start, Fraction(sign > 0)
        for _ in range(_HALVINGS):
            middle = farey_floor((near + far) / 2, 10**6)
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


def _scaled(terms: Terms, k: int) -> Terms:
    return {column: k * weight for column, weight in terms.items()}


def _sum(terms: Terms, shares: Ints) -> int:
    return sum(weight * int(shares.flat[column]) for column, weight in terms.items())
