"""Sections 3.2 and 4, D.1 and D.2: the precision as sparse less low-rank, and what it identifies."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.stats import ortho_group

from algeval.aggregate.scores.care_svd import directions
from algeval.aggregate.scores.care_svd import split_sparse_low_rank as split
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["model"]

Exact = Any  # sympy.Matrix; SymPy is untyped


def model() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (*_of_the_precision(), *_of_identifiability())


@cache
def _joint() -> tuple[Exact, Exact, Exact]:
    """Return S, K and K_hh of five judges and two latents, in fractions; the joint precision is positive."""
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
    given = (judges - cross * latents.inv() * cross.T).inv()
    zeros = sum(given[i, j] == 0 for i in range(5) for j in range(i))
    return (
        f"{zeros} of 10 pairs have no entry, the linked one has {given[0, 1]}",
        given == _joint()[0],
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
    told = f"first columns {list(links[:, 0])} and {list(other[:, 0])}"
    return told, other * other.T == links * links.T and other != links


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
            printed="joint normal: the judges' precision is sparse less low-rank, by the Schur complement",
            compute=fact(_precision_of_the_judges),
        ),
        Claim(
            id="002-3-sparse",
            place="section 3.1, D.1",
            printed="entries of the sparse part are links between judges given the latents",
            compute=fact(_zeros_are_independence),
        ),
        Claim(
            id="002-D.7-mean",
            place="Corollary D.7",
            printed="the mean of quality given scores is linear in them, along its links",
            compute=fact(_mean_of_a_latent),
            note="with the sign turned, as links in a precision are minus associations",
        ),
        Claim(
            id="002-3-split",
            place="section 3.2, Algorithm 1",
            printed="the convex split yields a sparse and a low-rank part",
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
            printed="links are known up to a turn only: K R gives the same low-rank part as K",
            compute=fact(_turned_loadings),
        ),
    )


def _orthonormal_links_are_found() -> tuple[str, bool]:
    worst = 0.0
    for seed in range(50):
        links = ortho_group.rvs(8, random_state=seed)[:, :3]
        found = directions(links * [3.0, 2.0, 1.0] @ links.T).vectors
        worst = max(worst, float(np.abs(np.abs(np.sum(found * links, axis=0)) - 1).max()))
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
    told = f"K'K = diag({product[0, 0]}, {product[1, 1]})"
    return told, product[0, 1] == 0 and product != sp.eye(2)


def _of_identifiability() -> tuple[Claim, ...]:
    return (
        Claim(
            id="002-D.3",
            place="Theorem D.3",
            printed="orthonormal links and distinct latent precisions: links are the eigenvectors, up to "
            "order and sign",
            compute=fact(_orthonormal_links_are_found),
            tolerance="1e-10, rounding",
        ),
        Claim(
            id="002-4.1",
            place="Proposition 4.1",
            printed="orthogonal links and distinct latent precisions identify the links",
            verdict="conditional",
            compute=fact(_orthogonal_links_that_tie),
            note="orthonormal, as in the appendix: else |k|^2 / d may tie where the d differ, and lengths "
            "are not known",
        ),
        Claim(
            id="002-D.2-disjoint",
            place="Assumption D.2",
            printed="latents with judges of their own are a special case of K'K = I",
            verdict="conditional",
            compute=fact(_disjoint_supports),
            note="once each column is scaled to length 1; disjoint supports make K'K diagonal only",
        ),
    )
