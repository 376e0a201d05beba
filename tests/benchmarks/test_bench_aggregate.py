"""Dawid-Skene, plain and pooled, against crowd-kit and the clock; ratios, for slow machines."""

import csv
import tracemalloc
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.io import read_votes

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
    seconds, result = timed(lambda: aggregate(votes, "dawid-skene"))
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
    ours, result = timed(lambda: aggregate(votes, "dawid-skene", tol=0, max_iter=20))
    table = long_table(votes)
    theirs, proba = timed(lambda: peer(table, 20), repeat=1)
    print(f"\n30,000 x {n_judges}: {ours:.4f} s against {theirs:.2f} s, ratio {theirs / ours:.0f}")
    assert np.abs(result.posterior_items - proba.sort_index()[[0, 1]].to_numpy()).max() < 1e-8
    assert theirs / ours > least


def crowd(n_items, n_workers=5_000):
    """Long table of five votes on each item."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    item, truth = np.repeat(np.arange(n_items), 5), rng.integers(0, 3, n_items)
    worker = (rng.integers(0, n_workers // 5, len(item)) * 5) + np.tile(np.arange(5), n_items)
    right = rng.random(len(item)) < rng.uniform(0.5, 0.95, n_workers)[worker]
    label = np.where(right, truth[item], rng.integers(0, 3, len(item)))
    return pd.DataFrame({"task": item, "worker": worker, "label": label})


def test_reading_takes_time_and_memory_of_the_votes_and_not_of_the_workers():
    table = crowd(200_000).rename(columns={"task": "item"})
    few = table.assign(worker=table["worker"] % 5)
    peaks, seconds = [], []
    for votes in (few, table):
        took, read = timed(lambda v=votes: read_votes(v), repeat=1)
        tracemalloc.start()
        read = read_votes(votes)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        seconds.append(took)
        print(f"\n{read.n_judges} workers: {took:.2f} s, {peaks[-1] / 1e6:.0f} MB")
    assert peaks[1] < 2 * peaks[0]
    assert seconds[1] < 3 * seconds[0]


@pytest.mark.parametrize(
    ("method", "name", "least"),
    [
        ("dawid-skene", "DawidSkene", 20),
        ("one-coin", "OneCoinDawidSkene", 50),
        ("mace", "MACE", 20),
    ],
)
def test_ratio_to_crowd_kit_a_step_of_sparse_votes(method, name, least):
    crowdkit = pytest.importorskip("crowdkit.aggregation")
    table = crowd(100_000)
    votes = read_votes(table.rename(columns={"task": "item"})).sketch()
    own = {"n_starts": 1, "tol": 0}
    theirs = {"n_restarts": 1} if name == "MACE" else {"tol": -np.inf}
    ours = [timed(lambda n=n: aggregate(votes, method, max_iter=n, **own))[0] for n in (3, 33)]
    peer_ = [
        timed(lambda n=n: getattr(crowdkit, name)(n_iter=n, **theirs).fit(table), repeat=2)[0]
        for n in (1, 5)
    ]
    step, peer_step = (ours[1] - ours[0]) / 30, (peer_[1] - peer_[0]) / 4
    print(
        f"\n500,000 votes of 5,000, {method}: {1e3 * step:.1f} ms against {1e3 * peer_step:.0f} ms"
    )
    assert peer_step / step > least


METHODS = ("dawid-skene", "pooled-dawid-skene")


def per_step(votes, steps, repeat=3):
    """Return the seconds a step takes, {method: seconds}: a long run's less a short one's.

    What is done once, such as reading the votes and weighing shared errors, cancels.
    """
    told = {}
    for method in METHODS:
        short, long = (
            timed(lambda n=n, m=method: aggregate(votes, m, tol=0, max_iter=n), repeat)
            for n in (steps, 3 * steps)
        )
        told[method] = (long[0] - short[0]) / (long[1].n_iter - short[1].n_iter)
    return told


def test_a_pooled_step_costs_what_a_plain_one_does_on_a_million_items():
    votes = simulate(1_000_000, 6)
    told = per_step(votes.sketch(), 10, repeat=40)
    seconds, found = timed(lambda: aggregate(votes, "pooled-dawid-skene"))
    ratio = told["pooled-dawid-skene"] / told["dawid-skene"]
    print(f"\n1e6 x 6: {told} s a step, ratio {ratio:.2f}; in all {seconds:.3f} s")
    assert found.status.ok
    # 64 tuples: a step is the overhead of calls on small arrays, of which the pool needs more
    assert max(told.values()) < 2e-3
    assert ratio < 8


def test_a_pooled_step_costs_what_a_plain_one_does_on_many_tuples():
    votes = simulate(100_000, 20)
    told = per_step(votes, 5)
    ratio = told["pooled-dawid-skene"] / told["dawid-skene"]
    print(f"\n1e5 x 20: {told} s a step, ratio {ratio:.2f}")
    assert ratio < 3


@pytest.mark.parametrize(("n_judges", "least"), [(6, 100)])
def test_pooled_ratio_to_crowd_kit_for_the_same_steps(n_judges, least):
    votes = simulate(30_000, n_judges)
    table = long_table(votes)
    ours, found = timed(lambda: aggregate(votes, "pooled-dawid-skene", tol=0, max_iter=10))
    theirs, _ = timed(lambda: peer(table, found.n_iter), repeat=1)
    print(
        f"\n30,000 x {n_judges}: pooled {ours:.4f} s, crowd-kit {theirs:.2f} s, {found.n_iter} steps"
    )
    print(f"ratio {theirs / ours:.0f}")
    assert theirs / ours > least


@pytest.mark.skipif(not DATA.exists(), reason="the real votes are not here")
def test_a_pooled_step_on_sparse_web_votes():
    with (DATA / "web_votes.csv").open() as stream:
        votes = Votes.from_records(
            (r["item"], r["worker"], r["label"]) for r in csv.DictReader(stream)
        )
    told = per_step(votes, 20)
    ratio = told["pooled-dawid-skene"] / told["dawid-skene"]
    ours, found = timed(
        lambda: aggregate(votes, "pooled-dawid-skene", tol=0, max_iter=25), repeat=1
    )
    theirs, _ = timed(lambda: peer(long_table(votes), found.n_iter), repeat=1)
    print(f"\nweb: {told} s a step, ratio {ratio:.2f}; pooled {ours:.3f} s, {found.n_iter} steps, ")
    print(f"crowd-kit {theirs:.2f} s, ratio {theirs / ours:.0f}")
    assert ratio < 3
    assert theirs / ours > 5


@pytest.mark.skipif(not DATA.exists(), reason="the real votes are not here")
def test_sparse_web_votes():
    with (DATA / "web_votes.csv").open() as stream:
        votes = Votes.from_records(
            (r["item"], r["worker"], r["label"]) for r in csv.DictReader(stream)
        )
    ours, result = timed(lambda: aggregate(votes, "dawid-skene", tol=0, max_iter=50))
    table = long_table(votes)
    theirs, _ = timed(lambda: peer(table, 50), repeat=1)
    dense, _ = timed(
        lambda: aggregate(votes, "dawid-skene", tol=0, max_iter=50, engine="patterns"), repeat=1
    )
    print(
        f"\nweb, {len(table)} votes: {ours:.3f} s ({result.settings['engine']}), "
        f"patterns {dense:.3f} s, crowd-kit {theirs:.2f} s, ratio {theirs / ours:.0f}"
    )
    assert result.settings["engine"] == "triples"
    assert ours < dense
    assert theirs / ours > 5
