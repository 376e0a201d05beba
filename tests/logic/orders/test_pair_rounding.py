"""Whole pair tables with given margins: planted ones are found, impossible ones are said to be."""

import numpy as np

from algeval.logic.orders.pairs import fitted_tables, rounded_cells


def test_planted_margins_are_met_and_counts_are_kept():
    rng = np.random.default_rng(4)
    planted = rng.integers(0, 9, (40, 3, 3, 3))
    counts = planted.sum(3)
    start = rounded_cells(planted + rng.random(planted.shape), counts)
    found, met = fitted_tables(start, planted.sum(2), planted.sum(1))
    assert met.mean() > 0.9
    assert (found.sum(3) == counts).all()
    assert (found >= 0).all()
    assert (found[met].sum(2) == planted[met].sum(2)).all()
    assert (found[met].sum(1) == planted[met].sum(1)).all()


def test_margins_that_contradict_are_not_met():
    table = np.array([[[[3, 0], [0, 0]], [[0, 0], [0, 3]]]])
    left = np.array([[[2, 1], [1, 2]]])
    right = np.array([[[3, 0], [0, 3]]])
    found, met = fitted_tables(table, left, right)
    assert not met.any()
    assert (found.sum(3) == table.sum(3)).all()


def test_rounding_keeps_counts():
    real = np.array([[[0.5, 0.25, 0.25], [1.4, 1.4, 0.2]]])
    whole = rounded_cells(real, np.array([[1, 3]]))
    assert whole[0, 0].tolist() == [1, 0, 0]
    assert whole[0, 1].sum() == 3
    assert (np.abs(whole - real) < 1).all()
