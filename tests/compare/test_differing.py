"""Where the majority and a model differ, counted by hand and by brute force."""

import json
from fractions import Fraction as F

import numpy as np
import pytest

import algeval as ae
from algeval.compare import Disagreement, Side, disagreement
from algeval.errors import DataError
from algeval.result import Status

JUDGES = ["c1", "c2", "c3", "g1", "g2"]


def clones():
    """Three copies of one judge beside two good ones: who is followed depends on the panel."""
    return ae.Sketch.from_counts(
        {"nnnnn": 40, "yyyyy": 40, "yyynn": 9, "nnnyy": 7, "yynnn": 3, "nnnyn": 4}, judges=JUDGES
    )


def one_each(sketch):
    return ae.aggregate(sketch.marginal(["c1", "g1", "g2"]), "majority")


def test_by_hand():
    found = disagreement(clones(), one_each(clones()))
    assert (found.n_items, found.n_differing, found.n_undecided) == (103, 16, 0)
    assert found.share == F(16, 103)
    largest = found.largest
    assert largest.n_items == 9
    copies = Side(
        label="y", judges=("c1", "c2", "c3"), errors=(9,) * 3, answered=(103,) * 3, together=9
    )
    assert largest.majority == copies
    assert largest.model.judges == ("g1", "g2")
    assert copies.at_most == (F(94, 103),) * 3
    assert found.summary().splitlines() == [
        "The majority and majority differ on 16 of 103 items (15.5%).",
        "Largest group, 9 items: c1, c2, c3 say y (the majority) and g1, g2 say n (the model).",
        "If the majority is right there, g1, g2 share 9 errors: each is right on at most 94 of 103; "
        "if the model is, c1, c2, c3 share 9 errors: each is right on at most 94 of 103.",
    ]


def test_counts_by_brute_force():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 3, (200, 6)).astype(np.int16)
    names = [f"j{k}" for k in range(6)], ["a", "b", "c"], ["a", "b", "c"]
    votes = ae.Votes([str(i) for i in range(200)], *names, codes)
    model = ae.aggregate(votes, "dawid-skene")
    found = disagreement(votes, model)
    majority = ae.aggregate(votes, "majority").item_labels
    pairs = list(zip(majority, model.item_labels, strict=True))
    differ = [i for i, (a, b) in enumerate(pairs) if a and b and a != b]
    assert found.n_differing == len(differ) == sum(g.n_items for g in found.groups)
    assert found.n_undecided == sum(not (a and b) for a, b in pairs)
    for pair in found.pairs:
        rows = [i for i in differ if pairs[i] == (pair.majority.label, pair.model.label)]
        assert pair.n_items == len(rows)
        for side in (pair.majority, pair.model):
            place = "abc".index(side.label)
            for judge, errors, answered in zip(
                side.judges, side.errors, side.answered, strict=True
            ):
                j = int(judge[1:])
                assert errors == int((codes[rows, j] == place).sum())
                assert answered == int((codes[:, j] >= 0).sum())
    assert [g.n_items for g in found.groups] == sorted(g.n_items for g in found.groups)[::-1]


def test_order_of_judges_and_labels_does_not_matter():
    sketch = clones()
    first = disagreement(sketch, one_each(sketch))
    turned = sketch.marginal(JUDGES[::-1])
    again = disagreement(turned, one_each(turned))
    assert {(g.n_items, frozenset(g.majority.judges)) for g in again.groups} == {
        (g.n_items, frozenset(g.majority.judges)) for g in first.groups
    }
    renamed = ae.Sketch(JUDGES, ["y", "n"], ["y", "n"], 1 - sketch.codes, sketch.counts)
    other = disagreement(renamed, one_each(renamed))
    assert other.summary() == first.summary()


def test_json_round_trip_and_the_default_model():
    found = disagreement(clones())
    assert found.method == "recommended"
    again = Disagreement.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.to_dict() == found.to_dict()
    assert again.summary() == found.summary()


def test_many_different_judges_fall_back_to_the_two_labels():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (60, 11)).astype(np.int16)
    names = [f"j{k}" for k in range(11)], ["a", "b"], ["a", "b"]
    sketch = ae.Sketch(*names, codes, np.ones(60, int))
    found = disagreement(sketch, ae.aggregate(sketch.marginal(["j0"]), "majority"))
    assert found.largest == found.pairs[0]
    assert "the errors are " in found.summary()
    assert "and 5 more" in found.summary() or "and 4 more" in found.summary()


def test_agreement_everywhere_and_no_model_at_all():
    sketch = ae.Sketch.from_counts({"aaa": 9, "bbb": 9, "aab": 2})
    same = disagreement(sketch, ae.aggregate(sketch, "majority"))
    assert (same.n_differing, same.largest, same.status) == (0, None, Status.OK)
    two = sketch.marginal(["1", "2"])
    none = disagreement(two, ae.aggregate(two, "dawid-skene"))
    assert none.status is Status.UNDETERMINED
    assert "cannot be compared" in none.summary()


def test_other_judges_are_refused():
    sketch = clones()
    other = ae.Sketch.from_counts({"nnn": 5, "yyy": 5, "nny": 1}, judges=["x", "y", "z"])
    with pytest.raises(DataError, match="result must be of judges and labels in data"):
        disagreement(sketch, ae.aggregate(other, "majority"))


def test_compare_and_report_say_where():
    found = ae.compare(clones(), ("majority", "dawid-skene"), intervals=5)
    assert found.disagreement.method == "dawid-skene"
    assert "The majority and dawid-skene differ on" in found.summary()
    assert "The majority and recommended differ on" in ae.report(clones(), intervals=0).summary()


def test_compare_shows_intervals_and_leaves_them_out():
    found = ae.compare(clones(), ("majority", "dawid-skene"), intervals=6)
    assert "In brackets: 95% intervals in percent if errors are independent, from" in found.note
    assert all("(" in cell for cell in found.rows()[0][2:])
    assert found["majority"].to_dict()["intervals"]["n"] == 6
    plain = ae.compare(clones(), ("majority",), intervals=0)
    assert plain["majority"].intervals is None
    assert "(" not in plain.rows()[0][2]
