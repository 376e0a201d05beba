from fractions import Fraction as F

import numpy as np
import pytest

from algeval.compare import consistency
from algeval.data import Evaluation, KeyedSketch, Summary


def binary(p, tables, judges):
    confusion = [[[x, 1 - x], [1 - y, y]] for x, y in tables]
    return Evaluation(judges, ("a", "b"), ("a", "b"), np.array([p, 1 - p]), np.array(confusion))


SUMMARY = Summary.from_counts({"i": {"a": 4, "b": 6}})


def test_an_evaluation_that_meets_the_counts_is_possible():
    # 5 items a of which 3 are answered a; 5 items b of which 1 is answered a: 4 answers a in all
    found = consistency(binary(F(1, 2), [(F(3, 5), F(4, 5))], ["i"]), SUMMARY)
    assert found.possible
    assert found.gap == pytest.approx(0, abs=1e-12)


def test_an_evaluation_that_misses_a_count_is_named():
    found = consistency(binary(F(1, 2), [(F(1), F(4, 5))], ["i"]), SUMMARY)
    assert not found.possible
    assert found.gap == pytest.approx(2)
    assert found.describe() == (
        "logically impossible: judge 'i' gave answer 'a' 4 times, the estimate implies 6.0"
    )


def test_outside_the_unit_interval_is_impossible():
    found = consistency(binary(F(3, 2), [(F(1), F(1))], ["i"]), SUMMARY)
    assert found.where == "the prevalence of 'a' is 1.5, outside [0, 1]"
    found = consistency(binary(F(1, 2), [(F(6, 5), F(1))], ["i"]), SUMMARY)
    assert found.where.startswith("judge 'i' answers 'a' on 'a' with a share of 1.2")


def test_the_truth_is_always_possible_with_missing_answers():
    keyed = KeyedSketch.from_counts({"a": {"ab": 3, ".a": 2}, "b": {"a.": 4, "bb": 1}})
    assert consistency(keyed.evaluation(), keyed.sketch.summary()).gap == pytest.approx(
        0, abs=1e-12
    )
