"""The default: which method fits this kind of votes, by a stated rule that never reads a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import bdtr, expit, logit

from algeval.aggregate import fitting, policy
from algeval.aggregate.checks.groups import near_copies, one_of_each
from algeval.aggregate.em import (
    ShareRange,
    log_table,
    posterior_of,
    read_prevalence,
    read_shares,
    told_share,
    vote_sums,
)
from algeval.aggregate.methods.factor import fit_panel, not_a_panel, share_of_votes
from algeval.aggregate.methods.tables import (
    NAME,
    held_back,
    pooled_dawid_skene,
    posterior_under,
    tempered,
)
from algeval.aggregate.methods.voting import smoothed_shares
from algeval.aggregate.results import (
    SHARES,
    AccuracyRange,
    Aggregation,
    Floats,
    Patterns,
    decide,
    read_patterns,
)
from algeval.data import NOT_ANSWERED, Evaluation, Sketch
from algeval.data.names import Codes, check_choice, is_sparse, positions, read_only
from algeval.data.sketch import group_rows
from algeval.errors import option
from algeval.models.binary import log_expit, log_sum_exp
from algeval.models.shares import wilson
from algeval.progress import check_time
from algeval.result import Status, percent
from algeval.result.numbers import how_many
from algeval.result.tables import Table

CONFIDENT = f"{NAME} with the confidence of vote-factor"


def recommended(
    data: fitting.Data,
    *,
    prevalence: Any = "majority",
    copies: str = "merge",
    judge_weights: Any = None,
    tol: float = 1e-5,
    max_iter: int = 2000,
) -> Aggregation:
    """Labels and probabilities to rest on, by the kind of data and nothing else.

    Use it when nothing better is known of the judges. The rule:

    - Judges who copy each other exactly count as one.
    - Votes of any shape: 'pooled-dawid-skene'.
    - A dense panel of two labels (at least 3 judges, every two of them with a quarter of the items
      in common, as where all answer all items): order of 'pooled-dawid-skene', as sure on average as
      'vote-factor' is, and as many items called each label as the majority of the judges calls. Votes
      do not tell how frequent a label is. Where the judges' errors look independent, what
      Dawid-Skene says gets up to four fifths of the weight.
    - A prevalence that you know: posteriors moved until they average to it. A range in which they and
      the fit lie untold changes nothing; any other is its nearer end.
    - Two judges, or at most two votes on any item: their shares of votes.
    - Scores: 'rank-factor', whose settings and result it then has.

    No key is read and no fit is chosen by how well it looks. What no rule can see is whether the
    classes found are the labels you mean, and how frequent these are.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : "majority", "fit", share, (low, high), shares, or mapping
        "majority": as many items are called each label as by majority. "fit": the classes of the fit, the
        answer of version 0.1. A number or a range is the share of the second of two labels, a mapping
        has a share or a range for each label that is named. Rules that
        `dawid_skene` takes ("free", ("prior", alpha)) are those of the fit.
    copies : "merge" or "keep"
        Whether judges that the exact test of copies names count as one.
    judge_weights : optional
        See `pooled_dawid_skene`, which then answers alone.
    tol, max_iter
        See `pooled_dawid_skene`.

    Returns
    -------
    Aggregation
        `parameters` as of 'pooled-dawid-skene', and 'chosen': the method or methods that were
        chosen; 'copies', groups of judges that count as one; 'cut', the log-odds at which the second
        label is called; 'independence', Vuong's z of two classes against one trait on one judge of
        each group of 'near_copies', and 'weight', that of the independent fit, 'single' where such judges
        are fewer than all. Status as
        'pooled-dawid-skene'. The log-likelihood is that of the independent fit. `sensitivity` has what
        is called if a label is more or less frequent.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    With r the posteriors of the held-back fit, 'majority' gives expit(logit r - t), t the quantile of
    logit r that leaves as many above as the majority calls. A share is met by expit(logit m + b), m the
    mean of r and of the posteriors of 'pooled-dawid-skene', with the independent fit at its weight, b such
    that they average to it. Independence: z is Vuong's
    (1989) statistic of the pooled fit against a normal trait behind all votes. It is taken on one judge of
    each group of near copies, by tetrads or by the exact test of copies, and so is the fit that it gives a
    weight of .8 z / 2 between 0 and .8. What each part rests on was measured on public votes; the how-to on
    choosing a method has the tables, and one command makes them again.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaaa": 40, "bbbb": 40, "aabb": 12, "bbaa": 10, "abbb": 5})
    >>> recommended(s).parameters["chosen"]
    'pooled-dawid-skene with the confidence of vote-factor'
    """
    check_choice("copies", copies, ("merge", "keep"))
    read = read_patterns(data)
    rule = _rule(prevalence, read.sketch.labels)
    pairs = copies_of(read.sketch) if copies == "merge" and judge_weights is None else ()
    groups = merged_groups(pairs, read.sketch.n_judges)
    panel = merged(read, groups)
    pooled = pooled_dawid_skene(
        panel, prevalence=rule.fit, judge_weights=judge_weights, tol=tol, max_iter=max_iter
    )
    if pooled.evaluation is None and (read.sketch.codes == NOT_ANSWERED).all():
        return replace(pooled, method="recommended")
    settings = {"prevalence": rule.setting, "copies": copies} | {
        name: pooled.settings[name] for name in ("judge_weights", "max_iter", "tol")
    }
    parameters: dict[str, Any] = {"judge_weights": settings["judge_weights"]}
    parameters |= _base(pooled, panel)
    parameters["copies"] = [[read.sketch.judges[judge] for judge in group] for group in groups]
    parameters |= _answer(parameters, panel, rule)
    # rows as read, which merging may have joined
    _, codes = without_copies(read.sketch.codes, groups)
    posterior = read_only(_posterior(parameters, codes))
    case = Panel(read, panel, pooled, rule)
    result = replace(
        pooled,
        status=Status.OK if pooled.evaluation is None else pooled.status,
        items=read.items,
        method="recommended",
        settings=settings,
        judges=read.sketch.judges,
        patterns=read.sketch.codes,
        counts=read.sketch.counts,
        item_pattern=None if read.item_pattern is None else read_only(read.item_pattern),
        posterior=posterior,
        decisions=read_only(decide(posterior)),
        parameters=parameters,
    )
    return replace(
        result,
        message=_message(case, parameters),
        converged=pooled.converged or pooled.evaluation is None,
        evaluation=_evaluation(case, parameters, posterior),
        warnings=(
            *copies_notes(read.sketch, pairs, groups),
            *_share_note(case, parameters),
            *pooled.warnings,
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """How many items are called each label: "majority", "fit" or "shares", which are stated then.

    fit : the prevalence of the fit; setting : for the result to echo.
    """

    kind: str
    fit: Any
    setting: Any
    shares: ShareRange | None = None


_PRIOR = ("prior", 2.0)


def _rule(prevalence: Any, labels: tuple[str, ...]) -> Rule:
    if isinstance(prevalence, str) and prevalence in ("majority", "fit"):
        return Rule(prevalence, _PRIOR, prevalence)
    prior = (
        isinstance(prevalence, list | tuple) and len(prevalence) == 2 and prevalence[0] == "prior"
    )
    if prior or (isinstance(prevalence, str) and prevalence == "free"):
        return Rule("fit", prevalence, read_prevalence(prevalence, labels).setting)
    shares = read_shares(prevalence, labels)
    return Rule("shares", _PRIOR, shares.setting, shares)


class Panel(NamedTuple):
    """Votes as they were read, with copies merged, their pooled fit, and the rule of the shares."""

    read: Patterns
    panel: Patterns
    pooled: Aggregation
    rule: Rule


def merged(read: Patterns, groups: tuple[tuple[int, ...], ...]) -> Patterns:
    """Counts of the panel in which copies are one judge."""
    if not groups:
        return read
    sketch = read.sketch
    kept, codes = without_copies(sketch.codes, groups)
    distinct, row = group_rows(codes, sketch.n_answers)
    counts = np.bincount(row, sketch.counts, len(distinct)).astype(np.int64)
    judges = tuple(sketch.judges[judge] for judge in kept)
    start = None
    if read.start is not None:
        start = np.empty((len(distinct), sketch.n_labels))
        start[row] = read.start
    panel = Sketch(judges, sketch.labels, sketch.answers, distinct, counts)
    return Patterns(sketch=panel, items=read.items, start=start, near_copies=read.near_copies)


# --- Judges that copy each other: an exact test; copies count once.


class Copy(NamedTuple):
    """Two judges who differ on too few items for two that err by themselves.

    first, second : their positions.
    n_common, n_different : items both answered, and those on which they differ.
    p_value : chance of as few differences between some pair of judges, each right with chance between 5%
        and 95% on every item, at most.
    merged : whether they count as one judge: they differ on at most 4% of what unrelated columns would.
    """

    first: int
    second: int
    n_common: int
    n_different: int
    p_value: float
    merged: bool


def copy_chance(n_common: int, n_different: int, n_judges: int) -> float:
    """Bound on the chance that some pair of independent judges differs on as few of its common items.

    If both are right with a chance from 1 - A to A on each item, A = 95%, they differ on it with a chance of
    at least 2 A (1 - A), whatever the truth; over all pairs the chances are added up (Bonferroni).
    """
    cap = policy.COPY_ACCURACY
    each = bdtr(n_different, n_common, 2 * cap * (1 - cap))
    return min(1.0, float(each) * n_judges * (n_judges - 1) / 2)


def copies_of(sketch: Sketch) -> tuple[Copy, ...]:
    """Pairs of judges that the exact test rejects, in the order of the panel; none in huge panels."""
    n_judges = int((sketch.missing < sketch.n_items).sum())
    work = sketch.n_judges**2 * len(sketch) * sketch.n_answers
    if n_judges < 2 or work > policy.MOST_PAIR_WORK:
        return ()
    common, same, chance = _pairs(sketch)
    copies = []
    for i, j in np.argwhere(np.triu(common >= policy.COPY_ITEMS, 1)).tolist():
        m, d = int(common[i, j]), int(common[i, j] - same[i, j])
        if d > policy.COPY_DIFFERENT * m:  # p is above one half there
            continue
        p = copy_chance(m, d, n_judges)
        if p <= policy.COPY_LEVEL:
            unrelated = m * (1 - chance[i, j])
            copies.append(Copy(i, j, m, d, p, d <= policy.COPY_SHARE * unrelated))
    return tuple(copies)


def _pairs(sketch: Sketch) -> tuple[Floats, Floats, Floats]:
    """Common items of each pair, those they agree on, and the share that unrelated columns agree on."""
    pairs = sketch.pair_table()[:, 1:, :, 1:].astype(float)
    check_time()
    common, same = pairs.sum(axis=(1, 3)), np.einsum("iaja->ij", pairs)
    each = sketch.summary().counts.T / np.maximum(sketch.n_items - sketch.missing, 1)
    return common, same, np.asarray(each.T @ each, float)


def merged_groups(copies: tuple[Copy, ...], n_judges: int) -> tuple[tuple[int, ...], ...]:
    """Positions of judges that count as one, each group in the order of the panel."""
    group = list(range(n_judges))
    for copy in copies:
        if copy.merged:
            old, new = sorted((group[copy.first], group[copy.second]), reverse=True)
            group = [new if g == old else g for g in group]
    members: dict[int, list[int]] = {}
    for judge, first in enumerate(group):
        members.setdefault(first, []).append(judge)
    return tuple(tuple(judges) for judges in members.values() if len(judges) > 1)


def without_copies(codes: Codes, groups: tuple[tuple[int, ...], ...]) -> tuple[list[int], Codes]:
    """Judges that stay, and (rows, K) codes in which the first of a group has its copies' answers too."""
    gone = {judge for group in groups for judge in group[1:]}
    kept = [judge for judge in range(codes.shape[1]) if judge not in gone]
    if not groups:
        return kept, codes
    filled = np.array(codes)
    for first, *others in groups:
        for other in others:
            empty = filled[:, first] == NOT_ANSWERED
            filled[empty, first] = codes[empty, other]
    return kept, filled[:, kept]


