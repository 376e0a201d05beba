"""The search for certificates of polynomial inequalities."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, islice, product
from math import inf, prod
from typing import Any, Literal, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from algeval.algebra.inequalities import (
    A_POINT,
    A_TERM,
    MOST_TERMS,
    Degree,
    Domain,
    Exponents,
    FloatPolynomial,
    Given,
    Goal,
    Move,
    Node,
    Point,
    Polynomial,
    Problem,
    coefficients,
    factors,
    negatives,
    orders,
    prepare,
    rational,
    signed,
    terms,
    zeros,
)
from algeval.progress import CountedClock

# --- Proofs by parts: at the corners of one block, or on the two halves of the domain.
#
# *Corners*: a polynomial that is affine in a block, where no hypothesis speaks of that block, is
# nonnegative exactly where it is at each of the block's corners. *Split*: an edge of a block is cut in
# the middle; each half of the simplex is a simplex again.


Prover = Callable[[Goal], Node | None]

_HALF = Fraction(1, 2)
_EDGES = 4
_STEP, _A_COEFFICIENT = 0.004, 1e-4
"""Work of one goal that is looked at, at least, and of each coefficient where it is halved."""


def affine_block(goal: Goal) -> int | None:
    """Block in which the polynomial is affine and of which no hypothesis speaks."""
    degree = goal.domain.degree(goal.polynomial)
    named = [goal.domain.degree(h) for h in goal.hypotheses]
    for b, d in enumerate(degree):
        if d == 1 and not any(other[b] for other in named):
            return b
    return None


def corners(goal: Goal, block: int, prove: Prover) -> Node | None:
    """Proof at each corner of a block, equal ones proved once; None if one fails."""
    children: list[Node] = []
    seen: list[Goal] = []
    for position in range(goal.domain.sizes[block]):
        here = goal.through(*_corner(goal.domain, block, position))
        earlier = next((k for k, other in enumerate(seen) if other.same(here)), None)
        proof = {"same": earlier} if earlier is not None else prove(here)
        if proof is None:
            return None
        seen.append(here)
        children.append({"position": position, "proof": proof})
    return {"kind": "corners", "block": block, "children": children}


def _corner(domain: Domain, block: int, position: int) -> tuple[Domain, list[Polynomial]]:
    """Domain without a block, and the coordinates at one of its corners."""
    smaller = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    rest = iter(smaller.gens)
    arguments = [
        smaller.constant(int(c == domain.blocks[block][position]))
        if c in domain.blocks[block]
        else next(rest)
        for c in range(domain.n)
    ]
    return smaller, arguments


def split(
    goal: Goal, depth: int, deadline: CountedClock, leaf: Prover = coefficients
) -> Node | None:
    """Proof by cutting edges in the middle up to `depth` times, or None.

    Gives up at once where a corner of a part has a negative value and no hypothesis excludes it.
    """
    result = leaf(goal)
    if result is not None or depth == 0 or deadline.over_before(_work(goal)):
        return result
    if _refuted_at_corner(goal):
        return None
    edge = _best_edge(goal)
    if edge is None:
        return None
    block, i, j = edge
    children = []
    for half in _halves(goal, block, i, j):
        proof = split(half, depth - 1, deadline, leaf)
        if proof is None:
            return None
        children.append(proof)
    return {
        "kind": "split", "block": block, "edge": [i, j], "at": str(_HALF), "children": children,
    }  # fmt: skip


def _work(goal: Goal) -> float:
    """Work of halving a goal, which grows with the coefficients of its lift."""
    domain = goal.domain
    return max(_STEP, _A_COEFFICIENT * domain.size(domain.degree(goal.polynomial)))


def _refuted_at_corner(goal: Goal) -> bool:
    if goal.hypotheses:
        return False
    domain = goal.domain
    values = domain.lift(goal.polynomial, domain.degree(goal.polynomial)).to_dict()
    full = [
        value
        for powers, value in values.items()
        if all(sum(1 for c in block if powers[c]) <= 1 for block in domain.blocks)
    ]
    return any(value < 0 for value in full)


def _best_edge(goal: Goal) -> tuple[int, int, int] | None:
    """Edge whose middle leaves fewest negative coefficients, of those that look best.

    Halving an edge changes the coefficients of monomials with both of its coordinates.
    """
    domain = goal.domain
    degree = domain.degree(goal.polynomial)
    if domain.size(degree) > MOST_TERMS:
        return None
    weight: dict[tuple[int, int, int], float] = defaultdict(float)
    for powers, value in domain.lift(goal.polynomial, degree).to_dict().items():
        if value < 0:
            for b, block in enumerate(domain.blocks):
                used = [i for i, c in enumerate(block) if powers[c]]
                for i, j in combinations(used, 2):
                    weight[b, i, j] -= int(value.p) / int(value.q)
    best = sorted(weight, key=lambda edge: -weight[edge])[:_EDGES]
    return min(best, key=lambda edge: _left_after(goal, *edge), default=None)


def _left_after(goal: Goal, block: int, i: int, j: int) -> int:
    alone = Goal(goal.domain, goal.polynomial)
    return sum(negatives(h.domain, h.polynomial) for h in _halves(alone, block, i, j))


def _halves(goal: Goal, block: int, i: int, j: int) -> Iterator[Goal]:
    domain = goal.domain
    a, b = domain.blocks[block][i], domain.blocks[block][j]
    half = domain.constant(_HALF)
    for near, far in ((a, b), (b, a)):
        arguments = list(domain.gens)
        arguments[near] = domain.gens[near] + half * domain.gens[far]
        arguments[far] = half * domain.gens[far]
        yield goal.through(domain, arguments)


# --- The linear program behind a combination: which multiples of the hypotheses to subtract.
#
# A combination says that (claim) - margin - sum c * monomial * hypotheses - sum cofactor * equality
# has only nonnegative coefficients when it is lifted. Coefficients are linear in the unknowns c, margin and
# the cofactors' coefficients, so a linear program finds them; what it finds is a proposal.


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
    """What a combination may be made of."""

    products: int = 1  # most hypotheses in one product
    # how far the degree is above that of claim and hypotheses, in each block they use
    raised: int = 0
    squares: Sequence[Polynomial] = field(default=())  # forms whose squares may be added
    multiplier: Degree | None = None  # the degree of an unknown positive multiplier of the claim


@dataclass(frozen=True, eq=False)
class Program:
    """Rows are monomials; target minus the columns times their unknowns must be nonnegative."""

    degree: Degree
    target: Vector
    columns: list[Column]
    squares: Sequence[Polynomial]
    exactly: bool = False


def build(goal: Goal, shape: Shape, *, exactly: bool = False) -> Program | None:
    """Program of a goal, or None where it would be too large.

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
            for powers, value in shifted.items():
                target[powers] = target.get(powers, 0) + value
            columns.append(Column("multiplier", {k: -v for k, v in shifted.items()}, (), z))
    if goal.strict:
        columns.append(Column("margin", _vector(domain.lift(domain.one, degree))))
        columns += _evidence(goal, shape, degree)
    made = [] if exactly else list(_terms(goal, shape, degree))
    made += _cofactors(goal, degree)
    entries = sum(count * len(vector) for count, vector, *_ in made)
    if sum(entry[0] for entry in made) > _MOST_COLUMNS or entries > _MOST_ENTRIES:
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
            conditions = [goal.ge[k] for k in chosen]
            polynomial = math.prod((g.polynomial for g in conditions if g), start=goal.domain.one)
            yield from _multiples(goal.domain, polynomial, "term", chosen, None, degree)
    for index, form in enumerate(shape.squares):
        yield from _multiples(goal.domain, form * form, "term", (), index, degree)


