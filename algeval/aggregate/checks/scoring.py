"""Score an aggregation against a key. The key is looked at here, after the fact, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Aggregation, Floats
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Votes
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.result import Result, Status, percent
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Bin", "Score", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One bin of the reliability diagram: items whose top probability lies in (low, high].

    Attributes
    ----------
    low, high : float
    n_items : int
    confidence : float
        Mean probability of the top label.
    accuracy : float
        Share of these items whose top label is the true one (a tie of k labels counts 1/k).
    """

    low: float
    high: float
    n_items: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score(Result):
    """How well labels and posteriors match a key.

    Attributes
    ----------
    n_scored : int
        Items whose true label is known.
    n_undecided : int
        Those of them without a label.
    n_correct : int
    accuracy : float
        n_correct / n_scored: an undecided item counts as wrong.
    accuracy_decided : float or None
        n_correct over the decided items.
    balanced_accuracy : float
        Mean over the labels that occur of the share of their items labelled right.
    log_loss : float
        Mean of -log of the probability of the true label, nats; probabilities below 1e-15 count
        as 1e-15.
    n_certain_wrong : int
        Items whose true label had a probability below 1e-15.
    brier : float
        Mean squared distance between posterior and truth, summed over labels (0 to 2).
    calibration_error : float
        Mean over items of |confidence - accuracy| of their bin.
    bins : tuple of Bin
        Reliability diagram; empty bins are left out.
    n_bins : int
    """

    schema: ClassVar[str] = "algeval.score/1"

    n_scored: int
    n_undecided: int
    n_correct: int
    accuracy: float
    accuracy_decided: float | None
    balanced_accuracy: float
    log_loss: float
    n_certain_wrong: int
    brier: float
    calibration_error: float
    bins: tuple[Bin, ...]
    n_bins: int

    def as_tables(self) -> tuple[Table, ...]:
        """Return the figures in one row, and the bins of the reliability diagram."""
        names = ("low", "high", "n_items", "confidence", "accuracy")
        return scalars(self), Table.of_records("Reliability", names, self.bins)

    def summary(self) -> str:
        """Return the figures, one a line."""
        return "\n".join(
            [
                self.message,
                f"balanced accuracy {percent(self.balanced_accuracy)}",
                f"log loss {self.log_loss:.4f} nats (probabilities below {policy.SURE:g} count as that), "
                f"Brier score {self.brier:.4f}",
                f"expected calibration error {self.calibration_error:.4f} ({self.n_bins} bins)",
            ]
        )


def score(
    result: Aggregation | ScoreAggregation,
    key: Votes | Scores | KeyedSketch | Mapping[Any, object],
    *,
    n_bins: int = 10,
) -> Score:
    """Score labels and posteriors against the truth, on the items whose truth is known.

    Parameters
    ----------
    result : Aggregation or ScoreAggregation
    key : Votes or Scores with a key, mapping from item to label, or KeyedSketch
        Votes, scores and mappings are joined on item ids, a keyed sketch on decision tuples. The
        labels of scores are "0" and "1", the higher class.
    n_bins : int
        Equal-width bins of the reliability diagram.

    Returns
    -------
    Score
        Status ok always.

    Raises
    ------
    DataError
        If there is no key, an item or tuple of the result is unknown, or a label is.

    Examples
    --------
    >>> from algeval.aggregate import aggregate
    >>> votes = Votes.from_columns({"i": ["a", "b"], "j": ["a", "b"], "k": ["b", "b"]})
    >>> score(aggregate(votes, "majority"), {"1": "a", "2": "a"}).accuracy
    0.5
    """
    check_whole("n_bins", n_bins)
    keyed = _keyed(result, key)
    n = int(keyed.sum())
    if not n:
        raise DataError("the key must name the label of at least one item; got none to score")
    decided = result.decisions != NOT_ANSWERED
    rows = np.flatnonzero(decided)
    hits = np.zeros(len(result.labels), np.int64)
    np.add.at(hits, result.decisions[rows], keyed[rows, result.decisions[rows]])
    n_correct, n_decided = int(hits.sum()), int(keyed[decided].sum())
    occurs = keyed.sum(0)
    loss = -np.log(np.maximum(result.posterior, policy.SURE))
    bins = _bins(result.posterior, keyed, n_bins)
    return Score(
        status=Status.OK,
        message=(
            f"{result.method}: {n_correct} of {how_many(n, 'item')} right ({percent(n_correct / n)}), "
            f"{n - n_decided} undecided."
        ),
        n_scored=n,
        n_undecided=n - n_decided,
        n_correct=n_correct,
        accuracy=n_correct / n,
        accuracy_decided=n_correct / n_decided if n_decided else None,
        balanced_accuracy=float(np.mean(hits[occurs > 0] / occurs[occurs > 0])),
        log_loss=float((loss * keyed).sum() / n),
        n_certain_wrong=int(keyed[result.posterior < policy.SURE].sum()),
        brier=_brier(result.posterior, keyed) / n,
        calibration_error=sum(b.n_items * abs(b.confidence - b.accuracy) for b in bins) / n,
        bins=bins,
        n_bins=n_bins,
    )


