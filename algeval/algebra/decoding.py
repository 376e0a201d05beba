"""`decode`: from the counts of independent judges to their exact evaluation; groups, pools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, floor, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.pencil import decode_pencil
from algeval.algebra.trios import (
    STATUSES,
    Decoding,
    Solution,
    Trio,
    Verdict,
    blind_judges,
    count_statuses,
    decode_batch,
    decode_closed,
    decode_groebner,
    evaluation_of,
    flattening_ranks,
    inside,
    moments_of,
    rank_words,
    total_accuracy,
    trio_of,
)
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.evaluation import shown_share
from algeval.data.names import NOT_ANSWERED, check_choice, check_names, positions, read_only
from algeval.data.reading import Data, as_sketch, keyed_part
from algeval.door import reads
from algeval.errors import DataError, TooLargeError, option
from algeval.models.independent import joint
from algeval.progress import steps
from algeval.result import Result, Status, percent
from algeval.result.numbers import how_many
from algeval.result.tables import Table, free_name, scalars

# --- Split every decision tuple's count by true label, and decide labels from the split.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Partition(Result):
    """The counts of every decision tuple split by true label, and the label decided for it.

    Attributes
    ----------
    status : Status
        `ok`, or the status of the decoding the split rests on.
    method : str
        "independent" or "majority".
    codes, counts : (U, N) and (U,) int arrays
        The decision tuples and how many items got each.
    expected : (U, R) array
        Items with this tuple and true label: exact where the evaluation is; rows add up to counts.
    decisions : (U,) int array
        The label with the most expected items; -1 where labels tie.
    expected_errors : number
        Items the decisions label wrong by the method's own account (for "majority" always 0 among
        decided items); items with tied labels are counted in `n_tied`, not here.
    n_tied : int
        Items whose tuple is undecided.
    evaluation : Evaluation
        The evaluation the split rests on; for "majority" the one it implies (Algebraic Evaluation, S1-S8).
    """

    schema: ClassVar[str] = "algeval.partition/1"

    method: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    sketch_digest: str
    codes: NDArray[Any]
    counts: NDArray[Any]
    expected: NDArray[Any]
    decisions: NDArray[Any]
    expected_errors: Any
    n_tied: int
    evaluation: Evaluation

    @property
    def rounded(self) -> NDArray[np.int64]:
        """(U, R): the expected counts rounded cell by cell, as papers print them."""
        flat = [_nearest(value) for value in self.expected.ravel().tolist()]
        return np.array(flat, np.int64).reshape(self.expected.shape)

    def label(self, row: int) -> str | None:
        """Label decided for one tuple, None where labels tie."""
        index = int(self.decisions[row])
        return None if index < 0 else self.labels[index]

    def errors(self, truth: KeyedSketch | Votes) -> int:
        """How many items with a known key the decisions label wrong.

        An undecided item counts as an error: nothing right was said about it. Items with a tuple
        that was not there when the decisions were made count as undecided.
        """
        keyed = truth.keyed_sketch() if isinstance(truth, Votes) else truth
        indices = positions("judge", self.judges, keyed.sketch.judges)
        if keyed.sketch.answers[: len(self.labels)] != self.labels:
            raise DataError(
                f"the key must use the labels {list(self.labels)}; got {list(keyed.sketch.labels)}"
            )
        names = keyed.sketch.answers
        decided = {
            tuple(None if c < 0 else self.answers[c] for c in row): int(choice)
            for row, choice in zip(self.codes.tolist(), self.decisions, strict=True)
        }
        wrong = 0
        for row, counts in zip(keyed.sketch.codes[:, indices].tolist(), keyed.keyed, strict=True):
            choice = decided.get(tuple(None if c < 0 else names[c] for c in row), NOT_ANSWERED)
            wrong += int(counts.sum()) - (int(counts[choice]) if choice >= 0 else 0)
        return wrong

    def as_tables(self) -> tuple[Table, ...]:
        """Row per decision tuple: answers, count, items expected of each label, decision."""
        sketch = Sketch(self.judges, self.labels, self.answers, self.codes, self.counts)
        columns = dict(sketch.as_tables()[0].columns)
        columns |= {f"expected {label}": self.expected[:, t] for t, label in enumerate(self.labels)}
        decided = [self.label(row) for row in range(len(self.counts))]
        return (Table("Decision tuples", columns | {free_name("decision", self.judges): decided}),)

    def summary(self) -> str:
        """Split as a table."""
        lines = [self.message]
        for row, codes in enumerate(self.codes.tolist()):
            answers = ", ".join("-" if c < 0 else self.answers[c] for c in codes)
            split = ", ".join(
                f"{label} {count}"
                for label, count in zip(self.labels, self.rounded[row], strict=True)
            )
            lines.append(
                f"  ({answers}): {how_many(self.counts[row], 'item')} = {split}: {self.label(row)}"
            )
        return "\n".join(lines)


@reads
def partition(data: Data, evaluation: Evaluation | Decoding) -> Partition:
    """Split the counts by true label under independent errors, and decide labels.

    Use it after `decode`, or with any evaluation of any number of judges. A judge that did not
    answer an item says nothing about it.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never used.
    evaluation : Evaluation or Decoding
        A decoding stands for its `best`.

    Raises
    ------
    DataError
        If a decoding has no best evaluation, or the labels or answers do not match.

    Notes
    -----
    Algebraic Evaluation, equation 1 and Table 1. The split of a count n is n times Bayes' rule; for a decoded
    trio this equals Q P_t times the product of accuracies, exactly.

    Examples
    --------
    >>> from algeval.algebra import decode
    >>> once = dict.fromkeys(["aaa", "aab", "aba", "abb", "baa", "bab", "bba"], 1)
    >>> s = Sketch.from_counts(once | {"bbb": 9})
    >>> [str(part) for part in partition(s, decode(s)).expected[7]]
    ['1', '8']
    """
    status = evaluation.status if isinstance(evaluation, Decoding) else Status.OK
    chosen = evaluation_of(evaluation)
    part = _matching(as_sketch(data), chosen)
    # evaluation with rows of labels that never occur as zeros
    confusion = chosen.confusion.copy()
    confusion[confusion == None if chosen.exact else np.isnan(confusion)] = Fraction(0)  # noqa: E711
    shares = joint(Evaluation(*chosen.axes, chosen.prevalence, confusion), part.codes)
    totals = shares.sum(1)
    if any(total == 0 for total in totals.tolist()):
        raise DataError(
            "the evaluation must allow every decision tuple seen; it gives one of them no chance; "
            "use an evaluation estimated from these data"
        )
    if shares.dtype == object:
        counts = np.array([Fraction(int(c)) for c in part.counts], dtype=object)
        expected = np.empty(shares.shape, dtype=object)
        for index in np.ndindex(shares.shape):
            expected[index] = counts[index[0]] * shares[index] / totals[index[0]]
    else:
        expected = part.counts[:, None] * shares / totals[:, None]
    return _finish(part, expected, chosen, status, "independent")


@reads
def majority(data: Data, judges: Iterable[object] | None = None) -> Partition:
    """Split the counts by majority vote: all items of a tuple get its most frequent label.

    Use it as the baseline. Answers beyond the labels do not vote; items whose votes tie are
    undecided, counted, and left out of the evaluation. Algebraic Evaluation, equations S1-S8.
    """
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    votes = np.stack([(part.codes == t).sum(1) for t in range(part.n_labels)], axis=1)
    first = votes == votes.max(1, keepdims=True)
    settled = first.sum(1) == 1
    expected = np.zeros(votes.shape, dtype=object)
    for row in range(len(part)):
        share = Fraction(int(part.counts[row]), int(first[row].sum()))
        expected[row] = [share if winner else Fraction(0) for winner in first[row]]
    keyed = (first & settled[:, None])[settled] * part.counts[settled, None]
    decided = Sketch(*part.axes, part.codes[settled], part.counts[settled])
    if not len(decided):
        raise DataError("at least one item must have a majority; got ties only; use more judges")
    evaluation = KeyedSketch(decided, keyed).evaluation()
    return _finish(part, expected, evaluation, Status.OK, "majority")


def _finish(
    part: Sketch, expected: NDArray[Any], evaluation: Evaluation, status: Status, method: str
) -> Partition:
    decisions = np.full(len(part), NOT_ANSWERED, np.int64)
    wrong: Any = 0
    tied = 0
    for row, values in enumerate(expected.tolist()):
        most = max(values)
        if values.count(most) > 1:
            tied += int(part.counts[row])
            continue
        decisions[row] = values.index(most)
        wrong = wrong + int(part.counts[row]) - most
    text = f"By {'majority vote' if method == 'majority' else 'independent errors'}, "
    text += (
        f"{float(wrong):.0f} of {how_many(part.n_items, 'item')} labelled wrong by its own account"
    )
    text += f", {how_many(tied, 'item')} undecided." if tied else "."
    if any(value < 0 for value in expected.ravel().tolist()):
        text += " Some counts are below zero, since the evaluation leaves [0, 1]."
    return Partition(
        status=status,
        message=text,
        method=method,
        judges=part.judges,
        labels=part.labels,
        answers=part.answers,
        sketch_digest=part.digest,
        codes=part.codes,
        counts=part.counts,
        expected=read_only(expected),
        decisions=read_only(decisions),
        expected_errors=wrong,
        n_tied=tied,
        evaluation=evaluation,
    )


def _matching(sketch: Sketch, evaluation: Evaluation) -> Sketch:
    """Sketch of the evaluation's judges, coded in the evaluation's answers."""
    part = sketch.marginal(evaluation.judges)
    if part.labels != evaluation.labels:
        raise DataError(
            f"labels must match the evaluation's {list(evaluation.labels)}; got {list(part.labels)}"
        )
    if part.answers == evaluation.answers:
        return part
    names = {name: index for index, name in enumerate(evaluation.answers)}
    codes = np.full(part.codes.shape, NOT_ANSWERED, np.int16)
    for index, name in enumerate(part.answers):
        here = part.codes == index
        if here.any() and name not in names:
            raise DataError(
                f"answer {name!r} must be among the evaluation's {list(evaluation.answers)}; "
                "decode again with all answers"
            )
        codes[here] = names.get(name, NOT_ANSWERED)
    return Sketch(part.judges, part.labels, evaluation.answers, codes, part.counts)


def _nearest(value: Any) -> int:
    """Nearest whole number of any exact or float number, halves up."""
    if isinstance(value, float | int | Fraction):
        return floor(value + Fraction(1, 2) if not isinstance(value, float) else value + 0.5)
    guess = floor(float(value))
    return max(n for n in (guess - 1, guess, guess + 1) if n <= value + Fraction(1, 2))


# --- Every trio of a panel decoded: where the independence assumption holds up, and where not.


_MOST_WORK = 2 * 10**12
_MOST_PENCILS = 20_000
_PASSING = (Status.OK, Status.IRRATIONAL, Status.NOT_INTEGRAL)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Atlas(Result):
    """The decodings of every trio of more than three judges.

    Attributes
    ----------
    status : Status
        `ok`, or `undetermined` when no trio has a solution inside [0, 1].
    trios : (M, 3) int array
        Positions in `judges`, in lexicographic order.
    codes : (M,) int8 array
        Verdicts, as positions in `algeval.algebra.trios.STATUSES`.
    n_used : (M,) int array
        Items all three judges answered.
    prevalence : (M, R) float array
        Label shares in each trio's solution of greatest total accuracy; NaN where there is none.
    accuracies : (M, 3, R) float array
        Accuracies of the trio's judges in the same solution.
    passing : (M,) bool array
        Trios whose solution lies inside [0, 1], rational or not.
    """

    schema: ClassVar[str] = "algeval.atlas/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    sketch_digest: str
    n_items: int
    trios: NDArray[Any]
    codes: NDArray[np.int8]
    n_used: NDArray[np.int64]
    prevalence: NDArray[np.float64]
    accuracies: NDArray[np.float64]
    passing: NDArray[np.bool_]

    @property
    def status_counts(self) -> dict[str, int]:
        """How many trios ended in each status."""
        return count_statuses(self.codes)

    @property
    def agreement(self) -> NDArray[np.float64]:
        """(3, R): quartiles of every label's share over the passing trios; NaN if none pass.

        Trios that share the truth should agree; a wide spread says the assumption fails somewhere.
        """
        if not self.passing.any():
            return np.full((3, len(self.labels)), np.nan)
        return np.quantile(self.prevalence[self.passing], [0.25, 0.5, 0.75], axis=0)

    def status_of(self, judges: Iterable[object]) -> Status:
        """Verdict on the trio of these three judges."""
        indices = sorted(positions("judge", judges, self.judges))
        if len(indices) != 3:
            raise DataError(f"judges must name one trio of the atlas; got {len(indices)} names")
        (row,) = np.flatnonzero((self.trios == indices).all(1))
        return STATUSES[int(self.codes[row])]

    def graph(self) -> Any:
        """Networkx graph: judges, joined where they share a passing trio.

        Edge attribute `trios`: how many passing trios hold both judges.
        """
        import networkx as nx

        graph: Any = nx.Graph()
        graph.add_nodes_from(self.judges)
        for trio in self.trios[self.passing].tolist():
            for i, j in combinations(trio, 2):
                a, b = self.judges[i], self.judges[j]
                seen = graph.edges[a, b]["trios"] if graph.has_edge(a, b) else 0
                graph.add_edge(a, b, trios=seen + 1)
        return graph

    def as_tables(self) -> tuple[Table, ...]:
        """Row per trio: judges, status, items used, prevalences, and whether it passes."""
        names = np.array(self.judges, object)[self.trios]
        columns: dict[str, Any] = {f"judge {k + 1}": names[:, k] for k in range(3)}
        columns |= {"status": [STATUSES[code].value for code in self.codes.tolist()]}
        columns |= {"n_used": self.n_used}
        columns |= {f"prevalence of {x}": self.prevalence[:, t] for t, x in enumerate(self.labels)}
        return Table("Trios", columns | {"passing": self.passing}), scalars(self)

    def summary(self) -> str:
        """Status counts and how far the passing trios agree."""
        lines = [self.message]
        lines += [f"  {name}: {how_many(n, 'trio')}" for name, n in self.status_counts.items() if n]
        if self.passing.any():
            for label, (low, middle, high) in zip(self.labels, self.agreement.T, strict=True):
                lines.append(
                    f"  {label}: half of the passing trios say {percent(low)} to {percent(high)}, "
                    f"median {percent(middle)}"
                )
        return "\n".join(lines)


@reads
def atlas(data: Data, judges: Iterable[object] | None = None) -> Atlas:
    """Decode every trio of judges.

    Use it on a panel of more than three judges to see which trios contradict independence and
    whether the others agree on the prevalence.

    Raises
    ------
    DataError
        If there are fewer than three judges or two labels.
    TooLargeError
        If counting all trios would take hours; choose judges.

    Examples
    --------
    >>> from itertools import product
    >>> s = Sketch.from_counts({"".join(t): 1 + 8 * (len(set(t)) == 1) for t in product("ab", repeat=4)})
    >>> len(atlas(s).trios)
    4
    """
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    if part.n_judges < 3 or part.n_labels < 2:
        raise DataError(
            f"an atlas must have three or more judges and two or more labels; got "
            f"{part.n_judges} and {part.n_labels}; check the columns"
        )
    trios = np.array(list(combinations(range(part.n_judges), 3)))
    binary = part.n_labels == 2 and bool((part.codes < 2).all())
    _check_size(part, len(trios), binary)
    if binary:
        counts = _all_trio_counts(part)
        batch = decode_batch(counts)
        codes, n_used = batch.codes, counts.sum(1)
        prevalence = np.column_stack([batch.prevalence, 1 - batch.prevalence])
        accuracies = batch.accuracies
    else:
        codes, n_used, prevalence, accuracies = _by_pencil(part, trios)
    allowed = np.isin(codes, [STATUSES.index(status) for status in _PASSING])
    passing = inside(prevalence, accuracies) & allowed
    return Atlas(
        status=Status.OK if passing.any() else Status.UNDETERMINED,
        message=f"{int(passing.sum())} of {how_many(len(trios), 'trio')} of {part.n_judges} judges have a "
        "solution inside [0, 1].",
        judges=part.judges,
        labels=part.labels,
        sketch_digest=sketch.digest,
        n_items=sketch.n_items,
        trios=read_only(trios),
        codes=read_only(codes),
        n_used=read_only(n_used),
        prevalence=read_only(prevalence),
        accuracies=read_only(accuracies),
        passing=read_only(passing),
    )


def _check_size(part: Sketch, n_trios: int, binary: bool) -> None:
    work = 8 * n_trios * max(len(part), 1) * 2
    if binary and work > _MOST_WORK:
        raise TooLargeError(
            f"an atlas must stay below {_MOST_WORK:.0e} operations; {comb(part.n_judges, 3)} trios "
            f"of {len(part)} tuples need about {work:.0e}; choose {option('judges')}"
        )
    if not binary and n_trios > _MOST_PENCILS:
        raise TooLargeError(
            f"an atlas of more than two answers must have at most {_MOST_PENCILS} trios; got "
            f"{n_trios}; choose {option('judges')}"
        )
    hours = n_trios * 5e-7 * part.n_labels**5 / 3600
    if not binary and hours > 1:
        raise TooLargeError(
            f"an atlas must take less than an hour; {n_trios} trios of {part.n_labels} labels need "
            f"about {hours:.0f}; choose {option('judges')}"
        )


def _all_trio_counts(part: Sketch) -> NDArray[np.int64]:
    """Return (M, 8): the counts of every trio, by matrix products over the distinct tuples.

    Whole numbers below 2^53 stay exact in floating point whatever the order of summation.
    """
    if part.n_items >= 2**53:
        raise TooLargeError(f"an atlas must have fewer than 2^53 items; got {part.n_items}")
    n = part.n_judges
    gave = [(part.codes == answer).astype(float) for answer in (0, 1)]
    weights = part.counts.astype(float)
    blocks = []
    for i in steps(range(n - 2), "counting trios of judges"):
        j, k = np.triu_indices(n - i - 1, 1)
        block = np.empty((len(j), 8))
        for cell, (x, y, z) in enumerate(np.ndindex(2, 2, 2)):
            left = gave[y][:, i + 1 :] * (weights * gave[x][:, i])[:, None]
            block[:, cell] = (left.T @ gave[z][:, i + 1 :])[j, k]
        blocks.append(block)
    return np.rint(np.concatenate(blocks)).astype(np.int64)


def _by_pencil(part: Sketch, trios: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    m, r = len(trios), part.n_labels
    codes, n_used = np.empty(m, np.int8), np.empty(m, np.int64)
    prevalence, accuracies = np.full((m, r), np.nan), np.full((m, 3, r), np.nan)
    for row, indices in enumerate(steps(trios.tolist(), "decoding trios of judges")):
        trio = trio_of(part, [part.judges[index] for index in indices])
        verdict = decode_pencil(trio)
        codes[row], n_used[row] = STATUSES.index(verdict.status), trio.n_used
        best = _best(verdict)
        if best is not None:
            prevalence[row] = [float(share) for share in best.prevalence]
            accuracies[row] = [
                [np.nan if line is None else float(line[t]) for t, line in enumerate(table)]
                for table in best.confusion
            ]
    return codes, n_used, prevalence, accuracies


def _best(verdict: Verdict) -> Solution | None:
    if verdict.status is Status.UNDETERMINED or not verdict.solutions:
        return None
    return max(verdict.solutions, key=total_accuracy)


# --- Decode: from the answers of three judges to the evaluations that independent errors allow.


_ENGINES: dict[str, Callable[[Trio], Verdict]] = {
    "closed": decode_closed,
    "groebner": decode_groebner,
    "pencil": decode_pencil,
}


@reads
def decode(
    data: Data, judges: Iterable[object] | None = None, *, engine: str | None = None
) -> Decoding | Atlas:
    """Grade three judges exactly, from their answers alone, if their errors are independent.

    Use it on three judges whose mistakes have no common cause. On a finite test exactly
    independent errors give fractions with whole numbers of items behind them; everything else
    raises a status, so the method says itself when its assumption fails.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never used.
    judges : judge names, optional
        Three are decoded, more give the `atlas` of all their trios. Only items all three answered
        are used; the result says how many were left out.
    engine : {"closed", "groebner", "pencil"}, optional
        "closed" (two labels, microseconds), "groebner" (two labels, computer algebra),
        "pencil" (any number of labels, answers beyond the labels). By default "closed" where it
        applies, else "pencil".

    Returns
    -------
    Decoding, or Atlas for more than three judges
        `status` is ok, irrational, not_integral, out_of_range, complex, inconsistent or
        undetermined (see `Decoding`).

    Raises
    ------
    DataError
        If there are fewer than three judges, or the engine does not read this many labels or answers.

    Notes
    -----
    Algebraic Evaluation, equations S9-S19, solved through s = sqrt(D^2 + 4 X Y Z) rather than the printed
    ladder S20-S43, which divides by zero at prevalence 1/2.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> once = dict.fromkeys(["aaa", "aab", "aba", "abb", "baa", "bab", "bba"], 1)
    >>> result = decode(Sketch.from_counts(once | {"bbb": 9}))
    >>> result.status.value, str(result.best.prevalence_of("a"))
    ('ok', '1/2')
    """
    sketch = as_sketch(data)
    names = sketch.judges if judges is None else check_names("judge", judges)
    if len(names) > 3:
        if engine is not None:
            raise DataError(
                f"engine is chosen per trio; got {option('engine', engine)} with {len(names)} judges; "
                f"pass {option('judges')} with three names"
            )
        return atlas.core(sketch, names)
    trio = trio_of(sketch, names)
    name = ("closed" if trio.binary else "pencil") if engine is None else engine
    check_choice("engine", name, tuple(sorted(_ENGINES)))
    if name != "pencil" and not trio.binary:
        raise DataError(
            f"engine {name!r} must have two answers, the labels; got {list(trio.answers)}; "
            f"use {option('engine', 'pencil')}"
        )
    return _dress(trio, _ENGINES[name](trio), name)


def _dress(trio: Trio, verdict: Verdict, engine: str) -> Decoding:
    ranked = sorted(verdict.solutions, key=total_accuracy, reverse=True)
    tie = len(ranked) > 1 and total_accuracy(ranked[0]) == total_accuracy(ranked[1])
    open_ = verdict.status is Status.UNDETERMINED and trio.n_used > 0
    ranks = flattening_ranks(trio) if open_ else ()
    indices = {*verdict.uninformative, *(blind_judges(ranks, len(trio.labels)) if open_ else ())}
    blind = tuple(trio.judges[index] for index in sorted(indices))
    return Decoding(
        status=verdict.status,
        message=_message(trio, verdict, blind, tie, rank_words(trio, ranks) if open_ else ""),
        engine=engine,
        reason=verdict.reason,
        judges=trio.judges,
        labels=trio.labels,
        answers=trio.answers,
        sketch_digest=trio.sketch_digest,
        n_items=trio.n_items,
        n_used=trio.n_used,
        n_left_out=trio.n_items - trio.n_used,
        evaluations=tuple(_evaluation(trio, solution) for solution in ranked),
        tie=tie,
        moments=moments_of(trio),
        in_range=verdict.in_range,
        integral=verdict.integral,
        dimension=verdict.dimension,
        uninformative=blind,
        ranks=ranks,
    )


def _evaluation(trio: Trio, solution: Solution) -> Evaluation:
    width = len(trio.answers)
    floats = any(isinstance(share, float) for share in solution.prevalence)
    dtype = float if floats else object
    prevalence = np.array([*solution.prevalence, None], dtype)[:-1]
    confusion = np.full((len(trio.judges), len(trio.labels), width), None, dtype)
    for i, rows in enumerate(solution.confusion):
        for t, row in enumerate(rows):
            if row is not None:
                confusion[i, t, :] = row
    return Evaluation(trio.judges, trio.labels, trio.answers, prevalence, confusion)


_NEARLY = (
    "{names} can be graded as if their errors were independent, though on this finite test these are "
    "not exactly independent, as on nearly every real one: {reason}"
)
_DEPENDENT = (
    "{names} cannot be graded by algebra: their errors are not exactly independent on this test, and "
    "no evaluation that fits has every number in [0, 1]: {reason}"
)
_VERDICTS = {
    Status.OK: "{names} can be graded: independent errors reproduce their counts exactly ({reason}); a "
    "candidate, not a proof, since correlated errors can produce the same counts",
    Status.NOT_INTEGRAL: _NEARLY,
    Status.UNDETERMINED: "The counts of {names} leave open how good they are: {reason}",
}


def _verdict_words(verdict: Verdict) -> str:
    """Return what the verdict means for the judges, with places for names and reason."""
    if verdict.status is Status.IRRATIONAL:
        return _DEPENDENT if verdict.in_range is False else _NEARLY
    return _VERDICTS.get(verdict.status, _DEPENDENT)


def _message(trio: Trio, verdict: Verdict, blind: tuple[str, ...], tie: bool, ranks: str) -> str:
    names = ", ".join(trio.judges[:2]) + " and " + trio.judges[2]
    text = _verdict_words(verdict).format(names=names, reason=verdict.reason)
    if blind:
        text += f"; {' and '.join(blind)} cannot tell the labels apart"
    text += ranks
    if tie:
        orders = "both" if len(trio.labels) == 2 else "several"
        text += f"; {orders} label orders have the same total accuracy"
    text += f" ({how_many(trio.n_used, 'item')}"
    left_out = trio.n_items - trio.n_used
    if left_out:
        text += f", {left_out} left out because not all three judges answered"
    return text + ")."


# --- Decode and decide group by group, so that a judge that fails on one kind of item is seen.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group(Result):
    """One slice of the items.

    Attributes
    ----------
    status : Status
        That of the decoding.
    group : str
    n_items : int
    decoding : Decoding
        Of this slice alone.
    independent, majority : Partition or None
        The split by the decoding and by majority vote. The first is None where the decoding has no
        best evaluation, where that leaves [0, 1], and where it gives an answer seen here no chance: a
        rate of exactly 0 or 1 on the items all three answered, which an item with a missing answer
        contradicts.
    truth : Evaluation or None
        From the key, where this slice has one.
    n_keyed : int
    errors, majority_errors : int or None
        Items with a known key that each split labels wrong, ties included.
    """

    schema: ClassVar[str] = "algeval.group/1"

    group: str
    n_items: int
    decoding: Decoding
    independent: Partition | None
    majority: Partition
    truth: Evaluation | None
    n_keyed: int
    errors: int | None
    majority_errors: int | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups(Result):
    """Every slice, in the order in which its first item appears.

    Attributes
    ----------
    groups : tuple of Group
    n_ungrouped : int
        Items without a group, left out.
    """

    schema: ClassVar[str] = "algeval.groups/1"

    groups: tuple[Group, ...]
    n_ungrouped: int

    def __getitem__(self, name: str) -> Group:
        for result in self.groups:
            if result.group == name:
                return result
        raise DataError(
            f"group {name!r} is not known; choose from {[g.group for g in self.groups]}"
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per group: items, status, and label errors where there is a key."""
        names = ("group", "n_items", "status", "n_keyed", "errors", "majority_errors")
        return (Table.of_records("Groups", names, self.groups),)

    def summary(self) -> str:
        """Return one line per group."""
        lines = [self.message]
        for g in self.groups:
            line = f"  {g.group}: {how_many(g.n_items, 'item')}, {g.status.value}"
            if g.decoding.best is not None:
                shares = g.decoding.best.to_floats().prevalence
                text = zip(g.decoding.labels, shares, strict=True)
                line += ", " + ", ".join(f"{label} {shown_share(share)}" for label, share in text)
            if g.majority_errors is not None:
                algebra = "-" if g.errors is None else str(g.errors)
                line += f"; label errors: algebra {algebra}, majority {g.majority_errors}"
            lines.append(line)
        return "\n".join(lines)


