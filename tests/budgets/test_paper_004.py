"""The figures of the paper on single labels, its errata, and those of its extensions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

import algeval as ae
from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    error_rate,
    gap_chances,
    log_outcomes,
    majority_accuracy,
    majority_gain,
    outcomes,
    win_probability,
)
from algeval.budgets.kernel import exact_law
from algeval_papers.conjecture import ITEMS, admissible

LABELS = (1, 3, 5, 15)
FIGURE_1 = {
    (0.6, 1500): (0.54586, 0.53118, 0.52446, 0.50525),
    (0.8, 1500): (0.65237, 0.60882, 0.58780, 0.53499),
    (1.0, 1500): (0.74803, 0.64031, 0.60169, 0.53559),
    (0.8, 150): (0.52325, 0.48947, 0.46930, 0.40877),
    (0.8, 6000): (0.79331, 0.72981, 0.69880, 0.62150),
    (0.8, 60000): (0.99559, 0.97685, 0.95733, 0.86546),
}


def fair(q, m, items):
    """Return the chance of a win at a small margin, a tie decided by a coin: what first orders are about."""
    a, b = gap_chances(Rivals.independent(0.8, 1e-5), LabelAccuracy.of(q), m)
    found = outcomes(float(a), float(b), int(items))
    return found.win + found.tie / 2


def near(value):
    """Return costs a little below and a little above."""
    return (0.98 * value, 1.02 * value)


@pytest.mark.parametrize(("q", "budget"), FIGURE_1)
def test_figure_1(q, budget):
    found = ae.plan(budget=budget, accuracy=0.8, margin=0.01, label_accuracy=q)
    expected = FIGURE_1[q, budget]
    for m, chance in zip(LABELS, expected, strict=True):
        assert found.win_probability(m) == pytest.approx(chance, abs=5.1e-6)
    assert found.labels_per_item == 1
    assert found.verdict == "proved"


def test_the_rate_of_lemma_c_1_and_the_error_at_a_hundred_thousand_items():
    a, b = (float(p) for p in gap_chances(Rivals.independent(0.8, 0.1), LabelAccuracy.of(0.8)))
    assert error_rate(a, b) == pytest.approx(0.00704253, abs=5e-9)
    law = log_outcomes(a, b, 100_000)
    not_won = np.logaddexp(law.tie, law.loss)
    assert -not_won / 1e5 == pytest.approx(0.00708682, abs=5e-9)
    assert not_won <= -1e5 * error_rate(a, b)


def test_the_independent_gap_indicator_is_proposition_b_1():
    p, e, q = Fraction(7, 10), Fraction(1, 20), Fraction(3, 5)
    a, b = gap_chances(Rivals.independent(p, e), LabelAccuracy.of(q))
    both_wrong = p * (1 - p - e)
    assert (a, b) == (q * e + both_wrong, (1 - q) * e + both_wrong)
    assert 1 - a - b == p * (p + e) + (1 - p - e) * (1 - p)


def test_the_correlated_gap_indicator_by_listing_who_is_right():
    p_w, p_b0, p_b1 = Fraction(3, 5), Fraction(4, 5), Fraction(9, 10)
    q_b, q_w = Fraction(7, 8), Fraction(3, 4)
    a = b = 0
    for worse in (0, 1):
        for better in (0, 1):
            sure = (p_b1 if worse else p_b0) if better else 1 - (p_b1 if worse else p_b0)
            weight = (p_w if worse else 1 - p_w) * sure
            if better != worse:
                q = q_b if better else q_w
                a += weight * (q if better else 1 - q)
                b += weight * (1 - q if better else q)
    assert gap_chances(Rivals.correlated(p_w, p_b0, p_b1), LabelAccuracy.of((q_b, q_w))) == (a, b)


@pytest.mark.parametrize("m", range(3, 20, 2))
def test_erratum_lemma_c_4_holds_with_the_power_k_plus_1_over_2(m):
    q = sp.Symbol("q")
    sigma = sum(
        math.comb(k, (k + 1) // 2) * (q * (1 - q)) ** ((k + 1) // 2) for k in range(1, m - 1, 2)
    )
    majority = sum(math.comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(m // 2 + 1, m + 1))
    assert sp.expand((2 * q - 1) * (1 + 2 * sigma) - (2 * majority - 1)) == 0
    at = Fraction(3, 5)
    assert majority_gain(at, m) == (2 * majority_accuracy(at, m) - 1) / (2 * at - 1)


def test_erratum_the_better_classifiers_risk_is_one_less_p_less_the_margin():
    rivals = Rivals.independent(0.8, 0.05)
    both_right = Fraction(4, 5) * Fraction(17, 20)
    better_right = both_right + rivals.better_alone
    assert 1 - better_right == 1 - Fraction(4, 5) - Fraction(1, 20)


def test_erratum_a_mean_squared_error_of_a_hundredth_needs_fewer_than_a_hundred_draws():
    """The mean of 100 draws of a coin has variance p(1 - p)/100, at most a quarter of what is printed."""
    p = np.linspace(0, 1, 101)
    assert (p * (1 - p) / 100).max() == 0.0025


def test_erratum_a_test_of_n_items_sums_n_gaps_not_n_plus_1():
    """The lead in accuracy on two items, by listing classifiers and labels; "i = 0" would sum a third."""
    p, e, q = Fraction(7, 10), Fraction(1, 10), Fraction(4, 5)
    sides = {0: Fraction(0), 1: Fraction(0), -1: Fraction(0)}
    for worse, better, label in product((0, 1), repeat=3):  # whether each is right
        weight = (p if worse else 1 - p) * (p + e if better else 1 - p - e)
        sides[(better == label) - (worse == label)] += weight * (q if label else 1 - q)
    leads = {}
    for first, second in product(sides, repeat=2):
        lead = first + second
        leads[lead] = leads.get(lead, 0) + sides[first] * sides[second]
    won = leads[1] + leads[2]
    a, b = gap_chances(Rivals.independent(p, e), LabelAccuracy.of(q))
    assert won == exact_law(a, b, 2).win != exact_law(a, b, 3).win


def test_erratum_the_rate_at_p_one_half():
    """Section C.1: the root is of the first two terms only, and 4 multiplies M (1 - M) alone."""
    e, voted, n = sp.symbols("epsilon M n", positive=True)
    inner = (voted * (1 - voted) - sp.Rational(1, 4)) * e**2 + sp.Rational(1, 16)
    correct, printed = 2 * sp.sqrt(inner) + sp.Rational(1, 2), 2 * sp.sqrt(inner + 0.5)
    rivals = Rivals.independent("1/2", "1/10")
    a, b = (float(chance) for chance in gap_chances(rivals, LabelAccuracy.of(0.8)))
    at = {e: 0.1, voted: 0.8}
    assert float(sp.log(correct.subs(at))) == pytest.approx(-error_rate(a, b), rel=1e-12)
    assert float(printed.subs(at)) > 1
    second = sp.series(correct**n, e, 0, 3).removeO().coeff(e, 2)
    assert sp.expand(second - n * (4 * voted * (1 - voted) - 1)) == 0
    assert second.subs(voted, 1) == -n  # as the text goes on; (4 (M (1 - M) - 1)) would be -4n
    assert (voted * (1 - voted)).subs(voted, sp.Rational(1, 2)) == sp.Rational(1, 4)


A, B, Q, D = sp.symbols("A B q delta")


def test_erratum_c_2_multiplies_q_squared():
    product_of_both = (A * Q + B * (1 - Q)) * (A * (1 - Q) + B * Q)
    rest = Q * (1 - Q) * A**2 + (1 - Q) ** 2 * A * B + Q * (1 - Q) * B**2
    assert sp.expand(product_of_both - rest - Q**2 * A * B) == 0
    assert sp.expand(product_of_both - rest - Q * A * B) != 0


def voted(q, m):
    return sum(math.comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(m // 2 + 1, m + 1))


@pytest.mark.parametrize("m", [3, 5, 9])
def test_erratum_in_c_3_the_power_is_of_one_less_q_less_delta(m):
    """The derivative of f* in delta; both terms of c_2 are printed with 1 - q + delta."""
    both, half = voted(Q + D, m), m // 2
    f = A**2 * both * (1 - both) + A * B * (voted(Q, m) * both + (1 - voted(Q, m)) * (1 - both))
    slope = m * math.comb(m - 1, half) * (Q + D) ** half
    inner = A**2 * (1 - 2 * both) * (1 - Q - D) ** half
    cross = A * B * (2 * voted(Q, m) - 1)
    correct = slope * (inner + cross * (1 - Q - D) ** half)
    printed = slope * (inner + cross * (1 - Q + D) ** half)
    assert sp.expand(sp.diff(f, D) - correct) == 0
    assert sp.expand(sp.diff(f, D) - printed) != 0


def test_erratum_f_and_g_are_positive_their_slopes_are_negative():
    rivals, q, delta = Rivals.correlated(0.7, 0.8, 0.9), Fraction(3, 5), Fraction(1, 100)
    values = []
    for more in (0, delta):
        a, b = gap_chances(rivals, LabelAccuracy.of((q + more, q)))
        values.append(a * b)  # g*
    assert min(values) > 0
    assert values[1] < values[0]


def test_erratum_the_last_display_adds_what_it_subtracts():
    """P(G = 1) has + B (1 - M_w); A M_b - B M_w differs from it by the constant B."""
    right_b, right_w = sp.symbols("M_b M_w")
    chance = A * right_b + B * (1 - right_w)
    assert sp.expand(chance - B - (A * right_b - B * right_w)) == 0
    rivals = Rivals(Fraction(1, 4), Fraction(1, 5))
    at = {A: sp.Rational(1, 4), B: sp.Rational(1, 5), right_b: sp.Rational(9, 10)}
    up = gap_chances(rivals, LabelAccuracy.of(("9/10", "7/10")))[0]
    assert Fraction(str(chance.subs(at | {right_w: sp.Rational(7, 10)}))) == up
    printed = A * right_b - B * (1 - right_w)
    assert Fraction(str(printed.subs(at | {right_w: sp.Rational(7, 10)}))) != up


def test_single_labels_win_in_two_thirds_of_the_grid_that_favours_the_worse():
    """.6767 of all points with q_w > q_b, from twelve million of them; here 150,000, in logarithms.

    The smaller of winning and not winning is compared, so that no point is left to rounding.
    """
    rng = np.random.default_rng(9)
    better, worse = (part / 1e4 for part in admissible())
    low, high = np.triu_indices(50, 1)
    pair, place = rng.integers(better.size, size=150_000), rng.integers(low.size, size=150_000)
    labels = (0.51 + low[place] / 100, 0.51 + high[place] / 100)
    m, n = rng.choice([3, 11], 150_000), rng.choice(ITEMS, 150_000)

    def law(q_b, q_w, items):
        up, down = better[pair], worse[pair]
        return log_outcomes(up * q_b + down * (1 - q_w), up * (1 - q_b) + down * q_w, items)

    one = law(*labels, m * n)
    of_three, of_eleven = ([majority_accuracy(q, k) for q in labels] for k in (3, 11))
    several = law(*np.where(m == 3, of_three, of_eleven), n)
    lost = np.logaddexp(several.tie, several.loss) - np.logaddexp(one.tie, one.loss)
    ahead = np.where(one.win < math.log(0.5), one.win - several.win, lost)
    assert (np.abs(ahead) > 1e-12).all()
    assert (ahead > 0).mean() == pytest.approx(0.6767, abs=0.005)  # four standard errors


def test_erratum_c_2_is_zero_where_the_better_is_right_whenever_the_worse_is():
    assert (
        Rivals.correlated(0.7, 0.6, 1).worse_alone * Rivals.correlated(0.7, 0.6, 1).better_alone
        == 0
    )


@pytest.mark.parametrize(
    ("item_cost", "expected", "best"),
    [
        (0, (0.65237, 0.60882, 0.58780), 1),
        (2, (0.57910, 0.57667, 0.56747), 1),
        (3, (0.56408, 0.56637, 0.55986), 3),
        (5, (0.54495, 0.55097, 0.54795), 3),
    ],
)
def test_items_that_cost_as_much_as_labels(item_cost, expected, best):
    found = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8, item_cost=item_cost)
    assert [row.win for row in found.table[:3]] == pytest.approx(expected, abs=5.1e-6)
    assert found.labels_per_item == best
    assert found.verdict == ("computed" if item_cost else "proved")


@pytest.mark.parametrize(
    ("q", "kappa"),
    [(0.55, 0.619), (0.6, 0.680), (0.7, 0.968), (0.8, 1.694), (0.9, 4.10), (0.95, 9.05)],
)
def test_item_cost_from_which_three_labels_pay_at_a_small_margin(q, kappa):
    gain = majority_gain(q, 3)
    assert (3 - gain**2) / (gain**2 - 1) == pytest.approx(kappa, rel=1e-3)
    assert [fair(q, 1, 10**8 / (1 + c)) > fair(q, 3, 10**8 / (3 + c)) for c in near(kappa)] == [
        True,
        False,
    ]


def test_labels_only_where_the_classifiers_disagree():
    found = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    other = {way.name: way for way in found.alternatives}["disagreements"]
    assert other.win == pytest.approx(0.76252, abs=5e-6)
    assert round(other.items_seen) == 4777
    narrowed = ae.plan(
        budget=1501, accuracy=0.8, margin=0.01, label_accuracy=0.8, disagreements=True
    )
    assert narrowed.win == pytest.approx(0.77050, abs=5e-6)
    assert narrowed.verdict == "computed"
    share = float(found.disagree)
    a, b = (
        float(p) / share
        for p in gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3)
    )
    assert win_probability(a, b, 501) == pytest.approx(0.71394, abs=5e-6)


def test_the_adaptive_third_label_lies_between_one_and_three():
    found = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    adaptive = {way.name: way for way in found.alternatives}["adaptive"].win
    assert adaptive == pytest.approx(0.62711, abs=5e-6)
    assert found.win_probability(3) < adaptive < found.win_probability(1)
    a, b = (float(p) for p in gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3))
    assert win_probability(a, b, 646) == pytest.approx(0.62711, abs=5e-6)
    assert win_probability(a, b, 647) == pytest.approx(0.62723, abs=5e-6)


def test_single_labels_beat_the_adaptive_third_one_at_small_gaps():
    q = np.linspace(0.5, 1, 1001)
    torn = 2 * q * (1 - q)
    assert ((1 + torn) ** 2 / (2 + torn)).max() <= 0.9 + 1e-15


@pytest.mark.parametrize(("q", "ratio"), [(0.6, 25), (0.7, 6.25), (0.8, 2.78), (0.9, 1.56)])
def test_the_price_up_to_which_gold_pays(q, ratio):
    assert 1 / (2 * q - 1) ** 2 == pytest.approx(ratio, abs=5e-3)
    assert [fair(1.0, 1, 10**8 / c) > fair(q, 1, 10**8) for c in near(ratio)] == [True, False]
    found = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8, gold_cost=3)
    gold = {way.name: way for way in found.alternatives}["gold"]
    assert gold.win == pytest.approx(
        FIGURE_1[1.0, 1500][1], abs=5.1e-6
    )  # 500 sure labels, M_3(1) = 1


@pytest.mark.parametrize(
    ("s", "theta", "n", "half", "tie"),
    [
        (0.3, 0.7, 5, 0.3197866844, 0.3052254100),
        (0.5, 0.9, 8, 0.0327015312, 0.0384954402),
        (0.75, 0.6, 7, 0.322792220703, 0.151512051),
    ],
)
def test_half_losses_and_ties_of_the_notes(s, theta, n, half, tie):
    found = outcomes(s * theta, s * (1 - theta), n)
    assert found.loss + found.tie / 2 == pytest.approx(half, abs=1e-10)
    assert found.tie == pytest.approx(tie, abs=6e-10)
    ties = sum(outcomes(s * theta, s * (1 - theta), k).tie for k in range(n))
    assert found.win + found.tie / 2 == pytest.approx(
        0.5 + s * (2 * theta - 1) / 2 * ties, rel=1e-14
    )
