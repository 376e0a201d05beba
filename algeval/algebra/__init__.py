"""What is exactly true if the judges' errors are independent.

The symbolic part (encode, ideals, prove, the catalogue) needs SymPy and loads on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
from algeval.algebra.correlation.sensitivity import Sensitivity, sensitivity
from algeval.algebra.decoding.atlas import Atlas, atlas
from algeval.algebra.decoding.batch import BatchDecoding, decode_batch
from algeval.algebra.decoding.decode import decode
from algeval.algebra.decoding.groups import Group, Groups, by_group
from algeval.algebra.decoding.partition import Partition, majority, partition
from algeval.algebra.decoding.results import Decoding

if TYPE_CHECKING:
    from algeval.algebra.papers.catalogue import catalogue as catalogue
    from algeval.algebra.papers.entry import Entry as Entry
    from algeval.algebra.papers.entry import Outcome as Outcome
    from algeval.algebra.proving.encode import Encoding as Encoding
    from algeval.algebra.proving.encode import encode as encode
    from algeval.algebra.proving.ideals import Basis as Basis
    from algeval.algebra.proving.ideals import discriminant_factors as discriminant_factors
    from algeval.algebra.proving.ideals import groebner_basis as groebner_basis
    from algeval.algebra.proving.proofs import Counterexample as Counterexample
    from algeval.algebra.proving.proofs import Proof as Proof
    from algeval.algebra.proving.prove import holds_on as holds_on
    from algeval.algebra.proving.prove import prove as prove

_LAZY = {
    "Basis": "proving.ideals",
    "Counterexample": "proving.proofs",
    "Encoding": "proving.encode",
    "Entry": "papers.entry",
    "Outcome": "papers.entry",
    "Proof": "proving.proofs",
    "catalogue": "papers.catalogue",
    "discriminant_factors": "proving.ideals",
    "encode": "proving.encode",
    "groebner_basis": "proving.ideals",
    "holds_on": "proving.prove",
    "prove": "proving.prove",
}

__all__ = [
    "Atlas",
    "Basis",
    "BatchDecoding",
    "Bootstrap",
    "Correlations",
    "Counterexample",
    "Decoding",
    "Encoding",
    "Entry",
    "ErrorBars",
    "Group",
    "Groups",
    "IndependenceTest",
    "Outcome",
    "Partition",
    "Proof",
    "Sensitivity",
    "atlas",
    "bootstrap",
    "by_group",
    "catalogue",
    "correlations",
    "decode",
    "decode_batch",
    "discriminant_factors",
    "encode",
    "error_bars",
    "error_correlations",
    "frequencies_from",
    "groebner_basis",
    "holds_on",
    "independence_test",
    "keyed_from",
    "majority",
    "partition",
    "prove",
    "sensitivity",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = value
    return value
