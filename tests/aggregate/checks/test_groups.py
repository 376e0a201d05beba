"""Near copies: the group named, independent judges left alone, every formula a second way."""

from itertools import permutations

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import group_weights, one_of_each, score
from algeval.aggregate.checks import groups as tetrads
from algeval.aggregate.checks.groups import JudgeGroups, Rule, judge_groups, search
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.result import Status

LETTERS = "abcdefghijkl"


def symmetric(accuracies, n_labels):
    accuracies = np.asarray(accuracies)[:, None, None]
    right = np.eye(n_labels)
    return right * accuracies + (1 - right) * (1 - accuracies) / (n_labels - 1)


def between(n, low, high):
    return lambda rng, labels: symmetric(rng.uniform(low, high, n), labels)


def of(*accuracies):
    return lambda rng, labels: symmetric(accuracies, labels)


def any_tables(n):
    def make(rng, labels):
        right = rng.uniform(0.2, 0.95, (n, labels, 1))
        return right * np.eye(labels) + (1 - right) * rng.dirichlet(
            np.full(labels, 0.7), (n, labels)
        )

    return make


def drawn(tables, n_items, rng, *, shares=None, missing=0.0, per_item=None):
    """Codes of independent judges, and the key."""
    n, labels, _ = tables.shape
    key = rng.choice(labels, n_items, p=shares)
    steps = np.cumsum(tables, axis=-1)[..., :-1]
    codes = (rng.random((n_items, n))[..., None] > steps[np.arange(n), key[:, None]]).sum(-1)
    codes[rng.random(codes.shape) < missing] = -1
    if per_item:
        codes[np.argsort(rng.random(codes.shape), axis=1) >= per_item] = -1
    return codes, key


def planted(n, copies, n_items, n_labels, noise, rng, *, base=0.75):
    """Votes of which the first `copies` judges are one judge, each with noise of its own."""
    accuracies = rng.uniform(0.65, 0.9, n)
    accuracies[0] = base
    codes, _ = drawn(symmetric(accuracies, n_labels), n_items, rng)
    other = (codes[:, :1] + rng.integers(1, n_labels, (n_items, copies))) % n_labels
    codes[:, :copies] = np.where(rng.random(other.shape) < noise, other, codes[:, :1])
    return codes


def named(n):
    return tuple(f"j{place:02d}" for place in range(n))


def votes_of(codes, n_labels, key=None):
    labels = tuple(LETTERS[:n_labels])
    items = tuple(map(str, range(len(codes))))
    key = None if key is None else key.astype(np.int16)
    return Votes(items, named(codes.shape[1]), labels, labels, codes.astype(np.int16), key)


def clones(seed, n_items=400, copies=3):
    """One judge of 65% copied with 3% noise, and two independent ones of 92%."""
    rng = np.random.default_rng(seed)
    codes, key = drawn(symmetric([0.65, *[0.92] * (copies + 1)], 2), n_items, rng)
    noise = rng.random((n_items, copies)) < 0.03
    codes[:, :copies] = np.where(noise, 1 - codes[:, :1], codes[:, :1])
    order = [*range(copies), copies, copies + 1]
    return votes_of(codes[:, order], 2, key)


# what it must find


@pytest.mark.parametrize("seed", range(6))
def test_the_copies_are_named_though_the_consensus_followed_them(seed):
    votes = clones(seed)
    found = judge_groups(votes)
    assert found.groups == (("j00", "j01", "j02"),)
    assert found.found[0].p_value == 0.01
    assert found.effective_judges == pytest.approx(3, abs=0.2)
    assert found.found[0].rivals == (("j03", "j04"),)
    led = score(ae.aggregate(votes, "dawid-skene"), votes).accuracy
    kept = score(ae.aggregate(one_of_each(votes, found.groups), "dawid-skene"), votes).accuracy
    assert led < 0.75
    assert kept >= 0.89


def power(n, copies, n_items, n_labels, noise, seeds):
    wanted = named(n)[:copies]
    exact = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        votes = votes_of(planted(n, copies, n_items, n_labels, noise, rng), n_labels)
        groups = judge_groups(votes, seed=seed).groups
        exact.append(groups[:1] == (wanted,))
    return float(np.mean(exact))


