"""Labels that grade the judges: exact lower ends, and how often all of them hold."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest

from algeval.data import Votes
from algeval.rates.inputs import read_gold
from algeval.rates.intervals import lowest_correct
from algeval.rates.rungs import checked_grades, lowest_share


def chance(right, n, total, n_items):
    """Chance that so many or more of n drawn are right, when `total` of the items are."""
    ways = sum(comb(total, k) * comb(n_items - total, n - k) for k in range(right, n + 1))
    return Fraction(ways, comb(n_items, n))


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_lower_ends_by_counting(alpha):
    for right, n, n_items in [(0, 5, 20), (5, 5, 20), (7, 10, 30), (18, 20, 40), (3, 3, 3)]:
        found = lowest_correct(right, n, n_items, alpha)
        assert right <= found <= n_items - (n - right)
        assert found == right or chance(right, n, found - 1, n_items) <= alpha
        assert found == right == n_items or chance(right, n, found, n_items) > alpha


def test_lower_ends_of_shares_as_scipy_has_them():
    for right, n in [(0, 5), (5, 5), (45, 50), (7, 10)]:
        theirs = binomtest(right, n, alternative="greater").proportion_ci(0.95, "exact").low
        found = float(lowest_share(right, n, 0.05))
        assert theirs - 2e-6 <= found <= theirs


def panel(rng, n_items, accuracies):
    key = rng.integers(0, 2, n_items)
    wrong = rng.random((n_items, len(accuracies))) > accuracies
    codes = np.where(wrong, 1 - key[:, None], key[:, None])
    codes[rng.random(codes.shape) < 0.1] = -1
    items = [str(i) for i in range(n_items)]
    judges = [f"j{i}" for i in range(len(accuracies))]
    return Votes(items, judges, ["A", "B"], ["A", "B"], codes), key


def hold(target, runs, seed):
    """Return how often every judge's grade is at least its lower end."""
    rng = np.random.default_rng(seed)
    accuracies = np.array([0.9, 0.7, 0.6])
    good = 0
    for _ in range(runs):
        votes, key = panel(rng, 120, accuracies)
        rows = rng.choice(120, 40, replace=False)
        gold = read_gold({votes.items[r]: "AB"[key[r]] for r in rows}, votes, "A")
        spec = checked_grades(votes, gold, target, 0.05)
        lows = np.array([float(c.value) for c in spec.conditions])
        truth = accuracies
        if target == "items":
            answered = votes.codes >= 0
            truth = ((votes.codes == key[:, None]) & answered).sum(0) / answered.sum(0)
        good += bool((truth >= lows - 1e-12).all())
    return good / runs


@pytest.mark.parametrize("target", ["items", "population"])
def test_all_judges_reach_their_lower_ends(target):
    assert hold(target, 60, 51) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
def test_all_judges_reach_their_lower_ends_in_many_runs(target):
    found = hold(target, 2000, 52)
    assert 0.94 <= found < 1


def test_everything_labelled_gives_the_grades_themselves():
    rng = np.random.default_rng(53)
    votes, key = panel(rng, 30, np.array([0.9, 0.6]))
    gold = read_gold({votes.items[r]: "AB"[key[r]] for r in range(30)}, votes, "A")
    spec = checked_grades(votes, gold, "items", 0.05)
    for place, condition in enumerate(spec.conditions):
        answered = votes.codes[:, place] >= 0
        right = (votes.codes[:, place] == key)[answered]
        assert condition.value == Fraction(int(right.sum()), len(right))


def test_judges_without_a_labelled_item_are_not_graded():
    votes = Votes.from_columns({"x": ["A", "B"], "y": ["A", None]})
    spec = checked_grades(votes, read_gold({"2": "B"}, votes, "A"), "items", 0.05)
    assert [c.judge for c in spec.conditions] == ["x"]
    lonely = Votes.from_columns({"x": ["A", None], "y": ["A", None]})
    assert checked_grades(lonely, read_gold({"2": "A"}, lonely, "A"), "items", 0.05) is None
