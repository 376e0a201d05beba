"""Test whether an estimate is logically possible, given how often each judge gave each answer.

Every evaluation of a finished test obeys the axioms of No-Knowledge Alarms: for each judge and answer, the
items of each true label that got the answer add up to the observed count. An estimate that misses
a count by more than half an item describes no possible test; so does one outside [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algeval.data import Evaluation, Summary
from algeval.result.base import Record

__all__ = ["Consistency", "consistency"]

_HALF_AN_ITEM = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency(Record):
    """Whether an estimate could describe these votes.

    Attributes
    ----------
    possible : bool
        Whether it lies in [0, 1] and meets every count to within half an item.
    gap : float
        The largest miss of an observed count, in items.
    where : str
        The judge and answer of that miss, or what left [0, 1].
    """

    possible: bool
    gap: float
    where: str

    def describe(self) -> str:
        """Return one sentence."""
        if self.possible:
            return (
                f"logically possible (misses no observed count by more than {self.gap:.2g} items)"
            )
        return f"logically impossible: {self.where}"


def consistency(evaluation: Evaluation, summary: Summary) -> Consistency:
    """Test an evaluation against the single-judge axioms (No-Knowledge Alarms, equation 9), in items.

    Parameters
    ----------
    evaluation : Evaluation
        Of the same judges, labels and answers as `summary`.
    summary : Summary
        The observed counts; with missing answers, shares of the answered items are compared,
        which assumes the answers were left out at random.
    """
    floats = evaluation.to_floats()
    outside = _outside(floats)
    if outside:
        return Consistency(possible=False, gap=float("inf"), where=outside)
    confusion = np.nan_to_num(floats.confusion)
    share = floats.prevalence[None, :]
    if floats.coverage is not None:
        share = share * np.nan_to_num(floats.coverage)
        share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    expected = summary.answered[:, None] * np.einsum(
        "nt,nta->na", np.broadcast_to(share, confusion.shape[:2]), confusion
    )
    miss = np.abs(expected - summary.counts)
    judge, answer = np.unravel_index(int(miss.argmax()), miss.shape)
    gap = float(miss[judge, answer])
    where = (
        f"judge {summary.judges[judge]!r} gave answer {summary.answers[answer]!r} "
        f"{summary.counts[judge, answer]} times, the estimate means {expected[judge, answer]:.1f}"
    )
    return Consistency(possible=gap <= _HALF_AN_ITEM, gap=gap, where=where)


def _outside(evaluation: Evaluation) -> str:
    slack = 1e-9
    for label, value in zip(evaluation.labels, evaluation.prevalence, strict=True):
        if not -slack <= value <= 1 + slack:
            return f"the prevalence of {label!r} is {value:.3g}, outside [0, 1]"
    table = np.nan_to_num(evaluation.confusion)
    bad = np.argwhere((table < -slack) | (table > 1 + slack))
    if not len(bad):
        return ""
    judge, label, answer = bad[0]
    value = evaluation.confusion[judge, label, answer]
    return (
        f"judge {evaluation.judges[judge]!r} answers {evaluation.answers[answer]!r} on "
        f"{evaluation.labels[label]!r} with a share of {value:.3g}, outside [0, 1]"
    )
