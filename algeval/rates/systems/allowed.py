"""What is possible without labels: how often each system passes if every judge is right so often."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.rates.inputs.pairs import Places
from algeval.rates.inputs.verdicts import label_place

__all__ = ["difference_allowed", "passes_allowed"]

Range = tuple[int, int]


def passes_allowed(votes: Votes, rows: Places, label: str, x: Fraction) -> Range | None:
    """Return the fewest and most passes if every judge is right on at least x of what it answered.

    A judge who gave the label R times and answered Q_i of Q items is wrong on at most Q_i - need of them,
    need = ceil(x Q_i), so that there are R - (Q_i - need) passes at least, and R + (Q - need) at most.
    With two labels it is exactly what the judges' counts allow, one judge at a time; their answers taken
    together could only narrow it. With more labels the label stands against all others, which widens it.

    Returns
    -------
    (int, int) or None
        None where no answer key leaves every judge right so often.

    Examples
    --------
    >>> import numpy as np
    >>> votes = Votes.from_columns({"a": list("ppppf"), "b": list("pppff")})
    >>> passes_allowed(votes, np.arange(5), "p", Fraction(4, 5))
    (3, 4)
    """
    codes, n = votes.codes[rows], len(rows)
    given = (codes == label_place(votes, label)).sum(axis=0).tolist()
    answered = (codes != NOT_ANSWERED).sum(axis=0).tolist()
    low, high = 0, n
    for passes, held in zip(given, answered, strict=True):
        need = ceil(x * held)
        low, high = max(low, passes - (held - need)), min(high, passes + n - need)
    return (low, high) if low <= high else None


def difference_allowed(
    a: Range | None, b: Range | None, n_open: int, n_items: int
) -> tuple[Fraction, Fraction] | None:
    """Return between what the difference of the two shares lies, given each system's passes.

    n_open : items on which the two can differ.

    Examples
    --------
    >>> difference_allowed((3, 4), (0, 2), 5, 5)
    (Fraction(1, 5), Fraction(4, 5))
    """
    if a is None or b is None:
        return None
    low, high = max(a[0] - b[1], -n_open), min(a[1] - b[0], n_open)
    return (Fraction(low, n_items), Fraction(high, n_items)) if low <= high else None
