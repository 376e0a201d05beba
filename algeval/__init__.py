"""Grade judges when nobody has the answer key.

Names load on first use, so that ``import algeval`` stays fast and ``python -m algeval.verify``
needs nothing but the standard library.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from algeval.aggregate import aggregate as aggregate
    from algeval.aggregate import judge_groups as judge_groups
    from algeval.algebra import decode as decode
    from algeval.algebra import prove as prove
    from algeval.compare import compare as compare
    from algeval.compare import diagnose as diagnose
    from algeval.compare import disagreement as disagreement
    from algeval.data import Condition as Condition
    from algeval.data import Evaluation as Evaluation
    from algeval.data import KeyedSketch as KeyedSketch
    from algeval.data import Scores as Scores
    from algeval.data import Sketch as Sketch
    from algeval.data import Specification as Specification
    from algeval.data import Summary as Summary
    from algeval.data import Votes as Votes
    from algeval.errors import AlgevalError as AlgevalError
    from algeval.errors import DataError as DataError
    from algeval.errors import ImpossibleError as ImpossibleError
    from algeval.errors import NotIdentifiableError as NotIdentifiableError
    from algeval.errors import NotSolvedError as NotSolvedError
    from algeval.errors import TooLargeError as TooLargeError
    from algeval.io import count as count
    from algeval.io import example as example
    from algeval.io import load as load
    from algeval.io import read_scores as read_scores
    from algeval.io import read_sketch as read_sketch
    from algeval.io import read_votes as read_votes
    from algeval.logic import Monitor as Monitor
    from algeval.logic import alarm as alarm
    from algeval.logic import axioms as axioms
    from algeval.logic import bounds as bounds
    from algeval.logic import check as check
    from algeval.logic import count_consistent as count_consistent
    from algeval.logic import evaluations as evaluations
    from algeval.logic import half_votes as half_votes
    from algeval.logic import if_others as if_others
    from algeval.logic import is_consistent as is_consistent
    from algeval.logic import members as members
    from algeval.logic import multiplicities as multiplicities
    from algeval.logic import panel as panel
    from algeval.logic import sample_consistent as sample_consistent
    from algeval.logic import suspect_key as suspect_key
    from algeval.logic import threshold as threshold
    from algeval.logic import windows as windows
    from algeval.report import report as report
    from algeval.result import Quadratic as Quadratic
    from algeval.result import Status as Status
    from algeval.verify import verify as verify

__version__ = "0.1.0"

_NAMES = {
    "aggregate": "judge_groups",
    "algebra": "decode prove",
    "compare": "diagnose disagreement",
    "data": "Condition Evaluation KeyedSketch Scores Sketch Specification Summary Votes",
    "errors": (
        "AlgevalError DataError ImpossibleError NotIdentifiableError NotSolvedError TooLargeError"
    ),
    "io": "count example load read_scores read_sketch read_votes",
    "logic": (
        "Monitor alarm axioms bounds check count_consistent evaluations half_votes if_others "
        "is_consistent members multiplicities panel sample_consistent suspect_key threshold windows"
    ),
    "result": "Quadratic Status",
}
_HOME = {name: f"algeval.{home}" for home, names in _NAMES.items() for name in names.split()}
"""Where each public name lives."""

_CALLABLE_MODULES = ("aggregate", "compare", "report", "verify")
"""Modules that are also functions: calling the module calls the function it is named after."""

__all__ = [*_HOME, *_CALLABLE_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name in _CALLABLE_MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
