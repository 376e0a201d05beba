"""What an item shows: its texts as Markdown, code or JSON, with nothing in them that could act."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from algeval.io.results import Results
from algeval.result import visible

MOST_SHOWN = 100_000  # chosen: characters of a text that a page holds; the others are counted
MOST_MARKDOWN = 20_000  # chosen: characters that are laid out as Markdown; longer texts are plain
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
"""Marks that turn the direction of what follows, and can make a text read as another."""
_MARKDOWN = re.compile(r"(^|\n)(#{1,6} |```|[-*+] |\d+\. |> |\|.*\|)|\*\*\S|`[^`\n]+`", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A text of an item under the name of its column.

    `html` holds only elements of a fixed list, without links, pictures or attributes.
    """

    name: str
    plain: str
    html: str
    kind: str  # "plain", "markdown", "json" or "short"
    left_out: int = 0  # characters beyond those shown
    side: str = ""  # "first" or "second", of the two answers of a pair


_SIDES = {"a": "b", "first": "second", "1": "2", "left": "right", "x": "y"}
_SIDE = re.compile(rf"(.+)[ _-]({'|'.join((*_SIDES, *_SIDES.values()))})", re.IGNORECASE)


def side_columns(names: Iterable[str]) -> dict[str, str]:
    """{column of the first answer: column of the second}, as response_a and response_b."""
    parts = {name: match for name in names if (match := _SIDE.fullmatch(name))}
    folded_names = {(m[1].lower(), m[2].lower()): name for name, m in parts.items()}
    return {
        name: folded_names[stem, _SIDES[side]]
        for (stem, side), name in folded_names.items()
        if side in _SIDES and (stem, _SIDES[side]) in folded_names
    }


def side_labels(labels: Sequence[str]) -> dict[str, str]:
    """{label: the same of the other side}, of two sides and perhaps a tie; empty of other labels."""
    spelled = {label.lower().rsplit("_")[-1]: label for label in labels}
    for first, other in _SIDES.items():
        if first in spelled and other in spelled and len(labels) <= 3:
            return {spelled[first]: spelled[other], spelled[other]: spelled[first]}
    return {}


def cells_of(
    results: Results, row: int, show: tuple[str, ...] = (), *, swapped: bool = False
) -> tuple[Cell, ...]:
    """Texts of an item: prompts, responses, and the columns asked for; never a judge's.

    swapped : show the second answer of a pair under the name of the first, and the first under its
    """
    reading = results.reading
    names = [*reading.named("prompt"), *reading.named("text")]
    named = {"system": reading.named("system")}
    names += [n for wanted in show for n in named.get(wanted, [wanted])]
    order = {name: k for k, name in enumerate(reading.columns)}
    own = _of_own_system(results, row, names)
    names = [name for name in names if name in own]
    cells = []
    at = int(results.rows[row])
    pairs = side_columns(reading.columns)
    other = {**pairs, **{second: first for first, second in pairs.items()}}
    names += [
        other[name] for name in names if name in other
    ]  # both answers, whatever one looks like
    for name in sorted(dict.fromkeys(names), key=lambda n: order.get(n, 0)):
        column = reading.columns[other.get(name, name) if swapped else name]
        code = int(column.codes[at])
        if code >= 0:
            side = "first" if name in pairs else "second" if name in other else ""
            cells.append(replace(cell_of(own.get(name, name), column.texts[code]), side=side))
    return tuple(cells)


def _of_own_system(results: Results, row: int, names: Iterable[str]) -> dict[str, str]:
    """{column: name shown}, without the columns of other systems where a row of the table holds several.

    The name of the system is left out of what is shown, as labels are given blind.
    """
    several = int((results.rows == results.rows[row]).sum()) > 1 and bool(results.system_of)
    made = {}
    for name in names:
        owners = [s for s in results.systems if _names_system(name, s)] if several else []
        if not owners:
            made[name] = name
        elif results.system_of[row] in owners:
            made[name] = re.sub(_word(results.system_of[row]), "", name).strip(" _.-") or name
    return made


def _word(system: str) -> str:
    return rf"(?<![^\W_]){re.escape(system)}(?![^\W_])"


def _names_system(column: str, system: str) -> bool:
    """Whether a column is of a system by its name, as v3_response is of v3."""
    return re.search(_word(system), column) is not None


def cell_of(name: str, text: str) -> Cell:
    """A text as it is shown."""
    left_out = max(0, len(text) - MOST_SHOWN)
    text = inert(text[:MOST_SHOWN])
    pretty = _pretty_json(text)
    if pretty is not None:
        return Cell(
            name=name,
            plain=text,
            html=f"<pre>{escape(pretty)}</pre>",
            kind="json",
            left_out=left_out,
        )
    if len(text) <= MOST_MARKDOWN and _MARKDOWN.search(text):
        return Cell(name=name, plain=text, html=markdown(text), kind="markdown", left_out=left_out)
    kind = "short" if len(text) <= 80 and "\n" not in text else "plain"
    return Cell(name=name, plain=text, html=escape(text), kind=kind, left_out=left_out)


def inert(text: str) -> str:
    """Text whose control characters and marks of direction are written out; its lines and tabs stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parts = [visible(part, lines=True) for part in text.split("\t")]
    return _BIDI.sub(lambda match: f"\\u{ord(match[0]):04x}", "\t".join(parts))


def _pretty_json(text: str) -> str | None:
    stripped = text.strip()
    if not stripped or (stripped[0], stripped[-1]) not in (("{", "}"), ("[", "]")):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict | list) or not value:
        return None
    return json.dumps(value, indent=2, ensure_ascii=False)


@lru_cache(maxsize=64)
def markdown(text: str) -> str:
    """Markdown as HTML of text alone: tags in it are shown as text, links and pictures as their words."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.disable(["link", "image", "autolink", "html_inline", "html_block", "reference"])
    return str(parser.render(text))
