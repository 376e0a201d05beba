import pytest

from algeval.algebra.language import system
from algeval.algebra.statements import Space, read_problem, read_texts, relation_of
from algeval.errors import DataError

KNOWN = system("independent", 2)


def test_chains_definitions_and_other_signs_come_into_one_form():
    texts = read_texts(" loss ≤ 1−P_A ", "1/10 <= P_A < 9/10", {"loss": "P_A*(1 - P_iA)"}, KNOWN)
    assert texts.claim == "loss <= 1-P_A"
    assert texts.given == ("1/10 <= P_A", "P_A < 9/10")
    assert texts.define == {"loss": "P_A*(1 - P_iA)"}
    assert texts.sides(texts.claim) == ("(P_A*(1 - P_iA)) ", "<=", " 1-P_A")
    assert relation_of("a < b") == "<"


def test_definitions_rest_on_definitions_and_come_before_names():
    texts = read_texts("x > 0", [], {"x": "y^2 + 1", "y": "P_A - x2", "x2": "1e-9"}, KNOWN)
    assert texts.expanded(texts.claim) == "((P_A - (1e-9))^2 + 1) > 0"
    shadowed = read_texts("P_iA >= z", "d_i >= z", {"P_iA": "P_jA", "z": "1/2"}, KNOWN)
    assert shadowed.define == {}
    assert shadowed.claim == "(P_jA) >= (1/2)"
    assert shadowed.given == ("d_i >= (1/2)",)
    braced = read_texts("mine_{i,A} >= 0", [], {"mine_{i, A}": "P_A"}, KNOWN)
    assert braced.claim == "(P_A) >= 0"


@pytest.mark.parametrize(
    ("claim", "given", "define", "words"),
    [
        ("0 <= P_A <= 1", [], {}, "must have one relation"),
        ("P_A >= 1/2 => P_B <= 1/2", [], {}, "write premises as"),
        ("P_A != 1", [], {}, "must be one relation"),
        ("x > 0", [], {"x": "y", "y": "x"}, "x -> y -> x; break the circle"),
        ("x > 0", [], {"x": "P_A > 0"}, "must be an expression"),
        ("x > 0", [], {"1x": "P_A"}, "rename it"),
        ("P_A > 0", ["1 <= P_A >= 0"], {}, "must go one way"),
        (3, [], {}, "must be text"),
    ],
)
def test_what_cannot_be_read_is_refused(claim, given, define, words):
    with pytest.raises(DataError, match=words):
        read_texts(claim, given, define, KNOWN)


def test_larger_minus_smaller_over_divisors_in_order():
    space = Space(system("axioms", 1))
    texts = read_texts("P_iA < prec_i", ["1/P_B >= P_A", "P_A = 1/2"], {}, space._known)
    problem = read_problem(texts, space)
    a, b = space.joint(0).top, space.joint(None, (0,), (0,)).top
    assert problem.divisors == (a, b, space.joint(1).top)
    right = space.joint(0, (0,), (0,)).top
    assert problem.claim.polynomial == right * a - right * b
    assert (problem.claim.relation, problem.claim.odd) == (">", (0, 1)) or set(
        problem.claim.odd
    ) == {0, 1}
    assert [g.relation for g in problem.given] == [">=", "="]
    assert [g.plain for g in problem.given] == [False, True]
