"""Factors behind scores: against formulas written out, planted confounders, and real scores."""

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

import algeval as ae
from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

QUALITY = np.array([0.8, 0.8, 0.75, 0.7, 0.65, 0.4, 0.3, 0.3])
LENGTH = np.array([0.0, 0.0, 0.0, 0.0, 0.2, 0.7, 0.8, 0.85])


def planted(n_items=3000, seed=0, missing=0.0):
    """Scores with a narrow confounder, length, that the last three judges follow."""
    rng = np.random.default_rng(seed)
    quality, length = rng.normal(size=(2, n_items))
    drawn = quality[:, None] * QUALITY + length[:, None] * LENGTH
    noise = np.sqrt(1 - QUALITY**2 - LENGTH**2)
    drawn += rng.normal(size=drawn.shape) * noise
    key = quality * 0.7 + rng.normal(size=n_items) * np.sqrt(1 - 0.49) > 0
    drawn[rng.random(drawn.shape) < missing] = np.nan
    values = 5 + 2 * drawn
    texts = {"length": np.exp(length).tolist(), "name": ["x"] * n_items}
    judges = [f"j{k}" for k in range(8)]
    return quality, length, Scores(range(n_items), judges, values, key.astype(int), texts)


def test_one_factor_against_the_formulas_item_by_item():
    _, _, scores = planted(300, 1, missing=0.2)
    found = aggregate(scores, "factor", scores="standardised", prevalence=0.3, tol=1e-8)
    told = found.parameters
    z = (scores.values - told["center"]) / told["spread"]
    load, noise, mean = told["factor_loading"][:, 0], told["error"], told["mean"]
    size = np.sqrt(load**2 + noise)
    for place in (0, 7, 100, 299):
        seen = ~np.isnan(z[place])
        inverse = np.linalg.inv(np.outer(load, load)[np.ix_(seen, seen)] + np.diag(noise[seen]))
        at = load[seen] @ inverse @ (z[place] - mean)[seen]
        left = 1 - load[seen] @ inverse @ load[seen]
        assert found.item_traits[place] == pytest.approx(at, abs=1e-8)
        assert found.item_spread[place] == pytest.approx(np.sqrt(left), abs=1e-8)
        judge = np.clip(load / size, 0, 0.999)
        chances = norm.cdf((judge * at + norm.ppf(0.3)) / np.sqrt(1 - judge**2 + judge**2 * left))
        assert found.posterior[place, 1] == pytest.approx(chances.mean(), abs=1e-8)


def test_a_planted_narrow_confounder_is_found_and_taken_out_when_asked():
    quality, length, scores = planted()
    plain = aggregate(scores, "factor")
    turned = aggregate(scores, "factor", rotate="varimax")
    told = aggregate(scores, "factor", discount="length")
    only = aggregate(
        scores, "factor", discount="attribute", attributes={"words": scores.attributes["length"]}
    )
    for found in (turned, told):
        assert (
            np.corrcoef(found.item_traits, quality)[0, 1]
            > np.corrcoef(plain.item_traits, quality)[0, 1]
        )
        assert found.loadings.shape == (8, 2)
    assert abs(spearmanr(told.item_traits, length)[0]) < 0.03
    assert abs(np.corrcoef(turned.parameters["factor_means"][:, 1], length)[0, 1]) > 0.75
    assert np.array_equal(only.item_traits, told.item_traits)
    np.testing.assert_allclose(told.loadings[:, 0], QUALITY, atol=0.08)
    np.testing.assert_allclose(np.abs(told.loadings[:, 1]), LENGTH, atol=0.08)


def test_turning_finds_two_groups_of_judges_who_share_nothing():
    rng = np.random.default_rng(2)
    load = np.zeros((8, 2))
    load[:5, 0], load[5:, 1] = [0.8, 0.8, 0.7, 0.7, 0.6], [0.8, 0.7, 0.6]
    drawn = rng.normal(size=(4000, 2)) @ load.T
    drawn += rng.normal(size=drawn.shape) * np.sqrt(1 - (load**2).sum(1))
    found = aggregate(Scores(range(4000), list("abcdefgh"), drawn), "factor", rotate="varimax")
    np.testing.assert_allclose(found.loadings, load, atol=0.06)


def test_a_shift_says_how_far_and_what_it_asserts():
    _, _, scores = planted()
    plain = aggregate(scores, "factor")
    found = aggregate(scores, "factor", rotate="varimax")
    (shift,) = found.shifts
    assert shift.correlation == pytest.approx(
        np.corrcoef(plain.item_traits, found.item_traits)[0, 1]
    )
    flipped = np.mean(plain.decisions != found.decisions)
    assert shift.flipped == pytest.approx(flipped)
    assert "By this you say: what few judges share" in found.summary()
    kept = aggregate(scores, "factor", rotate="varimax", guard=0.999)
    assert not kept.shifts[0].taken
    assert np.array_equal(kept.item_traits, plain.item_traits)
    assert plain.shifts == ()


