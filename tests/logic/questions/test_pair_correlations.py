"""Ranges of pair correlations: by hand, and against every labelling of small exams."""

import json
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Summary, Votes
from algeval.errors import DataError
from algeval.logic import pair_correlations
from algeval.result import Status


def exams(seed, n_labels, *, missing=False, extra=False, n_judges=2, most=6):
    rng = np.random.default_rng([seed, n_labels, missing, extra])
    n_items = int(rng.integers(1, most + 1))
    answers = list("abcd")[: n_labels + extra]
    lowest = -1 if missing else 0
    codes = rng.integers(lowest, len(answers), (n_items, n_judges)).astype(np.int16)
    judges = list("xyz")[:n_judges]
    return Sketch(judges, answers[:n_labels], answers, codes, np.ones(n_items, int))


def rows_of(data):
    return np.repeat(data.codes, data.counts, axis=0)


def gamma(rows, truth, t, a, b, rule):
    """Eq. (18) as printed, item by item; None without items."""
    counted = truth == t
    if rule == "excluded":
        counted &= (rows >= 0).all(1)
    q = int(counted.sum())
    if not q:
        return None
    first, second = rows[counted, 0] == a, rows[counted, 1] == b
    joint = int((first & second).sum())
    return F(joint, q) - F(int(first.sum()), q) * F(int(second.sum()), q)


def by_brute_force(data, rule):
    """{answer key: {(a, b, t): (lowest, highest)}} over all true labels of all items."""
    rows = rows_of(data)
    found = {}
    for labels in product(range(data.n_labels), repeat=len(rows)):
        truth = np.array(labels)
        key = tuple(np.bincount(truth, minlength=data.n_labels).tolist())
        ranges = found.setdefault(key, {})
        for place in np.ndindex(data.n_answers, data.n_answers, data.n_labels):
            a, b, t = place
            value = gamma(rows, truth, t, a, b, rule)
            if value is not None:
                low, high = ranges.get(place, (value, value))
                ranges[place] = min(low, value), max(high, value)
    return found


def check(data, rule):
    for key, expected in by_brute_force(data, rule).items():
        found = pair_correlations(data, "x", "y", key_counts=key, missing=rule)
        shape = (data.n_answers, data.n_answers, data.n_labels)
        assert found.ranges.shape == (*shape, 2)
        for place in np.ndindex(shape):
            ends = found.ranges[place].tolist()
            assert ends == list(expected.get(place, (None, None))), (key, place)


@pytest.mark.parametrize("seed", range(12))
def test_two_labels_against_every_labelling(seed):
    check(exams(seed, 2), "excluded")


@pytest.mark.parametrize("seed", range(4))
def test_three_labels_against_every_labelling(seed):
    check(exams(seed, 3, most=5), "excluded")


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
@pytest.mark.parametrize("seed", range(8))
def test_missing_and_extra_answers_against_every_labelling(seed, rule):
    check(exams(seed, 2, missing=True, extra=seed % 2 == 1), rule)


@pytest.mark.slow
def test_many_against_every_labelling():
    for seed in range(100, 160):
        for rule in ("excluded", "wrong"):
            check(exams(seed, 2, missing=True, extra=seed % 3 == 0, most=8), rule)
            check(exams(seed, 3, missing=True, most=6), rule)


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_large_tables_against_every_table(rule):
    """Counts beyond what labellings allow: every x, r, s, w of each size."""
    counts = {("a", "a"): 7, ("a", "b"): 2, ("b", "a"): 5, ("b", "b"): 3}
    missing = {(None, "a"): 4, ("b", None): 3}
    data = Sketch.from_counts(counts | missing, judges=["x", "y"])
    unanswered = rule == "excluded"
    left = 7 if unanswered else 0
    limits = (7, 2, 5, 3) if unanswered else (7, 2, 9, 6)
    for q in range(data.n_items + 1):
        key = (q, data.n_items - q)
        found = pair_correlations(data, "x", "y", key_counts=key, missing=rule)
        values = [
            F(x * sum((x, r, s, w)) - (x + r) * (x + s), sum((x, r, s, w)) ** 2)
            for x, r, s, w in product(*(range(n + 1) for n in limits))
            if 0 <= q - sum((x, r, s, w)) <= left and x + r + s + w
        ]
        expected = (min(values), max(values)) if values else None
        assert found.range_of("a", "a", "a") == expected


