"""How a table is read: the options of reading, declared once, and what the cells of votes say by them."""

from __future__ import annotations

import csv
import inspect
import io
import math
import os
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from fractions import Fraction
from functools import wraps
from itertools import combinations
from pathlib import Path
from textwrap import fill, indent
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from algeval.data.cells import LOOKS_MISSING as LOOKS_MISSING
from algeval.data.cells import MISSING as MISSING
from algeval.data.cells import Column as Column
from algeval.data.cells import Positions as Positions
from algeval.data.cells import as_number as as_number
from algeval.data.cells import factorise as factorise
from algeval.data.cells import has_failed as has_failed
from algeval.data.cells import is_slip as is_slip
from algeval.data.cells import plain as plain
from algeval.data.cells import tidy as tidy
from algeval.data.names import (
    NOT_ANSWERED,
    AtMost,
    Caution,
    Codes,
    CutNote,
    check_names,
    folded,
    natural_order,
)
from algeval.errors import DataError, either_way, option, renamed
from algeval.result import exact
from algeval.result.numbers import how_many

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Declared:
    """An option's documentation, and how it is typed at a command line."""

    kind: str  # the type, as documentation shows it
    text: str  # for documentation in Python
    help: str  # a line for the help of commands
    metavar: str | None = None
    # "names" are separated by commas, "pairs" are old=new
    form: Literal["text", "path", "names", "pairs", "cuts", "flag", "columns or path"] = "text"
    choices: tuple[str, ...] = ()
    typed: str = ""  # the name at a command line, where it is another
    now: str = ""  # the option that took its place


def _option(kind: str, text: str, help: str, metavar: str | None = None, **typed: Any) -> Any:
    return field(default=None, metadata={"declared": Declared(kind, text, help, metavar, **typed)})


@dataclass(frozen=True, kw_only=True)
class _Columns:
    item: str | Iterable[object] | None = _option(
        "str or list of str, optional",
        "Column of the item ids; several columns are joined by ':'. A wide table without one gets its row "
        "numbers 1, 2, ... as ids.",
        "Column of the ids of items.",
        "COLUMN",
    )
    judge: object = _option(
        "str, optional",
        "Of a long table, the column of the judges.",
        "Long tables: column of judge names.",
        "COLUMN",
    )
    answer: object = _option(
        "str, optional",
        "Of a long table, the column of the answers.",
        "Long tables: column of answers.",
        "COLUMN",
    )
    judges: Iterable[object] | None = _option(
        "list of str, optional",
        "Columns (wide) or names (long) to keep, in this order; needed for a wide table with columns that "
        "are no votes.",
        "Columns of judges to use, or their names in a long table.",
        "A,B,...",
        form="names",
    )


@dataclass(frozen=True, kw_only=True)
class _Human:
    human: Any = _option(  # noqa: RUF009
        "str, list of str, {item: label}, Series, data frame or path, optional",
        "What people said: a column or columns of `source`, or labels joined by item id, in a list of tables "
        "or files, too. Evidence for rates, and what judges are scored by.",
        "What people said: a column of human labels, or a file of items and labels; again for one more. "
        "Scores the judges, and is evidence for rates.",
        "COLUMN|FILE",
        form="columns or path",
    )


@dataclass(frozen=True, kw_only=True)
class _Roles:
    prompt: str | Iterable[object] | None = _option(
        "str, optional",
        "Column of what several outputs share: a prompt, a session, a document. Pairs systems; named "
        "as the cluster too, intervals allow for it.",
        "Column of what several outputs share, such as the prompt: pairs systems.",
        "COLUMN",
    )
    system: str | Iterable[object] | None = _option(
        "str, optional",
        "Column that says whose output was judged.",
        "Column that names the system whose output was judged.",
        "COLUMN",
    )
    systems: str | Iterable[object] | None = _option(
        "list of str, optional",
        "Columns of systems side by side, a judge's verdicts on each, or what their names begin with.",
        "Columns of systems side by side, one verdict column a system.",
        "A,B,...",
        form="names",
    )
    trial: str | None = _option(
        "str, optional",
        'Column of repetitions; "rows": rows with one id judge the same output again.',
        "Column of repeated runs; 'rows': rows with one id judge the same output again.",
        "COLUMN|rows",
    )
    slice: str | Iterable[object] | None = _option(
        "str or list of str, optional",
        "Columns of groups.",
        "Columns of groups, such as language or topic.",
        "A,B,...",
        form="names",
    )
    covariate: str | Iterable[object] | None = _option(
        "str or list of str, optional",
        "Columns of numbers about the outputs.",
        "Columns of numbers about the outputs, such as length.",
        "A,B,...",
        form="names",
    )
    text: str | Iterable[object] | None = _option(
        "str or list of str, optional",
        "Columns of words to show.",
        "Columns of text to show beside the items.",
        "A,B,...",
        form="names",
    )
    ignore: str | Iterable[object] | None = _option(
        "str or list of str, optional",
        "Columns to leave out.",
        "Columns to leave out.",
        "A,B,...",
        form="names",
    )
    columns: Any = _option(  # noqa: RUF009
        "{column: role} or path, optional",
        "All roles at once, as ``algeval columns --save`` writes them.",
        "What each column is, as `algeval columns --save` wrote it.",
        "FILE",
        form="path",
    )
    same: Mapping[Any, object] | None = _option(
        "{answer: label}, optional",
        'Spellings of one label, such as ``{"1": "pass", "0": "fail"}``, for judges and people.',
        "Spellings of one label, such as 1=pass,0=fail.",
        "A=X,B=Y,...",
        form="pairs",
    )
    good: str | None = _option(
        "str, optional",
        "The label a rate counts; by default the one named like a pass.",
        "The label that counts as good, such as pass. [default: the one named like a pass]",
        "LABEL",
    )


@dataclass(frozen=True, kw_only=True)
class _Key:
    key: Any = _option(  # noqa: RUF009
        "str, path, {item: truth} or data frame, optional",
        "The old name of `human`, for one release.",
        "The old name of --human.",
        "COLUMN|FILE",
        form="path",
        now="human",
    )


