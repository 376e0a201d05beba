"""What prevalences, independence, labels, ranges and copies are worth on real and simulated votes.

    python tests/benchmarks/rare_labels_table.py [--data DIR] [--parts ABCDEFG] [--draws N] [--sets A,B]

A: panels thinned until a label is rare; share, majority's number, exact share, range. B: drawn panels,
fresh seeds. C: learning curves of labels, beside scikit-learn's logistic regression where it is
installed. D: how many accuracies the ranges without labels, and the intervals with labels, hold.
E: copies merged. F: independent judges called dependent by `diagnose`. G: other methods, and the
peers of consensus_table.py as far as they are installed, on the panels of A. Keys score, and give the
labels of C and D; no fit reads another. Log loss and accuracy as in consensus_table.py.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import consensus_table as real
import numpy as np

from algeval.aggregate import aggregate, pair_test
from algeval.aggregate.checks.pairs import FittedExam, _Scale
from algeval.aggregate.labelled import components, learn, stack_features, vote_features
from algeval.aggregate.methods.recommended import copies_of, merged_groups
from algeval.aggregate.registry import predictor
from algeval.data import Votes
from algeval.models.independent_fit import Laws

PANELS = ("civilcomments", "bluebird", "triviaqa v1", "triviaqa v2", "judgebench")
CROWDS = ("rte", "web")
SHARES = (0.02, 0.05, 0.15, 0.3)
SIZES = (10, 20, 50, 100, 200)
THIN = (
    ("civilcomments", 1, 0.05),
    ("civilcomments", 0, 0.15),
    ("triviaqa v1", 1, 0.05),
    ("triviaqa v2", 1, 0.15),
)
MOST_SCORED = 1500


def keyed(name: str, folder: Path) -> Votes:
    """Return one set with its key."""
    makers = {
        "civilcomments": lambda: real.comments(folder).cut(4.5),
        "triviaqa v1": lambda: real.triviaqa("v1", folder),
        "triviaqa v2": lambda: real.triviaqa("v2", folder),
        "judgebench": lambda: real.signs(real.judgebench(folder)),
    }
    return makers[name]() if name in makers else real.crowd(name, folder)


def thinned(votes: Votes, label: int, share: float, seed: int) -> Votes | None:
    """Return the votes with so few items of a label that it has this share, None where it has fewer."""
    key, rng = np.asarray(votes.key), np.random.default_rng(seed)
    others, own = np.flatnonzero(key != label), np.flatnonzero(key == label)
    n = round(len(others) * share / (1 - share))
    if not 2 <= n <= len(own):
        return None
    kept = np.sort(np.r_[others, rng.choice(own, n, replace=False)])
    return votes.select(items=[votes.items[row] for row in kept.tolist()])


def scored(posterior: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Return mean log loss and accuracy."""
    return float(real.losses(posterior, truth).mean()), float(real.right(posterior, truth).mean())


def rare_panels(sets: dict[str, Votes], draws: int) -> Iterator[tuple[str, int, Votes]]:
    """Yield name, rare label and votes of each thinned panel."""
    for name in (n for n in PANELS if n in sets):
        for label, share, seed in product((0, 1), SHARES, range(draws)):
            part = thinned(sets[name], label, share, seed)
            if part is not None:
                yield f"{name} {label}@{share}", label, part


def prevalences(sets: dict[str, Votes], draws: int) -> None:
    """A: rules of the prevalence on full and thinned panels."""
    rules = ("share", "fit", "majority", "known", "range")
    for name in (n for n in PANELS if n in sets):
        votes, truth = sets[name], np.asarray(sets[name].key)
        full = [aggregate(votes, "majority"), aggregate(votes, prevalence="fit"), aggregate(votes)]
        print(
            f"full {name}:",
            *("{:.3f}/{:.3f}".format(*scored(f.posterior_items, truth)) for f in full),
        )
    rows, labels = [], []
    for name, label, part in rare_panels(sets, draws):
        truth = np.asarray(part.key)
        own = float((truth == label).mean())
        stated = {part.labels[label]: (own / 2, min(0.95, 2 * own))}
        fits = [aggregate(part, "majority"), aggregate(part, prevalence="fit"), aggregate(part)]
        fits.append(aggregate(part, prevalence=float((truth == 1).mean())))
        fits.append(aggregate(part, prevalence=stated))
        rows.append([scored(fit.posterior_items, truth) for fit in fits])
        labels.append(name)
    found = np.array(rows)
    print(
        f"A, {len(rows)} thinned panels: mean loss/accuracy; most above share; worst accuracy to majority"
    )
    for k, rule in enumerate(rules):
        more, less = found[:, k, 0] - found[:, 0, 0], found[:, k, 1] - found[:, 0, 1]
        print(
            f"{rule:9} {found[:, k, 0].mean():.3f}/{found[:, k, 1].mean():.3f} "
            f"{more.max():+.3f} ({labels[more.argmax()]}) above .05: {(more > 0.05).mean():.2f} "
            f"{less.min():+.3f} ({labels[less.argmin()]}) below a point: {(less < -0.01).sum()}"
        )


