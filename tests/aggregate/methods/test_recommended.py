"""The label-free default: labels of the pooled fit, as sure as the data allows."""

import csv

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import Sketch, Votes
from algeval.io import read_votes
from algeval.result import Status


def drawn(n_items, n_judges, accuracy, seed=0, copies=1):
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.4).astype(np.int16)
    right = rng.random((n_items, n_judges)) < accuracy
    codes = np.repeat(np.where(right, key[:, None], 1 - key[:, None]), copies, axis=1)
    judges = range(codes.shape[1])
    return Votes(range(n_items), judges, ["0", "1"], ["0", "1"], codes.astype(np.int16), key)


def test_labels_and_tables_are_those_of_the_pooled_fit_on_every_kind_of_votes():
    dense, sparse = drawn(400, 6, 0.75), thinned(drawn(400, 9, 0.75), 0.6)
    for votes, dense_panel in ((dense, True), (sparse, False)):
        pooled, held = (aggregate(votes, m) for m in ("pooled-dawid-skene", "recommended"))
        np.testing.assert_allclose(held.evaluation.confusion, pooled.evaluation.confusion)
        assert ("confidence" in held.parameters["chosen"]) == dense_panel
        same = aggregate(votes, "pooled-dawid-skene", vote_share=0.0)
        expected = same.decisions if dense_panel else pooled.decisions
        assert np.array_equal(held.decisions, expected)
        np.testing.assert_allclose(held.posterior.sum(1), 1)


def test_a_dense_panel_is_as_sure_as_the_vote_factor_and_never_surer_than_independence():
    votes = drawn(2000, 5, 0.75, copies=2)
    held = aggregate(votes, "recommended")
    factor = aggregate(votes, "vote-factor", prevalence="votes")
    sure = held.posterior_items.max(1).mean(), factor.posterior_items.max(1).mean()
    assert sure[0] == pytest.approx(sure[1], abs=1e-6)
    assert held.parameters["overcounting"] >= 1
    assert "share of '1'" in held.message


def rare_panel(share, seed, n_labels=2, answered=1.0, n_items=1500):
    """Judges who share half of their errors, and so call a rare label far too often."""
    rng = np.random.default_rng(seed)
    shares = np.array([1 - share, *[share / (n_labels - 1)] * (n_labels - 1)])
    key = rng.choice(n_labels, n_items, p=shares).astype(np.int16)
    common = np.where(rng.random(n_items) < 0.25, rng.integers(n_labels, size=n_items), key)
    own = np.where(rng.random((n_items, 9)) < 0.25, rng.integers(n_labels, size=(n_items, 9)), 0)
    codes = np.where(rng.random((n_items, 9)) < 0.5, common[:, None], (key[:, None] + own))
    codes = np.where(rng.random((n_items, 9)) < answered, codes % n_labels, -1).astype(np.int16)
    labels = list("abcde")[:n_labels]
    return Votes(range(n_items), range(9), labels, labels, codes, key), shares.tolist()


@pytest.mark.parametrize("share", [0.02, 0.05, 0.15])
@pytest.mark.parametrize(("n_labels", "answered"), [(2, 1.0), (2, 0.3), (3, 1.0), (5, 0.4)])
def test_telling_the_true_prevalence_helps_on_votes_of_any_shape(share, n_labels, answered):
    votes, shares = rare_panel(share, 3, n_labels, answered)
    told = aggregate(votes, "recommended", prevalence=shares)
    loss = score(told, votes).log_loss
    constant = float(np.mean([-np.log(shares[k]) for k in votes.key]))
    others = [aggregate(votes, m) for m in ("recommended", "majority")]
    assert loss < min(score(other, votes).log_loss for other in others)
    assert loss < constant + 0.01
    assert told.posterior_items.mean(0) == pytest.approx(shares, abs=0.005)


@pytest.mark.parametrize("share", [0.02, 0.05, 0.15])
@pytest.mark.parametrize(
    "name", ["civilcomments_judge_scores", "triviaqa_judges_v1", "triviaqa_judges_v2"]
)
def test_a_rare_label_told_on_real_panels(real_votes, name, share):
    """The items of one label, and of the other the first few, so that they are so rare."""
    if name.startswith("civil"):
        read = {"cut": 4.5}
    else:
        with (real_votes / f"{name}.csv").open(newline="") as stream:
            columns = next(csv.reader(stream))
        read = {"judges": columns[3 : columns.index("n_chars_response")]}
    votes = read_votes(real_votes / f"{name}.csv", item="item", key="gold", **read)
    for rare in (0, 1):
        rows = np.flatnonzero(votes.key != rare)
        few = round(len(rows) * share / (1 - share))
        kept = np.union1d(rows, np.flatnonzero(votes.key == rare)[:few])
        part = votes.select(items=[votes.items[row] for row in kept])
        second = float((part.key == 1).mean())
        shares = [1 - second, second]
        methods = {"vote-factor": shares, "pooled-dawid-skene": shares, "recommended": shares}
        losses = {
            method: score(aggregate(part, method, prevalence=told), part).log_loss
            for method, told in methods.items()
        }
        best = min(losses["vote-factor"], losses["pooled-dawid-skene"])
        assert losses["recommended"] < best + 0.01
        assert losses["recommended"] < score(aggregate(part, "majority"), part).log_loss


