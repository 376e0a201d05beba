"""`algeval leaderboard`: systems rated from judged battles, and the ranks each may have."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from algeval.cli.options import Output, output_options, plot_option, save_plot
from algeval.cli.output import say
from algeval.cli.streams import is_stream, kept_stream
from algeval.cli.wording import named_as_options
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["leaderboard"]


@click.command()
@click.argument("pairs", type=click.Path())
@click.option("--cluster", metavar="COLUMN", help="What was drawn independently. [default: prompt]")
@click.option(
    "--ties",
    type=click.Choice(["davidson", "half", "rao-kupper"]),
    default="davidson",
    show_default=True,
    help="A parameter of their own, half a win for each, or a threshold.",
)
@click.option(
    "--order",
    metavar="first|COLUMN",
    help="Fit what being shown first adds: the first system was, or the one a column names.",
)
@click.option("--gold", metavar="COLUMN|FILE", help="True winners of battles drawn at random.")
@click.option("--level", default="0.95", show_default=True, metavar="P", help="Of the intervals.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of the draws.")
@click.option("--first", metavar="COLUMN", help="The system shown first, as model_a.")
@click.option("--second", metavar="COLUMN", help="The other, as model_b.")
@click.option("--winner", metavar="COLUMN", help="Who won: a name, first, second or tie.")
@click.option("--judge", metavar="COLUMN", help="Who judged.")
@click.option("--item", metavar="COLUMN", help="The prompt that both answered.")
@plot_option
@output_options()
def leaderboard(
    *, pairs: str, level: str, seed: int, plot: str | None, out: Output, **given: Any
) -> int:
    """Rate systems from judged battles, and say which ranks each may have.

    PAIRS is a table with a row per vote: two systems, who won, and where there is one the prompt.
    Intervals rest on prompts, whose votes hang together; rank sets hold for all systems at once.
    Exit code 1 when the battles put no common scale on all systems.
    """
    from algeval.rates.leaderboards import leaderboard as ask

    settings = given | {"level": float(exact(level, "level")), "random": seed}
    kept = kept_stream(pairs) if pairs == "-" or is_stream(pairs) else nullcontext(pairs)
    try:
        with kept as path:
            result = ask(path, **settings)
    except DataError as error:
        raise DataError(named_as_options(str(error), ["level"])) from None
    save_plot(result, plot)
    if not out.give(result, source=pairs):
        name = "standard input" if pairs == "-" else Path(pairs).name
        say(f"{name}: {result.summary()}", names=(pairs, *result.systems))
    return 0 if result.status.ok else 1
