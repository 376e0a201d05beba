"""Every reader of a tool's files, in the order in which files are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from algeval.io.readers import (
    arena,
    argilla,
    deepeval,
    fastchat,
    folder,
    inspect,
    judgebench,
    label_studio,
    listed,
    lm_eval,
    mlflow,
    mturk,
    prodigy,
    promptfoo,
)
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted

__all__ = ["READERS", "Reader"]


@dataclass(frozen=True, slots=True)
class Reader:
    """How the files of one tool are known, and read.

    Attributes
    ----------
    name : str
        What ``reader=`` calls it.
    title : str
        What sentences call it.
    fits : callable
        Whether it knows the files, by looking into them.
    read : callable
        The votes of the files.
    options : tuple of str
        Which options of reading it follows.
    """

    name: str
    title: str
    fits: Callable[[Files], bool]
    read: Callable[[Files, Wanted], Gathered]
    options: tuple[str, ...] = ("question",)


READERS = (
    Reader("inspect", "Inspect", inspect.fits, inspect.read),
    Reader(
        "fastchat",
        "FastChat",
        fastchat.fits,
        fastchat.read,
        ("question", "swap", "latest"),
    ),
    Reader("judgebench", "JudgeBench", judgebench.fits, judgebench.read, ("swap",)),
    Reader("lm-eval", "lm-eval", lm_eval.fits, lm_eval.read),
    Reader(
        "label-studio",
        "Label Studio",
        label_studio.fits,
        label_studio.read,
        ("question", "latest", "ground_truth"),
    ),
    Reader("promptfoo", "promptfoo", promptfoo.fits, promptfoo.read),
    Reader("deepeval", "DeepEval", deepeval.fits, deepeval.read),
    Reader("argilla", "Argilla", argilla.fits, argilla.read),
    Reader("mlflow", "MLflow", mlflow.fits, mlflow.read, ("question", "latest")),
    Reader("mturk", "Mechanical Turk", mturk.fits, mturk.read),
    Reader("prodigy", "Prodigy", prodigy.fits, prodigy.read, ("question", "latest")),
    Reader("arena", "arenas", arena.fits, arena.read, ()),
    Reader("listed", "lists of votes", listed.fits, listed.read),
    Reader("folder", "folders of judges", folder.fits, folder.read),
)
