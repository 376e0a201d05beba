"""Two labels an item, and a third where they differ, until the budget is spent."""

from __future__ import annotations

import numpy as np

from algeval.budgets.gap import Rivals
from algeval.budgets.probability import Outcomes
from algeval.data.score_checks import Floats

__all__ = ["adaptive_outcomes"]


def adaptive_outcomes(rivals: Rivals, q: float, budget: int) -> Outcomes:
    """Return the chances of a win, a tie and a loss if the third label is bought where two labels differ.

    An item costs two labels, or three with chance 2q(1 - q); it is as good as a majority of three. Items
    are labelled while three labels can be paid, so their number is random. Exact; time grows as budget
    squared.

    Parameters
    ----------
    rivals : Rivals
    q : float
        Chance that a label is right, whatever the item.
    budget : int
        Labels to spend.

    Examples
    --------
    >>> round(adaptive_outcomes(Rivals.independent(0.8, 0.01), 0.8, 1500).win, 5)
    0.62711
    """
    cheap, dear = _items(rivals, float(q))
    spent = [np.zeros(budget + 3) for _ in range(3)]
    spent[0][_middle(budget)] = 1.0
    total = np.zeros(budget + 3)
    for left in range(budget, -1, -1):
        here, spent = spent[0], [*spent[1:], np.zeros(budget + 3)]
        if left < 3:
            total += here
            continue
        _add(spent[1], here, cheap)
        _add(spent[2], here, dear)
    return _signs(total, _middle(budget))


def _middle(budget: int) -> int:
    return budget // 2 + 1


def _items(rivals: Rivals, q: float) -> tuple[Floats, Floats]:
    """Return the chances of -1, 0 and +1 with two labels, and with three."""
    better, worse = float(rivals.better_alone), float(rivals.worse_alone)
    same, torn = 1 - better - worse, 2 * q * (1 - q)
    both, none = q**2, (1 - q) ** 2
    cheap = [better * none + worse * both, same * (1 - torn), better * both + worse * none]
    dear = [
        torn * (better * (1 - q) + worse * q),
        torn * same,
        torn * (better * q + worse * (1 - q)),
    ]
    return np.array(cheap), np.array(dear)


def _add(target: Floats, law: Floats, item: Floats) -> None:
    target[:-1] += item[0] * law[1:]
    target += item[1] * law
    target[1:] += item[2] * law[:-1]


def _signs(total: Floats, zero: int) -> Outcomes:
    win, loss = float(total[zero + 1 :].sum()), float(total[:zero].sum())
    return Outcomes(min(win, 1.0), float(total[zero]), min(loss, 1.0))
