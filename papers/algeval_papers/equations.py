"""Numbered equations of the papers, each computed again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import isqrt
from typing import Any, ClassVar, Literal

import numpy as np
import sympy

from algeval.algebra.eliminating import discriminant_factors, groebner_basis
from algeval.algebra.ladder_steps import ladder
from algeval.algebra.language import ProofModel, encode
from algeval.algebra.proving import Counterexample, Proof, holds_on, prove
from algeval.algebra.ring import Ring
from algeval.algebra.trios import Ladder, plain
from algeval.data import Evaluation, KeyedSketch
from algeval.errors import DataError
from algeval.models.independent import exact_exam
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.numbers import aligned, expression, how_many
from algeval_papers.claims import Claim, Compute, Found

# --- One numbered equation of a paper: the computation of a claim, by proofs and exams.


Verdict = Literal["proved", "erratum"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome(Result):
    """Proofs and refutations of one numbered equation.

    Attributes
    ----------
    number : str
        The equation.
    verdict : str
        "proved", "erratum", or "not confirmed" where the machine contradicts the entry.
    proofs : tuple of Proof
        Of the printed form, or of the corrected one.
    refutations : tuple of Counterexample
        Of the printed form of an erratum.
    """

    schema: ClassVar[str] = "algeval.outcome/1"

    number: str
    verdict: str
    proofs: tuple[Proof, ...]
    refutations: tuple[Counterexample, ...]

    @property
    def certificates(self) -> dict[str, dict[str, Any]]:
        """{name: certificate of a proof, or a counterexample}: `algeval.export.coq.theory` makes one file.

        Names are words like eq_S16_proof1, so that each can be the name of a module of Coq.
        """
        word = "_".join(re.findall("[A-Za-z0-9]+", self.number))
        listed = {f"eq_{word}_proof{k}": p.certificate for k, p in enumerate(self.proofs, 1)}
        refuted = {f"eq_{word}_refuted{k}": p.to_dict() for k, p in enumerate(self.refutations, 1)}
        return listed | refuted


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One numbered equation: identities to be proved, or refuted and corrected.

    Called, it is the computation of a claim; `claim` is that claim.

    Attributes
    ----------
    number, paper : str
        Where it stands.
    statement : str
        What it claims, in the names of `prove`.
    verdict : {"proved", "erratum"}
        What `run` confirms.
    note : str
        What is wrong with an erratum, or what the statement leaves unsaid.
    printed : tuple of str
        Identities as printed (all must be proved, or for an erratum each refuted).
    corrected : tuple of str
        What should stand instead; all must be proved.
    model, labels, judges
        As for `prove`.
    check : callable, optional
        For claims that are no identity: returns whether they hold (or fail, for an erratum).
    """

    number: str
    paper: str = "001"
    statement: str
    verdict: Verdict
    note: str = ""
    printed: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    model: ProofModel = "independent"
    labels: int = 2
    judges: int = 3
    check: Callable[[], bool] | None = None

    def __call__(self) -> Found:
        """Proofs and refutations of the identities, as the computation of a claim."""
        ask = partial(prove, labels=self.labels, judges=self.judges, model=self.model)
        printed = [ask(text) for text in self.printed]
        corrected = [ask(text) for text in self.corrected]
        right = self.verdict == "proved"
        confirmed = (
            all(result.holds == right for result in printed)
            and all(result.holds for result in corrected)
            and (self.check is None or self.check())
        )
        proofs = [result for result in (*printed, *corrected) if isinstance(result, Proof)]
        refutations = [result for result in printed if isinstance(result, Counterexample)]
        return _counted(proofs, refutations, confirmed)

    def claim(self) -> Claim:
        """Claim that this equation makes."""
        return Claim(
            id=f"{self.paper}-{self.number}",
            place=f"({self.number})",
            paraphrase=self.statement,
            verdict="reproduced" if self.verdict == "proved" else "erratum",
            compute=self,
            note=self.note,
        )

    def run(self) -> Outcome:
        """Proof of the printed form; of an erratum its refutation, and proof of the corrected one."""
        result = self()
        verdict = self.verdict if result.confirmed else "not confirmed"
        note = f" ({self.note})" if self.note else ""
        return Outcome(
            status=Status.OK if result.confirmed else Status.INCONSISTENT,
            message=f"{self.number}: {verdict}. {self.statement}{note}",
            number=self.number,
            verdict=verdict,
            proofs=tuple(proof for proof in result.proofs if isinstance(proof, Proof)),
            refutations=tuple(p for p in result.proofs if isinstance(p, Counterexample)),
        )


