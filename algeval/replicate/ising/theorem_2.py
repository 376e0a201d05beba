"""Section 3.2: Theorem 2, where each judge is better than chance; Remark 1."""

from __future__ import annotations

from fractions import Fraction
from math import exp, tanh

import numpy as np

from algeval.errors import DataError
from algeval.models.binary import expit
from algeval.models.count_rules import count_risk, size_decisions
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation
from algeval.models.mean_field import fixed_points
from algeval.models.separation import curie_weiss_risks
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import LOWER, PREVALENCE, UPPER, both_log_pmf

__all__ = ["theorem_2"]

BOTH = (UPPER, LOWER)


def mean_field_roots() -> tuple[str, bool]:
    """See one root m0 in (-1, 0), one positive root m_star, and p in both its forms."""
    told = True
    for beta0, field0, beta1, c in (
        (0.5, -0.5, 2.0, 1.5),
        (0.9, -0.1, 5.0, 1.0),
        (0.1, -1, 1.1, 3),
    ):
        (zero,) = fixed_points(beta0, field0)
        (star,) = (point.m for point in fixed_points(beta1) if point.m > 1e-9)
        told &= -1 < zero.m < 0 < star < 1
        told &= abs(star - tanh(beta1 * star)) < 1e-12
        share = exp(c * star) / (exp(c * star) + exp(-c * star))
        told &= abs(share - float(expit(2 * c * star))) < 1e-12 and share > 0.5
    known = separation(PREVALENCE, **UPPER)
    told_of = f"m0 = {known.m0:.6f}, m_star = {known.m_star:.6f}, p = {known.p:.6f}"
    return f"{told_of} in the upper row of Figure 4", told


def condition_in_both_forms() -> tuple[str, bool]:
    """Compare (1 - m)/2 < q with m > 1 - 2q on a grid of fractions, and with |m0| < m_star."""
    grid = [Fraction(i, 40) for i in range(1, 40)]
    same = all(((1 - m) / 2 < q) == (m > 1 - 2 * q) for m in grid for q in grid)
    refused = 0
    for beta1 in (1.05, 1.2, 1.4, 2.0):
        held = abs(magnetisation(0.5, -0.5)) < magnetisation(beta1)
        try:
            separation(PREVALENCE, **(UPPER | {"beta1": beta1}))
            same &= held
        except DataError:
            refused += 1
            same &= not held
    return (
        f"1521 pairs of fractions agree; it says |m0| < m_star ({refused} of 4 cases fail it)",
        same,
    )


def marginals_are_limits() -> tuple[str, bool]:
    """Compare the chances of a 1 vote of 10, 100 and 10,000 judges with the printed values."""
    known = separation(PREVALENCE, **UPPER)
    judges = (10, 100, 10_000)
    zero = [CurieWeiss(k, 0.5, -0.5).marginals()[0] for k in judges]
    one = [CurieWeiss(k, 2.0, 1.5 / k).marginals()[0] for k in judges]
    told = (
        f"with 10 judges P(J1 = 1 | 0) = {zero[0]:.4f} where (1 + m0)/2 = {known.q0:.4f}, and "
        f"P(J1 = 1 | 1) = {one[0]:.4f} where the formula has {known.q1:.4f}"
    )
    off = [abs(q - known.q0) for q in zero], [abs(q - known.q1) for q in one]
    falls = all(gaps[0] > 0.002 and gaps[0] > gaps[1] > gaps[2] for gaps in off)
    return told, falls and max(off[0][2], off[1][2]) < 1e-4


def judges_beat_chance() -> tuple[str, bool]:
    """See q0 < 1/2 < q1 in the limit and for every number of judges up to 300."""
    told = True
    for row in BOTH:
        known = separation(PREVALENCE, **row)
        told &= known.q0 < 0.5 < known.q1
        for k in range(1, 301):
            crowd = CurieWeiss(k, row["beta0"], row["field0"])
            herd = CurieWeiss(k, row["beta1"], row["c"] / k)
            told &= bool(crowd.marginals()[0] < 0.5 < herd.marginals()[0])
    return "q0 < 1/2 < q1 in the limit, and for K = 1 to 300, in both rows of Figure 4", told


def thresholds_on_the_size_work() -> tuple[str, bool]:
    """See the risk fall at five thresholds between |m0| and m_star."""
    told, shown = True, []
    for row in BOTH:
        known = separation(PREVALENCE, **row)
        low, high = abs(known.m0), known.m_star
        cuts = low + (high - low) * np.array([0.1, 0.3, 0.5, 0.7, 0.9])
        worst = []
        for k in (100, 1000, 20_000):
            both = both_log_pmf(k, **row)
            worst.append(
                max(count_risk(PREVALENCE, *both, size_decisions(k, float(t))) for t in cuts)
            )
        told &= worst[0] > worst[1] > worst[2] and worst[2] < 1e-3
        shown.append(f"{worst[2]:.2g}")
    return f"worst of five thresholds at K = 20000: {', '.join(shown)} (both rows)", told


