"""What the papers print, computed again: every checkable number and statement, with a verdict."""

from algeval.replicate.claim import Claim, Found, Replicated
from algeval.replicate.ledger import PAPERS, Paper, Replication, claims, replicate

__all__ = ["PAPERS", "Claim", "Found", "Paper", "Replicated", "Replication", "claims", "replicate"]
