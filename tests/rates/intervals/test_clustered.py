"""Clusters as the unit: formulas written out, coverage where items in a cluster are alike."""

import csv

import numpy as np
import pytest
from scipy.special import expit

from algeval.rates.inputs import touches_few
from algeval.rates.intervals import clustered, drawn_by_cluster, from_variance, gold_only, ppi


def test_the_variance_is_the_sums_over_clusters_of_residuals_and_of_numbers():
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(30), 4)
    level = rng.random(30)[clusters]
    every = 0.5 * level + 0.5 * rng.random(120)
    rows = np.sort(rng.choice(120, 50, replace=False))
    y = (2 * level[rows] + every[rows] + 0.2 * rng.normal(size=50) > 1.5) * 1.0
    found = clustered(y, every[rows], every, rows=rows, clusters=clusters)
    slope = np.cov(y, every[rows])[0, 1] / every.var(ddof=1)
    rate = y.mean() - slope * (every[rows].mean() - every.mean())
    residual = y - slope * every[rows]
    residual -= residual.mean()
    groups = sorted(set(clusters[rows].tolist()))
    squares = sum(residual[clusters[rows] == g].sum() ** 2 for g in groups)
    means = every.reshape(30, 4).mean(axis=1)
    labels = [int((clusters[rows] == g).sum()) for g in groups]
    worth = sum(labels) ** 2 / sum(n * n for n in labels)  # clusters of one size worth as much
    variance = squares / 50**2 * worth / (worth - 2)
    variance += slope**2 * means.var(ddof=1) / 30
    both = sum(
        residual[clusters[rows] == g].sum() / 50 * slope * (means[g] - every.mean()) / 30
        for g in groups
    )
    assert both > 0
    variance += 2 * both
    assert found.slope == pytest.approx(slope)
    assert found[:3] == pytest.approx(
        from_variance(rate, variance, freedom=worth - 2, most=120)[:3]
    )


@pytest.mark.parametrize("target", ["items", "population"])
def test_a_few_clusters_that_hold_most_labels_are_few(target):
    rng = np.random.default_rng(8)
    held = tried = 0
    while tried < 250:
        sizes = np.minimum(rng.zipf(1.8, 100), 100)
        clusters = np.repeat(np.arange(100), sizes)
        rate = expit(1 + 2 * rng.normal(size=100))
        y = (rng.random(len(clusters)) < rate[clusters]) * 1.0
        f = 0.8 * y + 0.2 * rng.normal(size=100)[clusters] + 0.2 * rng.normal(size=len(clusters))
        last = 1 + np.searchsorted(np.cumsum(sizes[order := rng.permutation(100)]), 100)
        rows = np.flatnonzero(np.isin(clusters, order[:last]))
        if len(np.unique(clusters[rows])) < 10 or len(rows) == len(y):
            continue
        tried += 1
        truth = y.mean() if target == "items" else 0.64773  # the mean of expit(1 + 2 z)
        found = clustered(y[rows], f[rows], f, rows=rows, clusters=clusters, target=target)
        held += found.low <= truth <= found.high
    assert held / tried >= 0.93  # with clusters merely counted .72 and .82


def test_labels_nearly_all_in_one_cluster_say_little():
    clusters = np.r_[np.zeros(400, int), np.arange(1, 201)]
    rows = np.r_[np.arange(200), np.arange(400, 412)]
    y = (rows % 3 > 0) * 1.0
    found = clustered(y, y, (np.arange(600) % 3 > 0) * 1.0, rows=rows, clusters=clusters)
    assert found.high - found.low > 0.5


def test_items_that_stand_alone_are_no_clusters():
    rng = np.random.default_rng(1)
    every = (rng.random(400) < 0.7) * 1.0
    rows = np.arange(80)
    y = np.where(rng.random(80) < 0.8, every[:80], 1 - every[:80])
    kept = clustered(y, every[:80], every, rows=rows, clusters=np.arange(400), target="items")
    assert kept[:3] == pytest.approx(ppi(y, every[:80], every)[:3])


def test_labels_alike_are_counted_by_cluster():
    clusters, rows = np.repeat(np.arange(40), 5), np.arange(60)
    found = clustered(np.ones(60), np.zeros(60), np.zeros(200), rows=rows, clusters=clusters)
    assert found[:3] == gold_only(np.ones(12), 200, target="population")[:3]


def test_all_labelled_has_width_zero_for_the_items():
    clusters, every = np.repeat(np.arange(12), 5), np.tile([0.0, 1.0, 1.0], 20)
    y = np.where(np.arange(60) % 7 == 0, 1 - every, every)
    found = clustered(y, every, every, rows=np.arange(60), clusters=clusters, target="items")
    assert found.low == found.high == y.mean()


