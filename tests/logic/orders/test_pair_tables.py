"""Pair tables as arrays: the counts, and the linear maps between free unknowns, margins and messages."""

import numpy as np
import pytest

import algeval as ae
from algeval.data import Sketch
from algeval.errors import TooLargeError
from algeval.logic.exam import read_exam
from algeval.logic.orders.pair_interior import FreeTables, PairTables, pair_counts


def tables(n_judges=4, n_labels=3, missing=0.2, rule="excluded"):
    rng = np.random.default_rng(n_judges)
    codes = rng.integers(0, n_labels, (60, n_judges))
    codes[rng.random(codes.shape) < missing] = -1
    names = list("abcd")[:n_labels]
    data = Sketch(list("vwxyz")[:n_judges], names, names, codes.astype(np.int16), np.ones(60, int))
    return PairTables.of(read_exam(data, rule), pair_counts(data)), codes


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_counts_by_listing_the_items(missing):
    found, codes = tables(missing=missing)
    assert found.code.shape[1] == 3 + (missing > 0)
    for p, (i, j) in enumerate(found.names):
        for a, x in enumerate(found.code[i]):
            for b, y in enumerate(found.code[j]):
                both = ((codes[:, i] == x) & (codes[:, j] == y)).sum()
                assert found.counts[p, a, b] == both
    assert (found.single.argmax(1) == found.single.shape[1] - 1).all()
    assert found.fewest_held == (codes >= 0).sum(0).min()


def test_who_is_held_to_what_he_left_out():
    excused, _ = tables()
    assert (excused.held == (excused.code >= 0)).all()
    strict, _ = tables(rule="wrong")
    assert strict.held.all()
    assert strict.fewest_held == 60


def test_maps_are_transposes_of_one_another():
    found, _ = tables()
    free, rng = FreeTables(found), np.random.default_rng(0)
    vector, table = rng.normal(size=free.size), rng.normal(size=free.shape)
    assert np.isclose((free.spread(vector) * table).sum(), vector @ free.gathered(table))
    rows = rng.normal(size=free.places.shape)
    cells = rng.normal(size=(*found.counts.shape, 3))
    first, second = free.messages(rows)
    scores = first[:, :, None] + second[:, None]
    assert np.isclose((free.margins(cells) * rows).sum(), (cells * scores).sum())
    sent = free.gathered(found.received(first, second))
    assert np.allclose(sent, free.scattered(rows))


def test_changes_keep_what_is_known():
    found, _ = tables()
    free = FreeTables(found)
    change = free.spread(np.random.default_rng(1).normal(size=free.size))
    assert np.allclose(change.sum(2), 0)
    assert np.allclose(change.sum(1), change.sum(1)[0])


def test_curvature_is_how_margins_react():
    found, _ = tables()
    free, rng = FreeTables(found), np.random.default_rng(2)
    give, share = rng.random((*found.counts.shape, 3)) + 0.1, found.counts / 60
    rows = rng.normal(size=free.places.shape)
    first, second = free.messages(rows)
    scores = first[:, :, None] + second[:, None]
    mean = (give * scores).sum(3) / give.sum(3)
    moved = share[..., None] * give * (scores - mean[..., None])
    matrix = free.curvature(give, share)
    assert np.allclose((matrix @ rows[:, :, None])[:, :, 0], free.margins(moved))
    assert np.allclose(matrix, matrix.transpose(0, 2, 1))
    whole = free.scattered_squares(matrix)
    vector = rng.normal(size=free.size)
    each = vector[free.places]
    assert np.isclose(vector @ whole @ vector, np.einsum("ph,phk,pk", each, matrix, each))


def many_labels(n_judges=12, n_labels=40, n_items=400):
    """Judges who are right seven times in ten, on many labels."""
    rng = np.random.default_rng(0)
    key = rng.integers(0, n_labels, n_items)
    size = n_items, n_judges
    guess = rng.integers(0, n_labels, size)
    codes = np.where(rng.random(size) < 0.7, key[:, None], guess).astype(np.int16)
    labels = [f"l{t}" for t in range(n_labels)]
    judges = [f"j{i}" for i in range(n_judges)]
    return Sketch(judges, labels, labels, codes, np.ones(n_items, int))


@pytest.mark.parametrize("ask", [ae.alarm, ae.panel], ids=["alarm", "panel"])
def test_pairs_that_would_take_hours_are_refused_before_a_step(ask, monkeypatch):
    def never(*_):
        raise AssertionError("a step was taken")

    monkeypatch.setattr("algeval.logic.orders.pair_interior._Newton.of", never)
    exam = many_labels()
    with pytest.raises(TooLargeError, match=r"12 judges on 40 labels would take about \d+ GB and"):
        ask(exam, at_least=0.6, order=2)


def test_a_panel_of_many_labels_comes_from_the_order_that_fits(monkeypatch):
    monkeypatch.setattr("algeval.logic.orders.pair_interior.MOST_INTERIOR_GIGABYTES", 0.0)
    exam = many_labels(6, 8, 100)
    with pytest.raises(TooLargeError):
        ae.panel(exam, at_least=0.6, order=2)
    result = ae.panel(exam, at_least=0.6)
    assert result.largest_panel
    assert result.order in ("full", 1)