def _evidence(goal: Goal, shape: Shape, degree: Degree) -> Iterator[Column]:
    domain = goal.domain
    strict = [(k, g.polynomial) for k, g in enumerate(goal.ge) if g is not None and g.strict]
    for size in range(1, max(shape.products, 1) + 1):
        for chosen in combinations_with_replacement(strict, size):
            polynomial = math.prod((p for _, p in chosen), start=domain.one)
            if min(_minus(degree, domain.degree(polynomial)), default=0) >= 0:
                vector = _vector(domain.lift(polynomial, degree))
                yield Column("evidence", vector, tuple(k for k, _ in chosen), (0,) * domain.n)


def _says_something(goal: Goal, condition: Given) -> bool:
    """Whether a hypothesis is not true everywhere by its coefficients."""
    domain = goal.domain
    return negatives(domain, condition.polynomial) > 0


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


def propose(program: Program, deadline: CountedClock) -> NDArray[np.float64] | None:
    """Values of the unknowns as HiGHS finds them, or None."""
    from scipy import optimize, sparse

    sp: Any = sparse
    linprog: Any = optimize.linprog
    rows = {powers: r for r, powers in enumerate(_all_rows(program))}
    where = [(rows[k], j, float(v)) for j, c in enumerate(program.columns) for k, v in _items(c)]
    bound = np.zeros(len(rows))
    for powers, value in program.target.items():
        bound[rows[powers]] = float(value)
    if not program.columns or deadline.over:
        return np.zeros(0) if not program.columns else None
    r, j, v = (np.array(part) for part in zip(*where, strict=True))
    matrix = sp.csr_array(
        (v, (r.astype(int), j.astype(int))), shape=(len(rows), len(program.columns))
    )
    sides: dict[str, Any] = (
        {"A_eq": matrix, "b_eq": bound} if program.exactly else {"A_ub": matrix, "b_ub": bound}
    )
    step = _STEP_OF_PROGRAM + _STEP_ENTRY * len(where)
    most = deadline.work_left / step
    solved = linprog(
        [_COST[c.kind] for c in program.columns],
        bounds=[_BOUNDS[c.kind] for c in program.columns],
        method="highs",
        options={"time_limit": max(inf if deadline.left is None else deadline.left, 0.01)}
        | ({} if most == inf else {"maxiter": max(_LEAST_STEPS, int(most))}),
        **sides,
    )
    deadline.spend(_BUILT * len(where) + step * int(getattr(solved, "nit", 0) or 0))
    if solved.status != 0 or solved.x is None:
        return None
    solution = zip(solved.x, program.columns, strict=True)
    evidence = [x for x, c in solution if c.kind in ("margin", "evidence")]
    return None if evidence and max(evidence) <= _LEAST_EVIDENCE else np.asarray(solved.x, float)


_LEAST_EVIDENCE = 1e-7
_BUILT, _STEP_OF_PROGRAM, _STEP_ENTRY, _LEAST_STEPS = 1e-5, 2e-5, 4e-9, 1_000
"""Work of an entry that is built, of a step of the solver and of each entry in it; steps at least."""
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
    result = dict.fromkeys(program.target)
    for column in program.columns:
        result.update(dict.fromkeys(column.vector))
    return result


# --- From what a solver proposed to exact numbers: rounded, or solved for on the rows that are
# tight.
#
# Whatever comes out is checked: the remainder of every row must be nonnegative, in exact arithmetic.


Exact = list[Fraction]

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 360, 10**4, 10**7)
_SMALL_OF_RECOVERY = 1e-7
_MOST_CELLS = 250_000


