"""Claims of Don't Label Twice on its conjecture: what is proved, the sweep, the lemmas."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, isqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from scipy.special import gammaln, xlog1py, xlogy

import algeval as ae
from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    adaptive_outcomes,
    assumption_1,
    assumption_2,
    log_outcomes,
    majority_accuracy,
    majority_gain,
    smallest_n,
    win_probability,
)
from algeval.budgets.kernel import by_squaring, certified_law
from algeval.budgets.model import gap_chances
from algeval_papers import conjecture
from algeval_papers.claims import Claim, fact, number
from algeval_papers.conjecture import (
    GRID_LABELS,
    ITEMS,
    admissible,
    bernstein,
    count_proved,
    error,
    exact_comparison,
    gain,
    u,
    vanishes,
    x,
)
from algeval_papers.conjecture import sweep as slices

# --- Appendix C.1 from (6) to (14): the inequalities on majorities.


LABELS = range(3, 14, 2)


def proved(*names: str) -> tuple[str, bool]:
    """Prove statements of the label budgets by machine; say how many, and which are whole."""
    statements = list(conjecture.lemmas(names))
    whole = sum(lemma.complete for lemma in statements)
    rest = "" if whole == len(statements) else ", the others up to 16 votes or 19 labels"
    text = f"{len(statements)} statements proved, {whole} of them for every size{rest}"
    return text, len(statements) == len(names) and all(lemma.holds for lemma in statements)


def _in_u(of: Callable[[int], Any], power: Callable[[int], int]) -> tuple[str, bool]:
    """Whether polynomials in u = q (1 - q) have no negative Bernstein coefficient on [0, 1/4]."""
    for m in LABELS:
        lowered = sp.expand(sp.cancel(of(m) / u ** power(m)))
        if min(bernstein(lowered, u, Fraction(0), Fraction(1, 4))) < 0:
            return f"fails at m = {m}", False
    return "no negative Bernstein coefficient in q (1 - q), m up to 13", True


def _top(m: int) -> Any:
    return comb(m - 1, m // 2) * u ** (m // 2)


def _equation_9() -> tuple[str, bool]:
    return "no negative Bernstein coefficient in q (1 - q), m up to 19", proved("(9)")[1]


def _equation_10() -> tuple[str, bool]:
    """Slopes in u, which falls as q grows: that of the left side is at most that of the right."""
    return _in_u(
        lambda m: m * _top(m) * gain(m) - sp.diff(u * _top(m) * gain(m), u), lambda m: m // 2
    )


def _equation_11() -> tuple[str, bool]:
    """Divided by 1 - 2q < 0: (m + 1)/2 w + u w' <= m w."""
    return _in_u(
        lambda m: (m - sp.Rational(m + 1, 2)) * gain(m) - u * sp.diff(gain(m), u), lambda m: 0
    )


