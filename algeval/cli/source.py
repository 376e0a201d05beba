"""What a command was given to read: files, pipes and examples, and what reading them did."""

from __future__ import annotations

import csv
import shlex
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import click

from algeval.cli.output import say
from algeval.cli.streams import is_stream, kept_stream
from algeval.cli.wording import as_options
from algeval.data import KeyedSketch, Scores, Specification, Summary, Votes
from algeval.data.names import Axes
from algeval.data.reading import Data, Joint, as_counts, scores_refused
from algeval.errors import DataError

__all__ = [
    "RENAMED",
    "Counts",
    "Numbers",
    "Source",
    "read_source",
    "select_judges",
    "spelled_arguments",
    "with_columns",
]

RENAMED = {"not_answered": "missing", "format_": "format"}
"""Options whose argument of `read_votes` has another name."""

Numbers = Literal["refused", "labels", "scores", "always"]
"""What a command makes of a table of many numbers: "always" scores, or where there are many."""

Counts = Literal["no", "tuples", "each"]
"""What a command makes do with of a large table: no counts, those of decision tuples, or of each judge."""

_OF_SCORES = frozenset(
    {"item", "judge", "answer", "judges", "key", "missing", "format", "layout", "attributes"}
    | {"reader", "question", "table", "latest", "ground_truth"}
)


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
    cut: float | None = None
    """Where scores that were read uncut are to be cut."""
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
    def keyed(self) -> bool:
        """Whether a key came with the data."""
        return isinstance(self.held, KeyedSketch) or getattr(self.held, "key", None) is not None

    @property
    def _axes(self) -> Axes:
        return _axes(self.data)

    def asked(self, at_least: str) -> Specification:
        """Return what is asked of the judges; with exact labels, only of those there are."""
        asked = Specification.of(at_least)
        if self.exact:
            asked.check_names(self._axes.judges, self._axes.labels)
        return asked

    def need_labels(self) -> None:
        """Refuse scores: as labels they take long and mean little."""
        from algeval.io.answers import refuse_scores

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


def _axes(data: Data) -> Axes:
    return data.sketch if isinstance(data, KeyedSketch) else data


def _names(data: Data | Scores) -> tuple[str, ...]:
    if isinstance(data, Scores):
        return data.judges
    axes = data if isinstance(data, Votes) else as_counts(data)
    return *axes.judges, *axes.answers


def spelled_arguments(votes: tuple[str, ...], example: str | None, reading: dict[str, Any]) -> str:
    """Return the arguments that name the votes, as they are typed in a shell."""
    words = list(votes) if example is None else ["--example", example]
    option = {python: name for name, python in RENAMED.items()}
    for name, value in reading.items():
        if value is None:
            continue
        words.append("--" + option.get(name, name).rstrip("_").replace("_", "-"))
        words += [] if value is True else [_typed(value)]
    return shlex.join(words)


def with_columns(attributes: str | None, more: list[str | None]) -> str | None:
    """Return the columns of attributes and those that other options name; a file holds its own."""
    named = [column for column in more if column is not None]
    if attributes is not None and Path(attributes).exists():
        return attributes
    parts = [] if attributes is None else [part.strip() for part in attributes.split(",")]
    return ",".join(dict.fromkeys([*parts, *named])) or None


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
    votes: tuple[str, ...],
    example: str | None,
    reading: dict[str, Any],
    numbers: Numbers = "refused",
    *,
    counts: Counts = "no",
    scored: bool = True,
) -> Source:
    """Read the votes files or the example, and keep only the judges asked for.

    counts : which counts are enough, so that the items of a large table need not be kept.
    scored : whether a key is wanted for more than to be checked.
    """
    if bool(votes) == (example is not None):
        raise click.UsageError("name one votes file, or one example with --example NAME")
    if example is not None:
        return _read_example(example, reading)
    given = {name: value for name, value in reading.items() if value is not None}
    if len(votes) > 1:
        return _read_files(votes, given, numbers, counts, scored)
    if votes[0] == "-" or is_stream(votes[0]):
        with kept_stream(votes[0]) as kept:
            return _read_files((kept,), given, numbers, counts, scored)
    return _read_files(votes, given, numbers, counts, scored)


