"""The split of a precision: recorded optima, cone solvers, bounds that hold anyway, planted parts."""

import sys
from pathlib import Path

import numpy as np
import pytest

from algeval.aggregate.scores.care_svd import bottomless
from algeval.aggregate.scores.care_svd import split_sparse_low_rank as split

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import split_cone  # noqa: E402

sys.path.remove(str(BENCHMARKS))

LOG_DET = {"loss": "log-det", "sparse": 0.05, "low_rank": 0.1, "diagonal": False}


def d_trace(penalty):
    return {"loss": "d-trace", "sparse": penalty, "low_rank": penalty}


def objective(sigma, S, L, *, loss, sparse, low_rank, diagonal=True):
    """The objective, written out entry by entry."""
    R = S - L
    if loss == "log-det":
        value = -np.log(np.linalg.det(R)) + np.trace(sigma @ R)
    else:
        value = np.trace(R @ sigma @ R) / 2 - np.trace(R)
    off = np.abs(S).sum() - (0 if diagonal else np.abs(np.diag(S)).sum())
    return value + sparse * off + low_rank * np.trace(L)


@pytest.mark.parametrize(
    ("file", "setting", "want"),
    [
        ("asset", d_trace(0.004 / np.sqrt(11)), -14.8592994),
        ("asset", d_trace(0.05), -12.1932503),
        ("asset", LOG_DET, 5.7666576),
        ("civilcomments", d_trace(0.004 / np.sqrt(21)), -30.3086345),
        ("civilcomments", d_trace(0.05), -26.0086325),
        ("civilcomments", LOG_DET, 5.3513241),
    ],
)
def test_optima_that_two_cone_solvers_found(real_votes, file, setting, want):
    sigma = split_cone.judge_correlations(real_votes / f"{file}_judge_scores.csv")
    found = split(sigma, **setting)
    assert found.end.converged
    assert found.objective == pytest.approx(want, abs=1e-7)
    assert found.gap < 1e-7
    if setting is LOG_DET:
        assert (found.rank, len(found.edges)) == {"asset": (4, 9), "civilcomments": (5, 1)}[file]


@pytest.mark.parametrize(("file", "gamma"), [("asset", 0.2), ("civilcomments", 0.1)])
def test_at_small_gamma_there_is_no_low_rank_part(real_votes, file, gamma):
    sigma = split_cone.judge_correlations(real_votes / f"{file}_judge_scores.csv")
    penalty = 0.004 / np.sqrt(len(sigma))
    found = split(sigma, loss="d-trace", sparse=gamma * penalty, low_rank=penalty)
    assert found.end.converged
    assert not found.low_rank.any()
    slope = (sigma @ found.sparse + found.sparse @ sigma) / 2 - np.eye(len(sigma))
    assert np.linalg.eigvalsh(slope)[-1] < penalty
    assert found.gap / (penalty - found.pull) < 1e-3  # the trace of any other optimal L
    exact = split(sigma, loss="d-trace", sparse=gamma * penalty, low_rank=penalty, tol=1e-12)
    slope = (sigma @ exact.sparse + exact.sparse @ sigma) / 2 - np.eye(len(sigma))
    assert exact.pull == pytest.approx(np.linalg.eigvalsh(slope)[-1], rel=0.01)
    more = split(sigma, loss="d-trace", sparse=0.5 * penalty, low_rank=penalty)
    assert more.rank > 0


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize("diagonal", [True, False])
@pytest.mark.parametrize("loss", ["d-trace", "log-det"])
@pytest.mark.parametrize(("p", "seed"), [(2, 0), (3, 1), (6, 2), (9, 3)])
def test_cone_solvers_agree(solver, diagonal, loss, p, seed):
    pytest.importorskip(solver)
    rng = np.random.default_rng(seed)
    sparse, low_rank = rng.uniform(0.01, 0.2, 2)
    setting = {"loss": loss, "sparse": sparse, "low_rank": low_rank, "diagonal": diagonal}
    sigma = split_cone.random_correlations(p, seed, 3 * p)
    found = split(sigma, **setting)
    assert found.end.converged
    theirs, _, _ = getattr(split_cone, f"{solver}_objective")(split_cone.Cone(sigma, **setting))
    assert found.objective == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("diagonal", [True, False])
@pytest.mark.parametrize("loss", ["d-trace", "log-det"])
@pytest.mark.parametrize("seed", range(4))
def test_no_feasible_point_is_below_the_bound_and_the_answer_is_one(loss, diagonal, seed):
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 9))
    sigma = split_cone.random_correlations(p, seed, 4 * p)
    setting = {"loss": loss, "sparse": 0.05, "low_rank": 0.08, "diagonal": diagonal}
    found = split(sigma, **setting)
    S, L = found.sparse, found.low_rank
    assert np.linalg.eigvalsh(S - L)[0] >= -1e-12
    assert np.linalg.eigvalsh(L)[0] >= -1e-12
    assert found.objective == pytest.approx(objective(sigma, S, L, **setting), abs=1e-10)
    least = found.objective - found.gap
    early = split(sigma, **setting, max_iter=10)
    assert not early.end.converged
    assert early.objective - early.gap <= found.objective
    for scale in (1e-3, 1e-2, 0.1):
        for _ in range(20):
            move, root = rng.normal(size=(p, p)), rng.normal(size=(p, 1))
            there = L + scale * root @ root.T
            away = S + scale * (move + move.T)
            if np.linalg.eigvalsh(away - there)[0] > 0:
                assert objective(sigma, away, there, **setting) >= least