def test_a_told_prevalence_is_not_sharpened_and_is_predicted_with():
    votes, shares = rare_panel(0.02, 1)
    held = aggregate(votes, "recommended", prevalence=shares)
    assert held.parameters["chosen"] == "pooled-dawid-skene"
    assert "prevalence told was kept whole" in held.message
    assert held.evaluation.prevalence.tolist() == pytest.approx(shares)
    np.testing.assert_allclose(held.predict(votes), held.posterior_items, atol=1e-9)
    again = type(held).from_dict(held.to_dict())
    np.testing.assert_allclose(again.predict(votes), held.posterior_items, atol=1e-9)


def test_told_shares_of_a_few_items_leave_the_votes_their_say():
    votes = Votes(range(1), range(9), ["a", "b"], ["a", "b"], np.ones((1, 9), np.int16), None)
    held = aggregate(votes, "recommended", prevalence=[0.5, 0.5])
    assert held.posterior_items[0, 1] > 0.7
    none = aggregate(votes, "recommended", prevalence=[1, 0])
    assert none.posterior_items.tolist() == [[1.0, 0.0]]


def test_copied_judges_are_held_back():
    votes = drawn(2000, 5, 0.7, copies=4)
    plain, held = aggregate(votes, "dawid-skene"), aggregate(votes, "recommended")
    assert held.parameters["overcounting"] > 3
    assert score(held, votes).log_loss < score(plain, votes).log_loss
    assert score(held, votes).calibration_error < score(plain, votes).calibration_error


def thinned(votes, share, seed=1):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random(votes.codes.shape) < share, -1, votes.codes).astype(np.int16)
    return Votes(votes.items, votes.judges, votes.labels, votes.answers, codes, votes.key)


def test_prediction_and_json_round_trip():
    votes = drawn(200, 6, 0.7, copies=2)
    held = aggregate(votes, "recommended")
    np.testing.assert_allclose(held.predict(votes), held.posterior_items, atol=1e-6)
    again = type(held).from_dict(held.to_dict())
    np.testing.assert_allclose(again.predict(votes), held.predict(votes))


def test_the_key_is_never_read():
    votes = drawn(200, 6, 0.7)
    flipped = Votes(
        votes.items, votes.judges, votes.labels, votes.answers, votes.codes, 1 - votes.key
    )
    found = [aggregate(v, "recommended").posterior for v in (votes, flipped, votes.without_key())]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_two_judges_are_refused():
    sketch = Sketch.from_counts({"ab": 5, "ba": 5, "aa": 3})
    assert aggregate(sketch, "recommended").status is Status.NOT_IDENTIFIABLE


def test_it_is_the_default():
    votes = drawn(50, 4, 0.8)
    assert aggregate(votes).method == "recommended"


@pytest.mark.parametrize("name", ["bluebird", "rte", "web"])
def test_real_crowds_are_less_sure_and_no_less_right(real_votes, name):
    with (real_votes / f"{name}_truth.csv").open(newline="") as stream:
        key = {row["item"]: row["truth"] for row in csv.DictReader(stream)}
    with (real_votes / f"{name}_votes.csv").open(newline="") as stream:
        rows = [(row["item"], row["worker"], row["label"]) for row in csv.DictReader(stream)]
    votes = Votes.from_records(rows, key=key)
    check_real(votes, worse_by=0.01)


def test_real_language_models_are_less_sure_and_no_less_right(real_votes):
    path = real_votes / "civilcomments_judge_scores.csv"
    check_real(read_votes(path, item="item", key="gold", cut=4.5), worse_by=0.0)


def check_real(votes, worse_by):
    held, with_key = (aggregate(v, "recommended") for v in (votes.without_key(), votes))
    assert np.array_equal(held.posterior, with_key.posterior)
    told = score(held, votes)
    plain = score(aggregate(votes.without_key(), "dawid-skene"), votes)
    smoothed = score(aggregate(votes.without_key(), "majority"), votes)
    assert told.accuracy >= max(plain.accuracy, smoothed.accuracy) - worse_by
    assert told.log_loss < smoothed.log_loss < plain.log_loss


@pytest.mark.parametrize("n_judges", [3, 5, 7])
def test_few_language_models_are_less_wrong_than_their_vote_share(real_votes, n_judges):
    votes = read_votes(
        real_votes / "civilcomments_judge_scores.csv", item="item", key="gold", cut=4.5
    )
    rng = np.random.default_rng(n_judges)
    losses = []
    for _ in range(20):
        part = votes.select(judges=sorted(rng.choice(votes.judges, n_judges, replace=False)))
        losses.append(
            [score(aggregate(part, m), votes).log_loss for m in ("recommended", "majority")]
        )
    held, smoothed = np.mean(losses, axis=0)
    assert held < smoothed
