"""The default on few items and many labels: simulated designs, a sparse ten-label crowd, mt-bench."""

import random

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.io import example

DESIGNS = {
    "25 items, 3 judges, 3 labels": (25, 3, 3, (0.8, 0.7, 0.6)),
    "300 items, 4 judges, 12 labels": (300, 4, 12, (0.8, 0.7, 0.6)),
    "60 items, 3 judges, 3 labels": (60, 3, 3, (0.9, 0.8, 0.75)),
    "200 items, 3 judges, 5 labels": (200, 3, 5, (0.7, 0.6, 0.5)),
}
QUICK = [("25 items, 3 judges, 3 labels", 10), ("60 items, 3 judges, 3 labels", 10)]
WORSE = 0.01


def simulated(n_items, n_judges, n_labels, accuracy, seed):
    """Judges right at a rate of their own, else any other label, all alike."""
    rng = random.Random(seed)
    key = [rng.randrange(n_labels) for _ in range(n_items)]
    codes = [
        [
            t
            if rng.random() < accuracy[j % len(accuracy)]
            else rng.choice([label for label in range(n_labels) if label != t])
            for t in key
        ]
        for j in range(n_judges)
    ]
    labels = [f"l{place}" for place in range(n_labels)]
    judges = [f"j{place}" for place in range(n_judges)]
    return Votes(range(n_items), judges, labels, labels, np.array(codes).T, key)


def errors(votes, method):
    """Return the mean error of the judges' accuracies by label, and the share of labels right."""
    found = aggregate(votes.without_key(), method)
    told = [found.evaluation.confusion[:, label, label] for label in range(votes.n_labels)]
    key = np.asarray(votes.key)
    gaps = [
        np.abs(told[label] - (votes.codes[key == label] == label).mean(axis=0))
        for label in np.unique(key)
    ]
    return np.mean(gaps), (found.decisions[found.item_pattern] == key).mean()


def compared(design, seeds):
    """Return {method: (mean accuracy error, mean label accuracy)} over seeds."""
    told = {}
    for method in ("majority", "dawid-skene", "recommended"):
        runs = [errors(simulated(*DESIGNS[design], seed), method) for seed in range(seeds)]
        told[method] = np.mean(runs, axis=0)
        print(f"{design}, {method}: error {told[method][0]:.4f}, labels {told[method][1]:.4f}")
    return told


def check(told):
    (error, right), (plain_error, plain_right) = told["recommended"], told["dawid-skene"]
    assert error <= plain_error + WORSE
    assert right >= plain_right - WORSE


@pytest.mark.parametrize(("design", "seeds"), QUICK)
def test_it_is_no_worse_than_dawid_skene_on_few_items(design, seeds):
    check(compared(design, seeds))


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_it_is_no_worse_than_dawid_skene_on_any_design(design):
    check(compared(design, 100))


def sparse(seed, n_items=300, n_workers=40, each=6, n_labels=10):
    rng = np.random.default_rng(seed)
    key = rng.integers(0, n_labels, n_items)
    accuracy = rng.uniform(0.35, 0.9, n_workers)
    codes = np.full((n_items, n_workers), -1, np.int16)
    for item, label in enumerate(key):
        workers = rng.choice(n_workers, each, replace=False)
        wrong = (label + rng.integers(1, n_labels, each)) % n_labels
        codes[item, workers] = np.where(rng.random(each) < accuracy[workers], label, wrong)
    labels = [f"l{place}" for place in range(n_labels)]
    return Votes(range(n_items), [f"w{k}" for k in range(n_workers)], labels, labels, codes, key)


def fair(votes, method):
    """Return the share of labels right; a tie of t labels that has the true one counts 1/t."""
    posterior = aggregate(votes.without_key(), method).posterior_items
    top = posterior >= posterior.max(axis=1, keepdims=True) - 1e-9
    return (top[np.arange(len(top)), np.asarray(votes.key)] / top.sum(axis=1)).mean()


@pytest.mark.parametrize("seeds", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_ten_labels_forty_workers_six_votes_are_labelled_no_worse_than_by_majority(seeds):
    told = [[fair(sparse(s), m) for m in ("recommended", "majority")] for s in range(seeds)]
    print(np.round(np.mean(told, axis=0), 4), (np.diff(told)[:, 0] <= 0).mean())
    mine, majority = np.mean(told, axis=0)
    assert mine >= majority


def test_no_label_that_was_answered_is_said_not_to_exist():
    votes = example("mt-bench")
    found = aggregate(votes, "recommended")
    answered = [
        place for place, label in enumerate(found.labels) if (found.patterns == place).any()
    ]
    assert len(answered) == 3
    assert (found.evaluation.prevalence[answered] > 0.05).all()
    line = next(line for line in found.summary().split("\n") if line.startswith("prevalence"))
    assert " 0%" not in line
    assert " 0.0%" not in line
