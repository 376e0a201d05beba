"""A table of battles, read: which two systems met, who won, on which prompt, before which judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import Column, first_seen, plain
from algeval.io.layout import JUDGE_NAMES, match, shown
from algeval.io.tables import Table, open_table
from algeval.rates.leaderboards.outcomes import FIRST, SECOND, TIE, UNKNOWN, outcomes_of
from algeval.result.wording import did_you_mean, how_many

__all__ = ["Battles", "Named", "outcome_column", "read_battles"]

_PAIRS = (
    *(("model_a", "model_b"), ("system_a", "system_b"), ("assistant_a", "assistant_b")),
    *(("model_1", "model_2"), ("model1", "model2"), ("system_1", "system_2")),
    *(("system1", "system2"), ("player_a", "player_b"), ("left", "right")),
    *(("first", "second"), ("a", "b")),
)
_WINNERS = (
    *("winner", "outcome", "result", "verdict", "preference", "preferred", "choice", "vote"),
    *("answer", "label", "judgment", "judgement"),
)
_ITEMS = (
    *("item", "item_id", "prompt", "prompt_id", "question", "question_id", "task", "task_id"),
    *("instruction", "instruction_id", "example_id", "instance_id", "conversation_id"),
)
_SHOWN = ("shown_first", "first_shown", "presented_first")

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Named:
    """The columns a caller named; None where names are to be recognised."""

    first: str | None = None
    second: str | None = None
    winner: str | None = None
    judge: str | None = None
    item: str | None = None
    order: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Battles:
    """Battles, a row each, blank ones left out.

    Attributes
    ----------
    systems : tuple of str
        In order of first appearance.
    first, second : (n,) int arrays
        Places of the systems in `systems`; `first` is the one shown first.
    outcome : (n,) int8 array
        0 the first won, 1 the second, 2 a tie.
    item, judge : (n,) int arrays or None
        The prompt and the judge, as numbers from 0.
    names : dict
        {role: column} that were read.
    kept : (n,) int array
        Rows of the table.
    notes : tuple of str
    """

    systems: tuple[str, ...]
    first: Codes
    second: Codes
    outcome: NDArray[np.int8]
    item: Codes | None
    judge: Codes | None
    names: dict[str, str]
    kept: Codes
    items: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.outcome)

    def swapped(self, places: NDArray[np.bool_]) -> Battles:
        """Return the same battles with the two systems exchanged in some rows."""
        other = np.array([SECOND, FIRST, TIE], np.int8)
        return replace(
            self,
            first=np.where(places, self.second, self.first),
            second=np.where(places, self.first, self.second),
            outcome=np.where(places, other[self.outcome], self.outcome),
        )


def read_battles(pairs: Any, named: Named) -> tuple[Battles, Table]:
    """Return battles and the table they were read from.

    Raises
    ------
    DataError
        If a column is missing, a row names no system or one twice, or no battle has an outcome.
    """
    table = open_table(pairs)
    names = _columns(table, named)
    systems, first, second = _systems(table, names)
    outcome = outcomes_of(table.column(names["winner"]), first, second, systems)
    kept = np.flatnonzero(outcome != UNKNOWN)
    if not len(kept):
        raise DataError(
            f"column {names['winner']!r} must name at least one winner; got none; fill it"
        )
    blank = len(outcome) - len(kept)
    notes = (f"{how_many(blank, 'battle')} without a winner left out",) if blank else ()
    items, item = _codes(table, names.get("item"), kept)
    found = Battles(
        systems=systems,
        first=first[kept],
        second=second[kept],
        outcome=outcome[kept],
        item=item,
        judge=_codes(table, names.get("judge"), kept)[1],
        names=names,
        kept=kept,
        items=items,
        notes=notes,
    )
    if "order" not in names:
        return found, table
    return found.swapped(_second_shown(table.column(names["order"]), found)), table


def outcome_column(table: Table, name: str, battles: Battles) -> NDArray[np.int8]:
    """Return another column of winners for the same battles, UNKNOWN where blank."""
    _expect(table.names, name, "gold")
    systems, first, second = _systems(table, battles.names)
    found = outcomes_of(table.column(name), first, second, systems)[battles.kept]
    turned = first[battles.kept] != battles.first
    other = np.array([SECOND, FIRST, TIE, UNKNOWN], np.int8)
    return np.where(turned, other[found], found).astype(np.int8)


def _columns(table: Table, named: Named) -> dict[str, str]:
    first, second = _pair(table.names, named)
    rest = [name for name in table.names if name not in (first, second)]
    winner = _one(rest, named.winner, _WINNERS, "winner")
    if winner is None:
        raise DataError(
            f"a table of battles must have a column that says who won; got {shown(table.names)}; name it "
            "with winner="
        )
    found = {"first": first, "second": second, "winner": winner}
    rest = [name for name in rest if name != winner]
    judges = [name for name in JUDGE_NAMES if name != "model"]
    for role, names in (("judge", judges), ("item", _ITEMS), ("order", _SHOWN)):
        column = _one(rest, getattr(named, role), names, role)
        if column is not None:
            found[role] = column
    return found


def _pair(names: Sequence[str], named: Named) -> tuple[str, str]:
    if (named.first is None) != (named.second is None):
        raise DataError("first= and second= must both name a column; got one of them; give both")
    if named.first is not None and named.second is not None:
        return _expect(names, named.first, "first"), _expect(names, named.second, "second")
    plainly = {name.strip().casefold(): name for name in names}
    for first, second in _PAIRS:
        if first in plainly and second in plainly:
            return plainly[first], plainly[second]
    raise DataError(
        f"a table of battles must have two columns of systems, as model_a and model_b; got {shown(names)}; "
        "name them with first= and second="
    )


def _one(rest: Sequence[str], asked: str | None, usual: Sequence[str], role: str) -> str | None:
    return match(rest, usual) if asked is None else _expect(rest, asked, role)


def _expect(names: Sequence[str], asked: str, role: str) -> str:
    if asked in names:
        return asked
    near = did_you_mean(asked, names, f"there are {shown(names)}")
    raise DataError(f"{role}= must name a column; got {asked!r}; {near}")


def _systems(table: Table, names: dict[str, str]) -> tuple[tuple[str, ...], Codes, Codes]:
    columns = [table.column(names["first"]), table.column(names["second"])]
    texts = [[plain(value) for value in column.values] for column in columns]
    index: dict[str | None, int] = {None: -1}
    for text in (*texts[0], *texts[1]):
        index.setdefault(text, len(index) - 1)
    first, second = (
        column.look_up([index[t] for t in text])
        for column, text in zip(columns, texts, strict=True)
    )
    wrong = np.flatnonzero((first < 0) | (second < 0) | (first == second))
    if len(wrong):
        raise DataError(
            f"every battle must be between two systems; row {wrong[0] + 1} names "
            f"{'one of them twice' if first[wrong[0]] >= 0 and second[wrong[0]] >= 0 else 'fewer'}; "
            "correct it"
        )
    return tuple(str(name) for name in index if name is not None), first, second


def _codes(table: Table, name: str | None, kept: Codes) -> tuple[tuple[str, ...], Codes | None]:
    """Return the names in a column and the place of each row's, refusing blanks."""
    if name is None:
        return (), None
    column = _texts(table.column(name))
    codes = column.codes[kept]
    if (codes < 0).any():
        row = kept[np.flatnonzero(codes < 0)[0]] + 1
        raise DataError(
            f"column {name!r} must be filled in every battle; row {row} is blank; fill it"
        )
    distinct, places = first_seen(codes)
    return tuple(str(column.values[code]) for code in distinct.tolist()), places


def _texts(column: Column) -> Column:
    """Return a column whose values are distinct texts."""
    texts = [plain(value) for value in column.values]
    index = {text: k for k, text in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    codes = column.look_up([-1 if text is None else index[text] for text in texts])
    return Column(column.name, tuple(index), codes)


def _second_shown(order: Column, battles: Battles) -> NDArray[np.bool_]:
    """Return where the system of the second column was shown first."""
    rows = Column(order.name, order.values, order.codes[battles.kept])
    shown_first = outcomes_of(rows, battles.first, battles.second, battles.systems)
    wrong = np.flatnonzero((shown_first != FIRST) & (shown_first != SECOND))
    if len(wrong):
        raise DataError(
            f"column {order.name!r} must name the system shown first in every battle; row "
            f"{battles.kept[wrong[0]] + 1} does not; fill it"
        )
    return np.asarray(shown_first == SECOND)
