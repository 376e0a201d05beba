"""What to label next: chances that hold, estimates that stay unbiased, a file that keeps both."""

import csv
import re
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run as command
from algeval.errors import DataError
from algeval.rates.inputs import Waves, panel_of, read_gold
from algeval.rates.rating import Drawn, answer_of, inclusion_of, predictor_of
from algeval.rates.sampling import shares_of_systems
from algeval.report.answerable import what_it_answers

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
    assert {chances[item] for item in gold} == {1.0}  # for themselves: nothing was stated of them
    assert {chances[item] for item in drawn.items} == {5 / 58}
    assert drawn.drawn == "unequal"
    assert read.waves.number.tolist().count(1) == 2
    assert [(r["strategy"], r["inclusion"]) for r in drawn.ledger[:2]] == [("unknown", None)] * 2


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
        ({"label": "maybe"}, "good must be one of"),
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
    """Pilots are random draws, and keep their chance beside those of a wave that looked at them."""
    rng = np.random.default_rng(5)
    truth = (rng.random(300) < 0.8).astype(int)
    items = [f"q{k}" for k in range(300)]
    votes = panel(truth, 6, right=0.85, items=items)
    known = {q: "pass" if t else "fail" for q, t in zip(items, truth, strict=True)}
    found = []
    for seed in range(draws):
        before = {q: known[q] for q in rng.choice(items, 60, replace=False).tolist()}
        drawn = ae.next_items(votes, 60, gold=before, strategy="uncertain", random=seed)
        told = asked(votes, [row | {"truth": known[row["item"]]} for row in drawn.ledger]).estimate
        found.append((told.rate, told.low <= truth.mean() <= told.high))
    rates, hits = np.array(found).T
    assert rates.mean() == pytest.approx(truth.mean(), abs=4 * rates.std() / draws**0.5)
    assert hits.mean() >= 0.75


def in_waves(votes, truth, plan, seed, label="pass"):
    """Return the labels of several draws, each of which reads what the one before wrote."""
    rows, place = None, {item: row for row, item in enumerate(votes.items)}
    for wave, (n, strategy) in enumerate(plan):
        drawn = ae.next_items(
            votes, n, gold=rows, label=label, strategy=strategy, random=seed + wave
        )
        rows = [
            row | {"truth": "pass" if truth[place[row["item"]]] else "fail"} for row in drawn.ledger
        ]
    return rows, drawn


def asked(votes, rows):
    """Return the interval of `rate`, without the rows that labels have no part in."""
    gold, panel = read_gold(rows, votes, "pass"), panel_of(votes, "pass")
    chances = inclusion_of(None, gold, votes, "random")
    drawn = Drawn(
        gold=gold,
        panel=panel,
        predictor=predictor_of(None, votes, panel, None),
        target="items",
        level=0.95,
        random=0,
        inclusion=None if chances is None else chances[0],
        squares=None if chances is None else chances[1],
    )
    return answer_of(drawn, "auto")


PLANS = {
    "at once": [(100, "spread")],
    "five waves": [(20, "spread")] * 5,
    "half by doubt": [(50, "spread"), (50, "uncertain")],
    "four by doubt": [(60, "spread")] + [(10, "uncertain")] * 4,
    "doubt between": [(50, "spread"), (25, "uncertain"), (25, "spread")],
}


def width_and_coverage(setting, plan, runs):
    pi, right = setting
    rng = np.random.default_rng(1)
    found = []
    for run in range(runs):
        truth = (rng.random(600) < pi).astype(int)
        votes = panel(truth, run, right=right, items=[f"q{k}" for k in range(600)])
        told = asked(votes, in_waves(votes, truth, PLANS[plan], 10 * run)[0]).estimate
        found.append((told.high - told.low, told.low <= truth.mean() <= told.high))
    return np.mean(found, axis=0)


