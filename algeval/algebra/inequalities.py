"""Polynomial inequalities on products of simplices: problems and certificates."""

from __future__ import annotations

import math
import operator
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mpoly_ctx
from numpy.typing import NDArray

from algeval.progress import CountedClock

# --- A product of simplices, and polynomials on it.
#
# A domain is a list of blocks; the coordinates of a block are nonnegative and sum to 1. Two polynomials
# agree on it exactly when their *affine forms* do: the last coordinate of every block replaced by 1
# minus the others. `Domain.lift` makes an affine form homogeneous again, of a given degree in each
# block; its coefficients are the Bernstein coefficients up to positive factors.


Polynomial = Any  # flint.fmpq_mpoly; python-flint is untyped
Exponents = tuple[int, ...]
Degree = tuple[int, ...]
Point = tuple[Fraction, ...]


def rational(value: Fraction | int) -> Any:
    """Fraction as python-flint's."""
    return fmpq(value.numerator, value.denominator)


class Domain:
    """A product of simplices with `sizes` coordinates each.

    `sizes`: coordinates in each block; `n`: coordinates of all blocks, which are numbered
    through.
    """

    def __init__(self, sizes: Iterable[int]) -> None:
        self.sizes: tuple[int, ...] = tuple(sizes)
        self.n = sum(self.sizes)
        self.context = fmpq_mpoly_ctx.get(tuple(f"z{index}" for index in range(self.n)), "lex")
        self.one: Polynomial = self.context.constant(1)

    @cached_property
    def gens(self) -> tuple[Polynomial, ...]:
        """The coordinates as polynomials."""
        return tuple(self.context.gens())

    @cached_property
    def blocks(self) -> tuple[range, ...]:
        """The numbers of the coordinates of each block."""
        ends = [0]
        for size in self.sizes:
            ends.append(ends[-1] + size)
        return tuple(range(a, b) for a, b in pairwise(ends))

    @cached_property
    def coordinates(self) -> tuple[Polynomial, ...]:
        """The coordinates in affine form."""
        result = list(self.gens)
        for block in self.blocks:
            result[block[-1]] = self.one - sum((self.gens[c] for c in block[:-1]), 0 * self.one)
        return tuple(result)

    @cached_property
    def pairs(self) -> tuple[int, ...]:
        """The blocks of two coordinates."""
        return tuple(b for b, size in enumerate(self.sizes) if size == 2)

    @cached_property
    def middle(self) -> Point:
        """The point at which all coordinates of a block are equal."""
        return tuple(Fraction(1, size) for size in self.sizes for _ in range(size))

    def constant(self, value: Fraction | int) -> Polynomial:
        """Number as a polynomial."""
        return self.context.constant(rational(value))

    def affine(self, polynomial: Polynomial) -> Polynomial:
        """Affine form of a polynomial."""
        return self.through(polynomial, self.coordinates)

    def through(self, polynomial: Polynomial, arguments: Sequence[Polynomial]) -> Polynomial:
        """Polynomial of another domain with its coordinates replaced by some of this one."""
        return polynomial.compose(*arguments, ctx=self.context)

    def degree(self, polynomial: Polynomial) -> Degree:
        """Degree in each block."""
        monomials = [tuple(map(int, powers)) for powers in polynomial.monoms()]
        return tuple(
            max((sum(powers[c] for c in block) for powers in monomials), default=0)
            for block in self.blocks
        )

    def size(self, degree: Degree) -> int:
        """How many monomials have exactly this degree."""
        return math.prod(
            math.comb(size - 1 + d, d) for size, d in zip(self.sizes, degree, strict=True)
        )

    def lift(self, polynomial: Polynomial, degree: Degree) -> Polynomial:
        """Polynomial of exactly this degree in each block that equals an affine form."""
        for block, d in zip(self.blocks, degree, strict=True):
            parts: dict[int, dict[Exponents, Any]] = defaultdict(dict)
            for powers, value in polynomial.to_dict().items():
                parts[sum(int(powers[c]) for c in block)][powers] = value
            total = sum((self.gens[c] for c in block), 0 * self.one)
            polynomial = 0 * self.one
            for k in range(d + 1):
                polynomial = polynomial * total + self.context.from_dict(parts.get(k, {}))
        return polynomial

    def monomials(self, degree: Degree) -> Iterator[Exponents]:
        """Yield the exponents of every monomial of exactly this degree."""
        choices = [
            [
                tuple(chosen.count(c) for c in block)
                for chosen in combinations_with_replacement(block, d)
            ]
            for block, d in zip(self.blocks, degree, strict=True)
        ]
        for parts in product(*choices):
            yield tuple(power for part in parts for power in part)

    def corners(self) -> Iterator[tuple[int, ...]]:
        """Yield one coordinate of each block, in every way."""
        return product(*self.blocks)

    def at(self, polynomial: Polynomial, point: Point) -> Fraction:
        """Value at a point."""
        return self.all_at((polynomial,), point)[0]

    def all_at(self, polynomials: Iterable[Polynomial], point: Point) -> Point:
        """Values of some polynomials at a point."""
        index = [rational(x) for x in point]
        values = (polynomial(*index) for polynomial in polynomials)
        return tuple(Fraction(int(value.p), int(value.q)) for value in values)


