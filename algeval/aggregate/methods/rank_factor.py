"""The rank factor: one trait behind the judges' ranks of the items, and the key as one more judge."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from algeval.aggregate import fitting, policy
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.prevalence import told_share
from algeval.aggregate.results import End, Floats, decide
from algeval.aggregate.score_results import CLASSES, ScoreAggregation
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import read_only
from algeval.errors import DataError
from algeval.result import Status, exact
from algeval.result.wording import how_many

__all__ = ["predict", "rank_factor"]

_CAVEAT = "what the judges share need not be what you mean"


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
    share, told = _prevalence(data, prevalence, cut)
    settings = told.settings | fitting.run_settings(tol=tol, max_iter=max_iter)
    ranks = _Ranks.of(data.values)
    advice = "leave judges of few scores out with select(judges=...)"
    reason = fitting.unsettled_pairs(
        ranks.normal(data.values), np.ones(data.n_items), "rank-factor", "scores", advice
    )
    if reason:
        return _refused(data, settings, share, reason)
    return _fitted(data, ranks, _Asked(settings, share, told.why, counted=cut is not None))


class _Asked(NamedTuple):
    """The settings, the share of the higher class, where it is from, and if it was only counted."""

    settings: dict[str, Any]
    share: float
    why: str
    counted: bool


def _fitted(data: Scores, ranks: _Ranks, asked: _Asked) -> ScoreAggregation:
    run = {name: asked.settings[name] for name in ("tol", "max_iter")}
    fit = kernel.fit_key(
        ranks.normal(data.values),
        np.ones(data.n_items),
        asked.share,
        told=not asked.counted,
        **run,
    )
    found, key = fit.found, fit.key
    posterior = np.stack([1 - fit.share, fit.share], axis=1)
    ended = "converged" if found.end.converged else "did not converge"
    return ScoreAggregation(
        status=Status.OK if found.end.converged else Status.NOT_CONVERGED,
        message=(
            f"Rank factor on {how_many(data.n_items, 'item')} and {data.n_judges} judges {ended}; the key is "
            f"taken for one more judge (loading {key.loading:.2f}), and the share of the higher "
            f"class for {asked.share:.1%} ({asked.why}); {_CAVEAT}."
        ),
        method="rank-factor",
        settings=asked.settings,
        judges=data.judges,
        items=data.items,
        item_scores=read_only(fit.mean),
        item_spread=read_only(np.sqrt(fit.variance)),
        posterior=read_only(posterior),
        decisions=read_only(decide(posterior)),
        loading=read_only(found.loading),
        noise=read_only(found.noise),
        prevalence=asked.share,
        log_likelihood=found.end.trace[-1],
        n_iter=found.end.n_iter,
        converged=found.end.converged,
        trace=found.end.trace,
        warnings=_notes(data, found, _unrelated(data, fit)),
        parameters={
            "key_loading": key.loading,
            "key_threshold": key.threshold,
            "center": fit.scale.center,
            "spread": fit.scale.spread,
            "scores_seen": [column.tolist() for column in ranks.scores],
            "their_normal": [column.tolist() for column in ranks.levels],
        },
    )


class _Told(NamedTuple):
    settings: dict[str, Any]
    why: str


def _prevalence(data: Scores, prevalence: Any, cut: object) -> tuple[float, _Told]:
    """Return the share of the higher class, the settings that say so, and the words for it."""
    if prevalence is not None and cut is not None:
        raise DataError(
            f"prevalence and cut must not both be given; got {prevalence!r} and {cut!r}; the cut "
            "would set the prevalence"
        )
    if cut is None:
        told = "equal" if prevalence is None else prevalence
        share, words = told_share(told, CLASSES, 0.5)
        return share, _Told({"prevalence": words.setting, "cut": None}, words.why)
    votes = data.without_key().cut(cut).codes
    given = int((votes != NOT_ANSWERED).sum())
    share, _ = told_share("votes", CLASSES, int((votes == 1).sum()) / given if given else 0.5)
    at = str(exact(cut, "cut"))
    return share, _Told({"prevalence": None, "cut": at}, f"the share of scores from {at} on")


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


def _refused(data: Scores, settings: dict[str, Any], share: float, reason: str) -> ScoreAggregation:
    n, k = data.n_items, data.n_judges
    return ScoreAggregation(
        status=Status.NOT_IDENTIFIABLE,
        message=reason,
        method="rank-factor",
        settings=settings,
        judges=data.judges,
        items=data.items,
        item_scores=read_only(np.zeros(n)),
        item_spread=read_only(np.ones(n)),
        posterior=read_only(np.tile([1 - share, share], (n, 1))),
        decisions=read_only(np.full(n, NOT_ANSWERED, np.int16)),
        loading=read_only(np.zeros(k)),
        noise=read_only(np.ones(k)),
        prevalence=share,
        converged=False,
    )


def _unrelated(data: Scores, fit: kernel.Fitted) -> float:
    """Return the chance of the correlations of the judges whose scores vary, were they unrelated."""
    varied = fit.scale.spread > 0
    part = (~np.isnan(data.values[:, varied])).astype(float)
    common = kernel.common_share(part, np.ones(len(part))) * len(part)
    return kernel.chance_unrelated(fit.matrix[np.ix_(varied, varied)], common)


def _notes(data: Scores, found: kernel.OneFactor, chance: float) -> tuple[str, ...]:
    notes = []
    if chance > policy.UNRELATED:
        notes.append(
            "These scores cannot be told from those of judges who have nothing to do with each other "
            f"(chance of such correlations then: {chance:.2g}); nothing here can be rested on."
        )
    missing = int(data.missing.sum())
    if missing:
        notes.append(f"{how_many(missing, 'score is', 'scores are')} missing; {fitting.LEFT_OUT}.")
    silent = int(np.isnan(data.values).all(axis=1).sum())
    if silent:
        notes.append(
            f"{how_many(silent, 'item')} got no score; the posterior there is the prevalence."
        )
    against = [j for j, load in zip(data.judges, found.loading, strict=True) if load < 0]
    if against:
        notes.append(
            f"{', '.join(against)} put the items in the opposite order of the others and are read "
            "backwards."
        )
    copies = int((found.noise <= policy.LEAST_NOISE).sum())
    if copies:
        notes.append(
            f"{how_many(copies, 'judge')} all but equal to the trait: it may be what near copies share; see "
            "judge_groups on the cut scores."
        )
    return tuple(notes)


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    ranks = _Ranks(
        [np.array(column, float) for column in told["scores_seen"]],
        [np.array(column, float) for column in told["their_normal"]],
    )
    scale = kernel.Scale(np.array(told["center"], float), np.array(told["spread"], float))
    found = kernel.OneFactor(result.loading, result.noise, End())
    key = kernel.KeyLaw(float(told["key_loading"]), float(told["key_threshold"]))
    higher = kernel.higher_share(ranks.normal(values), scale, found, key, result.prevalence)
    return np.stack([1 - higher, higher], axis=1)
