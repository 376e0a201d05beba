"""Weight certificates: exact values by hand, roots, and what must refute nothing."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.full import Full, best_bound, root, weights_evidence, whole_weights
from algeval.logic.proof import Clock, best_totals, relax

F = Fraction


def order_of(counts, labels="ab", missing="excluded"):
    s = Sketch.from_counts(counts, labels=list(labels))
    return Full(read_exam(s, missing), s)


def labelling_of(*args, **settings):
    return order_of(*args, **settings).labelling


def g_by_the_book(labelling, y, x):
    """g(y, x), term by term from its definition."""
    total = F(0)
    for u, n in zip(labelling.codes.tolist(), labelling.counts.tolist(), strict=True):
        held = [code >= 0 for code in u]
        total += n * max(
            sum(y[i][t] * ((u[i] == t) - x * held[i]) for i in range(len(u)))
            for t in range(labelling.n_labels)
        )
    return total


def test_surplus_and_root_by_hand():
    # ab: judge 1 right on a, judge 2 on b. With y = 1 on (1, a) and (2, b) at x = 1/2 (times 2):
    # ab gives max(2 - 1, 2 - 1) = 1, ba gives max(-1, -1) = -1; at any x, 5 (1 - x) - 3 x.
    y, labelling = np.array([[1, 0], [0, 1]]), labelling_of({"ab": 5, "ba": 3})
    assert g_by_the_book(labelling, y.tolist(), F(1, 2)) == F(5 - 3, 2)
    assert root(labelling, y, F(1)) == F(5, 8)


def test_root_of_numbers_beyond_64_bits():
    y = np.array([[10**30, 0], [0, 10**30]], object)
    labelling = labelling_of({"ab": 2**61, "ba": 3})
    assert root(labelling, y, F(1)) == F(2**61, 2**61 + 3)


def test_the_most_of_label_and_cell_terms():
    """What shares of totals 2 and 1 can give: 3 or -1 on a label; then 4 on one cell alone."""
    totals, low = np.array([2, 1]), np.zeros((2, 2), int)
    high = np.repeat(totals[:, None], 2, 1)
    for gains, most in (([[3, -1], [3, -1]], 9), ([[0, 4], [0, 0]], 8)):
        _, reach = best_totals(np.array(gains), low, high, totals)
        assert reach.sum() == most


@pytest.mark.parametrize("seed", range(6))
def test_root_is_where_g_vanishes(seed):
    rng = np.random.default_rng(seed)
    rows = ["".join(row) for row in product("abx.", repeat=2)]
    counts = {u: int(n) for u, n in zip(rows, rng.integers(0, 9, len(rows)), strict=True)}
    s = Sketch.from_counts(counts, labels=["a", "b"], answers=["a", "b", "x"])
    labelling = Full(read_exam(s), s).labelling
    y = rng.integers(0, 5, (2, 2))
    for start in (F(0), F(1, 3), F(3, 2)):
        z = root(labelling, y, start)
        if z is None:
            assert g_by_the_book(labelling, y.tolist(), F(3, 2)) >= 0
        else:
            assert g_by_the_book(labelling, y.tolist(), z) == 0
            assert g_by_the_book(labelling, y.tolist(), z + F(1, 1000)) < 0


def test_a_label_without_weight_refutes_nothing():
    labelling = labelling_of({"ab": 5, "ba": 3})
    assert root(labelling, np.array([[1, 0], [1, 0]]), F(1)) is None
    touching = labelling_of({"a": 3})
    assert root(touching, np.array([[1, 0]]), F(3, 2)) is None


def test_whole_weights_are_in_lowest_terms():
    assert whole_weights(np.array([[0.5, 0.25], [0.0, 1.0]]), 4).tolist() == [[2, 1], [0, 4]]
    assert whole_weights(np.array([[0.2, 0.2]]), 60).tolist() == [[1, 1]]
    assert whole_weights(np.zeros((1, 2)), 60).tolist() == [[0, 0]]


def bound_of(order, start):
    return best_bound(order.labelling, order.proposed, start, Clock(None))


def test_best_bound_on_the_swapped_exam():
    order = order_of({"ab": 5, "ba": 5})
    bound = bound_of(order, F(11, 10))
    assert bound.value == F(1, 2)
    assert bound.weights.sum() == 2
    value, evidence, shares = order.bound(Clock(None))
    assert value == F(1, 2)
    assert evidence == weights_evidence(bound.weights)
    assert shares[1:].sum(1).tolist() == [5, 5]


def test_best_bound_where_no_single_weights_suffice():
    # The threshold is 1/2 and every y stops short of it: the bound must stay above.
    order = order_of({"ac": 5, "ca": 5, "bb": 5}, "abc")
    bound = bound_of(order, F(16, 15))
    assert F(1, 2) < bound.value < F(1, 2) + F(1, 10**5)
    assert g_by_the_book(order.labelling, bound.weights.tolist(), F(8, 15)) < 0


def test_no_bound_when_nothing_can_be_refuted():
    assert bound_of(order_of({"ab": 5, "ba": 5}), F(1, 3)) is None
    assert order_of({"..": 3}).bound(Clock(None)) is None
    alike = order_of({"aa": 3, "bb": 1}).bound(Clock(None))
    assert alike is None or alike[0] >= 1


def test_evidence_is_text():
    evidence = weights_evidence(np.array([[1, 0]]))
    assert evidence == {"kind": "weights", "weights": [["1", "0"]]}


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_relaxation_and_its_dual_agree(labels):
    """Strong duality: the least violation is what the multipliers certify, in floats."""
    rng = np.random.default_rng(5)
    counts = {"".join(u): int(rng.integers(1, 9)) for u in product(labels, repeat=3)}
    order, n_labels = order_of(counts, labels), len(labels)
    n_items = order.exam.n_items
    key = Specification.prevalence("a", ">=", F(4, n_items))
    key &= Specification.prevalence("b", "<=", F(9, n_items))
    program = order.program(Specification.at_least(F(9, 10)) & key).plain()
    relaxed = relax(program, program.root(), Clock(None))
    assert relaxed.shares[1:].sum(1) == pytest.approx(order.labelling.counts)
    assert relaxed.shares.sum(1) == pytest.approx(program.totals)
    assert relaxed.base[~program.rows.equal].sum() == pytest.approx(1)
    y, left = np.zeros((3, n_labels)), np.zeros(n_labels)
    for (kind, *places), value in zip(program.rows.ids, relaxed.base, strict=True):
        if kind == "condition":
            y[places[1], places[2]] = value
        else:
            left[places[0]] = value
    total = 0.0
    for u, n in zip(order.labelling.codes.tolist(), order.labelling.counts.tolist(), strict=True):
        total += n * max(
            sum(y[i, t] * (u[i] == t) for i in range(3)) + left[t] for t in range(n_labels)
        )
    on_key = -0.9 * y.sum(0) - left
    total += max(
        on_key @ q
        for q in product(range(n_items + 1), repeat=n_labels)
        if sum(q) == n_items and q[0] >= 4 and q[1] <= 9
    )
    assert -total == pytest.approx(relaxed.amount)
    assert relaxed.amount > 0
