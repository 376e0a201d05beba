"""The best linear combination of raw scores, if one trait is behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate import fitting
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.results import Floats
from algeval.aggregate.score_fitting import CAVEAT, finish, read_share, refused, unrelated_note
from algeval.aggregate.score_methods.rank_factor import found_by_key, key_fit
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result.wording import how_many

__all__ = ["linear"]

NAME = "linear"


def linear(
    data: Scores,
    *,
    prevalence: Any = None,
    cut: object = None,
    tol: float = 1e-7,
    max_iter: int = 3000,
) -> ScoreAggregation:
    """Weigh raw scores as one trait behind them says is best.

    Use it where a consensus must be a sum one can write down: `parameters["weights"]` are what one
    point of each judge is worth, in standard deviations of the trait. Judges may use scales of their
    own, but unlike `rank-factor` it takes them at their word: a judge whose scores are all at one end
    of its scale is read as it is.

    Parameters
    ----------
    data, prevalence, cut, tol, max_iter
        As of 'rank-factor'.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable as of 'rank-factor'.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or one of them is out of range.

    Notes
    -----
    One factor with loadings l and noise psi is fitted to the correlations of the scores; the trait is
    v times the sum of l_j z_j / psi_j over the judges who scored, with 1 / v = 1 + the sum of
    l_j^2 / psi_j (Thomson 1951), and z_j the standardised score. Classes are those of 'rank-factor'.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 3, 7, 8], "k": [0, 0, 1, 2]})
    >>> linear(s).item_labels
    ['0', '0', '1', '1']
    """
    share = read_share(data, prevalence, cut)
    settings = share.settings | fitting.run_settings(tol=tol, max_iter=max_iter)
    fit, reason = key_fit(data.values, NAME, share, settings)
    if fit is None:
        return refused(data, NAME, settings, share, reason)
    ended = "converged" if fit.found.end.converged else "did not converge"
    message = (
        f"Best linear combination of {data.n_judges} judges on {how_many(data.n_items, 'item')}, if one "
        f"trait is behind their scores; the fit {ended}; the share of the higher class is taken for "
        f"{share.share:.1%} ({share.why}); {CAVEAT}."
    )
    found, notes = found_by_key(fit, {"weights": _weights(fit)}), unrelated_note(data.values)
    return finish(data, NAME, settings, found, share, message=message, notes=notes)


def _weights(fit: kernel.Fitted) -> Floats:
    """Return (N,) standard deviations of the trait per point of each judge, where all scored."""
    weight = fit.found.loading / fit.found.noise
    moving = fit.scale.spread > 0
    weight = weight / (1 + float(fit.found.loading @ weight))
    result: Floats = np.where(moving, weight / np.where(moving, fit.scale.spread, 1.0), 0.0)
    return result
