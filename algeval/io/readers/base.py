"""What readers of the files of evaluation tools share."""

from __future__ import annotations

import csv
import json
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import IO, Any

from algeval.data.names import folded
from algeval.errors import DataError, option
from algeval.io.answers import as_number, plain, tidy
from algeval.io.evidence import (
    BAD_LABELS,
    GOOD_LABELS,
    JUDGE,
    KINDS_OF_VERDICT,
    MODELS,
    Evidence,
    names_a_verdict_of_a_model,
    names_a_verdict_of_a_person,
    stems,
)
from algeval.io.formats import connect, is_packed, is_parquet, read_call, sql_text, unpacked
from algeval.io.layout import (
    ANSWER_NAMES,
    ITEM_NAMES,
    JUDGE_NAMES,
    KEY_NAMES,
    candidates,
    match,
    shown,
)
from algeval.io.tables import MemoryTable, Table, open_table
from algeval.progress import counted, steps
from algeval.result.numbers import how_many

# --- What a reader found in a tool's file: votes, true labels, and what is missing or left out, and
# why.


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asked of a reader."""

    question: str | None = None
    judges: tuple[str, ...] | None = None
    swap: str = "two"
    """Of pairs judged in both orders: "two" judges, or one where the orders "agree"."""
    latest: bool = False
    """Whether the newest of a judge's votes on an item counts; else they are refused."""
    truth_votes: bool = False
    """Whether annotations marked as ground truth are votes, as imported ones may all be so marked."""


@dataclass(slots=True)
class Gathered:
    """Votes as they are gathered, a row each."""

    tool: str  # with its version where the file says it
    key_name: str = "key"  # the name that ``key=`` takes
    items: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)  # None: not given
    keys: list[Any] = field(default_factory=list)  # true labels beside the votes, None: unknown
    absent: Counter[str] = field(default_factory=Counter)  # votes missing, by reason
    left_out: Counter[str] = field(default_factory=Counter)  # rows, by reason
    people: set[str] = field(default_factory=set)  # judges who are people
    notes: list[str] = field(default_factory=list)

    def vote(
        self,
        item: object,
        judge: object,
        answer: Any,
        key: Any = None,
        *,
        failed: str = "",
        blank: str = "blank",
    ) -> None:
        """Add a vote; one that `failed`, as said why, or whose answer is empty was not given."""
        if not failed and isinstance(answer, dict | list):
            raise DataError(
                f"a vote must be one plain value; {judge!r} gives item {item!r} {str(answer)[:40]!r}; "
                f"flatten it, or choose with {option('question')}"
            )
        absent = bool(failed) or plain(answer) is None
        self.items.append(_name(item, f"item; one of judge {judge!r}"))
        self.judges.append(_name(judge, f"judge; one on item {item!r}"))
        self.answers.append(None if absent else answer)
        self.keys.append(key)
        if absent:
            self.absent[failed or blank] += 1

    def answers_by_judge(self) -> dict[str, set[str]]:
        """Distinct answers of each judge, in order of first appearance."""
        answers: dict[str, set[str]] = {}
        for judge, answer in zip(self.judges, self.answers, strict=True):
            text = tidy(answer)
            answers.setdefault(judge, set()).update(() if text is None else (text,))
        return answers

    def keep(self, judges: Iterable[str]) -> None:
        """Keep the votes of some judges only."""
        kept = set(judges)
        rows = [row for row, judge in enumerate(self.judges) if judge in kept]
        for column in (self.items, self.judges, self.answers, self.keys):
            column[:] = [column[row] for row in rows]

    def table(self, name: str) -> MemoryTable:
        """Votes as a long table with notes."""
        if not any(answer is not None for answer in self.answers):
            reasons = _reasons(self.absent + self.left_out)
            why = f" ({reasons})" if reasons else ""
            raise DataError(
                f"{name} must hold at least one vote; got a file of {self.tool} with none{why}; run the "
                "judges again, or name another file"
            )
        self._refuse_repeats(name)
        columns = {"item": self.items, "judge": self.judges, "answer": self.answers}
        keyed = self._keyed()
        if keyed:
            columns |= {self.key_name: self.keys}
        table = MemoryTable(columns, f"{name} read as a file of {self.tool}", *self._said(keyed))
        if set(self.judges) - self.people:
            table.people = frozenset(self.people.intersection(self.judges))
        return table

    def _refuse_repeats(self, name: str) -> None:
        pairs = Counter(zip(self.items, self.judges, strict=True))
        if len(pairs) == len(self.items):
            return
        (item, judge), n = next(pair for pair in pairs.items() if pair[1] > 1)
        others = sum(n > 1 for n in pairs.values()) - 1
        more = f" ({how_many(others, 'more pair')} alike)" if others else ""
        raise DataError(
            f"a judge must vote on an item once; {judge!r} votes {n} times on item {item!r} in {name}{more}; "
            "keep one of each"
        )

    def _said(self, keyed: bool) -> list[str]:
        said = list(self.notes)
        if self.absent:
            said.append(f"votes not given: {_reasons(self.absent)}")
        if self.left_out:
            said.append(f"left out: {_reasons(self.left_out)}")
        if keyed:
            name = self.key_name
            said.append(f"true labels are there as {name!r}; {option('key', name)} reads them")
        return said

    def _keyed(self) -> bool:
        """Whether what the tool calls true labels are among the answers; grades of an answer are not."""
        answers = {tidy(answer) for answer in self.answers} - {None}
        return any(tidy(key) in answers for key in self.keys)


def _name(value: object, what: str) -> str:
    """Name of an item or a judge as text."""
    name = None if isinstance(value, dict | list | bool) else plain(value)
    if name is None:
        got = "none" if value is None else repr(value)[:40]
        raise DataError(
            f"every vote must name its {what} has {got}; write the name, or leave it out"
        )
    return name


def _reasons(counted: Counter[str]) -> str:
    return ", ".join(f"{why} ({n})" for why, n in counted.items())


# --- Pairs of responses: one item whichever stands first, and one or two votes of a judge asked
# both ways.


INCONSISTENT = "inconsistent"
"""The answer of a judge who changes with the order, where the orders must agree."""


def fixed_order(first: str, second: str, where: str) -> tuple[str, bool]:
    """Name of the pair that does not depend on its order, and whether it was turned."""
    if first == second:
        raise DataError(
            f"a pair must be of two systems; got {first!r} twice in {where}; correct it"
        )
    turned = second < first
    return ":".join((second, first) if turned else (first, second)), turned


def vote_both_orders(
    votes: Gathered,
    item: str,
    judge: str,
    answers: tuple[str | None, str | None],
    swap: str,
    key: str | None = None,
) -> None:
    """Add a judge's answers to a pair in its two orders: as "two" judges, or as one where they "agree"."""
    if swap == "two":
        for position, answer in enumerate(answers, start=1):
            votes.vote(item, f"{judge} g{position}", answer, key, blank="judge failed")
        return
    first, second = answers
    same = None if first is None or second is None else first if first == second else INCONSISTENT
    votes.vote(item, judge, same, key, blank="judge failed")


