"""Identities by cofactors: the difference of the sides as a sum of multiples of definitions.

The polynomials ``f_t - enc_t(P)`` generate the kernel of ``f_t -> enc_t(P)``, so an identity
follows from them exactly when it vanishes after the frequencies are replaced by their encodings:
substitution decides. Replacing one observable after the other and dividing each difference by
that observable's generator yields the cofactors, which are expanded and checked before a proof is
returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

import sympy

from algeval.algebra.proving import exams
from algeval.algebra.proving.counting import Items, Values, count_values
from algeval.algebra.proving.identities import Identity, judges_of, read_identity, spoken_of
from algeval.algebra.proving.proofs import Counterexample, Proof, Step
from algeval.algebra.proving.ring import Clock, Ring
from algeval.algebra.proving.sparse import Sparse
from algeval.algebra.proving.vocabulary import ProofModel, System
from algeval.algebra.proving.weakest import Weaker, sides_of, weaker_proof
from algeval.data import Evaluation, KeyedSketch
from algeval.errors import DataError, NotSolvedError
from algeval.models.independent import exact_exam
from algeval.result import Status

__all__ = ["prove_identity"]

Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly

_MOST_EXAMS = 20_000
_MOST_PLAIN_EXAMS = 40_000
_RANDOM_EXAMS = 2_000


def prove_identity(
    identity: Any, known: System, model: ProofModel, time_limit: float
) -> Proof | Counterexample:
    """Return the cofactors of an identity in a system, or an exam on which it fails."""
    clock = Clock(time_limit, repr(str(identity)))
    claim = read_identity(identity, known)
    work = _Work(known, claim, clock)
    if not work.residual.is_zero():
        return _refute(known, claim, work)
    if model != "independent":
        return work.proof()
    return work.proof(weaker_proof(identity, known, claim, clock, _prove_in))


def _prove_in(known: System, claim: Identity, clock: Clock) -> Proof | None:
    work = _Work(known, claim, clock)
    return work.proof() if work.residual.is_zero() else None


_ZERO = (
    "identity must not divide by zero; got a denominator of {0!r} that is zero on every exam; "
    "rewrite it"
)


class _Work:
    """One identity in one polynomial ring, with the encoding of every observable it needs."""

    def __init__(self, known: System, claim: Identity, clock: Clock) -> None:
        self.known, self.claim, self.clock = known, claim, clock
        self.difference = claim.left - claim.right
        self.observables = _needed(known, claim)
        used = spoken_of(claim)
        for symbol in self.observables:
            used |= known.observables[symbol].free_symbols
        self.ring = Ring([s for s in (*self.observables, *known.parameters) if s in used], clock)
        self.unknowns = [s for s in self.ring.symbols if s not in known.observables]
        self.encoded: dict[Expr, Polynomial] = {}
        for symbol in self.observables:
            definition = self.ring.polynomial(known.observables[symbol], self.ring.generators)
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
        self.denominator = self.ring.substitute(self.bottom, self.encoded)
        if self.denominator.is_zero():
            raise DataError(_ZERO.format(claim.text))

    @cached_property
    def sparse_residual(self) -> Sparse:
        """The residual, for points that are mostly zero."""
        return Sparse(self.ring, self.residual)

    @cached_property
    def sparse_denominator(self) -> Sparse:
        """The denominator, for points that are mostly zero."""
        return Sparse(self.ring, self.denominator)

    def _divisors(self) -> tuple[Expr, ...]:
        """Return the irreducible factors of every divisor: each must differ from zero."""
        found: list[Expr] = []
        for divisor in self.claim.divided:
            top, _ = self.ring.quotient(divisor, self.ring.generators)
            if self.ring.substitute(top, self.encoded).is_zero():
                raise DataError(_ZERO.format(self.claim.text))
            found += self.ring.factors(top)
        return tuple(dict.fromkeys(found))

    def cofactors(self, polynomial: Polynomial) -> list[tuple[Expr, Polynomial]]:
        """Return (observable, cofactor): the polynomial minus its encoding, generator by generator."""
        found = []
        before = polynomial
        for symbol, value in self.encoded.items():
            after = self.ring.substitute(before, {symbol: value})
            if after != before:
                generator = self.ring.generators[symbol] - value
                found.append((symbol, divmod(before - after, generator)[0]))
            before = after
        return found

    def proof(self, weaker: Weaker = "needed") -> Proof:
        """Return the proof; `weaker` is what is known about exams with dependent errors."""
        ring = self.ring
        steps: dict[Expr, Step] = {}
        main = self.step("identity", self.top, self.top, steps)
        nonzero = self.factors
        return Proof(
            status=Status.OK,
            message=_proved(self.known, self.claim, nonzero, weaker),
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
        """Return the step that shows `claim` to be zero, deriving what it needs first."""
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
        """Return an observable's generator, printed as the paper does where it can be."""
        definition = self.known.observables[symbol]
        if definition.free_symbols & set(self.encoded):
            definition = self.ring.factored(self.encoded[symbol])
        return symbol - definition


