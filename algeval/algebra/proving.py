"""`prove`: a statement proved with a certificate, or refuted by an exam."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, cast

import sympy

from algeval.algebra import statements
from algeval.algebra.exams import Exams, SmallExams, random_exam
from algeval.algebra.inequalities import Point, Problem
from algeval.algebra.inequalities_search import Outcome, decide
from algeval.algebra.language import ProofModel, System, system
from algeval.algebra.ring import Clock, Ring
from algeval.algebra.statements import (
    Identity,
    Items,
    NotLinear,
    Space,
    Texts,
    as_text,
    items_of,
    meanings_in,
    named_system,
    read_expression,
    read_identity,
    read_problem,
    read_texts,
    relation_of,
    spoken_of,
    tidy,
)
from algeval.data import KeyedSketch
from algeval.data.names import check_number
from algeval.errors import DataError, NotSolvedError, TooLargeError
from algeval.models.independent import exact_exam
from algeval.progress import CountedClock
from algeval.result import Result, Status
from algeval.result.files import write_json
from algeval.result.numbers import how_many, products
from algeval.result.tables import Table, scalars

# --- The certificate of an identity without hypotheses: its text is all that the verifier needs.
#
# Put on the domain of the model, the difference of the two sides is the zero polynomial. The verifier reads
# the text again and finds that by itself.


SCHEMA = "algeval.inequality/1"
"""Of certificates of identities and inequalities alike."""


def identity_certificate(
    text: str, *, model: str, judges: Sequence[str], labels: Sequence[str]
) -> dict[str, Any]:
    """Certificate of an identity, as `algeval.verify` reads it.

    Examples
    --------
    >>> identity_certificate("P_A + P_B = 1", model="axioms", judges="i", labels="AB")["proof"]
    {'kind': 'zero'}
    """
    setting = system("independent" if model == "independent" else "axioms", [*judges], [*labels])
    texts = read_texts(text, (), {}, setting)
    problem = read_problem(texts, Space(setting))
    if not problem.claim.polynomial.is_zero():
        raise NotSolvedError(f"{text!r} must be an identity of the {model} model; it is not")
    return {
        "schema": SCHEMA,
        "claim": texts.claim,
        "model": setting.model,
        "judges": list(setting.judges),
        "labels": list(setting.labels),
        "denominators": [{"sign": 1} for _ in problem.divisors],
        "strict": False,
        "proof": {"kind": "zero"},
    }


# --- What proving returns: a proof by cofactors, or an exam that refutes the identity.


AnyExpr = Any  # sympy.Expr; SymPy is untyped

_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Step:
    """One claim that a polynomial is zero: it equals the sum of cofactor times generator."""

    name: str  # "identity", or the symbol whose generator is derived here
    claim: AnyExpr  # the polynomial that is zero
    # SymPy expressions; generators are zero by definition or by an earlier step
    terms: tuple[tuple[AnyExpr, AnyExpr], ...]

    def check(self) -> bool:
        """Expand both sides with SymPy and compare; shares no code with how they were found."""
        symbols = sorted(
            set().union(
                self.claim.free_symbols, *(g.free_symbols | c.free_symbols for g, c in self.terms)
            ),
            key=str,
        )
        if not symbols:
            return bool(self.claim == 0)
        rest = sympy.Poly(self.claim, *symbols)
        for generator, cofactor in self.terms:
            rest -= sympy.Poly(generator, *symbols) * sympy.Poly(cofactor, *symbols)
        return bool(rest.is_zero)

    def to_dict(self) -> dict[str, Any]:
        """Step with every polynomial as text."""
        return {
            "name": self.name,
            "claim": str(self.claim),
            "terms": [{"generator": str(g), "cofactor": str(c)} for g, c in self.terms],
        }


class _Exported(Result):
    """An answer whose evidence other systems can check."""

    __slots__ = ()

    def export(self, kind: str) -> str:
        """Claim and evidence as text for another system.

        Parameters
        ----------
        kind : {"coq", "lean", "latex", "singular", "m2", "sage", "smt"}

        Raises
        ------
        NotExported
            With the reason, where it cannot be written for this system.
        """
        from algeval.export import export

        return export(getattr(self, "certificate", None) or self.to_dict(), kind)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proof(_Exported):
    """An identity that holds on every exam of the model, with the cofactors that show it.

    Attributes
    ----------
    identity : str
        As given.
    model : str
        "independent", "correlated" or "axioms".
    judges, labels : tuple of str
        What the symbols are about.
    nonzero : tuple of sympy expressions
        Where the identity divides: each must be different from zero.
    multiplier : sympy expression
        What (left - right) was multiplied with to clear denominators; 1 for polynomials.
    steps : tuple of Step
        Derived generators first, the identity last.
    weaker : Proof or None
        Where independent errors were assumed and are not needed: the proof under a model that
        assumes nothing about errors, in the judges the identity speaks of.
    holds : bool
        True.
    """

    schema: ClassVar[str] = "algeval.proof/1"

    identity: str
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    difference: AnyExpr = field(repr=False)
    nonzero: tuple[AnyExpr, ...]
    multiplier: AnyExpr
    steps: tuple[Step, ...]
    weaker: Proof | None = None
    holds: bool = field(init=False, default=True)

    @property
    def weakest(self) -> str:
        """The weakest model under which the identity was proved."""
        return self.model if self.weaker is None else self.weaker.model

    @property
    def certificate(self) -> dict[str, Any]:
        """The identity as JSON that `algeval.verify` proves from its text alone, in the weakest model."""
        proof = self if self.weaker is None else self.weaker
        return identity_certificate(
            proof.identity, model=proof.model, judges=proof.judges, labels=proof.labels
        )

    def save(self, path: str | Path) -> None:
        """Write the certificate to a file."""
        write_json(path, self.certificate)

    @property
    def generators(self) -> tuple[AnyExpr, ...]:
        """The generators the identity itself uses."""
        return tuple(generator for generator, _ in self.steps[-1].terms)

    @property
    def cofactors(self) -> dict[AnyExpr, AnyExpr]:
        """{generator: cofactor} of the identity itself."""
        return dict(self.steps[-1].terms)

    def check(self) -> bool:
        """Check every step again with SymPy, from the definitions to the identity itself.

        Each step is expanded; each generator must be a definition of the model or the claim of an
        earlier step; the last claim must be the identity with its denominators cleared.
        """
        top, bottom = sympy.fraction(sympy.together(self.difference))
        if sympy.expand(top * self.multiplier - bottom * self.steps[-1].claim) != 0:
            return False
        setting = system(cast(ProofModel, self.model), self.judges, self.labels)
        used = set().union(*(g.free_symbols for step in self.steps for g, _ in step.terms))
        named = used.intersection(setting.observables)
        zero = {sympy.expand(s - setting.observables[s]) for s in named}
        for step in self.steps:
            if not step.check() or any(sympy.expand(g) not in zero for g, _ in step.terms):
                return False
            zero.add(sympy.expand(step.claim))
        return self.weaker is None or self._weaker_checks()

    def _weaker_checks(self) -> bool:
        other = cast(Proof, self.weaker)
        return other.identity == self.identity and other.model != self.model and other.check()

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message]
        *derived, main = self.steps
        if main.terms:
            lines.append(f"  {_short(main.claim)} equals the sum of")
            lines += [f"    ({_short(c)}) * ({_short(g)})" for g, c in main.terms]
        else:
            lines.append("  both sides are the same polynomial in the parameters")
        if derived:
            names = ", ".join(step.name for step in derived)
            lines.append(f"  where the generators of {names} are derived in .steps")
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        main = self.steps[-1]
        return products(main.claim, [(cofactor, generator) for generator, cofactor in main.terms])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counterexample(_Exported):
    """A concrete exam, answer key and answers, on which an identity fails.

    Attributes
    ----------
    identity, model, judges, labels
        As for `Proof`; an inequality may stand for the identity.
    given, define
        The hypotheses, which hold on the exam, and the definitions that were used.
    exam : KeyedSketch
        The exam; under the independent model its errors are exactly independent.
    left, right : Fraction
        The two sides on this exam, counted from it.
    smallest : bool
        Whether every smaller exam of the model was tried and does not refute the identity. Labels may
        be absent where no accuracy on them is named.
    holds : bool
        False.
    """

    schema: ClassVar[str] = "algeval.counterexample/1"

    identity: str
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    exam: KeyedSketch
    left: Fraction
    right: Fraction
    smallest: bool
    given: tuple[str, ...] = ()
    define: Mapping[str, str] = field(default_factory=dict)
    holds: bool = field(init=False, default=False)

    @classmethod
    def of(cls, texts: Texts, setting: System, refutation: Refutation) -> Self:
        """Counterexample that an exam of a system is, and say so in a sentence."""
        exam = statements.exam_of(setting, refutation.items)
        apart = setting.model == "independent" and len(setting.judges) > 1
        size = "the smallest" if refutation.smallest else "an"
        sizes = f" (no such exam has {how_many(refutation.sizes, 'item')} or fewer)"
        under = f" that satisfies {' and '.join(texts.given)}" if texts.given else ""
        return cls(
            status=Status.OK,
            message=(
                f"False: {texts.claim} fails on {size} {'exactly independent ' if apart else ''}exam of "
                f"{how_many(exam.n_items, 'item')}{under}"
                f"{sizes if refutation.sizes and not refutation.smallest else ''}, "
                f"where the left side is {refutation.left} and the right side {refutation.right}."
            ),
            identity=texts.claim,
            model=setting.model,
            judges=setting.judges,
            labels=setting.labels,
            exam=exam,
            left=refutation.left,
            right=refutation.right,
            smallest=refutation.smallest,
            given=texts.given,
            define=dict(texts.define),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Claim in one row, and the counterexample as counts by true label."""
        return scalars(self), *self.exam.as_tables()

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message, f"  left side {self.left}, right side {self.right}", "  the exam:"]
        for label, column in zip(self.labels, self.exam.keyed.T.tolist(), strict=True):
            rows = [
                f"{','.join(map(str, self.exam.sketch.decision(index)))} x {count}"
                for index, count in enumerate(column)
                if count
            ]
            lines += [f"    key {label}: " + "; ".join(rows)] if rows else []
        return "\n".join(lines)


