"""Claims of CARE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import exp, log, prod
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from flint import fmpz_mat
from scipy.stats import multivariate_normal, ortho_group, spearmanr, wishart

from algeval.aggregate import aggregate
from algeval.aggregate.scores import care_svd
from algeval.aggregate.scores.care_svd import directions, leading
from algeval.aggregate.scores.care_svd import split_sparse_low_rank as split
from algeval.aggregate.scores.care_tensor import (
    Mixture,
    fit_states,
    posterior,
    searched,
    unique_by_kruskal,
    view_moments,
)
from algeval.data import Scores
from algeval_papers.claims import Claim, fact, number
from algeval_papers.gaussian_states import (
    GaussianStates,
    second_order_insufficient,
    second_order_sufficient,
)

# --- Planted laws: judges in three views with hidden states, and panels with near copies.


Floats = np.ndarray


class Design(NamedTuple):
    """Scores (n, 12), the means (12, 4) of the states, the views and the state of each item."""

    values: Floats
    means: Floats
    views: Floats
    state: Floats

    def error(self, means: Floats) -> float:
        """Frobenius distance from the true means, states in the best order."""
        orders = permutations(range(self.means.shape[1]))
        return min(float(np.linalg.norm(means[:, list(o)] - self.means)) for o in orders)


def grouped(seed: int, n: int) -> Design:
    """Draw twelve judges, four in each of three views, in four states.

    Means are uniform from 1 to 4, drawn anew until each view's have a smallest singular value of .7; within
    a view pairs have an entry of .4 in the precision with chance .6, its diagonal raised until no eigenvalue
    is below .15.
    """
    rng = np.random.default_rng(seed)
    views = np.repeat(range(3), 4)
    means = np.zeros((12, 4))
    while min(np.linalg.svd(means[views == v], compute_uv=False)[-1] for v in range(3)) < 0.7:
        means = rng.uniform(1, 4, (12, 4))
    precision = np.eye(12)
    for v in range(3):
        for i, j in combinations(np.flatnonzero(views == v), 2):
            if rng.random() < 0.6:
                precision[i, j] = precision[j, i] = 0.4
    precision += max(0.0, 0.15 - np.linalg.eigvalsh(precision)[0]) * np.eye(12)
    state = rng.choice(4, n)
    errors = rng.multivariate_normal(np.zeros(12), np.linalg.inv(precision), n)
    return Design(means.T[state] + errors, means, views, state)


def near_copies(copies: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Draw quality and standardised scores of 16 judges of it and of near copies of something else."""
    rng = np.random.default_rng(seed)
    quality, other = rng.normal(size=(2, 3000))
    judges = 0.7 * quality[:, None] + np.sqrt(0.51) * rng.normal(size=(3000, 16))
    near = np.sqrt(0.9) * other[:, None] + np.sqrt(0.1) * rng.normal(size=(3000, copies))
    scores = np.hstack([judges, near])
    return quality, (scores - scores.mean(axis=0)) / scores.std(axis=0)


def table_of(values: Floats) -> Scores:
    """Scores (n, N) as a table, items and judges named by their numbers."""
    rows, columns = values.shape
    return Scores(tuple(map(str, range(rows))), tuple(map(str, range(columns))), values)


# --- Sections 3.2 and 4, D.1 and D.2: the precision as sparse less low-rank, and what it
# identifies.


Exact = Any  # sympy.Matrix; SymPy is untyped


def model() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_of_the_precision(), *_of_identifiability())


@cache
def _joint() -> tuple[Exact, Exact, Exact]:
    """S, K and K_hh of five judges and two latents, in fractions; the joint precision is positive."""
    sparse = sp.eye(5) * 3
    sparse[0, 1] = sparse[1, 0] = sp.Rational(1, 2)
    links = sp.Matrix([[1, 0], [1, 1], [0, 1], [1, -1], [sp.Rational(1, 2), 1]]) / 2
    return sparse, links, sp.diag(2, 1)


def _whole() -> Exact:
    sparse, links, latent = _joint()
    return sp.Matrix(sp.BlockMatrix([[sparse, links], [links.T, latent]]))


def _precision_of_the_judges() -> tuple[str, bool]:
    """Invert the joint precision, keep the judges' block, invert it again."""
    sparse, links, latent = _joint()
    marginal = _whole().inv()[:5, :5].inv()
    low = links * latent.inv() * links.T
    same = marginal == sparse - low
    return f"S - L in fractions, L of rank {low.rank()}", same and low.rank() == 2


def _zeros_are_independence() -> tuple[str, bool]:
    """Given the latents, the covariance of the judges is the inverse of S: judges 2 and 3 have none."""
    whole = _whole().inv()
    judges, cross, latents = whole[:5, :5], whole[:5, 5:], whole[5:, 5:]
    conditional = (judges - cross * latents.inv() * cross.T).inv()
    zeros = sum(conditional[i, j] == 0 for i in range(5) for j in range(i))
    return (
        f"{zeros} of 10 pairs have no entry, the linked one has {conditional[0, 1]}",
        conditional == _joint()[0],
    )


def _mean_of_a_latent() -> tuple[str, bool]:
    """Compare E[h | x] by the joint law with -K_hh^-1 K' x."""
    _, links, latent = _joint()
    whole = _whole().inv()
    by_law = whole[5:, :5] * whole[:5, :5].inv()
    return "weights -K_hh^-1 K', in fractions", by_law == -latent.inv() * links.T


def _turned_loadings() -> tuple[str, bool]:
    _, links, _ = _joint()
    turn = sp.Matrix([[3, -4], [4, 3]]) / 5
    other = links * turn
    text = f"first columns {list(links[:, 0])} and {list(other[:, 0])}"
    return text, other * other.T == links * links.T and other != links


def _penalties_that_leave_nothing() -> tuple[str, bool]:
    """Ten judges, two factors: with lambda_L at least 10 lambda_S no direction is left."""
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(4000, 2)) @ rng.normal(size=(2, 10)) + rng.normal(size=(4000, 10))
    sigma, ranks = np.asarray(np.corrcoef(drawn.T)), []
    for ratio in (10, 1):
        ranks.append(split(sigma, loss="log-det", sparse=0.02, low_rank=0.02 * ratio).rank)
    return f"rank {ranks[0]} at a ratio of 10, rank {ranks[1]} at 1", ranks[0] == 0 < ranks[1]


def _of_the_precision() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-3-schur",
            place="section 3.2, D.1",
            paraphrase="joint normal: the judges' precision is sparse less low-rank, by the Schur complement",
            compute=fact(_precision_of_the_judges),
        ),
        Claim(
            id="002-3-sparse",
            place="section 3.1, D.1",
            paraphrase="entries of the sparse part are links between judges given the latents",
            compute=fact(_zeros_are_independence),
        ),
        Claim(
            id="002-D.7-mean",
            place="Corollary D.7",
            paraphrase="the mean of quality given scores is linear in them, along its links",
            compute=fact(_mean_of_a_latent),
            note="with the sign turned, as links in a precision are minus associations",
        ),
        Claim(
            id="002-3-split",
            place="section 3.2, Algorithm 1",
            paraphrase="the convex split yields a sparse and a low-rank part",
            verdict="conditional",
            compute=fact(_penalties_that_leave_nothing),
            note="its low-rank part is exactly 0, whatever the scores, where lambda_L >= p lambda_S (p "
            "judges): "
            "the multiplier has entries up to lambda_S, so eigenvalues up to p lambda_S; then there is no "
            "weight",
        ),
        Claim(
            id="002-D2-turn",
            place="section 3.2, D.2",
            paraphrase="links are known up to a turn only: K R gives the same low-rank part as K",
            compute=fact(_turned_loadings),
        ),
    )


