"""Definitions that stand beside the equations of the catalogue: correlations, records, keys."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from algeval.algebra import correlations, decode, frequencies_from
from algeval.algebra.trios import Decoding
from algeval.data import Evaluation, KeyedSketch, Votes
from algeval.replicate.algebraic.exams import (
    LABELS,
    RATES,
    correlated_yet_rational,
    drawn_exam,
    evaluation_of,
    independent_exam,
    table_1,
)
from algeval.replicate.algebraic.steps import per_item
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, identities

__all__ = ["definitions"]

_TRIO = (
    "over items of a label, the average product of three judges' deviations from their accuracies"
)


def definitions() -> tuple[Claim, ...]:
    """Return the claims in the order of the numbers."""
    return (*_correlations(), *_records(), *_expanded())


def _correlations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S45",
            place="(S45)",
            printed=f"Gamma_ijk: {_TRIO}",
            compute=fact(lambda: averages_of_deviations(("i", "j", "k"))),
        ),
        Claim(
            id="001-S46",
            place="(S46)",
            printed="errors are independent where Gamma is zero for each pair, for the trio, on both labels",
            compute=fact(which_exams_are_independent),
        ),
        Claim(
            id="001-S47",
            place="after (S46)",
            printed="equation number S47",
            verdict="wording",
            note="the number does not occur: (S48) follows (S46)",
        ),
    )


def _records() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S48",
            place="(S48)",
            printed="a judge's record: the pairs of an item and an answer",
            verdict="wording",
            compute=fact(record_of_a_judge),
            note="a closing bracket is missing; what is meant is clear",
        ),
        Claim(
            id="001-S49",
            place="(S49)",
            printed="an answer key: one true label for each item",
            compute=fact(true_labels_of_items),
        ),
        Claim(
            id="001-S50",
            place="(S50)",
            printed="Q_l: the sum over items of the indicator of true label l",
            compute=fact(items_of_each_label),
        ),
        Claim(
            id="001-S51",
            place="(S51)",
            printed="the indicator is 1 where two labels are equal, else 0",
            compute=fact(indicators_add_up),
        ),
    )


def _expanded() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S66",
            place="(S66)",
            printed="Gamma_ij: the same average for two judges",
            compute=fact(lambda: averages_of_deviations(("i", "j"))),
        ),
        Claim(
            id="001-S67",
            place="(S67)",
            printed="Gamma_ij is the share of items both have right, less the product of their accuracies",
            compute=identities(
                "Gamma_ij_A = R_iA_jA_A/Q_A - P_iA*P_jA",
                "Gamma_ij_B = R_iB_jB_B/Q_B - P_iB*P_jB",
                model="axioms",
            ),
        ),
        Claim(
            id="001-S69",
            place="(S69)",
            printed=f"Gamma_ijk again: {_TRIO}",
            compute=fact(lambda: averages_of_deviations(("i", "j", "k"))),
        ),
        Claim(
            id="001-S71",
            place="(S71)",
            printed="three or more judges without correlation of pairs and trios are evaluated trio by trio",
            compute=fact(trios_of_four_judges),
        ),
    )


def averages_of_deviations(judges: tuple[str, ...]) -> tuple[str, bool]:
    """Average products of deviations over Table 1, and compare with our correlations."""
    exam = table_1()
    found = correlations(exam)
    told, same = [], True
    for label in "AB":
        ours = found.of(judges, label)
        same &= ours == _average_of_deviations(exam, judges, label)
        told.append(f"{float(ours):+.5f} on {label}")
    return f"{', '.join(told)} in Table 1", same and any(found.of(judges, t) for t in "AB")


def _average_of_deviations(exam: KeyedSketch, judges: tuple[str, ...], label: str) -> Fraction:
    truth = exam.evaluation()
    column = exam.sketch.labels.index(label)
    total = Fraction(0)
    for row, counts in enumerate(exam.keyed.tolist()):
        said = dict(zip(exam.sketch.judges, exam.sketch.decision(row), strict=True))
        product: Any = Fraction(counts[column])
        for judge in judges:
            product *= int(said[judge] == label) - truth.accuracy(judge, label)  # type: ignore[operator]
        total += product
    return total / int(exam.keyed[:, column].sum())


def which_exams_are_independent() -> tuple[str, bool]:
    """Ask of three exams whether errors are independent."""
    exams = {
        "an exact exam of independent judges": independent_exam(Fraction(1, 3), RATES),
        "Table 1": table_1(),
        "4,096 items of dependent judges": correlated_yet_rational(),
    }
    zero = [correlations(exam).independent for exam in exams.values()]
    told = [
        f"{name}: {'' if all_zero else 'not '}all zero"
        for name, all_zero in zip(exams, zero, strict=True)
    ]
    return "; ".join(told), zero == [True, False, False]


def record_of_a_judge() -> tuple[str, bool]:
    """Make the votes again from the records of the judges."""
    votes = drawn_exam()
    records = [
        (item, judge, votes.answers[code])
        for item, row in zip(votes.items, votes.codes, strict=True)
        for judge, code in zip(votes.judges, row, strict=True)
    ]
    again = Votes.from_records(records, labels=votes.labels)
    told = f"{len(records)} records of 3 judges on {len(votes)} items give their votes again"
    return told, again == votes.without_key()


def true_labels_of_items() -> tuple[str, bool]:
    """Count the true labels of the drawn exam."""
    votes = drawn_exam()
    labelled = per_item(lambda true, _: true in votes.labels)
    return f"{labelled} true labels for {len(votes)} items", labelled == len(votes)


def items_of_each_label() -> tuple[str, bool]:
    """Add up the indicators, and compare with our counts."""
    ours = drawn_exam().keyed_sketch().keyed.sum(0).tolist()
    summed = [per_item(lambda true, _, t=t: true == t) for t in "AB"]  # type: ignore[misc]
    return f"{summed[0]} and {summed[1]} on {sum(ours)} items drawn", ours == summed


def indicators_add_up() -> tuple[str, bool]:
    """Add up the indicators of a judge's answers over both labels."""
    one = [per_item(lambda _, said, a=a: said["i"] == a) for a in "AB"]  # type: ignore[misc]
    ours = drawn_exam().summary().counts[0].tolist()
    return f"judge i: {one[0]} and {one[1]} of {sum(one)} items drawn", one == ours


