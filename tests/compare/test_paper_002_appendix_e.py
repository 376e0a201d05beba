"""CARE, E.7 to E.9: judges of an attribute, every direction as the quality, and sweeps of a confounder."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

import algeval as ae
from algeval.aggregate import SCORE_METHODS, aggregate
from algeval.compare import with_copies
from algeval_papers.gaussian_states import second_order_insufficient, second_order_sufficient

LOADING = np.linspace(0.8, 0.35, 12)
LENGTH = np.r_[np.zeros(9), 0.3, 0.4, 0.5]
N = 2000


def panel(seed=0):
    """Twelve judges of a quality, the three weakest of whom also follow the length."""
    rng = np.random.default_rng(seed)
    quality, length = rng.normal(size=(2, N))
    drawn = quality[:, None] * LOADING + length[:, None] * LENGTH
    drawn += rng.normal(size=(N, 12)) * np.sqrt(1 - LOADING**2 - LENGTH**2)
    keyword = (length + 2 * rng.normal(size=N) > 2).astype(float)
    more = {"length": np.exp(length).tolist(), "keyword": keyword.tolist()}
    return quality, ae.Scores(range(N), [f"j{k}" for k in range(12)], 5 + 2 * drawn, None, more)


def with_attributes(scores, names):
    """The panel with the attributes themselves as judges."""
    columns = {name: [float(x) for x in scores.attributes[name]] for name in names}
    return scores.join(ae.Scores.from_columns(columns, items=scores.items))


def agreement(found, quality):
    return abs(np.corrcoef(found.item_traits, quality)[0, 1])


def test_e7_dummy_judges_are_caught_by_the_second_factor():
    quality, scores = panel()
    found = aggregate(with_attributes(scores, ["length", "keyword"]), "factor", rotate="varimax")
    first, second = found.loadings.T
    np.testing.assert_allclose(first[:12], LOADING, atol=0.08)
    assert second[12] > 0.8 > 0.1 > abs(first[12])
    assert second[13] > 0.15 > 0.1 > abs(first[13])
    assert np.abs(second[:9]).max() < 0.1 < second[9:12].min()
    assert agreement(found, quality) > 0.92


def collapse(method, copies, **settings):
    found = []
    for seed in range(2):
        quality, scores = panel(seed)
        fit = aggregate(with_copies(scores, "length", copies, seed=seed), method, **settings)
        found.append(agreement(fit, quality))
    return float(np.median(found))


def test_e8_near_copies_take_the_leading_direction_and_the_average_but_not_the_broadest_factor():
    """8 of 20 judges are copies: one factor and the leading of two are theirs, varimax keeps .94."""
    assert collapse("factor", 2) > 0.9
    assert collapse("factor", 8) < 0.1
    assert collapse("factor", 8, factors=2) < 0.1
    assert collapse("factor", 8, rotate="varimax") > 0.9
    assert collapse("average", 2) > 0.8 > 0.65 > collapse("average", 8)


@pytest.mark.skipif("care-svd" not in SCORE_METHODS, reason="there is no care-svd")
def test_e8_the_leading_eigenvector_falls_to_four_copies():
    assert collapse("care-svd", 4, scores="normal") < 0.1


def sweep(design, strengths, methods, seeds=3):
    """Return {method: median share of items on the right side of the median, by strength}."""
    found = {method: [] for method in methods}
    for strength in strengths:
        right = {method: [] for method in methods}
        for seed in range(seeds):
            law = design(strength)
            states, values = law.sample(1500, seed)
            scores = ae.Scores(range(1500), range(law.n_judges), values)
            for method in methods:
                traits = aggregate(scores, method).item_traits
                right[method].append(((traits > np.median(traits)) == states // 2).mean())
        for method in methods:
            found[method].append(float(np.median(right[method])))
    return found


def test_e9_1_where_correlations_suffice_one_factor_stands_and_the_average_falls():
    found = sweep(second_order_sufficient, [0, 0.5, 1], ["average", "factor", "rank-factor"])
    assert min(found["factor"] + found["rank-factor"]) > 0.97
    assert found["average"][0] > 0.97 > 0.93 > found["average"][-1]


def test_e9_2_where_they_do_not_every_method_that_reads_them_falls_to_chance():
    found = sweep(second_order_insufficient, [0.25, 0.5, 1], ["average", "factor"])
    assert found["factor"][0] > 0.97
    assert found["factor"][1] > 0.95 > 0.8 > found["average"][1]
    assert found["factor"][2] < 0.56
    assert found["average"][2] < 0.6
    law = second_order_insufficient(1)
    states, values = law.sample(4000, 0)
    assert ((law.posterior(values)[:, 2:].sum(axis=1) > 0.5) == states // 2).mean() > 0.98


@pytest.fixture(scope="module")
def civil(real_votes):
    scores = ae.read_scores(real_votes / "civilcomments_judge_scores.csv", item="item", key="gold")
    table = pd.read_csv(real_votes / "civilcomments_attributes.csv", dtype={"item": str})
    table = table.set_index("item").loc[list(scores.items)]
    texts = {name: table[name].tolist() for name in ("n_chars", "question")}
    blind = ae.Scores(scores.items, scores.judges, scores.values, None, texts)
    return blind, table.human_toxicity


def test_e7_on_comments_length_and_the_small_models_share_the_second_factor(civil):
    """Table 6 has .742 for its length judge and .595 for gemma-3-1b-it, on answers of another kind."""
    scores, _ = civil
    found = aggregate(with_attributes(scores, ["n_chars", "question"]), "factor", rotate="varimax")
    loading = dict(zip(found.judges, found.loadings, strict=True))
    assert loading["n_chars"] == pytest.approx([-0.02, 0.82], abs=0.03)
    assert loading["question"] == pytest.approx([0.05, 0.22], abs=0.03)
    assert loading["gemma-3-1b-it"] == pytest.approx([0.37, 0.73], abs=0.03)
    assert loading["gemma-2-9b-it"] == pytest.approx([0.91, 0.11], abs=0.03)


@pytest.mark.parametrize(
    ("copies", "expected"),
    [(4, (0.513, 0.601, 0.618)), (8, (0.439, 0.597, 0.618)), (16, (0.316, -0.045, 0.617))],
)
def test_e8_on_comments_with_copies_of_the_length(civil, copies, expected):
    scores, toxicity = civil
    more = with_copies(scores, "n_chars", copies)
    told = (("average", {}), ("factor", {}), ("factor", {"rotate": "varimax"}))
    found = [spearmanr(aggregate(more, m, **s).item_traits, toxicity)[0] for m, s in told]
    assert found == pytest.approx(expected, abs=0.015)


@pytest.mark.skipif("care-svd" not in SCORE_METHODS, reason="there is no care-svd")
def test_e8_on_comments_the_leading_eigenvector_is_the_length_from_four_copies_on(civil):
    scores, toxicity = civil
    found = [
        abs(spearmanr(aggregate(s, "care-svd").item_traits, toxicity)[0])
        for s in (scores, with_copies(scores, "n_chars", 4))
    ]
    assert found[0] == pytest.approx(0.615, abs=0.01)
    assert found[1] < 0.1


def test_e8_on_asset_the_leading_direction_is_the_one_that_goes_with_people(real_votes):
    path = real_votes / "asset_judge_scores.csv"
    judges = pd.read_csv(path, nrows=0).columns[4:-1].tolist()
    scores = ae.read_scores(path, item="item", judges=judges, key="gold")
    gold = np.array(scores.key, float)
    leading, second, third = (
        abs(spearmanr(column, gold)[0])
        for column in aggregate(scores, "factor", factors=3).parameters["factor_means"].T
    )
    assert leading == pytest.approx(0.549, abs=0.01)
    assert max(second, third) < 0.21
    if "care-svd" in SCORE_METHODS:
        directions = np.array(aggregate(scores, "care-svd").parameters["directions"])
        z = (scores.values - scores.values.mean(axis=0)) / scores.values.std(axis=0)
        told = [abs(spearmanr(z @ column, gold)[0]) for column in directions.T]
        assert told[0] == pytest.approx(0.558, abs=0.01)
        assert max(told[1:]) < 0.24
