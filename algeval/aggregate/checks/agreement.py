"""How far judges agree beyond chance: percent agreement, Cohen, Fleiss and Krippendorff, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.votes import one_hot
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import Codes, Counts, expect_schema, positions, read_only
from algeval.data.settings import check_choice
from algeval.errors import TooLargeError
from algeval.io.sources import Source
from algeval.result import Result, Status, format_exact
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Agreement", "agreement", "fleiss_kappa", "krippendorff_alpha", "pair_tables"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement(Result):
    """Agreement between judges, in fractions.

    Attributes
    ----------
    judges, answers : tuples of str
        The categories compared; see `agreement`.
    pairs : (N, N, A, A) int array
        Items that judge i gave answer a and judge j answer b.
    fleiss : Fraction or None
        None where items differ in their number of answers, or there is no chance left to beat.
    alpha : Fraction or None
        Krippendorff's alpha for names; None where no item has two answers, or all are the same.
    counted : str
        "answers" or "labels".
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.agreement/1"

    judges: tuple[str, ...]
    answers: tuple[str, ...]
    pairs: Counts
    fleiss: Fraction | None
    alpha: Fraction | None
    counted: str
    warnings: tuple[str, ...] = ()

    def percent(self, judge: object, other: object) -> Fraction | None:
        """Return the share of their common items on which two judges agree; None without any."""
        return _percent(self._table(judge, other))

    def cohen(self, judge: object, other: object) -> Fraction | None:
        """Return Cohen's kappa of two judges on their common items.

        None where they have no item in common or both always give one and the same answer.
        """
        return _cohen(self._table(judge, other))

    def cohens(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Return (N, N) Cohen kappas as fractions; None on the diagonal and where undefined."""
        n = len(self.judges)
        result = np.full((n, n), None, dtype=object)
        for i in range(n):
            for j in range(i):
                result[i, j] = result[j, i] = _cohen(self.pairs[i, j])
        return result

    def shared(self) -> Counts:
        """Return (N, N): how many items both judges answered."""
        result: Counts = self.pairs.sum((2, 3))
        return result

    def _table(self, judge: object, other: object) -> Counts:
        i, j = (positions("judge", [name], self.judges)[0] for name in (judge, other))
        table: Counts = self.pairs[i, j]
        return table

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per pair of judges: items both answered, share that agrees, Cohen's kappa."""
        shared, kappas = self.shared(), self.cohens()
        rows = [
            (
                *(self.judges[k] for k in (i, j)),
                shared[i, j],
                _percent(self.pairs[i, j]),
                kappas[i, j],
            )
            for i, j in combinations(range(len(self.judges)), 2)
        ]
        names = ("judge", "other", "n_shared", "agreement", "kappa")
        return Table.of_rows("Pairs of judges", names, rows), scalars(self)

    def summary(self) -> str:
        """Return the coefficients, one a line."""
        lines = [self.message]
        for name, value in (("Fleiss' kappa", self.fleiss), ("Krippendorff's alpha", self.alpha)):
            if value is not None:
                lines.append(f"{name}: {format_exact(value)}")
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        fleiss, alpha = document["fleiss"], document["alpha"]
        return cls(
            status=Status(document["status"]),
            message=document["message"],
            judges=tuple(document["judges"]),
            answers=tuple(document["answers"]),
            pairs=np.array(document["pairs"], np.int64),
            fleiss=None if fleiss is None else Fraction(fleiss),
            alpha=None if alpha is None else Fraction(alpha),
            counted=document["counted"],
            warnings=tuple(document["warnings"]),
        )


def agreement(data: Source, *, counted: str = "answers") -> Agreement:
    """Measure how far the judges agree with one another, beyond chance.

    Use it to see who goes with whom. Agreement is not accuracy: judges that err together agree.
    Chance means, for Cohen, each judge's own habits; for Fleiss and Krippendorff, everybody's.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    counted : "answers" or "labels"
        Whether an answer that is no label ("refused") is one more category, or a missing vote.

    Returns
    -------
    Agreement
        Status ok; undetermined where no item has two answers.

    Raises
    ------
    DataError
        If `counted` is neither of its choices.
    TooLargeError
        If the table of all pairs would not fit.

    Notes
    -----
    Cohen (1960), Fleiss (1971), Krippendorff (2004, nominal data).

    Examples
    --------
    >>> s = Sketch.from_counts({"aa": 20, "ab": 5, "ba": 10, "bb": 15}, judges=["i", "j"])
    >>> agreement(s).cohen("i", "j")
    Fraction(2, 5)
    """
    check_choice("counted", counted, ("answers", "labels"))
    sketch = read_patterns(data).sketch
    n_kept = sketch.n_answers if counted == "answers" else sketch.n_labels
    codes = np.where(sketch.codes < n_kept, sketch.codes, NOT_ANSWERED).astype(np.int16)
    given = np.stack([(codes == a).sum(1) for a in range(n_kept)], axis=1)
    alpha = krippendorff_alpha(given, sketch.counts)
    enough = bool((given.sum(1) > 1).any())
    rated = f"{how_many(sketch.n_judges, 'judge')} on {how_many(sketch.n_items, 'item')}"
    return Agreement(
        status=Status.OK if enough else Status.UNDETERMINED,
        message=f"Agreement of {rated}." if enough else f"No two of {rated} answered the same one.",
        judges=sketch.judges,
        answers=sketch.answers[:n_kept],
        pairs=read_only(pair_tables(codes, sketch.counts, n_kept)),
        fleiss=fleiss_kappa(given, sketch.counts),
        alpha=alpha,
        counted=counted,
        warnings=_warnings(sketch, codes, given),
    )


def pair_tables(codes: Codes, counts: Counts, n_answers: int) -> Counts:
    """Return (N, N, A, A): items on which judge i gave answer a and judge j answer b.

    Raises
    ------
    TooLargeError
        If the table has more than 2^26 cells.
    """
    n = codes.shape[1]
    width = n * n_answers
    if width**2 > policy.MOST_PAIR_CELLS:
        raise TooLargeError(
            f"the table of all pairs must have at most {policy.MOST_PAIR_CELLS} cells; {n} judges and "
            f"{n_answers} answers need {width**2}; choose judges with select(judges=...)"
        )
    # sums of whole numbers below 2^53 are exact in floats, and far faster
    kind: Any = float if int(counts.sum()) < 1 << 53 else object
    total = np.zeros((width, width), kind)
    for start in range(0, len(codes), policy.PAIR_ROWS):
        hot = (
            one_hot(codes[start : start + policy.PAIR_ROWS], n_answers)
            .astype(np.int64)
            .astype(kind)
        )
        total += hot.T @ (hot * counts[start : start + policy.PAIR_ROWS, None].astype(kind))
    shaped: Counts = total.astype(np.int64).reshape(n, n_answers, n, n_answers)
    return shaped.transpose(0, 2, 1, 3)


def fleiss_kappa(given: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Fraction | None:
    """Return Fleiss' kappa of rows with given[row, answer] answers each, counted `counts` times.

    None where rows differ in their number of answers, have fewer than two, or one answer is the
    only one ever given.

    Examples
    --------
    >>> fleiss_kappa(np.array([[2, 0], [0, 2], [1, 1]]), np.array([1, 1, 2]))
    Fraction(0, 1)
    """
    sizes = set(given.sum(1).tolist())
    if len(sizes) != 1:
        return None
    (m,) = sizes
    if m < 2:
        return None
    rows, weights = given.astype(object), counts.astype(object)
    n_items = sum(weights)
    squares = ((rows**2).sum(1) * weights).sum()
    observed = Fraction(squares - m * n_items, m * (m - 1) * n_items)
    shares = [Fraction(v, m * n_items) for v in (rows * weights[:, None]).sum(0)]
    expected = sum((share**2 for share in shares), Fraction(0))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(
    given: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]
) -> Fraction | None:
    """Return Krippendorff's alpha for names, of rows with given[row, answer] answers each.

    Rows with fewer than two answers do not count. None where no row is left, or one answer is the
    only one ever given.

    Examples
    --------
    >>> krippendorff_alpha(np.array([[2, 0], [0, 2], [1, 1]]), np.array([1, 1, 2]))
    Fraction(1, 8)
    """
    sizes = given.sum(1)
    pairable = sizes > 1
    if not pairable.any():
        return None
    rows, weights = given[pairable].astype(object), counts[pairable].astype(object)
    totals = (rows * weights[:, None]).sum(0)
    n = sum(totals)
    disagreeing = (sizes[pairable].astype(object) ** 2 - (rows**2).sum(1)) * weights
    by_size = {int(m): disagreeing[sizes[pairable] == m].sum() for m in np.unique(sizes[pairable])}
    observed = sum((Fraction(v, m - 1) for m, v in by_size.items()), Fraction(0))
    expected = n**2 - sum(v**2 for v in totals)
    return None if expected == 0 else 1 - (n - 1) * observed / expected


def _percent(table: Counts) -> Fraction | None:
    shared = int(table.sum())
    return Fraction(int(np.trace(table)), shared) if shared else None


def _cohen(table: Counts) -> Fraction | None:
    observed = _percent(table)
    if observed is None:
        return None
    shared = int(table.sum())
    rows, columns = table.sum(1).tolist(), table.sum(0).tolist()
    expected = Fraction(sum(a * b for a, b in zip(rows, columns, strict=True)), shared**2)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _warnings(sketch: Sketch, codes: Codes, given: np.ndarray[Any, Any]) -> tuple[str, ...]:
    notes = []
    missing = int(((codes == NOT_ANSWERED).sum(1) * sketch.counts).sum())
    if missing:
        notes.append(
            f"{how_many(missing, 'vote is', 'votes are')} missing or not counted; pairs compare "
            "common items only."
        )
    if len(set(given.sum(1).tolist())) > 1:
        notes.append("Items differ in their number of answers, so Fleiss' kappa is not defined.")
    alone = int(sketch.counts[given.sum(1) < 2].sum())
    if alone:
        lone = how_many(alone, "item has", "items have")
        notes.append(f"{lone} fewer than two answers: nothing on agreement.")
    return tuple(notes)