def _counted(
    proofs: Sequence[Proof], refutations: Sequence[Counterexample], confirmed: bool
) -> Found:
    texts = [f"{how_many(len(proofs), 'identity', 'identities')} proved"] * bool(proofs)
    texts += [f"{len(refutations)} refuted by an exam"] * bool(refutations)
    return Found(", ".join(texts) or "checked", confirmed, (*proofs, *refutations))


def entry(*numbers: str) -> Compute:
    """Computation that confirms equations of the catalogue."""

    def run() -> Found:
        results = [equation() for equation in catalogue(numbers)]
        every = [proof for result in results for proof in result.proofs]
        proofs = [proof for proof in every if isinstance(proof, Proof)]
        refutations = [proof for proof in every if isinstance(proof, Counterexample)]
        return _counted(proofs, refutations, all(result.confirmed for result in results))

    return run


def proved(number: str, statement: str, *printed: str, **more: Any) -> Entry:
    """Entry whose printed identities are all to be proved."""
    return Entry(number=number, statement=statement, verdict="proved", printed=printed, **more)


def erratum(number: str, statement: str, *printed: str, **more: Any) -> Entry:
    """Entry whose printed identities are all to be refuted."""
    return Entry(number=number, statement=statement, verdict="erratum", printed=printed, **more)


# --- The numbered equations of Algebraic Evaluation.


def equations_001() -> list[Entry]:
    """Entries of Algebraic Evaluation in the order of its sections."""
    return [*_moments(), *_ladder(), *_definitions(), *_theorems()]


_T = "Delta_ij*Delta_ik*Delta_jk"
_D = "Delta_ijk"
_A = f"({_D}^2 + 4*{_T})"
_DECISIONS = ("AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB")


def _moments() -> list[Entry]:
    """S1-S15: what the observed moments are under independent errors."""
    majority = "f_AAA+f_AAB+f_ABA+f_BAA + f_BBB+f_BBA+f_BAB+f_ABB = 1"
    sums = {
        "i": "f_BAA+f_BAB+f_BBA+f_BBB",
        "j": "f_ABA+f_ABB+f_BBA+f_BBB",
        "k": "f_AAB+f_ABB+f_BAB+f_BBB",
    }
    pairs = (("i", "j", "f_BBA+f_BBB"), ("i", "k", "f_BAB+f_BBB"), ("j", "k", "f_ABB+f_BBB"))
    return [
        proved("S1", "the majority-vote prevalences S1 and S2 add up to 1", majority),
        *(
            proved(
                f"S{number}",
                f"f_B{i} = {total}, which is P_A(1-P_{i}A) + P_B P_{i}B",
                f"f_B{i} = {total}",
                f"f_B{i} = P_A*(1-P_{i}A) + P_B*P_{i}B",
            )
            for number, (i, total) in enumerate(sums.items(), start=9)
        ),
        *(
            proved(
                f"S{number}",
                f"Delta_{i}{j} = ({both}) - f_B{i} f_B{j}, which is P_A P_B d_{i} d_{j}",
                f"Delta_{i}{j} = ({both}) - f_B{i}*f_B{j}",
                f"Delta_{i}{j} = P_A*P_B*d_{i}*d_{j}",
            )
            for number, (i, j, both) in enumerate(pairs, start=12)
        ),
        proved(
            "S15",
            "Delta_ijk is P_A P_B (2 P_A - 1) d_i d_j d_k",
            f"{_D} = f_BBB - (f_Bi*f_Bj*f_Bk + f_Bi*Delta_jk + f_Bj*Delta_ik + f_Bk*Delta_ij)",
            f"{_D} = P_A*P_B*(2*P_A-1)*d_i*d_j*d_k",
        ),
    ]


