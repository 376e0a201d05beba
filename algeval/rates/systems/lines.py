"""The lines of a comparison: what judges and labels say of the difference."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from algeval.rates.inputs.pairs import UNJUDGED, Labels, Pairs
from algeval.rates.intervals.paired import Difference
from algeval.rates.ladder.rung import side_of
from algeval.rates.systems.result import Line

__all__ = ["judges_line", "labels_lines", "no_belief_line"]


def judges_line(pairs: Pairs) -> Line:
    """Return the difference of the panel's verdicts, which has no interval."""
    judged = pairs.verdicts[pairs.verdicts != UNJUDGED]
    return Line(
        name="judges only",
        assumption="judges do not err",
        low=None,
        estimate=float(judged.mean()) if len(judged) else None,
        high=None,
        against="-",
        breaks_at="a judge favours one system",
        remark="no interval: a judge that favours one system cannot be seen without labels",
    )


def no_belief_line(n_open: int, n_items: int, target: str) -> Line:
    """Return what holds whatever the judges are worth: of these items, only those that can differ count."""
    known = target == "items" and n_open < n_items
    most = Fraction(n_open, n_items) if known else Fraction(1)
    return Line(
        name="votes alone",
        assumption="identical outputs are equally right" if known else "nothing",
        low=-most,
        estimate=None,
        high=most,
        against="open",
        breaks_at="never",
    )


def labels_lines(
    alone: Difference,
    together: Difference,
    labels: Labels,
    judged: np.ndarray[tuple[int], np.dtype[np.float64]],
    names: tuple[str, str],
) -> tuple[Line, Line]:
    """Return the difference by labels alone, and by labels and judges.

    judged : (n,) float array
        The judges' differences of the labelled items.
    """
    d = labels.differences
    more, less, same = int((d > 0).sum()), int((d < 0).sum()), int((d == 0).sum())
    agree = int((np.sign(judged) == np.sign(d)).sum())
    counts = f"{names[0]} right alone {more}, {names[1]} right alone {less}, same {same}"
    agreement = f"judges agree with the labels on {agree} of {len(d)} differences"
    return _of_labels("labels only", alone, counts), _of_labels(
        "labels + judges", together, agreement
    )


def _of_labels(name: str, found: Difference, remark: str) -> Line:
    return Line(
        name=name,
        assumption="labelled items drawn as said",
        low=found.low,
        estimate=found.estimate,
        high=found.high,
        against=side_of(found.low, found.high, Fraction(0), "open"),
        breaks_at="bad luck, or labels not drawn as said",
        remark=remark,
    )
