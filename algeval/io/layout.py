"""Tell wide tables from long ones, and which columns are items, judges and answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from algeval.data.names import check_names
from algeval.errors import DataError
from algeval.io.columns import Column, plain
from algeval.io.tables import Table

__all__ = [
    "ITEM_NAMES",
    "JUDGE_NAMES",
    "KEY_NAMES",
    "Asked",
    "Layout",
    "candidates",
    "find_layout",
    "known_columns",
    "match",
    "needed_columns",
    "shown",
]


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
_FEEDBACK = "feedback."
"""How LangSmith begins the names of its judges' columns."""

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
class Asked:
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
    ) -> Asked:
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

    @property
    def anything(self) -> bool:
        """Whether the caller said what any column but the key is, or which layout it is."""
        return bool(self.item or self.judge or self.answer or self.judges or self.layout)

    def with_key(self, key: str | None) -> Asked:
        """Return the same with the key column named."""
        return replace(self, key=key)

    def with_attributes(self, attributes: Iterable[object] | None) -> Asked:
        """Return the same with the columns of attributes named."""
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


def shown(names: Sequence[str], most: int = 12) -> str:
    """Return names as a person reads them in a sentence."""
    text = ", ".join(map(repr, names[:most]))
    return text + (f", ... ({len(names)} in all)" if len(names) > most else "")


def match(names: Iterable[str], wanted: Sequence[str]) -> str | None:
    """Return the column whose name is the earliest of `wanted`, whatever its case."""
    by_name = {name.strip().lower().replace(" ", "_"): name for name in reversed(list(names))}
    by_name |= {name.strip().lower(): name for name in reversed(list(names))}
    return next((by_name[name] for name in wanted if name in by_name), None)


def known_columns(table: Table, asked: Iterable[tuple[str, str | None]]) -> None:
    """Check that every column asked for is there: [(option, column), ...]."""
    for option, name in asked:
        if name is not None and name not in table.names:
            raise DataError(
                f"{option} must name a column; got {name!r}; the columns are {shown(table.names)}"
            )


def find_layout(table: Table, asked: Asked) -> Layout:
    """Return which columns hold items, judges and answers, or say what to tell the reader."""
    known_columns(table, [("judge", asked.judge), ("answer", asked.answer), ("key", asked.key)])
    known_columns(table, [("item", name) for name in asked.item])
    known_columns(table, [("attributes", name) for name in asked.attributes])
    kind = asked.layout or _kind_asked(table, asked) or _kind_found(table, asked)
    layout = _long(table, asked) if kind == "long" else _wide(table, asked)
    return replace(layout, notes=(*_found_note(layout, asked), *layout.notes))


def needed_columns(names: Sequence[str], asked: Asked) -> tuple[str, ...]:
    """Return the columns that `find_layout` and reading look into; of the others the name says enough.

    Examples
    --------
    >>> needed_columns(["item", "prompt", "gpt4", "human"], Asked())
    ('item', 'gpt4', 'human')
    """
    taken = {asked.key, asked.judge, asked.answer, *asked.item, *asked.attributes}
    free = [name for name in names if name not in taken]
    item = None if asked.item else match(free, ITEM_NAMES)
    judge, answer = (
        said or match(free, usual)
        for said, usual in ((asked.judge, JUDGE_NAMES), (asked.answer, ANSWER_NAMES))
    )
    there = asked.judges is not None and set(asked.judges) <= set(names)
    long = (asked.item or item) and judge and answer and asked.layout != "wide" and not there
    if asked.judge or asked.answer or long:
        taken |= {item, judge, answer}
    elif there:
        taken |= {item, *(asked.judges or ())}
    else:
        taken |= {item, judge, answer, *candidates(free)[0]}
    return tuple(name for name in names if name in taken)


def _kind_asked(table: Table, asked: Asked) -> str | None:
    if asked.judge is not None or asked.answer is not None:
        return "long"
    if asked.judges is not None and all(name in table.names for name in asked.judges):
        return "wide"
    return None


