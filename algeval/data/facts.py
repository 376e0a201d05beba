"""Facts of the columns of a table: words of the name, kind of the cells, and which labels they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from algeval.data.cells import Column, Positions, as_number, has_failed, plain
from algeval.data.names import folded
from algeval.errors import DataError

NOT_ANSWERED = frozenset(
    {
        "-",
        "--",
        "?",
        "n/a",
        "na",
        "nan",
        "nat",
        "none",
        "null",
        "missing",
        "unlabeled",
        "unlabelled",
    }
)
"""Cells, folded, that are no answer in any table; `missing=` names more."""

FEW = 12
"""So many labels at most has a column that looks like votes."""

_LOOKED_AT = 2000
_GRADE = re.compile(
    r"(?:(?:score|rating|grade|verdict)\s*[:=]\s*)?[$€£]?\s?(-?\d+(?:[.,]\d+)?(?:e-?\d+)?)\s*(?:%|/\s*\d+)?",
    re.I,
)
_DATE = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}([-./])\d{1,2}\3\d{4}(,? .*)?", re.I
)
_EPOCH = frozenset(["timestamp", "tstamp", "time", "date", "created", "updated", "at"])
_SAME = {"true": "1", "false": "0", "1.0": "1", "0.0": "0"}


@dataclass(frozen=True, eq=False)
class Facts:
    """One column: words of its name, its distinct texts and which of them each row holds.

    `kind` is "empty", "nested", "time", "text", "number" (decimals), "whole", "ids" or "label".
    """

    name: str
    n_rows: int
    texts: tuple[str, ...] = ()
    codes: Positions = ()  # type: ignore[assignment]
    nested: bool = False

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the name: cut at `_ - . /`, blanks and camelCase, in lower case."""
        return tuple(word.strip("#?()[]:") or word for word in words_of(self.name))

    @cached_property
    def last(self) -> str:
        """The last word of the name, without figures behind it."""
        return next((w for word in reversed(self.words) if (w := word.rstrip("0123456789"))), "")

    @cached_property
    def low(self) -> str:
        """The name in lower case, its words joined by `_`."""
        return "_".join(self.words)

    @property
    def filled(self) -> int:
        """Rows with a cell that means something."""
        return int((np.asarray(self.codes) >= 0).sum())

    @cached_property
    def rows_of(self) -> dict[str, int]:
        """{text: rows that hold it}."""
        held = np.asarray(self.codes)
        counts = np.bincount(held[held >= 0], minlength=len(self.texts)).tolist()
        return dict(zip(self.texts, counts, strict=True))

    @property
    def unique(self) -> bool:
        """Whether each row has a cell of its own."""
        return self.n_rows > 1 and len(self.texts) == self.n_rows == self.filled

    @property
    def constant(self) -> bool:
        """Whether all cells are alike."""
        return len(self.texts) == 1

    @cached_property
    def numbers(self) -> tuple[float, ...] | None:
        """The distinct cells as numbers; None where one is none."""
        matches = [_GRADE.fullmatch(text) for text in self.texts[:_LOOKED_AT]]
        if not matches or not all(matches):
            return None
        return tuple(float(m.group(1).replace(",", ".")) for m in matches if m)

    @cached_property
    def kind(self) -> str:
        """What the cells are."""
        if self.nested:
            return "nested"
        if not self.texts:
            return "empty"
        if self.numbers is not None:
            if _EPOCH & {*self.words} and all(1e9 <= x < 2e13 for x in self.numbers):
                return "time"
            return "whole" if all(x.is_integer() for x in self.numbers) else "number"
        some = self.texts[:_LOOKED_AT]
        if all(map(_DATE.fullmatch, some)):
            return "time"
        spaced = sum(" " in text for text in some)
        mean = sum(map(len, some)) / len(some)
        if len(some) > 1 and (
            (mean >= 40 and 2 * spaced > len(some)) or (len(some) > FEW and 2 * spaced > len(some))
        ):
            return "text"
        return "ids" if self.unique else "label"

    @cached_property
    def labels(self) -> frozenset[str]:
        """Texts as labels are compared: case folded, true and false as 1 and 0."""
        if self.numbers is not None and len(self.texts) <= _LOOKED_AT:
            return frozenset(f"{x:g}" for x in self.numbers)
        return frozenset(_SAME.get(f := folded(text), f) for text in self.texts[:_LOOKED_AT])

    @cached_property
    def looks_like_votes(self) -> bool:
        """Whether it holds few short labels, or whole numbers of a scale, most of them twice."""
        if self.kind not in ("label", "whole", "ids") or not 1 <= len(self.labels) <= FEW:
            return False
        if self.filled < 2 * len(self.labels) and len(self.labels) > 2:
            grades = self.numbers is not None and self.n_rows <= FEW
            return (
                grades
                and self.kind == "whole"
                and 0 <= min(self.numbers or ()) <= max(self.numbers or ()) <= 10
            )
        if self.numbers is not None:
            return len(self.labels) <= 11 and min(self.numbers) >= -1 and max(self.numbers) <= 100
        return max(map(len, self.labels)) <= 40

    @property
    def is_score(self) -> bool:
        """Whether it holds numbers that are no labels: decimals, or more than 11 of them."""
        return self.kind == "number" or (self.kind == "whole" and len(self.labels) > 11)

    @property
    def counts_rows(self) -> bool:
        """Whether it holds 0, 1, 2, ... or 1, 2, 3, ..., in whatever order."""
        if self.kind != "whole" or not self.unique:
            return False
        return sorted(self.numbers or ()) in ([*range(self.n_rows)], [*range(1, self.n_rows + 1)])

    def shares(self, other: Facts) -> bool:
        """Whether half of the labels of the one that has fewer are labels of the other."""
        if (self.numbers is None) != (other.numbers is None) and not {
            "0",
            "1",
        } & self.labels & other.labels:
            return False
        few = min(len(self.labels), len(other.labels))
        return few > 0 and 2 * len(self.labels & other.labels) >= few


