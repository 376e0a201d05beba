"""What people have, as data a method reads: the one door of every public function above."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import Axes
from algeval.data.reading import Data, refuse_scores, scores_refused
from algeval.errors import DataError
from algeval.io.answers import as_number, look_like_scores
from algeval.io.counting import count_large
from algeval.io.engines import counted_frame
from algeval.io.formats import is_document
from algeval.io.items import Labels, index_of, rows_by_index, values_of
from algeval.io.reading import load, read_votes
from algeval.io.score_tables import read_scores, read_votes_or_scores


class Frame(Protocol):
    """A data frame of pandas, polars or any library that narwhals knows, or a DuckDB relation."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""


Tabular: TypeAlias = (
    str | os.PathLike[str] | Frame | Mapping[Any, Any] | Sequence[Any] | NDArray[Any]
)
"""A path, a data frame, {judge: answers}, records, rows or a 2-d array: what `read_votes` reads."""

Source: TypeAlias = Data | Tabular
"""Everything a function that asks for data may be given."""


def read_data(data: Source, *, items: bool = False) -> Data:
    """Return data as they are, and anything else as `load` reads it without options.

    A large file or a lazy frame is counted where it lies, and a `Sketch` returned, unless the items are
    needed.

    Every public function that takes data starts with this. Use `read_votes` where the columns must be
    named, scores cut, or the notes on what was guessed matter.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary, or a table
        A table is a path, a data frame, {judge: answers}, a list of records, or a 2-d array or list of
        lists whose columns are the judges "judge 1", "judge 2", ...; None and NaN mean not answered. A
        path may also name a document that algeval wrote.
    items : bool
        Whether the votes of each item are needed, and not only how many items have which.

    Raises
    ------
    DataError
        If the table cannot be read, or holds scores.

    Examples
    --------
    >>> read_data([["a", "a"], ["b", None]])
    Votes(2 items, 2 judges, labels ['a', 'b'], 1 missing, no key)
    """
    if isinstance(data, Votes | Sketch | KeyedSketch | Summary):
        return data
    refuse_scores(data)
    _refuse_others(data)
    counted = None if items else _counted(data)
    if counted is not None:
        _refuse_numbers(counted)
        return counted
    found = load(data)
    if isinstance(found, Scores):
        raise scores_refused()
    if isinstance(found, Votes):
        _refuse_numbers(found)
    return found


def read_labelled(data: Any, labels: Any, name: str = "gold") -> tuple[Any, Any]:
    """Return votes and their labels; those of a Series or array become the key of the votes.

    What belongs together by the index of one data frame, or by being a column of it, can be told here
    alone, before the votes are read. Everything else is returned as it is.

    Examples
    --------
    >>> read_labelled({"gpt4": ["a", "b"], "human": ["a", "a"]}, ["b", "b"])[1]
    'key'
    """
    known = isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores | str | os.PathLike)
    if known or values_of(labels) is None:
        return data, labels
    _refuse_others(data)
    votes = read_votes(data, key=Labels(labels, name))
    _refuse_numbers(votes)
    return votes, "key"


def on_items(given: Any, data: Any, votes: Any) -> Any:
    """Return what a Series says as {item: value} where its index is that of the votes' data frame.

    Anything else is returned as it is.
    """
    values = values_of(given)
    index = index_of(data)
    if values is None or index is None or len(index) != votes.n_items:
        return given
    rows = rows_by_index(values, data)
    if rows is None:
        return given
    pairs = zip(votes.items, rows, strict=True)
    return {item: value for item, value in pairs if value is not None}


def _counted(data: Source, *, scores: bool = False) -> Sketch | None:
    """Return the counts of a large file or of a lazy frame, None for anything else."""
    if isinstance(data, str | os.PathLike) and is_document(data):
        return None
    found = count_large(data, {}, scores=scores) or counted_frame(data, scores=scores)
    return found[0] if found is not None and isinstance(found[0], Sketch) else None


def read_score_table(data: Source | Scores, name: str = "data") -> Scores:
    """Return scores, read from a table of any numbers, 0 and 1 too, if they are none yet.

    Examples
    --------
    >>> read_score_table({"gpt4": [0, 1], "human": [1, 1]})
    Scores(2 items, 2 judges, 0 missing, no key)
    """
    if not isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores):
        _refuse_others(data, "Scores", "scores", name)
        return read_scores(data)
    if isinstance(data, Scores):
        return data
    raise DataError(
        f"{name} must be Scores; got {type(data).__name__}; read votes of 0 and 1 with read_scores"
    )


def read_data_or_scores(
    data: Source | Scores, *, as_scores: bool = False, items: bool = True
) -> Data | Scores:
    """Return what `read_data` does, or `Scores` where they, or a table that looks like them, are given.

    as_scores : whether a table of few different numbers is one of scores too.
    items : whether the votes of each item are needed.

    Examples
    --------
    >>> read_data_or_scores({"gpt4": [k / 10 for k in range(20)], "human": range(20)})
    Scores(20 items, 2 judges, 0 missing, no key)
    """
    if isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores):
        return data
    _refuse_others(data, "Scores" if as_scores else _DATA, "scores" if as_scores else "votes")
    if as_scores:
        return read_scores(data)
    counted = None if items else _counted(data, scores=True)
    return read_votes_or_scores(data) if counted is None else counted


_DATA = "Votes, a Sketch, a KeyedSketch, a Summary"


def _refuse_others(
    data: object, kinds: str = _DATA, cells: str = "votes", name: str = "data"
) -> None:
    """Refuse what is no table, with all that may be given in its place."""
    table = isinstance(data, str | os.PathLike | Mapping | Sequence)
    framed = hasattr(type(data), "columns") or hasattr(
        data, "columns"
    )  # the names may cost a query
    if table or hasattr(data, "__array__") or framed or _streams(data):
        return
    raise DataError(
        f"{name} must be {kinds}, or a table of {cells} (a path, a data frame, {{judge: ...}}, rows); "
        f"got {type(data).__name__}; pass one of these"
    )


def _streams(data: object) -> bool:
    return any(hasattr(data, name) for name in ("__arrow_c_stream__", "scanner", "column_names"))


def _refuse_numbers(votes: Axes) -> None:
    if look_like_scores(votes.answers):
        n = sum(as_number(answer) is not None for answer in votes.answers)
        raise DataError(
            f"votes must be labels; got {n} different numbers, which look like scores; cut them with "
            "read_votes(data, cut=x), or keep each as a label with read_votes(data, exact_labels=True)"
        )
