"""Are the rows of judges the same items? Judges who go against all others, by id or by position.

A file whose rows are in another order than its neighbours', read by position, makes a good judge look
adversarial rather than random where items are sorted by class: it must then be suspected, not trusted
with its sign turned round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algeval.data.score_checks import Floats
from algeval.data.scores import Scores
from algeval.errors import DataError
from algeval.result.base import Record

Bools = NDArray[np.bool_]

__all__ = ["Misaligned", "misaligned", "misread_by_position"]

_AGAINST = -0.2
"""A judge below this correlation with the others is named; harmless weak judges are near 0."""

_APART = 0.2
"""Two ways of matching rows differ if their correlations do by this."""

_CHANCE = 1e-3
"""How rare the correlation of an unrelated judge must be, over all judges together."""

_FEWEST = 4
"""Items below which a correlation has no standard error."""

_NO_SPREAD = 1e-9
"""Scores within this of each other are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misaligned(Record):
    """A judge whose rows may not be the items the others scored.

    Attributes
    ----------
    judge : str
    correlation : float
        With the mean of the others' standardised scores, items matched by id.
    by_position : float or None
        The same with rows matched by their place; None where there is one table only.
    n_items : int
        Items behind the correlation.
    """

    judge: str
    correlation: float
    by_position: float | None = None
    n_items: int

    def sentence(self) -> str:
        """Return what was seen and what to look at, as a sentence."""
        if self.by_position is None:
            return (
                f"{self.judge} correlates {self.correlation:+.2f} with the mean of the others, who agree "
                "with each other: its scale is turned round, or its rows are other items; join files on "
                "item ids, not on position."
            )
        better = "by position" if self.by_position > self.correlation else "by id"
        doubt = (
            "are the ids row numbers of another order?"
            if better == "by position"
            else "rows are in another order here, and must not be matched by position."
        )
        return (
            f"{self.judge} correlates {self.correlation:+.2f} with the others if items are matched by id, "
            f"{self.by_position:+.2f} if rows are matched by position: {doubt}"
        )


def misaligned(scores: Scores) -> tuple[Misaligned, ...]:
    """Return the judges who go against all others, while those agree: reversed or misread.

    Use it after reading a table. A judge is named if its correlation with the mean of the others is
    below -.2 and such a value by chance is rarer than .001 over all judges, the worst first, who is then
    no more one of the others; nobody is, if those who are left do not agree with each other, or are no
    more than those who were named. Two judges cannot say which of them is the wrong one.

    Examples
    --------
    >>> rows = np.arange(40.0)
    >>> s = Scores.from_columns({"i": rows, "j": rows + rows % 3, "k": rows % 7 + rows, "bad": -rows})
    >>> [found.judge for found in misaligned(s)]
    ['bad']
    """
    z = _standard(scores.values)
    keep = np.ones(scores.n_judges, bool)
    found = _with_the_rest(z, keep)
    while (place := _worst(found, keep)) is not None:
        keep[place] = False
        found = _with_the_rest(z, keep)
    rest = [r for (r, _), kept in zip(found, keep, strict=True) if kept]
    if 2 * len(rest) <= len(keep) or min(rest) <= _AGAINST or np.median(rest) <= 0:
        return ()
    return tuple(
        Misaligned(judge=judge, correlation=r, n_items=n)
        for judge, (r, n), kept in zip(scores.judges, found, keep, strict=True)
        if not kept and r < _AGAINST
    )


def _with_the_rest(z: Floats, keep: Bools) -> list[tuple[float, int]]:
    """Return each judge's correlation with the mean of the others that are kept, and on how many items."""
    seen = ~np.isnan(z)
    given = np.where(seen, z, 0.0)
    total, count = given @ keep, seen @ keep.astype(int)
    return [
        _correlation(z[:, j], total - keep[j] * given[:, j], count - keep[j] * seen[:, j])
        for j in range(len(keep))
    ]