@dataclass(frozen=True, kw_only=True)
class _Labels:
    labels: Iterable[object] | None = _option(
        "list, optional",
        "The possible truths, in order; other answers are kept and never correct.",
        "All labels there are, where the votes do not show every one.",
        "A,B,...",
        form="names",
    )
    exact_labels: bool | None = _option(
        "bool, optional",
        'Keep "Yes", "YES" and "yes." apart. By default labels that differ in case, space and trailing '
        "punctuation only are one, in the spelling of `labels`, else the commonest, else the first; the "
        "answer key is read alike.",
        "Keep labels apart that differ in case, space or a full stop, and take numbers as labels.",
        form="flag",
    )
    map: Mapping[Any, object] | None = _option(
        "{answer: label}, optional",
        'New names for answers, such as ``{"yes": 1, "no": 0}``; answers that it leaves out keep theirs.',
        "New names for answers: yes=1,no=0.",
        "A=X,B=Y,...",
        form="pairs",
    )
    cut: object = _option(
        "number or {column: number}, optional",
        'Scores at or above it become label "1", below it "0"; so does a numeric key unless it is 0/1 '
        'already. Where low scores are good, "<=2" makes "1" of 2 and below. On several scales a cut for '
        "each column; `judges` and `human` stand for those not named.",
        "Scores: label 1 from X on, 0 below; where low is good '<=X'; of several scales judges=8,human=4 or "
        "COLUMN=X.",
        "X|COLUMN=X,...",
        form="cuts",
    )


@dataclass(frozen=True, kw_only=True)
class _Cells:
    missing: str | Iterable[object] | None = _option(
        "list of str, optional",
        'Further texts that mean "not answered", beside an empty cell, NA, NaN, null and None. "error", '
        '"timeout", "[invalid]" and their like do where two other answers are left. What `labels` names is '
        "an answer; with an empty list every text is.",
        "More cell texts that mean not answered.",
        "A,B,...",
        form="names",
        typed="not-answered",
    )
    format: str | None = _option(
        '{"csv", "tsv", "jsonl", "parquet", "xlsx", "hive"}, optional',
        "By default the extension decides, else the first bytes; Parquet files in folders named like "
        '``split=test`` are "hive".',
        "File format. [default: by its ending]",
        "csv|tsv|jsonl|parquet|xlsx|hive",
    )
    table: str | None = _option(
        "str, optional",
        "Of a DuckDB or SQLite file, which table or view; of a workbook, which sheet. By default the only "
        "one.",
        "Of a DuckDB or SQLite file, which table or view; of a workbook, which sheet.",
        "NAME",
    )


@dataclass(frozen=True, kw_only=True)
class _Tools:
    layout: str | None = _option(
        '{"wide", "long"}, optional',
        "By default found by looking.",
        "A row per item (wide) or per vote (long). [default: auto-detected]",
        choices=("wide", "long"),
    )
    reader: str | None = _option(
        "str, optional",
        'The reader of the tool that wrote the files, or "table" for none. By default found by looking, '
        "where nothing was said of format, layout or columns.",
        "The tool that wrote the file, or 'table'. [default: auto-detected]",
        "NAME",
    )
    question: str | None = _option(
        "str, optional",
        "Which question (scorer, metric, task) of files that ask several.",
        "Of a tool's file that asks several, which.",
        "NAME",
    )
    latest: bool | None = _option(
        "bool, optional",
        "Where a tool's file holds several votes of a judge on an item, the newest counts. By default they "
        "are refused.",
        "Of a judge's several votes on an item in a tool's file, take the newest.",
        form="flag",
    )
    ground_truth: str | None = _option(
        '{"key", "as-votes"}, optional',
        "Label Studio's annotations marked as ground truth are the key, the default, or votes where every "
        "annotation is so marked, as imported ones are.",
        "Label Studio: annotations marked so are the key, or votes where all are marked.",
        choices=("key", "as-votes"),
    )


@dataclass(frozen=True, kw_only=True)
class CountOptions(_Cells, _Labels, _Columns):
    """What `count` can be told."""

    human: str | None = field(default=None, metadata=_Human.__dataclass_fields__["human"].metadata)
    system: str | None = field(
        default=None, metadata=_Roles.__dataclass_fields__["system"].metadata
    )
    slice: str | Iterable[object] | None = field(
        default=None, metadata=_Roles.__dataclass_fields__["slice"].metadata
    )
    prompt: str | None = field(
        default=None, metadata=_Roles.__dataclass_fields__["prompt"].metadata
    )
    exact_labels: bool = field(
        default=False, metadata=_Labels.__dataclass_fields__["exact_labels"].metadata
    )


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(_Tools, _Cells, _Key, _Human, _Columns):
    """What `read_scores` can be told."""

    attributes: Any = _option(  # noqa: RUF009
        "str, list of str, path, data frame or {column: cells}, optional",
        "What else is known of the items, such as their length: columns of `source`, which are no judges "
        "then, or a table of its own, joined by item id.",
        "Scores: what else is known of the items: columns, or a table of its own joined by item.",
        "COLUMN,...|FILE",
    )


@dataclass(frozen=True, kw_only=True)
class VoteOptions(_Tools, _Cells, _Labels, _Key, _Roles, _Human, _Columns):
    """What `read_votes` and `read_results` can be told."""

    swap: str | None = _option(
        '{"two", "agree"} or str, optional',
        "Column of the order in which two answers were shown. Of a tool's pairs judged in both orders: "
        '"two" judges, the default, or one, "agree", who is "inconsistent" where they differ.',
        "Column of the order shown; of a tool's pairs: two judges, or one where they agree.",
        "COLUMN|two|agree",
    )
    rows: str | None = _option(
        '{"graders", "labels", "tuples", "items"}, optional',
        "What a row of a table of counts stands for: a grader, a label with a column per grader, a tuple of "
        'answers; "items": the table holds votes and no counts. By default found by the rules of tables of '
        "counts, or asked.",
        "Tables of counts: what a row stands for; 'items': the table holds votes.",
        choices=("graders", "labels", "tuples", "items"),
    )
    n_items: int | str | None = _option(
        "int, optional",
        "Of a table of counts or shares, the number of items; graders whose counts sum to less left items "
        "unanswered.",
        "Tables of counts: the number of items, where graders left some unanswered, or of shares.",
        "N",
    )


@dataclass(frozen=True, kw_only=True)
class LoadOptions(VoteOptions):
    """What `load` can be told."""

    count: str | None = _option(
        "str, optional",
        "Of a table of counted decision tuples, the column of counts.",
        "A table of counts: the column that holds them.",
        "COLUMN",
    )


OF_SEVERAL = ("item", "prompt", "system", "trial")
"""Options that name a column as a rule, and may name several."""

_OF_COLUMNS = ("judges", "human", "key", *OF_SEVERAL, "systems", "slice", "covariate", "text")
"""Options that name columns of a results table."""


