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
    from algeval.algebra.proving.verdicts import Contradiction as Contradiction
    from algeval.algebra.proving.verdicts import Theorem as Theorem
    from algeval.algebra.proving.verdicts import Undecided as Undecided

_LAZY = {
    "papers.catalogue": "catalogue",
    "papers.entry": "Entry Outcome",
    "proving.encode": "Encoding encode",
    "proving.ideals": "Basis discriminant_factors groebner_basis",
    "proving.proofs": "Counterexample Proof",
    "proving.prove": "holds_on prove",
    "proving.verdicts": "Contradiction Theorem Undecided",
}
_HOME = {name: home for home, names in _LAZY.items() for name in names.split()}
"""Names loaded on first use, and where they live."""

__all__ = [  # noqa: PLE0604
    "Atlas",
    "BatchDecoding",
    "Bootstrap",
    "Correlations",
    "Decoding",
    "ErrorBars",
    "Group",
    "Groups",
    "IndependenceTest",
    "Partition",
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
    "sensitivity",
    *_HOME,
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
