"""The diagnosis: what is tested, what is said where it does not apply, and the advice it ends in."""

import json
from math import comb

import numpy as np
import pytest
from click.testing import CliRunner

import algeval as ae
from algeval.cli.main import cli
from algeval.compare.diagnosis import _some_sets, most_active
from algeval.result import Status


def drawn(n_items, n_judges, *, trait=0.0, seed=0, n_labels=2):
    """Votes whose errors share a hidden trait of the item (0: independent)."""
    rng = np.random.default_rng(seed)
    key = rng.integers(0, n_labels, n_items)
    z = rng.normal(size=(n_items, 1))
    if n_labels == 2:
        odds = 1.6 * (2 * key[:, None] - 1) + trait * z
        codes = rng.random((n_items, n_judges)) < 1 / (1 + np.exp(-odds))
    else:
        right = rng.random((n_items, n_judges)) < 0.75
        other = (key[:, None] + rng.integers(1, n_labels, (n_items, n_judges))) % n_labels
        codes = np.where(right, key[:, None], other)
    names = [str(label) for label in range(n_labels)]
    return ae.Votes(
        range(n_items), range(n_judges), names, names, codes.astype(np.int16), key.astype(np.int16)
    )


def test_independent_judges_get_dawid_skene():
    found = ae.diagnose(drawn(2000, 6).without_key())
    assert found.dependent is False
    assert found.method == "dawid-skene"
    assert not found.pairs.rejected
    assert found.score_test.p_value == found.pairs.p_value > 0.05
    assert found.quartets is None
    assert any("says where errors are shared; it is not run" in told for told in found.not_done)
    assert found.coupling.within == pytest.approx(1, abs=0.1)
    assert found.stability.changed == 0
    assert found.calibration == ()
    assert any("there is no key" in told for told in found.not_done)


def test_a_shared_trait_is_seen_and_the_advice_says_why():
    found = ae.diagnose(drawn(2000, 8, trait=1.5))
    assert found.dependent is True
    assert found.score_test.p_value == found.pairs.p_value == 1 / 200
    assert found.quartets.n_tested == found.quartets.n_possible == comb(8, 4)
    assert found.quartets.level == 0.05
    assert found.coupling.within > 1.2
    assert found.coupling.mean_correlation > 0.05
    assert found.method == "recommended"
    assert any("test of all pairs" in told for told in found.reasons)
    assert any("better predicted" in told for told in found.reasons)
    by_name = {score.message.split(":")[0]: score for score in found.calibration}
    assert by_name["recommended"].log_loss < by_name["dawid-skene"].log_loss


def test_the_key_changes_nothing_but_the_calibration():
    votes = drawn(600, 6, trait=1.0, seed=2)
    flipped = ae.Votes(
        votes.items, votes.judges, votes.labels, votes.answers, votes.codes, 1 - votes.key
    )
    documents = [ae.diagnose(data).to_dict() for data in (votes, flipped, votes.without_key())]
    for document in documents:
        document.pop("calibration")
        document["not_done"] = [t for t in document["not_done"] if "key" not in t]
    assert documents[0] == documents[1] == documents[2]


def test_three_labels_run_the_algebra_and_say_what_was_left_out():
    found = ae.diagnose(drawn(3000, 4, n_labels=3, seed=1))
    assert found.score_test is None
    assert found.held_out is None
    assert found.pairs.n_replicates < 199
    assert found.quartets is None
    assert found.dependent is False
    assert any("two labels" in told for told in found.not_done)


def test_three_judges_are_identified_but_not_tested():
    found = ae.diagnose(drawn(500, 3).sketch())
    assert found.status is Status.UNDETERMINED
    assert found.dependent is None
    assert "it takes four judges or more" in found.summary()
    assert found.method == "recommended"
    independent, *coupled = (row.identifiable for row in found.identifiability)
    assert independent
    assert len(coupled) >= 2
    assert not any(coupled)
    assert any("which leave nothing to test" in told for told in found.not_done)