def independence_settles() -> tuple[str, bool]:
    """Compare the exact risk of independence with pi (1 - p), with 100 and with 20,000 judges."""
    told, shown = True, []
    for row in BOTH:
        found = curie_weiss_risks(PREVALENCE, **row, n_judges=[100, 20_000])
        limit = PREVALENCE * (1 - separation(PREVALENCE, **row).p)
        risks = [one.independent for one in found.rows]
        told &= abs(risks[0] - limit) < 3e-4 and abs(risks[1] - limit) < 2e-5
        shown.append(f"limit {limit:.6f}, K = 100 {risks[0]:.6f}, K = 20000 {risks[1]:.6f}")
    return "; ".join(shown), told


def weak_fields() -> tuple[str, bool]:
    """See p and q1 fall to 1/2 as c does."""
    sequence = [separation(PREVALENCE, **(UPPER | {"c": c})) for c in (1.0, 0.1, 1e-3, 1e-6)]
    p, q1 = [one.p for one in sequence], [one.q1 for one in sequence]
    told = all(values == sorted(values, reverse=True) for values in (p, q1))
    return (
        f"p = {p[1]:.4f}, q1 = {q1[1]:.4f} at c = 0.1; {p[-1]:.6f}, {q1[-1]:.6f} at 1e-6",
        told and max(p[-1], q1[-1]) - 0.5 < 2e-6,
    )


def limits_do_not_meet() -> tuple[str, bool]:
    """Compare the limit as c falls, pi / 2, with Theorem 1's min(pi, 1 - pi)."""
    shown, told = [], True
    for prevalence in (0.3, 0.7):
        near = separation(prevalence, **(UPPER | {"c": 1e-6})).independent_risk
        symmetric = curie_weiss_risks(prevalence, beta0=0.5, beta1=2.0, n_judges=[2000])
        told &= abs(near - prevalence / 2) < 1e-5
        told &= abs(symmetric.rows[0].independent - min(prevalence, 1 - prevalence)) < 1e-9
        theirs = symmetric.rows[0].independent
        shown.append(f"limit {near:.4f}, symmetric example {theirs:.4f}, at pi = {prevalence}")
    return "; ".join(shown), told


def theorem_2() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-T2.0",
            place="Theorem 2, definitions",
            printed="one root m0 in (-1, 0), one positive root m_star; p = e^(c m)/(e^(c m) + e^(-c m)) = "
            "sigma(2 c m_star) > 1/2",
            compute=fact(mean_field_roots),
            tolerance="1e-12, for rounding",
        ),
        Claim(
            id="000-T2.q",
            place="Theorem 2, q0 and q1",
            printed="P(J1 = 1 | Y = 0) = (1 + m0)/2 and P(J1 = 1 | Y = 1) = (1 + (2p - 1) m_star)/2",
            verdict="erratum",
            compute=fact(marginals_are_limits),
            tolerance="off by more than .002 at K = 10, by less than 1e-4 at K = 10,000",
            note="these are limits in K, not values; the proof has arrows",
        ),
        Claim(
            id="000-T2.8",
            place="(8)",
            printed="(1 - m_star)/2 < q0 says the same as m_star > 1 - 2 q0",
            compute=fact(condition_in_both_forms),
            note="with q0 = (1 + m0)/2 it is |m0| < m_star, without which no threshold exists",
        ),
        Claim(
            id="000-T2.1",
            place="Theorem 2(1)",
            printed="q0 < 1/2 < q1",
            compute=fact(judges_beat_chance),
            note="true of the limits and, though q0 and q1 are other numbers then, for every K",
        ),
        Claim(
            id="000-T2.2",
            place="Theorem 2(2)",
            printed="deciding 1 where |M| >= t is right in the limit for every t between |m0| and m_star",
            compute=fact(thresholds_on_the_size_work),
            tolerance="below 1e-3 with 20,000 judges; exact sums, a limit seen and not proved",
        ),
        Claim(
            id="000-T2.3",
            place="Theorem 2(3)",
            printed="the risk of independence goes to pi (1 - p)",
            compute=fact(independence_settles),
            tolerance="2e-5 with 20,000 judges; exact sums, a limit seen and not proved",
        ),
        Claim(
            id="000-R1a",
            place="Remark 1",
            printed="as c falls to 0, p and q1 fall to 1/2",
            compute=fact(weak_fields),
            tolerance="2e-6 at c = 1e-6",
        ),
        Claim(
            id="000-R1b",
            place="Remark 1",
            printed="as c falls to 0 the symmetric example is recovered",
            verdict="conditional",
            compute=fact(limits_do_not_meet),
            tolerance="1e-5 at c = 1e-6",
            note="the marginals of label 1 are; the error of independence is not: it goes to pi / "
            "2, because label 0 "
            "keeps its field h0 < 0, and the example has min(pi, 1 - pi), which is the same at pi "
            "= 2/3 alone",
        ),
    )
