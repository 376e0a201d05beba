"""Scores: judges who give numbers; joining and aligning data of either kind."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import (
    NOT_ANSWERED,
    Codes,
    Counts,
    RowNumbers,
    check_names,
    expect_names,
    expect_schema,
    item_names,
    natural_order,
    positions,
    set_fields,
)
from algeval.data.votes import Votes
from algeval.errors import DataError, either_way
from algeval.result import exact
from algeval.result.base import Record
from algeval.result.numbers import ByValue, short_list
from algeval.result.tables import Table, Tabled, free_name

# --- Numbers about texts: length, form, signs of citation, and how hard they are to read.


FEWEST_WORDS = 30
"""A SMOG grade of shorter texts would be noise; the formula was fitted to 30 sentences."""

_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W\d_]+)*")
_SENTENCE_END = re.compile(
    r"[.!?\N{HORIZONTAL ELLIPSIS}]+(?=[\s\"')\]\N{RIGHT DOUBLE QUOTATION MARK}]|$)"
)
_LIST_ITEM = re.compile(
    r"^[ \t]*(?:[-*+\N{BULLET}]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+\S", re.MULTILINE
)
_CITATION = re.compile(
    r"https?://\S+|\[\d+(?:\s*[,\N{EN DASH}-]\s*\d+)*\]|\([^()]*\b(?:1[5-9]|20)\d\d[a-z]?\)"
)
_VOWELS = re.compile(r"[aeiouy]+")


def text_features(texts: Iterable[str | None]) -> dict[str, list[float | None]]:
    """Numbers about texts, as attributes of the items they belong to.

    Use them to see whether what judges share goes with the form of a text. Each is one plain count,
    made for English where it counts syllables.

    Parameters
    ----------
    texts : iterable of str or None
        None where there is no text; every number is None there.

    Returns
    -------
    dict
        characters; words (runs of letters, apostrophes and hyphens within); sentences (ends in . ! ? or
        an ellipsis, and what follows the last); words per sentence; list items (lines that begin with a
        bullet, a number or a letter and a stop or bracket); digits; citations (web addresses, bracketed
        numbers, brackets that end in a year); upper-case share (of the letters); exclamation marks; SMOG
        grade (McLaughlin 1969: 1.043 sqrt(30 p / s) + 3.1291 of s sentences with p words of three or more
        syllables; None under 30 words). Syllables are groups of vowels, without a silent final e.

    Raises
    ------
    DataError
        If something is no text.

    Examples
    --------
    >>> found = text_features(["Good! See [1].", None])
    >>> found["words"], found["citations"], found["exclamation marks"]
    ([2.0, None], [1.0, None], [1.0, None])
    """
    read = [_checked(text) for text in texts]
    return {
        name: [None if text is None else _number(count(text)) for text in read]
        for name, count in _FEATURES.items()
    }


def _checked(text: object) -> str | None:
    if text is None or isinstance(text, str):
        return text
    if text != text:  # how data frames write what is missing
        return None
    raise DataError(f"texts must be text or None; got {text!r}; convert them with str() first")


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _sentences(text: str) -> int:
    return sum(bool(_words(part)) for part in _SENTENCE_END.split(text))


def _words_per_sentence(text: str) -> float | None:
    many = _sentences(text)
    return len(_words(text)) / many if many else None


def _upper_share(text: str) -> float | None:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(str.isupper, letters)) / len(letters) if letters else None


def syllables(word: str) -> int:
    """How many groups of vowels a word has, without a silent final e; at least 1."""
    plain = word.lower()
    groups = len(_VOWELS.findall(plain))
    silent = plain.endswith("e") and not plain.endswith(("le", "ee", "ye")) and groups > 1
    return max(groups - silent, 1)


def _smog(text: str) -> float | None:
    words, many = _words(text), _sentences(text)
    if len(words) < FEWEST_WORDS:
        return None
    hard = sum(syllables(word) >= 3 for word in words)
    return 1.043 * sqrt(30 * hard / many) + 3.1291


_FEATURES: dict[str, Callable[[str], float | None]] = {
    "characters": len,
    "words": lambda text: len(_words(text)),
    "sentences": _sentences,
    "words per sentence": _words_per_sentence,
    "list items": lambda text: len(_LIST_ITEM.findall(text)),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "citations": lambda text: len(_CITATION.findall(text)),
    "upper-case share": _upper_share,
    "exclamation marks": lambda text: text.count("!"),
    "SMOG grade": _smog,
}


# --- What a table of scores may hold: numbers, a key of classes or of numbers, attributes as text.


Floats: TypeAlias = NDArray[np.float64]
Key: TypeAlias = tuple[str | None, ...] | tuple[float | None, ...]
KeyKind: TypeAlias = Literal["class", "number"]
Attributes: TypeAlias = Mapping[str, tuple[str | None, ...]]


def _absent(value: Any) -> bool:
    """Whether a cell is None, NaN or what a frame library writes for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def checked_values(values: Any, items: tuple[str, ...], judges: tuple[str, ...]) -> Floats:
    """Scores as float64 with one NaN and one zero, or say which of them is none."""
    array = _as_array(values)
    shape = (len(items), len(judges))
    if array.shape != shape:
        raise DataError(
            f"values must have one row per item and one column per judge {shape}; got shape {array.shape}"
        )
    if array.dtype.kind not in "iuf":
        array = _from_objects(array, items, judges)
    if array.dtype in (np.float16, np.float32):
        array = array.astype(str)  # 0.7 in 32 bits is the score 0.7, as it is in a file
    result = array.astype(np.float64) + 0.0  # no negative zero
    wrong = np.argwhere(np.isinf(result))
    if len(wrong):
        row, column = wrong[0]
        raise DataError(
            f"scores must be finite; got {result[row, column]} of judge {judges[column]!r} on item "
            f"{items[row]!r}; leave it out (NaN) or give a number"
        )
    result[np.isnan(result)] = np.nan
    return result


