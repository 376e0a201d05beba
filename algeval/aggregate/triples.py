"""Sums over votes on (row, judge, answer) triples, for many judges who each answer few items."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate.inputs import Places
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes

__all__ = ["TripleVotes", "triples_of"]


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
