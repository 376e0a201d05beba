"""Suspecting the answer key: the sentence of paper 003, section IV, with both certificates."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.logic.questions.watch import agreement_rate, half_votes, suspect_key
from algeval.result import Status

F = Fraction


def test_mt_bench_summaries(mt_summary):
    found = suspect_key(mt_summary)
    assert found.message == (
        "The ground truth established by these 2 experts is logically consistent with them all "
        "being 66.7% (2/3) or more correct on all labels, and with no higher level."
    )
    assert (found.level, found.ceiling, found.exact) == (F(2, 3), F(2, 3), True)
    assert found.agreement is None
    assert found.status is Status.OK
    for certificate in (found.threshold.witness, found.threshold.refutation):
        assert ae.verify(certificate, mt_summary).ok


def test_percentages_are_rounded_as_everywhere_and_the_fraction_is_the_claim():
    # 66.7% read as 667/1000 would be a false claim: an alarm at 0.667 goes off, one at 2/3 does not.
    sketch = ae.Sketch.from_counts({"ab": 1, "aa": 2}, labels=["a", "b"])
    found = suspect_key(sketch)
    assert found.level == F(2, 3)
    assert "66.7% (2/3)" in found.message
    assert ae.alarm(sketch, "0.667").triggered
    assert not ae.alarm(sketch, "2/3").triggered


def test_table_as_printed_at_full_order():
    votes = ae.example("mt-bench").select(judges=["authors", "gpt4"])
    found = suspect_key(votes)
    assert (found.order, found.level, found.exact) == ("full", F(5, 8), True)
    assert found.agreement == F(14, 25)  # counted by hand in Table I
    assert found.experts == ("authors", "gpt4")
    assert ae.verify(found.threshold.witness, votes.sketch()).ok
    assert ae.verify(found.threshold.refutation, votes.sketch()).ok
    assert "56.0% (14/25)" in found.summary()
    assert suspect_key(votes, order=1).level == F(2, 3)


def test_table_as_printed_agreement_by_hand():
    votes = ae.example("mt-bench")
    rows = votes.codes.tolist()
    pairs = [(r[i], r[j]) for r in rows for i, j in combinations(range(3), 2)]
    assert agreement_rate(votes.sketch()) == F(sum(a == b for a, b in pairs), len(pairs))


def test_experts_are_chosen_and_the_key_is_never_read():
    votes = ae.Votes.from_columns(
        {"x": list("aabb"), "y": list("aabb"), "z": list("bbaa")}, key=list("bbbb")
    )
    assert suspect_key(votes, ["x", "y"]).level == 1
    assert "nothing they answered contradicts it" in suspect_key(votes, ["x", "y"]).message
    assert suspect_key(votes, ["x", "z"]).level == F(1, 2)
    assert suspect_key(votes.sketch(), ["x", "z"]).level == F(1, 2)
    assert suspect_key(votes.summary(), ["x", "z"]).level == 1
    assert suspect_key(votes.keyed_sketch(), ["x", "z"]).level == F(1, 2)
    assert suspect_key(votes, ["x"]).message.startswith(
        "The ground truth established by this expert"
    )


def test_wrong_input_and_impossible_keys():
    summary = ae.Summary.from_counts({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    with pytest.raises(ae.DataError, match=r"judges must be a list of names; got 'x'"):
        suspect_key(summary, "x")
    with pytest.raises(ae.DataError, match="judge 'w' is not known"):
        suspect_key(summary, ["w"])
    two = suspect_key(summary, require_labels=True)
    assert two.status is Status.INCONSISTENT
    assert two.message.startswith("No answer key is of the kind asked for")


def test_an_open_bracket_is_said_to_be_open():
    codes = dict.fromkeys(("aaabbb", "abbaab", "bababa", "bbabaa", "aaaaaa", "bbbbbb"), 37)
    found = suspect_key(ae.Sketch.from_counts(codes), time_limit=0)
    if not found.exact:
        assert found.status in (Status.TIME_LIMIT, Status.UNDETERMINED)
        assert "is not settled" in found.message
    assert found.level <= found.ceiling


def test_no_pair_ever_answered_together():
    sketch = ae.Sketch.from_counts({"a.": 1, ".a": 1}, labels=["a", "b"])
    assert agreement_rate(sketch) is None


# Half votes (appendix B)


def test_the_papers_example_and_ties():
    decided = half_votes(
        {
            "prefers a": ["a", "tie"],
            "cancels": ["a", "b"],
            "all tie": ["tie", "tie"],
            "mixed": ["a", "b", "tie"],
            "nobody": [None],
            "majority": ["b", "b", "a", "tie"],
        }
    )
    assert decided.decisions == ("a", "tie", "tie", "tie", None, "b")
    assert decided.weights[0] == (F(3, 2), F(1, 2))
    assert decided.weights[3] == (F(3, 2), F(3, 2))
    assert decided.weights[5] == (F(3, 2), F(5, 2))
    assert decided.counts == {"a": 1, "b": 1, "tie": 3}
    assert decided.ties == ("cancels", "all tie", "mixed")
    assert decided.split == ("cancels", "mixed")
    assert decided.undecided == ("nobody",)
    assert decided.status is Status.UNDETERMINED
    assert decided.message == (
        "Half votes decide 5 items: 1 a, 1 b, 3 tie. Nobody voted on 1 more."
    )


def test_votes_records_and_groups_agree():
    groups = {"q1": ["x", "draw", None], "q2": ["y", "x", "y"]}
    records = [(i, n, v) for i, vs in groups.items() for n, v in enumerate(vs)]
    votes = ae.Votes.from_records(records, labels=["x", "y", "draw"])
    for data in (groups, records, votes, iter(records)):
        decided = half_votes(data, tie="draw", labels=("x", "y"))
        assert decided.decisions == ("x", "y")
        assert decided.status is Status.OK
    joined = decided.to_votes("experts")
    assert joined.judges == ("experts",)
    assert joined.labels == ("x", "y", "draw")
    assert ae.Votes.from_records(decided.records("experts")).codes.tolist() == [[0], [1]]


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(["a", "b", "tie"]), min_size=1, max_size=7))
def test_half_votes_are_the_majority_of_sides(group):
    decided = half_votes({"q": group})
    a, b = group.count("a"), group.count("b")
    assert decided.decisions == ("a" if a > b else "b" if b > a else "tie",)
    assert sum(decided.weights[0]) == len(group)
    swapped = half_votes({"q": [{"a": "b", "b": "a"}.get(v, v) for v in group]})
    assert swapped.weights[0] == decided.weights[0][::-1]


@pytest.mark.parametrize(
    ("votes", "options", "message"),
    [
        ({"q": ["c"]}, {}, r"every vote must be one of \['a', 'b', 'tie'\] or None; got 'c'"),
        ({"q": "ab"}, {}, "the votes of an item must be a list; got 'ab'"),
        ([("q", "x", "a"), ("q", "x", "a")], {}, "an expert must vote once on an item"),
        ({}, {"labels": "ab"}, "labels must name two sides"),
        ({}, {"labels": ("a", "tie")}, "neither of them the tie"),
        ({}, {"labels": ("a", "b", "c")}, "labels must name two sides"),
    ],
)
def test_half_votes_refuse(votes, options, message):
    with pytest.raises(ae.DataError, match=message):
        half_votes(votes, **options)


def test_json():
    decided = half_votes({"q": ["a", "tie"]}).to_dict()
    assert decided["schema"] == "algeval.half_votes/1"
    assert decided["weights"] == [["3/2", "1/2"]]
    found = suspect_key(ae.Summary.from_counts({"x": {"a": 1, "b": 1}})).to_dict()
    assert found["level"] == "1"
    assert found["threshold"]["schema"] == "algeval.threshold/1"