def _read_files(
    paths: tuple[str, ...], given: dict[str, Any], numbers: Numbers, counts: Counts, scored: bool
) -> Source:
    if counts != "no" and not (numbers == "always" or {"scores", "attributes"} & given.keys()):
        counted = _counted(paths, given, numbers, each=counts == "each", scored=scored)
        if counted is not None:
            return counted
    return _read_file(paths, given, numbers)


def _counted(
    paths: tuple[str, ...], given: dict[str, Any], numbers: Numbers, *, each: bool, scored: bool
) -> Source | None:
    """Return the counts of a large table, None where its items are to be read."""
    from algeval.io.counting.large import count_large
    from algeval.io.files import is_document

    if any(map(is_document, paths)):
        return None
    said = bool({"labels", "exact_labels", "cut", "map"} & given.keys())
    looks = numbers == "scores" and not said
    found = count_large(_named(paths), given, scores=looks, each=each, scored=scored)
    if found is None:
        return None
    plain = tuple(map(as_options, found[1]))
    plain += () if said or numbers != "scores" else _numbered(_axes(found[0]))
    named = bool({"labels", "exact_labels", "cut"} & given.keys())
    return Source(_name(paths), found[0], plain, exact="exact_labels" in given, named=named)


def _named(paths: tuple[str, ...]) -> Any:
    return paths[0] if len(paths) == 1 else list(paths)


def _name(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return Path(paths[0]).name + more


def _read_file(paths: tuple[str, ...], given: dict[str, Any], numbers: Numbers) -> Source:
    from algeval.io import load_with_notes, read_votes_or_scores_with_notes
    from algeval.io.files import is_document

    _refuse_documents(paths)
    path, document = _named(paths), len(paths) == 1 and is_document(paths[0])
    asked = given.pop("scores", None) or "attributes" in given
    if not document and (asked or numbers == "always"):
        return _read_scores(paths, given)
    read = load_with_notes if numbers in ("refused", "labels") else read_votes_or_scores_with_notes
    data, notes = read(path, **given)
    if isinstance(data, Scores) and numbers in ("refused", "labels"):
        raise scores_refused()
    said = bool({"labels", "exact_labels", "cut"} & given.keys()) or document
    plain = tuple(map(as_options, notes))
    if numbers == "scores" and not said and isinstance(data, Votes):
        plain += _numbered(data)
    return Source(_name(paths), data, plain, exact="exact_labels" in given, named=said)


def _refuse_documents(paths: tuple[str, ...]) -> None:
    """Refuse counts among several files: what is in two of them would be one item or two."""
    from algeval.io.files import is_document

    if len(paths) > 1 and any(map(is_document, paths)):
        raise DataError(
            "several files must be parts of one table, or a judge each; got documents that algeval wrote; "
            "add sketches with algeval merge"
        )


def _numbered(votes: Axes) -> tuple[str, ...]:
    """Return a note where more than two labels are all numbers, which may be scores."""
    from algeval.io.answers import as_number

    if len(votes.labels) <= 2 or any(as_number(label) is None for label in votes.labels):
        return ()
    return (
        f"the {len(votes.labels)} numbers were taken for labels; --scores takes them for scores",
    )


def _read_scores(paths: tuple[str, ...], given: dict[str, Any]) -> Source:
    """Read a table whose numbers are scores, however few."""
    from algeval.io import read_scores_with_notes

    cut = given.pop("cut", None)
    strange = sorted(given.keys() - _OF_SCORES)
    if strange:
        raise click.UsageError(
            f"--{strange[0].replace('_', '-')} makes labels of a table; leave it out to read scores"
        )
    columns = given.get("attributes")
    if columns is not None and not Path(columns).exists():
        given = given | {"attributes": [part.strip() for part in columns.split(",")]}
    data, notes = read_scores_with_notes(_named(paths), **given)
    return Source(_name(paths), data, tuple(map(as_options, notes)), cut=cut)


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
