"""`algeval aggregate`: consensus labels and judge quality."""

from __future__ import annotations

import csv
import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from algeval.cli.completion import method_names
from algeval.cli.options import (
    Source,
    intervals_option,
    json_option,
    print_notes,
    print_result,
    source_options,
)
from algeval.cli.scoring import score_lines, scored
from algeval.cli.source import Counts
from algeval.data import Scores, Votes
from algeval.errors import AlgevalError, DataError
from algeval.result import exact

__all__ = ["aggregate"]


class _Command(click.Command):
    """A command whose help ends with the methods."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a method, then the examples."""
        from algeval.aggregate.registry import METHODS, SCORE_METHODS

        kinds = {
            f"Methods for {labels} labels, and what they assume": {
                name: m for name, m in METHODS.items() if m.labels == labels
            }
            for labels in ("any", "two")
        }
        for title, methods in {
            **kinds,
            "Methods for scores, and what they assume": SCORE_METHODS,
        }.items():
            with formatter.section(title):
                formatter.write_dl([(name, m.assumes) for name, m in methods.items()])
        super().format_epilog(ctx, formatter)


def _of_scores(given: dict[str, Any]) -> bool:
    """Whether the method reads scores alone."""
    from algeval.aggregate.registry import METHODS, SCORE_METHODS

    return given["method"] in SCORE_METHODS and given["method"] not in METHODS


def _counts_enough(given: dict[str, Any]) -> Counts:
    """Say that counts are enough where what is printed says nothing of single items."""
    return "tuples" if given["output"] is None and not given["as_json"] else "no"


@click.command(cls=_Command)
@click.option(
    "--method",
    metavar="NAME",
    default="recommended",
    show_default=True,
    shell_complete=method_names,
    help="How to aggregate: one of the methods below.",
)
@click.option(
    "--prevalence",
    metavar="A,B,...",
    help="Shares of the labels, if they are known; for scores, of the higher class.",
)
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the method, e.g. --set ridge=10 (may be repeated).",
)
@click.option(
    "--groups",
    type=click.Choice(["one-each", "weights"]),
    help="Count near copies as one judge: read one of each, or share the weight.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Write item, label, posteriors as CSV.",
)
@intervals_option
@json_option
@partial(source_options, numbers="scores", wants_scores=_of_scores, counts=_counts_enough)
def aggregate(
    source: Source,
    *,
    method: str,
    prevalence: str | None,
    given: tuple[str, ...],
    groups: str | None,
    output: str | None,
    intervals: int | str,
    as_json: bool,
) -> int:
    """Find consensus labels and judge quality. Exit code 1 when the fit did not end ok.

    A key is read after the labels are found, and only to score them.
    """
    from algeval.aggregate import ScoreAggregation
    from algeval.aggregate import aggregate as ask
    from algeval.aggregate.bootstrap import check_intervals, shown_intervals

    check_intervals(intervals)
    settings = dict(_setting(text) for text in given)
    if prevalence is not None:
        told = [float(exact(part, "--prevalence")) for part in prevalence.split(",")]
        settings["prevalence"] = told if len(told) > 1 else told[0]
    if source.cut is not None:
        settings["cut"] = source.cut
    try:
        result = ask(source.items("aggregate"), method, groups=groups, **settings)
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
        _write(output, source.held, result)
    made = None if isinstance(result, ScoreAggregation) else shown_intervals(result, intervals)
    _print(source, result, made, as_json)
    return 0 if result.status.ok else 1


def _print(source: Source, result: Any, made: Any, as_json: bool) -> None:
    """Print a result with its intervals, if there are any, and its score, if there is a key."""
    score, source = scored(source, result)
    if as_json:
        parts = {"intervals": made, "score": score}
        more = {name: part.to_dict() for name, part in parts.items() if part is not None}
        print_result(source, result, as_json, **more)
        return
    text = result.summary() if made is None else result.summary(made)
    lines = [] if score is None else score_lines(score)
    source.say("\n".join([f"{source.name}: {text.rstrip()}", *lines]))
    print_notes(source)


def _setting(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise DataError(f"--set must be given NAME=VALUE; got {text!r}; write it like ridge=10")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _write(path: str, data: object, result: Any) -> None:
    if not isinstance(data, Votes | Scores):
        raise DataError("--output must have items to write; got counts only; give the votes file")
    head = ["item", "label", *(f"p({label})" for label in result.labels)]
    columns = [*result.posterior_items.T]
    if isinstance(data, Scores):
        head, columns = [*head, "score"], [*columns, result.item_scores]
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        for item, label, *row in zip(data.items, result.item_labels, *columns, strict=True):
            writer.writerow([item, "" if label is None else label, *(f"{p:.9g}" for p in row)])
