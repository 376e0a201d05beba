"""When it is proved that one label for each of mn items beats a majority of m labels for each of n.

The theorem (Conjecture 1 of the paper on single labels, which it leaves open). Let a and b be the chances of
+1 and -1 with one label, c = 1 - a - b, theta = a/(a + b) the share that one label gives to the better
classifier of the items the two differ on, and theta_m the same for a majority of m. If 0 < a + b < 1,
theta > 1/2, theta_m <= M_m(theta) and ab <= 4 c^2, then for every n and every odd m >= 3 the m labels win
less often. The last holds wherever the two differ on at most 4/5 of the items; Assumptions 1 and 2 give the
one before.
"""

from __future__ import annotations

import math

from algeval.budgets.gap import LabelAccuracy, Rivals, assumption_1, gap_chances
from algeval.budgets.majority import majority_accuracy
from algeval.budgets.probability import log_outcomes

__all__ = ["gap_at_least", "why_not_proved"]


def why_not_proved(rivals: Rivals, labels: LabelAccuracy, m: int) -> str:
    """Return the condition of the theorem that fails, in words, or "" if all hold; in exact arithmetic.

    Examples
    --------
    >>> why_not_proved(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3)
    ''
    >>> why_not_proved(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 2)
    'the theorem is about odd numbers of labels from 3 on'
    """
    if m < 3 or m % 2 == 0:
        return "the theorem is about odd numbers of labels from 3 on"
    a, b = gap_chances(rivals, labels)
    s = a + b
    if a <= b:
        return "one label sides with the worse classifier as often as with the better one"
    if s == 1 or a * b > 4 * (1 - s) ** 2:
        return "the classifiers differ on too many items (the theorem reaches to 4/5)"
    # under Assumption 1 a majority never gains more (Lemma 1 of the proof), unless labels vary with the item
    plain = assumption_1(labels) and not labels.varies
    if not plain and gap_chances(rivals, labels, m)[0] > s * majority_accuracy(a / s, m):
        return "a majority gains more on the items where only the better classifier is right"
    return ""


def gap_at_least(rivals: Rivals, labels: LabelAccuracy, m: int, n: int) -> float:
    """Return what the theorem puts between the two chances of a win, given that it applies.

    W(one label, mn items) - W(m labels, n items) is at least (1/2 + (2 theta - 1)/4) times the same
    difference of ties: of n items, if m labels were right with chance M_m(theta), and of mn items. It is all
    of the gap in the limit of theta = 1/2, and three quarters of it at theta = 1.

    Examples
    --------
    >>> round(gap_at_least(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3, 500), 5)
    0.00656
    """
    a, b = gap_chances(rivals, labels)
    s, theta = float(a + b), a / (a + b)
    voted = [s * majority_accuracy(float(p), m) for p in (theta, 1 - theta)]
    one = log_outcomes(float(a), float(b), m * n).tie
    several = log_outcomes(voted[0], voted[1], n).tie
    return (1 + 2 * float(theta)) / 4 * math.exp(several) * -math.expm1(one - several)
