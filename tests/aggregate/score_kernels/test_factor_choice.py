"""How many factors: planted numbers are chosen, clusters stay together, errors know of clusters."""

from math import log
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from algeval.aggregate.scores.factor import criteria, fit_factors, fold_of, held_out, n_parameters
from algeval.aggregate.scores.simple import judge_scale

DATA = Path(__file__).parents[3] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")


def scores_of(k, n=400, seed=0):
    rng = np.random.default_rng(seed)
    loading = np.zeros((9, 2))
    loading[:, 0] = 0.7
    loading[5:, 1] = 0.6 * (k == 2)
    loading *= k > 0
    return rng.normal(size=(n, 2)) @ loading.T + 0.6 * rng.normal(size=(n, 9))


def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_planted_numbers_are_chosen(k):
    values = scores_of(k)
    found = held_out(values, np.arange(400), rng=rng())
    assert found.converged
    assert found.ks[found.per_item.argmax()] == k
    fits = [fit_factors(values, q, rng=rng()).log_likelihood for q in range(4)]
    told = [criteria(height, q, 400, 9) for q, height in enumerate(fits)]
    assert np.argmin(told, axis=0).tolist() == [k, k]


def test_gains_are_paired_with_the_reference():
    found = held_out(scores_of(2), np.arange(400), rng=rng())
    np.testing.assert_allclose(found.gain, found.per_item - found.per_item[1], atol=1e-12)
    assert found.gain[1] == found.gain_se[1] == 0
    assert found.gain[2] > 5 * found.gain_se[2] > 0


def test_items_said_four_times_are_no_more_certain():
    values = scores_of(2, n=200)
    items = np.arange(200)
    once = held_out(values, items, rng=rng(), ks=(1, 2))
    again = held_out(np.tile(values, (4, 1)), np.tile(items, 4), rng=rng(), ks=(1, 2))
    np.testing.assert_allclose(again.gain, once.gain, atol=1e-4)
    np.testing.assert_allclose(again.gain_se, once.gain_se, atol=1e-4)
    leaky = held_out(np.tile(values, (4, 1)), np.arange(800), rng=rng(), ks=(1, 2))
    assert leaky.gain_se[1] < 0.6 * once.gain_se[1]


def test_folds_keep_clusters_together_and_are_alike():
    clusters = np.random.default_rng(1).integers(0, 23, 400)
    fold = fold_of(clusters, 5, rng())
    assert all(len(set(fold[clusters == c])) == 1 for c in range(23))
    many = [len(set(clusters[fold == f])) for f in range(5)]
    assert sorted(many) == [4, 4, 5, 5, 5]
    assert fold_of(np.array([0, 1, 1]), 5, rng()).max() == 1
    np.testing.assert_array_equal(fold, fold_of(clusters, 5, rng()))


def test_the_same_seed_gives_the_same_numbers():
    values = scores_of(2, n=100)
    values[::7, 2] = np.nan
    one, other = (held_out(values, np.arange(100) // 2, rng=rng(), ks=(1, 2)) for _ in range(2))
    np.testing.assert_array_equal(one.per_item, other.per_item)


def test_criteria_by_hand():
    assert [n_parameters(5, k) for k in range(4)] == [(0, 10), (5, 10), (9, 10), (12, 10)]
    plain, extended = criteria(-100.0, 2, 50, 5)
    assert plain == pytest.approx(200 + 19 * log(50))
    assert extended == pytest.approx(plain + 2 * 9 * log(5))


@shared
@pytest.mark.parametrize(
    ("name", "cluster", "gain", "slack"),
    [
        ("civilcomments_judge_scores", "item", 0.31, 0.02),
        ("triviaqa_judges_v1", "question_key", 0.31, 0.04),
        ("triviaqa_judges_v2", "question_key", 0.29, 0.07),
    ],
)
def test_a_second_factor_exists_in_real_panels(name, cluster, gain, slack):
    found = on_data(name, cluster)
    assert found.gain[1] == pytest.approx(gain, abs=slack)
    assert found.gain[1] > 3 * found.gain_se[1]


@shared
def test_sentence_pairs_reject_a_second_factor_and_rows_would_not():
    """300 distinct rows stand 2,250 times there: folds by rows leak."""
    assert on_data("asset_judge_scores", "pair").gain[1] < -0.05
    assert on_data("asset_judge_scores", "item").gain[1] > 0.05


def on_data(name, cluster):
    table = pd.read_csv(DATA / f"{name}.csv")
    known = ["item", "pair", "rater", "aspect", "question", "exam_taker", "n_chars_response"]
    known += ["n_references", "gold", "question_key"]
    values = table.drop(columns=known, errors="ignore").to_numpy(float)
    _, clusters = np.unique(table[cluster], return_inverse=True)
    scores = judge_scale(values, "normal").transform(values)
    return held_out(scores, clusters, rng=rng(), ks=(1, 2))
