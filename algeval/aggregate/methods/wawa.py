"""Wawa, worker agreement with aggregate: votes weighed by how often a judge sides with the majority."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.fitting import Data, missing_note, refused
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.methods.majority import graded_against
from algeval.aggregate.results import Aggregation, Floats, assemble, decide
from algeval.aggregate.votes import vote_counts, vote_shares
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes

__all__ = ["predict", "wawa"]


def wawa(data: Data) -> Aggregation:
    """Weigh each judge by its agreement with the majority, and vote again.

    Use it as a reference between the majority and a model: it settles most ties and needs no
    iteration. It assumes that the majority is mostly right; judges that err together give each
    other weight, and a judge worse than chance still counts for its answers, never against them.
    An item whose majority is tied teaches nothing about the judges; an answer that is no label,
    and a missing one, count as no vote.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch

    Returns
    -------
    Aggregation
        `posterior` holds shares of the weighted votes, no probabilities; `evaluation` each judge
        against the labels found; `parameters` the weight of each judge, its share of votes that
        agree with the majority. Status ok, or not_identifiable where no item has a majority, or
        none is left with a label.

    Notes
    -----
    Three steps: the majority label of each item; the weight of each judge; the label with most
    weight.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> wawa(s).decisions.tolist(), wawa(s).parameters["weight"].tolist()
    ([0, 0, 1], [1.0, 1.0, 1.0, 0.0])
    """
    read = read_patterns(data)
    sketch = read.sketch
    first = decide(vote_shares(vote_counts(sketch)))
    if (first == NOT_ANSWERED).all():
        why = "Wawa must see some item with a majority; got none; add judges or use another method"
        return refused(read, "wawa", {}, why)
    weight = _agreement(sketch.codes, sketch.counts.astype(float), first, sketch.n_labels)
    posterior = _shares(sketch.codes, weight, sketch.n_labels)
    decisions = decide(posterior)
    if (decisions == NOT_ANSWERED).all():
        why = "Wawa must find a label for some item; got ties only; add judges"
        return refused(read, "wawa", {}, why)
    undecided = int(sketch.counts[decisions == NOT_ANSWERED].sum())
    return assemble(
        read,
        method="wawa",
        settings={},
        message=(
            f"Wawa of {sketch.n_judges} judges labels {sketch.n_items - undecided} of "
            f"{sketch.n_items} items; {undecided} are undecided."
        ),
        posterior=posterior,
        evaluation=graded_against(sketch, decisions).to_floats(),
        warnings=tuple(missing_note(sketch, "they count for no label")),
        parameters={"weight": weight},
    )


def _agreement(codes: Codes, counts: Floats, labels: Codes, n_labels: int) -> Floats:
    """Return (N,): share of each judge's votes on decided items that are the item's label."""
    decided = (labels != NOT_ANSWERED)[:, None]
    voted = counts @ (decided & (codes >= 0) & (codes < n_labels))
    agreed = counts @ (decided & (codes == labels[:, None]))
    result: Floats = agreed / np.maximum(voted, 1)
    return result


def _shares(codes: Codes, weight: Floats, n_labels: int) -> Floats:
    """Return (rows, R): each label's share of the weight, uniform where there is none."""
    votes = np.stack([(codes == place) @ weight for place in range(n_labels)], axis=1)
    total = votes.sum(axis=1, keepdims=True)
    known = total > 0
    return np.where(known, votes / np.where(known, total, 1.0), 1 / n_labels)


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) shares of other votes, weighed by the weights found."""
    weight = np.array(result.parameters["weight"], float)
    return _shares(np.asarray(codes), weight, len(result.labels))
