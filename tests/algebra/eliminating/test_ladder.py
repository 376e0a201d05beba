"""The ladder against the paper, against a second engine, by substitution, and against the closed form."""

import json
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
import sympy

import algeval as ae
from algeval.algebra import groebner_basis, ladder
from algeval.algebra.ladder_steps import DECISIONS, _agreed, from_moments, meaning
from algeval.algebra.trios import Equation, Ladder, plain
from algeval.errors import DataError
from algeval.models.independent import exact_exam
from algeval.result.numbers import as_sympy

CELLS = ["".join(cell) for cell in product("AB", repeat=3)]
SYMBOLS = ladder()
KNOWN = {symbol.name: symbol for symbol in meaning()}
X, Y, Z = (KNOWN[f"Delta_{{{pair}}}"] for pair in ("i,j", "i,k", "j,k"))
D = KNOWN["Delta_{i,j,k}"]
SHARE = {i: KNOWN[f"f_{{B_{i}}}"] for i in "ijk"}
P = sympy.Symbol("P_A")
OTHER = {"i": Z, "j": Y, "k": X}


def rate(judge, label):
    return sympy.Symbol(f"P_{{{judge},{label}}}")


def in_the_paper():
    """S16, S20, S24, ..., S40 with the five signs and indices mended, written by hand."""
    a, t = D**2 + 4 * X * Y * Z, X * Y * Z
    rows = [a * P**2 - a * P + t]
    for judge, pair in OTHER.items():
        share = SHARE[judge]
        rows.append(D * (D - pair * (1 - share)) + 2 * t - a * P + pair * D * rate(judge, "A"))
        rows.append(share * pair * D - 2 * t + a * P - pair * D * rate(judge, "B"))
    return rows


def same_up_to_sign(one, other):
    return sympy.expand(one - other) == 0 or sympy.expand(one + other) == 0


def sketch(flat):
    counts = {"".join(cell): n for cell, n in zip(CELLS, flat, strict=True)}
    return ae.Sketch.from_counts(counts, judges=["x", "y", "z"], labels=["A", "B"])


def climbed(flat):
    decoding = ae.decode(sketch(flat))
    return decoding, decoding.ladder()


def test_sympy_writes_the_ladder_of_the_paper_and_nothing_else():
    found = groebner_basis("moments", engine="sympy", time_limit=None).polynomials
    assert len(found) == 7
    for wanted in in_the_paper():
        assert sum(same_up_to_sign(wanted, one) for one in found) == 1, wanted


def test_flint_has_the_same_ladder_in_its_larger_basis():
    """Solved for the unknowns by linear algebra, the elements of flint's basis are the same seven."""
    basis = groebner_basis("moments", engine="flint", time_limit=None)
    rates = basis.unknowns[:-1]
    linear = [p for p in basis.polynomials if sympy.Poly(p, *basis.unknowns).total_degree() == 1]
    (solved,) = sympy.linsolve(linear, *rates)
    rungs = in_the_paper()
    for unknown, value in zip(rates, solved, strict=True):
        (wanted,) = (rung for rung in rungs if rung.has(unknown))
        assert sympy.cancel(wanted.subs(unknown, value)) == 0
    assert any(same_up_to_sign(rungs[0], p) for p in basis.prevalence_polynomials)


def test_every_rung_vanishes_on_independent_judges():
    values = meaning()
    for rung in in_the_paper():
        assert sympy.expand(rung.subs(values)) == 0


def test_equations_have_the_numbers_of_the_paper():
    a, t = D**2 + 4 * X * Y * Z, X * Y * Z
    wanted = {"S17": a, "S18": -a, "S19": t}
    for first, judge in ((20, "i"), (28, "j"), (36, "k")):
        pair, share = OTHER[judge], SHARE[judge]
        on_a = (D * (D - pair * (1 - share)) + 2 * t, -a, pair * D)
        on_b = (share * pair * D - 2 * t, a, -pair * D)
        for start, row in ((first, on_a), (first + 4, on_b)):
            wanted |= {f"S{start + n}": value for n, value in enumerate(row, 1)}
    assert len(wanted) == 21
    for number, value in wanted.items():
        assert sympy.expand(SYMBOLS.equation(number).right - value) == 0, number
    numbers = {e.number for step in SYMBOLS for e in step.equations} - {""}
    assert numbers == {f"S{n}" for n in (*range(9, 44), *range(55, 63))}


def test_a_rung_is_named_after_the_rate_that_it_gives():
    for number, symbol in zip(range(20, 44, 4), product("ijk", "AB"), strict=True):
        assert SYMBOLS.equation(f"S{number}").right.has(rate(*symbol))


def test_the_quadratic_has_both_roots_that_are_shown():
    quadratic = in_the_paper()[0]
    roots = [equation.right for equation in SYMBOLS.step("roots").equations]
    assert len(set(roots)) == 2
    for root in roots:
        assert sympy.simplify(quadratic.subs(P, root)) == 0


