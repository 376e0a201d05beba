"""Proofs by parts: at the corners of one block, or on the two halves of the domain.

*Corners*: a polynomial that is affine in a block, where no hypothesis speaks of that block, is
nonnegative exactly where it is at each of the block's corners. *Split*: an edge of a block is cut in
the middle; each half of the simplex is a simplex again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations

from algeval.algebra.inequalities.coefficients import MOST_TERMS, coefficients, negatives
from algeval.algebra.inequalities.domain import Domain, Polynomial
from algeval.algebra.inequalities.goal import Deadline, Goal, Node

__all__ = ["affine_block", "corners", "split"]

Prover = Callable[[Goal], Node | None]

_HALF = Fraction(1, 2)
_EDGES = 4


def affine_block(goal: Goal) -> int | None:
    """Return a block in which the polynomial is affine and of which no hypothesis speaks."""
    degree = goal.domain.degree(goal.polynomial)
    spoken = [goal.domain.degree(h) for h in goal.hypotheses]
    for b, d in enumerate(degree):
        if d == 1 and not any(other[b] for other in spoken):
            return b
    return None


def corners(goal: Goal, block: int, prove: Prover) -> Node | None:
    """Return the proof at each corner of a block, equal ones proved once; None if one fails."""
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
    """Return the domain without a block, and the coordinates at one of its corners."""
    smaller = Domain(size for b, size in enumerate(domain.sizes) if b != block)
    rest = iter(smaller.gens)
    arguments = [
        smaller.constant(int(c == domain.blocks[block][position]))
        if c in domain.blocks[block]
        else next(rest)
        for c in range(domain.n)
    ]
    return smaller, arguments


def split(goal: Goal, depth: int, deadline: Deadline, leaf: Prover = coefficients) -> Node | None:
    """Return a proof by cutting edges in the middle up to `depth` times, or None.

    Gives up at once where a corner of a part has a negative value and no hypothesis excludes it.
    """
    found = leaf(goal)
    if found is not None or depth == 0 or deadline.passed or _refuted_at_corner(goal):
        return found
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
    """Return the edge whose middle leaves fewest negative coefficients, of those that look best.

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
