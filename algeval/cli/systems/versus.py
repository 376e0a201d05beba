"""`algeval versus`: whether one system is better than another."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from algeval.cli.options import (
    Output,
    Source,
    output_options,
    plot_option,
    print_result,
    save_plot,
    source_options,
    split,
)
from algeval.cli.systems.options import (
    believed_option,
    cluster_option,
    file_option,
    gold_option,
    level_option,
    method_option,
    random_option,
    target_option,
)
from algeval.cli.wording import settings_as_options
from algeval.errors import DataError
from algeval.result import Result

__all__ = ["versus"]


@click.command()
@click.option(
    "--label", required=True, metavar="LABEL", help="Whose share is compared, for example pass."
)
@gold_option("True labels of all: a table of item, truth_a, truth_b ...; or key, with --key.")
@file_option("--gold-a", "True labels of the first system's answers.")
@file_option("--gold-b", "True labels of the second's.")
@cluster_option
@target_option("The difference on these items, or in what they were drawn from.")
@click.option(
    "--drawn",
    type=click.Choice(["random", "differing", "unequal"]),
    help="How the labelled items were drawn. [default: random, unless there are chances]",
)
@file_option("--inclusion", "The chance with which each item was drawn.")
@file_option("--outputs-a", "What the first system put out: a table of item, output.")
@file_option("--outputs-b", "What the second put out.")
@believed_option
@method_option("strata", "ppi")
@level_option
@click.option("--names", callback=split, metavar="A,B", help="Their names. [default: A, B, ...]")
@random_option("Seed of posterior draws.")
@click.option(
    "--require",
    type=click.Choice(["first", "second"]),
    help="Exit with 1 unless this system is shown to be better.",
)
@plot_option
@output_options()
@partial(source_options, apart=True)
def versus(
    source: Source,
    *,
    sources: list[Source],
    require: str | None,
    plot: str | None,
    out: Output,
    **given: Any,
) -> int:
    """Compare systems on the same items: a file of judges' VOTES on each, A, B and so on.

    With labels of both, an interval and a verdict; without, no verdict, however many judges agree, and exit
    code 1. Items are joined by id, and the options on reading hold for all files. Of three systems or more
    every pair is compared, all verdicts right at once, and each system has the ranks it may have.
    """
    from algeval.rates.systems import compare_systems

    votes: list[Any] = [one.joint("versus") for one in sources]
    if len(votes) < 2:
        raise click.UsageError("name a votes file of each system, two or more")
    if len(votes) > 2 and require is not None:
        raise click.UsageError("--require needs two systems; leave it out, or name two files")
    try:
        if len(votes) > 2:
            result: Result = compare_systems(votes, **given)
        else:
            result = compare_systems(*votes, **given)
    except DataError as error:
        raise DataError(settings_as_options(str(error), given)) from None
    save_plot(result, plot)
    print_result(source, result, out)
    return 0 if result.status.ok and _met(result, require) else 1


def _met(result: Result, require: str | None) -> bool:
    """Whether the system that is required to be better is shown to be."""
    if require is None:
        return True
    found: Any = result
    winner = found.names[["first", "second"].index(require)]
    return bool(found.verdict == f"{winner} BETTER")