def _listed(value: Any) -> Sequence[object]:
    """Names that an option holds; none where it holds labels or a table of them."""
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, list | tuple) else ()


@dataclass(frozen=True, kw_only=True)
class ReadOptions(LoadOptions, ScoreOptions):
    """How a source is to be read, as far as the caller says."""

    def __post_init__(self) -> None:
        """A column that is ignored has no other role, whatever was said of it before."""
        left = {str(name) for name in _listed(self.ignore)}
        for name in _OF_COLUMNS if left else ():
            value = getattr(self, name)
            listed = _listed(value)
            if left.isdisjoint(map(str, listed)):
                continue
            kept = [column for column in listed if str(column) not in left]
            object.__setattr__(
                self, name, (kept[0] if isinstance(value, str) else kept) if kept else None
            )

    def stated(self) -> dict[str, Any]:
        """{name: value} of the options the caller used."""
        pairs = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {name: value for name, value in pairs if value is not None and value is not False}


UNSTATED = ReadOptions()


def saved_reading(columns: Any) -> dict[str, Any]:
    """Tables `columns`, `layout`, `options` that `columns --save` wrote; of {column: role} the first."""
    if not isinstance(columns, str | os.PathLike):
        if not isinstance(columns, Mapping):
            kind = type(columns).__name__
            raise DataError(f"{option('columns')} must be {{column: role}} or a file; got {kind}")
        return (
            dict(columns) if isinstance(columns.get("columns"), Mapping) else {"columns": columns}
        )
    import tomllib

    try:
        document = tomllib.loads(Path(columns).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"{option('columns')} must name a file that `algeval columns --save` wrote; got "
            f"{str(columns)!r}, {_why_unread(error)}; write it again"
        ) from None
    return document if isinstance(document.get("columns"), dict) else {"columns": document}


def with_saved(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options of reading, with those that a file of columns holds where they are not stated."""
    stated = {name: value for name, value in values.items() if value is not None}
    if stated.get("columns") is None:
        return stated
    saved = saved_reading(stated["columns"]).get("options", {})
    names = {f.name for f in fields(ReadOptions)} - {"columns"}
    strange = sorted(set(saved) - names)
    if strange:
        raise DataError(
            f"options in the file of {option('columns')} must be those of reading; got {strange[0]!r}; "
            "correct it, or write the file again"
        )
    both = {n: {**saved[n], **stated[n]} for n in ("same", "map") if n in saved and n in stated}
    if "key" in stated:
        saved = {name: value for name, value in saved.items() if name != "human"}
    return {**saved, **stated, **both}


def people_of(options: ReadOptions) -> Any:
    """What is said of people, under either name; one column in a list is that column."""
    human = options.human if options.key is None else options.key
    alone = isinstance(human, list | tuple) and len(human) == 1 and isinstance(human[0], str)
    return human[0] if alone else human


def declared(options: type) -> dict[str, Declared]:
    """{name: declaration} of a set of options, in order."""
    return {f.name: f.metadata["declared"] for f in fields(options)}


def typed_name(name: str) -> str:
    """Name of a reading option at a command line."""
    return declared(ReadOptions)[name].typed or name.replace("_", "-")


def takes(
    options: Callable[P, Any],
) -> Callable[[Callable[[Any, ReadOptions], T]], Callable[Concatenate[Any, P], T]]:
    """Decorator of functions of (source, options) that makes each option a keyword of its own.

    The line ``{options}`` of their documentation becomes a list of those they do not describe themselves.
    """
    listed: tuple[Field[Any], ...] = fields(options)  # type: ignore[arg-type]
    names = {f.name for f in listed}
    former = {f.name: f.metadata["declared"].now for f in listed if f.metadata["declared"].now}

    def decorate(function: Callable[[Any, ReadOptions], T]) -> Callable[Concatenate[Any, P], T]:
        @wraps(function)
        def reads(source: Any, **values: Any) -> T:
            unknown = values.keys() - names
            if unknown:
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument {min(unknown)!r}"
                )
            for name in values.keys() & former:
                if values[name] is not None:
                    renamed(name, former[name])
            return function(source, ReadOptions(**with_saved(values)))

        own = inspect.signature(function)
        keywords = [
            inspect.Parameter(
                f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=f.type
            )
            for f in listed
        ]
        parameters = [own.parameters["source"], *keywords]
        reads.__dict__["__signature__"] = own.replace(parameters=parameters)
        reads.__doc__ = _documented(
            function.__doc__, {f.name: f.metadata["declared"] for f in listed}
        )
        return cast(Callable[Concatenate[Any, P], T], reads)

    return decorate


def _documented(text: str | None, options: Mapping[str, Declared]) -> str | None:
    if text is None:  # python -OO
        return None
    heads = re.findall(r"^    (\w[\w, ]*) :", text, re.MULTILINE)
    described = {name for head in heads for name in head.split(", ")}
    entries = [
        f"{name} : {option.kind}\n"
        + fill(option.text, 96, initial_indent="    ", subsequent_indent="    ")
        for name, option in options.items()
        if name not in described
    ]
    return text.replace("    {options}", indent("\n".join(entries), "    "))


# --- One column of a table as its distinct values and, per row, which of them it holds.


def unmasked(cells: NDArray[Any]) -> NDArray[Any]:
    """Array as DuckDB fetched it with None where it is null."""
    if not isinstance(cells, np.ma.MaskedArray):
        return cells
    if not cells.mask.any():
        return np.asarray(cells.data)
    filled = cells.data.astype(object)
    filled[cells.mask] = None
    return filled


def first_seen(codes: Positions) -> tuple[Positions, Positions]:
    """Distinct codes in order of first appearance, and each row's place among them."""
    first = np.full(int(codes.max(initial=-1)) + 1, len(codes), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the earliest row is written last
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(order))
    return order, rank[codes]


# --- Turn cells into answers: what counts as missing, one spelling per number, scores cut in two.


MOST_ANSWERS = 1000  # more distinct answers than this are taken for scores and refused
LOOKS_LIKE_SCORES = 20
"""More distinct numbers than this are taken for scores, not for numbered labels."""

_FEW_DECIMALS = 11
"""More distinct numbers than this are, where some are no whole numbers: 0 to 5 in halves are labels."""


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
        if missing is not None and not isinstance(missing, Iterable):
            raise DataError(
                f"missing must be a list of texts that mean no answer; got {missing!r}; write ['NA']"
            )
        words = (missing,) if isinstance(missing, str) else tuple(missing or ())
        words = tuple(word for word in words if word != "")
        cut = None if isinstance(cut, Mapping) else cut  # each column's own, which results take
        names = _label_option(labels, cut)
        roles = {str(word) for word in words} | {tidy(word) or "" for word in words}
        none = missing is not None and not words  # an empty list: nothing is missing
        absent = frozenset() if none else MISSING.difference(names or ()) | roles
        return cls(
            absent,
            names,
            None if cut is None else cut_at(cut),
            bool(exact_labels),
            _renamed(map, bool(exact_labels)),
            frozenset() if exact_labels else _forms(roles) - _forms(names or ()) - {""},
        )

    @classmethod
    def of(cls, options: ReadOptions) -> Rules:
        """Rules that reading options state."""
        return cls.make(
            options.missing, options.labels, options.cut, options.exact_labels, options.map
        )

    def form(self, text: str) -> str:
        """Return what two spellings of one label have in common."""
        return text if self.exact else folded(text)

    def read(self, column: Column) -> list[str | None]:
        """Answer each distinct value of a column stands for, None for missing."""
        return [self.answer(value) for value in column.values]

    def answer(self, value: object) -> str | None:
        """Answer one cell stands for, None when it means missing."""
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


def rules_of(call: str, reading: Mapping[str, Any]) -> Rules:
    """Rules that the words of a call state, which may say what cells mean and nothing else."""
    allowed = ("missing", "labels", "exact_labels", "map", "cut")
    strange = [name for name in reading if name not in allowed]
    if strange:
        raise DataError(
            f"reading options of {call} must be some of {list(allowed)}; got {strange[0]!r}; leave it out"
        )
    return Rules.of(ReadOptions(**reading))


def _forms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folded, texts))


