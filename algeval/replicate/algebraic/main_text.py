"""The abstract, the main text and Table 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from algeval.algebra import (
    Partition,
    correlations,
    decode,
    encode,
    error_correlations,
    majority,
    partition,
)
from algeval.algebra.decoding.results import Decoding
from algeval.data import KeyedSketch
from algeval.replicate.algebraic.exams import (
    TUPLES,
    correlated_yet_rational,
    independent_exam,
    table_1,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, numbers

__all__ = ["decoded", "main_text"]

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)


def main_text() -> tuple[Claim, ...]:
    """Return the claims in the order of the text, Table 1 last."""
    return (*_text(), *_table())


def _text() -> tuple[Claim, ...]:
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


def _table() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T1a",
            place="Table 1, actual counts",
            printed="the counts by true label add up to the observed ones: "
            "568, 553, 649, 1813, 3534, 3607, 1068, 8208",
            compute=numbers((568, 553, 649, 1813, 3534, 3607, 1068, 8208), observed_counts),
        ),
        Claim(
            id="001-T1b",
            place="Table 1, columns AE",
            printed="algebraic counts of A and B: 399 169, 133 420, 253 396, 416 1397, 264 3270, "
            "139 3468, 84 984, 88 8120",
            compute=numbers(
                (399, 169, 133, 420, 253, 396, 416, 1397, 264, 3270, 139, 3468, 84, 984, 88, 8120),
                lambda: rounded(_algebraic()),
            ),
            tolerance="exact, each count rounded to the nearest whole number",
        ),
        Claim(
            id="001-T1c",
            place="Table 1, columns MV",
            printed="majority vote gives each tuple to one label, whole: 568 0, 553 0, 649 0, 1813 0, "
            "0 3534, 0 3607, 0 1068, 0 8208",
            compute=numbers(
                (568, 0, 553, 0, 649, 0, 1813, 0, 0, 3534, 0, 3607, 0, 1068, 0, 8208),
                lambda: rounded(majority(table_1())),
            ),
        ),
        Claim(
            id="001-T1d",
            place="Table 1, caption",
            printed="algebraic evaluation labels fewer items wrong than majority vote",
            compute=fact(labelling_errors),
        ),
        Claim(
            id="001-T1e",
            place="main text on Table 1",
            printed="tuples AAB, ABA and BAA are better labelled B, against the majority",
            compute=fact(tuples_against_the_majority),
        ),
        Claim(
            id="001-T1f",
            place="main text and Materials and methods",
            printed="the classifiers' error correlations are about 0.02",
            compute=fact(largest_correlation),
            tolerance="at most 0.02; known for the one test of Table 1 only",
        ),
    )


def decoded(exam: KeyedSketch) -> Decoding:
    """Decode three judges, the key unread."""
    found = decode(exam.sketch)
    assert isinstance(found, Decoding)
    return found


def evaluations_with_a_judge_at_chance() -> tuple[str, bool]:
    """Decode an exam of three able judges, and one whose third judge is at chance."""
    able, chance = (Fraction(3, 4), Fraction(3, 4)), (QUARTER, Fraction(3, 4))
    full = decoded(independent_exam(QUARTER, [able, able, able]))
    weak = decoded(independent_exam(QUARTER, [able, able, chance]))
    told = f"{len(full.evaluations)} with three able judges; with k right on 1/4 of A and 3/4 of B a set "
    told += f"of dimension {weak.dimension}"
    return told, len(full.evaluations) == 2 and bool(weak.dimension)


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
    sums = [float(sum(_accuracies(one))) for one in found.evaluations]
    weak = (Fraction(3, 8), Fraction(3, 8))
    tie = decoded(independent_exam(QUARTER, [(Fraction(3, 4), Fraction(3, 4)), weak, weak]))
    told = f"Table 1: {sums[0]:.3f} against {sums[1]:.3f}; equal for one judge right on 3/4, two on 3/8"
    return told, sums[0] > sums[1] and found.best is found.evaluations[0] and tie.tie


def _accuracies(evaluation: object) -> Iterator[Fraction]:
    for judge in evaluation.judges:  # type: ignore[attr-defined]
        for label in evaluation.labels:  # type: ignore[attr-defined]
            yield evaluation.accuracy(judge, label)  # type: ignore[attr-defined]


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


def observed_counts() -> list[int]:
    """Return the counts of Table 1, added up over true labels."""
    exam = table_1()
    order = {exam.sketch.decision(row): row for row in range(len(exam.sketch))}
    return [int(exam.keyed[order[tuple(name)]].sum()) for name in TUPLES]


def _algebraic() -> Partition:
    exam = table_1()
    return partition(exam, decoded(exam))


def _row(found: Partition, name: str) -> int:
    """Return the row of a decision tuple."""
    codes = [found.answers.index(answer) for answer in name]
    (row,) = [row for row, other in enumerate(found.codes.tolist()) if other == codes]
    return row


def rounded(found: Partition) -> list[int]:
    """Return a partition's rounded counts of A and B, tuple by tuple as in Table 1."""
    table = found.rounded.tolist()
    return [count for name in TUPLES for count in table[_row(found, name)]]


def labelling_errors() -> tuple[str, bool]:
    """Count the items of Table 1 that both methods label wrong, and the least that any rule can."""
    exam = table_1()
    by_algebra, by_vote = _algebraic().errors(exam), majority(exam).errors(exam)
    least = int(exam.keyed.min(1).sum())
    told = f"{by_algebra} against {by_vote} of {exam.n_items}; no rule on tuples has fewer than {least}"
    return told, by_algebra < by_vote


def tuples_against_the_majority() -> tuple[str, bool]:
    """Return where the algebraic decision is not the majority's, and whether the key agrees."""
    exam = table_1()
    found, vote = _algebraic(), majority(exam)
    differ = [n for n in TUPLES if found.label(_row(found, n)) != vote.label(_row(vote, n))]
    right = all(exam.keyed[_row(found, n)].argmax() == 1 for n in differ)
    told = f"{', '.join(differ)}; by the key each is {'' if right else 'not '}more often B"
    return told, right and differ == ["AAB", "ABA", "BAA"]


def largest_correlation() -> tuple[str, bool]:
    """Return the largest error correlation of Table 1."""
    values = [value for pair in error_correlations(table_1()).values() for value in pair]
    largest = max(map(abs, values))
    return f"at most {float(largest):.4f} in Table 1", 0 < largest <= Fraction(2, 100)
