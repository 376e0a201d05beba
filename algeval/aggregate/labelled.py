"""A consensus that learns from a few human labels: they move the label-free log-odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.em import vote_sums
from algeval.aggregate.registry import METHODS, method, predictor
from algeval.aggregate.results import (
    Aggregation,
    Floats,
    Indices,
    JudgeByLabels,
    Learned,
    decide,
)
from algeval.aggregate.score_results import ScoreAggregation
from algeval.aggregate.scores.simple import NormalScores
from algeval.data import NOT_ANSWERED, Evaluation, Scores, Votes
from algeval.data.names import Codes, read_only
from algeval.door import LabelRows, label_rows
from algeval.errors import DataError, option
from algeval.models.shares import share_by_regression
from algeval.result.numbers import how_many

# --- Which items have which label.


class HumanLabels(NamedTuple):
    """Rows of the votes that people labelled, the labels' positions, and the weight of each."""

    rows: Indices
    codes: Codes
    weights: Floats
    equal: bool
    """Whether every item had the same chance of a label."""
    notes: tuple[str, ...] = ()


def read_labels(human: Any, votes: Votes) -> HumanLabels:
    """Labels joined to the items of votes: "key", Votes with a key, {item: label}, a table or Series.

    A column 'inclusion' has the chance with which each item was drawn: a label weighs one over it.

    Raises
    ------
    DataError
        If a label or an item is not known, or an item has two labels.
    """
    table = _rows_of(votes if isinstance(human, str) and human == "key" else human, votes)
    items, names, notes = table.items, table.values, table.notes
    chances = table.beside.get("inclusion", ())
    where = {item: row for row, item in enumerate(votes.items)}
    position = {label: code for code, label in enumerate(votes.labels)}
    codes: dict[int, int] = {}
    weights: dict[int, float] = {}
    strange: list[str] = []
    for k, (item, name) in enumerate(zip(items, names, strict=True)):
        if name is None:
            continue
        if item not in where:
            strange.append(item)
            continue
        if name not in position:
            raise DataError(
                f"{option('human')} must hold labels of the votes, {list(votes.labels)}; got {name!r} for "
                f"{item!r}; spell them alike"
            )
        row = where[item]
        if codes.setdefault(row, position[name]) != position[name]:
            raise DataError(
                f"{option('human')} must hold one label per item; got two for {item!r}; keep one"
            )
        weights[row] = 1 / _chance(chances[k], item) if len(chances) else 1.0
    if strange and not codes:
        raise DataError(
            f"{option('human')} must name items of the votes, such as {votes.items[0]!r}; got "
            f"{strange[0]!r}; correct the ids"
        )
    if strange:
        notes += (f"{how_many(len(strange), 'label')} of items without votes left out.",)
    rows = sorted(codes)
    scaled = np.array([weights[row] for row in rows])
    equal = not len(rows) or bool(np.ptp(scaled) == 0)
    scaled = scaled / scaled.mean() if len(rows) else scaled
    return HumanLabels(
        np.array(rows, np.intp),
        np.array([codes[row] for row in rows], np.int16),
        scaled,
        equal,
        notes,
    )


def _rows_of(human: Any, votes: Votes) -> LabelRows:
    """Rows of item and label: of votes their key."""
    if not isinstance(human, Votes):
        return label_rows(human, "human", votes.items, ("inclusion",))
    if human.key is None:
        raise DataError(f"{option('human')} must be votes with a key; these have none")
    keyed = np.flatnonzero(np.asarray(human.key) != NOT_ANSWERED).tolist()
    items = tuple(human.items[row] for row in keyed)
    return LabelRows(items, tuple(human.labels[human.key[row]] for row in keyed))


def _chance(text: str | None, item: str) -> float:
    try:
        chance = float(text if text is not None else "nan")
    except ValueError:
        chance = float("nan")
    if not 0 < chance <= 1:
        raise DataError(
            f"column 'inclusion' must hold chances above 0 and at most 1; got {text!r} for {item!r}"
        )
    return chance


# --- Ways of learning: which features may move, and how far labels must push them.
#
# u_ir = X_ir theta, P = softmax over r. theta is normal around the label-free answer: 1 on its log
# posterior t, 0 on label intercepts b, on the log posteriors w of other methods and on votes v of judges.


