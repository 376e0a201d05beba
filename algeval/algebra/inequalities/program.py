"""The linear program behind a combination: which multiples of the hypotheses to subtract.

A combination says that (claim) - margin - sum c * monomial * hypotheses - sum cofactor * equality
has only nonnegative coefficients when it is lifted. Coefficients are linear in the unknowns c, margin and
the cofactors' coefficients, so a linear program finds them; what it finds is a proposal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.coefficients import negatives
from algeval.algebra.inequalities.domain import Degree, Domain, Exponents, Polynomial
from algeval.algebra.inequalities.goal import Deadline, Given, Goal

__all__ = ["Column", "Program", "Shape", "build", "propose"]

_MOST_ROWS = 20_000
_MOST_COLUMNS = 30_000
_MOST_ENTRIES = 1_000_000

Kind = Literal["term", "evidence", "cofactor", "margin", "multiplier"]
Vector = dict[Exponents, Any]


class Column(NamedTuple):
    """One unknown: what it multiplies, and that product's coefficients.

    `source` holds the numbers of the hypotheses of a term, or of the equality of a cofactor; `square`
    is the place of the form that is squared. *Evidence* is a product of strict hypotheses by itself:
    where it is subtracted, what is left is positive.
    """

    kind: Kind
    vector: Vector
    source: tuple[int, ...] = ()
    monomial: Exponents = ()
    square: int | None = None


@dataclass(frozen=True, eq=False)
class Shape:
    """What a combination may be made of.

    Attributes
    ----------
    products : int
        Most hypotheses in one product.
    raised : int
        How far the degree is above that of claim and hypotheses, in each block they use.
    squares : sequence of polynomials
        Forms whose squares may be added.
    multiplier : tuple of int or None
        The degree of an unknown positive multiplier of the claim.
    """

    products: int = 1
    raised: int = 0
    squares: Sequence[Polynomial] = field(default=())
    multiplier: Degree | None = None


@dataclass(frozen=True, eq=False)
class Program:
    """Rows are monomials; target minus the columns times their unknowns must be nonnegative."""

    degree: Degree
    target: Vector
    columns: list[Column]
    squares: Sequence[Polynomial]
    exactly: bool = False


def build(goal: Goal, shape: Shape, *, exactly: bool = False) -> Program | None:
    """Return the program of a goal, or None where it would be too large.

    `exactly` asks for a remainder of zero: that a claim of equality follows from equalities.
    """
    domain = goal.domain
    degree = _degree(goal, shape)
    if domain.size(degree) > _MOST_ROWS:
        return None
    base = domain.degree(goal.polynomial)
    lifted = _vector(domain.lift(goal.polynomial, base))
    columns: list[Column] = []
    if shape.multiplier is None:
        target = _vector(domain.lift(goal.polynomial, degree))
    else:
        target = {}
        for z in domain.monomials(_minus(degree, base)):
            shifted = _shifted(lifted, z)
            _add(target, shifted)
            columns.append(Column("multiplier", {k: -v for k, v in shifted.items()}, (), z))
    if goal.strict:
        columns.append(Column("margin", _vector(domain.lift(domain.one, degree))))
        columns += _evidence(goal, shape, degree)
    made = [] if exactly else list(_terms(goal, shape, degree))
    made += _cofactors(goal, degree)
    entries = sum(count * len(vector) for count, vector, *_ in made)
    if sum(one[0] for one in made) > _MOST_COLUMNS or entries > _MOST_ENTRIES:
        return None
    for _, vector, kind, source, square, free in made:
        for z in domain.monomials(free):
            columns.append(Column(kind, _shifted(vector, z), source, z, square))
    return Program(degree, target, columns, shape.squares, exactly)


_Made = tuple[int, Vector, Kind, tuple[int, ...], int | None, Degree]


def _degree(goal: Goal, shape: Shape) -> Degree:
    domain = goal.domain
    parts = [goal.polynomial, *(h for h in goal.hypotheses)]
    degrees = [domain.degree(part) for part in parts]
    degrees += [tuple(2 * d for d in domain.degree(q)) for q in shape.squares]
    highest = tuple(map(max, zip(*degrees, strict=True)))
    if shape.multiplier is not None:
        base = domain.degree(goal.polynomial)
        wanted = tuple(map(sum, zip(base, shape.multiplier, strict=True)))
        return tuple(map(max, zip(highest, wanted, strict=True)))
    return tuple(d + shape.raised if d else 0 for d in highest)


def _terms(goal: Goal, shape: Shape, degree: Degree) -> Iterator[_Made]:
    useful = [k for k, g in enumerate(goal.ge) if g is not None and _says_something(goal, g)]
    for size in range(1, shape.products + 1):
        for chosen in combinations_with_replacement(useful, size):
            given = [goal.ge[k] for k in chosen]
            polynomial = math.prod((g.polynomial for g in given if g), start=goal.domain.one)
            yield from _multiples(goal.domain, polynomial, "term", chosen, None, degree)
    for place, form in enumerate(shape.squares):
        yield from _multiples(goal.domain, form * form, "term", (), place, degree)


def _evidence(goal: Goal, shape: Shape, degree: Degree) -> Iterator[Column]:
    domain = goal.domain
    strict = [(k, g.polynomial) for k, g in enumerate(goal.ge) if g is not None and g.strict]
    for size in range(1, max(shape.products, 1) + 1):
        for chosen in combinations_with_replacement(strict, size):
            polynomial = math.prod((p for _, p in chosen), start=domain.one)
            if min(_minus(degree, domain.degree(polynomial)), default=0) >= 0:
                vector = _vector(domain.lift(polynomial, degree))
                yield Column("evidence", vector, tuple(k for k, _ in chosen), (0,) * domain.n)


def _says_something(goal: Goal, given: Given) -> bool:
    """Return whether a hypothesis is not true everywhere by its coefficients."""
    domain = goal.domain
    return negatives(domain, given.polynomial) > 0


def _cofactors(goal: Goal, degree: Degree) -> Iterator[_Made]:
    for k, equal in enumerate(goal.eq):
        if not equal.is_zero():
            yield from _multiples(goal.domain, equal, "cofactor", (k,), None, degree)


def _multiples(
    domain: Domain,
    polynomial: Polynomial,
    kind: Kind,
    source: tuple[int, ...],
    square: int | None,
    degree: Degree,
) -> Iterator[_Made]:
    """Yield a product with the degree of the monomials it is multiplied with, if there are any."""
    own = domain.degree(polynomial)
    free = _minus(degree, own)
    if min(free, default=0) >= 0:
        vector = _vector(domain.lift(polynomial, own))
        yield domain.size(free), vector, kind, source, square, free


def _vector(polynomial: Polynomial) -> Vector:
    return {tuple(map(int, powers)): value for powers, value in polynomial.to_dict().items()}


def _minus(a: Degree, b: Degree) -> Degree:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _shifted(vector: Vector, z: Exponents) -> Vector:
    return {tuple(map(sum, zip(powers, z, strict=True))): c for powers, c in vector.items()}


def _add(total: Vector, other: Vector) -> None:
    for powers, value in other.items():
        total[powers] = total.get(powers, 0) + value


def propose(program: Program, deadline: Deadline) -> NDArray[np.float64] | None:
    """Return values of the unknowns as HiGHS finds them, or None."""
    from scipy import optimize, sparse

    sp: Any = sparse
    linprog: Any = optimize.linprog
    rows = {powers: r for r, powers in enumerate(_all_rows(program))}
    where = [(rows[k], j, float(v)) for j, c in enumerate(program.columns) for k, v in _items(c)]
    bound = np.zeros(len(rows))
    for powers, value in program.target.items():
        bound[rows[powers]] = float(value)
    if not program.columns or deadline.passed:
        return np.zeros(0) if not program.columns else None
    r, j, v = (np.array(part) for part in zip(*where, strict=True))
    matrix = sp.csr_array(
        (v, (r.astype(int), j.astype(int))), shape=(len(rows), len(program.columns))
    )
    sides: dict[str, Any] = (
        {"A_eq": matrix, "b_eq": bound} if program.exactly else {"A_ub": matrix, "b_ub": bound}
    )
    solved = linprog(
        [_COST[c.kind] for c in program.columns],
        bounds=[_BOUNDS[c.kind] for c in program.columns],
        method="highs",
        options={"time_limit": max(deadline.left(), 0.01)},
        **sides,
    )
    if solved.status != 0 or solved.x is None:
        return None
    found = zip(solved.x, program.columns, strict=True)
    evidence = [x for x, c in found if c.kind in ("margin", "evidence")]
    return None if evidence and max(evidence) <= _LEAST_EVIDENCE else np.asarray(solved.x, float)


_LEAST_EVIDENCE = 1e-7
_COST: dict[Kind, float] = {
    "term": 1.0,
    "evidence": -1e4,
    "cofactor": 0.0,
    "margin": -1e4,
    "multiplier": 1.0,
}
_BOUNDS: dict[Kind, tuple[float | None, float | None]] = {
    "term": (0, None),
    "evidence": (0, 1),
    "cofactor": (None, None),
    "margin": (0, 1),
    "multiplier": (0, None),
}


def _items(column: Column) -> Iterator[tuple[Exponents, Any]]:
    return ((powers, float(v.p) / float(v.q)) for powers, v in column.vector.items())


def _all_rows(program: Program) -> dict[Exponents, None]:
    found = dict.fromkeys(program.target)
    for column in program.columns:
        found.update(dict.fromkeys(column.vector))
    return found
