"""All trios of a panel as one answer: the evaluation they share, or else their median and range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.decoding.atlas import Atlas, atlas
from algeval.algebra.decoding.batch import STATUSES
from algeval.algebra.decoding.decode import decode
from algeval.algebra.decoding.results import Decoding
from algeval.algebra.decoding.trio import Trio, trio_of
from algeval.data import Evaluation, Sketch
from algeval.data.names import positions, read_only
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["PooledTrios", "pool_trios"]

_RATIONAL = (Status.OK, Status.NOT_INTEGRAL)
_MOST_CHECKED = 5_000
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PooledTrios(Result):
    """What the trios of four or more judges say together.

    Attributes
    ----------
    status : Status
        `ok`: one evaluation with independent errors reproduces every count. `not_integral`: it does
        so by fractions of items only. `inconsistent`: none does, as on nearly every real test.
        `undetermined`: some trios leave their evaluation open, or there is none to show.
    evaluation : Evaluation or None
        The one that all trios share, exact; or else the median of each number over the trios that pass.
    shared : bool
        Whether it is the one that all trios share.
    n_trios, n_passing : int
        All of them, and those with a solution inside [0, 1].
    prevalence : (R, 2) array
        Lowest and highest share of each label over the trios that pass; NaN if none does.
    accuracies : (N, R, 2) array
        The same of each judge's accuracies, over the trios that hold the judge.
    """

    schema: ClassVar[str] = "algeval.pooled-trios/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_items: int
    evaluation: Evaluation | None
    shared: bool
    n_trios: int
    n_passing: int
    prevalence: Floats
    accuracies: Floats

    def prevalence_of(self, label: object) -> tuple[float, float]:
        """Return the lowest and the highest share of a label."""
        (t,) = positions("label", [label], self.labels)
        return float(self.prevalence[t, 0]), float(self.prevalence[t, 1])

    def accuracy_of(self, judge: object, label: object) -> tuple[float, float]:
        """Return the lowest and the highest accuracy of a judge on a label."""
        (i,) = positions("judge", [judge], self.judges)
        (t,) = positions("label", [label], self.labels)
        return float(self.accuracies[i, t, 0]), float(self.accuracies[i, t, 1])

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number: quantity, judge, label, lowest, highest; then the settings."""
        rows: list[tuple[Any, ...]] = [
            ("prevalence", None, x, *self.prevalence_of(x)) for x in self.labels
        ]
        rows += [
            ("accuracy", judge, x, *self.accuracy_of(judge, x))
            for judge in self.judges
            for x in self.labels
        ]
        names = ("quantity", "judge", "label", "lowest", "highest")
        return Table.of_rows("Ranges over trios", names, rows), scalars(self)


def pool_trios(data: Source, judges: Iterable[object] | None = None) -> PooledTrios:
    """Grade four or more judges by what their trios say of them, if errors are independent.

    Use it where `decode` gives an atlas and one answer is wanted. If errors are exactly independent
    every trio holds the same evaluation, and that is returned, exactly. Otherwise the spread over the
    trios shows how far they are from it.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never used.
    judges : judge names, optional
        Four or more.

    Raises
    ------
    DataError
        If there are fewer than four judges, or fewer than two labels.
    TooLargeError
        If decoding all trios would take hours.

    Notes
    -----
    The label order of each trio is that of its greatest total accuracy.

    Examples
    --------
    >>> from itertools import product
    >>> coins = {"".join(t): 1 for t in product("ab", repeat=4)}
    >>> found = pool_trios(Sketch.from_counts(coins | {"bbbb": 17}))  # half of the items are all b
    >>> found.shared, found.status.value, str(found.evaluation.prevalence_of("a"))
    (True, 'ok', '1/2')
    """
    sketch = as_sketch(read_data(data))
    part = sketch if judges is None else sketch.marginal(judges)
    if part.n_judges < 4:
        raise DataError(
            f"pooling must have four or more judges; got {part.n_judges}; use decode for three"
        )
    found = atlas(part)
    common = _common(part, found)
    middle = _median(found, part) if common is None else common
    prevalence, accuracies = _spread(found)
    status, message = _verdict(found, part, common, middle)
    return PooledTrios(
        status=status,
        message=message,
        judges=part.judges,
        labels=part.labels,
        n_items=part.n_items,
        evaluation=middle,
        shared=common is not None,
        n_trios=len(found.trios),
        n_passing=int(found.passing.sum()),
        prevalence=read_only(prevalence),
        accuracies=read_only(accuracies),
    )


def _verdict(
    found: Atlas, part: Sketch, common: Evaluation | None, middle: Evaluation | None
) -> tuple[Status, str]:
    trios = how_many(len(found.trios), "trio")
    if common is not None:
        return _verdict_on_one(f"All {trios} hold one evaluation", common, part)
    passing = f"{int(found.passing.sum())} of {trios}"
    if middle is None:
        told = f"{passing} have a solution inside [0, 1], and they do not share one."
        return Status.UNDETERMINED, told
    shown = f"shown is the median over the {passing} with a solution inside [0, 1]"
    if np.isin(found.codes, [STATUSES.index(s) for s in (Status.OK, Status.UNDETERMINED)]).all():
        return Status.UNDETERMINED, f"Not every trio can be graded; {shown}."
    return Status.INCONSISTENT, (
        "Errors are not exactly independent on this test, as on nearly every real one, so the trios "
        f"differ; {shown}."
    )


