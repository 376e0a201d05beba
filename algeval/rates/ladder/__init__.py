"""What can be said about a pass rate without labels, from nothing assumed upwards."""

from algeval.rates.ladder.climb import climb
from algeval.rates.ladder.contradictions import CallAccuracy, accuracy_of_calls
from algeval.rates.ladder.results import Ladder, Robustness
from algeval.rates.ladder.rung import Rung

__all__ = ["CallAccuracy", "Ladder", "Robustness", "Rung", "accuracy_of_calls", "climb"]