def by_group(
    votes: Votes,
    groups: Mapping[Any, object] | Sequence[object],
    judges: Iterable[object] | None = None,
) -> Groups:
    """Decode a trio separately on each slice of the items, and score each slice against the key.

    Use it to see whether judges that look good overall fail on some kind of item. Each slice is
    decoded from its own counts alone; errors that are independent overall need not be so within
    slices, nor the other way round.

    Parameters
    ----------
    votes : Votes
        A key, if there is one, is used for scoring only.
    groups : mapping or sequence
        {item id: group}, or one group per item in item order; None leaves an item out.
    judges : three judge names, optional
        Needed when there are more than three.

    Returns
    -------
    Groups
        Status ok; every slice has the status of its own decoding.

    Raises
    ------
    DataError
        If `groups` does not fit the items, or no item has a group.

    Notes
    -----
    The multi-accuracy experiments of Algebraic Evaluation (by attributes that the judges did not see).

    Examples
    --------
    >>> once = {"i": list("aaaabbbb"), "j": list("aabbaabb"), "k": list("abababab")}
    >>> by_group(Votes.from_columns(once), ["x"] * 4 + ["y"] * 4).groups[0].n_items
    4
    """
    indices = _places_of_groups(votes, groups)
    if not indices:
        raise DataError("groups must give at least one item a group; got none; check the item ids")
    blind = votes.without_key() if judges is None else votes.without_key().select(judges=judges)
    values = tuple(_group(name, np.array(rows), votes, blind) for name, rows in indices.items())
    grouped = sum(g.n_items for g in values)
    return Groups(
        status=Status.OK,
        message=(
            f"{how_many(len(values), 'group')} of {how_many(grouped, 'item')}; "
            f"{how_many(votes.n_items - grouped, 'item')} without a group."
        ),
        groups=values,
        n_ungrouped=votes.n_items - grouped,
    )


