"""`diagnose`: which assumptions fit these votes, and what to use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import ceil, comb
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, aggregate, policy
from algeval.aggregate.checks.identified import (
    MODELS,
    ScoreTest,
    check_identifiable,
    score_test,
    worst_standard_error,
)
from algeval.aggregate.checks.pairs import PairTest, Suspect, drawn_exams, pair_test, suspects
from algeval.aggregate.checks.quality import HeldOut, Score, held_out, score
from algeval.aggregate.ising_kernels import Parameters
from algeval.aggregate.results import Aggregation, n_cells, size_of
from algeval.algebra.independence import wald_statistics
from algeval.data import Sketch
from algeval.data.names import (
    NOT_ANSWERED,
    Codes,
    check_number,
    check_time_limit,
    check_whole,
    check_work,
)
from algeval.data.reading import Data, as_sketch, split_key
from algeval.data.sparse import refuse_pairs
from algeval.door import reads
from algeval.errors import AlgevalError, NotIdentifiableError
from algeval.models.binary import logit
from algeval.progress import TimeUp, check_time, stages, steps, until
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- The parts of a diagnosis: small frozen records, each with one sentence for people.


@dataclass(frozen=True, slots=True, kw_only=True)
class Quartets:
    """Where the dependence sits: the algebraic test on small sets of judges.

    It is run only after the test of all pairs has rejected independence, and decides nothing.

    Attributes
    ----------
    size : int
        Judges per set: four for two labels, three for more.
    n_possible, n_tested, n_undetermined : int
        Sets there are, sets tried, and those of them with under 100 common items or no statistic.
    n_rejected : int
        Sets further from independence than the furthest set of all but a share `level` of the
        exams drawn from the fitted independent judges.
    smallest_p : float or None
        Share of drawn exams whose furthest set is as far off as the furthest one here.
    worst : tuple of str
        The judges of that set.
    level : float
    n_replicates : int
        Drawn exams.
    """

    size: int
    n_possible: int
    n_tested: int
    n_undetermined: int
    n_rejected: int
    smallest_p: float | None
    worst: tuple[str, ...]
    level: float
    n_replicates: int

    def describe(self) -> str:
        """One sentence."""
        text = f"{self.n_tested} of {how_many(self.n_possible, 'set')} of {self.size} judges"
        if self.smallest_p is None:
            return f"Algebraic test: {text}, none with enough items to say anything."
        return (
            f"Algebraic test, to say where: of {text}, {self.n_rejected} reject independence on "
            f"their own at {self.level:g}; the smallest corrected p is {self.smallest_p:.2g} "
            f"({', '.join(self.worst)}), by {self.n_replicates} exams drawn from independent judges."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """Whether the start of the iteration decides the answer.

    Attributes
    ----------
    method : str
    n_starts : int
    gain : float
        Log-likelihood the best start gains over the majority start, nats (penalised).
    changed : float
        Share of items whose label differs between the two.
    """

    method: str
    n_starts: int
    gain: float
    changed: float

    def describe(self) -> str:
        """One sentence."""
        if self.changed == 0:
            starts = how_many(self.n_starts, "start gives", "starts give")
            return f"Stability: of {self.method}, {starts} the same labels."
        return (
            f"Stability: the best of {how_many(self.n_starts, 'start')} of {self.method} gains "
            f"{self.gain:.2f} nats over the majority start and changes {100 * self.changed:.1f}% "
            "of the labels."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupling:
    """How strongly judges share errors.

    Attributes
    ----------
    within, bound : float
        Inflation of the summed evidence within the classes found, and at most (see
        `algeval.aggregate.checks.quality`); 1 under independence.
    mean_correlation, largest_correlation : float or None
        Of two judges' errors left over after the label, over all pairs tested (signed mean, and
        the one furthest from 0).
    effective_judges : float
        Judges who answered an item, on average, divided by `within`: as many independent judges
        would carry as much evidence. An upper estimate, for the classes take up part of what
        judges share.
    """

    within: float
    bound: float
    mean_correlation: float | None
    largest_correlation: float | None
    effective_judges: float

    def describe(self) -> str:
        """One sentence."""
        text = (
            f"Coupling: evidence is inflated {self.within:.2f} times within the classes (at most "
            f"{self.bound:.2f}), as if an item had at most {self.effective_judges:.1f} independent judges"
        )
        if self.mean_correlation is None:
            return text + "."
        return (
            f"{text}; leftover correlation of errors {self.mean_correlation:+.2f} on average, "
            f"{self.largest_correlation:+.2f} at most."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifiability(Record):
    """What these judges can teach about one model, however many items there are.

    Attributes
    ----------
    model : str
    identifiable : bool
    caveat : str
        Why not, or that the model is saturated; empty if there is nothing to say.
    standard_error : float or None
        Of the worst-known direction of its parameters at the independent fit, from the Fisher
        information of these items (infinite where singular); None where it was not computed.
    """

    model: str
    identifiable: bool
    caveat: str
    standard_error: float | None

    def describe(self) -> str:
        """One sentence."""
        if not self.identifiable:
            return f"Identifiability: {self.caveat}."
        text = f"Identifiability: {self.model} can be learned from so many judges"
        if self.caveat:
            text += f", but: {self.caveat.rstrip('.')}"
        if self.standard_error is None:
            return text + "."
        weak = " (above 1: prior and start decide there)" if self.standard_error > 1 else ""
        return (
            f"{text}; the worst-known direction has a standard error of "
            f"{self.standard_error:.3g}{weak}."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """What the checks found without any key; None where a check does not apply."""

    pairs: PairTest | None
    score_test: ScoreTest | None
    quartets: Quartets | None
    held_out: HeldOut | None
    stability: Stability | None
    coupling: Coupling | None
    identifiability: tuple[Identifiability, ...]
    suspects: tuple[Suspect, ...]


# --- From findings to a recommendation in words, with its reasons; no key is read.


_CLEARLY = 2.0
_INFLATED = 1.2
_LOOSE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A verdict on independence, the method recommended (or None), and why."""

    dependent: bool | None
    verdict: str
    method: str | None
    recommendation: str
    reasons: tuple[str, ...]


