"""Formulas as LaTeX, letter by letter."""

from fractions import Fraction as F

import sympy

from algeval.algebra import encode, groebner_basis
from algeval.result import Quadratic
from algeval.result.numbers import aligned, as_html, as_sympy, expression, grid, name, products

X, Y = sympy.symbols("x y")


def test_names_of_judges_are_escaped():
    assert name("a_b & 50% {c} #1 $") == r"\mathrm{a\_b\ \&\ 50\%\ \{c\}\ \#1\ \$}"
    assert name("a\\b~^") == r"\mathrm{a\backslash b\sim \hat{\ }}"
    assert name("x\x1b") == r"\mathrm{x\backslash x1b}"


def test_numbers():
    assert expression(F(3, 4)) == r"\frac{3}{4}"
    assert expression(0.123456) == "0.1235"
    assert expression(None) == expression(float("nan")) == r"\text{--}"
    assert expression(Quadratic.make(F(1, 2), F(1, 3), 5)) == r"\frac{1}{2} + \frac{\sqrt{5}}{3}"
    assert as_sympy(Quadratic.make(1, 2, 3)) == 1 + 2 * sympy.sqrt(3)


def test_names_of_the_papers():
    assert expression(encode(2, model="correlated").parameters[-2]) == r"\Gamma_{i,j}^{(A)}"
    assert expression(sympy.Symbol("Delta_{i,j}") * 2) == r"2 \Delta_{i,j}"


def test_long_sums_are_told_not_written():
    long = sympy.Add(*sympy.symbols("v:41"))
    assert expression(long) == r"\text{a sum of 41 terms}"
    assert expression(long, most=None).count("+") == 40
    assert expression(long - sympy.Symbol("v0")).count("+") == 39


def test_equations_under_each_other():
    rows = [("a", "b", ""), ("", "c", r"\text{(S1)}")]
    assert (
        aligned(rows)
        == "$$\\begin{aligned}\na &= b \\\\\n &\\quad c && \\text{(S1)}\n\\end{aligned}$$"
    )
    assert aligned([("a", "b", "")] * 64).count("a &= b") == 64
    assert "vdots" not in aligned([("a", "b", "")] * 64)
    cut = aligned([("a", "b", "")] * 200)
    assert cut.count("a &= b") == 64
    assert cut.count("vdots") == 1


def test_products_and_grids():
    shown = products(X * Y + Y, [(X, Y), (1, Y)])
    assert r"x y + y &= \left(x\right) \left(y\right)" in shown
    assert r"&\quad + \left(1\right) \left(y\right)" in shown
    assert "x &= 0" in products(X, [])
    assert grid([["1", "2"], ["3", "4"]], "lr") == (
        "$$\\begin{array}{lr}\n1 & 2 \\\\\n3 & 4\n\\end{array}$$"
    )


def test_html_escapes_what_would_be_a_tag():
    assert as_html("$$a < b & c$$") == '<div class="math">$$a &lt; b &amp; c$$</div>'


def test_what_notebooks_show_of_polynomials():
    shown = encode(2)._repr_latex_()
    assert shown.count("&=") == 4
    assert r"f_{A,A} &= P_A P_{i,A} P_{j,A} + " in shown
    basis = groebner_basis("centred", time_limit=None)
    assert basis._repr_latex_().count("&= 0") == len(basis.rows)
    assert "<table" in basis._repr_html_()
    assert 'class="math"' in basis._repr_html_()