def _free(table: Table, asked: Asked) -> list[str]:
    taken = {asked.key, asked.judge, asked.answer, *asked.item, *asked.attributes}
    return [name for name in table.names if name not in taken]


def _kind_found(table: Table, asked: Asked) -> str:
    free = _free(table, asked)
    item = asked.item or match(free, ITEM_NAMES)
    judge, answer = match(free, JUDGE_NAMES), match(free, ANSWER_NAMES)
    if not item or judge is None or answer is None:
        return "wide"
    item_column = table.column(item if isinstance(item, str) else item[0])
    repeated = len(item_column.values) < len(item_column.codes)
    if not repeated and _share(table.column(judge), table.column(answer)):
        raise DataError(
            f"the layout must be clear; columns {judge!r} and {answer!r} could be a judge's name and its "
            "answer, or the answers of two judges; pass layout='long' or layout='wide'"
        )
    return "long"


def _share(first: Column, second: Column) -> bool:
    common = {plain(v) for v in first.values} & {plain(v) for v in second.values}
    return bool(common - {None})


def _long(table: Table, asked: Asked) -> Layout:
    free = _free(table, asked)
    item = _item_columns(asked, free)
    judge = asked.judge or match(free, JUDGE_NAMES)
    answer = asked.answer or match(free, ANSWER_NAMES)
    rest = [name for name in free if name not in (*item, judge, answer)]
    for option, found in (("item", item), ("judge", judge), ("answer", answer)):
        if not found:
            raise DataError(
                f"a long table must name its column of {option}s; none of {shown(table.names)} has a "
                f"usual name for it; pass {option}="
            )
    if len({*item, judge, answer}) < len(item) + 2:
        raise DataError(
            f"item, judge and answer must be different columns; got {shown([*item, str(judge), str(answer)])}"
        )
    notes = (f"columns left out: {shown(rest)}",) if rest and not asked.from_reader else ()
    return Layout("long", item, str(judge), str(answer), rest=asked.attributes, notes=notes)


def _item_columns(asked: Asked, free: list[str]) -> tuple[str, ...]:
    found = None if asked.item else match(free, ITEM_NAMES)
    return asked.item if found is None else (found,)


def _wide(table: Table, asked: Asked) -> Layout:
    free = [n for n in _free(table, asked) if n not in (asked.judges or ())]
    item = _item_columns(asked, free)
    if asked.judges is not None:
        known_columns(table, [("judges", name) for name in asked.judges])
        taken = [name for name in asked.judges if name in (*asked.item, asked.key)]
        if taken:
            raise DataError(
                f"a judge must not be the item or key column; got {taken[0]!r}; leave it out of judges="
            )
        rest = asked.attributes or tuple(name for name in free if name not in item)
        return Layout("wide", item, votes=asked.judges, chosen=True, rest=rest)
    votes, notes = candidates([name for name in free if name not in item])
    if "count" in votes and not item:
        raise DataError(
            "a table of votes must have one row per item; column 'count' says these are counts of "
            "decision tuples; use read_counts or load with count='count', or name the voting columns with "
            "judges="
        )
    if not votes:
        raise DataError(
            f"a wide table must have a column per judge; found none in {shown(table.names)}; "
            "name them with judges="
        )
    return Layout("wide", item, votes=votes, rest=asked.attributes, notes=notes)


def candidates(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that may be judges by name, with a note on each group left out."""
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
            f"left out {shown(keys)}: the name says answer key; pass key={keys[0]!r} to use it"
        )
    if others:
        notes.append(
            f"left out {shown(others)}: the name says no judge; pass judges= to count it as one"
        )
    return tuple(votes), tuple(notes)


def _found_note(layout: Layout, asked: Asked) -> tuple[str, ...]:
    if asked.from_reader:
        return ()
    how = "as asked" if asked.layout else "found by looking"
    if layout.kind == "long":
        return (
            f"long layout ({how}): item {shown(layout.item)}, judge {layout.judge!r}, "
            f"answer {layout.answer!r}",
        )
    made = (
        f"item {shown(layout.item)}" if layout.item else "no item column, row numbers are the ids"
    )
    return (f"wide layout ({how}): {made}",)
