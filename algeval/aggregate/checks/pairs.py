"""Judges two at a time: agreement, relatedness, errors that two share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import ceil, log, log1p, sqrt
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, ndtr

from algeval.aggregate import policy
from algeval.aggregate.em import choose_engine, triples_of
from algeval.aggregate.results import Floats, read_patterns
from algeval.data import NOT_ANSWERED, Sketch, Summary
from algeval.data.names import (
    Codes,
    Counts,
    check_choice,
    check_number,
    check_whole,
    expect_schema,
    positions,
    read_only,
)
from algeval.data.reading import Data, Joint, Source, as_sketch
from algeval.data.sketch import pairs_of_answers
from algeval.door import reads
from algeval.errors import NotIdentifiableError, TooLargeError
from algeval.models.independent_fit import Floats as Single
from algeval.models.independent_fit import (
    Laws,
    draw,
    fit,
    generator,
    marked,
    posterior,
    vote_share_start,
)
from algeval.progress import check_time, steps
from algeval.result import Exact, Result, Status, exact, format_exact
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- How far judges agree beyond chance: percent agreement, Cohen, Fleiss and Krippendorff,
# exactly.


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
        """Share of their common items on which two judges agree; None without any."""
        return _percent(self._table(judge, other))

    def cohen(self, judge: object, other: object) -> Fraction | None:
        """Cohen's kappa of two judges on their common items.

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
        """Row per pair of judges: items both answered, share that agrees, Cohen's kappa."""
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
        """Coefficients, one a line."""
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
    """Agreement of the judges with one another, beyond chance.

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
    counts_ = np.stack([(codes == a).sum(1) for a in range(n_kept)], axis=1)
    alpha = krippendorff_alpha(counts_, sketch.counts)
    enough = bool((counts_.sum(1) > 1).any())
    rated = f"{how_many(sketch.n_judges, 'judge')} on {how_many(sketch.n_items, 'item')}"
    return Agreement(
        status=Status.OK if enough else Status.UNDETERMINED,
        message=f"Agreement of {rated}." if enough else f"No two of {rated} answered the same one.",
        judges=sketch.judges,
        answers=sketch.answers[:n_kept],
        pairs=read_only(pair_tables(codes, sketch.counts, n_kept)),
        fleiss=fleiss_kappa(counts_, sketch.counts),
        alpha=alpha,
        counted=counted,
        warnings=_warnings(sketch, codes, counts_),
    )


def pair_tables(codes: Codes, counts: Counts, n_answers: int) -> Counts:
    """Return (N, N, A, A): items on which judge i gave answer a and judge j answer b."""
    n = codes.shape[1]
    width = n * n_answers
    if width**2 > policy.MOST_PAIR_CELLS:
        raise TooLargeError(
            f"the table of all pairs must have at most {policy.MOST_PAIR_CELLS} cells; {n} judges and "
            f"{n_answers} answers need {width**2}; choose judges with select(judges=...)"
        )
    shaped = pairs_of_answers(codes, counts, n_answers)[:, 1:, :, 1:]
    return shaped.transpose(0, 2, 1, 3)


def fleiss_kappa(table: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Fraction | None:
    """Fleiss' kappa of rows with given[row, answer] answers each, counted `counts` times.

    None where rows differ in their number of answers, have fewer than two, or one answer is the
    only one ever given.

    Examples
    --------
    >>> fleiss_kappa(np.array([[2, 0], [0, 2], [1, 1]]), np.array([1, 1, 2]))
    Fraction(0, 1)
    """
    sizes = set(table.sum(1).tolist())
    if len(sizes) != 1:
        return None
    (m,) = sizes
    if m < 2:
        return None
    rows, weights = table.astype(object), counts.astype(object)
    n_items = sum(weights)
    squares = ((rows**2).sum(1) * weights).sum()
    observed = Fraction(squares - m * n_items, m * (m - 1) * n_items)
    shares = [Fraction(v, m * n_items) for v in (rows * weights[:, None]).sum(0)]
    expected = sum((share**2 for share in shares), Fraction(0))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(
    table: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]
) -> Fraction | None:
    """Krippendorff's alpha for names, of rows with given[row, answer] answers each.

    Rows with fewer than two answers do not count. None where no row is left, or one answer is the
    only one ever given.

    Examples
    --------
    >>> krippendorff_alpha(np.array([[2, 0], [0, 2], [1, 1]]), np.array([1, 1, 2]))
    Fraction(1, 8)
    """
    sizes = table.sum(1)
    pairable = sizes > 1
    if not pairable.any():
        return None
    rows, weights = table[pairable].astype(object), counts[pairable].astype(object)
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


def _warnings(sketch: Sketch, codes: Codes, counts: np.ndarray[Any, Any]) -> tuple[str, ...]:
    notes = []
    missing = int(((codes == NOT_ANSWERED).sum(1) * sketch.counts).sum())
    if missing:
        notes.append(
            f"{how_many(missing, 'vote is', 'votes are')} missing or not counted; pairs compare "
            "common items only."
        )
    if len(set(counts.sum(1).tolist())) > 1:
        notes.append("Items differ in their number of answers, so Fleiss' kappa is not defined.")
    alone = int(sketch.counts[counts.sum(1) < 2].sum())
    if alone:
        lone = how_many(alone, "item has", "items have")
        notes.append(f"{lone} fewer than two answers: nothing on agreement.")
    return tuple(notes)


# --- Are the judges' answers related at all? Where they are not, no method can tell labels from
# them.


class Related(NamedTuple):
    """P-values of judges whose answers have nothing to do with each other.

    `agreement`: of agreeing so often, summed over pairs of judges.
    `tables`: of tables of pairs so far from independence (Pearson's sums), in whichever direction.
    """

    agreement: float
    tables: float

    @property
    def p_value(self) -> float:
        """The smaller of the two, doubled for there are two."""
        return min(1.0, 2 * min(self))

    @property
    def shown(self) -> bool:
        """Whether coins are excluded."""
        return self.p_value <= policy.RELATED_LEVEL


def relatedness(codes: Codes, counts: Counts, n_answers: int) -> Related | None:
    """Test whether the answers of different judges are independent of each other, label or no label.

    It needs no model and tells nothing of who is right: copies and good judges are both related.

    Parameters
    ----------
    codes : (U, N) int array
        Decision tuples, -1 where a judge did not answer.
    counts : (U,) int array
        Items with each.
    n_answers : int

    Returns
    -------
    Related or None
        Of p-value 1 where no pair of judges has two items in common and both vary on them; None of a
        single judge, and where the table of pairs would have more than 2^22 cells.

    Notes
    -----
    Given how often each of two judges gave each answer on their common items, independence makes
    every matching of their answers equally likely. The mean and variance of agreements and of
    Pearson's sum under these permutations are known exactly (Mantel 1967; Haldane 1940, Dawson
    1954); pairs of independent judges are uncorrelated, so both add up over pairs. The first sum is taken
    for normal, the second for a gamma variable.

    Coins were called related in 4% to 7% of 300 to 1,000 simulated exams each (3 to 60 judges, 10 to 300
    items, 2 to 12 answers, votes missing or rare). Three judges of accuracy .9, .8, .7 on 60 items of
    two labels were called related in 99%, of .8, .7, .6 in 51%; .8, .7, .7 on 25 items of three labels
    in 97%; .8, .8 and a flipped .2 on 100 items always.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1]], np.int16)
    >>> relatedness(codes, np.array([9, 2, 9]), 2).p_value < 0.001
    True
    """
    n_judges = codes.shape[1]
    if n_judges < 2 or (n_judges * n_answers) ** 2 > policy.MOST_RELATED_CELLS:
        return None
    first, second = np.triu_indices(n_judges, 1)
    tables = _pairs(codes, counts, n_answers)[first, second].astype(float)
    n = tables.sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    varied = (n > 1) & (rows.max(axis=1) < n) & (columns.max(axis=1) < n)
    if not varied.any():
        return Related(1.0, 1.0)
    tables, n, rows, columns = (part[varied] for part in (tables, n, rows, columns))
    return Related(_agreement(tables, n, rows, columns), _pearson(tables, n, rows, columns))


def unrelated_note(codes: Codes, counts: Counts, n_answers: int) -> list[str]:
    """Sentence on judges that could be coins, if these could."""
    test = relatedness(codes, counts, n_answers)
    if test is None or test.shown:
        return []
    return [
        f"The judges' answers are no more related to each other than those of coins might be "
        f"(p = {test.p_value:.2f}): nothing found from them alone says what the labels are or who "
        "is good."
    ]


def _pairs(codes: Codes, counts: Counts, a: int) -> Counts:
    """Return (N, N, A, A): items on which judge i gave answer a and judge j answer b."""
    n = codes.shape[1]
    if choose_engine(codes, a) == "patterns":
        return pair_tables(codes, counts, a)
    from scipy.sparse import csr_array

    row, judge, answer = triples_of(codes)
    shape = (len(codes), n * a)
    answered = csr_array((np.ones(len(row), np.int64), (row, judge * a + answer)), shape=shape)
    counted = csr_array((counts[row], (row, judge * a + answer)), shape=shape)
    table: Counts = (answered.T @ counted).toarray().reshape(n, a, n, a).transpose(0, 2, 1, 3)
    return table


def _agreement(tables: Floats, n: Floats, rows: Floats, columns: Floats) -> float:
    """P-value of as many agreements, from (P, A, A) tables and their margins."""
    same = np.eye(tables.shape[1])
    expected = (rows * columns).sum(axis=1) / n
    off = (
        same - (columns[:, :, None] + rows[:, None, :] - expected[:, None, None]) / n[:, None, None]
    )
    squares = (rows[:, :, None] * columns[:, None, :] * off**2).sum(axis=(1, 2))
    variance = float((squares / (n - 1)).sum())
    beyond = float((np.trace(tables, axis1=1, axis2=2) - expected).sum())
    if variance <= policy.ROUNDING:
        return 1.0
    return float(ndtr(-beyond / np.sqrt(variance)))


def _pearson(tables: Floats, n: Floats, rows: Floats, columns: Floats) -> float:
    """P-value of Pearson's sums so large; pairs of fewer than 4 items are left out."""
    enough = n > 3  # its variance is not known below
    if not enough.any():
        return 1.0
    tables, n, rows, columns = (part[enough] for part in (tables, n, rows, columns))
    product = rows[:, :, None] * columns[:, None, :]
    shares = np.divide(tables**2, product, where=product > 0, out=np.zeros_like(tables))
    statistic = float((n * (shares.sum(axis=(1, 2)) - 1)).sum())
    (v_row, w_row), (v_column, w_column) = _margin(rows, n), _margin(columns, n)
    mean = float((n * (_used(rows) - 1) * (_used(columns) - 1) / (n - 1)).sum())
    spread = 2 * n / (n - 3) * (v_row - w_row) * (v_column - w_column)
    variance = float((spread + n**2 / (n - 1) * w_row * w_column).sum())
    if variance <= policy.ROUNDING:
        return 1.0
    return float(gammaincc(mean**2 / variance, max(statistic, 0.0) * mean / variance))


