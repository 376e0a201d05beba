"""Labels of people in every form: a column, a Series, {id: label}, a table, a file; in every library."""

import random

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import algeval as ae
from algeval.cli.main import run

JUDGES = ["gpt4o", "claude"]


def table(seed, n=60, labelled=24):
    """Rows of ids, verdicts of three judges, and what people said of some, in no order."""
    draw = random.Random(seed)
    rows = []
    for k in range(n):
        truth = draw.random() < 0.7
        said = {j: "pass" if truth == (draw.random() < 0.85) else "fail" for j in JUDGES}
        human = ("pass" if truth else "fail") if k < labelled else None
        rows.append({"item": f"q{k:03}", **said, "human": human})
    draw.shuffle(rows)
    return pd.DataFrame(rows)


def labels_of(frame):
    kept = frame[frame.human.notna()]
    return dict(zip(kept.item, kept.human, strict=True))


def frames(frame):
    """The same table in every library, on every kind of index, and read."""
    return {
        "results": ae.read_results(frame),
        "pandas": frame,
        "pandas, ids are the index": frame.set_index("item"),
        "pandas, ids are the index without a name": frame.set_index("item").rename_axis(None),
        "pandas, rows of another frame": frame.set_axis(range(500, 500 + len(frame))),
        "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame, preserve_index=False),
        "columns": {name: frame[name].tolist() for name in frame},
        "records": frame.to_dict("records"),
    }


def forms(frame, data, tmp_path):
    """The same labels in every form that fits the table."""
    said = labels_of(frame)
    ids, labels = list(said), list(said.values())
    path = tmp_path / "labels.csv"
    pd.DataFrame({"item": ids, "human": labels}).to_csv(path, index=False)
    made = {
        "column": "human",
        "columns": ["human"],
        "mapping": said,
        "pandas table": pd.DataFrame({"item": ids, "label": labels}),
        "polars table": pl.DataFrame({"item": ids, "label": labels}),
        "pyarrow table": pa.table({"item": ids, "label": labels}),
        "records": [{"item": i, "label": label} for i, label in said.items()],
        "Series by id": pd.Series(said),
        "path": path,
        "name of a file": str(path),
    }
    if isinstance(data, pd.DataFrame):
        made |= {"own column": data["human"], "own columns": data[["human"]]}
        made |= {"own column, shuffled": data["human"].sample(frac=1, random_state=1)}
    elif isinstance(data, pl.DataFrame | pa.Table):
        made["own column"] = data["human"]
    return made


FRAMES = list(frames(table(0, 6, 3)))


def numbers(result):
    return result.status, result.rate, result.low, result.high, result.n_gold, result.label


@pytest.mark.parametrize("name", FRAMES)
def test_a_rate_is_the_same_from_labels_in_every_form(name, tmp_path):
    frame = table(1)
    votes = ae.read_votes(frame.drop(columns="human"))
    expected = numbers(ae.rate(votes, "pass", labels_of(frame)))
    data = frames(frame)[name]
    for form, human in forms(frame, data, tmp_path).items():
        assert numbers(ae.rate(data, human=human)) == expected, form
    assert numbers(ae.rate(data, "pass", "human")) == expected
    assert numbers(ae.rate(data)) == expected


@pytest.mark.parametrize("name", FRAMES)
def test_what_is_drawn_next_is_the_same_from_labels_in_every_form(name, tmp_path):
    frame = table(3)
    votes = ae.read_votes(frame.drop(columns="human"))
    drawn = ae.next(votes, 7, labels_of(frame))
    data = frames(frame)[name]
    for form, human in forms(frame, data, tmp_path).items():
        assert ae.next(data, 7, human=human).items == drawn.items, form
    assert not set(drawn.items) & set(labels_of(frame))