class Recipe(NamedTuple):
    """Standard deviations of the coefficients by kind of feature (0: fixed), and the prior weight."""

    name: str
    t: float
    b: float
    w: float
    v: float
    prior: float = 1.0
    start: float = 1.0
    """The mean of the coefficient of t."""


RECIPES = (
    Recipe("free", 0.0, 0.0, 0.0, 0.0, prior=2.0),
    Recipe("calibration 1", 0.2, 0.5, 0.0, 0.0),
    Recipe("calibration 2", 0.3, 2.0, 0.0, 0.0),
    Recipe("stacking", 0.3, 0.7, 0.1, 0.0),
    Recipe("votes 1", 0.3, 0.7, 0.0, 0.25),
    Recipe("votes 2", 0.5, 1.5, 0.15, 0.5),
    Recipe("votes 3", 0.5, 1.5, 0.3, 1.0),
    Recipe("votes alone", 0.0, 1.0, 0.0, 0.5, start=0.0),
)
"""Of votes."""

SCORE_RECIPES = (
    Recipe("free", 0.0, 0.0, 0.0, 0.0, prior=2.0),
    Recipe("calibration 1", 0.2, 0.5, 0.0, 0.0),
    Recipe("calibration 2", 0.3, 2.0, 0.0, 0.0),
    Recipe("scores 1", 0.3, 0.7, 0.0, 0.15),
    Recipe("scores 2", 0.5, 1.5, 0.3, 0.4),
    Recipe("scores alone", 0.0, 1.0, 0.0, 0.3, start=0.0),
)
"""Of scores; v are normal scores of the judges, w their mean."""


class Features(NamedTuple):
    """Features (rows, R, P), each centred over labels, and the kind of each: t, b, w or v."""

    values: Floats
    kinds: str

    def of(self, rows: Any) -> Features:
        """Those of some rows."""
        return Features(self.values[rows], self.kinds)


def stack_features(
    base: Floats, others: Sequence[Floats], judged: Sequence[Floats] = ()
) -> Features:
    """Features of (rows, R) posteriors: the label-free answer, other methods', and (rows, R) of judges."""
    n_labels = base.shape[1]
    columns = [np.log(np.clip(base, policy.LEAST_T, None))]
    intercepts = np.eye(n_labels) - 1 / n_labels
    columns += [np.broadcast_to(row, base.shape) for row in intercepts]
    columns += [np.log(np.clip(other, policy.LEAST_W, None)) for other in others]
    columns += list(judged)
    values = np.stack(columns, axis=2)
    values = values - values.mean(axis=1, keepdims=True)
    return Features(values, "t" + "b" * n_labels + "w" * len(others) + "v" * len(judged))


def vote_features(codes: Codes, n_labels: int) -> list[Floats]:
    """Indicators (rows, R) of each judge's vote; none where judges are many."""
    if codes.shape[1] > policy.MOST_VOTE_JUDGES:
        return []
    return [(column[:, None] == np.arange(n_labels)).astype(float) for column in codes.T]


def softmax(logits: Floats) -> Floats:
    """Probabilities (rows, R) of logits."""
    power = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = power / power.sum(axis=1, keepdims=True)
    return result


def prior_of(recipe: Recipe, kinds: str) -> tuple[Floats, Floats]:
    """Means and standard deviations (P,) of the coefficients; a feature left out has 0 and 0."""
    spread = {"t": recipe.t, "b": recipe.b, "w": recipe.w, "v": recipe.v}
    means = np.array([recipe.start if kind == "t" else 0.0 for kind in kinds])
    return means, np.array([spread[kind] for kind in kinds])


def fit_recipe(recipe: Recipe, features: Features, codes: Codes, weights: Floats) -> Floats:
    """Coefficients (P,) of largest posterior, by Newton's steps of at most 3."""
    means, spreads = prior_of(recipe, features.kinds)
    free = spreads > 0
    theta = means.copy()
    if not free.any() or not len(codes):
        return theta
    X = features.values[:, :, free]
    fixed = features.values @ np.where(free, 0.0, means)
    precision, start = 1 / spreads[free] ** 2, means[free]
    at = start.copy()
    n = np.arange(len(codes))
    for _ in range(policy.TOLD_STEPS):
        P = softmax(fixed + X @ at)
        off = -P * weights[:, None]
        off[n, codes] += weights
        slope = np.einsum("ir,irp->p", off, X) - precision * (at - start)
        mean = np.einsum("ir,irp->ip", P, X)
        scaled = X * np.sqrt(P * weights[:, None])[:, :, None]
        flat = scaled.reshape(-1, X.shape[2])
        bend = flat.T @ flat - (mean * weights[:, None]).T @ mean
        step = np.linalg.solve(bend + np.diag(precision), slope)
        step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-300))
        at = at + step
        if np.abs(step).max() < 1e-5:
            break
    theta[free] = at
    return theta