def _orthonormal_links_are_found() -> tuple[str, bool]:
    worst = 0.0
    for seed in range(50):
        links = ortho_group.rvs(8, random_state=seed)[:, :3]
        vectors = directions(links * [3.0, 2.0, 1.0] @ links.T).vectors
        worst = max(worst, float(np.abs(np.abs(np.sum(vectors * links, axis=0)) - 1).max()))
    return f"cosines off 1 by at most {worst:.1g} in 50 draws", worst < 1e-10


def _orthogonal_links_that_tie() -> tuple[str, bool]:
    """Links (2, 0) and (0, 1) with latent precisions 4 and 1 leave the identity, as any turn of it."""
    low = sp.diag(2, 1) * sp.diag(4, 1).inv() * sp.diag(2, 1)
    turn = sp.Matrix([[3, -4], [4, 3]]) / 5
    other = (turn * sp.diag(2, 1)) * sp.diag(4, 1).inv() * (turn * sp.diag(2, 1)).T
    return (
        "links (2, 0), (0, 1) and (6/5, 8/5), (-4/5, 3/5) give the same L",
        low == other == sp.eye(2),
    )


def _disjoint_supports() -> tuple[str, bool]:
    """Three judges of one latent and two of another, all with a link of 1."""
    links = sp.Matrix([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]])
    product = links.T * links
    text = f"K'K = diag({product[0, 0]}, {product[1, 1]})"
    return text, product[0, 1] == 0 and product != sp.eye(2)


def _of_identifiability() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-D.3",
            place="Theorem D.3",
            paraphrase="orthonormal links and distinct latent precisions: links are the eigenvectors, up to "
            "order and sign",
            compute=fact(_orthonormal_links_are_found),
            tolerance="1e-10, rounding",
        ),
        Claim(
            id="002-4.1",
            place="Proposition 4.1",
            paraphrase="orthogonal links and distinct latent precisions identify the links",
            verdict="conditional",
            compute=fact(_orthogonal_links_that_tie),
            note="orthonormal, as in the appendix: else |k|^2 / d may tie where the d differ, and lengths "
            "are not known",
        ),
        Claim(
            id="002-D.2-disjoint",
            place="Assumption D.2",
            paraphrase="latents with judges of their own are a special case of K'K = I",
            verdict="conditional",
            compute=fact(_disjoint_supports),
            note="once each column is scaled to length 1; disjoint supports make K'K diagonal only",
        ),
    )


# --- Sections 3.2 and D.5, C.2: third moments of three views, and what two or three of them
# identify.


PAIRS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
TABLES = (
    ((2, 1, 1, 0), (3, 0, 0, 1), (1, 2, 0, 1)),
    ((0, 0, 1, 3), (0, 1, 1, 2), (0, 0, 2, 2)),
)
"""Quarters of the items with each pair of binary scores, by state and view; scores go together in a view."""
COUNTS = (1, 3)
VIEWS = np.repeat(range(3), 2)


def moments() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_of_the_decomposition(), *_of_what_is_identified())


def _population() -> Any:
    """All 256 items of two states and three views of two judges, in exact shares."""
    rows = [
        np.concatenate(three)
        for tables, count in zip(TABLES, COUNTS, strict=True)
        for three in product(*(np.repeat(PAIRS, table, axis=0) for table in tables))
        for _ in range(count)
    ]
    return np.array(rows)


def _means() -> list[list[Fraction]]:
    """Means of the six judges in either state, read off the tables."""
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
    fit = fit_states(view_moments(_population().astype(float), VIEWS), 2, np.random.default_rng(0))
    order = np.argsort(fit.weights)
    truth = np.array([[float(m) for m in state] for state in _means()]).T
    off = float(np.abs(fit.means[:, order] - truth).max())
    weights = float(np.abs(fit.weights[order] - [0.25, 0.75]).max())
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
    shares, _ = posterior(scores, Mixture(weights, means, noise, VIEWS))
    parts = [
        w * multivariate_normal.pdf(scores, m, noise) for w, m in zip(weights, means.T, strict=True)
    ]
    direct = np.array(parts).T / np.sum(parts, axis=0)[:, None]
    off = float(np.abs(shares[:, 2:].sum(axis=1) - direct[:, 2:].sum(axis=1)).max())
    return f"P(Q = 1 | scores) off by {off:.1g} on 20 items", off < 1e-12


def _normal_third_moments() -> tuple[str, bool]:
    """Differentiate the moment generating function of a centred normal law at 0."""
    t = sp.symbols("t_1:4")
    c = {(i, j): sp.Symbol(f"c_{i}{j}") for i in range(3) for j in range(i, 3)}
    form = sum(c[min(i, j), max(i, j)] * t[i] * t[j] for i in range(3) for j in range(3))
    moment = sp.diff(sp.exp(form / 2), *t).subs(dict.fromkeys(t, 0))
    return f"third cross-moment {moment}", moment == 0


def _of_the_decomposition() -> tuple[Claim, ...]:
    text = "section 3.2"
    return (
        Claim(
            id="002-5",
            place="section 3.2, (5)",
            paraphrase="independent views: the third cross-moment is the sum over states of weight "
            "times means, "
            "also of "
            "binary scores",
            compute=fact(_third_moment_factorises),
        ),
        Claim(
            id="002-3-views",
            place="sections 3.2, E.10",
            paraphrase="judges that depend on each other must stand in one view",
            compute=fact(_dependent_pairs_do_not),
        ),
        Claim(
            id="002-3-CP",
            place=text,
            paraphrase="the CP decomposition recovers the means of the states",
            compute=fact(_states_are_recovered),
            tolerance="1e-8, where the alternating least squares stops",
        ),
        Claim(
            id="002-3-weights",
            place=text,
            paraphrase="weights of the states follow from the lengths of the components",
            verdict="conditional",
            compute=fact(_weights_that_trade_with_lengths),
            note="once lower moments fix the lengths of the means (we append a constant 1 to each view): the "
            "third "
            "moment alone lets weights and lengths trade",
        ),
        Claim(
            id="002-1",
            place="(1)",
            paraphrase="P(Q = 1 | scores) is the normal densities of the two states with Q = 1, "
            "weighted, over "
            "those of all four",
            compute=fact(_posterior_by_densities),
            tolerance="1e-12, rounding",
        ),
        Claim(
            id="002-3-odd",
            place=text,
            paraphrase="of joint normal variables third central moments vanish",
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
    text = f"columns {list(first[:, 0])}, {list(first[:, 1])} and {list(second[:, 0])}, {list(second[:, 1])}"
    return f"equal pair moments of {text}", pairs and thirds[0] != thirds[1]


def _moved(views: Sequence[Sequence[Sequence[int]]]) -> tuple[int, int]:
    """Rank of the third moment's derivative by the states, and the rank if none can move unseen.

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
    text = f"rank {added[0]} of {added[1]} where effects add, {joined[0]} of {joined[1]} with Q and C at once"
    return text, added[0] < added[1] and joined[0] == joined[1]


def _fewest_judges() -> tuple[str, bool]:
    """Compare three, three, three judges at random points with four, three, three by Kruskal's condition."""
    rng = np.random.default_rng(0)
    points = [[rng.integers(-9, 10, (4, 3)).tolist() for _ in range(3)] for _ in range(10)]
    rank, full = max(map(_moved, points))
    text = f"9 judges: rank at most {rank} of {full} at 10 points; 10: k-ranks 4 + 3 + 3 = 10"
    return text, rank < full and unique_by_kruskal((4, 3, 3), 4)


def _full_rank_is_enough() -> tuple[str, bool]:
    return "k-ranks 4 + 4 + 4 >= 10", unique_by_kruskal((4, 4, 4), 4)


def _of_what_is_identified() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-C.2",
            place="C.2",
            paraphrase="SVD of pair moments with Procrustes finds the means up to permutation and sign, as "
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
            paraphrase="four linearly independent means in each view make the decomposition unique",
            compute=fact(_full_rank_is_enough),
            note="Kruskal's condition, k-ranks summing to 2 r + 2 = 10 or more",
        ),
        Claim(
            id="002-D.8-judges",
            place="section 3.2, Assumption D.8",
            paraphrase="third moments of three views of judges give four states (how many judges it takes is "
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
            paraphrase="third moments of three views identify the states, one judge of a view depending on Q "
            "and on C",
            verdict="conditional",
            compute=fact(_added_effects),
            note="not where Q and C only add: then the states can move in two directions and leave the third "
            "moment as "
            "it is; it takes a judge for whom both together are more than their sum",
        ),
    )