def _short(expression: AnyExpr) -> str:
    text = str(expression)
    if len(text) <= _SHOWN:
        return text
    terms = len(sympy.Add.make_args(expression))
    return f"{text[:60]}... ({terms} terms)"


# --- What proving an inequality returns, beside a counterexample: a theorem, a contradiction, or
# neither.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Certified(_Exported):
    """A claim that was decided by a certificate."""

    claim: str  # as it was read
    given: tuple[str, ...] = ()  # the hypotheses, one relation each
    define: Mapping[str, str] = field(default_factory=dict)  # {name: text}
    model: str  # what is assumed of the judges: "independent", or "axioms" where nothing is
    # what the names are about
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    # the proof as JSON, which `algeval.verify` checks without anything else
    certificate: Mapping[str, Any] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Certificate, as the verifier reads it."""
        return dict(self.certificate)

    def save(self, path: str | Path) -> None:
        """Write the certificate to a file."""
        write_json(path, self.certificate)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Theorem(_Certified):
    """An inequality, or an equality under hypotheses, that holds on every exam of the model.

    Attributes
    ----------
    claim, given, define, model, judges, labels, certificate
        What was proved, and the proof.
    method : str
        What settled it.
    any_exam : Counterexample, Undecided or None
        Where independent errors were assumed: what became of the claim without them.
    holds : bool
        True.
    """

    schema: ClassVar[str] = "algeval.inequality/1"

    method: str
    any_exam: Counterexample | Undecided | None = None
    holds: bool = field(init=False, default=True)

    def summary(self) -> str:
        """Lines a person reads."""
        size = len(json.dumps(self.certificate))
        lines = [self.message, f"  settled by {self.method}; certificate of {size} characters"]
        if self.any_exam is not None:
            lines += ["  without the assumption of independent errors:"]
            lines += [f"  {line}" for line in self.any_exam.summary().splitlines()]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contradiction(_Certified):
    """Hypotheses that no exam of the model satisfies: anything follows, so nothing was proved.

    Attributes
    ----------
    claim, given, define, model, judges, labels, certificate
        The question, and the proof that the hypotheses exclude one another.
    holds : None
        Neither true nor false.
    """

    schema: ClassVar[str] = "algeval.inequality/1"

    holds: None = field(init=False, default=None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Undecided(Result):
    """A claim that was neither proved nor refuted; that does not make it false.

    Attributes
    ----------
    claim, given, define, model, judges, labels
        The question.
    tried : tuple of str
        What was tried, in order.
    least : Fraction or None
        The least value seen of larger side minus smaller side.
    any_exam : Counterexample or None
        Where independent errors were assumed: an exam on which the claim fails without them.
    holds : None
        Not known.
    """

    schema: ClassVar[str] = "algeval.undecided/1"

    claim: str
    given: tuple[str, ...] = ()
    define: Mapping[str, str] = field(default_factory=dict)
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    tried: tuple[str, ...] = ()
    least: Fraction | None = None
    any_exam: Counterexample | None = None
    holds: None = field(init=False, default=None)

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message, "  tried: " + ", ".join(dict.fromkeys(self.tried))]
        if self.least is not None:
            lines.append(f"  least difference of the sides seen: {float(self.least):.6g}")
        if self.any_exam is not None:
            lines += ["  without the assumption of independent errors:"]
            lines += [f"  {line}" for line in self.any_exam.summary().splitlines()]
        return "\n".join(lines)


# --- Does an identity need independent errors? The same claim, tried on any exam whatever.
#
# The correlated model describes every exam, and so do the axioms. Under both a name means what it
# means for independent judges, so the claim is read again in their vocabulary: first on some exams
# with dependent errors, which nearly always settles it, then by cofactors.


_TRIED = 12
_LEAST_WORK = 3.0
_MODELS: tuple[ProofModel, ...] = ("correlated", "axioms")

Weaker = Proof | Literal["needed", "open"]
Prover = Callable[[System, Identity, Clock], Proof | None]


def equation(claim: Identity) -> Texts:
    """Identity as the text of an equation."""
    text = tidy(claim.text)
    return Texts(text if "=" in text else f"{text} = 0", (), {})


def weaker_proof(
    identity: Any, setting: System, claim: Identity, clock: Clock, prove_in: Prover
) -> Weaker:
    """Proof of an identity for any exam, or whether independence is "needed" or "open".

    `identity`: as the user gave it; it is read again; `setting`, `claim`: the independent model and
    the claim read there, proved already; `clock`: time that is left; at most as much counted work
    as was done, or 3 units, is spent here; `prove_in`: proves a claim in a system, or returns
    None where it is false.
    """
    inner = clock.part(max(_LEAST_WORK, clock.used()))
    for model in _MODELS:
        with suppress(DataError, TooLargeError, NotSolvedError):
            weaker = system(model, setting.judges, setting.labels)
            if random_exam(weaker, equation(claim), _TRIED) is not None:
                return "needed"
            return prove_in(weaker, read_identity(identity, weaker), inner) or "needed"
    return "open"


# --- From points on a domain to exams: a claim is refuted by one, with both sides counted from it.


_MOST_ITEMS = 10**7
_FIRST_EXAMS, _SETTLING = 20_000, 1.0
"""Exams that are tried before anything else; work that is spent on a smaller one."""
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
_SHARES = (Fraction(1), Fraction(3, 4), Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class Refutation:
    """An exam on which the hypotheses hold and the claim does not, both sides counted.

    `sizes`: no exam of so many items or fewer is one.
    """

    items: Items
    left: Fraction
    right: Fraction
    smallest: bool = False
    sizes: int = 0


class Refuter:
    """Turns points into exams and counts claim and hypotheses on them.

    `refutation`: the exam of fewest items so far on which the claim fails; `absent`: whether the claim
    fails at some point at which a label does not occur whose accuracies it names: that makes no exam.
    """

    def __init__(self, setting: System, texts: Texts, problem: Problem) -> None:
        self._problem, self._small = problem, SmallExams(setting, texts)
        self._independent = setting.model == "independent"
        self._labels, self._decisions = len(setting.labels), _decisions(setting)
        self.refutation: Refutation | None = None
        self.absent = False

    def small(self, deadline: CountedClock) -> bool:
        """Search the smallest exams, in order; return whether one refutes."""
        items = self._small.search(deadline, most=_FIRST_EXAMS)
        if items is not None:
            self.refutation = Refutation(items, *self._small.sides(items), True)
        return items is not None

    def confirm(self, point: Point) -> bool:
        """Whether a point at which the claim fails makes an exam on which it fails."""
        for candidate in (*self._simpler(point), point):
            if not self._problem.violated(candidate):
                continue
            items = self._made(candidate)
            if items is not None and self._small.refutes(items):
                if self.refutation is None or sum(items.values()) < sum(
                    self.refutation.items.values()
                ):
                    self.refutation = Refutation(items, *self._small.sides(items))
                return True
            self.absent |= not all(candidate[: self._labels])
        return False

    def settled(self, deadline: CountedClock) -> Refutation:
        """Exam found, or a smaller one: the smallest, if the work allows."""
        first = cast(Refutation, self.refutation)
        if first.smallest:
            return first
        size = sum(first.items.values())
        smaller = self._small.search(deadline.part(_SETTLING), below=size)
        items, smallest = (
            smaller or first.items,
            smaller is not None or self._small.sizes + 1 >= size,
        )
        if not smallest and not self._independent:
            items = self._small.shrunk(items, deadline.part(_SETTLING))
        return Refutation(items, *self._small.sides(items), smallest, self._small.sizes)

    def _simpler(self, point: Point) -> Iterator[Point]:
        """Yield points nearby that make smaller exams, or exams on which every label occurs."""
        domain = self._problem.domain
        even = [Fraction(1, len(domain.blocks[0]))] * len(domain.blocks[0])
        yield (*even, *point[len(even) :])
        for denominator, share in product(_DENOMINATORS, _SHARES):
            values: list[Fraction] = []
            for block in domain.blocks:
                middle = Fraction(1, len(block))
                wanted = [share * point[c] + (1 - share) * middle for c in block]
                values += _nearest(wanted, denominator)
            yield tuple(values)

    def _made(self, point: Point) -> Items | None:
        """Items of the smallest exam at a point; None if too many would be needed."""
        shares = point
        if self._independent:
            r = self._labels
            shares = tuple(
                p * math.prod(point[r + (i * r + t) * r + a] for i, a in enumerate(u))
                for (t, p), u in product(enumerate(point[:r]), self._decisions)
            )
        size = math.lcm(*(x.denominator for x in shares))
        cells = product(range(self._labels), self._decisions)
        items = {cell: int(x * size) for cell, x in zip(cells, shares, strict=True) if x}
        return items if size <= _MOST_ITEMS else None


def _decisions(setting: System) -> list[tuple[int, ...]]:
    return list(product(range(len(setting.labels)), repeat=len(setting.judges)))


def _nearest(values: list[Fraction], denominator: int) -> list[Fraction]:
    """Multiples of 1/denominator near values that sum to 1, with the same sum."""
    whole = [int(v * denominator) for v in values]
    order = sorted(range(len(values)), key=lambda c: whole[c] - values[c] * denominator)
    for c in order[: denominator - sum(whole)]:
        whole[c] += 1
    return [Fraction(w, denominator) for w in whole]


# --- Identities by cofactors: the difference of the sides as a sum of multiples of definitions.
#
# The polynomials ``f_t - enc_t(P)`` generate the kernel of ``f_t -> enc_t(P)``, so an identity
# follows from them exactly when it vanishes after the frequencies are replaced by their encodings:
# substitution decides. Replacing one observable after the other and dividing each difference by
# that observable's generator yields the cofactors, which are expanded and checked before a proof is
# returned.


Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly

_RANDOM_EXAMS = 2_000


def prove_identity(
    identity: Any, setting: System, model: ProofModel, counted: CountedClock
) -> Proof | Counterexample:
    """Cofactors of an identity in a system, or an exam on which it fails."""
    clock = Clock(counted, repr(str(identity)))
    claim = read_identity(identity, setting)
    work = _Work(setting, claim, clock)
    if not work.residual.is_zero():
        return _refute(setting, claim, work, counted)
    if model != "independent":
        return work.proof()
    return work.proof(weaker_proof(identity, setting, claim, clock, _prove_in))


def _prove_in(setting: System, claim: Identity, clock: Clock) -> Proof | None:
    work = _Work(setting, claim, clock)
    return work.proof() if work.residual.is_zero() else None


_ZERO = (
    "identity must not divide by zero; got a denominator of {0!r} that is zero on every exam; "
    "rewrite it"
)


class _Work:
    """One identity in one polynomial ring, with the encoding of every observable it needs."""

    def __init__(self, setting: System, claim: Identity, clock: Clock) -> None:
        self.known, self.claim, self.clock = setting, claim, clock
        self.difference = claim.left - claim.right
        self.observables = _needed(setting, claim)
        used = spoken_of(claim)
        for symbol in self.observables:
            used |= setting.observables[symbol].free_symbols
        self.ring = Ring([s for s in (*self.observables, *setting.parameters) if s in used], clock)
        self.unknowns = [s for s in self.ring.symbols if s not in setting.observables]
        self.encoded: dict[Expr, Polynomial] = {}
        for symbol in self.observables:
            definition = self.ring.polynomial(setting.observables[symbol], self.ring.generators)
            self.encoded[symbol] = self.ring.substitute(definition, self.encoded)
        left = self.ring.quotient(claim.left, self.ring.generators)
        right = self.ring.quotient(claim.right, self.ring.generators)
        self.top = self.ring.times(left[0], right[1]) - self.ring.times(right[0], left[1])
        self.bottom = self.ring.times(left[1], right[1])
        self.factors = self._divisors()
        shared = self.ring.common(self.top, self.bottom)
        if not self.top.is_zero() and not shared.is_one():
            self.top, self.bottom = self.top / shared, self.bottom / shared
        self.residual = self.ring.substitute(self.top, self.encoded)

    @cached_property
    def denominator(self) -> Polynomial:
        """Product of divisors on the domain; none of these is zero there, so it is not either."""
        return self.ring.substitute(self.bottom, self.encoded)

    def _divisors(self) -> tuple[Expr, ...]:
        """Irreducible factors of every divisor: each must differ from zero."""
        results: list[Expr] = []
        for divisor in self.claim.divided:
            top, _ = self.ring.quotient(divisor, self.ring.generators)
            if self.ring.substitute(top, self.encoded).is_zero():
                raise DataError(_ZERO.format(self.claim.text))
            results += self.ring.factors(top)
        return tuple(dict.fromkeys(results))

    def cofactors(self, polynomial: Polynomial) -> list[tuple[Expr, Polynomial]]:
        """Return (observable, cofactor): the polynomial minus its encoding, generator by generator."""
        results = []
        before = polynomial
        for symbol, value in self.encoded.items():
            after = self.ring.substitute(before, {symbol: value})
            if after != before:
                generator = self.ring.generators[symbol] - value
                results.append((symbol, divmod(before - after, generator)[0]))
            before = after
        return results

    def proof(self, weaker: Weaker = "needed") -> Proof:
        """Proof; `weaker` is what is known about exams with dependent errors."""
        ring = self.ring
        steps: dict[Expr, Step] = {}
        main = self.step("identity", self.top, self.top, steps)
        nonzero = self.factors
        assumed = _OPEN if weaker == "open" else _ASSUMES[self.known.model]
        if self.known.model == "independent" and len(self.known.judges) == 1:
            assumed = _ASSUMES["axioms"]  # what is said of one judge is said of every exam
        elif isinstance(weaker, Proof):
            assumed = _NOT_NEEDED.format(weaker.model)
        elif weaker == "open" and is_single([self.claim.text], self.known):
            assumed = _SINGLE
        unless = "" if not nonzero else "; it divides by " + ", ".join(map(str, nonzero))
        return Proof(
            status=Status.OK,
            message=f"Proved: {self.claim.text} holds {assumed}{unless}.",
            identity=self.claim.text,
            model=self.known.model,
            judges=self.known.judges,
            labels=self.known.labels,
            difference=self.difference,
            nonzero=nonzero,
            multiplier=ring.expression(self.bottom),
            steps=(*steps.values(), main),
            weaker=weaker if isinstance(weaker, Proof) else None,
        )

    def step(
        self, name: str, polynomial: Polynomial, claim: Polynomial, steps: dict[Expr, Step]
    ) -> Step:
        """Step that shows `claim` to be zero, deriving what it needs first."""
        ring = self.ring
        rest = claim
        terms: list[tuple[Expr, Expr]] = []
        if polynomial is not claim:  # an observable: its definition is the first generator
            symbol = next(s for s in self.encoded if s.name == name)
            terms.append((symbol - self.known.observables[symbol], sympy.Integer(1)))
            rest = rest - (ring.generators[symbol] - polynomial)
        for symbol, cofactor in self.cofactors(polynomial):
            self.derive(symbol, steps)
            rest = rest - cofactor * (ring.generators[symbol] - self.encoded[symbol])
            terms.append((self.generator(symbol), ring.expression(cofactor)))
        if not rest.is_zero():
            raise NotSolvedError(
                f"the cofactors of {name} must add up to it; they do not; report this as an error"
            )
        return Step(name, ring.expression(claim), tuple(terms))

    def derive(self, symbol: Expr, steps: dict[Expr, Step]) -> None:
        definition = self.known.observables[symbol]
        if symbol in steps or not definition.free_symbols & set(self.encoded):
            return
        ring = self.ring
        inner = ring.polynomial(definition, ring.generators)
        generator = ring.generators[symbol] - self.encoded[symbol]
        made = self.step(symbol.name, inner, generator, steps)
        steps[symbol] = made

    def generator(self, symbol: Expr) -> Expr:
        """Observable's generator, printed as the paper does where it can be."""
        definition = self.known.observables[symbol]
        if definition.free_symbols & set(self.encoded):
            definition = self.ring.factored(self.encoded[symbol])
        return symbol - definition


