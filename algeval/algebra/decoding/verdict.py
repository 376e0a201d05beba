"""What a decoder found before it is dressed as a result, and the checks every engine shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from algeval.algebra.decoding.trio import Trio
from algeval.result import Exact, Quadratic, Status

__all__ = [
    "EMPTY",
    "Solution",
    "Verdict",
    "binary_solution",
    "cell_counts",
    "judge_solutions",
    "total_accuracy",
]


@dataclass(frozen=True, slots=True)
class Solution:
    """One point of the variety: prevalence[t] and confusion[judge][t][answer].

    A row of the confusion is None where the label never occurs.
    """

    prevalence: tuple[Any, ...]
    confusion: tuple[tuple[tuple[Any, ...] | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the decoding ended, why, and the points found (all label orders of a binary trio)."""

    status: Status
    reason: str
    solutions: tuple[Solution, ...] = ()
    dimension: int | None = None
    uninformative: tuple[int, ...] = ()
    in_range: bool | None = None
    integral: bool | None = None


EMPTY = Verdict(Status.UNDETERMINED, "no item was answered by all three judges")


def binary_solution(p: Exact, accuracies: Sequence[tuple[Exact, Exact]]) -> Solution:
    """Return the point with prevalence `p` of the first label and (P_iA, P_iB) of each judge."""
    return Solution(
        (p, 1 - p),
        tuple(((on_a, 1 - on_a), (1 - on_b, on_b)) for on_a, on_b in accuracies),
    )


def total_accuracy(solution: Solution) -> Any:
    """Return the sum of every judge's accuracy on every label that occurs (Algebraic Evaluation, eq. 4)."""
    total: Any = 0
    for rows in solution.confusion:
        for t, row in enumerate(rows):
            if row is not None:
                total = total + row[t]
    return total


def cell_counts(solution: Solution, n_items: int) -> list[list[Any]]:
    """Return [true label][decision tuple]: the number of items independent errors put there."""
    cells = []
    for t, share in enumerate(solution.prevalence):
        rows = [judge[t] for judge in solution.confusion]
        if any(row is None for row in rows):
            width = max(len(row) for judge in solution.confusion for row in judge if row)
            cells.append([Fraction(0)] * width**3)
            continue
        first, second, third = (row for row in rows if row is not None)
        ones = [n_items * share * x for x in first]
        twos = [one * y for one in ones for y in second]
        cells.append([two * z if two else two for two in twos for z in third])
    return cells


def judge_solutions(solutions: Sequence[Solution], trio: Trio) -> Verdict:
    """Return the verdict on real solutions: prevalence, squareness, accuracies, whole numbers.

    The label orders of one solution share their cells, so the first speaks for all.
    """
    points = tuple(solutions)
    first = points[0]
    shares = first.prevalence
    entries = [v for judge in first.confusion for row in judge if row is not None for v in row]
    inside = all(0 <= share <= 1 for share in shares)
    accurate = all(0 <= entry <= 1 for entry in entries)
    end = partial(Verdict, solutions=points, dimension=0)
    if not inside:
        return end(Status.OUT_OF_RANGE, "a prevalence leaves [0, 1]", in_range=False)
    if any(isinstance(v, Quadratic) for v in (*shares, *entries)):
        reason = "the numbers hold a square root, not fractions only"
        reason = reason if accurate else f"an accuracy leaves [0, 1] and {reason}"
        return end(Status.IRRATIONAL, reason, in_range=accurate)
    if not accurate:
        return end(Status.OUT_OF_RANGE, "an accuracy or error rate leaves [0, 1]", in_range=False)
    cells = cell_counts(first, trio.n_used)
    if any(
        sum(column) != count
        for column, count in zip(zip(*cells, strict=True), trio.flat, strict=True)
    ):
        raise RuntimeError("a decoded evaluation does not reproduce its counts; please report this")
    whole = all(cell.denominator == 1 for row in cells for cell in row)
    status = Status.OK if whole else Status.NOT_INTEGRAL
    reason = (
        "whole numbers of items reproduce every count"
        if whole
        else "reproducing the counts would take fractions of items"
    )
    return end(status, reason, in_range=True, integral=whole)
