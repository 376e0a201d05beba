"""Decode resampled tests: how estimates vary from test to test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algeval.algebra.correlation.sensitivity import Floats
from algeval.algebra.decoding.batch import decode_batch, inside
from algeval.algebra.decoding.trio import trio_of
from algeval.data.names import read_only
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.result import Result, Status, percent
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Bootstrap", "bootstrap"]

_MOST_SAMPLES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Result):
    """Decodings of resampled tests: spread over the population, not over this exam's truth.

    Attributes
    ----------
    status_counts : dict
        How many resampled tests ended in each status.
    n_used : int
        Resampled tests whose solution lies in [0, 1]; the intervals rest on these alone.
    prevalence : (2,) float array
        Percentile interval of the share of the first label; NaN where none could be used.
    accuracies : (3, 2, 2) float array
        Percentile interval (last axis) per judge and label.
    """

    schema: ClassVar[str] = "algeval.bootstrap/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    sketch_digest: str
    n_samples: int
    seed: int
    level: float
    status_counts: dict[str, int]
    n_used: int
    prevalence: Floats
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number: quantity, judge, label, lower and upper end."""
        rows: list[tuple[Any, ...]] = [("prevalence", None, self.labels[0], *self.prevalence)]
        rows += [
            ("accuracy", judge, label, *self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        names = ("quantity", "judge", "label", "lower", "upper")
        return Table.of_rows("Intervals", names, rows), scalars(self)


def bootstrap(
    data: Source,
    judges: Any = None,
    *,
    n_samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Bootstrap:
    """Resample the items and decode again: how the estimates vary from test to test.

    Use it where first-order error bars are doubtful (few items, judges near chance). Only two
    labels: with more, resampled counts have no exact solution. Solutions outside [0, 1] are
    counted and left out.

    Raises
    ------
    DataError
        If the trio is not binary or no item was answered by all three.
    TooLargeError
        If more than a million samples are asked for.
    """
    data = read_data(data)
    trio = trio_of(data, judges)
    if not trio.binary or not trio.n_used:
        raise DataError(
            f"the bootstrap must have two labels and at least one item; got answers "
            f"{list(trio.answers)} and {how_many(trio.n_used, 'item')}"
        )
    level = check_number("level", level, least=0, most=1, strict=True)
    n_samples = check_whole("n_samples", n_samples)
    if n_samples > _MOST_SAMPLES:
        raise TooLargeError(
            f"n_samples must be at most {_MOST_SAMPLES}; got {n_samples}, whose counts alone take "
            f"{n_samples * 64 / 1e9:.0f} GB; a thousand are enough"
        )
    rng = np.random.default_rng(seed)
    weights = np.array(trio.flat, float) / trio.n_used
    batch = decode_batch(rng.multinomial(trio.n_used, weights, size=n_samples))
    points = np.column_stack([batch.prevalence, batch.accuracies.reshape(-1, 6)])
    usable = points[inside(batch.prevalence, batch.accuracies)]
    ends = np.full((2, 7), np.nan)
    if len(usable):
        ends = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Bootstrap(
        status=Status.OK if len(usable) else Status.UNDETERMINED,
        message=_bootstrap_message(len(usable), n_samples, level, trio.labels[0], ends[:, 0]),
        judges=trio.judges,
        labels=trio.labels,
        sketch_digest=trio.sketch_digest,
        n_samples=n_samples,
        seed=seed,
        level=level,
        status_counts=batch.status_counts,
        n_used=len(usable),
        prevalence=read_only(ends[:, 0]),
        accuracies=read_only(ends[:, 1:].T.reshape(3, 2, 2)),
    )


def _bootstrap_message(n_used: int, n_samples: int, level: float, label: str, ends: Floats) -> str:
    text = f"{n_used} of {n_samples} resampled tests decode inside [0, 1]"
    if not n_used:
        return text + ": resampling says nothing about these judges."
    return (
        f"{text}; {percent(level, 0)} of them put {label!r} between {percent(ends[0])} and "
        f"{percent(ends[1])} of the population."
    )
