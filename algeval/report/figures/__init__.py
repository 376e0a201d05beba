"""Figures of votes and of results, drawn without global state."""

from algeval.report.figures.drawing import KINDS, draw, plot, save, to_svg
from algeval.report.figures.judges import learning_curve_figure, reliability_figure

__all__ = ["KINDS", "draw", "learning_curve_figure", "plot", "reliability_figure", "save", "to_svg"]
