"""How shares and accuracies are shown: a percentage, or a dash where none can be meant, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from algeval.data.evaluation import Evaluation
from algeval.result import percent

__all__ = [
    "DASH",
    "dash_note",
    "is_share",
    "items_behind",
    "shown_accuracy",
    "shown_share",
    "with_interval",
]

DASH = "-"
_ROUNDING = 1e-9
"""A share that misses [0, 1] by less was rounded out of it."""
_NARROW = 2.0
"""Intervals of fewer percents are shown in tenths."""


def is_share(value: Any) -> bool:
    """Say whether a number is known and lies in [0, 1], up to rounding."""
    return value is not None and value == value and -_ROUNDING <= float(value) <= 1 + _ROUNDING


def shown_share(value: Any, digits: int = 1) -> str:
    """Return a percentage from 0 to 100, or a dash.

    Examples
    --------
    >>> shown_share(0.25), shown_share(66.5), shown_share(None)
    ('25.0%', '-', '-')
    """
    return percent(min(max(float(value), 0.0), 1.0), digits) if is_share(value) else DASH


def with_interval(text: str, ends: Any) -> str:
    """Return a percentage with the ends of its interval in percent; a dash stays a dash.

    Whole percents, or tenths where the ends are less than two apart.

    Examples
    --------
    >>> with_interval("86.1%", (0.78, 0.92)), with_interval("-", (0.1, 0.2))
    ('86.1% (78-92)', '-')
    """
    if text == DASH or ends is None or not all(map(is_share, ends)):
        return text
    low, high = (100 * float(end) for end in ends)
    digits = 1 if high - low < _NARROW else 0
    return f"{text} ({low:.{digits}f}-{high:.{digits}f})"


def items_behind(evaluation: Evaluation, judge: int, label: int, n_items: int) -> float:
    """Return how many items an accuracy rests on: those of the label that the judge answered."""
    share = evaluation.prevalence[label]
    covered = 1 if evaluation.coverage is None else evaluation.coverage[judge, label]
    known = is_share(share) and covered is not None and covered == covered
    return n_items * float(share) * float(covered) if known else 0.0


def shown_accuracy(evaluation: Evaluation, judge: int, label: int, n_items: int) -> str:
    """Return an accuracy as a percentage, or a dash where it leaves [0, 1] or rests on no item."""
    if items_behind(evaluation, judge, label, n_items) < 1 - _ROUNDING:
        return DASH
    return shown_share(evaluation.confusion[judge, label, label])


def dash_note(evaluations: Iterable[Evaluation], n_items: int) -> str:
    """Return the sentence that says what the dashes of these evaluations mean; empty for none."""
    outside = thin = False
    for e in evaluations:
        accuracies = e.accuracies()
        known = [v for v in (*e.prevalence, *accuracies.ravel()) if v is not None and v == v]
        outside = outside or not all(map(is_share, known))
        thin = thin or any(
            items_behind(e, i, t, n_items) < 1 - _ROUNDING
            for i in range(len(e.judges))
            for t in range(len(e.labels))
            if is_share(e.prevalence[t])
        )
    reasons = ["no share leaves 0% to 100%, and no accuracy is known on one that does"] * outside
    reasons += ["an accuracy that rests on less than one item says nothing"] * thin
    return f"A dash: {'; '.join(reasons)}." if reasons else ""
