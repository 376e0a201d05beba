"""States from third moments: exact populations, exact tensors, another library, and simulations.

Errors are Frobenius distances of means in the judges' units, states in the best order; designs are
in conftest.py.
"""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from algeval.aggregate.scores.care_tensor import (
    best_states,
    decompose,
    enumerated,
    fit_states,
    k_rank,
    most_states,
    unique_by_kruskal,
    view_moments,
)

PAIRS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
TABLES = [  # quarters of items of each pair of answers, by state and view: answers depend in a view
    [[2, 1, 1, 0], [3, 0, 0, 1], [1, 2, 0, 1]],
    [[0, 0, 1, 3], [0, 1, 1, 2], [0, 0, 2, 2]],
]
ITEMS = (1, 3)  # of one quarter each: how many items a state has for each triple of pairs


def rng(seed=0):
    return np.random.default_rng(seed)


def population():
    """All items of two states and three dependent pairs of binary judges: 256 in exact shares."""
    rows = [
        np.concatenate(three)
        for tables, items in zip(TABLES, ITEMS, strict=True)
        for three in product(*(np.repeat(PAIRS, table, axis=0) for table in tables))
        for _ in range(items)
    ]
    return np.array(rows, float)


def exact_means():
    """Means by hand, in fractions: (6, 2)."""
    means = [
        [Fraction(sum(t for t, pair in zip(table, PAIRS, strict=True) if pair[side]), 4)]
        for tables in TABLES
        for table in tables
        for side in range(2)
    ]
    return np.array(means, float).reshape(2, 6).T


def by_weight(states):
    order = np.argsort(states.weights)
    return states.weights[order], states.means[:, order]


def random_factors(r, sizes, seed):
    return tuple(rng(seed).normal(size=(d, r)) for d in sizes)


def composed(factors):
    return np.einsum("ih,jh,kh->ijk", *factors)


def test_an_exact_population_with_dependent_judges_is_recovered():
    values, views = population(), np.repeat(range(3), 2)
    found = fit_states(view_moments(values, views), 2, rng())
    weights, means = by_weight(found)
    np.testing.assert_allclose(weights, [0.25, 0.75], atol=1e-8)
    np.testing.assert_allclose(means, exact_means(), atol=1e-8)
    assert (found.proper, found.unique, found.converged) == (True, True, True)
    assert found.residual < 1e-9
    assert found.total == pytest.approx(1, abs=1e-9)


def test_the_third_moment_is_a_sum_over_states():
    """CARE, section 3.2: with a constant appended, and in exact population to rounding."""
    values, views = population(), np.repeat(range(3), 2)
    moments = view_moments(values, views)
    means = (exact_means() - moments.center[:, None]) / moments.spread[:, None]
    factors = [np.vstack([means[views == view], [1, 1]]) for view in range(3)]
    want = np.einsum("h,ih,jh,kh->ijk", [0.25, 0.75], *factors)
    np.testing.assert_allclose(moments.tensor, want, atol=1e-12)


def test_the_same_judges_in_wrong_views_leave_a_residual():
    values, wrong = population(), np.array([0, 1, 0, 2, 1, 2])
    assert fit_states(view_moments(values, wrong), 2, rng()).residual > 0.05


def test_moments_by_plain_loops_with_scores_missing():
    values = np.where(rng(1).random((40, 5)) < 0.3, np.nan, rng(2).normal(3, 2, (40, 5)))
    views = np.array([0, 1, 0, 2, 1])
    moments = view_moments(values, views)
    z = (values - np.nanmean(values, axis=0)) / np.nanstd(values, axis=0)
    a, b, c = (np.c_[z[:, views == view], np.ones(40)] for view in range(3))
    for i, j, k in np.ndindex(moments.tensor.shape):
        want = np.nanmean(a[:, i] * b[:, j] * c[:, k])
        assert moments.tensor[i, j, k] == pytest.approx(want, abs=1e-12)


def test_moments_do_not_depend_on_how_many_items_are_summed_at_once(monkeypatch):
    values, views = rng(0).normal(size=(1000, 6)), np.repeat(range(3), 2)
    whole = view_moments(values, views).tensor
    monkeypatch.setattr("algeval.aggregate.policy.MOMENT_CELLS", 70)
    np.testing.assert_allclose(view_moments(values, views).tensor, whole, atol=1e-12)


