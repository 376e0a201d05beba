"""MACE: a judge either knows the label or answers from a habit (Hovy et al., 2013), by EM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import Problem
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.prevalence import read_prevalence
from algeval.aggregate.results import Aggregation, Floats
from algeval.data.settings import check_number
from algeval.result.wording import how_many

__all__ = ["mace"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Habits(Problem):
    """Tables from the chance of knowing (N,) and a habit (N, A).

    `pseudo` is (2,): knowing and guessing; `habit` the pseudo-count of every answer.
    """

    tied: ClassVar[bool] = True

    habit: float

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, tuple[Floats, Floats]]:
        n_judges, n_labels, n_answers = tables.shape
        half, even = np.full(n_judges, 0.5), np.full((n_judges, n_answers), 1 / n_answers)
        knowing, habit = (half, even) if last is None else last
        theta = knowing[:, None]
        knew_share = theta / (theta + (1 - theta) * habit)
        total = tables.sum(1)
        hits = np.zeros_like(total)
        hits[:, :n_labels] = np.diagonal(tables, axis1=1, axis2=2)
        knew = hits * np.where(theta > 0, knew_share, 0.0)
        number = total.sum(axis=1) + self.pseudo.sum()
        fresh = np.divide(
            knew.sum(axis=1) + self.pseudo[0], number, where=number > 0, out=np.zeros(n_judges)
        )
        guessed = total - knew + self.habit
        row = guessed.sum(axis=1, keepdims=True)
        drawn = np.where(row > 0, guessed / np.where(row > 0, row, 1.0), 1 / n_answers)
        edge = policy.MACE_EDGE
        own = np.clip(fresh, edge, 1 - edge), np.maximum(drawn, edge)
        return _tables(*own, n_labels), own

    def log_prior(self, confusion: Floats, own: Any) -> float:
        knowing, habit = own
        logs = np.array([np.log(knowing).sum(), np.log1p(-knowing).sum()])
        return float(self.pseudo @ logs + self.habit * np.log(habit).sum())


def _tables(knowing: Floats, habit: Floats, n_labels: int) -> Floats:
    """Return (N, R, A): chance of each answer, given the label."""
    tables = np.repeat(((1 - knowing)[:, None] * habit)[:, None, :], n_labels, axis=1)
    diagonal = np.arange(n_labels)
    tables[:, diagonal, diagonal] += knowing[:, None]
    return tables


def mace(
    data: fitting.Data,
    *,
    knowing: tuple[float, float] = (1.5, 1.5),
    habit: float = 1.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    tol: float = 1e-8,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels when some judges sometimes answer without looking.

    Use it for crowds with spammers: a judge knows the label with a chance of its own, and answers
    from a habit, the same on every item, when it does not. It assumes independent errors given the
    label, and that nobody is worse than guessing. A vote left out leaves its factor out.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    knowing : (a, b)
        Beta prior of each judge's chance of knowing, each at least 1.
    habit : float
        Dirichlet prior of each judge's habit, at least 1.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`. The original takes equal shares: pass them to have it so.
    n_starts, seed
        EM from the majority's vote shares, then from perturbations of them; the best is kept.
    tol, max_iter
        EM is converged at the first step that gains at most `tol` nats per item and moves no
        chance of an answer or label by more.

    Returns
    -------
    Aggregation
        `parameters` holds knowing (N,) and habit (N, A). Status ok, not_converged, or
        not_identifiable below 3 judges. `trace` is the penalised log-likelihood.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Maximum a posteriori, where the original has a variational posterior under Beta(1/2, 1/2).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> mace(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    rule = read_prevalence(prevalence, sketch.labels)
    run = fitting.run_settings(n_starts=n_starts, seed=seed, tol=tol, max_iter=max_iter)
    settings = {
        "knowing": [check_number("knowing", value, least=1.0) for value in knowing],
        "habit": check_number("habit", habit, least=1.0),
        "prevalence": rule.setting,
        **run,
    }
    if fitting.n_heard(sketch) < fitting.fewest("mace"):
        why = "MACE must have at least 3 judges who answered; got fewer; add judges"
        return fitting.refused(read, "mace", settings, why)
    pseudo = np.array(settings["knowing"]) - 1
    own = {"pseudo": pseudo, "habit": settings["habit"] - 1, "prevalence": rule}
    fit = fitting.fit_tables(_Habits, read, run, **own)
    known = zip(sketch.judges, fit.own[0], strict=True)
    idle = [judge for judge, share in known if share < policy.IDLE]
    return fitting.finish_tables(
        read,
        "mace",
        settings,
        message=f"MACE model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fit.confusion / fit.confusion.sum(axis=2, keepdims=True),
        posterior=fit.posterior,
        prevalence=fit.prevalence,
        end=fit.end,
        log_likelihood=fit.log_likelihood,
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        suspects=False,
        notes=[f"{', '.join(idle)} almost never know the label, by this model."] if idle else [],
        parameters={"knowing": fit.own[0], "habit": fit.own[1]},
    )
