"""Posteriors from an evaluation, if the judges err independently given the true label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from algeval.aggregate.em import log_table, posterior_of
from algeval.aggregate.votes import VoteSums, vote_sums
from algeval.data import Evaluation
from algeval.data.names import Codes

if TYPE_CHECKING:
    from algeval.aggregate.results import Aggregation, Floats

__all__ = ["naive_bayes", "predict"]


def naive_bayes(
    votes: VoteSums, evaluation: Evaluation, *, floor: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the posterior (U, R) and log-likelihood (U,) of decision tuples.

    Probabilities below `floor` are raised to it and rows rescaled; a row about which nothing is
    known, and a missing vote, say nothing.
    """
    told = evaluation.to_floats()
    confusion = np.where(np.isnan(told.confusion), 1.0 / len(told.answers), told.confusion)
    confusion = np.clip(confusion, floor, None)
    confusion /= confusion.sum(2, keepdims=True)
    return posterior_of(votes.scores(log_table(confusion)), told.prevalence)


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return the posterior (rows, R) of other decision tuples under a fitted evaluation."""
    if result.evaluation is None:  # pragma: no cover - Aggregation.predict refuses before
        raise RuntimeError(result.message)
    floor = float(result.settings.get("floor", 0.0))
    votes = vote_sums(codes, len(result.answers))
    return naive_bayes(votes, result.evaluation, floor=floor)[0]
