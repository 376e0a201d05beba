"""The misprints, found by a basis and seen on an exam."""

from fractions import Fraction as F

import pytest
import sympy

from algeval.algebra.ladder_steps import meaning
from algeval_papers import catalogue, misprints, printed_ladder

FIVE = ["S22", "S30", "S37", "S38", "S41"]


def test_five_equations_are_misprinted():
    found = misprints()
    assert [one.number for one in found] == FIVE
    assert all(one._repr_latex_().count(one.number) == 1 for one in found)
    assert str(found[0]).startswith("S22: printed -Delta_ijk^2 + 4*Delta_ij")


def test_the_catalogue_knows_the_same_five():
    numbers = {f"S{n}" for n in range(16, 44)}
    wrong = [e.number for e in catalogue() if e.number in numbers and e.verdict == "erratum"]
    assert wrong == FIVE


@pytest.mark.parametrize("first", range(20, 44, 4))
def test_a_printed_rung_fails_on_an_exam_exactly_where_it_is_misprinted(first):
    """Independent judges with rates chosen by hand; nothing here knows a basis."""
    unknowns = sorted({s for e in meaning().values() for s in e.free_symbols}, key=str)
    rates = dict(
        zip(
            unknowns,
            map(sympy.Rational, (F(2, 5), F(3, 4), F(2, 3), F(4, 5), F(3, 5), F(5, 8), F(5, 6))),
            strict=True,
        )
    )
    moments = {symbol: value.subs(rates) for symbol, value in meaning().items()}
    a, b, c = (printed_ladder()[f"S{first + n}"].subs(moments) for n in (1, 2, 3))
    judge, label = "ijk"[(first - 20) // 8], "AB"[(first - 20) // 4 % 2]
    rest = a + b * rates[sympy.Symbol("P_A")] + c * rates[sympy.Symbol(f"P_{{{judge},{label}}}")]
    wrong = {f"S{first + n}" for n in (1, 2, 3)} & set(FIVE)
    assert (rest != 0) == bool(wrong)


def test_a_printed_ladder_without_misprints_has_none():
    mended = printed_ladder() | {one.number: one.derived for one in misprints()}
    assert misprints(printed=mended) == ()
    changed = mended | {"S19": mended["S19"] + 1}
    assert [one.number for one in misprints(printed=changed)] == ["S19"]
