"""The conjecture on one label per item: what is proved and what is open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from algeval.budgets.kernel import exact_law, log_law
from algeval.budgets.model import LabelAccuracy, Rivals, gap_chances, majority_accuracy
from algeval.data.scores import Floats
from algeval.logic.orders.order1 import compositions

__all__ = [
    "Differing",
    "Lemma",
    "Slice",
    "admissible",
    "count_proved",
    "exact_comparison",
    "exact_wins",
    "lemmas",
    "plurality_law",
    "sweep",
]


# --- The conjecture on one label per item: what is proved and what is open.


# --- Votes and walks as polynomials, and the sign of a polynomial on an interval.
#
# theta is `x`: each of k votes is right with that chance. sigma is `s`: a walk steps with that
# chance, half of it either way, and stays with the rest; in chances of a win it is how often the
# classifiers disagree. `u` is theta (1 - theta).


Expr = Any  # sympy.Expr; SymPy is untyped

x, s, u = sp.symbols("x sigma u")


def vanishes(expression: Expr) -> bool:
    """Whether a polynomial is zero once it is multiplied out.

    Examples
    --------
    >>> vanishes((x + 1) ** 2 - x**2 - 2 * x - 1)
    True
    """
    return bool(sp.expand(expression) == 0)


@cache
def tie(k: int, theta: Expr) -> Expr:
    """Chance that half of k votes are right."""
    return sp.Integer(0) if k % 2 else comb(k, k // 2) * (theta * (1 - theta)) ** (k // 2)


@cache
def error(k: int, theta: Expr) -> Expr:
    """Chance that fewer than half of k votes are right, and half that of a tie."""
    lost = sum(comb(k, j) * theta**j * (1 - theta) ** (k - j) for j in range((k + 1) // 2))
    return lost + tie(k, theta) / 2


def gain(m: int) -> Expr:
    """W, the sum of C(2j, j) u^j up to j = (m - 1)/2.

    Examples
    --------
    >>> gain(5)
    6*u**2 + 2*u + 1
    """
    return sum(comb(2 * j, j) * u**j for j in range((m + 1) // 2))


def wins(theta: Expr, n: int) -> Expr:
    """Chance that the sum of n is positive, of which each counts with chance s."""
    terms = (
        comb(n, k) * s**k * (1 - s) ** (n - k) * (1 - error(k, theta) - tie(k, theta) / 2)
        for k in range(n + 1)
    )
    return sum(terms)


def returning(n: int, step: Expr, stay: Expr) -> Expr:
    """P(n), the chance that the walk is back at 0 after n steps.

    Examples
    --------
    >>> returning(2, s, 1 - s)
    sigma**2/2 + (1 - sigma)**2
    """
    return sum(
        comb(n, 2 * j) * sp.Rational(comb(2 * j, j), 4**j) * stay ** (n - 2 * j) * step ** (2 * j)
        for j in range(n // 2 + 1)
    )


def bernstein(polynomial: Expr, symbol: Expr, low: Fraction, high: Fraction) -> list[Fraction]:
    """Bernstein coefficients on an interval, between which the polynomial lies there.

    Examples
    --------
    >>> bernstein(s**2, s, Fraction(0), Fraction(1))
    [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)]
    """
    moved = sp.Poly(sp.expand(polynomial.subs(symbol, low + (high - low) * symbol)), symbol)
    powers = [Fraction(int(c.p), int(c.q)) for c in reversed(moved.all_coeffs())]
    degree = len(powers) - 1
    return [
        sum((Fraction(comb(k, i), comb(degree, i)) * powers[i] for i in range(k + 1)), Fraction(0))
        for k in range(degree + 1)
    ]


def bernstein_of_two(polynomial: Expr) -> list[Fraction]:
    """Those of a polynomial in s and x on [0, 3/4] x [1/2, 1], in one list.

    Examples
    --------
    >>> bernstein_of_two(s * (x - sp.Rational(1, 2)))
    [Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(3, 8)]
    """
    moved = {s: sp.Rational(3, 4) * s, x: (1 + x) / 2}
    table = sp.Poly(sp.expand(polynomial.subs(moved, simultaneous=True)), s, x)
    tall, wide = table.degree(s), table.degree(x)
    terms = {powers: Fraction(int(c.p), int(c.q)) for powers, c in table.terms()}

    def value(k: int, j: int) -> Fraction:
        below = ((p, r, c) for (p, r), c in terms.items() if p <= k and r <= j)
        shares = (
            c * Fraction(comb(k, p) * comb(j, r), comb(tall, p) * comb(wide, r))
            for p, r, c in below
        )
        return sum(shares, Fraction(0))

    return [value(k, j) for k in range(tall + 1) for j in range(wide + 1)]


# --- The steps of the proof that a machine can check, each exactly: ``python -m
# algeval_papers.conjecture``.
#
# The theorem of `algeval.budgets.model` rests on votes (k of them, each right with chance theta)
# and on the return probabilities P(N) of a walk that steps with chance sigma and stays with the
# rest. What is a polynomial statement is proved here for the sizes named; the proof for the
# others is by hand, in the chapter on it.


VOTES = 8
"""Pairs of votes up to which the statements on votes are expanded."""
LABELS = range(3, 20, 2)
"""Labels per item for which those on majorities are."""


class Lemma(NamedTuple):
    """A statement and whether it was proved.

    Attributes
    ----------
    name, statement : str
    complete : bool
        Whether the proof is whole, and not for the sizes tried only.
    holds : bool
    """

    name: str
    statement: str
    complete: bool
    holds: bool


def lemmas(only: Container[str] | None = None) -> Iterator[Lemma]:
    """Yield every statement, or those of some names, with its verdict; some seconds in all.

    Examples
    --------
    >>> first = next(lemmas())
    >>> first.name, first.holds
    ('Box', True)
    """
    for name, statement, complete, check in _STATEMENTS:
        if only is None or name in only:
            yield Lemma(name, statement, complete, check())


def _box() -> bool:
    worse, wrong, right = sp.symbols("p_w p_b0 p_b1")
    differ = (1 - worse) * wrong + worse * (1 - right)
    room = (1 - worse) * (1 - wrong) + worse * (right - sp.Rational(1, 2))
    return vanishes(1 - worse / 2 - differ - room)


def _sides() -> bool:
    """Whether a - b, and with a majority's accuracies its like, is what Lemma 1 begins with."""
    better, worse, q_b, q_w = sp.symbols("A B q_b q_w")
    up = better * q_b + worse * (1 - q_w)
    down = better * (1 - q_b) + worse * q_w
    return vanishes(up - down - better * (2 * q_b - 1) + worse * (2 * q_w - 1))


