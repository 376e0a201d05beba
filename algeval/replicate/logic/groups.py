"""Section II.B of the paper, and its counts of patterns: several judges at one answer key."""

from __future__ import annotations

from algeval.data import Sketch, Summary
from algeval.logic import (
    count_consistent,
    count_keys,
    evaluations,
    is_consistent,
    members,
    threshold,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, number, numbers

__all__ = ["groups"]


def groups() -> tuple[Claim, ...]:
    """Return the claims on several judges, in the order of the text."""
    return (
        Claim(
            id="003-R1",
            place="section II",
            printed="N judges of R labels can agree and disagree in R^N ways: 8, 27, 16 for (R, N) = (2, 3), "
            "(3, 3), (2, 4)",
            compute=numbers([8, 27, 16], patterns_of_answers),
            note="the exponent is hardly legible in the text at hand; N is right",
        ),
        Claim(
            id="003-RW",
            place="section VI",
            printed="R of the R^N patterns of answers are full agreement: 2, 3, 2",
            compute=numbers([2, 3, 2], patterns_of_agreement),
        ),
        Claim(
            id="003-ladder",
            place="section II.B",
            printed="what pairs of judges allow lies inside what each judge alone allows",
            compute=fact(ladder_of_orders),
            tolerance="exact, on one exam of five items",
        ),
        Claim(
            id="003-F5",
            place="Fig. 5",
            printed="at 6 items of a and 4 of b: what the axioms leave of judges with answers (4, 6), (7, 3)",
            compute=fact(points_at_one_key),
        ),
        Claim(
            id="003-351",
            place="section III",
            printed="351 answer-key counts for 25 items and three labels",
            compute=number(351, lambda: count_keys(25, 3)),
        ),
    )


_SIZES = ((2, 3), (3, 3), (2, 4))


def _patterns(labels: int, judges: int) -> list[tuple[str, ...]]:
    from algeval.algebra import encode

    return list(encode(judges, labels).frequency)


def patterns_of_answers() -> list[int]:
    """Count the decision tuples."""
    return [len(_patterns(*size)) for size in _SIZES]


def patterns_of_agreement() -> list[int]:
    """Count the decision tuples in which all judges say the same."""
    return [sum(len(set(t)) == 1 for t in _patterns(*size)) for size in _SIZES]


def ladder_of_orders() -> tuple[str, bool]:
    """Project every pair table to order 1, and compare points and thresholds of the orders."""
    exam = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})
    pairs = members(exam, order=2)
    inside = all(is_consistent(one, exam, order=1).ok for one in pairs)
    points = [count_consistent(exam, order=order, of="points") for order in (1, 2, "full")]
    levels = [threshold(exam, order=order).lower for order in (1, 2, "full")]
    told = f"all {len(pairs)} pair tables project to order 1; points at orders 1, 2, 3: "
    told += f"{', '.join(map(str, points))}; thresholds {', '.join(map(str, levels))}"
    falling = all(sorted(found, reverse=True) == found for found in (points, levels))
    return told, inside and falling


def points_at_one_key() -> tuple[str, bool]:
    """List the evaluations of two judges at the answer key (6, 4), and put each into the axiom."""
    found = [_correct_at((6, 4), counts) for counts in ((4, 6), (7, 3))]
    told = " and ".join(f"{len(points)} points" for points in found)
    on_plane = [
        x - 6 + said_b - y == 0
        for points, said_b in zip(found, (6, 3), strict=True)
        for x, y in points
    ]
    return f"{told}, all on the axiom", all(on_plane) and all(found)


def _correct_at(key: tuple[int, int], counts: tuple[int, int]) -> list[tuple[int, ...]]:
    """Return how many a and how many b a judge can have right at an answer key."""
    answered: dict[object, int] = dict(zip("ab", counts, strict=True))
    one = Summary.from_counts({"i": answered})
    return [point.correct[0] for point in evaluations(one, key_counts=key)]
