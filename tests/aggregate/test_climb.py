"""Climbs by L-BFGS: the top of a known hill, what converged means, the first step, ties."""

import numpy as np
import pytest

from algeval.aggregate.em import Climb, best_of, climb_from, climb_value

TOP = np.array([1.0, -2.0, 3.0])


def hill(theta, *, held=None):
    """A quadratic with its top at TOP, or at `held`; 5 nats high."""
    away = theta - (TOP if held is None else held)
    return 5.0 - 0.5 * float(away @ away), -away


def test_the_top_of_a_hill_is_found_and_told():
    found = climb_value(np.zeros(3), hill, 10.0, max_iter=50, tol=1e-9)
    assert found.theta == pytest.approx(TOP)
    assert found.objective == pytest.approx(5)
    assert (np.diff(found.trace) >= 0).all()
    end = found.end(1e-9)
    assert (end.converged, end.n_iter, end.what) == (True, found.iterations, "The climb")


def test_converged_compares_the_largest_slope_per_item():
    found = climb_value(np.zeros(3), hill, 10.0, max_iter=1, tol=1e-9)
    slope = np.abs(found.theta - TOP).max() / 10
    assert found.gradient == pytest.approx(slope)
    assert slope > 0.1
    assert found.end(1.01 * slope).converged
    assert not found.end(0.99 * slope).converged


def test_it_starts_where_the_first_step_ends():
    seen = []

    def watched(theta, *, held=None):
        seen.append((held is None, theta.copy()))
        return hill(theta, held=held)

    start = np.array([50.0, 50.0, 50.0])
    climb_from(start, np.zeros(3), watched, 10.0, max_iter=50, tol=1e-9)
    first = next(theta for whole, theta in seen if whole)
    assert first == pytest.approx(start, abs=0.1)


def test_of_equal_climbs_the_first_is_kept():
    climbs = [Climb(np.array([x]), height, 0.0, 1, ()) for x, height in enumerate([1.0, 2.0, 2.0])]
    best, heights = best_of(climbs)
    assert best is climbs[1]
    assert heights == [1, 2, 2]
