"""What is exactly true if the judges' errors are independent."""

from algeval.algebra.atlas import Atlas, atlas
from algeval.algebra.batch import BatchDecoding, decode_batch
from algeval.algebra.decode import decode
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

__all__ = [
    "Atlas",
    "BatchDecoding",
    "Bootstrap",
    "Decoding",
    "ErrorBars",
    "IndependenceTest",
    "Partition",
    "Sensitivity",
    "atlas",
    "bootstrap",
    "decode",
    "decode_batch",
    "error_bars",
    "error_correlations",
    "independence_test",
    "majority",
    "partition",
    "sensitivity",
]
