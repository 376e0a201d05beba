"""Section 2 and appendix B: the gap indicator, the two assumptions, and what is said beside them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    gap_chances,
)
from algeval.budgets.kernel import exact_law
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, unlike
from algeval.replicate.labels.assumptions import assumptions

__all__ = ["setting"]

PLAIN = Rivals.independent(Fraction(4, 5), Fraction(1, 20))


def setting() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (*_of_the_model(), *assumptions(), *_of_the_parameterisations())


def _risk_of_the_better() -> Fraction:
    both_right = Fraction(4, 5) - PLAIN.worse_alone
    return 1 - both_right - PLAIN.better_alone


def _three_forms_of_better() -> tuple[str, bool]:
    """Count the grid points at which the risks, and both printed inequalities, call c_b the better."""
    grid = np.arange(51, 101)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    risks = 10_000 - (100 - worse) * wrong - worse * right < 10_000 - 100 * worse
    second = (100 - worse) * wrong + worse * (right - 100) > 0
    alike = bool((risks == second).all()) and int(risks.sum()) == len(admissible()[0])
    return f"{int(risks.sum()):,} of {risks.size:,} grid points by each form", alike


def _none_above_a_perfect_one() -> tuple[str, bool]:
    found = int((admissible()[0] == 0).sum())
    return (
        f"{found} of {len(admissible()[0]):,} pairs of classifiers of the grid have p_w = 1",
        found == 0,
    )


def _listed(m: int, q: Fraction) -> tuple[Fraction, Fraction]:
    """Return P(G = 1) and P(G = -1), every vector of m labels listed."""
    right = Fraction(0)
    for votes in product((0, 1), repeat=m):
        if 2 * sum(votes) > m:
            right += q ** sum(votes) * (1 - q) ** (m - sum(votes))
    a, b = PLAIN.better_alone, PLAIN.worse_alone
    return a * right + b * (1 - right), a * (1 - right) + b * right


def _majority_is_one_better_label() -> tuple[str, bool]:
    cases = list(product((3, 5, 7), (Fraction(3, 5), Fraction(4, 5))))
    same = all(_listed(m, q) == gap_chances(PLAIN, LabelAccuracy.of(q), m) for m, q in cases)
    found = gap_chances(PLAIN, LabelAccuracy.of(Fraction(4, 5)), 3)
    return f"P(G = 1) = {found[0]} at m = 3, q = 4/5 either way", same


def _tests(n: int) -> Iterator[tuple[int, Fraction]]:
    """Yield the lead of c_b in right answers on n items, and its chance, who is right being listed."""
    p, best, q = Fraction(4, 5), Fraction(17, 20), Fraction(3, 5)
    items = []
    for worse, better, label in product((0, 1), repeat=3):
        chance = (p if worse else 1 - p) * (best if better else 1 - best) * (q if label else 1 - q)
        items.append(((better == label) - (worse == label), chance))
    for chosen in product(items, repeat=n):
        chance = Fraction(1)
        for _, part in chosen:
            chance *= part
        yield sum(lead for lead, _ in chosen), chance


def _won(n: int) -> Fraction:
    return sum((chance for lead, chance in _tests(n) if lead > 0), Fraction(0))


def _gap_chances() -> tuple[Fraction, Fraction]:
    return gap_chances(PLAIN, LabelAccuracy.of(Fraction(3, 5)))


def _lead_in_accuracy_is_the_sum_of_gaps() -> tuple[str, bool]:
    listed, law = _won(3), exact_law(*_gap_chances(), 3)
    return f"P(win on 3 items) = {float(listed):.6f} listed and by G", listed == law.win


def _sum_has_as_many_terms_as_items() -> tuple[str, bool]:
    listed = _won(2)
    two, three = (exact_law(*_gap_chances(), n).win for n in (2, 3))
    told = f"2 items: {float(listed):.5f} listed, {float(two):.5f} with 2 terms, {float(three):.5f} with 3"
    return told, listed == two != three


def _of_the_model() -> tuple[Claim, ...]:
    place = "section 2"
    return (
        Claim(
            id="004-2-risk",
            place=place,
            printed="the better classifier's risk is 1 - p_b - epsilon",
            verdict="erratum",
            machine_read=True,
            compute=unlike(
                1 - Fraction(17, 20) - Fraction(1, 20),
                1 - Fraction(4, 5) - Fraction(1, 20),
                _risk_of_the_better,
            ),
            note="1 - p_w - epsilon: epsilon is the margin over the worse one; here p_w = 4/5, epsilon = "
            "1/20",
        ),
        Claim(
            id="004-2-better",
            place=place,
            printed="c_b has the smaller risk iff (1 - p_w) p_b^0 + p_w p_b^1 > p_w iff "
            "(1 - p_w) p_b^0 + p_w (p_b^1 - 1) > 0",
            compute=fact(_three_forms_of_better),
        ),
        Claim(
            id="004-2-range",
            place=place,
            printed="p_w from .5 to 1 and a margin above 0 up to 1 - p_w",
            verdict="wording",
            compute=fact(_none_above_a_perfect_one),
            note="at p_w = 1 no margin is left",
        ),
        Claim(
            id="004-2-majority",
            place=place,
            printed="m labels of accuracy q(x) are to G as one label of accuracy M_m(q(x))",
            compute=fact(_majority_is_one_better_label),
        ),
        Claim(
            id="004-2-sum",
            place=place,
            printed="the sum of G over the test is positive iff c_b scores higher on it",
            compute=fact(_lead_in_accuracy_is_the_sum_of_gaps),
        ),
        Claim(
            id="004-2-terms",
            place="section 2, appendices A and C",
            printed="sums of G_i from i = 0 to n stand for a test of n items",
            verdict="erratum",
            compute=fact(_sum_has_as_many_terms_as_items),
            note="they run from i = 1 (to n, and to mn): from 0 there is one item too many",
        ),
    )


def _independent_chances() -> tuple[str, bool]:
    """Whether the printed forms, of degree 2 in p and 1 in the others, hold at 3 x 2 x 2 points."""
    for p, e, q in product(
        (Fraction(1, 2), Fraction(3, 5), Fraction(4, 5)),
        (Fraction(1, 20), Fraction(1, 10)),
        (Fraction(3, 5), Fraction(4, 5)),
    ):
        a, b = gap_chances(Rivals.independent(p, e), LabelAccuracy.of(q))
        both = p * (1 - p - e)
        if (a, b) != (q * e + both, (1 - q) * e + both):
            return f"differ at p = {p}", False
        if 1 - a - b != p * (p + e) + (1 - p - e) * (1 - p) or a + b != 2 * both + e:
            return f"the rest differs at p = {p}", False
    return "equal at 12 points, as many as the degrees need", True


def _siding(
    p_w: Fraction, wrong: Fraction, right: Fraction, q_b: Fraction, q_w: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the chances that the label sides with c_b alone, and with c_w alone, who is right listed."""
    sides = {1: Fraction(0), 0: Fraction(0), -1: Fraction(0)}
    for worse, better, label in product((True, False), repeat=3):
        sure = right if worse else wrong
        chance = (p_w if worse else 1 - p_w) * (sure if better else 1 - sure)
        q = q_b if better else q_w
        sides[(better == label) - (worse == label)] += chance * (q if label else 1 - q)
    return sides[1], sides[-1]


