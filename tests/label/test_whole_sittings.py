"""Whole sittings with the truth known, each stopped by its own rule, beside other rules.

``pytest -m slow -s tests/label/test_whole_sittings.py`` prints the table.
"""

import numpy as np
import pytest

import algeval as ae
from algeval.judges.intervals import Looked, anytime_share, may_be_best, tango
from algeval.label.choosing import Settings, plan_of
from algeval.label.sitting import begin
from algeval.rates.intervals import wilson
from algeval.rates.streams import AnytimeEnds, DrawnPairs, common_ends, paired_ends, unpaired_ends

N = 150
ALLOWED = 0.05


@pytest.fixture(autouse=True)
def no_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


def population(rng, n=N, gap=0.0, systems=1, right=(0.9, 0.8, 0.75)):
    """Return rows of a table and {item: the true label}; the second system is right more often by the gap."""
    rows, truth = [], {}
    base = rng.uniform(0.3, 0.8)
    for k in range(n):
        u = rng.random()
        for s in range(systems):
            v = u if rng.random() < 0.5 else rng.random()  # outputs on one prompt hang together
            item = f"r{k}_{s}"
            truth[item] = "pass" if v < base + gap * s else "fail"
            row = {"id": item, "prompt": f"What is {k}?", "response": f"It is {k} or {s}."}
            row |= {"system": f"v{s + 1}"} if systems > 1 else {}
            other = {"pass": "fail", "fail": "pass"}[truth[item]]
            says = {
                f"judge_{j}": truth[item] if rng.random() < a else other
                for j, a in enumerate(right)
            }
            rows.append(row | says)
    return rows, truth


def sitting_on(rows, folder, goal, seed, width=None):
    results = ae.read_results(rows)
    systems = ("v1", "v2") if goal == "difference" else ()
    settings = Settings(
        goal=goal, labels=("pass", "fail"), good="pass", systems=systems, seed=seed, width=width
    )
    return begin(plan_of(results, settings), folder / f"{goal}-{seed}.labels.jsonl", ["anna"])


def sit(sitting, truth, every=1):
    """Label until the sitting says stop, looking after so many labels; the items in their order."""
    items = []
    while (view := sitting.view("anna")).item is not None:
        sitting.act("anna", "label", turn=view.turn, label=truth[view.item])
        items.append(view.item)
        if len(items) % every == 0 and sitting.live.stop:
            break
    return items


def rates(rng, folder, seed, every):
    """Yield the rule's name, labels used and whether it missed: the rate to ten points either way."""
    rows, truth = population(rng)
    y = {item: label == "pass" for item, label in truth.items()}
    rate = np.mean(list(y.values()))
    sitting = sitting_on(rows, folder, "rate", seed, width=0.2)
    items = sit(sitting, truth, every)
    bar = sitting.live.bars[0]
    yield "sitting", len(items), not bar.low - 1e-9 <= rate <= bar.high + 1e-9
    order = [sitting.plan.items[unit[0]] for unit in sitting.plan.units]
    passes = np.cumsum([y[item] for item in order])
    for name, first, last in (("watched", 10, N), ("fixed", 97, 97)):
        for n in range(first, last + 1):
            low, high = wilson(passes[n - 1], n, 0.95)
            if high - low <= 0.2 or n == last:
                break
        yield name, n, n < N and not low <= rate <= high


def differences(rng, folder, seed, every):
    """Same for which of two systems is better, or that neither is by ten points."""
    n_prompts = 100
    rows, truth = population(rng, n_prompts, gap=(0.0, 0.1, 0.2)[seed % 3], systems=2)
    y = {item: float(label == "pass") for item, label in truth.items()}
    d = np.array([y[f"r{k}_0"] - y[f"r{k}_1"] for k in range(n_prompts)])
    sitting = sitting_on(rows, folder, "difference", seed)
    items = sit(sitting, truth, every)
    bar = sitting.live.bars[0]
    yield "sitting", len(items), not bar.low - 1e-9 <= d.mean() <= bar.high + 1e-9
    order = [int(sitting.plan.items[unit[0]][1:].split("_")[0]) for unit in sitting.plan.units]
    signs = d[order]
    for name, first, last in (("watched", 10, n_prompts), ("fixed", 60, 60)):
        for n in range(first, last + 1):
            b, c = int((signs[:n] > 0).sum()), int((signs[:n] < 0).sum())
            _, low, high = tango(b, c, n)
            if not low <= 0 <= high or n == last:
                break
        yield name, 2 * n, n < n_prompts and not low <= d.mean() <= high