def _places_of_groups(
    votes: Votes, groups: Mapping[Any, object] | Sequence[object]
) -> dict[str, list[int]]:
    if isinstance(groups, Mapping):
        names = {str(item): group for item, group in groups.items()}
        values: Sequence[object] = [names.get(item) for item in votes.items]
    else:
        values = groups
        if len(values) != votes.n_items:
            raise DataError(
                f"groups must have one entry per item ({votes.n_items}); got {len(values)}; "
                "give {item: group} for some of the items"
            )
    indices: dict[str, list[int]] = {}
    for row, group in enumerate(values):
        if group is not None:
            indices.setdefault(str(group), []).append(row)
    return indices


def _rows(votes: Votes, rows: Any) -> Votes:
    key = None if votes.key is None else votes.key[rows]
    items = tuple(votes.items[row] for row in rows)
    return Votes(items, votes.judges, votes.labels, votes.answers, votes.codes[rows], key)


def _split(part: Votes, decoding: Decoding) -> Partition | None:
    """Split by a decoding, None where it gives an answer seen here no chance."""
    try:
        return partition.core(part, decoding)
    except DataError:
        return None


def _group(name: str, rows: Any, votes: Votes, blind: Votes) -> Group:
    part = _rows(blind, rows)
    decoding: Any = decode.core(part)
    usable = decoding.best is not None and decoding.in_range is not False
    split = _split(part, decoding) if usable else None
    simple = majority.core(part)
    keyed = keyed_part(_rows(votes, rows))
    return Group(
        status=decoding.status,
        message=decoding.message,
        group=name,
        n_items=len(rows),
        decoding=decoding,
        independent=split,
        majority=simple,
        truth=None if keyed is None else keyed.evaluation(),
        n_keyed=0 if keyed is None else keyed.n_items,
        errors=None if keyed is None or split is None else split.errors(keyed),
        majority_errors=None if keyed is None else simple.errors(keyed),
    )


