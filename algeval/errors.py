"""Every exception the package raises on purpose.

A failure to *solve* is a status on a result, never an exception; an exception says that the input
was wrong, or that what was asked for cannot be done at all.
Each message is one sentence of the form *name* must *rule*; got *value*; what to do.
"""

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
    """The input breaks a rule; the message names the rule, what was found and what to do."""


class ImpossibleError(AlgevalError, AssertionError):
    """A check found that what it asks of the judges is logically impossible.

    Attributes
    ----------
    alarm : Alarm or None
        The verdict, with the certificate that proves it.
    """

    def __init__(self, message: str, alarm: object = None) -> None:
        super().__init__(message)
        self.alarm = alarm


class NotIdentifiableError(AlgevalError, ValueError):
    """The model asked for cannot be learned from data of this shape, however much there is."""


class NotSolvedError(AlgevalError, RuntimeError):
    """A result was asked to be `ok` and is not; the message is the result's own."""


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