def _correlated_chances() -> tuple[str, bool]:
    """Compare at 2^5 points; every form is of degree 1 in each of the five."""
    pairs = (
        (Fraction(1, 2), Fraction(3, 5)),
        (Fraction(4, 5), Fraction(9, 10)),
        (Fraction(9, 10), Fraction(1)),
    )
    for p_w, wrong, right, q_b, q_w in product(*pairs, *[(Fraction(3, 5), Fraction(4, 5))] * 2):
        found = gap_chances(Rivals.correlated(p_w, wrong, right), LabelAccuracy.of((q_b, q_w)))
        better, worse = (1 - p_w) * wrong, p_w * (1 - right)
        printed = q_b * better + (1 - q_w) * worse, (1 - q_b) * better + q_w * worse
        if not found == printed == _siding(p_w, wrong, right, q_b, q_w):
            return f"differ at p_w = {p_w}", False
    return "equal at 32 points, as many as the degrees need", True


def _of_the_parameterisations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-B.1",
            place="Proposition B.1",
            printed="errors independent: G = 1 with chance q e + (1 - p - e) p, -1 with (1 - q) e + (1 - p - "
            "e) p, "
            "else 0 with p (p + e) + (1 - p - e)(1 - p)",
            compute=fact(_independent_chances),
        ),
        Claim(
            id="004-B.2",
            place="Proposition B.2",
            printed="in general: G = 1 with chance q_b (1 - p_w) p_b^0 + (1 - q_w) p_w (1 - p_b^1), and -1 "
            "with "
            "q_b and q_w turned round",
            compute=fact(_correlated_chances),
        ),
    )
