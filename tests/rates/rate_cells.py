"""Cells of the coverage grids, and how often the intervals of `rate` hold in them.

A cell is a law of (label, verdict, graded number) of one item. Every replicate draws items from it, labels
some at random, and asks the rule of `rate`; replicates alike in their counts are asked once.
"""

import csv
from dataclasses import dataclass

import numpy as np

import algeval as ae
from algeval.rates import intervals
from algeval.rates.inputs import Gold, Panel, panel_of
from algeval.rates.intervals import gold_only, ppi
from algeval.rates.rating import Drawn, Predictor, answer_of

ITEMS = 2000
DRAWS = 2000


@dataclass(frozen=True)
class Cell:
    """A name; per item of the law its label, verdict and number; how likely each is; items a replicate.

    Where `items` is 0 the items are those of the law, each once, and a population's are as many of these,
    drawn with replacement.
    """

    name: str
    y: np.ndarray
    v: np.ndarray
    f: np.ndarray
    chance: np.ndarray | None = None
    items: int = ITEMS

    @property
    def n_items(self):
        return self.items or len(self.y)

    @property
    def rate(self):
        return float(np.average(self.y, weights=self.chance))


def synthetic(pi, se, sp):
    """One judge: pi passes, seen with se; fails, seen with sp."""
    y, v = np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0])
    chance = np.array([pi * se, pi * (1 - se), (1 - pi) * (1 - sp), (1 - pi) * sp])
    return Cell(f"synthetic {pi} {se} {sp}", y, v, v, chance)


SYNTHETIC = [
    *[(0.9, 0.95, 0.95), (0.9, 0.99, 0.9), (0.97, 0.95, 0.95), (0.97, 0.99, 0.9)],
    *[(0.9, 0.9, 0.6), (0.5, 0.95, 0.95), (0.5, 0.99, 0.9)],
]
"""Section 2b: strong judges."""


def coverage(cell, n, replicates, *, target="items", methods=("gold", "auto"), seed=0):
    """Return {method: (coverage, mean width)} of 95% intervals."""
    rng = np.random.default_rng(seed)
    found = {}
    if set(methods) - {"ppi"}:
        items, labelled = counts(cell, n, replicates, target, rng)
        plain = [method for method in methods if method != "ppi"]
        found = {method: _of_counts(method, cell, items, labelled, target) for method in plain}
    if "ppi" in methods:
        found["ppi"] = _of_draws(cell, n, replicates, target, rng)
    return found


def counts(cell, n, replicates, target, rng):
    """Return how many items, and how many labelled ones, are of each kind: two (replicates, 4) arrays.

    Kinds are verdict 0 with label 0 and 1, then verdict 1 with label 0 and 1.
    """
    kind = (2 * cell.v + cell.y).astype(int)
    if cell.items or target == "population":
        share = np.bincount(kind, cell.chance, minlength=4)
        items = rng.multinomial(cell.n_items, share / share.sum(), replicates)
    else:
        items = np.tile(np.bincount(kind, minlength=4), (replicates, 1))
    labelled = np.array([rng.multivariate_hypergeometric(row, n) for row in items])
    return items, labelled


def _of_counts(method, cell, items, labelled, target):
    sizes = items[:, [0, 2]] + items[:, [1, 3]]
    known = {}
    ends = np.empty((len(items), 2))
    for place, (row, size) in enumerate(zip(labelled.tolist(), sizes.tolist(), strict=True)):
        at = (*row, *size)
        if at not in known:
            known[at] = _interval(method, row, size, target)
        ends[place] = known[at]
    truth = items[:, [1, 3]].sum(axis=1) / items.sum(axis=1) if target == "items" else cell.rate
    held = (ends[:, 0] - 1e-12 <= truth) & (truth <= ends[:, 1] + 1e-12)
    return float(held.mean()), float(np.diff(ends).mean())


def _interval(method, row, size, target):
    """Return the ends from counts of labelled items by kind, and of all items by verdict."""
    labels, verdicts = np.repeat([0.0, 1, 0, 1], row), np.repeat([0, 0, 1, 1], row)
    n_items = sum(size)
    if method == "gold":
        return gold_only(labels, n_items, target=target)[::2][:2]
    rest = np.repeat([0, 1], [size[0] - row[0] - row[1], size[1] - row[2] - row[3]])
    found = answer_of(_drawn(labels, np.append(verdicts, rest), target), "auto").estimate
    return found.low, found.high