# --- All trios of a panel as one answer: the evaluation they share, or else their median and range.


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
        """Lowest and the highest share of a label."""
        (t,) = positions("label", [label], self.labels)
        return float(self.prevalence[t, 0]), float(self.prevalence[t, 1])

    def accuracy_of(self, judge: object, label: object) -> tuple[float, float]:
        """Lowest and the highest accuracy of a judge on a label."""
        (i,) = positions("judge", [judge], self.judges)
        (t,) = positions("label", [label], self.labels)
        return float(self.accuracies[i, t, 0]), float(self.accuracies[i, t, 1])

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number: quantity, judge, label, lowest, highest; then the settings."""
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


@reads
def pool_trios(data: Data, judges: Iterable[object] | None = None) -> PooledTrios:
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
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    if part.n_judges < 4:
        raise DataError(
            f"pooling must have four or more judges; got {part.n_judges}; use decode for three"
        )
    result = atlas.core(part)
    common = _common(part, result)
    middle = _median(result, part) if common is None else common
    prevalence, accuracies = _spread(result)
    status, message = _verdict(result, part, common, middle)
    return PooledTrios(
        status=status,
        message=message,
        judges=part.judges,
        labels=part.labels,
        n_items=part.n_items,
        evaluation=middle,
        shared=common is not None,
        n_trios=len(result.trios),
        n_passing=int(result.passing.sum()),
        prevalence=read_only(prevalence),
        accuracies=read_only(accuracies),
    )


def _verdict(
    trio_atlas: Atlas, part: Sketch, common: Evaluation | None, middle: Evaluation | None
) -> tuple[Status, str]:
    trios = how_many(len(trio_atlas.trios), "trio")
    if common is not None:
        return _verdict_on_one(f"All {trios} hold one evaluation", common, part)
    passing = f"{int(trio_atlas.passing.sum())} of {trios}"
    if middle is None:
        text = f"{passing} have a solution inside [0, 1], and they do not share one."
        return Status.UNDETERMINED, text
    shown = f"shown is the median over the {passing} with a solution inside [0, 1]"
    if np.isin(
        trio_atlas.codes, [STATUSES.index(s) for s in (Status.OK, Status.UNDETERMINED)]
    ).all():
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
        text = "which gives back every count, but by fractions of items"
        return Status.NOT_INTEGRAL, f"{start}, {text}."
    return Status.OK, (
        f"{start}, and with independent errors it gives back every count exactly; a candidate, not a "
        "proof, since correlated errors can produce the same counts."
    )


def _places(trio_atlas: Atlas, judge: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows and positions of the trios that pass and hold a judge."""
    rows, indices = np.nonzero((trio_atlas.trios == judge) & trio_atlas.passing[:, None])
    return rows, indices


