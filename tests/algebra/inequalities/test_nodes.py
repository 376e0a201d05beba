"""Each kind of proof on polynomials made for it, checked by expansion with SymPy."""

from fractions import Fraction
from importlib import util
from itertools import product
from pathlib import Path

import pytest
import sympy

from algeval.algebra.inequalities import (
    Domain,
    Given,
    Goal,
    coefficients,
    factors,
    orders,
    read,
    signed,
    terms,
)
from algeval.algebra.inequalities_search import (
    Shape,
    accepted,
    affine_block,
    build,
    combination,
    corners,
    follows,
    forms,
    is_given,
    multiplied,
    propose,
    rounded,
    solved,
    split,
)
from algeval.progress import CountedClock

_SPEC = util.spec_from_file_location("second_route", Path(__file__).with_name("second_route.py"))
second_route = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(second_route)

SOON = CountedClock(100_000)
SQUARE = Domain((2, 2))
CUBE = Domain((2, 2, 2))
X, Y = SQUARE.coordinates[0], SQUARE.coordinates[2]


def on(domain, text, strict=False, ge=(), eq=()):
    """A goal from texts in x, y, z (first coordinates of pairs), or a, b, c, d of one simplex."""
    return Goal(
        domain,
        polynomial(domain, text),
        strict,
        tuple(Given(polynomial(domain, h.lstrip("!")), h.startswith("!")) for h in ge),
        tuple(polynomial(domain, h) for h in eq),
    )


def polynomial(domain, text):
    pairs = set(domain.sizes) == {2}
    names = "xyzw"[: len(domain.sizes)] if pairs else "abcd"[: domain.n]
    places = [block[0] for block in domain.blocks] if pairs else range(domain.n)
    values = dict(zip(names, (domain.coordinates[c] for c in places), strict=True))
    symbols = sympy.symbols(list(values))
    total = 0 * domain.one
    for powers, c in sympy.Poly(sympy.sympify(text, rational=True), *symbols).terms():
        term = domain.constant(Fraction(int(c.p), int(c.q)))
        for name, k in zip(values, powers, strict=True):
            term *= values[name] ** k
        total += term
    return total


def shown(goal, node):
    """Whether SymPy agrees that the node proves the goal."""
    blocks = second_route.symbols_of(goal.domain.sizes)

    def plain(p):
        return second_route.from_terms(terms(p), blocks)

    ge = [g and (plain(g.polynomial), g.strict) for g in goal.ge]
    eq = [plain(p) for p in goal.eq]
    return second_route.shows(node, plain(goal.polynomial), blocks, ge, eq, goal.strict)


def test_affine_forms_lifts_and_values():
    domain = Domain((3, 2))
    a, b, c, x, y = domain.gens
    assert domain.affine(c) == 1 - a - b
    assert domain.affine(x + y) == domain.one
    p = domain.affine(a * b + 2 * c * y)
    lifted = domain.lift(p, (3, 2))
    assert all(sum(k[:3]) == 3 and sum(k[3:]) == 2 for k in lifted.monoms())
    point = tuple(map(Fraction, ("1/2", "1/3", "1/6", "1/4", "3/4")))
    want = Fraction(1, 6) + 2 * Fraction(1, 6) * Fraction(3, 4)
    assert domain.at(p, point) == domain.at(lifted, point) == want
    assert domain.size((3, 2)) == len(list(domain.monomials((3, 2)))) == 30
    assert read(terms(p), domain) == p


@pytest.mark.parametrize(
    ("text", "strict", "steps", "proved"),
    [
        ("x + y - x*y", False, 0, True),
        ("x + y - x*y", True, 0, False),  # zero at a corner
        ("1 + x - y/2", True, 0, True),
        ("x^2 - x + 3/10", False, 0, False),
        ("x^2 - x + 3/10", False, 6, True),
        ("x^2 - x + 1/4", False, 9, False),  # zero inside: at no degree
    ],
)
def test_coefficients(text, strict, steps, proved):
    goal = on(SQUARE, text, strict)
    node = coefficients(goal, steps)
    assert (node is not None) == proved
    assert node is None or shown(goal, node)


