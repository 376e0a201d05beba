"""Every trio of a panel decoded: where the independence assumption holds up, and where not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.decoding.batch import STATUSES, count_statuses, decode_batch, inside
from algeval.algebra.decoding.pencil import decode_pencil
from algeval.algebra.decoding.trio import trio_of
from algeval.algebra.decoding.verdict import Solution, Verdict, total_accuracy
from algeval.data import Sketch
from algeval.data.names import positions, read_only
from algeval.data.reading import as_sketch
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.progress import steps
from algeval.result import Result, Status, percent
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Atlas", "atlas"]

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
        Verdicts, as positions in `algeval.algebra.decoding.batch.STATUSES`.
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
        """Return the verdict on the trio of these three judges."""
        places = sorted(positions("judge", judges, self.judges))
        if len(places) != 3:
            raise DataError(f"judges must name one trio of the atlas; got {len(places)} names")
        (row,) = np.flatnonzero((self.trios == places).all(1))
        return STATUSES[int(self.codes[row])]

    def graph(self) -> Any:
        """Return a networkx graph: judges, joined where they share a passing trio.

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
        """Return a row per trio: judges, status, items used, prevalences, and whether it passes."""
        names = np.array(self.judges, object)[self.trios]
        columns: dict[str, Any] = {f"judge {k + 1}": names[:, k] for k in range(3)}
        columns |= {"status": [STATUSES[code].value for code in self.codes.tolist()]}
        columns |= {"n_used": self.n_used}
        columns |= {f"prevalence of {x}": self.prevalence[:, t] for t, x in enumerate(self.labels)}
        return Table("Trios", columns | {"passing": self.passing}), scalars(self)

    def summary(self) -> str:
        """Return status counts and how far the passing trios agree."""
        lines = [self.message]
        lines += [f"  {name}: {how_many(n, 'trio')}" for name, n in self.status_counts.items() if n]
        if self.passing.any():
            for label, (low, middle, high) in zip(self.labels, self.agreement.T, strict=True):
                lines.append(
                    f"  {label}: half of the passing trios say {percent(low)} to {percent(high)}, "
                    f"median {percent(middle)}"
                )
        return "\n".join(lines)


def atlas(data: Source, judges: Iterable[object] | None = None) -> Atlas:
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
    data = read_data(data)
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
            f"of {len(part)} tuples need about {work:.0e}; choose judges="
        )
    if not binary and n_trios > _MOST_PENCILS:
        raise TooLargeError(
            f"an atlas of more than two answers must have at most {_MOST_PENCILS} trios; got "
            f"{n_trios}; choose judges="
        )
    hours = n_trios * 5e-7 * part.n_labels**5 / 3600
    if not binary and hours > 1:
        raise TooLargeError(
            f"an atlas must take less than an hour; {n_trios} trios of {part.n_labels} labels need "
            f"about {hours:.0f}; choose judges="
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
    for row, places in enumerate(steps(trios.tolist(), "decoding trios of judges")):
        trio = trio_of(part, [part.judges[place] for place in places])
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
