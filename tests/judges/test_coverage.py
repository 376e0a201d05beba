"""Coverage of the card's intervals by enumeration of every table of 20 labels, weighted by its chance."""

from functools import cache
from math import lgamma

import numpy as np
import pytest

from algeval.judges.intervals import ac1, balanced, kappa, share, tango

N = 20
JUDGES = [(0.7, 0.7), (0.9, 0.8), (0.95, 0.95), (0.98, 0.6), (1.0, 0.9), (1.0, 1.0)]
SHARES = (0.5, 0.9, 0.97)


@cache
def tables(n=N):
    """All 2 x 2 tables of n rows (judge by truth), and the log of their numbers of orders."""
    cells = [
        (a, b, c, n - a - b - c)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        for c in range(n + 1 - a - b)
    ]
    orders = [lgamma(n + 1) - sum(lgamma(x + 1) for x in cell) for cell in cells]
    return np.array(cells), np.array(orders)


@cache
def ends(kind):
    made = []
    for a, b, c, d in tables()[0].tolist():
        table = np.array([[a, b], [c, d]])
        if kind == "kappa":
            made.append(kappa(table))
        elif kind == "ac1":
            made.append(ac1(table))
        elif kind == "balanced":
            made.append(balanced([share(a, a + c), share(d, b + d)]))
        else:  # b: only the first is right, c: only the second
            made.append(tango(b, c, N))
    return made


def coverage(kind, chances, truth, defined):
    cells, orders = tables()
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(cells > 0, cells * np.log(np.array(chances)), 0.0).sum(axis=1)
    weights = np.where(defined, np.exp(orders + logs), 0.0)
    assert np.exp(orders + logs).sum() == pytest.approx(1)
    hit = [low - 1e-12 <= truth <= high + 1e-12 for _, low, high in ends(kind)]
    return float(weights @ hit / weights.sum())


def chances(share_of_pass, found, spared):
    """Chances of (pass, pass), (pass, fail), (fail, pass), (fail, fail): judge, truth."""
    fails = 1 - share_of_pass
    return (
        share_of_pass * found,
        fails * (1 - spared),
        share_of_pass * (1 - found),
        fails * spared,
    )


def settings():
    return [(p, found, spared) for p in SHARES for found, spared in JUDGES]


def test_kappa_holds_over_all_tables_of_twenty_labels():
    held = []
    for p, found, spared in settings():
        cell = chances(p, found, spared)
        says = cell[0] + cell[1]
        chance = says * p + (1 - says) * (1 - p)
        truth = (cell[0] + cell[3] - chance) / (1 - chance)
        held.append(coverage("kappa", cell, truth, np.ones(len(tables()[0]), bool)))
    assert min(held) == pytest.approx(0.947, abs=0.004)
    assert np.mean(held) > 0.97


def test_ac1_holds_over_all_tables_of_twenty_labels():
    held = []
    for p, found, spared in settings():
        cell = chances(p, found, spared)
        pi = (cell[0] + cell[1] + p) / 2
        truth = (cell[0] + cell[3] - 2 * pi * (1 - pi)) / (1 - 2 * pi * (1 - pi))
        held.append(coverage("ac1", cell, truth, np.ones(len(tables()[0]), bool)))
    assert min(held) >= 0.95


def test_balanced_accuracy_holds_where_both_labels_are_there():
    cells = tables()[0]
    both = (cells[:, 0] + cells[:, 2] > 0) & (cells[:, 1] + cells[:, 3] > 0)
    held = [
        coverage("balanced", chances(p, found, spared), (found + spared) / 2, both)
        for p, found, spared in settings()
    ]
    assert min(held) == pytest.approx(0.939, abs=0.004)


def test_the_difference_of_two_judges_holds():
    held = []
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ratio in (0, 0.5, 0.8, 1):
            b, c = differ / (1 + ratio), differ * ratio / (1 + ratio)
            same = 1 - differ
            cell = (same / 2, b, c, same / 2)
            held.append(coverage("tango", cell, b - c, np.ones(len(tables()[0]), bool)))
    assert min(held) >= 0.945
