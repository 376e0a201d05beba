"""Claims of Don't Label Twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb, exp, log, sqrt
from typing import Any

import numpy as np
import sympy as sp
from scipy.stats import binom

import algeval as ae
from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    assumption_2,
    error_rate,
    gap_chances,
    log_outcomes,
    majority_accuracy,
    outcomes,
    smallest_n,
    win_probability,
)
from algeval.budgets.kernel import exact_law, lead_law
from algeval_papers.claims import Claim, fact, numbers, unlike
from algeval_papers.conjecture import admissible, bernstein, exact_comparison, gain, u, vanishes
from algeval_papers.labels_conjecture import conjecture_claims, lemmas, sweep

# --- Section 2, Assumptions 1 and 2, and what is said of them.


HALF = Fraction(1, 2)


def _labels_that_favour_the_worse() -> tuple[str, bool]:
    a, b = map(float, gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of((0.6, 0.95))))
    wins = [float(win_probability(a, b, n)) for n in (100, 1000, 10_000)]
    text = f"E G = {a - b:.4f}; wins with {wins[0]:.3g}, {wins[1]:.3g}, {wins[2]:.3g}"
    return text, a < b and wins[0] > wins[1] > wins[2] and wins[2] < 1e-12


def _spread_where_the_worse_is_right() -> tuple[str, bool]:
    rivals = Rivals(Fraction(2505, 10_000), Fraction(1, 4))
    labels = LabelAccuracy.of(
        {
            "better": {Fraction(3, 4): 1},
            "worse": {HALF + Fraction(1, 10**6): HALF, Fraction(1): HALF},
        }
    )
    several, single = exact_comparison(rivals, labels, 3, 5)
    text = f"three labels on 5 items {float(several):.4f}, one on 15 {float(single):.4f}"
    return text, several > single and not assumption_2(rivals, labels, 3)


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
    text = f"m = 3: all {len(pairs)} pairs of q; m = 5: {len(pairs) - len(fails)} of them"
    return text, met and bool(fails)


def _undefined_quotients() -> tuple[str, bool]:
    n_pairs = int((admissible()[1] == 0).sum())
    return (
        f"0 at {n_pairs:,} of {len(admissible()[1]):,} pairs of classifiers of the grid",
        n_pairs > 0,
    )


def assumptions() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
    return (
        Claim(
            id="004-A1",
            place="section 2, Assumption 1",
            paraphrase="labels much better where only c_w is right can make E G negative, and then the "
            "chance "
            "of a win tends to 0",
            compute=fact(_labels_that_favour_the_worse),
        ),
        Claim(
            id="004-A2-spread",
            place="section 2, before Assumption 2",
            paraphrase="accuracy that varies only where the worse classifier is right can favour majorities",
            compute=fact(_spread_where_the_worse_is_right),
        ),
        Claim(
            id="004-A2-quotient",
            place="(1)",
            paraphrase="Assumption 2 divides by p_w (1 - p_b^1)",
            verdict="wording",
            compute=fact(_undefined_quotients),
            note="the divisor is 0 where p_b^1 = 1; multiply by it instead",
        ),
        Claim(
            id="004-A2-factor",
            place="after (1)",
            paraphrase="the factor (1 - p_w) p_b^0 / (p_w (1 - p_b^1)) is above 1",
            compute=fact(_smallest_factor),
            note="where it is defined",
        ),
        Claim(
            id="004-A2-concave",
            place="after (1)",
            paraphrase="M_3 is more concave the larger its argument above 1/2",
            compute=fact(_loss_by_spread_of_three),
        ),
        Claim(
            id="004-A2-similar",
            place="after (1)",
            paraphrase="for m = 3, like spreads where either classifier is right alone meet Assumption 2",
            compute=fact(_like_spreads_meet_assumption_2),
            note="for m = 5 it is not so: near q = 1 a majority of five hardly loses by a spread",
        ),
    )


# --- Section 2 and appendix B: the gap indicator, the two assumptions, and what is said beside
# them.


PLAIN = Rivals.independent(Fraction(4, 5), Fraction(1, 20))


def setting() -> tuple[Claim, ...]:
    """Claims in the order of the text."""
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
    n_pairs = int((admissible()[0] == 0).sum())
    return (
        f"{n_pairs} of {len(admissible()[0]):,} pairs of classifiers of the grid have p_w = 1",
        n_pairs == 0,
    )


def _listed(m: int, q: Fraction) -> tuple[Fraction, Fraction]:
    """P(G = 1) and P(G = -1), every vector of m labels listed."""
    right = Fraction(0)
    for votes in product((0, 1), repeat=m):
        if 2 * sum(votes) > m:
            right += q ** sum(votes) * (1 - q) ** (m - sum(votes))
    a, b = PLAIN.better_alone, PLAIN.worse_alone
    return a * right + b * (1 - right), a * (1 - right) + b * right


def _majority_is_one_better_label() -> tuple[str, bool]:
    cases = list(product((3, 5, 7), (Fraction(3, 5), Fraction(4, 5))))
    same = all(_listed(m, q) == gap_chances(PLAIN, LabelAccuracy.of(q), m) for m, q in cases)
    chances = gap_chances(PLAIN, LabelAccuracy.of(Fraction(4, 5)), 3)
    return f"P(G = 1) = {chances[0]} at m = 3, q = 4/5 either way", same


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
    text = f"2 items: {float(listed):.5f} listed, {float(two):.5f} with 2 terms, {float(three):.5f} with 3"
    return text, listed == two != three


def _of_the_model() -> tuple[Claim, ...]:
    text = "section 2"
    return (
        Claim(
            id="004-2-risk",
            place=text,
            paraphrase="the better classifier's risk is 1 - p_b - epsilon",
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
            place=text,
            paraphrase="c_b has the smaller risk iff (1 - p_w) p_b^0 + p_w p_b^1 > p_w iff "
            "(1 - p_w) p_b^0 + p_w (p_b^1 - 1) > 0",
            compute=fact(_three_forms_of_better),
        ),
        Claim(
            id="004-2-range",
            place=text,
            paraphrase="p_w from .5 to 1 and a margin above 0 up to 1 - p_w",
            verdict="wording",
            compute=fact(_none_above_a_perfect_one),
            note="at p_w = 1 no margin is left",
        ),
        Claim(
            id="004-2-majority",
            place=text,
            paraphrase="m labels of accuracy q(x) are to G as one label of accuracy M_m(q(x))",
            compute=fact(_majority_is_one_better_label),
        ),
        Claim(
            id="004-2-sum",
            place=text,
            paraphrase="the sum of G over the test is positive iff c_b scores higher on it",
            compute=fact(_lead_in_accuracy_is_the_sum_of_gaps),
        ),
        Claim(
            id="004-2-terms",
            place="section 2, appendices A and C",
            paraphrase="sums of G_i from i = 0 to n stand for a test of n items",
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
    """Chances that the label sides with c_b alone, and with c_w alone, who is right listed."""
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
        computed = gap_chances(Rivals.correlated(p_w, wrong, right), LabelAccuracy.of((q_b, q_w)))
        better, worse = (1 - p_w) * wrong, p_w * (1 - right)
        printed = q_b * better + (1 - q_w) * worse, (1 - q_b) * better + q_w * worse
        if not computed == printed == _siding(p_w, wrong, right, q_b, q_w):
            return f"differ at p_w = {p_w}", False
    return "equal at 32 points, as many as the degrees need", True


def _of_the_parameterisations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-B.1",
            place="Proposition B.1",
            paraphrase="errors independent: G = 1 with chance q e + (1 - p - e) p, -1 with (1 - q) e + "
            "(1 - p - "
            "e) p, "
            "else 0 with p (p + e) + (1 - p - e)(1 - p)",
            compute=fact(_independent_chances),
        ),
        Claim(
            id="004-B.2",
            place="Proposition B.2",
            paraphrase="in general: G = 1 with chance q_b (1 - p_w) p_b^0 + (1 - q_w) p_w (1 - p_b^1), "
            "and -1 "
            "with "
            "q_b and q_w turned round",
            compute=fact(_correlated_chances),
        ),
    )


# --- Figure 1: chances to name the better classifier, by labels per item, label accuracy and
# budget.


FIGURE_RIVALS = Rivals.independent(Fraction(4, 5), Fraction(1, 100))
FIGURE_LABELS = (1, 3, 5, 15)
DIGITS = 1e-9


def figure() -> tuple[Claim, ...]:
    """Claims in the order of the panels."""
    return (
        _whole("a", "at k = 1,500 one label is best at every label accuracy", _every_accuracy),
        *(_point(f"a-{q}", q, 1500) for q in ("0.6", "0.8", "1")),
        _whole("b", "at q = .8 one label is best at every budget", _every_budget),
        *(_point(f"b-{k}", "0.8", k) for k in (150, 6_000, 60_000)),
    )


def _point(name: str, q: str, budget: int) -> Claim:
    return Claim(
        id=f"004-F1{name}",
        place=f"Figure 1{name[0]}",
        paraphrase=f"p = .8, margin .01, q = {q}, {budget:,} labels: chances fall from 1 to 3, 5, 15 "
        "labels an "
        "item "
        "(curves, no numbers printed)",
        compute=fact(lambda: _four_chances(q, budget)),
        tolerance="1e-9, between the integral and a mixture of binomials, whose logarithms round off so much",
    )


def _four_chances(q: str, budget: int) -> tuple[str, bool]:
    best = ae.plan(budget=budget, accuracy="0.8", margin="0.01", label_accuracy=q)
    wins = [best.win_probability(m) for m in FIGURE_LABELS]
    other = [_mixed(q, m, budget // m) for m in FIGURE_LABELS]
    near = max(abs(a - b) for a, b in zip(wins, other, strict=True)) < DIGITS
    text = " > ".join(f"{win:.5f}" for win in wins)
    return text, near and wins == sorted(wins, reverse=True) and best.labels_per_item == 1


def _mixed(q: str, m: int, items: int) -> float:
    """Same chance as a mixture: how many items decide, and how many of these for c_b."""
    a, _ = gap_chances(FIGURE_RIVALS, LabelAccuracy.of(q), m)
    deciding = np.arange(1, items + 1)
    won = binom.sf(deciding // 2, deciding, float(a / FIGURE_RIVALS.disagree))
    return float((binom.pmf(deciding, items, float(FIGURE_RIVALS.disagree)) * won).sum())


def _whole(panel: str, printed: str, compute: Callable[[], tuple[str, bool]]) -> Claim:
    return Claim(
        id=f"004-F1{panel}",
        place=f"Figure 1{panel}",
        paraphrase=printed,
        compute=fact(compute),
        tolerance="1e-12 of the chance, the kernel's rounding",
    )


def _margins(q: np.ndarray, budgets: np.ndarray) -> np.ndarray:
    """By how much one label beats 3, 5 and 15; budgets are multiples of 15."""
    better, worse = float(FIGURE_RIVALS.better_alone), float(FIGURE_RIVALS.worse_alone)

    def win(m: int) -> np.ndarray:
        voted = majority_accuracy(q, m)
        up = better * voted + worse * (1 - voted)
        return np.asarray(outcomes(up, better + worse - up, budgets // m).win)

    return np.array([win(1) - win(m) for m in FIGURE_LABELS[1:]])


def _every_accuracy() -> tuple[str, bool]:
    least = _margins(np.arange(51, 101) / 100, np.full(50, 1500)).min()
    return f"by at least {least:.2g} for q = .51, .52, ..., 1", bool(least > 1e-12)


def _every_budget() -> tuple[str, bool]:
    budgets = np.arange(15, 60_001, 15)
    least = _margins(np.full(budgets.size, 0.8), budgets).min()
    return f"by at least {least:.2g} at {budgets.size:,} budgets up to 60,000", bool(least > 1e-12)


# --- Appendix C.1 up to (5): independent classifiers, and the rise of (3).


def gap(p: str, margin: str, q: str | Fraction, m: int = 1) -> tuple[Fraction, Fraction]:
    """Chances of +1 and -1 for independent classifiers."""
    return gap_chances(Rivals.independent(Fraction(p), Fraction(margin)), LabelAccuracy.of(q), m)


def rate(p: str, margin: str, q: str | Fraction, m: int = 1) -> float:
    """How fast errors die out."""
    return float(error_rate(*map(float, gap(p, margin, q, m))))


def chances(better: Any, worse: Any, q_b: Any, q_w: Any) -> list[Any]:
    """Arrays of the chances of +1 and -1."""
    up = np.clip(better * q_b + worse * (1 - q_w), 0, 1)
    return [up, np.clip(better + worse - up, 0, 1)]


def _products() -> tuple[str, bool]:
    """Whether P(G = 1) P(G = -1) and the rest are as printed, at enough points for the degrees."""
    for p, e, q, m in product(
        ("1/2", "3/5", "7/10"), ("1/20", "1/10"), ("3/5", "4/5", "9/10"), (1, 3)
    ):
        a, b = gap(p, e, Fraction(q), m)
        voted, both = (
            majority_accuracy(Fraction(q), m),
            (1 - Fraction(p) - Fraction(e)) * Fraction(p),
        )
        if a * b != voted * (1 - voted) * Fraction(e) ** 2 + Fraction(e) * both + both**2:
            return f"differ at p = {p}", False
        if 1 - a - b != 1 - Fraction(e) - 2 * both:
            return f"the rest differs at p = {p}", False
    return "equal at 36 points of p, epsilon, q, m", True


def _strictly_below_one() -> tuple[str, bool]:
    better, worse = (part / 1e4 for part in admissible())
    least = min(
        float(np.min(error_rate(*chances(better, worse, q_b, q_w))))
        for q_b, q_w in ((0.51, 0.51), (0.75, 0.6), (1.0, 1.0))
    )
    return f"least rate on the grid {least:.1g}", least > 0


def _coins_tell_nothing() -> tuple[str, bool]:
    rates_of = [rate(p, "0.05", "1/2", m) for p in ("1/2", "0.8", "0.9") for m in (1, 3, 11)]
    return f"rates {max(rates_of):g} for every m", max(map(abs, rates_of)) < 1e-15


def _differences(q: np.ndarray, p: float, margin: float, m: int) -> np.ndarray:
    better, worse = (1 - p) * (p + margin), p * (1 - p - margin)
    single, several = (
        error_rate(*chances(better, worse, voted, voted)) for voted in (q, majority_accuracy(q, m))
    )
    return np.asarray(m * single - several)


def _rising_difference() -> tuple[str, bool]:
    q, least = np.linspace(0.5, 1, 501), np.inf
    for p, margin, m in product((0.5, 0.7, 0.9), (0.01, 0.05, 0.1), (3, 11)):
        least = min(least, float(np.diff(_differences(q, p, margin, m)).min()))
    return f"every step of q = .5, .501, ..., 1 adds at least {least:.1g}", least > 0


def independent() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (
        Claim(
            id="004-C1-product",
            place="C.1",
            paraphrase="P(G = 1) P(G = -1) = M (1 - M) epsilon^2 + epsilon (1 - p - epsilon) p + ((1 - p - "
            "epsilon) p)^2, "
            "and P(G = 0) = 1 - epsilon - 2 p (1 - p - epsilon)",
            compute=fact(_products),
        ),
        Claim(
            id="004-C1-negative",
            place="C.1",
            paraphrase="2 sqrt(x y) + z < 1 wherever E G > 0",
            compute=fact(_strictly_below_one),
        ),
        Claim(
            id="004-C1-start",
            place="C.1",
            paraphrase="(2), strict, holds at q = 1/2, as both sides differ by the factor m",
            verdict="erratum",
            compute=fact(_coins_tell_nothing),
            tolerance="1e-15, rounding",
            note="both sides are 0 there: equality, from which a strict rise in q (004-C1-rising) still "
            "proves (2)",
        ),
        Claim(
            id="004-C1-rising",
            place="C.1, (3) to (5)",
            paraphrase="the left side of (3) rises with q",
            compute=fact(_rising_difference),
            tolerance="steps of .001 in q at 18 choices of p, epsilon, m",
            note="with 1 - epsilon - 2 p (1 - p - epsilon) outside the root, as in the display "
            "before (3); the "
            "text we read has it inside in (3)",
        ),
    )


# --- Appendix C up to (4): large deviations, Lemma C.1, and the rates of independent classifiers.


def rates() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_large_deviations(), *_of_one_half(), *independent())


def _slopes_above_their_limit() -> tuple[str, bool]:
    """Compare -log(1 - P)/n with its limit at (p, margin, q) = (.8, .1, .8)."""
    a, b = map(float, gap("0.8", "0.1", "0.8"))
    rate, slopes = float(error_rate(a, b)), []
    for n in (1, 10, 100, 1000, 10**4, 10**5, 10**6):
        law = log_outcomes(a, b, n)
        slopes.append(-float(np.logaddexp(law.tie, law.loss)) / n)
    text = (
        f"{slopes[2]:.7f}, {slopes[5]:.8f}, {slopes[6]:.9f} at n = 100, 1e5, 1e6; limit {rate:.8f}"
    )
    return text, slopes == sorted(slopes, reverse=True) and 0 < slopes[-1] - rate < 1e-5


def _lemma_c_1() -> tuple[str, bool]:
    """Compare with the least of x e^t + y e^-t + z over t, x and y being the chances of 1 and -1 of -G."""
    worst, t = 0.0, np.linspace(-6, 6, 240_001)
    for x, y in ((0.04, 0.16), (0.1, 0.3), (0.01, 0.7), (0.2, 0.21)):
        least = float(np.log(x * np.exp(t) + y * np.exp(-t) + 1 - x - y).min())
        worst = max(worst, abs(least + float(error_rate(y, x))))
    exact = abs(float(error_rate(0.16, 0.04)) + log(24 / 25))
    return f"log(24/25) at 4/25, 1/25; elsewhere off by {worst:.1g}", max(worst, exact) < 1e-8


def _rates_of_sums_add() -> tuple[str, bool]:
    """Whether the law of the sum of n, at its least exponential moment, gives n times the rate."""
    worst = 0.0
    for (a, b), n in product(((0.16, 0.04), (0.3, 0.25), (0.5, 0.01)), (2, 7, 30)):
        law = lead_law(a, b, n)
        t = 0.5 * log(a / b)
        moment = float((law * np.exp(-t * np.arange(-n, n + 1))).sum())
        worst = max(worst, abs(log(moment) + n * float(error_rate(a, b))))
    return f"off by at most {worst:.1g}", worst < 1e-10


def _never_worse() -> tuple[str, bool]:
    """Take x = 0: labels that are sure, a better classifier that always is right."""
    a, b = gap("0.7", "0.3", "1")
    chances = [1 - exact_law(a, b, n).win for n in (1, 2, 5)]
    text = f"P(G = -1) = {b}; 1 - P = {', '.join(map(str, chances))}: powers of 7/10"
    right = chances == [Fraction(7, 10) ** n for n in (1, 2, 5)]
    return text, right and abs(float(error_rate(float(a), 0.0)) + log(0.7)) < 1e-14


@cache
def _sampled_rates() -> tuple[float, float]:
    """Largest of log rho_m / (m log rho) on the grid of Assumption 1, for m = 3 and 11."""
    rng, differences = np.random.default_rng(4), []
    better, worse = (part / 1e4 for part in admissible())
    pair = rng.integers(better.size, size=200_000)
    low, high = np.tril_indices(50)
    positions = rng.integers(low.size, size=200_000)
    labels = (0.51 + low[positions] / 100, 0.51 + high[positions] / 100)
    for m in (3, 11):
        single, several = (
            error_rate(
                *chances(better[pair], worse[pair], *(majority_accuracy(q, k) for q in labels))
            )
            for k in (1, m)
        )
        differences.append(float((several / (m * single)).max()))
    return differences[0], differences[1]


def _theorem_2() -> tuple[str, bool]:
    three, eleven = _sampled_rates()
    text = f"rate of m labels over m times that of one: at most {three:.4f} (m = 3), {eleven:.4f} (m = 11)"
    return text, max(three, eleven) < 1


def _of_large_deviations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-T2",
            place="Theorem 2 (and 1), by (2)",
            paraphrase="under Assumption 1 errors die out faster with one label each than with "
            "majorities of m",
            compute=fact(_theorem_2),
            tolerance="200,000 points of the grid for each m, seeded; rates to 1e-15",
            note="the proof of Conjecture 1 gives it for every size of the test: 004-CJ1",
        ),
        Claim(
            id="004-Cramer",
            place="appendix C, Cramer's theorem",
            paraphrase="the exponential of the rate bounds the error at every n and is its limit per item",
            compute=fact(_slopes_above_their_limit),
            tolerance="1e-5 at n = 1,000,000: the error also falls like n^-1/2",
        ),
        Claim(
            id="004-C.1",
            place="Lemma C.1",
            paraphrase="for a variable of 1, -1, 0 with chances x, y, z the rate is -log(2 sqrt(x y) + z)",
            compute=fact(_lemma_c_1),
            tolerance="1e-8, the least on a grid of t",
        ),
        Claim(
            id="004-C.1-sums",
            place="Lemma C.1",
            paraphrase="the rate of a sum of n is n times that of one",
            compute=fact(_rates_of_sums_add),
            tolerance="1e-10, rounding",
        ),
        Claim(
            id="004-C.1-zero",
            place="Lemma C.1, proof",
            paraphrase="the least is at t = log(y/x)/2",
            verdict="conditional",
            compute=fact(_never_worse),
            note="where x > 0; at x = 0 (q = 1, p + epsilon = 1) no t is best, and the formula stands as a "
            "limit",
        ),
    )


def _root(m: sp.Expr, e: sp.Expr) -> sp.Expr:
    return (m * (1 - m) - sp.Rational(1, 4)) * e**2 + sp.Rational(1, 16)


def _rate_at_one_half() -> tuple[str, bool]:
    """Compare the rate at p = 1/2, margin 1/10, M = 4/5 with what is printed and corrected."""
    inside = float(_root(sp.Rational(4, 5), sp.Rational(1, 10)))
    computed = exp(-rate("1/2", "1/10", "4/5"))
    corrected, printed = 2 * sqrt(inside) + 0.5, 2 * sqrt(inside + 0.5)
    text = f"{computed:.7f}; with 1/2 outside the root {corrected:.7f}, inside {printed:.4f}"
    return text, abs(computed - corrected) < 1e-14 and printed > 1


def _expansion_at_one_half() -> tuple[str, bool]:
    m, e, n = sp.symbols("M epsilon n", positive=True)
    series = sp.series((2 * sp.sqrt(_root(m, e)) + sp.Rational(1, 2)) ** n, e, 0, 3).removeO()
    second = sp.expand(series.coeff(e, 2))
    right = vanishes(second - n * (4 * m * (1 - m) - 1))
    return f"coefficient of epsilon^2: {sp.factor(second)}", right and second.subs(m, 1) == -n


def _needed(q: str, margin: str) -> int:
    a, b = map(float, gap("1/2", margin, q))
    return smallest_n(a, b, 0.9)


def _tests_grow_with_the_margins_inverse_square() -> list[float]:
    n_items = [_needed("1", margin) for margin in ("0.1", "0.05", "0.025", "0.0125")]
    return [later / first for first, later in pairwise(n_items)]


def _tests_explode() -> tuple[str, bool]:
    n_items = [_needed(q, "0.1") for q in ("0.9", "0.6", "0.55", "0.51")]
    text = ", ".join(f"{n:,}" for n in n_items)
    return f"{text} items for .9 at q = .9, .6, .55, .51", n_items == sorted(n_items) and n_items[
        -1
    ] > 1e4


def _of_one_half() -> tuple[Claim, ...]:
    text = "C.1, p = 1/2"
    return (
        Claim(
            id="004-C1-root",
            place=text,
            paraphrase="the rate has 2 sqrt((M (1 - M) - 1/4) epsilon^2 + 1/16 + 1/2)",
            verdict="erratum",
            machine_read=True,
            compute=fact(_rate_at_one_half),
            note="1/2 is added to twice the root; inside it, errors would grow",
        ),
        Claim(
            id="004-C1-taylor",
            place=text,
            paraphrase="the error rate is about 1 + (4 (M (1 - M) - 1)) n epsilon^2",
            verdict="erratum",
            compute=fact(_expansion_at_one_half),
            note="1 + (4 M (1 - M) - 1) n epsilon^2, which at M = 1 is 1 - n epsilon^2, as the text goes on",
        ),
        Claim(
            id="004-C1-square",
            place=text,
            paraphrase="with sure labels the items needed grow like 1/epsilon^2",
            compute=numbers([4, 4, 4], _tests_grow_with_the_margins_inverse_square, tolerance=0.2),
            tolerance=".2: items needed for .9 at margins .1, .05, .025, .0125, lower orders left out",
        ),
        Claim(
            id="004-C1-quarter",
            place=text,
            paraphrase="M (1 - M) approaches 4 as q goes to 1/2",
            verdict="erratum",
            machine_read=True,
            compute=unlike(
                4,
                Fraction(1, 4),
                lambda: (
                    majority_accuracy(Fraction(1, 2), 3)
                    * (1 - majority_accuracy(Fraction(1, 2), 3))
                ),
            ),
            note="4 M (1 - M) - 1 then goes to 0",
        ),
        Claim(
            id="004-C1-explodes",
            place=text,
            paraphrase="the samples needed explode as q goes to 1/2",
            compute=fact(_tests_explode),
        ),
    )


# --- Appendix C.3: labels that err with the classifiers, and labels whose accuracy varies.


A, B, Q, D, M = sp.symbols("A B q delta M")
RIVALS = Rivals.correlated(Fraction(7, 10), Fraction(4, 5), Fraction(9, 10))
LABELS = (3, 5, 9)


def correlated_labels() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_slopes(), *_of_the_end())


def up_and_down(q_b: Fraction, q_w: Fraction, m: int = 1) -> tuple[Fraction, Fraction]:
    """Chances of +1 and -1 for one pair of classifiers."""
    return gap_chances(RIVALS, LabelAccuracy.of((q_b, q_w)), m)


def _voted(q: sp.Expr, m: int) -> sp.Expr:
    return sum(comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(m // 2 + 1, m + 1))


def _slope_of_g() -> tuple[str, bool]:
    both = (A * (Q + D) + B * (1 - Q)) * (A * (1 - Q - D) + B * Q)
    printed = A**2 * (1 - 2 * (Q + D)) - A * B * (1 - 2 * Q)
    return "c_1 (1 - 2 (q + delta)) - c_2 (1 - 2q)", vanishes(sp.diff(both, D) - printed)


def _slope_of_f() -> tuple[str, bool]:
    """Compare d f*/d delta with its last line, and with the lines above in which delta has the other sign."""
    for m in (3, 5):
        more, here, r = _voted(Q + D, m), _voted(Q, m), m // 2
        f = A**2 * more * (1 - more) + A * B * (here * more + (1 - here) * (1 - more))
        scale = m * comb(m - 1, r) * (Q + D) ** r
        inner, cross = A**2 * (1 - 2 * more), A * B * (2 * here - 1)
        at = {A: 2, B: 1, Q: sp.Rational(3, 5), D: sp.Rational(1, 10)}
        right = scale * (inner + cross) * (1 - Q - D) ** r
        printed = scale * (inner * (1 - Q - D) ** r + cross * (1 - Q + D) ** r)
        slope = sp.diff(f, D)
        if not vanishes(slope - right) or slope.subs(at) == printed.subs(at):
            return f"differs at m = {m}", False
    return "(1 - q - delta)^((m - 1)/2) in every term, m = 3, 5", True


def _signs_in_delta() -> tuple[str, bool]:
    products = [
        a * b
        for a, b in (
            up_and_down(Fraction(3, 5) + d, Fraction(3, 5)) for d in (Fraction(0), Fraction(1, 100))
        )
    ]
    text = f"g* = {float(products[0]):.6f}, and {float(products[1]):.6f} at delta = .01"
    return text, products[0] > products[1] > 0


def _ordered_constants() -> tuple[str, bool]:
    better, worse = admissible()
    least = int((better * (better - worse)).min())
    return f"c_1 - c_2 = A (A - B), at least {least / 1e8:g} on the grid", least > 0


def _falling_gain() -> tuple[str, bool]:
    coefficients = [
        c for m in range(3, 20, 2) for c in sp.Poly(sp.diff(gain(m), u), u).all_coeffs()
    ]
    return "1 + 2 sigma grows with q (1 - q), m up to 19: no negative coefficient", min(
        coefficients
    ) > 0


def _equation_17() -> tuple[str, bool]:
    """Both sides are (1 + product of leads)/2, and leads 2q - 1 grow to 2M - 1."""
    r = sp.Symbol("r")
    same = vanishes(Q * r + (1 - Q) * (1 - r) - (1 + (2 * Q - 1) * (2 * r - 1)) / 2)
    grid = [Fraction(k, 50) for k in range(25, 51)]
    grown = all(majority_accuracy(q, m) >= q for q in grid for m in LABELS)
    return "q r + (1 - q)(1 - r) = (1 + (2q - 1)(2r - 1))/2, and M >= q", same and grown


def _concave() -> tuple[str, bool]:
    for m in range(3, 20, 2):
        curve = sp.Poly(sp.diff(_voted(Q, m), Q, 2), Q).as_expr()
        if max(bernstein(curve, Q, Fraction(1, 2), Fraction(1))) > 0:
            return f"not decided at m = {m}", False
    return "M'' <= 0 on [1/2, 1] by Bernstein, m up to 19", True


def _falling_quotient() -> tuple[str, bool]:
    """M (1 - M)/u grows with u: u (M (1 - M))' - M (1 - M), divided by powers of u, is never negative."""
    for m in range(3, 14, 2):
        doubt = sp.expand((1 - (1 - 4 * u) * gain(m) ** 2) / 4)
        polynomial = sp.expand(sp.cancel((u * sp.diff(doubt, u) - doubt) / u ** (m // 2 + 1)))
        if min(bernstein(polynomial, u, Fraction(0), Fraction(1, 4))) < 0:
            return f"fails at m = {m}", False
    return "rises with q (1 - q) by Bernstein, m up to 13", True


def _rising_in_delta() -> tuple[str, bool]:
    """Whether m rate_1 - rate_m rises with delta, on q = .51, .6, .75 and steps of .01."""
    least, better, worse = np.inf, float(RIVALS.better_alone), float(RIVALS.worse_alone)
    for q, m in product((0.51, 0.6, 0.75), (3, 11)):
        q_b = np.arange(q, 1.0, 0.01)
        rates = []
        for k in (1, m):
            v, w = majority_accuracy(q_b, k), majority_accuracy(q, k)
            up = better * v + worse * (1 - w)
            rates.append(error_rate(up, better + worse - up))
        least = min(least, float(np.diff(m * rates[0] - rates[1]).min()))
    return f"every step of .01 in delta adds at least {least:.1g}", least > 0


def _of_slopes() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C3-g",
            place="C.3",
            paraphrase="g*' = c_1 (1 - 2 (q + delta)) - c_2 (1 - 2q)",
            compute=fact(_slope_of_g),
        ),
        Claim(
            id="004-C3-f",
            place="C.3",
            paraphrase="f*' with (1 - q + delta)^((m - 1)/2) in the two terms of c_2",
            verdict="erratum",
            machine_read=True,
            compute=fact(_slope_of_f),
            note="the last line of the same display has it right",
        ),
        Claim(
            id="004-C3-c1",
            place="C.3",
            paraphrase="c_1 > c_2",
            compute=fact(_ordered_constants),
        ),
        Claim(
            id="004-C3-signs",
            place="C.3",
            paraphrase="f* and g*, products of two chances, are negative",
            verdict="erratum",
            machine_read=True,
            compute=fact(_signs_in_delta),
            note="their slopes in delta are",
        ),
        Claim(
            id="004-C3-sigma",
            place="C.3, after Lemma C.5",
            paraphrase="sigma falls as its argument grows above 1/2",
            compute=fact(_falling_gain),
        ),
        Claim(
            id="004-17",
            place="(17)",
            paraphrase="q (q + delta) + (1 - q)(1 - q - delta) <= the same of M_m(q), M_m(q + delta)",
            compute=fact(_equation_17),
            note="shorter than by convexity in delta",
        ),
        Claim(
            id="004-C3-concave",
            place="C.3, after (17)",
            paraphrase="M_m is concave above 1/2",
            compute=fact(_concave),
        ),
        Claim(
            id="004-19",
            place="(18), (19)",
            paraphrase="M (1 - M) / (x (1 - x)) falls as x grows above 1/2",
            compute=fact(_falling_quotient),
        ),
        Claim(
            id="004-C3-rising",
            place="C.3, (15) to (19)",
            paraphrase="the difference of the rates rises with delta = q_b - q_w",
            compute=fact(_rising_in_delta),
            tolerance="steps of .01 in delta at six choices of q, m and one pair of classifiers",
        ),
    )


def _dominance() -> tuple[str, bool]:
    """Labels that vary under Assumption 2: P(G = 1) with m of them is at most that of their means."""
    labels = LabelAccuracy.of(
        {
            "better": {Fraction(3, 5): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
            "worse": {Fraction(4, 5): 1},
        }
    )
    apart = [gap_chances(RIVALS, labels, m)[0] for m in LABELS]
    alike = [up_and_down(Fraction(4, 5), Fraction(4, 5), m)[0] for m in LABELS]
    text = ", ".join(f"{float(a):.4f} < {float(b):.4f}" for a, b in zip(apart, alike, strict=True))
    return f"m = 3, 5, 9: {text}", all(a < b for a, b in zip(apart, alike, strict=True))


def _last_display() -> tuple[str, bool]:
    """Compare with P(G = 1): A M_b - B M_w differs from it by B, the printed next line not so."""
    right, left = sp.symbols("M_b M_w")
    chance, before = A * right + B * (1 - left), A * right - B * left
    printed = A * right - B * (1 - left)
    same = vanishes(chance - before - B)
    return "A M_b + B (1 - M_w) = A M_b - B M_w + B", same and sp.diff(printed - before, left) != 0


def _of_the_end() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C3-dominance",
            place="C.3, end",
            paraphrase="under Assumption 2, P(G = 1) with m labels is no larger if accuracy varies",
            compute=fact(_dominance),
        ),
        Claim(
            id="004-C3-last",
            place="C.3, last display",
            paraphrase="A M_b - B M_w becomes A M_b - B (1 - M_w) on both sides (A = (1 - p_w) p_b^0, B "
            "= p_w "
            "(1 - p_b^1))",
            verdict="erratum",
            compute=fact(_last_display),
            note="A M_b + B (1 - M_w), which is P(G = 1)",
        ),
    )


