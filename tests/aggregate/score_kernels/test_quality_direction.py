"""Directions of a low-rank part: rules by hand, and the theory of paper 002 on simulated judges."""

import numpy as np
import pytest
from scipy.stats import ortho_group, spearmanr

from algeval.aggregate.scores.care_svd import (
    anchored,
    balanced,
    directions,
    latent,
    leading,
    subtraction,
    with_latents,
)
from algeval.aggregate.scores.care_svd import split_sparse_low_rank as split

NARROW = np.array([0.0, 0, 0, 0, 1, 1]) / np.sqrt(2)
BROAD = np.array([1.0, 1, 1, 1, 0, 0]) / 2


def low_rank(*parts):
    return sum(value * np.outer(vector, vector) for value, vector in parts)


def test_each_rule_takes_the_direction_it_names():
    found = directions(low_rank((3.0, -NARROW), (2.0, BROAD)))
    np.testing.assert_allclose(found.values, [3, 2])
    np.testing.assert_allclose(found.breadth, [2 / np.sqrt(12), 4 / np.sqrt(24)])
    first, even = leading(found), balanced(found)
    np.testing.assert_allclose(first.weights, NARROW, atol=1e-12)
    np.testing.assert_allclose(even.weights, BROAD, atol=1e-12)
    assert (first.place, even.place) == (0, 1)
    assert first.gap == pytest.approx(1 / 3)
    rng = np.random.default_rng(0)
    standard = rng.normal(size=(30, 6))
    for truth in (NARROW, BROAD, -BROAD):
        anchors = np.exp(standard @ truth)
        np.testing.assert_allclose(anchored(found, standard, anchors).weights, truth, atol=1e-12)


def test_anchors_that_say_nothing_leave_the_sign_to_the_sum():
    found = directions(low_rank((3.0, -NARROW), (2.0, BROAD)))
    standard = np.random.default_rng(0).normal(size=(8, 6))
    same = anchored(found, standard, np.full(8, 4.0))
    assert same.weights.sum() > 0


def test_subtraction_by_hand():
    found = directions(low_rank((4.0, BROAD), (1.0, NARROW)))
    want = 2 * BROAD - NARROW
    np.testing.assert_allclose(subtraction(found, 0), want / np.linalg.norm(want), atol=1e-12)
    other = 1 * NARROW - 2 * BROAD
    np.testing.assert_allclose(subtraction(found, 1), other / np.linalg.norm(other), atol=1e-12)
    alone = directions(low_rank((4.0, BROAD)))
    np.testing.assert_allclose(subtraction(alone, 0), BROAD, atol=1e-12)


def test_ties_and_nothing():
    tied = leading(directions(low_rank((1.0, BROAD), (0.95, NARROW))))
    assert tied.tied
    assert tied.gap == pytest.approx(0.05)
    assert not leading(directions(low_rank((1.0, BROAD), (0.5, NARROW)))).tied
    alone = leading(directions(low_rank((1.0, BROAD))))
    assert (alone.gap, alone.tied) == (1.0, False)
    assert directions(np.zeros((4, 4))).values.shape == (0,)
    assert leading(directions(np.array([[2.0, 0], [0, 1.0]]))).gap == pytest.approx(0.5)


def test_judges_in_another_order():
    found = low_rank((3.0, NARROW), (2.0, BROAD))
    order = np.random.default_rng(1).permutation(6)
    for rule in (leading, balanced):
        first = rule(directions(found)).weights
        second = rule(directions(found[np.ix_(order, order)])).weights
        np.testing.assert_allclose(second, first[order], atol=1e-12)


def test_one_latent_alone_is_a_multiple_of_its_eigenvector_times_the_scores():
    """E[h | x] by the joint normal law of judges and latents, against v.z (no inverse)."""
    rng = np.random.default_rng(2)
    K = ortho_group.rvs(7, random_state=3)[:, :2] * [0.9, 0.6]
    joint = np.block([[2 * np.eye(7), -K], [-K.T, np.eye(2)]])
    sigma = np.linalg.inv(joint)
    assert np.linalg.eigvalsh(joint)[0] > 0
    x = rng.normal(size=(20, 7))
    mean = x @ np.linalg.solve(sigma[:7, :7], sigma[:7, 7:])
    found = directions(2 * np.eye(7) - np.linalg.inv(sigma[:7, :7]))
    scores = found.scores(x)
    for k in range(2):
        assert abs(np.corrcoef(scores[:, k], mean[:, k])[0, 1]) == pytest.approx(1)


