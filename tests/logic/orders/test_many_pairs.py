"""Order 2 pair by pair: against the program of all pairs, brute force, and the verifier."""

from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import pytest

from algeval.data import Condition, Sketch, Specification
from algeval.logic import alarm, panel, threshold
from algeval.logic.orders import pairs, tables
from algeval.logic.orders import pairs as many_pairs
from algeval.logic.proof import Clock
from algeval.verify import verify

RULES = ["excluded", "wrong"]


@pytest.fixture
def pair_by_pair(monkeypatch):
    monkeypatch.setattr(pairs, "PAIRS_AT_ONCE", 0)
    monkeypatch.setattr(tables, "CLOSED_BELOW", 0)


def exam(seed, n_items, n_judges, n_labels, missing=0.0, others=0):
    """Judges 50 to 90 percent right; `others` answers that are no label."""
    rng = np.random.default_rng([seed, n_items])
    truth = rng.integers(0, n_labels, n_items)[:, None]
    right = rng.random((n_items, n_judges)) < np.linspace(0.5, 0.9, n_judges)
    codes = np.where(right, truth, rng.integers(0, n_labels + others, right.shape))
    codes[rng.random(codes.shape) < missing] = -1
    answers = list("abcdef")[: n_labels + others]
    codes, counts = np.unique(codes.astype(np.int16), axis=0, return_counts=True)
    judges = [f"j{i}" for i in range(n_judges)]
    return Sketch(judges, answers[:n_labels], answers, codes, counts)


def proved(data, *certificates):
    for certificate in certificates:
        verdict = verify(certificate, data)
        assert verdict.ok, verdict.sentence
        assert certificate.claim["order"] in (1, 2)


def by_lists(data, x):
    """Whether some key and some whole tables of two labels let all judges reach x."""
    n_items = data.n_items
    given = [int(data.counts[data.codes[:, i] == 0].sum()) for i in range(data.n_judges)]
    for q in range(n_items + 1):
        choices = [
            [
                c
                for c in range(max(0, q - n_items + g), min(q, g) + 1)
                if c >= x * q and (n_items - q) - (g - c) >= x * (n_items - q)
            ]
            for g in given
        ]
        for right in product(*choices):
            if all(
                _fits(data, i, j, right[i], right[j], q)
                for i, j in combinations(range(data.n_judges), 2)
            ):
                return True
    return False


def _fits(data, i, j, first, second, q):
    """Whether a whole table of a pair has these counts of "a" among the q items of label a."""
    n = [
        [int(data.counts[(data.codes[:, i] == a) & (data.codes[:, j] == b)].sum()) for b in (0, 1)]
        for a in (0, 1)
    ]
    return any(
        0 <= first - k <= n[0][1] and 0 <= second - k <= n[1][0]
        and 0 <= q - first - second + k <= n[1][1]
        for k in range(min(n[0][0], first, second) + 1)
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_alarms_against_all_keys_and_tables(pair_by_pair, seed):
    data = exam(seed, 9, 3, 2)
    for x in (F(1, 2), F(3, 5), F(2, 3), F(3, 4), F(4, 5), F(1)):
        found = alarm(data, x, order=2)
        assert found.triggered is (not by_lists(data, x))
        proved(data, found.certificate)


SHAPES = [(40, 4, 2, 0.0, 0), (16, 3, 3, 0.3, 0), (30, 3, 2, 0.0, 1), (25, 4, 2, 0.5, 1)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("shape", SHAPES)
def test_brackets_hold_the_threshold_of_the_whole_program(pair_by_pair, monkeypatch, shape, rule):
    data = exam(3, *shape)
    new = threshold(data, order=2, missing=rule)
    monkeypatch.setattr(pairs, "PAIRS_AT_ONCE", 10**9)
    old = threshold(data, order=2, missing=rule, exact=True)
    assert old.exact
    assert new.lower <= old.lower <= new.upper
    assert new.upper - new.lower < F(2 * data.n_labels, data.n_items)
    proved(data, new.witness, new.refutation)


def test_many_judges_are_bracketed_and_alarms_on_both_sides_agree():
    data = exam(5, 2_500, 12, 4)
    found = threshold(data, order=2)
    assert found.status.ok
    assert found.upper - found.lower < F(4, 2_500)
    low = alarm(data, found.lower - F(1, 1000), order=2)
    high = alarm(data, found.upper + F(1, 1000), order=2)
    assert (low.triggered, high.triggered) == (False, True)
    assert high.certificate.kind == "multipliers"
    proved(data, found.witness, found.refutation, low.certificate, high.certificate)


def test_levels_of_some_judges_and_labels_and_bounds_on_the_key(pair_by_pair):
    data = exam(8, 200, 5, 3)
    asked = Specification((
        Condition("accuracy", ">=", F(9, 10), "j4", "a"),
        Condition("accuracy", ">", F(1, 2), None, "b"),
        Condition("prevalence", ">=", F(1, 5), None, "a"),
    ))  # fmt: skip
    possible = alarm(data, asked, order=2)
    assert possible.triggered is False
    more = asked & Specification((Condition("accuracy", ">=", F(19, 20), None, None),))
    impossible = alarm(data, more, order=2)
    assert impossible.triggered is True
    proved(data, possible.certificate, impossible.certificate)


def test_judges_who_always_agree_and_answers_never_given(pair_by_pair):
    twins = exam(2, 50, 3, 2)
    codes = np.column_stack([twins.codes, twins.codes[:, 0], np.zeros(len(twins), np.int16)])
    data = Sketch(list("vwxyz"), ["a", "b"], ["a", "b", "c"], codes, twins.counts)
    found = threshold(data, order=2)
    assert found.upper < 1
    proved(data, found.witness, found.refutation)
    assert alarm(data, found.lower, order=2).triggered is False


def test_out_of_time_is_said(pair_by_pair):
    data = exam(5, 500, 6, 3)
    order = pairs.Order2(*_read(data))
    assert order.bound(Clock(0.0)) is None
    found = threshold(data, order=2, time_limit=0.0)
    assert not found.status.ok
    assert found.lower <= found.upper


def _read(data):
    from algeval.logic.exam import read_exam

    return read_exam(data), data


def test_a_labelling_of_whole_tuples_where_no_tables_were_found(pair_by_pair, monkeypatch):
    monkeypatch.setattr(many_pairs, "lay_out", lambda *_: None)
    data = exam(6, 80, 5, 3, missing=0.2)
    found = threshold(data, order=2)
    whole = threshold(data, order="full")
    assert whole.lower <= found.lower <= found.upper
    assert found.lower > F(1, 3)
    proved(data, found.witness, found.refutation)


def test_panels_at_order_2(pair_by_pair):
    data = exam(4, 300, 5, 2)
    found = panel(data, F(9, 10), order=2, time_limit=20)
    assert 0 < found.min_violators <= 5 - len(found.largest_panel)
    proved(data, found.certificate, found.witness)
