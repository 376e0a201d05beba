"""Materials and methods: the numbers of the experiment."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from algeval.algebra import correlations
from algeval.data import KeyedSketch
from algeval.replicate.algebraic.exams import table_1
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, number

__all__ = ["design"]

RECORDS = {"not employed": (1_763_385, 1_679_385), "employed": (1_472_722, 1_388_722)}
"""Records in the data set, and held out for tests, by label."""

FEATURES = "AGEP SCHL MAR RELP DIS ESP CIT MIG MIL ANC NATIVITY DEAR DEYE DREM SEX RAC1P"
WITHHELD = {"AGEP", "SEX", "RAC1P"}
SETS = "SCHC MIG DREM MAR CIT DEAR RELP DIS ANC MIL NATIVITY DEYE"
"""The four sets of three features, as printed."""


def design() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (*_data(), *_classifiers(), *_not_published())


def _data() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-n1",
            place="Materials and methods",
            printed="3,236,107 records, of which 1,763,385 not employed and 1,472,722 employed",
            compute=number(3_236_107, lambda: sum(every for every, _ in RECORDS.values())),
            note="added up from the numbers the paper prints",
        ),
        Claim(
            id="001-n2",
            place="main text, Materials and methods, caption of Data S1",
            printed="trained on 50,000 or 60,000 records of about 1.5 million, tested on the 1,679,385 + "
            "1,388,722 others, or on about 1 million",
            verdict="wording",
            compute=fact(records_left_for_training),
            note="four statements that do not fit together: the test set is three million, and what it "
            "leaves of the data is about three times what was trained on",
        ),
        Claim(
            id="001-n3",
            place="Materials and methods, against captions of Data S1 to S4",
            printed="tests at shares of A of 2/10, 4/10, 6/10, 8/10; in the files 1/10, 4/10, 6/10, 9/10",
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
            printed="13 features into four sets of three, one left out: 200,200 ways",
            compute=number(200_200, lambda: comb(13, 12) * factorial(12) // (6**4 * factorial(4))),
        ),
        Claim(
            id="001-n5",
            place="Materials and methods",
            printed="a network of six layers, nine nodes wide, on three features: 416 parameters",
            compute=number(416, weights_and_biases),
            note="read as three inputs, five layers of nine nodes, two outputs, each with biases",
        ),
        Claim(
            id="001-n6",
            place="Materials and methods",
            printed="16 features less 3 are 13; 12 of them make the four sets",
            verdict="wording",
            compute=fact(features_of_the_sets),
            note="SCHC is no feature; SCHL must be meant",
        ),
        Claim(
            id="001-n7",
            place="Materials and methods, error correlations",
            printed="two judges who always agree and are right on 60% have correlation 0.24",
            compute=number(Fraction(24, 100), correlation_of_copies),
        ),
    )


def _not_published() -> tuple[Claim, ...]:
    return (
        Claim(
            id="001-n8",
            place="lists of supplementary files",
            printed="Data S1 to S4 and Code S1, S2; elsewhere Data S1, S2 and Code S1 to S3",
            verdict="wording",
            note="three lists that differ; captions are given for Data S1 to S4 and Code S1 to S3",
        ),
        Claim(
            id="001-n9",
            place="Materials and methods",
            printed="4,000 tests of 20,000 records, a thousand at each of four shares of A",
            verdict="not reproducible",
            note="Data S1 to S4 are not in the text; the counts of one test are, as Table 1",
        ),
        Claim(
            id="001-n10",
            place="Materials and methods",
            printed="a few results on data sets by gender and race",
            verdict="not reproducible",
            note="neither the results nor the data are in the text",
        ),
    )


def records_left_for_training() -> tuple[str, bool]:
    """Return how many records are not held out, and how many are."""
    left = [every - held for every, held in RECORDS.values()]
    tested = sum(held for _, held in RECORDS.values())
    told = f"{left[0]:,} + {left[1]:,} = {sum(left):,} left, {tested:,} held out"
    return told, sum(left) not in (50_000, 60_000) and tested > 2_000_000


def share_in_table_1() -> tuple[str, bool]:
    """Return the true share of A in Table 1."""
    share = table_1().evaluation().prevalence_of("A")
    texts = [Fraction(n, 10) for n in (2, 4, 6, 8)]
    return f"{share} in Table 1", share not in texts and share == Fraction(1, 10)


def weights_and_biases() -> int:
    """Count the parameters of the network."""
    sizes = (3, 9, 9, 9, 9, 9, 2)
    return sum((into + 1) * out for into, out in pairwise(sizes))


def features_of_the_sets() -> tuple[str, bool]:
    """Return the features left out of the sets, and names in the sets that are no feature."""
    kept, named = set(FEATURES.split()) - WITHHELD, SETS.split()
    unknown = [name for name in named if name not in kept]
    left_out = sorted(kept - set(named))
    told = f"{len(kept)} features, {len(named)} in sets; in no set: {', '.join(left_out)}; no feature: "
    return told + ", ".join(unknown), unknown == ["SCHC"] and left_out == ["ESP", "SCHL"]


def correlation_of_copies() -> Fraction:
    """Return the error correlation of a judge right on 60% and its copy."""
    twins: dict[object, dict[str, int]] = {
        label: {label * 2: 6, other * 2: 4} for label, other in ("AB", "BA")
    }
    return correlations(KeyedSketch.from_counts(twins)).of(("1", "2"), "A")