@pytest.mark.parametrize("sizes", [(5, 5, 5), (3, 6, 4), (2, 2, 2)])
@pytest.mark.parametrize("r", [1, 2, 3, 4])
def test_nothing_is_left_of_an_exact_tensor(sizes, r):
    if not unique_by_kruskal(tuple(min(d, r) for d in sizes), r):
        pytest.skip("not unique at these sizes")
    for seed in range(5):
        T = composed(random_factors(r, sizes, seed))
        best = decompose(T, r, rng(seed))[0]
        assert best.residual < 1e-6
        assert np.linalg.norm(T - composed(best.factors)) < 1e-6 * np.linalg.norm(T)


def test_residuals_are_those_of_the_factors_and_sorted():
    T = rng(3).normal(size=(4, 5, 3))
    found = decompose(T, 2, rng())
    left = [np.linalg.norm(T - composed(each.factors)) / np.linalg.norm(T) for each in found]
    np.testing.assert_allclose([each.residual for each in found], left, atol=1e-9)
    assert left == sorted(left)


@pytest.mark.parametrize("seed", range(2))
def test_another_library_leaves_as_much(grouped_judges, seed):
    """tensorly's parafac on the moment of 3,000 items, four states: equal residuals to 1e-6."""
    tensorly = pytest.importorskip("tensorly.decomposition")
    design = grouped_judges(seed, 3000)
    T = view_moments(design.values, design.views).tensor
    other = _left(T, tensorly.parafac(T, 4, 300, init="svd", random_state=0, tol=1e-12))
    assert other > 0.02
    assert decompose(T, 4, rng())[0].residual == pytest.approx(other, abs=1e-6)


def _left(T, cp):
    weights, (a, b, c) = cp
    return np.linalg.norm(T - composed((a * weights, b, c))) / np.linalg.norm(T)


def test_a_weight_below_zero_is_reported():
    a, b, c = (np.vstack([rng(k).normal(size=(4, 2)), [1, 1]]) for k in range(3))
    moments = view_moments(rng(4).normal(size=(30, 12)), np.repeat(range(3), 4))
    found = fit_states(moments._replace(tensor=composed((a * [1.5, -0.5], b, c))), 2, rng())
    assert not found.proper
    np.testing.assert_allclose(sorted(found.weights), [-0.5, 1.5], atol=1e-6)


def test_starts_with_positive_weights_come_before_lower_residuals():
    """Of three states in 300 items that have two, the lowest residual has a negative weight."""
    random = rng(3)
    values = random.normal(size=(300, 12)) + 1.5 * random.integers(0, 2, (300, 1))
    moments = view_moments(values, np.repeat(range(3), 4))
    lowest = decompose(moments.tensor, 3, rng(0))[0].residual
    found = fit_states(moments, 3, rng(0))
    assert found.proper
    assert found.residual > lowest + 1e-3


def test_a_judge_on_another_scale_has_means_on_that_scale(grouped_judges):
    design = grouped_judges(0, 3000)
    scale, shift = rng(1).uniform(0.1, 30, 12), rng(2).normal(0, 100, 12)
    plain = fit_states(view_moments(design.values, design.views), 4, rng())
    moved = fit_states(view_moments(design.values * scale + shift, design.views), 4, rng())
    want = plain.means * scale[:, None] + shift[:, None]
    np.testing.assert_allclose(moved.means, want, rtol=1e-6, atol=1e-4)
    np.testing.assert_allclose(moved.weights, plain.weights, atol=1e-6)


def test_the_k_rank_by_hand():
    assert k_rank(np.eye(3)) == 3
    assert k_rank(np.array([[1, 0, 2.0], [0, 1, 0]])) == 1  # two columns are one direction
    assert k_rank(np.array([[1, 0, 1.0], [0, 1, 1]])) == 2
    assert k_rank(np.array([[1, 0.0], [0, 0]])) == 0
    assert k_rank(np.array([[0, 0, 1, 1.0], [0, 1, 0, 1], [1, 1, 1, 1]])) == 3  # a parallelogram


