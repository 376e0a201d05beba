"""Tables drawn to the panel's: against a plain loop, on few votes per judge, and over many labels."""

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.methods.tables import held_back, tempered
from algeval.data import KeyedSketch, Sketch, Votes
from algeval.errors import DataError
from algeval.result import Status

METHOD = "pooled-dawid-skene"


def crowd(n_items, n_judges, n_labels, per_item, low, high, seed):
    """Workers of accuracy low..high, a few of them per item, wrong answers evenly spread."""
    rng = np.random.default_rng(seed)
    key = rng.integers(n_labels, size=n_items)
    accuracy = rng.uniform(low, high, n_judges)
    codes = np.full((n_items, n_judges), -1, np.int16)
    for i in range(n_items):
        for j in rng.choice(n_judges, per_item, replace=False):
            wrong = (key[i] + rng.integers(1, n_labels)) % n_labels
            codes[i, j] = key[i] if rng.random() < accuracy[j] else wrong
    labels = [f"c{r}" for r in range(n_labels)]
    return Votes(range(n_items), range(n_judges), labels, labels, codes, key.astype(np.int16))


def by_loops(codes, n_labels, steps):
    """The stated formulas item by item: posteriors, tables, pool and divisor after `steps` steps."""
    n, m = codes.shape
    q = np.zeros((n, n_labels))
    for i in range(n):
        seen = [a for a in codes[i] if a >= 0]
        q[i] = [seen.count(r) / len(seen) for r in range(n_labels)]
    for _ in range(steps):
        counts = np.zeros((m, n_labels, n_labels))
        for i in range(n):
            for j in range(m):
                if codes[i, j] >= 0:
                    counts[j, :, codes[i, j]] += q[i]
        pool = np.zeros((n_labels, n_labels))
        for r in range(n_labels):
            for a in range(n_labels):
                prior = 0.7 if r == a else 0.3 / (n_labels - 1)
                pool[r, a] = n_labels / 2 * prior + sum(
                    counts[j, r, a] * n_labels / (n_labels + counts[j, r].sum()) for j in range(m)
                )
            pool[r] /= pool[r].sum()
        tables = (counts + n_labels * pool) / (counts.sum(2, keepdims=True) + n_labels)
        prevalence = (q.sum(0) + 1) / (n + n_labels)
        for i in range(n):
            chance = prevalence.copy()
            for j in range(m):
                if codes[i, j] >= 0:
                    chance *= tables[j, :, codes[i, j]]
            q[i] = chance / chance.sum()
    return q, tables, pool


@pytest.mark.parametrize(("n_labels", "seed"), [(2, 0), (3, 1), (4, 2)])
def test_against_a_loop_over_items_and_judges(n_labels, seed):
    votes = crowd(60, 7, n_labels, 5, 0.5, 0.9, seed)
    found = aggregate(votes, METHOD, tol=1e-9, max_iter=5000)
    q, tables, pool = by_loops(votes.codes, n_labels, 400)
    np.testing.assert_allclose(found.parameters["pool"], pool, atol=1e-5)
    np.testing.assert_allclose(found.evaluation.confusion, tables, atol=1e-5)
    per_item = 5 ** (1 / min(n_labels, 3))
    within = found.parameters["within"]
    factor = max(1, within**2) + per_item - 1
    assert found.parameters["overcounting"] == pytest.approx(factor)
    power = q ** (1 / factor)
    shares = np.stack([(votes.codes == r).sum(1) for r in range(n_labels)], axis=1)
    expected = 0.9 * power / power.sum(1, keepdims=True) + 0.1 * (shares + 1 / n_labels) / 6
    np.testing.assert_allclose(found.posterior_items, expected, atol=1e-4)


def test_the_trace_rises_and_status_says_when_it_was_cut_short():
    votes = crowd(300, 12, 3, 6, 0.4, 0.9, 3)
    found = aggregate(votes, METHOD)
    assert found.status.ok
    assert np.diff(found.trace).min(initial=0) >= -1e-9 * abs(found.trace[-1])
    assert aggregate(votes, METHOD, max_iter=2).status is Status.NOT_CONVERGED


@pytest.mark.parametrize("seed", range(6))
def test_ten_labels_and_six_votes_an_item_are_no_worse_than_majority(seed):
    """The ms set of the crowds: 700 items, 40 workers, 10 labels; a flat prior lost 17 points."""
    votes = crowd(700, 40, 10, 6, 0.4, 0.9, seed)
    found, majority = (aggregate(votes, m).item_labels for m in (METHOD, "majority"))
    truth = (
        votes.key_labels if hasattr(votes, "key_labels") else [votes.labels[k] for k in votes.key]
    )
    right = [sum(a == b for a, b in zip(x, truth, strict=True)) for x in (found, majority)]
    assert right[0] >= right[1]


