"""Where the majority and a model give different labels, and what each needs to be right there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.registry import predictor
from algeval.aggregate.results import decide
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import expect_schema
from algeval.data.reading import split_key
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.result import Result, Status, percent
from algeval.result.base import Record
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Disagreement", "Side", "SplitGroup", "disagreement"]

_MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(Record):
    """Judges who gave one label on a group of items, and what follows if the other side is right.

    Attributes
    ----------
    label : str
    judges : tuple of str
        Those who gave the label on any item of the group, the most often first.
    errors : tuple of int
        How many items of the group each gave it on: its errors there, if it is wrong.
    answered : tuple of int
        Items of all that each answered.
    together : int
        Items of the group on which all of `judges` gave it, so would share the error.
    """

    label: str
    judges: tuple[str, ...]
    errors: tuple[int, ...]
    answered: tuple[int, ...]
    together: int

    @property
    def at_most(self) -> tuple[Fraction, ...]:
        """The share of its answers that each can be right on at most, if the label is wrong here."""
        pairs = zip(self.errors, self.answered, strict=True)
        return tuple(Fraction(n - k, n) for k, n in pairs)

    def summary(self) -> str:
        """Return what follows for these judges if their label is wrong on the group's items."""
        if not self.judges:
            return f"no judge errs there (none gave {self.label})"
        told = list(zip(self.judges, self.errors, self.answered, strict=True))
        alike = len({pair[1:] for pair in told}) == 1
        if alike and self.together == self.errors[0]:
            k, n = self.errors[0], self.answered[0]
            share, each = ("makes", "it is") if len(told) == 1 else ("share", "each is")
            errors = "1 error" if k == 1 else f"{k} errors"
            return f"{_names(self.judges)} {share} {errors}: {each} right on at most {n - k} of {n}"
        shown = [f"{j} on {k} (right on at most {n - k} of {n})" for j, k, n in told[:_MOST_NAMED]]
        left_out = len(told) - _MOST_NAMED
        more = f" and {left_out} more" if left_out > 0 else ""
        return f"these err: {', '.join(shown)}{more}; all together on {self.together}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitGroup(Record):
    """Items on which the majority says one label and the model another.

    Attributes
    ----------
    n_items : int
    majority, model : Side
    """

    n_items: int
    majority: Side
    model: Side

    def summary(self) -> list[str]:
        """Return who stands where, and what either needs to be right, a line each."""
        sides = ((self.majority, "the majority"), (self.model, "the model"))
        stand = " and ".join(
            f"{_names(side.judges)} {'say' if side.judges[1:] else 'says'} {side.label} ({who})"
            for side, who in sides
        )
        return [
            f"Largest group, {self.n_items} item{'s' * (self.n_items != 1)}: {stand}.",
            f"If the majority is right there, {self.model.summary()}; if the model is, "
            f"{self.majority.summary()}.",
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement(Result):
    """Where the majority and a model differ.

    Attributes
    ----------
    status : Status
        ok, also where they differ nowhere; undetermined where the model has no labels.
    method : str
        The model's.
    n_items, n_differing, n_undecided : int
        All items; those both label, differently; those that only one of them or none labels.
    groups : tuple of SplitGroup
        By the two labels and by which judges gave them, largest first.
    pairs : tuple of SplitGroup
        By the two labels alone, largest first.
    """

    schema: ClassVar[str] = "algeval.disagreement/1"

    method: str
    n_items: int
    n_differing: int
    n_undecided: int
    groups: tuple[SplitGroup, ...] = ()
    pairs: tuple[SplitGroup, ...] = ()

    @property
    def share(self) -> Fraction:
        """The share of all items on which both give a label, and not the same."""
        return Fraction(self.n_differing, self.n_items)

    @property
    def largest(self) -> SplitGroup | None:
        """The largest group of the same judges; of the same labels if that is more than twice as large."""
        if not self.groups:
            return None
        alike, pair = self.groups[0], self.pairs[0]
        return alike if 2 * alike.n_items >= pair.n_items else pair

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per group of items: how many, both labels, and the judges on either side."""
        names = ("n_items", "majority says", "by", "model says", "and by")
        rows = [
            (
                group.n_items,
                *(group.majority.label, ", ".join(group.majority.judges)),
                *(group.model.label, ", ".join(group.model.judges)),
            )
            for group in self.groups
        ]
        return Table.of_rows("Where they differ", names, rows), scalars(self)

    def summary(self) -> str:
        """Return the share, the largest group, and what would have to be true."""
        return "\n".join([self.message, *([] if self.largest is None else self.largest.summary())])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        read = {name: tuple(map(_read_group, body[name])) for name in ("groups", "pairs")}
        return cls(**body | read | {"status": Status(body["status"])})


def disagreement(data: Source, result: Aggregation | None = None) -> Disagreement:
    """Say where the majority and a model give different labels, and what each needs to be right.

    Use it before trusting either: the groups are the items to look at by hand. All of it is
    counting; nothing here says which of the two is right.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is not read.
    result : Aggregation, optional
        The model's labels, fitted to these votes or to some of their judges; by default those of
        `aggregate(data)`.

    Returns
    -------
    Disagreement
        Counts are of items. Status ok, or undetermined where the model gave no label.

    Raises
    ------
    DataError
        If the result is of other judges or labels.

    Notes
    -----
    The majority is the label with most votes, ties left without one. Were the majority right on k
    items, every judge who said there what the model says erred on them, so on its n answered items
    it is right at most (n - k) / n of the time; were the model right, the same holds of the others.

    Examples
    --------
    >>> s = Sketch.from_counts({"aabb": 1, "aaab": 6, "aaaa": 40, "bbbb": 40, "bbba": 5})
    >>> disagreement(s, aggregate(s.marginal(["4"]), "majority")).n_differing
    11
    """
    data = read_data(data)
    blind = split_key(data)[0]
    model = aggregate(blind) if result is None else result
    sketch = blind.sketch()
    return between(sketch, aggregate(sketch, "majority"), model)


def between(sketch: Sketch, majority: Aggregation, model: Aggregation) -> Disagreement:
    """Return where two results differ; the first is the majority's, of the same sketch."""
    if model.evaluation is None or majority.evaluation is None:
        why = model.message if model.evaluation is None else majority.message
        return Disagreement(
            status=Status.UNDETERMINED,
            message=f"The majority and {model.method} cannot be compared: {why}",
            method=model.method,
            n_items=sketch.n_items,
            n_differing=0,
            n_undecided=sketch.n_items,
        )
    first, second = majority.decisions, _decisions(sketch, model)
    decided = (first != NOT_ANSWERED) & (second != NOT_ANSWERED)
    differ = decided & (first != second)
    n = int(sketch.counts[differ].sum())
    rows = _Rows(sketch, first, second)
    alike, pairs = (_grouped(rows, np.flatnonzero(differ), by_side) for by_side in (True, False))
    undecided = int(sketch.counts[~decided].sum())
    open_ = f"; {undecided} more have no label from one of them" if undecided else ""
    return Disagreement(
        status=Status.OK,
        message=(
            f"The majority and {model.method} differ on {n} of {how_many(sketch.n_items, 'item')} "
            f"({percent(n / sketch.n_items)}){open_}."
        ),
        method=model.method,
        n_items=sketch.n_items,
        n_differing=n,
        n_undecided=undecided,
        groups=alike,
        pairs=pairs,
    )


def _decisions(sketch: Sketch, model: Aggregation) -> Any:
    """Return (U,) the model's labels of the decision tuples."""
    unknown = [judge for judge in model.judges if judge not in sketch.judges]
    if unknown or model.labels != sketch.labels or model.answers != sketch.answers:
        raise DataError(
            f"result must be of judges and labels in data; got {list(model.judges)} and "
            f"{list(model.labels)}; aggregate these votes, or select(judges=...) of them"
        )
    if model.judges == sketch.judges and np.array_equal(model.patterns, sketch.codes):
        return model.decisions
    places = [sketch.judges.index(judge) for judge in model.judges]
    return decide(predictor(model.method)(model, sketch.codes[:, places]))


class _Rows:
    """Decision tuples with the two labels each got."""

    def __init__(self, sketch: Sketch, majority: Any, model: Any) -> None:
        self.sketch, self.majority, self.model = sketch, majority, model
        self.answered = sketch.n_items - sketch.missing

    def group(self, rows: NDArray[np.intp]) -> SplitGroup:
        """Return the group of some rows of the same two labels."""
        n = int(self.sketch.counts[rows].sum())
        return SplitGroup(
            n_items=n,
            majority=self._side(rows, int(self.majority[rows[0]])),
            model=self._side(rows, int(self.model[rows[0]])),
        )

    def _side(self, rows: NDArray[np.intp], label: int) -> Side:
        counts = self.sketch.counts[rows]
        gave = self.sketch.codes[rows] == label
        errors = counts @ gave
        judges = [j for j in np.argsort(-errors, kind="stable").tolist() if errors[j]]
        told = [int(errors[j]) for j in judges]
        whole = [int(self.answered[j]) for j in judges]
        return Side(
            label=self.sketch.labels[label],
            judges=tuple(self.sketch.judges[j] for j in judges),
            errors=tuple(told),
            answered=tuple(whole),
            together=int(counts[gave[:, judges].all(axis=1)].sum()) if judges else 0,
        )


def _grouped(rows: _Rows, places: NDArray[np.intp], by_side: bool) -> tuple[SplitGroup, ...]:
    """Return the groups of rows with the same labels, and the same judges behind them."""
    found: dict[Any, list[int]] = {}
    for place in places.tolist():
        labels = int(rows.majority[place]), int(rows.model[place])
        codes = rows.sketch.codes[place]
        sides = tuple((codes == label).tobytes() for label in labels) if by_side else ()
        found.setdefault((labels, sides), []).append(place)
    groups = [rows.group(np.array(members)) for members in found.values()]
    return tuple(sorted(groups, key=lambda group: -group.n_items))


def _names(judges: Sequence[str]) -> str:
    if not judges:
        return "no judge"
    left_out = len(judges) - _MOST_NAMED
    named = ", ".join(judges[:_MOST_NAMED])
    return f"{named} and {left_out} more" if left_out > 0 else named


def _read_group(document: Mapping[str, Any]) -> SplitGroup:
    sides = {name: _read_side(document[name]) for name in ("majority", "model")}
    return SplitGroup(n_items=document["n_items"], **sides)


def _read_side(document: Mapping[str, Any]) -> Side:
    return Side(
        label=document["label"],
        judges=tuple(document["judges"]),
        errors=tuple(document["errors"]),
        answered=tuple(document["answered"]),
        together=document["together"],
    )
