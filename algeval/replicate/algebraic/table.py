"""Table 1 of the paper: counts by true label, by algebra, by majority vote, and by the key."""

from __future__ import annotations

from fractions import Fraction

from algeval.algebra import Partition, error_correlations, majority, partition
from algeval.replicate.algebraic.exams import TUPLES, decoded, table_1
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, numbers

__all__ = ["table"]


def table() -> tuple[Claim, ...]:
    """Return the claims on Table 1."""
    return (*_counts(), *_labelling(), *_judges())


def _counts() -> tuple[Claim, ...]:
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
    )


def _labelling() -> tuple[Claim, ...]:
    return (
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
            id="001-T1g",
            place="main text on Table 1",
            printed="the algebraic counts of the other label bound the errors of its decisions",
            verdict="erratum",
            compute=fact(errors_by_its_own_account),
            note="they estimate the errors and do not bound them: in Table 1 the estimate is too low",
        ),
        Claim(
            id="001-T1h",
            place="main text on Table 1",
            printed="majority vote estimates its own errors as 0, always",
            compute=fact(errors_by_the_majority),
        ),
    )


def _judges() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T1f",
            place="main text and Materials and methods",
            printed="the classifiers' error correlations are about 0.02",
            compute=fact(largest_correlation),
            tolerance="at most 0.02; known for the one test of Table 1 only",
        ),
        Claim(
            id="001-T1i",
            place="Materials and methods",
            printed="label accuracies of about 65%",
            verdict="conditional",
            compute=fact(true_accuracies),
            tolerance="mean within 5 points; known for the one test of Table 1 only",
            note="of their mean, not of each: the accuracies differ widely between labels and judges",
        ),
    )


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


def errors_by_its_own_account() -> tuple[str, bool]:
    """Return how many items the algebraic decisions label wrong by their own account, and truly."""
    exam = table_1()
    found = _algebraic()
    own, true = float(found.expected_errors), found.errors(exam)
    return f"{own:.1f} by its own account, {true} by the key", own < true


def errors_by_the_majority() -> tuple[str, bool]:
    """Return the same of the majority vote."""
    exam = table_1()
    found = majority(exam)
    told = f"{found.expected_errors} by its own account, {found.errors(exam)} by the key"
    return told, found.expected_errors == 0


def true_accuracies() -> tuple[str, bool]:
    """Return the lowest, the mean and the highest accuracy in Table 1."""
    values = table_1().evaluation().accuracies().astype(float).ravel()
    low, mean, high = values.min(), values.mean(), values.max()
    told = f"mean {mean:.1%} in Table 1, from {low:.1%} to {high:.1%}"
    return told, abs(mean - 0.65) < 0.05 and low < 0.55 and high > 0.75
