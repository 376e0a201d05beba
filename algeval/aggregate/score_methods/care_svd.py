"""CARE-SVD: what judges share is split off the graph of their errors, and one direction of it is taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.kernels import one_factor as factor
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
from algeval.aggregate.score_kernels import quality_direction as quality
from algeval.aggregate.score_kernels import sparse_low_rank as kernel
from algeval.aggregate.score_kernels.normal_scores import NormalScores
from algeval.aggregate.score_results import ScoreAggregation
from algeval.aggregate.score_scales import anchor_values
from algeval.data import Scores
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["care_svd", "predict"]

NAME = "care-svd"

DIRECTIONS = ("leading", "balanced", "anchored")
RULES = ("vector", "subtraction")


def care_svd(
    data: Scores,
    *,
    scores: Literal["standardised", "normal"] = "standardised",
    loss: Literal["d-trace", "log-det"] = "d-trace",
    sparse: float | None = None,
    low_rank: float | None = None,
    direction: Literal["leading", "balanced", "anchored"] = "leading",
    anchors: Mapping[Any, Any] | None = None,
    rule: Literal["vector", "subtraction"] = "vector",
    prevalence: Any = None,
    cut: object = None,
    tol: float = 1e-9,
    max_iter: int = 20000,
) -> ScoreAggregation:
    """Take one direction of what judges share beyond the links between single judges.

    Use it to see how many things judges share and which judges err together, or to redo the CARE paper. As
    a consensus it was within .02 of one factor (rank correlation with people) on the scores it was tried
    on. A few near copies of anything become the leading direction: beside 21 language models three
    judges who only measured length took it (.61 fell to -.04); `balanced` withstood 8 of them, and
    `anchored` with 50 anchors all 16 tried.

    Parameters
    ----------
    data : Scores
        At least 3 judges; every two with a quarter of the items in common. A key is never read.
    scores : "standardised" or "normal"
        What is read: the scores themselves, or their ranks as normal scores.
    loss : "d-trace" or "log-det"
        D-trace is the authors' and needs scores none of which is a combination of others; log-det is
        the likelihood of normal scores.
    sparse, low_rank : number above 0, optional
        Penalties of the links' sizes and of the shared part's eigenvalues, on correlations. None is the
        authors' .004 / sqrt(judges).
    direction : "leading", "balanced" or "anchored"
        Which eigenvector is quality: of the largest eigenvalue, of the largest cosine with equal
        weights, or the one that ranks the anchored items most as the anchors do. Each is an assertion.
    anchors : {item: score}, optional
        Known scores of at least 3 items, for ``direction="anchored"``. As in every method of scores
        they also move `item_scores`.
    rule : "vector" or "subtraction"
        Weights are the eigenvector, or it less the others (C.4), for replication only: it hangs on
        signs that scores do not tell.
    prevalence, cut
        As of 'rank-factor'.
    tol, max_iter
        Converged when the objective is proved to be within tol (1 + |objective|) of its minimum.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; undetermined where the best shared part is exactly none;
        not_identifiable with fewer than 3 judges whose scores vary, where some pair has fewer than a
        quarter of the items in common, or where D-trace has no minimum. `loadings` are the judges'
        correlations with each latent variable, quality first; `parameters` holds `weights` for
        standardised scores, `directions` (their columns), `eigenvalues`, `edges` and the proved `gap`.

    Raises
    ------
    DataError
        If a setting is out of range, or anchors are too few or missing.

    Notes
    -----
    With S the links and L = K K' the shared part of the precision of standardised scores z, the
    latent variable of a column k is normal given z with mean k.z and variance 1. Correlations are of
    the items each pair scored; a score left out is normal given the others.
    D-trace penalises the diagonal of S too, as the authors' code does; log-det does not. Classes
    are those of 'rank-factor'. Source: CARE, sections 3.2, 3.3 and C.4; Chandrasekaran et al. (2012).

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(300, 5))
    >>> found = care_svd(Scores(range(300), list("abcde"), draws + draws[:, [0]]))
    >>> found.status.value, found.judges[found.loading.argmax()]
    ('ok', 'a')
    """
    share = read_share(data, prevalence, cut)
    settings = share.settings | fitting.run_settings(tol=tol, max_iter=max_iter)
    settings |= _penalties(data, sparse=sparse, low_rank=low_rank) | {
        "scores": check_choice("scores", scores, ("standardised", "normal")),
        "loss": check_choice("loss", loss, tuple(kernel.LOSSES)),
        "direction": check_choice("direction", direction, DIRECTIONS),
        "rule": check_choice("rule", rule, RULES),
    }
    known = _anchors(data, direction, anchors)
    read = _Read.of(data, settings["scores"])
    reason = _unfit(data, read, settings)
    if reason:
        return refused(data, NAME, settings, share, reason)
    split = kernel.split(read.values.matrix, **_run(settings))
    if not split.rank:
        status, why = _nothing_shared(split)
        return refused(data, NAME, settings, share, why, status=status)
    taken = _taken(quality.directions(split.low_rank), read.values.scores, known, settings)
    loadings = quality.with_latents(taken.loadings, read.values.matrix)
    fit = _fitted(read, taken, loadings[:, 0], split.end, share)
    ranks = {} if read.ranks is None else read.ranks.parameters()
    found = Found(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=loadings,
        noise=fit.found.noise,
        end=split.end,
        parameters=_parameters(data, fit, split, taken) | ranks,
    )
    message = _message(data, settings, split, taken, share)
    notes = [
        *unrelated_note(data.values),
        *_notes(data, taken, settings),
        *_stopped(data, read, split),
    ]
    return finish(data, NAME, settings, found, share, message=message, notes=notes)


class _Read(NamedTuple):
    """How ranks are read, if they are, and what is read."""

    ranks: NormalScores | None
    values: factor.Standardised

    @classmethod
    def of(cls, data: Scores, scores: str) -> _Read:
        ranks = NormalScores.of(data.values) if scores == "normal" else None
        values = data.values if ranks is None else ranks.transform(data.values)
        return cls(ranks, factor.standardised(values))


def _run(settings: Mapping[str, Any]) -> dict[str, Any]:
    names = "loss", "sparse", "low_rank", "tol", "max_iter"
    return {name: settings[name] for name in names} | {"diagonal": settings["loss"] == "d-trace"}


def _unfit(data: Scores, read: _Read, settings: Mapping[str, Any]) -> str:
    """Return why these scores cannot be split, or nothing."""
    advice = "leave judges of few scores out with select(judges=...)"
    ones = np.ones(data.n_items)
    reason = fitting.unsettled_pairs(data.values, ones, NAME, advice, reads="scores")
    run = _run(settings)
    asked = {name: run[name] for name in ("loss", "sparse", "diagonal")}
    if not reason and kernel.bottomless(read.values.matrix, **asked):
        return _combined(data, read.values.matrix)
    return reason


def _fitted(
    read: _Read, taken: _Taken, loading: Floats, end: End, share: ClassShare
) -> factor.Fitted:
    """Return the latent variable of every item and the higher class, by a key that is one more judge."""
    standard, seen, sigma, scale = read.values
    mean, variance = quality.latent(taken.loadings[:, 0], sigma, standard, seen)
    one = factor.OneFactor(loading, np.maximum(1 - loading**2, 0.0), end)
    ones = np.ones(len(mean))
    key = factor.key_law(one, variance, ones, share.share, told=not share.counted)
    higher = factor.key_posterior(mean, variance, key)
    return factor.Fitted(scale, sigma, one, key, mean, variance, higher)


def _penalties(data: Scores, **told: float | None) -> dict[str, float]:
    """Return the checked penalties, the authors' where none is told."""
    default = policy.SPLIT_PENALTY / np.sqrt(data.n_judges)
    return {
        name: float(default) if value is None else check_number(name, value, least=0.0, strict=True)
        for name, value in told.items()
    }


