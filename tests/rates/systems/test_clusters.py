"""Two equal systems whose items come in clusters: how often they are parted, and what is covered."""

import numpy as np
import pytest

import algeval as ae

LABELS = ["fail", "pass"]
RUNS = 1000


def votes_of(passed, items):
    return ae.Votes(
        items=items,
        judges=["j"],
        labels=LABELS,
        answers=LABELS,
        codes=passed.astype(np.int16)[:, None],
    )


def differences(cluster, accuracy, rng):
    """True differences with mean 0, alike within clusters, and what a judge makes of them."""
    n = len(cluster)
    lean = rng.choice([-1, 0, 1], cluster.max() + 1, p=[0.25, 0.5, 0.25])[cluster]
    own = rng.choice([-1, 0, 1], n, p=[0.1, 0.8, 0.1])
    true = np.where(rng.random(n) < 0.6, lean * (rng.random(n) < 0.5), own)
    blind = rng.choice([-1, 0, 1], n, p=[0.15, 0.7, 0.15])
    return true, np.where(rng.random(n) < accuracy, true, blind)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True], ids=["items", "clusters"])
@pytest.mark.parametrize("accuracy", [0.0, 0.8])
@pytest.mark.parametrize(("level", "most"), [(0.95, 0.05), (0.99, 0.01)])
def test_equal_systems_are_parted_no_more_than_the_level(whole, accuracy, level, most):
    """Labels of 100 items drawn one by one, or of ten whole clusters."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(60), 10)
    items = [str(k) for k in range(len(cluster))]
    of_item = dict(zip(items, cluster.tolist(), strict=True))
    parted = covered = 0
    for _ in range(RUNS):
        true, seen = differences(cluster, accuracy, rng)
        drawn = np.flatnonzero(np.isin(cluster, rng.permutation(60)[:10]))
        rows = drawn if whole else rng.permutation(len(cluster))[:100]
        result = ae.compare_systems(
            votes_of(seen >= 0, items),
            votes_of(seen <= 0, items),
            label="pass",
            level=level,
            target="population",
            cluster=of_item,
            gold_a={items[k]: LABELS[int(true[k] >= 0)] for k in rows},
            gold_b={items[k]: LABELS[int(true[k] <= 0)] for k in rows},
        )
        parted += result.verdict.endswith("BETTER")
        covered += result.low <= 0 <= result.high
    print(f"parted {parted / RUNS:.4f}, covered {covered / RUNS:.4f} at {level}")
    assert parted / RUNS <= most + 2 * (most / RUNS) ** 0.5
    least = level - 0.02  # few clusters: a regression's interval is a little short, .932 of .95
    assert covered / RUNS >= least - 2 * (least * (1 - least) / RUNS) ** 0.5
