"""Posteriors from an evaluation, if the judges err independently given the true label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.em import log_table, posterior_of
from algeval.aggregate.results import Aggregation, Floats
from algeval.aggregate.votes import VoteSums, vote_sums
from algeval.data import Evaluation
from algeval.data.names import Codes
from algeval.models.independent import pmf

__all__ = ["Independent", "fitted_law", "naive_bayes", "predict"]


def naive_bayes(
    votes: VoteSums, evaluation: Evaluation, *, floor: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the posterior (U, R) and log-likelihood (U,) of decision tuples.

    Probabilities below `floor` are raised to it and rows rescaled; a row about which nothing is
    known, and a missing vote, say nothing.
    """
    told = evaluation.to_floats()
    return posterior_of(votes.scores(log_table(_floored(told, floor))), told.prevalence)


def _floored(told: Evaluation, floor: float) -> Floats:
    """Return the tables with unknown rows uniform and no chance below `floor`."""
    confusion = np.nan_to_num(told.confusion, nan=1.0 / len(told.answers))
    confusion = np.clip(confusion, floor, None)
    result: Floats = confusion / confusion.sum(2, keepdims=True)
    return result


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return the posterior (rows, R) of other decision tuples under a fitted evaluation."""
    if result.evaluation is None:  # pragma: no cover - Aggregation.predict refuses before
        raise RuntimeError(result.message)
    floor = float(result.settings.get("floor", 0.0))
    votes = vote_sums(codes, len(result.answers))
    return naive_bayes(votes, result.evaluation, floor=floor)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Independent:
    """The law of votes of judges who err independently given the label, as fitted.

    Chances are kept above 1e-4, so that nothing is impossible.
    """

    evaluation: Evaluation

    def log_probability(self, codes: Codes) -> Floats:
        """Return (rows,): log-probability of decision tuples."""
        logs: Floats = np.log(pmf(self.evaluation, codes))
        return logs


def fitted_law(result: Aggregation) -> Independent:
    """Return the fitted law of votes of a method that assumes independent errors."""
    if result.evaluation is None:  # pragma: no cover - law_of refuses before
        raise RuntimeError(result.message)
    told = result.evaluation.to_floats()
    confusion = _floored(told, policy.HELD_OUT_FLOOR)
    return Independent(Evaluation(*told.axes, told.prevalence, confusion))
