"""Which items to label next, and labels that come one at a time."""

from algeval.rates.sampling.stream import LabelStream

__all__ = ["LabelStream"]