def recover(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Exact values of the unknowns that the program accepts, or None."""
    result = rounded(program, proposal)
    return solved(program, proposal) if result is None else result


def rounded(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Proposal rounded to the smallest denominators that are accepted."""
    tried: list[Exact] = []
    for denominator in _DENOMINATORS:
        values = [Fraction(float(x)).limit_denominator(denominator) for x in proposal]
        if values not in tried and accepted(program, values):
            return values
        tried = [values]
    return None


def accepted(program: Program, values: Exact) -> bool:
    """Whether exact values leave no negative coefficient (none at all where `exactly`)."""
    pairs = list(zip(values, program.columns, strict=True))
    if any(value < 0 and column.kind != "cofactor" for value, column in pairs):
        return False
    evidence = [value for value, column in pairs if column.kind in ("margin", "evidence")]
    if evidence and not any(evidence):
        return False
    rest = remainder(program, values)
    if program.exactly:
        return not any(rest.values())
    return all(value >= 0 for value in rest.values())


def remainder(program: Program, values: Exact) -> dict[Exponents, Any]:
    """Target minus the columns times their values."""
    rest: dict[Exponents, Any] = defaultdict(fmpq, program.target)
    for value, column in zip(values, program.columns, strict=True):
        if value:
            factor = rational(value)
            for powers, coefficient in column.vector.items():
                rest[powers] -= factor * coefficient
    return rest


def solved(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Exact solution of the rows that are tight, in the unknowns that are not zero."""
    support = [j for j, x in enumerate(proposal) if abs(x) > _SMALL_OF_RECOVERY]
    rest = _float_remainder(program, proposal)
    tight = [
        powers for powers, value in rest.items() if program.exactly or value < _SMALL_OF_RECOVERY
    ]
    if not support or len(tight) * (len(support) + 1) > _MOST_CELLS:
        return None
    table = [
        [program.columns[j].vector.get(powers, 0) for j in support]
        + [program.target.get(powers, 0)]
        for powers in tight
    ]
    values = _particular(table, [float(proposal[j]) for j in support])
    if values is None:
        return None
    full = [Fraction(0)] * len(program.columns)
    for j, value in zip(support, values, strict=True):
        full[j] = value
    return full if accepted(program, full) else None


def _float_remainder(program: Program, proposal: NDArray[np.float64]) -> dict[Exponents, float]:
    rest: dict[Exponents, float] = defaultdict(float)
    number: Callable[[Any], float] = lambda v: float(v.p) / float(v.q)  # noqa: E731
    for powers, value in program.target.items():
        rest[powers] += number(value)
    for x, column in zip(proposal, program.columns, strict=True):
        for powers, value in column.vector.items():
            rest[powers] -= float(x) * number(value)
    return rest


def _particular(table: list[list[Any]], near: list[float]) -> Exact | None:
    """Solve a linear system exactly, its free unknowns rounded from `near`; None if it has no solution."""
    if not table:
        return [Fraction(x).limit_denominator(_DENOMINATORS[-1]) for x in near]
    reduced, rank = fmpq_mat(table).rref()
    width = len(near)
    free = [Fraction(x).limit_denominator(360) for x in near]
    values = list(free)
    pivots = []
    for row in range(rank):
        pivot = next(j for j in range(width + 1) if reduced[row, j] != 0)
        if pivot == width:
            return None
        pivots.append((row, pivot))
    basic = {pivot for _, pivot in pivots}
    for row, pivot in pivots:
        value = _fraction(reduced[row, width])
        for j in range(pivot + 1, width):
            if j not in basic and reduced[row, j] != 0:
                value -= _fraction(reduced[row, j]) * free[j]
        values[pivot] = value
    return values


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


# --- Proofs by combination: claim minus nonnegative multiples of the hypotheses has no negative
# coefficient.
#
# One kind of node covers Handelman's and Krivine's theorems, Positivstellensatz proofs of low degree,
# sums of squares and membership in an ideal.


def combination(goal: Goal, shape: Shape, deadline: CountedClock) -> Node | None:
    """Proof of one shape, or None."""
    if shape.multiplier is not None and goal.strict:
        return None
    program = build(goal, shape)
    return None if program is None else _solve(goal, program, deadline)


def follows(goal: Goal, raised: int, deadline: CountedClock) -> Node | None:
    """Proof that the polynomial is zero, by cofactors of the equalities alone."""
    plain = replace(goal, strict=False)
    if goal.polynomial.is_zero():
        return {"kind": "zero"}
    program = build(plain, Shape(0, raised), exactly=True)
    return None if program is None else _solve(plain, program, deadline)


def multiplied(goal: Goal, deadline: CountedClock) -> Node | None:
    """Proof of a positive multiple of the claim, or None."""
    degrees = [goal.domain.degree(p) for p in (goal.polynomial, *goal.hypotheses)]
    used = [any(column) for column in zip(*degrees, strict=True)]
    single = [tuple(int(b == c) for c in range(len(used))) for b, on in enumerate(used) if on]
    every: Degree = tuple(map(int, used))
    for degree in dict.fromkeys((*single, every)):
        result = combination(goal, Shape(1, multiplier=degree), deadline)
        if result is not None:
            return result
    return None


def is_given(goal: Goal) -> Node | None:
    """Proof of a claim that is a positive multiple of one hypothesis."""
    if goal.polynomial.is_zero():
        return None
    for k, conditions in enumerate(goal.ge):
        if (
            conditions is None
            or (goal.strict and not conditions.strict)
            or conditions.polynomial.is_zero()
        ):
            continue
        ratio = goal.polynomial.coefficient(0) / conditions.polynomial.coefficient(0)
        if ratio > 0 and ratio * conditions.polynomial == goal.polynomial:
            degree = list(goal.domain.degree(goal.polynomial))
            term = {"c": str(ratio), "given": [k]}
            return {"kind": "combination", "degree": degree, "terms": [term], "cofactors": []}
    return None


def _solve(goal: Goal, program: Program, deadline: CountedClock) -> Node | None:
    proposal = propose(program, deadline)
    values = None if proposal is None else recover(program, proposal)
    return None if values is None else _written(goal, program, values)


def _written(goal: Goal, program: Program, values: Exact) -> Node:
    used = [(v, c) for v, c in zip(values, program.columns, strict=True) if v]
    node: Node = {
        "kind": "combination",
        "degree": list(program.degree),
        "terms": [_term(v, c, program) for v, c in used if c.kind in ("term", "evidence")],
        "cofactors": _cofactors_of_combination(goal, used),
    }
    margin = [v for v, c in used if c.kind == "margin"]
    if margin:
        node["margin"] = str(margin[0])
    multiplier = [
        [list(c.monomial), str(1 + v)]
        for v, c in zip(values, program.columns, strict=True)
        if c.kind == "multiplier"
    ]
    return node | ({"multiplier": multiplier} if multiplier else {})


def _term(value: Fraction, column: Column, program: Program) -> Node:
    node: Node = {"c": str(value)}
    if column.source:
        node["given"] = list(column.source)
    if any(column.monomial):
        node["times"] = list(column.monomial)
    if column.square is not None:
        node["square"] = terms(program.squares[column.square])
    return node


def _cofactors_of_combination(
    goal: Goal, used: Sequence[tuple[Fraction, Column]]
) -> list[list[Any]]:
    results: dict[int, list[list[Any]]] = {}
    for value, column in used:
        if column.kind == "cofactor":
            written = [list(column.monomial), str(value)]
            results.setdefault(column.source[0], []).append(written)
    return [[k, polynomial] for k, polynomial in sorted(results.items())]


# --- Where all is linear on one simplex: decided exactly, by the simplex method in whole fractions.
#
# A point refutes c >= 0 where -c > 0. The largest t with t <= each strict form and 0 <= each other, for
# z >= 0 with sum at most 1, is above zero exactly where there is one; otherwise its multipliers prove c.
# At most as many coordinates are positive as there are forms.


_SLOW = 60
"""Steps after which the first variable that improves is taken, which always ends."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A point that refutes a linear goal, or else a node: of the goal, or of 0 > 0 or -1 >= 0."""

    point: Point | None = None
    node: Node | None = None
    absurd: Literal["", ">", ">="] = ""


def is_linear(domain: Domain, polynomials: Iterable[Polynomial]) -> bool:
    """Whether there is one simplex, and all of them are linear on it."""
    return len(domain.sizes) == 1 and all(p.total_degree() <= 1 for p in polynomials)


def linear(goal: Goal) -> Linear:
    """Decide a linear goal."""
    domain = goal.domain
    places = [k for k, g in enumerate(goal.ge) if g is not None]
    forms = [(goal.ge[k].polynomial, goal.ge[k].strict) for k in places]  # type: ignore[union-attr]
    equal = [(sign * p, False) for p in goal.eq for sign in (1, -1)]
    stated = [*forms, *equal, (domain.one, True), (-goal.polynomial, not goal.strict)]
    best, z, weights = _largest([(_at_corners(domain, p), strict) for p, strict in stated])
    if best > 0:
        return Linear(tuple(_fraction(x / sum(z, fmpq(0))) for x in z))
    margin, own = weights[-2:]
    certain = own > 0 and not (goal.strict and goal.polynomial.is_zero())
    absurd: Literal["", ">", ">="] = "" if certain else ">=" if margin > 0 else ">"
    scale = own if certain else margin if margin > 0 else fmpq(1)
    shares = [weight / scale for weight in weights]
    pairs = zip(places, shares, strict=False)
    node: Node = {
        "kind": "combination",
        "degree": [1],
        "terms": [{"c": str(c), "given": [k]} for k, c in pairs if c],
        "cofactors": [
            [k, [[[0] * domain.n, str(a - b)]]]
            for k in range(len(goal.eq))
            for a, b in [shares[len(places) + 2 * k : len(places) + 2 * k + 2]]
            if a != b
        ],
    }
    if certain and goal.strict and margin > 0:
        node["margin"] = str(margin / own)
    elif certain and not goal.strict and not (node["terms"] or node["cofactors"]):
        node = {"kind": "coefficients", "degree": [1]}
    return Linear(None, node, absurd)


def _at_corners(domain: Domain, polynomial: Polynomial) -> list[Any]:
    """Coefficients of a linear form."""
    lifted = domain.lift(domain.affine(polynomial), (1,)).to_dict()
    values = [fmpq(0)] * domain.n
    for powers, value in lifted.items():
        values[next(c for c in range(domain.n) if powers[c])] = value
    return values


def _largest(stated: Sequence[tuple[list[Any], bool]]) -> tuple[Any, list[Any], list[Any]]:
    """Largest t with form >= t (>= 0 where not strict), where it is, and the multipliers that bound it."""
    n = len(stated[0][0])
    table = [[-x for x in form] + [fmpq(int(strict))] for form, strict in stated]
    table.append([fmpq(1)] * n + [fmpq(0)])
    bound = [fmpq(0)] * len(stated) + [fmpq(1)]
    gain, value = [fmpq(0)] * n + [fmpq(1)], fmpq(0)
    free, basic = list(range(n + 1)), list(range(n + 1, n + 2 + len(stated)))
    steps = 0
    while better := [j for j, c in enumerate(gain) if c > 0]:
        steps += 1
        j = min(better, key=lambda j: (-gain[j] if steps < _SLOW else 0, free[j]))
        rows = [r for r, row in enumerate(table) if row[j] > 0]
        r = min(rows, key=lambda r: (bound[r] / table[r][j], basic[r]))
        pivot = 1 / table[r][j]
        free[j], basic[r] = basic[r], free[j]
        table[r] = [x * pivot for x in table[r]]
        table[r][j], bound[r] = pivot, bound[r] * pivot
        for k, row in enumerate(table):
            if k != r and (factor := row[j]):
                row[j] = fmpq(0)
                table[k] = [x - factor * y if y else x for x, y in zip(row, table[r], strict=True)]
                bound[k] -= factor * bound[r]
        factor, gain[j] = gain[j], fmpq(0)
        value += factor * bound[r]
        gain = [x - factor * y for x, y in zip(gain, table[r], strict=True)]
    at = dict(zip(basic, bound, strict=True))
    prices = dict(zip(free, gain, strict=True))
    weights = [-prices.get(n + 1 + k, fmpq(0)) for k in range(len(stated))]
    return value, [at.get(c, fmpq(0)) for c in range(n)], weights


# --- Proofs of a multiple of the claim: by divisors and strict hypotheses, which are positive where all is
# defined. So a factor of a hypothesis is cancelled that another one makes positive.


_MOST = 3


def multiples(goal: Goal, deadline: CountedClock) -> Node | None:
    """Combination that proves the claim times a product of what is positive, or None."""
    divisors = {place: number for number, place in goal.divisors.items()}
    forms = {k: g.polynomial for k, g in enumerate(goal.ge) if g is not None and g.strict}
    places = [k for k in divisors if k in forms] if len(divisors) <= _MOST else []
    places += [k for k in forms if k not in divisors][: _MOST - len(places)]
    for powers in sorted(product((0, 1, 2), repeat=len(places)), key=sum)[1:]:
        chosen = [(k, power) for k, power in zip(places, powers, strict=True) if power]
        factor = prod((forms[k] ** power for k, power in chosen), start=goal.domain.one)
        larger = goal.about(goal.domain.affine(factor * goal.polynomial))
        for products in (1, 2):
            if deadline.over_before(0.004):
                return None
            node = is_given(larger) or combination(larger, Shape(products), deadline)
            if node is not None:
                times = [[divisors[k], power] for k, power in chosen if k in divisors]
                positive = [[k, power] for k, power in chosen if k not in divisors]
                node |= {"times": times} if times else {}
                return node | ({"positive": positive} if positive else {})
    return None


# --- Forms whose squares may be needed, found without a semidefinite program.
#
# First the user's and those under even powers in the claim itself; then forms that vanish where the
# claim is zero, for a sum of squares is zero only where all of them are: every form of half the degree,
# or differences of products of what the claim names, as in ad - bc.


Array = NDArray[np.float64]

_MOST_MONOMIALS = 120
_MOST_FORMS = 3_000
_MOST_NAMED = 12
_SMALL = 1e-4
_DENOMINATOR = 12


def forms(
    goal: Goal, supplied: Sequence[Polynomial], named: Sequence[Polynomial], deadline: CountedClock
) -> Iterator[list[Polynomial]]:
    """Yield lists of forms to be squared, the likeliest first.

    `given` are forms from the user or the claim, `named` the polynomials that its names stand for.
    """
    if supplied:
        yield list(supplied)
    monomials = _half(goal)
    if not 1 < len(monomials) <= _MOST_MONOMIALS:
        return
    points = zeros(goal, deadline)
    minors = _minors(goal.domain, named, points)
    if minors:
        yield [*supplied, *minors]
    values = np.array(
        [[float(np.prod(point ** np.array(m, float))) for m in monomials] for point in points]
    )
    basis = _vanishing(values, len(monomials))
    results = [_form(goal.domain, monomials, row) for row in basis]
    yield from _with_pairs([*supplied, *(f for f in results if not f.is_zero())])
    yield from _with_pairs(_binomials(goal.domain, monomials, values))


def _minors(
    domain: Domain, named: Sequence[Polynomial], points: Sequence[Array]
) -> list[Polynomial]:
    """Ab - cd for named quantities, where that is zero at all points."""
    if not points or not 2 <= len(named) <= _MOST_NAMED:
        return []
    floats = [FloatPolynomial(domain, p) for p in named]
    values = np.array([[f(point) for point in points] for f in floats])
    pairs = list(combinations_with_replacement(range(len(named)), 2))
    results: list[Polynomial] = []
    for (a, b), (c, d) in combinations(pairs, 2):
        if np.abs(values[a] * values[b] - values[c] * values[d]).max() < _SMALL:
            form = named[a] * named[b] - named[c] * named[d]
            if not form.is_zero() and form not in results:
                results.append(form)
    return results


def _half(goal: Goal) -> list[tuple[int, ...]]:
    """Exponents of all affine monomials of at most half the degree in each block."""
    domain = goal.domain
    degree = domain.degree(goal.polynomial)
    choices = []
    for block, d in zip(domain.blocks, degree, strict=True):
        size, half = len(block), (d + 1) // 2
        inner = [z for z in product(range(half + 1), repeat=size - 1) if sum(z) <= half]
        choices.append([(*z, 0) for z in inner])
    count = np.prod([float(len(choice)) for choice in choices])
    if count > _MOST_MONOMIALS:
        return []
    return [tuple(k for part in parts for k in part) for parts in product(*choices)]


def _vanishing(values: Array, width: int) -> list[list[Fraction]]:
    """Basis, with small numbers, of the forms that vanish at all points."""
    if not len(values):
        return [[Fraction(int(i == j)) for j in range(width)] for i in range(width)]
    _, singular, turned = np.linalg.svd(values)
    rank = int((singular > _SMALL * max(1.0, singular[0])).sum())
    return [
        [Fraction(float(x)).limit_denominator(_DENOMINATOR) for x in row]
        for row in _echelon(turned[rank:])
    ]


def _echelon(rows: Array) -> Array:
    """Rows of the same span that are as sparse as elimination makes them."""
    rows = rows.copy()
    used: list[int] = []
    for r in range(len(rows)):
        free = np.abs(rows[r])
        free[used] = 0
        pivot = int(np.argmax(free > 0.5 * free.max())) if free.max() > 0 else 0
        if abs(rows[r, pivot]) < _SMALL:
            continue
        rows[r] /= rows[r, pivot]
        used.append(pivot)
        for other in range(len(rows)):
            if other != r:
                rows[other] -= rows[other, pivot] * rows[r]
    rows[np.abs(rows) < _SMALL] = 0
    return rows


def _form(
    domain: Domain, monomials: Sequence[tuple[int, ...]], row: Sequence[Fraction]
) -> Polynomial:
    total = 0 * domain.one
    for z, value in zip(monomials, row, strict=True):
        if value:
            total += domain.constant(value) * domain.context.from_dict({z: 1})
    return total


def _binomials(
    domain: Domain, monomials: Sequence[tuple[int, ...]], values: Array
) -> list[Polynomial]:
    """M - r m' for pairs of monomials whose ratio is the same at all points of zero."""
    results = []
    for (a, entry), (b, other) in combinations(enumerate(monomials), 2):
        ratio = _ratio(values, a, b)
        if ratio is not None:
            row = domain.context.from_dict({entry: 1})
            results.append(row - domain.constant(ratio) * domain.context.from_dict({other: 1}))
    return results


def _ratio(values: Array, a: int, b: int) -> Fraction | None:
    if not len(values) or np.abs(values[:, b]).min() < _SMALL:
        return None
    ratios = values[:, a] / values[:, b]
    if np.ptp(ratios) > _SMALL:
        return None
    return Fraction(float(ratios[0])).limit_denominator(_DENOMINATOR)


def _with_pairs(result: list[Polynomial]) -> Iterator[list[Polynomial]]:
    """Yield the forms with sums and differences of each two of them."""
    if result and len(result) ** 2 <= _MOST_FORMS:
        pairs = list(combinations(result, 2))
        yield [*result, *(a + b for a, b in pairs), *(a - b for a, b in pairs)]


# --- Points at which the hypotheses hold: where the claim may fail, and how small it gets.
#
# Everything is proposed in floating point or at random, and checked exactly in the domain in which the
# question was asked. Small denominators come first: they make small exams.


SearchArray = NDArray[np.float64]

_MOST_CORNERS = 800
_RANDOM = 400
_STARTS = 12
_MOST_DIRECTIONS = 12
_DENOMINATORS_OF_SEARCH = (4, 6, 8, 12, 24, 60, 120, 1_000, 10**5)
_MARGIN = 1e-6
_A_START, _A_TERM_OF_START = 0.05, 1e-4
"""Work of a local optimum that is looked for, and of each term there."""


class Search:
    """Looks for points on the small domain, and keeps what it saw.

    `feasible`: whether some point satisfies all hypotheses; `least`: the least value of larger
    side minus smaller side at such a point.
    """

    def __init__(self, problem: Problem, small: Problem, moves: Sequence[Move]) -> None:
        self.feasible = False
        self.least: Fraction | None = None
        self._asked, self._small = problem, small
        self._coordinates: Sequence[Polynomial] = problem.domain.gens
        for move in moves:
            self._coordinates = [move.domain.through(p, move.arguments) for p in self._coordinates]
        self._equal = [g.polynomial for g in small.given if g.relation == "="]

    def back(self, point: Point) -> Point:
        """Point of the small domain in the domain of the question."""
        return self._small.domain.all_at(self._coordinates, point)

    def checked(self, points: Iterable[Point]) -> Iterator[Point]:
        """Yield counterexamples among some points."""
        return (old for old in map(self.back, points) if self._seen(old))

    def simple(self, deadline: CountedClock) -> Iterator[Point]:
        """Yield counterexamples among corners and simple points."""
        return self._refuting(self._simple(), deadline)

    def optimised(self, deadline: CountedClock) -> Iterator[Point]:
        """Yield counterexamples that a linear program or a local optimiser finds."""
        return self._refuting(self._optimised(deadline), deadline)

    def _refuting(self, points: Iterable[Point], deadline: CountedClock) -> Iterator[Point]:
        for point in points:
            if deadline.over_before(self._asked.work):
                return
            fixed = self._repaired(point, deadline)
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

    def _optimised(self, deadline: CountedClock) -> Iterator[Point]:
        domain = self._small.domain
        if domain.n < 2:
            return
        problem = _Floating(self._small)
        draw = np.random.default_rng(0)
        for _ in range(_STARTS):
            if deadline.over_before(_A_START + _A_TERM_OF_START * self._small.n_terms):
                return
            start = np.concatenate([draw.dirichlet(np.ones(size)) for size in domain.sizes])
            result = problem.minimise(start)
            if result is not None:
                yield from _rounded(domain, result)

    def _repaired(self, point: Point, deadline: CountedClock) -> Point | None:
        """Point moved along single edges so that the equalities hold, or None."""
        domain = self._small.domain
        for polynomial in self._equal:
            if domain.at(polynomial, point):
                moved = _on_zero(domain, polynomial, point, deadline)
                if moved is None:
                    return None
                point = moved
        return None if any(domain.at(p, point) for p in self._equal) else point


def _row(draw: random.Random, size: int, most: int, inner: bool) -> list[Fraction]:
    weights = [draw.randint(int(inner), most) for _ in range(size)]
    if not any(weights):
        weights[draw.randrange(size)] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def _rounded(domain: Domain, point: SearchArray) -> Iterator[Point]:
    """Yield points near a float one, of growing denominators, on the domain."""
    for denominator in _DENOMINATORS_OF_SEARCH:
        results: list[Fraction] = []
        for block in domain.blocks:
            values = [Fraction(float(point[c])).limit_denominator(denominator) for c in block]
            values = [max(v, Fraction(0)) for v in values]
            largest = max(range(len(values)), key=values.__getitem__)
            values[largest] += 1 - sum(values)
            results += values
        if min(results) >= 0:
            yield tuple(results)


def _on_zero(
    domain: Domain, polynomial: Polynomial, point: Point, deadline: CountedClock
) -> Point | None:
    """Point on an edge direction through `point` at which the polynomial is zero.

    Only directions along which it is linear are tried, and not all of them.
    """
    used = [c for c, d in enumerate(polynomial.degrees()) if d]
    for block in domain.blocks:
        inside = [c for c in block if c in used]
        for up, down in islice(product(inside, reversed(block)), _MOST_DIRECTIONS):
            if deadline.over_before(3 * (A_POINT + A_TERM * len(polynomial))):
                return None
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

    def minimise(self, start: SearchArray) -> SearchArray | None:
        """Return where the claim is smallest near a start, or None."""
        import warnings

        from scipy import optimize

        minimize: Any = optimize.minimize
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            solution = minimize(
                self.claim,
                start,
                jac=self.claim.gradient,
                method="SLSQP",
                bounds=[(0, 1)] * self.domain.n,
                constraints=self._constraints(),
                options={"maxiter": 150, "ftol": 1e-12},
            )
        point = np.asarray(solution.x, float)
        return point if np.isfinite(point).all() else None

    def _constraints(self) -> list[dict[str, Any]]:
        ones = np.array([[float(c in b) for c in range(self.domain.n)] for b in self.domain.blocks])
        results: list[dict[str, Any]] = [
            {"type": "eq", "fun": lambda z: ones @ z - 1, "jac": lambda z: ones}
        ]
        for p in self.at_least:
            results.append(
                {"type": "ineq", "fun": lambda z, p=p: p(z) - _MARGIN, "jac": p.gradient}
            )
        for p in self.equal:
            results.append({"type": "eq", "fun": p, "jac": p.gradient})
        return results


def _likely_signs(problem: Problem) -> list[int]:
    """Signs of the divisors at the middle of the domain, 1 where they are zero there."""
    return [sign or 1 for sign in problem.signs(problem.domain.middle)]


# --- One question after the other way of proving it, the cheapest first, within a time limit.


Confirm = Callable[[Point], bool]


@dataclass
class Outcome:
    """What came of a question.

    Attributes
    ----------
    verdict : str
        "proved", "refuted", "contradiction" or "open".
    node : dict or None
        The proof of the claim, or that the hypotheses exclude one another.
    moves, denominators
        The steps to the small domain and the signs of the divisors, as certificates write them.
    strict : bool
        Of a contradiction: whether 0 > 0 was proved, and not -1 >= 0.
    feasible : bool
        Whether a point was seen at which all hypotheses hold.
    tried : list of str
        What was tried, in words.
    least : Fraction or None
        The least value seen of larger minus smaller side.
    """

    verdict: str = "open"
    node: Node | None = None
    moves: Sequence[Move] = ()
    denominators: list[Node] = field(default_factory=list)
    strict: bool = False
    feasible: bool = False
    tried: list[str] = field(default_factory=list)
    least: Fraction | None = None


def decide(
    problem: Problem,
    deadline: CountedClock,
    *,
    confirm: Confirm,
    squares: Sequence[Polynomial] = (),
    named: Sequence[Polynomial] = (),
) -> Outcome:
    """Decide a problem, or say what was tried.

    Parameters
    ----------
    problem : Problem
    deadline : CountedClock
    confirm : callable
        Told of every point that refutes the claim; returns whether that settles it.
    squares : sequence of polynomials
        On the problem's domain: forms whose squares may help.
    named : sequence of polynomials
        What the names in the claim stand for: such forms may be made of them.
    """
    outcome = Outcome()
    strict = problem.claim.relation == ">" and any(g.relation == ">" for g in problem.given)
    if is_linear(problem.domain, problem.polynomials):
        keeping: tuple[bool, ...] = (True,)
    else:
        keeping = (True, False) if strict else (False,)
    for keep in keeping:
        part = deadline.part(share=0.5) if len(keeping) > 1 and keep else deadline
        attempt = _Attempt(problem, part, confirm, (squares, named), keep_strict=keep)
        outcome = attempt.run(outcome.tried)
        if outcome.verdict != "open":
            break
    return outcome


class _Attempt:
    """One way to use the hypotheses, through all stages."""

    def __init__(
        self,
        problem: Problem,
        deadline: CountedClock,
        confirm: Confirm,
        helping: tuple[Sequence[Polynomial], Sequence[Polynomial]],
        *,
        keep_strict: bool,
    ) -> None:
        self.deadline, self.confirm = deadline, confirm
        self.small, self.moves = prepare(problem, keep_strict=keep_strict)
        self.search = Search(problem, self.small, self.moves)
        self.squares, self.named = ([self._moved(q) for q in part] for part in helping)

    def _moved(self, polynomial: Polynomial) -> Polynomial:
        for move in self.moves:
            domain = move.domain
            polynomial = domain.affine(domain.through(polynomial, move.arguments))
        return polynomial

    def run(self, tried: list[str]) -> Outcome:
        """Go through the stages."""
        outcome = Outcome(moves=self.moves, tried=tried)
        claim = self.small.claim
        more = True
        if is_linear(self.small.domain, self.small.polynomials):
            self._linearly(outcome)
            more = claim.relation != ">" or not claim.polynomial.is_zero()  # 0 > 0
        if outcome.verdict == "open" and more:
            outcome.denominators.clear()
            if self._refuted(self.search.simple(self.deadline.part(1.0))):
                outcome.verdict = "refuted"
            else:
                self._settle(outcome)
        outcome.least, outcome.feasible = self.search.least, self.search.feasible
        return outcome

    def _refuted(self, points: Iterable[Point]) -> bool:
        return any(self.confirm(point) for point in points)

    def _linearly(self, outcome: Outcome) -> None:
        """Decide what is linear; of an equation, whether it is refuted."""
        signs = self._signs(outcome)
        if signs is None:
            return
        goal = _goal(self.small, signs)
        outcome.tried.append("exact linear programming")
        empty = linear(goal.about(0 * goal.domain.one, strict=True))
        if empty.node is not None:
            outcome.verdict, outcome.node = "contradiction", empty.node
            outcome.strict = empty.absurd == ">"
            return
        equation = self.small.claim.relation == "="
        goals = [goal.about(sign * goal.polynomial) for sign in ((1, -1) if equation else (1,))]
        answers = list(map(linear, goals))
        points = [answer.point for answer in (empty, *answers) if answer.point is not None]
        if self._refuted(self.search.checked(points)):
            outcome.verdict = "refuted"
        elif not equation and answers[0].node is not None:
            outcome.verdict, outcome.node = "proved", answers[0].node

    def _settle(self, outcome: Outcome) -> None:
        signs = self._signs(outcome)
        if not self.search.feasible and self._optimum_refutes(outcome):
            return
        goal = None if signs is None else _goal(self.small, signs)
        if not self.search.feasible and self._contradiction(outcome, goal):
            return
        if goal is None:
            self._optimum_refutes(outcome)
            return
        for name, stage in self._stages(goal):
            if self.deadline.over:
                outcome.tried.append("time ran out")
                return
            outcome.tried.append(name)
            node = stage()
            if node is not None:
                outcome.verdict, outcome.node = "proved", node
                return
            if name == _QUICK[-1] and self._optimum_refutes(outcome):
                return

    def _optimum_refutes(self, outcome: Outcome) -> bool:
        outcome.tried.append("optimisation for a counterexample")
        refuted = self._refuted(self.search.optimised(self.deadline.part(3.0)))
        outcome.verdict = "refuted" if refuted else outcome.verdict
        return refuted

    def _contradiction(self, outcome: Outcome, goal: Goal | None) -> bool:
        if goal is None:
            return False
        absurd = goal.about(-goal.domain.one, strict=False)
        positive = goal.about(0 * goal.domain.one, strict=True)
        for wanted, shape in product((absurd, positive), (Shape(1), Shape(2), Shape(2, 1))):
            node = combination(wanted, shape, self.deadline.part(3.0))
            if node is not None:
                outcome.verdict, outcome.node = "contradiction", node
                outcome.strict = wanted.strict
                return True
        return False

    def _signs(self, outcome: Outcome) -> list[int] | None:
        """Sign of each divisor, 0 where it is open; None if an open one matters."""
        relations = [s for s in (self.small.claim, *self.small.given) if s.relation != "="]
        needed = {k for statement in relations for k in statement.odd}
        ge = tuple(
            Given(g.polynomial, g.relation == ">") if g.plain else None
            for g in self.small.given
            if g.relation != "="
        ) + tuple(Given(p, False) for p in self.small.left)
        eq = tuple(g.polynomial for g in self.small.given if g.relation == "=")
        signs = []
        for k, divisor in enumerate(self.small.divisors):
            goal = Goal(self.small.domain, divisor, False, ge, eq)
            result = signed(goal, self._quickly if k in needed else coefficients)
            if result is None and k in needed:
                outcome.tried.append(f"the sign of divisor {k + 1}, which was not found")
                return None
            signs.append(result[0] if result else 0)
            entry = {"sign": result[0], "proof": result[1]} if result else {"sign": 1}
            outcome.denominators.append(entry)
        return signs

    def _quickly(self, goal: Goal) -> Node | None:
        return quick(goal, self.deadline.part(1.0))

    def _stages(self, goal: Goal) -> list[tuple[str, Callable[[], Node | None]]]:
        part = self.deadline.part
        if self.small.claim.relation == "=":
            return [
                (_QUICK[-1], lambda: follows(goal, 0, part(5.0))),
                ("cofactors one degree higher", lambda: follows(goal, 1, part(8.0))),
                ("cofactors two degrees higher", lambda: follows(goal, 2, part(8.0))),
            ]
        ordered = ("orders of the coordinates", lambda: orders(goal, self._quickly))
        alone = not goal.hypotheses  # hypotheses are used better by what follows
        return [
            (_QUICK[0], lambda: is_given(goal) or coefficients(goal)),
            (_QUICK[1], lambda: factors(goal, self._quickly)),
            *([ordered] if alone else []),
            (
                _QUICK[2],
                lambda: combination(goal, Shape(1), part(4.0)) if goal.hypotheses else None,
            ),
            ("products of two hypotheses", lambda: _if_given(goal, Shape(2), part(5.0))),
            ("halves and corners", lambda: _by_parts(goal, part(4.0))),
            ("one degree higher", lambda: combination(goal, Shape(2, 1), part(5.0))),
            *([] if alone else [ordered]),
            (
                "positive multiples",
                lambda: multiples(goal, part(5.0)) or multiplied(goal, part(5.0)),
            ),
            ("squares", lambda: self._by_squares(goal)),
            (
                "halves after halves",
                lambda: split(goal, 40 if len(goal.domain.sizes) == 1 else 9, part(4.0)),
            ),
        ]

    def _by_squares(self, goal: Goal) -> Node | None:
        for result in forms(goal, self.squares, self.named, self.deadline.part(3.0)):
            for products in (0, 1) if goal.hypotheses else (0,):
                node = combination(goal, Shape(products, squares=result), self.deadline.part(4.0))
                if node is not None:
                    return node
        return None


_QUICK = ("coefficients", "factors", "combination of the hypotheses")


def _goal(small: Problem, signs: Sequence[int]) -> Goal:
    """Goal with signs multiplied in; divisors whose sign is proved come last among `ge`."""

    def turned(polynomial: Polynomial, odd: Sequence[int]) -> Polynomial:
        for k in odd:
            polynomial = signs[k] * polynomial
        return polynomial

    ge = [
        Given(turned(g.polynomial, g.odd), g.relation == ">")
        for g in small.given
        if g.relation != "="
    ]
    ge += [Given(p, False) for p in small.left]
    proved = [k for k, sign in enumerate(signs) if sign]
    indices = {k: len(ge) + index for index, k in enumerate(proved)}
    ge += [Given(signs[k] * small.divisors[k], True) for k in proved]
    eq = tuple(g.polynomial for g in small.given if g.relation == "=")
    equal = small.claim.relation == "="
    claim = small.claim.polynomial if equal else turned(small.claim.polynomial, small.claim.odd)
    return Goal(small.domain, claim, small.claim.relation == ">", tuple(ge), eq, indices)


def quick(goal: Goal, deadline: CountedClock) -> Node | None:
    """Proof that is found in no time, or None."""
    result = is_given(goal) or coefficients(goal)
    if result is None and goal.hypotheses and goal.polynomial.total_degree() <= 4:
        result = combination(goal, Shape(1), deadline)
    if result is None and not deadline.over_before(_STEP):
        result = factors(goal, lambda one: quick(one, deadline))
    return split(goal.without_givens(), 3, deadline) if result is None else result


def _if_given(goal: Goal, shape: Shape, deadline: CountedClock) -> Node | None:
    return combination(goal, shape, deadline) if goal.hypotheses else None


def _by_parts(goal: Goal, deadline: CountedClock) -> Node | None:
    """Proof at the corners of blocks in which the claim is affine, then by halves."""
    if deadline.over_before(_STEP):
        return None
    result = coefficients(goal)
    if result is not None:
        return result
    bare = goal.without_givens()
    for entry in (goal, bare):
        block = affine_block(entry)
        if block is not None:
            node = corners(entry, block, lambda corner: _by_parts(corner, deadline))
            return node if node is None or entry is goal else goal.dropped(node)
    busy = sum(d > 0 for d in goal.domain.degree(goal.polynomial))
    return split(goal, 40 if busy == 1 else 7, deadline)
