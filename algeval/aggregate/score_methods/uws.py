"""Universal weak supervision of scores: an average weighted by how far judges are from one another."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.score_fitting import finish, read_share, refused
from algeval.aggregate.score_kernels.triplet_weights import TripletWeights, triplet_weights
from algeval.aggregate.score_methods.average import cut_words, found_by_mean, weighted_mean
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["uws"]

NAME = "uws"


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
    share = read_share(data, prevalence, cut)
    if data.n_judges < 3:
        why = f"UWS must have at least 3 judges; got {data.n_judges}: a variance needs two others."
        return refused(data, NAME, share.settings, share, why)
    silent = _met_nobody(data)
    if silent:
        why = (
            f"Every pair of judges must have items in common for UWS; {silent} lacks them; leave judges of "
            "few scores out with select(judges=...), or use 'factor'."
        )
        return refused(data, NAME, share.settings, share, why)
    told = triplet_weights(data.values)
    if not told.usable:
        status = Status.INCONSISTENT if told.impossible.any() else Status.UNDETERMINED
        return refused(data, NAME, share.settings, share, _why(data, told), status=status)
    take = partial(weighted_mean, weights=told.weight)
    found, why = found_by_mean(data.values, take, share)
    if found is None:
        return refused(data, NAME, share.settings, share, f"The weighted average {why}")
    parameters = {**found.parameters, "weights": told.weight, "error_variances": told.variance}
    found = replace(found, parameters=parameters)
    message = (
        f"Average of {how_many(data.n_judges, 'judge')} on {how_many(data.n_items, 'item')}, weighted by "
        f"their mean squared differences; {cut_words(found, share)}; judges who share a bias get too much "
        "of the weight."
    )
    return finish(data, NAME, share.settings, found, share, message=message)


def _met_nobody(data: Scores) -> str:
    """Return the judge who shares no item with the most others, or nothing."""
    seen = (~np.isnan(data.values)).astype(float)
    strangers = (seen.T @ seen == 0).sum(axis=1)
    return data.judges[int(strangers.argmax())] if strangers.any() else ""


def _why(data: Scores, told: TripletWeights) -> str:
    """Return why there are no weights, or none to rest on."""
    poor = [judge for judge, out in zip(data.judges, told.impossible, strict=True) if out]
    if poor:
        return (
            f"UWS finds no weight for {', '.join(poor[: policy.MOST_NAMED])}: the error variance that the "
            "differences give is not positive, as of copies or of judges with a common bias; the "
            "assumption of unrelated errors does not hold, use 'rank-factor'."
        )
    first = data.judges[int(np.argmax(told.alone))]
    return (
        f"UWS gives {first} {told.weight.max():.1%} of the weight, so that one judge answers alone: its "
        "error variance comes out near 0; leave it out, or use 'rank-factor'."
    )
