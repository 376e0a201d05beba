"""What a report says of the system: nothing chosen unasked, the key used only where it is named."""

from fractions import Fraction

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.report.sections import TITLE
from algeval.verify import verify

FAST = {"intervals": 0, "time_limit": 5}


def votes_of(n_items=60, labels=("no", "yes"), keyed=True, seed=0):
    """Three independent judges of 80%; 70% of the key is the second label."""
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.7).astype(np.int16)
    right = rng.random((n_items, 3)) < 0.8
    codes = np.where(right, key[:, None], 1 - key[:, None]).astype(np.int16)
    names = [f"q{k}" for k in range(n_items)]
    return Votes(names, ["x", "y", "z"], labels, labels, codes, key if keyed else None)


def section_of(report):
    return next(section for section in report.sections if section.title == TITLE)


@pytest.mark.parametrize(
    ("labels", "call", "choose"),
    [
        (("no", "yes"), "--good yes", False),
        (("fail", "Pass"), "--good Pass", False),
        (("0", "1"), "--good 1", False),
        (("x", "y"), "--good x", True),
        (("good", "yes"), "--good good", True),
        (("1", "2"), "--good 1", True),
    ],
)
def test_without_a_label_it_says_what_to_type_and_answers_nothing(labels, call, choose):
    found = ae.report(votes_of(labels=labels), arguments="v.csv", **FAST)
    section = section_of(found)
    assert len(section.lines) == 1
    assert section.lines[0].endswith(f": algeval rate v.csv {call}")
    assert ("choose a label" in section.lines[0]) == choose
    assert not section.tables
    assert "rate" not in found.results
    assert "RATE OF" not in found.summary()
    unlabelled = section_of(
        ae.report(votes_of(labels=labels, keyed=False), arguments="v.csv", **FAST)
    )
    assert "algeval next v.csv --n 50 -o to_label.csv" in unlabelled.lines[0]
    assert unlabelled.lines[0].endswith(f": algeval rate v.csv --human to_label.csv {call}")


def test_in_python_it_names_the_call():
    assert (
        "ae.rate(votes, 'yes', human='key')" in section_of(ae.report(votes_of(), **FAST)).lines[0]
    )


def test_counts_have_such_a_section_only_where_a_label_is_named():
    summary = ae.example("mt-bench-summary")
    assert all(section.title != TITLE for section in ae.report(summary, **FAST).sections)
    rate = ae.report(summary, good="a", **FAST).results["rate"]
    alone = ae.rate(summary, "a", time_limit=5)
    assert [row.to_dict() for row in rate.table] == [row.to_dict() for row in alone.table]
    with pytest.raises(ae.DataError, match="votes must be votes item by item"):
        ae.report(summary, good="a", gold={"1": "a"}, **FAST)


def test_with_a_label_the_table_is_that_of_rate_and_the_key_has_no_part():
    votes = votes_of()
    found = ae.report(votes, good="yes", **FAST)
    section, alone = section_of(found), ae.rate(votes.without_key(), "yes", time_limit=5)
    rate = found.results["rate"]
    assert (rate.n_gold, rate.rate, rate.verdict) == (0, None, "undetermined")
    assert [row.to_dict() for row in rate.table] == [row.to_dict() for row in alone.table]
    assert any(
        "The human labels of 60 of 60 items had no part in this" in line for line in section.lines
    )
    names = [row[0] for row in section.tables[0].rows]
    assert names[:2] == ["raw judge votes", "votes alone"]
    assert "labels only" not in names


def test_the_key_is_the_labels_where_it_is_named_and_all_are_counted():
    votes = votes_of()
    share = Fraction(int((votes.key == 1).sum()), 60)
    found = ae.report(votes, good="yes", human="key", **FAST)
    rate, text = found.results["rate"], " ".join(section_of(found).lines)
    assert rate.labelled_share == pytest.approx(float(share))
    assert rate.low < share < rate.high
    assert rate.target == "population"
    assert "The labels are people's: 60 of 60 items, taken as drawn" in text
    assert f"Of these 60 themselves, all labelled, {60 * share} are it." in text
    assert "had no part" not in text


