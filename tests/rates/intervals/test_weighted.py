"""Unequal chances: the plain form where chances are equal, no bias and honest ends where they are not."""

import numpy as np
import pytest

from algeval.rates.intervals import ppi, weighted


def data(rng, n_items=1000):
    share = rng.beta(1, 1, n_items)
    return (rng.random(n_items) < share) * 1.0, share


@pytest.mark.parametrize("target", ["items", "population"])
def test_equal_chances_are_the_plain_form(target):
    y, f = data(np.random.default_rng(0))
    found = weighted(y[:80], f[:80], f, np.full(80, 0.08), target=target)
    assert found[:4] == pytest.approx(ppi(y[:80], f[:80], f, target=target)[:4])


def test_a_constant_added_to_the_numbers_changes_nothing():
    rng = np.random.default_rng(1)
    y, f = data(rng)
    chance = rng.uniform(0.05, 0.5, 60)
    plain, moved = (
        weighted(y[:60], a * f[:60] + b, a * f + b, chance) for a, b in ((1, 0), (3, 7))
    )
    assert moved[:3] == pytest.approx(plain[:3])


@pytest.mark.parametrize("target", ["items", "population"])
def test_unequal_draws_are_put_right(target):
    rng = np.random.default_rng(2)
    rates, held, naive = [], 0, []
    for _ in range(800):
        y, f = data(rng)
        chance = 0.03 + 0.24 * (1 - f) ** 2  # failures are looked at more often
        rows = np.flatnonzero(rng.random(1000) < chance)
        found = weighted(y[rows], f[rows], f, chance[rows], target=target)
        truth = y.mean() if target == "items" else 0.5
        rates.append(found.rate - truth)
        naive.append(y[rows].mean() - truth)
        held += found.low <= truth <= found.high
    assert np.mean(naive) < -0.15
    assert abs(np.mean(rates)) < 0.01
    assert held / 800 >= 0.93


def test_labels_alike_are_as_many_as_their_weights_make_them():
    y, f = np.ones(20), np.ones(20)
    every = np.ones(200)
    even = weighted(y, f, every, np.full(20, 0.1))
    uneven = weighted(y, f, every, np.append(np.full(19, 0.9), 0.01))
    assert even.low > 0.8
    assert uneven.low < 0.3


def test_items_labelled_for_certain_do_not_vouch_for_the_others():
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(300):
        y = (rng.random(2000) < 0.9) * 1.0
        f = np.where(rng.random(2000) < 0.95, y, 1 - y)
        order = rng.permutation(2000)
        rows, chance = order[:510], np.r_[np.ones(500), np.full(10, 10 / 1500)]
        found = weighted(y[rows], f[rows], f, chance)
        held += found.low <= y.mean() <= found.high
    assert held / 300 >= 0.93  # .65 where a miss counted less for every item labelled before


def test_all_drawn_for_certain_has_width_zero():
    y, f = data(np.random.default_rng(4), 60)
    found = weighted(y, f, f, np.ones(60))
    assert found.low == found.high == pytest.approx(y.mean())


def test_of_more_prompts_each_counts_once():
    rng = np.random.default_rng(7)
    clusters, held, apart = np.repeat(np.arange(60), 5), 0, 0
    for _ in range(300):
        ease = rng.normal(size=60)[clusters]
        y = (np.sqrt(0.7) * ease + np.sqrt(0.3) * rng.normal(size=300) < 0.25) * 1.0
        f = np.where(rng.random(300) < 0.85, y, 1 - y)
        chance = np.where(f == 1, 0.2, 0.4)
        rows = np.flatnonzero(rng.random(300) < chance)
        drawn = (y[rows], f[rows], f, chance[rows])
        by_prompt = weighted(*drawn, target="population", clusters=(clusters[rows], clusters))
        by_output = weighted(*drawn, target="population")
        held += by_prompt.low <= 0.5987 <= by_prompt.high
        apart += by_output.low <= 0.5987 <= by_output.high
    assert held / 300 >= 0.93
    assert apart / 300 < 0.9
    items = [weighted(*drawn, clusters=of) for of in (None, (clusters[rows], clusters))]
    assert items[0] == items[1]


@pytest.mark.parametrize("good", [0, 1])
def test_few_labels_of_a_kind_that_stand_for_many_each_leave_room(good):
    rng = np.random.default_rng(8)
    low = high = runs = 0
    for _ in range(300):
        y = (rng.random(150) < 0.03) * 1.0
        f = np.where(rng.random(150) < 0.85, y, 1 - y)
        chance = np.where(f == 1, 0.15, 0.35)  # what judges call rare is looked at less often
        rows = np.flatnonzero(rng.random(150) < chance)
        if not 1 <= y[rows].sum() <= 3:
            continue
        y, f = (y, f) if good else (1 - y, 1 - f)
        found = weighted(y[rows], f[rows], f, chance[rows])
        runs += 1
        low += y.mean() < found.low - 1e-9
        high += y.mean() > found.high + 1e-9
    assert runs > 100
    assert (low + high) / runs < 0.05
