"""Claims of Algebraic Evaluation Theorems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, factorial, lcm
from typing import Any

import numpy as np

from algeval.algebra import (
    Partition,
    correlations,
    decode,
    discriminant_factors,
    encode,
    error_correlations,
    frequencies_from,
    groebner_basis,
    majority,
    partition,
)
from algeval.algebra.trios import Decoding
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.io import example
from algeval.logic.orders.order1 import compositions
from algeval.models.independent import exact_exam, sample
from algeval.result import Status
from algeval_papers.claims import Claim, fact, identities, number, numbers
from algeval_papers.equations import Entry, catalogue, entry

# --- Exams that several claims rest on: Table 1, exact exams of independent judges, one that
# misleads.


LABELS, JUDGES = ("A", "B"), ("i", "j", "k", "l")

TUPLES = ("AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB")
"""Decision tuples in the order of Table 1."""

Rates = Sequence[tuple[Fraction, Fraction]]

RATES: Rates = (
    (Fraction(3, 4), Fraction(2, 3)),
    (Fraction(1, 2), Fraction(3, 4)),
    (Fraction(2, 3), Fraction(5, 6)),
)
"""Accuracies of three judges on labels A and B, where a claim needs some."""


def table_1() -> KeyedSketch:
    """Counts of Table 1 by true label, with judges i, j, k."""
    data = example("acs")
    assert isinstance(data, KeyedSketch)
    s = data.sketch
    return KeyedSketch(Sketch(JUDGES[:3], LABELS, LABELS, s.codes, s.counts), data.keyed)


def evaluation_of(share: Fraction, rates: Rates) -> Evaluation:
    """Evaluation of judges with given accuracies on labels A and B."""
    confusion = np.array([[[a, 1 - a], [1 - b, b]] for a, b in rates])
    prevalence = np.array([share, 1 - share])
    return Evaluation(JUDGES[: len(rates)], LABELS, LABELS, prevalence, confusion)


def independent_exam(share: Fraction, rates: Rates) -> KeyedSketch:
    """Smallest exam on which judges of these accuracies err exactly independently."""
    return exact_exam(evaluation_of(share, rates))


def drawn_exam() -> Votes:
    """Draw sixty items with their key."""
    return sample(evaluation_of(Fraction(1, 3), RATES), 60, seed=1)


def correlated_yet_rational() -> KeyedSketch:
    """4,096 items whose judges err dependently, though decoding gives fractions in [0, 1]."""
    on_a = (459, 153, 117, 117, 75, 39, 39, 25)
    on_b = (75, 225, 117, 117, 459, 351, 351, 1377)
    cells: dict[object, dict[str, int]] = {
        label: dict(zip(TUPLES, counts, strict=True))
        for label, counts in zip(LABELS, (on_a, on_b), strict=True)
    }
    return KeyedSketch.from_counts(cells, judges=JUDGES[:3])


def decoded(exam: KeyedSketch) -> Decoding:
    """Decode three judges, the key unread."""
    decoding = decode(exam.sketch)
    assert isinstance(decoding, Decoding)
    return decoding


# --- The abstract and the main text.


QUARTER = Fraction(1, 4)


def main_text() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (
        Claim(
            id="001-abs",
            place="abstract",
            paraphrase="the decisions of three independent judges of two labels leave two evaluations",
            verdict="conditional",
            compute=fact(evaluations_with_a_judge_at_chance),
            note="only if both labels occur and each judge's accuracies on the two labels do not add up to 1",
        ),
        Claim(
            id="001-abs50",
            place="abstract",
            paraphrase="judges less than 50% accurate can be evaluated",
            compute=fact(evaluation_of_a_bad_judge),
            note="as long as the six true accuracies add up to more than 3, by the choice of (4)",
        ),
        Claim(
            id="001-2b",
            place="main text, after (1) and (3)",
            paraphrase="three judges have 8 decision tuples, and each frequency is a quartic polynomial",
            compute=fact(degrees_of_the_encoding),
        ),
        Claim(
            id="001-4",
            place="(4)",
            paraphrase="of the two evaluations take the one whose accuracies have the greater sum",
            compute=fact(sums_of_accuracies),
            note="the sums can be equal, which is not mentioned: then the rule chooses neither",
        ),
        Claim(
            id="001-5",
            place="(5)",
            paraphrase="majority vote's share of A: f_AAA + f_AAB + f_ABA + f_BAA",
            compute=fact(majority_share),
        ),
        Claim(
            id="001-6b",
            place="main text, after (5) and (6)",
            paraphrase="majority vote's share is always a fraction, the algebraic one need not be",
            compute=fact(kinds_of_numbers),
        ),
        Claim(
            id="001-FP",
            place="main text, on the alarm",
            paraphrase="the alarm has false positives (rational estimates of dependent judges), no false "
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
    text = f"{len(full.evaluations)} with three able judges; with k right on 1/4 of A and 3/4 of B a set "
    text += f"of dimension {weak.dimension}"
    return text, len(full.evaluations) == 2 and bool(weak.dimension)


def evaluation_of_a_bad_judge() -> tuple[str, bool]:
    """Decode an exam whose third judge is mostly wrong on both labels."""
    able, bad = (Fraction(3, 4), Fraction(3, 4)), (QUARTER, Fraction(1, 3))
    truth = evaluation_of(QUARTER, [able, able, bad])
    right = decoded(independent_exam(QUARTER, [able, able, bad])).best == truth
    text = "two judges right on 3/4, one right on 1/4 of A and 1/3 of B: the true evaluation is "
    return f"{text}{'' if right else 'not '}found", right


def degrees_of_the_encoding() -> tuple[str, bool]:
    """Degrees of the encoded frequencies."""
    import sympy

    encoding = encode(3)
    degrees = [
        sympy.Poly(value, *encoding.parameters).total_degree()
        for value in encoding.encoded.values()
    ]
    text = f"{len(degrees)} polynomials of degree {', '.join(map(str, sorted(set(degrees))))}"
    return text, degrees == [4] * 8


def sums_of_accuracies() -> tuple[str, bool]:
    """Add up the accuracies of both evaluations of Table 1, and of an exam on which they tie."""
    decoding = decoded(table_1())
    sums = [sum(_accuracies(evaluation)) for evaluation in decoding.evaluations]
    weak = (Fraction(3, 8), Fraction(3, 8))
    tie = decoded(independent_exam(QUARTER, [(Fraction(3, 4), Fraction(3, 4)), weak, weak]))
    text = f"Table 1: {sums[0]:.3f} against {sums[1]:.3f}; equal for one judge right on 3/4, two on 3/8"
    return text, sums[0] > sums[1] and decoding.best is decoding.evaluations[0] and tie.tie


def _accuracies(evaluation: Evaluation) -> Iterator[float]:
    yield from (
        float(evaluation.accuracy(j, t) or 0) for j in evaluation.judges for t in evaluation.labels
    )


def majority_share() -> tuple[str, bool]:
    """Majority's share of A in Table 1."""
    exam = table_1()
    ours = majority(exam).evaluation.prevalence_of("A")
    return f"{ours} in Table 1", ours == sum(map(exam.sketch.frequency, TUPLES[:4]))


