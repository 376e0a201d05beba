"""`relations`: what the counts of independent judges must satisfy."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb, gcd, lcm
from typing import Any, ClassVar, NamedTuple

import numpy as np
from flint import fmpq, nmod_mat
from numpy.typing import NDArray

from algeval.algebra.basis_worker import solve_in_time
from algeval.algebra.language import ProofModel, System, system
from algeval.algebra.proving import Proof, Verdict, prove
from algeval.algebra.ring import Clock, Ring
from algeval.algebra.statements import read_identity
from algeval.data.names import check_number, check_whole
from algeval.errors import DataError, NotSolvedError, TooLargeError
from algeval.progress import CountedClock
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- Arithmetic modulo one large prime: values of expressions, null spaces, and the fractions they
# stand for.
#
# Relations among statistics are linear dependences among monomials of their values at random points. A
# wrong prime or unlucky points can only show a dependence that is none, and those are proved before they
# are believed, or hide none: a true dependence holds modulo every prime that divides no denominator.


AnyExpr = Any  # sympy.Expr; SymPy is untyped
Residues = NDArray[Any]
"""Python integers modulo `PRIME`."""
Monomial = tuple[int, ...]

PRIME = 2**61 - 1


def value_at(expression: AnyExpr, value: Callable[[AnyExpr], Residues]) -> Residues:
    """Rational expression at many points, given the values of its symbols there."""
    if expression.is_Symbol:
        return value(expression)
    if expression.is_Rational:
        number = int(expression.p) * pow(int(expression.q), -1, PRIME) % PRIME
        return np.array(number, object)
    if expression.is_Pow:
        return _power(value_at(expression.base, value), int(expression.exp))
    result, *rest = (value_at(part, value) for part in expression.args)
    for part in rest:
        result = (result + part if expression.is_Add else result * part) % PRIME
    return result


def _power(base: Residues, exponent: int) -> Residues:
    if exponent < 0 and not np.all(base):
        raise ZeroDivisionError("a denominator is zero")
    result: Residues = np.frompyfunc(lambda x: pow(x, exponent, PRIME), 1, 1)(base)
    return np.asarray(result, object)


def monomials(n: int, degree: int) -> list[Monomial]:
    """Exponents of all monomials in n variables up to a degree, by degree.

    Examples
    --------
    >>> monomials(2, 2)
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
    """
    return [
        tuple(chosen.count(k) for k in range(n))
        for size in range(degree + 1)
        for chosen in combinations_with_replacement(range(n), size)
    ]


class Dependences(NamedTuple):
    """Polynomials that vanish at all points, each with one monomial that only it has, its leader."""

    monomials: list[Monomial]  # by degree
    # places of the leaders; every other monomial of a dependence stands before its leader
    leaders: list[int]
    pivots: list[int]  # places of the others
    # per dependence, the coefficients of the pivots; that of the leader is 1
    table: list[list[int]]

    def polynomial(self, row: int) -> dict[Monomial, int]:
        """Return one dependence, residues by monomial."""
        pairs = zip(self.pivots, self.table[row], strict=True)
        lower = {self.monomials[index]: value for index, value in pairs if value}
        return lower | {self.monomials[self.leaders[row]]: 1}

    def beyond(self, earlier: Sequence[dict[Monomial, int]]) -> list[int]:
        """Rows that complete the span of known polynomials to all dependences."""
        index = {self.monomials[k]: column for column, k in enumerate(self.leaders)}
        width = len(self.leaders)
        rows = [[0] * width for _ in earlier]
        for row, polynomial in zip(rows, earlier, strict=True):
            for monomial, value in polynomial.items():
                if monomial in index:  # the largest first, so that small ones are left over
                    row[width - 1 - index[monomial]] = value % PRIME
        taken = {width - 1 - column for column in _reduced(rows)[1]} if earlier and width else set()
        return [row for row in range(width) if row not in taken]


def dependences(values: Residues, result: list[Monomial]) -> Dependences:
    """Linear dependences of monomials of (points, n) values."""
    columns: dict[Monomial, Residues] = {}
    for monomial in result:
        k = next((k for k, power in enumerate(monomial) if power), None)
        if k is None:
            columns[monomial] = np.full(len(values), 1, object)
        else:
            lower = (*monomial[:k], monomial[k] - 1, *monomial[k + 1 :])
            columns[monomial] = columns[lower] * values[:, k] % PRIME
    reduced, pivots = _reduced(np.stack([columns[m] for m in result], axis=1).tolist())
    leaders = [index for index in range(len(result)) if index not in set(pivots)]
    table = [[-int(reduced[k, leader]) % PRIME for k in range(len(pivots))] for leader in leaders]
    return Dependences(result, leaders, pivots, table)


def _reduced(rows: list[list[int]]) -> tuple[Any, list[int]]:
    """Reduced row echelon form, and the columns of its pivots."""
    matrix, rank = nmod_mat(rows, PRIME).rref()
    pivots: list[int] = []
    width = len(rows[0])
    for k in range(rank):
        start = pivots[-1] + 1 if pivots else 0
        pivots.append(next(j for j in range(start, width) if int(matrix[k, j])))
    return matrix, pivots


def fraction_of(residue: int) -> Fraction | None:
    """Fraction of smallest size with this residue; None if all are too large to trust.

    Examples
    --------
    >>> fraction_of(2 * pow(3, -1, PRIME) % PRIME)
    Fraction(2, 3)
    """
    bound = math.isqrt(PRIME // 2)
    before, now = (PRIME, 0), (residue % PRIME, 1)
    while now[0] > bound:
        times = before[0] // now[0]
        before, now = now, (before[0] - times * now[0], before[1] - times * now[1])
    return Fraction(*now) if 0 < abs(now[1]) <= bound else None


# --- Statistics as quotients of polynomials in free parameters, hypotheses solved and put in.
#
# A hypothesis is an equation that is irreducible and linear in some parameter; that parameter is
# then a quotient of the others, and whatever is found holds wherever it is defined.


Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly


@dataclass(frozen=True, eq=False)
class Parametrised:
    """Statistics under hypotheses."""

    known: System
    statistics: tuple[Expr, ...]  # in parameters and observables of the system
    # {parameter: its quotient in others}, in the order in which they were put in
    solved: dict[Expr, Expr]
    ring: Ring  # the parameters
    # the statistics in parameters that are neither solved nor merged: polynomials of `ring`
    quotients: tuple[tuple[Polynomial, Polynomial], ...] = field(repr=False)

    def points(self, n: int) -> Residues:
        """Statistics (n, k) at n random points modulo the prime."""
        values: dict[Expr, Residues] = {}

        def value(symbol: Expr) -> Residues:
            if symbol not in values:
                values[symbol] = self._value(symbol, value, n)
            return values[symbol]

        columns = [np.broadcast_to(value_at(each, value), n) for each in self.statistics]
        return np.stack(columns, axis=1)

    def _value(self, symbol: Expr, value: Callable[[Expr], Residues], n: int) -> Residues:
        if symbol in self.solved:
            return value_at(self.solved[symbol], value)
        if symbol in self.known.observables:
            return value_at(self.known.observables[symbol], value)
        return np.array([secrets.randbelow(PRIME) for _ in range(n)], object)


def parametrise(
    setting: System, texts: Sequence[str], given: Sequence[str], clock: Clock
) -> Parametrised:
    """Read statistics and hypotheses."""
    claims = [read_identity(text, setting) for text in texts]
    conditions = [read_identity(text, setting) for text in given]
    ring = Ring(setting.parameters, clock)
    encoded = dict(ring.generators)

    def pair(expression: Expr) -> tuple[Polynomial, Polynomial]:
        for symbol in sorted(expression.free_symbols, key=_place(setting)):
            _encode(setting, ring, encoded, symbol)
        return ring.quotient(expression, encoded)

    solver = _Solver(ring)
    for text, condition in zip(given, conditions, strict=True):
        left, right = pair(condition.left), pair(condition.right)
        solver.take(text, ring.times(left[0], right[1]) - ring.times(right[0], left[1]))
    statistics = tuple(claim.left - claim.right for claim in claims)
    quotients = [solver.put_in(*pair(each)) for each in statistics]
    merged = _merged(ring, quotients)
    return Parametrised(setting, statistics, solver.expressions(), ring, tuple(merged))


def _place(setting: System) -> Callable[[Expr], int]:
    order = {symbol: index for index, symbol in enumerate(setting.observables)}
    return lambda symbol: order.get(symbol, -1)


def _encode(setting: System, ring: Ring, encoded: dict[Expr, Polynomial], symbol: Expr) -> None:
    """Add an observable, and those it is made of, as polynomials in the parameters."""
    if symbol in encoded:
        return
    definition = setting.observables[symbol]
    for part in sorted(definition.free_symbols, key=_place(setting)):
        _encode(setting, ring, encoded, part)
    encoded[symbol] = ring.polynomial(definition, encoded)


class _Solver:
    """Parameters solved from hypotheses, one after the other."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.found: dict[Expr, tuple[Polynomial, Polynomial]] = {}

    def take(self, text: str, polynomial: Polynomial) -> None:
        """Solve one hypothesis, given as a polynomial that is zero."""
        polynomial = self.put_in(polynomial, self.ring.one)[0]
        if polynomial.is_zero():
            return
        factors = [
            self.ring.polynomial(f, self.ring.generators) for f in self.ring.factors(polynomial)
        ]
        if not factors:
            raise DataError(
                f"hypotheses must be fulfilled by some exam; {text!r} contradicts the model or the "
                "hypotheses before it; leave it out"
            )
        if len(factors) > 1:
            several = " or ".join(f"{self.ring.expression(f)} = 0" for f in factors)
            raise DataError(
                f"a hypothesis must say one thing; {text!r} says {several}; give the one you mean"
            )
        self._solve(text, factors[0])

    def _solve(self, text: str, polynomial: Polynomial) -> None:
        linear = [
            (len(slope), symbol, slope, rest)
            for symbol in self.ring.symbols
            for degree, slope, rest in [self._as_linear(polynomial, symbol)]
            if degree == 1
        ]
        if not linear:
            raise DataError(
                f"a hypothesis must be linear in some parameter to be put in; got {text!r}; state it "
                "as equations of accuracies or prevalences"
            )
        _, symbol, slope, rest = min(linear, key=lambda found: found[0])
        self.found[symbol] = (-rest, slope)

    def _as_linear(
        self, polynomial: Polynomial, symbol: Expr
    ) -> tuple[int, Polynomial, Polynomial]:
        """Degree, slope and constant in one symbol."""
        degree = int(polynomial.degrees()[self.ring.symbols.index(symbol)])
        if degree != 1:
            return degree, None, None
        rest = self.ring.substitute(polynomial, {symbol: self.ring.one - self.ring.one})
        at_one = self.ring.substitute(polynomial, {symbol: self.ring.one})
        return degree, at_one - rest, rest

    def put_in(self, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Quotient with all solved parameters replaced, in lowest terms."""
        for symbol, (over, under) in self.found.items():
            (top, a), (bottom, b) = (self._replaced(p, symbol, over, under) for p in (top, bottom))
            top, bottom = self._scaled(top, under, b - a), self._scaled(bottom, under, a - b)
        if bottom.is_zero():
            raise DataError(
                "a statistic must be defined under the hypotheses; its denominator is 0"
            )
        shared = self.ring.common(top, bottom)
        return (top, bottom) if shared.is_one() else (top / shared, bottom / shared)

    def _scaled(self, polynomial: Polynomial, factor: Polynomial, times: int) -> Polynomial:
        for _ in range(times):
            polynomial = self.ring.times(polynomial, factor)
        return polynomial

    def _replaced(
        self, polynomial: Polynomial, symbol: Expr, over: Polynomial, under: Polynomial
    ) -> tuple[Polynomial, int]:
        """Return (f(over / under) * under^degree, degree) of a polynomial f in one symbol."""
        index = self.ring.symbols.index(symbol)
        degree = int(polynomial.degrees()[index]) if not polynomial.is_zero() else 0
        parts: list[dict[Any, Any]] = [{} for _ in range(degree + 1)]
        for powers, value in polynomial.to_dict().items():
            lower = (*powers[:index], 0, *powers[index + 1 :])
            parts[int(powers[index])][lower] = value
        total = self.ring.one - self.ring.one
        for part in reversed(range(degree + 1)):
            coefficient = self._scaled(
                polynomial.context().from_dict(parts[part]), under, degree - part
            )
            total = self.ring.times(total, over) + coefficient
        return total, degree

    def expressions(self) -> dict[Expr, Expr]:
        """Solved parameters as SymPy quotients, each in parameters solved later or free."""
        ring = self.ring
        return {s: ring.expression(a) / ring.expression(b) for s, (a, b) in self.found.items()}


def _merged(
    ring: Ring, quotients: list[tuple[Polynomial, Polynomial]]
) -> list[tuple[Polynomial, Polynomial]]:
    """Quotients with one of every two parameters that enter only by their sum set to 0."""
    everything = [p for quotient in quotients for p in quotient]
    gone: set[int] = set()
    for i, j in combinations(range(len(ring.symbols)), 2):
        used = any(int(p.degrees()[j]) > 0 for p in everything if not p.is_zero())
        if i in gone or j in gone or not used:
            continue
        if all(p.derivative(i) == p.derivative(j) for p in everything):
            gone.add(j)
    zero = {ring.symbols[j]: ring.one - ring.one for j in gone}
    return [(ring.substitute(a, zero), ring.substitute(b, zero)) for a, b in quotients]


# --- Are these all relations? Elimination of the parameters, and a division by what is known.


EliminationPolynomial = dict[tuple[int, ...], Fraction]
"""Coefficients by powers of the statistics."""


class Eliminated(NamedTuple):
    """A lexicographic basis of all relations, and those of them that do not follow from known ones."""

    basis: tuple[EliminationPolynomial, ...]
    missing: tuple[EliminationPolynomial, ...]


def eliminate(
    curve: Parametrised, earlier: Sequence[EliminationPolynomial], time_limit: float | None
) -> Eliminated | Status:
    """Return all relations of parametrised statistics, or that time or the limits of size ran out.

    The parameters, and one more by which all denominators times it are 1, stand above the statistics
    in a lexicographic order, so the elements of the basis without them generate all relations.
    """
    job = _job(curve, earlier)
    outcome = solve_in_time(job, time_limit)
    if outcome["status"] != "ok":
        return Status(outcome["status"])
    n = job["unknowns"]
    free = [terms for terms in outcome["basis"] if not any(any(p[:n]) for p, _ in terms)]
    return Eliminated(
        *(
            tuple({tuple(powers[n:]): Fraction(c) for powers, c in terms} for terms in rows)
            for rows in (free, outcome["missing"])
        )
    )


def _job(curve: Parametrised, earlier: Sequence[EliminationPolynomial]) -> dict[str, Any]:
    """Ideal of denominator * statistic - numerator, and of the denominators' inverse."""
    used = [k for k, _ in enumerate(curve.ring.symbols) if _uses(curve, k)]
    n, m = len(used) + 1, len(curve.quotients)
    nothing = [0] * m
    rows, product = [], curve.ring.one
    for index, (top, bottom) in enumerate(curve.quotients):
        named = [int(k == index) for k in range(m)]
        terms = [[[0, *_powers(p, used), *named], str(c)] for p, c in bottom.to_dict().items()]
        terms += [[[0, *_powers(p, used), *nothing], str(-c)] for p, c in top.to_dict().items()]
        rows.append(terms)
        product = product if bottom.is_constant() else product * bottom
    inverse = [[[1, *_powers(p, used), *nothing], str(c)] for p, c in product.to_dict().items()]
    rows.append([*inverse, [[0] * (n + m), "-1"]])
    named_only = [[[[0] * n + list(p), str(c)] for p, c in meaning.items()] for meaning in earlier]
    return {"engine": "flint", "unknowns": n, "symbols": n + m, "rows": rows, "known": named_only}


def _uses(curve: Parametrised, index: int) -> bool:
    parts = (p for quotient in curve.quotients for p in quotient if not p.is_zero())
    return any(int(p.degrees()[index]) > 0 for p in parts)


def _powers(powers: Sequence[Any], used: Sequence[int]) -> list[int]:
    return [int(powers[k]) for k in used]


# --- All relations among chosen statistics: found by linear algebra, each proved exactly.
#
# Monomials of the statistics are evaluated at random points of the model; what depends linearly there is
# lifted to fractions and proved by exact substitution. Whether these are all, of any degree, only
# elimination can say.


_MOST_MONOMIALS = 2_200
_MOST_JUDGES = 10
_WORK = 60.0  # counted, of a question without a limit in seconds
_SPARE_POINTS = 8
"""Points beyond the number of monomials: a chance dependence survives each with probability 1 / PRIME."""

RelationsPolynomial = dict[Monomial, Fraction]


@dataclass(frozen=True, kw_only=True, eq=False)
class Relation(Record):
    """One relation that holds on every exam of the model.

    It was proved by expansion: put in parameters, the polynomial is zero.

    Attributes
    ----------
    text : str
        As an equation in the statistics as they were written.
    degree : int
    terms : tuple of (powers of the statistics, coefficient)
        Coprime whole coefficients; the polynomial that is zero.
    given, model, judges, labels
        What it is about.
    """

    text: str
    degree: int
    terms: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    given: tuple[str, ...] = field(repr=False)
    model: ProofModel = field(repr=False)
    judges: tuple[str, ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)

    @cached_property
    def proof(self) -> Proof | Verdict:
        """A proof that needs nothing of this module, made by `prove` when first asked for."""
        about = {"judges": self.judges, "labels": self.labels, "model": self.model}
        return prove(self.text, given=self.given, **about)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relations(Result):
    """The relations among some statistics, up to a degree.

    Attributes
    ----------
    status : Status
        ok; too_large where some degrees asked for were left out or elimination outgrew its limits;
        time_limit where elimination did not end in time.
    statistics, given : tuple of str
    model, judges, labels
        What the names are about.
    relations : tuple of Relation
        Generators by degree, none of which is a combination of multiples of the others within the
        degrees searched; at most `limit` of them.
    n_found : int
        How many there are.
    searched_degree : int
        None is missing up to this degree.
    complete : bool
        Whether elimination showed that every relation, of any degree, follows from those found.
    eliminated : int or None
        Elements of the lexicographic basis of all relations, each of which was divided by those found.
    """

    schema: ClassVar[str] = "algeval.relations/1"

    statistics: tuple[str, ...]
    given: tuple[str, ...]
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    relations: tuple[Relation, ...]
    n_found: int
    searched_degree: int
    complete: bool
    eliminated: int | None = None

    def as_tables(self) -> tuple[Table, ...]:
        """Row per relation, and the settings."""
        return Table.of_rows(
            "Relations",
            ("degree", "relation"),
            [(relation.degree, relation.text) for relation in self.relations],
        ), scalars(self)

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message, *(f"  {relation.text}" for relation in self.relations)]
        left = self.n_found - len(self.relations)
        return "\n".join([*lines, *[f"  ... and {left} more; raise limit"] * (left > 0)])