class Mixture(NamedTuple):
    """Coefficients (S, P) of the recipes, their weights (S,), and what cross-validation says."""

    thetas: Floats
    weights: Floats
    before: Floats
    after: Floats
    """(n,) losses of the labelled items: of the label-free answer, and of the mixture without their fold."""

    def posterior(self, features: Features) -> Floats:
        """Probabilities (rows, R)."""
        parts = [
            w * softmax(features.values @ theta)
            for w, theta in zip(self.weights, self.thetas, strict=True)
            if w > 0
        ]
        result: Floats = np.sum(parts, axis=0)
        return result


def learn(
    features: Features,
    codes: Codes,
    weights: Floats,
    recipes: Sequence[Recipe] = RECIPES,
    n_folds: int = policy.LABEL_FOLDS,
) -> Mixture:
    """Fit every recipe to labelled rows, and weigh each by its prior and its cross-validated likelihood."""
    n = len(codes)
    row = np.arange(n)
    first = softmax(features.values @ fit_recipe(recipes[0], features, codes, weights))
    # labels that surprise as much are dealt over the folds, whatever the order they stand in
    by_surprise = np.argsort(np.round(first[row, codes], 9), kind="stable")
    fold = np.argsort(by_surprise) % max(1, min(n, n_folds))
    held = np.zeros((len(recipes), n))
    for number in range(int(fold.max()) + 1 if n else 0):
        out, kept = fold == number, fold != number
        for s, recipe in enumerate(recipes):
            theta = fit_recipe(recipe, features.of(kept), codes[kept], weights[kept])
            P = softmax(features.values[out] @ theta)
            held[s, out] = np.log(np.maximum(P[row[: out.sum()], codes[out]], policy.TINY))
    score = held @ weights
    prior = np.log([recipe.prior for recipe in recipes])
    thetas = np.array([fit_recipe(recipe, features, codes, weights) for recipe in recipes])
    after = np.zeros(n)
    for number in range(int(fold.max()) + 1 if n else 0):
        out = fold == number
        rest = softmax((prior + score - held[:, out] @ weights[out])[None, :])[0]
        after[out] = -np.log(rest @ np.exp(held[:, out]))
    return Mixture(thetas, softmax((prior + score)[None, :])[0], -held[0], after)


# --- The votes: which other methods are features, and what the labels changed.


def components(blind: Votes, base: Aggregation) -> dict[str, Aggregation]:
    """Label-free fits whose posteriors labels may mix in; those that these votes settle."""
    names = ["majority", "pooled-dawid-skene", "one-coin", "dawid-skene", "vote-factor"]
    loose: dict[str, dict[str, Any]] = {
        "one-coin": {"tol": 1e-6, "max_iter": 300},
        "dawid-skene": {"tol": 1e-6, "max_iter": 300},
    }
    fits = {}
    for name in names:
        if METHODS[name].labels == "two" and len(blind.answers) != 2:
            continue
        fit = method(name)(blind, **loose.get(name, {}))
        if fit.evaluation is not None:
            fits[name] = fit
    if base.method == "recommended" and base.parameters.get("cut") is not None:
        fits["recommended"] = method("recommended")(blind, prevalence="fit")
    return fits