def _spread(trio_atlas: Atlas) -> tuple[Floats, Floats]:
    """Lowest and highest of each number over the trios that pass."""
    n, r = len(trio_atlas.judges), len(trio_atlas.labels)
    prevalence, accuracies = np.full((r, 2), np.nan), np.full((n, r, 2), np.nan)
    if trio_atlas.passing.any():
        prevalence = _ends(trio_atlas.prevalence[trio_atlas.passing])
    for i in range(n):
        own = trio_atlas.accuracies[_places(trio_atlas, i)]
        if len(own):
            accuracies[i] = _ends(own)
    return prevalence, accuracies


def _ends(values: Floats) -> Floats:
    ends: Floats = np.column_stack([values.min(0), values.max(0)])
    return ends


def _median(trio_atlas: Atlas, part: Sketch) -> Evaluation | None:
    """Median of each number over the trios that pass; None beyond two labels."""
    binary = part.n_labels == 2 == part.n_answers
    if not binary or not trio_atlas.passing.any():
        return None
    right = np.full((part.n_judges, 2), np.nan)
    for i in range(part.n_judges):
        own = trio_atlas.accuracies[_places(trio_atlas, i)]
        if len(own):
            right[i] = np.median(own, axis=0)
    rows = [
        np.column_stack([right[:, 0], 1 - right[:, 0]]),
        np.column_stack([1 - right[:, 1], right[:, 1]]),
    ]
    shares = np.median(trio_atlas.prevalence[trio_atlas.passing], axis=0)
    return Evaluation(part.judges, part.labels, part.answers, shares, np.stack(rows, axis=1))