def relations(
    statistics: Sequence[str],
    *,
    given: Sequence[str] = (),
    degree: int = 3,
    limit: int = 20,
    complete: bool = False,
    judges: int | Iterable[object] | None = None,
    labels: int | Iterable[object] = 2,
    model: ProofModel = "independent",
    time_limit: float | None = None,
) -> Relations:
    """All polynomial relations among statistics of judges, each with a proof.

    Parameters
    ----------
    statistics : sequence of str
        Names, or arithmetic on names, as in `prove`.
    given : sequence of str
        Equations that hold besides, each linear in some parameter, such as "P_A = 1/2".
    degree : int
        Up to which degree in the statistics to look.
    limit : int
        Relations to return, those of least degree first; all are proved.
    complete : bool
        Whether to show by elimination that every relation follows from those found, and to add what does
        not.
    judges, labels
        How many, or their names, as in `prove`; None is as many judges as the names speak of.
    model : {"independent", "correlated", "axioms"}
    time_limit : float, optional
        Seconds, for the proofs and again for the elimination. By default work is counted, about a minute
        of a quiet machine, and elimination ends by the size of its polynomials.

    Returns
    -------
    Relations
        Without relations the message says "none up to degree d": there may be some beyond.

    Raises
    ------
    DataError
        If a name is not known, or a hypothesis is contradictory, says one of several things, or is linear
        in no parameter.
    TooLargeError
        If even degree 1 has more than 2,200 monomials.
    NotSolvedError
        If time runs out.

    Notes
    -----
    A relation at all points modulo 2^61 - 1 is lifted to whole numbers and proved; so what is returned
    is true, and what was missed for lack of luck would have a probability of about 10^-18.

    Examples
    --------
    >>> found = relations(["Delta_ij", "Delta_kl", "Delta_ik", "Delta_jl"])
    >>> found.relations[0].text, found.searched_degree
    ('Delta_ij*Delta_kl = Delta_ik*Delta_jl', 3)
    """
    texts, conditions = _texts("statistics", statistics), _texts("given", given, least=0)
    unequal = [text for text in conditions if set("<>≤≥") & set(text)]
    if unequal:
        raise DataError(
            f"given must be equations; got {unequal[0]!r}; leave it out: a relation that holds on an open "
            "part of the model holds on all of it"
        )
    degree, limit = check_whole("degree", degree, 1), check_whole("limit", limit, 1)
    if time_limit is None:
        counted = CountedClock(None, _WORK)
    else:
        counted = CountedClock(check_number("time_limit", time_limit, least=0, strict=True))
    clock = Clock(counted, "the relations")
    searched = _searchable(len(texts), degree)
    setting = _system(model, (*texts, *conditions), judges, labels)
    among = parametrise(setting, texts, conditions, clock)
    result = _generators(among, searched, clock)
    wanted = eliminate(among, result, time_limit) if complete else None
    all_relations = isinstance(wanted, Eliminated)
    if isinstance(wanted, Eliminated):
        result = [*result, *wanted.missing]
    about = {
        "given": conditions,
        "model": model,
        "judges": setting.judges,
        "labels": setting.labels,
    }
    kept = [_proved(among, texts, entry, clock, about) for entry in result][:limit]
    status = Status.OK if searched == degree else Status.TOO_LARGE
    rest = _rest(len(texts), len(result), searched, degree, complete=all_relations)
    if isinstance(wanted, Status):
        status = wanted
        ended = "outgrew its limits" if wanted is Status.TOO_LARGE else "did not end in time"
        rest += f" Elimination {ended}, so there may be others."
    return Relations(
        status=status,
        message=_sentence(setting, texts, conditions, len(result), searched) + rest,
        statistics=texts,
        given=conditions,
        model=model,
        judges=setting.judges,
        labels=setting.labels,
        relations=tuple(kept),
        n_found=len(result),
        searched_degree=searched,
        complete=all_relations,
        eliminated=len(wanted.basis) if isinstance(wanted, Eliminated) else None,
    )


