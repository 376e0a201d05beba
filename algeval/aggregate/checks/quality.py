"""How good a fit is: against labels, and on items held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.em import VoteSums, log_table
from algeval.aggregate.registry import METHODS, held_back_of, law_of
from algeval.aggregate.registry import method as method_named
from algeval.aggregate.results import Aggregation, Floats, read_patterns
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Sketch, Votes
from algeval.data.names import Codes, check_whole, is_sparse
from algeval.data.reading import Source, Tabular
from algeval.door import label_rows
from algeval.errors import DataError, option
from algeval.progress import steps
from algeval.result import Result, Status, percent
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- Score an aggregation against a key. The key is looked at here, after the fact, and nowhere
# else.


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One bin of the reliability diagram: items whose top probability lies in (low, high].

    Attributes
    ----------
    low, high : float
    n_items : int
    confidence : float
        Mean probability of the top label.
    accuracy : float
        Share of these items whose top label is the true one (a tie of k labels counts 1/k).
    """

    low: float
    high: float
    n_items: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score(Result):
    """How well labels and posteriors match a key.

    Attributes
    ----------
    n_scored : int
        Items whose true label is known.
    n_undecided : int
        Those of them without a label.
    n_correct : int
    accuracy : float
        n_correct / n_scored: an undecided item counts as wrong.
    accuracy_decided : float or None
        n_correct over the decided items.
    balanced_accuracy : float
        Mean over the labels that occur of the share of their items labelled right.
    log_loss : float
        Mean of -log of the probability of the true label, nats; probabilities below 1e-15 count
        as 1e-15.
    n_certain_wrong : int
        Items whose true label had a probability below 1e-15.
    brier : float
        Mean squared distance between posterior and truth, summed over labels (0 to 2).
    calibration_error : float
        Mean over items of |confidence - accuracy| of their bin.
    bins : tuple of Bin
        Reliability diagram; empty bins are left out.
    n_bins : int
    """

    schema: ClassVar[str] = "algeval.score/1"

    n_scored: int
    n_undecided: int
    n_correct: int
    accuracy: float
    accuracy_decided: float | None
    balanced_accuracy: float
    log_loss: float
    n_certain_wrong: int
    brier: float
    calibration_error: float
    bins: tuple[Bin, ...]
    n_bins: int

    def as_tables(self) -> tuple[Table, ...]:
        """Figures in one row, and the bins of the reliability diagram."""
        names = ("low", "high", "n_items", "confidence", "accuracy")
        return scalars(self), Table.of_records("Reliability", names, self.bins)

    def summary(self) -> str:
        """Figures, one a line."""
        return "\n".join(
            [
                self.message,
                f"balanced accuracy {percent(self.balanced_accuracy)}",
                f"log loss {self.log_loss:.4f} nats (probabilities below {policy.SURE:g} count as that), "
                f"Brier score {self.brier:.4f}",
                f"expected calibration error {self.calibration_error:.4f} ({self.n_bins} bins)",
            ]
        )