def trios_of_four_judges() -> tuple[str, bool]:
    """Decode each trio of four judges whose only correlation is that of all four."""
    truth = _four_judges()
    exam = _with_correlation_of_four(Fraction(1, 100))
    names = exam.sketch.judges
    right = []
    for trio in combinations(names, 3):
        best = decode(exam.sketch, trio)
        assert isinstance(best, Decoding)
        found = best.best
        right.append(
            found is not None
            and all(found.accuracy(j, t) == truth.accuracy(j, t) for j in trio for t in "AB")
        )
    all_four = correlations(exam).of(names, "A")
    told = f"{sum(right)} of {len(right)} trios decode to the truth on {exam.n_items} items, though Gamma of "
    return f"{told}all four is {all_four}", all(right) and all_four != 0


def _four_judges() -> Evaluation:
    return evaluation_of(Fraction(1, 3), (*RATES, RATES[0]))


def _with_correlation_of_four(gamma: Fraction) -> KeyedSketch:
    """Return the smallest exam of four judges with these rates and one correlation, of all four."""
    truth = _four_judges()
    shares = frequencies_from(truth, {(truth.judges, "A"): gamma})
    items = lcm(*(value.denominator for table in shares.values() for value in table.values()))
    counts: dict[object, dict[Any, int]] = {
        t: {u: int(v * items) for u, v in table.items()} for t, table in shares.items()
    }
    return KeyedSketch.from_counts(counts, judges=truth.judges, labels=LABELS)
