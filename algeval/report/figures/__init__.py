"""Figures of votes and of results, drawn without global state."""

from algeval.report.figures.figures import draw, save
from algeval.report.figures.kinds import KINDS
from algeval.report.figures.learning_curve import learning_curve_figure
from algeval.report.figures.plot import plot
from algeval.report.figures.reliability import reliability_figure
from algeval.report.figures.svg import to_svg

__all__ = [
    "KINDS",
    "draw",
    "learning_curve_figure",
    "plot",
    "reliability_figure",
    "save",
    "to_svg",
]