def test_each_unknown_alone_has_a_quadratic_that_does_not_split():
    """It vanishes on independent judges and has no factor, so nothing of lower degree does."""
    unknowns = groebner_basis("moments", time_limit=None).unknowns
    for unknown, equation in zip(unknowns, SYMBOLS.step("elimination").equations, strict=True):
        assert sympy.expand(equation.left.subs(meaning())) == 0
        (factor,) = sympy.factor_list(equation.left, unknown)[1]
        assert sympy.degree(factor[0], unknown) == 2
        assert not equation.left.free_symbols & set(unknowns) - {unknown}


def test_the_polynomial_of_each_rate_alone_is_that_of_lemma_2():
    """Z v^2 - D v = XY, v how far answers B on label B lie above the share of B, on A below it."""
    alone = iter(SYMBOLS.step("elimination").equations)
    for judge, pair in OTHER.items():
        share = SHARE[judge]
        for v in (1 - share - rate(judge, "A"), rate(judge, "B") - share):
            expected = pair * v**2 - D * v - X * Y * Z / pair
            assert same_up_to_sign(next(alone).left, expected)


def test_the_shares_follow_from_the_moments():
    """True of every exam: counted from the eight shares of one, the moments give them back."""
    for n, t in enumerate(DECISIONS):
        counts = {cell: k**2 + 1 for k, cell in enumerate(CELLS)}
        total = sum(counts.values())
        f = {
            sympy.Symbol(f"f_{{{','.join(c)}}}"): sympy.Rational(v, total)
            for c, v in counts.items()
        }
        moments = {}
        for equation in SYMBOLS.step("moments").equations[:7]:
            moments[equation.left] = equation.right.subs(f).subs(moments)
        assert from_moments(t, list(moments.values())) == sympy.Rational(counts[t], total)
        assert SYMBOLS.step("check").equations[n].left.subs(moments) == sympy.Rational(
            counts[t], total
        )


def test_encoded_shares_are_the_polynomials_of_their_numbers():
    values = {P: F(1, 3)} | {
        rate(i, t): F(n, 11) for n, (i, t) in enumerate(product("ijk", "AB"), 3)
    }
    for equation in SYMBOLS.step("encode").equations:
        on_a, on_b = values[P], 1 - values[P]
        for judge, answer in zip("ijk", plain(equation.left)[2:], strict=True):
            right = values[rate(judge, answer)]
            other = 1 - values[rate(judge, "AB"[answer == "A"])]
            on_a, on_b = (
                (on_a * right, on_b * other) if answer == "A" else (on_a * other, on_b * right)
            )
        exact = {symbol: as_sympy(value) for symbol, value in values.items()}
        assert equation.right.subs(exact) == as_sympy(on_a + on_b)


TABLES = [
    (568, 553, 649, 1068, 1813, 3607, 3534, 8208),
    (1, 1, 1, 1, 1, 1, 1, 9),
    (1, 1, 1, 1, 1, 1, 1, 7),
    (0, 1, 1, 1, 1, 3, 0, 1),
    (0, 0, 0, 1, 1, 1, 4, 1),
    (3, 0, 1, 0, 0, 1, 0, 2),
    (0, 1, 1, 0, 1, 0, 0, 5),
]


@pytest.mark.parametrize("flat", TABLES, ids=str)
def test_numbers_climb_to_the_solutions_of_the_closed_form(flat):
    decoding, found = climbed(flat)
    assert [step.name for step in found] == list(Ladder.names)
    solutions = [{}, {}]
    free = found.step("roots").equations[0].left
    for n, equation in enumerate(found.step("roots").equations):
        solutions[n][free] = equation.right
    for equation in found.step("substitution").equations:
        if equation.right.has(free):
            for solution in solutions:
                solution[equation.left] = equation.right.subs(free, solution[free])
        else:
            for solution in solutions:
                solution.setdefault(equation.left, equation.right)
    for evaluation in decoding.evaluations:
        wanted = {P: as_sympy(evaluation.prevalence[0])}
        for i, judge in enumerate("ijk"):
            for t, label in enumerate("AB"):
                wanted[rate(judge, label)] = as_sympy(evaluation.confusion[i, t, t])
        gaps = [{u: abs(float(s[u]) - float(v)) for u, v in wanted.items()} for s in solutions]
        assert min(max(gap.values()) for gap in gaps) < 1e-12


def test_values_shown_are_what_the_lines_give():
    found = climbed(TABLES[0])[1]
    free, roots = P, [e.right for e in found.step("roots").equations]
    equations = found.step("substitution").equations
    for line, *values in zip(equations[::3], equations[1::3], equations[2::3], strict=True):
        for value, root in zip(values, roots, strict=True):
            assert line.left == value.left
            assert sympy.expand(line.right.subs(free, root) - value.right) == 0


