"""Count a long frame in its own engine: a sum per judge and item, then the items by their sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algeval.data.names import NOT_ANSWERED, natural_order
from algeval.errors import DataError
from algeval.io.answers import Rules, score_notes
from algeval.io.columns import Column, Places, factorise, plain
from algeval.io.counting.counted import Counted
from algeval.io.counting.grouped import Grouped, one_sided
from algeval.io.counting.long import MOST_JUDGES, votes_notes
from algeval.io.engines.cells import answer_cell, is_any_of, item_cell, plain_cell
from algeval.io.engines.frame import MOST_ROWS, TOTAL, Frame, series_cells
from algeval.io.engines.rows import in_order, too_many_rows
from algeval.io.layout import Layout
from algeval.io.long import chosen_judges
from algeval.io.meaning import Meaning, encode_columns
from algeval.result.wording import how_many

__all__ = ["count_long_frame"]

_MOST_PAIRS = 1_000_000
"""Pairs of a judge and an answer; with more, answers are scores or judges are items."""

_MOST_ANSWERS = 2_000
"""Of different cells of answers, each of which an engine compares with every row."""

_ONE = 1 << 20
"""What a vote adds to the sum of its judge and item, beside the number of its answer."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The distinct pairs of judge and answer."""

    answer: Column
    judges: list[str]
    weights: Places
    held: dict[str, list[object]]
    """What the frame holds where a judge is meant, by the judge's name."""
    rules: Rules
    """By which the frame's cells became these answers."""


def count_long_frame(
    frame: Frame, layout: Layout, judges: tuple[str, ...] | None, rules: Rules
) -> Counted:
    """Count the votes of each item, of at most 40 judges; in natural order unless they are named.

    Repeated votes are looked for among the judges that are counted. Of two spellings of an answer that are
    equally common, the first in alphabetical order is shown.

    Raises
    ------
    DataError
        If a row names no item or no judge, a judge answers an item twice, or there are too many judges,
        answers or different items.
    """
    pairs = _pairs(frame, layout, rules)
    if rules.cut is not None and one_sided([pairs.answer], rules):
        pairs = _pairs(frame, layout, replace(rules, cut=None))
    names, _ = chosen_judges(natural_order(pairs.held), judges)
    if len(names) > MOST_JUDGES:
        raise DataError(
            f"a long table must have at most {MOST_JUDGES} judges to be counted; got {len(names)}; name some "
            "of them with judges=, or read the votes with read_votes"
        )
    meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
    votes = _votes(
        frame, layout, [pairs.held[name] for name in names], _number(frame, layout, pairs, meaning)
    )
    sums, counts = _by_sums(frame, layout, votes)
    again = (sums >= 2 * _ONE).any(0)
    if again.any():
        place = int(np.argmax(again))
        n_items = int(counts[sums[:, place] >= 2 * _ONE].sum())
        raise _repeated(frame, layout, names[place], pairs.held[names[place]], n_items)
    codes = (sums % _ONE - 1).astype(np.int16)
    return Counted(names, meaning, codes, counts, _notes(pairs, names, meaning, rules))


def _pairs(frame: Frame, layout: Layout, rules: Rules) -> _Pairs:
    """Learn in one pass which judges there are, and which answers, and that every row names its item."""
    import narwhals as nw

    blanks = {
        f"blank {place}": nw.when(cell.is_null()).then(nw.lit(1)).otherwise(nw.lit(0))
        for place, cell in enumerate(_item_cells(frame, layout).values())
    }
    keys = {"a": answer_cell(frame, layout.answer, rules), "j": plain_cell(frame, layout.judge)}
    found = frame.fetched(frame.grouped(keys, **blanks), _MOST_PAIRS + 1)
    if len(found) > _MOST_PAIRS:
        raise DataError(
            f"a long table must have at most {_MOST_PAIRS} different pairs of judge and answer to be "
            "counted; got more; pass cut= if these are scores, or name other columns with judge= and answer="
        )
    for name, blank in zip(layout.item, blanks, strict=True):
        _refuse_blank("item", name, sum(found[blank].to_list()))
    columns = {key: factorise(key, series_cells(found[key])) for key in keys}
    table = in_order(Grouped(columns, np.asarray(found[TOTAL].to_numpy(), np.int64)))
    texts = table.column("j").texts()
    nameless = [text is None for text in texts]
    _refuse_blank("judge", layout.judge, int(table.weights[nameless].sum()))
    held: defaultdict[str, list[object]] = defaultdict(list)
    for value in table.column("j").values:
        held[str(plain(value))].append(value)
    answer = replace(table.column("a"), name=layout.answer)
    return _Pairs(answer, list(map(str, texts)), table.weights, dict(held), rules)