# --- Appendix C.2: classifiers that err together.


def correlated() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_correlated_classifiers(), *correlated_labels())


def _expectation() -> tuple[str, bool]:
    for q, m in product((Fraction(3, 5), Fraction(4, 5), Fraction(1)), (1, 3)):
        a, b = up_and_down(q, q, m)
        voted = majority_accuracy(q, m)
        apart = RIVALS.better_alone - RIVALS.worse_alone
        if a - b != (2 * voted - 1) * apart or not a > b:
            return f"differs at q = {q}", False
    return (
        f"E G = (2q - 1) {RIVALS.better_alone - RIVALS.worse_alone} at one pair of classifiers",
        True,
    )


def _rest_is_constant() -> tuple[str, bool]:
    labels = (Fraction(51, 100), Fraction(3, 5), Fraction(4, 5), Fraction(1))
    rests = {1 - sum(up_and_down(q_b, q_w, m)) for q_b, q_w, m in product(labels, labels, (1, 3))}
    return f"P(G = 0) = {', '.join(map(str, rests))} for every q_b, q_w, m", rests == {
        1 - RIVALS.disagree
    }


def _power_of_c_2() -> tuple[str, bool]:
    """Expand P(G = 1) P(G = -1) with c_1 = A^2, c_2 = c_3 = AB, c_4 = B^2."""
    both = (A * Q + B * (1 - Q)) * (A * (1 - Q) + B * Q)
    rest = Q * (1 - Q) * (A**2 + B**2) + (1 - Q) ** 2 * A * B
    holds = [vanishes(both - rest - Q**power * A * B) for power in (1, 2)]
    return "the product is q (1-q) c_1 + q^2 c_2 + (1-q)^2 c_3 + q (1-q) c_4", holds == [
        False,
        True,
    ]


