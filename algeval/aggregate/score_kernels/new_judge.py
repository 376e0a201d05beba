"""What one more judge of the panel would say of an item, given the posterior of a graded trait.

Arrays in, arrays out. A trait is what judges share, not the label, so the probability that it is
positive is too sure of itself. One more judge, drawn from the panel, errs as those of the panel do.
Posteriors are (rows, G) on the nodes (G,) of a grid.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.graded_response import Curves
from algeval.aggregate.score_kernels.score_levels import Levels

__all__ = [
    "higher_share",
    "level_shares",
    "median_score",
    "own_thresholds",
    "panel_weights",
    "prevalence_thresholds",
    "trait_share",
]


def panel_weights(strength: Floats) -> Floats:
    """Return (N,) chances of drawing each judge: the squares of its strength, none of a negative one.

    Strengths are slopes for a score, where the best judge shall lead, and loadings for a class.
    """
    weight = np.maximum(strength, 0.0) ** 2
    total = weight.sum()
    return weight / total if total > 0 else np.full(len(weight), 1 / len(weight))


def level_shares(posterior: Floats, chances: Floats) -> Floats:
    """Return (rows, N, A) the probability that judge j, asked of the item, answers each level."""
    n_judges, n_nodes, n_levels = chances.shape
    flat = chances.transpose(1, 0, 2).reshape(n_nodes, -1)
    return (posterior @ flat).reshape(-1, n_judges, n_levels)


def median_score(posterior: Floats, chances: Floats, levels: Levels, weight: Floats) -> Floats:
    """Return (rows,) the least score that a judge drawn by `weight` exceeds in at most half the draws.

    `chances` (N, G, A) are those of the levels at the nodes. Judges without a score are never drawn.
    """
    scored = levels.sizes > 0
    values = np.unique(np.concatenate(levels.scores))
    drawn = weight * scored / (weight @ scored)
    shares = np.zeros((chances.shape[1], len(values)))
    for j in np.flatnonzero(scored):
        at = np.searchsorted(values, levels.scores[j])
        shares[:, at] += drawn[j] * chances[j, :, : len(at)]
    reached = shares.cumsum(axis=1)
    result = np.empty(len(posterior))
    for start in range(0, len(posterior), policy.PREDICTED_ROWS):
        rows = slice(start, start + policy.PREDICTED_ROWS)
        half = posterior[rows] @ reached >= 0.5 - policy.TIE
        result[rows] = values[half.argmax(axis=1)]
    return result


def own_thresholds(curves: Curves, levels: Levels, cut: float) -> Floats:
    """Return (N,) the thresholds above which each judge itself scores at least `cut`."""
    ends = np.pad(curves.threshold, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    place = levels.below(cut)
    # a judge without a score says nothing of either class
    return np.where(levels.sizes > 0, ends[np.arange(len(place)), place], 0.0)


def prevalence_thresholds(slope: Floats, prevalence: float) -> Floats:
    """Return (N,) the thresholds with which each judge calls a share `prevalence` of all items higher."""
    result: Floats = -np.sqrt(1 + slope**2) * ndtri(prevalence)
    return result


def higher_share(
    posterior: Floats, nodes: Floats, slope: Floats, threshold: Floats, weight: Floats
) -> Floats:
    """Return (rows,) the probability that a judge drawn by `weight` puts the item above its threshold.

    A judge of negative slope is taken for one who knows nothing.
    """
    ahead = np.maximum(slope, 0.0)[:, None] * nodes - threshold[:, None]
    result: Floats = posterior @ (weight @ ndtr(ahead))
    return result


def trait_share(posterior: Floats, nodes: Floats, prevalence: float) -> Floats:
    """Return (rows,) the probability that the trait is among the highest share `prevalence` of all items.

    A node's mass is spread evenly over its cell of the grid.
    """
    above = (nodes + float(ndtri(prevalence))) / (nodes[1] - nodes[0]) + 0.5
    result: Floats = posterior @ np.clip(above, 0.0, 1.0)
    return result
