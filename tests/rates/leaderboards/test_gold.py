"""Gold in the equations of a leaderboard: the point, the weight of the votes, and the spread."""

import numpy as np
import pytest
from scipy.optimize import root
from scipy.special import expit

import algeval as ae
from algeval.rates.leaderboards import _pieces, cells_of, counts_of, sandwich, with_gold

K, N_CLUSTERS = 4, 60


def drawn(seed=0):
    """Votes that err 15% of the time, truth, and gold for about a third of the battles."""
    rng = np.random.default_rng(seed)
    n = 900
    first = rng.integers(0, K, n)
    second = (first + rng.integers(1, K, n)) % K
    truth = (rng.random(n) > expit(0.4 * (second - first))).astype(int)
    votes = np.where(rng.random(n) < 0.15, 1 - truth, truth)
    known = np.flatnonzero(rng.random(n) < 0.35)
    return first, second, votes, truth, known, rng.integers(0, N_CLUSTERS, n)


def parts(first, second, votes, truth, known, cluster):
    both = [np.concatenate([x, x[known]]) for x in (first, second)]
    cells, cell_of = cells_of(K, *both, np.concatenate([votes, truth[known]]), ordered=False)
    shape, n = (N_CLUSTERS, len(cells)), len(first)
    return (
        cells,
        counts_of(cluster, cell_of[:n], shape),
        counts_of(cluster[known], cell_of[known], shape),
        counts_of(cluster[known], cell_of[n:], shape),
    )


def test_the_ratings_solve_the_equations_as_written():
    first, second, votes, truth, known, cluster = drawn()
    found = with_gold(*parts(first, second, votes, truth, known, cluster), "half")
    share = found.lambda_

    def equation(free):
        at = np.append(free, -free.sum())
        p = expit(at[first] - at[second])
        of_votes, of_truth = (1 - votes) - p, (1 - truth) - p
        mixed = of_truth[known] - share * of_votes[known]
        total = np.zeros(K)
        for who, sign in ((first, 1), (second, -1)):
            total += sign * share * np.bincount(who, of_votes, K) / len(first)
            total += sign * np.bincount(who[known], mixed, K) / len(known)
        return total[:-1]

    free = root(equation, np.zeros(K - 1), tol=1e-12).x
    assert found.fit.parameters == pytest.approx(np.append(free, -free.sum()), abs=1e-8)
    assert 0.3 < share < 1


def test_the_weight_of_the_votes_is_where_the_variances_are_least():
    given = parts(*drawn(1))
    found = with_gold(*given, "half")
    _, votes, labelled, gold = given
    shares = [part / part.sum() for part in (gold, votes, labelled)]
    sums = [np.asarray(part.sum(axis=0)).ravel() for part in shares]
    squares, base, slope = _pieces(shares, sums, found.fit)

    def spread(weight):
        way = (base + weight * slope) @ found.fit.inverse
        return np.trace(way.T @ squares @ way)

    grid = np.linspace(0, 1, 1001)
    best = grid[np.argmin([spread(weight) for weight in grid])]
    assert found.lambda_ == pytest.approx(best, abs=0.02)
    assert spread(found.lambda_) < 0.9 * spread(0)


def test_the_spread_is_that_of_whole_data_sets_drawn_again():
    """Standard errors against the spread of estimates over 120 draws of clusters, votes and labels."""
    many = [with_gold(*parts(*drawn(seed)), "davidson") for seed in range(120)]
    points = np.array([one.fit.parameters for one in many])
    told = np.mean([np.sqrt(np.diag(one.covariance)) for one in many], axis=0)
    assert told == pytest.approx(points.std(axis=0), rel=0.15)


def test_votes_that_say_nothing_weigh_nothing():
    first, second, _, truth, known, cluster = drawn(2)
    noise = np.random.default_rng(3).integers(0, 2, len(first))
    found = with_gold(*parts(first, second, noise, truth, known, cluster), "half")
    cells, cell_of = cells_of(K, first[known], second[known], truth[known], ordered=False)
    alone = sandwich(cells, counts_of(cluster[known], cell_of, (N_CLUSTERS, len(cells))), "half")
    assert found.lambda_ < 0.25
    assert np.diag(found.covariance).sum() <= 1.02 * np.diag(alone.covariance).sum()


def battles_of(n_decided, seed=0, n=160):
    """Battles of four systems judged by two, of which people decided the first few."""
    rng = np.random.default_rng(seed)
    strength, rows = {"a": 1.5, "b": 0.7, "c": 0.0, "d": -1.5}, []
    for k in range(n):
        x, y = rng.choice([*strength], 2, replace=False).tolist()
        won = rng.random() < expit(strength[x] - strength[y])
        row = {"battle": k, "model_a": x, "model_b": y}
        for judge, right in (("gpt4_winner", 0.85), ("claude_winner", 0.8)):
            row[judge] = ("model_b", "model_a")[int(won == (rng.random() < right))]
        rows.append(
            row | {"human_winner": ("model_b", "model_a")[int(won)] if k < n_decided else None}
        )
    return rows


@pytest.mark.parametrize("n", [2, 4, 9])
def test_too_few_pairs_of_people_leave_the_ranks_as_judged(n):
    found = ae.leaderboard(battles_of(n))
    judged = ae.leaderboard(
        [{k: v for k, v in row.items() if k != "human_winner"} for row in battles_of(n)]
    )
    assert (found.rank_sets, found.n_gold, found.lambda_) == (judged.rank_sets, n, None)
    assert any("too few to put the judges right by" in warning for warning in found.warnings)


def test_pairs_of_people_that_have_no_end_with_all_votes_are_taken_with_fewer():
    settled = 0
    for seed in range(12):
        found = ae.leaderboard(battles_of(30, seed))
        one_sided = any("too one-sided" in warning for warning in found.warnings)
        assert one_sided == (found.lambda_ is None)
        assert found.rank_sets["a"][0] == 1  # truly first
        assert one_sided or all(np.isfinite([row.low, row.high]).all() for row in found.table)
        settled += not one_sided
    assert settled >= 8
