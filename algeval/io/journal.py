"""The journal of a labelling: a line of JSON per act, only ever added to, and the table it amounts to."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from errno import ESTALE
from hashlib import sha256
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import uuid4

from algeval.errors import DataError
from algeval.result.numbers import how_many

SCHEMA = "algeval.labels/1"
DRAWN = ("inclusion", "wave", "strategy", "draw", "stratum", "of_items")
"""Columns that say how labels were drawn, beside the items and their labels."""
EVEN = ("spread", "random")
"""Strategies that look at no label and give every item the same chance."""
BY_PROMPT = "prompt"
"""The strategy of labels of outputs whose prompts were drawn, both outputs of each."""
BY_SYSTEM = "system"
"""The strategy of labels that were drawn evenly of each system, which has a chance of its own."""
_HEAD = 1 << 12


def is_journal(path: str | os.PathLike[str]) -> bool:
    """Whether a file is the journal of a labelling, by what its first whole line says it is."""
    file = Path(path)
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        head = stream.read(_HEAD)
    return any(line.startswith(b'{"schema":"' + SCHEMA.encode()) for line in head.split(b"\n"))


def now() -> str:
    """The time in UTC, to the millisecond, as journals write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# --- What the lines amount to: the last word of each person on each item.


@dataclass(frozen=True, slots=True)
class Act:
    """The last word of a person on an item: a label, or that it cannot be told, or that it is put off."""

    id: str
    kind: str  # "label", "unsure" or "skip"
    item: str
    who: str
    label: str | None
    note: str
    shown: str  # when it was shown to that person
    seconds: float


@dataclass(slots=True)
class Labels:
    """What a journal says so far.

    Attributes
    ----------
    acts : {(item, person): Act}
    second : list of records
        Second looks, after the judges were shown: never labels of their own.
    turns : {person: how many acts, those taken back and the taking back counted}
    """

    acts: dict[tuple[str, str], Act] = field(default_factory=dict)
    by_item: dict[str, dict[str, Act]] = field(default_factory=dict)
    latest: dict[str, list[Act]] = field(default_factory=dict)  # of each person, in order
    second: list[dict[str, Any]] = field(default_factory=list)
    turns: Counter[str] = field(default_factory=Counter)

    @property
    def people(self) -> tuple[str, ...]:
        """Who has said anything, in order of first acts."""
        return tuple(self.latest)

    def draws(self) -> list[str]:
        """Items that were shown and labelled, or not to be told, or put off, in the order first shown."""
        shown: dict[str, str] = {}
        for act in (act for acts in self.latest.values() for act in acts):
            shown[act.item] = min(act.shown, shown.get(act.item, act.shown))
        return sorted(shown, key=lambda item: (shown[item], item))

    def truth(self, item: str) -> dict[str, int]:
        """{label: how many people say so} of an item; empty where nobody could tell."""
        acts = self.by_item.get(item, {}).values()
        return dict(Counter(act.label for act in acts if act.kind == "label" and act.label))


def folded_records(records: Iterable[Mapping[str, Any]]) -> Labels:
    """Last word of each person on each item: acts of a file in the order of its lines, of several by time."""
    timed, latest = [], dict[str, str]()
    for record in records:
        # of a line that was merged: the journal it came from, of which there may be copies
        file = f"{record['from']} {record.get('who')}" if "from" in record else ""
        latest[file] = max(record["time"], latest.get(file, ""))  # a clock may be set back
        if record["kind"] not in ("start", "sitting"):
            timed.append((latest[file], file, record))
    acts = [record for *_, record in sorted(timed, key=itemgetter(0, 1))]
    undone = {r["undoes"] for r in acts if r["kind"] == "undo"}
    labels = Labels()
    for record in acts:
        kind = record["kind"]
        if kind != "second":
            labels.turns[str(record["who"])] += 1
        if kind == "second":
            labels.second.append(dict(record))
        if kind not in ("label", "unsure", "skip") or record["id"] in undone:
            continue
        item, who = str(record["item"]), str(record["who"])
        act = Act(
            str(record["id"]),
            kind,
            item,
            who,
            record.get("label"),
            str(record.get("note") or ""),
            str(record.get("shown") or record["time"]),
            float(record.get("seconds") or 0),
        )
        labels.acts[item, who] = act
        labels.by_item.setdefault(item, {})[who] = act
        labels.latest.setdefault(who, []).append(act)
    return labels