def _verdict_on_one(start: str, common: Evaluation, part: Sketch) -> tuple[Status, str]:
    if not _gives_back(common, part):
        return Status.INCONSISTENT, (
            f"{start}, but it does not give back how all judges answered together: errors are not "
            "exactly independent on this test."
        )
    if not _integral(common, part):
        told = "which gives back every count, but by fractions of items"
        return Status.NOT_INTEGRAL, f"{start}, {told}."
    return Status.OK, (
        f"{start}, and with independent errors it gives back every count exactly; a candidate, not a "
        "proof, since correlated errors can produce the same counts."
    )


def _places(found: Atlas, judge: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return rows and positions of the trios that pass and hold a judge."""
    rows, places = np.nonzero((found.trios == judge) & found.passing[:, None])
    return rows, places


def _spread(found: Atlas) -> tuple[Floats, Floats]:
    """Return lowest and highest of each number over the trios that pass."""
    n, r = len(found.judges), len(found.labels)
    prevalence, accuracies = np.full((r, 2), np.nan), np.full((n, r, 2), np.nan)
    if found.passing.any():
        prevalence = _ends(found.prevalence[found.passing])
    for i in range(n):
        own = found.accuracies[_places(found, i)]
        if len(own):
            accuracies[i] = _ends(own)
    return prevalence, accuracies


def _ends(values: Floats) -> Floats:
    ends: Floats = np.column_stack([values.min(0), values.max(0)])
    return ends


def _median(found: Atlas, part: Sketch) -> Evaluation | None:
    """Return the median of each number over the trios that pass; None beyond two labels."""
    binary = part.n_labels == 2 == part.n_answers
    if not binary or not found.passing.any():
        return None
    right = np.full((part.n_judges, 2), np.nan)
    for i in range(part.n_judges):
        own = found.accuracies[_places(found, i)]
        if len(own):
            right[i] = np.median(own, axis=0)
    rows = [
        np.column_stack([right[:, 0], 1 - right[:, 0]]),
        np.column_stack([1 - right[:, 1], right[:, 1]]),
    ]
    shares = np.median(found.prevalence[found.passing], axis=0)
    return Evaluation(part.judges, part.labels, part.answers, shares, np.stack(rows, axis=1))


def _common(part: Sketch, found: Atlas) -> Evaluation | None:
    """Return the evaluation that every trio holds exactly, None if there is none."""
    rational = [STATUSES.index(status) for status in _RATIONAL]
    if not np.isin(found.codes, rational).all():
        return None
    whole = _joined(part)
    if whole is None or len(found.trios) > _MOST_CHECKED:
        return None
    trios = (trio_of(part, [part.judges[i] for i in places]) for places in found.trios.tolist())
    if not all(_holds(whole, trio) for trio in trios):
        return None
    return max(_orders(whole), key=lambda evaluation: evaluation.accuracies().sum())


def _joined(part: Sketch) -> Evaluation | None:
    """Return the evaluation of all judges that the trios of the first two with each other give."""
    first, second, *others = part.judges
    base: Evaluation | None = None
    tables: list[Any] = []
    for judge in others:
        found = decode(part, [first, second, judge])
        if not isinstance(found, Decoding) or not found.evaluations:
            return None
        same = [e for e in found.orders() if base is None or _agree(e, base)]
        if not same or same[0].confusion.shape[2] != part.n_answers:
            return None
        base = same[0] if base is None else base
        tables.append(same[0].confusion[2])
    if base is None:
        return None
    confusion = np.concatenate([base.confusion[:2], np.array(tables, dtype=object)])
    return Evaluation(part.judges, part.labels, part.answers, base.prevalence, confusion)


def _agree(one: Evaluation, other: Evaluation) -> bool:
    pairs = ((one.prevalence, other.prevalence), (one.confusion[:2], other.confusion[:2]))
    return all(a.tolist() == b.tolist() for a, b in pairs)


def _orders(whole: Evaluation) -> Iterator[Evaluation]:
    """Yield an evaluation under every assignment of names to its labels."""
    for order in permutations(range(len(whole.labels))):
        places = np.array(order)
        yield Evaluation(*whole.axes, whole.prevalence[places], whole.confusion[:, places, :])


def _holds(whole: Evaluation, trio: Trio) -> bool:
    """Whether an evaluation gives back the counts of a trio, exactly."""
    places = [whole.judges.index(judge) for judge in trio.judges]
    return all(
        sum(_shares(whole, dict(zip(places, said, strict=True)))) * trio.n_used
        == trio.table[said[0]][said[1]][said[2]]
        for said in np.ndindex(*(len(trio.answers),) * 3)
    )


def _gives_back(whole: Evaluation, part: Sketch) -> bool:
    """Whether an evaluation gives back the count of every decision tuple, exactly."""
    return bool(part.complete) and all(
        bool(sum(_shares(whole, dict(enumerate(codes)))) * part.n_items == count)
        for codes, count in zip(part.codes.tolist(), part.counts.tolist(), strict=True)
    )


def _integral(whole: Evaluation, part: Sketch) -> bool:
    """Whether the items of each decision tuple and true label are whole numbers."""
    return all(
        (share * part.n_items).denominator == 1
        for codes in part.codes.tolist()
        for share in _shares(whole, dict(enumerate(codes)))
    )


def _shares(whole: Evaluation, said: dict[int, int]) -> list[Any]:
    """Return the share of items of each true label on which some judges give these answers."""
    return [
        whole.prevalence[t] * prod(whole.confusion[i, t, a] for i, a in said.items())
        for t in range(len(whole.labels))
    ]