def _common(part: Sketch, trio_atlas: Atlas) -> Evaluation | None:
    """Evaluation that every trio holds exactly, None if there is none."""
    rational = [STATUSES.index(status) for status in _RATIONAL]
    if not np.isin(trio_atlas.codes, rational).all():
        return None
    whole = _joined(part)
    if whole is None or len(trio_atlas.trios) > _MOST_CHECKED:
        return None
    trios = (
        trio_of(part, [part.judges[i] for i in indices]) for indices in trio_atlas.trios.tolist()
    )
    if not all(_holds(whole, trio) for trio in trios):
        return None
    return max(_orders(whole), key=lambda evaluation: evaluation.accuracies().sum())


def _joined(part: Sketch) -> Evaluation | None:
    """Evaluation of all judges that the trios of the first two with each other give."""
    first, second, *others = part.judges
    base: Evaluation | None = None
    tables: list[Any] = []
    for judge in others:
        decoding = decode.core(part, [first, second, judge])
        if not isinstance(decoding, Decoding) or not decoding.evaluations:
            return None
        same = [e for e in decoding.orders() if base is None or _agree(e, base)]
        if not same or same[0].confusion.shape[2] != part.n_answers:
            return None
        base = same[0] if base is None else base
        tables.append(same[0].confusion[2])
    if base is None:
        return None
    confusion = np.concatenate([base.confusion[:2], np.array(tables, dtype=object)])
    return Evaluation(part.judges, part.labels, part.answers, base.prevalence, confusion)


def _agree(evaluation: Evaluation, other: Evaluation) -> bool:
    pairs = (
        (evaluation.prevalence, other.prevalence),
        (evaluation.confusion[:2], other.confusion[:2]),
    )
    return all(a.tolist() == b.tolist() for a, b in pairs)


def _orders(whole: Evaluation) -> Iterator[Evaluation]:
    """Yield an evaluation under every assignment of names to its labels."""
    for order in permutations(range(len(whole.labels))):
        indices = np.array(order)
        yield Evaluation(*whole.axes, whole.prevalence[indices], whole.confusion[:, indices, :])


def _holds(whole: Evaluation, trio: Trio) -> bool:
    """Whether an evaluation gives back the counts of a trio, exactly."""
    indices = [whole.judges.index(judge) for judge in trio.judges]
    return all(
        sum(_shares(whole, dict(zip(indices, said, strict=True)))) * trio.n_used
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
    """Share of items of each true label on which some judges give these answers."""
    return [
        whole.prevalence[t] * prod(whole.confusion[i, t, a] for i, a in said.items())
        for t in range(len(whole.labels))
    ]