def _texts(name: str, texts: Any, least: int = 1) -> tuple[str, ...]:
    listed = isinstance(texts, Iterable) and not isinstance(texts, str)
    if not listed or not all(isinstance(text, str) for text in texts):
        raise DataError(f"{name} must be a list of texts; got {texts!r}; write ['Delta_ij', 'P_A']")
    values = tuple(dict.fromkeys(text.strip() for text in texts))
    if len(values) < least:
        raise DataError(f"{name} must name at least {least}; got none; write ['Delta_ij', 'P_A']")
    return values


def _system(model: ProofModel, texts: Sequence[str], judges: Any, labels: Any) -> System:
    """Smallest system that knows all names, or the one asked for."""
    labels = labels if isinstance(labels, int | str) else tuple(labels)
    if judges is not None:
        return system(model, judges if isinstance(judges, int | str) else tuple(judges), labels)
    for n in range(1, _MOST_JUDGES + 1):
        setting = system(model, n, labels)
        if not _problem(texts, setting):
            return setting
    raise DataError(_problem(texts, system(model, 3, labels)))


def _problem(texts: Sequence[str], setting: System) -> str:
    """Return why a system cannot read some text, or nothing."""
    for text in texts:
        try:
            read_identity(text, setting)
        except DataError as error:
            return str(error)
    return ""


