"""Which items to label next, and labels that come one at a time."""

from algeval.rates.sampling.next_items import next_items
from algeval.rates.sampling.result import NextItems
from algeval.rates.sampling.stream import LabelStream

__all__ = ["LabelStream", "NextItems", "next_items"]
