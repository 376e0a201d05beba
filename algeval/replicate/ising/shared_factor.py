"""Appendix C.3.1: Theorem 3, all judges moved by one normal factor."""

from __future__ import annotations

import numpy as np

from algeval.models.binary import expit, logit, patterns
from algeval.models.count_rules import bayes_decisions, independent_decisions
from algeval.models.factor import Factor
from algeval.models.factor_limit import FactorLimit, bernoulli_divergence
from algeval.models.separation import factor_risks
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import PREVALENCE, ROUNDING, agree

__all__ = ["AB", "shared_factor"]

AB = {"a": 0.5, "b": 1.0}
"""The intercepts of Figure 5."""


def limit_of(spread: float) -> FactorLimit:
    """Return the limit at the prevalence and intercepts of Figure 5."""
    return FactorLimit(prevalence=PREVALENCE, spread=spread, **AB)


def sign_of_the_factor_is_not_seen() -> tuple[str, bool]:
    """Compare the law of votes under lambda z with that under -lambda z."""
    eta, lam = np.array([0.2, -1.0, 0.5]), np.array([1.0, 2.0, -0.7])
    one, other = (Factor(eta, sign * lam).log_probability(patterns(3)) for sign in (1, -1))
    return agree(one, other, "law of votes under lambda z and under -lambda z")


def scores_are_the_printed_ones() -> tuple[str, bool]:
    """Compare both scores with the log-ratio of densities and with the two divergences."""
    s, left, right = expit(np.linspace(-0.5, 2.5, 99)), [], []
    for spread in (0.1, 1.0, 2.0):
        limit = limit_of(spread)
        q0, q1 = limit.marginal(0), limit.marginal(1)
        ratio = np.log(limit.density(s, 1)) - np.log(limit.density(s, 0))
        left += [limit.bayes_log_odds(s), limit.independent_score(s)]
        divergences = bernoulli_divergence(s, q0) - bernoulli_divergence(s, q1)
        right += [logit(PREVALENCE) + ratio, divergences]
    return agree(left, right, "both scores at shares from .38 to .92, three spreads")


def excess_by_its_definition(limit: FactorLimit) -> float:
    """Return E |2 eta - 1| where the two limiting rules differ, by summing over label and factor."""
    z = np.linspace(-9, 9, 400_001)
    weight = np.exp(-(z**2) / 2)
    weight /= weight.sum()
    total = 0.0
    for label, share in ((0, 1 - PREVALENCE), (1, PREVALENCE)):
        s = limit.vote_chance(label, z)
        eta = expit(limit.bayes_log_odds(s))
        differ = (limit.bayes_log_odds(s) >= 0) != (limit.independent_score(s) >= 0)
        total += share * float(weight @ (np.abs(2 * eta - 1) * differ))
    return total


def excess_has_the_printed_limit() -> tuple[str, bool]:
    """Compare the display with the closed form, and with the exact loss of 100 and 3000 judges."""
    shown, told = [], True
    for spread in (1.0, 2.0):
        limit = limit_of(spread)
        told &= abs(excess_by_its_definition(limit) - limit.excess_risk) < 2e-5
        rows = factor_risks(PREVALENCE, spread=spread, **AB, n_judges=[100, 3000]).rows
        gaps = [abs(row.lost - limit.excess_risk) for row in rows]
        told &= gaps[1] < gaps[0] / 10 and gaps[1] < 5e-4
        shown.append(f"{limit.excess_risk:.6f} (K = 3000: {rows[1].lost:.6f})")
    return f"|lambda| sigma_Z = 1 and 2: {'; '.join(shown)}", told


