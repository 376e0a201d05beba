"""Majority vote's estimates, steps of the first theorem's proof, and what follows the second's."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from algeval.algebra import majority
from algeval.data import Sketch
from algeval.replicate.algebraic.exams import TUPLES, drawn_exam, table_1
from algeval.replicate.claim import Claim
from algeval.replicate.computed import entry, fact, identities, numbers

__all__ = ["per_item", "steps"]


def steps() -> tuple[Claim, ...]:
    """Return the claims in the order of the numbers."""
    return (*_majority(), *_steps(), *_examples())


_BY_VOTE = {
    3: ("i", "A", ("AAA", "AAB", "ABA")),
    4: ("i", "B", ("BBB", "BBA", "BAB")),
    5: ("j", "A", ("AAA", "AAB", "BAA")),
    6: ("j", "B", ("BBB", "BBA", "ABB")),
    7: ("k", "A", ("AAA", "ABA", "BAA")),
    8: ("k", "B", ("BBB", "BAB", "ABB")),
}
"""Number: judge, label, and the tuples in which it goes with a majority for the label."""


def _majority() -> tuple[Claim, ...]:
    share = Claim(
        id="001-S2",
        place="(S2)",
        printed="majority vote's share of B: f_BBB + f_BBA + f_BAB + f_ABB",
        compute=fact(majority_share_of_b),
    )
    return share, *(_accuracy_by_vote(number) for number in _BY_VOTE)


def _accuracy_by_vote(number: int) -> Claim:
    judge, label, cells = _BY_VOTE[number]
    total = " + ".join(f"f_{cell}" for cell in cells)
    return Claim(
        id=f"001-S{number}",
        place=f"(S{number})",
        printed=f"by majority vote judge {judge} is right on ({total})/P_{label} of {label}",
        compute=fact(lambda: accuracy_by_vote(judge, label, cells)),
    )


def _steps() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S73",
            place="(S73)",
            printed="n(ABA|A): sum over items of i says A, j says B, k says A, true label A",
            compute=fact(lambda: tuple_counted_by_item("A")),
        ),
        Claim(
            id="001-S74",
            place="(S74)",
            printed="n(ABA|A): the same with 1 less the indicator that j says A",
            compute=identities("n_ABA_A = R_iA_kA_A - n_AAA_A", model="axioms"),
        ),
        Claim(
            id="001-S75",
            place="(S75)",
            printed="n(ABA|A) = Q_A P_iA P_kA - Q_A P_iA P_jA P_kA",
            compute=identities("n_ABA_A = Q_A*P_iA*P_kA - Q_A*P_iA*P_jA*P_kA"),
        ),
        Claim(
            id="001-S77",
            place="(S77)",
            printed="n(ABA|B): sum over items of i says A, j says B, k says A, true label B",
            compute=fact(lambda: tuple_counted_by_item("B")),
        ),
        Claim(
            id="001-S78",
            place="(S78)",
            printed="n(ABA|B): the same with 1 less the indicators that i says B, that k says B",
            compute=identities(
                "n_ABA_B = R_jB_B - R_jB_kB_B - R_iB_jB_B + n_BBB_B", model="axioms"
            ),
        ),
        Claim(
            id="001-S79",
            place="(S79)",
            printed="n(ABA|B) = Q_B P_jB - Q_B P_jB P_kB - Q_B P_iB P_jB + Q_B P_iB P_jB P_kB",
            compute=identities(
                "n_ABA_B = Q_B*P_jB - Q_B*P_jB*P_kB - Q_B*P_iB*P_jB + Q_B*P_iB*P_jB*P_kB"
            ),
        ),
        Claim(
            id="001-S81",
            place="(S81)",
            printed="n(ABA)/Q = (Q_A/Q) P_iA (1-P_jA) P_kA + (Q_B/Q)(1-P_iB) P_jB (1-P_kB)",
            compute=identities("n_ABA/Q = Q_A/Q*P_iA*(1-P_jA)*P_kA + Q_B/Q*(1-P_iB)*P_jB*(1-P_kB)"),
        ),
    )


def _examples() -> tuple[Claim, ...]:
    swaps = {88: "P_A becomes P_B", 89: "P_B becomes P_A", 90: "P_iA becomes 1 - P_iB"}
    return (
        Claim(
            id="001-S86",
            place="(S86)",
            printed="the frequencies of Table 1 are 568, 553, 649, 1813, 3534, 3607, 1068, 8208 over 20000",
            compute=numbers(
                [Fraction(n, 20_000) for n in (568, 553, 649, 1813, 3534, 3607, 1068, 8208)],
                lambda: [table_1().sketch.frequency(name) for name in TUPLES],
            ),
        ),
        *(
            Claim(
                id=f"001-S{number}",
                place=f"(S{number})",
                printed=f"{text}, as one of four replacements that leave every frequency as it is",
                compute=entry("S91"),
            )
            for number, text in swaps.items()
        ),
    )


def _uneven() -> Sketch:
    """Return decision tuples with different counts, so that no two formulas agree by chance."""
    return Sketch.from_counts(dict(zip(TUPLES, (2, 3, 5, 7, 11, 13, 17, 19), strict=True)))


def majority_share_of_b() -> tuple[str, bool]:
    """Compare the majority's share of B with its formula."""
    sketch = table_1().sketch
    ours = majority(sketch).evaluation.prevalence_of("B")
    return f"{ours} in Table 1", ours == sum(map(sketch.frequency, TUPLES[4:]))


def accuracy_by_vote(judge: str, label: str, cells: tuple[str, ...]) -> tuple[str, bool]:
    """Compare a judge's accuracy by majority vote with its formula, on two exams."""
    found = []
    for sketch in (table_1().sketch, _uneven()):
        by_vote = majority(sketch).evaluation
        name = by_vote.judges["ijk".index(judge)]
        share = by_vote.prevalence_of(label)
        found.append((by_vote.accuracy(name, label), sum(map(sketch.frequency, cells)) / share))  # type: ignore[operator]
    return f"{found[0][0]} in Table 1", all(ours == formula for ours, formula in found)


def per_item(told: Callable[[str, dict[str, str]], int]) -> int:
    """Add up, over the drawn items, a number made of the true label and the answers."""
    votes = drawn_exam()
    assert votes.key is not None
    names = votes.labels
    return sum(
        told(names[true], dict(zip(votes.judges, (names[a] for a in row), strict=True)))
        for true, row in zip(votes.key.tolist(), votes.codes.tolist(), strict=True)
    )


def tuple_counted_by_item(label: str) -> tuple[str, bool]:
    """Count ABA on items of a label one by one, and compare with our count."""
    wanted = dict(zip("ijk", "ABA", strict=True))
    summed = per_item(lambda true, said: true == label and said == wanted)
    exam = drawn_exam().keyed_sketch()
    row = [exam.sketch.decision(r) for r in range(len(exam.sketch))].index(("A", "B", "A"))
    ours = int(exam.keyed[row, "AB".index(label)])
    return f"{summed} of {exam.n_items} items drawn", summed == ours > 0