def _anchors(data: Scores, direction: str, anchors: Mapping[Any, Any] | None) -> Floats | None:
    """Return (n_items,) known scores of items somebody scored, NaN elsewhere, where they are needed."""
    if direction != "anchored":
        return None
    known = anchor_values(data.items, anchors)
    n = 0
    if known is not None:
        known[np.isnan(data.values).all(axis=1)] = np.nan
        n = int((~np.isnan(known)).sum())
    if n < policy.FEWEST_ANCHORS:
        raise DataError(
            f"anchors must name at least {policy.FEWEST_ANCHORS} items that some judge scored, for "
            f"direction='anchored'; got {n}; write anchors={{'q1': 7, ...}} or another direction"
        )
    return known


class _Taken(NamedTuple):
    """The directions and (N, r) loadings, quality first; unit weights; the rule's and the even one."""

    found: quality.Directions
    chosen: quality.Quality
    even: quality.Quality
    loadings: Floats
    weights: Floats


def _taken(
    found: quality.Directions,
    standard: Floats,
    known: Floats | None,
    settings: Mapping[str, Any],
) -> _Taken:
    even = quality.balanced(found)
    if known is not None:
        at = ~np.isnan(known)
        chosen = quality.anchored(found, standard[at], known[at])
    else:
        chosen = even if settings["direction"] == "balanced" else quality.leading(found)
    weights = chosen.weights
    if settings["rule"] == "subtraction":
        weights = quality.subtraction(found, chosen.place)
    order = [chosen.place, *(k for k in range(len(found.values)) if k != chosen.place)]
    ordered = quality.Directions(found.values[order], found.vectors[:, order])
    loadings = ordered.vectors * np.sqrt(ordered.values)
    loadings[:, 0] = weights * np.sqrt(ordered.values[0])
    return _Taken(ordered, chosen, even, loadings, weights)