def test_two_judges_by_hand():
    """With r the correlation, no penalty binds S's diagonal: R = inverse of [[1, r - l], [r - l, 1]]."""
    sigma = np.array([[1.0, 0.5], [0.5, 1.0]])
    found = split(sigma, loss="log-det", sparse=0.1, low_rank=5.0, diagonal=False)
    np.testing.assert_allclose(found.sparse, np.linalg.inv([[1, 0.4], [0.4, 1]]), atol=1e-4)
    assert (found.rank, found.edges) == (0, [(0, 1)])
    assert found.objective == pytest.approx(np.log(0.84) + 2, abs=1e-8)
    none = split(sigma, loss="log-det", sparse=0.5001, low_rank=5.0, diagonal=False)
    assert none.edges == []


def planted():
    """S with three edges less one broad rank-one part, as correlations; and its direction."""
    S = 2 * np.eye(12)
    for i, j, weight in ((0, 1, 0.6), (2, 3, -0.6), (4, 8, 0.6)):
        S[i, j] = S[j, i] = weight
    loading = 0.28 * np.linspace(0.8, 1.2, 12)
    sigma = np.linalg.inv(S - np.outer(loading, loading))
    spread = np.sqrt(np.diag(sigma))
    direction = loading * spread
    return sigma / np.outer(spread, spread), direction / np.linalg.norm(direction)


@pytest.mark.parametrize("loss", ["log-det", "d-trace"])
def test_planted_edges_and_direction_are_found(loss):
    sigma, direction = planted()
    found = split(sigma, loss=loss, sparse=0.002, low_rank=0.004, diagonal=False)
    assert found.edges == [(0, 1), (2, 3), (4, 8)]
    assert [np.sign(found.sparse[pair]) for pair in found.edges] == [1, -1, 1]
    assert found.rank == 1
    assert abs(np.linalg.eigh(found.low_rank)[1][:, -1] @ direction) > 0.9999
    scores = np.random.default_rng(0).multivariate_normal(np.zeros(12), sigma, 100_000)
    noisy = split(np.corrcoef(scores.T), loss=loss, sparse=0.03, low_rank=0.06, diagonal=False)
    assert noisy.edges == found.edges
    assert noisy.rank == 1
    assert abs(np.linalg.eigh(noisy.low_rank)[1][:, -1] @ direction) > 0.997


@pytest.mark.parametrize("loss", ["log-det", "d-trace"])
def test_judges_in_another_order(loss):
    sigma = split_cone.random_correlations(7, 5)
    order = np.random.default_rng(0).permutation(7)
    setting = {"loss": loss, "sparse": 0.05, "low_rank": 0.05}
    first, second = split(sigma, **setting), split(sigma[np.ix_(order, order)], **setting)
    assert second.objective == pytest.approx(first.objective, abs=1e-8)
    np.testing.assert_allclose(second.sparse, first.sparse[np.ix_(order, order)], atol=1e-4)
    np.testing.assert_allclose(second.low_rank, first.low_rank[np.ix_(order, order)], atol=1e-4)


def test_more_judges_than_items():
    sigma = split_cone.random_correlations(12, 0, 6)
    found = split(sigma, loss="log-det", sparse=0.1, low_rank=0.1)
    assert found.end.converged
    assert np.isfinite(found.sparse).all()
    penalty = 0.004 / np.sqrt(12)
    assert bottomless(sigma, loss="d-trace", sparse=penalty)
    never = split(sigma, loss="d-trace", sparse=penalty, low_rank=penalty)
    assert (never.end.converged, never.end.n_iter, never.gap) == (False, 0, np.inf)


def test_a_judge_twice_makes_d_trace_fall_for_ever_unless_the_penalty_holds_it():
    sigma = np.ones((2, 2))  # null vector (1, -1) / sqrt 2, of width (sum |u|)^2 = 2
    for sparse, diagonal, falls in ((0.49, True, True), (0.51, True, False), (0.99, False, True)):
        setting = {"loss": "d-trace", "sparse": sparse, "diagonal": diagonal}
        assert bottomless(sigma, **setting) is falls
        far = 1e6 * np.array([[1, -1], [-1, 1]]) / 2
        value = objective(sigma, far, np.zeros((2, 2)), low_rank=1.0, **setting)
        assert bool(value < -1e3) is falls


def test_a_start_far_from_positive_definite_is_not_taken_for_the_end():
    found = split(split_cone.random_correlations(40, 40), **LOG_DET)
    assert found.end.converged
    assert 0 <= found.gap < 1e-6


def test_stopped_early_is_said():
    sigma = split_cone.random_correlations(8, 1)
    stopped = split(sigma, **d_trace(0.05), max_iter=20)
    assert (stopped.end.converged, stopped.end.n_iter) == (False, 20)
    assert stopped.gap > 1e-6
