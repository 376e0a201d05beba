"""Proposition 1 and Remarks 2 and 3: how near a weak factor is to an Ising law."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import sqrt

import numpy as np

from algeval.models.binary import log_sum_exp, patterns
from algeval.models.factor import Factor
from algeval.models.ising import Ising
from algeval.models.weak_factor import remainder
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import ROUNDING, agree, random_classes
from algeval.replicate.ising.series import (
    interaction_series,
    log_ratio_series,
    normal_moments,
    two_point_moments,
)

__all__ = ["weak_factor"]

P = (Fraction(1, 3), Fraction(3, 5), Fraction(1, 4), Fraction(4, 5))
SHAPE = (Fraction(1), Fraction(4, 5), Fraction(6, 5), Fraction(-1, 2))
"""Four judges: chances of a 1 vote at factor 0, and loadings divided by eps."""
JUDGES = range(4)


def second_order_is_printed() -> tuple[str, bool]:
    """See, in fractions, that eps and eps^3 are missing and eps^2 has (13) and (14), for all votes."""
    votes = list(product((0, 1), repeat=4))
    found = {row: log_ratio_series(row, P, SHAPE, normal_moments(4)) for row in votes}
    own = [
        (Fraction(1, 2) - P[j]) * SHAPE[j] ** 2
        - sum(P[k] * SHAPE[j] * SHAPE[k] for k in JUDGES if k != j)
        for j in JUDGES
    ]
    left = set()
    for row in votes:
        pairs = sum(SHAPE[j] * SHAPE[k] for j, k in combinations(JUDGES, 2) if row[j] and row[k])
        left.add(found[row][2] - pairs - sum(h for h, vote in zip(own, row, strict=True) if vote))
    odd = {found[row][n] for row in votes for n in (1, 3)}
    rng = np.random.default_rng(0)
    eta, shape = rng.normal(size=5), rng.normal(size=(5, 2))
    sizes = [remainder(Factor(eta, eps * shape)).size for eps in (0.1, 0.05)]
    order = float(np.log2(sizes[0] / sizes[1]))
    told = f"exact for four judges and one factor; with two factors the remainder is of order {order:.2f}"
    return told, len(left) == 1 and odd == {0} and 3.8 < order < 4.2


def equal_loadings(n_judges: int, eps: float) -> Factor:
    """Return judges at eta = 0 with loadings eps / sqrt(K), so that B2 is eps^2 for every K."""
    return Factor(np.zeros(n_judges), np.full(n_judges, eps / sqrt(n_judges)))


def bracket_is_not_uniform() -> tuple[str, bool]:
    """See the remainder over the bracket grow with K, vanish with eps, and stay below the mended one."""
    judges = (4, 8, 12, 16)
    found = [remainder(equal_loadings(k, 0.2)) for k in judges]
    ratios = [one.size / one.printed for one in found]
    leading = all(
        abs(one.size / (0.2**4 * k / 64) - 1) < 0.015 for k, one in zip(judges, found, strict=True)
    )
    weaker = [remainder(equal_loadings(8, eps)) for eps in (0.2, 0.1, 0.05)]
    vanishing = [one.size / one.printed for one in weaker]
    told = "remainder over bracket at K = 4, 8, 12, 16: " + ", ".join(f"{r:.4f}" for r in ratios)
    told += "; at K = 8 as eps halves twice: " + ", ".join(f"{r:.4f}" for r in vanishing)
    grows = ratios == sorted(ratios) and ratios[-1] > 6 * ratios[0]
    mended = all(one.size <= one.mended for one in (*found, *weaker))
    return told, leading and grows and mended and vanishing == sorted(vanishing, reverse=True)


def step_needs_a_factor_of_k() -> tuple[str, bool]:
    """Return half of u'u - u'Su over eps^4 B2^2 where all vote 1, at eta = 0 and loadings eps/sqrt(K)."""
    eps, constants = Fraction(1, 100), {}
    for k in (4, 16, 64, 256):
        length, M = eps**2 * k / 4, eps**2 / 4
        constants[k] = (length - length / (1 + M)) / 2 / eps**4
    told = ", ".join(f"{float(c):.4f}" for c in constants.values())
    right = all(c == Fraction(k) / (32 + 8 * eps**2) for k, c in constants.items())
    return f"constant needed at K = 4, 16, 64, 256: {told}, that is K / 32", right


def spin_form() -> tuple[str, bool]:
    """Compare a law on 0 and 1 with the law on spins that the printed fields and couplings give."""
    law = random_classes(5, 3).no
    h, W = law.fields / 2 + law.couplings.sum(axis=1) / 4, law.couplings / 4
    x = 2.0 * patterns(5) - 1
    energy = x @ h + ((x @ np.triu(W, 1)) * x).sum(axis=1)
    listed = np.exp(energy - log_sum_exp(energy))
    told, same = agree(listed, law.probabilities(), "chances of all votes of 5 judges")
    return told, same and bool(np.allclose(Ising.from_spins(h, W).probabilities(), listed))


def spin_couplings_to_third_order() -> tuple[str, bool]:
    """See, in fractions, the spin coupling of each pair: a quarter of the product at eps^2, none at eps^3."""
    votes = list(product((0, 1), repeat=4))
    found = {row: log_ratio_series(row, P, SHAPE, normal_moments(3)) for row in votes}
    told = True
    for j, k in combinations(JUDGES, 2):
        term = [
            sum((2 * row[j] - 1) * (2 * row[k] - 1) * found[row][n] for row in votes) / 16
            for n in range(4)
        ]
        told &= term == [0, 0, SHAPE[j] * SHAPE[k] / 4, 0]
    return "six pairs, exact: coefficient of eps^2 as printed, of eps^3 zero", told


SKEWED = two_point_moments(4, [Fraction(2), Fraction(-1, 2)], [Fraction(1, 5), Fraction(4, 5)])
"""A factor that is 2 one time in five and -1/2 otherwise: mean 0, variance 1, third cumulant 3/2."""


def skewed_factor_has_threes() -> tuple[str, bool]:
    """Return the order eps^3 of the term of three judges under a skewed factor."""
    term = interaction_series((0, 1, 2), P, SHAPE, SKEWED)
    return f"third cumulant {SKEWED[3]}: coefficients of 1 to eps^3 " + ", ".join(
        map(str, term[:4])
    ), term[:3] == [0, 0, 0] and term[3] != 0


def threes_do_not_know_the_class() -> tuple[str, bool]:
    """See that the order eps^3 is the third cumulant times the loadings, whatever the intercepts."""
    product_of_loadings = SHAPE[0] * SHAPE[1] * SHAPE[2]
    other = (Fraction(1, 2), Fraction(1, 10), Fraction(2, 3), Fraction(1, 7))
    terms = {interaction_series((0, 1, 2), p, SHAPE, SKEWED)[3] for p in (P, other)}
    told = f"U / eps^3 = {', '.join(map(str, terms))} = third cumulant times the loadings, for two classes"
    return told, terms == {SKEWED[3] * product_of_loadings}


def normal_factor_has_neither_threes_nor_fours_at_four() -> tuple[str, bool]:
    """Return, in fractions, the lowest powers of eps in the terms of three and of four judges."""
    terms = {n: interaction_series(range(n), P, SHAPE, normal_moments(8)) for n in (2, 3, 4)}
    lowest = {n: next(k for k, c in enumerate(term) if c) for n, term in terms.items()}
    told = (
        f"three judges from eps^{lowest[3]} ({terms[3][lowest[3]]}), "
        f"four from eps^{lowest[4]} ({terms[4][lowest[4]]}), exact"
    )
    rng = np.random.default_rng(0)
    eta, shape = rng.normal(size=5), rng.normal(size=5)
    sizes = [remainder(Factor(eta, eps * shape), order=4).size for eps in (0.1, 0.05)]
    sixth = 5.8 < float(np.log2(sizes[0] / sizes[1])) < 6.2
    return told, lowest == {2: 2, 3: 6, 4: 8} and terms[2][4] != 0 and sixth


def weak_factor() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-P1.13",
            place="(13), (14)",
            printed="to second order log P is quadratic: couplings l_j.l_k, fields "
            "eta_j + (1/2 - p_j)|l_j|^2 - sum of p_k l_j.l_k",
            compute=fact(second_order_is_printed),
            note="the third order is missing altogether: what is left is of order eps^4, not eps^3",
        ),
        Claim(
            id="000-P1.15",
            place="(15)",
            printed="for eps small enough |R| <= C (eps^3 B3 + eps^4 B2^2) with C from r and the eta_j, "
            "B_n the sum of the |l_j|^n / eps^n",
            verdict="conditional",
            compute=fact(bracket_is_not_uniform),
            tolerance="the remainder is eps^4 K / 64 within 1.5% at eps = .2",
            note="holds if C, or how small eps must be, may depend on the number of judges, as R is of "
            "order eps^4. Not uniformly: at eta = 0 and loadings eps / sqrt(K) the remainder is "
            "eps^4 K / 64 while the bracket falls. B1^2 B2 in place of B2^2 bounds the part of order eps^4",
        ),
        Claim(
            id="000-P1.u",
            place="Proof of Proposition 1, u'Su / 2",
            printed="u'Su / 2 = u'u / 2 + O(eps^4 B2^2), S the inverse of I + M",
            verdict="conditional",
            compute=fact(step_needs_a_factor_of_k),
            note="holds with a constant that grows like the number of judges; |u|^2 may be (eps B1)^2, so "
            "eps^4 B1^2 B2 / 8 is what follows",
        ),
        Claim(
            id="000-R2",
            place="Remark 2",
            printed="on spins: couplings b / 4, fields a / 2 + a quarter of the sum of b",
            compute=fact(spin_form),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-R2a",
            place="Remark 2, end",
            printed="spin couplings l_j.l_k / 4 up to O(eps^3)",
            compute=fact(spin_couplings_to_third_order),
            note="up to O(eps^4)",
        ),
        Claim(
            id="000-R3a",
            place="Remark 3, (20)",
            printed="a skewed factor has terms of three judges of order eps^3",
            compute=fact(skewed_factor_has_threes),
        ),
        Claim(
            id="000-R3b",
            place="Remark 3, normal factor",
            printed="the correction that follows the pairs begins at eps^4, with four judges at a time",
            verdict="erratum",
            compute=fact(normal_factor_has_neither_threes_nor_fours_at_four),
            note="order eps^4 has terms of one and two judges alone; terms of three come at eps^6, "
            "of four at eps^8",
        ),
        Claim(
            id="000-R3c",
            place="Remark 3, size of U",
            printed="U = O(eps^3 kappa_3 u_j u_k u_l) with u of the class, and derivatives of A",
            verdict="wording",
            compute=fact(threes_do_not_know_the_class),
            note="u_j is not defined, and A is another thing in the proof; u_j must be the loading divided "
            "by eps, which knows no class",
        ),
    )