@pytest.mark.parametrize(
    ("setting", "runs"),
    [
        ((0.8, 0.85), 12),
        *[
            pytest.param((pi, right), 2000, marks=pytest.mark.slow)
            for pi, right in ((0.8, 0.85), (0.9, 0.85), (0.6, 0.75))
        ],
    ],
)
def test_waves_are_worth_their_labels(setting, runs):
    at_once, _ = width_and_coverage(setting, "at once", runs)
    for plan in PLANS:
        width, held = width_and_coverage(setting, plan, runs)
        assert width <= 1.15 * at_once, plan
        assert held >= (0.93 if runs > 1000 else 0.7), plan


def test_even_waves_are_one_random_draw():
    rows, drawn = in_waves(VOTES, TRUTH, [(6, "spread")] * 4, 3)
    assert drawn.drawn == "random"
    assert [row["wave"] for row in rows].count(4) == 6
    assert {row["inclusion"] for row in rows} == {24 / N}
    assert drawn.chances == {row["item"]: 24 / N for row in rows}
    plain = {row["item"]: row["truth"] for row in rows}
    told, without = (ae.rate(VOTES, "pass", g, time_limit=0) for g in (rows, plain))
    assert (told.low, told.rate, told.high) == (without.low, without.rate, without.high)
    weighted = ae.rate(VOTES, "pass", rows, drawn="unequal", time_limit=0)
    assert weighted.method == "weighted"


def test_weights_of_waves_are_unbiased_over_every_draw():
    """All draws of two waves of five items, the second by what the first said: exact, by enumeration."""
    y, n_items = np.array([1.0, 0, 0, 1, 1]), 5
    mean = np.zeros(n_items)
    for first in combinations(range(n_items), 2):
        left = [k for k in range(n_items) if k not in first]
        sizes = np.array([3.0, 2, 1]) if y[first[0]] else np.ones(3)
        for k, chance in zip(left, sizes / sizes.sum(), strict=True):
            waves = Waves(np.array([1, 1, 2]), ("spread", "spread", "uncertain"))
            weights, squares = waves.weights(np.array([0, 0, chance]), n_items)
            assert (squares >= 0).all()
            mean[[*first, k]] += weights * chance / 10
    assert mean == pytest.approx(np.ones(n_items))


@pytest.mark.parametrize("sizes", [(3, 4, 5), (1, 1, 8), (20, 1, 30)])
def test_weights_of_even_waves_are_those_of_one_draw(sizes):
    """Even where waves are told apart: nothing is lost by averaging them."""
    n = sum(sizes)
    hows = sum(((f"wave {k}",) * size for k, size in enumerate(sizes)), ())
    left = 60 - np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chances = np.repeat(np.array(sizes) / left, sizes)
    weights, squares = Waves(np.repeat([1, 2, 3], sizes), hows).weights(chances, 60)
    assert weights == pytest.approx(np.full(n, 60 / n))
    assert squares.sum() == pytest.approx(60**2 * (1 / n - 1 / 60))


def test_labels_that_were_picked_speak_for_their_own_items():
    votes = panel(TRUTH, 6, right=0.9)
    agreed = np.flatnonzero((votes.codes == votes.labels.index("pass")).all(axis=1))[:15]
    gold = {ITEMS[row]: "pass" if TRUTH[row] else "fail" for row in agreed}
    drawn = ae.next_items(votes, 20, gold=gold)
    assert "15 earlier labels count for their own items alone" in drawn.message
    assert {drawn.chances[item] for item in gold} == {1.0}
    assert set(drawn.inclusion) == {20 / 45}
    rows = [
        row | {"truth": "pass" if TRUTH[PLACE[row["item"]]] else "fail"} for row in drawn.ledger
    ]
    found = ae.rate(votes, "pass", rows, time_limit=0)
    assert (found.status.value, found.method) == ("ok", "weighted")
    assert "drawn in waves" in found.assumption


