"""Errors that judges share: couplings of a fitted model, or correlations left over after the label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval.aggregate import Aggregation
from algeval.aggregate.checks.pair_test import PairTest, pair_test
from algeval.aggregate.checks.score_test import ScoreTest
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Votes
from algeval.data.names import positions
from algeval.errors import DataError
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.heat import MOST_WRITTEN, name_rows, show_table, table_figure
from algeval.report.figures.style import describe, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_couplings"]

_LEFTOVER = "correlation of being wrong,\nleft over after the label"
_COUPLING = "coupling"


class Shared(NamedTuple):
    """What pairs of judges share: (N, N) tables by name, what their numbers are, what is left out."""

    judges: tuple[str, ...]
    tables: dict[str, Floats]
    unit: str
    note: str = ""


def draw_couplings(data: Any, *, label: str | None = None) -> Figure:
    """Draw what every two judges share beyond the label: red together, blue against one another.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, PairTest, ScoreTest or Aggregation
        Of votes the correlations of being wrong that `pair_test` finds are drawn; of a fit of
        'ising', 'ising-class-dependent' or 'log-linear' its couplings (log-odds that two judges
        answer alike beyond what the label explains; they count for conditional dependence).
    label : str, optional
        Of a fit with couplings per label the one to show; by default each.
    """
    found = _read(data)
    tables = found.tables
    if label is not None:
        positions("label", [label], tuple(tables))
        tables = {label: tables[label]}
    figure = _draw(found, tables)
    return describe(figure, *_words(found, tables))


def _read(data: Any) -> Shared:
    if isinstance(data, Votes | Sketch | KeyedSketch):
        data = pair_test(data, replicates=1)
    if isinstance(data, PairTest | ScoreTest):
        return Shared(data.judges, {"all labels": _off(data.pair_correlation)}, _LEFTOVER)
    if not isinstance(data, Aggregation):
        raise refuse_data(data, "votes, a test of pairs or an Aggregation")
    if "couplings" in data.parameters:
        tables = [_off(table) for table in np.array(data.parameters["couplings"], float)]
        alike = np.allclose(tables[0], tables[1], equal_nan=True)
        named = {"all labels": tables[0]} if alike else dict(zip(data.labels, tables, strict=True))
        return Shared(_heard(data), named, _COUPLING)
    if "interactions" in data.parameters:
        return _log_linear(data)
    raise DataError(
        "the result must be a fit with couplings between judges ('ising', 'ising-class-dependent' or "
        f"'log-linear'); got {data.method!r}; draw 'couplings' of the votes instead"
    )


def _log_linear(data: Aggregation) -> Shared:
    judges = _heard(data)
    table = np.full((len(judges), len(judges)), np.nan)
    sets, values = data.parameters["sets"], data.parameters["interactions"]
    pairs = [(s, v) for s, v in zip(sets, values, strict=True) if len(s) == 2]
    for (i, j), value in pairs:
        table[i, j] = table[j, i] = value
    more = len(sets) - len(pairs)
    note = f"{more} terms of three judges are not shown" if more else ""
    return Shared(judges, {"all labels": table}, _COUPLING, note)


def _heard(data: Aggregation) -> tuple[str, ...]:
    """Return the judges that answered at all: models of couplings hold no others."""
    gave = (data.patterns != NOT_ANSWERED).any(axis=0)
    return tuple(j for j, heard in zip(data.judges, gave.tolist(), strict=True) if heard)


def _off(table: Floats) -> Floats:
    """Return a copy without its diagonal."""
    result: Floats = np.array(table, float)
    np.fill_diagonal(result, np.nan)
    return result


def _draw(found: Shared, tables: dict[str, Floats]) -> Figure:
    n = len(found.judges)
    title = "What two judges share beyond the label\nred: err together; blue: against one another"
    title = f"{title}\n{found.note}" if found.note else title
    figure, grid = table_figure(found.judges, title, tables=len(tables))
    most = max(0.01, *(float(np.nanmax(np.abs(table), initial=0.0)) for table in tables.values()))
    image: Any = None
    for axes, (name, table) in zip(grid, tables.items(), strict=True):
        image = show_table(
            axes,
            table,
            colours="RdBu_r",
            least=-most,
            most=most,
            form="{:+.2f}" if n <= MOST_WRITTEN else None,
        )
        name_rows(axes, found.judges)
        if len(tables) > 1:
            axes.set_title(f"items of {plain(name)}")
    figure.colorbar(image, ax=list(grid), shrink=0.75, label=found.unit)
    return figure


def _words(found: Shared, tables: dict[str, Floats]) -> list[str]:
    unit = found.unit.replace("\n", " ")
    words = [f"A table of {len(found.judges)} by {len(found.judges)} judges: {unit}, 0 is white."]
    left, right = np.triu_indices(len(found.judges), 1)
    for name, table in tables.items():
        values = table[left, right]
        known = np.flatnonzero(np.isfinite(values))
        if len(known):
            p = known[np.argmax(np.abs(values[known]))]
            pair = f"{plain(found.judges[left[p]])} and {plain(found.judges[right[p]])}"
            on = "" if len(tables) == 1 else f" on {plain(name)}"
            words.append(f"Furthest from 0{on}: {pair} with {values[p]:+.2f}.")
    return [*words, f"{found.note}." if found.note else ""]
