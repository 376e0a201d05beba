"""The checks of a diagnosis. Each returns its finding, or the sentence that says why not."""

from __future__ import annotations

from itertools import combinations
from math import ceil, comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import aggregate
from algeval.aggregate.checks.held_out import HeldOut, held_out
from algeval.aggregate.checks.identifiability import (
    MODELS,
    check_identifiable,
    worst_standard_error,
)
from algeval.aggregate.checks.pair_test import PairTest, drawn_exams, pair_test
from algeval.aggregate.checks.score_test import ScoreTest, score_test
from algeval.aggregate.kernels.ising import Parameters
from algeval.aggregate.results import Aggregation
from algeval.algebra.correlation.independence import wald_statistic
from algeval.compare.diagnose.parts import Coupling, Identifiability, Quartets, Stability
from algeval.data import Sketch
from algeval.data.names import NOT_ANSWERED, Codes
from algeval.errors import AlgevalError, NotIdentifiableError
from algeval.models.binary import logit
from algeval.progress import steps
from algeval.result import Status

__all__ = [
    "coupling",
    "held_out_models",
    "identifiability",
    "is_binary",
    "most_active",
    "pairs_of",
    "quartets",
    "score_of_pairs",
    "stability",
]

_MOST_FISHER = 16
_MOST_ISING = 10
_FEWEST_ITEMS = 100
_FEWEST_EXAMS = 59  # drawn for the sets: 1 / 60 is their smallest p-value
_MOST_SET_LABELS = 6  # three judges of 12 labels have a covariance of 1,320 x 1,320 a set


def is_binary(sketch: Sketch) -> bool:
    """Say whether there are two labels and no other answers."""
    return sketch.n_labels == sketch.n_answers == 2


def most_active(sketch: Sketch, most: int) -> tuple[str, ...]:
    """Return the judges who answered most items, at most so many, in the order of the sketch."""
    answered = sketch.n_items - sketch.missing
    chosen = np.sort(np.argsort(-answered, kind="stable")[:most])
    return tuple(sketch.judges[place] for place in chosen.tolist())


def pairs_of(
    sketch: Sketch, most: int, *, level: float, replicates: int, seed: int
) -> tuple[PairTest | None, str]:
    """Run the calibrated test of all pairs, on the judges who answered most where there are many."""
    names = most_active(sketch, most)
    part = sketch if len(names) == sketch.n_judges else sketch.marginal(names)
    try:
        found = pair_test(part, level=level, replicates=replicates, seed=seed)
    except AlgevalError as error:
        return None, f"Independence was not tested: {error}."
    if len(names) == sketch.n_judges:
        return found, ""
    return found, (
        f"The test of pairs looks at the {len(names)} judges who answered most, for with all "
        f"{sketch.n_judges} it would have {comb(sketch.n_judges, 2)} pairs."
    )


def score_of_pairs(
    sketch: Sketch, pairs: PairTest | None, seed: int
) -> tuple[ScoreTest | None, str]:
    """Run the efficient score test on the same judges; its p-value is that of the test of pairs."""
    if not is_binary(sketch):
        return None, (
            "The score test of independence is for two labels and no other answers; here are "
            f"{list(sketch.answers)}."
        )
    if pairs is None:
        return None, ""
    part = sketch if len(pairs.judges) == sketch.n_judges else sketch.marginal(pairs.judges)
    try:
        found = score_test(part, seed=seed)
    except AlgevalError as error:
        return None, f"The score test was not run: {error}."
    return found.recalibrated(pairs.p_value, "test of all pairs", pairs.message), ""


def quartets(
    sketch: Sketch, pairs: PairTest | None, *, most_sets: int, level: float, seed: int
) -> tuple[Quartets | None, str]:
    """Run the algebraic test on sets of four judges (three, for more than two labels), to say where.

    Sets are compared with the furthest set of exams drawn from the fitted independent judges, so
    that many sets are no excuse. Sets with fewer than 100 common items say nothing.
    """
    size = 4 if sketch.n_labels == 2 else 3
    if sketch.n_judges < size:
        return None, (
            f"The algebraic test needs {size} judges for {sketch.n_labels} labels; here are "
            f"{sketch.n_judges}, who leave nothing to test."
        )
    if pairs is None:
        return None, ""
    if not pairs.rejected:
        return None, (
            "The algebraic test of small sets of judges says where errors are shared; it is not "
            "run, as the test of all pairs finds none."
        )
    if sketch.n_answers != sketch.n_labels or sketch.n_labels > _MOST_SET_LABELS:
        return None, (
            f"The algebraic test is for at most {_MOST_SET_LABELS} labels and no other answers; "
            f"here are {sketch.n_labels} labels and {sketch.n_answers} answers."
        )
    part = sketch if len(pairs.judges) == sketch.n_judges else sketch.marginal(pairs.judges)
    sets = _some_sets(part.judges, size, most_sets, seed)
    return _judged(part, sets, level, seed), ""


