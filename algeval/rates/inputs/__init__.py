"""What rates are made of: the panel's verdicts, the labels people gave, and clusters of items."""

from algeval.rates.inputs.clusters import cluster_codes
from algeval.rates.inputs.gold import Gold, read_gold
from algeval.rates.inputs.shares import exact_share
from algeval.rates.inputs.verdicts import Panel, as_votes, label_place, panel_of

__all__ = [
    "Gold",
    "Panel",
    "as_votes",
    "cluster_codes",
    "exact_share",
    "label_place",
    "panel_of",
    "read_gold",
]