POWER = [
    (5, 2, 300, 4, 0.03, 0.8),
    (8, 3, 300, 4, 0.10, 0.8),
    (20, 3, 300, 2, 0.03, 0.8),
]


@pytest.mark.parametrize("case", POWER)
def test_copies_are_named_first(case):
    *design, at_least = case
    assert power(*design, 3) >= at_least - 0.2


@pytest.mark.slow
@pytest.mark.parametrize("case", POWER)
def test_power_over_50_exams(case):
    *design, at_least = case
    assert power(*design, 50) >= at_least


def test_two_groups_of_different_tightness_come_tightest_first():
    rng = np.random.default_rng(5)
    codes, _ = drawn(symmetric([0.75, 0.8, 0.7, 0.85, 0.8, 0.75, 0.7, 0.8], 2), 1500, rng)
    for copy, source, noise in ((5, 0, 0.10), (6, 1, 0.02), (7, 1, 0.02)):
        flipped = rng.random(1500) < noise
        codes[:, copy] = np.where(flipped, 1 - codes[:, source], codes[:, source])
    found = judge_groups(votes_of(codes, 2))
    assert found.groups == (("j01", "j06", "j07"), ("j00", "j05"))
    worth = [group.worth for group in found.found]
    assert worth == sorted(worth)
    assert found.effective_judges == pytest.approx(5, abs=0.5)


# what it must leave alone

NULL = {
    "five very unequal, 60 items": (of(0.95, 0.9, 0.8, 0.65, 0.55), 2, 60, {}),
    "four, 200 items": (between(4, 0.6, 0.95), 2, 200, {}),
    "eight, 3,000 items": (between(8, 0.55, 0.95), 2, 3000, {}),
    "six excellent": (between(6, 0.95, 0.99), 2, 500, {}),
    "six excellent, 4 labels, 60 items": (between(6, 0.95, 0.99), 4, 60, {}),
    "prevalence .05": (of(*[0.9] * 7), 2, 300, {"shares": [0.95, 0.05]}),
    "own rates for each label": (any_tables(12), 2, 1000, {"shares": [0.3, 0.7]}),
    "any tables, 5 unequal labels": (
        any_tables(8),
        5,
        1000,
        {"shares": [0.5, 0.2, 0.15, 0.1, 0.05]},
    ),
    "any tables, 10 labels": (any_tables(8), 10, 600, {}),
    "twenty, 100 items, 40% missing": (between(20, 0.55, 0.95), 2, 100, {"missing": 0.4}),
    "thirty, 6 votes an item": (between(30, 0.55, 0.95), 2, 400, {"per_item": 6}),
}


def false_groups(design, exams):
    make, n_labels, n_items, more = NULL[design]
    found = 0
    for seed in range(exams):
        rng = np.random.default_rng(seed + 1000)
        codes, _ = drawn(make(rng, n_labels), n_items, rng, **more)
        found += bool(judge_groups(votes_of(codes, n_labels), seed=seed).groups)
    return found


@pytest.mark.parametrize("design", NULL)
def test_independent_judges_have_no_group(design):
    assert false_groups(design, 6) <= 1  # 2 or more of 6 at 5%: a chance of 3%; seeds are fixed


@pytest.mark.slow
@pytest.mark.parametrize("design", NULL)
def test_false_groups_over_200_exams(design):
    assert false_groups(design, 200) <= 10


def test_errors_shared_mildly_by_all_make_few_effective_judges_and_no_group():
    rng = np.random.default_rng(2)
    key, hard = rng.integers(0, 2, 2000), rng.normal(0, 1, (2000, 1))
    right = rng.random((2000, 15)) < 1 / (1 + np.exp(-(1 + 1.5 * hard)))
    found = judge_groups(votes_of(np.where(right, key[:, None], 1 - key[:, None]), 2))
    assert found.groups == ()
    assert found.effective_judges < 9


