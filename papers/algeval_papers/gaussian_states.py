"""Scores of judges in hidden states: a mean per state and judge, independent normal errors of size 1.

The designs are those of CARE, E.9, with amplitudes of our own where the paper's are not given: a
quality and a confounder, both 0 or 1, make four states. The exact posterior of the quality is the
yardstick that no method of scores can beat.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import set_fields
from algeval.errors import DataError
from algeval.models.binary import Floats, log_sum_exp

__all__ = ["GaussianStates", "second_order_insufficient", "second_order_sufficient"]


# --- Scores of judges in hidden states: a mean per state and judge, independent normal errors of
# size 1.
#
# The designs are those of CARE, E.9, with amplitudes of our own where the paper's are not given:
# a quality and a confounder, both 0 or 1, make four states. The exact posterior of the quality is
# the yardstick that no method of scores can beat.


QUALITY = np.array([0, 0, 1, 1])
CONFOUNDER = np.array([0, 1, 0, 1])


@dataclass(frozen=True, slots=True, eq=False)
class GaussianStates:
    """The law of scores whose means depend on a hidden state.

    Parameters
    ----------
    shares : (S,) array
        Probability of each state; they sum to 1.
    means : (S, N) array
        Mean score of each judge in each state, in standard deviations of a judge's error.

    Examples
    --------
    >>> law = GaussianStates([0.5, 0.5], [[-1.0, -1.0], [1.0, 1.0]])
    >>> law.posterior([[0.0, 0.0], [1.0, 1.0]]).round(3).tolist()
    [[0.5, 0.5], [0.018, 0.982]]
    """

    shares: Floats
    means: Floats

    def __init__(self, shares: ArrayLike, means: ArrayLike) -> None:
        weights, table = np.array(shares, float), np.array(means, float)
        if weights.ndim != 1 or table.ndim != 2 or len(weights) != len(table):
            raise DataError(
                f"means must have one row per state; got shapes {weights.shape} and {table.shape}"
            )
        if (weights < 0).any() or abs(weights.sum() - 1) > 1e-9 or not np.isfinite(table).all():
            raise DataError(
                f"shares must be at least 0 and sum to 1, and means finite; got shares {weights.tolist()}"
            )
        set_fields(self, shares=weights, means=table)

    @property
    def n_judges(self) -> int:
        """Number of judges, N."""
        return len(self.means.T)

    def sample(self, n: int, rng: np.random.Generator | int) -> tuple[NDArray[np.intp], Floats]:
        """States (n,) and scores (n, N) of n items."""
        generator = np.random.default_rng(rng)
        states = generator.choice(len(self.shares), size=n, p=self.shares)
        return states, self.means[states] + generator.standard_normal((n, self.n_judges))

    def posterior(self, scores: ArrayLike) -> Floats:
        """Return (n, S): the probability of each state given the scores of each item."""
        rows = np.asarray(scores, float)
        inner = rows @ self.means.T - (self.means**2).sum(axis=1) / 2
        with np.errstate(divide="ignore"):
            inner = inner + np.log(self.shares)
        result: Floats = np.exp(inner - log_sum_exp(inner)[:, None])
        return result


def second_order_sufficient(strength: float, *, quality: float = 2.0) -> GaussianStates:
    """Five judges of whom three tell the quality; the other two follow a confounder, opposed.

    The design of CARE, E.9.1, with amplitudes of our own: means of (quality, confounder) are
    +-`quality` and 0 for three judges, +-.5 and +6 `strength` for the fourth, +-.5 and -`strength` for
    the fifth. At any strength from 0 to 1 the three are what correlates most, so one factor finds
    the quality, while the average of scores is more and more the fourth judge's.

    Examples
    --------
    >>> second_order_sufficient(0.5).means[3].tolist()
    [2.0, 2.0, 2.0, 3.5, 0.0]
    """
    of_quality = np.array([quality, quality, quality, 0.5, 0.5])
    of_confounder = strength * np.array([0.0, 0.0, 0.0, 6.0, -1.0])
    return _four_states(of_quality, of_confounder)


def second_order_insufficient(strength: float, *, amplitude: float = 0.8) -> GaussianStates:
    """Three views of eight judges, most of which follow a confounder alone.

    The design of CARE, E.9.2, with an amplitude of our own: in each view two judges have means
    +-`amplitude` by the quality, five +-`strength` times that by the confounder, one both. From a
    strength of about 2/3 on the confounder is what correlates most, and no method that reads
    correlations alone can know that it is none.

    Examples
    --------
    >>> second_order_insufficient(0.5).means[2, :8].tolist()
    [0.8, 0.8, -0.4, -0.4, -0.4, -0.4, -0.4, 0.4]
    """
    of_quality = amplitude * np.array([1.0, 1, 0, 0, 0, 0, 0, 1])
    of_confounder = amplitude * strength * np.array([0.0, 0, 1, 1, 1, 1, 1, 1])
    return _four_states(np.tile(of_quality, 3), np.tile(of_confounder, 3))


def _four_states(of_quality: Floats, of_confounder: Floats) -> GaussianStates:
    """Four equally frequent states, in the order of (quality, confounder) as two bits."""
    signs = 2 * np.stack([QUALITY, CONFOUNDER], axis=1) - 1
    return GaussianStates(np.full(4, 0.25), signs @ np.stack([of_quality, of_confounder]))