@pytest.mark.parametrize("name", ["pandas, ids are the index", "polars", "results"])
def test_a_report_holds_the_same_rate_from_labels_in_every_form(name, tmp_path):
    frame = table(4, 40, 20)
    expected = numbers(ae.rate(frame, human="human"))
    data = frames(frame)[name]
    made = forms(frame, data, tmp_path)
    for form in ("column", "mapping", "own column", "path"):
        if form in made:
            shown = ae.report(data, human=made[form], intervals=0)
            rates = [s.results["rate"] for s in shown.sections if "rate" in s.results]
            assert [numbers(r) for r in rates] == [expected], form


def systems(seed):
    """Two systems' outputs to the same prompts, in one table."""
    a, b = table(seed), table(seed + 1)
    a["prompt"], b["prompt"] = a.item, b.item
    a["system"], b["system"] = "old", "new"
    a["item"], b["item"] = "a" + a.item, "b" + b.item
    return pd.concat([a, b], ignore_index=True)


def difference(result):
    return result.status, result.verdict, result.difference, result.low, result.high, result.n_gold


@pytest.mark.parametrize("name", FRAMES)
def test_a_comparison_is_the_same_from_labels_in_every_form(name, tmp_path):
    frame = systems(5)
    apart = {s: rows.drop(columns=["system"]) for s, rows in frame.groupby("system", sort=False)}
    votes, gold = {}, {}
    for system, rows in apart.items():
        rows = rows.assign(item=rows.prompt)
        votes[system] = ae.read_votes(rows[["item", *JUDGES]])
        gold[system] = labels_of(rows)
    (a, b), (human_a, human_b) = votes.values(), gold.values()
    expected = difference(ae.versus(a, b, good="pass", human_a=human_a, human_b=human_b))
    data = frames(frame)[name]
    for form, human in forms(frame, data, tmp_path).items():
        assert difference(ae.versus(data, human=human)) == expected, form
    assert difference(ae.versus(data)) == expected


def test_a_column_is_meant_where_a_folder_has_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "human").mkdir()
    frame = table(1)
    expected = numbers(ae.rate(frame))
    assert numbers(ae.rate(frame, human="human")) == expected
    frame.to_csv("votes.csv", index=False)
    assert numbers(ae.rate("votes.csv", human="human")) == expected
    assert run(["rate", "votes.csv", "--human", "human"]) in (0, 1)


def printed(capsys, *arguments):
    code = run(list(arguments))
    out = capsys.readouterr()
    assert code in (0, 1), out.err
    assert out.err == ""
    return "\n".join(line for line in out.out.splitlines() if not line.startswith("Note:"))


