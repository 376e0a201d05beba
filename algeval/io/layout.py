"""The layout of a table: long, wide or one-hot, and which column is what."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from algeval.data.exports import Export as Export
from algeval.data.exports import export_of as export_of
from algeval.data.facts import words_of as words_of
from algeval.data.names import Caution, check_names
from algeval.data.names import shown as shown
from algeval.errors import DataError, either_way, option, parameter
from algeval.io.answers import Column, Positions, ReadOptions, as_number, plain, tidy
from algeval.io.formats import Opened, is_database, is_parquet, open_file, open_parquet
from algeval.io.tables import Table

# --- Tell wide tables from long ones, and which columns are items, judges and answers.


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ITEM_NAMES = (
    *_words(
        "item item_id itemid task_id task taskid question_id questionid question example_id example "
        "instance_id instance document_id doc_id document doc sample_id sample row_id uid uuid object "
        "unit prompt_id conversation_id pair_id trace_id traceid span_id hitid testidx _input_hash id index"
    ),
    "unnamed: 0",
    "",
)
JUDGE_NAMES = _words(
    "judge judge_id worker worker_id workerid rater rater_id annotator annotator_id grader grader_id "
    "performer labeler labeller coder reviewer evaluator classifier voter user user_id source_id "
    "identifier _annotator_id completed_by model"
)
ANSWER_NAMES = _words(
    "answer vote response label labels score rating grade judgment judgement verdict annotation "
    "prediction decision choice value category result.label stringvalue string_value"
)
KEY_NAMES = _words(
    "key gold gold_label truth true_label ground_truth groundtruth answer_key correct correct_answer "
    "target expected reference gt y_true"
)
_ROW_NAMES = ("index", "unnamed: 0", "")
"""What a column is called that a program wrote beside the rows."""

_MARKS = _words("id ids uuid guid uid key hash")
"""How the name of a column of ids ends: output_id, case-id, runUUID."""

_LIKE_IDS = _words(
    "filename filepath file path url uri link ticket case number no nr code ref record slug digest sku doi "
    "isbn serial sha md5 #"
)
"""Words at the end of a name that is one of ids where no value repeats."""

_JUDGED = _words(
    "item output response generation completion answer result case sample example instance task question "
    "query prompt request document doc record row entry span trace call message turn"
)
"""What an id is of, the likeliest to be judged first."""

_GROUPING = _words(
    "session conversation thread user model system run batch job version experiment project team org account "
    "customer group cluster split parent api"
)
"""What an id is of that many rows share."""

_MEASURES = _words(
    "tokens token latency ms sec secs seconds duration elapsed runtime cost usd eur price length len chars "
    "words temperature bytes size age timestamp time date"
)
TEXT_NAMES = frozenset(
    _words(
        "prompt question query input instruction instructions context passage response output answer "
        "completion generation reply summary transcript message translation text reason rationale "
        "explanation comment"
    )
)
"""Words at the end of the name of a column of text to read."""

SHARED_BY_OUTPUTS = frozenset(
    _words(
        "prompt question query request source conversation dialog dialogue session thread document doc "
        "passage context"
    )
)
"""What items are about or come from, where several share it."""

_FEEDBACK = "feedback."  # how LangSmith begins the names of its judges' columns
_NEVER_VOTES = {
    *ITEM_NAMES,
    *JUDGE_NAMES,
    *_words(
        "prompt text comment comments note notes explanation reason reasoning rationale timestamp time "
        "date datetime model_a model_b response_a response_b answer_a answer_b source split topic pair "
        "aspect created_at updated_at lead_time execution_time annotation_id annotator_kind language tstamp "
        "hittypeid assignmentid assignmentstatus _task_hash _session_id _timestamp _view_id"
    ),
}


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """What the caller said about the columns."""

    item: tuple[str, ...] = ()
    judge: str | None = None
    answer: str | None = None
    judges: tuple[str, ...] | None = None
    key: str | None = None
    layout: str | None = None
    attributes: tuple[str, ...] = ()
    from_reader: bool = False
    """Whether the columns are those that a tool's reader makes, and need no telling."""

    @classmethod
    def make(
        cls,
        item: str | Iterable[object] | None = None,
        judge: object = None,
        answer: object = None,
        judges: Iterable[object] | None = None,
        layout: str | None = None,
        attributes: Iterable[object] | None = None,
    ) -> ColumnRoles:
        """Check the options that name columns."""
        if layout not in (None, "wide", "long"):
            raise DataError(f"layout must be 'wide' or 'long'; got {layout!r}")
        items: tuple[str, ...] = ()
        if item is not None:
            items = (item,) if isinstance(item, str | int) else check_names("item column", item)
        return cls(
            item=tuple(str(name) for name in items),
            judge=None if judge is None else str(judge),
            answer=None if answer is None else str(answer),
            judges=None if judges is None else check_names("judge", judges),
            layout=layout,
            attributes=() if attributes is None else check_names("attribute", attributes),
        )

    @classmethod
    def of(cls, options: ReadOptions) -> ColumnRoles:
        """Columns that reading options name."""
        return cls.make(options.item, options.judge, options.answer, options.judges, options.layout)

    @property
    def anything(self) -> bool:
        """Whether the caller said what any column but the key is, or which layout it is."""
        return bool(self.item or self.judge or self.answer or self.judges or self.layout)

    def with_key(self, key: str | None) -> ColumnRoles:
        """Same with the key column named."""
        return replace(self, key=key)

    def with_attributes(self, attributes: Iterable[object] | None) -> ColumnRoles:
        """Same with the columns of attributes named."""
        names = () if attributes is None else check_names("attribute", attributes)
        return replace(self, attributes=names)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns hold what; `votes` are the wide judges, `item` is empty when ids are made up."""

    kind: str
    item: tuple[str, ...]
    judge: str = ""
    answer: str = ""
    votes: tuple[str, ...] = ()
    chosen: bool = False
    rest: tuple[str, ...] = ()
    """Columns that were named attributes; of a wide table whose judges were named, all others."""
    notes: tuple[str, ...] = ()


def match(names: Iterable[str], wanted: Sequence[str]) -> str | None:
    """Column whose name is the earliest of `wanted`, whatever its case."""
    by_name = {name.strip().lower().replace(" ", "_"): name for name in reversed(list(names))}
    by_name |= {name.strip().lower(): name for name in reversed(list(names))}
    return next((by_name[name] for name in wanted if name in by_name), None)


def check_columns(table: Table, roles: Iterable[tuple[str, str | None]]) -> None:
    """Check that every column asked for is there: [(option, column), ...]."""
    for stated, name in roles:
        if name is not None and name not in table.names:
            raise DataError(
                f"{parameter(stated)} must name a column; got {name!r}; the columns are {shown(table.names)}"
            )


def find_layout(table: Table, roles: ColumnRoles) -> Layout:
    """Return which columns hold items, judges and answers, or say what to tell the reader."""
    check_columns(table, [("judge", roles.judge), ("answer", roles.answer), ("key", roles.key)])
    check_columns(table, [("item", name) for name in roles.item])
    check_columns(table, [("attributes", name) for name in roles.attributes])
    _refuse_uncut(table)
    kind = roles.layout or _kind_named(table, roles) or _kind_by_content(table, roles)
    layout = _long(table, roles) if kind == "long" else _wide(table, roles)
    return replace(layout, notes=(*_layout_note(layout, roles), *layout.notes))


def _refuse_uncut(table: Table) -> None:
    """Refuse a table whose rows were not cut into cells: one column, whose cells hold what the name does."""
    if len(table.names) != 1:
        return
    name = table.names[0]
    cells = [text for text in map(plain, table.column(name).values) if text is not None]
    for mark, said in ((r"\s+", "blanks"), (";", "semicolons"), (r"\|", "bars"), (",", "commas")):
        n = len(re.split(mark, name.strip()))
        if n > 1 and cells and all(len(re.split(mark, cell)) == n for cell in cells):
            raise DataError(
                f"a table must have cells of their own; got one column {name!r}, whose cells are {n} values "
                f"between {said} in every row; save it as CSV, with commas between the cells"
            )


def is_text(column: Column) -> bool:
    """Whether a column holds text to read: prompts, responses, reasons; never a vote unless it is named."""
    n_cells = int((column.codes >= 0).sum())
    texts = [text for text in map(plain, column.values) if text is not None]
    if (
        len(texts) < 2
        or 2 * len(texts) < n_cells
        or any(as_number(t) is not None for t in texts[:3])
    ):
        return False
    some = texts[:: max(1, len(texts) // 1000)]
    n_words = sum(len(text.split()) for text in some) / len(some)
    length = sum(map(len, some)) / len(some)
    return n_words >= 4 or (n_words >= 2 and length >= 30)


def is_measure(name: str) -> bool:
    """Whether a name says that numbers are a measure of the output, and no verdict on it."""
    return not set(words_of(name)).isdisjoint(_MEASURES)


def _id_rank(name: str) -> int | None:
    """How early a column is taken for the item ids by its name, None where it is not one of ids."""
    low, words = name.strip().lower(), words_of(name)
    joined_name = low.replace(" ", "_")
    if low in _ROW_NAMES:
        return 500 + _ROW_NAMES.index(low)
    if joined_name in ITEM_NAMES:
        rank = ITEM_NAMES.index(joined_name)
        return 300 if joined_name == "id" else rank if rank < 3 else 100 + rank
    if joined_name in JUDGE_NAMES or not words:
        return None
    of = _marked(words)
    if of is None:
        return 400 if words[-1] in _LIKE_IDS or words[-2:] == ["file", "name"] else None
    if of in _JUDGED[:6]:
        return 10 + _JUDGED.index(of)
    return 200 + (_JUDGED.index(of) if of in _JUDGED else 80 if of in _GROUPING else 50)


def _marked(words: Sequence[str]) -> str | None:
    """Return what the values of a column identify, as its words say; None where they say no ids."""
    *before, last = words
    of = before[-1] if before else ""
    if last[-2:] == "id" and last[:-2] in (*_JUDGED, *_GROUPING):
        return last[:-2]
    marked = last in _MARKS and (bool(before) or last in ("uuid", "guid", "uid", "key", "hash"))
    return of if marked and of not in JUDGE_NAMES else None


def _ranked(names: Iterable[str]) -> list[str]:
    """Columns whose names say ids, the best first."""
    ranks = {name: rank for name in names if (rank := _id_rank(name)) is not None}
    return sorted(ranks, key=lambda name: (ranks[name], name))


def item_column(names: Iterable[str]) -> str | None:
    """Column of item ids as its name says, None where no name does."""
    return next(iter(item_columns(names)), None)


def item_columns(names: Iterable[str]) -> list[str]:
    """Return all columns whose names say item ids, the best first."""
    return [name for name in _ranked(names) if name.strip().lower() not in KEY_NAMES]


def _column_of_ids(table: Table, name: str) -> Column | None:
    """Column of plain cells, None where it holds lists or objects."""
    try:
        return table.column(name)
    except DataError:
        return None


def _each_once(table: Table, names: Sequence[str]) -> bool:
    """Whether every row has a value of its own in some columns together, none of them blank."""
    rows: Positions | None = None
    for name in names:
        column = _column_of_ids(table, name)
        if column is None or (len(names) == 1 and len(column.values) < table.n_rows):
            return False
        texts = [plain(value) for value in column.values]
        code_of = {
            text: k for k, text in enumerate(dict.fromkeys(t for t in texts if t is not None))
        }
        codes = column.look_up([-1 if text is None else code_of[text] for text in texts])
        if (codes < 0).any():
            return False
        rows = codes if rows is None else rows * len(code_of) + codes
    return rows is not None and len(np.unique(rows)) == table.n_rows


def is_shared(name: str) -> bool:
    """Whether a column is called like a prompt, a source or a conversation, or the id of one."""
    words = words_of(name)
    return (
        bool(words) and not is_measure(name) and (_marked(words) or words[-1]) in SHARED_BY_OUTPUTS
    )


def needed_columns(names: Sequence[str], roles: ColumnRoles) -> tuple[str, ...]:
    """Columns that `find_layout` and reading look into; of the others the name says enough."""
    taken = {roles.key, roles.judge, roles.answer, *roles.item, *roles.attributes}
    free = [name for name in names if name not in taken]
    ids = [] if roles.item else _ranked(free)
    judge, answer = (
        said or match(free, usual)
        for said, usual in ((roles.judge, JUDGE_NAMES), (roles.answer, ANSWER_NAMES))
    )
    there = roles.judges is not None and set(roles.judges) <= set(names)
    if roles.judge or roles.answer:
        taken |= {*ids, judge, answer}
    elif there:
        taken |= {*ids, *(roles.judges or ())}
    else:
        taken |= {*ids, judge, answer, *candidates(free)[0]}
    return tuple(name for name in names if name in taken)


def _kind_named(table: Table, roles: ColumnRoles) -> str | None:
    if roles.judge is not None or roles.answer is not None:
        return "long"
    if roles.judges is not None and all(name in table.names for name in roles.judges):
        return "wide"
    return None


def _free(table: Table, roles: ColumnRoles) -> list[str]:
    taken = {roles.key, roles.judge, roles.answer, *roles.item, *roles.attributes}
    return [name for name in table.names if name not in taken]


def _kind_by_content(table: Table, roles: ColumnRoles) -> str:
    free = _free(table, roles)
    judge, answer = (
        _column_with_content(table, free, JUDGE_NAMES),
        _column_with_content(table, free, ANSWER_NAMES),
    )
    if judge is None or answer is None:
        return "wide"
    item = roles.item or _long_items(table, free, judge, answer)
    if not item:
        return "wide"
    if not _each_once(table, item):
        return "long"
    if _share(table.column(judge), table.column(answer)):
        raise DataError(
            f"the layout must be clear; columns {judge!r} and {answer!r} could be a judge's name and its "
            f"answer, or the answers of two judges; pass {option('layout', 'long')} or "
            f"{option('layout', 'wide')}"
        )
    rest = [name for name in candidates(free)[0] if name != answer]
    verdicts = [column for name in rest if (column := _verdicts(table, name)) is not None]
    alike = any(
        _share(first, second) for first in verdicts for second in verdicts if first is not second
    )
    return "wide" if alike else "long"


def _column_with_content(table: Table, free: Sequence[str], usual: Sequence[str]) -> str | None:
    """First column of a usual name that does not hold text to read."""
    left = list(free)
    while (name := match(left, usual)) is not None:
        column = _column_of_ids(table, name)
        if column is not None and not is_text(column):
            return name
        left.remove(name)
    return None


def _verdicts(table: Table, name: str) -> Column | None:
    """Column that holds few answers, each given again."""
    column = _column_of_ids(table, name)
    few = column is not None and 0 < len(column.values) <= min(12, max(2, len(column.codes) // 2))
    return column if few and _id_rank(name) is None else None


def _share(first: Column, second: Column) -> bool:
    common = {plain(v) for v in first.values} & {plain(v) for v in second.values}
    return bool(common - {None})


def _long(table: Table, roles: ColumnRoles) -> Layout:
    free = _free(table, roles)
    judge = (
        roles.judge or _column_with_content(table, free, JUDGE_NAMES) or match(free, JUDGE_NAMES)
    )
    answer = (
        roles.answer or _column_with_content(table, free, ANSWER_NAMES) or match(free, ANSWER_NAMES)
    )
    item = roles.item or _long_items(table, free, judge, answer)
    rest = [name for name in free if name not in (*item, judge, answer, *table.index.columns)]
    for role, column in (("item", item), ("judge", judge), ("answer", answer)):
        if not column:
            raise DataError(
                f"a long table must name its column of {role}s; none of {shown(table.names)} has a "
                f"usual name for it; pass {option(role)}"
            )
    if len({*item, judge, answer}) < len(item) + 2:
        raise DataError(
            f"item, judge and answer must be different columns; got {shown([*item, str(judge), str(answer)])}"
        )
    notes = (f"columns left out: {shown(rest)}",) if rest and not roles.from_reader else ()
    return Layout("long", item, str(judge), str(answer), rest=roles.attributes, notes=notes)


def _long_items(
    table: Table, free: Sequence[str], judge: str | None, answer: str | None
) -> tuple[str, ...]:
    """Column of items of a long table: by name, and such that a judge meets each once."""
    apart = () if table.index.named else table.index.columns
    left = [name for name in free if name not in (judge, answer, *apart)]
    ranked = [name for name in _ranked(left) if name.strip().lower() not in KEY_NAMES]
    index = table.index.columns
    is_named = table.index.named or _is_worded(table, index)
    repeats = is_named and len(index) == 1 and not _each_once(table, index)
    candidates_ = [*(index if table.index.named and repeats else ()), *ranked]
    if len(candidates_) > 1 and judge is not None:
        fitting = [
            n for n in candidates_ if not _each_once(table, [n]) and _each_once(table, [n, judge])
        ]
        candidates_ = fitting or candidates_
    return tuple(candidates_[:1] or (index if repeats else ()))


def _wide_items(
    table: Table, roles: ColumnRoles, free: Sequence[str]
) -> tuple[tuple[str, ...], Notes]:
    """Columns of the item ids of a wide table, none where row numbers are, and what to say.

    By name first, where no value repeats; then the index of a data frame; then a column that holds a
    word or a number of its own in every row.
    """
    index, named = table.index.columns, table.index.named
    ranked = [n for n in _ranked(free) if n not in index or _id_rank(n) not in _ROW_RANKS]
    once = [n for n in ranked if _each_once(table, [n]) and not _is_key(table, n, free)]
    texts = [name for name in once if is_text(table.column(name))]
    sure = [name for name in once if name not in texts]
    numbers = _is_row_numbers(table, index)
    if named and not numbers and _each_once(table, index):
        return index, _others_note(index, [name for name in sure if name not in index])
    if sure:
        ids = [name for name in sure[1:] if _id_rank(name) not in _ROW_RANKS]
        return (sure[0],), _others_note(sure[:1], ids)
    if index and not numbers and _is_worded(table, index) and _each_once(table, index):
        return index, ()
    repeated = [
        n for n in ranked if n not in once and _must_name(n, chosen=roles.judges is not None)
    ]
    if repeated:
        return (repeated[0],), ()
    if index and not numbers:
        if _each_once(table, index):
            return index, ()
        if named or _is_worded(table, index):
            return index, ()
        return (), (Caution(f"the index repeats, row numbers are the ids; {_say_item()}"),)
    texts = [name for name in texts if not {*words_of(name)[-1:]} & _READ]
    if texts:
        return (texts[0],), (Caution(f"item ids are the texts of {texts[0]!r}; {_say_item()}"),)
    return _unnamed_items(table, free, roles)


Notes = tuple[str, ...]
_ROW_RANKS = range(500, 510)
_READ = TEXT_NAMES | {"document", "doc"}


def _say_item() -> str:
    return f"{option('item')} names another column"


def _is_key(table: Table, name: str, free: Sequence[str]) -> bool:
    """Whether a column that is called like an answer key holds what others answer."""
    if name.strip().lower() not in KEY_NAMES:
        return False
    others = [c for n in candidates(free)[0] if (c := _column_of_ids(table, n)) is not None]
    return any(_share(table.column(name), other) for other in others)


def _must_name(name: str, *, chosen: bool) -> bool:
    """Whether a column is one of item ids by its name alone, so that values may not repeat."""
    joined_name, rank = name.strip().lower().replace(" ", "_"), _id_rank(name)
    return joined_name in ITEM_NAMES or (not chosen and rank is not None and rank < 280)


def _is_row_numbers(table: Table, names: Sequence[str]) -> bool:
    """Whether a column holds 0, 1, 2, ... in the order of the rows."""
    if len(names) != 1 or (column := _column_of_ids(table, names[0])) is None:
        return False
    return column.texts() == list(map(str, range(table.n_rows)))


def _is_worded(table: Table, names: Sequence[str]) -> bool:
    """Whether ids are texts, which no program wrote to number the rows."""
    columns = [column for name in names if (column := _column_of_ids(table, name)) is not None]
    return any(as_number(plain(c.values[0]) or "") is None for c in columns if c.values)


def _others_note(names: Sequence[str], others: Sequence[str]) -> Notes:
    if not others:
        return ()
    return (
        Caution(
            f"item ids are those of {shown(names)}; {shown(others, 4)} "
            f"{'differs' if len(others) == 1 else 'differ'} on every row too; {_say_item()}"
        ),
    )


def _unnamed_items(
    table: Table, free: Sequence[str], roles: ColumnRoles
) -> tuple[tuple[str, ...], Notes]:
    """Column that no name, but what it holds shows to be ids; none where row numbers must do."""
    names = [name for name in candidates(free)[0] if name not in table.index.columns]
    columns = {n: c for n in names if (c := _column_of_ids(table, n)) is not None}
    once = [n for n, c in columns.items() if table.n_rows > 2 and _each_once(table, [n])]
    read = [
        n
        for n in free
        if (c := _column_of_ids(table, n)) is not None
        and (is_text(c) or ({*words_of(n)[-1:]} & TEXT_NAMES and _look_like_words(c)))
    ]
    votes = [c for n, c in columns.items() if n not in (*once, *read)]
    votes += [table.column(name) for name in roles.judges or () if name in table.names]
    few = [c for c in votes if len(c.values) <= max(12, table.n_rows // 2)]
    ids = [
        name
        for name in once
        if name not in read
        and few
        and not any(_share(columns[name], other) for other in few)
        and _look_like_ids(columns[name], few)
    ]
    if not ids:
        distinct_texts = [n for n in read if _each_once(table, [n])]
        if not distinct_texts:
            return (), ()
        takes = option("item", distinct_texts[0])
        said = f"{distinct_texts[0]!r} holds texts of its own in every row, and no ids; {takes} takes them"
        return (), (Caution(f"no column of ids, row numbers are the ids; {said}"),)
    best = sorted(
        ids, key=lambda name: (as_number(plain(columns[name].values[0]) or "") is not None, name)
    )
    also = f"; {shown(best[1:], 4)} would do too" if best[1:] else ""
    said = f"item ids are those of {best[0]!r}, which differs on every row{also}; {_say_item()}"
    return (best[0],), (Caution(said),)


def _look_like_words(column: Column) -> bool:
    return all(as_number(plain(value) or "") is None for value in column.values)


def _look_like_ids(column: Column, votes: Sequence[Column]) -> bool:
    """Whether values, each once, are ids: words with figures, many words, or numbers that count up."""
    texts = [plain(value) or "" for value in column.values]
    numbers = [as_number(text) for text in texts]
    if None not in numbers:
        whole = sorted(int(n) for n in numbers if n is not None and n == int(n))
        counts_up = len(whole) == len(texts) and whole[-1] - whole[0] == len(whole) - 1
        words = all(as_number(plain(v) or "") is None for c in votes for v in c.values)
        return counts_up and (words or len(whole) > 12)
    if any(n is not None for n in numbers) or any(
        len(t.split()) > 1 or len(t) > 200 for t in texts
    ):
        return False
    figures = all(any(letter.isdigit() for letter in text) for text in texts)
    return figures or len(texts) > 20


def _wide(table: Table, roles: ColumnRoles) -> Layout:
    free = [n for n in _free(table, roles) if n not in (roles.judges or ())]
    item, said = (roles.item, ()) if roles.item else _wide_items(table, roles, free)
    free = [name for name in free if name not in table.index.columns]
    if roles.judges is not None:
        check_columns(table, [("judges", name) for name in roles.judges])
        taken = [name for name in roles.judges if name in (*roles.item, roles.key)]
        if taken:
            raise DataError(
                f"a judge must not be the item or key column; got {taken[0]!r}; leave it out of "
                f"{option('judges')}"
            )
        rest = roles.attributes or tuple(name for name in free if name not in item)
        return Layout("wide", item, votes=roles.judges, chosen=True, rest=rest, notes=said)
    left = [name for name in free if name not in item]
    ids = [name for name in left if _no_vote_by_name(table, name)]
    votes, notes = candidates([name for name in left if name not in ids])
    if "count" in votes and not item:
        raise DataError(
            "a table of votes must have one row per item; column 'count' says these are counts of decision "
            f"tuples; {either_way('use read_counts or load with', 'pass')} {option('count', 'count')}, or "
            f"name the voting columns with {option('judges')}"
        )
    if not votes:
        raise DataError(
            f"a wide table must have a column per judge; found none in {shown(table.names)}; "
            f"name them with {option('judges')}"
        )
    if ids:
        said_ids = f"left out {shown(ids)}: ids that repeat are not the items'; {_say_item()}"
        notes += (f"left out {shown(ids)}: ids; {_say_item()}" if item else Caution(said_ids),)
    return Layout("wide", item, votes=votes, rest=roles.attributes, notes=(*said, *notes))


def _no_vote_by_name(table: Table, name: str) -> bool:
    """Whether a column is one of ids that are not those of the items."""
    rank, low = _id_rank(name), name.strip().lower()
    if rank is None or low in KEY_NAMES or low in _NEVER_VOTES:
        return False
    return rank < 400 or _each_once(table, [name])


def candidates(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Columns that may be judges by name, with a note on each group left out."""
    feedback = tuple(name for name in names if name.startswith(_FEEDBACK))
    if feedback:  # a frame of LangSmith says which columns are judges
        left = [name for name in names if name not in feedback]
        said = f"left out {shown(left)}: the votes are in {_FEEDBACK}*"
        return feedback, ((said,) if left else ())
    low = {name: name.strip().lower() for name in names}
    keys = [name for name in names if low[name] in KEY_NAMES]
    others = [name for name in names if low[name] in _NEVER_VOTES]
    votes = [name for name in names if name not in keys and name not in others]
    labels = [name for name in votes if low[name] in ("label", "labels")]
    if labels and len(votes) > len(labels):
        keys += labels
        votes = [name for name in votes if name not in labels]
    notes = []
    if keys:
        notes.append(
            f"left out {shown(keys)}: the name says answer key; pass {option('key', keys[0])} to use it"
        )
    if others:
        looks = (
            "looks like metadata, not a judge"
            if len(others) == 1
            else "look like metadata, not judges"
        )
        notes.append(f"left out {shown(others)}: {looks}; pass {option('judges')} to count them")
    return tuple(votes), tuple(notes)


