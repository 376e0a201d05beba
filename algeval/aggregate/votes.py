"""Sums over votes, the two that EM needs, however the votes are stored.

On distinct decision tuples they are cut into blocks of judges: a block has few distinct sub-tuples,
so a score is looked up once per block instead of added up judge by judge, and a table is counted
over sub-tuples instead of over items. Where many judges answer few items each, they are sums over
(row, judge, answer) triples.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.inputs import Places, distinct_rows
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import Codes, Counts
from algeval.data.settings import check_choice

__all__ = [
    "ENGINES",
    "BlockVotes",
    "TripleVotes",
    "VoteSums",
    "block_size",
    "choose_engine",
    "one_hot",
    "triples_of",
    "vote_counts",
    "vote_shares",
    "vote_sums",
    "weighted_counts",
]

ENGINES = ("auto", "patterns", "triples")


class VoteSums(Protocol):
    """The two sums that EM needs, whatever the votes are stored as."""

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""


def block_size(n_answers: int) -> int:
    """Return how many judges make a block whose sub-tuples stay few."""
    return max(1, int(np.log(policy.MOST_SUBTUPLES) / np.log(n_answers + 1)))


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


def triples_of(codes: Codes) -> tuple[Places, Places, Places]:
    """Return the (row, judge, answer) of every vote that was given."""
    row, judge = np.nonzero(codes != NOT_ANSWERED)
    return row, judge, codes[row, judge].astype(np.intp)


class TripleVotes:
    """Vote sums as products with a sparse (rows, judges x answers) matrix of ones."""

    def __init__(
        self, triples: tuple[Places, Places, Places], *, n_rows: int, n_judges: int, n_answers: int
    ) -> None:
        from scipy.sparse import csr_array

        row, judge, answer = triples
        self.n_judges, self.n_answers = n_judges, n_answers
        cell = judge * n_answers + answer
        shape = (n_rows, n_judges * n_answers)
        self.votes: Any = csr_array((np.ones(len(row)), (row, cell)), shape=shape)
        self.by_cell: Any = csr_array(self.votes.T)

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""
        flat = table.transpose(0, 2, 1).reshape(-1, table.shape[1])
        total: Floats = self.votes @ np.ascontiguousarray(flat)
        return total

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        flat: Floats = self.by_cell @ np.ascontiguousarray(weights)
        return flat.reshape(self.n_judges, self.n_answers, -1).transpose(0, 2, 1)


class WeighedVotes:
    """Vote sums in which an answer of judge j counts `weights[j]` times as evidence for a label.

    How a judge answers is estimated from all its votes, so `tables` is left as it is.
    """

    def __init__(self, votes: VoteSums, weights: Floats) -> None:
        self.votes, self.weights = votes, weights[:, None, None]

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): weighted sum over the answers given of table[judge, :, answer]."""
        return self.votes.scores(table * self.weights)

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        return self.votes.tables(weights)


def choose_engine(codes: Codes, n_answers: int) -> str:
    """Return "triples" where a row has fewer votes than there are blocks of judges."""
    blocks = -(-codes.shape[1] // block_size(n_answers))
    votes = int(np.count_nonzero(codes != NOT_ANSWERED))
    return "triples" if votes < blocks * len(codes) else "patterns"


def vote_sums(codes: Codes, n_answers: int, engine: str = "auto") -> VoteSums:
    """Return the vote sums of (U, N) decision tuples under the engine asked for."""
    if check_choice("engine", engine, ENGINES) == "auto":
        engine = choose_engine(codes, n_answers)
    if engine == "patterns":
        return BlockVotes(codes, n_answers)
    n_rows, n_judges = codes.shape
    return TripleVotes(triples_of(codes), n_rows=n_rows, n_judges=n_judges, n_answers=n_answers)


def vote_counts(sketch: Sketch) -> Counts:
    """Return (U, R): how many judges gave each label, per decision tuple."""
    columns = [(sketch.codes == place).sum(1) for place in range(sketch.n_labels)]
    return np.stack(columns, axis=1).astype(np.int64)


def vote_entropy(codes: Codes, n_answers: int) -> tuple[Counts, Floats]:
    """Return (rows, A) how many judges gave each answer, and (rows,) the entropy of that in bits.

    It is 0 where all votes agree, and in a row without votes.
    """
    given = np.stack([(codes == place).sum(axis=1) for place in range(n_answers)], axis=1)
    shares = given / np.maximum(given.sum(axis=1, keepdims=True), 1)
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)
    return given, np.maximum(bits, 0.0)


def weighted_counts(codes: Codes, weight: Floats, n_labels: int) -> Floats:
    """Return (rows, R): the weight of the judges (N,) who gave each label.

    A negative weight counts for every other label instead, which leaves the order of labels as is.
    """
    votes = [(codes == place) for place in range(n_labels)]
    for_it, against = np.maximum(weight, 0.0), np.maximum(-weight, 0.0)
    given = ((codes >= 0) & (codes < n_labels)) @ against
    return np.stack([said @ for_it + (given - said @ against) for said in votes], axis=1)


def vote_shares(votes: NDArray[np.integer] | Floats) -> Floats:
    """Return (U, R): each label's share of the votes, uniform where there were none."""
    total = votes.sum(1, keepdims=True)
    known = total > 0
    shares: Floats = np.where(known, votes / np.where(known, total, 1), 1.0 / votes.shape[1])
    return shares
