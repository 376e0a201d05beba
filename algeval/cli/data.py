"""`algeval sketch | simulate | examples`: make and look at data."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

import click
import numpy as np

from algeval.cli.options import (
    KEY_UNUSED,
    Source,
    json_option,
    print_notes,
    source_options,
    split,
)
from algeval.cli.output import print_json, say, standard_output, write_data
from algeval.cli.source import Counts
from algeval.data import Evaluation
from algeval.data.reading import as_counts
from algeval.errors import DataError
from algeval.progress import paused
from algeval.result import exact
from algeval.result.files import whole_file
from algeval.result.tables import ENDINGS

__all__ = ["examples", "simulate", "sketch"]


_WIDEST = 100


def _output_option(form: str, others: str) -> Callable[[Any], Any]:
    """Add -o: to a file in place of the screen."""
    words = f"Write {form} to a file instead; or {others}, by its ending."
    return click.option("-o", "--output", type=click.Path(), metavar="FILE", help=words)


def _counts_enough(given: dict[str, Any]) -> Counts:
    return "each" if given["summarise"] else "tuples"


@click.command()
@click.option("--summary", "summarise", is_flag=True, help="Counts per judge instead.")
@_output_option("JSON", ".csv, .tsv, .parquet or .md")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as it does without.")
@partial(source_options, numbers="labels", key_note=KEY_UNUSED, counts=_counts_enough)
def sketch(source: Source, summarise: bool, output: str | None, as_json: bool) -> int:
    """Print the counts of decision tuples as JSON: all that the other commands need."""
    counts = as_counts(source.data)
    told = counts.summary() if summarise else counts
    if output is None:
        print_json(told.to_dict())
    else:
        write_data(output, told)
    print_notes(source, err=True)
    return 0


@click.command()
@json_option
def examples(as_json: bool) -> int:
    """List the shipped examples, and where they come from."""
    from algeval.io import example_names, example_notes

    told = {name: example_notes(name) for name in example_names()}
    if as_json:
        print_json(told)
        return 0
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    for name, notes in told.items():
        say(name)
        for note in notes:
            say(
                fill(
                    note, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
                )
            )
    return 0


@contextmanager
def _place(output: str | None) -> Iterator[Any]:
    """Open the file to write text to, or yield standard output."""
    if output is None:
        with paused():
            yield standard_output()
        return
    with whole_file(output) as beside, beside.open("w", newline="", encoding="utf-8") as stream:
        yield stream


@click.command()
@click.option(
    "--items",
    type=click.IntRange(1, 10**7),
    default=1000,
    show_default=True,
    help="How many items.",
)
@click.option(
    "--judges", type=click.IntRange(1, 1000), default=3, show_default=True, help="How many judges."
)
@click.option(
    "--labels",
    metavar="A,B,...",
    default="a,b",
    callback=split,
    show_default=True,
    help="The labels, equally frequent.",
)
@click.option("--accuracy", metavar="X", default="0.7", show_default=True, help="On every label.")
@click.option(
    "--unanswered", type=float, default=0.0, show_default=True, help="Share of votes left out."
)
@click.option("--missing", type=float, hidden=True, help="The same as --unanswered.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draw."
)
@_output_option("CSV", ".tsv, .parquet, .md or .json")
def simulate(
    *,
    items: int,
    judges: int,
    labels: list[str],
    accuracy: str,
    unanswered: float,
    missing: float | None,
    seed: int,
    output: str | None,
) -> int:
    """Print votes (CSV, with their key) of judges whose errors are independent."""
    from algeval.models.independent import sample

    law = _law(judges, tuple(labels), accuracy)
    votes = sample(law, items, seed=seed, missing=unanswered if missing is None else missing)
    if output is not None and Path(output).suffix.lower() in ENDINGS[1:]:
        votes.to_file(output)
        return 0
    with _place(output) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["item", *law.judges, "key"])
        for item, row, truth in zip(votes.items, votes.codes, votes.key, strict=True):  # type: ignore[arg-type]
            answers = ["" if code < 0 else labels[code] for code in row]
            writer.writerow([item, *answers, labels[truth]])
    return 0


def _law(judges: int, labels: tuple[str, ...], accuracy: str) -> Evaluation:
    """Return judges who are all right with the same chance, whatever the label."""
    r, right = len(labels), exact(accuracy, "--accuracy")
    if not 0 <= right <= 1:
        raise DataError(f"--accuracy must lie in [0, 1]; got {accuracy}; write it like 0.7 or 70%")
    wrong = (1 - right) / (r - 1) if r > 1 else Fraction(0)
    table = np.full((judges, r, r), float(wrong))
    table[:, range(r), range(r)] = float(right) if r > 1 else 1.0
    names = tuple(f"judge{i + 1}" for i in range(judges))
    return Evaluation(names, labels, labels, np.full(r, 1 / r), table)