def test_scores_left_out_are_normal_given_the_others():
    """Mean and variance of a latent by the joint normal law of the judges seen and the latent alone."""
    rng = np.random.default_rng(5)
    K = rng.normal(size=(5, 2)) * 0.4
    joint = np.linalg.inv(np.block([[2 * np.eye(5), -K], [-K.T, np.eye(2)]]))
    sigma, prior = joint[:5, :5], joint[5, 5]
    seen = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [0, 0, 0, 0, 0], [1, 0, 1, 0, 1.0]])
    z = rng.normal(size=(4, 5)) * seen
    mean, variance = latent(K[:, 0], sigma, z, seen)
    for row in range(4):
        o = np.flatnonzero(seen[row])
        weights = np.linalg.solve(sigma[np.ix_(o, o)], joint[o, 5])
        assert mean[row] == pytest.approx(z[row, o] @ weights / np.sqrt(prior))
        assert variance[row] == pytest.approx((prior - joint[5, o] @ weights) / prior)
    assert (mean[2], variance[2]) == (0, pytest.approx(1))
    want = joint[:5, 5:] / np.sqrt(np.diag(joint)[5:])
    np.testing.assert_allclose(with_latents(K, sigma), want, atol=1e-12)


def confounded(seed):
    """Loadings of quality u, of confounders, the two low-rank parts."""
    rng = np.random.default_rng(seed)
    p, k = int(rng.integers(3, 15)), int(rng.integers(1, 4))
    u = rng.normal(size=p)
    u /= np.linalg.norm(u)
    K = rng.normal(size=(p, k)) * 10 ** rng.uniform(-2.5, 0.2)
    return u, rng.uniform(0.5, 3), K @ K.T, rng


@pytest.mark.parametrize("block", range(4))
def test_a_rank_one_fit_errs_by_no_more_than_d6_and_d7_say(block):
    """|u - s v| <= 2^1.5 |L_conf| / gap, gap the eigenvalue of quality's part; times |x| for u.x."""
    tightest = 0.0
    for seed in range(500 * block, 500 * block + 500):
        u, value, L_conf, rng = confounded(seed)
        v = leading(directions(value * np.outer(u, u) + L_conf)).weights
        s = 1.0 if u @ v >= 0 else -1.0
        bound = 2**1.5 * np.linalg.norm(L_conf, 2) / value
        error = np.linalg.norm(u - s * v)
        assert error <= bound + 1e-12
        x = rng.normal(size=(5, len(u)))
        assert (np.abs(x @ (u - s * v)) <= bound * np.linalg.norm(x, axis=1) + 1e-12).all()
        tightest = max(tightest, error / bound)
    assert tightest > 0.15  # a bound met from afar would be passed by anything


@pytest.mark.parametrize("block", range(4))
def test_loadings_that_are_not_quite_orthogonal_err_as_d4_says(block):
    """Prop 4.1: |u_i - s v_i| <= 2^1.5 |E'| / gap_i, E' = what the move of K does to L."""
    tightest = 0.0
    for seed in range(250 * block, 250 * block + 250):
        rng = np.random.default_rng(seed)
        p = int(rng.integers(4, 13))
        k = int(rng.integers(2, 4))
        K = ortho_group.rvs(p, random_state=seed)[:, :k]
        values = np.sort(rng.uniform(0.5, 3, k))[::-1]
        E = rng.normal(size=K.shape) * 10 ** rng.uniform(-4, -1)
        size = np.linalg.norm(E, 2)
        found = np.linalg.eigh((K + E) * values @ (K + E).T)[1][:, ::-1]
        for i in range(k):
            others = np.append(np.delete(values, i), 0.0)
            bound = 2**1.5 * values[0] * (2 * size + size**2) / np.abs(others - values[i]).min()
            v = found[:, i]
            error = min(np.linalg.norm(K[:, i] - v), np.linalg.norm(K[:, i] + v))
            assert error <= bound + 1e-12
            tightest = max(tightest, error / bound)
    assert tightest > 0.1


