"""Probability laws of votes: exact, sampled, and as small exams with whole counts."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algeval.models import binary as binary
    from algeval.models import count_rules as count_rules
    from algeval.models import curie_weiss as curie_weiss
    from algeval.models import factor as factor
    from algeval.models import factor_limit as factor_limit
    from algeval.models import gaussian_states as gaussian_states
    from algeval.models import glauber as glauber
    from algeval.models import independent as independent
    from algeval.models import ising as ising
    from algeval.models import log_linear as log_linear
    from algeval.models import mean_field as mean_field
    from algeval.models import risk_curves as risk_curves
    from algeval.models import separation as separation
    from algeval.models import weak_factor as weak_factor

_MODULES = (
    "binary",
    "count_rules",
    "curie_weiss",
    "factor",
    "factor_limit",
    "gaussian_states",
    "glauber",
    "independent",
    "ising",
    "log_linear",
    "mean_field",
    "risk_curves",
    "separation",
    "weak_factor",
)


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*_MODULES, *(name for name in globals() if name.startswith("__"))})