def _sign_of_lambda() -> tuple[str, bool]:
    """Compare signs: the Legendre transform at 0 is not negative, the logarithm of rho is."""
    rate_of = float(error_rate(*map(float, up_and_down(Fraction(4, 5), Fraction(4, 5)))))
    return f"Lambda* = {rate_of:.4g} per item, m log(...) = -{rate_of:.4g} m", rate_of > 0


def _form_of_f() -> tuple[str, bool]:
    printed = (A**2 + B**2 - 2 * A * B) * M * (1 - M) + A * B
    both = (A * M + B * (1 - M)) * (A * (1 - M) + B * M)
    return "(A - B)^2 M (1 - M) + AB, which is P(G = 1) P(G = -1)", vanishes(both - printed)


def _first_constant() -> tuple[str, bool]:
    better, worse = admissible()
    least = int(((better - worse) ** 2).min())
    return f"c_1 + c_4 - 2 c_2 = (A - B)^2, at least {least / 1e8:g} on the grid", least > 0


def _second_constant() -> tuple[str, bool]:
    better, worse = admissible()
    n_pairs = int((better * worse == 0).sum())
    return f"AB = 0 at {n_pairs:,} of {better.size:,} pairs of classifiers of the grid", n_pairs > 0


def _of_correlated_classifiers() -> tuple[Claim, ...]:
    text = "C.2"
    return (
        Claim(
            id="004-C2-mean",
            place=text,
            paraphrase="E G = (2q - 1)((1 - p_w) p_b^0 + p_w (p_b^1 - 1)) > 0",
            compute=fact(_expectation),
        ),
        Claim(
            id="004-C2-rest",
            place="C.2 and C.3",
            paraphrase="P(G = 0) depends neither on q_b, q_w nor on their difference",
            compute=fact(_rest_is_constant),
        ),
        Claim(
            id="004-C2-power",
            place=text,
            paraphrase="under the root q (1 - q) c_1 + q c_2 + (1 - q)(1 - q) c_3 + (1 - q) q c_4",
            verdict="erratum",
            machine_read=True,
            compute=fact(_power_of_c_2),
            note="q^2 c_2; with q c_2 the chances multiply wrongly",
        ),
        Claim(
            id="004-C2-sign",
            place="C.2, and C.3",
            paraphrase="Lambda_X*(0) = m log(...), and -Lambda_X*(0) = m log(...) in C.3",
            verdict="erratum",
            machine_read=True,
            compute=fact(_sign_of_lambda),
            note="the minus is missing in C.2, and in both the prime: it is -Lambda_X'*(0), of sums of m",
        ),
        Claim(
            id="004-C2-form",
            place=text,
            paraphrase="f* = (c_1 + c_4 - 2 c_2) M (1 - M) + c_2, and g* with q for M",
            compute=fact(_form_of_f),
        ),
        Claim(
            id="004-C2-d1",
            place=text,
            paraphrase="c_1 + c_4 - 2 c_2 > 0",
            compute=fact(_first_constant),
            note="strict, as A is above B; the means alone give >= 0",
        ),
        Claim(
            id="004-C2-d2",
            place=text,
            paraphrase="c_2 > 0",
            verdict="conditional",
            compute=fact(_second_constant),
            note="0 where p_b^1 = 1; the argument needs only c_2 >= 0",
        ),
    )


# --- All of them, those on the conjecture included.


def claims() -> tuple[Claim, ...]:
    """Claims in the order of the paper."""
    return (
        *setting(),
        *figure(),
        *conjecture_claims(),
        *sweep(),
        *rates(),
        *lemmas(),
        *correlated(),
    )
