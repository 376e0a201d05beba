"""Count a frame in its own engine: its columns as told, or found as reading finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algeval.data import Sketch
from algeval.io.answers import Rules
from algeval.io.counting.counted import Counted
from algeval.io.counting.wide import LOOKED_AT
from algeval.io.engines.frame import Frame, open_frame
from algeval.io.engines.long import count_long_frame
from algeval.io.engines.wide import count_wide_frame, count_wide_frame_like
from algeval.io.exports import refuse_export
from algeval.io.layout import Asked, Layout, find_layout, shown
from algeval.io.score_tables import scores_in
from algeval.io.tables import MemoryTable, is_path, is_relation

__all__ = ["count_frame", "counted_frame"]

_COLUMNS = ("item", "judge", "answer", "judges", "layout")
_ANSWERS = ("missing", "labels", "cut", "exact_labels", "map")


def count_frame(
    frame: Frame, layout: Layout, judges: tuple[str, ...] | None, rules: Rules
) -> Counted:
    """Count the columns that a layout names; errors are those of `algeval.io.count`."""
    if layout.kind == "long":
        return count_long_frame(frame, layout, judges, rules)
    return count_wide_frame(frame, layout, rules)


def counted_frame(
    source: Any, given: Mapping[str, Any] | None = None, *, scores: bool = False
) -> tuple[Sketch, tuple[str, ...]] | None:
    """Return the counts that reading a lazy frame would give, and the notes of it.

    The layout is found from the first 10,000 rows that the engine gives; all rows are counted in the engine,
    and only the distinct rows come back. Judges of a long frame are in natural order.

    Parameters
    ----------
    source : lazy frame of any library
    given : dict, optional
        Options of `read_votes`.
    scores : bool
        Whether a frame that looks like scores is to be read as scores, hence not counted.

    Returns
    -------
    Sketch and notes, or None
        None where the votes are to be read: the source is no lazy frame, or an option needs the items.

    Raises
    ------
    DataError
        If the frame cannot be read as votes, other rows are not laid out like the first, or too many
        different rows would come back.

    Examples
    --------
    >>> counted_frame({"i": ["a"], "j": ["a"]}) is None
    True
    """
    options = {name: value for name, value in (given or {}).items() if value is not None}
    if options.keys() - {*_COLUMNS, *_ANSWERS}:
        return None
    frame = _lazy(source)
    if frame is None:
        return None
    asked = Asked.make(*(options.get(name) for name in _COLUMNS))
    rules = Rules.make(*(options.get(name) for name in _ANSWERS))
    sample = MemoryTable(frame.cells(frame.names, LOOKED_AT), f"counted in a {frame.kind}")
    if not asked.anything:
        refuse_export(sample)
    layout = find_layout(sample, asked)
    if scores and scores_in(sample, layout, rules):
        return None
    if layout.kind == "long":
        counted = count_long_frame(frame, layout, asked.judges, rules)
    else:
        counted = count_wide_frame_like(frame, sample, layout, rules)
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    return counted.sketch(), (*sample.notes, *layout.notes, *rest, *counted.said(rules))


def _lazy(source: Any) -> Frame | None:
    """Return a frame whose rows are not in memory, None for anything else."""
    if is_path(source) or is_relation(source) or isinstance(source, list | tuple | dict):
        return None
    frame = open_frame(source)
    return frame if frame is not None and frame.is_lazy else None
