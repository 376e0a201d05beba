"""How good the judges were on the labelled items, and whether they erred together there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from algeval.data import Sketch, Summary, Votes
from algeval.data.names import NOT_ANSWERED
from algeval.data.reading import as_summary
from algeval.rates.inputs import Gold
from algeval.rates.policy import FEWEST_TOGETHER
from algeval.rates.rating.page import short

__all__ = ["errors_together", "grades_of", "judged"]


def judged(
    data: Votes | Sketch | Summary, place: int, right: Mapping[str, float | None] | None = None
) -> dict[str, dict[str, float | None]]:
    """Return of each judge the share of its votes for a label, and how often it was right.

    Parameters
    ----------
    data : Votes, Sketch or Summary
    place : int
        Of the label.
    right : mapping, optional
        How often each judge was right on labelled items.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> judged(Summary.from_counts({"x": {"a": 3, "b": 1}}), 0)
    {'x': {'votes_for_it': 0.75, 'right_on_labelled': None}}
    """
    counts = as_summary(data).counts
    answered = counts.sum(axis=1)
    return {
        judge: {
            "votes_for_it": float(counts[row, place] / answered[row]) if answered[row] else None,
            "right_on_labelled": None if right is None else right[judge],
        }
        for row, judge in enumerate(data.judges)
    }


def grades_of(votes: Votes, gold: Gold) -> dict[str, float | None]:
    """Return how often each judge was right on the labelled items that it answered."""
    given = votes.codes[gold.rows]
    return {judge: _right(given[:, k], gold.truth) for k, judge in enumerate(votes.judges)}


def _right(given: NDArray[np.int16], truth: NDArray[np.int64]) -> float | None:
    answered = given != NOT_ANSWERED
    return float((given == truth)[answered].mean()) if answered.any() else None


def errors_together(votes: Votes, gold: Gold) -> str:
    """Return a sentence on the correlations of two judges' errors within a label, or an empty text.

    There is none where labels are too few to tell, or one judge is alone.
    """
    codes = votes.codes[gold.rows]
    told = []
    for kind, of_label in (("passes", gold.values == 1), ("fails", gold.values == 0)):
        found = _correlations(codes[of_label], gold.truth[of_label])
        if len(found):
            low, high = short(float(found.min())), short(float(found.max()))
            told.append(f"{low if low == high else f'{low} to {high}'} among labelled {kind}")
    return f"Errors of two judges correlate {', '.join(told)}." if told else ""


def _correlations(codes: NDArray[np.int16], truth: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the correlations of errors of all pairs of judges who answered enough items together."""
    answered = (codes != NOT_ANSWERED).astype(np.float64)
    wrong = answered * (codes != truth[:, None])
    n = answered.T @ answered
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = wrong.T @ answered / n
        both = wrong.T @ wrong / n - mean * mean.T
        spread = mean * (1 - mean)
        found = both / np.sqrt(spread * spread.T)
    pairs = np.triu_indices(len(n), 1)
    kept = (n[pairs] >= FEWEST_TOGETHER) & np.isfinite(found[pairs])
    result: NDArray[np.float64] = found[pairs][kept]
    return result
