"""Hidden states as a method: found, named or left without names, refused with a sentence."""

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

NAMES = [f"j{k}" for k in range(9)]
VIEWS = [NAMES[:3], NAMES[3:6], NAMES[6:]]
MEANS = np.random.default_rng(246).uniform(0, 4, (9, 4))  # no view's are nearly dependent
MEANS[0] = [0, 1, 3, 4]  # judge j0 orders the states
WEIGHTS = np.array([0.4, 0.3, 0.2, 0.1])


def test_so_many_judges_that_it_would_take_minutes_are_refused_at_once():
    scores = Scores(range(30), range(200), np.random.default_rng(0).random((30, 200)))
    found = aggregate(scores, "care-tensor")
    assert found.status is Status.TOO_LARGE
    assert "200 judges would take about" in found.message


def panel(n=4000, seed=0, missing=0.0):
    """Four states, nine judges; judges of a view share half of their noise."""
    rng = np.random.default_rng(seed)
    state = rng.choice(4, n, p=WEIGHTS)
    shared = rng.normal(size=(n, 3)) * np.sqrt(0.5)
    own = rng.normal(size=(n, 9)) * np.sqrt(0.5)
    values = MEANS.T[state] + np.repeat(shared, 3, axis=1) + own
    values[rng.random(values.shape) < missing] = np.nan
    return Scores([f"q{k}" for k in range(n)], NAMES, values), state


def two_states(n=600, shift=2.0, judges=6):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, n)
    values = shift * truth[:, None] + rng.normal(size=(n, judges))
    return Scores(range(n), NAMES[:judges], values), truth


def test_states_are_found_in_their_views_and_named_by_a_judge():
    scores, state = panel()
    found = aggregate(scores, "care-tensor", named_by={"judge": "j0"}, prevalence=0.3)
    told = found.parameters
    order = np.argsort(told["state_worth"])
    assert found.status is Status.OK
    assert sorted(map(sorted, VIEWS)) == sorted(
        [j for j, v in zip(NAMES, told["views"], strict=True) if v == view] for view in range(3)
    )
    np.testing.assert_allclose(told["weights"][order], WEIGHTS, atol=0.02)
    np.testing.assert_allclose(told["means"][:, order], MEANS, atol=0.25)
    assert told["held_out_states"]["best"] == 4
    assert (told["state_posterior"].argmax(axis=1) == order[state]).mean() > 0.95
    assert ((found.decisions == 1) == (state >= 2)).mean() > 0.97
    assert found.posterior[:, 1].mean() == pytest.approx(0.3, abs=0.01)
    assert np.corrcoef(found.item_traits, MEANS[0, state])[0, 1] > 0.97
    assert found.item_traits.std() == pytest.approx(1, abs=0.1)
    for text in ("4 states behind 9 judges on 4000 items", "j0, j1, j2; j3, j4, j5", "judge j0"):
        assert text in found.message


def test_states_without_names_decide_nothing_and_say_what_would_name_them():
    scores, _ = panel(2000)
    found = aggregate(scores, "care-tensor", n_states=4)
    assert found.status is Status.UNDETERMINED
    assert found.item_labels == [None] * 2000
    assert np.isnan(found.item_scores).all()
    assert "not in the scores; name them with anchors" in found.message
    assert "named_by={'judge': name}" in found.message
    np.testing.assert_allclose(sorted(found.parameters["weights"])[::-1], WEIGHTS, atol=0.03)
    assert found.parameters["state_posterior"].shape == (2000, 4)
    np.testing.assert_allclose(found.predict(scores), 0.5)


def test_anchors_of_two_classes_name_states_and_tell_the_classes():
    scores, state = panel()
    classes = (state % 2).astype(int)  # states 1 and 3: no judge's order
    anchors = {f"q{k}": int(classes[k]) for k in range(100)}
    found = aggregate(scores, "care-tensor", n_states=4, views=VIEWS, anchors=anchors)
    assert found.settings["named_by"] == "anchors"
    assert ((found.decisions == 1) == (classes == 1)).mean() > 0.95
    assert found.prevalence == pytest.approx(0.4, abs=0.05)
    assert found.anchored.n_anchors == 100