def _needed(setting: System, claim: Identity) -> tuple[Expr, ...]:
    """Observables an identity speaks of, directly or through definitions, in order."""
    wanted = spoken_of(claim)
    for symbol in reversed(list(setting.observables)):
        if symbol in wanted:
            wanted |= setting.observables[symbol].free_symbols
    return tuple(symbol for symbol in setting.observables if symbol in wanted)


_ASSUMES = {
    "independent": "whenever errors are independent",
    "correlated": "on every exam, whatever the correlations",
    "axioms": "on every exam",
}
_NOT_NEEDED = "on every exam: independent errors are not needed (proved under the model {0!r})"
_OPEN = "whenever errors are independent; whether that is needed was not decided"
_SINGLE = "on every exam: it is about judges one at a time, so that dependent errors cannot matter"


def is_single(texts: Iterable[str], setting: System) -> bool:
    """Whether every name in some texts speaks of one judge at most.

    Then what holds under independent errors holds on every exam: prevalences and rates of any exam are
    also those of some independent judges.
    """
    named = meanings_in(texts, setting).values()
    return all(meaning is not None and len(meaning.judges) < 2 for meaning in named)


def _refute(setting: System, claim: Identity, work: _Work, counted: CountedClock) -> Counterexample:
    texts = equation(claim)
    small = SmallExams(setting, texts)
    items, smallest = small.search(counted), True
    if items is None:
        items, smallest = _larger(setting, texts, work), False
    if items is not None:
        refutation = Refutation(items, *small.sides(items), smallest, small.sizes)
        return Counterexample.of(replace(texts, claim=claim.text), setting, refutation)
    work.clock.check()
    raise NotSolvedError(
        f"{claim.text!r} is false, but no exam on which it fails was found among those of at most "
        f"{how_many(small.sizes, 'item')} and {_RANDOM_EXAMS} larger ones; state a simpler consequence of it"
    )


