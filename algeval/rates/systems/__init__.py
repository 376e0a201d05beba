"""Two systems on the same items, and whether one is better."""

from algeval.rates.systems.compare import compare_systems
from algeval.rates.systems.result import Line, SystemComparison

__all__ = ["Line", "SystemComparison", "compare_systems"]