# --- The file: lines are added under a lock and are on the disk before anybody goes on.


_NEEDED = {
    "label": ("id", "item", "who", "label", "time"),
    "unsure": ("id", "item", "who", "time"),
    "skip": ("id", "item", "who", "time"),
    "undo": ("id", "undoes", "who", "time"),
    "second": ("id", "item", "who", "label", "time"),
    "sitting": ("id", "time"),
    "start": ("schema", "id", "digest", "n_items", "labels", "time"),
}


_TYPES: dict[str, Any] = {
    **dict.fromkeys(("id", "kind", "item", "who", "label", "time", "shown", "note", "undoes"), str),
    **dict.fromkeys(("schema", "digest", "goal", "from"), str),
    **{"seconds": int | float, "n_items": int, "labels": list, "before": dict},
    "strata": dict | None,
}


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Record of a line; None where it was torn, is no record of a journal, or has a field of another type."""
    try:
        record = json.loads(line)
        needed = _NEEDED[record["kind"]]
        typed = all(isinstance(record[n], kind) for n, kind in _TYPES.items() if n in record)
        texts = [*record.get("labels", ()), *record.get("before", {}).values()]
        texts += (record.get("strata") or {}).values()
        whole = typed and all(isinstance(text, str) for text in texts)
        whole = whole and all(n in record for n in needed) and isfinite(record.get("seconds", 0))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None
    return record if whole else None


class Journal:
    """A file of records that is only added to.

    Several processes may add to it: each line is written under a lock of the file, after what others have
    added has been read, and is on the disk (fsync) when `add` returns. A line that could not be written whole
    is cut off again; one that was torn by a crash, or has a field of another type, is left where it is and
    read over. A file that is gone is written anew, with all that is known; one that was replaced, cut or
    changed by something else is added to no more.

    Attributes
    ----------
    path : Path
    records : list of dict
        Of this file, in its order; the first is the start.
    torn : list of int
        Numbers of the lines that could not be read.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.records: list[dict[str, Any]] = []
        self.torn: list[int] = []
        self._ids: set[str] = set()
        self._read_to, self._lines, self._end = 0, 0, b""  # what was read ends so
        self._file: os.stat_result | None = None
        if self.path.exists():
            self.read_on()

    @property
    def start(self) -> dict[str, Any] | None:
        """The first record, which says what is labelled and how items are drawn."""
        return next((r for r in self.records if r["kind"] == "start"), None)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Sentence on the lines that could not be read, if there are any."""
        lines = ", ".join(map(str, self.torn[:5])) + ", ..." * (len(self.torn) > 5)
        n = how_many(len(self.torn), "line")
        said = f"{n} of {self.path.name} cannot be read (line {lines}); the rest is whole"
        return (said,) if self.torn else ()

    @property
    def labels(self) -> Labels:
        """What it says so far."""
        return folded_records(self.records)

    def read_on(self) -> None:
        """Read what was added since, by this process or another."""
        with self.path.open("rb") as stream:
            if self._is_own(stream):
                self._take(stream.read())

    def _is_own(self, stream: Any) -> bool:
        """Whether a file begins as the one that was read, and goes on where that ended."""
        now = os.fstat(stream.fileno())
        self._file = self._file or now
        stream.seek(self._read_to - len(self._end))
        return os.path.samestat(now, self._file) and stream.read(len(self._end)) == self._end

    def _take(self, data: bytes) -> None:
        """Keep the records of whole lines, and of a last one without its end if it can be read."""
        *whole, rest = data.split(b"\n")
        for line in whole:
            self._keep(line)
        self._read_to += len(data) - len(rest)
        self._end = (self._end + data[: len(data) - len(rest)])[-_HEAD:]
        if rest and _parsed(rest) is not None and self._read_to + len(rest) == _size(self.path):
            record = _parsed(rest)
            if record is not None and record["id"] not in self._ids:
                self._add(record)

    def _keep(self, line: bytes) -> None:
        self._lines += 1
        if not line.strip():
            return
        record = _parsed(line)
        if record is None:
            self.torn.append(self._lines)
        elif record["id"] not in self._ids:
            self._add(record)

    def _add(self, record: dict[str, Any]) -> None:
        self._ids.add(str(record["id"]))
        self.records.append(record)

    def add(self, *records: Mapping[str, Any]) -> None:
        """Add records as lines; they are on the disk when this returns.

        Raises
        ------
        OSError
            If they cannot be written, or the file is no longer the one that was read; it is then as it was,
            and so are `records`.
        """
        is_new = not self.path.exists()
        with locked(self.path) as stream:
            size = stream.seek(0, os.SEEK_END)
            if not size:  # gone, or emptied: all that is known is written again
                records = (*self.records, *records)
                self._read_to, self._lines, self._end, self._file = 0, 0, b"", None
                self.torn = []
            if not self._is_own(stream):
                raise OSError(ESTALE, _CHANGED)
            self._take(stream.read())
            data = b"".join(map(_line, records))
            if size and not _ends_a_line(stream, size):
                data = b"\n" + data  # a torn line stays what it is
            try:
                write_whole(stream.fileno(), data)
                os.fsync(stream.fileno())
                if not os.path.samestat(os.fstat(stream.fileno()), self.path.stat()):
                    raise OSError(ESTALE, _CHANGED)
            except OSError:
                os.ftruncate(stream.fileno(), size)
                raise
            stream.seek(self._read_to)
            self._take(stream.read())
        if is_new:
            _sync_folder(self.path.parent)


_CHANGED = (
    "the file of labels was replaced, cut or changed by something else while labels were given; move it away "
    "and all of them are written again"
)


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(dict(record), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return f"{text}\n".encode()


def _size(path: Path) -> int:
    return path.stat().st_size


def _ends_a_line(stream: Any, size: int) -> bool:
    stream.seek(size - 1)
    return bool(stream.read(1) == b"\n")


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of it, however many calls that takes."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


@contextmanager
def locked(path: Path) -> Iterator[Any]:
    """The file, opened to read and to add to, which no other process holds meanwhile."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    with os.fdopen(descriptor, "rb+", buffering=0) as stream:
        if os.name != "nt":
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX)
        yield stream