def _larger(setting: System, texts: Texts, work: _Work) -> Items | None:
    """Items of an exam, not a small one, that refutes an identity."""
    if setting.model != "independent":
        return random_exam(setting, texts, _RANDOM_EXAMS)
    for evaluation in statements.random_independent_exams(setting, _RANDOM_EXAMS):
        work.clock.check()
        values = setting.encoding.values(evaluation) if setting.encoding else {}
        exam = exact_exam(evaluation)
        values[sympy.Symbol("Q")] = Fraction(exam.n_items)
        if work.ring.at(work.residual, values) and work.ring.at(work.denominator, values):
            return items_of(setting, exam)
    return None


# --- Inequalities and claims under hypotheses: read, decided, and told with their evidence.


Verdict = Theorem | Counterexample | Contradiction | Undecided

_SMALL_EXAMS = 0.5
_CONTRADICTION = 10.0
_NOWHERE = "a proof that the hypotheses leave no exam on which the claim divides by no zero: found"
_LINEAR, _ASIDE, _LEAST_ASIDE = 3.0, 0.25, 1.2
"""Work on a linear claim, or one judge's, of any exam; share of the time, and work at least, on whether
independence is needed."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A claim in a system; `divides`: whether it does where rates are no quotients, if that was asked."""

    known: System
    texts: Texts
    hint: tuple[str, ...]
    divides: bool | None = None

    @property
    def single(self) -> bool:
        """Whether dependence of errors cannot matter."""
        texts = self.texts
        return is_single(map(texts.expanded, (texts.claim, *texts.given)), self.known)


