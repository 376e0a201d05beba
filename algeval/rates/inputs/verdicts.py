"""What the panel says of each item, as seen from one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.errors import DataError
from algeval.io.sources import read_data
from algeval.result.wording import did_you_mean

__all__ = ["Panel", "as_votes", "label_place", "panel_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The judges' votes on each item, as votes for one label or against it.

    Attributes
    ----------
    items, judges, labels : tuples of str
    label : str
        The one whose rate is asked for.
    verdict : (n_items,) int8 array
        1 where the panel's verdict is the label, 0 where it is not, -1 where nobody judged. With two
        labels it takes more than half of those who answered; with more, more votes than any other answer.
    share : (n_items,) float array
        Share of those who answered that gave the label; NaN where nobody did.
    answered : (n_items,) int array
        How many judges answered.
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    label: str
    verdict: NDArray[np.int8]
    share: NDArray[np.float64]
    answered: NDArray[np.int64]

    @property
    def n_items(self) -> int:
        """Number of items, those nobody judged included."""
        return len(self.items)

    @property
    def n_unjudged(self) -> int:
        """Number of items that nobody judged."""
        return int((self.verdict < 0).sum())


def as_votes(data: Any, name: str = "votes") -> Votes:
    """Return votes item by item, which labels are joined to; a table is read.

    Raises
    ------
    DataError
        If only counts are given.
    """
    found = read_data(data)
    if isinstance(found, Votes):
        return found
    raise DataError(
        f"{name} must be votes item by item, as labels are joined to items; got "
        f"{type(found).__name__}, which holds counts alone; pass the votes"
    )


def label_place(votes: Votes, label: object) -> int:
    """Return the place of a label, or say which there are."""
    name = str(label)
    if name not in votes.labels:
        near = did_you_mean(name, votes.labels)
        raise DataError(f"label must be one of {list(votes.labels)}; got {label!r}; {near}")
    return votes.labels.index(name)


def panel_of(votes: Votes, label: object) -> Panel:
    """Return the panel's verdicts as seen from a label.

    Examples
    --------
    >>> votes = Votes.from_columns({"a": ["pass", "fail", None], "b": ["pass", "pass", None]})
    >>> panel_of(votes, "pass").verdict.tolist()
    [1, 0, -1]
    """
    place = label_place(votes, label)
    codes = votes.codes
    answered = (codes != NOT_ANSWERED).sum(axis=1)
    for_it = (codes == place).sum(axis=1)
    verdict = np.where(answered == 0, -1, for_it > _most_of_another(votes, place, answered, for_it))
    share = np.divide(for_it, answered, out=np.full(len(codes), np.nan), where=answered > 0)
    return Panel(
        votes.items,
        votes.judges,
        votes.labels,
        votes.labels[place],
        verdict.astype(np.int8),
        share,
        answered.astype(np.int64),
    )


def _most_of_another(
    votes: Votes, place: int, answered: NDArray[Any], for_it: NDArray[Any]
) -> NDArray[Any]:
    """Return per item the most votes that an answer other than the label got."""
    if len(votes.answers) == 2:
        return np.asarray(answered - for_it)
    most = np.zeros(votes.n_items, np.int64)
    for other in set(range(len(votes.answers))) - {place}:
        most = np.maximum(most, (votes.codes == other).sum(axis=1))
    return most
