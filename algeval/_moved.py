"""Modules that moved: the old path imports for one release, with a warning that names the new one.

A finder at the end of ``sys.meta_path`` is asked only for paths nothing else has found.
"""

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["MOVED", "keep_old_paths"]

MOVED = {
    "algeval.aggregate.agreement": "algeval.aggregate.checks.pairs",
    "algeval.aggregate.held_out": "algeval.aggregate.checks.quality",
    "algeval.aggregate.identifiability": "algeval.aggregate.checks.identified",
    "algeval.aggregate.score_test": "algeval.aggregate.checks.identified",
    "algeval.aggregate.scoring": "algeval.aggregate.checks.quality",
    "algeval.aggregate.suspects": "algeval.aggregate.checks.pairs",
    "algeval.aggregate.curie_weiss": "algeval.aggregate.methods.ising",
    "algeval.aggregate.dawid_skene": "algeval.aggregate.methods.tables",
    "algeval.aggregate.factor": "algeval.aggregate.methods.factor",
    "algeval.aggregate.glad": "algeval.aggregate.methods.tables",
    "algeval.aggregate.ising": "algeval.aggregate.methods.ising",
    "algeval.aggregate.log_linear": "algeval.aggregate.methods.ising",
    "algeval.aggregate.mace": "algeval.aggregate.methods.tables",
    "algeval.aggregate.majority": "algeval.aggregate.methods.voting",
    "algeval.aggregate.one_coin": "algeval.aggregate.methods.tables",
    "algeval.aggregate.recommended": "algeval.aggregate.methods.tables",
    "algeval.aggregate.triplets": "algeval.aggregate.methods.tables",
    "algeval.aggregate.weighted_majority": "algeval.aggregate.methods.voting",
    "algeval.replicate": "algeval_papers",
    "algeval.replicate.algebraic": "algeval_papers.algebraic",
    "algeval.replicate.care": "algeval_papers.care",
    "algeval.replicate.ising": "algeval_papers.ising",
    "algeval.replicate.labels": "algeval_papers.labels",
    "algeval.replicate.logic": "algeval_papers.logic",
    "algeval.replicate.claim": "algeval_papers.claims",
    "algeval.replicate.computed": "algeval_papers.claims",
    "algeval.replicate.ledger": "algeval_papers.ledger",
    "algeval.replicate.pages": "algeval_papers.ledger",
    "algeval.algebra.papers": "algeval_papers.equations",
    "algeval.replicate.algebraic.exams": "algeval_papers.algebraic",
    "algeval.models.factor_limit": "algeval_papers.separation",
    "algeval.models.weak_factor": "algeval_papers.separation",
    "algeval.models.separation": "algeval_papers.separation",
    "algeval.models.mean_field": "algeval_papers.mean_field",
    "algeval.models.glauber": "algeval_papers.mean_field",
    "algeval.models.gaussian_states": "algeval_papers.gaussian_states",
    "algeval.budgets.conjecture": "algeval_papers.conjecture",
    "algeval.budgets.sweep": "algeval_papers.conjecture",
    "algeval.report.figures_data": "algeval.report.figures.logic",
    "algeval.report.figure_learning_curve": "algeval.report.figures.judges",
}
"""{old path: new path}."""


def _warn(old: str) -> None:
    text = f"{old} has moved and will be removed: import {MOVED[old]}"
    warnings.warn(text, DeprecationWarning, stacklevel=3)


class _Finder:
    """Fills a module at the old path with the names of the room at the new one."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in MOVED:
            return None
        package = any(old.startswith(f"{name}.") for old in MOVED)
        return ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def get_code(self, name: str) -> CodeType:
        """Code of an old path that is run by ``python -m``: the new one, run."""
        _warn(name)
        text = f"import runpy; runpy.run_module({MOVED[name]!r}, run_name='__main__')"
        return compile(text, name, "exec")

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        _warn(old)
        room = vars(import_module(MOVED[old]))
        module.__dict__.update({k: v for k, v in room.items() if not k.startswith("__")})
        name = old.rpartition(".")[2]
        if isinstance(room.get(name), FunctionType):
            # the import binds the module over a function of its name, so it must answer the call
            from algeval._callable import make_callable

            make_callable(old, name)


def keep_old_paths() -> None:
    """Let the old paths import."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