def loss_of_few_judges_is_the_display() -> tuple[str, bool]:
    """Compare R(independence) - R(Bayes) with E |2 eta_K - 1| where they differ."""
    left, right = [], []
    for k in (3, 10, 100):
        limit = limit_of(2.0)
        both = limit.law(k, 0).log_pmf(), limit.law(k, 1).log_pmf()
        eta = expit(logit(PREVALENCE) + both[1] - both[0])
        mass = (1 - PREVALENCE) * np.exp(both[0]) + PREVALENCE * np.exp(both[1])
        differ = bayes_decisions(PREVALENCE, *both) != independent_decisions(PREVALENCE, *both)
        left.append(factor_risks(PREVALENCE, spread=2.0, **AB, n_judges=[k]).rows[0].lost)
        right.append(float(mass @ (np.abs(2 * eta - 1) * differ)))
    told, same = agree(left, right, "loss of 3, 10 and 100 judges")
    return f"{told} ({', '.join(f'{loss:.6f}' for loss in left)})", same


def counts_have_the_density() -> tuple[str, bool]:
    """Return how far K P(S_K = K s) is from f(s), s from .4 to .9, as K grows tenfold."""
    gaps, limit = [], limit_of(1.0)
    for k in (100, 1000):
        ones = np.arange(4 * k // 10, 9 * k // 10 + 1)
        off = [
            np.abs(k * limit.law(k, y).pmf()[ones] / limit.density(ones / k, y) - 1).max()
            for y in (0, 1)
        ]
        gaps.append(max(off))
    told = f"largest relative error, s from .4 to .9: {gaps[0]:.4f} at K = 100, {gaps[1]:.5f} at K = 1000"
    return told, gaps[1] < gaps[0] / 8 and gaps[1] < 0.01


def squares_simplify() -> tuple[str, bool]:
    """Expand z0^2 - z1^2, and the curvature of the divergence at its minimum."""
    import sympy as sp

    theta, a, b, lam, s, q, y = sp.symbols("theta a b lambda s q y")
    z1, z0 = (theta - b - a) / lam, (b - a - theta) / lam
    first = sp.simplify(z0**2 - z1**2 - 4 * a * (theta - b) / lam**2) == 0
    divergence = s * sp.log(s / q) + (1 - s) * sp.log((1 - s) / (1 - q))
    curvature = sp.diff(divergence, q, 2).subs(q, s)
    slope = lam * (2 * y - 1) * s * (1 - s)
    values = [sp.simplify((curvature * slope**2).subs(y, v) - lam**2 * s * (1 - s)) for v in (0, 1)]
    return "4 a (theta - b) / lambda^2, and curvature lambda^2 s (1 - s), symbolically", (
        first and values == [0, 0]
    )


def shared_factor() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-21",
            place="(21) and C.3.1",
            printed="a factor that depends on the label: lambda (2y - 1) z",
            verdict="wording",
            compute=fact(sign_of_the_factor_is_not_seen),
            tolerance=ROUNDING,
            note="z is symmetric, so on each label the votes have the law of lambda z: the factor does not "
            "depend on the label",
        ),
        Claim(
            id="000-T3.a",
            place="Theorem 3, the two scores",
            printed="l*(s) = logit pi + 2a (logit s - b)/(lambda sigma)^2; "
            "l_ind(s) = KL(s, q0) - KL(s, q1)",
            compute=fact(scores_are_the_printed_ones),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-T3.b",
            place="Theorem 3",
            printed="what independence loses goes to E |2 eta - 1| where the two limiting rules differ",
            compute=fact(excess_has_the_printed_limit),
            tolerance="2e-5 for the sum over the factor; 5e-4 with 3,000 judges",
        ),
        Claim(
            id="000-T3.c",
            place="Proof of Theorem 3, finite K",
            printed="R(independence) - R(Bayes) = E |2 eta_K - 1| where they differ, for every K",
            compute=fact(loss_of_few_judges_is_the_display),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-22",
            place="(22)",
            printed="P(S_K = K s) is f(s) / K (1 + o(1)), f the density of p(y, Z)",
            compute=fact(counts_have_the_density),
            tolerance="1% at K = 1,000, falling like 1/K",
            note="the display before it has o(K) in an exponent, from which this does not follow; with "
            "s = S/K in it nothing is left over",
        ),
        Claim(
            id="000-22a",
            place="Proof of Theorem 3",
            printed="z0^2 - z1^2 = 4a (theta - b)/lambda^2; second derivative lambda^2 s (1 - s)",
            compute=fact(squares_simplify),
        ),
    )
