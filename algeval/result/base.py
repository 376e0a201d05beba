"""What every result shares, and its schema."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from importlib.resources import files
from math import isfinite
from typing import Any, ClassVar, Self, TypeVar

from algeval._lazy import provided
from algeval.errors import DataError, NotSolvedError
from algeval.result.numbers import ByValue, Exact, Quadratic, Status, cut_short, did_you_mean
from algeval.result.tables import Tabled

# --- The published JSON Schemas of everything that is written as JSON.


def schema_names() -> tuple[str, ...]:
    """Names of all schemas, in alphabetical order."""
    return tuple(sorted(p.name.removesuffix(".json") for p in _folder().iterdir()))


def schema(name: str) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a document that algeval writes.

    It stands for itself, and any validator takes it. A document says in its field `schema` which one is
    its own.

    Parameters
    ----------
    name : str
        A name such as "alarm", or what a document says: "algeval.alarm/1".

    Raises
    ------
    DataError
        If there is no such schema, or not of this version.

    Examples
    --------
    >>> found = schema("algeval.sketch/1")
    >>> found["$id"], found["properties"]["counts"]["items"]
    ('urn:algeval:sketch:1', {'type': 'integer'})
    """
    present, short = schema_names(), str(name).removeprefix("algeval.").partition("/")[0]
    if short not in present:
        near = did_you_mean(short, present, "see docs/reference/schemas.md")
        raise DataError(f"name must be that of a schema; got {name!r}; {near}")
    result: dict[str, Any] = json.loads((_folder() / f"{short}.json").read_text(encoding="utf-8"))
    tag = result["$id"].replace("urn:algeval:", "algeval.").replace(":", "/")
    if "/" in name and name != tag:
        raise DataError(
            f"name must be {tag!r}, the version of this algeval; got {name!r}; write it anew"
        )
    return result


def _folder() -> Any:
    return files("algeval") / "schemas"


# --- The base of every result, and the one way results become JSON.


def to_json(value: Any) -> Any:
    """Turn a value into JSON types: fractions become "p/q", a + b*sqrt(d) a small object, NaN null.

    What is infinite becomes "inf" or "-inf", for JSON has no number of it. Symbolic expressions become
    text, dataclasses objects of the fields that `repr` shows.

    Examples
    --------
    >>> to_json({"x": Fraction(2, 3), "y": float("inf")})
    {'x': '2/3', 'y': 'inf'}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not isfinite(value):
        return None if value != value else str(float(value))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Quadratic):
        return {"a": str(value.a), "b": str(value.b), "sqrt": value.d}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if hasattr(value, "free_symbols"):  # SymPy, without importing it
        return str(value)
    return _parts_to_json(value)


def _parts_to_json(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return _fields_to_json(value)
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, without importing NumPy
        return to_json(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(item) for item in value]
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def _fields_to_json(value: Any) -> dict[str, Any]:
    fields = [f.name for f in dataclasses.fields(value) if f.repr]
    return {name: to_json(getattr(value, name)) for name in fields}


def from_json_number(value: Any) -> Exact | float | None:
    """Read a number written by `to_json` (None stays None, a JSON number becomes a float).

    Examples
    --------
    >>> from_json_number("2/3")
    Fraction(2, 3)
    """
    if value is None:
        return None
    if isinstance(value, str):
        return float(value) if value.endswith("inf") else Fraction(value)
    if isinstance(value, Mapping):
        return Quadratic.make(Fraction(value["a"]), Fraction(value["b"]), int(value["sqrt"]))
    return float(value)


class Record(ByValue):
    """A dataclass that becomes JSON field by field."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON types, a field each."""
        return _fields_to_json(self)


_MOST_MESSAGE = 180
"""Characters of the message that `repr` shows."""


class Shown(Tabled, ByValue):
    """How a result shows itself: in short, as its summary, in a notebook, and as a figure."""

    __slots__ = ()

    status: Status
    message: str

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # or @dataclass writes a dump over it

    def summary(self) -> str:
        """Lines a person reads."""
        return self.message

    def plot(self, kind: str | None = None, **options: Any) -> Any:
        """Figure of the result.

        Parameters
        ----------
        kind : str, optional
            Which figure; by default the first that suits the result.
        **options
            Those of the figure; see `algeval.report.figures`.
        """
        # figures lie layers above every result, so the front of the package hands the drawer down
        return provided["plot"](self, kind, **options)

    def headline(self) -> str:
        """Name, the status and the message."""
        return f"{type(self).__name__} [{self.status.value}]: {self.message}"

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        words = (cut_short(repr(self.message), _MOST_MESSAGE), *self._sizes())
        return f"{type(self).__name__}({self.status.value}, {', '.join(words)})"

    def _sizes(self) -> list[str]:
        """Numbers of items and judges, where the result has them."""
        n_items, judges = getattr(self, "n_items", None), getattr(self, "judges", None)
        words = [] if n_items is None else [f"{n_items} items"]
        return words if judges is None else [*words, f"{len(judges)} judges"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result(Shown):
    """What every method returns: frozen, with its status, a message and the settings used.

    Results are equal when all they hold is. `print` shows `summary()`; `to_frame` and notebooks show
    `tables()`.

    Attributes
    ----------
    status : Status
        How the attempt ended; `status.advice` says what to do about it.
    message : str
        One plain sentence: the verdict and what it rests on.
    reading : tuple of str
        What reading the table did that may change the answer; no part of the JSON.
    """

    schema: ClassVar[str] = "algeval.result/1"

    status: Status
    message: str
    reading: tuple[str, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def __str__(self) -> str:
        notes = () if hasattr(self, "warnings") else self.reading
        return "\n".join([self.summary(), *(f"Note: {note}" for note in notes)])

    def to_dict(self) -> dict[str, Any]:
        """Result as JSON types, with its schema tag first.

        Fields that `repr` leaves out are left out here too.
        """
        return {"schema": self.schema} | _fields_to_json(self)

    def raise_for_status(self) -> Self:
        """Result itself, or raise `NotSolvedError` if its status is not ok."""
        if not self.status.ok:
            raise NotSolvedError(f"{self.message} [{self.status.value}: {self.status.advice}]")
        return self


ResultT = TypeVar("ResultT", bound=Result)


def with_reading(result: ResultT, *data: Any) -> ResultT:
    """Result that says what reading these data did, among its warnings where it has any."""
    notes = tuple(
        dict.fromkeys(note for source in data for note in getattr(source, "cautions", ()))
    )
    if notes and not result.reading:
        object.__setattr__(result, "reading", notes)
        if hasattr(result, "warnings"):
            warnings = tuple(note for note in result.warnings if note not in notes)
            object.__setattr__(result, "warnings", (*notes, *warnings))
    return result