def _judged(part: Sketch, sets: list[tuple[str, ...]], level: float, seed: int) -> Quartets:
    places = [[part.judges.index(name) for name in chosen] for chosen in sets]
    own = _distances(part.codes, part.counts, places, part.n_labels)
    known = np.isfinite(own)
    replicates = max(_FEWEST_EXAMS, ceil(1 / level))
    kept = [place for place, seen in zip(places, known, strict=True) if seen]
    furthest = np.array([])
    if kept:
        exams = drawn_exams(part, replicates, seed)
        once = np.ones(exams.shape[1], np.int64)
        each = steps(exams, "comparing sets with those of independent judges", len(exams))
        drawn = [_distances(codes, once, kept, part.n_labels, fewest=0) for codes in each]
        furthest = np.nan_to_num(np.array(drawn)).max(axis=1)
    p_values = [(1 + (furthest >= value).sum()) / (replicates + 1) for value in own[known]]
    best = int(np.nanargmax(own)) if kept else 0
    return Quartets(
        size=len(sets[0]),
        n_possible=comb(part.n_judges, len(sets[0])),
        n_tested=len(sets),
        n_undetermined=int((~known).sum()),
        n_rejected=sum(p <= level for p in p_values),
        smallest_p=float(min(p_values)) if kept else None,
        worst=sets[best] if kept else (),
        level=level,
        n_replicates=replicates if kept else 0,
    )


def _distances(
    codes: Codes,
    counts: NDArray[np.int64],
    places: list[list[int]],
    n_labels: int,
    fewest: int = _FEWEST_ITEMS,
) -> NDArray[np.float64]:
    """Return the Wald statistic of every set of judges; NaN where it has none."""
    found = np.full(len(places), np.nan)
    for row, chosen in enumerate(places):
        own = codes[:, chosen]
        given = (own != NOT_ANSWERED).all(axis=1)
        shape = (n_labels,) * len(chosen)
        flat = np.ravel_multi_index(tuple(own[given].T.astype(np.intp)), shape)
        cells = np.bincount(flat, weights=counts[given], minlength=n_labels ** len(chosen))
        if cells.sum() >= max(fewest, 1):
            statistic = wald_statistic(cells.reshape(shape))[1]
            found[row] = np.nan if statistic is None else statistic
    return found


def _some_sets(names: tuple[str, ...], size: int, most: int, seed: int) -> list[tuple[str, ...]]:
    if comb(len(names), size) <= most:
        return list(combinations(names, size))
    rng = np.random.default_rng(seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < most:
        drawn = np.sort(rng.choice(len(names), size, replace=False))
        found[tuple(drawn.tolist())] = None
    return [tuple(names[place] for place in places) for places in sorted(found)]


def held_out_models(sketch: Sketch, folds: int, seed: int) -> tuple[HeldOut | None, str]:
    """Compare independence with a hidden trait (and couplings, for few judges) on unseen votes."""
    if not is_binary(sketch):
        return None, (
            "Models of dependence are for two labels and no other answers, so there is nothing to "
            "compare on held-out votes."
        )
    if sketch.n_items < 10 * folds:
        return None, f"Held-out votes need at least {10 * folds} items; here are {sketch.n_items}."
    methods = ["dawid-skene", "factor"]
    settings: dict[str, dict[str, Any]] = {
        "dawid-skene": {"prior": 2},
        "factor": {"n_starts": 1, "seed": seed},
    }
    if sketch.n_judges <= _MOST_ISING:
        methods.append("ising")
        settings["ising"] = {"n_starts": 2, "seed": seed}
    try:
        found = held_out(sketch, methods, folds=folds, seed=seed, settings=settings)
    except AlgevalError as error:
        return None, f"Held-out votes were not compared: {error}."
    if found.status is not Status.OK:
        return None, f"Held-out votes were not compared: {found.message}"
    return found, ""


def stability(plain: Aggregation, sketch: Sketch, n_starts: int, seed: int) -> Stability:
    """Compare Dawid-Skene's end from the majority with the best end of several starts."""
    several = aggregate(sketch, "dawid-skene", prior=2, n_starts=n_starts, seed=seed)
    moved = several.decisions != plain.decisions
    return Stability(
        method="dawid-skene",
        n_starts=n_starts,
        gain=max(0.0, several.trace[-1] - plain.trace[-1]),
        changed=float(sketch.counts[moved].sum() / sketch.n_items),
    )


def coupling(held: Aggregation, sketch: Sketch, test: PairTest | None) -> Coupling:
    """Return how strongly judges share errors."""
    mean = largest = None
    if test is not None:
        upper = test.pair_correlation[np.triu_indices(len(test.judges), 1)]
        mean, largest = float(upper.mean()), float(upper[np.abs(upper).argmax()])
    within, bound = float(held.parameters["within"]), float(held.parameters["bound"])
    given = ((sketch.codes != NOT_ANSWERED).sum(1) @ sketch.counts) / sketch.n_items
    return Coupling(
        within=within,
        bound=bound,
        mean_correlation=mean,
        largest_correlation=largest,
        effective_judges=float(given) / max(1.0, within),
    )


def identifiability(sketch: Sketch, test: ScoreTest | None) -> tuple[Identifiability, ...]:
    """Return the guard's verdict on every model, with Fisher information where it is cheap."""
    cheap = test is not None and sketch.n_judges == len(test.judges) <= _MOST_FISHER
    found = []
    for name, model in MODELS.items():
        error_size = None
        try:
            caveat, known = check_identifiable(name, sketch.n_judges), True
        except NotIdentifiableError as error:
            caveat, known = str(error), False
        if known and cheap and test is not None:
            error_size = _worst_error(test, model.couplings)
        found.append(
            Identifiability(
                model=model.name, identifiable=known, caveat=caveat, standard_error=error_size
            )
        )
    return tuple(found)


def _worst_error(test: ScoreTest, couplings: int) -> float:
    k = len(test.judges)
    rates = np.clip(np.asarray(test.confusion, float).T, 1e-6, 1 - 1e-6)
    share = float(np.clip(test.prevalence, 1e-6, 1 - 1e-6))
    parameters = Parameters(logit(rates), np.zeros((2, k, k)), float(logit(share)))
    return worst_standard_error(parameters, couplings, test.n_items)