def terms(polynomial: Polynomial) -> list[list[Any]]:
    """Polynomial as JSON: [[exponents, coefficient as text], ...]."""
    return [[list(map(int, powers)), str(value)] for powers, value in polynomial.to_dict().items()]


def read(written: Iterable[Sequence[Any]], domain: Domain) -> Polynomial:
    """Polynomial that `terms` wrote."""
    return domain.context.from_dict(
        {tuple(powers): rational(Fraction(value)) for powers, value in written}
    )


# --- What is to be shown: a polynomial is nonnegative where the hypotheses hold.


Node = dict[str, Any]
"""One node of a certificate, as JSON."""


class Given(NamedTuple):
    """A hypothesis: this polynomial is nonnegative, or positive where `strict`."""

    polynomial: Polynomial
    strict: bool


@dataclass(frozen=True, eq=False)
class Goal:
    """The polynomial is >= 0 (> 0 where `strict`) wherever every `ge` is >= 0 and every `eq` is 0.

    All polynomials are affine forms on the domain. A hypothesis that was dropped is None, so that
    the numbers of the others stay. `divisors` says which of `ge` are divisors: {number: place}.
    """

    domain: Domain
    polynomial: Polynomial
    strict: bool = False
    ge: tuple[Given | None, ...] = ()
    eq: tuple[Polynomial, ...] = ()
    divisors: Mapping[int, int] = field(default_factory=dict)

    def about(self, polynomial: Polynomial, strict: bool | None = None) -> Goal:
        """Same goal for another polynomial."""
        wanted = self.strict if strict is None else strict
        return replace(self, polynomial=polynomial, strict=wanted)

    def without_givens(self) -> Goal:
        """Goal with no hypotheses but equalities."""
        return replace(self, ge=(None,) * len(self.ge), divisors={})

    def dropped(self, node: Node) -> Node:
        """Node that proves the goal without its inequalities, as one that says so."""
        there = [k for k, values in enumerate(self.ge) if values is not None]
        return node | ({"drop": there} if there else {})

    def through(self, domain: Domain, arguments: Sequence[Polynomial]) -> Goal:
        """Goal with each coordinate replaced by a polynomial on another domain."""

        def moved(polynomial: Polynomial) -> Polynomial:
            return domain.affine(domain.through(polynomial, arguments))

        ge = tuple(g and Given(moved(g.polynomial), g.strict) for g in self.ge)
        eq = tuple(map(moved, self.eq))
        return Goal(domain, moved(self.polynomial), self.strict, ge, eq, self.divisors)

    @property
    def hypotheses(self) -> list[Polynomial]:
        """The polynomials of all hypotheses that are left."""
        return [g.polynomial for g in self.ge if g is not None] + list(self.eq)

    def same(self, other: Goal) -> bool:
        """Whether two goals on one domain ask for the same."""
        return (
            self.polynomial == other.polynomial
            and list(self.eq) == list(other.eq)
            and [g and g.polynomial for g in self.ge] == [g and g.polynomial for g in other.ge]
        )