def learned(base: Aggregation, votes: Votes, labels: HumanLabels) -> Aggregation:
    """Label-free result moved by human labels; items that have one carry it."""
    if base.item_pattern is None or base.evaluation is None:
        raise DataError(
            f"{option('human')} must go with votes whose items are known, and a fit; got {base.message!r}"
        )
    fits = components(votes.without_key(), base)
    kept = np.asarray(base.patterns)
    others = [predictor(name)(fit, kept) for name, fit in fits.items()]
    features = stack_features(base.posterior, others, vote_features(kept, len(base.labels)))
    own = features.of(base.item_pattern[labels.rows])
    mixture = learn(own, labels.codes, labels.weights)
    posterior = read_only(mixture.posterior(features))
    n = len(labels.rows)
    judges = _judges(base, votes, labels) if labels.equal else ()
    result = replace(_learned(mixture, own, labels, RECIPES), judges=judges)
    parameters = base.parameters | {
        "recipes": {
            "thetas": mixture.thetas,
            "weights": mixture.weights,
            "evaluation": base.evaluation.to_floats().to_dict(),
            "components": {name: _stripped(fit).to_dict() for name, fit in fits.items()},
        }
    }
    moved = replace(
        base,
        posterior=posterior,
        decisions=read_only(decide(posterior)),
        parameters=parameters,
        learned=result,
        message=(
            f"{base.message.split(' Prevalence:')[0].split(' So neither')[0]} "
            f"{how_many(n, 'human label')} moved the probabilities."
        ),
        warnings=(*_notes(labels), *(w for w in base.warnings if "Votes do not tell" not in w)),
    )
    return replace(moved, evaluation=_graded(moved))


