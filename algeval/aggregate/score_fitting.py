"""What methods of scores share: how a fit ends, and the scale of a consensus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.em import told_share
from algeval.aggregate.fitting import chance_unrelated, checked, scale_of, standardised
from algeval.aggregate.results import End, Floats, decide
from algeval.aggregate.score_results import CLASSES, Anchored, ScoreAggregation, Shift
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import check_choice, check_number, read_only
from algeval.errors import DataError
from algeval.result import Status, exact
from algeval.result.numbers import as_float, how_many

# --- On which scale a consensus is told: the judges', a person's, standard deviations, or that of
# anchors.


Anchors = Mapping[Any, Any]

SETTINGS = ("scale", "anchors", "calibration")
"""What every method of scores takes besides its own settings."""


def on_judges_scale(traits: Floats, values: Floats, loading: Floats, noise: Floats) -> Floats:
    """Return (n_items,) traits with the mean and spread of the judges, the better ones weighing more.

    A judge weighs loading^2 / noise, what its scores say of the trait. Nothing leaves the range of
    scores that were given. An average of raw scores would be too narrow: judges disagree, and their
    average has less spread than any of them.
    """
    if np.isnan(values).all():
        return np.full(len(values), np.nan)
    rated_items, said = ~np.isnan(values).all(axis=1), ~np.isnan(values).all(axis=0)
    rated = values[:, said]
    weight = (loading**2 / np.maximum(noise, policy.LEAST_NOISE))[said]
    weight = weight if weight.sum() > 0 else np.ones(len(weight))
    center = float(np.average(np.nanmean(rated, axis=0), weights=weight))
    width = float(np.average(np.nanstd(rated, axis=0), weights=weight))
    spread = float(traits[rated_items].std())
    scores = center + traits * (width / spread if spread > 0 else 0.0)
    return np.clip(scores, np.nanmin(values), np.nanmax(values))


def rescaled(
    result: ScoreAggregation,
    data: Scores,
    *,
    scale: object = "judges",
    anchors: Anchors | None = None,
    calibration: str = "auto",
) -> ScoreAggregation:
    """Result with its item scores on another scale, or calibrated by anchors.

    Parameters
    ----------
    scale : "judges", "trait", or {"mean": m, "sd": s, "low": l, "high": h}
        The judges' own; standard deviations over the items; or a person's, where the consensus gets
        this mean and standard deviation and stays within `low` and `high` if they are given.
    anchors : {item: score}, optional
        Known scores of some items; the result says that they were used.
    calibration : "auto", "shift" or "isotonic"
        Move all scores by the anchors' mean error, or bend them by the rising curve nearest to the
        anchors. "auto" bends only where that was nearer to anchors left out, at the end of the learning
        curve: of few anchors it mostly is not.

    Raises
    ------
    DataError
        If a scale, an anchor or its item is not known.
    """
    rule = _read_scale(scale)
    check_choice("calibration", calibration, ("auto", "shift", "isotonic"))
    anchors_ = anchor_values(result.items, anchors)
    if calibration == "isotonic" and anchors_ is not None:
        n = int((~np.isnan(anchors_)).sum())
        if n < policy.CHOOSING_ANCHORS:
            raise DataError(
                f"calibration must be 'shift' with fewer than {policy.CHOOSING_ANCHORS} anchors; got "
                f"'isotonic' with {n}; give more anchors"
            )
    settings = result.settings | {"scale": rule}
    notes = result.warnings
    if rule == "judges" and result.status.ok:
        notes += _mixed_scales(data)
    scores = _on(rule, result)
    if anchors_ is None or not np.isfinite(scores).all():
        return replace(result, item_scores=read_only(scores), settings=settings, warnings=notes)
    rows = np.flatnonzero(~np.isnan(anchors_))
    curve = _learning_curve(scores[rows], anchors_[rows])
    wins = bool(curve) and curve[-1][2] < curve[-1][1]
    if calibration == "auto":
        calibration = "isotonic" if wins else "shift"
    elif calibration == "isotonic" and curve and not wins:
        n, shift, isotonic = curve[-1]
        notes += (
            f"On anchors left out, bending the scores by {n} anchors was {isotonic:.3g} off, moving them "
            f"{shift:.3g}: calibration='shift' is nearer.",
        )
    settings |= {"calibration": calibration}
    before = float(np.abs(scores - anchors_)[rows].mean())
    return replace(
        result,
        item_scores=read_only(_calibrated(calibration, scores[rows], anchors_[rows], scores)),
        settings=settings,
        warnings=notes,
        anchored=Anchored(calibration, len(rows), before, curve),
    )


def anchor_values(items: tuple[str, ...], anchors: Anchors | None) -> Floats | None:
    """Return (n_items,) known scores, NaN elsewhere, of a mapping from item to score."""
    if anchors is None:
        return None
    if not isinstance(anchors, Mapping) or not anchors:
        raise DataError(
            f"anchors must map at least one item to its known score; got {anchors!r}; write "
            "{'q1': 7, 'q2': 3}"
        )
    row_of = {item: at for at, item in enumerate(items)}
    strange = [item for item in map(str, anchors) if item not in row_of]
    if strange:
        raise DataError(
            f"anchors must be items that were scored; got {strange[0]!r} and {len(strange) - 1} more; "
            f"ids are written as in {items[0]!r}"
        )
    values_ = np.full(len(items), np.nan)
    for item, score in anchors.items():
        values_[row_of[str(item)]] = as_float(score, "anchor")
    return values_


def _read_scale(scale: object) -> Any:
    if isinstance(scale, Mapping):
        unknown = [name for name in scale if name not in ("mean", "sd", "low", "high")]
        if unknown or not {"mean", "sd"} <= set(scale):
            raise DataError(
                f"scale must name mean and sd, and may name low and high; got {dict(scale)!r}; write "
                "{'mean': 50, 'sd': 20, 'low': 0, 'high': 100}"
            )
        numbers = {name: as_float(value, name) for name, value in scale.items()}
        check_number("sd", numbers["sd"], least=0.0)
        if numbers.get("low", -np.inf) > numbers.get("high", np.inf):
            raise DataError(
                f"low must be at most high; got {numbers['low']:g} and {numbers['high']:g}; "
                "change one of them"
            )
        return numbers
    return check_choice("scale", scale, ("judges", "trait"))


def _on(scale: Any, result: ScoreAggregation) -> Floats:
    """Consensus on a scale; `result` holds it on the judges', not numbers if it found none."""
    if scale == "judges" or np.isnan(result.item_scores).any():
        return result.item_scores
    if scale == "trait":
        return result.item_traits
    spread = float(result.item_traits.std())
    factor = scale["sd"] / spread if spread > 0 else 0.0
    moved = scale["mean"] + (result.item_traits - result.item_traits.mean()) * factor
    kept: Floats = np.clip(moved, scale.get("low", -np.inf), scale.get("high", np.inf))
    return kept


