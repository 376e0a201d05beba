"""The monitor: cheap per item, and the same answer as from scratch."""

import copy
import json
import pickle
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.errors import DataError
from algeval.logic.questions.watch import Carried, Monitor


def streams(labels):
    row = st.tuples(*[st.sampled_from([*labels, *labels, None])] * 3)
    return st.lists(row, min_size=1, max_size=9)


def from_scratch(rows, labels, spec, **options):
    columns = {str(j): column for j, column in enumerate(zip(*rows, strict=True))}
    return ae.alarm(ae.Votes.from_columns(columns, labels=labels), spec, **options)


@pytest.mark.parametrize("labels", [list("ab"), list("abc")])
@pytest.mark.parametrize("missing", ["excluded", "wrong"])
@pytest.mark.parametrize("spec", ["accuracy >= 0.6", "accuracy > 1/2 and prevalence(a) <= 0.5"])
def test_order_1_is_settled_at_every_item(labels, missing, spec):
    @settings(derandomize=True, deadline=None, max_examples=15)
    @given(streams(labels))
    def run(rows):
        monitor = Monitor(spec, list("012"), labels, order=1, missing=missing)
        first = None
        for n in range(1, len(rows) + 1):
            scratch = from_scratch(rows[:n], labels, spec, order=1, missing=missing).triggered
            assert monitor.add([rows[n - 1]]) is scratch
            first = n if first is None and scratch else first
        assert monitor.first_at == first

    run()


@pytest.mark.parametrize("labels", [list("ab"), list("abc")])
@pytest.mark.parametrize("missing", ["excluded", "wrong"])
def test_full_order_never_contradicts_and_asking_settles(labels, missing):
    spec = "accuracy >= 2/3"

    @settings(derandomize=True, deadline=None, max_examples=10)
    @given(streams(labels))
    def run(rows):
        monitor = Monitor(spec, list("012"), labels, missing=missing, growth=3)
        for n, row in enumerate(rows, start=1):
            verdict = monitor.add([row])
            scratch = from_scratch(rows[:n], labels, spec, missing=missing).triggered
            assert verdict in (None, scratch)
            if n % 3 == 0:
                assert monitor.alarm.triggered is scratch
                assert monitor.triggered is scratch

    run()


@settings(derandomize=True, deadline=None, max_examples=10)
@given(streams(["a", "b"]))
def test_order_2_never_contradicts_and_asking_settles(rows):
    monitor = Monitor("accuracy >= 2/3", list("012"), ["a", "b"], order=2, growth=2)
    for n, row in enumerate(rows, start=1):
        verdict = monitor.add([row])
        scratch = from_scratch(rows[:n], ["a", "b"], "accuracy >= 2/3", order=2).triggered
        assert verdict in (None, scratch)
        if n % 4 == 0:
            assert monitor.alarm.triggered is scratch


def test_the_verdict_can_change_back_and_the_first_time_is_remembered():
    monitor = Monitor("accuracy >= 0.6", ["x", "y"], ["a", "b"])
    assert monitor.add([("a", "b")]) is True
    assert monitor.first_at == 1
    assert monitor.add([("a", "a")] * 2 + [("b", "b")] * 2) is False
    assert monitor.first_at == 1
    assert monitor.first_alarm.triggered
    assert ae.verify(monitor.first_alarm.certificate, monitor.first_sketch).ok
    assert ae.verify(monitor.alarm.certificate, monitor.sketch).ok


def test_no_verdict_before_min_items():
    monitor = Monitor("accuracy >= 0.6", ["x", "y"], ["a", "b"], min_items=4)
    assert monitor.add(["ab", "ba", "ab"]) is None
    assert monitor.alarm.triggered is True
    assert (monitor.triggered, monitor.first_at) == (None, None)
    assert monitor.add(["ba"]) is True
    assert monitor.first_at == 4


def test_every_kind_of_input_counts_the_same():
    votes = ae.Votes.from_columns({"y": ["a", "b", None], "x": ["b", "b", "no"]}, labels=["a", "b"])
    named = [{"x": "b", "y": "a"}, {"x": "b", "y": "b"}, {"x": "no"}]
    tuples = [("b", "a"), ["b", "b"], ("no", None)]
    sketches = []
    for part in (votes, votes.sketch(), named, tuples):
        monitor = Monitor("accuracy >= 0.6", ["x", "y"], ["a", "b"], answers=["a", "b", "no"])
        monitor.add(part)
        assert monitor.n_items == 3
        sketches.append(monitor.sketch)
    assert all(s == sketches[0] for s in sketches)
    assert sketches[0].to_counts() == {("b", "a"): 1, ("b", "b"): 1, ("no", None): 1}
    monitor.add({"x": "a", "y": "a"})
    monitor.add(ae.KeyedSketch.from_counts({"a": {"aa": 2}}, judges=["x", "y"], labels=["a", "b"]))
    assert monitor.n_items == 6


def test_text_rows_have_one_letter_per_judge():
    monitor = Monitor(0.6, ["x", "y"], ["a", "b"])
    monitor.add(["a.", "bb"])
    assert monitor.sketch.to_counts() == {("a", None): 1, ("b", "b"): 1}


def test_grades_and_panels_are_asked_from_scratch():
    grades = Monitor("grade >= 0.75", ["x", "y"], ["a", "b"], order=1, growth=2)
    assert [grades.add([row]) for row in ("ab", "ba", "aa", "bb")] == [True, False, None, False]
    few = Monitor("at least 2 judges accuracy >= 1", ["x", "y", "z"], ["a", "b"], growth=2)
    assert few.order == "full"
    assert few.add(["aab", "bbb"]) is False
    assert few.alarm.order == "full"


