"""Numbered equations of the papers, each recomputed."""
