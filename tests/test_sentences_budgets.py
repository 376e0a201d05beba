"""Numbers in the chapters on budgets that no run of theirs prints, each computed and set beside the text."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from algeval.budgets import majority_accuracy, majority_gain, outcomes
from algeval.budgets.kernel import log_rho
from algeval_papers.conjecture import GRID_LABELS as LABELS
from algeval_papers.conjecture import ITEMS

CHAPTERS = Path(__file__).resolve().parents[1] / "docs" / "chapters" / "budgets"


def text_of(name):
    return " ".join((CHAPTERS / f"{name}.md").read_text(encoding="utf-8").split())


def shares_of_the_gap(m, n):
    """Return what the bound, and the simpler one, have of the gap, over s up to 3/4 and theta from 1/2."""
    s, theta = np.meshgrid(np.linspace(0.005, 0.75, 90), np.linspace(0.5005, 1, 150))
    voted, failed = majority_accuracy(theta, m), majority_accuracy(1 - theta, m)
    one = outcomes(s * theta, s * (1 - theta), m * n)
    several = outcomes(s * voted, s * failed, n)
    gap = (several.tie + several.loss) - (one.tie + one.loss)
    factor, seen = (1 + 2 * theta) / 4, gap > 1e-6  # below it differences are rounding
    tilt = n * (m * log_rho(s * theta, s * (1 - theta)) - log_rho(s * voted, s * failed))
    bounds = factor * (several.tie - one.tie), factor * several.tie * -np.expm1(tilt)
    return [(bound[seen] / gap[seen]) for bound in bounds]


@pytest.mark.parametrize(("n", "least"), [(1, ".60"), (100, ".15"), (1000, ".05")])
def test_how_little_of_the_gap_the_bound_may_be(n, least):
    assert f"{least} of the gap at $n = 1$" in text_of("conjecture") or f"{least} at " in text_of(
        "conjecture"
    )
    found = [shares_of_the_gap(m, n) for m in (3, 7, 21, 51)]
    smallest = min(share.min() for share, _ in found)
    assert float(least) <= smallest < float(least) + 0.01
    assert max(share.max() for share, _ in found) < 1
    simpler = max(share.max() for _, share in found)
    assert simpler <= 0.75 + 1e-9


def test_the_gain_at_one_half_is_as_told():
    """About the root of 2m/pi, and its square below m."""
    assert "about $\\sqrt{2m/\\pi}$" in text_of("majorities")
    for m in (3, 11, 101, 1001):
        assert majority_gain(0.5, m) ** 2 < m
    assert majority_gain(0.5, 1001) == pytest.approx(np.sqrt(2 * 1001 / np.pi), rel=1e-3)


def test_the_quotient_of_9_at_one_half_tends_to_half_pi():
    told = "$\\frac43$ for three labels, towards $\\frac{\\pi}{2}$ for many"
    assert told in text_of("majorities")
    quotient = 1.0
    for r in range(1, 2001):  # 16^r / (m C(2r, r)^2), step by step
        quotient *= 16 / (2 * (2 * r - 1) / r) ** 2
        if r == 1:
            assert quotient / 3 == pytest.approx(4 / 3)
    assert quotient / 4001 == pytest.approx(np.pi / 2, rel=1e-3)


def test_item_costs_from_which_three_labels_pay():
    assert "from .62 at $q = .55$, 1.7 at $.8$ and 9 at $.95$ on" in text_of("model")
    costs = [(3 - g * g) / (g * g - 1) for g in (1 + 2 * q * (1 - q) for q in (0.55, 0.8, 0.95))]
    assert [round(costs[0], 2), round(costs[1], 1), round(costs[2])] == [0.62, 1.7, 9]


def test_the_pairs_of_the_grid():
    assert "(times 30 pairs of $m$ and $n$)" in text_of("conjecture")
    assert len(list(product(ITEMS, LABELS))) == 30


def test_the_share_of_the_grid_is_told_alike():
    assert ".677 of the points" in text_of("conjecture")
    (told,) = re.findall(r"(\.\d{4}) of the grid", text_of("errata"))
    assert f"{float(told):.3f}" == "0.677"
