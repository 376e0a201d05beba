"""Values of a polynomial at points where most symbols are zero, as the counts of small exams are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from algeval.algebra.proving.ring import Ring

__all__ = ["Sparse"]

Expr = Any  # sympy.Expr; SymPy is untyped
Term = tuple[Fraction | int, tuple[int, ...]]  # coefficient, powers of the symbols of its group


class Sparse:
    """A polynomial's terms, grouped by the symbols they contain.

    Only groups whose symbols are all different from zero count, and they are looked up.
    """

    def __init__(self, ring: Ring, polynomial: Any) -> None:
        self._place = {symbol: place for place, symbol in enumerate(ring.symbols)}
        self._groups: dict[tuple[int, ...], list[Term]] = defaultdict(list)
        for powers, c in polynomial.to_dict().items():
            used = tuple(place for place, power in enumerate(powers) if power)
            value = Fraction(int(c.p), int(c.q))
            whole = value.numerator if value.denominator == 1 else value
            self._groups[used].append((whole, tuple(int(powers[place]) for place in used)))
        self._most = max(map(len, self._groups), default=0)

    def at(self, point: Mapping[Expr, int]) -> Fraction | int:
        """Return the value at a point; symbols that are not given are zero."""
        given = {self._place[s]: value for s, value in point.items() if value and s in self._place}
        total: Fraction | int = 0
        for used in self._present(given):
            for coefficient, powers in self._groups[used]:
                factors = (given[p] ** k for p, k in zip(used, powers, strict=True))
                total += coefficient * math.prod(factors)
        return total

    def _present(self, given: Mapping[int, int]) -> Iterator[tuple[int, ...]]:
        """Yield the groups whose symbols are all given, by whichever side is shorter."""
        places, sizes = sorted(given), range(min(self._most, len(given)) + 1)
        if sum(math.comb(len(places), size) for size in sizes) < len(self._groups):
            subsets = (used for size in sizes for used in combinations(places, size))
            return (used for used in subsets if used in self._groups)
        return (used for used in self._groups if given.keys() >= set(used))
