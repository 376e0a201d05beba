"""Sentences of notebooks and chapters that a number can contradict, each computed."""

import re
from fractions import Fraction as F
from itertools import product
from pathlib import Path

import pytest

import algeval as ae
from algeval.algebra import groebner_basis, holds_on
from algeval.data import KeyedSketch, Sketch, Summary
from algeval_papers import catalogue

ROOT = Path(__file__).resolve().parents[1]
AGREEING = Sketch.from_counts({"aa": 6, "bb": 4}, judges=["first", "second"])


def levels():
    return [F(k, 10) for k in range(11)]


@pytest.mark.parametrize("sense", [">=", "<="])
def test_no_common_standard_is_refuted_by_judges_who_agree(sense):
    """Notebook 01: a key that is their answers, and one that is none of them, are both possible."""
    for level in levels():
        assert ae.alarm(AGREEING, f"grade {sense} {level}", order="full").triggered is False


def test_unequal_demands_on_judges_who_agree_do_raise_an_alarm():
    """Notebook 01: judges who always agree have the same grade, so these clash exactly if x > y."""
    for x, y in product(levels()[::2], levels()[1::2]):
        asked = f"grade(first) >= {x} and grade(second) <= {y}"
        assert ae.alarm(AGREEING, asked, order="full").triggered is (x > y)


def test_the_worst_estimate_on_table_1(acs_sketch):
    """Notebook 02: every rate within 4 points but one, which is off by 6.3."""
    census = ae.example("acs")
    found, actual = ae.decode(acs_sketch).best.to_floats(), census.evaluation().to_floats()
    off = abs(found.accuracies() - actual.accuracies())
    assert abs(found.prevalence - actual.prevalence).max() < 0.04
    assert (off.argmax(), round(off.max(), 3)) == (4, 0.063)
    assert (off > 0.04).sum() == 1


def test_equal_shares_do_not_make_equal_judges():
    """Notebook 10: the premise holds, the conclusion does not; what links them is an identity."""
    exam = KeyedSketch.from_counts(
        {"A": {"AA": 1, "BA": 1}, "B": {"AB": 1, "BB": 1}}, judges=["i", "j"]
    )
    link = "P_B*(P_iB - P_jB) = (f_Bi - f_Bj) + P_A*(P_iA - P_jA)"
    assert holds_on("f_Bi = f_Bj", exam) == (F(1, 2), F(1, 2))
    assert holds_on("P_iB = P_jB", exam) == (F(1, 2), 1)
    assert holds_on(link, exam) == (F(-1, 4), F(-1, 4))
    assert ae.prove(link, model="correlated").holds


@pytest.mark.parametrize(
    ("form", "engine", "elements"),
    [("moments", "flint", 29), ("moments", "sympy", 7), ("centred", "flint", 14), ("centred", "sympy", 4)],
)  # fmt: skip
def test_how_many_elements_a_basis_has(form, engine, elements):
    """Chapter on decoding: moments as variables of the ring, or as parameters of the field."""
    assert len(groebner_basis(form, engine=engine).polynomials) == elements


def errata():
    return {entry.number for entry in catalogue() if entry.verdict == "erratum"}


def numbers_in(text):
    return {found.removeprefix("eq. ").strip("()") for found in re.findall(r"S\d+|\(\d\)", text)}


def test_the_chapter_and_the_changelog_list_every_erratum_of_the_catalogue():
    chapter = (ROOT / "docs/chapters/algebra/errata.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in chapter.splitlines() if line.startswith("| ")]
    assert numbers_in(" ".join(rows)) == errata()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (line,) = [line for line in changes.splitlines() if line.startswith("* Paper 001: ")]
    assert numbers_in(line.partition(":")[2]) == errata()


def test_quotients_above_one_are_fewer_than_the_items():
    """Chapter on order 1, Theorem 4: m - 1 of a label with m > 0 items, none of one with m = 0."""
    for counts in product(range(5), repeat=3):
        above = [sum(F(m, k) > 1 for k in range(1, m + 1)) for m in counts]
        assert above == [m - 1 if m else 0 for m in counts]
        if sum(counts):
            assert sum(above) < sum(counts)
            summary = Summary.from_counts({"x": dict(zip("abc", counts, strict=True))})
            assert ae.threshold(summary, order=1).upper == 1
