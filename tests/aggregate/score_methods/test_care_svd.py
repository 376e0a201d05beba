"""CARE-SVD: planted panels, every status and sentence, and what was measured on real judges."""

import csv

import numpy as np
import pytest
from scipy.stats import spearmanr

import algeval as ae
from algeval.aggregate import aggregate
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status


def named(values):
    return Scores(range(len(values)), [f"j{k}" for k in range(values.shape[1])], values)


def panel(n_items, seed, copies=0):
    """Ten judges of one trait, two of whom err alike, and near copies of something else."""
    rng = np.random.default_rng(seed)
    quality, other, shared = rng.normal(size=(3, n_items))
    drawn = 0.7 * quality[:, None] + 0.7 * rng.normal(size=(n_items, 10))
    drawn[:, :2] += 0.7 * shared[:, None]
    near = np.sqrt(0.9) * other[:, None] + np.sqrt(0.1) * rng.normal(size=(n_items, copies))
    return quality, named(np.hstack([drawn, near]) * 3 + 5)


@pytest.mark.parametrize("loss", ["d-trace", "log-det"])
def test_quality_and_the_link_of_a_planted_panel_are_found(loss):
    quality, scores = panel(20_000, 0)
    found = aggregate(scores, "care-svd", loss=loss, sparse=0.03, low_rank=0.06)
    assert found.status is Status.OK
    assert found.parameters["edges"] == [["j0", "j1"]]
    assert found.loadings.shape == (10, 1)
    assert "few judges" not in found.summary()
    assert np.corrcoef(found.item_traits, quality)[0, 1] > 0.94
    assert found.item_traits.std() == pytest.approx(np.sqrt(1 - found.item_spread[0] ** 2))
    truth = np.array([np.corrcoef(column, quality)[0, 1] for column in scores.values.T])
    np.testing.assert_allclose(found.loading[2:], truth[2:], atol=0.03)
    assert (found.parameters["weights"] ** 2).sum() == pytest.approx(1)
    z = (scores.values - scores.values.mean(0)) / scores.values.std(0)
    assert np.corrcoef(z @ found.parameters["weights"], found.item_traits)[0, 1] > 1 - 1e-9


def test_loadings_are_correlations_with_each_planted_latent():
    """Judges and two latents drawn from one joint precision, the latents' loadings orthogonal."""
    even = np.linspace(0.8, 1.2, 12)
    sides = np.resize([1.0, 1, -1, -1], 12)
    sides -= even * (even @ sides) / (even @ even)
    K = np.stack([0.36 * even, 0.28 * sides], axis=1)
    law = np.linalg.inv(np.block([[2 * np.eye(12), -K], [-K.T, np.eye(2)]]))
    drawn = np.random.default_rng(0).multivariate_normal(np.zeros(14), law, 100_000)
    found = aggregate(named(drawn[:, :12]), "care-svd", sparse=0.01, low_rank=0.02)
    truth = np.corrcoef(drawn.T)[:12, 12:]
    assert found.loadings.shape == (12, 2)
    for k in range(2):
        same = np.sign(found.loadings[:, k] @ truth[:, k])
        np.testing.assert_allclose(same * found.loadings[:, k], truth[:, k], atol=0.03)


def test_near_copies_are_told_of_and_the_other_directions_withstand_them():
    quality, scores = panel(3000, 1, copies=5)
    leading = aggregate(scores, "care-svd")
    assert abs(np.corrcoef(leading.item_traits, quality)[0, 1]) < 0.2
    (note,) = [w for w in leading.warnings if "few judges" in w]
    named_most = note[note.index("most by ") + 8 : note.index(", and may")].split(", ")
    assert set(named_most) < {f"j{k}" for k in range(10, 15)}
    anchors = {str(k): float(quality[k]) for k in range(0, 60)}
    for setting in ({"direction": "balanced"}, {"direction": "anchored", "anchors": anchors}):
        found = aggregate(scores, "care-svd", **setting)
        assert np.corrcoef(found.item_traits, quality)[0, 1] > 0.9
        assert "few judges" not in found.summary()
        assert found.settings["direction"] == setting["direction"]
        np.testing.assert_allclose(
            found.parameters["directions"][:, 0], found.parameters["weights"]
        )
    wrong_way = {item: -score for item, score in anchors.items()}
    turned = aggregate(scores, "care-svd", direction="anchored", anchors=wrong_way)
    assert np.corrcoef(turned.item_traits, quality)[0, 1] < -0.9


