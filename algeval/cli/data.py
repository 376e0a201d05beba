"""`algeval sketch | simulate | examples`: make and look at data."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import partial

import click
import numpy as np

from algeval.cli.options import Source, print_notes, source_options, split
from algeval.cli.output import print_json, say, standard_output
from algeval.data import Evaluation
from algeval.data.reading import as_counts
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["examples", "simulate", "sketch"]


@click.command()
@click.option("--summary", "summarise", is_flag=True, help="Counts per judge instead.")
@partial(source_options, numbers="labels")
def sketch(source: Source, summarise: bool) -> int:
    """Print the counts of decision tuples as JSON: all that the other commands need."""
    counts = as_counts(source.data)
    print_json((counts.summary() if summarise else counts).to_dict())
    print_notes(source, err=True)
    return 0


@click.command()
def examples() -> int:
    """List the shipped examples."""
    from algeval.io import example_names, example_notes

    for name in example_names():
        say(f"{name}: {' '.join(example_notes(name))}")
    return 0


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
@click.option("--labels", metavar="A,B,...", default="a,b", callback=split, show_default=True)
@click.option("--accuracy", metavar="X", default="0.7", show_default=True, help="On every label.")
@click.option("--missing", type=float, default=0.0, show_default=True, help="Share left out.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def simulate(
    items: int, judges: int, labels: list[str], accuracy: str, missing: float, seed: int
) -> int:
    """Print votes (CSV, with their key) of judges whose errors are independent."""
    from algeval.models.independent import sample

    r, right = len(labels), exact(accuracy, "--accuracy")
    if not 0 <= right <= 1:
        raise DataError(f"--accuracy must lie in [0, 1]; got {accuracy}; write it like 0.7 or 70%")
    wrong = (1 - right) / (r - 1) if r > 1 else Fraction(0)
    table = np.full((judges, r, r), float(wrong))
    table[:, range(r), range(r)] = float(right) if r > 1 else 1.0
    names = tuple(f"judge{i + 1}" for i in range(judges))
    law = Evaluation(names, tuple(labels), tuple(labels), np.full(r, 1 / r), table)
    votes = sample(law, items, seed=seed, missing=missing)
    writer = csv.writer(standard_output(), lineterminator="\n")
    writer.writerow(["item", *names, "key"])
    for item, row, truth in zip(votes.items, votes.codes, votes.key, strict=True):  # type: ignore[arg-type]
        answers = ["" if code < 0 else labels[code] for code in row]
        writer.writerow([item, *answers, labels[truth]])
    return 0