def copies_notes(
    sketch: Sketch, copies: tuple[Copy, ...], groups: tuple[tuple[int, ...], ...]
) -> list[str]:
    """Sentences on the judges merged, and on those who are nearly alike and count as they are."""
    names, notes = sketch.judges, []
    for group in groups:
        rows = [c for c in copies if c.merged and {c.first, c.second} <= set(group)]
        most = max(c.n_different for c in rows)
        differ = "never differ" if not most else f"differ on at most {how_many(most, 'item')}"
        counted = f"{', '.join(names[j] for j in group)} {differ} of {rows[0].n_common}"
        notes.append(
            f"{counted if most else counted.replace(' of ', ' on ')}: counted as one judge."
        )
    near = [c for c in copies if not c.merged]
    for c in near[: policy.MOST_RIVALS]:
        notes.append(
            f"{names[c.first]} and {names[c.second]} differ on "
            f"{percent(c.n_different / c.n_common)} of {c.n_common}: independent judges would have to be "
            f"right on more than {percent(policy.COPY_ACCURACY, 0)}; each counts."
        )
    if len(near) > policy.MOST_RIVALS:
        notes.append(f"So do {how_many(len(near) - policy.MOST_RIVALS, 'more pair')} of judges.")
    return notes


# --- Posteriors of any votes under what was fitted: held back, pooled, and as if independent.