def score(
    result: Aggregation | ScoreAggregation,
    key: Votes | Scores | KeyedSketch | Tabular,
    *,
    n_bins: int = 10,
) -> Score:
    """Accuracy and calibration of labels and posteriors, on the items whose truth is known.

    Items whose label the result has learned from (`aggregate(..., human=)`) are left out.

    Parameters
    ----------
    result : Aggregation or ScoreAggregation
    key : Votes or Scores with a key, {item: label}, table of both, Series, or KeyedSketch
        A keyed sketch is joined on decision tuples, everything else on item ids; a Series or array
        without ids fits only items without ids. The labels of scores are "0" and "1", the higher class.
    n_bins : int
        Equal-width bins of the reliability diagram.

    Returns
    -------
    Score
        Status ok always.

    Raises
    ------
    DataError
        If there is no key, an item or tuple of the result is unknown, or a label is.

    Examples
    --------
    >>> from algeval.aggregate import aggregate
    >>> votes = Votes.from_columns({"i": ["a", "b"], "j": ["a", "b"], "k": ["b", "b"]})
    >>> score(aggregate(votes, "majority"), {"1": "a", "2": "a"}).accuracy
    0.5
    """
    if not isinstance(result, Aggregation | ScoreAggregation):
        raise DataError(
            f"result must be what aggregate returned; got {type(result).__name__}; pass aggregate(votes)"
        )
    check_whole("n_bins", n_bins)
    keyed = _keyed(result, key)
    n = int(keyed.sum())
    if not n:
        learned = isinstance(result, Aggregation) and result.learned is not None
        which = " that the result has not learned from" if learned else ""
        raise DataError(
            f"the key must name the label of at least one item{which}; got none to score"
        )
    decided = result.decisions != NOT_ANSWERED
    rows = np.flatnonzero(decided)
    hits = np.zeros(len(result.labels), np.int64)
    np.add.at(hits, result.decisions[rows], keyed[rows, result.decisions[rows]])
    n_correct, n_decided = int(hits.sum()), int(keyed[decided].sum())
    occurs = keyed.sum(0)
    loss = -np.log(np.maximum(result.posterior, policy.SURE))
    bins = _bins(result.posterior, keyed, n_bins)
    return Score(
        status=Status.OK,
        message=(
            f"{result.method}: {n_correct} of {how_many(n, 'item')} right ({percent(n_correct / n)}), "
            f"{n - n_decided} undecided."
        ),
        n_scored=n,
        n_undecided=n - n_decided,
        n_correct=n_correct,
        accuracy=n_correct / n,
        accuracy_decided=n_correct / n_decided if n_decided else None,
        balanced_accuracy=float(np.mean(hits[occurs > 0] / occurs[occurs > 0])),
        log_loss=float((loss * keyed).sum() / n),
        n_certain_wrong=int(keyed[result.posterior < policy.SURE].sum()),
        brier=_brier(result.posterior, keyed) / n,
        calibration_error=sum(b.n_items * abs(b.confidence - b.accuracy) for b in bins) / n,
        bins=bins,
        n_bins=n_bins,
    )


def _brier(posterior: Floats, keyed: NDArray[np.int64]) -> float:
    squares = (posterior**2).sum(1, keepdims=True) - 2 * posterior + 1
    return float((squares * keyed).sum())


def _bins(posterior: Floats, keyed: NDArray[np.int64], n_bins: int) -> tuple[Bin, ...]:
    top = posterior.max(1)
    first = posterior >= top[:, None] - policy.TIE
    credit = (keyed * first).sum(1) / first.sum(1)
    items = keyed.sum(1)
    bin_ = np.clip(np.ceil(top * n_bins).astype(int) - 1, 0, n_bins - 1)
    counts = np.bincount(bin_, items, n_bins)
    confidence = np.bincount(bin_, items * top, n_bins)
    right = np.bincount(bin_, credit, n_bins)
    return tuple(
        Bin(
            low=b / n_bins,
            high=(b + 1) / n_bins,
            n_items=int(counts[b]),
            confidence=float(confidence[b] / counts[b]),
            accuracy=float(right[b] / counts[b]),
        )
        for b in np.flatnonzero(counts).tolist()
    )


def _keyed(result: Aggregation | ScoreAggregation, key: Any) -> NDArray[np.int64]:
    """Return (U, R): items of each decision tuple by true label."""
    if isinstance(key, KeyedSketch):
        if isinstance(result, ScoreAggregation):
            raise DataError("key must name items, as scores have no decision tuples; pass Scores")
        return _from_sketch(result, key)
    if isinstance(key, Votes):
        if key.key is None:
            raise DataError(
                f"key must be votes that carry a key; these have none; pass {option('key')}"
            )
        names = key.labels
        truth = {
            item: names[code]
            for item, code in zip(key.items, key.key.tolist(), strict=True)
            if code != NOT_ANSWERED
        }
    elif isinstance(key, Scores):
        truth = _classes(key)
    else:
        rows = label_rows(key, "key", result.items)
        pairs = zip(rows.items, rows.values, strict=True)
        truth = {item: label for item, label in pairs if label is not None}
    return _from_items(result, truth)


