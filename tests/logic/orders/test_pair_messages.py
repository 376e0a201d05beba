"""Messages in whole numbers: they add up to the gains exactly, and bound what is gained."""

from fractions import Fraction as F

import numpy as np

from algeval.logic.orders.pair_interior import pairs_at_threshold
from algeval.logic.orders.pairs import refuting_messages
from algeval.logic.proof import Clock

from .test_pair_interior import order


def refuted(case, more):
    tables = order(*case).tables
    found = pairs_at_threshold(tables, Clock(None))
    x = F(float(found.levels.max()) + more).limit_denominator(300)
    levels = [[x] * tables.n_labels] * tables.n_judges
    return tables, x, refuting_messages(tables, found, levels, Clock(None))


def test_messages_add_up_to_gains_and_bound_them_below_zero():
    for case in ((3, 2, 0.0), (5, 3, 0.0), (4, 3, 0.3), (4, 3, 0.3, "wrong")):
        tables, x, messages = refuted(case, 0.01)
        sent, weights = messages.sent, messages.weights
        for i, a, t in np.ndindex(*tables.single.shape, tables.n_labels):
            right, held = tables.code[i, a] == t, bool(tables.held[i, a])
            gain = weights[i, t] * (int(right) - x * held) if tables.single[i, a] else 0
            assert sum(int(v) for v in sent[i, :, a, t]) == gain
        total = 0
        for p, (i, j) in enumerate(tables.names):
            for a, b in np.argwhere(tables.counts[p]).tolist():
                best = max(int(u + v) for u, v in zip(sent[i, j, a], sent[j, i, b], strict=True))
                total += int(tables.counts[p, a, b]) * best
        assert total < 0


def test_a_level_that_is_possible_is_not_refuted():
    assert refuted((5, 3, 0.0), -0.01)[2] is None