def _combined(data: Scores, sigma: Floats) -> str:
    """Return why D-trace has no minimum, with the judges of the clearest combination."""
    null = kernel.without_variance(sigma)
    names = [j for j, part in zip(data.judges, np.abs(null[:, 0]), strict=True) if part > 0.1]
    if null.shape[1] > 1 or len(names) > policy.MOST_NAMED:
        which = f"{how_many(null.shape[1], 'combination')} of the judges' scores"
    else:
        which = f"one combination of the scores of {', '.join(names)}"
    return (
        f"D-trace has no minimum, for nothing varies along {which} (copies, sums, more judges than items, "
        "or correlations over different items); leave judges out with select(judges=...), or write "
        "loss='log-det'."
    )


def _nothing_shared(split: kernel.Split) -> tuple[Status, str]:
    if not split.end.converged:
        return Status.NOT_CONVERGED, (
            f"The split was stopped after {split.end.n_iter} sweeps with nothing shared, which proves "
            "nothing; raise max_iter."
        )
    return Status.UNDETERMINED, (
        "With these penalties the best shared part is exactly none, so no direction is quality; lower "
        "low_rank, raise sparse, or use 'rank-factor'."
    )


def _parameters(
    data: Scores, fit: factor.Fitted, split: kernel.Split, taken: _Taken
) -> dict[str, Any]:
    return factor.key_parameters(fit) | {
        "correlations": fit.matrix,
        "weights": taken.weights,
        "precision_loading": taken.loadings[:, 0],
        "directions": taken.found.vectors,
        "eigenvalues": taken.found.values,
        "edges": [[data.judges[i], data.judges[j]] for i, j in split.edges],
        "objective": split.objective,
        "gap": split.gap if np.isfinite(split.gap) else None,
    }


def _message(
    data: Scores,
    settings: Mapping[str, Any],
    split: kernel.Split,
    taken: _Taken,
    share: ClassShare,
) -> str:
    ended = "converged" if split.end.converged else "did not converge"
    rule = " less the others" if settings["rule"] == "subtraction" else ""
    values = taken.found.values
    return (
        f"CARE-SVD ({settings['loss']}) on {how_many(data.n_items, 'item')} and {data.n_judges} judges "
        f"{ended}: {how_many(len(values), 'shared direction')}, {how_many(len(split.edges), 'link')}; "
        f"the {settings['direction']} direction{rule} is taken for quality (eigenvalue {values[0]:.3g}); "
        f"the share of the higher class is taken for {share.share:.1%} ({share.why}); {CAVEAT}."
    )


def _notes(data: Scores, taken: _Taken, settings: Mapping[str, Any]) -> list[str]:
    """Return sentences on missing scores, ties, a narrow leading direction, and the subtraction."""
    notes = []
    if data.missing.any():
        notes.append("Correlations are over the items that both judges of a pair scored.")
    if taken.chosen.tied:
        notes.append(
            f"Another eigenvalue is within {taken.chosen.gap:.0%} of the one taken: any mixture of the two "
            "directions would do as well."
        )
    if settings["direction"] == "leading" and taken.even.place:
        most = np.abs(taken.weights).argsort()[::-1][:3]
        names = ", ".join(data.judges[j] for j in most)
        notes.append(
            f"The leading direction is carried by few judges, most by {names}, and may be what near copies "
            "share; direction='balanced' takes another one."
        )
    if settings["rule"] == "subtraction":
        notes.append(
            "The subtraction rule is for replication: it hangs on the signs of directions, which scores "
            "do not tell, and on one set of comments it ranked far worse than one factor."
        )
    return notes


def _stopped(data: Scores, read: _Read, split: kernel.Split) -> list[str]:
    """Return how far off a stopped search may be, and the judges most alike, who slow it down."""
    if split.end.converged:
        return []
    alike = np.abs(np.triu(read.values.matrix, 1))
    i, j = np.unravel_index(int(alike.argmax()), alike.shape)
    return [
        f"The search was stopped within {split.gap:.2g} of the least objective, as far as is proved; raise "
        f"max_iter or penalties, or leave out {data.judges[i]} or {data.judges[j]}, whose scores "
        f"correlate {read.values.matrix[i, j]:.4f}: near copies slow it down."
    ]


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    scale, key = factor.read_key(told)
    if "scores_seen" in told:
        values = NormalScores.read(told).transform(values)
    seen = (~np.isnan(values)).astype(float)
    loading, sigma = (np.array(told[name], float) for name in ("precision_loading", "correlations"))
    mean, variance = quality.latent(loading, sigma, scale.standard(values), seen)
    higher = np.where(
        seen.any(axis=1), factor.key_posterior(mean, variance, key), result.prevalence
    )
    return np.stack([1 - higher, higher], axis=1)