class Bases(NamedTuple):
    """Posteriors (rows, R) that an answer is made of, and the rows that somebody answered."""

    held: Floats
    pooled: Floats
    independent: Floats
    answered: Any


def _base(pooled: Aggregation, panel: Patterns) -> dict[str, Any]:
    """Parameters of the three posteriors, and the method or methods chosen."""
    if pooled.evaluation is None:
        return {"chosen": SHARES}
    fit = pooled.evaluation.to_floats()
    parameters = dict(pooled.parameters) | {
        "fit_prevalence": fit.prevalence,
        "fit_confusion": fit.confusion,
        "pooled_overcounting": pooled.parameters["overcounting"],
        "chosen": NAME,
    }
    factor = _panel_factor(pooled)
    if factor is not None:
        parameters |= {"overcounting": factor, "chosen": CONFIDENT}
    return parameters


def _bases(parameters: Mapping[str, Any], codes: Codes) -> Bases:
    """The three posteriors of other votes of the panel without its copies."""
    answered = (codes != NOT_ANSWERED).any(axis=1)
    if parameters["chosen"] == SHARES:
        n_labels = int(parameters["n_labels"])
        votes = np.stack([(codes == label).sum(axis=1) for label in range(n_labels)], axis=1)
        shares = smoothed_shares(votes)
        return Bases(shares, shares, shares, answered)
    confusion = np.array(parameters["fit_confusion"], float)
    weights = parameters["judge_weights"]
    table = log_table(np.nan_to_num(confusion, nan=1.0))
    if weights is not None:
        table = table * np.array(weights)[:, None, None]
    scores = vote_sums(codes, confusion.shape[2]).scores(table)
    plain, _ = posterior_of(scores, np.array(parameters["fit_prevalence"], float))
    settings = {"vote_share": policy.SHARE_WEIGHT, "judge_weights": weights}
    pooled = held_back(plain, float(parameters["pooled_overcounting"]), settings, codes)
    held = pooled
    if parameters["chosen"] == CONFIDENT:
        held = tempered(plain, float(parameters["overcounting"]), codes)
    return Bases(held, pooled, plain, answered)


