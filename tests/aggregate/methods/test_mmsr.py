"""MMSR: planted skills found again, the peer, adversaries, what pairs cannot settle."""

from itertools import product

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.methods.voting import mmsr
from algeval.data import Sketch, Votes
from algeval.result import Status


def crowd(accuracy, n_labels, n_items, seed, kept=1.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    wrong = (truth[:, None] + rng.integers(1, n_labels, (n_items, len(accuracy)))) % n_labels
    codes = np.where(rng.random(wrong.shape) < accuracy, truth[:, None], wrong).astype(np.int16)
    codes[rng.random(codes.shape) > kept] = -1
    labels, judges = tuple("abcd"[:n_labels]), tuple(f"j{k}" for k in range(len(accuracy)))
    return Votes(range(n_items), judges, labels, labels, codes), truth


def test_planted_skills_give_log_odds_as_weights():
    """Counts in exact proportion to independent judges of 7/8, 3/4, 3/4 and 1/4, both labels alike."""
    accuracy = [7, 6, 6, 2]
    counts = {
        "".join("ba"[r ^ (label == "b")] for r in right): 0
        for label, right in product("ab", product([0, 1], repeat=4))
    }
    for label, right in product("ab", product([0, 1], repeat=4)):
        votes = "".join(label if r else "ba"[label == "b"] for r in right)
        counts[votes] += np.prod([a if r else 8 - a for a, r in zip(accuracy, right, strict=True)])
    found = mmsr(Sketch.from_counts({k: int(v) for k, v in counts.items()}), tol=1e-13)
    wanted = np.log([7, 3, 3, 1 / 3]) / np.log(7)
    np.testing.assert_allclose(found.parameters["weight"], wanted, atol=1e-9)
    assert found.status is Status.OK


def test_adversaries_and_copies_of_nobody_do_not_mislead_it():
    votes, truth = crowd([0.8, 0.75, 0.8, 0.7, 0.8, 0.1, 0.1], 3, 2000, seed=2, kept=0.6)
    found, plain = mmsr(votes), aggregate(votes, "majority")
    right = [np.mean(r.posterior_items.argmax(axis=1) == truth) for r in (found, plain)]
    assert (found.parameters["weight"][5:] < 0).all()
    assert right[0] > right[1] + 0.03


@pytest.mark.filterwarnings("ignore::Warning")  # of the peer and its pandas
@pytest.mark.parametrize("n_labels", [2, 4])
def test_the_other_implementation_finds_the_same_weights(n_labels):
    peer = pytest.importorskip("crowdkit.aggregation")
    pd = pytest.importorskip("pandas")
    votes, _ = crowd([0.9, 0.7, 0.6, 0.8, 0.5, 0.65], n_labels, 500, seed=3)
    items, judges = np.indices(votes.codes.shape).reshape(2, -1)
    table = pd.DataFrame({"task": items, "worker": judges, "label": votes.codes.ravel()})
    model = peer.MMSR().fit(table)
    theirs = model.skills_.sort_index().to_numpy()
    found = mmsr(votes, tol=1e-10, max_iter=10000)
    np.testing.assert_allclose(found.parameters["weight"], theirs / np.abs(theirs).max(), atol=1e-4)


def test_a_judge_who_never_answered_weighs_nothing():
    votes, _ = crowd([0.9, 0.8, 0.7, 0.6], 2, 200, seed=6)
    codes = votes.codes.copy()
    codes[:, 3] = -1
    silent = mmsr(Votes(votes.items, votes.judges, votes.labels, votes.labels, codes))
    without = mmsr(votes.select(judges=votes.judges[:3]))
    assert silent.parameters["weight"].tolist() == [*without.parameters["weight"], 0.0]


def test_two_sides_or_separate_groups_settle_no_skills():
    codes = np.full((8, 4), -1)
    codes[:4, :2] = [[0, 0], [1, 1], [0, 0], [1, 0]]
    codes[4:, 2:] = [[0, 0], [1, 1], [0, 0], [1, 0]]
    apart = mmsr(Votes(range(8), list("ijkl"), ["a", "b"], ["a", "b"], codes))
    assert apart.status is Status.NOT_IDENTIFIABLE
    assert "connect them in an odd circle" in apart.message
    few = mmsr(Sketch.from_counts({"ab": 3, "bb": 4}))
    assert "MMSR must have at least 3 judges and 2 labels; got 2 judges" in few.message


def test_it_says_when_it_was_stopped():
    votes, _ = crowd([0.9, 0.8, 0.7, 0.6, 0.55], 3, 100, seed=8)
    found = mmsr(votes, max_iter=1, tol=0)
    assert found.status is Status.NOT_CONVERGED
    assert "The search for skills was stopped before it settled." in found.message