# --- Section 4, D.2 to D.6: what perturbations and left-out confounders do, and how errors fall
# with n.


DRAWS = 400
SEEDS = 6
FALL = (
    "a fall of 2.7 to 5.9 (4 is meant) for 16 times the items; medians of 6 seeded draws, whose quotient has "
    "a standard error of about 20%"
)
LOST = "the display is lost in the text we read; with the constant 2^(3/2) of the theorem it cites"


def bounds() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_of_perturbations(), *_of_left_out_confounders(), *_of_rates())


def _apart(first: Floats, other: Floats) -> float:
    return float(min(np.linalg.norm(first - other), np.linalg.norm(first + other)))


def _perturbed(seed: int) -> tuple[float, float, float]:
    """Largest errors over their bounds of vectors, of L, and how far K K' is from K."""
    rng = np.random.default_rng(seed)
    p, k = int(rng.integers(4, 13)), int(rng.integers(2, 4))
    links = ortho_group.rvs(p, random_state=seed)[:, :k]
    values = np.sort(rng.uniform(0.5, 3, k))[::-1]
    moved = links + rng.normal(size=links.shape) * 10 ** rng.uniform(-4, -1)
    size = float(np.linalg.norm(moved - links, 2))
    most = values[0] * (2 * size + size**2)
    change = (moved * values) @ moved.T - (links * values) @ links.T
    vectors = np.linalg.eigh((moved * values) @ moved.T)[1][:, ::-1]
    ratios = []
    for i in range(k):
        gap = np.abs(np.append(np.delete(values, i), 0.0) - values[i]).min()
        ratios.append(_apart(links[:, i], vectors[:, i]) * gap / (2**1.5 * most))
    return max(ratios), float(np.linalg.norm(change, 2)) / most, size


def _vectors_of_moved_links() -> tuple[str, bool]:
    worst = max(_perturbed(seed)[0] for seed in range(DRAWS))
    return f"at most {worst:.2f} of the bound in {DRAWS} draws", 0.1 < worst <= 1


def _low_rank_part_of_moved_links() -> tuple[str, bool]:
    worst = max(_perturbed(seed)[1] for seed in range(DRAWS))
    return f"at most {worst:.4f} of the bound in {DRAWS} draws", 0.5 < worst <= 1 + 1e-9


def _of_perturbations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-D.4",
            place="Proposition 4.1, Theorem D.4",
            paraphrase="links moved by E move an eigenvector by at most a constant times |E'| over its "
            "gap, E' "
            "the change of L",
            compute=fact(_vectors_of_moved_links),
            tolerance="an inequality; some draw is above a tenth of it",
            note=LOST,
        ),
        Claim(
            id="002-D.4-norm",
            place="Theorem D.4, proof",
            paraphrase="the change of L is at most its largest eigenvalue times (2 |E| + |E|^2)",
            compute=fact(_low_rank_part_of_moved_links),
            tolerance="an inequality, 1e-9 for rounding; some draw is above half of it",
            note="the display is lost; this is what orthonormal columns give",
        ),
    )


def _confounded(seed: int) -> tuple[Floats, float, Floats, np.random.Generator]:
    """Direction of quality, its eigenvalue, the part of the confounders."""
    rng = np.random.default_rng(seed)
    p, k = int(rng.integers(3, 15)), int(rng.integers(1, 4))
    u = rng.normal(size=p)
    u /= np.linalg.norm(u)
    links = rng.normal(size=(p, k)) * 10 ** rng.uniform(-2.5, 0.2)
    return u, float(rng.uniform(0.5, 3)), links @ links.T, rng


def _bias() -> tuple[str, bool]:
    ratios, vacuous = [], 0
    for seed in range(DRAWS):
        u, value, rest, _ = _confounded(seed)
        bound = 2**1.5 * np.linalg.norm(rest, 2) / value
        weights = leading(directions(value * np.outer(u, u) + rest)).weights
        ratios.append(_apart(u, weights) / bound)
        vacuous += bool(bound >= 2**0.5)
    text = f"at most {max(ratios):.2f} of the bound in {DRAWS} draws, {vacuous} with a bound above sqrt 2"
    return text, bool(0.15 < max(ratios) <= 1)


def _bias_of_the_mean() -> tuple[str, bool]:
    worst = 0.0
    for seed in range(DRAWS):
        u, value, rest, rng = _confounded(seed)
        weights = leading(directions(value * np.outer(u, u) + rest)).weights
        weights = weights if u @ weights >= 0 else -weights
        x = rng.normal(size=len(u))
        bound = 2**1.5 * np.linalg.norm(rest, 2) / value * np.linalg.norm(x)
        worst = max(worst, float(abs(x @ (u - weights)) / bound))
    return f"at most {worst:.2f} of the bound in {DRAWS} draws", 0.05 < worst <= 1


def _eigenvalue_of_quality() -> tuple[str, bool]:
    """Whether k k' / d has the eigenvalue |k|^2 / d and no other, here links (1, 2, 2) and d = 3."""
    links = np.array([1.0, 2.0, 2.0])
    values = np.linalg.eigvalsh(np.outer(links, links) / 3)
    text = ", ".join(f"{v:.3g}" for v in np.abs(values.round(12))[::-1])
    return f"eigenvalues {text}", bool(np.allclose(values, [0, 0, 3], atol=1e-12))


def _stronger_confounder() -> tuple[str, bool]:
    """Take a confounder twice as strong as quality, without a judge in common."""
    u, v = np.repeat([1.0, 0.0], 5) / 5**0.5, np.repeat([0.0, 1.0], 5) / 5**0.5
    error = _apart(u, leading(directions(np.outer(u, u) + 2 * np.outer(v, v))).weights)
    return f"error {error:.4f}, the largest there is; bound {2**1.5 * 2:.2f}", abs(
        error - 2**0.5
    ) < 1e-12


def _of_left_out_confounders() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-D.6",
            place="Theorem D.6",
            paraphrase="a rank-one fit misses the direction of quality by at most a constant times |L_conf| "
            "over its gap",
            compute=fact(_bias),
            tolerance="an inequality; some draw is above .15 of it",
            note=LOST,
        ),
        Claim(
            id="002-D.6-gap",
            place="D.4, before Theorem D.6",
            paraphrase="the part of quality has one eigenvalue, the squared length of its links over its "
            "precision",
            compute=fact(_eigenvalue_of_quality),
            tolerance="1e-12, rounding",
        ),
        Claim(
            id="002-D.6-strong",
            place="Theorem D.6",
            paraphrase="the bound holds wherever quality has a positive gap",
            verdict="conditional",
            compute=fact(_stronger_confounder),
            note="it says something only if the confounders are below half the gap: no error exceeds sqrt 2",
        ),
        Claim(
            id="002-D.7",
            place="Corollary D.7",
            paraphrase="the mean of quality given scores x is off by at most |x| times the bound of "
            "Theorem D.6",
            compute=fact(_bias_of_the_mean),
            tolerance="an inequality; some draw is above a twentieth of it",
        ),
    )


