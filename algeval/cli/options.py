"""Options that commands share: sources, outputs, streams, completion, and their words."""

from __future__ import annotations

import csv
import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from importlib.metadata import entry_points
from io import StringIO
from os.path import samefile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import click

from algeval.cli.output import VARIABLE, Output, is_stream, kept_stream, say
from algeval.data import KeyedSketch, Scores, Specification, Summary, Votes
from algeval.data.names import Axes, CutNote, SaidBy, read_as
from algeval.data.reading import Data, Joint, as_counts, scores_refused
from algeval.data.specification import FORMS
from algeval.errors import DataError, refusal, with_means
from algeval.io.answers import (
    OF_SEVERAL,
    CountOptions,
    Declared,
    LoadOptions,
    ReadOptions,
    ScoreOptions,
    VoteOptions,
    declared,
    typed_name,
    with_saved,
)
from algeval.io.formats import is_there
from algeval.io.layout import shown as shown_names
from algeval.result.files import OF_TABLES, check_target, either
from algeval.result.numbers import did_you_mean, how_many
from algeval.result.tables import ENDINGS

if TYPE_CHECKING:
    from algeval.io.counting import Enough
    from algeval.io.results import Results
    from algeval.io.sources import Kind
    from algeval.io.summaries import Counted

# --- What a command reads: files, pipes and examples, and what reading them did.


Numbers = Literal["refused", "labels", "scores", "always"]
"""What a command makes of a table of many numbers: "always" scores, or where there are many."""

Counts = Literal["no", "tuples", "labelled", "each", "rows", "grouped", "results"]
"""What a command makes do with of a large table: no counts, those of decision tuples (and the votes on
items that --human labels), of each judge, those of tuples where rows can be gone through again, those
by human label, system and slice where these are named, or where a results table has them."""

_OF_SCORES = {*declared(ScoreOptions), "good"}

LabelFiles: TypeAlias = str | list[str]
"""A file of people's labels, or several that are joined."""


@dataclass(frozen=True, slots=True)
class Source:
    """Data that a command reads, with their name, and notes of what reading did.

    `exact` says whether labels are spelled exactly, in conditions too; `named` whether an option says what
    the labels are, so that numbers are no scores; `cut` where scores that were read uncut are to be cut;
    `arguments` how the data were named, for commands to go on with; `results` the table the data are part of,
    and `again` reads a table of votes with the other columns it has; `people` the files of labels that were
    joined to `held`, which may name several people. `files` are a table that may be counted and gone through
    again, and how it is read.
    """

    name: str
    held: Data | Scores
    notes: tuple[str, ...]
    exact: bool = False
    named: bool = True
    cut: float | None = None
    arguments: str = ""
    results: Results | None = None
    again: Callable[[], Results] | None = None
    people: LabelFiles | None = None
    files: tuple[Any, ReadOptions] | None = None
    counted: Counted | None = None

    @property
    def data(self) -> Data:
        """The data where their answers are labels, or a refusal of scores."""
        if isinstance(self.held, Scores):
            from algeval.io.results import where_to_cut

            raise where_to_cut(self.held, self.name)
        return self.held

    @property
    def keyed(self) -> bool:
        """Whether a key came with the data."""
        return isinstance(self.held, KeyedSketch) or getattr(self.held, "key", None) is not None

    def standard(self, at_least: str) -> Specification:
        """Standard for the judges; with exact labels, only for those there are."""
        standard = Specification.of(at_least)
        if self.exact:
            axes = _axes(self.data)
            standard.check_names(axes.judges, axes.labels)
        return standard

    def need_labels(self) -> None:
        """Refuse scores: as labels they take long and mean little."""
        from algeval.io.answers import refuse_scores

        if not self.named:
            refuse_scores(_axes(self.data).answers)

    def items(self, command: str) -> Joint | Scores:
        """Data where they hold joint answers or scores, or say what the command needs."""
        return self.held if isinstance(self.held, Scores) else self.joint(command)

    def joint(self, command: str) -> Joint:
        """Data where they hold joint answers, or say that the command needs them."""
        if isinstance(self.data, Summary):
            raise DataError(f"{command} must see votes; got counts per judge; {self.lacking}")
        return self.data

    @property
    def read(self) -> str:
        """What the data are about: how many items, whose answers, which labels."""
        if self.counted is not None:
            return self.counted.sentence
        if isinstance(self.held, Scores):
            n = how_many(self.held.n_items, "item")
            return f"{n}, graders {', '.join(self.held.judges)}"
        return read_as(_axes(self.held))

    @property
    def lacking(self) -> str:
        """What counts per judge do not say."""
        axes = _axes(self.data)
        n = len(axes.labels) ** axes.n_judges
        return (
            f"no items here, and no joint answers: give votes, or the counts of the {n:,} tuples of "
            f"{how_many(axes.n_judges, 'judge')}"
        )

    def by_system(self) -> Source:
        """The same, where each system is asked about: without the note that they are taken together."""
        pooled = "" if self.results is None else self.results.pooled
        return replace(self, notes=tuple(note for note in self.notes if note != pooled))

    def say(self, text: str, *, err: bool = False) -> None:
        """Print lines of text about the data, whatever its names hold; what counts were read as first."""
        if self.counted is not None and text.startswith(f"{self.name}: "):
            text = f"{self.read}.\n{text}"
        if isinstance(self.held, Scores):
            names = self.held.judges
        else:
            axes = self.held if isinstance(self.held, Votes) else as_counts(self.held)
            names = (*axes.judges, *axes.answers)
        say(text, names=(self.name, *names), err=err)