def drawn(design: str, seed: int, n_items: int = 500) -> Votes:
    """Return one simulated panel."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([3, 5, 8, 12, 21])) if design in ("independent", "rare") else 5
    share = float(rng.uniform(0.02, 0.3)) if design == "rare" else 0.5
    key = rng.random(n_items) < share
    right = rng.random((n_items, n)) < rng.uniform(0.6, 0.9, n)
    codes = np.where(right, key[:, None], ~key[:, None])
    noise = {"exact copies": 0.0, "90% copies": 0.1, "60% copies": 0.4}.get(design)
    if noise is not None:
        other = rng.random((n_items, 2)) < 0.5
        kept = rng.random((n_items, 2)) < noise
        codes = np.column_stack([codes, np.where(kept, other, codes[:, :1])])
    if design == "hard items":
        hard = rng.random(n_items) < 0.4
        codes = np.where(hard[:, None], rng.random(codes.shape) < 0.5, codes)
    names = [f"j{k}" for k in range(codes.shape[1])]
    return Votes(
        range(n_items), names, ["0", "1"], ["0", "1"], codes.astype(np.int16), key.astype(np.int16)
    )


DESIGNS = ("independent", "rare", "exact copies", "90% copies", "60% copies", "hard items")


def designs(draws: int, first: int = 9000) -> None:
    """B: simulated panels of fresh seeds."""
    print(
        "B, mean log loss: default, fit, share, Dawid-Skene; mean and most of default above share"
    )
    for design in DESIGNS:
        rows = []
        for seed in range(first, first + 4 * draws):
            votes = drawn(design, seed)
            fits = [aggregate(votes), aggregate(votes, prevalence="fit", copies="keep")]
            fits += [aggregate(votes, method) for method in ("majority", "dawid-skene")]
            rows.append([scored(f.posterior_items, np.asarray(votes.key))[0] for f in fits])
        found = np.array(rows)
        more = found[:, 0] - found[:, 2]
        print(f"{design:14}", *found.mean(axis=0).round(3), f"{more.mean():+.3f} {more.max():+.3f}")


def regression(votes: Votes, rows: np.ndarray, codes: np.ndarray) -> np.ndarray | None:
    """Return (items, R) of logistic regression on the same labels, None without scikit-learn."""
    try:
        from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
    except ImportError:
        return None
    hot = np.eye(votes.n_labels + 1)
    X = np.concatenate([hot[column][:, : votes.n_labels] for column in votes.codes.T], axis=1)
    result = np.full((len(X), votes.n_labels), 1e-3)
    seen, counts = np.unique(codes, return_counts=True)
    if len(seen) == 1:
        result[:, seen[0]] = 1
    else:
        folds = int(min(5, counts.min()))
        grid = {"Cs": np.logspace(-3, 2, 6), "scoring": "neg_log_loss", "max_iter": 300}
        model = LogisticRegressionCV(cv=folds, **grid) if folds > 1 else LogisticRegression(C=0.1)
        model.fit(X[rows], codes)
        result[:, model.classes_] = model.predict_proba(X)
    result = np.maximum(result, 1e-3)
    return result / result.sum(axis=1, keepdims=True)


def curves(sets: dict[str, Votes], draws: int) -> None:
    """C: log loss on items without a label, by number of labels."""
    every = dict(sets)
    for name, label, share in THIN:
        if name in sets and (part := thinned(sets[name], label, share, 0)) is not None:
            every[f"{name} {label}@{share}"] = part
    print(
        "C, log loss with n labels (difference to label-free, its standard error; logistic regression)"
    )
    for name, votes in every.items():
        base, truth = aggregate(votes), np.asarray(votes.key)
        patterns, known = np.asarray(base.patterns), np.flatnonzero(truth >= 0)
        fits = components(votes.without_key(), base)
        others = [predictor(m)(fit, patterns) for m, fit in fits.items()]
        features = stack_features(base.posterior, others, vote_features(patterns, votes.n_labels))
        cells = []
        for n in (size for size in SIZES if size <= 0.7 * len(known)):
            rows = []
            for seed in range(draws):
                rng = np.random.default_rng(1000 * n + seed)
                picked = rng.choice(known, n, replace=False)
                rest = rng.permutation(np.setdiff1d(known, picked))[:MOST_SCORED]
                own = features.of(base.item_pattern[picked])
                moved = learn(own, truth[picked], np.ones(n)).posterior(features)
                peer = regression(votes, picked, truth[picked])
                answers = [moved[base.item_pattern], base.posterior_items]
                answers.append(answers[0] if peer is None else peer)
                rows.append([scored(a[rest], truth[rest])[0] for a in answers])
            found = np.array(rows)
            gain = found[:, 0] - found[:, 1]
            error = gain.std(ddof=1) / len(gain) ** 0.5 if len(gain) > 1 else float("nan")
            lr = f"{found[:, 2].mean():.3f}"
            cells.append(f"{n}: {found[:, 0].mean():.3f} ({gain.mean():+.3f}, {error:.3f}; {lr})")
        print(
            name,
            f"free {scored(base.posterior_items[known], truth[known])[0]:.3f} |",
            " | ".join(cells),
        )


def accuracies(sets: dict[str, Votes], draws: int) -> None:
    """D: judges whose accuracy lies in the range, and in the interval of 20, 50 and 100 labels."""
    print("D, judges held: range without labels; intervals of n random labels")
    for name, votes in sets.items():
        truth = np.asarray(votes.key)
        answered = (votes.codes >= 0) & (truth >= 0)[:, None]
        right = ((votes.codes == truth[:, None]) & answered).sum(0) / np.maximum(answered.sum(0), 1)
        inside = [
            r.low <= p <= r.high
            for r, p in zip(aggregate(votes).accuracy_ranges(), right, strict=True)
        ]
        cells, known = [], np.flatnonzero(truth >= 0)
        for n in (20, 50, 100):
            held = []
            for seed in range(draws):
                picked = np.random.default_rng(seed).choice(
                    known, min(n, len(known)), replace=False
                )
                human = {votes.items[row]: votes.labels[truth[row]] for row in picked.tolist()}
                rows = aggregate(votes, human=human).learned.judges
                where = {judge: k for k, judge in enumerate(votes.judges)}
                held += [row.low <= right[where[row.judge]] <= row.high for row in rows]
            cells.append(f"{n}: {np.mean(held):.3f}")
        print(name, f"{sum(inside)} of {len(inside)} |", " | ".join(cells))


def copies(draws: int) -> None:
    """E: exact and near copies merged among five judges; near ones judge a share of the items anew."""
    print("E, one copy among five judges, share of exams in which it is merged, named")
    for n_items in (50, 70, 100, 200, 1000):
        for noise in (0.0, 0.02, 0.05, 0.1):
            merged = named = 0
            for seed in range(10 * draws):
                rng = np.random.default_rng(seed)
                key = rng.random(n_items) < 0.5
                right = rng.random((n_items, 5)) < rng.uniform(0.6, 0.9, 4)[[0, 1, 2, 3, 0]]
                codes = np.where(right, key[:, None], ~key[:, None])
                copied = rng.random(n_items) >= noise
                codes[copied, 4] = codes[copied, 0]
                votes = Votes(
                    range(n_items), range(5), ["0", "1"], ["0", "1"], codes.astype(np.int16)
                )
                pairs = copies_of(votes.sketch())
                merged += bool(merged_groups(pairs, 5))
                named += bool(pairs)
            print(n_items, f"{noise:.0%}", merged / (10 * draws), named / (10 * draws))


def from_truth(votes: Votes, accuracies: np.ndarray, seed: int) -> float:
    """P-value of the test of pairs whose 199 exams are drawn from the true rates, not the fitted ones."""
    r, rng = votes.n_labels, np.random.default_rng(seed)
    wrong = np.broadcast_to(
        ((1 - accuracies) / (r - 1))[None, None, :, None], (1, r, len(accuracies), r)
    )
    tables = wrong.copy()
    for t in range(r):
        tables[0, t, :, t] = accuracies
    exam = FittedExam.of(votes.sketch())
    true = exam._replace(laws=Laws(np.full((1, r), 1 / r), tables.astype(exam.laws.tables.dtype)))
    scale = _Scale.of(true.repeated(100, rng), true)
    return (
        float(1 + (scale.size(true.repeated(199, rng)) >= scale.size(exam.measured())).sum()) / 200
    )


def independents(draws: int) -> None:
    """F: share of exams of independent judges whose test of all pairs rejects at 5%."""
    print(
        "F, independent judges of accuracies .6 to .9, 300 items: labels, judges, share rejected,"
    )
    print("and where the exams compared with are drawn from the true rates")
    for r, n in product((2, 3, 5), (3, 4, 5, 8, 12, 20)):
        if r == 2 and n == 3:  # two answers of three judges say nothing of it
            continue
        ended = []
        for seed in range(50 * draws):
            rng = np.random.default_rng([r, n, 300, seed])
            key, uniform = rng.integers(0, r, 300), rng.random((300, n))
            accuracies = rng.uniform(0.6, 0.9, n)
            other = (key[:, None] + rng.integers(1, r, (300, n))) % r
            codes = np.where(uniform < accuracies, key[:, None], other).astype(np.int16)
            names = [str(t) for t in range(r)]
            votes = Votes(range(300), [f"j{i}" for i in range(n)], names, names, codes)
            ended.append((pair_test(votes, seed=seed).p_value, from_truth(votes, accuracies, seed)))
        fitted, true = (np.array(ended) <= 0.05).mean(axis=0)
        print(r, n, f"{fitted:.3f} {true:.3f} of {len(ended)}", flush=True)


def rivals(sets: dict[str, Votes], draws: int) -> None:
    """G: other methods, and crowd-kit's and snorkel's, on the thinned panels of A."""
    own = ("majority", "recommended", "pooled-dawid-skene", "dawid-skene")
    peers = [name for name in real.PEERS if not name.endswith((" KOS", " GLAD"))]
    rows, reasons = [], set()
    for _, _, part in rare_panels(sets, draws):
        truth, blind = np.asarray(part.key), part.without_key()
        answers = [aggregate(blind, method).posterior_items for method in own]
        given = real.Set("", blind, truth, blind)
        for name in peers:
            posterior, _, why = real.peer(name, given)
            answers.append(np.full((part.n_items, 2), np.nan) if posterior is None else posterior)
            if posterior is None:
                reasons.add(f"{name}: {why}")
        rows.append([scored(posterior, truth) for posterior in answers])
    table = np.array(rows)
    print(f"G, {len(rows)} thinned panels: mean loss/accuracy; most above share; worst accuracy")
    for k, name in enumerate((*own, *peers)):
        more, less = table[:, k, 0] - table[:, 0, 0], table[:, k, 1] - table[:, 0, 1]
        print(
            f"{name:25} {table[:, k, 0].mean():.3f}/{table[:, k, 1].mean():.3f} "
            f"{more.max():+.3f} {less.min():+.3f} below a point: {(less < -0.01).sum()}"
        )
    best = np.nanmin(table[:, len(own) :, 0], axis=1)
    print(f"default above the best of these peers, panel by panel: {(table[:, 1, 0] > best).sum()}")
    print(*sorted(reasons), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=real.DATA)
    parser.add_argument("--parts", default="ABCDEFG")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--sets", default=",".join((*PANELS, *CROWDS)))
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    reads = set(chosen.parts) & set("ACDG")
    sets = {name: keyed(name, chosen.data) for name in chosen.sets.split(",")} if reads else {}
    if "A" in chosen.parts:
        prevalences(sets, chosen.draws)
    if "B" in chosen.parts:
        designs(chosen.draws)
    if "C" in chosen.parts:
        curves(sets, chosen.draws)
    if "D" in chosen.parts:
        accuracies(sets, chosen.draws)
    if "E" in chosen.parts:
        copies(chosen.draws)
    if "F" in chosen.parts:
        independents(chosen.draws)
    if "G" in chosen.parts:
        rivals(sets, chosen.draws)


if __name__ == "__main__":
    main()