def kinds_of_numbers() -> tuple[str, bool]:
    """Both shares of A in Table 1."""
    exam = table_1()
    by_vote = majority(exam).evaluation.prevalence_of("A")
    decoding = decoded(exam)
    assert decoding.best is not None
    by_algebra = decoding.best.prevalence_of("A")
    text = f"Table 1: {by_vote} by vote, {by_algebra} = {float(by_algebra):.4f} by algebra"  # type: ignore[arg-type]
    return text, isinstance(by_vote, Fraction) and not isinstance(by_algebra, Fraction)


def silent_alarm() -> tuple[str, bool]:
    """Decode dependent judges whose estimates are rational."""
    exam = correlated_yet_rational()
    decoding = decoded(exam)
    rational = decoding.best is not None and isinstance(decoding.best.prevalence_of("A"), Fraction)
    text = f"{exam.n_items} items, dependent errors: the estimates are rational, so no alarm"
    return text, rational and not correlations(exam).independent


# --- Table 1 of the paper: counts by true label, by algebra, by majority vote, and by the key.


def table() -> tuple[Claim, ...]:
    """Claims on Table 1."""
    return (*_counts(), *_labelling(), *_judges())


def _counts() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T1a",
            place="Table 1, actual counts",
            paraphrase="the counts by true label add up to the observed ones: "
            "568, 553, 649, 1813, 3534, 3607, 1068, 8208",
            compute=numbers((568, 553, 649, 1813, 3534, 3607, 1068, 8208), observed_counts),
        ),
        Claim(
            id="001-T1b",
            place="Table 1, columns AE",
            paraphrase="algebraic counts of A and B: 399 169, 133 420, 253 396, 416 1397, 264 3270, "
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
            paraphrase="majority vote gives each tuple to one label, whole: 568 0, 553 0, 649 0, 1813 0, "
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
            paraphrase="algebraic evaluation labels fewer items wrong than majority vote",
            compute=fact(labelling_errors),
        ),
        Claim(
            id="001-T1e",
            place="main text on Table 1",
            paraphrase="tuples AAB, ABA and BAA are better labelled B, against the majority",
            compute=fact(tuples_against_the_majority),
        ),
        Claim(
            id="001-T1g",
            place="main text on Table 1",
            paraphrase="the algebraic counts of the other label bound the errors of its decisions",
            verdict="erratum",
            compute=fact(errors_by_its_own_account),
            note="they estimate the errors and do not bound them: in Table 1 the estimate is too low",
        ),
        Claim(
            id="001-T1h",
            place="main text on Table 1",
            paraphrase="majority vote estimates its own errors as 0, always",
            compute=fact(errors_by_the_majority),
        ),
    )


def _judges() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T1f",
            place="main text and Materials and methods",
            paraphrase="the classifiers' error correlations are about 0.02",
            compute=fact(largest_correlation),
            tolerance="at most 0.02; known for the one test of Table 1 only",
        ),
        Claim(
            id="001-T1i",
            place="Materials and methods",
            paraphrase="label accuracies of about 65%",
            verdict="conditional",
            compute=fact(true_accuracies),
            tolerance="mean within 5 points; known for the one test of Table 1 only",
            note="of their mean, not of each: the accuracies differ widely between labels and judges",
        ),
    )


def observed_counts() -> list[int]:
    """Counts of Table 1, added up over true labels."""
    exam = table_1()
    order = {exam.sketch.decision(row): row for row in range(len(exam.sketch))}
    return [int(exam.keyed[order[tuple(name)]].sum()) for name in TUPLES]


def _algebraic() -> Partition:
    exam = table_1()
    return partition(exam, decoded(exam))


def _row(parts: Partition, name: str) -> int:
    """Row of a decision tuple."""
    codes = [parts.answers.index(answer) for answer in name]
    (row,) = [row for row, other in enumerate(parts.codes.tolist()) if other == codes]
    return row


def rounded(parts: Partition) -> list[int]:
    """Partition's rounded counts of A and B, tuple by tuple as in Table 1."""
    table = parts.rounded.tolist()
    return [count for name in TUPLES for count in table[_row(parts, name)]]