def _mixed_scales(data: Scores) -> tuple[str, ...]:
    """Sentence where the judges' scales are too different for one to be theirs."""
    said = data.values[:, ~np.isnan(data.values).all(axis=0)]
    width = np.nanmax(said, axis=0) - np.nanmin(said, axis=0)
    width = width[width > policy.NO_SPREAD]
    if len(width) < 2 or width.max() <= policy.MIXED_SCALES * width.min():
        return ()
    ratio = width.max() / width.min()
    return (
        f"The judges use scales of different width (ranges up to {ratio:.3g} to 1): the scale of "
        "item_scores is their weighted mean and has no meaning of its own; write scale='trait', or the "
        "mean and sd you want.",
    )


def _calibrated(how: str, at: Floats, anchors: Floats, scores: Floats) -> Floats:
    """Scores as anchors with consensus `at` and known score `known` bend them."""
    if how == "shift":
        return scores + float((anchors - at).mean())
    order = np.argsort(at, kind="stable")
    firsts, first = np.unique(at[order], return_index=True)
    sizes = np.diff([*first, len(at)])
    means = np.add.reduceat(anchors[order], first) / sizes
    from scipy.optimize import isotonic_regression

    rising = isotonic_regression(means, weights=sizes).x
    result: Floats = np.interp(scores, firsts, rising)
    return result


