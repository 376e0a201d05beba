"""Batches against the exact decoder, one trio at a time."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from algeval.algebra.decoding import decode
from algeval.algebra.trios import MOST_ITEMS, STATUSES, decode_batch
from algeval.data import Sketch
from algeval.errors import DataError
from algeval.result import Status

LEXICOGRAPHIC = ["".join(t) for t in product("ab", repeat=3)]


def single(flat):
    cells = dict(zip(LEXICOGRAPHIC, map(int, flat), strict=True))
    return decode(Sketch.from_counts(cells, labels=["a", "b"]))


def assert_same(tables):
    batch = decode_batch(tables)
    for row, flat in enumerate(tables):
        exact = single(flat)
        assert batch.status_of(row) is exact.status, flat
        assert batch.tie[row] == exact.tie, flat
        if exact.best is None:
            assert np.isnan(batch.prevalence[row]) != exact.tie
            continue
        best = exact.best.to_floats()
        assert abs(batch.prevalence[row] - best.prevalence[0]) < 1e-13
        assert np.allclose(batch.accuracies[row], best.accuracies(), rtol=0, atol=1e-12)
    return batch


def test_every_table_of_at_most_five_items():
    tables = [
        [chosen.count(c) for c in range(8)]
        for q in range(1, 6)
        for chosen in combinations_with_replacement(range(8), q)
    ]
    batch = assert_same(np.array(tables))
    assert sum(batch.status_counts.values()) == len(tables)


def test_random_tables_of_every_size():
    rng = np.random.default_rng(0)
    tables = [
        rng.multinomial(int(q), rng.dirichlet(np.ones(8))) for q in 2 ** rng.uniform(3, 20.9, 300)
    ]
    assert_same(np.array(tables))


def test_judges_near_chance_at_the_largest_size():
    rng = np.random.default_rng(1)
    tables = []
    for _ in range(100):
        p, skill = rng.uniform(0.2, 0.8), rng.uniform(-0.02, 0.02, 3)
        cells = [
            p * np.prod([0.5 + s * (1 - 2 * c) for s, c in zip(skill, cell, strict=True)])
            + (1 - p) * np.prod([0.5 - s * (1 - 2 * c) for s, c in zip(skill, cell, strict=True)])
            for cell in product((0, 1), repeat=3)
        ]
        tables.append(rng.multinomial(MOST_ITEMS, cells))
    batch = decode_batch(tables)
    for row, flat in enumerate(tables):
        assert batch.status_of(row) is single(flat).status


def test_tests_too_large_for_64_bit_moments_are_decoded_one_by_one():
    scale = 10**7
    tables = np.array(
        [[scale] * 7 + [9 * scale], [scale] * 8, [10**17, 3, 5, 7, 11, 13, 17, 10**17]]
    )
    batch = assert_same(tables)
    assert batch.status_of(0) is Status.OK
    assert batch.prevalence[0] == 0.5


def test_all_statuses_are_reached_and_counted():
    flats = [
        [1, 1, 1, 1, 1, 1, 1, 9],
        [0, 1, 1, 0, 1, 0, 0, 5],
        [0, 0, 0, 1, 2, 1, 1, 3],
        [0, 0, 0, 5, 1, 1, 1, 0],
        [0, 1, 1, 3, 1, 1, 1, 0],
        [0, 0, 0, 1, 0, 1, 1, 5],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ]
    batch = decode_batch(flats)
    assert batch.codes.tolist() == list(range(7))
    assert batch.status_counts == dict.fromkeys([s.value for s in STATUSES], 1)
    assert "irrational: 1" in batch.summary()
    assert np.isnan(batch.prevalence).tolist() == [False] * 4 + [True] * 3


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2, 3]], "eight columns"),
        ([[1, 2], [3]], "rows of different lengths"),
        ([[0.5] * 8], "whole numbers"),
        ([[-1] + [1] * 7], "counts must be >= 0; got -1"),
    ],
)
def test_refusals(counts, message):
    with pytest.raises(DataError, match=message):
        decode_batch(counts)


def test_rational_points_on_the_edge_stay_inside():
    tables = [
        [0, k, 0, 0, 0, 0, n, 0] for k in range(1, 30) for n in range(1, 30)
    ]  # one judge always contradicts two who agree
    batch = assert_same(np.array(tables))
    assert batch.status_counts["ok"] == len(tables)
    assert batch.prevalence.max() <= 1
    assert batch.accuracies.min() >= 0
    assert batch.accuracies.max() <= 1


def test_cancelling_discriminants_keep_their_digits():
    rng = np.random.default_rng(2)
    tables = rng.integers(0, 250_000, size=(40_000, 8))
    batch = decode_batch(tables)
    rows = np.flatnonzero(batch.codes == STATUSES.index(Status.OUT_OF_RANGE))
    p = batch.prevalence[rows]
    cancelling = rows[np.argsort(-np.abs(p))[:6]]  # s near zero puts p far outside
    assert np.abs(batch.prevalence[cancelling]).min() > 10
    for row in cancelling:
        exact = single(tables[row]).best.to_floats()
        scale = np.abs(exact.accuracies()).max()
        assert abs(batch.prevalence[row] - exact.prevalence[0]) < 1e-14 * abs(exact.prevalence[0])
        assert np.allclose(batch.accuracies[row], exact.accuracies(), rtol=0, atol=1e-14 * scale)


def test_counts_beyond_64_bits_are_refused_not_wrapped():
    with pytest.raises(DataError, match=r"counts must lie in 0\.\.2"):
        decode_batch(np.array([[2**63 + 5, 1, 1, 1, 1, 1, 1, 1]], dtype=np.uint64))
    largest = [[2**63 - 1, 2**63 - 1, 1, 1, 1, 1, 1, 2**63 - 1]]
    assert decode_batch(largest).status_of(0) in STATUSES
