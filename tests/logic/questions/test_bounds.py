"""Bounds: hand-worked ranges, and every range against enumeration."""

import importlib.util
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Specification, Summary
from algeval.errors import DataError
from algeval.logic.questions.bounds import bounds

_spec = importlib.util.spec_from_file_location("brute", Path(__file__).parents[1] / "brute.py")
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

SETTINGS = settings(derandomize=True, deadline=None, max_examples=30)


def table(rows, labels, n_items):
    names = list("abcdef"[: len(rows[0])])
    judges = [f"j{i}" for i in range(len(rows))]
    return Summary(judges, names[:labels], names, np.array(rows), n_items)


def ranges(summary, rule, meets, keys_allowed):
    """Every quantity's least and greatest value, by enumeration."""
    labels = summary.n_labels
    seen = {}

    def note(name, value):
        low, high = seen.get(name, (value, value))
        seen[name] = (min(low, value), max(high, value))

    for key in keys_allowed:
        per_judge = [
            [o for o in brute.outcomes(row, labels, key, left, rule) if meets(*o)]
            for row, left in brute.judges(summary)
        ]
        if not all(per_judge):
            continue
        for t in range(labels):
            note(("prevalence", t), F(key[t], summary.n_items))
        for i, outcomes in enumerate(per_judge):
            for correct, held in outcomes:
                if sum(held):
                    note(("grade", i), F(sum(correct), sum(held)))
                for t in range(labels):
                    if held[t]:
                        note(("accuracy", i, t), F(correct[t], held[t]))
    return seen


def found_ranges(result):
    seen = {}
    for t, label in enumerate(result.labels):
        seen["prevalence", t] = result.prevalence_of(label)
    for i, judge in enumerate(result.judges):
        seen["grade", i] = result.grade_of(judge)
        for t, label in enumerate(result.labels):
            seen["accuracy", i, t] = result.accuracy_of(judge, label)
    return {name: value for name, value in seen.items() if value is not None}


@st.composite
def exams(draw, most=5):
    labels = draw(st.sampled_from([1, 2, 2, 3]))
    n_items = draw(st.integers(1, most if labels < 3 else 4))
    width = labels + draw(st.integers(0, 1))
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        cuts = sorted(draw(st.lists(st.integers(0, n_items), min_size=width, max_size=width)))
        rows.append([b - a for a, b in zip([0, *cuts], cuts, strict=False)])
    return table(rows, labels, n_items)


@given(exams(), st.sampled_from(["excluded", "wrong"]))
@SETTINGS
def test_with_nothing_asked(summary, rule):
    truth = ranges(summary, rule, lambda c, d: True, brute.keys(summary.n_items, summary.n_labels))
    result = bounds(summary, missing=rule)
    assert result.status.ok
    assert found_ranges(result) == truth


@given(
    exams(most=4),
    st.sampled_from(["excluded", "wrong"]),
    st.sampled_from([F(1, 3), F(1, 2), F(2, 3)]),
)
@SETTINGS
def test_under_a_level(summary, rule, level):
    def meets(correct, held):
        return all(c >= level * d for c, d in zip(correct, held, strict=True))

    truth = ranges(summary, rule, meets, brute.keys(summary.n_items, summary.n_labels))
    result = bounds(summary, at_least=level, missing=rule)
    assert result.status.value == ("ok" if truth else "inconsistent")
    assert found_ranges(result) == truth


@given(exams(most=4), st.sampled_from(["excluded", "wrong"]))
@SETTINGS
def test_under_a_grade_from_above(summary, rule):
    spec = Specification.grade("<=", F(1, 2)) & Specification.prevalence("a", ">=", F(1, 4))

    def meets(correct, held):
        return 2 * sum(correct) <= sum(held)

    allowed = [
        key
        for key in brute.keys(summary.n_items, summary.n_labels)
        if F(key[0], summary.n_items) >= F(1, 4)
    ]
    truth = ranges(summary, rule, meets, allowed)
    result = bounds(summary, at_least=spec, missing=rule)
    assert result.status.value == ("ok" if truth else "inconsistent")
    assert found_ranges(result) == truth


def test_mt_bench_at_its_threshold_leaves_one_answer_key():
    grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    result = bounds(Summary.from_counts(grades), at_least="2/3")
    assert result.prevalence_of("a") == (F(6, 25), F(6, 25))
    assert result.prevalence_of("b") == (F(15, 25), F(15, 25))
    assert result.accuracy_of("gpt4", "a") == (F(2, 3), F(2, 3))
    # the authors said "a" five times: of six such items they can have five right, and need four
    assert result.accuracy_of("authors", "a") == (F(2, 3), F(5, 6))


def test_known_answer_key_counts():
    """Said a nine times of ten, five of them true: at least four of the five are right."""
    result = bounds(table([[9, 1]], 2, 10), key_counts=(5, 5))
    assert result.accuracy_of("j0", "a") == (F(4, 5), F(1))
    assert result.accuracy_of("j0", "b") == (F(0), F(1, 5))
    assert "to" in result.summary()


def test_nothing_meets_it():
    grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    result = bounds(Summary.from_counts(grades), at_least=0.67)
    assert result.status.value == "inconsistent"
    assert result.accuracy_of("gpt4", "a") is None
    assert "No evaluation" in result.message


def test_messages():
    summary = table([[1, 1]], 2, 2)
    with pytest.raises(DataError, match="without min_judges"):
        bounds(summary, at_least=Specification.at_least(0.5).by_at_least(1))
    with pytest.raises(DataError, match="answer-key counts must hold one count per label"):
        bounds(summary, key_counts=(1, 2))
    with pytest.raises(DataError, match="judge 'nobody' is not known"):
        bounds(summary, at_least=Specification.accuracy(">=", 0.5, judge="nobody"))
