"""Names of judges, items and labels, and settings, checked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from algeval.data import sparse
from algeval.errors import DataError, TooLargeError, option, refusal
from algeval.progress import limited
from algeval.result.numbers import did_you_mean

# --- Names of judges, labels and answers: how they are checked, ordered and looked up.


Codes = NDArray[np.int16]
Counts = NDArray[np.int64]

_TRAILING = ".,;:! \u2026\u3002\uff01\uff0c\uff1b\uff1a"
"""Punctuation at the end of a label that says nothing, with the full-width forms."""

NOT_ANSWERED = -1
"""The code of an item a judge did not answer, and of an item whose true label is unknown."""

_ROWS_AT_A_TIME = 10_000


AXES = ("judges", "labels", "answers")


class Axes:
    """The names and sizes of anything that names judges, labels and answers."""

    __slots__ = ()

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]

    @property
    def axes(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The judges, labels and answers."""
        return self.judges, self.labels, self.answers

    @property
    def n_judges(self) -> int:
        """Number of judges, N."""
        return len(self.judges)

    @property
    def n_labels(self) -> int:
        """Number of labels, R."""
        return len(self.labels)

    @property
    def n_answers(self) -> int:
        """Number of answers, A >= R."""
        return len(self.answers)


class RowNumbers(tuple[str, ...]):
    """Item ids that are the numbers of rows, because the table has none: only these join by position."""

    __slots__ = ()

    @classmethod
    def of(cls, n_rows: int) -> RowNumbers:
        """Ids 1, 2, ... of so many rows."""
        return cls(map(str, range(1, n_rows + 1)))


class FrameRows(RowNumbers):
    """Row numbers of a data frame whose index counts its rows from 0: row 1 has the index 0."""

    __slots__ = ()


def is_sparse(table: object) -> TypeGuard[sparse.SparseArray]:
    """Whether a table is kept as its votes."""
    return isinstance(table, sparse.SparseArray)


def mostly_empty(n_cells: int, n_votes: int) -> bool:
    """Whether a table is kept as its votes: it is large, and few of its cells hold one."""
    return n_cells > sparse.SPARSE_FROM and n_votes * sparse.FEW < n_cells


class Caution(str):
    """A note on reading that may change an answer: results repeat it among their warnings."""

    __slots__ = ()


def with_absent(labels: tuple[str, ...], good: object) -> tuple[str, ...]:
    """Labels with the good one, where people gave another and nobody this."""
    stated = str(good)
    absent = good is not None and len(labels) == 1 and folded(labels[0]) != folded(stated)
    return (*labels, stated) if absent and labels[0] not in ("0", "1") else labels


class AtMost(Fraction):
    """A cut up to which scores are good, as low ones are: of errors, of risk, of ranks."""


class CutNote(str):
    """The note that scores were cut, with the number at which; labels that join later are cut there, too.

    at : None where columns have cuts of their own and people's labels none.
    """

    at: Fraction | None

    def __new__(cls, at: Fraction | None, text: str = "") -> CutNote:
        """Note of a cut."""
        every = "" if at is None else f"scores cut: {float(at):g} and above is '1', below is '0'"
        if isinstance(at, AtMost):
            every = f"scores cut: {float(at):g} and below is '1', above is '0'"
        note = super().__new__(cls, text or every)
        note.at = at
        return note

    def __reduce__(self) -> tuple[type[CutNote], tuple[Fraction | None, str]]:
        return CutNote, (self.at, str(self))


class SaidBy(str):
    """The note on labels of people that no judge stands beside, with the columns they are in."""

    columns: tuple[str, ...]

    def __new__(cls, columns: Iterable[str], text: str) -> SaidBy:
        """Note on labels of these columns."""
        note = super().__new__(cls, text)
        note.columns = tuple(columns)
        return note

    def __reduce__(self) -> tuple[type[SaidBy], tuple[tuple[str, ...], str]]:
        return SaidBy, (self.columns, str(self))


def counted_by_cut(label: str, notes: Iterable[str]) -> str:
    """What a label of scores that were cut counts, as "at or above 4"; "" of other labels."""
    cut = next((note for note in notes if isinstance(note, CutNote)), None)
    if cut is None or label not in ("0", "1"):
        return ""
    at = "the cut of each" if cut.at is None else f"{float(cut.at):g}"
    if isinstance(cut.at, AtMost):
        return f"{'at or below' if label == '1' else 'above'} {at}"
    return f"{'at or above' if label == '1' else 'below'} {at}"