# --- Proofs by order: x <= y and y <= x are simplices too, and between them cover the square.
#
# Where a polynomial vanishes on a diagonal, as x^2 + y^2 - 2xy does, halving never ends. On one
# order of n first coordinates, x_1 <= ... <= x_n, the differences are the coordinates of a simplex.


_MOST = 5

OrdersProver = Callable[[Goal], Node | None]


def orders(goal: Goal, prove: OrdersProver) -> Node | None:
    """Proof in every order of the pair blocks that the polynomial speaks of, or None."""
    degree = goal.domain.degree(goal.polynomial)
    blocks = [b for b in goal.domain.pairs if degree[b] > 0]
    if not 2 <= len(blocks) <= _MOST:
        return None
    children: list[Node] = []
    seen: list[Goal] = []
    for order in permutations(blocks):
        here = goal.through(*_ordered(goal.domain, order))
        earlier = next((k for k, other in enumerate(seen) if other.same(here)), None)
        proof = {"same": earlier} if earlier is not None else prove(here)
        if proof is None:
            return None
        seen.append(here)
        children.append({"order": list(order), "proof": proof})
    return {"kind": "orders", "blocks": blocks, "children": children}


def _ordered(domain: Domain, order: Sequence[int]) -> tuple[Domain, list[Polynomial]]:
    """Domain with those blocks replaced by one, and the coordinates in it."""
    kept = [b for b in range(len(domain.sizes)) if b not in order]
    new = Domain([domain.sizes[b] for b in kept] + [len(order) + 1])
    differences = [new.gens[c] for c in new.blocks[-1]]
    arguments: list[Polynomial] = [None] * domain.n
    for index, block in zip(_numbers(kept, domain), new.gens, strict=False):
        arguments[index] = block
    for k, b in enumerate(order):
        first, second = domain.blocks[b]
        arguments[first] = sum(differences[: k + 1], 0 * new.one)
        arguments[second] = sum(differences[k + 1 :], 0 * new.one)
    return new, arguments


def _numbers(blocks: Sequence[int], domain: Domain) -> Iterator[int]:
    for b in blocks:
        yield from domain.blocks[b]


# --- Proofs by factoring: the sign of a product is that of its factors.


Prover = Callable[[Goal], Node | None]

_MOST_TERMS = 3_000


def irreducible(polynomial: Polynomial) -> tuple[Any, list[tuple[Polynomial, int]]]:
    """Constant and the irreducible factors of a polynomial with their powers."""
    content, factored = polynomial.factor()
    return content, [(factor, int(power)) for factor, power in factored]


def factors(goal: Goal, prove: Prover) -> Node | None:
    """Proof from the signs of the factors, or None where there is one factor or no sign."""
    if len(goal.polynomial) > _MOST_TERMS or goal.polynomial.is_zero():
        return None
    content, factored = irreducible(goal.polynomial)
    if sum(power for _, power in factored) < 2:
        return None
    sign = 1 if content > 0 else -1
    written = []
    for factor, power in sorted(factored, key=lambda one: len(one[0])):
        node: Node = {"polynomial": terms(factor), "power": power}
        if power % 2 or goal.strict:
            decided = signed(goal.about(factor), prove)
            if decided is None:
                return None
            node |= {"sign": decided[0], "proof": decided[1]}
            sign *= decided[0] if power % 2 else 1
        written.append(node)
    return {"kind": "factors", "constant": str(content), "factors": written} if sign > 0 else None


def signed(goal: Goal, prove: Prover) -> tuple[int, Node] | None:
    """Sign of the goal's polynomial, 1 or -1, with its proof; None if neither is found."""
    middle = goal.domain.at(goal.polynomial, goal.domain.middle)
    for sign in (1, -1) if middle >= 0 else (-1, 1):
        proof = prove(goal.about(sign * goal.polynomial))
        if proof is not None:
            return sign, proof
    return None


# --- Polynomials in floating point, with gradients: for proposals only.


Array = NDArray[np.float64]

_TINY = 1e-12
"""Coordinates are kept above this, so that logarithms and quotients exist."""


