"""Which model predicts unseen votes better? Held-out log-likelihood with a paired z."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.registry import METHODS, law_of
from algeval.aggregate.registry import method as method_named
from algeval.aggregate.results import Aggregation, Floats
from algeval.data import Sketch
from algeval.data.names import Codes
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.tables import Table

__all__ = ["HeldOut", "held_out", "log_probability"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut(Result):
    """Held-out log-likelihood of several models of the votes.

    Attributes
    ----------
    methods : tuple of str
    log_likelihood : (M,) array
        Nats per item, on items the model was not fitted to.
    z : (M, M) array
        Mean difference of row minus column over its standard error, item by item.
    """

    schema: ClassVar[str] = "algeval.held_out/1"

    methods: tuple[str, ...]
    log_likelihood: Floats
    z: Floats
    n_items: int
    folds: int
    seed: int
    settings: dict[str, Any]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per model: nats per item, and z against the best."""
        best = int(np.argmax(self.log_likelihood))
        columns = {"method": self.methods, "log_likelihood": self.log_likelihood}
        return (Table("Held-out votes", columns | {"z against the best": self.z[:, best]}),)

    def summary(self) -> str:
        """Return one line per model, best first."""
        best = int(np.argmax(self.log_likelihood))
        order = np.argsort(-self.log_likelihood, kind="stable")
        rows = [
            f"  {self.methods[m]}: {self.log_likelihood[m]:.4f} nats per item"
            + ("" if m == best else f" (z = {self.z[m, best]:+.1f} against the best)")
            for m in order
        ]
        return "\n".join([self.message, *rows])


def held_out(
    data: Source,
    methods: Sequence[str] = ("dawid-skene", "ising"),
    *,
    folds: int = 5,
    seed: int = 0,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> HeldOut:
    """Compare models by how probable they find votes they have not seen.

    Use it to ask whether couplings or a hidden trait are real; not to ask which labels are right:
    a model that predicts votes better can find classes further from the labels.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    methods : sequence of str
        Methods with a law of votes: all but majority votes and GLAD.
    folds, seed
        Items are dealt to so many folds at random.
    settings : mapping from method to its settings, optional

    Returns
    -------
    HeldOut
        Status ok, or not_identifiable when a method refused a fold.

    Raises
    ------
    DataError
        If a method has no law of votes.

    Examples
    --------
    >>> s = Sketch.from_counts({"aaaa": 60, "bbbb": 50, "aabb": 30, "bbaa": 30, "abab": 2})
    >>> result = held_out(s, folds=2)
    >>> bool(result.log_likelihood[1] > result.log_likelihood[0])
    True
    """
    names = tuple(methods)
    for name in names:
        record = METHODS.get(name)
        if record is not None and record.law is None:
            raise DataError(
                f"methods must have a law of votes; {name!r} has none ({record.without_law}); "
                "choose another"
            )
    check_whole("folds", folds, 2)
    told = {name: dict((settings or {}).get(name, {})) for name in names}
    sketch = read_patterns(data).sketch
    rng = np.random.default_rng(seed)
    dealt = rng.multinomial(sketch.counts, np.full(folds, 1 / folds))
    heights = np.zeros((len(names), *dealt.shape))
    failed = []
    for m, name in enumerate(steps(names, "predicting held-out votes", even=False)):
        for fold in steps(range(folds), f"predicting held-out votes by {name!r}"):
            part = Sketch(*sketch.axes, sketch.codes, sketch.counts - dealt[:, fold])
            fitted: Aggregation = method_named(name)(part, **told[name])
            if fitted.evaluation is None:
                failed.append(fitted.message)
                heights[m, :, fold] = np.nan
            else:
                heights[m, :, fold] = log_probability(fitted, sketch.codes)
    mean, z = _compare(heights, dealt.astype(float))
    return HeldOut(
        status=Status.NOT_IDENTIFIABLE if failed else Status.OK,
        message=failed[0] if failed else _message(names, mean, z),
        methods=names,
        log_likelihood=mean,
        z=z,
        n_items=sketch.n_items,
        folds=folds,
        seed=seed,
        settings=told,
    )


def log_probability(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows,): log-probability of decision tuples under a fitted model.

    Chances of the independent models are kept above 1e-4, so that nothing is impossible.

    Raises
    ------
    DataError
        If the method has no law of votes or holds no fit.
    """
    logs: Floats = law_of(result).log_probability(np.asarray(codes, np.int16))
    return logs


def _compare(heights: Floats, dealt: Floats) -> tuple[Floats, Floats]:
    n = dealt.sum()
    mean: Floats = (heights * dealt).sum(axis=(1, 2)) / n
    m = len(heights)
    z = np.zeros((m, m))
    for a in range(m):
        for b in range(m):
            gap = heights[a] - heights[b]
            spread = float((dealt * (gap - (mean[a] - mean[b])) ** 2).sum() / n)
            z[a, b] = (mean[a] - mean[b]) / np.sqrt(spread / n) if spread > 0 else 0.0
    return mean, z


def _message(names: tuple[str, ...], mean: Floats, z: Floats) -> str:
    order = np.argsort(-mean, kind="stable")
    best = names[order[0]]
    if len(names) == 1:
        return f"Held-out log-likelihood of {best}: {mean[0]:.4f} nats per item."
    second = order[1]
    return (
        f"{best} predicts unseen votes best, before {names[second]} "
        f"(z = {z[order[0], second]:+.1f}); that does not make its labels more accurate."
    )
