"""Curie-Weiss aggregation: recovery from both of paper 000's regimes."""

import json

import numpy as np
import pytest

from algeval.aggregate import Aggregation
from algeval.aggregate.methods.ising import curie_weiss
from algeval.aggregate.methods.ising import fitted_law_curie_weiss as fitted_law
from algeval.data import Sketch
from algeval.errors import DataError
from algeval.models.binary import TwoClass, count_risks, patterns
from algeval.models.curie_weiss import CurieWeiss
from algeval.result import Status


def sketch(votes):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), np.ones(len(votes), int))


def theorem_2(k):
    return TwoClass(0.7, CurieWeiss(k, 0.5, -0.5), CurieWeiss(k, 2.0, 1.5 / k))


def test_recovers_theorem_2_and_reaches_its_bayes_risk():
    truth = theorem_2(20)
    labels, votes = truth.sample(5000, 1)
    found = curie_weiss(sketch(votes))
    assert found.status.ok
    assert found.parameters["beta"] == pytest.approx([0.5, 2.0], abs=0.2)
    assert found.parameters["field"] == pytest.approx([-0.5, 0.075], abs=0.1)
    law = fitted_law(found)
    right = ((law.posterior(votes) >= 0.5) == labels).mean()
    best, _ = count_risks(0.7, truth.negative.log_pmf(), truth.positive.log_pmf())
    assert right > 1 - best - 0.01
    assert (np.diff(found.trace) >= -1e-6).all()


def test_recovers_theorem_1_where_only_agreement_speaks():
    truth = TwoClass(0.5, CurieWeiss(30, 0.5), CurieWeiss(30, 1.8))
    labels, votes = truth.sample(6000, 2)
    found = curie_weiss(sketch(votes), statistic="size")
    assert found.parameters["beta"] == pytest.approx([0.5, 1.8], abs=0.3)
    assert any("cannot say which class" in warning for warning in found.warnings)
    rows = {
        tuple(r): p for r, p in zip(found.patterns.tolist(), found.posterior[:, 1], strict=True)
    }
    says = np.array([rows[tuple(r)] >= 0.5 for r in votes.tolist()])
    assert (says == labels).mean() > 0.9
    assert abs((votes.mean(axis=1) >= 0.5) == labels).mean() < 0.6


def test_size_ignores_the_side_and_count_does_not():
    _, votes = theorem_2(11).sample(3000, 3)
    by_size = curie_weiss(sketch(votes), statistic="size")
    probe = sketch(np.stack([np.zeros(11, int), np.ones(11, int)]))
    both = by_size.predict(probe)
    np.testing.assert_allclose(both[0], both[1])
    by_count = curie_weiss(sketch(votes)).predict(probe)
    assert by_count[1, 1] > by_count[0, 1]


def test_votes_left_out_and_json():
    rng = np.random.default_rng(4)
    _, votes = theorem_2(12).sample(4000, rng)
    holes = np.where(rng.random(votes.shape) < 0.2, -1, votes)
    data = sketch(holes)
    found = curie_weiss(data)
    assert found.parameters["beta"] == pytest.approx([0.5, 2.0], abs=0.4)
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(data), found.posterior, atol=1e-10)
    with pytest.raises(DataError, match="votes must be complete for statistic='size'"):
        curie_weiss(data, statistic="size")


def test_exact_counts_give_back_the_parameters():
    """The law's own frequencies, times a million, as data: the fit is the law."""
    truth = TwoClass(0.6, CurieWeiss(7, 0.4, -0.6), CurieWeiss(7, 1.2, 0.3))
    counts = np.round(1e8 * np.exp(truth.log_probability(patterns(7)))).astype(np.int64)
    names = tuple("abcdefg")
    data = Sketch(names, ("0", "1"), ("0", "1"), patterns(7).astype(np.int16), counts)
    found = curie_weiss(data, ridge=1e-6, max_iter=5000, tol=1e-10)
    assert found.log_likelihood / 1e8 == pytest.approx(
        float(np.exp(truth.log_probability(patterns(7))) @ truth.log_probability(patterns(7))),
        abs=1e-6,
    )
    np.testing.assert_allclose(found.posterior[:, 1], truth.posterior(found.patterns), atol=0.02)


def test_refusals():
    _, votes = theorem_2(6).sample(50, 5)
    assert curie_weiss(sketch(votes[:, :4])).status is Status.NOT_IDENTIFIABLE
    with pytest.raises(DataError, match="statistic must be one of"):
        curie_weiss(sketch(votes), statistic="sign")
    fixed = curie_weiss(sketch(votes), prevalence=[0.3, 0.7])
    assert fixed.evaluation.prevalence.tolist() == pytest.approx([0.3, 0.7])