def _equation_12() -> tuple[str, bool]:
    """Whether the sum in (12) is u sigma', and (m - 1)/2 (1 + 2 sigma) at least twice it."""
    for m in LABELS:
        odd = range(1, m - 1, 2)
        total = sum(
            sp.Rational(k + 1, 2) * comb(k, (k + 1) // 2) * u ** ((k + 1) // 2) for k in odd
        )
        if not vanishes(2 * total - u * sp.diff(gain(m), u)):
            return f"differs at m = {m}", False
        rest = sp.Poly(sp.expand(sp.Rational(m - 1, 2) * gain(m) - 2 * total), u)
        if min(rest.all_coeffs()) < 0:
            return f"fails at m = {m}", False
    return "difference with no negative coefficient in q (1 - q), m up to 13", True


def _equation_14() -> tuple[str, bool]:
    least = min(
        majority_gain(q, m) - 1
        for m in LABELS
        for q in (Fraction(1, 2), Fraction(3, 4), Fraction(99, 100))
    )
    return f"2 sigma from {float(least):.3g} up, so 2 sigma / (1 + 2 sigma) < 1", least > 0


def _near_one() -> tuple[str, bool]:
    parts = []
    for q in (Fraction(999, 1000), Fraction(999_999, 1_000_000)):
        v, m = q * (1 - q), majority_accuracy(q, 5)
        parts.append((majority_gain(q, 5) * comb(4, 2) * v**3, m * (1 - m)))
    text = f"{float(parts[1][0]):.2g} and {float(parts[1][1]):.2g} at q = .999999, m = 5"
    return text, all(0 < late < early for early, late in zip(*parts, strict=True))


def inequalities() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (
        Claim(
            id="004-9",
            place="(6) to (9)",
            paraphrase="(1 + 2 sigma) C(m - 1, (m - 1)/2) (q (1 - q))^((m + 1)/2) <= M (1 - M)",
            compute=fact(_equation_9),
            note="for every odd m by integrals: chapter on majorities, where the reverse is bounded too",
        ),
        Claim(
            id="004-9-end",
            place="after (9)",
            paraphrase="both sides tend to 0 from above as q goes to 1",
            compute=fact(_near_one),
        ),
        Claim(
            id="004-10",
            place="(10)",
            paraphrase="the slope in q of the left side of (9) is at least that of the right side",
            compute=fact(_equation_10),
        ),
        Claim(
            id="004-11",
            place="(11)",
            paraphrase="(1 + 2 sigma) (m + 1)/2 (1 - 2q) + 2 q (1 - q) sigma' >= m (1 - 2 M)",
            compute=fact(_equation_11),
        ),
        Claim(
            id="004-12",
            place="(12)",
            paraphrase="(m - 1)/2 >= 2/(1 + 2 sigma) times the sum of (k + 1)/2 C(k, (k + 1)/2) (q (1 - "
            "q))^((k "
            "+ 1)/2)",
            compute=fact(_equation_12),
        ),
        Claim(
            id="004-13",
            place="C.1",
            paraphrase="equations numbered (12), then (14)",
            verdict="wording",
            note="there is no (13), and nothing refers to it",
        ),
        Claim(
            id="004-14",
            place="(14)",
            paraphrase="(m - 1)/2 >= (m - 1)/2 times 2 sigma / (1 + 2 sigma)",
            compute=fact(_equation_14),
        ),
    )


# --- Conjecture 1, now proved, and the limitations of section 4.


HALF = Fraction(1, 2)
FIGURE: dict[str, Any] = {
    "budget": 1500,
    "accuracy": "0.8",
    "margin": "0.01",
    "label_accuracy": "0.8",
}


def conjecture_claims() -> tuple[Claim, ...]:
    """Claims in the order of section 4."""
    return (*_of_the_limitations(), *_of_the_conjecture(), *_of_its_limits(), *_of_other_designs())


def _items_that_cost() -> tuple[str, bool]:
    wins = {cost: ae.plan(**FIGURE, item_cost=cost) for cost in (0, 2, 3, 5)}
    text = ", ".join(f"{best.labels_per_item} at {cost}" for cost, best in wins.items())
    numbers_of_labels = [best.labels_per_item for best in wins.values()]
    return f"best number of labels by an item's cost in labels: {text}", numbers_of_labels == [
        1,
        1,
        3,
        3,
    ]


def _cost_from_which_three_pay() -> tuple[str, bool]:
    """Small margins: (3 - g^2)/(g^2 - 1) with g how much steeper a majority of three is than one label."""
    least_cost = {}
    for q in ("0.55", "0.6", "0.7", "0.8", "0.9", "0.95"):
        steep = majority_gain(Fraction(q), 3) ** 2
        least_cost[q] = (3 - steep) / (steep - 1)
    text = ", ".join(f"{float(cost):.3f} at {q}" for q, cost in least_cost.items())
    return text, all(_pays_from(q, cost) for q, cost in least_cost.items())


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
    text = "section 4"
    return (
        Claim(
            id="004-4b",
            place=text,
            paraphrase="where items cost too, one label each may not be best",
            compute=fact(_items_that_cost),
            note="Figure 1's classifiers, 1,500 labels, q = .8",
        ),
        Claim(
            id="004-4b-cost",
            place=text,
            paraphrase="the cost of items must not be negligible for that (no number printed)",
            compute=fact(_cost_from_which_three_pay),
            tolerance="2% of the cost, at a margin of 1e-5",
            note="in labels, from which three labels beat one at a small margin, by label accuracy",
        ),
        Claim(
            id="004-1-sizes",
            place="introduction",
            paraphrase="exact chances give tight sample sizes",
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
    """How many points at which `hold` were tried, and at how many one label is better."""
    draw, better, tried = Random(4), 0, 0
    pairs = list(zip(*(part.tolist() for part in admissible()), strict=True))
    while tried < 60:
        a, b = draw.choice(pairs)
        rivals = Rivals(Fraction(a, 10_000), Fraction(b, 10_000))
        labels = _drawn_labels(draw, varied)
        if not hold(rivals, labels):
            continue
        tried += 1
        several, single = exact_comparison(
            rivals, labels, draw.choice((3, 5, 11)), draw.randint(1, 40)
        )
        better += single > several
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
        paraphrase=f"(steps of its proof: {about})",
        compute=fact(lambda: proved(*statements)),
        note="as identities and by Bernstein coefficients; five arguments of the proof are by hand",
    )


def _of_the_conjecture() -> tuple[Claim, ...]:
    text = "Conjecture 1"
    return (
        Claim(
            id="004-CJ1",
            place=text,
            paraphrase="under Assumption 1 one label each wins more often than majorities of m, for every n",
            compute=fact(_first_sentence),
            note="open in the paper, proved since for odd m >= 3: chapter on the proof; here both chances as "
            "fractions",
        ),
        Claim(
            id="004-CJ1-varied",
            place=text,
            paraphrase="under Assumptions 1 and 2 one label each wins more often also where label accuracy "
            "varies",
            compute=fact(_second_sentence),
            note="proved with the first sentence, m odd",
        ),
        *(_steps(*part) for part in STEPS),
        Claim(
            id="004-CJ1-grid",
            place="Conjecture 1 on the grid of appendix A",
            paraphrase="no violation on the 83,345,475 points (five accuracies) of Assumption 1",
            compute=number(65_369 * 50 * 51 // 2, _whole_grid),
            note="the proof's conditions hold at each of these points, in whole numbers, for every odd m and "
            "every n",
        ),
    )


def _two_labels_and_a_coin() -> tuple[str, bool]:
    several, single = exact_comparison(
        Rivals.correlated(HALF, 1, HALF), LabelAccuracy.of("0.6"), 2, 1
    )
    return f"two labels on 1 item {several}, one on 2 items {single}", (several, single) == (
        Fraction(2, 5),
        Fraction(9, 25),
    )


def _two_labels_tie_is_wrong() -> tuple[str, bool]:
    """With a tie of two labels taken for a wrong label: right only if both are."""
    rivals, q_b, q_w = Rivals.correlated("0.65", 1, HALF), Fraction(1), Fraction(3, 4)
    both = gap_chances(rivals, LabelAccuracy.of((q_b**2, q_w**2)))[0]
    a, b = gap_chances(rivals, LabelAccuracy.of((q_b, q_w)))
    two = a * a + 2 * a * (1 - a - b)
    text = f"two labels on 1 item {both}, one on 2 items {two}"
    return text, both == Fraction(63, 128) and two == Fraction(11_937, 25_600) and both > two


def _of_its_limits() -> tuple[Claim, ...]:
    text = "Theorem 2, Conjecture 1"
    return (
        Claim(
            id="004-CJ1-even",
            place=text,
            paraphrase="one label each is better for every m > 1",
            verdict="erratum",
            compute=fact(_two_labels_and_a_coin),
            note="odd m >= 3: for m = 2, tied labels decided by a coin, it is false (p_w = p_b^1 = 1/2, "
            "p_b^0 = 1, q = 3/5)",
        ),
        Claim(
            id="004-CJ1-even-wrong",
            place=text,
            paraphrase="one label each is better for every m > 1",
            verdict="erratum",
            compute=fact(_two_labels_tie_is_wrong),
            note="false for m = 2 with tied labels taken for wrong ones, too (p_w = 13/20, p_b^0 = 1, p_b^1 "
            "= 1/2, "
            "q_b = 1, q_w = 3/4)",
        ),
    )


def _adaptive_third_label() -> tuple[str, bool]:
    best = ae.plan(**FIGURE)
    adaptive = float(adaptive_outcomes(Rivals.independent("0.8", "0.01"), 0.8, 1500).win)
    three, single = best.win_probability(3), best.win_probability(1)
    return (
        f"three {three:.5f}, adaptive {adaptive:.5f}, one {single:.5f}",
        three < adaptive < single,
    )


def _adaptive_at_small_margins() -> tuple[str, bool]:
    """Information per label: 1 with one each, (1 + z)^2/(2 + z), with three (1 + z)^2/3; z = 2 q (1 - q)."""
    z = [2 * Fraction(k, 1000) * (1 - Fraction(k, 1000)) for k in range(500, 1001)]
    adaptive = [(1 + part) ** 2 / (2 + part) for part in z]
    more = all(a > (1 + part) ** 2 / 3 for a, part in zip(adaptive, z, strict=True))
    shown = f"above that of three labels, at most {max(adaptive)} of that of single ones"
    return shown, more and max(adaptive) == Fraction(9, 10)


def _of_other_designs() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-4-adaptive",
            place="section 4",
            paraphrase="a third label only where two differ could make several labels more competitive",
            compute=fact(_adaptive_third_label),
            note="Figure 1's classifiers, q = .8, 1,500 labels: better than three labels, not than one",
        ),
        Claim(
            id="004-4-adaptive-small",
            place="section 4",
            paraphrase="the same, whatever the margins of the classifiers (left open)",
            quote="could make collecting multiple labels more competitive in the binary case",
            compute=fact(_adaptive_at_small_margins),
            note="more competitive, yet worse than single labels: information per label at small margins, "
            "whatever the accuracy of labels",
        ),
    )


# --- Appendix A: the grid of the sweep, its draws, and what was found on it.


PAIRS_OF_LABELS = 50 * 50
UNDER_ASSUMPTION_1 = 50 * 51 // 2
POINTS = 20_000
SEED = 4


def sweep() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_the_grid(), *_of_the_exact_values(), *_of_the_draws())


