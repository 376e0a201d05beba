"""Which systems can be put on one scale: who beat whom, and what the fit cannot settle."""

from __future__ import annotations

from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from algeval.rates import policy
from algeval.rates.leaderboards.cells import Cells
from algeval.rates.leaderboards.outcomes import FIRST, SECOND, TIE

__all__ = ["Standing", "runs_away", "standing_of"]


class Standing(NamedTuple):
    """Which systems battles link both ways.

    Attributes
    ----------
    components : tuple of tuples of int
        Systems between which chains of wins or ties lead both ways; largest first.
    ends : (n_systems,) array
        Where the rating of each would go: 0 it has a place among the largest component, inf or -inf it
        was never beaten by that component, or never won against it, NaN nothing says.
    """

    components: tuple[tuple[int, ...], ...]
    ends: NDArray[np.float64]

    @property
    def connected(self) -> bool:
        """Whether all systems are on one scale."""
        return len(self.components) == 1


def standing_of(cells: Cells) -> Standing:
    """Return the strongly connected components of "beats", ties counting both ways."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(cells.n_systems))
    won = cells.outcome != SECOND
    lost = cells.outcome != FIRST
    graph.add_edges_from(zip(cells.first[won].tolist(), cells.second[won].tolist(), strict=True))
    graph.add_edges_from(zip(cells.second[lost].tolist(), cells.first[lost].tolist(), strict=True))
    found = [tuple(sorted(part)) for part in nx.strongly_connected_components(graph)]
    components = tuple(sorted(found, key=lambda part: (-len(part), part)))
    return Standing(components, _ends(graph, components))


def _ends(graph: nx.DiGraph[int], components: tuple[tuple[int, ...], ...]) -> NDArray[np.float64]:
    ends = np.full(graph.number_of_nodes(), np.nan)
    main = components[0]
    if len(main) > 1:
        above = nx.ancestors(graph, main[0])
        below = nx.descendants(graph, main[0])
        ends[list(above)], ends[list(below)] = np.inf, -np.inf
        ends[list(main)] = 0
        return ends
    for one, degree in graph.in_degree():
        if graph.out_degree(one) and not degree:
            ends[one] = np.inf
        if degree and not graph.out_degree(one):
            ends[one] = -np.inf
    return ends


def runs_away(cells: Cells, *, ties: bool) -> bool:
    """Whether the likelihood grows for ever in some direction of ratings, order effect and ties.

    A direction in which no battle becomes less likely and one becomes more so, found by a linear
    program: for each battle, a win needs a lead of at least the tie parameter, a tie at most that.
    """
    won, lost = cells.outcome == FIRST, cells.outcome == SECOND
    tied = cells.outcome == TIE
    if not ties:
        won, lost = won | tied, lost | tied
        tied = np.zeros(len(cells), bool)
    rows = [cells.design[won], -cells.design[lost], -cells.design[tied], cells.design[tied]]
    signs = np.repeat([-1.0, -1.0, 1.0, 1.0], [part.shape[0] for part in rows])
    slack = sparse.hstack([sparse.vstack(rows), sparse.csr_array(signs[:, None])]).tocsr()
    m = slack.shape[1]
    limits = [(-1.0, 1.0)] * (m - 1) + [(-1.0, 1.0) if ties else (0.0, 0.0)]
    gain = np.asarray(slack.sum(axis=0)).ravel()
    found = linprog(-gain, A_ub=-slack, b_ub=np.zeros(slack.shape[0]), bounds=limits)
    return found.fun is None or bool(-found.fun > policy.RUNS_AWAY)
