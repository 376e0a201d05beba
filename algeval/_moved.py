"""Modules that moved: the old path imports for one release, with a warning that names the new one.

A finder at the end of ``sys.meta_path`` is asked only for paths nothing else has found.
"""

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

from algeval._callable import make_callable

__all__ = ["MOVED", "keep_old_paths"]

_CHECKS = ("agreement", "held_out", "identifiability", "score_test", "scoring", "suspects")
_METHODS = (
    *("curie_weiss", "dawid_skene", "factor", "glad", "ising", "log_linear", "mace", "majority"),
    *("one_coin", "recommended", "triplets", "weighted_majority"),
)
MOVED = {
    **{f"algeval.aggregate.{name}": f"algeval.aggregate.checks.{name}" for name in _CHECKS},
    **{f"algeval.aggregate.{name}": f"algeval.aggregate.methods.{name}" for name in _METHODS},
    "algeval.report.figures_data": "algeval.report.figures.data",
    "algeval.report.figure_learning_curve": "algeval.report.figures.learning_curve",
}
"""{old path: new path}."""


class _Finder:
    """Puts the module at the new path under the old one as well."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        told = f"{old} has moved and will be removed: import {MOVED[old]}"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        sys.modules[old] = import_module(MOVED[old])
        name = old.rpartition(".")[2]
        if isinstance(getattr(sys.modules[old], name, None), FunctionType):
            # the import binds the module over a function of its name, so it must answer the call
            make_callable(MOVED[old], name)


def keep_old_paths() -> None:
    """Let the old paths import; every package whose modules moved calls this."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