def test_moved_scales_and_another_order_of_judges_change_nothing():
    _, scores = panel(400, 2)
    first = aggregate(scores, "care-svd", sparse=0.05, low_rank=0.05)
    stretched = named(scores.values * np.linspace(1, 9, 10) + np.arange(10))
    order = [3, 1, 4, 0, 5, 9, 2, 6, 8, 7]
    turned = scores.select(judges=[scores.judges[k] for k in order])
    for other in (stretched, turned):
        again = aggregate(other, "care-svd", sparse=0.05, low_rank=0.05)
        np.testing.assert_allclose(again.item_traits, first.item_traits, atol=1e-3)
        np.testing.assert_allclose(again.posterior, first.posterior, atol=1e-3)


@pytest.mark.parametrize("read", ["standardised", "normal"])
def test_a_result_survives_json_and_reads_new_items(read):
    _, scores = panel(300, 3)
    values = scores.values.copy()
    values[0], values[1, :4] = np.nan, np.nan
    found = aggregate(named(values), "care-svd", prevalence=0.3, scores=read)
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(named(values)), found.posterior_items, atol=1e-12)
    assert found.posterior_items[0].tolist() == pytest.approx([0.7, 0.3])
    assert found.item_spread[0] == 1
    assert found.item_spread[2] < found.item_spread[1] < 1
    assert "both judges of a pair scored" in found.summary()


def test_only_ranks_are_read_where_asked():
    _, scores = panel(300, 8)
    bent = named(np.exp(scores.values))
    one, other = (aggregate(s, "care-svd", scores="normal") for s in (scores, bent))
    np.testing.assert_allclose(other.item_traits, one.item_traits, atol=1e-9)
    plain = aggregate(bent, "care-svd")
    assert np.abs(plain.item_traits - one.item_traits).max() > 0.1


def test_judges_who_say_nothing_or_the_opposite():
    quality, scores = panel(2000, 4)
    values = scores.values.copy()
    values[:, 3], values[:, 4] = 2.0, -values[:, 4]
    found = aggregate(named(values), "care-svd")
    assert found.status is Status.OK
    assert np.corrcoef(found.item_traits, quality)[0, 1] > 0.9
    assert found.loading[3] == pytest.approx(0, abs=1e-6)
    assert "j4 put the items in the opposite order" in found.summary()
    assert "j3 gave every item the same score" in found.summary()


def test_what_scores_cannot_settle_is_a_status_and_a_sentence():
    _, scores = panel(200, 5)
    two = aggregate(scores.select(judges=["j0", "j1"]), "care-svd")
    assert (two.status, "at least 3 judges" in two.message) == (Status.NOT_IDENTIFIABLE, True)
    doubled = named(np.hstack([scores.values, scores.values[:, [2]]]))
    copies = aggregate(doubled, "care-svd")
    assert copies.status is Status.NOT_IDENTIFIABLE
    assert "along one combination of the scores of j2, j10" in copies.message
    few = aggregate(named(scores.values[:6]), "care-svd")
    assert few.status is Status.NOT_IDENTIFIABLE
    assert "5 combinations" in few.message
    assert aggregate(named(scores.values[:6]), "care-svd", loss="log-det", sparse=0.1).status.ok
    none = aggregate(scores, "care-svd", low_rank=5.0)
    assert none.status is Status.UNDETERMINED
    assert "exactly none" in none.message
    assert none.item_labels == [None] * 200
    early = aggregate(scores, "care-svd", low_rank=5.0, max_iter=1)
    assert (early.status, "proves nothing" in early.message) == (Status.NOT_CONVERGED, True)
    stopped = aggregate(scores, "care-svd", max_iter=50)
    assert stopped.status is Status.NOT_CONVERGED
    assert "as far as is proved" in stopped.summary()


