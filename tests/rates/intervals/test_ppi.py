"""Regression on the judges' numbers: its variance by simulation, its invariances, its limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algeval.rates.intervals import Elsewhere, from_variance, gold_only, ppi, transfer, wilson


def judged(rng, rho2, size):
    """Labels of rate 0.6 and a verdict whose squared correlation with them is rho2."""
    y = (rng.random(size) < 0.6) * 1.0
    return y, np.where(rng.random(size) < np.sqrt(rho2), y, (rng.random(size) < 0.6) * 1.0)


def errors(rho2, n, n_items, replicates, target, ask):
    rng = np.random.default_rng(7)
    found = []
    for _ in range(replicates):
        y, f = judged(rng, rho2, n_items)
        truth = y.mean() if target == "items" else 0.6
        found.append(ask(y[:n], f[:n], f) - truth)
    return float(np.sqrt(np.mean(np.square(found))))


@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize("rho2", [0.1, 0.5, 0.9])
def test_the_error_is_what_the_variance_formula_says(rho2, target):
    n, n_items = 200, 1000
    seen = errors(rho2, n, n_items, 3000, target, lambda y, f, e: ppi(y, f, e, target=target).rate)
    variance = 0.24 * (1 - rho2) * (1 / n - 1 / n_items)
    variance += 0.24 / n_items if target == "population" else 0
    assert seen == pytest.approx(np.sqrt(variance), rel=0.05)


def rogan_gladen(y, f, every):
    kinds = Elsewhere(y.sum(), (y * f).sum(), (1 - y).sum(), ((1 - y) * (1 - f)).sum())
    return transfer(every.sum(), len(every), kinds).rate


def test_rogan_gladen_errs_by_one_over_rho2_more():
    n, n_items, rho2 = 100, 2000, 0.5
    seen = errors(rho2, n, n_items, 3000, "items", rogan_gladen)
    formula = np.sqrt(0.24 * (1 - rho2) / rho2 * (1 / n - 1 / n_items))
    assert seen == pytest.approx(formula, rel=0.15)
    assert seen > 1.2 * np.sqrt(0.24 * (1 - rho2) * (1 / n - 1 / n_items))


def test_rogan_gladen_is_the_regression_with_slope_one_over_se_plus_sp_minus_one():
    y, f = np.repeat([1.0, 1, 0, 0], [60, 7, 5, 28]), np.repeat([1.0, 0, 1, 0], [60, 7, 5, 28])
    million = 1e9  # so many that the half item that smooths a share is nothing
    elsewhere = Elsewhere(*(million * k for k in (67, 60, 33, 28)))
    found = transfer(million * 620, million * 1000, elsewhere).rate
    slope = 1 / (60 / 67 + 28 / 33 - 1)
    assert found == pytest.approx(y.mean() + slope * (0.62 - f.mean()), abs=1e-8)


def data(n=60, n_items=300, seed=3):
    rng = np.random.default_rng(seed)
    y, f = judged(rng, 0.5, n_items)
    return y[:n], f[:n] + 0.1 * rng.random(n), np.concatenate([f[:n], f[n:]])


def regression(y, every):
    return y, every[: len(y)], every


@given(st.floats(0.01, 100), st.floats(-10, 10))
def test_numbers_on_another_scale_change_nothing(scale, shift):
    y, _, every = data()
    for target in ("items", "population"):
        plain = ppi(*regression(y, every), target=target)
        moved = ppi(*regression(y, scale * every + shift), target=target)
        assert moved[:3] == pytest.approx(plain[:3], abs=1e-9)
        assert moved.slope * scale == pytest.approx(plain.slope)


def test_the_form_over_the_others_is_the_same_with_its_own_slope():
    y, _, every = data()
    found = ppi(*regression(y, every))
    slope = found.slope / (1 + len(y) / (len(every) - len(y)))
    assert found.rate == pytest.approx(
        slope * every[60:].mean() + (y - slope * every[:60]).mean(), abs=1e-12
    )


@pytest.mark.parametrize("target", ["items", "population"])
def test_a_constant_judge_or_one_who_is_always_wrong_is_as_none(target):
    y, _, every = data()
    for f in (np.full(300, 0.3), 1 - every):
        assert ppi(*regression(y, f), target=target) == gold_only(y, 300, target=target)


@pytest.mark.parametrize(("k", "n"), [(9, 9), (0, 50), (50, 50), (2, 50), (48, 50)])
def test_few_or_equal_labels_are_taken_alone(k, n):
    y = np.repeat([1.0, 0], [k, n - k])
    found = ppi(y, y, np.tile(y, 4), target="population")
    assert found[:3] == (*wilson(k, n)[:1], k / n, *wilson(k, n)[1:])


def test_all_labelled_has_width_zero():
    y, _, every = data(300)
    assert set(ppi(*regression(y, every))[:3]) == {y.mean()}


def test_nothing_leaves_what_is_certain_of_the_items():
    y, _, every = data(290)
    found = ppi(*regression(y, every))
    assert y.sum() / 300 <= found.low < found.high <= (y.sum() + 10) / 300


def test_the_interval_does_not_jump_where_the_rate_reaches_one():
    y, f = (
        np.repeat([1.0, 0, 0, 0, 0], [36, 1, 1, 1, 1]),
        np.repeat([1.0, 0, 0, 0, 1], [36, 1, 1, 1, 1]),
    )
    ends = []
    for ones in range(1880, 1981, 2):
        every = np.repeat([1.0, 0.0], [ones, 2000 - ones])
        found = ppi(y, f, every, target="population")
        ends.append((found.low, found.rate, found.high))
    ends = np.array(ends)
    assert ends[0, 1] < 0.95 < ends[-1, 1]
    assert np.abs(np.diff(ends, axis=0)).max() < 0.02
    assert ends[:, 0].min() > 0.75


def test_a_judge_who_agreed_with_every_label_is_not_certain():
    y = np.repeat([1.0, 0], [30, 10])
    found = ppi(y, y, np.tile(y, 50))
    one_miss = np.sqrt((1 - 40 / 2000) / 38 / 40)
    assert found.high - found.low == pytest.approx(2 * 2.024 * one_miss, rel=0.02)


def test_ties_count_half():
    y = np.tile([1.0, 0.5, 0.5, 0.0], 15)
    wins = np.tile([1.0, 1.0, 0.0, 0.0], 15)
    ties, split = (ppi(v, np.zeros(60) + v, np.tile(v, 20)) for v in (y, wins))
    assert ties.rate == split.rate == 0.5
    alone, apart = gold_only(y, 1200), gold_only(wins, 1200)
    assert (alone.low, alone.high) == (apart.low, apart.high)


def test_more_labels_are_never_claimed_than_there_are_items():
    found = from_variance(0.5, 1e-9, freedom=100, most=400)
    assert found.n_effective == 400
