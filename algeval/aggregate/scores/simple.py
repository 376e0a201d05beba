"""Simple consensus of scores: averages, weights, ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from algeval.aggregate import fitting, policy
from algeval.aggregate.fitting import scale_of
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    FittedScores,
    opened_scores,
    unrelated_note,
)
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result import Status, percent
from algeval.result.numbers import how_many

# --- The average and the median of the judges' scores, and how sure they are.


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
    rated = ~np.isnan(values).all(axis=1)
    result = np.full(len(values), np.nan)
    result[rated] = np.nanmedian(values[rated], axis=1)
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
    case = opened_scores(name, data, prevalence, cut)
    fit, why = fitted_by_mean(data.values, take, case.share)
    if fit is None:
        return case.refused(f"The {name} {why}")
    words = cut_words(fit, case.share)
    message = (
        f"{name.capitalize()} of {how_many(data.n_judges, 'judge')} on {how_many(data.n_items, 'item')}; "
        f"{words}; errors that judges share stay in it."
    )
    return case.finish(fit, message=message)


def cut_words(fit: FittedScores, share: ClassShare) -> str:
    """Return where the higher class begins, why there, and what share of the items it has."""
    why = "told" if share.cut is not None else f"a share of {percent(share.share)}, {share.why}"
    has = percent(float((fit.higher > 0.5).mean()))
    return (
        f"the higher class begins at {fit.parameters['cut']:.4g} ({why}) and has {has} of the items"
    )


def fitted_by_mean(
    values: Floats, take: Callable[[Floats], Floats], share: ClassShare
) -> tuple[FittedScores | None, str]:
    """Return what a mean of raw scores says of items and judges; or None, and why."""
    own = take(values)
    rated = ~np.isnan(own)
    if not rated.any():
        return None, "must have at least one score; got none."
    width = float(own[rated].std())
    if width <= policy.NO_SPREAD:
        return None, "is the same for every item, so nothing tells items apart."
    cut = _between(own[rated], share.share) if share.cut is None else share.cut
    scatter = _scatter(values, own)
    traits = np.where(rated, (own - own[rated].mean()) / width, 0.0)
    n_seen = np.maximum((~np.isnan(values)).sum(axis=1), 1)
    loading = _with_the_others(values, take)
    return FittedScores(
        traits=traits,
        spread=np.minimum(scatter / np.sqrt(n_seen) / width, 1.0),
        higher=_higher(own, cut, scatter),
        loadings=loading[:, None],
        noise=1 - loading**2,
        own=np.where(rated, own, own[rated].mean()),
        parameters={"cut": cut, "scatter": scatter},
    ), ""


def _between(own: Floats, share: float) -> float:
    """Middle of the two neighbours between which the share above is nearest to `share`."""
    values, counts = np.unique(own, return_counts=True)
    above = 1 - np.cumsum(counts)[:-1] / len(own)
    index = int(np.abs(above - share).argmin())
    return float(values[index : index + 2].mean())


def _higher(own: Floats, cut: float, scatter: float) -> Floats:
    """Return (rows,) chances that one more judge gives at least the cut; NaN where nobody scored."""
    return ndtr((own - cut) / max(scatter, policy.NO_SPREAD))


def _scatter(values: Floats, own: Floats) -> float:
    """Standard deviation of single scores about the consensus of their item."""
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
    parameters = result.parameters
    weights = parameters.get("weights")
    take = _TAKEN.get(result.method) or partial(weighted_mean, weights=np.array(weights, float))
    own = take(values)
    higher = np.where(
        np.isnan(own), result.prevalence, _higher(own, parameters["cut"], parameters["scatter"])
    )
    return np.stack([1 - higher, higher], axis=1)


# --- Scales on which judges' scores are compared: as given, standardised, or as normal scores.
#
# Arrays in, arrays out; a scale is learnt from (n_items, N) scores, NaN where missing, and then read off
# for those or for others.


ScaleName = Literal["raw", "standardised", "normal"]
Ties = Literal["mean", "middle"]


class NormalScores(NamedTuple):
    """For each judge the distinct scores it gave, in order, and the normal score of each."""

    scores: list[Floats]
    levels: list[Floats]

    @classmethod
    def of(cls, values: Floats, ties: Ties = "mean") -> Self:
        """Learn the normal scores of each judge: rank r of n becomes Phi^-1((r - 1/2) / n).

        Equal scores share one level: the mean of the normal scores of their ranks, or with
        ``"middle"`` the normal score of their middle rank. The two order the items alike for one
        judge and differ by how far out a large block at the end of the scale lies.
        """
        sets = [_levels(column[~np.isnan(column)], ties) for column in values.T]
        return cls([scores for scores, _ in sets], [levels for _, levels in sets])

    def parameters(self) -> dict[str, Any]:
        """Return what `read` reads back, as JSON types."""
        return {
            "scores_seen": [column.tolist() for column in self.scores],
            "their_normal": [column.tolist() for column in self.levels],
        }

    @classmethod
    def read(cls, parameters: Mapping[str, Any]) -> Self:
        """Scale that `parameters` wrote."""
        seen, normal = (
            [np.array(c, float) for c in parameters[n]] for n in ("scores_seen", "their_normal")
        )
        return cls(seen, normal)

    def transform(self, values: Floats) -> Floats:
        """Return (rows, N) normal scores; between two scores seen, between theirs; NaN stays."""
        result = np.full(values.shape, np.nan)
        for j, (scores, levels) in enumerate(zip(self.scores, self.levels, strict=True)):
            rated = ~np.isnan(values[:, j])
            if len(scores):
                result[rated, j] = np.interp(values[rated, j], scores, levels)
        return result


def _levels(values: Floats, ties: Ties) -> tuple[Floats, Floats]:
    """Distinct scores of one judge and their normal scores."""
    n = len(values)
    scores, counts = np.unique(values, return_counts=True)
    last = np.cumsum(counts)
    if ties == "middle" or n == len(scores):
        return scores, ndtri((last - counts / 2) / max(n, 1))
    ladder = ndtri((np.arange(n) + 0.5) / n)
    return scores, np.add.reduceat(ladder, last - counts) / counts


class Affine(NamedTuple):
    """Centre and spread (N,) that are taken off each judge's scores."""

    center: Floats
    spread: Floats

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Learn mean and standard deviation of the scores given; 0 and 1 where there is none."""
        center, spread = scale_of(values, np.ones(len(values)))
        return cls(center, np.where(spread > 0, spread, 1.0))

    def transform(self, values: Floats) -> Floats:
        """Return (rows, N) scores on this scale; NaN stays."""
        result: Floats = (values - self.center) / self.spread
        return result


JudgeScale = NormalScores | Affine


def judge_scale(values: Floats, name: ScaleName, ties: Ties = "mean") -> JudgeScale:
    """Scale of that name, learnt from (n_items, N) scores."""
    if name == "normal":
        return NormalScores.of(values, ties)
    if name == "standardised":
        return Affine.of(values)
    return Affine(np.zeros(values.shape[1]), np.ones(values.shape[1]))


# --- The rank factor: one trait behind the judges' ranks of the items, and the key as one more
# judge.


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
    case = opened_scores("rank-factor", data, prevalence, cut, max_iter=max_iter, tol=tol)
    share = case.share
    ranks = NormalScores.of(data.values, "middle")
    values = ranks.transform(data.values)
    fit, reason = key_fit(values, case.method, share, case.settings)
    if fit is None:
        return case.refused(reason)
    ended = "converged" if fit.found.end.converged else "did not converge"
    message = (
        f"Rank factor on {how_many(data.n_items, 'item')} and {data.n_judges} judges {ended}; the true class "
        f"is treated as one more judge (loading {fit.key.loading:.2f}), and the share of the higher "
        f"class for {percent(share.share)} ({share.why}); {CAVEAT}."
    )
    fitted, notes = fitted_by_key(fit, ranks.parameters()), unrelated_note(values)
    return case.finish(fitted, message=message, notes=notes)


def key_fit(
    values: Floats, name: str, share: ClassShare, settings: Mapping[str, Any]
) -> tuple[fitting.Fitted | None, str]:
    """Trait and key fitted to (n_items, N) values; or None, and why they settle none."""
    ones = np.ones(len(values))
    advice = "leave judges of few scores out with select(judges=...)"
    reason = fitting.unsettled_pairs(values, ones, name, advice, reads="scores")
    if reason:
        return None, reason
    run = {name: settings[name] for name in ("tol", "max_iter")}
    return fitting.fit_key(values, ones, share.share, fixed=not share.counted, **run), ""


def fitted_by_key(fit: fitting.Fitted, more: Mapping[str, Any]) -> FittedScores:
    """Return what a fit of trait and key found; `more` is what else `predict` needs."""
    return FittedScores(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=fit.found.loading[:, None],
        noise=fit.found.noise,
        end=fit.found.end,
        parameters={**fitting.key_parameters(fit), **more},
    )


def predict_rank_factor(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    parameters = result.parameters
    scale, key = fitting.read_key(parameters)
    factor = fitting.OneFactor(result.loading, result.noise, End())
    read = (
        NormalScores.read(parameters).transform(values) if "scores_seen" in parameters else values
    )
    higher = fitting.higher_share(read, scale, factor, key, result.prevalence)
    return np.stack([1 - higher, higher], axis=1)


# --- The best linear combination of raw scores, if one trait is behind them.


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
    case = opened_scores("linear", data, prevalence, cut, max_iter=max_iter, tol=tol)
    share = case.share
    fit, reason = key_fit(data.values, case.method, share, case.settings)
    if fit is None:
        return case.refused(reason)
    ended = "converged" if fit.found.end.converged else "did not converge"
    message = (
        f"Best linear combination of {data.n_judges} judges on {how_many(data.n_items, 'item')}, if one "
        f"trait is behind their scores; the fit {ended}; the share of the higher class is taken for "
        f"{percent(share.share)} ({share.why}); {CAVEAT}."
    )
    fitted, notes = fitted_by_key(fit, {"weights": _weights(fit)}), unrelated_note(data.values)
    return case.finish(fitted, message=message, notes=notes)


def _weights(fit: fitting.Fitted) -> Floats:
    """Return (N,) standard deviations of the trait per point of each judge, where all scored."""
    weight = fit.found.loading / fit.found.noise
    moving = fit.scale.spread > 0
    weight = weight / (1 + float(fit.found.loading @ weight))
    result: Floats = np.where(moving, weight / np.where(moving, fit.scale.spread, 1.0), 0.0)
    return result


# --- Items whose scores the same judges gave, told once for all that share a pattern of missing
# scores.


def by_presence(seen: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Yield each row of (n, N) marks of presence once, with the places of all rows that equal it."""
    if not len(seen):
        return
    packed = np.packbits(seen, axis=1)
    _, first, kind = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    kind = kind.ravel()
    rows = np.split(np.argsort(kind, kind="stable"), np.cumsum(np.bincount(kind))[:-1])
    yield from zip(seen[first], rows, strict=True)


