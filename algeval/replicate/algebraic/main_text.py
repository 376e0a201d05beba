"""The abstract and the main text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from algeval.algebra import correlations, encode, majority
from algeval.data import Evaluation
from algeval.replicate.algebraic.exams import (
    TUPLES,
    correlated_yet_rational,
    decoded,
    evaluation_of,
    independent_exam,
    table_1,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["main_text"]

QUARTER = Fraction(1, 4)


def main_text() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="001-abs",
            place="abstract",
            printed="the decisions of three independent judges of two labels leave two evaluations",
            verdict="conditional",
            compute=fact(evaluations_with_a_judge_at_chance),
            note="only if both labels occur and each judge's accuracies on the two labels do not add up to 1",
        ),
        Claim(
            id="001-abs50",
            place="abstract",
            printed="judges less than 50% accurate can be evaluated",
            compute=fact(evaluation_of_a_bad_judge),
            note="as long as the six true accuracies add up to more than 3, by the choice of (4)",
        ),
        Claim(
            id="001-2b",
            place="main text, after (1) and (3)",
            printed="three judges have 8 decision tuples, and each frequency is a quartic polynomial",
            compute=fact(degrees_of_the_encoding),
        ),
        Claim(
            id="001-4",
            place="(4)",
            printed="of the two evaluations take the one whose accuracies have the greater sum",
            compute=fact(sums_of_accuracies),
            note="the sums can be equal, which is not mentioned: then the rule chooses neither",
        ),
        Claim(
            id="001-5",
            place="(5)",
            printed="majority vote's share of A: f_AAA + f_AAB + f_ABA + f_BAA",
            compute=fact(majority_share),
        ),
        Claim(
            id="001-6b",
            place="main text, after (5) and (6)",
            printed="majority vote's share is always a fraction, the algebraic one need not be",
            compute=fact(kinds_of_numbers),
        ),
        Claim(
            id="001-FP",
            place="main text, on the alarm",
            printed="the alarm has false positives (rational estimates of dependent judges), no false "
            "negatives",
            verdict="wording",
            compute=fact(silent_alarm),
            note="the two words are exchanged: an alarm for dependence that stays silent on dependent judges "
            "has missed them, which is a false negative; what it does not have are false positives",
        ),
    )


def evaluations_with_a_judge_at_chance() -> tuple[str, bool]:
    """Decode an exam of three able judges, and one whose third judge is at chance."""
    able, chance = (Fraction(3, 4), Fraction(3, 4)), (QUARTER, Fraction(3, 4))
    full = decoded(independent_exam(QUARTER, [able, able, able]))
    weak = decoded(independent_exam(QUARTER, [able, able, chance]))
    told = f"{len(full.evaluations)} with three able judges; with k right on 1/4 of A and 3/4 of B a set "
    told += f"of dimension {weak.dimension}"
    return told, len(full.evaluations) == 2 and bool(weak.dimension)


def evaluation_of_a_bad_judge() -> tuple[str, bool]:
    """Decode an exam whose third judge is mostly wrong on both labels."""
    able, bad = (Fraction(3, 4), Fraction(3, 4)), (QUARTER, Fraction(1, 3))
    truth = evaluation_of(QUARTER, [able, able, bad])
    right = decoded(independent_exam(QUARTER, [able, able, bad])).best == truth
    told = "two judges right on 3/4, one right on 1/4 of A and 1/3 of B: the true evaluation is "
    return f"{told}{'' if right else 'not '}found", right


def degrees_of_the_encoding() -> tuple[str, bool]:
    """Return the degrees of the encoded frequencies."""
    import sympy

    found = encode(3)
    degrees = [
        sympy.Poly(value, *found.parameters).total_degree() for value in found.encoded.values()
    ]
    told = f"{len(degrees)} polynomials of degree {', '.join(map(str, sorted(set(degrees))))}"
    return told, degrees == [4] * 8


def sums_of_accuracies() -> tuple[str, bool]:
    """Add up the accuracies of both evaluations of Table 1, and of an exam on which they tie."""
    found = decoded(table_1())
    sums = [sum(_accuracies(one)) for one in found.evaluations]
    weak = (Fraction(3, 8), Fraction(3, 8))
    tie = decoded(independent_exam(QUARTER, [(Fraction(3, 4), Fraction(3, 4)), weak, weak]))
    told = f"Table 1: {sums[0]:.3f} against {sums[1]:.3f}; equal for one judge right on 3/4, two on 3/8"
    return told, sums[0] > sums[1] and found.best is found.evaluations[0] and tie.tie


def _accuracies(one: Evaluation) -> Iterator[float]:
    yield from (float(one.accuracy(j, t) or 0) for j in one.judges for t in one.labels)


def majority_share() -> tuple[str, bool]:
    """Return the majority's share of A in Table 1."""
    exam = table_1()
    ours = majority(exam).evaluation.prevalence_of("A")
    return f"{ours} in Table 1", ours == sum(map(exam.sketch.frequency, TUPLES[:4]))


def kinds_of_numbers() -> tuple[str, bool]:
    """Return both shares of A in Table 1."""
    exam = table_1()
    by_vote = majority(exam).evaluation.prevalence_of("A")
    found = decoded(exam)
    assert found.best is not None
    by_algebra = found.best.prevalence_of("A")
    told = f"Table 1: {by_vote} by vote, {by_algebra} = {float(by_algebra):.4f} by algebra"  # type: ignore[arg-type]
    return told, isinstance(by_vote, Fraction) and not isinstance(by_algebra, Fraction)


def silent_alarm() -> tuple[str, bool]:
    """Decode dependent judges whose estimates are rational."""
    exam = correlated_yet_rational()
    found = decoded(exam)
    rational = found.best is not None and isinstance(found.best.prevalence_of("A"), Fraction)
    told = f"{exam.n_items} items, dependent errors: the estimates are rational, so no alarm"
    return told, rational and not correlations(exam).independent
