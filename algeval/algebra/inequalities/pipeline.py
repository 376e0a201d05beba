"""One question after the other way of proving it, the cheapest first, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from algeval.algebra.inequalities.coefficients import coefficients
from algeval.algebra.inequalities.combination import combination, follows, is_given, multiplied
from algeval.algebra.inequalities.domain import Point, Polynomial
from algeval.algebra.inequalities.factors import factors, signed
from algeval.algebra.inequalities.goal import Deadline, Given, Goal, Node
from algeval.algebra.inequalities.orders import orders
from algeval.algebra.inequalities.problem import Move, Problem
from algeval.algebra.inequalities.program import Shape
from algeval.algebra.inequalities.search import Search
from algeval.algebra.inequalities.splits import affine_block, corners, split
from algeval.algebra.inequalities.squares import forms
from algeval.algebra.inequalities.steps import prepare
from algeval.algebra.inequalities.times import multiples

__all__ = ["Outcome", "decide"]

Confirm = Callable[[Point], bool]


@dataclass
class Outcome:
    """What came of a question.

    Attributes
    ----------
    verdict : str
        "proved", "refuted", "contradiction" or "open".
    node : dict or None
        The proof of the claim, or that the hypotheses exclude one another.
    moves, denominators
        The steps to the small domain and the signs of the divisors, as certificates write them.
    strict : bool
        Of a contradiction: whether 0 > 0 was proved, and not -1 >= 0.
    feasible : bool
        Whether a point was seen at which all hypotheses hold.
    tried : list of str
        What was tried, in words.
    least : Fraction or None
        The least value seen of larger minus smaller side.
    """

    verdict: str = "open"
    node: Node | None = None
    moves: Sequence[Move] = ()
    denominators: list[Node] = field(default_factory=list)
    strict: bool = False
    feasible: bool = False
    tried: list[str] = field(default_factory=list)
    least: Fraction | None = None


def decide(
    problem: Problem,
    deadline: Deadline,
    *,
    confirm: Confirm,
    squares: Sequence[Polynomial] = (),
    named: Sequence[Polynomial] = (),
) -> Outcome:
    """Decide a problem, or say what was tried.

    Parameters
    ----------
    problem : Problem
    deadline : Deadline
    confirm : callable
        Told of every point that refutes the claim; returns whether that settles it.
    squares : sequence of polynomials
        On the problem's domain: forms whose squares may help.
    named : sequence of polynomials
        What the names in the claim stand for: such forms may be made of them.
    """
    outcome = Outcome()
    strict = problem.claim.relation == ">" and any(g.relation == ">" for g in problem.given)
    for keep in (True, False) if strict else (False,):
        part = deadline.part(deadline.left() / 2) if keep else deadline
        attempt = _Attempt(problem, part, confirm, (squares, named), keep_strict=keep)
        outcome = attempt.run(outcome.tried)
        if outcome.verdict != "open":
            break
    return outcome


class _Attempt:
    """One way to use the hypotheses, through all stages."""

    def __init__(
        self,
        problem: Problem,
        deadline: Deadline,
        confirm: Confirm,
        helping: tuple[Sequence[Polynomial], Sequence[Polynomial]],
        *,
        keep_strict: bool,
    ) -> None:
        self.deadline, self.confirm = deadline, confirm
        self.small, self.moves = prepare(problem, keep_strict=keep_strict)
        self.search = Search(problem, self.small, self.moves)
        self.squares, self.named = ([self._moved(q) for q in part] for part in helping)

    def _moved(self, polynomial: Polynomial) -> Polynomial:
        for move in self.moves:
            domain = move.domain
            polynomial = domain.affine(domain.through(polynomial, move.arguments))
        return polynomial

    def run(self, tried: list[str]) -> Outcome:
        """Go through the stages."""
        outcome = Outcome(moves=self.moves, tried=tried)
        if self._refuted(self.search.simple(self.deadline.part(1.0))):
            outcome.verdict = "refuted"
        else:
            self._settle(outcome)
        outcome.least, outcome.feasible = self.search.least, self.search.feasible
        return outcome

    def _refuted(self, points: Iterable[Point]) -> bool:
        return any(self.confirm(point) for point in points)

    def _settle(self, outcome: Outcome) -> None:
        signs = self._signs(outcome)
        if not self.search.feasible and self._optimum_refutes(outcome):
            return
        goal = None if signs is None else _goal(self.small, signs)
        if not self.search.feasible and self._contradiction(outcome, goal):
            return
        if goal is None:
            self._optimum_refutes(outcome)
            return
        for name, stage in self._stages(goal):
            if self.deadline.passed:
                outcome.tried.append("time ran out")
                return
            outcome.tried.append(name)
            node = stage()
            if node is not None:
                outcome.verdict, outcome.node = "proved", node
                return
            if name == _QUICK[-1] and self._optimum_refutes(outcome):
                return

    def _optimum_refutes(self, outcome: Outcome) -> bool:
        outcome.tried.append("optimisation for a counterexample")
        refuted = self._refuted(self.search.optimised(self.deadline.part(3.0)))
        outcome.verdict = "refuted" if refuted else outcome.verdict
        return refuted

    def _contradiction(self, outcome: Outcome, goal: Goal | None) -> bool:
        if goal is None:
            return False
        absurd = goal.about(-goal.domain.one, strict=False)
        positive = goal.about(0 * goal.domain.one, strict=True)
        for asked, shape in product((absurd, positive), (Shape(1), Shape(2), Shape(2, 1))):
            node = combination(asked, shape, self.deadline.part(3.0))
            if node is not None:
                outcome.verdict, outcome.node = "contradiction", node
                outcome.strict = asked.strict
                return True
        return False

    def _signs(self, outcome: Outcome) -> list[int] | None:
        """Return the sign of each divisor, 0 where it is open; None if an open one matters."""
        relations = [s for s in (self.small.claim, *self.small.given) if s.relation != "="]
        needed = {k for statement in relations for k in statement.odd}
        ge = tuple(
            Given(g.polynomial, g.relation == ">") if g.plain else None
            for g in self.small.given
            if g.relation != "="
        ) + tuple(Given(p, False) for p in self.small.left)
        eq = tuple(g.polynomial for g in self.small.given if g.relation == "=")
        signs = []
        for k, divisor in enumerate(self.small.divisors):
            goal = Goal(self.small.domain, divisor, False, ge, eq)
            found = signed(goal, self._quickly if k in needed else coefficients)
            if found is None and k in needed:
                outcome.tried.append(f"the sign of divisor {k + 1}, which was not found")
                return None
            signs.append(found[0] if found else 0)
            entry = {"sign": found[0], "proof": found[1]} if found else {"sign": 1}
            outcome.denominators.append(entry)
        return signs

    def _quickly(self, goal: Goal) -> Node | None:
        return quick(goal, self.deadline.part(1.0))

    def _stages(self, goal: Goal) -> list[tuple[str, Callable[[], Node | None]]]:
        part = self.deadline.part
        if self.small.claim.relation == "=":
            return [
                (_QUICK[-1], lambda: follows(goal, 0, part(5.0))),
                ("cofactors one degree higher", lambda: follows(goal, 1, part(8.0))),
                ("cofactors two degrees higher", lambda: follows(goal, 2, part(8.0))),
            ]
        ordered = ("orders of the coordinates", lambda: orders(goal, self._quickly))
        alone = not goal.hypotheses  # hypotheses are used better by what follows
        return [
            (_QUICK[0], lambda: is_given(goal) or coefficients(goal)),
            (_QUICK[1], lambda: factors(goal, self._quickly)),
            *([ordered] if alone else []),
            (
                _QUICK[2],
                lambda: combination(goal, Shape(1), part(4.0)) if goal.hypotheses else None,
            ),
            ("products of two hypotheses", lambda: _if_given(goal, Shape(2), part(5.0))),
            ("halves and corners", lambda: _by_parts(goal, part(4.0))),
            ("one degree higher", lambda: combination(goal, Shape(2, 1), part(5.0))),
            *([] if alone else [ordered]),
            (
                "positive multiples",
                lambda: multiples(goal, part(5.0)) or multiplied(goal, part(5.0)),
            ),
            ("squares", lambda: self._by_squares(goal)),
            (
                "halves after halves",
                lambda: split(goal, 40 if len(goal.domain.sizes) == 1 else 9, part(4.0)),
            ),
        ]

    def _by_squares(self, goal: Goal) -> Node | None:
        for found in forms(goal, self.squares, self.named, self.deadline.part(3.0)):
            for products in (0, 1) if goal.hypotheses else (0,):
                node = combination(goal, Shape(products, squares=found), self.deadline.part(4.0))
                if node is not None:
                    return node
        return None


_QUICK = ("coefficients", "factors", "combination of the hypotheses")


def _goal(small: Problem, signs: Sequence[int]) -> Goal:
    """Return the goal with signs multiplied in; divisors whose sign is proved come last among `ge`."""

    def turned(polynomial: Polynomial, odd: Sequence[int]) -> Polynomial:
        for k in odd:
            polynomial = signs[k] * polynomial
        return polynomial

    ge = [
        Given(turned(g.polynomial, g.odd), g.relation == ">")
        for g in small.given
        if g.relation != "="
    ]
    ge += [Given(p, False) for p in small.left]
    proved = [k for k, sign in enumerate(signs) if sign]
    places = {k: len(ge) + place for place, k in enumerate(proved)}
    ge += [Given(signs[k] * small.divisors[k], True) for k in proved]
    eq = tuple(g.polynomial for g in small.given if g.relation == "=")
    equal = small.claim.relation == "="
    claim = small.claim.polynomial if equal else turned(small.claim.polynomial, small.claim.odd)
    return Goal(small.domain, claim, small.claim.relation == ">", tuple(ge), eq, places)


def quick(goal: Goal, deadline: Deadline) -> Node | None:
    """Return a proof that is found in no time, or None."""
    found = is_given(goal) or coefficients(goal)
    if found is None and goal.hypotheses and goal.polynomial.total_degree() <= 4:
        found = combination(goal, Shape(1), deadline)
    if found is None and not deadline.passed:
        found = factors(goal, lambda one: quick(one, deadline))
    return split(goal.without_givens(), 3, deadline) if found is None else found


def _if_given(goal: Goal, shape: Shape, deadline: Deadline) -> Node | None:
    return combination(goal, shape, deadline) if goal.hypotheses else None


def _by_parts(goal: Goal, deadline: Deadline) -> Node | None:
    """Return a proof at the corners of blocks in which the claim is affine, then by halves."""
    if deadline.passed:
        return None
    found = coefficients(goal)
    if found is not None:
        return found
    bare = goal.without_givens()
    for one in (goal, bare):
        block = affine_block(one)
        if block is not None:
            node = corners(one, block, lambda corner: _by_parts(corner, deadline))
            return node if node is None or one is goal else goal.dropped(node)
    busy = sum(d > 0 for d in goal.domain.degree(goal.polynomial))
    return split(goal, 40 if busy == 1 else 7, deadline)
