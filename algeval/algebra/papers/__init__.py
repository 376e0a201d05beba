"""The checkable equations of the papers, each recomputed."""