def _drawn(labels, verdict, target):
    intervals.strata_interval.__kwdefaults__["draws"] = DRAWS
    n_items, f = len(verdict), verdict.astype(float)
    gold = Gold(np.arange(len(labels)), labels.astype(np.int64), labels)
    panel = Panel(
        (None,) * n_items, (), ("0", "1"), "1", verdict.astype(np.int8), f, np.ones(n_items), f
    )
    predictor = Predictor("verdict", f, False)
    return Drawn(gold=gold, panel=panel, predictor=predictor, target=target, level=0.95)


def _of_draws(cell, n, replicates, target, rng):
    """Return coverage and width of the regression on the graded number."""
    hits, width, size = 0, 0.0, len(cell.y)
    for _ in range(replicates):
        if cell.items or target == "population":
            rows = rng.choice(size, cell.n_items, p=cell.chance)
        else:
            rows = rng.permutation(size)
        y, f = cell.y[rows], cell.f[rows]
        truth = y.mean() if target == "items" else cell.rate
        found = ppi(y[:n], f[:n], f, target=target)
        hits += found.low - 1e-12 <= truth <= found.high + 1e-12
        width += found.high - found.low
    return hits / replicates, width / replicates


def table(folder, name):
    """Return the rows of a file of real votes."""
    return list(csv.DictReader((folder / f"{name}.csv").read_text().splitlines()))


def real_cells(folder):
    """Return the cells of real votes: as they are, and CivilComments weighted to other rates."""
    cells = []
    for name in ("triviaqa_judges_v1", "triviaqa_judges_v2"):
        rows = table(folder, name)
        judges = [c for c in rows[0] if c in TRIVIA]
        cells += _cells(name, rows, judges, "gold", {"GPT-4": ["GPT-4"], "panel": judges}, _vote)
    rows = table(folder, "civilcomments_judge_scores")
    judges = [c for c in rows[0] if c not in ("item", "gold")]
    best = _best(rows, judges)
    civil = _cells("civilcomments", rows, judges, "gold", {"best": [best], "panel": judges}, _cut)
    cells += civil
    for cell in civil:
        for pi in (0.5, 0.9, 0.97, 0.995):
            chance = np.where(cell.y == 1, pi / cell.y.sum(), (1 - pi) / (1 - cell.y).sum())
            cells.append(Cell(f"{cell.name} {pi}", cell.y, cell.v, cell.f, chance))
    for name in ("rte", "bluebird"):
        cells.append(_long(folder, name))
    return cells


TRIVIA = {
    *("Mistral-7B", "Llama-7B", "Llama-13B", "Llama3-8B", "Gemma-2B", "Llama-70B", "EM"),
    *("Llama3-70B", "GPT-4", "JudgeLM", "Contains"),
}


def _vote(text):
    return text or None


def _cut(text):
    return None if not text else "1" if float(text) >= 4.5 else "0"


def _best(rows, judges):
    right = {j: sum(_cut(row[j]) == row["gold"] for row in rows) for j in judges}
    return max(right, key=right.get)


def _cells(name, rows, judges, gold, panels, read):
    y = np.array([float(row[gold]) for row in rows])
    found = []
    for told, chosen in panels.items():
        columns = {j: [read(row[j]) for row in rows] for j in chosen}
        panel = panel_of(ae.Votes.from_columns(columns, labels=["0", "1"]), "1")
        judged = panel.verdict >= 0
        found.append(
            Cell(
                f"{name} {told}",
                y[judged],
                panel.verdict[judged] * 1.0,
                panel.share[judged],
                None,
                0,
            )
        )
    return found


def _long(folder, name):
    votes = [tuple(row.values()) for row in table(folder, f"{name}_votes")]
    truth = dict(tuple(row.values()) for row in table(folder, f"{name}_truth"))
    panel = panel_of(ae.Votes.from_records(votes, labels=["0", "1"]), "1")
    y = np.array([float(truth[item]) for item in panel.items])
    judged = panel.verdict >= 0
    share = panel.share[judged]
    return Cell(f"{name} panel", y[judged], panel.verdict[judged] * 1.0, share, None, 0)