def _classes(scores: Scores) -> dict[str, str]:
    """Known classes of scores by item; a key of numbers or of other classes is refused."""
    if scores.key is None or scores.key_kind != "class":
        held = "none" if scores.key is None else "numbers"
        raise DataError(
            f"key must be scores that carry a key of classes; these carry {held}; pass votes or a "
            "mapping from item to '0' or '1'"
        )
    return {i: str(k) for i, k in zip(scores.items, scores.key, strict=True) if k is not None}


def _from_items(
    result: Aggregation | ScoreAggregation, truth: Mapping[str, str]
) -> NDArray[np.int64]:
    if result.items is None or result.item_pattern is None:
        raise DataError(
            "the result must have items to be joined with a key; it was made from counts; "
            "pass a KeyedSketch"
        )
    code_of = {label: code for code, label in enumerate(result.labels)}
    unknown = sorted(set(truth.values()) - set(code_of))
    if unknown:
        raise DataError(f"key label {unknown[0]!r} is not known; choose from {list(code_of)}")
    keyed = np.zeros(result.posterior.shape, np.int64)
    if truth and truth.keys().isdisjoint(result.items):
        raise DataError(
            f"key must name items of the result; got for example {next(iter(truth))!r}, and the result has "
            f"{result.items[0]!r}; write the ids alike"
        )
    codes = [code_of.get(truth.get(item, ""), NOT_ANSWERED) for item in result.items]
    answered = np.array(codes) != NOT_ANSWERED
    if isinstance(result, Aggregation) and result.learned is not None:
        answered[result.learned.rows] = False
    np.add.at(keyed, (result.item_pattern[answered], np.array(codes)[answered]), 1)
    return keyed


def _from_sketch(result: Aggregation, key: KeyedSketch) -> NDArray[np.int64]:
    sketch = key.sketch
    for kind in ("judges", "labels", "answers"):
        if getattr(sketch, kind) != getattr(result, kind):
            raise DataError(
                f"key must have the {kind} of the result {list(getattr(result, kind))}; "
                f"got {list(getattr(sketch, kind))}"
            )
    row_of = {row.tobytes(): number for number, row in enumerate(result.patterns)}
    keyed = np.zeros(result.posterior.shape, np.int64)
    for row, counts in zip(sketch.codes, key.keyed, strict=True):
        number = row_of.get(row.tobytes())
        if number is None:
            raise DataError(
                f"key must hold decision tuples of the result; got {row.tolist()}; "
                "score the votes the result was made from"
            )
        keyed[number] = counts
    return keyed


