"""Average, median: against sums by hand, planted panels, and their own words."""

import numpy as np
import pytest
from scipy.stats import norm

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

HOLES = Scores.from_columns(
    {"x": [1, 4, None, 7], "y": [3, None, None, 8], "z": [2, 6, None, 9]}, key=[0, 1, None, 1]
)


def panel(n_items, n_judges, noise, seed, prevalence=0.5):
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=(n_items, 1))
    values = trait + noise * rng.normal(size=(n_items, n_judges))
    key = trait[:, 0] + noise * rng.normal(size=n_items) > -norm.ppf(prevalence) * np.hypot(
        1, noise
    )
    return Scores(range(n_items), [f"j{k}" for k in range(n_judges)], values, key.astype(int))


def test_means_of_what_was_given_by_hand():
    found = aggregate(HOLES, "average", cut=5)
    assert found.item_scores.tolist() == [2, 5, (2 + 5 + 8) / 3, 8]
    squares = (1 + 1) + (1 + 1) + (1 + 0 + 1)
    scatter = np.sqrt(squares / (8 - 3))
    assert found.parameters["scatter"] == pytest.approx(scatter)
    told = norm.cdf((np.array([2, 5, 8]) - 5) / scatter)
    np.testing.assert_allclose(found.posterior_items[[0, 1, 3], 1], told, atol=1e-12)
    assert found.item_labels == ["0", None, None, "1"]  # the second stands at the cut
    assert found.posterior_items[2, 1] == 4 / 8
    assert "1 item got no score" in found.summary()
    assert aggregate(HOLES, "median", cut=5).item_scores.tolist() == [2, 5, 5, 8]


def test_the_cut_leaves_the_prevalence_above_it_even_with_ties():
    scores = Scores(range(10), ["x"], np.array([[1, 1, 1, 2, 2, 2, 2, 3, 3, 4]]).T)
    for prevalence, higher in ((0.5, 7), (0.3, 3), (0.1, 1), (0.7, 7)):
        found = aggregate(scores, "average", prevalence=prevalence)
        assert abs(found.item_labels.count("1") / 10 - prevalence) <= 0.2
        if prevalence != 0.5:
            assert found.item_labels.count("1") == higher


@pytest.mark.parametrize("method", ["average", "median"])
@pytest.mark.parametrize("prevalence", [0.5, 0.25])
def test_probabilities_are_those_of_a_key_that_is_one_more_judge(method, prevalence):
    scores = panel(40000, 7, 1.0, 3, prevalence)
    told = score(aggregate(scores, method, prevalence=prevalence), scores)
    assert told.calibration_error < 0.04


def test_loadings_are_correlations_with_the_others():
    scores = panel(500, 4, 0.8, 4)
    found = aggregate(scores, "average")
    for j in range(4):
        others = np.delete(scores.values, j, 1).mean(1)
        assert found.loadings[j, 0] == pytest.approx(np.corrcoef(scores.values[:, j], others)[0, 1])


def test_no_key_is_read_and_new_scores_get_the_same_probabilities():
    scores = panel(300, 4, 0.8, 5)
    for method in ("average", "median"):
        found = aggregate(scores, method)
        assert found == aggregate(scores.without_key(), method)
        np.testing.assert_allclose(found.predict(scores), found.posterior_items, atol=1e-12)
        again = type(found).from_dict(found.to_dict())
        assert again == found
        np.testing.assert_allclose(again.predict(scores), found.posterior_items, atol=1e-12)


def test_what_cannot_be_averaged_is_said():
    flat = aggregate(Scores.from_columns({"x": [2, 2], "y": [3, 3]}), "average")
    assert flat.status is Status.NOT_IDENTIFIABLE
    assert "the same for every item" in flat.message
    one = aggregate(Scores.from_columns({"x": [1, 2, 5], "y": [3, 3, 3]}), "median", cut=3)
    assert "y gave every item the same score" in one.summary()
    with pytest.raises(DataError, match="must not both be given"):
        aggregate(HOLES, "average", cut=1, prevalence=0.5)
    with pytest.raises(DataError, match="setting 'tol' is not one of method 'average'"):
        aggregate(HOLES, "average", tol=1)
    with pytest.raises(DataError, match=r"method 'averge' is not known; .*did you mean 'average'"):
        aggregate(HOLES, "averge")
    with pytest.raises(DataError, match="groups are found in votes"):
        aggregate(HOLES, "average", groups="one-each")


def test_a_table_of_few_numbers_is_read_as_scores_where_the_method_reads_nothing_else():
    assert aggregate({"x": [1, 2, 3], "y": [3, 2, 4]}, "average").item_scores.tolist() == [
        2,
        2,
        3.5,
    ]
