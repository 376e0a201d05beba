"""The pictures of the pages: drawn anew whenever the pages are built, of examples and of laws."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import algeval as ae
from algeval.report.figures import draw
from algeval.report.figures.drawing import to_svg
from algeval_papers.separation import curie_weiss_risks, factor_risks

FOLDER = Path(__file__).parent / "_build" / "pictures"


def of_the_example(kind: str, **options: Any) -> Any:
    """Draw a figure of the example mt-bench."""
    return draw(kind, ae.example("mt-bench"), **options)


def figure_4() -> Any:
    """Draw the risks of the upper row of Figure 4 of Balasubramanian et al., exactly."""
    given = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}
    return curie_weiss_risks(0.7, **given, n_judges=range(1, 151)).plot()


def figure_5() -> Any:
    """Draw their Figure 5 at a factor that is strong enough to see something."""
    return factor_risks(0.7, a=0.5, b=1.0, spread=2.0, n_judges=range(1, 151, 2)).plot()


def a_plan() -> Any:
    """Draw the plan of the how-to on labels."""
    return ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8).plot()


PICTURES: dict[str, Callable[[], Any]] = {
    "accuracies": partial(of_the_example, "accuracies", ceiling=0.5),
    "agreement": partial(of_the_example, "agreement"),
    "figure-4": figure_4,
    "figure-5": figure_5,
    "plan": a_plan,
    "panel-curve": partial(of_the_example, "panel-curve"),
    "threshold-curve": partial(of_the_example, "threshold-curve"),
}
"""What draws each."""


def picture(name: str) -> str:
    """Return a picture as SVG that takes the page's colours."""
    return to_svg(PICTURES[name](), page=True)


def write() -> None:
    """Write every picture to where the pages include it from."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")