def labelling_errors() -> tuple[str, bool]:
    """Count the items of Table 1 that both methods label wrong, and the least that any rule can."""
    exam = table_1()
    by_algebra, by_vote = _algebraic().errors(exam), majority(exam).errors(exam)
    least = int(exam.keyed.min(1).sum())
    text = f"{by_algebra} against {by_vote} of {exam.n_items}; no rule on tuples has fewer than {least}"
    return text, by_algebra < by_vote


def tuples_against_the_majority() -> tuple[str, bool]:
    """Where the algebraic decision is not the majority's, and whether the key agrees."""
    exam = table_1()
    parts, vote = _algebraic(), majority(exam)
    differ = [n for n in TUPLES if parts.label(_row(parts, n)) != vote.label(_row(vote, n))]
    right = all(exam.keyed[_row(parts, n)].argmax() == 1 for n in differ)
    text = f"{', '.join(differ)}; by the key each is {'' if right else 'not '}more often B"
    return text, right and differ == ["AAB", "ABA", "BAA"]


def largest_correlation() -> tuple[str, bool]:
    """Largest error correlation of Table 1."""
    values = [value for pair in error_correlations(table_1()).values() for value in pair]
    largest = max(map(abs, values))
    return f"at most {float(largest):.4f} in Table 1", 0 < largest <= Fraction(2, 100)


def errors_by_its_own_account() -> tuple[str, bool]:
    """How many items the algebraic decisions label wrong by their own account, and truly."""
    exam = table_1()
    parts = _algebraic()
    own, true = float(parts.expected_errors), parts.errors(exam)
    return f"{own:.1f} by its own account, {true} by the key", own < true


def errors_by_the_majority() -> tuple[str, bool]:
    """Same of the majority vote."""
    exam = table_1()
    vote = majority(exam)
    text = f"{vote.expected_errors} by its own account, {vote.errors(exam)} by the key"
    return text, vote.expected_errors == 0


def true_accuracies() -> tuple[str, bool]:
    """Lowest, the mean and the highest accuracy in Table 1."""
    values = table_1().evaluation().accuracies().astype(float).ravel()
    low, mean, high = values.min(), values.mean(), values.max()
    text = f"mean {mean:.1%} in Table 1, from {low:.1%} to {high:.1%}"
    return text, abs(mean - 0.65) < 0.05 and low < 0.55 and high > 0.75


# --- Materials and methods: the numbers of the experiment.


RECORDS = {"not employed": (1_763_385, 1_679_385), "employed": (1_472_722, 1_388_722)}
"""Records in the data set, and held out for tests, by label."""

FEATURES = "AGEP SCHL MAR RELP DIS ESP CIT MIG MIL ANC NATIVITY DEAR DEYE DREM SEX RAC1P"
WITHHELD = {"AGEP", "SEX", "RAC1P"}
SETS = "SCHC MIG DREM MAR CIT DEAR RELP DIS ANC MIL NATIVITY DEYE"
"""The four sets of three features, as printed."""


def design() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_data(), *_classifiers(), *_not_published())


def _data() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-n1",
            place="Materials and methods",
            paraphrase="3,236,107 records, of which 1,763,385 not employed and 1,472,722 employed",
            compute=number(3_236_107, lambda: sum(every for every, _ in RECORDS.values())),
            note="added up from the numbers the paper prints",
        ),
        Claim(
            id="001-n2",
            place="main text, Materials and methods, caption of Data S1",
            paraphrase="trained on 50,000 or 60,000 records of about 1.5 million, tested on the 1,679,385 + "
            "1,388,722 others, or on about 1 million",
            verdict="wording",
            compute=fact(records_left_for_training),
            note="four statements that do not fit together: the test set is three million, and what it "
            "leaves of the data is about three times what was trained on",
        ),
        Claim(
            id="001-n3",
            place="Materials and methods, against captions of Data S1 to S4",
            paraphrase="tests at shares of A of 2/10, 4/10, 6/10, 8/10; in the files 1/10, 4/10, 6/10, 9/10",
            verdict="wording",
            compute=fact(share_in_table_1),
            note="the two lists differ in their ends; Table 1 bears out the files",
        ),
    )


def _classifiers() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-n4",
            place="Materials and methods",
            paraphrase="13 features into four sets of three, one left out: 200,200 ways",
            compute=number(200_200, lambda: comb(13, 12) * factorial(12) // (6**4 * factorial(4))),
        ),
        Claim(
            id="001-n5",
            place="Materials and methods",
            paraphrase="a network of six layers, nine nodes wide, on three features: 416 parameters",
            compute=number(416, weights_and_biases),
            note="read as three inputs, five layers of nine nodes, two outputs, each with biases",
        ),
        Claim(
            id="001-n6",
            place="Materials and methods",
            paraphrase="16 features less 3 are 13; 12 of them make the four sets",
            verdict="wording",
            compute=fact(features_of_the_sets),
            note="SCHC is no feature; SCHL must be meant",
        ),
        Claim(
            id="001-n7",
            place="Materials and methods, error correlations",
            paraphrase="two judges who always agree and are right on 60% have correlation 0.24",
            compute=number(Fraction(24, 100), correlation_of_copies),
        ),
    )


def _not_published() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-n8",
            place="lists of supplementary files",
            paraphrase="Data S1 to S4 and Code S1, S2; elsewhere Data S1, S2 and Code S1 to S3",
            verdict="wording",
            note="three lists that differ; captions are given for Data S1 to S4 and Code S1 to S3",
        ),
        Claim(
            id="001-n9",
            place="Materials and methods",
            paraphrase="4,000 tests of 20,000 records, a thousand at each of four shares of A",
            verdict="not reproducible",
            note="Data S1 to S4 are not in the text; the counts of one test are, as Table 1",
        ),
        Claim(
            id="001-n10",
            place="Materials and methods",
            paraphrase="a few results on data sets by gender and race",
            verdict="not reproducible",
            note="neither the results nor the data are in the text",
        ),
    )


