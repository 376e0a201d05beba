"""Ising kernels against naive versions; ratios, so that slow machines pass too."""

from time import perf_counter

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Sketch
from algeval.models.binary import TwoClass, patterns
from algeval.models.ising import Ising, log_partition

pytestmark = pytest.mark.benchmark


def timed(call, repeat=3):
    best, result = float("inf"), None
    for _ in range(repeat):
        start = perf_counter()
        result = call()
        best = min(best, perf_counter() - start)
    return best, result


def random_parameters(k, seed=0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.normal(0, 0.5, (k, k)), 1)
    return rng.normal(size=k), upper + upper.T


def naive(h, W):
    """Energies by matrix products over all patterns, moments by another."""
    J = patterns(len(h)).astype(float)
    energy = J @ h + 0.5 * ((J @ W) * J).sum(axis=1)
    top = energy.max()
    weight = np.exp(energy - top)
    return top + np.log(weight.sum()), (J.T * weight) @ J / weight.sum()


@pytest.mark.parametrize(("k", "least"), [(12, 1), (16, 5), (18, 5)])
def test_doubling_beats_matrix_products(k, least):
    h, W = random_parameters(k)
    slow, want = timed(lambda: naive(h, W))
    fast, got = timed(lambda: log_partition(h, W))
    print(f"\nK = {k}: naive {1e3 * slow:.2f} ms, doubling {1e3 * fast:.2f} ms, x{slow / fast:.0f}")
    assert got[0] == pytest.approx(want[0], abs=1e-9)
    np.testing.assert_allclose(got[2], want[1], atol=1e-10)
    assert slow / fast > least


def test_twenty_judges_cost_a_few_passes_over_a_million_numbers():
    """Log Z with its gradient within 12 times one exponential of 2^20 numbers."""
    h, W = random_parameters(20)
    array = np.random.default_rng(0).normal(size=1 << 20)
    unit, _ = timed(lambda: np.exp(array), 5)
    cost, _ = timed(lambda: log_partition(h, W), 5)
    print(f"\nlog Z and gradient at K = 20: {1e3 * cost:.1f} ms, exp of 2^20: {1e3 * unit:.1f} ms")
    assert cost < 12 * unit


def test_cost_does_not_grow_with_items():
    h, W = random_parameters(6)
    law = TwoClass(0.5, Ising(h - 1, W), Ising(h + 1, W))
    names = tuple("abcdef")
    counts = np.round(1e4 * np.exp(law.log_probability(patterns(6)))).astype(np.int64)
    small = Sketch(names, ("0", "1"), ("0", "1"), patterns(6).astype(np.int16), counts)
    large = Sketch(names, ("0", "1"), ("0", "1"), patterns(6).astype(np.int16), 1000 * counts)
    few, _ = timed(lambda: aggregate(small, "ising", n_starts=1))
    many, _ = timed(lambda: aggregate(large, "ising", n_starts=1))
    print(f"\nten thousand items {few:.3f} s, ten million {many:.3f} s")
    assert many < 20 * few
