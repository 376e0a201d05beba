"""The label-free default: labels of the pooled fit, as sure as the data allows."""

import csv
import json
import re

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import posterior_if_shared, score
from algeval.aggregate.methods.recommended import (
    _normalised,
    _root,
    cut_at,
    shifts_to,
    trait_log_likelihood,
)
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.io import example, read_votes
from algeval.result import Status, percent


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
        fit = aggregate(votes, "recommended", prevalence="fit")
        assert np.array_equal(fit.decisions, expected)
        np.testing.assert_allclose(held.posterior.sum(1), 1)


def test_a_dense_panel_is_as_sure_as_the_vote_factor_and_never_surer_than_independence():
    votes = drawn(2000, 5, 0.75, copies=2)
    held = aggregate(votes, "recommended", prevalence="fit", copies="keep")
    factor = aggregate(votes, "vote-factor", prevalence="votes")
    sure = held.posterior_items.max(1).mean(), factor.posterior_items.max(1).mean()
    assert sure[0] == pytest.approx(sure[1], abs=1e-6)
    assert held.parameters["overcounting"] >= 1


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
        told, majority = aggregate(part, prevalence=shares), aggregate(part, "majority")
        apart = score(told, part), score(majority, part)
        assert apart[0].log_loss < apart[1].log_loss + 0.015
        if name.startswith("civil") and share == 0.02:
            assert apart[0].log_loss < 0.12
        assert apart[0].accuracy > apart[1].accuracy - 0.01


def test_a_told_prevalence_is_not_sharpened_and_is_predicted_with():
    votes, shares = rare_panel(0.02, 1)
    held = aggregate(votes, "recommended", prevalence=shares)
    assert "probabilities average to" in held.message
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
    plain, held = aggregate(votes, "dawid-skene"), aggregate(votes, copies="keep")
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


def test_two_judges_get_their_shares_of_votes():
    sketch = Sketch.from_counts({"ab": 5, "ba": 5, "aa": 3, ".b": 1})
    held = aggregate(sketch, "recommended")
    assert held.status is Status.OK
    assert "agreement of two does not tell" in held.message
    assert "neither how frequent a label is nor how good a judge is" in held.message
    assert "prevalence" not in held.summary()
    np.testing.assert_allclose(held.posterior, aggregate(sketch, "majority").posterior)
    np.testing.assert_allclose(held.predict(sketch), held.posterior)
    stated = aggregate(sketch, prevalence=0.2)
    assert stated.posterior[:, 1] @ stated.counts / 14 == pytest.approx(0.2, abs=0.02)
    assert stated.evaluation.prevalence[1] == pytest.approx(0.2, abs=0.02)


def test_labels_of_people_go_with_the_shares_of_two_judges():
    truth = ["a", "b"] * 20
    votes = Votes.from_columns(
        {"x": truth, "y": ["a", "a", "b", "b"] * 10}, items=[f"q{k}" for k in range(40)]
    )
    human = {f"q{k}": truth[k] for k in range(20)}
    found = aggregate(votes, human=human)
    assert found.status is Status.OK
    again = type(found).from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(votes), found.predict(votes))


def test_votes_nobody_gave_are_refused():
    votes = Votes(range(2), range(2), ["a", "b"], ["a", "b"], np.full((2, 2), -1, np.int16))
    assert aggregate(votes).status is Status.NOT_IDENTIFIABLE


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
    smoothed = score(aggregate(votes.without_key(), "majority"), votes)
    assert score(held, votes).log_loss < smoothed.log_loss
    assert score(held, votes).accuracy >= smoothed.accuracy - 0.01
    told = score(aggregate(votes, prevalence="fit"), votes)
    plain = score(aggregate(votes.without_key(), "dawid-skene"), votes)
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


# -- how many items are called each label ---------------------------------------------------------


def test_as_many_are_called_as_by_majority_in_the_order_of_the_fit():
    votes, _ = rare_panel(0.05, 3)
    held, fit = aggregate(votes), aggregate(votes, prevalence="fit")
    share = (votes.codes == 1).mean(axis=1)
    called = int((share > 0.5).sum())
    near = int((held.posterior_items[:, 1] > 0.5).sum())
    assert abs(near - called) <= held.counts.max()
    assert held.n_undecided == 0
    assert near < int((fit.posterior_items[:, 1] > 0.5).sum())
    order = np.argsort(fit.posterior_items[:, 1], kind="stable")
    assert (np.diff(held.posterior_items[order, 1]) >= -1e-12).all()
    assert score(held, votes).log_loss < score(fit, votes).log_loss
    assert any("majority calls" in note and "prevalence=" in note for note in held.warnings)


