"""Readers of votes and engines that count them where they lie."""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use

if TYPE_CHECKING:
    from algeval.io.catalog import example as example
    from algeval.io.catalog import example_names as example_names
    from algeval.io.catalog import example_notes as example_notes
    from algeval.io.counting import count as count
    from algeval.io.reading import read_counts as read_counts
    from algeval.io.reading import read_keyed_counts as read_keyed_counts
    from algeval.io.reading import read_sketch as read_sketch
    from algeval.io.results import Results as Results
    from algeval.io.sources import load as load
    from algeval.io.sources import load_with_notes as load_with_notes
    from algeval.io.sources import read_results as read_results
    from algeval.io.sources import read_scores as read_scores
    from algeval.io.sources import read_scores_with_notes as read_scores_with_notes
    from algeval.io.sources import read_votes as read_votes
    from algeval.io.sources import read_votes_or_scores as read_votes_or_scores
    from algeval.io.sources import (
        read_votes_or_scores_with_notes as read_votes_or_scores_with_notes,
    )
    from algeval.io.sources import read_votes_with_notes as read_votes_with_notes

_HOME = homes(
    {
        "catalog": "example example_names example_notes",
        "counting": "count",
        "reading": "read_counts read_keyed_counts read_sketch",
        "results": "Results",
        "sources": (
            "load load_with_notes read_results read_scores read_scores_with_notes read_votes "
            "read_votes_or_scores read_votes_or_scores_with_notes read_votes_with_notes"
        ),
    }
)
__all__ = sorted(_HOME)  # noqa: PLE0605

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)
