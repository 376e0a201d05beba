"""Text and tables as Markdown in which no name can be read as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from algeval.result.visible import visible

__all__ = ["pipe_table", "plain"]

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


def plain(text: str) -> str:
    r"""Return text in which no character is read as markup, or steers a terminal.

    Examples
    --------
    >>> print(plain("gpt_4 | *x*"))
    gpt\_4 \| \*x\*
    """
    return _MARKS.sub(r"\\\1", visible(text))


def pipe_table(
    names: Sequence[str], ends: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of a table: names, how each column is aligned ("---" or "---:"), cells."""
    yield _row(map(plain, names))
    yield _row(ends)
    yield from (_row(map(plain, row)) for row in rows)
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
