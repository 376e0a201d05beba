"""What decoding returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from algeval.algebra.decoding.trio import Moments
from algeval.data import Evaluation
from algeval.data.shown import DASH, is_share, items_behind, shown_share
from algeval.errors import DataError
from algeval.result import Result, format_exact
from algeval.result.tables import Table, scalars

if TYPE_CHECKING:
    from algeval.algebra.eliminating.ladder_steps import Ladder

__all__ = ["Decoding", "evaluation_of", "shown_exactly"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decoding(Result):
    """The evaluations of three judges that independent errors allow, with the self-alarm.

    Attributes
    ----------
    status : Status
        `ok`: whole numbers of items reproduce every count; a candidate, since counts alone never
        prove independence. `irrational`, `not_integral`, `out_of_range`, `complex`,
        `inconsistent`: the errors are not exactly independent on this test, `evaluations` still
        holds the estimates where there are any. `undetermined`: independent errors could produce
        the counts in infinitely many ways; this is no alarm.
    engine : str
        "closed", "groebner" or "pencil".
    reason : str
        Why the status is what it is, in half a sentence.
    n_items, n_used, n_left_out : int
        Items in the data, items all three judges answered, and the rest.
    evaluations : tuple of Evaluation
        Two labels: both solutions, greatest total accuracy first. More labels: the label orders of
        greatest total accuracy (`orders()` has all). Exact unless the status is irrational and
        there are more than two labels.
    tie : bool
        Whether several label orders share the greatest total accuracy.
    moments : Moments or None
        X, Y, Z, D and the discriminant a of a binary trio, exact.
    in_range : bool or None
        Whether every number of the solution lies in [0, 1].
    integral : bool or None
        Whether every count by true label is a whole number of items.
    dimension : int or None
        Dimension of the set of solutions over the complex numbers: 0 is finitely many.
    uninformative : tuple of str
        Judges the counts prove to answer every label alike.
    ranks : tuple of int
        Where the status is undetermined: how many labels the counts show that each judge tells apart,
        the rank of its answers against those of the other two. Otherwise empty.
    """

    schema: ClassVar[str] = "algeval.decoding/1"
    frame_table: ClassVar[int] = -1

    engine: str
    reason: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    sketch_digest: str
    n_items: int
    n_used: int
    n_left_out: int
    evaluations: tuple[Evaluation, ...]
    tie: bool
    moments: Moments | None
    in_range: bool | None
    integral: bool | None
    dimension: int | None
    uninformative: tuple[str, ...]
    ranks: tuple[int, ...] = ()

    @property
    def best(self) -> Evaluation | None:
        """The evaluation of greatest total accuracy (Algebraic Evaluation, eq. 4); None if none, or a tie."""
        return self.evaluations[0] if self.evaluations and not self.tie else None

    def orders(self) -> Iterator[Evaluation]:
        """Yield the evaluation under every assignment of names to the labels found, R! in all."""
        if not self.evaluations:
            return
        base = self.evaluations[0]
        for order in permutations(range(len(base.labels))):
            places = np.array(order)
            yield Evaluation(*base.axes, base.prevalence[places], base.confusion[:, places, :])

    def ladder(self) -> Ladder:
        """Return every step from the counts to both solutions, by computer algebra (two labels only)."""
        # the symbolic part rests on this one: looked up at the call
        climb = import_module("algeval.algebra.eliminating.ladder").ladder
        found: Ladder = climb(self)
        return found

    def as_tables(self) -> tuple[Table, ...]:
        """Return the verdict, the accuracies of each solution, and every number of each.

        `to_frame` returns the last: solution, judge, label, answer, value.
        """
        numbered = list(enumerate(self.evaluations, start=1))
        rows = [
            (k, *row)
            for k, evaluation in numbered
            for row in zip(*evaluation.as_tables()[2].columns.values(), strict=True)
        ]
        names = ("solution", "judge", "label", "answer", "value")
        shown = [
            replace(t, title=f"{t.title} ({k})") for k, e in numbered for t in e.as_tables()[:2]
        ]
        return scalars(self), *shown, Table.of_rows("Confusion tables", names, rows)

    def summary(self) -> str:
        """Return the verdict, and the numbers of the evaluations it rests on."""
        lines = [self.message]
        shown = self.evaluations if self.tie else self.evaluations[:1]
        for number, evaluation in enumerate(shown, 1):
            if self.tie:
                lines.append(f"Solution {number} of {len(shown)} with the same total accuracy:")
            lines += _evaluation_lines(evaluation, self.n_used)
        if self.moments is not None:
            x, y, z = self.moments.pairs
            lines.append(
                f"  for the algebra: moments X = {x}, Y = {y}, Z = {z}, D = {self.moments.trio}"
            )
            lines.append(f"  and discriminant a = {self.moments.discriminant}")
        return "\n".join(lines)


def evaluation_of(given: Evaluation | Decoding) -> Evaluation:
    """Return an evaluation, or the best one of a decoding, or say why there is none."""
    if isinstance(given, Decoding) and given.best is None:
        raise DataError(
            f"the decoding must have a best evaluation; got status {given.status.value!r}"
            f"{' with a tie' if given.tie else ''}; pass one of .evaluations"
        )
    chosen = given.best if isinstance(given, Decoding) else given
    if not isinstance(chosen, Evaluation):
        raise DataError(
            f"evaluation must be an Evaluation or a Decoding; got {type(chosen).__name__}; "
            "decode three judges and pass that"
        )
    return chosen


def _evaluation_lines(evaluation: Evaluation, n_items: int) -> list[str]:
    lines = []
    for t, label in enumerate(evaluation.labels):
        share = evaluation.prevalence[t]
        lines.append(f"  {label}: {shown_exactly(share)} of the items")
        for i, judge in enumerate(evaluation.judges):
            if items_behind(evaluation, i, t, n_items) < 1:
                why = "rests on less than one item" if is_share(share) else "is one on no share"
                lines.append(f"    {judge}: {DASH} (its accuracy {why})")
                continue
            value = evaluation.confusion[i, t, t]
            lines.append(f"    {judge} is right on {shown_exactly(value)} of them")
    return lines


def shown_exactly(value: Any) -> str:
    """Return a share exactly and as a percentage; a dash and the number where it is no share."""
    if value is None or value != value:
        return f"{DASH} (unknown)"
    if not is_share(value):
        return f"{DASH} ({float(value):.4g} leaves [0, 1])"
    if isinstance(value, float):
        return shown_share(value)
    text = format_exact(value)
    return text if len(text) <= 40 else shown_share(value, 4)
