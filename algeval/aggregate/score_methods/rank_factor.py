"""The rank factor: one trait behind the judges' ranks of the items, and the key as one more judge."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from algeval.aggregate import fitting, policy
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import CAVEAT, Found, finish, read_share, refused
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result.wording import how_many

__all__ = ["predict", "rank_factor"]

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
    ranks = _Ranks.of(data.values)
    advice = "leave judges of few scores out with select(judges=...)"
    reason = fitting.unsettled_pairs(
        ranks.normal(data.values), np.ones(data.n_items), NAME, advice, reads="scores"
    )
    if reason:
        return refused(data, NAME, settings, share, reason)
    run = {name: settings[name] for name in ("tol", "max_iter")}
    fit = kernel.fit_key(
        ranks.normal(data.values), np.ones(data.n_items), share.share, told=not share.counted, **run
    )
    found = Found(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=fit.found.loading[:, None],
        noise=fit.found.noise,
        end=fit.found.end,
        parameters=_parameters(fit, ranks),
    )
    ended = "converged" if found.end.converged else "did not converge"
    message = (
        f"Rank factor on {how_many(data.n_items, 'item')} and {data.n_judges} judges {ended}; the key is "
        f"taken for one more judge (loading {fit.key.loading:.2f}), and the share of the higher "
        f"class for {share.share:.1%} ({share.why}); {CAVEAT}."
    )
    return finish(data, NAME, settings, found, share, message=message, notes=_unrelated(data, fit))


def _parameters(fit: kernel.Fitted, ranks: _Ranks) -> dict[str, Any]:
    return {
        **kernel.key_parameters(fit),
        "scores_seen": [column.tolist() for column in ranks.scores],
        "their_normal": [column.tolist() for column in ranks.levels],
    }


class _Ranks(NamedTuple):
    """For each judge the distinct scores it gave, in order, and the normal score of each."""

    scores: list[Floats]
    levels: list[Floats]

    @classmethod
    def of(cls, values: Floats) -> _Ranks:
        scores, levels = [], []
        for column in values.T:
            given = column[~np.isnan(column)]
            distinct, place = np.unique(given, return_inverse=True)
            ranks = rankdata(given)
            first = np.zeros(len(distinct))
            first[place] = ranks
            scores.append(distinct)
            levels.append(ndtri((first - 0.5) / max(len(given), 1)))
        return cls(scores, levels)

    def normal(self, values: Floats) -> Floats:
        """Return (rows, N) normal scores; between two scores seen, between theirs; NaN stays."""
        result = np.full(values.shape, np.nan)
        for j, (scores, levels) in enumerate(zip(self.scores, self.levels, strict=True)):
            given = ~np.isnan(values[:, j])
            if len(scores):
                result[given, j] = np.interp(values[given, j], scores, levels)
        return result


def _unrelated(data: Scores, fit: kernel.Fitted) -> list[str]:
    """Return a sentence where the judges whose scores vary may have nothing to do with each other."""
    varied = fit.scale.spread > 0
    part = (~np.isnan(data.values[:, varied])).astype(float)
    common = kernel.common_share(part, np.ones(len(part))) * len(part)
    chance = kernel.chance_unrelated(fit.matrix[np.ix_(varied, varied)], common)
    if chance <= policy.UNRELATED:
        return []
    return [
        "These scores cannot be told from those of judges who have nothing to do with each other "
        f"(chance of such correlations then: {chance:.2g}); nothing here can be rested on."
    ]


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    ranks = _Ranks(
        [np.array(column, float) for column in told["scores_seen"]],
        [np.array(column, float) for column in told["their_normal"]],
    )
    scale, key = kernel.read_key(told)
    found = kernel.OneFactor(result.loading, result.noise, End())
    higher = kernel.higher_share(ranks.normal(values), scale, found, key, result.prevalence)
    return np.stack([1 - higher, higher], axis=1)