def words_of(name: str) -> list[str]:
    """Words of a column's name in lower case."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=\w\w)(?=#)", "_", name.strip())
    return [word.lower() for word in re.split(r"[_\-./\s]+", apart) if word]


class Columns(Protocol):
    """A table as columns by distinct value."""

    names: tuple[str, ...]
    n_rows: int

    def column(self, name: str) -> Column:
        """One column; lists and objects are refused."""
        ...


def facts_of(table: Columns) -> dict[str, Facts]:
    """Facts of each column of a table."""
    return {name: _facts(table, name) for name in table.names}


def _facts(table: Columns, name: str) -> Facts:
    try:
        return facts_of_column(table.column(name))
    except DataError:  # lists or objects
        return Facts(name, table.n_rows, codes=np.full(table.n_rows, -1), nested=True)


def facts_of_column(column: Column) -> Facts:
    """Facts of one column."""
    texts = [
        text if (text := plain(value)) and not _says_nothing(text) else None
        for value in column.values
    ]
    kept = {text: k for k, text in enumerate(dict.fromkeys(filter(None, texts)))}
    codes = column.look_up([-1 if text is None else kept[text] for text in texts])
    return Facts(column.name, len(codes), tuple(kept), codes)


def _says_nothing(text: str) -> bool:
    return folded(text) in NOT_ANSWERED or (len(text) < 200 and has_failed(text))


def each_once(columns: Iterable[Facts]) -> bool:
    """Whether no two rows are equal on some columns, and each row has a cell in all."""
    rows = _together(tuple(columns))
    return rows is not None and len(np.unique(rows)) == len(rows) > 1


def _together(columns: Sequence[Facts]) -> Positions | None:
    if not columns or any((c.codes < 0).any() for c in columns):
        return None
    rows = np.zeros(columns[0].n_rows, np.int64)
    for column in columns:
        rows = np.unique(rows * (len(column.texts) + 1) + column.codes, return_inverse=True)[
            1
        ].astype(np.int64)
    return rows


def differs_within(column: Facts, ids: Facts) -> bool:
    """Whether rows of one id hold unlike cells of a column."""
    both = (column.codes >= 0) & (ids.codes >= 0)
    pairs = {*zip(ids.codes[both].tolist(), column.codes[both].tolist(), strict=True)}
    return len(pairs) > len({first for first, _ in pairs})


def agreement(first: Facts, second: Facts) -> tuple[int, int]:
    """In how many rows two columns hold the same label, and how many rows have both."""
    both = (first.codes >= 0) & (second.codes >= 0)
    own = [_label(text) for text in first.texts], [_label(text) for text in second.texts]
    pairs = zip(first.codes[both].tolist(), second.codes[both].tolist(), strict=True)
    return sum(own[0][a] == own[1][b] for a, b in pairs), int(both.sum())


def _label(text: str) -> str:
    number = as_number(text)
    return f"{float(number):g}" if number is not None else _SAME.get(f := folded(text), f)


def shared_by_all(columns: Sequence[Facts]) -> bool:
    """Whether columns hold one shared set of labels: each shares some with those before it."""
    held: frozenset[str] = frozenset()
    for column in sorted(columns, key=lambda c: -len(c.labels)):
        if held and not held & column.labels:
            return False
        held |= column.labels
    return True


def named_in(facts: Mapping[str, Facts], names: Iterable[str]) -> list[Facts]:
    """Facts of some columns, in their order, of those there are."""
    return [facts[name] for name in names if name in facts]
