"""Claims of No-Knowledge Alarms."""

from algeval.replicate.claim import Claim
from algeval.replicate.logic.alarms import alarms
from algeval.replicate.logic.appendices import appendices
from algeval.replicate.logic.evaluations import evaluations_of_one
from algeval.replicate.logic.groups import groups
from algeval.replicate.logic.table import table

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims: one judge, several, alarms, the votes of Table I, the appendices."""
    return (*evaluations_of_one(), *groups(), *alarms(), *table(), *appendices())
