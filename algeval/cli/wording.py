"""Sentences written for Python, said as a person at a terminal would type them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from algeval.result.wording import did_you_mean

__all__ = ["as_options", "named_as_options", "os_sentence", "settings_as_options", "usage_sentence"]

_KEYWORD = re.compile(
    r"(?<!-)\b(item|judge|answer|judges|key|labels|cut|format|layout|missing|exact_labels|map|count|order|engine|at_least|key_counts|groups|reader|question|swap|table|latest|ground_truth|q)="
    r"(?:\[\.\.\.\])?(?=[\s;,)'\d:]|$)"
)


def as_options(text: str) -> str:
    """Return a sentence with the keywords of Python written as options of the command line.

    Examples
    --------
    >>> as_options("got five; pass judges=, or key='gold'; name them in missing=")
    "got five; pass --judges, or --key 'gold'; name them in --not-answered"
    """
    typed = text.replace("map={'yes': 1, 'no': 0}", "--map yes=1,no=0")
    for spelled in ("read them with read_scores", "use read_scores"):
        typed = typed.replace(spelled, "pass --scores")
    return _KEYWORD.sub(_option, typed.replace("use read_counts or load with ", "pass "))


def named_as_options(text: str, parameters: Iterable[str]) -> str:
    """Return a sentence with the bare names of parameters written as options; quoted text stays.

    Examples
    --------
    >>> named_as_options("item_cost must be a number; got 'item_cost'; change it", ["item_cost"])
    "--item-cost must be a number; got 'item_cost'; change it"
    """
    names = re.compile(rf"'[^']*'|\b({'|'.join(parameters)})\b")
    return names.sub(
        lambda found: f"--{found[1].replace('_', '-')}" if found[1] else found[0], text
    )


def settings_as_options(text: str, parameters: Iterable[str]) -> str:
    """Return a sentence with parameters written as options where they are surely meant.

    Those are the first words, names with a value, and names that are no English word; "label" or "drawn"
    inside a sentence is mostly the word.

    Examples
    --------
    >>> told = "gold must hold a label; pass gold= or half_width=1"
    >>> settings_as_options(told, ["gold", "half_width", "label"])
    '--gold must hold a label; pass --gold or --half-width=1'
    """
    known = list(parameters)
    names = "|".join(known)
    no_words = "|".join([name for name in known if not name.isalpha()] or [r"\d_"])
    sure = re.compile(
        rf"'[^']*'|^({names})(?= must\b)|\b(?:of|in) ({names})(?= must\b|;)|(?<!-)\b({names})(?==)"
        rf"|(?<!-)\b({no_words})\b"
    )
    return re.sub(r"(--[a-z0-9-]+)=(?=[\s;,)]|$)", r"\1", sure.sub(_as_option, text))


def _as_option(found: re.Match[str]) -> str:
    name = next(filter(None, found.groups()), None)
    return found[0] if name is None else found[0].replace(name, "--" + name.replace("_", "-"))


def _option(found: re.Match[str]) -> str:
    follows = found.string[found.end() : found.end() + 1]
    given = bool(follows) and follows in "'0123456789"
    name = found[1].replace("_", "-")
    if name == "missing" and not given:
        name = "not-answered"
    if name == "key-counts":
        name = "q"
    return f"--{name} " if given else f"--{name}"


def usage_sentence(error: click.ClickException) -> str:
    """Return what is wrong with a command line, and which choice was probably meant."""
    message = error.format_message()
    parameter = getattr(error, "param", None)
    choices = getattr(getattr(parameter, "type", None), "choices", ())
    given = re.search(r"'([^']*)' is not one of ", message)
    near = did_you_mean(given[1], choices, "") if given else ""
    return f"{message.rstrip('.')}; {near}" if near else message


def os_sentence(error: OSError) -> str:
    """Return what the operating system refused as one sentence."""
    name = "the output" if error.filename is None else repr(str(error.filename))
    return (
        f"{name} must be a place that can be read or written; got {error.strerror or error}; "
        "check the path, its folder and the room on the disk"
    )
