"""Zero-based skill: a case by hand, plain loops, the peer, circles, refusals."""

from collections import Counter, defaultdict
from fractions import Fraction as F

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.methods.voting import wawa, zero_based_skill
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.result import Status


def crowd(accuracy, n_labels, n_items, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    wrong = (truth[:, None] + rng.integers(1, n_labels, (n_items, len(accuracy)))) % n_labels
    codes = np.where(rng.random(wrong.shape) < accuracy, truth[:, None], wrong).astype(np.int16)
    labels, judges = tuple("abcd"[:n_labels]), tuple(f"j{k}" for k in range(len(accuracy)))
    return Votes(range(n_items), judges, labels, labels, codes)


def by_loops(votes, steps):
    """The rule vote by vote, from dictionaries; ties teach nothing."""
    cells = [(i, j, int(a)) for (i, j), a in np.ndenumerate(votes.codes) if a >= 0]
    weight = dict.fromkeys(range(votes.n_judges), 1 / votes.n_labels)
    for step in range(1, steps + 1):
        scores = defaultdict(Counter)
        for i, j, a in cells:
            scores[i][a] += weight[j]
        label = {}
        for i, told in scores.items():
            (top, most), *rest = told.most_common()
            if not rest or rest[0][1] < most - 1e-9:
                label[i] = top
        for j in weight:
            hits = [label[i] == a for i, judge, a in cells if judge == j and i in label]
            aim = sum(hits) / len(hits) if hits else weight[j]
            weight[j] += 0.5 ** (step // 20) * (aim - weight[j])
    return list(weight.values())


def test_the_second_vote_settles_the_tie_and_the_third_weighs_it_by_hand():
    s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    found = zero_based_skill(s, smoothing=0)
    assert found.parameters["weight"] == pytest.approx([1, 1, F(10, 11), 0])
    by_row = dict(zip(map(tuple, found.patterns.tolist()), found.posterior, strict=True))
    assert by_row[0, 0, 1, 1] == pytest.approx([F(22, 32), F(10, 32)])
    assert found.status is Status.OK
    assert found.n_iter == 3


@pytest.mark.parametrize("n_labels", [2, 3])
def test_plain_loops_find_the_same_weights(n_labels):
    votes = crowd([0.9, 0.5, 0.6, 0.7, 0.45], n_labels, 80, seed=2)
    codes = votes.codes.copy()
    codes[::7, 2] = -1
    votes = Votes(votes.items, votes.judges, votes.labels, votes.labels, codes)
    found = zero_based_skill(votes, tol=0, max_iter=30)
    np.testing.assert_allclose(found.parameters["weight"], by_loops(votes, 30), atol=1e-12)


@pytest.mark.filterwarnings("ignore::Warning")  # of the peer and its pandas
@pytest.mark.parametrize("n_labels", [2, 4])
def test_the_other_implementation_agrees(n_labels):
    peer = pytest.importorskip("crowdkit.aggregation")
    pd = pytest.importorskip("pandas")
    votes = crowd([0.9, 0.7, 0.6, 0.8, 0.5], n_labels, 300, seed=3)
    first = aggregate(votes, "majority")
    codes = votes.codes[first.decisions[first.item_pattern] >= 0]  # ties are broken there
    votes = Votes(range(len(codes)), votes.judges, votes.labels, votes.answers, codes)
    items, judges = np.indices(codes.shape).reshape(2, -1)
    table = pd.DataFrame({"task": items, "worker": judges, "label": codes.ravel()})
    theirs = peer.ZeroBasedSkill().fit(table).skills_.sort_index()
    found = zero_based_skill(votes)
    assert found.status is Status.OK
    np.testing.assert_allclose(found.parameters["weight"], theirs, atol=1e-12)


def test_it_starts_as_wawa_and_says_when_it_was_stopped():
    votes = crowd([0.8, 0.6, 0.5, 0.45], 3, 60, seed=4)
    once = zero_based_skill(votes, max_iter=1)
    np.testing.assert_allclose(once.parameters["weight"], wawa(votes).parameters["weight"])
    assert once.status is Status.NOT_CONVERGED
    assert "The weighing was stopped before it settled." in once.message


def test_without_a_majority_it_refuses_and_settings_are_checked():
    tied = zero_based_skill(Sketch.from_counts({"ab": 3, "ba": 4}))
    assert tied.status is Status.NOT_IDENTIFIABLE
    assert "must see some item with a majority" in tied.message
    with pytest.raises(DataError, match="smoothing must be"):
        zero_based_skill(Sketch.from_counts({"ab": 3}), smoothing=-1)
