"""The items of a page as data: all of them where they fit, in an order, and nothing that ends a script."""

import json
import re

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.data.votes import Texts
from algeval.report import items as module
from algeval.report.items import inert_json, items_of, with_human_labels


def results_of(votes):
    compared = ae.compare(votes, intervals=0)
    return {name: compared[name].fit for name in ("majority", "recommended")}


def by_hand(**more):
    """Six items; the second is split, on the fourth the human label differs from all three judges."""
    columns = {"i": list("ababab"), "j": list("ababab"), "k": list("aaabab")}
    votes = ae.Votes.from_columns(
        columns, items=[f"q{k}" for k in range(6)], key=[*"aab", None, *"ab"]
    )
    return Votes(votes.items, *votes.axes, votes.codes, votes.key, **more)


def test_every_item_has_its_votes_its_label_and_its_posterior():
    votes = by_hand(texts=(Texts("prompt", ("one", None, "three\n3", "four", "five", "six")),))
    results = results_of(votes)
    shown = items_of(votes, results)
    document = json.loads(shown.document)
    assert shown.notes == ()
    assert document["judges"] == ["i", "j", "k"]
    assert document["texts"] == ["prompt"]
    fit = results["recommended"]
    for name, pattern, human, text in document["items"]:
        row = votes.items.index(name)
        codes, decision, shares, bits = document["patterns"][pattern]
        assert codes == votes.codes[row].tolist()
        assert document["labels"][decision] == fit.item_labels[row]
        assert human == votes.key[row]
        assert text == votes.texts[0].cells[row]
        posterior = fit.posterior_items[row]
        assert shares == [
            [t, f"{100 * posterior[t]:.1f}%"] for t in sorted((0, 1), key=lambda t: -posterior[t])
        ]
        assert bits == (0.918 if name == "q1" else 0)
    # the consensus is a on q1 or not, but q2 (all said a, human b) and q1 (split) come before the rest
    assert {item[0] for item in document["items"][:2]} == {"q1", "q2"}
    assert len(document["items"]) == 6


def test_counts_have_no_items():
    sketch = ae.example("acs")
    assert items_of(sketch, results_of(sketch)) is None
    assert items_of(by_hand(), {}) is None


def graded():
    """Scores by four graders of twelve items, one missing, the first three with a true class."""
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(size=(12, 1)) * 3 + rng.normal(size=(12, 4)), 2)
    values[4, 1] = np.nan
    key = ["1", "0", "0", *[None] * 9]
    words = {"length": [*"abcdefghijk", None]}
    return ae.Scores([f"q{k}" for k in range(12)], list("wxyz"), values, key, words)


def test_scores_have_items_with_every_score_and_attribute():
    scores = graded()
    fit = ae.aggregate(scores)
    document = json.loads(items_of(scores, {"consensus": fit}).document)
    assert document["kind"] == "scores"
    assert document["texts"] == ["length"]
    sure = []
    for name, pattern, human, text in document["items"]:
        row = scores.items.index(name)
        codes, decision, shares = document["patterns"][pattern]
        said = [float(document["answers"][c]) if c >= 0 else None for c in codes]
        expected = [None if np.isnan(v) else v for v in scores.values[row].tolist()]
        assert said == expected
        assert decision == fit.decisions[row]
        assert human == {"0": 0, "1": 1, None: -1}[scores.key[row]]
        assert text == scores.attributes["length"][row]
        sure.append((human < 0 or human == decision, float(shares[0][1].rstrip("%"))))
    assert sure == sorted(sure)


def test_scores_without_a_consensus_have_no_items():
    scores = graded()
    failed = ae.aggregate(ae.Scores(scores.items, ["w"], scores.values[:, :1]))
    assert not failed.status.ok
    assert items_of(scores, {"consensus": failed}) is None


