"""What methods of scores share: the share of the higher class, refusals, notes, the result.

A method reads the share (`read_share`), refuses what it cannot identify (`refused`), fits, and hands
what it `Found` to `finish`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from algeval.aggregate import policy
from algeval.aggregate.kernels.one_factor import chance_unrelated, scale_of, standardised
from algeval.aggregate.prevalence import told_share
from algeval.aggregate.results import End, Floats, decide
from algeval.aggregate.score_results import CLASSES, ScoreAggregation, Shift
from algeval.aggregate.score_scales import on_judges_scale
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import read_only
from algeval.errors import DataError
from algeval.result import Status, exact
from algeval.result.wording import how_many

__all__ = [
    "CAVEAT",
    "ClassShare",
    "Found",
    "finish",
    "read_share",
    "refused",
    "score_notes",
    "unrelated_note",
]

CAVEAT = "what the judges share need not be what you mean"


@dataclass(frozen=True, slots=True)
class ClassShare:
    """What is known of the higher class.

    Attributes
    ----------
    share : float
    why : str
        Where it is from, for the message.
    counted : bool
        Whether it was only counted at a cut, and so is a hint.
    cut : float or None
        Where the user cuts the judges' scale.
    settings : dict
    """

    share: float
    why: str
    counted: bool
    cut: float | None
    settings: dict[str, Any]


def read_share(data: Scores, prevalence: Any, cut: object) -> ClassShare:
    """Return the share of the higher class, told, counted at the cut, or taken as balanced.

    Raises
    ------
    DataError
        If both are given, or one of them is out of range, or scores are too large for squares.
    """
    if (np.abs(data.values) > policy.LARGEST_SCORE).any():
        raise DataError(
            f"scores must lie within {policy.LARGEST_SCORE:.0e} of 0 for a consensus; got "
            f"{float(np.nanmax(np.abs(data.values))):.3g}; change their unit"
        )
    if prevalence is not None and cut is not None:
        raise DataError(
            f"prevalence and cut must not both be given; got {prevalence!r} and {cut!r}; the cut "
            "would set the prevalence"
        )
    if cut is None:
        told = "equal" if prevalence is None else prevalence
        share, words = told_share(told, CLASSES, 0.5)
        settings = {"prevalence": words.setting, "cut": None}
        return ClassShare(share, words.why, counted=False, cut=None, settings=settings)
    votes = data.without_key().cut(cut).codes
    given = int((votes != NOT_ANSWERED).sum())
    share, _ = told_share("votes", CLASSES, int((votes == 1).sum()) / given if given else 0.5)
    at = exact(cut, "cut")
    why, settings = f"the share of scores from {at} on", {"prevalence": None, "cut": str(at)}
    return ClassShare(share, why, counted=True, cut=float(at), settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a method found, before it has a scale.

    Attributes
    ----------
    traits, spread, higher : (n_items,) arrays
        Mean and standard deviation of the trait, and the probability of the higher class.
    loadings : (N, k) array
    noise : (N,) array
    own : (n_items,) array, optional
        The consensus on the judges' scale, where the method has one of its own.
    end : End
    parameters : dict
    """

    traits: Floats
    spread: Floats
    higher: Floats
    loadings: Floats
    noise: Floats
    own: Floats | None = None
    end: End = field(default_factory=End)
    parameters: Mapping[str, Any] = field(default_factory=dict)


def finish(
    data: Scores,
    method: str,
    settings: Mapping[str, Any],
    found: Found,
    share: ClassShare,
    *,
    message: str,
    notes: Sequence[str] = (),
    status: Status | None = None,
    shifts: Sequence[Shift] = (),
) -> ScoreAggregation:
    """Return the result of any method of scores, on the judges' scale; items nobody scored included."""
    heard = ~np.isnan(data.values).all(axis=1)
    higher = np.where(heard, found.higher, share.share)
    posterior = np.stack([1 - higher, higher], axis=1)
    traits = np.where(heard, found.traits, 0.0)
    end = found.end
    own = found.own
    if own is None:
        own = on_judges_scale(traits, data.values, found.loadings[:, 0], found.noise)
    return ScoreAggregation(
        status=status or (Status.OK if end.converged else Status.NOT_CONVERGED),
        message=message,
        method=method,
        settings=dict(settings),
        judges=data.judges,
        items=data.items,
        item_scores=read_only(own),
        item_traits=read_only(traits),
        item_spread=read_only(np.where(heard, found.spread, 1.0)),
        posterior=read_only(posterior),
        decisions=read_only(decide(posterior)),
        loadings=read_only(found.loadings),
        noise=read_only(found.noise),
        prevalence=share.share,
        log_likelihood=end.trace[-1] if end.trace else None,
        n_iter=end.n_iter,
        converged=end.converged,
        trace=end.trace,
        shifts=tuple(shifts),
        warnings=(
            *notes,
            *_beyond(data, share),
            *score_notes(data, found.loadings[:, 0], found.noise),
        ),
        parameters=dict(found.parameters),
    )


