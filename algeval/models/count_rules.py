"""Rules that decide from the number of 1 votes alone, and how often each is wrong.

Equal judges are exchangeable: how many said 1 is all that their votes tell. A rule is then an array of
K + 1 decisions, one for each number of 1 votes, and its risk a sum of K + 1 terms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.errors import DataError
from algeval.models.binary import TIE, Floats, check_probability, independent_count_odds, logit

__all__ = [
    "bayes_decisions",
    "changes",
    "count_risk",
    "independent_decisions",
    "size_decisions",
    "size_log_ratio",
    "size_posterior_decisions",
    "sizes",
]

Decisions = NDArray[np.bool_]


def bayes_decisions(prevalence: float, log_pmf0: Floats, log_pmf1: Floats) -> Decisions:
    """Return (K + 1,): whether Bayes' rule decides label 1, for each number of 1 votes.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    log_pmf0, log_pmf1 : (K + 1,) arrays
        Log-probability of each number of 1 votes given label 0 and 1.

    Examples
    --------
    >>> from algeval.models.curie_weiss import CurieWeiss
    >>> herd, crowd = CurieWeiss(4, 2.0).log_pmf(), CurieWeiss(4, 0.5).log_pmf()
    >>> bayes_decisions(0.5, crowd, herd).tolist()
    [True, False, False, False, True]
    """
    prior = logit(check_probability("prevalence", prevalence))
    decisions: Decisions = prior + log_pmf1 - log_pmf0 >= -TIE
    return decisions


def independent_decisions(prevalence: float, log_pmf0: Floats, log_pmf1: Floats) -> Decisions:
    """Return (K + 1,): the decisions of one who knows the marginals and assumes independence."""
    decisions: Decisions = independent_count_odds(prevalence, log_pmf0, log_pmf1) >= -TIE
    return decisions


def sizes(n_judges: int) -> Floats:
    """Return (K + 1,): |M|, how far the votes are from an even split, from 0 to 1, by the 1 votes."""
    result: Floats = np.abs(2 * np.arange(n_judges + 1) - n_judges) / n_judges
    return result


def size_decisions(n_judges: int, threshold: float) -> Decisions:
    """Return (K + 1,): label 1 where |M| is at least the threshold, whichever answer leads.

    Balasubramanian et al., Theorem 2; Theorem 1's rule on the square of M has the threshold's square.
    """
    decisions: Decisions = sizes(n_judges) >= threshold
    return decisions


def size_log_ratio(log_pmf0: Floats, log_pmf1: Floats) -> tuple[Floats, Floats]:
    """Return |M| ascending, and log P(|M| given label 1) / P(|M| given label 0) (appendix D.2).

    Examples
    --------
    >>> from algeval.models.curie_weiss import CurieWeiss
    >>> size, ratio = size_log_ratio(CurieWeiss(4, 0.5).log_pmf(), CurieWeiss(4, 2.0).log_pmf())
    >>> size.tolist(), ratio.round(2).tolist()
    ([0.0, 0.5, 1.0], [-1.84, -1.09, 1.16])
    """
    k = len(log_pmf0) - 1
    first = (k + 1) // 2
    ratio = np.logaddexp(log_pmf1, log_pmf1[::-1]) - np.logaddexp(log_pmf0, log_pmf0[::-1])
    return sizes(k)[first:], ratio[first:]


def size_posterior_decisions(prevalence: float, log_pmf0: Floats, log_pmf1: Floats) -> Decisions:
    """Return (K + 1,): the best decisions of one who is told |M| and not which answer leads."""
    prior = logit(check_probability("prevalence", prevalence))
    _, ratio = size_log_ratio(log_pmf0, log_pmf1)
    k = len(log_pmf0) - 1
    folded = ratio[np.maximum(np.arange(k + 1), np.arange(k + 1)[::-1]) - (k + 1) // 2]
    decisions: Decisions = prior + folded >= -TIE
    return decisions


def count_risk(
    prevalence: float, log_pmf0: Floats, log_pmf1: Floats, decisions: ArrayLike
) -> float:
    """Exact chance of error of a rule on the number of 1 votes.

    Raises
    ------
    DataError
        If there is not one decision for each number of 1 votes.

    Examples
    --------
    >>> import numpy as np
    >>> count_risk(0.25, np.log([0.5, 0.5]), np.log([0.1, 0.9]), [False, False])
    0.25
    """
    check_probability("prevalence", prevalence)
    decided = np.asarray(decisions, bool)
    if decided.shape != log_pmf0.shape:
        raise DataError(
            f"decisions must be {len(log_pmf0)}, one for each number of 1 votes; got shape {decided.shape}"
        )
    wrong = (
        np.where(decided, np.exp(log_pmf0), 0.0).sum(),
        np.where(decided, 0.0, np.exp(log_pmf1)).sum(),
    )
    return float((1 - prevalence) * wrong[0] + prevalence * wrong[1])


def changes(decisions: ArrayLike) -> int:
    """How often decisions change along the line: 1 is one cut, 2 an interval.

    Examples
    --------
    >>> changes([True, False, False, True])
    2
    """
    return int(np.count_nonzero(np.diff(np.asarray(decisions, bool))))