# --- Weights of judges from mean squared differences of their scores (Shin et al. 2022).
#
# Arrays in, arrays out. Let judge a's score be the truth plus an error of mean square v_a, errors of
# mean product 0. Two judges then differ by v_a + v_b in the mean square, and three judges a, b, c give
# v_a = (d_ab + d_ac - d_bc) / 2. Averaged over all pairs b, c (as in the code published with CARE) this
# is v_a = (S_a - T / (N - 1)) / (N - 2), S_a the sum of a's differences and T that of all pairs'. A bias
# is part of the error. Weights are proportional to 1 / v_a.


class TripletWeights(NamedTuple):
    """What the differences say of each judge.

    `weight` (N,) adds up to 1 and is NaN where some variance is not positive: then no weights exist.
    `impossible` (N,) marks the judges of such variances, `alone` (N,) one above
    `policy.MOST_TRIPLET_SHARE` of the weight.
    """

    variance: Floats
    weight: Floats
    impossible: Any
    alone: Any

    @property
    def usable(self) -> bool:
        """Whether the weights exist and no judge has nearly all of them."""
        return not (self.impossible.any() or self.alone.any())


def mean_squared_differences(values: Floats) -> Floats:
    """Return (N, N) means of squared differences over the items both judges scored, NaN without any."""
    seen = (~np.isnan(values)).astype(float)
    with_any = np.maximum(seen.sum(axis=0), 1)
    # near 0 the sums of squares cancel less
    center = float((np.where(seen > 0, values, 0.0).sum(axis=0) / with_any).mean())
    plain = np.where(seen > 0, values - center, 0.0)
    squares = (plain**2).T @ seen
    sums = squares + squares.T - 2 * (plain.T @ plain)
    common = seen.T @ seen
    means = np.where(common > 0, np.maximum(sums, 0.0) / np.maximum(common, 1), np.nan)
    np.fill_diagonal(means, 0.0)
    return means