def test_anchored_scores_order_the_states():
    scores, state = panel()
    worth = np.array([10, 40, 20, 30])
    anchors = {f"q{k}": int(worth[state[k]]) for k in range(60)}
    found = aggregate(scores, "care-tensor", n_states=4, views=VIEWS, anchors=anchors, cut=25)
    assert ((found.decisions == 1) == (worth[state] > 25)).mean() > 0.95
    assert np.abs(sorted(found.parameters["state_worth"]) - np.array([10, 20, 30, 40])).max() < 1.5


def test_a_state_without_anchors_asks_for_one():
    scores, state = panel(2000)
    few = np.flatnonzero(state != 3)[:30]
    found = aggregate(
        scores, "care-tensor", n_states=4, views=VIEWS, anchors={f"q{k}": 1 for k in few}
    )
    assert found.status is Status.UNDETERMINED
    item = found.message.split("such as '")[1].split("'")[0]
    assert state[int(item[1:])] == 3


def test_the_leading_direction_follows_whatever_is_strongest():
    """In each view one judge sees quality, one a confounder twice as strong, one both at once."""
    rng = np.random.default_rng(0)
    good, confounder = rng.integers(0, 2, (2, 8000))
    three = np.stack([good, confounder, good * confounder], axis=1) * [3.0, 6.0, 3.0]
    values = np.hstack([three] * 3) + rng.normal(size=(8000, 9))
    scores = Scores(range(8000), NAMES, values)
    told = {"n_states": 4, "views": VIEWS}
    leading = aggregate(scores, "care-tensor", named_by="leading", **told)
    trusted = aggregate(scores, "care-tensor", named_by={"judge": "j0"}, **told)
    assert ((leading.decisions == 1) == (confounder == 1)).mean() > 0.95
    assert ((trusted.decisions == 1) == (good == 1)).mean() > 0.95


def test_a_told_prevalence_is_that_of_the_posteriors():
    scores, _ = two_states()
    for prevalence in (0.2, 0.8):
        found = aggregate(
            scores, "care-tensor", n_states=2, named_by={"judge": "j0"}, prevalence=prevalence
        )
        assert found.prevalence == pytest.approx(prevalence)
        assert found.posterior[:, 1].mean() == pytest.approx(prevalence, abs=0.03)


def test_items_alike_have_no_states():
    rng = np.random.default_rng(2)
    scores = Scores(range(500), NAMES, rng.normal(size=(500, 9)))
    found = aggregate(scores, "care-tensor", named_by={"judge": "j0"})
    assert found.status is Status.UNDETERMINED
    assert "as probable if all items are alike" in found.message
    assert found.parameters["held_out_states"]["fewest"] == 1


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        ({"n_states": 4}, Status.NOT_IDENTIFIABLE, "at most 3 apart (Kruskal's condition)"),
        ({"judges": 2}, Status.NOT_IDENTIFIABLE, "at least 3 judges whose scores vary; got 2"),
        ({"constant": 4}, Status.NOT_IDENTIFIABLE, "at least 3 judges whose scores vary; got 2"),
        ({"items": 4}, Status.NOT_IDENTIFIABLE, "compared on 5 folds of items; give n_states"),
        ({"apart": True}, Status.NOT_IDENTIFIABLE, "in common for moments; the least is 0.0%"),
    ],
)
def test_what_cannot_be_settled_is_refused_with_a_sentence(change, status, text):
    scores, _ = two_states()
    values = scores.values[: change.pop("items", 600), : change.pop("judges", 6)].copy()
    values[:, : change.pop("constant", 0)] = 3.0
    if change.pop("apart", False):
        values[::2, 0], values[1::2, 1] = np.nan, np.nan
    scores = Scores(range(len(values)), NAMES[: values.shape[1]], values)
    found = aggregate(scores, "care-tensor", **change)
    assert found.status is status
    assert text in found.message
    assert set(found.item_labels) == {None}


