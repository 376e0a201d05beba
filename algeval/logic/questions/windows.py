"""Sequences: windows of consecutive items are a test of their own, with tuples as labels.

No-Knowledge Alarms, appendix E: what holds for single items holds for sequences of S items, because the R^S
tuples of labels are again labels.
"""

from __future__ import annotations

from itertools import product
from math import log2

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, Votes
from algeval.data.reading import refuse_scores
from algeval.errors import DataError, TooLargeError
from algeval.logic.policy import MOST_WINDOW_LABELS
from algeval.result.wording import how_many

__all__ = ["MOST_WINDOW_LABELS", "NO_LABEL", "windows"]


NO_LABEL = "(no label)"
"""The answer to a window in which a judge gave an answer that is no label: never correct."""


def windows(votes: Votes, size: int, step: int = 1, *, separator: str = ">") -> Votes:
    """Return the windows of `size` consecutive items as items whose labels are tuples of labels.

    Use it to ask about runs: an accuracy on label "a>b" is how often a judge got both items right
    where a true "a" is followed by a true "b". Every method then applies. An alarm on windows is as
    certain as one on items. Silence says less: windows that overlap share items, and the key found
    for the windows need not be the windows of one key.

    Parameters
    ----------
    votes : Votes
        In the order of the test.
    size : int
        Items per window, S.
    step : int
        Items from the start of one window to the next; 1 gives Q - S + 1 windows, `size` windows
        that do not overlap. Items after the last full window are left out.
    separator : str
        What stands between the labels of a tuple.

    Returns
    -------
    Votes
        R^S labels in lexicographic order. A judge that left out any item of a window did not answer
        it; one that gave an answer that is no label answered `NO_LABEL`, which is never correct. A
        key, if there is one, becomes the key of the windows.

    Raises
    ------
    DataError
        If the size or step does not fit, or a label holds the separator.
    TooLargeError
        If there are more than 4,096 tuples of labels.

    Notes
    -----
    No-Knowledge Alarms, appendix E. Names of items are "first..last".

    Examples
    --------
    >>> v = Votes.from_columns({"x": ["a", "b", "b"], "y": ["a", "a", None]})
    >>> w = windows(v, 2)
    >>> w.labels, w.sketch().to_counts()
    (('a>a', 'a>b', 'b>a', 'b>b'), {('a>b', 'a>a'): 1, ('b>b', None): 1})
    """
    _check(votes, size, step, separator)
    labels = tuple(separator.join(parts) for parts in product(votes.labels, repeat=size))
    answers = labels if votes.n_answers == votes.n_labels else (*labels, NO_LABEL)
    codes = _encode(_slide(votes.codes, size, step), votes.n_labels, len(labels))
    key = None
    if votes.key is not None:
        key = _encode(_slide(votes.key[:, None], size, step), votes.n_labels, len(labels))[:, 0]
    return Votes(_names(votes.items, size, step), votes.judges, labels, answers, codes, key)


def _check(votes: Votes, size: int, step: int, separator: str) -> None:
    refuse_scores(votes)
    if not isinstance(votes, Votes):
        raise DataError(
            f"windows must be cut from Votes; got {type(votes).__name__}; counts do not know which "
            "item follows which"
        )
    for name, value in {"size": size, "step": step}.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise DataError(f"{name} must be a whole number from 1 on; got {value!r}; correct it")
    if size > len(votes):
        raise DataError(
            f"size must be at most the {how_many(len(votes), 'item')}; got {size}; use less"
        )
    clash = [label for label in votes.labels if not separator or separator in label]
    if size > 1 and clash:
        raise DataError(
            f"separator must occur in no label; got {separator!r} and label {clash[0]!r}; choose "
            "another with separator="
        )
    count = (len(votes) - size) // step + 1
    if size * log2(votes.n_labels) > log2(MOST_WINDOW_LABELS):
        raise TooLargeError(
            f"{size} consecutive items of {votes.n_labels} labels have {votes.n_labels}^{size} tuples, "
            f"more than {MOST_WINDOW_LABELS}, and each of {count} windows could be any of them; use a "
            "smaller size, or fewer labels"
        )


def _slide(codes: NDArray[np.int16], size: int, step: int) -> NDArray[np.int64]:
    """Return (windows, judges, size): the codes of every window."""
    return sliding_window_view(codes, size, axis=0)[::step].astype(np.int64)


def _encode(parts: NDArray[np.int64], n_labels: int, n_tuples: int) -> NDArray[np.int16]:
    """Return (windows, judges): the place of each tuple of labels."""
    code = np.zeros(parts.shape[:2], np.int64)
    for place in range(parts.shape[2]):
        code = code * n_labels + parts[:, :, place]
    code[(parts >= n_labels).any(2)] = n_tuples
    code[(parts == NOT_ANSWERED).any(2)] = NOT_ANSWERED
    return code.astype(np.int16)


def _names(items: tuple[str, ...], size: int, step: int) -> tuple[str, ...]:
    starts = range(0, len(items) - size + 1, step)
    if size == 1:
        return tuple(items[i] for i in starts)
    names = tuple(f"{items[i]}..{items[i + size - 1]}" for i in starts)
    if len(set(names)) == len(names):
        return names
    return tuple(f"{i + 1}:{name}" for i, name in zip(starts, names, strict=True))
