"""How good the judges were on the labelled items, and whether they erred together there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.rates.inputs import Gold
from algeval.rates.policy import FEWEST_TOGETHER
from algeval.rates.rating.page import short

__all__ = ["errors_together", "judged"]


def judged(votes: Votes, place: int, gold: Gold | None) -> dict[str, dict[str, float | None]]:
    """Return of each judge the share of its votes for a label, and how often it was right.

    place : of the label among the votes' labels.
    """
    codes = votes.codes
    found = {}
    for column, judge in enumerate(votes.judges):
        given = codes[:, column]
        right = None if gold is None else _right(given[gold.rows], gold.truth)
        answered = int((given != NOT_ANSWERED).sum())
        share = float((given == place).sum() / answered) if answered else None
        found[judge] = {"votes_for_it": share, "right_on_labelled": right}
    return found


def _right(given: NDArray[np.int16], truth: NDArray[np.int64]) -> float | None:
    answered = given != NOT_ANSWERED
    return float((given == truth)[answered].mean()) if answered.any() else None


def errors_together(votes: Votes, gold: Gold, place: int) -> str:
    """Return a sentence on the correlations of two judges' errors within a label, or an empty text.

    There is none where labels are too few to tell, or one judge is alone.
    """
    codes = votes.codes[gold.rows]
    told = []
    for kind, of_label in (("passes", gold.truth == place), ("fails", gold.truth != place)):
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
