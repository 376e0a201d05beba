"""Figures as SVG text that a page can hold: titled, described, without ids of its own."""

from __future__ import annotations

import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from algeval.report.figures.style import GRID, INK, STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["METADATA", "to_svg"]

METADATA = {"Date": None, "Creator": "algeval"}

_PREFIXES = {
    "http://www.w3.org/2000/svg": "",
    "http://www.w3.org/1999/xlink": "xlink:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
}
_HREF = "xlink:href"
_FONT = "font-family: 'DejaVu Sans', sans-serif"
_LONG = re.compile(r"-?\d+\.\d{3,}")
_PAGE_COLOURS = {
    "#000000": "currentColor",
    INK: "currentColor",
    GRID: "currentColor; stroke-opacity: 0.2",
}


def to_svg(
    figure: Figure,
    title: str | None = None,
    description: str | None = None,
    *,
    page: bool = False,
) -> str:
    """Return a figure as SVG text, for a file, a web page or ``IPython.display.SVG``.

    Readers of a screen hear the title and the description. The same figure gives the same text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    title, description : str, optional
        By default those that the figure was drawn with.
    page : bool
        Whether it will stand inside a page: the background is left out, and text and axes have the
        page's own colour of text, so that it can be read on light and on dark.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> from algeval.report.figures import draw
    >>> figure = draw("q-complex", Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> to_svg(figure, page=True).count("<title")
    1
    """
    told = figure.get_suptitle() if title is None else title
    about = str(figure.get_label()) if description is None else description
    text = _drawn(figure, transparent=page)
    heading = " ".join(told.split()) or "Figure"
    body = _safe(about) or heading
    mark = sha256("\n".join([text, heading, body]).encode()).hexdigest()[:8]
    root = _without_namespaces(ET.fromstring(text))
    _rename(root, f"f{mark}-")
    _strip(root)
    _shorten(root)
    _head(root, f"f{mark}-", _safe(heading), body)
    if page:
        _take_the_colours_of_the_page(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _drawn(figure: Figure, *, transparent: bool) -> str:
    from matplotlib import rc_context

    buffer = BytesIO()
    with rc_context(STYLE), warnings.catch_warnings():
        # letters are drawn by who shows the text, who may have the fonts
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(buffer, format="svg", metadata=METADATA, transparent=transparent)
    return buffer.getvalue().decode("utf-8")


def _safe(text: str) -> str:
    """Return text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() else " " for c in text)


def _without_namespaces(root: ET.Element) -> ET.Element:
    """Give every element and attribute the name it has in the text, which ids then stand beside."""
    for element in root.iter():
        element.tag = _name(element.tag)
        for key in [key for key in element.attrib if key.startswith("{")]:
            element.set(_name(key), element.attrib.pop(key))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("xmlns:xlink", "http://www.w3.org/1999/xlink")
    return root


def _name(tag: str) -> str:
    space, _, name = tag.removeprefix("{").rpartition("}")
    return _PREFIXES.get(space, "") + name


def _strip(root: ET.Element) -> None:
    """Leave out metadata and the style sheet, which would speak to the whole page."""
    for element in [root, *root.findall("defs")]:
        for tag in ("metadata", "style"):
            for child in element.findall(tag):
                element.remove(child)
    root.set("style", f"stroke-linejoin: round; stroke-linecap: butt; {_FONT}")
    for defs in [child for child in root.findall("defs") if not len(child)]:
        root.remove(defs)


def _shorten(root: ET.Element) -> None:
    """Write what is said anyway once, coordinates in hundredths of a point, and no empty groups."""
    _unwrap(root)
    _join(root)
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = "\n"
        if element.tag in ("path", "use", "text"):
            for key in [key for key in ("d", "x", "y") if key in element.attrib]:
                short = _LONG.sub(_short, element.attrib[key])
                element.set(key, " ".join(short.split()))
        if element.tag == "text":
            _shorten_text(element)


def _shorten_text(element: ET.Element) -> None:
    """Leave out the font, which stands at the root, and a turn by nothing."""
    style = [part for part in element.get("style", "").split("; ") if part != _FONT]
    element.set("style", "; ".join(style))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def _unwrap(element: ET.Element) -> None:
    """Put what stands in groups that say nothing in the place of the group."""
    inside: list[ET.Element] = []
    for child in element:
        _unwrap(child)
        inside += list(child) if child.tag == "g" and not child.attrib else [child]
    element[:] = inside


def _join(element: ET.Element) -> None:
    """Put neighbouring groups that say the same into one: points of a cloud share their frame."""
    kept: list[ET.Element] = []
    for child in element:
        _join(child)
        if child.tag == "g" and kept and (kept[-1].tag, kept[-1].attrib) == ("g", child.attrib):
            kept[-1].extend(child)
        else:
            kept.append(child)
    element[:] = kept


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _references(root: ET.Element) -> Iterator[tuple[ET.Element, str, str]]:
    """Yield every (element, attribute, id) that points somewhere."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == _HREF and value.startswith("#"):
                yield element, key, value[1:]
            elif "url(#" in value:
                yield element, key, value.split("url(#")[1].split(")")[0]


def _rename(root: ET.Element, prefix: str) -> None:
    """Keep only ids that something points to, short and unique to this figure."""
    found = list(_references(root))
    short = {name: f"{prefix}{k}" for k, name in enumerate(dict.fromkeys(n for *_, n in found))}
    for element, key, target in found:
        element.set(key, element.attrib[key].replace(f"#{target}", f"#{short[target]}"))
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in short:
            element.set("id", short[name])


def _head(root: ET.Element, prefix: str, title: str, description: str) -> None:
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}title {prefix}desc")
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        child = ET.Element(tag, {"id": f"{prefix}{tag}"})
        child.text = text
        root.insert(place, child)


def _take_the_colours_of_the_page(root: ET.Element) -> None:
    for element in root.iter():
        style = element.get("style", "")
        if element.tag == "text" and "fill:" not in style:
            style = f"{style}; fill: currentColor"
        for colour, own in _PAGE_COLOURS.items():
            style = style.replace(f" {colour}", f" {own}")
        if style:
            element.set("style", style)
    root.set("style", f"{root.get('style')}; max-width: 100%; height: auto")
