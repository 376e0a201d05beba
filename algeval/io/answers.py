"""Turn cells into answers: what counts as missing, one spelling per number, scores cut in two."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from algeval.data.names import check_names, folded, natural_order
from algeval.errors import DataError
from algeval.io.columns import Column, plain
from algeval.result import exact
from algeval.result.wording import how_many

__all__ = [
    "LOOKS_LIKE_SCORES",
    "MISSING",
    "MOST_ANSWERS",
    "Rules",
    "answer_names",
    "answer_notes",
    "as_number",
    "cut_column",
    "is_infinite",
    "look_like_scores",
    "refuse_scores",
    "score_notes",
    "tidy",
]

MISSING = frozenset(
    {"NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NAN", "-NaN", "-nan"}
    | {"null", "NULL", "Null", "None", "NONE"}
)
"""Texts that mean "not answered" beside the empty cell."""

MOST_ANSWERS = 1000
"""More distinct answers than this are taken for scores and refused."""

LOOKS_LIKE_SCORES = 20
"""More distinct numbers than this are taken for scores, not for numbered labels."""

_FEW_DECIMALS = 11
"""More distinct numbers than this are, where some are no whole numbers: 0 to 5 in halves are labels."""

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
        "-1",
        "n/a",
        "-9",
        "-99",
        "-999",
    }
)
"""Texts (in lower case) that are answers, since a label may be called so, but get a note."""

_DECIMAL = re.compile(r"-?\d+\.\d*")


@dataclass(frozen=True, slots=True)
class Rules:
    """How cells are read: what means missing, the labels asked for, new names, where scores are cut."""

    missing: frozenset[str]
    labels: tuple[str, ...] | None
    cut: Fraction | None
    exact: bool = False
    renamed: dict[str, str] = field(default_factory=dict)
    absent_forms: frozenset[str] = frozenset()

    @classmethod
    def make(
        cls,
        missing: Any,
        labels: Iterable[object] | None,
        cut: object,
        exact_labels: bool | None = None,
        map: Mapping[Any, object] | None = None,
    ) -> Rules:
        """Check the options."""
        words = (missing,) if isinstance(missing, str) else tuple(missing or ())
        names = _label_option(labels, cut)
        asked = {str(word) for word in words} | {tidy(word) or "" for word in words}
        absent = MISSING.difference(names or ()) | asked
        return cls(
            absent,
            names,
            None if cut is None else exact(cut, "cut"),
            bool(exact_labels),
            _renamed(map, bool(exact_labels)),
            frozenset() if exact_labels else _forms(asked) - _forms(names or ()) - {""},
        )

    def form(self, text: str) -> str:
        """Return what two spellings of one label have in common."""
        return text if self.exact else folded(text)

    def read(self, column: Column) -> list[str | None]:
        """Return the answer each distinct value of a column stands for, None for missing."""
        return [self.answer(value) for value in column.values]

    def answer(self, value: object) -> str | None:
        """Return the answer one cell stands for, None when it means missing."""
        text = tidy(value)
        if text is None:
            return None
        if self.renamed:
            new = self.renamed.get(self.form(text))
            if new is not None:
                return new
        if text in self.missing or (self.absent_forms and folded(text) in self.absent_forms):
            return None
        return text


def _forms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folded, texts))


def _label_option(labels: Iterable[object] | None, cut: object) -> tuple[str, ...] | None:
    if labels is None:
        return None if cut is None else ("0", "1")
    checked = labels if isinstance(labels, str) else [tidy(label) or "" for label in labels]
    names = check_names("label", checked)
    if cut is not None and set(names) != {"0", "1"}:
        raise DataError(
            f"labels must be '0' and '1' where scores are cut; got {list(names)}; leave labels= out"
        )
    return names


def _renamed(map: Mapping[Any, object] | None, exact_labels: bool) -> dict[str, str]:
    """Return {what is read: what it means}, folded unless spellings are kept apart."""
    if map is None:
        return {}
    if not isinstance(map, Mapping) or not map:
        raise DataError(
            f"map must give new names to answers; got {map!r}; write map={{'yes': 1, 'no': 0}}"
        )
    result: dict[str, str] = {}
    for old, new in map.items():
        before, after = tidy(old), tidy(new)
        if before is None or after is None:
            raise DataError(
                f"map must give every answer a name; got {old!r} for {new!r}; use missing= to leave votes out"
            )
        form = before if exact_labels else folded(before)
        if result.setdefault(form, after) != after:
            raise DataError(
                f"map must give an answer one name; got {result[form]!r} and {after!r} for {before!r}; "
                "keep one"
            )
    return result


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


def is_infinite(text: str) -> bool:
    """Whether a text spells a number without end, or one too large to be kept."""
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


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
        notes += (
            f"{how_many(len(extra), 'answer is', 'answers are')} no label, hence never correct: {named}",
        )
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


def look_like_scores(answers: Iterable[str]) -> bool:
    """Whether answers are scores by their looks.

    Examples
    --------
    >>> look_like_scores(["0", "0.5", "1"]), look_like_scores(map(str, range(30)))
    (False, True)
    """
    numbers = [number for number in map(as_number, answers) if number is not None]
    decimals = any(number != int(number) for number in numbers)
    return len(numbers) > (_FEW_DECIMALS if decimals else LOOKS_LIKE_SCORES)


def score_notes(answers: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Return a hint where answers look like scores, or what the cut did."""
    if rules.cut is not None:
        return (f"scores cut: {float(rules.cut):g} and above is '1', below is '0'",)
    if rules.labels is None and not rules.exact and look_like_scores(answers):
        numbers = sum(as_number(name) is not None for name in answers)
        return (f"answers look like scores ({numbers} numbers); cut= makes two labels of them",)
    return ()


def refuse_scores(answers: Sequence[str]) -> None:
    """Refuse scores where labels are needed.

    Raises
    ------
    DataError
        If the answers look like scores.
    """
    if look_like_scores(answers):
        numbers = [name for name in answers if as_number(name) is not None]
        raise DataError(
            f"votes must be labels; got {len(numbers)} different numbers from {numbers[0]} to {numbers[-1]}, "
            "which look like scores; pass cut= to make two labels of them (or exact_labels= if each is "
            "a label)"
        )
