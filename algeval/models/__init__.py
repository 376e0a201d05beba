"""Probability laws of votes: exact, sampled, and as small exams with whole counts."""

from types import ModuleType
from typing import TYPE_CHECKING

from algeval._lazy import submodule
from algeval._moved import MOVED

if TYPE_CHECKING:
    from algeval.models import binary as binary
    from algeval.models import count_rules as count_rules
    from algeval.models import curie_weiss as curie_weiss
    from algeval.models import factor as factor
    from algeval.models import independent as independent
    from algeval.models import ising as ising
    from algeval.models import log_linear as log_linear
    from algeval.models import risk_curves as risk_curves

_MODULES = (
    "binary",
    "count_rules",
    "curie_weiss",
    "factor",
    "independent",
    "ising",
    "log_linear",
    "risk_curves",
)


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES and f"{__name__}.{name}" not in MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return submodule(__name__, name)


def __dir__() -> list[str]:
    return sorted({*_MODULES, *(name for name in globals() if name.startswith("__"))})
