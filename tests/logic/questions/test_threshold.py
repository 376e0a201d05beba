"""The threshold of order 1: the figures of paper 003 and cases worked by hand."""

from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Sketch, Specification, Summary, Votes
from algeval.errors import DataError, TooLargeError
from algeval.logic import count_keys_meeting, threshold
from algeval.logic.orders.order1 import compositions, count_between, fill, highest_level
from algeval.logic.questions.threshold import rounded_threshold
from algeval.result import percent
from algeval.verify import verify

MT_BENCH = Summary.from_counts(
    {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
)
WEB = Path(__file__).parents[3] / "../shared/data/web_votes.csv"


def proved(certificate, data):
    verdict = verify(certificate, data)
    assert verdict.ok, verdict.sentence


def test_mt_bench():
    """Two thirds, at one answer key only; paper 003 prints 45% and 46% (erratum)."""
    found = threshold(MT_BENCH)
    assert (found.lower, found.upper, found.exact) == (F(2, 3), F(2, 3), True)
    assert found.key_count == 1
    assert found.answer_keys == ((6, 15, 4),)
    assert found.witness.evidence["key_counts"] == [6, 15, 4]
    assert found.witness.evidence["tables"] == [
        [[5, 0, 0], [0, 10, 0], [1, 5, 4]],
        [[4, 0, 0], [2, 15, 1], [0, 0, 3]],
    ]
    proved(found.witness, MT_BENCH)
    assert found.refutation.kind == "cap"
    proved(found.refutation, MT_BENCH)
    assert found.evaluation.accuracy("gpt4", "a") == F(2, 3)


def test_five_elevenths_needs_one_grader_s_labels_permuted():
    permuted = Summary.from_counts(
        {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 18, "b": 3, "tie": 4}}
    )
    values = {threshold(permuted).lower, threshold(MT_BENCH).lower}
    assert F(2, 3) in values
    shuffles = [(4, 18, 3), (4, 3, 18), (18, 4, 3), (18, 3, 4), (3, 4, 18), (3, 18, 4)]
    found = set()
    for a, b, tie in shuffles:
        grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": a, "b": b, "tie": tie}}
        found.add(threshold(Summary.from_counts(grades)).lower)
    assert F(5, 11) in found


@pytest.mark.parametrize(("level", "count"), [("46%", 53), ("1/2", 27), ("3/5", 3)])
def test_how_many_answer_keys_allow_more(level, count):
    spec = Specification.at_least(level, strict=True)
    assert count_keys_meeting(MT_BENCH, spec) == count
    shares = [
        min(F(min(m, q), q) for m, q in zip((4, 10, 3), key, strict=True) if q)
        for key in compositions((0, 0, 0), (25, 25, 25), 25)
    ]
    assert len(shares) == 351
    assert (
        sum(share > Specification.at_least(level).conditions[0].value for share in shares) == count
    )


def test_a_fixed_answer_key():
    """At (8, 9, 8) three of eight ties can be right; the paper says about 25%."""
    found = threshold(MT_BENCH, key_counts=(8, 9, 8))
    assert found.lower == F(3, 8)
    assert found.answer_keys == ((8, 9, 8),)
    proved(found.witness, MT_BENCH)
    proved(found.refutation, MT_BENCH)


def test_swapped_answers_are_silent_at_order_one():
    data = Sketch.from_counts({"ab": 5, "ba": 5})
    found = threshold(data, order=1)
    assert found.lower == found.upper == 1
    assert found.refutation is None
    assert "always right" in found.message
    proved(found.witness, data)


def test_a_label_one_judge_never_uses():
    """It does not alarm by itself: the label may not occur. Required, it leaves nothing."""
    data = Summary.from_counts({"x": {"a": 5, "b": 5}, "y": {"a": 10, "b": 0}})
    assert threshold(data).lower == F(1, 2)
    required = threshold(data, require_labels=True)
    assert required.lower == 0
    proved(required.refutation, data)
    proved(required.witness, data)


def test_more_labels_than_items():
    data = Summary.from_counts({"x": {"a": 1, "b": 0}})
    found = threshold(data, require_labels=True)
    assert found.status.value == "inconsistent"
    assert not found.exact


def test_no_judge_ever_gives_a_label():
    data = Summary(["x"], ["a", "b"], ["a", "b", "none"], np.array([[0, 0, 6]]), 6)
    found = threshold(data)
    assert (found.lower, found.upper) == (0, 0)
    proved(found.refutation, data)
    assert threshold(Summary(["x"], ["a"], ["a"], np.array([[0]]), 6)).lower == 1
    assert threshold(Summary(["x"], ["a"], ["a"], np.array([[0]]), 6), missing="wrong").lower == 0


def test_missing_answers_under_both_rules():
    """x answered two of four items, a and b; y said a four times."""
    data = Votes.from_columns({"x": ["a", "b", None, None], "y": ["a", "a", "a", "a"]})
    excluded, wrong = threshold(data, order=1), threshold(data, order=1, missing="wrong")
    assert excluded.missing_counts == (2, 0)
    # the key is 3 a, 1 b or all a; x is held to its two answers: one wrong of two a at best
    assert excluded.lower == F(1, 2)
    assert wrong.lower == F(1, 4)
    for found in (excluded, wrong):
        proved(found.witness, data.sketch())
        proved(found.refutation, data.sketch())
    assert "counted as wrong" in wrong.summary()


