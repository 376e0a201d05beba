"""`algeval program`: an alarm as an integer program, for a solver of your own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import click

from algeval.cli.options import (
    KEY_UNUSED,
    Output,
    Source,
    at_least_option,
    counts_are_enough,
    missing_option,
    output_options,
    parse_order,
    print_notes,
    source_options,
    split,
    whole_numbers,
)

__all__ = ["program"]


@click.command()
@at_least_option()
@click.option(
    "--order",
    default="1",
    show_default=True,
    metavar="1|2|full",
    help="Whose joint answers to use.",
)
@click.option(
    "--q", metavar="N,M,...", callback=split, help="Only this answer key: items per label."
)
@missing_option
@click.option("--require-labels", is_flag=True, help="Every label occurs in the answer key.")
@click.option("--solve", is_flag=True, help="Solve it here too, by HiGHS.")
@output_options(".lp", words="Write an LP file, or the result")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def program(
    source: Source,
    *,
    at_least: str,
    order: str,
    q: list[str] | None,
    solve: bool,
    out: Output,
    **settings: Any,
) -> int:
    """Write the integer program that is feasible where some answer key meets the standard.

    Without -o its rows are printed. With --solve the exit code is 0 where it is feasible, else 1.
    """
    from algeval.logic import program as ask

    key = None if q is None else whole_numbers(q, "--q")
    asked = source.asked(at_least)
    found = ask(source.data, asked, order=parse_order(order) or 1, key_counts=key, **settings)
    solution = found.solve() if solve else None
    more = {} if solution is None else {"solution": solution.to_dict()}
    told = out
    if out.ending == ".lp":
        found.write_lp(str(out.path))
        told = replace(out, path=None)
    if not told.give(found, source, **more):
        _say(source, found, solution, out.path)
    return 0 if solution is None or solution.feasible else 1


def _say(source: Source, found: Any, solution: Any, output: str | None) -> None:
    source.say(f"{source.name}: {found.message}")
    if output is None:
        for row in found.constraints:
            source.say(str(row))
    else:
        source.say(f"written to {output}")
    for line in () if solution is None else (solution.message, solution.meaning):
        source.say(line)
    print_notes(source)
