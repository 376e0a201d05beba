"""How much the judges agree, in the coefficients people expect."""

from __future__ import annotations

from typing import Any

from algeval.aggregate.checks.agreement import agreement
from algeval.aggregate.checks.groups import judge_groups
from algeval.data import Sketch
from algeval.errors import TooLargeError
from algeval.report.parts import Section, Table
from algeval.result import percent

__all__ = ["agreement_section"]

_MOST_JUDGES = 8
_MOST_COPIED = 100
"""Above so many judges the search for near copies takes longer than the rest of the report."""
_TITLE = "How much the judges agree"
_CAVEAT = "Agreement is not accuracy: judges trained alike agree also where they are wrong."


def agreement_section(counts: Sketch) -> Section:
    """Return percent agreement, Cohen, Fleiss and Krippendorff, from counts."""
    if counts.n_judges < 2:
        return Section(title=_TITLE, lines=("One judge alone agrees with nobody.",))
    try:
        found = agreement(counts)
    except TooLargeError as error:
        return Section(title=_TITLE, lines=(f"Not done: {error}.",))
    pairs = [(i, j) for n, i in enumerate(counts.judges) for j in counts.judges[:n]]
    shares = sorted(share for i, j in pairs if (share := found.percent(i, j)) is not None)
    lines = [
        f"Krippendorff's alpha {_short(found.alpha)}; Fleiss' kappa {_short(found.fleiss)}"
        + (" (not defined here)." if found.fleiss is None else ".")
    ]
    if shares:
        middle = shares[len(shares) // 2]
        lines.append(
            f"Pairs agree on {percent(shares[0])} to {percent(shares[-1])} of their common items, "
            f"in the middle {percent(middle)} ({len(shares)} pairs)."
        )
    lines += [f"Note: {warning}" for warning in found.warnings]
    told, results = _copies(counts)
    return Section(
        title=_TITLE,
        lines=(*lines, *told),
        tables=(_table(counts.judges, found),) if 1 < counts.n_judges <= _MOST_JUDGES else (),
        caveat=_CAVEAT,
        results={"agreement": found, **results},
    )


def _copies(counts: Sketch) -> tuple[list[str], dict[str, Any]]:
    """Return what is said of near copies among the judges, and the result it was made from."""
    if counts.n_judges > _MOST_COPIED:
        return [f"Near copies were not looked for among so many judges (over {_MOST_COPIED})."], {}
    found = judge_groups(counts)
    if not found.status.ok:
        return [], {}
    lines = [*found.summary().splitlines()]
    return [line.strip() for line in lines], {"groups": found}


def _table(judges: tuple[str, ...], found: object) -> Table:
    rows = []
    for i in judges:
        row = [i]
        for j in judges:
            share, kappa = found.percent(i, j), found.cohen(i, j)  # type: ignore[attr-defined]
            row.append("" if i == j or share is None else f"{percent(share, 0)} ({_short(kappa)})")
        rows.append(tuple(row))
    return Table(columns=("agreement (Cohen's kappa)", *judges), rows=tuple(rows))


def _short(value: object) -> str:
    return "-" if value is None else f"{float(value):.3f}"  # type: ignore[arg-type]
