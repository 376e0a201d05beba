"""Intervals from refits on resampled items: a plain loop, renaming, failures, and what they cover."""

import itertools
import json
import sys
from fractions import Fraction as F

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import METHODS, Bootstrap, policy
from algeval.aggregate.bootstrap import (
    _quantiles,
    _Refits,
    canonical_order,
    ends_of,
    shown_intervals,
)
from algeval.aggregate.registry import method
from algeval.errors import DataError
from algeval.result import Status

ACCURACY = np.array([0.9, 0.8, 0.7, 0.7, 0.6])
OF_VOTES = sorted(METHODS)
WARM = ["dawid-skene", "mace", "one-coin", "pooled-dawid-skene", "recommended"]


def exam(seed, n_labels=2, n_items=300, accuracy=ACCURACY):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    size = n_items, len(accuracy)
    wrong = (truth[:, None] + rng.integers(1, n_labels, size)) % n_labels
    codes = np.where(rng.random(size) < accuracy, truth[:, None], wrong).astype(np.int16)
    judges, labels = [f"j{k}" for k in range(len(accuracy))], list("abcd"[:n_labels])
    return ae.Sketch(judges, labels, labels, codes, np.ones(n_items, int))


@pytest.mark.parametrize("name", ["majority", "dawid-skene", "recommended"])
def test_a_plain_loop_over_resampled_items_gives_the_same_ends(name):
    """Second way: draw counts, build the sketch by hand, fit with the public function, take moments."""
    sketch = exam(1)
    found = ae.aggregate(sketch, name)
    made = found.bootstrap(n=12, seed=5)
    rng, order = np.random.default_rng(5), canonical_order(found)
    shares, grades = [], []
    for _ in range(12):
        counts = np.empty(len(sketch), int)
        counts[order] = rng.multinomial(300, sketch.counts[order] / 300)
        drawn = ae.Sketch(*sketch.axes, sketch.codes, counts)
        fitted = ae.aggregate(drawn, name).evaluation.to_floats()
        shares.append(fitted.prevalence[0])
        grades.append([fitted.grade(judge) for judge in sketch.judges])
    told = found.evaluation.to_floats()
    p = told.prevalence[0]
    for value, draws, ends in [
        (p, np.array(shares), made.prevalence_of("a")),
        *(
            (told.grade(judge), np.array(grades)[:, j], made.accuracy_of(judge))
            for j, judge in enumerate(sketch.judges)
        ),
    ]:
        half = 1.959964 * np.sqrt(((draws - value) ** 2).sum() / 11)
        low, high = np.quantile(draws, [0.025, 0.975])
        wanted = np.clip([min(value - half, low), max(value + half, high)], 0, 1)
        assert ends == pytest.approx(wanted, abs=0.02)


def test_the_ends_are_the_hull_of_three_intervals_by_hand():
    draws = np.array([[0.5], [0.7]])
    ((low, high),) = ends_of(np.array([0.6]), draws, mass=np.nan, level=0.95)
    half = 1.959964 * np.sqrt(0.02)
    assert (low, high) == pytest.approx((0.6 - half, 0.6 + half), abs=1e-6)
    ((low, high),) = ends_of(np.array([1.0]), np.ones((9, 1)), mass=30, level=0.95)
    assert (low, high) == pytest.approx((30 / (30 + 1.959964**2), 1.0))
    skew = np.array([[0.1]] + [[0.5]] * 39)
    ((low, high),) = ends_of(np.array([0.5]), skew, mass=1e9, level=0.99)
    assert low == pytest.approx(float(np.quantile(skew, 0.005)), abs=0.05)
    unknown = np.array([[np.nan], [np.nan], [0.5]])
    assert np.isnan(ends_of(np.array([0.5]), unknown, mass=5, level=0.95)).all()


def test_a_majority_on_one_pattern_by_hand():
    """Every refit sees the same pattern, so Wilson's interval of 10 of 10 is all there is."""
    made = ae.aggregate(
        ae.Sketch.from_counts({"aaa": 10}, labels=["a", "b"]), "majority"
    ).bootstrap(5)
    low = 10 / (10 + 1.959963984540054**2)
    assert made.prevalence_of("a") == pytest.approx((low, 1))
    assert made.accuracy_of("1") == pytest.approx((low, 1))
    assert np.isnan(made.confusion[:, 1]).all()
    assert made.consensus == pytest.approx(4 / 4 * (3 + 0.5) / 4)
    assert made.consensus_accuracy == pytest.approx([0.875, 0.875])
    assert "3 rows rest on less than one expected item" in made.summary()
    assert "b -" in made.summary()