def _label_option(labels: Iterable[object] | None, cut: object) -> tuple[str, ...] | None:
    if labels is None:
        return None if cut is None else ("0", "1")
    if not isinstance(labels, Iterable):
        raise DataError(f"labels must be a list of names; got {labels!r}; write ['pass', 'fail']")
    checked = labels if isinstance(labels, str) else [tidy(label) or "" for label in labels]
    names = check_names("label", checked)
    if cut is not None and set(names) != {"0", "1"}:
        raise DataError(
            f"labels must be '0' and '1' where scores are cut; got {list(names)}; leave "
            f"{option('labels')} out"
        )
    return names


def _renamed(map: Mapping[Any, object] | None, exact_labels: bool) -> dict[str, str]:
    """Return {what is read: what it means}, folded unless spellings are kept apart."""
    if map is None:
        return {}
    if not isinstance(map, Mapping) or not map:
        written = either_way("map={'yes': 1, 'no': 0}", "--map yes=1,no=0")
        raise DataError(f"map must give new names to answers; got {map!r}; write {written}")
    result: dict[str, str] = {}
    for old, new in map.items():
        before, after = tidy(old), tidy(new)
        if before is None or after is None:
            raise DataError(
                f"map must give every answer a name; got {old!r} for {new!r}; use "
                f"{option('missing', reads=True)} to leave votes out"
            )
        form = before if exact_labels else folded(before)
        if result.setdefault(form, after) != after:
            raise DataError(
                f"map must give an answer one name; got {result[form]!r} and {after!r} for {before!r}; "
                "keep one"
            )
    return result


def label_of_number(stated: str, labels: Sequence[str]) -> str:
    """The label that is the number a person states: 87% and .87 are 87 of percentages and 0.87 of shares.

    What was stated where no label is that number.
    """
    number = as_number(stated.rstrip("% "))
    if number is None or stated in labels:
        return stated
    numbers = {as_number(label): label for label in labels}
    if stated.rstrip().endswith("%"):
        meant = (number, float(exact(stated)))
    else:
        meant = (number, float(100 * exact(stated)) if 0 < number < 1 else number)
    return next((numbers[x] for x in meant if x in numbers), stated)


def is_infinite(text: str) -> bool:
    """Whether a text spells a number without end, or one too large to be kept."""
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def is_at_most(cut: object) -> bool:
    """Whether a cut is one up to which scores are good, as "<=2"."""
    return isinstance(cut, AtMost) or (isinstance(cut, str) and cut.strip().startswith("<="))


def cut_at(cut: object, name: str = "cut") -> Fraction:
    """A cut as a number, of those from which scores are good or, as "<=2", up to which they are."""
    if isinstance(cut, AtMost):
        return cut
    if isinstance(cut, str) and is_at_most(cut):
        return AtMost(exact(cut.strip().removeprefix("<=").strip(), name))
    return exact(cut, name)


def cuts_of(cut: object) -> dict[str, Fraction]:
    """Cut of each column that has its own; nothing where all have one, or none."""
    if not isinstance(cut, Mapping):
        return {}
    if not cut:
        written = either_way("cut={'gpt4o': 7, 'human': 4}", "--cut gpt4o=7,human=4")
        raise DataError(f"cut must be a number, or one for each column; got none; write {written}")
    return {str(name): cut_at(at, f"the cut of {name}") for name, at in cut.items()}


def upper_half(labels: Sequence[str]) -> str:
    """The lowest of three grades or more above the middle of their range, as 4 of 1 to 5; "" of others."""
    numbers = {label: as_number(label) for label in labels}
    grades = [grade for grade in numbers.values() if grade is not None]
    if len(grades) < max(3, len(labels)):
        return ""
    middle = (min(grades) + max(grades)) / 2
    return min(
        (grade, label) for label, grade in numbers.items() if grade is not None and grade > middle
    )[1]


def cut_column(name: str, texts: Sequence[str | None], cut: Fraction) -> list[str | None]:
    """Return "1" for scores at or above `cut` and "0" below, None staying None; of `AtMost` the contrary."""
    strange = sorted({text for text in texts if text is not None and as_number(text) is None})
    if strange:
        raise DataError(
            f"column {name!r} must hold numbers to be cut at {float(cut):g}; got {strange[0]!r}"
            f"{f' and {len(strange) - 1} more texts' if strange[1:] else ''}; "
            f"name them in {option('missing', reads=True)}, or choose columns with {option('judges')}"
        )
    return [None if text is None else "01"[_reaches(text, cut)] for text in texts]


def cut_like_scores(
    name: str, texts: Sequence[str | None], cut: Fraction
) -> tuple[list[str | None] | None, str]:
    """Labels beside scores that were cut, None where they stay as they are, and what is said of numbers.

    Numbers are cut there, too, but not 0 and 1, which are so already, and no words.
    """
    answers = {text for text in texts if text is not None}
    if not answers or any(as_number(text) is None for text in answers):
        return None, ""
    if answers <= {"0", "1"}:
        at = f"{float(cut):g}"
        sides = ("above", "below") if isinstance(cut, AtMost) else ("below", "above")
        said = f"{name} is 0/1 already and was not cut: 0 read as {sides[0]} {at}, 1 as {at} and {sides[1]}"
        return None, Caution(said) if cut > 1 else said
    return cut_column(name, texts, cut), Caution(f"{name} cut like the scores")


