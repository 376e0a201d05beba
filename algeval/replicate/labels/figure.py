"""Figure 1: chances to name the better classifier, by labels per item, label accuracy and budget."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.stats import binom

import algeval as ae
from algeval.budgets import LabelAccuracy, Rivals, gap_chances, majority_accuracy, outcomes
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["figure"]

RIVALS = Rivals.independent(Fraction(4, 5), Fraction(1, 100))
LABELS = (1, 3, 5, 15)
DIGITS = 1e-9


def figure() -> tuple[Claim, ...]:
    """Return the claims in the order of the panels."""
    return (
        _whole("a", "at k = 1,500 one label is best at every label accuracy", _every_accuracy),
        *(_point(f"a-{q}", q, 1500) for q in ("0.6", "0.8", "1")),
        _whole("b", "at q = .8 one label is best at every budget", _every_budget),
        *(_point(f"b-{k}", "0.8", k) for k in (150, 6_000, 60_000)),
    )


def _point(name: str, q: str, budget: int) -> Claim:
    return Claim(
        id=f"004-F1{name}",
        place=f"Figure 1{name[0]}",
        printed=f"p = .8, margin .01, q = {q}, {budget:,} labels: chances fall from 1 to 3, 5, 15 labels an "
        "item "
        "(curves, no numbers printed)",
        compute=fact(lambda: _four_chances(q, budget)),
        tolerance="1e-9, between the integral and a mixture of binomials, whose logarithms round off so much",
    )


def _four_chances(q: str, budget: int) -> tuple[str, bool]:
    found = ae.plan(budget=budget, accuracy="0.8", margin="0.01", label_accuracy=q)
    wins = [found.win_probability(m) for m in LABELS]
    other = [_mixed(q, m, budget // m) for m in LABELS]
    near = max(abs(a - b) for a, b in zip(wins, other, strict=True)) < DIGITS
    told = " > ".join(f"{win:.5f}" for win in wins)
    return told, near and wins == sorted(wins, reverse=True) and found.labels_per_item == 1


def _mixed(q: str, m: int, items: int) -> float:
    """Return the same chance as a mixture: how many items decide, and how many of these for c_b."""
    a, _ = gap_chances(RIVALS, LabelAccuracy.of(q), m)
    deciding = np.arange(1, items + 1)
    won = binom.sf(deciding // 2, deciding, float(a / RIVALS.disagree))
    return float((binom.pmf(deciding, items, float(RIVALS.disagree)) * won).sum())


def _whole(panel: str, printed: str, compute: Callable[[], tuple[str, bool]]) -> Claim:
    return Claim(
        id=f"004-F1{panel}",
        place=f"Figure 1{panel}",
        printed=printed,
        compute=fact(compute),
        tolerance="1e-12 of the chance, the kernel's rounding",
    )


def _margins(q: np.ndarray, budgets: np.ndarray) -> np.ndarray:
    """Return by how much one label beats 3, 5 and 15; budgets are multiples of 15."""
    better, worse = float(RIVALS.better_alone), float(RIVALS.worse_alone)

    def win(m: int) -> np.ndarray:
        voted = majority_accuracy(q, m)
        up = better * voted + worse * (1 - voted)
        return np.asarray(outcomes(up, better + worse - up, budgets // m).win)

    return np.array([win(1) - win(m) for m in LABELS[1:]])


def _every_accuracy() -> tuple[str, bool]:
    least = _margins(np.arange(51, 101) / 100, np.full(50, 1500)).min()
    return f"by at least {least:.2g} for q = .51, .52, ..., 1", bool(least > 1e-12)


def _every_budget() -> tuple[str, bool]:
    budgets = np.arange(15, 60_001, 15)
    least = _margins(np.full(budgets.size, 0.8), budgets).min()
    return f"by at least {least:.2g} at {budgets.size:,} budgets up to 60,000", bool(least > 1e-12)