@pytest.mark.parametrize("whole", [False, True])
def test_labels_in_whole_clusters_are_seen(whole):
    clusters = np.repeat(np.arange(200), 5)
    rng = np.random.default_rng(2)
    for _ in range(50):
        if whole:
            rows = np.flatnonzero(np.isin(clusters, rng.choice(200, 20, replace=False)))
        else:
            rows = rng.choice(1000, 100, replace=False)
        assert drawn_by_cluster(rows, clusters) is whole
    assert not drawn_by_cluster(np.arange(1000), clusters)


@pytest.mark.parametrize("sizes", [[4] * 10, [1, 2, 3, 4, 5, 6], [2] * 12])
@pytest.mark.parametrize("n", [5, 9, 15])
def test_groups_without_a_label_are_fewer_than_by_chance_as_draws_show(sizes, n):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(n)
    drawn = [rng.choice(len(groups), n, replace=False) for _ in range(4000)]
    touched = np.array([len(np.unique(groups[rows])) for rows in drawn])
    limit = touched.mean() - 2.5 * touched.std()
    for rows, k in list(zip(drawn, touched, strict=True))[:400]:
        if abs(k - limit) > 0.1:  # the simulated mean and spread are not exact
            assert touches_few(rows, groups) is bool(k < limit)
    assert np.mean([touches_few(rows, groups) for rows in drawn[:1000]]) < 0.05


@pytest.mark.parametrize(("size", "n"), [(2, 5), (4, 3), (4, 36)])
def test_labels_in_whole_groups_are_seen_in_small_tables(size, n):
    groups = np.repeat(np.arange(40), size)
    assert touches_few(np.flatnonzero(groups < n), groups)
    assert not touches_few(np.arange(0, 40 * size, size), groups)
    assert not touches_few(np.arange(40 * size), groups)
    assert not touches_few(np.arange(20), np.arange(40))


def prompts(rng):
    """200 prompts x 5 responses that share much of their fate, and a judge who is right on 85%."""
    clusters = np.repeat(np.arange(200), 5)
    y = (rng.random(1000) < expit(0.8 + 2 * rng.normal(size=200))[clusters]) * 1.0
    return clusters, y, np.where(rng.random(1000) < 0.85, y, 1 - y)


@pytest.mark.parametrize("draw", ["whole", "scattered", "one each"])
def test_the_interval_holds_where_items_in_a_cluster_are_alike(draw):
    rng = np.random.default_rng(3)
    truth = float(expit(0.8 + 2 * np.random.default_rng(9).normal(size=10**6)).mean())
    held = naive = 0
    for _ in range(500):
        clusters, y, f = prompts(rng)
        if draw == "whole":
            rows = np.flatnonzero(clusters < 20)
        elif draw == "scattered":
            rows = rng.choice(1000, 100, replace=False)
        else:
            rows = np.arange(100) * 5
        found = clustered(y[rows], f[rows], f, rows=rows, clusters=clusters)
        plain = ppi(y[rows], f[rows], f, target="population")
        held += found.low <= truth <= found.high
        naive += plain.low <= truth <= plain.high
    assert held / 500 >= 0.92
    if draw == "whole":
        assert naive / 500 < 0.88


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "least"), [("one each", 0.93), ("random", 0.93)])
def test_questions_of_trivia_qa_as_clusters(real_votes, draw, least):
    """Nine exam takers per question; the population is one of questions, drawn with replacement."""
    rows = list(csv.DictReader((real_votes / "triviaqa_judges_v1.csv").read_text().splitlines()))
    y = np.array([float(row["gold"]) for row in rows])
    f = np.array([float(row["GPT-4"] or 0.5) for row in rows])
    names = [row["question"] for row in rows]
    members = [np.flatnonzero(np.array(names) == name) for name in dict.fromkeys(names)]
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(1000):
        chosen = [members[k] for k in rng.integers(0, len(members), len(members))]
        items = np.concatenate(chosen)
        clusters = np.repeat(np.arange(len(chosen)), [len(group) for group in chosen])
        if draw == "random":
            labelled = np.sort(rng.choice(len(items), 99, replace=False))
        else:
            starts = np.cumsum([0, *[len(group) for group in chosen[:-1]]])
            picked = rng.choice(len(chosen), 99, replace=False)
            labelled = np.sort([starts[k] + rng.integers(len(chosen[k])) for k in picked])
        found = clustered(
            y[items][labelled], f[items][labelled], f[items], rows=labelled, clusters=clusters
        )
        held += found.low <= y.mean() <= found.high
    print(f"\n{draw}: {held / 1000:.3f}")
    assert held / 1000 >= least
