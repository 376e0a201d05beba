"""Roles of a results table by the contract, as the builder of results takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from algeval.data.contract import VOTES, Reading, Said, contract
from algeval.data.facts import facts_of
from algeval.data.names import Caution
from algeval.errors import DataError, option
from algeval.io.asking import Proposal, proposal_of, said_by
from algeval.io.columns_file import Entry
from algeval.io.evidence import Evidence, settle_commas
from algeval.io.layout import shown
from algeval.io.roles import Decision, Roles, Stated
from algeval.io.tables import MemoryTable, Table

PROPOSAL = "the proposal"
"""Who says a role that was taken as proposed."""

_NAMED = ("judge", "model", "person", "tool", "said", "winner", "raters")
"""Rules by which a vote has its name, rather than by standing in a table of nothing else."""


def roles_by_contract(table: Table, stated: Stated, *, votes_only: bool = False) -> Roles:
    """Role of every column of a table by the contract, and the one question it leaves.

    votes_only : whether the question is about votes alone
    """
    people = table.people if isinstance(table, MemoryTable) else frozenset()
    if people and not (stated.people or stated.raters or stated.human):
        stated = replace(stated, people=tuple(sorted(people)))
    facts = facts_of(table, stated.labels)
    said = _said(stated, tuple(table.names))
    reading = contract(facts, said, votes_only=votes_only, index=table.index.columns)
    _check_systems(reading, said)
    for name in reading.named(*VOTES, "rater", "answer"):
        if facts[name].nested:
            table.column(name)  # refuses what is no plain value
    notes = [note for note in table.notes if isinstance(note, Caution)]
    by = f"columns by {stated.file}" if stated.file else ""
    proposal = proposal_of(reading, values_said=True)
    if proposal is not None and stated.yes:
        said = _with_proposal(said, proposal)
        reading = contract(facts, said, votes_only=votes_only, index=table.index.columns)
        parts = ", ".join(f"{name} {role}" for name, role in proposal.columns.items())
        notes.append(Caution(f"columns as proposed, which nobody confirmed: {parts}"))
        by = "columns as proposed, unconfirmed"
        proposal = proposal_of(reading, values_said=True)
    parted = any(note.endswith("read as CSV") for note in table.notes)
    columns = {n: Evidence.of(table, n, stated.labels, parted=parted) for n in table.names}
    settle_commas(columns.values())
    roles = _roles(reading, columns, stated)
    roles.questions = [] if proposal is None else [proposal.question]
    roles.proposal, roles.unused, roles.by = proposal, tuple(reading.unused), by
    roles.said = tuple(notes)
    if isinstance(table, MemoryTable):
        roles.people_named |= table.people
        roles.file = table.file
    return roles


def _check_systems(reading: Reading, said: Said) -> None:
    """Refuse systems that no column of votes names, and votes that are said and of none of them."""
    held = {system for system, _ in reading.grid.values()}
    votes = [n for n in reading.named(*VOTES) if said.roles.get(n) in VOTES]
    absent = [name for name in said.systems if name not in held]
    if absent:
        raise DataError(
            f"{option('systems')} must be words of the names of columns of votes; got {shown(absent)}; the "
            f"columns are {shown(list(reading.facts))}"
        )
    if said.systems and (outside := [n for n in votes if n not in reading.grid]):
        raise DataError(
            f"a column of votes must name one of the systems {shown(said.systems)}; got {shown(outside)}; "
            "leave it out or give its name a system"
        )


def _said(stated: Stated, names: tuple[str, ...]) -> Said:
    """What is stated of a table's columns."""
    return Said(
        stated.by_column(names),
        systems=stated.systems,
        repeats=stated.repeats,
        by=stated.file or "you",
        whole=bool(stated.roles),
        item=stated.item,
    )


def _with_proposal(said: Said, proposal: Proposal) -> Said:
    """What is said, with the proposed answer in place of a person's."""
    own = said_by(proposal.answers[0])
    return Said(
        {**said.roles, **own.roles},
        systems=own.systems or said.systems,
        repeats=said.repeats or own.repeats,
        by=PROPOSAL,
        whole=said.whole,
        item=own.item or said.item,
    )


def _roles(reading: Reading, columns: dict[str, Evidence], stated: Stated) -> Roles:
    people = stated.people or reading.people_named
    whos = [text for column in reading.of("rater") for text in column.texts]
    decided = {n: Decision(reading.roles[n], reading.why(n)) for n in columns}
    roles = Roles(
        columns,
        decided,
        [],
        layout=reading.layout,
        item=reading.item,
        names_judges=any(rule in _NAMED for rule in reading.rules.values()),
        pairs=reading.pairs,
        repeats=reading.repeats,
        people=reading.layout == "long" and {*whos} == {*people},
        people_named=frozenset(people),
        runs=reading.runs,
        grid=reading.grid,
        n_rows=next((c.n_rows for c in columns.values()), 0),
    )
    if stated.layout:
        roles.as_saved(stated.layout)
    return roles


def entry_of_roles(roles: Roles, options: Mapping[str, Any]) -> Entry:
    """Entry of a file of columns that gives these roles, those asked about as proposed.

    options : settings that were stated beside the columns
    """
    columns = {n: d.role for n, d in roles.decided.items()}
    more: dict[str, Any] = {}
    if roles.proposal is not None:
        columns |= roles.proposal.columns
        answer = roles.proposal.answers[0]
        more = {n: list(answer[n]) for n in ("systems", "missing", "labels") if n in answer}
        more |= {"trial": "rows"} if "trial" in answer else {}
    if roles.repeats and not {"trial", "swap"} & {*columns.values()}:
        more["trial"] = "rows"
    if roles.grid:
        more["systems"] = list(dict.fromkeys(system for system, _ in roles.grid.values()))
    return Entry(columns, tuple(roles.decided), {**more, **options})
