from fractions import Fraction as F

import numpy as np
import pytest

from algeval.algebra import by_group, decode
from algeval.data import Evaluation, Votes
from algeval.errors import DataError
from algeval.models.independent import exact_exam


def exam(p, accuracies):
    """Votes of an exactly independent exam, with their key."""
    tables = np.array([[[x, 1 - x], [1 - y, y]] for x, y in accuracies])
    law = Evaluation(("i", "j", "k"), ("a", "b"), ("a", "b"), np.array([p, 1 - p]), tables)
    keyed = exact_exam(law)
    codes = np.repeat(np.repeat(keyed.sketch.codes, 2, 0), keyed.keyed.ravel(), 0)
    key = np.repeat(np.tile([0, 1], len(keyed.keyed)), keyed.keyed.ravel())
    return law, codes, key


LAWS = [
    exam(F(1, 2), [(F(3, 4), F(2, 3)), (F(2, 3), F(3, 4)), (F(3, 4), F(3, 4))]),
    exam(F(1, 3), [(F(1, 2), F(3, 4)), (F(3, 4), F(2, 3)), (F(2, 3), F(2, 3))]),
]
CODES = np.concatenate([codes for _, codes, _ in LAWS])
KEY = np.concatenate([key for _, _, key in LAWS])
NAMES = ["x"] * len(LAWS[0][1]) + ["y"] * len(LAWS[1][1])
VOTES = Votes(range(len(CODES)), ("i", "j", "k"), ("a", "b"), ("a", "b"), CODES, KEY)


def test_each_slice_gives_its_own_planted_evaluation_back():
    found = by_group(VOTES, NAMES)
    for name, (law, codes, _) in zip("xy", LAWS, strict=True):
        group = found[name]
        assert group.status.ok
        assert group.n_items == len(codes)
        assert group.decoding.best.prevalence.tolist() == law.prevalence.tolist()
        assert group.decoding.best.confusion.tolist() == law.confusion.tolist()
        assert group.truth.confusion.tolist() == law.confusion.tolist()
    assert not decode(VOTES).status.ok, "the mixture of the two slices is not independent"


def test_errors_are_counted_item_by_item():
    found = by_group(VOTES, NAMES)
    for name, group in zip("xy", found.groups, strict=True):
        rows = [row for row, g in enumerate(NAMES) if g == name]
        votes = (CODES[rows] == 0).sum(1) >= 2
        expected = int((np.where(votes, 0, 1) != KEY[rows]).sum())
        assert group.majority_errors == expected
        assert group.errors <= group.majority_errors


def test_a_mapping_may_leave_items_out_and_the_key_changes_nothing():
    some = {str(row): "x" for row in range(len(LAWS[0][1]))}
    found = by_group(VOTES.without_key(), some)
    assert found.n_ungrouped == len(LAWS[1][1])
    assert [g.group for g in found.groups] == ["x"]
    assert found["x"].errors is None
    with_key = by_group(VOTES, some)["x"]
    assert found["x"].decoding.to_dict() == with_key.decoding.to_dict()
    assert "items without a group" in found.summary()


def test_bad_groups_get_one_sentence():
    with pytest.raises(DataError, match="one entry per item"):
        by_group(VOTES, ["x"])
    with pytest.raises(DataError, match="at least one item a group"):
        by_group(VOTES, {"nobody": "x"})
    with pytest.raises(DataError, match="group 'z' is not known"):
        by_group(VOTES, NAMES)["z"]


def test_one_slice_whose_decoding_gives_an_answer_no_chance_lost_all_slices():
    bad = [[1, 1, 0], [1, 1, 1], [-1, 0, 0], [-1, 0, 0], [1, 0, -1], [1, 1, -1], [0, 0, 1]]
    codes = np.concatenate([np.array(bad, np.int16), LAWS[0][1].astype(np.int16)])
    names = ("i", "j", "k")
    votes = Votes(range(len(codes)), names, ("a", "b"), ("a", "b"), codes)
    found = by_group(votes, ["bad"] * len(bad) + ["good"] * (len(codes) - len(bad)))
    assert found["bad"].decoding.best is not None
    assert found["bad"].independent is None
    assert found["good"].independent is not None
    assert "good" in found.summary()
