"""The label-free default: labels of Dawid-Skene, posteriors held back where errors are shared."""

import csv

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.checks.overcounting import overcounting
from algeval.aggregate.checks.scoring import score
from algeval.aggregate.em import log_table
from algeval.aggregate.methods.recommended import tempered
from algeval.aggregate.votes import BlockVotes
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.io import read_votes
from algeval.result import Status


def drawn(n_items, n_judges, accuracy, seed=0, copies=1):
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.4).astype(np.int16)
    right = rng.random((n_items, n_judges)) < accuracy
    codes = np.repeat(np.where(right, key[:, None], 1 - key[:, None]), copies, axis=1)
    judges = range(codes.shape[1])
    return Votes(range(n_items), judges, ["0", "1"], ["0", "1"], codes.astype(np.int16), key)


def test_independent_judges_keep_their_posteriors():
    votes = drawn(3000, 8, 0.75)
    plain = aggregate(votes, "dawid-skene", prior=2)
    held = aggregate(votes, "recommended")
    assert held.parameters["within"] == pytest.approx(1, abs=0.05)
    assert held.parameters["overcounting"] < 1.1
    np.testing.assert_allclose(held.posterior, plain.posterior, atol=0.03)


def test_copied_judges_are_seen_and_held_back():
    votes = drawn(2000, 5, 0.7, copies=4)
    plain, held = aggregate(votes, "dawid-skene"), aggregate(votes, "recommended")
    assert held.parameters["overcounting"] > 3
    assert score(held, votes).log_loss < score(plain, votes).log_loss
    assert score(held, votes).calibration_error < score(plain, votes).calibration_error


def test_labels_are_those_of_dawid_skene_and_every_row_sums_to_one():
    votes = drawn(300, 6, 0.7, copies=2)
    plain = aggregate(votes, "dawid-skene", prior=2)
    held = aggregate(votes, "recommended")
    assert np.array_equal(held.decisions, plain.decisions)
    np.testing.assert_allclose(held.posterior.sum(1), 1)


def test_ratios_by_item_loops():
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 3, (40, 4)).astype(np.int16)
    counts = rng.integers(1, 5, 40).astype(float)
    posterior = rng.dirichlet(np.ones(3), 40)
    confusion = rng.dirichlet(np.ones(3), (4, 3))
    found = overcounting(BlockVotes(codes, 3), confusion, posterior, counts)

    evidence = log_table(confusion)
    evidence = evidence - evidence.mean(1, keepdims=True)

    def spread(weights):
        total = parts = 0.0
        vectors = [[evidence[j, :, c] if c >= 0 else None for j, c in enumerate(r)] for r in codes]
        means = []
        for j in range(4):
            seen = [(w, v[j]) for w, v in zip(weights, vectors, strict=True) if v[j] is not None]
            means.append(sum(w * x for w, x in seen) / sum(w for w, _ in seen))
        for w, row in zip(weights, vectors, strict=True):
            moved = [x - m for x, m in zip(row, means, strict=True) if x is not None]
            parts += w * sum(float(x @ x) for x in moved)
            total += w * float(sum(moved, np.zeros(3)) @ sum(moved, np.zeros(3)))
        return total, parts

    within = [spread(counts * posterior[:, y]) for y in range(3)]
    assert found.within == pytest.approx(sum(t for t, _ in within) / sum(p for _, p in within))
    total, parts = spread(counts)
    assert found.bound == pytest.approx(total / parts)


def test_an_unanswered_item_keeps_the_prevalence():
    posterior = np.array([[0.9, 0.1], [0.9, 0.1]])
    held = tempered(posterior, 2.0, np.array([[-1, -1], [0, 0]], np.int16))
    assert held[0].tolist() == [0.9, 0.1]
    assert held[1] == pytest.approx([0.75, 0.25])


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


def test_two_judges_are_refused_and_a_bad_prior_is_named():
    sketch = Sketch.from_counts({"ab": 5, "ba": 5, "aa": 3})
    assert aggregate(sketch, "recommended").status is Status.NOT_IDENTIFIABLE
    with pytest.raises(DataError, match="prior must be at least 1"):
        aggregate(drawn(20, 3, 0.8), "recommended", prior=0.5)


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
    simple = score(aggregate(votes.without_key(), "majority"), votes)
    assert told.accuracy >= plain.accuracy - worse_by
    assert told.log_loss < simple.log_loss < plain.log_loss
    assert told.calibration_error < plain.calibration_error / 1.4
