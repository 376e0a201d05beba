"""Conjecture 1, now proved, and the limitations of section 4."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import algeval as ae
from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    adaptive_outcomes,
    assumption_1,
    assumption_2,
    majority_gain,
    smallest_n,
    win_probability,
)
from algeval.budgets.conjecture import exact_comparison
from algeval.budgets.model import gap_chances
from algeval.budgets.sweep import admissible, count_proved
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, number
from algeval.replicate.labels.inequalities import proved

__all__ = ["conjecture"]

HALF = Fraction(1, 2)
FIGURE: dict[str, Any] = {
    "budget": 1500,
    "accuracy": "0.8",
    "margin": "0.01",
    "label_accuracy": "0.8",
}


def conjecture() -> tuple[Claim, ...]:
    """Return the claims in the order of section 4."""
    return (*_of_the_limitations(), *_of_the_conjecture(), *_of_its_limits(), *_of_other_designs())


def _items_that_cost() -> tuple[str, bool]:
    wins = {cost: ae.plan(**FIGURE, item_cost=cost) for cost in (0, 2, 3, 5)}
    told = ", ".join(f"{one.labels_per_item} at {cost}" for cost, one in wins.items())
    found = [one.labels_per_item for one in wins.values()]
    return f"best number of labels by an item's cost in labels: {told}", found == [1, 1, 3, 3]


def _cost_from_which_three_pay() -> tuple[str, bool]:
    """Small margins: (3 - g^2)/(g^2 - 1) with g how much steeper a majority of three is than one label."""
    found = {}
    for q in ("0.55", "0.6", "0.7", "0.8", "0.9", "0.95"):
        steep = majority_gain(Fraction(q), 3) ** 2
        found[q] = (3 - steep) / (steep - 1)
    told = ", ".join(f"{float(cost):.3f} at {q}" for q, cost in found.items())
    return told, all(_pays_from(q, cost) for q, cost in found.items())


def _pays_from(q: str, cost: Fraction) -> bool:
    """Whether, at a margin of 1e-5, one label is better at 2% less cost and three are at 2% more."""
    sides = []
    for share in (Fraction(98, 100), Fraction(102, 100)):
        fair = []
        for m in (1, 3):
            a, b = map(
                float, gap_chances(Rivals.independent("0.8", "0.00001"), LabelAccuracy.of(q), m)
            )
            items = int(10**8 / (m + share * cost))
            fair.append(win_probability(a, b, items) - win_probability(b, a, items))
        sides.append(fair[0] > fair[1])
    return sides == [True, False]


def _sample_sizes() -> tuple[str, bool]:
    a, b = map(float, gap_chances(Rivals.independent("0.8", "0.05"), LabelAccuracy.of("0.8")))
    n = smallest_n(a, b, 0.95)
    before = max(float(win_probability(a, b, k)) for k in range(n - 50, n))
    return f"{n:,} items for .95 at p = .8, margin .05, q = .8", before < 0.95 <= win_probability(
        a, b, n
    )


def _of_the_limitations() -> tuple[Claim, ...]:
    place = "section 4"
    return (
        Claim(
            id="004-4b",
            place=place,
            printed="where items cost too, one label each may not be best",
            compute=fact(_items_that_cost),
            note="Figure 1's classifiers, 1,500 labels, q = .8",
        ),
        Claim(
            id="004-4b-cost",
            place=place,
            printed="the cost of items must not be negligible for that (no number printed)",
            compute=fact(_cost_from_which_three_pay),
            tolerance="2% of the cost, at a margin of 1e-5",
            note="in labels, from which three labels beat one at a small margin, by label accuracy",
        ),
        Claim(
            id="004-1-sizes",
            place="introduction",
            printed="exact chances give tight sample sizes",
            compute=fact(_sample_sizes),
        ),
    )


def _whole_grid() -> int:
    return count_proved()


def _drawn_labels(draw: Random, varied: bool) -> LabelAccuracy:
    first, second, third, fourth = (Fraction(k, 100) for k in draw.sample(range(51, 101), 4))
    if not varied:
        return LabelAccuracy.of((first, second))
    parts = {"better": {first: HALF, second: HALF}, "worse": {third: HALF, fourth: HALF}}
    return LabelAccuracy.of(parts)


def _random_exactly(hold: Callable[[Rivals, LabelAccuracy], bool], varied: bool) -> tuple[int, int]:
    """Return how many points at which `hold` were tried, and at how many one label is better."""
    draw, better, tried = Random(4), 0, 0
    pairs = list(zip(*(part.tolist() for part in admissible()), strict=True))
    while tried < 60:
        a, b = draw.choice(pairs)
        rivals = Rivals(Fraction(a, 10_000), Fraction(b, 10_000))
        labels = _drawn_labels(draw, varied)
        if not hold(rivals, labels):
            continue
        tried += 1
        several, one = exact_comparison(
            rivals, labels, draw.choice((3, 5, 11)), draw.randint(1, 40)
        )
        better += one > several
    return tried, better


def _first_sentence() -> tuple[str, bool]:
    tried, better = _random_exactly(lambda _, labels: assumption_1(labels), varied=False)
    return f"{better} of {tried} exact comparisons, m to 11, n to 40", better == tried


def _second_sentence() -> tuple[str, bool]:
    def both(rivals: Rivals, labels: LabelAccuracy) -> bool:
        return assumption_1(labels) and all(assumption_2(rivals, labels, m) for m in (3, 5, 11))

    tried, better = _random_exactly(both, varied=True)
    return (
        f"{better} of {tried} exact comparisons, two accuracies where either classifier alone is right",
        better == tried,
    )


STEPS = (
    (
        "votes",
        "votes and majorities",
        ("Box", "Sides", "F1", "F2", "F3", "Lemma 1", "Lemma 2", "Lemma 3"),
    ),
    ("ties", "ties as returns of a walk", ("Tilting", "Lemma 6", "Lemma 7")),
    (
        "walk",
        "walks that return",
        ("Lemma 8, first", "Lemma 8, second", "Lemma 8, again", "Lemma 9"),
    ),
    ("cells", "one and two items, and where it ends", ("4/5", "Even m", "Cells")),
)
"""Parts of the proof: name, what they are about, and the statements."""


def _steps(name: str, about: str, statements: tuple[str, ...]) -> Claim:
    return Claim(
        id=f"004-CJ1-{name}",
        place="Conjecture 1",
        printed=f"(steps of its proof: {about})",
        compute=fact(lambda: proved(*statements)),
        note="as identities and by Bernstein coefficients; five arguments of the proof are by hand",
    )


def _of_the_conjecture() -> tuple[Claim, ...]:
    place = "Conjecture 1"
    return (
        Claim(
            id="004-CJ1",
            place=place,
            printed="under Assumption 1 one label each wins more often than majorities of m, for every n",
            compute=fact(_first_sentence),
            note="open in the paper, proved since for odd m >= 3: chapter on the proof; here both chances as "
            "fractions",
        ),
        Claim(
            id="004-CJ1-varied",
            place=place,
            printed="under Assumptions 1 and 2 one label each wins more often also where label accuracy "
            "varies",
            compute=fact(_second_sentence),
            note="proved with the first sentence, m odd",
        ),
        *(_steps(*part) for part in STEPS),
        Claim(
            id="004-CJ1-grid",
            place="Conjecture 1 on the grid of appendix A",
            printed="no violation on the 83,345,475 points (five accuracies) of Assumption 1",
            compute=number(65_369 * 50 * 51 // 2, _whole_grid),
            note="the proof's conditions hold at each of these points, in whole numbers, for every odd m and "
            "every n",
        ),
    )


def _two_labels_and_a_coin() -> tuple[str, bool]:
    several, one = exact_comparison(Rivals.correlated(HALF, 1, HALF), LabelAccuracy.of("0.6"), 2, 1)
    return f"two labels on 1 item {several}, one on 2 items {one}", (several, one) == (
        Fraction(2, 5),
        Fraction(9, 25),
    )


def _two_labels_tie_is_wrong() -> tuple[str, bool]:
    """With a tie of two labels taken for a wrong label: right only if both are."""
    rivals, q_b, q_w = Rivals.correlated("0.65", 1, HALF), Fraction(1), Fraction(3, 4)
    both = gap_chances(rivals, LabelAccuracy.of((q_b**2, q_w**2)))[0]
    a, b = gap_chances(rivals, LabelAccuracy.of((q_b, q_w)))
    two = a * a + 2 * a * (1 - a - b)
    told = f"two labels on 1 item {both}, one on 2 items {two}"
    return told, both == Fraction(63, 128) and two == Fraction(11_937, 25_600) and both > two


def _of_its_limits() -> tuple[Claim, ...]:
    place = "Theorem 2, Conjecture 1"
    return (
        Claim(
            id="004-CJ1-even",
            place=place,
            printed="one label each is better for every m > 1",
            verdict="erratum",
            compute=fact(_two_labels_and_a_coin),
            note="odd m >= 3: for m = 2, tied labels decided by a coin, it is false (p_w = p_b^1 = 1/2, "
            "p_b^0 = 1, q = 3/5)",
        ),
        Claim(
            id="004-CJ1-even-wrong",
            place=place,
            printed="one label each is better for every m > 1",
            verdict="erratum",
            compute=fact(_two_labels_tie_is_wrong),
            note="false for m = 2 with tied labels taken for wrong ones, too (p_w = 13/20, p_b^0 = 1, p_b^1 "
            "= 1/2, "
            "q_b = 1, q_w = 3/4)",
        ),
    )


def _adaptive_third_label() -> tuple[str, bool]:
    found = ae.plan(**FIGURE)
    adaptive = float(adaptive_outcomes(Rivals.independent("0.8", "0.01"), 0.8, 1500).win)
    three, one = found.win_probability(3), found.win_probability(1)
    return f"three {three:.5f}, adaptive {adaptive:.5f}, one {one:.5f}", three < adaptive < one


def _adaptive_at_small_margins() -> tuple[str, bool]:
    """Information per label against one label each: (1 + z)^2/(2 + z), z = 2 q (1 - q)."""
    z = [2 * Fraction(k, 1000) * (1 - Fraction(k, 1000)) for k in range(500, 1001)]
    most = max((1 + part) ** 2 / (2 + part) for part in z)
    return f"at most {most} of that of single labels", most == Fraction(9, 10)


def _of_other_designs() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-4-adaptive",
            place="section 4",
            printed="a third label only where two differ could make several labels more competitive",
            compute=fact(_adaptive_third_label),
            note="Figure 1's classifiers, q = .8, 1,500 labels: better than three labels, not than one",
        ),
        Claim(
            id="004-4-adaptive-small",
            place="section 4",
            printed="such labels might compete with single ones (left open)",
            verdict="conditional",
            compute=fact(_adaptive_at_small_margins),
            note="not at small margins: information per label, whatever its accuracy",
        ),
    )
