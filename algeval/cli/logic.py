"""`algeval alarm | threshold | panel | bounds | evaluations`: what is logically possible."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

import click

from algeval.certificates import check, of_ranges, save, save_ranges
from algeval.cli.options import (
    KEY_UNUSED,
    Logic,
    Output,
    Source,
    at_least_option,
    counts_are_enough,
    logic_options,
    output_options,
    print_notes,
    source_options,
    split,
    whole_numbers,
)
from algeval.data import Specification
from algeval.data.reading import as_counts

__all__ = ["alarm", "bounds", "evaluations", "panel", "threshold"]


def _show(
    source: Source, result: Any, certificates: dict[str, Any], folder: str | None, out: Output
) -> None:
    """Check, save and print one logical result."""
    counts = as_counts(source.data)
    verified = check(certificates, counts)
    saved = save(folder, certificates, counts)
    if out.give(result, source, verified=verified):
        return
    source.say(f"{source.name}: {result.message}")
    for line in getattr(result, "details", ()):
        source.say(line)
    _say_if_late(source, result)
    source.say(f"What this does not mean: {result.meaning}")
    for line in (*verified, *saved):
        source.say(line)
    print_notes(source)


@click.command()
@at_least_option()
@logic_options
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def alarm(
    source: Source,
    at_least: str,
    logic: Logic,
    out: Output,
) -> int:
    """Can all the judges be as good as required? Exit code 1 when they cannot, or it stays open.

    Silence comes with an example of how they could; an alarm comes with a proof that they cannot.
    """
    from algeval.logic import alarm as ask

    result = ask(source.data, source.asked(at_least), **logic.settings())
    _show(source, result, {"certificate": result.certificate}, logic.save, out)
    return 0 if result.triggered is False else 1


@click.command()
@click.option(
    "--exact/--bracket",
    default=None,
    help="Search on for the exact threshold, or leave the bracket.  [default: search on for 5 s where "
    "few different tuples of answers occur]",
)
@logic_options
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def threshold(
    source: Source,
    exact: bool | None,
    logic: Logic,
    out: Output,
) -> int:
    """Find the highest accuracy every judge could have on every label at once."""
    from algeval.logic import threshold as ask

    result = ask(source.data, exact=exact, **logic.settings())
    certificates = {"witness": result.witness, "refutation": result.refutation}
    _show(source, result, certificates, logic.save, out)
    return 0


@click.command()
@at_least_option()
@logic_options
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def panel(
    source: Source,
    at_least: str,
    logic: Logic,
    out: Output,
) -> int:
    """Count how many judges must fall short. Exit code 1 when any must."""
    from algeval.logic import panel as ask

    result = ask(source.data, source.asked(at_least), **logic.settings())
    certificates = {"certificate": result.certificate, "witness": result.witness}
    _show(source, result, certificates, logic.save, out)
    return 1 if result.min_violators else 0


@click.command()
@at_least_option(None, " [default: none]")
@logic_options
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def bounds(
    source: Source,
    at_least: str | None,
    logic: Logic,
    out: Output,
) -> int:
    """Give the range of every accuracy, grade and prevalence, if the judges meet a standard or not."""
    from algeval.logic import bounds as ask

    asked = None if at_least is None else source.asked(at_least)
    if logic.require_labels:
        every = Specification.prevalence(None, ">", 0)
        asked = every if asked is None else asked & every
    result = ask(
        source.data,
        order=logic.order,
        at_least=asked,
        missing=logic.missing,
        time_limit=logic.time_limit,
    )
    _show_ranges(source, result, logic.save, out)
    return 1 if result.status.value == "inconsistent" else 0


def _show_ranges(source: Source, result: Any, folder: str | None, out: Output) -> None:
    """Check, save and print ranges, whose certificates are too many for a line each."""
    counts, certificates = as_counts(source.data), of_ranges(result.certificates)
    verified = check(certificates, counts)
    saved = save_ranges(folder, certificates, counts)
    if out.give(result, source, verified=verified):
        return
    source.say(f"{source.name}: {result.summary().rstrip()}")
    _say_if_late(source, result)
    source.say(f"Certificates of these ranges that were verified: {len(verified)}.")
    for line in saved:
        source.say(line)
    print_notes(source)


def _say_if_late(source: Source, result: Any) -> None:
    if result.status.value == "time_limit":
        source.say(result.status.advice.replace("time_limit", "--time-limit"))


@click.command()
@click.option(
    "--most", type=click.IntRange(min=0), default=20, show_default=True, help="How many to print."
)
@click.option(
    "--q", metavar="N,M,...", callback=split, help="Only this answer key: items per label."
)
@click.option(
    "--engine",
    type=click.Choice(["lattice", "pulp"]),
    default="lattice",
    show_default=True,
    help="List in order, or by an integer program.",
)
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def evaluations(source: Source, most: int, q: list[str] | None, engine: str, out: Output) -> int:
    """List the evaluations consistent with the votes (order 1), and count them all."""
    from algeval.logic import evaluations as ask

    found = ask(source.data, q=None if q is None else whole_numbers(q, "--q"), engine=engine)
    points = list(islice(found, most))
    shown = [{"key_counts": p.key_counts, "correct": p.correct} for p in points]
    if out.give(found, source, points=shown):
        return 0
    source.say(f"{source.name}: {found.message}")
    source.say(f"answer key {found.labels}: correct answers per judge {found.judges}")
    for point in points:
        correct = "  ".join(str(row) for row in point.correct)
        source.say(f"{point.key_counts}: {correct}")
    print_notes(source)
    return 0