def _searchable(n: int, degree: int) -> int:
    """Largest degree up to the one asked for whose monomials are few enough."""
    fitting = [d for d in range(1, degree + 1) if comb(n + d, d) <= _MOST_MONOMIALS]
    if not fitting:
        raise TooLargeError(
            f"relations are looked for among at most {_MOST_MONOMIALS} monomials; {n} statistics have more; "
            "choose fewer"
        )
    return fitting[-1]


def _generators(among: Parametrised, degree: int, clock: Clock) -> list[RelationsPolynomial]:
    """Relations of each degree that no multiples of smaller ones make up."""
    n = len(among.statistics)
    results: list[tuple[dict[Monomial, int], RelationsPolynomial]] = []
    for d in range(1, degree + 1):
        clock.check()
        names = monomials(n, d)
        vanishing = dependences(among.points(len(names) + _SPARE_POINTS), names)
        for row in vanishing.beyond([m for entry, _ in results for m in _multiples(entry, d, n)]):
            residues = vanishing.polynomial(row)
            results.append((residues, _lifted(residues)))
    return [polynomial for _, polynomial in results]


def _multiples(entry: dict[Monomial, int], degree: int, n: int) -> list[dict[Monomial, int]]:
    """Polynomial times every monomial that keeps its degree within bounds."""
    own = max(map(sum, entry))
    return [
        {tuple(a + b for a, b in zip(m, factor, strict=True)): c for m, c in entry.items()}
        for factor in monomials(n, degree - own)
    ]


