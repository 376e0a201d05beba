"""`algeval compare`: every method side by side."""

from __future__ import annotations

import click

from algeval.cli.options import Source, json_option, print_result, source_options, split
from algeval.data import Summary
from algeval.errors import DataError

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
@json_option
@source_options
def compare(source: Source, methods: list[str], as_json: bool) -> int:
    """Lay logic, algebra, majority, Dawid-Skene and the key (if any) side by side."""
    from algeval.compare import compare as ask

    if isinstance(source.data, Summary):
        raise DataError("compare must see votes or a sketch; got counts per judge; give the votes")
    result = ask(source.data, methods)
    print_result(source, result, as_json)
    return 0
