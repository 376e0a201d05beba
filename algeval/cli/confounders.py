"""`algeval confounders`: what judges who give scores share, and what goes with it."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from algeval.cli.options import Output, Source, output_options, print_result, source_options
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["confounders"]

_KEY_NOTE = "the key was not used: nothing here is scored"


@click.command()
@click.option("--cluster", metavar="COLUMN", help="Items with the same entry belong together.")
@click.option("--texts", metavar="COLUMN", help="The texts judged: length, form and readability.")
@click.option("--prevalence", metavar="P", help="Share of the higher class, if it is known.")
@click.option(
    "--folds", type=int, default=5, show_default=True, metavar="N", help="Parts held out in turn."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of the folds.")
@output_options()
@partial(
    source_options,
    numbers="always",
    key_note=_KEY_NOTE,
    wants_scores=lambda given: True,
    columns=("cluster", "texts"),
)
def confounders(
    source: Source,
    *,
    cluster: str | None,
    texts: str | None,
    prevalence: str | None,
    folds: int,
    seed: int,
    out: Output,
) -> int:
    """Say whether judges share more than one thing, and which attributes of the items go with it.

    Scores show that a second thing is shared; they cannot show which is quality. Nothing is
    corrected: the answer lists what each correction would move, and what you would say by it. Exit
    code 1 when the scores do not settle it.
    """
    from algeval.aggregate import confounders as ask

    scores = source.held
    if not isinstance(scores, Scores):
        raise DataError("confounders must see scores; got labels or counts; give a table of scores")
    settings: dict[str, Any] = {"cluster": cluster, "cut": source.cut, "folds": folds, "seed": seed}
    if prevalence is not None:
        settings["prevalence"] = float(exact(prevalence, "--prevalence"))
    result = ask(scores, texts=_texts(scores, texts), **settings)
    print_result(source, result, out)
    return 0 if result.status.ok else 1


def _texts(scores: Scores, column: str | None) -> list[str | None] | None:
    if column is None:
        return None
    known = scores.attributes or {}
    if column not in known:
        raise DataError(
            f"--texts must name a column that was read; got {column!r}; there are {list(known)}"
        )
    return list(known[column])
