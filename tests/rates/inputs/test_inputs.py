"""Verdicts, labels and clusters, read from every form in which people have them."""

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.inputs import as_votes, cluster_codes, panel_of, read_both, read_gold


def votes(key=None):
    return Votes.from_columns(
        {
            "a": ["pass", "fail", None, "pass"],
            "b": ["pass", "pass", None, "fail"],
            "c": ["fail", None, None, "pass"],
        },
        items=["q1", "q2", "q3", "q4"],
        labels=["fail", "pass"],
        key=key,
    )


def test_a_tie_is_no_verdict_whichever_label_is_asked_for():
    panel = panel_of(votes(), "pass")
    assert panel.verdict.tolist() == [1, -1, -1, 1]
    assert panel_of(votes(), "fail").verdict.tolist() == [0, -1, -1, 0]
    np.testing.assert_allclose(panel.credit, [1, 1 / 2, np.nan, 1])
    np.testing.assert_allclose(panel.share, [2 / 3, 1 / 2, np.nan, 2 / 3])
    assert panel.answered.tolist() == [3, 2, 0, 3]
    assert panel.n_unjudged == 1


def test_with_three_labels_the_most_votes_win_and_not_more_than_half():
    columns = {"a": ["x"], "b": ["x"], "c": ["y"], "d": ["z"], "e": ["invalid"]}
    three = Votes.from_columns(columns, labels=["x", "y", "z"], answers=["x", "y", "z", "invalid"])
    assert panel_of(three, "x").verdict.tolist() == [1]
    assert panel_of(three, "y").verdict.tolist() == [0]


@pytest.mark.parametrize("n_labels", [2, 3])
def test_verdicts_agree_with_counting_by_hand(n_labels):
    rng = np.random.default_rng(n_labels)
    labels = ["x", "y", "z"][:n_labels]
    codes = rng.integers(-1, n_labels, (300, 5))
    table = Votes(tuple(map(str, range(300))), tuple("abcde"), tuple(labels), tuple(labels), codes)
    panel = panel_of(table, "y")
    for row, given in enumerate(codes.tolist()):
        seen = [labels[code] for code in given if code >= 0]
        counts = {label: seen.count(label) for label in labels}
        most = max(n for label, n in counts.items() if label != "y")
        open_ = not seen or counts["y"] == most
        assert panel.verdict[row] == (-1 if open_ else int(counts["y"] > most))


def test_an_unknown_label_is_named_with_the_known():
    with pytest.raises(DataError, match=r"good must be one of \['fail', 'pass'\]; got 'pas'"):
        panel_of(votes(), "pas")


def test_counts_are_no_votes():
    with pytest.raises(DataError, match="votes item by item"):
        as_votes(votes().sketch())


@pytest.mark.parametrize(
    "gold",
    [
        {"q4": "Pass", "q1": "fail", "q2": None},
        pd.DataFrame({"item": ["q1", "q4"], "gold": ["fail", "pass"]}),
        [{"item": "q1", "whatever": "fail"}, {"item": "q4", "whatever": "pass"}],
        {"item": ["q1", "q4"], "truth": ["fail", "pass"]},
        Votes.from_columns({"x": ["fail", "pass"]}, items=["q1", "q4"], key=["fail", "pass"]),
    ],
    ids=["mapping", "frame", "records", "columns", "votes"],
)
def test_gold_in_every_form(gold):
    found = read_gold(gold, votes(), "pass")
    assert (found.rows.tolist(), found.values.tolist()) == ([0, 3], [0.0, 1.0])
    assert found.truth.tolist() == [0, 1]


