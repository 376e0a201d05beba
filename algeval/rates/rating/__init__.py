"""`rate`: how often a system passes, from judges' votes and as many labels as there are."""

from algeval.rates.rating.front import rate
from algeval.rates.rating.results import RateResult, Row

__all__ = ["RateResult", "Row", "rate"]