def test_the_cut_and_the_shift_are_those_worked_by_hand():
    r = np.array([0.95, 0.7, 0.55, 0.6, 0.1])
    cut = cut_at(logit(r), np.ones(5), 3)
    expected = [0.9335, 0.6328, 0.4744, 0.5256, 0.0758]
    assert expit(logit(r) - cut) == pytest.approx(expected, abs=1e-4)
    m = np.array([0.9, 0.5, 0.1])
    logs = np.log(np.stack([1 - m, m], axis=1))
    shift = shifts_to(logs, np.ones(3), np.array([0.8, 0.2]))
    assert _normalised(logs + shift)[:, 1] == pytest.approx([0.4913, 0.0969, 0.0118], abs=1e-4)


def test_cuts_of_counted_rows_call_as_nearly_as_many_as_equal_rows_allow():
    rng = np.random.default_rng(2)
    for _ in range(50):
        odds, counts = rng.integers(0, 5, 6).astype(float), rng.integers(1, 4, 6)
        n = rng.integers(0, counts.sum() + 1)
        items = np.repeat(odds, counts)
        cut = cut_at(odds, counts.astype(float), n)
        possible = np.unique([(items > edge).sum() for edge in np.arange(-0.5, 6)])
        off = np.abs(possible - n)
        near = possible[off == off.min()].tolist()  # two where rows lie between cuts as near
        assert [(items > cut + 1e-9).sum(), (items > cut - 1e-9).sum()] == [near[0], near[-1]]
        mirrored = cut_at(-odds, counts.astype(float), counts.sum() - n)
        assert mirrored == pytest.approx(-cut)


@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_stated_shares_are_met_by_any_two_solvers(n_labels):
    rng = np.random.default_rng(n_labels)
    logs = np.log(rng.dirichlet(np.ones(n_labels), 40))
    shares = rng.dirichlet(np.ones(n_labels))
    b = shifts_to(logs, np.ones(40), shares)
    assert _normalised(logs + b).mean(axis=0) == pytest.approx(shares, abs=1e-6)
    other = np.zeros(n_labels)
    for _ in range(5000):  # proportional fitting
        other += np.log(shares) - np.log(_normalised(logs + other).mean(axis=0))
    assert _normalised(logs + other) == pytest.approx(_normalised(logs + b), abs=1e-4)
    some = np.r_[shares[0], [np.nan] * (n_labels - 1)]
    b = shifts_to(logs, np.ones(40), some)
    moved = _normalised(logs + b)
    assert moved.mean(axis=0)[0] == pytest.approx(shares[0], abs=1e-6)
    rest = np.exp(logs[:, 1:]) / np.exp(logs[:, 1:]).sum(axis=1, keepdims=True)
    assert moved[:, 1:] / moved[:, 1:].sum(axis=1, keepdims=True) == pytest.approx(rest)


@pytest.mark.parametrize(
    ("stated", "low", "high"),
    [
        (0.05, 0.04, 0.06),
        ((0.02, 0.1), 0.02, 0.11),
        ({"b": (0.02, 0.1)}, 0.02, 0.11),
        ({"a": 0.95}, 0.04, 0.06),
        ({"a": (0.9, 0.98)}, 0.02, 0.11),
        ([0.95, 0.05], 0.04, 0.06),
    ],
)
def test_a_prevalence_as_number_range_or_by_label(stated, low, high):
    votes, _ = rare_panel(0.05, 3)
    held = aggregate(votes, prevalence=stated)
    assert low < held.posterior_items[:, 1].mean() < high
    again = type(held).from_dict(json.loads(json.dumps(held.to_dict())))
    np.testing.assert_allclose(again.predict(votes), held.posterior_items, atol=1e-9)
    same = aggregate(votes, prevalence=again.settings["prevalence"])
    assert np.array_equal(same.posterior, held.posterior)