def error_variances(differences: Floats) -> Floats:
    """Return (N,) the mean over all pairs of others of a judge's variance by triplets; N is 3 or more."""
    n = len(differences)
    each = differences.sum(axis=1)
    result: Floats = (each - each.sum() / 2 / (n - 1)) / (n - 2)
    return result


def triplet_weights(values: Floats) -> TripletWeights:
    """Variances, weights and what is wrong with them for (rows, N) scores, NaN where missing.

    Variances within rounding of 0, as those of exact copies, count as not positive; so do those of
    judges who share no item with another.
    """
    differences = mean_squared_differences(values)
    variance = error_variances(differences)
    least = policy.ROUNDING * np.nanmax(differences, initial=0.0)
    impossible = ~(variance > least)
    if impossible.any():
        none = np.full(len(variance), np.nan)
        return TripletWeights(variance, none, impossible, np.zeros(len(variance), bool))
    weight = 1 / variance
    weight /= weight.sum()
    return TripletWeights(variance, weight, impossible, weight > policy.MOST_TRIPLET_SHARE)


# --- Universal weak supervision of scores: an average weighted by how far judges are from one
# another.


def uws(data: Scores, *, prevalence: Any = None, cut: object = None) -> ScoreAggregation:
    """Average scores with weights from the mean squared differences of the judges.

    Use it to compare with papers that do. Judges must use one scale, and their errors must be unrelated:
    judges who share a bias differ little from each other, pass for precise, and get the weight.

    Parameters
    ----------
    data, prevalence, cut
        As of 'average'.

    Returns
    -------
    ScoreAggregation
        Status ok; inconsistent where some judge's error variance comes out negative or 0, which
        unrelated errors never do in the long run; undetermined where one judge would get nearly all
        of the weight; not_identifiable with fewer than 3 judges.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or one of them is out of range.

    Notes
    -----
    Judges a and b differ by v_a + v_b in the mean square, so that v_a = (d_ab + d_ac - d_bc) / 2, which is
    averaged over all b and c; the weights are 1 / v_a (Shin et al. 2022, as read in paper CARE). The
    probability of the higher class is that of 'average'.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 3, 8, 6], "j": [3, 2, 7, 9], "k": [2, 5, 9, 7]})
    >>> uws(s).item_labels
    ['0', '0', '1', '1']
    """
    case = opened_scores("uws", data, prevalence, cut)
    share = case.share
    if data.n_judges < 3:
        why = f"UWS must have at least 3 judges; got {data.n_judges}: a variance needs two others."
        return case.refused(why)
    silent = _met_nobody(data)
    if silent:
        why = (
            f"Every pair of judges must have items in common for UWS; {silent} lacks them; leave judges of "
            "few scores out with select(judges=...), or use 'factor'."
        )
        return case.refused(why)
    triplets = triplet_weights(data.values)
    if not triplets.usable:
        status = Status.INCONSISTENT if triplets.impossible.any() else Status.UNDETERMINED
        return case.refused(_why(data, triplets), status=status)
    take = partial(weighted_mean, weights=triplets.weight)
    fit, why = fitted_by_mean(data.values, take, share)
    if fit is None:
        return case.refused(f"The weighted average {why}")
    parameters = {
        **fit.parameters,
        "weights": triplets.weight,
        "error_variances": triplets.variance,
    }
    fit = replace(fit, parameters=parameters)
    message = (
        f"Average of {how_many(data.n_judges, 'judge')} on {how_many(data.n_items, 'item')}, weighted by "
        f"their mean squared differences; {cut_words(fit, share)}; judges who share a bias get too much "
        "of the weight."
    )
    return case.finish(fit, message=message)