def _panel_factor(pooled: Aggregation) -> float | None:
    """Divisor of log-odds with which the fit is as sure as 'vote-factor'; None where that does not apply."""
    if len(pooled.answers) != 2 or pooled.settings["judge_weights"] is not None:
        return None
    sketch = Sketch(pooled.judges, pooled.labels, pooled.answers, pooled.patterns, pooled.counts)
    if _rarely_together(sketch):
        return None
    read = fitting.read_binary(sketch, "free")
    if not_a_panel(read):
        return None
    share, _ = told_share("votes", pooled.labels, share_of_votes(read))
    factor = fit_panel(read, share, fixed=False, tol=policy.PANEL_TOL, max_iter=policy.PANEL_STEPS)
    weights = pooled.counts * (pooled.patterns != NOT_ANSWERED).any(axis=1)
    target = weights @ np.maximum(factor.share, 1 - factor.share)
    plain = posterior_under(pooled, pooled.patterns)

    def gap(log_factor: float) -> float:
        held = tempered(plain, float(np.exp(log_factor)), pooled.patterns)
        return float(weights @ held.max(axis=1) - target)

    most = policy.MOST_LOG_DIVISOR
    root = 0.0 if gap(0.0) <= 0 else most if gap(most) >= 0 else _root(gap, 0.0, most)
    return float(np.exp(root))


def _rarely_together(sketch: Sketch) -> bool:
    """Whether some judge answered less than the part of the items that each pair must have in common."""
    answered = sketch.n_items - sketch.missing
    some = answered[answered > 0]
    return len(some) > 1 and bool(some.min() < policy.COMMON * sketch.n_items)


def _root(of: Callable[[float], float], low: float, high: float, tol: float = 1e-9) -> float:
    """Root between two ends whose values differ in sign: false position, Illinois rule.

    SciPy's takes a quarter of a second to load, as long as a small report.
    """
    at_low, at_high, side = of(low), of(high), 0
    while high - low > tol and at_low != at_high:
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        middle = min(max(middle, low + tol / 2), high - tol / 2)
        value = of(middle)
        if value == 0:
            return middle
        if (value > 0) == (at_high > 0):
            high, at_high, at_low = middle, value, at_low / 2 if side > 0 else at_low
            side = 1
        else:
            low, at_low, at_high = middle, value, at_high / 2 if side < 0 else at_high
            side = -1
    return (low + high) / 2


# --- How many items are called each label: as many as the majority calls, or so that posteriors
# average to shares that were stated.


def cut_at(log_odds: Floats, counts: Floats, n_called: float) -> float:
    """Log-odds that as nearly n_called items exceed as equal rows allow, midway between two rows.

    Rows stand for `counts` items each. Of two cuts as near neither is better: the rows between them
    are cut in the middle, and are so undecided.
    """
    order = np.argsort(-log_odds)
    values = log_odds[order]
    row = np.cumsum(np.r_[0, np.diff(values) < -policy.TIE])  # equal to rounding
    above = np.r_[0.0, np.cumsum(np.bincount(row, counts[order]))]
    values = np.bincount(row, values) / np.bincount(row)  # from the largest on
    near = np.flatnonzero(np.abs(above - n_called) <= np.abs(above - n_called).min() + policy.TIE)
    between = np.r_[values[0] + 2e-6, values, values[-1] - 2e-6][near[0] : near[-1] + 2]
    return float(np.median(between))


def shifts_to(logs: Floats, counts: Floats, shares: Floats, *, spread: float = np.inf) -> Floats:
    """Log-odds (R,) that posteriors prop. to exp(logs + b) average to `shares` with; 0 where NaN.

    `spread`: deviation of a normal prior of b around 0, which keeps a few items from being forced to the
    shares of many.
    """
    named = ~np.isnan(shares)
    b = np.where(shares == 0, -np.inf, 0.0)
    free = named & (shares > 0)
    ridge, n = 1 / spread**2, counts.sum()
    target = np.where(free, np.nan_to_num(shares), 0.0) * n
    for _ in range(policy.TOLD_STEPS):
        joint = _normalised(logs + b)
        mass = counts @ joint
        slope = np.where(free, target - mass - ridge * np.where(free, b, 0.0), 0.0)
        bend = np.diag(mass) - (joint * counts[:, None]).T @ joint
        bend[np.diag_indices_from(bend)] += ridge + 1e-9 * n
        bend[~free] = 0.0
        bend[:, ~free] = 0.0
        bend[~free, ~free] = 1.0
        step = np.clip(np.linalg.solve(bend, slope), -1, 1)
        b = np.where(free, np.clip(b + step, -policy.MOST_SHIFT, policy.MOST_SHIFT), b)
        if np.abs(step).max() <= policy.ROUNDING:
            break
    return b