def _size(low: int, high: int) -> int:
    """How many points the grid has if its five accuracies run from low to high hundredths."""
    grid = np.arange(low, high + 1)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    kept = int(((100 - worse) * wrong > worse * (100 - right)).sum())
    return kept * grid.size**2 * len(ITEMS) * len(GRID_LABELS)


def _nearly_five_billion() -> tuple[str, bool]:
    size = len(admissible()[0]) * PAIRS_OF_LABELS * len(ITEMS) * len(GRID_LABELS)
    return f"{size:,}", size == _size(51, 100) and 4.5e9 < size < 5e9


def _fifty_or_fifty_one() -> tuple[str, bool]:
    sizes = [_size(51, 100), _size(50, 99), _size(50, 100)]
    text = "{:,} points from .51 to 1, {:,} from .50 to .99, {:,} with both ends".format(*sizes)
    return text, max(sizes[:2]) < 5e9 < sizes[2]


def _half_of_them() -> tuple[str, bool]:
    every = len(admissible()[0]) * len(ITEMS) * len(GRID_LABELS)
    kept = every * UNDER_ASSUMPTION_1
    return f"{kept:,} of {every * PAIRS_OF_LABELS:,}", 2 * kept > every * PAIRS_OF_LABELS > kept


def _of_the_grid() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-A-size",
            place="introduction, section 2, appendix A",
            paraphrase="more than four, and almost five, billion points",
            compute=fact(_nearly_five_billion),
        ),
        Claim(
            id="004-A-S",
            place="appendix A",
            paraphrase="50 evenly spaced points in [.5, 1], .01 apart",
            verdict="wording",
            compute=fact(_fifty_or_fifty_one),
            note="there are 51; without either end the grid has nearly five billion points",
        ),
        Claim(
            id="004-A-half",
            place="section 2, appendix A",
            paraphrase="one label is better on all of nearly five billion points",
            verdict="conditional",
            compute=fact(_half_of_them),
            note="on those of Assumption 1, about half, as appendix A says; not on the others",
        ),
    )


