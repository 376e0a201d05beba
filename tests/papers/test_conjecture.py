"""The checked steps of the proof: all hold, and each kind of check can fail."""

from fractions import Fraction
from math import comb

import pytest
import sympy as sp

import algeval as ae
from algeval_papers import conjecture
from algeval_papers.conjecture import cell, error, gain, lemmas, returning, s, tie, u, wins, x


def test_every_statement_is_proved():
    found = list(lemmas())
    assert [lemma.name for lemma in found if not lemma.holds] == []
    assert [lemma.name for lemma in found if lemma.complete] == [
        "Box",
        "Sides",
        "Lemma 7",
        "Lemma 8, first",
        "Lemma 8, second",
        "Lemma 8, again",
        "4/5",
        "Even m",
        "Cells",
    ]


@pytest.mark.parametrize(
    ("name", "wrong", "broken"),
    [
        ("tie", lambda k, theta: tie(k, theta) * (1 + k), {"F2", "F3", "Lemma 2", "Lemma 3"}),
        ("error", lambda k, theta: error(k, theta) / (k + 1), {"F1", "F2", "Lemma 1", "Lemma 2"}),
        ("gain", lambda m: gain(m + 2), {"Lemma 1", "Slopes"}),
        (
            "returning",
            lambda n, step, stay: returning(n, step, stay) + n * step**2,
            {"Lemma 8, first", "Lemma 8, second", "Lemma 9", "Even m"},
        ),
        ("wins", lambda theta, n: wins(theta, n) + s * n, {"4/5"}),
        ("bernstein", lambda *given: [Fraction(-1)], {"Lemma 8, again", "Lemma 6", "(9)"}),
    ],
)
def test_a_wrong_polynomial_breaks_the_statements_on_it(monkeypatch, name, wrong, broken):
    monkeypatch.setattr(conjecture, name, wrong)
    assert broken <= {lemma.name for lemma in lemmas() if not lemma.holds}


def test_bernstein_coefficients_of_a_cell_bound_the_gap_at_one_label():
    """At theta = 1 the gap of (3, 1), divided by s, is (c - c^3)/s = c(1 + c)."""
    corner = cell(3, 1)[-1]
    assert corner == Fraction(1, 4) * Fraction(5, 4)


def test_p_3_and_p_6_cross_beyond_four_fifths_only():
    gap = sp.Poly(returning(3, s, 1 - s) - returning(6, s, 1 - s), s)
    roots = [float(root) for root in gap.nroots() if sp.im(root) == 0 and 0 < root < 1]
    assert roots == [pytest.approx(0.8261, abs=5e-5)]


def test_equation_9_with_four_thirds_more_on_its_left_fails_at_one_half():
    """M (1 - M) = 1/4 there, which is 4/3 of the left side for three labels."""
    for factor, holds in ((Fraction(4, 3), True), (Fraction(27, 20), False)):
        left = 4 * factor * gain(3) * 2 * u**2
        difference = 1 - (1 - 4 * u) * gain(3) ** 2 - left
        assert conjecture._never_negative(difference, 2) == holds


def listed_majority(q, m):
    return sum(comb(m, k) * q**k * (1 - q) ** (m - k) for k in range((m + 1) // 2, m + 1))


@pytest.mark.parametrize("m", [3, 5, 7, 11, 25, 51, 101])
def test_equation_9_and_its_reverse_in_fractions(m):
    """M (1 - M) is from 1 to 2m/(m + 1) times the left side of (9), so below m times it, as (19) asks."""
    for k in range(50, 100, 7):
        q = Fraction(k, 100)
        voted = listed_majority(q, m)
        product = q * (1 - q)
        steeper = sum(comb(2 * j, j) * product**j for j in range((m + 1) // 2))
        left = steeper * comb(m - 1, m // 2) * product ** (m // 2 + 1)
        assert left < voted * (1 - voted) <= Fraction(2 * m, m + 1) * left


def test_the_bounds_of_the_reverse_are_met_at_sure_labels():
    for m in (3, 7, 21):
        q = 1 - Fraction(1, 10**6)
        voted, product = listed_majority(q, m), q * (1 - q)
        left = comb(m - 1, m // 2) * product ** (m // 2 + 1)
        assert float(voted * (1 - voted) / left) == pytest.approx(2 * m / (m + 1), rel=1e-4)


P = sp.Symbol("P_iA")
IDENTITIES = {
    "the gap of accuracies is the mean of the gap indicators": (
        "R_iA_kA + R_iB_kB - R_jA_kA - R_jB_kB = n_ABA + n_BAB - n_BAA - n_ABB",
        "axioms",
    ),
    "Proposition B.2, errors independent given the true label": (
        "f_ABA + f_BAB = P_A*(P_iA*(1-P_jA)*P_kA + (1-P_iA)*P_jA*(1-P_kA))"
        " + P_B*(P_iB*(1-P_jB)*P_kB + (1-P_iB)*P_jB*(1-P_kB))",
        "independent",
    ),
    "Lemma C.4 of the paper, three labels": (
        "P_iA^3 + 3*P_iA^2*(1-P_iA) = P_iA + (2*P_iA-1)*P_iA*(1-P_iA)",
        "axioms",
    ),
    "Lemma 1, seven labels": (
        sp.Eq(1 - 2 * error(7, P), (2 * P - 1) * gain(7).subs(u, P * (1 - P))),
        "axioms",
    ),
    "Lemma 8, first": (
        sp.Eq(returning(1, P, 1 - P) - returning(3, P, 1 - P), P * (1 - P) * (4 - 5 * P) / 2),
        "axioms",
    ),
    "F2": (
        sp.Eq(error(4, P) - error(5, P), (2 * P - 1) / 2 * 6 * (P * (1 - P)) ** 2),
        "axioms",
    ),
}


@pytest.mark.parametrize(("identity", "model"), IDENTITIES.values(), ids=IDENTITIES)
def test_the_prover_of_identities_proves_those_it_can_state(identity, model):
    assert ae.prove(identity, model=model).holds


def test_the_prover_refutes_lemma_c_4_with_its_powers_as_printed():
    """For m = 3 the printed sum is (1 - q), of k = 1: q^0 (1 - q)^1."""
    refuted = ae.prove("P_iA^3 + 3*P_iA^2*(1-P_iA) = P_iA + (2*P_iA-1)*(1-P_iA)")
    assert not refuted.holds
    assert refuted.left != refuted.right


def test_statements_are_about_votes_as_listed():
    """The chance of an error of three votes by all eight vectors."""
    expected = sp.expand((1 - x) ** 3 + 3 * x * (1 - x) ** 2)
    assert sp.expand(error(3, x)) == expected
