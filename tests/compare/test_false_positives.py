"""Rates on wrong responses: counts by hand, intervals and tests from their definitions."""

from math import comb

import numpy as np
import pytest

import algeval as ae
from algeval.compare import false_positives
from algeval.errors import DataError

VOTES = [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, np.nan], [1, 0, np.nan]]


def scores(rows, **more):
    return ae.Scores(range(len(rows)), ["i", "j", "k"], np.array(rows, float), **more)


def fooled(n=500, seed=0):
    """Ordinary responses, half of them right, and wrong ones that fool three weak judges and a good one."""
    rng = np.random.default_rng(seed)
    skill = np.array([2.0, 2.0, 2.0, 2.0, 0.6, 0.6, 0.6])
    right = rng.random(n) < 0.5
    ordinary = 5 + skill * (2 * right[:, None] - 1) + rng.normal(size=(n, 7))
    wrong = 5 - skill + rng.normal(size=(n, 7))
    wrong[:, 3:] += [2.2, 1.8, 1.8, 1.8]
    names = [f"j{k}" for k in range(7)]
    kinds = {"attack": ["colon", "steps"] * (n // 2)}
    return (
        ae.Scores(range(n), names, ordinary),
        ae.Scores(range(n), names, wrong, None, kinds),
    )


def test_the_majority_by_hand():
    found = false_positives(scores(VOTES), [], cut="1/2").of("majority")
    assert (found.n_positive, found.n_items, found.n_undecided) == (3, 6, 1)
    assert (found.caught, found.missed, found.p_value) == (0, 0, 1.0)


def test_intervals_are_where_each_tail_has_its_share():
    """Clopper and Pearson: at the lower end k or more have chance a/2, at the upper end k or fewer."""
    found = false_positives(scores(VOTES), [], cut="1/2", level=0.9).of("majority")
    chance = lambda p, ks: sum(comb(6, k) * p**k * (1 - p) ** (6 - k) for k in ks)  # noqa: E731
    assert chance(found.lower, range(3, 7)) == pytest.approx(0.05, abs=1e-9)
    assert chance(found.upper, range(4)) == pytest.approx(0.05, abs=1e-9)


def test_what_is_gained_over_the_majority_is_paired():
    """The average of one loud judge lets 1 pass that the majority stops, and stops 4 that it lets pass."""
    rows = [[9, 0, 0]] + [[4, 4, -9]] * 4 + [[4, 4, 4]] * 2 + [[0, 0, 0]] * 3
    found = false_positives(scores(rows), ["average"], cut=2.5)
    average = found.of("average")
    assert found.of("majority").n_positive == 6
    assert (average.n_positive, average.caught, average.missed) == (3, 4, 1)
    assert average.p_value == pytest.approx(2 * (comb(5, 0) + comb(5, 1)) / 2**5)
    assert "of the majority's it catches 4, of others it lets 1 pass" in found.summary()


def test_methods_fitted_to_ordinary_responses_are_asked_about_the_wrong_ones():
    ordinary, wrong = fooled()
    found = false_positives(wrong, ["average", "rank-factor"], cut=5, reference=ordinary)
    fit = ae.aggregate(ordinary, "rank-factor", cut=5)
    assert found.of("rank-factor").n_positive == (fit.predict(wrong)[:, 1] > 0.5).sum()
    assert found.of("rank-factor").rate < found.of("majority").rate / 2 > 0.1
    assert found.of("rank-factor").p_value < 1e-6
    assert (found.fitted_to, found.warnings) == ("reference", ())


def test_fitted_to_wrong_responses_alone_a_method_calls_positive_what_it_assumes():
    """What a table of such rates shows is the share that was assumed, not a defence; so it warns."""
    _, wrong = fooled()
    rates = []
    for share in (0.1, 0.5, 0.9):
        settings = {"rank-factor": {"prevalence": share}}
        found = false_positives(wrong, ["rank-factor"], cut=5, settings=settings)
        rates.append(found.of("rank-factor").rate)
        assert "fitted to wrong responses alone" in found.warnings[0]
    assert rates[0] <= 0.1
    assert rates[1] == pytest.approx(0.5, abs=0.05)
    assert rates[2] >= 0.9


def test_groups_are_counted_each_and_add_up():
    ordinary, wrong = fooled()
    whole = false_positives(wrong, ["average"], cut=5, reference=ordinary).of("average")
    found = false_positives(wrong, ["average"], cut=5, reference=ordinary, by="attack")
    parts = [found.of("average", group) for group in ("colon", "steps")]
    assert sum(p.n_positive for p in parts) == whole.n_positive
    assert [p.n_items for p in parts] == [250, 250]
    assert len(found.rates) == 4


def test_methods_of_votes_read_the_votes_at_the_cut():
    ordinary, wrong = fooled()
    found = false_positives(wrong, ["dawid-skene"], cut=5, reference=ordinary)
    fit = ae.aggregate(ordinary.cut(5), "dawid-skene")
    assert found.of("dawid-skene").n_positive == (fit.predict(wrong.cut(5))[:, 1] > 0.5).sum()


def test_items_nobody_scored_do_not_count_and_a_key_is_not_read():
    rows = [*VOTES, [np.nan] * 3]
    found = false_positives(scores(rows, key=[1] * 7), ["average"], cut="1/2")
    assert found.of("average").n_items == 6
    assert (
        found.of("average").rate
        == false_positives(scores(VOTES), ["average"], cut=0.5).of("average").rate
    )


def test_a_method_without_a_fit_is_left_out_and_the_status_says_so():
    two = scores(VOTES).select(judges=["i", "j"])
    found = false_positives(two, ["rank-factor", "average"], cut="1/2")
    assert found.status.value == "not_identifiable"
    assert {rate.method for rate in found.rates} == {"majority", "average"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": 3}, "data must be Scores"),
        ({"data": scores([[np.nan] * 3])}, "at least one score"),
        ({"by": "attack"}, "attribute 'attack' must be one of"),
        ({"settings": {"averge": {}}}, "of methods that are compared, .*; got 'averge'"),
        ({"level": 1}, "level must be between 0 and 1"),
    ],
)
def test_bad_input_is_refused(change, message):
    with pytest.raises(DataError, match=message):
        false_positives(**{"data": scores(VOTES), "cut": 0.5} | change)


def test_a_group_that_is_not_there_is_told():
    with pytest.raises(DataError, match=r"group 'x' is not here"):
        false_positives(scores(VOTES), [], cut=0.5).of("majority", "x")