def _seeded_slices() -> tuple[str, bool]:
    compared = list(slices(random.Random(SEED).sample(range(65_369), 2)))
    points, better = (
        sum(getattr(part, name) for part in compared) for name in ("points", "better")
    )
    return f"{better:,} of {points:,} points of 2 pairs of classifiers", better == points


def _exceptions_by_rounding() -> tuple[str, bool]:
    """Count reversals by plain convolution where the winning chances are next to 1; logarithms have none."""
    rng, reversed_, above, worst, in_logs = np.random.default_rng(SEED), 0, 0, 0.0, 0
    for _ in range(150):
        theta, s = rng.uniform(0.85, 1), rng.uniform(0.5, 0.75)
        pair = [(q, n) for q, n in ((theta, 303), (float(majority_accuracy(theta, 3)), 101))]
        single, three = (by_squaring(s * q, s * (1 - q), n).win for q, n in pair)
        logs = [log_outcomes(s * q, s * (1 - q), n) for q, n in pair]
        lost = [np.logaddexp(law.tie, law.loss) for law in logs]
        reversed_ += single < three
        above += max(single, three) > 1
        worst = max(worst, three - single)
        in_logs += bool(lost[0] >= lost[1])
    text = f"of 150 some reversed and some above 1 (the machine decides which); in logarithms {in_logs}"
    return text, reversed_ > 0 and above > 0 and worst < 1e-11 and in_logs == 0


