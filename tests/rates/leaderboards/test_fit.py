"""Points and covariances against direct likelihoods, numerical derivatives and other libraries."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from algeval.rates.leaderboards import cells_of, counts_of, fit, sandwich


def drawn(seed=0, k=4, n=600, tie=0.5, order=0.3, n_clusters=40):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, k, n)
    second = (first + rng.integers(1, k, n)) % k
    lead = 0.3 * (second - first) + order
    p = np.stack([np.exp(lead / 2), np.exp(-lead / 2), np.full(n, tie)], axis=1)
    outcome = (rng.random(n)[:, None] > np.cumsum(p / p.sum(1, keepdims=True), axis=1)).sum(1)
    return first, second, outcome, rng.integers(0, n_clusters, n)


def log_chance(ties, x, t, outcome):
    """The log chance of each outcome, written from the models' definitions in odds."""
    a = np.exp(x)
    if ties == "half":
        y = np.choose(outcome, [1.0, 0.0, 0.5])
        return y * np.log(a / (1 + a)) + (1 - y) * np.log(1 / (1 + a))
    e = np.exp(t if ties == "davidson" else abs(t))
    if ties == "davidson":
        total = a + 1 + e * np.sqrt(a)
        return np.log(np.choose(outcome, [a / total, 1 / total, e * np.sqrt(a) / total]))
    win, loss = a / (a + e), 1 / (1 + e * a)
    return np.log(np.choose(outcome, [win, loss, 1 - win - loss]))


def direct(ties, first, second, outcome, k):
    """Log likelihood per battle of (k - 1 ratings, order effect, tie parameter)."""

    def told(point):
        ratings = np.append(point[: k - 1], -point[: k - 1].sum())
        x = ratings[first] - ratings[second] + point[k - 1]
        return log_chance(ties, x, point[-1], outcome)

    return told


def start(ties, k):
    return np.append(np.zeros(k), [] if ties == "half" else [0.5])


@pytest.mark.parametrize("ties", ["half", "davidson", "rao-kupper"])
def test_the_fit_is_the_largest_likelihood_and_its_sandwich_that_of_numerical_derivatives(ties):
    k = 4
    first, second, outcome, cluster = drawn(k=k)
    told = direct(ties, first, second, outcome, k)
    best = minimize(lambda z: -told(z).sum(), start(ties, k), method="BFGS", tol=1e-9)
    cells, cell_of = cells_of(k, first, second, outcome, ordered=True)
    found = sandwich(cells, counts_of(cluster, cell_of, (40, len(cells))), ties)
    at = found.fit.parameters
    assert found.fit.converged
    assert at[:k].sum() == pytest.approx(0, abs=1e-12)
    assert np.delete(at, k - 1) == pytest.approx(best.x, abs=2e-5)

    free = np.delete(at, k - 1)
    step = 1e-4 * np.eye(len(free))
    slopes = np.array([(told(free + s) - told(free - s)) / 2e-4 for s in step])
    by_cluster = np.array([np.bincount(cluster, slope, 40) for slope in slopes])
    curved = np.array(
        [
            [
                (
                    told(free + s + r)
                    - told(free + s - r)
                    - told(free - s + r)
                    + told(free - s - r)
                ).sum()
                / 4e-8
                for r in step
            ]
            for s in step
        ]
    )
    around = np.linalg.inv(-curved)
    expected = 40 / 39 * around @ (by_cluster @ by_cluster.T) @ around
    ours = np.delete(np.delete(found.covariance, k - 1, 0), k - 1, 1)
    assert ours == pytest.approx(expected, rel=1e-3, abs=1e-6)
    assert found.covariance[:k, :k].sum(axis=1) == pytest.approx(0, abs=1e-12)


def test_the_sandwich_is_that_of_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    k, (first, second, outcome, cluster) = 4, drawn(tie=0)
    cells, cell_of = cells_of(k, first, second, outcome, ordered=False)
    found = sandwich(cells, counts_of(cluster, cell_of, (40, len(cells))), "davidson")
    design = np.zeros((len(first), k))
    design[np.arange(len(first)), first] += 1
    design[np.arange(len(first)), second] -= 1
    model = sm.GLM(outcome == 0, design[:, 1:], family=sm.families.Binomial())
    other = model.fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}, tol=1e-12
    )
    centred = (np.eye(k) - 1 / k)[:, 1:]
    assert found.fit.parameters == pytest.approx(centred @ other.params, abs=1e-8)
    expected = 40 / 39 * centred @ other.cov_params() @ centred.T
    assert found.covariance == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_points_are_those_of_choix_and_evalica():
    choix, evalica = pytest.importorskip("choix"), pytest.importorskip("evalica")
    k, (first, second, outcome, _) = 5, drawn(k=5, tie=0.0, n=400)
    cells, cell_of = cells_of(k, first, second, outcome, ordered=False)
    ours = fit(cells, np.bincount(cell_of).astype(float), "half").parameters
    won, lost = np.where(outcome == 0, first, second), np.where(outcome == 0, second, first)
    theirs = choix.ilsr_pairwise(k, list(zip(won.tolist(), lost.tolist(), strict=True)), alpha=0)
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-6)
    names = [f"s{place}" for place in range(k)]
    winner = [evalica.Winner.X if end == 0 else evalica.Winner.Y for end in outcome]
    other = evalica.bradley_terry(
        [names[i] for i in first], [names[i] for i in second], winner, tolerance=1e-12, limit=10**5
    )
    logs = np.log(other.scores[names].to_numpy())
    assert ours == pytest.approx(logs - logs.mean(), abs=1e-5)


def test_two_systems_by_hand():
    """6 wins of 10: odds 6/4, half the log each; and ties leave Davidson's ratio of wins alone."""
    cells, _ = cells_of(2, np.zeros(3, int), np.ones(3, int), np.arange(3), ordered=False)
    assert fit(cells, np.array([6.0, 4.0, 0.0]), "half").parameters[0] == pytest.approx(
        np.log(1.5) / 2
    )
    found = fit(cells, np.array([6.0, 4.0, 5.0]), "davidson").parameters
    assert found[0] - found[1] == pytest.approx(np.log(1.5))
    assert np.exp(found[2]) == pytest.approx(5 / np.sqrt(24))
    half = fit(cells, np.array([6.0, 4.0, 5.0]), "half").parameters
    assert expit(half[0] - half[1]) == pytest.approx(8.5 / 15)


def test_without_ties_all_models_are_the_same():
    first, second, outcome, _ = drawn(tie=0)
    cells, cell_of = cells_of(4, first, second, outcome, ordered=True)
    weights = np.bincount(cell_of).astype(float)
    half, davidson, other = (
        fit(cells, weights, ties).parameters for ties in ("half", "davidson", "rao-kupper")
    )
    assert np.array_equal(half, davidson)
    assert np.array_equal(half, other)