def table_at_random(rng, n_labels):
    """Votes of a random panel with as many gaps, copies and errors as may be."""
    n_items, n_judges = int(rng.integers(30, 200)), int(rng.integers(2, 8))
    key = rng.choice(n_labels, n_items, p=rng.dirichlet(np.ones(n_labels)))
    right = rng.random((n_items, n_judges)) < rng.uniform(0.4, 0.95, n_judges)
    codes = np.where(right, key[:, None], rng.integers(0, n_labels, right.shape))
    codes[rng.random(right.shape) < rng.choice([0, 0.2, 0.7])] = -1
    labels = "abcd"[:n_labels]
    labels = tuple(labels)
    return Votes(range(n_items), range(n_judges), labels, labels, codes.astype(np.int16), None)


@pytest.mark.parametrize("seed", range(60))
def test_a_range_changes_nothing_inside_and_is_its_nearer_end_outside(seed):
    rng = np.random.default_rng(seed)
    votes = table_at_random(rng, 2)
    low, high = sorted(rng.uniform(0.001, 0.999, 2))
    untold, told = aggregate(votes), aggregate(votes, prevalence=(low, high))
    average, fitted = untold.posterior_items[:, 1].mean(), untold.evaluation.prevalence[1]
    outside = [share for share in (average, fitted) if not low <= share <= high]
    end = min(max(outside[0], low), high) if outside else None
    same = untold if end is None else aggregate(votes, prevalence=float(end))
    np.testing.assert_allclose(told.posterior, same.posterior, atol=1e-9)
    np.testing.assert_allclose(
        told.evaluation.confusion, same.evaluation.confusion, atol=1e-9, equal_nan=True
    )
    share = fitted if end is None else end
    assert told.evaluation.prevalence == pytest.approx([1 - share, share], abs=1e-9)
    assert low - 1e-9 <= share <= high + 1e-9
    if end is not None:  # one number is called prevalence
        assert f"'b' {percent(end)}" in told.message


def test_notes_name_no_range_that_nobody_told_and_say_what_the_cut_costs():
    n_costly = 0
    for seed in range(300):
        votes = table_at_random(np.random.default_rng(seed), 2)
        held, fit = aggregate(votes), aggregate(votes, prevalence="fit")
        text = " ".join([held.message, *held.warnings, held.summary(), fit.summary()])
        assert not re.search(r"\(0?\.\d+, ?0?\.\d+\)|0?\.\d+:0?\.\d+", text)
        assert "Prevalence" not in text  # that word is the evaluation's number alone
        differ = ((held.decisions != fit.decisions) * held.counts).sum() / held.n_items
        notes = [note for note in held.warnings if note.startswith("Votes do not tell")]
        called = held.parameters.get("called")
        assert bool(notes) == (
            called is not None
            and bool(differ > 0.01 or abs(called["majority"] - called["fit"]) > 0.01)
        )
        for note in notes:
            n_costly += differ > 0.01
            assert "prevalence='fit'" in note
            assert "prevalence='equal'" in note
    assert n_costly > 20


@pytest.mark.parametrize("seed", range(30))
def test_ranges_of_some_of_many_labels_hold(seed):
    rng = np.random.default_rng(seed)
    votes = table_at_random(rng, int(rng.integers(3, 5)))
    centre = rng.dirichlet(np.ones(votes.n_labels))
    named = rng.choice(votes.n_labels, int(rng.integers(1, votes.n_labels + 1)), replace=False)
    wide = rng.choice([1.0, 1.5, 3.0])
    stated = {
        votes.labels[k]: (float(centre[k] / wide / 1.01), min(float(centre[k] * wide), 0.999))
        for k in named
    }
    told = aggregate(votes, prevalence=stated)
    shares = dict(zip(votes.labels, told.evaluation.prevalence, strict=True))
    assert sum(shares.values()) == pytest.approx(1)
    for label, (low, high) in stated.items():
        assert low - 1e-9 <= shares[label] <= high + 1e-9
    assert aggregate(votes, prevalence=shares).evaluation.prevalence == pytest.approx(
        told.evaluation.prevalence
    )
    sure = {x: (low / 1e6, 1 - 1e-6) for x, (low, _) in stated.items()}
    if len(sure) < votes.n_labels:
        held = aggregate(votes, prevalence=sure)
        assert np.array_equal(held.posterior, aggregate(votes).posterior)