def _layout_note(layout: Layout, roles: ColumnRoles) -> tuple[str, ...]:
    if roles.from_reader:
        return ()
    how = "as asked" if roles.layout else "auto-detected"
    if layout.kind == "long":
        return (
            f"long layout ({how}): item {shown(layout.item)}, judge {layout.judge!r}, "
            f"answer {layout.answer!r}",
        )
    made = (
        f"item {shown(layout.item)}" if layout.item else "no item column, row numbers are the ids"
    )
    return (f"wide layout ({how}): {made}",)


# --- Fold columns that hold one vote between them: winner_a, winner_b, winner_tie, a 1 in one of
# them.


WINNER = frozenset({"winner", "winning", "won", "preference", "preferred", "better", "best"})
"""A column called so, with an ending, is about one candidate and never a judge."""

_FEWEST_ROWS = 5  # so many rows that sum to 1 are no coincidence of three judges or more
_MOSTLY = 0.9  # a larger share of rows that sum to 1 is one vote with slips rather than judges
_VALUES = {"0": 0, "1": 1, "false": 0, "true": 1}


def fold_one_hot(
    columns: list[Column], weights: Positions | None = None
) -> tuple[list[Column], tuple[str, ...]]:
    """Columns with each one-hot group as one column of answers, and a note on each."""
    notes: tuple[str, ...] = ()
    taken: set[str] = set()
    made: dict[str, Column] = {}
    for prefix, group in _groups(columns):
        if taken.intersection(column.name for column in group):
            continue
        if not _is_single_vote(prefix, group, weights):
            continue
        # the values are the endings of names, after the longest start they share up to a separator
        names = [column.name for column in group]
        shared = names[0]
        while not all(name.startswith(shared) for name in names):
            shared = shared[:-1]
        ends = [end.end() for end in re.finditer(r"[_. -]+", shared)]
        stem = shared[: ends[-1]] if ends else shared
        table = _table(group)
        codes = np.where((table >= 0).any(axis=1), table.argmax(axis=1), -1)
        endings = tuple(name[len(stem) :].lstrip("_. -") for name in names)
        folded = Column(stem.rstrip("_. -"), endings, codes.astype(np.int64))
        made[group[0].name] = folded
        taken.update(column.name for column in group)
        notes += (
            f"one vote per row in {shown([c.name for c in group])}: read as judge {folded.name!r} "
            f"answering {shown([str(value) for value in folded.values])}",
        )
    kept = [made.get(c.name, c) for c in columns if c.name not in taken or c.name in made]
    return kept, notes