def _squaring_is_convolution() -> tuple[str, bool]:
    worst = 0.0
    for n in (10, 101, 1000):
        plain, ball = by_squaring(0.16, 0.154, n).win, certified_law(0.16, 0.154, n).win
        worst = max(worst, abs(plain - float(ball)))
    return f"off by at most {worst:.1g}", worst < 1e-12


def _of_the_exact_values() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-A-squaring",
            place="appendix A",
            paraphrase="convolutions by squaring give the exact chances",
            compute=fact(_squaring_is_convolution),
            tolerance="1e-12, rounding of sums next to 1",
        ),
        Claim(
            id="004-A-violations",
            place="appendix A",
            paraphrase="under the assumptions one label is never worse, rounding apart",
            compute=fact(_seeded_slices),
            tolerance="exact: differences are above 1e-12 of the chance of no win; a seeded slice of the "
            "grid",
            note="004-CJ1-grid checks the conditions of the proof on all of it",
        ),
        Claim(
            id="004-A-rounding",
            place="appendix A",
            paraphrase="the only exceptions are of the order 1e-12, where both chances are next to 1, "
            "and often "
            "with "
            "computed chances above 1: rounding",
            compute=fact(_exceptions_by_rounding),
            tolerance="reversals below 1e-11; none where the small chances of no win are compared instead",
        ),
    )


class _Drawn(NamedTuple):
    """Winning chances of one label and of several at points drawn from the grid, and which is larger."""

    one: Any
    several: Any
    ahead: Any
    q_w: Any


@cache
def _drawn(low: int, biased: bool) -> _Drawn:
    """Draw points of the grid that begins at `low` hundredths, q_w > q_b where biased."""
    rng = np.random.default_rng(SEED)
    grid: Any = np.arange(low, low + 50)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    better, worse = (100 - worse) * wrong / 1e4, worse * (100 - right) / 1e4
    pair = rng.choice(np.flatnonzero(better > worse), POINTS)
    first, second = np.triu_indices(50, 1) if biased else np.tril_indices(50)
    positions = rng.integers(first.size, size=POINTS)
    q_b, q_w = grid[first[positions]] / 100, grid[second[positions]] / 100
    m, n = rng.choice(GRID_LABELS, POINTS), rng.choice(ITEMS, POINTS)

    def law(b: Any, w: Any, items: Any) -> Any:
        up = better[pair] * b + worse[pair] * (1 - w)
        return log_outcomes(up, np.maximum(better[pair] + worse[pair] - up, 0), items)

    votes = [np.where(m == 3, *(majority_accuracy(q, k) for k in GRID_LABELS)) for q in (q_b, q_w)]
    single, several = law(q_b, q_w, m * n), law(votes[0], votes[1], n)
    lost = np.logaddexp(several.tie, several.loss) - np.logaddexp(single.tie, single.loss)
    ahead = np.where(single.win < np.log(0.5), single.win - several.win, lost) > 0
    return _Drawn(np.exp(single.win), np.exp(several.win), ahead, q_w)


def _hundred_draws(chance: Any) -> Any:
    """Law (points, 101) of how many of 100 draws are won."""
    k: Any = np.arange(101)
    p = np.minimum(chance, 1)[:, None]
    log_binomials = gammaln(101) - gammaln(k + 1) - gammaln(101 - k)
    return np.exp(log_binomials + xlogy(k, p) + xlog1py(100 - k, -p))


def _reversed_draws(low: int) -> tuple[float, float]:
    """Share of points at which 100 draws favour several labels, expected, and its error."""
    at = _drawn(low, biased=False)
    more = 1 - np.cumsum(_hundred_draws(at.several), axis=1)
    chances = (_hundred_draws(at.one) * more).sum(axis=1)
    return float(chances.mean()), float(chances.std() / POINTS**0.5)


def _sampled_reversals() -> tuple[str, bool]:
    (low, error), (high, _) = _reversed_draws(50), _reversed_draws(51)
    text = (
        f"{low:.2%} expected on the grid from .50 to .99, {high:.2%} from .51 to 1 "
        f"(standard error {error:.2%})"
    )
    return text, abs(low - 0.016) < 3 * error + 0.0005 and high < low


