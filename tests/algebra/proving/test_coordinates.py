"""Names as quotients of polynomials, against counts on exams (SymPy expressions evaluated by counting)."""

import random
from collections import Counter
from fractions import Fraction
from importlib import util
from itertools import islice, product
from pathlib import Path

import pytest

from algeval.algebra.language import system
from algeval.algebra.statements import (
    Space,
    exam_of,
    random_independent_exams,
    read_expression,
)
from algeval.errors import DataError, TooLargeError
from algeval.models.independent import exact_exam

_SPEC = util.spec_from_file_location("counting", Path(__file__).with_name("counting.py"))
counting = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(counting)


def cases(model, n, r, size):
    """Exams with the points of the domain that stand for them."""
    known = system(model, n, r)
    if model == "independent":
        for evaluation in islice(random_independent_exams(known, 60, seed=n), 50, 50 + size):
            point = [*evaluation.prevalence.ravel(), *evaluation.confusion.ravel()]
            yield exact_exam(evaluation), tuple(map(Fraction, point))
    else:
        cells = list(product(range(r), product(range(r), repeat=n)))
        draw = random.Random(n)
        for _ in range(size):
            items = Counter(draw.choices(cells, k=10))
            items.update((t, (t,) * n) for t in range(r))  # every label occurs
            total = sum(items.values())
            yield exam_of(known, items), tuple(Fraction(items.get(c, 0), total) for c in cells)


@pytest.mark.parametrize(("n", "r"), [(1, 2), (3, 2), (1, 3), (2, 3)])
@pytest.mark.parametrize("model", ["independent", "axioms"])
def test_every_name_is_what_is_counted(model, n, r):
    known = system(model, n, r)
    names = random.Random(n).sample(list(known.meanings), min(150, len(known.meanings)))
    exams = list(cases(model, n, r, 4))
    compared = 0
    for name in names:
        space = Space(known)
        if known.meanings[name].kind == "Gamma" and set(known.meanings[name].answers) != {
            known.meanings[name].label
        }:
            continue
        quotient = space.name(name)
        for exam, point in exams:
            values = counting.count_values(known, exam)
            want = counting.evaluate(known.vocabulary[name], values)
            below = space.domain.at(space.divisors.product(quotient.below), point)
            assert bool(below) == (want is not None), name
            if want is None:
                continue
            total = exam.n_items if quotient.weight else 1
            assert space.domain.at(quotient.top, point) / below * total == want, name
            compared += 1
    assert compared > len(names)


def test_nothing_is_cancelled_and_equal_divisors_are_one():
    space = Space(system("axioms", 1, 2))
    value = read_expression("P_iA/P_iA + 1/P_A - 1/P_A", "", space)
    assert len(space.divisors.polynomials) == 2  # n(A), and n(said A; A)
    assert value.below == {0: 1, 1: 1}
    assert value.top == space.divisors.product(value.below)  # 1, and not cancelled to it
    assert read_expression("1/2 + 1/(3*2)", "", space).below == {}
    with pytest.raises(DataError, match="must not divide by zero"):
        read_expression("1/(P_A + P_B - 1)", "", space)


def test_counts_and_shares_do_not_mix():
    space = Space(system("axioms", 1, 2))
    assert read_expression("R_iA/Q - f_Ai", "", space).top.is_zero()
    assert read_expression("R_iA - 0*P_A + R_iB - Q", "", space).top.is_zero()
    with pytest.raises(DataError, match="compare counts with counts"):
        read_expression("R_iA - f_Ai", "", space)
    with pytest.raises(DataError, match="compare counts with counts"):
        read_expression("Q - 3", "", space)


def test_too_much_is_refused_and_names_are_suggested():
    with pytest.raises(TooLargeError, match="has 512 unknowns"):
        Space(system("axioms", 8, 2))
    with pytest.raises(DataError, match="did you mean P_iA"):
        Space(system("independent", 1, 2)).name("P_ia")
    with pytest.raises(DataError, match="must be at most 40"):
        read_expression("P_A^41", "", Space(system("independent", 1, 2)))


def test_bases_of_even_powers_are_remembered():
    space = Space(system("independent", 1, 2))
    read_expression("(P_A - P_iA)^2 + P_A^3 + (1/2)^2", "", space)
    assert [len(p) for p in space.under_even_powers] == [2]