def test_a_label_of_few_items_does_not_vanish():
    """Three judges, 25 items, three labels: a flat prior put a label nobody doubts at 0%."""
    rng = np.random.default_rng(5)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        key = rng.permutation(np.repeat([0, 1, 2], [5, 11, 9]))
        right = rng.random((25, 3)) < 0.75
        other = (key[:, None] + rng.integers(1, 3, (25, 3))) % 3
        codes = np.where(right, key[:, None], other).astype(np.int16)
        votes = Votes(range(25), ["x", "y", "z"], list("abt"), list("abt"), codes, None)
        assert aggregate(votes, METHOD).evaluation.prevalence.min() > 0.03


def test_posteriors_by_hand():
    posterior = np.array([[0.9, 0.1], [0.9, 0.1]])
    codes = np.array([[-1, -1], [0, 0]], np.int16)
    assert tempered(posterior, 2.0, codes)[0].tolist() == [0.9, 0.1]
    assert tempered(posterior, 2.0, codes)[1] == pytest.approx([0.75, 0.25])
    mixed = held_back(posterior, 2.0, {"vote_share": 0.1}, codes)
    assert mixed[0].tolist() == [0.9, 0.1]
    assert mixed[1] == pytest.approx([0.9 * 0.75 + 0.1 * 2.5 / 3, 0.9 * 0.25 + 0.1 * 0.5 / 3])


def test_counts_votes_and_order_give_the_same():
    votes = crowd(200, 8, 3, 5, 0.5, 0.9, 4)
    found = aggregate(votes, METHOD, tol=1e-9)
    np.testing.assert_allclose(
        aggregate(votes.sketch(), METHOD, tol=1e-9).evaluation.confusion, found.evaluation.confusion
    )
    assert isinstance(votes.keyed_sketch(), KeyedSketch)
    order = [3, 0, 7, 5, 1, 2, 6, 4]
    turned = Votes(
        votes.items[::-1],
        [votes.judges[j] for j in order],
        votes.labels[::-1],
        votes.labels[::-1],
        np.where(votes.codes < 0, -1, 2 - votes.codes)[::-1][:, order].astype(np.int16),
        None,
    )
    other = aggregate(turned, METHOD, tol=1e-9)
    np.testing.assert_allclose(other.posterior_items[::-1, ::-1], found.posterior_items, atol=1e-6)


def test_refusals():
    sketch = Sketch.from_counts({"ab": 5, "ba": 5, "aa": 3})
    assert aggregate(sketch, METHOD).status is Status.NOT_IDENTIFIABLE
    with pytest.raises(DataError, match="vote_share must be from 0 to 1"):
        aggregate(crowd(20, 3, 2, 3, 0.6, 0.9, 0), METHOD, vote_share=1.5)


def test_weights_count_a_judges_evidence_by_their_share():
    """A judge three times over at a third each is that judge once, up to its prior."""
    votes = crowd(400, 4, 2, 4, 0.6, 0.9, 7)
    copies = np.concatenate([votes.codes, votes.codes[:, :1], votes.codes[:, :1]], axis=1)
    tripled = Votes(votes.items, range(6), votes.labels, votes.labels, copies, None)
    weights = [1 / 3, 1, 1, 1, 1 / 3, 1 / 3]
    once = aggregate(votes, METHOD, vote_share=0.0)
    shared = aggregate(tripled, METHOD, vote_share=0.0, judge_weights=weights)
    assert np.array_equal(once.item_labels, shared.item_labels)
    np.testing.assert_allclose(shared.predict(tripled), shared.posterior_items, atol=1e-4)
    assert shared.settings["judge_weights"] == weights
    for wrong in ([1, 1], [0] * 6, "x", [2] * 6):
        with pytest.raises(DataError, match="judge_weights must be 6 numbers"):
            aggregate(tripled, METHOD, judge_weights=wrong)


def test_told_shares_by_a_second_way():
    """Of 3 labels: likelihoods by loops, to the power 1 / c, and odds moved by a root finder."""
    from scipy.optimize import root

    votes = crowd(80, 7, 3, 5, 0.5, 0.9, 4)
    shares = np.array([0.7, 0.2, 0.1])
    found = aggregate(votes, METHOD, prevalence=shares.tolist(), vote_share=0.0)
    tables, factor = found.evaluation.confusion, found.parameters["overcounting"]
    chance = np.ones((80, 3))
    for i in range(80):
        for j in range(7):
            if votes.codes[i, j] >= 0:
                chance[i] *= tables[j, :, votes.codes[i, j]]

    def posteriors(moved):
        joint = chance ** (1 / factor) * shares * np.exp(moved)
        return joint / joint.sum(1, keepdims=True)

    moved = root(lambda b: posteriors(b).sum(0) + b - 80 * shares, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(found.posterior_items, posteriors(moved), atol=1e-6)