def _met_nobody(data: Scores) -> str:
    """Judge who shares no item with the most others, or nothing."""
    seen = (~np.isnan(data.values)).astype(float)
    strangers = (seen.T @ seen == 0).sum(axis=1)
    return data.judges[int(strangers.argmax())] if strangers.any() else ""


def _why(data: Scores, triplets: TripletWeights) -> str:
    """Return why there are no weights, or none to rest on."""
    poor = [judge for judge, out in zip(data.judges, triplets.impossible, strict=True) if out]
    if poor:
        return (
            f"UWS finds no weight for {', '.join(poor[: policy.MOST_NAMED])}: the error variance that the "
            "differences give is not positive, as of copies or of judges with a common bias; the "
            "assumption of unrelated errors does not hold, use 'rank-factor'."
        )
    first = data.judges[int(np.argmax(triplets.alone))]
    return (
        f"UWS gives {first} {percent(triplets.weight.max())} of the weight, so that one judge answers alone: "
        "its error variance comes out near 0; leave it out, or use 'rank-factor'."
    )


# --- Spearman's rank correlation with a standard error that knows of clusters.
#
# Arrays in, arrays out. The correlation is a smooth function of means over items and pairs of items, so
# that each item has an influence on it; the standard error is that of the sum of the influences over
# independent clusters (the delta method).