def _used(margin: Floats) -> Floats:
    result: Floats = (margin > 0).sum(axis=1).astype(float)
    return result


def _margin(margin: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return what Dawson's variance needs of one margin (P, A)."""
    used = _used(margin)
    inverse = np.divide(1.0, margin, where=margin > 0, out=np.zeros_like(margin)).sum(axis=1)
    return (n - used) * (used - 1) / (n - 1), (n * inverse - used**2) / (n - 2)


# --- Judges that go with nobody: often a fault in the file, not in the judge.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suspect(Result):
    """A judge that agrees with no other judge beyond chance.

    Attributes
    ----------
    judge : str
    pooled_kappa : Fraction
        Agreement beyond chance with all the others together: the sum over them of
        n (observed - chance), over the sum of n (1 - chance).
    best_kappa, worst_kappa : Fraction
        The largest and smallest of its Cohen kappas.
    n_compared : int
        How many judges it could be compared with.
    cause : "constant", "flipped" or "unrelated"
        What its answers look like: always the same one, mostly the opposite, or neither.
    at_most : Fraction
    min_shared : int
        The settings.
    """

    schema: ClassVar[str] = "algeval.suspect/1"

    judge: str
    pooled_kappa: Fraction
    best_kappa: Fraction
    worst_kappa: Fraction
    n_compared: int
    cause: str
    at_most: Exact
    min_shared: int


@reads
def suspects(data: Data, *, at_most: object = "0.05", min_shared: int = 20) -> tuple[Suspect, ...]:
    """Judges that agree with no other judge beyond chance.

    Use it before believing any aggregate: a judge whose rows are out of step, or whose labels are
    swapped, looks adversarial without being so. A judge is named if its pooled kappa is at most
    `at_most` and none of its kappas is above zero beyond luck (one-sided tests, 5% shared among
    the pairs, so that one lucky pair of many does not hide it). Where several judges agree with
    nobody each of them is named, and so is a lone good judge among judges that only guess.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    at_most : number
        Largest pooled kappa of a suspect; above zero because chance scatters.
    min_shared : int
        Only pairs with at least this many common items are compared.

    Returns
    -------
    tuple of Suspect
        In the order of the judges; empty when there is nobody to name.

    Raises
    ------
    DataError
        If `min_shared` is not a whole number >= 1, or `at_most` no number.

    Notes
    -----
    The standard error of kappa at zero is that of Fleiss, Cohen and Everitt (1969).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aab": 40, "bba": 40, "abb": 5}, judges=["i", "j", "k"])
    >>> [found.judge for found in suspects(s)]
    ['k']
    """
    min_shared = check_whole("min_shared", min_shared)
    limit = exact(at_most, "at_most")
    measured = agreement(data)
    shared, kappas = measured.shared(), measured.cohens()
    rows = []
    for i, judge in enumerate(measured.judges):
        others = [
            j
            for j in range(len(measured.judges))
            if kappas[i, j] is not None and shared[i, j] >= min_shared
        ]
        tables = [measured.pairs[i, j] for j in others]
        defined = [kappas[i, j] for j in others]
        if defined and _beyond_chance(defined, tables):
            continue
        if defined and _pooled(tables) <= limit:
            rows.append(_describe(judge, defined, _pooled(tables), measured, (limit, min_shared)))
    return tuple(rows)


def _beyond_chance(kappas: list[Fraction], tables: list[Counts]) -> bool:
    luck = NormalDist().inv_cdf(1 - policy.CHANCE_MISSED / len(kappas))
    pairs = zip(kappas, tables, strict=True)
    return any(kappa > 0 and float(kappa) > luck * _error(table) for kappa, table in pairs)


def _error(table: Counts) -> float:
    """Standard error of Cohen's kappa where there is no agreement beyond chance."""
    n = float(table.sum())
    p, q = table.sum(1) / n, table.sum(0) / n
    chance = float(p @ q)
    spread = chance + chance**2 - float((p * q * (p + q)).sum())
    return sqrt(max(spread, 0.0) / n) / (1 - chance)


def _pooled(tables: list[Counts]) -> Fraction:
    gained = possible = Fraction(0)
    for table in tables:
        n = int(table.sum())
        rows, columns = table.sum(1).tolist(), table.sum(0).tolist()
        chance = Fraction(sum(a * b for a, b in zip(rows, columns, strict=True)), n)
        gained += int(np.trace(table)) - chance
        possible += n - chance
    return gained / possible


def _describe(
    judge: str,
    kappas: list[Fraction],
    pooled: Fraction,
    measured: Agreement,
    settings: tuple[Fraction, int],
) -> Suspect:
    index = measured.judges.index(judge)
    answers = np.flatnonzero(np.diag(measured.pairs[index, index]))
    if len(answers) == 1:
        cause, why = "constant", f"it always answers {measured.answers[answers[0]]!r}"
    elif pooled <= policy.OPPOSITE:
        cause, why = "flipped", "its labels may be swapped, or its rows out of step"
    else:
        cause, why = "unrelated", "its rows may be out of step with the item ids, or it guesses"
    others = f"any of {len(kappas)} judges" if len(kappas) > 1 else "the one judge"
    return Suspect(
        status=Status.OK,
        message=(
            f"Judge {judge!r} does not agree with {others} it can be compared with beyond chance "
            f"(pooled kappa {float(pooled):.3f}, best {float(max(kappas)):.3f}): {why}; check its "
            "file before believing that the judge is at fault."
        ),
        judge=judge,
        pooled_kappa=pooled,
        best_kappa=max(kappas),
        worst_kappa=min(kappas),
        n_compared=len(kappas),
        cause=cause,
        at_most=settings[0],
        min_shared=settings[1],
    )


# --- What tests of pairs of judges tell alike: the pairs furthest from independence.


class WorstPairs:
    """The worst pairs of any result that holds z and a leftover correlation per pair of judges."""

    __slots__ = ()

    message: str
    judges: tuple[str, ...]
    pair_z: Floats
    pair_correlation: Floats

    def worst_pairs(self, most: int = 5) -> list[tuple[str, str, float, float]]:
        """Pairs furthest from independence: two judges, z and correlation."""
        left, right = np.triu_indices(len(self.judges), 1)
        z, correlation = self.pair_z[left, right], self.pair_correlation[left, right]
        order = np.argsort(-np.abs(z), kind="stable")[:most]
        return [
            (self.judges[left[p]], self.judges[right[p]], float(z[p]), float(correlation[p]))
            for p in order
        ]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per pair of judges, the furthest from independence first, and the test."""
        pairs = self.worst_pairs(len(self.judges) ** 2)
        names = ("judge", "other", "z", "correlation")
        return Table.of_rows("Pairs of judges", names, pairs), scalars(self)

    def summary(self) -> str:
        """Verdict and the worst pairs."""
        lines = [
            f"  {a} and {b}: z = {z:+.1f}, leftover correlation {r:+.2f}"
            for a, b, z, r in self.worst_pairs()
        ]
        return "\n".join([self.message, *lines])


# --- Are errors independent given the label? Any number of labels, calibrated on drawn exams.
#
# Fit independence, take for every pair of judges what their errors still have in common, and compare
# it with the same sums on exams drawn from the fitted judges and fitted again. No law of large
# numbers is leaned on, so the p-value holds for sparse tables too.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTest(WorstPairs, Result):
    """Whether pairs of judges err together more, or less, than independent judges would.

    Attributes
    ----------
    status : Status
    p_value : float
        Share of exams of independent judges at least as far from independence as this one. It
        cannot fall below 1 / (replicates + 1).
    n_replicates : int
        Exams it was compared with; fewer than asked for where it was clear earlier that nothing
        is rejected.
    n_scaling : int
        Further exams that gave every pair its centre and spread.
    rejected : bool
        Whether `p_value` is at most `level`.
    pair_z : (N, N) array
        What a pair's errors share, in standard deviations of the drawn exams; of the two kinds
        counted (both wrong; the same answer) the one further from 0.
    pair_correlation : (N, N) array
        Correlation of being wrong left over after the label (given the fitted one).
    """

    schema: ClassVar[str] = "algeval.pair_test/1"

    judges: tuple[str, ...]
    n_items: int
    p_value: float
    n_replicates: int
    n_scaling: int
    level: float
    rejected: bool
    pair_z: Floats
    pair_correlation: Floats
    settings: dict[str, Any] = field(default_factory=dict)


@reads
def pair_test(data: Data, *, level: float = 0.05, replicates: int = 199, seed: int = 0) -> PairTest:
    """Test whether judges err independently given the label, on any number of labels.

    Use it before believing any method that assumes independence, above all on few items or many
    labels. Votes left out are allowed and assumed to be left out at random.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is not read. Three judges or more, four where there are two answers.
    level : float
        From which p-value on `rejected` is said.
    replicates : int
        Exams drawn from the fitted independent judges; drawing stops when as many as the level
        allows are as far from independence as this one. A level needs 1 / level of them.
    seed : int

    Returns
    -------
    PairTest

    Raises
    ------
    NotIdentifiableError
        Where so few judges and answers leave nothing to test.
    DataError
        If a setting is out of range.

    Notes
    -----
    For each pair two sums over items are taken, weighed by the posterior of the label: of products
    of "wrong" around its fitted chance, and of products of answers around theirs. They are centred
    and scaled by 100 drawn exams; the statistic is the largest of them, or the sum of their squares,
    whichever stands out more among these. On more than 2,000 items the drawn exams have 2,000 and
    their spread is scaled up. What is drawn depends on the seed and on the votes.

    Independent judges were called dependent at 5% in at most 5.5% of 200 exams each of 300 items
    (2 and 3 labels, 5 judges; 2 labels, 12 judges), 1,000 and 3,000 items (3 labels), and in 1% with
    3 judges of 3 labels. Errors of two judges that correlate by .3, on 300 items with 5 judges of
    accuracy .9, .8, .7, .9, .8, were found in 10%, 57%, 90% and 92% of 40 exams of 2 labels (pairs .9-.9,
    .9-.8, .8-.7, .8-.8) and in 50%, 82%, 98% and 98% of 3 labels. Little more can be had: a likelihood
    ratio that knows the pair, at a tenth of the level for the ten there are, finds 13%, 63%, 97% and
    94%, and 55%, 86%, 97% and 95%. A correlation of .3 among all judges was found on 300 items in 98%
    (3 labels) and 84% (2 labels). In the other direction: one judge who copies another can pass for
    a panel of two good ones.
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    settings = {
        "replicates": check_whole("replicates", replicates),
        "seed": check_whole("seed", seed, 0),
    }
    sketch = as_sketch(data)
    _check_surplus(sketch)
    rng = generator(settings["seed"], sketch.codes, sketch.counts)
    exam = FittedExam.of(sketch)
    measured = exam.measured()
    scale = _Scale.of(exam.repeated(policy.SCALING_EXAMS, rng), exam)
    size = scale.size(measured, exam.stretch)
    p_value, n_drawn = _sequential(exam, scale, float(size), level, settings["replicates"], rng)
    rejected = p_value <= level
    z = _furthest(scale.z(measured, exam.stretch), sketch.n_judges)
    return PairTest(
        status=Status.OK,
        message=_message(p_value, n_drawn, rejected=rejected),
        judges=sketch.judges,
        n_items=sketch.n_items,
        p_value=p_value,
        n_replicates=n_drawn,
        n_scaling=policy.SCALING_EXAMS,
        level=level,
        rejected=rejected,
        pair_z=z,
        pair_correlation=exam.correlation(measured),
        settings=settings,
    )


def drawn_exams(data: Joint, n_exams: int, seed: int = 0) -> Codes:
    """Return (n_exams, Q, N) codes drawn from the independent judges fitted to votes.

    Q is the number of items, at most 2,000; a vote is missing as often, and with the same others.
    """
    sketch = as_sketch(data)
    return FittedExam.of(sketch).drawn(n_exams, generator(seed, sketch.codes, sketch.counts))


def leaves_nothing_to_test(counts: Sketch | Summary) -> bool:
    """Whether independent judges have as many rates as there are decision tuples, so fit anything."""
    n, r, a = counts.n_judges, counts.n_labels, counts.n_answers
    parameters = (r - 1) + n * r * (a - 1)
    return r < 2 or n * log(a) <= log1p(parameters) + 1e-12


def _check_surplus(sketch: Sketch) -> None:
    n, r, a = sketch.n_judges, sketch.n_labels, sketch.n_answers
    if leaves_nothing_to_test(sketch):
        raise NotIdentifiableError(
            f"the test of pairs must have more decision tuples than independent judges have rates; "
            f"got {how_many(n, 'judge')}, {how_many(r, 'label')} and {how_many(a, 'answer')}, which "
            "leave nothing to test; add judges"
        )


class FittedExam(NamedTuple):
    """The votes as rows (1, U, N, A) with their counts (1, U), and the fitted law.

    Exams drawn from it have `most_drawn` items at most.
    """

    votes: Single
    counts: Floats
    answered: NDArray[np.bool_]
    laws: Laws
    most_drawn: int = policy.DRAWN_ITEMS

    @classmethod
    def of(cls, sketch: Sketch) -> FittedExam:
        votes = marked(sketch.codes[None], sketch.n_answers)
        counts = sketch.counts[None].astype(float)
        laws = _fitted(votes, counts, sketch.n_labels, policy.PAIR_FIT)
        return cls(votes, counts, sketch.codes != NOT_ANSWERED, laws)

    @property
    def n_drawn(self) -> int:
        return int(min(self.counts.sum(), self.most_drawn))

    @property
    def stretch(self) -> float:
        """How many times larger the exam is than those drawn."""
        return float(self.counts.sum()) / self.n_drawn

    def measured(self) -> Floats:
        shared: Floats = _shared(self.votes, self.counts, self.laws)[0]
        return shared

    def repeated(self, n_exams: int, rng: np.random.Generator) -> Floats:
        """Draw so many exams, fit each again, and return (n_exams, 2P) sums."""
        _, _, n, a = self.votes.shape
        n_labels, q = self.laws.prevalence.shape[1], self.n_drawn
        most = max(1, policy.DRAWN_CELLS // (q * n * a))
        repeats = []
        for first in range(0, n_exams, most):
            check_time()
            size = min(most, n_exams - first)
            votes, counts = _counted(self.drawn(size, rng), a)
            repeats.append(
                _shared(votes, counts, _fitted(votes, counts, n_labels, policy.DRAWN_FIT))
            )
        return np.concatenate(repeats)

    def drawn(self, n_exams: int, rng: np.random.Generator) -> Codes:
        law = (self.laws.prevalence[0], self.laws.tables[0])
        return draw(*law, self._who_answered(n_exams, rng), n_exams, rng)

    def _who_answered(self, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        if self.answered.all():
            return np.ones((1, self.n_drawn, self.answered.shape[1]), bool)
        rows = np.repeat(np.arange(self.counts.size), self.counts[0].astype(int))
        if len(rows) == self.n_drawn:
            return self.answered[rows][None]
        drawn: NDArray[np.bool_] = self.answered[rng.choice(rows, size=(size, self.n_drawn))]
        return drawn

    def correlation(self, measured: Floats) -> Floats:
        """Return (N, N): the sums of "both wrong" as correlations."""
        share = posterior(self.votes, self.laws)[0] * self.counts[0, :, None]
        n, labels = self.answered.shape[1], range(share.shape[1])
        spread = np.zeros((n, n))
        for t in labels:
            right = self.laws.tables[0, t, :, t]
            deviation = np.sqrt(right * (1 - right))
            both = np.zeros((n, n))
            for rows in _blocks(len(share)):
                answered = self.answered[rows].astype(float)
                both += (answered * share[rows, t, None]).T @ answered
            spread += both * np.outer(deviation, deviation)
        products = _square(measured[: len(measured) // 2], n)
        result: Floats = np.divide(products, spread, where=spread > 0, out=np.zeros((n, n)))
        np.fill_diagonal(result, 1.0)
        return result


def _counted(codes: Codes, n_answers: int) -> tuple[Single, Floats]:
    """Votes and counts of exams (B, Q, N): by distinct tuple where that is shorter."""
    b, q, n = codes.shape
    base = n_answers + 1
    plain = np.ones((1, q))
    if n * np.log2(base) >= policy.PACKED_BITS:
        return marked(codes, n_answers), plain
    packed = (codes + 1).astype(np.int64) @ base ** np.arange(n, dtype=np.int64)
    tuples, numbers = np.unique(packed, return_inverse=True)
    if len(tuples) >= q:
        return marked(codes, n_answers), plain
    cells = numbers.reshape(b, q) + len(tuples) * np.arange(b)[:, None]
    counts = np.bincount(cells.ravel(), minlength=b * len(tuples)).reshape(b, -1)
    rows = tuples[:, None] // base ** np.arange(n, dtype=np.int64) % base - 1
    return marked(rows[None], n_answers), counts.astype(float)


def _fitted(votes: Single, counts: Floats, n_labels: int, until: tuple[float, int]) -> Laws:
    return fit(
        votes,
        vote_share_start(votes, n_labels),
        counts,
        pseudo=policy.PAIR_PSEUDO_VOTES,
        tol=until[0],
        max_iter=until[1],
    )


def _blocks(n_rows: int) -> Iterator[slice]:
    for start in range(0, n_rows, policy.ROWS_AT_ONCE):
        yield slice(start, start + policy.ROWS_AT_ONCE)


def _shared(votes: Single, counts: Floats, laws: Laws) -> Floats:
    """Return (B, 2P): per pair, sums of products of "right" and of answers, around their chances."""
    blocks = _blocks(votes.shape[1])
    return sum(
        (_shared_by(votes[:, rows], counts[:, rows], laws) for rows in blocks),
        start=np.zeros(1),
    )


def _shared_by(votes: Single, counts: Floats, laws: Laws) -> Floats:
    share = posterior(votes, laws).astype(float)
    share *= (counts / share.sum(axis=2))[..., None]
    answered = votes.sum(axis=-1)
    n, a = votes.shape[2:]
    if a > 2 and answered.all():
        return _pairs_of_whole(votes, counts, laws, share)
    right = np.zeros((len(share), n, n))
    for t in range(share.shape[2]):
        chance = laws.tables[:, None, t, :, t]
        error = (votes[..., t] - chance * answered) * np.sqrt(
            share[:, :, t, None].astype(np.float32)
        )
        right += error.transpose(0, 2, 1) @ error
    same = 2 * right if a == 2 else _same(votes, counts, laws, share, answered)
    pairs = np.triu_indices(n, 1)
    return np.concatenate([right[:, *pairs], same[:, *pairs]], axis=1)


def _pairs_of_whole(votes: Single, counts: Floats, laws: Laws, share: Floats) -> Floats:
    """Sums of `_shared` where every judge answered every item.

    Multiplied out: what two judges who agree on an answer share, less what the label explains of it.
    """
    tables = laws.tables.astype(float)
    rows, items, n, a = votes.shape
    n_labels = share.shape[2]
    codes = votes.argmax(axis=3)
    # (B, Q, N): the weight of the label that a judge answered; answers that are no label have none
    padded = np.concatenate([share, np.zeros((*share.shape[:2], a - n_labels))], axis=2)
    own = np.take_along_axis(padded, np.broadcast_to(codes, (len(share), items, n)), axis=2)
    agreed, together = np.empty((len(share), n, n)), np.empty((len(share), n, n))
    weight = np.broadcast_to(counts, share.shape[:2])
    for i in range(n):
        alike = (codes == codes[:, :, i, None]).astype(float)
        both = np.stack([own[:, :, i], weight], axis=1) @ alike
        agreed[:, i], together[:, i] = both[:, 0], both[:, 1]
    answers = share.transpose(0, 2, 1) @ votes.reshape(rows, items, n * a).astype(float)
    answers = answers.reshape(len(share), n_labels, n, a)
    labels = np.arange(n_labels)
    chance, said = tables[:, labels, :, labels], answers[:, labels, :, labels]  # (R, B, N)
    chance, said = chance.transpose(1, 2, 0), said.transpose(1, 2, 0)
    total = share.sum(axis=1)
    crossed = said @ chance.transpose(0, 2, 1)
    right = agreed - crossed - crossed.transpose(0, 2, 1)
    right += (chance * total[:, None]) @ chance.transpose(0, 2, 1)
    side_by_side = tables.transpose(0, 2, 1, 3).reshape(len(tables), n, -1)
    crossed = answers.transpose(0, 2, 1, 3).reshape(len(share), n, -1)
    crossed = crossed @ side_by_side.transpose(0, 2, 1)
    weighed = (tables * total[:, :, None, None]).transpose(0, 2, 1, 3).reshape(len(share), n, -1)
    same = together - crossed - crossed.transpose(0, 2, 1)
    same += weighed @ side_by_side.transpose(0, 2, 1)
    pairs = np.triu_indices(n, 1)
    return np.concatenate([right[:, *pairs], same[:, *pairs]], axis=1)


def _same(votes: Single, counts: Floats, laws: Laws, share: Floats, answered: Single) -> Floats:
    """Return (B, N, N) sums over answers of products around their chances.

    They are multiplied out: how often two judges agree, less what the label explains of it. So the work
    grows with labels plus answers; of 50 the product would be 2,500.
    """
    tables = laws.tables.astype(float)
    rows, items, n, a = votes.shape
    flat = votes.reshape(rows, items, n * a).astype(float)
    same = np.zeros((len(share), n, n))
    for answer in range(a):
        column = np.ascontiguousarray(votes[..., answer])
        same += (column * counts[..., None]).transpose(0, 2, 1) @ column
    present = answered.astype(float)
    for t in range(share.shape[2]):
        law, weight = tables[:, t], present * share[:, :, t, None]
        answers = (flat.transpose(0, 2, 1) @ weight).reshape(-1, n, a, n)
        crossed = np.einsum("biaj,bja->bij", answers, law)
        together = present.transpose(0, 2, 1) @ weight
        same += law @ law.transpose(0, 2, 1) * together - crossed - crossed.transpose(0, 2, 1)
    return same


class _Scale(NamedTuple):
    """Centre and spread of every sum, then of the two summaries of all sums."""

    centre: Floats
    spread: Floats
    middle: Floats
    width: Floats

    @classmethod
    def of(cls, sums: Floats, exam: FittedExam) -> _Scale:
        centre, spread = sums.mean(axis=0), sums.std(axis=0, ddof=1)
        still = spread <= policy.ROUNDING * exam.n_drawn
        spread = np.where(still, np.inf, spread)
        first = cls(centre, spread, np.zeros(2), np.ones(2))
        scale = first._two(first.z(sums))
        width = np.maximum(scale.std(axis=0, ddof=1), policy.ROUNDING)
        return cls(centre, spread, scale.mean(axis=0), width)

    def z(self, sums: Floats, stretch: float = 1.0) -> Floats:
        """Sums in standard deviations; a sum's spread grows as the root of the items."""
        result: Floats = (sums - self.centre) / (self.spread * np.sqrt(stretch))
        return result

    def size(self, sums: Floats, stretch: float = 1.0) -> Floats:
        """Statistic: how far from independence all pairs are."""
        scaled = (self._two(self.z(sums, stretch)) - self.middle) / self.width
        result: Floats = scaled.max(axis=-1)
        return result

    @staticmethod
    def _two(z: Floats) -> Floats:
        return np.stack([np.abs(z).max(axis=-1), np.sqrt((z**2).sum(axis=-1))], axis=-1)


def _sequential(
    exam: FittedExam, scale: _Scale, size: float, level: float, most: int, rng: np.random.Generator
) -> tuple[float, int]:
    """P-value and the exams drawn: until enough are as far off, or all are drawn."""
    enough = max(policy.ENOUGH_AS_FAR, ceil(level * (most + 1)))
    as_far = 0
    firsts = range(0, most, policy.DRAWN_AT_ONCE)
    for n in steps(firsts, "comparing pairs with those of independent judges"):
        batch = min(policy.DRAWN_AT_ONCE, most - n)
        hits = np.cumsum(scale.size(exam.repeated(batch, rng)) >= size)
        reached = np.flatnonzero(as_far + hits >= enough)
        if len(reached):
            drawn = n + int(reached[0]) + 1
            return enough / drawn, drawn
        as_far += int(hits[-1])
    return (as_far + 1) / (most + 1), most


def _furthest(z: Floats, n: int) -> Floats:
    first, second = z.reshape(2, -1)
    return _square(np.where(np.abs(first) >= np.abs(second), first, second), n)


def _square(pairs: Floats, n: int) -> Floats:
    result = np.zeros((n, n))
    result[np.triu_indices(n, 1)] = pairs
    return result + result.T


def _message(p_value: float, n_drawn: int, *, rejected: bool) -> str:
    verdict = (
        "The judges' errors are dependent given the label"
        if rejected
        else "The votes show no dependence beyond the label"
    )
    return (
        f"{verdict} (test of all pairs, p = {p_value:.3g} by {n_drawn} exams drawn from the fitted "
        "independent judges)."
    )