def _average_distance() -> tuple[str, bool]:
    at = _drawn(51, biased=False)
    variance = float((at.one * (1 - at.one)).mean()) / 100
    error = (variance / (len(admissible()[0]) * PAIRS_OF_LABELS * 30)) ** 0.5
    return f"standard error of the mean signed distance {error:.1g}", 3e-8 < error < 1e-6


def _mean_squared_error() -> tuple[str, bool]:
    """Whether the mean of p (1 - p)/100, the error of 100 draws, can be of the order printed."""
    at = _drawn(51, biased=False)
    means = [float((p * (1 - p)).mean()) / 100 for p in (at.one, at.several)]
    text = "{:.4f} with one label, {:.4f} with several; at most .0025".format(*means)
    return text, max(means) < 0.0025


def _two_thirds() -> tuple[str, bool]:
    shares = [float(_drawn(low, biased=True).ahead.mean()) for low in (51, 50)]
    text = "{:.3f} on the grid from .51 to 1, {:.3f} from .50 to .99".format(*shares)
    return text, max(abs(share - 2 / 3) for share in shares) < 0.025


def _falling_with_q_w() -> tuple[str, bool]:
    at = _drawn(51, biased=True)
    shares = [
        float(at.ahead[(at.q_w > low) & (at.q_w <= low + 0.1)].mean())
        for low in (0.505, 0.605, 0.705, 0.805, 0.905)
    ]
    text = ", ".join(f"{share:.2f}" for share in shares)
    return f"by q_w up to .6, .7, .8, .9, 1: {text}", shares == sorted(shares, reverse=True)


def _of_the_draws() -> tuple[Claim, ...]:
    error = f"{POINTS:,} points drawn from the grid, seeded"
    return (
        Claim(
            id="004-A-1.6",
            place="appendix A",
            paraphrase="draws alone favour m labels at 1.6% of the points",
            compute=fact(_sampled_reversals),
            tolerance=f"3 standard errors and the printed rounding; {error}",
            note="which suggests that the 50 values were .50 to .99; from .51 to 1 it would be 1.5%",
        ),
        Claim(
            id="004-A-distance",
            place="appendix A",
            paraphrase="drawn chances are off by 1e-7 on average",
            verdict="conditional",
            compute=fact(_average_distance),
            tolerance="order of magnitude",
            note="if the mean keeps the sign of each distance, whose one standard error this is; "
            "the mean size of a "
            "distance is about .03",
        ),
        Claim(
            id="004-A-mse",
            place="appendix A",
            paraphrase="the mean squared error of 100 draws is of the order .01",
            verdict="erratum",
            compute=fact(_mean_squared_error),
            tolerance="exact bound p (1 - p)/100; " + error,
            note="it is p (1 - p)/100, at most .0025, and on the grid about .001",
        ),
        Claim(
            id="004-A-thirds",
            place="appendix A",
            paraphrase="with q_w > q_b one label is still better at two thirds of the points",
            compute=fact(_two_thirds),
            tolerance=f".025: two thirds is rounded, the standard error is .003; {error}",
        ),
        Claim(
            id="004-A-falling",
            place="appendix A",
            paraphrase="with q_w > q_b, one label is better at fewer points the larger q_w is",
            compute=fact(_falling_with_q_w),
            tolerance=f"standard errors .003 to .02, steps larger; {error}",
        ),
        Claim(
            id="004-A-both",
            place="appendix A",
            paraphrase="at no point do both the draws and the exact chances favour m labels",
            verdict="not reproducible",
            note="the draws and their seeds are not published; the exact chances never do (004-CJ1)",
        ),
    )


# --- Lemmas C.2 to C.7.


DRAWS = 2000


def lemmas() -> tuple[Claim, ...]:
    """Claims in the order of the appendix."""
    return (*_of_quotients(), *_of_majorities(), *inequalities(), *_of_more_quotients())


def _c_2() -> tuple[str, bool]:
    """Whether (2X^2 + cX) Y^2 - (2Y^2 + cY) X^2 = c X Y (Y - X), with X, Y the roots of x, y."""
    c, a, b = sp.symbols("c X Y", positive=True)
    left = (2 * a**2 + c * a) * b**2 - (2 * b**2 + c * b) * a**2
    return "difference c X Y (Y - X) over positive terms, X^2 = x, Y^2 = y", vanishes(
        left - c * a * b * (b - a)
    )