def refused(
    data: Scores,
    method: str,
    settings: Mapping[str, Any],
    share: ClassShare,
    why: str,
    *,
    status: Status = Status.NOT_IDENTIFIABLE,
    parameters: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> ScoreAggregation:
    """Return the result of a method that these scores cannot settle: nothing is decided."""
    n, k = data.n_items, data.n_judges
    return ScoreAggregation(
        status=status,
        message=why,
        method=method,
        settings=dict(settings),
        judges=data.judges,
        items=data.items,
        item_scores=read_only(np.full(n, np.nan)),
        item_traits=read_only(np.zeros(n)),
        item_spread=read_only(np.ones(n)),
        posterior=read_only(np.tile([1 - share.share, share.share], (n, 1))),
        decisions=read_only(np.full(n, NOT_ANSWERED, np.int16)),
        loadings=read_only(np.zeros((k, 1))),
        noise=read_only(np.ones(k)),
        prevalence=share.share,
        converged=False,
        warnings=tuple(notes),
        parameters=dict(parameters or {}),
    )


def _beyond(data: Scores, share: ClassShare) -> list[str]:
    """Return a sentence where a cut leaves all scores on one side."""
    if share.cut is None:
        return []
    above = data.values >= share.cut
    if not above.any():
        return [f"No score reaches the cut, {share.cut:.4g}: nothing here shows the higher class."]
    if (above | np.isnan(data.values)).all():
        return [
            f"Every score reaches the cut, {share.cut:.4g}: nothing here shows the lower class."
        ]
    return []


def score_notes(data: Scores, loading: Floats, noise: Floats) -> list[str]:
    """Return sentences on what is missing, on judges who say nothing, and on those read backwards."""
    notes = []
    missing = int(data.missing.sum())
    if missing:
        notes.append(
            f"{how_many(missing, 'score is', 'scores are')} missing; they are taken as left out at random."
        )
    silent = int(np.isnan(data.values).all(axis=1).sum())
    if silent:
        notes.append(
            f"{how_many(silent, 'item')} got no score; the posterior there is the prevalence."
        )
    apart = _groups_apart(data)
    if apart > 1:
        notes.append(
            f"The judges fall into {apart} groups with no item in common: how items of one compare with "
            "those of another, and which way is up in each, is assumed and not seen."
        )
    constant = [
        judge for judge, column in zip(data.judges, data.values.T, strict=True) if _same(column)
    ]
    if constant:
        notes.append(
            f"{', '.join(constant)} gave every item the same score or none, and cannot tell items apart."
        )
    against = [j for j, load in zip(data.judges, loading, strict=True) if load < -policy.BACKWARDS]
    if against:
        notes.append(f"{', '.join(against)} put the items in the opposite order of the others.")
    copies = [j for j, left in zip(data.judges, noise, strict=True) if left <= policy.LEAST_NOISE]
    if copies:
        notes.append(
            f"{', '.join(copies)} all but equal what is shared: it may be what near copies share; see "
            "judge_groups on the cut scores."
        )
    return notes


def unrelated_note(values: Floats) -> list[str]:
    """Return a sentence where judges of (n_items, N) scores may have nothing to do with each other."""
    varied = scale_of(values, np.ones(len(values))).spread > 0
    if varied.sum() < 2:
        return []
    read = standardised(values[:, varied])
    chance = chance_unrelated(read.matrix, read.seen.T @ read.seen)
    if chance <= policy.UNRELATED:
        return []
    return [
        "These scores cannot be told from those of judges who have nothing to do with each other "
        f"(chance of such correlations then: {chance:.2g}); nothing here can be rested on."
    ]


def _groups_apart(data: Scores) -> int:
    """Return the number of groups of judges that no item links; judges without scores are left out."""
    seen = ~np.isnan(data.values)
    counted = seen[:, seen.any(axis=0)].astype(float)
    return (
        int(connected_components(counted.T @ counted > 0, directed=False)[0]) if counted.size else 0
    )


def _same(column: Floats) -> bool:
    """Whether a judge gave at most one different score."""
    given = column[~np.isnan(column)]
    return not len(given) or bool(np.ptp(given) <= policy.NO_SPREAD * max(1.0, abs(given[0])))
