"""`algeval compare`: every method side by side."""

from __future__ import annotations

import click

from algeval.cli.options import (
    Output,
    Source,
    intervals_option,
    output_options,
    print_result,
    source_options,
    split,
)

__all__ = ["compare"]


@click.command()
@click.option(
    "--methods",
    default="algebra,majority,dawid-skene,recommended",
    show_default=True,
    callback=split,
    metavar="A,B,...",
    help="Which methods to run.",
)
@intervals_option
@output_options()
@source_options
def compare(source: Source, methods: list[str], intervals: int | str, out: Output) -> int:
    """Lay logic, algebra, majority, Dawid-Skene and the key (if any) side by side."""
    from algeval.compare import compare as ask

    result = ask(source.joint("compare"), methods, intervals=intervals)
    print_result(source, result, out)
    return 0
