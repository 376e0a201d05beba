"""`algeval aggregate`: consensus labels and judge quality."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import click

from algeval.cli.completion import method_names
from algeval.cli.options import (
    Output,
    Source,
    intervals_option,
    output_options,
    print_notes,
    source_options,
)
from algeval.cli.scoring import score_lines, scored
from algeval.cli.source import Counts
from algeval.data import Scores, Votes
from algeval.errors import AlgevalError, DataError
from algeval.result import exact
from algeval.result.files import OF_TABLES, write_table

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
    return "tuples" if given["out"].path is None and not given["out"].as_json else "no"


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
@intervals_option
@output_options(words="Write item, label and posteriors, or all of the result")
@partial(source_options, numbers="scores", wants_scores=_of_scores, counts=_counts_enough)
def aggregate(
    source: Source,
    *,
    method: str,
    prevalence: str | None,
    given: tuple[str, ...],
    groups: str | None,
    intervals: int | str,
    out: Output,
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
    if out.ending in OF_TABLES and out.table is None:
        _write(str(out.path), source.held, result)
        out = replace(out, path=None)
    made = None if isinstance(result, ScoreAggregation) else shown_intervals(result, intervals)
    _print(source, result, made, out)
    return 0 if result.status.ok else 1


def _print(source: Source, result: Any, made: Any, out: Output) -> None:
    """Print a result with its intervals, if there are any, and its score, if there is a key."""
    score, source = scored(source, result)
    parts = {"intervals": made, "score": score}
    more = {name: part.to_dict() for name, part in parts.items() if part is not None}
    if out.give(result, source, **more):
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
    names = [f"p({label})" for label in result.labels]
    numbers = dict(zip(names, result.posterior_items.T, strict=True))
    if isinstance(data, Scores):
        numbers["score"] = result.item_scores
    labels = {"item": list(data.items), "label": result.item_labels}
    write_table(path, labels | {name: _rounded(column) for name, column in numbers.items()})


def _rounded(column: Any) -> list[float]:
    """Return numbers to nine digits: what comes after differs between machines."""
    return [float(f"{number:.9g}") for number in column]