def _groups(columns: list[Column]) -> list[tuple[str, list[Column]]]:
    """Return (prefix, columns of 0 and 1 that share it), the largest group first."""
    binary = [column for column in columns if _bits(column) is not None]
    by_prefix: defaultdict[str, list[Column]] = defaultdict(list)
    for column in binary:
        for end in re.finditer(r"[_. -]+", column.name):
            if end.start() > 0 and end.end() < len(column.name):
                by_prefix[column.name[: end.start()]].append(column)
    groups = [(prefix, group) for prefix, group in by_prefix.items() if len(group) > 1]
    return sorted(groups, key=lambda pair: (-len(pair[1]), len(pair[0])))


def _bits(column: Column) -> NDArray[np.int64] | None:
    """Column of 0 and 1 (-1 for none), None where it holds anything else."""
    texts = [tidy(value) for value in column.values]
    values = [-1 if text is None else _VALUES.get(text.lower(), 2) for text in texts]
    return column.look_up(values) if {0, 1} & set(values) and 2 not in values else None


def _table(group: Sequence[Column]) -> NDArray[np.int64]:
    return np.stack([bits for column in group if (bits := _bits(column)) is not None], axis=1)


def _is_single_vote(prefix: str, group: Sequence[Column], weights: Positions | None) -> bool:
    """Whether columns are one vote; refuse where that is not clear."""
    words = re.split(r"[_. -]+", prefix.lower())
    if words[-1] in JUDGE_NAMES:
        return False
    table = _table(group)
    voted = (table >= 0).any(axis=1)
    votes, times = table[voted], None if weights is None else weights[voted]
    single = (votes.sum(axis=1) == 1) & (votes >= 0).all(axis=1)
    every, share = bool(single.all()), float(np.average(single, weights=times))
    n = len(single) if times is None else int(times.sum())
    sure = bool(WINNER.intersection(words)) or (len(group) > 2 and n >= _FEWEST_ROWS)
    if every and sure:
        return True
    doubtful = WINNER.intersection(words) or (
        (len(group) > 2 and share >= _MOSTLY and n >= 2 * _FEWEST_ROWS)
        or (len(group) == 2 and every and n >= _FEWEST_ROWS)
    )
    if doubtful:
        raise DataError(_refusal([column.name for column in group], single, table, times))
    return False


