"""A sitting from the first item to the rate: order, undo, skips, people, tabs, and tables that changed."""

import csv
import json
import re
from itertools import permutations

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.io.journal import Journal
from algeval.judges.intervals import anytime_share
from algeval.label.choosing import Share
from algeval.label.front import sitting_of
from algeval.label.sitting import OutOfTurnError, journal_path, merged, write_joined
from algeval.label.texts import cells_of, side_columns, side_labels
from algeval.rates.streams import LabelStream

SETTINGS = dict.fromkeys(("good", "labels", "by", "systems", "against", "width"))
SETTINGS |= {"goal": "rate", "level": 0.95, "seed": 0}


def table(n=80, seed=0, systems=1):
    """Return rows of a results table, and {item: the true label}."""
    rng = np.random.default_rng(seed)
    rows, truth = [], {}
    for k in range(n):
        for s in range(systems):
            good = rng.random() < 0.7 + 0.1 * s
            item = f"r{k}_{s}"
            truth[item] = "pass" if good else "fail"
            judges = {
                j: truth[item] if rng.random() < a else "fail" if good else "pass"
                for j, a in (("gpt4", 0.9), ("claude", 0.8), ("gemini", 0.7))
            }
            row = {"output_id": item, "question": f"What is {k} plus {k}?"}
            row |= {"system": f"v{s + 1}"} if systems > 1 else {}
            words = "sum" if good else "answer"
            rows.append(
                row
                | {
                    "response": f"The {words} of these two numbers is {2 * k + (not good)}, I believe.",
                    "topic": ["tax", "law", "art"][k % 3],
                }
                | judges
            )
    return rows, truth


