"""Order 2 from 12 to 40 judges: brackets, alarms and proofs grow as the pairs of answers do."""

import time
from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch
from algeval.logic import alarm, threshold
from algeval.logic.orders import pairs
from algeval.verify import verify

pytestmark = pytest.mark.benchmark


def exam(n_judges, n_items=2_500, n_labels=3):
    rng = np.random.default_rng([n_judges, n_items])
    truth = rng.integers(0, n_labels, n_items)[:, None]
    right = rng.random((n_items, n_judges)) < np.linspace(0.55, 0.9, n_judges)
    other = (truth + rng.integers(1, n_labels, right.shape)) % n_labels
    codes = np.where(right, truth, other).astype(np.int16)
    labels = list("abcdef")[:n_labels]
    return Sketch([str(i) for i in range(n_judges)], labels, labels, codes, np.ones(n_items, int))


def sparse_exam(n_items, n_judges, n_votes):
    rng = np.random.default_rng(7)
    codes = np.full((n_items, n_judges), -1, np.int16)
    who = np.argsort(rng.random((n_items, n_judges)), axis=1)[:, :n_votes]
    truth = rng.integers(0, 2, n_items)[:, None]
    right = rng.random(who.shape) < np.linspace(0.55, 0.95, n_judges)[who]
    codes[np.arange(n_items)[:, None], who] = np.where(right, truth, 1 - truth)
    names = [str(i) for i in range(n_judges)]
    return Sketch(names, ["a", "b"], ["a", "b"], codes, np.ones(n_items, int))


def seconds(function):
    """What a call returns, and the seconds of this process that it took."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def test_growth_is_little_more_than_linear_in_the_pairs_of_answers():
    threshold(exam(16, 400), order=2)  # what is imported on first use
    taken = {}
    for n_judges in (16, 24, 40):
        data = exam(n_judges)
        found, bracket = seconds(lambda data=data: threshold(data, order=2))
        assert found.status.ok
        assert found.upper - found.lower < Fraction(3, 2_500)
        above = found.upper + Fraction(1, 100)
        loud, alarmed = seconds(lambda data=data, above=above: alarm(data, above, order=2))
        assert loud.triggered
        shown = (found.witness, found.refutation, loud.certificate)
        verdicts, checking = seconds(
            lambda data=data, shown=shown: [verify(c, data) for c in shown]
        )
        assert all(verdicts)
        taken[n_judges * (n_judges - 1) // 2] = (bracket, alarmed, checking)
        print(f"\n{n_judges} judges: {found.upper - found.lower}, {taken}")
    (few, least), *_, (many, most) = taken.items()
    for before, after in zip(least, most, strict=True):
        assert after / many < 4 * before / few


def test_ratio_to_the_program_of_all_pairs(monkeypatch):
    data = exam(21)
    new, taken = seconds(lambda: threshold(data, order=2, time_limit=60))
    monkeypatch.setattr(pairs, "PAIRS_AT_ONCE", 10**9)
    old, before = seconds(lambda: threshold(data, order=2, time_limit=60))
    width, other = float(new.upper - new.lower), float(old.upper - old.lower)
    print(f"\n{taken:.1f} s, {width:.5f} wide; by one program {before:.1f} s, {other:.5f} wide")
    assert width < max(1e-3, other)  # a bracket so narrow is left as it is
    assert taken < before / 2


@pytest.mark.parametrize(("order", "shape"), [(2, (20_000, 100, 5)), ("full", (50_000, 500, 5))])
def test_sparse_panels_are_bracketed(order, shape):
    data = sparse_exam(*shape)
    found, taken = seconds(lambda: threshold(data, order=order, time_limit=300))
    print(f"\norder {order}: {taken:.1f} s, {float(found.lower):.4f} to {float(found.upper):.4f}")
    assert found.status.ok
    assert found.upper - found.lower < Fraction(1, 50)
