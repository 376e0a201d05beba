"""The report's section on what judges who give scores share, and its line on the first screen."""

from __future__ import annotations

from algeval.aggregate.score_checks.confounders import confounders
from algeval.aggregate.score_checks.results import Confounders, factor_name
from algeval.data import Scores
from algeval.data.shown import DASH
from algeval.report.parts import Section, Table
from algeval.report.sections.votes import MOST_ROWS, left_out_note
from algeval.result import Status, percent

__all__ = ["MOST_CELLS", "shared_line", "shared_section"]

MOST_CELLS = 500_000
"""Scores up to which a report looks for shared things; as many with gaps take half a minute or so."""


def shared_section(data: Scores, arguments: str) -> Section:
    """Return the section on what the judges share; with more scores it only says how to ask."""
    title = "What the judges share"
    if data.values.size > MOST_CELLS:
        told = f"Not looked for, as that takes long with {data.values.size} scores; {_ask(arguments)} does."
        return Section(title=title, lines=(told,))
    found = confounders(data)
    if found.status is Status.NOT_IDENTIFIABLE:
        return Section(title=title, lines=(found.message,), results={"shared": found})
    lines = [found.message, *(f"Note: {warning}" for warning in found.warnings)]
    return Section(
        title=title,
        lines=tuple(lines),
        tables=(_loadings(found), *_attributes(found), _alternatives(found)),
        caveat=(
            "Two factors are turned so that each judge follows as few as possible; that this splits "
            "quality from a bias is an assumption. An attribute that goes with a factor may be part of "
            "quality."
        ),
        results={"shared": found},
    )


def shared_line(section: Section, arguments: str) -> tuple[str, ...]:
    """Return the sentence for the first screen: that there is more than one shared thing, or nothing."""
    found = section.results.get("shared")
    if found is None or not found.more_than_one:
        return ()
    with_it = found.named(factor_name(1))
    goes = "" if with_it is None else f"; the narrower one goes with {with_it.words()}"
    return (f"The judges share more than one thing{goes}: see {_ask(arguments)}.",)


def _ask(arguments: str) -> str:
    return f"algeval confounders {arguments}" if arguments else "ae.confounders(scores)"


def _loadings(found: Confounders) -> Table:
    order = (-found.loading).argsort(kind="stable")[:MOST_ROWS].tolist()
    names = ("judge", *found.factors, "noise")
    rows = tuple(
        (
            found.judges[j],
            f"{found.loading[j]:+.2f}",
            *(f"{load:+.2f}" for load in found.turned[j]),
            f"{found.noise[j]:.2f}",
        )
        for j in order
    )
    return Table(columns=names, rows=rows, note=left_out_note(len(found.judges) - len(rows)))


def _attributes(found: Confounders) -> tuple[Table, ...]:
    """Return a row for each attribute, the one that goes most with anything shared first."""
    names, links = found.factors, found.links
    shared = dict.fromkeys(one.attribute for one in found.associations if one.kind != "judge")
    if not shared:
        return ()
    rows = tuple(
        (
            attribute,
            *(
                f"{links[attribute, name].correlation:+.2f}" if (attribute, name) in links else DASH
                for name in names
            ),
        )
        for attribute in list(shared)[:MOST_ROWS]
    )
    note = (
        f"Rank correlations; {len(found.associations)} were looked at, those with judges included."
    )
    return (Table(columns=("attribute", *names), rows=rows, note=note),)


def _alternatives(found: Confounders) -> Table:
    rows = tuple(
        (shift.act, f"{shift.correlation:.3f}", percent(shift.flipped), shift.asserts)
        for shift in found.alternatives
    )
    names = ("instead of one factor", "correlation with it", "items that flip", "by this you say")
    return Table(columns=names, rows=rows)
