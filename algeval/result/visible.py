"""Text from data made fit for a terminal: what would steer it is shown instead."""

from __future__ import annotations

import re

__all__ = ["json_visible", "visible"]

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


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