def test_two_poor_judges_who_err_together_do_not_make_the_good_ones_a_group():
    """The tetrads are the same; far milder dependence of the two explains them."""
    rng = np.random.default_rng(3)
    codes, _ = drawn(symmetric([0.92] * 6 + [0.55, 0.55], 2), 3000, rng)
    same = rng.random(3000) < 0.25
    codes[:, 7] = np.where(same, codes[:, 6], codes[:, 7])
    assert judge_groups(votes_of(codes, 2)).groups in ((), (("j06", "j07"),))


# edges


def test_identical_judges_are_a_group_and_count_as_one():
    codes = planted(6, 2, 300, 3, 0.0, np.random.default_rng(1))
    found = judge_groups(votes_of(codes, 3))
    assert found.groups == (("j00", "j01"),)
    assert found.found[0].agreement == 1
    assert found.found[0].worth == pytest.approx(1)
    assert found.effective_judges == pytest.approx(5, abs=0.4)


def test_judges_who_all_answer_alike_leave_it_open():
    found = judge_groups(Votes.from_columns(dict.fromkeys("wxyz", "ab" * 60)))
    assert found.groups == ()
    assert "w, x gave the same answer on all 120 common items" in found.summary()


def test_a_judge_of_one_answer_is_left_out_and_said_so():
    codes = planted(6, 2, 300, 2, 0.03, np.random.default_rng(2))
    codes[:, 5] = 0
    found = judge_groups(votes_of(codes, 2))
    assert found.groups == (("j00", "j01"),)
    assert found.left_out == ("j05",)
    assert found.effective_judges < 4.1
    assert "j05 always gave one answer" in found.summary()


@pytest.mark.parametrize(
    ("n", "status", "told"),
    [
        (1, Status.NOT_IDENTIFIABLE, "1 judge answered"),
        (2, Status.NOT_IDENTIFIABLE, "there must be at least four"),
        (3, Status.UNDETERMINED, "of three, one label explains any agreement"),
    ],
)
def test_too_few_judges_are_a_status(n, status, told):
    found = judge_groups(votes_of(planted(4, 2, 100, 2, 0.03, np.random.default_rng(0))[:, :n], 2))
    assert found.status is status
    assert told in found.message
    assert found.groups == ()
    assert np.isnan(found.effective_judges)


def test_pairs_with_few_common_items_are_not_tested_and_that_is_said():
    codes = planted(6, 2, 300, 2, 0.03, np.random.default_rng(4))
    codes[:150, 0] = codes[150:, 1] = -1
    found = judge_groups(votes_of(codes, 2))
    assert found.groups == ()
    assert found.n_untested == 1
    assert "1 of 15 pairs share fewer than 20 items" in found.summary()


def test_copies_are_found_among_votes_left_out():
    rng = np.random.default_rng(6)
    codes = planted(10, 2, 600, 2, 0.03, rng)
    codes[rng.random(codes.shape) < 0.4] = -1
    assert judge_groups(votes_of(codes, 2)).groups == (("j00", "j01"),)


def test_a_key_and_the_kind_of_data_change_nothing():
    votes = clones(0)
    first = judge_groups(votes).to_dict()
    for other in (votes.without_key(), votes.sketch(), votes.keyed_sketch()):
        assert judge_groups(other).to_dict() == first


def test_order_of_judges_items_and_labels_does_not_matter():
    votes = clones(1)
    first = judge_groups(votes)
    rng = np.random.default_rng(0)
    other = votes.select(judges=[votes.judges[p] for p in (4, 1, 3, 0, 2)])
    shuffled = other.select(items=[votes.items[p] for p in rng.permutation(votes.n_items)])
    swapped = Votes(
        shuffled.items, shuffled.judges, ("b", "a"), ("b", "a"), 1 - shuffled.codes, None
    )
    again = judge_groups(swapped)
    assert [set(group) for group in again.groups] == [set(group) for group in first.groups]
    assert again.found[0].p_value == first.found[0].p_value
    assert again.found[0].worth == pytest.approx(first.found[0].worth, abs=1e-6)
    assert again.effective_judges == pytest.approx(first.effective_judges, abs=1e-3)
    assert again.groups == (("j01", "j00", "j02"),)  # a group's judges keep the order of the data


