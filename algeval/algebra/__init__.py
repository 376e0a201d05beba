"""What is exactly true if the judges' errors are independent."""

from algeval.algebra.decode import decode
from algeval.algebra.partition import Partition, majority, partition
from algeval.algebra.results import Decoding

__all__ = ["Decoding", "Partition", "decode", "majority", "partition"]
