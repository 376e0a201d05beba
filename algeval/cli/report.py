"""`algeval report`: everything the votes alone say."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial

import click

from algeval.cli.options import (
    Output,
    Source,
    at_least_option,
    counts_are_enough,
    intervals_option,
    missing_option,
    output_options,
    source_options,
    time_limit_option,
)
from algeval.cli.systems.options import gold_option
from algeval.data import Scores

__all__ = ["report"]


@click.command()
@at_least_option(None, " Without it: how many fall short of a few levels.")
@missing_option
@time_limit_option(10.0)
@intervals_option
@click.option("--label", metavar="LABEL", help="Whose rate to tell, for example pass.")
@gold_option("For the rate: true labels of items drawn at random; or key, with --key.")
@click.option(
    "--full", is_flag=True, help="Everything, with the theory, not the first screen only."
)
@output_options(".html", ".txt", words="Write all of it, or a table")
@partial(source_options, numbers="scores", counts=counts_are_enough)
def report(
    source: Source,
    *,
    at_least: str | None,
    missing: str,
    time_limit: float,
    intervals: int | str,
    label: str | None,
    gold: str | None,
    full: bool,
    out: Output,
) -> int:
    """Say everything the votes alone say, every verdict with a checked certificate.

    Exit code 1 if you ask for --at-least and that is impossible; 0 otherwise.
    """
    from algeval.report import report as build

    if source.cut is not None:
        raise click.UsageError("--cut makes labels of scores; leave it out, or leave out --scores")
    scores = isinstance(source.held, Scores) and at_least is None
    if gold is not None and not scores and label is None:
        raise click.UsageError("--gold must come with --label, whose rate it tells")
    own = out.table is None and out.ending != ".json"
    result = build(
        source.held if scores else source.data,
        out.path if own else None,
        at_least=None if at_least is None else source.asked(at_least),
        missing=missing,
        time_limit=time_limit,
        intervals=intervals,
        label=label,
        gold=gold,
        source=source.name,
        notes=source.notes,
        arguments=source.arguments,
        made=shlex.join(["algeval", *(click.get_current_context().obj or ())]),
    )
    rest = replace(out, path=None) if own else out
    if not rest.give(result, source):
        source.say((result.full() if full else result.summary()).rstrip())
    return 1 if result.alarm and at_least is not None else 0
