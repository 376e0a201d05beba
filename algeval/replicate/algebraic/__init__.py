"""Claims of Algebraic Evaluation Theorems."""

from algeval.replicate.algebraic.equations import equations
from algeval.replicate.algebraic.main_text import main_text
from algeval.replicate.algebraic.theorems import theorems
from algeval.replicate.claim import Claim

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims in the order of the paper."""
    return (*main_text(), *equations(), *theorems())