def test_table_1_of_the_paper():
    """The paper's own counts: prevalence and accuracies as the closed form of the notes has them."""
    found = climbed(TABLES[0])[1]
    assert found.equation("S12").right == sympy.Rational(1928321, 2 * 10**8)
    assert found.equation("S15").right == sympy.Rational(-1836336489, 5 * 10**11)
    a, c = found.equation("S17").right, found.equation("S19").right
    assert c / a == sympy.Rational(1612380721606215379, 10**24) / sympy.Rational(
        3190087950361, 16 * 10**16
    )
    assert min(float(e.right) for e in found.step("roots").equations) == pytest.approx(
        0.088745250126
    )
    shown = {
        round(float(e.right), 5) for e in found.step("substitution").equations if e.right.is_number
    }
    assert {0.48931, 0.61202, 0.75022, 0.89193, 0.70070, 0.71290} <= shown


def test_a_planted_exam_comes_back():
    right = [(F(3, 4), F(2, 3)), (F(4, 5), F(1, 3)), (F(1, 2), F(5, 6))]
    tables = [[[x, 1 - x], [1 - y, y]] for x, y in right]
    truth = ae.Evaluation(
        [*"ijk"], [*"ab"], [*"ab"], np.array([F(2, 5), F(3, 5)]), np.array(tables)
    )
    found = ae.decode(exact_exam(truth).sketch).ladder()
    assert {e.right for e in found.step("roots").equations} == {
        sympy.Rational(2, 5),
        sympy.Rational(3, 5),
    }
    shown = {(e.left, e.right) for e in found.step("substitution").equations}
    for judge, (x, y) in zip("ijk", right, strict=True):
        assert (rate(judge, "A"), as_sympy(x)) in shown
        assert (rate(judge, "B"), as_sympy(y)) in shown


def test_at_prevalence_one_half_the_quadratic_is_of_another_unknown():
    found = climbed(TABLES[1])[1]
    assert {e.number for e in found.step("quadratic").equations} == {""}
    assert "0 = 0" in found.step("quadratic").text
    assert Equation(P, sympy.Rational(1, 2)) in found.step("substitution").equations
    with pytest.raises(DataError, match="number must be one of"):
        found.equation("S20")


@pytest.mark.parametrize(
    ("flat", "status", "last"),
    [
        ((0, 0, 0, 1, 1, 3, 1, 2), "inconsistent", "basis"),
        ((0, 0, 0, 0, 0, 1, 1, 6), "undetermined", "basis"),
        ((0, 1, 1, 3, 1, 1, 1, 0), "complex", "roots"),
    ],
)
def test_the_ladder_ends_where_there_is_nothing_to_climb_to(flat, status, last):
    decoding, found = climbed(flat)
    assert decoding.status.value == found.status.value == status
    assert list(found)[-1].name == last
    assert decoding.reason in found.message
    with pytest.raises(DataError, match="name must be one of"):
        found.step("check")
    assert str(found.step("basis").equations[0]).startswith("1 = 0") == (status == "inconsistent")


def test_names_of_the_exam_are_told():
    assert "i is 'x', j is 'y', k is 'z', A is 'A', B is 'B'" in climbed(TABLES[0])[1].message
    assert "P_A = 0.0887453 has the greater total accuracy" in climbed(TABLES[0])[1].message


def test_more_labels_have_no_ladder():
    three = ae.Sketch.from_counts({"abc": 3, "aaa": 4, "bbb": 4, "ccc": 4})
    with pytest.raises(DataError, match="two answers, the labels; got answers"):
        ae.decode(three).ladder()


def test_a_share_that_does_not_come_back_is_an_error():
    one, two = sympy.Integer(1), sympy.Integer(2)
    assert list(_agreed(iter([Equation(one, one)]))) == [Equation(one, one)]
    with pytest.raises(RuntimeError, match="does not give a share back"):
        list(_agreed(iter([Equation(one, two)])))


def test_json_latex_and_text_of_every_step():
    for found in (SYMBOLS, climbed(TABLES[0])[1]):
        document = json.loads(json.dumps(found.to_dict()))
        assert document["schema"] == "algeval.ladder/1"
        assert [step["name"] for step in document["steps"]] == list(Ladder.names)
        for step in found:
            formula = step._repr_latex_()
            assert formula.startswith("$$\\begin{aligned}")
            assert formula.count(" &= ") == len(step.equations)
            assert "\\\\Delta" not in formula.replace("\\\\\n", "")
            for opens, closes in (("{", "}"), ("\\left", "\\right"), ("\\begin", "\\end")):
                assert formula.count(opens) == formula.count(closes)
            assert step.summary().count("\n") == len(step.equations)
            assert repr(step) == f"LadderStep({step.name!r}, {len(step.equations)} equations)"
            assert step.summary() in found.summary()
        assert found._repr_html_().count('class="math"') == len(Ladder.names)


def test_short_names_are_those_that_prove_reads():
    rung = in_the_paper()[1]
    assert ae.prove(f"{plain(rung)} = 0").holds
    assert not ae.prove(f"{plain(rung + P)} = 0").holds


def test_what_is_no_decoding_is_refused():
    with pytest.raises(DataError, match="decoding must be a Decoding or left out; got str"):
        ladder("votes.csv")
