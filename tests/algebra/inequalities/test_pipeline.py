"""Stages in order, the time limit, and what an outcome tells."""

from fractions import Fraction

from algeval import progress
from algeval.algebra.inequalities import Domain, Problem, Statement
from algeval.algebra.inequalities_search import decide
from algeval.progress import CountedClock

SQUARE = Domain((2, 2))
X, Y = SQUARE.coordinates[0], SQUARE.coordinates[2]
ONE = SQUARE.one


def never(point):
    return False


def problem(polynomial, relation=">=", given=(), divisors=()):
    listed = tuple(Statement(p, r, powers, k) for k, (p, r, powers) in enumerate(given))
    return Problem(SQUARE, Statement(polynomial, relation), listed, tuple(divisors))


def test_what_cannot_be_confirmed_is_not_refuted():
    seen = []

    def confirm(point):
        seen.append(point)
        return len(seen) == 2

    outcome = decide(problem(X - Y), CountedClock(5), confirm=confirm)
    assert (outcome.verdict, len(seen)) == ("refuted", 2)
    assert all(SQUARE.at(X - Y, point) < 0 for point in seen)
    outcome = decide(problem(X - Y), CountedClock(3), confirm=never)
    assert (outcome.verdict, outcome.least) == ("open", -1)
    assert outcome.feasible


def test_time_is_over_before_it_begins():
    outcome = decide(problem((X - Y) ** 2 + ONE / 9, ">"), CountedClock(0), confirm=never)
    assert outcome.verdict == "open"
    assert outcome.tried[-1] == "time ran out"


def test_the_cheapest_stage_that_succeeds_is_told():
    assert decide(problem(X + Y), CountedClock(5), confirm=never).tried == ["coefficients"]
    outcome = decide(problem((X - Y) ** 2 * (X + Y)), CountedClock(5), confirm=never)
    assert outcome.tried[-1] == "factors"


def test_a_divisor_without_a_sign_proves_nothing():
    over = Problem(SQUARE, Statement(X, ">=", ((0, 1),)), (), (X - Y,))
    outcome = decide(over, CountedClock(5), confirm=never)
    assert outcome.verdict == "open"
    assert "the sign of divisor 1, which was not found" in outcome.tried
    even = Problem(SQUARE, Statement(X, ">=", ((0, 2),)), (), (X - Y,))
    outcome = decide(even, CountedClock(5), confirm=never)
    assert (outcome.verdict, outcome.denominators) == ("proved", [{"sign": 1}])


def test_a_sign_may_rest_on_hypotheses_that_do_not_divide():
    given = [(X - Y, ">=", ())]
    over = problem(X, ">=", given, [X - Y])
    over = Problem(SQUARE, Statement(X, ">=", ((0, 1),)), over.given, over.divisors)
    outcome = decide(over, CountedClock(5), confirm=never)
    assert outcome.verdict == "proved"
    # circular: (X - Y)/(X - Y) >= 0 says nothing about the sign of X - Y
    circle = [(X - Y, ">=", ((0, 1),))]
    over = Problem(SQUARE, Statement(X, ">=", ((0, 1),)), problem(X, ">=", circle).given, (X - Y,))
    assert decide(over, CountedClock(5), confirm=never).verdict == "open"


def test_differences_are_of_the_sides_and_not_of_numerators():
    over = Problem(SQUARE, Statement(X, ">=", ((0, 1),)), (), (X + Y,))
    point = tuple(map(Fraction, ("1/4", "3/4", "1/4", "3/4")))
    assert over.difference(point) == Fraction(1, 2)
    assert over.signs(point) == [1]


def test_a_part_ends_by_counted_work_whatever_the_clock_says(monkeypatch):
    monkeypatch.setattr(progress, "monotonic", lambda: 0.0)
    whole = CountedClock(5)
    part = whole.part(1.0)
    assert not part.over_before(0.6)
    assert not part.over_before(0.6)
    assert part.over
    assert part.part(3.0).over
    assert not whole.over
    assert not whole.part(share=0.5).over
