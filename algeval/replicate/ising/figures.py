"""F.2: Figures 4 and 5 as exact risks, the threshold rule, and the sampler."""

from __future__ import annotations

from math import sqrt

from algeval.models.curie_weiss import CurieWeiss
from algeval.models.factor_limit import FactorLimit
from algeval.models.glauber import count_law_after, fair_counts
from algeval.models.separation import curie_weiss_risks, factor_risks
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import LOWER, PREVALENCE, UPPER
from algeval.replicate.ising.shared_factor import AB

__all__ = ["figures"]

ROWS = {"upper": UPPER, "lower": LOWER}


def figure_4() -> tuple[str, bool]:
    """See the threshold's risk fall towards 0 and independence settle, K = 10 to 400."""
    told, shown = True, []
    for name, row in ROWS.items():
        found = curie_weiss_risks(PREVALENCE, **row, n_judges=[10, 50, 100, 200, 400])
        rule = [one.threshold or 0.0 for one in found.rows]
        told &= rule == sorted(rule, reverse=True) and rule[-1] < 1e-3
        limit = found.limit.independent if found.limit else 0.0
        told &= abs(found.rows[-1].independent - limit) < 1e-4
        falls = ", ".join(f"{one:.4f}" for one in rule[:4])
        bayes = ", ".join(f"{one.bayes:.6f}" for one in found.rows[:4])
        shown.append(f"{name} row {falls}, Bayes {bayes}, independence to {limit:.6f}")
    return f"K = 10, 50, 100, 200: {'; '.join(shown)}", told


def threshold_loses_to_independence() -> tuple[str, bool]:
    """Return the last number of judges at which the threshold rule is worse than independence."""
    last = {}
    for name, row in ROWS.items():
        rows = curie_weiss_risks(PREVALENCE, **row, n_judges=range(1, 151)).rows
        last[name] = max(one.n_judges for one in rows if (one.threshold or 0.0) > one.independent)
    first = curie_weiss_risks(PREVALENCE, **UPPER, n_judges=[10]).rows[0]
    told = (
        f"worse up to K = {last['upper']} (upper row) and {last['lower']} (lower row); at K = 10 "
    )
    told += f"{first.threshold:.3f} against {first.independent:.3f} and Bayes' {first.bayes:.3f}"
    return told, last == {"upper": 58, "lower": 15}


def glauber_keeps_the_wrong_phase() -> tuple[str, bool]:
    """Return the exact weight of the wrong phase after 100 sweeps from fair coins, and of the law."""
    told, shown = True, []
    for name, row in ROWS.items():
        law = CurieWeiss(50, row["beta1"], row["c"] / 50)
        chain = float(count_law_after(law, 100, fair_counts(50))[:25].sum())
        exact = float(law.pmf()[:25].sum())
        told &= chain > 0.43 and exact < 0.13
        shown.append(f"{chain:.3f} where the law has {exact:.3f} ({name} row)")
    return f"wrong phase after 100 sweeps, K = 50: {'; '.join(shown)}", told


def figure_5_shows_nothing() -> tuple[str, bool]:
    """Return the limiting excess at both captions, and the largest loss of up to 200 judges."""
    limits, largest = [], 0.0
    for size, variance in ((0.1, 1.0), (0.15, 1.5)):
        spread = size * sqrt(variance)
        limits.append(FactorLimit(prevalence=PREVALENCE, spread=spread, **AB).excess_risk)
        rows = factor_risks(PREVALENCE, spread=spread, **AB, n_judges=range(1, 202, 10)).rows
        largest = max(largest, *(row.lost for row in rows))
    strong = FactorLimit(prevalence=PREVALENCE, spread=2.0, **AB).excess_risk
    told = f"limits {limits[0]:.4g} and {limits[1]:.4g}; at most {largest:.2g} for K up to 200; "
    told += f"{strong:.4f} at |lambda| sigma_Z = 2"
    return told, 5e-8 < limits[0] < limits[1] < 3e-6 and largest < 1e-3 and strong > 0.07


def figures() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-F4",
            place="Figure 4",
            printed="the risk of the threshold rule falls to 0 as K grows, that of independence does not",
            compute=fact(figure_4),
            tolerance="below 1e-3 and within 1e-4 of pi (1 - p) with 400 judges",
            note="the values of the picture are not printed; ours are exact sums, with no sampling",
        ),
        Claim(
            id="000-F4t",
            place="F.2, setup 1",
            printed="the threshold t = (|m0| + m_star)/2 stands for Bayes' rule",
            verdict="conditional",
            compute=fact(threshold_loses_to_independence),
            note="true of many judges; with few it is worse even than independence",
        ),
        Claim(
            id="000-F4g",
            place="F.2, setup 1",
            printed="draw the spins of (7) by Glauber dynamics with burn-in",
            verdict="conditional",
            compute=fact(glauber_keeps_the_wrong_phase),
            note="holds after a burn-in of the order of e^(K (Phi(m_star) - log 2)); any shorter one leaves "
            "each phase of label 1 the weight that the start gave it, near 1/2. Draw M from (30) instead",
        ),
        Claim(
            id="000-F5",
            place="Figure 5 and F.2, setup 2",
            printed="at |lambda|, sigma^2 = (.1, 1) and (.15, 1.5) the separation becomes nonzero",
            verdict="erratum",
            compute=fact(figure_5_shows_nothing),
            tolerance="below 3e-6 in the limit and below 1e-3 at every K up to 200",
            note="nothing that 1000 items, with a standard error near .01, could show; it takes a strong "
            "factor",
        ),
    )
