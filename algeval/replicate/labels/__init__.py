"""Claims of Don't Label Twice."""

from algeval.replicate.claim import Claim
from algeval.replicate.labels.conjecture import conjecture
from algeval.replicate.labels.correlated import correlated
from algeval.replicate.labels.figure import figure
from algeval.replicate.labels.lemmas import lemmas
from algeval.replicate.labels.rates import rates
from algeval.replicate.labels.setting import setting
from algeval.replicate.labels.sweep import sweep

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims in the order of the paper."""
    return (
        *setting(),
        *figure(),
        *conjecture(),
        *sweep(),
        *rates(),
        *lemmas(),
        *correlated(),
    )