def _needed(known: System, claim: Identity) -> tuple[Expr, ...]:
    """Return the observables an identity speaks of, directly or through definitions, in order."""
    wanted = spoken_of(claim)
    for symbol in reversed(list(known.observables)):
        if symbol in wanted:
            wanted |= known.observables[symbol].free_symbols
    return tuple(symbol for symbol in known.observables if symbol in wanted)


_ASSUMES = {
    "independent": "whenever errors are independent",
    "correlated": "on every exam, whatever the correlations",
    "axioms": "on every exam",
}
_NOT_NEEDED = "on every exam: independent errors are not needed (proved under the model {0!r})"
_OPEN = "whenever errors are independent; whether that is needed was not decided"


def _proved(
    known: System, claim: Identity, nonzero: tuple[Expr, ...], weaker: Weaker = "needed"
) -> str:
    assumed = _OPEN if weaker == "open" else _ASSUMES[known.model]
    if isinstance(weaker, Proof):
        assumed = _NOT_NEEDED.format(weaker.model)
    unless = "" if not nonzero else "; it divides by " + ", ".join(map(str, nonzero))
    return f"Proved: {claim.text} holds {assumed}{unless}."


def _refute(known: System, claim: Identity, work: _Work) -> Counterexample:
    small, most = _small(known, work)
    for smallest, candidates in ((True, islice(small, most)), (False, _larger(known))):
        for candidate in candidates:
            work.clock.check()
            if _differs(known, work, candidate):
                exam = _exam(known, candidate)
                sides = sides_of(claim, count_values(known, exam))
                if sides is not None and sides[0] != sides[1]:
                    return Counterexample.of(claim.text, known, exam, sides, smallest=smallest)
    raise NotSolvedError(
        f"{claim.text!r} is false, but no exam on which it fails was found among {most} small and "
        f"{_RANDOM_EXAMS} larger ones; state a simpler consequence of it"
    )


def _small(known: System, work: _Work) -> tuple[Iterator[Evaluation | Items], int]:
    judges = judges_of(work.claim, known)
    if known.model != "independent":
        return exams.plain_exams(known, 12, judges), _MOST_PLAIN_EXAMS
    most = exams.independent_sizes(max(1, len(judges)), len(known.labels))
    return exams.independent_exams(known, most, judges), min(
        _MOST_EXAMS, 1_000 + 3_000_000 // (100 + len(work.residual))
    )


def _larger(known: System) -> Iterator[Evaluation | Items]:
    if known.model == "independent":
        return exams.random_independent_exams(known, _RANDOM_EXAMS)
    return exams.random_plain_exams(known, _RANDOM_EXAMS)


def _exam(known: System, candidate: Evaluation | Items) -> KeyedSketch:
    if isinstance(candidate, Evaluation):
        return exact_exam(candidate)
    return exams.exam_of(known, candidate)


def _differs(known: System, work: _Work, candidate: Evaluation | Items) -> bool:
    """Return whether the two sides differ, from the parameters alone."""
    if isinstance(candidate, Evaluation):
        values = known.encoding.values(candidate) if known.encoding else {}
        if sympy.Symbol("Q") in work.ring.symbols:
            values[sympy.Symbol("Q")] = Fraction(exact_exam(candidate).n_items)
    elif known.encoding is None:  # the parameters are the counts themselves
        counts = {known.cells[cell]: count for cell, count in candidate.items()}
        return bool(work.sparse_residual.at(counts) and work.sparse_denominator.at(counts))
    else:
        values = Values(known, candidate).of(work.unknowns)
    return bool(work.ring.at(work.residual, values) and work.ring.at(work.denominator, values))