def test_it_comes_back_from_json():
    for found in (judge_groups(clones(2)), judge_groups(clones(2).select(judges=["j00", "j01"]))):
        assert JudgeGroups.from_dict(found.to_dict()).to_dict() == found.to_dict()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"level": 0}, "level must be between 0 and 1"),
        ({"closeness": 1}, "closeness must be between 0 and 1"),
        ({"min_common": 1}, "min_common must be a whole number of at least 2"),
        ({"replicates": 0}, "replicates must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
    ],
)
def test_settings_out_of_range(setting, told):
    with pytest.raises(DataError, match=told):
        judge_groups(clones(0), **setting)


# one judge of each, weights


def test_one_of_each_keeps_the_judge_with_most_answers_then_the_most_central():
    codes = planted(5, 3, 400, 2, 0.03, np.random.default_rng(8))
    rng = np.random.default_rng(9)
    codes[:, 2] = np.where(rng.random(400) < 0.2, 1 - codes[:, 2], codes[:, 2])
    votes = votes_of(codes, 2)
    assert "j02" not in one_of_each(votes, [("j01", "j02")]).judges
    codes[0, 1] = -1
    fewer = one_of_each(votes_of(codes, 2), [("j01", "j02")])
    assert fewer.judges == ("j00", "j02", "j03", "j04")
    assert isinstance(fewer, Votes)
    kept = one_of_each(votes_of(codes, 2).sketch(), [("j01", "j02")])
    assert isinstance(kept, Sketch)
    assert kept == fewer.sketch()
    assert one_of_each(votes, []).judges == votes.judges


def test_among_equals_the_first_named_stays():
    votes = Votes.from_columns({"y": "aabb", "x": "aabb", "z": "abab"})
    assert one_of_each(votes, [("x", "y")]).judges == ("y", "z")


def test_weights_of_a_group_sum_to_one():
    weights = group_weights(named(5), [("j01", "j04"), ("j00",)])
    np.testing.assert_array_equal(weights, [1, 0.5, 1, 1, 0.5])


def test_groups_must_be_of_known_judges_and_apart():
    with pytest.raises(DataError, match="groups must not share a judge; got 'j' twice"):
        group_weights(["i", "j", "k"], [("i", "j"), ("j", "k")])
    with pytest.raises(DataError, match="judge 'x' is not known"):
        group_weights(["i", "j"], [("i", "x")])


# every formula a second way


def alike(codes, n_answers, weights=None):
    weights = np.ones(len(codes)) if weights is None else weights
    return tetrads.alike(codes.astype(np.int16), weights, n_answers, 20)


def test_the_correlation_of_two_answers_is_pearsons():
    codes = planted(5, 2, 200, 2, 0.1, np.random.default_rng(0))
    found = alike(codes, 2)
    expected = np.corrcoef(codes.T) - np.eye(5)
    np.testing.assert_allclose(found.together, expected, atol=1e-5)
    same = (codes[:, :, None] == codes[:, None]).mean(0)
    np.testing.assert_allclose(found.same, same, atol=1e-6)


def test_rows_counted_several_times_are_rows_repeated():
    codes = planted(5, 2, 60, 3, 0.1, np.random.default_rng(0))
    weights = np.random.default_rng(1).integers(1, 5, 60)
    once = alike(codes, 3, weights.astype(float))
    often = alike(np.repeat(codes, weights, axis=0), 3)
    np.testing.assert_allclose(once.together, often.together, atol=1e-5)
    groups = [(0, 1), (0, 1, 2)]
    values = np.array([0.1, 0.2])
    np.testing.assert_allclose(
        tetrads.z_of(once, groups, values), tetrads.z_of(often, groups, values), rtol=1e-4
    )


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_tetrads_are_those_of_every_four_judges(missing):
    rng = np.random.default_rng(3)
    codes = planted(7, 3, 90, 3, 0.1, rng)
    if missing:
        codes[rng.random(codes.shape) < missing] = -1
        codes[:45, 2] = codes[45:, 5] = -1
    found = alike(codes, 3)
    assert (found.tested.sum() < 42) == bool(missing)
    r, tested = found.together, found.tested
    for group in [(0, 1), (0, 1, 2), (2, 4, 5), (1, 2, 3, 4, 5)]:
        outside = [place for place in range(7) if place not in group]
        fours = [
            (a, b, c, d)
            for a, b in permutations(group, 2)
            for c, d in permutations(outside, 2)
            if tested[a, b] and tested[c, d] and tested[a, c] and tested[b, d]
        ]
        pairs = [(a, b) for a, b in permutations(group, 2) if tested[a, b]]
        within = np.mean([r[pair] for pair in pairs])
        expected = sum(r[a, c] * r[b, d] for a, b, c, d in fours) / sum(
            r[c, d] for _, _, c, d in fours
        )
        tetrad = np.mean([r[a, b] * r[c, d] - r[a, c] * r[b, d] for a, b, c, d in fours])
        one = tetrads.measured(found, group, tuple(outside))
        assert one.within == pytest.approx(within)
        assert one.expected == pytest.approx(np.clip(expected, 0, 1))
        assert one.tetrad == pytest.approx(tetrad)
        assert tetrads.measured_all(found, [group])[0] == pytest.approx(one)


