"""All methods side by side on one data set."""

from algeval._callable import make_callable
from algeval.compare.comparison import Comparison, compare
from algeval.compare.consistency import Consistency, consistency
from algeval.compare.estimates import Estimate

__all__ = ["Comparison", "Consistency", "Estimate", "compare", "consistency"]

make_callable(__name__, "compare")
