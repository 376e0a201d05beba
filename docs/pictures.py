"""The pictures of the pages: drawn anew from the example mt-bench whenever the pages are built."""

from pathlib import Path

import algeval as ae
from algeval.report.figures import draw
from algeval.report.figures.svg import to_svg

FOLDER = Path(__file__).parent / "_build" / "pictures"
PICTURES = {
    "accuracies": {"ceiling": 0.5},
    "agreement": {},
    "panel-curve": {},
    "threshold-curve": {},
}
"""Kinds of figures and their options."""


def picture(kind: str) -> str:
    """Return a figure of the example as SVG that takes the page's colours."""
    return to_svg(draw(kind, ae.example("mt-bench"), **PICTURES[kind]), page=True)


def write() -> None:
    """Write every picture to where the pages include it from."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in PICTURES:
        (FOLDER / f"{kind}.svg").write_text(picture(kind), encoding="utf-8")