def _ladder() -> list[Entry]:
    """(6) and S16-S43: the quadratic and the six linear equations."""
    quadratic = f"{_A}*P_A^2 - {_A}*P_A + {_T} = 0"
    root = "P_A*P_B*d_i*d_j*d_k"
    return [
        erratum(
            "6",
            "P_A = (1 - Delta_ijk/sqrt(a))/2",
            f"P_A = (1 - {_D}/({root}))/2",
            note="with S15's Delta_ijk this is the swapped root: the sign before Delta_ijk must be +; "
            f"sqrt(a) = {root} when it is positive",
            corrected=(f"P_A = (1 + {_D}/({root}))/2", f"{_A} = ({root})^2"),
        ),
        proved("S16", "0 = a P_A^2 + b P_A + c", quadratic),
        proved("S17", "a = Delta_ijk^2 + 4 Delta_ij Delta_ik Delta_jk in S16", quadratic),
        proved("S18", "b = -a in S16", quadratic),
        proved("S19", "c = Delta_ij Delta_ik Delta_jk in S16", quadratic),
        *_rung(20, "i", "jk"),
        *_rung(28, "j", "ik"),
        *_rung(36, "k", "ij", wrong_37=True),
    ]


def _rung(first: int, judge: str, other: str, *, wrong_37: bool = False) -> list[Entry]:
    """Eight entries of one judge: the equations for P_{.,A} and P_{.,B}."""
    pair, share, note = f"Delta_{other}", f"f_B{judge}", f"the other pair is Delta_{other}"
    on_a = _rung_a(f"{_D}*({_D} - {pair}*(1-{share})) + 2*{_T}", f"-{_A}", pair, judge)
    minus = f"(4*{_T} - {_D}^2)"
    entries = [
        proved(f"S{first}", f"0 = a + b P_A + c P_{judge}A, with b corrected", on_a),
        proved(
            f"S{first + 1}",
            f"a = Delta_ijk(Delta_ijk - {pair}(1 - {share})) + 2 Delta_ij Delta_ik Delta_jk",
            on_a,
        ),
        erratum(
            f"S{first + 2}",
            "b = 4 Delta_ij Delta_ik Delta_jk - Delta_ijk^2",
            _rung_a(f"{_D}*({_D} - {pair}*(1-{share})) + 2*{_T}", minus, pair, judge),
            note="must be -(4 Delta_ij Delta_ik Delta_jk + Delta_ijk^2)",
            corrected=(on_a,),
        ),
        proved(f"S{first + 3}", f"c = {pair} Delta_ijk", on_a),
    ]
    on_b = f"{share}*{pair}*{_D} - 2*{_T} + {_A}*P_A - {pair}*{_D}*P_{judge}B = 0"
    on_b_names = (
        f"0 = a + b P_A + c P_{judge}B",
        f"a = {share} {pair} Delta_ijk - 2 Delta_ij Delta_ik Delta_jk",
        "b = Delta_ijk^2 + 4 Delta_ij Delta_ik Delta_jk",
        f"c = -{pair} Delta_ijk",
    )
    entries += [proved(f"S{first + 4 + n}", text, on_b) for n, text in enumerate(on_b_names)]
    if wrong_37:
        entries[1] = erratum(
            "S37",
            "a = Delta_ijk(Delta_ijk - Delta_ik(1 - f_Bj)) + 2 Delta_ij Delta_ik Delta_jk",
            _rung_a(f"{_D}*({_D} - Delta_ik*(1-f_Bj)) + 2*{_T}", f"-{_A}", pair, judge),
            note=f"{note} and the share f_Bk: copied from S29",
            corrected=(on_a,),
        )
        entries[5] = erratum(
            "S41",
            "a = f_Bk Delta_ik Delta_ijk - 2 Delta_ij Delta_ik Delta_jk",
            on_b.replace(f"{share}*{pair}", f"{share}*Delta_ik"),
            note=note,
            corrected=(on_b,),
        )
    return entries


