"""`algeval rate`: how often a system passes."""

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
    time_limit_option,
)
from algeval.cli.systems.options import (
    believed_option,
    cluster_option,
    file_option,
    gold_option,
    level_option,
    method_option,
    target_option,
)
from algeval.cli.wording import settings_as_options
from algeval.data import Scores
from algeval.errors import DataError

__all__ = ["rate"]


@click.command()
@click.option("--label", metavar="LABEL", help="Whose rate is asked for, for example pass.")
@gold_option("True labels of some items: a table of item and label; or key, with --key.")
@click.option(
    "--drawn",
    type=click.Choice(["random", "unequal", "elsewhere"]),
    default="random",
    show_default=True,
    help="How the labelled items were chosen.",
)
@target_option("The rate on these items, or on what they were drawn from.")
@click.option(
    "--against", default="1/2", show_default=True, metavar="X", help="The rate to compare with."
)
@file_option("--inclusion", "The chance of each item.")
@click.option(
    "--predictor",
    metavar="NAME|FILE",
    help="verdict, share, score, a method of aggregate, or a table of item and number.",
)
@cluster_option
@click.option("--tie", metavar="LABEL", help="The label of a tie, which counts one half.")
@believed_option
@level_option
@method_option("strata", "ppi", "profile", "wilson")
@click.option("--models", is_flag=True, help="Fit models too, a row each.")
@click.option(
    "--require",
    type=click.Choice(["above", "below"]),
    help="Exit with 1 unless the whole interval is on this side of --against.",
)
@time_limit_option(20.0, "Stop the rows without labels after this; closed forms are always there.")
@plot_option
@output_options()
@partial(source_options, numbers="scores")
def rate(
    source: Source, *, require: str | None, plot: str | None, out: Output, **given: Any
) -> int:
    """Say how often a label is the true one, with an interval that holds.

    With --gold the interval comes from the labels, narrowed by the judges. Without, a table says what
    each belief about the judges leaves possible. Exit code 1 when neither labels nor a belief give an
    answer, or --require is not met.
    """
    from algeval.rates.rating import rate as ask

    held = source.held
    if isinstance(held, Scores) and source.cut is not None:
        held = held.cut(source.cut)
    try:
        result = ask(held, **given)
    except DataError as error:
        raise DataError(settings_as_options(str(error), [*given, "cut", "labels"])) from None
    save_plot(result, plot)
    print_result(source, result, out)
    met = require is None or result.verdict == require
    return 0 if result.status.ok and met else 1