_Reading = tuple[Space, Problem]


def decide_claim(
    texts: Texts, setting: System, hint: Sequence[str], deadline: CountedClock
) -> Verdict:
    """Verdict on a claim in a system; where independence is assumed, whether that is needed, after it.

    A linear claim is put to any exam whatever first: exams of few items decide it.
    """
    question = _Question(setting, texts, tuple(hint))
    space = Space(setting)
    reading = space, read_problem(texts, space)
    if setting.model != "independent":
        return _decided(question, reading, deadline)
    wider = replace(question, divides=bool(reading[1].divisors))
    linear = _on_any_exam(wider, deadline.part(_LINEAR), linear=True)
    if isinstance(linear, Theorem | Contradiction):
        return linear

    def aside(settled: bool) -> Verdict | None:
        """What becomes of the claim without independence: little time if it is proved with it."""
        if linear is not None or (question.single and len(setting.judges) > 1):
            return linear
        least = _LEAST_ASIDE if len(setting.judges) > 1 else _LINEAR
        most = max(least, _ASIDE * deadline.whole.spent) if settled else inf
        return _on_any_exam(wider, deadline.part(most, share=0.5))

    return _decided(question, reading, deadline.part(share=1 - _ASIDE), aside)


def _on_any_exam(
    question: _Question, deadline: CountedClock, *, linear: bool = False
) -> Verdict | None:
    """Verdict on a claim on any exam; None if it cannot be stated there, or is not linear."""
    with suppress(DataError, TooLargeError, NotLinear):
        plain = system("axioms", question.known.judges, question.known.labels)
        question = replace(question, known=plain, hint=() if linear else question.hint)
        space = Space(plain, linear=linear)
        problem = read_problem(question.texts, space)
        stated = (s.polynomial for s in (problem.claim, *problem.given))
        if not linear or max(p.total_degree() for p in stated) < 2:
            return _decided(question, (space, problem), deadline)
    return None