class FloatPolynomial:
    """A polynomial as an array of exponents and one of coefficients."""

    def __init__(self, domain: Domain, polynomial: Polynomial) -> None:
        self._powers = np.zeros((len(polynomial), domain.n))
        self._values = np.zeros(len(polynomial))
        for row, (powers, value) in enumerate(polynomial.to_dict().items()):
            self._powers[row] = [int(k) for k in powers]
            self._values[row] = int(value.p) / int(value.q)

    def __call__(self, point: Array) -> float:
        """Value at a point."""
        return float(self._terms(np.maximum(point, _TINY)).sum())

    def gradient(self, point: Array) -> Array:
        """Derivatives at a point."""
        inner = np.maximum(point, _TINY)
        slopes: Array = self._terms(inner) @ self._powers / inner
        return slopes

    def _terms(self, point: Array) -> Array:
        terms: Array = self._values * np.exp(self._powers @ np.log(point))
        return terms


# --- Where a polynomial that is nowhere negative is zero, in floating point.


_STARTS = 100
_SMALL = 1e-9


def zeros(goal: Goal, deadline: CountedClock) -> list[NDArray[np.float64]]:
    """Points at which the goal's polynomial is nearly zero, each seen once.

    Hypotheses are left out: squares that vanish where the claim does without them suffice.
    """
    from scipy import optimize

    minimize: Any = optimize.minimize
    domain = goal.domain
    claim = FloatPolynomial(domain, goal.polynomial)
    ones = np.array([[float(c in block) for c in range(domain.n)] for block in domain.blocks])
    sums = {"type": "eq", "fun": lambda z: ones @ z - 1, "jac": lambda z: ones}
    draw = np.random.default_rng(1)
    results: list[NDArray[np.float64]] = []
    for _ in range(_STARTS):
        if deadline.over_before(0.02):
            break
        start = np.concatenate([draw.dirichlet(np.ones(size)) for size in domain.sizes])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            end = minimize(
                claim, start, jac=claim.gradient, method="SLSQP", bounds=[(0, 1)] * domain.n,
                constraints=[sums], options={"maxiter": 300, "ftol": 1e-16},
            )  # fmt: skip
        point = np.asarray(end.x, float)
        new = all(np.abs(point - other).max() > 1e-3 for other in results)
        if np.isfinite(point).all() and abs(claim(point)) < _SMALL and new:
            results.append(point)
    return results


# --- The shortest proof: every coefficient of the lift is nonnegative.


MOST_TERMS = 150_000
"""Coefficients above which a lift is not made."""


def coefficients(goal: Goal, steps: int = 0) -> Node | None:
    """Proof by the coefficients of the lift, `steps` above the polynomial's own degree.

    Where the claim is strict the coefficient of each corner must be positive too: at every point
    some corner's monomial is.
    """
    domain = goal.domain
    degree = raised(domain.degree(goal.polynomial), steps)
    if domain.size(degree) > MOST_TERMS:
        return None
    lifted = domain.lift(goal.polynomial, degree).to_dict()
    if any(value < 0 for value in lifted.values()):
        return None
    if goal.strict and not _positive_at_corners(domain, lifted, degree):
        return None
    return {"kind": "coefficients", "degree": list(degree)}


def raised(degree: Degree, steps: int) -> Degree:
    """Degree raised by so many steps in each block in which it is not 0."""
    return tuple(d + steps if d else 0 for d in degree)


def negatives(domain: Domain, polynomial: Polynomial) -> int:
    """How many coefficients of the least lift are negative."""
    lifted = domain.lift(polynomial, domain.degree(polynomial))
    return sum(value < 0 for value in lifted.coeffs())


def corner_exponents(domain: Domain, corner: tuple[int, ...], degree: Degree) -> tuple[int, ...]:
    """Exponents of the monomial that is 1 at a corner."""
    powers = [0] * domain.n
    for coordinate, d in zip(corner, degree, strict=True):
        powers[coordinate] = d
    return tuple(powers)


def _positive_at_corners(
    domain: Domain, lifted: dict[tuple[int, ...], object], degree: Degree
) -> bool:
    blocks = [block if d else block[:1] for block, d in zip(domain.blocks, degree, strict=True)]
    from itertools import product

    return all(corner_exponents(domain, c, degree) in lifted for c in product(*blocks))


# --- A question about a domain, as it was read: claim, hypotheses, and what they divide by.


