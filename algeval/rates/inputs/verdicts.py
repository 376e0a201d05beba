"""What the panel says of each item, as seen from one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Summary, Votes
from algeval.data.names import NOT_ANSWERED, folded
from algeval.data.reading import Data, as_sketch
from algeval.errors import DataError
from algeval.io.sources import read_data
from algeval.result.wording import did_you_mean

__all__ = ["Panel", "as_votes", "label_place", "n_unjudged", "panel_of", "tie_of"]


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
        Share of those who answered that gave the label, a tie half; NaN where nobody did.
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
    found = read_data(data, items=True)
    if isinstance(found, Votes):
        return found
    raise DataError(
        f"{name} must be votes item by item, as labels are joined to items; got "
        f"{type(found).__name__}, which holds counts alone; pass the votes"
    )


def n_unjudged(data: Data) -> int:
    """Return how many items nobody judged; 0 where counts per judge do not tell.

    Examples
    --------
    >>> n_unjudged(Votes.from_columns({"a": ["x", None], "b": ["y", None]}).sketch())
    1
    """
    if isinstance(data, Summary):
        return 0
    found = data if isinstance(data, Votes) else as_sketch(data)
    nobody = (found.codes == NOT_ANSWERED).all(axis=1)
    return int(nobody.sum() if isinstance(found, Votes) else found.counts[nobody].sum())


def label_place(labels: tuple[str, ...], label: object) -> int:
    """Return the place of a label, or say which there are."""
    name = str(label)
    if name not in labels:
        near = did_you_mean(name, labels)
        raise DataError(f"label must be one of {list(labels)}; got {label!r}; {near}")
    return labels.index(name)


def tie_of(votes: Votes, label: object, tie: str | None) -> str | None:
    """Return the label of a tie as the votes spell it.

    Examples
    --------
    >>> tie_of(Votes.from_columns({"a": ["A", "B", "tie"]}), "A", "Tie")
    'tie'
    """
    if tie is None:
        return None
    found = next((name for name in votes.answers if folded(name) == folded(str(tie))), str(tie))
    if found == str(label):
        raise DataError(
            f"tie must be another label than the one whose rate is asked for; got {tie!r} for both; name the "
            "label that counts one half"
        )
    return found


def panel_of(votes: Votes, label: object, tie: str | None = None) -> Panel:
    """Return the panel's verdicts as seen from a label.

    tie : a label that counts one half; the verdict is the label then where its share is above one half.

    Examples
    --------
    >>> votes = Votes.from_columns({"a": ["pass", "fail", None], "b": ["pass", "pass", None]})
    >>> panel_of(votes, "pass").verdict.tolist()
    [1, 0, -1]
    """
    place = label_place(votes.labels, label)
    codes = votes.codes
    answered = (codes != NOT_ANSWERED).sum(axis=1)
    for_it = (codes == place).sum(axis=1)
    others = _most_of_another(votes, place, answered, for_it)
    tie = tie_of(votes, label, tie)
    if tie in votes.answers:
        for_it = for_it + (codes == votes.answers.index(str(tie))).sum(axis=1) / 2
        others = answered - for_it
    share = np.divide(for_it, answered, out=np.full(len(codes), np.nan), where=answered > 0)
    return Panel(
        votes.items,
        votes.judges,
        votes.labels,
        votes.labels[place],
        np.where(answered == 0, -1, for_it > others).astype(np.int8),
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
