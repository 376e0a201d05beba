"""What a comparison of two systems holds, and how a person reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from algeval.logic.proof.certificate import Certificate
from algeval.rates.ladder.rung import End
from algeval.result import Result, Table
from algeval.result.base import Record

__all__ = ["Line", "SystemComparison", "signed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Record):
    """What one source or assumption says of the difference.

    Attributes
    ----------
    name : str
    assumption : str
        What has to hold for it.
    low, estimate, high : Fraction, float or None
        Fractions where they are exact; None where there is no such number.
    against : str
        "above" or "below" 0, "open", "impossible" where the votes contradict the assumption, or "-" where
        there is no interval.
    breaks_at : str
        What makes it wrong.
    remark : str
    """

    name: str
    assumption: str
    low: End | None
    estimate: End | None
    high: End | None
    against: str
    breaks_at: str
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemComparison(Result):
    """Whether system A is better than system B, and by how much.

    Attributes
    ----------
    status : Status
        ok where labels give an interval; `undetermined` where there are none, or too few clusters of them:
        votes alone never decide.
    names : (str, str)
    label : str
        What both are compared in.
    target : "items" or "population"
        Whether the difference is that on these items, or in what they were drawn from.
    n_items : int
        Items that both systems answered.
    difference : float or None
        Share of the label in A less that in B; None without labels.
    low, high : float
        The interval; without labels, between what the difference must lie whatever the judges are worth.
    level : float
    verdict : str
        "A BETTER", "B BETTER", "NOT SETTLED" (the interval leaves 0 but rests on too few labelled
        differences), "NO DIFFERENCE SHOWN", or "NOT DETERMINED" (no labels).
    n_gold : int
        Items labelled for both systems.
    n_discordant : int
        Those of them on which the labels differ.
    rho2 : float or None
        Squared correlation of the labels' differences with the judges'; the share of labels they save.
    method : str
        How labels and judges were put together.
    drawn : str
        How the labelled items were drawn: "random", "differing" or "unequal".
    table : tuple of Line
        What each source says, the fewest assumptions first among those without labels.
    n_differing : int
        Items whose outputs, or else verdicts, differ.
    to_label : tuple of str
        Those of them without labels: label these next.
    warnings : tuple of str
    certificates : dict of Certificate
        Proofs of the exact lines, by system, belief and end.
    """

    schema: ClassVar[str] = "algeval.system-comparison/1"
    meaning: ClassVar[str] = (
        "The verdict rests on the labels; the judges sharpen it and cannot move it in the long run. It "
        "does not say that one system is better on every kind of item, or at anything but this label."
    )

    names: tuple[str, str]
    label: str
    target: str
    n_items: int
    difference: float | None
    low: float
    high: float
    level: float
    verdict: str
    n_gold: int
    n_discordant: int
    rho2: float | None
    method: str
    drawn: str
    table: tuple[Line, ...]
    n_differing: int
    to_label: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    certificates: dict[str, Certificate] = field(default_factory=dict, repr=False)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per source or assumption."""
        return (Table.of_records("Difference", Line, self.table),)

    def summary(self) -> str:
        """Return the verdict, what each source says, what to label next, and warnings."""
        width = max(len(line.name) for line in self.table)
        lines = [self.message, f"{'':{width}}  difference     low    high"]
        lines += [self._shown(line, width).rstrip() for line in self.table]
        lines += [self._next()] if self.to_label else []
        lines += [f"Assumes: {self._assumes()}.", self.meaning]
        return "\n".join([*lines, *(f"Warning: {told}" for told in self.warnings)])

    def _shown(self, line: Line, width: int) -> str:
        mark = "<-" if line is self.table[-1] and self.difference is not None else "  "
        numbers = f"{signed(line.estimate):>10}  {signed(line.low):>6}  {signed(line.high):>6}"
        return f"{line.name:{width}}  {numbers}  {mark}  {line.remark or line.assumption}"

    def _next(self) -> str:
        return (
            f"Next: label items where the two differ ({len(self.to_label)} of {self.n_items} are not "
            "labelled)."
        )

    def _assumes(self) -> str:
        about = {
            "items": "it is about these items alone",
            "population": "these items are a sample of what it is about",
        }[self.target]
        how = {
            "random": "labelled items were drawn at random",
            "differing": "labelled items were drawn at random among those whose outputs differ",
            "unequal": "labelled items were drawn with the chances of inclusion given",
        }[self.drawn]
        return about if self.difference is None else f"{how}; {about}"


def signed(value: End | None) -> str:
    """Return a difference with its sign, to two digits, or three where two would hide the sign.

    Examples
    --------
    >>> from fractions import Fraction
    >>> signed(0.071), signed(None), signed(Fraction(-1)), signed(-0.001), signed(0)
    ('+0.07', '-', '-1.00', '-0.001', '0.00')
    """
    if value is None:
        return "-"
    number = float(value)
    if abs(number) < 1e-9:
        return "0.00"
    return f"{number:+.2f}" if abs(number) >= 0.005 else f"{number:+.3f}"