def test_files_of_chances_alone_are_read_with_a_note():
    rows = [{"item": q, "inclusion": 0.25, "truth": "pass"} for q in ITEMS[::4]]
    assert "one random draw" in read_gold(rows, VOTES, "pass").notes[0]
    assert ae.next_items(VOTES, 5, gold=rows).drawn == "random"
    rows += [{"item": q, "inclusion": 1.0, "truth": "fail"} for q in ITEMS[1:20:4]]
    assert "each label counts one over its chance" in read_gold(rows, VOTES, "pass").notes[0]
    drawn = ae.next_items(VOTES, 5, gold=rows)
    hows = {item: how for item, (_, how, _) in drawn.waves.items()}
    assert {hows[q] for q in ITEMS[1:20:4]} == {"unknown"}
    assert {hows[q] for q in ITEMS[::4]} == {"unequal"}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"wave": "one"}, "must hold a whole number and one of"),
        ({"strategy": "clever"}, "must hold a whole number and one of"),
        ({"wave": 1, "strategy": "uncertain"}, "must have one strategy"),
    ],
)
def test_waves_that_are_none_are_refused(wrong, words):
    rows, _ = in_waves(VOTES, TRUTH, [(6, "spread")] * 2, 3)
    rows[0] |= {"wave": 1}
    rows[1] |= {"wave": 1}
    rows[0] |= wrong
    with pytest.raises(ae.DataError, match=words):
        read_gold(rows, VOTES, "pass")


def test_a_wave_by_doubt_that_is_not_labelled_in_full_is_refused():
    rng = np.random.default_rng(2)
    truth = (rng.random(600) < 0.8).astype(int)
    votes = panel(truth, 1, right=0.85, items=[f"q{k}" for k in range(600)])
    rows, _ = in_waves(votes, truth, PLANS["half by doubt"], 5)
    kept = [row for row in rows if row["strategy"] == "spread"]
    with pytest.raises(ae.DataError, match="label every item that was drawn"):
        asked(votes, kept + [row for row in rows if row["strategy"] != "spread"][:12])


def of_differences(seed, plan, n_items=600, known_outputs=False, right=0.85):
    """Return two systems, their truths, what compares them, and the rows of labels in waves."""
    rng = np.random.default_rng(seed)
    items = [f"q{k}" for k in range(n_items)]
    truths = (rng.random(n_items) < 0.8).astype(int), (rng.random(n_items) < 0.65).astype(int)
    truths = truths[0], np.where(rng.random(n_items) < 0.5, *truths)
    a, b = (panel(t, seed + s + 1, right, items) for s, t in enumerate(truths))
    settings = {}
    if known_outputs:
        differ = (truths[0] != truths[1]) | (rng.random(n_items) < 0.3)
        texts = [["x"] * n_items, np.where(differ, "y", "x").tolist()]
        settings = {"outputs": texts[0], "other_outputs": texts[1]}
    place = {item: row for row, item in enumerate(items)}
    rows = None
    for wave, n in enumerate(plan):
        drawn = ae.next_items(
            a,
            n,
            gold=rows,
            goal="difference",
            other=b,
            label="pass",
            random=100 * seed + wave,
            **settings,
        )
        words = [["fail", "pass"][t] for t in (0, 1)]
        rows = [
            row
            | {
                f"truth_{s}": words[t[place[row["item"]]]]
                for s, t in zip("ab", truths, strict=True)
            }
            for row in drawn.ledger
        ]
    outputs = {f"outputs_{s}": texts for s, texts in zip("ab", settings.values(), strict=False)}
    return (a, b), truths, rows, outputs, drawn


