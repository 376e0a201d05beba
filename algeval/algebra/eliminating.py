"""Ideals: Groebner bases and quotients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any, ClassVar, Literal

import sympy

from algeval.algebra.basis_worker import solve, solve_in_time
from algeval.algebra.language import encode
from algeval.algebra.ring import Ring
from algeval.data import Sketch
from algeval.data.names import check_choice
from algeval.errors import DataError, TooLargeError
from algeval.result import Result, Status, to_json
from algeval.result.numbers import aligned, as_html, expression
from algeval.result.tables import Table, scalars

# --- Groebner bases of the evaluation ideal, by two engines, within a time limit.
#
# The elimination ideal of the eight polynomials ``f_t - enc_t(P)`` shows Theorem 0.2 by machine: in
# a lexicographic order with the prevalence just above the frequencies, the basis of the whole ideal
# has one element without accuracies, and it is the paper's quadratic.


Expr = Any  # sympy.Expr; SymPy is untyped
Form = Literal["frequencies", "moments", "centred", "numeric"]
Terms = list[list[Any]]  # [[powers of every symbol, coefficient as text], ...]

_FORMS = ("frequencies", "moments", "centred", "numeric")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Basis(Result):
    """A reduced lexicographic Groebner basis of the evaluation ideal.

    Attributes
    ----------
    status : Status
        `ok`; `time_limit` if time ran out and `too_large` if the basis outgrew its limits, both
        with no polynomials.
    form, engine : str
        What was asked for.
    unknowns : tuple of symbols
        In decreasing order, the prevalence last.
    observables : tuple of symbols
        Frequencies or moments: ring variables below the unknowns for "flint", coefficients for
        "sympy"; empty for numbers.
    generators : tuple of sympy expressions
        The ideal as given.
    rows : tuple
        The basis in plain numbers, coprime whole coefficients, leading one positive: one
        [[powers of unknowns then observables, coefficient as text], ...] per element.
    time_limit : float or None
        In seconds.
    """

    schema: ClassVar[str] = "algeval.basis/1"

    form: str
    engine: str
    unknowns: tuple[Expr, ...]
    observables: tuple[Expr, ...]
    generators: tuple[Expr, ...]
    rows: tuple[Terms, ...] = field(repr=False)
    time_limit: float | None

    @property
    def polynomials(self) -> tuple[Expr, ...]:
        """The basis as SymPy expressions (built anew at each call)."""
        return tuple(self._expression(terms) for terms in self.rows)

    @property
    def prevalence_polynomials(self) -> tuple[Expr, ...]:
        """The basis elements whose only unknown is the prevalence (and that contain it)."""
        last = len(self.unknowns) - 1
        return tuple(
            self._expression(terms)
            for terms in self.rows
            if not any(any(powers[:last]) for powers, _ in terms)
            and any(powers[last] for powers, _ in terms)
        )

    def _expression(self, terms: Terms) -> Expr:
        table = {tuple(powers): sympy.Rational(c) for powers, c in terms}
        return sympy.Poly.from_dict(table, *self.unknowns, *self.observables).as_expr()

    def as_tables(self) -> tuple[Table, ...]:
        """Row per polynomial of the basis, and the settings."""
        texts = [str(polynomial) for polynomial in self.polynomials]
        return Table("Polynomials", {"polynomial": texts}), scalars(self)

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message]
        for terms in self.rows:
            shown = str(self._expression(terms)) if len(terms) <= 8 else f"{len(terms)} terms"
            lines.append(f"  {shown}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """JSON types; polynomials are text."""
        return Result.to_dict(self) | {"polynomials": to_json(self.polynomials)}

    def _repr_latex_(self) -> str:
        collected = (sympy.collect(p, self.unknowns) for p in self.polynomials)
        return aligned((expression(polynomial), "0", "") for polynomial in collected)

    def _repr_html_(self) -> str:
        return Result._repr_html_(self) + as_html(self._repr_latex_())


def groebner_basis(
    form: Form = "frequencies",
    *,
    sketch: Sketch | None = None,
    engine: Literal["sympy", "flint"] = "flint",
    time_limit: float | None = None,
) -> Basis:
    """Groebner basis of the independent evaluation ideal of two labels.

    Parameters
    ----------
    form : {"frequencies", "moments", "centred", "numeric"}
        Three judges and raw frequencies f_t; three judges and their moments f_{B_i}, Delta; the
        same in d_i = P_{i,A} + P_{i,B} - 1 and P_A only; or the numbers of a sketch.
    sketch : Sketch, optional
        The data of the numeric form: two labels, two to five judges, every item answered.
    engine : {"sympy", "flint"}
        SymPy's Buchberger algorithm over the field of the observables, or python-flint's with the
        observables as ring variables.
    time_limit : float or None
        In seconds; the work then runs in a second process that is ended when time is up. None is no
        limit: what is not refused takes about a second.

    Raises
    ------
    TooLargeError
        Where a basis is known to be hopeless; the message says why and what to use instead.
    DataError
        If the sketch does not fit.

    Notes
    -----
    Algebraic Evaluation, Theorem 0.2; S85 is the element of `prevalence_polynomials`.

    Examples
    --------
    >>> basis = groebner_basis("centred")
    >>> str(basis.prevalence_polynomials[0]).count("P_A**2")
    2
    """
    check_choice("form", form, tuple(_FORMS))
    check_choice("engine", engine, ("sympy", "flint"))
    if (sketch is not None) != (form == "numeric"):
        raise DataError("a sketch must come with the numeric form and no other; add or drop it")
    _refuse_hopeless(form, engine, sketch)
    unknowns, observables, generators = _ideal(form, sketch)
    job = _job(engine, unknowns, observables, generators)
    outcome = solve(job) if time_limit is None else solve_in_time(job, time_limit)
    status = Status(outcome["status"])
    return Basis(
        status=status,
        message=_sentence(status, form, engine, len(outcome["basis"]), time_limit),
        form=form,
        engine=engine,
        unknowns=unknowns,
        observables=observables,
        generators=generators,
        rows=tuple(outcome["basis"]),
        time_limit=time_limit,
    )


def _sentence(status: Status, form: str, engine: str, size: int, time_limit: float | None) -> str:
    name = f"{form} basis by {engine}"
    if status is Status.TIME_LIMIT:
        return f"The {name} was not finished in {time_limit:g} seconds."
    if status is Status.TOO_LARGE:
        return f"The {name} outgrew its limits of elements, terms and digits and was given up."
    return f"The {name}: {size} polynomials, lexicographic, prevalence last."


def _refuse_hopeless(form: str, engine: str, sketch: Sketch | None) -> None:
    if form == "frequencies" and engine == "sympy":
        raise TooLargeError(
            "SymPy with seven raw frequencies as coefficients takes minutes or never ends; use "
            "engine='flint' (about a second), or form='moments'"
        )
    if sketch is None:
        return
    if sketch.n_labels > 2:
        raise TooLargeError(
            f"a Groebner basis for {sketch.n_labels} labels takes minutes at three labels and has "
            "not finished at four; use decode(..., engine='pencil'), which is exact for any number"
        )
    if not 2 <= sketch.n_judges <= 5:
        raise TooLargeError(
            f"numeric bases are made for two to five judges; got {sketch.n_judges}, which would be "
            f"{2**sketch.n_judges} polynomials; choose fewer judges"
        )
    if not sketch.complete or sketch.n_answers != 2 or not sketch.n_items:
        raise DataError(
            "the sketch must hold two answers and an answer of every judge to every item; it does "
            "not; leave the other items out"
        )


def _ideal(
    form: str, sketch: Sketch | None
) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
    """Unknowns (prevalence last), observables and generators."""
    if form == "frequencies":
        encoding = encode(3)
        decisions = list(encoding.frequency)[1:]  # f_{A,A,A} is 1 minus the others
        observables = tuple(encoding.frequency[t] for t in decisions)
        generators = tuple(encoding.frequency[t] - encoding.encoded[t] for t in decisions)
        return _prevalence_last(encoding.parameters), observables, generators
    if sketch is not None:
        encoding = encode(sketch.judges, sketch.labels)
        generators = tuple(
            encoding.encoded[t] - sympy.Rational(share.numerator, share.denominator)
            for t, share in ((t, sketch.frequency(t)) for t in encoding.frequency)
        )
        return _prevalence_last(encoding.parameters), (), generators
    return _moment_ideal(centred=form == "centred")


def _prevalence_last(parameters: Sequence[Expr]) -> tuple[Expr, ...]:
    return (*parameters[1:], parameters[0])


def _moment_ideal(*, centred: bool) -> tuple[tuple[Expr, ...], tuple[Expr, ...], tuple[Expr, ...]]:
    """Ideal of the moments S9-S15, which generates the same as the eight polynomials."""
    p = sympy.Symbol("P_A")
    right = {(i, t): sympy.Symbol(f"P_{{{i},{t}}}") for i, t in product("ijk", "AB")}
    share = {i: sympy.Symbol(f"f_{{B_{i}}}") for i in "ijk"}
    d = {i: sympy.Symbol(f"d_{i}") if centred else right[i, "A"] + right[i, "B"] - 1 for i in "ijk"}
    generators = []
    observables = []
    if not centred:
        observables += list(share.values())
        generators += [share[i] - p * (1 - right[i, "A"]) - (1 - p) * right[i, "B"] for i in "ijk"]
    for i, j in combinations("ijk", 2):
        symbol = sympy.Symbol(f"Delta_{{{i},{j}}}")
        observables.append(symbol)
        generators.append(symbol - p * (1 - p) * d[i] * d[j])
    symbol = sympy.Symbol("Delta_{i,j,k}")
    observables.append(symbol)
    generators.append(symbol - p * (1 - p) * (2 * p - 1) * d["i"] * d["j"] * d["k"])
    unknowns = tuple(d.values()) if centred else tuple(right.values())
    return (*unknowns, p), tuple(observables), tuple(generators)


def _job(
    engine: str, unknowns: Sequence[Expr], observables: Sequence[Expr], generators: Sequence[Expr]
) -> dict[str, Any]:
    symbols = (*unknowns, *observables)
    rows = [
        [[[int(k) for k in powers], str(c)] for powers, c in sympy.Poly(g, *symbols).terms()]
        for g in generators
    ]
    return {"engine": engine, "unknowns": len(unknowns), "symbols": len(symbols), "rows": rows}


def discriminant_factors(
    correlated: Sequence[Sequence[str]] = (),
) -> tuple[tuple[Expr, int], ...]:
    """Factors of ``a = Delta_ijk^2 + 4 Delta_ij Delta_ik Delta_jk`` with multiplicities.

    The discriminant of the prevalence quadratic is ``a * Delta_ijk^2``, so the estimate is
    rational exactly where `a` is a square (Theorem 0.3).

    Parameters
    ----------
    correlated : sequence of judge sets, from "ij", "ik", "jk", "ijk"
        Which correlations may differ from zero, on both labels; none means independent errors.

    Examples
    --------
    >>> discriminant_factors()
    ((P_A, 2), (d_i, 2), (d_j, 2), (d_k, 2), (P_A - 1, 2))
    """
    groups = ["".join(group) for group in correlated]
    unknown = [group for group in groups if group not in ("ij", "ik", "jk", "ijk")]
    if unknown:
        raise DataError(f"correlated must name sets from ij, ik, jk, ijk; got {unknown[0]!r}")
    p = sympy.Symbol("P_A")
    pair = {who: _correlated_moment(who, groups) for who in ("ij", "ik", "jk")}
    value = _correlated_moment("ijk", groups) ** 2 + 4 * sympy.Mul(*pair.values())
    symbols = sorted(value.free_symbols - {p}, key=str)
    ring = Ring([p, *symbols])
    factored = ring.polynomial(value, ring.generators).factor()[1]
    factors = [(ring.expression(factor), int(power)) for factor, power in factored]
    return tuple(sorted(factors, key=lambda pair: (len(str(pair[0])), str(pair[0]))))


def _correlated_moment(who: str, groups: Sequence[str]) -> Expr:
    """Central moment of answers B in P_A, d_i and the correlations that are not zero.

    On label A a judge's answers B lie P_B d_i below their overall share, on label B P_A d_i above.
    """
    p = sympy.Symbol("P_A")
    d = {i: sympy.Symbol(f"d_{i}") for i in who}
    total = sympy.Integer(0)
    for label, weight, shift, sign in (("A", p, -(1 - p), -1), ("B", 1 - p, p, 1)):
        inside = sympy.Mul(*(shift * d[i] for i in who))
        for size in range(2, len(who) + 1):
            for chosen in combinations(who, size):
                if "".join(chosen) in groups:
                    gamma = sympy.Symbol(f"Gamma_{{{','.join(chosen)}}}^{{({label})}}")
                    rest = sympy.Mul(*(shift * d[i] for i in who if i not in chosen))
                    inside += sign**size * gamma * rest
        total += weight * inside
    return total


# --- Numbers modulo an ideal of two points: every polynomial is alpha + beta v there.
#
# Modulo the evaluation ideal of a trio nothing is left but 1 and one unknown v. So linear algebra of two
# dimensions gives the polynomial of each unknown alone, the two points, and the check of any equation.


AnyExpr = Any  # sympy.Expr; SymPy is untyped


def has_two_points(basis: Basis) -> bool:
    """Whether the ideal leaves two points: one unknown squared leads, all the others lead alone."""
    powers = sorted(_leads(basis), reverse=True)
    n = len(basis.unknowns)
    return len(powers) == n and sorted(map(sum, powers)) == [1] * (n - 1) + [2]


def _leads(basis: Basis) -> list[tuple[int, ...]]:
    n = len(basis.unknowns)
    return [max(tuple(powers[:n]) for powers, _ in terms) for terms in basis.rows]


def whole(expression: AnyExpr, unknowns: Sequence[AnyExpr]) -> AnyExpr:
    """Numerator of an expression without any factor free of unknowns, leading sign plus."""
    numerator = sympy.numer(sympy.together(expression))
    polynomial = sympy.Poly(numerator, *unknowns).primitive()[1]
    lead = polynomial.LC()
    symbols = sorted(lead.free_symbols, key=str)
    first = sympy.Poly(lead, *symbols).LC() if symbols else lead
    return (polynomial if first > 0 else -polynomial).as_expr()


@dataclass(frozen=True, eq=False)
class TwoPoints:
    """A basis of an ideal of two points."""

    basis: Basis  # for which `has_two_points` is true

    @cached_property
    def free(self) -> AnyExpr:
        """The unknown v whose square leads: the prevalence, unless both points share it."""
        (lead,) = (powers for powers in _leads(self.basis) if sum(powers) == 2)
        return self.basis.unknowns[lead.index(2)]

    @cached_property
    def _divisors(self) -> tuple[AnyExpr, ...]:
        return self.basis.polynomials

    @cached_property
    def _field(self) -> Any:
        observables = self.basis.observables
        return sympy.QQ.frac_field(*observables) if observables else sympy.QQ

    def coordinates(self, expression: AnyExpr) -> tuple[AnyExpr, AnyExpr]:
        """Alpha and beta with expression = alpha + beta v modulo the ideal."""
        unknowns = self.basis.unknowns
        _, rest = sympy.reduced(
            expression, self._divisors, *unknowns, order="lex", domain=self._field
        )
        alpha, beta = (sympy.Poly(rest, self.free).coeff_monomial(m) for m in (1, self.free))
        return sympy.cancel(alpha), sympy.cancel(beta)

    def alone(self, unknown: AnyExpr) -> AnyExpr:
        """Generator of the elimination ideal of one unknown, with whole coefficients."""
        alpha, beta = self.coordinates(unknown)
        if beta == 0:
            return whole(unknown - alpha, [unknown])
        gamma, delta = self.coordinates(unknown**2)
        slope = delta / beta
        return whole(unknown**2 - slope * unknown + slope * alpha - gamma, [unknown])

    def rung(self, unknown: AnyExpr) -> tuple[AnyExpr, AnyExpr, AnyExpr]:
        """A, b, c of the basis element a + b v + c unknown = 0, where `unknown` leads alone."""
        (pairs,) = (p for p in self._divisors if p.has(unknown) and unknown != self.free)
        polynomial = sympy.Poly(pairs, *self.basis.unknowns)
        a, b, c = (polynomial.coeff_monomial(m) for m in (1, self.free, unknown))
        return a, b, c

    def quadratic(self) -> tuple[AnyExpr, AnyExpr, AnyExpr]:
        """A, b, c of the quadratic a v^2 + b v + c of the unknown that is left."""
        polynomial = sympy.Poly(self.alone(self.free), self.free)
        a, b, c = (polynomial.coeff_monomial(self.free**k) for k in (2, 1, 0))
        return a, b, c
