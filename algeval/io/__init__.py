"""Readers of votes and engines that count them where they lie."""

from algeval.io.counting import count
from algeval.io.reading import (
    example,
    example_names,
    example_notes,
    load,
    load_with_notes,
    read_counts,
    read_keyed_counts,
    read_sketch,
    read_votes,
    read_votes_with_notes,
)
from algeval.io.score_tables import (
    read_scores,
    read_scores_with_notes,
    read_votes_or_scores,
    read_votes_or_scores_with_notes,
)

__all__ = [
    "count",
    "example",
    "example_names",
    "example_notes",
    "load",
    "load_with_notes",
    "read_counts",
    "read_keyed_counts",
    "read_scores",
    "read_scores_with_notes",
    "read_sketch",
    "read_votes",
    "read_votes_or_scores",
    "read_votes_or_scores_with_notes",
    "read_votes_with_notes",
]