def _refusal(
    names: list[str], single: NDArray[np.bool_], table: NDArray[np.int64], times: Positions | None
) -> str:
    start = f"columns {shown(names, 6)} must be one vote, a 1 in exactly one of them, or judges"
    rows = np.flatnonzero((table >= 0).any(axis=1))
    bad = rows[~single]
    if len(bad):
        sums = int(table[bad[0]].clip(min=0).sum())
        n, right = (
            (len(single), single.sum()) if times is None else (times.sum(), times[single].sum())
        )
        which = f"row {bad[0] + 1}" if times is None else "one"
        got = f"{right} of {n} rows have one 1, but {which} sums to {sums}"
    else:
        got = "two columns that never agree, which may be either"
    return f"{start}; got {got}; make one column of them, or pass {option('judges')} to count each as a judge"


# --- Several files as one table: the parts that engines write, of one kind and with the same
# columns.


def open_parts(
    paths: Sequence[Path], *, format: str | None = None, table: str | None = None
) -> Opened:
    """Files as one table; format "hive" is Parquet in folders like ``split=test``, which become columns."""
    if not paths:
        raise DataError("parts of a table must be files; got none; name the files of votes")
    if format == "hive":
        return open_parquet(*paths, hive=True)
    if all(is_parquet(path) for path in paths):
        return open_parquet(*paths)
    if len(paths) == 1:
        return open_file(paths[0], format=format, table=table)
    database = next((path for path in paths if is_database(path)), None)
    if database is not None:
        raise DataError(
            f"files that are parts of one table must be tables; {database.name} is a database; name it alone"
        )
    parts = [open_file(path, format=format) for path in paths]
    first = parts[0]
    for path, part in zip(paths, parts, strict=True):
        _refuse_other(paths[0], first, path, part)
    cells = dict(cell for part in parts for cell in part.cells.items())
    if not first.json:  # the same column may stand in another place
        cells = {name: f"p{position}" for position, name in enumerate(first.cells)}
    selected = [
        "json" if part.json else ", ".join(f"{part.cells[n]} AS {cells[n]}" for n in cells)
        for part in parts
    ]
    pairs = zip(selected, parts, strict=True)
    union = " UNION ALL ".join(f"SELECT {columns} FROM {part.relation}" for columns, part in pairs)
    note = first.note.replace(" read as", f" and {len(parts) - 1} more read as", 1)
    kept = [part.kept for part in parts]
    pointers = dict(pointer for part in parts for pointer in part.pointers.items())
    union_of = replace(first, relation=f"({union})", cells=cells, note=note)
    return replace(union_of, kept=kept, pointers=pointers)


