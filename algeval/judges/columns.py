"""Columns of a results table that verdicts or rates are looked at by, and the labels beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import RowNumbers
from algeval.data.reading import n_labelled
from algeval.data.votes import GroupedSketch
from algeval.errors import DataError, option
from algeval.io.answers import as_number
from algeval.io.results import Results
from algeval.io.sources import names_columns, on_items, read_results, read_with_table, saved_counts
from algeval.rates.inputs import as_votes
from algeval.result.numbers import did_you_mean, how_many

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_MOST_VALUES = 12  # of a column of groups
_OF_LENGTH = re.compile("token|length|chars|words", re.IGNORECASE)
_THIRDS = ("low third", "middle third", "high third")


class Judged(NamedTuple):
    """Votes item by item, people's labels as `read_gold` takes them, and the table they are part of."""

    votes: Votes
    labels: Any
    results: Results | None
    where: Any  # what columns and clusters may be joined to by index
    counted: GroupedSketch | None = None  # whose cells the votes are, where items are only counted


def read_judged(data: Any, human: Any) -> Judged:
    """Votes and labels from a results table, a path, a frame, columns, or Votes with a key."""
    where = data
    data = saved_counts(data)
    if isinstance(data, GroupedSketch):
        data.labelled(human)  # which refuses labels of other people
        key = data.split("human").codes.astype(np.int16) if n_labelled(data) else None
        codes = data.codes[data.tuples]
        cells = Votes(RowNumbers.of(len(codes)), *data.axes, codes, key)
        return Judged(cells, None if key is None else "key", None, data, data)
    if not isinstance(data, Results | Votes | Sketch | KeyedSketch | Summary | Scores):
        data = read_results(data, human=human) if names_columns(human, data) else read_results(data)
    results = data if isinstance(data, Results) else None
    if results is not None and names_columns(human, where):
        human = None
    source = data
    data, labels, own = read_with_table(data, human)
    results = own or results
    votes = as_votes(data, "data", source)
    if labels is None and votes.key is not None:
        labels = "key"
    return Judged(votes, labels, results, results or where)


# --- Columns that verdicts may depend on.


@dataclass(frozen=True, slots=True)
class By:
    """A column: numbers with NaN where there is none, or places of groups, -1 where there is none."""

    name: str
    numbers: Floats | None
    groups: Whole | None
    values: tuple[str, ...] = ()
    counts: Whole | None = None  # of numbers, how many items each stands for

    @property
    def there(self) -> NDArray[np.bool_]:
        """Items with a value."""
        if self.numbers is not None:
            return ~np.isnan(self.numbers)
        assert self.groups is not None
        return self.groups >= 0

    def in_groups(self) -> tuple[Whole, tuple[str, ...]]:
        """Group of each item, -1 where there is none, and their names; numbers are cut into thirds."""
        if self.groups is not None:
            return self.groups, self.values
        assert self.numbers is not None
        cuts = _quantiles(self.numbers, self.there, self.counts, (1 / 3, 2 / 3))
        groups = np.where(self.there, np.searchsorted(cuts, self.numbers, side="left"), -1)
        return groups, _THIRDS


def _quantiles(
    numbers: Floats, there: NDArray[np.bool_], counts: Whole | None, shares: Sequence[float]
) -> list[float]:
    """Quantiles of numbers, each of which stands for so many items; as of the items themselves."""
    if counts is None:
        return [float(cut) for cut in np.quantile(numbers[there], shares)]
    distinct, inverse = np.unique(numbers[there], return_inverse=True)
    last = np.cumsum(np.bincount(inverse, counts[there]))  # places of items in order
    made = []
    for share in shares:
        rank = (last[-1] - 1) * share
        low = np.floor(rank)
        ends = distinct[np.searchsorted(last, [low, min(low + 1, last[-1] - 1)], side="right")]
        made.append(float(np.quantile(ends, rank - low)))
    return made


def _column(
    name: str, cells: Mapping[str, Any], items: Sequence[str], most: int = _MOST_VALUES
) -> By:
    texts = [cells.get(item) for item in items]
    spelled = [None if t is None or t != t or str(t).strip() == "" else str(t) for t in texts]
    numbers = [None if t is None else as_number(t) for t in spelled]
    held = [t for t in spelled if t is not None]
    distinct = sorted(set(held))
    if not held:
        raise DataError(f"column {name!r} must have a value for some item; got none; leave it out")
    if all(n is not None for n, t in zip(numbers, spelled, strict=True) if t) and len(distinct) > 2:
        return By(name, np.array([np.nan if n is None else n for n in numbers], float), None)
    if len(distinct) > most:
        raise DataError(
            f"column {name!r} must hold numbers, or at most {most} groups; got "
            f"{how_many(len(distinct), 'group')}; name another with {option('by')}"
        )
    index = {text: k for k, text in enumerate(distinct)}
    codes = np.array([-1 if t is None else index[t] for t in spelled], np.int64)
    return By(name, None, codes, tuple(distinct))


