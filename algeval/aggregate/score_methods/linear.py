"""The best linear combination of raw scores, if one trait is behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate import fitting
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import CAVEAT, Found, finish, read_share, refused
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result.wording import how_many

__all__ = ["linear", "predict"]

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
    values, ones = data.values, np.ones(data.n_items)
    advice = "leave judges of few scores out with select(judges=...)"
    reason = fitting.unsettled_pairs(values, ones, NAME, advice, reads="scores")
    if reason:
        return refused(data, NAME, settings, share, reason)
    run = {name: settings[name] for name in ("tol", "max_iter")}
    fit = kernel.fit_key(values, ones, share.share, told=not share.counted, **run)
    found = Found(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=fit.found.loading[:, None],
        noise=fit.found.noise,
        end=fit.found.end,
        parameters={"weights": _weights(fit)} | kernel.key_parameters(fit),
    )
    ended = "converged" if found.end.converged else "did not converge"
    message = (
        f"Best linear combination of {data.n_judges} judges on {how_many(data.n_items, 'item')}, if one "
        f"trait is behind their scores; the fit {ended}; the share of the higher class is taken for "
        f"{share.share:.1%} ({share.why}); {CAVEAT}."
    )
    return finish(data, NAME, settings, found, share, message=message)


def _weights(fit: kernel.Fitted) -> Floats:
    """Return (N,) standard deviations of the trait per point of each judge, where all scored."""
    weight = fit.found.loading / fit.found.noise
    moving = fit.scale.spread > 0
    weight = weight / (1 + float(fit.found.loading @ weight))
    result: Floats = np.where(moving, weight / np.where(moving, fit.scale.spread, 1.0), 0.0)
    return result


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    found = kernel.OneFactor(result.loading, result.noise, End())
    scale, key = kernel.read_key(result.parameters)
    higher = kernel.higher_share(values, scale, found, key, result.prevalence)
    return np.stack([1 - higher, higher], axis=1)