def incoherent(p=16):
    """Covariance with two edges and two orthogonal loadings on all judges; the first loading."""
    first = np.linspace(0.7, 1.3, p)
    first /= np.linalg.norm(first)
    second = np.resize([1.0, 1, -1, -1], p)
    second -= first * (first @ second)
    second /= np.linalg.norm(second)
    S = 1.5 * np.eye(p)
    S[0, 1] = S[1, 0] = S[4, 7] = S[7, 4] = 0.3
    return np.linalg.inv(S - 1.1 * np.outer(first, first) - 0.6 * np.outer(second, second)), first


@pytest.mark.parametrize("loss", ["log-det", "d-trace"])
def test_four_times_the_items_halve_the_error(loss):
    """Theorem 4.2: penalties that fall like n^-1/2; medians over exams of the leading direction."""
    sigma, truth = incoherent()
    medians = []
    for n in (4_000, 16_000, 64_000):
        errors = []
        for seed in range(7):
            scores = np.random.default_rng(seed).multivariate_normal(np.zeros(16), sigma, n)
            setting = {"sparse": n**-0.5, "low_rank": 4 * n**-0.5, "diagonal": False, "tol": 1e-8}
            found = split(np.cov(scores.T), loss=loss, **setting)
            v = leading(directions(found.low_rank)).weights
            errors.append(np.linalg.norm(truth - v))
        medians.append(float(np.median(errors)))
    first, second, third = medians
    assert 1.5 < first / second < 2.5
    assert 1.5 < second / third < 2.5


def test_near_copies_take_the_leading_direction_and_leave_the_balanced_one():
    """16 judges of one trait, and 6 near copies of something else (A2: the leading rule collapses)."""
    rng = np.random.default_rng(0)
    quality, other = rng.normal(size=(2, 3000))
    judges = 0.7 * quality[:, None] + np.sqrt(0.51) * rng.normal(size=(3000, 16))
    copies = np.sqrt(0.9) * other[:, None] + np.sqrt(0.1) * rng.normal(size=(3000, 6))
    z = np.hstack([judges, copies])
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    penalty = 0.004 / np.sqrt(22)
    found = split(np.corrcoef(z.T), loss="d-trace", sparse=penalty, low_rank=penalty)
    rows = directions(found.low_rank)
    assert abs(spearmanr(z @ leading(rows).weights, quality)[0]) < 0.2
    assert spearmanr(z @ balanced(rows).weights, quality)[0] > 0.9
    few = rng.permutation(3000)[:40]
    assert spearmanr(z @ anchored(rows, z[few], quality[few]).weights, quality)[0] > 0.9


def figure_5(quality, confounder, noise):
    """How well scores follow the posterior mean of quality: leading vector, and either sign of C.4.

    The precision is exact: errors of 1 / noise, two latents; its diagonal is raised where needed to
    be positive definite.
    """
    low_rank = np.outer(quality, quality) + np.outer(confounder, confounder)
    precision = np.diag(noise) - low_rank
    precision += np.eye(len(noise)) * max(0.0, 0.3 - np.linalg.eigvalsh(precision)[0])
    sigma = np.linalg.inv(precision)
    found = directions(low_rank)
    first, second = (found.vectors * np.sqrt(found.values)).T
    assert np.allclose(subtraction(found, 0), (first - second) / np.linalg.norm(first - second))

    def follows(weights):
        size = (weights @ sigma @ weights) * (quality @ sigma @ quality)
        return weights @ sigma @ quality / np.sqrt(size)

    return follows(first), follows(first - second), follows(first + second)


def test_subtraction_harms_where_latents_share_no_judge_and_hangs_on_a_sign_where_they_do():
    """Figure 5 of the paper: worse where loadings are orthogonal; elsewhere one sign helps, one harms."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        noise = rng.uniform(1, 2, 12)
        apart = (
            np.r_[rng.uniform(0.6, 1, 8), np.zeros(4)],
            np.r_[np.zeros(8), rng.uniform(0.5, 0.9, 4)],
        )
        leading, minus, plus = figure_5(*apart, noise)
        assert leading > max(minus, plus)
        shared = rng.uniform(0.6, 0.8, 12), np.r_[np.zeros(6), rng.uniform(1.2, 1.4, 6)]
        leading, minus, plus = figure_5(*shared, noise)
        assert min(minus, plus) < leading < max(minus, plus)
