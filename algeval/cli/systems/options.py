"""Options that the commands about systems share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = [
    "believed_option",
    "cluster_option",
    "file_option",
    "gold_option",
    "level_option",
    "method_option",
    "random_option",
    "target_option",
]

F = TypeVar("F", bound=Callable[..., Any])


def file_option(name: str, words: str, metavar: str = "FILE") -> Callable[[F], F]:
    """Add an option that names a file."""
    return click.option(name, type=click.Path(), metavar=metavar, help=words)


def gold_option(words: str) -> Callable[[F], F]:
    """Add --gold: labels of people, in a file or as the key that came with the votes."""
    return file_option("--gold", words, "FILE|key")


cluster_option = file_option("--cluster", "A table of item and cluster.")
believed_option = click.option(
    "--at-least",
    metavar="X",
    help="What share of its answers every judge is believed to have right.",
)
level_option = click.option(
    "--level", type=float, default=0.95, show_default=True, help="Of the interval."
)


def target_option(words: str) -> Callable[[F], F]:
    """Add --target: these items, or what they were drawn from."""
    return click.option(
        "--target",
        type=click.Choice(["items", "population"]),
        default="items",
        show_default=True,
        help=words,
    )


def method_option(*methods: str) -> Callable[[F], F]:
    """Add --method, of the interval."""
    return click.option(
        "--method",
        type=click.Choice(["auto", *methods]),
        default="auto",
        show_default=True,
        help="Of the interval; name one before you look.",
    )


def random_option(words: str) -> Callable[[F], F]:
    """Add --random, a seed."""
    return click.option("--random", type=int, default=0, show_default=True, help=words)