@pytest.mark.parametrize("seed", range(20))
def test_the_k_rank_by_matrix_ranks(monkeypatch, seed):
    monkeypatch.setattr("algeval.aggregate.policy.K_RANK_TOL", 1e-9)
    factor = rng(seed).integers(-1, 2, (4, 5)).astype(float)
    factor = factor[:, np.abs(factor).any(axis=0)]
    r = factor.shape[1]
    whole = [
        k
        for k in range(1, min(4, r) + 1)
        if all(np.linalg.matrix_rank(factor[:, few]) == k for few in combinations(range(r), k))
    ]
    assert k_rank(factor) == max(whole)


@pytest.mark.parametrize(
    ("sizes", "most"), [((1, 1, 1), 2), ((2, 2, 2), 3), ((3, 2, 2), 4), ((4, 4, 4), 6)]
)
def test_the_most_states_views_can_tell_apart(sizes, most):
    assert most_states(np.repeat(range(3), sizes)) == most


def test_kruskals_condition():
    assert unique_by_kruskal((4, 3, 3), 4)
    assert not unique_by_kruskal((3, 3, 3), 4)
    assert unique_by_kruskal((1, 1, 1), 1)
    assert not unique_by_kruskal((1, 1, 0), 1)
    assert not unique_by_kruskal((4, 4, 1), 4)


def test_four_states_that_only_add_up_are_not_unique(confounded_judges):
    """Means good + confounder are corners of a parallelogram: k-ranks 3 + 3 + 3 < 10.

    Starts then fit the exact moment alike with means that differ; with an interaction they do not.
    """
    means = {
        together: [start.means for start in _exact_starts(confounded_judges, together)]
        for together in ("sum", "both")
    }
    design = confounded_judges(0, 1, 1.0, "sum")
    apart = {
        name: max(design._replace(means=found[0]).error(other) for other in found)
        for name, found in means.items()
    }
    assert apart["sum"] > 1
    assert apart["both"] < 1e-3


def _exact_starts(confounded_judges, together):
    """Six fits, each from one start, of the population's moment; each leaves less than 1e-3."""
    design = confounded_judges(0, 1, 1.0, together)
    centered = design.means - design.means.mean(axis=1, keepdims=True)
    factors = [np.vstack([centered[design.views == v], np.ones(4)]) for v in range(3)]
    tensor = composed((factors[0] / 4, *factors[1:]))
    moments = view_moments(rng().normal(size=(9, 24)), design.views)
    moments = moments._replace(tensor=tensor, center=np.zeros(24), spread=np.ones(24))
    every = [fit_states(moments, 4, rng(seed)) for seed in range(4)]
    assert max(found.residual for found in every) < 1e-3
    assert {found.unique for found in every} == {together == "both"}
    return every


def test_a_constant_judge_has_its_constant_in_every_state(grouped_judges):
    design = grouped_judges(0, 3000)
    values = design.values.copy()
    values[:, 5] = 7.0
    found = fit_states(view_moments(values, design.views), 4, rng())
    np.testing.assert_allclose(found.means[5], 7.0)
    assert np.isfinite(found.means).all()


def test_copies_of_a_judge_in_its_view_get_its_means(grouped_judges):
    design = grouped_judges(0, 3000)
    values = np.hstack([design.values, design.values[:, [0, 0]]])
    found = fit_states(view_moments(values, np.append(design.views, [0, 0])), 4, rng())
    np.testing.assert_allclose(found.means[[12, 13]], found.means[[0, 0]], atol=1e-9)
    assert found.proper
    assert design.error(found.means[:12]) < 1.0


def test_copies_in_another_view_are_seen_in_the_residual(grouped_judges):
    design = grouped_judges(0, 3000)
    values = np.hstack([design.values, design.values[:, [0]]])
    right, wrong = np.append(design.views, 0), np.append(design.views, 1)
    found = best_states(values, [wrong, right], 4, rng())
    assert found.views.tolist() == right.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_views_along_the_graph_beat_random_ones(grouped_judges, seed):
    """20,000 items: true views .15 to .29; random ones miss by at least five times as much."""
    design = grouped_judges(seed, 20_000)
    known = best_states(design.values, [design.views], 4, rng())
    chance = best_states(design.values, [rng(seed).permutation(design.views)], 4, rng())
    assert design.error(known.means) < 0.3
    assert design.error(chance.means) > 5 * design.error(known.means)
    assert chance.residual > 5 * known.residual


