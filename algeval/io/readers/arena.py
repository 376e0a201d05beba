"""Battles in the columns that arenas use: model_a, model_b and the winner."""

from __future__ import annotations

from pathlib import Path

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.layout import shown
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.pairs import fixed_order
from algeval.io.tables import Table, open_table

__all__ = ["fits", "read"]

_ONE_HOT = {"model_a": "winner_model_a", "model_b": "winner_model_b", "tie": "winner_tie"}
_ITEMS = ("question_id", "conversation_id", "item", "item_id", "prompt_id", "id")
_SIDES = {"model_a": "first", "a": "first", "model_b": "second", "b": "second"}


def fits(files: Files) -> bool:
    """Whether every file has the columns of battles."""
    return all(_is_one(set(files.columns(path))) for path in files.paths)


def _is_one(names: set[str]) -> bool:
    one_hot = set(_ONE_HOT.values()) - {"winner_tie"} <= names
    return {"model_a", "model_b"} <= names and ("winner" in names or one_hot)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return a vote per battle, the pair in a fixed order."""
    found = Gathered("battles (model_a, model_b, winner)")
    for path in files.paths:
        _read_one(found, path)
    found.notes.insert(0, "item: question and pair in a fixed order; answer: which of the pair won")
    return found


def _read_one(found: Gathered, path: Path) -> None:
    table = open_table(path)
    item = next((name for name in _ITEMS if name in table.names), None)
    if item is None:
        raise DataError(
            f"battles must say which question they are about; {path.name} has {shown(table.names)}; add a "
            "column question_id, or use the table for a leaderboard"
        )
    ids = _texts(table, item)
    turns = _texts(table, "turn") if "turn" in table.names else None
    judges = _texts(table, "judge") if "judge" in table.names else [path.stem] * table.n_rows
    sides = zip(_texts(table, "model_a"), _texts(table, "model_b"), strict=True)
    told = {item: ids, "turn": turns or ids, "judge": judges}
    for row, ((first, second), won) in enumerate(
        zip(sides, _winners(table, path, found), strict=True)
    ):
        where = f"row {row + 1} of {path.name}"
        told_here = {n: cells[row] for n, cells in told.items()}
        told_here |= {"model_a": first, "model_b": second}
        blank = next((n for n, cell in told_here.items() if cell is None), None)
        if blank is not None:
            raise DataError(f"every battle must have {blank!r}; {where} has none; fill it")
        pair, turned = fixed_order(str(first), str(second), where)
        name = f"{ids[row]}:{turns[row]}:{pair}" if turns else f"{ids[row]}:{pair}"
        if won is None:
            found.no_vote(name, judges[row], "no winner")
        else:
            found.vote(name, judges[row], _turned(won) if turned else won)


def _turned(won: str) -> str:
    return {"first": "second", "second": "first"}.get(won, won)


def _texts(table: Table, name: str) -> list[str | None]:
    return table.column(name).texts()


def _winners(table: Table, path: Path, found: Gathered) -> list[str | None]:
    told = _texts(table, "winner") if "winner" in table.names else _folded(table, path, found)
    both_bad = sum(text is not None and "bothbad" in text.lower() for text in told)
    if both_bad:
        found.notes.append(f"'tie (bothbad)' read as a tie ({both_bad})")
    return [_winner(text, f"row {row} of {path.name}") for row, text in enumerate(told, start=1)]


def _winner(text: str | None, where: str) -> str | None:
    if text is None:
        return None
    low = text.strip().lower()
    if low.startswith("tie"):
        return "tie"
    if low not in _SIDES:
        raise DataError(
            f"winner must be model_a, model_b or tie; got {text!r} in {where}; write it so"
        )
    return _SIDES[low]


def _folded(table: Table, path: Path, found: Gathered) -> list[str | None]:
    """Return the winner of columns that hold a 1 for it: they are one vote, not several judges."""
    names = {who: name for who, name in _ONE_HOT.items() if name in table.names}
    columns = {who: [plain(cell) for cell in _texts(table, name)] for who, name in names.items()}
    rows = [
        [who for who, cells in columns.items() if cells[row] in ("1", "True", "true")]
        for row in range(table.n_rows)
    ]
    wrong = next((row for row, won in enumerate(rows) if len(won) != 1), None)
    if wrong is not None:
        raise DataError(
            f"exactly one of {shown(tuple(names.values()))} must be 1 in every row; got "
            f"{len(rows[wrong])} in row {wrong + 1} of {path.name}; they are one vote"
        )
    found.notes.append(f"{shown(tuple(names.values()))} are one vote, read as the winner")
    return [won[0] for won in rows]