def advise(findings: Findings) -> Advice:
    """Weigh the findings.

    Independence stands unless the test of all pairs rejects it. If it stands, Dawid-Skene; if not, or if
    nothing could be tested, the method whose posteriors are held back; nothing where the votes cannot
    identify even independent judges.
    """
    rejected = _rejections(findings.pairs, findings.quartets)
    dependent = None if findings.pairs is None else findings.pairs.rejected
    method, recommendation, first = _choice(dependent, findings.coupling)
    return Advice(
        dependent=dependent,
        verdict=_verdict(dependent),
        method=method,
        recommendation=recommendation,
        reasons=(*first, *(rejected if method else ()), *_cautions(findings)),
    )


def _rejections(test: PairTest | None, sets: Quartets | None) -> tuple[str, ...]:
    results = []
    if test is not None and test.rejected:
        results.append(f"the test of all pairs rejects independence (p = {test.p_value:.2g})")
    if sets is not None and sets.n_rejected:
        text = (
            f"{sets.n_rejected} of {how_many(sets.n_tested, 'set')} of {sets.size} judges reject "
        )
        results.append(text + "independence on their own, by algebra")
    return tuple(results)


def _verdict(dependent: bool | None) -> str:
    if dependent is None:
        return (
            "No test of independence applies to these votes: it takes four judges or more where there are "
            "two answers, three where there are more."
        )
    if dependent:
        return "The judges' errors are not independent given the classes the votes show."
    return "No evidence against independent errors, which does not show independence."


def _choice(
    dependent: bool | None, coupling: Coupling | None
) -> tuple[str | None, str, tuple[str, ...]]:
    if coupling is None:
        return (
            None,
            "Recommended: no aggregate. Use what logic alone allows (alarm, threshold, bounds), "
            "or get votes of more judges on the same items.",
            ("these votes cannot identify even independent judges",),
        )
    if dependent is False and coupling.within < _INFLATED:
        return (
            "dawid-skene",
            "Recommended: method 'dawid-skene'; its posteriors may be read as probabilities as far "
            "as these tests can see.",
            ("the test of all pairs finds no shared errors and evidence is not inflated",),
        )
    why = (
        (f"posteriors of independent judges count evidence {coupling.within:.1f} times or more",)
        if coupling.within >= _INFLATED
        else ("posteriors of independent judges may be too sure of themselves",)
    )
    return (
        "recommended",
        "Recommended: method 'recommended' (tables drawn to the panel's, posteriors held back); do not "
        f"read posteriors of {_independent_methods()} as probabilities.",
        why,
    )


