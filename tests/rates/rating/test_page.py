"""The page of a rate, on real votes: which rows it has, what it marks, what it never prints."""

import csv
import re

import numpy as np
import pytest

import algeval as ae
from algeval.rates.intervals import Estimate, effective_size, gold_only
from algeval.rates.rating import worth_of_votes


def civil(folder):
    """1,500 comments, seven of ten toxic, and three judges who call too few of them so."""
    text = (folder / "civilcomments_judge_scores.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    judges = ["Qwen2.5-14B-Instruct", "gemma-3-4b-it", "Yi-1.5-9B-Chat"]
    toxic = [row for row in rows if row["gold"] == "1"][:1050]
    rows = toxic + [row for row in rows if row["gold"] == "0"][:450]
    cut = {
        j: [None if not row[j] else str(int(float(row[j]) >= 4.5)) for row in rows] for j in judges
    }
    items = [row["item"] for row in rows]
    votes = ae.Votes.from_columns(cut, items=items, labels=["0", "1"])
    return votes, {row["item"]: row["gold"] for row in rows}


def drawn(key, n, seed):
    rng = np.random.default_rng(seed)
    return {item: key[item] for item in rng.choice(list(key), n, replace=False).tolist()}


def test_judges_who_share_a_mistake_are_refuted_by_a_hundred_labels(real_votes):
    votes, key = civil(real_votes)
    found = ae.rate(votes, "1", drawn(key, 100, 0))
    assert found.low < 0.7 < found.high
    independent = found.row("independent errors")
    assert independent.refuted
    assert independent.standard_errors > 2.6
    assert independent.high < 0.6
    page = found.summary()
    assert f"REFUTED by your labels ({independent.standard_errors:.1f} se)" in page
    assert "no belief about accuracy separates the sides" in page
    assert re.search(r"100 labels: effective sample size about \d+\.", page)
    assert re.search(
        r"Error correlation between judges: 0\.\d+ to 0\.\d+ among labelled passes", page
    )


def test_the_page_begins_with_the_answer_and_marks_its_row(real_votes):
    votes, key = civil(real_votes)
    lines = ae.rate(votes, "1", drawn(key, 100, 0)).summary().splitlines()
    assert re.match(
        r"SHARE RATED 1: 0\.\d\d, 95% interval 0\.\d\d to 0\.\d\d +these 1500 items, 3 judges, 100 labels",
        lines[0],
    )
    assert lines[1].startswith("Above 50.0% (labels drawn at random; items in strata")
    assert lines[2].split("  ")[0] == "row"
    rows = [re.split(r"\s{2,}", line.strip())[0] for line in lines[3:11]]
    assert rows == [
        "raw judge votes",
        "votes alone",
        "+ accuracy 70%",
        "+ accuracy 80%",
        "judges graded by 100 labels",
        "independent errors",
        "labels only",
        "labels + judges",
    ]
    assert [line for line in lines if "<-" in line] == [lines[10]]
    assert max(map(len, lines[2:11])) <= 120


def test_without_labels_no_number_stands_in_the_headline(real_votes):
    votes, _ = civil(real_votes)
    lines = ae.rate(votes, "1").summary().splitlines()
    assert lines[0].startswith("SHARE RATED 1: not determined by these votes")
    assert not re.search(r"\d%|0\.\d", lines[0])
    assert lines[1].startswith("Without human labels the rate is not known")
    assert not any("<-" in line for line in lines)


def test_an_interval_of_labels_alone_has_their_number_for_its_size():
    for n in (50, 100, 400):
        alone = gold_only(np.repeat([1.0, 0.0], [n * 7 // 10, n - n * 7 // 10]), 10**6)
        assert effective_size(alone, n, 10**6, "population", 0.95) == pytest.approx(n)
        assert effective_size(alone, 2 * n, 10**6, "population", 0.95) == pytest.approx(n, rel=0.05)
        assert effective_size(alone, n, 10**9, "items", 0.95) == pytest.approx(n, rel=1e-3)


def test_labels_are_worth_no_more_than_labels_of_every_item():
    for width in (0.2, 0.1, 0.01, 1e-9):
        found = Estimate(0.5 - width / 2, 0.5, 0.5 + width / 2)
        assert effective_size(found, 100, 400, "items", 0.95) <= 400
    assert effective_size(found, 100, 400, "items", 0.95) == pytest.approx(400)
    votes = ae.Votes.from_columns({"x": ["pass", "fail"] * 20, "y": ["pass"] * 20 + ["fail"] * 20})
    every = ae.rate(votes, "pass", dict(zip(votes.items, ["pass", "fail"] * 20, strict=True)))
    assert "effective sample size" not in every.message


def test_the_size_is_one_number():
    assert worth_of_votes(30, 198.7) == "30 labels: effective sample size about 200."


def test_a_level_near_one_is_not_called_certain():
    votes = ae.Votes.from_columns({"x": ["pass", "fail"] * 20})
    page = ae.rate(votes, "pass", dict.fromkeys(votes.items[::3], "pass"), level=0.999).summary()
    assert "99.9% interval" in page
    assert "0.1% chance of error" in page