def _item_cells(frame: Frame, layout: Layout) -> dict[str, Any]:
    return {f"i{place}": item_cell(frame, name) for place, name in enumerate(layout.item)}


def _refuse_blank(option: str, column: str, n_rows: int) -> None:
    if n_rows:
        raise DataError(
            f"every row must name its {option}; got {how_many(n_rows, 'row')} with none in column "
            f"{column!r}; fill it or choose another with {option}="
        )


def _number(frame: Frame, layout: Layout, pairs: _Pairs, meaning: Meaning) -> Any:
    """Return the expression of an answer's number from 1 on, 0 where a vote is missing."""
    import narwhals as nw

    if len(pairs.answer.values) > _MOST_ANSWERS:
        raise DataError(
            f"column {layout.answer!r} must have at most {_MOST_ANSWERS} different cells to be counted; got "
            f"{len(pairs.answer.values)}; make it a column of numbers if these are scores to cut"
        )
    meant: defaultdict[int, list[object]] = defaultdict(list)
    for value, code in zip(pairs.answer.values, meaning.codes[0], strict=True):
        if code != NOT_ANSWERED:
            meant[code].append(value)
    cell, number = answer_cell(frame, layout.answer, pairs.rules), nw.lit(0)
    for code, values in meant.items():
        is_it = is_any_of(cell, values)
        number = number + nw.when(is_it).then(nw.lit(code + 1)).otherwise(nw.lit(0))
    return number


def _votes(
    frame: Frame, layout: Layout, judges: Sequence[Sequence[object]], number: Any
) -> dict[str, Any]:
    """Return per judge what a row adds to the sum of its item: 0 if it is about another judge."""
    import narwhals as nw

    judge = plain_cell(frame, layout.judge)
    return {
        f"w{place}": nw.when(is_any_of(judge, held))
        .then(number + nw.lit(_ONE))
        .otherwise(nw.lit(0))
        for place, held in enumerate(judges)
    }


def _by_sums(frame: Frame, layout: Layout, votes: dict[str, Any]) -> tuple[Places, Places]:
    """Return the distinct sums that items have, (rows, judges), and how many items have them."""
    import narwhals as nw

    items = frame.grouped(_item_cells(frame, layout), **votes)
    found = frame.fetched(items.group_by(*votes).agg(nw.len().alias("items")), MOST_ROWS + 1)
    if len(found) > MOST_ROWS:
        raise too_many_rows(
            frame, "items by their answers", "name fewer judges with judges=, or count parts of it"
        )
    sums = [np.asarray(found[name].to_numpy(), np.int64) for name in votes]
    return np.stack(sums, axis=1), np.asarray(found["items"].to_numpy(), np.int64)


def _repeated(
    frame: Frame, layout: Layout, judge: str, held: Sequence[object], n_items: int
) -> DataError:
    """Return the complaint about a judge who answers some items twice, with one of them."""
    import narwhals as nw

    theirs = frame.where(is_any_of(plain_cell(frame, layout.judge), held))
    keys = _item_cells(frame, layout)
    found = theirs.fetched(theirs.grouped(keys).filter(nw.col(TOTAL) > 1), 1)
    item = ":".join(str(plain(found[key].to_list()[0])) for key in keys)
    return DataError(
        f"each judge must answer an item once; got {found[TOTAL].to_list()[0]} votes of {judge!r} on item "
        f"{item!r} ({how_many(n_items, 'item')} with repeated votes of this judge); keep one of each"
    )


def _notes(
    pairs: _Pairs, judges: tuple[str, ...], meaning: Meaning, rules: Rules
) -> tuple[str, ...]:
    kept = int(pairs.weights[np.isin(pairs.judges, judges)].sum())
    others = int(pairs.weights.sum()) - kept
    read, *left = votes_notes(how_many(len(judges), "judge"), kept, others)
    return (read, *score_notes(meaning.answers, rules), *left)