def _reaches(text: str, cut: Fraction) -> bool:
    number, limit = float(text), float(cut)
    if isinstance(cut, AtMost):
        return number < limit if number != limit else exact(text) <= cut
    return number > limit if number != limit else exact(text) >= cut


# --- Numbers on scales of their own: grades to 5 beside grades to 10.


_ENDS = (1, 3, 4, 5, 7, 10, 20, 100)
"""Where scales of grades end."""

_FURTHER = 1.35
"""How much further the end of one scale lies than that of another that it is surely not."""

_BY_CHANCE = 0.3
"""Of never giving a grade so high, on the other's scale; simulated: ranks do less harm than equal numbers of
two scales."""


def _end_of(values: NDArray[np.float64]) -> float:
    """Where the scale of some grades ends, by the highest of them."""
    top = float(np.nanmax(values))
    return next((float(end) for end in _ENDS if end >= top), top)


_SMALL = 5
"""Up to here the highest grade tells no scale: people may give 1 to 3 of 5 where judges are lenient."""

_SPREAD = 1.4
"""How much wider grades then spread on the longer scale. Simulated, 200 outputs in 400 draws: people and
lenient judges on one scale of 1 to 5, 2 and 2.6 standard deviations apart, are taken for two scales in 4 and
13% with 20 labels (14 and 37% by the ends alone), in 0 and 3% with 40 (2 and 12%); 1 to 3 beside 1 to 5 in 99
to 100%."""