def _normalised(logs: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        joint = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = joint / joint.sum(axis=1, keepdims=True)
    return result


def _logs(posterior: Floats) -> Floats:
    result: Floats = np.log(np.clip(posterior, policy.SURE, None))
    return result


def _answer(parameters: Mapping[str, Any], panel: Patterns, rule: Rule) -> dict[str, Any]:
    """Parameters of the answer: its shifts or its cut, and the weight of the independent fit."""
    sketch = panel.sketch
    more: dict[str, Any] = {"n_labels": sketch.n_labels, "shifts": None, "shifts_if_shared": None}
    more |= {"cut": None, "near_copies": None, "independence": None, "weight": 0.0, "silent": None}
    more["single"] = None
    bases = _bases(more | dict(parameters), sketch.codes)
    counts = (sketch.counts * bases.answered).astype(float)
    seen = counts > 0
    if parameters["chosen"] == CONFIDENT:
        called = _called_by_majority(sketch)
        more["called"] = {
            "majority": called / counts.sum(),
            "fit": float(counts @ _called(bases.held[:, 1])) / counts.sum(),
        }
        if rule.kind != "fit":
            near = _alike(sketch) if panel.near_copies is None else panel.near_copies
            more |= {"near_copies": near} | _independent(sketch, near, parameters)
            held = logit(np.clip(bases.held[seen, 1], policy.SURE, 1 - policy.SURE))
            more["cut"] = cut_at(held, counts[seen], called)
            joint = _posterior(more | dict(parameters), sketch.codes)
            more["silent"] = counts @ joint / counts.sum()
            moved = np.abs(_called(joint[:, 1]) - _called(bases.held[:, 1]))
            more["called"]["otherwise"] = float(counts @ moved) / counts.sum()
    if rule.shares is None:
        return more
    average = sketch.counts / sketch.n_items @ _posterior(more | dict(parameters), sketch.codes)
    for untold in (average, np.array(parameters.get("fit_prevalence", average), float)):
        told = rule.shares.nearest(untold)
        if told is not untold:
            break
    else:
        return more
    # labels at no end keep what the votes say of them, if that leaves none outside its range
    more["cut"] = None
    edge = policy.ROUNDING
    ends = (told <= rule.shares.low + edge) | (told >= rule.shares.high - edge)
    for point in (np.where(ends, told, np.nan), told):
        for name, weight in (("shifts", more["weight"]), ("shifts_if_shared", 0.0)):
            logs = _logs(_before_shares(more | {"weight": weight}, bases, sketch.codes)[seen])
            more[name] = shifts_to(logs, counts[seen], point, spread=policy.SHIFT_SPREAD)
        joint = _posterior(more | dict(parameters) | {"silent": None}, sketch.codes)
        mass = np.where(np.isnan(point), counts @ joint, 0.0)
        rest = mass * (1 - np.nansum(point)) / max(mass.sum(), policy.TINY)
        more["silent"] = np.where(np.isnan(point), rest, point)
        if rule.shares.nearest(more["silent"]) is more["silent"]:
            break
    return more


def _before_shares(parameters: Mapping[str, Any], bases: Bases, codes: Codes) -> Floats:
    """Posteriors (rows, R) that shares which were stated move: of held-back fits, and the independent one."""
    weight, held = parameters["weight"], (bases.held + bases.pooled) / 2
    return (1 - weight) * held + weight * _single(parameters, bases, codes) if weight else held


def _called(share: Floats) -> Floats:
    """1 where the second label is called, one half where there is a tie."""
    return np.where(np.abs(share - 0.5) <= policy.TIE, 0.5, (share > 0.5).astype(float))


def _called_by_majority(sketch: Sketch) -> float:
    votes = (sketch.codes != NOT_ANSWERED).sum(axis=1)
    share = (sketch.codes == 1).sum(axis=1) / np.maximum(votes, 1)
    return float(sketch.counts @ np.where(votes > 0, _called(share), 0.0))


def _posterior(parameters: Mapping[str, Any], codes: Codes) -> Floats:
    """Posteriors (rows, R) of votes of the panel without its copies."""
    bases = _bases(parameters, codes)
    answer = bases.held
    if parameters["shifts"] is not None:
        shifts = np.array(parameters["shifts"], float)
        shifts = np.where(np.isnan(shifts), -np.inf, shifts)  # JSON has no infinity
        answer = _normalised(_logs(_before_shares(parameters, bases, codes)) + shifts)
    elif parameters["cut"] is not None:
        share = np.clip(bases.held[:, 1], policy.SURE, 1 - policy.SURE)
        second = expit(logit(share) - parameters["cut"])
        weight = parameters["weight"]
        answer = np.stack([1 - second, second], axis=1)
        if weight:
            answer = (1 - weight) * answer + weight * _single(parameters, bases, codes)
    if parameters["silent"] is None:
        return answer
    return np.where(bases.answered[:, None], answer, np.array(parameters["silent"], float))


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Posteriors (rows, R) of other votes, copies merged as in the fit."""
    return _posterior(result.parameters, _panel_rows(result, codes))


def held_back_posterior(result: Aggregation) -> Floats:
    """Posteriors (rows, R) if judges share errors: without what the independent fit adds to the answer."""
    parameters = {**result.parameters, "weight": 0.0}
    if parameters.get("shifts_if_shared") is not None:
        parameters["shifts"] = parameters["shifts_if_shared"]
    return _posterior(parameters, _panel_rows(result, result.patterns))


def _panel_rows(result: Aggregation, codes: Codes) -> Codes:
    """Votes of all judges as votes of the panel without its copies."""
    groups = result.parameters["copies"]
    positions_of = tuple(tuple(map(result.judges.index, group)) for group in groups)
    return without_copies(codes, positions_of)[1]


# --- Independence: two classes of items, or one trait of them, behind all votes.


def weight_of(z: float) -> float:
    """Weight of the independent fit: 0 where z is not positive, at most four fifths."""
    return policy.MOST_WEIGHT * min(max(z / policy.FULL_WEIGHT_Z, 0.0), 1.0)


def _alike(sketch: Sketch) -> tuple[tuple[str, ...], ...]:
    """Groups of judges who are near copies by tetrads, or whom the exact test of copies rejects."""
    pairs = [(sketch.judges[c.first], sketch.judges[c.second]) for c in copies_of(sketch)]
    groups: list[set[str]] = []
    for names in (*near_copies(sketch), *pairs):
        apart = [group for group in groups if not group & set(names)]
        groups = [*apart, set(names).union(*(g for g in groups if g not in apart))]
    return tuple(tuple(sorted(group, key=sketch.judges.index)) for group in groups)


def _independent(
    sketch: Sketch, near: Iterable[Sequence[str]], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Vuong's z of two classes against one normal trait, and the fit it gives weight to.

    Both are of one judge of each group of near copies. z is `NO_INDEPENDENCE` with fewer than 4 of them:
    two classes fit any three perfectly, so z is above 0 there whatever the judges share.
    """
    nothing = {"independence": NO_INDEPENDENCE, "weight": 0.0}
    near = tuple(map(tuple, near))
    chosen = one_of_each.core(sketch, near)
    part = chosen if isinstance(chosen, Sketch) else chosen.sketch()
    if part.n_judges < policy.FEWEST_UNITS:
        return nothing
    prevalence = np.array(parameters["fit_prevalence"])
    confusion = np.array(parameters["fit_confusion"])
    single = None
    if part.n_judges < sketch.n_judges:
        pooled = pooled_dawid_skene(part, vote_share=0.0)
        if pooled.evaluation is None:
            return nothing
        fit = pooled.evaluation.to_floats()
        prevalence, confusion = fit.prevalence, fit.confusion
        ordered = [sorted(group, key=lambda judge: judge not in part.judges) for group in near]
        places = [[sketch.judges.index(judge) for judge in group] for group in ordered]
        single = {"groups": places, "prevalence": prevalence.tolist()}
        single["confusion"] = np.nan_to_num(confusion, nan=1.0).tolist()
    counts = part.counts
    if part.n_items * part.n_judges > policy.MOST_TRAIT_ITEMS * 32:
        shares = counts / counts.sum()
        counts = np.random.default_rng(0).multinomial(policy.MOST_TRAIT_ITEMS, shares)
    kept = counts > 0
    z = vuong_z(part.codes[kept], counts[kept].astype(float), prevalence, confusion)
    return {"independence": z, "weight": weight_of(z), "single": single}


def _single(parameters: Mapping[str, Any], bases: Bases, codes: Codes) -> Floats:
    """Posteriors (rows, R) if judges are independent, one of each group of near copies."""
    fit = parameters.get("single")
    if fit is None:
        return bases.independent
    _, own = without_copies(codes, tuple(map(tuple, fit["groups"])))
    scores = vote_sums(own, 2).scores(log_table(np.array(fit["confusion"], float)))
    return posterior_of(scores, np.array(fit["prevalence"], float))[0]


NO_INDEPENDENCE = -9.0


def vuong_z(codes: Codes, counts: Floats, prevalence: Floats, confusion: Floats) -> float:
    """Vuong's z of two-label votes: tables of two classes against logits that are linear in one trait."""
    scores = vote_sums(codes, 2).scores(log_table(np.nan_to_num(confusion, nan=1.0)))
    _, classes = posterior_of(scores, prevalence)
    gaps = classes - trait_log_likelihood(codes, counts)
    n = counts.sum()
    mean = counts @ gaps / n
    spread = np.sqrt(counts @ (gaps - mean) ** 2 / n)
    return float(np.sqrt(n) * mean / spread) if spread > policy.NO_SPREAD else 0.0


def trait_log_likelihood(codes: Codes, counts: Floats) -> Floats:
    """Log-likelihood (rows,) of two-label votes under logits a_j + b_j x, x standard normal, by EM."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(policy.TRAIT_NODES)
    log_weights = np.log(weights / weights.sum())
    seen, second = (codes >= 0).astype(float), (codes == 1).astype(float)
    total = np.maximum(counts @ seen, 1.0)
    a, b = (
        logit(np.clip((counts @ second + 0.5) / (total + 1), 0.01, 0.99)),
        np.ones(codes.shape[1]),
    )
    ridge = np.array(policy.TRAIT_RIDGES)
    for _ in range(policy.TRAIT_STEPS):
        joint = _trait_joint(a, b, nodes, seen, second) + log_weights
        posterior = _normalised(joint) * counts[:, None]
        answers, said = posterior.T @ seen, posterior.T @ second  # (nodes, judges)
        for _ in range(policy.TRAIT_NEWTON):
            chance = expit(a + nodes[:, None] * b)
            off, bend = said - answers * chance, answers * chance * (1 - chance)
            slope = np.stack([off.sum(0) - ridge[0] * a, nodes @ off - ridge[1] * b])
            aa = bend.sum(0) + ridge[0]
            ab, bb = nodes @ bend, (nodes**2) @ bend + ridge[1]
            size = aa * bb - ab**2
            a = a + np.clip((bb * slope[0] - ab * slope[1]) / size, -2, 2)
            b = b + np.clip((aa * slope[1] - ab * slope[0]) / size, -2, 2)
    return log_sum_exp(_trait_joint(a, b, nodes, seen, second) + log_weights)


def _trait_joint(a: Floats, b: Floats, nodes: Floats, seen: Floats, second: Floats) -> Floats:
    """Log-likelihood (rows, nodes) of votes at each node of the trait."""
    logits = a + nodes[:, None] * b
    result: Floats = second @ logits.T + seen @ log_expit(-logits).T
    return result


# --- What the result says.


def _evaluation(case: Panel, parameters: Mapping[str, Any], posterior: Floats) -> Evaluation:
    """Tables of every judge, copies too: of the classes fitted, or of posteriors moved to stated shares."""
    fit, moved = case.pooled.evaluation, parameters["shifts"] is not None
    pool = parameters.get("pool", np.zeros((case.read.sketch.n_labels, case.read.sketch.n_answers)))
    if fit is None or moved:
        result = _tables(case.read.sketch, posterior, pool)
        return replace(result, prevalence=parameters["silent"]) if moved else result
    if case.panel is case.read:
        return fit
    _, codes = without_copies(case.read.sketch.codes, _positions(parameters, case.read))
    own = _tables(case.read.sketch, _bases(parameters, codes).independent, pool)
    confusion = np.array(own.confusion)
    kept = [case.read.sketch.judges.index(judge) for judge in case.panel.sketch.judges]
    groups = {j for group in _positions(parameters, case.read) for j in group}
    for row, judge in enumerate(kept):
        if judge not in groups:
            confusion[judge] = fit.to_floats().confusion[row]
    return replace(own, prevalence=fit.prevalence, confusion=confusion)


def _positions(parameters: Mapping[str, Any], read: Patterns) -> tuple[tuple[int, ...], ...]:
    judges = read.sketch.judges
    return tuple(tuple(judges.index(j) for j in group) for group in parameters["copies"])


def _tables(sketch: Sketch, posterior: Floats, pool: Any) -> Evaluation:
    """Expected tables under posteriors, each row with as many pseudo-votes of the pool as answers."""
    weights = posterior * sketch.counts[:, None]
    tables = vote_sums(sketch.codes, sketch.n_answers).tables(weights)
    rows = tables + sketch.n_answers * np.array(pool, float)
    mass, behind = weights.sum(axis=0), tables.sum(axis=2)
    total = rows.sum(axis=2, keepdims=True)
    confusion = np.divide(rows, total, out=np.full(rows.shape, np.nan), where=total > 0)
    coverage = None
    if not sketch.complete:
        shares = behind / np.where(mass > policy.NO_MASS, mass, np.inf)
        coverage = np.minimum(shares, 1.0)
    return Evaluation(*sketch.axes, mass / mass.sum(), confusion, coverage)


def _message(case: Panel, parameters: Mapping[str, Any]) -> str:
    sketch, labels = case.panel.sketch, case.read.sketch.labels
    size = f"{how_many(sketch.n_items, 'item')} and {how_many(sketch.n_judges, 'judge')}"
    if parameters["chosen"] == SHARES:
        words = f"Shares of votes on {size}: agreement of two does not tell who is right."
        if case.rule.shares is None:
            words += (
                " So neither how frequent a label is nor how good a judge is can be told from these votes: "
                "let people label some, or add judges."
            )
    else:
        ended = "converged" if case.pooled.converged else "did not converge"
        words = (
            f"Pooled Dawid-Skene on {size} {ended}; probabilities were softened (log-odds divided by "
            f"{parameters['overcounting']:.2g}) because judges may share errors."
        )
    if case.rule.shares is not None:
        words += f" Prevalence: {case.rule.shares.words}; "
        if parameters["shifts"] is None:
            words += "untold it lies there, so this changes nothing."
        else:
            pairs = zip(labels[: policy.MOST_NAMED], parameters["silent"], strict=False)
            shares = ", ".join(f"{label!r} {percent(share)}" for label, share in pairs)
            words += f"probabilities average to {shares}."
    if parameters["cut"] is not None:
        called = parameters["called"]["majority"]
        words += f" As many are called {labels[1]!r} as by majority ({percent(called)})."
    if parameters["weight"]:
        words += (
            f" Errors look independent (z = {parameters['independence']:.1f}), so what follows from that "
            f"has {percent(parameters['weight'], 0)} of the weight."
        )
    return words


def _share_note(case: Panel, parameters: Mapping[str, Any]) -> list[str]:
    """Sentence on what the cut costs: items that the fitted classes would call otherwise."""
    called = parameters.get("called")
    if called is None or case.rule.kind != "majority":
        return []
    if max(called["otherwise"], abs(called["majority"] - called["fit"])) <= policy.DIFFERENT_ITEMS:
        return []
    rarer = 1 if called["majority"] <= 0.5 else 0
    shares = [share if rarer else 1 - share for share in (called["majority"], called["fit"])]
    label = case.read.sketch.labels[rarer]
    weight = parameters["weight"]
    here = (
        f"by both, the classes with {percent(weight, 0)} of the weight"
        if weight
        else "as many as majority"
    )
    return [
        f"Votes do not tell how many items are {label!r}: majority calls {percent(shares[0])}, the fitted "
        f"classes {percent(shares[1])}. Called here: {here}, {percent(called['otherwise'])} of the items "
        f"otherwise than by the classes ({option('prevalence', 'fit')}). If you know the share, say so; of "
        f"two answers in random order {option('prevalence', 'equal')} says it."
    ]


# --- What would be called if a label were more or less frequent.


def sensitivity(result: Aggregation, label: str, shares: tuple[float, ...]) -> Table:
    """Row a share of the label: items called it, and hits expected in the first 10, 20 and 50."""
    (index,) = positions("label", [label], result.labels)
    counts, posterior = result.counts.astype(float), result.posterior
    if result.learned is None and "shifts" in result.parameters:
        codes = _panel_rows(result, result.patterns)
        posterior = _before_shares(result.parameters, _bases(result.parameters, codes), codes)
    answered = (result.patterns != NOT_ANSWERED).any(axis=1)
    counts, logs = counts[answered], _logs(posterior[answered])
    lines = []
    for share in shares:
        point = np.full(len(result.labels), np.nan)
        point[index] = share
        shift = shifts_to(logs, counts, point, spread=policy.SHIFT_SPREAD)
        moved = _normalised(logs + shift)
        called = counts[moved.argmax(axis=1) == index].sum()
        order = np.argsort(-moved[:, index], kind="stable")
        reached = np.cumsum(counts[order])
        hits = []
        for k in policy.FIRST_ITEMS:
            taken = np.clip(k - (reached - counts[order]), 0, counts[order])
            hits.append(round(float(taken @ moved[order, index]), 1) if k <= reached[-1] else None)
        lines.append((share, int(called), *hits))
    columns = (
        f"if this share is {label!r}",
        "called",
        *(f"hits in first {k}" for k in policy.FIRST_ITEMS),
    )
    return Table.of_rows("If a label is rarer", columns, lines)


# --- How accurate a judge may be, without labels: a range with a name, and no interval.


def accuracy_ranges(result: Aggregation) -> list[AccuracyRange]:
    """Each judge's accuracy between two readings of the votes, widened; see `Aggregation.accuracy_ranges`."""
    counts, codes = result.counts.astype(float), result.patterns
    independent = result.posterior
    if "fit_confusion" in result.parameters:
        independent = _bases(result.parameters, _panel_rows(result, codes)).independent
    n_labels = independent.shape[1]
    n_answered, common = _of_judges(
        codes != NOT_ANSWERED, counts, (codes != NOT_ANSWERED).sum(1) - 1
    )
    same, right = np.zeros_like(common), np.zeros_like(common)
    for answer in range(len(result.answers)):
        said = codes == answer
        same += _of_judges(said, counts, said.sum(1) - 1)[1]
        if answer < n_labels:
            right += _of_judges(said, counts, independent[:, answer])[1]
    ranges = []
    for j, judge in enumerate(result.judges):
        n = float(n_answered[j])
        if not n or not common[j]:
            ranges.append(AccuracyRange(judge, float("nan"), float("nan"), 0.0, 1.0))
            continue
        ends = float(same[j] / common[j]), float(right[j] / n)
        low, high = wilson(min(ends) * n, n)[0], wilson(max(ends) * n, n)[1]
        wider = policy.RANGE_WIDENED * (high - low)
        ranges.append(AccuracyRange(judge, *ends, max(0.0, low - wider), min(1.0, high + wider)))
    return ranges


def _of_judges(said: Any, counts: Floats, each: Any) -> tuple[Floats, Floats]:
    """(N,) items on which each judge said something, and the sum of a number (U,) over them."""
    times = said.transposed_times if is_sparse(said) else said.T.__matmul__
    return times(counts), times(counts * each)