def _refuse_other(first_path: Path, first: Opened, path: Path, part: Opened) -> None:
    parquet = is_parquet(first_path) == is_parquet(path)
    if part.json != first.json or not parquet:
        raise DataError(
            f"files that are parts of one table must be of one kind; {first_path.name} and {path.name} are "
            "not; name those of one kind"
        )
    if not part.json and set(part.cells) != set(first.cells):
        raise DataError(
            f"files that are parts of one table must have the same columns; {first_path.name} has "
            f"{shown(list(first.cells), 6)}, {path.name} {shown(list(part.cells), 6)}; name those alike"
        )


# --- Exports of known tools whose rows stand as they are in a table: what their own columns are.


class Counted:
    """A table without the rows of a tool's export that do not count, and without answers that are none.

    Columns of true and false, one per choice of a question, are one column of the choice.
    """

    def __init__(
        self, table: Table, kept: NDArray[np.intp], blank: Iterable[str], words: Iterable[str]
    ) -> None:
        self._table, self._kept, self._blank, self._words = table, kept, set(blank), set(words)
        self._made = _choices(table, self._blank)
        gone = {name for _, names in self._made.values() for name in names}
        self.names = (*(n for n in table.names if n not in gone), *self._made)
        self.index, self.n_rows, self.notes = table.index, len(kept), table.notes
        weights = table.weights
        self.weights = None if weights is None else weights[kept]

    def column(self, name: str) -> Column:
        """One column by distinct value."""
        column = self._made[name][0] if name in self._made else self._table.column(name)
        codes = column.codes[self._kept]
        if name in self._blank:
            look = [-1 if tidy(v) in self._words else k for k, v in enumerate(column.values)]
            codes = np.array([*look, -1], np.int64)[codes]
        used = np.unique(codes[codes >= 0])
        new = np.full(len(column.values) + 1, -1, np.int64)
        new[used] = np.arange(len(used))
        return Column(name, tuple(column.values[k] for k in used.tolist()), new[codes])

    def same_values(self, name: str) -> Positions | None:
        """Rows that hold the same value."""
        same = self.column(name).codes if name in self._made else self._table.same_values(name)
        return same if same is None or name in self._made else same[self._kept]


