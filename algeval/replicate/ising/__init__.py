"""Claims of Dependence-Aware Label Aggregation for LLM-as-a-Judge via Ising Models."""

from algeval.replicate.claim import Claim
from algeval.replicate.ising.appendix_b import appendix_b
from algeval.replicate.ising.appendix_e import appendix_e
from algeval.replicate.ising.experiments import appendix_g, experiments
from algeval.replicate.ising.figures import figures
from algeval.replicate.ising.fitting import fitting
from algeval.replicate.ising.hierarchy import hierarchy
from algeval.replicate.ising.independent_judges import independent_judges
from algeval.replicate.ising.shared_factor import shared_factor
from algeval.replicate.ising.table_3 import table_3
from algeval.replicate.ising.theorem_1 import theorem_1
from algeval.replicate.ising.theorem_2 import theorem_2
from algeval.replicate.ising.weak_factor import weak_factor
from algeval.replicate.ising.weak_factor_proof import weak_factor_proof

__all__ = ["claims"]

_PARTS = (
    hierarchy,
    theorem_1,
    theorem_2,
    experiments,
    appendix_b,
    independent_judges,
    weak_factor,
    weak_factor_proof,
    shared_factor,
    fitting,
    appendix_e,
    table_3,
    figures,
    appendix_g,
)


def claims() -> tuple[Claim, ...]:
    """Return the claims in the order of the paper."""
    return tuple(claim for part in _PARTS for claim in part())
