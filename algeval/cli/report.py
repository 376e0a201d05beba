"""`algeval report`: everything the votes alone say."""

from __future__ import annotations

from functools import partial

import click

from algeval.cli.options import (
    Source,
    at_least_option,
    intervals_option,
    json_option,
    missing_option,
    print_result,
    source_options,
    time_limit_option,
)
from algeval.data import Scores

__all__ = ["report"]


@click.command()
@at_least_option(None, " [default: 0.6, then exit code 0 whatever the answer]")
@missing_option
@time_limit_option(20.0)
@intervals_option
@click.option("-o", "--output", metavar="FILE", help="Write .html, .json or .txt as well.")
@json_option
@partial(source_options, numbers="scores")
def report(
    source: Source,
    *,
    at_least: str | None,
    missing: str,
    time_limit: float,
    intervals: int | str,
    output: str | None,
    as_json: bool,
) -> int:
    """Say everything the votes alone say, every verdict with a checked certificate.

    Exit code 1 if you ask for --at-least and that is impossible; 0 otherwise.
    """
    from algeval.report import report as build

    scores = isinstance(source.held, Scores) and at_least is None
    result = build(
        source.held if scores else source.data,
        output,
        at_least="0.6" if scores else source.asked("0.6" if at_least is None else at_least),
        missing=missing,
        time_limit=time_limit,
        intervals=intervals,
        source=source.name,
        notes=source.notes,
    )
    if as_json:
        print_result(source, result, as_json)
    else:
        source.say(result.summary().rstrip())
    return 1 if result.alarm and at_least is not None else 0
