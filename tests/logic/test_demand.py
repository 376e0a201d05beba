"""Arguments mean one thing in every question, and former names still work, with a warning."""

import inspect

import pytest

import algeval as ae
from algeval.errors import DataError

VOTES = ae.Sketch.from_counts({"aa": 6, "bb": 3, "ab": 1}, judges=["first", "second"])
SPEC = ae.Specification.at_least(0.6)


def test_the_standard_is_at_least_everywhere():
    for question in (ae.alarm, ae.panel, ae.bounds, ae.check, ae.logic.if_others, ae.Monitor):
        assert "at_least" in inspect.signature(question).parameters, question


def test_the_key_counts_are_key_counts_everywhere():
    for question in (
        ae.threshold,
        ae.bounds,
        ae.evaluations,
        ae.logic.members,
        ae.count_consistent,
    ):
        assert "key_counts" in inspect.signature(question).parameters, question


@pytest.mark.parametrize("question", [ae.alarm, ae.check])
def test_the_former_name_of_the_standard_works_and_warns(question):
    with pytest.warns(DeprecationWarning, match="at_least="):
        old = question(VOTES, specification=SPEC)
    assert old.to_dict() == question(VOTES, SPEC).to_dict()


def test_the_former_name_works_in_a_monitor():
    names = {"judges": VOTES.judges, "labels": VOTES.labels}
    with pytest.warns(DeprecationWarning, match="at_least="):
        old = ae.Monitor(specification=SPEC, **names)
    assert old.specification == ae.Monitor(SPEC, **names).specification


def test_a_standard_must_be_given():
    with pytest.raises(DataError, match="at_least must be a number or conditions; got nothing"):
        ae.check(VOTES)
    with pytest.raises(DataError, match="at_least must be"):
        ae.Monitor(judges=["x"], labels=["a"])


def test_a_monitor_asks_with_a_limit_of_its_own_or_the_one_given():
    watch = ae.Monitor(SPEC, judges=VOTES.judges, labels=VOTES.labels)
    assert watch.time_limit is None
    watch.add(VOTES)
    assert watch.ask(time_limit=None).triggered is watch.alarm.triggered is False
