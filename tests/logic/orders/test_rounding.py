"""Rounding together: counts stay, sums hardly move, and it beats rounding one by one."""

import numpy as np
import pytest

from algeval.logic.orders.base import Labelling, round_cells, round_together

N_JUDGES, LEVEL = 5, 0.7


def labelling_of(n_tuples, most=1, n_labels=2):
    rng = np.random.default_rng(n_tuples)
    codes = rng.integers(-1, n_labels, (n_tuples, N_JUDGES))
    return Labelling.of(codes, rng.integers(1, most + 1, n_tuples), n_labels, missing="excluded")


def rounded(labelling, cells):
    levels = np.full((N_JUDGES, labelling.n_labels), LEVEL)
    return round_together(labelling, cells, levels, np.ones(levels.shape, bool))


@pytest.mark.parametrize("most", [1, 7, 10**9])
def test_counts_are_kept_and_no_cell_moves_by_an_item_or_more(most):
    labelling = labelling_of(60, most, 3)
    shares = np.random.default_rng(1).dirichlet([0.3] * 3, 60)
    cells = shares * labelling.counts[:, None]
    found = rounded(labelling, cells)
    assert (found.sum(1) == labelling.counts).all()
    assert (found >= 0).all()
    assert (found >= np.floor(cells - 1e-6)).all()


def test_whole_cells_stay():
    labelling = labelling_of(30, 5)
    cells = np.stack([labelling.counts, 0 * labelling.counts], 1)
    assert rounded(labelling, cells.astype(float)).tolist() == cells.tolist()


def test_it_keeps_surpluses_that_rounding_alone_spoils():
    """Levels are those that the real cells just reach; 2,000 tuples are each cut somewhere."""
    labelling = labelling_of(2000)
    first = np.random.default_rng(2).random(2000)
    cells = np.stack([first, 1 - first], 1)
    levels = labelling.correct(cells) / labelling.held_counts(cells)
    found = round_together(labelling, cells, levels, np.ones(levels.shape, bool))
    together, alone = (
        (labelling.correct(whole) - levels * labelling.held_counts(whole)).min()
        for whole in (found, round_cells(labelling.counts, cells))
    )
    assert together > -3
    assert alone < 3 * together