def _independent_methods() -> str:
    *names, last = (repr(m.name) for m in METHODS.values() if m.independent)
    return f"{', '.join(names)} or {last}"


def _cautions(findings: Findings) -> tuple[str, ...]:
    sentences = []
    if findings.held_out is not None:
        sentences += _better_models(findings.held_out)
    if findings.stability is not None and findings.stability.changed > _LOOSE:
        changed = f"{100 * findings.stability.changed:.0f}% of the labels"
        sentences.append(f"{changed} depend on the start of EM: look at both ends")
    if findings.coupling is not None and findings.coupling.within >= 2:
        sentences.append(
            "what judges share may be a trait of the items that is not the label: a few dozen "
            "labelled items would tell more than any number of votes"
        )
    weak = [row.model for row in findings.identifiability if (row.standard_error or 0) > 1]
    if weak:
        sentences.append(
            f"these items leave some direction of {', '.join(weak)} to prior and start"
        )
    if findings.suspects:
        names = ", ".join(suspect.judge for suspect in findings.suspects)
        sentences.append(f"check the files of {names} first: they agree with nobody")
    return tuple(sentences)


def _better_models(result: HeldOut) -> list[str]:
    base = result.methods.index("dawid-skene")
    better = [
        f"{name} (z = {result.z[index, base]:+.1f})"
        for index, name in enumerate(result.methods)
        if result.z[index, base] > _CLEARLY
    ]
    if not better:
        return []
    return [
        f"unseen votes are better predicted by {', '.join(better)} than by independence: compare "
        "its labels, though better prediction of votes does not make labels more accurate"
    ]


# --- The checks of a diagnosis. Each returns its finding, or the sentence that says why not.


_MOST_FISHER = 16
_MOST_ISING = 10
_FEWEST_ITEMS = 100
_CELLS_AT_A_TIME = 1 << 20
_FEWEST_EXAMS = 59  # drawn for the sets: 1 / 60 is their smallest p-value
_MOST_SET_LABELS = 6  # three judges of 12 labels have a covariance of 1,320 x 1,320 a set


def is_binary(sketch: Sketch) -> bool:
    """Whether there are two labels and no other answers."""
    return sketch.n_labels == sketch.n_answers == 2


def most_active(sketch: Sketch, most: int) -> tuple[str, ...]:
    """Judges who answered most items, at most so many, in the order of the sketch."""
    answered = sketch.n_items - sketch.missing
    chosen = np.sort(np.argsort(-answered, kind="stable")[:most])
    return tuple(sketch.judges[index] for index in chosen.tolist())


