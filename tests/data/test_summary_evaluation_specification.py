from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Condition, Evaluation, Specification, Summary
from algeval.errors import DataError
from algeval.result import Quadratic


def test_summary_by_hand(mt_summary):
    assert mt_summary.labels == ("a", "b", "tie")
    assert mt_summary.counts.tolist() == [[5, 10, 10], [4, 18, 3]]
    assert mt_summary.n_items == 25
    assert mt_summary.complete
    assert Summary.from_dict(mt_summary.to_dict()) == mt_summary
    assert mt_summary.select(["gpt4"]).counts.tolist() == [[4, 18, 3]]


def test_summary_with_missing_answers_needs_n_items():
    counts = {"i": {"a": 2, "b": 1}, "j": {"a": 2}}
    with pytest.raises(DataError, match="n_items must be given"):
        Summary.from_counts(counts)
    s = Summary.from_counts(counts, n_items=4)
    assert s.missing.tolist() == [1, 2]
    assert not s.complete
    with pytest.raises(DataError, match="at most n_items = 2 answers; got 3"):
        Summary.from_counts(counts, n_items=2)


def test_evaluation_of_exact_and_quadratic_numbers():
    root = Quadratic.make(Fraction(1, 2), Fraction(1, 10), 2)
    rest = 1 - root
    e = Evaluation(
        ("i",),
        ("a", "b"),
        ("a", "b"),
        np.array([rest, root]),
        np.array([[[root, rest], [rest, root]]]),
    )
    assert e.exact
    assert e.accuracy("i", "b") == root
    assert e.grade("i") == rest * root + root * root
    again = Evaluation.from_dict(e.to_dict())
    assert again.prevalence.tolist() == e.prevalence.tolist()
    assert again.accuracy("i", "a") == root
    assert e.to_floats().prevalence_of("b") == pytest.approx(0.5 + 0.1 * 2**0.5, abs=1e-15)


def test_evaluation_unseen_label_is_none_then_nan():
    e = Evaluation.from_counts(["i"], ["a", "b"], ["a", "b"], [2, 0], [[[1, 1], [0, 0]]])
    assert e.accuracy("i", "b") is None
    assert e.grade("i") == Fraction(1, 2)
    assert e.coverage is None
    floats = Evaluation.from_dict(e.to_floats().to_dict())
    assert floats.accuracy("i", "b") is None
    assert floats.grade("i") == 0.5


def test_evaluation_shape_is_checked():
    with pytest.raises(DataError, match=r"prevalence must have shape \(2,\); got \(1,\)"):
        Evaluation(("i",), ("a", "b"), ("a", "b"), np.array([1.0]), np.ones((1, 2, 2)))


def test_specification_levels_and_words():
    spec = Specification.of(0.6)
    assert spec.level == (Fraction(3, 5), False)
    assert spec.short() == "every judge at least 60.0% (3/5) accurate on every label"
    strict = Specification.at_least("2/3", strict=True)
    assert strict.level == (Fraction(2, 3), True)
    both = spec & Specification.prevalence("tie", "<=", "40%")
    assert both.level is None
    assert both.describe().endswith("and prevalence of label 'tie' <= 2/5")
    assert Specification.from_dict(both.by_at_least(2).to_dict()) == both.by_at_least(2)
    assert Specification.of(spec, require_labels=True).conditions[1].describe() == (
        "prevalence of every label > 0"
    )


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Specification.of(60), r"level must lie in \[0, 1\]; got 60"),
        (lambda: Specification.of("0.6x"), "must be conditions; got '0.6x'"),
        (lambda: Specification.of(float("nan")), "must be a finite number"),
        (lambda: Specification.of("1/0"), "must be a finite number"),
        (lambda: Specification.of(True), "must be a number; got True"),
        (lambda: Specification(()), "at least one condition"),
        (lambda: Condition("f1", ">=", 0.5), "quantity must be one of"),
        (lambda: Condition("accuracy", "=", 0.5), "sense must be one of"),
        (lambda: Condition("grade", ">=", 0.5, label="a"), "must not name a label"),
        (lambda: Condition("prevalence", ">=", 0.5, judge="i"), "must not name a judge"),
        (lambda: Specification.of(0.5).by_at_least(0), "at least 1; got 0"),
        (
            lambda: Specification.of(0.5).by_at_least(3).check_names("ij", "ab"),
            "at most the number",
        ),
        (
            lambda: Specification.accuracy(">=", 1, judge="k").check_names("ij", "ab"),
            "judge 'k' is not",
        ),
    ],
)
def test_bad_specifications_get_one_sentence(build, message):
    with pytest.raises(DataError, match=message):
        build()
