"""What the papers print, computed again: every checkable number and statement, with a verdict."""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use
from algeval_papers.claims import Claim, Found, Replicated
from algeval_papers.ledger import PAPERS, Paper, Replication, claims, replicate

if TYPE_CHECKING:
    from algeval_papers.equations import Entry as Entry
    from algeval_papers.equations import Misprint as Misprint
    from algeval_papers.equations import Outcome as Outcome
    from algeval_papers.equations import catalogue as catalogue
    from algeval_papers.equations import misprints as misprints
    from algeval_papers.equations import printed_ladder as printed_ladder

_HOME = homes({"equations": "Entry Misprint Outcome catalogue misprints printed_ladder"})
"""Names that need SymPy load on first use."""

__all__ = [  # noqa: PLE0604
    "PAPERS",
    "Claim",
    "Found",
    "Paper",
    "Replicated",
    "Replication",
    "claims",
    "replicate",
    *_HOME,
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)
