"""Claims of Algebraic Evaluation Theorems."""

from algeval.replicate.algebraic.definitions import definitions
from algeval.replicate.algebraic.design import design
from algeval.replicate.algebraic.equations import equations
from algeval.replicate.algebraic.main_text import main_text
from algeval.replicate.algebraic.other_work import other_work
from algeval.replicate.algebraic.steps import steps
from algeval.replicate.algebraic.table import table
from algeval.replicate.algebraic.theorems import theorems
from algeval.replicate.claim import Claim

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims: main text, Table 1, experiment, numbered equations, theorems, other work."""
    numbered = sorted((*equations(), *definitions(), *steps()), key=_number)
    return (*main_text(), *table(), *design(), *numbered, *theorems(), *other_work())


def _number(claim: Claim) -> int:
    """Return the number of an equation, those of the supplement after those of the main text."""
    name = claim.id.removeprefix("001-")
    return 1_000 + int(name[1:]) if name.startswith("S") else int(name)