# --- Which model predicts unseen votes better? Held-out log-likelihood with a paired z.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut(Result):
    """Held-out log-likelihood of several models of the votes.

    Attributes
    ----------
    methods : tuple of str
    log_likelihood : (M,) array
        Nats per item, on items the model was not fitted to.
    z : (M, M) array
        Mean difference of row minus column over its standard error, item by item.
    """

    schema: ClassVar[str] = "algeval.held_out/1"

    methods: tuple[str, ...]
    log_likelihood: Floats
    z: Floats
    n_items: int
    folds: int
    seed: int
    settings: dict[str, Any]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per model: nats per item, and z against the best."""
        best = int(np.argmax(self.log_likelihood))
        columns = {"method": self.methods, "log_likelihood": self.log_likelihood}
        return (Table("Held-out votes", columns | {"z against the best": self.z[:, best]}),)

    def summary(self) -> str:
        """Return one line per model, best first."""
        best = int(np.argmax(self.log_likelihood))
        order = np.argsort(-self.log_likelihood, kind="stable")
        rows = [
            f"  {self.methods[m]}: {self.log_likelihood[m]:.4f} nats per item"
            + ("" if m == best else f" (z = {self.z[m, best]:+.1f} against the best)")
            for m in order
        ]
        return "\n".join([self.message, *rows])


def held_out(
    data: Source,
    methods: Sequence[str] = ("dawid-skene", "ising"),
    *,
    folds: int = 5,
    seed: int = 0,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> HeldOut:
    """Compare models by how probable they find votes they have not seen.

    Use it to ask whether couplings or a hidden trait are real; not to ask which labels are right:
    a model that predicts votes better can find classes further from the labels.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    methods : sequence of str
        Methods with a law of votes: all but majority votes and GLAD.
    folds, seed
        Items are dealt to so many folds at random.
    settings : mapping from method to its settings, optional

    Returns
    -------
    HeldOut
        Status ok, or not_identifiable when a method refused a fold.

    Raises
    ------
    DataError
        If a method has no law of votes.

    Examples
    --------
    >>> s = Sketch.from_counts({"aaaa": 60, "bbbb": 50, "aabb": 30, "bbaa": 30, "abab": 2})
    >>> result = held_out(s, folds=2)
    >>> bool(result.log_likelihood[1] > result.log_likelihood[0])
    True
    """
    names = tuple(methods)
    for name in names:
        record = METHODS.get(name)
        if record is not None and record.law is None:
            raise DataError(
                f"methods must have a law of votes; {name!r} has none ({record.without_law}); "
                "choose another"
            )
    check_whole("folds", folds, 2)
    options = {name: dict((settings or {}).get(name, {})) for name in names}
    sketch = read_patterns(data).sketch
    rng = np.random.default_rng(seed)
    dealt = rng.multinomial(sketch.counts, np.full(folds, 1 / folds))
    heights = np.zeros((len(names), *dealt.shape))
    failed = []
    for m, name in enumerate(steps(names, "predicting held-out votes", even=False)):
        for fold in steps(range(folds), f"predicting held-out votes by {name!r}"):
            part = Sketch(*sketch.axes, sketch.codes, sketch.counts - dealt[:, fold])
            fitted: Aggregation = method_named(name)(part, **options[name])
            if fitted.evaluation is None:
                failed.append(fitted.message)
                heights[m, :, fold] = np.nan
            else:
                heights[m, :, fold] = log_probability(fitted, sketch.codes)
    mean, z = _compare(heights, dealt.astype(float))
    return HeldOut(
        status=Status.NOT_IDENTIFIABLE if failed else Status.OK,
        message=failed[0] if failed else _message(names, mean, z),
        methods=names,
        log_likelihood=mean,
        z=z,
        n_items=sketch.n_items,
        folds=folds,
        seed=seed,
        settings=options,
    )


def log_probability(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows,): log-probability of decision tuples under a fitted model.

    Chances of the independent models are kept above 1e-4, so that nothing is impossible.

    Raises
    ------
    DataError
        If the method has no law of votes or holds no fit.
    """
    logs: Floats = law_of(result).log_probability(np.asarray(codes, np.int16))
    return logs


def _compare(heights: Floats, dealt: Floats) -> tuple[Floats, Floats]:
    n = dealt.sum()
    mean: Floats = (heights * dealt).sum(axis=(1, 2)) / n
    m = len(heights)
    z = np.zeros((m, m))
    for a in range(m):
        for b in range(m):
            gap = heights[a] - heights[b]
            spread = float((dealt * (gap - (mean[a] - mean[b])) ** 2).sum() / n)
            z[a, b] = (mean[a] - mean[b]) / np.sqrt(spread / n) if spread > 0 else 0.0
    return mean, z


def _message(names: tuple[str, ...], mean: Floats, z: Floats) -> str:
    order = np.argsort(-mean, kind="stable")
    best = names[order[0]]
    if len(names) == 1:
        return f"Held-out log-likelihood of {best}: {mean[0]:.4f} nats per item."
    second = order[1]
    return (
        f"{best} predicts unseen votes best, before {names[second]} "
        f"(z = {z[order[0], second]:+.1f}); that does not make its labels more accurate."
    )


# --- How often each judge is right if the posteriors are: the modest side of an accuracy.


def posterior_if_shared(result: Aggregation) -> Floats:
    """Posteriors (rows, R) if judges share errors: those of a result, held back where it is not."""
    weight = result.parameters.get("weight") if result.method == "recommended" else None
    if not weight or result.learned is not None:
        return result.posterior
    posterior: Floats = held_back_of()(result)
    return posterior


