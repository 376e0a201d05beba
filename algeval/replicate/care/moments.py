"""Sections 3.2 and D.5, C.2: third moments of three views, and what two or three of them identify."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpz_mat
from scipy.stats import multivariate_normal

from algeval.aggregate.scores.care_tensor import (
    Mixture,
    fit_states,
    posterior,
    unique_by_kruskal,
    view_moments,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["moments"]

PAIRS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
TABLES = (
    ((2, 1, 1, 0), (3, 0, 0, 1), (1, 2, 0, 1)),
    ((0, 0, 1, 3), (0, 1, 1, 2), (0, 0, 2, 2)),
)
"""Quarters of the items with each pair of binary scores, by state and view; scores go together in a view."""
COUNTS = (1, 3)
VIEWS = np.repeat(range(3), 2)


def moments() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (*_of_the_decomposition(), *_of_what_is_identified())


def _population() -> Any:
    """Return all 256 items of two states and three views of two judges, in exact shares."""
    rows = [
        np.concatenate(three)
        for tables, count in zip(TABLES, COUNTS, strict=True)
        for three in product(*(np.repeat(PAIRS, table, axis=0) for table in tables))
        for _ in range(count)
    ]
    return np.array(rows)


def _means() -> list[list[Fraction]]:
    """Return the means of the six judges in either state, read off the tables."""
    return [
        [
            Fraction(sum(n for n, pair in zip(table, PAIRS, strict=True) if pair[side]), 4)
            for table in state
            for side in range(2)
        ]
        for state in TABLES
    ]


def _third_moment_factorises() -> tuple[str, bool]:
    rows, means = _population(), _means()
    for i, j, k in product((0, 1), (2, 3), (4, 5)):
        listed = Fraction(int((rows[:, i] * rows[:, j] * rows[:, k]).sum()), len(rows))
        summed = sum(
            Fraction(n, 4) * m[i] * m[j] * m[k] for n, m in zip(COUNTS, means, strict=True)
        )
        if listed != summed:
            return f"differs at {i}, {j}, {k}", False
    return "8 entries equal in fractions, 256 items", True


def _dependent_pairs_do_not() -> tuple[str, bool]:
    """Two judges of one view beside one of another: dependence inside the view shows."""
    rows, means = _population(), _means()
    listed = Fraction(int((rows[:, 0] * rows[:, 1] * rows[:, 2]).sum()), len(rows))
    summed = sum(Fraction(n, 4) * m[0] * m[1] * m[2] for n, m in zip(COUNTS, means, strict=True))
    return f"{listed} listed, {summed} by states", listed != summed


def _states_are_recovered() -> tuple[str, bool]:
    found = fit_states(
        view_moments(_population().astype(float), VIEWS), 2, np.random.default_rng(0)
    )
    order = np.argsort(found.weights)
    truth = np.array([[float(m) for m in state] for state in _means()]).T
    off = float(np.abs(found.means[:, order] - truth).max())
    weights = float(np.abs(found.weights[order] - [0.25, 0.75]).max())
    return f"means off by {off:.1g}, weights by {weights:.1g}", max(off, weights) < 1e-8


def _weights_that_trade_with_lengths() -> tuple[str, bool]:
    """Weights 1/9, 8/9, and 8/9, 1/9 with means halved and doubled, have one third moment."""
    first = [(Fraction(1, 9), (2, 4)), (Fraction(8, 9), (1, 3))]
    second = [(Fraction(8, 9), (1, 2)), (Fraction(1, 9), (2, 6))]

    def moment(law: list[tuple[Fraction, tuple[int, int]]], order: int) -> list[Fraction]:
        return [
            sum((w * np.prod([m[i] for i in at], dtype=int) for w, m in law), Fraction(0))
            for at in product(range(2), repeat=order)
        ]

    same, apart = moment(first, 3) == moment(second, 3), moment(first, 1) != moment(second, 1)
    means = [", ".join(map(str, moment(law, 1))) for law in (first, second)]
    return f"third moments equal, means {means[0]} and {means[1]}", same and apart


def _posterior_by_densities() -> tuple[str, bool]:
    rng = np.random.default_rng(0)
    weights, means = np.array([0.4, 0.3, 0.2, 0.1]), rng.normal(size=(6, 4))
    noise: Any = np.kron(np.eye(3), [[1.0, 0.4], [0.4, 1.0]])
    scores = rng.normal(size=(20, 6))
    found, _ = posterior(scores, Mixture(weights, means, noise, VIEWS))
    parts = [
        w * multivariate_normal.pdf(scores, m, noise) for w, m in zip(weights, means.T, strict=True)
    ]
    direct = np.array(parts).T / np.sum(parts, axis=0)[:, None]
    off = float(np.abs(found[:, 2:].sum(axis=1) - direct[:, 2:].sum(axis=1)).max())
    return f"P(Q = 1 | scores) off by {off:.1g} on 20 items", off < 1e-12


def _normal_third_moments() -> tuple[str, bool]:
    """Differentiate the moment generating function of a centred normal law at 0."""
    t = sp.symbols("t_1:4")
    c = {(i, j): sp.Symbol(f"c_{i}{j}") for i in range(3) for j in range(i, 3)}
    form = sum(c[min(i, j), max(i, j)] * t[i] * t[j] for i in range(3) for j in range(3))
    found = sp.diff(sp.exp(form / 2), *t).subs(dict.fromkeys(t, 0))
    return f"third cross-moment {found}", found == 0


def _of_the_decomposition() -> tuple[Claim, ...]:
    place = "section 3.2"
    return (
        Claim(
            id="002-5",
            place="section 3.2, (5)",
            printed="independent views: the third cross-moment is the sum over states of weight times means, "
            "also of "
            "binary scores",
            compute=fact(_third_moment_factorises),
        ),
        Claim(
            id="002-3-views",
            place="sections 3.2, E.10",
            printed="judges that depend on each other must stand in one view",
            compute=fact(_dependent_pairs_do_not),
        ),
        Claim(
            id="002-3-CP",
            place=place,
            printed="the CP decomposition recovers the means of the states",
            compute=fact(_states_are_recovered),
            tolerance="1e-8, where the alternating least squares stops",
        ),
        Claim(
            id="002-3-weights",
            place=place,
            printed="weights of the states follow from the lengths of the components",
            verdict="conditional",
            compute=fact(_weights_that_trade_with_lengths),
            note="once lower moments fix the lengths of the means (we append a constant 1 to each view): the "
            "third "
            "moment alone lets weights and lengths trade",
        ),
        Claim(
            id="002-1",
            place="(1)",
            printed="P(Q = 1 | scores) is the normal densities of the two states with Q = 1, weighted, over "
            "those of all four",
            compute=fact(_posterior_by_densities),
            tolerance="1e-12, rounding",
        ),
        Claim(
            id="002-3-odd",
            place=place,
            printed="of joint normal variables third central moments vanish",
            compute=fact(_normal_third_moments),
        ),
    )


def _turned_factors() -> tuple[str, bool]:
    """Two laws of three views with equal pair moments and other means, in fractions.

    Weights 1/2; the means of every view are the columns of one matrix, turned by 3/5, 4/5.
    """
    first = sp.Matrix([[2, 1], [1, 3]])
    turn = sp.Matrix([[3, -4], [4, 3]]) / 5
    second = first * turn
    pairs = first * first.T == second * second.T
    thirds = [
        [
            sum(m[i, h] * m[j, h] * m[k, h] for h in range(2))
            for i, j, k in product((0, 1), repeat=3)
        ]
        for m in (first, second)
    ]
    told = f"columns {list(first[:, 0])}, {list(first[:, 1])} and {list(second[:, 0])}, {list(second[:, 1])}"
    return f"equal pair moments of {told}", pairs and thirds[0] != thirds[1]


def _moved(views: Sequence[Sequence[Sequence[int]]]) -> tuple[int, int]:
    """Return the rank of the third moment's derivative by the states, and the rank if none can move unseen.

    Views hold a column of whole numbers per state. A column's length may always go over to another view's, so
    that of d_1 + d_2 + d_3 entries per state two do not count.
    """
    states = list(zip(*views, strict=True))
    rows = []
    for columns in states:
        for view, column in enumerate(columns):
            for unit in np.eye(len(column), dtype=int):
                parts = [*columns[:view], unit, *columns[view + 1 :]]
                rows.append(np.einsum("i,j,k->ijk", *parts).ravel().tolist())
    sizes = sum(map(len, states[0])) - 2
    return int(fmpz_mat(rows).rank()), len(states) * sizes


def _added_effects() -> tuple[str, bool]:
    """Take the states of Q and C in each view as (q, c, 1), then as (q, c, q c, 1)."""
    corners = list(product((0, 1), repeat=2))
    added = _moved([[(q, c, 1) for q, c in corners]] * 3)
    joined = _moved([[(q, c, q * c, 1) for q, c in corners]] * 3)
    told = f"rank {added[0]} of {added[1]} where effects add, {joined[0]} of {joined[1]} with Q and C at once"
    return told, added[0] < added[1] and joined[0] == joined[1]


def _fewest_judges() -> tuple[str, bool]:
    """Compare three, three, three judges at random points with four, three, three by Kruskal's condition."""
    rng = np.random.default_rng(0)
    points = [[rng.integers(-9, 10, (4, 3)).tolist() for _ in range(3)] for _ in range(10)]
    rank, full = max(map(_moved, points))
    told = f"9 judges: rank at most {rank} of {full} at 10 points; 10: k-ranks 4 + 3 + 3 = 10"
    return told, rank < full and unique_by_kruskal((4, 3, 3), 4)


