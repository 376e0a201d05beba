"""Linear goals: what comes back is a point that refutes, or multipliers that prove; checked by hand here."""

import random
from fractions import Fraction

import pytest

from algeval.algebra.inequalities import Domain, Given, Goal
from algeval.algebra.inequalities_search import is_linear, linear
from algeval.algebra.proving import Contradiction, Counterexample, Theorem, prove
from algeval.verify import verify


def form(domain, values):
    total = 0 * domain.one
    for gen, value in zip(domain.gens, values, strict=True):
        total += domain.constant(value) * gen
    return domain.affine(total)


def value(row, point):
    return sum(a * x for a, x in zip(row, point, strict=True))


def combined(node, goal_row, rows, equal):
    """What is left of each coefficient when the terms, cofactors and margin are taken away."""
    n = len(goal_row)
    if node["kind"] == "coefficients":
        return goal_row
    rest = [Fraction(x) - Fraction(node.get("margin", 0)) for x in goal_row]
    for term in node["terms"]:
        assert Fraction(term["c"]) >= 0
        (k,) = term["given"]
        rest = [rest[i] - Fraction(term["c"]) * rows[k][i] for i in range(n)]
    for k, [[powers, factor]] in node["cofactors"]:
        assert not any(powers)
        rest = [rest[i] - Fraction(factor) * equal[k][i] for i in range(n)]
    return rest


def positive(node, strict):
    terms = [term for term in node["terms"] if Fraction(term["c"]) > 0]
    return Fraction(node.get("margin", 0)) > 0 or any(strict[t["given"][0]] for t in terms)


@pytest.mark.parametrize("seed", range(400))
def test_a_linear_goal_is_refuted_or_proved(seed):
    draw = random.Random(seed)
    n = draw.randint(2, 7)
    domain = Domain([n])

    def row():
        return [draw.choice([-3, -2, -1, 0, 0, 1, 2, 3]) for _ in range(n)]

    rows = [row() for _ in range(draw.randint(0, 4))]
    strict = [draw.random() < 0.5 for _ in rows]
    equal = [row() for _ in range(draw.randint(0, 2))]
    claim, strictly = row(), draw.random() < 0.5
    ge = tuple(Given(form(domain, a), s) for a, s in zip(rows, strict, strict=True))
    goal = Goal(domain, form(domain, claim), strictly, ge, tuple(form(domain, e) for e in equal))
    assert is_linear(domain, [goal.polynomial, *goal.hypotheses])
    answer = linear(goal)
    if answer.point is not None:
        assert sum(answer.point) == 1
        assert min(answer.point) >= 0
        assert value(claim, answer.point) <= 0 if strictly else value(claim, answer.point) < 0
        held = [value(a, answer.point) for a in rows]
        assert all(v > 0 if s else v >= 0 for v, s in zip(held, strict, strict=True))
        assert not any(value(e, answer.point) for e in equal)
        assert sum(x > 0 for x in answer.point) <= len(rows) + 2 * len(equal) + 2
        return
    wanted = {"": claim, ">": [0] * n, ">=": [-1] * n}[answer.absurd]
    assert min(combined(answer.node, wanted, rows, equal)) >= 0
    if answer.absurd == ">" or (not answer.absurd and strictly):
        assert positive(answer.node, strict)


def test_a_product_is_not_linear():
    domain = Domain([3])
    a, b, _ = domain.gens
    assert not is_linear(domain, [a * b])
    assert not is_linear(Domain([2, 2]), [])


@pytest.mark.parametrize(
    ("claim", "given", "verdict"),
    [
        ("prec_i >= 1/2", "g_i >= 9/10", Counterexample),
        ("prec_i > 0", ["n_A_A >= 1/7*Q"], Theorem),
        ("prec_i >= 1/3", ["n_A_A >= 1/7*Q", "g_i >= 5/7"], Theorem),
        ("prec_i > 1/3", ["n_A_A >= 1/7*Q", "g_i >= 5/7"], Counterexample),
        ("(P_A - f_Ai + P_A)/P_A >= 1", [], Counterexample),  # no one item on which it is defined
        ("(P_A + f_Bi)/P_A > 1 - f_Bi", [], Counterexample),
        ("(2*P_A + f_Ai)/P_A > 1", [], Theorem),  # zero, but only where it divides by zero
        ("g_i >= 0", ["P_A > 3/5", "P_B > 2/5"], Contradiction),
        ("g_i >= 0", ["P_A >= 3/5", "P_B > 2/5"], Contradiction),
    ],
)
def test_linear_claims_of_one_judge(claim, given, verdict):
    found = prove(claim, given=given, judges=1, model="axioms")
    assert isinstance(found, verdict), found.message
    if verdict is not Counterexample:
        assert verify(found.certificate).ok
    elif not given:
        assert found.smallest


@pytest.mark.parametrize(("share", "items"), [(2, 1000), ("101/50", 98)])
def test_a_cell_on_which_the_divisor_is_zero_refutes_beside_one_on_which_it_is_not(share, items):
    # of items of B that are called A, each takes share - 1 away; one item of A is needed, and gives 100
    whole = 1000 if share == 2 else 100
    found = prove(f"(P_B + {whole}*P_A - {share}*f_Ai)/P_A >= 0", judges=1, model="axioms")
    assert found.exam.n_items == items
    assert not found.smallest
    assert f"fails on an exam of {items} items (no such exam has 6" in found.message
    assert "smallest" not in found.message
    least = next(
        q for q in range(1, 2000) if (q - 1) * (1 - Fraction(share)) + whole - Fraction(share) < 0
    )
    assert items == least


@pytest.mark.parametrize(
    ("claim", "given"),
    [("P_A + P_B >= 1", []), ("P_A + P_B >= 1", ["P_A + P_B <= 1"]), ("g_i <= 1", ["g_i >= 1"])],
)
def test_hypotheses_that_some_exam_satisfies_are_not_doubted(claim, given):
    found = prove(claim, given=given, judges=1, model="axioms")
    assert found.holds
    assert "no exam that satisfies" not in found.message


def test_an_equation_that_the_domain_makes_true_is_proved():
    assert prove(
        "P_A + P_B + f_Ai = 1 + f_Ai", given=["P_A >= 1/2"], judges=1, model="axioms"
    ).holds
    found = prove("P_A = 1/2", given=["P_A >= 1/3"], judges=1, model="axioms")
    assert found.holds is False
