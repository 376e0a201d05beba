"""Turn cells into answers: what counts as missing, one spelling per number, scores cut in two."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval.data.names import check_names, natural_order
from algeval.errors import DataError
from algeval.io.columns import Column, plain
from algeval.result import exact

__all__ = [
    "MISSING",
    "MOST_ANSWERS",
    "Rules",
    "answer_names",
    "answer_notes",
    "as_number",
    "cut_column",
    "tidy",
]

MISSING = frozenset(
    {"NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-NaN", "-nan"}
    | {"null", "NULL", "Null", "None", "NONE"}
)
"""Texts that mean "not answered" beside the empty cell."""

MOST_ANSWERS = 1000
"""More distinct answers than this are taken for scores and refused."""

_LOOKS_MISSING = frozenset(
    {
        "?",
        "-",
        "--",
        ".",
        "*",
        "none",
        "na",
        "missing",
        "unanswered",
        "skipped",
        "-9",
        "-99",
        "-999",
    }
)
"""Texts (in lower case) that are answers, since a label may be called so, but get a note."""

_DECIMAL = re.compile(r"-?\d+\.\d*")


@dataclass(frozen=True, slots=True)
class Rules:
    """How cells are read: texts that mean missing, the labels asked for, where scores are cut."""

    missing: frozenset[str]
    labels: tuple[str, ...] | None
    cut: Fraction | None

    @classmethod
    def make(cls, missing: Any, labels: Iterable[object] | None, cut: object) -> Rules:
        """Check the three options."""
        words = (missing,) if isinstance(missing, str) else tuple(missing or ())
        names = None
        if labels is not None:
            checked = labels if isinstance(labels, str) else [tidy(label) or "" for label in labels]
            names = check_names("label", checked)
        if cut is not None and names is not None and set(names) != {"0", "1"}:
            raise DataError(
                f"labels must be '0' and '1' where scores are cut; got {list(names)}; leave labels= out"
            )
        if cut is not None and names is None:
            names = ("0", "1")
        asked = {str(word) for word in words} | {tidy(word) or "" for word in words}
        absent = MISSING.difference(names or ()) | asked
        return cls(absent, names, None if cut is None else exact(cut, "cut"))

    def read(self, column: Column) -> list[str | None]:
        """Return the answer each distinct value of a column stands for, None for missing."""
        return [self.answer(value) for value in column.values]

    def answer(self, value: object) -> str | None:
        """Return the answer one cell stands for, None when it means missing."""
        text = tidy(value)
        return None if text is None or text in self.missing else text


def tidy(value: object) -> str | None:
    """Return a cell as text with one spelling per decimal number: 1, 1.0 and "1.00" are "1".

    Examples
    --------
    >>> tidy("8.0"), tidy(8), tidy("tie"), tidy("")
    ('8', '8', 'tie', None)
    """
    text = plain(value)
    if text is None or "." not in text or not _DECIMAL.fullmatch(text):
        return text
    short = text.rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def as_number(text: str) -> float | None:
    """Return the finite number a text spells, None if it spells none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def cut_column(name: str, texts: Sequence[str | None], cut: Fraction) -> list[str | None]:
    """Return "1" for scores at or above `cut` and "0" below, None staying None."""
    strange = sorted({text for text in texts if text is not None and as_number(text) is None})
    if strange:
        raise DataError(
            f"column {name!r} must hold numbers to be cut at {float(cut):g}; got {strange[0]!r}"
            f"{f' and {len(strange) - 1} more texts' if strange[1:] else ''}; "
            "name them in missing=, or choose columns with judges="
        )
    return [None if text is None else "01"[_reaches(text, cut)] for text in texts]


def _reaches(text: str, cut: Fraction) -> bool:
    number, limit = float(text), float(cut)
    return number > limit if number != limit else exact(text) >= cut


def answer_notes(labels: Sequence[str], answers: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Say which answers are never correct, and which look like no answer at all."""
    notes: tuple[str, ...] = ()
    extra = answers[len(labels) :]
    if extra:
        named = ", ".join(map(repr, extra[:12])) + (", ..." if extra[12:] else "")
        notes += (f"{len(extra)} answers are no label, hence never correct: {named}",)
    odd = [
        answer
        for answer in answers
        if answer.lower() in _LOOKS_MISSING and answer not in (rules.labels or ())
    ]
    if odd:
        notes += (
            f"read as answers, though they look like missing votes: {', '.join(map(repr, odd))}; "
            "name them in missing= if they are",
        )
    return notes


def answer_names(
    found: Iterable[tuple[str, Iterable[str | None]]], labels: tuple[str, ...] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return labels and answers from what each column holds: [(column, its answers), ...]."""
    seen: set[str] = set()
    widest, most = "", 0
    for name, texts in found:
        here = {text for text in texts if text is not None}
        seen |= here
        if len(here) > most:
            widest, most = name, len(here)
    if not seen:
        raise DataError("votes must hold at least one answer; got none; check the answer columns")
    if len(seen) > MOST_ANSWERS:
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got {len(seen)} "
            f"({most} in column {widest!r}); pass cut= if these are scores, or choose other columns"
        )
    if labels is not None and not seen.intersection(labels):
        some = natural_order(seen)
        raise DataError(
            f"labels must be what judges answer; got {list(labels)}, and no judge answered any of them "
            f"(they answered {', '.join(map(repr, some[:12]))}{', ...' if some[12:] else ''}); correct them"
        )
    names = natural_order(seen) if labels is None else labels
    return names, names + natural_order(seen.difference(names))
