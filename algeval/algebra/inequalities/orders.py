"""Proofs by order: x <= y and y <= x are simplices too, and between them cover the square.

Where a polynomial vanishes on a diagonal, as x^2 + y^2 - 2xy does, halving never ends. On one
order of n first coordinates, x_1 <= ... <= x_n, the differences are the coordinates of a simplex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from algeval.algebra.inequalities.domain import Domain, Polynomial
from algeval.algebra.inequalities.goal import Goal, Node

__all__ = ["orders"]

_MOST = 5

Prover = Callable[[Goal], Node | None]


def orders(goal: Goal, prove: Prover) -> Node | None:
    """Return a proof in every order of the pair blocks that the polynomial speaks of, or None."""
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
    """Return the domain with those blocks replaced by one, and the coordinates in it."""
    kept = [b for b in range(len(domain.sizes)) if b not in order]
    new = Domain([domain.sizes[b] for b in kept] + [len(order) + 1])
    differences = [new.gens[c] for c in new.blocks[-1]]
    arguments: list[Polynomial] = [None] * domain.n
    for place, block in zip(_numbers(kept, domain), new.gens, strict=False):
        arguments[place] = block
    for k, b in enumerate(order):
        first, second = domain.blocks[b]
        arguments[first] = sum(differences[: k + 1], 0 * new.one)
        arguments[second] = sum(differences[k + 1 :], 0 * new.one)
    return new, arguments


def _numbers(blocks: Sequence[int], domain: Domain) -> Iterator[int]:
    for b in blocks:
        yield from domain.blocks[b]
