"""A service: many calls in one process do not grow it, and threads give the answers of one."""

import gc
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.data.votes import GroupedSketch, Split

LABELS = ("fail", "pass")


def panel(seed, items=200, judges=5):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    codes = np.where(rng.random((items, judges)) < 0.8, truth[:, None], 1 - truth[:, None])
    key = np.where(rng.random(items) < 0.3, truth, -1)
    ids = [f"q{k}" for k in range(items)]
    return ae.Votes(ids, [f"j{k}" for k in range(judges)], LABELS, LABELS, codes, key)


def counts(votes):
    places = np.arange(votes.n_items)
    splits = (
        Split("human", "human", LABELS, votes.key.astype(np.int64)),
        Split("slice", "topic", ("x", "y"), places % 2),
    )
    return GroupedSketch(*votes.axes, votes.codes, np.ones(len(places), np.int64), splits)


QUESTIONS = {
    "alarm": lambda v: ae.alarm(v, at_least=0.9, order=1),
    "threshold": lambda v: ae.threshold(v, order=1),
    "panel": lambda v: ae.panel(v, at_least=0.9, order=1),
    "majority": lambda v: ae.aggregate(v, "majority"),
    "dawid-skene": lambda v: ae.aggregate(v, "dawid-skene"),
    "recommended": ae.aggregate,
    "card": ae.judge_card,
    "floor": ae.self_consistency,
    "slices": lambda v: ae.slices(counts(v), good="pass"),
    "votes again": lambda v: ae.Votes.from_dict(json.loads(json.dumps(v.to_dict()))),
}


def resident():
    """Memory of this process in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def ask(n, first=0):
    questions = list(QUESTIONS.values())
    for k in range(n):
        questions[k % len(questions)](panel(first + k))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("warm", "calls"), [(20, 60), pytest.param(100, 1000, marks=pytest.mark.slow)]
)
def test_calls_in_one_process_do_not_grow_it(warm, calls):
    ask(warm)  # loads what questions need, and fills what is kept once
    before = resident()
    ask(calls, first=warm)
    assert resident() - before < 20


def documents(votes):
    return [json.dumps(ask_(votes).to_dict(), sort_keys=True) for ask_ in QUESTIONS.values()]


def test_eight_threads_give_the_answers_of_one():
    panels = [panel(seed, items=60) for seed in range(8)]
    alone = [documents(votes) for votes in panels[:4]] * 2
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(documents, panels[:4] * 2))
    assert together == alone


@pytest.mark.slow
def test_eight_threads_that_share_votes_and_a_fit_give_the_answers_of_one():
    votes = panel(1)
    fit = ae.aggregate(votes)
    expected = documents(votes), fit.summary(), ae.threshold(votes).to_dict()
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(
                lambda _: (documents(votes), fit.summary(), ae.threshold(votes).to_dict()), range(8)
            )
        )
    assert all(own == expected for own in made)
