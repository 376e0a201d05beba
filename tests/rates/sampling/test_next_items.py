"""What to label next: chances that hold, estimates that stay unbiased, a file that keeps both."""

import csv

import numpy as np
import pytest

import algeval as ae
from algeval.rates.inputs import read_gold

N = 60
RNG = np.random.default_rng(11)
TRUTH = (RNG.random(N) < 0.7).astype(int)
OTHER_TRUTH = np.where(RNG.random(N) < 0.25, 1 - TRUTH, TRUTH)
ITEMS = [f"q{k}" for k in range(N)]


def panel(truth, seed, right=0.75, items=ITEMS):
    rng = np.random.default_rng(seed)
    columns = {}
    for name in "abc":
        votes = np.where(rng.random(len(truth)) < right, truth, 1 - truth)
        columns[name] = ["pass" if v else "fail" for v in votes]
    return ae.Votes.from_columns(columns, items=items, labels=["fail", "pass"])


VOTES, OTHER = panel(TRUTH, 1), panel(OTHER_TRUTH, 2)
PLACE = {item: row for row, item in enumerate(ITEMS)}
CLUSTERS = {item: f"c{row // 3}" for row, item in enumerate(ITEMS)}
OUTPUTS = dict.fromkeys(ITEMS, "same")
OTHER_OUTPUTS = {
    item: "other" if TRUTH[row] != OTHER_TRUTH[row] or row % 3 == 0 else "same"
    for row, item in enumerate(ITEMS)
}
LABELLED = {item: "pass" if TRUTH[row] else "fail" for row, item in enumerate(ITEMS[:52])}
FILLED = {
    "plain": ({}, TRUTH),
    "clusters": ({"cluster": CLUSTERS}, TRUTH),
    "verdicts": ({"goal": "difference", "other": OTHER}, TRUTH - OTHER_TRUTH),
    "outputs": (
        {
            "goal": "difference",
            "other": OTHER,
            "outputs": OUTPUTS,
            "other_outputs": OTHER_OUTPUTS,
        },
        TRUTH - OTHER_TRUTH,
    ),
}


@pytest.mark.parametrize("case", FILLED)
def test_totals_weighted_by_the_chances_are_unbiased(case):
    settings, values = FILLED[case]
    totals, times = [], np.zeros(N)
    stated = np.full(N, np.nan)
    n_draws = 700
    for seed in range(n_draws):
        drawn = ae.next_items(VOTES, 12, random=seed, **settings)
        rows = np.array([PLACE[item] for item in drawn.items])
        assert len(rows) == 12
        chances = np.array(drawn.inclusion)
        times[rows] += 1
        stated[rows] = chances
        totals.append((values[rows] / chances).sum())
    error = np.std(totals) / np.sqrt(n_draws)
    assert np.mean(totals) == pytest.approx(values.sum(), abs=4 * error)
    seen = ~np.isnan(stated)
    spread = np.sqrt(stated[seen] * (1 - stated[seen]) / n_draws)
    assert (np.abs(times[seen] / n_draws - stated[seen]) < 4.5 * spread + 1e-9).all()
    assert stated[seen].sum() == pytest.approx(12)
    assert (values[~seen] == 0).all()  # what cannot be drawn has no difference


def test_uncertain_draws_are_unbiased_where_they_pay():
    rng = np.random.default_rng(3)
    truth = np.concatenate([np.ones(300, int), rng.integers(0, 2, 60)])
    items = [f"q{k}" for k in range(360)]
    column = ["pass"] * 300 + ["pass", "fail"] * 30
    mixed = ["pass"] * 300 + ["fail", "pass"] * 30
    votes = ae.Votes.from_columns({"a": column, "b": mixed}, items=items, labels=["fail", "pass"])
    known = rng.choice(360, 60, replace=False)
    gold = {items[row]: "pass" if truth[row] else "fail" for row in known.tolist()}
    rest = truth.sum() - truth[known].sum()
    totals = []
    for seed in range(300):
        drawn = ae.next_items(votes, 30, gold=gold, strategy="uncertain", random=seed)
        rows = np.array([int(item[1:]) for item in drawn.items])
        totals.append((truth[rows] / np.array(drawn.inclusion)).sum())
    assert drawn.strategy == "uncertain"
    assert drawn.predicted_gain > 0.2
    assert drawn.drawn == "unequal"
    assert not set(drawn.items) & set(gold)
    assert np.mean(totals) == pytest.approx(rest, abs=4 * np.std(totals) / np.sqrt(300))