def test_missing_scores_cost_little_where_complete_items_are_few(grouped_judges):
    """10% missing, 12 judges: 28% of the items are complete. 8 seeds, 5,000 items, medians:
    complete items .78, every triple's own items .43, nothing missing .41.
    """
    every, complete, whole = [], [], []
    for seed in range(8):
        design = grouped_judges(seed, 5000)
        gone = rng(seed + 50).random(design.values.shape) < 0.1
        values = np.where(gone, np.nan, design.values)
        for errors, used in (
            (every, values),
            (complete, values[~gone.any(axis=1)]),
            (whole, design.values),
        ):
            found = fit_states(view_moments(used, design.views), 4, rng(1))
            errors.append(design.error(found.means) if found.proper else np.inf)
    assert np.median(every) < 1.3 * np.median(whole)
    assert np.median(complete) > 1.5 * np.median(every)


def test_the_error_halves_when_items_are_four_times_as_many(grouped_judges):
    """CARE, theorem 4.3: n^(-1/2). Medians of 12 seeds."""
    sizes = (2000, 8000, 32_000)
    errors = {n: [] for n in sizes}
    for n, seed in product(sizes, range(12)):
        design = grouped_judges(seed, n)
        found = fit_states(view_moments(design.values, design.views), 4, rng())
        errors[n].append(design.error(found.means))
    medians = [np.median(errors[n]) for n in sizes]
    print(medians)
    assert 1.6 < medians[0] / medians[1] < 2.5
    assert 1.6 < medians[1] / medians[2] < 2.5


def test_two_views_give_the_means_only_up_to_a_mixing(grouped_judges):
    """CARE, appendix C.2: SVD of two views' moment, two copies aligned by Procrustes.

    In exact population the columns span the true ones', but no rotation makes them equal: what is
    unknown is any invertible matrix, and orthogonal only by luck. Three views leave nothing open.
    """
    design = grouped_judges(0, 1)
    M = [design.means[design.views == v] * np.sqrt(design.weights) for v in range(3)]
    first, second = _half(M[0] @ M[1].T), _half(M[0] @ M[2].T)
    u, _, v = np.linalg.svd(second[0].T @ first[0])
    aligned = np.vstack([first[0], first[1], second[1] @ u @ v])
    truth = np.vstack(M)
    for view in range(3):
        mixed = aligned[4 * view : 4 * view + 4]
        np.testing.assert_allclose(mixed @ np.linalg.lstsq(mixed, M[view])[0], M[view], atol=1e-9)
    u, _, v = np.linalg.svd(aligned.T @ truth)
    assert np.linalg.norm(aligned @ u @ v - truth) > 0.2
    np.testing.assert_allclose(first[0] @ first[1].T, M[0] @ M[1].T, atol=1e-9)


def _half(cross):
    u, s, v = np.linalg.svd(cross)
    return u * np.sqrt(s), v.T * np.sqrt(s)


@pytest.mark.slow
def test_the_design_with_grouped_judges_in_full(grouped_judges):
    """50,000 items, 25 seeds. Views by partition of the inverse correlation, one and three candidates.

    Measured: true views median .122 (largest .22); random ones 3.7, 3 without a mixture; inverse
    correlations .140 and 8 of 25 more than four times off, mean 1.00; of three candidates, with swaps
    while more is left than by chance, .123, 0 of 25, mean .125.
    """
    errors = np.array([_four_ways(grouped_judges(seed, 50_000), seed) for seed in range(25)])
    medians, far = np.median(errors, axis=0), (errors > 4 * errors[:, :1]).sum(axis=0)
    print(medians, far, errors.mean(axis=0))
    assert medians[0] < 0.14
    assert medians[1] > 10 * medians[0]
    assert medians[3] < 1.5 * medians[0]
    assert far[3] < far[2] < far[1]


def _four_ways(design, seed):
    parts = [each.views for each in enumerated(np.linalg.inv(np.corrcoef(design.values.T)))[:3]]
    ways = [design.views], [rng(seed).permutation(design.views)], parts[:1], parts
    found = [best_states(design.values, views, 4, rng(1)) for views in ways]
    return [design.error(each.means) if each.proper else np.inf for each in found]
