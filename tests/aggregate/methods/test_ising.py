"""Ising aggregation: recovery, refusals, votes left out, settings, and paper 000's warnings."""

import json
from pathlib import Path

import numpy as np
import pytest

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.checks.quality import held_out, log_probability
from algeval.aggregate.methods.ising import (
    fitted_law,
    fitted_rule,
    ising,
    ising_class_dependent,
    ising_pseudolikelihood_study,
    pseudo_log_likelihood,
)
from algeval.data import Sketch, Votes
from algeval.errors import DataError, TooLargeError
from algeval.models.binary import TwoClass, patterns
from algeval.models.ising import Ising
from algeval.result import Status


def sketch(votes, counts=None):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    ones = np.ones(len(votes), int) if counts is None else counts
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), ones)


def shared_truth(k=6, strength=1.2):
    """Two blocks of judges that copy each other, whatever the label."""
    W = np.zeros((k, k))
    W[:3, :3] = strength
    np.fill_diagonal(W, 0)
    return TwoClass(0.5, Ising(-1.0 - W.sum(1) / 2, W), Ising(1.0 - W.sum(1) / 2, W))


def class_dependent_truth(seed, k=6):
    """W ~ N(0, .7^2) per class, pi = .5; Bayes about .866 and majority .82 on average."""
    rng = np.random.default_rng(seed)

    def law(side):
        upper = np.triu(rng.normal(0, 0.7, (k, k)), 1)
        W = upper + upper.T
        return Ising(side * 0.8 * (0.6 + 0.8 * rng.random(k)) - W.sum(axis=1) / 2, W)

    return TwoClass(0.5, law(-1), law(1))


def population_accuracy(truth, result):
    return 1 - truth.risk(result.predict(sketch(patterns(truth.n_judges)))[:, 1] >= 0.5)


def test_recovers_shared_couplings_and_their_posteriors():
    truth = shared_truth()
    _, votes = truth.sample(40_000, 1)
    found = ising(sketch(votes), ridge=3)
    assert found.status.ok
    W = np.array(found.parameters["couplings"])[0]
    assert abs(W - truth.negative.couplings).max() < 0.35
    everything = patterns(6)
    gap = found.predict(sketch(everything))[:, 1] - truth.posterior(everything)
    weight = np.exp(truth.log_probability(everything))
    assert weight @ abs(gap) < 0.03
    assert population_accuracy(truth, found) > 1 - truth.bayes_risk() - 0.005
    np.testing.assert_allclose(found.evaluation.confusion.sum(axis=2), 1)


def test_with_a_huge_ridge_it_is_dawid_skene():
    _, votes = shared_truth().sample(3000, 2)
    data = sketch(votes)
    free = aggregate(data, "dawid-skene", tol=1e-10)
    tight = ising(data, ridge=1e8, field_ridge=1e-8, tol=1e-8)
    np.testing.assert_allclose(tight.posterior, free.posterior, atol=2e-4)
    assert tight.log_likelihood == pytest.approx(free.log_likelihood, abs=1e-3)


def test_closed_form_rule_decides_like_the_posterior():
    _, votes = shared_truth().sample(2000, 3)
    shared = ising(sketch(votes))
    rule = fitted_rule(shared)
    assert rule.is_linear
    np.testing.assert_allclose(rule.linear, shared.parameters["linear"])
    np.testing.assert_allclose(
        rule.log_odds(patterns(6)), fitted_law(shared).log_odds(patterns(6)), atol=1e-10
    )
    split = ising_class_dependent(sketch(votes))
    assert not fitted_rule(split).is_linear
    with pytest.raises(DataError, match="must be a fit of an Ising method"):
        fitted_law(aggregate(sketch(votes), "majority"))


def test_json_round_trip_predicts_the_same():
    _, votes = shared_truth().sample(1000, 4)
    names = {f"j{j}": column.astype(str).tolist() for j, column in enumerate(votes.T)}
    data = Votes.from_columns(names)
    found = ising(data)
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(data), found.posterior_items, atol=1e-12)
    assert again.settings == found.settings
    assert found.settings == {
        "ridge": 10.0,
        "field_ridge": 0.1,
        "prevalence": "free",
        "n_starts": 5,
        "seed": 0,
        "max_iter": 2000,
        "tol": 1e-6,
    }
    assert len(found.parameters["start_heights"]) == 5
    assert max(found.parameters["start_heights"]) == found.parameters["penalised_log_likelihood"]


