"""Order 2 does not grow with the items; panels of 1,500 items are settled within a minute."""

import time

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic import alarm, panel
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import decide
from algeval.logic.orders.pair_interior import pair_counts
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock

pytestmark = pytest.mark.benchmark


def sketch(n_items, n_judges=20, n_labels=3, best=0.9):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, n_labels, n_items)
    right = rng.random((n_items, n_judges)) < np.linspace(0.5, best, n_judges)
    noise = rng.integers(0, n_labels, right.shape)
    codes = np.where(right, truth[:, None], noise).astype(np.int16)
    labels = list("abcdef")[:n_labels]
    return Sketch(list(map(str, range(n_judges))), labels, labels, codes, np.ones(n_items, int))


def seconds(function, repeat=1):
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return best, result


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_a_million_items_cost_what_a_thousand_cost(level):
    """Twenty judges, three labels: beyond counting the pairs, only the size of the numbers grows."""
    spec, times = Specification.at_least(level), {}
    for n_items in (10**3, 10**6):
        data = sketch(n_items)
        exam, counting = read_exam(data), seconds(lambda data=data: pair_counts(data))
        taken, found = seconds(
            lambda exam=exam, observed=counting[1]: decide(
                Order2(exam, observed), spec, Clock(None)
            )
        )
        assert found.possible is not None
        times[n_items] = taken
        print(
            f"\n{n_items} items at {level}: pairs {counting[0]:.2f} s, order 2 {taken:.2f} s, "
            f"possible: {found.possible}"
        )
    assert times[10**6] < 5 * times[10**3]


@pytest.mark.parametrize("order", [2, "full"])
def test_a_panel_of_fifteen_judges_takes_less_than_its_minute(order):
    data = sketch(1500, n_judges=15, n_labels=2, best=0.75)
    one, _ = seconds(lambda: alarm(data, 0.8, order=order), repeat=3)
    taken, found = seconds(lambda: panel(data, 0.8, order=order))
    print(f"\norder {order}: alarm {one:.2f} s, panel {taken:.2f} s, short {found.min_violators}")
    assert found.exact
    assert taken < 60
