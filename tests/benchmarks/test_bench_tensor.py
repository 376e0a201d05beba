"""Hidden states: the decomposition beside tensorly's, and the memory and time of large exams."""

import tracemalloc
from time import perf_counter

import numpy as np
import pytest

from algeval.aggregate.scores.care_tensor import decompose, fit_states, view_moments

pytestmark = pytest.mark.benchmark


def timed(call):
    start = perf_counter()
    result = call()
    return perf_counter() - start, result


def panel(n_items, n_judges, seed=0):
    rng = np.random.default_rng(seed)
    means = rng.uniform(1, 4, (n_judges, 4))
    values = means.T[rng.integers(4, size=n_items)] + rng.normal(size=(n_items, n_judges))
    return values, np.arange(n_judges) % 3


def residual(T, cp):
    weights, (a, b, c) = cp
    return np.linalg.norm(T - np.einsum("h,ih,jh,kh->ijk", weights, a, b, c)) / np.linalg.norm(T)


@pytest.mark.parametrize("n_judges", [12, 50])
def test_six_starts_cost_about_as_much_as_those_of_tensorly_or_less(n_judges):
    """Rank 4, 300 sweeps, both until the residual moves by less than 1e-10."""
    tensorly = pytest.importorskip("tensorly.decomposition")
    T = view_moments(*panel(20_000, n_judges)).tensor
    ours, found = timed(lambda: decompose(T, 4, np.random.default_rng(0)))
    settings = {"init": "random", "n_iter_max": 300, "tol": 1e-10}
    theirs, others = timed(
        lambda: [tensorly.parafac(T, 4, random_state=k, **settings) for k in range(6)]
    )
    best = min(residual(T, cp) for cp in others)
    print(f"\n{n_judges} judges: ours {ours:.3f} s, tensorly {theirs:.3f} s, x{theirs / ours:.1f}")
    assert found[0].residual == pytest.approx(best, abs=1e-6)
    assert theirs / ours > 0.5


def test_fifty_thousand_items_of_fifty_judges():
    """Moment and states in under 5 s and 500 MB beside the scores."""
    values, views = panel(50_000, 50)
    tracemalloc.start()
    seconds, found = timed(
        lambda: fit_states(view_moments(values, views), 4, np.random.default_rng(0))
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"\n50,000 x 50: {seconds:.2f} s, {peak / 1e6:.0f} MB")
    assert found.proper
    assert seconds < 5
    assert peak < 500e6
