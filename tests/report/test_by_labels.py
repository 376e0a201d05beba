"""What people labelled stands above what models say: no estimate that the labels refute is shown unsaid."""

import json
import re

import numpy as np
import pytest

import algeval as ae
from algeval.judges.intervals import share as share_of
from algeval.report import sections
from algeval.report.first import certainty_refuted
from algeval.report.render import page, pictures
from algeval.report.sections import by_columns


def table(n_judges=3, *, human=0.4, n_items=200, seed=0, shared=0.25):
    """Judges of 90%, who err together on some outputs, and what people said of some."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) < 0.7
    together = rng.random(n_items) < shared
    columns = {"output_id": [f"o{k}" for k in range(n_items)]}
    for j in range(n_judges):
        wrong = together | (rng.random(n_items) < 0.03 * (j + 1))
        columns[f"judge{j}"] = np.where(truth ^ wrong, "pass", "fail").tolist()
    labelled = rng.random(n_items) < human
    columns["human"] = [
        ("pass" if good else "fail") if known else None
        for good, known in zip(truth.tolist(), labelled.tolist(), strict=True)
    ]
    return columns


def counted(columns, judge):
    """Right answers of a judge among the labelled, and how many these are."""
    pairs = [
        (vote, label)
        for vote, label in zip(columns[judge], columns["human"], strict=True)
        if label is not None
    ]
    return sum(vote == label for vote, label in pairs), len(pairs)


@pytest.mark.parametrize("shared", [0.0, 0.25])
@pytest.mark.parametrize("keyed", [False, True], ids=["results table", "votes with a key"])
def test_no_accuracy_that_the_labels_exclude_stands_on_screen_or_open_page(shared, keyed):
    columns = table(shared=shared)
    data = columns
    if keyed:
        named = {name: cells for name, cells in columns.items() if name != "output_id"}
        data = ae.read_votes(named, human="human", labels=["fail", "pass"])
    report = ae.report(data, intervals=0)
    ends = {}
    for judge in ("judge0", "judge1", "judge2"):
        k, n = counted(columns, judge)
        _, low, high = share_of(k, n, 0.95)
        ends[judge] = (low, high)
        row = next(r for r in report.overview.table.rows if r[0] == judge)
        assert row[1:3] == (f"{k / n:.0%} ({100 * low:.0f}-{100 * high:.0f})", str(n))
        estimates = [
            cell
            for name, cell in zip(report.overview.table.columns, row, strict=True)
            if name.startswith(("accuracy if", "if independent"))
        ]
        for cell in estimates:
            assert low - 1e-3 <= float(cell.split("%")[0]) / 100 <= high + 1e-3
    assert "stimated accuracy of the consensus" not in report.summary()
    assert "Accuracy by human labels: " not in report.summary()
    votes = ae.read_votes({k: v for k, v in columns.items() if k != "output_id"}, human="human")
    shown = page(report, votes, report.results, {})
    before = shown.partition("<details")[0]
    for judge, share in re.findall(r"(judge\d): ([\d.]+)% right", before):
        assert ends[judge][0] - 1e-3 <= float(share) / 100 <= ends[judge][1] + 1e-3
    assert "Accuracy of each judge by human labels" in before
    assert "if errors are shared" not in before


def test_estimates_that_labels_refute_are_folded_and_said_to_be():
    columns = table()
    report = ae.report(columns, intervals=0)
    (side,) = [s for s in report.sections if s.title == "Side by side"]
    assert side.lines[0].startswith("Refuted by the labels")
    said = re.findall(r"(judge\d) ([\d.]+)% by ", side.lines[0])
    assert said
    for judge, share in said:
        _, low, high = share_of(*counted(columns, judge), 0.95)
        assert not low <= float(share) / 100 <= high
    without = {name: cells for name, cells in columns.items() if name != "human"}
    assert not any("Refuted" in line for s in ae.report(without).sections for line in s.lines)


@pytest.mark.parametrize(("n_right", "refuted"), [(40, True), (73, False)])
def test_how_sure_the_consensus_is_is_drawn_where_labels_do_not_refute_it(n_right, refuted):
    """80 labels, of which the consensus has so many right: 39% to 61% of all, or 83% to 96%."""
    votes = ae.example("support-bot").votes.without_key()
    fit = ae.aggregate(votes)
    assert 0.83 < fit.counts @ fit.posterior.max(axis=1) / votes.n_items < 0.85
    key = np.full(votes.n_items, -1, np.int16)
    key[:80] = fit.decisions[fit.item_pattern[:80]] ^ (np.arange(80) >= n_right)
    known = ae.Votes(votes.items, *votes.axes, votes.codes, key)
    compared = ae.compare(known, intervals=0)
    assert compared["recommended"].score.n_correct == n_right
    assert ("not accuracies" in certainty_refuted(compared)) == refuted
    results = {"comparison": compared, "threshold": ae.threshold(votes)}
    results["recommended"] = compared["recommended"].fit
    titles = [picture.section for picture in pictures(known, results)]
    assert ("Consensus labels" in titles) == (not refuted)


def test_counts_with_a_key_have_the_same_rows_as_their_votes():
    columns = {name: cells for name, cells in table().items() if name != "output_id"}
    votes = ae.read_votes(columns, human="human", labels=["fail", "pass"])
    whole = ae.report(votes.keyed_sketch(), intervals=0).overview
    rows = {row[0]: row[1:5] for row in whole.table.rows}
    of_votes = {row[0]: row[1:5] for row in ae.report(votes, intervals=0).overview.table.rows}
    assert rows == of_votes
    lines = ae.report(votes, intervals=0).overview.about_judges
    assert whole.about_judges[:-1] == lines[:-1]
    assert whole.about_judges[-1].startswith("Whatever the truth, at least 7 of the 264 verdicts")
    assert lines[-1].startswith("Whatever the truth, at least 24 of the 600 verdicts")


BIAS, SLICES = "Is a judge biased?", "Rate of each slice"


@pytest.mark.parametrize(("labels", "titles"), [(29, []), (60, [BIAS, SLICES]), (1600, [SLICES])])
def test_columns_are_looked_at_where_labels_say_something_and_it_is_quick(
    labels, titles, monkeypatch
):
    monkeypatch.setattr(sections, "_MOST_VERDICTS", 3_199)
    rng = np.random.default_rng(0)
    truth = rng.random(1600) < 0.7
    words = np.array(["fail", "pass"])
    table = {
        "output_id": [f"o{k}" for k in range(1600)],
        "topic": rng.choice(["billing", "login"], 1600).tolist(),
        "gpt4o": words[(truth ^ (rng.random(1600) < 0.1)).astype(int)].tolist(),
        "claude": words[(truth ^ (rng.random(1600) < 0.2)).astype(int)].tolist(),
        "human": [w if k < labels else None for k, w in enumerate(words[truth.astype(int)])],
    }
    assert [section.title for section in by_columns(ae.read_results(table))] == titles


def test_a_judge_that_leans_on_length_is_warned_of_once():
    rng = np.random.default_rng(1)
    n = 300
    true, length = rng.random(n) < 0.6, rng.integers(50, 400, n)
    long = (length > 220) & (rng.random(n) < 0.5)
    words = np.array(["fail", "pass"])
    table = {
        "id": [f"o{k}" for k in range(n)],
        "gpt4o": words[(long | (true ^ (rng.random(n) < 0.08))).astype(int)].tolist(),
        "claude": words[(true ^ (rng.random(n) < 0.1)).astype(int)].tolist(),
        "human": [w if k % 2 else None for k, w in enumerate(words[true.astype(int)])],
    }
    for column, warned in ((length.tolist(), 1), (rng.permutation(length).tolist(), 0)):
        lines = ae.report(table | {"tokens": column}, intervals=0).overview.about_judges
        said = [line for line in lines if line.startswith("Warning")]
        assert len(said) == warned
        if warned:
            assert said[0].startswith(
                "Warning: gpt4o gives 'pass' more often where 'tokens' is high"
            )


def test_a_judge_that_leans_to_the_first_answer_is_warned_of():
    rng = np.random.default_rng(2)
    rows = [
        {
            "question_id": k,
            "model_a": "xy"[turned],
            "model_b": "yx"[turned],
            "gpt4o": "A" if rng.random() < 0.8 else "B",
            "claude": "AB"[(k + turned) % 2],
        }
        for k in range(60)
        for turned in (0, 1)
    ]
    lines = ae.report(ae.read_results(rows), intervals=0).overview.about_judges
    said = [line for line in lines if line.startswith("Warning")]
    assert len(said) == 1
    assert said[0].startswith("Warning: gpt4o leans to the answer shown first")


def test_the_figure_of_accuracies_has_the_intervals_of_the_table_and_says_which_they_are(tmp_path):
    rng = np.random.default_rng(2)
    rows = ["id,question,gpt4,claude"]
    lines = [
        '{"schema":"algeval.labels/1","kind":"start","id":"s","time":"t","digest":"d","table":"r.csv",'
        '"n_items":60,"goal":"rate","labels":["pass","fail"],"good":"pass","seed":0,"level":0.95}'
    ]
    for k in range(60):
        truth = "pass" if rng.random() < 0.7 else "fail"
        said = [truth if rng.random() < 0.8 else "fail" for _ in range(2)]
        rows.append(f"q{k},What is the thing number {k}?,{','.join(said)}")
        if k < 25:
            act = {"id": f"a{k}", "kind": "label", "item": f"q{k}", "who": "ann", "time": "t"}
            lines.append(json.dumps(act | {"shown": "t", "seconds": 1.0, "label": truth}))
    table, journal = tmp_path / "r.csv", tmp_path / "r.labels.jsonl"
    table.write_text("\n".join(rows), encoding="utf-8")
    journal.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ae.report(str(table), str(tmp_path / "page.html"), human=str(journal))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "of one judge by itself, and holds whenever one stops labelling" in page
    shown = re.findall(r"the best is (?:gpt4|claude) with (\d+)% \((\d+) to (\d+)\)", page)
    cells = {row[1] for row in ae.report(str(table), human=str(journal)).overview.table.rows}
    assert "{}% ({}-{})".format(*shown[0]) in cells


@pytest.mark.parametrize("n_answered", [4, 20])
def test_judges_of_a_crowd_are_compared_on_what_they_share(n_answered):
    rng = np.random.default_rng(2)
    truth = rng.random(60) < 0.5
    rows = []
    for k in range(60):
        for j in range(5):
            if n_answered == 20 or rng.random() < 0.5:
                said = truth[k] == (rng.random() < 0.8)
                rows.append({"item": f"q{k}", "judge": f"w{j}", "answer": "ab"[int(said)]})
    human = {f"q{k}": "ab"[int(truth[k])] for k in range(20)}
    lines = ae.report(rows, human=human, good="b", intervals=0).overview.about_judges
    answered = {j: {r["item"] for r in rows if r["judge"] == j} & human.keys() for j in names(rows)}
    if n_answered == 20:
        assert any(line.startswith("20 labels cannot tell ") for line in lines)
        return
    line = next(line for line in lines if " in common cannot tell " in line)
    best, *others = line.split(" cannot tell ")[1].removesuffix(" apart.").split(", ")
    shared = [len(answered[best] & answered[j]) for j in others]
    n = min(shared)
    assert line.startswith(f"{n} label{'' if n == 1 else 's'} in common")


def names(rows):
    return sorted({row["judge"] for row in rows})