def _axes(data: Data) -> Axes:
    return data.sketch if isinstance(data, KeyedSketch) else data


def spelled_arguments(votes: tuple[str, ...], example: str | None, reading: dict[str, Any]) -> str:
    """Arguments that name the votes, as they are typed in a shell."""
    words = list(votes) if example is None else ["--example", example]
    for name, value in reading.items():
        if value is None:
            continue
        now = name if name == "scores" else declared(ReadOptions)[name].now or name
        typed = "--" + ("scores" if name == "scores" else typed_name(now))
        value = [value] if name in OF_SEVERAL and isinstance(value, str) else value
        words += [typed] if value is True else [typed, _spelled(value)]
    return shlex.join(words)


def with_columns(attributes: str | None, more: list[str | None]) -> str | None:
    """Columns of attributes and those that other options name; a file holds its own."""
    named = [column for column in more if column is not None]
    if attributes is not None and Path(attributes).exists():
        return attributes
    parts = [] if attributes is None else [part.strip() for part in attributes.split(",")]
    return ",".join(dict.fromkeys([*parts, *named])) or None


def _spelled(value: Any) -> str:
    """Value of an option as it is typed: commas between parts, = between pairs."""
    if isinstance(value, dict):
        value = [f"{old}={_spelled(new)}" for old, new in value.items()]
    if not isinstance(value, list):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    row = StringIO()
    csv.writer(row, lineterminator="").writerow(value)
    return row.getvalue()


def read_source(
    votes: tuple[str, ...],
    example: str | None,
    reading: dict[str, Any],
    numbers: Numbers = "refused",
    *,
    counts: Counts = "no",
    scored: bool = True,
    gold: LabelFiles | None = None,
) -> Source:
    """Votes files or the example, of the judges that --judges names.

    counts : which counts are enough, so that the items of a large table need not be kept.
    scored : whether a key is wanted for more than to be checked.
    gold : the file of labels, or several, whose items are needed one by one.
    """
    if bool(votes) == (example is not None):
        raise click.UsageError("name one votes file, or one example with --example NAME")
    if example is not None:
        from algeval.io.catalog import example_table

        table = example_table(example)
        if table is None:
            return _read_example(example, reading)
        source = read_source(
            (str(table),), None, reading, numbers, counts=counts, scored=scored, gold=gold
        )
        return replace(source, name=example)
    stated = {name: value for name, value in reading.items() if value is not None}
    piped = len(votes) == 1 and (votes[0] == "-" or is_stream(votes[0]))
    with kept_stream(votes[0]) if piped else nullcontext() as kept:
        paths = votes if kept is None else (kept,)
        saved = _is_saved(paths)
        as_scores = stated.pop("scores", None) or "attributes" in stated or numbers == "always"
        if as_scores and not saved:
            return _read_scores(paths, stated)
        if counts == "grouped" and not saved and "judges" in stated and _BY & stated.keys():
            return _counted_by(paths, stated)
        enough = None
        of_results = counts == "results" and not piped
        if counts == "results":
            counts = "tuples"
        if counts in ("rows", "grouped"):  # a pipe cannot be gone through again
            counts = "no" if piped and counts == "rows" else "tuples"
        labelled = _labelled(gold) if counts == "labelled" and gold is not None else ()
        if labelled is None:
            counts = "no"
        if counts != "no" and not as_scores:
            from algeval.io.counting import Enough

            of_people = counts == "labelled"
            enough = Enough(counts == "each", scored, labelled or (), of_results, of_people)
        return _read_files(paths, stated, numbers, enough, saved=saved)


_BY = {"human", "system", "slice"}


def _counted_by(paths: tuple[str, ...], stated: dict[str, Any]) -> Source:
    """Counts of the judges named by human label, system and slice, of a table that is not read."""
    from algeval.io import count

    strange = sorted(stated.keys() - declared(CountOptions))
    if strange:
        raise click.UsageError(
            f"--{typed_name(strange[0])} needs the rows, which are counted where they lie; leave it out, or "
            "leave out --human, --system and --slice"
        )
    named = {
        name: value[0]
        if name != "slice" and name in {*_BY, "prompt"} and len(value) == 1
        else value
        for name, value in stated.items()
    }
    return Source(_name(paths), count(_named(paths), **named), ())


def _labelled(gold: LabelFiles) -> tuple[str, ...] | None:
    """Items that a file of labels names; None where its columns are only clear beside the table's items."""
    from algeval.rates.inputs import labelled_items

    try:
        return labelled_items(gold)
    except DataError:
        return None


def _is_saved(paths: tuple[str, ...]) -> bool:
    """Whether the file holds counts; among several none may: an item in two would be one item or two."""
    from algeval.io.formats import is_document

    saved = any(map(is_document, paths))
    if saved and len(paths) > 1:
        raise DataError(
            "several files must be parts of one table, or a judge each; got documents that algeval "
            "wrote; add sketches with algeval merge"
        )
    return saved


