"""What is exactly true if the judges' errors are independent."""

from algeval.algebra.batch import BatchDecoding, decode_batch
from algeval.algebra.decode import decode
from algeval.algebra.partition import Partition, majority, partition
from algeval.algebra.results import Decoding

__all__ = [
    "BatchDecoding",
    "Decoding",
    "Partition",
    "decode",
    "decode_batch",
    "majority",
    "partition",
]
