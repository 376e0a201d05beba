"""KOS: a case by hand, plain loops over messages, the peer, adversaries, refusals."""

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.methods.voting import kos
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.result import Status


def sparse(accuracy, n_items, each, seed):
    """Items with the votes of `each` judges drawn at random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_items)
    codes = np.full((n_items, len(accuracy)), -1, np.int16)
    for item, label in enumerate(truth):
        judges = rng.choice(len(accuracy), each, replace=False)
        right = rng.random(each) < np.array(accuracy)[judges]
        codes[item, judges] = np.where(right, label, 1 - label)
    judges = [f"j{place}" for place in range(len(accuracy))]
    return Votes(range(n_items), judges, ["a", "b"], ["a", "b"], codes), truth


def by_messages(codes, steps):
    """Messages one by one, item by item, as the source writes them; then whole ones."""
    A = {(i, j): 2 * int(a) - 1 for (i, j), a in np.ndenumerate(codes) if a >= 0}
    y = dict.fromkeys(A, 1.0)
    for _ in range(steps):
        x = {(i, j): sum(A[k] * y[k] for k in A if k[0] == i and k[1] != j) for i, j in A}
        whole = [sum(A[k] * x[k] for k in A if k[1] == j) for j in range(codes.shape[1])]
        y = {(i, j): whole[j] - A[i, j] * x[i, j] for i, j in A}
    return np.array(whole) / np.abs(whole).max()


def test_one_step_by_hand():
    """Others' sums of i are 1 on the first item (a a b) and 2 on the second (b b b)."""
    s = Sketch.from_counts({"aab": 1, "bbb": 1}, judges=["i", "j", "k"])
    found = kos(s, n_steps=1)
    # whole messages: i and j 0 + 2, k -2 + 2
    assert found.parameters["weight"] == pytest.approx([1, 1, 0])
    assert found.posterior.tolist() == [[2.5 / 3, 0.5 / 3], [0.5 / 3, 2.5 / 3]]


def test_plain_messages_find_the_same_weights():
    votes, _ = sparse([0.9, 0.8, 0.4, 0.7, 0.6, 0.2], 30, 4, seed=1)
    found = kos(votes, n_steps=6)
    np.testing.assert_allclose(found.parameters["weight"], by_messages(votes.codes, 6), atol=1e-9)


def test_an_adversary_counts_against_its_answers():
    votes, truth = sparse([0.85, 0.8, 0.85, 0.8, 0.1, 0.15, 0.5, 0.5], 1500, 5, seed=3)
    found, plain = kos(votes), aggregate(votes, "majority")
    assert (found.parameters["weight"][4:6] < 0).all()
    right = [np.mean(r.posterior_items.argmax(axis=1) == truth) for r in (found, plain)]
    assert right[0] > right[1] + 0.08


@pytest.mark.filterwarnings("ignore::Warning")  # of the peer and its pandas
def test_the_other_implementation_labels_alike():
    peer = pytest.importorskip("crowdkit.aggregation")
    pd = pytest.importorskip("pandas")
    votes, _ = sparse([0.9, 0.8, 0.7, 0.85, 0.6, 0.75, 0.3], 400, 5, seed=5)
    item, judge = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame({"task": item, "worker": judge, "label": votes.codes[item, judge]})
    theirs = peer.KOS(n_iter=20).fit_predict(table).sort_index().to_numpy()
    ours = kos(votes, n_steps=20)
    # ours lets an item's own votes into the judge's last message: rows near a tie may differ
    assert (ours.posterior_items.argmax(axis=1) == theirs).mean() > 0.98


def test_refusals():
    few = kos(Sketch.from_counts({"ab": 3, "bb": 4}))
    assert few.status is Status.NOT_IDENTIFIABLE
    assert "KOS must have at least 3 judges who answered; got 2" in few.message
    with pytest.raises(DataError, match="exactly two answers"):
        kos(Sketch.from_counts({"abc": 3}))
    with pytest.raises(DataError, match="n_steps must be"):
        kos(Sketch.from_counts({"aab": 3}), n_steps=0)
    strangers = np.full((3, 3), -1)
    np.fill_diagonal(strangers, [0, 1, 0])
    alone = kos(Votes(range(3), ["i", "j", "k"], ["a", "b"], ["a", "b"], strangers))
    assert alone.status is Status.NOT_IDENTIFIABLE
    assert "KOS must find a label for some item" in alone.message
