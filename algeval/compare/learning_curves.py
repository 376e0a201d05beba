"""How accuracy grows with items and with judges: fit on some items, predict the rest, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.data.settings import check_whole
from algeval.errors import AlgevalError, DataError
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["CurvePoint", "LearningCurve", "learning_curve"]

_SURE = 1e-15
_TIE = 1e-9
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One method at one size.

    Attributes
    ----------
    method : str
    n_items, n_judges : int
        Items fitted to and judges used.
    n_done : int
        Repeats that gave a fit; the others failed, and are not in the means.
    accuracy, accuracy_error : float or None
        Mean share of the unseen keyed items labelled right (a tie of k labels counts 1/k), and the
        standard error of that mean over repeats (None with fewer than two).
    log_loss, log_loss_error : float or None
        The same for -log of the probability of the true label, nats.
    """

    method: str
    n_items: int
    n_judges: int
    n_done: int
    accuracy: float | None
    accuracy_error: float | None
    log_loss: float | None
    log_loss_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningCurve(Result):
    """Accuracy and log loss on unseen items, by method and size.

    Attributes
    ----------
    status : Status
        ok; not_identifiable where some method gave no fit in some repeat.
    points : tuple of CurvePoint
    methods : tuple of str
    sizes, n_judges : tuples of int
    n_repeats, seed : int
    settings : dict
        Settings of the methods.
    """

    schema: ClassVar[str] = "algeval.learning_curve/1"

    points: tuple[CurvePoint, ...]
    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    n_judges: tuple[int, ...]
    n_repeats: int
    seed: int
    settings: dict[str, Any]

    def of(self, method: str, *, n_judges: int | None = None) -> list[CurvePoint]:
        """Return one method's points in order of size, for one number of judges (default: most)."""
        if method not in self.methods:
            raise DataError(f"method {method!r} is not on the curve; choose from {self.methods}")
        wanted = max(self.n_judges) if n_judges is None else n_judges
        return [p for p in self.points if p.method == method and p.n_judges == wanted]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per point, with the fields of `CurvePoint`."""
        return (Table.of_records("Unseen items", CurvePoint, self.points),)

    def summary(self) -> str:
        """Return one line per point."""
        return "\n".join([self.message, *(_line(point) for point in self.points)])


def _line(point: CurvePoint) -> str:
    told = f"  {point.method}, {how_many(point.n_judges, 'judge')}, {how_many(point.n_items, 'item')}: "
    if point.accuracy is None:
        return told + "no fit"
    error = f" +- {point.accuracy_error:.4f}" if point.accuracy_error is not None else ""
    return told + f"accuracy {point.accuracy:.4f}{error}, log loss {point.log_loss:.3f}"


def learning_curve(
    votes: Votes,
    methods: Sequence[str] = ("majority", "dawid-skene", "recommended"),
    *,
    sizes: Sequence[int],
    n_judges: Sequence[int] | None = None,
    n_repeats: int = 10,
    seed: int = 0,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> LearningCurve:
    """Fit each method on n items without the key, predict the other items, score against the key.

    Use it to see how many items or judges are worth their cost, on votes that carry a key. The
    same items and judges are drawn for every method of a repeat, so methods can be compared pair
    by pair; with more items, the ones drawn before stay. Error bars are over repeats, which share
    items: they understate how much another test would differ.

    Parameters
    ----------
    votes : Votes
        With a key; it is taken off before any fit. Unkeyed items are fitted to, not scored.
    methods : sequence of str
        Of `aggregate`.
    sizes : sequence of int
        Items to fit on, each below the number of items.
    n_judges : sequence of int, optional
        Judges to draw; by default all.
    n_repeats, seed : int
    settings : mapping from method to its settings, optional

    Returns
    -------
    LearningCurve

    Raises
    ------
    DataError
        If there is no key, or a size leaves no keyed item to predict.

    Notes
    -----
    The protocol of Figure 3 of Balasubramanian et al.: fit on n items, predict the rest.

    Examples
    --------
    >>> import algeval as ae
    >>> votes = Votes.from_columns({j: list("aabbab") for j in "ijk"}, key=list("aabbaa"))
    >>> curve = learning_curve(votes, ["majority"], sizes=[2, 4], n_repeats=3)
    >>> [point.n_items for point in curve.of("majority")]
    [2, 4]
    """
    counts = (votes.n_judges,) if n_judges is None else tuple(n_judges)
    _check(votes, methods, tuple(sizes), counts, n_repeats)
    told = {name: dict((settings or {}).get(name, {})) for name in methods}
    shape = (len(methods), len(counts), len(sizes), n_repeats)
    right, loss = np.full(shape, np.nan), np.full(shape, np.nan)
    for repeat in steps(range(n_repeats), "fitting on parts of the items"):
        rng = np.random.default_rng([seed, repeat])
        order, panel = rng.permutation(votes.n_items), rng.permutation(votes.n_judges)
        for k, judges in enumerate(counts):
            part = votes.select(judges=[votes.judges[j] for j in np.sort(panel[:judges])])
            for s, size in enumerate(sizes):
                for m, name in enumerate(methods):
                    found = _once(part, order[:size], order[size:], name, told[name])
                    right[m, k, s, repeat], loss[m, k, s, repeat] = found
    points = tuple(
        _point(name, counts[k], sizes[s], right[m, k, s], loss[m, k, s])
        for m, name in enumerate(methods)
        for k in range(len(counts))
        for s in range(len(sizes))
    )
    failed = int(np.isnan(right).sum())
    message = f"Accuracy on unseen items over {n_repeats} repeats of {len(points)} points"
    return LearningCurve(
        status=Status.NOT_IDENTIFIABLE if failed else Status.OK,
        message=f"{message}; {failed} fits failed and are left out." if failed else f"{message}.",
        points=points,
        methods=tuple(methods),
        sizes=tuple(int(size) for size in sizes),
        n_judges=tuple(int(judges) for judges in counts),
        n_repeats=n_repeats,
        seed=seed,
        settings=told,
    )


def _once(
    votes: Votes, seen: NDArray[np.intp], unseen: NDArray[np.intp], name: str, settings: Any
) -> tuple[float, float]:
    """Return accuracy and log loss on unseen keyed items, NaN where the method gave no fit."""
    key: Any = votes.key
    unseen = unseen[key[unseen] != NOT_ANSWERED]
    train = votes.select(items=[votes.items[i] for i in np.sort(seen)]).without_key()
    rest = votes.select(items=[votes.items[i] for i in unseen]).without_key()
    try:
        fitted = aggregate(train, name, **settings)
    except DataError:
        raise
    except AlgevalError:
        return np.nan, np.nan
    if fitted.evaluation is None:
        return np.nan, np.nan
    return _score(fitted.predict(rest), key[unseen])


def _score(posterior: Floats, truth: NDArray[Any]) -> tuple[float, float]:
    first = posterior >= posterior.max(axis=1, keepdims=True) - _TIE
    rows = np.arange(len(truth))
    credit = first[rows, truth] / first.sum(axis=1)
    loss = -np.log(np.maximum(posterior[rows, truth], _SURE))
    return float(credit.mean()), float(loss.mean())


def _point(name: str, judges: int, size: int, right: Floats, loss: Floats) -> CurvePoint:
    done = ~np.isnan(right)
    accuracy, accuracy_error = _mean(right[done])
    log_loss, log_loss_error = _mean(loss[done])
    return CurvePoint(
        method=name,
        n_items=int(size),
        n_judges=int(judges),
        n_done=int(done.sum()),
        accuracy=accuracy,
        accuracy_error=accuracy_error,
        log_loss=log_loss,
        log_loss_error=log_loss_error,
    )


def _mean(values: Floats) -> tuple[float | None, float | None]:
    if not len(values):
        return None, None
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
    return float(values.mean()), error


def _check(
    votes: Votes, methods: Sequence[str], sizes: Sequence[int], judges: Sequence[int], repeats: int
) -> None:
    if not isinstance(votes, Votes) or votes.key is None:
        raise DataError("votes must carry a key to score with; got none; pass key= when reading")
    if not methods or not sizes or not judges:
        raise DataError("methods, sizes and n_judges must not be empty; name at least one of each")
    n_unkeyed = int((votes.key == NOT_ANSWERED).sum())
    most = votes.n_items - n_unkeyed - 1
    for size in sizes:
        check_whole("sizes", size, 1, most)
    for number in judges:
        check_whole("n_judges", number, 1, votes.n_judges)
    check_whole("n_repeats", repeats)