def test_bad_settings_are_refused_at_once():
    with pytest.raises(ae.DataError, match="judge 'w' is not known"):
        Monitor("accuracy(w) >= 0.6", ["x", "y"], ["a", "b"])
    with pytest.raises(ae.DataError, match="order must be one of"):
        Monitor(0.6, ["x", "y"], ["a", "b"], order=7)
    with pytest.raises(ae.DataError, match="missing must be one of"):
        Monitor(0.6, ["x", "y"], ["a", "b"], missing="maybe")
    for options in ({"growth": 1}, {"min_items": 0}):
        with pytest.raises(ae.DataError, match="min_items must be at least 1 and growth above 1"):
            Monitor(0.6, ["x", "y"], ["a", "b"], **options)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["abc"], r"a row must have one answer per judge \(2\)"),
        ([("a", "q")], "answer 'q' is not known"),
        ([{"z": "a"}], "judge 'z' is not known"),
        (ae.Sketch.from_counts({"ac": 1}, judges=["x", "y"]), "answer 'c' is not known"),
        (ae.Sketch.from_counts({"ab": 1}, judges=["x", "w"]), "judge 'y' is not known"),
    ],
)
def test_bad_rows(rows, message):
    monitor = Monitor(0.6, ["x", "y"], ["a", "b"])
    with pytest.raises(ae.DataError, match=message):
        monitor.add(rows)
    with pytest.raises(ae.DataError, match="an alarm must have at least one item"):
        monitor.alarm  # noqa: B018
    assert "0 items, open" in repr(monitor)


def test_the_carried_assignment_is_a_witness_when_it_holds():
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 3, (60, 4))
    carried = Carried(4, 3, excluded=True)
    for code in codes.tolist():
        carried.add(code, 1)
    assert sum(carried.key) == 60
    assert carried.held.sum() == (codes >= 0).sum()
    assert (carried.correct <= carried.held).all()
    cells = [[1, 0, 0] for _ in codes]
    carried.replace(codes.tolist(), cells)
    assert carried.key == [60, 0, 0]
    assert carried.correct[:, 0].tolist() == (codes == 0).sum(0).tolist()


def test_a_thousand_items_of_twenty_judges():
    rng = np.random.default_rng(0)
    key = rng.integers(0, 2, 1000)
    right = rng.random((1000, 20)) < rng.uniform(0.6, 0.9, 20)
    codes = np.where(right, key[:, None], 1 - key[:, None]).astype(np.int16)
    judges = [f"j{i}" for i in range(20)]
    votes = ae.Votes([str(i) for i in range(1000)], judges, ["0", "1"], ["0", "1"], codes)
    monitor = Monitor("accuracy >= 0.8", judges, votes.labels, min_items=50)
    start = time.process_time()
    monitor.add(votes)
    assert time.process_time() - start < 10
    assert monitor.first_at == 50
    assert monitor.alarm.triggered is ae.alarm(votes, 0.8).triggered


def test_an_item_nobody_answered_may_be_an_empty_mapping():
    named, listed = (Monitor("accuracy >= 0.8", judges=["x", "y"], labels=["a", "b"]) for _ in "12")
    assert [named.add({}), named.add({"x": "a", "y": "b"})] == [
        listed.add([[None, None]]),
        listed.add([["a", "b"]]),
    ]
    assert named.sketch == listed.sketch
    assert named.n_items == 2


def test_a_monitor_goes_on_after_a_copy_and_a_pickle():
    first = Monitor("accuracy >= 0.8", judges=["x", "y"], labels=["a", "b"], min_items=4)
    for row in ("aa", "ab", "ba"):
        first.add([row])
    others = copy.deepcopy(first), pickle.loads(pickle.dumps(first))
    for one in (first, *others):
        assert [one.add([row]) for row in ("bb", "aa")] == [True, True]
        assert (one.first_at, one.n_items, one.alarm.triggered) == (4, 5, True)


def test_a_monitor_goes_on_from_its_json_as_if_it_had_never_stopped():
    rng = np.random.default_rng(3)
    rows = [
        [("ab"[k], None)[int(m)] for k, m in zip(r, rng.random(4) < 0.1, strict=True)]
        for r in rng.integers(0, 2, (60, 4))
    ]
    whole = Monitor("accuracy >= 0.7", list("wxyz"), list("ab"), min_items=5)
    parted = Monitor("accuracy >= 0.7", list("wxyz"), list("ab"), min_items=5)
    for k, row in enumerate(rows):
        if k % 7 == 3:
            parted = Monitor.from_dict(json.loads(json.dumps(parted.to_dict())))
        assert whole.add([row]) is parted.add([row])
    again = Monitor.from_dict(parted.to_dict())
    assert again == whole
    assert again.first_at == whole.first_at
    assert again.first_sketch == whole.first_sketch
    assert again.alarm.to_dict() == whole.alarm.to_dict()
    assert ae.verify(again.first_alarm.certificate, whole.first_sketch).ok


def test_a_broken_document_of_a_monitor_is_refused():
    saved = Monitor("accuracy >= 0.7", list("xy"), list("ab")).to_dict()
    with pytest.raises(DataError, match=r"must hold \['counts'\]"):
        Monitor.from_dict({name: saved[name] for name in saved if name != "counts"})
    with pytest.raises(DataError, match="a count for each tuple"):
        Monitor.from_dict(saved | {"counts": [1]})
    with pytest.raises(DataError, match="schema must be"):
        Monitor.from_dict(saved | {"schema": "algeval.sketch/1"})