def _choices(table: Table, names: Iterable[str]) -> dict[str, tuple[Column, list[str]]]:
    """Questions asked with a column of true and false per choice: the choice, and these columns."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        if "." in name and _bits(table.column(name)) is not None:
            groups[name.rpartition(".")[0]].append(name)
    made = {}
    for stem, columns in groups.items():
        bits = _table([table.column(name) for name in columns])
        if (
            len(columns) > 1
            and stem not in table.names
            and (bits.clip(min=0).sum(axis=1) <= 1).all()
        ):
            ends = tuple(name.rpartition(".")[2] for name in columns)
            codes = np.where((bits == 1).any(axis=1), bits.argmax(axis=1), -1)
            made[stem] = (Column(stem, ends, codes.astype(np.int64)), columns)
    return made


def counted_rows(table: Table) -> Table:
    """Table of a tool's export without rejected work and skipped answers, and a note on them."""
    export = export_of(table.names)
    if export is None or not (export.not_counted or export.no_answers):
        return table
    kept, notes = np.arange(table.n_rows), []
    column, *cells = export.not_counted or ("",)
    if column in table.names:
        texts = [str(text).lower() for text in (*table.column(column).values, "")]
        counts = np.array([text not in cells for text in texts])[table.column(column).codes]
        kept = np.flatnonzero(counts)
        if len(kept) < table.n_rows:
            what = " or ".join(cells)
            notes.append(
                Caution(f"left out, {what} by {column!r}: {table.n_rows - len(kept)} rows")
            )
    if not len(kept):
        return table
    said = [n for n in table.names if export.role(n) in ("answer", "judge")]
    view = Counted(table, kept, said, export.no_answers)
    view.notes = (*table.notes, *notes)
    return view
