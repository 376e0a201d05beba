"""The words of `read_results` in every function of a table, and grades of which the upper part counts."""

import itertools
import re
import shlex

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.io.answers import upper_half


@pytest.fixture
def table():
    """Grades 1 to 5 of two systems by two judges of one question and one of another; people on a third."""
    rng = np.random.default_rng(4)
    rows = []
    for q in range(60):
        for version in ("old", "new"):
            good = rng.normal(3.4, 1)
            grades = np.clip(np.rint(good + rng.normal(size=4) * [0.6, 0.8, 1.2, 0.4]), 1, 5)
            a, b, other, person = grades.astype(int).tolist()
            rows.append(
                {
                    "question_id": f"Q{q:02}",
                    "model_version": version,
                    "faithfulness_gpt": a,
                    "faithfulness_claude": b,
                    "helpfulness_gpt": other,
                    "annotator_rating": person if rng.random() < 0.4 else None,
                }
            )
    return rows


JUDGES = ["faithfulness_gpt", "faithfulness_claude"]
CALLS = {
    "rate": lambda data, **words: ae.rate(data, good="1", **words),
    "versus": lambda data, **words: ae.versus(data, good="1", **words),
    "next": lambda data, **words: ae.next(data, 5, **words),
    "aggregate": lambda data, **words: ae.aggregate(data, "majority", **words),
    "alarm": lambda data, **words: ae.alarm(data, 0.8, **words),
    "judge_card": ae.judge_card,
    "self_consistency": ae.self_consistency,
    "slices": lambda data, **words: ae.slices(data, "model_version", good="1", **words),
    "report": lambda data, **words: ae.report(data, intervals=0, **words).summary(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function_of_a_table_takes_the_words_of_its_reader(table, name):
    call, words = CALLS[name], {"judges": JUDGES, "cut": 4}
    if name == "aggregate":
        del words["cut"]  # methods of scores have a setting of this name
    expected = call(ae.read_results(table, **words))
    assert call(table, **words) == expected


def test_a_word_that_nobody_knows_is_refused(table):
    with pytest.raises(TypeError, match="jugdes"):
        ae.rate(table, jugdes=JUDGES)


def test_columns_that_a_function_takes_itself_are_known_to_the_reader(table):
    for row in table:
        row["who_said"] = row.pop("annotator_rating")
    asked = ae.rate(table, good="1", human="who_said", judges=JUDGES, cut=4)
    assert asked == ae.rate(table, good="1", human="who_said", judges=JUDGES, cut=4)
    assert asked.n_gold == sum(row["who_said"] is not None for row in table)


def test_words_for_one_table_are_refused_for_several(table):
    read = ae.read_results(table, judges=JUDGES)
    for several in ((table, table), ([read, read],), ({"a": read, "b": read},)):
        with pytest.raises(ae.DataError, match="one table that holds the systems"):
            ae.versus(*several, judges=JUDGES)


def test_words_are_refused_for_votes_that_were_read(table):
    votes = ae.read_results(table, judges=JUDGES).votes
    for call in (
        lambda: ae.rate(votes, judges=JUDGES),
        lambda: ae.alarm(votes, 0.8, judges=JUDGES),
    ):
        with pytest.raises(
            ae.DataError, match="judges must come with a table; got Votes, read already"
        ):
            call()
    for call in (lambda: ae.rate(judges=JUDGES), lambda: ae.alarm(judges=JUDGES)):
        with pytest.raises(TypeError, match="missing"):
            call()


@pytest.mark.parametrize(
    ("labels", "lowest"),
    [
        (("1", "2", "3", "4", "5"), "4"),
        (("1", "2", "3", "4"), "3"),
        (("0", "0.5", "1"), "1"),
        (("-1", "0", "1"), "1"),
        (("0", "1"), ""),
        (("1", "2", "n/a"), ""),
        (("good", "bad", "so so"), ""),
    ],
)
def test_the_upper_half_of_grades(labels, lowest):
    assert upper_half(labels) == lowest


def test_of_grades_it_is_asked_from_which_on_they_count(table, tmp_path, capsys):
    with pytest.raises(
        ae.DataError, match=r"Answer with cut='4' \(4 and above count\) or good='1'"
    ):
        ae.rate(table, judges=JUDGES)
    path = tmp_path / "grades.csv"
    ae.read_results(table, judges=JUDGES)  # which can be read
    rows = [",".join(table[0]), *(",".join(str(c or "") for c in r.values()) for r in table)]
    path.write_text("\n".join(rows), encoding="utf-8")
    judges = ["--judges", ",".join(JUDGES)]
    assert run(["columns", str(path), *judges]) == 0
    shown = capsys.readouterr().out
    assert "from which on they do: --cut 4" in shown
    assert f"algeval judges {path} --judges {','.join(JUDGES)}" in shown
    assert run(["report", str(path), *judges, "--intervals", "0"]) == 0
    shown = capsys.readouterr().out
    assert f"algeval rate {path} --judges {','.join(JUDGES)} --cut 4" in shown
    assert "is true" not in shown
    assert run(["rate", str(path), *judges, "--cut", "4"]) == 0


def test_unpaired_systems_are_told_what_pairs_them(table):
    found = ae.versus(table, judges=JUDGES, cut=4)
    if found.method.startswith("unpaired"):
        assert "label the same prompts for both" in found.warnings[0]


@pytest.mark.parametrize("option", ["judges", "human", "item"])
def test_a_name_of_no_column_is_said_first(table, tmp_path, capsys, option):
    rows = [",".join(table[0]), *(",".join(str(c or "") for c in r.values()) for r in table)]
    path = tmp_path / "grades.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    assert run(["report", str(path), f"--{option}", "nobody"]) == 2
    said = capsys.readouterr().err
    assert f"--{option} must name a column" in said
    assert "got 'nobody'" in said


def test_a_sparse_column_named_after_a_judgement_is_asked_about_beside_unnamed_judges():
    rows = {
        "id": list(range(40)),
        "a": ["pass"] * 40,
        "b": ["pass", "pass", "fail", "pass"] * 10,
        "Overall correct?": ["pass", None, None, "fail"] * 10,
    }
    with pytest.raises(ae.DataError, match="a person, or one more judge"):
        ae.report(rows)
    rows["c"] = rows.pop("Overall correct?")
    assert ae.read_votes(rows).judges == ("a", "b", "c")


def test_a_text_that_no_file_can_be_called_is_no_file(table):
    with pytest.raises(ae.DataError, match="human must name a column or a file"):
        ae.rate({"id": [1, 2], "a": ["pass", "fail"], "b": ["pass", "pass"]}, human="x" * 300)


def test_an_answer_about_a_name_with_a_comma_is_understood_as_it_is_typed(tmp_path, capsys):
    path = tmp_path / "votes.csv"
    said = ["pass", "", "", "fail"] * 10
    rows = [f"{k},pass,{'fail' if k % 3 else 'pass'},{word}" for k, word in enumerate(said)]
    path.write_text("\n".join(['id,gpt4o,claude,"Correct, overall?"', *rows]), encoding="utf-8")
    with pytest.raises(ae.DataError) as asked:
        ae.read_results(path)
    answers = asked.value.questions[0].answers
    assert answers[:2] == (
        "human='Correct, overall?'",
        "judges=['gpt4o', 'claude', 'Correct, overall?']",
    )
    assert run(["columns", str(path)]) == 0
    typed = [line.strip() for line in capsys.readouterr().out.splitlines() if "  --" in line]
    assert len(typed) == 3
    for answer in typed:
        assert run(["columns", str(path), *shlex.split(answer)]) == 0
        assert "can answer" in capsys.readouterr().out


# --- Grades on several scales.


def graded(first=10, second=10, person=5, n=120, labelled=50):
    """Grades of two judges up to some end, and a person's up to another: all by ranks of one truth."""
    rng = np.random.default_rng(7)
    quality = rng.normal(size=n)

    def grades(noise, end):
        rank = np.argsort(np.argsort(quality + noise * rng.normal(size=n))) / n
        return (1 + np.floor(rank * end)).astype(int)

    human = grades(0.4, person).astype(object)
    human[rng.permutation(n)[labelled:]] = None
    return {
        "id": [f"x{k}" for k in range(n)],
        "gpt4o_judge": grades(0.5, first).tolist(),
        "claude_judge": grades(0.6, second).tolist(),
        "human": human.tolist(),
    }


def test_equal_numbers_of_two_scales_are_not_counted_as_agreement():
    rows = graded()
    results = ae.read_results(rows)
    assert results.holds_scores
    assert any("two scales" in note for note in results.notes)
    text = ae.report(rows, intervals=0).summary()
    assert "rank correlation" in text
    assert "exact" not in text.replace("exact_labels", "")
    one = ae.read_results(rows, exact_labels=True)  # the way back
    assert not one.holds_scores


@pytest.mark.parametrize(("said", "scales"), [((4, 5), True), ((1, 0), False)])
def test_two_grades_of_people_are_grades_unless_they_are_0_and_1(said, scales):
    rows = graded()
    rows["human"] = [None if x is None else said[x < 4] for x in rows["human"]]
    notes = ae.read_results(rows).notes
    assert any("two scales" in note for note in notes) == scales


@pytest.mark.parametrize("ends", [(5, 5, 5), (10, 10, 10), (10, 10, 8)])
def test_grades_of_one_scale_are_compared_as_grades(ends):
    results = ae.read_results(graded(*ends))
    assert not any("two scales" in note for note in results.notes)


def test_a_scale_each_is_cut_where_it_is_told():
    rows = graded()
    cut = {"gpt4o_judge": 8, "claude_judge": 7, "human": 4}
    votes = ae.read_results(rows, cut=cut).votes
    for name in ("gpt4o_judge", "claude_judge"):
        expected = [int(x >= cut[name]) for x in rows[name]]
        assert votes.codes[:, votes.judges.index(name)].tolist() == expected
    expected = [-1 if x is None else int(x >= 4) for x in rows["human"]]
    assert votes.key.tolist() == expected
    together = ae.read_results(rows, cut={"judges": 8, "human": 4}).votes
    assert together.codes[:, 0].tolist() == [int(x >= 8) for x in rows["gpt4o_judge"]]


def test_one_cut_of_two_scales_is_asked_about_and_the_answer_is_taken():
    rows = graded()
    with pytest.raises(ae.DataError, match="two scales: from where on is an output good") as caught:
        ae.read_results(rows, cut=6)
    answer, one_scale = caught.value.questions[0].answers
    words = eval(f"dict({answer})")
    assert words["cut"]["human"] == "4"
    whole = eval(f"dict({one_scale.removesuffix(' (one scale)')})")
    assert ae.read_results(rows, **whole).votes.key.max() == 0  # nobody gave a 6
    shares = ae.read_results(rows, **words).votes.codes.mean(axis=0)
    assert np.allclose(shares, 0.4, atol=0.15)  # as many outputs are good as people say


def test_a_cut_names_columns_there_are():
    with pytest.raises(ae.DataError, match=r"cut= must name columns of judges or people.*'nobody'"):
        ae.read_results(graded(), cut={"nobody": 3})
    with pytest.raises(ae.DataError, match="got none"):
        ae.read_results(graded(), cut={})


def test_what_is_0_or_1_is_cut_already():
    rows = graded()
    for name in ("gpt4o_judge", "claude_judge"):
        rows[name] = [int(x > 6) for x in rows[name]]
    with pytest.raises(ae.DataError, match="From which grade of 'human' on is an output '1'"):
        ae.read_results(rows)
    for cut in (4, {"human": 4}):
        votes = ae.read_results(rows, cut=cut).votes
        assert votes.codes[:, 0].tolist() == rows["gpt4o_judge"]
        assert votes.key.tolist() == [-1 if x is None else int(x >= 4) for x in rows["human"]]


@pytest.mark.parametrize("said", ["grades", "words", "binary"])
def test_labels_of_a_file_are_read_as_a_column_of_people_is(tmp_path, said):
    rows = graded()
    labels = {k: x for k, x in zip(rows["id"], rows.pop("human"), strict=True) if x is not None}
    two = {"words": ("bad", "good"), "binary": ("0", "1")}.get(said)
    if two is not None:
        labels = {item: two[x >= 4] for item, x in labels.items()}
    results = ae.read_results(rows, human=labels)
    assert results.holds_scores
    with pytest.raises(ae.DataError, match="From where on is an output good") as caught:
        ae.judge_card(results.votes)
    words = eval(f"dict({caught.value.questions[0].answers[0]})")
    card = ae.judge_card(ae.read_results(rows, human=labels, **words))
    assert min(float(row.accuracy.value) for row in card.judges) > 0.7


def test_labels_of_another_scale_are_refused_where_votes_were_read():
    rows = graded()
    labels = {k: x for k, x in zip(rows["id"], rows.pop("human"), strict=True) if x is not None}
    for read in (
        lambda: ae.read_votes(rows, human=labels),
        lambda: ae.read_votes(rows, human=labels, cut=6),
        lambda: ae.rate(ae.read_votes(rows), good="5", human=labels),
        lambda: ae.rate(ae.read_votes(rows, cut=6), human=labels),
    ):
        with pytest.raises(
            ae.DataError, match="must be on the judges' scale; got labels from 1 to 5"
        ):
            read()


def test_cuts_are_typed_at_a_command_line(tmp_path, capsys):
    import pandas as pd

    table, path = tmp_path / "t.csv", tmp_path / "labels.csv"
    frame = pd.DataFrame(graded())
    frame.to_csv(table, index=False)
    frame[["id", "human"]].dropna().to_csv(path, index=False)
    frame.drop(columns="human").to_csv(tmp_path / "plain.csv", index=False)

    def said(*words):
        code = run([str(word) for word in words])
        out = capsys.readouterr()
        return code, out.out + out.err

    whole = said("rate", table, "--cut", "8,human=4")[1]
    assert "50 labels" in whole
    assert (
        whole.splitlines()[1:9]
        == said("rate", table, "--cut", 8, "--cut", "human=4")[1].splitlines()[1:9]
    )
    for asked in ("judges", "rate", "next"):
        typed = (asked, tmp_path / "plain.csv", "--human", path, "--cut", "8,human=4")
        assert said(*typed)[0] == 0
    code, text = said("judges", tmp_path / "plain.csv", "--human", path)
    assert code == 2
    assert "From where on is an output good" in text
    assert said("report", table, "--cut", 6, "--cut", 7)[1].count("must give a column one cut") == 1
    text = said("report", table)[1]  # its next steps hold, too
    for line in text.splitlines():
        if line.startswith("  algeval "):
            words = shlex.split(line, comments=True)[1:]
            words = [str(table) if w.endswith("t.csv") else w for w in words]
            words = [str(tmp_path / w) if w == "to_label.csv" else w for w in words]
            assert said(*words)[0] == 0


def test_a_person_is_no_judge_of_scores():
    rows = graded(5, 5)
    assert ae.read_scores(rows).judges == ("gpt4o_judge", "claude_judge")
    assert ae.read_scores(rows).key is not None


# --- New labels in a file beside a column of labels.


def checked(n=60, own=20):
    """Verdicts of two judges, and what a person said of the first items."""
    rng = np.random.default_rng(3)
    truth = rng.random(n) < 0.6

    def words(right):
        return ["pass" if x else "fail" for x in np.where(rng.random(n) < right, truth, ~truth)]

    rows = {"id": [f"k{k}" for k in range(n)], "gpt": words(0.9), "claude": words(0.8)}
    said = ["pass" if x else "fail" for x in truth]
    return rows | {"anna": [*said[:own], *[None] * (n - own)]}, dict(
        zip(rows["id"], said, strict=True)
    )


def turned(label):
    return "fail" if label == "pass" else "pass"


@pytest.mark.parametrize("words", [{}, {"pass": "good", "fail": "bad"}])
def test_labels_of_a_file_and_of_a_column_are_one_set(words, tmp_path):
    rows, truth = checked()
    new = {k: truth[k] for k in (f"k{n}" for n in range(15, 40))}
    new["k15"] = turned(new["k15"])
    typed = {k: words.get(label, label) for k, label in new.items()}
    results = ae.read_results(rows, human=typed)
    expected = {k: new.get(k, truth[k]) for k in (f"k{n}" for n in range(40))}
    assert results.human == expected
    assert list(results.judged) == ["gpt", "claude"]
    said = "labels of 25 items join the 20 of 'anna'; of 5 items with both they differ on 1, where the new"
    assert any(said in note for note in results.notes)
    assert ae.read_results(rows).with_people(typed).human == expected
    without = ae.read_results(rows, human=typed, ignore="anna")
    assert without.human == new
    card = ae.judge_card(results)
    assert card.n_gold == 40


@pytest.mark.parametrize("command", ["report", "rate", "judges"])
def test_every_command_uses_the_one_set(command, tmp_path, capsys):
    import pandas as pd

    rows, truth = checked()
    pd.DataFrame(rows).to_csv(tmp_path / "t.csv", index=False)
    lines = [f"k{n},{truth[f'k{n}']}" for n in range(15, 40)]
    (tmp_path / "new.csv").write_text("\n".join(["id,label", *lines, "K-7,pass"]))
    assert run([command, str(tmp_path / "t.csv"), "--human", str(tmp_path / "new.csv")]) == 0
    out = capsys.readouterr().out
    assert re.search(r"\b40\b.*(?:labels|of 60 items)|labels of 40", out)
    assert "1 label of 26 name no item here, such as 'K-7'" in out
    assert not re.search(r"\b(?:20|25) (?:human )?labels", out)
    if command == "rate":
        assert ae.rate(tmp_path / "t.csv", human=tmp_path / "new.csv").n_gold == 40


def test_labels_name_their_outputs_by_the_columns_that_the_table_does(tmp_path):
    rows = {
        "ticket": [f"T{n // 2}" for n in range(80)],
        "variant": ["old", "new"] * 40,
        "gpt": ["pass", "fail", "pass", "pass"] * 20,
        "claude": ["pass", "fail", "fail", "pass"] * 20,
    }
    label = {
        "ticket": ["T1", "T1", "T2"],
        "variant": ["new", "old", "old"],
        "label": ["pass", "fail", "pass"],
    }
    results = ae.read_results(rows, human=label)
    assert results.human == {"T1:new": "pass", "T1:old": "fail", "T2:old": "pass"}


def test_new_names_of_what_only_people_say_are_not_missed():
    rows, truth = checked()
    rows["anna"] = [{"pass": "fine", "fail": "bad", None: None}[x] for x in rows["anna"]]
    results = ae.read_results(rows, same={"fine": "pass", "bad": "fail", "nope": "odd"})
    assert results.human == {f"k{n}": truth[f"k{n}"] for n in range(20)}
    notes = [note for note in results.votes.notes if "renamed" in note]
    assert notes == ["no judge gave 'nope', which is to be renamed"]


def test_a_sample_of_a_whole_answer_key_counts_alone():
    rows, truth = checked()
    rows["anna"] = [*truth.values()]
    new = {f"k{n}": truth[f"k{n}"] for n in range(25)}
    results = ae.read_results(rows, human=new)
    assert results.human == new
    assert any("labels every output" in note for note in results.notes)


def test_yes_beside_1_in_a_file_of_labels_is_1(tmp_path, capsys):
    rows = graded()
    human = rows.pop("human")
    labels = {k: str(int(x >= 4)) for k, x in zip(rows["id"], human, strict=True) if x is not None}
    mixed = labels | {k: {"1": "yes", "0": "no"}[v] for k, v in list(labels.items())[:9]}
    for cut in (None, 7):
        one, other = (ae.read_results(rows, human=x, cut=cut) for x in (labels, mixed))
        assert one.human == other.human
    assert ae.read_results(rows, human=mixed, cut=7).good == "1"


def long_with_people():
    rng = np.random.default_rng(1)
    return [
        {"id": f"s{k}", "grader": who, "label": "good" if rng.random() < 0.6 else "bad"}
        for k in range(50)
        for who in ("gpt", "llama", "annotator_1", "annotator_2")
        if not who.startswith("ann") or rng.random() < 0.5
    ]


def test_people_of_a_long_table_are_those_that_are_named():
    rows = long_with_people()
    both = ae.read_results(rows)
    assert set(both.said) == {"annotator_1", "annotator_2"}
    one = ae.read_results(rows, human="annotator_1")
    expected = {r["id"]: r["label"] for r in rows if r["grader"] == "annotator_1"}
    assert one.human == expected
    assert set(one.judged) == {"gpt", "llama"}
    assert any("labels of 'annotator_2' are left out" in note for note in one.notes)


@pytest.mark.parametrize("names", [["gpt"], ["gpt", "llama"]])
def test_judges_of_a_long_table_are_named_by_their_names(names):
    rows = long_with_people()
    assert ae.read_votes(rows, judges=names).judges == tuple(names)
    with pytest.raises(ae.DataError, match="'nobody'"):
        ae.read_results(rows, judges=["nobody"])


def test_raters_of_a_long_table_have_scales_of_their_own():
    wide = graded(10, 5)
    names = {"gpt4o_judge": "gpt", "claude_judge": "claude", "human": "human"}
    rows = [
        {"id": item, "rater": who, "score": wide[column][k]}
        for k, item in enumerate(wide["id"])
        for column, who in names.items()
        if wide[column][k] is not None
    ]
    results = ae.read_results(rows)
    assert set(results.scored) == {"gpt", "claude"}
    assert any("two scales" in note for note in results.notes)
    assert results.scores.key_kind == "number"
    votes = ae.read_results(rows, cut={"gpt": 8, "claude": 4, "human": 4}).votes
    assert votes.codes[:, votes.judges.index("claude")].tolist() == [
        int(x >= 4) for x in wide["claude_judge"]
    ]


def test_a_column_of_people_and_a_file_are_named_together(tmp_path, capsys):
    import pandas as pd

    rows, truth = checked()
    table, new = tmp_path / "t.csv", tmp_path / "new.csv"
    pd.DataFrame(rows).to_csv(table, index=False)
    new.write_text("\n".join(["id,label", *(f"k{n},{truth[f'k{n}']}" for n in range(15, 40))]))
    for typed in (["--human", f"anna,{new}"], ["--human", "anna", "--human", str(new)]):
        assert run(["judges", str(table), *typed]) == 0
        assert "labels of 40 of 60 items" in capsys.readouterr().out
    assert run(["judges", str(table), "--human", str(new), "--human", str(new) + "x"]) == 2
    later = tmp_path / "later.csv"
    later.write_text("\n".join(["id,label", *(f"k{n},{truth[f'k{n}']}" for n in range(35, 50))]))
    assert run(["judges", str(table), "--human", f"anna,{new},{later}"]) == 0
    assert "labels of 50 of 60 items" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("half", "rest"),
    [
        ({"4": "pass", "5": "pass"}, {"1": "fail", "2": "fail", "3": "fail"}),
        ({"1": "fail", "2": "fail", "3": "fail"}, {"4": "pass", "5": "pass"}),
    ],
)
def test_grades_of_which_half_is_named_are_asked_about_again(half, rest):
    rows = graded()
    for name in ("gpt4o_judge", "claude_judge"):
        rows[name] = ["pass" if x > 6 else "fail" for x in rows[name]]
    with pytest.raises(ae.DataError, match=r"'pass' or 'fail'|'fail' or 'pass'") as caught:
        ae.read_results(rows, same=half)
    words = eval(f"dict({caught.value.questions[0].answers[0]})")
    assert words["same"] == rest
    human = ae.read_results(rows, same=half | rest).human
    whole = {str(k): v for k, v in (half | rest).items()}
    expected = {
        i: whole[str(x)] for i, x in zip(rows["id"], rows["human"], strict=True) if x is not None
    }
    assert human == expected


def test_a_judge_of_a_long_table_of_scores_is_named_by_name():
    rows = [
        {"id": f"x{k}", "rater": who, "score": score}
        for k in range(60)
        for who, score in (("gpt", 1 + k % 10), ("claude", 1 + k % 5), ("human", 1 + k % 5))
        if who != "human" or k < 25
    ]
    assert ae.io.read_votes_or_scores(rows, judges=["gpt"]).judges == ("gpt",)


def on_a_scale(latent, low, high, lenient=0.0):
    """Return grades of equal width on a normal latent quality."""
    cuts = np.linspace(-1.4, 1.4, high - low)
    return (low + np.searchsorted(cuts, latent + lenient)).astype(float)


@pytest.mark.parametrize(
    ("people", "judge", "n", "share"),
    [
        (((1, 5), -1.0), ((1, 5), 1.0), 40, (0.0, 0.03)),
        (((1, 5), -1.4), ((1, 5), 1.2), 40, (0.0, 0.07)),
        (((1, 3), 0.0), ((1, 5), 0.0), 20, (0.97, 1.0)),
        (((1, 3), 0.0), ((1, 5), 1.2), 20, (0.95, 1.0)),
        (((1, 5), 0.0), ((1, 10), 0.5), 20, (0.97, 1.0)),
    ],
)
def test_a_lenient_judge_is_on_the_scale_of_people(people, judge, n, share):
    from algeval.io.answers import on_other_scales

    rng, apart = np.random.default_rng(11), 0
    for _ in range(150):
        quality = rng.normal(size=200)
        (own, strict), (ends, lenient) = people, judge
        said = on_a_scale(quality + 0.5 * rng.normal(size=200), *own, strict)[:n]
        graded = on_a_scale(quality + 0.5 * rng.normal(size=200), *ends, lenient)
        apart += on_other_scales(graded, said)
    assert share[0] <= apart / 150 <= share[1]


def test_what_reads_two_scales_as_one_is_offered_and_holds():
    rows = graded()
    note = next(n for n in ae.read_results(rows).notes if "two scales" in n)
    assert "labels=['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] reads them as one" in note
    labels = [str(k) for k in range(1, 11)]
    one = ae.read_results(rows, labels=labels)
    assert not one.scored
    assert one.votes.labels == tuple(labels)


def test_a_judge_that_is_kinder_by_a_grade_or_two_is_compared_by_grades(tmp_path, capsys):
    import pandas as pd

    rng = np.random.default_rng(2)
    said = rng.choice([1, 2, 2, 3], 100)
    kinder = np.minimum(5, said + rng.choice([1, 1, 2], 100))
    rows = {"id": [f"q{k}" for k in range(100)], "gpt4o": kinder, "human": said.astype(object)}
    rows["human"][40:] = None
    table = tmp_path / "t.csv"
    pd.DataFrame(rows).to_csv(table, index=False)
    run(["judges", str(table)])
    out = capsys.readouterr().out
    assert "higher by" in out
    assert "two scales" not in out
    assert "--same" not in out
    assert run(["rate", str(table)]) == 2
    assert "--cut 3 (3 and above count)" in capsys.readouterr().err  # people's upper half


def in_cells(write, *, labelled=40):
    """Return two judges and a person whose numbers of 100 are written in one way."""
    rng = np.random.default_rng(6)
    truth = rng.choice([25, 50, 75, 87], 80)
    rows = {"id": [f"q{k}" for k in range(80)]}
    for judge in ("gpt4o", "claude"):
        rows[judge] = [
            write(x) for x in np.where(rng.random(80) < 0.8, truth, rng.permutation(truth)).tolist()
        ]
    rows["human"] = [write(x) if k < labelled else None for k, x in enumerate(truth.tolist())]
    return rows, truth


CELLS = {"percent": lambda x: f"{x}%", "shares": lambda x: f"{x / 100}", "hundred": str}


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("cut", ["50%", ".5", 50])
def test_a_cut_has_one_sense_in_percent_and_as_a_share(cells, cut):
    rows, truth = in_cells(CELLS[cells])
    if (cells, cut) in {("shares", 50), ("hundred", ".5")}:
        with pytest.raises(ae.DataError, match="must be on the judges' scale"):
            ae.read_results(rows, cut=cut).votes  # noqa: B018
        return
    results = ae.read_results(rows, cut=cut)
    assert results.votes.key[:40].tolist() == (truth[:40] >= 50).astype(int).tolist()
    said = [note for note in results.notes if "is read as 50" in note]
    told = (cells, cut) in {("percent", ".5"), ("hundred", "50%")}  # it could be two
    assert len(said) == told


@pytest.mark.parametrize(("cells", "label"), [("shares", "0.87"), ("hundred", "87")])
@pytest.mark.parametrize("good", ["87%", ".87"])
def test_a_good_number_has_the_same_sense(cells, label, good):
    rows, truth = in_cells(CELLS[cells])
    rate = ae.rate(rows, good=good)
    assert rate.label == label
    assert rate.table[-2].estimate == pytest.approx((truth[:40] == 87).mean())


def test_a_percentage_of_other_grades_is_refused_and_a_score_is_no_label():
    with pytest.raises(ae.DataError, match=r"got '50%' and '\w+' from 1 to 5"):
        ae.read_results(graded(5, 5, 5), cut="50%")
    with pytest.raises(ae.DataError, match="give scores; got 87%; cut='87%' counts 87% and above"):
        ae.rate(in_cells(CELLS["percent"])[0], good="87%")


def scored(people):
    """Return scores of two judges to ten beside what people say of half the outputs."""
    rng = np.random.default_rng(8)
    truth = rng.random(100)
    rows = {"id": [f"q{k}" for k in range(100)]}
    for judge, share in (("gpt4o", 1.0), ("claude", 0.8)):
        noisy = 10 * np.clip(share * truth + rng.normal(0, 0.1, 100), 0, 1)
        rows[judge] = noisy.round(2).tolist()
    if people is not None:
        rows["human"] = [people(x) if k < 50 else None for k, x in enumerate(truth.tolist())]
    return rows


PEOPLE = {
    "words": lambda x: "up" if x > 0.6 else "down",
    "numbers": lambda x: round(10 * x, 1),
    "none": None,
}


@pytest.mark.parametrize("people", PEOPLE)
def test_every_command_suggests_one_cut(people, tmp_path, capsys):
    import pandas as pd

    table = tmp_path / "t.csv"
    rows = scored(PEOPLE[people])
    pd.DataFrame(rows).to_csv(table, index=False)
    cuts = set()
    for asked in ("report", "columns", "rate", "judges", "next"):
        run([asked, str(table)])
        out = capsys.readouterr()
        cuts |= {
            word.rstrip("'")
            for line in (out.out + out.err).splitlines()
            for before, word in itertools.pairwise(line.split())
            if before == "--cut" and word[:1].isalnum() and word != "makes" and word != "to"
        }
    assert len(cuts) == 1, cuts
    cut = cuts.pop()
    assert run(["rate", str(table), "--cut", cut]) == (1 if people == "none" else 0)
    if people == "words":  # as many outputs of each judge are good as people say
        good = np.mean([word == "up" for word in rows["human"] if word])
        for name, at in (pair.split("=") for pair in cut.split(",")):
            labelled = np.array(rows[name][:50])
            assert abs((labelled >= float(at)).mean() - good) <= 0.02
    if people == "none":
        every = np.array(rows["gpt4o"] + rows["claude"])
        assert abs((every >= float(cut)).mean() - 0.5) < 0.02


@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize("ask", ["rate", "judge_card", "next", "slices", "judge_bias"])
def test_a_file_of_scores_is_asked_where_to_cut_in_python_too(people, ask, tmp_path):
    import pandas as pd

    table = tmp_path / "t.csv"
    pd.DataFrame(scored(PEOPLE[people])).to_csv(table, index=False)
    if (people, ask) == ("words", "rate"):  # people say themselves what is good
        rate = ae.rate(table)
        assert (rate.label, rate.n_gold) == ("up", 50)
        assert ae.rate(table, good="down").rate == pytest.approx(1 - rate.rate, abs=0.02)
        return
    with pytest.raises(ae.DataError, match="From where on is an output good") as caught:
        getattr(ae, ask)(table)
    words = eval(f"dict({caught.value.questions[0].answers[0]})")
    assert ae.read_results(table, **words).votes.n_labels == 2


def test_after_a_cut_labels_are_peoples_words_or_say_from_where_on(tmp_path, capsys):
    import pandas as pd

    table = tmp_path / "t.csv"
    pd.DataFrame(scored(PEOPLE["words"])).to_csv(table, index=False)
    for cut in ("5", "gpt4o=5,claude=4"):
        assert run(["rate", str(table), "--cut", cut]) == 0
        out = capsys.readouterr().out
        assert "RATE OF up" in out
        assert "0/1 already" not in out
    opposed = scored(lambda x: "good" if x < 0.4 else "bad")
    results = ae.read_results(
        opposed, cut={"gpt4o": 5, "claude": 5}
    )  # what is above a cut is good by itself
    assert results.good == "good"
    above = [x >= 5 for x in opposed["gpt4o"]]
    good = results.votes.labels.index("good")
    assert (results.votes.codes[:, 0] == good).tolist() == above
    pd.DataFrame(scored(PEOPLE["numbers"])).to_csv(table, index=False)
    for words, asked in (
        ("SHARE AT OR ABOVE 5", "rate"),
        ("Share at or above 5: ", "report"),
        ("how often is the truth at or above 5", "columns"),
    ):
        run([asked, str(table), "--cut", "5"])
        assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "values", "answers"),
    [
        ("position", ["first", "second"], ["swap", "slice", "system"]),
        ("posicao", ["A", "B"], ["swap", "slice", "system"]),
        ("posição", ["esquerda", "direita"], ["swap", "slice", "system"]),
        ("run_tag", ["baseline", "exp-2"], ["system", "trial", "slice"]),
    ],
)
def test_what_tells_rows_of_a_prompt_apart_is_asked_about_by_what_it_is_called(
    name, values, answers
):
    rng = np.random.default_rng(1)
    cells = {j: rng.choice(["pass", "fail"], 40) for j in ("gpt4o", "claude", "human")}
    frame = pd.DataFrame(
        {"prompt_id": [f"q{k // 2}" for k in range(40)], name: values * 20} | cells
    )
    with pytest.raises(ae.DataError) as refusal:
        ae.read_results(frame)
    assert str(refusal.value).endswith(" or ".join(f"{answer}={name!r}" for answer in answers))
    for answer in answers:
        outputs = {"prompt": "prompt_id"} if answer == "trial" else {}  # people's labels differ
        columns = ae.read_results(frame, **{answer: name}, **outputs).columns
        assert dict(zip(columns["column"], columns["role"], strict=True))[name] == answer
