"""Steps to a smaller domain: each keeps exactly the points that satisfy what it uses."""

from fractions import Fraction
from itertools import product

import pytest

from algeval.algebra.inequalities import prepare
from algeval.algebra.language import system
from algeval.algebra.statements import Space, read_problem, read_texts


def problem_of(claim, given, judges=1, labels=2, model="independent"):
    known = system(model, judges, labels)
    return read_problem(read_texts(claim, given, {}, known), Space(known))


def kinds(moves):
    return [move.step["step"] for move in moves if move.step["step"] != "merge"]


def back(small, moves, point):
    for move in reversed(moves):
        point = move.domain.all_at(move.arguments, point)
    return point


CASES = [
    (["P_iA = P_iB"], ["identify"]),
    (["P_iA = 1 - P_iB"], ["identify"]),
    (["P_iA = P_iB", "P_iB = P_A", "P_A = P_iA"], ["identify", "identify"]),
    (["P_A = 1/3"], ["fix"]),
    (["P_A = 1/3", "P_iA = P_A"], ["fix", "fix"]),
    (["P_iA >= 1/2", "P_iA <= 3/4"], ["bound"]),
    (["P_iA >= 1/2", "P_iA >= 2/3"], ["bound"]),
    (["2*P_A + P_iA*P_iB = 1"], ["solve"]),
    (["P_A >= 3/4", "P_A <= 1/4"], []),
    (["P_A*P_iA = 1/2"], []),
]


@pytest.mark.parametrize(("given", "steps"), CASES)
def test_points_of_the_small_domain_are_the_points_that_satisfy_what_was_used(given, steps):
    problem = problem_of("P_A + 2*P_iA + 4*P_iB >= 0", given)
    small, moves = prepare(problem)
    assert kinds(moves) == steps
    used = {k for move in moves for k in move.used}
    grid = [Fraction(k, 4) for k in range(5)]
    seen = 0
    for values in product(grid, repeat=sum(size == 2 for size in small.domain.sizes)):
        rest = iter(values)
        point = []
        for size in small.domain.sizes:
            x = next(rest) if size == 2 else None
            point += [Fraction(1)] if size == 1 else [x, 1 - x]
        old = back(small, moves, tuple(point))
        inside = all(v >= 0 for v in small.domain.all_at(small.left, tuple(point)))
        if inside:
            assert min(old) >= 0
            assert all(
                problem.value(g, old, []) >= 0
                if g.relation != "="
                else not problem.value(g, old, [])
                for g in problem.given
                if g.number in used
            )
            seen += 1
        assert problem.domain.at(problem.claim.polynomial, old) == small.domain.at(
            small.claim.polynomial, tuple(point)
        )
    assert seen


def test_bounds_of_three_labels_at_once():
    problem = problem_of("P_A >= 0", ["P_A >= 1/4", "P_C >= 1/8", "P_B >= 1/8"], labels=3)
    _, moves = prepare(problem)
    step = moves[0].step
    assert step == {
        "step": "bound",
        "block": 0,
        "lower": ["1/4", "1/8", "1/8"],
        "givens": [0, 2, 1],
    }


def test_strict_bounds_may_be_kept():
    problem = problem_of("P_iA > 0", ["P_iA > 1/2"])
    assert kinds(prepare(problem)[1]) == ["bound"]
    small, moves = prepare(problem, keep_strict=True)
    assert kinds(moves) == []
    assert [g.relation for g in small.given] == [">"]


@pytest.mark.parametrize(
    ("claim", "labels", "judges", "left"),
    [
        ("f_Ai + f_Aj >= f_AiAj", 3, 2, 2),  # one of them said A, or neither
        ("f_Ai + 2*f_Aj >= f_AiAj", 3, 2, 3),  # j said A, i alone did, or neither
        ("g_i >= 0", 2, 3, 2),
        ("P_A >= 0", 2, 1, 2),
    ],
)
def test_cells_that_nothing_tells_apart_become_one(claim, labels, judges, left):
    small, moves = prepare(problem_of(claim, [], judges, labels, "axioms"))
    assert small.domain.sizes == (left,)
    assert {move.step["step"] for move in moves} == {"merge"}
