"""Panels with judges added: copies of an attribute, and programs whose numbers have units of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from algeval.aggregate.results import Floats
from algeval.aggregate.score_attributes import numeric_attribute
from algeval.aggregate.score_kernels.normal_scores import Affine, NormalScores
from algeval.data import Scores
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError

__all__ = ["on_panel_scale", "settings_of", "with_copies"]


def settings_of(methods: Sequence[str], settings: object) -> dict[str, dict[str, Any]]:
    """Return the settings of each method, refusing those of a method that is not compared."""
    given = {} if settings is None else settings
    if not isinstance(given, Mapping):
        raise DataError(
            f"settings must be of methods by name; got {settings!r}; write {{'average': {{...}}}}"
        )
    strange = [name for name in given if name not in methods]
    if strange:
        raise DataError(
            f"settings must be of methods that are compared, {list(methods)}; got {strange[0]!r}; "
            "leave it out"
        )
    return {name: dict(given.get(name, {})) for name in methods}


def on_panel_scale(values: Floats, panel: Floats) -> Floats:
    """Return (n, m) scores moved and stretched to the mean and spread of a panel's (n_items, N) scores.

    A program counts characters or shares; only on the judges' scale can an average hear it as one of
    them. Mean and spread are the means of those of the judges who gave any score.

    Examples
    --------
    >>> on_panel_scale(np.array([[0.0], [300.0]]), np.array([[1.0, 3.0], [5.0, 7.0]])).tolist()
    [[2.0], [6.0]]
    """
    judges = Affine.of(panel[:, ~np.isnan(panel).all(axis=0)])
    result: Floats = judges.center.mean() + judges.spread.mean() * Affine.of(values).transform(
        values
    )
    return result


def with_copies(
    scores: Scores,
    attribute: str,
    k: int,
    *,
    reliability: float = 0.9,
    seed: int = 0,
    attributes: Mapping[str, Sequence[Any]] | None = None,
) -> Scores:
    """Return the panel with k judges added who score an attribute, not the items' quality.

    Use it to find out how many judges of, say, length a method of scores withstands. Ranks of the
    attribute as normal scores are copied, each copy with noise of its own, on the judges' scale.

    Parameters
    ----------
    scores : Scores
    attribute : str
        One of numbers, that the scores carry or `attributes` holds; an item without it gets no score.
    k : int
        How many; their names are the attribute's with "copy 1", "copy 2", ...
    reliability : number from 0 to 1
        Correlation of two copies with each other; each correlates sqrt(reliability) with the attribute.
    seed : int
    attributes : {name: sequence of n_items}, optional

    Raises
    ------
    DataError
        If the attribute is not known, is not of numbers, or does not vary.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 3, 5]}, attributes={"length": [10, 20, 40, 30]})
    >>> with_copies(s, "length", 1, reliability=1).values[:, 1].argsort().tolist()
    [0, 1, 3, 2]
    """
    k = check_whole("k", k)
    reliability = check_number("reliability", reliability, least=0.0, most=1.0)
    numbers = numeric_attribute(scores, attribute, attributes)[:, None]
    known = numbers[~np.isnan(numbers)]
    if not len(known) or np.ptp(known) == 0:
        raise DataError(
            f"attribute {attribute!r} must vary over the items to be copied; it does not; choose another"
        )
    ranks = NormalScores.of(numbers).transform(numbers)
    trait = Affine.of(ranks).transform(ranks)
    noise = np.random.default_rng(seed).normal(size=(scores.n_items, k))
    copies = np.sqrt(reliability) * trait + np.sqrt(1 - reliability) * noise
    names = [f"{attribute} copy {place + 1}" for place in range(k)]
    added = Scores(scores.items, names, on_panel_scale(copies, scores.values))  # type: ignore[arg-type]
    return scores.join(added)