# --- JSON as tools write it, parsed so that no vote is lost: a key that stands twice is refused.


MOST_WEIGHT = 40_000_000
"""Of a tool's document: a value mostly has ten letters or more, and a list of nothing takes 60 bytes."""


def weight(text: str | bytes) -> int:
    """About how many values JSON holds, a list or an object being as much as four."""
    marks = (b"[", b"{", b",") if isinstance(text, bytes) else ("[", "{", ",")
    lists, objects, commas = (text.count(mark) for mark in marks)  # type: ignore[arg-type]
    return 4 * (lists + objects) + commas


def parsed(text: str | bytes, name: str) -> Any:
    """Return what JSON holds; a bare NaN is a number, and a key that stands twice is refused."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"every object of {name} must have a key once; got {twice!r} twice in one; keep the right one"
            )
        return members

    return json.loads(text, object_pairs_hook=once)


# --- Members of a zip archive as JSON, whatever they are packed with.


_ZSTD = 93
_MOST_BYTES = 256 * 2**20  # of a member, unpacked
_MOST_IN_ALL = 2 * 2**30  # of all members that are read, unpacked
_MOST_WEIGHT = 5 * MOST_WEIGHT


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive and the names of its members."""

    path: Path
    names: tuple[str, ...]

    def json(self, names: list[str]) -> list[dict[str, Any]]:
        """Members as JSON objects."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                infos = [archive.getinfo(name) for name in names]
                _check_sizes(self.path, infos)
                if any(info.compress_type == _ZSTD for info in infos):
                    return self._unpacked_by_duckdb(infos)
                each = steps(infos, "reading samples")
                return self._objects((info.filename, archive.read(info)) for info in each)
        except MemoryError:
            raise self._too_large() from None
        except (
            zipfile.BadZipFile,
            KeyError,
            RuntimeError,  # a member is encrypted, or packed in a way that is not known
            zlib.error,
            EOFError,
            OSError,
        ) as error:
            raise _broken(self.path, error) from None

    def _objects(self, texts: Iterable[tuple[str, bytes | str]]) -> list[dict[str, Any]]:
        """Texts as JSON objects, as long as they fit in memory."""
        objects, held = [], 0
        for name, text in texts:
            held += weight(text)
            if held > _MOST_WEIGHT:
                raise self._too_large()
            objects.append(self._object(name, text))
        return objects

    def _too_large(self) -> DataError:
        return DataError(
            f"the samples of {self.path.name} must fit in memory; got more; write a log of fewer samples"
        )

    def _object(self, name: str, text: bytes | str) -> dict[str, Any]:
        try:
            document = parsed(text, self.path.name)
        except DataError:
            raise
        except (ValueError, RecursionError) as error:
            raise _broken(self.path, error) from None
        if not isinstance(document, dict):
            raise _broken(self.path, ValueError(f"{name} is no JSON object"))
        return document

    def _unpacked_by_duckdb(self, infos: list[zipfile.ZipInfo]) -> list[dict[str, Any]]:
        """Unpack Zstandard frames, which zipfile knows from Python 3.14 on only."""
        import duckdb

        with tempfile.TemporaryDirectory() as folder:
            for position, info in enumerate(infos):
                frame = Path(
                    folder, f"{position:08d}.{'zst' if info.compress_type == _ZSTD else 'txt'}"
                )
                frame.write_bytes(self._raw(info))
            texts: dict[str, str] = {}
            for kind, packed in (("zst", "zstd"), ("txt", "uncompressed")):
                if not list(Path(folder).glob(f"*.{kind}")):
                    continue
                pattern = sql_text(str(Path(folder, f"*.{kind}")))
                query = (
                    f"SELECT filename, json FROM read_json_objects({pattern}, compression='{packed}', "
                    f"format='unstructured', filename=true, maximum_object_size={_MOST_BYTES})"
                )
                try:
                    rows = connect().execute("SET threads = 1").execute(query)
                    while row := rows.fetchone():
                        number, text = Path(str(row[0])).stem, str(row[1])
                        if len(text) > infos[int(number)].file_size:
                            raise _broken(self.path, ValueError("a member is larger than it says"))
                        texts[number] = text
                except duckdb.Error as error:
                    raise _broken(self.path, error) from None
        absent = [
            info.filename for position, info in enumerate(infos) if f"{position:08d}" not in texts
        ]
        if absent:
            raise _broken(self.path, ValueError(f"{absent[0]} cannot be unpacked"))
        pairs = ((info.filename, texts[f"{position:08d}"]) for position, info in enumerate(infos))
        return self._objects(pairs)

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        """Member's bytes as packed; others than Zstandard unpacked."""
        if info.compress_type != _ZSTD:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(info)
        with self.path.open("rb") as stream:
            stream.seek(info.header_offset)
            head = stream.read(30)
            n_name, n_extra = struct.unpack("<HH", head[26:30])
            stream.seek(info.header_offset + 30 + n_name + n_extra)
            return stream.read(info.compress_size)


def members(path: Path) -> Archive:
    """Return what an archive holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            return Archive(path, tuple(archive.namelist()))
    except (zipfile.BadZipFile, OSError) as error:
        raise _broken(path, error) from None


def names_in(path: Path) -> tuple[str, ...]:
    """Names of an archive's members, none where it is broken."""
    try:
        return members(path).names
    except DataError:
        return ()


def _check_sizes(path: Path, infos: list[zipfile.ZipInfo]) -> None:
    if any(info.flag_bits & 1 for info in infos):
        raise DataError(f"{path.name} must not be encrypted; got a password on it; pack it without")
    large = next((info for info in infos if info.file_size > _MOST_BYTES), None)
    if large is not None:
        raise DataError(
            f"every member of {path.name} must be smaller than {_MOST_BYTES >> 20} MB; {large.filename} has "
            f"{large.file_size >> 20} MB; is this the right file?"
        )
    in_all = sum(info.file_size for info in infos)
    if in_all > _MOST_IN_ALL:
        raise DataError(
            f"the samples of {path.name} must unpack to at most {_MOST_IN_ALL >> 20} MB; got "
            f"{in_all >> 20} MB; write a log of fewer samples"
        )


def _broken(path: Path, error: Exception) -> DataError:
    reason = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
    return DataError(
        f"{path.name} must be a whole archive; got a broken one ({reason}); copy it again"
    )


# --- One question of several: judges whose answers have nothing in common are asked different
# things.