@pytest.mark.parametrize("command", [["rate"], ["next", "--n", "5"]])
def test_the_command_line_reads_a_column_and_a_file_alike(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = table(6)
    frame.to_csv("votes.csv", index=False)
    said = pd.DataFrame({"item": list(labels_of(frame)), "label": list(labels_of(frame).values())})
    said.to_csv("labels.csv", index=False)
    name, *more = command
    shown = printed(capsys, name, "votes.csv", *more)
    assert printed(capsys, name, "votes.csv", *more, "--human", "human") == shown
    assert printed(capsys, name, "votes.csv", *more, "--human", "labels.csv") == shown
    assert printed(capsys, name, "votes.csv", *more, "--good", "pass") == shown


def test_results_that_are_read_take_labels_from_elsewhere():
    frame = systems(5)
    expected = difference(ae.versus(frame))
    unlabelled = ae.read_results(frame.drop(columns="human"))
    assert ae.versus(unlabelled).n_gold == 0
    said = labels_of(frame)
    for human in (
        said,
        pd.Series(said),
        pl.DataFrame({"item": list(said), "label": said.values()}),
    ):
        assert difference(ae.versus(unlabelled, human=human)) == expected
    with pytest.raises(ae.DataError, match="human"):
        ae.versus(unlabelled, human={"nobody": "pass"})


@pytest.mark.parametrize("command", ["rate", "versus", "report"])
def test_a_file_of_labels_is_of_every_system_of_a_table(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = systems(5)
    frame.to_csv("whole.csv", index=False)
    frame.drop(columns="human").to_csv("votes.csv", index=False)
    said = labels_of(frame)
    pd.DataFrame({"item": list(said), "label": list(said.values())}).to_csv("l.csv", index=False)
    more = ["--no-intervals"] if command == "report" else []
    apart = printed(capsys, command, "votes.csv", "--human", "l.csv", *more)
    together = printed(capsys, command, "whole.csv", "--human", "human", *more)
    given = together.replace("whole.csv", "votes.csv").replace("--human human", "--human l.csv")
    assert "".join(apart.split()) == "".join(given.split())


WAVES = {
    "files": lambda folder, waves: [str(folder / f"wave{k}.csv") for k in range(len(waves))],
    "paths": lambda folder, waves: tuple(folder / f"wave{k}.csv" for k in range(len(waves))),
    "frames": lambda folder, waves: waves,
    "frames of polars": lambda folder, waves: [pl.from_pandas(wave) for wave in waves],
    "a Series and a file": lambda folder, waves: [
        waves[0].set_index("item").human,
        *(str(folder / f"wave{k}.csv") for k in range(1, len(waves))),
    ],
}


def waves_of(frame, folder, changed=()):
    """Labels in two tables with five items in common, of which some have another label in the later one."""
    said = pd.DataFrame({"item": list(labels_of(frame)), "human": list(labels_of(frame).values())})
    first, later = said[:14].copy(), said[9:].rename(columns={"human": "label"})
    other = {"pass": "fail", "fail": "pass"}
    first["human"] = [
        other[text] if item in changed else text
        for item, text in zip(first["item"], first["human"], strict=True)
    ]
    first.to_csv(folder / "wave0.csv", index=False)
    later.to_csv(folder / "wave1.csv", index=False)
    return [first, later]


@pytest.mark.parametrize("form", WAVES)
@pytest.mark.parametrize("source", ["frame", "file", "results", "votes"])
def test_labels_bought_in_waves_are_joined(form, source, tmp_path):
    frame = table(3)
    said = labels_of(frame)
    human = WAVES[form](tmp_path, waves_of(frame, tmp_path))
    bare = frame.drop(columns="human")
    bare.to_csv(tmp_path / "votes.csv", index=False)
    data = {
        "frame": bare,
        "file": str(tmp_path / "votes.csv"),
        "results": ae.read_results(bare),
        "votes": ae.read_votes(bare),
    }[source]
    expected = ae.rate(data, "pass", human=said)
    assert numbers(ae.rate(data, "pass", human=human)) == numbers(expected)
    card, whole = (ae.judge_card(data, human=h) for h in (human, said))
    assert card.judges == whole.judges


def test_of_two_labels_of_waves_the_later_counts_and_is_said(tmp_path):
    frame = table(4)
    changed = list(labels_of(frame))[9:12]
    human = waves_of(frame, tmp_path, changed)
    bare = frame.drop(columns="human")
    rated = ae.rate(bare, "pass", human=human)
    assert numbers(rated) == numbers(ae.rate(bare, "pass", human=labels_of(frame)))
    assert "3 items have different labels in 2 tables of labels: the later one counts" in str(
        rated.summary()
    )
    turned = ae.rate(bare, "pass", human=human[::-1])
    other = labels_of(frame) | {
        i: {"pass": "fail", "fail": "pass"}[labels_of(frame)[i]] for i in changed
    }
    assert numbers(turned) == numbers(ae.rate(bare, "pass", human=other))
    blank = human[1].assign(label=None)  # which takes no label back
    kept = ae.rate(bare, "pass", human=[human[0], blank])
    assert numbers(kept) == numbers(ae.rate(bare, "pass", human=human[0]))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["rate"], "24 labels"),
        (["judges"], "labels of 24 of 60 items"),
        (["report"], "24 human labels"),
        (["next", "--n", "5"], "24 earlier labels"),
        (["label", "--status"], "24 before"),
        (["aggregate", "--learn"], "24 human labels moved"),
    ],
)
def test_every_command_takes_labels_in_waves(command, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = table(6)
    changed = list(labels_of(frame))[9:10]
    waves_of(frame, tmp_path, changed)
    texts = [
        f"What was said to the customer about {item}, at some length" for item in frame["item"]
    ]
    bare = frame.drop(columns="human").assign(response=texts)
    bare.to_csv("votes.csv", index=False)
    name, *more = command
    run([name, "votes.csv", *more, "--human", "wave0.csv", "--human", "wave1.csv"])
    out = capsys.readouterr()
    assert said in " ".join(out.out.split()), out
    if name not in ("label", "aggregate", "next"):
        assert "1 item has different labels in wave0.csv and wave1.csv" in " ".join(out.out.split())


def chances(frame, items, strategy="random", inclusion=None):
    """A sheet as `next` writes it, with labels."""
    said = labels_of(frame)
    share = len(items) / len(frame) if inclusion is None else inclusion
    columns = {"item": items, "wave": 1, "strategy": strategy, "inclusion": share}
    return pd.DataFrame(columns | {"truth": [said[item] for item in items]})


def test_chances_of_one_wave_hold_for_all_or_are_refused():
    frame = table(7)
    said = labels_of(frame)
    ids = list(said)
    bare = frame.drop(columns="human")
    whole = chances(frame, ids, "uncertain", [0.2 + k / 50 for k in range(len(ids))])
    expected = numbers(ae.rate(bare, "pass", human=whole))
    plain = pd.DataFrame({"item": ids[:9], "label": [said[item] for item in ids[:9]]})
    assert numbers(ae.rate(bare, "pass", human=[plain, whole])) == expected
    assert (
        numbers(ae.rate(bare, "pass", human=[whole.assign(truth=None).iloc[:9], whole])) == expected
    )
    for waves in ([whole[:9], plain.assign(item=ids[9:18])], [whole[:9], whole[5:]]):
        with pytest.raises(ae.DataError, match="chance in all of them together is not known"):
            ae.rate(bare, "pass", human=waves)
    even = [chances(frame, ids[:9]), chances(frame, ids[9:24])]
    both = pd.DataFrame({"item": ids[:24], "label": [said[item] for item in ids[:24]]})
    joined = ae.rate(bare, "pass", human=even)
    assert numbers(joined) == numbers(ae.rate(bare, "pass", human=both))
    grown = [chances(frame, ids[:9], inclusion=9 / 50), even[1]]  # of 50 rows, of the 60
    with pytest.raises(ae.DataError, match="chance in all of them together is not known"):
        ae.rate(bare, "pass", human=grown)


def test_a_wave_that_is_not_there_is_named(tmp_path):
    frame = table(8)
    waves_of(frame, tmp_path)
    bare = frame.drop(columns="human")
    human = [str(tmp_path / "wave0.csv"), "wave9.csv"]
    for ask in (ae.rate, ae.judge_card):
        with pytest.raises(ae.DataError, match=r"'wave9\.csv', which is none; check"):
            ask(bare, human=human)


GRADES = {
    "id": [f"q{n}" for n in range(40)],
    "j": ["5", "4", "3", "1"] * 10,
    "k": ["5", "3", "4", "1"] * 10,
}


@pytest.mark.parametrize(
    ("said", "note"),
    [
        (["4", "5", "2", "1"], "human cut like the scores"),
        (["1", "1", "0", "0"], "0 read as below 4, 1 as 4 and above"),
    ],
)
def test_people_in_a_file_of_their_own_are_cut_as_the_judges_are_and_it_is_said(
    said, note, tmp_path, capsys
):
    labels, table = tmp_path / "people.csv", tmp_path / "grades.csv"
    rows = [f"q{n},{said[n % 4]}" for n in range(40) if n % 3]
    labels.write_text("\n".join(["id,human", *rows]), encoding="utf-8")
    cells = zip(*GRADES.values(), strict=True)
    table.write_text("\n".join([",".join(GRADES), *map(",".join, cells)]), encoding="utf-8")
    rate = ae.rate(table, cut=4, human=labels)
    card = ae.judge_card(ae.read_votes(table, cut=4), human=labels)
    assert any(note in warning for warning in rate.warnings)
    assert any(note in warning for warning in card.warnings)
    (k,) = (row for row in card.judges if row.judge == "k")
    shown = [
        n % 4 for n in range(40) if n % 3
    ]  # k is wrong on the items of the second and third kind
    assert k.accuracy.value == pytest.approx(sum(kind in (0, 3) for kind in shown) / len(shown))
    run(["rate", str(table), "--cut", "4", "--human", str(labels)])
    assert note in capsys.readouterr().out


def test_the_chances_of_labels_are_kept_where_a_table_has_systems(tmp_path):
    draw = random.Random(4)
    rows, labels = [], ["item,inclusion,truth"]
    for k in range(600):
        truth = draw.random() < 0.8
        said = ["pass" if truth == (draw.random() < 0.9) else "fail" for _ in range(2)]
        rows.append(f"o{k},Please tell me about the thing {k // 2},v{k % 2},{','.join(said)}")
        chance = 0.8 if said[0] == "fail" else 0.2
        if draw.random() < chance:
            labels.append(f"o{k},{chance},{'pass' if truth else 'fail'}")
    table, people = tmp_path / "results.csv", tmp_path / "labels.csv"
    table.write_text("\n".join(["id,prompt,system,gpt4o,claude", *rows]), encoding="utf-8")
    people.write_text("\n".join(labels), encoding="utf-8")
    results = ae.read_results(table, human=people)
    for name, part in results.split("system").items():
        rate = ae.rate(part)
        own = [
            line.split(",")
            for line in labels[1:]
            if int(line[1 : line.index(",")]) % 2 == int(name[1])
        ]
        total = sum(1 / float(chance) for _, chance, _ in own)
        weighed = sum((truth == "pass") / float(chance) for _, chance, truth in own) / total
        (only,) = (row for row in rate.table if row.name == "labels only")
        assert only.estimate == pytest.approx(weighed, abs=1e-6)
        assert (
            weighed > sum(truth == "pass" for *_, truth in own) / len(own) + 0.1
        )  # counted evenly
        assert "chance" in rate.assumption


def differing_by_chances(tmp_path, n, seed, prompt):
    """Comparison of two systems whose labels had unequal chances, and the difference by plain sums."""
    draw = random.Random(seed)
    rows, labels, sums = [], ["item,inclusion,truth"], {"v0": [0.0, 0.0], "v1": [0.0, 0.0]}
    for k in range(n):
        truth, name = draw.random() < 0.8 - 0.2 * (k % 2), f"v{k % 2}"
        said = ["pass" if truth == (draw.random() < 0.9) else "fail" for _ in range(2)]
        rows.append(f"o{k},{prompt.format(k // 2)}{name},{','.join(said)}")
        chance = 0.8 if said[0] == "fail" else 0.2
        if draw.random() < chance:
            labels.append(f"o{k},{chance},{'pass' if truth else 'fail'}")
            sums[name][0] += truth / chance
            sums[name][1] += 1 / chance
    table, people = tmp_path / "results.csv", tmp_path / "labels.csv"
    header = f"id,{'prompt,' if prompt else ''}system,gpt4o,claude"
    table.write_text("\n".join([header, *rows]), encoding="utf-8")
    people.write_text("\n".join(labels), encoding="utf-8")
    answer = ae.versus(ae.read_results(table, human=people))
    first, second = (total / weight for total, weight in sums.values())
    sign = 1 if answer.names == ("v0", "v1") else -1
    return answer, sign, first - second


def test_unpaired_systems_whose_labels_had_unequal_chances_are_weighed(tmp_path):
    answer, sign, difference = differing_by_chances(tmp_path, 600, 5, "")
    (only,) = (row for row in answer.table if row.name == "labels only")
    assert only.estimate == pytest.approx(sign * difference, abs=1e-6)
    assert answer.low < sign * 0.2 < answer.high


def test_labels_drawn_output_by_output_compare_systems_that_share_prompts(tmp_path):
    prompt = "Please tell me about the matter {},"
    answer, sign, difference = differing_by_chances(tmp_path, 400, 6, prompt)
    (only,) = (row for row in answer.table if row.name == "labels only")
    assert only.estimate == pytest.approx(sign * difference, abs=1e-6)
    assert any("drawn output by output" in warning for warning in answer.warnings)


def test_labels_merged_with_their_chances_count_by_them_as_from_a_file(tmp_path, capsys):
    rng = np.random.default_rng(1)
    truth = rng.random(400) < 0.7
    f = pd.DataFrame({"output_id": [f"o{k}" for k in range(400)]})
    for judge in ("gpt4o", "claude"):
        f[judge] = np.where(np.where(rng.random(400) < 0.8, truth, ~truth), "pass", "fail")
    chances = np.where(f.gpt4o == f.claude, 0.1, 0.3)
    drawn = rng.random(400) < chances
    sheet = {"output_id": f.output_id[drawn], "inclusion": chances[drawn]}
    sheet = pd.DataFrame({**sheet, "human": np.where(truth[drawn], "pass", "fail")})
    by_file = ae.rate(f, human=sheet.rename(columns={"output_id": "item", "human": "truth"}))
    merged = f.merge(sheet, how="left")
    results = ae.read_results(merged)
    found = ae.rate(results)
    assert (found.method, found.rate, found.low) == ("weighted", by_file.rate, by_file.low)
    assert "labels count by the chances in column 'inclusion'" in " ".join(results.notes)
    assert ae.rate(ae.read_results(merged, ignore="inclusion")).method != "weighted"
    merged.to_csv(tmp_path / "merged.csv", index=False)
    assert run(["rate", str(tmp_path / "merged.csv")]) == 0
    assert "labels count by the chances in column 'inclusion'" in " ".join(
        capsys.readouterr().out.split()
    )
    even = merged.assign(inclusion=np.where(drawn, 0.2, np.nan))
    assert ae.rate(ae.read_results(even)).method != "weighted"


@pytest.mark.parametrize("chances", [(0.3, 0.3), (0.2, 0.4)])
def test_outputs_of_a_prompt_drawn_with_chances_count_once_of_more_prompts(chances):
    rng = np.random.default_rng(0)
    truth = np.repeat(rng.random(60) < 0.7, 4)
    f = pd.DataFrame({"output_id": [f"o{k}" for k in range(240)]})
    f["prompt"] = [f"what is {k // 4}?" for k in range(240)]
    f["gpt4o"] = np.where(np.where(rng.random(240) < 0.8, truth, ~truth), "pass", "fail")
    own = np.where(f.gpt4o == "pass", *chances)
    drawn = rng.random(240) < own
    sheet = {"item": f.output_id[drawn], "inclusion": own[drawn]}
    sheet = pd.DataFrame({**sheet, "truth": np.where(truth[drawn], "pass", "fail")})
    results = ae.read_results(f, human=sheet)
    items, more = (ae.rate(results, target=t) for t in ("items", "population"))
    prompts = f.prompt[drawn].nunique()
    said = f"{drawn.sum()} labels are of outputs to {prompts} values of 'prompt': of more like them"
    assert said in " ".join(more.warnings)
    assert said not in " ".join(items.warnings)
    assert more.summary().count(said) == 1
    assert items.method == ("strata" if chances[0] == chances[1] else "weighted")
    half = 1.96 * (more.rate * (1 - more.rate) / 60) ** 0.5  # outputs of a prompt are all alike
    assert more.high - more.low > 1.9 * half
