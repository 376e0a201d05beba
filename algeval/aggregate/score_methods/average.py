"""The average and the median of the judges' scores, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_fitting import ClassShare, Found, finish, read_share, refused
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result import percent
from algeval.result.wording import how_many

__all__ = ["average", "cut_words", "found_by_mean", "median", "predict", "weighted_mean"]


def average(data: Scores, *, prevalence: Any = None, cut: object = None) -> ScoreAggregation:
    """Take the mean of the scores an item got.

    Use it as the yardstick: judges must use one scale, and each counts as much as any other. Errors
    that judges share stay in it, and it is narrower than any of them. Where scores are missing, an
    item that only severe judges scored looks worse than it is.

    Parameters
    ----------
    data : Scores
        A key is never read.
    prevalence : number between 0 and 1, shares, "equal" or None
        Share of the higher class: the items of the highest averages are in it. None takes both classes
        for equally frequent and says so.
    cut : number or text, optional
        Where the higher class begins on the judges' scale, instead.

    Returns
    -------
    ScoreAggregation
        Status ok; not_identifiable where the averages do not vary. `loadings` are each judge's
        correlations with the average of the others.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or one of them is out of range.

    Notes
    -----
    With c the average, s the standard deviation of single scores about it and t the cut, or where no
    cut is told the middle of the two averages between which the share above is nearest to the
    prevalence, the probability of the higher class is Phi((c - t) / s):
    that of one more judge, whose scores scatter about the average as the others' do, giving at least t.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8], "j": [3, 2, 10]})
    >>> average(s, cut=5).item_scores.tolist(), average(s, cut=5).item_labels
    ([2.0, 2.0, 9.0], ['0', '0', '1'])
    """
    return _consensus(data, "average", _mean, prevalence, cut)


def median(data: Scores, *, prevalence: Any = None, cut: object = None) -> ScoreAggregation:
    """Take the median of the scores an item got.

    Use it as the average where some judges may be far off; parameters and the result are those of
    `average`, with the median in the place of the mean.

    Examples
    --------
    >>> median(Scores.from_columns({"i": [1, 2], "j": [3, 2], "k": [99, 5]})).item_scores.tolist()
    [3.0, 2.0]
    """
    return _consensus(data, "median", _median, prevalence, cut)


def _mean(values: Floats) -> Floats:
    return weighted_mean(values, np.ones(values.shape[1]))


def _median(values: Floats) -> Floats:
    heard = ~np.isnan(values).all(axis=1)
    result = np.full(len(values), np.nan)
    result[heard] = np.nanmedian(values[heard], axis=1)
    return result


_TAKEN = {"average": _mean, "median": _median}


def weighted_mean(values: Floats, weights: Floats) -> Floats:
    """Return (rows,) means of the scores seen, NaN where there are none."""
    seen = ~np.isnan(values)
    mass = seen @ weights
    total = np.where(seen, values, 0.0) @ weights
    return np.where(mass > 0, total / np.where(mass > 0, mass, 1.0), np.nan)


def _consensus(
    data: Scores, name: str, take: Callable[[Floats], Floats], prevalence: Any, cut: object
) -> ScoreAggregation:
    share = read_share(data, prevalence, cut)
    found, why = found_by_mean(data.values, take, share)
    if found is None:
        return refused(data, name, share.settings, share, f"The {name} {why}")
    told = cut_words(found, share)
    message = (
        f"{name.capitalize()} of {how_many(data.n_judges, 'judge')} on {how_many(data.n_items, 'item')}; "
        f"{told}; errors that judges share stay in it."
    )
    return finish(data, name, share.settings, found, share, message=message)


def cut_words(found: Found, share: ClassShare) -> str:
    """Return where the higher class begins, why there, and what share of the items it has."""
    why = "told" if share.cut is not None else f"a share of {share.share:.1%}, {share.why}"
    has = percent(float((found.higher > 0.5).mean()))
    return f"the higher class begins at {found.parameters['cut']:.4g} ({why}) and has {has} of the items"


def found_by_mean(
    values: Floats, take: Callable[[Floats], Floats], share: ClassShare
) -> tuple[Found | None, str]:
    """Return what a mean of raw scores says of items and judges; or None, and why."""
    own = take(values)
    heard = ~np.isnan(own)
    if not heard.any():
        return None, "must have at least one score; got none."
    width = float(own[heard].std())
    if width <= policy.NO_SPREAD:
        return None, "is the same for every item, so nothing tells items apart."
    cut = _between(own[heard], share.share) if share.cut is None else share.cut
    scatter = _scatter(values, own)
    traits = np.where(heard, (own - own[heard].mean()) / width, 0.0)
    n_seen = np.maximum((~np.isnan(values)).sum(axis=1), 1)
    loading = _with_the_others(values, take)
    return Found(
        traits=traits,
        spread=np.minimum(scatter / np.sqrt(n_seen) / width, 1.0),
        higher=_higher(own, cut, scatter),
        loadings=loading[:, None],
        noise=1 - loading**2,
        own=np.where(heard, own, own[heard].mean()),
        parameters={"cut": cut, "scatter": scatter},
    ), ""


def _between(own: Floats, share: float) -> float:
    """Return the middle of the two neighbours between which the share above is nearest to `share`."""
    values, counts = np.unique(own, return_counts=True)
    above = 1 - np.cumsum(counts)[:-1] / len(own)
    place = int(np.abs(above - share).argmin())
    return float(values[place : place + 2].mean())


def _higher(own: Floats, cut: float, scatter: float) -> Floats:
    """Return (rows,) chances that one more judge gives at least the cut; NaN where nobody scored."""
    return ndtr((own - cut) / max(scatter, policy.NO_SPREAD))


def _scatter(values: Floats, own: Floats) -> float:
    """Return the standard deviation of single scores about the consensus of their item."""
    seen = ~np.isnan(values)
    free = int(seen.sum()) - int(seen.any(axis=1).sum())
    squares = float(np.where(seen, (values - own[:, None]) ** 2, 0.0).sum())
    return float(np.sqrt(squares / free)) if free > 0 else 0.0


def _with_the_others(values: Floats, take: Callable[[Floats], Floats]) -> Floats:
    """Return (N,) each judge's correlation with the consensus of the others, 0 where there is none."""
    result = np.zeros(values.shape[1])
    left = values.copy()
    for judge in range(values.shape[1]):
        left[:, judge] = np.nan
        others = take(left)
        left[:, judge] = values[:, judge]
        both = ~np.isnan(values[:, judge]) & ~np.isnan(others)
        x, y = values[both, judge], others[both]
        if len(x) > 1 and x.std() > policy.NO_SPREAD and y.std() > policy.NO_SPREAD:
            result[judge] = np.corrcoef(x, y)[0, 1]
    return result


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    weights = told.get("weights")
    take = _TAKEN.get(result.method) or partial(weighted_mean, weights=np.array(weights, float))
    own = take(values)
    higher = np.where(np.isnan(own), result.prevalence, _higher(own, told["cut"], told["scatter"]))
    return np.stack([1 - higher, higher], axis=1)