def test_independent_judges_with_two_equal_traits_have_no_direction_of_their_own():
    rng = np.random.default_rng(6)
    traits = rng.normal(size=(50_000, 2)).repeat(5, axis=1)
    found = aggregate(named(traits + rng.normal(size=(50_000, 10))), "care-svd")
    assert "Another eigenvalue is within" in found.summary()


def test_settings_are_checked():
    _, scores = panel(50, 7)
    with pytest.raises(
        DataError, match=r"loss must be one of \['log-det', 'd-trace'\]; got 'dtrace'"
    ):
        aggregate(scores, "care-svd", loss="dtrace")
    with pytest.raises(DataError, match="direction must be one of"):
        aggregate(scores, "care-svd", direction="best")
    with pytest.raises(DataError, match="rule must be one of"):
        aggregate(scores, "care-svd", rule="minus")
    with pytest.raises(DataError, match="sparse must be above 0; got 0"):
        aggregate(scores, "care-svd", sparse=0)
    values = scores.values.copy()
    values[3] = np.nan
    two = {"1": 3.0, "2": 4.0}
    for anchors, n in ((None, 0), (two, 2), (two | {"3": 5.0}, 2)):
        with pytest.raises(DataError, match=rf"anchors must name at least 3 items .* got {n};"):
            aggregate(named(values), "care-svd", direction="anchored", anchors=anchors)


def column(path, name):
    with path.open() as file:
        return np.array([float(row[name]) for row in csv.DictReader(file)])


def with_copies(scores, trait, k):
    """The panel and k noisy copies of a trait, reliability .9."""
    noise = np.random.default_rng(0).normal(size=(len(trait), k))
    z = (trait - trait.mean()) / trait.std()
    near = np.sqrt(0.9) * z[:, None] + np.sqrt(0.1) * noise
    judges = [*scores.judges, *(f"copy {i}" for i in range(k))]
    return Scores(scores.items, judges, np.hstack([scores.values, near]))


def test_civilcomments(real_votes):
    """Rank correlation with the human share: one factor .604, +.011; the subtraction rule far below."""
    scores = ae.read_scores(real_votes / "civilcomments_judge_scores.csv")
    people = column(real_votes / "civilcomments_attributes.csv", "human_toxicity")
    length = np.log(column(real_votes / "civilcomments_attributes.csv", "n_chars"))
    found = aggregate(scores, "care-svd")
    one = spearmanr(aggregate(scores, "rank-factor").item_traits, people)[0]
    assert one == pytest.approx(0.604, abs=0.002)
    assert spearmanr(found.item_traits, people)[0] - one == pytest.approx(0.011, abs=0.002)
    every = [
        abs(spearmanr(np.nan_to_num(scores.values) @ v, people)[0])
        for v in found.parameters["directions"].T
    ]
    assert max(every) == every[0]  # E.8: the first is best
    replicated = aggregate(scores, "care-svd", rule="subtraction")
    assert spearmanr(replicated.item_traits, people)[0] < 0.5
    assert "for replication" in replicated.summary()
    injected = with_copies(scores, length, 4)
    assert abs(spearmanr(aggregate(injected, "care-svd").item_traits, people)[0]) < 0.1
    even = aggregate(injected, "care-svd", direction="balanced")
    assert spearmanr(even.item_traits, people)[0] > 0.6


def test_asset(real_votes):
    """One factor .56, -.004; mean absolute error within a standard error (1.0 to 1.4) of table A4's 30.0."""
    path = real_votes / "asset_judge_scores.csv"
    left_out = ["pair", "rater", "aspect", "gold"]
    scores = ae.read_scores(path)
    scores = scores.select(judges=[j for j in scores.judges if j not in left_out])
    people = column(path, "gold")
    found = aggregate(scores, "care-svd")
    assert spearmanr(found.item_traits, people)[0] == pytest.approx(0.558, abs=0.002)
    assert np.abs(found.item_scores - people).mean() < 30.0