def test_order_of_judges_and_labels_does_not_matter():
    """The counts drawn follow the patterns in order, so only what they converge to can agree."""
    sketch = exam(3)
    first = ae.aggregate(sketch).bootstrap(n=60)
    turned = ae.aggregate(sketch.marginal(sketch.judges[::-1])).bootstrap(n=60)
    other = ae.aggregate(
        ae.Sketch(sketch.judges, ["b", "a"], ["b", "a"], 1 - sketch.codes, sketch.counts)
    ).bootstrap(n=60)
    for judge in sketch.judges:
        for made in (turned, other):
            assert made.accuracy_of(judge) == pytest.approx(first.accuracy_of(judge), abs=0.04)
            assert made.accuracy_of(judge, "a") == pytest.approx(
                first.accuracy_of(judge, "a"), abs=0.06
            )
    assert other.prevalence_of("a") == pytest.approx(first.prevalence_of("a"), abs=0.04)


def test_classes_found_under_other_names_are_matched():
    found = ae.aggregate(exam(2, n_labels=4), "dawid-skene")
    refits = _Refits.of(found)
    turned = refits.start[:, [1, 2, 3, 0]]
    plain = refits._refit(found.counts)
    object.__setattr__(refits, "start", turned)
    again = refits._refit(found.counts)
    for value, other in zip(plain, again, strict=True):
        np.testing.assert_allclose(value, other, atol=1e-3)


@pytest.mark.parametrize("name", OF_VOTES)
def test_every_method_refits_with_the_settings_it_echoes(name):
    sketch = exam(4, n_items=150)
    found = ae.aggregate(sketch, name)
    refits = _Refits.of(found)
    again = method(name)(sketch, **{k: v for k, v in refits.settings.items() if k != "seed"})
    np.testing.assert_allclose(again.posterior, found.posterior, atol=1e-6)
    if name in [*WARM, "majority", "wawa", "weighted-majority", "vote-factor", "triplets"]:
        made = found.bootstrap(n=4)
        assert made.status is Status.OK
        assert made.prevalence.shape == (2, 2)
        assert made.confusion.shape == (5, 2, 2, 2)
        assert (
            Bootstrap.from_dict(json.loads(json.dumps(made.to_dict()))).to_dict() == made.to_dict()
        )


@pytest.mark.parametrize("name", WARM)
def test_a_refit_to_the_same_counts_stands_still(name):
    found = ae.aggregate(exam(6), name)
    numbers = _Refits.of(found)._refit(found.counts)
    np.testing.assert_allclose(numbers.prevalence, found.evaluation.prevalence, atol=2e-3)
    np.testing.assert_allclose(numbers.confusion, found.evaluation.confusion, atol=5e-3)


def test_refits_that_fail_are_counted_and_too_many_leave_no_interval():
    found = ae.aggregate(exam(7), "dawid-skene", max_iter=40, tol=0.0)
    assert found.status is Status.NOT_CONVERGED
    made = found.bootstrap(n=6)
    assert (made.status, made.n_failed) == (Status.UNDETERMINED, 6)
    assert np.isnan(made.prevalence).all()
    assert "only 0 of 6 refits on resampled items ended ok" in made.message
    assert "around no optimum" in made.warnings[1]
    assert made.message in found.summary(made)


def test_a_time_limit_that_is_too_short_makes_no_refits_more():
    made = ae.aggregate(exam(7)).bootstrap(n=200, time_limit=0.0)
    assert made.status is Status.TIME_LIMIT
    assert "give intervals=200 (--intervals 200)" in made.message
    assert np.isnan(made.confusion).all()


@pytest.mark.parametrize("name", OF_VOTES)
def test_whether_intervals_are_shown_follows_from_counted_work(name, monkeypatch):
    ticks = itertools.count(0, 10)
    monkeypatch.setattr("algeval.aggregate.bootstrap.process_time", lambda: float(next(ticks)))
    result = ae.aggregate(exam(7), name)
    made = shown_intervals(result, "auto")
    if name in policy.LONG_REFITS:
        assert made.status is Status.TIME_LIMIT
        assert "give intervals=100 (--intervals 100)" in made.message
    else:
        assert made.status.ok
        assert np.isfinite(made.prevalence).all()


