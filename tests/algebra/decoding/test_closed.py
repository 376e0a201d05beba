"""The closed form: hand-worked numbers, Table 1 of paper 001, and the classification."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.algebra.decoding import decode
from algeval.algebra.trios import cell_counts, decode_closed, square_part, trio_of
from algeval.data import Sketch
from algeval.result import Quadratic, Status

F = Fraction
TRIOS = json.loads((Path(__file__).parents[2] / "fixtures" / "trios.json").read_text())
LEXICOGRAPHIC = ["".join(t) for t in product("ab", repeat=3)]


def sketch(counts, order=TRIOS["order"]):
    cells = dict(zip(order, counts, strict=True))
    return Sketch.from_counts(cells, judges=["i", "j", "k"], labels=["a", "b"])


@pytest.mark.parametrize("engine", ["closed", "groebner"])
@pytest.mark.parametrize("case", TRIOS["classified"], ids=lambda c: c["status"])
def test_every_row_of_the_classification(case, engine):
    result = decode(sketch(case["counts"]), engine=engine)
    found = {
        "counts": case["counts"],
        "status": result.status.value,
        "in_range": result.in_range,
        "dimension": result.dimension,
        "uninformative": list(result.uninformative),
    }
    assert found == case


def test_prevalence_one_half_decodes_where_the_printed_ladder_divides_by_zero():
    best = decode(sketch([1, 1, 1, 1, 1, 1, 1, 9])).best
    assert best.prevalence.tolist() == [F(1, 2), F(1, 2)]
    assert best.accuracies().tolist() == [[F(1, 2), F(1)]] * 3


def test_table_1_exact_numbers():
    result = decode(sketch(TRIOS["table_1"]["observed"]))
    m = result.moments
    assert m.marginals == (F(8581, 10000), F(13459, 20000), F(3359, 5000))
    assert m.pairs == (F(1928321, 2 * 10**8), F(713921, 5 * 10**7), F(1171219, 10**8))
    assert m.trio == F(-1836336489, 5 * 10**11)
    assert m.discriminant == F(3190087950361, 16 * 10**16)
    assert result.status is Status.IRRATIONAL
    p = result.best.prevalence_of("a")
    assert p == Quadratic.make(F(1, 2), F(m.trio, 2 * m.discriminant) / (4 * 10**8), 3190087950361)
    assert round(float(p), 12) == 0.088745250126
    assert round(float(result.evaluations[1].prevalence_of("a")), 12) == 0.911254749874
    accuracies = result.best.to_floats().accuracies()
    assert accuracies[:, 0].round(5).tolist() == [0.48931, 0.61202, 0.75022]
    assert accuracies[:, 1].round(5).tolist() == [0.89193, 0.70070, 0.71290]


def test_table_1_prevalence_solves_the_quadratic_and_s87_as_printed_has_complex_roots():
    result = decode(sketch(TRIOS["table_1"]["observed"]))
    p, a = result.best.prevalence_of("a"), result.moments.discriminant
    constant = result.moments.product
    assert a * p * p - a * p + constant == 0
    assert constant == F(1612380721606215379, 10**24)
    printed = F(3190087950361, 16 * 10**18)  # erratum: 100 times too small
    assert a == 100 * printed
    assert printed**2 - 4 * printed * constant < 0


def test_equation_6_as_printed_returns_the_swapped_root():
    result = decode(sketch(TRIOS["table_1"]["observed"]))
    m = result.moments
    printed = (1 - float(m.trio) / float(m.discriminant) ** 0.5) / 2
    assert printed == pytest.approx(float(result.evaluations[1].prevalence_of("a")))


def test_correlated_judges_can_decode_rational_and_wrong_and_integrality_catches_it():
    parts = TRIOS["by_label_correlated"]
    counts = [x + y for x, y in zip(parts["a"], parts["b"], strict=True)]
    result = decode(sketch(counts))
    assert sum(counts) == 4096
    assert F(sum(parts["a"]), 4096) == F(1, 4)
    assert result.best.prevalence_of("a") == F(3, 10)
    assert result.status is Status.NOT_INTEGRAL


def test_both_solutions_reproduce_every_count_exactly():
    for case in TRIOS["classified"]:
        trio = trio_of(sketch(case["counts"]))
        for solution in decode_closed(trio).solutions:
            cells = np.array(cell_counts(solution, trio.n_used), object).sum(0)
            assert all(value == count for value, count in zip(cells, trio.flat, strict=True))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=3),
)
def test_planted_independent_exams_are_recovered(share, rights):
    q_a, q_b = 216 * share, 216 * (5 - share)
    counts = []
    for decision in product((0, 1), repeat=3):
        on_a, on_b = F(q_a), F(q_b)
        for answer, (right_a, right_b) in zip(decision, rights, strict=True):
            on_a *= F(6 - right_a if answer else right_a, 6)
            on_b *= F(right_b if answer else 6 - right_b, 6)
        counts.append(int(on_a + on_b))
    result = decode(sketch(counts, LEXICOGRAPHIC))
    skill = [a + b - 6 for a, b in rights]
    if 0 in skill:
        assert result.status is Status.UNDETERMINED
        if skill.count(0) == 1:
            assert result.uninformative == ("ijk"[skill.index(0)],)
        return
    planted = [[F(a, 6), F(b, 6)] for a, b in rights]
    assert result.status is Status.OK
    assert result.tie is (sum(skill) == 0)
    held = [e for e in result.evaluations if e.accuracies().tolist() == planted]
    assert [e.prevalence_of("a") for e in held] == [F(share, 5)]
    assert (held[0] is result.best) is (sum(skill) > 0)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(st.integers(0, 40), min_size=8, max_size=8).filter(any))
def test_swapping_the_labels_commutes_with_decoding(counts):
    result = decode(sketch(counts, LEXICOGRAPHIC))
    swapped = decode(sketch(counts[::-1], LEXICOGRAPHIC))
    assert (result.status, result.tie) == (swapped.status, swapped.tie)
    if result.best is not None:
        assert result.best.prevalence.tolist() == swapped.best.prevalence[::-1].tolist()
        assert result.best.confusion.tolist() == swapped.best.confusion[:, ::-1, ::-1].tolist()


@settings(derandomize=True, deadline=None)
@given(st.integers(1, 10**30))
def test_square_part_is_exact(n):
    k, m = square_part(n)
    assert k * k * m == n
    assert square_part(n * n) == (n, 1)


@pytest.mark.parametrize(
    "counts",
    [TRIOS["table_1"]["observed"], [5, 1, 4, 7, 30, 6, 2, 45], [60, 21, 17, 9, 4, 6, 11, 22]],
)
def test_a_peer_agrees_exactly_where_it_answers(counts):
    evaluators = pytest.importorskip("ntqr.r2.evaluators")
    sketches = pytest.importorskip("ntqr.r2.datasketches")
    votes = {tuple(k): v for k, v in zip(TRIOS["order"], counts, strict=True)}
    peer = evaluators.ErrorIndependentEvaluation(sketches.TrioVoteCounts(votes)).evaluation_exact
    ours = decode(sketch(counts)).evaluations
    assert len(peer) == len(ours) == 2
    found = {_rounded(e.prevalence[0], e.accuracies().ravel()) for e in ours}
    assert found == {
        _rounded(e["prevalence"]["a"], [a[t] for a in e["accuracy"] for t in "ab"]) for e in peer
    }


def _rounded(prevalence, accuracies):
    return tuple(round(float(v), 10) for v in (prevalence, *accuracies))
