"""`algeval next`: which items to label next."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from algeval.cli.options import Output, Source, output_options, print_result, source_options
from algeval.cli.systems.options import cluster_option, file_option, gold_option, random_option
from algeval.cli.wording import settings_as_options
from algeval.errors import DataError

__all__ = ["next"]


@click.command("next")
@click.option("--n", type=int, required=True, metavar="N", help="How many items.")
@click.option("--label", metavar="LABEL", help="Whose share is meant, where there are several.")
@gold_option("Labels there are already; their items are not drawn again.")
@cluster_option
@click.option(
    "--goal",
    type=click.Choice(["rate", "difference", "labels"]),
    default="rate",
    show_default=True,
    help="What the labels are for.",
)
@file_option("--other", "Votes on a second system.")
@file_option("--outputs", "What the system put out: a table of item, output.")
@file_option("--other-outputs", "What the second put out.")
@click.option(
    "--strategy",
    type=click.Choice(["spread", "uncertain"]),
    default="spread",
    show_default=True,
    help="Evenly, or by the judges' doubt once 50 labels have calibrated it.",
)
@random_option("Seed of the draw.")
@output_options(words="Write a file to fill in (.csv), or the result")
@partial(source_options, others=("other",))
def next(source: Source, *, other: Source | None, out: Output, **given: Any) -> int:
    """Draw the items that people should label next, and keep the chance that each had.

    Filled in, the file that -o writes is what --gold takes.
    """
    from algeval.rates.sampling import next_items

    second = None if other is None else other.joint("next")
    try:
        result = next_items(source.joint("next"), other=second, **given)
    except DataError as error:
        raise DataError(settings_as_options(str(error), [*given, "other"])) from None
    print_result(source, result, out)
    return 0