def test_anchors_choose_among_the_factors():
    quality, length, scores = planted()
    right = {scores.items[k]: float(quality[k]) for k in range(150)}
    wrong = {scores.items[k]: float(length[k]) for k in range(150)}
    found = aggregate(scores, "factor", rotate="varimax", anchors=right)
    assert np.corrcoef(found.item_traits, quality)[0, 1] > 0.9
    fooled = aggregate(scores, "factor", rotate="varimax", anchors=wrong)
    assert np.corrcoef(fooled.item_traits, length)[0, 1] > 0.75
    assert "goes with the 150 anchors most" in found.message


def test_items_of_a_cluster_count_as_one():
    _, _, scores = planted(400, 3)
    places = np.concatenate([np.arange(400), np.zeros(600, int)])
    many = Scores(range(1000), scores.judges, scores.values[places])
    clusters = places.tolist()
    once = aggregate(scores, "factor", scores="raw", tol=1e-8)
    found = aggregate(many, "factor", scores="raw", cluster=clusters, tol=1e-8)
    np.testing.assert_allclose(found.loadings, once.loadings, atol=1e-5)
    np.testing.assert_allclose(found.item_traits[:400], once.item_traits, atol=1e-4)
    assert found.shifts[0].act == "cluster"
    holes = many.values.copy()
    holes[5, 0] = np.nan
    missing = aggregate(
        Scores(many.items, many.judges, holes), "factor", scores="raw", cluster=clusters
    )
    np.testing.assert_allclose(missing.loadings, once.loadings, atol=0.02)


@pytest.mark.parametrize("posterior", ["exchangeable", "trait"])
@pytest.mark.parametrize("prevalence", [0.5, 0.2])
def test_a_key_drawn_as_one_more_judge_is_met_with_calibrated_posteriors(posterior, prevalence):
    rng = np.random.default_rng(5)
    loading = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    trait = rng.normal(size=20000)
    drawn = trait[:, None] * loading + rng.normal(size=(20000, 5)) * np.sqrt(1 - loading**2)
    like = rng.choice(loading, 20000) if posterior == "exchangeable" else np.ones(20000)
    judged = like * trait + np.sqrt(1 - like**2) * rng.normal(size=20000)
    scores = Scores(
        range(20000), list("abcde"), drawn, (judged > norm.ppf(1 - prevalence)).astype(int)
    )
    told = score(aggregate(scores, "factor", prevalence=prevalence, posterior=posterior), scores)
    assert told.calibration_error < 0.012


def test_no_key_order_or_name_changes_anything_and_new_items_are_predicted():
    _, _, scores = planted(500, 6, missing=0.1)
    for settings in ({}, {"rotate": "varimax"}, {"scores": "raw"}, {"discount": "length"}):
        found = aggregate(scores, "factor", **settings)
        assert found == aggregate(scores.without_key(), "factor", **settings)
        np.testing.assert_allclose(found.predict(scores), found.posterior, atol=1e-10)
        again = type(found).from_dict(found.to_dict())
        np.testing.assert_allclose(again.predict(scores), found.posterior, atol=1e-10)
        turned = scores.select(judges=scores.judges[::-1])
        other = aggregate(turned, "factor", **settings)
        np.testing.assert_allclose(other.posterior, found.posterior, atol=2e-3)


