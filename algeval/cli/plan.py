"""`algeval plan`: how many labels to buy, before any are paid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from algeval.cli.options import Output, output_options, plot_option, save_plot, split
from algeval.cli.output import say
from algeval.cli.wording import named_as_options, settings_as_options
from algeval.errors import DataError

__all__ = ["plan"]


@click.command()
@click.option("--half-width", metavar="X", help="Goal: a rate to within X.")
@click.option("--rate", metavar="P", help="What the rate may be. [default: 1/2, the hardest]")
@click.option("--rho2", metavar="R", help="Squared correlation of the judges with the truth.")
@click.option(
    "--pilot",
    metavar="FILE|A,B",
    callback=split,
    help="Votes, to tell rho2 from; two files for a margin.",
)
@click.option(
    "--gold", metavar="FILE|A,B", callback=split, help="Labels of some of the pilot; two for two."
)
@click.option("--label", metavar="LABEL", help="Whose rate the pilot is about.")
@click.option("--items", type=int, metavar="N", help="Items the judges see. [default: endless]")
@click.option(
    "--target",
    type=click.Choice(["items", "population"]),
    help="The rate on these items, or on what they come from. [default: items]",
)
@click.option("--level", type=float, metavar="P", help="Of the interval. [default: 0.95]")
@click.option(
    "--margin",
    metavar="X",
    help="Goal, with --discordance: a system ahead by X; with a budget: a classifier, if they err "
    "independently.",
)
@click.option("--discordance", metavar="P", help="Share of items on which one system is right.")
@click.option("--power", metavar="P", help="Of the comparison. [default: 0.8]")
@click.option("--judges", type=int, metavar="K", help="Goal: what K judges are worth.")
@click.option("--rho1", metavar="R", help="Correlation of one judge's vote with the truth.")
@click.option("--vote-correlation", metavar="R", help="Correlation of two judges' votes.")
@click.option("--budget", metavar="K", help="Goal, with --accuracy or --rate: what may be spent.")
@click.option("--accuracy", metavar="P", help="Accuracy of the worse classifier.")
@click.option("--better-if-wrong", metavar="P", help="Accuracy of the better where the worse errs.")
@click.option(
    "--better-if-right", metavar="P", help="Accuracy of the better where the worse is right."
)
@click.option(
    "--label-accuracy",
    metavar="Q|Q,Q",
    callback=split,
    help="Chance that a label is right; or two, where only the better, only the worse classifier is.",
)
@click.option("--agreement", metavar="P", help="How often two labels agree, in its place.")
@click.option("--item-cost", metavar="X", help="Of an item, in labels. [default: 0]")
@click.option("--label-cost", metavar="X", help="Of a label. [default: 1]")
@click.option("--gold-cost", metavar="X", help="Of a label that is always right, in labels.")
@click.option(
    "--disagreements", is_flag=True, help="Buy labels only where the classifiers disagree."
)
@click.option("--most-labels", type=int, metavar="N", help="Most per item. [default: 99, or 9]")
@plot_option
@output_options()
def plan(*, label_accuracy: list[str] | None, plot: str | None, out: Output, **given: Any) -> int:
    """Say how many labels to pay for, and what else would do.

    Give one goal: a rate to within --half-width; two systems with --margin and --discordance; the worth
    of --judges; two classifiers for a --budget, with --accuracy; labels per item for a --budget, with
    --rate. Exit code 1 when labels cannot reach the goal.
    """
    from algeval.rates.planning import plan as ask

    given["label_accuracy"] = label_accuracy
    for name in ("label_accuracy", "pilot", "gold"):
        if given[name] is not None and len(given[name]) == 1:
            given[name] = given[name][0]
    names = list(given)
    given["disagreements"] = given["disagreements"] or None
    try:
        result = ask(**{name: value for name, value in given.items() if value is not None})
    except DataError as error:
        raise DataError(_typed(str(error), names, of_classifiers=bool(given["accuracy"]))) from None
    save_plot(result, plot)
    if not out.give(result):
        say(result.summary())
    return 0 if getattr(result, "feasible", True) else 1


def _typed(text: str, names: Iterable[str], *, of_classifiers: bool) -> str:
    """Return a sentence with settings as options: every name of one, or where it is surely meant so."""
    if of_classifiers and not text.startswith("a plan must"):
        return named_as_options(text, names)
    return settings_as_options(text, names)