def test_two_judges_have_their_items_with_shares_of_votes():
    votes = ae.Votes.from_columns({"i": list("aab"), "j": list("abb")})
    fits = results_of(votes)
    document = json.loads(items_of(votes, fits).document)
    assert document["method"] == "recommended"
    assert document["certainty"] == "smoothed share of votes"
    assert document["items"][0][0] == "2"  # on which they differ
    shown = [document["patterns"][pattern] for _, pattern, _ in document["items"]]
    assert [decision for _, decision, *_ in shown] == [-1, 0, 1]
    assert shown[0][2] == [[0, "50.0%"], [1, "50.0%"]]
    assert shown[1][2] == [[0, "83.3%"], [1, "16.7%"]]  # (2 votes + 1/2) / (2 + 1)
    del fits["recommended"]  # not asked for
    alone = json.loads(items_of(votes, fits).document)
    assert (alone["method"], alone["certainty"]) == ("majority", "share of votes")
    assert alone["patterns"][alone["items"][0][1]][1] == -1


def test_labels_of_a_rate_stand_beside_those_of_the_key(tmp_path):
    votes = by_hand()
    (tmp_path / "gold.csv").write_text("item,label\nq3,a\nq4,b\n", encoding="utf-8")
    for gold in ({"q3": "a", "q4": "b"}, tmp_path / "gold.csv"):
        human = with_human_labels(votes, gold)
        assert human.key.tolist() == [0, 0, 1, 0, 1, 1]
        names = [
            item[0] for item in json.loads(items_of(human, results_of(votes)).document)["items"]
        ]
        assert set(names[:4]) == {"q1", "q2", "q3", "q4"}
    assert votes.key.tolist() == [0, 0, 1, -1, 0, 1]
    assert with_human_labels(votes.without_key(), {"q3": "a"}).key.tolist() == [
        -1,
        -1,
        -1,
        0,
        -1,
        -1,
    ]
    for gold in (None, "key"):
        assert with_human_labels(votes, gold) is votes
    sketch = votes.sketch()
    assert with_human_labels(sketch, {"q3": "a"}) is sketch


def test_a_page_shows_the_labels_its_rate_was_made_from(tmp_path):
    labels = {"q0": "a", "q1": "b", "q2": "a", "q3": "b", "q4": "a", "q5": "b"}
    votes = by_hand().without_key()
    ae.report(votes, tmp_path / "r.html", label="a", gold=labels, intervals=0, time_limit=0)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    document = json.loads(re.search('id="items-data">(.*?)</script>', text, re.S)[1])
    assert {item[0]: document["labels"][item[2]] for item in document["items"]} == labels


def test_of_many_items_the_most_disputed_are_kept_and_the_page_says_so(monkeypatch):
    monkeypatch.setattr(module, "MOST_ITEMS", 2)
    votes = by_hand()
    shown = items_of(votes, results_of(votes))
    assert len(json.loads(shown.document)["items"]) == 2
    assert shown.notes[0].startswith(
        "The table has the 2 most disputed of 6 items, those that differ"
    )
    document = json.loads(items_of(votes.without_key(), results_of(votes)).document)
    assert document["items"][0][0] == "q1"


def test_texts_are_cut_and_left_out_where_they_would_be_too_much(monkeypatch):
    monkeypatch.setattr(module, "_MOST_LETTERS", 10)
    monkeypatch.setattr(module, "_MOST_BYTES", 150)
    votes = by_hand(texts=(Texts("prompt", ("x" * 12, "a\tb\r\nc\x1b", "z" * 10, *"uvw")),))
    shown = items_of(votes, results_of(votes))
    items = json.loads(shown.document)["items"]
    texts = {item[0]: item[3] for item in items}
    assert texts["q0"] == "x" * 10 + "\n[cut: the first 10 of 12 letters]"
    assert texts["q1"] == "a    b\nc\\x1b"
    assert shown.notes == ()
    monkeypatch.setattr(module, "_MOST_BYTES", 15)
    shown = items_of(votes, results_of(votes))
    kept = [item[3] for item in json.loads(shown.document)["items"]]
    n = sum(text is not None for text in kept)
    assert 0 < n < 6
    assert all(text is None for text in kept[n:])
    assert f"Only the first {n} item" in shown.notes[0]


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "]]>", "&lt;", "\u2028\u2029", "a\ud800b", '"\\']
)
def test_no_text_ends_the_script_it_stands_in(text):
    written = inert_json([text])
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == [text]
    names = [f"{text}{k}" for k in range(3)]
    votes = ae.Votes.from_columns({name: list("aab") for name in names}, items=names)
    shown = items_of(votes, results_of(votes)).document
    shown.encode()
    assert not set("<>&\u2028\u2029") & set(shown)