def records_left_for_training() -> tuple[str, bool]:
    """How many records are not held out, and how many are."""
    left = [every - held for every, held in RECORDS.values()]
    tested = sum(held for _, held in RECORDS.values())
    text = f"{left[0]:,} + {left[1]:,} = {sum(left):,} left, {tested:,} held out"
    return text, sum(left) not in (50_000, 60_000) and tested > 2_000_000


def share_in_table_1() -> tuple[str, bool]:
    """True share of A in Table 1."""
    share = table_1().evaluation().prevalence_of("A")
    texts = [Fraction(n, 10) for n in (2, 4, 6, 8)]
    return f"{share} in Table 1", share not in texts and share == Fraction(1, 10)


def weights_and_biases() -> int:
    """Count the parameters of the network."""
    sizes = (3, 9, 9, 9, 9, 9, 2)
    return sum((into + 1) * out for into, out in pairwise(sizes))


def features_of_the_sets() -> tuple[str, bool]:
    """Features left out of the sets, and names in the sets that are no feature."""
    kept, named = set(FEATURES.split()) - WITHHELD, SETS.split()
    unknown = [name for name in named if name not in kept]
    left_out = sorted(kept - set(named))
    text = f"{len(kept)} features, {len(named)} in sets; in no set: {', '.join(left_out)}; no feature: "
    return text + ", ".join(unknown), unknown == ["SCHC"] and left_out == ["ESP", "SCHL"]


def correlation_of_copies() -> Fraction:
    """Error correlation of a judge right on 60% and its copy."""
    twins: dict[object, dict[str, int]] = {
        label: {label * 2: 6, other * 2: 4} for label, other in ("AB", "BA")
    }
    return correlations(KeyedSketch.from_counts(twins)).of(("1", "2"), "A")


# --- The numbered equations, from the catalogue.


_WITH_A_CORRECTION = {"S20": "S22", "S28": "S30", "S36": "S37 and S38", "S40": "S41"}
"""Equations that hold with corrected coefficients only, and where those are printed."""


def equations() -> tuple[Claim, ...]:
    """Claim per numbered equation of the catalogue."""
    return tuple(_claim(equation) for equation in catalogue() if equation.paper == "001")


def _claim(equation: Entry) -> Claim:
    claim, number = equation.claim(), equation.number
    special = {"S83": unknowns_not_listed, "S87": quadratic_of_table_1}
    if number in special:
        claim = replace(claim, compute=fact(special[number]))
    if number in _WITH_A_CORRECTION:
        wrong = _WITH_A_CORRECTION[number]
        note = f"false with the coefficients printed in {wrong}; proved with them corrected"
        claim = replace(claim, verdict="conditional", note=note)
    return replace(claim, paraphrase=claim.paraphrase.removesuffix(", with b corrected"))


def unknowns_not_listed() -> tuple[str, bool]:
    """Which unknowns of the encoding the printed list lacks."""
    listed = {"P_A", *["P_{i,A}", "P_{i,B}"] * 3}
    needed = [symbol.name for symbol in encode(3).parameters]
    missing = [name for name in needed if name not in listed]
    text = f"{len(needed)} unknowns, of which the list lacks {', '.join(missing)}"
    return text, len(needed) == 7 and len(missing) == 4


def quadratic_of_table_1() -> tuple[str, bool]:
    """Coefficients a and c of Table 1's quadratic, and the discriminant as printed."""
    moments = decoded(table_1()).moments
    assert moments is not None
    a, c = moments.discriminant, moments.product
    printed = Fraction(3190087950361, 16 * 10**18)
    text = (
        f"a = {a.numerator}/({a.denominator / 1e17:g}e17), c = {c.numerator}/({c.denominator:.0e})"
    )
    right = a == 100 * printed and c == Fraction(1612380721606215379, 10**24)
    return text, right and printed**2 - 4 * printed * c < 0 < a**2 - 4 * a * c


# --- Majority vote's estimates, steps of the first theorem's proof, and what follows the
# second's.


def steps() -> tuple[Claim, ...]:
    """Claims in the order of the numbers."""
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
        paraphrase="majority vote's share of B: f_BBB + f_BBA + f_BAB + f_ABB",
        compute=fact(majority_share_of_b),
    )
    return share, *(_accuracy_by_vote(number) for number in _BY_VOTE)


def _accuracy_by_vote(number: int) -> Claim:
    judge, label, cells = _BY_VOTE[number]
    total = " + ".join(f"f_{cell}" for cell in cells)
    return Claim(
        id=f"001-S{number}",
        place=f"(S{number})",
        paraphrase=f"by majority vote judge {judge} is right on ({total})/P_{label} of {label}",
        compute=fact(lambda: accuracy_by_vote(judge, label, cells)),
    )


