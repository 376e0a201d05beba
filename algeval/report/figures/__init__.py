"""Figures of what the votes allow, drawn without global state."""

from algeval.report.figures.figures import KINDS, draw, save, to_svg

__all__ = ["KINDS", "draw", "save", "to_svg"]