def test_labels_of_ones_own_are_said_not_to_be_the_key():
    votes = votes_of()
    gold = {item: votes.labels[votes.key[k]] for k, item in enumerate(votes.items[:20])}
    found = ae.report(votes, good="yes", human=gold, arguments="v.csv", **FAST)
    text = " ".join(section_of(found).lines)
    assert found.results["rate"].n_gold == 20
    assert "with --good LABEL they are evidence" in text


def test_a_key_that_is_named_and_not_there_is_refused():
    with pytest.raises(ae.DataError, match="key"):
        ae.report(votes_of(keyed=False), good="yes", human="key", **FAST)


def test_the_first_screen_has_one_line_of_it_and_fits():
    for settings in ({}, {"gold": "key"}):
        for label in ("yes", "y" * 150):
            votes = votes_of(labels=("no", label))
            text = ae.report(votes, label=label, **settings, **FAST).summary()
            lines = text.splitlines()
            starts = f"{label[:60]!r}"[:-1] if settings else "RATE OF"
            assert len([line for line in lines if line.startswith(starts)]) == 1
            assert len(lines) <= 40
            start = next(k for k, line in enumerate(lines) if line.startswith(starts))
            assert len(lines[start]) <= 100
            if not settings:
                assert lines[start + 1] == ""


def test_the_line_names_the_belief_that_decides():
    codes = np.repeat(np.array([[1], [1], [1], [0]], np.int16), 5, axis=0) * np.ones(3, np.int16)
    votes = Votes(range(20), ["x", "y", "z"], ["no", "yes"], ["no", "yes"], codes)
    text = ae.report(votes, good="yes", **FAST).summary()
    # all judges say yes to 15 of 20: with 10 of them true, 15 of 20 are right
    told = "not determined by these votes; above 50.0% if all judges are right on over 75.0%."
    assert f"RATE OF yes {told}" in text


def test_the_page_has_the_table_its_picture_and_proofs_that_verify(tmp_path):
    votes = votes_of()
    path = tmp_path / "r.html"
    found = ae.report(votes, path, good="yes", human="key", **FAST)
    page = path.read_text(encoding="utf-8")
    body = page.split(f"<h2>{TITLE}</h2>")[1].split("</section>")[0]
    assert body.count("<svg") == 1
    assert "labels + judges" in body
    assert '<td class="words">' in body
    assert "assumes" in body
    proofs = found.results["rate"].certificates
    assert proofs
    assert all(verify(proof, votes.sketch()).ok for proof in proofs.values())
    assert "-every-judge-right-on-at-least-70-lowest.json" in page
    plain = ae.report(votes, **FAST)
    assert found.verified == plain.verified + len(proofs)


def test_text_and_markdown_have_what_it_takes_to_be_wrong(tmp_path):
    path = tmp_path / "r.md"
    found = ae.report(votes_of(), path, good="yes", **FAST)
    assert "one judge is worse" in found.full()
    assert "one judge is worse" in path.read_text(encoding="utf-8")


def test_scores_ask_for_labels_and_take_them():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    columns = {j: (truth + rng.normal(size=80)).round(3).tolist() for j in "xyz"}
    scores = ae.Scores.from_columns(columns)
    section = section_of(ae.report(scores, arguments="s.csv --scores"))
    assert section.lines[0].endswith("algeval rate s.csv --scores --human to_label.csv")
    gold = {item: str(truth[k]) for k, item in enumerate(scores.items[:40])}
    found = ae.report(scores, human=gold)
    assert found.results["rate"].n_gold == 40
    assert "SHARE RATED 1" in found.summary()
    with pytest.raises(ae.DataError, match="scores say nothing of a rate without labels"):
        ae.report(scores, good="1")