def test_doubt_that_tells_nothing_is_not_followed():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 200)
    votes = panel(truth, 5, right=0.5, items=[f"q{k}" for k in range(200)])
    gold = {f"q{k}": "pass" if truth[k] else "fail" for k in range(60)}
    drawn = ae.next_items(votes, 20, gold=gold, strategy="uncertain")
    assert drawn.strategy == "spread"
    assert drawn.predicted_gain < 0.05
    assert "too little to be worth it" in drawn.message
    assert np.ptp(drawn.inclusion) == 0


def test_clusters_are_spread():
    drawn = ae.next_items(VOTES, 20, cluster=CLUSTERS)
    assert len({CLUSTERS[item] for item in drawn.items}) == 20
    assert "20 clusters" in drawn.message


def test_identical_outputs_are_never_drawn_and_their_share_is_told():
    drawn = ae.next_items(VOTES, 5, **FILLED["outputs"][0])
    differ = [item for item in ITEMS if OTHER_OUTPUTS[item] == "other"]
    assert set(drawn.items) <= set(differ)
    assert drawn.share_differing == pytest.approx(len(differ) / N)
    assert (drawn.drawn, drawn.n_eligible) == ("differing", len(differ))
    assert drawn.inclusion == (5 / len(differ),) * 5


def test_differing_verdicts_are_drawn_more_often_but_not_alone():
    drawn = ae.next_items(VOTES, 12, **FILLED["verdicts"][0])
    chances = dict(zip(drawn.items, drawn.inclusion, strict=True))
    often = max(chances.values())
    assert often > 2 * min(chances.values())
    for item, chance in chances.items():
        row = PLACE[item]
        differ = (VOTES.codes[row].sum() >= 2) != (OTHER.codes[row].sum() >= 2)
        assert chance == (often if differ else min(chances.values()))
    assert drawn.drawn == "unequal"


def test_the_file_keeps_chances_and_is_read_back_as_gold(tmp_path):
    path = tmp_path / "label.csv"
    drawn = ae.next_items(VOTES, 12, random=5, **FILLED["verdicts"][0])
    drawn.write(path)
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == list(drawn.items)
    assert {row["truth_a"] for row in rows} == {""}
    for row in rows:
        place = PLACE[row["item"]]
        row["truth_a"] = "pass" if TRUTH[place] else "fail"
        row["truth_b"] = "pass" if OTHER_TRUTH[place] else "fail"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    found = ae.compare_systems(VOTES, OTHER, label="pass", gold=path)
    assert (found.drawn, found.n_gold) == ("unequal", 12)
    again = ae.compare_systems(VOTES, OTHER, label="pass", gold=rows)
    assert again.low == found.low
    more = ae.next_items(VOTES, 6, gold=path, random=1, **FILLED["verdicts"][0])
    assert not set(more.items) & set(drawn.items)
    assert list(more.before) == [item for item in ITEMS if item in set(drawn.items)]


def test_the_file_of_a_rate_is_gold_with_chances(tmp_path):
    path = tmp_path / "label.csv"
    gold = {"q1": "pass", "q7": "fail"}
    drawn = ae.next_items(VOTES, 5, gold=gold)
    drawn.write(path)
    text = path.read_text().replace(",\n", ",pass\n")
    path.write_text(text)
    read = read_gold(path, VOTES, "pass")
    assert len(read) == 7
    chances = {VOTES.items[row]: p for row, p in zip(read.rows, read.inclusion, strict=True)}
    assert chances == drawn.chances
    assert chances["q1"] == chances["q7"] == 1
    assert drawn.drawn == "unequal"


