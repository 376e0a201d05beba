"""A rate from a million items in seconds, and its widths and coverage beside the peers'."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

import algeval as ae

sys.path.insert(0, str(Path(__file__).parents[1] / "rates"))
from rate_cells import coverage, synthetic

sys.path.remove(str(Path(__file__).parents[1] / "rates"))

pytestmark = pytest.mark.benchmark


def test_a_million_items_and_twenty_judges():
    rng = np.random.default_rng(0)
    passes = rng.random(10**6) < 0.7
    codes = (passes[:, None] ^ (rng.random((10**6, 20)) < 0.2)).astype(np.int16)
    items, judges = tuple(map(str, range(10**6))), tuple(f"j{k}" for k in range(20))
    votes = ae.Votes(items, judges, ("fail", "pass"), ("fail", "pass"), codes)
    rows = rng.choice(10**6, 300, replace=False)
    gold = {items[row]: "pass" if passes[row] else "fail" for row in rows}
    ae.rate(votes.select(items=items[:50]), "pass")  # what is loaded once
    start = time.process_time()
    found = ae.rate(votes, "pass", gold)
    took = time.process_time() - start
    print(f"\n{took:.1f} s of the processor")
    assert found.low < passes.mean() < found.high
    assert took < 5


def draw(law, n, replicates):
    """Yield labels of n items and verdicts of 2,000, the first n the labelled."""
    pi, se, sp = law
    rng = np.random.default_rng(n)
    for _ in range(replicates):
        y = (rng.random(2000) < pi) * 1.0
        seen = rng.random(2000)
        yield y[:n], np.where(y == 1, seen < se, seen >= sp) * 1.0


def by_ppi_py(y, f):
    peer = pytest.importorskip("ppi_py")
    low, high = peer.ppi_mean_ci(y, f[: len(y)], f[len(y) :], alpha=0.05)
    return float(np.squeeze(low)), float(np.squeeze(high))


def by_truescore(y, f):
    peer = pytest.importorskip("truescore")
    found = peer.ppi_estimate(f, y, np.arange(len(y)))
    return found.low, found.high


def by_judgy(y, f):
    peer = pytest.importorskip("judgy")
    _, low, high = peer.estimate_success_rate(y, f[: len(y)], f[len(y) :], bootstrap_iterations=200)
    return low, high


PEERS = {"ppi_py": (by_ppi_py, 400), "truescore": (by_truescore, 400), "judgy": (by_judgy, 60)}
LAWS = [(0.9, 0.95, 0.95), (0.97, 0.95, 0.95), (0.5, 0.95, 0.95), (0.9, 0.9, 0.6), (0.5, 0.7, 0.75)]


@pytest.mark.filterwarnings("ignore")
def test_widths_beside_the_peers():
    """Print coverage and mean width of 95% intervals of a population; a peer that refuses covers not."""
    for law in LAWS:
        for n in (20, 50, 100):
            ours = coverage(synthetic(*law), n, 2000, target="population")
            told = {"gold only": ours["gold"], "algeval": ours["auto"]}
            for name, (ask, replicates) in PEERS.items():
                told[name] = _of_peer(ask, law, n, replicates)
            print(law, n, "  ".join(f"{k} {held:.3f}/{w:.3f}" for k, (held, w) in told.items()))
            assert ours["auto"][0] >= 0.93
            assert ours["auto"][1] <= ours["gold"][1]


def _of_peer(ask, law, n, replicates):
    held, widths = 0, []
    for y, f in draw(law, n, replicates):
        try:
            low, high = ask(y, f)
        except (ValueError, ZeroDivisionError):
            continue
        held += low <= law[0] <= high
        widths.append(high - low)
    return held / replicates, float(np.nanmean(widths)) if widths else np.nan
