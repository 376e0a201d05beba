"""How far consensus scores and judges were moved, as a result that shows itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from algeval.errors import DataError
from algeval.result import Result, percent
from algeval.result.base import Record
from algeval.result.tables import Table

__all__ = ["Moved", "Robustness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Record):
    """How far one consensus, or one judge, was moved.

    Attributes
    ----------
    name : str
        Of the method or the judge.
    n_items : int
        Items with a score before and after.
    change, error : float or None
        Mean absolute change on the judges' scale, and its bootstrap standard error; None without a fit,
        and the error also where there is one item or cluster.
    shift : float or None
        Mean change with its sign.
    spread : float or None
        Standard deviation over the items before.
    flipped : float or None
        Share of the items whose class is another one; None of judges.
    difference, difference_error : float or None
        Change less that of the first method, and its standard error, over the same resamples.
    status : str
        How the fit ended.
    """

    name: str
    n_items: int
    change: float | None
    error: float | None
    shift: float | None
    spread: float | None
    flipped: float | None = None
    difference: float | None = None
    difference_error: float | None = None
    status: str = "ok"

    @property
    def relative(self) -> float | None:
        """Change in standard deviations of the scores before: a narrow consensus moves little anyway."""
        return self.change / self.spread if self.change is not None and self.spread else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness(Result):
    """How far a perturbation moved each consensus, and each judge.

    Attributes
    ----------
    status : Status
        ok; that of the first method that did not end so.
    methods, judges : tuples of Moved
    n_items, n_clusters : int
        Items found in both tables; clusters that are resampled.
    fit : "together" or "apart"
    n_samples, seed : int
    settings : dict
        Of the methods.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.robustness/1"

    methods: tuple[Moved, ...]
    judges: tuple[Moved, ...]
    n_items: int
    n_clusters: int
    fit: str
    n_samples: int
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Moved:
        for found in (*self.methods, *self.judges):
            if found.name == name:
                return found
        raise DataError(f"{name!r} is not here; choose from {[m.name for m in self.methods]}")

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per method, and a row per judge."""
        named = {"Methods": self.methods, "Judges": self.judges}
        return tuple(
            Table.of_records(title, Moved, rows, relative=[row.relative for row in rows])
            for title, rows in named.items()
        )

    def summary(self) -> str:
        """Return one line per method, the judge who moved most, and the warnings."""
        lines = [self.message, *(_line(moved) for moved in self.methods)]
        told = [moved for moved in self.judges if moved.change is not None]
        if told:
            most = max(told, key=lambda moved: moved.change or 0.0)
            lines.append(f"{_line(most)}, the most of all judges")
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])


def _line(moved: Moved) -> str:
    if moved.change is None:
        return f"  {moved.name}: no fit"
    error = "unknown" if moved.error is None else f"{moved.error:.2g}"
    told = f"  {moved.name}: moved by {moved.change:.3g} (standard error {error})"
    if moved.relative is not None:
        told += f", {moved.relative:.2f} of its standard deviation; mean shift {moved.shift:+.3g}"
    return told + ("" if moved.flipped is None else f"; {percent(moved.flipped)} change class")