def test_corners_are_exact_where_the_claim_is_affine():
    goal = on(CUBE, "x*(y - z)^2 + (1 - x)*(y + z - 2*y*z)")
    assert affine_block(goal) == 0
    node = corners(goal, 0, lambda one: orders(one, coefficients) or coefficients(one))
    assert shown(goal, node)
    assert corners(on(CUBE, "x - y*z/2 - 1/8"), 0, coefficients) is None
    same = on(CUBE, "y + z + 0*x")
    assert affine_block(same) == 1
    about = on(CUBE, "x", ge=["x - y"])
    assert affine_block(about) is None


def test_equal_corners_are_proved_once():
    four = Domain((4, 2))
    goal = Goal(four, four.affine(four.gens[0] * four.gens[4] + four.gens[1] * four.gens[5]))
    node = corners(goal, 0, coefficients)
    assert [child["proof"].get("same") for child in node["children"]] == [None, None, None, 2]
    assert shown(goal, node)


def test_halves_end_where_nothing_is_zero_inside_and_stop_at_a_negative_corner():
    goal = on(SQUARE, "x^2 - x + 26/100 + y*(1 - y)/9")
    node = split(goal, 8, SOON)
    assert node["kind"] == "split"
    assert shown(goal, node)
    assert split(on(SQUARE, "x^2 - x*y - 1/100"), 40, SOON) is None
    simplex = Domain((3,))
    goal = on(simplex, "1/3 + 1/100 - a*b - b*c - a*c")
    assert shown(goal, split(goal, 8, SOON))


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        (SQUARE, "(x - y)^2"),
        (CUBE, "x^3 + y^3 + z^3 - 3*x*y*z"),
        (CUBE, "x^2 + y^2 + z^2 - x*y - y*z - x*z"),
    ],
)
def test_orders_settle_zeros_on_diagonals(domain, text):
    goal = on(domain, text)
    node = orders(goal, coefficients)
    assert len(node["children"]) in (2, 6)
    assert shown(goal, node)
    del node["children"][0]
    assert not shown(goal, node)


def test_orders_fail_where_the_claim_is_false_in_one_of_them():
    assert orders(on(SQUARE, "x - y"), coefficients) is None


def test_factors_need_signs_and_strictness_needs_them_of_squares_too():
    goal = on(SQUARE, "(x - y)^2*(x + y)*(2 - x)")
    node = factors(goal, coefficients)
    assert shown(goal, node)
    assert factors(on(SQUARE, "(x - y)^2*(1 + x)*(1 + y)", strict=True), coefficients) is None
    assert factors(on(SQUARE, "(x - y)*(x + y)"), coefficients) is None
    strict = on(SQUARE, "(x - 2)^2*(1 + y)", strict=True)
    assert shown(strict, factors(strict, coefficients))
    assert signed(on(SQUARE, "x*y - 2"), coefficients)[0] == -1


COMBINATIONS = [
    (SQUARE, "x*y - 1/4", False, ["x - 1/2", "y - 1/2"], [], Shape(1)),
    (SQUARE, "x*y - 1/4", False, ["x + y - 1", "x - y", "y - x"], [], Shape(2, 1)),
    (SQUARE, "x - 1/3", True, ["x - 1/2"], [], Shape(1)),
    (SQUARE, "x*y", True, ["!x", "!y"], [], Shape(2)),
    (SQUARE, "x - y^2", False, [], ["x - y"], Shape(0)),
    (SQUARE, "x^2 + y^2 - 2*x*y", False, [], [], Shape(0, squares=(X - Y,))),
]


@pytest.mark.parametrize(("domain", "text", "strict", "ge", "eq", "shape"), COMBINATIONS)
def test_combinations(domain, text, strict, ge, eq, shape):
    goal = on(domain, text, strict, ge, eq)
    node = combination(goal, shape, SOON)
    assert shown(goal, node)
    assert not shown(goal.about(goal.polynomial - domain.one), node)


