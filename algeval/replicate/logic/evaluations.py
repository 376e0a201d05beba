"""Section II of the paper: the evaluations of one judge, counted before and after its answers are seen."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import comb

import numpy as np

from algeval.data import Summary
from algeval.logic import (
    Point,
    axioms,
    count_after_inequalities,
    count_conceivable,
    count_consistent,
    count_keys,
    evaluations,
    is_consistent,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import entry, fact, numbers

__all__ = ["evaluations_of_one"]

Triple = tuple[int, int, int]  # items of label a, correct on a, correct on b


def evaluations_of_one() -> tuple[Claim, ...]:
    """Return the claims on one judge, in the order of the text."""
    return (*_spaces(), *_counts(), *_axioms())


def _spaces() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-4",
            place="section II, the Q-complex",
            printed="label counts of an answer key: all whole numbers from 0 on that add up to Q",
            compute=fact(keys_of_four_items),
        ),
        Claim(
            id="003-dim1",
            place="section II",
            printed="before answers are seen, evaluations fill (R - 1)(R + 1) dimensions: 3, 8, 15 for "
            "R = 2, 3, 4",
            compute=numbers([3, 8, 15], lambda: [free_dimensions(n) for n in (2, 3, 4)]),
        ),
        Claim(
            id="003-F1",
            place="Fig. 1",
            printed="the evaluations of a judge of two labels on 10 items, all of them: 286 points",
            compute=fact(conceivable_points),
        ),
        Claim(
            id="003-F2",
            place="Fig. 2",
            printed="the same points drawn by prevalence and accuracies",
            verdict="conditional",
            compute=fact(points_without_an_accuracy),
            note="only for answer keys in which both labels occur; elsewhere an accuracy is 0 of 0",
        ),
        Claim(
            id="003-F3",
            place="Fig. 3",
            printed="answers (4, 6) leave fewer points by the inequalities, in as many dimensions",
            compute=fact(points_after_inequalities),
        ),
        Claim(
            id="003-8",
            place="(8)",
            printed="R_a;a <= 4 and R_b;b <= 6 for answers (4, 6)",
            compute=fact(inequalities_hold),
        ),
    )


def _counts() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-n285",
            place="section II",
            printed="285 evaluations on 10 items, of which 235 pass the inequalities at (4, 6)",
            verdict="erratum",
            compute=fact(counts_beside_285_and_235),
            note="must be 286 and 210, which section II.A of the same paper prints",
        ),
        Claim(
            id="003-n286",
            place="section II.A",
            printed="286 evaluations on 10 items; 210 after the inequalities at (4, 6), 35 after the axioms",
            compute=numbers([286, 210, 35], counts_of_section_2a),
        ),
        Claim(
            id="003-cube",
            place="section II.A",
            printed="(Q + 1)(Q + 2)(Q + 3)/6 evaluations of a judge of two labels",
            compute=fact(cubic_count),
            note="the Appendix, which is cited for it, does not prove it",
        ),
        Claim(
            id="003-F4",
            place="Fig. 4",
            printed="after the axioms the points lie on a plane",
            compute=fact(points_on_the_plane),
        ),
        Claim(
            id="003-ex",
            place="section II.A, worked example",
            printed="answers (4, 6), 7 items of label a: 3 right on a and 1 on b cannot be, 2 and 1 can",
            compute=fact(worked_example),
        ),
        Claim(
            id="003-10",
            place="(10)",
            printed="the share of evaluations that the axioms leave falls like 1/Q^(R-1)",
            verdict="conditional",
            compute=fact(decay_of_the_share),
            tolerance="exact counts; the factor per doubling of Q within 1% of its limit 2, 4 or 1",
            note="true of full response tables; of the points that the figures draw (correct counts alone) "
            "a share remains for R = 3 however large Q is",
        ),
    )


def _axioms() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-9",
            place="(9)",
            printed="for each label l: R_l;l - Q_l + sum of R_l' - sum of R_l';l'' = 0, over l', l'' not l",
            compute=entry("003 (9), R=2", "003 (9), R=3"),
        ),
        Claim(
            id="003-9c",
            place="section II.A",
            printed="the axioms of one judge are complete",
            compute=fact(no_further_relation),
            note="the Appendix, which is cited for it, proves only that they hold",
        ),
        Claim(
            id="003-9s",
            place="section II.A",
            printed="the R axioms add up to zero",
            compute=entry("003 (9) sum, R=2", "003 (9) sum, R=3"),
        ),
        Claim(
            id="003-9d",
            place="section II.A",
            printed="the axioms take R - 1 dimensions away: 1, 2, 3 for R = 2, 3, 4",
            compute=numbers([1, 2, 3], lambda: [dimensions_lost(n) for n in (2, 3, 4)]),
        ),
    )


def one_judge() -> Summary:
    """Return the judge of the running example: 4 answers a, 6 answers b."""
    return Summary.from_counts({"i": {"a": 4, "b": 6}})


def listed(n_items: int) -> list[Triple]:
    """Return every evaluation of a judge of two labels, by brute force."""
    keys = range(n_items + 1)
    return [(q, x, y) for q in keys for x in range(q + 1) for y in range(n_items - q + 1)]


def consistent() -> list[Triple]:
    """Return the evaluations that the answers (4, 6) leave."""
    return [(one.key_counts[0], *one.correct[0]) for one in evaluations(one_judge())]  # type: ignore[misc]


def passing() -> list[Triple]:
    """Return the evaluations that pass the inequalities at (4, 6)."""
    return [(q, x, y) for q, x, y in listed(10) if x <= 4 and y <= 6]


def dimension(points: Iterable[Triple]) -> int:
    """Return the dimension of the smallest flat that holds some points."""
    rows = np.array(list(points))
    return int(np.linalg.matrix_rank(rows - rows[0]))


def keys_of_four_items() -> tuple[str, bool]:
    """Count the label counts of all answer keys of four items and three labels."""
    seen = {tuple(map(key.count, "abc")) for key in product("abc", repeat=4)}
    told = f"{len(seen)} among all {3**4} answer keys of 4 items and 3 labels"
    return told, len(seen) == count_keys(4, 3)


def free_dimensions(labels: int) -> int:
    """Return how many unknowns of one judge stay free before its answers are seen."""
    import sympy

    found = axioms(1, labels=labels)
    rows = [*found.of_kind("size"), *found.of_kind("simplex")]
    matrix, _ = sympy.linear_eq_to_matrix(rows, list(found.unknowns))
    return len(found.unknowns) - int(matrix.rank())


def dimensions_lost(labels: int) -> int:
    """Return how many dimensions fall when one judge's answers are seen."""
    return free_dimensions(labels) - axioms(1, labels=labels).dimension


