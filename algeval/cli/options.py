"""Options that several commands share, and how they become data."""

from __future__ import annotations

import csv
import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from algeval.cli.output import print_json, say
from algeval.cli.streams import is_stream, kept_stream
from algeval.cli.wording import as_options
from algeval.data import KeyedSketch, Scores, Specification, Summary, Votes
from algeval.data.names import Axes
from algeval.data.reading import Data, Joint, as_counts, scores_refused
from algeval.errors import DataError

__all__ = [
    "Logic",
    "Source",
    "at_least_option",
    "intervals_option",
    "json_option",
    "logic_options",
    "parse_order",
    "print_notes",
    "print_result",
    "source_options",
    "split",
    "time_limit_option",
    "whole_numbers",
]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Source:
    """What a command was given to read: its name, the data, and notes of what reading did."""

    name: str
    held: Data | Scores
    notes: tuple[str, ...]
    exact: bool = False
    """Whether labels are spelled exactly, in conditions too."""
    named: bool = True
    """Whether it was said what the labels are, so that numbers are no scores."""
    arguments: str = ""
    """How the data were named, for commands to go on with."""

    @property
    def data(self) -> Data:
        """The data where their answers are labels, or a refusal of scores."""
        if isinstance(self.held, Scores):
            raise DataError(
                "this question is about labels; got scores; pass --cut X to make the label 1 of "
                "scores from X on and 0 of lower ones"
            )
        return self.held

    @property
    def _axes(self) -> Axes:
        return self.data.sketch if isinstance(self.data, KeyedSketch) else self.data

    def asked(self, at_least: str) -> Specification:
        """Return what is asked of the judges; with exact labels, only of those there are."""
        asked = Specification.of(at_least)
        if self.exact:
            asked.check_names(self._axes.judges, self._axes.labels)
        return asked

    def need_labels(self) -> None:
        """Refuse scores: as labels they take long and mean little."""
        from algeval.io.scores import refuse_scores

        if not self.named:
            refuse_scores(self._axes.answers)

    def items(self, command: str) -> Joint | Scores:
        """Return the data where they hold joint answers or scores, or say what the command needs."""
        return self.held if isinstance(self.held, Scores) else self.joint(command)

    def joint(self, command: str) -> Joint:
        """Return the data where they hold joint answers, or say that the command needs them."""
        if isinstance(self.data, Summary):
            raise DataError(
                f"{command} must see votes or a sketch; got counts per judge; give the votes"
            )
        return self.data

    def say(self, text: str, *, err: bool = False) -> None:
        """Print lines of text about the data, whatever its names hold."""
        say(text, names=(self.name, *_names(self.held)), err=err)


def _names(data: Data | Scores) -> tuple[str, ...]:
    if isinstance(data, Scores):
        return data.judges
    axes = data if isinstance(data, Votes) else as_counts(data)
    return *axes.judges, *axes.answers


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
    click.argument("votes", required=False, type=click.Path()),
    click.option(
        "--example", metavar="NAME", help="Use a shipped example (see: algeval examples)."
    ),
    click.option("--item", metavar="COLUMN", help="Column of item ids."),
    click.option("--judge", metavar="COLUMN", help="Long tables: column of judge names."),
    click.option("--answer", metavar="COLUMN", help="Long tables: column of answers."),
    click.option("--judges", metavar="A,B,...", callback=split, help="The judges to use."),
    click.option("--key", metavar="COLUMN|FILE", help="True labels, used for scoring only."),
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
    click.option("--format", "format_", metavar="csv|tsv|jsonl|parquet|xlsx", help="File format."),
    click.option("--layout", type=click.Choice(["wide", "long"]), help="Table layout."),
]


_NAMES = (
    *("item", "judge", "answer", "judges", "key"),
    *("labels", "not_answered", "exact_labels", "map", "count", "cut", "format_", "layout"),
)
_RENAMED = {"not_answered": "missing", "format_": "format"}
"""Options whose argument of `read_votes` has another name."""


Numbers = Literal["refused", "labels", "scores"]
"""What a command makes of a table of many numbers."""


def source_options(command: F, *, numbers: Numbers = "refused") -> F:
    """Add the arguments that name the votes; the command receives `source`."""

    def wrapped(*, votes: str | None, example: str | None, **given: Any) -> Any:
        reading = {_RENAMED.get(name, name): given.pop(name) for name in _NAMES}
        source = read_source(votes, example, reading, numbers)
        source = replace(source, arguments=spelled_arguments(votes, example, reading))
        if numbers == "refused":
            source.need_labels()
        return command(source=source, **given)

    return _dressed(wrapped, command, _READING)  # type: ignore[no-any-return]