def test_a_judge_without_answers_says_nothing():
    data = Votes.from_columns({"x": [None, None], "y": ["a", "b"]}, labels=["a", "b"])
    assert threshold(data, order=1).lower == 1


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=4),
    st.integers(1, 20),
)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_apportionment_is_the_nth_largest_quotient(pairs, n_items):
    most, high = [m for m, _ in pairs], [h for _, h in pairs]
    quotients = sorted((F(m, k) for m, h in pairs for k in range(1, h + 1) if m), reverse=True)
    expected = min(F(1), quotients[n_items - 1]) if len(quotients) >= n_items else F(0)
    assert highest_level(most, n_items, high) == expected


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4),
    st.integers(0, 12),
)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_compositions_are_counted_and_the_first_is_filled(ends, total):
    low, high = [min(e) for e in ends], [max(e) for e in ends]
    listed = list(compositions(low, high, total))
    assert count_between(low, high, total) == len(listed) == len(set(listed))
    assert all(sum(q) == total for q in listed)
    if listed:
        assert fill(low, high, total) == listed[0] == max(listed)


def test_a_million_items_and_fifty_judges():
    rng = np.random.default_rng(1)
    counts = rng.multinomial(10**6, np.ones(5) / 5, size=50)
    data = Summary(list(map(str, range(50))), list("abcde"), list("abcde"), counts, 10**6)
    found = threshold(data)
    assert found.exact
    proved(found.witness, data)
    proved(found.refutation, data)


@pytest.mark.skipif(not WEB.exists(), reason="the crowd data is not part of the project")
def test_sparse_votes_do_not_alarm_for_being_sparse():
    import csv

    with WEB.open(encoding="utf-8") as file:
        records = {(r["item"], r["worker"]): r["label"] for r in csv.DictReader(file)}
    votes = Votes.from_records((item, worker, label) for (item, worker), label in records.items())
    assert (votes.n_judges, votes.n_labels) == (177, 5)
    found = threshold(votes, order=1)
    assert found.lower == 1
    proved(found.witness, votes.sketch())


def test_messages_and_statuses():
    with pytest.raises(DataError, match="order must be one of"):
        threshold(MT_BENCH, order=7)
    with pytest.raises(DataError, match="missing must be one of"):
        threshold(MT_BENCH, missing="skip")
    with pytest.raises(DataError, match=r"data must be Votes, a Sketch, .* got int"):
        threshold(1)
    with pytest.raises(DataError, match="data must hold at least one item"):
        threshold(Summary(["x"], ["a"], ["a"], np.array([[0]]), 0))
    with pytest.raises(DataError, match="answer-key counts must hold"):
        threshold(MT_BENCH, key_counts=(1, 1, 1))
    with pytest.raises(DataError, match="leave the other conditions out"):
        count_keys_meeting(MT_BENCH, Specification.grade(">=", 0.5))
    sparse = Summary(["x"], list("abcd"), list("abcd"), np.array([[100, 90, 80, 70]]), 600)
    with pytest.raises(TooLargeError, match="one by one"):
        count_keys_meeting(sparse, 0.5)


def test_a_time_limit_of_nothing_leaves_a_bracket():
    rng = np.random.default_rng(0)
    counts = np.array([rng.multinomial(60, p) for p in rng.dirichlet(np.ones(5), size=6)])
    data = Summary(list("uvwxyz"), list("abcd"), list("abcd"), counts[:, :4], 60)
    found = threshold(data, time_limit=0.0)
    assert not found.exact
    assert found.status.value in ("time_limit", "inconsistent")


def test_a_number_of_answer_keys_that_is_not_certified_says_so():
    """A count is claimed as proved only with a certificate of just these keys."""
    few = threshold(MT_BENCH)
    assert few.keys is not None
    assert "(1 in all):" in few.details[0]
    alone = threshold(Summary.from_counts({"x": {"a": 40, "b": 50}}))  # one key of 91
    assert (alone.lower, alone.key_count) == (1, 1)
    opposed = [
        Summary.from_counts({"x": {"a": 0, "b": n}, "y": {"a": n, "b": 0}}) for n in (50, 600)
    ]
    many, more = map(threshold, opposed)
    assert many.key_count == 51  # nobody is right at any
    assert verify(many.keys, opposed[0]).ok
    assert len(many.keys.claim["keys"]) == 51 > len(many.answer_keys)
    assert more.key_count == 601
    assert more.keys is None
    assert "(601 in all, counted without a certificate):" in more.details[0]
    large = threshold(Sketch.from_counts({"aab": 300, "bba": 290, "abb": 77}, labels=["a", "b"]))
    assert large.key_count is None or large.keys is not None or "without" in large.details[0]


@pytest.mark.parametrize("n_items", [60, 400, 3000])
def test_a_threshold_for_a_line_of_text_brackets_the_threshold_and_is_proved(n_items):
    """Below 1,000 items it is the same; above, its ends are printed alike, or as far as work goes."""
    rng = np.random.default_rng(n_items)
    key = rng.integers(0, 2, n_items)
    columns = {
        f"j{k}": np.where(rng.random(n_items) < 0.7 + 0.05 * k, key, 1 - key).astype(str).tolist()
        for k in range(3)
    }
    sketch = Votes.from_columns(columns).sketch()
    full, short = threshold(sketch), rounded_threshold(sketch, "excluded", None)
    assert short.lower <= full.upper
    assert full.lower <= short.upper
    assert short.keys is None
    if n_items < 1000:
        assert (short.lower, short.upper) == (full.lower, full.upper)
    else:
        assert percent(short.lower) == percent(short.upper) == percent(full.upper)
    proved(short.witness, sketch)
    proved(short.refutation, sketch)
