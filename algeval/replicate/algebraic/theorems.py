"""Theorems 0.1 to 0.3 beyond their equations."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from algeval.algebra import correlations, decode, discriminant_factors, encode, groebner_basis
from algeval.algebra.trios import Decoding
from algeval.data import Evaluation, KeyedSketch, Sketch
from algeval.logic.orders.order1 import compositions
from algeval.models.independent import exact_exam
from algeval.replicate.algebraic.exams import (
    LABELS,
    TUPLES,
    correlated_yet_rational,
    decoded,
    evaluation_of,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, identities
from algeval.result import Status

__all__ = ["theorems"]

_A = "Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk"


def theorems() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (*_decoding(), *_alarm())


def _decoding() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T0.1",
            place="Theorem 0.1",
            printed="prevalences and accuracies of independent judges give all eight frequencies",
            compute=fact(frequencies_of_exact_exams),
        ),
        Claim(
            id="001-T0.2a",
            place="Theorem 0.2",
            printed="frequencies of three independent judges fit two evaluations, and one is the true one",
            verdict="conditional",
            compute=fact(evaluations_of_exact_exams),
            tolerance="exact, on every combination of three prevalences and four pairs of accuracies",
            note="only if both labels occur and no judge's accuracies add up to 1; else infinitely many fit",
        ),
        Claim(
            id="001-T0.2b",
            place="Theorem 0.2, proof",
            printed="elimination leaves a quadratic in P_A, and equations linear in the accuracies",
            compute=fact(shape_of_the_basis),
        ),
        Claim(
            id="001-T0.2c",
            place="Theorem 0.2, proof",
            printed="two evaluations are the fewest: no dependent judges leave fewer",
            verdict="conditional",
            compute=fact(numbers_of_evaluations),
            tolerance="exact, on all tables of up to four items",
            note="true of tables that some evaluation fits: a single one never does, but others fit none",
        ),
        Claim(
            id="001-T0.2d",
            place="Theorem 0.2, proof",
            printed="once P_A is chosen, the linear equations (S20) to (S43) determine all accuracies",
            verdict="conditional",
            compute=fact(linear_equations_at_one_half),
            note="not where P_A = 1/2: Delta_ijk is then 0 and all six equations read 0 = 0",
        ),
    )


def _alarm() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T0.3a",
            place="Theorem 0.3",
            printed="irrational prevalences appear only if errors are correlated on the test",
            compute=identities(f"{_A} = (P_A*P_B*d_i*d_j*d_k)^2"),
            note="the root of the discriminant is then a product of fractions",
        ),
        Claim(
            id="001-T0.3b",
            place="Theorem 0.3",
            printed="rational prevalences do not imply independent errors",
            compute=fact(rational_though_correlated),
        ),
        Claim(
            id="001-T0.3c",
            place="Theorem 0.3, proof",
            printed="with any correlation the discriminant has no longer even powers only",
            compute=fact(patterns_with_even_powers),
        ),
        Claim(
            id="001-T0.3d",
            place="Theorem 0.3, with (6)",
            printed="the alarm is read off the prevalence: its square root is irrational",
            verdict="conditional",
            compute=fact(irrational_accuracies_alone),
            note="unless Delta_ijk = 0: the prevalence is then 1/2, and the root shows in accuracies alone",
        ),
        Claim(
            id="001-T0.3e",
            place="Theorem 0.3, proof",
            printed="in all experiments the prevalences were irrational",
            verdict="not reproducible",
            note="Data S1 to S4 are not in the text; of the one test that is, Table 1, it is true (001-6b)",
        ),
        Claim(
            id="001-T0.3f",
            place="after Theorem 0.3",
            printed="estimates outside [0, 1] and complex ones can appear",
            compute=fact(other_signs_of_failure),
        ),
        Claim(
            id="001-rat",
            place="after Theorem 0.3",
            printed="correlated judges with rational prevalences have to do with random performance",
            verdict="erratum",
            compute=fact(able_judges_yet_rational),
            note="judges far from chance can be correlated and decode to fractions",
        ),
    )


_SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2))
_RATES = tuple(
    (Fraction(a, 4), Fraction(b, 4)) for a, b in ((3, 2), (2, 2), (1, 1), (4, 3))
)  # skills a + b - 1: 1/4, 0, -1/2, 3/4


def _exact_evaluations() -> Iterator[Evaluation]:
    for share, *rates in product(_SHARES, _RATES, _RATES, _RATES):
        yield evaluation_of(share, rates)


def frequencies_of_exact_exams() -> tuple[str, bool]:
    """Compare the encoded frequencies with the counts of exams of independent judges."""
    encoding = encode(3)
    exams = [(one, exact_exam(one)) for one in _exact_evaluations()]
    same = all(
        exam.sketch.frequency(decision) == value
        for one, exam in exams
        for decision, value in encoding.frequencies(one).items()
    )
    return f"as counted, for each of 8 tuples on {len(exams)} exact exams", same


def evaluations_of_exact_exams() -> tuple[str, bool]:
    """Decode exams of independent judges, and compare with the condition."""
    good, bad, as_said = 0, 0, True
    for truth in _exact_evaluations():
        found = decoded(exact_exam(truth))
        if all(truth.prevalence) and all(_skill(truth, judge) for judge in truth.judges):
            good += 1
            as_said &= len(found.evaluations) == 2 and truth in found.evaluations
        else:
            bad += 1
            as_said &= bool(found.dimension)
    told = f"two on {good} exams, one of them the truth; infinitely many on {bad}, on each of which a label "
    return f"{told}does not occur or a judge's accuracies add up to 1", as_said and good > 0 < bad


def _skill(truth: Evaluation, judge: str) -> Any:
    return truth.accuracy(judge, "A") + truth.accuracy(judge, "B") - 1  # type: ignore[operator]


def shape_of_the_basis() -> tuple[str, bool]:
    """Return the degrees of the elements of the Groebner basis in the moments."""
    import sympy

    basis = groebner_basis("moments", engine="sympy", time_limit=None)
    degrees = sorted(sympy.Poly(one, *basis.unknowns).total_degree() for one in basis.polynomials)
    (quadratic,) = basis.prevalence_polynomials
    told = f"{len(degrees)} elements: one quadratic in P_A alone, and {degrees.count(1)} linear"
    alone = sympy.Poly(quadratic, basis.unknowns[-1]).degree() == 2
    return told, alone and degrees == [1] * 6 + [2]


def numbers_of_evaluations() -> tuple[str, bool]:
    """Count the evaluations that fit each table of up to four items."""
    sizes = [_how_many_fit(counts) for n in range(1, 5) for counts in _tables(n)]
    told = f"no evaluation fits {sizes.count(0)} of {len(sizes)} tables, two fit {sizes.count(2)}, "
    told += f"infinitely many {sizes.count(None)}, a single one {sizes.count(1)}"
    return told, 1 not in sizes and {0, 2, None} == set(sizes)


def _tables(n_items: int) -> Iterator[tuple[int, ...]]:
    return compositions((0,) * 8, (n_items,) * 8, n_items)


def _decoded_counts(counts: tuple[int, ...]) -> Decoding:
    cells = {name: n for name, n in zip(TUPLES, counts, strict=True) if n}
    found = decode(Sketch.from_counts(cells, labels=LABELS))
    assert isinstance(found, Decoding)
    return found


def _how_many_fit(counts: tuple[int, ...]) -> int | None:
    found = _decoded_counts(counts)
    if found.dimension:
        return None
    return len({str(one.to_dict()) for one in found.evaluations})


def linear_equations_at_one_half() -> tuple[str, bool]:
    """Put an exam with P_A = 1/2 into (S20) to (S43), corrected, and decode it."""
    truth = evaluation_of(Fraction(1, 2), _RATES[:1] * 2 + _RATES[3:])
    found = decoded(exact_exam(truth))
    m = found.moments
    assert m is not None
    factors, rests = [], []
    for share, pair in zip(m.marginals, reversed(m.pairs), strict=True):
        factors += [pair * m.trio, -pair * m.trio]
        on_a = m.trio * (m.trio - pair * (1 - share)) + 2 * m.product
        rests += [
            on_a - m.discriminant / 2,
            -factors[-1] * share - 2 * m.product + m.discriminant / 2,
        ]
    told = f"at P_A = 1/2 the six accuracies have coefficients {', '.join(map(str, factors))}; the truth is "
    told += (
        f"{'' if truth in found.evaluations else 'not '}found by a root of the discriminant instead"
    )
    return told, not any(factors) and not any(rests) and truth in found.evaluations


def other_signs_of_failure() -> tuple[str, bool]:
    """Decode two small tables that no independent judges can produce."""
    tables = {
        Status.OUT_OF_RANGE: (0, 0, 0, 1, 1, 4, 1, 1),
        Status.COMPLEX: (0, 1, 1, 1, 1, 1, 3, 0),
    }
    found = {status: _decoded_counts(counts) for status, counts in tables.items()}
    outside = found[Status.OUT_OF_RANGE].evaluations
    shares = ", ".join(str(one.prevalence_of("A")) for one in outside)
    told = f"on two tables of 8 items: P_A = {shares}; {found[Status.COMPLEX].reason}"
    return told, all(one.status is status for status, one in found.items())


def _is_rational(found: Decoding) -> bool:
    return found.best is not None and all(
        isinstance(value, Fraction) for value in found.best.prevalence
    )


def patterns_with_even_powers() -> tuple[str, bool]:
    """Factor the discriminant for each set of correlations that may differ from zero."""
    groups = ("ij", "ik", "jk", "ijk")
    patterns = [some for size in range(5) for some in combinations(groups, size)]
    even = [
        some for some in patterns if all(power % 2 == 0 for _, power in discriminant_factors(some))
    ]
    told = f"of {len(patterns)} patterns of correlation {len(even)} has even powers only: "
    return told + ", ".join(" ".join(some) or "none" for some in even), even == [()]


def rational_though_correlated() -> tuple[str, bool]:
    """Decode an exam of correlated judges with rational estimates."""
    exam = correlated_yet_rational()
    found = decoded(exam)
    dependent = not correlations(exam).independent
    assert found.best is not None
    told = (
        f"{exam.n_items} items of dependent judges decode to P_A = {found.best.prevalence_of('A')}"
    )
    return f"{told}; it is {exam.evaluation().prevalence_of('A')}", dependent and _is_rational(
        found
    )


def irrational_accuracies_alone() -> tuple[str, bool]:
    """Decode ten items with no third moment, whose discriminant is no square."""
    cells = dict.fromkeys(TUPLES, 1) | {"AAA": 2, "BBB": 2}
    found = decoded(KeyedSketch.from_counts({"A": cells, "B": {}}, labels=LABELS))
    assert found.best is not None
    share, accuracy = found.best.prevalence_of("A"), found.best.accuracy("1", "A")
    told = f"two items each of AAA and BBB, one of each other tuple: P_A = {share}, accuracies {accuracy}"
    return told, share == Fraction(1, 2) and not isinstance(accuracy, Fraction)


def able_judges_yet_rational() -> tuple[str, bool]:
    """Return the true accuracies of correlated judges with rational estimates."""
    exam = correlated_yet_rational()
    truth = exam.evaluation()
    rates = {truth.accuracy(judge, label) for judge in truth.judges for label in "AB"}
    told = f"three judges right on {', '.join(map(str, rates))} of both labels, correlated, and rational"
    far = all(rate is not None and rate >= Fraction(3, 4) for rate in rates)
    return told, far and rational_though_correlated()[1]
