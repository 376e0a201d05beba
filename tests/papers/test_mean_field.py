"""Mean-field equations against exact laws: roots, stability, the bound on log Z, and its order."""

import numpy as np
import pytest

from algeval.errors import DataError
from algeval.models.curie_weiss import CurieWeiss, magnetisation
from algeval.models.ising import Ising
from algeval_papers.mean_field import fixed_points, mean_field, objective


def random_law(seed, size=1.0, k=6):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.normal(scale=size, size=(k, k)), 1)
    return Ising(rng.normal(size=k), W + W.T)


@pytest.mark.parametrize("beta", [0.3, 1.0, 1.2, 2.0, 5.0])
@pytest.mark.parametrize("field", [-0.8, -0.05, 0.0, 0.02, 0.5])
def test_all_solutions_are_found_and_only_solutions(beta, field):
    """Signs of tanh(beta m + h) - m on a fine grid tell how many there are, and where."""
    points = fixed_points(beta, field)
    grid = np.linspace(-1, 1, 200_002)
    above = np.tanh(beta * grid + field) > grid
    crossings = (grid[1:] + grid[:-1])[np.diff(above.astype(int)) != 0] / 2
    np.testing.assert_allclose([p.m for p in points], crossings, atol=1e-5)
    for point in points:
        assert point.m == pytest.approx(np.tanh(beta * point.m + field), abs=1e-12)
    assert any(point.m == pytest.approx(magnetisation(beta, field), abs=1e-9) for point in points)


def test_stable_points_are_the_peaks_of_the_objective():
    """By the curvature of Phi as finite differences, and by iterating the equation from beside it."""
    for beta, field in ((0.5, -0.5), (2.0, 0.0), (1.4, 0.02), (3.0, -0.3)):
        for point in fixed_points(beta, field):
            step = 1e-3
            values = objective(point.m + np.array([-step, 0, step]), beta, field)
            assert (values[0] + values[2] < 2 * values[1]) == point.stable
            assert values[1] == point.height
            m = point.m + 1e-6
            for _ in range(2000):
                m = np.tanh(beta * m + field)
            assert (abs(m - point.m) < 1e-6) == point.stable


def test_three_solutions_up_to_the_field_at_which_two_of_them_meet():
    beta = 2.0
    turn = np.sqrt(1 - 1 / beta)
    meet = beta * turn - np.arctanh(turn)
    assert len(fixed_points(beta, meet - 1e-4)) == 3
    assert len(fixed_points(beta, meet + 1e-4)) == 1
    assert [round(p.m, 6) for p in fixed_points(1.0)] == [0.0]
    assert not fixed_points(1.0)[0].stable
    assert [point.m for point in fixed_points(40.0)] == pytest.approx([-1, 0, 1], abs=1e-12)
    assert fixed_points(-3.0)[0].slope == pytest.approx(-3)


def test_the_exact_law_peaks_at_the_stable_points_and_its_weights_follow_heights():
    law = CurieWeiss(2000, 1.5, 0.02)
    m = 2 * np.arange(2001) / 2000 - 1
    p = law.log_pmf()
    low, saddle, high = fixed_points(1.5, 0.02)
    inner = [k for k in range(1, 2000) if p[k - 1] < p[k] > p[k + 1]]
    np.testing.assert_allclose(m[inner], [low.m, high.m], atol=3e-3)
    trough = [k for k in range(1, 2000) if p[k - 1] > p[k] < p[k + 1]]
    np.testing.assert_allclose(m[trough], [saddle.m], atol=3e-3)
    gap = (p[inner[1]] - p[inner[0]]) / 2000
    assert gap == pytest.approx(high.height - low.height, abs=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_the_bound_is_below_log_z_by_the_divergence_of_the_product(seed):
    law = random_law(seed)
    found = mean_field(law)
    q = found.means
    np.testing.assert_allclose(q, 1 / (1 + np.exp(-(law.fields + law.couplings @ q))), atol=1e-10)
    bits = np.array(np.unravel_index(np.arange(64), (2,) * 6)).T
    product = np.where(bits, q, 1 - q).prod(axis=1)
    divergence = (product * np.log(product / law.probabilities())).sum()
    assert found.gap == pytest.approx(divergence, abs=1e-10)
    assert found.gap > 0
    assert found.log_z_bound + found.gap == pytest.approx(law.log_z, abs=1e-12)


def test_it_is_exact_without_couplings_and_off_by_second_order_with_weak_ones():
    base = random_law(3)
    alone = mean_field(Ising(base.fields, np.zeros((6, 6))))
    assert alone.gap == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(alone.means, 1 / (1 + np.exp(-base.fields)), atol=1e-12)
    gaps, errors = [], []
    for eps in (0.1, 0.05, 0.025):
        law = Ising(base.fields, eps * base.couplings)
        found = mean_field(law)
        gaps.append(found.gap)
        errors.append(abs(found.means - law.marginals()).max())
    assert np.log2(np.array(gaps[:-1]) / gaps[1:]) == pytest.approx([2, 2], abs=0.15)
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2, 2], abs=0.15)


@pytest.mark.parametrize(("beta", "field"), [(0.5, -0.5), (2.0, 0.1)])
def test_equal_judges_have_the_curie_weiss_equation_without_themselves(beta, field):
    """A judge sees K - 1 others: m = tanh(beta (1 - 1/K) m + h)."""
    k = 12
    found = mean_field(CurieWeiss(k, beta, field).to_ising())
    m = 2 * found.means - 1
    np.testing.assert_allclose(m, magnetisation(beta * (1 - 1 / k), field), atol=1e-9)


def test_above_beta_1_the_mean_field_breaks_a_symmetry_that_the_law_has():
    law = CurieWeiss(12, 2.0).to_ising()
    found = mean_field(law)
    np.testing.assert_allclose(law.marginals(), 0.5, atol=1e-12)
    assert abs(found.means - 0.5).min() > 0.4
    assert found.stable


def test_judges_who_all_oppose_each_other_swing_when_all_move_at_once():
    """At means of 1/2 the slopes are -1.2 and .6: the bound has a peak, the joint iteration swings."""
    W = -2.4 * (np.ones((3, 3)) - np.eye(3))
    found = mean_field(Ising(np.full(3, 2.4), W))
    np.testing.assert_allclose(found.means, 0.5, atol=1e-9)
    assert not found.stable
    assert found.status.ok


def test_statuses_and_wrong_input():
    hurried = mean_field(random_law(1), max_iter=1)
    assert hurried.status == "not_converged"
    assert "after 1 sweep" in hurried.message
    with pytest.raises(DataError, match="max_iter must be a whole number of at least 1"):
        mean_field(random_law(1), max_iter=0)
    with pytest.raises(DataError, match="beta must be a finite number"):
        fixed_points(float("nan"))
    with pytest.raises(ValueError, match="read-only"):
        hurried.means[0] = 0.0
