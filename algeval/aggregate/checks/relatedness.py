"""Are the judges' answers related at all? Where they are not, no method can tell labels from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc, ndtr

from algeval.aggregate import policy
from algeval.aggregate.checks.agreement import pair_tables
from algeval.aggregate.results import Floats
from algeval.aggregate.votes import choose_engine, triples_of
from algeval.data.names import Codes, Counts

__all__ = ["Related", "relatedness", "unrelated_note"]


class Related(NamedTuple):
    """P-values of judges whose answers have nothing to do with each other.

    Attributes
    ----------
    agreement : float
        Of agreeing so often, summed over pairs of judges.
    tables : float
        Of tables of pairs so far from independence (Pearson's sums), in whichever direction.
    """

    agreement: float
    tables: float

    @property
    def p_value(self) -> float:
        """The smaller of the two, doubled for there are two."""
        return min(1.0, 2 * min(self))


def relatedness(codes: Codes, counts: Counts, n_answers: int) -> Related | None:
    """Test whether the answers of different judges are independent of each other, label or no label.

    It needs no model and tells nothing of who is right: copies and good judges are both related.

    Parameters
    ----------
    codes : (U, N) int array
        Decision tuples, -1 where a judge did not answer.
    counts : (U,) int array
        Items with each.
    n_answers : int

    Returns
    -------
    Related or None
        None where no pair of judges has two items in common and both vary on them, or the table of
        pairs would have more than 2^22 cells.

    Notes
    -----
    Given how often each of two judges gave each answer on their common items, independence makes
    every matching of their answers equally likely. The mean and variance of agreements and of
    Pearson's sum under these permutations are known exactly (Mantel 1967; Haldane 1940, Dawson
    1954); pairs of independent judges are uncorrelated, so both add up over pairs. The first sum is taken
    for normal, the second for a gamma variable.

    Coins were called related in 4% to 7% of 300 to 1,000 simulated exams each (3 to 60 judges, 10 to 300
    items, 2 to 12 answers, votes missing or rare). Three judges of accuracy .9, .8, .7 on 60 items of
    two labels were called related in 99%, of .8, .7, .6 in 51%; .8, .7, .7 on 25 items of three labels
    in 97%; .8, .8 and a flipped .2 on 100 items always.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1]], np.int16)
    >>> relatedness(codes, np.array([9, 2, 9]), 2).p_value < 0.001
    True
    """
    n_judges = codes.shape[1]
    if (n_judges * n_answers) ** 2 > policy.MOST_RELATED_CELLS:
        return None
    first, second = np.triu_indices(n_judges, 1)
    tables = _pairs(codes, counts, n_answers)[first, second].astype(float)
    n = tables.sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    varied = (n > 1) & (rows.max(axis=1) < n) & (columns.max(axis=1) < n)
    if not varied.any():
        return None
    tables, n, rows, columns = (part[varied] for part in (tables, n, rows, columns))
    return Related(_agreement(tables, n, rows, columns), _pearson(tables, n, rows, columns))


def unrelated_note(codes: Codes, counts: Counts, n_answers: int) -> list[str]:
    """Return the sentence on judges that could be coins, if these could."""
    found = relatedness(codes, counts, n_answers)
    if found is None or found.p_value <= policy.RELATED_LEVEL:
        return []
    return [
        f"The judges' answers are no more related to each other than those of coins might be "
        f"(p = {found.p_value:.2f}): nothing found from them alone says what the labels are or who "
        "is good."
    ]


def _pairs(codes: Codes, counts: Counts, a: int) -> Counts:
    """Return (N, N, A, A): items on which judge i gave answer a and judge j answer b."""
    n = codes.shape[1]
    if choose_engine(codes, a) == "patterns":
        return pair_tables(codes, counts, a)
    from scipy.sparse import csr_array

    row, judge, answer = triples_of(codes)
    shape = (len(codes), n * a)
    given = csr_array((np.ones(len(row), np.int64), (row, judge * a + answer)), shape=shape)
    counted = csr_array((counts[row], (row, judge * a + answer)), shape=shape)
    found: Counts = (given.T @ counted).toarray().reshape(n, a, n, a).transpose(0, 2, 1, 3)
    return found


def _agreement(tables: Floats, n: Floats, rows: Floats, columns: Floats) -> float:
    """Return the p-value of as many agreements, from (P, A, A) tables and their margins."""
    same = np.eye(tables.shape[1])
    expected = (rows * columns).sum(axis=1) / n
    off = (
        same - (columns[:, :, None] + rows[:, None, :] - expected[:, None, None]) / n[:, None, None]
    )
    squares = (rows[:, :, None] * columns[:, None, :] * off**2).sum(axis=(1, 2))
    variance = float((squares / (n - 1)).sum())
    beyond = float((np.trace(tables, axis1=1, axis2=2) - expected).sum())
    if variance <= policy.ROUNDING:
        return 1.0
    return float(ndtr(-beyond / np.sqrt(variance)))


def _pearson(tables: Floats, n: Floats, rows: Floats, columns: Floats) -> float:
    """Return the p-value of Pearson's sums so large; pairs of fewer than 4 items are left out."""
    enough = n > 3  # its variance is not known below
    if not enough.any():
        return 1.0
    tables, n, rows, columns = (part[enough] for part in (tables, n, rows, columns))
    product = rows[:, :, None] * columns[:, None, :]
    shares = np.divide(tables**2, product, where=product > 0, out=np.zeros_like(tables))
    found = float((n * (shares.sum(axis=(1, 2)) - 1)).sum())
    (v_row, w_row), (v_column, w_column) = _margin(rows, n), _margin(columns, n)
    mean = float((n * (_used(rows) - 1) * (_used(columns) - 1) / (n - 1)).sum())
    spread = 2 * n / (n - 3) * (v_row - w_row) * (v_column - w_column)
    variance = float((spread + n**2 / (n - 1) * w_row * w_column).sum())
    if variance <= policy.ROUNDING:
        return 1.0
    return float(gammaincc(mean**2 / variance, max(found, 0.0) * mean / variance))


def _used(margin: Floats) -> Floats:
    result: Floats = (margin > 0).sum(axis=1).astype(float)
    return result


def _margin(margin: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return what Dawson's variance needs of one margin (P, A)."""
    used = _used(margin)
    inverse = np.divide(1.0, margin, where=margin > 0, out=np.zeros_like(margin)).sum(axis=1)
    return (n - used) * (used - 1) / (n - 1), (n * inverse - used**2) / (n - 2)