def single_question(
    wanted: str | None,
    counts: Mapping[str, int],
    name: str,
    *,
    noun: str = "vote",
    before: str = "",
) -> str:
    """Question stated, or the only one of {question: how often it was answered}."""
    if wanted is None and len(counts) > 1:
        listed = ", ".join(
            f"{listed_name!r} ({how_many(n, noun)})" for listed_name, n in counts.items()
        )
        raise DataError(
            f"the judges of one table must answer one question; {name} asks {listed}; choose with "
            f"{option('question', before + next(iter(counts)))}"
        )
    question = next(iter(counts)) if wanted is None else wanted
    if question not in counts:
        raise DataError(
            f"question must be one that {name} asks; got {question!r}; it asks {shown(tuple(counts))}"
        )
    return question


def keep_question(
    gathered: Gathered, question_of: Mapping[str, str], wanted: Wanted, name: str
) -> None:
    """Keep the judges of the question stated, or refuse where several are left.

    Judges answer one question if they have an answer in common, or if all give whole numbers, or all
    numbers with fractions. One who gives a single answer throughout is taken to answer that of the others.
    """
    answers = gathered.answers_by_judge()
    if wanted.question is not None:
        judges = list(answers)
        kept = [
            judge for judge in judges if wanted.question in (judge, question_of.get(judge, judge))
        ]
        if not kept:
            questions = tuple(dict.fromkeys(question_of.get(judge, judge) for judge in judges))
            raise DataError(
                f"question must be one that {name} asks; got {wanted.question!r}; it asks {shown(questions)}"
            )
        others = [judge for judge in judges if judge not in kept]
        if others:
            n = sum(judge in others for judge in gathered.judges)
            gathered.left_out[f"votes on other questions, of {shown(tuple(others), 6)}"] += n
        gathered.keep(kept)
        return
    chosen = [judge for judge in answers if wanted.judges is None or judge in wanted.judges]
    if unlike([answers[judge] for judge in chosen]):
        votes: dict[str, int] = {}
        for judge in gathered.judges:
            if judge in chosen:
                question = question_of.get(judge, judge)
                votes[question] = votes.get(question, 0) + 1
        raise _several(name, votes)


def _several(name: str, votes: Mapping[str, int]) -> DataError:
    listed = ", ".join(f"{q!r} ({how_many(n, 'vote')})" for q, n in list(votes.items())[:8])
    return DataError(
        f"the judges of one table must answer one question; {name} has some with unlike answers: {listed}; "
        f"choose with {option('question', next(iter(votes)))}, or name judges that agree on the "
        f"answers in {option('judges')}"
    )


def unlike(answer_sets: Iterable[set[str]]) -> bool:
    """Whether judges, by the answers each gave, fall into groups that were asked different things."""
    groups: list[set[str]] = []
    for answers in answer_sets:
        met = [group for group in groups if group & answers]
        groups = [group for group in groups if group not in met]
        groups += [answers.union(*met)] if answers else []
    kinds = {_kind(group) for group in groups}
    distinct_texts = [group for group in groups if len(group) > 1 and _kind(group) == "text"]
    return len(kinds) > 1 or len(distinct_texts) > 1


def _kind(answers: set[str]) -> str:
    """Return what answers are: text, whole numbers, or numbers with fractions."""
    numbers = [as_number(answer) for answer in answers]
    if any(number is None for number in numbers):
        return "text"
    whole = all(number is not None and number.is_integer() for number in numbers)
    return "whole" if whole else "fractions"


# --- The names of a table's columns, without reading the table.


_HEAD = 1 << 16


def columns_of(path: Path) -> tuple[str, ...]:
    """Column names of CSV, TSV, Parquet or JSON lines; none of anything else."""
    if is_parquet(path):
        import duckdb

        try:
            relation = read_call("read_parquet", path, "hive_partitioning=false")
            rows = connect().execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        except duckdb.Error:
            return ()
        return tuple(str(row[0]) for row in rows)
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    text = head.decode("utf-8-sig", errors="replace").lstrip()
    if text.startswith("{"):
        line = text.splitlines()[0]
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return ()
        return tuple(value) if isinstance(value, dict) else ()
    if not text or text.startswith("[") or "\0" in text:
        return ()
    first = text.splitlines()[0]
    mark = max(",\t;", key=first.count)
    try:
        return tuple(name.strip() for name in next(csv.reader([first], delimiter=mark), ()))
    except csv.Error:  # a name of more than 131,072 characters
        return ()


# --- The files a person named, looked into once: what each is, and what it holds as JSON.


MOST_BYTES = 200 * 2**20  # a JSON document is read whole; larger ones are refused
_LOOKED_AT = 1 << 16
_MOST_BLANK = 1_000_000
_BROKEN = (ValueError, RecursionError, OSError, EOFError, zlib.error)
"""What reading or parsing a file that was cut off or packed badly may raise."""