def _rung_a(a: str, b: str, pair: str, judge: str) -> str:
    return f"{a} + {b}*P_A + {pair}*{_D}*P_{judge}A = 0"


def _definitions() -> list[Entry]:
    """(1)-(3), S44-S82: counts, correlations and the encoding theorem."""
    terms = {t: _encoded(t) for t in _DECISIONS}
    counts = partial(proved, model="axioms")
    entries = [
        counts(
            "1",
            "an observed count is the sum of its counts by true label",
            "n_ABA = n_ABA_A + n_ABA_B",
        ),
        erratum(
            "2",
            "the left side is f_{A_i,B_j,A_j}",
            f"0 = {terms['ABA']}",
            note="the last index must be k; read literally judge j answers twice, which never happens",
            corrected=(f"f_ABA = {terms['ABA']}",),
        ),
        counts(
            "3",
            "g_i = P_A P_iA + P_B P_iB is the share of items answered correctly",
            "g_i = (R_iA_A + R_iB_B)/Q",
            "P_A*P_iA + P_B*P_iB = (R_iA_A + R_iB_B)/Q",
        ),
        counts(
            "S44",
            "the average of deviations is the pair's joint share minus P_iA P_jA (S66, S67)",
            "Gamma_ij_A = R_iA_jA_A/Q_A - P_iA*P_jA",
            "Gamma_jk_B = R_jB_kB_B/Q_B - P_jB*P_kB",
        ),
        counts("S52", "P_l = Q_l/Q", "P_A*Q = Q_A", "P_A + P_B = 1"),
        counts(
            "S53",
            "P_iA is the share of correct answers on label A",
            "P_iA*Q_A = n_AAA_A + n_AAB_A + n_ABA_A + n_ABB_A",
        ),
        counts("S54", "f = n/Q", *(f"f_{t}*Q = n_{t}" for t in _DECISIONS)),
    ]
    for number, (decision, value) in enumerate(terms.items(), start=55):
        text, check = f"f_{decision} = {value}", partial(_encodes, decision, value)
        entries.append(proved(f"S{number}", text, text, check=check))
    return entries + _proof_steps(counts)


def _encoded(decision: str) -> str:
    """Printed right-hand side of S55-S62 for one decision tuple."""
    sides = []
    for label in "AB":
        rates = [
            f"P_{judge}{label}" if answer == label else f"(1-P_{judge}{label})"
            for judge, answer in zip("ijk", decision, strict=True)
        ]
        sides.append("*".join([f"P_{label}", *rates]))
    return " + ".join(sides)


def _encodes(decision: str, value: str) -> bool:
    """Whether the right-hand side counts the tuple on an exam that is independent."""
    rates = [(Fraction(on_a, 4), Fraction(on_b, 4)) for on_a, on_b in ((2, 1), (1, 3), (3, 2))]
    confusion = np.array([[[a, 1 - a], [1 - b, b]] for a, b in rates])
    share = np.array([Fraction(1, 3), Fraction(2, 3)])
    keyed = exact_exam(Evaluation(("i", "j", "k"), ("A", "B"), ("A", "B"), share, confusion))
    sides = holds_on(f"f_{decision} = {value}", keyed)
    return sides is not None and sides[0] == sides[1]


