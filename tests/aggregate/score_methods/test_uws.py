"""UWS: planted error variances, the published number, and when it is refused."""

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import aggregate
from algeval.data import Scores
from algeval.result import Status


def panel(n_items=20000, sizes=(1.0, 2.0, 3.0, 1.5), shared=0.0, seed=0):
    rng = np.random.default_rng(seed)
    truth, bias = rng.normal(10, 4, n_items), rng.normal(size=n_items)
    values = truth[:, None] + rng.normal(size=(n_items, len(sizes))) * sizes
    values[:, :3] += shared * bias[:, None]
    return truth, Scores(range(n_items), [f"j{k}" for k in range(len(sizes))], values)


def test_planted_error_variances_are_found_and_weigh():
    truth, scores = panel()
    found = aggregate(scores, "uws")
    variance = np.array([1, 4, 9, 2.25])
    np.testing.assert_allclose(found.parameters["error_variances"], variance, rtol=0.1)
    weights = found.parameters["weights"]
    np.testing.assert_allclose(found.item_scores, scores.values @ weights, atol=1e-9)
    plain = aggregate(scores, "average")
    errors = [np.mean((r.item_scores - truth) ** 2) for r in (found, plain)]
    assert errors[0] == pytest.approx(1 / (1 / variance).sum(), rel=0.05)
    assert errors[0] < 0.7 * errors[1]
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior, atol=1e-12)


def test_a_shared_bias_gets_the_weight_which_the_message_warns_of():
    _, scores = panel(sizes=(1.0, 1.0, 1.0, 1.0), shared=1.0)
    found = aggregate(scores, "uws")
    assert found.parameters["weights"][:3].min() > 1.2 * found.parameters["weights"][3]
    assert "judges who share a bias get too much" in found.message


def test_weights_that_do_not_exist_or_explode_are_refused():
    _, scores = panel(500)
    v = scores.values
    copies = aggregate(Scores(scores.items, list("abc"), np.c_[v[:, 0], v[:, 0], v[:, 2]]), "uws")
    assert copies.status is Status.INCONSISTENT
    assert "a, b" in copies.message
    assert copies.item_labels == [None] * 500
    near = np.c_[v[:, 0], v[:, 0] + 0.3 * (v[:, 1] - v[:, 0]), v[:, 0] - 3 * (v[:, 2] - v[:, 0])]
    alone = aggregate(Scores(scores.items, list("abc"), near), "uws")
    assert alone.status in (Status.UNDETERMINED, Status.INCONSISTENT)
    two = aggregate(scores.select(judges=["j0", "j1"]), "uws")
    assert two.status is Status.NOT_IDENTIFIABLE
    rng = np.random.default_rng(1)
    truth = rng.normal(size=2000) * 5
    exact = Scores(
        range(2000), list("abc"), truth[:, None] + rng.normal(size=(2000, 3)) * [0.1, 2, 3]
    )
    found = aggregate(exact, "uws")
    assert found.status is Status.UNDETERMINED
    assert "a 9" in found.message or "inconsistent" in found.status.value


def test_the_published_number_on_asset(real_votes):
    scores = ae.read_scores(real_votes / "asset_judge_scores.csv", item="item", key="gold")
    scores = scores.select(
        judges=[j for j in scores.judges if j not in ("pair", "rater", "aspect")]
    )
    error = np.abs(aggregate(scores, "uws").item_scores - np.array(scores.key, float)).mean()
    assert error == pytest.approx(34.07, abs=0.02)


def test_a_judge_who_met_nobody_is_named_and_no_other_is_blamed():
    _, scores = panel(500)
    silent = np.column_stack([scores.values, np.full(500, np.nan)])
    found = aggregate(Scores(scores.items, [*scores.judges, "mute"], silent), "uws")
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "must have items in common" in found.message
    assert "mute" in found.message