def test_renaming_labels_and_judges_commutes():
    _, votes = shared_truth().sample(1500, 5)
    first = ising(sketch(votes), n_starts=1)
    flipped = ising(sketch(1 - votes), n_starts=1)
    by_row = {
        tuple(row): p for row, p in zip(flipped.patterns.tolist(), flipped.posterior, strict=True)
    }
    turned = np.array([by_row[tuple(1 - v for v in row)] for row in first.patterns.tolist()])
    np.testing.assert_allclose(turned[:, ::-1], first.posterior, atol=1e-3)
    order = [5, 4, 3, 2, 1, 0]
    moved = ising(sketch(votes[:, order]), n_starts=1)
    by_row = {
        tuple(row): p for row, p in zip(moved.patterns.tolist(), moved.posterior, strict=True)
    }
    again = np.array([by_row[tuple(row[j] for j in order)] for row in first.patterns.tolist()])
    np.testing.assert_allclose(again, first.posterior, atol=1e-3)


def test_votes_left_out_at_random_change_little():
    truth = shared_truth()
    rng = np.random.default_rng(6)
    _, votes = truth.sample(20_000, rng)
    holes = np.where(rng.random(votes.shape) < 0.1, -1, votes)
    found = ising(sketch(holes), ridge=3, n_starts=1)
    assert abs(np.array(found.parameters["couplings"])[0] - truth.negative.couplings).max() < 0.5
    assert any("votes are missing" in warning for warning in found.warnings)
    assert population_accuracy(truth, found) > 1 - truth.bayes_risk() - 0.01


