"""What logical results say of themselves, and certificates as JSON."""

import json

import pytest

from algeval.data import Sketch, Specification, Summary
from algeval.errors import DataError
from algeval.logic import Certificate, alarm, bounds, panel, threshold
from algeval.logic.exam import read_exam
from algeval.verify import verify

DATA = Summary.from_counts({"x": {"a": 9, "b": 1}, "y": {"a": 2, "b": 6}}, n_items=10)


def test_every_result_is_json_and_text():
    for result in (alarm(DATA), threshold(DATA), panel(DATA), bounds(DATA)):
        document = json.loads(json.dumps(result.to_dict()))
        assert document["schema"].startswith("algeval.")
        assert document["order"] == result.order
        assert document["missing_counts"] == [0, 2]
        assert result.meaning in result.summary()
        assert "2 missing answers, counted as excluded" in result.summary()
        assert result.n_judges == 2
        assert "<table>" in result._repr_html_()
        with pytest.raises(AttributeError):
            result.status = None


def test_a_certificate_survives_json_and_verifies():
    certificate = alarm(DATA, 0.9).certificate
    again = Certificate.from_dict(json.loads(json.dumps(certificate.to_dict())))
    assert again.to_dict() == certificate.to_dict()
    assert verify(again, DATA).ok
    assert again.specification.to_dict() == Specification.at_least(0.9).to_dict()
    assert again.verdict == "impossible"
    assert "cannot meet" in again.describe()
    assert "impossible" in repr(again)


def test_a_changed_claim_or_other_data_do_not_verify():
    document = alarm(DATA, 0.9).certificate.to_dict()
    other = Summary.from_counts({"x": {"a": 9, "b": 1}, "y": {"a": 3, "b": 5}}, n_items=10)
    assert not verify(document, other).ok
    document["claim"]["specification"]["conditions"][0]["value"] = "1/10"
    assert not verify(document, DATA).ok


def test_a_claim_about_a_summary_holds_for_any_sketch_with_it():
    sketch = Sketch.from_counts({"ab": 4, "ba": 1, "aa": 5})
    result = threshold(sketch.summary(), order=1)
    assert verify(result.witness, sketch).ok


def test_only_a_witness_with_tables_is_an_evaluation():
    certificate = alarm(DATA, 0.9).certificate
    with pytest.raises(DataError, match="only a witness with tables"):
        certificate.evaluation(DATA.judges, DATA.labels, DATA.answers)


def test_the_exam_reads_votes_sketches_and_summaries_alike():
    sketch = Sketch.from_counts({"ab": 4, "b.": 1})
    first, second = read_exam(sketch), read_exam(sketch.summary())
    assert first.counts == second.counts == ((4, 1), (0, 4))
    assert first.missing == (0, 1)
    assert first.excused == (0, 1)
    assert read_exam(sketch, "wrong").excused == (0, 0)
    assert first.digest == sketch.digest
    assert second.digest == sketch.summary().digest


def test_a_range_by_name():
    found = bounds(DATA)
    assert found.prevalence_of("a") == (0, 1)
    assert found.grade_of("y") == (0, 1)
    with pytest.raises(DataError, match="label 'c' is not known"):
        found.accuracy_of("x", "c")


def test_what_silence_says_of_agreeing_judges_is_so():
    """Judges who agree on a label are all right by some key; on an answer that is no label, by none."""
    agreeing = Sketch.from_counts({"aaa": 3, "bbb": 4})
    found = alarm(agreeing, 1)
    assert found.triggered is False
    assert "answer with labels only are always right by some answer key" in found.meaning
    refusing = Sketch(["x", "y"], ["a", "b"], ["a", "b", "refused"], [[2, 2], [0, 0]], [4, 1])
    assert alarm(refusing, 1).triggered is True
    assert threshold(refusing, require_labels=True).upper == 0