def test_no_mixture_of_so_many_states_is_inconsistent():
    scores, _ = two_states(60)
    views = [["j0", "j1"], ["j2", "j3"], ["j4", "j5"]]
    found = [
        aggregate(scores, "care-tensor", n_states=3, seed=seed, views=views) for seed in range(6)
    ]
    refusals = [one.message for one in found if one.status is Status.INCONSISTENT]
    assert refusals
    assert all("No mixture of 3 states has these moments" in message for message in refusals)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"views": [["j0"], ["j1"]]}, "views must be three groups that hold every judge"),
        ({"views": "j0"}, "views must be three groups"),
        ({"named_by": {"judge": "x"}}, "named_by must name one of the judges"),
        ({"named_by": "anchors"}, "'anchors' with anchors given"),
        ({"named_by": "best"}, "named_by must be"),
        ({"n_states": 1}, "n_states must be"),
        ({"anchors": {"x": 1}}, "anchors must be items that were scored"),
    ],
)
def test_wrong_settings_say_what_is_right(settings, text):
    scores, _ = two_states(60)
    with pytest.raises(DataError, match=text):
        aggregate(scores, "care-tensor", **settings)


def test_missing_scores_silent_items_constant_and_copied_judges_are_lived_with():
    scores, state = panel(3000, missing=0.1)
    values = np.hstack([scores.values, np.full((3000, 1), 2.0), scores.values[:, [4]]])
    values[7] = np.nan
    odd = Scores(scores.items, [*NAMES, "constant", "copy"], values)
    views = [[*VIEWS[0], "constant"], [*VIEWS[1], "copy"], VIEWS[2]]
    told = {"n_states": 4, "views": views, "prevalence": 0.3}
    found = aggregate(odd, "care-tensor", named_by={"judge": "j0"}, **told)
    assert found.status is Status.OK
    assert found.loading[9] == pytest.approx(0)
    assert ((found.decisions == 1) == (state >= 2)).mean() > 0.93
    assert found.posterior[7, 1] == pytest.approx(0.3, abs=1e-6)
    assert found.item_traits[7] == 0
    assert "constant gave every item the same score" in found.summary()


def test_more_judges_than_items_end_in_a_status():
    rng = np.random.default_rng(0)
    names = [f"j{k}" for k in range(40)]
    scores = Scores(range(20), names, rng.normal(size=(20, 40)))
    found = aggregate(scores, "care-tensor", named_by={"judge": "j0"})
    assert found.status in (Status.UNDETERMINED, Status.INCONSISTENT, Status.OK)
    assert np.isfinite(found.posterior).all()


def test_results_are_written_read_and_predict_the_same():
    scores, _ = panel(1500)
    found = aggregate(scores, "care-tensor", n_states=4, views=VIEWS, named_by={"judge": "j0"})
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior_items, atol=1e-12)
    without = found.predict(scores.select(judges=NAMES[:5]))
    assert np.abs(without - found.posterior_items).mean() < 0.1


def test_steps_of_em_bring_the_means_nearer():
    scores, _ = panel(3000, seed=3)
    errors = []
    for steps in (0, 20):
        found = aggregate(
            scores, "care-tensor", n_states=4, views=VIEWS, named_by={"judge": "j0"}, polish=steps
        )
        order = np.argsort(found.parameters["state_worth"])
        errors.append(np.linalg.norm(found.parameters["means"][:, order] - MEANS))
    assert errors[1] < 0.9 * errors[0]


def test_the_key_is_never_read():
    scores, state = panel(1500)
    keyed = Scores(scores.items, NAMES, scores.values, state.tolist())
    one, two = (
        aggregate(s, "care-tensor", n_states=4, views=VIEWS, named_by={"judge": "j0"})
        for s in (scores, keyed)
    )
    np.testing.assert_array_equal(one.posterior, two.posterior)


def test_clusters_are_one_when_numbers_of_states_are_compared():
    """Eighty vectors of noise, ten rows each: by rows copies seem to be states, by cluster none are."""
    values = np.repeat(np.random.default_rng(0).normal(size=(80, 6)), 10, axis=0)
    group = [k // 10 for k in range(800)]
    scores = Scores(range(800), NAMES[:6], values)
    by_rows = aggregate(scores, "care-tensor")
    by_cluster = aggregate(scores, "care-tensor", cluster=group)
    assert by_rows.parameters["held_out_states"]["fewest"] > 1
    assert by_cluster.parameters["held_out_states"]["fewest"] == 1
    assert by_cluster.settings["cluster"] == "given"