def _proof_steps(counts: Callable[..., Entry]) -> list[Entry]:
    joint = "Gamma_ijk_A = n_AAA_A/Q_A - P_iA*P_jA*P_kA"
    lower = " - P_iA*Gamma_jk_A - P_jA*Gamma_ik_A - P_kA*Gamma_ij_A"
    on_b = "Q_B*P_jB - Q_B*P_jB*P_kB - Q_B*P_iB*P_jB + Q_B*P_iB*P_jB*P_kB"
    return [
        counts(
            "S63",
            "n(t) = n(t|A) + n(t|B) for every decision tuple",
            *(f"n_{t} = n_{t}_A + n_{t}_B" for t in _DECISIONS),
        ),
        erratum(
            "S64",
            "the second line repeats judge i's indicator three times",
            "n_ABA_A = R_iA_A",
            note="the indices must be i, j, k; as printed the sum counts judge i's answers alone",
            model="axioms",
            corrected=("n_ABA_A + n_ABB_A = R_iA_jB_A",),
        ),
        counts("S65", "on label A, answering B is not answering A", "R_iB_A = Q_A - R_iA_A"),
        proved(
            "S68",
            "the joint share of a pair is the product of its accuracies",
            "(n_AAA_A + n_AAB_A) = Q_A*P_iA*P_jA",
            "(n_BBB_B + n_ABB_B) = Q_B*P_jB*P_kB",
        ),
        erratum(
            "S70",
            "Gamma_ij = <ijk> - P_iA P_jA P_kA for pair-independent judges",
            joint.replace("Gamma_ijk", "Gamma_ij"),
            note="the left side must be Gamma_ijk; pairs add -P_i Gamma_jk - P_j Gamma_ik - P_k Gamma_ij",
            model="axioms",
            corrected=(joint + lower,),
            check=_pairs_may_hide_a_trio,
        ),
        counts("S72", "n(ABA) splits by label", "n_ABA = n_ABA_A + n_ABA_B"),
        proved(
            "S76",
            "S73-S76: n(ABA|A) = Q_A P_iA (1-P_jA) P_kA",
            "n_ABA_A = Q_A*P_iA*P_kA - Q_A*P_iA*P_jA*P_kA",
            "n_ABA_A = Q_A*P_iA*(1-P_jA)*P_kA",
        ),
        proved(
            "S80",
            "S77-S80: n(ABA|B) = Q_B (1-P_iB) P_jB (1-P_kB)",
            f"n_ABA_B = {on_b}",
            "n_ABA_B = Q_B*(1-P_iB)*P_jB*(1-P_kB)",
        ),
        proved(
            "S82",
            f"S81, S82: n(ABA)/Q = f_ABA = {_encoded('ABA')}",
            f"n_ABA/Q = {_encoded('ABA')}",
            f"f_ABA = {_encoded('ABA')}",
        ),
    ]


def _pairs_may_hide_a_trio() -> bool:
    """Whether S70 as printed fails where every pair is independent and the trio is not."""
    exam = KeyedSketch.from_counts(
        {"A": dict.fromkeys(("AAA", "ABB", "BAB", "BBA"), 1), "B": {"BBB": 1}},
        judges=["i", "j", "k"],
    )
    pairs = [holds_on(f"Gamma_{a}{b}_A", exam) for a, b in combinations("ijk", 2)]
    sides = holds_on("Gamma_ij_A = n_AAA_A/Q_A - P_iA*P_jA*P_kA", exam)
    return pairs == [(Fraction(0), Fraction(0))] * 3 and sides == (Fraction(0), Fraction(1, 8))


