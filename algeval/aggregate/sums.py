"""Choose how votes are stored for the sums over judges."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.patterns import BlockVotes, VoteSums, block_size
from algeval.aggregate.triples import TripleVotes, triples_of
from algeval.data import NOT_ANSWERED
from algeval.data.names import Codes
from algeval.errors import DataError

__all__ = ["ENGINES", "choose_engine", "vote_sums"]

ENGINES = ("auto", "patterns", "triples")


def choose_engine(codes: Codes, n_answers: int) -> str:
    """Return "triples" where a row has fewer votes than there are blocks of judges."""
    blocks = -(-codes.shape[1] // block_size(n_answers))
    votes = int(np.count_nonzero(codes != NOT_ANSWERED))
    return "triples" if votes < blocks * len(codes) else "patterns"


def vote_sums(codes: Codes, n_answers: int, engine: str = "auto") -> VoteSums:
    """Return the vote sums of (U, N) decision tuples under the engine asked for."""
    if engine not in ENGINES:
        raise DataError(f"engine must be one of {list(ENGINES)}; got {engine!r}; choose one")
    if engine == "auto":
        engine = choose_engine(codes, n_answers)
    if engine == "patterns":
        return BlockVotes(codes, n_answers)
    n_rows, n_judges = codes.shape
    return TripleVotes(triples_of(codes), n_rows=n_rows, n_judges=n_judges, n_answers=n_answers)