def _incoherent(p: int = 16) -> tuple[Floats, Floats]:
    """Covariance with two links and two latents that all judges share, and the first direction."""
    first = np.linspace(0.7, 1.3, p)
    first /= np.linalg.norm(first)
    second = np.resize([1.0, 1, -1, -1], p)
    second -= first * (first @ second)
    second /= np.linalg.norm(second)
    sparse = 1.5 * np.eye(p)
    sparse[0, 1] = sparse[1, 0] = sparse[4, 7] = sparse[7, 4] = 0.3
    low = 1.1 * np.outer(first, first) + 0.6 * np.outer(second, second)
    return np.linalg.inv(sparse - low), first


def _error_of_the_split(n: int, seed: int) -> float:
    sigma, truth = _incoherent()
    drawn = np.asarray(wishart.rvs(n - 1, sigma / (n - 1), random_state=seed))
    penalty = n**-0.5
    parts = split(
        drawn,
        loss="log-det",
        sparse=penalty,
        low_rank=4 * penalty,
        diagonal=False,
        tol=1e-8,
    )
    return _apart(truth, leading(directions(parts.low_rank)).weights)


def _split_falls() -> tuple[str, bool]:
    return _fourfold(_error_of_the_split, 64_000)


def _fourfold(error: Callable[[int, int], float], n: int) -> tuple[str, bool]:
    few, many = (float(np.median([error(k, s) for s in range(SEEDS)])) for k in (n, 16 * n))
    text = f"median error {few:.3g} at {n:,} items, {many:.3g} at {16 * n:,}"
    return text, 2.7 < few / many < 5.9


def _error_of_the_tensor(n: int, seed: int) -> float:
    design = grouped(seed, n)
    fit = fit_states(view_moments(design.values, design.views), 4, np.random.default_rng(0))
    return design.error(fit.means)


def _tensor_falls() -> tuple[str, bool]:
    return _fourfold(_error_of_the_tensor, 3_000)


def _three_factors_are_heavier() -> tuple[str, bool]:
    """Moments of order 2k of a product of three normals, by double factorials: (E W^2k)^(1/2k) / 2k grows."""
    errors = []
    for k in (1, 10, 100, 1000):
        moment = prod(range(1, 2 * k, 2))
        errors.append(exp(3 * log(moment) / (2 * k)) / (2 * k))
    text = ", ".join(f"{part:.3g}" for part in errors)
    grows = all(b > 1.5 * a for a, b in pairwise(errors))
    return f"at k = 1, 10, 100, 1,000: {text}", grows


def _of_rates() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-4.2",
            place="Theorems 4.2 and D.5",
            paraphrase="errors of the directions fall like n^-1/2",
            compute=fact(_split_falls),
            tolerance=FALL,
            note="one planted law, penalties in proportion to n^-1/2; the constants are not specified",
        ),
        Claim(
            id="002-4.3",
            place="Theorems 4.3 and D.9",
            paraphrase="errors of the means of states fall like n^-1/2",
            compute=fact(_tensor_falls),
            tolerance=FALL,
            note="known views, least squares in place of the power method",
        ),
        Claim(
            id="002-D.9-proof",
            place="Theorem D.9, proof, before (6)",
            paraphrase="a product of three projections is sub-exponential, as each is sub-Gaussian",
            verdict="erratum",
            compute=fact(_three_factors_are_heavier),
            tolerance="exact moments; of a sub-exponential variable (E W^2k)^(1/2k) / 2k stays bounded",
            note="two factors are, three have tails like exp(-t^(2/3)): Bernstein's inequality does not "
            "apply as "
            "stated; the rate in n is seen all the same (002-4.3)",
        ),
    )


# --- Sections 3.3, C.4 and E.8: which direction is quality, the subtraction rule and Figure 5.


COPIES_DRAWS = 100


def direction_claims() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_of_the_choice(), *_of_dummy_judges(), *_of_the_subtraction())


@cache
def _directions_of_copies(copies: int) -> tuple[care_svd.Directions, Floats, Floats]:
    """Directions of a panel with near copies, the quality, and the standardised scores."""
    truth, scores = near_copies(copies)
    penalty = 0.004 / np.sqrt(scores.shape[1])
    low = split(np.corrcoef(scores.T), loss="d-trace", sparse=penalty, low_rank=penalty, tol=1e-6)
    return care_svd.directions(low.low_rank), truth, scores


def _follows(weights: Floats, truth: Floats, scores: Floats) -> float:
    return abs(float(spearmanr(scores @ weights, truth)[0]))


def _leading_is_quality() -> tuple[str, bool]:
    spectrum, truth, scores = _directions_of_copies(0)
    each = [_follows(vector, truth, scores) for vector in spectrum.vectors.T]
    text = f"{each[0]:.3f}, the next {max(each[1:], default=0):.3f}"
    return f"rank correlation with quality {text}", each[0] > 0.9 and each[0] == max(each)


def _leading_is_the_copies() -> tuple[str, bool]:
    spectrum, truth, scores = _directions_of_copies(6)
    each = [_follows(vector, truth, scores) for vector in spectrum.vectors.T]
    text = f"{each[0]:.3f}, the best of the others {max(each[1:]):.3f}"
    return f"rank correlation with quality {text}", each[0] < 0.2 and max(each[1:]) > 0.9


def _balanced_withstands() -> tuple[str, bool]:
    spectrum, truth, scores = _directions_of_copies(6)
    near = _follows(care_svd.balanced(spectrum).weights, truth, scores)
    return f"rank correlation with quality {near:.3f}", near > 0.9


def _anchors_withstand() -> tuple[str, bool]:
    spectrum, truth, scores = _directions_of_copies(6)
    few = np.random.default_rng(0).permutation(3000)[:40]
    near = _follows(care_svd.anchored(spectrum, scores[few], truth[few]).weights, truth, scores)
    return f"rank correlation with quality {near:.3f} by 40 anchors", near > 0.9


def _named_by_the_strongest() -> tuple[str, bool]:
    """Score states along the leading eigenvector of what two judges of either kind share; C is twice Q."""
    states = np.array([[q, q, 2 * c, 2 * c] for q in (0.0, 1.0) for c in (0.0, 1.0)])
    apart = states - states.mean(axis=0)
    vector = np.linalg.eigh(apart.T @ apart)[1][:, -1]
    quality = states @ vector * np.sign(vector.sum())
    top = sorted(np.argsort(-quality)[:2].tolist())
    return f"highest states {top} of (Q, C) = 00, 01, 10, 11", top == [1, 3]


def _of_the_choice() -> tuple[Claim, ...]:
    tolerance = "thresholds .9 and .2; 3,000 items, standard error .003 and .02"
    return (
        Claim(
            id="002-3.3",
            place="sections 3.3, E.8",
            paraphrase="the leading eigenvector of the low-rank part is quality, and the best of all",
            compute=fact(_leading_is_quality),
            tolerance=tolerance,
            note="where nothing else is shared: 16 planted judges",
        ),
        Claim(
            id="002-3.3-copies",
            place="sections 3.3, E.8",
            paraphrase="the leading factor is always the best choice",
            verdict="conditional",
            compute=fact(_leading_is_the_copies),
            tolerance=tolerance,
            note="not with six near copies of anything beside 16 judges: copies share more than judges of "
            "quality do",
        ),
        Claim(
            id="002-3.3-balance",
            place="sections 3.3, C.4",
            paraphrase="a loading that is spread evenly rejects factors of few judges",
            compute=fact(_balanced_withstands),
            tolerance=tolerance,
            note="the same panel with six near copies",
        ),
        Claim(
            id="002-3.3-anchors",
            place="sections 3.3, C.4",
            paraphrase="a few items with human ratings pick the factor of quality",
            compute=fact(_anchors_withstand),
            tolerance=tolerance,
            note="the same panel with six near copies",
        ),
        Claim(
            id="002-3.3-states",
            place="sections 3.3, C.4",
            paraphrase="states are named by where their means lie on the leading eigenvector, the "
            "highest Q = 1",
            verdict="conditional",
            compute=fact(_named_by_the_strongest),
            note="where quality moves scores most; here the confounder does, and the states are named by it",
        ),
    )


