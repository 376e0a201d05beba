"""What can be said about reading a source: each option is declared here, once.

Signatures and documentation in Python, the options of commands, and what is refused come from these fields.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import wraps
from textwrap import fill, indent
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, cast

from algeval.errors import renamed

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
    form: Literal["text", "path", "names", "pairs", "number", "flag", "columns or path"] = "text"
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
        "What people said: a column or columns of `source`, or labels joined by item id. Evidence for rates, "
        "and what judges are scored by.",
        "What people said: a column of human labels, or a file of items and labels. Scores the judges, and "
        "is evidence for rates.",
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
        "number, optional",
        'Scores at or above it become label "1", below it "0"; so does a numeric key unless it is 0/1 '
        "already.",
        "Scores: label 1 from X on, 0 below.",
        "X",
        form="number",
    )


@dataclass(frozen=True, kw_only=True)
class _Cells:
    missing: str | Iterable[object] | None = _option(
        "list of str, optional",
        'Further texts that mean "not answered", beside an empty cell, NA, NaN, null and None. "error", '
        '"ignore", "[invalid]" and their like do where two other answers are left, unless `labels` has them.',
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
            return function(source, ReadOptions(**values))

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