def test_hard_panels_get_a_status_and_a_sentence():
    _, _, scores = planted(200, 7)
    v = scores.values
    constant = Scores(scores.items, [*scores.judges, "flat"], np.c_[v, np.full(200, 3.0)])
    found = aggregate(constant, "factor")
    assert found.status is Status.OK
    assert "flat gave every item the same score" in found.summary()
    assert found.loading[-1] == 0
    twice = Scores(scores.items, [*scores.judges, "copy"], np.c_[v, v[:, 0]])
    found = aggregate(twice, "factor")
    assert "j0 and copy" in found.summary() or "all but equal what is shared" in found.summary()
    against = Scores(scores.items, scores.judges, v * [1, 1, -1, 1, 1, 1, 1, 1])
    assert "j2 put the items in the opposite order" in aggregate(against, "factor").summary()
    few = scores.select(items=scores.items[:6])
    assert aggregate(few, "factor").status in (Status.OK, Status.NOT_CONVERGED)
    v = v.copy()
    v[3] = np.nan
    found = aggregate(Scores(scores.items, scores.judges, v), "factor")
    assert found.posterior[3].tolist() == [0.5, 0.5]
    assert found.item_spread[3] == 1
    assert "1 item got no score" in found.summary()
    apart = np.full((200, 4), np.nan)
    apart[:100, :2], apart[100:, 2:] = v[:100, :2], v[100:, 2:4]
    found = aggregate(Scores(scores.items, list("abcd"), apart), "factor")
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "share items with at least two others" in found.message
    two = aggregate(scores.select(judges=["j0", "j1"]), "factor")
    assert "at least 3 judges" in two.message
    four = aggregate(scores.select(judges=["j0", "j1", "j2"]), "factor", factors=2)
    assert "must have more judges than 3" in four.message


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"factors": 4}, "factors must be a whole number from 1 to 3"),
        ({"factors": 1, "rotate": "varimax"}, "factors must be at least 2"),
        ({"rotate": "promax"}, "rotate must be one of"),
        ({"rotate": "varimax", "discount": "length"}, "must not both be given"),
        ({"discount": "lenght"}, "did you mean 'length'"),
        ({"discount": "attribute"}, "must name one attribute"),
        ({"discount": "name"}, "must hold numbers; got 'x'"),
        ({"cluster": [1, 2]}, "one id per item"),
        ({"guard": 2}, "guard must be from 0 to 1"),
        ({"posterior": "votes"}, "posterior must be one of"),
        ({"scores": "ranks"}, "scores must be one of"),
        ({"attributes": {"w": [1]}, "discount": "w"}, "one value per item"),
        ({"attributes": {"w": [1] * 200}, "discount": "w"}, "must vary over the items"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, says):
    _, _, scores = planted(200, 8)
    with pytest.raises(DataError, match=says):
        aggregate(scores, "factor", **settings)


@pytest.fixture
def civil(real_votes):
    scores = ae.read_scores(real_votes / "civilcomments_judge_scores.csv", item="item", key="gold")
    import pandas as pd

    table = pd.read_csv(real_votes / "civilcomments_attributes.csv").set_index("item")
    return scores, table.loc[list(scores.items)]


def test_real_toxicity_scores_turned_and_not(civil):
    scores, more = civil
    plain, turned = (
        score(aggregate(scores, "factor", **kw), scores) for kw in ({}, {"rotate": "varimax"})
    )
    assert plain.accuracy == pytest.approx(0.750, abs=0.003)
    assert plain.log_loss <= 0.51
    assert turned.accuracy == pytest.approx(0.772, abs=0.004)
    assert turned.log_loss <= 0.495
    found = aggregate(scores, "factor", rotate="varimax")
    second = found.parameters["factor_means"][:, 1]
    assert spearmanr(second, more.n_chars)[0] == pytest.approx(0.62, abs=0.02)
    assert abs(spearmanr(second, more.human_toxicity)[0]) < 0.12


def test_taking_length_out_of_real_scores_helps_here_as_turning_does(civil):
    scores, more = civil
    found = aggregate(
        scores, "factor", discount="n_chars", attributes={"n_chars": more.n_chars.tolist()}
    )
    assert spearmanr(found.item_traits, more.human_toxicity)[0] == pytest.approx(0.633, abs=0.005)


@pytest.mark.parametrize(("name", "loss"), [("v1", 0.1), ("v2", 0.3)])
def test_turning_throws_truth_away_where_the_best_judges_share_it(real_votes, name, loss):
    path = real_votes / f"triviaqa_judges_{name}.csv"
    import pandas as pd

    table = pd.read_csv(path)
    last = list(table.columns).index("n_chars_response")
    judges = list(table.columns[3:last])
    scores = ae.read_scores(path, item="item", judges=judges)
    plain = spearmanr(aggregate(scores, "factor").item_traits, table.gold)[0]
    turned = spearmanr(aggregate(scores, "factor", rotate="varimax").item_traits, table.gold)[0]
    assert turned < plain - loss


def test_what_is_discounted_is_named_in_text():
    scores = Scores(range(9), list("abc"), np.arange(27).reshape(9, 3) % 7)
    with pytest.raises(DataError, match=r"discount must name one attribute of \[\]; got \['x'\]"):
        aggregate(scores, "factor", discount=["x"])


def test_few_anchors_choose_no_factor():
    _, _, scores = planted(200, 9)
    for anchors in ({"0": 3}, dict.fromkeys(map(str, range(8)), 3.0)):
        with pytest.raises(DataError, match="anchors must be at least 5 scores, not all alike"):
            aggregate(scores, "factor", rotate="varimax", anchors=anchors)