def _read_files(
    paths: tuple[str, ...],
    stated: dict[str, Any],
    numbers: Numbers,
    enough: Enough | None,
    *,
    saved: bool,
) -> Source:
    """Files as one table or document; a large table may be counted."""
    from algeval.io.sources import read, read_results

    kind: Kind = "data" if numbers in ("refused", "labels") else "data or scores"
    reading = read(_named(paths), ReadOptions(**stated), kind, enough)
    data, notes = reading.data, reading.notes
    if isinstance(data, Votes):  # the notes are said once, by the command
        cuts = tuple(note for note in data.notes if isinstance(note, CutNote | SaidBy))
        data = replace(data, notes=cuts)  # joined labels are cut there, too
    if isinstance(data, Scores) and kind == "data":
        raise scores_refused()
    named = saved or bool({"labels", "exact_labels", "cut"} & stated.keys())
    if (
        numbers == "scores"
        and not named
        and "count" not in stated
        and not isinstance(data, Scores | Summary)
    ):
        notes += _numbered(_axes(data))
    exact = "exact_labels" in stated
    again = partial(read_results, _named(paths), **stated)
    files = None if saved or "count" in stated else (_named(paths), ReadOptions(**stated))
    return Source(
        _name(paths),
        data,
        notes,
        exact,
        named,
        results=reading.results,
        again=again,
        files=files,
        counted=reading.counted,
    )


def _named(paths: tuple[str, ...]) -> Any:
    return paths[0] if len(paths) == 1 else list(paths)


