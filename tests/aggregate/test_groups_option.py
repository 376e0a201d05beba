"""Near copies counted as one judge: `aggregate(..., groups=...)`."""

import numpy as np
import pytest

from algeval.aggregate import aggregate, judge_groups
from algeval.aggregate.checks.quality import score
from algeval.data import Scores, Votes
from algeval.errors import DataError
from algeval.io import read_votes


def with_copies(seed=0, n_items=400):
    """One judge of 65% three times over with 3% noise, and two of 92%."""
    rng = np.random.default_rng(seed)
    key = rng.integers(2, size=n_items)
    poor = np.where(rng.random(n_items) < 0.65, key, 1 - key)
    copies = [np.where(rng.random(n_items) < 0.97, poor, 1 - poor) for _ in range(3)]
    good = [np.where(rng.random(n_items) < 0.92, key, 1 - key) for _ in range(2)]
    codes = np.stack([*copies, *good], axis=1).astype(np.int16)
    names = ["c1", "c2", "c3", "g1", "g2"]
    return Votes(range(n_items), names, ["n", "y"], ["n", "y"], codes, key.astype(np.int16))


def test_copies_mislead_and_one_of_each_does_not():
    votes = with_copies()
    plain, each, shared = (aggregate(votes, groups=g) for g in (None, "one-each", "weights"))
    assert score(plain, votes).accuracy < 0.75
    assert score(each, votes).accuracy >= 0.9
    assert score(shared, votes).accuracy >= 0.9
    assert len(each.judges) == 3
    assert "Near copies: c1, c2, c3; left out" in each.warnings[0]
    assert shared.settings["judge_weights"] == [1 / 3] * 3 + [1, 1]
    assert each.parameters["groups"] == [["c1", "c2", "c3"]]
    assert len(each.item_labels) == votes.n_items


def test_the_clones_of_a_newcomer(real_votes):
    votes = read_votes(real_votes.parent / "newcomer" / "clones.csv", item="item", key="gold")
    assert judge_groups(votes).groups[0] == ("c1", "c2", "c3")
    for method in ("recommended", "dawid-skene"):
        assert score(aggregate(votes, method, groups="one-each"), votes).accuracy >= 0.9


def test_without_copies_nothing_changes_and_it_is_said():
    votes = with_copies().select(judges=["c1", "g1", "g2"])
    plain, each = aggregate(votes), aggregate(votes, groups="one-each")
    assert np.array_equal(plain.posterior, each.posterior)
    assert each.warnings[0] == "No judges are near copies."


def test_refusals():
    votes = with_copies()
    with pytest.raises(DataError, match="groups must be one of"):
        aggregate(votes, groups="none")
    with pytest.raises(DataError, match="groups='weights' must be used with one of"):
        aggregate(votes, "dawid-skene", groups="weights")
    scores = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 3, 2, 4], "k": [0, 1, 1, 2]})
    with pytest.raises(DataError, match="groups are found in votes"):
        aggregate(scores, groups="one-each")
