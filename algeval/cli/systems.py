"""The commands on the systems that judges judge."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from algeval.cli.options import (
    Source,
    counts_for_labels,
    output_options,
    plot_option,
    print_result,
    save_plot,
    source_options,
    split,
    time_limit_option,
)
from algeval.cli.output import Output, is_stream, kept_stream, say
from algeval.data import Scores
from algeval.result import Result, exact

# --- `algeval leaderboard`: systems rated from judged battles, and the ranks each may have.


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
    *, pairs: str, level: str, seed: int, plot: str | None, out: Output, **choices: Any
) -> int:
    """Rate systems from judged battles, and say which ranks each may have.

    PAIRS is a table with a row per vote: two systems, who won, and where there is one the prompt.
    Intervals rest on prompts, whose votes hang together; rank sets hold for all systems at once.
    Exit code 1 when no battles link some systems to the others.
    """
    from algeval.rates.leaderboards import leaderboard as ask

    settings = choices | {"level": float(exact(level, "level")), "random": seed}
    kept = kept_stream(pairs) if pairs == "-" or is_stream(pairs) else nullcontext(pairs)
    with kept as path:
        result = ask(path, **settings)
    save_plot(result, plot)
    if not out.give(result, source=pairs):
        name = "standard input" if pairs == "-" else Path(pairs).name
        say(f"{name}: {result.summary()}", names=(pairs, *result.systems))
    return 0 if result.status.ok else 1


# --- Options that the commands about systems share.


F = TypeVar("F", bound=Callable[..., Any])


def file_option(name: str, words: str, metavar: str = "FILE") -> Callable[[F], F]:
    """Add an option that names a file."""
    return click.option(name, type=click.Path(), metavar=metavar, help=words)


def gold_option(words: str) -> Callable[[F], F]:
    """Add --gold: labels of people, in a file or as the key that came with the votes."""
    return file_option("--gold", words, "FILE|key")


cluster_option = file_option(
    "--cluster", "A column of prompts or sources, or a table of item and cluster.", "COLUMN|FILE"
)
believed_option = click.option(
    "--at-least",
    metavar="X",
    help="What share of its answers every judge is believed to have right.",
)
level_option = click.option(
    "--level", type=float, default=0.95, show_default=True, help="Of the interval."
)


def target_option(words: str) -> Callable[[F], F]:
    """Add --target: these items, or what they were drawn from."""
    return click.option(
        "--target",
        type=click.Choice(["items", "population"]),
        default="items",
        show_default=True,
        help=words,
    )


def method_option(*methods: str) -> Callable[[F], F]:
    """Add --method, of the interval."""
    return click.option(
        "--method",
        type=click.Choice(["auto", *methods]),
        default="auto",
        show_default=True,
        help="Method of the interval; choose it before looking at the data.",
    )


def random_option(words: str) -> Callable[[F], F]:
    """Add --random, a seed."""
    return click.option(
        "--random", "--seed", "random", type=int, default=0, show_default=True, help=words
    )


# --- `algeval next`: which items to label next.


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
def next(source: Source, *, other: Source | None, out: Output, **settings: Any) -> int:
    """Draw the items that people should label next, and keep the chance that each had.

    Filled in, the file that -o writes is what --gold takes.
    """
    from algeval.rates.sampling import next_items

    second = None if other is None else other.joint("next")
    result = next_items(source.joint("next"), other=second, **settings)
    print_result(source, result, out)
    return 0


# --- `algeval versus`: whether one system is better than another.


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
    **settings: Any,
) -> int:
    """Compare systems on the same items: a file of judges' VOTES on each, A, B and so on.

    With labels of both, an interval and a verdict; without, no verdict, however many judges agree, and exit
    code 1. Items are joined by id, and the options on reading hold for all files. Of three systems or more
    every pair is compared, all verdicts right at once, and each system has the ranks it may have. Files
    without an item in common are compared unpaired.
    """
    from algeval.rates.systems import compare_systems

    votes: list[Any] = [system.joint("versus") for system in sources]
    if len(votes) < 2:
        raise click.UsageError("name a votes file of each system, two or more")
    if len(votes) > 2 and require is not None:
        raise click.UsageError("--require needs two systems; leave it out, or name two files")
    if len(votes) > 2:
        result: Result = compare_systems(votes, **settings)
    else:
        result = compare_systems(*votes, **settings)
    save_plot(result, plot)
    print_result(source, result, out)
    return 0 if result.status.ok and _met(result, require) else 1


def _met(result: Result, require: str | None) -> bool:
    """Whether the system that is required to be better is shown to be."""
    if require is None:
        return True
    named: Any = result
    winner = named.names[["first", "second"].index(require)]
    return bool(named.verdict == f"{winner} BETTER")


# --- `algeval rate`: how often a system passes.


@click.command()
@click.option(
    "--label",
    metavar="LABEL",
    help="The label to count; by default the one that is named like a pass.",
)
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
@method_option("strata", "ppi", "profile", "wilson", "exact")
@click.option("--models", is_flag=True, help="Fit models too, a row each.")
@click.option(
    "--require",
    type=click.Choice(["above", "below"]),
    help="Exit with 1 unless the whole interval is on this side of --against.",
)
@time_limit_option(20.0, "Stop the rows without labels after this; closed forms are always there.")
@plot_option
@output_options()
@partial(source_options, numbers="scores", counts=counts_for_labels)
def rate(
    source: Source, *, require: str | None, plot: str | None, out: Output, **settings: Any
) -> int:
    """How often a label is the true one, with a valid confidence interval.

    With --gold the interval comes from the labels, narrowed by the judges. Without, a table says what
    each belief about the judges leaves possible. Exit code 1 when neither labels nor a belief give an
    answer, or --require is not met.
    """
    from algeval.rates.rating import rate as ask

    held = source.held
    if isinstance(held, Scores) and source.cut is not None:
        held = held.cut(source.cut)
    result = ask(held, **settings)
    save_plot(result, plot)
    print_result(source, result, out)
    met = require is None or result.verdict == require
    return 0 if result.status.ok and met else 1
