"""The lines of a comparison: what judges, logic and labels say of the difference."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from algeval.data import Votes
from algeval.rates.inputs.pairs import UNJUDGED, Labels, Pairs
from algeval.rates.intervals.paired import Difference
from algeval.rates.systems.allowed import difference_allowed, passes_allowed
from algeval.rates.systems.result import Line
from algeval.result import percent

__all__ = ["belief_lines", "judges_line", "labels_lines", "no_belief_line", "side"]


def side(low: Fraction | float, high: Fraction | float) -> str:
    """Return on which side of 0 an interval lies: "above", "below" or "open"."""
    if low > 0:
        return "above"
    return "below" if high < 0 else "open"


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


def no_belief_line(n_open: int, n_items: int) -> Line:
    """Return what holds whatever the judges are worth: only items that can differ count."""
    most = Fraction(n_open, n_items)
    known = n_open < n_items
    return Line(
        name="votes alone",
        assumption="identical outputs are equally right" if known else "nothing",
        low=-most,
        estimate=None,
        high=most,
        against="open" if n_open else "impossible",
        breaks_at="never",
    )


def belief_lines(
    votes: tuple[Votes, Votes], pairs: Pairs, beliefs: Sequence[Fraction], n_open: int
) -> tuple[Line, ...]:
    """Return what follows from each belief that every judge is right so often on both systems."""
    return tuple(_belief_line(votes, pairs, x, n_open) for x in beliefs)


def _belief_line(votes: tuple[Votes, Votes], pairs: Pairs, x: Fraction, n_open: int) -> Line:
    a = passes_allowed(votes[0], pairs.rows_a, pairs.panel_a.label, x)
    b = passes_allowed(votes[1], pairs.rows_b, pairs.panel_b.label, x)
    ends = difference_allowed(a, b, n_open, pairs.n_items)
    asked = percent(x, 0) if (100 * x).denominator == 1 else percent(x)
    return Line(
        name=f" + accuracy {asked}",
        assumption=f"every judge is right on at least {asked} of what it answered, for both systems",
        low=None if ends is None else ends[0],
        estimate=None,
        high=None if ends is None else ends[1],
        against="impossible" if ends is None else side(*ends),
        breaks_at="one judge is worse",
        remark="impossible: the votes contradict it" if ends is None else "",
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
        against=side(found.low, found.high),
        breaks_at="bad luck, or labels not drawn as said",
        remark=remark,
    )
