"""Systems on the same items, and whether one is better."""

from algeval.rates.systems.front import compare_systems
from algeval.rates.systems.result import Line, SystemComparison
from algeval.rates.systems.several_result import Pair, SystemsComparison

__all__ = ["Line", "Pair", "SystemComparison", "SystemsComparison", "compare_systems"]
