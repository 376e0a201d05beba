"""Two gamblers bet on every rate at once; a rate at which one of them has grown rich is excluded.

At the true rate no bet has an edge, so neither gambler multiplies the first stake by 2/alpha with a chance
above alpha/2, ever: what is excluded may be looked at after every label.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from algeval.rates.policy import STREAM_STAKE, STREAM_STEPS

__all__ = ["Capital", "stake"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Capital:
    """What the gamblers own at each rate of the grid that is still open.

    Attributes
    ----------
    first : int
        Place on the grid of the first of these rates.
    above, below : (n_open,) float arrays
        Logarithms of the capital of who bets that the rate is higher, and of who bets that it is lower.
        Along the rates the one never rises and the other never falls, so that open rates are neighbours.
    """

    first: int
    above: Floats
    below: Floats

    @classmethod
    def start(cls) -> Capital:
        """Return the capital before the first bet: one, at every rate."""
        return cls(0, np.zeros(STREAM_STEPS + 1), np.zeros(STREAM_STEPS + 1))

    @property
    def last(self) -> int:
        """Place on the grid of the last open rate."""
        return self.first + len(self.above) - 1

    def after(self, x: float, ends: tuple[float, float], bet: float) -> Capital:
        """Return the capital when `x`, known to lie between `ends`, has come.

        bet : the share of the capital staked a unit of x, chosen before x was seen.
        """
        rates = np.arange(self.first, self.last + 1) / STREAM_STEPS
        low, high = ends
        with np.errstate(divide="ignore"):  # no stake is too high at the end that x cannot pass
            up = np.minimum(bet, STREAM_STAKE / (rates - low))
            down = np.minimum(bet, STREAM_STAKE / (high - rates))
        return Capital(
            self.first,
            self.above + np.log1p(up * (x - rates)),
            self.below + np.log1p(-down * (x - rates)),
        )

    def torn(self, alpha: float) -> bool:
        """Whether no rate is left between those that the two gamblers exclude."""
        return sum(self._rich(alpha)) > len(self.above)

    def without_excluded(self, alpha: float) -> Capital:
        """Return the open rates and their excluded neighbours, which are the ends; all, if torn."""
        if self.torn(alpha):
            return self
        up, down = self._rich(alpha)
        start, stop = max(up - 1, 0), len(self.below) - max(down - 1, 0)
        return Capital(self.first + start, self.above[start:stop], self.below[start:stop])

    def _rich(self, alpha: float) -> tuple[int, int]:
        """Return how many rates each gambler excludes, from either end; an end that moved was excluded."""
        rich = log(2 / alpha)
        up, down = int((self.above >= rich).sum()), int((self.below >= rich).sum())
        return max(up, self.first > 0), max(down, self.last < STREAM_STEPS)


def stake(n: int, squares: float, alpha: float) -> float:
    """Return the bet for the next value after n of them: bold while little is known, then ever smaller.

    squares : sum of squared distances of the values so far from their running mean.
    """
    t = n + 1
    variance = (0.25 + squares) / t
    return sqrt(2 * log(2 / alpha) / (variance * t * log(1 + t)))
