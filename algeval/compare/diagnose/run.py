"""Do the judges err independently, what follows if they do not, and which method to use then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.aggregate import aggregate
from algeval.aggregate.checks.held_out import HeldOut
from algeval.aggregate.checks.pair_test import PairTest
from algeval.aggregate.checks.score_test import ScoreTest
from algeval.aggregate.checks.scoring import Score, score
from algeval.aggregate.checks.suspects import Suspect, suspects
from algeval.compare.diagnose.advice import advise
from algeval.compare.diagnose.checks import (
    coupling,
    held_out_models,
    identifiability,
    is_binary,
    pairs_of,
    quartets,
    score_of_pairs,
    stability,
)
from algeval.compare.diagnose.parts import (
    Coupling,
    Findings,
    Identifiability,
    Quartets,
    Stability,
)
from algeval.data import Sketch
from algeval.data.reading import as_sketch, split_key
from algeval.data.settings import check_number, check_whole
from algeval.io.sources import Source, read_data
from algeval.progress import stages
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars

__all__ = ["Diagnosis", "diagnose"]

_SHOWN = 3
_SCORED = ("majority", "dawid-skene", "recommended")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagnosis(Result):
    """What the votes say of the assumptions behind every aggregate.

    Attributes
    ----------
    status : Status
        ok when some test of independence ran; undetermined when none applied.
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
        """Return the finding in one row, the pairs of judges tested, and judges nobody agrees with."""
        pairs = () if self.pairs is None else self.pairs.as_tables()[:1]
        names = ("judge", "pooled_kappa", "best_kappa", "n_compared", "cause")
        alone = Table.of_records("Judges who agree with nobody", names, self.suspects)
        return scalars(self), *pairs, alone

    def summary(self) -> str:
        """Return the finding, the checks, the recommendation and its reasons."""
        checks = [self.pairs, self.held_out, *self.calibration]
        parts = [self.quartets, self.stability, self.coupling, *self.identifiability]
        lines = [self.message]
        lines += [check.summary() for check in checks if check is not None]
        lines += [part.describe() for part in parts if part is not None]
        lines += [found.message for found in self.suspects[:_SHOWN]]
        if len(self.suspects) > _SHOWN:
            lines.append(
                f"... and {len(self.suspects) - _SHOWN} more judges who agree with nobody."
            )
        lines += [f"Left out: {told}" for told in self.not_done]
        lines += [self.recommendation, *(f"  because {told}" for told in self.reasons)]
        return "\n".join(lines)


def diagnose(
    data: Source,
    *,
    level: float = 0.05,
    n_starts: int = 10,
    folds: int = 5,
    most_judges: int = 24,
    most_sets: int = 200,
    replicates: int = 199,
    seed: int = 0,
) -> Diagnosis:
    """Test the assumptions behind aggregation on these votes, and recommend a method with reasons.

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

    Returns
    -------
    Diagnosis

    Raises
    ------
    DataError
        If a setting is out of range, or `data` is no votes.

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
    data = read_data(data, items=True)
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
    blind, key, _ = split_key(data)
    with stages("testing whether errors are independent", 6) as checks:
        found, not_done = _run(sketch, settings, checks.step)
    told = advise(found)
    scores: tuple[Score, ...] = ()
    if key is None:
        not_done.append("Calibration: there is no key to compare posteriors with.")
    else:
        fits = [aggregate(blind, method) for method in _SCORED]
        scores = tuple(score(fit, key) for fit in fits if fit.evaluation is not None)
    return Diagnosis(
        status=Status.UNDETERMINED if told.dependent is None else Status.OK,
        message=told.verdict,
        judges=sketch.judges,
        labels=sketch.labels,
        n_items=sketch.n_items,
        n_missing=int(sketch.missing.sum()),
        dependent=told.dependent,
        pairs=found.pairs,
        score_test=found.score_test,
        quartets=found.quartets,
        held_out=found.held_out,
        stability=found.stability,
        coupling=found.coupling,
        identifiability=found.identifiability,
        calibration=scores,
        suspects=found.suspects,
        method=told.method,
        recommendation=told.recommendation,
        reasons=told.reasons,
        not_done=tuple(not_done),
        settings=settings,
    )


def _run(
    sketch: Sketch, settings: dict[str, Any], ended: Callable[[], None]
) -> tuple[Findings, list[str]]:
    """Return what each check found, and the sentences of those that do not apply.

    `ended` is called after each.
    """
    seed = settings["seed"]
    level, most = settings["level"], settings["most_judges"]
    pairs, why_pairs = pairs_of(
        sketch, most, level=level, replicates=settings["replicates"], seed=seed
    )
    ended()
    test, why_test = score_of_pairs(sketch, pairs, seed)
    ended()
    sets, why_sets = quartets(
        sketch, pairs, most_sets=settings["most_sets"], level=level, seed=seed
    )
    ended()
    unseen, why_unseen = held_out_models(sketch, settings["folds"], seed)
    ended()
    plain = aggregate(sketch, "dawid-skene", prior=2)
    steady = shared = None
    not_done = [why_pairs, why_test, why_sets, why_unseen]
    if plain.evaluation is None:
        not_done.append(f"Stability and coupling: {plain.message}")
    else:
        steady = stability(plain, sketch, settings["n_starts"], seed)
        shared = coupling(aggregate(sketch, "recommended"), sketch, pairs)
    ended()
    binary = is_binary(sketch)
    guard = identifiability(sketch, test) if binary else ()
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
        suspects=suspects(sketch),
    )
    return findings, [why for why in not_done if why]
