"""The rank factor: one trait behind the judges' ranks of the items, and the key as one more judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from algeval.aggregate import fitting
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    Found,
    finish,
    read_share,
    refused,
    unrelated_note,
)
from algeval.aggregate.score_kernels.normal_scores import NormalScores
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result.wording import how_many

__all__ = ["found_by_key", "key_fit", "predict", "rank_factor"]

NAME = "rank-factor"


def rank_factor(
    data: Scores,
    *,
    prevalence: Any = None,
    cut: object = None,
    tol: float = 1e-7,
    max_iter: int = 3000,
) -> ScoreAggregation:
    """Find a consensus score and a class for every item from the judges' scores, without cutting them.

    Use it wherever judges give numbers: cutting them into votes first costs accuracy and
    calibration. Judges may use scales of their own, for only the order in which a judge puts the
    items is read. It takes the ranks for those of one normal trait and the key for one more judge
    that loads on it as the judges do in the root mean square; it does not see a second trait that
    some judges share (their common bias), nor whether the trait is what you mean.

    Parameters
    ----------
    data : Scores
        At least 3 judges; every two with a quarter of the items in common. A key is never read.
    prevalence : number between 0 and 1, shares, "equal" or None
        Share of the higher class, which no scores can tell. None takes it from `cut`, or else takes
        both classes for equally frequent and says so.
    cut : number or text, optional
        Where you would cut the scale: the share of scores from there on is taken for the
        prevalence. The posteriors still read the whole scale.
    tol, max_iter
        EM has converged when no loading moves by more than `tol` and the likelihood stands still.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable with fewer than 3 judges whose scores vary, or
        where some pair has fewer than a quarter of the items in common.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or one of them is out of range.

    Notes
    -----
    Score of rank r among n becomes Phi^-1((r - 1/2) / n), with mid-ranks for ties, standardised; one
    normal factor is fitted to the correlations by EM (Rubin and Thayer 1982). With the posterior
    mean m and variance v of the trait and the key's loading l, the probability of the higher class
    is Phi((l m - t) / sqrt(1 - l^2 + l^2 v)), with t the quantile that leaves a share `prevalence` above
    it. A share taken from `cut` is only a hint, for judges share a lean too: t is then l times that
    quantile of the trait means, which is nearer to 0.
    The root mean square was chosen on one set of scores, 21 language models on 2,500 comments; the
    how-to on choosing a method says where else it was tried.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [10, 30, 20, 40], "k": [0, 0, 1, 2]})
    >>> rank_factor(s).item_labels
    ['0', '0', '1', '1']
    """
    share = read_share(data, prevalence, cut)
    settings = share.settings | fitting.run_settings(tol=tol, max_iter=max_iter)
    ranks = NormalScores.of(data.values, "middle")
    values = ranks.transform(data.values)
    fit, reason = key_fit(values, NAME, share, settings)
    if fit is None:
        return refused(data, NAME, settings, share, reason)
    ended = "converged" if fit.found.end.converged else "did not converge"
    message = (
        f"Rank factor on {how_many(data.n_items, 'item')} and {data.n_judges} judges {ended}; the key is "
        f"taken for one more judge (loading {fit.key.loading:.2f}), and the share of the higher "
        f"class for {share.share:.1%} ({share.why}); {CAVEAT}."
    )
    found, notes = found_by_key(fit, ranks.parameters()), unrelated_note(values)
    return finish(data, NAME, settings, found, share, message=message, notes=notes)


def key_fit(
    values: Floats, name: str, share: ClassShare, settings: Mapping[str, Any]
) -> tuple[kernel.Fitted | None, str]:
    """Return trait and key fitted to (n_items, N) values; or None, and why they settle none."""
    ones = np.ones(len(values))
    advice = "leave judges of few scores out with select(judges=...)"
    reason = fitting.unsettled_pairs(values, ones, name, advice, reads="scores")
    if reason:
        return None, reason
    run = {name: settings[name] for name in ("tol", "max_iter")}
    return kernel.fit_key(values, ones, share.share, told=not share.counted, **run), ""


def found_by_key(fit: kernel.Fitted, more: Mapping[str, Any]) -> Found:
    """Return what a fit of trait and key found; `more` is what else `predict` needs."""
    return Found(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=fit.found.loading[:, None],
        noise=fit.found.noise,
        end=fit.found.end,
        parameters={**kernel.key_parameters(fit), **more},
    )


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    scale, key = kernel.read_key(told)
    found = kernel.OneFactor(result.loading, result.noise, End())
    read = NormalScores.read(told).transform(values) if "scores_seen" in told else values
    higher = kernel.higher_share(read, scale, found, key, result.prevalence)
    return np.stack([1 - higher, higher], axis=1)