def item_names(items: Iterable[object]) -> tuple[str, ...]:
    """Item ids as texts; row numbers stay what they are."""
    if isinstance(items, RowNumbers):
        return items
    if isinstance(items, tuple) and set(map(type, items)) <= {str}:
        return items
    return tuple(str(item) for item in items)


def check_names(kind: str, names: Iterable[object]) -> tuple[str, ...]:
    """Return `names` as distinct, non-empty strings, or say what is wrong with them."""
    if isinstance(names, str):
        raise DataError(
            f"{kind}s must be a list of names; got the text {names!r}; write [{names!r}]"
        )
    if not isinstance(names, Iterable):
        raise DataError(f"{kind}s must be a list of names; got {names!r}; write [{str(names)!r}]")
    result = tuple(str(name) for name in names)
    if not result:
        raise DataError(
            f"{kind}s must name at least one {kind}; got none; check the columns you chose"
        )
    if any(not name for name in result):
        raise DataError(f"every {kind} must have a name; got an empty one; name it or leave it out")
    if len(set(result)) < len(result):
        repeated = min(name for name in result if result.count(name) > 1)
        raise DataError(
            f"{kind}s must be distinct; got {repeated!r} more than once; rename or merge them"
        )
    return result


def check_axes(
    judges: Iterable[object],
    labels: Iterable[object],
    answers: Iterable[object] | None,
    *,
    keyed: bool = False,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Checked names of judges, labels and answers; with a key (`keyed`) there may be no judge."""
    names = check_names("label", labels)
    none = keyed and isinstance(judges, list | tuple) and not judges
    return () if none else check_names("judge", judges), names, check_answers(names, answers)


def label_names(
    seen: Iterable[str], labels: Iterable[object] | None, answers: Iterable[object] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels and answers, read from the answers seen where they are not given."""
    names_seen = natural_order(set(seen)) if answers is None else check_names("answer", answers)
    if labels is None and not names_seen:
        raise DataError("votes must hold at least one answer; got none; check the answer columns")
    names = check_names("label", names_seen if labels is None else labels)
    if answers is None:
        taken = set(names)
        names_seen = (*names, *(answer for answer in names_seen if answer not in taken))
    return names, check_answers(names, names_seen)


def axes_in(document: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Judges, labels and answers of a JSON document."""
    return document["judges"], document["labels"], document["answers"]


def read_as(data: Any) -> str:
    """What counts or votes are about: how many items, and the names of judges and labels."""
    judges, labels = (_first_names(names) for names in (data.judges, data.labels))
    n = f"{data.n_items} item{'s' * (data.n_items != 1)}, {data.n_judges} grader{'s' * (data.n_judges != 1)}"
    return f"{n} {judges}; labels {labels}"


def _first_names(names: Sequence[str], most: int = 6) -> str:
    shown = names if len(names) <= most else names[: most - 1]
    more = f" ... {len(names)} in all" if len(names) > most else ""
    return ", ".join(map(str, shown)) + more


def axes_to_dict(owner: Axes) -> dict[str, list[str]]:
    """Judges, labels and answers as JSON types."""
    return {axis: list(names) for axis, names in zip(AXES, owner.axes, strict=True)}


def set_fields(owner: object, **values: object) -> None:
    """Set the fields of a frozen object that is being made; arrays become read-only."""
    for name, value in values.items():
        kept = read_only(value) if isinstance(value, np.ndarray) else value
        object.__setattr__(owner, name, kept)


def check_answers(labels: tuple[str, ...], answers: Iterable[object] | None) -> tuple[str, ...]:
    """Answers, which must start with the labels and may go on."""
    if answers is None:
        return labels
    result = check_names("answer", answers)
    if result[: len(labels)] != labels:
        raise DataError(
            f"answers must start with the labels {list(labels)}; got {list(result)}; "
            "put answers that are never correct after them"
        )
    if len(result) > np.iinfo(np.int16).max:
        raise DataError(
            f"answers must number at most 32767; got {len(result)}; are these scores? use {option('cut')}"
        )
    return result


def positions(kind: str, wanted: Iterable[object], names: Sequence[str]) -> list[int]:
    """Return where each wanted name stands in `names`."""
    index = {name: position for position, name in enumerate(names)}
    result = []
    for name in check_names(kind, wanted):
        if name not in index:
            raise DataError(f"{kind} {name!r} is not known; choose from {shown(names)}")
        result.append(index[name])
    return result


def shown(names: Sequence[str], most: int = 12) -> str:
    """Names as a person reads them in a sentence."""
    shown = ", ".join(map(repr, names[:most]))
    return shown + (f", ... ({len(names)} in all)" if len(names) > most else "")


def word_set(text: str) -> frozenset[str]:
    """The words of a list, with blanks between."""
    return frozenset(text.split())


def folded(text: str) -> str:
    """Return what a label is called whatever its case, space and trailing punctuation; + and ? stay."""
    joined = " ".join(text.split()).casefold()
    if not joined.isascii():
        joined = joined.translate(_MARKS)
    return joined.rstrip(_TRAILING) or joined


_MARKS = str.maketrans(
    {
        **dict.fromkeys(
            "\N{HEAVY CHECK MARK}\N{WHITE HEAVY CHECK MARK}\N{BALLOT BOX WITH CHECK}",
            "\N{CHECK MARK}",
        ),
        **dict.fromkeys(
            "\N{HEAVY BALLOT X}\N{CROSS MARK}\N{MULTIPLICATION X}\N{HEAVY MULTIPLICATION X}",
            "\N{BALLOT X}",
        ),
        **dict.fromkeys([0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)]),
    }
)
"""Ticks and crosses are one mark each, however heavy; how an emoji is drawn, and its skin, say nothing."""


_SIDE = re.compile(
    r"(?:(?:model|assistant|answer|response|output|system|candidate|option|generator)[ _-]?)?"
    r"(?:(a|1|first|left|l|x)|(b|2|second|right|r|y))"
)


def side_of(label: str) -> int | None:
    """Which of two answers a label names, as model_a, B or second do: 0 the first, 1 the other, else None."""
    match = _SIDE.fullmatch(folded(label))
    return None if match is None else int(match.group(1) is None)


_EVEN = (
    "tie draw both neither equal tied same none either igual iguales gleich egal égal pari unentschieden "
    "empate pareggio égalité gelijk gelijkspel remis berabere ничья 差不多 平手 平局 同じ 引き分け 무승부"
)
EVEN = frozenset(_EVEN.split()) | {"no preference"}
"""Verdicts that neither of two answers is the better."""


def other_side(label: str) -> str | None:
    """The other of two answers in the same words: model_b of model_a; None of what names none."""
    match = _SIDE.fullmatch(folded(label))
    if match is None:
        return None
    word = str(match.group(1) or match.group(2))
    return match.group()[: -len(word)] + _OTHERS[word]


_OTHERS = {"a": "b", "1": "2", "first": "second", "left": "right", "l": "r", "x": "y"}
_OTHERS |= {second: first for first, second in _OTHERS.items()}


def natural_order(names: Iterable[str]) -> tuple[str, ...]:
    """Sort names as a person would: numbers by value and before words, words alphabetically."""
    return tuple(sorted(names, key=_natural_key))


def _natural_key(name: str) -> tuple[int, float, str]:
    try:
        number = float(name)
    except ValueError:
        return (1, 0.0, name)
    return (0, number, name) if number == number else (1, 0.0, name)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Array itself, or a copy if it is a view or borrowed, marked read-only."""
    if not isinstance(
        array, np.ndarray
    ):  # a sparse table, whose parts are read-only from the start
        return array
    result = array.copy() if array.flags.writeable and array.base is not None else array
    result.setflags(write=False)
    return result


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON document in canonical form, leaving out its own digest."""
    body = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def digest_in_parts(document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Digest of a document whose empty lists stand for arrays, written a part at a time."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256()
    for name in sorted(arrays):
        before, _, text = text.partition(f'"{name}":[')  # in a text the quotes would be escaped
        digest.update(f'{before}"{name}":['.encode("ascii"))
        for start in range(0, len(arrays[name]), _ROWS_AT_A_TIME):
            rows = arrays[name][start : start + _ROWS_AT_A_TIME]
            digest.update(b"," * bool(start) + _rows_as_json(rows))
    digest.update(text.encode("ascii"))
    return "sha256:" + digest.hexdigest()


def _rows_as_json(rows: NDArray[Any]) -> bytes:
    """Rows as JSON, without the brackets around them all; of numbers of one digit put side by side."""
    if rows.ndim != 2 or not rows.size or rows.min() < 0 or rows.max() > 9:
        return json.dumps(rows.tolist(), separators=(",", ":"))[1:-1].encode()
    text = np.full((len(rows), 2 * rows.shape[1] + 2), ord(","), np.uint8)
    text[:, 0], text[:, -2] = ord("["), ord("]")
    text[:, 1:-1:2] = rows + ord("0")
    return text.tobytes()[:-1]


def expect_schema(document: Mapping[str, Any], schema: str) -> None:
    """Check the schema tag and, where one is present, the digest of a JSON document."""
    found = document.get("schema") if isinstance(document, Mapping) else type(document).__name__
    if found != schema:
        raise DataError(f"schema must be {schema!r}; got {found!r}; is this another kind of file?")
    stated = document.get("digest")
    if stated is not None and stated != digest_of(document):
        raise DataError(
            "digest must match the content; it does not; the file was changed or cut short"
        )


def expect_fields(document: Mapping[str, Any], fields: Iterable[str], what: str) -> None:
    """Check that a JSON document of `what` has all its fields."""
    absent = [name for name in fields if name not in document]
    if absent:
        raise DataError(f"{what} must hold {absent}; got none; was the file cut short?")


def expect_names(document: Mapping[str, Any], *fields: str) -> None:
    """Check that lists of names in a JSON document hold texts: 1 and null are no names."""
    for field in fields:
        names = document[field]
        if not isinstance(names, list | tuple):
            raise DataError(
                f"{field} must be a list of names; got {names!r}; write the document again"
            )
        wrong = [name for name in names if not isinstance(name, str)]
        if wrong:
            raise DataError(
                f"{field} must be texts; got {wrong[0]!r}; write every name in quotes, or the document again"
            )


# --- Settings checked once: whole numbers, numbers, and choices from a list.


MOST_SECONDS = 60.0  # chosen: of counted work, that is begun without a time limit

Choice = TypeVar("Choice")


def check_whole(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """Whole number from `least` on (to `most`), 2.0 too, or say what is wrong."""
    try:
        plain = isinstance(value, bool)
        number = least - 1 if plain else _as_whole(value)
    except (TypeError, ValueError, OverflowError):
        number = least - 1
    if number < least or (most is not None and number > most):
        rule = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise refusal(name, f"be a whole number {rule}", repr(value), "change it")
    return number


def _as_whole(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return index(value)  # type: ignore[arg-type]


def check_number(
    name: str,
    value: object,
    *,
    least: float | None = None,
    most: float | None = None,
    strict: bool = False,
) -> float:
    """Finite number within bounds, and not on them if `strict`, or say what is wrong."""
    try:
        number = float("nan") if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    low = least is not None and (number < least or (strict and number == least))
    high = most is not None and (number > most or (strict and number == most))
    if not isfinite(number) or low or high:
        share = most is not None and most <= 1 < number <= 100
        do = f"write {number:g} percent as {number / 100:g}" if share else "change it"
        raise refusal(name, f"be {_bounds(least, most, strict)}", repr(value), do)
    return number


def _bounds(least: float | None, most: float | None, strict: bool) -> str:
    if least is not None and most is not None:
        return f"{'between' if strict else 'from'} {least:g} {'and' if strict else 'to'} {most:g}"
    if least is not None:
        return f"above {least:g}" if strict else f"at least {least:g}"
    if most is not None:
        return f"below {most:g}" if strict else f"at most {most:g}"
    return "a finite number"


def check_choice(name: str, value: Choice, choices: Sequence[Choice]) -> Choice:
    """Return one of the choices, or say which there are."""
    if value not in choices:
        near = did_you_mean(value, choices)
        raise refusal(name, f"be one of {list(choices)}", repr(value), near)
    return value


def check_time_limit(value: object) -> float | None:
    """Time limit in seconds, from 0 on; None for none."""
    return None if value is None else check_number("time_limit", value, least=0)


def check_work(what: str, size: str, seconds: float) -> None:
    """Refuse work that is counted to take more than a minute, unless a time limit is set."""
    if seconds <= MOST_SECONDS or limited():
        return
    about = f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"
    raise TooLargeError(
        f"{what} must take no more than about {MOST_SECONDS:g} seconds where no time limit is set; "
        f"{size} would take about {about}; use fewer judges, labels or items, or set time_limit= "
        "(--time-limit) for what can be done by then",
        seconds,
    )
