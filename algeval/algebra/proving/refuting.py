"""From points on a domain to exams: a claim is refuted by one, with both sides counted from it."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from algeval.algebra.inequalities.domain import Point
from algeval.algebra.inequalities.goal import Deadline
from algeval.algebra.inequalities.problem import Problem
from algeval.algebra.proving import exams
from algeval.algebra.proving.counting import Items, count_values
from algeval.algebra.proving.identities import judges_of
from algeval.algebra.proving.statements import Texts, relation_of
from algeval.algebra.proving.vocabulary import System
from algeval.algebra.proving.weakest import sides_of
from algeval.data import Evaluation, KeyedSketch
from algeval.models.independent import exact_exam

__all__ = ["Found", "Refuter"]

_MOST_ITEMS = 10**7
_MOST_SMALL = 4_000
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
_SHARES = (Fraction(1), Fraction(3, 4), Fraction(1, 2))

_HOLDS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Found:
    """An exam on which the hypotheses hold and the claim does not, both sides counted."""

    exam: KeyedSketch
    left: Fraction
    right: Fraction
    smallest: bool


class Refuter:
    """Turns points into exams and counts claim and hypotheses on them.

    Attributes
    ----------
    found : Found or None
        The exam of fewest items so far on which the claim fails.
    absent : bool
        Whether the claim fails at some point at which a label does not occur, which makes no exam
        of independent judges: their rates on that label mean nothing.
    """

    def __init__(self, known: System, texts: Texts, problem: Problem) -> None:
        self._known, self._problem = known, problem
        self._independent = known.model == "independent"
        self._claim = (texts.as_identity(texts.claim, known), relation_of(texts.claim))
        self._given = [(texts.as_identity(t, known), relation_of(t)) for t in texts.given]
        self.found: Found | None = None
        self.absent = False

    def small(self, deadline: Deadline) -> bool:
        """Search the smallest exams, in order; return whether one refutes."""
        for candidate in islice(self._listed(), _MOST_SMALL):
            if deadline.passed:
                return False
            point = self._point(candidate)
            if self._problem.violated(point) and self._counted(candidate, smallest=True):
                return True
        return False

    def _listed(self) -> Iterator[Evaluation | Items]:
        judges = self._judges()
        if not self._independent:
            return exams.plain_exams(self._known, 12, judges)
        most = exams.independent_sizes(max(1, len(judges)), len(self._known.labels))
        return exams.independent_exams(self._known, most, judges)

    def _judges(self) -> tuple[int, ...]:
        spoken = (judges_of(one, self._known) for one, _ in (self._claim, *self._given))
        return tuple(sorted({i for places in spoken for i in places}))

    def confirm(self, point: Point) -> bool:
        """Return whether a point at which the claim fails makes an exam on which it fails."""
        candidates = [*self._simpler(point), point]
        for candidate in candidates:
            if self._problem.violated(candidate) and self._counted(self._made(candidate)):
                return True
        return False

    def _simpler(self, point: Point) -> Iterator[Point]:
        """Yield points nearby that make smaller exams, or exams on which every label occurs."""
        domain = self._problem.domain
        even = [Fraction(1, len(domain.blocks[0]))] * len(domain.blocks[0])
        yield (*even, *point[len(even) :])
        for denominator, share in product(_DENOMINATORS, _SHARES):
            values: list[Fraction] = []
            for block in domain.blocks:
                middle = Fraction(1, len(block))
                wanted = [share * point[c] + (1 - share) * middle for c in block]
                values += _nearest(wanted, denominator)
            yield tuple(values)

    def _point(self, candidate: Evaluation | Items) -> Point:
        if isinstance(candidate, Evaluation):
            parts = (*candidate.prevalence.ravel(), *candidate.confusion.ravel())
            return tuple(map(Fraction, parts))
        size = sum(candidate.values())
        cells = product(range(len(self._known.labels)), self._decisions())
        return tuple(Fraction(candidate.get(cell, 0), size) for cell in cells)

    def _decisions(self) -> list[tuple[int, ...]]:
        return list(product(range(len(self._known.labels)), repeat=len(self._known.judges)))

    def _made(self, point: Point) -> Evaluation | Items | None:
        """Return the evaluation or the items at a point; None if too many items would be needed."""
        if self._independent:
            return self._evaluation(point)
        size = math.lcm(*(x.denominator for x in point))
        cells = product(range(len(self._known.labels)), self._decisions())
        items = {cell: int(x * size) for cell, x in zip(cells, point, strict=True) if x}
        return items if size <= _MOST_ITEMS else None

    def _evaluation(self, point: Point) -> Evaluation | None:
        n, r = len(self._known.judges), len(self._known.labels)
        labels = self._known.labels
        prevalence, rates = point[:r], point[r:]
        if min(prevalence) == 0:
            self.absent = True
            return None
        table = np.array(rates, dtype=object).reshape(n, r, r)
        cells = (
            p * math.prod(table[i, t, a] for i, a in enumerate(u))
            for (t, p), u in product(enumerate(prevalence), self._decisions())
        )
        if math.lcm(*(cell.denominator for cell in cells)) > _MOST_ITEMS:
            return None
        key = np.array(prevalence, dtype=object)
        return Evaluation(self._known.judges, labels, labels, key, table)

    def _counted(self, candidate: Evaluation | Items | None, *, smallest: bool = False) -> bool:
        """Count both sides and the hypotheses on an exam; keep it if the claim fails there."""
        if candidate is None:
            return False
        exam = (
            exact_exam(candidate)
            if isinstance(candidate, Evaluation)
            else exams.exam_of(self._known, candidate)
        )
        values: Any = count_values(self._known, exam)
        sides = [(sides_of(one, values), relation) for one, relation in (self._claim, *self._given)]
        if any(pair is None for pair, _ in sides):
            return False
        (claim, relation), *given = sides
        if claim is None or _HOLDS[relation](*claim):
            return False
        if not all(pair and _HOLDS[r](*pair) for pair, r in given):
            return False
        if self.found is None or exam.n_items < self.found.exam.n_items:
            self.found = Found(exam, *claim, smallest)
        return True


def _nearest(values: list[Fraction], denominator: int) -> list[Fraction]:
    """Return multiples of 1/denominator near values that sum to 1, with the same sum."""
    whole = [int(v * denominator) for v in values]
    order = sorted(range(len(values)), key=lambda c: whole[c] - values[c] * denominator)
    for c in order[: denominator - sum(whole)]:
        whole[c] += 1
    return [Fraction(w, denominator) for w in whole]
