"""Wawa, worker agreement with aggregate: votes weighed by how often a judge sides with the majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from algeval.aggregate.fitting import Data, finish, missing_note, refused
from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.methods.majority import graded_against, smoothed_shares
from algeval.aggregate.results import Aggregation, End, Floats, decide
from algeval.aggregate.votes import vote_counts, vote_shares, weighted_counts
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes
from algeval.data.settings import check_number
from algeval.result.wording import how_many

__all__ = ["agreement", "predict", "wawa", "weighted_vote"]


def wawa(data: Data, *, smoothing: float = 1.0) -> Aggregation:
    """Weigh each judge by its agreement with the majority, and vote again.

    Use it as a reference between the majority and a model: it settles most ties and needs no
    iteration. It assumes that the majority is mostly right; judges that err together give each
    other weight, and a judge worse than chance still counts for its answers, never against them.
    An item whose majority is tied teaches nothing about the judges; an answer that is no label,
    and a missing one, count as no vote.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of weight 1 shared evenly among the labels before shares are taken; see `majority`.

    Returns
    -------
    Aggregation
        `posterior` holds smoothed shares of the weighted votes: (weight for it + smoothing / R) /
        (all weight + smoothing); `evaluation` each judge against the labels found; `parameters` the
        weight of each judge, its share of votes that agree with the majority. Status ok, or
        not_identifiable where no item has a majority, or none is left with a label.

    Raises
    ------
    DataError
        If smoothing is negative.

    Notes
    -----
    Three steps: the majority label of each item; the weight of each judge; the label with most
    weight. Labels are those of crowd-kit's Wawa where nothing is tied.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> wawa(s).decisions.tolist(), wawa(s).parameters["weight"].tolist()
    ([0, 0, 1], [1.0, 1.0, 1.0, 0.0])
    """
    settings = {"smoothing": check_number("smoothing", smoothing, least=0.0)}
    read = read_patterns(data)
    sketch = read.sketch
    first = decide(vote_shares(vote_counts(sketch)))
    if (first == NOT_ANSWERED).all():
        why = "Wawa must see some item with a majority; got none; add judges or use another method"
        return refused(read, "wawa", settings, why)
    unheard = np.zeros(sketch.n_judges)
    weight = agreement(sketch.codes, sketch.counts, first, sketch.n_labels, unheard)
    return weighted_vote(read, "wawa", settings, weight, name="Wawa")


def agreement(
    codes: Codes, counts: Sequence[float] | Any, labels: Codes, n_labels: int, unheard: Floats
) -> Floats:
    """Return (N,): share of each judge's votes on decided items that are the item's label.

    A judge without such a vote has its entry of `unheard`.
    """
    rows = np.asarray(counts, float)
    decided = (labels != NOT_ANSWERED)[:, None]
    voted = rows @ (decided & (codes >= 0) & (codes < n_labels))
    agreed = rows @ (decided & (codes == labels[:, None]))
    result: Floats = np.where(voted > 0, agreed / np.maximum(voted, 1), unheard)
    return result


def weighted_vote(
    read: Patterns,
    method: str,
    settings: Mapping[str, Any],
    weight: Floats,
    *,
    name: str,
    end: End | None = None,
    notes: Sequence[str] = (),
) -> Aggregation:
    """Return the result of a method that ends in a vote of judges with weights (N,).

    The posterior is the smoothed share of the weight; a refusal where that decides no item.
    """
    sketch = read.sketch
    votes = weighted_counts(sketch.codes, weight, sketch.n_labels)
    posterior = smoothed_shares(votes, settings["smoothing"])
    decisions = decide(posterior)
    if (decisions == NOT_ANSWERED).all():
        why = f"{name} must find a label for some item; got ties only; add judges"
        return refused(read, method, settings, why)
    undecided = int(sketch.counts[decisions == NOT_ANSWERED].sum())
    return finish(
        read,
        method,
        settings,
        message=(
            f"{name} of {how_many(sketch.n_judges, 'judge')} labels {sketch.n_items - undecided} of "
            f"{how_many(sketch.n_items, 'item')}; {undecided} are undecided."
        ),
        posterior=posterior,
        evaluation=graded_against(sketch, decisions).to_floats(),
        end=end or End(),
        notes=[*missing_note(sketch, "they count for no label"), *notes],
        parameters={"weight": weight},
    )


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) smoothed shares of other votes, weighed by the weights found."""
    weight = np.array(result.parameters["weight"], float)
    votes = weighted_counts(np.asarray(codes), weight, len(result.labels))
    return smoothed_shares(votes, float(result.settings["smoothing"]))
