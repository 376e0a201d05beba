"""Weights and shares found step by step: levels worked by hand, and the two programs meet."""

from math import sqrt

import numpy as np
import pytest

from algeval.data import Sketch
from algeval.logic.exam import read_exam
from algeval.logic.orders.full import Full, TupleSums, at_levels, at_threshold
from algeval.logic.proof import Clock

TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}


def sums_of(counts, labels="ab", missing="excluded"):
    s = Sketch.from_counts(counts, labels=list(labels))
    return TupleSums.of(Full(read_exam(s, missing), s).labelling)


@pytest.mark.parametrize(
    ("counts", "labels", "level", "within"),
    [
        ({"ab": 5, "ba": 5}, "ab", 1 / 2, 1e-7),
        ({"ab": 5, "ba": 3}, "ab", 3 / 8, 1e-7),
        (TABLE_1, "abt", 16 / 25, 1e-7),
        ({"cb": 1, "ac": 1, "cc": 2, "aa": 1}, "abc", (9 + sqrt(41)) / 20, 1e-7),
        ({"ac": 5, "ca": 5, "bb": 5}, "abc", 1 / 2, 1e-3),  # no weights attain it
        ({"cc": 1, "aa": 1, "cb": 1}, "abc", 2 / 3, 1e-7),
        ({"aa": 4, "bb": 1}, "ab", 1, 1e-7),
    ],
)
def test_levels_of_the_relaxation_that_are_known(counts, labels, level, within):
    found = at_threshold(sums_of(counts, labels), Clock(None))
    assert found.levels == pytest.approx(np.full(found.levels.shape, level), abs=within)
    assert found.levels.min() > level - 1e-7, "weights never refute what can be reached"


def random_sums(seed, missing="excluded"):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (80, 4)).astype(np.int16)
    s = Sketch(list("wxyz"), list("abc"), list("abc"), codes, rng.integers(1, 50, 80))
    return TupleSums.of(Full(read_exam(s, missing), s).labelling)


@pytest.mark.parametrize("missing", ["excluded", "wrong"])
@pytest.mark.parametrize("seed", range(3))
def test_at_the_threshold_weights_and_shares_prove_each_other(seed, missing):
    sums = random_sums(seed, missing)
    found = at_threshold(sums, Clock(None))
    assert found.shares.sum(1) == pytest.approx(np.ones(len(sums.codes)))
    assert (found.shares > 0).all()
    right, held = sums.right_and_held(found.shares)
    assert (right - found.levels * held).min() > -1e-7
    scores = sums.scores(found.weights, found.weights * found.levels)
    assert sums.share @ scores.max(1) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_the_sign_at_a_level_is_that_of_its_side_of_the_threshold(seed):
    sums, asked = random_sums(seed), np.ones((4, 3), bool)
    x = at_threshold(sums, Clock(None)).levels[0, 0]
    above = at_levels(sums, np.full((4, 3), x + 0.01), asked, Clock(None))
    assert sums.share @ sums.scores(above.weights, above.weights * above.levels).max(1) < 0
    assert above.most < 0
    below = at_levels(sums, np.full((4, 3), x - 0.01), asked, Clock(None))
    right, held = sums.right_and_held(below.shares)
    assert (right - below.levels * held).min() > 0
    assert below.most > 0


def test_what_is_not_asked_has_no_weight():
    sums, asked = random_sums(1), np.ones((4, 3), bool)
    asked[1] = asked[:, 2] = False
    found = at_levels(sums, np.full((4, 3), 0.8), asked, Clock(None))
    assert (found.weights[~asked] == 0).all()
    assert found.weights.sum() == pytest.approx(1)


def test_out_of_time_it_returns_where_it_stands():
    found = at_threshold(random_sums(1), Clock(0.0))
    assert (found.shares == 1 / 3).all()
    assert found.weights == pytest.approx(np.full((4, 3), 1 / 12))