def _sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk, where folders can be told so."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def in_mixed_order(items: Iterable[str]) -> list[str]:
    """Items in an order that is as good as random, and the same everywhere."""
    return sorted(items, key=lambda item: sha256(item.encode()).digest())


def new_id() -> str:
    """Name of a record that no other has, on any machine."""
    return uuid4().hex[:20]


def read_journal(path: str | os.PathLike[str]) -> Journal:
    """Journal in a file.

    Raises
    ------
    DataError
        If it is none.
    """
    journal = Journal(path) if Path(path).is_file() else None
    if journal is None or journal.start is None:
        raise DataError(
            f"a journal of labels must be a file that `algeval label` wrote; got {str(path)!r}; name one "
            "that ends in .labels.jsonl"
        )
    return journal


def merge(journal: Journal, others: Sequence[Journal]) -> int:
    """How many records of other journals of the same labelling were added; none twice.

    Raises
    ------
    DataError
        If a journal is of another table, or its items were drawn otherwise.
    """
    own = journal.start or {}
    new: dict[str, dict[str, Any]] = {}
    held = {str(r["id"]) for r in journal.records}
    for other in others:
        start = other.start or {}
        for name in ("digest", "goal", "seed", "labels", "strata"):
            if start.get(name) != own.get(name):
                raise DataError(
                    f"journals that are merged must be of one labelling; got another {name} in "
                    f"{other.path.name}; label the same table with the same --goal and --seed"
                )
        for record in other.records:
            if record["kind"] != "start" and record["id"] not in held:
                new.setdefault(str(record["id"]), {"from": start["id"], **record})
    if new:
        journal.add(*new.values())
    return len(new)


