"""Count decision tuples where the data lie, at the size of the data."""

from algeval.io.counting.counting import count

__all__ = ["count"]
