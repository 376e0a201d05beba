"""Claims of CARE."""

from algeval.replicate.care.bounds import bounds
from algeval.replicate.care.directions import directions
from algeval.replicate.care.levels import levels
from algeval.replicate.care.model import model
from algeval.replicate.care.moments import moments
from algeval.replicate.care.synthetic import synthetic
from algeval.replicate.care.tables import tables
from algeval.replicate.care.unpublished import unpublished
from algeval.replicate.claim import Claim

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims by subject, in about the order of the paper."""
    return (
        *model(),
        *moments(),
        *bounds(),
        *directions(),
        *levels(),
        *synthetic(),
        *tables(),
        *unpublished(),
    )
