"""Judges that go with nobody: often a fault in the file, not in the judge."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.checks.agreement import Agreement, agreement
from algeval.data.names import Counts
from algeval.data.settings import check_whole
from algeval.io.sources import Source, read_data
from algeval.result import Exact, Result, Status, exact

__all__ = ["Suspect", "suspects"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suspect(Result):
    """A judge that agrees with no other judge beyond chance.

    Attributes
    ----------
    judge : str
    pooled_kappa : Fraction
        Agreement beyond chance with all the others together: the sum over them of
        n (observed - chance), over the sum of n (1 - chance).
    best_kappa, worst_kappa : Fraction
        The largest and smallest of its Cohen kappas.
    n_compared : int
        How many judges it could be compared with.
    cause : "constant", "flipped" or "unrelated"
        What its answers look like: always the same one, mostly the opposite, or neither.
    at_most : Fraction
    min_shared : int
        The settings.
    """

    schema: ClassVar[str] = "algeval.suspect/1"

    judge: str
    pooled_kappa: Fraction
    best_kappa: Fraction
    worst_kappa: Fraction
    n_compared: int
    cause: str
    at_most: Exact
    min_shared: int


def suspects(
    data: Source, *, at_most: object = "0.05", min_shared: int = 20
) -> tuple[Suspect, ...]:
    """Name the judges that agree with no other judge beyond chance.

    Use it before believing any aggregate: a judge whose rows are out of step, or whose labels are
    swapped, looks adversarial without being so. A judge is named if its pooled kappa is at most
    `at_most` and none of its kappas is above zero beyond luck (one-sided tests, 5% shared among
    the pairs, so that one lucky pair of many does not hide it). Where several judges agree with
    nobody each of them is named, and so is a lone good judge among judges that only guess.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    at_most : number
        Largest pooled kappa of a suspect; above zero because chance scatters.
    min_shared : int
        Only pairs with at least this many common items are compared.

    Returns
    -------
    tuple of Suspect
        In the order of the judges; empty when there is nobody to name.

    Raises
    ------
    DataError
        If `min_shared` is not a whole number >= 1, or `at_most` no number.

    Notes
    -----
    The standard error of kappa at zero is that of Fleiss, Cohen and Everitt (1969).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aab": 40, "bba": 40, "abb": 5}, judges=["i", "j", "k"])
    >>> [found.judge for found in suspects(s)]
    ['k']
    """
    data = read_data(data)
    min_shared = check_whole("min_shared", min_shared)
    limit = exact(at_most, "at_most")
    measured = agreement(data)
    shared, kappas = measured.shared(), measured.cohens()
    found = []
    for i, judge in enumerate(measured.judges):
        others = [
            j
            for j in range(len(measured.judges))
            if kappas[i, j] is not None and shared[i, j] >= min_shared
        ]
        tables = [measured.pairs[i, j] for j in others]
        known = [kappas[i, j] for j in others]
        if known and _beyond_chance(known, tables):
            continue
        if known and _pooled(tables) <= limit:
            found.append(_describe(judge, known, _pooled(tables), measured, (limit, min_shared)))
    return tuple(found)


def _beyond_chance(kappas: list[Fraction], tables: list[Counts]) -> bool:
    luck = NormalDist().inv_cdf(1 - policy.CHANCE_MISSED / len(kappas))
    pairs = zip(kappas, tables, strict=True)
    return any(kappa > 0 and float(kappa) > luck * _error(table) for kappa, table in pairs)


def _error(table: Counts) -> float:
    """Return the standard error of Cohen's kappa where there is no agreement beyond chance."""
    n = float(table.sum())
    p, q = table.sum(1) / n, table.sum(0) / n
    chance = float(p @ q)
    spread = chance + chance**2 - float((p * q * (p + q)).sum())
    return sqrt(max(spread, 0.0) / n) / (1 - chance)


def _pooled(tables: list[Counts]) -> Fraction:
    gained = possible = Fraction(0)
    for table in tables:
        n = int(table.sum())
        rows, columns = table.sum(1).tolist(), table.sum(0).tolist()
        chance = Fraction(sum(a * b for a, b in zip(rows, columns, strict=True)), n)
        gained += int(np.trace(table)) - chance
        possible += n - chance
    return gained / possible


def _describe(
    judge: str,
    known: list[Fraction],
    pooled: Fraction,
    measured: Agreement,
    settings: tuple[Fraction, int],
) -> Suspect:
    place = measured.judges.index(judge)
    given = np.flatnonzero(np.diag(measured.pairs[place, place]))
    if len(given) == 1:
        cause, told = "constant", f"it always answers {measured.answers[given[0]]!r}"
    elif pooled <= policy.OPPOSITE:
        cause, told = "flipped", "its labels may be swapped, or its rows out of step"
    else:
        cause, told = "unrelated", "its rows may be out of step with the item ids, or it guesses"
    others = f"any of {len(known)} judges" if len(known) > 1 else "the one judge"
    return Suspect(
        status=Status.OK,
        message=(
            f"Judge {judge!r} does not agree with {others} it can be compared with beyond chance "
            f"(pooled kappa {float(pooled):.3f}, best {float(max(known)):.3f}): {told}; check its "
            "file before believing that the judge is at fault."
        ),
        judge=judge,
        pooled_kappa=pooled,
        best_kappa=max(known),
        worst_kappa=min(known),
        n_compared=len(known),
        cause=cause,
        at_most=settings[0],
        min_shared=settings[1],
    )