@cache
def _with_dummies(seed: int) -> Floats:
    """Loadings (14, 2) of twelve judges of quality, and of judges of the length and of a keyword.

    The three weakest judges also follow the length.
    """
    rng = np.random.default_rng(seed)
    truth, length = rng.normal(size=(2, 2000))
    of_quality, of_length = np.linspace(0.8, 0.35, 12), np.r_[np.zeros(9), 0.3, 0.4, 0.5]
    drawn = truth[:, None] * of_quality + length[:, None] * of_length
    drawn += rng.normal(size=(2000, 12)) * np.sqrt(1 - of_quality**2 - of_length**2)
    keyword = (length + 2 * rng.normal(size=2000) > 2).astype(float)
    scores = table_of(np.column_stack([drawn, length, keyword]))
    fit = aggregate(scores, "care-svd", loss="log-det", sparse=0.02, low_rank=0.05, tol=1e-6)
    return fit.loadings[:, :2]


def _dummies_off_the_first() -> tuple[str, bool]:
    every = [_with_dummies(seed)[:, 0] for seed in range(3)]
    most, least = max(np.abs(f[12:]).max() for f in every), min(f[:12].min() for f in every)
    return f"dummies at most {most:.2f}, judges at least {least:.2f}, 3 panels", bool(
        most < 0.1 < least
    )


def _length_on_the_second() -> tuple[str, bool]:
    every = [_with_dummies(seed)[:, 1] for seed in range(3)]
    first = [int(weights.argmax()) for weights in every]
    text = ", ".join(f"{weights[12]:.2f}" for weights in every)
    rest = max(float(np.abs(weights[:9]).max()) for weights in every)
    return f"length judge {text}, plain judges at most {rest:.2f}", first == [
        12
    ] * 3 and rest < 0.15


def _of_dummy_judges() -> tuple[Claim, ...]:
    tolerance = "2,000 seeded items, three panels; standard error of a loading .02"
    return (
        Claim(
            id="002-E.7-first",
            place="E.7",
            paraphrase="judges of length and keywords hardly load on the first factor, judges of quality do",
            verdict="re-staged",
            compute=fact(_dummies_off_the_first),
            tolerance=tolerance,
            note="planted judges in place of the 14 judges of FeedbackQA, whose table is 002-T6",
        ),
        Claim(
            id="002-E.7-second",
            place="E.7",
            paraphrase="the length judge stands out on a factor of its own",
            verdict="re-staged",
            compute=fact(_length_on_the_second),
            tolerance=tolerance,
            note="planted judges in place of the 14 judges of FeedbackQA, the three weakest of "
            "whom follow the length too",
        ),
    )


def _figure_5(links: tuple[Floats, Floats], noise: Floats) -> tuple[float, float, float]:
    """How well scores follow quality, on the exact precision: leading vector, either sign of C.4."""
    low = np.outer(links[0], links[0]) + np.outer(links[1], links[1])
    precision = np.diag(noise) - low
    precision += np.eye(len(noise)) * max(0.0, 0.3 - np.linalg.eigvalsh(precision)[0])
    sigma = np.linalg.inv(precision)
    spectrum = care_svd.directions(low)
    first, second = (spectrum.vectors * np.sqrt(spectrum.values)).T

    def follows(weights: Floats) -> float:
        size = (weights @ sigma @ weights) * (links[0] @ sigma @ links[0])
        return float(weights @ sigma @ links[0] / np.sqrt(size))

    return follows(first), follows(first - second), follows(first + second)


@cache
def _panels(shared: bool) -> Any:
    """Return (draws, 3) how well the three rules follow quality: latents that share judges, or none."""
    rng, rows = np.random.default_rng(5), []
    for _ in range(COPIES_DRAWS):
        noise = rng.uniform(1, 2, 12)
        if shared:
            links = rng.uniform(0.6, 0.8, 12), np.r_[np.zeros(6), rng.uniform(1.2, 1.4, 6)]
        else:
            links = (
                np.r_[rng.uniform(0.6, 1, 8), np.zeros(4)],
                np.r_[np.zeros(8), rng.uniform(0.5, 0.9, 4)],
            )
        rows.append(_figure_5(links, noise))
    return np.array(rows)


def _worse_where_orthogonal() -> tuple[str, bool]:
    rows = _panels(shared=False)
    worse = int((rows[:, 0] > rows[:, 1:].max(axis=1)).sum())
    text = f"median {np.median(rows[:, 0]):.4f} without, {np.median(rows[:, 1]):.4f} with"
    return f"worse in {worse} of {COPIES_DRAWS} draws, {text}", worse == COPIES_DRAWS


def _sign_decides_where_not() -> tuple[str, bool]:
    rows = _panels(shared=True)
    low, high = rows[:, 1:].min(axis=1), rows[:, 1:].max(axis=1)
    between = int(((low < rows[:, 0]) & (rows[:, 0] < high)).sum())
    medians = ", ".join(f"{np.median(part):.4f}" for part in (rows[:, 0], high, low))
    return (
        f"{between} of {COPIES_DRAWS} draws; medians {medians} (without, one sign, the other)",
        between == COPIES_DRAWS,
    )


def _sign_of_an_eigenvector_is_free() -> tuple[str, bool]:
    """Eigenvectors turned round leave L as it is and change the subtraction rule's weights."""
    rng = np.random.default_rng(0)
    links = rng.normal(size=(6, 2))
    spectrum = care_svd.directions(links @ links.T)
    turned = spectrum._replace(vectors=spectrum.vectors * [1.0, -1.0])
    same = np.allclose((turned.vectors * turned.values) @ turned.vectors.T, links @ links.T)
    first, other = care_svd.subtraction(spectrum, 0), care_svd.subtraction(turned, 0)
    cosine = float(first @ other)
    return f"cosine of the two weightings {cosine:.2f}", bool(same) and abs(cosine) < 0.99


def _of_the_subtraction() -> tuple[Claim, ...]:
    exact = "exact precisions; 100 seeded draws of links"
    return (
        Claim(
            id="002-F5-orthogonal",
            place="Figure 5, C.4",
            paraphrase="subtracting other directions harms where latents share no judge",
            compute=fact(_worse_where_orthogonal),
            tolerance=exact,
            note="the figure's own design is not given",
        ),
        Claim(
            id="002-F5-shared",
            place="Figure 5, C.4",
            paraphrase="subtracting other directions helps where latents share judges",
            verdict="conditional",
            compute=fact(_sign_decides_where_not),
            tolerance=exact,
            note="one sign of the other eigenvector helps and the other harms, in every draw",
        ),
        Claim(
            id="002-C.4-sign",
            place="C.4",
            paraphrase="the rule takes singular vectors of the low-rank part",
            verdict="conditional",
            compute=fact(_sign_of_an_eigenvector_is_free),
            note="their signs are free, and the weights depend on them; the text fixes none",
        ),
    )


# --- C.3: scores that are not normal, read as normal scores, keep the links and the loadings.