def judges(rng, folder, seed, every):
    """Same for which judge is the best: a miss leaves out every one that is right most often."""
    right = ((0.9, 0.8, 0.75), (0.85, 0.85, 0.8), (0.8, 0.79, 0.78))[seed % 3]
    rows, truth = population(rng, right=right)
    names = [name for name in rows[0] if name.startswith("judge")]
    correct = np.array([[row[name] == truth[row["id"]] for name in names] for row in rows])
    totals = correct.sum(axis=0)
    best = np.flatnonzero(totals == totals.max())
    sitting = sitting_on(rows, folder, "judges", seed)
    items = sit(sitting, truth, every)
    where = {row["id"]: k for k, row in enumerate(rows)}

    def leader(n):
        kept, _ = may_be_best(correct[[where[item] for item in order[:n]]])
        return int(np.flatnonzero(kept)[0]) if kept.sum() == 1 else None

    said = sitting.journal.labels
    card = ae.judge_card(rows, human=str(sitting.journal.path)).best().judges if said.acts else ()
    gone = sitting.live.stop and card[0] not in [names[k] for k in best]
    yield "sitting", len(items), gone
    order = [sitting.plan.items[unit[0]] for unit in sitting.plan.units]
    for name, numbers in (("watched", range(10, N + 1, 2)), ("fixed", (80,))):
        for n in numbers:
            if (one := leader(n)) is not None:
                break
        yield name, n, one is not None and one not in best


GOALS = {"judges": judges, "rate": rates, "difference": differences}


def table(n_runs, folder, every=1, goals=GOALS):
    """Return {goal: {rule: (mean labels, share of misses)}}."""
    made = {}
    for goal in goals:
        cells, rng = {}, np.random.default_rng(len(goal))
        for seed in range(n_runs):
            for name, n, missed in GOALS[goal](rng, folder, seed, every):
                cells.setdefault(name, []).append((n, missed))
            for file in folder.iterdir():
                file.unlink()
        made[goal] = {name: np.mean(rows, axis=0).tolist() for name, rows in cells.items()}
    return made


def test_a_few_sittings_stop_by_themselves_and_do_not_miss(tmp_path):
    for rows in table(1, tmp_path, every=50).values():
        assert rows["sitting"] == [pytest.approx(rows["sitting"][0]), 0.0]
        assert 0 < rows["sitting"][0] <= 200


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_a_thousand_sittings_miss_in_at_most_five_of_a_hundred(goal, tmp_path):
    rows = table(1000, tmp_path, every=4, goals=[goal])[goal]
    for name, (labels, missed) in rows.items():
        print(f"\n{goal:11} {name:8} {labels:6.0f} labels {100 * missed:5.1f}% missed", end="")
    assert rows["sitting"][1] <= ALLOWED


# --- At the worst time of a path: a miss anywhere on it counts.


