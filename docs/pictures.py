"""The pictures of the pages: drawn anew whenever the pages are built, most from the example mt-bench."""

from pathlib import Path

import algeval as ae
from algeval.report.figures import draw
from algeval.report.figures.svg import to_svg

FOLDER = Path(__file__).parent / "_build" / "pictures"
PICTURES = {
    "accuracies": {"ceiling": 0.5},
    "agreement": {},
    "panel-curve": {},
    "plan": {},
    "threshold-curve": {},
}
"""Kinds of figures and their options."""


def picture(kind: str) -> str:
    """Return a figure of the example, or of a plan, as SVG that takes the page's colours."""
    if kind == "plan":
        data = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    else:
        data = ae.example("mt-bench")
    return to_svg(draw(kind, data, **PICTURES[kind]), page=True)


def write() -> None:
    """Write every picture to where the pages include it from."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in PICTURES:
        (FOLDER / f"{kind}.svg").write_text(picture(kind), encoding="utf-8")
