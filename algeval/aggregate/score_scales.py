"""On which scale a consensus is told: the judges', a person's, standard deviations, or that of anchors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import Anchored, ScoreAggregation
from algeval.data import Scores
from algeval.data.names import read_only
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["SETTINGS", "anchor_values", "on_judges_scale", "rescaled"]

Anchors = Mapping[Any, Any]

SETTINGS = ("scale", "anchors", "calibration")
"""What every method of scores takes besides its own settings."""


def on_judges_scale(traits: Floats, values: Floats, loading: Floats, noise: Floats) -> Floats:
    """Return (n_items,) traits with the mean and spread of the judges, the better ones weighing more.

    A judge weighs loading^2 / noise, what its scores say of the trait. Nothing leaves the range of
    scores that were given. An average of raw scores would be too narrow: judges disagree, and their
    average has less spread than any of them.

    Examples
    --------
    >>> values = np.array([[0.0, 10.0], [2.0, 30.0]])
    >>> on_judges_scale(np.array([-1.0, 1.0]), values, np.array([0.9, 0.9]), np.array([0.2, 0.2]))
    array([ 5., 16.])
    """
    if np.isnan(values).all():
        return np.full(len(values), np.nan)
    heard, said = ~np.isnan(values).all(axis=1), ~np.isnan(values).all(axis=0)
    given = values[:, said]
    weight = (loading**2 / np.maximum(noise, policy.LEAST_NOISE))[said]
    weight = weight if weight.sum() > 0 else np.ones(len(weight))
    center = float(np.average(np.nanmean(given, axis=0), weights=weight))
    width = float(np.average(np.nanstd(given, axis=0), weights=weight))
    spread = float(traits[heard].std())
    told = center + traits * (width / spread if spread > 0 else 0.0)
    return np.clip(told, np.nanmin(values), np.nanmax(values))


def rescaled(
    result: ScoreAggregation,
    data: Scores,
    *,
    scale: object = "judges",
    anchors: Anchors | None = None,
    calibration: str = "shift",
) -> ScoreAggregation:
    """Return the result with its item scores on another scale, or calibrated by anchors.

    Parameters
    ----------
    scale : "judges", "trait", or {"mean": m, "sd": s, "low": l, "high": h}
        The judges' own; standard deviations over the items; or a person's, where the consensus gets
        this mean and standard deviation and stays within `low` and `high` if they are given.
    anchors : {item: score}, optional
        Known scores of some items; the result says that they were used.
    calibration : "shift" or "isotonic"
        Move all scores by the anchors' mean error, or bend them by the rising curve nearest to the
        anchors.

    Raises
    ------
    DataError
        If a scale, an anchor or its item is not known.
    """
    told = _read_scale(scale)
    check_choice("calibration", calibration, ("shift", "isotonic"))
    known = anchor_values(result.items, anchors)
    if calibration == "isotonic" and known is not None:
        n = int((~np.isnan(known)).sum())
        if n < policy.CHOOSING_ANCHORS:
            raise DataError(
                f"calibration must be 'shift' with fewer than {policy.CHOOSING_ANCHORS} anchors; got "
                f"'isotonic' with {n}; give more anchors"
            )
    settings = result.settings | {"scale": told}
    settings |= {"calibration": calibration} if known is not None else {}
    notes = result.warnings
    if told == "judges" and result.status.ok:
        notes += _mixed_scales(data)
    scores = _on(told, result)
    if known is None or not np.isfinite(scores).all():
        return replace(result, item_scores=read_only(scores), settings=settings, warnings=notes)
    places = np.flatnonzero(~np.isnan(known))
    curve = _learning_curve(scores[places], known[places])
    before = float(np.abs(scores - known)[places].mean())
    return replace(
        result,
        item_scores=read_only(_calibrated(calibration, scores[places], known[places], scores)),
        settings=settings,
        warnings=notes,
        anchored=Anchored(calibration, len(places), before, curve),
    )


def anchor_values(items: tuple[str, ...], anchors: Anchors | None) -> Floats | None:
    """Return (n_items,) known scores, NaN elsewhere, of a mapping from item to score.

    Raises
    ------
    DataError
        If there is none, an item is not among those scored, or a score is no finite number.
    """
    if anchors is None:
        return None
    if not isinstance(anchors, Mapping) or not anchors:
        raise DataError(
            f"anchors must map at least one item to its known score; got {anchors!r}; write "
            "{'q1': 7, 'q2': 3}"
        )
    place = {item: at for at, item in enumerate(items)}
    strange = [item for item in map(str, anchors) if item not in place]
    if strange:
        raise DataError(
            f"anchors must be items that were scored; got {strange[0]!r} and {len(strange) - 1} more; "
            f"ids are written as in {items[0]!r}"
        )
    known = np.full(len(items), np.nan)
    for item, score in anchors.items():
        known[place[str(item)]] = float(exact(score, "anchor"))
    return known


def _read_scale(scale: object) -> Any:
    if isinstance(scale, Mapping):
        unknown = [name for name in scale if name not in ("mean", "sd", "low", "high")]
        if unknown or not {"mean", "sd"} <= set(scale):
            raise DataError(
                f"scale must name mean and sd, and may name low and high; got {dict(scale)!r}; write "
                "{'mean': 50, 'sd': 20, 'low': 0, 'high': 100}"
            )
        told = {name: float(exact(value, name)) for name, value in scale.items()}
        check_number("sd", told["sd"], least=0.0)
        if told.get("low", -np.inf) > told.get("high", np.inf):
            raise DataError(
                f"low must be at most high; got {told['low']:g} and {told['high']:g}; change one of them"
            )
        return told
    return check_choice("scale", scale, ("judges", "trait"))


def _on(scale: Any, result: ScoreAggregation) -> Floats:
    """Return the consensus on a scale; `result` holds it on the judges', not numbers if it found none."""
    if scale == "judges" or np.isnan(result.item_scores).any():
        return result.item_scores
    if scale == "trait":
        return result.item_traits
    spread = float(result.item_traits.std())
    factor = scale["sd"] / spread if spread > 0 else 0.0
    told = scale["mean"] + (result.item_traits - result.item_traits.mean()) * factor
    kept: Floats = np.clip(told, scale.get("low", -np.inf), scale.get("high", np.inf))
    return kept


def _mixed_scales(data: Scores) -> tuple[str, ...]:
    """Return a sentence where the judges' scales are too different for one to be theirs."""
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


def _calibrated(how: str, at: Floats, known: Floats, scores: Floats) -> Floats:
    """Return scores as anchors with consensus `at` and known score `known` bend them."""
    if how == "shift":
        return scores + float((known - at).mean())
    order = np.argsort(at, kind="stable")
    places, first = np.unique(at[order], return_index=True)
    sizes = np.diff([*first, len(at)])
    means = np.add.reduceat(known[order], first) / sizes
    rising = isotonic_regression(means, weights=sizes).x
    result: Floats = np.interp(scores, places, rising)
    return result


def _learning_curve(at: Floats, known: Floats) -> tuple[tuple[int, float, float], ...]:
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
                    np.abs(_calibrated(how, at[used], known[used], at[left]) - known[left]).mean()
                    for how in ("shift", "isotonic")
                ]
            )
        shift, isotonic = np.mean(errors, axis=0).tolist()
        curve.append((n, shift, isotonic))
    return tuple(curve)