def _lifted(residues: dict[Monomial, int]) -> RelationsPolynomial:
    """Coprime whole coefficients with these residues up to a factor, the leading one positive."""
    values = {monomial: fraction_of(value) for monomial, value in residues.items() if value % PRIME}
    kept = {monomial: value for monomial, value in values.items() if value is not None}
    if len(kept) < len(values):
        raise NotSolvedError(
            "a relation was found whose coefficients are too large to read; ask for a smaller degree"
        )
    scale = Fraction(lcm(*(v.denominator for v in kept.values())))
    scale /= gcd(*(int(v * scale) for v in kept.values()))
    first = kept[max(kept, key=lambda m: (sum(m), m))]
    return {m: v * scale * (1 if first > 0 else -1) for m, v in kept.items()}


def _proved(
    among: Parametrised,
    texts: Sequence[str],
    polynomial: RelationsPolynomial,
    clock: Clock,
    about: dict[str, Any],
) -> Relation:
    """Relation that vanishes exactly."""
    if not _vanishes(among, polynomial, clock):
        raise NotSolvedError(
            "a relation was found modulo a prime that is none; report this as an error"
        )
    terms = tuple((m, int(c)) for m, c in _ordered(polynomial))
    degree = max(map(sum, polynomial))
    return Relation(text=_equation(texts, polynomial), degree=degree, terms=terms, **about)


