"""Many exams of independent judges at once: drawn from one law, and the law fitted to each again.

What a parametric bootstrap repeats. Arrays in, arrays out. An exam is (Q, N) codes, -1 where a
judge did not answer; a law is a prevalence (R,) and tables (R, N, A) of answers by true label.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

__all__: tuple[str, ...] = ()  # for the calibrated tests of the layers above, not for users

Floats = NDArray[np.floating[Any]]
Codes = NDArray[np.int16]

_UNIFORM = 0.2
"""Weight of the uniform in the starting posteriors, lest vote shares of 0 stay 0."""


class Laws(NamedTuple):
    """One law per exam: prevalence (B, R) and tables (B, R, N, A)."""

    prevalence: Floats
    tables: Floats


def generator(seed: int, *data: NDArray[Any]) -> np.random.Generator:
    """Generator of drawn exams: the same for the same seed and data.

    With the seed alone all data sets would be compared with nearly the same few exams, and what those
    miss of the level they would all miss together.
    """
    digest = 0
    for array in data:
        digest = crc32(np.ascontiguousarray(array).tobytes(), digest)
    return np.random.default_rng([seed, digest])


def marked(codes: Codes, n_answers: int) -> NDArray[np.float32]:
    """Return (..., N, A): 1 at the answer given, zeros where none was."""
    weights: NDArray[np.float32] = (codes[..., None] == np.arange(n_answers)).astype(np.float32)
    return weights


def vote_share_start(votes: Floats, n_labels: int) -> Floats:
    """Return (B, Q, R) starting posteriors: the share of the votes for each label, softened."""
    counts = votes.sum(axis=2)[..., :n_labels]
    total = counts.sum(axis=-1, keepdims=True)
    shares = np.where(total > 0, counts / np.maximum(total, 1), 1 / n_labels)
    result: Floats = (1 - _UNIFORM) * shares + _UNIFORM / n_labels
    return result


def posterior(votes: Floats, laws: Laws) -> Floats:
    """Return (B, Q, R): the chance of each true label given the votes (B, Q, N, A)."""
    b, q, n, a = votes.shape
    logs = np.log(laws.tables).astype(np.float32).reshape(len(laws.tables), -1, n * a)
    joint = votes.reshape(b, q, n * a) @ logs.transpose(0, 2, 1)
    joint += np.log(laws.prevalence)[:, None, :].astype(np.float32)
    joint -= joint.max(axis=-1, keepdims=True)
    np.exp(joint, out=joint)
    joint /= joint.sum(axis=-1, keepdims=True)
    return joint


def fit(
    votes: Floats, start: Floats, weights: Floats, *, pseudo: float, tol: float, max_iter: int
) -> Laws:
    """Fit every exam by EM from its own starting posteriors.

    votes : (B, Q, N, A), or (1, Q, N, A) where exams differ in counts alone; start : (B, Q, R) or
    (1, Q, R); weights : (B, Q) or (1, Q), items behind each row; pseudo : votes added to every
    answer, so that no chance is 0. Stops when no chance moves by more than `tol`.
    """
    share = start
    laws = _maximised(votes, share, weights, pseudo)
    for _ in range(max_iter):
        share = posterior(votes, laws)
        following = _maximised(votes, share, weights, pseudo)
        moved = max(
            float(np.abs(new - old).max()) for new, old in zip(following, laws, strict=True)
        )
        laws = following
        if moved <= tol:
            break
    return laws


def _maximised(votes: Floats, share: Floats, weights: Floats, pseudo: float) -> Laws:
    b, q, n, a = votes.shape
    weighed = share * weights[..., None].astype(np.float32)
    tables = weighed.transpose(0, 2, 1) @ votes.reshape(b, q, n * a)
    tables = tables.reshape(len(weighed), -1, n, a) + np.float32(pseudo)
    tables /= tables.sum(axis=-1, keepdims=True)
    prevalence = weighed.sum(axis=1) + np.float32(pseudo)
    prevalence /= prevalence.sum(axis=-1, keepdims=True)
    return Laws(prevalence, tables)


def draw(
    prevalence: Floats,
    tables: Floats,
    answered: NDArray[np.bool_],
    n_exams: int,
    rng: np.random.Generator,
) -> Codes:
    """Return (B, Q, N) codes of exams in which the votes marked in (B or 1, Q, N) are given."""
    q, n = answered.shape[-2:]
    share = np.asarray(prevalence, float)
    labels = rng.choice(len(share), size=(n_exams, q), p=share / share.sum())
    steps = np.cumsum(tables, axis=-1)[..., :-1].astype(np.float32)
    dice = rng.random((n_exams, q, n), dtype=np.float32)
    codes = np.zeros((n_exams, q, n), np.int16)
    for position in range(steps.shape[-1]):
        codes += dice > steps[labels, :, position]
    result: Codes = np.where(answered, codes, np.int16(-1))
    return result
