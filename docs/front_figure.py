"""The picture of the front page: drawn anew whenever the pages are built."""

import algeval as ae
from algeval.report.figures import draw
from algeval.report.figures.svg import to_svg


def picture() -> str:
    """Return the judges of the example mt-bench as SVG that takes the page's colours."""
    figure = draw("accuracies", ae.example("mt-bench"), ceiling=0.5)
    return to_svg(figure, page=True)