def _theorems() -> list[Entry]:
    """S84-S92: the decoding theorem, its worked numbers, its symmetry, and the alarm."""
    swap = {"P_A": "(1-P_A)", "P_B": "(1-P_B)"}
    swap |= {f"P_{i}A": f"(1-P_{i}B)" for i in "ijk"} | {f"P_{i}B": f"(1-P_{i}A)" for i in "ijk"}
    return [
        erratum(
            "S83",
            "the seven unknowns are listed with judge i three times",
            note="the judges must be i, j, k; as printed four unknowns are missing",
            check=_seven_unknowns,
        ),
        proved("S84", "P_A + P_B = 1", "P_A + P_B = 1"),
        proved(
            "S85",
            "Theorem 0.2: the elimination ideal's only prevalence element is S16",
            f"{_A}*P_A^2 - {_A}*P_A + {_T} = 0",
            check=_theorem_0_2,
        ),
        erratum(
            "S87",
            "S86's frequencies give a = 3190087950361/(1.6e19)",
            note="must be 3190087950361/(1.6e17); as printed the roots are complex; c is right",
            check=_worked_numbers,
        ),
        proved(
            "S91",
            "S88-S91: the swap of labels and errors leaves every encoded frequency as it is",
            *(f"f_{t} = {_swapped(_encoded(t), swap)}" for t in _DECISIONS),
        ),
        proved(
            "S92",
            "Theorem 0.3: over the 16 patterns of correlation the discriminant factors into "
            "even powers only when none is present",
            f"{_A} = (P_A*P_B*d_i*d_j*d_k)^2",
            note="the discriminant is a Delta_ijk^2; with D = 0 the accuracies may be irrational "
            "while the prevalence is 1/2, which the theorem does not mention",
            check=_theorem_0_3,
        ),
    ]


def _swapped(text: str, swap: dict[str, str]) -> str:
    return re.sub(r"P_[ijk]?[AB]", lambda match: swap[match.group()], text)


def _seven_unknowns() -> bool:
    printed = ["P_A", *["P_{i,A}", "P_{i,B}"] * 3]
    needed = {symbol.name for symbol in encode(3).parameters}
    return len(needed) == 7 and set(printed) < needed and len(needed - set(printed)) == 4


def _theorem_0_2() -> bool:
    basis = groebner_basis("frequencies")
    polynomials = basis.prevalence_polynomials
    if len(polynomials) != 1:
        return False
    p, m = basis.unknowns[-1], _raw_moments()
    a = m["D"] ** 2 + 4 * m["X"] * m["Y"] * m["Z"]
    want = a * p**2 - a * p + m["X"] * m["Y"] * m["Z"]
    ring = Ring((p, *basis.observables))
    values = ring.generators
    return bool(ring.polynomial(want, values) == ring.polynomial(polynomials[0], values))


def _raw_moments() -> dict[str, Any]:
    f = {t: sympy.Symbol(f"f_{{{','.join(t)}}}") for t in _DECISIONS}
    return _moments_of(f)


def _moments_of(f: dict[str, Any]) -> dict[str, Any]:
    share = [sum(f[t] for t in _DECISIONS if t[position] == "B") for position in range(3)]
    pair = {
        (i, j): sum(f[t] for t in _DECISIONS if t[i] == t[j] == "B") - share[i] * share[j]
        for i, j in combinations(range(3), 2)
    }
    trio = f["BBB"] - (
        share[0] * share[1] * share[2]
        + share[0] * pair[1, 2]
        + share[1] * pair[0, 2]
        + share[2] * pair[0, 1]
    )
    return {"X": pair[0, 1], "Y": pair[0, 2], "Z": pair[1, 2], "D": trio}


def _worked_numbers() -> bool:
    """Whether S87 is as wrong as its note says, from the counts of S86."""
    counts = (568, 553, 649, 1813, 3534, 3607, 1068, 8208)
    f = {t: Fraction(n, 20000) for t, n in zip(_DECISIONS, counts, strict=True)}
    m = _moments_of(f)
    product_ = m["X"] * m["Y"] * m["Z"]
    a = m["D"] ** 2 + 4 * product_
    printed = Fraction(3190087950361, 16 * 10**18)
    c = Fraction(1612380721606215379, 10**24)
    irrational = isqrt((a * a - 4 * a * c).numerator) ** 2 != (a * a - 4 * a * c).numerator
    return (
        a == 100 * printed
        and product_ == c
        and printed**2 - 4 * printed * c < 0
        and a**2 - 4 * a * c > 0
        and irrational
    )


def _theorem_0_3() -> bool:
    groups = ("ij", "ik", "jk", "ijk")
    for size in range(len(groups) + 1):
        for correlated in combinations(groups, size):
            square = all(power % 2 == 0 for _, power in discriminant_factors(correlated))
            if square != (size == 0):
                return False
    return True