def _worst(found: list[tuple[float, int]], keep: Bools) -> int | None:
    """Return the judge who goes against the others most, beyond chance; None where nobody does."""
    against = [j for j in np.flatnonzero(keep).tolist() if _is_against(*found[j], len(keep))]
    return min(against, key=lambda j: found[j][0], default=None)


def misread_by_position(first: Scores, second: Scores) -> tuple[Misaligned, ...]:
    """Return the judges of `second` for whom it matters that rows are matched by id.

    Use it before two files of the same length are put side by side. Named are judges who correlate with
    the mean of `first` at least .2 higher one way than the other, the higher one positive beyond chance:
    mostly files sorted differently, and sometimes ids that number rows.

    Raises
    ------
    DataError
        If the tables are not of the same length: rows then have no common position.

    Examples
    --------
    >>> up, down = [str(k) for k in range(40)], [str(k) for k in reversed(range(40))]
    >>> i = Scores.from_columns({"i": range(40)}, items=up)
    >>> j = Scores.from_columns({"j": range(39, -1, -1)}, items=down)
    >>> [(f.judge, round(f.correlation, 2), round(f.by_position, 2)) for f in misread_by_position(i, j)]
    [('j', 1.0, -1.0)]
    """
    if first.n_items != second.n_items:
        raise DataError(
            "tables must have as many items to be matched by position; got "
            f"{first.n_items} and {second.n_items}; join them on ids, with first.join(second)"
        )
    place = {item: at for at, item in enumerate(first.items)}
    rows = np.array([place.get(item, -1) for item in second.items])
    both = rows >= 0
    left, right = _standard(first.values), _standard(second.values)
    found = []
    for j, judge in enumerate(second.judges):
        by_id, n = _with_mean(right[both, j], left[rows[both]])
        by_position, m = _with_mean(right[:, j], left)
        highest = max((by_id, n), (by_position, m))
        if abs(by_id - by_position) >= _APART and _is_against(-highest[0], highest[1], 1, 0.0):
            told = Misaligned(judge=judge, correlation=by_id, by_position=by_position, n_items=n)
            found.append(told)
    return tuple(found)


def _standard(values: Floats) -> Floats:
    """Return (n_items, N) scores with mean 0 and deviation 1; NaN where missing or never varying."""
    seen = ~np.isnan(values)
    n = np.maximum(seen.sum(axis=0), 1)
    left = values - np.where(seen, values, 0.0).sum(axis=0) / n
    spread = np.sqrt(np.where(seen, left**2, 0.0).sum(axis=0) / n)
    result: Floats = left / np.where(spread > _NO_SPREAD, spread, np.nan)
    return result


def _with_mean(own: Floats, others: Floats) -> tuple[float, int]:
    """Return the correlation of scores with the mean of others, and on how many items."""
    seen = ~np.isnan(others)
    return _correlation(own, np.where(seen, others, 0.0).sum(axis=1), seen.sum(axis=1))


def _correlation(own: Floats, total: Floats, count: NDArray[np.intp]) -> tuple[float, int]:
    """Return the correlation of scores with sums over counts, and on how many items; 0 if there is none."""
    both = (count > 0) & ~np.isnan(own)
    x, y = own[both], total[both] / count[both]
    if len(x) < _FEWEST or np.ptp(x) < _NO_SPREAD or np.ptp(y) < _NO_SPREAD:
        return 0.0, len(x)
    return float(np.corrcoef(x, y)[0, 1]), len(x)


def _is_against(r: float, n: int, n_judges: int, limit: float = _AGAINST) -> bool:
    """Whether a correlation is below the limit, and below 0 beyond chance."""
    if r >= limit or n < _FEWEST:
        return False
    deviations = math.atanh(max(r, -1 + 1e-12)) * math.sqrt(n - 3)
    return math.erfc(-deviations / math.sqrt(2)) / 2 < _CHANCE / n_judges
