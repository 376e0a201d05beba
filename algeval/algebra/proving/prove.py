"""Prove or refute what is claimed about judges: an identity, an inequality, with or without hypotheses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy

from algeval.algebra.proving.cofactors import prove_identity
from algeval.algebra.proving.counting import count_values
from algeval.algebra.proving.identities import read_identity
from algeval.algebra.proving.proofs import Counterexample, Proof
from algeval.algebra.proving.statements import read_texts, relation_of
from algeval.algebra.proving.theorems import Verdict, decide_claim
from algeval.algebra.proving.verdicts import Contradiction, Theorem, Undecided
from algeval.algebra.proving.vocabulary import ProofModel, system
from algeval.algebra.proving.weakest import sides_of
from algeval.data import KeyedSketch
from algeval.data.settings import check_number

__all__ = ["Contradiction", "Counterexample", "Proof", "Theorem", "Undecided", "holds_on", "prove"]

_SECONDS = {True: 60.0, False: 20.0}
"""Time limits unless one is given: of identities, and of inequalities."""


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
        Seconds after which the attempt is given up: by default 60 for identities, 20 for inequalities
        and hypotheses.

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
        the independent model the claim is tried on any exam whatever first; a proof there has the
        model "axioms", otherwise `any_exam` holds what came of it. What a claim divides by is
        assumed to be nonzero.
    Counterexample
        An exam on which the hypotheses hold and the claim does not, both sides counted from it; the
        smallest, or with simple rates. Under the independent model all labels occur on it.
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
    (2, Fraction(0, 1), Fraction(1, 2))
    >>> prove("prec_i >= P_A", given=["d_i >= 0"]).model
    'axioms'
    """
    known = system(model, _listed(judges), _listed(labels))
    hypotheses = [given] if isinstance(given, str) else list(given)
    plain = not hypotheses and not define and not _is_inequality(identity)
    limit = _SECONDS[plain] if time_limit is None else time_limit
    limit = check_number("time_limit", limit, least=0, strict=True)
    if plain:
        return prove_identity(identity, known, model, limit)
    texts = read_texts(_as_text(identity), hypotheses, define or {}, known)
    if not texts.given and relation_of(texts.claim) == "=":
        return prove_identity(texts.expanded(texts.claim), known, model, limit)
    hints = [hint] if isinstance(hint, str) else list(hint)
    return decide_claim(texts, known, hints, limit)


def _listed(names: int | Iterable[object]) -> Any:
    return names if isinstance(names, int | str) else tuple(names)


def _is_inequality(identity: Any) -> bool:
    if isinstance(identity, str):
        return any(sign in identity for sign in "<>≤≥")
    return isinstance(identity, sympy.Rel) and not isinstance(identity, sympy.Equality)


def _as_text(identity: Any) -> str:
    if isinstance(identity, sympy.Equality):
        return f"{identity.lhs} = {identity.rhs}"
    return str(identity) if isinstance(identity, sympy.Basic) else identity


def holds_on(
    identity: Any, exam: KeyedSketch, *, model: ProofModel = "axioms"
) -> tuple[Fraction, Fraction] | None:
    """Return both sides of an identity on one exam, counted from it; None if it divides by zero.

    Examples
    --------
    >>> exam = KeyedSketch.from_counts({"A": {"A": 2, "B": 1}, "B": {"B": 1}}, judges=["i"])
    >>> holds_on("g_i = f_Bi", exam)
    (Fraction(3, 4), Fraction(1, 2))
    """
    known = system(model, exam.sketch.judges, exam.sketch.labels)
    return sides_of(read_identity(identity, known), count_values(known, exam))
