"""Grade judges when nobody has the answer key.

Names load on first use, so that ``import algeval`` stays fast and ``python -m algeval.verify``
needs nothing but the standard library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Condition": "algeval.data",
    "Evaluation": "algeval.data",
    "KeyedSketch": "algeval.data",
    "Sketch": "algeval.data",
    "Specification": "algeval.data",
    "Summary": "algeval.data",
    "Votes": "algeval.data",
    "Quadratic": "algeval.result",
    "Status": "algeval.result",
    "AlgevalError": "algeval.errors",
    "DataError": "algeval.errors",
    "NotIdentifiableError": "algeval.errors",
    "NotSolvedError": "algeval.errors",
    "TooLargeError": "algeval.errors",
}

_MODULES: frozenset[str] = frozenset()
"""Names that are modules and functions at once: calling the module calls the function."""

__all__ = [*_HOME, *_MODULES]  # noqa: PLE0604

if TYPE_CHECKING:
    from algeval.data import (
        Condition as Condition,
    )
    from algeval.data import (
        Evaluation as Evaluation,
    )


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
