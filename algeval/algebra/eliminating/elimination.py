"""Are these all relations? Elimination of the parameters, and a division by what is known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from algeval.algebra.eliminating.basis_worker import solve_in_time
from algeval.algebra.eliminating.parametrised import Parametrised

__all__ = ["Eliminated", "eliminate"]

Polynomial = dict[tuple[int, ...], Fraction]
"""Coefficients by powers of the statistics."""


class Eliminated(NamedTuple):
    """A lexicographic basis of all relations, and those of them that do not follow from known ones."""

    basis: tuple[Polynomial, ...]
    missing: tuple[Polynomial, ...]


def eliminate(
    found: Parametrised, known: Sequence[Polynomial], time_limit: float
) -> Eliminated | None:
    """Return all relations of parametrised statistics; None if time or the limits of size ran out.

    The parameters, and one more by which all denominators times it are 1, stand above the statistics
    in a lexicographic order, so the elements of the basis without them generate all relations.
    """
    job = _job(found, known)
    outcome = solve_in_time(job, time_limit)
    if outcome["status"] != "ok":
        return None
    n = job["unknowns"]
    free = [terms for terms in outcome["basis"] if not any(any(p[:n]) for p, _ in terms)]
    return Eliminated(
        *(tuple(_read(terms, n) for terms in rows) for rows in (free, outcome["missing"]))
    )


def _read(terms: list[Any], n: int) -> Polynomial:
    return {tuple(powers[n:]): Fraction(c) for powers, c in terms}


def _job(found: Parametrised, known: Sequence[Polynomial]) -> dict[str, Any]:
    """Return the ideal of denominator * statistic - numerator, and of the denominators' inverse."""
    used = [k for k, _ in enumerate(found.ring.symbols) if _uses(found, k)]
    n, m = len(used) + 1, len(found.quotients)
    nothing = [0] * m
    rows, product = [], found.ring.one
    for place, (top, bottom) in enumerate(found.quotients):
        named = [int(k == place) for k in range(m)]
        terms = [[[0, *_powers(p, used), *named], str(c)] for p, c in bottom.to_dict().items()]
        terms += [[[0, *_powers(p, used), *nothing], str(-c)] for p, c in top.to_dict().items()]
        rows.append(terms)
        product = product if bottom.is_constant() else product * bottom
    inverse = [[[1, *_powers(p, used), *nothing], str(c)] for p, c in product.to_dict().items()]
    rows.append([*inverse, [[0] * (n + m), "-1"]])
    named_only = [[[[0] * n + list(p), str(c)] for p, c in one.items()] for one in known]
    return {"engine": "flint", "unknowns": n, "symbols": n + m, "rows": rows, "known": named_only}


def _uses(found: Parametrised, place: int) -> bool:
    parts = (p for quotient in found.quotients for p in quotient if not p.is_zero())
    return any(int(p.degrees()[place]) > 0 for p in parts)


def _powers(powers: Sequence[Any], used: Sequence[int]) -> list[int]:
    return [int(powers[k]) for k in used]
