"""Does an identity need independent errors? The same claim, tried on any exam whatever.

The correlated model describes every exam, and so do the axioms. Under both a name means what it
means for independent judges, so the claim is read again in their vocabulary: first on some exams
with dependent errors, which nearly always settles it, then by cofactors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Literal

from algeval.algebra.proving.counting import Values, evaluate
from algeval.algebra.proving.exams import random_plain_exams
from algeval.algebra.proving.identities import Identity, judges_of, read_identity
from algeval.algebra.proving.proofs import Proof
from algeval.algebra.proving.ring import Clock
from algeval.algebra.proving.vocabulary import ProofModel, System, system
from algeval.errors import DataError, NotSolvedError, TooLargeError

__all__ = ["Weaker", "differs_on", "sides_of", "weaker_proof"]

_TRIED = 12
_LEAST_SECONDS = 3.0
_MODELS: tuple[ProofModel, ...] = ("correlated", "axioms")

Weaker = Proof | Literal["needed", "open"]
Prover = Callable[[System, Identity, Clock], Proof | None]


def sides_of(claim: Identity, values: Values) -> tuple[Fraction, Fraction] | None:
    """Return both sides of an identity on one exam; None if it divides by zero."""
    left, right = evaluate(claim.left, values), evaluate(claim.right, values)
    divided = all(evaluate(divisor, values) for divisor in claim.divided)
    return None if left is None or right is None or not divided else (left, right)


def differs_on(known: System, claim: Identity, tries: int) -> bool:
    """Return whether some exam, of a few drawn without any assumption, refutes an identity."""
    for items in random_plain_exams(known, tries):
        sides = sides_of(claim, Values(known, items))
        if sides is not None and sides[0] != sides[1]:
            return True
    return False


def weaker_proof(
    identity: Any, known: System, claim: Identity, clock: Clock, prove_in: Prover
) -> Weaker:
    """Return a proof of an identity for any exam, or whether independence is "needed" or "open".

    Parameters
    ----------
    identity
        As the user gave it; it is read again.
    known, claim
        The independent model and the claim read there, proved already.
    clock
        Time that is left; at most as much again as was used, or 3 seconds, is spent here.
    prove_in
        Proves a claim in a system, or returns None where it is false.
    """
    inner = clock.part(max(_LEAST_SECONDS, clock.used()))
    for judges in dict.fromkeys((_mentioned(known, claim), known.judges)):
        for model in _MODELS:
            try:
                found = _attempt(identity, model, judges, known.labels, inner, prove_in)
            except (DataError, TooLargeError, NotSolvedError):
                continue
            return found
    return "open"


def _attempt(
    identity: Any,
    model: ProofModel,
    judges: Sequence[str],
    labels: Sequence[str],
    clock: Clock,
    prove_in: Prover,
) -> Weaker:
    weaker = system(model, judges, labels)
    claim = read_identity(identity, weaker)
    if differs_on(weaker, claim, _TRIED):
        return "needed"
    return prove_in(weaker, claim, clock) or "needed"


def _mentioned(known: System, claim: Identity) -> tuple[str, ...]:
    return tuple(known.judges[i] for i in judges_of(claim, known)) or known.judges[:1]