def test_a_pair_has_the_residual_of_a_group_of_two():
    found = alike(planted(6, 2, 300, 2, 0.1, np.random.default_rng(4)), 2)
    residuals = tetrads._pair_residuals(found)
    for pair in [(0, 1), (2, 5)]:
        outside = tuple(place for place in range(6) if place not in pair)
        assert residuals[pair] == pytest.approx(tetrads.measured(found, pair, outside).residual)


def test_the_standard_error_is_that_of_exams_drawn_again():
    rng = np.random.default_rng(6)
    group, outside = (0, 1), (2, 3, 4, 5)
    tables = symmetric([0.8, 0.75, 0.85, 0.7, 0.9, 0.8], 2)
    taken, errors = [], []
    for _ in range(300):
        found = alike(drawn(tables, 400, rng)[0], 2)
        taken.append(tetrads.measured(found, group, outside).tetrad)
        errors.append(1 / tetrads.z_of(found, [group], np.array([1.0]))[0])
    assert np.mean(errors) == pytest.approx(np.std(taken), rel=0.2)


def test_one_label_gives_the_correlation_expected_of_independent_judges():
    codes, _ = drawn(symmetric([0.9, 0.8, 0.7, 0.85, 0.75], 2), 200_000, np.random.default_rng(7))
    found = alike(codes, 2)
    one = tetrads.measured(found, (0, 1), (2, 3, 4))
    assert one.expected == pytest.approx(0.8 * 0.6, abs=0.02)
    assert one.residual == pytest.approx(0, abs=0.03)


def test_a_group_is_worth_one_judge_where_it_shares_all_and_all_where_nothing():
    made = tetrads.Counted(within=0.5, expected=0.0, residual=1.0, tetrad=0.1)
    assert made.worth(4) == 1
    assert made._replace(residual=0.0).worth(4) == 4
    assert made._replace(residual=0.5).worth(3) == pytest.approx(1.5)


def test_a_search_grows_a_group_and_keeps_its_largest_p_value():
    codes = planted(9, 5, 500, 2, 0.05, np.random.default_rng(10))
    rule = Rule(level=0.05, closeness=0.5, min_common=20, replicates=39, seed=0)
    ended = search(votes_of(codes, 2).sketch(), rule)
    assert [one.members for one in ended.groups] == [(0, 1, 2, 3, 4)]
    assert ended.groups[0].p_value <= 0.05
    assert len(ended.panel.units) == 5


def test_independent_judges_are_not_counted_for_less_because_items_are_few():
    """60 independent judges, 10 labels: 25 items said 5.0, 300 said 47."""

    def drawn(n_items, seed):
        rng = np.random.default_rng(seed)
        key = rng.integers(10, size=(n_items, 1))
        other = (key + rng.integers(1, 10, (n_items, 60))) % 10
        codes = np.where(rng.random((n_items, 60)) < 0.8, key, other).astype(np.int16)
        names = [f"c{r}" for r in range(10)]
        return Votes(range(n_items), range(60), names, names, codes, None)

    found = judge_groups(drawn(25, 0))
    assert found.effective_judges != found.effective_judges
    assert "so few items do not say" in found.summary()
    assert np.mean([judge_groups(drawn(300, seed)).effective_judges for seed in range(4)]) > 55