def _decided(
    question: _Question,
    reading: _Reading,
    deadline: CountedClock,
    aside: Callable[[bool], Verdict | None] = lambda settled: None,
) -> Verdict:
    """Verdict; `aside`, asked after it, says what becomes of the claim where less is assumed."""
    space, problem = reading
    refuter = Refuter(question.known, question.texts, problem)
    if refuter.small(deadline.part(_SMALL_EXAMS)):
        return _refuted(question, refuter, deadline)
    outcome = decide(
        problem,
        deadline,
        confirm=refuter.confirm,
        squares=[*_squares(question, space), *space.under_even_powers],
        named=space.named,
    )
    if outcome.verdict == "refuted" and refuter.refutation is not None:
        return _refuted(question, refuter, deadline)
    if outcome.verdict == "contradiction":
        own, alone = _without_the_claim(question, space, outcome)
        if alone.verdict == "contradiction":
            return _contradicted(question, own, alone)
        outcome.tried.append(_NOWHERE)
    beside = aside(outcome.verdict == "proved")
    if isinstance(beside, Theorem | Contradiction):
        return beside
    if outcome.verdict == "proved":
        return _proved(question, space, outcome, beside)
    return _open(question, refuter, outcome, beside)


def _squares(question: _Question, space: Space) -> Iterator[Any]:
    """Yield the forms that hints are."""
    for text in question.hint:
        value = read_expression(question.texts.expanded(tidy(text)), text, space)
        if value.below:
            raise DataError(
                f"a hint must be a polynomial; got {text!r}, which divides; multiply it out"
            )
        yield value.top


_ASSUMES_OF_THEOREMS = {"independent": "whenever errors are independent", "axioms": "on every exam"}


def _about(question: _Question, model: str) -> dict[str, Any]:
    texts, setting = question.texts, question.known
    return {
        "claim": texts.claim,
        "given": texts.given,
        "define": dict(texts.define),
        "model": model,
        "judges": setting.judges,
        "labels": setting.labels,
    }


def _header(question: _Question, space: Space, outcome: Outcome, claim: str) -> dict[str, Any]:
    texts, setting = question.texts, question.known
    strict = outcome.strict if claim != texts.claim else relation_of(claim) in ("<", ">")
    return {
        "schema": Theorem.schema,
        "claim": claim,
        "given": list(texts.given),
        "define": dict(texts.define),
        "model": space.model,
        "judges": list(setting.judges),
        "labels": list(setting.labels),
        "denominators": list(outcome.denominators),
        "domain": [move.step for move in outcome.moves],
        "strict": strict,
        "proof": outcome.node,
    }


