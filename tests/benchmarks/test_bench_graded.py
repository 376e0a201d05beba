"""Graded responses at the sizes people have; CPU seconds, one process."""

import resource
from time import process_time

import numpy as np
import pytest

from algeval.aggregate.scores.graded import (
    Levels,
    fit_graded,
    grid_posterior,
    median_score,
    panel_weights,
)

pytestmark = pytest.mark.benchmark


def draw(n_items, n_judges, n_levels=10):
    rng = np.random.default_rng(0)
    slope = rng.uniform(0.5, 2, n_judges)
    behind = rng.normal(size=(n_items, 1)) * slope + rng.normal(size=(n_items, n_judges))
    threshold = 1.5 * np.sort(rng.normal(size=(n_judges, n_levels - 1)), axis=1)
    return slope, (behind[:, :, None] > threshold).sum(axis=2).astype(float)


@pytest.mark.parametrize(
    ("n_items", "n_judges", "seconds", "megabytes"),
    [(2_500, 21, 2, 300), (50_000, 20, 10, 500), (50_000, 50, 25, 700)],
)
def test_time_and_memory(n_items, n_judges, seconds, megabytes):
    slope, values = draw(n_items, n_judges)
    start = process_time()
    levels = Levels.of(values)
    codes = levels.codes(values)
    found = fit_graded(codes, np.ones(n_items), levels.sizes, tol=1e-6, max_iter=500)
    chances = found.curves.chances(found.nodes)
    median_score(grid_posterior(codes, found), chances, levels, panel_weights(found.curves.slope))
    spent = process_time() - start
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"\n{n_items} x {n_judges}, 10 levels: {spent:.2f} s CPU, {found.end.n_iter} steps on "
        f"{len(found.nodes)} nodes, at most {most:.0f} MB in the process so far"
    )
    assert found.end.converged
    np.testing.assert_allclose(found.curves.slope, slope, atol=0.15)
    assert spent < seconds
    assert most < megabytes