def on_other_scales(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Whether one of two columns of grades goes on far beyond where the other ends, as 1-10 beside 1-5.

    Up to 5 a judge may only be lenient, so that the grades must also spread wider.
    """
    low, high = sorted((first, second), key=lambda values: (_end_of(values), np.nanmax(values)))
    end = _end_of(low)
    if min(np.nanmin(low), np.nanmin(high)) < 0 or _end_of(high) < _FURTHER * max(end, 1e-9):
        return False  # rewards on both sides of 0 have no end
    if end > 1 and _end_of(high) <= _SMALL and np.nanstd(high) < _SPREAD * np.nanstd(low):
        return False
    graded = high[~np.isnan(high)]
    beyond = float((graded > end).mean())
    return bool((1 - beyond) ** int((~np.isnan(low)).sum()) < _BY_CHANCE)


def first_apart(columns: Mapping[str, NDArray[np.float64]]) -> tuple[str, str] | None:
    """The first two columns of numbers that are on two scales; None where all are on one.

    So are a crowd's: more than five raters of whole grades, each on at most half of the rows, of whom some
    met only good outputs.
    """
    if is_crowd([*columns.values()]):
        return None
    pairs = combinations(columns, 2)
    return next((p for p in pairs if on_other_scales(columns[p[0]], columns[p[1]])), None)


_MOST_JUDGES = 5  # that each say something of most outputs


def is_crowd(columns: Sequence[NDArray[np.float64]]) -> bool:
    """Whether columns are of many raters who gave few whole grades each, as a crowd does on one scale."""
    if len(columns) <= _MOST_JUDGES or any(2 * np.isfinite(x).sum() > len(x) for x in columns):
        return False
    grades = np.unique(np.concatenate([x[np.isfinite(x)] for x in columns]))
    return len(grades) <= 11 and not (grades % 1).any()


def refuse_other_scale(
    name: str | Callable[[], str],
    texts: Iterable[str | None],
    answers: Sequence[str] = (),
    codes: NDArray[Any] | None = None,
    cut: CutNote | None = None,
) -> None:
    """Refuse labels in numbers on another scale than the grades of judges, or than their cut.

    Labels that may be on one scale with these pass, and words. `answers` : those of judges; `codes` : which
    of them each vote is, -1 none; without them each answer counts once.
    """
    said = [text for text in texts if text is not None]
    labels = np.array([np.nan if x is None else x for x in map(as_number, said)], float)
    if not said or np.isnan(labels).any() or set(said) <= {"0", "1"}:
        return
    other = ""
    own = f"from {labels.min():g} to {labels.max():g} beside"
    at = None if cut is None else cut.at
    if cut is not None and at is None:
        other = "in numbers beside judges whose numbers are cut"
    elif at is not None:
        whole = bool((labels == np.round(labels)).all()) and len(set(said)) > 2
        graded = labels.min() >= 0 and (whole or labels.max() <= 1)
        if graded and (_end_of(labels) < at or (whole and 0 < at < 1)):
            other = f"{own} a cut at {float(at):g}"
    else:
        grades = np.array([np.nan if x is None else x for x in map(as_number, answers)], float)
        if len(grades) < 3 or np.isnan(grades).any():
            return
        if codes is None:
            labels = np.unique(labels)
        else:
            grades = grades[codes[codes >= 0]]
        if len(np.unique(grades)) > 2 and on_other_scales(grades, labels):
            other = f"{own} grades of judges from {grades.min():g} to {grades.max():g}"
    if not other:
        return
    called = name if isinstance(name, str) else name()
    distinct = sorted(set(said), key=lambda t: as_number(t) or 0.0)
    human = upper_half(distinct) or distinct[-1]
    written = either_way(f"cut={{'judges': X, 'human': {human}}}", f"--cut judges=X,human={human}")
    raise DataError(
        f"labels of {called} must be on the judges' scale; got labels {other}; cut each where it is good "
        f"when the table is read: {written}"
    )


# --- Numbers with a comma in them: a decimal one, 0,892 and 4,5, or one that sets off thousands, 12,345.


_WITH_COMMA = re.compile(r"[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+")  # 4,5 and 1.234,5
_BESIDE_COMMAS = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d+\.(?:\d{1,2}|\d{4,}))")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")


def commas_in(texts: Iterable[str]) -> str:
    """What commas are in a column of numbers: "decimal", "thousand", "either", "list", "" where not all are.

    `texts` : its distinct cells but for those that mean nothing. "either" : 1,234 and the like alone;
    "list" : 1,2 and 2,5, which may be two picks.
    """
    with_comma: list[str] = []
    rest: list[str] = []
    for text in texts:
        if not text[:1].isdigit() and text[:1] not in "+-":
            return ""
        (with_comma if "," in text else rest).append(text)
    if not with_comma:
        return ""
    if all(map(_THOUSANDS.fullmatch, with_comma)) and all(map(_PLAIN_NUMBER.fullmatch, rest)):
        surely = any(t.count(",") > 1 or "." in t for t in (*with_comma, *rest))
        most = max(abs(int(t.partition(",")[0])) for t in with_comma)
        plainly = (abs(float(t)) for t in rest)  # 523 beside 1,381
        return "thousand" if surely or any(x >= max(100, 2 * most) for x in plainly) else "either"
    whole = all(map(_WITH_COMMA.fullmatch, with_comma))
    if not whole or not all(map(_BESIDE_COMMAS.fullmatch, rest)):
        return ""
    parts = [text.lstrip("+-").split(",") for text in with_comma]
    picks = all(len(a) == len(b) == 1 and "0" < a < b for a, b in parts)
    return "list" if picks and len({b for _, b in parts}) > 1 else "decimal"


_PLAIN_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def without_commas(text: str, *, decimal: bool) -> str:
    """Spelling of a number that was written with commas, decimal ones or those of thousands."""
    if not decimal:
        return text.replace(",", "")
    whole, comma, digits = text.partition(",")
    if comma or re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+", whole):
        whole = whole.replace(".", "")
    return tidy(f"{whole}.{digits}" if comma else whole) or ""


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
        if answer.lower() in LOOKS_MISSING and answer not in (rules.labels or ())
    ]
    if odd:
        notes += (
            f"read as answers, though they look like missing votes: {', '.join(map(repr, odd))}; "
            f"name them in {option('missing', reads=True)} if they are",
        )
    return notes


def answer_names(
    read_columns: Iterable[tuple[str, Iterable[str | None]]], labels: tuple[str, ...] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels and answers from what each column holds: [(column, its answers), ...]."""
    seen: set[str] = set()
    widest, most = "", 0
    for name, texts in read_columns:
        here = {text for text in texts if text is not None}
        seen |= here
        if len(here) > most:
            widest, most = name, len(here)
    if not seen:
        raise DataError("votes must hold at least one answer; got none; check the answer columns")
    if len(seen) > MOST_ANSWERS:
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got {len(seen)} ({most} in column "
            f"{widest!r}); pass {option('cut')} if these are scores, or choose other columns"
        )
    if labels is not None and not seen.intersection(labels):
        some = natural_order(seen)
        file = next((label for label in labels if Path(label).is_file()), None)
        do = (
            "correct them"
            if file is None
            else f"people's labels in a file: {option('human', file)}"
        )
        raise DataError(
            f"labels must be what judges answer; got {list(labels)}, and no judge answered any of them "
            f"(they answered {', '.join(map(repr, some[:12]))}{', ...' if some[12:] else ''}); {do}"
        )
    names = natural_order(seen) if labels is None else labels
    return names, names + natural_order(seen.difference(names))


def look_like_scores(answers: Iterable[str]) -> bool:
    """Whether answers are scores by their looks."""
    numbers = [number for number in map(as_number, answers) if number is not None]
    decimals = any(number != int(number) for number in numbers)
    return len(numbers) > (_FEW_DECIMALS if decimals else LOOKS_LIKE_SCORES)


def score_notes(answers: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Hint where answers look like scores, or what the cut did."""
    if rules.cut is not None:
        return (CutNote(rules.cut),)
    if rules.labels is None and not rules.exact and look_like_scores(answers):
        numbers = sum(as_number(name) is not None for name in answers)
        return (
            f"answers look like scores ({numbers} numbers); {option('cut')} makes two labels of them",
        )
    return ()


def refuse_scores(answers: Sequence[str]) -> None:
    """Refuse scores where labels are needed."""
    if look_like_scores(answers):
        numbers = [name for name in answers if as_number(name) is not None]
        raise DataError(
            f"votes must be labels; got {len(numbers)} different numbers from {numbers[0]} to {numbers[-1]}, "
            f"which look like scores; pass {option('cut')} to make two labels of them (or "
            f"{option('exact_labels')} if each is a label)"
        )


# --- One spelling per label: "Yes", "YES" and " yes." are one answer, and the note says so.


_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Spelling:
    """Which spelling stands for each answer, and what to say about it."""

    shown: dict[str, str] = field(default_factory=dict)
    """The spelling shown, by folded form; empty where labels are taken exactly."""
    apart: frozenset[str] = frozenset()
    """Folded forms that several of the labels asked for share, which therefore stay apart."""
    notes: tuple[str, ...] = ()

    def of(self, text: str | None) -> str | None:
        """Spelling shown for an answer or a truth."""
        return None if text is None else self.shown.get(folded(text), text)

    def all(self, texts: Iterable[str | None]) -> list[str | None]:
        """Spelling shown for each of some answers."""
        return list(map(self.of, texts))


def tally(
    columns: Sequence[Column],
    texts: Sequence[Sequence[str | None]],
    weights: Positions | None = None,
) -> dict[str, tuple[int, int]]:
    """Return {answer: (votes, place of the first)}, places counted along the rows."""
    votes: Counter[str] = Counter()
    first: dict[str, int] = {}
    for position, (column, read) in enumerate(zip(columns, texts, strict=True)):
        answered = column.codes >= 0
        codes, weighed = column.codes[answered], None if weights is None else weights[answered]
        sums = _sums(codes, weighed, len(read))
        where = _first_rows(codes, np.flatnonzero(answered), len(read))
        for text, n, row in zip(read, sums, where, strict=True):
            if text is None or row < 0:
                continue
            votes[text] += n
            at = row * len(columns) + position
            first[text] = min(first.get(text, at), at)
    return {text: (n, first[text]) for text, n in votes.items()}


def _sums(codes: Positions, weights: Positions | None, size: int) -> list[int]:
    if weights is None:
        return [int(n) for n in np.bincount(codes, minlength=size)]
    total = np.zeros(size, np.int64)
    np.add.at(total, codes, weights)
    return [int(n) for n in total]


def _first_rows(codes: Positions, rows: Any, size: int) -> list[int]:
    first = np.full(size, -1, np.int64)
    first[codes[::-1]] = rows[::-1]  # the earliest row is written last
    return [int(row) for row in first]


def spelling_of(tallies: dict[str, tuple[int, int]], labels: Sequence[str] | None) -> Spelling:
    """Choose a spelling per folded form: the label asked for, else the commonest, else the first."""
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for text in tallies:
        forms[folded(text)].append(text)
    roles: defaultdict[str, list[str]] = defaultdict(list)
    for label in labels or ():
        roles[folded(label)].append(label)
    shown, notes, apart = {}, [], set()
    for form in dict.fromkeys((*roles, *forms)):
        texts, wanted = forms[form], roles[form]
        if len(wanted) > 1:
            apart.add(form)
            notes.append(
                f"not folded, because {option('labels')} names them apart: {', '.join(map(repr, wanted))}"
            )
            continue
        best = wanted[0] if wanted else min(texts, key=lambda t: (-tallies[t][0], tallies[t][1]))
        shown[form] = best
        others = [text for text in texts if text != best]
        if others:
            ordered = sorted(others, key=lambda text: (-tallies[text][0], tallies[text][1]))
            parts = [_votes(text, tallies[text][0]) for text in ordered[:_MOST_SHOWN]]
            rest = ordered[_MOST_SHOWN:]
            if rest:
                total = sum(tallies[text][0] for text in rest)
                parts.append(f"{how_many(len(rest), 'more spelling')} ({how_many(total, 'vote')})")
            notes.append(
                f"read as {best!r}: {', '.join(parts)}; {option('exact_labels')} keeps spellings apart"
            )
    return Spelling(shown, frozenset(apart), tuple(notes))


def renamed_notes(
    renamed: dict[str, str],
    columns: Sequence[Column],
    form: Callable[[str], str],
    weights: Positions | None = None,
) -> tuple[str, ...]:
    """Say which spellings a map gave which name, with their votes, and which it never met."""
    if not renamed:
        return ()
    texts = [[tidy(value) for value in column.values] for column in columns]
    tallies = tally(columns, texts, weights)
    met: defaultdict[str, list[str]] = defaultdict(list)
    for text, (n, _) in sorted(tallies.items(), key=lambda pair: -pair[1][0]):
        if form(text) in renamed:
            met[renamed[form(text)]].append(_votes(text, n))
    unmet = [old for old in renamed if old not in map(form, tallies)]
    notes = [
        f"named {new!r}: {', '.join(old[:_MOST_SHOWN])}" + (", ..." * (len(old) > _MOST_SHOWN))
        for new, old in met.items()
    ]
    if unmet:
        notes.append(f"no judge gave {', '.join(map(repr, unmet))}, which is to be renamed")
    return tuple(notes)


def _votes(text: str, n: int) -> str:
    return f"{text!r} ({n} vote{'' if n == 1 else 's'})"


# --- What the cells of the voting columns mean together: labels, answers, no answer, and a code per
# cell.


ReadColumns = Sequence[tuple[str, Sequence[str | None]]]
"""What each column holds: its name, and the answer each of its distinct values stands for."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Labels and answers, the spelling of each, and the texts that stand for no answer."""

    labels: tuple[str, ...]
    answers: tuple[str, ...]
    spelling: Spelling
    failed: frozenset[str]
    codes: tuple[tuple[int, ...], ...]  # per column, the code of each of its distinct values
    notes: tuple[str, ...] = field(default=())


def meaning_of(
    columns: ReadColumns, tallies: Mapping[str, tuple[int, int]], rules: Rules
) -> Meaning:
    """Settle what answers mean: `tallies` gives {answer: (votes, place of the first)}."""
    _refuse_doubtful_minus(tallies, rules)
    failed = failures(tallies, rules)
    said = failures_note({text: tallies[text][0] for text in failed})
    if rules.cut is None:
        slips = slips_among({t: n for t, (n, _) in tallies.items() if t not in failed}, rules)
        alone = [{*column} for _, column in columns if not {*slips.values()} & {*column}]
        slips = {t: like for t, like in slips.items() if not any(t in column for column in alone)}
        if slips:
            said += (slip_note([Slip(t, u, tallies[t][0]) for t, u in slips.items()], "vote"),)
        failed |= slips.keys()
    kept = {text: counted for text, counted in tallies.items() if text not in failed}
    texts = [(name, [None if t in failed else t for t in column]) for name, column in columns]
    spelling = Spelling()
    if rules.cut is not None:
        texts = [(name, cut_column(name, column, rules.cut)) for name, column in texts]
    elif not rules.exact:
        spelling = _truth_spelled_alike(spelling_of(kept, rules.labels), kept, rules)
        texts = [(name, spelling.all(column)) for name, column in texts]
    labels, answers = answer_names(texts, rules.labels)
    index: dict[str | None, int] = {name: position for position, name in enumerate(answers)}
    index[None] = NOT_ANSWERED
    codes = tuple(tuple(index[text] for text in column) for _, column in texts)
    return Meaning(labels, answers, spelling, failed, codes, (*said, *spelling.notes))


def encode_columns(
    columns: Sequence[Column], rules: Rules, weights: Positions | None = None
) -> tuple[Meaning, Codes]:
    """Return what some columns mean, a judge each, and the code of every cell."""
    texts = [rules.read(column) for column in columns]
    read_columns = [(column.name, text) for column, text in zip(columns, texts, strict=True)]
    meaning = meaning_of(read_columns, tally(columns, texts, weights), rules)
    named = renamed_notes(rules.renamed, columns, rules.form, weights)
    meaning = replace(meaning, notes=(*named, *meaning.notes))
    codes = np.empty((len(columns[0].codes), len(columns)), np.int16)
    for position, (column, code) in enumerate(zip(columns, meaning.codes, strict=True)):
        codes[:, position] = column.look_up(code)
    return meaning, codes


_TRUE_OR_FALSE = {"true": "1", "false": "0", "1": "true", "0": "false"}


def _truth_spelled_alike(
    spelling: Spelling, tallies: Mapping[str, tuple[int, int]], rules: Rules
) -> Spelling:
    """Read true as 1 and false as 0 where there are both and nothing else."""
    if rules.labels or rules.renamed or not mixes_truths(tallies):
        return spelling
    note = Caution(
        "1 and true, 0 and false are one label each: true is read as 1, false as 0; "
        f"{option('labels')} keeps them apart"
    )
    return replace(spelling, shown=spelling.shown | NUMBERED, notes=(*spelling.notes, note))


NUMBERED = {"true": "1", "false": "0"}


def mixes_truths(texts: Iterable[str]) -> bool:
    """Whether texts say true or false in words and in numbers, and nothing else."""
    forms = {*map(folded, texts)}
    return forms <= {*_TRUE_OR_FALSE} and not forms.isdisjoint("01") and not forms <= {"0", "1"}


_RARE = Fraction(1, 50)  # the part of a column that slips of one spelling may be
_FEWEST_LIKE, _MANY_TIMES = 5, 10  # how often the label that they are like is met


def slips_among(tallies: Mapping[str, int], rules: Rules) -> dict[str, str]:
    """{spelling: the label it is like} of what looks mistyped: rare, and a letter off one common label.

    Nothing is read as that label: a slip counts as missing, is said, and `same` says what it means.
    """
    if rules.exact or rules.labels is not None:
        return {}
    named = {folded(str(name)) for pair in rules.renamed.items() for name in pair}
    votes: Counter[str] = Counter()
    for text, n in tallies.items():
        votes[folded(text)] += n
    if len(votes) > _MOST_SPELLINGS:
        return {}
    most = max(1, int(_RARE * votes.total()))
    common = {f: n for f, n in votes.items() if n >= _FEWEST_LIKE}
    slips = {}
    for form, n in votes.items():
        if n > most or form in named or has_failed(form):
            continue
        like = [f for f, m in common.items() if m >= _MANY_TIMES * n and is_slip(form, f)]
        if len(like) == 1:
            slips[form] = like[0]
    spelled = {folded(text): text for text in sorted(tallies, key=lambda text: tallies[text])}
    return {text: spelled[slips[f]] for text in tallies if (f := folded(text)) in slips}


_MOST_SPELLINGS = 40  # beyond them answers are no labels


def _why_unread(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "which does not exist"
    if isinstance(error, IsADirectoryError):
        return "a folder"
    return "which cannot be opened" if isinstance(error, OSError) else "which says something else"


class SlipNote(Caution):
    """The note on what looks mistyped."""


class Slip(NamedTuple):
    """What looks mistyped: the text, the label it is like, how often it stands, and where."""

    text: str
    like: str
    n: int
    where: str = ""


def slip_note(slips: Sequence[Slip], what: str) -> SlipNote:
    """Sentence on what looks mistyped."""
    pairs = {s.text: s.like for s in slips}
    typed = option("same")
    quoted = shlex.quote(",".join(f"{text}={like}" for text, like in pairs.items()))
    same = f"{typed} {quoted}" if typed.startswith("--") else f"{typed}{pairs!r}"
    n = sum(s.n for s in slips)
    first = slips[0]
    if len(slips) == 1:
        counts = (
            f"is like {first.like!r} and counts" if n == 1 else f"are like {first.like!r} and count"
        )
        said = f"{how_many(n, what)} {first.text!r}{first.where} {counts} as missing"
    else:
        each = ", ".join(f"{s.text!r}{s.where} is like {s.like!r}" for s in slips)
        said = f"{how_many(n, what)} count as missing: {each}"
    return SlipNote(f"{said}: correct {'it' if n == 1 else 'them'}, or {same}")


def answer_codes(
    texts: Sequence[str | None], answers: Sequence[str]
) -> tuple[list[int], str | None]:
    """Codes of texts among answers that were settled before, and the first text that is none of them.

    A text is the answer spelled so, else the one of the same folded form; what a program writes in place of
    an answer is none; true and 1, false and 0 are one where the answers have but one of them.
    """
    index = {answer: code for code, answer in reversed(tuple(enumerate(answers)))}
    forms = {folded(answer): code for answer, code in index.items()}
    codes: list[int] = []
    for text in texts:
        form = "" if text is None else folded(text)
        code = forms.get(form, forms.get(_TRUE_OR_FALSE.get(form, form)))
        if text is None or (code is None and has_failed(text)):
            code = NOT_ANSWERED
        code = index.get(str(text), code)
        if code is None:
            return codes, text
        codes.append(NOT_ANSWERED if text is None else code)
    return codes, None


def failures(answers: Iterable[str], rules: Rules) -> frozenset[str]:
    """Texts that mean no answer, but those that `labels=` or a map names.

    All of them are labels where fewer than two other answers are left.
    """
    texts = set(answers)
    kept = {folded(name) for name in (*(rules.labels or ()), *rules.renamed.values())}
    failed = {t for t in texts if rules.missing and has_failed(t) and folded(t) not in kept}
    others = {folded(text) for text in texts - failed}
    return frozenset(failed) if len(others) > 1 else frozenset()


def failures_note(votes: Mapping[str, int]) -> tuple[str, ...]:
    """Say which texts were taken as votes not given, and how many votes that concerns."""
    if not votes:
        return ()
    shown = ", ".join(f"{text!r} ({n})" for text, n in sorted(votes.items()))
    said = f"votes that failed, counted as missing: {shown}"
    return (Caution(f"{said}; name one in {option('labels')} if it is a label"),)


def _refuse_doubtful_minus(answers: Iterable[str], rules: Rules) -> None:
    """Refuse -1 beside 0, 1, ...: numbered classes write "no label" so, opinions "worse"."""
    texts = set(answers)
    if rules.labels or rules.cut is not None or rules.renamed or rules.exact:
        return
    if "-1" not in texts or not {"0", "1"} <= texts:
        return
    if all(text.isdecimal() for text in texts - {"-1"}):
        raise DataError(
            f"answers must be clear; got -1 beside {len(texts) - 1} classes numbered from 0, where it can "
            f"mean 'no label' or a label; name -1 in {option('missing', reads=True)} for no label, "
            f"or name every label in {option('labels')}"
        )


# --- A question about a table, with its answers as they are typed.


class Question(NamedTuple):
    """What must be asked: a sentence, the columns it is about, and the answers as options."""

    question: str
    columns: tuple[str, ...]
    answers: tuple[str, ...]


def answered(name: str, *values: str) -> str:
    """An answer as it is typed: --human 'my column', or human='my column' in Python, lists as lists."""
    text = option(name, values[0], reads=True)
    if text.startswith("--"):
        typed = ",".join(values)
        if name in OF_SEVERAL or declared(ReadOptions)[name].form != "text":
            row = io.StringIO()  # a name with a comma stands in quotes
            csv.writer(row, lineterminator="").writerow(values)
            typed = row.getvalue()
        return f"{text.split(' ')[0]} {shlex.quote(typed)}"
    if name == "same" or (name == "cut" and "=" in values[0]):
        pairs = (pair.replace("<=", "\0").rsplit("=", 1) for pair in values)
        return f"{name}={ {n: at.replace(chr(0), '<=') for n, at in pairs}!r}"
    if name in ("judges", "systems") or len(values) > 1:
        return f"{name}={[*values]!r}"
    return text


def both(first: str, second: str) -> str:
    """Two answers as one."""
    return f"{first} {second}" if first.startswith("--") else f"{first}, {second}"
