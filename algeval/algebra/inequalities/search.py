"""Points at which the hypotheses hold: where the claim may fail, and how small it gets.

Everything is proposed in floating point or at random, and checked exactly in the domain in which the
question was asked. Small denominators come first: they make small exams.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.domain import Domain, Point, Polynomial
from algeval.algebra.inequalities.floats import FloatPolynomial
from algeval.algebra.inequalities.goal import Deadline
from algeval.algebra.inequalities.problem import Move, Problem

__all__ = ["Search"]

Array = NDArray[np.float64]

_MOST_CORNERS = 800
_RANDOM = 400
_STARTS = 12
_MOST_DIRECTIONS = 12
_DENOMINATORS = (4, 6, 8, 12, 24, 60, 120, 1_000, 10**5)
_MARGIN = 1e-6


class Search:
    """Looks for points on the small domain, and keeps what it saw.

    Attributes
    ----------
    feasible : bool
        Whether some point satisfies all hypotheses.
    least : Fraction or None
        The least value of larger side minus smaller side at such a point.
    """

    def __init__(self, asked: Problem, small: Problem, moves: Sequence[Move]) -> None:
        self.feasible = False
        self.least: Fraction | None = None
        self._asked, self._small = asked, small
        self._coordinates: Sequence[Polynomial] = asked.domain.gens
        for move in moves:
            self._coordinates = [move.domain.through(p, move.arguments) for p in self._coordinates]
        self._equal = [g.polynomial for g in small.given if g.relation == "="]

    def back(self, point: Point) -> Point:
        """Return a point of the small domain in the domain of the question."""
        return self._small.domain.all_at(self._coordinates, point)

    def simple(self, deadline: Deadline) -> Iterator[Point]:
        """Yield counterexamples among corners and simple points."""
        return self._refuting(self._simple(), deadline)

    def optimised(self, deadline: Deadline) -> Iterator[Point]:
        """Yield counterexamples that a linear program or a local optimiser finds."""
        return self._refuting(self._optimised(deadline), deadline)

    def _refuting(self, points: Iterable[Point], deadline: Deadline) -> Iterator[Point]:
        for point in points:
            if deadline.passed:
                return
            fixed = self._repaired(point)
            if fixed is not None and self._seen(old := self.back(fixed)):
                yield old

    def _seen(self, point: Point) -> bool:
        """Take note of a point, and return whether the claim fails there."""
        if min(point) < 0 or not self._asked.admits(point):
            return False
        self.feasible = True
        claim = self._asked.claim
        value = self._asked.difference(point)
        value = -abs(value) if claim.relation == "=" else value
        self.least = value if self.least is None else min(self.least, value)
        return self._asked.fails(point)

    def _simple(self) -> Iterator[Point]:
        yield self._small.domain.middle
        yield from self._random(_RANDOM // 8, seed=0)
        yield from self._corners()
        yield from self._random(_RANDOM, seed=1)

    def _random(self, tries: int, seed: int) -> Iterator[Point]:
        """Yield points with small denominators, which grow slowly."""
        draw = random.Random(seed)
        for attempt in range(tries):
            most = 2 + attempt // 60
            inner = attempt % 3 == 0
            yield tuple(
                x for size in self._small.domain.sizes for x in _row(draw, size, most, inner)
            )

    def _corners(self) -> Iterator[Point]:
        """Yield corners, first with the first block, the prevalences perhaps, at its middle."""
        domain = self._small.domain
        first = domain.blocks[0]
        for corner in islice(product(*domain.blocks[1:]), _MOST_CORNERS):
            rest = (Fraction(int(c in corner)) for c in range(len(first), domain.n))
            yield (*domain.middle[: len(first)], *rest)
        for corner in islice(domain.corners(), _MOST_CORNERS):
            yield tuple(Fraction(int(c in corner)) for c in range(domain.n))

    def _optimised(self, deadline: Deadline) -> Iterator[Point]:
        domain = self._small.domain
        if domain.n < 2:
            return
        linear = self._linear_optimum()
        if linear is not None:
            yield from _rounded(domain, linear)
        problem = _Floating(self._small)
        draw = np.random.default_rng(0)
        for _ in range(_STARTS):
            if deadline.passed:
                return
            start = np.concatenate([draw.dirichlet(np.ones(size)) for size in domain.sizes])
            found = problem.minimise(start)
            if found is not None:
                yield from _rounded(domain, found)

    def _linear_optimum(self) -> Array | None:
        """Return the optimum where claim and hypotheses are linear on one simplex."""
        from scipy import optimize

        linprog: Any = optimize.linprog
        small, domain = self._small, self._small.domain
        rows = [_linear_row(domain, p) for p in (small.claim.polynomial, *_plain_ge(small))]
        equal = [_linear_row(domain, p) for p in self._equal]
        if len([size for size in domain.sizes if size > 1]) != 1 or None in [*rows, *equal]:
            return None
        table = np.array([row[0] for row in rows if row])
        constants = np.array([row[1] for row in rows if row])
        ones = np.array([[float(c in block) for c in range(domain.n)] for block in domain.blocks])
        left = np.vstack([ones, *([row[0]] for row in equal if row)])
        right = np.array([1.0] * len(domain.blocks) + [-row[1] for row in equal if row])
        options = {"A_ub": -table[1:], "b_ub": constants[1:]} if len(table) > 1 else {}
        solved = linprog(table[0], A_eq=left, b_eq=right, bounds=(0, 1), method="highs", **options)
        return np.asarray(solved.x, float) if solved.status == 0 else None

    def _repaired(self, point: Point) -> Point | None:
        """Return the point moved along single edges so that the equalities hold, or None."""
        domain = self._small.domain
        for polynomial in self._equal:
            if domain.at(polynomial, point):
                moved = _on_zero(domain, polynomial, point)
                if moved is None:
                    return None
                point = moved
        return None if any(domain.at(p, point) for p in self._equal) else point


def _plain_ge(problem: Problem) -> list[Polynomial]:
    return [*(g.polynomial for g in problem.given if g.relation != "="), *problem.left]


def _row(draw: random.Random, size: int, most: int, inner: bool) -> list[Fraction]:
    weights = [draw.randint(int(inner), most) for _ in range(size)]
    if not any(weights):
        weights[draw.randrange(size)] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _rounded(domain: Domain, point: Array) -> Iterator[Point]:
    """Yield points near a float one, of growing denominators, on the domain."""
    for denominator in _DENOMINATORS:
        found: list[Fraction] = []
        for block in domain.blocks:
            values = [Fraction(float(point[c])).limit_denominator(denominator) for c in block]
            values = [max(v, Fraction(0)) for v in values]
            largest = max(range(len(values)), key=values.__getitem__)
            values[largest] += 1 - sum(values)
            found += values
        if min(found) >= 0:
            yield tuple(found)


def _linear_row(domain: Domain, polynomial: Polynomial) -> tuple[Array, float] | None:
    row, constant = np.zeros(domain.n), 0.0
    for powers, value in polynomial.to_dict().items():
        if sum(map(int, powers)) > 1:
            return None
        number = int(value.p) / int(value.q)
        used = [c for c in range(domain.n) if powers[c]]
        if used:
            row[used[0]] += number
        else:
            constant = number
    return row, constant


def _on_zero(domain: Domain, polynomial: Polynomial, point: Point) -> Point | None:
    """Return a point on an edge direction through `point` at which the polynomial is zero.

    Only directions along which it is linear are tried, and not all of them.
    """
    used = [c for c, d in enumerate(polynomial.degrees()) if d]
    for block in domain.blocks:
        inside = [c for c in block if c in used]
        for up, down in islice(product(inside, reversed(block)), _MOST_DIRECTIONS):
            values = [domain.at(polynomial, _moved(point, up, down, t)) for t in (0, 1, 2)]
            slope = values[1] - values[0]
            if slope and values[2] - values[1] == slope:
                moved = _moved(point, up, down, -values[0] / slope)
                if min(moved) >= 0:
                    return moved
    return None


def _moved(point: Point, up: int, down: int, step: Fraction | int) -> Point:
    values = list(point)
    values[up] += step
    values[down] -= step
    return tuple(values)


class _Floating:
    """A problem in floating point, for a local optimiser."""

    def __init__(self, problem: Problem) -> None:
        self.domain = domain = problem.domain
        signs = _likely_signs(problem)
        sign = math.prod(signs[k] for k in problem.claim.odd)
        self.claim = FloatPolynomial(domain, sign * problem.claim.polynomial)
        self.at_least = [
            FloatPolynomial(domain, math.prod(signs[k] for k in g.odd) * g.polynomial)
            for g in problem.given
            if g.relation != "="
        ] + [FloatPolynomial(domain, p) for p in problem.left]
        self.equal = [
            FloatPolynomial(domain, g.polynomial) for g in problem.given if g.relation == "="
        ]

    def minimise(self, start: Array) -> Array | None:
        """Return where the claim is smallest near a start, or None."""
        import warnings

        from scipy import optimize

        minimize: Any = optimize.minimize
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = minimize(
                self.claim,
                start,
                jac=self.claim.gradient,
                method="SLSQP",
                bounds=[(0, 1)] * self.domain.n,
                constraints=self._constraints(),
                options={"maxiter": 150, "ftol": 1e-12},
            )
        point = np.asarray(found.x, float)
        return point if np.isfinite(point).all() else None

    def _constraints(self) -> list[dict[str, Any]]:
        ones = np.array([[float(c in b) for c in range(self.domain.n)] for b in self.domain.blocks])
        found: list[dict[str, Any]] = [
            {"type": "eq", "fun": lambda z: ones @ z - 1, "jac": lambda z: ones}
        ]
        for p in self.at_least:
            found.append({"type": "ineq", "fun": lambda z, p=p: p(z) - _MARGIN, "jac": p.gradient})
        for p in self.equal:
            found.append({"type": "eq", "fun": p, "jac": p.gradient})
        return found


def _likely_signs(problem: Problem) -> list[int]:
    """Return the signs of the divisors at the middle of the domain, 1 where they are zero there."""
    return [sign or 1 for sign in problem.signs(problem.domain.middle)]
