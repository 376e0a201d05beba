"""`algeval merge`: add the counts of parts that were counted apart."""

from __future__ import annotations

import click
import numpy as np

from algeval.cli.output import print_json, say, write_data
from algeval.data import NOT_ANSWERED, Sketch
from algeval.errors import DataError

__all__ = ["merge"]

_TWICE = (
    "an item in two of the files counts twice: counts hold no item ids, so nothing here can find it"
)


@click.command()
@click.argument("sketches", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Write JSON to a file instead; or .csv, .tsv, .parquet or .md, by its ending.",
)
def merge(sketches: tuple[str, ...], output: str | None) -> int:
    """Add sketches of parts: the sketch of all their items. Judges and labels must be the same."""
    read = [(path, _sketch(path)) for path in sketches]
    (first, total), *others = read
    for path, one in others:
        total += _alike(total, first, one, path)
    if output is None:
        print_json(total.to_dict())
    else:
        write_data(output, total)
    say(f"Note: {total.n_items} items of {len(read)} files; {_TWICE}", err=True)
    return 0


def _sketch(path: str) -> Sketch:
    from algeval.io import read_sketch

    found = read_sketch(path)
    if isinstance(found, Sketch):
        return found
    raise DataError(
        f"sketches must be merged; {path} is a {type(found).__name__}; write counts with algeval sketch"
    )


def _alike(total: Sketch, first: str, one: Sketch, path: str) -> Sketch:
    """Return a sketch with its judges and answers in the order of the others."""
    for what, wanted, got in (
        ("judges", total.judges, one.judges),
        ("labels", total.labels, one.labels),
        ("answers", total.answers, one.answers),
    ):
        if set(wanted) != set(got):
            option = "judges" if what == "judges" else "labels"
            raise DataError(
                f"sketches to merge must have the same {what}; {first} has {list(wanted)}, {path} "
                f"{list(got)}; count each part with --{option} {','.join(wanted)}"
            )
    one = one.marginal(total.judges)
    place = np.array([*map(total.answers.index, one.answers), NOT_ANSWERED], np.int16)
    return Sketch(*total.axes, place[one.codes], one.counts)
