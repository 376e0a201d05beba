"""The one enumeration of how an attempt to answer ended."""

from enum import StrEnum

__all__ = ["Status"]


class Status(StrEnum):
    """How an attempt to answer ended; `advice` says what the user can do about it."""

    OK = "ok"
    NOT_CONVERGED = "not_converged"
    TIME_LIMIT = "time_limit"
    TOO_LARGE = "too_large"
    NOT_IDENTIFIABLE = "not_identifiable"
    UNDETERMINED = "undetermined"
    INCONSISTENT = "inconsistent"
    IRRATIONAL = "irrational"
    NOT_INTEGRAL = "not_integral"
    OUT_OF_RANGE = "out_of_range"
    COMPLEX = "complex"

    @property
    def ok(self) -> bool:
        """Whether the answer is complete and needs no caveat of its own."""
        return self is Status.OK

    @property
    def advice(self) -> str:
        """One sentence of advice to the user."""
        return _ADVICE[self]


_ADVICE = {
    Status.OK: "The answer is complete.",
    Status.NOT_CONVERGED: "The iteration stopped before its tolerance; raise max_iter or tol.",
    Status.TIME_LIMIT: "Time ran out; what is certified so far stands, raise time_limit for more.",
    Status.TOO_LARGE: "The work was refused before starting; ask for fewer judges, labels or items.",
    Status.NOT_IDENTIFIABLE: (
        "More items would not settle this model; use more judges or a simpler model."
    ),
    Status.UNDETERMINED: "The counts leave the answer open; use more judges, or other ones.",
    Status.INCONSISTENT: (
        "No evaluation of the assumed kind produces these counts; drop the assumption."
    ),
    Status.IRRATIONAL: (
        "On a finite test exactly independent errors give fractions, so these judges' errors are "
        "not exactly independent here; nearly every real test says so, and it does not measure "
        "how far off."
    ),
    Status.NOT_INTEGRAL: (
        "The solution is rational but no whole number of items produces it, so the judges' errors "
        "are not exactly independent on this test."
    ),
    Status.OUT_OF_RANGE: "The solution leaves [0, 1], so the judges' errors are not independent.",
    Status.COMPLEX: "The solutions are complex numbers, so the judges' errors are not independent.",
}