def _proved(question: _Question, space: Space, outcome: Outcome, wider: Verdict | None) -> Theorem:
    texts = question.texts
    assumed = _ASSUMES_OF_THEOREMS[space.model]
    if space.model == "independent" and question.single:
        assumed = _SINGLE if len(question.known.judges) > 1 else _ASSUMES_OF_THEOREMS["axioms"]
        wider = None
    seen = wider if isinstance(wider, Counterexample | Undecided) else None
    empty = "" if outcome.feasible else "; no exam that satisfies the hypotheses was found"
    divides = "; where it divides by zero it says nothing" if space.divisors.polynomials else ""
    if divides and question.divides is False:  # only what a rate is of
        divides = "; where a label does not occur, accuracies on it mean nothing"
    return Theorem(
        status=Status.OK,
        message=f"Proved: {texts.claim} holds {assumed}{_if(texts)}{_beside(seen)}{divides}{empty}.",
        method=outcome.tried[-1],
        any_exam=seen,
        certificate=_header(question, space, outcome, texts.claim),
        **_about(question, space.model),
    )


def _beside(seen: Counterexample | Undecided | None) -> str:
    if isinstance(seen, Counterexample):
        return "; if they are not, it can fail"
    return "" if seen is None else "; whether that is needed was not decided"


def _if(texts: Texts) -> str:
    return "" if not texts.given else ", if " + " and ".join(texts.given)


def _refuted(question: _Question, refuter: Refuter, deadline: CountedClock) -> Counterexample:
    return Counterexample.of(question.texts, question.known, refuter.settled(deadline))


def _without_the_claim(
    question: _Question, space: Space, outcome: Outcome
) -> tuple[Space, Outcome]:
    """Contradiction proved from the hypotheses alone: what the claim divides by is left out."""
    if not outcome.denominators:
        return space, outcome
    alone = Texts("0 > 0", question.texts.given, question.texts.define)
    own = Space(question.known)
    problem = read_problem(alone, own)
    again = decide(problem, CountedClock(inf, _CONTRADICTION), confirm=lambda point: False)
    return own, again


def _contradicted(question: _Question, space: Space, outcome: Outcome) -> Contradiction:
    texts = question.texts
    apart = space.model == "independent" and not question.single
    return Contradiction(
        status=Status.INCONSISTENT,
        message=(
            f"The hypotheses contradict each other: no exam {'with independent errors ' if apart else ''}"
            f"satisfies {' and '.join(texts.given)}, so "
            f"{texts.claim} says nothing; drop one of them."
        ),
        certificate=_header(question, space, outcome, "contradiction"),
        **_about(question, space.model),
    )


def _open(
    question: _Question, refuter: Refuter, outcome: Outcome, wider: Verdict | None
) -> Undecided:
    late = "time ran out" in outcome.tried
    advice = (
        "pass a longer time_limit or give a hint"
        if late
        else "give a hint, or state a simpler claim"
    )
    if relation_of(question.texts.claim) == "=":
        advice = "state it as >= and <=, which allow more kinds of proof"
    if _NOWHERE in outcome.tried:
        advice = "it divides by zero wherever the hypotheses hold: restate it"
    if refuter.absent:
        advice = (
            "it fails only where some label does not occur: add P_A > 0 and the like to `given`"
        )
    return Undecided(
        status=Status.TIME_LIMIT if late else Status.UNDETERMINED,
        message=(
            f"Not decided: {question.texts.claim} was neither proved nor refuted{_if(question.texts)}; "
            f"{advice}."
        ),
        tried=tuple(outcome.tried),
        least=outcome.least,
        any_exam=wider if isinstance(wider, Counterexample) else None,
        **_about(question, question.known.model),
    )


# --- Prove or refute what is claimed about judges: an identity, an inequality, with or without
# hypotheses.


_WORK = {True: 60.0, False: 20.0}
"""Counted work unless there is a time limit: of identities, and of inequalities."""


