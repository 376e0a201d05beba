"""Sums over tuples against loops over judges and labels, block by block."""

import numpy as np
import pytest

from algeval.logic.orders import full
from algeval.logic.orders.base import Labelling
from algeval.logic.orders.full import TupleSums
from algeval.logic.proof import Clock


@pytest.fixture(params=[("excluded", 0.0), ("wrong", 0.0), ("excluded", 1.1)])
def sums(request, monkeypatch):
    """Seven tuples of three judges, summed over three at a time or stored sparse; code 3 is no label."""
    rule, below = request.param
    monkeypatch.setattr(full, "TUPLE_BLOCK", 3)
    monkeypatch.setattr(full, "SPARSE_BELOW", below)
    rng = np.random.default_rng(1)
    codes, counts = rng.integers(-1, 4, (7, 3)), rng.integers(1, 9, 7)
    return TupleSums.of(Labelling.of(codes, counts, 3, missing=rule))


def gains(sums, levels):
    """(U, R, N) of each judge, tuple and label, from the definition."""
    return np.array(
        [
            [
                [float(u[i] == t) - levels[i, t] * held[i] for i in range(len(u))]
                for t in range(sums.n_labels)
            ]
            for u, held in zip(sums.codes.tolist(), sums.held.tolist(), strict=True)
        ]
    )


def test_scores(sums):
    rng = np.random.default_rng(2)
    y, levels = rng.random(sums.shape), rng.random(sums.shape)
    assert sums.scores(y, y * levels) == pytest.approx(
        np.einsum("utn,nt->ut", gains(sums, levels), y)
    )


def test_right_and_held_give_the_surplus(sums):
    rng = np.random.default_rng(3)
    shares, levels = rng.random((7, 3)), rng.random(sums.shape)
    right, held = sums.right_and_held(shares)
    expected = np.einsum("u,ut,utn->nt", sums.share, shares, gains(sums, levels))
    assert right - levels * held == pytest.approx(expected)
    assert sums.share.sum() == pytest.approx(1)


def test_curvature_is_how_surpluses_react(sums):
    """Sum over u of c (rows)' (diag(d) - d d' / sum d) rows, tuple by tuple."""
    rng = np.random.default_rng(4)
    give, levels = rng.random((7, 3)), rng.random(sums.shape)
    expected = np.zeros((9, 9))
    for c, d, rows in zip(sums.share, give, gains(sums, levels), strict=True):
        wide = np.zeros((3, 9))
        for t in range(3):
            wide[t, 3 * t : 3 * t + 3] = rows[t]
        expected += c * wide.T @ (np.diag(d) - np.outer(d, d) / d.sum()) @ wide
    assert sums.curvature(give, levels, Clock(None)) == pytest.approx(expected)
    assert sums.curvature(give, levels, Clock(0)) is None