def _c_3() -> tuple[str, bool]:
    low, high, d = sp.symbols("x y d")
    numerator = high * (low + d) - low * (high + d)
    return "difference d (y - x) over positive terms", vanishes(numerator - d * (high - low))


def _of_quotients() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.2",
            place="Lemma C.2",
            paraphrase="0 < x < y, c > 0: (2x + c sqrt x) / (2y + c sqrt y) >= x/y",
            compute=fact(_c_2),
        ),
        Claim(
            id="004-C.3",
            place="Lemma C.3",
            paraphrase="0 < x < y, d > 0: (x + d) / (y + d) >= x/y",
            compute=fact(_c_3),
        ),
        Claim(
            id="004-C.3-zero",
            place="C.1, before Lemma C.3",
            paraphrase="d = epsilon (1 - p - epsilon) p + ((1 - p - epsilon) p)^2 > 0",
            verdict="conditional",
            compute=fact(_no_room_above),
            note="not at epsilon = 1 - p, which section 2 admits; there Lemma C.3 is an equality, all that "
            "is needed",
        ),
    )


def _no_room_above() -> tuple[str, bool]:
    p, e = Fraction(4, 5), Fraction(1, 5)
    value = e * (1 - p - e) * p + ((1 - p - e) * p) ** 2
    return f"d = {value} at p = 4/5, epsilon = 1/5", value == 0


