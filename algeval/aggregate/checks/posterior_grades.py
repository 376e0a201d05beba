"""How often each judge is right if the posteriors are: the modest side of an accuracy."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.results import Aggregation, Floats

__all__ = ["posterior_grades"]


def posterior_grades(result: Aggregation) -> Floats:
    """Return (N,) each judge's expected share of right answers, of the items it answered.

    Use it beside `evaluation`. Methods that hold posteriors back for errors that judges share
    ('recommended', 'pooled-dawid-skene') leave the judges' tables as independence has them, and
    grade themselves lower than their judges; this grades both by the same posteriors. NaN for a
    judge without answers; an answer that is no label counts as wrong.

    Examples
    --------
    >>> from algeval.aggregate import aggregate
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> posterior_grades(aggregate(s, "majority", smoothing=0)).round(2).tolist()
    [0.83, 0.79, 0.71]
    """
    n_other = len(result.answers) - len(result.labels)
    chances = np.pad(result.posterior, ((0, 0), (0, n_other + 1)))  # the last column: not answered
    said = np.take_along_axis(chances, result.patterns.astype(np.intp) % chances.shape[1], axis=1)
    right = said.T @ result.counts.astype(float)
    answered = (result.patterns >= 0).T @ result.counts.astype(float)
    grades: Floats = np.divide(right, answered, out=np.full(len(right), np.nan), where=answered > 0)
    return grades