def test_two_judges_get_logic_only():
    found = ae.diagnose(ae.Sketch.from_counts({"ab": 5, "ba": 5, "aa": 60}))
    assert found.method is None
    assert "logic" in found.recommendation
    assert found.status is Status.UNDETERMINED


def test_sparse_votes_have_sets_with_too_few_items():
    votes = drawn(700, 8, trait=3.0, seed=3)
    codes = np.array(votes.codes)
    for item in range(700):
        codes[item, [(item + s) % 8 for s in range(4)]] = -1
    found = ae.diagnose(ae.Votes(votes.items, votes.judges, ["0", "1"], ["0", "1"], codes))
    assert found.n_missing == 2800
    assert found.dependent is True
    assert found.quartets.n_undetermined == found.quartets.n_tested == comb(8, 4)
    assert found.quartets.smallest_p is None
    assert "none with enough items" in found.summary()


@pytest.mark.parametrize(("n_items", "n_judges", "n_labels"), [(300, 12, 2), (300, 5, 3)])
def test_the_line_on_sets_contradicted_the_headline(n_items, n_judges, n_labels):
    for seed in range(4):
        found = ae.diagnose(
            drawn(n_items, n_judges, seed=seed, n_labels=n_labels).sketch(), n_starts=1, folds=2
        )
        assert found.dependent == found.pairs.rejected
        assert found.dependent or found.quartets is None
        assert ("reject independence" in found.summary()) <= found.dependent


def test_many_judges_are_cut_to_the_most_active():
    votes = drawn(300, 30, seed=4, trait=2.0)
    codes = np.array(votes.codes)
    codes[:150, 5:11] = -1
    sketch = ae.Votes(votes.items, votes.judges, ["0", "1"], ["0", "1"], codes).sketch()
    assert most_active(sketch, 24) == tuple(str(j) for j in range(30) if not 5 <= j < 11)
    found = ae.diagnose(sketch, most_sets=20, n_starts=2)
    assert len(found.score_test.judges) == 24
    assert any("24 judges who answered most" in told for told in found.not_done)
    assert found.quartets.n_tested == 20
    assert found.quartets.n_replicates == 59


def test_drawn_sets_are_distinct():
    sets = _some_sets(tuple("abcdefghij"), 4, 50, 0)
    assert len(set(sets)) == 50
    assert len(_some_sets(tuple("abcde"), 4, 50, 0)) == 5


def test_json_and_words():
    found = ae.diagnose(drawn(400, 5, trait=1.5))
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert '"algeval.diagnosis/1"' in text
    assert found.recommendation in found.summary()
    assert "Algebraic test" in found.summary()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 0}, "level must be between 0 and 1"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"n_starts": 2.5}, "n_starts must be a whole number"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ae.DataError, match=message):
        ae.diagnose(drawn(50, 4), **settings)


def test_counts_per_judge_are_refused(mt_summary):
    with pytest.raises(ae.DataError, match="counts per judge say nothing"):
        ae.diagnose(mt_summary)


def test_command_line(tmp_path):
    votes = drawn(600, 6, trait=2.0)
    path = tmp_path / "votes.csv"
    rows = [",".join(["item", *(f"j{j}" for j in range(6))])]
    rows += [f"{i}," + ",".join(map(str, row)) for i, row in enumerate(votes.codes.tolist())]
    path.write_text("\n".join(rows))
    ran = CliRunner().invoke(cli, ["diagnose", str(path), "--item", "item"], standalone_mode=False)
    assert ran.return_value == 1
    assert "not independent" in ran.output
    ran = CliRunner().invoke(
        cli, ["diagnose", str(path), "--item", "item", "--json"], standalone_mode=False
    )
    assert json.loads(ran.output)["method"] == "recommended"


@pytest.mark.slow
def test_independent_panels_are_seldom_called_dependent():
    called = [
        ae.diagnose(drawn(800, 6, seed=seed).sketch(), n_starts=1, folds=2).dependent
        for seed in range(80)
    ]
    assert sum(called) <= 9  # 5% of 80 is 4; 10 or more has a chance of 1%