# --- The numbered equations of No-Knowledge Alarms.


def equations_003() -> list[Entry]:
    """No-Knowledge Alarms: the axioms of one judge (9) and of a pair, for two and three labels."""
    entries = []
    for labels in (2, 3):
        names = "ABC"[:labels]
        common: dict[str, Any] = {"paper": "003", "model": "axioms", "labels": labels, "judges": 2}
        entries += [
            proved(
                f"003 (9), R={labels}",
                "R_{l;l} - Q_l + sum of R_l' - sum of R_{l';l''} = 0 over l', l'' != l",
                *(_single_axiom(names, true) for true in names),
                note="proved from (12) and (13)",
                **common,
            ),
            proved(
                f"003 (9) sum, R={labels}",
                "the R axioms add up to zero identically once the answers add up to Q",
                " + ".join(f"({_single_axiom(names, t)})" for t in names),
                " + ".join(f"R_i{t}" for t in names) + " = Q",
                **common,
            ),
            proved(
                f"003 M=2, R={labels}",
                "the axiom of a pair, one per label",
                *(_pair_axiom(names, true) for true in names),
                note="proved from (16) and (17); the scan of the equation was read by its structure",
                **common,
            ),
            proved(
                f"003 (12)-(13), R={labels}",
                "a judge's answers split by true label, and a label's items by answer",
                *(f"R_i{a} = " + " + ".join(f"R_i{a}_{t}" for t in names) for a in names),
                *(f"Q_{t} = " + " + ".join(f"R_i{a}_{t}" for a in names) for t in names),
                **common,
            ),
            proved(
                f"003 (19), R={labels}",
                "g_i is the sum over labels of (Q_l/Q)(R_{l;l}/Q_l)",
                "g_i = " + " + ".join(f"(Q_{t}/Q)*(R_i{t}_{t}/Q_{t})" for t in names),
                **common,
            ),
        ]
    return entries


def _single_axiom(names: Sequence[str], true: str, judge: str = "i") -> str:
    others = [a for a in names if a != true]
    plus = "".join(f" + R_{judge}{a}" for a in others)
    minus = "".join(f" - R_{judge}{a}_{t}" for a, t in product(others, others))
    return f"R_{judge}{true}_{true} - Q_{true}{plus}{minus}"


def _pair_axiom(names: Sequence[str], true: str) -> str:
    others = [a for a in names if a != true]
    text = f"R_i{true}_j{true}_{true} - Q_{true}"
    for judge in "ij":
        text += "".join(f" + R_{judge}{a}" for a in others)
        text += "".join(f" - R_{judge}{a}_{t}" for a, t in product(others, others))
    text += "".join(f" - R_i{a}_j{b}" for a, b in product(others, others))
    return text + "".join(f" + R_i{a}_j{b}_{t}" for a, b, t in product(others, repeat=3))


# --- The ladder as Algebraic Evaluation prints it, beside what a Groebner basis says.


Expr = Any  # sympy.Expr; SymPy is untyped

_PRINTED = {
    "S17": "D**2 + 4*X*Y*Z",
    "S18": "-(D**2 + 4*X*Y*Z)",
    "S19": "X*Y*Z",
    "S21": "D*(D - Z*(1 - f_i)) + 2*X*Y*Z",
    "S22": "4*X*Y*Z - D**2",
    "S23": "Z*D",
    "S25": "f_i*Z*D - 2*X*Y*Z",
    "S26": "D**2 + 4*X*Y*Z",
    "S27": "-Z*D",
    "S29": "D*(D - Y*(1 - f_j)) + 2*X*Y*Z",
    "S30": "4*X*Y*Z - D**2",
    "S31": "Y*D",
    "S33": "f_j*Y*D - 2*X*Y*Z",
    "S34": "D**2 + 4*X*Y*Z",
    "S35": "-Y*D",
    "S37": "D*(D - Y*(1 - f_j)) + 2*X*Y*Z",
    "S38": "4*X*Y*Z - D**2",
    "S39": "X*D",
    "S41": "f_k*Y*D - 2*X*Y*Z",
    "S42": "D**2 + 4*X*Y*Z",
    "S43": "-X*D",
}
"""The coefficients of S16-S43 as printed; X, Y, Z, D are Delta_ij, Delta_ik, Delta_jk, Delta_ijk."""

