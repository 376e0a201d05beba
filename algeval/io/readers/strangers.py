"""Files of known tools that hold no votes as they are, with what to name or export in their place."""

from __future__ import annotations

from dataclasses import dataclass

from algeval.errors import DataError
from algeval.io.readers.files import Files, keys_of

__all__ = ["refuse_stranger"]


@dataclass(frozen=True, slots=True)
class _Stranger:
    """A kind of file told by its columns or keys, what it is, and what to do."""

    keys: frozenset[str]
    what: str
    advice: str


_STRANGERS = (
    _Stranger(
        frozenset({"results", "configs", "versions"}),
        "totals of lm-eval",
        "run it with --log_samples, and name the files samples_*.jsonl or their folder",
    ),
    _Stranger(
        frozenset({"cases", "failures", "dataset_name"}),
        "a report of pydantic-evals, whose assertions, labels and scores answer different questions",
        "write one row per case and judge: item, judge, answer",
    ),
    _Stranger(
        frozenset({"Status", "Score", "Named Scores", "Grader Reason"}),
        "a CSV of promptfoo, which rounds scores and hides graders that failed",
        "export JSON in its place, with -o results.json",
    ),
    _Stranger(
        frozenset({"fields", "responses", "suggestions"}),
        "nested records of Argilla, which do not say which responses were submitted",
        "write them flat, with records.to_list(flatten=True)",
    ),
)


def refuse_stranger(files: Files) -> None:
    """Refuse a file of a known tool that is not the one with votes.

    Raises
    ------
    DataError
        If the file is one of those known; the sentence says which to name.
    """
    if files.several:
        return
    found = set(files.columns()) | keys_of(files.document())
    for stranger in _STRANGERS:
        if stranger.keys <= found:
            raise DataError(f"{files.name} must hold votes; got {stranger.what}; {stranger.advice}")
