"""Whole tables of judges and pairs: they agree, reach the levels, and repairing one judge helps."""

from fractions import Fraction as F

import numpy as np
import pytest

from algeval.logic.orders import pairs
from algeval.logic.orders.pair_interior import pairs_at_levels, pairs_at_threshold
from algeval.logic.orders.pairs import lay_out
from algeval.logic.proof import Clock

from .test_pair_interior import order


def laid_out(case, below=0.02):
    tables = order(*case).tables
    top = float(pairs_at_threshold(tables, Clock(None)).levels.max())
    x = F(top - below).limit_denominator(1000)
    shape = tables.n_judges, tables.n_labels
    found = pairs_at_levels(tables, np.full(shape, float(x)), np.ones(shape, bool), Clock(None))
    return tables, x, lay_out(tables, found, [[x] * shape[1]] * shape[0], Clock(None))


@pytest.mark.parametrize("case", [(3, 2, 0.0), (6, 3, 0.0), (4, 3, 0.3), (4, 3, 0.3, "wrong")])
@pytest.mark.parametrize("moves", [200, 0])
def test_tables_agree_and_reach_the_level(monkeypatch, case, moves):
    """Without moves every pair goes to the solver."""
    monkeypatch.setattr("algeval.logic.orders.pairs.PAIR_MOVES", moves)
    tables, x, whole = laid_out(case)
    assert whole.lowest(tables) >= x
    assert (whole.single.sum(2) == tables.single).all()
    assert (whole.single.sum(1) == whole.single[0].sum(0)).all()
    assert (whole.pairs.sum(3) == tables.counts).all()
    assert (whole.pairs.sum(2) == whole.single[tables.left]).all()
    assert (whole.pairs.sum(1) == whole.single[tables.right]).all()
    assert min(whole.single.min(), whole.pairs.min()) >= 0


def test_a_judge_is_laid_out_anew_for_the_sake_of_its_pairs(monkeypatch):
    spoiled = []

    class Spoiling(pairs._Builder):
        def _alone(self, i):
            table = super()._alone(i)
            if i == 1:  # as wrong as it can be while it adds up
                worst = self._solved(
                    self._rows_of(i), (0 * table, 0 * table + 300), -(self.hits[i] * table) * 1.0
                )
                spoiled.append(not np.array_equal(worst, table))
                return worst
            return table

    monkeypatch.setattr(pairs, "_Builder", Spoiling)
    tables, x, whole = laid_out((5, 3, 0.0))
    assert spoiled == [True]
    assert whole is not None
    assert whole.lowest(tables) >= x


def test_nothing_is_laid_out_above_the_threshold():
    assert laid_out((3, 2, 0.0), below=-0.05)[2] is None
