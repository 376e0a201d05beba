"""`algeval decode`: the exact evaluation if the judges' errors are independent."""

from __future__ import annotations

import click

from algeval.cli.options import Source, json_option, print_result, source_options

__all__ = ["decode"]


@click.command()
@click.option("--trio", metavar="A,B,C", help="The three judges, when there are more.")
@click.option("--engine", type=click.Choice(["closed", "groebner", "pencil"]), help="How to solve.")
@json_option
@source_options
def decode(source: Source, trio: str | None, engine: str | None, as_json: bool) -> int:
    """Decode a trio of judges exactly, assuming that their errors are independent.

    Exit code 1 when the counts prove that the errors are not exactly independent on this test.
    """
    from algeval.algebra import decode as ask

    judges = None if trio is None else [name.strip() for name in trio.split(",")]
    result = ask(source.joint("decode"), judges=judges, engine=engine)
    print_result(source, result, as_json)
    return 0 if result.status.ok or result.status.value == "undetermined" else 1