def _sigma(m: int, q: Any) -> Any:
    """Sigma as it should stand: the sum of C(k, (k + 1)/2) (q (1 - q))^((k + 1)/2) over odd k."""
    return sum(comb(k, (k + 1) // 2) * (q * (1 - q)) ** ((k + 1) // 2) for k in range(1, m - 1, 2))


def _printed_sigma(m: int, q: Fraction) -> Fraction:
    terms = (
        comb(m - 2, k // 2) * q ** (k // 2) * (1 - q) ** ((k + 1) // 2) for k in range(1, m - 1, 2)
    )
    return sum(terms, Fraction(0))


def _lemma_c_4() -> tuple[str, bool]:
    q, holds = Fraction(3, 5), []
    for m in LABELS:
        right, wrong = (q + (2 * q - 1) * sigma for sigma in (_sigma(m, q), _printed_sigma(m, q)))
        holds.append(right == majority_accuracy(q, m) != wrong)
    text = f"M_3(3/5) = {majority_accuracy(q, 3)}; as printed {q + Fraction(1, 5) * _printed_sigma(3, q)}"
    same = all(vanishes(1 + 2 * _sigma(m, x) - gain(m).subs(u, x * (1 - x))) for m in LABELS)
    return text, all(holds) and same and proved("Lemma 1")[1]


def _recursion() -> tuple[str, bool]:
    for m in range(3, 20, 2):
        added = (2 * x - 1) * comb(m - 2, (m - 1) // 2) * (x * (1 - x)) ** ((m - 1) // 2)
        if not vanishes(error(m - 2, x) - error(m, x) - added):
            return f"differs at m = {m}", False
    return "M_m - M_(m-2) = (2q - 1) C(m - 2, (m - 1)/2) (q (1 - q))^((m - 1)/2), m up to 19", True


def _derivative() -> tuple[str, bool]:
    for m in LABELS:
        slope = m * comb(m - 1, m // 2) * (x * (1 - x)) ** (m // 2)
        if not vanishes(sp.diff(-error(m, x), x) - slope):
            return f"differs at m = {m}", False
    return "slope m C(m - 1, (m - 1)/2) (q (1 - q))^((m - 1)/2), m up to 13", True


def _grows_with_m() -> tuple[str, bool]:
    q = np.arange(501, 1000) / 1000
    rows = np.array([majority_accuracy(q, m) for m in (1, *LABELS)])
    least = float(np.diff(rows, axis=0)[:, q < 0.9].min())
    return f"by at least {least:.1g} from m to m + 2 for q from .501 to .9", least > 0


def _of_majorities() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.4",
            place="Lemma C.4",
            paraphrase="M_m = q + (2q - 1) sigma with sigma the sum over odd k of C(m - 2, floor(k/2)) "
            "q^floor(k/2) "
            "(1 - q)^ceil(k/2)",
            verdict="erratum",
            machine_read=True,
            compute=fact(_lemma_c_4),
            note="sigma is the sum over odd k up to m - 2 of C(k, (k + 1)/2) (q (1 - q))^((k + 1)/2)",
        ),
        Claim(
            id="004-C.4-proof",
            place="Lemma C.4, proof",
            paraphrase="the recursion from m - 2 to m labels",
            compute=fact(_recursion),
            note="right, and it gives the corrected sum; b_n(q, k) is said to have success probability p, "
            "for q",
        ),
        Claim(
            id="004-C1-integral",
            place="C.1, after (5)",
            paraphrase="M_(2n+1)(q) = (2n + 1) C(2n, n) times the integral of x^n (1 - x)^n from 0 to q",
            compute=fact(_derivative),
            note="the derivative, which with M(0) = 0 says the same",
        ),
        Claim(
            id="004-C1-grows",
            place="C.1, before (7)",
            paraphrase="above 1/2 M_m grows with m",
            compute=fact(_grows_with_m),
            note="by 004-C.4-proof: what two more labels add is positive",
        ),
    )


def _c_5() -> tuple[str, bool]:
    """Try fractions: c positive, A to D negative, both differences negative."""
    draw, tried = Random(4), 0
    while tried < DRAWS:
        c1, c2 = (Fraction(draw.randint(1, 50), 10) for _ in range(2))
        a, b, c, d = (-Fraction(draw.randint(1, 50), 10) for _ in range(4))
        if c1 * a - c2 * b >= 0 or c1 * c - c2 * d >= 0:
            continue
        tried += 1
        if ((c1 * a - c2 * b) / (c1 * c - c2 * d) <= a / c) != (c * b >= d * a):
            return f"fails at {c1}, {c2}, {a}, {b}, {c}, {d}", False
    p, r, a, b, c, d = sp.symbols("c_1 c_2 A B C D")
    crossed = c * (p * a - r * b) - a * (p * c - r * d)
    return f"c_2 (DA - CB) when crossed; {tried:,} exact draws", vanishes(
        crossed - r * (d * a - c * b)
    )


def _c_6() -> tuple[str, bool]:
    """Try fractions whose sums are squares, so that both roots are exact."""
    draw, tried = Random(4), 0
    while tried < DRAWS:
        f, g, c = draw.randint(2, 20), draw.randint(2, 20), draw.randint(1, 30)
        f_1, g_1 = Fraction(draw.randint(1, f * f), 2), Fraction(draw.randint(1, g * g), 2)
        f_2, g_2 = f * f - f_1, g * g - g_1
        if f_1 > g_1 or f_2 < g_2 or min(f_2, g_2) <= 0:
            continue
        tried += 1
        if f_1 / g_1 > Fraction(2 * f * f + c * isqrt(f * f), 2 * g * g + c * isqrt(g * g)):
            return f"fails at {f_1}, {f_2}, {g_1}, {g_2}, {c}", False
    a, b, p, q = sp.symbols("f_1 g_1 f_2 g_2")
    step = b**2 * (a + p) - a**2 * (b + q) - ((b - a) * a * b + b**2 * p - a**2 * q)
    return f"its proof's step expanded; {tried:,} exact draws", vanishes(step)


def _c_7() -> tuple[str, bool]:
    a, b, c, d = sp.symbols("A B C D")
    return "BC - AD over positive terms", vanishes((a + b) * c - a * (c + d) - (b * c - a * d))


def _of_more_quotients() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.5",
            place="Lemma C.5",
            paraphrase="A, B, C, D < 0 < c_1, c_2 and both c_1 A < c_2 B, c_1 C < c_2 D: (c_1 A - c_2 "
            "B)/(c_1 C "
            "- c_2 D) "
            "<= A/C iff CB >= DA",
            compute=fact(_c_5),
        ),
        Claim(
            id="004-C.6",
            place="Lemma C.6",
            paraphrase="f_1 <= g_1, f_2 >= g_2, all and c > 0: f_1/g_1 <= (2f + c sqrt f)/(2g + c sqrt "
            "g) with "
            "f = f_1 + f_2, g = g_1 + g_2",
            compute=fact(_c_6),
        ),
        Claim(
            id="004-C.7",
            place="Lemma C.7",
            paraphrase="A, B, C, D > 0 and AD <= BC: A/C <= (A + B)/(C + D)",
            compute=fact(_c_7),
        ),
    )