Ranks = NDArray[np.intp]


class RankCorrelation(NamedTuple):
    """A rank correlation, its standard error, and the items it is over.

    0 and infinity where one of the two does not vary, or where there are fewer than two clusters.
    """

    value: float
    error: float
    n_items: int


def ranked(column: Floats) -> Ranks:
    """Place (n,) of each number among the distinct ones, -1 for NaN."""
    ranks_ = np.full(len(column), -1, np.intp)
    finite = ~np.isnan(column)
    ranks_[finite] = np.unique(column[finite], return_inverse=True)[1]
    return ranks_


def spearman(x: Ranks, y: Ranks, clusters: Ranks) -> RankCorrelation:
    """Rank correlation of two columns made by `ranked`, over items where both are known.

    clusters : (n,) the number of the cluster of each item, from 0 on.
    """
    both = (x >= 0) & (y >= 0)
    x, y, clusters = x[both], y[both], clusters[both]
    n = len(x)
    of_x, of_y = _Ranks.of(x), _Ranks.of(y)
    size = float(np.sqrt(of_x.variance * of_y.variance))
    sums = np.bincount(clusters, minlength=1) if n else np.zeros(1)
    if size == 0 or (sums > 0).sum() < 2:
        return RankCorrelation(0.0, np.inf, n)
    together = float(of_x.rank @ of_y.rank) / n
    value = together / size
    influence = _influence(of_x, of_y) / size - value / 2 * (
        _influence(of_x, of_x) / of_x.variance + _influence(of_y, of_y) / of_y.variance
    )
    return RankCorrelation(value, _clustered(influence, clusters), n)


class _Ranks(NamedTuple):
    """Places of numbers, and their ranks as shares of the items, about their middle."""

    place: Ranks
    rank: Floats
    variance: float

    @classmethod
    def of(cls, ranks: Ranks) -> _Ranks:
        counts = np.bincount(ranks, minlength=1)
        rank = ((np.cumsum(counts) - counts / 2) / max(len(ranks), 1) - 0.5)[ranks]
        return cls(ranks, rank, float(rank @ rank) / max(len(ranks), 1))


def _influence(ranks: _Ranks, other: _Ranks) -> Floats:
    """Return (n,) the influence of each item on the mean product of two ranks.

    An item counts by its own product, and by moving the ranks of those above it.
    """
    n = len(ranks.rank)
    product = ranks.rank * other.rank
    moved = _above(ranks.place, other.rank) + _above(other.place, ranks.rank)
    result: Floats = product + moved / n - 3 * product.mean()
    return result


def _above(ranks: Ranks, weight: Floats) -> Floats:
    """Return (n,) the sum of the weights of the items above each, half of those level with it."""
    sums = np.bincount(ranks, weight)
    above: Floats = (sums[::-1].cumsum()[::-1] - sums / 2)[ranks]
    return above


def _clustered(influence: Floats, clusters: Ranks) -> float:
    """Standard error of the mean influence when clusters are independent."""
    sums = np.bincount(clusters, influence)
    many = int((np.bincount(clusters) > 0).sum())
    return float(np.sqrt((sums**2).sum() * many / (many - 1)) / len(influence))