def posterior_grades(result: Aggregation) -> Floats:
    """Return (N,) each judge's expected share of right answers, of the items it answered.

    Use it beside `evaluation`. Methods that hold posteriors back for errors that judges share
    ('recommended', 'pooled-dawid-skene') leave the judges' tables as independence has them, and
    grade themselves lower than their judges; this grades both by the same posteriors, those of
    'recommended' without the weight it gives to independence. NaN for a judge without answers; an
    answer that is no label counts as wrong.

    Examples
    --------
    >>> from algeval.aggregate import aggregate
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> posterior_grades(aggregate(s, "majority", smoothing=0)).round(2).tolist()
    [0.83, 0.79, 0.71]
    """
    n_other = len(result.answers) - len(result.labels)
    posterior = posterior_if_shared(result)
    chances = np.pad(posterior, ((0, 0), (0, n_other + 1)))  # the last column: not answered
    patterns, counts = result.patterns, result.counts.astype(float)
    if is_sparse(patterns):
        n, rows = len(result.judges), patterns.rows
        right = np.bincount(patterns.columns, chances[rows, patterns.values] * counts[rows], n)
        answered = np.bincount(patterns.columns, counts[rows], n)
    else:
        weighed = chances * counts[:, None]
        rows = np.arange(len(weighed))
        right = np.array([weighed[rows, own].sum() for own in patterns.T])  # -1 is the last column
        answered = np.array([counts[own >= 0].sum() for own in patterns.T])
    grades: Floats = np.divide(right, answered, out=np.full(len(right), np.nan), where=answered > 0)
    return grades


# --- How many times over agreement is counted when judges who err together are taken as
# independent.
#
# Each judge's vote is evidence, a vector with one entry per label. Where judges err independently,
# the variance of the summed evidence of an item, within a class, is the sum of the variances. The
# ratio of the two says how far the sum is inflated.


@dataclass(frozen=True, slots=True, kw_only=True)
class Overcounting:
    """Variance of the summed evidence over the sum of its variances.

    `within`: around the means of the classes found: 1 under independence. The classes take up part
      of what judges share, so it understates.
    `bound`: around the overall means, as if every bit of agreement were shared error. Errors of the
      classes found add to it, so that it is no limit of how far posteriors overcount.
    """

    within: float
    bound: float


def overcounting(
    votes: VoteSums,
    confusion: Floats,
    posterior: Floats,
    counts: Floats,
    judge_weights: Floats | None = None,
) -> Overcounting:
    """Both ratios of an independent fit.

    `votes`: of U decision tuples.
    `confusion` (N, R, A): without NaN; rows of judges who never answered are not read.
    `posterior` (U, R).
    `counts` (U,).
    `judge_weights` (N,): what each judge's evidence was multiplied by.
    """
    evidence = log_table(confusion)
    evidence = evidence - evidence.mean(axis=1, keepdims=True)
    if judge_weights is not None:
        evidence = evidence * judge_weights[:, None, None]
    weights = posterior * counts[:, None]
    mass = votes.tables(weights)
    sums = np.zeros(2)
    parts = np.zeros(2)
    for label in range(weights.shape[1]):
        spread = _spread(votes, evidence, mass[:, label], weights[:, label])
        sums[0] += spread[0]
        parts[0] += spread[1]
    sums[1], parts[1] = _spread(votes, evidence, mass.sum(axis=1), counts)
    ratios = np.divide(sums, parts, out=np.ones(2), where=parts > 0)
    return Overcounting(within=float(ratios[0]), bound=float(ratios[1]))


def _spread(
    votes: VoteSums, evidence: Floats, mass: Floats, weights: Floats
) -> tuple[float, float]:
    """Weighted squared length of the summed evidence, and the sum of the lengths.

    Evidence (N, R, A) is taken around each judge's mean under its answers' mass (N, A).
    """
    total = mass.sum(axis=1)
    share = mass / np.where(total > 0, total, 1.0)[:, None]
    moved = evidence - np.einsum("jra,ja->jr", evidence, share)[:, :, None]
    summed = votes.scores(moved)
    parts = float(((moved**2).sum(axis=1) * mass).sum())
    return float(weights @ (summed**2).sum(axis=1)), parts
