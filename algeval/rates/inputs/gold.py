"""Labels that people gave to some of the items: the only way by which truth enters a rate."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED, folded
from algeval.errors import DataError
from algeval.io.items.rows import ItemRows, read_item_rows
from algeval.io.layout import KEY_NAMES, shown
from algeval.rates.inputs.numbers import chances_of
from algeval.rates.inputs.verdicts import label_place, tie_of
from algeval.result.wording import how_many

__all__ = ["Gold", "read_gold"]

_NAMES = (*KEY_NAMES, "label", "answer", "true", "y", "class", "value")


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """Labels joined to the items of the votes.

    Attributes
    ----------
    rows : (n,) int array
        Places in the items of the votes, increasing.
    truth : (n,) int array
        Places in their labels; one beyond them is a tie that no judge can give.
    values : (n,) float array
        1 where the label is the one whose rate is asked for, 1/2 where it is the tie, else 0.
    inclusion : (n,) float array or None
        The chance with which each item was drawn, where the table has a column of that name.
    n_annotators : int
        Most labels that one item had; 1 unless several people labelled.
    agreement : float or None
        Of two labels of one item, the share that agree, where items have several.
    notes : tuple of str
        What was read as what, and what was left out.
    """

    rows: NDArray[np.int64]
    truth: NDArray[np.int64]
    values: NDArray[np.float64]
    inclusion: NDArray[np.float64] | None = None
    n_annotators: int = 1
    agreement: float | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)


def read_gold(
    gold: Any, votes: Votes, label: object, *, name: str = "gold", tie: str | None = None
) -> Gold:
    """Return labels joined to the items of `votes`, as seen from one label.

    Parameters
    ----------
    gold : mapping, path, table, ItemRows, Votes or "key"
        {item: label}; a path or table with a column of items and one of labels, and one of
        annotators where an item has several rows; "key" for the key that the votes hold; or Votes,
        whose key it is, or whose judges are the annotators if they hold none.
    votes : Votes
    label : str
    name : str
        The setting it was given as, for sentences.
    tie : str, optional
        A label that counts one half, one of the votes' or not.

    Raises
    ------
    DataError
        If a labelled item has no votes, an item has two different labels from nobody in particular, a
        label is not one of the votes', or no item is labelled.

    Examples
    --------
    >>> votes = Votes.from_columns({"a": ["pass", "fail"]}, items=["q1", "q2"])
    >>> read_gold({"q2": "Pass"}, votes, "pass").values.tolist()
    [1.0]
    """
    if isinstance(gold, Gold):
        return gold
    if isinstance(gold, str) and gold == "key":
        gold = votes
    if isinstance(gold, Votes):
        rows = _rows_of(gold, name, known=gold is not votes)
    elif isinstance(gold, ItemRows):
        rows = gold
    else:
        rows = read_item_rows(gold, name, _NAMES, ("inclusion",))
    tie = tie_of(votes, label, tie)
    found = _joined(rows, votes, name, tie)
    worth = (found.truth == label_place(votes.labels, label)).astype(np.float64)
    if tie is not None:
        worth[found.truth == _with_tie(votes, tie).index(tie)] = 0.5
    return replace(found, values=worth)


def _with_tie(votes: Votes, tie: str | None) -> tuple[str, ...]:
    """Return the labels that items may have: those of the votes, and the tie."""
    return votes.labels if tie is None or tie in votes.labels else (*votes.labels, tie)


def _rows_of(gold: Votes, name: str, *, known: bool) -> ItemRows:
    """Return the key of votes, or, of votes other than the judges', what each annotator said."""
    if gold.key is not None:
        keyed = np.flatnonzero(gold.key != NOT_ANSWERED)
        pairs = [(gold.items[row], gold.labels[gold.key[row]]) for row in keyed.tolist()]
        return ItemRows(name, tuple(i for i, _ in pairs), tuple(t for _, t in pairs))
    if not known:
        raise DataError(
            f"{name}='key' needs votes with a key; these have none; pass {{item: label}}"
        )
    given = np.argwhere(gold.codes != NOT_ANSWERED)
    cells = [
        (gold.items[i], gold.answers[gold.codes[i, j]], gold.judges[j]) for i, j in given.tolist()
    ]
    items, values, sayers = zip(*cells, strict=True) if cells else ((), (), ())
    return ItemRows(name, items, values, sayers)


