"""One vote of a judge on an item: of several the newest if asked, else a refusal that names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from algeval.errors import DataError
from algeval.result.wording import how_many

__all__ = ["Ballot", "one_each"]


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as it stands in a file.

    Attributes
    ----------
    item, judge : str
    place : str
        Where it stands, in words: "annotation 12", "line 3 of x.jsonl".
    when : object
        A time as ISO text or a number, None where the file has none.
    held : object
        What the file says.
    """

    item: str
    judge: str
    place: str
    when: Any
    held: Any


def one_each(ballots: Iterable[Ballot], latest: bool) -> tuple[list[Ballot], int]:
    """Return one ballot a judge and item, and how many older ones were left out.

    Raises
    ------
    DataError
        If there are several and the newest was not asked for, or cannot be told.

    Examples
    --------
    >>> old, new = (Ballot("q1", "ann", f"line {k}", k, "yes") for k in (1, 2))
    >>> one_each([old, new], latest=True)[0] == [new]
    True
    """
    met: dict[tuple[str, str], list[Ballot]] = {}
    for ballot in ballots:
        met.setdefault((ballot.item, ballot.judge), []).append(ballot)
    several = [group for group in met.values() if len(group) > 1]
    if several and not latest:
        raise _repeated(several)
    return [_newest(group) for group in met.values()], sum(len(group) - 1 for group in several)


def _newest(group: list[Ballot]) -> Ballot:
    if len(group) == 1:
        return group[0]
    times = [_time(ballot.when) for ballot in group]
    known = [time for time in times if time is not None]
    if len(known) < len(group) or known.count(max(known)) > 1:
        raise DataError(
            f"the newest vote must be known by its time; {group[0].judge!r} votes on item {group[0].item!r} "
            f"in {_places(group)}, with no time or the same; keep one of them"
        )
    return group[known.index(max(known))]


def _time(when: Any) -> float | None:
    """Return a time as seconds; one without a zone is taken for UTC."""
    if isinstance(when, int | float) and not isinstance(when, bool):
        return float(when) if when == when else None
    try:
        told = datetime.fromisoformat(str(when))
    except ValueError:
        return None
    return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()


def _repeated(several: list[list[Ballot]]) -> DataError:
    first = several[0]
    more = f"; {how_many(len(several) - 1, 'more pair')} alike" if len(several) > 1 else ""
    return DataError(
        f"a judge must vote on an item once; {first[0].judge!r} votes on item {first[0].item!r} in "
        f"{_places(first)}{more}; keep one of each, or take the newest with latest="
    )


def _places(group: list[Ballot]) -> str:
    shown = ", ".join(ballot.place for ballot in group[:4])
    return shown + (f", ... ({len(group)} in all)" if len(group) > 4 else "")
