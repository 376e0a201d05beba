"""Every exception the package raises on purpose.

A failure to *solve* is a status on a result, never an exception; an exception says that the input
was wrong, or that what was asked for cannot be done at all.
Each message is one sentence of the form *name* must *rule*; got *value*; what to do. Parameters that a
sentence names are data: `option` and `parameter` spell them as a caller in Python types them, or as the
command that runs does.
"""

import shlex
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = [
    "AlgevalError",
    "DataError",
    "ImpossibleError",
    "NotIdentifiableError",
    "NotSolvedError",
    "TooLargeError",
]


class AlgevalError(Exception):
    """Base of every error raised on purpose by algeval."""


class DataError(AlgevalError, ValueError):
    """The input breaks a rule; the message names the rule, what was found and what to do.

    Attributes
    ----------
    compared : str
        Of scores that are not cut, what they say of two systems as they are.
    questions : tuple
        What must be answered where a table can be read in more than one way: a question, the columns it is
        about and the answers, as options to copy, each.
    """

    questions: tuple[Any, ...] = ()
    compared: str = ""
    reading: Any = None


@contextmanager
def with_means() -> Iterator[None]:
    """Let a refusal of scores that are not cut say what they say of two systems as they are."""
    try:
        yield
    except DataError as error:
        if not error.compared:
            raise
        made = DataError(f"{error.compared}. {error}")  # which ends with what is to be copied
        made.questions = error.questions
        raise made from None


class ImpossibleError(AlgevalError, AssertionError):
    """What `check` requires of the judges is logically impossible.

    Attributes
    ----------
    alarm : Alarm or None
        The verdict, with the certificate that proves it.
    """

    def __init__(self, message: str, alarm: object = None) -> None:
        super().__init__(message)
        self.alarm = alarm


class NotIdentifiableError(AlgevalError, ValueError):
    """The model cannot be learned from data of this shape, however much there is."""


class NotSolvedError(AlgevalError, RuntimeError):
    """A result had to be `ok` and is not; the message is the result's own."""


class TooLargeError(AlgevalError, RuntimeError):
    """The work would take hours or all memory; the message holds the estimate.

    Attributes
    ----------
    seconds : float or None
        The estimate of the time, where that is what is too large.
    """

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


# --- How sentences spell the options they name.

_typed: Mapping[str, str] | None = None
"""{parameter: option} of the command that runs; None where the caller is Python."""


@contextmanager
def spelled_as_typed(options: Mapping[str, str]) -> Iterator[None]:
    """Spell parameters as the options of a command, while it runs.

    options : {parameter: option}; a parameter of reading stands as read_NAME where the command has its own.
    """
    global _typed
    before, _typed = _typed, options
    try:
        yield
    finally:
        _typed = before


def without_options(
    arguments: str, options: Collection[str], drop: Callable[[str], bool] | None = None
) -> str:
    """Typed arguments without some options and their values, or without those whose value says `drop`."""
    words = shlex.split(arguments)
    for at in reversed([k for k, word in enumerate(words[:-1]) if word in options]):
        if drop is None or drop(words[at + 1]):
            del words[at : at + 2]
    return shlex.join(words)


def option(name: str, value: object = None, *, reads: bool = False) -> str:
    """Spell a parameter with its value, or as one to be passed, as the caller types it.

    value : its representation is shown; none for a parameter without a value.
    reads : whether the parameter is one of reading, whatever others are called so.

    Examples
    --------
    >>> option("judges"), option("layout", "long")
    ('judges=', "layout='long'")
    >>> typed = {"judges": "--judges", "read_missing": "--not-answered", "missing": "--missing"}
    >>> with spelled_as_typed(typed):
    ...     option("judges", "x"), option("missing", reads=True), option("missing", "wrong")
    ("--judges 'x'", '--not-answered', "--missing 'wrong'")
    """
    typed = _option_of(name, reads)
    if typed is None:
        return f"{name}=" if value is None else f"{name}={value!r}"
    return typed if value is None else f"{typed} {value!r}"


def method_setting(name: str, value: object) -> str:
    """Spell a setting of a method of aggregation, as the caller types it."""
    is_typed = _typed is not None and "--set" in _typed.values()
    return f"--set {name}={value}" if is_typed else f"{name}={value!r}"


def parameter(name: str) -> str:
    """Spell the name of a parameter as the caller types it: ``half_width`` or ``--half-width``."""
    return _option_of(name, reads=False) or name


def either_way(python: str, typed: str) -> str:
    """Return what to do in Python, or at a command line."""
    return python if _typed is None else typed


def _option_of(name: str, reads: bool) -> str | None:
    if _typed is None:
        return None
    own, reading = _typed.get(name), _typed.get(f"read_{name}")
    return reading or own if reads else own or reading


def renamed(old: str, new: str) -> None:
    """Warn the caller's line that a setting is called otherwise; commands say so themselves."""
    if _typed is not None:
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("algeval."):
        frame, level = frame.f_back, level + 1
    text = f"{old}= is now {new}=; the old name works for one release"
    warnings.warn(text, DeprecationWarning, stacklevel=level)


def refusal(name: str, rule: str, got: object, do: str) -> DataError:
    """Error of a parameter that breaks a rule: *name* must *rule*; got *value*; what to do.

    Examples
    --------
    >>> str(refusal("cluster", "be one entry a row", 3, "write {item: cluster}"))
    'cluster must be one entry a row; got 3; write {item: cluster}'
    """
    return DataError(f"{parameter(name)} must {rule}; got {got}; {do}")