LOADING = np.array([0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5])
LINKED = {(0, 4), (2, 6)}
LEVEL_ITEMS, FREEDOM = 4000, 2.5
LEVELS = np.array([-1.2, -0.5, 0.3, 1.0])


def levels() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    kinds = (
        ("ordinal", "ordered levels", _ordinal, ""),
        ("mixed", "flags beside real scores", _mixed, ""),
        ("skewed", "skewed scores", _skewed, "on scores as they are the links are lost"),
        ("heavy", "rows with heavy tails (multivariate t)", _heavy_rows, ""),
    )
    return (
        *(_kept(name, what, see, note) for name, what, see, note in kinds),
        Claim(
            id="002-C.3-scale",
            place="C.3",
            paraphrase="of a multivariate t or a scale mixture the covariance is the normal one times a "
            "number, "
            "and "
            "decomposes alike",
            compute=fact(_scaled_precision),
            note="in fractions, with 5 degrees of freedom: covariance 5/3 of the normal one",
        ),
        Claim(
            id="002-C.3-skewed-raw",
            place="C.3",
            paraphrase="skewed scores need only a rescaling",
            verdict="conditional",
            compute=fact(lambda: _links(_skewed, "standardised", kept=False)),
            tolerance=SEEDED,
            note="not by a factor: links and loadings of skewed scores return with ranks (002-C.3-skewed)",
        ),
    )


SEEDED = "the set of links of the sparse part; 4,000 seeded items, one factor and two linked pairs"


def _kept(
    name: str, what: str, see: Callable[[Floats, np.random.Generator], Floats], note: str
) -> Claim:
    return Claim(
        id=f"002-C.3-{name}",
        place="C.3",
        paraphrase=f"with {what} the graph of the judges is unchanged",
        compute=fact(lambda: _links(see, "normal", kept=True)),
        tolerance=SEEDED,
        note=note,
    )


def _panel(seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    errors = np.eye(8)
    for i, j in LINKED:
        errors[i, j] = errors[j, i] = 0.45
    drawn = rng.multivariate_normal(np.zeros(8), errors, LEVEL_ITEMS) * np.sqrt(1 - LOADING**2)
    panel: Floats = rng.normal(size=(LEVEL_ITEMS, 1)) * LOADING + drawn
    return panel


def _ordinal(x: Floats, _: np.random.Generator) -> Floats:
    result: Floats = 1.0 + (x[:, :, None] > LEVELS).sum(axis=2)
    return result


def _mixed(x: Floats, _: np.random.Generator) -> Floats:
    result: Floats = np.where(np.arange(8) % 2, x > np.repeat([0.0, -0.4, 0.4, 0.2], 2), x)
    return result


def _skewed(x: Floats, _: np.random.Generator) -> Floats:
    result: Floats = np.exp(2 * x)
    return result


def _heavy_rows(x: Floats, rng: np.random.Generator) -> Floats:
    result: Floats = x / np.sqrt(rng.chisquare(FREEDOM, size=(LEVEL_ITEMS, 1)) / FREEDOM)
    return result


def _links(
    see: Callable[[Floats, np.random.Generator], Floats], scores: str, *, kept: bool
) -> tuple[str, bool]:
    """Links found in three panels, and whether they are those planted in every one, or in none."""
    right = 0
    for seed in range(3):
        values = see(_panel(seed), np.random.default_rng(seed + 1000))
        table = table_of(values)
        setting = {"loss": "log-det", "sparse": 0.1, "low_rank": 0.2}
        fit = aggregate(table, "care-svd", scores=scores, **setting)
        links = {tuple(sorted(map(int, pair))) for pair in fit.parameters.get("edges", [])}
        right += links == LINKED
    return f"the two planted links, and no other, in {right} of 3 panels", right == (
        3 if kept else 0
    )


def _scaled_precision() -> tuple[str, bool]:
    sparse = sp.Matrix([[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 3, 0], [0, 0, 0, 3]])
    link = sp.Matrix([1, 1, 1, 1]) / 2
    precision = sparse - link * link.T
    scaled = (precision.inv() * sp.Rational(5, 3)).inv()
    rest = scaled - sparse * sp.Rational(3, 5)
    return f"3/5 of S less a part of rank {rest.rank()}", rest.rank() == 1


# --- E.9 and E.10: sweeps of a confounder, and views along the graph, on planted judges.


ITEMS = 2000
STRENGTHS = (0.25, 0.5, 1.0)


def synthetic() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_the_sweeps(), *_of_the_views())


