"""The certificate of an identity without hypotheses: its text is all that the verifier needs.

Put on the domain of the model, the difference of the two sides is the zero polynomial. The verifier reads
the text again and finds that by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from algeval.algebra.proving.coordinates import Space
from algeval.algebra.proving.statements import read_problem, read_texts
from algeval.algebra.proving.vocabulary import system
from algeval.errors import NotSolvedError

__all__ = ["SCHEMA", "identity_certificate"]

SCHEMA = "algeval.inequality/1"
"""Of certificates of identities and inequalities alike."""


def identity_certificate(
    text: str, *, model: str, judges: Sequence[str], labels: Sequence[str]
) -> dict[str, Any]:
    """Return the certificate of an identity, as `algeval.verify` reads it.

    Raises
    ------
    NotSolvedError
        If the text is no identity of the model.

    Examples
    --------
    >>> identity_certificate("P_A + P_B = 1", model="axioms", judges="i", labels="AB")["proof"]
    {'kind': 'zero'}
    """
    known = system("independent" if model == "independent" else "axioms", [*judges], [*labels])
    texts = read_texts(text, (), {}, known)
    problem = read_problem(texts, Space(known))
    if not problem.claim.polynomial.is_zero():
        raise NotSolvedError(f"{text!r} must be an identity of the {model} model; it is not")
    return {
        "schema": SCHEMA,
        "claim": texts.claim,
        "model": known.model,
        "judges": list(known.judges),
        "labels": list(known.labels),
        "denominators": [{"sign": 1} for _ in problem.divisors],
        "strict": False,
        "proof": {"kind": "zero"},
    }
