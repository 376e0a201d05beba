"""What judges share: planted confounders are found, none is where there is none, no key is read."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

import algeval as ae
from algeval.aggregate.scores.confounders import (
    Confounders,
    FactorCount,
    SharedFactors,
    confounders,
)
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

DATA = Path(__file__).parents[3] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")
QUALITY = np.array([0.8, 0.8, 0.75, 0.7, 0.65, 0.3, 0.2, 0.2])
LENGTH = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.7, 0.75, 0.8])


def panel(n_items=800, seed=0, *, length=LENGTH, missing=0.0, key=None):
    """Judges who all follow a quality, and some a length, which is an attribute."""
    rng = np.random.default_rng(seed)
    quality, longer = rng.normal(size=(2, n_items))
    noise = np.sqrt(1 - QUALITY**2 - length**2)
    values = np.outer(quality, QUALITY) + np.outer(longer, length)
    values += rng.normal(size=values.shape) * noise
    values[rng.random(values.shape) < missing] = np.nan
    known = {"length": np.exp(longer).tolist(), "luck": rng.normal(size=n_items).tolist()}
    known["name"] = ["x"] * n_items
    judges = [f"j{k}" for k in range(8)]
    return Scores(range(n_items), judges, values, key, known)


@pytest.fixture(scope="module")
def planted():
    return confounders(panel(missing=0.02))


def test_a_planted_confounder_is_found_and_nobody_calls_it_quality(planted):
    assert planted.status is Status.OK
    assert planted.more_than_one
    assert planted.shared.k == 2
    assert planted.shared.gain > 5 * planted.shared.error
    assert planted.named("factor 2").attribute == "length"
    assert abs(planted.of("factor 1")[0].correlation) < 0.2
    assert "The 8 judges share more than one thing: two factors predict" in planted.message
    assert "The narrower one goes most with length (+0." in planted.message
    assert planted.message.endswith("nothing here says which is quality.")
    np.testing.assert_allclose(planted.turned[:, 0], QUALITY, atol=0.15)
    np.testing.assert_allclose(planted.turned[:, 1], LENGTH, atol=0.2)
    assert any("name" in note for note in planted.warnings)


def test_correlations_are_those_of_ranks_and_all_are_counted(planted):
    scores = panel(missing=0.02)
    by_name = {(one.attribute, one.name): one for one in planted.associations}
    assert len(planted.associations) == len(by_name) == 2 * (1 + 2 + 8)
    length = np.array(scores.attributes["length"], float)
    for j, judge in enumerate(scores.judges):
        told = by_name["length", judge]
        known = ~np.isnan(scores.values[:, j])
        assert told.n_items == known.sum()
        assert told.correlation == pytest.approx(
            spearmanr(length[known], scores.values[known, j])[0], abs=1e-12
        )
    sizes = [abs(one.correlation) for one in planted.associations]
    assert sizes == sorted(sizes, reverse=True)
    assert "22 were looked at" in planted.summary()
    one = by_name["length", "one factor"]
    assert one.correlation == pytest.approx(spearmanr(length, planted.traits[:, 0])[0], abs=1e-12)


def test_alternatives_are_what_the_method_itself_says(planted):
    scores = panel(missing=0.02)
    plain = ae.aggregate(scores, "factor")
    acts = {shift.act: (k, shift) for k, shift in enumerate(planted.alternatives, 1)}
    assert list(acts) == ["rotate='varimax'", "discount='length'", "average", "median"]
    assert planted.acts == ("one factor", *acts)
    for act, other in {
        "rotate='varimax'": ae.aggregate(scores, "factor", rotate="varimax"),
        "discount='length'": ae.aggregate(scores, "factor", discount="length"),
        "average": ae.aggregate(scores, "average"),
        "median": ae.aggregate(scores, "median"),
    }.items():
        place, shift = acts[act]
        np.testing.assert_allclose(planted.traits[:, place], other.item_traits, atol=1e-6)
        apart = np.corrcoef(plain.item_traits, other.item_traits)[0, 1]
        assert shift.correlation == pytest.approx(apart, abs=1e-6)
        assert shift.flipped == np.mean(plain.decisions != other.decisions)
        assert shift.asserts
    np.testing.assert_array_equal(planted.traits[:, 0], plain.item_traits)
    np.testing.assert_array_equal(planted.decisions[:, 0], plain.decisions)


def test_where_there_is_one_trait_no_second_is_said_to_be():
    found = confounders(panel(length=np.zeros(8)))
    assert not found.more_than_one
    assert "Nothing shows that the 8 judges share more than one thing" in found.message
    assert "None of 2 attributes goes with what they share beyond chance" in found.message
    assert found.message.endswith("nothing here says whether that is quality.")


@pytest.mark.parametrize("panels", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_of_panels_with_one_trait_few_seem_to_have_two(panels):
    """Size: at most some 5% of panels with one trait; measured 0 of 200."""
    seem = 0
    for seed in range(panels):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(150, 1)) * QUALITY[:5] + 0.7 * rng.normal(size=(150, 5))
        factors = SharedFactors.of(
            Scores.from_columns(named(values)), np.arange(150), folds=3, seed=0
        )
        seem += any(count.better for count in factors.choice()[2:])
    assert seem <= 0.05 * panels


def named(values):
    return {f"j{k}": column.tolist() for k, column in enumerate(values.T)}


def test_judges_who_share_nothing():
    values = np.random.default_rng(4).normal(size=(300, 6))
    found = confounders(Scores(range(300), list("abcdef"), values))
    assert not found.more_than_one
    assert "Nothing shows that the 6 judges share anything" in found.message
    assert "No attributes were given" in found.message


def test_no_key_is_read():
    keys = ["right", "wrong"] * 400
    found = [confounders(panel(key=key)) for key in (None, keys, [1.5] * 800)]
    assert found[0] == found[1] == found[2]


def test_whole_clusters_are_held_out_and_errors_know_of_them():
    once = panel(200, length=np.zeros(8))
    places = np.repeat(np.arange(200), 4)
    many = Scores(
        range(800),
        once.judges,
        once.values[places],
        None,
        {name: [column[p] for p in places] for name, column in once.attributes.items()},
    )
    told = confounders(once)
    kept = confounders(many, cluster=[f"c{p}" for p in places])
    leaky = confounders(many)
    assert kept.n_clusters == 200
    assert not kept.more_than_one
    one, four = ({(a.attribute, a.name): a for a in f.associations} for f in (told, kept))
    for name in ("j0", "j7"):
        assert four["length", name].error == pytest.approx(one["length", name].error, rel=0.01)
    assert leaky.named("j0") is None
    (shift,) = [s for s in kept.alternatives if s.act == "cluster"]
    assert shift.correlation == pytest.approx(1, abs=1e-3)


def test_equal_rows_without_clusters_are_told_of():
    once = panel(150)
    many = Scores(range(450), once.judges, np.repeat(once.values, 3, axis=0))
    assert any("150 different rows" in note for note in confounders(many).warnings)
    assert not any("different rows" in note for note in confounders(once).warnings)


def test_near_copies_and_few_voices_are_told_of():
    rng = np.random.default_rng(3)
    values = panel(400).values[:, :6].copy()
    values = np.column_stack([values, values[:, 0] + 0.05 * rng.normal(size=400)])
    found = confounders(Scores(range(400), list("abcdefg"), values))
    assert found.voices[0] < 3
    assert any("listens to" in note and "near copies" in note for note in found.warnings)


def test_pairs_that_one_factor_leaves_related(planted):
    first = planted.residuals[0]
    assert {first.judge, first.other} <= {"j5", "j6", "j7"}
    assert first.correlation > 0.2
    sizes = [abs(pair.correlation) for pair in planted.residuals]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 10


@pytest.mark.parametrize(("many", "ks"), [(3, [0, 1]), (4, [0, 1]), (5, [0, 1, 2])])
def test_too_few_judges_for_a_second_factor(many, ks):
    found = confounders(panel(200).select(judges=[f"j{k}" for k in range(many)]))
    assert [count.k for count in found.choice] == ks
    assert found.turned.shape == (many, 2 if many == 5 else 0)
    assert (found.status is Status.UNDETERMINED) == (many < 5)
    assert ("too few to tell two shared things" in found.message) == (many < 5)
    again = Confounders.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    assert again.turned.shape == found.turned.shape


def test_what_settles_not_even_one_factor_is_refused():
    for columns in ({"i": [1, 2, 3], "j": [1, 2, 4]}, {"i": [1, 1], "j": [2, 2], "k": [1, 2]}):
        found = confounders(Scores.from_columns(columns))
        assert found.status is Status.NOT_IDENTIFIABLE
        assert found.summary() == found.message
        assert "at least 3 judges" in found.message
        assert found.as_tables()[0].n_rows == len(columns)
        assert Confounders.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_one_cluster_leaves_nothing_to_hold_out():
    found = confounders(panel(100), cluster=["one"] * 100)
    assert found.status is Status.UNDETERMINED
    assert "a single cluster leaves nothing to hold out" in found.message
    assert found.choice[2] == FactorCount(
        2, None, None, None, found.choice[2].bic, found.choice[2].extended_bic
    )


def test_large_tables_are_held_out_in_part(monkeypatch):
    monkeypatch.setattr("algeval.aggregate.policy.HELD_OUT_CELLS", 2000)
    found = confounders(panel(400, missing=0.1), cluster=[k // 2 for k in range(400)])
    assert any("250 of 400 items, drawn at random" in note for note in found.warnings)
    assert found.choice[1].per_item is not None


def test_texts_become_attributes():
    scores = panel(300, missing=0.0)
    length = np.array(scores.attributes["length"], float)
    texts = ["word " * int(20 * length[k]) + "end." for k in range(300)]
    listed = confounders(scores, texts=texts)
    by_item = confounders(scores, texts={item: texts[k] for k, item in enumerate(scores.items)})
    assert by_item == listed
    assert listed.named("factor 2").attribute in ("length", "words", "characters")
    told = {one.attribute for one in listed.associations}
    assert {"words", "characters", "SMOG grade"} - told == {"SMOG grade"}  # does not vary
    assert "exclamation marks" not in told
    with pytest.raises(DataError, match="texts must be one per item"):
        confounders(scores, texts=["a"])


def test_a_table_is_read_as_scores_and_settings_are_checked(tmp_path):
    scores = panel(60)
    table = {j: scores.values[:, k].tolist() for k, j in enumerate(scores.judges)}
    assert confounders(table).judges == scores.judges
    with pytest.raises(DataError, match="data must be Scores; got Votes"):
        confounders(ae.example("mt-bench"))
    with pytest.raises(DataError, match="attributes must be columns by name"):
        confounders(scores, attributes=["x"])
    with pytest.raises(DataError, match="cluster must name an attribute"):
        confounders(scores, cluster=3)
    with pytest.raises(DataError, match="folds must be a whole number"):
        confounders(scores, folds=1)
    with pytest.raises(DataError, match="attribute 'lenght' must be one of"):
        confounders(scores, cluster="lenght")


def test_the_same_seed_gives_the_same_result(planted):
    assert confounders(panel(missing=0.02)) == planted
    assert Confounders.from_dict(json.loads(json.dumps(planted.to_dict()))) == planted


def of_data(name, beside=(), attributes=None, cluster=None):
    table = pd.read_csv(DATA / f"{name}.csv", index_col="item").drop(columns="gold")
    known = table[list(beside)]
    if attributes is not None:
        more = pd.read_csv(DATA / f"{attributes}.csv", index_col="item").reindex(table.index)
        known = known.join(more[[c for c in more if c not in (*beside, "gold")]])
    judges = table.drop(columns=list(beside))
    texts = {c: [None if v != v else str(v) for v in known[c]] for c in known}
    scores = Scores(judges.index.astype(str), judges.columns, judges.to_numpy(float), None, texts)
    return confounders(scores, cluster=cluster)


@shared
def test_toxicity_judges_share_a_taste_that_goes_with_length():
    found = of_data("civilcomments_judge_scores", attributes="civilcomments_attributes")
    assert found.choice[2].gain == pytest.approx(0.31, abs=0.02)
    assert found.choice[2].error == pytest.approx(0.02, abs=0.005)
    best = {one.attribute: one for one in found.of("factor 2")}
    assert best["n_chars"].correlation == pytest.approx(0.62, abs=0.02)
    assert abs(best["human_toxicity"].correlation) < 0.12
    assert found.named("factor 1").attribute.startswith("human_")
    assert found.alternatives[0].correlation == pytest.approx(0.964, abs=0.003)


@shared
def test_sentence_pairs_show_no_second_trait():
    beside = ("pair", "rater", "aspect")
    found = of_data("asset_judge_scores", beside, "asset_attributes", "pair")
    assert not found.more_than_one
    assert found.choice[2].gain < 0.05
    assert found.n_clusters == 100


@shared
@pytest.mark.parametrize(
    ("name", "pair"), [("v1", {"EM", "Contains"}), ("v2", {"Llama3-70B", "GPT-4"})]
)
def test_answer_judges_share_more_and_the_pair_is_named(name, pair):
    beside = ("question", "exam_taker", "n_chars_response", "n_references", "question_key")
    found = of_data(f"triviaqa_judges_{name}", beside, cluster="question_key")
    assert found.choice[2].gain == pytest.approx(0.31, abs=0.05)
    first = found.residuals[0]
    assert {first.judge, first.other} == pair
    assert any(first.judge in note and "above 0.5" in note for note in found.warnings)
    assert found.alternatives[0].correlation < 0.95


def consensus_notes(n_items, n_judges, strength, seed, method="recommended"):
    """What an answer says of a second factor, which the last half of the judges follow so much."""
    rng = np.random.default_rng(seed)
    quality, taste = rng.normal(size=(2, n_items, 1))
    last = np.arange(n_judges) >= n_judges // 2
    values = quality * ~last + strength * taste * last + (strength == 0) * quality * last
    values = values + rng.normal(size=values.shape)
    data = Scores.from_columns({f"j{k}": values[:, k] for k in range(n_judges)})
    return [note for note in ae.aggregate(data, method).warnings if "Two factors" in note]


@pytest.mark.parametrize("method", ["recommended", "average", "linear", "factor", "care-svd"])
def test_a_consensus_says_where_a_second_factor_predicts_better(method):
    (note,) = consensus_notes(300, 8, 1.5, 1, method)
    assert "nats an item, standard error" in note
    assert consensus_notes(300, 8, 0, 1, method) == []


def test_a_consensus_of_one_trait_says_nothing_of_a_second():
    said = [bool(consensus_notes(n, k, 0, s)) for s in range(5) for n, k in ((60, 6), (200, 9))]
    assert sum(said) <= 1
    assert not consensus_notes(300, 4, 2, 0)  # two factors behind four judges are not settled
    assert not consensus_notes(30, 8, 2, 0)  # halves of so few items settle none
