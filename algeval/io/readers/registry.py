"""Every reader of a tool's files, in the order in which files are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from algeval.io.readers import base, harnesses, labelling, preferences
from algeval.io.readers.base import Files, Gathered, Runs, Wanted

__all__ = ["READERS", "Reader"]


@dataclass(frozen=True, slots=True)
class Reader:
    """How the files of one tool are known, and read."""

    name: str  # for ``reader=``
    title: str  # for sentences
    fits: Callable[[Files], bool]
    read: Callable[[Files, Wanted], Gathered]
    options: tuple[str, ...] = ("question",)  # of reading, that it follows
    # files whose rows make one table, with what each file says of its rows; of several files
    runs: Callable[[Files], Runs] | None = None


READERS = (
    Reader("inspect", "Inspect", harnesses.fits_inspect, harnesses.read_inspect),
    Reader(
        "fastchat",
        "FastChat",
        preferences.fits_fastchat,
        preferences.read_fastchat,
        ("question", "swap", "latest"),
        preferences.runs_of_fastchat,
    ),
    Reader("judgebench", "JudgeBench", preferences.fits, preferences.read, ("swap",)),
    Reader(
        "lm-eval",
        "lm-eval",
        harnesses.fits_lm_eval,
        harnesses.read_lm_eval,
        runs=harnesses.runs_of_lm_eval,
    ),
    Reader(
        "label-studio",
        "Label Studio",
        labelling.fits_label_studio,
        labelling.read_label_studio,
        ("question", "latest", "ground_truth"),
    ),
    Reader("promptfoo", "promptfoo", harnesses.fits, harnesses.read),
    Reader("deepeval", "DeepEval", harnesses.fits_deepeval, harnesses.read_deepeval),
    Reader("argilla", "Argilla", labelling.fits_argilla, labelling.read_argilla),
    Reader(
        "mlflow", "MLflow", harnesses.fits_mlflow, harnesses.read_mlflow, ("question", "latest")
    ),
    Reader("mturk", "Mechanical Turk", labelling.fits_mturk, labelling.read_mturk),
    Reader("prodigy", "Prodigy", labelling.fits_prodigy, labelling.read, ("question", "latest")),
    Reader("listed", "lists of votes", base.fits, base.read),
    Reader("folder", "folders of judges", base.fits_folder, base.read_folder),
)
