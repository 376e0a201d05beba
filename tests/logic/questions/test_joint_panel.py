"""Panels at order 2 and full: certified conflicts, witnesses on the whole sketch, 21 judges."""

import copy
import csv
import time
from fractions import Fraction as F
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from algeval.data import Sketch, Specification, Votes
from algeval.logic import alarm, panel
from algeval.verify import verify

JUDGES = Path(__file__).parents[3] / "../shared/data/civilcomments_judge_scores.csv"


def proved(found, data):
    for certificate in (found.certificate, found.witness):
        if certificate is not None:
            verdict = verify(certificate, data)
            assert verdict.ok, verdict.sentence
            assert certificate.claim["order"] == found.order


def random_case(seed):
    rng = np.random.default_rng([seed, 4])
    n_labels, n_judges, n_items = (
        int(rng.integers(low, top)) for low, top in ((2, 4), (3, 6), (3, 9))
    )
    lowest = -1 if rng.random() < 0.3 else 0
    codes = rng.integers(lowest, n_labels, (n_items, n_judges)).astype(np.int16)
    labels = list("abc")[:n_labels]
    data = Sketch(list("vwxyz")[:n_judges], labels, labels, codes, np.ones(n_items, int))
    level = F(int(rng.integers(2, 6)), 6)
    spec = Specification.at_least(level)
    kind = rng.random()
    if kind < 0.3:
        spec = spec & Specification.prevalence("a", ">=", "1/3")
    elif kind < 0.5:
        spec = Specification.grade(">=", level)
    return data, spec, "excluded" if rng.random() < 0.5 else "wrong"


def largest(data, spec, rule):
    """The largest set of judges whose own marginal sketch raises no alarm, set by set."""
    for size in range(data.n_judges, 0, -1):
        for names in combinations(data.judges, size):
            order = "full" if size > 1 else 1
            if not alarm(data.marginal(names), spec, order=order, missing=rule).triggered:
                return size
    return 0


@pytest.mark.parametrize("seed", range(14))
def test_against_every_subset(seed):
    data, spec, rule = random_case(seed)
    short = []
    for order in (1, 2, "full"):
        found = panel(data, spec, order=order, missing=rule)
        assert found.exact
        proved(found, data)
        short.append(found.min_violators)
    assert short == sorted(short)
    assert data.n_judges - short[-1] == largest(data, spec, rule)


@pytest.mark.parametrize("order", [2, "full"])
@pytest.mark.parametrize("seed", range(5))
def test_at_least_k_of_the_judges(seed, order):
    data, spec, rule = random_case(seed)
    most = len(panel(data, spec, order=order, missing=rule).largest_panel)
    for k in range(1, data.n_judges + 1):
        found = alarm(data, spec.by_at_least(k), order=order, missing=rule)
        assert found.triggered is (k > most)
        verdict = verify(found.certificate, data)
        assert verdict.ok, verdict.sentence


def opposites():
    """Three pairs of judges, each pair always at odds."""
    rows = {("a", "b", "a", "b", "a", "b"): 5, ("b", "a", "b", "a", "b", "a"): 5}
    return Sketch.from_counts(rows, judges=list("uvwxyz"))


def test_three_disjoint_conflicts_by_hand():
    data = opposites()
    assert panel(data, 0.9, order=1).min_violators == 0
    found = panel(data, 0.9, order="full")
    assert found.min_violators == 3
    assert set(found.largest_panel) in ({"u", "w", "y"}, {"v", "x", "z"})
    assert len(found.pairwise) == 9
    proved(found, data)
    document = found.certificate.to_dict()
    changed = copy.deepcopy(document)
    changed["claim"]["specification"]["min_judges"] = 3
    assert not verify(changed, data)
    changed = copy.deepcopy(document)
    changed["evidence"]["conflicts"][0]["judges"] = ["u", "w"]
    assert not verify(changed, data)
    witness = found.witness.to_dict()
    witness["evidence"]["judges"] = list("uvw")
    assert not verify(witness, data)


def language_model_judges():
    with JUDGES.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name not in ("item", "gold")]
    columns = {n: [None if not r[n] else int(float(r[n]) >= 4.5) for r in rows] for n in names}
    votes = Votes.from_columns(columns)
    complete = np.flatnonzero((votes.codes >= 0).all(1))
    gold = np.array([int(r["gold"]) for r in rows])[complete]
    return votes.select(items=(complete + 1).tolist()), gold


def truly_short(votes, gold, level):
    hit = votes.codes == gold[:, None]
    return int((np.array([hit[gold == t].mean(0) for t in (0, 1)]).min(0) < level).sum())


@pytest.mark.skipif(not JUDGES.exists(), reason="the judge data is not part of the project")
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(
    ("level", "wide_short", "narrow_short"),
    [
        (0.6, (5, 5, 5), (10, 10, 10)),
        (0.7, (7, 8, 8), (12, 13, 14)),
        (0.8, (10, 13, 13), (14, 17, 17)),
    ],
)
def test_twenty_one_language_model_judges(level, narrow, wide_short, narrow_short):
    votes, gold = language_model_judges()
    assert votes.n_judges == 21
    spec = Specification.at_least(level)
    if narrow:
        spec = spec & Specification.prevalence("1", ">=", 0.45)
        spec = spec & Specification.prevalence("1", "<=", 0.55)
        assert 0.45 <= gold.mean() <= 0.55
    truth, found_short = truly_short(votes, gold, level), []
    for order in (1, 2, "full"):
        start = time.monotonic()
        found = panel(votes, spec, order=order)
        assert time.monotonic() - start < 60
        assert found.exact
        assert found.min_violators <= truth
        found_short.append(found.min_violators)
        proved(found, votes)
    assert tuple(found_short) == (narrow_short if narrow else wide_short)


def test_many_conflicts_share_their_nodes():
    """Twelve judges against twelve: 4,096 paths through the blame tree, written once per set."""
    rows = {("a", "b") * 12: 5, ("b", "a") * 12: 5}
    data = Sketch.from_counts(rows)
    found = panel(data, 0.9, order="full")
    assert found.min_violators == 12
    assert found.exact
    proved(found, data)
    document = copy.deepcopy(found.certificate.to_dict())
    assert len(document["evidence"]["nodes"]) < 4096
    node = document["evidence"]["nodes"][1]
    node["children"] = dict.fromkeys(node["children"])
    assert not verify(document, data)
