"""What is exactly true if the judges' errors are independent.

The symbolic part (encode, ideals, prove) needs SymPy and loads on first use.
"""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use
from algeval.algebra.correlation import (
    Bootstrap,
    Correlations,
    ErrorBars,
    Sensitivity,
    bootstrap,
    correlations,
    error_bars,
    error_correlations,
    frequencies_from,
    keyed_from,
    sensitivity,
)
from algeval.algebra.decoding import (
    Atlas,
    Group,
    Groups,
    Partition,
    PooledTrios,
    atlas,
    by_group,
    decode,
    majority,
    partition,
    pool_trios,
)
from algeval.algebra.independence import (
    Binomial,
    IndependenceTest,
    Minor,
    RatesExist,
    independence_test,
    rates_exist,
)
from algeval.algebra.trios import BatchDecoding, Decoding, decode_batch

if TYPE_CHECKING:
    from algeval.algebra.eliminating import Basis as Basis
    from algeval.algebra.eliminating import discriminant_factors as discriminant_factors
    from algeval.algebra.eliminating import groebner_basis as groebner_basis
    from algeval.algebra.ladder_steps import ladder as ladder
    from algeval.algebra.language import Encoding as Encoding
    from algeval.algebra.language import encode as encode
    from algeval.algebra.polynomial_relations import Relation as Relation
    from algeval.algebra.polynomial_relations import Relations as Relations
    from algeval.algebra.polynomial_relations import relations as relations
    from algeval.algebra.proving import Contradiction as Contradiction
    from algeval.algebra.proving import Counterexample as Counterexample
    from algeval.algebra.proving import Proof as Proof
    from algeval.algebra.proving import Theorem as Theorem
    from algeval.algebra.proving import Undecided as Undecided
    from algeval.algebra.proving import holds_on as holds_on
    from algeval.algebra.proving import prove as prove
    from algeval.algebra.trios import Equation as Equation
    from algeval.algebra.trios import Ladder as Ladder
    from algeval.algebra.trios import LadderStep as LadderStep

_LAZY = {
    "eliminating": "Basis discriminant_factors groebner_basis",
    "ladder_steps": "ladder",
    "language": "Encoding encode",
    "polynomial_relations": "Relation Relations relations",
    "proving": "Contradiction Counterexample Proof Theorem Undecided holds_on prove",
    "trios": "Equation Ladder LadderStep",
}
_HOME = homes(_LAZY)
"""Names loaded on first use, and where they live."""

_MOVED = dict.fromkeys(
    ("Entry", "Misprint", "Outcome", "catalogue", "misprints", "printed_ladder"), "algeval_papers"
)
"""Names that are here for one release, and where they live now."""

__all__ = [  # noqa: PLE0604
    "Atlas",
    "BatchDecoding",
    "Binomial",
    "Bootstrap",
    "Correlations",
    "Decoding",
    "ErrorBars",
    "Group",
    "Groups",
    "IndependenceTest",
    "Minor",
    "Partition",
    "PooledTrios",
    "RatesExist",
    "Sensitivity",
    "atlas",
    "bootstrap",
    "by_group",
    "correlations",
    "decode",
    "decode_batch",
    "error_bars",
    "error_correlations",
    "frequencies_from",
    "independence_test",
    "keyed_from",
    "majority",
    "partition",
    "pool_trios",
    "rates_exist",
    "sensitivity",
    *_HOME,
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME, _MOVED)