Relation = Literal[">=", ">", "="]

_HOLDS: dict[Relation, Callable[[Fraction, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
}


A_POINT, A_TERM = 2e-4, 1e-7
"""Work of a point that is looked at, and of each term there."""


class Statement(NamedTuple):
    """A relation to zero of `polynomial` over a product of divisors.

    `powers` holds (number of a divisor, its power); `number` is the place among the hypotheses.
    """

    polynomial: Polynomial
    relation: Relation
    powers: tuple[tuple[int, int], ...] = ()
    number: int = -1

    @property
    def odd(self) -> tuple[int, ...]:
        """The divisors with an odd power: their signs matter."""
        return tuple(k for k, power in self.powers if power % 2)

    @property
    def plain(self) -> bool:
        """Whether there is no divisor."""
        return not self.powers


class Move(NamedTuple):
    """A step to a smaller domain, as the certificate writes it.

    `arguments` holds every old coordinate in the new ones; `used` the hypotheses it makes use of;
    `left` what must be >= 0 beside them.
    """

    step: Node
    domain: Domain
    arguments: Sequence[Polynomial]
    used: frozenset[int] = frozenset()
    left: tuple[Polynomial, ...] = ()


@dataclass(frozen=True, eq=False)
class Problem:
    """A claim under hypotheses on a domain, wherever no divisor is zero."""

    domain: Domain
    claim: Statement
    given: tuple[Statement, ...] = ()  # those that no step used up
    divisors: tuple[Polynomial, ...] = ()
    left: tuple[Polynomial, ...] = ()  # what steps require to be >= 0

    def after(self, move: Move) -> Problem:
        """Problem on the smaller domain."""

        def moved(polynomial: Polynomial) -> Polynomial:
            return move.domain.affine(move.domain.through(polynomial, move.arguments))

        def stated(statement: Statement) -> Statement:
            return statement._replace(polynomial=moved(statement.polynomial))

        return replace(
            self,
            domain=move.domain,
            claim=stated(self.claim),
            given=tuple(stated(g) for g in self.given if g.number not in move.used),
            divisors=tuple(map(moved, self.divisors)),
            left=(*map(moved, self.left), *move.left),
        )

    def value(self, statement: Statement, point: Point, signs: Sequence[int]) -> Fraction:
        """Value that must be related to zero at a point, given the divisors' signs there."""
        return self.domain.at(statement.polynomial, point) * prod(signs[k] for k in statement.odd)

    def difference(self, point: Point) -> Fraction:
        """Larger side of the claim minus the smaller, at a point where it divides by no zero."""
        below = self.domain.all_at(self.divisors, point)
        top = self.domain.at(self.claim.polynomial, point)
        return top / prod(below[k] ** power for k, power in self.claim.powers)

    def signs(self, point: Point) -> list[int]:
        """Sign of every divisor at a point."""
        values = self.domain.all_at(self.divisors, point)
        return [(v > 0) - (v < 0) for v in values]

    def admits(self, point: Point) -> bool:
        """Whether every hypothesis holds at a point and nothing is divided by zero."""
        signs = self.signs(point)
        return all(signs) and all(
            _HOLDS[g.relation](self.value(g, point, signs), 0) for g in self.given
        )

    def fails(self, point: Point) -> bool:
        """Whether the claim is false at a point."""
        value = self.value(self.claim, point, self.signs(point))
        return not _HOLDS[self.claim.relation](value, 0)

    @property
    def polynomials(self) -> list[Polynomial]:
        """The polynomials of claim, hypotheses, divisors and steps."""
        stated = (statement.polynomial for statement in (self.claim, *self.given))
        return [*stated, *self.divisors, *self.left]

    @cached_property
    def n_terms(self) -> int:
        """How many terms there are."""
        return sum(map(len, self.polynomials))

    @property
    def work(self) -> float:
        """The work of looking at one point."""
        return A_POINT + A_TERM * self.n_terms

    def violated(self, point: Point) -> bool:
        """Whether the hypotheses hold at a point and the claim does not."""
        return self.fails(point) and self.admits(point)


# --- Hypotheses that make the domain smaller: equal coordinates, known ones, bounds, and what adds
# up.
#
# Each function looks for one step; the hypotheses it uses are gone afterwards. Coordinates that claim
# and hypotheses see only through their sum become one.


def prepare(problem: Problem, *, keep_strict: bool = False) -> tuple[Problem, list[Move]]:
    """Problem on the smallest domain that its hypotheses allow, and the steps there.

    `keep_strict` leaves strict bounds among the hypotheses, where strictness may be what is needed.
    """
    moves: list[Move] = []
    for find in (_identified, _bounding(keep_strict), _solved, _merged):
        while (move := find(problem)) is not None:
            moves.append(move)
            problem = problem.after(move)
    return problem, moves


def _equalities(problem: Problem) -> Iterator[Statement]:
    return (g for g in problem.given if g.relation == "=" and g.plain)


def _linear(polynomial: Polynomial, domain: Domain) -> tuple[dict[int, Fraction], Fraction] | None:
    """Coefficients by coordinate and the constant, or None where the degree is above 1."""
    results: dict[int, Fraction] = {}
    constant = Fraction(0)
    for powers, value in polynomial.to_dict().items():
        used = [c for c in range(domain.n) if powers[c]]
        if sum(map(int, powers)) > 1:
            return None
        number = Fraction(int(value.p), int(value.q))
        if used:
            results[used[0]] = number
        else:
            constant = number
    return results, constant


def _identified(problem: Problem) -> Move | None:
    """Find an equality between two pairs, or between a pair and a number."""
    domain = problem.domain
    for conditions in _equalities(problem):
        linear = _linear(conditions.polynomial, domain)
        if linear is None or not linear[0]:
            continue
        coefficients, constant = linear
        blocks = [
            next(b for b, block in enumerate(domain.blocks) if c in block) for c in coefficients
        ]
        if any(domain.sizes[b] != 2 for b in blocks):
            continue
        move = _equal(domain, conditions, blocks, list(coefficients.values()), constant)
        if move is not None:
            return move
    return None


def _equal(
    domain: Domain,
    statement: Statement,
    blocks: Sequence[int],
    values: Sequence[Fraction],
    constant: Fraction,
) -> Move | None:
    if len(blocks) == 1:
        value = -constant / values[0]
        if not 0 <= value <= 1:
            return None
        step: dict[str, Any] = {"step": "fix", "given": statement.number, "block": blocks[0]}
        step["value"] = str(value)
        return _dropping(domain, blocks[0], step, statement, lambda new: new.constant(value))
    if len(blocks) != 2 or abs(values[0]) != abs(values[1]):
        return None
    reversed_ = values[0] == values[1]
    if constant != (-values[0] if reversed_ else 0):
        return None
    b, c = sorted(blocks)
    step = {"step": "identify", "given": statement.number, "blocks": [b, c], "reversed": reversed_}
    # dropping the later block leaves the number of the earlier one
    return _dropping(
        domain, c, step, statement, lambda new: new.coordinates[new.blocks[b][int(reversed_)]]
    )


def _dropping(
    domain: Domain,
    block: int,
    step: dict[str, Any],
    statement: Statement,
    first: Callable[[Domain], Polynomial],
    left: Callable[[Polynomial, Domain], tuple[Polynomial, ...]] = lambda value, new: (),
) -> Move:
    """Step by which a pair's first coordinate becomes something of the other blocks."""
    new = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    value = first(new)
    arguments = _others(domain, new, block)
    index = domain.blocks[block][0]
    arguments[index], arguments[index + 1] = value, new.one - value
    return Move(step, new, arguments, frozenset({statement.number}), left(value, new))


def _others(domain: Domain, new: Domain, block: int) -> list[Polynomial]:
    rest = iter(new.gens)
    return [0 * new.one if c in domain.blocks[block] else next(rest) for c in range(domain.n)]


def _bounding(keep_strict: bool) -> Callable[[Problem], Move | None]:
    def bounded(problem: Problem) -> Move | None:
        """Find lower bounds on coordinates of one block that leave room."""
        for b in range(len(problem.domain.sizes)):
            best = _best_bounds(problem, b, keep_strict)
            if best and sum(low for low, _ in best.values()) < 1:
                return _bound(problem.domain, b, best)
        return None

    return bounded


def _best_bounds(
    problem: Problem, block: int, keep_strict: bool
) -> dict[int, tuple[Fraction, int]]:
    """Return {position: (the largest lower bound above 0, the hypothesis that says so)}."""
    best: dict[int, tuple[Fraction, int]] = {}
    for conditions in problem.given:
        if (
            conditions.relation == "="
            or not conditions.plain
            or (keep_strict and conditions.relation == ">")
        ):
            continue
        result = _bounded_coordinate(problem.domain, block, conditions.polynomial)
        if result is not None and result[1] > best.get(result[0], (Fraction(0), 0))[0]:
            best[result[0]] = (result[1], conditions.number)
    return best


def _bounded_coordinate(
    domain: Domain, block: int, polynomial: Polynomial
) -> tuple[int, Fraction] | None:
    """Return (i, l) where the polynomial is a positive multiple of z_i - l."""
    linear = _linear(polynomial, domain)
    indices = domain.blocks[block]
    if linear is None or not linear[0] or not set(linear[0]) <= set(indices):
        return None
    coefficients, constant = linear
    if len(coefficients) == 1:
        ((coordinate, value),) = coefficients.items()
        if value > 0:
            return coordinate - indices[0], -constant / value
    value = next(iter(coefficients.values()))
    if (
        len(coefficients) == len(indices) - 1
        and set(coefficients.values()) == {value}
        and value < 0
    ):
        return len(indices) - 1, 1 - constant / -value
    return None


def _bound(domain: Domain, block: int, best: dict[int, tuple[Fraction, int]]) -> Move:
    size = domain.sizes[block]
    lower = [best.get(i, (Fraction(0), 0))[0] for i in range(size)]
    numbers = [best[i][1] if i in best else None for i in range(size)]
    room = domain.constant(1 - sum(lower))
    arguments = list(domain.gens)
    for low, c in zip(lower, domain.blocks[block], strict=True):
        arguments[c] = domain.constant(low) + room * domain.gens[c]
    step = {
        "step": "bound", "block": block, "lower": list(map(str, lower)), "givens": numbers,
    }  # fmt: skip
    return Move(step, domain, arguments, frozenset(n for n in numbers if n is not None))


def _solved(problem: Problem) -> Move | None:
    """Find an equality that is linear in a pair's coordinate with a number before it."""
    domain = problem.domain
    for conditions in _equalities(problem):
        for b in domain.pairs:
            index = domain.blocks[b][0]
            slope = conditions.polynomial.derivative(index)
            if slope.is_zero() or not slope.is_constant():
                continue
            value = domain.gens[index] - conditions.polynomial / slope.coefficient(0)
            step = {"step": "solve", "given": conditions.number, "block": b}
            return _solving(domain, b, step, conditions, value)
    return None


def _solving(
    domain: Domain, block: int, step: dict[str, Any], statement: Statement, value: Polynomial
) -> Move:
    new = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    moved = new.affine(new.through(value, _others(domain, new, block)))
    step["value"] = terms(value)
    return _dropping(domain, block, step, statement, lambda _: moved, lambda v, _: (v, new.one - v))


def _merged(problem: Problem) -> Move | None:
    """Find coordinates of a block that everything sees only through their sum."""
    domain = problem.domain
    seen = [problem.claim.polynomial, *(g.polynomial for g in problem.given)]
    seen += [*problem.left, *problem.divisors]
    for b, block in enumerate(domain.blocks):
        slopes = {c: [p.derivative(c) for p in seen] for c in block}
        for c in block:
            alike = [other for other in block if other > c and slopes[other] == slopes[c]]
            if alike:
                return _merge(domain, b, [c, *alike])
    return None


def _merge(domain: Domain, block: int, coordinates: Sequence[int]) -> Move:
    sizes = list(domain.sizes)
    sizes[block] -= len(coordinates) - 1
    new = Domain(sizes)
    rest = iter(new.gens)
    gone = set(coordinates[1:])
    arguments = [0 * new.one if c in gone else next(rest) for c in range(domain.n)]
    start = domain.blocks[block][0]
    step = {"step": "merge", "coordinates": [[block, c - start] for c in coordinates]}
    return Move(step, new, arguments)
