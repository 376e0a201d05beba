"""The check for pipelines: silence returns, impossibility raises an AssertionError."""

from importlib import import_module

import pytest

import algeval as ae
from algeval.errors import ImpossibleError
from algeval.logic.questions.alarm import check
from algeval.result import Status


def test_silence_returns_the_alarm(mt_summary):
    silent = check(mt_summary, "accuracy >= 2/3")
    assert silent.triggered is False
    assert ae.verify(silent.certificate, mt_summary).ok


def test_impossibility_raises_one_sentence_with_its_proof(mt_summary):
    with pytest.raises(ImpossibleError) as caught:
        check(mt_summary, "accuracy >= 0.67")
    assert str(caught.value) == (
        "Alarm: no answer key whatever allows this: every judge at least 67.0% (67/100) accurate on "
        "every label (order 1)."
    )
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, ae.AlgevalError)
    assert ae.verify(caught.value.alarm.certificate, mt_summary).ok


def test_orders_rules_and_labels():
    swapped = ae.Sketch.from_counts({"ab": 5, "ba": 5})
    assert check(swapped, 1, order=1).order == 1
    with pytest.raises(ImpossibleError, match="full order"):
        check(swapped, 1)
    gaps = ae.Sketch.from_counts({"aa": 2, "b.": 2}, labels=["a", "b"])
    assert check(gaps, 1).missing_rule == "excluded"
    with pytest.raises(ImpossibleError):
        check(gaps, 1, missing="wrong")
    never_b = ae.Summary.from_counts({"x": {"a": 2, "b": 0}})
    assert not check(never_b, "0.6").triggered
    with pytest.raises(ImpossibleError):
        check(never_b, "0.6", require_labels=True)


def test_a_guard_does_not_pass_what_it_could_not_check(monkeypatch, mt_summary):
    module = import_module("algeval.logic.questions.alarm")
    silent = check(mt_summary, "0.5")

    class Open:
        triggered = None

        def raise_for_status(self):
            raise ae.NotSolvedError("open")

    assert silent.status is Status.OK
    monkeypatch.setattr(module.alarm, "core", lambda *_, **__: Open())
    with pytest.raises(ae.NotSolvedError):
        check(mt_summary, "0.5")


def test_wrong_input_is_no_assertion_error(mt_summary):
    with pytest.raises(ae.DataError):
        check(mt_summary, "accuracy >= 7")