def _steps() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S73",
            place="(S73)",
            paraphrase="n(ABA|A): sum over items of i says A, j says B, k says A, true label A",
            compute=fact(lambda: tuple_counted_by_item("A")),
        ),
        Claim(
            id="001-S74",
            place="(S74)",
            paraphrase="n(ABA|A): the same with 1 less the indicator that j says A",
            compute=identities("n_ABA_A = R_iA_kA_A - n_AAA_A", model="axioms"),
        ),
        Claim(
            id="001-S75",
            place="(S75)",
            paraphrase="n(ABA|A) = Q_A P_iA P_kA - Q_A P_iA P_jA P_kA",
            compute=identities("n_ABA_A = Q_A*P_iA*P_kA - Q_A*P_iA*P_jA*P_kA"),
        ),
        Claim(
            id="001-S77",
            place="(S77)",
            paraphrase="n(ABA|B): sum over items of i says A, j says B, k says A, true label B",
            compute=fact(lambda: tuple_counted_by_item("B")),
        ),
        Claim(
            id="001-S78",
            place="(S78)",
            paraphrase="n(ABA|B): the same with 1 less the indicators that i says B, that k says B",
            compute=identities(
                "n_ABA_B = R_jB_B - R_jB_kB_B - R_iB_jB_B + n_BBB_B", model="axioms"
            ),
        ),
        Claim(
            id="001-S79",
            place="(S79)",
            paraphrase="n(ABA|B) = Q_B P_jB - Q_B P_jB P_kB - Q_B P_iB P_jB + Q_B P_iB P_jB P_kB",
            compute=identities(
                "n_ABA_B = Q_B*P_jB - Q_B*P_jB*P_kB - Q_B*P_iB*P_jB + Q_B*P_iB*P_jB*P_kB"
            ),
        ),
        Claim(
            id="001-S81",
            place="(S81)",
            paraphrase="n(ABA)/Q = (Q_A/Q) P_iA (1-P_jA) P_kA + (Q_B/Q)(1-P_iB) P_jB (1-P_kB)",
            compute=identities("n_ABA/Q = Q_A/Q*P_iA*(1-P_jA)*P_kA + Q_B/Q*(1-P_iB)*P_jB*(1-P_kB)"),
        ),
    )


def _examples() -> tuple[Claim, ...]:
    swaps = {88: "P_A becomes P_B", 89: "P_B becomes P_A", 90: "P_iA becomes 1 - P_iB"}
    return (
        Claim(
            id="001-S86",
            place="(S86)",
            paraphrase="the frequencies of Table 1 are 568, 553, 649, 1813, 3534, 3607, 1068, 8208 over "
            "20000",
            compute=numbers(
                [Fraction(n, 20_000) for n in (568, 553, 649, 1813, 3534, 3607, 1068, 8208)],
                lambda: [table_1().sketch.frequency(name) for name in TUPLES],
            ),
        ),
        *(
            Claim(
                id=f"001-S{number}",
                place=f"(S{number})",
                paraphrase=f"{text}, as one of four replacements that leave every frequency as it is",
                compute=entry("S91"),
            )
            for number, text in swaps.items()
        ),
    )


def _uneven() -> Sketch:
    """Decision tuples with different counts, so that no two formulas agree by chance."""
    return Sketch.from_counts(dict(zip(TUPLES, (2, 3, 5, 7, 11, 13, 17, 19), strict=True)))


def majority_share_of_b() -> tuple[str, bool]:
    """Compare the majority's share of B with its formula."""
    sketch = table_1().sketch
    ours = majority(sketch).evaluation.prevalence_of("B")
    return f"{ours} in Table 1", ours == sum(map(sketch.frequency, TUPLES[4:]))


def accuracy_by_vote(judge: str, label: str, cells: tuple[str, ...]) -> tuple[str, bool]:
    """Compare a judge's accuracy by majority vote with its formula, on two exams."""
    accuracies = []
    for sketch in (table_1().sketch, _uneven()):
        by_vote = majority(sketch).evaluation
        name = by_vote.judges["ijk".index(judge)]
        share = by_vote.prevalence_of(label)
        formula = sum(map(sketch.frequency, cells)) / share  # type: ignore[operator]
        accuracies.append((by_vote.accuracy(name, label), formula))
    return f"{accuracies[0][0]} in Table 1", all(ours == formula for ours, formula in accuracies)


def per_item(value: Callable[[str, dict[str, str]], int]) -> int:
    """Add up, over the drawn items, a number made of the true label and the answers."""
    votes = drawn_exam()
    assert votes.key is not None
    names = votes.labels
    return sum(
        value(names[true], dict(zip(votes.judges, (names[a] for a in row), strict=True)))
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


# --- Definitions that stand beside the equations of the catalogue: correlations, records, keys.


_TRIO = (
    "over items of a label, the average product of three judges' deviations from their accuracies"
)


def definitions() -> tuple[Claim, ...]:
    """Claims in the order of the numbers."""
    return (*_correlations(), *_records(), *_expanded())


def _correlations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S45",
            place="(S45)",
            paraphrase=f"Gamma_ijk: {_TRIO}",
            compute=fact(lambda: averages_of_deviations(("i", "j", "k"))),
        ),
        Claim(
            id="001-S46",
            place="(S46)",
            paraphrase="errors are independent where Gamma is zero for each pair, for the trio, on both "
            "labels",
            compute=fact(which_exams_are_independent),
        ),
        Claim(
            id="001-S47",
            place="after (S46)",
            paraphrase="equation number S47",
            verdict="wording",
            note="the number does not occur: (S48) follows (S46)",
        ),
    )


def _records() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S48",
            place="(S48)",
            paraphrase="a judge's record: the pairs of an item and an answer",
            verdict="wording",
            compute=fact(record_of_a_judge),
            note="a closing bracket is missing; what is meant is clear",
        ),
        Claim(
            id="001-S49",
            place="(S49)",
            paraphrase="an answer key: one true label for each item",
            compute=fact(true_labels_of_items),
        ),
        Claim(
            id="001-S50",
            place="(S50)",
            paraphrase="Q_l: the sum over items of the indicator of true label l",
            compute=fact(items_of_each_label),
        ),
        Claim(
            id="001-S51",
            place="(S51)",
            paraphrase="the indicator is 1 where two labels are equal, else 0",
            compute=fact(indicators_add_up),
        ),
    )