def _as_array(values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise DataError(
            "values must be rows of the same length; got rows of different lengths; "
            "write None where there is no score"
        ) from None


def _from_objects(
    array: NDArray[Any], items: tuple[str, ...], judges: tuple[str, ...]
) -> NDArray[Any]:
    """Cells as floats, None as NaN, refusing what is no number."""
    result = np.full(array.shape, np.nan)
    for (row, column), value in np.ndenumerate(array.astype(object)):
        if _absent(value):
            continue
        if not _is_number(value):
            raise DataError(
                f"scores must be numbers; got {value!r} of judge {judges[column]!r} on item {items[row]!r}; "
                "leave it out (None), or read text with read_scores"
            )
        try:
            short = isinstance(value, np.float16 | np.float32)
            result[row, column] = float(str(value)) if short else float(value)
        except OverflowError:
            result[row, column] = np.inf
    return result


def checked_key(
    key: Iterable[Any], items: tuple[str, ...], kind: KeyKind | None
) -> tuple[Key, KeyKind]:
    """Key as classes or as numbers, None where it is not known, and which of them it is."""
    truths = [None if _absent(truth) else truth for truth in key]
    if len(truths) != len(items):
        raise DataError(f"key must have one entry per item ({len(items)}); got {len(truths)}")
    if kind not in (None, "class", "number"):
        raise DataError(f"key_kind must be 'class' or 'number'; got {kind!r}; leave it out")
    stated = [truth for truth in truths if truth is not None]
    if kind != "number" and not any(map(_is_number, stated)):
        return tuple(None if truth is None else str(truth) for truth in truths), "class"
    for item, truth in zip(items, truths, strict=True):
        if truth is not None and not (_is_number(truth) and abs(truth) < float("inf")):
            raise DataError(
                f"a key must hold finite numbers, or classes as text; got {truth!r} for item {item!r} "
                "beside numbers; write None where the truth is not known"
            )
    if kind == "class" or (kind is None and all(truth in (0, 1) for truth in stated)):
        return tuple(map(_text, truths)), "class"
    return tuple(None if truth is None else float(truth) + 0.0 for truth in truths), "number"


def checked_attributes(attributes: Any, n_items: int) -> dict[str, tuple[str | None, ...]]:
    """Columns of text, None for what is not known."""
    if attributes is not None and not isinstance(attributes, Mapping):
        raise DataError(
            f"attributes must be columns by name; got {attributes!r}; write {{column: cells}}"
        )
    cells = (attributes or {}).items()
    return {str(name): _checked_attribute(name, column, n_items) for name, column in cells}


def _checked_attribute(name: object, column: Any, n_items: int) -> tuple[str | None, ...]:
    texts = None if isinstance(column, str) else tuple(map(_text, column))
    if texts is None or len(texts) != n_items:
        got = "text" if texts is None else f"{len(texts)}"
        raise DataError(
            f"attribute {str(name)!r} must have one entry per item ({n_items}); got {got}"
        )
    return texts


def _text(value: Any) -> str | None:
    if _absent(value):
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


# --- Tables of scores put side by side on item ids: whose score stands where, and what does not
# agree.


def joined(tables: Sequence[Scores]) -> Scores:
    """Tables of different judges as one, NaN where a judge of one did not see an item of another."""
    judges = tuple(judge for table in tables for judge in table.judges)
    repeated = [judge for judge in judges if judges.count(judge) > 1]
    if repeated:
        raise DataError(
            f"a judge must be in one of the tables only; got {repeated[0]!r} in two; rename it, or leave "
            "it out of one with select(judges=...)"
        )
    items = tuple(dict.fromkeys(item for table in tables for item in table.items))
    key = _column("key", ((t.items, t.key) for t in tables), items)
    names = dict.fromkeys(name for table in tables for name in table.attributes or ())
    attributes = {
        name: _column(name, ((t.items, (t.attributes or {}).get(name)) for t in tables), items)
        for name in names
    }
    columns = {name: column for name, column in attributes.items() if column is not None}
    kinds = {table.key_kind for table in tables if table.key is not None}
    if len(kinds) > 1:
        raise DataError(
            "keys must hold classes in every table, or numbers in every table; got both; call "
            "without_key() on one"
        )
    return Scores(items, judges, _values(tables, items), key, columns, next(iter(kinds), None))


def _values(tables: Sequence[Scores], items: tuple[str, ...]) -> Floats:
    row_of = {item: at for at, item in enumerate(items)}
    columns = []
    for table in tables:
        part = np.full((len(items), len(table.judges)), np.nan)
        part[[row_of[item] for item in table.items]] = table.values
        columns.append(part)
    return np.hstack(columns)


def _column(
    name: str, parts: Iterable[tuple[tuple[str, ...], Any]], items: tuple[str, ...]
) -> tuple[Any, ...] | None:
    """Return what the tables say of each item, None where none does; or None if none has the column."""
    cells: dict[str, Any] = {}
    is_number = False
    for part, column in parts:
        is_number = is_number or column is not None
        for item, value in zip(part, column or (), strict=bool(column)):
            if value is None:
                continue
            if cells.setdefault(item, value) != value:
                raise DataError(
                    f"{name} must be the same in every table; got {cells[item]!r} and {value!r} for item "
                    f"{item!r}; are the ids those of the same items? leave one of the two out if so"
                )
    return tuple(cells.get(item) for item in items) if is_number else None


# --- Scores: one number per item and judge, with the items that were not scored marked as such.


@dataclass(frozen=True, slots=True, eq=False)
class Scores(Tabled, ByValue):
    """Who scored which item how high.

    Use it for graders that give numbers, on any scale of their own. Methods that read scores say so;
    every other one reads the votes that `cut` makes of them. Two tables are equal when all they hold
    is.

    Parameters
    ----------
    items : sequence of str
        Item ids, distinct.
    judges : sequence of str
        Names, distinct.
    values : (n_items, n_judges) float array
        The scores, as float64; NaN where the judge did not score the item. A judge may have none.
    key : sequence of n_items, optional
        True classes as text, or true scores as numbers; None where unknown. Numbers that are all 0
        or 1 are classes. Used for scoring only.
    attributes : {column: sequence of n_items}, optional
        What else is known of the items, kept as text; None where nothing is.
    key_kind : {"class", "number"}, optional
        What the key holds; by default found by looking.
    key_words : (str, str), optional
        What people call the classes "0" and "1"; no part of the JSON.

    Raises
    ------
    DataError
        If names repeat, shapes do not fit, a score is infinite or no number, or a key holds numbers
        and texts.

    Examples
    --------
    >>> s = Scores(["q1", "q2"], ["gpt4", "claude"], [[7, 5.5], [2, None]], key=["good", "bad"])
    >>> s.missing.tolist(), s.key_kind
    ([0, 1], 'class')
    >>> s.without_key().cut(5).codes.tolist()
    [[1, 1], [0, -1]]
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    values: Floats
    key: Key | None = None
    attributes: Attributes | None = None
    key_kind: KeyKind | None = None
    key_words: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        items = item_names(self.items)
        if len(set(items)) < len(items):
            raise DataError(
                "item ids must be distinct; got a repeated one; merge or rename its rows"
            )
        if not items:
            raise DataError(
                "scores must hold at least one item; got none; check the file or selection"
            )
        judges = check_names("judge", self.judges)
        values = checked_values(self.values, items, judges)
        key, kind = (
            (None, None) if self.key is None else checked_key(self.key, items, self.key_kind)
        )
        texts = checked_attributes(self.attributes, len(items))
        set_fields(self, items=items, judges=judges, values=values, key=key)
        set_fields(self, key_kind=kind, attributes=MappingProxyType(texts) if texts else None)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[object, Sequence[object]],
        *,
        items: Iterable[object] | None = None,
        key: Sequence[Any] | None = None,
        attributes: Mapping[Any, Sequence[Any]] | None = None,
    ) -> Self:
        """Build from {judge: scores in item order}; None and NaN mean not scored.

        Without `items` the ids are 1, 2, ... Scores must be numbers here; `read_scores` also takes
        text such as "7.5".

        Examples
        --------
        >>> Scores.from_columns({"gpt4": [7, 2], "claude": [5.5, None]}).n_items
        2
        """
        judges = check_names("judge", columns)
        lengths = {
            judge: len(column) for judge, column in zip(judges, columns.values(), strict=True)
        }
        if len(set(lengths.values())) > 1:
            raise DataError(f"every judge must have one score per item; got lengths {lengths}")
        n_items = next(iter(lengths.values()))
        names = RowNumbers.of(n_items) if items is None else item_names(items)
        rows: Any = list(zip(*columns.values(), strict=True))
        return cls(names, judges, rows, key, attributes)  # type: ignore[arg-type]

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def n_judges(self) -> int:
        """Number of judges, N."""
        return len(self.judges)

    @property
    def missing(self) -> Counts:
        """(N,) how many items each judge did not score."""
        result: Counts = np.isnan(self.values).sum(0, dtype=np.int64)
        return result

    @property
    def complete(self) -> bool:
        """Whether every judge scored every item."""
        return not np.isnan(self.values).any()

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        kind = {"class": "with a key of classes", "number": "with a key of numbers"}
        more = f", attributes {short_list(list(self.attributes), 60)}" if self.attributes else ""
        return (
            f"Scores({self.n_items} items, {self.n_judges} judges, {int(self.missing.sum())} missing, "
            f"{kind.get(self.key_kind or '', 'no key')}{more})"
        )

    def __hash__(self) -> int:
        return hash((self.items, self.judges, self.values.tobytes(), self.key))

    def __reduce__(self) -> tuple[Any, ...]:
        attributes = None if self.attributes is None else dict(self.attributes)
        fields = (self.items, self.judges, self.values, self.key, attributes)
        return type(self), (*fields, self.key_kind, self.key_words)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item: its id, the score of each judge, the key, and the attributes."""
        columns: dict[str, Any] = {free_name("item", self.judges): self.items}
        columns |= {j: self.values[:, place] for place, j in enumerate(self.judges)}
        more = {} if self.key is None else {"key": self.key}
        for name, column in {**more, **(self.attributes or {})}.items():
            columns[free_name(name, list(columns))] = column
        return (Table("Scores", columns),)

    def select(
        self, judges: Iterable[object] | None = None, items: Iterable[object] | None = None
    ) -> Scores:
        """Scores of some judges on some items, in the order named.

        Items that none of the chosen judges scored are kept, so that counts stay comparable.
        """
        columns = _positions_of("judge", judges, self.judges)
        rows = _positions_of("item", items, self.items)
        return Scores(
            self.items if items is None else tuple(self.items[p] for p in rows),
            tuple(self.judges[p] for p in columns),
            self.values[np.ix_(rows, columns)],
            None if self.key is None else tuple(self.key[p] for p in rows),  # type: ignore[arg-type]
            {name: tuple(c[p] for p in rows) for name, c in (self.attributes or {}).items()},
            self.key_kind,
            self.key_words,
        )

    def join(self, *others: Scores) -> Scores:
        """Return these judges beside those of other tables, joined on item ids, never on position.

        An item that one of the tables lacks stays, without those scores. Before files of the same length
        are joined, `misread_by_position` tells whether it matters; after, `misaligned` names judges
        who go against all others.

        Raises
        ------
        DataError
            If a judge is in two tables, or keys or attributes contradict each other on an item.

        Examples
        --------
        >>> s = Scores.from_columns({"gpt4": [7, 2]}, items=["q1", "q2"])
        >>> s.join(Scores.from_columns({"claude": [5, 6]}, items=["q3", "q2"])).values.tolist()
        [[7.0, nan], [2.0, 6.0], [nan, 5.0]]
        """
        for other in others:
            if not isinstance(other, Scores):
                raise DataError(
                    f"others must be Scores; got {type(other).__name__}; "
                    f"{either_way('use read_scores', 'pass --scores')}"
                )
        return joined([self, *others])

    def without_key(self) -> Scores:
        """Same scores with the key forgotten."""
        return Scores(self.items, self.judges, self.values, None, self.attributes)

    def cut(self, at: object) -> Votes:
        """Votes that `read_votes(cut=at)` reads: label "1" from `at` on, "0" below.

        A score that is missing stays missing. A key of 0 and 1 is kept as it is, a key of other
        numbers is cut like the scores, and attributes are left behind. Of cells such as 87% scores hold 87,
        and no longer that they are percentages: cut them at 50 or "50%", not at .5.

        Parameters
        ----------
        at : number or text
            On the scale of the scores; 4.5, "9/2" and Fraction(9, 2) are the same. "50%" is 0.5 of a
            judge's scores up to 1, and 50 of scores up to 100.

        Raises
        ------
        DataError
            If a percentage is of scores that end elsewhere, or the key holds classes other than 0 and 1:
            nothing says which of them is the higher.

        Examples
        --------
        >>> s = Scores.from_columns({"gpt4": [7, 2], "claude": [5.5, None]}, key=[1, 0])
        >>> v = s.cut(5.5)
        >>> v.labels, v.codes.tolist(), v.key.tolist()
        (('0', '1'), [[1, 1], [0, -1]], [1, 0])
        """
        columns = zip(self.judges, self.values.T, strict=True)
        codes = [_threshold(of_scale(at, scores, name)[0])(scores) for name, scores in columns]
        key = None if self.key is None else _cut_key(self.key, self.key_kind, at)
        rows = np.stack(codes, axis=1)
        return Votes(self.items, self.judges, ("0", "1"), ("0", "1"), rows, key)

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.scores/1`); null stands for what is missing."""
        values = self.values.astype(object)
        values[np.isnan(self.values)] = None
        attributes = self.attributes or {}
        return {
            "schema": "algeval.scores/1",
            "items": list(self.items),
            "judges": list(self.judges),
            "values": values.tolist(),
            "key": None if self.key is None else list(self.key),
            "key_kind": self.key_kind,
            "attributes": {name: list(column) for name, column in attributes.items()},
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.scores/1")
        expect_names(document, "items", "judges")
        fields = ("items", "judges", "values", "key", "attributes", "key_kind")
        return cls(*(document[field] for field in fields))


def _positions_of(
    kind: str, wanted: Iterable[object] | None, names: tuple[str, ...]
) -> Sequence[int]:
    return range(len(names)) if wanted is None else positions(kind, wanted, names)


def _threshold(cut: Fraction) -> Callable[[Floats], Codes]:
    """Return what makes codes of numbers: 1 from the cut on, 0 below, -1 for NaN.

    A float is the number that its shortest spelling names, as in a file: 0.1 reaches 1/10.
    """
    try:
        limit = float(cut)
    except OverflowError:
        limit = float("inf") if cut > 0 else float("-inf")
    touching = abs(limit) < float("inf") and exact(repr(limit)) >= cut

    def codes(values: Floats) -> Codes:
        above = (values >= limit) if touching else (values > limit)
        return np.where(np.isnan(values), NOT_ANSWERED, above).astype(np.int16)

    return codes


def is_percentage(value: object) -> bool:
    """Whether a number is written as a percentage."""
    return isinstance(value, str) and value.strip().endswith("%")


def of_scale(at: object, scores: Floats, name: str) -> tuple[Fraction, bool]:
    """A cut as a column of scores has it, and whether it is a percentage of scores that go up to 100."""
    number = exact(at, "cut")
    cells = scores[np.isfinite(scores)]
    highest = float(cells.max(initial=0.0))
    if not is_percentage(at) or highest <= 1:
        return number, False
    if 20 < highest <= 100:
        return 100 * number, True
    raise DataError(
        f"a percentage must be of cells that are percentages, or go from 0 to 1 or 0 to 100; got {at!r} "
        f"and {name!r} from {cells.min():g} to {highest:g}; write the number itself"
    )


def _cut_key(key: Key, kind: KeyKind | None, at: object) -> Codes:
    classes = {truth for truth in key if isinstance(truth, str)}
    strange = natural_order(classes - {"0", "1"})
    if strange:
        raise DataError(
            "a key must hold 0 and 1, or numbers, to be cut with the scores; got the class "
            f"{strange[0]!r}; call without_key() first, or give the higher class as 1 and the lower as 0"
        )
    numbers = np.array([np.nan if truth is None else float(truth) for truth in key])
    if kind == "number":
        return _threshold(of_scale(at, numbers, "key")[0])(numbers)
    return np.where(np.isnan(numbers), NOT_ANSWERED, numbers).astype(np.int16)


# --- Are the rows of judges the same items? Judges who go against all others, by id or by position.
#
# A file whose rows are in another order than its neighbours', read by position, makes a good judge look
# adversarial rather than random where items are sorted by class: it must then be suspected, not trusted
# with its sign turned round.


Bools = NDArray[np.bool_]


_AGAINST = -0.2
"""A judge below this correlation with the others is named; harmless weak judges are near 0."""

_APART = 0.2  # two ways of matching rows differ if their correlations do by this
_CHANCE = 1e-3  # how rare the correlation of an unrelated judge must be, over all judges together
_FEWEST = 4  # items below which a correlation has no standard error
_NO_SPREAD = 1e-9  # scores within this of each other are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Misaligned(Record):
    """A judge whose rows may not be the items the others scored.

    Attributes
    ----------
    judge : str
    correlation : float
        With the mean of the others' standardised scores, items matched by id.
    by_position : float or None
        The same with rows matched by their place; None where there is one table only.
    n_items : int
        Items behind the correlation.
    """

    judge: str
    correlation: float
    by_position: float | None = None
    n_items: int

    def sentence(self) -> str:
        """Return what was seen and what to look at, as a sentence."""
        if self.by_position is None:
            return (
                f"{self.judge} correlates {self.correlation:+.2f} with the mean of the others, who agree "
                "with each other: its scale is turned round, or its rows are other items; join files on "
                "item ids, not on position."
            )
        better = "by position" if self.by_position > self.correlation else "by id"
        doubt = (
            "are the ids row numbers of another order?"
            if better == "by position"
            else "rows are in another order here, and must not be matched by position."
        )
        return (
            f"{self.judge} correlates {self.correlation:+.2f} with the others if items are matched by id, "
            f"{self.by_position:+.2f} if rows are matched by position: {doubt}"
        )


def misaligned(scores: Scores) -> tuple[Misaligned, ...]:
    """Judges who go against all others, while those agree: reversed or misread.

    Use it after reading a table. A judge is named if its correlation with the mean of the others is
    below -.2 and such a value by chance is rarer than .001 over all judges, the worst first, who is then
    no more one of the others; nobody is, if those who are left do not agree with each other, or are no
    more than those who were named. Two judges cannot say which of them is the wrong one.

    Examples
    --------
    >>> rows = np.arange(40.0)
    >>> s = Scores.from_columns({"i": rows, "j": rows + rows % 3, "k": rows % 7 + rows, "bad": -rows})
    >>> [found.judge for found in misaligned(s)]
    ['bad']
    """
    z = _standard(scores.values)
    keep = np.ones(scores.n_judges, bool)
    correlations = _with_the_rest(z, keep)
    while (worst := _worst(correlations, keep)) is not None:
        keep[worst] = False
        correlations = _with_the_rest(z, keep)
    rest = [r for (r, _), kept in zip(correlations, keep, strict=True) if kept]
    if 2 * len(rest) <= len(keep) or min(rest) <= _AGAINST or np.median(rest) <= 0:
        return ()
    return tuple(
        Misaligned(judge=judge, correlation=r, n_items=n)
        for judge, (r, n), kept in zip(scores.judges, correlations, keep, strict=True)
        if not kept and r < _AGAINST
    )


def _with_the_rest(z: Floats, keep: Bools) -> list[tuple[float, int]]:
    """Each judge's correlation with the mean of the others that are kept, and on how many items."""
    seen = ~np.isnan(z)
    filled = np.where(seen, z, 0.0)
    total, count = filled @ keep, seen @ keep.astype(int)
    return [
        _correlation(z[:, j], total - keep[j] * filled[:, j], count - keep[j] * seen[:, j])
        for j in range(len(keep))
    ]


def _worst(correlations: list[tuple[float, int]], keep: Bools) -> int | None:
    """Judge who goes against the others most, beyond chance; None where nobody does."""
    against = [j for j in np.flatnonzero(keep).tolist() if _is_against(*correlations[j], len(keep))]
    return min(against, key=lambda j: correlations[j][0], default=None)


def misread_by_position(first: Scores, second: Scores) -> tuple[Misaligned, ...]:
    """Judges of `second` for whom it matters that rows are matched by id.

    Use it before two files of the same length are put side by side. Named are judges who correlate with
    the mean of `first` at least .2 higher one way than the other, the higher one positive beyond chance:
    mostly files sorted differently, and sometimes ids that number rows.

    Raises
    ------
    DataError
        If the tables are not of the same length: rows then have no common position.

    Examples
    --------
    >>> up, down = [str(k) for k in range(40)], [str(k) for k in reversed(range(40))]
    >>> i = Scores.from_columns({"i": range(40)}, items=up)
    >>> j = Scores.from_columns({"j": range(39, -1, -1)}, items=down)
    >>> [(f.judge, round(f.correlation, 2), round(f.by_position, 2)) for f in misread_by_position(i, j)]
    [('j', 1.0, -1.0)]
    """
    if first.n_items != second.n_items:
        raise DataError(
            "tables must have as many items to be matched by position; got "
            f"{first.n_items} and {second.n_items}; join them on ids, with first.join(second)"
        )
    row_of = {item: at for at, item in enumerate(first.items)}
    rows = np.array([row_of.get(item, -1) for item in second.items])
    both = rows >= 0
    left, right = _standard(first.values), _standard(second.values)
    misreadings = []
    for j, judge in enumerate(second.judges):
        by_id, n = _with_mean(right[both, j], left[rows[both]])
        by_position, m = _with_mean(right[:, j], left)
        highest = max((by_id, n), (by_position, m))
        if abs(by_id - by_position) >= _APART and _is_against(-highest[0], highest[1], 1, 0.0):
            misreading = Misaligned(
                judge=judge, correlation=by_id, by_position=by_position, n_items=n
            )
            misreadings.append(misreading)
    return tuple(misreadings)


def _standard(values: Floats) -> Floats:
    """Return (n_items, N) scores with mean 0 and deviation 1; NaN where missing or never varying."""
    seen = ~np.isnan(values)
    n = np.maximum(seen.sum(axis=0), 1)
    left = values - np.where(seen, values, 0.0).sum(axis=0) / n
    spread = np.sqrt(np.where(seen, left**2, 0.0).sum(axis=0) / n)
    result: Floats = left / np.where(spread > _NO_SPREAD, spread, np.nan)
    return result


def _with_mean(own: Floats, others: Floats) -> tuple[float, int]:
    """Correlation of scores with the mean of others, and on how many items."""
    seen = ~np.isnan(others)
    return _correlation(own, np.where(seen, others, 0.0).sum(axis=1), seen.sum(axis=1))


def _correlation(own: Floats, total: Floats, count: NDArray[np.intp]) -> tuple[float, int]:
    """Correlation of scores with sums over counts, and on how many items; 0 if there is none."""
    both = (count > 0) & ~np.isnan(own)
    x, y = own[both], total[both] / count[both]
    if len(x) < _FEWEST or np.ptp(x) < _NO_SPREAD or np.ptp(y) < _NO_SPREAD:
        return 0.0, len(x)
    return float(np.corrcoef(x, y)[0, 1]), len(x)


def _is_against(r: float, n: int, n_judges: int, limit: float = _AGAINST) -> bool:
    """Whether a correlation is below the limit, and below 0 beyond chance."""
    if r >= limit or n < _FEWEST:
        return False
    deviations = math.atanh(max(r, -1 + 1e-12)) * math.sqrt(n - 3)
    return math.erfc(-deviations / math.sqrt(2)) / 2 < _CHANCE / n_judges


def mid_ranks(column: Floats) -> Floats:
    """Ranks (n,) from 1, tied numbers sharing the middle one.

    As scipy.stats.rankdata, whose module takes most of a second to load.
    """
    _, number, counts = np.unique(column, return_inverse=True, return_counts=True)
    middle: Floats = np.cumsum(counts) - (counts - 1) / 2
    return middle[number]
