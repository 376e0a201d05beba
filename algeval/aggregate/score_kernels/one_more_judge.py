"""The key as one more judge: how probable the higher class is, given what is known of the trait.

Arrays in, arrays out. What judges share is not the label. So the label is taken for the answer of one
more judge, drawn from those there are: it goes with the trait as some judge does, not perfectly.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from algeval.aggregate.kernels.one_factor import KeyLaw, key_posterior
from algeval.aggregate.results import Floats

__all__ = ["Panel", "drawn_judge", "panel_of", "trait_itself"]

Panel = tuple[Floats, Floats, Floats]
"""(K,) loadings, thresholds and weights of the judges the key may be like."""


def panel_of(loading: Floats, *, quantile: float, counted: float | None, informed: bool) -> Panel:
    """Return the panel a key is drawn from.

    Parameters
    ----------
    loading : (N,) array
        Correlations of the judges with the trait; one that goes against it is taken to say nothing.
    quantile : float
        Normal quantile of the share of the lower class.
    counted : float or None
        Of a share that was only counted: the standard deviation of the trait's means, at whose own
        quantile they are cut, which is nearer to the middle. None for one that was told.
    informed : bool
        Whether judges weigh by loading^2, or all alike.
    """
    able = np.clip(loading, 0.0, 0.999)
    threshold = np.full(len(able), quantile) if counted is None else able * quantile * counted
    weight = able**2 if informed else np.ones(len(able))
    weight = weight if weight.sum() > 0 else np.ones(len(able))
    return able, threshold, weight / weight.sum()


def drawn_judge(mean: Floats, variance: Floats, panel: Panel) -> Floats:
    """Return (n,) the probability that the drawn judge says the higher class."""
    total = np.zeros(len(mean))
    for loading, threshold, weight in zip(*panel, strict=True):
        total += weight * key_posterior(mean, variance, KeyLaw(loading, threshold))
    return total


def trait_itself(mean: Floats, variance: Floats, share: float) -> Floats:
    """Return (n,) the probability that the trait itself is in its upper `share`.

    It is as sure as if the trait were the label.
    """
    result: Floats = ndtr((mean + ndtri(share)) / np.sqrt(np.maximum(variance, 1e-12)))
    return result