def _name(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return Path(paths[0]).name + more


def _numbered(votes: Axes) -> tuple[str, ...]:
    """Note where more than two labels are all numbers, which may be scores."""
    from algeval.io.answers import as_number

    if len(votes.labels) <= 2 or any(as_number(label) is None for label in votes.labels):
        return ()
    return (
        f"the {len(votes.labels)} numbers were taken for labels; --scores takes them for scores",
    )


def _read_scores(paths: tuple[str, ...], stated: dict[str, Any]) -> Source:
    """Table whose numbers are scores, however few."""
    from algeval.io.sources import read, read_results

    cut = stated.pop("cut", None)
    if isinstance(cut, dict):
        raise click.UsageError("--cut of several columns makes labels; leave --scores out")
    strange = sorted(stated.keys() - _OF_SCORES)
    if strange:
        raise click.UsageError(
            f"--{typed_name(strange[0])} makes labels of a table; leave it out to read scores"
        )
    columns = stated.get("attributes")
    if columns is not None and not Path(columns).exists():
        stated = stated | {"attributes": [part.strip() for part in columns.split(",")]}
    reading = read(_named(paths), ReadOptions(**stated), "scores")
    again = None
    if stated.keys() <= declared(VoteOptions).keys():
        again = partial(read_results, _named(paths), **stated)
    return Source(_name(paths), reading.data, reading.notes, cut=cut, again=again)


def _read_example(name: str, reading: dict[str, Any]) -> Source:
    from algeval.io import example, example_notes

    stated = [k for k, v in reading.items() if v is not None and k not in ("judges", "good")]
    if stated:
        option = stated[0] if stated[0] == "scores" else typed_name(stated[0])
        raise click.UsageError(f"--{option} describes a votes file; an example needs none")
    data: Any = example(name)
    if (judges := reading["judges"]) is not None:
        if isinstance(data, KeyedSketch):
            raise DataError("a keyed sketch must keep all its judges; leave --judges out")
        data = data.select(judges=judges) if isinstance(data, Votes) else data.marginal(judges)
    return Source(name, data, example_notes(name))


# --- `algeval completion`: what makes a shell complete commands, options, examples and methods.


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the lines that make SHELL complete commands, options, files, examples and methods.

    \b
    bash  in ~/.bashrc:                   eval "$(algeval completion bash)"
    zsh   in ~/.zshrc:                    eval "$(algeval completion zsh)"
    fish  in ~/.config/fish/config.fish:  algeval completion fish | source
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    writer = get_completion_class(shell)
    if writer is None:  # click knows all three
        raise click.UsageError(f"shell must be bash, zsh or fish; got {shell!r}; choose one")
    script = writer(ctx.find_root().command, {}, "algeval", VARIABLE)
    say(script.source())
    return 0


def example_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of an example."""
    from algeval.io import example_names as names

    return [name for name in names() if name.startswith(incomplete)]


def method_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a method."""
    from algeval.aggregate.registry import METHODS, SCORE_METHODS

    return [name for name in {**METHODS, **SCORE_METHODS} if name.startswith(incomplete)]


# --- Options that several commands share, and how they become data.


F = TypeVar("F", bound=Callable[..., Any])


class Further(click.Option):
    """An option that `algeval COMMAND --help` leaves out and fuller help shows.

    about : "command", of which `algeval help COMMAND` has all, or "reading", of `algeval help reading`.
    """

    def __init__(self, *args: Any, about: str = "command", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.about = about

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Its line, where all options of the command are shown."""
        full = ctx.meta.get("algeval.full") and self.about == "command"
        return super().get_help_record(ctx) if full else None


class Former(click.Option):
    """The old name of an option, which works for one release and says the new one.

    now : the new name.
    """

    def __init__(self, *args: Any, now: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.hidden, self.now = True, now

    def handle_parse_result(self, ctx: click.Context, opts: Any, args: Any) -> Any:
        """Its value; the context remembers that it was typed."""
        if opts.get(self.name) is not None:
            ctx.meta.setdefault("algeval.former", {})[self.opts[0]] = self.now
        return super().handle_parse_result(ctx, opts, args)


def former(name: str, now: str, kind: Any = str) -> Callable[[F], F]:
    """Add the old name of an option."""
    more: dict[str, Any] = {"callback": split} if kind == "names" else {}
    return click.option(name, cls=Former, now=now, **more)


def under_new_names(settings: dict[str, Any], **now: str) -> dict[str, Any]:
    """Settings of a command where those typed by an old name have the new one: old="new"."""
    merged = dict(settings)
    for old, new in now.items():
        value = merged.pop(old)
        if value is not None and merged[new] is not None:
            raise click.UsageError(f"--{old} and --{new} are one setting; keep --{new}")
        merged[new] = merged[new] if value is None else value
    return merged


def opt(
    names: str,
    words: str,
    metavar: str | None = None,
    kind: Any = str,
    default: Any = None,
    *,
    rare: bool = False,
) -> Callable[[F], F]:
    """Add an option, whose default its help shows.

    kind : the type of its value; bool for a flag, "names" for names with commas between, "file", or a tuple
    of choices.
    rare : whether only `algeval help COMMAND` shows it.
    """
    more: dict[str, Any] = {"help": words, "metavar": metavar}
    if rare:
        more["cls"] = Further
    if kind is bool:
        more["is_flag"] = True
    elif kind == "names":
        more["callback"] = split
    elif kind is not str:
        choice = click.Choice(kind) if isinstance(kind, tuple) else kind
        more["type"] = click.Path() if kind == "file" else choice
    if default is not None:
        more |= {"default": default, "show_default": True}
    return click.option(*names.split(), **more)


def split(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str] | None:
    """Parts of a comma-separated option; a name with a comma stands in double quotes."""
    if value is None:
        return None
    try:
        return [part.strip() for part in next(csv.reader([value], skipinitialspace=True), [""])]
    except csv.Error:  # a line end outside quotes, or a name of more than 131,072 characters
        raise click.BadParameter("a list must be one line of names with commas between") from None


def _columns_or_path(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | list[str] | None:
    """A file that exists as it is, else columns between commas."""
    if value is None or (Path(value).exists() and not Path(value).is_dir()):
        return value
    return split(ctx, param, value)


def _column_or_several(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> str | list[str] | None:
    """A column, or several between commas."""
    parts = split(ctx, param, value)
    return parts[0] if parts is not None and len(parts) == 1 else parts


def pairs(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, str] | None:
    """Pairs of a comma-separated option: old=new."""
    parts = split(ctx, param, value) or []
    return _merged(param, parts, _NEW_NAMES) or None


_NEW_NAMES = "each answer one new name; write it like yes=1,no=0"


def _merged(param: click.Parameter, parts: Iterable[str], rule: str) -> dict[str, str]:
    """{old: new} of parts old=new, each said once; `rule` : what the option must give, and how."""
    merged: dict[str, str] = {}
    must, _, write = rule.partition("; ")
    for part in parts:
        old, sign, new = (text.strip() for text in part.rpartition("="))
        if not (sign and old and new) or merged.setdefault(old, new) != new:
            earlier = f" after {old}={merged[old]}" if sign and old and new else ""
            raise DataError(
                f"--{(param.name or '').removeprefix('read_')} must give {must}; got {part!r}{earlier}; "
                f"{write}"
            )
    return merged


def _cuts(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> Any:
    """A number, or {column: number}; a number beside such pairs is for the judges."""
    values = tuple(value.replace("<=", _AT_MOST) for value in values)
    parts = [part for value in values for part in split(ctx, param, value) or [value]]
    if len(parts) == 1 and "=" not in parts[0]:
        return _number(parts[0])
    named = [part if "=" in part else f"judges={part}" for part in parts]
    cuts = _merged(param, named, "a column one cut; write --cut judges=7,human=4")
    return {name: _number(at) for name, at in cuts.items()} or None


_AT_MOST = "\u2264"


def _number(text: str) -> float | str:
    """A number; a percentage as it is typed, which cells may say in percent or as a share; or <=X."""
    number = text.removeprefix(_AT_MOST).strip()
    below = "<=" if text.startswith(_AT_MOST) else ""
    try:
        if number.endswith("%"):
            return f"{below}{float(number[:-1]):.15g}%"
        return f"{below}{float(number)}" if below else float(number)
    except ValueError:
        raise refusal(
            "cut",
            "be a number, or <= before one",
            repr(f"{below}{number}"),
            "write X where scores from X on are good, '<=X' where low ones are",
        ) from None


def whole_numbers(parts: list[str], option: str) -> list[int]:
    """Parts of a comma-separated option as whole numbers."""
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
]


def _typed(option: Declared, name: str, shown: tuple[str, ...]) -> Callable[[Any], Any]:
    """The option of a command that states a reading option; its help has those that are `shown`."""
    words: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if option.choices:
        words["type"] = click.Choice(option.choices)
    elif option.form == "flag":
        words |= {"is_flag": True, "default": None}
    elif option.form == "path":
        words["type"] = click.Path()
    elif option.form == "columns or path":
        words |= {"type": click.Path(), "multiple": True, "callback": _together(_columns_or_path)}
    elif option.form == "cuts":
        words |= {"multiple": True, "callback": _cuts}
    elif option.form != "text":
        parse = split if option.form == "names" else pairs
        words |= {"multiple": True, "callback": _together(parse)}
    elif name in OF_SEVERAL:
        words |= {"multiple": True, "callback": _together(_column_or_several)}
    if option.now:
        words = {"cls": Former, "now": f"--{typed_name(option.now)}", "type": click.Path()}
    elif name not in shown:
        words |= {"cls": Further, "about": "reading"}
    return click.option(f"--{typed_name(name)}", f"read_{name}", **words)


def _together(
    parse: Callable[[click.Context, click.Parameter, str | None], Any],
) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], Any]:
    """Callback of an option that may be typed again, as answers to further questions are: all its values."""

    def callback(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> Any:
        parsed: list[Any] = [parse(ctx, param, value) for value in values]
        if len(parsed) < 2:
            return parsed[0] if parsed else None
        if all(isinstance(value, dict) for value in parsed):
            every = [f"{old}={new}" for value in parsed for old, new in value.items()]
            return _merged(param, every, _NEW_NAMES)
        listed = [[value] if isinstance(value, str) else value for value in parsed]
        return list(dict.fromkeys(name for names in listed for name in names))

    return callback


_IN_HELP = ("item", "judges", "human", "columns")
"""Reading options that the help of a command shows, as a rule."""


def reading_help(width: int) -> str:
    """All options on reading, as `algeval help reading` shows them."""
    formatter = click.HelpFormatter(max_width=width)
    formatter.write_text(
        "How a table is read; the same words in Python, in read_results and in what takes a table."
    )
    options = declared(LoadOptions) | {"attributes": declared(ScoreOptions)["attributes"]}
    rows = []
    for name, option in options.items():
        if option.now:
            continue
        metavar = option.metavar or ("|".join(option.choices) if option.choices else "")
        rows.append((f"--{typed_name(name)} {metavar}".rstrip(), option.help))
    rows.append(("--scores", "Take numbers for scores, however few there are."))
    formatter.write_dl(rows)
    formatter.write_text("algeval columns FILE shows what each column is read as without any.")
    return formatter.getvalue().rstrip()


def _reading_options(shown: tuple[str, ...], *, of_scores: bool) -> list[Any]:
    """Options on reading of a command, which its help has where they are `shown`."""
    options = [_typed(option, name, shown) for name, option in declared(LoadOptions).items()]
    if of_scores:
        words = "Take numbers for scores, however few there are."
        flag: dict[str, Any] = {"is_flag": True, "default": None, "help": words}
        options += [
            click.option("--scores", "read_scores", cls=Further, about="reading", **flag),
            _typed(declared(ScoreOptions)["attributes"], "attributes", shown),
        ]
    return [*_READING, *options]


KEY_SCORED = "the key was used for scoring only"
KEY_UNUSED = "the key was not used: aggregate, compare, diagnose and report score with one"


def counts_are_enough(settings: dict[str, Any]) -> Counts:
    """Of a command that makes do with counts of decision tuples, whatever its own options."""
    return "tuples"


def counts_for_labels(settings: dict[str, Any]) -> Counts:
    """Of a rate: with labels the votes on those items are read, too.

    What is by item, clusters and chances and predictors, needs the votes of all.
    """
    if settings.get("method", "auto") == "ppi" or settings.get("drawn", "random") != "random":
        return "no"
    if any(settings.get(name) for name in ("cluster", "inclusion", "predictor", "tie")):
        return "no"
    return "no" if settings.get("gold") == "key" else "labelled"


def _has_labels(held: Data | Scores) -> bool:
    """Whether people's labels that a rate can use came with the data."""
    if isinstance(held, Scores):
        return held.key is not None and set(held.key) <= {"0", "1", None} and any(held.key)
    return isinstance(held, Votes) and held.key is not None


def _settle_labels(settings: dict[str, Any], reading: dict[str, Any]) -> None:
    """Give labels of people and the good label to the options that take them, whatever they are called.

    A file of labels, with chances perhaps, is the command's own; columns are read with the votes.
    """
    if "gold" not in settings or settings.get("kind", "rate") != "rate":
        return
    human, gold = reading.get("human"), settings["gold"]
    if human is not None and gold not in (None, "key"):
        raise click.UsageError("--gold and --human are one setting; keep --human")
    if isinstance(human, list) and any(Path(name).is_file() for name in human):
        human, gold = _columns_and_files(human)
        reading["human"], settings["gold"] = human or None, gold
    elif isinstance(human, str) and gold is None:
        settings["gold"], reading["human"] = human, None
    elif gold is not None and gold != "key" and (not Path(gold).exists() or Path(gold).is_dir()):
        reading["human"], settings["gold"] = [gold], None
    _settle_good(settings, reading)


def _columns_and_files(human: list[str]) -> tuple[list[str], LabelFiles]:
    """Columns of people, and the files of labels that were named beside them."""
    files = [name for name in human if Path(name).is_file()]
    return [name for name in human if name not in files], files if len(files) > 1 else files[0]


def human_typed(gold: LabelFiles | None) -> str:
    """Option that names files of labels, as it is typed in a shell; empty where there are none."""
    return "" if gold in (None, "key") else f" --human {shlex.quote(_spelled(gold))}"


def _settle_good(settings: dict[str, Any], reading: dict[str, Any]) -> None:
    """Give the good label to the option that takes it."""
    if reading.get("good") is not None and "label" in settings:
        if settings["label"] is not None:
            raise click.UsageError("--label and --good are one setting; keep --good")
        settings["label"] = reading["good"]


def _with_labels(source: Source, gold: LabelFiles) -> tuple[Source, LabelFiles | None]:
    """Source with the labels of files: of several systems, of numbers, or where labels are not the judges'.

    Those of others stay the command's own.
    """
    results, own = source.results, _has_labels(source.held)
    graded = own or _holds_numbers(source.held) or _says_other_words(source.held, gold)
    if results is None and graded and source.again is not None:
        try:
            results = source.again()
        except DataError:  # no results table: the command says what it makes of the labels
            return source, gold
    if results is None or (len(results.by_system) < 2 and not graded):
        return source, gold
    from algeval.io.sources import read

    results = results.with_people(gold)
    if isinstance(source.held, Scores) and source.results is None:  # --scores
        results = results.as_scores()
    arguments = f"{source.arguments}{human_typed(gold)}"
    joined = replace(source, results=results, arguments=arguments, people=None if graded else gold)
    if not graded:
        return replace(joined, held=results.votes), None
    reading = read(results, ReadOptions(), "data or scores")
    return replace(joined, held=reading.data, notes=reading.notes), None


def _holds_numbers(held: Data | Scores) -> bool:
    """Whether judges give scores, or grades."""
    if isinstance(held, Scores):
        return True
    if not isinstance(held, Votes):
        return False
    from algeval.io.answers import as_number

    cut = any(isinstance(note, CutNote) for note in held.notes)
    return cut or (len(held.labels) > 2 and None not in map(as_number, held.labels))


def _says_other_words(held: Data | Scores, gold: LabelFiles) -> bool:
    """Whether a file has labels that no judge says, and what they mean is to be asked."""
    from algeval.data.names import folded
    from algeval.io.answers import as_number
    from algeval.io.items import TRUTH_NAMES, read_item_rows
    from algeval.io.journal import DRAWN

    if not isinstance(held, Votes):
        return False
    try:
        rows = read_item_rows(gold, "human", TRUTH_NAMES, DRAWN, held.items)
    except DataError:
        return False
    answers = {folded(label) for label in held.labels}
    said = {folded(text) for text in rows.values if text is not None}
    numbers = len(said) > 2 and None not in map(as_number, said) and answers <= {"0", "1"}
    return bool(said) and (numbers or said.isdisjoint(answers))


def _read_or_labels_alone(
    read: Callable[..., Source], reading: dict[str, Any], settings: dict[str, Any]
) -> tuple[Source, dict[str, Any]]:
    """Source and how it was read: of a table without a judge with the labels of the file that is named."""
    gold = settings.get("gold")
    try:
        return read(reading, gold=gold), reading
    except DataError as error:
        if gold in (None, "key") or reading.get("human") is not None or error.questions:
            raise
        settings["gold"] = None
        with_labels = {**reading, "human": gold}
        try:
            source = read(with_labels)
        except DataError:
            raise error from None
        if source.results is None or source.results.voting or source.results.scored:
            raise
        return source, with_labels


def source_options(
    command: F,
    *,
    numbers: Numbers = "refused",
    key_note: str = "",
    wants_scores: Callable[[dict[str, Any]], bool] = lambda settings: False,
    columns: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
    counts: Callable[[dict[str, Any]], Counts] = lambda settings: "no",
    apart: bool = False,
    shown: tuple[str, ...] = _IN_HELP,
) -> F:
    """Add the arguments that name the votes; the command receives `source`.

    key_note : what the command makes of a key, where its result does not say so.
    wants_scores : whether the command's own options make sense for scores alone.
    columns : options of the command that name attributes, which are read then.
    others : options of the command that name one more votes file each, which is read alike.
    counts : which counts of a large table the command makes do with, given its own options.
    apart : whether each file is votes of its own; the command receives `sources` too, one or more.
    shown : reading options that the command's help has; the others: algeval help reading.
    """
    of_scores = numbers in ("scores", "always")
    names = [*declared(LoadOptions), *(["scores", "attributes"] if of_scores else [])]

    def wrapped(*, votes: tuple[str, ...], example: str | None, **settings: Any) -> Any:
        typed = {name: settings.pop(f"read_{name}") for name in names}
        reading = dict.fromkeys(names) | with_saved(typed)
        saved = {n for n in names if typed[n] is None and reading[n] is not None}
        if columns:
            reading["attributes"] = with_columns(
                reading["attributes"], [settings[name] for name in columns]
            )
        _settle_labels(settings, reading)
        kind = "always" if wants_scores(settings) else numbers
        first = votes[:1] if apart else votes
        enough, scored = counts(settings), key_note != KEY_UNUSED
        gold = settings.get("gold")
        read_first = partial(
            read_source, first, example, numbers=kind, counts=enough, scored=scored
        )
        with with_means() if apart else nullcontext():
            source, reading = _read_or_labels_alone(read_first, reading, settings)
        gold = settings.get("gold")
        own = {name: value for name, value in reading.items() if name not in saved}
        source = replace(source, arguments=spelled_arguments(votes, example, own))
        _check_cluster(settings.get("cluster"), source)
        if gold not in (None, "key") and len(votes) <= 1:
            source, settings["gold"] = _with_labels(source, gold)
        if reading["key"] is not None and key_note:
            source = replace(source, notes=(*source.notes, key_note))

        def read_more(path: str) -> Source:
            source_read = read_source((path,), None, reading, kind)
            if numbers == "refused":
                source_read.need_labels()
            return source_read

        more: dict[str, Any] = {
            name: read_more(settings[name]) for name in others if settings[name] is not None
        }
        if apart:
            more["sources"] = [source, *map(read_more, votes[1:])]
        every = more.get("sources", [source])
        golds = [settings.get(name) for name in ("gold", "human_a", "human_b")]
        takes_labels = "gold" in settings and "kind" not in settings  # a figure is asked for a rate
        takes_labels = takes_labels and golds == [None] * 3
        if takes_labels and all(_has_labels(entry.held) for entry in every):
            settings["gold"] = "key"
        if numbers == "refused":
            source.need_labels()
        return command(source=source, **(settings | more))

    options = _reading_options(shown, of_scores=of_scores)
    return _dressed(wrapped, command, options)  # type: ignore[no-any-return]


def _check_cluster(cluster: str | None, source: Source) -> None:
    """Refuse the name of clusters that is none of a table's columns, nor a file."""
    if cluster is None or not cluster.strip() or is_there(cluster):
        return
    if cluster in (of.name for of in getattr(source.held, "groupings", ())):
        return  # and the table need not be read again
    columns: Sequence[str] = ()
    with suppress(DataError):  # what a table of votes alone has beside them
        results = source.results or (source.again and source.again())
        columns = [*results.reading.columns] if results else ()
    if columns and cluster not in columns:
        raise DataError(
            f"--cluster must be a column, or a file that exists; got {cluster!r}: no column and no file is "
            f"called so; {did_you_mean(cluster, columns)}; the columns are {shown_names(columns)}"
        )


def table_options(shown: tuple[str, ...]) -> Callable[[F], F]:
    """Add the options on reading one results table; the command receives `reading`, None where not stated."""
    names = list(declared(VoteOptions))

    def decorate(command: F) -> F:
        def wrapped(**settings: Any) -> Any:
            reading = {name: settings.pop(f"read_{name}") for name in names}
            return command(reading=reading, **settings)

        options = [_typed(option, name, shown) for name, option in declared(VoteOptions).items()]
        return _dressed(wrapped, command, options)  # type: ignore[no-any-return]

    return decorate


json_option = opt("--json as_json", "Print JSON for machines.", kind=bool)


def output_options(*more: str, words: str = "Write the result, too") -> Callable[[F], F]:
    """Add --json, -o and --output-table; the command receives `out`.

    more : endings that only this command knows; it writes such files itself.
    words : what is written, where that is more than the result.
    """
    endings = (*more, *ENDINGS)

    def checked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            check_target(value, endings, "--output")
        return value

    def decorate(command: F) -> F:
        def wrapped(
            *, as_json: bool, output: str | None, output_table: str | None, **settings: Any
        ) -> Any:
            out = Output(as_json, output, output_table)
            if output_table is not None and out.ending not in OF_TABLES:
                raise click.UsageError(
                    f"--output-table must come with -o FILE of {either(OF_TABLES)}"
                )
            return command(out=out, **settings)

        options = [
            click.option(
                "-o",
                "--output",
                type=click.Path(),
                callback=checked,
                metavar="FILE",
                help=f"{words}: {either(endings)}.",
            ),
            opt("--output-table", "Which table goes to a file that holds one.", "TITLE", rare=True),
            json_option,
        ]
        return _dressed(wrapped, command, options)  # type: ignore[no-any-return]

    return decorate


WRITTEN = ("output", "save", "plot", "to_label", "offline")
"""Parameters that name what a command writes; `save` may be a folder of proofs."""


class Reading(click.Context):
    """Context of a command that never writes over a file that it reads."""

    def invoke(self, callback: Any, /, *args: Any, **settings: Any) -> Any:
        """What the command returns, unless what it writes is also among what it reads."""
        named = {name: _texts(value) for name, value in settings.items()}
        written = [(n, path) for n in WRITTEN for path in named.pop(n, ()) if is_there(path)]
        read = [Path(text) for texts in named.values() for text in texts if is_there(text)]
        for name, path in written:
            inside = [file.parent for file in read if file.suffix == ".json" and name == "save"]
            if any(samefile(file, path) for file in [*read, *inside]):
                raise DataError(
                    f"--{name.replace('_', '-')} must be another file than those that are read, which are "
                    f"never changed; got {path!r}; write to a new one"
                )
        return super().invoke(callback, *args, **settings)


def _texts(value: Any) -> Iterator[str]:
    """Texts in the value of a parameter."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def at_least_option(default: str | None = "0.6", note: str = " [default: 0.6]") -> Callable[[F], F]:
    """Add --at-least."""
    return click.option(
        "--at-least",
        default=default,
        metavar="X",
        help="Accuracy asked of every judge on every label: 0.6, 60% or 3/5; or conditions: "
        f"{FORMS}.{note}",
    )


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and (math.isnan(value) or value < 0):
        raise DataError(f"--time-limit must be seconds from 0 on; got {value:g}; write it like 30")
    return value


COUNTED = " By default work is counted, so that the answer is the same on any machine."


def time_limit_option(
    words: str = "Stop each search after this many seconds; what is certified by then stands."
    + COUNTED,
    *,
    rare: bool = False,
) -> Callable[[F], F]:
    """Add --time-limit."""
    return click.option(
        "--time-limit",
        type=float,
        callback=_seconds,
        metavar="SECONDS",
        help=words,
        cls=Further if rare else click.Option,
    )


_MISSING = "What an unanswered item means for a judge's accuracy."
missing_option = opt("--missing", _MISSING, None, ("excluded", "wrong"), "excluded")
require_labels_option = opt("--require-labels", "Every label occurs in the answer key.", kind=bool)

_LOGIC = [
    opt("--order", "How many judges' joint answers to use.", "1|2|full"),
    missing_option,
    require_labels_option,
    time_limit_option(),
    opt("--save", "Write certificates there.", "FOLDER", "file"),
    opt("--export", "Print the proofs for another system, and nothing else.", kind=("coq",)),
]


@dataclass(frozen=True, slots=True)
class Logic:
    """The settings every logical question takes, and where and how to write certificates."""

    order: int | str | None
    missing: str
    require_labels: bool
    time_limit: float | None
    save: str | None
    export: str | None

    def settings(self) -> dict[str, Any]:
        """Settings as the functions of the logic layer take them."""
        written = ("save", "export")
        return {name: value for name, value in asdict(self).items() if name not in written}


def logic_options(command: F) -> F:
    """Add the options of every logical question; the command receives `logic`."""

    def wrapped(**settings: Any) -> Any:
        own = {field.name: settings.pop(field.name) for field in fields(Logic)}
        logic = Logic(**own | {"order": parse_order(own["order"])})
        return command(logic=logic, **settings)

    return _dressed(wrapped, command, _LOGIC)  # type: ignore[no-any-return]


def _dressed(wrapped: Any, command: Any, options: list[Any]) -> Any:
    """Give a wrapper its command's name, help and options, then its own options."""
    wrapped.__name__, wrapped.__doc__ = command.__name__, command.__doc__
    wrapped.__click_params__ = getattr(command, "__click_params__", [])
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


_REFITS = "Refits on resampled items for intervals. [default: 100 if that takes seconds]"


def intervals_option(command: F) -> F:
    """Add --intervals and --no-intervals; the command receives `intervals`: "auto" or a number."""

    def wrapped(*, intervals: int | None, no_intervals: bool, **settings: Any) -> Any:
        if no_intervals and intervals is not None:
            raise click.UsageError("give --intervals or --no-intervals, not both")
        refits = "auto" if intervals is None else intervals
        return command(intervals=0 if no_intervals else refits, **settings)

    options = [
        opt("--intervals", _REFITS, "N", int),
        opt("--no-intervals", "No intervals.", kind=bool),
    ]
    return _dressed(wrapped, command, options)  # type: ignore[no-any-return]


def both_judges_option(command: F) -> F:
    """Add --before and --after, of one file the judges that are read; the command receives `names`."""

    def wrapped(*, before: str | None, after: str | None, **settings: Any) -> Any:
        if (before is None) != (after is None):
            raise click.UsageError("--before and --after go together: the old judge and the new")
        names = None if before is None else [before, after]
        if names is not None and settings["read_judges"] is not None:
            raise click.UsageError(
                "--judges and --before are one setting; keep --before and --after"
            )
        if names is not None and len(settings["votes"]) < 2:
            settings["read_judges"] = names
        return command(names=names, gold=None, label=None, **settings)

    options = [
        opt("--before", "The judge before, where judges have different names.", "COLUMN"),
        opt("--after", "The judge after.", "COLUMN"),
    ]
    return _dressed(wrapped, command, options)  # type: ignore[no-any-return]


def parse_order(order: str | None) -> int | str | None:
    """Order that --order names."""
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


plot_option = opt("--plot", "Draw the result to a file: .svg, .png or .pdf.", "FILE")


def save_plot(result: Any, path: str | None) -> None:
    """Draw a result to a file, if one is named."""
    if path is not None:
        from algeval.report.figures import save

        save(result.plot(), path)


def print_notes(source: Source, *, err: bool = False) -> None:
    """Print one line per thing that reading did."""
    for note in source.notes[source.counted is not None :]:  # whose sentence stands first
        source.say(f"Note: {note}", err=err)


# --- What other packages add.


def extension(group: str, name: str) -> Any:
    """Object that a package registers by an entry point."""
    for point in entry_points(group=group, name=name):
        return point.load()
    raise click.UsageError(f"no installed package has {name!r} for {group}; install algeval again")
