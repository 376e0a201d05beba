"""Dawid-Skene against crowd-kit and against the clock; ratios, so that slow machines pass too."""

import csv
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Votes

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.filterwarnings("ignore::Warning"),  # of the peer and its pandas
]

DATA = Path(__file__).parents[2] / "../shared/data"


def simulate(n_items, n_judges, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) < 0.4
    accuracy = rng.uniform(0.6, 0.9, (2, n_judges))
    chance = np.where(truth[:, None], accuracy[1], 1 - accuracy[0])
    codes = (rng.random((n_items, n_judges)) < chance).astype(np.int16)
    judges = [f"j{place}" for place in range(n_judges)]
    return Votes(range(n_items), judges, ["0", "1"], ["0", "1"], codes)


def timed(call, repeat=3):
    best, result = float("inf"), None
    for _ in range(repeat):
        start = perf_counter()
        result = call()
        best = min(best, perf_counter() - start)
    return best, result


def long_table(votes):
    pd = pytest.importorskip("pandas")
    item, judge = np.nonzero(votes.codes >= 0)
    return pd.DataFrame({"task": item, "worker": judge, "label": votes.codes[item, judge]})


def peer(table, steps):
    crowdkit = pytest.importorskip("crowdkit.aggregation")
    return crowdkit.DawidSkene(n_iter=steps, tol=-np.inf).fit_predict_proba(table)


def test_a_million_items_six_judges_within_a_second():
    votes = simulate(1_000_000, 6)
    seconds, result = timed(lambda: aggregate(votes))
    print(f"\n1e6 x 6: {seconds:.3f} s, {result.n_iter} steps, {len(result.patterns)} patterns")
    assert result.status.ok
    assert seconds < 1


def test_a_million_items_twenty_judges():
    votes = simulate(1_000_000, 20)
    seconds, result = timed(lambda: aggregate(votes), repeat=1)
    print(f"\n1e6 x 20: {seconds:.3f} s, {result.n_iter} steps, {len(result.patterns)} patterns")
    assert result.status.ok
    assert seconds < 10


@pytest.mark.parametrize(("n_judges", "least"), [(6, 100), (20, 20)])
def test_ratio_to_crowd_kit_for_the_same_steps(n_judges, least):
    votes = simulate(30_000, n_judges)
    ours, result = timed(lambda: aggregate(votes, tol=0, max_iter=20))
    table = long_table(votes)
    theirs, proba = timed(lambda: peer(table, 20), repeat=1)
    print(f"\n30,000 x {n_judges}: {ours:.4f} s against {theirs:.2f} s, ratio {theirs / ours:.0f}")
    assert np.abs(result.posterior_items - proba.sort_index()[[0, 1]].to_numpy()).max() < 1e-8
    assert theirs / ours > least


@pytest.mark.skipif(not DATA.exists(), reason="the real votes are not here")
def test_sparse_web_votes():
    with (DATA / "web_votes.csv").open() as stream:
        votes = Votes.from_records(
            (r["item"], r["worker"], r["label"]) for r in csv.DictReader(stream)
        )
    ours, result = timed(lambda: aggregate(votes, tol=0, max_iter=50))
    table = long_table(votes)
    theirs, _ = timed(lambda: peer(table, 50), repeat=1)
    dense, _ = timed(lambda: aggregate(votes, tol=0, max_iter=50, engine="patterns"), repeat=1)
    print(
        f"\nweb, {len(table)} votes: {ours:.3f} s ({result.settings['engine']}), "
        f"patterns {dense:.3f} s, crowd-kit {theirs:.2f} s, ratio {theirs / ours:.0f}"
    )
    assert result.settings["engine"] == "triples"
    assert ours < dense
    assert theirs / ours > 5
