"""Consensus labels and judge quality under models of how votes arise."""

from __future__ import annotations

from typing import Any

from algeval._callable import make_callable
from algeval.aggregate.registry import METHODS, method, settings_of
from algeval.aggregate.results import Aggregation
from algeval.data import KeyedSketch, Sketch, Votes
from algeval.errors import DataError

__all__ = ["METHODS", "Aggregation", "aggregate"]

_fit = method
make_callable(__name__, "aggregate")


def aggregate(
    data: Votes | Sketch | KeyedSketch, method: str = "dawid-skene", **settings: Any
) -> Aggregation:
    """Find consensus labels and judge quality from the votes alone.

    Use it to label items and grade judges when there is no key; each method states what it
    assumes. A key carried by `data` is never read.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
        Items, or only the counts of decision tuples; posteriors per item need Votes.
    method : str
        A name in `METHODS`; see the function of that name for its settings and assumptions.
    settings
        Settings of the method, by name.

    Returns
    -------
    Aggregation
        Status ok, not_converged, or not_identifiable.

    Raises
    ------
    DataError
        If the method or a setting is not known, or a setting is out of range.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> float(aggregate(s, "majority").evaluation.prevalence_of("a"))
    0.5
    """
    fit = _fit(method)
    known = settings_of(method)
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise DataError(
            f"setting {unknown[0]!r} is not one of method {method!r}; choose from {list(known)}"
        )
    result: Aggregation = fit(data, **settings)
    return result
