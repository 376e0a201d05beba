"""Changes before and after: by hand, by brute force, and on panels whose perturbation is planted."""

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import aggregate
from algeval.compare import robustness
from algeval.errors import DataError


def dressed(n=600, seed=0, moved=(0.0, 0.0, 0.0, 0.0, 1.5, 2.0)):
    """Six judges of one trait, good ones first; dressing an item up adds `moved` to each judge's score.

    One item in two is moved, each by its own amount (mean 1), so that the change is not a constant.
    """
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=(n, 1))
    loading = np.array([0.9, 0.85, 0.8, 0.75, 0.5, 0.4])
    values = 5 + 2 * (trait * loading + rng.normal(size=(n, 6)) * np.sqrt(1 - loading**2))
    push = 2 * rng.random((n, 1)) * (rng.random((n, 1)) < 0.5)
    names = [f"j{k}" for k in range(6)]
    before = ae.Scores(range(n), names, values, None, {"question": [k // 3 for k in range(n)]})
    return before, ae.Scores(range(n), names, values + push * np.array(moved))


def test_average_and_median_by_hand():
    x = ae.Scores(["a", "b", "c"], ["i", "j", "k"], [[1, 2, 6], [4, 5, 6], [9, 9, 9]])
    y = ae.Scores(["c", "a", "b"], ["i", "j", "k"], [[9, 9, 6], [4, 2, 6], [1, 5, 6]])
    found = robustness(x, y, ["average", "median"], n_samples=50)
    assert found["average"].change == pytest.approx((1 + 1 + 1) / 3)
    assert found["average"].shift == pytest.approx((1 - 1 - 1) / 3)
    assert found["median"].change == pytest.approx((2 + 0 + 0) / 3)
    assert found["median"].difference == pytest.approx(-1 / 3)
    assert found["average"].spread == pytest.approx(np.std([3, 5, 9]))
    assert found["average"].relative == pytest.approx(1 / np.std([3, 5, 9]))
    assert [found[j].change for j in "ijk"] == pytest.approx([2.0, 0.0, 1.0])
    assert found["i"].flipped is None
    assert "i: moved by 2" in found.summary()


def test_a_perturbation_of_nothing_moves_nothing():
    before, _ = dressed(200)
    for fit in ("together", "apart"):
        found = robustness(before, before, fit=fit, n_samples=20)
        assert [m.change for m in (*found.methods, *found.judges)] == pytest.approx([0] * 10)
        assert [m.flipped for m in found.methods] == [0] * 4
        assert found.status.ok


@pytest.mark.parametrize("cluster", [None, "question"])
def test_standard_errors_are_those_of_a_bootstrap_written_out(cluster):
    """Against the closed form of a mean of equal clusters, which 4,000 resamples meet to 5%."""
    before, after = dressed()
    found = robustness(before, after, ["average"], cluster=cluster, n_samples=4000)
    change = np.abs((after.values - before.values).mean(axis=1))
    parts = change if cluster is None else change.reshape(200, 3).mean(axis=1)
    assert found["average"].change == pytest.approx(change.mean())
    assert found["average"].error == pytest.approx(parts.std() / np.sqrt(len(parts)), rel=0.05)
    assert found.n_clusters == len(parts)


def test_flips_are_of_classes_under_one_threshold():
    before, after = dressed()
    found = robustness(before, after, ["average"], settings={"average": {"cut": 5}}, n_samples=2)
    x, y = before.values.mean(axis=1) > 5, after.values.mean(axis=1) > 5
    assert found["average"].flipped == (x != y).mean() > 0.05
    assert found.settings == {"average": {"cut": 5}}


def test_a_factor_that_hears_the_weak_judges_less_is_moved_less():
    before, after = dressed()
    found = robustness(before, after, ["average", "rank-factor", "factor"], n_samples=200)
    for name in ("rank-factor", "factor"):
        assert found[name].relative < 0.6 * found["average"].relative
    assert found["j5"].change > found["j4"].change > 0 == found["j0"].change


def test_one_law_for_both_is_a_fit_of_all_rows_and_apart_is_two_fits():
    before, after = dressed(150)
    both = ae.Scores(range(300), before.judges, np.vstack([before.values, after.values]))
    scores = aggregate(both, "factor").item_scores
    change = np.abs(scores[150:] - scores[:150]).mean()
    assert robustness(before, after, ["factor"], n_samples=2)["factor"].change == pytest.approx(
        change
    )
    one, two = (aggregate(table, "factor").item_scores for table in (before, after))
    apart = robustness(before, after, ["factor"], fit="apart", n_samples=2)
    assert apart["factor"].change == pytest.approx(np.abs(one - two).mean())


def test_rows_are_matched_by_an_attribute_and_strangers_are_left_out_and_told():
    one = ae.Scores(
        ["1", "2", "3"], ["i", "j"], [[1, 2], [3, 4], [5, 6]], None, {"q": ["a", "b", "c"]}
    )
    two = ae.Scores(["7", "8"], ["j", "i", "x"], [[5, 3, 0], [3, 1, 0]], None, {"q": ["b", "a"]})
    found = robustness(one, two, ["average"], by="q", n_samples=2)
    assert (found.n_items, found["average"].change) == (2, pytest.approx((0.5 + 0.5) / 2))
    assert found.warnings == (
        "1 item is in one of the tables only, and left out.",
        "1 judge is in one of the tables only, and left out.",
    )


def test_no_key_is_read_and_a_judge_who_missed_items_counts_where_it_was_heard():
    before, after = dressed(100)
    values = before.values.copy()
    values[:60, 5] = np.nan
    holes = ae.Scores(before.items, before.judges, values, ["good"] * 100)
    found = robustness(holes, after, ["average"], n_samples=5)
    assert found["j5"].n_items == 40
    push = (after.values - before.values)[60:, 5]
    assert found["j5"].change == pytest.approx(np.abs(push).mean())


def test_a_method_without_a_fit_is_a_row_without_numbers():
    x = ae.Scores.from_columns({"i": [1, 2, 3], "j": [2, 1, 3]})
    found = robustness(x, x, ["factor", "average"], n_samples=2)
    assert found.status.value == "not_identifiable" == found["factor"].status
    assert found["factor"].change is None is found["average"].difference
    assert "factor: no fit" in found.summary()


def test_tables_are_read_as_scores():
    before, after = dressed(12)
    tables = [dict(zip(s.judges, s.values.T.tolist(), strict=True)) for s in (before, after)]
    assert robustness(*tables, ["average"])["average"].change == pytest.approx(
        robustness(before, after, ["average"])["average"].change, abs=1e-12
    )


def test_one_item_has_no_standard_error():
    one, two = (ae.Scores(["x"], ["i", "j"], [row]) for row in ([1.0, 2.0], [3.0, 2.0]))
    found = robustness(one, two, ["average"])
    assert (found["average"].change, found["average"].error) == (1.0, None)
    assert "(standard error unknown)" in found.summary()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"methods": []}, "methods must be a list"),
        ({"fit": "both"}, "fit must be one of"),
        ({"by": "q"}, "attribute 'q' must be in both tables; before has"),
        ({"after": ae.Scores(["x"], ["j0"], [[1]])}, "an? item in common"),
        ({"after": ae.Scores(["0"], ["x"], [[1]])}, "a judge in common"),
        ({"before": 3}, "before must be Scores, or a table of scores .*; got int"),
        ({"after": ae.Votes.from_columns({"i": "ab"})}, "after must be Scores; got Votes"),
        ({"settings": 3}, "settings must be of methods by name; got 3"),
        ({"seed": "a"}, "seed must be a whole number"),
        ({"settings": {"factr": {}}}, "of methods that are compared, .*; got 'factr'"),
    ],
)
def test_bad_input_is_refused(change, message):
    before, after = dressed(10)
    with pytest.raises(DataError, match=message):
        robustness(**{"before": before, "after": after} | change)


def test_an_attribute_that_repeats_names_no_item():
    x = ae.Scores(["1", "2"], ["i"], [[1], [2]], None, {"q": ["a", "a"]})
    with pytest.raises(DataError, match="'q' must name each item once; in before"):
        robustness(x, x, by="q")