def test_an_item_nobody_answered_keeps_the_prevalence():
    _, votes = shared_truth(k=12).sample(400, 6)
    empty = np.full((1, 12), -1)
    found = ising(sketch(np.concatenate([votes, empty])), n_starts=1)
    without = ising(sketch(votes), n_starts=1)
    place = (found.patterns == -1).all(axis=1)
    np.testing.assert_allclose(found.posterior[place][0], found.evaluation.prevalence, atol=1e-12)
    np.testing.assert_allclose(found.posterior[~place], without.posterior, atol=1e-9)
    assert found.log_likelihood == pytest.approx(without.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(
        found.predict(sketch(empty))[0], found.evaluation.prevalence, atol=1e-9
    )


def test_prevalence_fixed_free_and_with_a_prior():
    truth = TwoClass(0.2, shared_truth().negative, shared_truth().positive)
    _, votes = truth.sample(3000, 7)
    fixed = ising(sketch(votes), prevalence=[0.8, 0.2], n_starts=1)
    assert fixed.evaluation.prevalence.tolist() == pytest.approx([0.8, 0.2])
    prior = ising(sketch(votes), prevalence=("prior", [8e5, 2e5]), n_starts=1)
    assert prior.evaluation.prevalence[1] == pytest.approx(0.2, abs=1e-3)
    np.testing.assert_allclose(prior.posterior, fixed.posterior, atol=0.01)
    with pytest.raises(DataError, match="both labels a positive share"):
        ising(sketch(votes), prevalence=[1, 0])


def test_class_dependent_refused_below_five_and_warned_at_five():
    _, votes = shared_truth().sample(500, 8)
    refused = ising_class_dependent(sketch(votes[:, :4]))
    assert refused.status is Status.NOT_IDENTIFIABLE
    assert refused.evaluation is None
    assert (refused.posterior == 0.5).all()
    assert (refused.decisions == -1).all()
    assert "at least 5 judges; got 4" in refused.message
    five = ising_class_dependent(sketch(votes[:, :5]), n_starts=1)
    assert any("saturated" in warning for warning in five.warnings)
    assert any("standard error" in warning for warning in five.warnings)
    three = ising(sketch(votes[:, :3]))
    assert three.status is Status.NOT_IDENTIFIABLE
    assert any("saturated" in w for w in ising(sketch(votes[:, :4]), n_starts=1).warnings)


def test_stopped_early_says_so():
    _, votes = shared_truth().sample(500, 9)
    found = ising(sketch(votes), max_iter=2, n_starts=1)
    assert found.status is Status.NOT_CONVERGED
    assert "stopped before it settled" in found.message


def test_refusals():
    with pytest.raises(TooLargeError, match="at most 2,097,152 ways in all"):
        ising(sketch(np.concatenate([np.eye(23) * 2 - 1, patterns(5).repeat(5, axis=1)[:, :23]])))
    with pytest.raises(DataError, match="exactly two answers"):
        ising(Sketch.from_counts({"aaaa": 1, "bbbc": 2}))
    data = sketch(patterns(6))
    with pytest.raises(DataError, match="ridge must be at least 0"):
        ising(data, ridge=-1)
    with pytest.raises(DataError, match="field_ridge must be above 0"):
        ising(data, field_ridge=0)
    with pytest.raises(DataError, match="n_starts must be a whole number"):
        ising(data, n_starts=0)


def test_cross_validated_ridge_is_one_of_the_grid():
    _, votes = shared_truth(strength=0.0).sample(600, 10)
    found = ising(sketch(votes), ridge="cv", n_starts=1)
    assert found.parameters["ridge"] == 30.0
    assert set(found.parameters["held_out_log_likelihood"]) == {"3", "10", "30"}


def test_class_dependent_beats_independence_on_class_dependent_votes():
    """A small version of the simulation: one population, n = 20,000."""
    truth = class_dependent_truth(3)
    _, votes = truth.sample(20_000, 11)
    data = sketch(votes)
    bayes = 1 - truth.bayes_risk()
    found = population_accuracy(truth, ising_class_dependent(data, ridge=5, n_starts=2))
    independent = population_accuracy(truth, aggregate(data, "dawid-skene"))
    assert bayes - 0.015 <= found <= bayes
    assert independent < bayes - 0.05


@pytest.mark.slow
def test_simulation_of_twenty_populations():
    """Notes: exact EM .824 / .8445 / .860 at n = 500 / 2,500 / 20,000; Bayes .866, SE .01."""
    accuracy = {n: [] for n in (500, 2500, 20_000)}
    bayes, independent = [], []
    for seed in range(20):
        truth = class_dependent_truth(seed)
        bayes.append(1 - truth.bayes_risk())
        for n, seen in accuracy.items():
            _, votes = truth.sample(n, 1000 + seed)
            seen.append(population_accuracy(truth, ising_class_dependent(sketch(votes), ridge=3)))
        independent.append(population_accuracy(truth, aggregate(sketch(votes), "dawid-skene")))
    means = [np.mean(accuracy[n]) for n in (500, 2500, 20_000)]
    assert means[0] < means[1] < means[2]
    assert np.mean(bayes) - 0.015 < means[2] < np.mean(bayes)
    assert 0.76 < np.mean(independent) < 0.82
    assert means[0] > 0.77


def test_pseudo_likelihood_is_not_normalised_and_its_em_collapses():
    truth = class_dependent_truth(3)
    law = truth.positive
    total = np.exp(
        pseudo_log_likelihood(law.fields, law.couplings, patterns(6).astype(float))
    ).sum()
    assert total > 1.2
    flat = np.exp(pseudo_log_likelihood(law.fields, 0 * law.couplings, patterns(6).astype(float)))
    assert flat.sum() == pytest.approx(1, abs=1e-12)
    _, votes = truth.sample(20_000, 12)
    data = sketch(votes)
    surrogate = ising_pseudolikelihood_study(data, ridge=1.0)
    exact = ising_pseudolikelihood_study(data, ridge=1.0, e_step="exact")
    bayes = 1 - truth.bayes_risk()
    assert population_accuracy(truth, surrogate) < bayes - 0.15
    assert population_accuracy(truth, exact) > bayes - 0.02
    assert any("study only" in warning for warning in surrogate.warnings)
    with pytest.raises(DataError, match="votes must be complete"):
        ising_pseudolikelihood_study(sketch(np.where(votes[:50] == 1, 1, -1)))


def test_held_out_likelihood_finds_the_couplings():
    W = np.zeros((6, 6))
    for i, j in ((0, 1), (2, 3), (4, 5)):
        W[i, j] = W[j, i] = 1.5
    truth = TwoClass(0.5, Ising(np.full(6, -1.8), W), Ising(1.3 - W.sum(1), W))
    _, votes = truth.sample(3000, 13)
    found = held_out(sketch(votes), folds=3, settings={"ising": {"n_starts": 1}})
    assert found.z[1, 0] > 5
    assert found.z[0, 1] == -found.z[1, 0]
    assert "ising predicts unseen votes best" in found.message
    fitted = ising(sketch(votes), n_starts=1)
    assert np.exp(log_probability(fitted, patterns(6))).sum() == pytest.approx(1, abs=1e-10)
    with pytest.raises(DataError, match="'glad' has none"):
        held_out(sketch(votes), ["glad"])


def test_more_than_the_independent_posterior_it_knows_what_it_does_not_know():
    """Real LLM judges: the posterior's log loss is far below Dawid and Skene's."""
    path = Path(__file__).parents[3] / "../shared/data/civilcomments_judge_scores.csv"
    if not path.exists():
        pytest.skip("real votes are not here")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)[:, 1:]
    scores, gold = table[:, :-1], table[:, -1].astype(int)
    places = np.random.default_rng(0).choice(scores.shape[1], 12, replace=False)
    chosen = scores[:, places]
    codes = np.where(np.isnan(chosen), -1, chosen >= 4.5)
    data = sketch(codes)
    losses, right = {}, {}
    for method in ("ising", "dawid-skene"):
        settings = {"n_starts": 1} if method == "ising" else {}
        posterior = aggregate(data, method, **settings).predict(
            Votes(
                tuple(map(str, range(len(codes)))),
                data.judges,
                data.labels,
                data.answers,
                codes.astype(np.int16),
            )
        )
        chance = posterior[np.arange(len(gold)), gold]
        losses[method] = -np.log(np.clip(chance, 1e-15, 1)).mean()
        right[method] = (posterior.argmax(axis=1) == gold).mean()
    assert losses["ising"] < 0.6 * losses["dawid-skene"]
    assert right["ising"] > 0.7
