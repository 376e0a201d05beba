"""Grade judges when nobody has the answer key.

Names load on first use, so that ``import algeval`` stays fast and ``python -m algeval.verify``
needs nothing but the standard library.
"""

import importlib as _importlib
import types as _types
import typing as _typing

from algeval._lazy import provided as _provided
from algeval._moved import keep_old_paths as _keep_old_paths
from algeval._version import __version__ as __version__

if _typing.TYPE_CHECKING:
    from algeval import algebra as algebra
    from algeval import budgets as budgets
    from algeval import data as data
    from algeval import io as io
    from algeval import logic as logic
    from algeval import models as models
    from algeval.aggregate import aggregate as aggregate
    from algeval.aggregate import agreement as agreement
    from algeval.aggregate import confounders as confounders
    from algeval.aggregate import judge_groups as judge_groups
    from algeval.aggregate import score as score
    from algeval.aggregate import score_test as score_test
    from algeval.aggregate import suspects as suspects
    from algeval.algebra import decode as decode
    from algeval.algebra import encode as encode
    from algeval.algebra import groebner_basis as groebner_basis
    from algeval.algebra import ladder as ladder
    from algeval.algebra import prove as prove
    from algeval.algebra import relations as relations
    from algeval.compare import compare as compare
    from algeval.compare import diagnose as diagnose
    from algeval.compare import disagreement as disagreement
    from algeval.compare import false_positives as false_positives
    from algeval.compare.robustness import robustness as robustness
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
    from algeval.io import read_results as read_results
    from algeval.io import read_scores as read_scores
    from algeval.io import read_sketch as read_sketch
    from algeval.io import read_votes as read_votes
    from algeval.judges import VerdictStream as VerdictStream
    from algeval.judges import drift as drift
    from algeval.judges import judge_bias as judge_bias
    from algeval.judges import judge_card as judge_card
    from algeval.judges import self_consistency as self_consistency
    from algeval.judges import slices as slices
    from algeval.label import label as label
    from algeval.logic import Monitor as Monitor
    from algeval.logic import alarm as alarm
    from algeval.logic import bounds as bounds
    from algeval.logic import check as check
    from algeval.logic import count_consistent as count_consistent
    from algeval.logic import evaluations as evaluations
    from algeval.logic import is_consistent as is_consistent
    from algeval.logic import panel as panel
    from algeval.logic import program as program
    from algeval.logic import reach as reach
    from algeval.logic import sample_consistent as sample_consistent
    from algeval.logic import suspect_key as suspect_key
    from algeval.logic import threshold as threshold
    from algeval.progress import show_progress as show_progress
    from algeval.rates.leaderboards import leaderboard as leaderboard
    from algeval.rates.planning import plan as plan
    from algeval.rates.rating import rate as rate
    from algeval.rates.sampling import next as next
    from algeval.rates.sampling import next_items as next_items
    from algeval.rates.streams import LabelStream as LabelStream
    from algeval.rates.systems import compare_systems as compare_systems
    from algeval.rates.systems import versus as versus
    from algeval.report import figures as figures
    from algeval.report import report as report
    from algeval.result import Quadratic as Quadratic
    from algeval.result import Status as Status
    from algeval.result import schema as schema
    from algeval.verify import verify as verify

_NAMES = {
    "aggregate": "agreement confounders judge_groups score score_test suspects",
    "algebra": "decode encode groebner_basis ladder prove relations",
    "compare": "diagnose disagreement false_positives robustness",
    "data": "Condition Evaluation KeyedSketch Scores Sketch Specification Summary Votes",
    "errors": (
        "AlgevalError DataError ImpossibleError NotIdentifiableError NotSolvedError TooLargeError"
    ),
    "io": "count example load read_results read_scores read_sketch read_votes",
    "judges": "VerdictStream drift judge_bias judge_card self_consistency slices",
    "logic": (
        "Monitor alarm bounds check count_consistent evaluations is_consistent panel "
        "program reach sample_consistent suspect_key threshold"
    ),
    "progress": "show_progress",
    "rates.leaderboards": "leaderboard",
    "rates.planning": "plan",
    "rates.rating": "rate",
    "rates.sampling": "next next_items",
    "rates.streams": "LabelStream",
    "rates.systems": "compare_systems versus",
    "result": "Quadratic Status schema",
}
_HOME = {name: f"algeval.{home}" for home, names in _NAMES.items() for name in names.split()}
"""Where each public name lives."""

_CALLABLE_MODULES = ("aggregate", "compare", "label", "report", "verify")
"""Modules that are also functions: calling the module calls the function it is named after."""

_MODULES = {
    name: f"algeval.{name}" for name in ("algebra", "budgets", "data", "io", "logic", "models")
}
_MODULES |= {"figures": "algeval.report.figures"}
"""Modules to look around in, by the name they have here."""

_MOVED = ("axioms", "half_votes", "if_others", "members", "multiplicities", "windows")
"""Names that now live in `algeval.logic` alone, and are here for one release."""

# `next` stays out: a star import must not take Python's own away
__all__ = [  # noqa: PLE0604
    *(name for name in _HOME if name != "next"),
    *_CALLABLE_MODULES,
    *_MODULES,
]


def _find(name: str) -> object:
    if name in _HOME:
        value = getattr(_importlib.import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name in _CALLABLE_MODULES or name in _MODULES:
        return _module(name)
    if name in _MOVED:
        return _moved_name(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _module(name: str) -> _types.ModuleType:
    return _importlib.import_module(_MODULES.get(name, f"algeval.{name}"))


def _moved_name(name: str) -> object:
    import warnings

    text = f"algeval.{name} has moved and will be removed: use algeval.logic.{name}"
    warnings.warn(text, DeprecationWarning, stacklevel=3)
    return getattr(_importlib.import_module("algeval.logic"), name)


_keep_old_paths()
_provided["plot"] = lambda *result, **options: _module("figures").plot(*result, **options)
_provided["ladder"] = lambda decoding: _module("algebra").ladder(decoding)

if not _typing.TYPE_CHECKING:
    __getattr__ = _find  # type checkers know the names above, and so can tell a wrong one


def __dir__() -> list[str]:
    return sorted({*__all__, "next", *(name for name in globals() if name.startswith("__"))})
