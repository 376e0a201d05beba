"""Three views: against every partition, planted groups, and swaps by plain loops."""

from itertools import product
from math import factorial

import numpy as np
import pytest

from algeval.aggregate import policy
from algeval.aggregate.scores.care_tensor import best_partitions, cost_across, enumerated, searched


def symmetric(n, seed):
    S = np.random.default_rng(seed).normal(size=(n, n))
    return S + S.T


def groups_of(views):
    return {frozenset(np.flatnonzero(views == view).tolist()) for view in range(3)}


def every_split(n):
    """All sets of three groups whose sizes differ by at most one, from all 3^n namings."""
    found = set()
    for views in product(range(3), repeat=n):
        sizes = [views.count(view) for view in range(3)]
        if max(sizes) - min(sizes) <= 1:
            found.add(frozenset(groups_of(np.array(views))))
    return found


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8])
def test_every_partition_is_there_once(n):
    found = [frozenset(groups_of(partition.views)) for partition in enumerated(symmetric(n, 0))]
    assert len(found) == len(set(found))
    assert set(found) == every_split(n)


@pytest.mark.parametrize(("n", "count"), [(9, 280), (10, 2100), (12, 5775)])
def test_as_many_as_combinatorics_says(n, count):
    sizes = [n // 3, (n + 1) // 3, (n + 2) // 3]
    alike = max(sizes.count(size) for size in sizes)
    assert count == factorial(n) // np.prod([factorial(s) for s in sizes]) // factorial(alike)
    assert len(enumerated(symmetric(n, 0))) == count


def test_the_cost_is_the_sum_over_pairs_apart():
    S = symmetric(8, 1)
    for views, cost in enumerated(S)[::40]:
        want = sum(abs(S[i, j]) for i in range(8) for j in range(i) if views[i] != views[j])
        assert cost == pytest.approx(want) == cost_across(S, views)


@pytest.mark.parametrize("n", range(3, 10))
@pytest.mark.parametrize("seed", range(8))
def test_swaps_find_the_best_of_all(n, seed):
    S = symmetric(n, seed)
    exact, found = enumerated(S), searched(S, np.random.default_rng(seed))
    assert found[0].cost == pytest.approx(exact[0].cost)
    assert groups_of(found[0].views) == groups_of(exact[0].views)


def test_swaps_end_where_no_swap_saves():
    S = symmetric(14, 3)
    best = searched(S, np.random.default_rng(0))[0]
    for i in range(14):
        for j in range(i):
            other = best.views.copy()
            other[[i, j]] = other[[j, i]]
            assert cost_across(S, other) >= best.cost - 1e-9


@pytest.mark.parametrize("n", [12, 31])
def test_planted_groups_are_found(n):
    rng = np.random.default_rng(n)
    views = rng.permutation(np.arange(n) % 3)
    S = np.where(views[:, None] == views, 0.4, 0.02) * rng.choice([-1, 1], (n, n))
    S = np.tril(S) + np.tril(S, -1).T
    assert groups_of(best_partitions(S, rng)[0].views) == groups_of(views)


@pytest.mark.parametrize("n", [4, 9, 20])
def test_the_next_best_are_other_partitions_at_higher_cost(n):
    found = best_partitions(symmetric(n, 5), np.random.default_rng(0))
    assert len(found) == policy.VIEW_CANDIDATES
    assert len({frozenset(groups_of(partition.views)) for partition in found}) == len(found)
    costs = [partition.cost for partition in found]
    assert costs == sorted(costs)


def test_three_judges_have_one_partition():
    (only,) = best_partitions(symmetric(3, 0), np.random.default_rng(0))
    assert only.views.tolist() == [0, 1, 2]


@pytest.mark.parametrize("n", [9, 16])
def test_judges_in_another_order_fall_into_the_same_groups(n):
    S, order = symmetric(n, 2), np.random.default_rng(1).permutation(n)
    best = best_partitions(S, np.random.default_rng(0))[0]
    moved = best_partitions(S[np.ix_(order, order)], np.random.default_rng(7))[0]
    names = [frozenset(order[list(group)].tolist()) for group in groups_of(moved.views)]
    assert set(names) == groups_of(best.views)


def test_without_dependence_any_partition_will_do():
    found = best_partitions(np.eye(15), np.random.default_rng(0))
    assert found[0].cost == 0
    assert sorted(np.bincount(found[0].views)) == [5, 5, 5]
