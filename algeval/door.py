"""The door: what people have becomes votes, a summary or scores, once, at a public name.

Below a public function there are only these; nothing but this module asks what kind of thing was passed.
Data of the package pass as they are, and a reader is imported by the first table that needs it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial, wraps
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
    overload,
)

from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.read import votes_of
from algeval.data.reading import Data, Source
from algeval.errors import DataError

if TYPE_CHECKING:
    from algeval.io.results import Results

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

OWN = (Votes, Sketch, KeyedSketch, Summary, Scores)
"""The package's own data, which pass."""


class Reads(Protocol[P, R_co]):
    """A function that is called with any source, and sees data."""

    __name__: str

    @property
    def core(self) -> Callable[Concatenate[Data, P], R_co]:
        """The function of data itself, which other functions of the package call."""
        ...

    def __call__(self, data: Source, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Read the data and call the function."""
        ...


@overload
def reads(function: Callable[Concatenate[Data, P], R], /) -> Reads[P, R]: ...
@overload
def reads(*, items: bool) -> Callable[[Callable[Concatenate[Data, P], R]], Reads[P, R]]: ...


def reads(function: Any = None, /, *, items: bool = False) -> Any:
    """Decorator by which a public function is called with any source, and sees data.

    items : whether the function needs the votes of each item, and not only how many items have which.
    """
    if function is None:
        return partial(reads, items=items)
    own = inspect.signature(function)
    first, *rest = own.parameters.values()

    @reads_as_named
    @wraps(function)
    def read_first(data: Source, *args: Any, **settings: Any) -> Any:
        return function(table(data, items=items), *args, **settings)

    parameters = [first.replace(annotation="Source"), *rest]
    read_first.__dict__["__signature__"] = own.replace(parameters=parameters)
    read_first.__dict__["core"] = function
    return read_first


def reads_as_named(function: Callable[P, R], /) -> Callable[P, R]:
    """Decorator by which a function of a table takes the words of `read_results` too, unless its own."""
    parameters = inspect.signature(function).parameters
    first = next(iter(parameters))
    settings_of_methods = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    own = frozenset({*parameters, *(["cut"] if settings_of_methods else [])})

    @wraps(function)
    def read_as_named(*args: P.args, **settings: P.kwargs) -> R:
        if settings.keys() <= own:
            return function(*args, **settings)
        source: Any = args[0] if args else settings.get(first)
        if settings_of_methods and isinstance(source, OWN):
            return function(*args, **settings)
        return function(*_with_words(args, settings, own, first), **settings)

    return read_as_named


def _with_words(
    args: tuple[Any, ...], settings: dict[str, Any], own: frozenset[str], first: str
) -> tuple[Any, ...]:
    """Positional arguments, of which the table is read with the words of `settings`, which are taken out."""
    from algeval.io.sources import READING, as_named, is_single_table

    words = {n: w for n, w in settings.items() if n not in own and n in READING}
    for name in words:
        del settings[name]
    if not words or not (args or first in settings):
        return args
    source = args[0] if args else settings.pop(first)
    if isinstance(source, OWN):
        raise DataError(
            f"{', '.join(words)} must come with a table; got {type(source).__name__}, read already; "
            "leave it out, or pass the table"
        )
    several = "votes_b" in own
    if several and (args[1:] or "votes_b" in settings or not is_single_table(source)):
        raise DataError(
            f"{', '.join(words)} must come with one table that holds the systems; got several; pass "
            f"ae.read_results(table, {next(iter(words))}=...) of each"
        )
    return as_named(source, words, settings, own), *args[1:]


# --- What a source is, as data.


def table(data: Source, *, items: bool = False) -> Data:
    """Votes, counts or a summary of what people have; scores are refused.

    A large file or a lazy frame is counted where it lies unless the votes of each of the `items` are needed.
    """
    if isinstance(data, Votes | Sketch | KeyedSketch | Summary):
        return data
    votes = None if isinstance(data, Scores) else votes_of(data)
    if votes is not None:
        return votes
    from algeval.io.sources import read_data

    return read_data(data, items=items)


def table_or_scores(
    data: Source | Scores, *, as_scores: bool = False, items: bool = True, of_frames: bool = True
) -> Data | Scores:
    """Data as of `table`, or scores where they look so or are to be read `as_scores`.

    of_frames : whether items of wide lazy frames are needed, too; without them these are counted.
    """
    if isinstance(data, OWN):
        return data
    votes = None if as_scores else votes_of(data)
    if votes is not None:
        return votes
    from algeval.io.sources import read_data_or_scores

    return read_data_or_scores(data, as_scores=as_scores, items=items, of_frames=of_frames)


def score_table(data: Source | Scores, name: str = "data") -> Scores:
    """Scores, read from a table of any numbers, 0 and 1 too, if they are none yet."""
    if isinstance(data, Scores):
        return data
    from algeval.io.sources import read_score_table

    return read_score_table(data, name)


def labelled(data: Any, human: Any) -> tuple[Any, Any]:
    """Data, and people's labels of them, which are "key" where they are the key of the data."""
    if type(data) in (Votes, Sketch, Summary, Scores):
        return data, human
    from algeval.io.sources import read_labelled

    return read_labelled(data, human)


class LabelRows(NamedTuple):
    """Rows of item and label, None where it is empty, and of the columns beside; an item may have several."""

    items: tuple[str, ...]
    values: tuple[str | None, ...]
    beside: Mapping[str, tuple[str | None, ...]] = MappingProxyType({})
    notes: tuple[str, ...] = ()


def label_rows(
    source: Any, what: str, items: tuple[str, ...] | None, beside: tuple[str, ...] = ()
) -> LabelRows:
    """Rows of a table of true labels of some items."""
    from algeval.io.items import TRUTH_NAMES, read_item_rows

    rows = read_item_rows(source, what, TRUTH_NAMES, beside, items)
    return LabelRows(rows.items, rows.values, rows.beside, rows.notes)


def n_people(source: Any) -> int:
    """How many labels of people a results table has."""
    module = sys.modules.get("algeval.io.results")
    if module is None or not isinstance(source, module.Results):
        return 0
    results: Results = source
    return len(results.human) if results.said else 0
