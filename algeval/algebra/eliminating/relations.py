"""All relations among chosen statistics: found by linear algebra, each proved exactly.

Monomials of the statistics are evaluated at random points of the model; what depends linearly there is
lifted to fractions and proved by exact substitution. Whether these are all, of any degree, only
elimination can say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, lcm
from typing import Any, ClassVar

from flint import fmpq

from algeval.algebra.eliminating.elimination import eliminate
from algeval.algebra.eliminating.modular import (
    PRIME,
    Monomial,
    dependences,
    fraction_of,
    monomials,
)
from algeval.algebra.eliminating.parametrised import Parametrised, parametrise
from algeval.algebra.proving.identities import read_identity
from algeval.algebra.proving.proofs import Proof
from algeval.algebra.proving.prove import prove
from algeval.algebra.proving.ring import Clock
from algeval.algebra.proving.theorems import Verdict
from algeval.algebra.proving.vocabulary import ProofModel, System, system
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError, NotSolvedError, TooLargeError
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Relation", "Relations", "relations"]

_MOST_MONOMIALS = 2_200
_MOST_JUDGES = 10
_SPARE_POINTS = 8
"""Points beyond the number of monomials: a chance dependence survives each with probability 1 / PRIME."""

Polynomial = dict[Monomial, Fraction]


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
        ok; too_large where some degrees asked for were left out; time_limit where elimination was asked
        for and did not end.
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
        """Return a row per relation, and the settings."""
        return Table.of_rows(
            "Relations", ("degree", "relation"), [(one.degree, one.text) for one in self.relations]
        ), scalars(self)

    def summary(self) -> str:
        """Return the lines a person reads."""
        lines = [self.message, *(f"  {one.text}" for one in self.relations)]
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
    time_limit: float = 60.0,
) -> Relations:
    """Find every polynomial relation among statistics of judges, each with a proof.

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
    time_limit : float
        Seconds, for the proofs and again for the elimination.

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
    clock = Clock(check_number("time_limit", time_limit, least=0, strict=True), "the relations")
    searched = _searchable(len(texts), degree)
    known = _system(model, (*texts, *conditions), judges, labels)
    among = parametrise(known, texts, conditions, clock)
    found = _generators(among, searched, clock)
    asked = eliminate(among, found, time_limit) if complete else None
    if asked is not None:
        found = [*found, *asked.missing]
    about = {"given": conditions, "model": model, "judges": known.judges, "labels": known.labels}
    kept = [_proved(among, texts, one, clock, about) for one in found][:limit]
    status = Status.OK if searched == degree else Status.TOO_LARGE
    if complete and asked is None:
        status = Status.TIME_LIMIT
    return Relations(
        status=status,
        message=_sentence(known, texts, conditions, len(found), searched)
        + _rest(len(texts), len(found), searched, degree, complete=asked is not None),
        statistics=texts,
        given=conditions,
        model=model,
        judges=known.judges,
        labels=known.labels,
        relations=tuple(kept),
        n_found=len(found),
        searched_degree=searched,
        complete=asked is not None,
        eliminated=None if asked is None else len(asked.basis),
    )


def _texts(name: str, texts: Any, least: int = 1) -> tuple[str, ...]:
    if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise DataError(f"{name} must be a list of texts; got {texts!r}; write ['Delta_ij', 'P_A']")
    found = tuple(dict.fromkeys(text.strip() for text in texts))
    if len(found) < least:
        raise DataError(f"{name} must name at least {least}; got none; write ['Delta_ij', 'P_A']")
    return found


def _system(model: ProofModel, texts: Sequence[str], judges: Any, labels: Any) -> System:
    """Return the smallest system that knows all names, or the one asked for."""
    labels = labels if isinstance(labels, int | str) else tuple(labels)
    if judges is not None:
        return system(model, judges if isinstance(judges, int | str) else tuple(judges), labels)
    for n in range(1, _MOST_JUDGES + 1):
        known = system(model, n, labels)
        if not _problem(texts, known):
            return known
    raise DataError(_problem(texts, system(model, 3, labels)))


def _problem(texts: Sequence[str], known: System) -> str:
    """Return why a system cannot read some text, or nothing."""
    for text in texts:
        try:
            read_identity(text, known)
        except DataError as error:
            return str(error)
    return ""


def _searchable(n: int, degree: int) -> int:
    """Return the largest degree up to the one asked for whose monomials are few enough."""
    fitting = [d for d in range(1, degree + 1) if comb(n + d, d) <= _MOST_MONOMIALS]
    if not fitting:
        raise TooLargeError(
            f"relations are looked for among at most {_MOST_MONOMIALS} monomials; {n} statistics have more; "
            "choose fewer"
        )
    return fitting[-1]


def _generators(among: Parametrised, degree: int, clock: Clock) -> list[Polynomial]:
    """Return the relations of each degree that no multiples of smaller ones make up."""
    n = len(among.statistics)
    found: list[tuple[dict[Monomial, int], Polynomial]] = []
    for d in range(1, degree + 1):
        clock.check()
        names = monomials(n, d)
        vanishing = dependences(among.points(len(names) + _SPARE_POINTS), names)
        for row in vanishing.beyond([m for one, _ in found for m in _multiples(one, d, n)]):
            residues = vanishing.polynomial(row)
            found.append((residues, _lifted(residues)))
    return [polynomial for _, polynomial in found]


def _multiples(one: dict[Monomial, int], degree: int, n: int) -> list[dict[Monomial, int]]:
    """Return a polynomial times every monomial that keeps its degree within bounds."""
    own = max(map(sum, one))
    return [
        {tuple(a + b for a, b in zip(m, factor, strict=True)): c for m, c in one.items()}
        for factor in monomials(n, degree - own)
    ]


def _lifted(residues: dict[Monomial, int]) -> Polynomial:
    """Return coprime whole coefficients with these residues up to a factor, the leading one positive."""
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
    polynomial: Polynomial,
    clock: Clock,
    about: dict[str, Any],
) -> Relation:
    """Return a relation that vanishes exactly."""
    if not _vanishes(among, polynomial, clock):
        raise NotSolvedError(
            "a relation was found modulo a prime that is none; report this as an error"
        )
    terms = tuple((m, int(c)) for m, c in _ordered(polynomial))
    degree = max(map(sum, polynomial))
    return Relation(text=_equation(texts, polynomial), degree=degree, terms=terms, **about)


def _vanishes(among: Parametrised, polynomial: Polynomial, clock: Clock) -> bool:
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


def _ordered(polynomial: Polynomial) -> list[tuple[Monomial, Fraction]]:
    return sorted(polynomial.items(), key=lambda found: (sum(found[0]), found[0]), reverse=True)


def _equation(texts: Sequence[str], polynomial: Polynomial) -> str:
    """Return the relation with positive terms on both sides."""
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
    known: System, texts: Sequence[str], given: Sequence[str], n_found: int, searched: int
) -> str:
    under = f" given {', '.join(given)}" if given else ""
    where = f"up to degree {searched} among {how_many(len(texts), 'statistic')} of the {known.model} model"
    if not n_found:
        return f"No relation {where}{under}."
    return f"{how_many(n_found, 'relation')} {where}{under}, each proved."


def _rest(n: int, n_found: int, searched: int, asked: int, *, complete: bool) -> str:
    """Return what is known of higher degrees, as more sentences."""
    told = ""
    if complete:
        told = (
            " Every relation of any degree follows from these."
            if n_found
            else " There is none of any degree."
        )
    if asked > searched:
        told += (
            f" Degree {searched + 1} was left out: {n} statistics have too many monomials there."
        )
    return told
