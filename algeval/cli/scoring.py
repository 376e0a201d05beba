"""Score a consensus with the key that came with the votes, after the fact."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from algeval.cli.source import Source
from algeval.errors import DataError

if TYPE_CHECKING:
    from algeval.aggregate import Score

__all__ = ["score_lines", "scored"]


def scored(source: Source, result: Any) -> tuple[Score | None, Source]:
    """Return the score of a result, and the source with a note where its key cannot be used."""
    from algeval.aggregate import score

    if not source.keyed:
        return None, source
    try:
        return score(result, source.held), source  # type: ignore[arg-type]
    except DataError as error:
        note = f"the key was not used: {error}"
        return None, replace(source, notes=(*source.notes, note))


def score_lines(score: Score) -> list[str]:
    """Return what the key says of the labels, a line each."""
    first, *rest = score.summary().splitlines()
    head = f"Against the key, which was used for scoring only: {first}"
    return [head, *(f"  {line}" for line in rest)]
