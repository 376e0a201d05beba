"""`algeval aggregate`: consensus labels and judge quality."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import click

from algeval.cli.options import (
    Source,
    intervals_option,
    json_option,
    print_notes,
    print_result,
    source_options,
)
from algeval.data import Votes
from algeval.errors import AlgevalError, DataError
from algeval.result import exact

__all__ = ["aggregate"]


@click.command()
@click.option("--method", default="recommended", show_default=True, help="How to aggregate.")
@click.option("--prevalence", metavar="A,B,...", help="Shares of the labels, if they are known.")
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the method, e.g. --set ridge=10 (may be repeated).",
)
@click.option("-o", "--output", metavar="FILE", help="Write item, label, posteriors as CSV.")
@intervals_option
@json_option
@source_options
def aggregate(
    source: Source,
    *,
    method: str,
    prevalence: str | None,
    given: tuple[str, ...],
    output: str | None,
    intervals: int | str,
    as_json: bool,
) -> int:
    """Find consensus labels and judge quality. Exit code 1 when the fit did not end ok."""
    from algeval.aggregate import aggregate as ask
    from algeval.aggregate.bootstrap import check_intervals, shown_intervals

    check_intervals(intervals)
    settings = dict(_setting(text) for text in given)
    if prevalence is not None:
        settings["prevalence"] = [
            float(exact(part, "--prevalence")) for part in prevalence.split(",")
        ]
    try:
        result = ask(source.joint("aggregate"), method, **settings)
    except AlgevalError:
        raise
    except (TypeError, ValueError) as error:
        if not given:
            raise
        raise DataError(
            f"--set must give values that {method!r} can use; got {', '.join(map(repr, given))} "
            f"({error}); correct or leave out the wrong one"
        ) from None
    if output is not None:
        _write(output, source.data, result)
    made = shown_intervals(result, intervals)
    if as_json:
        more = {} if made is None else {"intervals": made.to_dict()}
        print_result(source, result, as_json, **more)
    else:
        source.say(f"{source.name}: {result.summary(made).rstrip()}")
        print_notes(source)
    return 0 if result.status.ok else 1


def _setting(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise DataError(f"--set must be given NAME=VALUE; got {text!r}; write it like ridge=10")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _write(path: str, data: object, result: object) -> None:
    if not isinstance(data, Votes):
        raise DataError("--output must have items to write; got counts only; give the votes file")
    labels = result.item_labels  # type: ignore[attr-defined]
    posterior = result.posterior_items  # type: ignore[attr-defined]
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["item", "label", *(f"p({label})" for label in data.labels)])
        for item, label, row in zip(data.items, labels, posterior, strict=True):
            writer.writerow([item, "" if label is None else label, *(f"{p:.9g}" for p in row)])