def _learned(
    mixture: Mixture, own: Features, labels: HumanLabels, recipes: Sequence[Recipe]
) -> Learned:
    """What is said of a mixture, the judges apart."""
    n, gaps = len(labels.rows), mixture.after - mixture.before
    enough = n >= policy.FEWEST_FOR_CURVE
    return Learned(
        rows=read_only(labels.rows),
        codes=read_only(labels.codes),
        loss_before=float(np.average(mixture.before, weights=labels.weights)),
        loss_after=float(np.average(mixture.after, weights=labels.weights)),
        loss_error=float(gaps.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan"),
        next_gain=_next_gain(own, labels, mixture, recipes) if enough else None,
        weights=dict(
            zip((recipe.name for recipe in recipes), mixture.weights.tolist(), strict=True)
        ),
    )


def _stripped(fit: Aggregation) -> Aggregation:
    """A fit that can predict and holds no votes."""
    empty = np.zeros(0, np.int64)
    return replace(
        fit,
        patterns=fit.patterns[:0],
        counts=empty,
        posterior=fit.posterior[:0],
        decisions=fit.decisions[:0],
        trace=(),
        items=None,
        item_pattern=None,
    )


def _next_gain(
    own: Features, labels: HumanLabels, mixture: Mixture, recipes: Sequence[Recipe]
) -> float:
    """Expected fall of the log loss from n labels to 2 n, where it falls as one over n.

    From folds of half the labels and of a tenth.
    """
    n = len(labels.codes)
    half = learn(own, labels.codes, labels.weights, recipes, n_folds=2).after.mean()
    full = mixture.after.mean()
    slope = (half - full) / (2 / n - 1 / (0.9 * n))
    return max(0.0, float(slope) / (2 * n))


def _judges(base: Aggregation, votes: Votes, labels: HumanLabels) -> tuple[JudgeByLabels, ...]:
    """Accuracy of each judge by the labels, and by label-free posteriors of the other items."""
    rows = []
    posterior = base.posterior[base.item_pattern]
    for judge, column in enumerate(votes.codes.T):
        answered = column != NOT_ANSWERED
        labelled = answered[labels.rows]
        n = int(labelled.sum())
        if n < 2:
            continue
        at = np.minimum(np.where(answered, column, 0), posterior.shape[1] - 1)
        expected = posterior[np.arange(len(column)), at] * (column < posterior.shape[1])
        picked = labels.rows[labelled]
        right = (column[picked] == labels.codes[labelled]).astype(float)
        share = share_by_regression(right, expected[picked], expected[answered])
        rows.append(JudgeByLabels(votes.judges[judge], n, *share))
    return tuple(rows)


def _graded(result: Aggregation) -> Evaluation:
    """Expected tables of the judges under the learned posteriors, labels included."""
    posterior = result.posterior_items
    pattern: Any = result.item_pattern
    n_labels, n_answers = len(result.labels), len(result.answers)
    columns = [np.bincount(pattern, p, len(result.counts)) for p in posterior.T]
    weights = np.asarray(np.stack(columns, axis=1), float)
    tables = vote_sums(result.patterns, n_answers).tables(weights)
    pool = np.array(result.parameters.get("pool", np.zeros((n_labels, n_answers))), float)
    rows = tables + n_answers * pool
    total = rows.sum(axis=2, keepdims=True)
    confusion = np.divide(rows, total, out=np.full(rows.shape, np.nan), where=total > 0)
    coverage = None
    if (result.patterns == NOT_ANSWERED).any():
        mass = weights.sum(axis=0)
        coverage = np.minimum(tables.sum(axis=2) / np.where(mass > 0, mass, np.inf), 1.0)
    axes = result.judges, result.labels, result.answers
    return Evaluation(*axes, posterior.mean(axis=0), confusion, coverage)


def _notes(labels: HumanLabels) -> tuple[str, ...]:
    notes = labels.notes
    if not labels.equal:
        notes += (
            "Labels had unequal chances: each weighs one over its chance; for the judges' accuracies use "
            "judge_card.",
        )
    return notes


# --- Scores: the same with the judges' normal scores in place of votes.


def score_features(base: Floats, normal: Floats) -> Features:
    """Features of posteriors (rows, 2): normal scores of the judges, and their mean; missing ones are 0."""
    plain = stack_features(base, [])
    seen = ~np.isnan(normal)
    z = np.where(seen, normal, 0.0)
    mean = z.sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
    columns = [mean, *(z.T if z.shape[1] <= policy.MOST_VOTE_JUDGES else ())]
    more = np.stack([np.stack([-c, c], axis=1) / 2 for c in columns], axis=2)
    values = np.concatenate([plain.values, more], axis=2)
    return Features(values, plain.kinds + "w" + "v" * (len(columns) - 1))


def learned_scores(base: ScoreAggregation, data: Scores, human: Any) -> ScoreAggregation:
    """Label-free result of scores moved by human labels of classes "0" and "1"."""
    if not base.status.ok:
        raise DataError(f"{option('human')} must go with a fit; got {base.message!r}")
    if data.key is not None and data.key_kind != "class":
        data = data.without_key()
    labels = read_labels(human, data.cut(float(np.nanmedian(data.values))))
    if not len(labels.rows):
        return base
    scale = NormalScores.of(data.values)
    features = score_features(base.posterior, scale.transform(data.values))
    own = features.of(labels.rows)
    mixture = learn(own, labels.codes, labels.weights, SCORE_RECIPES)
    learned = _learned(mixture, own, labels, SCORE_RECIPES)
    posterior = read_only(learned.with_labels(mixture.posterior(features)))
    recipes = {"thetas": mixture.thetas, "weights": mixture.weights, "scale": scale.parameters()}
    n = how_many(len(labels.rows), "human label")
    return replace(
        base,
        posterior=posterior,
        decisions=read_only(decide(posterior)),
        parameters=dict(base.parameters) | {"recipes": recipes},
        learned=learned,
        message=f"{base.message} {n} moved the probabilities.",
        warnings=(*_notes(labels), *base.warnings),
    )


def predict_scores(result: ScoreAggregation, values: Floats) -> Floats:
    """Posteriors (rows, 2) of other scores, moved as those of the fit were."""
    recipes: Mapping[str, Any] = result.parameters["recipes"]
    base = predictor(result.method, "scores")(result, values)
    scale = NormalScores.read(recipes["scale"])
    thetas, weights = np.array(recipes["thetas"], float), np.array(recipes["weights"], float)
    empty = np.zeros(0)
    mixture = Mixture(thetas, weights, empty, empty)
    return mixture.posterior(score_features(base, scale.transform(values)))


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Posteriors (rows, R) of other votes, moved as those of the fit were."""
    recipes: Mapping[str, Any] = result.parameters["recipes"]
    own = {name: value for name, value in result.parameters.items() if name != "recipes"}
    evaluation = Evaluation.from_dict(recipes["evaluation"])
    free = replace(result, learned=None, evaluation=evaluation, parameters=own)
    base = predictor(result.method)(free, codes)
    others = []
    for name, document in recipes["components"].items():
        fit = Aggregation.from_dict(document)
        others.append(predictor(name)(fit, codes))
    features = stack_features(base, others, vote_features(codes, len(result.labels)))
    thetas, weights = np.array(recipes["thetas"], float), np.array(recipes["weights"], float)
    empty = np.zeros(0)
    return Mixture(thetas, weights, empty, empty).posterior(features)