def conceivable_points() -> tuple[str, bool]:
    """List and count the evaluations on ten items."""
    points = listed(10)
    return f"{len(points)} points in {dimension(points)} dimensions", len(points) == 286


def points_without_an_accuracy() -> tuple[str, bool]:
    """Count the points at which a label does not occur."""
    points = listed(10)
    undefined = sum(q in (0, 10) for q, _, _ in points)
    told = (
        f"{len(points) - undefined} points can be drawn, {undefined} have no accuracy on one label"
    )
    return told, undefined > 0


def points_after_inequalities() -> tuple[str, bool]:
    """Count the points that pass the inequalities, and their dimension."""
    points = passing()
    good = len(points) == count_after_inequalities(one_judge()) and dimension(points) == 3
    return f"{len(points)} points in {dimension(points)} dimensions", good


def inequalities_hold() -> tuple[str, bool]:
    """Check the inequalities on every consistent evaluation."""
    points = consistent()
    told = f"so it is at all {len(points)} consistent evaluations"
    return told, set(points) <= set(passing())


def counts_of_section_2a() -> tuple[int, int, int]:
    """Count before, after the inequalities, and after the axioms."""
    one = one_judge()
    return count_conceivable(10, 2), count_after_inequalities(one), len(evaluations(one))


def counts_beside_285_and_235() -> tuple[str, bool]:
    """Count the same by lists, where 285 and 235 are printed."""
    found = len(listed(10)), len(passing())
    return f"{found[0]} and {found[1]}", found == counts_of_section_2a()[:2] == (286, 210)


def cubic_count() -> tuple[str, bool]:
    """Compare the cubic with lists for small tests."""
    sizes = range(1, 21)
    good = all(
        (n + 1) * (n + 2) * (n + 3) // 6 == len(listed(n)) == count_conceivable(n, 2) for n in sizes
    )
    return f"equal to the length of the list for each of Q = 1 to {sizes[-1]}", good


def points_on_the_plane() -> tuple[str, bool]:
    """Count the consistent points, and their dimension."""
    points = consistent()
    return f"{len(points)} points in {dimension(points)} dimensions", dimension(points) == 2


def worked_example() -> tuple[str, bool]:
    """Ask whether the two points of the example can be."""
    one = one_judge()
    bad, good = (is_consistent(Point((7, 3), ((x, 1),)), one) for x in (3, 2))
    told = [one.violated[0] if one.violated else "can be" for one in (bad, good)]
    return f"3 and 1: {told[0]}; 2 and 1: {told[1]}", not bad.ok and good.ok


def decay_of_the_share() -> tuple[str, bool]:
    """Return by what the share of consistent evaluations is divided when Q doubles."""
    two = _share_of_tables(384, 2) / _share_of_tables(768, 2)
    three = _share_of_tables(768, 3) / _share_of_tables(1536, 3)
    points = _share_of_points(48) / _share_of_points(96)
    told = f"doubling Q divides the share of tables by {two:.3f} (R = 2) and {three:.3f} (R = 3), "
    told += f"that of the points drawn by {points:.3f} (R = 3)"
    near = zip((two, three, points), (2, 4, 1), strict=True)
    return told, all(abs(value / limit - 1) < 0.01 for value, limit in near)


def _share_of_tables(n_items: int, labels: int) -> float:
    even: dict[object, int] = dict.fromkeys("abc"[:labels], n_items // labels)
    cells = labels**2
    every = comb(n_items + cells - 1, cells - 1)
    return count_consistent(Summary.from_counts({"i": even})) / every


def _share_of_points(n_items: int) -> float:
    even: dict[object, int] = dict.fromkeys("abc", n_items // 3)
    return evaluations(Summary.from_counts({"i": even})).count / count_conceivable(n_items, 3)


def no_further_relation() -> tuple[str, bool]:
    """Check by exact ranks that no other linear relation holds on every exam."""
    found = [axioms(1, labels=labels) for labels in (2, 3, 4)]
    ranks = ", ".join(str(one.rank) for one in found)
    told = f"rank {ranks} for R = 2, 3, 4: each relation proved, and no other holds on every exam"
    return told, all(one.complete and one.proved for one in found)