def test_a_share_of_some_of_three_labels():
    votes, _ = rare_panel(0.1, 3, 3)
    held = aggregate(votes, prevalence={"c": (0.02, 0.08)})
    assert 0.02 < held.evaluation.prevalence_of("c") <= 0.08
    assert held.posterior_items[:, 2].mean() == pytest.approx(0.08, abs=0.001)
    both = aggregate(votes, prevalence={"b": 0.05, "c": (0.02, 0.08)})
    assert both.posterior_items[:, 1].mean() == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        (1.5, "from 0 to 1"),
        ((0.0, 0.05), "0 < low < high"),
        ({"b": (0.3, 0.1)}, "0 < low < high"),
        ({"z": 0.1}, "must name some"),
        ({"a": 0.5, "b": 0.2}, "add up to 1"),
        ("often", "must be a rule"),
        ({"b": (0.1, 0.2, 0.3)}, "a share or"),
    ],
)
def test_a_prevalence_that_is_none(stated, says):
    votes, _ = rare_panel(0.05, 3)
    with pytest.raises(DataError, match=says):
        aggregate(votes, prevalence=stated)


# -- independence ---------------------------------------------------------------------------------


def independent(n_items, accuracy, rng, *, after=False, copies=(), noise=0.0):
    """Judges who err by themselves.

    `after`: draw such an exam first, then this one, with 40% of the items answered at random; `copies` of the
    first judge answer at random on a share of `noise`.
    """
    key = rng.random(n_items) < 0.5
    right = rng.random((n_items, len(accuracy))) < np.array(accuracy)
    if after:
        hard = rng.random((n_items, 1)) < 0.4
        right = rng.random(right.shape) < np.where(hard, 0.5, accuracy)
    codes = np.where(right, key[:, None], ~key[:, None])
    for _ in copies:
        other = rng.random(n_items) < 0.5
        near = np.where(rng.random(n_items) < noise, other, codes[:, 0])
        codes = np.column_stack([codes, near])
    names = range(codes.shape[1])
    key = key.astype(np.int16)
    return Votes(range(n_items), names, ["0", "1"], ["0", "1"], codes.astype(np.int16), key)


@pytest.mark.parametrize(
    ("accuracy", "z"), [((0.9, 0.85, 0.8, 0.75, 0.7), 3.52), ((0.8,) * 8, 7.20)]
)
def test_z_of_independent_judges(accuracy, z):
    votes = independent(1000, accuracy, np.random.default_rng(0))
    held = aggregate(votes)
    assert held.parameters["independence"] == pytest.approx(z, abs=0.2)
    assert held.parameters["weight"] == 0.8
    assert "Errors look independent" in held.message
    losses = [score(aggregate(votes, m), votes).log_loss for m in ("recommended", "majority")]
    assert losses[0] < losses[1]


@pytest.mark.parametrize("share", [0.03, 0.1, 0.5])
def test_a_share_that_is_told_leaves_independent_judges_their_weight(share):
    """It had not: judges with 99% of the items right were worse than majority once told the truth."""
    rng = np.random.default_rng(4)
    key = (rng.random(1500) < share).astype(np.int16)
    right = rng.random((1500, 5)) < np.where(key[:, None], [0.9, 0.85, 0.8, 0.75, 0.7], 0.93)
    codes = np.where(right, key[:, None], 1 - key[:, None]).astype(np.int16)
    votes = Votes(range(1500), range(5), ["0", "1"], ["0", "1"], codes, key)
    held = aggregate(votes, prevalence=float(key.mean()))
    assert held.parameters["weight"] > 0
    assert "Errors look independent" in held.message
    assert held.posterior_items[:, 1].mean() == pytest.approx(key.mean(), abs=2e-3)
    assert held.predict(votes) == pytest.approx(held.posterior_items, abs=1e-9)
    shared = posterior_if_shared(held)[held.item_pattern]
    assert shared[:, 1].mean() == pytest.approx(key.mean(), abs=2e-3)
    own, majority = score(held, votes), score(aggregate(votes, "majority"), votes)
    without = float(np.mean(-np.log(shared[np.arange(1500), key])))
    assert own.log_loss < 0.8 * without
    assert own.accuracy > majority.accuracy - 0.01
    (called,) = held.sensitivity("1", [float(key.mean())]).columns["called"]
    assert called == (held.posterior_items[:, 1] > 0.5).sum()


@pytest.mark.parametrize(
    ("accuracy", "z"), [((0.9, 0.85, 0.8, 0.75, 0.7), -1.79), ((0.8,) * 8, -1.04)]
)
def test_z_where_hard_items_are_hard_for_all(accuracy, z):
    held = aggregate(independent(1000, accuracy, np.random.default_rng(0), after=True))
    assert held.parameters["independence"] == pytest.approx(z, abs=0.2)
    assert held.parameters["weight"] == 0


