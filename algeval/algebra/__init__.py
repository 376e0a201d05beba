"""What is exactly true if the judges' errors are independent.

The symbolic part (encode, ideals, prove, the catalogue) needs SymPy and loads on first use.
"""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use
from algeval.algebra.correlation.bootstrap import Bootstrap, bootstrap
from algeval.algebra.correlation.error_bars import ErrorBars, error_bars
from algeval.algebra.correlation.gamma import (
    Correlations,
    correlations,
    error_correlations,
    frequencies_from,
    keyed_from,
)
from algeval.algebra.correlation.independence import IndependenceTest, independence_test
from algeval.algebra.correlation.rates_exist import Binomial, Minor, RatesExist, rates_exist
from algeval.algebra.correlation.sensitivity import Sensitivity, sensitivity
from algeval.algebra.decoding.atlas import Atlas, atlas
from algeval.algebra.decoding.batch import BatchDecoding, decode_batch
from algeval.algebra.decoding.decode import decode
from algeval.algebra.decoding.groups import Group, Groups, by_group
from algeval.algebra.decoding.partition import Partition, majority, partition
from algeval.algebra.decoding.pooled import PooledTrios, pool_trios
from algeval.algebra.decoding.results import Decoding

if TYPE_CHECKING:
    from algeval.algebra.eliminating.ideals import Basis as Basis
    from algeval.algebra.eliminating.ideals import discriminant_factors as discriminant_factors
    from algeval.algebra.eliminating.ideals import groebner_basis as groebner_basis
    from algeval.algebra.eliminating.ladder import ladder as ladder
    from algeval.algebra.eliminating.ladder_steps import Equation as Equation
    from algeval.algebra.eliminating.ladder_steps import Ladder as Ladder
    from algeval.algebra.eliminating.ladder_steps import LadderStep as LadderStep
    from algeval.algebra.eliminating.relations import Relation as Relation
    from algeval.algebra.eliminating.relations import Relations as Relations
    from algeval.algebra.eliminating.relations import relations as relations
    from algeval.algebra.papers.catalogue import catalogue as catalogue
    from algeval.algebra.papers.entry import Entry as Entry
    from algeval.algebra.papers.entry import Outcome as Outcome
    from algeval.algebra.papers.printed_ladder import Misprint as Misprint
    from algeval.algebra.papers.printed_ladder import misprints as misprints
    from algeval.algebra.papers.printed_ladder import printed_ladder as printed_ladder
    from algeval.algebra.proving.encode import Encoding as Encoding
    from algeval.algebra.proving.encode import encode as encode
    from algeval.algebra.proving.proofs import Counterexample as Counterexample
    from algeval.algebra.proving.proofs import Proof as Proof
    from algeval.algebra.proving.prove import holds_on as holds_on
    from algeval.algebra.proving.prove import prove as prove
    from algeval.algebra.proving.verdicts import Contradiction as Contradiction
    from algeval.algebra.proving.verdicts import Theorem as Theorem
    from algeval.algebra.proving.verdicts import Undecided as Undecided

_LAZY = {
    "papers.catalogue": "catalogue",
    "papers.entry": "Entry Outcome",
    "proving.encode": "Encoding encode",
    "eliminating.ideals": "Basis discriminant_factors groebner_basis",
    "papers.printed_ladder": "Misprint misprints printed_ladder",
    "eliminating.ladder": "ladder",
    "eliminating.ladder_steps": "Equation Ladder LadderStep",
    "proving.proofs": "Counterexample Proof",
    "proving.prove": "holds_on prove",
    "eliminating.relations": "Relation Relations relations",
    "proving.verdicts": "Contradiction Theorem Undecided",
}
_HOME = homes(_LAZY)
"""Names loaded on first use, and where they live."""

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
    __getattr__, __dir__ = on_first_use(__name__, _HOME)