def prove(
    identity: Any,
    *,
    labels: int | Iterable[object] = 2,
    judges: int | Iterable[object] = 3,
    model: ProofModel = "independent",
    given: str | Iterable[str] = (),
    define: Mapping[str, str] | None = None,
    hint: str | Iterable[str] = (),
    time_limit: float | None = None,
) -> Proof | Verdict:
    """Prove an identity or an inequality about judges, or show a small exam on which it fails.

    Judges of whom nothing is said are left out of the result, and it says so.

    Parameters
    ----------
    identity : str, sympy.Eq, an inequality of SymPy, or sympy.Expr
        Arithmetic on the names below with one of = >= <= > <; an expression without is claimed to
        be zero.
    labels, judges : int or sequence of str
        How many, or their names; a number means labels A, B, ... and judges i, j, k, ... (which
        may be written 1, 2, 3, ... too).
    model : {"independent", "correlated", "axioms"}
        Independent errors (Algebraic Evaluation, Theorem 0.1); any errors, with correlations as parameters;
        or plain counts (No-Knowledge Alarms), where the definitions (12), (13), (16), (17) are the axioms.
    given : str or sequence of str, optional
        Hypotheses like "P_iA >= 1/2" or "1/10 <= P_A <= 9/10".
    define : dict of str to str, optional
        Names of your own: {"loss": "P_A*(1 - P_iA) + 2*P_B*(1 - P_iB)"}. They come before the
        names of the model.
    hint : str or sequence of str, optional
        Polynomials whose squares may help an inequality.
    time_limit : float, optional
        Seconds after which the attempt is given up. By default work is counted, and the answer is
        the same on any machine: about 60 seconds of work for identities, 20 for inequalities and hypotheses.

    Returns
    -------
    Proof
        Of an identity without hypotheses: cofactors on the generators, expanded and checked. Rational
        identities are proved after clearing denominators and say what must be nonzero: every divisor
        as written, also one that cancels. (Divisors cancelled in a SymPy expression before it gets
        here cannot be seen.) Where errors need not be independent, the message says so and
        `weaker` holds the proof for any exam.
    Theorem
        Of an inequality, or under hypotheses: an exact certificate, which `algeval.verify` checks. Under
        the independent model a linear claim is tried on any exam whatever first, another one after it
        is proved, for a second or a quarter of the time it took; a proof there has the model "axioms",
        otherwise `any_exam` holds what came of it. What speaks of judges one at a time holds on every
        exam. What a claim divides by is assumed to be nonzero.
    Counterexample
        An exam on which the hypotheses hold and the claim does not, both sides counted from it: the
        smallest, where all smaller ones could be tried. Labels may be absent from it on which the
        claim names no accuracy.
    Contradiction
        No exam satisfies the hypotheses; `holds` is None.
    Undecided
        Neither was found; it says what was tried and the least difference of the sides seen; `holds` is None.

    Raises
    ------
    DataError
        For an unknown name, anything that is not arithmetic with one relation, an inequality
        between counts and shares, or a denominator that is zero on every exam.
    TooLargeError
        If deciding it would take hours or all memory.
    NotSolvedError
        If time runs out on an identity, or a false one has no counterexample among the exams searched.

    Notes
    -----
    Names, in every model: prevalence ``P_A``, accuracy ``P_iA`` (or ``P_{i,A}``), error rate
    ``P_{i,B|A}``, frequency ``f_AAB``, shares of answers ``f_Bi``, ``f_BiBj``, ``f_{B_i,A_j,B_k}``,
    grade ``g_i``, number of items ``Q``, ``Q_A``, counts ``n_AAB`` and ``n_AAB_A`` (true label last),
    agreement ``a_ij``, ``kappa_ij``, ``kappa_i`` (with the key), ``unan``, ``unan_ijk`` (share of items
    answered alike), covariances ``Delta_{i:A,j:B}``; with two labels also ``d_i`` = P_iA + P_iB - 1,
    central moments ``Delta_ij``, ``Delta_ijk`` (S12-S15) ... of any number of judges, ``MV``, ``MV_ijk``
    (accuracy of the majority) and, the first label being positive, ``prec_i``, ``rec_i``, ``npv_i``,
    ``F1_i``, ``Jac_i`` (Jaccard), ``BA_i``, ``AUC_i``, ``J_i`` (Youden), ``MCC2_i`` (Matthews', squared),
    ``odds_AAB`` (of the first label given the answers). Correlations ``Gamma_ij_A`` unless errors are
    independent. Under the axioms counts of answers of up to four judges, ``R_iA``, ``R_iA_B``
    (answered A, true B), ``R_iA_jB``, ``R_iA_jB_A``.

    Examples
    --------
    >>> prove("Delta_ij = P_A*P_B*d_i*d_j").holds
    True
    >>> found = prove("f_Bi = f_Bj")
    >>> found.exam.n_items, found.left, found.right
    (1, Fraction(0, 1), Fraction(1, 1))
    >>> prove("prec_i >= P_A", given=["d_i >= 0"]).model
    'axioms'
    """
    setting = system(model, _listed(judges), _listed(labels))
    hypotheses = [given] if isinstance(given, str) else list(given)
    plain = not hypotheses and not define and not _is_inequality(identity)
    if time_limit is None:
        clock = CountedClock(None, _WORK[plain])
    else:
        clock = CountedClock(check_number("time_limit", time_limit, least=0, strict=True))
    if plain:
        named = named_system([as_text(identity)], setting) if _is_readable(identity) else setting
        return _of_further(setting, named, prove_identity(identity, named, model, clock))
    texts = read_texts(as_text(identity), hypotheses, define or {}, setting)
    hints = [hint] if isinstance(hint, str) else list(hint)
    full = [texts.expanded(tidy(text)) for text in (texts.claim, *texts.given, *hints)]
    named = named_system(full, setting)
    if not texts.given and relation_of(texts.claim) == "=":
        verdict: Proof | Verdict = prove_identity(full[0], named, model, clock)
    else:
        verdict = decide_claim(texts, named, hints, clock)
    return _of_further(setting, named, verdict)


def _of_further(setting: System, named: System, verdict: Proof | Verdict) -> Proof | Verdict:
    """Verdict that says that it is the same for judges of whom the claim does not speak."""
    if named is setting or verdict.holds is None:
        return verdict
    return replace(verdict, message=f"{verdict.message[:-1]}; the same for any further judges.")


def _is_readable(identity: Any) -> bool:
    return isinstance(identity, str | sympy.Expr | sympy.Equality)


def _listed(names: int | Iterable[object]) -> Any:
    return names if isinstance(names, int | str) else tuple(names)


def _is_inequality(identity: Any) -> bool:
    if isinstance(identity, str):
        return any(sign in identity for sign in "<>≤≥")
    return isinstance(identity, sympy.Rel) and not isinstance(identity, sympy.Equality)


def holds_on(
    identity: Any, exam: KeyedSketch, *, model: ProofModel = "axioms"
) -> tuple[Fraction, Fraction] | None:
    """Both sides of an identity on one exam, counted from it; None if it divides by zero.

    So it is where an accuracy is named on a label that does not occur.

    Examples
    --------
    >>> exam = KeyedSketch.from_counts({"A": {"A": 2, "B": 1}, "B": {"B": 1}}, judges=["i"])
    >>> holds_on("g_i = f_Bi", exam)
    (Fraction(3, 4), Fraction(1, 2))
    """
    setting = system(model, exam.sketch.judges, exam.sketch.labels)
    texts = equation(read_identity(identity, setting))
    counted = Exams(setting).single(items_of(setting, exam))
    sides = counted.sides(texts)
    return sides if counted.defined[0] else None
