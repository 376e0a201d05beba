"""What is exactly true if the judges' errors are independent.

The symbolic part (encode, ideals, prove, the catalogue) needs SymPy and loads on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from algeval.algebra.atlas import Atlas, atlas
from algeval.algebra.batch import BatchDecoding, decode_batch
from algeval.algebra.decode import decode
from algeval.algebra.groups import Group, Groups, by_group
from algeval.algebra.independence import IndependenceTest, independence_test
from algeval.algebra.partition import Partition, majority, partition
from algeval.algebra.results import Decoding
from algeval.algebra.trust import (
    Bootstrap,
    ErrorBars,
    Sensitivity,
    bootstrap,
    error_bars,
    error_correlations,
    sensitivity,
)

if TYPE_CHECKING:
    from algeval.algebra.catalogue import catalogue as catalogue
    from algeval.algebra.encode import Encoding as Encoding
    from algeval.algebra.encode import encode as encode
    from algeval.algebra.entry import Entry as Entry
    from algeval.algebra.entry import Outcome as Outcome
    from algeval.algebra.gamma import Correlations as Correlations
    from algeval.algebra.gamma import correlations as correlations
    from algeval.algebra.gamma import frequencies_from as frequencies_from
    from algeval.algebra.gamma import keyed_from as keyed_from
    from algeval.algebra.ideals import Basis as Basis
    from algeval.algebra.ideals import discriminant_factors as discriminant_factors
    from algeval.algebra.ideals import groebner_basis as groebner_basis
    from algeval.algebra.proofs import Counterexample as Counterexample
    from algeval.algebra.proofs import Proof as Proof
    from algeval.algebra.prove import holds_on as holds_on
    from algeval.algebra.prove import prove as prove

_LAZY = {
    "Basis": "ideals",
    "Correlations": "gamma",
    "Counterexample": "proofs",
    "Encoding": "encode",
    "Entry": "entry",
    "Outcome": "entry",
    "Proof": "proofs",
    "catalogue": "catalogue",
    "correlations": "gamma",
    "discriminant_factors": "ideals",
    "encode": "encode",
    "frequencies_from": "gamma",
    "groebner_basis": "ideals",
    "holds_on": "prove",
    "keyed_from": "gamma",
    "prove": "prove",
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
