"""Worked cases of functions that other tests reach only through a public one."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Votes
from algeval.rates.inputs import chances_of, exact_share, n_unjudged, pass_label, tie_of
from algeval.rates.intervals import (
    Estimate,
    binary_variance,
    drawn_balance,
    effective_clusters,
    of_mean,
    ranks_of,
    stands_for,
    too_few,
)
from algeval.rates.planning import number, panel_rho2
from algeval.rates.policy import ESCAPED
from algeval.rates.rating import _believed, span
from algeval.rates.rungs import brief
from algeval.rates.sizes import connor
from algeval.rates.systems import mover, signed


def test_a_share_is_read_exactly():
    assert exact_share("80%", "at_least") == Fraction(4, 5)
    assert number({"rate": "70%"}, "rate", most=1) == 0.7


def test_a_tie_is_spelled_as_in_the_votes():
    assert tie_of(Votes.from_columns({"a": ["A", "B", "tie"]}), "A", "Tie") == "tie"


def test_an_item_nobody_judged_is_counted():
    assert n_unjudged(Votes.from_columns({"a": ["x", None], "b": ["y", None]}).sketch()) == 1


def test_chances_are_those_of_the_labelled_items():
    assert chances_of({"q2": 0.5}, ["q1", "q2"], np.array([1])).tolist() == [0.5]


def test_ranks_leave_open_what_is_not_settled():
    ahead = np.array([[False, False, True], [False, False, True], [False, False, False]])
    assert ranks_of(ahead) == [(1, 2), (1, 2), (3, 3)]


def test_labels_of_one_kind_are_too_few():
    assert too_few(np.ones(50))
    assert not too_few(np.array([0.0, 1.0] * 5))


def test_the_variance_of_a_mean_counts_clusters():
    centred = np.array([-1.0, -1.0, 1.0, 1.0])
    assert of_mean(centred, np.array([0, 0, 1, 1])) == 1.0
    assert of_mean(centred) == pytest.approx(1 / 3)


def test_the_variance_of_a_rate_outside_its_range_is_nothing():
    assert binary_variance(0.5) == 0.25
    assert binary_variance(1.01) == 0.0


def test_clusters_of_unequal_size_count_for_fewer():
    assert effective_clusters(np.repeat([0, 1, 2], 5)) == 3.0
    assert effective_clusters(np.array([0] * 8 + [1, 2])) == pytest.approx(100 / 66)


def test_balance_sees_labels_where_judges_agree():
    share = np.tile([0.0, 1.0, 1.0, 1.0], 50)
    assert drawn_balance(share, np.arange(40)) == pytest.approx(0, abs=1e-9)
    assert drawn_balance(share, np.arange(1, 80, 4)) > 2


def test_chances_stand_for_the_items_there_are():
    assert stands_for(np.full(10, 0.1), 103) is None
    assert stands_for(np.ones(10), 103) == 10.0


@pytest.mark.parametrize("n", [15, 30, 100])
@pytest.mark.parametrize("often", [0.05, 0.2, 0.3, 0.5])
def test_no_draw_with_chances_ten_to_one_is_refused(often, n):
    """Of 1,500 items a share is ten times as likely: the others may be drawn once, or not at all."""
    rng = np.random.default_rng(5)
    weights = np.where(rng.random(1500) < often, 10.0, 1.0)
    chances = np.minimum(1, weights * n / weights.sum())
    draws = [rng.random(1500) < chances for _ in range(2000)]
    assert not any(stands_for(chances[d], 1500, ESCAPED) for d in draws if d.any())


@pytest.mark.parametrize(
    ("chances", "total"),
    [(np.ones(30), 30), (np.full(30, 0.9), 33), (np.full(30, 1 / 1500), 45000)],
)
def test_chances_that_are_none_of_these_items_are(chances, total):
    """Of certain labels of a few, of odds that reach no other, of chances that add up to 1."""
    assert stands_for(chances, 1500, ESCAPED) == pytest.approx(total, abs=0.5)


def test_three_alike_judges_explain_half():
    assert panel_rho2(0.5, 0.25, 3) == pytest.approx(0.5)


def test_pairs_by_connors_formula():
    assert connor(0.2, 0.05, 1.959964, 0.841621) == 626


def test_a_belief_is_short_in_a_table():
    assert brief("every judge right on at least 70%") == " + accuracy 70%"
    assert _believed("nothing: every answer key is possible with these votes") == "nothing"
    sentence = "every judge is right on at least 80% of the items it answered"
    assert _believed(sentence) == "each judge right on >= 80%"


def test_a_span_of_one_share_is_that_share():
    assert (span([0.5, 0.7, 0.6]), span([0.5])) == ("0.50-0.70", "0.50")


def test_the_label_named_like_a_pass():
    assert pass_label(("fail", "Pass")) == "Pass"
    assert pass_label(("good", "yes")) == ""
    assert pass_label(("0", "1")) == "1"


def test_a_difference_keeps_its_sign():
    values = [signed(x) for x in (0.071, None, Fraction(-1), -0.001, 0)]
    assert values == ["+0.07", "-", "-1.00", "-0.001", "0.00"]


def test_the_difference_of_two_independent_rates():
    ends = mover(Estimate(0.5, 0.7, 0.8), Estimate(0.2, 0.4, 0.7))
    assert ends == pytest.approx((-0.0606, 0.3, 0.5236), abs=1e-4)
