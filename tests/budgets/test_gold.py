from itertools import product
from math import log

import pytest

from algeval.budgets import Rivals, outcomes, two_kinds_outcomes
from algeval.budgets.model import LabelAccuracy, gap_chances
from algeval.errors import TooLargeError

RIVALS = Rivals.independent(0.7, 0.1)


def chances(q):
    return tuple(map(float, gap_chances(RIVALS, LabelAccuracy.of(q))))


def test_two_kinds_by_every_outcome():
    kinds = [chances(0.9)] * 2 + [chances(0.6)] * 3
    expected = {1: 0.0, 0: 0.0, -1: 0.0}
    for signs in product((1, 0, -1), repeat=5):
        weight = total = 0.0
        weight = 1.0
        for sign, (a, b) in zip(signs, kinds, strict=True):
            weight *= {1: a, 0: 1 - a - b, -1: b}[sign]
            total += sign * log(a / b)
        side = 0 if abs(total) < 1e-9 else (1 if total > 0 else -1)
        expected[side] += weight
    found = two_kinds_outcomes(RIVALS, (0.9, 2), (0.6, 3))
    assert list(found) == pytest.approx([expected[1], expected[0], expected[-1]], rel=1e-12)


def test_one_kind_alone_and_one_kind_twice_are_that_kind():
    plain = outcomes(*chances(0.8), 60)
    for found in (
        two_kinds_outcomes(RIVALS, (0.8, 60), (0.6, 0)),
        two_kinds_outcomes(RIVALS, (0.8, 25), (0.8, 35)),
    ):
        assert list(found) == pytest.approx(list(plain), rel=1e-11)


def test_a_label_that_never_sides_with_the_worse_settles_all():
    sure = Rivals.correlated(0.7, 0.5, 1)
    found = two_kinds_outcomes(sure, (1, 1), (0.6, 40))
    a, b = map(float, gap_chances(sure, LabelAccuracy.of(0.6)))
    assert found.win == pytest.approx(0.15 + 0.85 * outcomes(a, b, 40).win, rel=1e-12)


def test_weighing_beats_counting_and_more_labels_help():
    mixed = two_kinds_outcomes(RIVALS, (0.95, 40), (0.6, 200))
    fair = [part.win + part.tie / 2 for part in (mixed, outcomes(*chances(0.95), 40))]
    assert fair[0] > fair[1]


def test_too_many_pairs():
    with pytest.raises(TooLargeError):
        two_kinds_outcomes(RIVALS, (0.9, 10_000), (0.6, 10_000))
