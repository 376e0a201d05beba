"""Section 3.1: Theorem 1, where no judge alone says anything; and risks under nearby laws."""

from __future__ import annotations

from itertools import product

import numpy as np

from algeval.models.binary import Floats, TwoClass, log_sum_exp, patterns
from algeval.models.count_rules import count_risk, size_decisions
from algeval.models.curie_weiss import CurieWeiss, magnetisation
from algeval.models.ising import Ising
from algeval.models.separation import curie_weiss_risks
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import ROUNDING, agree, both_log_pmf, some_classes

__all__ = ["theorem_1"]

BETAS = {"beta0": 0.5, "beta1": 1.5}
PREVALENCES = (0.3, 0.5, 0.8)


def zero_one_form() -> tuple[str, bool]:
    """Compare (6) on spins with the printed fields and couplings on 0 and 1."""
    k, left, right = 5, [], []
    for beta in (0.5, 1.5, 3.0):
        x = 2.0 * patterns(k) - 1
        energy = beta / (2 * k) * x.sum(axis=1) ** 2
        left.append(np.exp(energy - log_sum_exp(energy)))
        W = np.full((k, k), 4 * beta / k) - np.diag(np.full(k, 4 * beta / k))
        right.append(Ising(np.full(k, -2 * beta * (1 - 1 / k)), W).probabilities())
    return agree(left, right, "chances of all votes of 5 judges, three couplings")


def independence_ignores_the_votes() -> tuple[str, bool]:
    """See q = 1/2, and the risk min(pi, 1 - pi), for many numbers of judges and three prevalences."""
    judges = [1, 2, 3, 10, 51, 500]
    told = True
    for prevalence in PREVALENCES:
        found = curie_weiss_risks(prevalence, **BETAS, n_judges=judges)
        risks = [row.independent for row in found.rows]
        told &= bool(np.allclose(risks, min(prevalence, 1 - prevalence), atol=1e-12))
    laws = [CurieWeiss(k, beta) for k in judges for beta in BETAS.values()]
    told &= all(abs(law.marginals()[0] - 0.5) < 1e-12 for law in laws)
    return "q = 1/2 and risk min(pi, 1 - pi) at K = 1 to 500, pi = .3, .5, .8", told


def square_rule_risks(n_judges: int, thresholds: Floats) -> list[float]:
    """Return the risks of deciding 1 where M^2 reaches each threshold, prevalence 1/2."""
    both = both_log_pmf(n_judges, **BETAS)
    return [count_risk(0.5, *both, size_decisions(n_judges, float(np.sqrt(t)))) for t in thresholds]


def every_threshold_on_the_square_works() -> tuple[str, bool]:
    """See the risk fall at five thresholds across (0, m_star^2), and Bayes' risk below it."""
    top = magnetisation(BETAS["beta1"]) ** 2
    thresholds = top * np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    judges = (100, 1000, 10_000)
    worst = [max(square_rule_risks(k, thresholds)) for k in judges]
    bayes = [
        row.bayes
        for row in curie_weiss_risks(0.5, **BETAS, n_judges=[10, 50, 100, *judges[1:]]).rows
    ]
    told = "worst of five thresholds at K = 100, 1000, 10000: " + ", ".join(
        f"{risk:.3g}" for risk in worst
    )
    told += "; Bayes at 10, 50, 100: " + ", ".join(f"{risk:.6f}" for risk in bayes[:3])
    falls = worst[0] > worst[1] > worst[2] and bayes == sorted(bayes, reverse=True)
    return told, falls and worst[2] < 1e-6 and bayes[-1] <= worst[2]


def gap_stays() -> tuple[str, bool]:
    """Return what independence loses with 2000 judges, for three prevalences."""
    lost = [
        curie_weiss_risks(prevalence, **BETAS, n_judges=[2000]).rows[0].lost
        for prevalence in PREVALENCES
    ]
    printed = [min(prevalence, 1 - prevalence) for prevalence in PREVALENCES]
    told = ", ".join(f"{gap:.6f}" for gap in lost)
    return f"lost at K = 2000, pi = .3, .5, .8: {told}", bool(np.allclose(lost, printed, atol=1e-6))


def total_variation(one: TwoClass, other: TwoClass) -> float:
    """Return the total variation distance of two laws of label and votes."""
    rows = patterns(one.n_judges)
    return float(np.abs(np.exp(one.log_joint(rows)) - np.exp(other.log_joint(rows))).sum()) / 2


def risks_move_less_than_the_distance() -> tuple[str, bool]:
    """See all 256 rules of three judges, and Bayes' risk, under ten pairs of random laws."""
    truths = [classes.truth for classes in some_classes(n_judges=3)]
    rules = np.array(list(product((0, 1), repeat=8)), bool)
    joints = [np.exp(truth.log_joint(patterns(3))) for truth in truths]
    risks = [np.where(rules, joint[:, 0], joint[:, 1]).sum(axis=1) for joint in joints]
    told, nearest = True, 0.0
    for a, b in zip(range(0, 20, 2), range(1, 20, 2), strict=True):
        distance = total_variation(truths[a], truths[b])
        moved = float(np.abs(risks[a] - risks[b]).max())
        nearest = max(nearest, moved / distance)
        best = abs(truths[a].bayes_risk() - truths[b].bayes_risk())
        told &= moved <= distance + 1e-12 and best <= distance + 1e-12
    return f"2560 cases, none beyond; the nearest is {nearest:.3f} of the distance", told


def theorem_1() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-T1.0",
            place="Theorem 1, after (6)",
            printed="(6) is (1) with h = -2 beta (1 - 1/K) and W = 4 beta / K",
            compute=fact(zero_one_form),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-T1.1",
            place="Theorem 1(1)",
            printed="without fields q = 1/2 for every K, so independence keeps the prior: "
            "risk min(pi, 1 - pi)",
            compute=fact(independence_ignores_the_votes),
            tolerance="1e-12, for rounding",
        ),
        Claim(
            id="000-T1.2",
            place="Theorem 1(2)",
            printed="deciding 1 where M^2 >= t is right in the limit for every t in (0, m_star^2), "
            "so Bayes' risk goes to 0",
            compute=fact(every_threshold_on_the_square_works),
            tolerance="below 1e-6 with 10,000 judges; exact sums, a limit seen and not proved",
        ),
        Claim(
            id="000-T1.3",
            place="Theorem 1(3)",
            printed="independence loses min(pi, 1 - pi) in the limit",
            compute=fact(gap_stays),
            tolerance="1e-6 with 2,000 judges",
        ),
        Claim(
            id="000-dTV",
            place="3.2",
            printed="the risk of any rule, and Bayes' risk, differ by at most the total variation distance",
            compute=fact(risks_move_less_than_the_distance),
            tolerance="1e-12, for rounding",
        ),
    )
