"""The same law as a mixture: how many items decide is binomial, and so is how many of these are won.

In logarithms throughout, so that nothing underflows. The logarithm of n! is about n log n, and its last
digit is lost: the relative error is some n log n times 2e-16, so 1e-12 from n = 1,000 on.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

from algeval.budgets.kernel.law import LogLaw, rest

__all__ = ["log_mixture"]


def log_mixture(a: float, b: float, n: int) -> LogLaw:
    """Return the logarithms of win, tie and loss; memory grows as n squared."""
    decided = np.arange(n + 1)[:, None]
    won = np.arange(n + 1)[None, :]
    possible = won <= decided
    lost = np.where(possible, decided - won, 0)
    undecided = n - decided
    c = rest(np.asarray(a), np.asarray(b))
    ways = gammaln(n + 1) - gammaln(undecided + 1) - gammaln(won + 1) - gammaln(lost + 1)
    logs = ways + xlogy(undecided, c) + xlogy(won, a) + xlogy(lost, b)
    lead = 2 * won - decided
    with np.errstate(divide="ignore"):
        return LogLaw(
            *(
                logsumexp(np.where(possible & chosen, logs, -np.inf))
                for chosen in (lead > 0, lead == 0, lead < 0)
            )
        )
