"""Options that several commands share, and how they become data."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import click

from algeval.cli.completion import example_names
from algeval.cli.output import Output
from algeval.cli.source import (
    RENAMED,
    Counts,
    Numbers,
    Source,
    read_source,
    spelled_arguments,
    with_columns,
)
from algeval.errors import DataError
from algeval.result.files import OF_TABLES, check_place, either
from algeval.result.tables import ENDINGS

__all__ = [
    "KEY_SCORED",
    "KEY_UNUSED",
    "Logic",
    "Output",
    "Source",
    "at_least_option",
    "counts_are_enough",
    "intervals_option",
    "json_option",
    "logic_options",
    "output_options",
    "parse_order",
    "plot_option",
    "print_notes",
    "print_result",
    "save_plot",
    "source_options",
    "split",
    "time_limit_option",
    "whole_numbers",
]

F = TypeVar("F", bound=Callable[..., Any])


def split(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str] | None:
    """Read a comma-separated option; a name with a comma stands in double quotes."""
    if value is None:
        return None
    return [part.strip() for part in next(csv.reader([value], skipinitialspace=True), [""])]


def pairs(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, str] | None:
    """Read a comma-separated option of pairs: old=new."""
    found: dict[str, str] = {}
    for part in split(ctx, param, value) or []:
        old, sign, new = (text.strip() for text in part.rpartition("="))
        if not (sign and old and new) or found.setdefault(old, new) != new:
            raise DataError(
                f"--map must give each answer one new name; got {part!r}; write it like yes=1,no=0"
            )
    return found or None


def whole_numbers(parts: list[str], option: str) -> list[int]:
    """Read the parts of a comma-separated option as whole numbers."""
    if not all(part.isdecimal() for part in parts):
        raise DataError(
            f"{option} must be whole numbers; got {','.join(parts)!r}; write it like 8,9,8"
        )
    return [int(part) for part in parts]


_READING = [
    click.argument("votes", required=False, nargs=-1, type=click.Path()),
    click.option(
        "--example",
        metavar="NAME",
        shell_complete=example_names,
        help="Use a shipped example (see: algeval examples).",
    ),
    click.option("--item", metavar="COLUMN", help="Column of item ids."),
    click.option("--judge", metavar="COLUMN", help="Long tables: column of judge names."),
    click.option("--answer", metavar="COLUMN", help="Long tables: column of answers."),
    click.option("--judges", metavar="A,B,...", callback=split, help="The judges to use."),
    click.option(
        "--key",
        type=click.Path(),
        metavar="COLUMN|FILE",
        help="True labels, used for scoring only.",
    ),
    click.option("--labels", metavar="A,B,...", callback=split, help="The possible true labels."),
    click.option(
        "--not-answered", metavar="A,B,...", callback=split, help="More texts that mean missing."
    ),
    click.option(
        "--exact-labels",
        is_flag=True,
        default=None,
        help="Keep labels apart that differ in case, space or a full stop, and take numbers as labels.",
    ),
    click.option(
        "--map", metavar="A=X,B=Y,...", callback=pairs, help="New names for answers: yes=1,no=0."
    ),
    click.option(
        "--count", metavar="COLUMN", help="A table of counts: the column that holds them."
    ),
    click.option("--cut", type=float, metavar="X", help="Scores: label 1 from X on, 0 below."),
    click.option(
        "--format", "format_", metavar="csv|tsv|jsonl|parquet|xlsx|hive", help="File format."
    ),
    click.option("--layout", type=click.Choice(["wide", "long"]), help="Table layout."),
    click.option(
        "--reader",
        metavar="NAME",
        help="The tool that wrote the file, or 'table'; else found by looking.",
    ),
    click.option("--question", metavar="NAME", help="Of a tool's file that asks several, which."),
    click.option(
        "--swap",
        type=click.Choice(["two", "agree"]),
        help="Pairs judged in both orders: two judges, or one where they agree.",
    ),
    click.option(
        "--table", metavar="NAME", help="Of a DuckDB or SQLite file, which table or view."
    ),
    click.option(
        "--latest",
        is_flag=True,
        default=None,
        help="Of a judge's several votes on an item in a tool's file, take the newest.",
    ),
    click.option(
        "--ground-truth",
        type=click.Choice(["key", "as-votes"]),
        help="Label Studio: annotations marked so are the key, or votes where all are marked.",
    ),
]


_NAMES = (
    *("item", "judge", "answer", "judges", "key"),
    *("labels", "not_answered", "exact_labels", "map", "count", "cut", "format_", "layout"),
    *("reader", "question", "swap", "table", "latest", "ground_truth"),
)
_SCORES = [
    click.option(
        "--scores",
        is_flag=True,
        default=None,
        help="Take numbers for scores, however few there are.",
    ),
    click.option(
        "--attributes",
        metavar="COLUMN,...|FILE",
        help="Scores: what else is known of the items: columns, or a table of its own joined by item.",
    ),
]
KEY_SCORED = "the key was used for scoring only"
KEY_UNUSED = "the key was not used: aggregate, compare, diagnose and report score with one"


def counts_are_enough(given: dict[str, Any]) -> Counts:
    """Say of a command that it makes do with counts of decision tuples, whatever its own options."""
    return "tuples"


def source_options(
    command: F,
    *,
    numbers: Numbers = "refused",
    key_note: str = "",
    wants_scores: Callable[[dict[str, Any]], bool] = lambda given: False,
    columns: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
    counts: Callable[[dict[str, Any]], Counts] = lambda given: "no",
    apart: bool = False,
) -> F:
    """Add the arguments that name the votes; the command receives `source`.

    key_note : what the command makes of a key, where its result does not say so.
    wants_scores : whether the command's own options make sense for scores alone.
    columns : options of the command that name attributes, which are read then.
    others : options of the command that name one more votes file each, which is read alike.
    counts : which counts of a large table the command makes do with, given its own options.
    apart : whether each file is votes of its own; the command receives `sources` too, one or more.
    """
    of_scores = numbers in ("scores", "always")
    names = (*_NAMES, "scores", "attributes") if of_scores else _NAMES

    def wrapped(*, votes: tuple[str, ...], example: str | None, **given: Any) -> Any:
        reading = {RENAMED.get(name, name): given.pop(name) for name in names}
        if columns:
            reading["attributes"] = with_columns(
                reading["attributes"], [given[name] for name in columns]
            )
        kind = "always" if wants_scores(given) else numbers
        first = votes[:1] if apart else votes
        enough, scored = counts(given), key_note != KEY_UNUSED
        source = read_source(first, example, reading, kind, counts=enough, scored=scored)
        source = replace(source, arguments=spelled_arguments(votes, example, reading))
        if reading["key"] is not None and key_note:
            source = replace(source, notes=(*source.notes, key_note))

        def read_more(path: str) -> Source:
            found = read_source((path,), None, reading, kind)
            if numbers == "refused":
                found.need_labels()
            return found

        more: dict[str, Any] = {name: read_more(given[name]) for name in others if given[name]}
        if apart:
            more["sources"] = [source, *map(read_more, votes[1:])]
        if numbers == "refused":
            source.need_labels()
        return command(source=source, **(given | more))

    options = [*_READING, *_SCORES] if of_scores else _READING
    return _dressed(wrapped, command, options)  # type: ignore[no-any-return]


def json_option(command: F) -> F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")(command)


def _place(
    endings: tuple[str, ...],
) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            check_place(value, endings, "--output")
        return value

    return checked


def output_options(*more: str, words: str = "Write the result, too") -> Callable[[F], F]:
    """Add --json, -o and --output-table; the command receives `out`.

    more : endings that only this command knows; it writes such files itself.
    words : what is written, where that is more than the result.
    """
    endings = (*more, *ENDINGS)

    def decorate(command: F) -> F:
        def wrapped(
            *, as_json: bool, output: str | None, output_table: str | None, **given: Any
        ) -> Any:
            out = Output(as_json, output, output_table)
            if output_table is not None and out.ending not in OF_TABLES:
                raise click.UsageError(
                    f"--output-table must come with -o FILE of {either(OF_TABLES)}"
                )
            return command(out=out, **given)

        options = [
            click.option(
                "-o",
                "--output",
                type=click.Path(),
                callback=_place(endings),
                metavar="FILE",
                help=f"{words}: {either(endings)}.",
            ),
            click.option(
                "--output-table", metavar="TITLE", help="Which table goes to a file that holds one."
            ),
            click.option("--json", "as_json", is_flag=True, help="Print JSON for machines."),
        ]
        return _dressed(wrapped, command, options)  # type: ignore[no-any-return]

    return decorate


def at_least_option(default: str | None = "0.6", note: str = " [default: 0.6]") -> Callable[[F], F]:
    """Add --at-least."""
    return click.option(
        "--at-least",
        default=default,
        metavar="X",
        help="Accuracy asked of every judge on every label: 0.6, 60% or 3/5; or conditions such as "
        f"'accuracy >= 0.6 and prevalence(tie) <= 0.5'.{note}",
    )


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and (math.isnan(value) or value < 0):
        raise DataError(f"--time-limit must be seconds from 0 on; got {value:g}; write it like 30")
    return value


def time_limit_option(
    default: float | None,
    words: str = "Stop each search after this; what is certified by then stands.",
) -> Callable[[F], F]:
    """Add --time-limit."""
    return click.option(
        "--time-limit",
        type=float,
        default=default,
        show_default=True,
        callback=_seconds,
        metavar="SECONDS",
        help=words,
    )


missing_option = click.option(
    "--missing",
    type=click.Choice(["excluded", "wrong"]),
    default="excluded",
    show_default=True,
    help="What an unanswered item means for a judge's accuracy.",
)

_LOGIC = [
    click.option("--order", metavar="1|2|full", help="How many judges' joint answers to use."),
    missing_option,
    click.option("--require-labels", is_flag=True, help="Every label occurs in the answer key."),
    time_limit_option(60.0),
    click.option("--save", type=click.Path(), metavar="FOLDER", help="Write certificates there."),
]


@dataclass(frozen=True, slots=True)
class Logic:
    """The settings every logical question takes, and where to write certificates."""

    order: int | str | None
    missing: str
    require_labels: bool
    time_limit: float | None
    save: str | None

    def settings(self) -> dict[str, Any]:
        """Return the settings as the functions of the logic layer take them."""
        return {
            "order": self.order,
            "missing": self.missing,
            "require_labels": self.require_labels,
            "time_limit": self.time_limit,
        }


def logic_options(command: F) -> F:
    """Add the options of every logical question; the command receives `logic`."""

    def wrapped(
        *,
        order: str | None,
        missing: str,
        require_labels: bool,
        time_limit: float | None,
        **rest: Any,
    ) -> Any:
        asked = Logic(parse_order(order), missing, require_labels, time_limit, rest.pop("save"))
        return command(logic=asked, **rest)

    return _dressed(wrapped, command, _LOGIC)  # type: ignore[no-any-return]


def _dressed(wrapped: Any, command: Any, options: list[Any]) -> Any:
    """Give a wrapper its command's name, help and options, then its own options."""
    wrapped.__name__, wrapped.__doc__ = command.__name__, command.__doc__
    wrapped.__click_params__ = getattr(command, "__click_params__", [])
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def intervals_option(command: F) -> F:
    """Add --intervals and --no-intervals; the command receives `intervals`: "auto" or a number."""

    def wrapped(*, intervals: int | None, no_intervals: bool, **given: Any) -> Any:
        if no_intervals and intervals is not None:
            raise click.UsageError("give --intervals or --no-intervals, not both")
        asked = "auto" if intervals is None else intervals
        return command(intervals=0 if no_intervals else asked, **given)

    options = [
        click.option(
            "--intervals",
            type=int,
            metavar="N",
            help="Refits on resampled items for intervals. [default: 100 if that takes seconds]",
        ),
        click.option("--no-intervals", is_flag=True, help="No intervals."),
    ]
    return _dressed(wrapped, command, options)  # type: ignore[no-any-return]


def parse_order(order: str | None) -> int | str | None:
    """Read --order."""
    if order is None or order == "full":
        return order
    if order.isdecimal() and int(order) >= 1:
        return int(order)
    raise DataError(
        f"--order must be 1, 2, ... or full; got {order!r}; leave it out for the highest"
    )


def print_result(source: Source, result: Any, out: Output, **more: Any) -> None:
    """Print a result, with its source and what reading it did, and write its file."""
    if out.give(result, source, **more):
        return
    source.say(f"{source.name}: {result.summary().rstrip()}")
    print_notes(source)


plot_option = click.option("--plot", metavar="FILE", help="Draw it: .svg, .png or .pdf.")


def save_plot(result: Any, path: str | None) -> None:
    """Draw a result to a file, if one is named."""
    if path is not None:
        from algeval.report.figures import save

        save(result.plot(), path)


def print_notes(source: Source, *, err: bool = False) -> None:
    """Print one line per thing that reading did."""
    for note in source.notes:
        source.say(f"Note: {note}", err=err)
