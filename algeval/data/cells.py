"""Cells of tables: as text, by distinct value, and which of them say that there is no answer."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import folded, word_set
from algeval.errors import DataError, option

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Column:
    """Distinct values of a column and, per row, the place of its value (-1: no value)."""

    name: str
    values: tuple[object, ...]
    codes: Positions

    def look_up(self, meanings: Sequence[int]) -> Positions:
        """Per row the number that stands for its value; -1 where the row has none."""
        if list(meanings) == list(range(len(self.values))):
            return self.codes
        return np.array([*meanings, -1], np.int64)[self.codes]

    def texts(self) -> list[str | None]:
        """Per row the value as text, None where there is none."""
        names: list[str | None] = [
            value.strip() or None if type(value) is str else plain(value) for value in self.values
        ]
        names.append(None)
        return list(map(names.__getitem__, self.codes.tolist()))


def plain(value: object) -> str | None:
    """Cell as text, None when it is blank; whole floats read as whole numbers."""
    if type(value) is str:
        return value.strip() or None
    if type(value) is int:
        return str(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")  # as DuckDB reads a column of bytes
    if isinstance(value, float):
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value).strip() or None


def factorise(name: str, values: Sequence[object] | NDArray[Any]) -> Column:
    """Column of these cells; numeric arrays are sorted, the rest hashed."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return _factorise_numbers(name, values)
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, listed))
    if bool in kinds and len(kinds) > 1:  # True == 1 would make one value of two
        listed = [plain(value) for value in listed]
    index: dict[object, int] = defaultdict(counter().__next__)
    try:
        some = listed[:_LOOKED_AT_FIRST]
        kept = dict.fromkeys(listed) if len(set(some)) == len(some) else {}
        if len(kept) == len(listed):  # each its own, as ids and long texts are
            index = dict(zip(kept, range(len(kept)), strict=True))
            codes = np.arange(len(kept))
        else:
            codes = np.fromiter(map(index.__getitem__, listed), np.int64, len(listed))
    except TypeError:
        raise DataError(
            f"column {name!r} must hold one plain value per cell; got lists or objects; "
            f"flatten it or leave it out with {option('judges')}"
        ) from None
    if None in index:
        codes[codes == index[None]] = -1
    return Column(name, tuple(index), codes)


_LOOKED_AT_FIRST = 1_000
"""Cells of which none occurs twice before all are looked through for that."""


def _factorise_numbers(name: str, values: NDArray[Any]) -> Column:
    distinct, codes = np.unique(values, return_inverse=True)
    codes = codes.astype(np.int64)
    if values.dtype.kind == "f":
        codes[np.isnan(values)] = -1
        distinct = distinct[~np.isnan(distinct)]
        if distinct.dtype.itemsize < 8:  # 0.1 in 32 bits is the answer "0.1"
            return Column(name, tuple(float(str(value)) for value in distinct), codes)
    return Column(name, tuple(distinct.tolist()), codes)


_DECIMAL = re.compile(r"-?\d+\.\d*")


def tidy(value: object) -> str | None:
    """Cell as text with one spelling per decimal number: 1, 1.0 and "1.00" are "1"."""
    text = plain(value)
    if text is None or "." not in text or not _DECIMAL.fullmatch(text):
        return text
    short = text.rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def as_number(text: str) -> float | None:
    """Finite number a text spells, None if it spells none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


MISSING = frozenset(
    {"NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-NaN", "-nan"}
    | {"null", "NULL", "Null", "None", "NONE", r"\N"}
)
"""Texts that mean "not answered" beside the empty cell."""


LOOKS_MISSING = word_set("? - -- . * none na n/a missing unanswered skipped -1 -9 -99 -999")
"""Texts (in lower case) that are answers, since a label may be called so, but get a note."""


_FAILED = frozenset(
    {"error", "err", "grader_failed", "timeout", "timed out", "exception", "content_filter"}
    | {"__invalid__", "[invalid]"}
    | {
        "unparseable",
        "unparsable",
        "parse_error",
        "parse error",
        "parsing error",
        "failed to parse",
    }
    | {"api_error", "api error", "rate_limited", "rate_limit", "rate limit", "request failed"}
    | {"#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!", "#error!", "#n/a"}
)
"""In folded form. What a program writes in place of an answer; no reader of a list of labels would."""


_BROKEN = re.compile(
    r"\W*(?:error|exception|timeout|traceback|failed to)\b\W.*", re.IGNORECASE | re.DOTALL
)


def has_failed(text: str) -> bool:
    """Whether a cell is what a program writes in place of an answer, such as 'error: no credit'."""
    form = _form(text)
    return (
        form in _FAILED or form.strip("_[]<>()") in _FAILED or _BROKEN.fullmatch(text) is not None
    )


def _form(text: str) -> str:
    """Folded form, keeping the mark that ends a spreadsheet's error."""
    return text.casefold() if text.startswith("#") else folded(text)


def is_slip(text: str, label: str) -> bool:
    """Whether a text is a label with a letter wrong, left out, doubled or added, or with marks around it.

    Digits, short words and an a in front, which negates, make labels of their own.
    """
    bare = text.strip(" ?!.,;:'\"`*_/\\()[]")
    if bare == label or (len(text) == 1 and text.isalpha() and label.startswith(text)):
        return True
    a, b = re.split(r"[\W_]+", text), re.split(r"[\W_]+", label)
    differing = [(x, y) for x, y in zip(a, b, strict=False) if x != y]
    if len(a) != len(b) or len(differing) != 1:
        return False
    x, y = differing[0]
    if not (x.isalpha() and y.isalpha()) or max(len(x), len(y)) < 3:
        return False
    if len(x) == len(y):
        off = [k for k, (c, d) in enumerate(zip(x, y, strict=True)) if c != d]
        turned = (
            len(off) == 2
            and off[1] == off[0] + 1
            and x[off[0]] + x[off[1]] == y[off[1]] + y[off[0]]
        )
        return len(x) > 3 and (len(off) == 1 or turned)
    short, long = sorted((x, y), key=len)
    if len(long) - len(short) != 1 or long == "a" + short:
        return False
    return any(long[:k] + long[k + 1 :] == short for k in range(len(long)))
