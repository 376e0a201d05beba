"""Full order from 2,500 to 200,000 items: brackets, alarms and verifying grow as the tuples do."""

import csv
import json
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from algeval.data import Sketch
from algeval.logic import alarm, threshold
from algeval.logic.orders import full
from algeval.verify import verify

pytestmark = pytest.mark.benchmark

WIDTH = Fraction(1, 1000)
SCORES = Path(__file__).parents[2] / "../shared/data/civilcomments_judge_scores.csv"


def simulated(n_items, n_judges=21):
    """Two labels, judges between 55 and 90 percent right."""
    rng = np.random.default_rng(2500)
    truth = rng.integers(0, 2, n_items)
    right = rng.random((n_items, n_judges)) < np.linspace(0.55, 0.9, n_judges)
    codes = np.where(right, truth[:, None], 1 - truth[:, None])
    judges = [str(i) for i in range(n_judges)]
    return Sketch(judges, ["0", "1"], ["0", "1"], codes.astype(np.int16), np.ones(n_items, int))


def civil_comments():
    """Scores cut at 4.5; -1 where a judge gave none."""
    with SCORES.open() as file:
        _, *rows = csv.reader(file)
    cut = [[-1 if v == "" else int(float(v) > 4.5) for v in row[1:-1]] for row in rows]
    judges = [str(i) for i in range(len(cut[0]))]
    return Sketch(judges, ["0", "1"], ["0", "1"], np.array(cut, np.int16), np.ones(len(cut), int))


def seconds(function):
    """What a call returns, and the seconds of this process that it took."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def settled(s, missing="excluded"):
    """Seconds of a bracket, of alarms on both its sides, and of verifying all four."""
    found, bracket = seconds(lambda: threshold(s, order="full", missing=missing))
    assert found.upper - found.lower < WIDTH
    low, below = seconds(lambda: alarm(s, found.lower - WIDTH, order="full", missing=missing))
    high, above = seconds(lambda: alarm(s, found.upper + WIDTH, order="full", missing=missing))
    assert (low.triggered, high.triggered) == (False, True)
    shown = (found.witness, found.refutation, low.certificate, high.certificate)
    documents = json.loads(json.dumps([c.to_dict() for c in shown]))
    data = s.to_dict()
    verdicts, checking = seconds(lambda: [verify(d, data) for d in documents])
    assert all(verdicts), [v.sentence for v in verdicts]
    return {"bracket": bracket, "below": below, "above": above, "verify": checking}


def test_growth_is_no_worse_than_linear_in_the_tuples():
    settled(simulated(1000))  # what is imported on first use
    taken = {}
    for n_items in (2_500, 10_000, 50_000, 200_000):
        s = simulated(n_items)
        taken[len(s)] = settled(s)
        print(f"\n{n_items} items, {len(s)} tuples: {taken[len(s)]}")
    (few, least), *_, (many, most) = taken.items()
    for what in most:
        assert most[what] / many < 2 * least[what] / few, what
    assert most["bracket"] < 15


@pytest.mark.parametrize("missing", ["excluded", "wrong"])
def test_real_votes_take_half_a_second(missing):
    if not SCORES.exists():
        pytest.skip(f"no {SCORES}")
    settled(simulated(1000))
    taken = settled(civil_comments(), missing)
    print(f"\n{missing}: {taken}")
    assert taken["bracket"] < 0.5
    assert max(taken["below"], taken["above"]) < 0.5


@pytest.mark.parametrize("n_items", [2_500, 10_000])
def test_ratio_to_the_program_of_all_tuples(monkeypatch, n_items):
    s = simulated(n_items)
    settled(simulated(1000))
    new, taken = seconds(lambda: threshold(s, order="full"))
    monkeypatch.setattr(full, "TUPLES_AT_ONCE", 10**9)
    old, before = seconds(lambda: threshold(s, order="full"))
    print(f"\n{n_items} items: {taken:.2f} s, by one program {before:.2f} s: {before / taken:.1f}x")
    assert new.upper - new.lower <= old.upper - old.lower + Fraction(1, 10**6)
    assert taken < before / 3
