"""Tables of whole numbers with given row and column sums: count, list and draw them exactly.

A judge at order 1 is such a table (rows: answers, columns: true labels, row sums: how often each
answer was given, column sums: the answer-key counts), and so is a whole exam at full order (rows:
decision tuples). The number of tables with row sums n is the coefficient of x^q in the product over
the rows of h_n(x), the sum of all monomials of degree n; that product is built row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod

from algeval.errors import TooLargeError
from algeval.logic.orders.closed_form import compositions
from algeval.logic.policy import MOST_STEPS

__all__ = [
    "Key",
    "Series",
    "Table",
    "coefficients",
    "count_all",
    "count_at",
    "refuse",
    "steps",
    "stored",
    "suffixes",
    "tables_at",
]


Key = tuple[int, ...]
Table = tuple[Key, ...]
Series = dict[Key, int]


def refuse(needed: int, what: str, advice: str, *, most: int = MOST_STEPS) -> None:
    """Raise `TooLargeError` with the estimate if more is needed than is done."""
    if needed > most:
        raise TooLargeError(
            f"{what} would take about {needed:.3g} steps, more than {most}; {advice}"
        )


def steps(rows: Sequence[int], labels: int, high: Key | None = None) -> int:
    """Estimate the additions that `coefficients` needs."""
    total, done = 0, 0
    for n in sorted(rows):
        done += n
        states = comb(done + labels - 1, labels - 1)
        if high is not None:
            states = min(states, prod(h + 1 for h in high[1:]))
        total += states if labels <= 2 else states * comb(n + labels - 1, labels - 1)
    return total


def stored(rows: Sequence[int], labels: int, high: Key | None = None) -> int:
    """Estimate the numbers that `suffixes` keeps."""
    total, done = 0, 0
    for n in reversed(rows):
        done += n
        states = comb(done + labels - 1, labels - 1)
        total += states if high is None else min(states, prod(h + 1 for h in high[1:]))
    return total


def count_all(rows: Sequence[int], labels: int) -> int:
    """Count the tables with these row sums, whatever the column sums: a closed form."""
    return prod(comb(n + labels - 1, labels - 1) for n in rows)


def coefficients(rows: Sequence[int], labels: int, high: Key | None = None) -> Series:
    """Return {q: number of tables with row sums `rows` and column sums q}.

    With `high`, columns sums above it in any column are left out.
    """
    series: Series = {(0,) * labels: 1}
    for n in sorted(rows):
        series = _times(series, n, high)
    return series


def suffixes(rows: Sequence[int], labels: int, high: Key | None = None) -> list[Series]:
    """Return the coefficients of rows k, k+1, ... for every k, for drawing from the first row on."""
    result: list[Series] = [{(0,) * labels: 1}]
    for n in reversed(rows):
        result.append(_times(result[-1], n, high))
    return result[::-1]


def _times(series: Series, n: int, high: Key | None) -> Series:
    if n == 0:
        return series
    labels = len(next(iter(series)))
    if labels == 2:
        return _times_two(series, n, high)
    bound = (n,) * labels if high is None else tuple(min(n, h) for h in high)
    steps_ = list(compositions((0,) * labels, bound, n))
    result: Series = {}
    for old, ways in series.items():
        for step in steps_:
            new = tuple(map(int.__add__, old, step))
            if high is None or all(a <= b for a, b in zip(new, high, strict=True)):
                result[new] = result.get(new, 0) + ways
    return result


def _times_two(series: Series, n: int, high: Key | None) -> Series:
    """Two labels: a sliding window of n + 1 terms."""
    total = sum(next(iter(series)))
    sums = [0, *accumulate(series.get((k, total - k), 0) for k in range(total + 1))]
    size = total + n
    low, top = (0, size) if high is None else (max(0, size - high[1]), min(size, high[0]))
    windows = {
        (k, size - k): sums[min(k, total) + 1] - sums[max(0, k - n)] for k in range(low, top + 1)
    }
    return {key: ways for key, ways in windows.items() if ways}


def count_at(rows: Sequence[int], key: Key) -> int:
    """Count the tables with these row sums and column sums."""
    return coefficients(rows, len(key), key).get(key, 0)


def tables_at(rows: Sequence[int], key: Key) -> Iterator[Table]:
    """Yield every table with these row and column sums, lexicographically descending.

    Every beginning can be completed, so nothing is tried in vain.
    """
    if not rows:
        if not any(key):
            yield ()
        return
    zero = (0,) * len(key)
    for first in compositions(zero, key, rows[0]):
        rest = tuple(k - f for k, f in zip(key, first, strict=True))
        for others in tables_at(rows[1:], rest):
            yield (first, *others)