def write(path, rows):
    names = list(rows[0])
    lines = [",".join(names)]
    lines += [",".join(f'"{row[name]}"' for name in names) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def sat(path, who="anna", share=None, journal=None, human=None, **settings):
    return sitting_of(
        str(path),
        human,
        who,
        settings=SETTINGS | settings,
        share=share or Share(),
        journal=journal,
    )


def label_on(sitting, truth, n, who="anna"):
    """Label so many items as they come; the items."""
    items = []
    for _ in range(n):
        view = sitting.view(who)
        if view.item is None:
            break
        sitting.act(who, "label", turn=view.turn, label=truth[view.item], seconds=2)
        items.append(view.item)
    return items


@pytest.fixture
def rows():
    return table()


@pytest.fixture
def path(tmp_path, rows):
    return write(tmp_path / "results.csv", rows[0])


def test_the_table_stays_as_it_is_and_each_label_is_on_disk_before_the_next(path, rows):
    before = path.read_bytes()
    sitting = sat(path)
    assert not journal_path(path).exists()
    for k in range(5):
        view = sitting.view("anna")
        assert sitting.view("anna") == view  # looking again changes nothing
        sitting.act("anna", "label", turn=view.turn, label="pass")
        last = json.loads(journal_path(path).read_text().splitlines()[-1])
        assert (last["item"], last["who"], last["label"]) == (view.item, "anna", "pass")
        assert len(Journal(journal_path(path)).labels.acts) == k + 1
    assert path.read_bytes() == before


def test_the_answer_is_that_of_a_label_stream_and_rate_says_the_same(path, rows):
    sitting = sat(path)
    label_on(sitting, rows[1], 30)
    votes = ae.read_results(str(path)).votes
    share = dict(
        zip(votes.items, (votes.codes == votes.labels.index("pass")).mean(axis=1), strict=True)
    )
    stream = LabelStream(float(np.mean(list(share.values()))), n_items=80)
    for item in Journal(journal_path(path)).labels.draws():
        stream.add(rows[1][item] == "pass", share[item])
    bar = sitting.live.bars[0]
    assert (bar.low, bar.high) == (stream.low, stream.high)
    assert bar.rate == pytest.approx(stream.rate)
    assert bar.n_labels == 30
    found = ae.rate(votes, "pass", human=str(journal_path(path)))
    assert found.method == "anytime"
    # the verdict of the panel is the predictor of `rate`, the share of votes that of the page
    again = ae.rate(votes, "pass", human=str(journal_path(path)), predictor="share")
    assert (again.low, again.high) == (bar.low, bar.high)


def test_a_labelling_goes_on_where_a_kill_has_stopped_it(path, rows):
    first = sat(path)
    done = label_on(first, rows[1], 7)
    shown = first.view("anna").item  # on the screen when the process is killed
    again = sat(path)
    assert again.view("anna").item == shown
    more = label_on(again, rows[1], 200)
    assert len(set(done + more)) == len(done + more) == 80
    assert again.view("anna").item is None
    assert (
        again.live.bars[0].low == again.live.bars[0].high == pytest.approx(again.live.bars[0].rate)
    )


def test_a_second_tab_that_is_behind_writes_nothing(path):
    sitting = sat(path)
    view = sitting.view("anna")
    sitting.act("anna", "label", turn=view.turn, label="pass")
    with pytest.raises(OutOfTurnError):
        sitting.act("anna", "label", turn=view.turn, label="fail")
    assert len(sitting.labels.acts) == 1
    assert sitting.labels.truth(view.item) == {"pass": 1}


def test_a_second_process_of_the_same_person_is_seen(path):
    one, two = sat(path), sat(path)
    first, second = one.view("anna"), two.view("anna")
    assert first.item == second.item
    one.act("anna", "label", turn=first.turn, label="pass")
    with pytest.raises(OutOfTurnError):
        two.act("anna", "label", turn=second.turn, label="fail")
    assert two.view("anna").item != first.item
    assert two.view("anna").item == one.view("anna").item


def test_undo_brings_back_the_item_and_the_next_is_the_same(path):
    sitting = sat(path)
    first = sitting.view("anna")
    sitting.act("anna", "label", turn=first.turn, label="pass")
    second = sitting.view("anna").item
    assert sitting.undo("anna") == first.item
    view = sitting.view("anna")
    assert view.item == first.item
    sitting.act("anna", "label", turn=view.turn, label="fail")
    assert sitting.labels.truth(first.item) == {"fail": 1}
    assert sitting.view("anna").item == second
    assert sitting.labels.draws()[0] == first.item
    assert sat(path).undo("ben") is None if "ben" in sitting.people else True


def test_undo_without_anything_to_take_back(path):
    sitting = sat(path)
    assert sitting.undo("anna") is None
    assert not journal_path(path).exists()


def test_what_is_put_off_comes_back_and_counts_as_either_until_then(path, rows):
    sitting = sat(path)
    view = sitting.view("anna")
    sitting.act("anna", "skip", turn=view.turn)
    others = label_on(sitting, rows[1], 8)
    assert view.item not in others
    low, high = sitting.live.bars[0].low, sitting.live.bars[0].high
    back = sitting.view("anna")
    assert (back.item, back.again) == (view.item, True)
    sitting.act("anna", "label", turn=back.turn, label=rows[1][back.item])
    assert sitting.labels.draws()[0] == view.item
    after = sitting.live.bars[0]
    assert after.low >= low
    assert after.high <= high
    assert sitting.result().n_unclear == 0


def test_what_cannot_be_told_widens_the_interval_by_its_share(path, rows):
    sitting = sat(path)
    for k in range(80):
        view = sitting.view("anna")
        kind = "unsure" if k < 4 else "label"
        sitting.act("anna", kind, turn=view.turn, label=None if k < 4 else rows[1][view.item])
    bar = sitting.live.bars[0]
    passes = sum(rows[1][item] == "pass" for item in sitting.labels.draws()[4:])
    assert (bar.low, bar.high) == (pytest.approx(passes / 80), pytest.approx((passes + 4) / 80))
    assert sitting.result().n_unclear == 4
    votes = ae.read_results(str(path)).votes
    found = ae.rate(votes, "pass", human=str(journal_path(path)))
    assert (found.low, found.high) == (pytest.approx(passes / 80), pytest.approx((passes + 4) / 80))


def test_two_people_share_the_items_and_label_the_overlap_both(path, rows):
    sitting = sat(path, who=["anna", "ben"], share=Share(overlap=0.25))
    anna, ben = [], []
    for _ in range(200):
        anna += label_on(sitting, rows[1], 1, "anna")
        ben += label_on(sitting, rows[1], 1, "ben")
    both = set(anna) & set(ben)
    assert set(anna) | set(ben) == set(rows[1])
    assert len(both) == 20
    result = sitting.result()
    assert result.agree == (20, 20)
    assert "none can agree with these" in result.summary()


def test_two_people_on_two_machines_merge_their_parts(tmp_path, rows):
    sittings = []
    for k, who in enumerate(("anna", "ben")):
        folder = tmp_path / who
        folder.mkdir()
        own = write(folder / "results.csv", rows[0])
        share = Share(part=(k + 1, 2), overlap=0.1)
        sittings.append(sat(own, who=who, share=share))
        label_on(sittings[k], rows[1], 20 + 10 * k, who)
    anna, ben = sittings
    assert "none twice" in merged(anna, [ben.journal.path])
    assert merged(anna, [ben.journal.path]).startswith("0 records")
    result = anna.result()
    assert result.people == ("anna", "ben")
    n = len({item for item, _ in anna.labels.acts})
    assert result.n_labels == n
    assert result.agree[0] == result.agree[1] == 50 - n > 0
    found = ae.rate(
        ae.read_results(str(tmp_path / "anna" / "results.csv")).votes,
        "pass",
        human=str(anna.journal.path),
    )
    assert found.n_gold == n
    assert found.method == "anytime"


def test_split_people_are_counted_as_either(path, rows):
    sitting = sat(path, who=["anna", "ben"], share=Share(overlap=1.0))
    for who, label in (("anna", "pass"), ("ben", "fail")):
        for _ in range(80):
            view = sitting.view(who)
            sitting.act(who, "label", turn=view.turn, label=label)
    bar = sitting.live.bars[0]
    assert (bar.low, bar.high, bar.n_labels) == (0.0, 1.0, 0)
    assert sitting.result().n_unclear == 80


def test_a_table_that_changed_underneath_is_refused(path, rows):
    label_on(sat(path), rows[1], 3)
    changed = [dict(row) for row in rows[0]]
    changed[5]["response"] += " Or not."
    write(path, changed)
    with pytest.raises(DataError, match="texts have changed since"):
        sat(path)
    judged = [dict(row, gpt4="pass") for row in rows[0]]
    write(path, judged)
    assert len(sat(path).labels.acts) == 3  # judges may change, as labels are given blind


@pytest.mark.parametrize(
    "other", [{"goal": "slices"}, {"seed": 1}, {"labels": ["pass", "fail", "bad"]}]
)
def test_a_journal_of_another_draw_is_not_gone_on_with(path, rows, other):
    label_on(sat(path), rows[1], 1)
    with pytest.raises(DataError, match="begin a new journal"):
        sat(path, **other)


def test_a_file_of_something_else_is_not_written_to(path):
    journal_path(path).write_text("item,truth\n")
    with pytest.raises(DataError, match="holds something else"):
        sat(path)
    assert journal_path(path).read_text() == "item,truth\n"


def test_a_first_line_that_was_cut_short_is_no_obstacle(path, rows):
    label_on(sat(path), rows[1], 2)
    whole = journal_path(path).read_bytes()
    journal_path(path).write_bytes(whole[:100])
    again = sat(path)
    label_on(again, rows[1], 2)
    assert len(Journal(journal_path(path)).labels.acts) == 2
    assert (
        ae.rate(ae.read_results(str(path)).votes, "pass", human=str(journal_path(path))).n_gold == 2
    )


def test_a_second_look_is_kept_and_is_no_label(path, rows):
    sitting = sat(path)
    wrong = dict.fromkeys(rows[1], "fail")
    label_on(sitting, wrong, 12)
    before = sitting.live
    looked = sitting.disagreements()
    assert looked
    assert all(row["against"] for row in looked)
    sitting.second_look("anna", looked[0]["item"], "pass", "the judges are right")
    assert sitting.live == before
    assert sitting.disagreements()[0]["second"] == "pass"
    assert sitting.labels.truth(looked[0]["item"]) == {"fail": 1}
    found = ae.rate(ae.read_results(str(path)).votes, "pass", human=str(journal_path(path)))
    assert found.n_gold == 12
    with pytest.raises(DataError, match="item must be one"):
        sitting.second_look("anna", "r79_9", "pass")


def test_labels_that_the_table_had_are_drawn_first_and_not_shown_again(tmp_path, rows):
    rng = np.random.default_rng(5)
    known = {f"r{k}_0" for k in rng.choice(80, 20, replace=False)}
    full = [
        dict(row, human=rows[1][row["output_id"]] if row["output_id"] in known else "")
        for row in rows[0]
    ]
    path = write(tmp_path / "results.csv", full)
    unstated = sat(path)
    assert unstated.live.bars[0].n_labels == 0  # nobody said how they were drawn
    assert unstated.plan.before_drawn == "unknown"
    bare = write(tmp_path / "bare.csv", [dict(row, human="") for row in full])
    sheet = tmp_path / "sheet.csv"
    lines = [f"{item},0.25,{rows[1][item]}\n" for item in sorted(known)]
    sheet.write_text("item,inclusion,truth\n" + "".join(lines))
    sitting = sat(bare, human=str(sheet))
    assert sitting.live.bars[0].n_labels == 20
    items = label_on(sitting, rows[1], 100)
    assert set(items) == set(rows[1]) - known
    found = ae.rate(ae.read_results(str(bare)).votes, "pass", human=str(journal_path(bare)))
    assert (found.n_gold, found.low) == (80, found.high)


def test_picked_labels_of_the_table_speak_for_their_own_items_alone(tmp_path):
    rows, truth = table(400, 3)
    bad = [
        row["output_id"]
        for row in rows
        if [row[j] for j in ("gpt4", "claude", "gemini")].count("fail") >= 2
    ]
    full = [
        dict(row, human=truth[row["output_id"]] if row["output_id"] in bad[:60] else "")
        for row in rows
    ]
    path = write(tmp_path / "results.csv", full)
    sitting = sat(path)
    assert sitting.plan.before_drawn == "unknown"
    label_on(sitting, truth, 150)
    bar = sitting.live.bars[0]
    right = np.mean([label == "pass" for label in truth.values()])
    assert bar.low <= right <= bar.high
    votes = ae.read_results(str(path)).votes
    found = ae.rate(votes, "pass", human=str(journal_path(path)), predictor="share")
    assert (found.low, found.high) == (pytest.approx(bar.low), pytest.approx(bar.high))


def test_a_joined_table_has_the_labels_and_the_table_is_never_written_to(path, rows, tmp_path):
    sitting = sat(path, who=["anna", "ben"], share=Share(overlap=1.0))
    label_on(sitting, rows[1], 10, "anna")
    label_on(sitting, rows[1], 5, "ben")
    before = path.read_bytes()
    write_joined(sitting, str(path), tmp_path / "joined.csv", "human")
    assert path.read_bytes() == before
    joined = ae.read_results(str(tmp_path / "joined.csv"))
    assert len(joined.human) == 10
    assert {item: rows[1][item] for item in joined.human} == joined.human
    assert joined.roles["human_anna"] == "human"
    assert run(["label", str(path), "--status", "-o", str(path)]) == 2
    assert path.read_bytes() == before


def test_texts_are_shown_and_judges_and_systems_are_not(tmp_path):
    rows, _ = table(20, systems=2)
    path = write(tmp_path / "results.csv", rows)
    view = sat(path).view("anna")
    assert [cell.name for cell in view.cells] == ["question", "response"]
    sitting = sitting_of(str(path), None, "anna", settings=SETTINGS, share=Share(), show=["system"])
    assert "system" in [cell.name for cell in sitting.view("anna").cells]
    with pytest.raises(DataError, match="given blind"):
        sitting_of(str(path), None, "anna", settings=SETTINGS, share=Share(), show="gpt4")


def test_wrong_people_labels_and_kinds_are_refused(path):
    sitting = sat(path)
    for words in (("ben", "label", "pass"), ("anna", "label", "maybe"), ("anna", "magic", "pass")):
        with pytest.raises(DataError):
            sitting.act(words[0], words[1], label=words[2])
    assert not journal_path(path).exists()
    with pytest.raises(DataError, match="at most 80 letters"):
        sat(path, who="a\x1bb")


@pytest.mark.parametrize(
    ("name", "journal"),
    [
        ("results.csv", "results.labels.jsonl"),
        ("my.results.jsonl", "my.results.labels.jsonl"),
        ("r.csv.gz", "r.labels.jsonl"),
        ("plain", "plain.labels.jsonl"),
    ],
)
def test_the_journal_lies_beside_the_table(name, journal, tmp_path):
    assert journal_path(tmp_path / name) == tmp_path / journal


# --- The other goals.


def test_two_systems_are_labelled_prompt_by_prompt_and_the_better_is_told(tmp_path):
    rows, truth = table(150, seed=2, systems=2)
    truth = {
        item: "pass" if item.endswith("_1") or int(item[1:-2]) % 2 else "fail" for item in truth
    }
    path = write(tmp_path / "results.csv", rows)
    sitting = sat(path, goal="difference")
    items, sides = [], []
    for _ in range(120):
        items += label_on(sitting, truth, 1)
        if len(items) % 2:
            partner = sitting.view("anna")
            assert partner.partner
            assert partner.item[:-2] == items[-1][:-2]
            sides.append(items[-1][-1])
    assert {sides.count("0") > 10, sides.count("1") > 10} == {True}
    answer = sitting.live
    assert answer.stop
    assert "better is decided" in answer.sentence
    assert answer.bars[0].high < 0
    compared = ae.versus(
        *[
            part.votes
            for part in ae.read_results(str(path))
            .with_people(str(journal_path(path)))
            .each_system(8)
            .values()
        ],
        good="pass",
        human="key",
    )
    assert compared.verdict.endswith("BETTER")


def test_slices_get_equal_labels_and_an_interval_each(tmp_path):
    rows, truth = table(90, seed=4)
    path = write(tmp_path / "results.csv", rows)
    sitting = sat(path, goal="slices", by="topic")
    label_on(sitting, truth, 60)
    bars = sitting.live.bars
    assert [bar.n_labels for bar in bars] == [20, 20, 20]
    assert {bar.name for bar in bars} == {"tax", "law", "art"}
    found = ae.rate(ae.read_results(str(path)).votes, "pass", human=str(journal_path(path)))
    assert found.method == "anytime"
    assert found.low <= np.mean([t == "pass" for t in truth.values()]) <= found.high
    work = {"human": str(journal_path(path)), "good": "pass"}
    these = ae.slices(str(path), "topic", target="items", **work)
    like = ae.slices(str(path), "topic", **work)
    assert these.status.ok
    for of_items, of_others in zip(these.table, like.table, strict=True):
        assert of_items.method == of_others.method == "anytime"
        assert of_others.rate.low <= of_items.rate.low <= of_items.rate.high <= of_others.rate.high


def test_items_on_which_judges_differ_come_mostly_first_by_goal_judges(tmp_path):
    rows, truth = table(300, seed=6)
    path = write(tmp_path / "results.csv", rows)
    sitting = sat(path, goal="judges")
    items = label_on(sitting, truth, 60)
    by_item = {row["output_id"]: row for row in rows}
    differ = [len({by_item[i][j] for j in ("gpt4", "claude", "gemini")}) > 1 for i in items]
    assert 38 <= sum(differ) <= 57
    assert "still be the best" in sitting.live.sentence or sitting.live.stop
    label_on(sitting, truth, 240)
    assert sitting.live.stop
    card = ae.judge_card(ae.read_results(str(path)).votes, human=str(journal_path(path)))
    assert card.status.ok


def test_doubtful_items_make_no_rate(tmp_path):
    rows, truth = table(60, seed=7)
    path = write(tmp_path / "results.csv", rows)
    sitting = sat(path, goal="labels")
    label_on(sitting, truth, 20)
    assert "no rate may be made" in sitting.live.sentence
    found = ae.rate(ae.read_results(str(path)).votes, "pass", human=str(journal_path(path)))
    assert "picked for their doubt" in found.message
    assert found.rate is None
    assert found.low <= np.mean([t == "pass" for t in truth.values()]) <= found.high


def test_goals_say_what_the_table_lacks(path):
    with pytest.raises(DataError, match="two systems"):
        sat(path, goal="difference")
    with pytest.raises(DataError, match="column of groups"):
        sat(path, goal="slices", by="colour")
    with pytest.raises(DataError, match="goal must be"):
        sat(path, goal="fame")


def test_a_joined_table_of_a_row_per_judge_loses_and_doubles_no_row(tmp_path):
    rows, truth = table(12, systems=2)
    names = ("gpt4", "claude", "gemini")
    long = [
        {
            "question": row["question"],
            "system": row["system"],
            "response": row["response"],
            "judge": judge,
            "verdict": row[judge],
        }
        for row in rows
        for judge in names
    ]
    path = write(tmp_path / "long.csv", long)
    sitting = sat(path)
    label = {f"{row['question']}:{row['system']}": truth[row["output_id"]] for row in rows}
    done = label_on(sitting, label, 9)
    assert len(done) == 9
    write_joined(sitting, str(path), tmp_path / "joined.csv", "human")
    with (tmp_path / "joined.csv").open() as stream:
        joined = list(csv.DictReader(stream))
    assert [{k: v for k, v in row.items() if k != "human"} for row in joined] == long
    for row in joined:
        item = f"{row['question']}:{row['system']}"
        assert row["human"] == (label[item] if item in done else "")
    again = ae.read_results(str(tmp_path / "joined.csv"))
    assert {item: said for item, said in again.human.items() if said} == {i: label[i] for i in done}


def test_a_joined_table_whose_rows_hold_two_systems_has_a_column_of_each(tmp_path):
    rows = [
        {
            "id": f"q{k}",
            "prompt": f"What is {k}?",
            "response_v1": f"one answer to the question that was asked, of some words, number {k}",
            "response_v2": f"two answers to the question that was asked, of some words, number {k}",
            "gpt_v1": "pass",
            "gpt_v2": "fail" if k % 2 else "pass",
        }
        for k in range(10)
    ]
    path = write(tmp_path / "wide.csv", rows)
    sitting = sat(path, labels=("pass", "fail"), good="pass")
    shown = {item: cells_of(sitting.plan.results, k) for k, item in enumerate(sitting.plan.items)}
    for item, cells in shown.items():  # of its own system alone, which is not named
        assert [cell.name for cell in cells if "v1" in cell.name or "v2" in cell.name] == []
        words = [cell.plain for cell in cells if cell.name == "response"]
        assert len(words) == 1
        assert words[0].startswith("one" if "v1" in item else "two")
    done = label_on(sitting, dict.fromkeys(sitting.plan.items, "pass"), 7)
    write_joined(sitting, str(path), tmp_path / "joined.csv", "human")
    with (tmp_path / "joined.csv").open() as stream:
        joined = list(csv.DictReader(stream))
    assert len(joined) == 10
    own = [name for name in joined[0] if name.startswith("human")]
    assert own == ["human_v1", "human_v2"]
    assert sum(row[name] == "pass" for row in joined for name in own) == len(done)


def pairs(n=60, seed=2):
    """Return rows of a table of pairs, and {item: which answer is better, a or b}."""
    rng = np.random.default_rng(seed)
    rows, truth = [], {}
    for k in range(n):
        truth[f"p{k}"] = "A" if rng.random() < 0.6 else "B"
        better, worse = f"{k} is the good answer", f"{k} is the other one"
        first, second = (better, worse) if truth[f"p{k}"] == "A" else (worse, better)
        row = {"id": f"p{k}", "prompt": f"What is {k}?", "response_a": first, "response_b": second}
        votes = rng.choice(["A", "B", "tie"], 2)
        rows.append(row | {"gpt": votes[0], "claude": votes[1]})
    return rows, truth


def shown_pair(sitting, who="anna"):
    view = sitting.view(who)
    return view, [cell.plain for cell in view.cells if cell.side]


def test_labels_of_a_pair_are_of_the_answers_whatever_side_they_were_shown_on(tmp_path):
    rows, truth = pairs()
    sitting = sat(write(tmp_path / "pairs.csv", rows))
    assert sitting.plan.tie == "tie"
    assert sitting.plan.settings.good == "A"
    for _ in range(50):
        view, (first, _) = shown_pair(sitting)
        sitting.act("anna", "label", label="A" if "good" in first else "B")
    acts = sitting.labels.acts
    assert all(act.label == truth[item] for (item, _), act in acts.items())
    sides = [record["swapped"] for record in sitting.journal.records if record["kind"] == "label"]
    assert 12 < sum(sides) < 38
    undone = sitting.undo("anna")
    view, (first, _) = shown_pair(sitting)
    assert view.item == undone
    sitting.act("anna", "label", label="tie")
    bar = sitting.live.bars[0]
    found = ae.rate(
        ae.read_results(str(tmp_path / "pairs.csv")).votes,
        "A",
        human=str(sitting.journal.path),
        tie="tie",
        predictor="share",
    )
    assert (found.method, found.low, found.high) == ("anytime", bar.low, bar.high)


def test_who_always_takes_the_first_answer_shown_prefers_neither(tmp_path):
    """The share of A is near one half by the shuffled sides, and would be 1 without them."""
    rows, _ = pairs(400)
    sitting = sat(write(tmp_path / "pairs.csv", rows))
    share = np.mean([not sitting.plan.swapped(item, "anna") for item in sitting.plan.items])
    assert abs(share - 0.5) < 0.1
    for _ in range(60):
        sitting.act("anna", "label", label="A")
    bar = sitting.live.bars[0]
    assert bar.low < 0.5 < bar.high
    assert 0.3 < bar.rate < 0.7


def test_columns_and_labels_of_two_sides_are_told_from_others():
    assert side_columns(["id", "response_a", "response_b", "Answer 1", "answer 2", "plan_b"]) == {
        "response_a": "response_b",
        "Answer 1": "answer 2",
    }
    assert side_labels(["A", "B", "tie"]) == {"A": "B", "B": "A"}
    assert side_labels(["model_a", "model_b"]) == {"model_a": "model_b", "model_b": "model_a"}
    assert side_labels(["1", "2", "3", "4"]) == side_labels(["pass", "fail"]) == {}


def test_people_agree_with_an_interval_that_the_judge_card_counts_alike(path, rows):
    sitting = sat(path, who=["anna", "ben"], share=Share(overlap=1.0))
    label_on(sitting, rows[1], 20, "anna")
    other = {"pass": "fail", "fail": "pass"}
    for k in range(20):
        view = sitting.view("ben")
        label = rows[1][view.item]
        sitting.act("ben", "label", label=label if k % 5 else other[label])
    humans = sitting.result().humans
    value, low, high = humans.agreement
    assert (humans.n, value, humans.split) == (20, 0.8, 4)
    assert (low, high) == anytime_share(16, 20, 0.95)
    card = ae.judge_card(str(path), human=str(sitting.journal.path))
    assert (card.humans.n, card.humans.agreement.value) == (20, pytest.approx(0.8))
    ends = f"(between {100 * low:.0f}% and {100 * high:.0f}%, whenever you stop)"
    assert f"agree on 80% of 20 items both labelled {ends}" in sitting.result().summary()
    alone = sat(path, journal=path.with_name("alone.labels.jsonl"))
    label_on(alone, rows[1], 3)
    assert alone.result().humans is None


def test_both_answers_are_shown_where_one_column_alone_is_taken_for_text(tmp_path):
    rows, _ = pairs()
    for row in rows:
        row["response_a"] = f"A long answer of many words for the prompt {row['id']}. " * 5
        row["response_b"] = "I cannot help with that."
    sitting = sat(write(tmp_path / "pairs.csv", rows))
    for _ in range(6):
        _, sides = shown_pair(sitting)
        assert len(sides) == 2
        assert len({text[:6] for text in sides}) == 2
        sitting.act("anna", "label", label="A")


def battles(n, systems):
    """Return rows of pairs whose judges toss a coin; each two systems meet with both sides in turn."""
    rng = np.random.default_rng(3)
    met = list(permutations(systems, 2))
    rows = []
    for k in range(n):
        judged = {j: "AB"[rng.random() < 0.5] for j in ("gpt4", "claude")}
        sides = dict(zip(("model_a", "model_b"), met[k % len(met)], strict=True))
        texts = {f"response_{s}": f"Some words of side {s} about case {k}." for s in "ab"}
        rows.append({"question_id": f"q{k}", **sides, **texts, **judged})
    return rows


def picked(sitting, wanted, n):
    """Label pairs: {item: the side of the table, or a tie}; return the items."""
    items = []
    for _ in range(n):
        view = sitting.view("anna")
        items.append(view.item)
        label = wanted[view.item]
        turned = sitting.plan.swapped(view.item, "anna")
        sitting.act(
            "anna", "label", label={"A": "B", "B": "A"}.get(label, label) if turned else label
        )
    return items


def test_the_live_rate_of_pairs_is_what_a_system_wins_whatever_side_it_is_on(tmp_path):
    rows = battles(60, ("alpha", "beta"))
    path = write(tmp_path / "pairs.csv", rows)
    rng = np.random.default_rng(5)
    side = {row["question_id"]: "A" if row["model_a"] == "alpha" else "B" for row in rows}
    other = {"A": "B", "B": "A"}
    wanted = {i: ("tie", s, s, other[s])[rng.integers(4)] for i, s in side.items()}
    sitting = sat(path, labels=("A", "B", "tie"))
    done = picked(sitting, wanted, 60)
    won = [0.5 if wanted[i] == "tie" else float(wanted[i] == side[i]) for i in done]
    bar = sitting.live.bars[0]
    assert abs(bar.rate - np.mean(won)) < 1e-9
    assert bar.low == bar.high == bar.rate  # all of them are labelled
    assert sitting.plan.shares is not None
    by_alpha = [
        np.mean([row[j] == side[row["question_id"]] for j in ("gpt4", "claude")]) for row in rows
    ]
    assert sitting.plan.shares.tolist() == by_alpha
    assert f"alpha wins {np.mean(won):.0%}" in sitting.result().summary()
    assert sitting.result().good == "alpha wins"
    turned = sat(path, journal=tmp_path / "turned.jsonl", labels=("A", "B", "tie"), good="B")
    picked(turned, wanted, 60)
    assert abs(turned.live.bars[0].rate - np.mean(won)) < 1e-9  # whichever side is the good label


def test_pairs_of_three_systems_have_no_single_rate(tmp_path):
    rows = battles(30, ("alpha", "beta", "gamma"))
    sitting = sat(write(tmp_path / "pairs.csv", rows), labels=("A", "B", "tie"))
    items = [row["question_id"] for row in rows]
    picked(sitting, {item: ("A", "tie", "B")[k % 3] for k, item in enumerate(items)}, 30)
    answer = sitting.live
    assert answer.bars == ()
    assert not answer.stop
    assert answer.sentence.startswith("30 pairs labelled, 10 ties. ")
    assert "the 3 systems" in answer.sentence


@pytest.mark.parametrize("n_systems", [2, 3])
def test_pairs_whose_answers_are_not_in_the_table_are_pairs(tmp_path, n_systems):
    rows = [
        {n: cell for n, cell in row.items() if not n.startswith("response")}
        | {"text": f"What is the best way to go about {row['question_id']}?"}
        for row in battles(30, ("alpha", "beta", "gamma")[:n_systems])
    ]
    assert not {"response_a", "response_b"} & rows[0].keys()
    sitting = sat(write(tmp_path / "pairs.csv", rows))
    assert len(sitting.plan.contestants) == n_systems
    assert sitting.plan.other_side == {}  # nothing is shown on sides, so that none are exchanged
    assert not any(sitting.plan.swapped(item, "anna") for item in sitting.plan.items)
    words = [sitting.live.sentence, *(bar.name for bar in sitting.live.bars)]
    assert not any("model_a" in text for text in words)
    assert (sitting.plan.counted == "alpha wins") == (n_systems == 2)


def test_a_report_of_pairs_says_which_system_people_picked(tmp_path):
    rows = battles(60, ("alpha", "beta"))
    path = write(tmp_path / "pairs.csv", rows)
    side = {row["question_id"]: "A" if row["model_a"] == "alpha" else "B" for row in rows}
    other = {"A": "B", "B": "A"}
    kinds = ("tie", "own", "own", "other")
    wanted = {}
    for k, (item, own) in enumerate(side.items()):
        wanted[item] = {"tie": "tie", "own": own, "other": other[own]}[kinds[k % 4]]
    sitting = sat(path, labels=("A", "B", "tie"))
    done = picked(sitting, wanted, 30)
    ties = sum(wanted[i] == "tie" for i in done)
    won = sum(wanted[i] == side[i] for i in done)
    first = ae.leaderboard(str(path), human=str(journal_path(path))).systems[0]
    wins = won if first == "alpha" else 30 - ties - won
    share = rf"{wins / (30 - ties):.0%} \(\d+-\d+\)"
    people = rf"By people: {first} wins {share} of {30 - ties} pairs \({ties} ties\)\."
    found = ae.report(str(path), human=str(journal_path(path)))
    assert re.fullmatch(people, found.overview.answers[0])
    (card,) = found.overview.cards  # a slide of the same numbers
    between = f"({100 * card.low:.0f}-{100 * card.high:.0f})"
    assert f"{first} wins {card.value} {between}" in found.overview.answers[0]
    assert card.title == f"{first} wins against {'beta' if first == 'alpha' else 'alpha'}"
    assert "whenever one stops labelling" in card.interval
    ae.report(str(path), str(tmp_path / "page.html"), human=str(journal_path(path)))
    assert card.title in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert found.overview.answers[1].startswith("By the judges: ")
    calls = [step.call for step in found.overview.steps]
    assert any(call.startswith("algeval leaderboard ") and "--human" in call for call in calls)
    assert not any("rate" in call.split() for call in calls)
    column = {item: wanted[item] for item in done}
    with_column = [{**row, "human": column.get(row["question_id"], "")} for row in rows]
    in_table = ae.report(write(tmp_path / "own.csv", with_column)).overview.answers[0]
    assert re.fullmatch(people, in_table)  # the same of a column, with an interval of its own


def test_a_journal_of_pairs_is_what_people_said_in_the_ranking(tmp_path):
    rows = battles(60, ("alpha", "beta"))
    path = write(tmp_path / "pairs.csv", rows)
    won = {row["question_id"]: "A" if row["model_a"] == "alpha" else "B" for row in rows}
    sitting = sat(path)
    picked(sitting, won, 30)
    before = ae.leaderboard(str(path))
    after = ae.leaderboard(str(path), human=str(journal_path(path)))
    assert "People decided 30 pairs" in after.summary()  # each judged by two
    assert after.systems[0] == "alpha"
    assert before.ratings != after.ratings


def test_a_table_that_grew_goes_on_in_a_new_journal_with_the_labels_of_the_old(tmp_path, rows):
    old = write(tmp_path / "results.csv", rows[0][:50])
    before = label_on(sat(old), rows[1], 12)
    write(old, rows[0])
    with pytest.raises(DataError, match="of 80 items, it was of 50; go on with its labels"):
        sat(old)
    first, second = journal_path(old), tmp_path / "more.labels.jsonl"
    sitting = sat(old, human=str(first), journal=second)
    assert sitting.plan.before == {item: rows[1][item] for item in before}
    assert sitting.plan.before_drawn == "unknown"  # what was added had no chance then
    more = label_on(sitting, rows[1], 20)
    assert not set(more) & set(before)
    truth = rows[1]
    known = sum(truth[item] == "pass" for item in before)
    drawn = sum(truth[item] == "pass" for item in more)
    rate = ae.rate(str(old), human=str(second))
    assert rate.n_gold == 32
    alone = (known + 68 * drawn / 20) / 80  # theirs are known, the rest are a draw
    (row,) = (row for row in rate.table if row.name == "labels only")
    assert row.estimate == pytest.approx(alone)
    with_old = ae.rate(str(old), human=str(first))
    assert any("drawn from 50 items and the table has 80" in w for w in with_old.warnings)


def test_two_people_see_agreement_beyond_chance_and_the_ceiling_also_after_a_merge(path, rows):
    share = Share(overlap=1.0)
    truth, sitting = rows[1], sat(path, who="anna,ben", share=share)
    other = {"pass": "fail", "fail": "pass"}
    for k in range(16):
        for who in ("anna", "ben"):
            view = sitting.view(who)
            label = truth[view.item]
            sitting.act(
                who,
                "label",
                turn=view.turn,
                label=other[label] if who == "ben" and k % 4 == 0 else label,
            )
    humans = sitting.humans
    pairs = {}
    for act in Journal(journal_path(path)).labels.acts.values():
        pairs.setdefault(act.item, []).append(act.label)
    table = [sorted(said) for said in pairs.values() if len(said) == 2]
    same = sum(a == b for a, b in table) / len(table)
    passing = sum(said.count("pass") for said in table) / (2 * len(table))
    by_chance = passing**2 + (1 - passing) ** 2
    assert humans.kappa == pytest.approx((same - by_chance) / (1 - by_chance))
    by_chance = 2 * passing * (1 - passing)
    assert humans.ac1 == pytest.approx((same - by_chance) / (1 - by_chance))
    assert float(humans.ceiling) == pytest.approx(
        (1 + same) / 2
    )  # of two people who differ, one at most
    said = sitting.result().summary()
    assert f"beyond chance kappa {humans.kappa:.2f}, AC1 {humans.ac1:.2f}" in said
    assert f"none can agree with these on more than {100 * float(humans.ceiling):.1f}%" in said
    fresh = sat(path, who="anna", share=share, journal=path.parent / "new.jsonl")
    assert "32" in merged(fresh, [journal_path(path)])
    assert "AC1" in fresh.result().summary()


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (1, "names none; name the column that says whose output a row is with system=, or ask for"),
        (3, "got 'v1', 'v2', 'v3' of 'v1', 'v2', 'v3'; name two of them with systems='v1,v2'"),
    ],
)
def test_a_difference_without_two_systems_says_what_to_name(tmp_path, systems, said):
    path = write(tmp_path / "r.csv", table(20, systems=systems)[0])
    with pytest.raises(DataError, match=re.escape(said)):
        sat(path, goal="difference")


