"""The checks of a diagnosis. Each returns its finding, or the sentence that says why not."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.compare.diagnose.parts import Coupling, Identifiability, Quartets, Stability
from algeval.data import Sketch, Votes
from algeval.data.names import NOT_ANSWERED
from algeval.errors import AlgevalError
from algeval.result import Status

if TYPE_CHECKING:
    from algeval.aggregate import HeldOut, ScoreTest
    from algeval.aggregate.results import Aggregation

__all__ = [
    "coupling",
    "held_out_models",
    "identifiability",
    "is_binary",
    "most_active",
    "quartets",
    "score_of_pairs",
    "sketch_of",
    "stability",
]

_MOST_FISHER = 16
_MOST_ISING = 10
_FEWEST_ITEMS = 100


def is_binary(sketch: Sketch) -> bool:
    """Say whether there are two labels and no other answers."""
    return sketch.n_labels == sketch.n_answers == 2


def most_active(sketch: Sketch, most: int) -> tuple[str, ...]:
    """Return the judges who answered most items, at most so many, in the order of the sketch."""
    answered = sketch.n_items - sketch.missing
    chosen = np.sort(np.argsort(-answered, kind="stable")[:most])
    return tuple(sketch.judges[place] for place in chosen.tolist())


def score_of_pairs(sketch: Sketch, most: int, seed: int) -> tuple[ScoreTest | None, str]:
    """Run the efficient score test, on the judges who answered most where there are many."""
    from algeval.aggregate import score_test

    if not is_binary(sketch):
        return None, (
            "The score test of independence is for two labels and no other answers; here are "
            f"{list(sketch.answers)}."
        )
    names = most_active(sketch, most)
    part = sketch if len(names) == sketch.n_judges else sketch.marginal(names)
    try:
        found = score_test(part, seed=seed)
    except AlgevalError as error:
        return None, f"The score test was not run: {error}."
    if len(names) == sketch.n_judges:
        return found, ""
    return found, (
        f"The score test looks at the {len(names)} judges who answered most, for with all "
        f"{sketch.n_judges} it would have {comb(sketch.n_judges, 2)} pairs."
    )


def quartets(
    sketch: Sketch, *, most_judges: int, most_sets: int, level: float, seed: int
) -> tuple[Quartets | None, str]:
    """Run the algebraic test on sets of four judges (three, for more than two labels).

    Its chi-square law is one of many items: sets with fewer than 100 common items say nothing.
    """
    from algeval.algebra import independence_test

    size = 4 if sketch.n_labels == 2 else 3
    if sketch.n_judges < size:
        return None, (
            f"The algebraic test needs {size} judges for {sketch.n_labels} labels; here are "
            f"{sketch.n_judges}, who leave nothing to test."
        )
    names = most_active(sketch, most_judges)
    sets = _some_sets(names, size, most_sets, seed)
    tests = []
    for chosen in sets:
        try:
            tests.append((independence_test(sketch.marginal(chosen)), chosen))
        except AlgevalError as error:
            return None, f"The algebraic test was not run: {error}."
    known = [
        (float(t.p_value), chosen)
        for t, chosen in tests
        if t.p_value is not None and t.n_used >= _FEWEST_ITEMS
    ]
    best = min(known, default=None)
    return Quartets(
        size=size,
        n_possible=comb(sketch.n_judges, size),
        n_tested=len(tests),
        n_undetermined=len(tests) - len(known),
        n_rejected=_holm([p for p, _ in known], level),
        smallest_p=None if best is None else min(1.0, best[0] * len(known)),
        worst=() if best is None else best[1],
        level=level,
    ), ""


def _some_sets(names: tuple[str, ...], size: int, most: int, seed: int) -> list[tuple[str, ...]]:
    if comb(len(names), size) <= most:
        return list(combinations(names, size))
    rng = np.random.default_rng(seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < most:
        drawn = np.sort(rng.choice(len(names), size, replace=False))
        found[tuple(drawn.tolist())] = None
    return [tuple(names[place] for place in places) for places in sorted(found)]


def _holm(p_values: list[float], level: float) -> int:
    """Return how many hypotheses Holm's step-down rule rejects."""
    ordered = sorted(p_values)
    for place, p in enumerate(ordered):
        if p > level / (len(ordered) - place):
            return place
    return len(ordered)


def held_out_models(sketch: Sketch, folds: int, seed: int) -> tuple[HeldOut | None, str]:
    """Compare independence with a hidden trait (and couplings, for few judges) on unseen votes."""
    from algeval.aggregate import held_out

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
        return None, f"Held-out votes were not compared: {found.message}."
    return found, ""


def stability(plain: Aggregation, sketch: Sketch, n_starts: int, seed: int) -> Stability:
    """Compare Dawid-Skene's end from the majority with the best end of several starts."""
    from algeval.aggregate import aggregate

    several = aggregate(sketch, "dawid-skene", prior=2, n_starts=n_starts, seed=seed)
    moved = several.decisions != plain.decisions
    return Stability(
        method="dawid-skene",
        n_starts=n_starts,
        gain=max(0.0, several.trace[-1] - plain.trace[-1]),
        changed=float(sketch.counts[moved].sum() / sketch.n_items),
    )


def coupling(held: Aggregation, sketch: Sketch, test: ScoreTest | None) -> Coupling:
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
    from algeval.aggregate.checks.identifiability import MODELS, check_identifiable
    from algeval.errors import NotIdentifiableError

    found = []
    for name, model in MODELS.items():
        try:
            caveat = check_identifiable(name, sketch.n_judges)
        except NotIdentifiableError as error:
            found.append(
                Identifiability(
                    model=model.name, identifiable=False, caveat=str(error), standard_error=None
                )
            )
            continue
        error_size = None
        if test is not None and sketch.n_judges == len(test.judges) <= _MOST_FISHER:
            error_size = _worst_error(test, model.couplings)
        found.append(
            Identifiability(
                model=model.name, identifiable=True, caveat=caveat, standard_error=error_size
            )
        )
    return tuple(found)


def _worst_error(test: ScoreTest, couplings: int) -> float:
    from algeval.aggregate.checks.identifiability import worst_standard_error
    from algeval.aggregate.kernels.ising import Parameters
    from algeval.models.binary import logit

    k = len(test.judges)
    rates = np.clip(np.asarray(test.confusion, float).T, 1e-6, 1 - 1e-6)
    share = float(np.clip(test.prevalence, 1e-6, 1 - 1e-6))
    parameters = Parameters(logit(rates), np.zeros((2, k, k)), float(logit(share)))
    return worst_standard_error(parameters, couplings, test.n_items)


def sketch_of(data: Votes | Sketch) -> Sketch:
    """Return the counts of decision tuples."""
    return data.sketch() if isinstance(data, Votes) else data
