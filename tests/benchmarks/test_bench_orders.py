"""Order 2 does not grow with the items; panels of 1,500 items are settled within a minute."""

import csv
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic import alarm, panel, threshold
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import decide
from algeval.logic.orders.pair_interior import pair_counts
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock
from algeval.result import Status
from algeval.verify import verify

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


REAL = Path(__file__).parents[2] / "../shared/data/civilcomments_judge_scores.csv"
NINE = [
    "Llama-3.2-3B-Instruct",
    "Qwen3-1.7B",
    "Llama-3.2-1B",
    "Qwen2.5-14B-Instruct",
    "Qwen2.5-3B-Instruct",
    "gemma-3-4b-it",
    "gemma-3-1b-it",
    "Qwen2.5-7B-Instruct",
    "Yi-1.5-9B-Chat",
]
"""Of 21 judges those whose shares of each label are least uneven, so that thresholds are high."""


@pytest.mark.skipif(not REAL.exists(), reason="real votes are not here")
@pytest.mark.parametrize("order", [3, 4])
def test_orders_between_of_nine_judges_and_2500_real_items_take_less_than_a_minute(order):
    """The threshold of order 3 or 4 itself, with its proofs."""
    with REAL.open(newline="", encoding="utf-8") as file:
        rows = [[row[j] for j in NINE] for row in csv.DictReader(file)]
    answers = [["01"[float(s) >= 4.5] for s in row] for row in rows if all(row)]
    data = Sketch.from_counts(Counter(map("".join, answers)), judges=NINE, labels=list("01"))
    start = time.process_time()
    found = threshold(data, order=order, time_limit=60)
    taken = time.process_time() - start
    print(f"\norder {order}: {float(found.lower):.6f} to {float(found.upper):.6f} in {taken:.1f} s")
    assert taken < 60
    assert found.status is Status.OK
    assert found.exact
    for proof in (found.witness, found.refutation):
        assert verify(proof, data).ok