def _vanishes(among: Parametrised, polynomial: RelationsPolynomial, clock: Clock) -> bool:
    """Whether a polynomial in the statistics is zero in the parameters, by exact expansion."""
    ring, n = among.ring, len(among.statistics)
    highest = [max(m[k] for m in polynomial) for k in range(n)]
    total = ring.one - ring.one
    for monomial, coefficient in polynomial.items():
        clock.check()
        term = ring.one * fmpq(coefficient.numerator, coefficient.denominator)
        for (top, bottom), power, most in zip(among.quotients, monomial, highest, strict=True):
            for factor in [top] * power + [bottom] * (most - power) * (not bottom.is_one()):
                term = ring.times(term, factor)
        total += term
    return bool(total.is_zero())


def _ordered(polynomial: RelationsPolynomial) -> list[tuple[Monomial, Fraction]]:
    return sorted(polynomial.items(), key=lambda found: (sum(found[0]), found[0]), reverse=True)


def _equation(texts: Sequence[str], polynomial: RelationsPolynomial) -> str:
    """Relation with positive terms on both sides."""
    names = [text if text.isidentifier() or _braced(text) else f"({text})" for text in texts]
    sides: dict[bool, list[str]] = {True: [], False: []}
    for monomial, coefficient in _ordered(polynomial):
        sides[coefficient > 0].append(_term(names, monomial, abs(coefficient)))
    return " = ".join(" + ".join(sides[side]) or "0" for side in (True, False))


