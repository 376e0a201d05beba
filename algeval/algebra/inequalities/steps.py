"""Hypotheses that make the domain smaller: equal coordinates, known ones, bounds, and what adds up.

Each function looks for one step; the hypotheses it uses are gone afterwards. Coordinates that claim
and hypotheses see only through their sum become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from algeval.algebra.inequalities.domain import Domain, Polynomial, terms
from algeval.algebra.inequalities.problem import Move, Problem, Statement

__all__ = ["prepare"]


def prepare(problem: Problem, *, keep_strict: bool = False) -> tuple[Problem, list[Move]]:
    """Return the problem on the smallest domain that its hypotheses allow, and the steps there.

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
    """Return coefficients by coordinate and the constant, or None where the degree is above 1."""
    found: dict[int, Fraction] = {}
    constant = Fraction(0)
    for powers, value in polynomial.to_dict().items():
        used = [c for c in range(domain.n) if powers[c]]
        if sum(map(int, powers)) > 1:
            return None
        number = Fraction(int(value.p), int(value.q))
        if used:
            found[used[0]] = number
        else:
            constant = number
    return found, constant


def _block_of(domain: Domain, coordinate: int) -> int:
    return next(b for b, block in enumerate(domain.blocks) if coordinate in block)


def _identified(problem: Problem) -> Move | None:
    """Find an equality between two pairs, or between a pair and a number."""
    domain = problem.domain
    for given in _equalities(problem):
        linear = _linear(given.polynomial, domain)
        if linear is None or not linear[0]:
            continue
        coefficients, constant = linear
        blocks = [_block_of(domain, c) for c in coefficients]
        if any(domain.sizes[b] != 2 for b in blocks):
            continue
        move = _equal(domain, given, blocks, list(coefficients.values()), constant)
        if move is not None:
            return move
    return None


def _equal(
    domain: Domain,
    given: Statement,
    blocks: Sequence[int],
    values: Sequence[Fraction],
    constant: Fraction,
) -> Move | None:
    if len(blocks) == 1:
        value = -constant / values[0]
        if not 0 <= value <= 1:
            return None
        step: dict[str, Any] = {"step": "fix", "given": given.number, "block": blocks[0]}
        step["value"] = str(value)
        return _dropping(domain, blocks[0], step, given, lambda new: new.constant(value))
    if len(blocks) != 2 or abs(values[0]) != abs(values[1]):
        return None
    reversed_ = values[0] == values[1]
    if constant != (-values[0] if reversed_ else 0):
        return None
    b, c = sorted(blocks)
    step = {"step": "identify", "given": given.number, "blocks": [b, c], "reversed": reversed_}
    # dropping the later block leaves the number of the earlier one
    return _dropping(
        domain, c, step, given, lambda new: new.coordinates[new.blocks[b][int(reversed_)]]
    )


def _dropping(
    domain: Domain,
    block: int,
    step: dict[str, Any],
    given: Statement,
    first: Callable[[Domain], Polynomial],
    left: Callable[[Polynomial, Domain], tuple[Polynomial, ...]] = lambda value, new: (),
) -> Move:
    """Return the step by which a pair's first coordinate becomes something of the other blocks."""
    new = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    value = first(new)
    arguments = _others(domain, new, block)
    place = domain.blocks[block][0]
    arguments[place], arguments[place + 1] = value, new.one - value
    return Move(step, new, arguments, frozenset({given.number}), left(value, new))


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
    for given in problem.given:
        if given.relation == "=" or not given.plain or (keep_strict and given.relation == ">"):
            continue
        found = _bounded_coordinate(problem.domain, block, given.polynomial)
        if found is not None and found[1] > best.get(found[0], (Fraction(0), 0))[0]:
            best[found[0]] = (found[1], given.number)
    return best


def _bounded_coordinate(
    domain: Domain, block: int, polynomial: Polynomial
) -> tuple[int, Fraction] | None:
    """Return (i, l) where the polynomial is a positive multiple of z_i - l."""
    linear = _linear(polynomial, domain)
    places = domain.blocks[block]
    if linear is None or not linear[0] or not set(linear[0]) <= set(places):
        return None
    coefficients, constant = linear
    if len(coefficients) == 1:
        ((coordinate, value),) = coefficients.items()
        if value > 0:
            return coordinate - places[0], -constant / value
    value = next(iter(coefficients.values()))
    if len(coefficients) == len(places) - 1 and set(coefficients.values()) == {value} and value < 0:
        return len(places) - 1, 1 - constant / -value
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
    for given in _equalities(problem):
        for b in domain.pairs:
            place = domain.blocks[b][0]
            slope = given.polynomial.derivative(place)
            if slope.is_zero() or not slope.is_constant():
                continue
            value = domain.gens[place] - given.polynomial / slope.coefficient(0)
            step = {"step": "solve", "given": given.number, "block": b}
            return _solving(domain, b, step, given, value)
    return None


def _solving(
    domain: Domain, block: int, step: dict[str, Any], given: Statement, value: Polynomial
) -> Move:
    new = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    moved = new.affine(new.through(value, _others(domain, new, block)))
    step["value"] = terms(value)
    return _dropping(domain, block, step, given, lambda _: moved, lambda v, _: (v, new.one - v))


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
