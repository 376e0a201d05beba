"""Judges who could be coins: exact moments, size, power, and the warning."""

from itertools import permutations

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate.checks import pairs
from algeval.aggregate.checks.pairs import pair_tables, relatedness

COINS = "no more related to each other than those of coins"


def test_moments_are_those_of_all_permutations():
    x, y = np.array([0, 0, 1, 2, 2, 1, 0]), np.array([0, 1, 1, 2, 0, 1, 0])
    n, rows, columns = 7.0, np.bincount(x).astype(float), np.bincount(y).astype(float)
    sums, same = [], []
    for turn in permutations(y.tolist()):
        table = np.zeros((3, 3))
        np.add.at(table, (x, list(turn)), 1)
        sums.append(n * ((table**2 / np.outer(rows, columns)).sum() - 1))
        same.append(np.trace(table))
    one = np.array([n])
    (v, w), (v2, w2) = pairs._margin(rows[None], one), pairs._margin(columns[None], one)
    variance = 2 * n / (n - 3) * (v - w) * (v2 - w2) + n**2 / (n - 1) * w * w2
    assert np.mean(sums) == pytest.approx(n * 4 / (n - 1))
    assert np.var(sums) == pytest.approx(variance[0])
    table = np.zeros((1, 3, 3))
    np.add.at(table[0], (x, y), 1)
    from scipy.special import ndtri

    p = pairs._agreement(table, one, rows[None], columns[None])
    z = (np.trace(table[0]) - np.mean(same)) / np.std(same)
    assert -ndtri(p) == pytest.approx(z)


def drawn(rng, n_items, accuracy, n_labels=2):
    truth = rng.integers(0, n_labels, n_items)
    size = n_items, len(accuracy)
    wrong = (truth[:, None] + rng.integers(1, n_labels, size)) % n_labels
    return np.where(rng.random(size) < accuracy, truth[:, None], wrong).astype(np.int16)


def called(codes, n_labels=2):
    return relatedness(codes, np.ones(len(codes), np.int64), n_labels).p_value <= 0.05


def test_coins_are_called_related_about_as_often_as_stated():
    rng = np.random.default_rng(0)
    n = sum(called(rng.integers(0, 2, (60, 3)).astype(np.int16)) for _ in range(300))
    assert 3 <= n <= 30


@pytest.mark.parametrize("accuracy", [(0.9, 0.8, 0.7), (0.8, 0.8, 0.2)])
def test_judges_are_called_related(accuracy):
    rng = np.random.default_rng(1)
    assert sum(called(drawn(rng, 100, accuracy)) for _ in range(50)) >= 47


def test_sparse_and_dense_votes_give_the_same_pairs():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (80, 40)).astype(np.int16)
    codes[rng.random(codes.shape) < 0.95] = -1
    counts = rng.integers(1, 4, 80)
    np.testing.assert_array_equal(pairs._pairs(codes, counts, 3), pair_tables(codes, counts, 3))


def test_judges_of_one_word_may_be_coins_and_too_many_are_not_tested():
    assert (
        relatedness(np.zeros((5, 3), np.int16), np.ones(5, np.int64), 2).p_value == 1
    )  # of one word
    assert relatedness(np.zeros((5, 1200), np.int16), np.ones(5, np.int64), 2) is None


def test_order_of_judges_and_labels_does_not_matter():
    codes = drawn(np.random.default_rng(3), 40, (0.8, 0.7, 0.6))
    ones = np.ones(40, np.int64)
    for other in (codes[:, ::-1], 1 - codes):
        np.testing.assert_allclose(relatedness(other, ones, 2), relatedness(codes, ones, 2))


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "recommended", "one-coin"])
def test_every_method_warns_of_coins_and_not_of_judges(method):
    rng = np.random.default_rng(5)
    names = ["a", "b", "c"], ["yes", "no"], ["yes", "no"]
    coins = ae.Sketch(*names, rng.integers(0, 2, (60, 3)), np.ones(60, int))
    judges = ae.Sketch(*names, drawn(rng, 60, (0.9, 0.85, 0.8)), np.ones(60, int))
    assert any(COINS in told for told in ae.aggregate(coins, method).warnings)
    assert not any(COINS in told for told in ae.aggregate(judges, method).warnings)


def test_mt_bench_is_no_noise():
    assert not any(COINS in told for told in ae.aggregate(ae.example("mt-bench")).warnings)