def _joined(found: ItemRows, votes: Votes, name: str, tie: str | None) -> Gold:
    labels = _with_tie(votes, tie)
    codes = _codes(found, labels, name)
    given: dict[str, list[int]] = defaultdict(list)
    for item, code in zip(found.items, codes, strict=True):
        if code != NOT_ANSWERED:
            given[item].append(code)
    _check_items(given, found, votes, name)
    truth, notes = _one_each(given, found.sayers is not None, labels, name)
    where = {item: row for row, item in enumerate(votes.items) if item in truth}
    items = sorted(truth, key=where.__getitem__)
    final = np.array([truth[item] for item in items], np.int64)
    empty = len(set(found.items)) - len(given)
    if empty:
        notes += (f"{name}: {how_many(empty, 'item')} without a label left out",)
    return Gold(
        np.array([where[item] for item in items], np.int64),
        final,
        np.zeros(len(final)),
        _inclusion(found, items, name),
        max(map(len, given.values())),
        _agreement(given.values()),
        notes,
    )


def _codes(found: ItemRows, labels: tuple[str, ...], name: str) -> list[int]:
    """Return the place of each row's label."""
    exactly = {label: place for place, label in enumerate(labels)}
    loosely = {folded(label): place for place, label in enumerate(labels)}
    if len(loosely) < len(exactly):
        loosely = {}
    places: dict[str | None, int] = {None: NOT_ANSWERED}
    for text in set(found.values) - {None}:
        code = exactly.get(text, loosely.get(folded(text)))  # type: ignore[arg-type]
        if code is None:
            raise DataError(
                f"every label of {name} must be one of the votes' labels {list(labels)}; got {text!r}; "
                "spell them alike, or read the votes with labels= naming every label"
            )
        places[text] = code
    return [places[text] for text in found.values]


def _check_items(given: dict[str, list[int]], found: ItemRows, votes: Votes, name: str) -> None:
    if not given:
        raise DataError(f"{name} must label at least one item; got none; leave {name}= out")
    known = set(votes.items)
    strange = [item for item in given if item not in known]
    if strange:
        raise DataError(
            f"every item of {name} must be among those the judges voted on; got "
            f"{how_many(len(strange), 'other item')}: {shown(strange, 3)}; the votes have for example "
            f"{votes.items[0]!r}; correct the ids, or leave these rows out"
        )


def _one_each(
    given: dict[str, list[int]], named: bool, labels: tuple[str, ...], name: str
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return one label per item: the majority of its annotators, where they are named."""
    truth: dict[str, int] = {}
    tied = []
    for item, codes in given.items():
        ranked = Counter(codes).most_common(2)
        if len(ranked) > 1 and not named:
            first, second = (labels[code] for code, _ in ranked)
            raise DataError(
                f"{name} must hold one label per item; got {first!r} and {second!r} for {item!r}; keep one, "
                "or add a column 'annotator' if several people labelled"
            )
        if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
            tied.append(item)
        else:
            truth[item] = ranked[0][0]
    if not truth:
        raise DataError(
            f"{name} must settle at least one item; annotators tie on all; ask one more"
        )
    notes: tuple[str, ...] = ()
    if any(len(codes) > 1 for codes in given.values()) and named:
        notes = (f"{name}: the majority of an item's annotators is its label",)
    if tied:
        ties = f"{how_many(len(tied), 'item')} on which they tie left out: {shown(tied, 3)}"
        notes += (f"{name}: {ties}",)
    return truth, notes


def _agreement(given: Any) -> float | None:
    """Return the share of pairs of labels of one item that agree, None without such a pair."""
    same = pairs = 0
    for codes in given:
        n = len(codes)
        pairs += n * (n - 1) // 2
        same += sum(k * (k - 1) // 2 for k in Counter(codes).values())
    return same / pairs if pairs else None


def _inclusion(found: ItemRows, items: list[str], name: str) -> NDArray[np.float64] | None:
    texts = found.beside.get("inclusion")
    if texts is None:
        return None
    chances = dict(zip(found.items, texts, strict=True))
    return chances_of(chances, items, np.arange(len(items)), f"column 'inclusion' of {name}")