# --- A journal as a table of labels, which `rate`, `versus`, `judges` and `report` take like any other.


def journal_table(
    path: str | os.PathLike[str],
) -> tuple[dict[str, list[object]], tuple[str, ...]]:
    """Columns of the table that a journal amounts to, and notes.

    A row per label: item, truth, annotator, and the columns of `DRAWN`. What cannot be told, or is put off,
    has a draw and no truth. Where items were drawn in strata, items without a label have a row, too, as the
    size of a stratum makes the chance of its labels.
    """
    journal = read_journal(path)
    start, labels = journal.start or {}, journal.labels
    before: dict[str, str] = dict(start.get("before") or {})
    certain = start.get("before_drawn") == "unknown"
    first = [] if certain else in_mixed_order(before)
    draw_of = {item: k + 1 for k, item in enumerate([*first, *labels.draws()])}
    strata: dict[str, str] = dict(start.get("strata") or {})
    strategy = "unequal" if strata else "random"
    drawn = start.get("goal") != "labels"
    n_drawn = sum(1 for item in draw_of if item in before or labels.truth(item))
    even = n_drawn / max(1, int(start["n_items"]) - certain * len(before))
    rows: list[tuple[str | None, ...]] = []
    of_items = str(start["n_items"])
    for item, label in before.items() if certain else ():
        own = (None, strata.get(item), of_items)
        rows.append((item, label, "before", "1", "1", "unknown", *own))
    for item, number in draw_of.items():
        chance = str(even) if drawn else "1"
        how = (chance, "2", strategy if drawn else "picked")
        tail = (str(number) if drawn else None, strata.get(item), of_items)
        acts = [a for a in labels.by_item.get(item, {}).values() if a.kind == "label"]
        for act in acts:
            rows.append((item, act.label, act.who, *how, *tail))
        if item in before:
            rows.append((item, before[item], "before", *how, *tail))
        elif not acts:
            rows.append((item, None, "nobody", *how, *tail))
    rest = [item for item in strata if item not in draw_of and item not in before]
    none = ("nobody", "1", "2", strategy, None)
    rows += [(item, None, *none, strata[item], of_items) for item in rest]
    names = ("item", "truth", "annotator", *DRAWN)
    if not labels.acts and not before:
        raise DataError(
            f"{journal.path.name} must hold a label; got none yet; label some items first"
        )
    columns = {
        name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    if drawn and not (strata or (before and certain)):
        _as_random_draw(columns, start.get("goal") == "difference")
    if len({*labels.people, *(["before"] if before else [])}) < 2:
        del columns["annotator"]
    return columns, tuple(_notes(journal, labels, draw_of))


def _as_random_draw(columns: dict[str, list[object]], by_prompt: bool) -> None:
    """Leave out chances and waves: labels without them are taken for one random draw."""
    for name in ("inclusion", "wave", "strategy", "stratum"):
        del columns[name]
    if by_prompt:
        columns["strategy"] = [BY_PROMPT] * len(columns["item"])


def _notes(journal: Journal, labels: Labels, draw_of: Mapping[str, int]) -> Iterator[str]:
    drawn = [item for item in draw_of if item in labels.by_item]
    untold = sum(1 for item in drawn if not labels.truth(item))
    yield f"a journal of labels: {how_many(len(drawn) - untold, 'item')} labelled"
    if untold:
        yield f"{how_many(untold, 'item')} that nobody could tell, or put off"
    if labels.second:
        yield f"{how_many(len(labels.second), 'second look')} after the judges were shown, not counted"
    yield from journal.gaps
