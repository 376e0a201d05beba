"""Every method on small random votes with every oddity: what no result may ever break."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from algeval.aggregate import METHODS, Aggregation, aggregate, held_out
from algeval.aggregate.checks.quality import log_probability
from algeval.aggregate.em import fitted_law as independent_law
from algeval.aggregate.methods.ising import fitted_law
from algeval.aggregate.registry import method, predictor, settings_of
from algeval.aggregate.results import decide
from algeval.data import Votes
from algeval.errors import AlgevalError, DataError
from algeval.result import Status

OF_VOTES = METHODS
TWO_LABELS = {name for name, record in OF_VOTES.items() if record.labels == "two"}
SLOW = {
    "factor": {"n_starts": 1},
    "ising": {"n_starts": 1},
    "ising-class-dependent": {"n_starts": 1},
}
TRIES = dict.fromkeys(OF_VOTES, 25) | dict.fromkeys(TWO_LABELS, 6) | {"triplets": 60}
ALLOWED = {
    Status.OK,
    Status.NOT_CONVERGED,
    Status.NOT_IDENTIFIABLE,
    Status.OUT_OF_RANGE,
}


def odd_votes(seed, two_labels):
    """Random votes with answers left out, constant, copied and silent judges, silent items."""
    rng = np.random.default_rng(seed)
    n_labels = 2 if two_labels else int(rng.choice([2, 3, 5]))
    extra = 0 if two_labels else int(rng.choice([0, 0, 2]))
    n_answers, n_judges = n_labels + extra, int(rng.integers(1, 7))
    n_items = int(rng.choice([1, 2, 3, 5, 10, 40]))
    truth = rng.integers(0, n_labels, n_items)
    guess = rng.integers(0, n_answers, (n_items, n_judges))
    known = rng.random(guess.shape) < rng.uniform(0, 1, n_judges)
    codes = np.where(known, truth[:, None], guess).astype(np.int16)
    one, other = rng.integers(n_judges, size=2)
    odd = rng.random(7) < [0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.05]
    if odd[0]:
        codes[rng.random(codes.shape) < rng.choice([0.1, 0.5, 0.9])] = -1
    if odd[1]:
        codes[:, one] = rng.integers(n_answers)
    if odd[2]:
        codes[:, one] = codes[:, other]
    if odd[3]:
        codes[:, other] = -1
    if odd[4]:
        codes[rng.integers(n_items)] = -1
    if odd[5]:
        codes[:] = codes[0]
    if odd[6]:
        codes[:] = -1
    return votes_of(codes, n_labels, extra, rng.integers(-1, n_labels, n_items))


def votes_of(codes, n_labels, extra=0, key=None):
    labels = tuple("abcde"[:n_labels])
    names = [f"i{place}" for place in range(len(codes))], [f"j{k}" for k in range(codes.shape[1])]
    return Votes(*names, labels, labels + ("refused", "unread")[:extra], codes, key)


def check(votes, method, found):
    assert found.status in ALLOWED
    assert np.isfinite(found.posterior).all()
    assert (found.posterior >= 0).all()
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1, atol=1e-9)
    np.testing.assert_array_equal(decide(found.posterior), found.decisions)
    if found.log_likelihood is not None:
        assert -np.inf < found.log_likelihood <= 1e-9
    if len(found.trace) > 1 and method != "ising-pseudolikelihood-study":
        assert np.diff(found.trace).min() >= -1e-9 * max(1.0, np.abs(found.trace).max())
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    assert again.to_dict() == found.to_dict()
    assert found.summary() == again.summary()
    if found.evaluation is None:
        assert (found.decisions == -1).all()
        return
    told = found.predict(votes)
    np.testing.assert_array_equal(again.predict(votes), told)
    if found.status is Status.OK and method != "ising-pseudolikelihood-study":
        np.testing.assert_allclose(told, found.posterior_items, atol=1e-4)


@pytest.mark.parametrize("method", sorted(OF_VOTES))
def test_odd_votes_break_no_promise(method):
    fitted = 0
    for seed in range(TRIES[method]):
        votes = odd_votes(seed, method in TWO_LABELS)
        settings = SLOW.get(method, {})
        try:
            found = aggregate(votes, method, **settings)
        except AlgevalError as error:
            assert "must" in str(error)  # noqa: PT017
            continue
        check(votes, method, found)
        blind = aggregate(votes.without_key(), method, **settings)
        np.testing.assert_array_equal(blind.posterior, found.posterior)
        fitted += found.evaluation is not None
    assert fitted > 0


@pytest.mark.parametrize("method", sorted(set(OF_VOTES) - {"ising-pseudolikelihood-study"}))
def test_the_order_of_judges_and_labels_does_not_matter(method):
    """On votes that tell the labels apart; where they do not, equal optima may come in any order."""
    n_labels = 2 if method in TWO_LABELS else 3
    rng = np.random.default_rng(11)
    truth = np.arange(90) % n_labels
    known = rng.random((90, 6)) < [0.9, 0.8, 0.7, 0.8, 0.6, 0.7]
    codes = np.where(known, truth[:, None], rng.integers(0, n_labels, known.shape))
    codes[rng.random(codes.shape) < 0.05] = -1
    votes = votes_of(codes, n_labels)
    first = aggregate(votes, method)
    turned = aggregate(votes.select(judges=votes.judges[::-1]), method)
    np.testing.assert_allclose(turned.posterior_items, first.posterior_items, atol=1e-3)
    labels = votes.labels[::-1]
    mirrored = np.where(codes < 0, -1, n_labels - 1 - codes)
    renamed = aggregate(Votes(votes.items, votes.judges, labels, labels, mirrored), method)
    np.testing.assert_allclose(renamed.posterior_items[:, ::-1], first.posterior_items, atol=1e-3)


@pytest.mark.parametrize(
    ("method", "enough"), [("triplets", 3), ("factor", 4), ("ising", 4), ("curie-weiss", 5)]
)
def test_a_judge_who_never_answered_does_not_make_a_model_identifiable(method, enough):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    codes = np.where(rng.random((60, enough)) < 0.8, truth[:, None], 1 - truth[:, None])
    assert aggregate(votes_of(codes, 2), method).status is not Status.NOT_IDENTIFIABLE
    codes[:, 0] = -1
    found = aggregate(votes_of(codes, 2), method)
    assert found.status is Status.NOT_IDENTIFIABLE
    assert (found.posterior == 0.5).all()


@pytest.mark.parametrize("method", sorted(set(OF_VOTES) - {"majority", "weighted-majority"}))
def test_votes_nobody_gave_are_refused(method):
    votes = votes_of(np.full((5, 6), -1), 2)
    if method == "ising-pseudolikelihood-study":
        with pytest.raises(AlgevalError, match="votes must be complete"):
            aggregate(votes, method)
    else:
        assert aggregate(votes, method).status is Status.NOT_IDENTIFIABLE


def test_triplets_whose_leading_direction_is_two_against_two_take_no_side():
    codes = np.array([[0, 0, 1, 1], [1, 1, 0, 0]] * 3)
    found = aggregate(votes_of(codes, 2), "triplets")
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "most of them on one side" in found.message


def test_triplets_survive_a_skew_beyond_any_prevalence():
    from algeval.aggregate.fitting import read_binary
    from algeval.aggregate.methods.tables import _lean

    binary = read_binary(votes_of(np.array([[0, 1, 1]]), 2), "free")
    assert [_lean(binary, skew) for skew in (1e300, -1e300)] == [-1 + 1e-12, 1 - 1e-12]
    assert _lean(binary, 0.0) == 0.0


@pytest.mark.parametrize("record", METHODS.values(), ids=METHODS)
def test_every_record_says_what_there_is_to_know(record):
    assert METHODS[record.name] is record
    assert record.assumes
    assert record.fewest >= 1
    assert (record.law is None) == bool(record.without_law)
    assert callable(method(record.name))
    assert callable(predictor(record.name))


def clear_votes(n_judges):
    """Judges of 60 items who are right 4 times in 5, independently."""
    rng = np.random.default_rng(8)
    truth = np.arange(60) % 2
    right = rng.random((60, n_judges)) < 0.8
    return votes_of(np.where(right, truth[:, None], 1 - truth[:, None]), 2)


@pytest.mark.parametrize("name", sorted(OF_VOTES))
def test_a_declared_law_sums_to_one_over_all_votes_and_no_law_is_refused_by_name(name):
    record = METHODS[name]
    votes = clear_votes(5)
    found = aggregate(votes, name)
    everything = np.stack(np.meshgrid(*[[0, 1]] * 5, indexing="ij"), -1).reshape(-1, 5)
    if record.law is None:
        with pytest.raises(DataError, match=f"method '{name}' holds none"):
            log_probability(found, everything)
        with pytest.raises(DataError, match=f"'{name}' has none"):
            held_out(votes, [name])
        return
    logs = log_probability(found, everything)
    assert np.exp(logs).sum() == pytest.approx(1, abs=1e-9)
    if record.law != "naive_bayes:fitted_law":
        rows = log_probability(found, found.patterns)
        assert found.counts @ rows == pytest.approx(found.log_likelihood, rel=1e-6)


@pytest.mark.parametrize("name", sorted(OF_VOTES))
def test_fewer_judges_than_the_record_says_are_refused_and_as_many_are_not(name):
    fewest = METHODS[name].fewest
    assert aggregate(clear_votes(fewest), name).evaluation is not None
    if fewest > 1:
        too_few = aggregate(clear_votes(fewest - 1), name)
        assert too_few.status is Status.NOT_IDENTIFIABLE


def test_b1_the_pseudolikelihood_study_is_scored_by_its_own_law():
    """It fell through two tables into the independent law of its evaluation."""
    votes = clear_votes(5)
    codes = np.concatenate([votes.codes, 1 - votes.codes[:20, ::-1], np.zeros((30, 5), int)])
    found = aggregate(votes_of(codes, 2), "ising-pseudolikelihood-study")
    own = fitted_law(found).log_probability(found.patterns)
    np.testing.assert_allclose(log_probability(found, found.patterns), own)
    pretended = independent_law(found).log_probability(found.patterns)
    assert np.abs(pretended - own).max() > 0.1


def test_a_method_that_is_not_in_the_table_is_scored_by_no_law():
    found = replace(aggregate(clear_votes(3), "dawid-skene"), method="homemade")
    with pytest.raises(DataError, match="method 'homemade' is not known"):
        log_probability(found, found.patterns)


@pytest.mark.parametrize("name", ["glad", "curie-weiss"])
def test_b4_a_seed_without_effect_says_so(name):
    votes = clear_votes(5)
    with pytest.warns(DeprecationWarning, match="seed has no effect on this method"):
        told = aggregate(votes, name, seed=3)
    np.testing.assert_array_equal(told.posterior, aggregate(votes, name).posterior)


def test_every_setting_of_every_method_is_told_to_the_user():
    for name in METHODS:
        text = method(name).__doc__
        section = method("ising").__doc__ if name == "ising-class-dependent" else text
        assert [s for s in settings_of(name) if not re.search(rf"\b{s}\b", section)] == []
