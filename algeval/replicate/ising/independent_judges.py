"""Appendices C.1 and C.2: independent judges with unequal errors, and the Gaussian analogue."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import log, prod

import numpy as np

from algeval.aggregate import log_odds_weights
from algeval.data import Evaluation
from algeval.models.binary import Floats, patterns
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.independent import joint
from algeval.models.separation import curie_weiss_risks
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import ROUNDING, agree, some_classes

__all__ = ["independent_judges", "judges_of"]

ALPHA = (Fraction(9, 10), Fraction(26, 100), Fraction(1, 2), Fraction(7, 10))
BETA = (Fraction(4, 5), Fraction(34, 100), Fraction(3, 4), Fraction(3, 10))
PI = Fraction(2, 5)
"""Sensitivities, specificities and prevalence of four judges: good, adversarial, fair, of no use."""


def judges_of(
    alpha: tuple[Fraction, ...], beta: tuple[Fraction, ...], prevalence: Fraction
) -> Evaluation:
    """Return the exact evaluation of independent judges with these sensitivities and specificities."""
    tables = [[[b, 1 - b], [1 - a, a]] for a, b in zip(alpha, beta, strict=True)]
    names = [str(judge) for judge in range(1, len(alpha) + 1)]
    shares = np.array([1 - prevalence, prevalence], object)
    return Evaluation(names, ("0", "1"), ("0", "1"), shares, np.array(tables, object))  # type: ignore[arg-type]


def odds_are_the_product() -> tuple[str, bool]:
    """Compare exact posterior odds with the exponential of (11), fraction by fraction."""
    rows = patterns(len(ALPHA))
    chances = joint(judges_of(ALPHA, BETA, PI), rows)
    told = True
    for row, (no, yes) in zip(rows.tolist(), chances.tolist(), strict=True):
        terms = zip(row, ALPHA, BETA, strict=True)
        printed = PI / (1 - PI) * prod(a / (1 - b) if vote else (1 - a) / b for vote, a, b in terms)
        told &= yes / no == printed
    return f"posterior odds equal on {len(rows)} patterns, in fractions", told


def weights_are_the_printed_ones() -> tuple[str, bool]:
    """Compare w and b of (12) with the weighted vote used here."""
    prior, offset, weight = log_odds_weights(judges_of(ALPHA, BETA, PI))
    pairs = list(zip(ALPHA, BETA, strict=True))
    w = [log(a * b / ((1 - a) * (1 - b))) for a, b in pairs]
    b = log(PI / (1 - PI)) + sum(log((1 - a) / b) for a, b in pairs)
    return agree([*weight, prior + offset.sum()], [*w, b], "four weights and the intercept")


def sign_and_symmetric_weight() -> tuple[str, bool]:
    """See the sign of the weight on a grid of fractions, and the weight 2 logit p of alpha = beta = p."""
    grid = [Fraction(i, 20) for i in range(1, 20)]
    told = all(
        ((a * b > (1 - a) * (1 - b)) == (a + b > 1))
        and ((a * b == (1 - a) * (1 - b)) == (a + b == 1))
        for a, b in product(grid, repeat=2)
    )
    told &= all(p * p / ((1 - p) * (1 - p)) == (p / (1 - p)) ** 2 for p in grid)
    (weight,) = log_odds_weights(judges_of((PI,), (PI,), PI))[2]
    told &= abs(weight - 2 * log(PI / (1 - PI))) < 1e-12
    return "sign right on 361 pairs of fractions; weight 2 logit p on 19", bool(told)


def couplings_play_the_covariance() -> tuple[str, bool]:
    """See the decomposition, when it is linear, and two classes apart though no marginal differs."""
    left, right, linear = [], [], []
    votes = patterns(5).astype(float)
    for shared in (False, True):
        for _, no, yes in some_classes(shared=shared):
            h, W = yes.fields - no.fields, yes.couplings - no.couplings
            pairs = ((votes @ np.triu(W, 1)) * votes).sum(axis=1)
            left.append(yes.log_probability(votes) - no.log_probability(votes))
            right.append(no.log_z - yes.log_z + votes @ h + pairs)
            linear.append((_pair_terms(left[-1]) < 1e-9) == shared)
    told, same = agree(left, right, "log-ratios of 40 random truths")
    herds = curie_weiss_risks(0.5, beta0=0.5, beta1=1.5, n_judges=[50]).rows[0]
    alike = all(abs(CurieWeiss(50, beta).marginals()[0] - 0.5) < 1e-12 for beta in (0.5, 1.5))
    told += f"; equal marginals, yet Bayes' risk of 50 judges is {herds.bayes:.4f}"
    return told, same and all(linear) and alike and herds.bayes < 0.05


def _pair_terms(log_ratio: Floats) -> float:
    """Return the largest term of two judges in a function of five votes."""
    table = log_ratio.reshape((2,) * 5)
    pairs = [np.moveaxis(table, pair, (0, 1)) for pair in combinations(range(5), 2)]
    return max(float(np.abs(t[1, 1] - t[1, 0] - t[0, 1] + t[0, 0]).max()) for t in pairs)


def independent_judges() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-11",
            place="(11)",
            printed="log-odds = logit pi + sum of J log alpha/(1 - beta) + (1 - J) log (1 - alpha)/beta",
            compute=fact(odds_are_the_product),
        ),
        Claim(
            id="000-12",
            place="(12)",
            printed="weights log alpha beta/((1 - alpha)(1 - beta)), intercept logit pi + sum of "
            "log (1 - alpha)/beta",
            compute=fact(weights_are_the_printed_ones),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-12a",
            place="C.1, end",
            printed="the weight is positive just where alpha + beta > 1; it is 2 logit p where both are p",
            compute=fact(sign_and_symmetric_weight),
        ),
        Claim(
            id="000-C2",
            place="C.2",
            printed="log-ratio = log Z0 - log Z1 + sum of Dh J + sum over pairs of DW JJ; linear just where "
            "couplings are shared; classes can differ though marginals do not",
            compute=fact(couplings_play_the_covariance),
            tolerance=ROUNDING,
        ),
    )