def _expanded() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-S66",
            place="(S66)",
            paraphrase="Gamma_ij: the same average for two judges",
            compute=fact(lambda: averages_of_deviations(("i", "j"))),
        ),
        Claim(
            id="001-S67",
            place="(S67)",
            paraphrase="Gamma_ij is the share of items both have right, less the product of their accuracies",
            compute=identities(
                "Gamma_ij_A = R_iA_jA_A/Q_A - P_iA*P_jA",
                "Gamma_ij_B = R_iB_jB_B/Q_B - P_iB*P_jB",
                model="axioms",
            ),
        ),
        Claim(
            id="001-S69",
            place="(S69)",
            paraphrase=f"Gamma_ijk again: {_TRIO}",
            compute=fact(lambda: averages_of_deviations(("i", "j", "k"))),
        ),
        Claim(
            id="001-S71",
            place="(S71)",
            paraphrase="three or more judges without correlation of pairs and trios are evaluated trio "
            "by trio",
            compute=fact(trios_of_four_judges),
        ),
    )


def averages_of_deviations(judges: tuple[str, ...]) -> tuple[str, bool]:
    """Average products of deviations over Table 1, and compare with our correlations."""
    exam = table_1()
    gamma = correlations(exam)
    texts, same = [], True
    for label in "AB":
        ours = gamma.of(judges, label)
        same &= ours == _average_of_deviations(exam, judges, label)
        texts.append(f"{float(ours):+.5f} on {label}")
    return f"{', '.join(texts)} in Table 1", same and any(gamma.of(judges, t) for t in "AB")


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
    texts = [
        f"{name}: {'' if all_zero else 'not '}all zero"
        for name, all_zero in zip(exams, zero, strict=True)
    ]
    return "; ".join(texts), zero == [True, False, False]


def record_of_a_judge() -> tuple[str, bool]:
    """Make the votes again from the records of the judges."""
    votes = drawn_exam()
    records = [
        (item, judge, votes.answers[code])
        for item, row in zip(votes.items, votes.codes, strict=True)
        for judge, code in zip(votes.judges, row, strict=True)
    ]
    again = Votes.from_records(records, labels=votes.labels)
    text = f"{len(records)} records of 3 judges on {len(votes)} items give their votes again"
    return text, again == votes.without_key()


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
    totals = [per_item(lambda _, said, a=a: said["i"] == a) for a in "AB"]  # type: ignore[misc]
    ours = drawn_exam().summary().counts[0].tolist()
    return f"judge i: {totals[0]} and {totals[1]} of {sum(totals)} items drawn", totals == ours


def trios_of_four_judges() -> tuple[str, bool]:
    """Decode each trio of four judges whose only correlation is that of all four."""
    truth = _four_judges()
    exam = _with_correlation_of_four(Fraction(1, 100))
    names = exam.sketch.judges
    right = []
    for trio in combinations(names, 3):
        best = decode(exam.sketch, trio)
        assert isinstance(best, Decoding)
        evaluation = best.best
        right.append(
            evaluation is not None
            and all(evaluation.accuracy(j, t) == truth.accuracy(j, t) for j in trio for t in "AB")
        )
    all_four = correlations(exam).of(names, "A")
    text = f"{sum(right)} of {len(right)} trios decode to the truth on {exam.n_items} items, though Gamma of "
    return f"{text}all four is {all_four}", all(right) and all_four != 0


def _four_judges() -> Evaluation:
    return evaluation_of(Fraction(1, 3), (*RATES, RATES[0]))


def _with_correlation_of_four(gamma: Fraction) -> KeyedSketch:
    """Smallest exam of four judges with these rates and one correlation, of all four."""
    truth = _four_judges()
    shares = frequencies_from(truth, {(truth.judges, "A"): gamma})
    items = lcm(*(value.denominator for table in shares.values() for value in table.values()))
    counts: dict[object, dict[Any, int]] = {
        t: {u: int(v * items) for u, v in table.items()} for t, table in shares.items()
    }
    return KeyedSketch.from_counts(counts, judges=truth.judges, labels=LABELS)


# --- Theorems 0.1 to 0.3 beyond their equations.


_A = "Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk"


def theorems() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (*_decoding(), *_alarm())