def test_intervals_of_many_tuples_wait_until_they_are_wanted():
    drawn = np.random.default_rng(0).integers(0, 4, size=(30_000, 12))
    votes = ae.read_votes(drawn.astype(str), labels=list("0123"))
    made = shown_intervals(ae.aggregate(votes, "majority"), "auto")
    assert made.status is Status.TIME_LIMIT


def test_the_same_seed_gives_the_same_intervals_and_a_result_from_json_too():
    found = ae.aggregate(exam(8))
    first = found.bootstrap(n=10, seed=3)
    assert found.bootstrap(n=10, seed=3).to_dict() == first.to_dict()
    assert found.bootstrap(n=10, seed=4).to_dict() != first.to_dict()
    again = type(found).from_dict(json.loads(json.dumps(found.to_dict()))).bootstrap(n=10, seed=3)
    np.testing.assert_allclose(again.confusion, first.confusion, atol=1e-6)


def test_settings_out_of_range_and_no_fit_are_refused():
    found = ae.aggregate(exam(8), "majority")
    for bad in ({"n": 1}, {"level": 1.0}, {"seed": -1}, {"time_limit": -1}):
        with pytest.raises(DataError, match="must"):
            found.bootstrap(**bad)
    with pytest.raises(DataError, match="must hold a fit"):
        ae.aggregate(exam(8).marginal(["j0", "j1"]), "dawid-skene").bootstrap()
    assert shown_intervals(found, 0) is None
    with pytest.raises(DataError, match="intervals must"):
        ae.compare(exam(8), intervals=-1)


def test_intervals_are_shown_beside_the_shares():
    found = ae.aggregate(exam(8))
    text = found.summary(found.bootstrap(n=10))
    assert "95% intervals in percent if errors are independent, from 10 refits on resampled" in text
    assert text.count("(") >= 12
    assert "accuracy of the consensus labels, if the probabilities are calibrated:" in text


def test_known_unequal_shares_tie_classes_to_names():
    sketch = exam(9)
    found = ae.aggregate(sketch, "dawid-skene", prevalence=[0.5, 0.5])
    assert _Refits.of(found).nameless
    found = ae.aggregate(sketch, "dawid-skene", prevalence=[0.3, 0.7])
    assert not _Refits.of(found).nameless
    assert found.bootstrap(n=4).prevalence[:, 0].max() < F(7, 10) <= 0.8


def coverage(name, n_labels, seeds, n):
    """Return the shares of exams whose interval holds the truth: prevalence, accuracy, on a label."""
    hits = []
    for seed in seeds:
        made = ae.aggregate(exam(seed, n_labels), name).bootstrap(n=n, seed=seed)
        right = made.confusion[:, range(n_labels), range(n_labels)]
        truths = np.array(1 / n_labels), ACCURACY, ACCURACY[:, None]
        ends = made.prevalence, made.accuracy, right
        hits.append(
            np.concatenate(
                [
                    ((e[..., 0] <= t) & (t <= e[..., 1])).reshape(len(e), -1).mean(axis=1)
                    for e, t in zip(ends, truths, strict=True)
                ]
            )
        )
    return np.mean(hits, axis=0)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_intervals_cover_on_a_few_exams(n_labels):
    found = coverage(
        "recommended" if n_labels == 4 else "pooled-dawid-skene", n_labels, range(8), 30
    )
    assert found.mean() > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("name", ["dawid-skene", "recommended"])
def test_intervals_cover_on_two_hundred_exams(name, n_labels):
    found = coverage(name, n_labels, range(5000, 5200), 100)
    assert found.min() >= 0.9
    assert found.max() <= 0.99


def test_quantiles_of_what_is_not_nan_are_those_of_numpy():
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(41, 60)).astype(float)
    drawn[rng.random(drawn.shape) < rng.random(60)] = np.nan
    drawn[:, 0], drawn[0] = np.nan, 1.0
    chances = [0.025, 0.31, 0.975]
    assert np.allclose(_quantiles(drawn, chances), np.nanquantile(drawn, chances, axis=0))


def test_refits_take_near_copies_as_the_data_have_them(monkeypatch):
    """Items drawn twice make judges alike; the search is long, and was made in every refit."""
    result = ae.aggregate(exam(1))
    assert result.parameters["near_copies"] == ()
    module = sys.modules["algeval.aggregate.methods.recommended"]
    monkeypatch.setattr(module, "near_copies", lambda sketch: pytest.fail("searched in a refit"))
    assert result.bootstrap(n=3).n_failed == 0
