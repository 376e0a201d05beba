"""Regression of labelled differences: graded, unequal chances, clusters."""

import numpy as np
import pytest
from scipy import stats

from algeval.rates.intervals import Labelled, paired_regression

RNG = np.random.default_rng(3)
JUDGED = RNG.choice([-1.0, 0, 0, 0, 1], 300)
TRUE = np.where(RNG.random(300) < 0.8, JUDGED, RNG.choice([-1.0, 0, 1], 300))
ROWS = np.sort(RNG.choice(300, 60, replace=False))
EVEN = Labelled(ROWS, TRUE[ROWS], np.full(60, 0.2))


def test_judges_that_say_nothing_leave_the_paired_t_interval():
    """Up to n - 2 in place of n - 1, which the slope costs where there is one."""
    found = paired_regression(EVEN, np.zeros(300))
    d = TRUE[ROWS]
    error = np.sqrt((1 - 0.2) * ((d - d.mean()) ** 2).sum() / (58 * 60))
    half = stats.t.ppf(0.975, 58) * error
    assert tuple(found) == pytest.approx((d.mean() - half, d.mean(), d.mean() + half))


def test_the_point_is_the_regression_estimate_of_survey_sampling():
    found = paired_regression(EVEN, JUDGED)
    d, f = TRUE[ROWS], JUDGED[ROWS]
    slope = np.cov(d, f)[0, 1] / JUDGED.var(ddof=1)
    assert found.estimate == pytest.approx(d.mean() - slope * (f.mean() - JUDGED.mean()))


def test_judges_on_another_scale_change_nothing():
    one, other = paired_regression(EVEN, JUDGED), paired_regression(EVEN, 7 + JUDGED / 10)
    assert tuple(one) == pytest.approx(tuple(other))


def test_judges_who_go_against_the_labels_are_not_used():
    assert tuple(paired_regression(EVEN, -JUDGED)) == tuple(paired_regression(EVEN, np.zeros(300)))


def test_with_all_labelled_the_width_is_zero():
    everything = Labelled(np.arange(300), TRUE, np.ones(300))
    found = paired_regression(everything, JUDGED)
    assert tuple(found) == pytest.approx((TRUE.mean(),) * 3)


def test_judges_who_were_right_so_far_are_not_certain():
    perfect = Labelled(ROWS, JUDGED[ROWS], np.full(60, 0.2))
    found = paired_regression(perfect, JUDGED)
    assert found.high - found.low > 0.02


def test_fewer_than_three_labels_leave_what_is_certain():
    found = paired_regression(Labelled(ROWS[:2], TRUE[ROWS[:2]], np.full(2, 2 / 300)), JUDGED)
    known = TRUE[ROWS[:2]].sum()
    assert (found.low, found.high) == pytest.approx(((known - 298) / 300, (known + 298) / 300))


def test_one_item_a_cluster_is_no_cluster():
    plain = paired_regression(EVEN, JUDGED, target="population")
    alone = paired_regression(EVEN, JUDGED, target="population", clusters=np.arange(300))
    assert tuple(plain) == pytest.approx(tuple(alone))


def test_copies_in_a_cluster_count_once():
    """Each item five times: as many labels, hardly more to know."""
    copies = np.repeat(np.arange(60), 5)
    rows = np.flatnonzero(copies < 30)
    d, f = TRUE[copies], JUDGED[copies]
    labelled = Labelled(rows, d[rows], np.full(150, 0.5))
    known = paired_regression(labelled, f, clusters=copies, target="population")
    ignored = paired_regression(labelled, f, target="population")
    once = Labelled(np.arange(30), TRUE[:30], np.full(30, 0.5))
    single = paired_regression(once, JUDGED[:60], target="population")
    assert known.high - known.low > 2 * (ignored.high - ignored.low)
    assert known.high - known.low == pytest.approx(single.high - single.low, rel=0.06)


def test_unequal_chances_are_weighted_away():
    """Differing items drawn six times as often: the mean over draws is the truth, unweighted it is not."""
    rng = np.random.default_rng(8)
    chances = np.where(JUDGED != 0, 0.3, 0.05)
    weighted, plain = [], []
    for _ in range(400):
        rows = np.flatnonzero(rng.random(300) < chances)
        labelled = Labelled(rows, np.abs(TRUE[rows]), chances[rows])
        weighted.append(paired_regression(labelled, np.zeros(300)).estimate)
        plain.append(np.abs(TRUE[rows]).mean())
    truth, error = np.abs(TRUE).mean(), np.std(weighted) / 20
    assert np.mean(weighted) == pytest.approx(truth, abs=4 * error + 0.01)
    assert np.mean(plain) > truth + 0.2


def test_items_known_to_be_the_same_scale_it():
    open_items = np.arange(300) < 200
    rows = ROWS[ROWS < 200]
    labelled = Labelled(rows, TRUE[rows], np.full(len(rows), len(rows) / 200))
    alone = paired_regression(labelled, JUDGED[:200])
    found = paired_regression(labelled, JUDGED, open_items=open_items)
    assert tuple(found) == pytest.approx(tuple(2 / 3 * x for x in alone))


@pytest.mark.parametrize("clustered", [True, False])
def test_clusters_of_the_population_are_covered(clustered):
    """Items of a prompt share their difficulty; labels lie one by one in prompts."""
    rng = np.random.default_rng(9)
    hits, n_runs = 0, 150
    for _ in range(n_runs):
        codes = np.repeat(np.arange(40), 5)
        lean = rng.normal(0, 1.5, 40)[codes]
        d = np.sign(np.round(lean + rng.normal(0, 0.5, 200)) // 2 * 1.0)
        f = np.where(rng.random(200) < 0.95, d, 0)
        rows = rng.choice(200, 80, replace=False)
        found = paired_regression(
            Labelled(rows, d[rows], np.full(80, 0.4)),
            f,
            clusters=codes if clustered else None,
            target="population",
        )
        hits += found.low <= POPULATION_LEAN <= found.high
    assert (hits / n_runs >= 0.9) if clustered else (hits / n_runs < 0.8)


def _population_lean():
    rng = np.random.default_rng(10)
    lean = rng.normal(0, 1.5, 2_000_000) + rng.normal(0, 0.5, 2_000_000)
    return float(np.sign(np.round(lean) // 2 * 1.0).mean())


POPULATION_LEAN = _population_lean()
