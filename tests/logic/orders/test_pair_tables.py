"""Pair tables as arrays: the counts, and the linear maps between free unknowns, margins and messages."""

import numpy as np
import pytest

from algeval.data import Sketch
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
