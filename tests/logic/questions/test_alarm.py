"""The alarm: MT-Bench, every kind of specification, and what the verdict says of itself."""

from fractions import Fraction as F

import numpy as np
import pytest

from algeval.data import KeyedSketch, Sketch, Specification, Summary
from algeval.errors import DataError
from algeval.logic import alarm
from algeval.verify import verify

MT_BENCH = Summary.from_counts(
    {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
)


def proved(result, data):
    verdict = verify(result.certificate, data)
    assert verdict.ok, verdict.sentence


def test_mt_bench_at_66_and_67_percent():
    silent, loud = alarm(MT_BENCH, 0.66), alarm(MT_BENCH, 0.67)
    assert silent.triggered is False
    assert silent.certificate.kind == "witness"
    assert silent.witness.accuracy("gpt4", "a") == F(2, 3)
    assert loud.triggered is True
    assert loud.certificate.evidence == {"kind": "cap", "judges": ["gpt4", "authors", "gpt4"]}
    assert loud.witness is None
    for result in (silent, loud):
        proved(result, MT_BENCH)
        assert result.status.ok
        assert result.order == 1


def test_exactly_at_the_threshold_it_is_silent():
    assert alarm(MT_BENCH, "2/3").triggered is False
    strict = alarm(MT_BENCH, Specification.at_least("2/3", strict=True))
    assert strict.triggered is True
    proved(strict, MT_BENCH)


def test_what_the_verdict_does_not_mean():
    assert "Silence is no praise" in alarm(MT_BENCH, 0.1).meaning
    assert "does not say which judge" in alarm(MT_BENCH, 0.9).meaning
    assert alarm(MT_BENCH, 0.9).summary().startswith("Alarm: no answer key whatever")


@pytest.mark.parametrize(
    ("spec", "triggered"),
    [
        (Specification.accuracy(">=", 1, judge="gpt4"), False),
        (Specification.accuracy(">=", 1, label="a"), False),
        (Specification.at_least(0.5) & Specification.prevalence("tie", ">=", 0.3), True),
        (Specification.at_least(0.5) & Specification.prevalence("b", ">=", 0.5), False),
        (Specification.at_least(0.5) & Specification.prevalence("b", "<=", 0.2), True),
        (Specification.grade(">=", 1), True),
        (Specification.grade(">=", 0.7), False),
        (Specification.grade(">=", 1, judge="gpt4") & Specification.grade(">=", 0.7), True),
        (Specification.grade(">=", 1, judge="gpt4") & Specification.grade(">=", 0.68), False),
        (Specification.accuracy("<=", 0), False),
        (Specification.accuracy("<=", 0.2) & Specification.accuracy(">=", 0.3), True),
        (Specification.prevalence(None, ">", F(1, 3)), True),
        (Specification.at_least(0), False),
        (Specification.at_least(1, strict=True), True),
    ],
)
def test_specifications(spec, triggered):
    """gpt4 all right means q = (4, 18, 3), where the authors have 17 of 25 right at most."""
    result = alarm(MT_BENCH, spec)
    assert result.triggered is triggered
    proved(result, MT_BENCH)
    assert result.specification.to_dict() == spec.to_dict()


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_accuracy_from_above_with_missing_answers(rule):
    data = Summary.from_counts({"x": {"a": 6, "b": 0}, "y": {"a": 3, "b": 3}}, n_items=8)
    spec = Specification.accuracy("<=", 0.5) & Specification.grade(">=", 0.5, judge="x")
    result = alarm(data, spec, missing=rule)
    assert result.triggered is not None
    assert result.missing_rule == rule
    proved(result, data)


def test_at_least_some_of_the_judges():
    data = Summary.from_counts(
        {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    )
    one = alarm(data, Specification.at_least(1).by_at_least(1))
    two = alarm(data, Specification.at_least(1).by_at_least(2))
    assert (one.triggered, two.triggered) == (False, True)
    proved(one, data)
    proved(two, data)


def test_require_labels():
    data = Summary.from_counts({"x": {"a": 10, "b": 0}})
    assert alarm(data, 0.6).triggered is False
    required = alarm(data, 0.6, require_labels=True)
    assert required.triggered is True
    proved(required, data)


def test_a_key_is_never_read():
    keyed = KeyedSketch.from_counts({"a": {"ab": 3, "aa": 2}, "b": {"bb": 1}})
    swapped = KeyedSketch.from_counts({"b": {"ab": 3, "aa": 2}, "a": {"bb": 1}}, labels=["a", "b"])
    first, second = alarm(keyed, 0.9, order=1), alarm(swapped, 0.9, order=1)
    assert first.triggered == second.triggered
    assert first.certificate.to_dict() == second.certificate.to_dict()
    proved(first, keyed)


def test_relabelling_and_reordering_change_nothing():
    rng = np.random.default_rng(3)
    for _ in range(20):
        counts = rng.multinomial(30, rng.dirichlet(np.ones(3)), size=3)
        data = Summary(["x", "y", "z"], list("abc"), list("abc"), counts, 30)
        turned = Summary(
            ["z", "x", "y"], list("abc"), list("abc"), counts[[2, 0, 1]][:, [1, 2, 0]], 30
        )
        assert alarm(data, 0.6).triggered == alarm(turned, 0.6).triggered


def test_the_result_as_json():
    document = alarm(MT_BENCH, 0.67).to_dict()
    assert document["schema"] == "algeval.alarm/1"
    assert document["certificate"]["schema"] == "algeval.certificate/1"
    assert document["triggered"] is True


def test_messages():
    with pytest.raises(DataError, match="order must be one of"):
        alarm(MT_BENCH, order="half")
    with pytest.raises(DataError, match="label 'draw' is not known"):
        alarm(MT_BENCH, Specification.accuracy(">=", 0.5, label="draw"))
    with pytest.raises(DataError, match=r"the level must lie in \[0, 1\]"):
        alarm(MT_BENCH, 60)
    with pytest.raises(DataError, match="data must hold at least one item"):
        alarm(Sketch.from_counts({"ab": 0}, labels=["a", "b"]))
