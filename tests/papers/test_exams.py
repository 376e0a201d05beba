"""Exams behind the claims of paper 001: what they are, and that other exams contradict the claims."""

from fractions import Fraction as F

import numpy as np
import pytest

from algeval.data import KeyedSketch
from algeval.io import example
from algeval_papers import algebraic, claims
from algeval_papers.algebraic import (
    RATES,
    TUPLES,
    correlated_yet_rational,
    independent_exam,
    table_1,
)

CLAIMS = {claim.id: claim for claim in claims("001")}


def test_table_1_is_the_example_under_the_papers_judges():
    exam = table_1()
    assert exam.sketch.judges == ("i", "j", "k")
    assert np.array_equal(exam.keyed, example("acs").keyed)
    counts = {
        "".join(u): tuple(row)
        for u, row in zip(exam.sketch.to_counts(), exam.keyed.tolist(), strict=True)
    }
    assert counts["ABA"] == (283, 366)
    assert counts["BAA"] == (415, 1398)


def test_the_misleading_exam_has_rates_of_three_quarters_and_dependent_errors():
    exam = correlated_yet_rational()
    assert exam.keyed.sum(0).tolist() == [1024, 3072]
    on_a = dict(zip(exam.sketch.to_counts(), exam.keyed[:, 0].tolist(), strict=True))
    for judge in range(3):
        assert sum(n for u, n in on_a.items() if u[judge] == "A") == 768
    assert F(on_a["A", "A", "A"], 1024) != F(3, 4) ** 3


def test_the_independent_exam_has_product_counts():
    exam = independent_exam(F(1, 3), RATES)
    counts = dict(zip(exam.sketch.to_counts(), exam.keyed.tolist(), strict=True))
    on_a, on_b = exam.keyed.sum(0).tolist()
    assert F(on_a, on_a + on_b) == F(1, 3)
    (ia, ib), (ja, jb), (ka, kb) = RATES
    assert counts["A", "B", "A"] == [on_a * ia * (1 - ja) * ka, on_b * (1 - ib) * jb * (1 - kb)]


def another_table():
    """A table on which B is never rarer than A, tuple by tuple, and no count is Table 1's."""
    cells = {
        label: {name: 100 + 10 * place * (label == "B") for place, name in enumerate(TUPLES)}
        for label in "AB"
    }
    return KeyedSketch.from_counts(cells, judges=["i", "j", "k"])


@pytest.mark.parametrize("name", ["T1a", "T1b", "T1c", "T1e", "T1i", "S86", "S87"])
def test_claims_on_table_1_fail_on_another_table(name, monkeypatch):
    assert CLAIMS[f"001-{name}"].run().confirmed
    monkeypatch.setattr(algebraic, "table_1", another_table)
    assert not CLAIMS[f"001-{name}"].run().confirmed


@pytest.mark.parametrize("name", ["T1f", "T1g"])
def test_claims_on_errors_fail_on_judges_exactly_independent(name, monkeypatch):
    monkeypatch.setattr(algebraic, "table_1", lambda: independent_exam(F(1, 3), RATES))
    assert not CLAIMS[f"001-{name}"].run().confirmed


@pytest.mark.parametrize("name", ["FP", "6b"])
def test_claims_on_misleading_or_irrational_counts_fail_on_independent_judges(name, monkeypatch):
    for exam in ("correlated_yet_rational", "table_1"):
        monkeypatch.setattr(algebraic, exam, lambda: independent_exam(F(1, 3), RATES))
    assert not CLAIMS[f"001-{name}"].run().confirmed


def test_definitions_fail_where_our_correlations_would_be_wrong(monkeypatch):
    right = algebraic.correlations
    monkeypatch.setattr(algebraic, "correlations", lambda exam: right(correlated_yet_rational()))
    for name in ("S45", "S46", "S66"):
        assert not CLAIMS[f"001-{name}"].run().confirmed


def test_numbered_equations_come_in_order_and_none_is_left_out():
    numbers = [int(name[5:]) for name in CLAIMS if name[4] == "S" and name[5:].isdigit()]
    assert numbers == list(range(1, 93))