def test_by_goal_labels_the_most_doubtful_come_first_without_chances(tmp_path):
    columns = {j: ["pass"] * 10 + ["fail"] * 10 for j in "abc"}
    columns["c"][3] = "fail"
    columns["c"][14] = "pass"
    votes = ae.Votes.from_columns(columns)
    drawn = ae.next_items(votes, 2, goal="labels")
    assert set(drawn.items) == {"4", "15"}
    assert drawn.inclusion is None
    assert drawn.drawn is None
    assert "no interval" in drawn.message
    assert drawn.chances == {}
    drawn.write(tmp_path / "label.csv")
    assert (tmp_path / "label.csv").read_text().startswith("item,truth\n")


def test_what_is_left_is_all_that_can_be_drawn():
    drawn = ae.next_items(VOTES, 50, gold=LABELLED)
    assert len(drawn.items) == 8
    assert set(drawn.inclusion) == {1}


def test_the_same_seed_draws_the_same():
    one, two, three = (ae.next_items(VOTES, 9, random=s).items for s in (1, 1, 2))
    assert one == two != three


def test_a_table_will_do(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,a,b\nq1,x,y\nq2,x,x\nq3,y,y\n")
    assert len(ae.next_items(path, 2).items) == 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n": 0}, "n must be a whole number"),
        ({"goal": "win"}, "goal must be one of"),
        ({"strategy": "active"}, "strategy must be one of"),
        ({"strategy": "uncertain"}, "needs at least 50 labels.* got 0"),
        ({"goal": "difference"}, "other must hold .* without it"),
        ({"other": OTHER}, "other must hold .* with it"),
        ({"outputs": OUTPUTS}, "outputs belong to goal='difference'"),
        ({"goal": "labels", "strategy": "uncertain"}, "belongs to goal='rate'"),
        ({"gold": dict.fromkeys(ITEMS, "pass")}, "items must be left"),
        ({"label": "maybe"}, "label must be one of"),
    ],
)
def test_what_is_wrong_is_said(settings, words):
    with pytest.raises(ae.DataError, match=words):
        ae.next_items(VOTES, **({"n": 5} | settings))


def test_the_summary_lists_items_and_says_to_keep_the_chances():
    told = ae.next_items(VOTES, 25).summary()
    assert "25 items of 60" in told
    assert "and 5 items more" in told
    assert "Keep the chances" in told


@pytest.mark.parametrize("draws", [14, pytest.param(60, marks=pytest.mark.slow)])
def test_a_rate_from_such_labels_is_unbiased(draws):
    """The pilot counts with a chance of 1, whatever way it was chosen; the new ones with theirs."""
    rating = pytest.importorskip("algeval.rates.rating")
    rng = np.random.default_rng(5)
    truth = (rng.random(300) < 0.8).astype(int)
    items = [f"q{k}" for k in range(300)]
    votes = panel(truth, 6, right=0.85, items=items)
    known = {q: "pass" if t else "fail" for q, t in zip(items, truth, strict=True)}
    before = {q: known[q] for q in rng.choice(items, 60, replace=False).tolist()}
    found = []
    for seed in range(draws):
        drawn = ae.next_items(votes, 60, gold=before, strategy="uncertain", random=seed)
        gold = {q: known[q] for q in drawn.chances}
        told = rating.rate(
            votes, "pass", gold, drawn="unequal", inclusion=drawn.chances, time_limit=0.05
        )
        found.append((told.rate, told.low <= truth.mean() <= told.high))
    rates, hits = np.array(found).T
    assert rates.mean() == pytest.approx(truth.mean(), abs=4 * rates.std() / draws**0.5)
    assert hits.mean() >= 0.75
