"""Order 2: the examples that set it apart, brute force, and proofs that hold at every order."""

import copy
from fractions import Fraction as F
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.errors import DataError, TooLargeError
from algeval.logic import alarm, threshold
from algeval.logic.orders import tables as every_order
from algeval.verify import verify


def sketch_of(tuples, labels="ab"):
    counts = {tuple(u): n for u, n in tuples.items()}
    return Sketch.from_counts(counts, labels=list(labels))


MIDDLE = sketch_of({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})
THREE_LABELS = sketch_of({"cac": 1, "bca": 1, "acc": 1, "bac": 1}, "abc")


def random_sketch(rng, n_judges, n_labels, n_items, missing=False):
    codes = rng.integers(-1 if missing else 0, n_labels, (n_items, n_judges)).astype(np.int16)
    labels = list("abc")[:n_labels]
    judges = [f"j{i}" for i in range(n_judges)]
    return Sketch(judges, labels, labels, codes, np.ones(n_items, int))


def proved(found, data):
    for certificate in (found.witness, found.refutation):
        if certificate is not None:
            verdict = verify(certificate, data)
            assert verdict.ok, verdict.sentence
            assert certificate.claim["order"] == found.order


@pytest.mark.parametrize(
    ("data", "levels"),
    [(MIDDLE, (F(1), F(3, 4), F(2, 3))), (THREE_LABELS, (F(1, 2), F(1, 2), F(1, 4)))],
)
def test_order_2_is_a_genuine_relaxation(data, levels):
    for order, level in zip((1, 2, "full"), levels, strict=True):
        found = threshold(data, order=order, exact=True)
        assert found.lower == found.upper == level
        assert found.exact
        assert found.status.ok
        proved(found, data)


def test_alarm_at_order_2_at_and_above_its_threshold():
    silent = alarm(MIDDLE, "3/4", order=2)
    loud = alarm(MIDDLE, Specification.at_least("3/4", strict=True), order=2)
    assert silent.triggered is False
    assert loud.triggered is True
    assert loud.certificate.kind == "chains"
    assert "order 2" in loud.message
    for found in (silent, loud):
        assert verify(found.certificate, MIDDLE).ok
    assert silent.witness.accuracy("1", "a") is None or silent.witness.accuracy("1", "a") >= F(3, 4)


def test_two_judges_have_no_order_of_their_own_between():
    both = sketch_of({"ab": 5, "ba": 5})
    assert threshold(both, order=2).order == "full"
    assert threshold(both, order=2).lower == F(1, 2)
    with pytest.raises(DataError, match="order must be one of"):
        threshold(both.summary(), order=2)


# Brute force


@cache
def splits(total, width):
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in splits(total - k, width - 1)]


def attained(data):
    """The highest lowest accuracy over every labelling of the sketch."""
    best = F(0)
    for rows in product(*(splits(int(n), data.n_labels) for n in data.counts)):
        cells, levels = np.array(rows), []
        for t in range(data.n_labels):
            q = int(cells[:, t].sum())
            if q:
                right = [int(cells[data.codes[:, i] == t, t].sum()) for i in range(data.n_judges)]
                levels += [F(c, q) for c in right]
        best = max(best, min(levels))
    return best


def single_tables(data, i, key):
    """Every table m(a;t) of judge i at an answer key of two labels."""
    given = [int(data.counts[data.codes[:, i] == a].sum()) for a in range(2)]
    return [(k, key[0] - k) for k in range(key[0] + 1) if k <= given[0] and key[0] - k <= given[1]]


def pair_fits(data, i, j, first, second):
    """Whether some whole table of the pair has these margins on the first label."""
    counts = [
        [int(data.counts[(data.codes[:, i] == a) & (data.codes[:, j] == b)].sum()) for b in (0, 1)]
        for a in (0, 1)
    ]
    for x in range(counts[0][0] + 1):
        rest = (first[0] - x, second[0] - x, first[1] - second[0] + x)
        limits = (counts[0][1], counts[1][0], counts[1][1])
        if all(0 <= n <= m for n, m in zip(rest, limits, strict=True)):
            return True
    return False


def attained_by_pairs(data):
    """The threshold of order 2 for two labels, by listing the tables of every judge."""
    best, n_items = F(0), data.n_items
    for q in range(n_items + 1):
        key = (q, n_items - q)
        choices = [single_tables(data, i, key) for i in range(data.n_judges)]
        given = [int(data.counts[data.codes[:, i] == 1].sum()) for i in range(data.n_judges)]
        for tables in product(*choices):
            level = min(
                [F(1)]
                + [F(m[0], q) for m in tables if q]
                + [
                    F(g - m[1], n_items - q)
                    for g, m in zip(given, tables, strict=True)
                    if n_items > q
                ]
            )
            if level > best and all(
                pair_fits(data, i, j, tables[i], tables[j])
                for i, j in combinations(range(data.n_judges), 2)
            ):
                best = level
    return best