@pytest.mark.parametrize("known_outputs", [False, True])
@pytest.mark.parametrize("runs", [8, pytest.param(400, marks=pytest.mark.slow)])
def test_waves_for_a_difference_are_worth_their_labels(known_outputs, runs):
    widths, held = {1: [], 5: []}, {1: 0, 5: 0}
    for seed in range(runs):
        for waves in (1, 5):
            votes, truths, rows, outputs, drawn = of_differences(
                seed, [100 // waves] * waves, known_outputs=known_outputs
            )
            how = {"drawn": drawn.drawn} if drawn.drawn == "differing" else {}
            found = ae.compare_systems(*votes, label="pass", gold=rows, **outputs, **how)
            widths[waves].append(found.high - found.low)
            held[waves] += found.low <= float((truths[0] - truths[1]).mean()) <= found.high
    assert np.mean(widths[5]) == pytest.approx(np.mean(widths[1]), rel=0.06 if runs > 100 else 0.2)
    least = 0.95 * runs - 3.5 * (0.0475 * runs) ** 0.5
    assert min(held.values()) >= least


def test_waves_for_a_difference_keep_one_chance_for_items_apart_and_one_for_others():
    (a, b), _, rows, _, drawn = of_differences(3, [30, 20, 50])
    apart = {
        item: x != y
        for item, x, y in zip(
            a.items, panel_of(a, "pass").verdict, panel_of(b, "pass").verdict, strict=True
        )
    }
    for kind in (False, True):
        chances = [row["inclusion"] for row in rows if apart[row["item"]] == kind]
        size = sum(v == kind for v in apart.values())
        assert chances == pytest.approx([len(chances) / size] * len(chances))
    assert "50 earlier labels count in full" in drawn.message


def test_earlier_labels_of_a_difference_that_were_picked_count_for_themselves():
    (a, b), _, _, _, _ = of_differences(3, [30])
    both = (a.codes.sum(1) == 3) & (b.codes.sum(1) == 0)
    picked = [a.items[k] for k in np.flatnonzero(both)[:15]]
    gold = [{"item": item, "truth_a": "pass", "truth_b": "fail"} for item in picked]
    drawn = ae.next_items(a, 40, gold=gold, goal="difference", other=b, label="pass")
    assert {drawn.chances[item] for item in picked} == {1.0}
    assert max(drawn.inclusion) < 1
    assert f"{len(picked)} earlier labels count for their own items alone" in drawn.message
    rows = [row | {"truth_a": "pass", "truth_b": "fail"} for row in drawn.ledger]
    again = ae.next_items(a, 40, gold=rows, goal="difference", other=b, label="pass")
    assert {item for item, chance in again.chances.items() if chance == 1} == set(picked)
    total = sum(1 / chance for chance in again.chances.values())
    assert total == pytest.approx(a.n_items)


def test_fifty_items_are_drawn_unless_a_number_is_said():
    votes = ae.Votes.from_columns({"a": ["pass", "fail"] * 40, "b": ["pass"] * 80})
    assert len(ae.next(votes).items) == 50
    few = ae.Votes.from_columns({"a": ["pass", "fail"] * 20, "b": ["pass"] * 40})
    assert len(ae.next(few).items) == 40


# --- A second day: the table has grown since its first labels were drawn.


def grown(seed, n_first=100, n_more=200):
    """Votes of the first day, of the second, and the truth: what was added passes far less often."""
    rng = np.random.default_rng(seed)
    passes = np.concatenate([rng.random(n_first) < 0.9, rng.random(n_more) < 0.4]).astype(int)
    right = rng.random((n_first + n_more, 3)) < 0.75
    codes = np.where(right, passes[:, None], 1 - passes[:, None]).astype(np.int16)
    words, judges = ["fail", "pass"], ["x", "y", "z"]
    items = [f"q{k}" for k in range(len(passes))]
    first = ae.Votes(items[:n_first], judges, words, words, codes[:n_first])
    return first, ae.Votes(items, judges, words, words, codes), passes


def filled(drawn, path, passes):
    """Write what was drawn, with labels."""
    drawn.write(path)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["truth"] = ("fail", "pass")[passes[int(row["item"][1:])]]
    with path.open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_labels_of_a_table_that_grew_are_no_draw_from_all_of_it(tmp_path):
    day_1, day_2, passes = grown(0)
    labels = filled(ae.next(day_1, 30, good="pass"), tmp_path / "day1.csv", passes)
    assert not any("drawn from" in w for w in ae.rate(day_1, "pass", human=labels).warnings)
    assert any(
        "drawn from 100 items and the table has 300" in w
        for w in ae.judge_card(day_2, human=labels).warnings
    )
    more = ae.next(day_2, 30, good="pass", human=labels)
    assert "30 earlier labels count for their own items alone" in more.message
    assert {how for wave, how, _ in more.waves.values() if wave == 1} == {"unknown"}
    drawn = {chance for wave, _, chance in more.waves.values() if wave == 2}
    assert drawn == {30 / 270}
    again = filled(more, tmp_path / "day2.csv", passes)
    third = ae.next(day_2, 10, good="pass", human=again)  # of the same table: nothing has grown
    assert {how for wave, how, _ in third.waves.values() if wave > 1} == {"spread"}
    assert not any("drawn from" in w for w in ae.rate(day_2, "pass", human=again).warnings)


@pytest.mark.slow
def test_the_interval_of_a_table_that_grew_holds(tmp_path):
    inside = 0
    for seed in range(60):
        day_1, day_2, passes = grown(seed)
        labels = filled(ae.next(day_1, 30, good="pass", random=seed), tmp_path / "day1.csv", passes)
        more = ae.next(day_2, 40, good="pass", human=labels, random=seed)
        rate = ae.rate(day_2, "pass", human=filled(more, tmp_path / "day2.csv", passes))
        inside += rate.low <= passes.mean() <= rate.high
    assert inside >= 51  # 57 expected; fewer than 51 has a chance under 1 in 1,000


# --- One table with two systems: both outputs of a prompt, with the chances of prompts.


def two_systems(n=60, seed=0, labelled=()):
    rng = np.random.default_rng(seed)
    rows, truth = [], {}
    for p in range(n):
        for system, share in (("old", 0.6), ("new", 0.75)):
            good = int(rng.random() < share)
            judged = {f"gpt-{j}": ("fail", "pass")[good ^ int(rng.random() < 0.15)] for j in (1, 2)}
            truth[f"p{p}:{system}"] = ("fail", "pass")[good]
            said = truth[f"p{p}:{system}"] if p in labelled else ""
            rows.append(
                {"prompt_id": f"p{p}", "system": system, "response": f"what {system} says of {p}"}
                | judged
                | {"gpt_reason": f"because of this and that {p}", "human": said}
            )
    return rows, truth


def test_both_outputs_of_a_prompt_are_drawn_of_a_table_with_two_systems(tmp_path):
    rows, truth = two_systems(labelled=(3, 5))
    drawn = ae.next(rows, 10, goal="difference")
    assert len(drawn.items) == 10
    assert not {"p3", "p5"} & set(drawn.items)
    assert drawn.outputs[drawn.items[0]] == tuple(f"{drawn.items[0]}:{s}" for s in ("old", "new"))
    assert "Label both outputs of each." in drawn.message
    drawn.write(tmp_path / "to_label.csv")
    with (tmp_path / "to_label.csv").open() as file:
        sheet = list(csv.DictReader(file))
    assert len(sheet) == 2 * 12
    assert [*sheet[0]] == ["item", "inclusion", "truth", "response"]
    assert {r["item"]: r["truth"] for r in sheet if r["truth"]} == {
        i: truth[i] for i in ("p3:old", "p3:new", "p5:old", "p5:new")
    }
    by_prompt = [
        {r["inclusion"] for r in sheet if r["item"].startswith(f"{p}:")} for p in drawn.items
    ]
    assert all(len(chances) == 1 for chances in by_prompt)
    filled = [r | {"truth": truth[r["item"]]} for r in sheet]
    pd.DataFrame(filled).to_csv(tmp_path / "filled.csv", index=False)
    result = ae.versus(rows, human=str(tmp_path / "filled.csv"))
    assert (result.n_items, result.n_gold) == (60, 12)
    again = ae.next(rows, 5, goal="difference", human=str(tmp_path / "filled.csv"))
    assert {*again.before} == {*drawn.before, *drawn.items}


def test_every_prompt_has_the_same_chance():
    table, n = ae.read_results(two_systems(20)[0]), 150
    draws = (ae.next(table, 5, goal="difference", random=seed).items for seed in range(n))
    seen = Counter(item for items in draws for item in items)
    assert len(seen) == 20
    counts = np.array([*seen.values()])
    assert abs(counts - n / 4).max() < 4 * (n * 0.25 * 0.75) ** 0.5


def test_two_systems_without_a_prompt_in_common_are_refused():
    rows, _ = two_systems(20)
    apart = [r | {"prompt_id": f"{r['prompt_id']}-{r['system']}"} for r in rows]
    with pytest.raises(
        DataError, match=r"prompts must have one output of each system \(old, new\)"
    ):
        ae.next(apart, 5, goal="difference")


@pytest.mark.parametrize("goal", ["rate", "labels"])
def test_the_texts_of_outputs_stand_in_the_file_and_no_reasons(goal):
    rows, _ = two_systems(20)
    drawn = ae.next(rows, 5, goal=goal)
    assert {r["item"]: r["response"] for r in drawn.ledger} == {
        f"{r['prompt_id']}:{r['system']}": r["response"]
        for r in rows
        if f"{r['prompt_id']}:{r['system']}" in drawn.items
    }
    assert "gpt_reason" not in drawn.ledger[0]
    assert "texts" not in drawn.to_dict()


@pytest.mark.slow
def test_the_estimate_from_prompts_drawn_is_right():
    misses, errors = 0, []
    for seed in range(150):
        rows, truth = two_systems(100, seed)
        good = {i: label == "pass" for i, label in truth.items()}
        difference = np.mean([good[f"p{p}:old"] - 1.0 * good[f"p{p}:new"] for p in range(100)])
        drawn = ae.next(rows, 30, goal="difference", random=seed)
        human = [r | {"truth": truth[r["item"]]} for r in drawn.ledger]
        result = ae.versus(
            rows, human=[{k: r[k] for k in ("item", "inclusion", "truth")} for r in human]
        )
        misses += not result.low <= difference <= result.high
        errors.append(result.difference - difference)
    assert misses <= 15
    assert abs(np.mean(errors)) < 3 * np.std(errors) / len(errors) ** 0.5 + 0.005


def test_labels_of_one_output_of_a_prompt_stay_in_the_file_of_the_next(tmp_path):
    rows, truth = two_systems(labelled=(3, 5))
    for row in rows[::3]:
        row["human"] = truth[f"{row['prompt_id']}:{row['system']}"]
    before = {f"{row['prompt_id']}:{row['system']}" for row in rows if row["human"]}
    unstated = ae.next(rows, 10, goal="difference")
    assert {line["inclusion"] for line in unstated.ledger if line["truth"]} <= {None}
    chance = len(before) / len(rows)
    labels = [{"item": i, "inclusion": chance, "truth": truth[i]} for i in sorted(before)]
    plain = ae.read_results([row | {"human": ""} for row in rows])
    drawn = ae.next(plain, 10, goal="difference", human=labels)
    drawn.write(tmp_path / "to_label.csv")
    lines = list(csv.DictReader((tmp_path / "to_label.csv").read_text("utf-8").splitlines()))
    assert {line["item"] for line in lines if line["truth"]} == before
    assert len({line["inclusion"] for line in lines}) == 1  # one random draw of outputs
    assert sum(not line["truth"] for line in lines) == 20 - len(
        before & {item for prompt in drawn.items for item in drawn.outputs[prompt]}
    )
    for line in lines:
        line["truth"] = truth[line["item"]]
    compared = ae.versus(rows, human={line["item"]: line["truth"] for line in lines})
    assert sum(compared.n_own_gold) == len(lines)


def uneven_systems(labelled=0, n=60, seed=4):
    """Outputs of a system that passes half of the time and of one that nearly always does."""
    rng = np.random.default_rng(seed)
    rows = []
    for p in range(n):
        for name, share in (("old", 0.5), ("new", 0.9)):
            good = rng.random() < share
            judged = {
                j: "pass" if good ^ (rng.random() < 0.1) else "fail" for j in ("gpt", "claude")
            }
            said = ("pass" if good else "fail") if rng.random() < labelled else ""
            ids = {"output_id": f"{name}{p}", "prompt_id": f"p{p}", "system": name}
            rows.append(ids | judged | {"human": said})
    return rows


@pytest.mark.parametrize("labelled", [0.0, 0.2])
def test_labels_are_shared_among_systems_as_columns_counts_them(labelled):
    table = ae.read_results(uneven_systems(labelled))
    missing = {m.question: m.needs for m in what_it_answers(table, "t.csv")[1]}
    needs = missing["the rate of each system to within 10 points"]
    wanted = {name: int(n) for n, name in re.findall(r"(\d+) of (old|new)", needs)}
    n = int(re.search(r"--n (\d+)", needs)[1])
    drawn = ae.next(table, n)
    assert drawn.systems == wanted
    assert Counter(item[:3] for item in drawn.items) == wanted
    assert f"{n} items of" in drawn.message
    assert f"{wanted['old']} of old and {wanted['new']} of new" in drawn.message
    assert ae.next(uneven_systems(labelled), n).items == drawn.items


def test_outputs_of_a_system_have_one_chance_which_is_its_share():
    table, n = ae.read_results(uneven_systems(0.2)), 200
    draws = [ae.next(table, 20, random=seed) for seed in range(n)]
    first, seen = draws[0], Counter(item for drawn in draws for item in drawn.items)
    for name, got in first.systems.items():
        before = sum(item.startswith(name) for item in first.before)
        chance = {p for i, p in zip(first.items, first.inclusion, strict=True) if name in i}
        assert chance == {got / (60 - before)}  # nobody stated a chance of the labels before
        new, left = got / (60 - before), 60 - before
        counts = np.array([c for item, c in seen.items() if item.startswith(name)])
        assert len(counts) == left
        assert abs(counts - n * new).max() < 4.2 * (n * new * (1 - new)) ** 0.5


def test_labels_drawn_by_system_are_a_random_draw_of_each(tmp_path):
    rows = uneven_systems()
    drawn = ae.next(rows, 20)
    drawn.write(tmp_path / "to_label.csv")
    sheet = pd.read_csv(tmp_path / "to_label.csv", dtype=str).fillna({"truth": "pass"})
    sheet.to_csv(tmp_path / "filled.csv", index=False)
    plain = dict(zip(sheet["item"], sheet["truth"], strict=True))
    table = ae.read_results([{k: v for k, v in row.items() if k != "human"} for row in rows])
    filed, mapped = table.with_people(tmp_path / "filled.csv"), table.with_people(plain)
    for name, part in filed.by_system.items():
        own, other = (ae.rate(r, human="key") for r in (part.votes, mapped.by_system[name].votes))
        assert (own.low, own.rate, own.high) == (other.low, other.rate, other.high)
    pooled = ae.rate(filed.votes, human="key")
    assert "chances" in pooled.message
    assert ae.next(filed, 10).systems
    half = sheet.assign(truth=[t if k % 2 else None for k, t in enumerate(sheet["truth"])])
    some = table.with_people(half).votes
    gold = read_gold("key", some, "pass")
    assert sum(1 / gold.inclusion) == pytest.approx(len(some))  # each stands for its system


def test_labels_without_a_chance_speak_for_their_own_items_beside_draws_by_system():
    rows = uneven_systems()
    for row in rows:
        both = {row["gpt"], row["claude"]}
        row["human"] = "pass" if row["system"] == "old" and both == {"pass"} else ""
    drawn = ae.next(rows, 60)
    picked = {row["output_id"] for row in rows if row["human"]}
    assert sum(drawn.systems.values()) == 60
    assert min(drawn.systems.values()) > 0
    few = ae.next(rows, 1)
    sheet = [line | {"truth": line["truth"] or "pass"} for line in few.ledger]
    assert ae.rate(rows, human=sheet).low >= 0  # one system has no draw: said, not divided by
    assert f"{len(picked)} earlier labels count for their own items alone" in drawn.message
    assert {
        item for item, (_, how, p) in drawn.waves.items() if (how, p) == ("unknown", None)
    } == picked
    assert {line["inclusion"] for line in drawn.ledger if line["item"] in picked} == {None}
    truth = {row["output_id"]: "fail" if row["system"] == "old" else "pass" for row in rows}
    sheet = [line | {"truth": truth[line["item"]]} for line in drawn.ledger]
    plain = ae.read_results([row | {"human": ""} for row in rows])
    found = ae.rate(plain.with_people(sheet).votes, human="key")
    assert found.rate == pytest.approx(0.5, abs=0.02)  # what was picked adds to nothing but itself
    for name, part in plain.with_people(sheet).by_system.items():
        assert ae.rate(part.votes, human="key").rate == (0 if name == "old" else 1)
    again = ae.next(plain, 10, human=sheet)
    assert {item for item, (_, how, _) in again.waves.items() if how == "unknown"} == picked
    for name, got in again.systems.items():
        own = [p for i, (_, _, p) in again.waves.items() if i.startswith(name) and p is not None]
        size = 60 - sum(item.startswith(name) for item in picked)
        assert own == [pytest.approx((drawn.systems[name] + got) / size)] * len(own)


@pytest.mark.parametrize("seed", range(40))
def test_labels_of_systems_sum_to_what_was_asked_and_are_never_negative(seed):
    rng = np.random.default_rng(seed)
    n_systems = int(rng.integers(2, 15))
    sizes = rng.integers(1, 30, n_systems)
    rows = [
        {"output_id": f"s{k}-{i}", "system": f"s{k}", "prompt_id": f"p{i}"}
        | {j: rng.choice(["pass", "fail"]) for j in ("gpt", "claude")}
        | {"human": rng.choice(["pass", "fail"]) if rng.random() < 0.1 else ""}
        for k, size in enumerate(sizes.tolist())
        for i in range(size)
    ]
    table = ae.read_results(rows, item="output_id", human="human")
    left = {name: len(part.items) - part.n_labelled for name, part in table.by_system.items()}
    total = sum(left.values())
    for n in {
        1,
        2,
        n_systems - 1,
        n_systems,
        4 * n_systems,
        int(rng.integers(1, 2 * total)),
        total,
    }:
        got = shares_of_systems(table.by_system, left, min(n, total), seed)
        assert sum(got.values()) == min(n, total)
        assert all(0 <= got[name] <= left[name] for name in left)
    if total:
        drawn = ae.next(table, n_systems, random=seed)
        assert Counter(i.split("-")[0] for i in drawn.items) == Counter(drawn.systems)
        assert f"{min(n_systems, total)} items of" in drawn.message or total == 1


def test_few_labels_are_shared_as_evenly_as_it_goes_and_chance_says_who_gets_more():
    rows = [row | {"system": f"{row['system']}{k}", "output_id": f"{row['output_id']}-{k}"}
            for k in range(3) for row in uneven_systems()]  # fmt: skip
    table = ae.read_results(rows)
    first = Counter()
    for seed in range(60):
        for n in (1, 4, 6, 11, 17):
            got = ae.next(table, n, random=seed).systems
            assert max(got.values()) - min(got.values()) <= 1
            first += Counter(got) if n == 1 else Counter()
    assert set(first) == set(table.by_system)
    assert max(first.values()) < 25  # 10 of 60 expected of each of six


def test_the_command_draws_by_system_and_says_so_in_a_sentence(tmp_path, capsys):
    pd.DataFrame(uneven_systems(0.2)).to_csv(tmp_path / "t.csv", index=False)
    assert command(["next", str(tmp_path / "t.csv"), "--n", "30"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"30 items of \d+: \d+ of old and \d+ of new, so that", out)
    assert "taken together" not in out