def _braced(text: str) -> bool:
    return not set("+-*/() ") & set(text) and text.count("{") == 1


def _term(names: Sequence[str], monomial: Monomial, coefficient: Fraction) -> str:
    powers = [
        name if power == 1 else f"{name}^{power}"
        for name, power in zip(names, monomial, strict=True)
        if power
    ]
    return "*".join([str(coefficient)] * (coefficient != 1 or not powers) + powers)


def _sentence(
    setting: System, texts: Sequence[str], conditions: Sequence[str], n_found: int, searched: int
) -> str:
    under = f" given {', '.join(conditions)}" if conditions else ""
    where = f"up to degree {searched} among {how_many(len(texts), 'statistic')} of the {setting.model} model"
    if not n_found:
        return f"No relation {where}{under}."
    return f"{how_many(n_found, 'relation')} {where}{under}, each proved."


def _rest(n: int, n_found: int, searched: int, wanted: int, *, complete: bool) -> str:
    """Return what is known of higher degrees, as more sentences."""
    text = ""
    if complete:
        text = (
            " Every relation of any degree follows from these."
            if n_found
            else " There is none of any degree."
        )
    if wanted > searched:
        text += (
            f" Degree {searched + 1} was left out: {n} statistics have too many monomials there."
        )
    return text