def sources_of(results: Results | None) -> dict[str, Mapping[str, Any]]:
    """Columns of a results table that verdicts may depend on, by name."""
    if results is None:
        return {}
    made: dict[str, Mapping[str, Any]] = {**results.covariates, **results.slices}
    if len(results.systems) > 1 and results.system_of:
        name = " ".join(results.reading.named("system")) or "system"  # of systems side by side
        made[name] = dict(zip(results.items, results.system_of, strict=True))
    texts = [name for name in results.texts if name not in results.reading.named("prompt")]
    if texts and "length" not in made:
        words = results.texts[texts[0]]
        made["length"] = {item: str(len(text)) for item, text in words.items() if text}
    return made


def columns_of(judged: Judged, by: Any, name: str, most: int = _MOST_VALUES) -> list[By]:
    """Columns that are named, or passed as {name: values by item}; by default, or as "all", those that fit.

    most : how many groups a column may have.
    """
    items, sources = judged.votes.items, sources_of(judged.results)
    names = [by] if isinstance(by, str) else by
    if by is None or (isinstance(names, list) and names == ["all"] and "all" not in sources):
        if not sources:
            raise DataError(
                f"{name} needs a column of groups or numbers; the data have none; pass {option('by')}"
            )
        fitting = []
        measured = any(_OF_LENGTH.search(name) for name in sources if name != "length")
        for name, cells in sources.items():
            if name == "length" and measured:  # the same again, and one more test
                continue
            try:
                fitting.append(_column(name, cells, items, most))
            except DataError:
                continue
        return fitting
    if isinstance(by, Mapping):
        return [_column(str(n), _by_item(str(n), c, judged), items, most) for n, c in by.items()]
    for name in names:
        if name not in sources:
            if (why := _unfit(judged.results, name)) is not None:
                raise DataError(
                    f"{option('by')} must name a column of numbers, groups or systems; got {name!r}, which "
                    f"{why}; name another"
                )
            near = did_you_mean(name, sources, "there is none of these kinds")
            raise DataError(
                f"{option('by')} must name a column of numbers, groups or systems, of "
                f"{list(sources)}; got {name!r}; {near}"
            )
    return [_column(name, sources[name], items, most) for name in names]


def columns_of_counts(counted: GroupedSketch, by: Any, most: int) -> list[By]:
    """Columns that items are counted by, those that are named, else slices, else systems."""
    names = [by] if isinstance(by, str) else by
    if isinstance(names, Mapping):
        raise DataError(
            f"{option('by')} must name a column that was counted; got values by item, which counts have no "
            "items for; count the rows again with slice="
        )
    if names is None or names == ["all"]:
        kinds = [split.kind for split in counted.splits]
        kind = "slice" if "slice" in kinds else "system"
        names = [split.name for split in counted.splits if split.kind == kind] or [kind]
    made = []
    for split in map(counted.split, names):
        cells = {str(k): value for k, value in enumerate(split.values)}
        column = _column(split.name, cells, [*cells], most)
        if column.numbers is not None:
            numbers = np.append(column.numbers, np.nan)[split.codes]
            made.append(By(split.name, numbers, None, counts=counted.cells))
        else:
            assert column.groups is not None
            groups = np.append(column.groups, NOT_ANSWERED)[split.codes]
            made.append(By(split.name, None, groups, column.values))
    return made


def _unfit(results: Results | None, name: str) -> str | None:
    """Why a column of the table cannot be looked at by; None where there is no such column."""
    if results is None or results.reading is None or name not in results.reading.columns:
        return None
    codes = results.reading.columns[name].codes
    values = len(np.unique(codes[codes >= 0]))
    if values < 2:
        return "has no value" if not values else "has the same value everywhere"
    return "is read as something else, as algeval columns shows"


def _by_item(name: str, values: Any, judged: Judged) -> Mapping[str, Any]:
    """Values as {item: value}, where they may be a series or one value an item."""
    values, items = on_items(values, judged.where, judged.votes), judged.votes.items
    if isinstance(values, Mapping):
        return values
    listed = None if isinstance(values, str) else getattr(values, "tolist", lambda: values)()
    if not isinstance(listed, list | tuple) or len(listed) != len(items):
        raise DataError(
            f"column {name!r} must hold a value an item ({len(items)}), or be {{item: value}}; got "
            f"{type(values).__name__}; pass one of these"
        )
    return dict(zip(items, listed, strict=True))