def test_a_strict_claim_is_not_proved_where_it_is_an_equality():
    assert combination(on(SQUARE, "x - 1/2", True, ["x - 1/2"]), Shape(1), SOON) is None
    assert combination(on(SQUARE, "x*y", True, ["!x", "y"]), Shape(2), SOON) is None
    assert is_given(on(SQUARE, "2*x - 1", True, ["x - 1/2"])) is None
    assert is_given(on(SQUARE, "2*x - 1", True, ["!x - 1/2"])) is not None


def test_multipliers_divide_by_what_is_positive():
    # (1 + x) times the claim is the hypothesis
    goal = on(SQUARE, "x - y/2", False, ["(1 + x)*(x - y/2)"])
    assert combination(goal, Shape(1), SOON) is None
    node = multiplied(goal, SOON)
    assert shown(goal, node)
    spoilt = node | {"multiplier": [[k, "0"] for k, _ in node["multiplier"]]}
    assert not shown(goal, spoilt)


def test_membership_in_an_ideal():
    goal = on(SQUARE, "x^3 - y^3", eq=["x - y"])
    node = follows(goal, 0, SOON)
    assert shown(goal, node)
    assert follows(on(SQUARE, "x^3 + y^3", eq=["x - y"]), 0, SOON) is None
    assert follows(on(SQUARE, "x - x"), 0, SOON) == {"kind": "zero"}


@pytest.mark.parametrize("margin", ["1/997", "12345/678901", "7/12"])
def test_exact_solutions_are_found_by_rounding_and_without_it(margin):
    low = f"1/3 + {margin}/9"
    goal = on(SQUARE, f"x*y - ({low})^2", False, [f"x - ({low})", f"y - ({low})"])
    program = build(goal, Shape(2))
    proposal = propose(program, SOON)
    for recover in (rounded, solved):
        values = recover(program, proposal)
        if recover is solved or margin == "7/12":
            assert values is not None
        assert values is None or accepted(program, values)
    spoilt = [value + 1 for value in values]
    assert not accepted(program, spoilt)
    assert not accepted(program, [-1 - value for value in values])


def test_forms_that_vanish_where_the_claim_does():
    goal = on(Domain((3,)), "a^2 + b^2 + c^2 - 1/3")
    for found in forms(goal, (), (), SOON):
        node = combination(goal, Shape(0, squares=found), SOON)
        if node is not None:
            break
    assert shown(goal, node)
    assert any("square" in term for term in node["terms"])


def test_minors_of_what_is_named():
    # Cauchy and Schwarz on shares: zero where they are proportional
    domain = Domain((3, 3))
    a, b = (domain.coordinates[:3], domain.coordinates[3:])
    dot = sum((x * y for x, y in zip(a, b, strict=True)), 0 * domain.one)
    squares = [sum((x * x for x in one), 0 * domain.one) for one in (a, b)]
    goal = Goal(domain, squares[0] * squares[1] - dot * dot)
    minors = next(forms(goal, (), [*a, *b], SOON))
    assert a[0] * b[1] - a[1] * b[0] in minors or a[1] * b[0] - a[0] * b[1] in minors
    node = combination(goal, Shape(0, squares=minors), SOON)
    assert shown(goal, node)


def test_what_is_proved_holds_on_a_grid():
    grid = [Fraction(k, 8) for k in range(9)]
    for domain, text, _, ge, eq, _ in COMBINATIONS:
        goal = on(domain, text, False, ge, eq)
        for x, y in product(grid, grid):
            point = (x, 1 - x, y, 1 - y)
            holds = all(domain.at(g.polynomial, point) >= 0 for g in goal.ge)
            if holds and not any(domain.at(p, point) for p in goal.eq):
                assert domain.at(goal.polynomial, point) >= 0
