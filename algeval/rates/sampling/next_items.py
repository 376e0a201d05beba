"""Which items to label next, drawn so that what is estimated from them stays unbiased."""

from __future__ import annotations

from typing import Any

from algeval.data.settings import check_choice, check_whole
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.rates.inputs import as_votes
from algeval.rates.sampling.drawing import Drawing
from algeval.rates.sampling.for_difference import for_difference
from algeval.rates.sampling.for_labels import for_labels
from algeval.rates.sampling.for_rate import for_rate
from algeval.rates.sampling.result import NextItems

__all__ = ["next_items"]

GOALS = ("rate", "difference", "labels")
STRATEGIES = ("spread", "uncertain")


def next_items(
    votes: Source,
    n: int,
    gold: Any = None,
    cluster: Any = None,
    goal: str = "rate",
    other: Source | None = None,
    *,
    label: object = None,
    outputs: Any = None,
    other_outputs: Any = None,
    strategy: str = "spread",
    random: int = 0,
) -> NextItems:
    """Draw the items that people should label next, with the chance that each had.

    Labels are spread: every band of the judges' shares gets its part of them, and every cluster one before
    any gets two, as far as that goes. Following the judges' doubt instead sounds better and is worse unless
    it is calibrated, since many errors of judges lie where they agree.

    Parameters
    ----------
    votes : Votes or table
    n : int
        How many; all that are left, if fewer.
    gold : mapping, path, table or "key", optional
        Items labelled before: they are not drawn again. By goal "difference" a table of both systems'
        labels, as `compare_systems` takes it.
    cluster : mapping, table or sequence, optional
        Items that belong together.
    goal : "rate", "difference" or "labels"
        To estimate a rate; to compare with a second system; or to improve the consensus labels, for which
        the most doubtful items are picked and from which no interval may be made.
    other : Votes or table
        By goal "difference": the judges' votes on the second system's answers.
    label : str, optional
        Whose share is meant; of two labels it does not matter. By default the last of the labels.
    outputs, other_outputs : mapping, table or sequence, optional
        By goal "difference": what the systems put out. Items with the same text are left out then, as
        their difference is 0; without, they cannot be told and half of the labels are spread over all.
    strategy : "spread" or "uncertain"
        "uncertain" draws half of the labels by doubt that 50 labels or more have calibrated, if that saves
        5% of the variance or more.
    random : int
        Seed.

    Returns
    -------
    NextItems

    Raises
    ------
    DataError
        If nothing is left to label, gold is too little to calibrate with, or a setting is wrong.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> votes = Votes.from_columns({"a": ["pass", "fail"] * 10, "b": ["pass"] * 20})
    >>> drawn = next_items(votes, 4)
    >>> drawn.items, drawn.inclusion
    (('9', '14', '19', '20'), (0.2, 0.2, 0.2, 0.2))
    """
    check_choice("goal", goal, GOALS)
    check_choice("strategy", strategy, STRATEGIES)
    _check_fits(goal, other, (outputs, other_outputs), strategy)
    found = as_votes(votes)
    asked = Drawing(
        n=check_whole("n", n),
        gold=gold,
        cluster=cluster,
        label=found.labels[-1] if label is None else label,
        random=check_whole("random", random, least=0),
    )
    if goal == "labels":
        return for_labels(found, asked)
    if goal == "rate":
        return for_rate(found, asked, uncertain=strategy == "uncertain")
    return for_difference((found, as_votes(other, "other")), (outputs, other_outputs), asked)


def _check_fits(goal: str, other: object, outputs: tuple[Any, Any], strategy: str) -> None:
    """Refuse settings that the goal has no use for."""
    if (other is not None) != (goal == "difference"):
        raise DataError(
            "other must hold the second system's votes where goal='difference', and be left out elsewhere; "
            f"got goal={goal!r} {'without' if other is None else 'with'} it; change one"
        )
    if goal != "difference" and outputs != (None, None):
        raise DataError(f"outputs belong to goal='difference'; got goal={goal!r}; leave them out")
    if goal != "rate" and strategy != "spread":
        raise DataError(
            f"strategy={strategy!r} belongs to goal='rate'; got goal={goal!r}; leave it out"
        )
