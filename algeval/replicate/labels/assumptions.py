"""Section 2, Assumptions 1 and 2, and what is said of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    assumption_2,
    gap_chances,
    majority_accuracy,
    win_probability,
)
from algeval.budgets.conjecture import exact_comparison
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["assumptions"]

HALF = Fraction(1, 2)


def _labels_that_favour_the_worse() -> tuple[str, bool]:
    a, b = map(float, gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of((0.6, 0.95))))
    wins = [float(win_probability(a, b, n)) for n in (100, 1000, 10_000)]
    told = f"E G = {a - b:.4f}; wins with {wins[0]:.3g}, {wins[1]:.3g}, {wins[2]:.3g}"
    return told, a < b and wins[0] > wins[1] > wins[2] and wins[2] < 1e-12


def _spread_where_the_worse_is_right() -> tuple[str, bool]:
    rivals = Rivals(Fraction(2505, 10_000), Fraction(1, 4))
    labels = LabelAccuracy.of(
        {
            "better": {Fraction(3, 4): 1},
            "worse": {HALF + Fraction(1, 10**6): HALF, Fraction(1): HALF},
        }
    )
    several, one = exact_comparison(rivals, labels, 3, 5)
    told = f"three labels on 5 items {float(several):.4f}, one on 15 {float(one):.4f}"
    return told, several > one and not assumption_2(rivals, labels, 3)


def _smallest_factor() -> tuple[str, bool]:
    better, worse = admissible()
    ratios = better[worse > 0] / worse[worse > 0]
    return f"smallest on the grid {ratios.min():.5f}", bool((better > worse).all())


def _loss_by_spread_of_three() -> tuple[str, bool]:
    """Whether M_3 loses 3 d^2 (2q - 1) when q becomes q - d or q + d: degree 3 in q, 2 in d."""
    for q, d in product(
        (Fraction(3, 5), Fraction(13, 20), Fraction(7, 10), Fraction(3, 4)),
        (Fraction(1, 100), Fraction(1, 50), Fraction(1, 20)),
    ):
        ends = (majority_accuracy(q - d, 3) + majority_accuracy(q + d, 3)) / 2
        if majority_accuracy(q, 3) - ends != 3 * d**2 * (2 * q - 1):
            return "differs", False
    return "a spread of d costs M_3 3 d^2 (2q - 1), the more the larger q", True


def _like_spread(q_b: Fraction, q_w: Fraction, d: Fraction, m: int) -> bool:
    rivals = Rivals(Fraction(2505, 10_000), Fraction(1, 4))
    parts = {name: {q - d: HALF, q + d: HALF} for name, q in (("better", q_b), ("worse", q_w))}
    return assumption_2(rivals, LabelAccuracy.of(parts), m)


def _like_spreads_meet_assumption_2() -> tuple[str, bool]:
    grid = [Fraction(k, 100) for k in range(55, 98, 6)]
    pairs = [(q_b, q_w) for q_b in grid for q_w in grid if q_b >= q_w]
    met = all(_like_spread(*pair, Fraction(3, 100), 3) for pair in pairs)
    fails = [pair for pair in pairs if not _like_spread(*pair, Fraction(3, 100), 5)]
    told = f"m = 3: all {len(pairs)} pairs of q; m = 5: {len(pairs) - len(fails)} of them"
    return told, met and bool(fails)


def _undefined_quotients() -> tuple[str, bool]:
    found = int((admissible()[1] == 0).sum())
    return f"0 at {found:,} of {len(admissible()[1]):,} pairs of classifiers of the grid", found > 0


def assumptions() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="004-A1",
            place="section 2, Assumption 1",
            printed="labels much better where only c_w is right can make E G negative, and then the chance "
            "of a win tends to 0",
            compute=fact(_labels_that_favour_the_worse),
        ),
        Claim(
            id="004-A2-spread",
            place="section 2, before Assumption 2",
            printed="accuracy that varies only where the worse classifier is right can favour majorities",
            compute=fact(_spread_where_the_worse_is_right),
        ),
        Claim(
            id="004-A2-quotient",
            place="(1)",
            printed="Assumption 2 divides by p_w (1 - p_b^1)",
            verdict="wording",
            compute=fact(_undefined_quotients),
            note="the divisor is 0 where p_b^1 = 1; multiply by it instead",
        ),
        Claim(
            id="004-A2-factor",
            place="after (1)",
            printed="the factor (1 - p_w) p_b^0 / (p_w (1 - p_b^1)) is above 1",
            compute=fact(_smallest_factor),
            note="where it is defined",
        ),
        Claim(
            id="004-A2-concave",
            place="after (1)",
            printed="M_3 is more concave the larger its argument above 1/2",
            compute=fact(_loss_by_spread_of_three),
        ),
        Claim(
            id="004-A2-similar",
            place="after (1)",
            printed="for m = 3, like spreads where either classifier is right alone meet Assumption 2",
            compute=fact(_like_spreads_meet_assumption_2),
            note="for m = 5 it is not so: near q = 1 a majority of five hardly loses by a spread",
        ),
    )
