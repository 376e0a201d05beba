"""Any accepted input as what a method reads: a sketch, a summary, or votes apart from their key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import NOT_ANSWERED
from algeval.data.scores import Scores
from algeval.data.sketch import KeyedSketch, Sketch, Summary
from algeval.data.votes import GroupedSketch, LabelledSketch, Votes
from algeval.errors import DataError

Joint: TypeAlias = Votes | Sketch | KeyedSketch  # data that say which answers fell on the same item
Data: TypeAlias = Joint | Summary  # everything a method may be given


class Frame(Protocol):
    """A data frame of pandas, polars or any library that narwhals knows, or a DuckDB relation."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""


Tabular: TypeAlias = (
    str | os.PathLike[str] | Frame | Mapping[Any, Any] | Sequence[Any] | NDArray[Any]
)
"""A path, a data frame, {judge: answers}, records, rows or a 2-d array: what `read_votes` reads."""

Source: TypeAlias = Data | Tabular  # everything a function that asks for data may be given


def is_scores(data: object) -> TypeGuard[Scores]:
    """Whether a method was handed scores, which have no labels until they are cut."""
    return isinstance(data, Scores)


def refuse_scores(data: object) -> None:
    """Refuse scores where answers must be labels."""
    if isinstance(data, Scores):
        raise scores_refused()


def scores_refused() -> DataError:
    """Complaint about scores where answers must be labels."""
    return DataError(
        "data must be Votes, whose answers are labels; got Scores; call .cut(x) on them, which makes "
        "the label '1' of scores from x on and '0' of lower ones"
    )


def judged_by_some(data: Data | Scores) -> Data | Scores:
    """Data as they are; votes of no judge, which are what people said alone, are refused."""
    if isinstance(data, Votes):
        data.need_judges()
    return data


_WHY = "counts per judge do not say which answers fell on the same item"


def as_joint(data: Data, why: str = _WHY) -> Joint:
    """Data that say which answers fell on the same item."""
    refuse_scores(data)
    if not isinstance(data, Votes | Sketch | KeyedSketch):
        raise DataError(
            f"data must be Votes, a Sketch or a KeyedSketch; got {type(data).__name__}; {why}"
        )
    return data


def as_sketch(data: Data, why: str = _WHY) -> Sketch:
    """Counts of decision tuples of what `as_joint` accepts; a key is not looked at."""
    return as_joint(data, why).sketch()


def as_counts(data: Data) -> Sketch | Summary:
    """Return what a certificate about the data is checked against: a sketch, else the summary."""
    if isinstance(data, Summary):
        return data
    refuse_scores(data)
    if not isinstance(data, Votes | Sketch | KeyedSketch):
        raise DataError(
            f"data must be Votes, Sketch, KeyedSketch or Summary; got {type(data).__name__}; "
            "build one of them first, for example with Votes.from_columns"
        )
    return data.sketch()


def as_summary(data: Data) -> Summary:
    """How often each judge gave each answer."""
    return data.summary() if isinstance(data, Votes) else as_counts(data).summary()


def keyed_part(data: Data) -> KeyedSketch | None:
    """Counts by true label of the items whose label is known, None without a key."""
    refuse_scores(data)
    if isinstance(data, KeyedSketch):
        return data
    if isinstance(data, GroupedSketch):
        return data.keyed_sketch() if n_labelled(data) else None
    if isinstance(data, LabelledSketch):
        return keyed_part(data.some)
    has_key = isinstance(data, Votes) and data.key is not None and (data.key != NOT_ANSWERED).any()
    return data.keyed_sketch() if has_key else None  # type: ignore[union-attr]


def n_labelled(data: Data | Scores) -> int:
    """Of how many items the key has the true label."""
    if isinstance(data, Scores):
        return sum(truth is not None for truth in data.key or ())
    if isinstance(data, KeyedSketch):
        return data.n_items
    if isinstance(data, GroupedSketch):
        of = data.split("human").codes if data.has("human") else np.full(len(data.cells), -1)
        return int(data.cells[of != NOT_ANSWERED].sum())
    if isinstance(data, LabelledSketch):
        data = data.some
    key = data.key if isinstance(data, Votes) else None
    return 0 if key is None else int((key != NOT_ANSWERED).sum())


def split_key(data: Data) -> tuple[Votes | Sketch, Votes | KeyedSketch | None, KeyedSketch | None]:
    """Data without its key, the data with it, and the keyed counts."""
    data = as_joint(data)
    keyed = keyed_part(data)
    if isinstance(data, KeyedSketch):
        return data.sketch, data, keyed
    if isinstance(data, GroupedSketch | LabelledSketch):
        return Sketch(*data.axes, data.codes, data.counts), keyed, keyed
    if keyed is not None and isinstance(data, Votes):
        return data.without_key(), data, keyed
    return data, None, None