@dataclass(frozen=True, slots=True)
class Files:
    """Paths, and their content as far as it was looked at."""

    paths: tuple[Path, ...]  # those of a folder by name
    folder: Path | None = None  # where one was named
    _documents: dict[Path, Any] = field(default_factory=dict, repr=False, compare=False)
    _firsts: dict[Path, Any] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[Path, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def path(self) -> Path:
        """The first file."""
        return self.paths[0]

    @property
    def name(self) -> str:
        """What they are called in sentences."""
        return self.folder.name if self.folder is not None else self.path.name

    @property
    def several(self) -> bool:
        """Whether a folder was named, or more than one file."""
        return self.folder is not None or len(self.paths) > 1

    def is_zip(self, path: Path) -> bool:
        """Whether a file is a zip archive."""
        with path.open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"

    def columns(self, path: Path | None = None) -> tuple[str, ...]:
        """Column names of a table, none of anything else."""
        path = self.path if path is None else path
        if path not in self._columns:
            self._columns[path] = columns_of(path) or tuple(self.first_row(path) or ())
        return self._columns[path]

    def document(self) -> dict[str, Any] | None:
        """JSON object that the first file is as a whole, None where it is none or many."""
        if self.path not in self._documents:
            self._documents[self.path] = _document(self.path)
        document: dict[str, Any] | None = self._documents[self.path]
        return document

    def first_row(self, path: Path | None = None) -> dict[str, Any] | None:
        """First object of JSON lines or of a JSON list, None for none; no more of the file is read."""
        path = self.path if path is None else path
        if path not in self._firsts:
            mark = _mark(path)
            self._firsts[path] = (
                _first_line(path) if mark == "{" else _first_entry(path) if mark == "[" else None
            )
        row: dict[str, Any] | None = self._firsts[path]
        return row

    def fields(self) -> tuple[str, ...]:
        """Names of the columns that the first objects of JSON make as a table: those of objects are a.b."""
        if self.first_row() is None:
            return ()
        some = dict.fromkeys(
            name for _, row in islice(self.rows(), _MOST_FIELDS) for name in _dotted(row)
        )
        return tuple(some)

    def table(self) -> Table:
        """The first file as a table."""
        return open_table(self.path)

    def rows(self, path: Path | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the objects of JSON lines or of a JSON list, and where each stands."""
        path = self.path if path is None else path
        if _mark(path) == "[":
            yield from _entries(path)
            return
        size = None if is_packed(path) else path.stat().st_size
        with unpacked(path) as stream, counted("reading lines", size) as read:
            blank = 0
            for number, line in enumerate(stream, start=1):
                read.step(len(line))
                blank += not line.strip()
                if blank > _MOST_BLANK:
                    raise DataError(
                        f"{path.name} must have at most {_MOST_BLANK} blank lines; got more; copy it again"
                    )
                if line.strip():
                    yield f"line {number} of {path.name}", _object(path, number, line)


@dataclass(frozen=True, slots=True)
class Held(Files):
    """A table in memory that a tool's reader reads as its file: what pandas made of one, or records."""

    held: MemoryTable | None = None

    @property
    def name(self) -> str:
        """What it is called in sentences."""
        return "the table"

    @property
    def several(self) -> bool:
        """Whether there is more than one table."""
        return False

    def columns(self, path: Path | None = None) -> tuple[str, ...]:
        """Column names."""
        return self.table().names

    def document(self) -> dict[str, Any] | None:
        """None, as it is no document."""
        return None

    def first_row(self, path: Path | None = None) -> dict[str, Any] | None:
        """First row, without empty cells."""
        return next((row for _, row in self.rows()), None)

    def table(self) -> MemoryTable:
        """The table."""
        assert self.held is not None
        return self.held

    def in_cells(self) -> MemoryTable:
        """The table with the entry of lists that have one each in place of these, as a file's are read."""
        rows = [row for _, row in self.rows()]
        columns: dict[str, list[Any]] = {}
        for name in self.columns():
            cells = [row.get(name) for row in rows]
            listed = [cell for cell in cells if isinstance(cell, list)]
            short = bool(listed) and all(len(c) < 2 and not any(map(keys_of, c)) for c in listed)
            columns[name] = [
                next(iter(c), None) if short and isinstance(c, list) else c for c in cells
            ]
        made = MemoryTable(columns, *self.table().notes)
        made.index = self.table().index
        return made

    def rows(self, path: Path | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the rows and where each stands."""
        for number, row in enumerate(self.table().rows(), start=1):
            yield f"row {number} of the table", row


_MOST_FIELDS = 50  # objects that are looked at for the names of their fields


def _dotted(held: dict[str, Any], before: str = "") -> Iterator[str]:
    """Yield the names of fields, and of those within objects after a dot."""
    for name, value in held.items():
        if isinstance(value, dict) and value:
            yield from _dotted(value, f"{before}{name}.")
        else:
            yield f"{before}{name}"


def _mark(path: Path) -> str:
    """First letter that is no space."""
    try:
        with unpacked(path) as stream:
            head = stream.read(_LOOKED_AT).removeprefix(b"\xef\xbb\xbf").lstrip()
    except _BROKEN:
        return ""
    return head[:1].decode("latin-1")


def _document(path: Path) -> dict[str, Any] | None:
    if _mark(path) != "{" or _is_lines(path):
        return None
    try:
        document = parsed(_whole(path), path.name)
    except DataError:
        raise
    except _BROKEN as error:
        if path.suffix.lower() != ".json" or not isinstance(error, json.JSONDecodeError):
            return None  # the reader of tables says what is wrong
        raise _cut_off(path, "document", error) from None
    return document if isinstance(document, dict) else None


def _whole(path: Path) -> str:
    with unpacked(path) as stream:
        text = stream.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise DataError(
            f"a JSON document must be smaller than {MOST_BYTES >> 20} MB to be read whole; {path.name} is "
            "larger; export JSON lines, Parquet or CSV in its place"
        )
    if weight(text) > MOST_WEIGHT:
        raise DataError(
            f"a JSON document must hold at most {MOST_WEIGHT // 10**6} million values to be read whole; "
            f"{path.name} holds more; export JSON lines, Parquet or CSV in its place"
        )
    return text.decode("utf-8-sig")


def _is_lines(path: Path) -> bool:
    """Whether the first line is an object by itself, and there is another line."""
    try:
        with unpacked(path) as stream:
            line = _first_text(stream)
            rest = iter(lambda: stream.read(_LOOKED_AT), b"")
            return any(more.strip() for more in rest) and _as_object(line) is not None
    except _BROKEN:
        return False


def _first_text(stream: IO[bytes]) -> bytes:
    """First line that is not blank."""
    lines = iter(lambda: stream.readline(MOST_BYTES), b"")
    return next((line for line in lines if line.strip()), b"")


def _first_line(path: Path) -> dict[str, Any] | None:
    try:
        with unpacked(path) as stream:
            return _as_object(_first_text(stream))
    except _BROKEN:
        return None


def _first_entry(path: Path) -> dict[str, Any] | None:
    """First entry of a list; the head read grows until it holds one."""
    size = _LOOKED_AT
    while size <= 8 * MOST_BYTES:
        try:
            with unpacked(path) as stream:
                head = stream.read(size)
        except _BROKEN:
            return None
        text = head.decode("utf-8-sig", errors="ignore").lstrip()[1:].lstrip()
        try:
            entry, _ = json.JSONDecoder().raw_decode(text)
            return entry if isinstance(entry, dict) else None
        except (ValueError, RecursionError):
            if len(head) < size:
                return None
        size *= 8
    return None


def _as_object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = parsed(line.decode("utf-8-sig"), path.name)
    except DataError:
        raise
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise DataError(
            f"every line of {path.name} must be one JSON object; line {number} is none; it may have been cut "
            "off: copy the file again"
        )
    return value


def _entries(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        document = parsed(_whole(path), path.name)
    except DataError:
        raise
    except _BROKEN as error:
        raise _cut_off(path, "list", error) from None
    for number, entry in enumerate(document, start=1):
        where = f"entry {number} of {path.name}"
        if not isinstance(entry, dict):
            raise DataError(
                f"every entry of {path.name} must be a JSON object; got {str(entry)[:40]!r} in {where}; "
                "export the file again"
            )
        yield where, entry


def _cut_off(path: Path, what: str, error: Exception) -> DataError:
    reason = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
    return DataError(
        f"{path.name} must be a whole JSON {what}; got a broken one ({reason}); copy it again"
    )


def keys_of(value: Any) -> set[str]:
    """Keys of an object, none of anything else."""
    return set(value) if isinstance(value, dict) else set()


def must_have(holder: Any, name: str, kind: type | tuple[type, ...], where: str) -> Any:
    """Field that a tool always writes, or say that it is absent."""
    value = holder.get(name) if isinstance(holder, dict) else None
    if isinstance(value, bool) or not isinstance(value, kind):
        got = "none" if value is None else type(value).__name__
        raise DataError(f"{where} must have the field {name!r}; got {got}; export the file again")
    return value


# --- Rows that hold all votes of an item: a list of {judge, vote}, a dict {judge: vote}, or two
# lists.


_HOLDERS = ("votes", "judgments", "judgements", "annotations", "responses", "assessments", "scores")
_LISTS = (*_HOLDERS, "verdicts", "ratings", "labels", "grades", "reviews", "evaluations", "evals")
"""Columns of lists of objects, each of which names a judge and what it answered."""
_ANSWERS = (*ANSWER_NAMES, "feedback", "winner", "verdicts")
_SAYERS = ("annotators", "judges", "raters", "workers", "graders")
_FAILED = ("error", "failure")
_MOST_WORDS = 8  # in a verdict; more are a text

Vote = tuple[Any, Any, str]  # judge, answer, why it is missing


def fits(files: Files) -> bool:
    """Whether the rows of a file hold a list or dict of votes."""
    return _row_with_votes(files) is not None


def _row_with_votes(files: Files) -> dict[str, Any] | None:
    """First row that holds votes; an object around the rows of a table is none."""
    row = None if files.several else _first(files)
    if row is None or not (holders := holders_of(row)):
        return None
    entry = row[holders[0]][0] if isinstance(row[holders[0]], list) else None
    of_table = isinstance(entry, dict) and match(entry, ITEM_NAMES) and not match(row, ITEM_NAMES)
    return None if of_table and files.document() is not None else row


def _first(files: Files) -> dict[str, Any] | None:
    """First row with votes, or the first of all; few are looked at."""
    some = _some(files)
    return next((row for row in some if holders_of(row)), some[0] if some else None)


def _some(files: Files) -> list[dict[str, Any]]:
    """First rows of a file; of one without columns that may hold votes the first at most."""
    if is_parquet(files.path):
        return list(islice(_of_parquet(files), _MOST_FIELDS))
    row = files.first_row()
    if row is None or _LISTED.isdisjoint(map(str.lower, row)):
        return [] if row is None else [row]
    return [row, *(row for _, row in islice(files.rows(), 1, _MOST_FIELDS))]


def _of_parquet(files: Files) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that has one of the columns."""
    from algeval.io.formats import connect, read_call

    names = files.columns()
    if match(names, _LISTS) is None:
        return
    rows = connect().execute(f"SELECT * FROM {read_call('read_parquet', files.path)}")
    while block := rows.fetchmany(10_000):
        for row in block:
            yield dict(zip(names, row, strict=True))


def _rows(files: Files) -> Iterator[tuple[str, dict[str, Any]]]:
    if not is_parquet(files.path):
        yield from files.rows()
        return
    for number, row in enumerate(_of_parquet(files), start=1):
        yield f"row {number} of {files.name}", row


def holders_of(row: dict[str, Any]) -> list[str]:
    """Columns that hold the votes of an item; beside a model's verdict, a list of a usual name alone."""
    low = {name.lower(): name for name in row}
    names = [name for name in _LISTS if name in low and _looks_like_votes(row, low[name])]
    if any(name not in _HOLDERS for name in names) and any(map(_is_a_machines, row, row.values())):
        names = [name for name in names if name in _HOLDERS]
    return [low[name] for name in names]


def lists_beside_machines(files: Files) -> tuple[str, ...]:
    """Columns of lists of votes that are left out, as a model's verdict stands beside them."""
    for row in [] if files.several else _some(files):
        lists = holders_of({name: cell for name, cell in row.items() if isinstance(cell, list)})
        if lists:
            return tuple(name for name in lists if name not in holders_of(row))
    return ()


def _is_a_machines(name: str, cell: Any) -> bool:
    """Whether a cell holds a verdict of a model or a judge: pass under gpt4, 3 under judge_score."""
    column = Evidence(name, 0)
    judged = names_a_verdict_of_a_model(name) or column.says(JUDGE)
    if not judged or column.ends(_OF_MODELS) or isinstance(cell, list | dict):
        return False
    if len(str(cell).split()) > _MOST_WORDS:
        return False  # a text that was judged
    number = as_number(tidy(cell) or "") is not None and stems(column.leaf, MODELS)
    verdict = folded(tidy(cell) or "") in GOOD_LABELS | BAD_LABELS
    return number or verdict or column.ends(KINDS_OF_VERDICT)


_OF_MODELS = frozenset({"model", "name", "version", "type", "id"})


_LISTED = frozenset(_LISTS)


def _looks_like_votes(row: dict[str, Any], name: str) -> bool:
    held = row[name]
    usual = name.lower() in _HOLDERS
    if isinstance(held, dict):
        nested = any(isinstance(value, dict | list) for value in held.values())
        return usual and bool(held) and not nested
    if not isinstance(held, list) or not held:
        return False
    if isinstance(held[0], dict):
        return match(held[0], JUDGE_NAMES) is not None and match(held[0], _ANSWERS) is not None
    return usual and _sayers(row) is not None


def _sayers(row: dict[str, Any]) -> str | None:
    """Column that names who gave the votes of a list."""
    return match(row, _SAYERS)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Votes of every row."""
    first = _first(files) or {}
    holders = holders_of(first)
    if len(holders) > 1 and wanted.question is None:
        raise DataError(
            f"the votes of {files.name} must stand in one column; {shown(tuple(holders))} hold votes; choose "
            f"with {option('question', holders[0])}"
        )
    holder = wanted.question or holders[0]
    item, key = match(first, ITEM_NAMES), match(first, KEY_NAMES)
    plain_cells = [n for n in first if n != holder and not isinstance(first[n], list | dict)]
    key = key or next((n for n in plain_cells if names_a_verdict_of_a_person(n)), None)
    votes = Gathered(f"rows with votes in {holder!r}")
    if key and key not in KEY_NAMES:
        votes.notes.append(f"{key!r} is kept as 'key': {option('human', 'key')} uses it")
    beside = tuple(n for n in first if n not in (item, key, *holders, _sayers(first)))
    if beside:
        votes.notes.append(
            f"left out, beside the votes: {shown(beside)}; write a row for each vote to use them"
        )
    made = f"item: {item!r}" if item else "item: the number of the row"
    votes.notes.append(f"{made}; judge and answer: from {holder!r}")
    for number, (where, row) in enumerate(_rows(files), start=1):
        name = row.get(item) if item else number
        if not row.get(holder):
            votes.left_out["rows without votes"] += 1
        for judge, answer, why in _votes(row, holder, where):
            truth = row.get(key) if key else None
            votes.vote(name, judge, answer, truth, failed=why)
    if any(as_number(tidy(answer) or "0") is None for answer in votes.answers):
        keep_question(votes, {}, Wanted(judges=wanted.judges), files.name)
    return votes


def _votes(row: dict[str, Any], holder: str, where: str) -> Iterator[Vote]:
    held = row.get(holder)
    if held is None:
        return
    if isinstance(held, dict):
        yield from ((j, a, "blank" if a is None else "") for j, a in held.items())
        return
    if not isinstance(held, list):
        raise DataError(
            f"{holder!r} must be a list or an object in every row; got {str(held)[:40]!r} in {where}"
        )
    if held and isinstance(held[0], dict):
        yield from (_vote(entry, holder, where) for entry in held)
        return
    sayers = row.get(_sayers(row) or "") or []
    if len(sayers) != len(held):
        raise DataError(
            f"{holder!r} and the list of who gave them must have one entry per vote; got {len(held)} and "
            f"{len(sayers)} in {where}; export them together"
        )
    yield from ((j, a, "blank" if a is None else "") for j, a in zip(sayers, held, strict=True))


def lists_votes(files: Files) -> bool:
    """Whether the rows of a file hold their votes in lists, so that each vote makes a row of a table."""
    row = _row_with_votes(files) or {}
    holders = holders_of(row)
    return len(holders) == 1 and isinstance(row[holders[0]], list)


def _rows_of_lists(files: Files) -> Rows:
    """Row of each vote in the lists: what stands beside the list, and the cells of the vote as they stand."""
    first = _first(files) or {}
    (holder,) = holders_of(first)
    beside = (holder, _sayers(first)) if not isinstance(first[holder][0], dict) else (holder,)
    every = list(_rows(files))
    numbered = {} if match(first, ITEM_NAMES) else {"item": 0}
    taken = {n.lower() for _, row in every for n in row if n not in beside} | {*numbered}
    who, what, new = _names_in_lists(first[holder][0], holder, taken)
    rows: list[dict[str, Any]] = []
    absent = {"votes not given": Counter[str](), "left out": Counter[str]()}
    for number, (where, row) in enumerate(every, start=1):
        own = {name: value for name, value in row.items() if name not in beside}
        own |= dict.fromkeys(numbered, number)
        held: Any = row.get(holder)
        if not held:
            absent["left out"]["rows without votes"] += 1
        of_objects = isinstance(held, list) and held and isinstance(held[0], dict)
        for k, (judge, answer, why) in enumerate(_votes(row, holder, where)):
            if why:
                absent["votes not given"][why] += 1
            vote = held[k] if of_objects else {"judge": judge, "answer": answer}
            name = match(vote, JUDGE_NAMES)
            cells = {who if n == name else new(n): v for n, v in vote.items()}
            failed = [new(n) for n in vote if why not in ("", "blank") and n.lower() in _ANSWERS]
            rows.append({**own, **cells, **dict.fromkeys(failed)})
    judges = {str(row[who]) for row in rows}
    note = f"{files.name}: a row for each of the {len(rows)} votes in {holder!r}"
    more = tuple(f"{which}: {_reasons(n)}" for which, n in absent.items() if n)
    if len(judges) > 1:
        return Rows(rows, note, more, who if _is_a_judge(first[holder][0]) else None)
    for judge in judges:  # a column of its verdicts, as in a table of one judge
        only = f"{holder}.{judge}" if judge in rows[0] else judge
        rows = [{only if n == what else n: v for n, v in row.items() if n != who} for row in rows]
    return Rows(rows, note, more)


def _names_in_lists(
    entry: Any, holder: str, taken: set[str]
) -> tuple[str, str, Callable[[str], str]]:
    """What the columns of who answered, of the answers, and the rest are called: as in the lists if free."""
    names = list(entry) if isinstance(entry, dict) else ["judge", "answer"]
    who, what = match(names, JUDGE_NAMES), _what(entry)
    used = taken | {name.lower() for name in names}
    column = who
    if who is None or who.lower() in (*taken, *_NO_SAYERS):
        column = "judge" if "judge" not in used else f"{holder}.judge"
    usual = what.lower() in taken and "answer" not in used

    def new(name: str) -> str:
        if usual and name == what:
            return "answer"
        return f"{holder}.{name}" if name.lower() in taken else name

    return str(column), new(what), new


_NO_SAYERS = ("model", "identifier", "source_id")


def _is_a_judge(entry: Any) -> bool:
    """Whether the name of who answered says so: a model may have written what was judged."""
    name = match(entry, JUDGE_NAMES) if isinstance(entry, dict) else "judge"
    return name is not None and name.lower() not in _NO_SAYERS


def _what(entry: Any) -> str:
    """Cell of a vote that says what was answered: a verdict before a text that may be called an answer."""
    cells = entry if isinstance(entry, dict) else {"answer": None}
    short = [name for name, cell in cells.items() if len(str(cell).split()) <= _MOST_WORDS]
    usual = ("verdict", "label", "grade", "rating", *_ANSWERS)
    return match(short, usual) or match(cells, usual) or "answer"


def _vote(entry: Any, holder: str, where: str) -> Vote:
    judge = match(entry, JUDGE_NAMES) if isinstance(entry, dict) else None
    if judge is None:
        raise DataError(
            f"every vote in {holder!r} must name its judge; one of {where} does not; name it 'judge'"
        )
    failed = entry.get("success") is False or any(entry.get(name) for name in _FAILED)
    status = str(entry.get("status") or "submitted")
    value = entry.get(_what(entry))
    why = "failed" if failed else "" if status == "submitted" else status
    return entry[judge], value, why or ("blank" if value is None else "")


# --- Several files of one kind, a judge each, joined on the item.


_KINDS = {".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".xlsx"}
_FOR_PEOPLE = {".md", ".txt", ".log", ".html", ".yaml", ".yml"}


def fits_folder(files: Files) -> bool:
    """Whether several files were named, by a list or a folder."""
    return files.several


def tables_of(files: Files) -> tuple[Path, ...]:
    """Files that are not for people to read."""
    return tuple(path for path in files.paths if path.suffix.lower() not in _FOR_PEOPLE)


def are_parts(files: Files, judges: tuple[str, ...] | None) -> bool:
    """Whether files are parts of one table, not the votes of a judge each, by the names of their columns.

    They are where all have the same columns, and these name the judges (a long table), or are two judges
    or more; a column called like an answer makes a file one judge's.
    """
    columns = [files.columns(path) for path in tables_of(files)]
    if not columns or not columns[0] or any(set(names) != set(columns[0]) for names in columns):
        return False
    names = list(columns[0])
    if judges is not None and set(judges) <= set(names):
        return True
    item = match(names, ITEM_NAMES)
    rest = [name for name in names if name != item]
    if match(rest, ANSWER_NAMES) is not None:
        return item is not None and match(rest, JUDGE_NAMES) is not None
    return len(candidates(rest)[0]) > 1


def read_folder(files: Files, wanted: Wanted) -> Gathered:
    """Votes of each file's judge, which is named like the file."""
    tables = list(tables_of(files))
    strange = [path.name for path in tables if path.suffix.lower() not in _KINDS]
    if strange or not tables:
        raise DataError(
            f"the files of {files.name} must be tables, a judge each; got "
            f"{shown(tuple(strange), 4) or 'none'}; name the files of votes, a log of Inspect by itself"
        )
    votes = Gathered(f"{len(tables)} judges, a file each")
    names = _judges(tables)
    seen: set[str] = set()
    for judge, path in zip(names, tables, strict=True):
        own = _read_judge(votes, judge, path, wanted.question, tables)
        if seen and not own & seen:
            raise DataError(
                f"the files must speak of the same items; {path.name} has none of those before it (it "
                f"has {min(own)!r}); write the ids alike"
            )
        seen |= own
    votes.notes.insert(0, "judge: the file's name; item and answer: its columns")
    return votes


def _judges(paths: list[Path]) -> list[str]:
    """Names of files without what all of them begin and end with."""
    stems = [path.stem for path in paths]
    if len(stems) < 2 or len(set(stems)) < len(stems):
        return (
            stems if len(set(stems)) == len(stems) else [f"{p.parent.name}/{p.stem}" for p in paths]
        )
    before = _common(stems)
    after = _common([stem[before:][::-1] for stem in stems])
    cut = [stem[before : len(stem) - after] for stem in stems]
    return cut if all(cut) else stems


def _common(texts: list[str]) -> int:
    """How many characters all texts begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return sum(1 for _ in alike)


def _read_judge(
    votes: Gathered, judge: str, path: Path, question: str | None, files: list[Path]
) -> set[str]:
    names = columns_of(path)
    if match(names, JUDGE_NAMES) is not None and match(names, ANSWER_NAMES) is not None:
        raise DataError(
            f"every file must hold the votes of one judge; {path.name} names judges in column "
            f"{match(names, JUDGE_NAMES)!r}; put the files into one table"
        )
    table = open_table(path)
    item = match(table.names, ITEM_NAMES)
    if item is None:
        raise DataError(
            f"every file must have a column of item ids, as judges are joined on them; {path.name} has "
            f"{shown(table.names)}; name one 'item'"
        )
    answer = _answer(table, item, path, question)
    _refuse_words(table, answer, path, files)
    own: dict[str, int] = {}
    for row, (name, cell) in enumerate(
        zip(table.column(item).texts(), table.column(answer).texts(), strict=True), start=1
    ):
        if name is None:
            raise DataError(
                f"every row must name its item; row {row} of {path.name} has none; fill it"
            )
        if name in own:
            raise DataError(
                f"a judge must vote on an item once; {path.name} has {name!r} in rows {own[name]} and {row}; "
                "keep one"
            )
        own[name] = row
        votes.vote(name, judge, cell)
    return set(own)


def _answer(table: Table, item: str, path: Path, question: str | None) -> str:
    if question is not None and question in table.names:
        return question
    rest = [name for name in table.names if name != item]
    answer = rest[0] if len(rest) == 1 else match(rest, ANSWER_NAMES)
    if answer is None or question is not None:
        raise DataError(
            f"every file must have one column of answers; {path.name} has {shown(tuple(rest))}; name it "
            f"'answer', or choose with {option('question')}"
        )
    return answer


_FEW_TEXTS = 10  # verdicts of several words that a judge may have


def _refuse_words(table: Table, answer: str, path: Path, files: list[Path]) -> None:
    """Refuse a file whose answers are what a system wrote, as a table has that lies beside its labels."""
    texts = [text for text in table.column(answer).texts() if text is not None]
    written = sum(len(text.split()) > 2 for text in {*texts})
    if written <= max(_FEW_TEXTS, len(texts) / 2):
        return
    other = next(file.name for file in [*files, path] if file is not path)
    raise DataError(
        f"several files must be parts of one table, or hold the verdicts of one judge each; {answer!r} of "
        f"{path.name} holds {written:,} different texts; where {other} has people's labels of its items, "
        f"name {path.name} alone, with {option('human', other)}"
    )


# --- Files of known tools that hold no votes as they are, with what to name or export in their
# place.


@dataclass(frozen=True, slots=True)
class _Stranger:
    """A kind of file told by its columns or keys, what it is, and what to do."""

    keys: frozenset[str]
    what: str
    advice: str


_STRANGERS = (
    _Stranger(
        frozenset({"results", "configs", "versions"}),
        "totals of lm-eval",
        "run it with --log_samples, and name the files samples_*.jsonl or their folder",
    ),
    _Stranger(
        frozenset({"cases", "failures", "dataset_name"}),
        "a report of pydantic-evals, whose assertions, labels and scores answer different questions",
        "write one row per case and judge: item, judge, answer",
    ),
    _Stranger(
        frozenset({"fields", "responses", "suggestions"}),
        "nested records of Argilla, which do not say which responses were submitted",
        "write them flat, with records.to_list(flatten=True)",
    ),
)


def _has_a_response_each(files: Files) -> bool:
    """Whether nested records of Argilla hold one response to each question, and no list of them."""
    responses = (files.first_row() or {}).get("responses")
    each = responses.values() if isinstance(responses, dict) else ()
    return bool(each) and all(
        isinstance(response, dict) and "value" in response for response in each
    )


def refuse_stranger(files: Files) -> None:
    """Refuse a file of a known tool that is not the one with votes."""
    if files.several:
        return
    names = set(files.columns()) | keys_of(files.document())
    for stranger in _STRANGERS:
        if stranger.keys <= names and not _has_a_response_each(files):
            raise DataError(f"{files.name} must hold votes; got {stranger.what}; {stranger.advice}")


# --- Tables that are not written as one: a JSON object around its rows or columns, a log of events.


@dataclass(frozen=True, slots=True)
class Rows:
    """Objects to be read as the rows of a table, and what they are made of."""

    rows: list[dict[str, Any]]
    note: str
    more_notes: tuple[str, ...] = ()
    rater: str | None = None
    """Column of who gave the votes, where the file says it."""


Runs = list[tuple[Path, dict[str, Any]]]
"""Files of runs, and what stands beside the rows of each."""


def rows_of_runs(files: Files, runs: Runs) -> Rows:
    """Rows of several files as those of one table."""
    rows = [{**beside, **row} for path, beside in runs for _, row in files.rows(path)]
    return Rows(rows, f"{files.name}: the rows of {how_many(len(runs), 'file')} as one table")


def rows_inside(files: Files) -> Rows | None:
    """Rows of a file that is one JSON object with a table in it, or a log of OpenAI evals; None of others."""
    if files.several:
        return None
    if lists_votes(files):
        return _rows_of_lists(files)
    document = files.document()
    if document is not None:
        return _rows_of_document(document, files.name)
    first = files.first_row() or {}
    if set(first) >= _EVENT or "completion_fns" in keys_of(first.get("spec")):
        return _rows_of_events(files)
    return None


def _rows_of_document(document: dict[str, Any], name: str) -> Rows | None:
    names, cells = _names_in(document.get("columns")), document.get("data", document.get("rows"))
    if names and isinstance(cells, list) and all(isinstance(row, list) for row in cells):
        wrong = next((k for k, row in enumerate(cells, 1) if len(row) != len(names)), None)
        if wrong is not None:
            raise DataError(
                f"every row of {name} must have {how_many(len(names), 'cell')}, as it has columns; row "
                f"{wrong} has {len(cells[wrong - 1])}; write the file again"
            )
        rows = [dict(zip(names, row, strict=True)) for row in cells]
        return Rows(rows, f"{name} read as a table of columns and rows")
    values = list(document.values())
    of_cells = [list(v.values()) if isinstance(v, dict) else v for v in values]
    if len(values) > 1 and all(isinstance(v, list) for v in of_cells):
        keys = {tuple(v) if isinstance(v, dict) else range(len(v)) for v in values}
        if len(keys) == 1 and (n := len(of_cells[0])) > 1 and not _nested(of_cells):
            rows = [
                {c: cells[k] for c, cells in zip(document, of_cells, strict=True)} for k in range(n)
            ]
            return Rows(rows, f"{name} read as a table written column by column")
    lists = {
        key: value
        for key, value in document.items()
        if isinstance(value, list) and len(value) > 1 and all(isinstance(v, dict) for v in value)
    }
    if len(lists) != 1:
        return None
    (key, rows), *_ = lists.items()
    return Rows(rows, f"{name}: the {how_many(len(rows), 'object')} under {key!r} are the rows")


def _names_in(columns: object) -> list[str]:
    """Names of columns, which are texts or objects with a name; none where they are not, or one is twice."""
    if not isinstance(columns, list):
        return []
    names = [c.get("name", c.get("field")) if isinstance(c, dict) else c for c in columns]
    plain = [name for name in names if isinstance(name, str)]
    return plain if len(set(plain)) == len(columns) else []


def _nested(columns: list[list[Any]]) -> bool:
    """Whether columns hold objects only, so that they are lists of something else."""
    return all(isinstance(cell, dict | list) for cells in columns for cell in cells)


_KEYS = {"expected": "reference", "correct": "verdict"}
_SAID_TWICE = ("choice", "score", "picked", "sampled", "options")
_EVENT = frozenset({"run_id", "event_id", "sample_id", "type", "data"})


def _rows_of_events(files: Files) -> Rows | None:
    """Row of each sample: what was asked, what the model said, and the numbers and verdicts on it."""
    samples: dict[str, dict[str, Any]] = {}
    model, kinds = "", Counter[str]()
    for _, row in files.rows():
        spec, data = row.get("spec"), row.get("data")
        if isinstance(spec, dict):
            names = spec.get("completion_fns") or [spec.get("completion_fn", "")]
            model = ", ".join(map(str, names))
        if not isinstance(data, dict) or not isinstance(row.get("sample_id"), str):
            continue
        sample = samples.setdefault(
            row["sample_id"], {"sample_id": row["sample_id"], "system": model}
        )
        kinds[str(row.get("type"))] += 1
        if row.get("type") == "sampling":
            texts = {
                "prompt": _last_said(data.get("prompt")),
                "response": _last_said(data.get("sampled")),
            }
            own = "response" in sample
            made = {"grading": texts["response"]} if own else texts
            sample |= {key: text for key, text in made.items() if key not in sample}
        else:
            plain = {k: v for k, v in data.items() if not isinstance(v, dict | list)}
            if "choice" in plain:  # of a model that grades; its score is the number for this choice
                plain = {"grader": plain["choice"], **plain}
            sample |= {
                _KEYS.get(k, k): v
                for k, v in plain.items()
                if k not in _SAID_TWICE or (k == "score" and "choice" not in plain)
            }
    if not samples:
        return None
    events = ", ".join(f"{kind} {n}" for kind, n in kinds.items())
    return Rows(
        list(samples.values()),
        f"{files.name} read as a log of OpenAI evals: a row for each of "
        f"{how_many(len(samples), 'sample')}, from its events ({events})",
    )


def _last_said(held: object) -> object:
    """Text of a message, or of the last of several."""
    last = held[-1] if isinstance(held, list) and held else held
    return last.get("content") if isinstance(last, dict) else last


# --- One vote of a judge on an item: of several the newest if asked, else a refusal that names
# them.


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as it stands in a file."""

    item: str
    judge: str
    place: str  # in words: "annotation 12", "line 3 of x.jsonl"
    when: Any  # ISO text or a number, None where the file has no time
    held: Any  # what the file says
    person: bool = False  # whether a person gave it


def without_repeats(
    ballots: Iterable[Ballot], latest: bool, left_out: Counter[str], what: str
) -> list[Ballot]:
    """Return one ballot a judge and item, and count the older ones among what was left out."""
    met: dict[tuple[str, str], list[Ballot]] = {}
    for ballot in ballots:
        met.setdefault((ballot.item, ballot.judge), []).append(ballot)
    several = [group for group in met.values() if len(group) > 1]
    if several and not latest:
        first = several[0]
        more = f"; {how_many(len(several) - 1, 'more pair')} alike" if len(several) > 1 else ""
        raise DataError(
            f"a judge must vote on an item once; {first[0].judge!r} votes on item {first[0].item!r} in "
            f"{_where(first)}{more}; keep one of each, or take the newest with {option('latest')}"
        )
    if several:
        left_out[what] += sum(len(group) - 1 for group in several)
    return [_newest(group) for group in met.values()]


def _newest(group: list[Ballot]) -> Ballot:
    if len(group) == 1:
        return group[0]
    times = [_time(ballot.when) for ballot in group]
    dated = [time for time in times if time is not None]
    if len(dated) < len(group) or dated.count(max(dated)) > 1:
        raise DataError(
            f"the newest vote must be known by its time; {group[0].judge!r} votes on item {group[0].item!r} "
            f"in {_where(group)}, with no time or the same; keep one of them"
        )
    return group[dated.index(max(dated))]


def _time(when: Any) -> float | None:
    """Time as seconds; one without a zone is taken for UTC."""
    if isinstance(when, int | float) and not isinstance(when, bool):
        return float(when) if when == when else None
    try:
        time = datetime.fromisoformat(str(when))
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _where(group: list[Ballot]) -> str:
    shown = ", ".join(ballot.place for ballot in group[:4])
    return shown + (f", ... ({len(group)} in all)" if len(group) > 4 else "")