def test_eight_independent_judges_are_better_than_their_vote_share():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        votes = independent(500, rng.uniform(0.6, 0.9, 8), rng)
        losses = [score(aggregate(votes, m), votes).log_loss for m in ("recommended", "majority")]
        assert losses[0] < losses[1]


def excess_of_near_copies(noise, seed):
    """Log loss above the vote share where some judges nearly copy the first of 3 to 8."""
    rng = np.random.default_rng(seed)
    accuracy = rng.uniform(0.6, 0.9, rng.choice([3, 5, 8]))
    votes = independent(500, accuracy, rng, copies=range(rng.choice([1, 2, 3])), noise=noise)
    held, share = aggregate(votes), aggregate(votes, "majority")
    np.testing.assert_allclose(held.predict(votes), held.posterior_items, atol=1e-9)
    return score(held, votes).log_loss - score(share, votes).log_loss


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.05, 0.1])
def test_near_copies_cost_little_against_the_vote_share(noise):
    more = np.array([excess_of_near_copies(noise, seed) for seed in range(20)])
    print(
        f"{1 - noise:.0%} copies: {more.mean():+.3f} ({more.std() / 20**0.5:.3f}), most {more.max():+.3f}"
    )
    assert more.mean() < 0.05 + 2 * more.std() / 20**0.5


def test_near_copies_count_once_where_errors_look_independent():
    rng = np.random.default_rng(4)
    votes = independent(1000, (0.9, 0.85, 0.8, 0.75, 0.7), rng, copies=(0, 0), noise=0.08)
    held = aggregate(votes)
    assert held.parameters["copies"] == []
    assert held.parameters["near_copies"] == (("0", "5", "6"),)
    assert held.parameters["weight"] > 0
    assert len(held.parameters["single"]["confusion"]) == 5
    again = type(held).from_dict(json.loads(json.dumps(held.to_dict())))
    for result in (held, again):
        np.testing.assert_allclose(result.predict(votes), held.posterior_items, atol=1e-9)
    assert score(held, votes).log_loss < score(aggregate(votes, "majority"), votes).log_loss
    plain = aggregate(votes.select(judges=["0", "1", "2", "3", "4"]), "dawid-skene")
    every = aggregate(votes, "dawid-skene")
    assert score(plain, votes).log_loss < score(every, votes).log_loss


def test_three_judges_show_no_independence_and_shared_errors_none_either():
    three = independent(1000, (0.9, 0.8, 0.7), np.random.default_rng(0))
    assert aggregate(three).parameters["weight"] == 0
    shared, _ = rare_panel(0.4, 1)
    assert aggregate(shared).parameters["weight"] == 0


def test_the_trait_is_as_likely_as_by_a_plain_sum_over_a_finer_grid():
    votes = independent(300, (0.9, 0.7, 0.6, 0.8), np.random.default_rng(1))
    codes = votes.codes.copy()
    codes[::7, 1] = -1
    logs = trait_log_likelihood(codes, np.ones(300))
    assert np.isfinite(logs).all()
    assert logs.sum() > sum(
        np.log(np.where(codes[:, j] < 0, 1, np.where(codes[:, j] == 1, m, 1 - m))).sum()
        for j in range(4)
        for m in [(codes[:, j] == 1).sum() / (codes[:, j] >= 0).sum()]
    )


def test_a_range_is_a_range_though_its_ends_add_up_to_one():
    votes = example("support-bot").votes
    between = aggregate(votes, prevalence=(0.1, 0.9))
    assert "'pass' between 10.0% and 90.0%" in between.message
    shares = aggregate(votes, prevalence=[0.1, 0.9])
    assert "'fail' at 10.0%, 'pass' at 90.0%" in shares.message


@pytest.mark.parametrize("root", [1e-6, 0.3, 4.999])
@pytest.mark.parametrize("of", [lambda x: x, lambda x: x**3, lambda x: np.expm1(5 * x)])
def test_a_root_is_where_scipy_finds_it(of, root):
    def gap(x):
        return float(of(root) - of(x))

    assert _root(gap, 0.0, 5.0) == pytest.approx(brentq(gap, 0.0, 5.0, xtol=1e-12), abs=2e-9)