def pairs_of(
    sketch: Sketch, most: int, *, level: float, replicates: int, seed: int
) -> tuple[PairTest | None, str]:
    """Run the calibrated test of all pairs, on the judges who answered most where there are many."""
    names = most_active(sketch, most)
    part = sketch if len(names) == sketch.n_judges else sketch.marginal(names)
    try:
        result = pair_test.core(part, level=level, replicates=replicates, seed=seed)
    except AlgevalError as error:
        return None, f"Independence was not tested: {error}."
    if len(names) == sketch.n_judges:
        return result, ""
    return result, (
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
        result = score_test(part, seed=seed)
    except AlgevalError as error:
        return None, f"The score test was not run: {error}."
    return result.recalibrated(pairs.p_value, "test of all pairs", pairs.message), ""


def quartets(
    sketch: Sketch, pairs: PairTest | None, *, most_sets: int, level: float, seed: int
) -> tuple[Quartets | None, str]:
    """Run the algebraic test on sets of four judges (three, for more than two labels), to say where.

    Sets are compared with the furthest set of exams drawn from the fitted independent judges, so that many
    sets are no excuse. Sets with fewer than 100 common items say nothing.
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
    panels = [[part.judges.index(name) for name in chosen] for chosen in sets]
    own = _distances(part.codes, part.counts, panels, part.n_labels)
    finite = np.isfinite(own)
    replicates = max(_FEWEST_EXAMS, ceil(1 / level))
    kept = [index for index, seen in zip(panels, finite, strict=True) if seen]
    furthest = np.array([])
    if kept:
        exams = drawn_exams(part, replicates, seed)
        once = np.ones(exams.shape[1], np.int64)
        each = steps(exams, "comparing sets with those of independent judges", len(exams))
        drawn = [_distances(codes, once, kept, part.n_labels, fewest=0) for codes in each]
        furthest = np.nan_to_num(np.array(drawn)).max(axis=1)
    p_values = [(1 + (furthest >= value).sum()) / (replicates + 1) for value in own[finite]]
    best = int(np.nanargmax(own)) if kept else 0
    return Quartets(
        size=len(sets[0]),
        n_possible=comb(part.n_judges, len(sets[0])),
        n_tested=len(sets),
        n_undetermined=int((~finite).sum()),
        n_rejected=sum(p <= level for p in p_values),
        smallest_p=float(min(p_values)) if kept else None,
        worst=sets[best] if kept else (),
        level=level,
        n_replicates=replicates if kept else 0,
    )


def _distances(
    codes: Codes,
    counts: NDArray[np.int64],
    panels: list[list[int]],
    n_labels: int,
    fewest: int = _FEWEST_ITEMS,
) -> NDArray[np.float64]:
    """Wald statistic of every set of judges; NaN where it has none."""
    size, n_judges = len(panels[0]), codes.shape[1]
    n_cells = n_labels**size
    missing = codes == NOT_ANSWERED
    answers = np.where(missing, 0, codes).astype(float)
    silent = missing.astype(float)
    distances = []
    at_a_time = max(1, _CELLS_AT_A_TIME // max(len(codes), 1))
    for first in range(0, len(panels), at_a_time):
        chosen = np.array(panels[first : first + at_a_time])
        sets = np.arange(len(chosen))
        digits, inside = np.zeros((n_judges, len(chosen))), np.zeros((n_judges, len(chosen)))
        for index, judges in enumerate(chosen.T):
            digits[judges, sets] = n_labels ** (size - 1 - index)
            inside[judges, sets] = 1
        cell = (answers @ digits).astype(np.intp) + n_cells * sets
        weights = counts[:, None] * (silent @ inside == 0)
        cells = np.bincount(cell.ravel(), weights.ravel(), n_cells * len(chosen))
        cubes = cells.reshape(len(chosen), *(n_labels,) * size)
        statistics = wald_statistics(cubes)
        few = cells.reshape(len(chosen), -1).sum(axis=1) < max(fewest, 1)
        distances.append(np.where(few, np.nan, statistics))
    return np.concatenate(distances)


def _some_sets(names: tuple[str, ...], size: int, most: int, seed: int) -> list[tuple[str, ...]]:
    if comb(len(names), size) <= most:
        return list(combinations(names, size))
    rng = np.random.default_rng(seed)
    results: dict[tuple[int, ...], None] = {}
    while len(results) < most:
        drawn = np.sort(rng.choice(len(names), size, replace=False))
        results[tuple(drawn.tolist())] = None
    return [tuple(names[index] for index in indices) for indices in sorted(results)]


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
        # measured on 1,000 x 20: a fifteenth of the time of its defaults, the same mean to 2e-4
        "factor": {"n_starts": 1, "seed": seed, "tol": 1e-4, "n_nodes": 21},
    }
    if sketch.n_judges <= _MOST_ISING:
        methods.append("ising")
        settings["ising"] = {"n_starts": 2, "seed": seed}
    try:
        result = held_out(sketch, methods, folds=folds, seed=seed, settings=settings)
    except AlgevalError as error:
        return None, f"Held-out votes were not compared: {error}."
    if result.status is not Status.OK:
        return None, f"Held-out votes were not compared: {result.message}"
    return result, ""


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
    """How strongly judges share errors."""
    mean = largest = None
    if test is not None:
        upper = test.pair_correlation[np.triu_indices(len(test.judges), 1)]
        mean, largest = float(upper.mean()), float(upper[np.abs(upper).argmax()])
    within, bound = float(held.parameters["within"]), float(held.parameters["bound"])
    counts = ((sketch.codes != NOT_ANSWERED).sum(1) @ sketch.counts) / sketch.n_items
    return Coupling(
        within=within,
        bound=bound,
        mean_correlation=mean,
        largest_correlation=largest,
        effective_judges=float(counts) / max(1.0, within),
    )


def identifiability(sketch: Sketch, test: ScoreTest | None) -> tuple[Identifiability, ...]:
    """Guard's verdict on every model, with Fisher information where it is cheap."""
    cheap = test is not None and sketch.n_judges == len(test.judges) <= _MOST_FISHER
    results = []
    for name, model in MODELS.items():
        error_size = None
        try:
            caveat, identifiable = check_identifiable(name, sketch.n_judges), True
        except NotIdentifiableError as error:
            caveat, identifiable = str(error), False
        if identifiable and cheap and test is not None:
            error_size = _worst_error(test, model.couplings)
        results.append(
            Identifiability(
                model=model.name,
                identifiable=identifiable,
                caveat=caveat,
                standard_error=error_size,
            )
        )
    return tuple(results)


def _worst_error(test: ScoreTest, couplings: int) -> float:
    k = len(test.judges)
    rates = np.clip(np.asarray(test.confusion, float).T, 1e-6, 1 - 1e-6)
    share = float(np.clip(test.prevalence, 1e-6, 1 - 1e-6))
    parameters = Parameters(logit(rates), np.zeros((2, k, k)), float(logit(share)))
    return worst_standard_error(parameters, couplings, test.n_items)


# --- Do the judges err independently, what follows if they do not, and which method to use then.


_SHOWN = 3
_SCORED = ("majority", "dawid-skene", "recommended")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagnosis(Result):
    """What the votes say of the assumptions behind every aggregate.

    Attributes
    ----------
    status : Status
        ok when some test of independence ran; undetermined when none applied; time_limit where checks
        were left unfinished, which `not_done` names.
    judges, labels : tuples of str
    n_items, n_missing : int
    dependent : bool or None
        Whether the test of all pairs rejects independence at `level`; None where it does not
        apply. Nothing else decides. False shows nothing.
    pairs : PairTest or None
        The test of all pairs, with the map of leftover correlation.
    score_test : ScoreTest or None
        Its efficient form for two answers; its p-value here is that of `pairs`.
    quartets : Quartets or None
        The algebraic test on small sets of judges, which says where; None unless `dependent`.
    held_out : HeldOut or None
        Models of dependence against independence on unseen votes (two answers).
    stability : Stability or None
    coupling : Coupling or None
    identifiability : tuple of Identifiability
        Two labels only.
    calibration : tuple of Score
        Majority, Dawid-Skene and the recommended method against the key, where there is one.
        Never read for the recommendation.
    suspects : tuple of Suspect
        Judges who agree with nobody.
    method : str or None
        The method recommended; None where no aggregate should be believed.
    recommendation : str
    reasons : tuple of str
    not_done : tuple of str
        Checks that do not apply to these votes, or to all of them, and why.
    settings : dict
    """

    schema: ClassVar[str] = "algeval.diagnosis/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_items: int
    n_missing: int
    dependent: bool | None
    pairs: PairTest | None
    score_test: ScoreTest | None
    quartets: Quartets | None
    held_out: HeldOut | None
    stability: Stability | None
    coupling: Coupling | None
    identifiability: tuple[Identifiability, ...]
    calibration: tuple[Score, ...]
    suspects: tuple[Suspect, ...]
    method: str | None
    recommendation: str
    reasons: tuple[str, ...]
    not_done: tuple[str, ...]
    settings: dict[str, Any]

    def as_tables(self) -> tuple[Table, ...]:
        """Finding in one row, the pairs of judges tested, and judges nobody agrees with."""
        pairs = () if self.pairs is None else self.pairs.as_tables()[:1]
        names = ("judge", "pooled_kappa", "best_kappa", "n_compared", "cause")
        alone = Table.of_records("Judges who agree with nobody", names, self.suspects)
        return scalars(self), *pairs, alone

    def summary(self) -> str:
        """Finding, the checks, the recommendation and its reasons."""
        checks = [self.pairs, self.held_out, *self.calibration]
        parts = [self.quartets, self.stability, self.coupling, *self.identifiability]
        lines = [self.message]
        lines += [check.summary() for check in checks if check is not None]
        lines += [part.describe() for part in parts if part is not None]
        lines += [result.message for result in self.suspects[:_SHOWN]]
        if len(self.suspects) > _SHOWN:
            lines.append(
                f"... and {len(self.suspects) - _SHOWN} more judges who agree with nobody."
            )
        lines += [f"Left out: {reasons}" for reasons in self.not_done]
        lines += [self.recommendation, *(f"  because {reasons}" for reasons in self.reasons)]
        return "\n".join(lines)


@reads(items=True)
def diagnose(
    data: Data,
    *,
    level: float = 0.05,
    n_starts: int = 10,
    folds: int = 5,
    most_judges: int = 24,
    most_sets: int = 200,
    replicates: int = 199,
    seed: int = 0,
    time_limit: float | None = None,
) -> Diagnosis:
    """Tests of what aggregation assumes about these votes, and a recommended method with reasons.

    Use it before believing posteriors. It assumes nothing but that items are alike and votes are
    missing at random. Rejecting independence says that some errors are shared, given classes found
    from the votes; not rejecting it shows nothing. Whether the classes found are the labels you
    mean, no test of votes can tell.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is used for calibration alone, after everything else.
    level : float
        Independence is rejected where the p-value of the test of all pairs is at most this. The
        sets of the algebraic test share the same level between them.
    n_starts, folds, seed : int
        Starts of Dawid-Skene, folds of the held-out comparison, and the seed of everything drawn.
    most_judges : int
        With more judges, pairs and sets are taken from those who answered most items.
    most_sets : int
        Sets of the algebraic test; with more they are drawn.
    replicates : int
        Exams of independent judges that the p-value rests on, at most; see `pair_test`.
    time_limit : float, optional
        Seconds. Checks that are not finished by then are named in `not_done`, and the status says so.

    Returns
    -------
    Diagnosis

    Raises
    ------
    DataError
        If a setting is out of range, or `data` is no votes.
    TooLargeError
        Where it is counted to take more than about a minute, and there is no `time_limit`.

    Notes
    -----
    One rule decides: the test of all pairs (`algeval.aggregate.pair_test`), whose p-value is the
    share of exams drawn from the fitted independent judges that look as dependent. Its size and its
    power are measured there. The algebraic test looks at sets only after that one has rejected, so it
    cannot contradict it.

    Examples
    --------
    >>> s = Sketch.from_counts({"aaaa": 60, "bbbb": 50, "aabb": 30, "bbaa": 30, "abab": 2})
    >>> diagnose(s).dependent
    True
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    settings = {
        "level": level,
        "n_starts": check_whole("n_starts", n_starts),
        "folds": check_whole("folds", folds, 2),
        "most_judges": check_whole("most_judges", most_judges, 4),
        "most_sets": check_whole("most_sets", most_sets),
        "replicates": check_whole("replicates", replicates),
        "seed": check_whole("seed", seed, 0),
    }
    sketch = as_sketch(data, "counts per judge say nothing about dependence")
    refuse_pairs(sketch.codes, "a diagnosis")
    blind, key, _ = split_key(data)
    limit = until(check_time_limit(time_limit))
    with stages("testing whether errors are independent", 6) as checks, limit:
        check_work("the diagnosis", size_of(sketch), _seconds(sketch, settings))
        result, not_done, late = _run(sketch, settings, checks.step)
    advice = advise(result)
    if late:
        not_done.append(f"The time limit of {time_limit:g} s left unfinished: {', '.join(late)}.")
    scores: tuple[Score, ...] = ()
    status = Status.UNDETERMINED if advice.dependent is None else Status.OK
    if late:
        status = Status.TIME_LIMIT
    if key is None:
        not_done.append("Calibration: there is no key to compare posteriors with.")
    else:
        fits = [aggregate(blind, method) for method in _SCORED]
        scores = tuple(score(fit, key) for fit in fits if fit.evaluation is not None)
    return Diagnosis(
        status=status,
        message=advice.verdict,
        judges=sketch.judges,
        labels=sketch.labels,
        n_items=sketch.n_items,
        n_missing=int(sketch.missing.sum()),
        dependent=advice.dependent,
        pairs=result.pairs,
        score_test=result.score_test,
        quartets=result.quartets,
        held_out=result.held_out,
        stability=result.stability,
        coupling=result.coupling,
        identifiability=result.identifiability,
        calibration=scores,
        suspects=result.suspects,
        method=advice.method,
        recommendation=advice.recommendation,
        reasons=advice.reasons,
        not_done=tuple(not_done),
        settings=settings,
    )


Value = TypeVar("Value")


class _Cost(NamedTuple):
    """What a diagnosis takes: seconds of any, and nanoseconds of fits and of drawn exams.

    Of fits per tuple, judge and label; per drawn exam, item, judge, answer and label. Both were measured
    where judges are right on 80% of 300 to 30,000 items.
    """

    first: float
    fits: float
    pairs: float


_OF_TWO_LABELS, _OF_MORE = _Cost(0.15, 1000, 80), _Cost(0.1, 8000, 2)


def _seconds(sketch: Sketch, settings: dict[str, Any]) -> float:
    """Count the work: fits to the votes, and the exams of the test of all pairs."""
    judges = min(sketch.n_judges, settings["most_judges"])
    drawn = min(sketch.n_items, policy.DRAWN_ITEMS) * judges * sketch.n_answers
    exams = policy.SCALING_EXAMS + settings["replicates"] / 2
    cost = _OF_TWO_LABELS if is_binary(sketch) else _OF_MORE
    fits = n_cells(sketch) * cost.fits
    pairs = drawn * exams * sketch.n_labels * cost.pairs
    return cost.first + float(fits + pairs) / 1e9


def _run(
    sketch: Sketch, settings: dict[str, Any], ended: Callable[[], None]
) -> tuple[Findings, list[str], list[str]]:
    """What each check found, the sentences of those that do not apply, and the unfinished.

    `ended` is called after each.
    """
    seed = settings["seed"]
    level, most = settings["level"], settings["most_judges"]
    late: list[str] = []

    def within_time(name: str, check: Callable[[], Value]) -> Value | None:
        try:
            check_time()
            return check()
        except TimeUp:
            late.append(name)
            return None
        finally:
            ended()

    none, rounds, sets_of = (None, ""), settings["replicates"], settings["most_sets"]
    name = "the test of all pairs"
    all_pairs = partial(pairs_of, sketch, most, level=level, replicates=rounds, seed=seed)
    pairs, why_pairs = within_time(name, all_pairs) or none
    asked_score = partial(score_of_pairs, sketch, pairs, seed)
    test, why_test = within_time("the score test", asked_score) or none
    asked_sets = partial(quartets, sketch, pairs, most_sets=sets_of, level=level, seed=seed)
    sets, why_sets = within_time("the algebraic test", asked_sets) or none
    asked_models = partial(held_out_models, sketch, settings["folds"], seed)
    unseen, why_unseen = within_time("held-out votes", asked_models) or none
    not_done = [why_pairs, why_test, why_sets, why_unseen]
    steady, shared, why_fits = within_time(
        "stability and coupling", lambda: _fits(sketch, settings, pairs)
    ) or (None, None, "")
    not_done.append(why_fits)
    binary = is_binary(sketch)
    guard: tuple[Identifiability, ...] = ()
    if binary:
        guard = within_time("identifiability", lambda: identifiability(sketch, test)) or ()
    if guard and all(row.standard_error is None for row in guard):
        not_done.append(
            "Fisher information: it is summed up to 16 judges where the score test ran."
        )
    if not binary:
        not_done.append("The guard on models and its Fisher information are for two labels.")
    findings = Findings(
        pairs=pairs,
        score_test=test,
        quartets=sets,
        held_out=unseen,
        stability=steady,
        coupling=shared,
        identifiability=guard,
        suspects=suspects.core(sketch),
    )
    return findings, [why for why in not_done if why], late


def _fits(
    sketch: Sketch, settings: dict[str, Any], pairs: PairTest | None
) -> tuple[Stability | None, Coupling | None, str]:
    """What fits say of starts and of shared errors, or why they say nothing."""
    plain = aggregate(sketch, "dawid-skene", prior=2)
    if plain.evaluation is None:
        return None, None, f"Stability and coupling: {plain.message}"
    steady = stability(plain, sketch, settings["n_starts"], settings["seed"])
    return steady, coupling(aggregate(sketch, "pooled-dawid-skene"), sketch, pairs), ""
