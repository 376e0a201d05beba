"""The proof of Proposition 1: Taylor's remainder and the Gaussian integral."""

from __future__ import annotations

import numpy as np

from algeval.models.binary import Floats, expit, log_expit, log_sum_exp, patterns
from algeval.models.factor import Factor, trapezoid
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import ROUNDING, agree

__all__ = ["weak_factor_proof"]


def taylor_rest(eta: Floats, step: Floats) -> Floats:
    """Return log(1 + e^(eta + step)) less its second-order expansion in the step."""
    p = expit(eta)
    taylor = -log_expit(-eta) + p * step + p * (1 - p) * step**2 / 2
    return -log_expit(-(eta + step)) - taylor


def third_derivative_is_bounded() -> tuple[str, bool]:
    """Return the largest third derivative exactly, and see Taylor's remainder below the bounds."""
    import sympy as sp

    p = sp.symbols("p")
    third = p * (1 - p) * (1 - 2 * p)
    top = max(sp.simplify(third.subs(p, root)) for root in sp.solve(sp.diff(third, p), p))
    eta, step = np.meshgrid(np.linspace(-6, 6, 121), np.linspace(-5, 5, 101))
    size = np.abs(taylor_rest(eta, step))
    sharp = float(top) / 6 * np.abs(step) ** 3
    told = f"the largest is {top} = {float(top):.4f}; the remainder is below {float(top) / 6:.4f} |l|^3"
    below = bool((size <= sharp + 1e-12).all())
    return told, below and top == sp.sqrt(3) / 18 and float(top) < 0.25


def rest_of_all_judges_is_bounded() -> tuple[str, bool]:
    """See |R(z)| <= |z|^3 (sum of |l_j|^3) / 24 for 20,000 random panels with three factors."""
    rng = np.random.default_rng(0)
    loadings = rng.normal(size=(20_000, 6, 3)) * rng.uniform(0.1, 3, (20_000, 1, 1))
    eta, z = rng.normal(size=(20_000, 6)) * 2, rng.normal(size=(20_000, 3)) * 2
    rest = taylor_rest(eta, np.einsum("njr,nr->nj", loadings, z)).sum(axis=1)
    lengths = np.linalg.norm(loadings, axis=2)
    bound = np.linalg.norm(z, axis=1) ** 3 * (lengths**3).sum(axis=1) / 24
    return f"none of 20000 beyond; the nearest is {(np.abs(rest) / bound).max():.2f} of it", bool(
        (np.abs(rest) <= bound).all()
    )


def gaussian_part_and_rest() -> tuple[str, bool]:
    """Compare log P with A - log det(I + M)/2 + u'Su/2 + Delta, two factors, all votes of four judges."""
    rng = np.random.default_rng(1)
    eta, loadings = rng.normal(size=4), 0.6 * rng.normal(size=(4, 2))
    p, votes = expit(eta), patterns(4).astype(float)
    M = (loadings * (p * (1 - p))[:, None]).T @ loadings
    inner = np.linalg.inv(np.eye(2) + M)
    nodes, log_weights = trapezoid(float((loadings**2).sum()) / 4, 2)
    told = []
    for row in votes:
        u = (row - p) @ loadings
        z = inner @ u + nodes @ np.linalg.cholesky(inner).T
        rest = -taylor_rest(eta, z @ loadings.T).sum(axis=1)
        A = row @ eta + log_expit(-eta).sum()
        gauss = A - np.linalg.slogdet(np.eye(2) + M)[1] / 2 + u @ inner @ u / 2
        told.append(gauss + float(log_sum_exp(log_weights + rest)))
    exact = Factor(eta, loadings).log_probability(votes)
    return agree(told, exact, "log-probabilities of all votes of 4 judges with two factors")


def weak_factor_proof() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-16",
            place="(16), (17)",
            printed="third derivative of log(1 + e^t) at most 1/4 in size, so Taylor's remainder at most "
            "|l|^3 / 24",
            compute=fact(third_derivative_is_bounded),
            note="true, and loose: the third derivative is at most sqrt(3)/18",
        ),
        Claim(
            id="000-18",
            place="(18)",
            printed="|R(z)| <= |z|^3 (sum of |l_j|^3) / 24",
            compute=fact(rest_of_all_judges_is_bounded),
        ),
        Claim(
            id="000-19",
            place="(19)",
            printed="log P = A - log det(I + M)/2 + u'Su/2 + Delta, Delta = log E exp R(Z) under N(Su, S)",
            compute=fact(gaussian_part_and_rest),
            tolerance=ROUNDING,
        ),
    )
