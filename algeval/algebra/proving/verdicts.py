"""What proving an inequality returns, beside a counterexample: a theorem, a contradiction, or neither."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from algeval.algebra.proving.proofs import Counterexample
from algeval.result import Result
from algeval.result.files import write_text

__all__ = ["Contradiction", "Theorem", "Undecided"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Certified(Result):
    """A claim that was decided by a certificate.

    Attributes
    ----------
    claim : str
        As it was read.
    given : tuple of str
        The hypotheses, one relation each.
    define : dict
        {name: text}.
    model : str
        What is assumed of the judges: "independent", or "axioms" where nothing is.
    judges, labels : tuple of str
        What the names are about.
    certificate : dict
        The proof as JSON, which `algeval.verify` checks without anything else.
    """

    claim: str
    given: tuple[str, ...] = ()
    define: Mapping[str, str] = field(default_factory=dict)
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    certificate: Mapping[str, Any] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate, as the verifier reads it."""
        return dict(self.certificate)

    def save(self, path: str | Path) -> None:
        """Write the certificate to a file."""
        write_text(path, json.dumps(self.certificate, indent=1) + "\n")


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
        """Return the lines a person reads."""
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
        """Return the lines a person reads."""
        lines = [self.message, "  tried: " + ", ".join(dict.fromkeys(self.tried))]
        if self.least is not None:
            lines.append(f"  least difference of the sides seen: {float(self.least):.6g}")
        if self.any_exam is not None:
            lines += ["  without the assumption of independent errors:"]
            lines += [f"  {line}" for line in self.any_exam.summary().splitlines()]
        return "\n".join(lines)