def _full_rank_is_enough() -> tuple[str, bool]:
    return "k-ranks 4 + 4 + 4 >= 10", unique_by_kruskal((4, 4, 4), 4)


def _of_what_is_identified() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-C.2",
            place="C.2",
            printed="SVD of pair moments with Procrustes finds the means up to permutation and sign, as "
            "orthogonal "
            "transforms have it",
            verdict="erratum",
            compute=fact(_turned_factors),
            note="up to any turn: pair moments of all three views may agree where the means differ by more "
            "than order "
            "and sign; third moments tell them apart",
        ),
        Claim(
            id="002-D.8",
            place="Assumption D.8 (A2)",
            printed="four linearly independent means in each view make the decomposition unique",
            compute=fact(_full_rank_is_enough),
            note="Kruskal's condition, k-ranks summing to 2 r + 2 = 10 or more",
        ),
        Claim(
            id="002-D.8-judges",
            place="section 3.2, Assumption D.8",
            printed="third moments of three views of judges give four states (how many judges it takes is "
            "not said)",
            verdict="conditional",
            compute=fact(_fewest_judges),
            note="from 10 judges on, or 7 with a constant appended to each view: with one fewer, two "
            "directions are "
            "left in which all four states can move unseen",
        ),
        Claim(
            id="002-E.9.2-unique",
            place="E.9.2",
            printed="third moments of three views identify the states, one judge of a view depending on Q "
            "and on C",
            verdict="conditional",
            compute=fact(_added_effects),
            note="not where Q and C only add: then the states can move in two directions and leave the third "
            "moment as "
            "it is; it takes a judge for whom both together are more than their sum",
        ),
    )
