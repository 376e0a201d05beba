"""Text from data made fit for a terminal: what would steer it is shown instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["cut_short", "json_visible", "short_list", "visible"]

_STEERS = (
    r"\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    r"\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # invisible, or turns the line around
    r"\ud800-\udfff"  # half a character, which no stream can write
)
_CONTROL = re.compile(f"[{_STEERS}]")
_CONTROL_IN_LINES = re.compile(f"(?!\n)[{_STEERS}]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, *, lines: bool = False) -> str:
    r"""Return text with its control characters written out, so that a name cannot steer a terminal.

    Letters of any script, and emoji, stay as they are.

    Parameters
    ----------
    text : str
    lines : bool
        Whether line breaks belong to the text, and stay.

    Examples
    --------
    >>> print(visible("\x1b[31mred\nand more"))
    \x1b[31mred\nand more
    """
    return (_CONTROL_IN_LINES if lines else _CONTROL).sub(_escape, text)


def json_visible(text: str) -> str:
    r"""Return JSON text with its control characters as JSON escapes; its line breaks stay.

    Examples
    --------
    >>> print(json_visible('["\x9b"]'))
    ["\u009b"]
    """
    return _CONTROL_IN_LINES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def cut_short(text: str, most: int) -> str:
    """Return text of at most so many characters, with dots for what is left out.

    Examples
    --------
    >>> cut_short("a long story", 8)
    'a lon...'
    """
    return text if len(text) <= most else text[: most - 3] + "..."


def short_list(names: Sequence[str], most: int = 100) -> str:
    """Return names as `repr` shows a list, as many as fit, and how many there are if not all do.

    Examples
    --------
    >>> short_list(["a", "b"]), short_list(["yes", "no", "tie"], most=12)
    ("['a', 'b']", "['yes', ... 3 in all]")
    """
    told = repr(list(names[:most]))
    if len(names) <= most and len(told) <= most:
        return told
    shown = ""
    for name in names:
        if len(shown) + len(repr(name)) + 2 > most - 3:
            break
        shown += f"{name!r}, "
    return f"[{shown}... {len(names)} in all]"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