def test_gold_from_a_file_with_the_chance_of_being_drawn(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("item,inclusion,label\nq4,0.25,pass\nq1,1,fail\n", encoding="utf-8")
    found = read_gold(str(path), votes(), "pass")
    assert found.inclusion.tolist() == [1.0, 0.25]
    path.write_text("item,inclusion,label\nq4,0,pass\n", encoding="utf-8")
    with pytest.raises(DataError, match="above 0 and at most 1"):
        read_gold(path, votes(), "pass")


def test_the_votes_own_key_only_when_asked_for():
    keyed = votes(key=["pass", None, "fail", None])
    assert read_gold("key", keyed, "pass").rows.tolist() == [0, 2]
    with pytest.raises(DataError, match="needs votes with a key"):
        read_gold("key", votes(), "pass")


def test_annotators_are_counted_an_item_has_their_mean_and_agreement_is_measured():
    rows = [("q1", "ann", "pass"), ("q1", "bob", "pass"), ("q1", "cy", "fail")]
    rows += [("q2", "ann", "pass"), ("q2", "bob", "fail"), ("q4", "ann", "fail")]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    found = read_gold(frame, votes(), "pass", split=True)
    assert found.rows.tolist() == [0, 1, 3]
    assert found.values.tolist() == pytest.approx([2 / 3, 1 / 2, 0])
    assert votes().labels == ("fail", "pass")
    assert found.truth.tolist() == [1, 2, 0]  # that of most; beyond the labels where they are split
    assert found.n_annotators == 3
    assert found.agreement == pytest.approx(1 / 4)
    assert (
        found.differ
        == "people differ on 2 of 2 items, which count the share of their people who say it"
    )
    people = Votes.from_records(rows)
    for labels in (frame, people):
        assert read_gold(labels, votes(), "pass").rows.tolist() == [0, 3]


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        ({"q9": "pass"}, r"1 other item: .*q9"),
        ({"q1": "maybe"}, r"got 'maybe'"),
        ({}, "at least one item"),
        ({"q1": None}, "at least one item"),
        (pd.DataFrame({"item": ["q1", "q1"], "gold": ["pass", "fail"]}), "one label per item"),
        (pd.DataFrame({"who": ["q1"], "text": ["pass"]}), "column of items"),
    ],
)
def test_bad_gold_is_one_sentence(gold, told):
    with pytest.raises(DataError, match=told) as caught:
        read_gold(gold, votes(), "pass")
    assert "\n" not in str(caught.value)


def test_votes_of_one_label_alone_have_a_verdict():
    one = Votes.from_columns({"a": ["pass", None], "b": ["pass", None]})
    assert panel_of(one, "pass").verdict.tolist() == [1, -1]


@pytest.mark.parametrize(
    "gold",
    [{"q1": "pass"}, {"item": ["q1"], "truth": ["pass"]}, [{"item": "q1", "truth_a": "pass"}]],
)
def test_labels_of_one_system_are_not_taken_for_both(gold):
    with pytest.raises(DataError, match="truth_a, truth_b, one of each system"):
        read_both(gold, (votes(), votes()), "pass")


def test_clusters_from_a_mapping_a_list_and_a_table():
    items = ["q1", "q2", "q3"]
    assert cluster_codes({"q3": "b", "q1": "a", "q2": "b"}, items).tolist() == [0, 1, 1]
    assert cluster_codes(["b", "a", "b"], items).tolist() == [0, 1, 0]
    assert cluster_codes(np.array([7, 7, 8]), items).tolist() == [0, 0, 1]
    frame = pd.DataFrame({"item": items, "prompt": ["x", "y", "x"]})
    assert cluster_codes(frame, items).tolist() == [0, 1, 0]
    with pytest.raises(DataError, match=r"one value per item \(3\); got 2"):
        cluster_codes(["a", "b"], items)
    with pytest.raises(DataError, match=r"1 item without one: .*q2"):
        cluster_codes({"q1": "a", "q3": "a"}, items)


def test_where_every_answer_is_the_label_so_is_every_verdict():
    same = Votes.from_columns({"x": ["pass", "pass", None], "y": ["pass", None, None]})
    assert panel_of(same, "pass").verdict.tolist() == [1, 1, -1]


@pytest.mark.parametrize("labels", [("yes", "no"), ("no", "yes"), ("true", "false"), ("b", "a")])
def test_no_spelling_of_labels_or_judges_breaks_a_tie(labels):
    columns = {"is_toxic_gpt4": [labels[0], labels[1]], "is_toxic_claude": [labels[1], labels[1]]}
    votes = ae.Votes.from_columns(columns, labels=labels)
    assert [panel_of(votes, label).verdict.tolist() for label in labels] == [[-1, 0], [-1, 1]]


def test_what_judges_say_beside_people_s_two_labels_is_for_neither():
    columns = {"x": ["a", "a", "c"], "y": ["b", "c", "c"], "z": ["c", "c", "c"]}
    votes = ae.Votes.from_columns(columns, labels=["a", "b", "c"])
    a, b = (panel_of(votes, label, truths={"a", "b"}) for label in "ab")
    assert a.share.tolist() == pytest.approx([1 / 2, 2 / 3, 1 / 2])
    assert (a.share + b.share).tolist() == pytest.approx([1, 1, 1])
    assert (a.verdict.tolist(), b.verdict.tolist()) == ([-1, 1, -1], [-1, 0, -1])
    assert a.credit.tolist() == [0.5, 1, 0.5]
    assert panel_of(votes, "c", truths={"a", "b"}).verdict.tolist() == [-1, 1, 1]
