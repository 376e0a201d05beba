"""What proving returns: a proof by cofactors, or an exam that refutes the identity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import sympy

from algeval.algebra.proving.exports import latex_text, lean_text, lines_of, sympy_text
from algeval.algebra.proving.identity_certificates import identity_certificate
from algeval.algebra.proving.vocabulary import ProofModel, System, system
from algeval.data import KeyedSketch
from algeval.result import Result, Status
from algeval.result.files import write_text
from algeval.result.latex import products
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Counterexample", "Proof", "Step"]

Expr = Any  # sympy.Expr; SymPy is untyped

_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Step:
    """One claim that a polynomial is zero: it equals the sum of cofactor times generator.

    Attributes
    ----------
    name : str
        "identity", or the symbol whose generator is derived here.
    claim : sympy expression
        The polynomial that is zero.
    terms : tuple of (generator, cofactor)
        SymPy expressions; generators are zero by definition or by an earlier step.
    """

    name: str
    claim: Expr
    terms: tuple[tuple[Expr, Expr], ...]

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
        """Return the step with every polynomial as text."""
        return {
            "name": self.name,
            "claim": str(self.claim),
            "terms": [{"generator": str(g), "cofactor": str(c)} for g, c in self.terms],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proof(Result):
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
    difference: Expr = field(repr=False)
    nonzero: tuple[Expr, ...]
    multiplier: Expr
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
        write_text(path, json.dumps(self.certificate, indent=1) + "\n")

    def to_lean(self) -> str:
        """Return the proof as a theorem of Lean 4 with Mathlib; `linear_combination` checks each step."""
        return lean_text(self.identity, lines_of(self._steps))

    def to_sympy(self) -> str:
        """Return the proof as a script of its own, which stops where a step is wrong."""
        return sympy_text(self.identity, lines_of(self._steps))

    def to_latex(self) -> str:
        """Return the steps as formulas: each polynomial as cofactors times what is zero."""
        return latex_text(self._steps)

    @property
    def _steps(self) -> list[tuple[Expr, tuple[tuple[Expr, Expr], ...]]]:
        return [(step.claim, step.terms) for step in self.steps]

    @property
    def generators(self) -> tuple[Expr, ...]:
        """The generators the identity itself uses."""
        return tuple(generator for generator, _ in self.steps[-1].terms)

    @property
    def cofactors(self) -> dict[Expr, Expr]:
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
        known = system(cast(ProofModel, self.model), self.judges, self.labels)
        used = set().union(*(g.free_symbols for step in self.steps for g, _ in step.terms))
        named = used.intersection(known.observables)
        zero = {sympy.expand(s - known.observables[s]) for s in named}
        for step in self.steps:
            if not step.check() or any(sympy.expand(g) not in zero for g, _ in step.terms):
                return False
            zero.add(sympy.expand(step.claim))
        return self.weaker is None or self._weaker_checks()

    def _weaker_checks(self) -> bool:
        other = cast(Proof, self.weaker)
        return other.identity == self.identity and other.model != self.model and other.check()

    def summary(self) -> str:
        """Return the lines a person reads."""
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
class Counterexample(Result):
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
        Whether every smaller exam of the model was searched and satisfies the identity.
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
    def of(
        cls,
        claim: str,
        known: System,
        exam: KeyedSketch,
        sides: tuple[Fraction, Fraction],
        *,
        smallest: bool,
        given: tuple[str, ...] = (),
        define: Mapping[str, str] | None = None,
    ) -> Self:
        """Return the counterexample that an exam of a system is, and say so in a sentence."""
        kind = "exactly independent " if known.model == "independent" else ""
        size = "the smallest" if smallest else "an"
        under = f" that satisfies {' and '.join(given)}" if given else ""
        return cls(
            status=Status.OK,
            message=(
                f"False: {claim} fails on {size} {kind}exam of {how_many(exam.n_items, 'item')}{under}, "
                f"where the left side is {sides[0]} and the right side {sides[1]}."
            ),
            identity=claim,
            model=known.model,
            judges=known.judges,
            labels=known.labels,
            exam=exam,
            left=sides[0],
            right=sides[1],
            smallest=smallest,
            given=given,
            define=dict(define or {}),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return the claim in one row, and the counterexample as counts by true label."""
        return scalars(self), *self.exam.as_tables()

    def summary(self) -> str:
        """Return the lines a person reads."""
        lines = [self.message, f"  left side {self.left}, right side {self.right}", "  the exam:"]
        for label, column in zip(self.labels, self.exam.keyed.T.tolist(), strict=True):
            rows = [
                f"{','.join(map(str, self.exam.sketch.decision(place)))} x {count}"
                for place, count in enumerate(column)
                if count
            ]
            lines.append(f"    key {label}: " + "; ".join(rows))
        return "\n".join(lines)


def _short(expression: Expr) -> str:
    text = str(expression)
    if len(text) <= _SHOWN:
        return text
    terms = len(sympy.Add.make_args(expression))
    return f"{text[:60]}... ({terms} terms)"
