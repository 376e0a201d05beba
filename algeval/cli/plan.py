"""`algeval plan`: how many labels per item to buy, before any are paid."""

from __future__ import annotations

from typing import Any

import click

from algeval.cli.options import json_option, split
from algeval.cli.output import print_json, say
from algeval.cli.wording import named_as_options
from algeval.errors import DataError

__all__ = ["plan"]


@click.command()
@click.option("--budget", required=True, metavar="K", help="What may be spent, in labels.")
@click.option("--accuracy", required=True, metavar="P", help="Accuracy of the worse classifier.")
@click.option(
    "--margin", metavar="X", help="By how much the other is better, if they err independently."
)
@click.option("--better-if-wrong", metavar="P", help="Accuracy of the better where the worse errs.")
@click.option(
    "--better-if-right", metavar="P", help="Accuracy of the better where the worse is right."
)
@click.option(
    "--label-accuracy",
    required=True,
    metavar="Q|Q,Q",
    callback=split,
    help="Chance that a label is right; or two, where only the better, only the worse classifier is.",
)
@click.option(
    "--item-cost", default="0", show_default=True, metavar="X", help="Of an item, in labels."
)
@click.option("--gold-cost", metavar="X", help="Of a label that is always right, in labels.")
@click.option(
    "--disagreements", is_flag=True, help="Buy labels only where the classifiers disagree."
)
@click.option("--most-labels", type=int, default=99, show_default=True, help="Most per item.")
@click.option("--plot", metavar="FILE", help="Draw the chances: .svg, .png or .pdf.")
@json_option
def plan(*, label_accuracy: list[str], plot: str | None, as_json: bool, **given: Any) -> int:
    """Say how many labels per item tell the better of two classifiers apart most often.

    Give the margin, or --better-if-wrong and --better-if-right where the classifiers' errors are
    correlated. "Proved" means that a theorem says one label each is best; elsewhere it is computed.
    """
    from algeval.budgets import plan as ask

    given["label_accuracy"] = label_accuracy if len(label_accuracy) > 1 else label_accuracy[0]
    try:
        result = ask(**given)
    except DataError as error:
        raise DataError(named_as_options(str(error), given)) from None
    if plot is not None:
        from algeval.report.figures import save

        save(result.plot(), plot)
    if as_json:
        print_json(result.to_dict())
    else:
        say(result.summary())
    return 0