def test_a_difference_of_pairs_says_that_a_label_is_one(tmp_path):
    path = write(tmp_path / "pairs.csv", battles(20, ("alpha", "beta")))
    with pytest.raises(DataError, match="holds pairs, of which a label says which is better"):
        sat(path, goal="difference", labels=("A", "B", "tie"))


def test_the_live_difference_counts_prompts_that_are_labelled_for_both(tmp_path):
    rows, truth = table(30, systems=2)
    sitting = sat(write(tmp_path / "r.csv", rows), goal="difference")
    label_on(sitting, truth, 21)  # ten prompts, and one output of an eleventh
    (line,) = (
        x for x in sitting.result().summary().splitlines() if "difference" in x and "between" in x
    )
    assert line.endswith("(10 prompts labelled for both)")


def test_a_system_with_earlier_labels_alone_says_that_nobody_knows_how_they_were_drawn(tmp_path):
    rows = [
        {
            "id": f"o{k}",
            "system": "ba"[k % 2],
            "text": f"Answer number {k}.",
            "gpt": "pf"[k % 3 > 1],
        }
        for k in range(60)
    ]
    said, rows = ("pass", "fail"), []
    for k in range(60):
        judges = {"gpt": said[k % 3 > 1], "claude": said[k % 5 > 3]}
        rows.append({"id": f"o{k}", "system": "ba"[k % 2], "text": f"Answer number {k}.", **judges})
    old, second = tmp_path / "results.csv", tmp_path / "more.labels.jsonl"
    truth = {row["id"]: "pass" if k % 4 else "fail" for k, row in enumerate(rows)}
    write(old, rows[:40])
    label_on(sat(old), truth, 14)
    write(old, rows)
    more = label_on(sat(old, human=str(journal_path(old)), journal=second), truth, 1)
    (item,) = more
    table = ae.read_results(old, human=str(second))
    for name, part in table.split("system").items():
        warned = [w for w in ae.rate(part).warnings if "which does not say how they were" in w]
        assert bool(warned) is (item not in part.votes.items)
        assert bool(warned) is any(
            w.startswith(f"{name}: human: all") for w in ae.versus(table).warnings
        )