def _learning_curve(at: Floats, anchors: Floats) -> tuple[tuple[int, float, float], ...]:
    """Return (n, error after shift, after isotonic) on the anchors left out of random draws of n."""
    rng = np.random.default_rng(0)
    curve = []
    for n in (size for size in policy.ANCHOR_SIZES if size <= len(at) // 2):
        errors = []
        for _ in range(policy.ANCHOR_DRAWS):
            order = rng.permutation(len(at))
            used, left = order[:n], order[n:]
            errors.append(
                [
                    np.abs(
                        _calibrated(how, at[used], anchors[used], at[left]) - anchors[left]
                    ).mean()
                    for how in ("shift", "isotonic")
                ]
            )
        shift, isotonic = np.mean(errors, axis=0).tolist()
        curve.append((n, shift, isotonic))
    return tuple(curve)


# --- What methods of scores share: the share of the higher class, refusals, notes, the result.
#
# A method opens its case (`opened_scores`), refuses what it cannot identify (`ScoreCase.refused`), fits,
# and hands its `FittedScores` to `ScoreCase.finish`.


CAVEAT = "what the judges share need not be what you mean"


@dataclass(frozen=True, slots=True)
class ClassShare:
    """What is known of the higher class.

    `why`: where it is from, for the message.
    `counted`: whether it was only counted at a cut, and so is a hint.
    `cut`: where the user cuts the judges' scale.
    """

    share: float
    why: str
    counted: bool
    cut: float | None
    settings: dict[str, Any]


def read_share(data: Scores, prevalence: Any, cut: object) -> ClassShare:
    """Share of the higher class, told, counted at the cut, or taken as balanced."""
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
        rule = "equal" if prevalence is None else prevalence
        share, words = told_share(rule, CLASSES, 0.5)
        settings = {"prevalence": words.setting, "cut": None}
        return ClassShare(share, words.why, counted=False, cut=None, settings=settings)
    votes = data.without_key().cut(cut).codes
    n_votes = int((votes != NOT_ANSWERED).sum())
    share, _ = told_share("votes", CLASSES, int((votes == 1).sum()) / n_votes if n_votes else 0.5)
    at = exact(cut, "cut")
    why, settings = f"the share of scores from {at} on", {"prevalence": None, "cut": str(at)}
    return ClassShare(share, why, counted=True, cut=float(at), settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedScores:
    """What a method found, before it has a scale.

    `traits`, `spread`, `higher` (n_items,): mean and standard deviation of the trait, and the
      probability of the higher class.
    `loadings` (N, k).
    `noise` (N,).
    `own` (n_items,): the consensus on the judges' scale, where the method has one of its own.
    """

    traits: Floats
    spread: Floats
    higher: Floats
    loadings: Floats
    noise: Floats
    own: Floats | None = None
    end: End = field(default_factory=End)
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCase:
    """Scores under a method: its name, its settings as results echo them, the higher class's share."""

    data: Scores
    method: str
    settings: Mapping[str, Any]
    share: ClassShare

    def finish(
        self,
        fit: FittedScores,
        *,
        message: str,
        notes: Sequence[str] = (),
        shifts: Sequence[Shift] = (),
    ) -> ScoreAggregation:
        """Result of any method of scores, on the judges' scale; items nobody scored included."""
        data, status = self.data, Status.OK if fit.end.converged else Status.NOT_CONVERGED
        seen = score_notes(data, fit.loadings[:, 0], fit.noise)
        warnings = (*notes, *_beyond(data, self.share), *seen)
        return replace(self._result(fit, status, message, warnings), shifts=tuple(shifts))

    def refused(
        self,
        why: str,
        *,
        status: Status = Status.NOT_IDENTIFIABLE,
        parameters: Mapping[str, Any] | None = None,
        notes: Sequence[str] = (),
    ) -> ScoreAggregation:
        """Result of a method that these scores cannot settle: nothing is decided."""
        n, k = self.data.n_items, self.data.n_judges
        nothing = FittedScores(
            traits=np.zeros(n),
            spread=np.ones(n),
            higher=np.full(n, self.share.share),
            loadings=np.zeros((k, 1)),
            noise=np.ones(k),
            own=np.full(n, np.nan),
            end=End(converged=False),
            parameters=parameters or {},
        )
        undecided = read_only(np.full(n, NOT_ANSWERED, np.int16))
        return replace(self._result(nothing, status, why, notes), decisions=undecided)

    def _result(
        self, fit: FittedScores, status: Status, message: str, warnings: Sequence[str]
    ) -> ScoreAggregation:
        data, end = self.data, fit.end
        rated = ~np.isnan(data.values).all(axis=1)
        higher = np.where(rated, fit.higher, self.share.share)
        posterior = np.stack([1 - higher, higher], axis=1)
        traits, own = np.where(rated, fit.traits, 0.0), fit.own
        if own is None:
            own = on_judges_scale(traits, data.values, fit.loadings[:, 0], fit.noise)
        return ScoreAggregation(
            status=status,
            message=message,
            method=self.method,
            settings=dict(self.settings),
            judges=data.judges,
            items=data.items,
            item_scores=read_only(own),
            item_traits=read_only(traits),
            item_spread=read_only(np.where(rated, fit.spread, 1.0)),
            posterior=read_only(posterior),
            decisions=read_only(decide(posterior)),
            loadings=read_only(fit.loadings),
            noise=read_only(fit.noise),
            prevalence=self.share.share,
            log_likelihood=end.trace[-1] if end.trace else None,
            n_iter=end.n_iter,
            converged=end.converged,
            trace=end.trace,
            warnings=tuple(warnings),
            parameters=dict(fit.parameters),
        )


def opened_scores(
    method: str, data: Scores, prevalence: Any, cut: object, **settings: Any
) -> ScoreCase:
    """Scores for a method, with its settings in the order in which results echo them."""
    share = read_share(data, prevalence, cut)
    echoed = share.settings | checked(**settings)
    return ScoreCase(data=data, method=method, settings=echoed, share=share)


def _beyond(data: Scores, share: ClassShare) -> list[str]:
    """Sentence where a cut leaves all scores on one side."""
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
    """Sentences on what is missing, on judges who say nothing, and on those read backwards."""
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
    """Sentence where judges of (n_items, N) scores may have nothing to do with each other."""
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
    """Number of groups of judges that no item links; judges without scores are left out."""
    from scipy.sparse.csgraph import connected_components

    seen = ~np.isnan(data.values)
    counted = seen[:, seen.any(axis=0)].astype(float)
    return (
        int(connected_components(counted.T @ counted > 0, directed=False)[0]) if counted.size else 0
    )


def _same(column: Floats) -> bool:
    """Whether a judge gave at most one different score."""
    rated = column[~np.isnan(column)]
    return not len(rated) or bool(np.ptp(rated) <= policy.NO_SPREAD * max(1.0, abs(rated[0])))