_NAMES = {
    **{f"f_{i}": f"f_{{B_{i}}}" for i in "ijk"},
    "X": "Delta_{i,j}",
    "Y": "Delta_{i,k}",
    "Z": "Delta_{j,k}",
    "D": "Delta_{i,j,k}",
}


@dataclass(frozen=True, slots=True)
class Misprint(Record):
    """An equation that a Groebner basis contradicts.

    Attributes
    ----------
    number : str
        Of Algebraic Evaluation.
    printed, derived : sympy expression
        Its right side there, and as it must read.
    """

    number: str
    printed: Expr
    derived: Expr

    def __str__(self) -> str:
        return f"{self.number}: printed {plain(self.printed)}, must be {plain(self.derived)}"

    def _repr_latex_(self) -> str:
        remark = rf"\text{{printed }} {expression(self.printed)}"
        return aligned([(rf"\text{{{self.number}}}", expression(self.derived), remark)])


def printed_ladder() -> dict[str, Expr]:
    """Coefficients of the quadratic and of the six linear equations as printed, by number.

    S18 is printed as -a. The symbols are those of `ladder`.

    Examples
    --------
    >>> print(plain(printed_ladder()["S22"]))
    -Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk
    """
    symbols = {short: sympy.Symbol(name) for short, name in _NAMES.items()}
    return {number: sympy.sympify(text, locals=symbols) for number, text in _PRINTED.items()}


def misprints(
    derived: Ladder | None = None, printed: Mapping[str, Expr] | None = None
) -> tuple[Misprint, ...]:
    """Equations of the printed ladder that a Groebner basis contradicts.

    Parameters
    ----------
    derived : Ladder, optional
        With symbols, as `ladder()` makes it, which is the default.
    printed : mapping, optional
        {number: right side}, by default `printed_ladder()`.

    Examples
    --------
    >>> [one.number for one in misprints()]
    ['S22', 'S30', 'S37', 'S38', 'S41']
    """
    steps = ladder() if derived is None else derived
    shown = printed_ladder() if printed is None else printed
    pairs = [(number, text, steps.equation(number).right) for number, text in shown.items()]
    return tuple(Misprint(*pair) for pair in pairs if sympy.expand(pair[1] - pair[2]) != 0)


# --- Numbered equations of the papers that are identities, proved or corrected by machine.
#
# The papers are Corrada-Emmanuel's Algebraic Evaluation Theorems (001) and No-Knowledge Alarms
# (003).
#
# An entry holds the identity as printed and, where that is wrong, the corrected one; running it
# proves the one and refutes the other. Coefficients a, b, c of the paper's linear equations are
# checked inside their equation: a misprinted one is put into the equation that is otherwise
# right. Several numbers may be one claim (S16 to S19 and S85). Definitions that assert nothing
# are left out, and so are the majority vote's own estimates (5), (S2) to (S8), and the choice of
# a root (4).


def catalogue(numbers: Iterable[str] | None = None) -> tuple[Entry, ...]:
    """Entries, or those with the given numbers; `entry.run()` checks one.

    Examples
    --------
    >>> (entry,) = catalogue(["S18"])
    >>> entry.run().verdict
    'proved'
    """
    entries = (*equations_001(), *equations_003())
    if numbers is None:
        return entries
    wanted = list(numbers)
    by_number = {entry.number: entry for entry in entries}
    unknown = [number for number in wanted if number not in by_number]
    if unknown:
        raise DataError(
            f"numbers must be in the catalogue; got {unknown[0]!r}; choose from {', '.join(by_number)}"
        )
    return tuple(by_number[number] for number in wanted)
