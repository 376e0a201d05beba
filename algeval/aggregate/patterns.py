"""Sums over votes, judge by judge, on distinct decision tuples cut into blocks of judges.

A block of judges has few distinct sub-tuples, so a score is looked up once per block instead of
added up judge by judge, and a table is counted over sub-tuples instead of over items.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.inputs import Places, distinct_rows
from algeval.aggregate.results import Floats
from algeval.data.names import Codes

__all__ = ["BlockVotes", "VoteSums", "block_size", "one_hot"]

_MOST_SUBTUPLES = 1 << 12


class VoteSums(Protocol):
    """The two sums that EM needs, whatever the votes are stored as."""

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""


def block_size(n_answers: int) -> int:
    """Return how many judges make a block whose sub-tuples stay few."""
    return max(1, int(np.log(_MOST_SUBTUPLES) / np.log(n_answers + 1)))


def one_hot(codes: Codes, n_answers: int) -> Floats:
    """Return (U, N * A): 1 where the judge gave the answer; a missing vote is a row of zeros."""
    hot: NDArray[np.bool_] = codes[:, :, None] == np.arange(n_answers)
    return hot.reshape(len(codes), -1).astype(float)


class BlockVotes:
    """Vote sums on (U, N) distinct decision tuples."""

    def __init__(self, codes: Codes, n_answers: int) -> None:
        self.n_answers = n_answers
        self.shape = codes.shape
        self.blocks: list[tuple[slice, Floats, Places]] = []
        size = block_size(n_answers)
        for start in range(0, codes.shape[1], size):
            judges = slice(start, min(start + size, codes.shape[1]))
            distinct, place = distinct_rows(codes[:, judges], n_answers)
            self.blocks.append((judges, one_hot(distinct, n_answers), place))

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""
        total: Floats = np.zeros((table.shape[1], self.shape[0]))
        for judges, hot, place in self.blocks:
            flat = table[judges].transpose(1, 0, 2).reshape(table.shape[1], -1)
            total += np.take(flat @ hot.T, place, axis=1)
        return total.T

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        n_labels = weights.shape[1]
        columns = np.ascontiguousarray(weights.T)
        parts = []
        for _, hot, place in self.blocks:
            sums = np.stack([np.bincount(place, w, len(hot)) for w in columns])
            parts.append((sums @ hot).reshape(n_labels, -1, self.n_answers).transpose(1, 0, 2))
        return np.concatenate(parts)
