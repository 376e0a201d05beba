"""One number per item from the judges: what the labels are compared with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, aggregate
from algeval.data import Scores, Votes
from algeval.errors import DataError
from algeval.io.answers import as_number
from algeval.io.items.rows import read_item_rows
from algeval.io.layout import shown
from algeval.rates.inputs import Panel
from algeval.result.wording import did_you_mean, how_many

__all__ = ["Predictor", "is_table", "numbers_by_item", "predictor_of"]

Floats = NDArray[np.float64]
_NAMES = ("predictor", "score", "value", "probability", "p")


@dataclass(frozen=True, slots=True)
class Predictor:
    """The judges' number of each item.

    Attributes
    ----------
    name : str
    values : (n_items,) float array
        An item nobody judged has the mean of the others.
    named : bool
        Whether it was asked for.
    """

    name: str
    values: Floats
    named: bool

    @property
    def graded(self) -> bool:
        """Whether it takes more than two values."""
        return len(np.unique(self.values)) > 2


def predictor_of(asked: Any, votes: Votes, panel: Panel, scores: Scores | None) -> Predictor:
    """Return the numbers that were asked for, by default the mean score or the share of votes.

    Parameters
    ----------
    asked : str, mapping, path, table, sequence or None
        "verdict", "share", "score", a method of `aggregate`, or a number per item.
    votes : Votes
    panel : Panel
    scores : Scores or None
        Where scores were given, not votes.

    Raises
    ------
    DataError
        If the name is unknown, or an item has no number.
    """
    if asked is None:
        asked, named = ("share" if scores is None else "score"), False
    else:
        named = True
    if not isinstance(asked, str) or not _is_name(asked):
        return Predictor("numbers given", numbers_by_item(asked, votes.items, "predictor"), named)
    values = _by_name(asked, votes, panel, scores)
    known = np.isfinite(values)
    return Predictor(asked, np.where(known, values, values[known].mean()), named)


def _is_name(asked: str) -> bool:
    return asked in ("verdict", "share", "score") or "." not in asked


def _by_name(name: str, votes: Votes, panel: Panel, scores: Scores | None) -> Floats:
    if name == "share":
        return panel.share
    if name == "verdict":
        verdict: Floats = np.where(panel.verdict < 0, np.nan, panel.verdict)
        return verdict
    if name == "score":
        return _mean_scores(scores)
    if name not in METHODS:
        choices = ["verdict", "share", "score", *METHODS]
        raise DataError(
            f"predictor must be one of {choices}, or a number per item; got {name!r}; "
            f"{did_you_mean(name, choices)}"
        )
    fitted = aggregate(votes.without_key(), name)
    return np.asarray(fitted.posterior_items[:, fitted.labels.index(panel.label)], np.float64)


def _mean_scores(scores: Scores | None) -> Floats:
    if scores is None:
        raise DataError("predictor 'score' needs scores; got votes; pass Scores, or use 'share'")
    known = ~np.isnan(scores.values)
    sums, counts = np.where(known, scores.values, 0.0).sum(axis=1), known.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means


def is_table(given: Any) -> bool:
    """Whether numbers are named by item: {item: number}, a path, a frame or records."""
    if isinstance(given, str | os.PathLike | Mapping) or hasattr(given, "columns"):
        return True
    return isinstance(given, list | tuple) and bool(given) and isinstance(given[0], Mapping)


def numbers_by_item(given: Any, items: tuple[str, ...], name: str) -> Floats:
    """Return a number per item from {item: number}, a table, a path, or numbers in item order.

    Raises
    ------
    DataError
        If an item has none, or one that is not finite.
    """
    if is_table(given):
        rows = read_item_rows(given, name, (name, *_NAMES))
        texts = dict(zip(rows.items, rows.values, strict=True))
        found = [as_number(texts.get(item) or "") for item in items]
    else:
        found = list(np.asarray(given, np.float64).ravel())
        if len(found) != len(items):
            raise DataError(
                f"{name} must hold one number per item ({len(items)}); got {len(found)}; or pass "
                "{item: number}"
            )
    values = np.array([np.nan if value is None else value for value in found], np.float64)
    lacking = np.flatnonzero(~np.isfinite(values))
    if len(lacking):
        raise DataError(
            f"every item must have a finite number in {name}; {how_many(len(lacking), 'item')} "
            f"without: {shown([items[row] for row in lacking], 3)}; add them"
        )
    return values
