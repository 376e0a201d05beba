"""Suspect the answer key: what the experts' own disagreement leaves of the truth they established.

No-Knowledge Alarms, section IV, asks that every answer key made from disagreeing experts be
published with one sentence: how accurate, at most, they can all have been on every label. Appendix B
makes such a key by half votes (see `half_votes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import ClassVar

import numpy as np

from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Summary, Votes
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.exam import Data
from algeval.logic.questions.threshold import threshold
from algeval.logic.results import LogicResult, Threshold
from algeval.result import Status
from algeval.result.tables import Table, scalars

__all__ = ["KeySuspicion", "agreement_rate", "suspect_key"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeySuspicion(LogicResult):
    """How accurate the experts behind an answer key can all have been, at most.

    Attributes
    ----------
    level : Fraction
        Some answer key lets every expert be this accurate on every label; the witness of
        `threshold` shows it.
    ceiling : Fraction
        No answer key lets all of them be more accurate than this; the refutation proves it.
    exact : bool
        Whether the two are equal.
    agreement : Fraction or None
        How often two experts who answered the same item agreed, over all pairs (None: counts per
        expert do not say). It is what is usually reported in place of `level`.
    threshold : Threshold
        Where the two levels come from, with both certificates.
    """

    schema: ClassVar[str] = "algeval.key_suspicion/1"

    level: Fraction
    ceiling: Fraction
    exact: bool
    agreement: Fraction | None
    threshold: Threshold

    @property
    def experts(self) -> tuple[str, ...]:
        """The experts who established the answer key."""
        return self.judges

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "It is an upper limit, not an estimate: experts who agree can all be wrong, and nothing "
            "here says that the test has a right answer for every item."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row, and the tables of the threshold it rests on."""
        return scalars(self), *self.threshold.as_tables()[1:]

    def summary(self) -> str:
        """Return the sentence, the agreement beside it, and the settings."""
        lines = [LogicResult.summary(self)]
        if self.agreement is not None:
            lines.append(f"Pairs of experts agree on {_rounded_down(self.agreement)} of answers.")
        return "\n".join(lines)


def suspect_key(
    data: Source,
    judges: Iterable[object] | None = None,
    order: int | str | None = None,
    *,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = None,
) -> KeySuspicion:
    """Say how accurate the experts behind an answer key can all have been on every label.

    Use it wherever an answer key was made from people or models who disagree, and print its sentence
    beside their agreement rate. It reads their answers alone: the key they established is never
    read.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the experts answered.
    judges : names, optional
        The experts among the judges; all of them if left out.
    order : int, "full" or None
        How many experts' joint answers to use; None is the highest the data supports.
    missing : "excluded" or "wrong"
        Whether an expert is held to the items left unanswered.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float, optional
        Seconds after which the bracket reached is returned.

    Returns
    -------
    KeySuspicion
        Status `ok`; `time_limit` or `undetermined` where level < ceiling, and the sentence then says
        what is certified; `inconsistent` where no answer key is of the kind asked for.

    Raises
    ------
    DataError
        If the data, the judges or the order breaks a rule.

    Notes
    -----
    No-Knowledge Alarms, section IV.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> suspect_key(Summary.from_counts(grades)).level
    Fraction(2, 3)
    """
    data = read_data(data)
    chosen = _select(data, judges)
    found = threshold(
        chosen,
        order=order,
        exact=True,
        missing=missing,
        require_labels=require_labels,
        time_limit=time_limit,
    )
    rate = None if isinstance(chosen, Summary) else agreement_rate(as_sketch(chosen))
    return KeySuspicion(
        status=_status(found),
        message=_sentence(found),
        level=found.lower,
        ceiling=found.upper,
        exact=found.exact,
        agreement=rate,
        threshold=found,
        order=found.order,
        missing_rule=found.missing_rule,
        n_items=found.n_items,
        judges=found.judges,
        labels=found.labels,
        answers=found.answers,
        missing_counts=found.missing_counts,
    )


def agreement_rate(sketch: Sketch) -> Fraction | None:
    """Return the share of agreeing answers over all pairs of judges who answered the same item.

    None if no two judges ever did. Two answers that are not labels agree if they are the same.

    Examples
    --------
    >>> agreement_rate(Sketch.from_counts({"aa": 8, "ab": 2}))
    Fraction(4, 5)
    """
    same = both = 0
    for i, j in combinations(range(sketch.n_judges), 2):
        first, second = sketch.codes[:, i], sketch.codes[:, j]
        answered = (first != NOT_ANSWERED) & (second != NOT_ANSWERED)
        both += int(sketch.counts[answered].sum(dtype=np.int64))
        same += int(sketch.counts[answered & (first == second)].sum(dtype=np.int64))
    return Fraction(same, both) if both else None


def _select(data: Data, judges: Iterable[object] | None) -> Votes | Sketch | Summary:
    if isinstance(data, KeyedSketch):
        data = data.sketch
    if judges is None or not isinstance(data, Votes | Sketch | Summary):
        return data
    if isinstance(judges, str):
        raise DataError(f"judges must be a list of names; got {judges!r}; write [{judges!r}]")
    return data.select(judges=judges) if isinstance(data, Votes) else data.marginal(judges)


def _status(found: Threshold) -> Status:
    if found.status.ok and not found.exact:
        return Status.UNDETERMINED
    return found.status


def _rounded_down(x: Fraction) -> str:
    """Return the fraction and a percentage that does not overstate it."""
    return f"{floor(1000 * x) / 10:g}% ({x})"


def _sentence(found: Threshold) -> str:
    if found.status is Status.INCONSISTENT:
        return found.message
    n = len(found.judges)
    who = "this expert" if n == 1 else f"these {n} experts"
    whom = "the expert" if n == 1 else "them all"
    text = (
        f"The ground truth established by {who} is logically consistent with {whom} being "
        f"{_rounded_down(found.lower)} or more correct on all labels"
    )
    if found.lower == 1:
        return f"{text}: nothing they answered contradicts it."
    if found.exact:
        return f"{text}, and with no higher level."
    return f"{text}; above {_rounded_down(found.upper)} it is not, and in between is not settled."