def _votes_f1() -> bool:
    return all(vanishes(error(2 * j, x) - error(2 * j - 1, x)) for j in range(1, VOTES + 1))


def _votes_f2() -> bool:
    return all(
        vanishes(error(2 * j, x) - error(2 * j + 1, x) - (2 * x - 1) / 2 * tie(2 * j, x))
        for j in range(VOTES + 1)
    )


def _votes_f3() -> bool:
    return all(
        vanishes((j + 1) * tie(2 * j + 2, x) - 2 * (2 * j + 1) * x * (1 - x) * tie(2 * j, x))
        for j in range(VOTES + 1)
    )


def _increments() -> bool:
    """Whether g(k) - g(k - 1) is -delta/4 times the tie of the even one of k - 1 and k."""
    quarter = (2 * x - 1) / 4
    g = [error(k, x) - quarter * tie(k, x) for k in range(2 * VOTES + 2)]
    steps = [g[k] - g[k - 1] + quarter * tie(2 * (k // 2), x) for k in range(1, 2 * VOTES + 2)]
    return all(map(vanishes, steps))


def _midpoints() -> bool:
    quarter = (2 * x - 1) / 4
    return all(
        vanishes(error(k, x) - quarter * tie(k, x) - (error(k - 1, x) + error(k + 1, x)) / 2)
        for k in range(2, 2 * VOTES, 2)
    )


def _majority_gain() -> bool:
    return all(
        vanishes(1 - 2 * error(m, x) - (2 * x - 1) * gain(m).subs(u, x * (1 - x))) for m in LABELS
    )


def _doubt(m: int) -> sp.Expr:
    """4 M (1 - M) as a polynomial in u, M being the majority's accuracy."""
    return sp.expand(1 - (1 - 4 * u) * gain(m) ** 2)


def _slopes() -> bool:
    """Whether (1 - 4u) w' = 2w - 2m C u^r and (4 M (1 - M))' = 4m C w u^r, with C = C(2r, r), m = 2r + 1."""
    for m in LABELS:
        w, top = gain(m), m * comb(m - 1, m // 2) * u ** (m // 2)
        if not vanishes((1 - 4 * u) * sp.diff(w, u) - 2 * w + 2 * top):
            return False
        if not vanishes(sp.diff(_doubt(m), u) - 4 * top * w):
            return False
    return True


def _never_negative(polynomial: sp.Expr, power: int) -> bool:
    """Whether a polynomial in u divided by a power of u has no negative coefficient on [0, 1/4]."""
    lowered = sp.expand(sp.cancel(polynomial / u**power))
    return min(bernstein(lowered, u, Fraction(0), Fraction(1, 4))) >= 0


def _equation_9() -> bool:
    return all(
        _never_negative(
            _doubt(m) - 4 * gain(m) * comb(m - 1, m // 2) * u ** (m // 2 + 1), m // 2 + 1
        )
        for m in LABELS
    )


def _affinity() -> bool:
    return all(_never_negative(_doubt(m) - (4 * u) ** m, m // 2 + 1) for m in LABELS)


def _tilting() -> bool:
    """Whether the constant term of (c + a z + b/z)^N is that of (c + root (z + 1/z))^N, root^2 = ab."""
    a, b, c, root, z = sp.symbols("a b c root z")
    for n in range(1, 7):
        plain = sp.expand(sp.expand((c * z + a * z**2 + b) ** n)).coeff(z, n)
        even = sp.expand(sp.expand((c * z + root * (z**2 + 1)) ** n)).coeff(z, n)
        if not vanishes(plain - even.subs(root, sp.sqrt(a * b))):
            return False
    return True


def _mirrored() -> bool:
    y, least = sp.symbols("y y_0")
    return vanishes((1 - y) * (least + y) - (1 + y) * (least - y) - 2 * y * (1 - least))


def _one_against_three() -> bool:
    difference = returning(1, s, 1 - s) - returning(3, s, 1 - s)
    return vanishes(difference - s * (1 - s) * (4 - 5 * s) / 2)


def _three_against_six() -> bool:
    """Whether P(3) - P(6) is sigma^6/16 times a polynomial in x = (1 - sigma)/sigma, positive from 1/4 on."""
    stay = sp.Symbol("stay")
    polynomial = 48 * x**5 - 48 * x**4 + 88 * x**3 - 18 * x**2 + 24 * x - 5
    squares = 12 * x**3 * (2 * x - 1) ** 2 + x**2 * (76 * x - 18) + (24 * x - 5)
    difference = returning(3, s, stay) * (s + stay) ** 3 - returning(6, s, stay)
    whole = vanishes(difference - s**6 * polynomial.subs(x, stay / s) / 16)
    quarter = Fraction(1, 4)
    return whole and vanishes(polynomial - squares) and 76 * quarter > 18 and 24 * quarter > 5


def _three_against_six_again() -> bool:
    difference = returning(3, s, 1 - s) - returning(6, s, 1 - s)
    return min(bernstein(difference, s, Fraction(1, 2), Fraction(4, 5))) > 0


def _falling() -> bool:
    """Whether sigma P'(N) = N (P(N) - P(N - 1))."""
    walks = [returning(n, s, 1 - s) for n in range(13)]
    return all(
        vanishes(s * sp.diff(walks[n], s) - n * (walks[n] - walks[n - 1])) for n in range(1, 13)
    )


def _one_against_four() -> bool:
    polynomial = sp.expand((returning(1, s, 1 - s) - returning(4, s, 1 - s)) * 8 / s)
    bracket = 24 - 72 * s + 80 * s**2 - 35 * s**3
    return (
        vanishes(polynomial - bracket)
        and min(bernstein(bracket, s, Fraction(0), Fraction(3, 4))) > 0
    )


def _four_fifths() -> bool:
    half = sp.Rational(1, 2)
    return vanishes(wins(half, 3) - wins(half, 1) - s * (1 - s) * (4 - 5 * s) / 4)


def _small_cells() -> bool:
    return all(min(cell(m, n)) >= 0 for m, n in ((3, 1), (5, 1), (3, 2)))


def cell(m: int, n: int) -> list[Fraction]:
    """Bernstein coefficients of (W(theta, mn) - W(M, n))/s on s in [0, 3/4], theta in [1/2, 1]."""
    gap = wins(x, m * n) - wins(1 - error(m, x), n)
    return bernstein_of_two(sp.cancel(sp.expand(gap) / s))


_STATEMENTS: tuple[tuple[str, str, bool, Callable[[], bool]], ...] = (
    ("Box", "two classifiers differ on at most 1 - p_w/2 of the items", True, _box),
    ("Sides", "a - b = A (2 q_b - 1) - B (2 q_w - 1)", True, _sides),
    ("F1", "an even number of votes errs as often as one fewer", False, _votes_f1),
    ("F2", "one more vote helps in a tie only", False, _votes_f2),
    ("F3", "of 2j + 2 votes fewer tie than of 2j", False, _votes_f3),
    ("Lemma 1", "2 M_m - 1 = (2q - 1) times the sum of the ties", False, _majority_gain),
    ("Lemma 2", "the increments of error - delta/4 tie are -delta/4 tie", False, _increments),
    ("Lemma 3", "at even numbers it is the mean of its neighbours' errors", False, _midpoints),
    ("Tilting", "a tie depends on a and b through ab alone", False, _tilting),
    ("Lemma 6", "4 M (1 - M) is at least (4 theta (1 - theta))^m, by Bernstein", False, _affinity),
    ("Lemma 7", "(1 - y)(y_0 + y) - (1 + y)(y_0 - y) = 2y (1 - y_0)", True, _mirrored),
    ("Lemma 8, first", "P(1) - P(3) = sigma (1 - sigma)(4 - 5 sigma)/2", True, _one_against_three),
    ("Lemma 8, second", "P(3) > P(6) up to sigma = 4/5, by squares", True, _three_against_six),
    ("Lemma 8, again", "P(3) > P(6) on [1/2, 4/5], by Bernstein", True, _three_against_six_again),
    ("Lemma 9", "sigma P'(N) = N (P(N) - P(N - 1))", False, _falling),
    ("4/5", "at theta = 1/2, W(3) - W(1) = s (1 - s)(4 - 5s)/4", True, _four_fifths),
    ("Even m", "P(1) > P(4) up to sigma = 3/4", True, _one_against_four),
    ("Cells", "the theorem for (m, n) = (3, 1), (5, 1), (3, 2), by Bernstein", True, _small_cells),
    ("Slopes", "those of the majority's gain and of M (1 - M), in q (1 - q)", False, _slopes),
    ("(9)", "the paper's inequality (9), by Bernstein", False, _equation_9),
)


def exact_comparison(
    rivals: Rivals, labels: LabelAccuracy, m: int, n: int
) -> tuple[Fraction, Fraction]:
    """Chances of a win with m labels on each of n items and with one on each of mn, exactly.

    Examples
    --------
    >>> rivals = Rivals.correlated(0.5, 1, 0.5)
    >>> exact_comparison(rivals, LabelAccuracy.of(0.6), 2, 1)
    (Fraction(2, 5), Fraction(9, 25))
    """
    several = exact_law(*gap_chances(rivals, labels, m), n).win
    return several, exact_law(*gap_chances(rivals, labels), m * n).win


# --- Several labels: items of several kinds on which the answers differ, and the plurality of labels.


class Differing(NamedTuple):
    """Items of one kind on which the classifiers answer differently.

    Attributes
    ----------
    share : Fraction
        Of all items.
    law : tuple of Fraction
        Chances of the labels.
    better, worse : int
        Which of them the two classifiers answer.
    """

    share: Fraction
    law: tuple[Fraction, ...]
    better: int
    worse: int


@cache
def plurality_law(law: tuple[Fraction, ...], m: int) -> tuple[Fraction, ...]:
    """Chance of each label to be the commonest of m independent ones, ties decided by lot, exactly.

    Examples
    --------
    >>> plurality_law((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), 3)[0]
    Fraction(9, 16)
    """
    chances = [Fraction(0)] * len(law)
    for counts in compositions([0] * len(law), [m] * len(law), m):
        weight, left = Fraction(1), m
        for p, k in zip(law, counts, strict=True):
            weight, left = weight * comb(left, k) * p**k, left - k
        first = [t for t, k in enumerate(counts) if k == max(counts)]
        for t in first:
            chances[t] += weight / len(first)
    return tuple(chances)


def exact_wins(
    kinds: Sequence[Differing], m: int, n: int, *, coin: bool = False
) -> tuple[Fraction, Fraction]:
    """Chances of a win with the plurality of m labels on n items, and with one label on mn, exactly.

    A tied test is no win, or half of one with `coin`.

    Examples
    --------
    >>> law = (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))
    >>> several, one = exact_wins([Differing(Fraction(1, 2), law, 0, 1)], 3, 1)
    >>> several < one
    True
    """
    wins = []
    for labels, items in ((m, n), (1, m * n)):
        each = [(k, plurality_law(k.law, labels)) for k in kinds]
        up = sum((k.share * law[k.better] for k, law in each), Fraction(0))
        down = sum((k.share * law[k.worse] for k, law in each), Fraction(0))
        result = exact_law(up, down, items)
        wins.append(result.win + (result.tie / 2 if coin else 0))
    return wins[0], wins[1]


# --- The paper's sweep over a grid of two classifiers and their labels, in slices that can be
# resumed.
#
# The grid is {.51, .52, ..., 1}^5 for p_w, p_b^0, p_b^1, q_b, q_w, with m = 3 and 11 labels and n
# = 1 to 11, 100, 101, 1,000 and 1,001 items, where the second classifier is the better one:
# 65,369 pairs of classifiers, 2,500 pairs of label accuracies, 4,902,675,000 points.


ITEMS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101, 1000, 1001)
GRID_LABELS = (3, 11)
ERROR = 1e-12
"""Relative error allowed to a chance of not winning; what the kernel was measured to have is far below."""

Whole = NDArray[np.int64]


class Slice(NamedTuple):
    """What the sweep found for one pair of classifiers.

    Attributes
    ----------
    place : int
        Which of the admissible pairs.
    points : int
        Points compared: label accuracies, m and n.
    better, worse, open : int
        Points where one label each certainly wins more often, less often, and where rounding leaves it open.
    """

    place: int
    points: int
    better: int
    worse: int
    open: int


def admissible() -> tuple[Whole, Whole]:
    """A and B of every admissible (p_w, p_b^0, p_b^1), in ten-thousandths, in the grid's order.

    Examples
    --------
    >>> [len(part) for part in admissible()]
    [65369, 65369]
    """
    grid = np.arange(51, 101)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    better_alone, worse_alone = (100 - worse) * wrong, worse * (100 - right)
    kept = better_alone > worse_alone
    return better_alone[kept], worse_alone[kept]


def count_proved() -> int:
    """How many points of (p_w, p_b^0, p_b^1, q_b, q_w) with q_b >= q_w meet the theorem's conditions.

    In whole numbers: 0 < a + b < 1, a > b, ab <= 4 c^2, and, for every m at once, what theta_m <= M_m(theta)
    rests on: theta <= q_b, so that the majority gains no more at q_b, nor at q_b more than at q_w.
    """
    better, worse = admissible()
    s = better + worse
    total = 0
    for q_b in range(51, 101):
        for q_w in range(51, q_b + 1):
            a, b = better * q_b + worse * (100 - q_w), better * (100 - q_b) + worse * q_w
            short = 100 * (10_000 - s)
            met = (s > 0) & (short > 0) & (a > b) & (a * b <= 4 * short * short) & (a <= q_b * s)
            total += int(met.sum())
    return total


def sweep(positions: Iterable[int], *, biased: bool = False) -> Iterator[Slice]:
    """Yield a slice of the grid for each place among the admissible pairs of classifiers.

    Slices are independent, so that a run is resumed with the places that are left, and shared out at will;
    a slice takes about half a second.

    Parameters
    ----------
    places : iterable of int
        From 0 to 65,368.
    biased : bool
        False for the points of Assumption 1, q_b >= q_w; True for all others.

    Examples
    --------
    >>> next(sweep([1000]))
    Slice(place=1000, points=38250, better=38250, worse=0, open=0)
    """
    better, worse = admissible()
    q_b, q_w = (part.ravel() / 100 for part in np.meshgrid(*[np.arange(51, 101)] * 2))
    kept = (q_b < q_w) if biased else (q_b >= q_w)
    for position in positions:
        pair = better[position] / 1e4, worse[position] / 1e4
        counts = np.zeros(3, dtype=int)
        for m in GRID_LABELS:
            counts += _compared(pair, q_b[kept], q_w[kept], m)
        yield Slice(position, int(counts.sum()), *map(int, counts))


def _compared(pair: tuple[float, float], q_b: Floats, q_w: Floats, m: int) -> Whole:
    n = np.array(ITEMS, dtype=float)[:, None]
    single = _not_won(pair, q_b, q_w, m * n)
    several = _not_won(pair, majority_accuracy(q_b, m), majority_accuracy(q_w, m), n)
    room = ERROR * (single + several)
    better, worse = several - single > room, single - several > room
    return np.array([better.sum(), worse.sum(), (~better & ~worse).sum()])


def _not_won(pair: tuple[float, float], q_b: Floats, q_w: Floats, n: Floats) -> Floats:
    """Chances of no win, each to a relative error, however small."""
    a = pair[0] * q_b + pair[1] * (1 - q_w)
    b = pair[0] * (1 - q_b) + pair[1] * q_w
    law = log_law(a, b, n)
    lost: Floats = np.exp(law.tie) + np.exp(law.loss)
    return lost


if __name__ == "__main__":
    for lemma in lemmas():
        size = "" if lemma.complete else " (for the sizes tried)"
        verdict = "proved" if lemma.holds else "FAILS"
        sys.stdout.write(f"{lemma.name}: {lemma.statement}: {verdict}{size}\n")