def _brier(posterior: Floats, keyed: NDArray[np.int64]) -> float:
    squares = (posterior**2).sum(1, keepdims=True) - 2 * posterior + 1
    return float((squares * keyed).sum())


def _bins(posterior: Floats, keyed: NDArray[np.int64], n_bins: int) -> tuple[Bin, ...]:
    top = posterior.max(1)
    first = posterior >= top[:, None] - policy.TIE
    credit = (keyed * first).sum(1) / first.sum(1)
    items = keyed.sum(1)
    place = np.clip(np.ceil(top * n_bins).astype(int) - 1, 0, n_bins - 1)
    counts = np.bincount(place, items, n_bins)
    confidence = np.bincount(place, items * top, n_bins)
    right = np.bincount(place, credit, n_bins)
    return tuple(
        Bin(
            low=b / n_bins,
            high=(b + 1) / n_bins,
            n_items=int(counts[b]),
            confidence=float(confidence[b] / counts[b]),
            accuracy=float(right[b] / counts[b]),
        )
        for b in np.flatnonzero(counts).tolist()
    )


def _keyed(result: Aggregation | ScoreAggregation, key: Any) -> NDArray[np.int64]:
    """Return (U, R): items of each decision tuple by true label."""
    if isinstance(key, KeyedSketch):
        if isinstance(result, ScoreAggregation):
            raise DataError("key must name items, as scores have no decision tuples; pass Scores")
        return _from_sketch(result, key)
    if isinstance(key, Votes):
        if key.key is None:
            raise DataError("key must be votes that carry a key; these have none; pass key=")
        names = key.labels
        truth = {
            item: names[code]
            for item, code in zip(key.items, key.key.tolist(), strict=True)
            if code != NOT_ANSWERED
        }
    elif isinstance(key, Scores):
        truth = _classes(key)
    elif isinstance(key, Mapping):
        truth = {str(item): str(label) for item, label in key.items() if label is not None}
    else:
        raise DataError(
            "key must be Votes or Scores with a key, a KeyedSketch or a mapping; got "
            f"{type(key).__name__}"
        )
    return _from_items(result, truth)


def _classes(scores: Scores) -> dict[str, str]:
    """Return the known classes of scores by item; a key of numbers or of other classes is refused."""
    if scores.key is None or scores.key_kind != "class":
        held = "none" if scores.key is None else "numbers"
        raise DataError(
            f"key must be scores that carry a key of classes; these carry {held}; pass votes or a "
            "mapping from item to '0' or '1'"
        )
    return {i: str(k) for i, k in zip(scores.items, scores.key, strict=True) if k is not None}


def _from_items(
    result: Aggregation | ScoreAggregation, truth: Mapping[str, str]
) -> NDArray[np.int64]:
    if result.items is None or result.item_pattern is None:
        raise DataError(
            "the result must have items to be joined with a key; it was made from counts; "
            "pass a KeyedSketch"
        )
    place = {label: code for code, label in enumerate(result.labels)}
    unknown = sorted(set(truth.values()) - set(place))
    if unknown:
        raise DataError(f"key label {unknown[0]!r} is not known; choose from {list(place)}")
    keyed = np.zeros(result.posterior.shape, np.int64)
    codes = [place.get(truth.get(item, ""), NOT_ANSWERED) for item in result.items]
    known = np.array(codes) != NOT_ANSWERED
    np.add.at(keyed, (result.item_pattern[known], np.array(codes)[known]), 1)
    return keyed


def _from_sketch(result: Aggregation, key: KeyedSketch) -> NDArray[np.int64]:
    sketch = key.sketch
    for kind in ("judges", "labels", "answers"):
        if getattr(sketch, kind) != getattr(result, kind):
            raise DataError(
                f"key must have the {kind} of the result {list(getattr(result, kind))}; "
                f"got {list(getattr(sketch, kind))}"
            )
    place = {row.tobytes(): number for number, row in enumerate(result.patterns)}
    keyed = np.zeros(result.posterior.shape, np.int64)
    for row, counts in zip(sketch.codes, key.keyed, strict=True):
        number = place.get(row.tobytes())
        if number is None:
            raise DataError(
                f"key must hold decision tuples of the result; got {row.tolist()}; "
                "score the votes the result was made from"
            )
        keyed[number] = counts
    return keyed
