"""Full order: settle a specification, or bracket the threshold, from the whole sketch."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.data import KeyedSketch, Sketch, Specification
from algeval.data.reading import as_sketch
from algeval.logic.demand import Asked, Frame, level_of, read_specification
from algeval.logic.exam import Data, Exam
from algeval.logic.orders.full_arrays import FullBracket, full_alarm, full_keys, full_threshold
from algeval.logic.orders.full_general import decide_general
from algeval.logic.orders.full_program import Ints
from algeval.logic.orders.order1 import Decision
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate, claim

__all__ = ["FullAnswer", "bracket_full", "decide_full", "full_witness", "sketch_of"]

_MOST_KEYS = 20
_MOST_CELLS_FOR_KEYS = 2_000
"""Above this many cells the answer keys that attain an exact threshold are not listed."""


def sketch_of(data: Data) -> Sketch:
    """Return the sketch of the data; a summary has none."""
    return as_sketch(data, "counts per judge have order 1 only; use order=1")


def decide_full(sketch: Sketch, exam: Exam, spec: Specification, clock: Clock) -> Decision:
    """Settle at full order whether all judges can meet the conditions together."""
    asked = read_specification(exam, spec)
    in_bounds = sum(asked.low) <= exam.n_items <= sum(asked.high)
    if not (asked.simple and in_bounds):
        general = decide_general(sketch, exam, spec, clock)
        return _decision(sketch, exam, spec, general.cells, general.evidence)
    found = full_alarm(
        sketch.codes,
        sketch.counts,
        sketch.n_labels,
        asked.levels,
        missing=exam.rule,
        conditions=_cited(exam, spec, asked),
        low=asked.low,
        high=asked.high,
        time_limit=clock.left,
    )
    return _decision(sketch, exam, spec, found.cells, found.evidence)


def _decision(
    sketch: Sketch,
    exam: Exam,
    spec: Specification,
    cells: Ints | None,
    evidence: dict[str, Any] | None,
) -> Decision:
    if cells is not None:
        return Decision(True, full_witness(sketch, exam, spec, cells))
    if evidence is None:
        return Decision()
    stated = claim(exam.digest, "full", exam.rule, spec, possible=False)
    return Decision(False, Certificate(stated, evidence), tuple(range(exam.n_judges)))


def _cited(exam: Exam, spec: Specification, asked: Asked) -> Ints:
    """(N, R) which condition of the specification asks the highest accuracy of each pair."""
    cited = np.zeros((exam.n_judges, exam.n_labels), np.int64)
    for place, c in enumerate(spec.conditions):
        if c.quantity != "accuracy" or c.sense == "<=":
            continue
        x = level_of(c, exam.n_items)
        for i, judge in enumerate(exam.judges):
            for t, label in enumerate(exam.labels):
                covered = c.judge in (None, judge) and c.label in (None, label)
                if covered and x == asked.levels[i][t]:
                    cited[i, t] = place
    return cited


def full_witness(
    sketch: Sketch,
    exam: Exam,
    spec: Specification,
    cells: Ints,
    *,
    judges: tuple[str, ...] | None = None,
) -> Certificate:
    """Return the certificate of a solution of full order."""
    stated = claim(exam.digest, "full", exam.rule, spec, possible=True)
    evidence: dict[str, Any] = {"kind": "witness", "cells": cells.tolist()}
    if judges is not None:
        evidence["judges"] = list(judges)
    return Certificate(stated, evidence, KeyedSketch(sketch, cells).evaluation())


@dataclass(frozen=True, slots=True)
class FullAnswer:
    """A bracket of the full-order threshold with its certificates and known answer keys."""

    lower: Fraction
    upper: Fraction
    witness: Certificate
    refutation: Certificate | None
    timed_out: bool
    key_count: int | None
    answer_keys: tuple[tuple[int, ...], ...]
    relaxation: Fraction | None


def bracket_full(
    sketch: Sketch,
    exam: Exam,
    frame: Frame,
    clock: Clock,
    *,
    exact: bool,
) -> FullAnswer:
    """Bracket the threshold at full order, over the answer keys of a frame that holds some."""
    found = full_threshold(
        sketch.codes,
        sketch.counts,
        sketch.n_labels,
        missing=exam.rule,
        exact=exact,
        low=frame.low,
        high=frame.high,
        time_limit=clock.left,
    )
    asked = frame.specification(found.lower, strict=False)
    witness = full_witness(sketch, exam, asked, found.lower_cells)
    refutation = None
    upper = found.upper
    if upper < 1 and found.upper_evidence is not None:
        spec = frame.specification(upper, strict=True)
        stated = claim(exam.digest, "full", exam.rule, spec, possible=False)
        refutation = Certificate(stated, found.upper_evidence)
    elif upper < 1:
        upper = Fraction(1)
    count, keys = _keys(sketch, exam, found, frame)
    late = found.status == "time_limit"
    relaxed = found.relaxation
    return FullAnswer(found.lower, upper, witness, refutation, late, count, keys, relaxed)


def _keys(
    sketch: Sketch, exam: Exam, found: FullBracket, frame: Frame
) -> tuple[int | None, tuple[tuple[int, ...], ...]]:
    """Return how many answer keys attain an exact threshold, and which, where that is cheap."""
    small = len(sketch) * sketch.n_labels <= _MOST_CELLS_FOR_KEYS and exam.n_items <= 500
    if not (found.exact and small):
        return None, found.keys
    keys = full_keys(
        sketch.codes,
        sketch.counts,
        sketch.n_labels,
        found.lower,
        missing=exam.rule,
        low=frame.low,
        high=frame.high,
        time_limit=5.0,
    )
    return (None, found.keys) if keys is None else (len(keys), tuple(keys[:_MOST_KEYS]))