def paths_of_differences(n_runs, seed=0, every=18):
    """Return the shares of paths that miss at some look: prompts drawn, and outputs drawn one by one.

    Ends of streams never widen, so that a look also shows every miss before it.
    """
    rng, missed = np.random.default_rng(seed), np.zeros(2)
    for k in range(n_runs):
        n = 60
        shared = rng.random(n)
        y = [
            (np.where(rng.random(n) < 0.6, shared, rng.random(n)) < p).astype(float)
            for p in (0.5 + 0.1 * (k % 4), 0.5)
        ]
        f = [np.where(rng.random(n) < 0.8, v, 1 - v) for v in y]
        d, judged = y[0] - y[1], f[0] - f[1]
        order, free = rng.permutation(n), np.ones(n, bool)
        for m in range(15, n, every):
            pairs = DrawnPairs(free, order[:m], d[order[:m]], np.empty(0))
            low, _, high = paired_ends(pairs, judged, 0.95)
            if not low - 1e-9 <= d.mean() <= high + 1e-9:
                missed[0] += 1
                break
        outputs = rng.permutation(2 * n)
        for m in range(30, 2 * n, 2 * every):
            drawn = outputs[:m]
            last = {}
            for item in drawn.tolist():
                last.setdefault(item % n, []).append(item)
            done = np.array([p for p, both in last.items() if len(both) == 2], np.int64)
            done = (
                done[np.argsort([np.flatnonzero(drawn % n == p).max() for p in done])]
                if len(done)
                else done
            )
            ends = [paired_ends(DrawnPairs(free, done, d[done], np.empty(0)), judged, 0.975)]
            each = []
            for side in (0, 1):
                own = drawn[drawn // n == side] % n
                each.append(_rate(y[side], own, f[side], 0.9875))
            ends.append(unpaired_ends(*each))
            low, _, high = common_ends(ends)
            if not low - 1e-9 <= d.mean() <= high + 1e-9:
                missed[1] += 1
                break
    return missed / n_runs


def _rate(y, rows, f, level):
    from algeval.rates.streams import stream_ends

    return AnytimeEnds(*stream_ends(y[rows], f[rows], float(f.mean()), len(y), level))


def paths_of_judges(n_runs, seed=0, strata=False, every=2):
    """Return {figure: share of paths that miss at some look} of one judge, for items of one table."""
    rng = np.random.default_rng(seed)
    missed = dict.fromkeys(("accuracy", "recall", "false pass", "precision", "difference"), 0)
    for k in range(n_runs):
        n = 60
        truth = (rng.random(n) < (0.3, 0.5, 0.15)[k % 3]).astype(np.int64)
        said = np.where(rng.random((n, 2)) < (0.85, 0.7), truth[:, None], 1 - truth[:, None])
        kinds = (said[:, 0] != said[:, 1]).astype(np.int64) if strata else np.zeros(n, np.int64)
        order = rng.permutation(n)
        if strata:  # most labels go where judges differ
            order = order[np.argsort(rng.random(n) - 0.6 * kinds[order], kind="stable")]
        one, every_item = said[:, 0], np.ones(n, bool)
        true = {
            "accuracy": (one == truth).mean(),
            "recall": (one[truth == 1] == 1).mean() if truth.any() else 0.0,
            "false pass": (one[truth == 0] == 0).mean(),
            "precision": (truth[one == 1] == 1).mean() if one.any() else 0.0,
            "difference": ((one == truth).mean() - (said[:, 1] == truth).mean()),
        }
        bad = set()
        for m in range(1, n + 1, every):
            seen = np.full(n, -1)
            seen[order[:m]] = truth[order[:m]]
            looked = Looked(kinds, seen, np.zeros(n, bool), np.zeros(n, bool))
            made = {
                "accuracy": looked.share(every_item, one == seen, 0.95),
                "recall": looked.recall(one == 1, every_item, 1, 0.95),
                "false pass": looked.recall(one == 0, every_item, 0, 0.95),
                "precision": looked.share(one == 1, seen == 1, 0.95),
                "difference": looked.difference(said, every_item, 0.95, binary=True),
            }
            for name, ends in made.items():
                if ends.value is not None and not ends.low - 1e-9 <= true[name] <= ends.high + 1e-9:
                    bad.add(name)
        for name in bad:
            missed[name] += 1
    return {name: count / n_runs for name, count in missed.items()}


def test_shares_and_differences_hold_on_a_few_paths():
    assert max(paths_of_judges(6, every=9).values()) <= 0.34
    assert max(paths_of_judges(6, strata=True, every=9).values()) <= 0.34
    assert paths_of_differences(4, every=15).max() <= 0.5


@pytest.mark.slow
def test_a_thousand_paths_miss_anywhere_in_at_most_five_of_a_hundred():
    pairs = paths_of_differences(1000)
    print(f"\npaths: differences, prompts and outputs drawn: {100 * pairs} % missed anywhere")
    assert pairs.max() <= ALLOWED
    for strata in (False, True):
        made = paths_of_judges(1000, strata=strata)
        print(f"paths: judges, strata {strata}: {made}")
        assert max(made.values()) <= ALLOWED


def test_the_ends_of_a_share_are_where_the_ratio_of_prior_to_posterior_passes_the_limit():
    grid = np.linspace(1e-6, 1 - 1e-6, 20_001)
    for x, n in ((0, 5), (3, 7), (40, 50), (50, 50)):
        # the posterior by a sum over the grid, the prior 1
        logs = x * np.log(grid) + (n - x) * np.log1p(-grid)
        density = np.exp(logs - logs.max())
        density /= density.mean()
        kept = grid[density > 0.05]
        low, high = anytime_share(x, n, 0.95)
        assert (low, high) == pytest.approx((kept[0], kept[-1]), abs=2e-4)