@pytest.mark.parametrize("seed", range(12))
def test_orders_2_and_full_against_brute_force_for_three_judges(seed):
    rng = np.random.default_rng(seed)
    data = random_sketch(rng, 3, 2, int(rng.integers(3, 8)))
    pairs = threshold(data, order=2, exact=True)
    assert pairs.lower == pairs.upper == attained_by_pairs(data)
    assert threshold(data, order="full", exact=True).lower == attained(data)
    proved(pairs, data)


def thresholds_fall(data, rule):
    found = [threshold(data, order=o, exact=True, missing=rule) for o in (1, 2, "full")]
    levels = [one.lower for one in found]
    assert all(one.exact for one in found)
    assert levels[0] >= levels[1] >= levels[2]
    for one in found:
        proved(one, data)
        assert (one.refutation is None) == (one.upper == 1)
    return levels


def small_exam(seed):
    rng = np.random.default_rng([seed, 2])
    n_judges, n_labels = int(rng.integers(3, 5)), int(rng.integers(2, 4))
    data = random_sketch(rng, n_judges, n_labels, int(rng.integers(2, 10)), rng.random() < 0.4)
    return data, "excluded" if rng.random() < 0.5 else "wrong"


def test_thresholds_fall_with_the_order():
    levels = [thresholds_fall(*small_exam(seed)) for seed in range(20)]
    assert any(a > b for a, b, _ in levels)


@pytest.mark.slow
def test_thresholds_fall_with_the_order_on_a_thousand_exams():
    levels = [thresholds_fall(*small_exam(seed)) for seed in range(20, 1020)]
    assert any(b > c for _, b, c in levels)


@pytest.mark.slow
def test_two_binary_judges_exhaustively():
    """Order 2 is full for two judges: every sketch of up to eight items."""
    for n_items in range(1, 9):
        for counts in splits(n_items, 4):
            codes = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], np.int16)
            kept = np.array(counts) > 0
            data = Sketch(["x", "y"], ["a", "b"], ["a", "b"], codes[kept], np.array(counts)[kept])
            found = threshold(data, order=2, exact=True)
            assert found.lower == found.upper == attained(data)
            proved(found, data)


# Proofs


def test_a_changed_proof_or_another_exam_is_refused():
    loud = alarm(MIDDLE, Specification.at_least("3/4", strict=True), order=2)
    document = loud.certificate.to_dict()
    changed = copy.deepcopy(document)
    changed["evidence"]["cases"] = changed["evidence"]["cases"][1:]
    assert not verify(changed, MIDDLE)
    lower = copy.deepcopy(document)
    lower["claim"]["specification"]["conditions"][0]["value"] = "1/2"
    assert not verify(lower, MIDDLE)
    assert not verify(document, sketch_of({"baa": 1, "aba": 1, "aab": 1, "bbb": 3}))
    silent = alarm(MIDDLE, "3/4", order=2).certificate.to_dict()
    silent["evidence"]["pairs"][0][2][0][0][0] += 1
    assert not verify(silent, MIDDLE)


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_missing_answers_prevalence_and_key_counts(rule):
    rng = np.random.default_rng(11)
    for _ in range(10):
        data = random_sketch(rng, 3, 2, 7, missing=True)
        spec = Specification.at_least("2/3") & Specification.prevalence("a", ">=", "3/7")
        found = alarm(data, spec, order=2, missing=rule)
        assert found.triggered is not None
        assert verify(found.certificate, data).ok
        fixed = threshold(data, order=2, missing=rule, key_counts=(3, 4), exact=True)
        free = threshold(data, order=2, missing=rule, exact=True)
        assert fixed.exact
        assert fixed.lower <= free.lower
        assert fixed.answer_keys == ((3, 4),)
        proved(fixed, data)


def test_a_million_items_are_bracketed():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 4000)
    right = rng.random((4000, 4)) < [0.9, 0.8, 0.55, 0.4]
    codes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
    small = Sketch(list("wxyz"), ["a", "b"], ["a", "b"], codes, np.ones(4000, int))
    data = Sketch(small.judges, small.labels, small.answers, small.codes, small.counts * 250)
    found = threshold(data, order=2)
    assert data.n_items == 10**6
    assert found.status.ok
    assert 0 <= found.upper - found.lower < F(1, 10**4)
    assert found.upper < threshold(data, order=1).lower
    proved(found, data)


def test_out_of_time_leaves_a_bracket():
    found = threshold(MIDDLE, order=2, time_limit=0.0)
    assert found.status.value in ("time_limit", "undetermined")
    assert found.lower <= found.upper
    proved(found, MIDDLE)


def test_too_many_unknowns_are_refused(monkeypatch):
    monkeypatch.setattr(every_order, "MOST_UNKNOWNS", 5)
    with pytest.raises(TooLargeError, match="unknowns, more than 5"):
        alarm(MIDDLE, 0.7, order=2)