def spelled_arguments(votes: str | None, example: str | None, reading: dict[str, Any]) -> str:
    """Return the arguments that name the votes, as they are typed in a shell."""
    words = [str(votes)] if example is None else ["--example", example]
    option = {python: name for name, python in _RENAMED.items()}
    for name, value in reading.items():
        if value is None:
            continue
        words.append("--" + option.get(name, name).rstrip("_").replace("_", "-"))
        words += [] if value is True else [_typed(value)]
    return shlex.join(words)


def _typed(value: Any) -> str:
    """Return the value of an option as it is typed: commas between parts, = between pairs."""
    if isinstance(value, dict):
        value = [f"{old}={new}" for old, new in value.items()]
    if not isinstance(value, list):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    row = StringIO()
    csv.writer(row, lineterminator="").writerow(value)
    return row.getvalue()


def read_source(
    votes: str | None, example: str | None, reading: dict[str, Any], numbers: Numbers = "refused"
) -> Source:
    """Read the votes file or the example, and keep only the judges asked for."""
    if (votes is None) == (example is None):
        raise click.UsageError("name one votes file, or one example with --example NAME")
    if example is not None:
        return _read_example(example, reading)
    given = {name: value for name, value in reading.items() if value is not None}
    if votes == "-" or is_stream(str(votes)):
        with kept_stream(str(votes)) as kept:
            return _read_file(kept, given, numbers)
    return _read_file(str(votes), given, numbers)


def _read_file(path: str, given: dict[str, Any], numbers: Numbers) -> Source:
    from algeval.io import load_with_notes, read_votes_or_scores_with_notes
    from algeval.io.files import is_document

    read = read_votes_or_scores_with_notes if numbers == "scores" else load_with_notes
    data, notes = read(path, **given)
    if isinstance(data, Scores) and numbers != "scores":
        raise scores_refused()
    said = bool({"labels", "exact_labels", "cut"} & given.keys()) or is_document(path)
    plain = tuple(map(as_options, notes))
    return Source(Path(path).name, data, plain, exact="exact_labels" in given, named=said)


def _read_example(name: str, reading: dict[str, Any]) -> Source:
    from algeval.io import example, example_notes

    given = [k for k, v in reading.items() if v is not None and k != "judges"]
    if given:
        raise click.UsageError(f"--{given[0]} describes a votes file; an example needs none")
    data: Data = example(name)
    if reading["judges"] is not None:
        data = select_judges(data, reading["judges"])
    return Source(name, data, example_notes(name))


def select_judges(data: Data, judges: list[str]) -> Data:
    """Return the data of some of the judges."""
    if isinstance(data, Votes):
        return data.select(judges=judges)
    if isinstance(data, KeyedSketch):
        raise DataError("a keyed sketch must keep all its judges; leave --judges out")
    return data.marginal(judges)


def json_option(command: F) -> F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")(command)


def at_least_option(default: str | None = "0.6", note: str = " [default: 0.6]") -> Callable[[F], F]:
    """Add --at-least."""
    return click.option(
        "--at-least",
        default=default,
        metavar="X",
        help="Accuracy asked of every judge on every label: 0.6, 60% or 3/5; or conditions such as "
        f"'accuracy >= 0.6 and prevalence(tie) <= 0.5'.{note}",
    )


def _seconds(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if math.isnan(value) or value < 0:
        raise DataError(f"--time-limit must be seconds from 0 on; got {value:g}; write it like 30")
    return value


def time_limit_option(default: float) -> Callable[[F], F]:
    """Add --time-limit."""
    return click.option(
        "--time-limit",
        type=float,
        default=default,
        show_default=True,
        callback=_seconds,
        metavar="SECONDS",
        help="Stop each search after this; what is certified by then stands.",
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


def print_result(source: Source, result: Any, as_json: bool, **more: Any) -> None:
    """Print a result, with its source and what reading it did."""
    if as_json:
        named = {"source": source.name, "notes": list(source.notes)}
        print_json(result.to_dict() | named | more)
        return
    source.say(f"{source.name}: {result.summary().rstrip()}")
    print_notes(source)


def print_notes(source: Source, *, err: bool = False) -> None:
    """Print one line per thing that reading did."""
    for note in source.notes:
        source.say(f"Note: {note}", err=err)