def test_by_hand():
    """{aa: 3, bb: 3}, 4 items of a: 3 and 1 of each kind give 3/16, 2 and 2 give 1/4."""
    data = Sketch.from_counts({("a", "a"): 3, ("b", "b"): 3}, judges=["x", "y"])
    found = pair_correlations(data, "x", "y", key_counts=(4, 2))
    assert found.status is Status.OK
    assert found.range_of("a", "a", "a") == (F(3, 16), F(1, 4))
    assert found.range_of("a", "b", "a") == (F(-1, 4), F(-3, 16))
    assert found.range_of("a", "a", "b") == (0, F(1, 4))
    assert {t for *_, t in found.dependent} == {"a"}
    assert len(found.dependent) == 4


def test_a_label_without_items_is_vacuous():
    data = Sketch.from_counts({("a", "b"): 2, (None, "a"): 1}, judges=["x", "y"])
    found = pair_correlations(data, "x", "y", key_counts=(3, 0))
    assert found.range_of("a", "b", "b") is None
    assert found.range_of("a", "b", "a") == (0, 0)
    assert "a and b on b: nothing" in found.summary()
    assert "missing answers, counted as excluded" in found.summary()


def test_further_judges_change_nothing():
    for seed in range(10):
        data = exams(seed, 2, missing=True, n_judges=3)
        key = (data.n_items // 2, data.n_items - data.n_items // 2)
        wide = pair_correlations(data, "z", "x", key_counts=key)
        narrow = pair_correlations(data.marginal(["z", "x"]), "z", "x", key_counts=key)
        assert wide.ranges.tolist() == narrow.ranges.tolist()
        turned = pair_correlations(data, "x", "z", key_counts=key)
        assert wide.ranges.tolist() == turned.ranges.swapaxes(0, 1).tolist()


def test_a_billion_items():
    """x + w reaches 2 * 10^9 at least, of 3 * 10^9 items of a."""
    n = 10**9
    data = Sketch.from_counts({("a", "a"): 2 * n, ("b", "b"): n, ("a", "b"): n}, judges=["x", "y"])
    found = pair_correlations(data, "x", "y", key_counts=(3 * n, n))
    assert found.range_of("a", "a", "a") == (0, F(2, 9))
    assert found.range_of("a", "b", "a") == (F(-2, 9), 0)


def test_it_writes_strict_json():
    votes = Votes.from_columns({"x": ["a", "b", None], "y": ["a", "a", "b"]})
    found = pair_correlations(votes, "x", "y", key_counts=(2, 1))
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["schema"] == "algeval.pair_correlations/1"
    assert written["both_answered"] == 2
    assert F(written["ranges"][0][0][0][1]) == found.range_of("a", "a", "a")[1]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"other": "x"}, "judge and other must be two judges; got 'x' twice"),
        ({"other": "nobody"}, "nobody"),
        ({"key_counts": (3, 3)}, "answer-key counts must hold one count per label"),
        ({"missing": "ignored"}, "missing must be one of"),
        ({"data": Summary.from_counts({"x": {"a": 2}, "y": {"b": 2}})}, "counts per judge"),
    ],
)
def test_wrong_input_is_told(changed, told):
    data = Sketch.from_counts({("a", "b"): 2, ("b", "b"): 1}, judges=["x", "y"])
    given = {"data": data, "judge": "x", "other": "y", "key_counts": (2, 1)} | changed
    with pytest.raises(DataError, match=told):
        pair_correlations(given.pop("data"), given.pop("judge"), given.pop("other"), **given)