@cache
def _share_right(design: Callable[[float], GaussianStates], strength: float, method: str) -> float:
    """Share of items on the right side of the median, whichever way round."""
    law = design(strength)
    states, values = law.sample(ITEMS, 0)
    scores = table_of(values)
    setting = {"tol": 1e-6} if method == "care-svd" else {}
    traits = aggregate(scores, method, **setting).item_traits
    right = float(((traits > np.median(traits)) == states // 2).mean())
    return max(right, 1 - right)


def _row(design: Callable[[float], GaussianStates], method: str) -> list[float]:
    return [_share_right(design, strength, method) for strength in STRENGTHS]


def _accuracies_text(**rows: list[float]) -> str:
    return "; ".join(f"{name} {', '.join(f'{x:.2f}' for x in row)}" for name, row in rows.items())


def _sufficient_svd() -> tuple[str, bool]:
    row = _row(second_order_sufficient, "care-svd")
    return _accuracies_text(**{"CARE-SVD": row}), min(row) > 0.95


def _sufficient_average() -> tuple[str, bool]:
    row = _row(second_order_sufficient, "average")
    return _accuracies_text(average=row), row[-1] < row[0] - 0.05 < row[0]


def _insufficient_baselines() -> tuple[str, bool]:
    row = _row(second_order_insufficient, "average")
    return _accuracies_text(average=row), row[0] > 0.85 and row[-1] < 0.6


def _insufficient_svd() -> tuple[str, bool]:
    row = _row(second_order_insufficient, "care-svd")
    return _accuracies_text(**{"CARE-SVD": row}), row[0] > 0.9 and row[-1] < 0.6


def _tensor(named_by: str, together: float) -> float:
    """Accuracy of the states at strength 1, one judge a view seeing Q and C `together`.

    Views are given; states are named by 300 labelled items, or along the leading direction.
    """
    plain = second_order_insufficient(1.0)
    means = plain.means.copy()
    means[:, [7, 15, 23]] += together * np.array([1.0, -1, -1, 1])[:, None]
    states, values = GaussianStates(plain.shares, means).sample(4000, 0)
    views = [list(map(str, range(8 * v, 8 * v + 8))) for v in range(3)]
    scores = table_of(values)
    labels = {str(k): int(states[k] // 2) for k in range(300)}
    settings: dict[str, Any] = (
        {"anchors": labels} if named_by == "anchors" else {"named_by": named_by}
    )
    fit = aggregate(scores, "care-tensor", n_states=4, views=views, **settings)
    return float(((fit.decisions == 1) == states // 2)[300:].mean())


def _tensor_by_labels() -> tuple[str, bool]:
    added, joined = _tensor("anchors", 0.0), _tensor("anchors", 0.5)
    text = f"{added:.2f} right at strength 1 where Q and C add, {joined:.2f} where they also do more together"
    return text, 0.9 < added < joined


def _tensor_without_labels() -> tuple[str, bool]:
    right = _tensor("leading", 0.5)
    return f"CARE-Tensor {right:.2f} right at strength 1", abs(right - 0.5) < 0.1


def _of_the_sweeps() -> tuple[Claim, ...]:
    own = "the design's means are not printed: amplitudes of our own; strengths .25, .5, 1"
    staged: dict[str, Any] = {
        "verdict": "re-staged",
        "tolerance": "2,000 seeded items, standard error at most .011",
        "note": own,
    }
    return (
        Claim(
            id="002-E.9.1-svd",
            place="E.9.1, Figure 6a",
            paraphrase="where pairs still show quality, CARE-SVD keeps its accuracy as the confounder grows",
            compute=fact(_sufficient_svd),
            **staged,
        ),
        Claim(
            id="002-E.9.1-average",
            place="E.9.1, Figure 6a",
            paraphrase="where pairs still show quality, averages fall as the confounder grows",
            compute=fact(_sufficient_average),
            **staged,
        ),
        Claim(
            id="002-E.9.2-baselines",
            place="E.9.2, Figure 6b",
            paraphrase="where the confounder is what pairs show, averages fall towards chance",
            compute=fact(_insufficient_baselines),
            **staged,
        ),
        Claim(
            id="002-E.9.2-svd",
            place="E.9.2, Figure 6b",
            paraphrase="where the confounder is what pairs show, CARE-SVD falls to chance",
            compute=fact(_insufficient_svd),
            **staged,
        ),
        Claim(
            id="002-E.9.2-tensor",
            place="E.9.2, Figure 6b",
            paraphrase="CARE-Tensor, its states named by a small labelled set, stays high",
            verdict="re-staged",
            compute=fact(_tensor_by_labels),
            tolerance="above .9; 3,700 seeded items, standard error .004",
            note="means and views of our own; where Q and C add the search does not settle, as the "
            "states are not unique "
            "(002-E.9.2-unique)",
        ),
        Claim(
            id="002-E.9.2-named",
            place="sections 1 and 3.3, E.9.2",
            paraphrase="confounders are separated without labels, by the leading eigenvector",
            verdict="conditional",
            compute=fact(_tensor_without_labels),
            tolerance="3,700 seeded items, standard error .008",
            note="not here: named by the leading direction the same states are at chance; the experiment "
            "used labels",
        ),
    )


DESIGNS = 5


def _error(seed: int, views: Any) -> float:
    """Error of the means with the true views, or with those that a rule finds in the scores."""
    design = grouped(seed, 10_000)
    chosen = design.views if views is None else views(design.values, np.random.default_rng(seed))
    fit = fit_states(view_moments(design.values, chosen), 4, np.random.default_rng(0))
    return design.error(fit.means)


@cache
def _errors_by_graph() -> list[float]:
    return [_error(seed, None) for seed in range(DESIGNS)]


def _at_random(_: Any, rng: np.random.Generator) -> Any:
    return rng.permutation(np.repeat(range(3), 4))


def _by_precision(values: Any, rng: np.random.Generator) -> Any:
    return searched(np.linalg.inv(np.corrcoef(values.T)), rng)[0].views


def _graph_against_random() -> tuple[str, bool]:
    random = float(np.median([_error(seed, _at_random) for seed in range(DESIGNS)]))
    by_graph = float(np.median(_errors_by_graph()))
    return (
        f"median error {by_graph:.2f} with true views, {random:.2f} with random ones",
        random > 10 * by_graph,
    )


def _empirical_precision() -> tuple[str, bool]:
    errors = [_error(seed, _by_precision) for seed in range(DESIGNS)]
    good = sum(
        error < 2 * by_graph for error, by_graph in zip(errors, _errors_by_graph(), strict=True)
    )
    return f"as good as true views in {good} of {DESIGNS} designs", 0 < good < DESIGNS


def _of_the_views() -> tuple[Claim, ...]:
    own = "5 seeded designs of 10,000 items; means, density and number of items are not printed: our own"
    return (
        Claim(
            id="002-E.10",
            place="E.10, Figure 8",
            paraphrase="views along the graph miss the means by less than a tenth of what random views do",
            verdict="re-staged",
            compute=fact(_graph_against_random),
            tolerance="5 seeded designs of 10,000 items",
            note="means, density and number of items are not printed: our own",
        ),
        Claim(
            id="002-E.10-empirical",
            place="E.10",
            paraphrase="views are found by the fewest links across them in the empirical precision",
            verdict="conditional",
            compute=fact(_empirical_precision),
            tolerance=own,
            note="in some designs: the latents link judges of different views there; the split's sparse part "
            "is meant",
        ),
    )


# --- Printed numbers held against each other: Tables 3, 4 and 6, and what the text counts.


TABLE_3 = {
    "MV": (0.919, 0.824),
    "AVG": (0.506, 0.325),
    "WS": (1.229, 0.754),
    "UWS": (0.508, 0.271),
    "CARE-SVD": (0.375, 0.233),
}
TABLE_4 = (
    (0.577, 0.520, 0.496),
    (0.441, 0.546, 0.000),
    (0.558, 0.522, 0.371),
    (0.674, 0.587, 0.000),
    (0.641, 0.577, 0.432),
    (0.571, 0.504, 0.392),
)
TABLE_6 = {
    "Qwen3-8B": (0.396, -0.240),
    "Llama-3.1-8B": (0.664, -0.076),
    "gemma-3-4b": (0.706, -0.152),
    "Llama-3.2-1B": (-0.009, -0.140),
    "Qwen3-4B": (0.180, 0.008),
    "gemma-3-1b": (0.243, 0.595),
    "Llama-3.2-3B": (0.033, 0.057),
    "Phi-4-mini": (0.715, -0.051),
    "Qwen3-1.7B": (0.199, -0.012),
    "Mistral-7B": (0.804, 0.016),
    "dummy 1": (0.098, 0.742),
    "dummy 2": (0.035, 0.290),
    "human 1": (0.337, 0.078),
    "human 2": (0.338, 0.059),
}
FAMILIES = (
    ("Llama-3.2-1B", "Llama-3.2-3B", "Llama-3.1-8B"),
    ("Qwen3-1.7B", "Qwen3-4B", "Qwen3-8B"),
    ("gemma-3-1b", "gemma-3-4b"),
)
TUNED = ("Mistral-7B", "Phi-4-mini", "Llama-3.1-8B", "gemma-3-4b")
SCORING = {"Llama-3.2": 2, "Mistral": 1, "Qwen3": 4, "Phi-4-mini": 1, "Gemma-3": 2}
MORE = {"Llama-3.2-Instruct": 2, "Gemma-2-9B": 1, "Qwen2.5": 4, "Yi-1.5": 2}

SCORED = ("ASSET", "FeedbackQA", "Review-5K", "Summarize", "UltraFeedback", "Yelp")
CLASSED = ("Chatbot-Arena", "CivilComments", "PKU-BETTER", "PKU-SAFER", "SHP", "Summarize")


def tables() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_of_robustness(), *_of_loadings(), *_of_counts())


def _least_moved() -> tuple[str, bool]:
    least = [min(TABLE_3, key=lambda name: TABLE_3[name][k]) for k in (0, 1)]
    return f"smallest in both columns: {least[0]}, {least[1]}", least == ["CARE-SVD"] * 2


def _fewest_false_positives() -> tuple[str, bool]:
    won = sum(care < min(mv, ws) for mv, ws, care in TABLE_4)
    return f"smallest of its row in {won} of {len(TABLE_4)}", won == len(TABLE_4)


def _of_robustness() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-T3-order",
            place="section 5.4, Table 3",
            paraphrase="CARE-SVD has the smallest change under beauty and under authority bias",
            compute=fact(_least_moved),
            note="of the printed numbers; the numbers themselves: 002-T3",
        ),
        Claim(
            id="002-T4-order",
            place="section 5.5, Table 4",
            paraphrase="CARE has the smallest false positive rate for each of six attacks",
            compute=fact(_fewest_false_positives),
            note="of the printed numbers; the numbers themselves: 002-T4",
        ),
    )


def _orthogonal_columns() -> tuple[str, bool]:
    first, second = np.array(list(TABLE_6.values())).T
    cosine = float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
    return f"cosine {cosine:.4f}", abs(cosine) < 0.002


def _larger_load_more() -> tuple[str, bool]:
    first = {name: TABLE_6[name][0] for family in FAMILIES for name in family}
    wrong = [
        f"{large} {first[large]} < {small} {first[small]}"
        for family in FAMILIES
        for small, large in pairwise(family)
        if first[large] < first[small]
    ]
    return "; ".join(wrong), len(wrong) == 1


def _tuned_load_above_the_median() -> tuple[str, bool]:
    median = float(np.median([row[0] for row in TABLE_6.values()]))
    least = min(TABLE_6[name][0] for name in TUNED)
    return f"least of the four {least}, median {median:.3f}", least > median


def _length_has_its_own_factor() -> tuple[str, bool]:
    order = sorted(TABLE_6, key=lambda name: -TABLE_6[name][1])
    return f"largest on factor 2: {', '.join(order[:3])}", order[:2] == ["dummy 1", "gemma-3-1b"]


def _not_near_zero() -> tuple[str, bool]:
    rest = {name: row[1] for name, row in TABLE_6.items() if name not in ("dummy 1", "gemma-3-1b")}
    large = [name for name, loading in rest.items() if abs(loading) > 0.1]
    return f"{len(large)} of {len(rest)} above .1 in size: {', '.join(large)}", len(large) == 4


def _of_loadings() -> tuple[Claim, ...]:
    text = "E.7, Table 6"
    return (
        Claim(
            id="002-T6-turned",
            place=text,
            paraphrase="loadings of 14 judges on two factors (eigenvectors)",
            compute=fact(_orthogonal_columns),
            tolerance=".002 of the cosine: three printed digits",
            note="the printed columns are orthogonal, as eigenvectors must be; their lengths are 1.62 and "
            "1.05",
        ),
        Claim(
            id="002-T6-size",
            place=text,
            paraphrase="within model families larger models have higher loadings on quality",
            verdict="wording",
            compute=fact(_larger_load_more),
            note="one pair of the printed table has it the other way round",
        ),
        Claim(
            id="002-T6-tuned",
            place=text,
            paraphrase="four instruction-tuned models load above the median",
            compute=fact(_tuned_load_above_the_median),
        ),
        Claim(
            id="002-T6-length",
            place=text,
            paraphrase="factor 2 is the length judge, then gemma-3-1b",
            compute=fact(_length_has_its_own_factor),
        ),
        Claim(
            id="002-T6-rest",
            place=text,
            paraphrase="nearly all others are near zero on factor 2",
            verdict="wording",
            compute=fact(_not_near_zero),
            note="a third of them are not, one at -.24, of the size of the keyword judge's .29",
        ),
    )


def _judges_listed() -> tuple[str, bool]:
    few, many = sum(SCORING.values()), sum(SCORING.values()) + sum(MORE.values())
    return f"{few} for scores, {many} with those added for classes and pairs", (few, many) == (
        10,
        19,
    )


def _of_counts() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-5-judges",
            place="section 5, E.4",
            paraphrase="11 to 20 models of .6 to 14 billion parameters",
            verdict="wording",
            compute=fact(_judges_listed),
            note="E.4 lists 10 and 9 more, none above 9 billion; Llama-3.1-8B of Table 6 is not among them",
        ),
        Claim(
            id="002-5-sets",
            place="section 5, E.1",
            paraphrase="12 benchmarks",
            compute=number(12, lambda: len(SCORED) + len(CLASSED)),
            note="counted in the lists the paper prints",
        ),
        Claim(
            id="002-0-labels",
            place="abstract, sections 1 and 3.3, E.3, E.9.2",
            paraphrase="quality is separated from confounders without ground-truth labels",
            verdict="wording",
            note="E.3 chooses penalties by accuracy on 15% labelled items, and E.9.2 names the states by "
            "labelled ones",
        ),
    )


# --- What rests on judges' scores that are not published, or on numbers lost in the text.


PUBLISHED = (
    "judges' scores are published for ASSET, CivilComments and PKU-BETTER; those of "
    "PKU-BETTER our copy lacks"
)
EMPTY_CELLS = "the cells are empty in the text we read"

MISSING = (
    (
        "26.8",
        "abstract, section 5.1",
        "error down by up to 26.8% (UltraFeedback, against majority)",
        PUBLISHED,
    ),
    ("17.37", "section 5.1", "17.37% better than averages over six scored sets", PUBLISHED),
    ("12.75", "section 5.1", "12.75% better than majorities over six scored sets", PUBLISHED),
    ("13.4", "section 5.1", "13.4% more accurate on Summarize than the best baseline", PUBLISHED),
    (
        "5of6",
        "section 5.1",
        "best accuracy on 5 of 6 sets of classes and pairs",
        f"{PUBLISHED}; {EMPTY_CELLS}",
    ),
    ("T1", "Table 1", "mean absolute errors on six scored sets", f"{EMPTY_CELLS}; {PUBLISHED}"),
    ("T2", "Table 2", "accuracies on six sets of classes and pairs", f"{EMPTY_CELLS}; {PUBLISHED}"),
    ("F2", "Figure 2", "correlations of two confounders with attributes, Review-5K", PUBLISHED),
    ("F3", "Figure 3", "correlations of the confounder with attributes, PKU-Safer", PUBLISHED),
    (
        "F4",
        "section 5.3, Figure 4",
        "eight programs added lower the error by 15.2% (majority) and 11.1% (UWS)",
        "neither the 30 programs' nor the models' scores of FeedbackQA are published",
    ),
    (
        "T3",
        "Table 3",
        "changes under beauty .919, .506, 1.229, .508, .375 and authority .824, .325, .754, .271, .233",
        "scores before and after are not published; `ae.robustness` computes such a table",
    ),
    (
        "T4",
        "Table 4",
        "false positive rates of six attacks: .441 to .674, .504 to .587, and 0 to .496 with CARE",
        "the judges' answers are not published; `ae.false_positives` computes such a table",
    ),
    ("T6", "Table 6", "loadings of 14 judges on FeedbackQA", PUBLISHED),
    (
        "T7",
        "E.8, Table 7",
        "the first factor has the least error of all",
        f"{EMPTY_CELLS}; {PUBLISHED}",
    ),
    (
        "F6",
        "Figure 6",
        "curves of E.9 over 10 and 25 seeds",
        "the means, strengths and numbers of items are lost with the formulas; 002-E.9.1-svd to "
        "002-E.9.2-named",
    ),
    (
        "4-constants",
        "Theorems 4.2, 4.3, D.5, D.9",
        "numbers of items that suffice",
        "the universal constants are not specified, and the displays are lost; rates in n are 002-4.2, "
        "002-4.3",
    ),
    (
        "F8",
        "Figure 8",
        "errors of E.10 over ten seeds",
        "means and number of items are lost; see 002-E.10",
    ),
)
"""Name, place, what is printed, and what is missing."""


def unpublished() -> tuple[Claim, ...]:
    """Claims in about the order of the text."""
    return tuple(
        Claim(
            id=f"002-{name}",
            place=where,
            paraphrase=printed,
            verdict="not reproducible",
            note=missing,
        )
        for name, where, printed, missing in MISSING
    )


# --- All of them.


def claims() -> tuple[Claim, ...]:
    """Claims by subject, in about the order of the paper."""
    return (
        *model(),
        *moments(),
        *bounds(),
        *direction_claims(),
        *levels(),
        *synthetic(),
        *tables(),
        *unpublished(),
    )
