"""`algeval versus`: whether one of two systems is better."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from algeval.cli.options import Source, json_option, print_result, source_options, split
from algeval.cli.wording import settings_as_options
from algeval.errors import DataError

__all__ = ["versus"]

_FILE: dict[str, Any] = {"type": click.Path(), "metavar": "FILE"}


@click.command()
@click.option(
    "--label", required=True, metavar="LABEL", help="Whose share is compared, for example pass."
)
@click.option(
    "--gold",
    type=click.Path(),
    metavar="FILE|key",
    help="True labels of both: a table of item, truth_a and truth_b; or key, with --key.",
)
@click.option("--gold-a", **_FILE, help="True labels of the first system's answers.")
@click.option("--gold-b", **_FILE, help="True labels of the second's.")
@click.option("--cluster", **_FILE, help="A table of item and cluster.")
@click.option(
    "--target",
    type=click.Choice(["items", "population"]),
    default="items",
    show_default=True,
    help="The difference on these items, or in what they were drawn from.",
)
@click.option(
    "--drawn",
    type=click.Choice(["random", "differing", "unequal"]),
    help="How the labelled items were drawn. [default: random, unless there are chances]",
)
@click.option("--inclusion", **_FILE, help="The chance with which each item was drawn.")
@click.option(
    "--outputs-a", **_FILE, help="What the first system put out: a table of item, output."
)
@click.option("--outputs-b", **_FILE, help="What the second put out.")
@click.option(
    "--at-least",
    metavar="X",
    help="What share of its answers every judge is believed to have right.",
)
@click.option(
    "--method",
    type=click.Choice(["auto", "strata", "ppi"]),
    default="auto",
    show_default=True,
    help="Of the interval; name one before you look.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the interval.")
@click.option(
    "--names", default="A,B", show_default=True, callback=split, metavar="A,B", help="Their names."
)
@click.option("--random", type=int, default=0, show_default=True, help="Seed of posterior draws.")
@click.option(
    "--require",
    type=click.Choice(["first", "second"]),
    help="Exit with 1 unless this system is shown to be better.",
)
@json_option
@partial(source_options, others=("other",))
@click.argument("other", type=click.Path())
def versus(
    source: Source, *, other: Source, require: str | None, as_json: bool, **given: Any
) -> int:
    """Compare two systems on the same items: VOTES on the first, A, then on the OTHER, B.

    With labels of both, an interval and a verdict; without, no verdict, however many judges agree, and exit
    code 1. Items are joined by id, and the options on reading hold for both files.
    """
    from algeval.rates.systems import compare_systems

    try:
        result = compare_systems(source.joint("versus"), other.joint("versus"), **given)
    except DataError as error:
        raise DataError(settings_as_options(str(error), given)) from None
    print_result(source, result, as_json)
    winner = {"first": "A", "second": "B"}.get(require or "", "")
    met = not winner or result.verdict == f"{result.names['AB'.index(winner)]} BETTER"
    return 0 if result.status.ok and met else 1