def _decoding() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-T0.1",
            place="Theorem 0.1",
            paraphrase="prevalences and accuracies of independent judges give all eight frequencies",
            compute=fact(frequencies_of_exact_exams),
        ),
        Claim(
            id="001-T0.2a",
            place="Theorem 0.2",
            paraphrase="frequencies of three independent judges fit two evaluations, and one is the true one",
            verdict="conditional",
            compute=fact(evaluations_of_exact_exams),
            tolerance="exact, on every combination of three prevalences and four pairs of accuracies",
            note="only if both labels occur and no judge's accuracies add up to 1; else infinitely many fit",
        ),
        Claim(
            id="001-T0.2b",
            place="Theorem 0.2, proof",
            paraphrase="elimination leaves a quadratic in P_A, and equations linear in the accuracies",
            compute=fact(shape_of_the_basis),
        ),
        Claim(
            id="001-T0.2c",
            place="Theorem 0.2, proof",
            paraphrase="two evaluations are the fewest: no dependent judges leave fewer",
            verdict="conditional",
            compute=fact(numbers_of_evaluations),
            tolerance="exact, on all tables of up to four items",
            note="true of tables that some evaluation fits: a single one never does, but others fit none",
        ),
        Claim(
            id="001-T0.2d",
            place="Theorem 0.2, proof",
            paraphrase="once P_A is chosen, the linear equations (S20) to (S43) determine all accuracies",
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
            paraphrase="irrational prevalences appear only if errors are correlated on the test",
            compute=identities(f"{_A} = (P_A*P_B*d_i*d_j*d_k)^2"),
            note="the root of the discriminant is then a product of fractions",
        ),
        Claim(
            id="001-T0.3b",
            place="Theorem 0.3",
            paraphrase="rational prevalences do not imply independent errors",
            compute=fact(rational_though_correlated),
        ),
        Claim(
            id="001-T0.3c",
            place="Theorem 0.3, proof",
            paraphrase="with any correlation the discriminant has no longer even powers only",
            compute=fact(patterns_with_even_powers),
        ),
        Claim(
            id="001-T0.3d",
            place="Theorem 0.3, with (6)",
            paraphrase="the alarm is read off the prevalence: its square root is irrational",
            verdict="conditional",
            compute=fact(irrational_accuracies_alone),
            note="unless Delta_ijk = 0: the prevalence is then 1/2, and the root shows in accuracies alone",
        ),
        Claim(
            id="001-T0.3e",
            place="Theorem 0.3, proof",
            paraphrase="in all experiments the prevalences were irrational",
            verdict="not reproducible",
            note="Data S1 to S4 are not in the text; of the one test that is, Table 1, it is true (001-6b)",
        ),
        Claim(
            id="001-T0.3f",
            place="after Theorem 0.3",
            paraphrase="estimates outside [0, 1] and complex ones can appear",
            compute=fact(other_signs_of_failure),
        ),
        Claim(
            id="001-rat",
            place="after Theorem 0.3",
            paraphrase="correlated judges with rational prevalences have to do with random performance",
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
    exams = [(truth, exact_exam(truth)) for truth in _exact_evaluations()]
    same = all(
        exam.sketch.frequency(decision) == value
        for truth, exam in exams
        for decision, value in encoding.frequencies(truth).items()
    )
    return f"as counted, for each of 8 tuples on {len(exams)} exact exams", same


def evaluations_of_exact_exams() -> tuple[str, bool]:
    """Decode exams of independent judges, and compare with the condition."""
    good, bad, as_said = 0, 0, True
    for truth in _exact_evaluations():
        decoding = decoded(exact_exam(truth))
        if all(truth.prevalence) and all(_skill(truth, judge) for judge in truth.judges):
            good += 1
            as_said &= len(decoding.evaluations) == 2 and truth in decoding.evaluations
        else:
            bad += 1
            as_said &= bool(decoding.dimension)
    text = f"two on {good} exams, one of them the truth; infinitely many on {bad}, on each of which a label "
    return f"{text}does not occur or a judge's accuracies add up to 1", as_said and good > 0 < bad


def _skill(truth: Evaluation, judge: str) -> Any:
    return truth.accuracy(judge, "A") + truth.accuracy(judge, "B") - 1  # type: ignore[operator]


def shape_of_the_basis() -> tuple[str, bool]:
    """Degrees of the elements of the Groebner basis in the moments."""
    import sympy

    basis = groebner_basis("moments", engine="sympy", time_limit=None)
    degrees = sorted(
        sympy.Poly(polynomial, *basis.unknowns).total_degree() for polynomial in basis.polynomials
    )
    (quadratic,) = basis.prevalence_polynomials
    text = f"{len(degrees)} elements: one quadratic in P_A alone, and {degrees.count(1)} linear"
    alone = sympy.Poly(quadratic, basis.unknowns[-1]).degree() == 2
    return text, alone and degrees == [1] * 6 + [2]


def numbers_of_evaluations() -> tuple[str, bool]:
    """Count the evaluations that fit each table of up to four items."""
    sizes = [_how_many_fit(counts) for n in range(1, 5) for counts in _tables(n)]
    text = f"no evaluation fits {sizes.count(0)} of {len(sizes)} tables, two fit {sizes.count(2)}, "
    text += f"infinitely many {sizes.count(None)}, a single one {sizes.count(1)}"
    return text, 1 not in sizes and {0, 2, None} == set(sizes)


def _tables(n_items: int) -> Iterator[tuple[int, ...]]:
    return compositions((0,) * 8, (n_items,) * 8, n_items)


def _decoded_counts(counts: tuple[int, ...]) -> Decoding:
    cells = {name: n for name, n in zip(TUPLES, counts, strict=True) if n}
    decoding = decode(Sketch.from_counts(cells, labels=LABELS))
    assert isinstance(decoding, Decoding)
    return decoding


def _how_many_fit(counts: tuple[int, ...]) -> int | None:
    decoding = _decoded_counts(counts)
    if decoding.dimension:
        return None
    return len({str(evaluation.to_dict()) for evaluation in decoding.evaluations})


def linear_equations_at_one_half() -> tuple[str, bool]:
    """Put an exam with P_A = 1/2 into (S20) to (S43), corrected, and decode it."""
    truth = evaluation_of(Fraction(1, 2), _RATES[:1] * 2 + _RATES[3:])
    decoding = decoded(exact_exam(truth))
    m = decoding.moments
    assert m is not None
    factors, rests = [], []
    for share, pair in zip(m.marginals, reversed(m.pairs), strict=True):
        factors += [pair * m.trio, -pair * m.trio]
        on_a = m.trio * (m.trio - pair * (1 - share)) + 2 * m.product
        rests += [
            on_a - m.discriminant / 2,
            -factors[-1] * share - 2 * m.product + m.discriminant / 2,
        ]
    text = f"at P_A = 1/2 the six accuracies have coefficients {', '.join(map(str, factors))}; the truth is "
    text += f"{'' if truth in decoding.evaluations else 'not '}found by a root of the discriminant instead"
    return text, not any(factors) and not any(rests) and truth in decoding.evaluations


def other_signs_of_failure() -> tuple[str, bool]:
    """Decode two small tables that no independent judges can produce."""
    tables = {
        Status.OUT_OF_RANGE: (0, 0, 0, 1, 1, 4, 1, 1),
        Status.COMPLEX: (0, 1, 1, 1, 1, 1, 3, 0),
    }
    decodings = {status: _decoded_counts(counts) for status, counts in tables.items()}
    outside = decodings[Status.OUT_OF_RANGE].evaluations
    shares = ", ".join(str(share.prevalence_of("A")) for share in outside)
    text = f"on two tables of 8 items: P_A = {shares}; {decodings[Status.COMPLEX].reason}"
    return text, all(share.status is status for status, share in decodings.items())


def _is_rational(decoding: Decoding) -> bool:
    return decoding.best is not None and all(
        isinstance(value, Fraction) for value in decoding.best.prevalence
    )


def patterns_with_even_powers() -> tuple[str, bool]:
    """Factor the discriminant for each set of correlations that may differ from zero."""
    groups = ("ij", "ik", "jk", "ijk")
    patterns = [some for size in range(5) for some in combinations(groups, size)]
    even = [
        some for some in patterns if all(power % 2 == 0 for _, power in discriminant_factors(some))
    ]
    text = f"of {len(patterns)} patterns of correlation {len(even)} has even powers only: "
    return text + ", ".join(" ".join(some) or "none" for some in even), even == [()]


def rational_though_correlated() -> tuple[str, bool]:
    """Decode an exam of correlated judges with rational estimates."""
    exam = correlated_yet_rational()
    decoding = decoded(exam)
    dependent = not correlations(exam).independent
    assert decoding.best is not None
    text = f"{exam.n_items} items of dependent judges decode to P_A = {decoding.best.prevalence_of('A')}"
    return f"{text}; it is {exam.evaluation().prevalence_of('A')}", dependent and _is_rational(
        decoding
    )


def irrational_accuracies_alone() -> tuple[str, bool]:
    """Decode ten items with no third moment, whose discriminant is no square."""
    cells = dict.fromkeys(TUPLES, 1) | {"AAA": 2, "BBB": 2}
    decoding = decoded(KeyedSketch.from_counts({"A": cells, "B": {}}, labels=LABELS))
    assert decoding.best is not None
    share, accuracy = decoding.best.prevalence_of("A"), decoding.best.accuracy("1", "A")
    text = f"two items each of AAA and BBB, one of each other tuple: P_A = {share}, accuracies {accuracy}"
    return text, share == Fraction(1, 2) and not isinstance(accuracy, Fraction)


def able_judges_yet_rational() -> tuple[str, bool]:
    """True accuracies of correlated judges with rational estimates."""
    exam = correlated_yet_rational()
    truth = exam.evaluation()
    rates = {truth.accuracy(judge, label) for judge in truth.judges for label in "AB"}
    text = f"three judges right on {', '.join(map(str, rates))} of both labels, correlated, and rational"
    far = all(rate is not None and rate >= Fraction(3, 4) for rate in rates)
    return text, far and rational_though_correlated()[1]


# --- What the paper says of agreement equations, and of more labels.


_AGREE = "f_AAA + f_AAB + f_BBA + f_BBB"


def other_work() -> tuple[Claim, ...]:
    """Claims on agreement equations and on more labels."""
    on_label = "(P_i{0}*P_j{0} + (1-P_i{0})*(1-P_j{0}) + 2*Gamma_ij_{0})"
    both = " + ".join(f"P_{label}*{on_label.format(label)}" for label in "AB")
    independent = "g_i*g_j + (1-g_i)*(1-g_j)"
    return (
        Claim(
            id="001-RW1",
            place="Related work",
            paraphrase="agreement equations are part of those for the frequencies of correlated judges",
            compute=identities(f"{_AGREE} = {both}", model="correlated"),
            note="a pair's agreement is the sum of four of the eight frequencies",
        ),
        Claim(
            id="001-RW2",
            place="Related work",
            paraphrase="errors independent over all items, as agreement equations take them, give another "
            "solution than errors independent on each label",
            compute=identities(
                f"{_AGREE} - ({independent}) = 2*P_A*P_B*(P_iA-P_iB)*(P_jA-P_jB)",
                false=[f"{_AGREE} = {independent}"],
            ),
        ),
        Claim(
            id="001-CodeS3",
            place="caption of Code S3",
            paraphrase="three independent judges of three labels can be evaluated too",
            compute=fact(three_labels_decoded),
        ),
    )


def three_labels_decoded() -> tuple[str, bool]:
    """Decode an exact exam of three judges and three labels."""
    rows = np.array([[6, 1, 1], [1, 5, 2], [2, 1, 5]], object)
    confusion = np.array([rows, rows[::-1, ::-1], np.roll(rows, 1, (0, 1))]) * Fraction(1, 8)
    labels = ("A", "B", "C")
    shares = np.array([Fraction(n, 10) for n in (2, 3, 5)])
    truth = Evaluation(("i", "j", "k"), labels, labels, shares, confusion)
    exam = exact_exam(truth)
    decoding = decoded(exam)
    right = decoding.best == truth
    text = f"{exam.n_items} items decode to {'the true' if right else 'another'} evaluation"
    return f"{text}, by an exact matrix pencil", right and decoding.engine == "pencil"


# --- All of them.


def claims() -> tuple[Claim, ...]:
    """Claims in order: main text, Table 1, experiment, numbered equations, theorems, other work."""
    numbered = sorted((*equations(), *definitions(), *steps()), key=_number)
    return (*main_text(), *table(), *design(), *numbered, *theorems(), *other_work())


def _number(claim: Claim) -> int:
    """Number of an equation, those of the supplement after those of the main text."""
    name = claim.id.removeprefix("001-")
    return 1_000 + int(name[1:]) if name.startswith("S") else int(name)
